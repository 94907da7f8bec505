// Saving and restoring everything that changes, bit for bit.
#include "base/byte_buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_system.h"
#include "contact/explicit/pair_build.h"

#include <string.h>

static const uint64_t FORMAT = UINT64_C(0x000a746361746e63); // "cntact", version 10

// Fixed-size parts, as one record each.
typedef struct contacts_record {
    uint64_t format;
    int64_t element_count, obstacle_count, material_count, body_contact_count;
    int64_t pair_count, history_count, broken_count; // pairs, and those that remember or touch
    int64_t searched, fresh, touching, renewed, part_count, part_length;
    double skin, element_eigenvalue, elapsed, dt, stored, pending, damped, slid, onset, work;
    sherd_vec3 drift;
    sherd_bounds seen_in;
} contacts_record;

typedef struct obstacle_record {
    int64_t contact_count;
    sherd_rigid_body body;
    sherd_pose pose, reference;
    sherd_vec3 velocity, spin, shift, turn, force, torque;
    double moved, least_slack;
} obstacle_record;

typedef struct body_contact_record {
    int64_t point_count, touching;
    double travel, next_due;
} body_contact_record;

static contacts_record record_of(const sherd_contacts *c)
{
    return (contacts_record){
        .format = FORMAT,
        .element_count = c->begun ? c->element_count : -1,
        .obstacle_count = c->obstacle_count,
        .material_count = c->material_count,
        .body_contact_count = c->body_contact_count,
        .pair_count = sherd_pair_list_count(&c->list),
        .history_count = sherd_pair_list_history_count(&c->list),
        .broken_count = (int64_t)c->broken_count,
        .searched = c->searched,
        .fresh = c->fresh,
        .touching = c->touching,
        .renewed = c->margins.renewed,
        .skin = c->skin,
        .element_eigenvalue = c->element_eigenvalue,
        .elapsed = c->margins.elapsed,
        .dt = c->margins.dt,
        .drift = c->margins.drift,
        .stored = c->stored,
        .pending = c->pending,
        .damped = c->damped,
        .slid = c->slid,
        .onset = c->onset,
        .work = c->work,
        .seen_in = c->seen_in,
        .part_count = (int64_t)c->tracker.count,
        .part_length = (int64_t)c->tracker.length,
    };
}

enum { SEARCH_COLUMNS = 7 };

static void search_columns(const sherd_contacts *c, double *columns[SEARCH_COLUMNS])
{
    double *all[SEARCH_COLUMNS] = {c->seen_x,    c->seen_y,    c->seen_z,        c->margins.x,
                                   c->margins.y, c->margins.z, c->margins.margin};
    memcpy(columns, all, sizeof all);
}

static void save_obstacle(const sherd_obstacle *o, size_t elements, sherd_byte_buffer *out)
{
    size_t count = o->contacts.count;
    obstacle_record record = {
        (int64_t)count, o->body, o->pose,  o->reference, o->velocity, o->spin,
        o->shift,       o->turn, o->force, o->torque,    o->moved,    o->least_slack,
    };
    sherd_byte_buffer_append_block(out, &record, sizeof record);
    sherd_byte_buffer_append_block(out, o->slack, elements * sizeof *o->slack);
    sherd_byte_buffer_append_block(out, o->contacts.element, count * sizeof *o->contacts.element);
    sherd_byte_buffer_append_block(out, o->contacts.history, count * sizeof *o->contacts.history);
    sherd_byte_buffer_append_block(out, o->contacts.state, count);
}

static void save_body_contact(const sherd_body_contact *b, sherd_byte_buffer *out)
{
    body_contact_record record = {b->point_count, b->touching, b->travel, b->next_due};
    size_t points = (size_t)b->point_count;
    sherd_byte_buffer_append_block(out, &record, sizeof record);
    sherd_byte_buffer_append_block(out, b->history, points * sizeof *b->history);
    sherd_byte_buffer_append_block(out, b->state, points);
    sherd_byte_buffer_append_block(out, b->due, points * sizeof *b->due);
}

