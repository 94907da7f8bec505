#include "geometry/boolean/boolean.h"

#include "base/error.h"
#include "base/forest.h"
#include "base/memory.h"
#include "geometry/boolean/boolean_parts.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_edges.h"
#include "geometry/wrap/winding.h"

static bool prepare(boolean_work *w)
{
    const sherd_mesh *meshes[2] = {w->a, w->b};
    w->given_vertices = w->a->vertex_count + w->b->vertex_count;
    w->given_triangles = w->a->triangle_count + w->b->triangle_count;
    w->first_b = w->a->triangle_count;
    w->triangle = sherd_alloc(3 * (size_t)w->given_triangles, sizeof *w->triangle);
    if (w->triangle == NULL || !sherd_grow((void **)&w->vertex, &w->vertex_capacity,
                                           (size_t)w->given_vertices, sizeof *w->vertex))
        return false;
    size_t corner = 0;
    for (int side = 0; side < 2; ++side) {
        int32_t offset = (int32_t)w->vertex_count;
        for (int32_t v = 0; v < meshes[side]->vertex_count; ++v)
            w->vertex[w->vertex_count++] = mesh_vertex(meshes[side], v);
        for (size_t k = 0; k < 3 * (size_t)meshes[side]->triangle_count; ++k)
            w->triangle[corner++] = offset + meshes[side]->triangles[k];
    }
    return true;
}

// ---------------------------------------------------------------- keeping

// Appends the triangle to the result; reverses it if it belongs to b and b is subtracted.
static bool keep_triangle(boolean_work *w, int32_t of, int32_t a, int32_t b, int32_t c)
{
    if (!sherd_grow((void **)&w->kept, &w->kept_capacity, 3 * (w->kept_count + 1), sizeof *w->kept))
        return false;
    bool turned = w->cut && of >= w->first_b;
    int32_t *to = w->kept + 3 * w->kept_count++;
    to[0] = a, to[1] = turned ? c : b, to[2] = turned ? b : c;
    return true;
}

// Returns whether the part of a triangle inside (or outside) the other mesh belongs to the result.
static bool is_in_result(const boolean_work *w, int32_t triangle, bool inside)
{
    return inside == (w->cut && triangle >= w->first_b);
}

static int32_t vertex_of_part(const boolean_work *w, const triangle_divider *d, int32_t triangle,
                              int32_t at)
{
    return at < 3 ? w->triangle[3 * (size_t)triangle + (size_t)at] : d->point[at - 3];
}

// Appends the parts in the result of a triangle that others cut.
static bool keep_parts(boolean_work *w, triangle_divider *d, int32_t triangle,
                       const divide_segment *segments, int32_t count)
{
    divide_triangle t = {.count = count, .segments = segments};
    for (int k = 0; k < 3; ++k) {
        int32_t v = w->triangle[3 * (size_t)triangle + (size_t)k];
        t.at[k] = w->vertex[v], t.order[k] = (uint64_t)v;
    }
    divide_result result = sherd_divide(d, &t);
    w->out_of_memory = result == DIVIDE_MEMORY;
    w->contradictory = result != DIVIDE_OK;
    for (int32_t p = 0; result == DIVIDE_OK && p < d->f.triangle_count; ++p) {
        const int32_t *c = d->f.triangles[p].corner;
        if (is_in_result(w, triangle, d->value[p] == BOOLEAN_INSIDE) &&
            !keep_triangle(w, triangle, vertex_of_part(w, d, triangle, c[0]),
                           vertex_of_part(w, d, triangle, c[1]),
                           vertex_of_part(w, d, triangle, c[2])))
            w->out_of_memory = true;
    }
    return result == DIVIDE_OK && !w->out_of_memory;
}

// Whether vertices lie inside the other mesh: computed once per component connected by uncut
// triangles.
typedef struct side_finder {
    boolean_work *w;
    int32_t *root; // (given_vertices)
    // Of roots; -1: not computed yet (given_vertices).
    int8_t *inside;
    sherd_bvh bvh[2]; // of a, of b
    sherd_winding winding[2];
} side_finder;

static bool plant(const sherd_mesh *mesh, sherd_bvh *bvh)
{
    sherd_bounds *boxes = sherd_alloc((size_t)mesh->triangle_count, sizeof *boxes);
    for (int32_t t = 0; boxes != NULL && t < mesh->triangle_count; ++t)
        boxes[t] = mesh_triangle_bounds(mesh, t);
    bool planted = boxes != NULL && sherd_bvh_init(bvh, boxes, mesh->triangle_count);
    sherd_free(boxes);
    return planted;
}

// Classifies a triangle, from `*next` on, and advances `*next` past its component.
static int32_t count_segments(const boolean_work *w, int32_t triangle, size_t *next)
{
    int32_t count = 0;
    for (; *next < w->segment_count && w->segments[*next].triangle == triangle; ++*next)
        ++count;
    return count;
}

