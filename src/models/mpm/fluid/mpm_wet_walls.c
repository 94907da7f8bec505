#include "models/mpm/fluid/mpm_wet_walls.h"

#include "base/memory.h"
#include "models/mpm/mpm_surface.h"

#include <math.h>
#include <string.h>

enum { REACH = 4, REACHED = REACH * REACH * REACH, SEATS_PER_CHUNK = 16 };

// A surface that is deeper in a wall than that [h] and goes on is turned round: it leaves as fast as it came, by no more than
// a share of the depth in a step.
static const double OVERLAP = 0.05, OVERLAP_OF_SAND = 0.25,
                    PARTING = 0.05; // sand swells if it is pushed sooner
// Below this mass, of a full cell's, a node's velocity loses its meaning (kernels/mpm_motion.c).
static const double LEAST_MASS = 1e-9;
// Of sand nodes have the weight N m / (m + LIGHT), LIGHT of a full cell's mass: grains alone at a node are not thrown.
static const double LIGHT = 0.01;
// Sweeps over all seats, until one changes no velocity by more than a share of what the first one did. Seats share nodes,
// most of all those that lie beside each other, so that the largest differences between them go last; with LAST
// pressure is the same to 0.1 %.
// Of sand four: with more of them beds swell, and lift a ball that rests on one by 0.1 h in 0.3 s.
enum { MOST_SWEEPS = 24, SWEEPS_OF_SAND = 4 };
static const double LAST = 0.02;

// A node that a seat moves.
typedef struct share {
    double (*motion)[4];
    const double *load;
    int32_t layer;
    double touched[3]; // what contact at the node has changed of its velocity before [m/s]
    double weight,
        give; // N_i(q), divided by their sum; change of velocity by a unit impulse at q [1/kg]
} share;

// A seat with its nodes.
typedef struct place {
    sherd_mpm_seat *seat;
    int count, sweeps; // nodes; sweeps that it takes part in, at most
    double give;       // change of v(q) by a unit impulse [1/kg]
    double wall[3];    // its velocity [m/s]
    double reach;      // speed at which the fluid may approach [m/s]
    share node[REACHED];
} place;

typedef struct job {
    sherd_mpm_grid *grid;
    const sherd_mpm_wet_def *def;
    place *places;
    size_t count;
} job;

void sherd_mpm_add_seat(sherd_mpm_seats *seats, const sherd_mpm_seat *seat)
{
    size_t needed = seats->count + 1;
    if (sherd_grow((void **)&seats->list, &seats->capacity, needed, sizeof *seats->list))
        seats->list[seats->count++] = *seat;
    else
        seats->failed = true;
}

// ---------------------------------------------------------------- nodes

// Nodes that reach a place along an axis: which blocks they are in, which of the block's they are, and N there.
typedef struct axis_nodes {
    int block[REACH], within[REACH];
    double weight[REACH];
} axis_nodes;

static axis_nodes nodes_along(const sherd_mpm_grid *g, double x)
{
    axis_nodes out;
    double at = x / g->h;
    int first = (int)floor(g->kernel == SHERD_MPM_CUBIC ? at : at + 0.5) - 1;
    for (int k = 0; k < REACH; ++k) {
        int node = first + k;
        out.block[k] = (int)floor((double)(node + 1) / SHERD_MPM_SIDE);
        out.within[k] = node + 1 - SHERD_MPM_SIDE * out.block[k];
        out.weight[k] = sherd_mpm_kernel_at(g->kernel, at - node);
    }
    return out;
}

static void add_node(const job *j, int32_t layer, int node, double weight, place *p)
{
    const sherd_mpm_grid *g = j->grid;
    const sherd_mpm_layer *l = &g->layers[layer];
    double(*motion)[4] = g->motion[layer].node[node], h = g->h;
    const sherd_solid *s = &j->def->solids[l->body];
    double full = s->density * h * h * h, mass = motion[0][3];
    if ((l->rows >> node / SHERD_MPM_SIDE & 1) == 0 || !(mass > LEAST_MASS * full)) return;
    const double(*load)[4] = g->loads[layer].node[node];
    if (s->kind == SHERD_SOLID_SAND) weight *= mass / (mass + LIGHT * full);
    share *n = &p->node[p->count++];
    *n = (share){motion, load[0], layer, {0.0}, weight, 1.0 / mass};
    for (int i = 0; i < 3; ++i)
        n->touched[i] =
            motion[0][i] - ((load[0][1 + i] + load[1][i]) / load[0][0] + j->def->fall[i]);
}

