#include "surface/methods/march/grid.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

// Corner coordinates must fit 18 bits (see march.c); blocks hold 8 corners an edge.
static const double MAX_BLOCKS_ALONG = (double)(1 << 15) - 2.0;
// Offsets the grid from faces at round coordinates, so that corners do not lie on the surface.
static const double ODD_OFFSET = 0.381966011250105;

static uint64_t block_key(int32_t x, int32_t y, int32_t z)
{
    return (uint64_t)x | (uint64_t)y << 16 | (uint64_t)z << 32;
}

sherd_vec3 sherd_grid_corner(const grid *g, const int32_t corner[3])
{
    return vec3(g->origin.x + g->cell * corner[0], g->origin.y + g->cell * corner[1],
                g->origin.z + g->cell * corner[2]);
}

sherd_bounds sherd_grid_block_bounds(const grid *g, const grid_block *block)
{
    int32_t low[3], high[3];
    for (int d = 0; d < 3; ++d) {
        low[d] = BLOCK_EDGE * block->at[d];
        high[d] = low[d] + BLOCK_EDGE - 1;
    }
    return (sherd_bounds){sherd_grid_corner(g, low), sherd_grid_corner(g, high)};
}

void sherd_grid_block_range(const grid *g, sherd_vec3 low, sherd_vec3 high, int32_t first[3],
                            int32_t last[3])
{
    double scale = 1.0 / (g->cell * BLOCK_EDGE);
    sherd_vec3 l = vec3_scale(scale, vec3_sub(low, g->origin));
    sherd_vec3 h = vec3_scale(scale, vec3_sub(high, g->origin));
    double a[3] = {l.x, l.y, l.z}, b[3] = {h.x, h.y, h.z};
    for (int d = 0; d < 3; ++d) {
        // Elements with non-finite positions get no blocks.
        first[d] = (int32_t)fmin(fmax(0.0, floor(a[d])), MAX_BLOCKS_ALONG);
        last[d] = b[d] >= 0.0 ? (int32_t)fmin(floor(b[d]), MAX_BLOCKS_ALONG) : -1;
    }
}

int32_t sherd_grid_find_block(const grid *g, int32_t x, int32_t y, int32_t z)
{
    SHERD_ASSERT(g->cell > 0.0, "a grid has cells");
    return x < 0 || y < 0 || z < 0 ? -1 : sherd_key_map_find(&g->index, block_key(x, y, z));
}

static bool add_blocks(grid *g, size_t *capacity, sherd_vec3 center, double reach)
{
    int32_t low[3], high[3];
    sherd_vec3 r = vec3(reach, reach, reach);
    sherd_grid_block_range(g, vec3_sub(center, r), vec3_add(center, r), low, high);
    for (int32_t z = low[2]; z <= high[2]; ++z)
        for (int32_t y = low[1]; y <= high[1]; ++y)
            for (int32_t x = low[0]; x <= high[0]; ++x) {
                int32_t k = sherd_key_map_insert(&g->index, block_key(x, y, z));
                if (k < 0) return false;
                if (k < g->count) continue;
                if (!sherd_grow((void **)&g->blocks, capacity, (size_t)k + 1, sizeof *g->blocks))
                    return false;
                g->blocks[k].at[0] = x;
                g->blocks[k].at[1] = y;
                g->blocks[k].at[2] = z;
                g->count = k + 1;
            }
    return true;
}

static void link_blocks(grid *g)
{
    for (int32_t k = 0; k < g->count; ++k) {
        grid_block *b = &g->blocks[k];
        for (int n = 0; n < 8; ++n)
            b->upper[n] =
                sherd_key_map_find(&g->index, block_key(b->at[0] + (n & 1), b->at[1] + (n >> 1 & 1),
                                                        b->at[2] + (n >> 2)));
    }
}

// A cell belongs to the block of its lowest corner. If a block below is missing, corners on the
// block's lower faces count as outside, as no block would march the cells between: meshes stay
// closed.
static void close_lower_faces(const grid *g, grid_block *b)
{
    unsigned missing = 0;
    for (unsigned n = 1; n < 8; ++n) {
        int32_t at[3];
        for (int d = 0; d < 3; ++d)
            at[d] = b->at[d] - (int32_t)(n >> d & 1);
        if (sherd_key_map_find(&g->index, block_key(at[0], at[1], at[2])) < 0) missing |= 1u << n;
    }
    for (unsigned c = 0; c < BLOCK_CORNERS && missing != 0; ++c) {
        unsigned low = (c % 8 == 0) | (c / 8 % 8 == 0) << 1 | (c / 64 == 0) << 2;
        for (unsigned n = 1; n < 8; ++n)
            if ((n & low) == n && (missing >> n & 1)) b->inside[c / 64] &= ~(UINT64_C(1) << c % 64);
    }
}

