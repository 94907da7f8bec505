#include "contact/contact_part.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "bodies/motion_eval.h"
#include "contact/contact_part_state.h"
#include "contact/explicit/pair_build.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- obstacles of a part

// Copies the members that a part owns. No element is listed near the obstacle yet.
static sherd_status copy_obstacle(sherd_obstacle *to, const sherd_obstacle *from, int materials,
                                  sherd_error *error)
{
    size_t numbers = 3 * (size_t)from->point_count, pairings = (size_t)materials;
    *to = *from;
    to->watch = (sherd_obstacle_watch){0};
    to->contacts = (sherd_obstacle_contacts){.count = 0};
    to->motion = (sherd_motion){0};
    to->name = sherd_string_copy(from->name);
    to->points = sherd_alloc(numbers, sizeof *to->points);
    to->pairings = sherd_alloc(pairings, sizeof *to->pairings);
    bool done = to->name != NULL && to->points != NULL && to->pairings != NULL;
    if (!done) return sherd_fail_memory(error, "obstacles of a region");
    if (numbers > 0) memcpy(to->points, from->points, numbers * sizeof *to->points);
    memcpy(to->pairings, from->pairings, pairings * sizeof *to->pairings);
    return sherd_motion_copy(&to->motion, &from->motion, error);
}

static sherd_status copy_obstacles(sherd_contacts *part, const sherd_contacts *whole,
                                   const sherd_contact_members *members, sherd_error *error)
{
    size_t max_count = (size_t)whole->obstacle_count;
    if (!sherd_grow((void **)&part->obstacles, &part->obstacle_capacity, max_count,
                    sizeof *part->obstacles))
        return sherd_fail_memory(error, "obstacles of a region");
    for (int o = 0; o < whole->obstacle_count; ++o) {
        if (sherd_contact_part_lacks(&whole->obstacles[o], members)) continue;
        sherd_obstacle *to = &part->obstacles[part->obstacle_count++];
        sherd_status status = copy_obstacle(to, &whole->obstacles[o], part->material_count, error);
        if (status != SHERD_OK) return status;
    }
    return SHERD_OK;
}

sherd_contacts *sherd_contacts_make_part(const sherd_contacts *whole,
                                         const sherd_contact_members *members, sherd_error *error)
{
    sherd_contact_def def = {whole->material_count, whole->materials, whole->skin, whole->parallel};
    sherd_contacts *part = sherd_contacts_create(&def, error);
    if (part == NULL) return NULL;
    part->kernel = whole->kernel;
    part->faces = whole->faces;
    sherd_status status = copy_obstacles(part, whole, members, error);
    if (status == SHERD_OK) status = sherd_contacts_begin(part, members->count, error);
    if (status == SHERD_OK) return part;
    sherd_contacts_destroy(part);
    return NULL;
}

// ---------------------------------------------------------------- from the whole to a part

void sherd_obstacle_copy_pose(sherd_obstacle *to, const sherd_obstacle *from)
{
    to->body = from->body;
    to->pose = from->pose;
    to->velocity = from->velocity, to->spin = from->spin;
    to->shift = from->shift, to->rotation = from->rotation;
    to->force = from->force, to->torque = from->torque;
}

static sherd_status fetch_near(sherd_obstacle_contacts *to, const sherd_obstacle_contacts *from,
                               const sherd_contact_members *members, sherd_error *error)
{
    size_t count = 0;
    for (size_t c = 0; c < from->count; ++c)
        count += members->local[from->element[c]] >= 0 && from->state[c] != 0;
    sherd_status status = sherd_obstacle_contacts_resize(to, count, error);
    if (status != SHERD_OK) return status;
    to->count = 0;
    for (size_t c = 0; c < from->count; ++c) {
        sherd_element_index k = members->local[from->element[c]];
        if (k < 0 || from->state[c] == 0) continue;
        to->element[to->count] = k;
        to->history[to->count] = from->history[c];
        to->state[to->count++] = from->state[c];
    }
    return SHERD_OK;
}

static sherd_status fetch_obstacles(sherd_contacts *part, const sherd_contacts *whole,
                                    const sherd_contact_members *members, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int o = 0, at = 0; o < whole->obstacle_count && status == SHERD_OK; ++o) {
        const sherd_obstacle *from = &whole->obstacles[o];
        if (sherd_contact_part_lacks(from, members)) continue;
        sherd_obstacle *to = &part->obstacles[at++];
        sherd_obstacle_copy_pose(to, from);
        status = fetch_near(&to->contacts, &from->contacts, members, error);
    }
    return status;
}

