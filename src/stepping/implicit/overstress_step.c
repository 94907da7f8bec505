#include "stepping/implicit/overstress_step.h"

#include "base/error.h"
#include "base/memory.h"
#include "laws/breakage/overstress.h"
#include "models/bonded/storage/bond_pass.h"

enum { CHUNK = 512 };

typedef struct job {
    const sherd_overstress_step *step;
    const sherd_system *system;
} job;

static bool takes_time(const sherd_system *s, int64_t bond)
{
    return !s->bonds.broken[bond] && sherd_bond_takes_time(&s->bonds, bond);
}

static double ratio_of(const sherd_system *s, int64_t bond)
{
    return sherd_bond_analyse(&s->bonds, &s->elements, bond).stress_ratio;
}

// Number of bonds above their strength.
static double note_start(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double over = 0.0;
    for (size_t k = begin; k < end; ++k) {
        int64_t bond = (int64_t)k;
        double ratio = takes_time(j->system, bond) ? ratio_of(j->system, bond) : 0.0;
        j->step->start[k] = ratio;
        over += ratio > 1.0;
    }
    return over;
}

sherd_status sherd_overstress_begin(sherd_overstress_step *step, const sherd_system *system,
                                    sherd_error *error)
{
    size_t count = (size_t)system->bonds.count;
    if (system->bonds.damage == NULL) return SHERD_OK;
    if (step->start == NULL) step->start = sherd_alloc(count, sizeof *step->start);
    if (step->start == NULL) return sherd_fail_memory(error, "damage of bonds");
    job j = {step, system};
    step->over = (int64_t)sherd_parallel_sum(&system->parallel, count, CHUNK, note_start, &j);
    return SHERD_OK;
}

double sherd_overstress_damage(const sherd_overstress_step *step, const sherd_system *system,
                               int64_t bond, double ratio)
{
    const sherd_material_def *m = sherd_bond_material(&system->bonds, bond);
    double mean = bond_mean_overstress(step->start[bond], ratio, m->rate_exponent);
    return system->bonds.damage[bond] + mean * step->dt / m->rate_time;
}

static void grow(void *context, size_t begin, size_t end)
{
    const job *j = context;
    const sherd_system *s = j->system;
    for (size_t k = begin; k < end; ++k) {
        int64_t bond = (int64_t)k;
        if (takes_time(s, bond))
            s->bonds.damage[k] = sherd_overstress_damage(j->step, s, bond, ratio_of(s, bond));
    }
}

void sherd_overstress_accept(const sherd_overstress_step *step, sherd_system *system)
{
    if (system->bonds.damage == NULL) return;
    job j = {step, system};
    sherd_parallel_for(&system->parallel, (size_t)system->bonds.count, CHUNK, grow, &j);
}

void sherd_overstress_free(sherd_overstress_step *step)
{
    sherd_free(step->start);
    *step = (sherd_overstress_step){0};
}

size_t sherd_overstress_bytes(const sherd_overstress_step *step, int64_t bonds)
{
    return step->start != NULL ? (size_t)bonds * sizeof *step->start : 0;
}
