#include "surface/methods/cut/cut_block.h"

#include "base/memory.h"
#include "math/vec3.h"

void sherd_cut_block_release(cut_block *b)
{
    sherd_crossings_release(&b->x);
    sherd_free(b->divided);
    sherd_free(b->faces.items);
    sherd_cut_components_release(&b->joined);
    sherd_cut_labels_release(&b->labels);
    *b = (cut_block){0};
}

void sherd_cut_block_scratch_release(cut_block_scratch *scratch)
{
    sherd_cut_divider_release(&scratch->divider);
    sherd_free(scratch->exact);
    *scratch = (cut_block_scratch){0};
}

static bool snap_vertices(cut_block_scratch *s, const outline *o, const crack_block *from)
{
    size_t n = (size_t)from->vertex_count;
    if (!sherd_grow((void **)&s->exact, &s->exact_capacity, n, sizeof *s->exact)) return false;
    for (size_t v = 0; v < n; ++v)
        s->exact[v] = sherd_exact_snap(&o->lattice, from->vertices[v].position,
                                       from->vertices[v].key ^ o->salt << 62);
    return true;
}

// Segments come by crack triangle.
static cut_result divide_triangles(cut_block *b, const crack_block *from, cut_divider *divider)
{
    cut_result result = CUT_OK;
    for (int32_t first = 0, last; first < b->x.count && result == CUT_OK; first = last) {
        int32_t t = b->x.segments[first].crack;
        for (last = first + 1; last < b->x.count && b->x.segments[last].crack == t;)
            ++last;
        cut_triangle triangle = {.kind = CUT_INNER,
                                 .number = t,
                                 .count = last - first,
                                 .segments = b->x.segments + first,
                                 .point = b->x.points,
                                 .first_point = from->vertex_count};
        for (int k = 0; k < 3; ++k) {
            int32_t c = triangle.corner[k] = from->triangles[t].corner[k];
            triangle.at[k] = from->vertices[c].position;
            triangle.order[k] = from->vertices[c].key;
        }
        b->divided[t] = 1;
        result = sherd_cut_divide(divider, &triangle, &b->faces);
    }
    return result;
}

static void drop_outside(cut_faces *faces)
{
    int32_t kept = 0;
    for (int32_t k = 0; k < faces->count; ++k)
        if (faces->items[k].value == CUT_INSIDE) faces->items[kept++] = faces->items[k];
    faces->count = kept;
}

cut_result sherd_cut_block_make(cut_block *b, const outline *o, const crack_grid *g, int32_t block,
                                cut_block_scratch *scratch)
{
    const crack_block *from = &g->blocks[block];
    sherd_cut_block_release(b);
    if (from->triangle_count == 0) return CUT_OK;
    b->divided = sherd_alloc((size_t)from->triangle_count, 1);
    if (b->divided == NULL || !snap_vertices(scratch, o, from)) return CUT_MEMORY;
    crossing_result crossed = sherd_crossings_find(&b->x, o, g, block, scratch->exact);
    if (crossed != CROSSING_OK) return crossed == CROSSING_MEMORY ? CUT_MEMORY : CUT_DEGENERATE;
    cut_result result = divide_triangles(b, from, &scratch->divider);
    if (result != CUT_OK) return result;
    const cut_triangles triangles = {from->vertex_count, from->triangle_count,
                                     from->triangles->corner, sizeof *from->triangles, b->divided};
    result = sherd_cut_components_find(&b->joined, &triangles, &b->faces);
    drop_outside(&b->faces);
    return result;
}

static bool add_sides(cut_labels *l, const crack_triangle *t)
{
    return sherd_cut_labels_add(l, t->front) && sherd_cut_labels_add(l, t->back);
}

bool sherd_cut_block_label(cut_block *b, const crack_block *from)
{
    bool ok = true;
    b->labels.count = 0;
    for (int32_t k = 0; ok && k < b->faces.count; ++k)
        ok = add_sides(&b->labels, &from->triangles[b->faces.items[k].parent]);
    for (int32_t t = 0; ok && t < from->triangle_count; ++t)
        if (cut_block_has(b, from, t)) ok = add_sides(&b->labels, &from->triangles[t]);
    return ok;
}
