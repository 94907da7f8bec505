// How a world gets from one time to the next: the stepping methods there are.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>
#include <stdint.h>

// Enumerator, word in scenes, and what it does. To add one: a row here and a file that defines
// sherd_stepper_<word> (src/stepping/stepper.h); its number is its place.
#define SHERD_METHODS(ROW)                                                                         \
    ROW(EXPLICIT, explicit, "velocity Verlet below the stability limit")                           \
    ROW(IMPLICIT, implicit, "minimises an energy per step; steps of any length")                   \
    ROW(AUTO, auto, "implicit in quiet phases, explicit before and while anything breaks")

#define SHERD_METHOD_ENUMERATOR(NAME, word, doc) SHERD_METHOD_##NAME,
typedef enum sherd_method {
    SHERD_METHODS(SHERD_METHOD_ENUMERATOR) SHERD_METHOD_COUNT // how many there are
} sherd_method;

// Properties of a method that are known before a world is made.
typedef struct sherd_method_info {
    const char *word;    // in scenes; NULL: there is no such method
    const char *doc;     // what it does, for people
    bool explicit_steps; // may make steps below the stability limit T
    bool implicit_steps; // may make longer ones
    // All steps of a run have one length that is fixed before the first, and may be counted:
    // sherd_world_step. Others advance by time alone.
    bool even_steps;
} sherd_method_info;

SHERD_API sherd_method_info sherd_method_describe(sherd_method method);

// Whether it chooses between explicit and implicit steps while running.
static inline bool sherd_method_switches(const sherd_method_info *info)
{
    return info->explicit_steps && info->implicit_steps;
}

// Of the arithmetic of bonds. Positions, orientations and velocities are double always, and loads are
// summed in double.
typedef enum sherd_precision {
    SHERD_PRECISION_MIXED = 0, // single: strains to about 1e-7 of the rotations within a fragment
    SHERD_PRECISION_DOUBLE,    // about a third slower
} sherd_precision;

// Of implicit steps. Mid-point, left-point and linearised ones are for comparison with the papers. The first two are
// without contact: they are refused unless contacts are off. BDF2 is refused beside free rigid bodies, which advance by
// Euler's formula. Linearised steps are refused beside these, with contact barriers, by the auto method and without a
// given length.
typedef enum sherd_scheme {
    SHERD_SCHEME_AUTO = 0,   // the library's choice
    SHERD_SCHEME_EULER,      // implicit Euler on the geodesic     [IBDEM25] (5), (6)
    SHERD_SCHEME_MIDPOINT,   // as printed, first order in rotation [IBDEM25] (2), (3)
    SHERD_SCHEME_BDF2,       // second order, L-stable
    SHERD_SCHEME_LEFT_POINT, //                                     [VBDEM] (24)
    // Euler's step linearised about uniform motion: one Gauss-Newton iteration    [RBDEM] Algorithm 1
    SHERD_SCHEME_LINEAR_EULER,
} sherd_scheme;

// Counts of the solver since the start. Zero for steps that the method does not make.
typedef struct sherd_solver_counts {
    int64_t explicit_steps, implicit_steps; // together sherd_world_step_count
    int64_t newton_iterations, linear_iterations;
    int64_t rejected_steps; // repeated with a shorter step, or explicitly
    int64_t switches;       // from one method to the other
    int64_t divisions;      // of the world into regions; their steps count each by itself
    // Implicit steps whose friction did not converge: it is capped by normal forces that are found anew up to
    // twelve times, and these still changed by more than 2 % of the largest.
    int64_t unsettled_steps;
} sherd_solver_counts;

// Explicit steps, and implicit ones of a given length, that were made in parts because surfaces met fast in them
// (docs/theory/explicit.md). All other counts are of whole steps.
typedef struct sherd_split_steps {
    int64_t steps, parts; // that were split, and into how many altogether
    int64_t finest;       // the shortest part was this fraction of a step
    // Largest overlap of fast contacts, in radii of the smaller element (of obstacles: in their thicknesses, half of a
    // plate's). Above 1 the springs are too soft to stop the motion, however short steps are, with any method.
    double deepest;
} sherd_split_steps;
