#include "geometry/exact/divide.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static bool list_points(triangle_divider *d, const divide_triangle *t)
{
    size_t n = 2 * (size_t)t->count;
    if (!sherd_grow((void **)&d->point, &d->point_capacity, n, sizeof *d->point)) return false;
    for (int32_t k = 0; k < t->count; ++k)
        for (int e = 0; e < 2; ++e)
            d->point[2 * k + e] = t->segments[k].end[e].point;
    qsort(d->point, n, sizeof *d->point, compare_numbers);
    d->point_count = 0;
    for (size_t k = 0; k < n; ++k)
        if (k == 0 || d->point[k] != d->point[k - 1]) d->point[d->point_count++] = d->point[k];
    return true;
}

static int32_t facet_number(const triangle_divider *d, int32_t point)
{
    const int32_t *at =
        bsearch(&point, d->point, (size_t)d->point_count, sizeof *d->point, compare_numbers);
    return 3 + (int32_t)(at - d->point);
}

static facet_result begin_facet(triangle_divider *d, const divide_triangle *t)
{
    sherd_vec3 u = vec3_sub(t->at[1], t->at[0]), v = vec3_sub(t->at[2], t->at[0]);
    double length = vec3_length(u);
    sherd_vec3 along = vec3_scale(length > 0.0 ? 1.0 / length : 0.0, u);
    double x[3] = {0.0, length, vec3_dot(v, along)};
    double y[3] = {0.0, 0.0, vec3_length(vec3_cross(along, v))};
    return sherd_facet_begin(&d->f, x, y);
}

static facet_result add_point(triangle_divider *d, const divide_triangle *t, const divide_end *end)
{
    if (end->side < 0) return sherd_facet_add_inside(&d->f, end->weight[1], end->weight[2]);
    int64_t along = sherd_facet_fraction(end->along);
    if (t->order[end->side] > t->order[(end->side + 1) % 3])
        along = sherd_facet_fraction(1.0) - along;
    return sherd_facet_add_on_side(&d->f, end->side, along);
}

static facet_result add_points(triangle_divider *d, const divide_triangle *t)
{
    facet_result result = FACET_OK;
    for (int32_t k = 0; k < d->point_count && result == FACET_OK; ++k) {
        const divide_end *end = NULL;
        for (int32_t s = 0; s < t->count; ++s)
            for (int e = 0; e < 2; ++e)
                if (t->segments[s].end[e].point == d->point[k]) end = &t->segments[s].end[e];
        result = add_point(d, t, end);
    }
    for (int32_t s = 0; s < t->count && result == FACET_OK; ++s) {
        const divide_end *end = t->segments[s].end;
        result = sherd_facet_constrain(&d->f, facet_number(d, end[0].point),
                                       facet_number(d, end[1].point), s);
    }
    return result;
}

// Value on one side of a part, from the segment along one of its edges.
static int32_t value_beside(const triangle_divider *d, const divide_triangle *t,
                            const facet_triangle *part, int side)
{
    const divide_segment *x = &t->segments[part->segment[side]];
    return part->corner[side] == facet_number(d, x->end[0].point) ? x->left : x->right;
}

// Sets the values of parts adjacent to segments.
static divide_result find_known(triangle_divider *d, const divide_triangle *t)
{
    int32_t n = d->f.triangle_count;
    if (!sherd_grow((void **)&d->value, &d->value_capacity, (size_t)n, sizeof *d->value))
        return DIVIDE_MEMORY;
    memset(d->value, 0, (size_t)n * sizeof *d->value);
    for (int32_t p = 0; p < n; ++p)
        for (int k = 0; k < 3; ++k) {
            if (d->f.triangles[p].segment[k] < 0) continue;
            int32_t value = value_beside(d, t, &d->f.triangles[p], k);
            if (d->value[p] != 0 && d->value[p] != value) return DIVIDE_INCONSISTENT;
            d->value[p] = value;
        }
    return DIVIDE_OK;
}

// Other parts take the value of their neighbours.
static divide_result spread_values(triangle_divider *d)
{
    int32_t n = d->f.triangle_count;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t p = 0; p < n; ++p)
            for (int k = 0; k < 3 && d->value[p] != 0; ++k) {
                int32_t next = d->f.triangles[p].next[k];
                if (next < 0 || d->f.triangles[p].segment[k] >= 0) continue;
                if (d->value[next] == 0) {
                    d->value[next] = d->value[p];
                    changed = true;
                } else if (d->value[next] != d->value[p]) {
                    return DIVIDE_INCONSISTENT;
                }
            }
    }
    return DIVIDE_OK;
}

divide_result sherd_divide(triangle_divider *d, const divide_triangle *t)
{
    if (!list_points(d, t)) return DIVIDE_MEMORY;
    facet_result made = begin_facet(d, t);
    if (made == FACET_OK) made = add_points(d, t);
    if (made != FACET_OK) return made == FACET_MEMORY ? DIVIDE_MEMORY : DIVIDE_DEGENERATE;
    sherd_facet_improve(&d->f);
    divide_result result = find_known(d, t);
    return result == DIVIDE_OK ? spread_values(d) : result;
}

void sherd_divider_release(triangle_divider *d)
{
    sherd_facet_release(&d->f);
    sherd_free(d->point);
    sherd_free(d->value);
    *d = (triangle_divider){0};
}