// Pairs, then their states, then the histories of those that have a state.
static void save_pairs(const sherd_pair_list *list, sherd_byte_buffer *out)
{
    sherd_pair_cursor at = {0};
    while (sherd_pair_list_next(list, &at))
        sherd_byte_buffer_append(out, &at.pair, sizeof at.pair);
    for (at = (sherd_pair_cursor){0}; sherd_pair_list_next(list, &at);) {
        uint8_t state = 0;
        if (sherd_pair_history(list, &at) != NULL) state |= SHERD_PAIR_REMEMBERS;
        if (sherd_pair_touches(list, &at)) state |= SHERD_PAIR_TOUCHES;
        sherd_byte_buffer_append(out, &state, sizeof state);
    }
    for (at = (sherd_pair_cursor){0}; sherd_pair_list_next(list, &at);) {
        const sherd_contact_history *history = sherd_pair_history(list, &at);
        if (history != NULL) sherd_byte_buffer_append(out, history, sizeof *history);
    }
}

sherd_status sherd_contacts_save(const sherd_contacts *c, sherd_byte_buffer *out,
                                 sherd_error *error)
{
    contacts_record record = record_of(c);
    size_t n = c->begun ? (size_t)c->element_count : 0;
    sherd_byte_buffer_append_block(out, &record, sizeof record);
    sherd_byte_buffer_append_block(out, c->broken, c->broken_count * sizeof *c->broken);
    sherd_byte_buffer_append_block(out, c->tracker.parts,
                                   c->tracker.count * sizeof *c->tracker.parts);
    save_pairs(&c->list, out);
    double *columns[SEARCH_COLUMNS];
    search_columns(c, columns);
    for (int a = 0; a < SEARCH_COLUMNS && c->begun; ++a)
        sherd_byte_buffer_append_block(out, columns[a], n * sizeof(double));
    for (int o = 0; o < c->obstacle_count; ++o)
        save_obstacle(&c->obstacles[o], n, out);
    for (int b = 0; b < c->body_contact_count; ++b)
        save_body_contact(&c->body_contacts[b], out);
    return out->failed ? sherd_fail_memory(error, "saved contacts") : SHERD_OK;
}

static sherd_status fail_damaged(sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, "contacts", "was it saved by another version?",
                      "the saved state is damaged or incomplete");
}

// Sizes must fit what is left to read before anything is allocated for them.
static bool fits(const sherd_byte_reader *in, int64_t count, size_t item_size)
{
    return count >= 0 && (uint64_t)count <= (in->size - in->at) / item_size;
}

static bool parts_fit(const contacts_record *r, const sherd_byte_reader *in)
{
    if (r->part_count == 0) return true;
    return r->part_length > 0 && r->part_length <= INT32_MAX &&
           r->part_count == (r->element_count + r->part_length - 1) / r->part_length &&
           fits(in, r->part_count, sizeof(sherd_displacement_part));
}

static sherd_status check_record(const sherd_contacts *c, const contacts_record *r,
                                 const sherd_byte_reader *in, sherd_error *error)
{
    if (in->failed || r->format != FORMAT) return fail_damaged(error);
    if (r->obstacle_count != c->obstacle_count || r->material_count != c->material_count ||
        r->skin != c->skin ||
        (c->begun && r->element_count >= 0 && r->element_count != c->element_count))
        return sherd_fail(error, SHERD_ERROR_INPUT, "contacts",
                          "restore into a world built from the same definitions",
                          "the saved state is of another world: %lld elements, %lld obstacles",
                          (long long)r->element_count, (long long)r->obstacle_count);
    if (r->element_count < -1 || r->element_count > INT32_MAX ||
        !fits(in, r->element_count + 1, SEARCH_COLUMNS * sizeof(double)) ||
        !fits(in, r->pair_count, sizeof(sherd_pair)) ||
        !fits(in, r->history_count, sizeof(sherd_contact_history)) ||
        !fits(in, r->broken_count, sizeof(sherd_pair)) || !parts_fit(r, in))
        return fail_damaged(error);
    return SHERD_OK;
}

typedef struct saved_pairs {
    sherd_pair *pairs;
    uint8_t *state;
    sherd_contact_history *history;
    size_t count, history_count;
} saved_pairs;

static void free_saved(saved_pairs *saved)
{
    sherd_free(saved->pairs);
    sherd_free(saved->state);
    sherd_free(saved->history);
}

static sherd_status take_pairs(saved_pairs *saved, sherd_byte_reader *in, sherd_error *error)
{
    saved->pairs = sherd_alloc(saved->count, sizeof *saved->pairs);
    saved->state = sherd_alloc(saved->count, sizeof *saved->state);
    saved->history = sherd_alloc(saved->history_count, sizeof *saved->history);
    if (saved->pairs == NULL || saved->state == NULL || saved->history == NULL)
        return sherd_fail_memory(error, "contact pairs");
    sherd_byte_reader_take(in, saved->pairs, saved->count * sizeof *saved->pairs);
    sherd_byte_reader_take(in, saved->state, saved->count);
    sherd_byte_reader_take(in, saved->history, saved->history_count * sizeof *saved->history);
    return in->failed ? fail_damaged(error) : SHERD_OK;
}

