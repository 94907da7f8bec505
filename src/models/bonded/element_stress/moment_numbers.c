#include "models/bonded/element_stress/moment_numbers.h"

#include "base/memory.h"
#include "models/bonded/storage/bond_classes.h"

enum { RUN = SHERD_MOMENT_RUN };

typedef struct builder {
    const sherd_bonds *bonds;
    const sherd_elements *elements;
    const int32_t *list;
    size_t count;
} builder;

static size_t run_end(const builder *b, size_t begin)
{
    return begin + RUN < b->count ? begin + RUN : b->count;
}

static bool is_stored(const builder *b, size_t begin)
{
    bool own = false;
    sherd_bond_law law =
        sherd_material_effective_law(sherd_bond_material(b->bonds, b->list[begin]));
    for (size_t at = begin; at < run_end(b, begin); ++at) {
        int32_t bond = b->list[at];
        if (sherd_material_effective_law(sherd_bond_material(b->bonds, bond)) != law) return false;
        own |= b->bonds->class_index[bond] >= SHERD_BOND_OWN;
    }
    return own;
}

static void store_run(const builder *b, size_t begin, double *to)
{
    for (size_t k = 0; k < RUN; ++k) {
        // lanes beyond the end repeat the first bond
        size_t at = begin + k < b->count ? begin + k : begin;
        sherd_bond_constants constants =
            sherd_bond_stiffness_of(b->bonds, b->elements, b->list[at]);
        double number[SHERD_CLASS_NUMBERS];
        sherd_bond_numbers(&constants, number);
        for (int n = 0; n < SHERD_MOMENT_NUMBERS; ++n) {
            int from = n < SHERD_MOMENT_FIRST_SKIPPED ? n : n + SHERD_MOMENT_SKIPPED;
            to[(size_t)n * RUN + k] = number[from];
        }
    }
}

static size_t count_stored(const builder *b)
{
    size_t stored = 0;
    for (size_t at = 0; at < b->count; at += RUN)
        stored += is_stored(b, at);
    return stored;
}

bool sherd_moment_numbers_build(sherd_moment_numbers *numbers, const sherd_bonds *bonds,
                                const sherd_elements *elements, const int32_t *list, size_t count)
{
    const builder b = {bonds, elements, list, count};
    *numbers = (sherd_moment_numbers){0};
    size_t stored = count_stored(&b), runs = (count + RUN - 1) / RUN;
    if (stored == 0) return true;
    numbers->index = sherd_alloc(runs, sizeof *numbers->index);
    numbers->number = sherd_alloc(stored * SHERD_MOMENT_NUMBERS * RUN, sizeof *numbers->number);
    if (numbers->index == NULL || numbers->number == NULL) {
        sherd_moment_numbers_free(numbers);
        return false;
    }
    for (size_t r = 0; r < runs; ++r) {
        numbers->index[r] = -1;
        if (!is_stored(&b, r * RUN)) continue;
        size_t index = numbers->stored_count++;
        numbers->index[r] = (int32_t)index;
        store_run(&b, r * RUN, &numbers->number[index * SHERD_MOMENT_NUMBERS * RUN]);
    }
    numbers->run_count = runs;
    return true;
}

void sherd_moment_numbers_free(sherd_moment_numbers *numbers)
{
    sherd_free(numbers->index);
    sherd_free(numbers->number);
    *numbers = (sherd_moment_numbers){0};
}

size_t sherd_moment_numbers_bytes(const sherd_moment_numbers *numbers)
{
    return numbers->run_count * sizeof *numbers->index +
           numbers->stored_count * SHERD_MOMENT_NUMBERS * SHERD_MOMENT_RUN *
               sizeof *numbers->number;
}
