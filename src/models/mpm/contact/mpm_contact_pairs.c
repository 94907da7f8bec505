#include "models/mpm/contact/mpm_contact_pairs.h"

#include "models/mpm/fluid/mpm_fluids.h"
#include "models/mpm/fluid/mpm_immersed_bodies.h"
#include "models/mpm/grid/mpm_surface_reconstruction.h"
#include "models/mpm/surface/mpm_penalty_contact.h"

#include <math.h>

typedef struct job {
    const sherd_mpm_grid *grid;
    const sherd_mpm_contact_def *def;
} job;

static double friction_between(const job *j, const sherd_mpm_group *a, const sherd_mpm_group *b)
{
    double one = j->def->solids[j->grid->layers[a->first].body].contact_friction,
           other = j->def->solids[j->grid->layers[b->first].body].contact_friction;
    if (isnan(one)) return other; // of a free body that has that of what it touches
    return isnan(other) ? one : sqrt(one * other);
}

// A group's centroid, from the node [h].
typedef struct centroid {
    double at[3];
    bool known; // false where there is hardly anything
} centroid;

static void find_centroids(const job *j, const sherd_mpm_node_groups *m,
                           centroid out[SHERD_MPM_NODE_GROUPS])
{
    double h = j->grid->h;
    for (int a = 0; a < m->groups; ++a) {
        const double *moments = m->group[a].moments;
        out[a].known = moments[0] > SHERD_MPM_MIN_FRACTION * h * h * h;
        for (int k = 0; k < 3 && out[a].known; ++k)
            out[a].at[k] = moments[1 + k] / (moments[0] * h);
    }
}

// False where they lie so that no normal follows.
static bool make_pair(const job *j, const sherd_mpm_node_groups *m,
                      const centroid centroids[SHERD_MPM_NODE_GROUPS], int a, int b,
                      sherd_contact_pair *pair, sherd_mpm_pair_line *out)
{
    const double *first = centroids[a].at, *second = centroids[b].at;
    double squares = 0.0;
    if (!centroids[a].known || !centroids[b].known) return false;
    for (int k = 0; k < 3; ++k) {
        pair->normal[k] = second[k] - first[k];
        squares += pair->normal[k] * pair->normal[k];
    }
    if (!(squares > SHERD_MPM_MIN_SEPARATION * SHERD_MPM_MIN_SEPARATION)) return false;
    double length = sqrt(squares);
    *out = (sherd_mpm_pair_line){0.0, 0.0};
    for (int k = 0; k < 3; ++k) {
        pair->normal[k] /= length;
        out->from_a += first[k] * pair->normal[k], out->from_b -= second[k] * pair->normal[k];
    }
    pair->a = a, pair->b = b;
    pair->slip[0] = pair->slip[1] = pair->slip[2] = 0.0;
    pair->friction = friction_between(j, &m->group[a], &m->group[b]);
    return true;
}

// Coupled bodies move by the mean of what their nodes do, not as nodes do: surfaces may come nearer
// to each other than at nodes. Beyond so much [h] they have to part, by a share of that in each
// usual step: what is at rest then stays where it is. In shorter steps they part no faster.
static const double OVERLAP = 0.05, PARTING = 0.003;

static const double NEAR = 0.5; // between surfaces whose speed of approach shortens steps [h]

static bool has_coupled(const job *j, const sherd_mpm_node_groups *m,
                        const sherd_contact_pair *pair)
{
    return sherd_mpm_is_coupled(j->grid, m->group[pair->a].first) ||
           sherd_mpm_is_coupled(j->grid, m->group[pair->b].first);
}

static double parting_speed(const job *j, double overlap)
{
    double time = fmax(j->def->dt, j->def->usual_dt);
    return PARTING * (overlap - OVERLAP) * j->grid->h / time;
}

