#include "surface/methods/cut/cut_slit.h"

#include "base/forest.h"
#include "base/memory.h"
#include "base/sort.h"
#include "geometry/mesh/mesh_access.h"
#include "surface/methods/cut/crack_opening.h"

#include <stdlib.h>
#include <string.h>

typedef struct opening {
    sherd_mesh *mesh;
    const uint8_t *slit;
    sherd_sort_pair *edges; // half-edges 3 t + k by their vertices  (corners)
    int32_t *root;          // union-find forest of corners that share a vertex  (corners)
    uint8_t *excluded;      // triangles
    uint8_t *tip;           // vertices at the end of a crack
    uint8_t *rim;           // edges of a triangle at the end of a crack  (triangles)
} opening;

static size_t after(size_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

// Half-edges with the solid between them share both vertices.
static void join_half_edges(opening *o, size_t a, size_t b)
{
    sherd_join_roots(o->root, a, after(b));
    sherd_join_roots(o->root, after(a), b);
}

// Sorts half-edges by their vertices.
static bool sort_edges(opening *o)
{
    const int32_t *c = o->mesh->triangles;
    size_t corners = 3 * (size_t)o->mesh->triangle_count;
    for (size_t k = 0; k < corners; ++k) {
        uint64_t a = (uint64_t)c[k], b = (uint64_t)c[after(k)];
        o->edges[k] = (sherd_sort_pair){a < b ? a << 32 | b : b << 32 | a, (uint32_t)k};
    }
    return sherd_sort_pairs(o->edges, corners);
}

// Returns the end of the run of half-edges on one edge.
static size_t end_of_row(const opening *o, size_t first)
{
    size_t corners = 3 * (size_t)o->mesh->triangle_count, last = first + 1;
    while (last < corners && o->edges[last].key == o->edges[first].key)
        ++last;
    return last;
}

// --- Ends of cracks --------------------------------------------------------------------------------

// Counts the crack triangles at the edge, and finds whether other triangles use it too.
static int count_slits(const opening *o, size_t first, size_t last, bool *others)
{
    int count = 0;
    *others = false;
    for (size_t k = first; k < last; ++k) {
        uint32_t t = o->edges[k].value / 3;
        if (o->excluded[t]) continue;
        count += o->slit[t];
        *others |= !o->slit[t];
    }
    return count / 2; // both sides
}

static void mark_tips(opening *o)
{
    size_t corners = 3 * (size_t)o->mesh->triangle_count;
    memset(o->tip, 0, (size_t)o->mesh->vertex_count);
    memset(o->rim, 0, (size_t)o->mesh->triangle_count);
    for (size_t first = 0, last; first < corners; first = last) {
        bool others;
        last = end_of_row(o, first);
        if (count_slits(o, first, last, &others) != 1 || others) continue;
        o->tip[o->edges[first].key >> 32] = o->tip[o->edges[first].key & UINT32_MAX] = 1;
        for (size_t k = first; k < last; ++k)
            o->rim[o->edges[k].value / 3]++;
    }
}

// Removes the triangle nearest to the end, both of its sides: they are adjacent in the mesh.
static void exclude_one(opening *o, size_t first, size_t last)
{
    int max_rim = -1;
    uint32_t best = 0;
    for (size_t k = first; k < last; ++k) {
        uint32_t t = o->edges[k].value / 3;
        if (!o->slit[t] || o->excluded[t] || o->rim[t] < max_rim) continue;
        if (o->rim[t] > max_rim || t < best) best = t;
        max_rim = o->rim[t];
    }
    const int32_t *c = o->mesh->triangles + 3 * (size_t)best;
    bool next = c[0] == c[3] && c[1] == c[5] && c[2] == c[4];
    o->excluded[best] = o->excluded[next ? best + 1 : best - 1] = 1;
}

// A triangle with two edges at the end would have a corner shared only with its own other side.
static bool exclude_ears(opening *o)
{
    bool any = false;
    for (int32_t t = 0; t < o->mesh->triangle_count; ++t)
        if (o->rim[t] > 1 && !o->excluded[t]) {
            o->excluded[t] = 1;
            any = true;
        }
    return any;
}

// Shortens cracks at their ends until no edge inside a crack joins two tip vertices.
static void cut_back(opening *o)
{
    size_t corners = 3 * (size_t)o->mesh->triangle_count;
    for (bool changed = true; changed;) {
        changed = false;
        mark_tips(o);
        for (size_t first = 0, last; first < corners; first = last) {
            bool others;
            last = end_of_row(o, first);
            if (!o->tip[o->edges[first].key >> 32] || !o->tip[o->edges[first].key & UINT32_MAX])
                continue;
            int count = count_slits(o, first, last, &others);
            if (count == 0 || (count == 1 && !others)) continue;
            exclude_one(o, first, last);
            changed = true;
        }
        changed |= exclude_ears(o);
    }
}

// --- Pairs of faces --------------------------------------------------------------------------------

// One of the half-edges on an edge, viewed along the edge from its lower vertex.
typedef struct spoke {
    double angle;
    size_t corner;
    // Runs from the lower vertex: the solid is clockwise of it, else counter-clockwise.
    bool upwards;
} spoke;

// Sorts by angle; at equal angles a face that ends a wedge precedes one that begins the next.
static int compare_spokes(const void *a, const void *b)
{
    const spoke *p = a, *q = b;
    if (p->angle != q->angle) return p->angle < q->angle ? -1 : 1;
    if (p->upwards != q->upwards) return p->upwards ? -1 : 1;
    return (p->corner > q->corner) - (p->corner < q->corner);
}

static void find_angles(const opening *o, spoke *spokes, size_t count)
{
    const int32_t *c = o->mesh->triangles;
    size_t first = spokes[0].corner;
    int32_t a = c[first], b = c[after(first)];
    sherd_vec3 low = mesh_vertex(o->mesh, a < b ? a : b);
    sherd_vec3 axis = vec3_normalize(vec3_sub(mesh_vertex(o->mesh, a < b ? b : a), low));
    sherd_vec3 u = vec3_perpendicular(axis), v = vec3_cross(axis, u);
    for (size_t k = 0; k < count; ++k) {
        size_t at = spokes[k].corner;
        sherd_vec3 arm = vec3_sub(mesh_vertex(o->mesh, c[after(after(at))]), low);
        spokes[k].angle = atan2(vec3_dot(arm, v), vec3_dot(arm, u));
        spokes[k].upwards = c[at] < c[after(at)];
    }
    qsort(spokes, count, sizeof *spokes, compare_spokes);
}

// A face that begins a wedge is paired with the next one that ends a wedge.
static void pair_spokes(opening *o, const spoke *spokes, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        if (spokes[k].upwards) continue;
        for (size_t j = 1; j <= count; ++j) {
            const spoke *next = &spokes[(k + j) % count];
            if (!next->upwards) continue;
            join_half_edges(o, spokes[k].corner, next->corner);
            break;
        }
    }
}

