// Prisms: both ends have a grid of squares with diagonals inside, joined to the outline by a
// Delaunay triangulation; the sides have columns and rows. A box's grid ends on its outline.
#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/delaunay.h"
#include "geometry/polygon.h"
#include "geometry/tessellate/surface_build.h"
#include "math/vec3.h"

enum { MAX_TRIANGLES = 1000000 }; // edges are longer if there were more

// Diagonals are at most twice the requested edge length.
static const double SPACING = 1.4142135623730951;
// Grid nodes nearer to the outline than this fraction of the spacing are left out.
static const double MIN_DISTANCE = 0.5;

typedef struct rim_node {
    int32_t vertex; // of the end
    int32_t next;   // in the rim
} rim_node;

typedef struct prism {
    double half_height, spacing; // [m]
    sherd_delaunay end;          // the same for both ends, viewed from above
    size_t rim_count, rim_capacity;
    rim_node *rim; // around the outlines
    int rows;      // of the sides
    sherd_mesh_growth growth;
} prism;

static sherd_vec2 between(sherd_vec2 a, sherd_vec2 b, double f)
{
    return (sherd_vec2){a.x + f * (b.x - a.x), a.y + f * (b.y - a.y)};
}

static int parts_of(double length, double spacing)
{
    return (int)fmax(1.0, ceil(length / spacing * (1.0 - 1e-9)));
}

// Increases the spacing if there were too many triangles: two per square, on both ends and around.
static double spacing_of(const sherd_polygon *p, double half_height, double edge_length)
{
    double girth = 0.0, area = sherd_polygon_area(p);
    for (int k = 0; k < p->count; ++k) {
        sherd_vec2 a = p->vertex[k], b = p->vertex[p->after[k]];
        girth += hypot(b.x - a.x, b.y - a.y);
    }
    double lower_bound = sqrt(4.0 * (area + girth * half_height) / MAX_TRIANGLES);
    return fmax(SPACING * edge_length, lower_bound + 2.0 * girth / MAX_TRIANGLES);
}

// ---- ends

static void add_to_rim(prism *p, int32_t v)
{
    if (p->end.failed ||
        !sherd_grow((void **)&p->rim, &p->rim_capacity, p->rim_count + 1, sizeof *p->rim))
        p->end.failed = true;
    else
        p->rim[p->rim_count] = (rim_node){v, (int32_t)p->rim_count + 1}, ++p->rim_count;
}

static void split_outlines(prism *p, const sherd_polygon *outline)
{
    int32_t begin = 0;
    for (int k = 0; k < outline->count; ++k) {
        sherd_vec2 a = outline->vertex[k], b = outline->vertex[outline->after[k]];
        int parts = parts_of(hypot(b.x - a.x, b.y - a.y), p->spacing);
        int32_t first = (int32_t)p->end.vertex_count;
        for (int i = parts - 1; i > 0; --i)
            sherd_delaunay_split(&p->end, k, between(a, b, (double)i / parts));
        add_to_rim(p, k);
        for (int i = parts - 2; i >= 0; --i)
            add_to_rim(p, first + i);
        if (outline->after[k] > k || p->end.failed) continue;
        p->rim[p->rim_count - 1].next = begin; // closes the outline
        begin = (int32_t)p->rim_count;
    }
}

// Row by row; the search for each node's triangle starts at that of the previous node or the one
// below.
static bool fill_with_grid(prism *p, const sherd_polygon *outline)
{
    sherd_vec2 low = outline->vertex[0], high = low;
    for (int k = 0; k < outline->count; ++k) {
        sherd_vec2 v = outline->vertex[k];
        low = (sherd_vec2){fmin(low.x, v.x), fmin(low.y, v.y)};
        high = (sherd_vec2){fmax(high.x, v.x), fmax(high.y, v.y)};
    }
    int columns = parts_of(high.x - low.x, p->spacing), rows = parts_of(high.y - low.y, p->spacing);
    int32_t *near = sherd_alloc((size_t)columns + 1, sizeof *near);
    for (int j = 1; near != NULL && j < rows; ++j) {
        bool linked = false; // to the node before
        for (int i = 1; i < columns && !p->end.failed; ++i) {
            sherd_vec2 at = {between(low, high, (double)i / columns).x,
                             between(low, high, (double)j / rows).y};
            double depth = -sherd_polygon_distance(outline, at, NULL);
            if (depth > MIN_DISTANCE * p->spacing)
                near[i] = sherd_delaunay_insert(&p->end, linked ? near[i - 1] : near[i], at);
            linked = depth > MIN_DISTANCE * p->spacing;
        }
    }
    sherd_free(near);
    return near != NULL;
}

