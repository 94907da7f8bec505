#include "packing/shell/shell_cells.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "math/vec3.h"

enum { CORNERS = 48, HULL = 16, CHUNK = 256, NOBODY = -1 };

static const double PI = 3.14159265358979323846;

// In spacings of points: the largest radius of cells at open borders.
static const double HULL_RADIUS = 0.95;
static const double LEAST_AREA = 0.1; // of the square of the distance; a hexagon has 0.87
// Edges shorter than this fraction of the spacing make no bond: cells that meet in a corner.
static const double LEAST_EDGE = 0.08;
// Surfaces with a larger angle to the wall (cosine) belong to another wall.
static const double ACROSS = 0.85;

// A convex polygon about the point, in its tangent plane; edge k runs from corner k to the next.
typedef struct cell {
    int count;
    double x[CORNERS], y[CORNERS];
    int32_t owner[CORNERS]; // beyond edge k, or NOBODY
} cell;

// Cuts off the part beyond  n . x = d  (n a unit vector).
static void clip(cell *c, double nx, double ny, double d, int32_t owner)
{
    cell out = {0};
    for (int k = 0; k < c->count; ++k) {
        int next = k + 1 < c->count ? k + 1 : 0;
        double a = nx * c->x[k] + ny * c->y[k] - d, b = nx * c->x[next] + ny * c->y[next] - d;
        if (out.count + 2 > CORNERS) return;
        if (a <= 0.0) {
            out.x[out.count] = c->x[k], out.y[out.count] = c->y[k];
            out.owner[out.count++] = c->owner[k];
        }
        if ((a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0)) {
            double t = a / (a - b);
            out.x[out.count] = c->x[k] + t * (c->x[next] - c->x[k]);
            out.y[out.count] = c->y[k] + t * (c->y[next] - c->y[k]);
            // Leaving: the new edge begins here. Returning: the old edge continues.
            out.owner[out.count++] = a < 0.0 ? owner : c->owner[k];
        }
    }
    *c = out;
}

typedef struct cell_job {
    const sherd_shell_points *points;
    const sherd_shell_target *target;
    double spacing;
    double *area;
    double *width; // of the edge with each listed neighbour  (points x SHERD_SHELL_NEIGHBOURS)
} cell_job;

typedef struct plane {
    sherd_vec3 at, u, v;
} plane;

// Maps to the tangent plane, preserving the distance: walls bend.
static void flatten(const plane *p, sherd_vec3 x, double *a, double *b)
{
    sherd_vec3 way = vec3_sub(x, p->at);
    double u = vec3_dot(way, p->u), v = vec3_dot(way, p->v), flat = hypot(u, v);
    double scale = flat > 0.0 ? vec3_length(way) / flat : 0.0;
    *a = scale * u, *b = scale * v;
}

static void begin_cell(cell *c, double radius)
{
    c->count = HULL;
    for (int k = 0; k < HULL; ++k) {
        c->x[k] = radius * cos(2.0 * PI * k / HULL);
        c->y[k] = radius * sin(2.0 * PI * k / HULL);
        c->owner[k] = NOBODY;
    }
}

static void clip_at_border(cell *c, const cell_job *job, const plane *p, int32_t border)
{
    if (border < 0) return;
    const sherd_shell_border *b = &job->target->border[border];
    double d = vec3_dot(vec3_sub(b->point, p->at), b->outward);
    double nx = vec3_dot(b->outward, p->u), ny = vec3_dot(b->outward, p->v);
    double n = hypot(nx, ny);
    if (n > 0.5 && d > 0.0) clip(c, nx / n, ny / n, d, NOBODY);
}

static void measure(const cell *c, const cell_job *job, size_t k)
{
    double twice = 0.0;
    const int32_t *near = job->points->neighbour + k * SHERD_SHELL_NEIGHBOURS;
    double *width = job->width + k * SHERD_SHELL_NEIGHBOURS;
    for (int e = 0; e < c->count; ++e) {
        int next = e + 1 < c->count ? e + 1 : 0;
        twice += c->x[e] * c->y[next] - c->x[next] * c->y[e];
        for (int n = 0; n < job->points->neighbours[k]; ++n)
            if (near[n] == c->owner[e])
                width[n] += hypot(c->x[next] - c->x[e], c->y[next] - c->y[e]);
    }
    // At least a minimum: an element must have mass.
    job->area[k] = fmax(0.5 * twice, LEAST_AREA * job->spacing * job->spacing);
}

