// Dart throwing: random points are accepted if they are far enough from all previous ones, as many
// as a hexagonal lattice with the requested spacing has. Then they repel each other along the wall
// until their distances are uniform. The result is patches of hexagonal lattice with random
// orientations, so that cracks find no straight lines.
#include "packing/shell/shell_points.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/space_filling.h"
#include "math/point_grid.h"

#include <stdlib.h>

enum {
    ITERATIONS = 160,
    RENEW = 10, // iterations between new lists of neighbours and steps back onto the wall
    CHUNK = 512,
    TRIES = 30, // darts for each point
    NEAR = 128
};

// In distances of elements:
static const double DART = 0.74;  // smallest distance of darts; with less there are too many
static const double PUSH = 1.15;  // points push each other up to this distance
static const double REACH = 2.1;  // neighbours are listed up to this distance
static const double CLOSE = 0.55; // one of two points closer than this is removed
// Fraction of the repulsion in a step; with six neighbours below 1/(6 * 0.7) is stable.
static const double STEP = 0.4;
// Borders whose directions agree better than this (cosine) are treated as one.
static const double SAME_WAY = 0.7;
// A straight border acts like the mirror images of a point and of its neighbours along it.
static const double BORDER_PUSH = 1.8;

typedef struct spreader {
    const sherd_shell_target *target;
    const sherd_packing_def *def;
    double spacing;
    sherd_shell_points *points;
    sherd_vec3 *next;
    sherd_point_grid grid, border;
} spreader;

// ---------------------------------------------------------------- darts

static sherd_vec3 random_point(const spreader *s, uint64_t n)
{
    const sherd_shell_target *t = s->target;
    int32_t low = 0, high = t->mesh->triangle_count - 1;
    double at = sherd_random_uniform(s->def->seed, 0, n) * t->area_before[high + 1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (t->area_before[middle + 1] < at)
            low = middle + 1;
        else
            high = middle;
    }
    double u = sherd_random_uniform(s->def->seed, 1, n),
           v = sherd_random_uniform(s->def->seed, 2, n);
    if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
    sherd_vec3 a = mesh_corner(t->mesh, low, 0);
    sherd_vec3 p = vec3_add_scaled(a, u, vec3_sub(mesh_corner(t->mesh, low, 1), a));
    return vec3_add_scaled(p, v, vec3_sub(mesh_corner(t->mesh, low, 2), a));
}

// Distance from the border's nearest point along the wall; INFINITY when it is out of reach.
static double from_border(const spreader *s, sherd_vec3 p, int32_t border)
{
    if (border < 0) return INFINITY;
    const sherd_shell_border *b = &s->target->border[border];
    return vec3_dot(vec3_sub(b->point, p), b->outward);
}

// The border's nearest point, and the nearest of another direction: corners have two. -1: none.
static void find_borders(const spreader *s, sherd_vec3 p, int32_t border[2])
{
    const sherd_shell_border *all = s->target->border;
    int32_t near[NEAR];
    border[0] = border[1] = -1;
    if (s->border.count == 0) return; // a closed wall
    int found = sherd_point_grid_near(&s->border, p, s->border.cell, near, NEAR);
    for (int turn = 0; turn < 2; ++turn) {
        double least = INFINITY;
        for (int k = 0; k < found; ++k) {
            double d = vec3_distance(all[near[k]].point, p);
            if (turn == 1 && vec3_dot(all[near[k]].outward, all[border[0]].outward) > SAME_WAY)
                continue;
            if (d < least) least = d, border[turn] = near[k];
        }
    }
}

// The smaller of the distances to both along the wall.
static double border_gap(const spreader *s, sherd_vec3 p)
{
    int32_t border[2];
    find_borders(s, p, border);
    return fmin(from_border(s, p, border[0]), from_border(s, p, border[1]));
}

static bool throw_darts(spreader *s, size_t wanted)
{
    bool good = sherd_point_grid_init(&s->grid, REACH * s->spacing, wanted);
    for (size_t n = 0; n < TRIES * wanted && good && s->grid.count < wanted; ++n) {
        sherd_vec3 p = random_point(s, n);
        // most are rejected
        if (sherd_point_grid_is_taken(&s->grid, p, DART * s->spacing)) continue;
        if (border_gap(s, p) < 0.35 * s->spacing) continue;
        good = sherd_point_grid_add(&s->grid, p);
    }
    return good;
}

