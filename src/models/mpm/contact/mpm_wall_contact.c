#include "models/mpm/contact/mpm_wall_contact.h"

#include "base/assertion.h"
#include "models/mpm/contact/mpm_separating_axis.h"
#include "models/mpm/grid/mpm_surface_reconstruction.h"
#include "models/mpm/surface/mpm_penalty_contact.h"

#include <math.h>
#include <string.h>

// Nodes up to the distance FARTHEST [h] outside a wall are in contact with it, so that there is
// such a node wherever the wall lies in its cell; otherwise bodies would sink to the next node
// inside. For sticky walls the distance is HALFWAY. Sand and fluids have markers instead.
static const double FARTHEST = 1.0, HALFWAY = 0.5;
// Free nodes let points creep into walls. A body that is deeper than OVERLAP [h] and still
// approaches leaves with the speed of its approach, and by at most the fraction PARTING of the
// excess per step. The overlap is that large because bodies with shear stress are supported by it;
// earlier pushes would shake them.
static const double OVERLAP = 0.25, PARTING = 0.05;
// Nodes up to this distance from a wall [h] give sand and fluids their markers; slightly more than
// a half, for walls halfway between nodes.
static const double MARKER = 0.5 + 1e-6;
static const double STICKS = 1e30; // friction coefficient of sticky walls
static const double BEHIND = 2.0;  // farthest node behind a thin wall that the wall acts on [h]
// Nodes up to this distance beside a face [h] belong to it. None for solids: with 0.5 a block half
// over an edge would be supported half a cell too far. Sand and fluids would leave through the
// seams between walls otherwise.
static const double OVERHANG = 0.0, OVERHANG_OF_FLOWS = 0.5;
static const double TOUCHING = 0.25; // gap below which bodies move with a sticky wall [h]
// Product of normals above which faces are one, as for elements
static const double ONE_FACE = 0.9;
static const double OPPOSITE = -0.9; // product of normals below which walls are opposite

// ---------------------------------------------------------------- the problem

void sherd_mpm_find_node_position(const sherd_mpm_grid *g, size_t shared, int node, double x[3])
{
    const int32_t *block = g->layers[g->shared[shared].begin].block;
    const int at[3] = {node % SHERD_MPM_SIDE, node / SHERD_MPM_SIDE % SHERD_MPM_SIDE,
                       node / SHERD_MPM_SIDE / SHERD_MPM_SIDE};
    for (int axis = 0; axis < 3; ++axis)
        x[axis] = g->h * (double)(SHERD_MPM_SIDE * block[axis] - 1 + at[axis]);
}

double sherd_mpm_room_beside(const sherd_mpm_wall_contact *w, const double x[3])
{
    double room = 1.0;
    for (int k = 0; k < w->near_count; ++k) {
        sherd_mpm_face faces[SHERD_MPM_WALL_FACES];
        int count =
            sherd_mpm_wall_faces(&w->walls->list[w->near[k]], x, BEHIND * w->grid->h, faces);
        for (int n = 0; n < count; ++n) {
            double distance = faces[n].distance / w->grid->h;
            room *= 1.0 - sherd_mpm_share_below(w->grid->kernel, -distance);
        }
    }
    return room;
}

static void stick(sherd_mpm_wall_contact *w, sherd_contact_problem *p, int a, int wall)
{
    w->stuck_to[a] = wall;
    p->mass[a] = INFINITY;
    w->walls->list[wall].velocity(w->walls->list[wall].context, w->x, p->velocity[a]);
}

static bool approach(const sherd_contact_problem *p, const sherd_contact_pair *pair)
{
    double speed = 0.0;
    for (int k = 0; k < 3; ++k)
        speed += (p->velocity[pair->a][k] - p->velocity[pair->b][k]) * pair->normal[k];
    return speed > pair->reach;
}

static bool flows(const sherd_mpm_wall_contact *w, const sherd_mpm_group *group)
{
    sherd_solid_kind kind = w->solids[w->grid->layers[group->first].body].kind;
    return kind == SHERD_SOLID_FLUID || kind == SHERD_SOLID_SAND;
}

static bool has_surface(const sherd_mpm_wall_contact *w, const sherd_mpm_group *group)
{
    return sherd_mpm_has_body_surface(&w->solids[w->grid->layers[group->first].body]);
}

