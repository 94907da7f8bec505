#include "models/mpm/surface/mpm_surface_samples.h"

#include "models/mpm/grid/mpm_axes.h"

#include <math.h>
#include <string.h>

enum { AXES = 3, SIDES = 6, BENDS = 6 };

// ---------------------------------------------------------------- faces

sherd_mpm_rest_face sherd_mpm_body_surface_rest_face(const sherd_mpm_surface_fit *outer,
                                                     const sherd_mpm_lattice *lattice,
                                                     int32_t number, int side)
{
    const sherd_mpm_fitted_face *known = sherd_mpm_surface_fit_of(outer, number, side);
    sherd_mpm_rest_face face = {{0.0f, 0.0f, 0.0f}, 0.0f, {0.0f}, false};
    if (known == NULL) {
        face.normal[side / 2] = side % 2 == 1 ? 1.0f : -1.0f;
        return face;
    }
    memcpy(face.normal, known->normal, sizeof face.normal), face.shift = known->shift;
    for (int k = 0; k < BENDS; ++k) {
        face.bend[k] = known->bend[k] * (float)lattice->spacing;
        face.is_bent = face.is_bent || face.bend[k] != 0.0f;
    }
    return face;
}

// Product of a curvature tensor and a displacement along the surface.
static void bend_by(const float bend[BENDS], const double way[AXES], double out[AXES])
{
    double xx = (double)bend[0], yy = (double)bend[1], zz = (double)bend[2], yz = (double)bend[3],
           xz = (double)bend[4], xy = (double)bend[5];
    out[0] = xx * way[0] + xy * way[1] + xz * way[2];
    out[1] = xy * way[0] + yy * way[1] + yz * way[2];
    out[2] = xz * way[0] + yz * way[1] + zz * way[2];
}

static double size_of_bend(const float bend[BENDS])
{
    double sum = 0.0;
    for (int k = 0; k < BENDS; ++k)
        sum += (k < AXES ? 1.0 : 2.0) * (double)bend[k] * (double)bend[k];
    return sqrt(sum);
}

// Solves (1 + height * bend) way = along for the displacement along the surface; at a height above
// it normals diverge or converge.
static void way_below(const float bend[BENDS], double height, const double along[AXES],
                      double way[AXES])
{
    double m[AXES][AXES], of[AXES][AXES], det = 0.0;
    for (int k = 0; k < AXES; ++k) {
        double unit[AXES] = {0.0};
        unit[k] = 1.0;
        bend_by(bend, unit, m[k]);
        for (int i = 0; i < AXES; ++i)
            m[k][i] *= height;
        m[k][k] += 1.0;
    }
    for (int k = 0; k < AXES; ++k) {
        const double *a = m[(k + 1) % AXES], *b = m[(k + 2) % AXES];
        for (int i = 0; i < AXES; ++i) {
            int next = (i + 1) % AXES, last = (i + 2) % AXES;
            of[k][i] = a[next] * b[last] - a[last] * b[next];
        }
    }
    det = sherd_axes_dot(m[0], of[0]);
    for (int k = 0; k < AXES; ++k)
        way[k] = (of[0][k] * along[0] + of[1][k] * along[1] + of[2][k] * along[2]) / det;
}

// Nearest point on a curved face, a quadratic surface about the point nearest to the middle of the
// cube's face.
static void nearest_bent(const sherd_mpm_rest_face *face, const double from[AXES],
                         const double unit[AXES], double way[AXES], double *sink)
{
    enum { TURNS = 3 };
    static const double FARTHEST = 1.5, // [spacing]
        MIN_SPREAD = 0.5;               // least factor 1 - height * curvature
    double above = sherd_axes_dot(from, unit), bend = size_of_bend(face->bend), along[AXES];
    *sink = 0.0;
    for (int k = 0; k < AXES; ++k)
        along[k] = from[k] - above * unit[k];
    for (int turn = 0; turn < TURNS; ++turn) {
        double turned[AXES], bound = (1.0 - MIN_SPREAD) / bend,
                             height = fmin(fmax(above + *sink, -bound), bound);
        way_below(face->bend, height, along, way);
        double length = sqrt(sherd_axes_dot(way, way));
        for (int k = 0; k < AXES && length > FARTHEST; ++k)
            way[k] *= FARTHEST / length;
        bend_by(face->bend, way, turned);
        *sink = 0.5 * sherd_axes_dot(way, turned);
    }
}

