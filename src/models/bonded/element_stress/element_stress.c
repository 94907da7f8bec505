#include "models/bonded/element_stress/element_stress.h"

#include "base/assertion.h"
#include "base/cpu.h"
#include "math/symmetric_eigen.h"
#include "models/bonded/element_stress/moment_runs.h"

#include <math.h>

// ---------------------------------------------------------------- one stress

void sherd_stress_principal(const sherd_stress *s, double principal[3])
{
    double xx = (double)s->xx, yy = (double)s->yy, zz = (double)s->zz, xy = (double)s->xy,
           yz = (double)s->yz, zx = (double)s->zx;
    double a[9] = {xx, xy, zx, xy, yy, yz, zx, yz, zz}, v[9], l[3];
    sherd_symmetric_eigen(3, a, l, v);
    principal[0] = fmax(l[0], fmax(l[1], l[2]));
    principal[2] = fmin(l[0], fmin(l[1], l[2]));
    principal[1] = fmax(fmin(l[0], l[1]), fmin(fmax(l[0], l[1]), l[2]));
}

double sherd_stress_von_mises(const sherd_stress *s)
{
    double x = (double)s->xx - (double)s->yy, y = (double)s->yy - (double)s->zz,
           z = (double)s->zz - (double)s->xx;
    double xy = (double)s->xy, yz = (double)s->yz, zx = (double)s->zx;
    return sqrt(0.5 * (x * x + y * y + z * z) + 3.0 * (xy * xy + yz * yz + zx * zx));
}

// ---------------------------------------------------------------- bonds

typedef struct job {
    const sherd_moment_work *work;
    sherd_moment_function *kernel;
    sherd_moment_row_function *row_kernel;
} job;

static void run_chunk(void *context, size_t begin, size_t end)
{
    const job *j = context;
    sherd_moment_run run = {.count = 0};
    sherd_moment_row row;
    size_t next;
    for (size_t at = begin; at < end;) {
        if (sherd_moment_load_stored(j->work, at, end, &run)) {
            j->kernel(j->work, &run);
            sherd_moment_clear_broken(j->work, &run);
            at += (size_t)run.count;
            continue;
        }
        if (sherd_moment_find_row(j->work, begin, at, end, &row, &next)) {
            j->row_kernel(j->work, &row);
            at = next;
            continue;
        }
        at = sherd_moment_collect(j->work, at, end, &run);
        if (run.count > 0) j->kernel(j->work, &run);
    }
}

void sherd_moments_find(const sherd_moment_work *work, size_t count, const sherd_parallel *parallel)
{
    enum { CHUNK = 512 };
    sherd_simd level = sherd_cpu_level();
    job j = {work, SHERD_KERNEL_AT(level, sherd_moments), SHERD_KERNEL_AT(level, sherd_moment_row)};
    sherd_parallel_for(parallel, count, CHUNK, run_chunk, &j);
}

// ---------------------------------------------------------------- elements

double sherd_element_solid(const sherd_bonds *bonds, const sherd_elements *elements,
                           sherd_element_index k)
{
    SHERD_ASSERT(k >= 0 && k < elements->count, "the element is one of the list");
    const sherd_bond_solid *solid = sherd_bond_solid_of(bonds, elements, k);
    if (solid != NULL) return sherd_element_mass(elements, k) * solid->volume_per_mass;
    return 4.0 / 3.0 * M_PI * pow(sherd_element_radius(elements, k), 3.0);
}

static void add(sherd_stress *to, const sherd_stress *moment)
{
    to->xx += moment->xx, to->yy += moment->yy, to->zz += moment->zz;
    to->xy += moment->xy, to->yz += moment->yz, to->zx += moment->zx;
}

static void divide(sherd_stress *s, double volume)
{
    float f = (float)(1.0 / volume);
    s->xx *= f, s->yy *= f, s->zz *= f, s->xy *= f, s->yz *= f, s->zx *= f;
}

// All threads compute one batch of bonds; then one thread adds the batch to its elements, in order.
void sherd_bonds_find_element_stress(const sherd_bonds *bonds, const sherd_elements *elements,
                                     const sherd_parallel *parallel, sherd_stress *stress)
{
    enum { BATCH = 8192 };
    sherd_stress moments[BATCH];
    for (sherd_element_index k = 0; k < elements->count; ++k)
        stress[k] = (sherd_stress){0};
    for (int64_t first = 0, size; first < bonds->count; first += size) {
        size = bonds->count - first < BATCH ? bonds->count - first : BATCH;
        sherd_moment_work work = {elements, bonds, .first = first, .moments = moments};
        sherd_moments_find(&work, (size_t)size, parallel);
        for (int64_t k = 0; k < size; ++k) {
            add(&stress[bonds->i[first + k]], &moments[k]);
            add(&stress[bonds->j[first + k]], &moments[k]);
        }
    }
    for (sherd_element_index k = 0; k < elements->count; ++k)
        divide(&stress[k], sherd_element_solid(bonds, elements, k));
}