// Speed at which a group that approaches with `speed` may approach; below 0 if it has to leave.
// Nodes that are not `near` overestimate the depth of layers thinner than a cell.
static double reach_of(const sherd_mpm_wall_contact *w, bool near, double gap, double speed)
{
    double overlap = OVERLAP * w->grid->h;
    if (!near || gap >= -overlap || !(speed > 0.0)) return fmax(0.0, gap) / w->dt;
    return -fmin(speed, PARTING * (-gap - overlap) / w->dt);
}

// Adds the pair of a group and a wall, and the wall's velocity as the problem's next body.
static void add_pair(const sherd_mpm_wall_contact *w, const sherd_mpm_group *group, int a,
                     const sherd_mpm_wall *wall, const sherd_mpm_face *f, double gap,
                     sherd_contact_problem *p)
{
    double *v = p->velocity[p->bodies], speed = 0.0;
    bool near = f->distance <= HALFWAY * w->grid->h;
    wall->velocity(wall->context, w->x, v);
    for (int k = 0; k < 3; ++k)
        speed += (v[k] - p->velocity[a][k]) * f->normal[k];
    sherd_contact_pair *pair = &p->pair[p->pairs++];
    *pair = (sherd_contact_pair){.a = a,
                                 .b = p->bodies,
                                 .normal = {-f->normal[0], -f->normal[1], -f->normal[2]},
                                 .reach = reach_of(w, near, gap, speed),
                                 .friction = wall->friction[w->grid->layers[group->first].body]};
    sherd_mpm_add_spin_slip(group, f->normal, f->distance, pair->slip);
}

static bool is_known(const sherd_mpm_wall_contact *w, const sherd_mpm_wall *wall,
                     const sherd_mpm_face *f)
{
    return f->distance <= (wall->sticky ? HALFWAY : FARTHEST) * w->grid->h;
}

// Whether a driver prescribes the group's velocity along the normal, so that the wall cannot change
// it.
static bool is_held(const sherd_mpm_wall_contact *w, const sherd_mpm_node_groups *m, int node,
                    int a, const sherd_mpm_face *f)
{
    return w->driven != NULL &&
           sherd_mpm_is_driven_along(w->driven, w->grid, m, node, a, f->normal);
}

static void add_marker(const sherd_mpm_wall_contact *w, const sherd_mpm_wall *wall, int number,
                       const sherd_mpm_group *group, const sherd_mpm_face *f, double gap)
{
    double h = w->grid->h;
    if (w->markers == NULL || !(fabs(f->distance) <= MARKER * h) || !isfinite(gap)) return;
    sherd_mpm_marker marker = {.layer = group->first,
                               .wall = number,
                               .body = -1,
                               .rigid = -1,
                               .gap = gap,
                               .friction = wall->friction[w->grid->layers[group->first].body]};
    if (wall->sticky) marker.friction = STICKS;
    for (int k = 0; k < 3; ++k) {
        marker.x[k] = w->x[k] - f->distance * f->normal[k];
        marker.normal[k] = f->normal[k];
    }
    sherd_mpm_add_marker(w->markers, &marker);
}

// Adds markers on the other faces of a wall near an inner edge. With markers on the nearest faces
// alone, only nodes beyond the bisector would hold a strip of either face, and fluid would leave
// through the edge.
static void add_other_markers(const sherd_mpm_wall_contact *w, const sherd_mpm_node_groups *m,
                              int node, int number, int a, const sherd_mpm_face *nearest)
{
    const sherd_mpm_wall *wall = &w->walls->list[number];
    sherd_mpm_face faces[SHERD_MPM_WALL_FACES];
    if (wall->faces == NULL || !(fabs(nearest->distance) <= MARKER * w->grid->h)) return;
    int count = wall->faces(wall->context, w->x, MARKER * w->grid->h, faces);
    for (int k = 0; k < count; ++k) {
        const sherd_mpm_face *f = &faces[k];
        double along = 0.0;
        for (int i = 0; i < 3; ++i)
            along += f->normal[i] * nearest->normal[i];
        if (along > ONE_FACE || is_held(w, m, node, a, f)) continue;
        add_marker(w, wall, number, &m->group[a], f, sherd_mpm_face_gap(w->grid, &m->group[a], f));
    }
}

