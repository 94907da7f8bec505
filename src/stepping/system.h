// The mechanical system that steppers advance: elements, bonds, contacts, drivers. Owned by the
// world.
#pragma once

#include "base/clock.h"
#include "bodies/driver.h"
#include "contact/contact.h"
#include "contact/crack_faces.h"
#include "models/bonded/storage/adjacency.h"
#include "models/bonded/storage/bond_pass.h"
#include "points/elements.h"
#include "stepping/break_log.h"
#include "stepping/control/step_control_state.h"
#include "stepping/explicit/integrate_kernel.h"
#include "stepping/sleep/sleep.h"

#include <math.h>

typedef struct sherd_system sherd_system;
typedef struct sherd_point_bodies sherd_point_bodies;   // models/mpm/mpm_model.h
typedef struct sherd_fem sherd_fem;                     // models/fem/fem.h
typedef struct sherd_grid_coupling sherd_grid_coupling; // stepping/grid/grid_coupling.h
typedef struct sherd_implicit sherd_implicit;           // stepping/implicit/implicit.h
typedef struct sherd_ringing sherd_ringing;             // stepping/control/vibration.h
typedef struct sherd_tunnelling_scratch
    sherd_tunnelling_scratch;               // stepping/control/tunnelling_bound.h
typedef struct sherd_regions sherd_regions; // stepping/regions/time_regions.h

enum {
    SHERD_SYSTEM_CHUNK = 1024,  // elements per task, at most
    SHERD_SLEEP_INTERVAL = 256, // steps between checks for bodies that may fall asleep
};

// Booked bond damping, and samples for its correction (damping_work.h).
typedef struct sherd_damping_sample {
    double accounted, total; // since the last sample, and in total [J]
    int64_t steps;           // since the last sample
    double kicked;           // power of the bonds sampled recently [W]
    double seen_sum, kicked_sum,
        level; // powers of recent samples, limited by the level of the last one [W]
} sherd_damping_sample;

// Running totals of dissipated energies and work [J].
typedef struct sherd_accounts {
    double dissipated_bonds;     // by bond damping, and vibration of bodies that fell asleep
    double dissipated_fracture;  // energy of bonds when they broke
    double dissipated_softening; // of bonds as they softened
    double driver_work;          // done by drivers on elements
    double integration;          // lost (negative: gained) by integration errors
    double elastic;              // in intact bonds after the last implicit step
    double verlet_offset_start;  // when explicit steps began (verlet_energy_offset.h)
    int64_t verlet_steps;        // 1 during explicit steps
    sherd_damping_sample damping;
} sherd_accounts;

typedef struct sherd_broken_bond {
    int64_t bond;
    sherd_bond_analysis last; // at the break
} sherd_broken_bond;

// Change of an element's velocities by half a kick of its loads.
typedef struct sherd_half_kick {
    sherd_vec3 v, w; // [m/s], [rad/s]
} sherd_half_kick;

// Second half kick of an element that lost bonds in this step, with their loads.
typedef struct sherd_changed_kick {
    sherd_element_index element;
    sherd_half_kick before;
} sherd_changed_kick;

// State of a chunk of sherd_system.chunk_length elements.
typedef struct sherd_step_chunk {
    sherd_drift drift; // of the last step
    bool alike;        // all have the same radius and mass
    bool kick_due;     // the last step's second half kick is postponed
} sherd_step_chunk;

// Explicit steps that were split for fast contacts (substeps.h). Saved unchanged.
typedef struct sherd_split {
    // the step before which no check is needed while speeds stay (-1: the last one was split)
    int64_t next_check;
    int64_t ahead; // steps covered by the next check; 0: none yet
    double speed;  // the largest speed at the last check [m/s]
    // shortest substep required by a contact that may still last, until that step [s]
    double contact_part;
    int64_t contact_until;
    int64_t steps, parts,
        max_substeps; // steps split so far, the total of substeps, and the largest number in one step
    double deepest;   // largest overlap of a fast contact, relative to its size
    double part;      // fraction of a step that the present substep is; 0: all of it
    double part_dt;   // the longest substep that the last check allows [s]
    int64_t parts_left; // number of substeps that it still covers
} sherd_split;

