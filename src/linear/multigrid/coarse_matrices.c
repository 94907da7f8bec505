#include "linear/multigrid/coarse_matrices.h"

#include "base/assertion.h"

enum { CHUNK = 64, LANES = SHERD_COARSE_LANES };

typedef struct level_refresh {
    sherd_coarse_level *level;
    const sherd_coarse_level *finer;
} level_refresh;

static sherd_vec3 centre_of(const sherd_coarse_level *level, int32_t node)
{
    return vec3(level->centre[0][node], level->centre[1][node], level->centre[2][node]);
}

static sherd_vec3 offset_of(const sherd_coarse_level *level, int32_t child)
{
    size_t stride = level->fine_stride, k = (size_t)child;
    return vec3((double)level->offset[k], (double)level->offset[stride + k],
                (double)level->offset[2 * stride + k]);
}

static void set_centre(const level_refresh *r, int32_t row)
{
    sherd_coarse_level *level = r->level;
    double mass = 0.0;
    sherd_vec3 sum = vec3(0.0, 0.0, 0.0);
    for (int32_t c = level->child_start[row]; c < level->child_start[row + 1]; ++c) {
        int32_t child = level->child[c];
        mass += r->finer->mass[child];
        sum = vec3_add_scaled(sum, r->finer->mass[child], centre_of(r->finer, child));
    }
    double s = mass > 0.0 ? 1.0 / mass : 0.0;
    level->centre[0][row] = s * sum.x, level->centre[1][row] = s * sum.y,
    level->centre[2][row] = s * sum.z;
    level->mass[row] = mass;
}

static void refresh_ground(void *context, size_t begin, size_t end)
{
    const level_refresh *r = context;
    sherd_coarse_level *level = r->level;
    for (int32_t row = (int32_t)begin; row < (int32_t)end; ++row) {
        double g[SHERD_SPRING_NUMBERS] = {0};
        set_centre(r, row);
        for (int32_t c = level->child_start[row]; c < level->child_start[row + 1]; ++c) {
            int32_t child = level->child[c];
            double from[SHERD_SPRING_NUMBERS];
            for (size_t n = 0; n < SHERD_SPRING_NUMBERS; ++n)
                from[n] = r->finer->exact_ground[n * r->finer->stride + (size_t)child];
            sherd_vec3 o = vec3_sub(centre_of(r->finer, child), centre_of(level, row));
            size_t stride = level->fine_stride;
            level->offset[child] = (float)o.x;
            level->offset[stride + (size_t)child] = (float)o.y;
            level->offset[2 * stride + (size_t)child] = (float)o.z;
            sherd_spring_add_shifted(g, from, o);
        }
        sherd_coarse_set_ground(level, row, g);
    }
}

static void add_child_entry(const level_refresh *r, int32_t row, int32_t child, int64_t e)
{
    const sherd_coarse_level *level = r->level, *finer = r->finer;
    int64_t target = level->target[e];
    if (target < 0) return;
    const float *from = sherd_coarse_entry(finer, child, e);
    float *to = sherd_coarse_entry(level, row, target);
    double spring[SHERD_SPRING_NUMBERS], sum[SHERD_SPRING_NUMBERS];
    for (int n = 0; n < SHERD_SPRING_NUMBERS; ++n) {
        spring[n] = (double)from[n * LANES];
        sum[n] = (double)to[n * LANES];
    }
    sherd_spring_add_shifted(sum, spring, offset_of(level, child));
    for (int n = 0; n < SHERD_SPRING_NUMBERS; ++n)
        to[n * LANES] = (float)sum[n];
}

static void refresh_springs(void *context, size_t begin, size_t end)
{
    const level_refresh *r = context;
    const sherd_coarse_level *level = r->level;
    for (int32_t row = (int32_t)begin; row < (int32_t)end; ++row) {
        for (int64_t e = level->row_start[row]; e < level->row_start[row + 1]; ++e) {
            float *entry = sherd_coarse_entry(level, row, e);
            sherd_vec3 o = vec3_sub(centre_of(level, row), centre_of(level, level->neighbour[e]));
            const double offset[3] = {o.x, o.y, o.z};
            for (int n = 0; n < SHERD_SPRING_NUMBERS; ++n)
                entry[n * LANES] = 0.0F;
            for (int n = 0; n < 3; ++n)
                entry[(SHERD_SPRING_NUMBERS + n) * LANES] = (float)offset[n];
        }
        for (int32_t c = level->child_start[row]; c < level->child_start[row + 1]; ++c) {
            int32_t child = level->child[c];
            for (int64_t e = r->finer->row_start[child]; e < r->finer->row_start[child + 1]; ++e)
                add_child_entry(r, row, child, e);
        }
    }
}

void sherd_coarse_level_refresh(sherd_coarse_level *level, const sherd_coarse_level *finer,
                                const sherd_parallel *parallel)
{
    SHERD_ASSERT((size_t)finer->count == level->fine_count && finer->stride == level->fine_stride,
                 "the level belongs to the finer level");
    level_refresh r = {level, finer};
    sherd_parallel_for(parallel, (size_t)level->count, CHUNK, refresh_ground, &r);
    sherd_parallel_for(parallel, (size_t)level->joined, CHUNK, refresh_springs, &r);
}

// ---------------------------------------------------------------- smoother

typedef struct smoothing {
    sherd_coarse_level *level;
    const sherd_coarse_kernels *kernels;
} smoothing;

static bool is_ground(const sherd_coarse_level *level, int32_t contact)
{
    return (size_t)level->contacts[contact].column + 1 == level->stride;
}

static void sum_springs(const sherd_coarse_level *level, size_t row,
                        double ground[SHERD_SPRING_NUMBERS], double sum[SHERD_SPRING_NUMBERS])
{
    if (row < (size_t)level->joined)
        for (int64_t e = level->row_start[row]; e < level->row_start[row + 1]; ++e) {
            const float *entry = sherd_coarse_entry(level, (int32_t)row, e);
            for (int n = 0; n < SHERD_SPRING_NUMBERS; ++n)
                sum[n] += (double)entry[n * LANES];
        }
    for (int32_t k = level->contact_start[row]; k < level->contact_start[row + 1]; ++k)
        for (int n = 0; n < SHERD_SPRING_NUMBERS; ++n)
            (is_ground(level, k) ? ground : sum)[n] += level->contacts[k].spring[n];
}

static void set_smoother(void *context, size_t begin, size_t end)
{
    const smoothing *s = context;
    sherd_coarse_level *level = s->level;
    for (size_t row = begin * LANES; row < end * LANES; ++row) {
        double ground[SHERD_SPRING_NUMBERS] = {0}, sum[SHERD_SPRING_NUMBERS] = {0};
        if (row < (size_t)level->used) sum_springs(level, row, ground, sum);
        for (size_t n = 0; n < SHERD_SPRING_NUMBERS; ++n) {
            size_t at = n * level->stride + row;
            if (row >= (size_t)level->used) level->ground[at] = 0.0F, level->exact_ground[at] = 0.0;
            level->smoother[at] =
                (float)(level->exact_ground[at] + ground[n] + sum[n] / SHERD_COARSE_OMEGA);
        }
    }
    s->kernels->invert(level->smoother, level->stride, begin, end);
}

void sherd_coarse_level_smoother(sherd_coarse_level *level, const sherd_coarse_kernels *kernels,
                                 const sherd_parallel *parallel)
{
    smoothing s = {level, kernels};
    sherd_parallel_for(parallel, level->stride / LANES, CHUNK / LANES, set_smoother, &s);
}
