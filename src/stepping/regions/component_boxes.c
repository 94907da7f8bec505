#include "stepping/regions/component_boxes.h"

#include "base/cpu.h"
#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_part.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

enum {
    CHUNK = 32,  // boxes whose pairs one thread finds at a time
    CHUNKS = 64, // found before any pair of theirs is visited
    FEW = 2 * CHUNK,
};

typedef struct box_pair {
    uint32_t first, second;
} box_pair;

// Pairs of boxes found by one chunk, in the order of the sweep.
struct sherd_box_pairs {
    box_pair *list; // owned
    size_t count, capacity;
    bool complete; // false: memory ran short
};

void sherd_boxes_free(sherd_boxes *boxes)
{
    for (size_t c = 0; boxes->pairs != NULL && c < CHUNKS; ++c)
        sherd_free(boxes->pairs[c].list);
    sherd_free(boxes->pairs);
    sherd_free(boxes->extents);
    sherd_free(boxes->list);
    *boxes = (sherd_boxes){0};
}

size_t sherd_boxes_bytes(const sherd_boxes *boxes)
{
    size_t bytes =
        boxes->capacity * sizeof *boxes->list + boxes->extent_capacity * sizeof *boxes->extents;
    for (size_t c = 0; boxes->pairs != NULL && c < CHUNKS; ++c)
        bytes += sizeof *boxes->pairs + boxes->pairs[c].capacity * sizeof *boxes->pairs[c].list;
    return bytes;
}

sherd_status sherd_boxes_add(sherd_boxes *boxes, const sherd_box *box, sherd_error *error)
{
    if (!sherd_grow((void **)&boxes->list, &boxes->capacity, boxes->count + 1, sizeof *boxes->list))
        return sherd_fail_memory(error, "regions");
    boxes->list[boxes->count++] = *box;
    return SHERD_OK;
}

static void widen_by(sherd_boxes *boxes, sherd_box *box, const sherd_elements *e,
                     sherd_element_index k)
{
    double r = sherd_element_radius(e, k);
    sherd_vec3 p = sherd_element_position(e, k), reach = vec3(r, r, r);
    box->bounds.low = vec3_min(box->bounds.low, vec3_sub(p, reach));
    box->bounds.high = vec3_max(box->bounds.high, vec3_add(p, reach));
    box->speed = fmax(box->speed, vec3_length(sherd_element_velocity(e, k)));
    boxes->largest_radius = fmax(boxes->largest_radius, r);
}

sherd_status sherd_boxes_add_components(sherd_boxes *boxes, const sherd_elements *e,
                                        const sherd_element_index *root, int32_t group,
                                        sherd_error *error)
{
    size_t *slot = sherd_alloc((size_t)e->count, sizeof *slot);
    if (slot == NULL) return sherd_fail_memory(error, "regions");
    sherd_status status = SHERD_OK;
    for (sherd_element_index k = 0; k < e->count && status == SHERD_OK; ++k) {
        if (root[k] == k) { // precedes its others
            sherd_box box = {
                .bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}},
                .group = group,
                .root = k};
            slot[k] = boxes->count;
            status = sherd_boxes_add(boxes, &box, error);
        }
        if (root[k] >= 0 && status == SHERD_OK) widen_by(boxes, &boxes->list[slot[root[k]]], e, k);
    }
    sherd_free(slot);
    return status;
}

sherd_status sherd_boxes_add_bodies(sherd_boxes *boxes, const sherd_contacts *contacts,
                                    const sherd_box *likes, int *count, sherd_error *error)
{
    sherd_body_bound bounds[SHERD_MAX_BODY_BOXES];
    sherd_status status = SHERD_OK;
    *count =
        contacts != NULL ? sherd_contacts_bound_bodies(contacts, bounds, SHERD_MAX_BODY_BOXES) : 0;
    for (int b = 0; b < *count && status == SHERD_OK; ++b) {
        sherd_vec3 reach = vec3(bounds[b].radius, bounds[b].radius, bounds[b].radius);
        sherd_box box = *likes;
        box.bounds =
            (sherd_bounds){vec3_sub(bounds[b].centre, reach), vec3_add(bounds[b].centre, reach)};
        box.speed = bounds[b].speed;
        status = sherd_boxes_add(boxes, &box, error);
    }
    return status;
}

