#include "models/mpm/glue/mpm_glue.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "math/quat.h"
#include "models/mpm/kernels/mpm_kernels.h"

#include <math.h>
#include <string.h>

enum { GLUE_PER_CHUNK = 256, JOINTS_PER_CHUNK = 8 };

static const double MARGIN = 0.25; // [h]: how much farther glue joins than its kernel reaches
static const double FAR = 0.05;    // [h]: how far points may go until glue follows
static const double HOT = 0.5;     // of the strength: tested in every step from there on

bool sherd_mpm_glues_make(sherd_mpm_glues *g, size_t count)
{
    *g = (sherd_mpm_glues){.count = count};
    return (g->items = sherd_alloc(count, sizeof *g->items)) != NULL;
}

static sherd_mpm_glue placed(sherd_mpm_glue glue, sherd_mpm_offset first, sherd_pose pose)
{
    sherd_vec3 x = pose_apply(pose, vec3(glue.x[0], glue.x[1], glue.x[2])),
               n = quat_rotate(pose.rotation, vec3(glue.normal[0], glue.normal[1], glue.normal[2]));
    glue.x[0] = x.x, glue.x[1] = x.y, glue.x[2] = x.z;
    glue.normal[0] = n.x, glue.normal[1] = n.y, glue.normal[2] = n.z;
    glue.a += first.piece, glue.b += first.piece;
    glue.low += first.element, glue.high += first.element;
    return glue;
}

bool sherd_mpm_glues_append(sherd_mpm_glues *g, const sherd_mpm_glue *items, size_t count,
                            sherd_mpm_offset first, sherd_pose pose)
{
    sherd_mpm_glue *all = sherd_alloc(g->count + count, sizeof *all);
    if (all == NULL) return false;
    if (g->count > 0) memcpy(all, g->items, g->count * sizeof *all);
    for (size_t k = 0; k < count; ++k)
        all[g->count + k] = placed(items[k], first, pose);
    sherd_free(g->items);
    g->items = all, g->count += count;
    return true;
}

static void forget(sherd_mpm_glues *g)
{
    sherd_free(g->places), sherd_free(g->joints), sherd_free(g->of_block), sherd_free(g->entries);
    sherd_free(g->point_of);
    g->point_of = NULL, g->places = NULL, g->joints = NULL, g->of_block = NULL, g->entries = NULL;
    g->joint_count = 0;
}

void sherd_mpm_glues_release(sherd_mpm_glues *g)
{
    forget(g);
    sherd_free(g->items);
    *g = (sherd_mpm_glues){0};
}

// ---------------------------------------------------------------- places

static void find_place(const sherd_mpm_grid *grid, const sherd_mpm_glue *glue,
                       sherd_mpm_glue_tile *place)
{
    const uint32_t piece[2] = {glue->a, glue->b};
    for (int part = 0; part < SHERD_MPM_PARTS; ++part) {
        int32_t block[3];
        for (int axis = 0; axis < 3; ++axis)
            block[axis] = place->block[axis] + (part >> axis & 1);
        for (int side = 0; side < 2; ++side)
            place->layer[side][part] = sherd_mpm_find_layer(grid, block, piece[side]);
        place->joint[part] = -1;
    }
}

static void want_stress(sherd_mpm_grid *grid, const sherd_mpm_glue_tile *place)
{
    for (int k = 0; k < 2 * SHERD_MPM_PARTS; ++k) {
        int32_t layer = place->layer[k / SHERD_MPM_PARTS][k % SHERD_MPM_PARTS];
        if (layer >= 0 && grid->layers[layer].stress < 0)
            grid->layers[layer].stress = (int32_t)grid->stress_count++;
    }
}

// Pairs of layers that glue joins, by layers: key, and glue with part.
static size_t list_pairs(const sherd_mpm_glues *g, sherd_sort_pair *pairs)
{
    size_t n = 0;
    for (size_t k = 0; k < g->count; ++k)
        for (uint32_t part = 0; part < SHERD_MPM_PARTS && sherd_mpm_glue_may_join(&g->items[k]);
             ++part) {
            int32_t a = g->places[k].layer[0][part], b = g->places[k].layer[1][part];
            if (a < 0 || b < 0) continue;
            uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
            pairs[n++] = (sherd_sort_pair){low << 32 | high, (uint32_t)k * SHERD_MPM_PARTS + part};
        }
    return n;
}