// Speed at which a pair may approach: any where one surface is too far inside the other. `overlap`
// of the surfaces [h].
static double reach_of(const job *j, const sherd_mpm_pair_line *at, bool coupled, double *overlap)
{
    sherd_mpm_kernel kernel = j->grid->kernel;
    double a = sherd_mpm_surface(kernel, at->from_a), b = sherd_mpm_surface(kernel, at->from_b);
    *overlap = a + b;
    if (fmax(a, b) > 0.99 * sherd_mpm_deepest(kernel)) return INFINITY;
    if (coupled && *overlap > OVERLAP) return -parting_speed(j, *overlap);
    return fmax(0.0, -*overlap) * j->grid->h / j->def->dt;
}

// Not above that, without Newton's iterations.
static double least_reach(const job *j, const sherd_mpm_pair_line *at)
{
    double overlap = sherd_mpm_highest_surface(j->grid->kernel, at->from_a) +
                     sherd_mpm_highest_surface(j->grid->kernel, at->from_b);
    return -overlap * j->grid->h / j->def->dt;
}

// The same, by more chords.
static double closer_reach(const job *j, const sherd_mpm_pair_line *at)
{
    double overlap = sherd_mpm_highest_chord(j->grid->kernel, at->from_a) +
                     sherd_mpm_highest_chord(j->grid->kernel, at->from_b);
    return -overlap * j->grid->h / j->def->dt;
}

// Whether a pair comes too near in this step; most don't, and few need their surfaces for that.
// Sets `reach` where it was needed, NAN otherwise.
static bool collides(const job *j, const sherd_contact_problem *p, sherd_contact_pair *pair,
                     const sherd_mpm_pair_line *at, bool coupled, sherd_mpm_losses *losses)
{
    double speed = 0.0, overlap;
    for (int k = 0; k < 3; ++k)
        speed += (p->velocity[pair->a][k] - p->velocity[pair->b][k]) * pair->normal[k];
    pair->reach = NAN;
    if (coupled) {
        pair->reach = reach_of(j, at, true, &overlap);
        if (overlap > -NEAR) losses->closing = fmax(losses->closing, speed); // before contact acts
        return speed > pair->reach;
    }
    if (!(speed > 0.0)) return false;
    if (!(speed > least_reach(j, at))) return false;
    if (!(speed > closer_reach(j, at))) return false;
    pair->reach = reach_of(j, at, false, &overlap);
    return speed > pair->reach;
}

// They meet each other elsewhere.
static bool are_coupling(const job *j, const sherd_mpm_node_groups *m, int a, int b)
{
    return sherd_mpm_is_coupled(j->grid, m->group[a].first) &&
           sherd_mpm_is_coupled(j->grid, m->group[b].first);
}

// At markers of their own, which the first round finds.
static void add_marker(const job *j, const sherd_mpm_contact_node *at, int a, int b)
{
    const sherd_mpm_group *one = &at->node_groups.group[a], *other = &at->node_groups.group[b];
    sherd_mpm_immersed_node node = {j->grid, j->def->solids, j->def->coupling, {0.0}, 1.0};
    if (at->walls.markers == NULL) return;
    sherd_mpm_find_node_position(j->grid, at->walls.block, at->node, node.x);
    node.room = sherd_mpm_room_beside(&at->walls, node.x);
    sherd_mpm_add_body_marker(&node, one, other, friction_between(j, one, other),
                              at->walls.markers);
}

static bool is_immersed(const job *j, const sherd_mpm_node_groups *m, int a, int b)
{
    return sherd_mpm_is_immersed(j->grid, j->def->solids, &m->group[a], &m->group[b]);
}

static bool has_surface(const job *j, size_t layer)
{
    return j->def->springs && !sherd_mpm_is_coupled(j->grid, layer) &&
           sherd_mpm_has_body_surface(&j->def->solids[j->grid->layers[layer].body]);
}

// Or is a coupled body, which touches body surfaces by springs.
static bool is_sprung(const job *j, size_t layer)
{
    return has_surface(j, layer) || (j->def->springs && sherd_mpm_is_coupled(j->grid, layer));
}

