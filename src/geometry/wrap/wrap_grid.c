#include "geometry/wrap/wrap_grid.h"

#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"

#include <math.h>

// Maximum number of block indices: 64 MB.
static const double MAX_BLOCKS = 1.6e7;

// Corners between the field's bounds and the grid's end.
enum { MARGIN = 2 };

// A cell, and a list of them.
typedef struct cell {
    int32_t at[3];
} cell;

typedef struct cell_list {
    size_t count, capacity;
    cell *items;
} cell_list;

static bool list_add(cell_list *list, const int32_t at[3])
{
    if (!sherd_grow((void **)&list->items, &list->capacity, list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = (cell){{at[0], at[1], at[2]}};
    return true;
}

// Returns the block of a corner or cell, created if missing; -1: out of memory.
static int32_t reach_block(wrap_grid *g, const int32_t at[3])
{
    int32_t found = wrap_grid_block(g, at);
    if (found >= 0) return found;
    if (!sherd_grow((void **)&g->blocks, &g->capacity, g->count + 1, sizeof *g->blocks)) return -1;
    wrap_block *b = &g->blocks[g->count];
    int64_t coordinates[3];
    for (int axis = 0; axis < 3; ++axis) {
        b->at[axis] = at[axis] >> WRAP_BLOCK_BITS;
        coordinates[axis] = b->at[axis];
    }
    g->index[(coordinates[2] * g->n[1] + coordinates[1]) * g->n[0] + coordinates[0]] =
        (int32_t)g->count;
    return (int32_t)g->count++;
}

// ---------------------------------------------------------------- cells that intersect triangles

typedef struct box_query {
    const sherd_mesh *mesh;
    int64_t visits;
    sherd_vec3 centre;
    double half; // of the box's edge [m]
} box_query;

// Returns false, which ends the search, for a triangle whose box and plane both intersect the box.
static bool misses_box(void *context, int32_t t)
{
    box_query *q = context;
    ++q->visits;
    sherd_bounds b = mesh_triangle_bounds(q->mesh, t);
    sherd_vec3 c = q->centre;
    double h = q->half;
    if (b.low.x > c.x + h || b.high.x < c.x - h || b.low.y > c.y + h || b.high.y < c.y - h ||
        b.low.z > c.z + h || b.high.z < c.z - h)
        return true;
    sherd_vec3 n = mesh_area_vector(q->mesh, t);
    double away = fabs(vec3_dot(n, vec3_sub(c, mesh_corner(q->mesh, t, 0))));
    return away > h * (fabs(n.x) + fabs(n.y) + fabs(n.z)) * (1.0 + 1e-12);
}

// Returns whether a triangle may intersect the cube of `side` cells at a cell; for a shell, whether
// its surface may.
static bool meets_surface(const wrap_grid *g, const int32_t at[3], int32_t side)
{
    const wrap_field *f = g->field;
    double half = 0.5 * side * g->h * (1.0 + 1e-9);
    box_query q = {f->mesh, 0, vec3_add(wrap_grid_corner(g, at), vec3(half, half, half)), half};
    if (f->half_thickness > 0.0) {
        double depth = fabs(sherd_wrap_field_value(f, q.centre));
        return depth <= 1.7321 * half;
    }
    sherd_vec3 arm = vec3(half, half, half);
    const sherd_bounds box = {vec3_sub(q.centre, arm), vec3_add(q.centre, arm)};
    bool meets = !sherd_bvh_overlaps(&f->tree->bvh, box, misses_box, &q);
    wrap_field_spend(f, q.visits);
    return meets;
}

static bool is_too_much(const wrap_grid *g, size_t cells)
{
    return cells > WRAP_MAX_CELLS || !mesh_work_remains(g->field->work);
}

// Lists the cells of a cube that intersect triangles, or enough to detect that there are too many.
// Depth: log2 of the cube's side.
static bool list_cells(const wrap_grid *g, const int32_t at[3], int32_t side, cell_list *list)
{
    for (int axis = 0; axis < 3; ++axis)
        if (at[axis] >= (g->n[axis] << WRAP_BLOCK_BITS) - 1) return true;
    if (is_too_much(g, list->count) || !meets_surface(g, at, side)) return true;
    if (side == 1) return list_add(list, at);
    int32_t half = side / 2;
    for (int k = 0; k < 8; ++k) {
        const int32_t part[3] = {at[0] + (k & 1) * half, at[1] + (k >> 1 & 1) * half,
                                 at[2] + (k >> 2) * half};
        if (!list_cells(g, part, half, list)) return false;
    }
    return true;
}

// ---------------------------------------------------------------- values

typedef struct corner_job {
    wrap_grid *grid;
    const cell *corners;
    float *values;
} corner_job;

static void find_values(void *context, size_t begin, size_t end)
{
    const corner_job *job = context;
    for (size_t k = begin; k < end; ++k)
        job->values[k] = (float)sherd_wrap_field_value(
            job->grid->field, wrap_grid_corner(job->grid, job->corners[k].at));
}

// Marks the cells as visited and lists their corners without a value.
static bool list_corners(wrap_grid *g, const cell_list *cells, cell_list *corners)
{
    for (size_t k = 0; k < cells->count; ++k) {
        const int32_t *at = cells->items[k].at;
        for (int c = 0; c < 8; ++c) {
            const int32_t corner[3] = {at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2)};
            int32_t block = reach_block(g, corner);
            if (block < 0) return false;
            uint64_t bit = UINT64_C(1) << wrap_grid_index_in_block(corner);
            if (c == 0) g->blocks[block].active |= bit;
            if (g->blocks[block].known & bit) continue;
            g->blocks[block].known |= bit;
            if (!list_add(corners, corner)) return false;
        }
    }
    return true;
}

static bool know_values(wrap_grid *g, const cell_list *cells)
{
    cell_list corners = {0};
    bool good = list_corners(g, cells, &corners);
    corner_job job = {g, corners.items, NULL};
    if (good) job.values = sherd_alloc(corners.count, sizeof *job.values);
    good = good && job.values != NULL;
    if (good) sherd_parallel_for(&g->parallel, corners.count, 256, find_values, &job);
    for (size_t k = 0; good && k < corners.count; ++k) {
        const int32_t *at = corners.items[k].at;
        g->blocks[wrap_grid_block(g, at)].value[wrap_grid_index_in_block(at)] = job.values[k];
    }
    sherd_free(job.values);
    sherd_free(corners.items);
    return good;
}

// ---------------------------------------------------------------- continuation along the surface

// Returns whether the corners of a cell's face are on both sides. Face `axis`, on its low or high
// side.
static bool is_crossed(const wrap_grid *g, const int32_t at[3], int axis, int side)
{
    int inside = 0;
    for (int k = 0; k < 4; ++k) {
        int32_t corner[3] = {at[0], at[1], at[2]};
        corner[axis] += side;
        corner[(axis + 1) % 3] += k & 1;
        corner[(axis + 2) % 3] += k >> 1;
        inside += wrap_grid_value(g, corner) >= 0.0;
    }
    return inside > 0 && inside < 4;
}

// Lists unvisited cells beyond faces that the surface crosses.
static bool list_next(wrap_grid *g, const cell_list *cells, cell_list *next)
{
    for (size_t k = 0; k < cells->count; ++k)
        for (int face = 0; face < 6; ++face) {
            int axis = face >> 1, side = face & 1;
            int32_t at[3] = {cells->items[k].at[0], cells->items[k].at[1], cells->items[k].at[2]};
            if (!is_crossed(g, at, axis, side)) continue;
            at[axis] += side ? 1 : -1;
            int32_t block = reach_block(g, at);
            if (block < 0) return false;
            uint64_t bit = UINT64_C(1) << wrap_grid_index_in_block(at);
            if (g->blocks[block].active & bit) continue;
            g->blocks[block].active |= bit;
            if (!list_add(next, at)) return false;
        }
    return true;
}

static bool follow_surface(wrap_grid *g)
{
    cell_list cells = {0}, next = {0};
    int32_t side = 1, longest = 0;
    for (int axis = 0; axis < 3; ++axis)
        longest = g->n[axis] > longest ? g->n[axis] : longest;
    while (side < longest << WRAP_BLOCK_BITS)
        side *= 2;
    bool good = list_cells(g, (const int32_t[3]){0, 0, 0}, side, &cells);
    g->cells = cells.count;
    while (good && cells.count > 0 && !is_too_much(g, g->cells)) {
        good = know_values(g, &cells) && list_next(g, &cells, &next);
        cell_list swap = cells;
        cells = next, next = swap;
        next.count = 0;
        g->cells += cells.count;
    }
    sherd_free(cells.items);
    sherd_free(next.items);
    return good;
}

bool sherd_wrap_grid_init(wrap_grid *g, const wrap_field *field, double h, sherd_parallel parallel)
{
    *g = (wrap_grid){.field = field, .parallel = parallel};
    sherd_bounds b = field->bounds;
    sherd_vec3 extent = vec3_sub(b.high, b.low);
    const double sizes[3] = {extent.x, extent.y, extent.z};
    g->h = h;
    // Repeated: in a flat or long mesh the number of blocks decreases along fewer axes.
    for (double places = INFINITY; places > MAX_BLOCKS;) {
        places = 1.0;
        for (int axis = 0; axis < 3; ++axis)
            places *= sizes[axis] / (g->h * WRAP_BLOCK_SIDE) + 2.0;
        if (places > MAX_BLOCKS) g->h *= 1.01 * cbrt(places / MAX_BLOCKS);
    }
    // Offset from planes and edges of models, which often have round coordinates.
    g->low = vec3_add_scaled(b.low, -g->h, vec3(MARGIN - 0.63, MARGIN - 0.71, MARGIN - 0.59));
    size_t blocks = 1;
    for (int axis = 0; axis < 3; ++axis) {
        int64_t corners = (int64_t)(sizes[axis] / g->h) + 2 * MARGIN + 1;
        g->n[axis] = (int32_t)(corners / WRAP_BLOCK_SIDE) + 1;
        blocks *= (size_t)g->n[axis];
    }
    g->index = sherd_alloc(blocks, sizeof *g->index);
    if (g->index == NULL) return false;
    for (size_t k = 0; k < blocks; ++k)
        g->index[k] = -1;
    return follow_surface(g);
}

void sherd_wrap_grid_release(wrap_grid *g)
{
    sherd_free(g->index);
    sherd_free(g->blocks);
    *g = (wrap_grid){0};
}
