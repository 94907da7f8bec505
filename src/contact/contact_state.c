// Saving and restoring a contact system, bit for bit.
#include "base/byte_buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_system.h"

typedef struct contacts_header {
    int64_t elements, pairs, sorted, broken, searched, touching;
    double step_dt;
    sherd_contact_accounts accounts;
} contacts_header;

typedef struct obstacle_record {
    sherd_pose pose;
    sherd_vec3 velocity, spin, shift, turn, force, torque;
    sherd_vec3 centre, body_velocity, angular_momentum;
    sherd_quat rotation;
    double travel, next_due;
    int64_t contacts;
} obstacle_record;

static void save_obstacle(const sherd_obstacle *o, int64_t elements, sherd_byte_buffer *out)
{
    obstacle_record record = {
        o->pose,          o->velocity,
        o->spin,          o->shift,
        o->turn,          o->force,
        o->torque,        o->body.centre,
        o->body.velocity, o->body.angular_momentum,
        o->body.rotation, o->travel,
        o->next_due,      (int64_t)o->contacts.count,
    };
    sherd_byte_buffer_append(out, &record, sizeof record);
    size_t n = o->contacts.count;
    sherd_byte_buffer_append_block(out, o->due,
                                   o->due != NULL ? (size_t)elements * sizeof *o->due : 0);
    sherd_byte_buffer_append_block(out, o->contacts.element, n * sizeof *o->contacts.element);
    sherd_byte_buffer_append_block(out, o->contacts.history, n * sizeof *o->contacts.history);
    sherd_byte_buffer_append_block(out, o->contacts.state, n);
}

sherd_status sherd_contacts_save(const sherd_contacts *c, sherd_byte_buffer *out,
                                 sherd_error *error)
{
    contacts_header header = {c->element_count,
                              (int64_t)c->pairs.count,
                              (int64_t)c->pairs.sorted,
                              (int64_t)c->broken_count,
                              c->searched,
                              c->touching,
                              c->step_dt,
                              c->accounts};
    sherd_byte_buffer_append(out, &header, sizeof header);
    sherd_byte_buffer_append_block(out, c->reference,
                                   (size_t)c->element_count * 3 * sizeof(double));
    sherd_byte_buffer_append_block(out, c->pairs.pairs, c->pairs.count * sizeof *c->pairs.pairs);
    sherd_byte_buffer_append_block(out, c->pairs.history,
                                   c->pairs.count * sizeof *c->pairs.history);
    sherd_byte_buffer_append_block(out, c->pairs.state, c->pairs.count);
    sherd_byte_buffer_append_block(out, c->broken, c->broken_count * sizeof *c->broken);
    for (int k = 0; k < c->obstacle_count; ++k)
        save_obstacle(&c->obstacles[k], c->element_count, out);
    return out->failed ? sherd_fail_memory(error, "checkpoint") : SHERD_OK;
}

static sherd_status make_room(sherd_obstacle_contacts *list, size_t count, sherd_error *error)
{
    sherd_free(list->element), sherd_free(list->history), sherd_free(list->state);
    list->element = sherd_alloc(count, sizeof *list->element);
    list->history = sherd_alloc(count, sizeof *list->history);
    list->state = sherd_alloc(count, 1);
    list->count = list->capacity = count;
    if (list->element != NULL && list->history != NULL && list->state != NULL) return SHERD_OK;
    list->count = list->capacity = 0;
    return sherd_fail_memory(error, "contacts with an obstacle");
}

