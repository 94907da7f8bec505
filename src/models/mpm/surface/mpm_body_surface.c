#include "models/mpm/surface/mpm_body_surface.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "models/mpm/grid/mpm_axes.h"
#include "models/mpm/surface/mpm_surface_samples.h"

#include <math.h>
#include <string.h>

enum { AXES = 3, SIDES = 6 };

static const double SHORTEST = 0.4, LONGEST = 2.0; // limits of a cube's edges [spacing]
// Margin of faces, as a fraction of an edge: cubes with different strains leave gaps between them
static const double SEAM = 0.02;
// Component of a normal along an axis below which the face across that axis is not met
static const double GRAZING = 0.02;
// Tolerance of the wedge test at an edge, since bodies bend under their load
static const double LEANING = 0.1;
static const double OPPOSED = 0.02; // least fraction of a sample's area that faces the other face

static void cross(const double a[AXES], const double b[AXES], double out[AXES])
{
    for (int k = 0; k < AXES; ++k) {
        int next = (k + 1) % AXES, last = (k + 2) % AXES;
        out[k] = a[next] * b[last] - a[last] * b[next];
    }
}

// ---------------------------------------------------------------- sites

// Neighbour beyond a side of the lattice element at `at`. -1: none, or it has torn off; -2: glue
// that no longer joins. Neighbours across intact glue count as neighbours.
static int32_t neighbour(const sherd_mpm_body_surface *s, size_t at, int side)
{
    const sherd_mpm_lattice *l = s->lattice;
    int32_t near = l->neighbours[at * SIDES + (size_t)side], own = l->element[at];
    if (near < -1) {
        const sherd_mpm_glue *g = &s->glue->items[-2 - near];
        if (!sherd_mpm_glue_joins(g)) return -2;
        near = g->low == own ? g->high : g->low;
    }
    if (near < 0) return -1;
    size_t below = side % 2 == 0 ? at + (size_t)near - (size_t)own : at;
    bool torn = (s->torn[below] >> (side / 2) & 1) != 0;
    return torn ? -1 : near;
}

static uint8_t exposed(const sherd_mpm_body_surface *s, size_t at)
{
    uint8_t sides = 0;
    for (int side = 0; side < SIDES; ++side)
        if (neighbour(s, at, side) < 0) sides |= (uint8_t)(1 << side);
    return sides;
}

static uint8_t beside_glue(const sherd_mpm_body_surface *s, size_t at)
{
    uint8_t sides = 0;
    for (int side = 0; side < SIDES; ++side)
        if (s->lattice->neighbours[at * SIDES + (size_t)side] < -1) sides |= (uint8_t)(1 << side);
    return sides;
}

static int count_faces(uint8_t sides)
{
    int count = 0;
    for (int side = 0; side < SIDES; ++side)
        count += sides >> side & 1;
    return count;
}

// Largest numbers of faces and samples.
typedef struct sizes {
    size_t faces, samples;
} sizes;

// Counts the surface points, and lists them if the lists are allocated. Returns the numbers of
// faces and samples.
static sizes list_sites(sherd_mpm_body_surface *s, const sherd_mpm_surface_fit *outer)
{
    sizes n = {0, 0};
    s->count = s->glued_count = 0;
    for (size_t at = 0; at < s->lattice->count; ++at) {
        uint8_t glued = beside_glue(s, at), sides = exposed(s, at), all = sides | glued;
        if (all == 0 || s->lattice->flows[at] != 0) continue;
        uint8_t fine = sherd_mpm_body_surface_fineness(outer, s->lattice, at, all);
        if (s->sites != NULL)
            s->sites[s->count] =
                (sherd_mpm_site){.number = s->lattice->element[at],
                                 .listed = (uint32_t)at,
                                 .face = (uint32_t)n.faces,
                                 .sample = (uint32_t)n.samples,
                                 .all = all,
                                 .sides = sides,
                                 .samples = sherd_mpm_body_surface_count(sides, fine),
                                 .fine = fine};
        if (s->glued != NULL && glued != 0) s->glued[s->glued_count] = (uint32_t)s->count;
        s->glued_count += glued != 0, ++s->count;
        n.faces += (size_t)count_faces(all), n.samples += sherd_mpm_body_surface_count(all, fine);
    }
    return n;
}

