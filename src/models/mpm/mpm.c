#include "models/mpm/mpm.h"

#include "base/error.h"
#include "base/memory.h"
#include "models/mpm/grid/mpm_traversal.h"
#include "models/mpm/transfer/mpm_transfer.h"

#include <math.h>

// Largest displacement of a point per step, predicted from the previous step [h].
static const double MAX_DISPLACEMENT = 0.2;
// Steps are shortened while a coupled body strikes points, because in long steps its surface sinks
// in almost without load (docs/theory/material-points.md): per step it may approach by
// LONGEST_APPROACH, but steps are at least the fraction SHORTEST of their usual length.
static const double LONGEST_APPROACH = 0.01; // [h]
static const double SHORTEST = 0.01;

// ---------------------------------------------------------------- life

sherd_mpm_def sherd_mpm_def_default(void)
{
    return (sherd_mpm_def){.kernel = SHERD_MPM_CUBIC, .flip = 0.95, .fluid_flip = 0.95};
}

void sherd_mpm_init(sherd_mpm *m, const sherd_mpm_def *def, const sherd_solid *solids)
{
    *m = (sherd_mpm){
        .def = *def, .solids = solids, .grid = {.h = def->spacing, .kernel = def->kernel}};
}

void sherd_mpm_release(sherd_mpm *m)
{
    sherd_mpm_points_release(&m->points);
    sherd_mpm_grid_release(&m->grid);
    sherd_mpm_glues_release(&m->glue);
    sherd_mpm_penalty_free(&m->penalty);
    sherd_mpm_rates_release(&m->rates);
    for (int k = 0; k < 3; ++k)
        sherd_free(m->trend[k]);
}

bool sherd_mpm_trends_make(sherd_mpm *m, size_t count)
{
    if (m->trend_count == count) return true;
    for (int k = 0; k < 3; ++k) {
        sherd_free(m->trend[k]);
        m->trend[k] = sherd_alloc(count, sizeof *m->trend[k]);
    }
    bool made = m->trend[0] != NULL && m->trend[1] != NULL && m->trend[2] != NULL;
    m->trend_count = made ? count : 0;
    return made;
}

// ---------------------------------------------------------------- sorting

bool sherd_mpm_must_sort(const sherd_mpm *m)
{
    const double slack = 0.5 * m->def.spacing;
    return !(m->sorted && m->moved <= slack * (1.0 - 2.0 * SHERD_MPM_FARTHEST_STEP));
}

static sherd_status sort_points(sherd_mpm *m, sherd_error *error)
{
    m->grid.walls = &m->walls;
    sherd_status status = sherd_mpm_grid_build(&m->grid, &m->points, error);
    if (status == SHERD_OK &&
        !(sherd_mpm_order_traversal(&m->grid) &&
          sherd_mpm_rates_make(&m->rates, &m->grid, m->solids, m->def.gravity)))
        status = sherd_fail_memory(error, "material points");
    if (status == SHERD_OK) status = sherd_mpm_glues_sort(&m->glue, &m->grid, &m->points, error);
    sherd_mpm_penalty_sort(&m->penalty, &m->points);
    m->sorted = status == SHERD_OK, m->moved = 0.0;
    return status;
}

sherd_status sherd_mpm_sort(sherd_mpm *m, sherd_error *error)
{
    return sherd_mpm_must_sort(m) ? sort_points(m, error) : SHERD_OK;
}

sherd_mpm_transfer sherd_mpm_transfer_of(const sherd_mpm *m, double dt)
{
    sherd_mpm *changing = (sherd_mpm *)(uintptr_t)m;
    return (sherd_mpm_transfer){&changing->points, &changing->grid, m->solids, dt,
                                m->rates.flip,     m->rate_age == 0};
}

// ---------------------------------------------------------------- length of steps

double sherd_mpm_steady_dt(const sherd_mpm *m)
{
    return fmin(sherd_mpm_courant(m->def.kernel) * m->def.spacing / m->accounts.fastest,
                MAX_DISPLACEMENT * m->def.spacing / m->accounts.speed);
}

double sherd_mpm_longest_dt(const sherd_mpm *m)
{
    double steady = sherd_mpm_steady_dt(m),
           approach = LONGEST_APPROACH * m->def.spacing / m->accounts.closing;
    return fmin(steady, fmax(approach, SHORTEST * steady));
}

