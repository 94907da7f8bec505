// Solvers of linear systems of implicit steps, behind one interface. They access a model by its
// operator and its graph (linear_operator.h, points/point_graph.h). The reference is the conjugate
// gradient method with Jacobi preconditioner, the default the same with rigid-cluster multigrid.
#pragma once

#include "base/record.h"
#include "linear/linear_system.h"

typedef struct sherd_linear_goal {
    // Stop when the preconditioned residual norm sqrt(r.z), which approximates the error's length
    // in A's norm, has fallen by this factor,
    double tolerance;
    int max_iterations;
    double enough; // or below this value [sqrt(J)]; 0: not used
} sherd_linear_goal;

typedef struct sherd_linear_report {
    int iterations;
    double reduction; // achieved reduction of sqrt(r.z), if known
    // number of coarse-level nodes processed per iteration, relative to the system's nodes
    double coarse;
    bool converged;
    // the normal preconditioner was not positive to rounding, and a simpler one was used
    bool by_node;
} sherd_linear_report;

typedef struct sherd_linear_solver sherd_linear_solver;

typedef struct sherd_linear_backend {
    const char *name;
    void *(*create)(sherd_error *error); // NULL on failure
    // Prepares for the system; called before the first solve and whenever anything in it has
    // changed. Reads which edges are broken only if `topology` has changed.
    sherd_status (*prepare)(void *self, const sherd_linear_system *system, sherd_error *error);
    // Solves A x = b, columns as in linear_system.h. x need not be initialised. Held freedoms
    // become 0. Reaching max_iterations is no error. Results do not depend on the number of
    // threads.
    sherd_status (*solve)(void *self, const double *b, double *x, const sherd_linear_goal *goal,
                          sherd_linear_report *report, sherd_error *error);
    // State that later results depend on besides the prepared systems, in a section of its own;
    // NULL: none.
    void (*save)(const void *self, sherd_byte_buffer *out);
    sherd_status (*restore)(void *self, sherd_record_reader *in, sherd_error *error);
    size_t (*bytes)(const void *self);
    void (*destroy)(void *self);
} sherd_linear_backend;

typedef enum sherd_linear_method {
    SHERD_LINEAR_MULTIGRID = 0, // rigid clusters
    SHERD_LINEAR_JACOBI,        // the reference
} sherd_linear_method;

sherd_linear_solver *sherd_linear_solver_create(sherd_linear_method method, sherd_error *error);
void sherd_linear_solver_destroy(sherd_linear_solver *solver); // NULL is fine
sherd_status sherd_linear_solver_prepare(sherd_linear_solver *solver,
                                         const sherd_linear_system *system, sherd_error *error);
sherd_status sherd_linear_solver_solve(sherd_linear_solver *solver, const double *b, double *x,
                                       const sherd_linear_goal *goal, sherd_linear_report *report,
                                       sherd_error *error);
// For checkpoints: with the same systems, a restored solver continues bit for bit.
void sherd_linear_solver_save(const sherd_linear_solver *solver, sherd_byte_buffer *out);
sherd_status sherd_linear_solver_restore(sherd_linear_solver *solver, sherd_record_reader *in,
                                         sherd_error *error);
size_t sherd_linear_solver_bytes(const sherd_linear_solver *solver);
