#include "models/mpm/coupling/mpm_coupling.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "models/mpm/grid/mpm_axes.h"

#include <math.h>
#include <string.h>

enum { REACH = SHERD_MPM_REACH, COLUMNS = 11, SAMPLES_PER_CHUNK = 256, LAYERS_PER_CHUNK = 16 };

// ---------------------------------------------------------------- columns

static void list_columns(sherd_mpm_coupling *g, double **columns[COLUMNS])
{
    double **list[COLUMNS] = {&g->x[0],       &g->x[1], &g->x[2],       &g->v[0],
                              &g->v[1],       &g->v[2], &g->impulse[0], &g->impulse[1],
                              &g->impulse[2], &g->mass, &g->volume};
    for (int k = 0; k < COLUMNS; ++k)
        columns[k] = list[k];
}

void sherd_mpm_coupling_release(sherd_mpm_coupling *g)
{
    double **columns[COLUMNS];
    list_columns(g, columns);
    for (int k = 0; k < COLUMNS; ++k)
        sherd_free(*columns[k]);
    sherd_free(g->body), sherd_free(g->layer), sherd_free(g->first), sherd_free(g->reaching);
    *g = (sherd_mpm_coupling){0};
}

bool sherd_mpm_coupling_reserve(sherd_mpm_coupling *g, size_t count)
{
    if (count <= g->capacity) return true;
    double **columns[COLUMNS];
    size_t room = g->capacity;
    list_columns(g, columns);
    for (int k = 0; k < COLUMNS; ++k) {
        room = g->capacity;
        if (!sherd_grow((void **)columns[k], &room, count, sizeof **columns[k])) return false;
    }
    room = g->capacity;
    if (!sherd_grow((void **)&g->body, &room, count, sizeof *g->body)) return false;
    room = g->capacity;
    if (!sherd_grow((void **)&g->layer, &room, count, sizeof *g->layer)) return false;
    g->capacity = count;
    return true;
}

// ---------------------------------------------------------------- places

// Range of nodes along an axis, both ends included.
typedef struct span {
    int64_t first, last;
} span;

// Nodes reached along an axis from positions within `slack` h of x.
static span span_of(const sherd_mpm_grid *g, double x, double slack)
{
    double w[REACH];
    return (span){sherd_mpm_axis_weights(g, x - slack * g->h, w),
                  sherd_mpm_axis_weights(g, x + slack * g->h, w) + (int64_t)g->kernel - 1};
}

// Number of the block of a node: block B begins at node 4 B - 1.
static int32_t block_of_node(int64_t node)
{
    return (int32_t)((node + 1) >> 2);
}

static int list_blocks(const sherd_mpm_grid *g, const double x[3], double slack,
                       int32_t blocks[SHERD_MPM_PARTS][3])
{
    int32_t low[3], high[3];
    int count = 0;
    for (int axis = 0; axis < 3; ++axis) {
        span s = span_of(g, x[axis], slack);
        low[axis] = block_of_node(s.first), high[axis] = block_of_node(s.last);
    }
    for (int32_t c = low[2]; c <= high[2]; ++c)
        for (int32_t b = low[1]; b <= high[1]; ++b)
            for (int32_t a = low[0]; a <= high[0] && count < SHERD_MPM_PARTS; ++a) {
                blocks[count][0] = a, blocks[count][1] = b, blocks[count++][2] = c;
            }
    return count;
}

static const double MAX_MOVED = 0.5; // [h]

int sherd_mpm_find_coupled_blocks(const sherd_mpm_grid *g, const double x[3],
                                  int32_t blocks[SHERD_MPM_PARTS][3])
{
    return list_blocks(g, x, MAX_MOVED, blocks);
}

bool sherd_mpm_is_coupled_sample_near(const sherd_mpm_grid *g, const double x[3], uint32_t body,
                                      bool soon)
{
    int32_t blocks[SHERD_MPM_PARTS][3];
    int count = list_blocks(g, x, soon ? MAX_MOVED : 0.0, blocks);
    for (int k = 0; k < count; ++k)
        if (sherd_mpm_find_layer(g, blocks[k], body) >= 0) return true;
    return false;
}

typedef struct placing {
    sherd_mpm_coupling *coupling;
    const sherd_mpm_grid *grid;
} placing;