static void list_bodies(const sherd_mpm_node_groups *m, sherd_contact_problem *p)
{
    p->bodies = m->groups, p->pairs = 0;
    for (int k = 0; k < m->groups; ++k) {
        p->mass[k] = m->group[k].mass;
        for (int i = 0; i < 3; ++i)
            p->velocity[k][i] = m->group[k].motion[0][i];
    }
}

// False when no pair wants an impulse. `sprung`: some touch by springs.
static bool pose(const job *j, sherd_mpm_contact_node *at,
                 sherd_mpm_pair_line lines[SHERD_CONTACT_PAIRS], bool *sprung)
{
    const sherd_mpm_node_groups *m = &at->node_groups;
    sherd_contact_problem *p = &at->problem;
    bool pushes = false;
    centroid centroids[SHERD_MPM_NODE_GROUPS];
    list_bodies(m, p);
    find_centroids(j, m, centroids);
    for (int a = 0; a < m->groups; ++a)
        for (int b = a + 1; b < m->groups; ++b) {
            sherd_contact_pair *pair = &p->pair[p->pairs];
            if (are_coupling(j, m, a, b)) continue;
            if (is_sprung(j, m->group[a].first) && is_sprung(j, m->group[b].first)) {
                *sprung = true;
                continue;
            }
            if (is_immersed(j, m, a, b)) {
                add_marker(j, at, a, b);
                continue;
            }
            if (!make_pair(j, m, centroids, a, b, pair, &lines[p->pairs])) continue;
            bool coupled = has_coupled(j, m, pair);
            pushes = collides(j, p, pair, &lines[p->pairs], coupled, at->walls.losses) || pushes;
            ++p->pairs;
        }
    return pushes;
}

// Twice the kinetic energy of bodies about their common centre of mass, which contact among
// themselves does not raise.
static double twice_energy(const sherd_contact_problem *p)
{
    double mass = 0.0, momentum[3] = {0.0}, sum = 0.0;
    for (int k = 0; k < p->bodies; ++k) {
        mass += p->mass[k];
        for (int i = 0; i < 3; ++i)
            momentum[i] += p->mass[k] * p->velocity[k][i];
    }
    for (int k = 0; k < p->bodies; ++k)
        for (int i = 0; i < 3; ++i) {
            double speed = p->velocity[k][i] - momentum[i] / mass;
            sum += p->mass[k] * speed * speed;
        }
    return sum;
}

static bool exceeds(double speed, double square)
{
    return speed > 0.0 && speed * speed > square;
}

// Of the first `pairs` pairs, those of bodies; what did not need its reach so far gets it, for
// others, or walls, may push it together. Left out are pairs that nothing can bring so near: with
// energy E a pair is not faster than sqrt(2 E / reduced mass). Walls that move, and coupled bodies
// that have to part, bring energy in (`closed` is false).
static void find_reaches(const job *j, sherd_contact_problem *p, int pairs,
                         const sherd_mpm_pair_line *lines, bool closed)
{
    const double rounding = 1.0 + 1e-9;
    double energy = closed ? rounding * twice_energy(p) : INFINITY, overlap;
    int kept = 0;
    for (int k = 0; k < p->pairs; ++k) {
        sherd_contact_pair *pair = &p->pair[k];
        if (k < pairs) {
            double square = energy * (1.0 / p->mass[pair->a] + 1.0 / p->mass[pair->b]);
            if (isnan(pair->reach) && (exceeds(least_reach(j, &lines[k]), square) ||
                                       exceeds(closer_reach(j, &lines[k]), square)))
                continue;
            if (isnan(pair->reach)) pair->reach = reach_of(j, &lines[k], false, &overlap);
            if (isinf(pair->reach) || exceeds(pair->reach, square)) continue;
        }
        if (kept != k) p->pair[kept] = *pair;
        ++kept;
    }
    p->pairs = kept;
}

// ---------------------------------------------------------------- by pairs [MPMG]