// Adds wall `number` as the problem's next body, with a pair for each group that it may touch.
static bool add_wall(sherd_mpm_wall_contact *w, const sherd_mpm_node_groups *m, int node,
                     int number, sherd_contact_problem *p)
{
    const sherd_mpm_wall *wall = &w->walls->list[number];
    sherd_mpm_face nearest;
    nearest.distance = wall->distance(wall->context, w->x, nearest.normal);
    int first = p->pairs;
    bool pushes = false;
    if (nearest.distance > BEHIND * w->grid->h) return false;
    for (int a = 0; a < m->groups; ++a) {
        // Its own solver computes this contact
        if (sherd_mpm_is_coupled(w->grid, m->group[a].first)) continue;
        // Surface springs do
        if (w->springs && !wall->sticky && has_surface(w, &m->group[a])) continue;
        sherd_mpm_face f = nearest;
        double overhang = flows(w, &m->group[a]) ? OVERHANG_OF_FLOWS : OVERHANG;
        if (!sherd_mpm_choose_separating_face(w->grid, wall, w->x, &m->group[a], overhang, &f))
            continue;
        if (is_held(w, m, node, a, &f)) continue;
        double gap = sherd_mpm_face_gap(w->grid, &m->group[a], &f);
        if (flows(w, &m->group[a])) {
            add_marker(w, wall, number, &m->group[a], &f, gap);
            add_other_markers(w, m, node, number, a, &nearest);
            continue;
        }
        if (!is_known(w, wall, &f)) continue;
        if (wall->sticky && gap < TOUCHING * w->grid->h) {
            stick(w, p, a, number);
            pushes = true;
        }
        if (!wall->sticky && p->pairs < SHERD_CONTACT_PAIRS)
            add_pair(w, &m->group[a], a, wall, &f, gap, p);
    }
    if (p->pairs == first) return pushes;
    w->wall_of[p->bodies] = number, p->mass[p->bodies++] = INFINITY;
    for (int k = first; k < p->pairs; ++k)
        pushes = pushes || approach(p, &p->pair[k]);
    return pushes;
}

// Two walls that approach a group from opposite sides faster than it may yield are incompatible
// constraints, and impulses would grow with every sweep. The excess is divided between them in
// proportion to their distances from the node. So nodes between plates have the velocities of
// uniform compression, and nodes on a plate have the plate's.
static void yield_to_both(const sherd_mpm_wall_contact *w, const sherd_contact_problem *p,
                          sherd_contact_pair *one, sherd_contact_pair *other)
{
    const double *u = p->velocity[one->b], *v = p->velocity[other->b];
    double along = 0.0, excess = -(one->reach + other->reach), distance[2], normal[3];
    for (int k = 0; k < 3; ++k) {
        along += one->normal[k] * other->normal[k];
        excess -= u[k] * one->normal[k] + v[k] * other->normal[k];
    }
    if (!(along < OPPOSITE) || !(excess > 0.0)) return;
    const int bodies[2] = {one->b, other->b};
    for (int k = 0; k < 2; ++k) {
        const sherd_mpm_wall *wall = &w->walls->list[w->wall_of[bodies[k]]];
        distance[k] = fmax(wall->distance(wall->context, w->x, normal), 0.0);
    }
    double sum = distance[0] + distance[1], share = sum > 0.0 ? distance[0] / sum : 0.5;
    one->reach += share * excess, other->reach += (1.0 - share) * excess;
}

static void yield_between_walls(const sherd_mpm_wall_contact *w, sherd_contact_problem *p,
                                int first)
{
    for (int k = first; k < p->pairs; ++k)
        for (int n = k + 1; n < p->pairs; ++n)
            if (p->pair[k].a == p->pair[n].a && p->pair[k].b != p->pair[n].b)
                yield_to_both(w, p, &p->pair[k], &p->pair[n]);
}

bool sherd_mpm_add_walls(sherd_mpm_wall_contact *w, const sherd_mpm_node_groups *m, int node,
                         sherd_contact_problem *p)
{
    int first = p->pairs;
    bool pushes = false;
    for (int a = 0; a < m->groups; ++a)
        w->stuck_to[a] = -1;
    if (w->near_count > 0) sherd_mpm_find_node_position(w->grid, w->block, node, w->x);
    for (int k = 0; k < w->near_count; ++k)
        pushes = add_wall(w, m, node, w->near[k], p) || pushes;
    yield_between_walls(w, p, first);
    return pushes;
}

// ---------------------------------------------------------------- accounts

