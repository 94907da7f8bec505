#include "geometry/box_clip.h"

#include "geometry/tetra/tetra_mesh.h"
#include "math/vec3.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// Planes 0 to 5: low x, high x, low y, ...
enum { PLANES = 6 };

// Returns the distance of p from a plane, positive on the inner side.
static double depth(const sherd_clip_box *box, int plane, sherd_vec3 p)
{
    const double x[3] = {p.x, p.y, p.z};
    int axis = plane / 2;
    return plane % 2 == 0 ? x[axis] - box->low[axis] : box->high[axis] - x[axis];
}

static sherd_vec3 between(sherd_vec3 in, double in_depth, sherd_vec3 out, double out_depth)
{
    return vec3_add_scaled(in, in_depth / (in_depth - out_depth), vec3_sub(out, in));
}

// Returns whether all of p lies strictly outside one of the planes.
static bool is_outside(const sherd_clip_box *box, const sherd_vec3 *p, int count)
{
    for (int plane = 0; plane < PLANES; ++plane) {
        int out = 0;
        for (int k = 0; k < count; ++k)
            out += depth(box, plane, p[k]) < 0.0;
        if (out == count) return true;
    }
    return false;
}

// ---------------------------------------------------------------- triangles

// Each plane adds at most one corner.
enum { MAX_CORNERS = 3 + PLANES };

// Sutherland and Hodgman: clips the polygon to the inner side.
static int clip_polygon(const sherd_clip_box *box, int plane, int count, sherd_vec3 p[MAX_CORNERS])
{
    sherd_vec3 kept[MAX_CORNERS];
    int n = 0;
    for (int k = 0; k < count; ++k) {
        sherd_vec3 a = p[k], b = p[(k + 1) % count];
        double da = depth(box, plane, a), db = depth(box, plane, b);
        if (da >= 0.0) kept[n++] = a;
        if ((da >= 0.0) != (db >= 0.0))
            kept[n++] = da >= 0.0 ? between(a, da, b, db) : between(b, db, a, da);
    }
    memcpy(p, kept, (size_t)n * sizeof *p);
    return n;
}

double sherd_clip_triangle(const sherd_clip_box *box, const sherd_vec3 p[3])
{
    sherd_vec3 corner[MAX_CORNERS] = {p[0], p[1], p[2]}, twice = {0};
    if (is_outside(box, p, 3)) return 0.0;
    int count = 3;
    for (int plane = 0; plane < PLANES && count > 0; ++plane)
        count = clip_polygon(box, plane, count, corner);
    for (int k = 1; k + 1 < count; ++k)
        twice = vec3_add(
            twice, vec3_cross(vec3_sub(corner[k], corner[0]), vec3_sub(corner[k + 1], corner[0])));
    return 0.5 * vec3_length(twice);
}

// ---------------------------------------------------------------- tetrahedra

// A plane cuts a tetrahedron into a tetrahedron or a prism, which is divided into three.
typedef struct parts {
    sherd_vec3 tetra[3][4];
    int count;
} parts;

static void set_tetra(parts *out, sherd_vec3 a, sherd_vec3 b, sherd_vec3 c, sherd_vec3 d)
{
    sherd_vec3 *p = out->tetra[out->count++];
    p[0] = a, p[1] = b, p[2] = c, p[3] = d;
}

// The prism between triangles a and b, corner by corner.
static void set_prism(parts *out, const sherd_vec3 a[3], const sherd_vec3 b[3])
{
    set_tetra(out, a[0], a[1], a[2], b[2]);
    set_tetra(out, a[0], a[1], b[1], b[2]);
    set_tetra(out, a[0], b[0], b[1], b[2]);
}

static parts clip_by_plane(const sherd_clip_box *box, int plane, const sherd_vec3 p[4])
{
    parts out = {.count = 0};
    sherd_vec3 in[4], off[4];
    double d_in[4], d_off[4];
    int n = 0, m = 0;
    for (int k = 0; k < 4; ++k) {
        double d = depth(box, plane, p[k]);
        if (d >= 0.0)
            in[n] = p[k], d_in[n++] = d;
        else
            off[m] = p[k], d_off[m++] = d;
    }
    sherd_vec3 cut[4][4];
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            cut[i][j] = between(in[i], d_in[i], off[j], d_off[j]);
    if (n == 4) set_tetra(&out, p[0], p[1], p[2], p[3]);
    if (n == 3) set_prism(&out, in, (const sherd_vec3[3]){cut[0][0], cut[1][0], cut[2][0]});
    if (n == 2)
        set_prism(&out, (const sherd_vec3[3]){in[0], cut[0][0], cut[0][1]},
                  (const sherd_vec3[3]){in[1], cut[1][0], cut[1][1]});
    if (n == 1) set_tetra(&out, in[0], cut[0][0], cut[0][1], cut[0][2]);
    return out;
}

static double clip_from(const sherd_clip_box *box, int plane, const sherd_vec3 p[4])
{
    if (plane == PLANES) return fabs(tetra_volume_of(p));
    parts left = clip_by_plane(box, plane, p);
    double volume = 0.0;
    for (int k = 0; k < left.count; ++k)
        volume += clip_from(box, plane + 1, left.tetra[k]);
    return volume;
}

double sherd_clip_tetra(const sherd_clip_box *box, const sherd_vec3 p[4])
{
    return is_outside(box, p, 4) ? 0.0 : clip_from(box, 0, p);
}
