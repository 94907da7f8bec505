#include "models/mpm/touch/mpm_skin.h"

#include "base/memory.h"
#include "models/mpm/mpm_axes.h"

#include <math.h>
#include <string.h>

enum { AXES = 3, SIDES = 6 };

static const double SHORTEST = 0.4, LONGEST = 2.0; // of the lattice's spacing: edges
static const double SEAM =
    0.02; // of an edge: cubes that are strained unlike leave gaps between them
static const double OPPOSED = 0.02; // of a sample's area: the least that meets a face

static void cross(const double a[AXES], const double b[AXES], double out[AXES])
{
    for (int k = 0; k < AXES; ++k) {
        int next = (k + 1) % AXES, last = (k + 2) % AXES;
        out[k] = a[next] * b[last] - a[last] * b[next];
    }
}

// ---------------------------------------------------------------- sites

// What is beyond a side of what is listed at `at`: -1: nothing, or it has torn off; -2: glue that has given way. Neighbours
// across glue that joins count as such.
static int32_t neighbour(const sherd_mpm_skin *s, size_t at, int side)
{
    const sherd_mpm_lattice *l = s->lattice;
    int32_t near = l->near[at * SIDES + (size_t)side], own = l->element[at];
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

static uint8_t exposed(const sherd_mpm_skin *s, size_t at)
{
    uint8_t sides = 0;
    for (int side = 0; side < SIDES; ++side)
        if (neighbour(s, at, side) < 0) sides |= (uint8_t)(1 << side);
    return sides;
}

static uint8_t beside_glue(const sherd_mpm_skin *s, size_t at)
{
    uint8_t sides = 0;
    for (int side = 0; side < SIDES; ++side)
        if (s->lattice->near[at * SIDES + (size_t)side] < -1) sides |= (uint8_t)(1 << side);
    return sides;
}

static bool is_double(uint8_t sides, int axis)
{
    return (sides >> (2 * axis) & 3) == 3;
}

static int count_samples(uint8_t sides)
{
    if (sides == 0) return 0;
    return 1 << (is_double(sides, 0) + is_double(sides, 1) + is_double(sides, 2));
}

static int count_faces(uint8_t sides)
{
    int count = 0;
    for (int side = 0; side < SIDES; ++side)
        count += sides >> side & 1;
    return count;
}

// How many faces and samples there may be.
typedef struct sizes {
    size_t faces, samples;
} sizes;

// Into the lists, unless they are not there yet; sets how many there are.
static sizes list_sites(sherd_mpm_skin *s)
{
    sizes n = {0, 0};
    s->count = s->glued_count = 0;
    for (size_t at = 0; at < s->lattice->count; ++at) {
        uint8_t glued = beside_glue(s, at), sides = exposed(s, at), all = sides | glued;
        if (all == 0) continue;
        if (s->sites != NULL)
            s->sites[s->count] =
                (sherd_mpm_site){s->lattice->element[at],      (uint32_t)at, (uint32_t)n.faces,
                                 (uint32_t)n.samples,          all,          sides,
                                 (uint8_t)count_samples(sides)};
        if (s->glued != NULL && glued != 0) s->glued[s->glued_count] = (uint32_t)s->count;
        s->glued_count += glued != 0, ++s->count;
        n.faces += (size_t)count_faces(all), n.samples += (size_t)count_samples(all);
    }
    return n;
}

// ---------------------------------------------------------------- at rest

static sherd_mpm_rest_face face_of(const sherd_mpm_outer *outer, int32_t number, int side)
{
    const sherd_mpm_outer_face *known = sherd_mpm_outer_of(outer, number, side);
    sherd_mpm_rest_face face = {{0.0f, 0.0f, 0.0f}, 0.0f};
    if (known == NULL)
        face.normal[side / 2] = side % 2 == 1 ? 1.0f : -1.0f;
    else
        memcpy(face.normal, known->normal, sizeof face.normal), face.shift = known->shift;
    return face;
}

// A plane of the surface near a sample, at a distance from the point [spacing].
typedef struct plane {
    double normal[AXES], distance;
    int faces;
} plane;

// Faces that are nearly alike are one.
static void add_plane(plane list[AXES], int *count, const double normal[AXES], double distance)
{
    static const double ALIKE = 0.8; // of normals' product
    for (int n = 0; n < *count; ++n) {
        double mean[AXES], length;
        for (int k = 0; k < AXES; ++k)
            mean[k] = list[n].faces * list[n].normal[k] + normal[k];
        length = sqrt(sherd_axes_dot(mean, mean));
        if (!(sherd_axes_dot(normal, list[n].normal) > ALIKE)) continue;
        for (int k = 0; k < AXES; ++k)
            list[n].normal[k] = mean[k] / length;
        list[n].distance = (list[n].faces * list[n].distance + distance) / (list[n].faces + 1);
        ++list[n].faces;
        return;
    }
    plane *p = &list[(*count)++];
    memcpy(p->normal, normal, sizeof p->normal);
    p->distance = distance, p->faces = 1;
}

// From the cube's corner to where the planes meet, by projections on each in turn; no farther than half a diagonal.
static void project(const plane list[AXES], int count, double offset[AXES])
{
    enum { TURNS = 8 };
    static const double FARTHEST = 0.87;
    double from[AXES], way[AXES], length;
    memcpy(from, offset, sizeof from);
    for (int turn = 0; turn < TURNS; ++turn)
        for (int n = 0; n < count; ++n) {
            double above = sherd_axes_dot(list[n].normal, offset) - list[n].distance;
            for (int k = 0; k < AXES; ++k)
                offset[k] -= above * list[n].normal[k];
        }
    for (int k = 0; k < AXES; ++k)
        way[k] = offset[k] - from[k];
    length = sqrt(sherd_axes_dot(way, way));
    for (int k = 0; k < AXES && length > FARTHEST; ++k)
        offset[k] = from[k] + FARTHEST / length * way[k];
}

// `which` chooses sides along axes where both are exposed.
static void set_sample(const sherd_mpm_skin *s, const sherd_mpm_site *site, int which,
                       sherd_mpm_rest_sample *out)
{
    const sherd_mpm_rest_face *face = &s->faces[site->face];
    double offset[AXES] = {0.0}, area[AXES] = {0.0};
    plane planes[AXES];
    int count = 0;
    for (int side = 0; side < SIDES; ++side) {
        int axis = side / 2;
        if ((site->all >> side & 1) == 0) continue;
        const sherd_mpm_rest_face *f = face++;
        if ((site->sides >> side & 1) == 0) continue;
        bool both = is_double(site->sides, axis);
        int before = 0; // axes with both sides before this one
        for (int k = 0; k < axis; ++k)
            before += is_double(site->sides, k);
        if (both && (which >> before & 1) != side % 2) continue;
        double sign = side % 2 == 1 ? 1.0 : -1.0, share = (both ? 2.0 : 1.0) / site->samples;
        double normal[AXES] = {(double)f->normal[0], (double)f->normal[1], (double)f->normal[2]};
        offset[axis] = 0.5 * sign;
        add_plane(planes, &count, normal,
                  0.5 * sign * normal[axis] + (double)f->shift / s->lattice->spacing);
        for (int k = 0; k < AXES; ++k)
            area[k] += share * fmax(sign * normal[axis], 0.0) * normal[k];
    }
    project(planes, count, offset);
    for (int k = 0; k < AXES; ++k)
        out->offset[k] = (float)offset[k], out->area[k] = (float)area[k];
}

static void set_samples(sherd_mpm_skin *s, const sherd_mpm_site *site)
{
    for (int which = 0; which < site->samples; ++which)
        set_sample(s, site, which, &s->samples[site->sample + (uint32_t)which]);
}

static void set_rest(sherd_mpm_skin *s, const sherd_mpm_outer *outer)
{
    for (size_t k = 0; k < s->count; ++k) {
        const sherd_mpm_site *site = &s->sites[k];
        sherd_mpm_rest_face *face = &s->faces[site->face];
        for (int side = 0; side < SIDES; ++side)
            if (site->all >> side & 1) *face++ = face_of(outer, site->number, side);
        set_samples(s, site);
    }
}

bool sherd_mpm_skin_make(sherd_mpm_skin *s, const sherd_mpm_lattice *lattice, const uint8_t *torn,
                         const sherd_mpm_glues *glue, const sherd_mpm_outer *outer, size_t numbers)
{
    sherd_mpm_skin_free(s);
    if (lattice->count == 0) return true;
    *s = (sherd_mpm_skin){.lattice = lattice,
                          .torn = torn,
                          .glue = glue,
                          .broken = glue->broken,
                          .softening = glue->softening,
                          .numbers = numbers};
    sizes n = list_sites(s);
    s->sites = sherd_alloc(s->count, sizeof *s->sites);
    s->glued = sherd_alloc(s->glued_count, sizeof *s->glued);
    s->faces = sherd_alloc(n.faces, sizeof *s->faces);
    s->samples = sherd_alloc(n.samples, sizeof *s->samples);
    s->place = sherd_alloc(numbers, sizeof *s->place);
    s->site_of = sherd_alloc(numbers, sizeof *s->site_of);
    if (s->sites == NULL || s->glued == NULL || s->faces == NULL || s->samples == NULL ||
        s->place == NULL || s->site_of == NULL)
        return false;
    list_sites(s);
    set_rest(s, outer);
    for (size_t k = 0; k < numbers; ++k)
        s->place[k] = s->site_of[k] = -1;
    for (size_t k = 0; k < s->count; ++k)
        s->site_of[s->sites[k].number] = (int32_t)k;
    return true;
}

bool sherd_mpm_skin_follow_glue(sherd_mpm_skin *s)
{
    bool changed = false;
    if (s->broken == s->glue->broken && s->softening == s->glue->softening) return false;
    s->broken = s->glue->broken, s->softening = s->glue->softening;
    for (size_t k = 0; k < s->glued_count; ++k) {
        sherd_mpm_site *site = &s->sites[s->glued[k]];
        uint8_t sides = exposed(s, site->listed);
        if (sides == site->sides) continue;
        changed = true, site->sides = sides, site->samples = (uint8_t)count_samples(sides);
        set_samples(s, site);
    }
    return changed;
}

void sherd_mpm_skin_free(sherd_mpm_skin *s)
{
    sherd_free(s->sites), sherd_free(s->faces), sherd_free(s->samples);
    sherd_free(s->glued), sherd_free(s->place), sherd_free(s->site_of);
    *s = (sherd_mpm_skin){0};
}

void sherd_mpm_skin_sort(sherd_mpm_skin *s, const sherd_mpm_points *p)
{
    for (size_t k = 0; k < p->count; ++k)
        if (p->number[k] != SHERD_MPM_FILLER) s->place[p->number[k]] = (int32_t)k;
}

// ---------------------------------------------------------------- cubes

// An edge along an axis, from where neighbours are; false without any.
static bool own_edge(const sherd_mpm_skin *s, const sherd_mpm_points *p, size_t at, int axis,
                     double edge[AXES])
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

// The same of the point's neighbours, where it has none along the axis itself.
static bool edge_beside(const sherd_mpm_skin *s, const sherd_mpm_points *p, size_t at, int axis,
                        double edge[AXES])
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

// Points that are strained beyond all measure keep a surface.
static void limit(double spacing, double edge[AXES])
{
    double length = sqrt(sherd_axes_dot(edge, edge)),
           wanted = fmin(fmax(length, SHORTEST * spacing), LONGEST * spacing);
    for (int k = 0; k < AXES && length > 0.0; ++k)
        edge[k] *= wanted / length;
}

// Across two edges, where there is no third.
static void third_edge(double spacing, double edge[AXES][AXES], int axis)
{
    cross(edge[(axis + 1) % AXES], edge[(axis + 2) % AXES], edge[axis]);
    double length = sqrt(sherd_axes_dot(edge[axis], edge[axis]));
    for (int k = 0; k < AXES && length > 0.0; ++k)
        edge[axis][k] *= spacing / length;
}

// Of a row of single points: any two across it, as nothing tells how it has turned about itself.
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

static void find_edges(const sherd_mpm_skin *s, const sherd_mpm_points *p, size_t at,
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

void sherd_mpm_skin_cube(const sherd_mpm_skin *s, const sherd_mpm_points *p, size_t site,
                         sherd_mpm_cube *cube)
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

sherd_mpm_sample sherd_mpm_skin_sample(const sherd_mpm_skin *s, const sherd_mpm_cube *cube,
                                       size_t site, int which)
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

// Of what lies behind a face across an axis half, but no more than an edge [m].
static double depth_along(const sherd_mpm_cube *cube, uint8_t sides, int axis)
{
    const double *across = cube->normal[axis];
    double height = cube->volume / sqrt(sherd_axes_dot(across, across));
    return is_double(sides, axis) ? 0.5 * height : height;
}

// How far a place lies above a face's plane, along its normal [m].
static double gap_above(const sherd_mpm_cube *cube, const sherd_mpm_rest_face *face, int side,
                        double spacing, const double from[AXES], double normal[AXES])
{
    double sign = side % 2 == 1 ? 0.5 : -0.5, size, gap = 0.0;
    for (int k = 0; k < AXES; ++k) {
        normal[k] = 0.0;
        for (int axis = 0; axis < AXES; ++axis)
            normal[k] += (double)face->normal[axis] * cube->normal[axis][k];
    }
    size = sqrt(sherd_axes_dot(normal, normal));
    for (int k = 0; k < AXES; ++k) {
        double at = sign * cube->edge[side / 2][k];
        for (int axis = 0; axis < AXES; ++axis)
            at += (double)face->shift / spacing * (double)face->normal[axis] * cube->edge[axis][k];
        normal[k] /= size, gap += (from[k] - at) * normal[k];
    }
    return gap;
}

// Whether a place, from the cube's middle, lies above or below a face across an axis.
static bool is_above(const sherd_mpm_cube *cube, int axis, const double from[AXES])
{
    for (int next = 1; next < AXES; ++next) {
        const double *across = cube->normal[(axis + next) % AXES];
        if (fabs(sherd_axes_dot(across, from) / cube->volume) > 0.5 + SEAM) return false;
    }
    return true;
}

bool sherd_mpm_skin_face(const sherd_mpm_skin *s, const sherd_mpm_cube *cube, size_t site,
                         const sherd_mpm_place *place, double deepest, sherd_mpm_met_face *face)
{
    const sherd_mpm_site *of = &s->sites[site];
    const sherd_mpm_rest_face *rest = &s->faces[of->face];
    double from[AXES];
    bool found = false;
    if (!(cube->volume > 0.0)) return false;
    for (int k = 0; k < AXES; ++k)
        from[k] = place->at[k] - cube->x[k];
    for (int side = 0; side < SIDES; ++side) {
        int axis = side / 2;
        if ((of->all >> side & 1) == 0) continue;
        const sherd_mpm_rest_face *at = rest++;
        if ((of->sides >> side & 1) == 0) continue;
        double normal[AXES], lowest[AXES];
        double gap = gap_above(cube, at, side, s->lattice->spacing, from, normal) - place->radius;
        for (int k = 0; k < AXES; ++k)
            lowest[k] = from[k] - place->radius * normal[k];
        if (!is_above(cube, axis, lowest) || gap < -deepest || (found && gap <= face->gap))
            continue;
        if (place->area != NULL && -sherd_axes_dot(place->area, normal) <
                                       OPPOSED * sqrt(sherd_axes_dot(place->area, place->area)))
            continue;
        found = true, face->gap = gap, face->depth = depth_along(cube, of->sides, axis);
        memcpy(face->normal, normal, sizeof face->normal);
    }
    return found;
}

double sherd_mpm_skin_depth(const sherd_mpm_cube *cube, uint8_t sides, const double normal[3])
{
    double sum = 0.0, weights = 0.0;
    for (int axis = 0; axis < AXES; ++axis) {
        double weight = fabs(sherd_axes_dot(cube->normal[axis], normal));
        if ((sides >> (2 * axis) & 3) == 0) continue;
        weights += weight, sum += weight * depth_along(cube, sides, axis);
    }
    return sum / weights;
}
