#include "surface/methods/cut/cut_divide.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static bool list_points(cut_divider *d, const cut_triangle *t)
{
    size_t n = 2 * (size_t)t->count;
    if (!sherd_grow((void **)&d->point, &d->point_room, n, sizeof *d->point)) return false;
    for (int32_t k = 0; k < t->count; ++k)
        for (int e = 0; e < 2; ++e)
            d->point[2 * k + e] = t->segments[k].point[e];
    qsort(d->point, n, sizeof *d->point, compare_numbers);
    d->point_count = 0;
    for (size_t k = 0; k < n; ++k)
        if (k == 0 || d->point[k] != d->point[k - 1]) d->point[d->point_count++] = d->point[k];
    return true;
}

static int32_t facet_number(const cut_divider *d, int32_t point)
{
    const int32_t *at =
        bsearch(&point, d->point, (size_t)d->point_count, sizeof *d->point, compare_numbers);
    return 3 + (int32_t)(at - d->point);
}

static cut_result begin_facet(cut_divider *d, const cut_triangle *t)
{
    sherd_vec3 u = vec3_sub(t->at[1], t->at[0]), v = vec3_sub(t->at[2], t->at[0]);
    double length = vec3_length(u);
    sherd_vec3 along = vec3_scale(length > 0.0 ? 1.0 / length : 0.0, u);
    double x[3] = {0.0, length, vec3_dot(v, along)};
    double y[3] = {0.0, 0.0, vec3_length(vec3_cross(along, v))};
    return sherd_facet_begin(&d->f, x, y) == FACET_OK ? CUT_OK : CUT_MEMORY;
}

static facet_result add_point(cut_divider *d, const cut_triangle *t, const crossing_point *p,
                              int side)
{
    bool on_side = p->of_crack == (t->kind == CUT_INNER);
    if (!on_side) return sherd_facet_add_inside(&d->f, p->weight[1], p->weight[2]);
    int64_t along = sherd_facet_share(p->along);
    if (t->order[side] > t->order[(side + 1) % 3]) along = sherd_facet_share(1.0) - along;
    return sherd_facet_add_on_side(&d->f, side, along);
}

static facet_result add_points(cut_divider *d, const cut_triangle *t)
{
    facet_result result = FACET_OK;
    for (int32_t k = 0; k < d->point_count && result == FACET_OK; ++k) {
        int side = 0;
        for (int32_t s = 0; s < t->count; ++s)
            for (int e = 0; e < 2; ++e)
                if (t->segments[s].point[e] == d->point[k]) side = t->segments[s].side[e];
        result = add_point(d, t, &t->point[d->point[k]], side);
    }
    for (int32_t s = 0; s < t->count && result == FACET_OK; ++s) {
        const crossing *x = &t->segments[s];
        result = sherd_facet_constrain(&d->f, facet_number(d, x->point[0]),
                                       facet_number(d, x->point[1]), s);
    }
    return result;
}

// Side of a part by the segment along one of its edges.
static int32_t value_beside(const cut_divider *d, const cut_triangle *t, const facet_triangle *part,
                            int side)
{
    const crossing *x = &t->segments[part->segment[side]];
    bool left = part->corner[side] == facet_number(d, x->point[0]);
    bool front = left == x->left_is_front;
    if (t->kind == CUT_INNER) return front ? CUT_INSIDE : CUT_OUTSIDE;
    return front ? x->front : x->back;
}

// Values of parts next to segments.
static cut_result find_known(cut_divider *d, const cut_triangle *t)
{
    int32_t n = d->f.triangle_count;
    if (!sherd_grow((void **)&d->value, &d->value_room, (size_t)n, sizeof *d->value))
        return CUT_MEMORY;
    memset(d->value, 0, (size_t)n * sizeof *d->value);
    for (int32_t p = 0; p < n; ++p)
        for (int k = 0; k < 3; ++k) {
            if (d->f.triangles[p].segment[k] < 0) continue;
            int32_t value = value_beside(d, t, &d->f.triangles[p], k);
            if (d->value[p] != CUT_UNKNOWN && d->value[p] != value) return CUT_INCONSISTENT;
            d->value[p] = value;
        }
    return CUT_OK;
}

// Others have that of their neighbours.
static cut_result spread_values(cut_divider *d)
{
    int32_t n = d->f.triangle_count;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t p = 0; p < n; ++p)
            for (int k = 0; k < 3 && d->value[p] != CUT_UNKNOWN; ++k) {
                int32_t next = d->f.triangles[p].next[k];
                if (next < 0 || d->f.triangles[p].segment[k] >= 0) continue;
                if (d->value[next] == CUT_UNKNOWN) {
                    d->value[next] = d->value[p];
                    changed = true;
                } else if (d->value[next] != d->value[p]) {
                    return CUT_INCONSISTENT;
                }
            }
    }
    return CUT_OK;
}

static int32_t vertex_number(const cut_divider *d, const cut_triangle *t, int32_t at)
{
    return at >= 3 ? t->first_point + d->point[at - 3] : t->corner[at];
}

static cut_result store_faces(const cut_divider *d, const cut_triangle *t, cut_faces *l)
{
    int32_t n = d->f.triangle_count;
    if (!sherd_grow((void **)&l->items, &l->room, (size_t)(l->count + n), sizeof *l->items))
        return CUT_MEMORY;
    for (int32_t p = 0; p < n; ++p) {
        const int32_t *c = d->f.triangles[p].corner;
        l->items[l->count++] = (cut_face){
            {vertex_number(d, t, c[0]), vertex_number(d, t, c[1]), vertex_number(d, t, c[2])},
            t->number,
            d->value[p]};
    }
    return CUT_OK;
}

cut_result sherd_cut_divide(cut_divider *d, const cut_triangle *t, cut_faces *faces)
{
    if (!list_points(d, t)) return CUT_MEMORY;
    cut_result result = begin_facet(d, t);
    if (result != CUT_OK) return result;
    facet_result added = add_points(d, t);
    if (added != FACET_OK) return added == FACET_MEMORY ? CUT_MEMORY : CUT_DEGENERATE;
    sherd_facet_improve(&d->f);
    result = find_known(d, t);
    if (result == CUT_OK) result = spread_values(d);
    return result == CUT_OK ? store_faces(d, t, faces) : result;
}

void sherd_cut_divider_release(cut_divider *d)
{
    sherd_facet_release(&d->f);
    sherd_free(d->point);
    sherd_free(d->value);
    *d = (cut_divider){0};
}
