#include "geometry/wrap/winding_crossings.h"

#include "base/memory.h"
#include "base/sort.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_edges.h"

#include <math.h>

// Products of differences fit 64 bits. Positions are rounded by up to 1e-9 of the mesh's size.
static const double MAX_COORDINATE = 536870912.0; // 2^29

static const double FULL_ANGLE = 4.0 * 3.14159265358979323846;

// Work for a triangle, and for an edge.
enum { TRIANGLE_WORK = 3, EDGE_WORK = 6 };

// ---------------------------------------------------------------- edges without a neighbour

static bool keep_edge(sherd_winding_crossings *c, int32_t from, int32_t to, int64_t times,
                      int64_t max_edges)
{
    if (times == 0) return true;
    if (++c->edge_count > max_edges) return true;
    if (!sherd_grow((void **)&c->edges, &c->edge_capacity, (size_t)c->edge_count, sizeof *c->edges))
        return false;
    c->edges[c->edge_count - 1] = (sherd_winding_edge){from, to, (double)times};
    return true;
}

// Edges as pairs of vertices, sorted: the number of occurrences upwards minus downwards.
static bool find_edges(sherd_winding_crossings *c, int64_t max_edges)
{
    const sherd_mesh *mesh = c->mesh;
    size_t count = 3 * (size_t)mesh->triangle_count;
    sherd_sort_pair *sides = sherd_alloc(count, sizeof *sides);
    if (sides == NULL) return false;
    for (size_t h = 0; h < count; ++h) {
        int32_t a = mesh_edge_from(mesh, (int32_t)h), b = mesh_edge_to(mesh, (int32_t)h);
        uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
        sides[h] = (sherd_sort_pair){low << 32 | high, a < b};
    }
    bool good = sherd_sort_pairs(sides, count);
    for (size_t h = 0, next; good && h < count; h = next) {
        int64_t times = 0;
        for (next = h; next < count && sides[next].key == sides[h].key; ++next)
            times += sides[next].value != 0 ? 1 : -1;
        good = keep_edge(c, (int32_t)(sides[h].key >> 32), (int32_t)(uint32_t)sides[h].key, times,
                         max_edges);
    }
    sherd_free(sides);
    return good;
}

// ---------------------------------------------------------------- projection along z

static void project(const sherd_winding_crossings *c, sherd_vec3 p, int32_t projected[2])
{
    double x = c->steps * (p.x - c->centre.x), y = c->steps * (p.y - c->centre.y);
    projected[0] = (int32_t)lround(fmin(fmax(x, -MAX_COORDINATE), MAX_COORDINATE));
    projected[1] = (int32_t)lround(fmin(fmax(y, -MAX_COORDINATE), MAX_COORDINATE));
}

bool sherd_winding_crossings_init(sherd_winding_crossings *c, const sherd_mesh *mesh,
                                  const sherd_bvh *bvh, int64_t max_edges)
{
    *c = (sherd_winding_crossings){.mesh = mesh, .bvh = bvh};
    sherd_bounds b = sherd_mesh_bounds(mesh);
    sherd_vec3 half = vec3_scale(0.5, vec3_sub(b.high, b.low));
    c->centre = vec3_add(b.low, half);
    c->top = b.high.z;
    c->steps = 0.5 * MAX_COORDINATE / fmax(fmax(half.x, half.y), half.z);
    c->projected = sherd_alloc((size_t)mesh->vertex_count, sizeof *c->projected);
    if (c->projected == NULL || !find_edges(c, max_edges)) return false;
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        project(c, mesh_vertex(mesh, v), c->projected[v]);
    return true;
}

void sherd_winding_crossings_release(sherd_winding_crossings *c)
{
    sherd_free(c->projected);
    sherd_free(c->edges);
    *c = (sherd_winding_crossings){0};
}

// Twice the area of q, a, b, in squares of steps.
static int64_t area2(const int32_t q[2], const int32_t a[2], const int32_t b[2])
{
    return (int64_t)(a[0] - q[0]) * (b[1] - q[1]) - (int64_t)(a[1] - q[1]) * (b[0] - q[0]);
}

