#include "models/mpm/contact/mpm_node_contact.h"

#include "base/memory.h"
#include "models/mpm/contact/mpm_mass_normal.h"
#include "models/mpm/contact/mpm_wall_contact.h"
#include "models/mpm/fluid/mpm_fluids.h"
#include "models/mpm/fluid/mpm_immersed_bodies.h"
#include "models/mpm/grid/mpm_surface_reconstruction.h"
#include "models/mpm/surface/mpm_penalty_contact.h"

#include <math.h>

// ---------------------------------------------------------------- by surfaces

typedef struct job {
    sherd_mpm_grid *grid;
    const sherd_mpm_contact_def *def;
    // Of each shared block, and of each block and wall:
    sherd_mpm_losses *losses;
    sherd_mpm_reaction *reaction;
    sherd_mpm_kernels f;
} job;

// Nodes whose problems are solved together.
enum { TOGETHER = 8 };

typedef struct waiting {
    int node;
    sherd_mpm_contact_groups node_groups;
    sherd_contact_problem problem;
    sherd_mpm_wall_contact walls;
} waiting;

static double friction_between(const job *j, const sherd_mpm_group *a, const sherd_mpm_group *b)
{
    double one = j->def->solids[j->grid->layers[a->first].body].contact_friction,
           other = j->def->solids[j->grid->layers[b->first].body].contact_friction;
    if (isnan(one)) return other; // of a free body that has that of what it touches
    return isnan(other) ? one : sqrt(one * other);
}

// Two groups' centroids along the line between them [h].
typedef struct line {
    double from_a, from_b;
} line;

// A group's centroid, from the node [h].
typedef struct centroid {
    double at[3];
    bool known; // false where there is hardly anything
} centroid;

static void find_centroids(const job *j, const sherd_mpm_contact_groups *m,
                           centroid out[SHERD_MPM_NODE_GROUPS])
{
    double h = j->grid->h;
    for (int a = 0; a < m->groups; ++a) {
        const double *moments = m->group[a].moments;
        out[a].known = moments[0] > SHERD_MPM_LEAST_SHARE * h * h * h;
        for (int k = 0; k < 3 && out[a].known; ++k)
            out[a].at[k] = moments[1 + k] / (moments[0] * h);
    }
}

// False where they lie so that nothing can be told.
static bool make_pair(const job *j, const sherd_mpm_contact_groups *m,
                      const centroid centroids[SHERD_MPM_NODE_GROUPS], int a, int b,
                      sherd_contact_pair *pair, line *out)
{
    const double *first = centroids[a].at, *second = centroids[b].at;
    double squares = 0.0;
    if (!centroids[a].known || !centroids[b].known) return false;
    for (int k = 0; k < 3; ++k) {
        pair->normal[k] = second[k] - first[k];
        squares += pair->normal[k] * pair->normal[k];
    }
    if (!(squares > SHERD_MPM_LEAST_APART * SHERD_MPM_LEAST_APART)) return false;
    double length = sqrt(squares);
    *out = (line){0.0, 0.0};
    for (int k = 0; k < 3; ++k) {
        pair->normal[k] /= length;
        out->from_a += first[k] * pair->normal[k], out->from_b -= second[k] * pair->normal[k];
    }
    pair->a = a, pair->b = b;
    pair->slip[0] = pair->slip[1] = pair->slip[2] = 0.0;
    pair->friction = friction_between(j, &m->group[a], &m->group[b]);
    return true;
}

// Coupled bodies move by the mean of what their nodes do, not as nodes do: surfaces may come nearer to each other than at nodes.
// Beyond so much [h] they are told to part, by a share of that in each usual step: what is at rest then stays where it is.
// In shorter steps they part no faster.
static const double OVERLAP = 0.05, PARTING = 0.003;

static const double NEAR = 0.5; // between surfaces whose speed of approach shortens steps [h]

