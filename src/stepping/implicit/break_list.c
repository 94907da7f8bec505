#include "stepping/implicit/break_list.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_part.h"
#include "laws/breakage/overstress.h"
#include "models/bonded/storage/bond_pass.h"

#include <math.h>

void sherd_break_list_free(sherd_break_list *list)
{
    sherd_free(list->broken);
    sherd_free(list->ratio);
}

static sherd_status add_break(sherd_break_list *list, const sherd_system *s, int64_t bond,
                              const sherd_bond_analysis *now, sherd_error *error)
{
    size_t needed = (size_t)list->count + 1;
    if (!sherd_grow((void **)&list->broken, &list->capacity, needed, sizeof *list->broken) ||
        !sherd_grow((void **)&list->ratio, &list->ratio_capacity, needed, sizeof *list->ratio))
        return sherd_fail_memory(error, "broken bonds");
    list->broken[list->count] = sherd_broken_of(&s->bonds, &s->elements, bond, now, (double)NAN);
    list->ratio[list->count] = now->stress_ratio;
    ++list->count;
    return SHERD_OK;
}

static bool begins_to_soften(const sherd_system *s, int64_t bond)
{
    return s->bonds.opening != NULL &&
           sherd_bond_constants_of(&s->bonds, &s->elements, bond).critical_opening > 0.0;
}

double sherd_find_element_stresses(sherd_system *s)
{
    sherd_element_criterion *c = &s->blocks.criterion;
    if (c->bond_count == 0) return 0.0;
    sherd_element_criterion_evaluate(c, &s->bonds, &s->elements, &s->adjacency, &s->parallel, 0.0);
    return sherd_element_criterion_largest_ratio(c, &s->bonds, &s->elements, &s->parallel);
}

static sherd_status list_by_elements(const sherd_system *s, double *worst, sherd_break_list *list,
                                     sherd_error *error)
{
    const sherd_element_criterion *c = &s->blocks.criterion;
    sherd_status status = SHERD_OK;
    int32_t cursor = 0;
    int64_t bond;
    while (status == SHERD_OK &&
           sherd_element_criterion_next_over(c, &s->bonds, &s->elements, &cursor, &bond)) {
        sherd_bond_analysis now = sherd_bond_analyse(&s->bonds, &s->elements, bond);
        now.stress_ratio = sherd_element_criterion_ratio(c, &s->bonds, &s->elements, bond);
        *worst = fmax(*worst, now.stress_ratio);
        status = add_break(list, s, bond, &now, error);
    }
    return status;
}

// ---------------------------------------------------------------- damage by overstress

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

// Damage of a bond that takes time to break, at the end of the step, if its stress over strength is
// `ratio` then.
static double overstress_damage(const sherd_overstress_step *step, const sherd_system *system,
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
            s->bonds.damage[k] = overstress_damage(j->step, s, bond, ratio_of(s, bond));
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

// ---------------------------------------------------------------- bonds that break

// For bonds that break with time: true if their damage is enough.
static sherd_status list_by_damage(const sherd_system *s, const sherd_overstress_step *step,
                                   int64_t bond, sherd_bond_analysis *now, double *worst,
                                   sherd_break_list *list, sherd_error *error)
{
    double damage = overstress_damage(step, s, bond, now->stress_ratio);
    if (damage < 1.0) return SHERD_OK;
    now->stress_ratio = damage;
    *worst = fmax(*worst, damage);
    return add_break(list, s, bond, now, error);
}

// Adds the bonds that exceeded their strengths at the start of the step, and do not any more.
static sherd_status list_relieved(const sherd_system *s, const sherd_overstress_step *step,
                                  double *worst, sherd_break_list *list, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int64_t bond = 0; bond < s->bonds.count && step->over > 0 && status == SHERD_OK; ++bond) {
        if (s->bonds.broken[bond] || !(step->start[bond] > 1.0)) continue;
        sherd_bond_analysis now = sherd_bond_analyse(&s->bonds, &s->elements, bond);
        if (now.stress_ratio <= 1.0)
            status = list_by_damage(s, step, bond, &now, worst, list, error);
    }
    return status;
}

