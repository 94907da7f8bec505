// Linear tetrahedra with rotations (corotational finite elements), and their fracture by separation
// of nodes.    docs/papers/fem.md
//
//   F = Ds Dm^-1,  F = R S             deformation gradient, its rotation R and stretch S
//   W = mu |F - R|^2 + lambda/2 tr(S - 1)^2             energy density
//   P = R (2 mu (S - 1) + lambda tr(S - 1)) = dW/dF     exactly
//
// P is also the usual corotational force R K (R^T x - X) of a linear tetrahedron. Damping is a
// viscous second Piola-Kirchhoff stress, so that it does no work on rotations and exerts no torque.
//
// Nodes carry mass and move; tetrahedra are the world's elements, whose positions, orientations and
// velocities follow from their nodes. Contact acts on elements as spheres; its loads go to their
// nodes such that the power is the same. Bonds of the world are the faces between tetrahedra: a face
// that cracks is a broken bond. The nodes of a vertex are the sets of tetrahedra around it that
// intact faces at the vertex connect, so that cracked faces alone define them, and fragments hang
// together by faces, never by an edge or a vertex alone.
//
//   array            meaning                                        written by
//   corner           node of each corner          (tetrahedra x 4)  splitting
//   vertex, around   the mesh: vertex of each corner, corners of each vertex    creation
//   inverse          Dm^-1                                          creation
//   force            on each corner, by axis [N]  (12 arrays)       sherd_fem_set_forces, contact
//   norm             |2 mu (S - 1) + lambda tr(S - 1)| [Pa]         sherd_fem_set_forces
#pragma once

#include "base/parallel.h"
#include "base/record.h"
#include "points/points.h"

#include <sherd/error.h>
#include <sherd/tetra.h>

#include <stdbool.h>

// How a node separates: if the largest eigenvalue of its separation tensor exceeds a force as
// printed in [OH99], or a stress times the node's area across the eigenvector.
typedef struct sherd_fem_material {
    double youngs_modulus, poissons_ratio; // of the solid
    double density;
    double damping;   // zeta, as of a bond between two tetrahedra
    double strength;  // sigma_c [Pa]; INFINITY: never
    double toughness; // tau [N], instead of the strength; 0: not given
} sherd_fem_material;

// Forces on the corners of a tetrahedron by tension and compression [N], and V grad N, turned.
typedef struct sherd_fem_parts {
    sherd_vec3 pull[4], push[4], area[4];
} sherd_fem_parts;

typedef struct sherd_fem {
    int32_t tetra_count, vertex_count;
    int32_t *corner, *vertex;
    int32_t *start, *around;  // corners of vertex v: around[start[v] .. start[v + 1] - 1]
    int32_t *neighbor;        // across the face opposite each corner, -1: none  (tetrahedra x 4)
    int64_t *face_bond;       // its bond, -1: none                              (tetrahedra x 4)
    double *inverse[9];       // Dm^-1 by rows
    double *volume, *density; // at rest [m^3], [kg/m^3]
    double *lambda, *mu, *relaxation; // [Pa], [Pa], beta [s]
    double *strength, *toughness;     // [Pa], [N]; INFINITY: never
    double *power;                    // dissipated by damping, by tetrahedron [W]
    double *force[12];                // axis a of corner c: [3 c + a]
    double *norm;
    double *shape;      // V |grad N| of each corner [m^2]                        (tetrahedra x 4)
    sherd_points nodes; // capacity: one per corner; `count` of them are used
    double *bound;      // upper bound of a node's separation eigenvalue [N]
    double *limit;      // below which it does not separate [N]
    int32_t *lead;      // a corner of each node, the first one in `around`
    sherd_fem_parts *parts; // scratch of separation (tetrahedra)
    uint8_t *has_parts;     // they are those of the present state
    bool separates;         // some tetrahedron has a finite strength
    // Elements have the present positions and velocities, and the present orientations.
    bool has_places, has_orientations;
    // sherd_fem_rotation, for kernels, which call no function by its name
    void (*find_rotation)(const double *F, double *R);
    sherd_parallel parallel;
} sherd_fem;

// Room for meshes with these many vertices and tetrahedra in all. NULL: no memory.
sherd_fem *sherd_fem_create(int32_t vertices, int32_t tetrahedra, const sherd_parallel *parallel);
void sherd_fem_destroy(sherd_fem *fem); // accepts NULL

// Appends a body's mesh at a pose that moves with velocity and spin about the pose's position.
// Returns SHERD_ERROR_INPUT for tetrahedra without volume.
typedef struct sherd_fem_body {
    const sherd_tetra_mesh *mesh;
    const int32_t *neighbor; // across the face opposite each corner, -1: none (tetrahedra x 4)
    sherd_fem_material material;
    sherd_pose pose;
    sherd_vec3 velocity, spin;
} sherd_fem_body;
sherd_status sherd_fem_add(sherd_fem *fem, const sherd_fem_body *body, sherd_error *error);
// After the last body: nodes, and corners around vertices. Then call sherd_fem_renew_nodes
// (fem_separation.h).
sherd_status sherd_fem_finish(sherd_fem *fem, sherd_error *error);

// An upper bound of the step: the smallest of single tetrahedra's, which holds for any number of
// separations, since the largest eigenvalue of a sum of elements with lumped masses is at most the
// largest of an element [s].
double sherd_fem_stable_dt(const sherd_fem *fem);
// Largest eigenvalue of M^-1 K of one tetrahedron with a quarter of its mass at each corner [1/s^2].
double sherd_fem_element_eigenvalue(const sherd_fem *fem, int32_t t);

// Sets the force on each corner, `norm` and `power` from positions and velocities of nodes.
void sherd_fem_set_forces(sherd_fem *fem);
// Sums corners' forces into those of nodes, and their bounds.
void sherd_fem_gather(sherd_fem *fem);
double sherd_fem_energy(const sherd_fem *fem); // [J]
double sherd_fem_damping_power(const sherd_fem *fem);

// One tetrahedron at present.
typedef struct sherd_fem_state {
    double F[9], R[9], E[9]; // E = S - 1, symmetric
} sherd_fem_state;
sherd_fem_state sherd_fem_state_of(const sherd_fem *fem, int32_t t);
// Corner c from the centroid at rest [m].
sherd_vec3 sherd_fem_rest_arm(const sherd_fem *fem, int32_t t, int c);
// V grad N of corner c at rest [m^2].
sherd_vec3 sherd_fem_area(const sherd_fem *fem, int32_t t, int c);
static inline sherd_vec3 sherd_fem_node(const sherd_fem *fem, int32_t t, int c)
{
    return sherd_point_position(&fem->nodes, fem->corner[4 * (size_t)t + (size_t)c]);
}
static inline bool sherd_fem_face_is_open(const sherd_fem *fem, const uint8_t *broken, int32_t t,
                                          int face)
{
    int64_t bond = fem->face_bond[4 * (size_t)t + (size_t)face];
    return bond < 0 || broken[bond];
}
