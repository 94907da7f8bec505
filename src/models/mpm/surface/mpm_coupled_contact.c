// Contact of coupled bodies with surfaces of points. The ball of an element meets a face at the
// ball's point nearest to the face. Samples of the surface meet free bodies, balls that meet no
// face (as at edges), and balls so large that several samples lie below them.
#include "models/mpm/surface/mpm_narrow_phase.h"

#include <math.h>
#include <string.h>

enum { AXES = 3 };

// Depths as in mpm_narrow_phase.c, and the radius of balls above which samples meet them [spacing].
static const double DEEPEST = 1.0, FOLLOWED = 2.0, LARGE = 2.0;
// Largest stiffness of a spring, as a fraction of m / dt^2 with the coupled body's mass and own
// step, so that these steps remain stable; in proportion to the spring's part of the body's cross
// section.
static const double STIFFEST = 0.5;

static const double PI = 3.14159265358979323846;

// Number of a coupled body's springs, above those of points.
static uint64_t number_of(const sherd_mpm_coupled_body *coupled)
{
    return (uint64_t)1 << 63 | coupled->id;
}

static double stiffness_of(const sherd_mpm_contact_search *j, const sherd_mpm_coupled_body *coupled,
                           double area, double stiffness)
{
    double dt = j->def->coupling->dt, resolved = fmax(PI * coupled->radius * coupled->radius, area);
    return fmin(stiffness, STIFFEST * coupled->mass * area / (resolved * dt * dt));
}

void sherd_mpm_search_set_coupled(const sherd_mpm_contact_search *j, size_t coupled, uint32_t body,
                                  double area, const sherd_mpm_spring *spring, double depth,
                                  sherd_mpm_contact_point *contact)
{
    const sherd_mpm_coupled_body *g = &j->def->coupling->list[coupled];
    const sherd_solid *solid = &j->def->solids[body];
    contact->coupled = (int32_t)coupled;
    contact->stiffness = stiffness_of(j, g, area, area * sherd_mpm_penalty_modulus(solid) / depth);
    contact->friction = sherd_mpm_penalty_friction(solid, &j->def->solids[g->body]);
    sherd_mpm_search_continue_spring(spring, contact);
    if (!(contact->overlap > 0.0)) contact->overlap = -fmax(contact->gap, 0.0);
}

// ---------------------------------------------------------------- balls

// Finds the contact of a ball with the faces of one body: that of largest separation.
static bool meet_faces(const sherd_mpm_contact_search *j, size_t coupled, size_t begin, size_t end,
                       sherd_mpm_contact_chunk *c)
{
    const sherd_mpm_penalty_contacts *t = j->penalty;
    const sherd_mpm_candidates *n = &t->candidates;
    const sherd_mpm_coupled_body *g = &j->def->coupling->list[coupled];
    uint32_t body = (uint32_t)(n->of_coupled[begin] >> 32);
    const sherd_mpm_spring *spring = sherd_mpm_penalty_spring_of(t, number_of(g), body);
    const sherd_mpm_probe place = {g->centre, g->radius, NULL, NULL, 0};
    double spacing = t->surface.lattice->spacing,
           deepest = (spring != NULL ? FOLLOWED : DEEPEST) * spacing;
    sherd_mpm_face_hit best = {0};
    size_t other = 0;
    bool found = false;
    for (size_t k = begin; k < end; ++k) {
        size_t candidate = (uint32_t)n->of_coupled[k];
        sherd_mpm_face_hit face;
        double middle[AXES], reach = g->radius + SHERD_MPM_CANDIDATE_REACH * spacing;
        bool far = false;
        for (int axis = 0; axis < AXES; ++axis)
            middle[axis] = t->cubes[candidate].x[axis] - g->centre[axis],
            far = far || fabs(middle[axis]) > reach;
        if (far || !sherd_mpm_body_surface_face(&t->surface, &t->cubes[candidate],
                                                n->list[candidate].site, &place, deepest, &face))
            continue;
        if (!found || face.gap > best.gap) best = face, other = candidate, found = true;
    }
    if (!found || (spring == NULL && best.gap > j->reach)) return false;
    sherd_mpm_contact_point *contact = sherd_mpm_search_add(c);
    if (contact == NULL) return false;
    contact->sample = number_of(g), contact->partner = body, contact->gap = best.gap;
    memcpy(contact->normal, best.normal, sizeof contact->normal);
    for (int k = 0; k < AXES; ++k)
        contact->at[k] = g->centre[k] - g->radius * best.normal[k];
    sherd_mpm_search_set_side(j, other, contact->at, best.depth, &contact->side[1]);
    double side = 2.0 * fmin(g->radius, LARGE * spacing);
    sherd_mpm_search_set_coupled(j, coupled, body, side * side, spring, best.depth, contact);
    return true;
}