static bool has_coupled(const job *j, const sherd_mpm_contact_groups *m,
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

// Speed at which a pair may approach: any where one surface is too far inside the other. `overlap` of the surfaces [h].
static double reach_of(const job *j, const line *at, bool coupled, double *overlap)
{
    sherd_mpm_kernel kernel = j->grid->kernel;
    double a = sherd_mpm_surface(kernel, at->from_a), b = sherd_mpm_surface(kernel, at->from_b);
    *overlap = a + b;
    if (fmax(a, b) > 0.99 * sherd_mpm_deepest(kernel)) return INFINITY;
    if (coupled && *overlap > OVERLAP) return -parting_speed(j, *overlap);
    return fmax(0.0, -*overlap) * j->grid->h / j->def->dt;
}

// Not above that, without Newton's iterations.
static double least_reach(const job *j, const line *at)
{
    double overlap = sherd_mpm_highest_surface(j->grid->kernel, at->from_a) +
                     sherd_mpm_highest_surface(j->grid->kernel, at->from_b);
    return -overlap * j->grid->h / j->def->dt;
}

// The same, by more chords.
static double closer_reach(const job *j, const line *at)
{
    double overlap = sherd_mpm_highest_chord(j->grid->kernel, at->from_a) +
                     sherd_mpm_highest_chord(j->grid->kernel, at->from_b);
    return -overlap * j->grid->h / j->def->dt;
}

// Whether a pair comes too near in this step; most don't, and few need their surfaces for that. Sets `reach` where it was
// needed, NAN otherwise.
static bool collides(const job *j, const sherd_contact_problem *p, sherd_contact_pair *pair,
                     const line *at, bool coupled, sherd_mpm_losses *losses)
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
static bool are_coupling(const job *j, const sherd_mpm_contact_groups *m, int a, int b)
{
    return sherd_mpm_is_coupled(j->grid, m->group[a].first) &&
           sherd_mpm_is_coupled(j->grid, m->group[b].first);
}

// At seats of their own, which the first round finds.
static void add_seat(const job *j, const waiting *at, int a, int b)
{
    const sherd_mpm_group *one = &at->node_groups.group[a], *other = &at->node_groups.group[b];
    sherd_mpm_immersed_node node = {j->grid, j->def->solids, j->def->coupling, {0.0}, 1.0};
    if (at->walls.markers == NULL) return;
    sherd_mpm_find_node_position(j->grid, at->walls.block, at->node, node.x);
    node.room = sherd_mpm_room_beside(&at->walls, node.x);
    sherd_mpm_add_body_marker(&node, one, other, friction_between(j, one, other),
                              at->walls.markers);
}

static bool is_wet(const job *j, const sherd_mpm_contact_groups *m, int a, int b)
{
    return sherd_mpm_is_immersed(j->grid, j->def->solids, &m->group[a], &m->group[b]);
}

static bool has_skin(const job *j, size_t layer)
{
    return j->def->springs && !sherd_mpm_is_coupled(j->grid, layer) &&
           sherd_mpm_has_body_surface(&j->def->solids[j->grid->layers[layer].body]);
}

// Or is a coupled body, which touches body surfaces by springs.
static bool is_sprung(const job *j, size_t layer)
{
    return has_skin(j, layer) || (j->def->springs && sherd_mpm_is_coupled(j->grid, layer));
}

static void list_bodies(const sherd_mpm_contact_groups *m, sherd_contact_problem *p)
{
    p->bodies = m->groups, p->pairs = 0;
    for (int k = 0; k < m->groups; ++k) {
        p->mass[k] = m->group[k].mass;
        for (int i = 0; i < 3; ++i)
            p->velocity[k][i] = m->group[k].motion[0][i];
    }
}

// False when no pair wants an impulse. `sprung`: some touch by springs.
static bool pose(const job *j, waiting *at, line lines[SHERD_CONTACT_PAIRS], bool *sprung)
{
    const sherd_mpm_contact_groups *m = &at->node_groups;
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
            if (is_wet(j, m, a, b)) {
                add_seat(j, at, a, b);
                continue;
            }
            if (!make_pair(j, m, centroids, a, b, pair, &lines[p->pairs])) continue;
            bool coupled = has_coupled(j, m, pair);
            pushes = collides(j, p, pair, &lines[p->pairs], coupled, at->walls.losses) || pushes;
            ++p->pairs;
        }
    return pushes;
}