static void number_joints(sherd_mpm_glues *g, const sherd_sort_pair *pairs, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        if (k == 0 || pairs[k].key != pairs[k - 1].key)
            g->joints[g->joint_count++] = (sherd_mpm_joint){
                {(int32_t)(pairs[k].key >> 32), (int32_t)(pairs[k].key & UINT32_MAX)}, k, k, 0, 0};
        uint32_t glue = pairs[k].value / SHERD_MPM_PARTS, part = pairs[k].value % SHERD_MPM_PARTS;
        g->entries[k] = glue;
        g->joints[g->joint_count - 1].end = k + 1;
        SHERD_ASSERT(g->joints[g->joint_count - 1].layer[0] <
                         g->joints[g->joint_count - 1].layer[1],
                     "joints have two layers, the lower first");
        g->places[glue].joint[part] = (int32_t)(g->joint_count - 1);
    }
}

// Layers of shared blocks lie in the order of blocks, as joints do.
static void divide_among_blocks(sherd_mpm_glues *g, const sherd_mpm_grid *grid)
{
    size_t at = 0;
    for (size_t k = 0; k < grid->shared_count; ++k) {
        g->of_block[k] = at;
        while (at < g->joint_count && (size_t)g->joints[at].layer[0] < grid->shared[k].end)
            ++at;
    }
    g->of_block[grid->shared_count] = at;
    SHERD_ASSERT(at == g->joint_count, "joints lie in shared blocks");
}

static bool make_joints(sherd_mpm_glues *g, const sherd_mpm_grid *grid, size_t intact)
{
    size_t most = intact * SHERD_MPM_PARTS;
    sherd_sort_pair *pairs = sherd_alloc(most, sizeof *pairs);
    if (pairs == NULL) return false;
    size_t count = list_pairs(g, pairs);
    bool ok = sherd_sort_pairs(pairs, count);
    ok = ok && (g->joints = sherd_alloc(count, sizeof *g->joints)) != NULL;
    ok = ok && (g->entries = sherd_alloc(count, sizeof *g->entries)) != NULL;
    ok = ok && (g->of_block = sherd_alloc(grid->shared_count + 1, sizeof *g->of_block)) != NULL;
    if (ok) {
        number_joints(g, pairs, count);
        divide_among_blocks(g, grid);
    }
    sherd_free(pairs);
    return ok;
}

static bool is_by_force(const sherd_mpm_glue *glue)
{
    return glue->criterion == SHERD_MPM_GLUE_FORCE;
}

static double heat_of(const sherd_mpm_glue *glue)
{
    return fmax(sherd_mpm_glue_pull(glue) / glue->tensile,
                sherd_mpm_glue_slide(glue) / glue->shear);
}

uint64_t sherd_mpm_glues_hash(const sherd_mpm_glues *g, uint64_t hash)
{
    for (size_t k = 0; k < g->count; ++k) {
        hash = sherd_hash_bytes(hash, g->items[k].x, sizeof g->items[k].x);
        hash = sherd_hash_bytes(hash, &g->items[k].damage, sizeof g->items[k].damage);
        if (g->items[k].start > 0.0)
            hash = sherd_hash_bytes(hash, g->items[k].gap, sizeof g->items[k].gap);
    }
    return hash;
}

// Finds the points that glue lies between, if any softens. False: memory is short.
static bool find_points(sherd_mpm_glues *g, const sherd_mpm_points *p)
{
    int32_t numbers = 0;
    if (!sherd_mpm_glues_soften(g)) return true;
    for (size_t k = 0; k < p->count; ++k)
        if (p->number[k] >= numbers) numbers = p->number[k] + 1;
    for (size_t k = 0; k < g->count; ++k)
        for (int which = 0; which < 2; ++which) {
            int32_t number = which == 0 ? g->items[k].low : g->items[k].high;
            if (number >= numbers) numbers = number + 1;
        }
    int32_t *index = sherd_alloc((size_t)numbers, sizeof *index);
    g->point_of = sherd_alloc(g->count, sizeof *g->point_of);
    bool ok = index != NULL && g->point_of != NULL;
    for (size_t k = 0; k < p->count && ok; ++k)
        if (p->number[k] != SHERD_MPM_FILLER) index[p->number[k]] = (int32_t)k;
    for (size_t k = 0; k < g->count && ok; ++k) {
        int32_t low = index[g->items[k].low], high = index[g->items[k].high];
        bool in_order = p->body[low] == g->items[k].a;
        g->point_of[k][0] = in_order ? low : high, g->point_of[k][1] = in_order ? high : low;
    }
    sherd_free(index);
    return ok;
}

