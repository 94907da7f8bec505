#include "models/mpm/fluid/mpm_immersed_boundary.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "models/mpm/fluid/mpm_marker_stencil.h"
#include "models/mpm/grid/mpm_axes.h"

#include <math.h>
#include <string.h>

enum { MARKERS_PER_CHUNK = 16 };

// Depths in a wall [h] from which a fluid or sand that still approaches leaves with the speed of
// its approach, by at most the fraction PARTING of the excess per step. Sand would swell with a
// smaller depth.
static const double OVERLAP = 0.05, OVERLAP_OF_SAND = 0.25, PARTING = 0.05;
// Sand at rest creeps into walls by 0.1 mm/s in cells of 2.5 cm, as sweeps leave some of its approach, and would go on to
// OVERLAP_OF_SAND, where its lowest grains are in the floor. It rises again at RISE sqrt(g / h) times its depth: at most 0.1 h a
// second in cells of 2.5 cm, slow beside any flow.
static const double RISE = 0.02;
// Gauss-Seidel sweeps over all markers, until a sweep changes no velocity by more than the fraction
// LAST of the first one's largest change. Neighbouring markers share nodes, so their differences
// converge last; with LAST pressure is exact to 0.1 %. If sand still approaches a wall after the
// sweeps, it creeps into the wall in each step and never comes to rest: with four sweeps a bed in a
// box sank by 7 mm/s. Near coupled bodies there are four sweeps: their contact with sand is solved
// before, and sand that the floor holds better lifts them, a ball by 0.1 h in 0.3 s.
enum { MAX_SWEEPS = 24, SWEEPS_NEAR_COUPLED = 4 };
static const double LAST = 0.02;

// Rounds with coupled bodies: an impulse is distributed over all elements of a coupled body, so
// part of the approach remains for the next round. There are at most MAX_ROUNDS; they end earlier
// when a round gives no more than the fraction LAST_ROUND of the first one's impulse.
enum { MAX_ROUNDS = 4 };
static const double LAST_ROUND = 0.3;

// A marker with its interpolation.
typedef struct place {
    sherd_mpm_marker *marker;
    int sweeps;                    // largest number of sweeps
    double give;                   // change of the relative velocity at q by a unit impulse [1/kg]
    double wall[3];                // velocity of the wall [m/s]
    double start[3];               // velocity of a body at the beginning of the step [m/s]
    double reach;                  // speed at which the fluid may approach [m/s]
    sherd_mpm_stencil flow, *body; // body: NULL for a wall or a free body
    sherd_mpm_rigid_body *rigid;   // NULL: none
} place;

typedef struct job {
    sherd_mpm_grid *grid;
    const sherd_mpm_marker_def *def;
    sherd_mpm_stencil_def about;
    place *places;
    sherd_mpm_stencil *bodies; // body stencils of the markers that have one
    size_t count;
} job;

void sherd_mpm_add_marker(sherd_mpm_markers *markers, const sherd_mpm_marker *marker)
{
    size_t needed = markers->count + 1;
    SHERD_ASSERT((marker->wall >= 0) + (marker->body >= 0) + (marker->rigid >= 0) == 1,
                 "a marker lies on one surface");
    SHERD_ASSERT(isfinite(marker->gap) && marker->friction >= 0.0, "markers are finite");
    if (sherd_grow((void **)&markers->list, &markers->capacity, needed, sizeof *markers->list))
        markers->list[markers->count++] = *marker;
    else
        markers->failed = true;
}

// ---------------------------------------------------------------- nodes

// Velocity of the wall or body at the marker.
static void velocity_of_other(const place *p, double v[4])
{
    memcpy(v, p->wall, sizeof p->wall), v[3] = 0.0;
    if (p->body != NULL) sherd_mpm_stencil_velocity(p->body, v);
    if (p->rigid != NULL) sherd_mpm_rigid_body_velocity(p->rigid, p->marker->x, v);
}

