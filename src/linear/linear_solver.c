#include "linear/linear_solver.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "linear/jacobi.h"
#include "linear/multigrid/multigrid.h"

struct sherd_linear_solver {
    const sherd_linear_backend *backend;
    void *self;
    bool prepared;
};

static const sherd_linear_backend *const BACKENDS[] = {
    [SHERD_LINEAR_MULTIGRID] = &sherd_linear_multigrid,
    [SHERD_LINEAR_JACOBI] = &sherd_linear_jacobi,
};

sherd_linear_solver *sherd_linear_solver_create(sherd_linear_method method, sherd_error *error)
{
    if ((size_t)method >= sizeof BACKENDS / sizeof BACKENDS[0]) {
        sherd_fail(error, SHERD_ERROR_INPUT, "linear solver", NULL, "there is no method number %d",
                   (int)method);
        return NULL;
    }
    sherd_linear_solver *solver = sherd_alloc(1, sizeof *solver);
    if (solver == NULL) {
        sherd_fail_memory(error, "linear solver");
        return NULL;
    }
    solver->backend = BACKENDS[method];
    solver->self = solver->backend->create(error);
    if (solver->self != NULL) return solver;
    sherd_free(solver);
    return NULL;
}

void sherd_linear_solver_destroy(sherd_linear_solver *solver)
{
    if (solver == NULL) return;
    solver->backend->destroy(solver->self);
    sherd_free(solver);
}

sherd_status sherd_linear_solver_prepare(sherd_linear_solver *solver,
                                         const sherd_linear_system *system, sherd_error *error)
{
    sherd_status status = solver->backend->prepare(solver->self, system, error);
    solver->prepared = status == SHERD_OK;
    return status;
}

sherd_status sherd_linear_solver_solve(sherd_linear_solver *solver, const double *b, double *x,
                                       const sherd_linear_goal *goal, sherd_linear_report *report,
                                       sherd_error *error)
{
    SHERD_ASSERT(b != NULL && x != NULL && b != x && goal != NULL && report != NULL,
                 "load and solution are different vectors");
    if (!solver->prepared)
        return sherd_fail(error, SHERD_ERROR_INPUT, "linear solver", "prepare it first",
                          "there is no system to solve");
    return solver->backend->solve(solver->self, b, x, goal, report, error);
}

void sherd_linear_solver_save(const sherd_linear_solver *solver, sherd_byte_buffer *out)
{
    if (solver->backend->save == NULL) return;
    size_t begun = sherd_record_begin(out, solver->backend->name);
    solver->backend->save(solver->self, out);
    sherd_record_end(out, begun);
}

sherd_status sherd_linear_solver_restore(sherd_linear_solver *solver, sherd_record_reader *in,
                                         sherd_error *error)
{
    solver->prepared = false;
    if (solver->backend->restore == NULL) return SHERD_OK;
    sherd_record_reader part = sherd_record_enter(in, solver->backend->name);
    if (part.status == SHERD_OK) part.status = solver->backend->restore(solver->self, &part, error);
    return sherd_record_leave(&part);
}

size_t sherd_linear_solver_bytes(const sherd_linear_solver *solver)
{
    return sizeof *solver + solver->backend->bytes(solver->self);
}
