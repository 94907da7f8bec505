// The surface of bodies of bonded elements, as forces on it see it: which area each element has in
// the open, found from the bonds that it has and lacks.
//
// Bonds of element i with sections S and unit directions d (undeformed, intact) leave open
//
//   a = - c sum S d                      the outward area vector of a surface of a solid
//   T = c sum S l/2 d d' / V             1 inside, 0 along directions in which nothing is bonded
//
// In a lattice a vanishes inside, its sum over a body is 0, so that a pressure all around does not
// push the body, and both faces of a crack have opposite areas. c makes areas exact as a whole: with
// x positions and l lengths,
//
//   sum over elements of a x = c sum over bonds of S l = 3 volume between outer elements
//
// Rays along the axes find both this volume and which elements are outer ones.
#pragma once

#include "models/bonded/storage/adjacency.h"
#include "points/face.h"

typedef struct sherd_face_source {
    const sherd_elements *elements;
    const sherd_bonds *bonds;
    const sherd_adjacency *adjacency;
} sherd_face_source;

// c of a body: the elements [first, end). 0 without bonds. `outer` (end - first) gets 1 for elements
// that are the first or the last on a ray.
sherd_status sherd_face_scale(const sherd_face_source *source, sherd_element_index first,
                              sherd_element_index end, uint8_t *outer, double *scale,
                              sherd_error *error);

// The open face of an element of a body with this c. Elements that are not `outer` have none before
// they lose bonds.
sherd_face sherd_exposed_face(const sherd_face_source *source, sherd_element_index k, bool outer,
                              double scale);