static bool start_finder(side_finder *f, boolean_work *w)
{
    f->w = w;
    f->root = sherd_alloc((size_t)w->given_vertices, sizeof *f->root);
    f->inside = sherd_alloc((size_t)w->given_vertices, sizeof *f->inside);
    if (f->root == NULL || f->inside == NULL || !plant(w->a, &f->bvh[0]) ||
        !plant(w->b, &f->bvh[1]) || !sherd_winding_init(&f->winding[0], w->a, &f->bvh[0]) ||
        !sherd_winding_init(&f->winding[1], w->b, &f->bvh[1]))
        return false;
    for (int32_t v = 0; v < w->given_vertices; ++v)
        f->root[v] = v, f->inside[v] = -1;
    size_t s = 0;
    for (int32_t t = 0; t < w->given_triangles; ++t) {
        const int32_t *c = w->triangle + 3 * (size_t)t;
        if (count_segments(w, t, &s) > 0) continue;
        sherd_join_roots(f->root, c[0], c[1]);
        sherd_join_roots(f->root, c[0], c[2]);
    }
    return true;
}

static void release_finder(side_finder *f)
{
    for (int side = 0; side < 2; ++side) {
        sherd_winding_release(&f->winding[side]);
        sherd_bvh_release(&f->bvh[side]);
    }
    sherd_free(f->root);
    sherd_free(f->inside);
}

static bool is_inside(side_finder *f, int32_t vertex)
{
    int32_t root = sherd_find_root(f->root, vertex);
    bool of_a = root < f->w->a->vertex_count;
    int64_t work = 0; // closed surfaces without self-intersections: the work is not bounded here
    if (f->inside[root] < 0)
        f->inside[root] =
            sherd_winding_number(&f->winding[of_a ? 1 : 0], f->w->vertex[root], &work) > 0.5;
    return f->inside[root] == 1;
}

static bool keep_triangles(boolean_work *w, side_finder *f, triangle_divider *d,
                           const divide_segment *lines)
{
    size_t s = 0;
    for (int32_t t = 0; t < w->given_triangles; ++t) {
        const int32_t *c = w->triangle + 3 * (size_t)t;
        size_t first = s;
        int32_t count = count_segments(w, t, &s);
        if (count > 0) {
            if (!keep_parts(w, d, t, lines + first, count)) return false;
        } else if (is_in_result(w, t, is_inside(f, c[0])) &&
                   !keep_triangle(w, t, c[0], c[1], c[2])) {
            w->out_of_memory = true;
            return false;
        }
    }
    return true;
}

static bool keep_all(boolean_work *w)
{
    side_finder f = {0};
    triangle_divider d = {0};
    divide_segment *lines = sherd_alloc(w->segment_count, sizeof *lines);
    w->out_of_memory = lines == NULL || !start_finder(&f, w);
    for (size_t s = 0; lines != NULL && s < w->segment_count; ++s)
        lines[s] = w->segments[s].line;
    bool kept = !w->out_of_memory && keep_triangles(w, &f, &d, lines);
    sherd_divider_release(&d);
    release_finder(&f);
    sherd_free(lines);
    return kept;
}

// ---------------------------------------------------------------- the result

// Copies the result's triangles and the vertices that they use.
static sherd_mesh *copy_result(boolean_work *w, sherd_error *error)
{
    int32_t *new_index = sherd_alloc(w->vertex_count, sizeof *new_index), used = 0;
    sherd_mesh *mesh = NULL;
    if (new_index != NULL && w->kept_count <= INT32_MAX / 3) {
        for (size_t k = 0; k < 3 * w->kept_count; ++k)
            if (new_index[w->kept[k]] == 0) new_index[w->kept[k]] = ++used;
        mesh = sherd_mesh_create(used, (int32_t)w->kept_count, error);
    } else {
        sherd_fail_memory(error, "a surface mesh");
    }
    for (size_t v = 0; mesh != NULL && v < w->vertex_count; ++v)
        if (new_index[v] > 0) mesh_set_vertex(mesh, new_index[v] - 1, w->vertex[v]);
    for (size_t k = 0; mesh != NULL && k < 3 * w->kept_count; ++k)
        mesh->triangles[k] = new_index[w->kept[k]] - 1;
    sherd_free(new_index);
    return mesh;
}

// Returns the mesh if it is closed; NULL with SHERD_OK or SHERD_ERROR_MEMORY.
static sherd_mesh *check_closed(sherd_mesh *mesh, sherd_error *error)
{
    sherd_mesh_edges edges;
    bool closed = false;
    if (sherd_mesh_edges_init(&edges, mesh))
        closed = edges.boundary_edges == 0 && edges.non_manifold_edges == 0 &&
                 edges.misoriented_edges == 0;
    else
        sherd_fail_memory(error, "a surface mesh");
    sherd_mesh_edges_release(&edges);
    if (closed) return mesh;
    sherd_mesh_destroy(mesh);
    return NULL;
}

static void release(boolean_work *w)
{
    sherd_free(w->vertex);
    sherd_free(w->exact);
    sherd_free(w->triangle);
    sherd_free(w->points);
    sherd_free(w->slots);
    sherd_free(w->segments);
    sherd_free(w->kept);
}

sherd_mesh *sherd_mesh_boolean(const sherd_mesh *a, const sherd_mesh *b, sherd_boolean_kind kind,
                               sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_OK};
    boolean_work w = {.cut = kind == SHERD_BOOLEAN_DIFFERENCE, .a = a, .b = b};
    sherd_mesh *mesh = NULL;
    w.out_of_memory = !prepare(&w);
    if (!w.out_of_memory && sherd_boolean_cut(&w) && keep_all(&w)) mesh = copy_result(&w, error);
    if (w.out_of_memory) sherd_fail_memory(error, "a surface mesh");
    release(&w);
    return mesh != NULL ? check_closed(mesh, error) : NULL;
}