// Velocity of the fluid or sand relative to the wall or body.
static void velocity_at(const place *p, double v[4])
{
    double other[4];
    sherd_mpm_stencil_velocity(&p->flow, v);
    velocity_of_other(p, other);
    for (int i = 0; i < 3; ++i)
        v[i] -= other[i];
}

static void find_start(const job *j, place *p)
{
    const double *fall = j->def->fall;
    double v[4];
    velocity_of_other(p, v);
    for (int i = 0; i < 3; ++i)
        p->start[i] = v[i] - fall[i];
    if (p->body == NULL || sherd_mpm_is_coupled(j->grid, (size_t)p->marker->body)) return;
    for (int k = 0; k < p->body->count; ++k) {
        const sherd_mpm_stencil_node *n = &p->body->node[k];
        for (int i = 0; i < 3; ++i) // momentum at nodes does not contain them
            p->start[i] -= n->weight * n->load[1][i] / n->load[0][0];
    }
}

static void find_nodes(const job *j, place *p)
{
    sherd_mpm_marker *s = p->marker;
    sherd_mpm_stencil_of_flow(&j->about, s->layer, s->x, &p->flow);
    p->give = p->flow.give;
    if (s->wall >= 0) return;
    // If the fluid has no nodes on one side, its impulse acts at the centre of its nodes; the
    // body's impulse acts there, too.
    sherd_mpm_stencil_centre(&p->flow, s->x);
    if (s->rigid >= 0) {
        p->rigid = &j->def->coupling->rigids[s->rigid];
        p->give += sherd_mpm_rigid_body_compliance(p->rigid, s->x, s->normal);
    } else {
        sherd_mpm_stencil_of_body(&j->about, (size_t)s->body, s->x, p->body);
        p->give += p->body->give;
    }
    find_start(j, p);
}

// Whether the layer's block has a coupled body: these come last among a block's layers.
static bool is_near_coupled(const sherd_mpm_grid *g, size_t layer)
{
    size_t last = layer;
    while (last + 1 < g->layer_count &&
           memcmp(g->layers[last + 1].block, g->layers[layer].block, sizeof g->layers->block) == 0)
        ++last;
    return sherd_mpm_is_coupled(g, last);
}

// Rate at which sand leaves the depth in a wall that it has crept to [1/s].
static double rate_of_rise(const job *j)
{
    const double *fall = j->def->fall;
    return RISE * sqrt(sqrt(sherd_axes_dot(fall, fall)) / (j->def->dt * j->grid->h));
}

static void begin_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double rising = rate_of_rise(j);
    for (size_t k = begin; k < end; ++k) {
        place *p = &j->places[k];
        const sherd_mpm_marker *s = p->marker;
        const sherd_solid *solid = &j->def->solids[j->grid->layers[s->layer].body];
        double v[4], overlap = OVERLAP * j->grid->h;
        bool sand = solid->kind == SHERD_SOLID_SAND;
        if (sand) overlap = OVERLAP_OF_SAND * j->grid->h;
        p->sweeps = sand && is_near_coupled(j->grid, s->layer) ? SWEEPS_NEAR_COUPLED : MAX_SWEEPS;
        if (s->wall >= 0) {
            const sherd_mpm_wall *wall = &j->def->walls->list[s->wall];
            wall->velocity(wall->context, s->x, p->wall);
        }
        find_nodes(j, p);
        velocity_at(p, v);
        double speed = -sherd_axes_dot(v, s->normal);
        double depth = s->wall >= 0 ? -s->gap : fmin(-s->gap, s->crowd);
        p->reach = fmax(0.0, s->gap) / j->def->dt;
        if (sand && s->wall >= 0 && p->sweeps == MAX_SWEEPS && depth > 0.0)
            p->reach = -rising * depth;
        if (depth > overlap && speed > 0.0)
            p->reach = fmin(p->reach, -fmin(speed, PARTING * (depth - overlap) / j->def->dt));
    }
}