sherd_status sherd_mpm_glues_sort(sherd_mpm_glues *g, sherd_mpm_grid *grid,
                                  const sherd_mpm_points *points, sherd_error *error)
{
    return sherd_mpm_glues_sort_as(g, grid, points, NULL, error);
}

sherd_status sherd_mpm_glues_sort_as(sherd_mpm_glues *g, sherd_mpm_grid *grid,
                                     const sherd_mpm_points *points, const int32_t (*blocks)[3],
                                     sherd_error *error)
{
    forget(g);
    g->breaks_by_stress = g->breaks_by_force = g->joined = false, g->hottest = 0.0;
    if (g->count == 0) return SHERD_OK;
    size_t intact = 0;
    g->places = sherd_alloc(g->count, sizeof *g->places);
    if (g->places == NULL || !find_points(g, points)) return sherd_fail_memory(error, "glue");
    for (size_t k = 0; k < g->count; ++k) {
        const sherd_mpm_glue *glue = &g->items[k];
        if (!sherd_mpm_glue_may_join(glue)) continue;
        ++intact;
        if (blocks != NULL)
            memcpy(g->places[k].block, blocks[k], sizeof blocks[k]);
        else
            sherd_mpm_block_at(grid, glue->x, g->places[k].block);
        find_place(grid, glue, &g->places[k]);
        if (sherd_mpm_glue_joins(glue)) g->hottest = fmax(g->hottest, heat_of(glue));
        bool breaks = sherd_mpm_glue_breaks(glue), by_force = is_by_force(glue);
        if (breaks && !by_force) want_stress(grid, &g->places[k]);
        g->breaks_by_stress = g->breaks_by_stress || (breaks && !by_force);
        g->breaks_by_force = g->breaks_by_force || (breaks && by_force);
    }
    sherd_mpm_glues_count(g);
    sherd_free(grid->stresses);
    grid->stresses = sherd_alloc(grid->stress_count, sizeof *grid->stresses);
    if (grid->stresses != NULL && make_joints(g, grid, intact)) return SHERD_OK;
    return sherd_fail_memory(error, "glue");
}

// ---------------------------------------------------------------- weights

static double cubic(double u, double *slope)
{
    double a = fabs(u), t = 2.0 - a;
    if (a >= 2.0) return *slope = 0.0;
    *slope = copysign(a < 1.0 ? (1.5 * a - 2.0) * a : -0.5 * t * t, u);
    return a < 1.0 ? (0.5 * a - 1.0) * a * a + 2.0 / 3.0 : t * t * t / 6.0;
}

static double quadratic(double u, double *slope)
{
    double a = fabs(u), t = 1.5 - a;
    if (a >= 1.5) return *slope = 0.0;
    *slope = copysign(a < 0.5 ? -2.0 * a : -t, u);
    return a < 0.5 ? 0.75 - a * a : 0.5 * t * t;
}

static void weigh(const sherd_mpm_grid *grid, const sherd_mpm_glue *glue,
                  const sherd_mpm_glue_tile *place, sherd_mpm_glue_weights *out)
{
    bool is_cubic = grid->kernel == SHERD_MPM_CUBIC;
    for (int axis = 0; axis < 3; ++axis) {
        double at = glue->x[axis] / grid->h - (SHERD_MPM_SIDE * (double)place->block[axis] - 1.0);
        out->first[axis] = (int)floor(is_cubic ? at : at + 0.5) - 1;
        for (int n = 0; n < (int)grid->kernel; ++n) {
            double slope, u = at - (double)(out->first[axis] + n);
            out->w[axis][n] = is_cubic ? cubic(u, &slope) : quadratic(u, &slope);
            out->dw[axis][n] = slope / grid->h;
        }
    }
}