static void copy_body_contact(sherd_body_contact *to, const sherd_body_contact *from)
{
    size_t points = (size_t)from->point_count;
    memcpy(to->history, from->history, points * sizeof *to->history);
    memcpy(to->state, from->state, points * sizeof *to->state);
    memcpy(to->due, from->due, points * sizeof *to->due);
    to->travel = from->travel;
    to->next_due = from->next_due;
    to->touching = from->touching;
}

// A pair with its history.
typedef struct pair_history {
    sherd_pair pair;
    uint8_t state;
    sherd_contact_history history;
} pair_history;

typedef struct pair_histories {
    pair_history *list; // owned
    size_t count, capacity;
} pair_histories;

// Adds the pairs that have a history or touch, renumbered. Pairs with an end outside the part are
// left out.
static bool collect_histories(const sherd_contacts *c, const sherd_element_index *number,
                              pair_histories *histories)
{
    for (sherd_pair_cursor at = {0}; sherd_pair_list_next(&c->list, &at);) {
        uint8_t state = sherd_pair_state(&c->list, &at);
        sherd_pair pair = {number[at.pair.i], number[at.pair.j]};
        if (state == 0 || pair.i < 0 || pair.j < 0) continue;
        if (!sherd_grow((void **)&histories->list, &histories->capacity, histories->count + 1,
                        sizeof *histories->list))
            return false;
        const sherd_contact_history *history = sherd_pair_history(&c->list, &at);
        histories->list[histories->count++] =
            (pair_history){pair, state, history != NULL ? *history : (sherd_contact_history){0}};
    }
    return true;
}

// Sorted by (i, j).
static sherd_status restore_histories(sherd_contacts *c, const pair_histories *histories,
                                      sherd_error *error)
{
    sherd_pair *pairs = sherd_alloc(histories->count, sizeof *pairs);
    uint8_t *state = sherd_alloc(histories->count, sizeof *state);
    sherd_contact_history *history = sherd_alloc(histories->count, sizeof *history);
    sherd_pair_source source = {.element_count = c->element_count, .parallel = &c->parallel};
    bool done = pairs != NULL && state != NULL && history != NULL;
    for (size_t k = 0; k < histories->count && done; ++k) {
        pairs[k] = histories->list[k].pair;
        state[k] = histories->list[k].state;
        history[k] = histories->list[k].history;
    }
    sherd_status status = done ? sherd_pair_list_restore(&c->list, pairs, state, history,
                                                         histories->count, &source, error)
                               : sherd_fail_memory(error, "contact pairs");
    sherd_free(pairs);
    sherd_free(state);
    sherd_free(history);
    return status;
}

// Pairs whose bonds broke since the last prepare.
static bool add_broken(sherd_contacts *to, const sherd_contacts *from,
                       const sherd_element_index *number)
{
    for (size_t b = 0; b < from->broken_count; ++b) {
        sherd_pair pair = {number[from->broken[b].i], number[from->broken[b].j]};
        if (pair.i < 0 || pair.j < 0) continue;
        if (!sherd_grow((void **)&to->broken, &to->broken_capacity, to->broken_count + 1,
                        sizeof *to->broken))
            return false;
        to->broken[to->broken_count++] = pair;
    }
    return true;
}

// The lists hold only the pairs that touch. Slack, reference and last-search positions of obstacles
// stay valid, because they belong to one search, however much has moved since.
static void list_anew(sherd_contacts *c)
{
    for (int o = 0; o < c->obstacle_count; ++o)
        c->obstacles[o].min_slack = -INFINITY;
    c->searched = false;
    c->lists_changed = true;
    sherd_displacement_forget(&c->tracker);
}

sherd_status sherd_contacts_fetch(sherd_contacts *part, const sherd_contacts *whole,
                                  const sherd_contact_members *members, sherd_error *error)
{
    sherd_status status = fetch_obstacles(part, whole, members, error);
    for (int b = 0; b < part->body_contact_count; ++b)
        copy_body_contact(&part->body_contacts[b], &whole->body_contacts[b]);
    pair_histories histories = {.count = 0};
    if (status == SHERD_OK && (!collect_histories(whole, members->local, &histories) ||
                               !add_broken(part, whole, members->local)))
        status = sherd_fail_memory(error, "contact pairs");
    if (status == SHERD_OK) status = restore_histories(part, &histories, error);
    if (status == SHERD_OK) status = sherd_rolling_fetch(part, whole, members, error);
    sherd_free(histories.list);
    part->fresh = whole->fresh;
    part->element_eigenvalue = whole->element_eigenvalue;
    part->margins.dt = whole->margins.dt;
    list_anew(part);
    if (status == SHERD_OK) sherd_contacts_recount(part);
    return status;
}

