#include "surface/methods/cut/cut_divide.h"

#include "base/memory.h"

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
