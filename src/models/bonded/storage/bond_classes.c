// Each block of bonds finds classes of equal bonds, in parallel; then equal classes of different
// blocks are merged, in block order: the class of a bond does not depend on threads.
#include "models/bonded/storage/bond_classes.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

// The reference geometry of lattice bonds differs by the rounding of positions, 2e-16 of a body's
// extent. Using one value for all strains a bond by less than twice this tolerance, far below the
// 1e-10 that simulations can distinguish from zero.
static const double GEOMETRY_TOLERANCE = 2e-12;

enum {
    // classes tried in each block: a lattice has 20 to 200; with more, classes do not help
    MAX_LOCAL = 1024,
    FEWEST = 3, // smallest number of members in a block, the same as of a packet
    NONE = 0xFFFF,
    // Size of hash tables with open addressing: four times the number of entries.
    LOCAL_SLOTS = 4 * MAX_LOCAL,
    GLOBAL_SLOTS = 4 * SHERD_BOND_MAX_CLASSES,
};

// ---------------------------------------------------------------- numbers

void sherd_bond_numbers(const sherd_bond_constants *constants, double number[SHERD_CLASS_NUMBERS])
{
    SHERD_ASSERT(constants->r0 > 0.0 && constants->l0 > 0.0, "a bond has a length and a radius");
    double r0 = constants->r0, l0 = constants->l0, area = 3.14159265358979323846 * r0 * r0;
    const sherd_bond_moduli *m = &constants->moduli;
    double ES = m->stretch * area, GS = m->shear * area;
    double bend = 0.25 * (m->bend * area) * r0 * r0 / l0;
    double twist = 0.5 * (m->twist * area) * r0 * r0 / l0;
    double bend_weight = 4.0 / r0 * 2.0 * bend;
    const double all[SHERD_CLASS_NUMBERS] = {
        [SHERD_CLASS_D0] = constants->d0.x,
        [SHERD_CLASS_D0 + 1] = constants->d0.y,
        [SHERD_CLASS_D0 + 2] = constants->d0.z,
        [SHERD_CLASS_HALF_L0] = 0.5 * l0,
        [SHERD_CLASS_INVERSE_L0] = 1.0 / l0,
        [SHERD_CLASS_STRETCH] = ES,
        [SHERD_CLASS_DAMPING] = constants->beta / l0,
        [SHERD_CLASS_WEIGHT] = 2.0 / r0,
        [SHERD_CLASS_HALF_SHEAR] = 0.5 * GS * l0,
        [SHERD_CLASS_SHEAR_FORCE] = GS,
        [SHERD_CLASS_BEND2] = 2.0 * bend,
        [SHERD_CLASS_TWIST2] = 2.0 * twist,
        [SHERD_CLASS_BEND_OVER_TWIST2] = 2.0 * (bend - twist),
        [SHERD_CLASS_DAMP_SHEAR] = constants->beta * GS / l0,
        [SHERD_CLASS_DAMP_STRETCH_OVER] = constants->beta * (ES - GS) / l0,
        [SHERD_CLASS_DAMP_BEND] = constants->beta * bend,
        [SHERD_CLASS_DAMP_TWIST_OVER] = constants->beta * (twist - bend),
        [SHERD_CLASS_BEND_WEIGHT2] = bend_weight * bend_weight,
        [SHERD_CLASS_TWIST_WEIGHT] = 2.0 / r0 * 2.0 * twist,
        [SHERD_CLASS_NORMAL_LIMIT] = area * constants->sigma_c,
        [SHERD_CLASS_SHEAR_LIMIT] =
            area * constants->tau_c /
            sherd_breakage_rows[sherd_bond_kind_breakage(constants->kind)].shear,
    };
    memcpy(number, all, sizeof all);
}

// Scales the constants of a class by the weights of its criterion (laws/breakage/breakage.h).
static void weigh(sherd_bond_kind kind, double number[SHERD_CLASS_NUMBERS])
{
    const sherd_breakage_info *criterion = &sherd_breakage_rows[sherd_bond_kind_breakage(kind)];
    number[SHERD_CLASS_BEND_WEIGHT2] *= criterion->bending * criterion->bending;
    number[SHERD_CLASS_TWIST_WEIGHT] *= criterion->twisting / criterion->shear;
}

static void round_numbers(const double number[SHERD_CLASS_NUMBERS],
                          float single[SHERD_CLASS_NUMBERS])
{
    for (int n = 0; n < SHERD_CLASS_NUMBERS; ++n)
        single[n] = (float)number[n];
}