// Mass of a layer's body at the node beside this one, which may lie in the next block.
static double mass_beside(const sherd_mpm_grid *g, size_t layer, int node, int axis, int way)
{
    int at = (node >> (2 * axis) & 3) + way, step = 1 << (2 * axis);
    if (at >= 0 && at < SHERD_MPM_SIDE) return g->loads[layer].node[node + way * step][0][0];
    const sherd_mpm_layer *here = &g->layers[layer];
    int32_t block[3] = {here->block[0], here->block[1], here->block[2]};
    block[axis] += way;
    int32_t next = sherd_mpm_find_layer(g, block, here->body);
    int there = node - way * step * (SHERD_MPM_SIDE - 1);
    return next >= 0 ? g->loads[next].node[there][0][0] : 0.0;
}

// Sets the outward normal of group k at a node from mass, -grad m / |grad m| [MPMG] (5), by central
// differences between the node's neighbours. False where that is 0.
static bool find_mass_normal(const sherd_mpm_grid *grid, const sherd_mpm_node_groups *node_groups,
                             int node, int k, double normal[3])
{
    double squares = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double falls = 0.0;
        for (int n = 0; n < node_groups->layers; ++n)
            if (node_groups->group_of[n] == k)
                falls += mass_beside(grid, node_groups->layer[n], node, axis, -1) -
                         mass_beside(grid, node_groups->layer[n], node, axis, 1);
        normal[axis] = falls;
        squares += falls * falls;
    }
    for (int axis = 0; axis < 3 && squares > 0.0; ++axis)
        normal[axis] /= sqrt(squares);
    return squares > 0.0;
}

// All pairs with a normal. False without any.
static bool pose_pairs(const job *j, const sherd_mpm_node_groups *m, int node,
                       sherd_contact_problem *p)
{
    double normal[SHERD_MPM_NODE_GROUPS][3];
    bool known[SHERD_MPM_NODE_GROUPS];
    list_bodies(m, p);
    for (int k = 0; k < m->groups; ++k)
        known[k] = find_mass_normal(j->grid, m, node, k, normal[k]);
    for (int a = 0; a < m->groups; ++a)
        for (int b = a + 1; b < m->groups; ++b) {
            sherd_contact_pair *pair = &p->pair[p->pairs];
            double squares = 0.0;
            for (int i = 0; i < 3; ++i) {
                pair->normal[i] = normal[a][i] - normal[b][i];
                squares += pair->normal[i] * pair->normal[i];
            }
            if (!known[a] || !known[b] || !(squares > 0.0) || are_coupling(j, m, a, b)) continue;
            for (int i = 0; i < 3; ++i)
                pair->normal[i] /= sqrt(squares);
            pair->a = a, pair->b = b, pair->reach = 0.0;
            pair->slip[0] = pair->slip[1] = pair->slip[2] = 0.0;
            pair->friction = friction_between(j, &m->group[a], &m->group[b]);
            ++p->pairs;
        }
    return p->pairs > 0;
}

// ---------------------------------------------------------------- for nodes

bool sherd_mpm_touches_by_springs(const sherd_mpm_grid *grid, const sherd_mpm_contact_def *def,
                                  size_t layer)
{
    return is_sprung(&(job){grid, def}, layer);
}

bool sherd_mpm_pose_by_surfaces(const sherd_mpm_grid *grid, const sherd_mpm_contact_def *def,
                                sherd_mpm_contact_node *at,
                                sherd_mpm_pair_line lines[SHERD_CONTACT_PAIRS], bool *sprung)
{
    return pose(&(job){grid, def}, at, lines, sprung);
}

bool sherd_mpm_pose_by_pairs(const sherd_mpm_grid *grid, const sherd_mpm_contact_def *def,
                             sherd_mpm_contact_node *at)
{
    return pose_pairs(&(job){grid, def}, &at->node_groups, at->node, &at->problem);
}

void sherd_mpm_find_reaches(const sherd_mpm_grid *grid, const sherd_mpm_contact_def *def,
                            sherd_contact_problem *problem, int pairs,
                            const sherd_mpm_pair_line *lines, bool closed)
{
    find_reaches(&(job){grid, def}, problem, pairs, lines, closed);
}
