#define SHERD_LANES 1
#include "bond/bond_classes.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "bond/breakage.h"

#include <string.h>

// A lattice's rest geometry differs from bond to bond by the rounding of positions, 2e-16 of a
// body's extent. Taking one value for all strains a bond by less than this, far below the 1e-10
// that simulations can tell from zero.
static const double SAME = 4e-12;

// Open addressing; twice as many slots as classes at most.
enum { SLOTS = 4 * SHERD_BOND_MOST_CLASSES };

typedef struct class_table {
    sherd_bond_class *classes;
    int count;
    uint16_t slot[SLOTS]; // class index, SHERD_BOND_NO_CLASS = free
} class_table;

// What alike bonds have in common after rounding. Two of a kind that fall on different sides of a
// rounding step make two classes, which costs little.
typedef struct class_key {
    int32_t d0[3];
    float l0, r0, E, G, beta;
    uint32_t kind;
} class_key;

static class_key key_of(const sherd_bonds *b, int64_t k)
{
    return (class_key){
        .d0 = {(int32_t)lrint(1e8 * b->d0x[k]), (int32_t)lrint(1e8 * b->d0y[k]),
               (int32_t)lrint(1e8 * b->d0z[k])},
        .l0 = (float)b->l0[k],
        .r0 = (float)b->r0[k],
        .E = (float)b->E[k],
        .G = (float)b->G[k],
        .beta = (float)b->beta[k],
        .kind = b->kind[k],
    };
}

static bool near(double a, double b)
{
    return fabs(a - b) <= SAME * fabs(b);
}

// Strengths of a class may differ from bond to bond by one factor.
static bool strengths_match(const sherd_bond_class *c, double sigma_c, double tau_c)
{
    if (sigma_c == c->sigma_c && tau_c == c->tau_c) return true;
    return c->sigma_c > 0.0 && isfinite(c->sigma_c) && c->tau_c > 0.0 && isfinite(c->tau_c) &&
           near(sigma_c * c->tau_c, tau_c * c->sigma_c);
}

static bool matches(const sherd_bond_class *c, const sherd_bonds *b, int64_t k)
{
    return c->kind == b->kind[k] && fabs(c->d0x - b->d0x[k]) <= SAME &&
           fabs(c->d0y - b->d0y[k]) <= SAME && fabs(c->d0z - b->d0z[k]) <= SAME &&
           near(c->l0, b->l0[k]) && near(c->r0, b->r0[k]) && near(c->E, b->E[k]) &&
           near(c->G, b->G[k]) && near(c->beta, b->beta[k]) &&
           strengths_match(c, b->sigma_c[k], b->tau_c[k]);
}

static sherd_bond_class make_class(const sherd_bonds *b, int64_t k)
{
    bond_section s = bond_section_of((lane3){b->d0x[k], b->d0y[k], b->d0z[k]}, b->l0[k], b->r0[k],
                                     b->E[k], b->G[k], b->beta[k]);
    bond_limit limit = bond_limit_of(b->r0[k], b->sigma_c[k], b->tau_c[k]);
    sherd_bond_class c = {
        .number = {[SHERD_CLASS_D0] = s.d0.x,
                   [SHERD_CLASS_D0 + 1] = s.d0.y,
                   [SHERD_CLASS_D0 + 2] = s.d0.z,
                   [SHERD_CLASS_HALF_L0] = s.half_l0,
                   [SHERD_CLASS_INVERSE_L0] = s.inverse_l0,
                   [SHERD_CLASS_STRETCH] = s.stretch,
                   [SHERD_CLASS_SHEAR] = s.shear,
                   [SHERD_CLASS_SHEAR_FORCE] = s.shear_force,
                   [SHERD_CLASS_BEND2] = s.bend2,
                   [SHERD_CLASS_TWIST2] = s.twist2,
                   [SHERD_CLASS_BEND_OVER_TWIST2] = s.bend_over_twist2,
                   [SHERD_CLASS_DAMP_SHEAR] = s.damp_shear,
                   [SHERD_CLASS_DAMP_STRETCH_OVER] = s.damp_stretch_over,
                   [SHERD_CLASS_DAMP_BEND] = s.damp_bend,
                   [SHERD_CLASS_DAMP_TWIST_OVER] = s.damp_twist_over,
                   [SHERD_CLASS_BEND_WEIGHT2] = limit.bend_weight2,
                   [SHERD_CLASS_TWIST_WEIGHT] = limit.twist_weight,
                   [SHERD_CLASS_NORMAL_LIMIT] = limit.normal,
                   [SHERD_CLASS_SHEAR_LIMIT] = limit.shear},
        .d0x = b->d0x[k],
        .d0y = b->d0y[k],
        .d0z = b->d0z[k],
        .l0 = b->l0[k],
        .r0 = b->r0[k],
        .E = b->E[k],
        .G = b->G[k],
        .beta = b->beta[k],
        .sigma_c = b->sigma_c[k],
        .tau_c = b->tau_c[k],
        .kind = b->kind[k],
    };
    for (int n = 0; n < SHERD_CLASS_NUMBERS; ++n)
        c.single[n] = (float)c.number[n];
    return c;
}

static uint16_t find_or_add(class_table *table, const sherd_bonds *bonds, int64_t bond)
{
    class_key key = key_of(bonds, bond);
    uint64_t hash = sherd_hash_bytes(SHERD_HASH_START, &key, sizeof key);
    uint64_t at = (hash ^ hash >> 32) % SLOTS;
    for (; table->slot[at] != SHERD_BOND_NO_CLASS; at = (at + 1) % SLOTS)
        if (matches(&table->classes[table->slot[at]], bonds, bond)) return table->slot[at];
    if (table->count == SHERD_BOND_MOST_CLASSES) return SHERD_BOND_NO_CLASS;
    table->classes[table->count] = make_class(bonds, bond);
    table->slot[at] = (uint16_t)table->count;
    return (uint16_t)table->count++;
}

sherd_status sherd_bond_classify(const sherd_bonds *bonds, uint16_t *class_of,
                                 sherd_bond_class **classes, int *class_count, sherd_error *error)
{
    class_table *table = sherd_alloc(1, sizeof *table);
    *classes = sherd_alloc(SHERD_BOND_MOST_CLASSES, sizeof **classes);
    if (table == NULL || *classes == NULL) {
        sherd_free(table);
        return sherd_fail_memory(error, "bond classes");
    }
    table->classes = *classes;
    for (int s = 0; s < SLOTS; ++s)
        table->slot[s] = SHERD_BOND_NO_CLASS;
    for (int64_t k = 0; k < bonds->count; ++k)
        class_of[k] = find_or_add(table, bonds, k);
    *class_count = table->count;
    sherd_free(table);
    return SHERD_OK;
}
