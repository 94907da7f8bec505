// Narrow phase of contact between surfaces: finds the contact points of a step, where a sample
// touches a face or may do so before the step ends.
#pragma once

#include "models/mpm/grid/mpm_axes.h"
#include "models/mpm/surface/mpm_penalty_springs.h"

typedef struct sherd_mpm_contact_side {
    size_t place, page; // index and page of the point whose sample or face it is
    double to[3];       // from the point to the contact point [m]
    double depth;       // half of the material behind the face, at most a spacing [m]
} sherd_mpm_contact_side;

typedef struct sherd_mpm_contact_point {
    uint64_t sample;
    uint32_t partner;
    // Index of the coupled body that is the partner, or that the sample's ball belongs to. -1: both
    // sides are points, or one is a wall
    int32_t coupled;
    // number of the wall that is the partner, or whose edge the sample is on; -1: none
    int32_t wall;
    int32_t face;                   // as in sherd_mpm_spring
    sherd_mpm_contact_side side[2]; // sides of points
    // Position of the sample [m]; outward normal of the partner's face
    double at[3], normal[3];
    double gap;       // [m]
    double stiffness; // [N/m]
    double friction;
    double overlap; // of the spring; negative for coupled bodies while there is a gap [m]
    double slip[3]; // [m]
    double energy;  // of the spring [J]
    // In this step: energy taken by contact and by friction, work by a wall or a coupled body [J];
    // force on the sample's body [N].
    double lost[3], force[3];
    // With a coupled body: velocities of the points where the force acts and where the bodies
    // touch, at the beginning of the step [m/s].
    double inside[3], along[3];
    double elapsed; // time within the step of the spring's last update [s]
    // So far in the step: displacement of the coupled body at the contact point [m], and the
    // spring's impulse on the sample's body [N s].
    double displacement[3], impulse[3];
} sherd_mpm_contact_point;

// Finds the contact points of a step, sorted by sample and partner. False: memory is short.
bool sherd_mpm_find_contact_points(sherd_mpm_penalty_contacts *penalty,
                                   const sherd_mpm_penalty_def *def);

// ---------------------------------------------------------------- for finding alone

typedef struct sherd_mpm_contact_chunk {
    sherd_mpm_contact_point *list;
    size_t count, room;
    bool failed;
} sherd_mpm_contact_chunk;

typedef struct sherd_mpm_contact_search {
    sherd_mpm_penalty_contacts *penalty;
    const sherd_mpm_penalty_def *def;
    sherd_mpm_contact_chunk *chunks, *balls, *wall_edges, *coupled_edges;
    double reach; // largest gap that may close in the step [m]
} sherd_mpm_contact_search;

// A sample, for the search of all its partners.
typedef struct sherd_mpm_search_sample {
    const sherd_mpm_cube *cube;
    sherd_mpm_sample sample;
    uint64_t number;
    size_t candidate;
    uint32_t body;
} sherd_mpm_search_sample;

// The spring of a sample and a partner. NULL: none.
const sherd_mpm_spring *sherd_mpm_penalty_spring_of(const sherd_mpm_penalty_contacts *penalty,
                                                    uint64_t sample, uint32_t partner);
// Adds a contact point. NULL, and chunk->failed is set: memory is short.
sherd_mpm_contact_point *sherd_mpm_search_add(sherd_mpm_contact_chunk *chunk);
sherd_mpm_contact_point *sherd_mpm_search_begin_point(const sherd_mpm_contact_search *search,
                                                      const sherd_mpm_search_sample *sample,
                                                      uint32_t partner,
                                                      const sherd_mpm_face_hit *face,
                                                      sherd_mpm_contact_chunk *chunk);
void sherd_mpm_search_set_side(const sherd_mpm_contact_search *search, size_t candidate,
                               const double at[3], double depth, sherd_mpm_contact_side *side);
// Continues a spring (NULL: none) on the present face, unless that is another face. It retains its
// stiffness: with a stiffness that follows areas and depths as they change, it would create energy.
void sherd_mpm_search_continue_spring(const sherd_mpm_spring *spring,
                                      sherd_mpm_contact_point *contact);
// Whether two cubes are too far apart to touch. Lists contain such sites, too, depending on when
// they were made.
bool sherd_mpm_search_are_apart(const sherd_mpm_cube *a, const sherd_mpm_cube *b, double reach);
double sherd_mpm_penalty_modulus(const sherd_solid *solid); // Young's modulus [Pa]
double sherd_mpm_penalty_friction(const sherd_solid *a, const sherd_solid *b);

// Whether drivers prescribe the motion of a candidate's point along a normal.
bool sherd_mpm_search_is_driven(const sherd_mpm_contact_search *search, size_t candidate,
                                const double normal[3]);

// Contact of a sample of an edge, by its index in the list of candidates, with faces
// (mpm_edge_contact.c).
void sherd_mpm_search_edge(const sherd_mpm_contact_search *search, size_t edge,
                           sherd_mpm_contact_chunk *chunk);

// Contact with coupled bodies (mpm_coupled_contact.c): of a sample, and of a coupled body's ball
// with faces.
void sherd_mpm_search_coupled(const sherd_mpm_contact_search *search,
                              const sherd_mpm_search_sample *sample, uint32_t coupled,
                              sherd_mpm_contact_chunk *chunk);
void sherd_mpm_search_ball(const sherd_mpm_contact_search *search, size_t coupled,
                           sherd_mpm_contact_chunk *chunk);
// Sets friction, the stiffness for an area, and the state of the spring (NULL: none) of a contact
// point whose gap is known.
void sherd_mpm_search_set_coupled(const sherd_mpm_contact_search *search, size_t coupled,
                                  uint32_t body, double area, const sherd_mpm_spring *spring,
                                  double depth, sherd_mpm_contact_point *contact);