sherd_bond_common sherd_bond_common_of(const sherd_bond_constants *constants)
{
    sherd_bond_common common;
    sherd_bond_numbers(constants, common.number);
    round_numbers(common.number, common.single);
    return common;
}

// ---------------------------------------------------------------- what is alike

typedef struct candidate {
    sherd_bond_constants constants;
    uint64_t hash;
    uint16_t material;
    int32_t members;
} candidate;

// Hash key: the constants of a bond, rounded. Equal bonds on different sides of a rounding step
// make two classes, which costs little.
typedef struct class_key {
    int32_t d0[3];
    float l0, r0, E, beta;
    uint32_t material;
} class_key;

static candidate candidate_of(const sherd_bonds *bonds, const sherd_elements *elements, int64_t k)
{
    uint16_t material = (uint16_t)(bonds->class_index[k] - SHERD_BOND_OWN);
    candidate c = {.constants =
                       sherd_bond_constants_from(bonds, &bonds->materials[material], elements, k),
                   .material = material,
                   .members = 1};
    class_key key = {.d0 = {(int32_t)lrint(1e8 * c.constants.d0.x),
                            (int32_t)lrint(1e8 * c.constants.d0.y),
                            (int32_t)lrint(1e8 * c.constants.d0.z)},
                     .l0 = (float)c.constants.l0,
                     .r0 = (float)c.constants.r0,
                     .E = (float)c.constants.E,
                     .beta = (float)c.constants.beta,
                     .material = material};
    uint64_t hash = sherd_hash_bytes(SHERD_HASH_START, &key, sizeof key);
    c.hash = hash ^ hash >> 32;
    return c;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= GEOMETRY_TOLERANCE * fabs(b);
}

// The material is compared, so shear moduli agree where Young's moduli do, and strengths where
// directions do.
static bool alike(const candidate *a, const candidate *b)
{
    return a->material == b->material &&
           fabs(a->constants.d0.x - b->constants.d0.x) <= GEOMETRY_TOLERANCE &&
           fabs(a->constants.d0.y - b->constants.d0.y) <= GEOMETRY_TOLERANCE &&
           fabs(a->constants.d0.z - b->constants.d0.z) <= GEOMETRY_TOLERANCE &&
           near(a->constants.l0, b->constants.l0) && near(a->constants.r0, b->constants.r0) &&
           near(a->constants.E, b->constants.E) && near(a->constants.beta, b->constants.beta);
}

// A set of distinct candidates.
typedef struct class_table {
    candidate *list;
    int count, capacity;
    uint16_t *slot; // index into the list, NONE = free
    uint64_t slots;
} class_table;

static bool table_init(class_table *table, int capacity, uint64_t slots)
{
    *table = (class_table){.list = sherd_alloc((size_t)capacity, sizeof *table->list),
                           .capacity = capacity,
                           .slot = sherd_alloc((size_t)slots, sizeof *table->slot),
                           .slots = slots};
    if (table->list == NULL || table->slot == NULL) return false;
    memset(table->slot, 0xFF, (size_t)slots * sizeof *table->slot);
    return true;
}

static void table_free(class_table *table)
{
    sherd_free(table->list);
    sherd_free(table->slot);
}

static uint16_t find_or_add(class_table *table, const candidate *c)
{
    uint64_t at = c->hash % table->slots;
    for (; table->slot[at] != NONE; at = (at + 1) % table->slots) {
        candidate *known = &table->list[table->slot[at]];
        if (!alike(known, c)) continue;
        known->members += c->members;
        return table->slot[at];
    }
    if (table->count == table->capacity) return NONE;
    table->list[table->count] = *c;
    table->slot[at] = (uint16_t)table->count;
    return (uint16_t)table->count++;
}

// ---------------------------------------------------------------- blocks

typedef struct block_classes {
    candidate *list; // owned
    int count;
    bool failed;
} block_classes;

typedef struct classifying {
    sherd_bonds *bonds;
    const sherd_elements *elements;
    const int64_t *begin;
    block_classes *blocks;
    uint16_t *class_of; // (block x MAX_LOCAL): index of a block's class among all classes
} classifying;

static uint16_t own(uint16_t material)
{
    return (uint16_t)(SHERD_BOND_OWN + material);
}