// The work of contact is that along the mean of the velocities at the beginning and at the end of
// the step. Changes by stress and gravity that contact removes in the same step never moved
// anything and are no loss.
void sherd_mpm_note_start(sherd_mpm_wall_contact *w, const sherd_mpm_node_groups *m, int node,
                          const sherd_contact_problem *p)
{
    memcpy(w->start, p->velocity, sizeof p->velocity);
    for (int a = 0; a < m->groups; ++a)
        for (int k = 0; k < 3; ++k)
            w->start[a][k] = 0.0;
    for (int n = 0; n < m->layers; ++n) {
        int a = m->group_of[n];
        const double(*load)[4] = w->grid->loads[m->layer[n]].node[node],
              *motion = w->grid->motion[m->layer[n]].node[node][0];
        double inverse = 1.0 / load[0][0];
        for (int k = 0; k < 3 && a >= 0; ++k) {
            double given = inverse * load[1][k] + w->fall[k],
                   before = motion[k] - (inverse * load[0][1 + k] + given);
            w->start[a][k] += (load[0][1 + k] + load[0][0] * before) / m->group[a].mass;
        }
    }
}

static void push_wall(const sherd_mpm_wall_contact *w, int wall, const double impulse[3],
                      const double velocity[3])
{
    const double *x = w->x;
    sherd_mpm_reaction *r = &w->reaction[wall];
    SHERD_ASSERT(wall >= 0 && wall < w->walls->count, "reactions belong to walls");
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        r->impulse[k] += impulse[k];
        r->moment[k] += x[next] * impulse[last] - x[last] * impulse[next];
        w->losses->work -= impulse[k] * velocity[k];
    }
}

// Velocity at the beginning of the step; a group that sticks to a wall began with the wall's
// velocity.
static double start_of(const sherd_mpm_wall_contact *w, const sherd_mpm_node_groups *m,
                       const sherd_contact_problem *p, int body, int axis)
{
    bool stuck = body < m->groups && w->stuck_to[body] >= 0;
    return stuck ? p->velocity[body][axis] : w->start[body][axis];
}

static void book_pair(const sherd_mpm_wall_contact *w, const sherd_mpm_node_groups *m,
                      const sherd_contact_problem *p, const sherd_contact_pair *pair)
{
    int a = pair->a, b = pair->b;
    double impulse[3], against[3];
    for (int k = 0; k < 3; ++k) {
        double speed = 0.5 * (start_of(w, m, p, a, k) - start_of(w, m, p, b, k) +
                              p->velocity[a][k] - p->velocity[b][k]);
        w->losses->contact += pair->push * pair->normal[k] * speed;
        w->losses->friction += pair->drag[k] * speed;
        impulse[k] = pair->push * pair->normal[k] + pair->drag[k], against[k] = -impulse[k];
    }
    if (b >= m->groups) push_wall(w, w->wall_of[b], impulse, p->velocity[b]);
    if (b < m->groups && w->stuck_to[b] >= 0) push_wall(w, w->stuck_to[b], impulse, p->velocity[b]);
    if (w->stuck_to[a] >= 0) push_wall(w, w->stuck_to[a], against, p->velocity[a]);
}

// Books the impulse that makes a sticking group move with its wall.
static void book_stuck(const sherd_mpm_wall_contact *w, const sherd_mpm_group *group, int a,
                       const sherd_contact_problem *p)
{
    double impulse[3];
    for (int k = 0; k < 3; ++k) {
        impulse[k] = group->mass * (group->motion[0][k] - p->velocity[a][k]);
        w->losses->contact += 0.5 * impulse[k] * (w->start[a][k] - p->velocity[a][k]);
    }
    push_wall(w, w->stuck_to[a], impulse, p->velocity[a]);
}

// Books the work of contact on a coupled body.
static void book_coupled(const sherd_mpm_wall_contact *w, const sherd_mpm_group *group, int a,
                         const sherd_contact_problem *p)
{
    for (int k = 0; k < 3; ++k)
        w->losses->coupling += 0.5 * group->mass * (p->velocity[a][k] - group->motion[0][k]) *
                               (w->start[a][k] + p->velocity[a][k]);
}

void sherd_mpm_book_contact(const sherd_mpm_wall_contact *w, const sherd_mpm_node_groups *m,
                            const sherd_contact_problem *p)
{
    for (int a = 0; a < m->groups; ++a) {
        if (w->stuck_to[a] >= 0) book_stuck(w, &m->group[a], a, p);
        if (sherd_mpm_is_coupled(w->grid, m->group[a].first)) book_coupled(w, &m->group[a], a, p);
    }
    for (int k = 0; k < p->pairs; ++k)
        book_pair(w, m, p, &p->pair[k]);
}
