// Decides which holes are small enough to close without a visible change.
//
// Damage is a few triangles that a scan or an exporter lost. An opening is intended: a cup, the end
// of a tube, a sheet; closing it would change the object. So a hole is closed if it is small
// compared with its component in extent and in area (the fan's against the surface's). In a coarse
// mesh one triangle is a large part, yet there is only one way to restore it: a hole of three
// edges, or of four in one plane, may be larger if the surface continues smoothly across it instead
// of turning away all around, as the walls do at the end of a square tube.
#include "geometry/mesh/mesh_holes.h"

#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"

#include <string.h>

enum { AMBIGUOUS = -2 };

enum { MAX_EDGES = 64 }; // edges of a loop that a fan triangulates well

// Maximum ratio of the hole's bounding-box diagonal to that of its component, and of areas. At the
// limit of the first a round hole takes 0.6 % of a ball's surface; the second also applies to long
// and thin components.
static const double SMALL_EXTENT = 0.125, SMALL_AREA = 0.01;
// One of a cube's twelve triangles has 8.3 % of its area, one of its six squares 17 %: that is an
// open box.
static const double PATCH_AREA = 0.1;
// Maximum distance of a hole's corners from its plane, relative to its extent.
static const double PATCH_FLATNESS = 1e-3;
// Cosine of the bend up to which the surface counts as continuous. Across the edges of an
// icosahedron it bends by 41.8 degrees, at the end of a tube by 90.
static const double PATCH_BEND = 0.5;

// Extent and area of a component.
typedef struct piece_size {
    double area;
    sherd_bounds bounds;
} piece_size;

typedef struct hole_filler {
    sherd_mesh *mesh;
    const sherd_mesh_edges *edges;
    const sherd_orientation *pieces;
    piece_size *size; // of each component
    int32_t *next;    // next vertex along the hole's border; -1 = none
    int32_t *corner;  // a corner at each vertex of a border           (vertices)
    uint8_t *seen;    // visited (vertices)
} hole_filler;

// The border of an isolated triangle is no hole: closing it would add a second triangle on top of
// the first.
static bool is_lone_triangle(const sherd_mesh_edges *edges, int32_t half_edge)
{
    int32_t first = half_edge - half_edge % 3;
    return edges->twin[first] == SHERD_EDGE_BOUNDARY &&
           edges->twin[first + 1] == SHERD_EDGE_BOUNDARY &&
           edges->twin[first + 2] == SHERD_EDGE_BOUNDARY;
}

// The border runs against the direction of the triangles' half-edges.
static void link_borders(const sherd_mesh *mesh, const sherd_mesh_edges *edges, hole_filler *f)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        f->next[v] = -1;
    for (int32_t h = 0; h < 3 * mesh->triangle_count; ++h) {
        if (edges->twin[h] != SHERD_EDGE_BOUNDARY || is_lone_triangle(edges, h)) continue;
        int32_t from = mesh_edge_to(mesh, h), to = mesh_edge_from(mesh, h);
        f->next[from] = f->next[from] == -1 ? to : AMBIGUOUS;
        f->corner[to] = h; // half-edges are numbered like the corners at which they start
    }
}

// A border that starts at one of its vertices.
typedef struct loop {
    int32_t start;
    int32_t length; // edges
    bool closed;    // comes back to its start
    sherd_bounds bounds;
} loop;

// Follows the border from v to its end or to a visited vertex.
static loop follow_border(hole_filler *f, int32_t v)
{
    sherd_vec3 p = mesh_vertex(f->mesh, v);
    loop l = {.start = v, .bounds = {p, p}};
    int32_t at = v;
    while (f->next[at] >= 0 && !f->seen[at]) {
        f->seen[at] = 1;
        at = f->next[at];
        bounds_add(&l.bounds, mesh_vertex(f->mesh, at));
        ++l.length;
    }
    l.closed = at == v && l.length >= 3;
    return l;
}

static double diagonal(const sherd_bounds *b)
{
    return vec3_distance(b->low, b->high);
}

// ---------------------------------------------------------------- small holes

static bool measure_pieces(hole_filler *f)
{
    const sherd_mesh *mesh = f->mesh;
    f->size = sherd_alloc((size_t)f->pieces->components, sizeof *f->size);
    if (f->size == NULL) return false;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        piece_size *size = &f->size[f->pieces->component[t]];
        sherd_bounds b = mesh_triangle_bounds(mesh, t);
        if (size->area > 0.0) bounds_add(&b, size->bounds.low), bounds_add(&b, size->bounds.high);
        size->bounds = b;
        size->area += 0.5 * vec3_length(mesh_area_vector(mesh, t));
    }
    return true;
}

