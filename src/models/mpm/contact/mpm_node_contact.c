#include "models/mpm/contact/mpm_node_contact.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "models/mpm/fluid/mpm_fluids.h"

#include <math.h>

typedef struct job {
    sherd_mpm_grid *grid;
    const sherd_mpm_contact_def *def;
    // By shared block, and by shared block and wall
    sherd_mpm_losses *losses;
    sherd_mpm_reaction *reaction;
    sherd_mpm_kernels f;
} job;

// Number of nodes whose problems are solved together, in SIMD lanes.
enum { TOGETHER = 8 };

// ---------------------------------------------------------------- nodes

// Nodes of one block that wait to be solved together.
typedef struct line_up {
    const job *j;
    size_t block;
    int count, begun; // number of waiting nodes; how many of the slots have the block's walls
    double unsolved;
    sherd_mpm_contact_node node[TOGETHER];
} line_up;

static bool meets_coupled(const job *j, const sherd_mpm_node_groups *m)
{
    for (int k = 0; k < m->groups; ++k)
        if (sherd_mpm_is_coupled(j->grid, m->group[k].first)) return true;
    return false;
}

// Whether a wall is in the problem: walls are bodies after the groups, and a group that sticks to
// one has infinite mass.
static bool meets_wall(const sherd_mpm_node_groups *m, const sherd_contact_problem *p)
{
    for (int k = 0; k < m->groups; ++k)
        if (isinf(p->mass[k])) return true;
    return p->bodies > m->groups;
}

// Sets up the node's contact problem. Returns whether an impulse is needed. `bound`: whether a
// wall, a coupled body or softening glue may act here.
static bool find_problem(const job *j, sherd_mpm_contact_node *at, bool *bound)
{
    bool pairwise = j->def->kind == SHERD_MPM_CONTACT_PAIRWISE, pushes, sprung = false;
    const sherd_mpm_node_groups *m = &at->node_groups;
    sherd_contact_problem *p = &at->problem;
    sherd_mpm_wall_contact *w = &at->walls;
    sherd_mpm_pair_line lines[SHERD_CONTACT_PAIRS];
    *bound = false;
    if (m->groups + w->near_count < 2) return false;
    pushes = pairwise ? sherd_mpm_pose_by_pairs(j->grid, j->def, at)
                      : sherd_mpm_pose_by_surfaces(j->grid, j->def, at, lines, &sprung);
    int pairs = pairwise ? 0 : p->pairs;
    pushes = sherd_mpm_add_walls(w, m, at->node, p) || pushes;
    bool others = j->def->softens || meets_coupled(j, m);
    *bound = meets_wall(m, p) || ((p->pairs > 0 || sprung) && others);
    if (!pushes) return false;
    sherd_mpm_find_reaches(j->grid, j->def, p, pairs, lines,
                           w->near_count == 0 && j->grid->first_coupled == 0);
    sherd_mpm_note_start(w, m, at->node, p);
    return true;
}

// Energy lost by giving the layers of a group one velocity, booked as for contact
// (mpm_wall_contact.h): from the velocities due to stress and gravity to the group's.
static double joining_loss(const job *j, const sherd_mpm_node_groups *m, int node)
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

// Stores what acts at the node (mpm_grid.h). Bodies that do not collide in this step count as free.
static void note_contact(const job *j, const sherd_mpm_node_groups *m, int node, double what)
{
    for (int n = 0; n < m->layers; ++n)
        j->grid->motion[m->layer[n]].node[node][1][3] = what;
}

// Sets the velocities of layers: those of the solved problem if it `pushes`, else the common
// velocity of groups with several layers.
static void move_groups(const job *j, const sherd_mpm_contact_node *at, bool pushes)
{
    const sherd_mpm_node_groups *m = &at->node_groups;
    for (int k = 0; k < m->groups; ++k)
        if (pushes || m->group[k].members > 1)
            sherd_mpm_set_group_velocity(j->grid, m, at->node, k,
                                         pushes ? at->problem.velocity[k] : m->group[k].motion[0]);
}

static void solve_together(line_up *l, int sweeps[TOGETHER])
{
    sherd_contact_problem *problems[TOGETHER];
    for (int k = 0; k < l->count; ++k) {
        problems[k] = &l->node[k].problem;
        SHERD_ASSERT(sherd_contact_is_posed(problems[k]), "problems of nodes are posed");
    }
    l->j->f.gauss_seidel(problems, l->count, sweeps);
    for (int k = 0; k < l->count; ++k)
        if (sweeps[k] == SHERD_MPM_ALONE) sweeps[k] = sherd_contact_solve(problems[k]);
}

