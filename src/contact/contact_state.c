// Saving and restoring the whole changing state, bit for bit.
#include "contact/contact_state.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_system.h"
#include "contact/explicit/obstacle_distances.h"
#include "contact/explicit/obstacle_distances_state.h"
#include "contact/explicit/pair_build.h"
#include "math/quat.h"

#include <string.h>

// ---------------------------------------------------------------- sizes

// Sizes that a saved state must match.
static const sherd_row_member OWNER[] = {
    SHERD_MEMBER(sherd_contacts, begun), SHERD_MEMBER(sherd_contacts, element_count),
    SHERD_MEMBER(sherd_contacts, material_count), SHERD_MEMBER(sherd_contacts, obstacle_count),
    SHERD_MEMBER(sherd_contacts, skin)};
static const sherd_row_layout OWNER_LAYOUT = SHERD_ROW_LAYOUT(sherd_contacts, OWNER);

static const sherd_row_member STATE[] = {
    SHERD_MEMBER(sherd_contacts, searched),
    SHERD_MEMBER(sherd_contacts, fresh),
    SHERD_MEMBER(sherd_contacts, touching),
    SHERD_MEMBER(sherd_contacts, element_eigenvalue),
    SHERD_MEMBER(sherd_contacts, margins.renewed),
    SHERD_MEMBER(sherd_contacts, margins.elapsed),
    SHERD_MEMBER(sherd_contacts, margins.dt),
    SHERD_MEMBER(sherd_contacts, margins.drift),
    SHERD_MEMBER(sherd_contacts, stored),
    SHERD_MEMBER(sherd_contacts, pending),
    SHERD_MEMBER(sherd_contacts, damped),
    SHERD_MEMBER(sherd_contacts, slid),
    SHERD_MEMBER(sherd_contacts, onset),
    SHERD_MEMBER(sherd_contacts, work),
    SHERD_NAMED_MEMBER(sherd_contacts, search_bounds, "seen_in")};
static const sherd_row_layout STATE_LAYOUT = SHERD_ROW_LAYOUT(sherd_contacts, STATE);

static const sherd_row_member PAIR[] = {SHERD_MEMBER(sherd_pair, i), SHERD_MEMBER(sherd_pair, j)};
const sherd_row_layout sherd_pair_layout = SHERD_ROW_LAYOUT(sherd_pair, PAIR);

static const sherd_row_member HISTORY[] = {
    SHERD_MEMBER(sherd_contact_history, rest_overlap), SHERD_MEMBER(sherd_contact_history, damping),
    SHERD_MEMBER(sherd_contact_history, pressing), SHERD_MEMBER(sherd_contact_history, spring),
    SHERD_MEMBER(sherd_contact_history, tangential)};
const sherd_row_layout sherd_contact_history_layout =
    SHERD_ROW_LAYOUT(sherd_contact_history, HISTORY);

static const sherd_row_member OBSTACLE_HISTORY[] = {
    SHERD_NAMED_MEMBER(sherd_obstacle_history, contact.rest_overlap, "rest_overlap"),
    SHERD_NAMED_MEMBER(sherd_obstacle_history, contact.damping, "damping"),
    SHERD_NAMED_MEMBER(sherd_obstacle_history, contact.pressing, "pressing"),
    SHERD_NAMED_MEMBER(sherd_obstacle_history, contact.spring, "spring"),
    SHERD_NAMED_MEMBER(sherd_obstacle_history, contact.tangential, "tangential"),
    SHERD_MEMBER(sherd_obstacle_history, lasting),
    SHERD_MEMBER(sherd_obstacle_history, filled),
    SHERD_MEMBER(sherd_obstacle_history, slides),
    SHERD_MEMBER(sherd_obstacle_history, normal),
    SHERD_MEMBER(sherd_obstacle_history, resting)};
const sherd_row_layout sherd_obstacle_history_layout =
    SHERD_ROW_LAYOUT(sherd_obstacle_history, OBSTACLE_HISTORY);

static const sherd_row_member PART[] = {
    SHERD_MEMBER(sherd_displacement_part, positions),
    SHERD_MEMBER(sherd_displacement_part, range),
    SHERD_NAMED_MEMBER(sherd_displacement_part, remaining, "left"),
    SHERD_MEMBER(sherd_displacement_part, since),
    SHERD_NAMED_MEMBER(sherd_displacement_part, since_search, "since_seen"),
    SHERD_MEMBER(sherd_displacement_part, lost)};
