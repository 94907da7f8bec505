// The minimisers that [IBDEM25] compares, on the same energy: one body, one implicit Euler step at a time,
// in double precision. Made to be read and compared, not to simulate with: no contacts, no breakage, no
// bond damping. docs/notebook/optimizers.md has the results.
//
//     sherd_optimizer_def def = sherd_optimizer_def_default();
//     def.count = n, def.x = x, ...
//     sherd_optimizer *optimizer = sherd_optimizer_create(&def, &error);
//     sherd_optimizer_set_velocity(optimizer, k, v, w);            // of moving elements
//     double dt = 100.0 * sherd_optimizer_period(optimizer);
//     sherd_optimizer_report report;
//     sherd_optimizer_solve(optimizer, SHERD_OPTIMIZER_MANIFOLD_NEWTON, dt, &report, &error);
//     ... report.history ...
//     sherd_optimizer_advance(optimizer);                          // on to the next step
#pragma once

#include <sherd/material.h>

#include <stdbool.h>
#include <stddef.h>

typedef enum sherd_optimizer_method {
    // Newton in the six-dimensional tangent space of every element, steps along geodesics ([IBDEM25]
    // Algorithm 2): the full Hessian; where it is indefinite, Gauss-Newton's in its place.
    SHERD_OPTIMIZER_MANIFOLD_NEWTON = 0,
    SHERD_OPTIMIZER_MANIFOLD_PROJECTED, // every bond's part projected to semi-definite (Algorithm 3)
    SHERD_OPTIMIZER_MANIFOLD_GAUSS_NEWTON, // always J' K J
    // Steepest descent in the metric of masses, steps along geodesics (Algorithm 1).
    SHERD_OPTIMIZER_MANIFOLD_DESCENT,
    // Newton in four components a quaternion: Hessians projected with 1 - q q' (23)-(27) but without the
    // nullspace operator; steps along straight lines, then normalised.
    SHERD_OPTIMIZER_QUATERNION_NEWTON,
    SHERD_OPTIMIZER_PENALTY,         // 1/2 kappa C^2 added (36), kappa growing tenfold
    SHERD_OPTIMIZER_MULTIPLIERS,     // Newton on the conditions of (37), eight unknowns an element
    SHERD_OPTIMIZER_AUGMENTED,       // augmented Lagrangian (38)
    SHERD_OPTIMIZER_ROTATION_VECTOR, // total rotation vectors as unknowns, Gauss-Newton on the energy
    // The same unknowns, Gauss-Newton on the equations of motion: ADD as [IBDEM25] 6.1 tells it.
    SHERD_OPTIMIZER_EQUATIONS,
    // Those before this one minimise (6) and find the same state.
    SHERD_OPTIMIZER_SAME_STEP_COUNT,
    // (36) with the definition's kappa, which does not grow: ends at the minimum that this has, off the sphere.
    SHERD_OPTIMIZER_PENALTY_FIXED = SHERD_OPTIMIZER_SAME_STEP_COUNT,
    // Lagrange's equations in positions and total rotation vectors by backward differences: ADD with its
    // own integration, which is another one than (6).
    SHERD_OPTIMIZER_ADD,
    SHERD_OPTIMIZER_METHOD_COUNT,
} sherd_optimizer_method;

// "manifold Newton", for tables. NULL when there is no such method.
SHERD_API const char *sherd_optimizer_method_name(sherd_optimizer_method method);

// The freedoms of an element that follow its velocity, whatever its loads.
enum { SHERD_HOLD_X = 1, SHERD_HOLD_Y = 2, SHERD_HOLD_Z = 4, SHERD_HOLD_ROTATION = 8 };

