// What touches in a step, or may do so by its end.
#pragma once

#include "models/mpm/mpm_weigh.h"
#include "models/mpm/touch/mpm_touch.h"

typedef struct sherd_mpm_touch_side {
    size_t place, page; // of a point: that of the sample, or that of the partner's face
    double to[3];       // from it to where both touch [m]
    double depth;       // half of what lies behind the face, at most a spacing [m]
} sherd_mpm_touch_side;

typedef struct sherd_mpm_touch {
    uint64_t sample;
    uint32_t partner;
    int32_t
        guest; // that is the partner, or whose ball the sample is; -1: both are points, or it is a wall
    int32_t wall;                 // that is the partner, or whose edge the sample is; -1: none
    int32_t face;                 // as springs have it
    sherd_mpm_touch_side side[2]; // of points
    double at[3], normal[3];      // the sample [m]; of the partner's face, outwards
    double gap;                   // [m]
    double stiffness;             // [N/m]
    double friction;
    double overlap; // of the spring; with a guest below 0 while they are apart [m]
    double slip[3]; // [m]
    double energy;  // of the spring [J]
    // Of the step: contact, friction, work by a wall or a guest [J]; force on the sample's body [N].
    double lost[3], force[3];
    // With a guest: velocities of the points where they are pressed and where they touch, as the step begins [m/s].
    double inside[3], along[3];
    double elapsed; // of the step, when the spring was pulled last [s]
    double way[3],
        impulse
            [3]; // of a guest so far, where it touches [m]; of its spring on the sample's body [N s]
} sherd_mpm_touch;

// By sample and partner. False: memory is short.
bool sherd_mpm_touches_find(sherd_mpm_touches *touches, const sherd_mpm_touch_def *def);

// ---------------------------------------------------------------- for finding alone

typedef struct sherd_mpm_touch_chunk {
    sherd_mpm_touch *list;
    size_t count, room;
    bool failed;
} sherd_mpm_touch_chunk;

typedef struct sherd_mpm_touch_search {
    sherd_mpm_touches *touches;
    const sherd_mpm_touch_def *def;
    sherd_mpm_touch_chunk *chunks, *balls, *wall_edges, *guest_edges;
    double reach; // of gaps that may close in the step [m]
} sherd_mpm_touch_search;

// A sample, for all that it meets.
typedef struct sherd_mpm_touch_sample {
    const sherd_mpm_cube *cube;
    sherd_mpm_sample sample;
    uint64_t number;
    size_t near;
    uint32_t body;
} sherd_mpm_touch_sample;

// NULL: there is none.
const sherd_mpm_spring *sherd_mpm_touch_spring(const sherd_mpm_touches *touches, uint64_t sample,
                                               uint32_t partner);
// NULL, and chunk->failed: memory is short.
sherd_mpm_touch *sherd_mpm_touch_add(sherd_mpm_touch_chunk *chunk);
sherd_mpm_touch *sherd_mpm_touch_begin(const sherd_mpm_touch_search *search,
                                       const sherd_mpm_touch_sample *sample, uint32_t partner,
                                       const sherd_mpm_met_face *face,
                                       sherd_mpm_touch_chunk *chunk);
void sherd_mpm_touch_set_side(const sherd_mpm_touch_search *search, size_t near, const double at[3],
                              double depth, sherd_mpm_touch_side *side);
// The spring (NULL: none) goes on along the face as it is now, unless that is another one. It stays as stiff as it began: if
// it went with areas and depths as they change, it would give what nobody has given it.
void sherd_mpm_touch_take_over(const sherd_mpm_spring *spring, sherd_mpm_touch *touch);
// Lists also have sites that are, more or fewer of them as they were made now or earlier.
bool sherd_mpm_touch_are_apart(const sherd_mpm_cube *a, const sherd_mpm_cube *b, double reach);
double sherd_mpm_touch_modulus(const sherd_solid *solid); // under uniaxial stress [Pa]
double sherd_mpm_touch_friction(const sherd_solid *a, const sherd_solid *b);

// Whether drivers hold a point of a list of near sites along a normal.
bool sherd_mpm_touch_is_held(const sherd_mpm_touch_search *search, size_t near,
                             const double normal[3]);

// A place on an edge, by its place in the list of near ones, with faces (mpm_touch_edge.c).
void sherd_mpm_touch_meet_edge(const sherd_mpm_touch_search *search, size_t edge,
                               sherd_mpm_touch_chunk *chunk);

// With guests (mpm_touch_guest.c): a sample, and a guest's ball with faces.
void sherd_mpm_touch_meet_guest(const sherd_mpm_touch_search *search,
                                const sherd_mpm_touch_sample *sample, uint32_t guest,
                                sherd_mpm_touch_chunk *chunk);
void sherd_mpm_touch_meet_ball(const sherd_mpm_touch_search *search, size_t guest,
                               sherd_mpm_touch_chunk *chunk);
// Of a touch that has its gap: friction, stiffness over an area and what the spring (NULL: none) brings.
void sherd_mpm_touch_set_guest(const sherd_mpm_touch_search *search, size_t guest, uint32_t body,
                               double area, const sherd_mpm_spring *spring, double depth,
                               sherd_mpm_touch *touch);