typedef struct sign_job {
    grid *g;
    const sherd_shape *shape;
} sign_job;

// Far from the surface one query decides a whole block: the distance is never overestimated.
static void find_signs(void *context, size_t begin, size_t end)
{
    sign_job *job = context;
    for (size_t k = begin; k < end; ++k) {
        grid_block *b = &job->g->blocks[k];
        if (job->shape == NULL) {
            memset(b->inside, 0xff, sizeof b->inside);
            close_lower_faces(job->g, b);
            continue;
        }
        sherd_bounds box = sherd_grid_block_bounds(job->g, b);
        sherd_vec3 middle = vec3_scale(0.5, vec3_add(box.low, box.high));
        double at_middle = sherd_shape_distance(job->shape, middle);
        bool mixed = fabs(at_middle) <= 1.01 * vec3_distance(middle, box.high);
        for (int c = 0; c < BLOCK_CORNERS; ++c) {
            int32_t corner[3] = {BLOCK_EDGE * b->at[0] + c % 8, BLOCK_EDGE * b->at[1] + c / 8 % 8,
                                 BLOCK_EDGE * b->at[2] + c / 64};
            double value = mixed
                               ? sherd_shape_distance(job->shape, sherd_grid_corner(job->g, corner))
                               : at_middle;
            if (value < 0.0) b->inside[c / 64] |= UINT64_C(1) << (c % 64);
        }
        close_lower_faces(job->g, b);
    }
}

grid_result sherd_grid_create(grid *g, const partition *p, const sherd_shape *shape, double cell,
                              const sherd_parallel *parallel)
{
    *g = (grid){.cell = cell};
    const sherd_point_bins *e = &p->elements;
    if (e->count == 0) return GRID_OK;
    sherd_bounds box = sherd_point_bins_bounds(e);
    // One empty block around, so that coordinates stay positive.
    double margin = p->reach + (BLOCK_EDGE + ODD_OFFSET) * cell;
    g->origin = vec3_sub(box.low, vec3(margin, margin, margin));
    sherd_vec3 extent = vec3_sub(box.high, g->origin);
    double longest = fmax(extent.x, fmax(extent.y, extent.z)) + margin;
    if (longest / (cell * BLOCK_EDGE) > MAX_BLOCKS_ALONG) return GRID_TOO_LARGE;
    size_t capacity = 0;
    for (int32_t k = 0; k < e->count; ++k)
        if (!add_blocks(g, &capacity, e->point[k], sqrt(1.0 / p->inverse_reach2[k])))
            return GRID_MEMORY;
    link_blocks(g);
    sherd_parallel_for(parallel, (size_t)g->count, 16, find_signs, &(sign_job){g, shape});
    return GRID_OK;
}

void sherd_grid_release(grid *g)
{
    sherd_free(g->blocks);
    sherd_key_map_release(&g->index);
    *g = (grid){0};
}

void sherd_grid_assign(const grid *g, grid_block *b, const partition *p, const slits *s,
                       double half_slit)
{
    sherd_bounds box = sherd_grid_block_bounds(g, b);
    sherd_fragment_id only = sherd_partition_only_label(p, box.low, box.high);
    bool slit_near = sherd_slits_near(s, box.low, box.high);
    for (int c = 0; c < BLOCK_CORNERS; ++c) {
        b->owner[c] = OWNER_OUTSIDE;
        if ((b->inside[c / 64] >> (c % 64) & 1) == 0) continue;
        int32_t corner[3] = {BLOCK_EDGE * b->at[0] + c % 8, BLOCK_EDGE * b->at[1] + c / 8 % 8,
                             BLOCK_EDGE * b->at[2] + c / 64};
        sherd_vec3 x = sherd_grid_corner(g, corner), direction;
        double distance;
        b->owner[c] = only != 0 ? only : sherd_partition_owner(p, x);
        if (slit_near && sherd_slits_distance(s, b->owner[c], x, &distance, &direction) &&
            fabs(distance) < half_slit)
            b->owner[c] = OWNER_SLIT;
    }
}

void sherd_grid_patch(const grid *g, const grid_block *b, sherd_fragment_id owner[PATCH_CORNERS])
{
    int c = 0;
    for (int z = 0; z < PATCH_EDGE; ++z)
        for (int y = 0; y < PATCH_EDGE; ++y)
            for (int x = 0; x < PATCH_EDGE; ++x) {
                int upper = x / BLOCK_EDGE | y / BLOCK_EDGE << 1 | z / BLOCK_EDGE << 2;
                int32_t k = b->upper[upper];
                int at =
                    ((z % BLOCK_EDGE) * BLOCK_EDGE + y % BLOCK_EDGE) * BLOCK_EDGE + x % BLOCK_EDGE;
                owner[c++] = k < 0 ? OWNER_OUTSIDE : g->blocks[k].owner[at];
            }
}