// ---------------------------------------------------------------- spreading

static void renew_points(void *context, size_t begin, size_t end)
{
    spreader *s = context;
    sherd_shell_points *p = s->points;
    for (size_t k = begin; k < end; ++k) {
        sherd_nearest_point on = sherd_mesh_tree_nearest(&s->target->tree, p->point[k]);
        p->point[k] = vec3_sub(p->point[k], on.from);
        p->normal[k] = sherd_shell_target_normal(s->target, on.triangle);
        find_borders(s, p->point[k], p->border + 2 * k);
    }
}

static void list_neighbours(void *context, size_t begin, size_t end)
{
    spreader *s = context;
    sherd_shell_points *p = s->points;
    for (size_t k = begin; k < end; ++k) {
        int32_t near[NEAR];
        int found = sherd_point_grid_near(&s->grid, p->point[k], s->grid.cell, near, NEAR);
        int count = 0;
        // Far neighbours are omitted if there are too many: initially, where darts are dense.
        for (int n = 0; n < found && count < SHERD_SHELL_NEIGHBOURS; ++n)
            if ((size_t)near[n] != k)
                p->neighbour[k * SHERD_SHELL_NEIGHBOURS + (size_t)count++] = near[n];
        p->neighbours[k] = (uint8_t)count;
    }
}

static bool renew(spreader *s)
{
    sherd_shell_points *p = s->points;
    sherd_parallel parallel = {s->def->threads};
    sherd_parallel_for(&parallel, p->count, CHUNK, renew_points, s);
    sherd_point_grid_free(&s->grid);
    if (!sherd_point_grid_init(&s->grid, REACH * s->spacing, p->count)) return false;
    for (size_t k = 0; k < p->count; ++k)
        if (!sherd_point_grid_add(&s->grid, p->point[k])) return false;
    sherd_parallel_for(&parallel, p->count, CHUNK, list_neighbours, s);
    return true;
}

static void push_points(void *context, size_t begin, size_t end)
{
    spreader *s = context;
    const sherd_shell_points *p = s->points;
    double reach = PUSH * s->spacing;
    for (size_t k = begin; k < end; ++k) {
        sherd_vec3 push = vec3(0, 0, 0);
        const int32_t *near = p->neighbour + k * SHERD_SHELL_NEIGHBOURS;
        for (int n = 0; n < p->neighbours[k]; ++n) {
            sherd_vec3 way = vec3_sub(p->point[k], p->point[near[n]]);
            double d = vec3_length(way);
            if (d < reach && d > 0.0) push = vec3_add_scaled(push, (1.0 - d / reach) / d, way);
        }
        for (size_t b = 2 * k; b < 2 * k + 2; ++b) {
            double gap = from_border(s, p->point[k], p->border[b]);
            if (2.0 * gap < reach)
                push = vec3_add_scaled(push, -BORDER_PUSH * (1.0 - 2.0 * gap / reach),
                                       s->target->border[p->border[b]].outward);
        }
        push = vec3_add_scaled(push, -vec3_dot(push, p->normal[k]), p->normal[k]);
        s->next[k] = vec3_add_scaled(p->point[k], STEP * s->spacing, push);
    }
}

// Where walls fold, two points may have moved on top of each other.
static bool drop_close_points(spreader *s)
{
    sherd_shell_points *p = s->points;
    size_t kept = 0;
    for (size_t k = 0; k < p->count; ++k) {
        const int32_t *near = p->neighbour + k * SHERD_SHELL_NEIGHBOURS;
        bool close = false;
        for (int n = 0; n < p->neighbours[k]; ++n)
            close = close || ((size_t)near[n] < k &&
                              vec3_distance(p->point[k], p->point[near[n]]) < CLOSE * s->spacing);
        s->next[k] = p->point[k];
        p->wall[k] = close ? 0.0 : 1.0;
    }
    for (size_t k = 0; k < p->count; ++k)
        if (p->wall[k] > 0.0) p->point[kept++] = s->next[k];
    if (kept == p->count) return true;
    p->count = kept;
    return renew(s);
}

