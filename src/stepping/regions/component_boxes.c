#include "stepping/regions/component_boxes.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_part.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

void sherd_boxes_free(sherd_boxes *boxes)
{
    sherd_free(boxes->list);
    *boxes = (sherd_boxes){0};
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

bool sherd_boxes_sweep(sherd_boxes *boxes, sherd_box_visitor *visit, void *context)
{
    if (boxes->count < 2) return false;
    int (*const by_axis[3])(const void *, const void *) = {compare_x, compare_y, compare_z};
    int axis = longest_axis(boxes);
    qsort(boxes->list, boxes->count, sizeof *boxes->list, by_axis[axis]);
    for (size_t a = 0; a < boxes->count; ++a) {
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