// ---------------------------------------------------------------- at rest

static void set_rest(sherd_mpm_body_surface *s, const sherd_mpm_surface_fit *outer)
{
    for (size_t k = 0; k < s->count; ++k) {
        const sherd_mpm_site *site = &s->sites[k];
        sherd_mpm_rest_face *face = &s->faces[site->face];
        for (int side = 0; side < SIDES; ++side)
            if (site->all >> side & 1)
                *face++ = sherd_mpm_body_surface_rest_face(outer, s->lattice, site->number, side);
        sherd_mpm_body_surface_set_samples(s, site);
    }
}

bool sherd_mpm_body_surface_make(sherd_mpm_body_surface *s, const sherd_mpm_lattice *lattice,
                                 const uint8_t *torn, const sherd_mpm_glues *glue,
                                 const sherd_mpm_surface_fit *outer, size_t numbers)
{
    sherd_mpm_body_surface_free(s);
    if (lattice->count == 0) return true;
    *s = (sherd_mpm_body_surface){.lattice = lattice,
                                  .torn = torn,
                                  .glue = glue,
                                  .broken = glue->broken,
                                  .softening = glue->softening,
                                  .rejoined = glue->rejoined,
                                  .numbers = numbers};
    sizes n = list_sites(s, outer);
    s->sites = sherd_alloc(s->count, sizeof *s->sites);
    s->glued = sherd_alloc(s->glued_count, sizeof *s->glued);
    s->faces = sherd_alloc(n.faces, sizeof *s->faces);
    s->samples = sherd_alloc(n.samples, sizeof *s->samples);
    s->place = sherd_alloc(numbers, sizeof *s->place);
    s->site_of = sherd_alloc(numbers, sizeof *s->site_of);
    if (s->sites == NULL || s->glued == NULL || s->faces == NULL || s->samples == NULL ||
        s->place == NULL || s->site_of == NULL)
        return false;
    list_sites(s, outer);
    set_rest(s, outer);
    for (size_t k = 0; k < numbers; ++k)
        s->place[k] = s->site_of[k] = -1;
    for (size_t k = 0; k < s->count; ++k) {
        SHERD_ASSERT((size_t)s->sites[k].number < numbers, "sites are points");
        SHERD_ASSERT(k == 0 || s->sites[k - 1].number < s->sites[k].number, "sites ascend");
        s->site_of[s->sites[k].number] = (int32_t)k;
    }
    return true;
}

bool sherd_mpm_body_surface_follow_glue(sherd_mpm_body_surface *s)
{
    bool changed = false;
    if (s->broken == s->glue->broken && s->softening == s->glue->softening &&
        s->rejoined == s->glue->rejoined)
        return false;
    s->broken = s->glue->broken, s->softening = s->glue->softening;
    s->rejoined = s->glue->rejoined;
    for (size_t k = 0; k < s->glued_count; ++k) {
        sherd_mpm_site *site = &s->sites[s->glued[k]];
        uint8_t sides = exposed(s, site->listed);
        if (sides == site->sides) continue;
        changed = true, site->sides = sides,
        site->samples = sherd_mpm_body_surface_count(sides, site->fine);
        sherd_mpm_body_surface_set_samples(s, site);
    }
    return changed;
}

void sherd_mpm_body_surface_free(sherd_mpm_body_surface *s)
{
    sherd_free(s->sites), sherd_free(s->faces), sherd_free(s->samples);
    sherd_free(s->glued), sherd_free(s->place), sherd_free(s->site_of);
    *s = (sherd_mpm_body_surface){0};
}

