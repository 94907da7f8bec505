#include "models/mpm/mpm_accounts.h"

#include <math.h>

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