// Joins corners across one edge. Returns false when out of memory.
static bool pair_row(opening *o, size_t first, size_t last, spoke **spokes, size_t *capacity)
{
    size_t count = 0;
    if (!sherd_grow((void **)spokes, capacity, last - first, sizeof **spokes)) return false;
    for (size_t k = first; k < last; ++k)
        if (!o->excluded[o->edges[k].value / 3]) (*spokes)[count++].corner = o->edges[k].value;
    if (count == 2) {
        join_half_edges(o, (*spokes)[0].corner, (*spokes)[1].corner);
    } else if (count > 2) {
        find_angles(o, *spokes, count);
        pair_spokes(o, *spokes, count);
    }
    return true;
}

static bool pair_edges(opening *o)
{
    size_t corners = 3 * (size_t)o->mesh->triangle_count, capacity = 0;
    spoke *spokes = NULL;
    bool ok = true;
    for (size_t k = 0; k < corners; ++k)
        o->root[k] = (int32_t)k;
    for (size_t first = 0, last; ok && first < corners; first = last) {
        last = end_of_row(o, first);
        ok = pair_row(o, first, last, &spokes, &capacity);
    }
    sherd_free(spokes);
    return ok;
}

// Returns whether two triangles still use an edge in the same direction.
static bool has_double_edge(opening *o)
{
    size_t corners = 3 * (size_t)o->mesh->triangle_count;
    for (size_t first = 0, last; first < corners; first = last) {
        last = end_of_row(o, first);
        for (size_t k = first; last - first > 2 && k < last; ++k)
            for (size_t j = first; j < k; ++j) {
                size_t a = o->edges[k].value, b = o->edges[j].value;
                if (o->excluded[a / 3] || o->excluded[b / 3]) continue;
                if (sherd_find_root(o->root, (int32_t)a) == sherd_find_root(o->root, (int32_t)b) &&
                    sherd_find_root(o->root, (int32_t)after(a)) ==
                        sherd_find_root(o->root, (int32_t)after(b)))
                    return true;
            }
    }
    return false;
}

// --- New vertices ----------------------------------------------------------------------------------

// Creates a vertex for each set of corners that share one: `set` by corner, numbers below `sets`.
static bool renumber(sherd_mesh *mesh, const int32_t *set, size_t sets)
{
    size_t corners = 3 * (size_t)mesh->triangle_count;
    int32_t *number = sherd_alloc(sets, sizeof *number), count = 0;
    for (size_t k = 0; number != NULL && k < corners; ++k)
        if (number[set[k]] == 0) number[set[k]] = ++count;
    double *vertices = sherd_alloc(3 * (size_t)count, sizeof *vertices);
    double *normals = sherd_alloc(3 * (size_t)count, sizeof *normals);
    bool ok = number != NULL && vertices != NULL && normals != NULL;
    for (size_t k = 0; ok && k < corners; ++k) {
        int32_t v = number[set[k]] - 1;
        for (int d = 0; d < 3; ++d)
            vertices[3 * (size_t)v + (size_t)d] =
                mesh->vertices[3 * (size_t)mesh->triangles[k] + (size_t)d];
        mesh->triangles[k] = v;
    }
    sherd_free(number);
    if (!ok) {
        sherd_free(vertices);
        sherd_free(normals);
        return false;
    }
    sherd_free(mesh->vertices);
    sherd_free(mesh->normals);
    mesh->vertices = vertices;
    mesh->normals = normals;
    mesh->vertex_count = count;
    return true;
}

