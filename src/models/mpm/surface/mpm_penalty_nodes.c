#include "models/mpm/surface/mpm_penalty_nodes.h"

#include "models/mpm/glue/mpm_node_groups.h"
#include "models/mpm/grid/mpm_axes.h"

enum { AXES = 3 };

// Position at which the normal force acts on a side's body, at its depth below the face.
static void place_inside(const sherd_mpm_contact_point *contact, int side, double from[AXES])
{
    double sign = side == 0 ? 1.0 : -1.0;
    for (int k = 0; k < AXES; ++k)
        from[k] = contact->side[side].to[k] + sign * contact->side[side].depth * contact->normal[k];
}

// Weights of a point's nodes along the axes, and the position of the first one.
typedef struct stencil {
    int nodes, first[AXES];                      // first node, in the page's tile
    double w[AXES][SHERD_MPM_REACH], from[AXES]; // from: from the point to the first node [m]
    double h, slope;                             // slope: q [1/m^2]
    const sherd_mpm_page *page;
} stencil;

static stencil stencil_of(const sherd_mpm_penalty_def *def, const sherd_mpm_contact_side *side)
{
    const sherd_mpm_grid *g = def->grid;
    stencil s = {.nodes = (int)g->kernel, .h = g->h, .page = &g->pages[side->page]};
    s.slope = (g->kernel == SHERD_MPM_CUBIC ? 3.0 : 4.0) / (g->h * g->h);
    for (int k = 0; k < AXES; ++k) {
        double x = def->points->x[k][side->place];
        int64_t first = sherd_mpm_axis_weights(g, x, s.w[k]);
        s.first[k] = (int)(first + 1 - SHERD_MPM_SIDE * (int64_t)s.page->block[k]);
        s.from[k] = g->h * (double)first - x;
    }
    return s;
}

static int node_at(const stencil *s, int x, int y, int z, int32_t *layer)
{
    int tx = s->first[0] + x, ty = s->first[1] + y, tz = s->first[2] + z;
    *layer = s->page->layer[(tx >> 2) | (ty >> 2) << 1 | (tz >> 2) << 2];
    return ((tz & 3) * SHERD_MPM_SIDE + (ty & 3)) * SHERD_MPM_SIDE + (tx & 3);
}

// Whether a node had mass in the last step (kernels/mpm_node_velocities.c).
static bool was_there(const double load[2][4], const double motion[2][4])
{
    static const double MIN_KEPT = 0.1;
    return motion[0][3] >= MIN_KEPT * load[0][0];
}

// Nodal velocity: now, or as points brought it.
static double change_of(const double load[2][4], const double motion[2][4], int k)
{
    return was_there(load, motion) ? motion[0][k] - load[0][1 + k] / load[0][0] : 0.0;
}

// Adds sum w (F + q M r), r from the point to the nodes. TO_NOTHING: returns the work along the
// difference between nodal velocities and those that points brought.
static double push(const sherd_mpm_penalty_def *def, const sherd_mpm_contact_side *side,
                   const double f[AXES], double m[AXES][AXES], sherd_mpm_receiver to)
{
    stencil s = stencil_of(def, side);
    double along = 0.0;
    for (int z = 0; z < s.nodes; ++z)
        for (int y = 0; y < s.nodes; ++y) {
            double wyz = s.w[1][y] * s.w[2][z], row[AXES];
            double ry = s.from[1] + s.h * y, rz = s.from[2] + s.h * z;
            for (int k = 0; k < AXES; ++k)
                row[k] = f[k] + s.slope * (m[k][1] * ry + m[k][2] * rz);
            for (int x = 0; x < s.nodes; ++x) {
                int32_t layer;
                int node = node_at(&s, x, y, z, &layer);
                double w = wyz * s.w[0][x], rx = s.slope * (s.from[0] + s.h * x);
                double(*load)[4] = def->grid->loads[layer].node[node];
                double(*motion)[4] = def->grid->motion[layer].node[node];
                for (int k = 0; k < AXES && load[0][0] > 0.0; ++k) {
                    double impulse = w * (row[k] + m[k][0] * rx), change = impulse / load[0][0];
                    if (to != SHERD_TO_NOTHING) load[1][k] += impulse;
                    if (to == SHERD_TO_MOTION) motion[0][k] += change, motion[1][k] += change;
                    if (to == SHERD_TO_NOTHING) along += impulse * change_of(load, motion, k);
                }
                if (to == SHERD_TO_MOTION) def->grid->layers[layer].moved = true;
            }
        }
    return along;
}

// A linear field.
typedef struct flow {
    double v[AXES], l[AXES][AXES]; // [m/s], [1/s]
} flow;