// ---------------------------------------------------------------- stress

typedef struct job {
    sherd_mpm_glues *g;
    const sherd_mpm_grid *grid;
    double dt, time;
    sherd_mpm_kernels f;
} job;

static void take_traction(sherd_mpm_glue *glue, const double s[SHERD_MPM_SYMMETRIC])
{
    const double *n = glue->normal;
    glue->traction[0] = s[0] * n[0] + s[5] * n[1] + s[4] * n[2];
    glue->traction[1] = s[5] * n[0] + s[1] * n[1] + s[3] * n[2];
    glue->traction[2] = s[4] * n[0] + s[3] * n[1] + s[2] * n[2];
}

static void break_glue(sherd_mpm_glue *glue, double time)
{
    glue->damage = 1.0, glue->broken_at = time;
}

static void test(const job *j, size_t k)
{
    sherd_mpm_glue *glue = &j->g->items[k];
    sherd_mpm_glue_weights w;
    double stress[SHERD_MPM_SYMMETRIC];
    if (!sherd_mpm_glue_joins(glue) || !sherd_mpm_glue_breaks(glue) || is_by_force(glue))
        return; // the latter two have no stress
    weigh(j->grid, glue, &j->g->places[k], &w);
    if (!j->f.glue_stress(j->grid, &j->g->places[k], &w, stress)) return;
    take_traction(glue, stress);
    bool parts = sherd_mpm_glue_pull(glue) > glue->tensile;
    if (!parts && !(sherd_mpm_glue_slide(glue) > glue->shear)) return;
    if (glue->fracture_energy > 0.0)
        sherd_mpm_glue_begin(glue);
    else
        break_glue(glue, j->time);
}

// The largest share of its strength that intact glue bears.
static double test_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double most = 0.0;
    for (size_t k = begin; k < end; ++k) {
        test(j, k);
        if (sherd_mpm_glue_joins(&j->g->items[k])) most = fmax(most, heat_of(&j->g->items[k]));
    }
    return most;
}

bool sherd_mpm_glues_soften(const sherd_mpm_glues *g)
{
    for (size_t k = 0; k < g->count; ++k)
        if (g->items[k].fracture_energy > 0.0) return true;
    return false;
}

void sherd_mpm_glues_rejoin(sherd_mpm_glues *g, const size_t *list, size_t count)
{
    for (size_t n = 0; n < count; ++n) {
        const sherd_mpm_glue *glue = &g->items[list[n]];
        if (!sherd_mpm_glue_joins(glue)) continue;
        g->hottest = fmax(g->hottest, heat_of(glue));
        ++g->rejoined;
    }
}

void sherd_mpm_glues_count(sherd_mpm_glues *g)
{
    size_t broken = 0, softening = 0;
    for (size_t k = 0; k < g->count; ++k) {
        broken += g->items[k].damage >= 1.0;
        softening += sherd_mpm_glue_softens(&g->items[k]);
    }
    g->joined = g->joined && broken == g->broken && softening == g->softening;
    g->broken = broken, g->softening = softening;
}

bool sherd_mpm_glues_due(const sherd_mpm_glues *g)
{
    bool breaks = g->breaks_by_stress && g->broken < g->count;
    return breaks && (g->steps % SHERD_MPM_GLUE_EVERY == 0 || g->hottest >= HOT);
}

void sherd_mpm_glues_test_stress(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                                 const sherd_parallel *parallel, double time)
{
    job j = {g, grid, 0.0, time, sherd_mpm_choose_kernels()};
    g->hottest = sherd_parallel_max(parallel, g->count, GLUE_PER_CHUNK, test_range, &j);
    sherd_mpm_glues_count(g);
}

// ---------------------------------------------------------------- force