static void place_range(void *context, size_t begin, size_t end)
{
    const placing *p = context;
    sherd_mpm_coupling *g = p->coupling;
    for (size_t k = begin; k < end; ++k) {
        int32_t blocks[SHERD_MPM_PARTS][3];
        const double x[3] = {g->x[0][k], g->x[1][k], g->x[2][k]};
        int count = list_blocks(p->grid, x, 0.0, blocks);
        for (int n = 0; n < SHERD_MPM_PARTS; ++n)
            g->layer[k][n] = n < count ? sherd_mpm_find_layer(p->grid, blocks[n], g->body[k]) : -1;
    }
}

// Lists the samples that reach each layer, in their order.
static bool list_reaching(sherd_mpm_coupling *g)
{
    for (size_t k = 0; k < g->count; ++k)
        for (int n = 0; n < SHERD_MPM_PARTS; ++n)
            if (g->layer[k][n] >= 0) ++g->first[g->layer[k][n] + 1];
    for (size_t k = 0; k < g->layers; ++k)
        g->first[k + 1] += g->first[k];
    g->reaching = sherd_alloc(g->first[g->layers], sizeof *g->reaching);
    if (g->reaching == NULL) return false;
    for (size_t k = 0; k < g->count; ++k)
        for (int n = 0; n < SHERD_MPM_PARTS; ++n)
            if (g->layer[k][n] >= 0) g->reaching[g->first[g->layer[k][n]]++] = (uint32_t)k;
    for (size_t k = g->layers; k > 0; --k) // each now points to its end
        g->first[k] = g->first[k - 1];
    g->first[0] = 0;
    for (size_t k = 0; k < g->layers; ++k) {
        SHERD_ASSERT(g->first[k] <= g->first[k + 1], "samples of layers follow each other");
        for (size_t at = g->first[k] + 1; at < g->first[k + 1]; ++at)
            SHERD_ASSERT(g->reaching[at - 1] < g->reaching[at], "samples of a layer ascend");
    }
    return true;
}

static bool locate_samples(sherd_mpm_coupling *g, const sherd_mpm_grid *grid,
                           const sherd_parallel *parallel)
{
    placing p = {g, grid};
    sherd_free(g->first), sherd_free(g->reaching);
    g->reaching = NULL, g->layers = grid->layer_count;
    g->first = sherd_alloc(g->layers + 1, sizeof *g->first);
    if (g->first == NULL) return false;
    sherd_parallel_for(parallel, g->count, SAMPLES_PER_CHUNK, place_range, &p);
    for (int axis = 0; axis < 3; ++axis)
        for (size_t k = 0; k < g->count; ++k)
            g->impulse[axis][k] = 0.0;
    return list_reaching(g);
}

// ---------------------------------------------------------------- weights

// Weights of a sample at its nodes, and one of its blocks.
typedef struct sample_nodes {
    const sherd_mpm_grid *grid;
    double x[3], w[3][REACH];
    int64_t first[3];
    int32_t block[3];
    size_t layer;
} sample_nodes;

// Consecutive nodes along x of a block, beginning with `node` (number `first` along x): their
// weights along x, and the weights of the row along y and z.
typedef struct node_row {
    size_t layer;
    int node, count;
    const double *w;
    double wy, wz;
    int64_t first;
    double arm_y, arm_z; // of the sample, from the nodes [m]
} node_row;

typedef void row_visitor(void *context, const sample_nodes *s, const node_row *row);

static inline void visit_block(const sample_nodes *s, row_visitor *visit, void *context)
{
    const sherd_mpm_grid *g = s->grid;
    int kernel = (int)g->kernel, from[3], to[3];
    for (int axis = 0; axis < 3; ++axis) {
        int64_t begin = SHERD_MPM_SIDE * (int64_t)s->block[axis] - 1 - s->first[axis];
        from[axis] = begin > 0 ? (int)begin : 0;
        to[axis] = (int)(begin + SHERD_MPM_SIDE < kernel ? begin + SHERD_MPM_SIDE : kernel);
    }
    const int last = SHERD_MPM_SIDE - 1;
    int64_t x = s->first[0] + from[0];
    for (int c = from[2]; c < to[2]; ++c)
        for (int b = from[1]; b < to[1]; ++b) {
            int64_t y = s->first[1] + b, z = s->first[2] + c;
            int node =
                ((int)((z + 1) & last) * SHERD_MPM_SIDE + (int)((y + 1) & last)) * SHERD_MPM_SIDE +
                (int)((x + 1) & last);
            node_row row = {.layer = s->layer,
                            .node = node,
                            .count = to[0] - from[0],
                            .w = &s->w[0][from[0]],
                            .wy = s->w[1][b],
                            .wz = s->w[2][c],
                            .first = x,
                            .arm_y = s->x[1] - g->h * (double)y,
                            .arm_z = s->x[2] - g->h * (double)z};
            visit(context, s, &row);
        }
}

