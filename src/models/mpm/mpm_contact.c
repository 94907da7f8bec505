#include "models/mpm/mpm_contact.h"

#include "models/mpm/node_problem.h"

#include <math.h>

static const double LEAST_APART =
    0.05; // of centroids [h]; those of bodies that touch lie 0.9 apart
static const double LEAST_SHARE = 1e-9; // of a cell: a body with less has no surface to speak of
// Of surfaces beyond the node [h]. Deeper inside, centroids hardly tell how deep; what the other body then has at the node
// is below a hundredth of a cell.
static const double DEEPEST_CUBIC = 1.3, DEEPEST_QUADRATIC = 1.0;

// ---------------------------------------------------------------- surfaces

// Share of the kernel below s, and its first moment.
typedef struct part {
    double share, moment, weight; // the latter N(s)
} part;

// Of -2 <= s <= 2: from the outer piece (2 + s)^3 / 6 up to -1, then 2/3 - s^2 -+ s^3/2.
static part cubic_part(double s)
{
    double u = fabs(s), t = 2.0 - u;
    if (u >= 1.0) {
        double tail = t * t * t * t / 24.0, moment = -2.0 * tail + t * t * t * t * t / 30.0;
        return (part){s < 0.0 ? tail : 1.0 - tail, moment, t * t * t / 6.0};
    }
    double half = u * (2.0 / 3.0) - u * u * u * (1.0 / 3.0 - u * 0.125);
    double moment = u * u * (1.0 / 3.0 - u * u * (0.25 - u * 0.1)) - 7.0 / 30.0;
    return (part){s < 0.0 ? 0.5 - half : 0.5 + half, moment, 2.0 / 3.0 - u * u + 0.5 * u * u * u};
}

static part quadratic_part(double s)
{
    double u = fabs(s), t = 1.5 - u;
    if (u >= 0.5) {
        double tail = t * t * t / 6.0, moment = -1.5 * tail + t * t * t * t / 8.0;
        return (part){s < 0.0 ? tail : 1.0 - tail, moment, 0.5 * t * t};
    }
    double half = u * 0.75 - u * u * u / 3.0, moment = u * u * (0.375 - 0.25 * u * u) - 13.0 / 64.0;
    return (part){s < 0.0 ? 0.5 - half : 0.5 + half, moment, 0.75 - u * u};
}

double sherd_mpm_surface(sherd_mpm_kernel kernel, double centroid)
{
    bool cubic = kernel == SHERD_MPM_CUBIC;
    double reach = cubic ? 2.0 : 1.5, slope = cubic ? 0.8 : 0.75, straight = cubic ? -1.2 : -0.75;
    double deepest = cubic ? DEEPEST_CUBIC : DEEPEST_QUADRATIC, low = -reach, high = deepest;
    if (centroid <= straight)
        return fmax(-reach, (centroid + reach) / slope - reach); // C is linear there
    double s = 0.0;
    for (int k = 0; k < 12; ++k) { // C' = N (s - C) / share; kept between bounds
        part p = cubic ? cubic_part(s) : quadratic_part(s);
        double c = p.moment / p.share;
        if (c > centroid)
            high = s;
        else
            low = s;
        s -= (c - centroid) * p.share / (p.weight * (s - c));
        if (!(s >= low && s <= high)) s = 0.5 * (low + high);
    }
    return s;
}

// ---------------------------------------------------------------- nodes

typedef struct job {
    sherd_mpm_grid *grid;
    const sherd_mpm_contact_def *def;
} job;

// The bodies at one node.
typedef struct meeting {
    int count;
    bool crowded; // there are more, which meet nobody
    size_t layer[SHERD_NODE_BODIES];
} meeting;

static meeting meet(const sherd_mpm_grid *g, const sherd_mpm_shared_block *block, int node)
{
    meeting m = {0};
    double cell = g->h * g->h * g->h;
    for (size_t k = block->begin; k < block->end && !m.crowded; ++k) {
        bool there = g->outlines[g->layers[k].outline].node[node][0] > LEAST_SHARE * cell &&
                     g->loads[k].node[node][0][0] > 0.0;
        if (!there) continue;
        m.crowded = m.count == SHERD_NODE_BODIES;
        if (!m.crowded) m.layer[m.count++] = k;
    }
    return m;
}