static flow flow_at(const sherd_mpm_penalty_def *def, const sherd_mpm_contact_side *side,
                    sherd_mpm_moment when)
{
    stencil s = stencil_of(def, side);
    flow out = {{0.0}, {{0.0}}};
    for (int z = 0; z < s.nodes; ++z)
        for (int y = 0; y < s.nodes; ++y) {
            double row[AXES] = {0.0}, first[AXES] = {0.0}, wyz = s.w[1][y] * s.w[2][z];
            for (int x = 0; x < s.nodes; ++x) {
                int32_t layer;
                int node = node_at(&s, x, y, z, &layer);
                const double(*load)[4] = def->grid->loads[layer].node[node];
                double rx = s.from[0] + s.h * x, v[AXES];
                for (int k = 0; k < AXES; ++k)
                    v[k] = def->grid->motion[layer].node[node][0][k];
                if (when == SHERD_BEFORE && !was_there(load, def->grid->motion[layer].node[node]))
                    for (int k = 0; k < AXES; ++k)
                        v[k] = load[0][0] > 0.0 ? load[0][1 + k] / load[0][0] : 0.0;
                for (int k = 0; k < AXES; ++k)
                    row[k] += s.w[0][x] * v[k], first[k] += s.w[0][x] * rx * v[k];
            }
            for (int k = 0; k < AXES; ++k) {
                out.v[k] += wyz * row[k];
                out.l[k][0] += wyz * first[k];
                out.l[k][1] += wyz * (s.from[1] + s.h * y) * row[k];
                out.l[k][2] += wyz * (s.from[2] + s.h * z) * row[k];
            }
        }
    for (int k = 0; k < AXES; ++k)
        for (int i = 0; i < AXES; ++i)
            out.l[k][i] *= s.slope;
    return out;
}

static void velocity_at(const flow *of, const double to[AXES], double v[AXES])
{
    for (int k = 0; k < AXES; ++k)
        v[k] = of->v[k] + sherd_axes_dot(of->l[k], to);
}

void sherd_mpm_penalty_velocities(const sherd_mpm_penalty_def *def,
                                  const sherd_mpm_contact_point *contact, int side,
                                  sherd_mpm_moment when, double inside[AXES], double along[AXES])
{
    flow f = flow_at(def, &contact->side[side], when);
    double deep[AXES];
    place_inside(contact, side, deep);
    velocity_at(&f, deep, inside), velocity_at(&f, contact->side[side].to, along);
}

double sherd_mpm_penalty_advected_work(const sherd_mpm_penalty_def *def,
                                       const sherd_mpm_contact_point *contact, int side,
                                       const double impulse[AXES])
{
    flow sample = flow_at(def, &contact->side[0], SHERD_BEFORE),
         own = side == 0 ? sample : flow_at(def, &contact->side[side], SHERD_BEFORE);
    double place[AXES], sum = 0.0, sign = side == 0 ? 1.0 : -1.0;
    velocity_at(&sample, contact->side[0].to, place);
    for (int k = 0; k < AXES; ++k)
        sum += impulse[k] * sherd_axes_dot(own.l[k], place);
    return -sign * def->dt * sum;
}

double sherd_mpm_penalty_apply_impulse(const sherd_mpm_penalty_def *def,
                                       const sherd_mpm_contact_point *contact, int side,
                                       const double impulse[AXES], sherd_mpm_receiver to)
{
    double inside[AXES], f[AXES], m[AXES][AXES], sign = side == 0 ? 1.0 : -1.0,
                                                 press = sherd_axes_dot(impulse, contact->normal);
    place_inside(contact, side, inside);
    for (int k = 0; k < AXES; ++k) {
        double pressed = sign * press * contact->normal[k], dragged = sign * impulse[k] - pressed;
        f[k] = pressed + dragged;
        for (int i = 0; i < AXES; ++i)
            m[k][i] = pressed * inside[i] + dragged * contact->side[side].to[i];
    }
    return push(def, &contact->side[side], f, m, to);
}

// Gives pieces that glue joins at a node one velocity again after one of them has been pushed.
// Returns the energy lost (kernels/mpm_glue_nodes.c) [J].
static double join_node(const sherd_mpm_penalty_def *def, size_t layer, int node)
{
    sherd_mpm_grid *g = def->grid;
    size_t block = sherd_mpm_find_shared_block(g, layer);
    double lost = 0.0;
    sherd_mpm_node_groups m;
    if (block == g->shared_count || g->shared[block].begin > layer ||
        def->glue->of_block[block] == def->glue->of_block[block + 1] ||
        !sherd_mpm_find_groups(g, def->glue, block, node, 2, &m))
        return 0.0;
    for (int n = 0; n < m.layers; ++n) {
        if (m.group_of[n] < 0) continue;
        const double *common = m.group[m.group_of[n]].motion[0];
        const double(*load)[4] = g->loads[m.layer[n]].node[node];
        const double *motion = g->motion[m.layer[n]].node[node][0];
        for (int k = 0; k < AXES; ++k)
            lost += 0.5 * (motion[k] - common[k]) * (load[0][1 + k] + load[0][0] * common[k]);
    }
    for (int k = 0; k < m.groups; ++k)
        if (m.group[k].members > 1)
            sherd_mpm_set_group_velocity(g, &m, node, k, m.group[k].motion[0]);
    return lost;
}

double sherd_mpm_penalty_join(const sherd_mpm_penalty_def *def, const sherd_mpm_contact_side *side)
{
    stencil s = stencil_of(def, side);
    double lost = 0.0;
    for (int z = 0; z < s.nodes; ++z)
        for (int y = 0; y < s.nodes; ++y)
            for (int x = 0; x < s.nodes; ++x) {
                int32_t layer;
                int node = node_at(&s, x, y, z, &layer);
                lost += join_node(def, (size_t)layer, node);
            }
    return lost;
}