static sample_nodes nodes_of(const sherd_mpm_coupling *coupling, const sherd_mpm_grid *g, size_t k)
{
    sample_nodes s = {.grid = g, .x = {coupling->x[0][k], coupling->x[1][k], coupling->x[2][k]}};
    for (int axis = 0; axis < 3; ++axis)
        s.first[axis] = sherd_mpm_axis_weights(g, s.x[axis], s.w[axis]);
    return s;
}

// Visits the sample's nodes in one layer.
static inline void visit_layer(sample_nodes *s, size_t layer, row_visitor *visit, void *context)
{
    s->layer = layer;
    for (int axis = 0; axis < 3; ++axis)
        s->block[axis] = s->grid->layers[layer].block[axis];
    visit_block(s, visit, context);
}

// Visits the sample's nodes in all layers that exist.
static inline void visit_nodes(const sherd_mpm_coupling *coupling, const sherd_mpm_grid *g,
                               size_t k, row_visitor *visit, void *context)
{
    sample_nodes s = nodes_of(coupling, g, k);
    for (int n = 0; n < SHERD_MPM_PARTS; ++n)
        if (coupling->layer[k][n] >= 0)
            visit_layer(&s, (size_t)coupling->layer[k][n], visit, context);
}

// ---------------------------------------------------------------- to the grid

typedef struct adding {
    sherd_mpm_grid *grid;
    double mass, volume, v[4]; // 1, velocity [m/s]
} adding;

static inline void add_load(void *context, const sample_nodes *s, const node_row *row)
{
    const adding *a = context;
    double(*to)[2][4] = &a->grid->loads[row->layer].node[row->node];
    (void)s;
    for (int i = 0; i < row->count; ++i) {
        double share = row->w[i] * row->wy * row->wz * a->mass;
        for (int k = 0; k < 4; ++k)
            to[i][0][k] += share * a->v[k];
    }
    a->grid->layers[row->layer].rows |= (uint16_t)(1u << row->node / SHERD_MPM_SIDE);
}

static inline void add_outline(void *context, const sample_nodes *s, const node_row *row)
{
    const adding *a = context;
    double(*to)[8] = &a->grid->moments[a->grid->layers[row->layer].moments].node[row->node];
    for (int i = 0; i < row->count; ++i) {
        double share = row->w[i] * row->wy * row->wz * a->volume;
        const double arm[4] = {1.0, s->x[0] - s->grid->h * (double)(row->first + i), row->arm_y,
                               row->arm_z};
        for (int k = 0; k < 4; ++k)
            to[i][k] += share * arm[k];
    }
}

typedef struct adding_all {
    const sherd_mpm_coupling *coupling;
    sherd_mpm_grid *grid;
} adding_all;

// Parallel over layers, which share no nodes. Each layer gets its samples in one order, so sums do
// not depend on the number of threads.
static inline void add_to_layers(const adding_all *all, size_t begin, size_t end,
                                 row_visitor *visit)
{
    const sherd_mpm_coupling *g = all->coupling;
    for (size_t layer = begin; layer < end; ++layer)
        for (size_t n = g->first[layer]; n < g->first[layer + 1]; ++n) {
            size_t k = g->reaching[n];
            adding a = {
                all->grid, g->mass[k], g->volume[k], {1.0, g->v[0][k], g->v[1][k], g->v[2][k]}};
            sample_nodes s = nodes_of(g, all->grid, k);
            visit_layer(&s, layer, visit, &a);
        }
}

static void add_loads(void *context, size_t begin, size_t end)
{
    add_to_layers(context, begin, end, add_load);
}

static void add_outlines(void *context, size_t begin, size_t end)
{
    add_to_layers(context, begin, end, add_outline);
}

static void scatter_samples(const sherd_mpm_coupling *coupling, sherd_mpm_grid *grid,
                            const sherd_parallel *parallel)
{
    adding_all all = {coupling, grid};
    sherd_parallel_for(parallel, coupling->layers, LAYERS_PER_CHUNK, add_loads, &all);
}

