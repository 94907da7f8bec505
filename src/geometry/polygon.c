#include "geometry/polygon.h"

#include "base/assertion.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

enum {
    EDGES_PER_BLOCK = SHERD_POLYGON_BLOCK,
    MAX_VERTICES = 10000 // bounds validation, triangulation and distance queries to seconds
};

// Vertices closer than this fraction of the polygon's extent are merged.
static const double SAME_VERTEX = 1e-12;

static double cross(sherd_vec2 o, sherd_vec2 a, sherd_vec2 b)
{
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

static double signed_area(const sherd_vec2 *v, int n)
{
    double twice = 0.0;
    for (int k = 1; k + 1 < n; ++k)
        twice += cross(v[0], v[k], v[k + 1]);
    return 0.5 * twice;
}

// Larger side of the bounding box; NaN or infinity if a coordinate is not finite.
static double extent_of(const sherd_vec2 *v, int n)
{
    double low_x = v[0].x, high_x = v[0].x, low_y = v[0].y, high_y = v[0].y;
    for (int k = 0; k < n; ++k) {
        if (!isfinite(v[k].x) || !isfinite(v[k].y)) return NAN;
        low_x = fmin(low_x, v[k].x), high_x = fmax(high_x, v[k].x);
        low_y = fmin(low_y, v[k].y), high_y = fmax(high_y, v[k].y);
    }
    return fmax(high_x - low_x, high_y - low_y);
}

// Appends an outline's vertices without repeated neighbours. Returns their number.
static int copy_vertices(sherd_polygon *polygon, const sherd_vec2 *v, int n, double same)
{
    sherd_vec2 *to = polygon->vertex + polygon->count;
    int kept = 0;
    for (int k = 0; k < n; ++k) {
        const sherd_vec2 *last = &to[kept > 0 ? kept - 1 : 0];
        if (kept > 0 && hypot(v[k].x - last->x, v[k].y - last->y) <= same) continue;
        to[kept++] = v[k];
    }
    while (kept > 1 && hypot(to[0].x - to[kept - 1].x, to[0].y - to[kept - 1].y) <= same)
        --kept;
    return kept;
}

// Makes the last `n` vertices a separate outline.
static void close_outline(sherd_polygon *polygon, int n)
{
    int first = polygon->count;
    for (int k = 0; k < n; ++k) {
        polygon->before[first + k] = first + (k > 0 ? k : n) - 1;
        polygon->after[first + k] = first + (k + 1 < n ? k + 1 : 0);
    }
    polygon->count += n;
    ++polygon->outline_count;
}

void sherd_outline_reverse(sherd_vec2 *v, int n)
{
    for (int a = 0, b = n - 1; a < b; ++a, --b) {
        sherd_vec2 swap = v[a];
        v[a] = v[b];
        v[b] = swap;
    }
}

// Returns whether q lies within the bounds of segment ab: for collinear points, on the segment.
static bool within(sherd_vec2 a, sherd_vec2 b, sherd_vec2 q)
{
    return q.x >= fmin(a.x, b.x) && q.x <= fmax(a.x, b.x) && q.y >= fmin(a.y, b.y) &&
           q.y <= fmax(a.y, b.y);
}

static bool segments_meet(sherd_vec2 a, sherd_vec2 b, sherd_vec2 c, sherd_vec2 d)
{
    double ca = cross(c, d, a), cb = cross(c, d, b), ac = cross(a, b, c), ad = cross(a, b, d);
    if (((ca > 0.0 && cb < 0.0) || (ca < 0.0 && cb > 0.0)) &&
        ((ac > 0.0 && ad < 0.0) || (ac < 0.0 && ad > 0.0)))
        return true;
    return (ca == 0.0 && within(c, d, a)) || (cb == 0.0 && within(c, d, b)) ||
           (ac == 0.0 && within(a, b, c)) || (ad == 0.0 && within(a, b, d));
}

// Adjacent edges share a vertex; they overlap only if the second folds back onto the first.
static bool edges_conflict(const sherd_polygon *p, int i, int j)
{
    sherd_vec2 a = p->vertex[i], b = p->vertex[p->after[i]];
    sherd_vec2 c = p->vertex[j], d = p->vertex[p->after[j]];
    if (p->after[i] == j)
        return cross(a, b, d) == 0.0 && (b.x - a.x) * (d.x - c.x) + (b.y - a.y) * (d.y - c.y) < 0.0;
    if (p->after[j] == i) return edges_conflict(p, j, i);
    return segments_meet(a, b, c, d);
}

// Maps doubles to integer keys in the same order.
static uint64_t ordered_key(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double edge_low(const sherd_polygon *p, int k)
{
    return fmin(p->vertex[k].y, p->vertex[p->after[k]].y);
}

static double edge_high(const sherd_polygon *p, int k)
{
    return fmax(p->vertex[k].y, p->vertex[p->after[k]].y);
}

// Finds two edges that touch or cross, by a sweep over y. 1: found, 0: none, -1: out of memory.
static int find_conflict(const sherd_polygon *p, int *first, int *second)
{
    size_t n = (size_t)p->count;
    sherd_sort_pair *sorted = sherd_alloc(n, sizeof *sorted);
    if (sorted == NULL) return -1;
    for (size_t k = 0; k < n; ++k)
        sorted[k] = (sherd_sort_pair){ordered_key(edge_low(p, (int)k)), (uint32_t)k};
    int found = sherd_sort_pairs(sorted, n) ? 0 : -1;
    for (size_t a = 0; a < n && found == 0; ++a) {
        int i = (int)sorted[a].value;
        double top = edge_high(p, i);
        for (size_t b = a + 1; b < n && found == 0; ++b) {
            int j = (int)sorted[b].value;
            if (edge_low(p, j) > top) break;
            if (!edges_conflict(p, i, j)) continue;
            *first = i, *second = j, found = 1;
        }
    }
    sherd_free(sorted);
    return found;
}

static bool allocate(sherd_polygon *p, int count)
{
    size_t n = (size_t)count, blocks = (n + EDGES_PER_BLOCK - 1) / EDGES_PER_BLOCK;
    p->vertex = sherd_alloc(n, sizeof *p->vertex);
    p->normal = sherd_alloc(n, sizeof *p->normal);
    p->before = sherd_alloc(n, sizeof *p->before);
    p->after = sherd_alloc(n, sizeof *p->after);
    p->is_surface = sherd_alloc(n, sizeof *p->is_surface);
    p->block = sherd_alloc(blocks, sizeof *p->block);
    return p->vertex != NULL && p->normal != NULL && p->before != NULL && p->after != NULL &&
           p->is_surface != NULL && p->block != NULL;
}

static void fill_block(const sherd_polygon *p, int first, sherd_edge_block *block)
{
    *block = (sherd_edge_block){.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    sherd_vec2 *low = &block->low, *high = &block->high;
    for (int n = 0; n < EDGES_PER_BLOCK; ++n) {
        block->squared[n] = 1.0;
        int k = first + n;
        if (k >= p->count) continue;
        sherd_vec2 a = p->vertex[k], b = p->vertex[p->after[k]];
        double dx = b.x - a.x, dy = b.y - a.y;
        *low = (sherd_vec2){fmin(low->x, fmin(a.x, b.x)), fmin(low->y, fmin(a.y, b.y))};
        *high = (sherd_vec2){fmax(high->x, fmax(a.x, b.x)), fmax(high->y, fmax(a.y, b.y))};
        block->ax[n] = a.x, block->ay[n] = a.y, block->by[n] = b.y;
        block->dx[n] = dx, block->dy[n] = dy;
        block->squared[n] = dx * dx + dy * dy;
    }
}

static void find_normals_and_blocks(sherd_polygon *p)
{
    p->block_count = (p->count + EDGES_PER_BLOCK - 1) / EDGES_PER_BLOCK;
    for (int k = 0; k < p->count; ++k) {
        sherd_vec2 a = p->vertex[k], b = p->vertex[p->after[k]];
        double length = hypot(b.x - a.x, b.y - a.y);
        p->normal[k] = (sherd_vec2){(b.y - a.y) / length, (a.x - b.x) / length};
        p->is_surface[k] = true;
    }
    for (int block = 0; block < p->block_count; ++block)
        fill_block(p, block * EDGES_PER_BLOCK, &p->block[block]);
}

// Validates without copying. Computes *extent.
static sherd_status check_vertices(const sherd_vec2 *v, int n, const char *where, double *extent,
                                   sherd_error *error)
{
    if (v == NULL || n < 3 || n > MAX_VERTICES)
        return sherd_fail(error, SHERD_ERROR_INPUT, where,
                          n > MAX_VERTICES ? "leave out corners, or use a mesh file"
                                           : "list the corners of a closed polygon",
                          "needs 3 to %d vertices, got %d", (int)MAX_VERTICES, v == NULL ? 0 : n);
    for (int k = 0; k < n; ++k)
        if (!isfinite(v[k].x) || !isfinite(v[k].y))
            return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL,
                              "vertex %d is not finite: (%g, %g)", k, v[k].x, v[k].y);
    *extent = extent_of(v, n);
    if (!isfinite(*extent))
        return sherd_fail(error, SHERD_ERROR_INPUT, where, "check the units",
                          "the coordinates are too large");
    return SHERD_OK;
}

// Returns whether all triangles of the first vertex with the edges are flat: then no edges cross.
static bool is_flat(const sherd_polygon *p, double extent)
{
    bool flat = true;
    for (int k = 1; k + 1 < p->count && flat; ++k) {
        sherd_vec2 o = p->vertex[0], a = p->vertex[k], b = p->vertex[p->after[k]];
        double twice = (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
        flat = fabs(twice) <= SAME_VERTEX * extent * extent;
    }
    return flat;
}

static sherd_status fail_empty(const char *where, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, where,
                      "at least three vertices must not lie on one line",
                      "the polygon encloses no area");
}

// A self-intersecting outline may enclose no area either, as parts of it count as negative.
static sherd_status check_simple(const sherd_polygon *p, double extent, const char *where,
                                 sherd_error *error)
{
    double area = p->count < 3 ? 0.0 : sherd_polygon_area(p);
    bool empty = !(area > SAME_VERTEX * extent * extent);
    if (p->count < 3 || (empty && is_flat(p, extent))) return fail_empty(where, error);
    int i = 0, j = 0, found = find_conflict(p, &i, &j);
    if (found == 0 && empty) return fail_empty(where, error);
    if (found < 0) return sherd_fail_memory(error, where);
    if (found == 0) return SHERD_OK;
    sherd_vec2 a = p->vertex[i], b = p->vertex[j];
    return sherd_fail(error, SHERD_ERROR_INPUT, where,
                      "give the corners in order around the outline, each once",
                      "the polygon touches or crosses itself: the edge that starts at (%g, %g) "
                      "meets the one that starts at (%g, %g)",
                      a.x, a.y, b.x, b.y);
}

sherd_status sherd_polygon_init(sherd_polygon *polygon, const sherd_vec2 *vertices, int count,
                                const char *where, sherd_error *error)
{
    *polygon = (sherd_polygon){0};
    double extent = 0.0;
    sherd_status status = check_vertices(vertices, count, where, &extent, error);
    if (status != SHERD_OK) return status;
    if (!allocate(polygon, count)) {
        status = sherd_fail_memory(error, where);
    } else {
        int n = copy_vertices(polygon, vertices, count, SAME_VERTEX * extent);
        if (signed_area(polygon->vertex, n) < 0.0) sherd_outline_reverse(polygon->vertex, n);
        close_outline(polygon, n);
        status = check_simple(polygon, extent, where, error);
    }
    if (status == SHERD_OK)
        find_normals_and_blocks(polygon);
    else
        sherd_polygon_release(polygon);
    return status;
}

sherd_status sherd_polygon_init_outlines(sherd_polygon *polygon, const sherd_vec2 *vertices,
                                         const int32_t *end, int outline_count, const char *where,
                                         sherd_error *error)
{
    *polygon = (sherd_polygon){0};
    int count = outline_count > 0 ? end[outline_count - 1] : 0;
    double extent = count > 0 ? extent_of(vertices, count) : 0.0;
    if (!(extent > 0.0 && isfinite(extent))) return fail_empty(where, error);
    sherd_status status = allocate(polygon, count) ? SHERD_OK : sherd_fail_memory(error, where);
    for (int k = 0; k < outline_count && status == SHERD_OK; ++k) {
        int begin = k > 0 ? end[k - 1] : 0;
        int n = copy_vertices(polygon, vertices + begin, end[k] - begin, SAME_VERTEX * extent);
        double area = n < 3 ? 0.0 : signed_area(polygon->vertex + polygon->count, n);
        if (fabs(area) > SAME_VERTEX * extent * extent) close_outline(polygon, n);
    }
    if (status == SHERD_OK) status = check_simple(polygon, extent, where, error);
    if (status == SHERD_OK)
        find_normals_and_blocks(polygon);
    else
        sherd_polygon_release(polygon);
    return status;
}

// Outlines are what `after` closes.
bool sherd_polygon_same(const sherd_polygon *a, const sherd_polygon *b)
{
    size_t n = (size_t)a->count;
    return a->count == b->count && a->outline_count == b->outline_count &&
           memcmp(a->vertex, b->vertex, n * sizeof *a->vertex) == 0 &&
           memcmp(a->after, b->after, n * sizeof *a->after) == 0 &&
           memcmp(a->is_surface, b->is_surface, n * sizeof *a->is_surface) == 0;
}

void sherd_polygon_release(sherd_polygon *polygon)
{
    sherd_free(polygon->vertex);
    sherd_free(polygon->normal);
    sherd_free(polygon->before);
    sherd_free(polygon->after);
    sherd_free(polygon->is_surface);
    sherd_free(polygon->block);
    *polygon = (sherd_polygon){0};
}

double sherd_polygon_area(const sherd_polygon *polygon)
{
    SHERD_ASSERT(polygon->count >= 3, "a polygon has corners");
    double twice = 0.0; // about the first vertex, where rounding is least
    for (int k = 0; k < polygon->count; ++k)
        twice += cross(polygon->vertex[0], polygon->vertex[k], polygon->vertex[polygon->after[k]]);
    return 0.5 * twice;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// Nearest point found so far.
typedef struct nearest {
    double squared; // distance squared [m^2]
    sherd_vec2 at;  // [m]
    int edge;
} nearest;

// Numbers of half a block's edges. Vectors are written out, because compilers unroll such short loops
// instead; wider ones become single numbers where processors lack them. Unaligned in memory.
enum { EDGE_LANES = 4 };
typedef double edge_lanes __attribute__((vector_size(EDGE_LANES * sizeof(double))));
typedef int64_t edge_masks __attribute__((vector_size(EDGE_LANES * sizeof(int64_t))));
typedef double edge_numbers
    __attribute__((vector_size(EDGE_LANES * sizeof(double)), aligned(sizeof(double)), may_alias));
#define LOAD(array) (*(const edge_numbers *)(array))
#define STORE(array, value) (*(edge_numbers *)(array) = (value))
// Where the mask is set a, elsewhere b.
#define SELECT(mask, a, b) ((edge_lanes)(((edge_masks)(a) & (mask)) | ((edge_masks)(b) & ~(mask))))

// Visits the edges of a block that are surface. Distances of several are computed at once.
static inline __attribute__((always_inline)) void visit_edges(const sherd_polygon *p,
                                                              const sherd_edge_block *b, int first,
                                                              sherd_vec2 q, nearest *best)
{
    const edge_lanes zero = {0}, one = zero + 1.0;
    double at_x[EDGES_PER_BLOCK], at_y[EDGES_PER_BLOCK], apart[EDGES_PER_BLOCK];
    int count = p->count - first < EDGES_PER_BLOCK ? p->count - first : EDGES_PER_BLOCK;
    for (int n = 0; n < count; n += EDGE_LANES) {
        edge_lanes ax = LOAD(b->ax + n), ay = LOAD(b->ay + n);
        edge_lanes dx = LOAD(b->dx + n), dy = LOAD(b->dy + n);
        edge_lanes t = ((q.x - ax) * dx + (q.y - ay) * dy) / LOAD(b->squared + n);
        t = SELECT(t > zero, t, zero);
        t = SELECT(t < one, t, one);
        edge_lanes x = ax + t * dx, y = ay + t * dy;
        STORE(at_x + n, x);
        STORE(at_y + n, y);
        STORE(apart + n, (q.x - x) * (q.x - x) + (q.y - y) * (q.y - y));
    }
    for (int n = 0; n < count; ++n)
        if (apart[n] < best->squared && p->is_surface[first + n])
            *best = (nearest){apart[n], {at_x[n], at_y[n]}, first + n};
}

// Returns whether the ray from q towards +x crosses an odd number of the block's edges. These are
// half-open in y, so that a vertex counts once.
static inline __attribute__((always_inline)) bool ray_crosses(const sherd_edge_block *b,
                                                              sherd_vec2 q)
{
    edge_masks crossed = {0};
    for (int n = 0; n < EDGES_PER_BLOCK; n += EDGE_LANES) {
        edge_lanes ay = LOAD(b->ay + n), by = LOAD(b->by + n), zero = {0};
        edge_lanes side = LOAD(b->dx + n) * (q.y - ay) -
                          LOAD(b->dy + n) * (q.x - LOAD(b->ax + n)); // > 0: q is left
        edge_masks level = (ay > q.y) ^ (by > q.y), rises = by > ay;
        crossed ^= level & ((rises & (side > zero)) | (~rises & (side < zero)));
    }
    int64_t odd = 0;
    for (int n = 0; n < EDGE_LANES; ++n)
        odd ^= crossed[n];
    return odd != 0;
}

SHERD_WIDE(static, nearest, find_nearest, (const sherd_polygon *p, sherd_vec2 q, bool *inside),
           (p, q, inside))
{
    nearest best = {INFINITY, q, 0};
    *inside = false;
    for (int k = 0; k < p->block_count; ++k) {
        const sherd_edge_block *b = &p->block[k];
        double dx = larger(larger(b->low.x - q.x, q.x - b->high.x), 0.0);
        double dy = larger(larger(b->low.y - q.y, q.y - b->high.y), 0.0);
        bool near = dx * dx + dy * dy < best.squared;
        bool level = q.y >= b->low.y && q.y <= b->high.y && q.x <= b->high.x;
        if (near) visit_edges(p, b, k * EDGES_PER_BLOCK, q, &best);
        if (level && ray_crosses(b, q)) *inside = !*inside;
    }
    return best;
}

double sherd_polygon_distance(const sherd_polygon *p, sherd_vec2 q, sherd_vec2 *normal)
{
    bool inside;
    nearest best = find_nearest(p, q, &inside);
    double distance = sqrt(best.squared), sign = inside ? -1.0 : 1.0;
    if (normal != NULL) {
        // On the surface the difference below is dominated by rounding; use the edge's normal
        // there.
        double rounding = 1e-12 * (fabs(q.x) + fabs(q.y) + fabs(best.at.x) + fabs(best.at.y));
        *normal = distance > rounding ? (sherd_vec2){sign * (q.x - best.at.x) / distance,
                                                     sign * (q.y - best.at.y) / distance}
                                      : p->normal[best.edge];
    }
    return sign * distance;
}