static sherd_status restore_obstacle(sherd_obstacle *o, int64_t elements, sherd_byte_reader *in,
                                     sherd_error *error)
{
    obstacle_record record;
    sherd_byte_reader_take(in, &record, sizeof record);
    if (in->failed || record.contacts < 0 || record.contacts > elements)
        return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                          "is damaged");
    o->pose = record.pose, o->velocity = record.velocity, o->spin = record.spin;
    o->shift = record.shift, o->turn = record.turn;
    o->force = record.force, o->torque = record.torque;
    o->body.centre = record.centre, o->body.velocity = record.body_velocity;
    o->body.angular_momentum = record.angular_momentum, o->body.rotation = record.rotation;
    o->travel = record.travel, o->next_due = record.next_due;
    size_t due = sherd_byte_reader_peek_block(in), n = (size_t)record.contacts;
    if (o->due == NULL && due > 0) o->due = sherd_alloc((size_t)elements, sizeof *o->due);
    if (o->due == NULL && due > 0) return sherd_fail_memory(error, "contacts with an obstacle");
    sherd_byte_reader_take_block(in, o->due, due > 0 ? (size_t)elements * sizeof *o->due : 0);
    sherd_status status = make_room(&o->contacts, n, error);
    if (status != SHERD_OK) return status;
    sherd_byte_reader_take_block(in, o->contacts.element, n * sizeof *o->contacts.element);
    sherd_byte_reader_take_block(in, o->contacts.history, n * sizeof *o->contacts.history);
    sherd_byte_reader_take_block(in, o->contacts.state, n);
    return SHERD_OK;
}

// Room for everything whose size the header tells. Counts are limited by what is left to read.
static sherd_status prepare_restore(sherd_contacts *c, const contacts_header *header,
                                    const sherd_byte_reader *in, sherd_error *error)
{
    int64_t left = (int64_t)(in->size - in->at);
    if (in->failed || header->elements < 0 || header->pairs < 0 || header->broken < 0 ||
        header->elements > left || header->pairs > left || header->broken > left ||
        header->sorted < 0 || header->sorted > header->pairs)
        return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                          "is damaged");
    sherd_status status = sherd_pair_list_resize(&c->pairs, (size_t)header->pairs, error);
    if (status != SHERD_OK) return status;
    c->pairs.sorted = (size_t)header->sorted;
    c->pairs.incident_pairs = 0;
    sherd_free(c->reference);
    sherd_free(c->motion_chunks);
    c->reference = sherd_alloc((size_t)header->elements * 3, sizeof *c->reference);
    c->motion_chunks = sherd_alloc((size_t)header->elements / 4096 + 1, sizeof *c->motion_chunks);
    bool broken = sherd_grow((void **)&c->broken, &c->broken_capacity, (size_t)header->broken + 1,
                             sizeof *c->broken);
    if (c->reference == NULL || c->motion_chunks == NULL || !broken)
        return sherd_fail_memory(error, "contact search");
    c->element_count = (sherd_element_index)header->elements;
    return SHERD_OK;
}

sherd_status sherd_contacts_restore(sherd_contacts *c, sherd_byte_reader *in, sherd_error *error)
{
    contacts_header header;
    sherd_byte_reader_take(in, &header, sizeof header);
    sherd_status status = prepare_restore(c, &header, in, error);
    if (status != SHERD_OK) return status;
    size_t pairs = c->pairs.count;
    sherd_byte_reader_take_block(in, c->reference, (size_t)c->element_count * 3 * sizeof(double));
    sherd_byte_reader_take_block(in, c->pairs.pairs, pairs * sizeof *c->pairs.pairs);
    sherd_byte_reader_take_block(in, c->pairs.history, pairs * sizeof *c->pairs.history);
    sherd_byte_reader_take_block(in, c->pairs.state, pairs);
    c->broken_count = (size_t)header.broken;
    sherd_byte_reader_take_block(in, c->broken, c->broken_count * sizeof *c->broken);
    c->searched = header.searched != 0;
    c->touching = header.touching;
    c->step_dt = header.step_dt;
    c->accounts = header.accounts;
    for (int k = 0; k < c->obstacle_count && status == SHERD_OK; ++k)
        status = restore_obstacle(&c->obstacles[k], header.elements, in, error);
    return status;
}
