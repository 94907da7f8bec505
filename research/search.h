// The loop that all compared methods share, and what makes them differ: their unknowns, what they
// minimise, and how a direction becomes a state.
//
//     repeat
//         residual of the state with quaternions normalised; stop when small enough
//         linearise   gradient (and matrix) of the merit function over the method's unknowns
//         direction   -A^-1 g (Newton) or -M^-1 g (descent)
//         search      halve alpha until the merit function decreases enough
//         update      multipliers, penalties
#pragma once

#include "base/parallel.h"
#include "research/block_matrix.h"
#include "research/step_energy.h"

#include "research/optimizers.h"

typedef struct sherd_search sherd_search;

typedef struct sherd_search_method {
    const char *name;
    int width;      // unknowns an element
    int pair_width; // of them, those that bonds couple; 0: no matrix, steepest descent
    // The merit function of the line search, at an iterate.
    double (*merit)(const sherd_search *search, const double *x, const double *multiplier);
    // Fills search->gradient, nodes and pairs at the present iterate.
    void (*linearise)(sherd_search *search);
    // Makes the trial: the present iterate moved by alpha times the direction.
    void (*move)(sherd_search *search, double alpha);
    void (*update)(sherd_search *search); // between iterations; may be NULL
    // What is to vanish at the present iterate, as `tolerance` counts it; NULL: the unbalanced loads
    // of (6) on the sphere.
    double (*residual)(sherd_search *search);
    // World spin at the end of the step [rad/s] (3); NULL: that of the geodesic.
    void (*spin)(const sherd_ref_step *step, size_t k, const double *x, double w[3]);
    // Newton only: the matrix.
    enum {
        SHERD_MATRIX_EXACT = 0, // where it is indefinite, Gauss-Newton's in its place
        SHERD_MATRIX_PROJECTED, // exact, with every bond's part projected ([IBDEM25] 5.2)
        SHERD_MATRIX_GAUSS_NEWTON,
        SHERD_MATRIX_INDEFINITE, // exact: a saddle point is sought
    } matrix;
    bool conditions; // the merit function is the square of residuals that Newton makes linear
} sherd_search_method;

extern const sherd_search_method *const sherd_search_methods[SHERD_OPTIMIZER_METHOD_COUNT];

typedef struct sherd_iterate {
    double *x;          // (p, q) (7 n); q may be off the sphere
    double *multiplier; // of |q| = 1 [J] (n), multipliers and augmented Lagrangian only
} sherd_iterate;

struct sherd_search {
    const sherd_ref_step *step;
    const sherd_search_method *method;
    const uint8_t *held;          // SHERD_HOLD_... (n)
    double force, length, moment; // scales: E S [N], bond length [m], bend stiffness [N m]
    sherd_iterate now, trial;
    double *full_gradient;     // dPhi/dx of `now` (7 n), left there by linearise
    double *gradient;          // of the merit function over unknowns (width n); 0 where fixed
    double *direction;         // (width n)
    double *former;            // descent: the gradient before (6 n)
    double *bond_gradients;    // scratch (14 m)
    bool *fixed;               // unknowns that stay put (width n)
    double penalty;            // kappa [J]
    sherd_ref_hessian hessian; // what linearise is to fill the matrix with
    double residual;           // of `now`, by the method's `residual`
    double unbalanced;         // loads of (6), of `now` with quaternions normalised
    double trial_length;       // descent: alpha to begin with [s^2]; 0: none yet
    sherd_block_matrix matrix;
    sherd_envelope *envelope; // NULL: conjugate gradients
};

// Sets the search's fixed unknowns to 0.
void sherd_search_clear_fixed(const sherd_search *search, double *unknowns);

// Root mean square of unbalanced loads in units of `force`, quaternions normalised first. `g` and
// `scratch` have room for 7 n and 14 m numbers.
double sherd_search_residual(const sherd_search *search, const double *x, double *normal, double *g,
                             double *scratch);

// Copies x with quaternions normalised.
void sherd_search_normalise(sherd_element_index count, const double *x, double *normal);

// ---------------------------------------------------------------- one search

typedef struct sherd_search_limits {
    double tolerance, seconds;
    int iterations;
} sherd_search_limits;

typedef struct sherd_search_history {
    sherd_optimizer_iteration *entry; // owned; free with sherd_free
    size_t count, capacity;
    int evaluations;
    bool converged;
    const char *ended; // NULL when converged
} sherd_search_history;

// Allocates the method's memory. Free in any case. `penalty` is kappa in bend stiffnesses of a bond, 0: the
// usual one.
sherd_status sherd_search_begin(sherd_search *search, const sherd_ref_step *step,
                                const sherd_search_method *method, const uint8_t *held,
                                const sherd_element_index *order, double penalty,
                                sherd_error *error);
// From now.x = x^ on. The result is now.x with quaternions normalised, also when it did not converge.
sherd_status sherd_search_run(sherd_search *search, const sherd_search_limits *limits,
                              sherd_search_history *history, sherd_error *error);
void sherd_search_end(sherd_search *search);
