// Conserves momentum and angular momentum of fragments over implicit steps.
//
// A step moves elements on straight lines that bonds bend into circles: a free fragment that
// rotates by an angle a in a step would lose a fraction a^2 / 2 of its spin (Euler; a^4 / 2 and
// more with BDF2). And a minimum found to a tolerance conserves momentum only to that tolerance.
// But loads of bonds have neither force nor torque on their fragment, so its new momentum P and
// angular momentum L about its centre are known,
//   gamma (P - P_v) = sum F + m a,     gamma (L - L_v) = sum r x (F + m a) + T,
// P_v, L_v are weighted from states n and n - 1 like velocities in the scheme, a are external
// accelerations. A rigid motion that corrects both is added to the fragment's velocities. Its
// centre moves with it, by at most a thousandth of a radius, and only by the fraction c m (c m +
// K)^-1 of it if contacts of stiffness K resist (with several elements, in any direction). The
// centrifugal part of stresses is unchanged. Fragments with held elements are not changed.
#pragma once

#include "contact/implicit/contact_trial.h"
#include "models/bonded/storage/bonds.h"
#include "stepping/implicit/scheme.h"

// Consecutive members whose sums are computed in one loop.
typedef struct sherd_momentum_segment {
    sherd_element_index begin, end; // of `member`
    int32_t fragment;
    int32_t first; // the fragment's first segment
} sherd_momentum_segment;

typedef struct sherd_momentum_projection {
    sherd_element_index count;   // n
    int32_t fragment_count;      // with more than one element and no held one
    sherd_element_index *member; // sorted by fragment, then single elements; owned (n)
    sherd_element_index single_begin, single_end; // of `member`
    int32_t segment_count;
    sherd_momentum_segment *segments; // owned
    double *sums;                     // by segment; owned
    uint64_t topology;
    bool made;
} sherd_momentum_projection;

void sherd_momentum_projection_free(sherd_momentum_projection *projection);

// Finds the fragments connected by intact bonds, unless `topology` is unchanged.
sherd_status sherd_momentum_projection_update(sherd_momentum_projection *projection,
                                              const sherd_elements *elements,
                                              const sherd_bonds *bonds, uint64_t topology,
                                              sherd_error *error);

// The states and loads from which a step was made.
typedef struct sherd_projected_step {
    const sherd_scheme_weights *weights;
    const sherd_node_state *now, *old; // states n, n - 1
    sherd_vec3 gravity;
    double *const *external; // additional accelerations, three arrays (n), or NULL
    bool loads_of_now;       // loads belong to the poses of state n: a step backwards in time
    const sherd_contact_stiffness *pressed; // NULL: nothing touches
} sherd_projected_step;

// After the step: elements have its poses, velocities and loads.
void sherd_momentum_project(const sherd_momentum_projection *projection, sherd_elements *elements,
                            const sherd_projected_step *step, const sherd_parallel *parallel);
