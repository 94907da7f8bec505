#include "models/mpm/damage/mpm_prefracture.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/forest.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"
#include "math/vec3.h"

#include <math.h>

enum { AXIS_BITS = 20, EDGES_PER_CHUNK = 64, BISECTIONS = 30, PROBE_BISECTIONS = 24 };

// Distance beside a crossing at which the wall's slope is measured [step]
static const double PROBE = 0.01;
static const double STEEPEST = 40.0; // largest slope of a wall relative to an axis

sherd_mpm_prefracture_def sherd_mpm_prefracture_def_default(void)
{
    return (sherd_mpm_prefracture_def){
        .tensile_strength = INFINITY, .shear_strength = INFINITY, .threshold = INFINITY};
}

// Two neighbours of the lattice along an axis.
typedef struct edge {
    int32_t low, high;
    int axis;
} edge;

typedef struct lattice {
    const sherd_mpm_prefracture_def *def;
    double *const *x;
    size_t count;
    double step;
    sherd_sort_pair *cells; // sorted by position
    edge *edges;
    size_t edge_count;
    bool *parted; // whether a wall separates them (edge_count)
} lattice;

static sherd_vec3 point_of(const lattice *l, int32_t k)
{
    return vec3(l->x[0][k], l->x[1][k], l->x[2][k]);
}

static bool crosses(const lattice *l, sherd_vec3 a, sherd_vec3 b)
{
    for (int k = 0; k < l->def->wall_count; ++k)
        if (sherd_weakness_amount(l->def->walls[k], a, b) >= 0.5) return true;
    return false;
}

// ---------------------------------------------------------------- neighbours

static sherd_status sort_cells(lattice *l, sherd_error *error)
{
    double low[3] = {INFINITY, INFINITY, INFINITY};
    for (size_t k = 0; k < l->count; ++k)
        for (int axis = 0; axis < 3; ++axis)
            low[axis] = fmin(low[axis], l->x[axis][k]);
    l->cells = sherd_alloc(l->count, sizeof *l->cells);
    if (l->cells == NULL) return sherd_fail_memory(error, "pieces of points");
    for (size_t k = 0; k < l->count; ++k) {
        uint64_t key = 0;
        for (int axis = 0; axis < 3; ++axis) {
            double at = (l->x[axis][k] - low[axis]) / l->step + 0.5;
            if (!(at < (double)((1 << AXIS_BITS) - 1)))
                return sherd_fail(error, SHERD_ERROR_INPUT, "fracture", "a larger spacing",
                                  "a body is more than %d points long", (1 << AXIS_BITS) - 1);
            key |= (uint64_t)at << (AXIS_BITS * axis);
        }
        l->cells[k] = (sherd_sort_pair){key, (uint32_t)k};
    }
    return sherd_sort_pairs(l->cells, l->count) ? SHERD_OK
                                                : sherd_fail_memory(error, "pieces of points");
}

static bool list_edges(lattice *l)
{
    l->edges = sherd_alloc(3 * l->count, sizeof *l->edges);
    l->parted = sherd_alloc(3 * l->count, sizeof *l->parted);
    if (l->edges == NULL || l->parted == NULL) return false;
    for (size_t k = 0; k < l->count; ++k)
        for (int axis = 0; axis < 3; ++axis) {
            int32_t next = sherd_sort_find(l->cells, l->count,
                                           l->cells[k].key + ((uint64_t)1 << (AXIS_BITS * axis)));
            if (next >= 0)
                l->edges[l->edge_count++] = (edge){(int32_t)l->cells[k].value, next, axis};
        }
    return true;
}

static void part_range(void *context, size_t begin, size_t end)
{
    lattice *l = context;
    for (size_t k = begin; k < end; ++k)
        l->parted[k] = crosses(l, point_of(l, l->edges[k].low), point_of(l, l->edges[k].high));
}

// ---------------------------------------------------------------- pieces

// Lists a key of (crumb, neighbouring piece) for every two neighbouring points of them.
static size_t list_faces(const lattice *l, int32_t *root, const int32_t *size,
                         sherd_sort_pair *faces)
{
    size_t n = 0;
    for (size_t k = 0; k < l->edge_count; ++k) {
        int32_t a = sherd_find_root(root, l->edges[k].low),
                b = sherd_find_root(root, l->edges[k].high);
        if (a == b) continue;
        if (size[a] < SHERD_MPM_MIN_PIECE)
            faces[n++] = (sherd_sort_pair){(uint64_t)a << 32 | (uint64_t)b, 0};
        if (size[b] < SHERD_MPM_MIN_PIECE)
            faces[n++] = (sherd_sort_pair){(uint64_t)b << 32 | (uint64_t)a, 0};
    }
    return n;
}

