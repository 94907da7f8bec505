#include "models/bonded/element_stress/moment_runs.h"

#define SHERD_LANES 1
#include "laws/bond/bond_laws.h"
#include "laws/breakage/softening.h"
#include "models/bonded/element_stress/moment_numbers.h"
#include "models/bonded/storage/bond_classes.h"

#include <string.h>

_Static_assert((int)BOND_MAX_HISTORY <= (int)SHERD_MOMENT_HISTORY,
               "a law has_history more numbers");

static int64_t bond_at(const sherd_moment_work *w, size_t at)
{
    return w->list != NULL ? w->list[at] : w->first + (int64_t)at;
}

static void store_numbers(const sherd_bonds *bonds, const sherd_elements *e, int64_t bond, int at,
                          sherd_moment_run *r)
{
    double own[SHERD_CLASS_NUMBERS];
    const double *number = own;
    if (bonds->class_index[bond] < SHERD_BOND_OWN) {
        number = bonds->classes[bonds->class_index[bond]].number;
    } else {
        sherd_bond_constants constants = sherd_bond_stiffness_of(bonds, e, bond);
        sherd_bond_numbers(&constants, own);
    }
    for (int n = 0; n < SHERD_SLOT_NUMBERS; ++n)
        r->numbers[n][at] = number[n];
}

// Puts a bond into lane `at` of a run, without its constants.
static void store_bond(const sherd_moment_work *w, int64_t bond, int at, sherd_moment_run *r)
{
    const sherd_bonds *bonds = w->bonds;
    for (int n = 0; n < bonds->history_stride; ++n)
        r->history[n][at] = bonds->history[bond * bonds->history_stride + n];
    r->integrity[at] = 1;
    if (sherd_bond_softens(bonds, bond)) {
        sherd_bond_constants constants = sherd_bond_constants_of(bonds, w->elements, bond);
        r->integrity[at] = sherd_bond_integrity(bonds, &constants, bond);
    }
    r->i[at] = bonds->i[bond], r->j[at] = bonds->j[bond];
    r->bond[at] = bond;
}

// Fills the lanes behind the last bond with copies of the first, without constants.
static void repeat_first(sherd_moment_run *r, int history)
{
    for (int at = r->count; at < SHERD_MOMENT_RUN; ++at) {
        for (int n = 0; n < history; ++n)
            r->history[n][at] = r->history[n][0];
        r->integrity[at] = r->integrity[0];
        r->i[at] = r->i[0], r->j[at] = r->j[0];
    }
}

size_t sherd_moment_collect(const sherd_moment_work *w, size_t at, size_t end, sherd_moment_run *r)
{
    // The end of the range in which no stored run begins.
    size_t whole = (at / SHERD_MOMENT_RUN + 1) * SHERD_MOMENT_RUN;
    if (w->numbers != NULL && w->numbers->index != NULL && end > whole) end = whole;
    r->count = 0;
    for (; at < end && r->count < SHERD_MOMENT_RUN; ++at) {
        int64_t bond = bond_at(w, at);
        if (w->bonds->broken[bond]) {
            w->moments[bond - w->first] = (sherd_stress){0};
            continue;
        }
        sherd_bond_law law = sherd_material_effective_law(sherd_bond_material(w->bonds, bond));
        if (r->count > 0 && law != r->law) break;
        r->law = law;
        store_numbers(w->bonds, w->elements, bond, r->count, r);
        store_bond(w, bond, r->count++, r);
    }
    for (int k = r->count; k < SHERD_MOMENT_RUN && r->count > 0; ++k)
        for (int n = 0; n < SHERD_SLOT_NUMBERS; ++n)
            r->numbers[n][k] = r->numbers[n][0];
    if (r->count > 0) repeat_first(r, w->bonds->history_stride);
    return at;
}