// In order, of elements that exist, with as many histories as there are states.
static bool pairs_are_valid(const saved_pairs *saved, sherd_element_index elements)
{
    size_t histories = 0;
    for (size_t c = 0; c < saved->count; ++c) {
        sherd_pair at = saved->pairs[c], before = c > 0 ? saved->pairs[c - 1] : (sherd_pair){-1, 0};
        if (at.i < 0 || at.j >= elements || at.i >= at.j) return false;
        if (at.i < before.i || (at.i == before.i && at.j <= before.j)) return false;
        histories += saved->state[c] != 0;
    }
    return histories == saved->history_count;
}

static sherd_status restore_parts(sherd_contacts *c, const contacts_record *r,
                                  sherd_byte_reader *in, sherd_error *error)
{
    sherd_displacement_tracker *d = &c->tracker;
    size_t elements = (size_t)r->element_count;
    sherd_displacement_free(d);
    sherd_status status = SHERD_OK;
    if (r->part_count > 0)
        status = sherd_displacement_divide(d, elements, (size_t)r->part_length, error);
    if (status != SHERD_OK) return status;
    sherd_byte_reader_take_block(in, d->parts, d->count * sizeof *d->parts);
    return in->failed ? fail_damaged(error) : SHERD_OK;
}

static sherd_status restore_pairs(sherd_contacts *c, const contacts_record *r,
                                  sherd_byte_reader *in, sherd_error *error)
{
    size_t broken = (size_t)r->broken_count;
    if (!sherd_grow((void **)&c->broken, &c->broken_capacity, broken, sizeof *c->broken))
        return sherd_fail_memory(error, "broken bonds");
    sherd_byte_reader_take_block(in, c->broken, broken * sizeof *c->broken);
    c->broken_count = in->failed ? 0 : broken;
    sherd_status status = restore_parts(c, r, in, error);
    if (status != SHERD_OK) return status;
    saved_pairs saved = {.count = (size_t)r->pair_count, .history_count = (size_t)r->history_count};
    sherd_pair_source source = {.element_count = c->begun ? c->element_count : 0,
                                .parallel = &c->parallel};
    status = take_pairs(&saved, in, error);
    if (status == SHERD_OK && !pairs_are_valid(&saved, source.element_count))
        status = fail_damaged(error);
    if (status == SHERD_OK && c->begun)
        status = sherd_pair_list_restore(&c->list, saved.pairs, saved.state, saved.history,
                                         saved.count, &source, error);
    free_saved(&saved);
    return status;
}

static bool elements_are_valid(const sherd_obstacle_contacts *contacts,
                               sherd_element_index elements)
{
    for (size_t c = 0; c < contacts->count; ++c)
        if (contacts->element[c] < 0 || contacts->element[c] >= elements ||
            (c > 0 && contacts->element[c] <= contacts->element[c - 1]))
            return false;
    return true;
}

// What a free body weighs follows from its definition.
static bool weighs_as_defined(const sherd_obstacle *o, const sherd_rigid_body *saved)
{
    return memcmp(&o->body.properties, &saved->properties, sizeof saved->properties) == 0;
}

static sherd_status restore_obstacle(sherd_obstacle *o, sherd_element_index elements,
                                     sherd_byte_reader *in, sherd_error *error)
{
    obstacle_record r;
    sherd_byte_reader_take_block(in, &r, sizeof r);
    if (in->failed || !fits(in, r.contact_count, sizeof(sherd_obstacle_history)) ||
        !weighs_as_defined(o, &r.body))
        return fail_damaged(error);
    size_t count = (size_t)r.contact_count;
    sherd_status status = sherd_obstacle_contacts_resize(&o->contacts, count, error);
    if (status != SHERD_OK) return status;
    sherd_byte_reader_take_block(in, o->slack, (size_t)elements * sizeof *o->slack);
    sherd_byte_reader_take_block(in, o->contacts.element, count * sizeof *o->contacts.element);
    sherd_byte_reader_take_block(in, o->contacts.history, count * sizeof *o->contacts.history);
    sherd_byte_reader_take_block(in, o->contacts.state, count);
    if (in->failed || !elements_are_valid(&o->contacts, elements)) {
        o->contacts.count = 0;
        return fail_damaged(error);
    }
    o->body = r.body;
    o->pose = r.pose;
    o->reference = r.reference;
    o->velocity = r.velocity;
    o->spin = r.spin;
    o->shift = r.shift;
    o->turn = r.turn;
    o->force = r.force;
    o->torque = r.torque;
    o->moved = r.moved;
    o->least_slack = r.least_slack;
    return SHERD_OK;
}