static void solve_pairwise(line_up *l, int sweeps[TOGETHER])
{
    for (int k = 0; k < l->count; ++k)
        sherd_contact_solve_pairwise(&l->node[k].problem), sweeps[k] = 1;
}

// Solves the waiting nodes and applies their results in the order of nodes.
static void solve_waiting(line_up *l)
{
    const job *j = l->j;
    int sweeps[TOGETHER];
    if (j->def->kind == SHERD_MPM_CONTACT_PAIRWISE)
        solve_pairwise(l, sweeps);
    else
        solve_together(l, sweeps);
    for (int k = 0; k < l->count; ++k) {
        const sherd_mpm_contact_node *at = &l->node[k];
        SHERD_ASSERT(k == 0 || l->node[k - 1].node < at->node, "nodes wait in their order");
        sherd_mpm_book_contact(&at->walls, &at->node_groups, &at->problem);
        move_groups(j, at, true);
        l->unsolved += sweeps[k] == 0 && !at->node_groups.crowded;
    }
    l->count = 0;
}

static void add_node(line_up *l, const sherd_mpm_wall_contact *w, int node)
{
    const job *j = l->j;
    sherd_mpm_contact_node *at = &l->node[l->count];
    int least = w->near_count > 0 ? 1 : 2;
    if (!sherd_mpm_find_groups(j->grid, j->def->glue, l->block, node, least, &at->node_groups))
        return;
    at->node = node;
    if (l->begun == l->count) at->walls = *w, ++l->begun;
    w->losses->joining += joining_loss(j, &at->node_groups, node);
    bool bound, pushes = find_problem(j, at, &bound);
    if (bound || pushes)
        note_contact(j, &at->node_groups, node, bound ? SHERD_MPM_BOUND : SHERD_MPM_PUSHED);
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

// Rows of nodes that several layers share; near walls, rows that any layer has.
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

// Whether all contact in a block is by springs, and glue does not ask for contact at nodes.
static bool has_surfaces_only(const job *j, const sherd_mpm_shared_block *block, int walls,
                              const int near[])
{
    if (j->def->softens) return false;
    for (size_t k = block->begin; k < block->end; ++k)
        if (!sherd_mpm_touches_by_springs(j->grid, j->def, k)) return false;
    for (int k = 0; k < walls; ++k)
        if (j->def->walls->list[near[k]].sticky) return false;
    return true;
}

// Rows of four nodes with more layers than a problem can have.
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

// Whether a block has one body (several pieces joined by glue) and nothing else, so that nodes need
// only be joined.
static bool is_one(const job *j, size_t block, int walls)
{
    const sherd_mpm_shared_block *at = &j->grid->shared[block];
    return walls == 0 && !j->grid->layers[at->begin].apart && !has_coupling(j->grid, at);
}

// Nodes of a block that may need a contact problem. Where there are only bodies, without walls and
// the like, a cheap bound excludes most of them.
static uint64_t nodes_to_solve(const job *j, size_t block, int walls, const int near[])
{
    const sherd_mpm_shared_block *at = &j->grid->shared[block];
    const sherd_mpm_glues *glue = j->def->glue;
    unsigned rows = shared_rows(j->grid, at, walls);
    bool glued = glue != NULL && glue->of_block[block] < glue->of_block[block + 1];
    if (!glued && has_surfaces_only(j, at, walls, near)) return 0;
    if (rows == 0 || walls > 0 || glued || j->def->softens || has_coupling(j->grid, at) ||
        has_fluids(j, at) || j->def->kind == SHERD_MPM_CONTACT_PAIRWISE)
        return nodes_of_rows(rows);
    return j->f.closing(j->grid, at, j->def->dt) | nodes_of_rows(crowded_rows(j->grid, at));
}

// Updates the energies of layers that moved, while these are in the cache.
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

// Adds losses and reactions in the order of blocks, so that the sums do not depend on threads.
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

// Whether bodies of a block need moments of their volume: for contact at nodes, and for glue with
// the force criterion.
static bool needs_outlines(const job *j, size_t block)
{
    const sherd_mpm_glues *glue = j->def->glue;
    int near[SHERD_MPM_NEAR_WALLS];
    int walls = sherd_mpm_walls_near(
        j->def->walls, j->grid->layers[j->grid->shared[block].begin].block, j->grid->h, near);
    unsigned rows = shared_rows(j->grid, &j->grid->shared[block], walls);
    bool free = glue == NULL || glue->of_block[block] == glue->of_block[block + 1];
    if (rows == 0) return false;
    if (free && has_surfaces_only(j, &j->grid->shared[block], walls, near)) return false;
    if (walls > 0) return true;
    if (free || glue->breaks_by_force) return true;
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
