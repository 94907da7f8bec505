// Pairs of triangles that cut each other, touch, or lie in one plane, at any size and place.
#include "geometry/triangle_overlap.h"

#include "geometry/mesh_access.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

typedef struct pair {
    double p[2][3][3];
} pair;

static const pair PIERCED = {
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, -1}, {1, 1, 1}, {-2, 1, 1}}}};
static const pair APART = {{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{5, 5, -1}, {5, 5, 1}, {8, 5, 1}}}};
static const pair COMMON_EDGE = {
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{4, 0, 0}, {0, 4, 0}, {2, 2, 3}}}};
static const pair STANDS_ON_IT = {
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {1, 1, 2}, {2, 1, 2}}}};
static const pair BESIDE = {{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{4, 0, 0}, {4, 4, 0}, {0, 4, 0}}}};
static const pair SHARES_AREA = {
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {5, 1, 0}, {1, 5, 0}}}};
static const pair WITHIN = {
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {1.5, 1, 0}, {1, 1.5, 0}}}};
static const pair SAME = {{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}}};

// Scaled, then moved and turned: a plane of its own, so that coordinates carry rounding.
static sherd_vec3 placed(const double p[3], double scale, bool turned)
{
    sherd_vec3 v = {scale * p[0], scale * p[1], scale * p[2]};
    if (!turned) return v;
    double c = 0.8, s = 0.6; // about z, then about x
    sherd_vec3 w = {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
    return (sherd_vec3){w.x + 3.0 * scale, c * w.y - s * w.z - scale, s * w.y + c * w.z};
}

static bool overlap(const pair *of, double scale, bool turned, bool swapped)
{
    sherd_error error;
    sherd_mesh *mesh = sherd_mesh_create(6, 2, &error);
    for (int k = 0; k < 6; ++k) {
        mesh_set_vertex(mesh, k, placed(of->p[k / 3][k % 3], scale, turned));
        mesh->triangles[k] = k;
    }
    sherd_vec3 at;
    bool found = sherd_triangles_overlap(mesh, swapped, !swapped, &at);
    sherd_mesh_destroy(mesh);
    return found;
}

static void expect(const pair *of, bool expected, const char *name)
{
    for (int k = 0; k < 12; ++k) {
        double scale = (const double[]){1e-9, 1.0, 1e9}[k / 4];
        cr_expect(eq(int, overlap(of, scale, k & 1, k & 2), expected), "%s, scale %g, case %d",
                  name, scale, k);
    }
}

Test(triangle_overlap, cut_is_told_from_touch)
{
    expect(&PIERCED, true, "pierced");
    expect(&APART, false, "apart");
    expect(&COMMON_EDGE, false, "common edge");
    expect(&STANDS_ON_IT, false, "stands on it");
}

Test(triangle_overlap, in_one_plane_a_common_area_counts)
{
    expect(&BESIDE, false, "beside");
    expect(&SHARES_AREA, true, "shares area");
    expect(&WITHIN, true, "within");
    expect(&SAME, true, "same");
}

// Parts of one cut triangle lie in its plane but for the rounding of their corners: signs of volumes
// are noise there, and neighbours must not count as cutting each other. Corners move by less than 1e-8
// of the extent, by more than arithmetic rounds, and common ones alike.
static pair rounded(pair of)
{
    for (int t = 0; t < 2; ++t)
        for (int k = 0; k < 3; ++k) {
            double *p = of.p[t][k];
            p[2] += p[0] > p[1] ? 1e-9 : p[0] == p[1] ? -1e-9 : 0.0;
        }
    return of;
}

Test(triangle_overlap, rounded_corners_leave_a_plane_a_plane)
{
    pair beside = rounded(BESIDE), within = rounded(WITHIN);
    expect(&beside, false, "beside");
    expect(&within, true, "within");
}

// A notch a thousandth deep is no rounding.
Test(triangle_overlap, shallow_cuts_count)
{
    pair shallow = PIERCED;
    shallow.p[1][0][2] = -1e-3;
    expect(&shallow, true, "shallow");
}