static void find_nodes(const job *j, place *p)
{
    const sherd_mpm_grid *g = j->grid;
    axis_nodes along[3];
    int32_t last[3] = {INT32_MAX, 0, 0}, layer = -1;
    for (int axis = 0; axis < 3; ++axis)
        along[axis] = nodes_along(g, p->seat->x[axis]);
    for (int n = 0; n < REACHED; ++n) {
        const int at[3] = {n % REACH, n / REACH % REACH, n / REACH / REACH};
        int32_t block[3];
        double weight = 1.0;
        for (int axis = 0; axis < 3; ++axis)
            block[axis] = along[axis].block[at[axis]], weight *= along[axis].weight[at[axis]];
        if (!(weight > 0.0)) continue;
        if (memcmp(block, last, sizeof last) != 0)
            layer = sherd_mpm_find_layer(g, block, g->layers[p->seat->layer].body);
        memcpy(last, block, sizeof last);
        int node =
            (along[2].within[at[2]] * SHERD_MPM_SIDE + along[1].within[at[1]]) * SHERD_MPM_SIDE +
            along[0].within[at[0]];
        if (layer >= 0) add_node(j, layer, node, weight, p);
    }
}

static void weigh_nodes(place *p)
{
    double sum = 0.0;
    for (int k = 0; k < p->count; ++k)
        sum += p->node[k].weight;
    p->give = 0.0;
    for (int k = 0; k < p->count; ++k) {
        share *n = &p->node[k];
        n->weight /= sum, n->give *= n->weight;
        p->give += n->weight * n->give;
    }
}

// Against the wall.
static void velocity_at(const place *p, double v[3])
{
    double sum[4] = {0.0}; // the last one of no use
    for (int k = 0; k < p->count; ++k)
        for (int i = 0; i < 4; ++i)
            sum[i] += p->node[k].weight * p->node[k].motion[0][i];
    for (int i = 0; i < 3; ++i)
        v[i] = sum[i] - p->wall[i];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void begin_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k) {
        place *p = &j->places[k];
        const sherd_mpm_seat *s = p->seat;
        const sherd_mpm_wall *wall = &j->def->walls->list[s->wall];
        const sherd_solid *solid = &j->def->solids[j->grid->layers[s->layer].body];
        double v[3], overlap = OVERLAP * j->grid->h;
        bool sand = solid->kind == SHERD_SOLID_SAND;
        if (sand) overlap = OVERLAP_OF_SAND * j->grid->h;
        p->sweeps = sand ? SWEEPS_OF_SAND : MOST_SWEEPS;
        wall->velocity(wall->context, s->x, p->wall);
        find_nodes(j, p);
        weigh_nodes(p);
        velocity_at(p, v);
        double speed = -dot(v, s->normal);
        p->reach = fmax(0.0, s->gap) / j->def->dt;
        if (s->gap < -overlap && speed > 0.0)
            p->reach = -fmin(speed, PARTING * (-s->gap - overlap) / j->def->dt);
    }
}

// What several threads may not set at once.
static void note_nodes(const job *j)
{
    for (size_t k = 0; k < j->count; ++k)
        for (int n = 0; n < j->places[k].count; ++n) {
            const share *at = &j->places[k].node[n];
            j->grid->layers[at->layer].moved = true;
            at->motion[1][3] = SHERD_MPM_BOUND;
        }
}

// ---------------------------------------------------------------- impulses

// The impulse that a seat wants in all, of Coulomb's cone, with nodes as they are; sets v(q).
static void find_impulse(const place *p, double v[3], double impulse[3])
{
    const sherd_mpm_seat *s = p->seat;
    double across[3], squares = 0.0;
    velocity_at(p, v);
    double speed = dot(v, s->normal), before = dot(s->impulse, s->normal);
    double along = fmax(before - (speed + p->reach) / p->give, 0.0);
    for (int i = 0; i < 3; ++i) {
        across[i] = s->impulse[i] - before * s->normal[i];
        across[i] -= (v[i] - speed * s->normal[i]) / p->give;
        squares += across[i] * across[i];
    }
    double most = s->friction * along, shrink = squares > most * most ? most / sqrt(squares) : 1.0;
    for (int i = 0; i < 3; ++i)
        impulse[i] = along * s->normal[i] + (s->friction > 0.0 ? shrink * across[i] : 0.0);
}

