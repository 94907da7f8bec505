#include "research/step_energy.h"

#include <math.h>
#include <string.h>

double sherd_ref_moment(const sherd_ref_step *step, sherd_element_index k)
{
    return 0.4 * step->mass[k] * step->radius[k] * step->radius[k];
}

// How deep an element is in the floor, 0 beside it.
static double depth(const sherd_ref_step *step, const double *x, sherd_element_index k)
{
    const sherd_ref_floor *f = &step->floor;
    if (f->stiffness == 0.0) return 0.0;
    double gap =
        f->normal.x * x[0] + f->normal.y * x[1] + f->normal.z * x[2] - f->offset - step->radius[k];
    return fmax(-gap, 0.0);
}

// Of heights above the predicted place: differences of energies stay accurate far from the origin.
static double node_energy(const sherd_ref_step *step, const double *x, sherd_element_index k)
{
    const double gravity[3] = {step->gravity.x, step->gravity.y, step->gravity.z};
    const double *target = step->target + (size_t)k * SHERD_REF_END;
    double m = step->mass[k], moved2 = 0.0, turned2 = 0.0, fallen = 0.0;
    for (int c = 0; c < 3; ++c) {
        double moved = x[c] - target[c];
        moved2 += moved * moved;
        fallen += gravity[c] * moved;
    }
    for (int c = 3; c < SHERD_REF_END; ++c)
        turned2 += (x[c] - target[c]) * (x[c] - target[c]);
    double inside = depth(step, x, k);
    return 0.5 * step->inertia * (m * moved2 + 4.0 * sherd_ref_moment(step, k) * turned2) -
           m * fallen + 0.5 * step->floor.stiffness * inside * inside;
}

typedef struct evaluation {
    const sherd_ref_step *step;
    const double *x;
    double *bond_gradients; // (14 m)
} evaluation;

static double bonds_energy(void *context, size_t begin, size_t end)
{
    const evaluation *v = context;
    double sum = 0.0;
    for (size_t b = begin; b < end; ++b) {
        const sherd_ref_bond *bond = &v->step->bonds[b];
        sum += sherd_ref_bond_energy(bond, v->x + (size_t)bond->i * SHERD_REF_END,
                                     v->x + (size_t)bond->j * SHERD_REF_END);
    }
    return sum;
}

double sherd_ref_step_energy(const sherd_ref_step *step, const double *x)
{
    evaluation v = {step, x, NULL};
    double sum = sherd_parallel_sum(&step->parallel, (size_t)step->bond_count, SHERD_REF_CHUNK,
                                    bonds_energy, &v);
    for (sherd_element_index k = 0; k < step->count; ++k)
        sum += node_energy(step, x + (size_t)k * SHERD_REF_END, k);
    return sum;
}

static void node_gradient(const sherd_ref_step *step, const double *x, sherd_element_index k,
                          double *g)
{
    const double gravity[3] = {step->gravity.x, step->gravity.y, step->gravity.z};
    const double normal[3] = {step->floor.normal.x, step->floor.normal.y, step->floor.normal.z};
    const double *target = step->target + (size_t)k * SHERD_REF_END;
    double push = step->floor.stiffness * depth(step, x, k);
    for (int c = 0; c < 3; ++c)
        g[c] = step->mass[k] * (step->inertia * (x[c] - target[c]) - gravity[c]) - push * normal[c];
    double turning = 4.0 * sherd_ref_moment(step, k) * step->inertia;
    for (int c = 3; c < SHERD_REF_END; ++c)
        g[c] = turning * (x[c] - target[c]);
}

static void bonds_gradient(void *context, size_t begin, size_t end)
{
    const evaluation *v = context;
    for (size_t b = begin; b < end; ++b) {
        const sherd_ref_bond *bond = &v->step->bonds[b];
        sherd_ref_bond_gradient(bond, v->x + (size_t)bond->i * SHERD_REF_END,
                                v->x + (size_t)bond->j * SHERD_REF_END,
                                v->bond_gradients + b * SHERD_REF_PAIR);
    }
}

void sherd_ref_step_gradient(const sherd_ref_step *step, const double *x, double *scratch,
                             double *g)
{
    evaluation v = {step, x, scratch};
    sherd_parallel_for(&step->parallel, (size_t)step->bond_count, SHERD_REF_CHUNK, bonds_gradient,
                       &v);
    for (sherd_element_index k = 0; k < step->count; ++k)
        node_gradient(step, x + (size_t)k * SHERD_REF_END, k, g + (size_t)k * SHERD_REF_END);
    for (int64_t b = 0; b < step->bond_count; ++b) {
        const double *from = scratch + b * SHERD_REF_PAIR;
        double *i = g + (size_t)step->bonds[b].i * SHERD_REF_END;
        double *j = g + (size_t)step->bonds[b].j * SHERD_REF_END;
        for (int c = 0; c < SHERD_REF_END; ++c) {
            i[c] += from[c];
            j[c] += from[SHERD_REF_END + c];
        }
    }
}

void sherd_ref_node_hessian(const sherd_ref_step *step, const double *x, sherd_element_index k,
                            double h[3][3])
{
    const double normal[3] = {step->floor.normal.x, step->floor.normal.y, step->floor.normal.z};
    const double *at = x + (size_t)k * SHERD_REF_END;
    double push = depth(step, at, k) > 0.0 ? step->floor.stiffness : 0.0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            h[r][c] = (r == c ? step->mass[k] * step->inertia : 0.0) + push * normal[r] * normal[c];
}
