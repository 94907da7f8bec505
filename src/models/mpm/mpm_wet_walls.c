#include "models/mpm/mpm_wet_walls.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { REACHED = 64, SWEEPS = 4 };
// Deeper than that [h] in a wall, what goes on is turned round, by no more than a share of the depth in a step.
// Sand that is pushed sooner swells.
static const double OVERLAP = 0.05, OVERLAP_OF_SAND = 0.25, PARTING = 0.05;
// Impulses by N_i m / (m + m_0) with the nodes' own masses never add energy, and light nodes are not thrown.
static const double LIGHT =
    0.01; // of a full cell's mass: what nodes of less weigh at a seat falls with it

typedef struct share {
    double *motion; // of a node, two quads
    const double *load;
    double touched[3];      // what contact at the node, before, has changed of its velocity
    double weight, inverse; // N_i(q), divided by their sum; change of velocity per impulse
} share;

// A seat with the nodes that it moves.
typedef struct bench {
    sherd_mpm_seat *seat;
    sherd_mpm_losses *losses;
    int count;
    double give; // change of v(q) by a unit impulse [1/kg]
    double wall[3];
    double reach;
    share node[REACHED];
} bench;

void sherd_mpm_add_seat(sherd_mpm_seats *seats, const sherd_mpm_seat *seat)
{
    if (!sherd_grow((void **)&seats->list, &seats->capacity, seats->count + 1,
                    sizeof *seats->list)) {
        seats->failed = true;
        return;
    }
    seats->list[seats->count++] = *seat;
}

static double kernel_at(sherd_mpm_kernel kernel, double s)
{
    double u = fabs(s);
    if (kernel == SHERD_MPM_CUBIC) {
        if (u >= 2.0) return 0.0;
        return u < 1.0 ? 2.0 / 3.0 - u * u + 0.5 * u * u * u
                       : (2.0 - u) * (2.0 - u) * (2.0 - u) / 6.0;
    }
    if (u >= 1.5) return 0.0;
    return u < 0.5 ? 0.75 - u * u : 0.5 * (1.5 - u) * (1.5 - u);
}

static int floor_div(int a)
{
    return a >= 0 ? a / SHERD_MPM_SIDE : -((SHERD_MPM_SIDE - 1 - a) / SHERD_MPM_SIDE);
}

static void find_nodes(sherd_mpm_grid *g, const sherd_mpm_wet_def *def, bench *b)
{
    const sherd_mpm_seat *s = b->seat;
    const sherd_mpm_layer *at = &g->layers[s->layer];
    double h = g->h, w[3][4], sum = 0.0, least = LIGHT * def->solids[at->body].density * h * h * h;
    int first[3], blocks[3][4], within[3][4];
    for (int axis = 0; axis < 3; ++axis) {
        double place = s->x[axis] / h;
        first[axis] = (int)(g->kernel == SHERD_MPM_CUBIC ? floor(place) : floor(place + 0.5)) - 1;
        for (int k = 0; k < 4; ++k) {
            int node = first[axis] + k;
            w[axis][k] = kernel_at(g->kernel, place - node);
            blocks[axis][k] = floor_div(node + 1);
            within[axis][k] = node + 1 - SHERD_MPM_SIDE * blocks[axis][k];
        }
    }
    int32_t known[3] = {INT32_MAX, 0, 0}, layer = -1;
    b->count = 0, b->give = 0.0;
    for (int z = 0; z < 4; ++z)
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 4; ++x) {
                double weight = w[0][x] * w[1][y] * w[2][z];
                const int32_t block[3] = {blocks[0][x], blocks[1][y], blocks[2][z]};
                if (!(weight > 0.0)) continue;
                if (memcmp(block, known, sizeof known) != 0) {
                    layer = sherd_mpm_find_layer(g, block, at->body);
                    memcpy(known, block, sizeof known);
                }
                if (layer < 0) continue;
                int node = (within[2][z] * 4 + within[1][y]) * 4 + within[0][x];
                if ((g->layers[layer].rows >> node / 4 & 1) == 0) continue;
                double *motion = g->motion[layer].node[node][0];
                if (!(motion[3] > 0.0)) continue;
                weight *= motion[3] / (motion[3] + least);
                g->layers[layer].moved = true;
                motion[7] = SHERD_MPM_BOUND;
                const double *load = g->loads[layer].node[node][0];
                share *n = &b->node[b->count++];
                *n = (share){motion, load, {0.0}, weight, 1.0 / motion[3]};
                for (int i = 0; i < 3; ++i)
                    n->touched[i] =
                        motion[i] - ((load[1 + i] + load[4 + i]) / load[0] + def->fall[i]);
                sum += weight;
            }
    for (int k = 0; k < b->count; ++k) {
        b->node[k].weight /= sum;
        b->give += b->node[k].weight * b->node[k].weight * b->node[k].inverse;
    }
}