static void load_numbers(const double *stored, sherd_moment_run *r)
{
    enum { FIRST = SHERD_MOMENT_FIRST_SKIPPED, ROW = SHERD_MOMENT_RUN };
    memcpy(r->numbers[0], stored, FIRST * sizeof r->numbers[0]);
    memcpy(r->numbers[FIRST + SHERD_MOMENT_SKIPPED], stored + FIRST * ROW,
           (SHERD_MOMENT_NUMBERS - FIRST) * sizeof r->numbers[0]);
}

// Takes a whole run of consecutive bonds that have no history and do not soften.
static bool join_following(const sherd_moment_work *w, size_t at, size_t end, sherd_moment_run *r)
{
    enum { LAST = SHERD_MOMENT_RUN - 1 };
    const sherd_bonds *b = w->bonds;
    if (end - at < SHERD_MOMENT_RUN || b->history_stride > 0 || b->opening != NULL) return false;
    int64_t first = bond_at(w, at);
    if (bond_at(w, at + LAST) != first + LAST) return false; // lists ascend
    memcpy(r->i, b->i + first, sizeof r->i);
    memcpy(r->j, b->j + first, sizeof r->j);
    for (int k = 0; k < SHERD_MOMENT_RUN; ++k) {
        r->integrity[k] = 1;
        r->bond[k] = first + k;
    }
    r->count = SHERD_MOMENT_RUN;
    return true;
}

bool sherd_moment_load_stored(const sherd_moment_work *w, size_t at, size_t end,
                              sherd_moment_run *r)
{
    const double *stored = sherd_moment_numbers_at(w->numbers, at);
    if (stored == NULL) return false;
    load_numbers(stored, r);
    int64_t first = bond_at(w, at);
    r->law = sherd_material_effective_law(sherd_bond_material(w->bonds, first));
    if (join_following(w, at, end, r)) return true;
    r->count = end - at < SHERD_MOMENT_RUN ? (int)(end - at) : SHERD_MOMENT_RUN;
    for (int k = 0; k < r->count; ++k)
        store_bond(w, bond_at(w, at + (size_t)k), k, r);
    repeat_first(r, w->bonds->history_stride);
    return true;
}

void sherd_moment_clear_broken(const sherd_moment_work *w, const sherd_moment_run *r)
{
    for (int k = 0; k < r->count; ++k)
        if (w->bonds->broken[r->bond[k]]) w->moments[r->bond[k] - w->first] = (sherd_stress){0};
}

// The number of bonds from `at` on that are consecutive, have consecutive ends and one class; at
// most one row.
static size_t count_following(const sherd_moment_work *w, size_t at, size_t end)
{
    const sherd_bonds *b = w->bonds;
    int64_t first = bond_at(w, at);
    size_t limit = end - at < SHERD_MOMENT_RUN ? end - at : SHERD_MOMENT_RUN, count = 1;
    if (b->class_index[first] >= SHERD_BOND_OWN) return 0;
    for (; count < limit; ++count) {
        int64_t k = (int64_t)count, bond = bond_at(w, at + count);
        if (((bond - first - k) | (b->i[bond] - b->i[first] - k) | (b->j[bond] - b->j[first] - k) |
             (b->class_index[bond] - b->class_index[first])) != 0)
            break;
    }
    return count;
}

bool sherd_moment_find_row(const sherd_moment_work *w, size_t begin, size_t at, size_t end,
                           sherd_moment_row *row, size_t *next)
{
    const sherd_bonds *b = w->bonds;
    if (b->history_stride > 0 || b->opening != NULL) return false;
    size_t count = count_following(w, at, end);
    *next = at + count;
    if (count == 0 || *next < begin + SHERD_MOMENT_RUN) return false;
    size_t from = *next - SHERD_MOMENT_RUN;
    if (from != at && count_following(w, from, end) < SHERD_MOMENT_RUN) return false;
    int64_t first = bond_at(w, from);
    const sherd_bond_class *class = &b->classes[b->class_index[first]];
    *row = (sherd_moment_row){.i = b->i[first],
                              .j = b->j[first],
                              .bond = first,
                              .numbers = class->number,
                              .law = sherd_material_effective_law(&b->materials[class->material])};
    return true;
}