sherd_status sherd_mpm_fail_point(const sherd_mpm *m, sherd_error *error)
{
    const sherd_mpm_points *p = &m->points;
    size_t worst = 0;
    for (size_t k = 0; k < p->count; ++k) {
        double sum = p->x[0][k] + p->x[1][k] + p->x[2][k] + p->v[0][k] + p->v[1][k] + p->v[2][k];
        for (int n = 0; n < SHERD_MPM_SYMMETRIC; ++n)
            sum += p->b[n][k];
        if (p->number[k] != SHERD_MPM_FILLER &&
            (!isfinite(sum) || fmin(p->b[0][k], fmin(p->b[1][k], p->b[2][k])) <= 0.0))
            worst = k;
    }
    return sherd_fail(error, SHERD_ERROR_UNSTABLE, "material points",
                      "a shorter time step, or a law that flows",
                      "point %d of body %u at (%g, %g, %g) m is no longer finite or turned inside "
                      "out at t = %g s",
                      (int)p->number[worst], (unsigned)p->body[worst], p->x[0][worst],
                      p->x[1][worst], p->x[2][worst], m->time);
}

static double largest_component(const sherd_mpm *m)
{
    double most = 0.0;
    for (size_t k = 0; k < m->points.count; ++k)
        for (int axis = 0; axis < 3; ++axis)
            most = fmax(most, fabs(m->points.v[axis][k]));
    return most;
}

sherd_status sherd_mpm_stable_dt(sherd_mpm *m, double *dt, sherd_error *error)
{
    if (!m->sorted) {
        sherd_status status = sort_points(m, error);
        if (status != SHERD_OK) return status;
    }
    sherd_mpm_transfer transfer = sherd_mpm_transfer_of(m, 0.0);
    m->accounts.fastest = sherd_mpm_scatter_points(&transfer, &m->def.parallel);
    if (!isfinite(m->accounts.fastest)) return sherd_mpm_fail_point(m, error);
    m->accounts.speed = largest_component(m);
    *dt = sherd_mpm_longest_dt(m);
    return SHERD_OK;
}

// ---------------------------------------------------------------- accounts

// Advection. Between two steps points carry velocities along: u becomes u' = u - dt (u . grad) u at
// the same nodes. This is not a loss of transfers, which is K(u) - K(v) + 1/2 sum J . (u' - v). The
// part of stress is sum J . u' = -kick sum V0 tau : L (I + dt L)^-1, with the stress of the next
// step. In a body that rotates with angular velocity w the difference is w^2 dt of its kinetic
// energy in each step.
void sherd_mpm_book_scatter(sherd_mpm_accounts *a, const sherd_mpm_transfer *t,
                            const sherd_parallel *parallel, double last_dt, bool has_unresolved)
{
    if (last_dt > 0.0) {
        double along = sherd_mpm_stress_work(t->grid, parallel, t->solids, has_unresolved);
        a->carried = 0.5 * (sherd_mpm_advected_stress_work(t->grid) - along) / (last_dt * t->dt);
    }
    a->plastic += sherd_mpm_plastic_work(t->grid);
}

void sherd_mpm_book_transfer(sherd_mpm_accounts *a, const sherd_mpm_scattered_energy *now,
                             double last_dt, double kick)
{
    double given = a->given;
    a->given = 0.0;
    a->transfer += a->after + given - now->v.kinetic;
    if (last_dt > 0.0) {
        double carried = a->carried * last_dt * kick;
        a->growth = now->offset + carried - a->last;
        a->transfer += now->offset - now->v.offset + carried;
    } else {
        a->start = now->v.offset;
    }
}

// Negative losses of contact are booked as losses of transfers: when points that are still
// compressed separate, contact returns energy that the transfer then dissipates. The sum of both
// dissipates.
void sherd_mpm_book_node_contact(sherd_mpm_accounts *a, const sherd_mpm_losses *losses)
{
    a->contact += fmax(losses->contact, 0.0);
    a->friction += fmax(losses->friction, 0.0);
    a->transfer += fmin(losses->contact, 0.0) + fmin(losses->friction, 0.0);
    a->closing = fmax(a->closing, losses->closing);
    a->work += losses->work, a->transfer += losses->joining;
}

void sherd_mpm_book_penalty(sherd_mpm_accounts *a, const sherd_mpm_penalty_losses *losses)
{
    a->contact += losses->contact, a->friction += losses->friction;
    a->work += losses->work, a->transfer += losses->transfer;
}

typedef struct job {
    const sherd_mpm_points *points;
    const sherd_solid *solids;
} job;

static double kinetic_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    const sherd_mpm_points *p = j->points;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        sum += 0.5 * j->solids[p->body[k]].density * p->volume[k] *
               (p->v[0][k] * p->v[0][k] + p->v[1][k] * p->v[1][k] + p->v[2][k] * p->v[2][k]);
    return sum;
}

double sherd_mpm_kinetic_energy(const sherd_mpm_points *points, const sherd_solid *solids,
                                const sherd_parallel *parallel)
{
    enum { CHUNK = 4096 };
    job j = {points, solids};
    return sherd_parallel_sum(parallel, points->count, CHUNK, kinetic_range, &j);
}