void sherd_mpm_body_surface_sort(sherd_mpm_body_surface *s, const sherd_mpm_points *p)
{
    for (size_t k = 0; k < p->count; ++k)
        if (p->number[k] != SHERD_MPM_FILLER) s->place[p->number[k]] = (int32_t)k;
}

// ---------------------------------------------------------------- cubes

// Edge of a point's cube along an axis, from the positions of its neighbours; false without
// neighbours.
static bool own_edge(const sherd_mpm_body_surface *s, const sherd_mpm_points *p, size_t at,
                     int axis, double edge[AXES])
{
    int32_t behind = neighbour(s, at, 2 * axis), before = neighbour(s, at, 2 * axis + 1),
            own = s->lattice->element[at];
    int sides = (behind >= 0) + (before >= 0);
    if (sides == 0) return false;
    int32_t from = s->place[behind >= 0 ? behind : own], to = s->place[before >= 0 ? before : own];
    for (int k = 0; k < AXES; ++k)
        edge[k] = (p->x[k][to] - p->x[k][from]) / sides;
    return true;
}

// Mean edge of the point's neighbours, for points without neighbours along the axis.
static bool edge_beside(const sherd_mpm_body_surface *s, const sherd_mpm_points *p, size_t at,
                        int axis, double edge[AXES])
{
    double sum[AXES] = {0.0};
    int count = 0;
    for (int side = 0; side < SIDES; ++side) {
        int32_t n = neighbour(s, at, side);
        double theirs[AXES];
        if (n < 0) continue;
        size_t there = at + (size_t)n - (size_t)s->lattice->element[at];
        if (!own_edge(s, p, there, axis, theirs)) continue;
        for (int k = 0; k < AXES; ++k)
            sum[k] += theirs[k];
        ++count;
    }
    for (int k = 0; k < AXES && count > 0; ++k)
        edge[k] = sum[k] / count;
    return count > 0;
}

// Limits an edge's length, so that extremely deformed points retain a surface.
static void limit(double spacing, double edge[AXES])
{
    double length = sqrt(sherd_axes_dot(edge, edge)),
           wanted = fmin(fmax(length, SHORTEST * spacing), LONGEST * spacing);
    for (int k = 0; k < AXES && length > 0.0; ++k)
        edge[k] *= wanted / length;
}

// The third edge, perpendicular to the other two.
static void third_edge(double spacing, double edge[AXES][AXES], int axis)
{
    cross(edge[(axis + 1) % AXES], edge[(axis + 2) % AXES], edge[axis]);
    double length = sqrt(sherd_axes_dot(edge[axis], edge[axis]));
    for (int k = 0; k < AXES && length > 0.0; ++k)
        edge[axis][k] *= spacing / length;
}

// Edges of a row of single points: any two perpendicular to it, since its rotation about itself is
// unknown.
static void edges_across(double spacing, double edge[AXES][AXES], int known)
{
    int next = (known + 1) % AXES, least = 0;
    for (int k = 1; k < AXES; ++k)
        if (fabs(edge[known][k]) < fabs(edge[known][least])) least = k;
    double unit[AXES] = {0.0};
    unit[least] = 1.0;
    cross(unit, edge[known], edge[next]);
    double length = sqrt(sherd_axes_dot(edge[next], edge[next]));
    for (int k = 0; k < AXES && length > 0.0; ++k)
        edge[next][k] *= spacing / length;
    third_edge(spacing, edge, (known + 2) % AXES);
}

static void find_edges(const sherd_mpm_body_surface *s, const sherd_mpm_points *p, size_t at,
                       double edge[AXES][AXES])
{
    double spacing = s->lattice->spacing;
    int known = 0, last = -1, missing = -1;
    for (int axis = 0; axis < AXES; ++axis) {
        bool found =
            own_edge(s, p, at, axis, edge[axis]) || edge_beside(s, p, at, axis, edge[axis]);
        known += found;
        if (found) limit(spacing, edge[axis]), last = axis;
        if (!found) missing = axis;
    }
    if (known == 2) third_edge(spacing, edge, missing);
    if (known == 1) edges_across(spacing, edge, last);
    for (int axis = 0; axis < AXES && known == 0; ++axis)
        for (int k = 0; k < AXES; ++k)
            edge[axis][k] = k == axis ? spacing : 0.0;
}