// Of nodes' velocities; what these have beyond those before follows at the end. Returns by how much it changes v(q) [m/s].
static double push(place *p)
{
    double v[3], impulse[3], change[4] = {0.0};
    if (p->count == 0) return 0.0;
    find_impulse(p, v, impulse);
    for (int i = 0; i < 3; ++i) {
        change[i] = impulse[i] - p->seat->impulse[i];
        p->seat->impulse[i] = impulse[i];
    }
    double square = dot(change, change);
    if (!(square > 0.0)) return 0.0;
    for (int k = 0; k < p->count; ++k)
        for (int i = 0; i < 4; ++i) // masses stay
            p->node[k].motion[0][i] += p->node[k].give * change[i];
    return p->give * sqrt(square);
}

static void sweep_seats(const job *j)
{
    double first = 0.0;
    for (int sweep = 0; sweep < MOST_SWEEPS; ++sweep) {
        double most = 0.0;
        for (size_t k = 0; k < j->count; ++k) {
            place *p = &j->places[sweep % 2 == 0 ? k : j->count - 1 - k];
            if (sweep < p->sweeps) most = fmax(most, push(p));
        }
        if (sweep == 0) first = most;
        if (!(most > LAST * first)) return;
    }
}

static void change_flip(const place *p)
{
    for (int k = 0; k < p->count; ++k)
        for (int i = 0; i < 3; ++i)
            p->node[k].motion[1][i] += p->node[k].give * p->seat->impulse[i];
}

// ---------------------------------------------------------------- accounts

// As contact at nodes is booked (mpm_wall_contact.h): with the mean of the velocities that the step began with and ends with.
// What contact at the node did before was booked as if the step ended with it: its work on what seats change is added.
static void book(const job *j, const place *p)
{
    const sherd_mpm_seat *s = p->seat;
    sherd_mpm_losses *losses = j->def->losses;
    sherd_mpm_reaction *r = &j->def->walls->reaction[s->wall];
    double mean[3] = {0.0}, along = dot(s->impulse, s->normal), against;
    for (int k = 0; k < p->count; ++k) {
        const share *n = &p->node[k];
        for (int i = 0; i < 3; ++i)
            mean[i] +=
                0.5 * n->weight * (n->load[1 + i] / n->load[0] + n->touched[i] + n->motion[0][i]);
    }
    losses->work += dot(s->impulse, p->wall);
    for (int i = 0; i < 3; ++i)
        mean[i] -= p->wall[i];
    against = -along * dot(mean, s->normal);
    losses->contact += against, losses->friction -= dot(s->impulse, mean) + against;
    for (int i = 0; i < 3; ++i) {
        int next = (i + 1) % 3, last = (i + 2) % 3;
        r->impulse[i] -= s->impulse[i];
        r->moment[i] -= s->x[next] * s->impulse[last] - s->x[last] * s->impulse[next];
    }
}

static bool list_places(job *j, sherd_mpm_seats *seats)
{
    size_t blocks = j->grid->shared_count;
    bool failed = false;
    for (size_t k = 0; k < blocks; ++k)
        j->count += seats[k].count, failed = failed || seats[k].failed;
    j->places = failed ? NULL : sherd_alloc(j->count, sizeof *j->places);
    if (j->places == NULL) return false;
    for (size_t k = 0, at = 0; k < blocks; ++k)
        for (size_t n = 0; n < seats[k].count; ++n)
            j->places[at++].seat = &seats[k].list[n];
    return true;
}

bool sherd_mpm_wet_walls(sherd_mpm_grid *grid, sherd_mpm_seats *seats,
                         const sherd_parallel *parallel, const sherd_mpm_wet_def *def)
{
    job j = {grid, def, NULL, 0};
    if (!list_places(&j, seats)) return false;
    sherd_parallel_for(parallel, j.count, SEATS_PER_CHUNK, begin_range, &j);
    note_nodes(&j);
    sweep_seats(&j);
    for (size_t k = 0; k < j.count; ++k) {
        change_flip(&j.places[k]);
        book(&j, &j.places[k]);
    }
    sherd_free(j.places);
    return true;
}

void sherd_mpm_seats_free(sherd_mpm_seats *seats, size_t count)
{
    for (size_t k = 0; seats != NULL && k < count; ++k)
        sherd_free(seats[k].list);
    sherd_free(seats);
}