// Twice the kinetic energy of bodies about their common centre of mass, which contact among themselves does not raise.
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

// Of the first `pairs` pairs, those of bodies; what did not need its reach so far gets it, for others, or walls, may push it
// together. Left out are pairs that nothing can bring so near: with energy E a pair is not faster than sqrt(2 E / reduced
// mass). Walls that move, and coupled bodies that are told to part, bring energy in (`closed` is false).
static void find_reaches(const job *j, sherd_contact_problem *p, int pairs, const line *lines,
                         bool closed)
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

// ---------------------------------------------------------------- by pairs

// All pairs with a normal. False without any.
static bool pose_pairs(const job *j, const sherd_mpm_contact_groups *m, int node,
                       sherd_contact_problem *p)
{
    double normal[SHERD_MPM_NODE_GROUPS][3];
    bool known[SHERD_MPM_NODE_GROUPS];
    list_bodies(m, p);
    for (int k = 0; k < m->groups; ++k)
        known[k] = sherd_mpm_mass_normal(j->grid, m, node, k, normal[k]);
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

// ---------------------------------------------------------------- nodes

// Of one block.
typedef struct line_up {
    const job *j;
    size_t block;
    int count, begun; // nodes that wait; of those that know the block's walls
    double unsolved;
    waiting node[TOGETHER];
} line_up;

static bool meets_coupled(const job *j, const sherd_mpm_contact_groups *m)
{
    for (int k = 0; k < m->groups; ++k)
        if (sherd_mpm_is_coupled(j->grid, m->group[k].first)) return true;
    return false;
}

// Walls are bodies behind the groups; what sticks to one has its mass.
static bool meets_wall(const sherd_mpm_contact_groups *m, const sherd_contact_problem *p)
{
    for (int k = 0; k < m->groups; ++k)
        if (isinf(p->mass[k])) return true;
    return p->bodies > m->groups;
}

// Poses the problem when there is contact. Returns whether there is; `bound` is whether a wall or a coupled body may touch, or
// softening glue pull.
static bool find_problem(const job *j, waiting *at, bool *bound)
{
    bool paper = j->def->kind == SHERD_MPM_CONTACT_PAPER, pushes, sprung = false;
    const sherd_mpm_contact_groups *m = &at->node_groups;
    sherd_contact_problem *p = &at->problem;
    sherd_mpm_wall_contact *w = &at->walls;
    line lines[SHERD_CONTACT_PAIRS];
    *bound = false;
    if (m->groups + w->near_count < 2) return false;
    pushes = paper ? pose_pairs(j, m, at->node, p) : pose(j, at, lines, &sprung);
    int pairs = paper ? 0 : p->pairs;
    pushes = sherd_mpm_add_walls(w, m, at->node, p) || pushes;
    bool others = j->def->softens || meets_coupled(j, m);
    *bound = meets_wall(m, p) || ((p->pairs > 0 || sprung) && others);
    if (!pushes) return false;
    find_reaches(j, p, pairs, lines, w->near_count == 0 && j->grid->first_coupled == 0);
    sherd_mpm_note_start(w, m, at->node, p);
    return true;
}

// What it takes to give a group's layers one velocity, as contact is booked (mpm_wall_contact.h): from what stress and
// gravity made of them to that of the group as it was joined.
static double joining_loss(const job *j, const sherd_mpm_contact_groups *m, int node)
{
    double sum = 0.0;
    for (int n = 0; n < m->layers; ++n) {
        int a = m->group_of[n];
        if (a < 0 || m->group[a].members < 2) continue;
        const double *load = j->grid->loads[m->layer[n]].node[node][0];
        const double *motion = j->grid->motion[m->layer[n]].node[node][0],
                     *common = m->group[a].motion[0];
        for (int k = 0; k < 3; ++k)
            sum += 0.5 * load[0] * (motion[k] - common[k]) * (load[1 + k] / load[0] + common[k]);
    }
    return sum;
}

// What acts at the node (mpm_grid.h). Bodies that do not come too near in this step are as free as others.
static void note_meeting(const job *j, const sherd_mpm_contact_groups *m, int node, double what)
{
    for (int n = 0; n < m->layers; ++n)
        j->grid->motion[m->layer[n]].node[node][1][3] = what;
}

// Groups of several move as one, whatever they touch; `pushes`: by what their problem says.
static void move_groups(const job *j, const waiting *at, bool pushes)
{
    const sherd_mpm_contact_groups *m = &at->node_groups;
    for (int k = 0; k < m->groups; ++k)
        if (pushes || m->group[k].members > 1)
            sherd_mpm_set_group_velocity(j->grid, m, at->node, k,
                                         pushes ? at->problem.velocity[k] : m->group[k].motion[0]);
}

static void solve_together(line_up *l, int sweeps[TOGETHER])
{
    sherd_contact_problem *problems[TOGETHER];
    for (int k = 0; k < l->count; ++k)
        problems[k] = &l->node[k].problem;
    l->j->f.gauss_seidel(problems, l->count, sweeps);
    for (int k = 0; k < l->count; ++k)
        if (sweeps[k] == SHERD_MPM_ALONE) sweeps[k] = sherd_contact_solve(problems[k]);
}

static void solve_pairwise(line_up *l, int sweeps[TOGETHER])
{
    for (int k = 0; k < l->count; ++k)
        sherd_contact_solve_pairwise(&l->node[k].problem), sweeps[k] = 1;
}

// All that wait, in their order.
static void solve_waiting(line_up *l)
{
    const job *j = l->j;
    int sweeps[TOGETHER];
    if (j->def->kind == SHERD_MPM_CONTACT_PAPER)
        solve_pairwise(l, sweeps);
    else
        solve_together(l, sweeps);
    for (int k = 0; k < l->count; ++k) {
        const waiting *at = &l->node[k];
        sherd_mpm_book_contact(&at->walls, &at->node_groups, &at->problem);
        move_groups(j, at, true);
        l->unsolved += sweeps[k] == 0 && !at->node_groups.crowded;
    }
    l->count = 0;
}

static void add_node(line_up *l, const sherd_mpm_wall_contact *w, int node)
{
    const job *j = l->j;
    waiting *at = &l->node[l->count];
    int least = w->near_count > 0 ? 1 : 2;
    if (!sherd_mpm_find_groups(j->grid, j->def->glue, l->block, node, least, &at->node_groups))
        return;
    at->node = node;
    if (l->begun == l->count) at->walls = *w, ++l->begun;
    w->losses->joining += joining_loss(j, &at->node_groups, node);
    bool bound, pushes = find_problem(j, at, &bound);
    if (bound || pushes)
        note_meeting(j, &at->node_groups, node, bound ? SHERD_MPM_BOUND : SHERD_MPM_PUSHED);
    l->unsolved += at->node_groups.crowded;
    if (pushes)
        ++l->count;
    else
        move_groups(j, at, false);
    if (l->count == TOGETHER) solve_waiting(l);
}

static void solve_nodes(line_up *l, const sherd_mpm_wall_contact *w, uint64_t nodes)
{
    l->block = w->block, l->count = l->begun = 0;
    for (int node = 0; node < SHERD_MPM_NODES; ++node)
        if (nodes >> node & 1) add_node(l, w, node);
    solve_waiting(l);
}

// Rows that several layers have; beside walls, that any has.
static unsigned shared_rows(const sherd_mpm_grid *g, const sherd_mpm_shared_block *block, int walls)
{
    unsigned some = 0, several = 0;
    for (size_t k = block->begin; k < block->end; ++k) {
        several |= some & g->layers[k].rows;
        some |= g->layers[k].rows;
    }
    return walls > 0 ? some : several;
}

static sherd_mpm_wall_contact walls_of(const job *j, size_t block)
{
    const sherd_mpm_walls *walls = j->def->walls;
    sherd_mpm_wall_contact w = {.walls = walls,
                                .driven = j->def->driven,
                                .grid = j->grid,
                                .solids = j->def->solids,
                                .dt = j->def->dt,
                                .springs = j->def->springs,
                                .fall = {j->def->fall.x, j->def->fall.y, j->def->fall.z},
                                .block = block,
                                .losses = &j->losses[block]};
    w.near_count = sherd_mpm_walls_near(walls, j->grid->layers[j->grid->shared[block].begin].block,
                                        j->grid->h, w.near);
    if (j->def->markers != NULL && !j->def->again) w.markers = &j->def->markers[block];
    if (walls != NULL) w.reaction = &j->reaction[block * (size_t)walls->count];
    return w;
}

static bool has_coupling(const sherd_mpm_grid *g, const sherd_mpm_shared_block *block)
{
    for (size_t k = block->begin; k < block->end; ++k)
        if (sherd_mpm_is_coupled(g, k)) return true;
    return false;
}

static bool has_fluids(const job *j, const sherd_mpm_shared_block *block)
{
    for (size_t k = block->begin; k < block->end; ++k)
        if (sherd_mpm_is_fluid(j->grid, j->def->solids, j->grid->layers[k].body)) return true;
    return false;
}

// Whether all bodies of a block touch by springs, and nobody asks which of them meet at nodes.
static bool has_skins_only(const job *j, const sherd_mpm_shared_block *block, int walls,
                           const int near[])
{
    if (j->def->softens) return false;
    for (size_t k = block->begin; k < block->end; ++k)
        if (!is_sprung(j, k)) return false;
    for (int k = 0; k < walls; ++k)
        if (j->def->walls->list[near[k]].sticky) return false;
    return true;
}

// Rows of four nodes that are more crowded than problems may be.
static unsigned crowded_rows(const sherd_mpm_grid *g, const sherd_mpm_shared_block *block)
{
    unsigned crowded = 0;
    int layers[SHERD_MPM_ROWS] = {0};
    for (size_t k = block->begin; k < block->end; ++k)
        for (int row = 0; row < SHERD_MPM_ROWS; ++row)
            if (g->layers[k].rows >> row & 1 && ++layers[row] > SHERD_MPM_NODE_GROUPS)
                crowded |= 1u << row;
    return crowded;
}

static uint64_t nodes_of_rows(unsigned rows)
{
    uint64_t nodes = 0;
    for (int row = 0; row < SHERD_MPM_ROWS; ++row)
        if (rows >> row & 1) nodes |= (uint64_t)15 << (row * SHERD_MPM_SIDE);
    return nodes;
}

// Whether all that meets in a block is one body, and meets nothing else.
static bool is_one(const job *j, size_t block, int walls)
{
    const sherd_mpm_shared_block *at = &j->grid->shared[block];
    return walls == 0 && !j->grid->layers[at->begin].apart && !has_coupling(j->grid, at);
}

// Nodes of a block at which something may have to be solved. Where bodies meet nothing but each other, most of them do not
// come near in this step, and need no problem.
static uint64_t nodes_to_solve(const job *j, size_t block, int walls, const int near[])
{
    const sherd_mpm_shared_block *at = &j->grid->shared[block];
    const sherd_mpm_glues *glue = j->def->glue;
    unsigned rows = shared_rows(j->grid, at, walls);
    bool glued = glue != NULL && glue->of_block[block] < glue->of_block[block + 1];
    if (!glued && has_skins_only(j, at, walls, near)) return 0;
    if (rows == 0 || walls > 0 || glued || j->def->softens || has_coupling(j->grid, at) ||
        has_fluids(j, at) || j->def->kind == SHERD_MPM_CONTACT_PAPER)
        return nodes_of_rows(rows);
    return j->f.closing(j->grid, at, j->def->dt) | nodes_of_rows(crowded_rows(j->grid, at));
}

// While they are in the cache.
static void sum_moved(const job *j, const sherd_mpm_shared_block *block)
{
    for (size_t k = block->begin; k < block->end; ++k) {
        if (j->grid->layers[k].moved) j->f.motion_energy(j->grid, k, j->def->nodes);
        j->grid->layers[k].moved = false;
    }
}

static double solve_blocks(void *context, size_t begin, size_t end)
{
    const job *j = context;
    line_up l;
    l.j = j, l.unsolved = 0.0;
    for (size_t k = begin; k < end; ++k) {
        if (j->def->again && !has_coupling(j->grid, &j->grid->shared[k])) continue;
        sherd_mpm_wall_contact walls = walls_of(j, k);
        uint64_t nodes = nodes_to_solve(j, k, walls.near_count, walls.near);
        if (nodes != 0 && is_one(j, k, walls.near_count)) {
            j->losses[k].joining += j->f.join_nodes(j->grid, &j->grid->shared[k], nodes);
            nodes = 0;
        }
        if (nodes != 0) solve_nodes(&l, &walls, nodes);
        sum_moved(j, &j->grid->shared[k]);
    }
    return l.unsolved;
}

// In the order of blocks.
static void sum_up(const job *j)
{
    const sherd_mpm_walls *walls = j->def->walls;
    sherd_mpm_losses *sum = j->def->losses;
    size_t count = walls != NULL ? (size_t)walls->count : 0;
    for (size_t k = 0; k < j->grid->shared_count; ++k) {
        sum->contact += j->losses[k].contact, sum->friction += j->losses[k].friction;
        sum->work += j->losses[k].work, sum->joining += j->losses[k].joining;
        sum->coupling += j->losses[k].coupling;
        sum->closing = fmax(sum->closing, j->losses[k].closing);
        for (size_t w = 0; w < count; ++w)
            for (int i = 0; i < 3; ++i) {
                walls->reaction[w].impulse[i] += j->reaction[k * count + w].impulse[i];
                walls->reaction[w].moment[i] += j->reaction[k * count + w].moment[i];
            }
    }
}

double sherd_mpm_solve_contacts(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                const sherd_mpm_contact_def *def)
{
    size_t blocks = grid->shared_count, walls = def->walls != NULL ? (size_t)def->walls->count : 0;
    job j = {grid, def, sherd_alloc(blocks, sizeof *j.losses),
             sherd_alloc(blocks * walls, sizeof *j.reaction), sherd_mpm_choose_kernels()};
    double unsolved = -1.0;
    if (j.losses != NULL && j.reaction != NULL) {
        unsolved = sherd_parallel_sum(parallel, blocks, 1, solve_blocks, &j);
        sum_up(&j);
    }
    sherd_free(j.losses), sherd_free(j.reaction);
    return unsolved;
}

// Outlines are for contact alone, and for glue by force.
static bool needs_outlines(const job *j, size_t block)
{
    const sherd_mpm_glues *glue = j->def->glue;
    int near[SHERD_MPM_NEAR_WALLS];
    int walls = sherd_mpm_walls_near(
        j->def->walls, j->grid->layers[j->grid->shared[block].begin].block, j->grid->h, near);
    unsigned rows = shared_rows(j->grid, &j->grid->shared[block], walls);
    bool free = glue == NULL || glue->of_block[block] == glue->of_block[block + 1];
    if (rows == 0) return false;
    if (free && has_skins_only(j, &j->grid->shared[block], walls, near)) return false;
    if (walls > 0) return true;
    if (free || glue->criterion == SHERD_MPM_GLUE_FORCE) return true;
    for (int node = 0; node < SHERD_MPM_NODES; ++node)
        if (rows >> node / SHERD_MPM_SIDE & 1 &&
            sherd_mpm_has_several_groups(j->grid, glue, block, node))
            return true;
    return false;
}

static void find_in_blocks(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k) {
        bool apart = needs_outlines(j, k);
        for (size_t n = j->grid->shared[k].begin; n < j->grid->shared[k].end; ++n)
            j->grid->layers[n].apart = apart;
    }
}

void sherd_mpm_find_contacts(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                             const sherd_mpm_contact_def *def)
{
    job j = {.grid = grid, .def = def};
    sherd_parallel_for(parallel, grid->shared_count, 1, find_in_blocks, &j);
}
