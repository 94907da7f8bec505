// Time stepping: the methods that advance a world, and what they report.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>
#include <stdint.h>

// Enumerator, word in scenes, and what it does. To add one: a row here and a file that defines
// sherd_stepper_<word> (src/stepping/stepper.h); its position in the list is its number.
#define SHERD_METHODS(ROW)                                                                         \
    ROW(EXPLICIT, explicit, "velocity Verlet, steps below the stability limit")                    \
    ROW(IMPLICIT, implicit, "minimises an energy per step; steps of any length")                   \
    ROW(AUTO, auto, "implicit in quiet phases, explicit before and during fracture")

#define SHERD_METHOD_ENUMERATOR(NAME, word, doc) SHERD_METHOD_##NAME,
// A stepping method.
typedef enum sherd_method {
    SHERD_METHODS(SHERD_METHOD_ENUMERATOR) SHERD_METHOD_COUNT // number of methods
} sherd_method;

// Properties of a method that do not depend on the world.
typedef struct sherd_method_info {
    const char *word;    // name in scenes; NULL if there is no such method
    const char *doc;     // one line for people
    bool explicit_steps; // true if it takes steps below the stability limit T
    bool implicit_steps; // true if it takes longer steps
    // True if all steps have one length, fixed before the first, so that steps can be counted
    // (sherd_world_step). Other methods advance by time alone.
    bool even_steps;
} sherd_method_info;

// Returns the properties of a method; zero-filled if there is no such method.
SHERD_API sherd_method_info sherd_method_describe(sherd_method method);

// Returns true if the method chooses between explicit and implicit steps during a run.
static inline bool sherd_method_switches(const sherd_method_info *info)
{
    return info->explicit_steps && info->implicit_steps;
}

// Precision of the arithmetic of bonds. Positions, orientations and velocities always have double
// precision, and loads are summed in double precision.
typedef enum sherd_precision {
    SHERD_PRECISION_MIXED = 0, // single: strains within about 1e-7 of the rotations in a fragment
    SHERD_PRECISION_DOUBLE,    // double: about a third slower
} sherd_precision;

// Time integration of implicit steps. MIDPOINT, LEFT_POINT and LINEAR_EULER exist for comparison
// with the papers. The first two are rejected with free rigid bodies in contact, and with barriers added to
// springs. LINEAR_EULER is rejected with the auto method, or without a given step length, which it never splits.
typedef enum sherd_scheme {
    SHERD_SCHEME_AUTO = 0,   // the library's choice
    SHERD_SCHEME_EULER,      // implicit Euler on the geodesic     [IBDEM25] (5), (6)
    SHERD_SCHEME_MIDPOINT,   // as printed, first order in rotation [IBDEM25] (2), (3)
    SHERD_SCHEME_BDF2,       // second order, L-stable
    SHERD_SCHEME_LEFT_POINT, // left-point                         [VBDEM] (24)
    // Euler's step linearised about uniform motion: one Gauss-Newton iteration    [RBDEM] Algorithm 1
    SHERD_SCHEME_LINEAR_EULER,
} sherd_scheme;

// Enumerator, word in scenes, and what it does. Rows but the first are [IBDEM25]'s, for comparison
// (docs/papers/ibdem25.md); a row of src/stepping/implicit/manifold.c each.
#define SHERD_STEP_OPTIMIZERS(ROW)                                                                 \
    ROW(NEWTON, newton, "Gauss-Newton with error control")                                         \
    ROW(ALGORITHM_1, algorithm_1, "first-order manifold optimisation")                             \
    ROW(ALGORITHM_2, algorithm_2, "Newton's method on the manifold")                               \
    ROW(ALGORITHM_3, algorithm_3, "the same with every bond's matrix projected")

#define SHERD_STEP_OPTIMIZER_ENUMERATOR(NAME, word, doc) SHERD_STEP_OPTIMIZER_##NAME,
// What minimises the energy of an implicit step. Those of [IBDEM25] are rejected without the implicit
// method, the Euler scheme and a given step length, and with free rigid bodies, contact barriers, bonds
// of another law than the quaternion's, and bonds that soften or yield.
typedef enum sherd_step_optimizer {
    SHERD_STEP_OPTIMIZERS(SHERD_STEP_OPTIMIZER_ENUMERATOR)
        SHERD_STEP_OPTIMIZER_COUNT // number of optimizers
} sherd_step_optimizer;

// Counts of the solver since the start; 0 for kinds of steps that the method does not take.
typedef struct sherd_solver_counts {
    int64_t explicit_steps, implicit_steps;       // their sum is sherd_world_step_count
    int64_t newton_iterations, linear_iterations; // in all implicit steps
    int64_t rejected_steps; // steps repeated with a shorter length, or explicitly
    int64_t switches;       // changes between explicit and implicit steps
    int64_t divisions;      // of the world into regions; the steps of each region count
    // Implicit steps whose friction did not converge: friction is bounded by normal forces that are
    // updated up to twelve times, and these still changed by more than 2 % of the largest. With the
    // algorithms of [IBDEM25]: steps whose iteration reached its bound before its tolerance.
    int64_t unsettled_steps;
    int64_t asleep_steps; // of the explicit ones; every element slept in them, and none was stepped
} sherd_solver_counts;

// Wall time that steps took, by what was computed [s]. Those of regions that are stepped at the same
// time add up. Steps of a few elements are too short to be divided.
typedef struct sherd_step_times {
    double bonds;    // loads of bonds and the motion of elements, by explicit steps
    double contact;  // forces of contacts, by explicit steps
    double search;   // for contacts, by explicit steps
    double points;   // material points
    double implicit; // all of implicit steps
} sherd_step_times;

// Steps that were split because surfaces met fast (docs/theory/explicit.md): explicit steps, and
// implicit ones of a given length. All other counts are of whole steps.
typedef struct sherd_split_steps {
    int64_t steps, parts; // steps split, and the total number of parts
    int64_t finest;       // largest number of parts of one step
    // Largest overlap of fast contacts over the radius of the smaller element (for obstacles, over
    // their thickness, half of it for plates) [-]. Above 1 the springs are too soft to stop the
    // motion with any method and step length.
    double deepest;
} sherd_split_steps;
