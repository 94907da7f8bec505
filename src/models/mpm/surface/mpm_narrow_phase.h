// Narrow phase of contact between surfaces: finds the contact points of a step, where a sample
// touches a face or may do so before the step ends.
#pragma once

#include "models/mpm/grid/mpm_axes.h"
#include "models/mpm/surface/mpm_penalty_springs.h"

typedef struct sherd_mpm_contact_side {
    size_t place, page; // of a point: that of the sample, or that of the partner's face
    double to[3];       // from it to the contact point [m]
    double depth;       // half of what lies behind the face, at most a spacing [m]
} sherd_mpm_contact_side;

typedef struct sherd_mpm_contact_point {
    uint64_t sample;
    uint32_t partner;
    // Index of the coupled body that is the partner, or whose ball the sample is. -1: both sides
    // are points, or one is a wall
    int32_t coupled;
    // number of the wall that is the partner, or whose edge the sample is on; -1: none
    int32_t wall;
    int32_t face;                   // as springs have it
    sherd_mpm_contact_side side[2]; // of points
    double at[3], normal[3];        // the sample [m]; of the partner's face, outwards
    double gap;                     // [m]
    double stiffness;               // [N/m]
    double friction;
    double overlap; // of the spring; with a coupled body below 0 while they are apart [m]
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

// By sample and partner. False: memory is short.
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
    double reach; // of gaps that may close in the step [m]
} sherd_mpm_contact_search;

// A sample, for all that it meets.
typedef struct sherd_mpm_search_sample {
    const sherd_mpm_cube *cube;
    sherd_mpm_sample sample;
    uint64_t number;
    size_t candidate;
    uint32_t body;
} sherd_mpm_search_sample;

// NULL: there is none.
const sherd_mpm_spring *sherd_mpm_penalty_spring_of(const sherd_mpm_penalty_contacts *penalty,
                                                    uint64_t sample, uint32_t partner);
// NULL, and chunk->failed: memory is short.
sherd_mpm_contact_point *sherd_mpm_search_add(sherd_mpm_contact_chunk *chunk);
sherd_mpm_contact_point *sherd_mpm_search_begin_point(const sherd_mpm_contact_search *search,
                                                      const sherd_mpm_search_sample *sample,
                                                      uint32_t partner,
                                                      const sherd_mpm_face_hit *face,
                                                      sherd_mpm_contact_chunk *chunk);
void sherd_mpm_search_set_side(const sherd_mpm_contact_search *search, size_t candidate,
                               const double at[3], double depth, sherd_mpm_contact_side *side);
// The spring (NULL: none) goes on along the face as it is now, unless that is another one. It stays
// as stiff as it began: if it went with areas and depths as they change, it would give what nobody
// has given it.
void sherd_mpm_search_continue_spring(const sherd_mpm_spring *spring,
                                      sherd_mpm_contact_point *contact);
// Lists also have sites that are, more or fewer of them as they were made now or earlier.
bool sherd_mpm_search_are_apart(const sherd_mpm_cube *a, const sherd_mpm_cube *b, double reach);
double sherd_mpm_penalty_modulus(const sherd_solid *solid); // under uniaxial stress [Pa]
double sherd_mpm_penalty_friction(const sherd_solid *a, const sherd_solid *b);

// Whether drivers hold a point of a list of near sites along a normal.
bool sherd_mpm_search_is_driven(const sherd_mpm_contact_search *search, size_t candidate,
                                const double normal[3]);

// A place on an edge, by its place in the list of near ones, with faces (mpm_edge_contact.c).
void sherd_mpm_search_edge(const sherd_mpm_contact_search *search, size_t edge,
                           sherd_mpm_contact_chunk *chunk);

// With coupled bodies (mpm_coupled_contact.c): a sample, and a coupled body's ball with faces.
void sherd_mpm_search_coupled(const sherd_mpm_contact_search *search,
                              const sherd_mpm_search_sample *sample, uint32_t coupled,
                              sherd_mpm_contact_chunk *chunk);
void sherd_mpm_search_ball(const sherd_mpm_contact_search *search, size_t coupled,
                           sherd_mpm_contact_chunk *chunk);
// Of a touch that has its gap: friction, stiffness over an area and what the spring (NULL: none)
// brings.
void sherd_mpm_search_set_coupled(const sherd_mpm_contact_search *search, size_t coupled,
                                  uint32_t body, double area, const sherd_mpm_spring *spring,
                                  double depth, sherd_mpm_contact_point *contact);