static void find_cells(void *context, size_t begin, size_t end)
{
    const cell_job *job = context;
    const sherd_shell_points *points = job->points;
    for (size_t k = begin; k < end; ++k) {
        plane p = {.at = points->point[k], .u = vec3_perpendicular(points->normal[k])};
        p.v = vec3_cross(points->normal[k], p.u);
        cell c;
        begin_cell(&c, HULL_RADIUS * job->spacing);
        const int32_t *near = points->neighbour + k * SHERD_SHELL_NEIGHBOURS;
        for (int n = 0; n < points->neighbours[k]; ++n) {
            sherd_vec3 way = vec3_sub(points->point[near[n]], p.at);
            if (fabs(vec3_dot(way, points->normal[k])) > ACROSS * vec3_length(way)) continue;
            double x, y;
            flatten(&p, points->point[near[n]], &x, &y);
            double d = hypot(x, y);
            if (d > 0.0) clip(&c, x / d, y / d, 0.5 * d, near[n]);
        }
        clip_at_border(&c, job, &p, points->border[2 * k]);
        clip_at_border(&c, job, &p, points->border[2 * k + 1]);
        measure(&c, job, k);
    }
}

// Both ends compute the edge; where walls bend they differ slightly, and the mean is used.
static bool collect_bonds(sherd_shell_cells *cells, const cell_job *job)
{
    const sherd_shell_points *p = job->points;
    size_t seen = 0;
    for (size_t k = 0; k < p->count; ++k)
        for (int n = 0; n < p->neighbours[k]; ++n)
            seen += job->width[k * SHERD_SHELL_NEIGHBOURS + (size_t)n] > 0.0;
    sherd_sort_pair *pair = sherd_alloc(seen, sizeof *pair);
    cells->bond = sherd_alloc(seen, sizeof *cells->bond);
    bool good = pair != NULL && cells->bond != NULL && seen < UINT32_MAX;
    size_t at = 0;
    for (size_t k = 0; k < p->count && good; ++k)
        for (int n = 0; n < p->neighbours[k]; ++n) {
            size_t slot = k * SHERD_SHELL_NEIGHBOURS + (size_t)n;
            uint64_t i = k, j = (uint64_t)p->neighbour[slot];
            if (!(job->width[slot] > 0.0)) continue;
            pair[at++] = (sherd_sort_pair){i < j ? i << 32 | j : j << 32 | i, (uint32_t)slot};
        }
    good = good && sherd_sort_pairs(pair, seen);
    for (size_t k = 0; k < seen && good;) {
        size_t end = k + 1 < seen && pair[k + 1].key == pair[k].key ? k + 2 : k + 1;
        double width = 0.0;
        for (size_t n = k; n < end; ++n)
            width += 0.5 * job->width[pair[n].value];
        if (width > LEAST_EDGE * job->spacing)
            cells->bond[cells->bond_count++] = (sherd_shell_bond){
                (int32_t)(pair[k].key >> 32), (int32_t)(pair[k].key & UINT32_MAX), width};
        k = end;
    }
    sherd_free(pair);
    return good;
}

bool sherd_shell_cells_init(sherd_shell_cells *cells, const sherd_shell_points *points,
                            const sherd_shell_target *target, double spacing, int threads)
{
    *cells = (sherd_shell_cells){.area = sherd_alloc(points->count, sizeof *cells->area)};
    cell_job job = {points, target, spacing, cells->area,
                    sherd_alloc(points->count * SHERD_SHELL_NEIGHBOURS, sizeof *job.width)};
    bool good = cells->area != NULL && job.width != NULL &&
                points->count <= UINT32_MAX / SHERD_SHELL_NEIGHBOURS;
    if (good) {
        sherd_parallel_for(&(sherd_parallel){threads}, points->count, CHUNK, find_cells, &job);
        good = collect_bonds(cells, &job);
    }
    sherd_free(job.width);
    return good;
}

void sherd_shell_cells_free(sherd_shell_cells *cells)
{
    sherd_free(cells->area);
    sherd_free(cells->bond);
    *cells = (sherd_shell_cells){0};
}
