// Debris below the element: crumbs in place of loose elements.
//
// Elements that came off alone, and the elements of fragments of a few, are as large as one
// another, which no debris is. Pictures and animations show 1 to 20 angular crumbs instead of each,
// with the sizes of a power law (debris_sizes.h). The simulation does not depend on them. They
// follow from the frames of a run file, the scene's seed and the elements' numbers, so that they are
// the same in every picture and export, for every number of threads, and after a run was resumed.
//
// An element is replaced when its fragment has left: from then on its crumbs are shown, before it
// the element in its body. The crumbs have its mass, its centre of mass and, together, its momentum
// and angular momentum: crumb k lies at
//
//     x_k = x + (1 + e) Q o_k,        sum m_k o_k = 0,
//
// x the element's centre, Q a rotation, o_k how crumbs are packed, e how far they have drifted apart
// on the way s of the element, e = E (1 - exp(-s / S)). Drifting is radial, so it has neither momentum
// nor angular momentum; nor has the tumbling of crumbs while they drift, by the rotation vectors
// e t_k, sum m_k r_k^2 t_k = 0. Q turns with the angular velocity Omega that has the angular momentum of
// the element, J Omega = 2/5 m r^2 omega, J the inertia of the crumbs as balls of their volumes: the
// farther they are apart, the slower they turn. Where the element has reached a floor they fall
// from where they are around it, with the speed that it had before, onto their flat sides, and no
// longer turn.
#pragma once

#include "output/debris/debris_shapes.h"
#include "output/debris/debris_sizes.h"

#include <sherd/run_file.h>
#include <sherd/scene.h>

// At most so many crumbs of a run; elements that are replaced late are cut into fewer.
enum { DEBRIS_MOST_OF_RUN = 400000 };

// A crumb at rest in its element, in the rest frame of the body.
typedef struct debris_crumb {
    sherd_vec3 offset;   // o_k [m]
    sherd_quat rotation; // of the shape
    sherd_vec3 tumble;   // t_k [rad]
    double radius;       // of the ball of its volume: the scale of its shape [m]
    uint8_t shape;       // below DEBRIS_SHAPES
    bool outer;          // the shape's outer faces are part of the body's surface
} debris_crumb;

// An element that is replaced.
typedef struct debris_element {
    sherd_element_index element;
    int body;
    int64_t first;       // of its crumbs
    int count;           // of its crumbs
    int64_t frame;       // the first one that shows crumbs
    double radius;       // R, of the ball of its volume [m]
    sherd_quat turn;     // Q
    sherd_vec3 spin;     // Omega [rad/s]
    double way;          // s [m]
    int plane;           // the floor that it has reached; -1: none yet
    double rested;       // time above it [s]
    sherd_vec3 velocity; // in the last frame before that [m/s]
} debris_element;

typedef struct sherd_debris sherd_debris;

// Returns NULL without an error if the scene wants no crumbs, has no body that makes any, or is
// NULL. Scene and model must outlive it.
sherd_debris *sherd_debris_create(const sherd_scene *scene, const sherd_run_model *model,
                                  sherd_error *error);
void sherd_debris_destroy(sherd_debris *debris); // NULL is fine

// Moves on to a frame. Frames must ascend; a frame that was already processed is ignored. `debris`
// may be NULL.
sherd_status sherd_debris_take(sherd_debris *debris, const sherd_run_frame *frame,
                               sherd_error *error);
// Processes all frames of a run before `frame`. Damaged frames are passed over.
sherd_status sherd_debris_catch_up(sherd_debris *debris, sherd_run *run, int64_t frame,
                                   sherd_error *error);

// Whether the element is drawn as crumbs; false without debris.
bool sherd_debris_replaces(const sherd_debris *debris, sherd_element_index element);
// Returns the element as it is replaced; NULL: it is not.
const debris_element *sherd_debris_find(const sherd_debris *debris, sherd_element_index element);

// The elements replaced so far, in the order in which they were, and by elements' numbers within a
// frame. Valid until the next frame is taken.
const debris_element *sherd_debris_elements(const sherd_debris *debris, int64_t *count);
const debris_crumb *sherd_debris_crumbs(const sherd_debris *debris, const debris_element *element);
const debris_shape *sherd_debris_shape(const sherd_debris *debris, int body, int shape);
// Crumbs with smaller radii are dust [m].
double sherd_debris_smallest(const sherd_debris *debris, int body);
// Crumbs that the limit of a run left out: those elements are cut into fewer.
int64_t sherd_debris_left_out(const sherd_debris *debris);

typedef struct debris_pose {
    sherd_pose pose;
    sherd_vec3 velocity; // [m/s]
} debris_pose;

// Poses of the crumbs of an element in the frame that was taken last.
void sherd_debris_poses(const sherd_debris *debris, const debris_element *element,
                        const sherd_run_frame *frame, debris_pose poses[DEBRIS_MOST_CRUMBS]);