void sherd_mpm_body_surface_cube(const sherd_mpm_body_surface *s, const sherd_mpm_points *p,
                                 size_t site, sherd_mpm_cube *cube)
{
    const sherd_mpm_site *at = &s->sites[site];
    size_t place = (size_t)s->place[at->number];
    for (int k = 0; k < AXES; ++k)
        cube->x[k] = p->x[k][place];
    find_edges(s, p, at->listed, cube->edge);
    for (int k = 0; k < AXES; ++k)
        cross(cube->edge[(k + 1) % AXES], cube->edge[(k + 2) % AXES], cube->normal[k]);
    cube->volume = sherd_axes_dot(cube->edge[0], cube->normal[0]);
}

// ---------------------------------------------------------------- contact

sherd_mpm_sample sherd_mpm_body_surface_sample(const sherd_mpm_body_surface *s,
                                               const sherd_mpm_cube *cube, size_t site, int which)
{
    const sherd_mpm_rest_sample *rest = &s->samples[s->sites[site].sample + (uint32_t)which];
    sherd_mpm_sample out;
    for (int k = 0; k < AXES; ++k) {
        out.at[k] = cube->x[k], out.area[k] = 0.0;
        for (int axis = 0; axis < AXES; ++axis) {
            out.at[k] += (double)rest->offset[axis] * cube->edge[axis][k];
            out.area[k] += (double)rest->area[axis] * cube->normal[axis][k];
        }
    }
    return out;
}

// Depth of a face across an axis: half of the material behind it, at most an edge [m].
static double depth_along(const sherd_mpm_cube *cube, uint8_t sides, int axis)
{
    const double *across = cube->normal[axis];
    double height = cube->volume / sqrt(sherd_axes_dot(across, across));
    return (sides >> (2 * axis) & 3) == 3 ? 0.5 * height : height;
}

// Coordinates relative to the cube's centre along its edges [edges].
static void along_edges(const sherd_mpm_cube *cube, const double from[AXES], double along[AXES])
{
    for (int axis = 0; axis < AXES; ++axis)
        along[axis] = sherd_axes_dot(cube->normal[axis], from) / cube->volume;
}

// Gap between a point and a surface's tangent plane. The nearest point of the surface is given at
// rest; the plane is deformed with the cube. Sets the unit normal, and returns the height above the
// plane [m].
static double gap_above(const sherd_mpm_cube *cube, const double foot[AXES],
                        const double rest[AXES], const double from[AXES], double normal[AXES])
{
    double size, gap = 0.0;
    for (int k = 0; k < AXES; ++k) {
        normal[k] = 0.0;
        for (int axis = 0; axis < AXES; ++axis)
            normal[k] += rest[axis] * cube->normal[axis][k];
    }
    size = sqrt(sherd_axes_dot(normal, normal));
    for (int k = 0; k < AXES; ++k) {
        double at = 0.0;
        for (int axis = 0; axis < AXES; ++axis)
            at += foot[axis] * cube->edge[axis][k];
        normal[k] /= size, gap += (from[k] - at) * normal[k];
    }
    return gap;
}

// Whether a point lies above or below a face, in coordinates along the cube's edges. `normal` is
// that of a curved face: the region above it is swept by its normals, so that the steps of the
// lattice leave no gaps.
static bool is_above(const sherd_mpm_rest_face *face, int side, const double place[AXES],
                     const double normal[AXES])
{
    int axis = side / 2;
    double sign = side % 2 == 1 ? 1.0 : -1.0, height = 0.0;
    if (face->is_bent) {
        if (!(sign * normal[axis] > GRAZING)) return false;
        height = (place[axis] - 0.5 * sign) / normal[axis];
    }
    for (int next = 1; next < AXES; ++next) {
        int k = (axis + next) % AXES;
        double along = face->is_bent ? place[k] - height * normal[k] : place[k];
        if (fabs(along) > 0.5 + SEAM) return false;
    }
    return true;
}

