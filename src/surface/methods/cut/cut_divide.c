#include "surface/methods/cut/cut_divide.h"

#include "base/assertion.h"
#include "base/forest.h"
#include "base/memory.h"

#include <string.h>

static divide_end end_of(const cut_triangle *t, const crossing *x, int e)
{
    const crossing_point *p = &t->point[x->point[e]];
    bool on_side = p->of_crack == (t->kind == CUT_INNER);
    return (divide_end){x->point[e],
                        on_side ? x->side[e] : -1,
                        p->along,
                        {p->weight[0], p->weight[1], p->weight[2]}};
}

static divide_segment segment_of(const cut_triangle *t, const crossing *x)
{
    int32_t front = t->kind == CUT_INNER ? CUT_INSIDE : x->front;
    int32_t back = t->kind == CUT_INNER ? CUT_OUTSIDE : x->back;
    return (divide_segment){{end_of(t, x, 0), end_of(t, x, 1)},
                            x->left_is_front ? front : back,
                            x->left_is_front ? back : front};
}

static int32_t vertex_number(const cut_divider *d, const cut_triangle *t, int32_t at)
{
    return at >= 3 ? t->first_point + d->parts.point[at - 3] : t->corner[at];
}

static cut_result store_faces(const cut_divider *d, const cut_triangle *t, cut_faces *l)
{
    int32_t n = d->parts.f.triangle_count;
    if (!sherd_grow((void **)&l->items, &l->capacity, (size_t)(l->count + n), sizeof *l->items))
        return CUT_MEMORY;
    for (int32_t p = 0; p < n; ++p) {
        const int32_t *c = d->parts.f.triangles[p].corner;
        l->items[l->count++] = (cut_face){
            {vertex_number(d, t, c[0]), vertex_number(d, t, c[1]), vertex_number(d, t, c[2])},
            t->number,
            d->parts.value[p]};
    }
    return CUT_OK;
}

cut_result sherd_cut_divide(cut_divider *d, const cut_triangle *t, cut_faces *faces)
{
    static const cut_result RESULTS[] = {[DIVIDE_OK] = CUT_OK,
                                         [DIVIDE_MEMORY] = CUT_MEMORY,
                                         [DIVIDE_DEGENERATE] = CUT_DEGENERATE,
                                         [DIVIDE_INCONSISTENT] = CUT_INCONSISTENT};
    if (!sherd_grow((void **)&d->segments, &d->segment_capacity, (size_t)t->count,
                    sizeof *d->segments))
        return CUT_MEMORY;
    for (int32_t k = 0; k < t->count; ++k)
        d->segments[k] = segment_of(t, &t->segments[k]);
    const divide_triangle triangle = {{t->at[0], t->at[1], t->at[2]},
                                      {t->order[0], t->order[1], t->order[2]},
                                      t->count,
                                      d->segments};
    cut_result result = RESULTS[sherd_divide(&d->parts, &triangle)];
    return result == CUT_OK ? store_faces(d, t, faces) : result;
}

void sherd_cut_divider_release(cut_divider *d)
{
    sherd_divider_release(&d->parts);
    sherd_free(d->segments);
    *d = (cut_divider){0};
}

// ---------------------------------------------------------------- components

static inline const int32_t *cut_corners(const cut_triangles *t, int32_t k)
{
    return (const int32_t *)(const void *)((const char *)t->corner + t->stride * (size_t)k);
}

static void join_vertices(int32_t *root, const cut_triangles *t)
{
    for (int32_t v = 0; v < t->vertex_count; ++v)
        root[v] = v;
    for (int32_t k = 0; k < t->count; ++k) {
        if (t->divided[k]) continue;
        const int32_t *c = cut_corners(t, k);
        for (int j = 1; j < 3; ++j)
            sherd_join_roots(root, c[0], c[j]);
    }
}

// A root is the lowest vertex of its component, so that it gets its number first.
static void number_components(cut_components *c, int32_t vertex_count)
{
    for (int32_t v = 0; v < vertex_count; ++v)
        c->of[v] = sherd_find_root(c->of, v);
    for (int32_t v = 0; v < vertex_count; ++v)
        c->of[v] = c->of[v] == v ? c->count++ : c->of[c->of[v]];
}

static cut_result set_values(cut_components *c, int32_t vertex_count, const cut_faces *faces)
{
    for (int32_t k = 0; k < faces->count; ++k) {
        const cut_face *face = &faces->items[k];
        for (int j = 0; j < 3; ++j) {
            if (face->corner[j] >= vertex_count) continue; // a crossing point
            int32_t *known = &c->known[c->of[face->corner[j]]];
            if (*known != CUT_UNKNOWN && *known != face->value) return CUT_INCONSISTENT;
            *known = face->value;
        }
    }
    return CUT_OK;
}

cut_result sherd_cut_components_find(cut_components *c, const cut_triangles *t,
                                     const cut_faces *faces)
{
    *c = (cut_components){.of = sherd_alloc((size_t)t->vertex_count, sizeof *c->of)};
    if (c->of == NULL) return CUT_MEMORY;
    join_vertices(c->of, t);
    number_components(c, t->vertex_count);
    c->known = sherd_alloc((size_t)c->count, sizeof *c->known);
    c->value = sherd_alloc((size_t)c->count, sizeof *c->value);
    if (c->known == NULL || c->value == NULL) return CUT_MEMORY;
    return set_values(c, t->vertex_count, faces);
}

void sherd_cut_components_release(cut_components *c)
{
    sherd_free(c->of);
    sherd_free(c->known);
    sherd_free(c->value);
    *c = (cut_components){0};
}

bool sherd_cut_labels_add(cut_labels *l, sherd_fragment_id label)
{
    int32_t at = l->count;
    SHERD_ASSERT(at < 2 || l->label[at - 2] < l->label[at - 1], "labels ascend");
    while (at > 0 && l->label[at - 1] > label)
        --at;
    if (at > 0 && l->label[at - 1] == label) return true;
    if (!sherd_grow((void **)&l->label, &l->capacity, (size_t)l->count + 1, sizeof *l->label))
        return false;
    memmove(l->label + at + 1, l->label + at, (size_t)(l->count - at) * sizeof *l->label);
    l->label[at] = label;
    l->count++;
    return true;
}

void sherd_cut_labels_release(cut_labels *l)
{
    sherd_free(l->label);
    *l = (cut_labels){0};
}
