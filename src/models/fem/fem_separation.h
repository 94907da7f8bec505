// Fracture by separation of nodes ([OH99], [PO09]).    docs/papers/fem.md
//
// A tetrahedron's stress is divided into tension and compression, which exert forces f+ and f- on
// its corners. With m(a) = a a^T / |a| the separation tensor of a node is
//   s = 1/2 (- m(sum f+) + sum m(f+) + m(sum f-) - sum m(f-)).
// Its largest eigenvalue is a force. The node separates along the faces nearest to the plane normal
// to the eigenvector n: those between tetrahedra whose centroids are on different sides. What the
// eigenvalue exceeds the threshold by, times n n^T, is added to the tensors of the nodes at the far
// ends of these faces within the step, so that cracks advance through several tetrahedra.
#pragma once

#include "models/fem/fem.h"

typedef struct sherd_fem_separation {
    double force;      // largest eigenvalue [N]
    sherd_vec3 normal; // its eigenvector
    double area;       // of the node across it [m^2]
    double ratio;      // of the force to the threshold; 0 without one
} sherd_fem_separation;

// Divides all stresses into tension and compression before many nodes are looked at; the result is
// that of the present positions.
void sherd_fem_divide_all(const sherd_fem *fem);

// `residual` is added to the tensor: xx yy zz yz xz xy [N]; NULL: none.
sherd_fem_separation sherd_fem_separation_of(const sherd_fem *fem, int32_t node,
                                             const double *residual);

// Faces that crack, as bonds. Owned, valid when zero-filled.
typedef struct sherd_fem_cracks {
    int64_t *bond;
    size_t count, capacity;
} sherd_fem_cracks;

// True if the bound of some node exceeds its threshold: sherd_fem_separate may find something.
bool sherd_fem_may_separate(const sherd_fem *fem);

// Separates nodes until none exceeds its threshold, the most stressed one first. `held`: bits of
// tetrahedra (points.h); held nodes do not separate. Marks bonds in `broken` and appends them to
// `cracks`. Positions, velocities, total mass and forces stay. Forces must be those of the present
// state, gathered.
sherd_status sherd_fem_separate(sherd_fem *fem, const uint8_t *held, uint8_t *broken,
                                sherd_fem_cracks *cracks, sherd_error *error);

// Sets held bits, masses and leads of all nodes from their corners; after `corner` has changed.
void sherd_fem_renew_nodes(sherd_fem *fem, const uint8_t *held);
