// Deformation of a connected component: the motion of its elements relative to a rigid body's.
//
// The rigid motion of a component with held elements is the mean motion of these. That of a free
// component has the component's momentum and angular momentum.
#pragma once

#include "base/parallel.h"
#include "models/bonded/storage/bonds.h"
#include "stepping/system.h"

// Elements sorted by connected component, cut into segments for parallel loops.
//
// Components of fewer than 8 elements are left out: grains and splinters.

typedef struct sherd_component_segment {
    sherd_element_index begin, end; // of `member`
    int32_t component;
    sherd_element_index first; // element of the component
    sherd_element_index size;  // of the component
} sherd_component_segment;

typedef struct sherd_component_list {
    int32_t count;                     // components
    int32_t segment_count;             // in the order of components
    sherd_element_index *member;       // ascending within a component; owned
    sherd_component_segment *segments; // owned
} sherd_component_list;

// Connected by intact bonds, in the order of components' first elements.
sherd_status sherd_component_list_make(sherd_component_list *list, const sherd_bonds *bonds,
                                       sherd_element_index count, sherd_error *error);
void sherd_component_list_free(sherd_component_list *list);
size_t sherd_component_list_bytes(const sherd_component_list *list, sherd_element_index count);

// Sums over elements or bonds of a part of a component.
typedef struct sherd_deforming_sums {
    double mass, energy2;               // m [kg]; m v^2 + I w^2 [J]
    sherd_vec3 moment;                  // m r, r from the component's first element [kg m]
    sherd_vec3 momentum, spin;          // m v [N s]; r x m v + I w [N m s]
    double turning[6];                  // m (r^2 - r r) + I: xx yy zz xy xz yz [kg m^2]
    double held;                        // number of elements with held freedoms
    sherd_vec3 held_at, held_v, held_w; // r, v and w of these
    double free_mass,
        pull2;               // of elements without driver: m [kg], m a^2 + I w'^2 [J/s^2]
    sherd_vec3 force;        // m a [N]
    double stretch2;         // k e'^2, e' strain rates of sampled bonds [J/s^2]
    double stress8;          // sum of 8th powers of their stress rate over the strength [1/s^8]
    double looked_at;        // number of bonds in these sums
    double members, samples; // elements, and the number of those whose bonds were sampled
} sherd_deforming_sums;

// `driven`: elements that drivers move or load (n). `bonds`: sample bonds, too. Loads and
// velocities are those of the present state.
void sherd_deforming_sum(const sherd_system *system, const sherd_component_list *list,
                         const uint8_t *driven, const sherd_component_segment *segment, bool bonds,
                         sherd_deforming_sums *sums);
void sherd_deforming_add(sherd_deforming_sums *sum, const sherd_deforming_sums *part);

// Of a whole component.
typedef struct sherd_deforming {
    double motion2;     // m v^2 + I w^2 relative to the rigid motion [J]
    double pull2;       // m a^2 + I w'^2 without the acceleration of the centre [J/s^2]
    double stretch2;    // k e'^2 over all bonds [J/s^2]
    double tumbling;    // spin of a free body whose rotation axis moves in the body, else 0 [rad/s]
    double stress_rate; // stress rate of the most stressed bonds over their strength [1/s]
} sherd_deforming;

sherd_deforming sherd_deforming_of(const sherd_deforming_sums *sums);