static void note(const job *j, const sherd_mpm_stencil *at)
{
    for (int n = 0; n < at->count; ++n) {
        j->grid->layers[at->node[n].layer].moved = true;
        at->node[n].motion[1][3] = SHERD_MPM_BOUND;
    }
}

// Marks nodes and layers that change; serial, because markers share them.
static void note_nodes(const job *j)
{
    for (size_t k = 0; k < j->count; ++k) {
        note(j, &j->places[k].flow);
        if (j->places[k].body != NULL) note(j, j->places[k].body);
    }
}

// ---------------------------------------------------------------- impulses

// Total impulse of a marker with the present nodal velocities, projected onto Coulomb's cone. Sets
// the relative velocity v(q).
static void find_impulse(const place *p, double v[4], double impulse[3])
{
    const sherd_mpm_marker *s = p->marker;
    double across[3], squares = 0.0;
    velocity_at(p, v);
    double speed = sherd_axes_dot(v, s->normal), before = sherd_axes_dot(s->impulse, s->normal);
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

// Applies a marker's impulse to nodal velocities; the FLIP part follows at the end (change_flip).
// Returns the change of v(q) [m/s].
static double push(place *p)
{
    double v[4], impulse[3], change[4] = {0.0}, back[4];
    if (p->flow.count == 0 || (p->body != NULL && p->body->count == 0)) return 0.0;
    find_impulse(p, v, impulse);
    for (int i = 0; i < 3; ++i) {
        change[i] = impulse[i] - p->marker->impulse[i];
        p->marker->impulse[i] = impulse[i];
    }
    double square = sherd_axes_dot(change, change);
    if (!(square > 0.0)) return 0.0;
    for (int i = 0; i < 4; ++i)
        back[i] = -change[i];
    sherd_mpm_stencil_push(&p->flow, change);
    if (p->body != NULL) sherd_mpm_stencil_push(p->body, back);
    if (p->rigid != NULL) sherd_mpm_rigid_body_push(p->rigid, p->marker->x, back);
    return p->give * sqrt(square);
}

// Sweeps over the markers, forwards and backwards. `again`: a later round, in which sand near
// coupled bodies takes no part.
static void sweep_seats(const job *j, bool again)
{
    double first = 0.0;
    for (int sweep = 0; sweep < MAX_SWEEPS; ++sweep) {
        double most = 0.0;
        for (size_t k = 0; k < j->count; ++k) {
            place *p = &j->places[sweep % 2 == 0 ? k : j->count - 1 - k];
            if (again && p->sweeps < MAX_SWEEPS) continue;
            if (sweep < p->sweeps) most = fmax(most, push(p));
        }
        if (sweep == 0) first = most;
        if (!(most > LAST * first)) return;
    }
}

static bool meets_coupling(const job *j)
{
    for (size_t k = 0; k < j->count; ++k)
        if (j->places[k].body != NULL &&
            sherd_mpm_is_coupled(j->grid, (size_t)j->places[k].marker->body))
            return true;
    return false;
}

static void push_in_rounds(const job *j)
{
    const sherd_mpm_marker_def *def = j->def;
    bool rounds = meets_coupling(j);
    double first = 0.0, given = 0.0;
    for (int k = 0; k < MAX_ROUNDS && (k == 0 || given > LAST_ROUND * first); ++k) {
        if (k > 0) def->begin_round(def->context);
        sweep_seats(j, k > 0);
        if (!rounds) return;
        given = def->end_round(def->context);
        if (k == 0) first = given;
    }
}

static void change_flip(const sherd_mpm_stencil *p, const double impulse[3], double sign)
{
    for (int k = 0; k < p->count; ++k)
        for (int i = 0; i < 3; ++i)
            p->node[k].motion[1][i] += p->node[k].give * (sign * impulse[i]);
}

// ---------------------------------------------------------------- accounts

// Mean of the fluid's velocities at the beginning and the end of the step, as for contact at nodes
// (mpm_wall_contact.h). Contact at nodes, done before, was booked as if the step ended with it; its
// work on the change by markers is added.
static void mean_of_flow(const sherd_mpm_stencil *p, double mean[3])
{
    for (int k = 0; k < p->count; ++k) {
        const sherd_mpm_stencil_node *n = &p->node[k];
        for (int i = 0; i < 3; ++i)
            mean[i] += 0.5 * n->weight *
                       (n->load[0][1 + i] / n->load[0][0] + n->touched[i] + n->motion[0][i]);
    }
}

static void push_wall(const job *j, const sherd_mpm_marker *s)
{
    sherd_mpm_reaction *r = &j->def->walls->reaction[s->wall];
    for (int i = 0; i < 3; ++i) {
        int next = (i + 1) % 3, last = (i + 2) % 3;
        r->impulse[i] -= s->impulse[i];
        r->moment[i] -= s->x[next] * s->impulse[last] - s->x[last] * s->impulse[next];
    }
}

static void book(const job *j, const place *p)
{
    const sherd_mpm_marker *s = p->marker;
    sherd_mpm_losses *losses = j->def->losses;
    double mean[3] = {0.0}, other[4], along = sherd_axes_dot(s->impulse, s->normal), against;
    mean_of_flow(&p->flow, mean);
    velocity_of_other(p, other);
    if (s->wall >= 0) {
        losses->work += sherd_axes_dot(s->impulse, p->wall);
        push_wall(j, s);
    } else {
        for (int i = 0; i < 3; ++i)
            other[i] = 0.5 * (other[i] + p->start[i]);
        if (p->rigid != NULL || sherd_mpm_is_coupled(j->grid, (size_t)s->body))
            losses->coupling -= sherd_axes_dot(s->impulse, other);
    }
    for (int i = 0; i < 3; ++i)
        mean[i] -= other[i];
    against = -along * sherd_axes_dot(mean, s->normal);
    losses->contact += against, losses->friction -= sherd_axes_dot(s->impulse, mean) + against;
}

static bool list_places(job *j, sherd_mpm_markers *markers)
{
    size_t blocks = j->grid->shared_count, bodies = 0;
    bool failed = false;
    for (size_t k = 0; k < blocks; ++k) {
        j->count += markers[k].count, failed = failed || markers[k].failed;
        for (size_t n = 0; n < markers[k].count; ++n)
            bodies += markers[k].list[n].body >= 0;
    }
    if (failed) return false;
    j->places = sherd_alloc(j->count, sizeof *j->places);
    j->bodies = sherd_alloc(bodies, sizeof *j->bodies);
    if (j->places == NULL || j->bodies == NULL) return false;
    for (size_t k = 0, at = 0, body = 0; k < blocks; ++k)
        for (size_t n = 0; n < markers[k].count; ++n, ++at) {
            j->places[at].marker = &markers[k].list[n];
            if (markers[k].list[n].body >= 0) j->places[at].body = &j->bodies[body++];
        }
    return true;
}

bool sherd_mpm_solve_markers(sherd_mpm_grid *grid, sherd_mpm_markers *markers,
                             const sherd_parallel *parallel, const sherd_mpm_marker_def *def)
{
    job j = {.grid = grid,
             .def = def,
             .about = {grid, def->solids, {def->fall[0], def->fall[1], def->fall[2]}}};
    bool listed = list_places(&j, markers);
    if (listed) {
        sherd_parallel_for(parallel, j.count, MARKERS_PER_CHUNK, begin_range, &j);
        note_nodes(&j);
        push_in_rounds(&j);
    }
    for (size_t k = 0; k < j.count && listed; ++k) {
        const place *p = &j.places[k];
        change_flip(&p->flow, p->marker->impulse, 1.0);
        if (p->body != NULL) change_flip(p->body, p->marker->impulse, -1.0);
        book(&j, p);
    }
    sherd_free(j.places), sherd_free(j.bodies);
    return listed;
}

void sherd_mpm_markers_free(sherd_mpm_markers *markers, size_t count)
{
    for (size_t k = 0; markers != NULL && k < count; ++k)
        sherd_free(markers[k].list);
    sherd_free(markers);
}