typedef struct sherd_optimizer_def {
    uint32_t cookie; // set by sherd_optimizer_def_default; anything else is refused
    // Elements at rest, copied.
    int32_t count;               // n, 1 to 1 million
    const double *x, *y, *z;     // [m] (n)
    const double *radius;        // [m] (n), > 0
    const uint8_t *held;         // SHERD_HOLD_... (n); NULL: all are free
    sherd_material_def material; // quaternion law only; neither strengths nor damping count
    double bond_reach;      // largest gap bonded, as a share of the smaller radius, default 0.15
    sherd_vec3 gravity;     // [m/s^2], default 0
    double floor_height;    // solid below z = this [m]; -INFINITY (default): no floor
    double floor_stiffness; // of one element [N/m]; 0 (default): E r of the largest ([IBDEM25] 5.4)
    // Stop when the unbalanced force, as root mean square over free elements (torques count over the
    // radius), is below this share of E S, a bond's force at a strain of 1. In (0, 1), default 1e-9.
    double tolerance;
    double penalty;     // kappa of PENALTY_FIXED, in bend stiffnesses of a bond, > 0, default 1e4
    int max_iterations; // [1, 1e6], default 200; descent may take a hundred times as many
    double max_seconds; // > 0, default 60
    int threads;        // 0 = all (default). Results do not depend on it
} sherd_optimizer_def;

SHERD_API sherd_optimizer_def sherd_optimizer_def_default(void);

typedef struct sherd_optimizer sherd_optimizer;

// NULL with SHERD_ERROR_INPUT or SHERD_ERROR_MEMORY.
SHERD_API sherd_optimizer *sherd_optimizer_create(const sherd_optimizer_def *def,
                                                  sherd_error *error);
SHERD_API void sherd_optimizer_destroy(sherd_optimizer *optimizer); // NULL is fine

SHERD_API int64_t sherd_optimizer_bond_count(const sherd_optimizer *optimizer);

// T = 2 / sqrt(16 kn / m) of the mean stiffness and mass [s].                          [IBDEM25] (30)
SHERD_API double sherd_optimizer_period(const sherd_optimizer *optimizer);

// State of one element: v [m/s], w [rad/s] in world axes. Elements out of range are ignored.
SHERD_API void sherd_optimizer_set_velocity(sherd_optimizer *optimizer, int32_t element,
                                            sherd_vec3 v, sherd_vec3 w);
SHERD_API void sherd_optimizer_velocity(const sherd_optimizer *optimizer, int32_t element,
                                        sherd_vec3 *v, sherd_vec3 *w);
SHERD_API void sherd_optimizer_set_pose(sherd_optimizer *optimizer, int32_t element,
                                        sherd_pose pose);
SHERD_API sherd_pose sherd_optimizer_pose(const sherd_optimizer *optimizer, int32_t element);

// The result of the last solve, on the sphere.
SHERD_API sherd_pose sherd_optimizer_solution(const sherd_optimizer *optimizer, int32_t element);

typedef struct sherd_optimizer_iteration {
    double seconds;   // since the start
    double energy;    // what is minimised, at the state with quaternions normalised [J]
    double residual;  // what the method wants to vanish, as `tolerance` counts it
    double violation; // largest | |q| - 1 | before normalising
    double step;      // share of the direction taken to get here; 0 at the start
} sherd_optimizer_iteration;

typedef struct sherd_optimizer_report {
    sherd_optimizer_method method;
    bool converged;
    int iterations;  // history has one more entry
    int evaluations; // of the energy or another merit function of the line search
    double seconds;
    double unbalanced; // force of (6) at the result, as `tolerance` counts it
    const sherd_optimizer_iteration *history; // valid until the next solve
    const char *ended;                        // why, when it did not converge: "took too long"
} sherd_optimizer_report;

// Solves one step of `time_step` [s] from the present state, which stays as it is. Not to converge is
// no error: the report says so. SHERD_ERROR_INPUT for arguments out of range, SHERD_ERROR_MEMORY,
// SHERD_ERROR_UNSUPPORTED when the method's direct solver is too expensive for so many elements.
SHERD_API sherd_status sherd_optimizer_solve(sherd_optimizer *optimizer,
                                             sherd_optimizer_method method, double time_step,
                                             sherd_optimizer_report *report, sherd_error *error);

// Takes the last solution over as the state; velocities are (x_n+1 - x_n) / dt, spins along geodesics (ADD: from
// (theta_n+1 - theta_n) / dt).
SHERD_API void sherd_optimizer_advance(sherd_optimizer *optimizer);
