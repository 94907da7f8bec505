#include "models/mpm/contact/mpm_separating_axis.h"

#include "models/mpm/grid/mpm_axes.h"
#include "models/mpm/grid/mpm_surface_reconstruction.h"

#include <math.h>

static const double FLAT = 0.9999; // product of two normals above which they are one plane
// Product of two normals below which there is an edge between them
static const double SAME = 0.8;
static const double STEP = 0.02; // of probes around an edge [h]
static const double ROUNDING = 1e-6;
static const double WIDE = 0.5; // gap that nothing closes in a step [h]

enum { MAX_FACES = 10 };

// A tangent plane of the wall: a point on its surface and the normal there.
typedef struct plane {
    double at[3], normal[3];
} plane;

typedef struct planes {
    int count;
    plane list[MAX_FACES];
} planes;

// Position of the group's centroid relative to the node, along a direction [m].
static double centroid_along(const sherd_mpm_group *group, const double direction[3])
{
    return sherd_axes_dot(&group->moments[1], direction) / group->moments[0];
}

double sherd_mpm_face_gap(const sherd_mpm_grid *grid, const sherd_mpm_group *group,
                          const sherd_mpm_face *face)
{
    double h = grid->h;
    if (!(group->moments[0] > 0.0)) return INFINITY;
    return face->distance -
           h * sherd_mpm_surface(grid->kernel, -centroid_along(group, face->normal) / h);
}

// The plane of a face, given by distance and normal at x.
static plane plane_of(const sherd_mpm_face *face, const double x[3])
{
    plane p;
    for (int k = 0; k < 3; ++k) {
        p.normal[k] = face->normal[k];
        p.at[k] = x[k] - face->distance * face->normal[k];
    }
    return p;
}

static plane plane_near(const sherd_mpm_wall *wall, const double x[3])
{
    sherd_mpm_face face;
    face.distance = wall->distance(wall->context, x, face.normal);
    return plane_of(&face, x);
}

static void add_plane(planes *all, const plane *p)
{
    for (int k = 0; k < all->count; ++k)
        if (sherd_axes_dot(all->list[k].normal, p->normal) > SAME) return;
    if (all->count < MAX_FACES) all->list[all->count++] = *p;
}

static void directions_across(const double normal[3], double across[2][3])
{
    int least = fabs(normal[0]) < fabs(normal[1]) ? 0 : 1;
    if (fabs(normal[2]) < fabs(normal[least])) least = 2;
    int next = (least + 1) % 3, last = (least + 2) % 3;
    double length = hypot(normal[next], normal[last]);
    across[0][least] = 0.0;
    across[0][next] = -normal[last] / length, across[0][last] = normal[next] / length;
    for (int k = 0; k < 3; ++k) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        across[1][k] = normal[a] * across[0][b] - normal[b] * across[0][a];
    }
}

// Finds the faces that meet near a point of the surface: those nearest to probes around the point,
// just below the surface. On an edge the normal of the point itself may lie anywhere between the
// faces' normals.
static void add_faces(const sherd_mpm_wall *wall, const plane *place, double h, planes *all)
{
    double across[2][3];
    planes here = {0};
    directions_across(place->normal, across);
    for (int k = 0; k < 4; ++k) {
        double x[3], side = k % 2 == 0 ? STEP : -STEP;
        for (int i = 0; i < 3; ++i)
            x[i] = place->at[i] + h * (side * across[k / 2][i] - 0.5 * STEP * place->normal[i]);
        plane found = plane_near(wall, x);
        add_plane(&here, &found);
    }
    if (here.count < 2) here.list[0] = *place;
    for (int k = 0; k < here.count; ++k)
        add_plane(all, &here.list[k]);
}

// Whether the faces are convex: each one's point lies below all others.
static bool is_convex(const planes *all, double h)
{
    for (int a = 0; a < all->count; ++a)
        for (int b = 0; b < all->count; ++b) {
            const plane *p = &all->list[a];
            double above =
                sherd_axes_dot(all->list[b].at, p->normal) - sherd_axes_dot(p->at, p->normal);
            if (above > STEP * h) return false;
        }
    return true;
}

// Distance of the wall from the node's projection onto the face's plane [m]; above 0 beside the
// face.
static double distance_beside(const sherd_mpm_wall *wall, const double x[3],
                              const sherd_mpm_face *face)
{
    double foot[3], normal[3];
    for (int k = 0; k < 3; ++k)
        foot[k] = x[k] - face->distance * face->normal[k];
    return wall->distance(wall->context, foot, normal);
}

bool sherd_mpm_choose_separating_face(const sherd_mpm_grid *grid, const sherd_mpm_wall *wall,
                                      const double x[3], const sherd_mpm_group *group,
                                      double overhang, sherd_mpm_face *face)
{
    double h = grid->h, centroid[3], widest = sherd_mpm_face_gap(grid, group, face);
    planes all = {0};
    if (widest > WIDE * h) return true;
    for (int k = 0; k < 3; ++k)
        centroid[k] = x[k] + group->moments[1 + k] / group->moments[0];
    plane at_node = plane_of(face, x), at_centroid = plane_near(wall, centroid);
    if (sherd_axes_dot(at_node.normal, at_centroid.normal) > FLAT) return true;
    add_faces(wall, &at_centroid, h, &all);
    add_faces(wall, &at_node, h, &all);
    if (all.count < 2 || !is_convex(&all, h)) return true;
    widest = -INFINITY;
    for (int k = 0; k < all.count; ++k) {
        const plane *p = &all.list[k];
        sherd_mpm_face f = {sherd_axes_dot(x, p->normal) - sherd_axes_dot(p->at, p->normal),
                            {p->normal[0], p->normal[1], p->normal[2]}};
        double gap = sherd_mpm_face_gap(grid, group, &f);
        if (gap > widest) *face = f, widest = gap;
    }
    return distance_beside(wall, x, face) <= (overhang + ROUNDING) * h;
}