static bool spread(spreader *s)
{
    sherd_shell_points *p = s->points;
    sherd_parallel parallel = {s->def->threads};
    s->next = sherd_alloc(p->count, sizeof *s->next);
    bool good = s->next != NULL && renew(s);
    for (int n = 1; n <= ITERATIONS && good; ++n) {
        sherd_parallel_for(&parallel, p->count, CHUNK, push_points, s);
        sherd_vec3 *swap = p->point;
        p->point = s->next;
        s->next = swap;
        if (n % RENEW == 0) good = renew(s);
    }
    good = good && drop_close_points(s);
    sherd_free(s->next);
    return good;
}

// ---------------------------------------------------------------- in all

static bool allocate(sherd_shell_points *p, size_t n)
{
    p->count = n;
    p->point = sherd_alloc(n, sizeof *p->point);
    p->normal = sherd_alloc(n, sizeof *p->normal);
    p->wall = sherd_alloc(n, sizeof *p->wall);
    p->border = sherd_alloc(2 * n, sizeof *p->border);
    p->neighbour = sherd_alloc(n * SHERD_SHELL_NEIGHBOURS, sizeof *p->neighbour);
    p->neighbours = sherd_alloc(n, 1);
    return p->point != NULL && p->normal != NULL && p->wall != NULL && p->border != NULL &&
           p->neighbour != NULL && p->neighbours != NULL;
}

// In an order that is good for caches: neighbours are near each other in memory.
static bool take_darts(spreader *s)
{
    size_t n = s->grid.count;
    if (!allocate(s->points, n)) return false;
    uint32_t *order = sherd_alloc(n, sizeof *order);
    double *axes = sherd_alloc(3 * n, sizeof *axes);
    bool good = order != NULL && axes != NULL;
    for (size_t k = 0; k < n && good; ++k) {
        sherd_vec3 p = s->grid.point[k].at;
        axes[k] = p.x, axes[n + k] = p.y, axes[2 * n + k] = p.z;
    }
    good = good && sherd_morton_order(axes, axes + n, axes + 2 * n, n, order);
    for (size_t k = 0; k < n && good; ++k)
        s->points->point[k] = s->grid.point[order[k]].at;
    sherd_free(order);
    sherd_free(axes);
    return good;
}

static sherd_status make_points(spreader *s, const sherd_shape *shape, sherd_error *error)
{
    const sherd_shell_target *t = s->target;
    double wanted = sherd_shell_target_elements(t, s->spacing);
    bool good = sherd_point_grid_init(&s->border, s->spacing, t->border_count);
    for (size_t k = 0; k < t->border_count && good; ++k)
        good = sherd_point_grid_add(&s->border, t->border[k].point);
    if (!good || !throw_darts(s, (size_t)wanted)) return sherd_fail_memory(error, "shell");
    if (s->grid.count < 3)
        return sherd_fail(error, SHERD_ERROR_INPUT, "packing.radius", "use a smaller radius",
                          "no three elements of radius %g m fit into the wall", s->def->radius);
    if (!take_darts(s) || !spread(s)) return sherd_fail_memory(error, "shell");
    for (size_t k = 0; k < s->points->count; ++k) {
        double limit = 2.5 * t->thickness; // if farther, the normal is along a rim or a fold
        s->points->wall[k] =
            sherd_shell_centre(shape, s->points->normal[k], limit, &s->points->point[k]);
        // In a fold the normal may run along another wall, or the point may be on its surface.
        double wall = s->points->wall[k];
        if (!isfinite(wall) || wall < 0.2 * t->thickness) s->points->wall[k] = t->thickness;
    }
    return SHERD_OK;
}

sherd_status sherd_shell_points_init(sherd_shell_points *points, const sherd_shape *shape,
                                     const sherd_shell_target *target, const sherd_packing_def *def,
                                     sherd_error *error)
{
    *points = (sherd_shell_points){0};
    spreader s = {.target = target, .def = def, .spacing = 2.0 * def->radius, .points = points};
    sherd_status status = make_points(&s, shape, error);
    sherd_point_grid_free(&s.grid);
    sherd_point_grid_free(&s.border);
    return status;
}

void sherd_shell_points_free(sherd_shell_points *points)
{
    sherd_free(points->point);
    sherd_free(points->normal);
    sherd_free(points->wall);
    sherd_free(points->border);
    sherd_free(points->neighbour);
    sherd_free(points->neighbours);
    *points = (sherd_shell_points){0};
}