// From the first layer's centroid to the second's; false where they lie in one place.
static bool normal_at(const sherd_mpm_grid *grid, const sherd_mpm_joint *joint, int node,
                      double normal[3])
{
    const double *from = grid->moments[grid->layers[joint->layer[0]].moments].node[node];
    const double *to = grid->moments[grid->layers[joint->layer[1]].moments].node[node];
    double squares = 0.0;
    if (!(from[0] > 0.0 && to[0] > 0.0)) return false;
    for (int k = 0; k < 3; ++k) {
        normal[k] = to[1 + k] / to[0] - from[1 + k] / from[0];
        squares += normal[k] * normal[k];
    }
    for (int k = 0; k < 3 && squares > 0.0; ++k)
        normal[k] /= sqrt(squares);
    return squares > 0.0;
}

// |(20)|: of each force what does not point out of its piece; `sign` turns the normal outwards.
static double relative_force(const sherd_mpm_grid *grid, const sherd_mpm_joint *joint, int node,
                             double dt)
{
    double normal[3], difference[3] = {0}, squares = 0.0;
    if (!normal_at(grid, joint, node, normal)) return 0.0;
    for (int side = 0; side < 2; ++side) {
        const double *impulse = grid->loads[joint->layer[side]].node[node][1];
        double sign = side == 0 ? 1.0 : -1.0, outwards = 0.0;
        for (int k = 0; k < 3; ++k)
            outwards += sign * impulse[k] * normal[k];
        for (int k = 0; k < 3; ++k)
            difference[k] += sign * (impulse[k] - fmax(0.0, outwards) * sign * normal[k]) / dt;
    }
    for (int k = 0; k < 3; ++k)
        squares += difference[k] * difference[k];
    return sqrt(squares);
}

static uint64_t nodes_of(const sherd_mpm_grid *grid, const sherd_mpm_glue *glue,
                         const int32_t block[3]);

// sum w c and sum w of a joint's intact glue.
static void add_thresholds(const job *j, size_t joint, double sum[SHERD_MPM_NODES],
                           double total[SHERD_MPM_NODES])
{
    for (size_t e = j->g->joints[joint].begin; e < j->g->joints[joint].end; ++e) {
        const sherd_mpm_glue *glue = &j->g->items[j->g->entries[e]];
        const sherd_mpm_glue_tile *place = &j->g->places[j->g->entries[e]];
        sherd_mpm_glue_weights w;
        if (glue->damage >= 1.0) continue;
        weigh(j->grid, glue, place, &w);
        SHERD_MPM_FOR_EACH_REACHED(j->grid->kernel, &w, r)
        {
            if (place->joint[r.part] != (int32_t)joint) continue;
            sum[r.node] += r.w * glue->threshold, total[r.node] += r.w;
        }
    }
}

static void crack_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_joint *joint = &j->g->joints[k];
        double sum[SHERD_MPM_NODES] = {0}, total[SHERD_MPM_NODES] = {0};
        joint->cracked = 0;
        if (!is_by_force(&j->g->items[j->g->entries[joint->begin]])) continue;
        add_thresholds(j, k, sum, total);
        for (int n = 0; n < SHERD_MPM_NODES; ++n)
            if (total[n] > 0.0 && relative_force(j->grid, joint, n, j->dt) >= sum[n] / total[n])
                joint->cracked |= (uint64_t)1 << n;
    }
}

static void separate_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_glue *glue = &j->g->items[k];
        const sherd_mpm_glue_tile *place = &j->g->places[k];
        bool cracked = false, tested = is_by_force(glue) && glue->damage < 1.0;
        for (int part = 0; part < SHERD_MPM_PARTS && tested; ++part) {
            if (place->joint[part] < 0) continue;
            const sherd_mpm_joint *joint = &j->g->joints[place->joint[part]];
            const int32_t *block = j->grid->layers[joint->layer[0]].block;
            cracked = cracked || (joint->cracked & nodes_of(j->grid, glue, block)) != 0;
        }
        if (cracked) break_glue(glue, j->time);
    }
}

void sherd_mpm_glues_test_force(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                                const sherd_parallel *parallel, double kick, double time)
{
    job j = {g, grid, kick, time, sherd_mpm_choose_kernels()};
    sherd_parallel_for(parallel, g->joint_count, JOINTS_PER_CHUNK, crack_range, &j);
    sherd_parallel_for(parallel, g->count, GLUE_PER_CHUNK, separate_range, &j);
    sherd_mpm_glues_count(g);
}