// ---------------------------------------------------------------- from parts to the whole

static int compare_pairs(const void *a, const void *b)
{
    sherd_pair x = ((const pair_history *)a)->pair, y = ((const pair_history *)b)->pair;
    return x.i != y.i ? (x.i > y.i) - (x.i < y.i) : (x.j > y.j) - (x.j < y.j);
}

static sherd_status return_pairs(sherd_contacts *whole, const sherd_contact_part *parts, int count,
                                 sherd_error *error)
{
    pair_histories histories = {.count = 0};
    bool done = true;
    whole->broken_count = 0;
    for (int p = 0; p < count && done; ++p)
        done = collect_histories(parts[p].contacts, parts[p].members.member, &histories) &&
               add_broken(whole, parts[p].contacts, parts[p].members.member);
    if (histories.count > 1)
        qsort(histories.list, histories.count, sizeof *histories.list, compare_pairs);
    sherd_status status = done ? restore_histories(whole, &histories, error)
                               : sherd_fail_memory(error, "contact pairs");
    sherd_free(histories.list);
    return status;
}

// A contact with an obstacle, of all parts.
typedef struct near_history {
    sherd_element_index element;
    size_t order; // position among the obstacle's contacts
    uint8_t state;
    sherd_obstacle_history history;
} near_history;

static int compare_near(const void *a, const void *b)
{
    const near_history *x = a, *y = b;
    if (x->element != y->element) return x->element > y->element ? 1 : -1;
    return (x->order > y->order) - (x->order < y->order);
}

static sherd_status store_near(sherd_obstacle_contacts *to, const near_history *list, size_t count,
                               sherd_error *error)
{
    sherd_status status = sherd_obstacle_contacts_resize(to, count, error);
    if (status != SHERD_OK) return status;
    to->count = count;
    for (size_t c = 0; c < count; ++c) {
        to->element[c] = list[c].element;
        to->state[c] = list[c].state;
        to->history[c] = list[c].history;
    }
    return SHERD_OK;
}

sherd_obstacle *sherd_contacts_image(const sherd_contact_part *part, const sherd_contacts *whole,
                                     int obstacle)
{
    SHERD_ASSERT(obstacle >= 0 && obstacle < whole->obstacle_count,
                 "the obstacle is one of the whole");
    int at = 0;
    for (int o = 0; o < obstacle; ++o)
        at += !sherd_contact_part_lacks(&whole->obstacles[o], &part->members);
    bool left_out = sherd_contact_part_lacks(&whole->obstacles[obstacle], &part->members);
    return left_out ? NULL : &part->contacts->obstacles[at];
}

static sherd_status return_near(sherd_contacts *whole, int obstacle,
                                const sherd_contact_part *parts, int count, sherd_error *error)
{
    size_t max_count = 0, filled = 0;
    for (int p = 0; p < count; ++p) {
        const sherd_obstacle *image = sherd_contacts_image(&parts[p], whole, obstacle);
        max_count += image != NULL ? image->contacts.count : 0;
    }
    near_history *list = sherd_alloc(max_count, sizeof *list);
    if (list == NULL) return sherd_fail_memory(error, "obstacles");
    for (int p = 0; p < count; ++p) {
        const sherd_obstacle *image = sherd_contacts_image(&parts[p], whole, obstacle);
        for (size_t c = 0; image != NULL && c < image->contacts.count; ++c)
            if (image->contacts.state[c] != 0)
                list[filled++] =
                    (near_history){parts[p].members.member[image->contacts.element[c]], c,
                                   image->contacts.state[c], image->contacts.history[c]};
    }
    if (filled > 1) qsort(list, filled, sizeof *list, compare_near);
    sherd_status status = store_near(&whole->obstacles[obstacle].contacts, list, filled, error);
    sherd_free(list);
    return status;
}

sherd_status sherd_contacts_return(sherd_contacts *whole, const sherd_contact_part *parts,
                                   int count, sherd_error *error)
{
    sherd_status status = return_pairs(whole, parts, count, error);
    for (int o = 0; o < whole->obstacle_count && status == SHERD_OK; ++o)
        status = return_near(whole, o, parts, count, error);
    if (status == SHERD_OK) status = sherd_rolling_return(whole, parts, count, error);
    for (int p = 0; p < count; ++p)
        for (int b = 0; b < parts[p].contacts->body_contact_count; ++b)
            copy_body_contact(&whole->body_contacts[b], &parts[p].contacts->body_contacts[b]);
    whole->fresh = false;
    list_anew(whole);
    if (status == SHERD_OK) sherd_contacts_recount(whole);
    return status;
}