sherd_status sherd_boxes_add_points(sherd_boxes *boxes, const sherd_mpm_extents *points,
                                    double guard, const sherd_box *likes, sherd_error *error)
{
    sherd_vec3 reach = vec3(guard, guard, guard);
    sherd_status status = SHERD_OK;
    for (size_t k = 0; k < points->count && status == SHERD_OK; ++k) {
        const sherd_mpm_extent *at = &points->list[k];
        sherd_box box = *likes;
        box.bounds =
            (sherd_bounds){vec3_sub(at->bounds.low, reach), vec3_add(at->bounds.high, reach)};
        box.speed = at->speed;
        status = sherd_boxes_add(boxes, &box, error);
    }
    return status;
}

// ---------------------------------------------------------------- sweeping

static double part(sherd_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double low(const sherd_box *box, int axis)
{
    return part(box->bounds.low, axis) - box->reach;
}

static double high(const sherd_box *box, int axis)
{
    return part(box->bounds.high, axis) + box->reach;
}

static int compare(const sherd_box *x, const sherd_box *y, int axis)
{
    double a = low(x, axis), b = low(y, axis);
    if (a != b) return (a > b) - (a < b);
    if (x->group != y->group) return (x->group > y->group) - (x->group < y->group);
    return (x->root > y->root) - (x->root < y->root);
}

static int compare_x(const void *a, const void *b)
{
    return compare(a, b, 0);
}

static int compare_y(const void *a, const void *b)
{
    return compare(a, b, 1);
}

static int compare_z(const void *a, const void *b)
{
    return compare(a, b, 2);
}

// Axis along which the boxes are spread farthest.
static int longest_axis(const sherd_boxes *boxes)
{
    sherd_bounds all = boxes->list[0].bounds;
    for (size_t k = 1; k < boxes->count; ++k) {
        all.low = vec3_min(all.low, boxes->list[k].bounds.low);
        all.high = vec3_max(all.high, boxes->list[k].bounds.high);
    }
    sherd_vec3 extent = vec3_sub(all.high, all.low);
    if (extent.x >= extent.y && extent.x >= extent.z) return 0;
    return extent.y >= extent.z ? 1 : 2;
}

static bool overlap(const sherd_box *a, const sherd_box *b)
{
    for (int axis = 0; axis < 3; ++axis)
        if (low(a, axis) > high(b, axis) || low(b, axis) > high(a, axis)) return false;
    return true;
}

// Sweep over few boxes, or without memory for more than one thread.
static bool sweep_alone(const sherd_boxes *boxes, int axis, size_t from, sherd_box_visitor *visit,
                        void *context)
{
    for (size_t a = from; a < boxes->count; ++a) {
        const sherd_box *first = &boxes->list[a];
        double end = high(first, axis);
        for (size_t b = a + 1; b < boxes->count && low(&boxes->list[b], axis) <= end; ++b) {
            const sherd_box *second = &boxes->list[b];
            if (first->group == second->group || !overlap(first, second)) continue;
            if (visit(context, first, second)) return true;
        }
    }
    return false;
}

// Extents of sorted boxes, reaches included; along the sweep's axis first.
typedef struct sweep {
    const sherd_boxes *boxes;
    const double *low[3], *high[3];
    size_t from; // first box of the first chunk
} sweep;

static void set_extents(const sherd_boxes *boxes, int axis, sweep *s)
{
    size_t n = boxes->count;
    *s = (sweep){.boxes = boxes};
    for (int k = 0; k < 3; ++k) {
        double *lows = boxes->extents + (size_t)(2 * k) * n, *highs = lows + n;
        for (size_t b = 0; b < n; ++b) {
            lows[b] = low(&boxes->list[b], (axis + k) % 3);
            highs[b] = high(&boxes->list[b], (axis + k) % 3);
        }
        s->low[k] = lows, s->high[k] = highs;
    }
}

// Appends those boxes from a + 1 to `end` that overlap box a; returns the new number of pairs.
SHERD_WIDE(static, size_t, list_overlapping,
           (const sweep *s, size_t a, size_t end, box_pair *list, size_t count),
           (s, a, end, list, count))
{
    enum { BLOCK = 32 };
    const double *low1 = s->low[1], *high1 = s->high[1], *low2 = s->low[2], *high2 = s->high[2];
    const double *high0 = s->high[0];
    double from0 = s->low[0][a], from1 = low1[a], to1 = high1[a], from2 = low2[a], to2 = high2[a];
    for (size_t at = a + 1; at < end; at += BLOCK) {
        size_t n = end - at < BLOCK ? end - at : BLOCK;
        int64_t overlaps[BLOCK], any = 0; // as wide as a number, for vectors
        for (size_t k = 0; k < n; ++k) {
            size_t b = at + k;
            overlaps[k] = !((from1 > high1[b]) | (low1[b] > to1) | (from2 > high2[b]) |
                            (low2[b] > to2) | (from0 > high0[b]));
            any |= overlaps[k];
        }
        for (size_t k = 0; any != 0 && k < n; ++k)
            if (overlaps[k]) list[count++] = (box_pair){(uint32_t)a, (uint32_t)(at + k)};
    }
    return count;
}

static void find_pairs_of(const sweep *s, size_t a, sherd_box_pairs *out)
{
    size_t end = a + 1;
    while (end < s->boxes->count && s->low[0][end] <= s->high[0][a])
        ++end;
    if (sherd_grow((void **)&out->list, &out->capacity, out->count + end - a, sizeof *out->list))
        out->count = list_overlapping(s, a, end, out->list, out->count);
    else
        out->complete = false;
}

static void find_pairs(void *context, size_t begin, size_t end)
{
    const sweep *s = context;
    for (size_t c = begin; c < end; ++c) {
        sherd_box_pairs *out = &s->boxes->pairs[c];
        out->count = 0, out->complete = true;
        size_t first = s->from + c * CHUNK, last = first + CHUNK;
        for (size_t a = first; a < last && a < s->boxes->count && out->complete; ++a)
            find_pairs_of(s, a, out);
    }
}

static bool make_room(sherd_boxes *boxes)
{
    if (boxes->pairs == NULL) boxes->pairs = sherd_alloc(CHUNKS, sizeof *boxes->pairs);
    return boxes->pairs != NULL && sherd_grow((void **)&boxes->extents, &boxes->extent_capacity,
                                              6 * boxes->count, sizeof *boxes->extents);
}

// Pairs are found by all threads, and visited by one in their order.
bool sherd_boxes_sweep(sherd_boxes *boxes, const sherd_parallel *parallel, sherd_box_visitor *visit,
                       void *context)
{
    if (boxes->count < 2) return false;
    int (*const by_axis[3])(const void *, const void *) = {compare_x, compare_y, compare_z};
    int axis = longest_axis(boxes);
    qsort(boxes->list, boxes->count, sizeof *boxes->list, by_axis[axis]);
    if (boxes->count < FEW || !make_room(boxes)) return sweep_alone(boxes, axis, 0, visit, context);
    sweep s;
    set_extents(boxes, axis, &s);
    for (; s.from < boxes->count; s.from += CHUNKS * CHUNK) {
        size_t left = (boxes->count - s.from + CHUNK - 1) / CHUNK;
        size_t chunks = left < CHUNKS ? left : CHUNKS;
        sherd_parallel_for(parallel, chunks, 1, find_pairs, &s);
        for (size_t c = 0; c < chunks; ++c) {
            const sherd_box_pairs *found = &boxes->pairs[c];
            if (!found->complete)
                return sweep_alone(boxes, axis, s.from + c * CHUNK, visit, context);
            for (size_t k = 0; k < found->count; ++k) {
                const sherd_box *first = &boxes->list[found->list[k].first],
                                *second = &boxes->list[found->list[k].second];
                if (first->group != second->group && visit(context, first, second)) return true;
            }
        }
    }
    return false;
}