// Joins each crumb to the piece with which it shares most faces; of equal ones to the lowest.
static void join_crumbs(int32_t *root, const sherd_sort_pair *faces, size_t count)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        uint64_t best = faces[begin].key;
        size_t most = 0, run = 0;
        for (end = begin; end < count && faces[end].key >> 32 == faces[begin].key >> 32; ++end) {
            run = end > begin && faces[end].key == faces[end - 1].key ? run + 1 : 1;
            if (run > most) most = run, best = faces[end].key;
        }
        sherd_join_roots(root, (int32_t)(best >> 32), (int32_t)(best & UINT32_MAX));
    }
}

static void measure_pieces(int32_t *root, size_t count, int32_t *size)
{
    for (size_t k = 0; k < count; ++k)
        size[k] = 0;
    for (size_t k = 0; k < count; ++k)
        ++size[sherd_find_root(root, (int32_t)k)];
}

// Repeated, because crumbs may join crumbs.
static bool sweep_up(const lattice *l, int32_t *root)
{
    int32_t *size = sherd_alloc(l->count, sizeof *size);
    sherd_sort_pair *faces = sherd_alloc(2 * l->edge_count, sizeof *faces);
    bool ok = size != NULL && faces != NULL;
    for (int round = 0; round < SHERD_MPM_MIN_PIECE && ok; ++round) {
        measure_pieces(root, l->count, size);
        size_t count = list_faces(l, root, size, faces);
        if (count == 0) break;
        ok = sherd_sort_pairs(faces, count);
        if (ok) join_crumbs(root, faces, count);
    }
    sherd_free(size), sherd_free(faces);
    return ok;
}

static bool number_pieces(const lattice *l, sherd_mpm_prefracture *out)
{
    int32_t *root = sherd_alloc(l->count, sizeof *root);
    out->piece = sherd_alloc(l->count, sizeof *out->piece);
    bool ok = root != NULL && out->piece != NULL;
    for (size_t k = 0; k < l->count && ok; ++k)
        root[k] = (int32_t)k;
    for (size_t k = 0; k < l->edge_count && ok; ++k)
        if (!l->parted[k]) sherd_join_roots(root, l->edges[k].low, l->edges[k].high);
    ok = ok && sweep_up(l, root);
    for (size_t k = 0; k < l->count && ok; ++k) { // a root is the lowest point of its piece
        size_t top = (size_t)sherd_find_root(root, (int32_t)k);
        out->piece[k] = top == k ? out->pieces++ : out->piece[top];
    }
    sherd_free(root);
    return ok;
}

// ---------------------------------------------------------------- glue

// Position on the segment from a to b where the wall begins, by bisection.
static sherd_vec3 crossing(const lattice *l, sherd_vec3 a, sherd_vec3 b)
{
    double low = 0.0, high = 1.0;
    sherd_vec3 way = vec3_sub(b, a);
    for (int k = 0; k < BISECTIONS; ++k) {
        double middle = 0.5 * (low + high);
        if (crosses(l, a, vec3_add_scaled(a, middle, way)))
            high = middle;
        else
            low = middle;
    }
    return vec3_add_scaled(a, 0.5 * (low + high), way);
}

static sherd_vec3 unit_along(int axis)
{
    return vec3(axis == 0, axis == 1, axis == 2);
}

// Slope of the wall: derivative of its position along `axis` with respect to `other`.
static double slope_at(const lattice *l, sherd_vec3 x, sherd_vec3 behind, int axis, int other)
{
    double beside = PROBE * l->step, low = -STEEPEST * beside, high = STEEPEST * beside;
    sherd_vec3 from = vec3_add_scaled(x, beside, unit_along(other)), along = unit_along(axis);
    for (int k = 0; k < PROBE_BISECTIONS; ++k) {
        double middle = 0.5 * (low + high);
        if (crosses(l, behind, vec3_add_scaled(from, middle, along)))
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high) / beside;
}

