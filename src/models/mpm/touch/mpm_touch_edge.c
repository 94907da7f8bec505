// Edges and corners of walls and of free bodies meet faces of points: what tips over the edge of a table turns about that, and
// the corner of a box does not go in between samples.
#include "models/mpm/mpm_axes.h"
#include "models/mpm/touch/mpm_touch_find.h"

#include <math.h>
#include <string.h>

enum { AXES = 3, PLACE_BITS = 24 };

static const double DEEPEST = 1.0, FOLLOWED = 2.0; // of the spacing: as in mpm_touch_find.c

// A place on an edge, now.
typedef struct edge {
    uint64_t number;
    int32_t wall, guest; // -1: none
    const sherd_mpm_wall *surface;
    double at[AXES], way[SHERD_MPM_EDGE_WAYS][AXES], length;
    int ways;
} edge;

static void turn_into(const double axes[AXES][AXES], const double from[AXES], double to[AXES])
{
    for (int k = 0; k < AXES; ++k)
        to[k] = sherd_axes_dot(axes[k], from);
}

static edge edge_of(const sherd_mpm_touch_search *j, const sherd_mpm_near_edge *near)
{
    bool is_wall = (near->owner & SHERD_MPM_NEAR_WALL) != 0;
    uint32_t owner = near->owner & ~(SHERD_MPM_NEAR_WALL | SHERD_MPM_NEAR_GUEST);
    const sherd_mpm_guest *guest = is_wall ? NULL : &j->def->guests->list[owner];
    edge e = {.wall = is_wall ? (int32_t)owner : -1, .guest = is_wall ? -1 : (int32_t)owner};
    e.surface = is_wall ? &j->def->grid->walls->list[owner] : guest->surface;
    e.number = (uint64_t)1 << 62 | (uint64_t)(is_wall ? owner : guest->id) << PLACE_BITS |
               (uint64_t)near->place;
    if (!is_wall) e.number |= (uint64_t)1 << 63;
    const sherd_mpm_edge_place *place = &e.surface->edges[near->place];
    double origin[AXES], axes[AXES][AXES];
    e.surface->frame(e.surface->context, origin, axes);
    turn_into(axes, place->at, e.at);
    for (int k = 0; k < AXES; ++k)
        e.at[k] += origin[k];
    e.ways = place->ways, e.length = place->length;
    for (int k = 0; k < e.ways; ++k)
        turn_into(axes, place->way[k], e.way[k]);
    return e;
}

// Of a guest the sample is its own, as that of a ball is; a wall is the partner of points.
static void add(const sherd_mpm_touch_search *j, const edge *e, uint32_t body, size_t near,
                const sherd_mpm_met_face *face, const sherd_mpm_spring *spring,
                sherd_mpm_touch_chunk *c)
{
    double area = e->length * j->touches->skin.lattice->spacing;
    sherd_mpm_touch *touch = sherd_mpm_touch_add(c);
    if (touch == NULL) return;
    touch->sample = e->number, touch->partner = body, touch->gap = face->gap;
    touch->face = j->touches->skin.sites[j->touches->near.list[near].site].number;
    memcpy(touch->at, e->at, sizeof touch->at);
    memcpy(touch->normal, face->normal, sizeof touch->normal);
    if (e->guest >= 0) {
        sherd_mpm_touch_set_side(j, near, e->at, face->depth, &touch->side[1]);
        sherd_mpm_touch_set_guest(j, (size_t)e->guest, body, area, spring, face->depth, touch);
        return;
    }
    for (int k = 0; k < AXES; ++k)
        touch->normal[k] = -face->normal[k];
    sherd_mpm_touch_set_side(j, near, e->at, face->depth, &touch->side[0]);
    touch->wall = e->wall;
    touch->stiffness = area * sherd_mpm_touch_modulus(&j->def->solids[body]) / face->depth;
    touch->friction = e->surface->friction[body];
    sherd_mpm_touch_take_over(spring, touch);
}

// Sites of one body.
static void meet_faces(const sherd_mpm_touch_search *j, const edge *e, size_t begin, size_t end,
                       sherd_mpm_touch_chunk *c)
{
    const sherd_mpm_touches *t = j->touches;
    const sherd_mpm_near *n = &t->near;
    uint32_t body = (uint32_t)(n->of_edges[begin] >> 32);
    const sherd_mpm_spring *spring = sherd_mpm_touch_spring(t, e->number, body);
    const sherd_mpm_place place = {e->at, 0.0, NULL, (const double(*)[AXES])e->way, e->ways};
    double spacing = t->skin.lattice->spacing,
           deepest = (spring != NULL ? FOLLOWED : DEEPEST) * spacing;
    sherd_mpm_met_face best = {0};
    size_t other = 0;
    bool found = false;
    for (size_t k = begin; k < end; ++k) {
        size_t near = (uint32_t)n->of_edges[k];
        sherd_mpm_met_face face;
        bool far = false;
        for (int axis = 0; axis < AXES; ++axis)
            far =
                far || fabs(t->cubes[near].x[axis] - e->at[axis]) > SHERD_MPM_NEAR_REACH * spacing;
        if (far || !sherd_mpm_skin_face(&t->skin, &t->cubes[near], n->list[near].site, &place,
                                        deepest, &face))
            continue;
        // It stays on a face as long as it is above it: what chose the less deep one anew in each step would lose energy.
        bool same = spring != NULL && spring->face == t->skin.sites[n->list[near].site].number;
        if (!found || same || face.gap > best.gap) best = face, other = near, found = true;
        if (same) break;
    }
    if (!found || (spring == NULL && best.gap > j->reach)) return;
    if (e->wall >= 0 && sherd_mpm_touch_is_held(j, other, best.normal)) return;
    add(j, e, body, other, &best, spring, c);
}

void sherd_mpm_touch_meet_edge(const sherd_mpm_touch_search *j, size_t at, sherd_mpm_touch_chunk *c)
{
    const sherd_mpm_near *n = &j->touches->near;
    edge e = edge_of(j, &n->edges[at]);
    size_t last = n->edges[at + 1].first;
    for (size_t k = n->edges[at].first, end; k < last; k = end) {
        uint32_t body = (uint32_t)(n->of_edges[k] >> 32);
        for (end = k + 1; end < last && n->of_edges[end] >> 32 == body;)
            ++end;
        meet_faces(j, &e, k, end, c);
    }
}
