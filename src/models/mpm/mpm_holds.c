#include "models/mpm/mpm_holds.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "models/mpm/mpm_weigh.h"

#include <math.h>
#include <string.h>

static const double LEAST_SHARE = 0.02; // of a node's mass: below, it is not held

// Mass of points that are held, and their prescribed momentum.
typedef struct held_node {
    double mass;
    double momentum[3];
} held_node;

typedef struct held_layer {
    held_node node[SHERD_MPM_NODES];
} held_layer;

typedef struct work {
    sherd_mpm *m;
    held_layer *layers;   // (layer_count)
    uint8_t *touched;     // by layer
    const sherd_vec3 **v; // by place of a point: its prescribed velocity; NULL: it is not held
} work;

// Block B begins at node 4 B - 1. NULL: beyond the page's tile, where rounding places a weight of nothing.
static held_node *node_at(const work *k, const sherd_mpm_page *page, const int64_t node[3])
{
    int part = 0, local = 0;
    for (int axis = 2; axis >= 0; --axis) {
        int64_t from = node[axis] + 1 - SHERD_MPM_SIDE * (int64_t)page->block[axis];
        if (from < 0 || from >= SHERD_MPM_TILE) return NULL;
        part |= (int)(from / SHERD_MPM_SIDE) << axis;
        local = local * SHERD_MPM_SIDE + (int)(from % SHERD_MPM_SIDE);
    }
    int32_t layer = page->layer[part];
    k->touched[layer] = 1;
    return &k->layers[layer].node[local];
}

static void add_point(const work *k, const sherd_mpm_page *page, size_t at)
{
    const sherd_mpm_points *p = &k->m->points;
    double w[3][SHERD_MPM_REACH], mass = k->m->solids[p->body[at]].density * p->volume[at];
    int64_t first[3];
    int nodes = (int)k->m->grid.kernel;
    for (int axis = 0; axis < 3; ++axis)
        first[axis] = sherd_mpm_weigh(&k->m->grid, p->x[axis][at], w[axis]);
    const double v[3] = {k->v[at]->x, k->v[at]->y, k->v[at]->z};
    for (int n = 0; n < nodes * nodes * nodes; ++n) {
        int x = n % nodes, y = n / nodes % nodes, z = n / nodes / nodes;
        const int64_t node[3] = {first[0] + x, first[1] + y, first[2] + z};
        held_node *to = node_at(k, page, node);
        if (to == NULL) continue;
        double share = mass * w[0][x] * w[1][y] * w[2][z];
        to->mass += share;
        for (int i = 0; i < 3; ++i)
            to->momentum[i] += share * v[i];
    }
}

static void add_points(const work *k)
{
    for (size_t n = 0; n < k->m->grid.page_count; ++n) {
        const sherd_mpm_page *page = &k->m->grid.pages[n];
        for (size_t at = page->begin; at < page->end; ++at)
            if (k->v[at] != NULL) add_point(k, page, at);
    }
}

static sherd_vec3 place_of(const sherd_mpm_grid *g, const sherd_mpm_layer *layer, int node)
{
    const int at[3] = {node % SHERD_MPM_SIDE, node / SHERD_MPM_SIDE % SHERD_MPM_SIDE,
                       node / SHERD_MPM_SIDE / SHERD_MPM_SIDE};
    double x[3];
    for (int axis = 0; axis < 3; ++axis)
        x[axis] = g->h * (double)(SHERD_MPM_SIDE * layer->block[axis] - 1 + at[axis]);
    return vec3(x[0], x[1], x[2]);
}

// Of a node within the step. With APIC its momentum has the impulse of stress in it, so that its velocity before is not
// known: what is held moves steadily.
static double mean_velocity(const work *k, const double *load, double (*motion)[4], int axis)
{
    double after = motion[0][axis];
    return k->m->def.affine ? after : 0.5 * (load[1 + axis] / load[0] + after);
}

static void hold_node(const work *k, sherd_mpm_hold *hold, size_t layer, int node)
{
    sherd_mpm_grid *g = &k->m->grid;
    const held_node *held = &k->layers[layer].node[node];
    const double *load = g->loads[layer].node[node][0];
    double(*motion)[4] = g->motion[layer].node[node];
    if (!(held->mass > LEAST_SHARE * load[0])) return;
    double impulse[3] = {0};
    for (int i = 0; i < 3; ++i) {
        if (!hold->axes[i]) continue;
        double change = held->momentum[i] / held->mass - motion[0][i];
        motion[0][i] += change, motion[1][i] += change;
        impulse[i] = load[0] * change;
        hold->work += impulse[i] * mean_velocity(k, load, motion, i);
    }
    sherd_vec3 given = vec3(impulse[0], impulse[1], impulse[2]);
    hold->impulse = vec3_add(hold->impulse, given);
    hold->moment = vec3_add(hold->moment, vec3_cross(place_of(g, &g->layers[layer], node), given));
}

static void apply(work *k, sherd_mpm_hold *hold)
{
    size_t layers = k->m->grid.layer_count;
    memset(k->v, 0, k->m->points.count * sizeof *k->v);
    for (size_t n = 0; n < hold->count; ++n)
        k->v[hold->at[n]] = &hold->velocity[n];
    add_points(k);
    for (size_t layer = 0; layer < layers; ++layer) {
        if (!k->touched[layer]) continue;
        for (int node = 0; node < SHERD_MPM_NODES; ++node)
            hold_node(k, hold, layer, node);
        memset(&k->layers[layer], 0, sizeof k->layers[layer]);
        k->touched[layer] = 0;
    }
}

sherd_status sherd_mpm_apply_holds(sherd_mpm *m, sherd_mpm_hold *holds, int count,
                                   sherd_error *error)
{
    if (count == 0) return SHERD_OK;
    work k = {m, sherd_alloc(m->grid.layer_count, sizeof *k.layers),
              sherd_alloc(m->grid.layer_count, 1), sherd_alloc(m->points.count, sizeof *k.v)};
    bool ok = k.layers != NULL && k.touched != NULL && k.v != NULL;
    for (int n = 0; n < count && ok; ++n) {
        holds[n].impulse = holds[n].moment = vec3(0.0, 0.0, 0.0);
        holds[n].work = 0.0;
        apply(&k, &holds[n]);
    }
    sherd_free(k.layers), sherd_free(k.touched), sherd_free(k.v);
    return ok ? SHERD_OK : sherd_fail_memory(error, "drivers of material points");
}