static void compress(opening *o, uint8_t *slit, int32_t *side)
{
    sherd_mesh *mesh = o->mesh;
    int32_t kept = 0;
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c)
        o->root[c] = sherd_find_root(o->root, c);
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        if (o->excluded[t]) continue;
        for (int k = 0; k < 3; ++k) {
            o->root[3 * kept + k] = o->root[3 * t + k];
            mesh->triangles[3 * kept + k] = mesh->triangles[3 * t + k];
        }
        mesh->face_kind[kept] = mesh->face_kind[t];
        slit[kept] = slit[t];
        side[kept++] = side[t];
    }
    mesh->triangle_count = kept;
}

// Joins the vertices connected by crack triangles.
static void join_slits(const sherd_mesh *mesh, const uint8_t *slit, int32_t *root)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        root[v] = v;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *c = mesh->triangles + 3 * (size_t)t;
        for (int k = 1; slit[t] && k < 3; ++k)
            sherd_join_roots(root, c[0], c[k]);
    }
}

// The bounding box of each component, by its root: the lowest of its vertices, so that it comes
// first.
static void find_boxes(const sherd_mesh *mesh, int32_t *root, sherd_bounds *box)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        sherd_vec3 x = mesh_vertex(mesh, v);
        sherd_bounds *b = &box[root[v] = sherd_find_root(root, v)];
        if (root[v] == v) *b = (sherd_bounds){x, x};
        b->low = vec3_min(b->low, x);
        b->high = vec3_max(b->high, x);
    }
}

// Removes cracks that are too small to draw.
//
// Where a few adjacent bonds broke inside a fragment, the crack surface has a patch of one or two
// radii. It would show as a speck on the outer surface, or as a notch beside the faces of a larger
// crack.
//
// Marks crack triangles (`slit`) in `excluded`, both sides of them, if their component (connected
// by vertices) fits a box whose diagonal is shorter than `min_length` [m]. Returns false when out of
// memory.
static bool small_cracks_mark(const sherd_mesh *mesh, const uint8_t *slit, double min_length,
                              uint8_t *excluded)
{
    int32_t *root = sherd_alloc((size_t)mesh->vertex_count, sizeof *root);
    sherd_bounds *box = sherd_alloc((size_t)mesh->vertex_count, sizeof *box);
    bool ok = root != NULL && box != NULL;
    if (ok) {
        join_slits(mesh, slit, root);
        find_boxes(mesh, root, box);
    }
    for (int32_t t = 0; ok && t < mesh->triangle_count; ++t) {
        if (!slit[t]) continue;
        const sherd_bounds *b = &box[root[mesh->triangles[3 * (size_t)t]]];
        if (vec3_distance(b->low, b->high) < min_length) excluded[t] = 1;
    }
    sherd_free(root);
    sherd_free(box);
    return ok;
}

static bool open_slits(opening *o, uint8_t *slit, int32_t *side, const slit_drawing *how)
{
    if (!sort_edges(o) || !small_cracks_mark(o->mesh, slit, how->min_length, o->excluded))
        return false;
    cut_back(o);
    if (!pair_edges(o)) return false;
    // An intersection of cracks that cannot be resolved: no crack is drawn.
    if (has_double_edge(o)) {
        memcpy(o->excluded, slit, (size_t)o->mesh->triangle_count);
        if (!pair_edges(o)) return false;
    }
    size_t sets = 3 * (size_t)o->mesh->triangle_count;
    compress(o, slit, side);
    return renumber(o->mesh, o->root, sets) &&
           sherd_cut_move_apart(o->mesh, o->slit, how->half_gap);
}

bool sherd_crack_open(sherd_mesh *mesh, uint8_t *slit, int32_t *side, const slit_drawing *how)
{
    size_t triangles = (size_t)mesh->triangle_count, corners = 3 * triangles;
    opening o = {.mesh = mesh,
                 .slit = slit,
                 .edges = sherd_alloc(corners, sizeof *o.edges),
                 .root = sherd_alloc(corners, sizeof *o.root),
                 .excluded = sherd_alloc(triangles, 1),
                 .tip = sherd_alloc((size_t)mesh->vertex_count, 1),
                 .rim = sherd_alloc(triangles, 1)};
    bool ok = o.edges != NULL && o.root != NULL && o.excluded != NULL && o.tip != NULL &&
              o.rim != NULL && open_slits(&o, slit, side, how);
    sherd_free(o.edges);
    sherd_free(o.root);
    sherd_free(o.excluded);
    sherd_free(o.tip);
    sherd_free(o.rim);
    return ok;
}