void sherd_mpm_body_surface_nearest(const sherd_mpm_rest_face *face, int side, double spacing,
                                    const double place[AXES], double foot[AXES],
                                    double normal[AXES])
{
    double unit[AXES], way[AXES], from[AXES], sink = 0.0;
    for (int k = 0; k < AXES; ++k)
        unit[k] = (double)face->normal[k];
    for (int k = 0; k < AXES; ++k) {
        foot[k] = (double)face->shift / spacing * unit[k];
        if (k == side / 2) foot[k] += side % 2 == 1 ? 0.5 : -0.5;
        from[k] = place[k] - foot[k];
    }
    memcpy(normal, unit, sizeof unit);
    if (face->is_bent) {
        double turned[AXES];
        nearest_bent(face, from, unit, way, &sink);
        bend_by(face->bend, way, turned);
        for (int k = 0; k < AXES; ++k)
            normal[k] += turned[k];
    } else {
        double above = sherd_axes_dot(from, unit);
        for (int k = 0; k < AXES; ++k)
            way[k] = from[k] - above * unit[k];
    }
    for (int k = 0; k < AXES; ++k)
        foot[k] += way[k] - sink * unit[k];
}

// ---------------------------------------------------------------- how many

// Largest angle between the normals of neighbouring samples [rad], up to MAX_PARTS parts. A ball
// with a radius of six spacings rolls hardly differently with more.
static const double FINEST = 1.0 / 12.0;
enum { MAX_PARTS = 3 };

uint8_t sherd_mpm_body_surface_fineness(const sherd_mpm_surface_fit *outer,
                                        const sherd_mpm_lattice *lattice, size_t listed,
                                        uint8_t sides)
{
    double most = 0.0;
    for (int side = 0; side < SIDES; ++side) {
        if ((sides >> side & 1) == 0) continue;
        sherd_mpm_rest_face face =
            sherd_mpm_body_surface_rest_face(outer, lattice, lattice->element[listed], side);
        most = fmax(most, size_of_bend(face.bend));
    }
    return (uint8_t)fmin(fmax(ceil(most / FINEST), 1.0), MAX_PARTS);
}

static bool is_double(uint8_t sides, int axis)
{
    return (sides >> (2 * axis) & 3) == 3;
}

// Exposed sides of the cube that a part of it has.
static uint8_t sides_of_part(uint8_t sides, uint8_t fine, const int part[AXES])
{
    uint8_t own = 0;
    for (int axis = 0; axis < AXES; ++axis) {
        if (part[axis] == 0) own |= (uint8_t)(1 << 2 * axis);
        if (part[axis] == fine - 1) own |= (uint8_t)(2 << 2 * axis);
    }
    return own & sides;
}

static void part_of(int which, uint8_t fine, int part[AXES])
{
    part[0] = which % fine, part[1] = which / fine % fine, part[2] = which / fine / fine;
}

uint8_t sherd_mpm_body_surface_count(uint8_t sides, uint8_t fine)
{
    uint8_t count = 0;
    if (sides == 0) return 0;
    if (fine == 1)
        return (uint8_t)(1 << (is_double(sides, 0) + is_double(sides, 1) + is_double(sides, 2)));
    for (int which = 0; which < fine * fine * fine; ++which) {
        int part[AXES];
        part_of(which, fine, part);
        count += sides_of_part(sides, fine, part) != 0;
    }
    return count;
}

// ---------------------------------------------------------------- samples

// Faces represented by one sample: of a cube, or of a part of it, relative to its centre [spacing].
typedef struct patch {
    double middle[AXES];
    const sherd_mpm_rest_face *face[AXES];
    int side[AXES];
    double share[AXES]; // area of the cube's face [spacing^2]
    int faces;
    double spacing;
} patch;

// Faces of a patch with similar normals, which are one surface.
typedef struct group {
    double normal[AXES];
    int member[AXES], members;
} group;

static void join(group list[AXES], int *count, int member, const double normal[AXES])
{
    static const double ALIKE = 0.8; // product of normals
    for (int n = 0; n < *count; ++n) {
        group *g = &list[n];
        if (!(sherd_axes_dot(normal, g->normal) > ALIKE)) continue;
        double mean[AXES], length;
        for (int k = 0; k < AXES; ++k)
            mean[k] = g->members * g->normal[k] + normal[k];
        length = sqrt(sherd_axes_dot(mean, mean));
        for (int k = 0; k < AXES; ++k)
            g->normal[k] = mean[k] / length;
        g->member[g->members++] = member;
        return;
    }
    group *g = &list[(*count)++];
    memcpy(g->normal, normal, sizeof g->normal);
    g->member[0] = member, g->members = 1;
}