static void velocity_at(const bench *b, double v[3])
{
    for (int i = 0; i < 3; ++i)
        v[i] = -b->wall[i];
    for (int k = 0; k < b->count; ++k)
        for (int i = 0; i < 3; ++i)
            v[i] += b->node[k].weight * b->node[k].motion[i];
}

static void begin(sherd_mpm_grid *g, const sherd_mpm_wet_def *def, bench *b)
{
    sherd_mpm_seat *s = b->seat;
    const sherd_mpm_wall *wall = &def->walls->list[s->wall];
    find_nodes(g, def, b);
    wall->velocity(wall->context, s->x, b->wall);
    bool sand = def->solids[g->layers[s->layer].body].kind == SHERD_SOLID_SAND;
    double v[3], speed = 0.0, overlap = (sand ? OVERLAP_OF_SAND : OVERLAP) * g->h;
    velocity_at(b, v);
    for (int i = 0; i < 3; ++i)
        speed -= v[i] * s->normal[i];
    b->reach = fmax(0.0, s->gap) / def->dt;
    if (s->gap < -overlap && speed > 0.0)
        b->reach = -fmin(speed, PARTING * (-s->gap - overlap) / def->dt);
}

static void push(bench *b)
{
    sherd_mpm_seat *s = b->seat;
    double v[3], speed = 0.0, along = 0.0;
    if (b->count == 0) return;
    velocity_at(b, v);
    for (int i = 0; i < 3; ++i)
        speed += v[i] * s->normal[i], along += s->impulse[i] * s->normal[i];
    double to = fmax(along - (speed + b->reach) / b->give, 0.0), across[3], squares = 0.0;
    for (int i = 0; i < 3; ++i) {
        across[i] = s->impulse[i] - along * s->normal[i];
        if (s->friction > 0.0) across[i] -= (v[i] - speed * s->normal[i]) / b->give;
        squares += across[i] * across[i];
    }
    double most = s->friction * to, shrink = squares > most * most ? most / sqrt(squares) : 1.0;
    if (!(s->friction > 0.0)) shrink = 0.0;
    for (int i = 0; i < 3; ++i) {
        double impulse = to * s->normal[i] + shrink * across[i], change = impulse - s->impulse[i];
        s->impulse[i] = impulse;
        for (int k = 0; k < b->count; ++k) {
            double given = b->node[k].weight * b->node[k].inverse * change;
            b->node[k].motion[i] += given, b->node[k].motion[4 + i] += given;
        }
    }
}

// Impulses as nodes got them, times the mean of velocities at both ends of the step. Contact at the node was booked as if the
// step ended with it: its impulse's work on what seats change is added.
static void book(const sherd_mpm_wet_def *def, const bench *b)
{
    const sherd_mpm_seat *s = b->seat;
    double along = 0.0;
    for (int i = 0; i < 3; ++i)
        along += s->impulse[i] * s->normal[i];
    if (!(along > 0.0)) return;
    sherd_mpm_reaction *r = &def->walls->reaction[s->wall];
    for (int k = 0; k < b->count; ++k) {
        const share *n = &b->node[k];
        double portion = n->weight * n->inverse * n->motion[3], J[3];
        for (int i = 0; i < 3; ++i) {
            double before = n->load[1 + i] / n->load[0],
                   mean = 0.5 * (before + n->touched[i] + n->motion[i]) - b->wall[i];
            J[i] = portion * s->impulse[i];
            double normal = portion * along * s->normal[i];
            b->losses->contact -= normal * mean, b->losses->friction -= (J[i] - normal) * mean;
            r->impulse[i] -= J[i];
            b->losses->work += J[i] * b->wall[i];
        }
        for (int i = 0; i < 3; ++i) {
            int next = (i + 1) % 3, last = (i + 2) % 3;
            r->moment[i] -= s->x[next] * J[last] - s->x[last] * J[next];
        }
    }
}

bool sherd_mpm_wet_walls(sherd_mpm_grid *g, sherd_mpm_seats *seats, const sherd_parallel *parallel,
                         const sherd_mpm_wet_def *def)
{
    (void)parallel;
    size_t count = 0;
    bool failed = false;
    for (size_t k = 0; k < g->shared_count; ++k)
        count += seats[k].count, failed = failed || seats[k].failed;
    bench *benches = failed ? NULL : sherd_alloc(count, sizeof *benches);
    count = 0;
    for (size_t k = 0; k < g->shared_count && benches; ++k)
        for (size_t n = 0; n < seats[k].count; ++n) {
            bench *b = &benches[count++];
            b->seat = &seats[k].list[n], b->losses = def->losses;
            begin(g, def, b);
        }
    for (int sweep = 0; sweep < SWEEPS && benches; ++sweep)
        for (size_t k = 0; k < count; ++k)
            push(&benches[sweep % 2 ? count - 1 - k : k]);
    for (size_t k = 0; k < count && benches; ++k)
        book(def, &benches[k]);
    for (size_t k = 0; k < g->shared_count; ++k)
        sherd_free(seats[k].list);
    sherd_free(benches);
    return benches != NULL;
}