// ---------------------------------------------------------------- joints

// Nodes of a block with w > 0, or nearly so: where two points of either piece reach a node that
// glue between them just misses, after large strains, they are still joined.
static uint64_t nodes_of(const sherd_mpm_grid *grid, const sherd_mpm_glue *glue,
                         const int32_t block[3])
{
    static const uint64_t FIRST[3] = {UINT64_C(0x1111111111111111), UINT64_C(0x000F000F000F000F),
                                      UINT64_C(0x000000000000FFFF)};
    const double width = (grid->kernel == SHERD_MPM_CUBIC ? 2.0 : 1.5) + MARGIN;
    uint64_t all = ~UINT64_C(0);
    for (int axis = 0; axis < 3; ++axis) {
        double at = glue->x[axis] / grid->h - (SHERD_MPM_SIDE * (double)block[axis] - 1.0);
        uint64_t along = 0;
        for (int n = 0; n < SHERD_MPM_SIDE; ++n)
            if (fabs(at - (double)n) < width) along |= FIRST[axis] << (n << (2 * axis));
        all &= along;
    }
    return all;
}

static void join_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_joint *joint = &j->g->joints[k];
        const int32_t *block = j->grid->layers[joint->layer[0]].block;
        joint->nodes = 0;
        for (size_t e = joint->begin; e < joint->end && ~joint->nodes != 0; ++e) {
            const sherd_mpm_glue *glue = &j->g->items[j->g->entries[e]];
            if (sherd_mpm_glue_joins(glue)) joint->nodes |= nodes_of(j->grid, glue, block);
        }
    }
}

void sherd_mpm_glues_join(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                          const sherd_parallel *parallel)
{
    job j = {g, grid, 0.0, 0.0, sherd_mpm_choose_kernels()};
    if (g->joined) return;
    sherd_parallel_for(parallel, g->joint_count, JOINTS_PER_CHUNK, join_range, &j);
    g->joined = true;
}

// ---------------------------------------------------------------- motion

// n <- (I + dt L)^-T n, which is the matrix of cofactors times n, made a unit vector.
static void turn(double n[3], double dt, double l[3][3])
{
    double g[3][3], out[3], squares = 0.0;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            g[i][k] = (double)(i == k) + dt * l[i][k];
    for (int i = 0; i < 3; ++i) {
        const double *p = g[(i + 1) % 3], *q = g[(i + 2) % 3];
        out[i] = (p[1] * q[2] - p[2] * q[1]) * n[0] + (p[2] * q[0] - p[0] * q[2]) * n[1] +
                 (p[0] * q[1] - p[1] * q[0]) * n[2];
        squares += out[i] * out[i];
    }
    for (int i = 0; i < 3 && squares > 0.0; ++i)
        n[i] = out[i] / sqrt(squares);
}

static double move_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double most = 0.0;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_glue *glue = &j->g->items[k];
        sherd_mpm_glue_weights w;
        double v[3], l[3][3];
        if (!sherd_mpm_glue_joins(glue)) continue;
        weigh(j->grid, glue, &j->g->places[k], &w);
        if (!j->f.glue_motion(j->grid, &j->g->places[k], &w, v, l)) continue;
        for (int axis = 0; axis < 3; ++axis) {
            glue->x[axis] += j->dt * v[axis];
            most = fmax(most, fabs(v[axis]));
        }
        turn(glue->normal, j->dt, l);
    }
    return most;
}

double sherd_mpm_glues_move(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                            const sherd_parallel *parallel, double dt, double way)
{
    if (g->broken == g->count) return 0.0;
    g->lag += dt, g->way += way, ++g->steps;
    if (g->steps % SHERD_MPM_GLUE_EVERY != 0 && g->way < FAR * grid->h) return 0.0;
    job j = {g, grid, g->lag, 0.0, sherd_mpm_choose_kernels()};
    double gone = g->lag * sherd_parallel_max(parallel, g->count, GLUE_PER_CHUNK, move_range, &j);
    g->lag = g->way = 0.0, g->joined = false;
    return gone;
}