// Keeps the classes with enough members and renumbers the block's bonds.
static bool keep_common(class_table *table, uint16_t *class_index, int64_t bonds,
                        block_classes *out)
{
    uint16_t final[MAX_LOCAL];
    for (int k = 0; k < table->count; ++k)
        final[k] = table->list[k].members >= FEWEST ? (uint16_t)out->count++
                                                    : own(table->list[k].material);
    for (int64_t k = 0; k < bonds; ++k)
        if (class_index[k] < MAX_LOCAL) class_index[k] = final[class_index[k]];
    out->list = sherd_alloc((size_t)out->count, sizeof *out->list);
    if (out->list == NULL) return false;
    for (int k = 0; k < table->count; ++k)
        if (final[k] < MAX_LOCAL) out->list[final[k]] = table->list[k];
    return true;
}

static void classify_blocks(void *context, size_t begin, size_t end)
{
    const classifying *in = context;
    for (size_t b = begin; b < end; ++b) {
        int64_t first = in->begin[b], bonds = in->begin[b + 1] - first;
        if (bonds == 0) continue; // the array is not allocated
        uint16_t *class_index = in->bonds->class_index + first;
        class_table table = {0};
        bool done = table_init(&table, MAX_LOCAL, LOCAL_SLOTS);
        for (int64_t k = 0; k < bonds && done; ++k) {
            candidate c = candidate_of(in->bonds, in->elements, first + k);
            uint16_t found = find_or_add(&table, &c);
            if (found != NONE) class_index[k] = found;
        }
        done = done && keep_common(&table, class_index, bonds, &in->blocks[b]);
        table_free(&table);
        in->blocks[b].failed = !done;
    }
}

static void renumber_blocks(void *context, size_t begin, size_t end)
{
    const classifying *in = context;
    for (size_t b = begin; b < end; ++b)
        for (int64_t k = in->begin[b]; k < in->begin[b + 1]; ++k) {
            uint16_t *class_index = &in->bonds->class_index[k];
            if (*class_index < SHERD_BOND_OWN)
                *class_index = in->class_of[b * MAX_LOCAL + *class_index];
        }
}

// ---------------------------------------------------------------- all of them

static bool make_classes(const class_table *table, sherd_bonds *bonds)
{
    bonds->classes = sherd_alloc((size_t)table->count, sizeof *bonds->classes);
    if (bonds->classes == NULL) return false;
    bonds->class_count = table->count;
    for (int k = 0; k < table->count; ++k) {
        sherd_bond_class *c = &bonds->classes[k];
        c->constants = table->list[k].constants;
        c->material = table->list[k].material;
        sherd_bond_numbers(&c->constants, c->number);
        weigh(c->constants.kind, c->number);
        round_numbers(c->number, c->single);
    }
    return true;
}

static bool merge_blocks(const classifying *in, size_t blocks)
{
    class_table table = {0};
    bool done = table_init(&table, SHERD_BOND_MAX_CLASSES, GLOBAL_SLOTS);
    for (size_t b = 0; b < blocks && done; ++b) {
        done = !in->blocks[b].failed;
        for (int k = 0; k < in->blocks[b].count && done; ++k) {
            const candidate *c = &in->blocks[b].list[k];
            uint16_t found = find_or_add(&table, c);
            in->class_of[b * MAX_LOCAL + (size_t)k] = found != NONE ? found : own(c->material);
        }
    }
    done = done && make_classes(&table, in->bonds);
    table_free(&table);
    return done;
}

sherd_status sherd_bonds_classify(sherd_bonds *bonds, const sherd_elements *elements,
                                  const int64_t *begin, int blocks, const sherd_parallel *parallel,
                                  sherd_error *error)
{
    size_t count = (size_t)blocks;
    classifying in = {bonds, elements, begin, sherd_alloc(count, sizeof *in.blocks),
                      sherd_alloc(count * MAX_LOCAL, sizeof *in.class_of)};
    bool done = in.blocks != NULL && in.class_of != NULL;
    if (done) {
        sherd_parallel_for(parallel, count, 1, classify_blocks, &in);
        done = merge_blocks(&in, count);
    }
    if (done) sherd_parallel_for(parallel, count, 1, renumber_blocks, &in);
    for (size_t b = 0; b < count && in.blocks != NULL; ++b)
        sherd_free(in.blocks[b].list);
    sherd_free(in.blocks);
    sherd_free(in.class_of);
    return done ? SHERD_OK : sherd_fail_memory(error, "bond classes");
}
