#include "models/bonded/element_stress/element_criterion.h"

#include "base/memory.h"
#include "models/bonded/element_stress/element_stress.h"

#include <math.h>

static const sherd_breakage_info *criterion_of(const sherd_bonds *bonds, int64_t bond)
{
    return &sherd_breakage_rows[sherd_bond_material(bonds, bond)->breakage];
}

static bool is_listed(const sherd_bonds *bonds, int64_t bond)
{
    return criterion_of(bonds, bond)->measure != SHERD_BREAKAGE_OF_BONDS;
}

// ---------------------------------------------------------------- lists

void sherd_element_criterion_free(sherd_element_criterion *c)
{
    sherd_free(c->bond);
    sherd_moment_numbers_free(&c->numbers);
    sherd_free(c->element);
    sherd_free(c->solid);
    sherd_free(c->measure);
    sherd_free(c->moments);
    sherd_free(c->stress);
    *c = (sherd_element_criterion){0};
}

size_t sherd_element_criterion_bytes(const sherd_element_criterion *c)
{
    return c->bytes + sherd_moment_numbers_bytes(&c->numbers);
}

static bool none_is_listed(const sherd_bonds *bonds)
{
    for (int m = 0; m < bonds->material_count; ++m)
        if (sherd_breakage_rows[bonds->materials[m].breakage].measure != SHERD_BREAKAGE_OF_BONDS)
            return false;
    return true;
}

// Stores the measure of both ends of each bond in `measure`, by element. Measures are stored plus
// 1; 0 means that no bond with an element criterion ends there.
static void list_bonds(sherd_element_criterion *c, const sherd_bonds *bonds,
                       const sherd_elements *elements, uint8_t *measure)
{
    c->least_strength = INFINITY;
    for (int64_t k = 0; k < bonds->count; ++k) {
        if (!is_listed(bonds, k)) continue;
        c->bond[c->bond_count++] = (int32_t)k;
        measure[bonds->i[k]] = measure[bonds->j[k]] = (uint8_t)criterion_of(bonds, k)->measure;
        double strength = sherd_bond_constants_of(bonds, elements, k).element_strength;
        c->least_strength = fmin(c->least_strength, strength);
    }
}

static void list_elements(sherd_element_criterion *c, const sherd_bonds *bonds,
                          const sherd_elements *elements, const uint8_t *measure)
{
    for (sherd_element_index k = 0; k < elements->count; ++k) {
        if (measure[k] == 0) continue;
        c->measure[c->element_count] = measure[k];
        c->solid[c->element_count] = (float)sherd_element_solid(bonds, elements, k);
        c->element[c->element_count++] = k;
    }
}

bool sherd_element_criterion_build(sherd_element_criterion *c, const sherd_bonds *bonds,
                                   const sherd_elements *elements)
{
    *c = (sherd_element_criterion){0};
    if (none_is_listed(bonds) || bonds->count == 0) return true;
    size_t m = (size_t)bonds->count, n = (size_t)elements->count;
    uint8_t *measure = sherd_alloc(n, sizeof *measure);
    c->bond = sherd_alloc(m, sizeof *c->bond);
    c->element = sherd_alloc(n, sizeof *c->element);
    c->solid = sherd_alloc(n, sizeof *c->solid);
    c->measure = sherd_alloc(n, sizeof *c->measure);
    c->moments = sherd_alloc(m, sizeof *c->moments);
    c->stress = sherd_alloc(n, sizeof *c->stress);
    bool done = measure != NULL && c->bond != NULL && c->element != NULL && c->solid != NULL &&
                c->measure != NULL && c->moments != NULL && c->stress != NULL;
    if (done) {
        list_bonds(c, bonds, elements, measure);
        list_elements(c, bonds, elements, measure);
        done = sherd_moment_numbers_build(&c->numbers, bonds, elements, c->bond,
                                          (size_t)c->bond_count);
    }
    sherd_free(measure);
    c->bytes = m * (sizeof *c->bond + sizeof *c->moments) +
               n * (sizeof *c->element + sizeof *c->solid + sizeof *c->measure + sizeof *c->stress);
    if (!done || c->bond_count == 0) sherd_element_criterion_free(c);
    return done;
}

// ---------------------------------------------------------------- the pass

typedef struct element_pass {
    sherd_element_criterion *criterion;
    const sherd_elements *elements;
    const sherd_adjacency *adjacency;
    double enough;
} element_pass;

static double mean_of(const double s[6])
{
    return (s[0] + s[1] + s[2]) / 3.0;
}

// mean + 2 sqrt(J2 / 3) is an upper bound of the largest principal stress, reached where the other
// two are equal.
static bool is_below(const double s[6], double enough)
{
    double x = s[0] - s[1], y = s[1] - s[2], z = s[2] - s[0], margin = enough - mean_of(s);
    double J2 = (x * x + y * y + z * z) / 6.0 + s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
    return margin >= 0.0 && 4.0 * J2 <= 3.0 * margin * margin;
}