static sherd_status restore_body_contact(sherd_body_contact *b, sherd_byte_reader *in,
                                         sherd_error *error)
{
    body_contact_record r;
    sherd_byte_reader_take_block(in, &r, sizeof r);
    if (in->failed || r.point_count != b->point_count) return fail_damaged(error);
    size_t points = (size_t)b->point_count;
    sherd_byte_reader_take_block(in, b->history, points * sizeof *b->history);
    sherd_byte_reader_take_block(in, b->state, points);
    sherd_byte_reader_take_block(in, b->due, points * sizeof *b->due);
    b->touching = (int32_t)r.touching;
    b->travel = r.travel;
    b->next_due = r.next_due;
    return in->failed ? fail_damaged(error) : SHERD_OK;
}

static sherd_status restore_running(sherd_contacts *c, sherd_byte_reader *in, sherd_error *error)
{
    size_t n = (size_t)c->element_count;
    sherd_status status = SHERD_OK;
    double *columns[SEARCH_COLUMNS];
    search_columns(c, columns);
    for (int a = 0; a < SEARCH_COLUMNS; ++a)
        sherd_byte_reader_take_block(in, columns[a], n * sizeof(double));
    for (int o = 0; o < c->obstacle_count && status == SHERD_OK; ++o)
        status = restore_obstacle(&c->obstacles[o], c->element_count, in, error);
    for (int b = 0; b < c->body_contact_count && status == SHERD_OK; ++b)
        status = restore_body_contact(&c->body_contacts[b], in, error);
    return status;
}

// A state saved before the first step: nothing was searched or touched yet.
static sherd_status restore_unbegun(sherd_contacts *c, sherd_byte_reader *in, sherd_error *error)
{
    size_t n = c->begun ? (size_t)c->element_count : 0;
    for (int o = 0; o < c->obstacle_count; ++o) {
        if (c->obstacles[o].slack != NULL)
            memset(c->obstacles[o].slack, 0, n * sizeof *c->obstacles[o].slack);
        sherd_status status = restore_obstacle(&c->obstacles[o], 0, in, error);
        if (status != SHERD_OK) return status;
    }
    for (int b = 0; b < c->body_contact_count; ++b) {
        sherd_body_contact *at = &c->body_contacts[b];
        size_t points = (size_t)at->point_count;
        memset(at->history, 0, points * sizeof *at->history);
        memset(at->state, 0, points);
        memset(at->due, 0, points * sizeof *at->due);
        at->travel = at->next_due = 0.0;
        at->touching = 0;
    }
    return SHERD_OK;
}

sherd_status sherd_contacts_restore(sherd_contacts *c, sherd_byte_reader *in, sherd_error *error)
{
    contacts_record r;
    sherd_byte_reader_take_block(in, &r, sizeof r);
    sherd_status status = check_record(c, &r, in, error);
    if (status != SHERD_OK) return status;
    bool begun = r.element_count >= 0;
    if (begun) status = sherd_contacts_begin(c, (sherd_element_index)r.element_count, error);
    if (status == SHERD_OK) status = restore_pairs(c, &r, in, error);
    if (status == SHERD_OK)
        status = begun ? restore_running(c, in, error) : restore_unbegun(c, in, error);
    if (status != SHERD_OK) return status;
    c->searched = r.searched;
    sherd_pair_search_forget(&c->search);
    c->fresh = r.fresh;
    c->touching = r.touching;
    if (begun) c->element_eigenvalue = r.element_eigenvalue;
    c->margins.elapsed = r.elapsed;
    c->margins.renewed = r.renewed;
    c->margins.dt = r.dt;
    c->margins.drift = r.drift;
    c->stored = r.stored;
    c->pending = r.pending;
    c->damped = r.damped;
    c->slid = r.slid;
    c->onset = r.onset;
    c->work = r.work;
    c->seen_in = r.seen_in;
    sherd_contacts_recount(c);
    return SHERD_OK;
}
