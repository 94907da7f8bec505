// Saving and restoring histories of rolling friction, and those of parts of the contacts.
#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_part_state.h"
#include "contact/rolling.h"

// ---------------------------------------------------------------- records

static const sherd_row_member CONTACT[] = {
    SHERD_MEMBER(sherd_rolling_contact, i), SHERD_MEMBER(sherd_rolling_contact, j),
    SHERD_NAMED_MEMBER(sherd_rolling_contact, history.normal, "normal"),
    SHERD_NAMED_MEMBER(sherd_rolling_contact, history.spring, "spring"),
    SHERD_NAMED_MEMBER(sherd_rolling_contact, history.torque, "torque")};
const sherd_row_layout sherd_rolling_contact_layout =
    SHERD_ROW_LAYOUT(sherd_rolling_contact, CONTACT);

static size_t group_count(const sherd_rolling *r)
{
    return (size_t)r->block_count + (size_t)r->obstacle_count;
}

// All lists one after the other, with the length of each.
void sherd_rolling_save(const sherd_contacts *c, sherd_byte_buffer *out)
{
    const sherd_rolling *r = &c->rolling;
    if (!r->used) return;
    size_t begun = sherd_record_begin(out, "rolling"), sum = 0;
    sherd_record_write_head(out, "counts", &sherd_rows_u64, group_count(r));
    for (size_t g = 0; g < group_count(r); ++g) {
        const uint64_t count = r->groups[g].last.count;
        sherd_record_write_rows(out, &sherd_rows_u64, &count, 1);
        sum += count;
    }
    sherd_record_write_head(out, "contacts", &sherd_rolling_contact_layout, sum);
    for (size_t g = 0; g < group_count(r); ++g)
        sherd_record_write_rows(out, &sherd_rolling_contact_layout, r->groups[g].last.at,
                                r->groups[g].last.count);
    sherd_record_end(out, begun);
}

// Elements exist, each in its list, and are in order.
static bool list_is_valid(const sherd_contacts *c, size_t g)
{
    const sherd_rolling_list *list = &c->rolling.groups[g].last;
    bool pairs = g < (size_t)c->rolling.block_count;
    for (size_t k = 0; k < list->count; ++k) {
        const sherd_rolling_contact *at = &list->at[k], *before = k > 0 ? at - 1 : NULL;
        if (at->i < 0 || at->i >= c->element_count) return false;
        if (pairs ? at->j <= at->i || at->j >= c->element_count ||
                        (size_t)sherd_pair_block_of(at->i) != g
                  : at->j != -1)
            return false;
        if (before == NULL) continue;
        if (at->i < before->i || (pairs && at->i == before->i && at->j <= before->j)) return false;
    }
    return true;
}

static sherd_status restore_lists(sherd_contacts *c, sherd_record_reader *in, sherd_error *error)
{
    sherd_rolling *r = &c->rolling;
    sherd_record_pieces counts = sherd_record_read_head(in, "counts", &sherd_rows_u64),
                        rows =
                            sherd_record_read_head(in, "contacts", &sherd_rolling_contact_layout);
    bool valid = in->status == SHERD_OK && counts.left == group_count(r);
    for (size_t g = 0; valid && g < group_count(r); ++g) {
        sherd_rolling_list *list = &r->groups[g].last;
        uint64_t count = 0;
        sherd_record_read_rows(in, &counts, &count, 1);
        valid = in->status == SHERD_OK && count <= rows.left;
        if (!valid) break;
        if (!sherd_grow((void **)&list->at, &list->capacity, (size_t)count, sizeof *list->at))
            return sherd_fail_memory(error, "rolling friction");
        for (size_t k = 0; k < count; ++k)
            list->at[k] = (sherd_rolling_contact){.j = -1};
        sherd_record_read_rows(in, &rows, list->at, (size_t)count);
        list->count = in->status == SHERD_OK ? (size_t)count : 0;
        valid = in->status == SHERD_OK && list_is_valid(c, g);
    }
    if (valid && rows.left == 0) return SHERD_OK;
    for (size_t g = 0; g < group_count(r); ++g)
        r->groups[g].last.count = 0;
    if (in->status != SHERD_OK) return in->status;
    return sherd_fail(error, SHERD_ERROR_INPUT, "contacts", "was it saved by another version?",
                      "the saved state of rolling friction is damaged or incomplete");
}

sherd_status sherd_rolling_restore(sherd_contacts *c, sherd_record_reader *in, sherd_error *error)
{
    sherd_rolling *r = &c->rolling;
    for (size_t g = 0; r->used && g < group_count(r); ++g)
        r->groups[g].last.count = 0;
    if (!r->used || !sherd_record_has(in, "rolling")) return SHERD_OK; // or it had not begun
    sherd_record_reader part = sherd_record_enter(in, "rolling");
    if (part.status == SHERD_OK) part.status = restore_lists(c, &part, error);
    return sherd_record_leave(&part);
}

