// The members of a world: definitions, names, and the system that the steppers advance.
#pragma once

#include "geometry/tetra/tetra_mesh.h"
#include "models/mpm/damage/mpm_prefracture.h"
#include "models/mpm/surface/mpm_surface_fit.h"
#include "stepping/implicit/implicit_step.h"
#include "stepping/stepper.h"
#include "stepping/system.h"

#include <sherd/body.h>
#include <sherd/glue.h>
#include <sherd/world_def.h>

// Default of materials except fluids, which have 0.
#define SHERD_USUAL_FRICTION 0.3

typedef struct world_body {
    char *name;
    sherd_element_index first, count;
    uint16_t material;
    sherd_body_bonds bonds;
    double spacing; // of material points, 0: a body of elements [m]
    // of a body of material points, until the world is prepared: no pieces if it is not divided
    sherd_mpm_prefracture fracture;
    // of a body of material points, until then: the known location of its surface
    sherd_mpm_surface_fit outer;
    sherd_pose pose;     // initial pose
    sherd_vec3 spin;     // initial spin [rad/s]
    sherd_vec3 velocity; // of its origin [m/s]
    // finite elements: their mesh, owned, until the world is prepared; NULL: others
    sherd_tetra_mesh *tetra;
} world_body;

struct sherd_world {
    sherd_world_def def;
    sherd_system system;
    size_t material_capacity, body_capacity;
    int material_count, body_count, obstacle_count;
    sherd_material_def *materials; // names owned
    world_body *bodies;
    sherd_obstacle_def *pending_obstacles; // until contacts are created; motions and names owned
    size_t obstacle_capacity;
    bool prepared;          // bonds arranged, contacts created: nothing can be added any more
    double start_energy;    // total at the first step [J]
    double *largest_energy; // maximum over all checks of the balance (energy_check.c); owned [J]
    // of elements of bonds with the law CENTRAL, for views (4 n); NULL: there are none; owned
    double *fitted_rotations;
    double start_gravity; // potential of the elements at preparation, in absolute terms [J]
    sherd_vec3 *obstacle_force_sum, *obstacle_torque_sum; // since the probes were reset
    sherd_load_range *obstacle_range;                     // range of these loads in steps, likewise
    sherd_pose *obstacle_start;
    sherd_motion *given_drivers,
        *given_obstacles;  // original motions of the steered ones (steering.c); owned
    double probe_steps;    // an implicit step counts as its length in explicit steps
    double least_strength; // smallest strength factor of any bond; 1 when there is none
    sherd_method_settings method;
    const sherd_stepper *stepper; // its row, or the stepper that wraps it
    const char
        *explicit_reason; // reason why a switching method only makes explicit steps; NULL: none
};

// Arranges bonds, creates contacts and scratch. Called before anything that needs them.
sherd_status sherd_world_prepare(sherd_world *world, sherd_error *error);

// Locations of the surfaces of a body of points: of its shape, and of the walls between its pieces.
sherd_status sherd_world_find_surface(const sherd_world *world, const sherd_body_def *def,
                                      const sherd_mpm_prefracture *fracture,
                                      sherd_mpm_surface_fit *outer, sherd_error *error);

// Finite elements: whether the world consists of them, before it is prepared; the check of a body
// against its material and the world's other bodies; a copy of a mesh; their creation.
bool sherd_world_is_of_tetrahedra(const sherd_world *world);
sherd_status sherd_world_check_tetrahedra(const sherd_world *world, const sherd_body_def *def,
                                          const char *name, sherd_error *error);
sherd_tetra_mesh *sherd_world_copy_tetrahedra(const sherd_tetra_mesh *mesh, sherd_error *error);
sherd_status sherd_world_make_tetrahedra(sherd_world *world, sherd_error *error);

// Number of pieces of a body of points; 0 for a body of elements.
uint32_t sherd_world_count_pieces(const world_body *body);
// For a prepared world.
sherd_glue_particle sherd_world_glue_at(const sherd_world *world, size_t number);

// The spacing of material points, 0 if there are none [m].
double sherd_world_point_spacing(const sherd_world *world);
// That of the grid's nodes [m].
double sherd_world_node_spacing(const sherd_world *world);
// The least fracture energy with which a particle of a body's glue can soften; 0 if its strengths
// are infinite [J/m^2].
double sherd_world_least_glue_energy(const sherd_world *world, int body,
                                     const sherd_mpm_glue *glue);
// Pieces and glue of a body of points that is being added.
sherd_status sherd_world_fracture_body(const sherd_world *world, const sherd_body_def *def,
                                       sherd_mpm_prefracture *fracture, sherd_error *error);
// Creates bodies of points, if there are any. Before the first step.
sherd_status sherd_world_make_points(sherd_world *world, sherd_error *error);

// The body of an element: the last one that begins at or before it.
sherd_body_index sherd_world_body_of(const sherd_world *world, sherd_element_index element);

// Motions prescribed between steps (steering.c), as the section "steering" of a record; none if
// there are none.
void sherd_world_save_steering(const sherd_world *world, sherd_byte_buffer *out);
// Also resets those that are not in the record.
sherd_status sherd_world_restore_steering(sherd_world *world, sherd_record_reader *in,
                                          sherd_error *error);
void sherd_world_free_steering(sherd_world *world);

// sherd_world_check, sherd_world_energy and sherd_world_stress_ratio together.
sherd_status sherd_world_measure(const sherd_world *world, sherd_energy *energy,
                                 float *stress_ratio, sherd_error *error);
// What sherd_world_check does, given the energies and the scale.
sherd_status sherd_world_check_energy(const sherd_world *world, const sherd_energy *energy,
                                      double scale, sherd_error *error);

// Sum of stored and dissipated energies minus work, without gravity's arbitrary zero [J].
double sherd_world_total(const sherd_energy *energy);

// Sets the zero of the elements' potential at their present positions. A restored world has that of
// its definition, too.
void sherd_world_note_gravity(sherd_world *world);

// Energies without balance_error and max_stress_ratio.
sherd_energy sherd_world_stores(const sherd_world *world);
