#include "models/mpm/fluid/mpm_wet_bodies.h"

#include "models/mpm/fluid/mpm_flows.h"
#include "models/mpm/mpm_face.h"
#include "models/mpm/mpm_surface.h"

#include <math.h>

// Nodes so near to a surface [h] give a seat; some more, for where surfaces lie half way between nodes.
static const double SEAT = 0.5 + 1e-6;
// Nodes up to there beside a face [h] stand for what lies on it: what flows leaves through the seams between faces otherwise.
static const double OVERHANG = 0.0;

bool sherd_mpm_is_wet(const sherd_mpm_grid *grid, const sherd_solid *solids,
                      const sherd_mpm_group *a, const sherd_mpm_group *b)
{
    uint32_t one = grid->layers[a->first].body, other = grid->layers[b->first].body;
    return (sherd_mpm_is_fluid(grid, solids, one) && sherd_mpm_bears_shear(grid, solids, other)) ||
           (sherd_mpm_is_fluid(grid, solids, other) && sherd_mpm_bears_shear(grid, solids, one));
}

// ---------------------------------------------------------------- surfaces

static int32_t rigid_of(const sherd_mpm_wet_node *at, const sherd_mpm_group *group)
{
    for (int k = 0; at->guests != NULL && k < at->guests->rigid_count; ++k)
        if (at->guests->rigids[k].body == at->grid->layers[group->first].body) return k;
    return -1;
}

// Sets place, normal and gap; false where the surface is farther.
static bool find_face(const sherd_mpm_wet_node *at, const sherd_mpm_group *fluid,
                      const sherd_mpm_wall *surface, sherd_mpm_seat *seat)
{
    double h = at->grid->h;
    sherd_mpm_face f;
    f.distance = surface->distance(surface->context, at->x, f.normal);
    if (!(fabs(f.distance) <= SEAT * h)) return false;
    if (!sherd_mpm_meet_face(at->grid, surface, at->x, fluid, OVERHANG, &f)) return false;
    if (!(fabs(f.distance) <= SEAT * h)) return false;
    seat->gap = sherd_mpm_face_gap(at->grid, fluid, &f);
    for (int k = 0; k < 3; ++k) {
        seat->normal[k] = f.normal[k];
        seat->x[k] = at->x[k] - f.distance * f.normal[k];
    }
    return true;
}

// Along the line from the body's centroid to the node: what is around a body, or ends, says nothing of its surface.
static bool find_outline(const sherd_mpm_wet_node *at, const sherd_mpm_group *fluid,
                         const sherd_mpm_group *body, sherd_mpm_seat *seat)
{
    double h = at->grid->h, squares = 0.0, along = 0.0, least = SHERD_MPM_LEAST_SHARE * h * h * h;
    if (!(body->outline[0] > least) || !(fluid->outline[0] > least)) return false;
    for (int k = 0; k < 3; ++k) {
        seat->normal[k] = -body->outline[1 + k] / (body->outline[0] * h);
        squares += seat->normal[k] * seat->normal[k];
    }
    if (!(squares > SHERD_MPM_LEAST_APART * SHERD_MPM_LEAST_APART)) return false;
    double length = sqrt(squares),
           surface = sherd_mpm_surface(at->grid->kernel, -length); // beyond the node [h]
    if (!(fabs(surface) <= SEAT)) return false;
    for (int k = 0; k < 3; ++k) {
        seat->normal[k] /= length;
        seat->x[k] = at->x[k] + surface * h * seat->normal[k];
        along -= seat->normal[k] * fluid->outline[1 + k] / (fluid->outline[0] * h);
    }
    seat->gap = -h * (surface + sherd_mpm_surface(at->grid->kernel, along));
    return true;
}

// Share of a cell: where walls leave less, a layer of fluid below a body may be too thin to be told how thick it is.
static const double SQUEEZED = 0.75;

// A layer of fluid that ends below looks as if its surface lay higher than it does. What is too much for the node's cell
// tells how deep a body is in it indeed.
static double crowd_of(const sherd_mpm_wet_node *at, const sherd_mpm_group *fluid,
                       const sherd_mpm_group *body, const sherd_mpm_seat *seat)
{
    double h = at->grid->h, away = 0.0, cell = h * h * h;
    if (at->room < SQUEEZED) return 0.0;
    for (int k = 0; k < 3; ++k)
        away += (seat->x[k] - at->x[k]) * seat->normal[k];
    double excess = (fluid->outline[0] + body->outline[0]) / cell - at->room;
    return h * excess / sherd_mpm_kernel_at(at->grid->kernel, away / h);
}

void sherd_mpm_wet_pair(const sherd_mpm_wet_node *at, const sherd_mpm_group *a,
                        const sherd_mpm_group *b, double friction, sherd_mpm_seats *seats)
{
    bool first = sherd_mpm_is_fluid(at->grid, at->solids, at->grid->layers[a->first].body);
    const sherd_mpm_group *fluid = first ? a : b, *body = first ? b : a;
    sherd_mpm_seat seat = {.layer = fluid->first,
                           .wall = -1,
                           .body = -1,
                           .rigid = rigid_of(at, body),
                           .friction = friction};
    bool found = seat.rigid >= 0
                     ? find_face(at, fluid, &at->guests->rigids[seat.rigid].surface, &seat)
                     : find_outline(at, fluid, body, &seat);
    if (!found || !isfinite(seat.gap)) return;
    if (seat.rigid < 0) seat.body = (int32_t)body->first;
    seat.crowd = crowd_of(at, fluid, body, &seat);
    sherd_mpm_add_seat(seats, &seat);
}