struct sherd_system {
    sherd_elements elements;
    sherd_bonds bonds;
    sherd_bond_blocks blocks;
    sherd_bond_block_function *kernel; // for explicit steps; NULL: the widest
    sherd_adjacency adjacency;
    sherd_point_bodies *points; // bodies of material points; NULL: none; owned
    sherd_fem *fem;             // of which all elements are tetrahedra; NULL: none; owned
    // coupled elements and bodies; NULL until needed; owned; not saved
    sherd_grid_coupling *coupling;
    sherd_contacts *contacts; // NULL if contact is switched off
    sherd_crack_faces faces;  // of pre-cracks; empty in parts, whose contacts refer to the whole's
    sherd_drivers drivers;
    sherd_sleep sleep;
    sherd_accounts accounts;
    sherd_step_times times; // of this process; not saved
    sherd_vec3 gravity;     // [m/s^2]
    sherd_parallel parallel;
    double dt;        // explicit time step [s]
    double stable_dt; // initial stability limit T [s], 0 = unknown
    // that of elements, if stable_dt is that of the grid of points [s], 0 = unknown
    double element_dt;
    int64_t step;      // steps done
    double start_time; // time at step start_step [s]; explicit steps are counted from there
    int64_t start_step;
    sherd_step_control control; // of the implicit and the auto method
    sherd_implicit *implicit;   // NULL until the first implicit step; owned
    sherd_ringing *ringing;     // NULL until the auto method samples vibrations; owned
    // Scratch of the tunnelling bound of implicit steps; NULL until needed; owned.
    sherd_tunnelling_scratch *tunnelling;
    bool forces_valid;        // f and t belong to the present state
    sherd_step_chunk *chunks; // of elements; owned
    double *moves;            // largest drift of the elements of each chunk (contact.h) [m]; owned
    size_t chunk_length;      // elements of all but the last; blocks begin where chunks do
    size_t chunk_count;
    sherd_broken_bond *breaking; // bonds that broke in this step; owned
    size_t breaking_count, breaking_capacity;
    sherd_changed_kick *changed; // of the ends of these, ascending; owned
    size_t changed_count, changed_capacity;
    // by element, in half a step, by loads that are not in F, T: nodes and points
    // (grid/grid_coupling.h); NULL: none
    const sherd_half_kick *outer;
    // part of this step's damping that is booked bond by bond (damping_work.h) [J]
    double damping_apart;
    sherd_break_log breaks; // breaks that were not read yet
    sherd_regions
        *regions; // parts that are stepped separately (time_regions.h); NULL = none; owned
    bool is_part; // this system is one of these
    double smallest, largest; // radius [m]
    // In the last explicit step: upper bounds of the speed of any element, its rim included, and of
    // its centre relative to the mean of all. INFINITY: unknown [m/s]
    double fastest, farthest;
    sherd_split split;
    // In a part: largest displacement of its elements since the start of a span; with points, upper
    // bound for these and everything stepped with their grid [m]
    double path;
    double path_limit; // it stops beyond this [m]
};

static inline double sherd_system_time(const sherd_system *system)
{
    return system->start_time + (double)(system->step - system->start_step) * system->dt;
}

// The stability limit of elements [s].
static inline double sherd_system_element_limit(const sherd_system *system)
{
    return system->points != NULL ? system->element_dt : system->stable_dt;
}

// Time unit for the separation of regions: `step` of elements, or a tenth of one of the grid if
// that is longer [s].
static inline double sherd_system_span_unit(const sherd_system *system, double step)
{
    static const double FRACTION = 0.1;
    return system->points != NULL ? fmax(step, FRACTION * system->stable_dt) : step;
}

// The stability limit of the present state.    docs/theory/physics.md 6
sherd_status sherd_system_stable_time_step(const sherd_system *system, double *time_step,
                                           sherd_error *error);

// Before the first step, after all elements are added.
sherd_status sherd_system_prepare(sherd_system *system, sherd_error *error);

// One explicit step: velocity Verlet for positions and orientations.   [BDEM21] Algorithm 1
// Velocities lag half a step behind until sherd_system_synchronize, whose results do not depend on the
// number of steps before.
void sherd_system_synchronize(sherd_system *system);
// The chunk of an element.
void sherd_system_synchronize_element(sherd_system *system, sherd_element_index k);
sherd_status sherd_system_step_explicit(sherd_system *system, sherd_error *error);

// Ensures that f and t belong to the present state.
sherd_status sherd_system_update_forces(sherd_system *system, sherd_error *error);