bool sherd_mpm_coupling_scatter(sherd_mpm_coupling *coupling, sherd_mpm_grid *grid,
                                const sherd_parallel *parallel)
{
    if (!locate_samples(coupling, grid, parallel)) return false;
    SHERD_ASSERT(sherd_all_positive(coupling->mass, coupling->count), "samples have mass");
    for (size_t k = 0; k < coupling->count; ++k)
        SHERD_ASSERT(coupling->body[k] >= grid->first_coupled, "samples are of coupled bodies");
    scatter_samples(coupling, grid, parallel);
    return true;
}

static void clear_layers(void *context, size_t begin, size_t end)
{
    const adding_all *all = context;
    for (size_t k = begin; k < end; ++k)
        if (sherd_mpm_is_coupled(all->grid, k))
            memset(&all->grid->loads[k], 0, sizeof all->grid->loads[k]);
}

void sherd_mpm_coupling_scatter_again(const sherd_mpm_coupling *coupling, sherd_mpm_grid *grid,
                                      const sherd_parallel *parallel)
{
    adding_all all = {coupling, grid};
    sherd_parallel_for(parallel, coupling->layers, LAYERS_PER_CHUNK, clear_layers, &all);
    scatter_samples(coupling, grid, parallel);
}

void sherd_mpm_coupling_add_moments(const sherd_mpm_coupling *coupling, sherd_mpm_grid *grid,
                                    const sherd_parallel *parallel)
{
    adding_all all = {coupling, grid};
    sherd_parallel_for(parallel, coupling->layers, LAYERS_PER_CHUNK, add_outlines, &all);
}

// ---------------------------------------------------------------- back

typedef struct gathering {
    sherd_mpm_coupling *coupling;
    sherd_mpm_grid *grid;
    double fall[4], change[4]; // the fourth components are 0
} gathering;

// Stores the velocity change of coupled nodes by contact in place of the impulse of stress. The
// velocity without contact is computed with the same operations as in mpm_node_update.h, so the
// change is exactly 0 where nothing touched.
static void find_changes(void *context, size_t begin, size_t end)
{
    const gathering *g = context;
    for (size_t layer = begin; layer < end; ++layer) {
        if (!sherd_mpm_is_coupled(g->grid, layer)) continue;
        for (int node = 0; node < SHERD_MPM_NODES; ++node) {
            double(*load)[4] = g->grid->loads[layer].node[node];
            const double *motion = g->grid->motion[layer].node[node][0];
            if (!(load[0][0] > 0.0)) continue;
            double inverse = 1.0 / load[0][0];
            for (int k = 0; k < 3; ++k)
                load[1][k] = motion[k] - (inverse * load[0][1 + k] + (inverse * 0.0 + g->fall[k]));
        }
    }
}

static inline void take_change(void *context, const sample_nodes *s, const node_row *row)
{
    gathering *g = context;
    const double(*from)[2][4] =
        (const double(*)[2][4]) & g->grid->loads[row->layer].node[row->node];
    (void)s;
    for (int i = 0; i < row->count; ++i) {
        double weight = row->w[i] * row->wy * row->wz;
        for (int k = 0; k < 4; ++k)
            g->change[k] += weight * from[i][1][k];
    }
}

static double gather_range(void *context, size_t begin, size_t end)
{
    gathering g = *(const gathering *)context;
    double most = 0.0;
    for (size_t k = begin; k < end; ++k) {
        memset(g.change, 0, sizeof g.change);
        visit_nodes(g.coupling, g.grid, k, take_change, &g);
        for (int axis = 0; axis < 3; ++axis) {
            double impulse = g.coupling->mass[k] * g.change[axis];
            g.coupling->impulse[axis][k] += impulse;
            most = fmax(most, fabs(impulse));
        }
    }
    return most;
}

double sherd_mpm_coupling_gather(sherd_mpm_coupling *coupling, sherd_mpm_grid *grid,
                                 const sherd_parallel *parallel, sherd_vec3 fall)
{
    gathering g = {coupling, grid, {fall.x, fall.y, fall.z, 0.0}, {0}};
    sherd_parallel_for(parallel, grid->layer_count, LAYERS_PER_CHUNK, find_changes, &g);
    return sherd_parallel_max(parallel, coupling->count, SAMPLES_PER_CHUNK, gather_range, &g);
}