// Adds those that exceeded their strengths in the last evaluation.
static sherd_status list_over(const sherd_system *s, const sherd_overstress_step *step,
                              double *worst, sherd_break_list *list, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int b = 0; b < s->blocks.count; ++b) {
        const sherd_bond_block *block = &s->blocks.blocks[b];
        sherd_broken_cursor cursor = {0};
        int64_t bond;
        while (status == SHERD_OK && block->newly_broken_count > 0 &&
               sherd_bond_block_next_broken(&s->blocks, block, &cursor, &bond)) {
            if (begins_to_soften(s, bond)) continue;
            sherd_bond_analysis now = sherd_bond_analyse(&s->bonds, &s->elements, bond);
            if (sherd_bond_takes_time(&s->bonds, bond)) {
                if (now.stress_ratio > 1.0) // otherwise the loop above has found it
                    status = list_by_damage(s, step, bond, &now, worst, list, error);
                continue;
            }
            *worst = fmax(*worst, now.stress_ratio);
            status = add_break(list, s, bond, &now, error);
        }
    }
    return status;
}

sherd_status sherd_list_overstressed(const sherd_system *s, const sherd_overstress_step *overstress,
                                     double fraction, sherd_break_list *list, sherd_error *error)
{
    int64_t first = list->count;
    double worst = 0.0;
    sherd_status status = list_over(s, overstress, &worst, list, error);
    if (status == SHERD_OK) status = list_relieved(s, overstress, &worst, list, error);
    if (status == SHERD_OK) status = list_by_elements(s, &worst, list, error);
    int64_t kept = first;
    for (int64_t k = first; k < list->count; ++k) {
        if (list->ratio[k] < fraction * worst) continue;
        list->broken[kept] = list->broken[k];
        list->ratio[kept++] = list->ratio[k];
    }
    list->count = kept;
    return status;
}

// Marks bonds [first, list->count) as broken, or as intact again.
sherd_status sherd_mark_broken(sherd_system *s, const sherd_break_list *list, int64_t first,
                               uint8_t broken, sherd_error *error)
{
    if (list->count == first) return SHERD_OK;
    for (int64_t k = first; k < list->count; ++k)
        s->bonds.broken[list->broken[k].bond] = broken;
    s->bonds.broken_count += (broken ? 1 : -1) * (list->count - first);
    sherd_implicit_bonds_changed(s->implicit);
    return sherd_bond_blocks_follow(&s->blocks, &s->bonds, &s->elements, error);
}

void sherd_report_breaks(sherd_system *s, sherd_break_list *list)
{
    for (int64_t k = list->reported; k < list->count && s->contacts != NULL; ++k) {
        int64_t bond = list->broken[k].bond;
        sherd_element_index i = s->bonds.i[bond], j = s->bonds.j[bond];
        sherd_contacts_bonds_broke(s->contacts, &i, &j, 1);
    }
    list->reported = list->count;
}

sherd_status sherd_undo_breaks(sherd_system *s, sherd_break_list *list, sherd_error *error)
{
    sherd_status status = sherd_mark_broken(s, list, 0, 0, error);
    if (s->contacts != NULL) sherd_contacts_bonds_restored(s->contacts, list->reported);
    list->count = list->reported = 0;
    return status;
}

sherd_status sherd_account_breaks(sherd_system *s, sherd_break_list *list, double time,
                                  sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int64_t k = 0; k < list->count && status == SHERD_OK; ++k) {
        s->accounts.dissipated_fracture += list->broken[k].energy;
        list->broken[k].time = time;
        status = sherd_break_log_add(&s->breaks, &list->broken[k], error);
    }
    sherd_report_breaks(s, list);
    return status;
}
