// Faces of pre-cracks. Contact forces between elements across them act along the crack normal
// instead of the line of centres, so that closed cracks slide (docs/notebook/decisions/0018).
//
//   m_i, m_j   unit normals from each element to the crack, which turn with it
//   n = (m_j - m_i) / |m_j - m_i|        from j to i
//   d = x_i - x_j = h n + rho            rho: across n
//   overlap = (a_i + a_j) |m_j - m_i|/2 - d.n     a: reference distances from the crack
//   V = w(|rho|^2) U(overlap)            U: of the potential that round elements have
//   w = (1 - |rho|^2/R^2)^2 up to R = 1.2 (r_i + r_j), 0 beyond
//
// The overlap is 0 in the reference state, also across cylinders and spheres, however far they have
// slid.
// V depends on the present configuration only: pairs that meet later begin with w = 0, and
// frictionless sliding takes no energy.
#pragma once

#include "neighbors/pair_search.h"
#include "points/points.h"

#include <sherd/material.h>

#include <stdbool.h>

enum { SHERD_MAX_CUT_FACES = 4 }; // per element

typedef struct sherd_crack_face {
    sherd_vec3 normal; // m, in the element's frame
    double distance;   // a, >= 0 [m]
    int32_t cut;       // index of the cut in the world
} sherd_crack_face;

// Faces of the elements of a world, or of a part, indexed as in the world.
typedef struct sherd_crack_faces {
    sherd_element_index count; // elements beyond it have none
    // first face of element k in `face` (count + 1); owned; NULL: there are no faces
    uint32_t *start;
    sherd_crack_face *face; // owned
    size_t start_capacity, face_capacity;
    int32_t cut_count;
} sherd_crack_faces;

void sherd_crack_faces_free(sherd_crack_faces *faces);
size_t sherd_crack_faces_bytes(const sherd_crack_faces *faces);
// Adds the faces of element `first`. Elements from faces->count up to `first` have none. False: out
// of memory.
bool sherd_crack_faces_add(sherd_crack_faces *faces, sherd_element_index first,
                           const sherd_crack_face *face, int count);

// Removes the faces of elements from `end` on.
void sherd_crack_faces_keep(sherd_crack_faces *faces, sherd_element_index end);

// Largest distance from a crack at which an element of radius r can touch one of radius r_other
// across it [m].
double sherd_crack_reach(double r, double r_other);
// Extra search radius, in radii: faces touch at |d| up to 1.63 (r_i + r_j).
#define SHERD_CRACK_EXTRA 0.63

// Returns `margin` by element plus the extra search radius of elements at cracks, in `*reach`,
// scratch that is allocated if NULL. NULL: out of memory.
const double *sherd_crack_margins(const sherd_crack_faces *faces, const sherd_points *points,
                                  const double *margin, double **reach);

static inline bool sherd_has_crack_face(const sherd_crack_faces *faces, const sherd_points *points,
                                        sherd_element_index k)
{
    sherd_element_index number = sherd_point_number(points, k);
    return number < faces->count && faces->start[number + 1] > faces->start[number];
}

// An element without bonds is a round grain.
bool sherd_crack_side_is_bonded(const sherd_bond_adjacency *bonds, sherd_element_index k);

// A pair of opposite faces of two elements.
typedef struct sherd_crack_pair {
    const sherd_crack_face *i, *j;
} sherd_crack_pair;

typedef struct sherd_crack_pairs {
    int count;
    sherd_crack_pair list[SHERD_MAX_CUT_FACES];
} sherd_crack_pairs;

// Face pairs of elements across one or several cracks that can touch.
sherd_crack_pairs sherd_crack_pairs_of(const sherd_crack_faces *faces, const sherd_points *points,
                                       sherd_element_index i, sherd_element_index j);

// True if elements with this sum of radii may touch by one of the face pairs at this squared
// distance.
bool sherd_crack_may_touch(const sherd_crack_pairs *pairs, double radii, double apart2);

typedef struct sherd_crack_end {
    sherd_vec3 x;
    sherd_quat q;
    double radius;
} sherd_crack_end;

typedef struct sherd_crack_contact {
    bool faces;     // the faces still point at each other
    double overlap; // negative: a gap [m]
    double weight;  // w
    double spread;  // -2 dw/d|rho|^2 [1/m^2]: the force along rho is that times U and rho
    sherd_vec3 normal, between, across; // n, d, rho
    sherd_vec3 side_i, side_j;          // m_i and m_j over |m_j - m_i|: n turns by these
    // rate of the overlap: rotation_i.w_i - rotation_j.w_j, as the faces turn [m]
    sherd_vec3 rotation_i, rotation_j;
} sherd_crack_contact;

sherd_crack_contact sherd_crack_contact_of(const sherd_crack_pair *pair, const sherd_crack_end *i,
                                           const sherd_crack_end *j);

// Uses the face pair with the widest gap: elements separated at one crack do not touch across
// another. *chosen is its index.
sherd_crack_contact sherd_crack_widest(const sherd_crack_pairs *pairs, const sherd_crack_end *i,
                                       const sherd_crack_end *j, int *chosen);

sherd_crack_end sherd_crack_end_of(const sherd_points *points, sherd_element_index k);
// Contact geometry of two elements at their present poses. `faces` is false if there is no crack
// between them.
sherd_crack_contact sherd_crack_between(const sherd_crack_faces *faces, const sherd_points *points,
                                        sherd_element_index i, sherd_element_index j);

// How two elements touched in the last evaluation.
typedef enum sherd_touch {
    SHERD_TOUCH_NONE = 0,
    SHERD_TOUCH_ROUND = 1,
    SHERD_TOUCH_FACES = 2,
} sherd_touch;

// True if they touch by their faces at present. Elements that are deep behind each other's faces
// without having touched came around the crack's edge. They touch as spheres until they separate.
bool sherd_crack_takes(const sherd_crack_contact *contact, double smaller_radius,
                       sherd_touch before);
// True if the face overlap becomes the rest overlap, because it began neither by sliding nor by
// closing.
bool sherd_crack_begins_at_rest(const sherd_crack_contact *contact, double smaller_radius,
                                double closed, sherd_touch before);
