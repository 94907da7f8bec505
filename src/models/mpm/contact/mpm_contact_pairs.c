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
    if (isnan(one)) return other; // a free body without a friction uses its partner's
    return isnan(other) ? one : sqrt(one * other);
}

// Centroid of a group's volume at a node, relative to the node [h].
typedef struct centroid {
    double at[3];
    bool known; // false where the volume is too small
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

// Sets the normal along the line between the groups' centroids. False if the centroids are unknown
// or coincide.
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

// A coupled body moves by the mean of its nodes' motion, so surfaces may overlap although nodes do
// not approach. Beyond the overlap OVERLAP [h] they must separate, by the fraction PARTING of the
// excess in each step of usual length; bodies at rest then stay at rest. In shorter steps they
// separate at the same speed.
static const double OVERLAP = 0.05, PARTING = 0.003;

static const double NEAR = 0.5; // gap below which the speed of approach shortens steps [h]

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

// Speed at which a pair may approach: gap / dt, or any speed if one surface is too deep inside the
// other for the reconstruction. Sets `overlap` of the surfaces [h].
static double reach_of(const job *j, const sherd_mpm_pair_line *at, bool coupled, double *overlap)
{
    sherd_mpm_kernel kernel = j->grid->kernel;
    double a = sherd_mpm_surface(kernel, at->from_a), b = sherd_mpm_surface(kernel, at->from_b);
    *overlap = a + b;
    if (fmax(a, b) > 0.99 * sherd_mpm_deepest(kernel)) return INFINITY;
    if (coupled && *overlap > OVERLAP) return -parting_speed(j, *overlap);
    return fmax(0.0, -*overlap) * j->grid->h / j->def->dt;
}

// Lower bound of reach_of without Newton's iterations.
static double least_reach(const job *j, const sherd_mpm_pair_line *at)
{
    double overlap = sherd_mpm_highest_surface(j->grid->kernel, at->from_a) +
                     sherd_mpm_highest_surface(j->grid->kernel, at->from_b);
    return -overlap * j->grid->h / j->def->dt;
}

// A tighter lower bound, by more chords.
static double closer_reach(const job *j, const sherd_mpm_pair_line *at)
{
    double overlap = sherd_mpm_highest_chord(j->grid->kernel, at->from_a) +
                     sherd_mpm_highest_chord(j->grid->kernel, at->from_b);
    return -overlap * j->grid->h / j->def->dt;
}

// Whether a pair collides in this step. Most pairs do not, and the bounds show this for most of
// them. Sets `reach` if it had to be computed, NAN otherwise.
static bool collides(const job *j, const sherd_contact_problem *p, sherd_contact_pair *pair,
                     const sherd_mpm_pair_line *at, bool coupled, sherd_mpm_losses *losses)
{
    double speed = 0.0, overlap;
    for (int k = 0; k < 3; ++k)
        speed += (p->velocity[pair->a][k] - p->velocity[pair->b][k]) * pair->normal[k];
    pair->reach = NAN;
    if (coupled) {
        pair->reach = reach_of(j, at, true, &overlap);
        // The speed before contact acts
        if (overlap > -NEAR) losses->closing = fmax(losses->closing, speed);
        return speed > pair->reach;
    }
    if (!(speed > 0.0)) return false;
    if (!(speed > least_reach(j, at))) return false;
    if (!(speed > closer_reach(j, at))) return false;
    pair->reach = reach_of(j, at, false, &overlap);
    return speed > pair->reach;
}

// Two coupled bodies: their own solver computes their contact.
static bool are_coupling(const job *j, const sherd_mpm_node_groups *m, int a, int b)
{
    return sherd_mpm_is_coupled(j->grid, m->group[a].first) &&
           sherd_mpm_is_coupled(j->grid, m->group[b].first);
}

// Adds a marker on the surface of a body in a fluid; only in the first round of contact.
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

// Whether contact of this layer with a body's surface is by springs: it has a surface or is a
// coupled body.
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

// Sets up the contact problem of a node. Returns whether a pair needs an impulse. `sprung`: some
// pairs touch by springs.
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

// Twice the kinetic energy of bodies relative to their common centre of mass. Contact among them
// does not increase it.
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

// Computes the missing `reach` of the first `pairs` pairs, those of two bodies, because other pairs
// or walls may push these together, and removes pairs that cannot collide: with energy E a pair's
// relative speed is at most sqrt(2 E / reduced mass). This bound holds only if no energy enters by
// moving walls or by coupled bodies that must separate (`closed`).
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

// Mass of a layer's body at a neighbouring node, which may lie in the next block.
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

// Sets up the pairs that have a normal. False if there are none.
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