const sherd_row_layout sherd_displacement_part_layout =
    SHERD_ROW_LAYOUT(sherd_displacement_part, PART);

static const sherd_row_member OBSTACLE[] = {
    SHERD_NAMED_MEMBER(sherd_obstacle, contacts.count, "contacts"),
    SHERD_NAMED_MEMBER(sherd_obstacle, body.properties.mass, "mass"),
    SHERD_NAMED_MEMBER(sherd_obstacle, body.properties.centre, "mass_centre"),
    SHERD_NAMED_MEMBER(sherd_obstacle, body.properties.inertia, "inertia"),
    SHERD_NAMED_MEMBER(sherd_obstacle, body.properties.axes, "axes"),
    SHERD_MEMBER(sherd_obstacle, body.start),
    SHERD_MEMBER(sherd_obstacle, body.centre),
    SHERD_MEMBER(sherd_obstacle, body.rotation),
    SHERD_MEMBER(sherd_obstacle, body.velocity),
    SHERD_MEMBER(sherd_obstacle, body.angular_momentum),
    SHERD_MEMBER(sherd_obstacle, pose),
    SHERD_MEMBER(sherd_obstacle, reference),
    SHERD_MEMBER(sherd_obstacle, velocity),
    SHERD_MEMBER(sherd_obstacle, spin),
    SHERD_MEMBER(sherd_obstacle, shift),
    SHERD_NAMED_MEMBER(sherd_obstacle, rotation, "turn"),
    SHERD_MEMBER(sherd_obstacle, force),
    SHERD_MEMBER(sherd_obstacle, torque),
    SHERD_MEMBER(sherd_obstacle, moved),
    SHERD_NAMED_MEMBER(sherd_obstacle, min_slack, "least_slack")};
static const sherd_row_layout OBSTACLE_LAYOUT = SHERD_ROW_LAYOUT(sherd_obstacle, OBSTACLE);

static const sherd_row_member BODY_CONTACT[] = {
    SHERD_MEMBER(sherd_body_contact, point_count), SHERD_MEMBER(sherd_body_contact, touching),
    SHERD_MEMBER(sherd_body_contact, travel), SHERD_MEMBER(sherd_body_contact, next_due)};
static const sherd_row_layout BODY_CONTACT_LAYOUT =
    SHERD_ROW_LAYOUT(sherd_body_contact, BODY_CONTACT);

enum { SEARCH_COLUMNS = 7 };

static void search_columns(const sherd_contacts *c, sherd_record_column columns[SEARCH_COLUMNS])
{
    const struct {
        const char *name;
        double *array;
    } all[SEARCH_COLUMNS] = {{"seen_x", c->search_x},      {"seen_y", c->search_y},
                             {"seen_z", c->search_z},      {"listed_x", c->margins.x},
                             {"listed_y", c->margins.y},   {"listed_z", c->margins.z},
                             {"margin", c->margins.margin}};
    for (int a = 0; a < SEARCH_COLUMNS; ++a)
        columns[a] = (sherd_record_column){all[a].name, &sherd_rows_f64, all[a].array,
                                           (size_t)c->element_count, 0};
}

// ---------------------------------------------------------------- saving

// Pairs, then their states, then the histories of those that have a state.
static void save_pairs(const sherd_pair_list *list, sherd_byte_buffer *out)
{
    sherd_pair_cursor at = {0};
    size_t count = (size_t)sherd_pair_list_count(list);
    sherd_record_write_head(out, "pairs", &sherd_pair_layout, count);
    while (sherd_pair_list_next(list, &at))
        sherd_byte_buffer_append(out, &at.pair, sizeof at.pair);
    sherd_record_write_head(out, "pair_states", &sherd_rows_u8, count);
    for (at = (sherd_pair_cursor){0}; sherd_pair_list_next(list, &at);) {
        uint8_t state = sherd_pair_state(list, &at);
        sherd_byte_buffer_append(out, &state, sizeof state);
    }
    sherd_record_write_head(out, "pair_histories", &sherd_contact_history_layout,
                            (size_t)sherd_pair_list_history_count(list));
    for (at = (sherd_pair_cursor){0}; sherd_pair_list_next(list, &at);) {
        const sherd_contact_history *history = sherd_pair_history(list, &at);
        if (history != NULL) sherd_byte_buffer_append(out, history, sizeof *history);
    }
}