static double measure_of(sherd_breakage_measure measure, const double s[6], double enough)
{
    if (measure == SHERD_BREAKAGE_MEAN_STRESS) return mean_of(s);
    if (is_below(s, enough)) return mean_of(s);
    double principal[3];
    sherd_stress stress = {(float)s[0], (float)s[1], (float)s[2],
                           (float)s[3], (float)s[4], (float)s[5]};
    sherd_stress_principal(&stress, principal);
    return principal[0];
}

static void add_up(const element_pass *pass, sherd_element_index k, double sum[6])
{
    const sherd_adjacency *a = pass->adjacency;
    for (uint32_t s = a->start[k]; s < a->start[k + 1]; ++s) {
        const sherd_stress *m = &pass->criterion->moments[a->bond[s]];
        sum[0] += (double)m->xx, sum[1] += (double)m->yy, sum[2] += (double)m->zz;
        sum[3] += (double)m->xy, sum[4] += (double)m->yz, sum[5] += (double)m->zx;
    }
}

// Skips sleeping bodies, whose stresses do not change (stepping/sleep/rigid_sleep.h).
static void find_stresses(void *context, size_t begin, size_t end)
{
    const element_pass *pass = context;
    sherd_element_criterion *c = pass->criterion;
    for (size_t at = begin; at < end; ++at) {
        sherd_element_index k = c->element[at];
        c->stress[k] = 0.0F;
        if (pass->elements->asleep[k]) continue;
        double s[6] = {0.0}, inverse = 1.0 / (double)c->solid[at];
        add_up(pass, k, s);
        for (int n = 0; n < 6; ++n)
            s[n] *= inverse;
        double stress = measure_of((sherd_breakage_measure)c->measure[at], s, pass->enough);
        c->stress[k] = (float)fmax(stress, 0.0);
    }
}

void sherd_element_criterion_evaluate(sherd_element_criterion *c, const sherd_bonds *bonds,
                                      const sherd_elements *elements,
                                      const sherd_adjacency *adjacency,
                                      const sherd_parallel *parallel, double enough)
{
    enum { CHUNK = 512 };
    if (c->bond_count == 0) return;
    sherd_moment_work work = {elements, bonds, &c->numbers, c->bond, .moments = c->moments};
    sherd_moments_find(&work, (size_t)c->bond_count, parallel);
    element_pass pass = {c, elements, adjacency, enough};
    sherd_parallel_for(parallel, (size_t)c->element_count, CHUNK, find_stresses, &pass);
}

// ---------------------------------------------------------------- what it found

static double stress_at(const sherd_element_criterion *c, const sherd_bonds *bonds, int64_t bond)
{
    return (double)fmaxf(c->stress[bonds->i[bond]], c->stress[bonds->j[bond]]);
}

double sherd_element_criterion_ratio(const sherd_element_criterion *c, const sherd_bonds *bonds,
                                     const sherd_elements *elements, int64_t bond)
{
    if (c->bond_count == 0 || bonds->broken[bond] || !is_listed(bonds, bond)) return 0.0;
    return stress_at(c, bonds, bond) /
           sherd_bond_constants_of(bonds, elements, bond).element_strength;
}

typedef struct ratio_search {
    const sherd_element_criterion *criterion;
    const sherd_bonds *bonds;
    const sherd_elements *elements;
} ratio_search;

static double largest_of(void *context, size_t begin, size_t end)
{
    const ratio_search *in = context;
    double largest = 0.0;
    for (size_t at = begin; at < end; ++at)
        largest =
            fmax(largest, sherd_element_criterion_ratio(in->criterion, in->bonds, in->elements,
                                                        in->criterion->bond[at]));
    return largest;
}

double sherd_element_criterion_largest_ratio(const sherd_element_criterion *criterion,
                                             const sherd_bonds *bonds,
                                             const sherd_elements *elements,
                                             const sherd_parallel *parallel)
{
    enum { CHUNK = 4096 };
    ratio_search in = {criterion, bonds, elements};
    return sherd_parallel_max(parallel, (size_t)criterion->bond_count, CHUNK, largest_of, &in);
}

// Checks elements first: there are several times as many bonds, and usually none is over its
// strength.
static bool any_over(const sherd_element_criterion *c)
{
    for (int32_t at = 0; at < c->element_count; ++at)
        if ((double)c->stress[c->element[at]] > c->least_strength) return true;
    return false;
}

bool sherd_element_criterion_next_over(const sherd_element_criterion *c, const sherd_bonds *bonds,
                                       const sherd_elements *elements, int32_t *cursor,
                                       int64_t *bond)
{
    if (*cursor == 0 && !any_over(c)) return false;
    for (; *cursor < c->bond_count; ++*cursor) {
        *bond = c->bond[*cursor];
        if (stress_at(c, bonds, *bond) <= c->least_strength ||
            sherd_element_criterion_ratio(c, bonds, elements, *bond) <= 1.0)
            continue;
        ++*cursor;
        return true;
    }
    return false;
}
