#include "models/mpm/fluid/mpm_immersed_bodies.h"

#include "models/mpm/contact/mpm_separating_axis.h"
#include "models/mpm/fluid/mpm_fluids.h"
#include "models/mpm/grid/mpm_surface_reconstruction.h"

#include <math.h>

// Nodes up to this distance from a surface [h] give a marker; slightly more than a half, for
// surfaces halfway between nodes.
static const double MARKER = 0.5 + 1e-6;
// Nodes up to this distance beside a face [h] belong to it.
static const double OVERHANG = 0.0;

bool sherd_mpm_is_immersed(const sherd_mpm_grid *grid, const sherd_solid *solids,
                           const sherd_mpm_group *a, const sherd_mpm_group *b)
{
    uint32_t one = grid->layers[a->first].body, other = grid->layers[b->first].body;
    return (sherd_mpm_is_fluid(grid, solids, one) && sherd_mpm_bears_shear(grid, solids, other)) ||
           (sherd_mpm_is_fluid(grid, solids, other) && sherd_mpm_bears_shear(grid, solids, one));
}

// ---------------------------------------------------------------- surfaces

static int32_t rigid_of(const sherd_mpm_immersed_node *at, const sherd_mpm_group *group)
{
    for (int k = 0; at->coupling != NULL && k < at->coupling->rigid_count; ++k)
        if (at->coupling->rigids[k].body == at->grid->layers[group->first].body) return k;
    return -1;
}

// Sets the marker's position, normal and gap on a free body's surface; false if the surface is
// farther away.
static bool find_face(const sherd_mpm_immersed_node *at, const sherd_mpm_group *fluid,
                      const sherd_mpm_wall *surface, sherd_mpm_marker *marker)
{
    double h = at->grid->h;
    sherd_mpm_face f;
    f.distance = surface->distance(surface->context, at->x, f.normal);
    if (!(fabs(f.distance) <= MARKER * h)) return false;
    if (!sherd_mpm_choose_separating_face(at->grid, surface, at->x, fluid, OVERHANG, &f))
        return false;
    if (!(fabs(f.distance) <= MARKER * h)) return false;
    marker->gap = sherd_mpm_face_gap(at->grid, fluid, &f);
    for (int k = 0; k < 3; ++k) {
        marker->normal[k] = f.normal[k];
        marker->x[k] = at->x[k] - f.distance * f.normal[k];
    }
    return true;
}

// Reconstructs the surface of other bodies along the line from the body's centroid to the node.
// False if it is farther away.
static bool find_outline(const sherd_mpm_immersed_node *at, const sherd_mpm_group *fluid,
                         const sherd_mpm_group *body, sherd_mpm_marker *marker)
{
    double h = at->grid->h, squares = 0.0, along = 0.0, least = SHERD_MPM_MIN_FRACTION * h * h * h;
    if (!(body->moments[0] > least) || !(fluid->moments[0] > least)) return false;
    for (int k = 0; k < 3; ++k) {
        marker->normal[k] = -body->moments[1 + k] / (body->moments[0] * h);
        squares += marker->normal[k] * marker->normal[k];
    }
    if (!(squares > SHERD_MPM_MIN_SEPARATION * SHERD_MPM_MIN_SEPARATION)) return false;
    double length = sqrt(squares),
           surface = sherd_mpm_surface(at->grid->kernel, -length); // beyond the node [h]
    if (!(fabs(surface) <= MARKER)) return false;
    for (int k = 0; k < 3; ++k) {
        marker->normal[k] /= length;
        marker->x[k] = at->x[k] + surface * h * marker->normal[k];
        along -= marker->normal[k] * fluid->moments[1 + k] / (fluid->moments[0] * h);
    }
    marker->gap = -h * (surface + sherd_mpm_surface(at->grid->kernel, along));
    return true;
}

// Fraction of a cell. If walls leave less, a layer of fluid below a body may be too thin for its
// thickness to be resolved.
static const double SQUEEZED = 0.75;

// Depth of the body in the fluid, from the excess volume at the node. The reconstructed surface of
// a thin layer of fluid lies too high; the excess volume shows whether the body is really that
// deep.
static double crowd_of(const sherd_mpm_immersed_node *at, const sherd_mpm_group *fluid,
                       const sherd_mpm_group *body, const sherd_mpm_marker *marker)
{
    double h = at->grid->h, away = 0.0, cell = h * h * h;
    if (at->room < SQUEEZED) return 0.0;
    for (int k = 0; k < 3; ++k)
        away += (marker->x[k] - at->x[k]) * marker->normal[k];
    double excess = (fluid->moments[0] + body->moments[0]) / cell - at->room;
    return h * excess / sherd_mpm_kernel_at(at->grid->kernel, away / h);
}

void sherd_mpm_add_body_marker(const sherd_mpm_immersed_node *at, const sherd_mpm_group *a,
                               const sherd_mpm_group *b, double friction,
                               sherd_mpm_markers *markers)
{
    bool first = sherd_mpm_is_fluid(at->grid, at->solids, at->grid->layers[a->first].body);
    const sherd_mpm_group *fluid = first ? a : b, *body = first ? b : a;
    sherd_mpm_marker marker = {.layer = fluid->first,
                               .wall = -1,
                               .body = -1,
                               .rigid = rigid_of(at, body),
                               .friction = friction};
    bool found = marker.rigid >= 0
                     ? find_face(at, fluid, &at->coupling->rigids[marker.rigid].surface, &marker)
                     : find_outline(at, fluid, body, &marker);
    if (!found || !isfinite(marker.gap)) return;
    if (marker.rigid < 0) marker.body = (int32_t)body->first;
    marker.crowd = crowd_of(at, fluid, body, &marker);
    sherd_mpm_add_marker(markers, &marker);
}
