// Where guests touch: balls of elements meet faces at the place of the ball that is nearest to each; samples meet free bodies'
// surfaces, and balls that meet no face, as at edges, or that are so large that several samples lie below them.
#include "models/mpm/touch/mpm_touch_find.h"

#include <math.h>
#include <string.h>

enum { AXES = 3 };

static const double DEEPEST = 1.0, FOLLOWED = 2.0, // of the spacing: as in mpm_touch_find.c
    LARGE = 2.0;                                   // radius of balls [spacing]
// Of the mass over the square of guests' own steps, which thus stay stable: no spring is stiffer for its share of what a guest
// shows of itself.
static const double STIFFEST = 0.5;

static const double PI = 3.14159265358979323846;

// A guest's springs have numbers behind those of points.
static uint64_t number_of(const sherd_mpm_guest *guest)
{
    return (uint64_t)1 << 63 | guest->id;
}

static double stiffness_of(const sherd_mpm_touch_search *j, const sherd_mpm_guest *guest,
                           double area, double stiffness)
{
    double dt = j->def->guests->dt, seen = fmax(PI * guest->radius * guest->radius, area);
    return fmin(stiffness, STIFFEST * guest->mass * area / (seen * dt * dt));
}

void sherd_mpm_touch_set_guest(const sherd_mpm_touch_search *j, size_t guest, uint32_t body,
                               double area, const sherd_mpm_spring *spring, double depth,
                               sherd_mpm_touch *touch)
{
    const sherd_mpm_guest *g = &j->def->guests->list[guest];
    const sherd_solid *solid = &j->def->solids[body];
    touch->guest = (int32_t)guest;
    touch->stiffness = stiffness_of(j, g, area, area * sherd_mpm_touch_modulus(solid) / depth);
    touch->friction = sherd_mpm_touch_friction(solid, &j->def->solids[g->body]);
    sherd_mpm_touch_take_over(spring, touch);
    if (!(touch->overlap > 0.0)) touch->overlap = -fmax(touch->gap, 0.0);
}

// ---------------------------------------------------------------- balls

// Sites of one body.
static bool meet_faces(const sherd_mpm_touch_search *j, size_t guest, size_t begin, size_t end,
                       sherd_mpm_touch_chunk *c)
{
    const sherd_mpm_touches *t = j->touches;
    const sherd_mpm_near *n = &t->near;
    const sherd_mpm_guest *g = &j->def->guests->list[guest];
    uint32_t body = (uint32_t)(n->of_guests[begin] >> 32);
    const sherd_mpm_spring *spring = sherd_mpm_touch_spring(t, number_of(g), body);
    const sherd_mpm_place place = {g->centre, g->radius, NULL, NULL, 0};
    double spacing = t->skin.lattice->spacing,
           deepest = (spring != NULL ? FOLLOWED : DEEPEST) * spacing;
    sherd_mpm_met_face best = {0};
    size_t other = 0;
    bool found = false;
    for (size_t k = begin; k < end; ++k) {
        size_t near = (uint32_t)n->of_guests[k];
        sherd_mpm_met_face face;
        double middle[AXES], reach = g->radius + SHERD_MPM_NEAR_REACH * spacing;
        bool far = false;
        for (int axis = 0; axis < AXES; ++axis)
            middle[axis] = t->cubes[near].x[axis] - g->centre[axis],
            far = far || fabs(middle[axis]) > reach;
        if (far || !sherd_mpm_skin_face(&t->skin, &t->cubes[near], n->list[near].site, &place,
                                        deepest, &face))
            continue;
        if (!found || face.gap > best.gap) best = face, other = near, found = true;
    }
    if (!found || (spring == NULL && best.gap > j->reach)) return false;
    sherd_mpm_touch *touch = sherd_mpm_touch_add(c);
    if (touch == NULL) return false;
    touch->sample = number_of(g), touch->partner = body, touch->gap = best.gap;
    memcpy(touch->normal, best.normal, sizeof touch->normal);
    for (int k = 0; k < AXES; ++k)
        touch->at[k] = g->centre[k] - g->radius * best.normal[k];
    sherd_mpm_touch_set_side(j, other, touch->at, best.depth, &touch->side[1]);
    double side = 2.0 * fmin(g->radius, LARGE * spacing);
    sherd_mpm_touch_set_guest(j, guest, body, side * side, spring, best.depth, touch);
    return true;
}

void sherd_mpm_touch_meet_ball(const sherd_mpm_touch_search *j, size_t guest,
                               sherd_mpm_touch_chunk *c)
{
    const sherd_mpm_near *n = &j->touches->near;
    uint32_t *faced = j->touches->faced[guest];
    int count = 0;
    for (int k = 0; k < SHERD_MPM_MOST_FACED; ++k)
        faced[k] = UINT32_MAX;
    if (j->def->guests->list[guest].surface != NULL) return;
    size_t last = n->first_of_guest[guest + 1];
    for (size_t k = n->first_of_guest[guest], end; k < last; k = end) {
        uint32_t body = (uint32_t)(n->of_guests[k] >> 32);
        for (end = k + 1; end < last && n->of_guests[end] >> 32 == body;)
            ++end;
        if (meet_faces(j, guest, k, end, c) && count < SHERD_MPM_MOST_FACED) faced[count++] = body;
    }
}

// ---------------------------------------------------------------- samples

static bool leaves_alone(const sherd_mpm_touch_search *j, size_t guest, uint32_t body)
{
    const sherd_mpm_guest *g = &j->def->guests->list[guest];
    if (g->surface != NULL || g->radius > LARGE * j->touches->skin.lattice->spacing) return false;
    for (int k = 0; k < SHERD_MPM_MOST_FACED; ++k)
        if (j->touches->faced[guest][k] == body) return true;
    return false;
}

static double gap_of(const sherd_mpm_guest *g, const double x[AXES], double normal[AXES])
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

void sherd_mpm_touch_meet_guest(const sherd_mpm_touch_search *j, const sherd_mpm_touch_sample *s,
                                uint32_t guest, sherd_mpm_touch_chunk *c)
{
    const sherd_mpm_guest *g = &j->def->guests->list[guest];
    uint32_t partner = SHERD_MPM_NEAR_GUEST | g->id;
    const sherd_mpm_spring *spring = sherd_mpm_touch_spring(j->touches, s->number, partner);
    sherd_mpm_met_face face = {0};
    double area = 0.0;
    if (spring == NULL && leaves_alone(j, guest, s->body)) return;
    face.gap = gap_of(g, s->sample.at, face.normal);
    for (int k = 0; k < AXES; ++k)
        area -= s->sample.area[k] * face.normal[k];
    if ((spring == NULL && face.gap > j->reach) || !(area > 0.0)) return;
    sherd_mpm_touch *touch = sherd_mpm_touch_begin(j, s, partner, &face, c);
    if (touch == NULL) return;
    sherd_mpm_touch_set_guest(j, guest, s->body, area, spring, touch->side[0].depth, touch);
}