static sherd_mpm_glue glue_on(const lattice *l, const sherd_mpm_prefracture *f, const edge *e)
{
    sherd_vec3 from = point_of(l, e->low), to = point_of(l, e->high), x = crossing(l, from, to);
    sherd_vec3 n = unit_along(e->axis),
               behind = vec3_add_scaled(x, -1e-4 * l->step, unit_along(e->axis));
    for (int k = 1; k < 3; ++k) {
        int other = (e->axis + k) % 3;
        n = vec3_add_scaled(n, -slope_at(l, x, behind, e->axis, other), unit_along(other));
    }
    double length = vec3_length(n);
    uint32_t a = f->piece[e->low], b = f->piece[e->high];
    bool by_force = l->def->criterion == SHERD_MPM_GLUE_FORCE;
    n = vec3_scale((a < b ? 1.0 : -1.0) / length, n);
    return (sherd_mpm_glue){.x = {x.x, x.y, x.z},
                            .normal = {n.x, n.y, n.z},
                            .area = l->step * l->step / length,
                            .criterion = l->def->criterion,
                            .threshold = by_force ? l->def->threshold : 0.0,
                            .tensile = l->def->tensile_strength,
                            .shear = l->def->shear_strength,
                            .fracture_energy = l->def->fracture_energy,
                            .a = a < b ? a : b,
                            .b = a < b ? b : a,
                            .low = e->low,
                            .high = e->high};
}

typedef struct gluing {
    const lattice *lattice;
    sherd_mpm_prefracture *out;
    const size_t *edges; // of glue
} gluing;

static void glue_range(void *context, size_t begin, size_t end)
{
    const gluing *g = context;
    for (size_t k = begin; k < end; ++k) {
        const sherd_mpm_prefracture_def *def = g->lattice->def;
        sherd_mpm_glue *made = &g->out->glue[k];
        *made = glue_on(g->lattice, g->out, &g->lattice->edges[g->edges[k]]);
        double factor = 1.0 + def->scatter * (2.0 * sherd_random_uniform(def->seed, 5, k) - 1.0);
        made->tensile *= factor, made->shear *= factor, made->threshold *= factor;
    }
}

static bool is_glued(const lattice *l, const sherd_mpm_prefracture *f, const edge *e)
{
    if (f->piece[e->low] == f->piece[e->high]) return false;
    sherd_vec3 middle = vec3_scale(0.5, vec3_add(point_of(l, e->low), point_of(l, e->high)));
    return l->def->glued == NULL || sherd_shape_distance(l->def->glued, middle) <= 0.0;
}

static bool make_glue(const lattice *l, const sherd_parallel *parallel, sherd_mpm_prefracture *out)
{
    const sherd_mpm_prefracture_def *def = l->def;
    if (def->tensile_strength <= 0.0 || def->shear_strength <= 0.0 || def->threshold <= 0.0)
        return true;
    size_t *edges = sherd_alloc(l->edge_count, sizeof *edges);
    if (edges == NULL) return false;
    for (size_t k = 0; k < l->edge_count; ++k)
        if (is_glued(l, out, &l->edges[k])) edges[out->glue_count++] = k;
    out->glue = sherd_alloc(out->glue_count, sizeof *out->glue);
    gluing g = {l, out, edges};
    if (out->glue != NULL)
        sherd_parallel_for(parallel, out->glue_count, EDGES_PER_CHUNK, glue_range, &g);
    sherd_free(edges);
    return out->glue != NULL;
}

sherd_status sherd_mpm_prefracture_make(const sherd_mpm_prefracture_def *def, double *const x[3],
                                        size_t count, double step, const sherd_parallel *parallel,
                                        sherd_mpm_prefracture *out, sherd_error *error)
{
    lattice l = {def, x, count, step, NULL, NULL, 0, NULL};
    *out = (sherd_mpm_prefracture){0};
    sherd_status status = sort_cells(&l, error);
    if (status == SHERD_OK && !list_edges(&l))
        status = sherd_fail_memory(error, "pieces of points");
    if (status == SHERD_OK) {
        sherd_parallel_for(parallel, l.edge_count, EDGES_PER_CHUNK, part_range, &l);
        if (!number_pieces(&l, out) || !make_glue(&l, parallel, out))
            status = sherd_fail_memory(error, "pieces of points");
    }
    for (size_t k = 0; k < count && status == SHERD_OK; ++k)
        SHERD_ASSERT(out->piece[k] < out->pieces, "points belong to pieces");
    for (size_t k = 0; k < out->glue_count && status == SHERD_OK; ++k) {
        SHERD_ASSERT(out->glue[k].a != out->glue[k].b, "glue joins two pieces");
        SHERD_ASSERT(out->glue[k].area > 0.0, "glue has an area");
    }
    sherd_free(l.cells), sherd_free(l.edges), sherd_free(l.parted);
    return status;
}

void sherd_mpm_prefracture_release(sherd_mpm_prefracture *fracture)
{
    sherd_free(fracture->piece), sherd_free(fracture->glue);
    *fracture = (sherd_mpm_prefracture){0};
}