// Arrays of all obstacles are concatenated.
static void save_obstacles(const sherd_contacts *c, sherd_byte_buffer *out)
{
    size_t count = (size_t)c->obstacle_count, sum = 0;
    size_t begun = sherd_record_begin(out, "obstacles");
    for (size_t o = 0; o < count; ++o)
        sum += c->obstacles[o].contacts.count;
    sherd_record_write(out,
                       &(sherd_record_column){"state", &OBSTACLE_LAYOUT, c->obstacles, count, 0});
    sherd_obstacle_watches_save(c->obstacles, c->begun ? count : 0, out);
    sherd_record_write_head(out, "elements", &sherd_rows_i32, sum);
    for (size_t o = 0; o < count; ++o)
        sherd_record_write_rows(out, &sherd_rows_i32, c->obstacles[o].contacts.element,
                                c->obstacles[o].contacts.count);
    sherd_record_write_head(out, "histories", &sherd_obstacle_history_layout, sum);
    for (size_t o = 0; o < count; ++o)
        sherd_record_write_rows(out, &sherd_obstacle_history_layout,
                                c->obstacles[o].contacts.history, c->obstacles[o].contacts.count);
    sherd_record_write_head(out, "contact_states", &sherd_rows_u8, sum);
    for (size_t o = 0; o < count; ++o)
        sherd_record_write_rows(out, &sherd_rows_u8, c->obstacles[o].contacts.state,
                                c->obstacles[o].contacts.count);
    sherd_record_end(out, begun);
}

static size_t count_points(const sherd_contacts *c)
{
    size_t sum = 0;
    for (int b = 0; b < c->body_contact_count; ++b)
        sum += (size_t)c->body_contacts[b].point_count;
    return sum;
}

static void save_bodies(const sherd_contacts *c, sherd_byte_buffer *out)
{
    size_t begun = sherd_record_begin(out, "bodies"), points = count_points(c);
    int count = c->body_contact_count;
    const sherd_body_contact *bodies = c->body_contacts;
    sherd_record_write(out, &(sherd_record_column){"state", &BODY_CONTACT_LAYOUT, c->body_contacts,
                                                   (size_t)count, 0});
    sherd_record_write_head(out, "histories", &sherd_obstacle_history_layout, points);
    for (int b = 0; b < count; ++b)
        sherd_record_write_rows(out, &sherd_obstacle_history_layout, bodies[b].history,
                                (size_t)bodies[b].point_count);
    sherd_record_write_head(out, "contact_states", &sherd_rows_u8, points);
    for (int b = 0; b < count; ++b)
        sherd_record_write_rows(out, &sherd_rows_u8, bodies[b].state,
                                (size_t)bodies[b].point_count);
    sherd_record_write_head(out, "due", &sherd_rows_f64, points);
    for (int b = 0; b < count; ++b)
        sherd_record_write_rows(out, &sherd_rows_f64, bodies[b].due, (size_t)bodies[b].point_count);
    sherd_record_end(out, begun);
}

sherd_status sherd_contacts_save(const sherd_contacts *c, sherd_byte_buffer *out,
                                 sherd_error *error)
{
    const sherd_displacement_tracker *d = &c->tracker;
    const uint64_t length = d->length;
    size_t begun = sherd_record_begin(out, "contacts");
    sherd_record_write_one(out, "owner", &OWNER_LAYOUT, c);
    sherd_record_write_one(out, "state", &STATE_LAYOUT, c);
    sherd_record_write(
        out, &(sherd_record_column){"broken", &sherd_pair_layout, c->broken, c->broken_count, 0});
    sherd_record_write_one(out, "part_length", &sherd_rows_u64, &length);
    sherd_record_write(out, &(sherd_record_column){"parts", &sherd_displacement_part_layout,
                                                   d->parts, d->count, 0});
    save_pairs(&c->list, out);
    save_obstacles(c, out);
    if (c->begun) {
        sherd_record_column columns[SEARCH_COLUMNS];
        search_columns(c, columns);
        sherd_record_write_all(out, columns, SEARCH_COLUMNS);
        save_bodies(c, out);
        sherd_rolling_save(c, out);
    }
    sherd_record_end(out, begun);
    return out->failed ? sherd_fail_memory(error, "saved contacts") : SHERD_OK;
}

// ---------------------------------------------------------------- restoring

static sherd_status fail_damaged(sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, "contacts", "was it saved by another version?",
                      "the saved state is damaged or incomplete");
}