static const double *outline_of(const sherd_mpm_grid *g, size_t layer, int node)
{
    return g->outlines[g->layers[layer].outline].node[node];
}

// False where they lie so that nothing can be told, or where one surface is too far inside the other.
static bool make_pair(const job *j, const meeting *m, int node, int a, int b, sherd_node_pair *pair)
{
    const sherd_mpm_grid *g = j->grid;
    const double *one = outline_of(g, m->layer[a], node), *other = outline_of(g, m->layer[b], node);
    double first[3], second[3], squares = 0.0, from_a = 0.0, from_b = 0.0;
    for (int k = 0; k < 3; ++k) {
        first[k] = one[1 + k] / (one[0] * g->h), second[k] = other[1 + k] / (other[0] * g->h);
        pair->normal[k] = second[k] - first[k];
        squares += pair->normal[k] * pair->normal[k];
    }
    if (!(squares > LEAST_APART * LEAST_APART)) return false;
    for (int k = 0; k < 3; ++k) {
        pair->normal[k] /= sqrt(squares);
        from_a += first[k] * pair->normal[k], from_b -= second[k] * pair->normal[k];
    }
    double deepest = g->kernel == SHERD_MPM_CUBIC ? DEEPEST_CUBIC : DEEPEST_QUADRATIC;
    double a_beyond = sherd_mpm_surface(g->kernel, from_a),
           b_beyond = sherd_mpm_surface(g->kernel, from_b);
    if (fmax(a_beyond, b_beyond) > 0.99 * deepest) return false;
    pair->a = a, pair->b = b;
    pair->reach = fmax(0.0, -(a_beyond + b_beyond)) * g->h / j->def->dt;
    pair->friction = sqrt(j->def->solids[g->layers[m->layer[a]].body].contact_friction *
                          j->def->solids[g->layers[m->layer[b]].body].contact_friction);
    return true;
}

static bool approach(const sherd_node_problem *p, const sherd_node_pair *pair)
{
    double speed = 0.0;
    for (int k = 0; k < 3; ++k)
        speed += (p->velocity[pair->a][k] - p->velocity[pair->b][k]) * pair->normal[k];
    return speed > pair->reach;
}

// False when no pair wants an impulse.
static bool pose(const job *j, const meeting *m, int node, sherd_node_problem *p)
{
    bool pushes = false;
    p->bodies = m->count, p->pairs = 0;
    for (int k = 0; k < m->count; ++k) {
        p->mass[k] = j->grid->loads[m->layer[k]].node[node][0][0];
        for (int i = 0; i < 3; ++i)
            p->velocity[k][i] = j->grid->motion[m->layer[k]].node[node][0][i];
    }
    for (int a = 0; a < m->count; ++a)
        for (int b = a + 1; b < m->count; ++b) {
            sherd_node_pair *pair = &p->pair[p->pairs];
            if (!make_pair(j, m, node, a, b, pair)) continue;
            pushes = pushes || approach(p, pair);
            ++p->pairs;
        }
    return pushes;
}

static void give_back(const job *j, const meeting *m, int node, const sherd_node_problem *p)
{
    for (int k = 0; k < m->count; ++k) {
        double(*motion)[4] = j->grid->motion[m->layer[k]].node[node];
        for (int i = 0; i < 3; ++i) {
            double change = p->velocity[k][i] - motion[0][i];
            motion[0][i] += change, motion[1][i] += change;
        }
    }
}

static double solve_blocks(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double unsolved = 0.0;
    sherd_node_problem problem;
    for (size_t k = begin; k < end; ++k)
        for (int node = 0; node < SHERD_MPM_NODES; ++node) {
            meeting m = meet(j->grid, &j->grid->shared[k], node);
            if (m.count < 2 || !pose(j, &m, node, &problem)) continue;
            unsolved += sherd_node_solve(&problem) == 0 || m.crowded;
            give_back(j, &m, node, &problem);
        }
    return unsolved;
}

double sherd_mpm_solve_contacts(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                const sherd_mpm_contact_def *def)
{
    job j = {grid, def};
    return sherd_parallel_sum(parallel, grid->shared_count, 1, solve_blocks, &j);
}