// Projects onto the mean of the surfaces of a group's faces.
static void project_once(const patch *p, const group *g, double offset[AXES])
{
    double sum[AXES] = {0.0}, foot[AXES], normal[AXES];
    for (int n = 0; n < g->members; ++n) {
        int m = g->member[n];
        sherd_mpm_body_surface_nearest(p->face[m], p->side[m], p->spacing, offset, foot, normal);
        for (int k = 0; k < AXES; ++k)
            sum[k] += foot[k];
    }
    for (int k = 0; k < AXES; ++k)
        offset[k] = sum[k] / g->members;
}

// Moves a point from the cube's corner to the intersection of the surfaces, by projecting onto each
// in turn, by at most half a diagonal.
static void project(const patch *p, const group list[AXES], int count, double offset[AXES])
{
    enum { TURNS = 8 };
    static const double FARTHEST = 0.87;
    double from[AXES], way[AXES], length;
    memcpy(from, offset, sizeof from);
    for (int turn = 0; turn < TURNS; ++turn)
        for (int n = 0; n < count; ++n)
            project_once(p, &list[n], offset);
    for (int k = 0; k < AXES; ++k)
        way[k] = offset[k] - from[k];
    length = sqrt(sherd_axes_dot(way, way));
    for (int k = 0; k < AXES && length > FARTHEST; ++k)
        offset[k] = from[k] + FARTHEST / length * way[k];
}

static void set_sample(const patch *p, sherd_mpm_rest_sample *out)
{
    double offset[AXES], area[AXES] = {0.0};
    group groups[AXES];
    int count = 0;
    memcpy(offset, p->middle, sizeof offset);
    for (int n = 0; n < p->faces; ++n) {
        int axis = p->side[n] / 2;
        double sign = p->side[n] % 2 == 1 ? 1.0 : -1.0, middle[AXES], foot[AXES], normal[AXES];
        memcpy(middle, p->middle, sizeof middle);
        offset[axis] = middle[axis] = 0.5 * sign;
        sherd_mpm_body_surface_nearest(p->face[n], p->side[n], p->spacing, middle, foot, normal);
        double length = sqrt(sherd_axes_dot(normal, normal));
        for (int k = 0; k < AXES; ++k)
            normal[k] /= length;
        join(groups, &count, n, normal);
        for (int k = 0; k < AXES; ++k)
            area[k] += p->share[n] * fmax(sign * normal[axis], 0.0) * normal[k];
    }
    project(p, groups, count, offset);
    for (int k = 0; k < AXES; ++k)
        out->offset[k] = (float)offset[k], out->area[k] = (float)area[k];
}

// Whether sample `which` of a whole cube includes a side. If both sides along an axis are exposed,
// it chooses one of them.
static bool is_chosen(const sherd_mpm_site *site, int which, int side)
{
    int before = 0; // earlier axes with both sides exposed
    if (!is_double(site->sides, side / 2)) return true;
    for (int k = 0; k < side / 2; ++k)
        before += is_double(site->sides, k);
    return (which >> before & 1) == side % 2;
}

static patch patch_of(const sherd_mpm_body_surface *s, const sherd_mpm_site *site, int which,
                      uint8_t sides)
{
    const sherd_mpm_rest_face *face = &s->faces[site->face];
    patch p = {.spacing = s->lattice->spacing};
    int part[AXES], fine = site->fine;
    part_of(which, site->fine, part);
    for (int k = 0; k < AXES && fine > 1; ++k)
        p.middle[k] = (part[k] + 0.5) / fine - 0.5;
    for (int side = 0; side < SIDES; ++side) {
        if ((site->all >> side & 1) == 0) continue;
        const sherd_mpm_rest_face *f = face++;
        if ((sides >> side & 1) == 0 || (fine == 1 && !is_chosen(site, which, side))) continue;
        p.face[p.faces] = f, p.side[p.faces] = side;
        p.share[p.faces++] = fine > 1 ? 1.0 / (fine * fine)
                                      : (is_double(sides, side / 2) ? 2.0 : 1.0) / site->samples;
    }
    return p;
}

void sherd_mpm_body_surface_set_samples(sherd_mpm_body_surface *s, const sherd_mpm_site *site)
{
    sherd_mpm_rest_sample *out = &s->samples[site->sample];
    int parts = site->fine > 1 ? site->fine * site->fine * site->fine : site->samples;
    for (int which = 0; which < parts; ++which) {
        uint8_t sides = site->sides;
        int part[AXES];
        part_of(which, site->fine, part);
        if (site->fine > 1) sides = sides_of_part(sides, site->fine, part);
        if (sides == 0) continue;
        patch p = patch_of(s, site, which, sides);
        set_sample(&p, out++);
    }
}