// Cheap necessary condition for a point to be above a curved face.
static bool may_be_above(const sherd_mpm_rest_face *face, int side, double spacing,
                         const double place[AXES])
{
    static const double WIDEST = 1.2; // more than half a diagonal of a face [spacing]
    double from[AXES], above = 0.0, beside = 0.0;
    for (int k = 0; k < AXES; ++k) {
        from[k] = place[k] - (double)face->shift / spacing * (double)face->normal[k];
        if (k == side / 2) from[k] -= side % 2 == 1 ? 0.5 : -0.5;
        above += from[k] * (double)face->normal[k], beside += from[k] * from[k];
    }
    // Normals diverge above a convex face.
    double wide = WIDEST + fmax(above, 0.0);
    return beside - above * above < wide * wide;
}

// Contact of a probe with one face. The probe's lowest point along the normal must lie above or
// below the face.
static bool meet_side(const sherd_mpm_cube *cube, const sherd_mpm_rest_face *rest, int side,
                      double spacing, const sherd_mpm_probe *place, sherd_mpm_face_hit *face)
{
    double from[AXES], at[AXES], foot[AXES], normal[AXES];
    for (int k = 0; k < AXES; ++k)
        from[k] = place->at[k] - cube->x[k];
    along_edges(cube, from, at);
    if (rest->is_bent && !may_be_above(rest, side, spacing, at)) return false;
    if (!rest->is_bent && place->radius == 0.0 && !is_above(rest, side, at, NULL)) return false;
    sherd_mpm_body_surface_nearest(rest, side, spacing, at, foot, normal);
    face->gap = gap_above(cube, foot, normal, from, face->normal) - place->radius;
    if (place->area != NULL && -sherd_axes_dot(place->area, face->normal) <
                                   OPPOSED * sqrt(sherd_axes_dot(place->area, place->area)))
        return false;
    for (int k = 0; k < place->directions; ++k)
        if (sherd_axes_dot(place->direction[k], face->normal) < -LEANING) return false;
    if (place->radius > 0.0) {
        for (int k = 0; k < AXES; ++k)
            from[k] -= place->radius * face->normal[k];
        along_edges(cube, from, at);
    }
    return (!rest->is_bent && place->radius == 0.0) || is_above(rest, side, at, normal);
}

bool sherd_mpm_body_surface_face(const sherd_mpm_body_surface *s, const sherd_mpm_cube *cube,
                                 size_t site, const sherd_mpm_probe *place, double deepest,
                                 sherd_mpm_face_hit *face)
{
    const sherd_mpm_site *of = &s->sites[site];
    const sherd_mpm_rest_face *rest = &s->faces[of->face];
    bool found = false;
    if (!(cube->volume > 0.0)) return false;
    for (int side = 0; side < SIDES; ++side) {
        sherd_mpm_face_hit met;
        if ((of->all >> side & 1) == 0) continue;
        const sherd_mpm_rest_face *at = rest++;
        if ((of->sides >> side & 1) == 0 ||
            !meet_side(cube, at, side, s->lattice->spacing, place, &met))
            continue;
        if (met.gap < -deepest || (found && met.gap <= face->gap)) continue;
        found = true, met.depth = depth_along(cube, of->sides, side / 2), *face = met;
    }
    return found;
}

double sherd_mpm_body_surface_depth(const sherd_mpm_cube *cube, uint8_t sides,
                                    const double normal[3])
{
    double sum = 0.0, weights = 0.0;
    for (int axis = 0; axis < AXES; ++axis) {
        double weight = fabs(sherd_axes_dot(cube->normal[axis], normal));
        if ((sides >> (2 * axis) & 3) == 0) continue;
        weights += weight, sum += weight * depth_along(cube, sides, axis);
    }
    return sum / weights;
}