static void add_ends(prism *p)
{
    const sherd_delaunay *d = &p->end;
    int32_t up = (int32_t)d->vertex_count;
    for (int level = 0; level < 2; ++level)
        for (size_t v = 0; v < d->vertex_count; ++v)
            sherd_growth_vertex(&p->growth, d->vertex[v].x, d->vertex[v].y,
                                level ? p->half_height : -p->half_height);
    for (size_t t = 0; t < d->triangle_count; ++t) {
        const int32_t *c = d->corner + 3 * t;
        float u[3], v[3];
        for (int k = 0; k < 3; ++k)
            u[k] = (float)d->vertex[c[k]].x, v[k] = (float)d->vertex[c[k]].y;
        sherd_growth_triangle(&p->growth, c[0], c[2], c[1],
                              (const float[6]){-u[0], v[0], -u[2], v[2], -u[1], v[1]});
        sherd_growth_triangle(&p->growth, up + c[0], up + c[1], up + c[2],
                              (const float[6]){u[0], v[0], u[1], v[1], u[2], v[2]});
    }
}

// ---- sides

static double height_of(const prism *p, int row)
{
    return p->half_height * (2.0 * row / p->rows - 1.0);
}

// Vertex k of the rim, `row` rows above the lower end; vertices between the ends come after those
// of the ends.
static int32_t side_vertex(const prism *p, int row, size_t k)
{
    int32_t count = (int32_t)p->end.vertex_count;
    if (row == 0) return p->rim[k].vertex;
    if (row == p->rows) return count + p->rim[k].vertex;
    return 2 * count + (row - 1) * (int32_t)p->rim_count + (int32_t)k;
}

static void add_side(prism *p, size_t k, float u0, float u1)
{
    size_t next = (size_t)p->rim[k].next;
    for (int row = 0; row < p->rows; ++row) {
        float low = (float)height_of(p, row), high = (float)height_of(p, row + 1);
        int32_t a = side_vertex(p, row, k), b = side_vertex(p, row, next);
        int32_t c = side_vertex(p, row + 1, next), e = side_vertex(p, row + 1, k);
        sherd_growth_triangle(&p->growth, a, b, c, (const float[6]){u0, low, u1, low, u1, high});
        sherd_growth_triangle(&p->growth, a, c, e, (const float[6]){u0, low, u1, high, u0, high});
    }
}

static void add_sides(prism *p)
{
    double along = 0.0; // the outline [m]
    for (int row = 1; row < p->rows; ++row)
        for (size_t k = 0; k < p->rim_count; ++k) {
            sherd_vec2 at = p->end.vertex[p->rim[k].vertex];
            sherd_growth_vertex(&p->growth, at.x, at.y, height_of(p, row));
        }
    for (size_t k = 0; k < p->rim_count; ++k) {
        sherd_vec2 a = p->end.vertex[p->rim[k].vertex],
                   b = p->end.vertex[p->rim[p->rim[k].next].vertex];
        double length = hypot(b.x - a.x, b.y - a.y);
        add_side(p, k, (float)along, (float)(along + length));
        along += length;
    }
}

sherd_mesh *sherd_surface_prism(const sherd_polygon *outline, double half_height,
                                double edge_length, sherd_error *error)
{
    prism p = {.half_height = half_height,
               .spacing = spacing_of(outline, half_height, edge_length),
               .growth.has_uv = true};
    p.rows = parts_of(2.0 * half_height, p.spacing);
    bool filled = sherd_delaunay_init(&p.end, outline);
    if (filled) split_outlines(&p, outline);
    if (filled) sherd_delaunay_flip_all(&p.end);
    filled = filled && fill_with_grid(&p, outline) && !p.end.failed;
    if (filled) {
        add_ends(&p);
        add_sides(&p);
    }
    p.growth.failed = p.growth.failed || !filled;
    sherd_delaunay_release(&p.end);
    sherd_free(p.rim);
    return sherd_growth_finish(&p.growth, error);
}