// Returns the side of a -> b on which q lies: 1 left, -1 right. On the line, q counts as moved by
// an infinitesimal distance along x, and a much smaller one along y: the result is the same for
// both triangles of an edge.
static int side_of(int64_t area, const int32_t a[2], const int32_t b[2])
{
    if (area != 0) return area > 0 ? 1 : -1;
    if (a[1] != b[1]) return a[1] > b[1] ? 1 : -1;
    return b[0] > a[0] ? 1 : -1;
}

typedef struct upward_line {
    const sherd_winding_crossings *c;
    int32_t projected[2];
    double z;
    int64_t sum, work;
} upward_line;

static bool cross(void *context, int32_t t)
{
    upward_line *l = context;
    const int32_t *corner = l->c->mesh->triangles + 3 * (size_t)t;
    const int32_t *p[3];
    int64_t area[3]; // opposite to each corner
    int side = 0;
    l->work += TRIANGLE_WORK;
    for (int k = 0; k < 3; ++k)
        p[k] = l->c->projected[corner[k]];
    for (int k = 0; k < 3; ++k) {
        const int32_t *a = p[(k + 1) % 3], *b = p[(k + 2) % 3];
        area[k] = area2(l->projected, a, b);
        side += side_of(area[k], a, b);
    }
    if (side != 3 && side != -3) return true;
    double sum = 0.0, height = 0.0;
    for (int k = 0; k < 3; ++k) {
        sum += (double)area[k];
        height += (double)area[k] * (mesh_vertex(l->c->mesh, corner[k]).z - l->z);
    }
    if (height * sum >= 0.0) l->sum += side > 0 ? 1 : -1;
    return true;
}

// A vertex relative to the query point, in steps, projected along z.
typedef struct seen_vertex {
    double x, y, z;
    double depth; // distance minus z, which is 0 for vertices straight above
} seen_vertex;

static seen_vertex see(const sherd_winding_crossings *c, int32_t v, const upward_line *l)
{
    const int32_t *projected = c->projected[v];
    seen_vertex a = {projected[0] - l->projected[0], projected[1] - l->projected[1],
                     c->steps * (mesh_vertex(c->mesh, v).z - l->z), 0.0};
    double aside2 = a.x * a.x + a.y * a.y, distance = sqrt(aside2 + a.z * a.z);
    a.depth = a.z > 0.0 ? aside2 / (distance + a.z) : distance - a.z;
    // Straight above or below: uses the convention of side_of, with a distance far below a step.
    if (aside2 == 0.0) a.x = -1.0;
    return a;
}

// A(a, b, -z) = 2 atan2(-z . (a x b), |a||b| + a . b - b_z |a| - a_z |b|), whose last term is (|a|
// - a_z) (|b| - b_z) + a_x b_x + a_y b_y. It jumps by 4 pi where the upward line crosses the edge,
// as the triangles' sum does: both use the same side test.
static double angle_of(const sherd_winding_crossings *c, const sherd_winding_edge *e,
                       const upward_line *l)
{
    seen_vertex a = see(c, e->from, l), b = see(c, e->to, l);
    const int32_t *pa = c->projected[e->from], *pb = c->projected[e->to];
    double across = fabs(a.x * b.y - a.y * b.x), along = a.depth * b.depth + a.x * b.x + a.y * b.y;
    return -2.0 * side_of(area2(l->projected, pa, pb), pa, pb) * atan2(across, along);
}

double sherd_winding_by_crossings(const sherd_winding_crossings *c, sherd_vec3 q, int64_t *work)
{
    upward_line line = {.c = c, .z = q.z};
    project(c, q, line.projected);
    // More than half a step, as positions are rounded.
    double aside = 2.0 / c->steps;
    const sherd_bounds box = {vec3(q.x - aside, q.y - aside, q.z),
                              vec3(q.x + aside, q.y + aside, fmax(q.z, c->top))};
    sherd_bvh_overlaps(c->bvh, box, cross, &line);
    double angles = 0.0;
    for (int64_t k = 0; k < c->edge_count; ++k)
        angles += c->edges[k].times * angle_of(c, &c->edges[k], &line);
    *work += line.work + EDGE_WORK * c->edge_count;
    return (double)line.sum + angles / FULL_ANGLE;
}
