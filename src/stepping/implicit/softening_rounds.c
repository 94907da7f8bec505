#include "stepping/implicit/softening_rounds.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_part.h"
#include "models/bonded/softening/softening_pass.h"
#include "stepping/implicit/implicit.h"

#include <math.h>
#include <string.h>

// Relative tolerance of openings: a thousandth of the traction and of the failure opening.
static const double AGREE = 1e-3;
// Ratio of required to present opening rates above which a bond opens without limit: it snaps. And
// the limit of over-relaxation of openings.
static const double SNAPS = 0.9, MAX_RELAXATION = 8.0, SNAP_RELAXATION = 4.0;

sherd_status sherd_softening_rounds_begin(sherd_softening_rounds *rounds, sherd_system *system,
                                          sherd_error *error)
{
    const sherd_bonds *bonds = &system->bonds;
    size_t count = (size_t)bonds->count;
    if (bonds->opening == NULL) return SHERD_OK;
    if (rounds->before == NULL) rounds->before = sherd_alloc(count, sizeof *rounds->before);
    if (rounds->last == NULL) rounds->last = sherd_alloc(count, sizeof *rounds->last);
    if (rounds->before == NULL || rounds->last == NULL ||
        !sherd_softening_list_find(&system->blocks.softening, bonds, &system->elements))
        return sherd_fail_memory(error, "softening bonds");
    if (rounds->count > 0) memset(rounds->last, 0, count * sizeof *rounds->last);
    rounds->count = 0;
    memcpy(rounds->before, bonds->opening, count * sizeof *rounds->before);
    return SHERD_OK;
}

size_t sherd_softening_rounds_bytes(const sherd_softening_rounds *rounds, int64_t bonds)
{
    return rounds->before != NULL ? (size_t)bonds * (sizeof *rounds->before + sizeof *rounds->last)
                                  : 0;
}

void sherd_softening_rounds_free(sherd_softening_rounds *rounds)
{
    sherd_free(rounds->before);
    sherd_free(rounds->last);
    *rounds = (sherd_softening_rounds){0};
}

// ---------------------------------------------------------------- one round

// Secant method: the intersection of the line through this round and the previous one with required
// = present opening.
static double next_opening(const sherd_softening_round *last, double opening, double target)
{
    double step = target - opening;
    if (last->opening == 0.0 || last->opening == opening) return target;
    double slope = (target - last->target) / (opening - last->opening);
    if (slope > SNAPS) return opening + SNAP_RELAXATION * step;
    return opening + fmin(1.0 / (1.0 - slope), MAX_RELAXATION) * step;
}

static bool open_bond(sherd_softening_rounds *rounds, sherd_system *s, int32_t k)
{
    const sherd_softening_bond *bond = &s->blocks.softening.bonds[k];
    double smallest = fmax((double)rounds->before[bond->bond], 1.0);
    double opening = (double)s->bonds.opening[bond->bond];
    double target = fmin(fmax(s->blocks.softening.results[k].required, smallest), bond->critical);
    bool parts = target >= bond->critical && opening < bond->critical;
    bool agrees = !parts && fabs(target - opening) <= AGREE * opening;
    sherd_softening_round *last = &rounds->last[bond->bond];
    if (agrees) return false;
    double next = next_opening(last, opening, target);
    *last = (sherd_softening_round){opening, target};
    s->bonds.opening[bond->bond] = (float)fmin(fmax(next, smallest), bond->critical);
    return true;
}

// Bonds that reached their strength in the last evaluation for the first time. Returns their
// number.
static int64_t begin_bonds(sherd_system *s)
{
    int64_t begun = 0, bond;
    for (int b = 0; b < s->blocks.count; ++b) {
        sherd_bond_block *block = &s->blocks.blocks[b];
        sherd_broken_cursor cursor = {0};
        while (block->newly_broken_count > 0 &&
               sherd_bond_block_next_broken(&s->blocks, block, &cursor, &bond)) {
            sherd_bond_constants constants = sherd_bond_constants_of(&s->bonds, &s->elements, bond);
            if (!(constants.critical_opening > 0.0)) continue;
            double required = sherd_bond_analyse(&s->bonds, &s->elements, bond).required_opening;
            s->bonds.opening[bond] = (float)fmin(fmax(required, 1.0), constants.critical_opening);
            ++begun;
        }
    }
    return begun;
}

sherd_status sherd_softening_rounds_open(sherd_softening_rounds *rounds, sherd_system *s,
                                         int64_t *changed, sherd_error *error)
{
    *changed = 0;
    if (rounds->before == NULL) return SHERD_OK;
    for (int32_t k = 0; k < s->blocks.softening.count; ++k)
        *changed += open_bond(rounds, s, k);
    int64_t begun = begin_bonds(s);
    *changed += begun;
    rounds->count += *changed > 0;
    if (begun == 0) return SHERD_OK;
    sherd_implicit_bonds_changed(s->implicit);
    return sherd_bond_blocks_follow(&s->blocks, &s->bonds, &s->elements, error);
}

sherd_status sherd_softening_rounds_undo(sherd_softening_rounds *rounds, sherd_system *s,
                                         sherd_error *error)
{
    if (rounds->count == 0) return SHERD_OK;
    size_t count = (size_t)s->bonds.count;
    memcpy(s->bonds.opening, rounds->before, count * sizeof *rounds->before);
    memset(rounds->last, 0, count * sizeof *rounds->last);
    rounds->count = 0;
    sherd_implicit_bonds_changed(s->implicit);
    return sherd_bond_blocks_follow(&s->blocks, &s->bonds, &s->elements, error);
}

// ---------------------------------------------------------------- acceptance

static sherd_status part_bond(sherd_system *s, int64_t bond, double time,
                              sherd_parted_bonds *parted, sherd_error *error)
{
    sherd_element_index i = s->bonds.i[bond], j = s->bonds.j[bond];
    sherd_bond_analysis last = sherd_bond_analyse(&s->bonds, &s->elements, bond);
    sherd_broken broken = sherd_broken_of(&s->bonds, &s->elements, bond, &last, time);
    ++parted->count;
    parted->energy += last.energy;
    s->bonds.broken[bond] = 1;
    ++s->bonds.broken_count;
    if (s->contacts != NULL) sherd_contacts_bonds_broke(s->contacts, &i, &j, 1);
    return sherd_break_log_add(&s->breaks, &broken, error);
}

sherd_status sherd_softening_rounds_accept(const sherd_softening_rounds *rounds, sherd_system *s,
                                           double time, sherd_parted_bonds *parted,
                                           sherd_error *error)
{
    sherd_status status = SHERD_OK;
    const sherd_softening_list *list = &s->blocks.softening;
    *parted = (sherd_parted_bonds){0};
    if (rounds->count == 0) return SHERD_OK;
    for (int32_t k = 0; k < list->count && status == SHERD_OK; ++k) {
        int64_t bond = list->bonds[k].bond;
        float before = rounds->before[bond];
        if (s->bonds.opening[bond] == before) continue;
        s->accounts.dissipated_softening +=
            sherd_bond_softening_loss(&s->bonds, &s->elements, bond, before);
        if (sherd_softening_is_open(list, &s->bonds, k))
            status = part_bond(s, bond, time, parted, error);
    }
    if (status != SHERD_OK || parted->count == 0) return status;
    s->accounts.dissipated_fracture += parted->energy;
    sherd_implicit_bonds_changed(s->implicit);
    return sherd_bond_blocks_follow(&s->blocks, &s->bonds, &s->elements, error);
}