// ---------------------------------------------------------------- parts

// Appends the contacts of elements that `number` has, by their new numbers, to the groups of `to`.
static bool append(sherd_contacts *to, const sherd_rolling_list *from,
                   const sherd_element_index *number, int obstacle)
{
    for (size_t k = 0; k < from->count; ++k) {
        sherd_rolling_contact at = from->at[k];
        at.i = number[at.i];
        if (at.j >= 0) at.j = number[at.j];
        if (at.i < 0 || (from->at[k].j >= 0 && at.j < 0)) continue;
        sherd_rolling_group *g = obstacle >= 0 ? sherd_rolling_of_obstacle(&to->rolling, obstacle)
                                               : &to->rolling.groups[sherd_pair_block_of(at.i)];
        if (!sherd_rolling_push(&g->last, &at)) return false;
    }
    return true;
}

static void forget(sherd_rolling *r)
{
    for (size_t g = 0; g < group_count(r); ++g)
        r->groups[g].last.count = 0;
}

sherd_status sherd_rolling_fetch(sherd_contacts *part, const sherd_contacts *whole,
                                 const sherd_contact_members *members, sherd_error *error)
{
    if (!part->rolling.used || !whole->rolling.used) return SHERD_OK;
    forget(&part->rolling);
    bool fits = true;
    for (int32_t b = 0; b < whole->rolling.block_count && fits; ++b)
        fits = append(part, &whole->rolling.groups[b].last, members->local, -1);
    for (int o = 0, at = 0; o < whole->obstacle_count && fits; ++o)
        if (!sherd_contact_part_lacks(&whole->obstacles[o], members))
            fits = append(part, &sherd_rolling_of_obstacle(&whole->rolling, o)->last,
                          members->local, at++);
    return fits ? SHERD_OK : sherd_fail_memory(error, "rolling friction");
}

static bool comes_before(const sherd_rolling_contact *a, const sherd_rolling_contact *b)
{
    return a->i != b->i ? a->i < b->i : a->j < b->j;
}

// Sorts the list, which is sorted up to `middle` and from there on; equal ones keep their order.
static void merge(sherd_rolling_group *g, size_t middle)
{
    sherd_rolling_list *list = &g->last, *to = &g->next;
    for (size_t a = 0, b = middle, k = 0; k < list->count; ++k) {
        bool second = a == middle || (b < list->count && comes_before(&list->at[b], &list->at[a]));
        to->at[k] = list->at[second ? b++ : a++];
    }
    to->count = list->count;
    sherd_rolling_list merged = *to;
    *to = *list;
    *list = merged;
}

static bool merge_part(sherd_contacts *whole, const sherd_contact_part *part, size_t *lengths)
{
    sherd_rolling *r = &whole->rolling;
    const sherd_rolling *from = &part->contacts->rolling;
    const sherd_element_index *number = part->members.member;
    for (size_t g = 0; g < group_count(r); ++g)
        lengths[g] = r->groups[g].last.count;
    bool fits = true;
    for (int32_t b = 0; b < from->block_count && fits; ++b)
        fits = append(whole, &from->groups[b].last, number, -1);
    for (int o = 0, at = 0; o < whole->obstacle_count && fits; ++o)
        if (!sherd_contact_part_lacks(&whole->obstacles[o], &part->members))
            fits = append(whole, &sherd_rolling_of_obstacle(from, at++)->last, number, o);
    for (size_t g = 0; g < group_count(r) && fits; ++g) {
        sherd_rolling_group *at = &r->groups[g];
        if (at->last.count == lengths[g] || lengths[g] == 0) continue;
        fits = sherd_grow((void **)&at->next.at, &at->next.capacity, at->last.count,
                          sizeof *at->next.at);
        if (fits) merge(at, lengths[g]);
    }
    return fits;
}

sherd_status sherd_rolling_return(sherd_contacts *whole, const sherd_contact_part *parts, int count,
                                  sherd_error *error)
{
    sherd_rolling *r = &whole->rolling;
    if (!r->used) return SHERD_OK;
    forget(r);
    size_t *lengths = sherd_alloc(group_count(r), sizeof *lengths);
    bool fits = lengths != NULL;
    for (int p = 0; p < count && fits; ++p)
        fits = merge_part(whole, &parts[p], lengths);
    sherd_free(lengths);
    return fits ? SHERD_OK : sherd_fail_memory(error, "rolling friction");
}