static sherd_vec3 middle_of(const hole_filler *f, const loop *l)
{
    sherd_vec3 sum = vec3(0.0, 0.0, 0.0);
    int32_t at = l->start;
    for (int k = 0; k < l->length; ++k, at = f->next[at])
        sum = vec3_add(sum, mesh_vertex(f->mesh, at));
    return vec3_scale(1.0 / l->length, sum);
}

// The fan that would close a loop: its area, and the sum of its triangles' normals weighted by
// area.
static double fan_area(const hole_filler *f, const loop *l, sherd_vec3 *sum)
{
    sherd_vec3 middle = middle_of(f, l);
    double area = 0.0;
    int32_t at = l->start;
    *sum = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < l->length; ++k, at = f->next[at]) {
        sherd_vec3 a = vec3_sub(mesh_vertex(f->mesh, at), middle);
        sherd_vec3 b = vec3_sub(mesh_vertex(f->mesh, f->next[at]), middle);
        sherd_vec3 normal = vec3_scale(0.5, vec3_cross(a, b));
        area += vec3_length(normal);
        *sum = vec3_add(*sum, normal);
    }
    return area;
}

// Returns whether some triangle at the border bends only little from the plane of a hole with this
// normal.
static bool runs_on(const hole_filler *f, const loop *l, sherd_vec3 normal)
{
    int32_t at = l->start;
    for (int k = 0; k < l->length; ++k, at = f->next[at]) {
        sherd_vec3 beside = vec3_normalize(mesh_area_vector(f->mesh, f->corner[at] / 3));
        if (vec3_dot(beside, normal) > PATCH_BEND) return true;
    }
    return false;
}

// Returns whether one triangle or flat quadrilateral is missing.
static bool is_patch(const hole_filler *f, const loop *l, sherd_vec3 normal)
{
    if (l->length > 4) return false;
    // Four corners are alternately above and below their mean plane, by the same distance.
    double height = vec3_dot(normal, vec3_sub(mesh_vertex(f->mesh, l->start), middle_of(f, l)));
    return fabs(height) <= PATCH_FLATNESS * diagonal(&l->bounds) && runs_on(f, l, normal);
}

static bool is_small(const hole_filler *f, const loop *l)
{
    if (!l->closed || l->length > MAX_EDGES) return false;
    const piece_size *size = &f->size[f->pieces->component[f->corner[l->start] / 3]];
    sherd_vec3 sum;
    double fraction = fan_area(f, l, &sum) / size->area;
    double extent = diagonal(&l->bounds) / diagonal(&size->bounds);
    if (fraction <= SMALL_AREA && extent <= SMALL_EXTENT) return true;
    return fraction <= PATCH_AREA && is_patch(f, l, vec3_normalize(sum));
}

// ---------------------------------------------------------------- closing holes

static void copy_uv(const float *from, float to[2])
{
    to[0] = from[0], to[1] = from[1];
}

// Appends a triangle between two or three vertices of the border and perhaps the fan's centre,
// whose texture coordinates are given.
static void add_triangle(hole_filler *f, int32_t a, int32_t b, int32_t c, const float *hub_uv)
{
    sherd_mesh *mesh = f->mesh;
    int32_t t = mesh->triangle_count++;
    mesh_set_triangle(mesh, t, a, b, c);
    if (mesh->group != NULL)
        // Group of the triangle at the first border edge.
        mesh->group[t] = mesh->group[f->corner[a] / 3];
    if (mesh->uv == NULL) return;
    float *uv = mesh->uv + 6 * (size_t)t;
    copy_uv(mesh->uv + 2 * (size_t)f->corner[a], uv);
    copy_uv(mesh->uv + 2 * (size_t)f->corner[b], uv + 2);
    copy_uv(hub_uv != NULL ? hub_uv : mesh->uv + 2 * (size_t)f->corner[c], uv + 4);
}

// The centre of a hole takes the mean of the border's values.
typedef struct hub {
    sherd_vec3 position;
    float uv[2], color[3];
} hub;

