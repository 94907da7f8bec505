// Faces of pre-cracks, across which contacts of elements act along the crack and not along the line of centres, so that
// closed cracks slide (docs/notebook/decisions/0018).
//
//   m_i, m_j   unit normals from each element to the crack, which turn with it
//   n = (m_j - m_i) / |m_j - m_i|        from j to i
//   d = x_i - x_j = h n + rho            rho: across n
//   overlap = (a_i + a_j) |m_j - m_i|/2 - d.n     a: distances from the crack at rest, so that it is 0 at rest, across
//                                                 cylinders and spheres, too, however they have slid
//   V = w(|rho|^2) U(overlap)            U: of the potential that round elements have
//   w = (1 - |rho|^2/R^2)^2 up to R = 1.2 (r_i + r_j), 0 beyond
//
// V depends on where things are, and on nothing else: pairs that meet later begin with w = 0, and sliding takes no energy.
#pragma once

#include "neighbors/pair_search.h"
#include "points/points.h"

#include <sherd/material.h>

#include <stdbool.h>

enum { SHERD_MOST_CUT_FACES = 4 }; // of an element

typedef struct sherd_crack_face {
    sherd_vec3 normal; // m, in the element's frame
    double distance;   // a, >= 0 [m]
    int32_t cut;       // of the world
} sherd_crack_face;

// Of the elements of a world, or of those that a part takes from it, by their numbers in the world.
typedef struct sherd_crack_faces {
    sherd_element_index count; // elements behind them have none
    uint32_t *start; // of element k's in `face` (count + 1); owned; NULL: there is none at all
    sherd_crack_face *face; // owned
    size_t start_capacity, face_capacity;
    int32_t cut_count;
} sherd_crack_faces;

void sherd_crack_faces_free(sherd_crack_faces *faces);
size_t sherd_crack_faces_bytes(const sherd_crack_faces *faces);
// Elements from faces->count up to `first` have none, element `first` these. False: memory is short.
bool sherd_crack_faces_add(sherd_crack_faces *faces, sherd_element_index first,
                           const sherd_crack_face *face, int count);

// Elements from `end` on have none any more.
void sherd_crack_faces_keep(sherd_crack_faces *faces, sherd_element_index end);

// How far from a crack an element of radius r can be and touch one of radius r_other across it [m].
double sherd_crack_reach(double r, double r_other);
// What is added to an element's radius where pairs are searched for, in radii: faces touch at |d| up to 1.63 (r_i + r_j).
#define SHERD_CRACK_EXTRA 0.63

// `margin` by element, and what elements at cracks are searched for beyond it; `*reach` is NULL or scratch of as many,
// which is allocated then. NULL: memory is short.
const double *sherd_crack_margins(const sherd_crack_faces *faces, const sherd_points *points,
                                  const double *margin, double **reach);

static inline bool sherd_has_crack_face(const sherd_crack_faces *faces, const sherd_points *points,
                                        sherd_element_index k)
{
    sherd_element_index number = sherd_point_number(points, k);
    return number < faces->count && faces->start[number + 1] > faces->start[number];
}

// An element with no bond left is a round grain.
bool sherd_crack_side_is_bonded(const sherd_bond_adjacency *bonds, sherd_element_index k);

// The faces by which two elements look at each other.
typedef struct sherd_crack_pair {
    const sherd_crack_face *i, *j;
} sherd_crack_pair;

typedef struct sherd_crack_pairs {
    int count;
    sherd_crack_pair list[SHERD_MOST_CUT_FACES];
} sherd_crack_pairs;

// Of elements across one or several cracks from each other, as far as they can touch across them.
sherd_crack_pairs sherd_crack_pairs_of(const sherd_crack_faces *faces, const sherd_points *points,
                                       sherd_element_index i, sherd_element_index j);

// Whether elements with this sum of radii may touch by one of them at this squared distance.
bool sherd_crack_may_touch(const sherd_crack_pairs *pairs, double radii, double apart2);

typedef struct sherd_crack_end {
    sherd_vec3 x;
    sherd_quat q;
    double radius;
} sherd_crack_end;

typedef struct sherd_crack_contact {
    bool faces;     // the sides still look at each other
    double overlap; // negative: a gap [m]
    double share;   // w
    double spread;  // -2 dw/d|rho|^2 [1/m^2]: the force along rho is that times U and rho
    sherd_vec3 normal, between, across; // n, d, rho
    sherd_vec3 side_i, side_j;          // m_i and m_j over |m_j - m_i|: n turns by these
    sherd_vec3 turn_i, turn_j; // the overlap grows by turn_i.w_i - turn_j.w_j as the sides turn [m]
} sherd_crack_contact;

sherd_crack_contact sherd_crack_contact_of(const sherd_crack_pair *pair, const sherd_crack_end *i,
                                           const sherd_crack_end *j);

// By the faces with the widest gap: what one crack keeps apart doesn't touch across another. *chosen is its number.
sherd_crack_contact sherd_crack_widest(const sherd_crack_pairs *pairs, const sherd_crack_end *i,
                                       const sherd_crack_end *j, int *chosen);

sherd_crack_end sherd_crack_end_of(const sherd_points *points, sherd_element_index k);
// Of two elements where they are; `faces` is false where there is no crack between them.
sherd_crack_contact sherd_crack_between(const sherd_crack_faces *faces, const sherd_points *points,
                                        sherd_element_index i, sherd_element_index j);

// How two elements touched last.
typedef enum sherd_touch {
    SHERD_TOUCH_NONE = 0,
    SHERD_TOUCH_ROUND = 1,
    SHERD_TOUCH_FACES = 2,
} sherd_touch;

// Whether they touch by their faces now. Those that are deep behind each other's faces and don't touch yet have come
// around the crack's edge, and touch as spheres until they part.
bool sherd_crack_takes(const sherd_crack_contact *contact, double smaller_radius,
                       sherd_touch before);
// Whether what they overlap by their faces is at rest: they came to be so otherwise than by sliding or closing.
bool sherd_crack_rests(const sherd_crack_contact *contact, double smaller_radius, double closed,
                       sherd_touch before);
