// Contact of edges and corners of walls and free bodies with faces of points. It lets bodies tip
// over the edge of a table, and keeps the corner of a box from penetrating between samples.
#include "models/mpm/grid/mpm_axes.h"
#include "models/mpm/surface/mpm_narrow_phase.h"

#include <math.h>
#include <string.h>

enum { AXES = 3, PLACE_BITS = 24 };

static const double DEEPEST = 1.0, FOLLOWED = 2.0; // [spacing], as in mpm_narrow_phase.c

// A sample of an edge, at its present position.
typedef struct edge {
    uint64_t number;
    int32_t wall, coupled; // -1: none
    const sherd_mpm_wall *surface;
    double at[AXES], direction[SHERD_MPM_EDGE_DIRECTIONS][AXES], length;
    int directions;
} edge;

static void turn_into(const double axes[AXES][AXES], const double from[AXES], double to[AXES])
{
    for (int k = 0; k < AXES; ++k)
        to[k] = sherd_axes_dot(axes[k], from);
}

static edge edge_of(const sherd_mpm_contact_search *j, const sherd_mpm_candidate_edge *candidate)
{
    bool is_wall = (candidate->owner & SHERD_MPM_PARTNER_WALL) != 0;
    uint32_t owner = candidate->owner & ~(SHERD_MPM_PARTNER_WALL | SHERD_MPM_PARTNER_COUPLED);
    const sherd_mpm_coupled_body *coupled = is_wall ? NULL : &j->def->coupling->list[owner];
    edge e = {.wall = is_wall ? (int32_t)owner : -1, .coupled = is_wall ? -1 : (int32_t)owner};
    e.surface = is_wall ? &j->def->grid->walls->list[owner] : coupled->surface;
    e.number = (uint64_t)1 << 62 | (uint64_t)(is_wall ? owner : coupled->id) << PLACE_BITS |
               (uint64_t)candidate->place;
    if (!is_wall) e.number |= (uint64_t)1 << 63;
    const sherd_mpm_edge_sample *place = &e.surface->edges[candidate->place];
    double origin[AXES], axes[AXES][AXES];
    e.surface->frame(e.surface->context, origin, axes);
    turn_into(axes, place->at, e.at);
    for (int k = 0; k < AXES; ++k)
        e.at[k] += origin[k];
    e.directions = place->directions, e.length = place->length;
    for (int k = 0; k < e.directions; ++k)
        turn_into(axes, place->direction[k], e.direction[k]);
    return e;
}

// Adds the contact. If the edge is a coupled body's, the sample belongs to that body, as for balls;
// otherwise the wall is the points' partner.
static void add(const sherd_mpm_contact_search *j, const edge *e, uint32_t body, size_t candidate,
                const sherd_mpm_face_hit *face, const sherd_mpm_spring *spring,
                sherd_mpm_contact_chunk *c)
{
    double area = e->length * j->penalty->surface.lattice->spacing;
    sherd_mpm_contact_point *contact = sherd_mpm_search_add(c);
    if (contact == NULL) return;
    contact->sample = e->number, contact->partner = body, contact->gap = face->gap;
    contact->face = j->penalty->surface.sites[j->penalty->candidates.list[candidate].site].number;
    memcpy(contact->at, e->at, sizeof contact->at);
    memcpy(contact->normal, face->normal, sizeof contact->normal);
    if (e->coupled >= 0) {
        sherd_mpm_search_set_side(j, candidate, e->at, face->depth, &contact->side[1]);
        sherd_mpm_search_set_coupled(j, (size_t)e->coupled, body, area, spring, face->depth,
                                     contact);
        return;
    }
    for (int k = 0; k < AXES; ++k)
        contact->normal[k] = -face->normal[k];
    sherd_mpm_search_set_side(j, candidate, e->at, face->depth, &contact->side[0]);
    contact->wall = e->wall;
    contact->stiffness = area * sherd_mpm_penalty_modulus(&j->def->solids[body]) / face->depth;
    contact->friction = e->surface->friction[body];
    sherd_mpm_search_continue_spring(spring, contact);
}

// Finds the contact of an edge's sample with the faces of one body: that of largest separation.
static void meet_faces(const sherd_mpm_contact_search *j, const edge *e, size_t begin, size_t end,
                       sherd_mpm_contact_chunk *c)
{
    const sherd_mpm_penalty_contacts *t = j->penalty;
    const sherd_mpm_candidates *n = &t->candidates;
    uint32_t body = (uint32_t)(n->of_edges[begin] >> 32);
    const sherd_mpm_spring *spring = sherd_mpm_penalty_spring_of(t, e->number, body);
    const sherd_mpm_probe place = {e->at, 0.0, NULL, (const double(*)[AXES])e->direction,
                                   e->directions};
    double spacing = t->surface.lattice->spacing,
           deepest = (spring != NULL ? FOLLOWED : DEEPEST) * spacing;
    sherd_mpm_face_hit best = {0};
    size_t other = 0;
    bool found = false;
    for (size_t k = begin; k < end; ++k) {
        size_t candidate = (uint32_t)n->of_edges[k];
        sherd_mpm_face_hit face;
        bool far = false;
        for (int axis = 0; axis < AXES; ++axis)
            far = far || fabs(t->cubes[candidate].x[axis] - e->at[axis]) >
                             SHERD_MPM_CANDIDATE_REACH * spacing;
        if (far || !sherd_mpm_body_surface_face(&t->surface, &t->cubes[candidate],
                                                n->list[candidate].site, &place, deepest, &face))
            continue;
        // It stays on its face as long as it is above it. Choosing the face of largest separation
        // anew in each step would lose energy.
        bool same =
            spring != NULL && spring->face == t->surface.sites[n->list[candidate].site].number;
        if (!found || same || face.gap > best.gap) best = face, other = candidate, found = true;
        if (same) break;
    }
    if (!found || (spring == NULL && best.gap > j->reach)) return;
    if (e->wall >= 0 && sherd_mpm_search_is_driven(j, other, best.normal)) return;
    add(j, e, body, other, &best, spring, c);
}

void sherd_mpm_search_edge(const sherd_mpm_contact_search *j, size_t at, sherd_mpm_contact_chunk *c)
{
    const sherd_mpm_candidates *n = &j->penalty->candidates;
    edge e = edge_of(j, &n->edges[at]);
    size_t last = n->edges[at + 1].first;
    for (size_t k = n->edges[at].first, end; k < last; k = end) {
        uint32_t body = (uint32_t)(n->of_edges[k] >> 32);
        for (end = k + 1; end < last && n->of_edges[end] >> 32 == body;)
            ++end;
        meet_faces(j, &e, k, end, c);
    }
}