void sherd_mpm_search_ball(const sherd_mpm_contact_search *j, size_t coupled,
                           sherd_mpm_contact_chunk *c)
{
    const sherd_mpm_candidates *n = &j->penalty->candidates;
    uint32_t *faced = j->penalty->faced[coupled];
    int count = 0;
    for (int k = 0; k < SHERD_MPM_MAX_FACED_BODIES; ++k)
        faced[k] = UINT32_MAX;
    if (j->def->coupling->list[coupled].surface != NULL) return;
    size_t last = n->first_of_coupled[coupled + 1];
    for (size_t k = n->first_of_coupled[coupled], end; k < last; k = end) {
        uint32_t body = (uint32_t)(n->of_coupled[k] >> 32);
        for (end = k + 1; end < last && n->of_coupled[end] >> 32 == body;)
            ++end;
        if (meet_faces(j, coupled, k, end, c) && count < SHERD_MPM_MAX_FACED_BODIES)
            faced[count++] = body;
    }
}

// ---------------------------------------------------------------- samples

static bool leaves_alone(const sherd_mpm_contact_search *j, size_t coupled, uint32_t body)
{
    const sherd_mpm_coupled_body *g = &j->def->coupling->list[coupled];
    if (g->surface != NULL || g->radius > LARGE * j->penalty->surface.lattice->spacing)
        return false;
    for (int k = 0; k < SHERD_MPM_MAX_FACED_BODIES; ++k)
        if (j->penalty->faced[coupled][k] == body) return true;
    return false;
}

static double gap_of(const sherd_mpm_coupled_body *g, const double x[AXES], double normal[AXES])
{
    if (g->surface != NULL) return g->surface->distance(g->surface->context, x, normal);
    double from = 0.0;
    for (int k = 0; k < AXES; ++k)
        normal[k] = x[k] - g->centre[k], from += normal[k] * normal[k];
    from = sqrt(from);
    for (int k = 0; k < AXES; ++k)
        normal[k] = from > 0.0 ? normal[k] / from : 0.0;
    return from - g->radius;
}

void sherd_mpm_search_coupled(const sherd_mpm_contact_search *j, const sherd_mpm_search_sample *s,
                              uint32_t coupled, sherd_mpm_contact_chunk *c)
{
    const sherd_mpm_coupled_body *g = &j->def->coupling->list[coupled];
    uint32_t partner = SHERD_MPM_PARTNER_COUPLED | g->id;
    const sherd_mpm_spring *spring = sherd_mpm_penalty_spring_of(j->penalty, s->number, partner);
    sherd_mpm_face_hit face = {0};
    double area = 0.0;
    if (spring == NULL && leaves_alone(j, coupled, s->body)) return;
    face.gap = gap_of(g, s->sample.at, face.normal);
    for (int k = 0; k < AXES; ++k)
        area -= s->sample.area[k] * face.normal[k];
    if ((spring == NULL && face.gap > j->reach) || !(area > 0.0)) return;
    sherd_mpm_contact_point *contact = sherd_mpm_search_begin_point(j, s, partner, &face, c);
    if (contact == NULL) return;
    sherd_mpm_search_set_coupled(j, coupled, s->body, area, spring, contact->side[0].depth,
                                 contact);
}