static hub middle_of_loop(const hole_filler *f, int32_t v, int length)
{
    const sherd_mesh *mesh = f->mesh;
    hub h = {.position = {0.0, 0.0, 0.0}};
    float fraction = 1.0f / (float)length;
    int32_t at = v;
    for (int k = 0; k < length; ++k, at = f->next[at]) {
        h.position = vec3_add_scaled(h.position, 1.0 / length, mesh_vertex(mesh, at));
        for (size_t c = 0; mesh->uv != NULL && c < 2; ++c)
            h.uv[c] += fraction * mesh->uv[2 * (size_t)f->corner[at] + c];
        for (size_t c = 0; mesh->color != NULL && c < 3; ++c)
            h.color[c] += fraction * mesh->color[3 * (size_t)at + c];
    }
    return h;
}

static void fill_loop(hole_filler *f, int32_t v, int length)
{
    sherd_mesh *mesh = f->mesh;
    if (length == 3) {
        add_triangle(f, v, f->next[v], f->next[f->next[v]], NULL);
        return;
    }
    hub h = middle_of_loop(f, v, length);
    int32_t at = v, number = mesh->vertex_count++;
    mesh_set_vertex(mesh, number, h.position);
    for (size_t c = 0; mesh->color != NULL && c < 3; ++c)
        mesh->color[3 * (size_t)number + c] = h.color[c];
    for (int k = 0; k < length; ++k, at = f->next[at])
        add_triangle(f, at, f->next[at], number, h.uv);
}

// Moves the first `used` items to a longer array; a missing array stays missing. Returns false when
// out of memory.
static bool lengthen(void **array, size_t used, size_t wanted, size_t item_size)
{
    if (*array == NULL) return true;
    void *longer = sherd_alloc(wanted, item_size);
    if (longer == NULL) return false;
    memcpy(longer, *array, used * item_size);
    sherd_free(*array);
    *array = longer;
    return true;
}

// Allocates room for one vertex and `most` triangles per hole.
static bool make_room(sherd_mesh *mesh, int64_t border_edges)
{
    size_t n = (size_t)mesh->vertex_count, m = (size_t)mesh->triangle_count;
    size_t vertices = n + (size_t)border_edges / 3 + 1, triangles = m + (size_t)border_edges + 1;
    return lengthen((void **)&mesh->vertices, n, vertices, 3 * sizeof *mesh->vertices) &&
           lengthen((void **)&mesh->triangles, m, triangles, 3 * sizeof *mesh->triangles) &&
           lengthen((void **)&mesh->group, m, triangles, sizeof *mesh->group) &&
           lengthen((void **)&mesh->uv, m, triangles, 6 * sizeof *mesh->uv) &&
           lengthen((void **)&mesh->color, n, vertices, 3 * sizeof *mesh->color);
}

static void release(hole_filler *f)
{
    sherd_free(f->next);
    sherd_free(f->corner);
    sherd_free(f->seen);
    sherd_free(f->size);
}

static bool prepare(hole_filler *f)
{
    size_t vertices = (size_t)f->mesh->vertex_count;
    f->next = sherd_alloc(vertices, sizeof *f->next);
    f->corner = sherd_alloc(vertices, sizeof *f->corner);
    f->seen = sherd_alloc(vertices, 1);
    return f->next != NULL && f->corner != NULL && f->seen != NULL && measure_pieces(f) &&
           make_room(f->mesh, f->edges->boundary_edges);
}

static void process_hole(hole_filler *f, const loop *l, sherd_holes *holes)
{
    double extent = diagonal(&l->bounds);
    if (is_small(f, l)) {
        fill_loop(f, l->start, l->length);
        ++holes->filled;
        holes->widest_filled = fmax(holes->widest_filled, extent);
    } else if (extent > holes->widest_open) {
        holes->widest_open = extent;
        holes->open_example = l->start;
    }
}

bool sherd_mesh_fill_holes(sherd_mesh *mesh, const sherd_mesh_edges *edges,
                           const sherd_orientation *pieces, sherd_holes *holes)
{
    *holes = (sherd_holes){.open_example = -1};
    if (edges->boundary_edges == 0) return true;
    int32_t vertices = mesh->vertex_count;
    hole_filler f = {.mesh = mesh, .edges = edges, .pieces = pieces};
    bool ready = prepare(&f);
    if (ready) link_borders(mesh, edges, &f);
    for (int32_t v = 0; v < vertices && ready; ++v) {
        if (f.next[v] < 0 || f.seen[v]) continue;
        loop l = follow_border(&f, v);
        process_hole(&f, &l, holes);
    }
    release(&f);
    return ready;
}