// `saved` may be of the same world. Its number of elements is limited by the bytes it has.
static sherd_status check_owner(const sherd_contacts *c, const sherd_contacts *saved,
                                sherd_record_reader *in, sherd_error *error)
{
    if (in->status != SHERD_OK) return in->status;
    if (saved->obstacle_count != c->obstacle_count || saved->material_count != c->material_count ||
        saved->skin != c->skin ||
        (c->begun && saved->begun && saved->element_count != c->element_count))
        return sherd_fail(error, SHERD_ERROR_INPUT, "contacts",
                          "restore into a world built from the same definitions",
                          "the saved state is of another world: %lld elements, %lld obstacles",
                          (long long)saved->element_count, (long long)saved->obstacle_count);
    if (!saved->begun) return SHERD_OK;
    size_t elements = sherd_record_rows(in, "seen_x");
    if (in->status != SHERD_OK) return in->status;
    bool fits = saved->element_count >= 0 && (size_t)saved->element_count == elements;
    return fits ? SHERD_OK : fail_damaged(error);
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

static sherd_status read_pairs(saved_pairs *saved, sherd_record_reader *in, sherd_error *error)
{
    saved->count = sherd_record_rows(in, "pairs");
    saved->history_count = sherd_record_rows(in, "pair_histories");
    if (in->status != SHERD_OK) return in->status;
    saved->pairs = sherd_alloc(saved->count, sizeof *saved->pairs);
    saved->state = sherd_alloc(saved->count, sizeof *saved->state);
    saved->history = sherd_alloc(saved->history_count, sizeof *saved->history);
    if (saved->pairs == NULL || saved->state == NULL || saved->history == NULL)
        return sherd_fail_memory(error, "contact pairs");
    const sherd_record_column columns[] = {
        {"pairs", &sherd_pair_layout, saved->pairs, saved->count, 0},
        {"pair_states", &sherd_rows_u8, saved->state, saved->count, 0},
        {"pair_histories", &sherd_contact_history_layout, saved->history, saved->history_count, 0}};
    sherd_record_read_all(in, columns, 3);
    return in->status;
}

// Checks that pairs are sorted, that their elements exist, and that there are as many histories as
// states.
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

static sherd_status restore_parts(sherd_contacts *c, sherd_record_reader *in, sherd_error *error)
{
    sherd_displacement_tracker *d = &c->tracker;
    uint64_t length = 0;
    sherd_record_read_one(in, "part_length", &sherd_rows_u64, &length);
    size_t count = sherd_record_rows(in, "parts");
    size_t elements = c->begun ? (size_t)c->element_count : 0;
    sherd_displacement_free(d);
    if (in->status != SHERD_OK) return in->status;
    if (count > 0) {
        if (length == 0 || length > INT32_MAX || count != (elements + length - 1) / length)
            return fail_damaged(error);
        sherd_status status = sherd_displacement_divide(d, elements, (size_t)length, error);
        if (status != SHERD_OK) return status;
    }
    sherd_record_read(in, &(sherd_record_column){"parts", &sherd_displacement_part_layout, d->parts,
                                                 d->count, 0});
    return in->status;
}

static sherd_status restore_broken(sherd_contacts *c, sherd_record_reader *in, sherd_error *error)
{
    size_t count = sherd_record_rows(in, "broken");
    c->broken_count = 0;
    if (in->status != SHERD_OK) return in->status;
    if (!sherd_grow((void **)&c->broken, &c->broken_capacity, count, sizeof *c->broken))
        return sherd_fail_memory(error, "broken bonds");
    sherd_record_read(in,
                      &(sherd_record_column){"broken", &sherd_pair_layout, c->broken, count, 0});
    if (in->status == SHERD_OK) c->broken_count = count;
    return in->status;
}

static sherd_status restore_pairs(sherd_contacts *c, sherd_record_reader *in, sherd_error *error)
{
    saved_pairs saved = {0};
    sherd_pair_source source = {.element_count = c->begun ? c->element_count : 0,
                                .parallel = &c->parallel};
    sherd_status status = read_pairs(&saved, in, error);
    if (status == SHERD_OK && !pairs_are_valid(&saved, source.element_count))
        status = fail_damaged(error);
    if (status == SHERD_OK && c->begun)
        status = sherd_pair_list_restore(&c->list, saved.pairs, saved.state, saved.history,
                                         saved.count, &source, error);
    free_saved(&saved);
    return status;
}

// Checks that contacts are sorted, with as many entries per element as the obstacle has contact
// locations, or at most as many where the obstacle will be searched again.
static bool elements_are_valid(const sherd_obstacle *o, double min_slack,
                               sherd_element_index elements)
{
    const sherd_obstacle_contacts *contacts = &o->contacts;
    size_t each = (size_t)o->location_count, first = 0;
    bool whole = min_slack != -INFINITY;
    if (whole && contacts->count % each != 0) return false;
    for (size_t c = 0; c < contacts->count; ++c) {
        sherd_element_index k = contacts->element[c];
        if (k < 0 || k >= elements || (c > 0 && k < contacts->element[c - 1])) return false;
        bool begins = c == 0 || k > contacts->element[c - 1];
        if (begins) first = c;
        if (c - first >= each || (whole && begins && c % each != 0)) return false;
    }
    return true;
}

// The mass of a free body follows from its definition.
static bool weighs_as_defined(const sherd_obstacle *o, const sherd_rigid_body *saved)
{
    return memcmp(&o->body.properties, &saved->properties, sizeof saved->properties) == 0;
}

// A rotation by a quaternion of another length would scale the body. Only free bodies rotate by it.
static bool has_a_valid_rotation(const sherd_obstacle *o, const sherd_rigid_body *saved)
{
    return o->kind != SHERD_OBSTACLE_FREE || quat_is_unit(saved->rotation);
}

typedef struct obstacle_arrays {
    sherd_record_pieces elements, histories, states;
} obstacle_arrays;

// `saved` has the members of its row.
static sherd_status restore_obstacle(sherd_obstacle *o, const sherd_obstacle *saved,
                                     sherd_element_index elements, obstacle_arrays *arrays,
                                     sherd_record_reader *in, sherd_error *error)
{
    size_t count = saved->contacts.count;
    if (count > arrays->elements.left || !weighs_as_defined(o, &saved->body) ||
        !has_a_valid_rotation(o, &saved->body))
        return fail_damaged(error);
    sherd_status status = sherd_obstacle_contacts_resize(&o->contacts, count, error);
    if (status != SHERD_OK) return status;
    sherd_record_read_rows(in, &arrays->elements, o->contacts.element, count);
    sherd_record_read_rows(in, &arrays->histories, o->contacts.history, count);
    sherd_record_read_rows(in, &arrays->states, o->contacts.state, count);
    if (in->status != SHERD_OK || !elements_are_valid(o, saved->min_slack, elements)) {
        o->contacts.count = 0;
        return in->status != SHERD_OK ? in->status : fail_damaged(error);
    }
    // Obstacles that will be searched again need no bounds for listed elements.
    if (saved->min_slack != -INFINITY)
        status = sherd_obstacle_watch_map_contacts(&o->watch, &o->contacts, error);
    if (status != SHERD_OK)
        o->contacts.count = 0;
    else
        sherd_row_copy(&OBSTACLE_LAYOUT, o, saved);
    return status;
}

static sherd_status restore_obstacles(sherd_contacts *c, sherd_element_index elements,
                                      sherd_record_reader *in, sherd_error *error)
{
    size_t count = (size_t)c->obstacle_count;
    sherd_record_reader part = sherd_record_enter(in, "obstacles");
    sherd_obstacle *saved = sherd_alloc(count, sizeof *saved);
    if (saved == NULL) return sherd_fail_memory(error, "obstacles");
    for (size_t o = 0; o < count; ++o)
        saved[o] = c->obstacles[o];
    sherd_record_read(&part, &(sherd_record_column){"state", &OBSTACLE_LAYOUT, saved, count, 0});
    sherd_obstacle_watches_restore(c->obstacles, count, (size_t)elements, &part, error);
    obstacle_arrays arrays = {
        sherd_record_read_head(&part, "elements", &sherd_rows_i32),
        sherd_record_read_head(&part, "histories", &sherd_obstacle_history_layout),
        sherd_record_read_head(&part, "contact_states", &sherd_rows_u8)};
    for (size_t o = 0; o < count && part.status == SHERD_OK; ++o)
        part.status =
            restore_obstacle(&c->obstacles[o], &saved[o], elements, &arrays, &part, error);
    sherd_free(saved);
    return sherd_record_leave(&part);
}

static sherd_status restore_bodies(sherd_contacts *c, sherd_record_reader *in, sherd_error *error)
{
    size_t count = (size_t)c->body_contact_count;
    sherd_record_reader part = sherd_record_enter(in, "bodies");
    sherd_body_contact *saved = sherd_alloc(count, sizeof *saved);
    if (saved == NULL) return sherd_fail_memory(error, "free bodies");
    sherd_record_read(&part,
                      &(sherd_record_column){"state", &BODY_CONTACT_LAYOUT, saved, count, 0});
    sherd_record_pieces histories = sherd_record_read_head(&part, "histories",
                                                           &sherd_obstacle_history_layout),
                        states = sherd_record_read_head(&part, "contact_states", &sherd_rows_u8),
                        due = sherd_record_read_head(&part, "due", &sherd_rows_f64);
    for (size_t b = 0; b < count && part.status == SHERD_OK; ++b) {
        sherd_body_contact *at = &c->body_contacts[b];
        size_t points = (size_t)at->point_count;
        if (saved[b].point_count != at->point_count) {
            part.status = fail_damaged(error);
            break;
        }
        sherd_record_read_rows(&part, &histories, at->history, points);
        sherd_record_read_rows(&part, &states, at->state, points);
        sherd_record_read_rows(&part, &due, at->due, points);
        sherd_row_copy(&BODY_CONTACT_LAYOUT, at, &saved[b]);
    }
    sherd_free(saved);
    return sherd_record_leave(&part);
}

static sherd_status restore_running(sherd_contacts *c, sherd_record_reader *in, sherd_error *error)
{
    sherd_record_column columns[SEARCH_COLUMNS];
    search_columns(c, columns);
    sherd_status status = restore_obstacles(c, c->element_count, in, error);
    if (status != SHERD_OK) return status;
    sherd_record_read_all(in, columns, SEARCH_COLUMNS);
    status = in->status == SHERD_OK ? restore_bodies(c, in, error) : in->status;
    return status == SHERD_OK ? sherd_rolling_restore(c, in, error) : status;
}

// A state saved before the first step has neither lists nor forces.
static sherd_status restore_unbegun(sherd_contacts *c, sherd_record_reader *in, sherd_error *error)
{
    size_t n = c->begun ? (size_t)c->element_count : 0;
    for (int o = 0; o < c->obstacle_count; ++o)
        sherd_obstacle_watch_forget(&c->obstacles[o].watch, n);
    for (int b = 0; b < c->body_contact_count; ++b) {
        sherd_body_contact *at = &c->body_contacts[b];
        size_t points = (size_t)at->point_count;
        memset(at->history, 0, points * sizeof *at->history);
        memset(at->state, 0, points);
        memset(at->due, 0, points * sizeof *at->due);
        at->travel = at->next_due = 0.0;
        at->touching = 0;
    }
    sherd_status status = sherd_rolling_restore(c, in, error); // none
    return status == SHERD_OK ? restore_obstacles(c, 0, in, error) : status;
}

static sherd_status restore_all(sherd_contacts *c, sherd_record_reader *in, sherd_error *error)
{
    sherd_contacts saved = *c;
    sherd_record_read_one(in, "owner", &OWNER_LAYOUT, &saved);
    sherd_record_read_one(in, "state", &STATE_LAYOUT, &saved);
    sherd_status status = check_owner(c, &saved, in, error);
    if (status == SHERD_OK && saved.begun)
        status = sherd_contacts_begin(c, saved.element_count, error);
    if (status == SHERD_OK) status = restore_broken(c, in, error);
    if (status == SHERD_OK) status = restore_parts(c, in, error);
    if (status == SHERD_OK) status = restore_pairs(c, in, error);
    if (status == SHERD_OK)
        status = saved.begun ? restore_running(c, in, error) : restore_unbegun(c, in, error);
    if (status != SHERD_OK) return status;
    if (!saved.begun) saved.element_eigenvalue = c->element_eigenvalue;
    sherd_row_copy(&STATE_LAYOUT, c, &saved);
    return SHERD_OK;
}

sherd_status sherd_contacts_restore(sherd_contacts *c, sherd_record_reader *in, sherd_error *error)
{
    sherd_record_reader part = sherd_record_enter(in, "contacts");
    if (part.status == SHERD_OK) part.status = restore_all(c, &part, error);
    sherd_status status = sherd_record_leave(&part);
    if (status != SHERD_OK) return status;
    sherd_pair_search_forget(&c->search);
    sherd_contacts_recount(c);
    return SHERD_OK;
}
