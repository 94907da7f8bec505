// Pairs of triangles that cut each other, touch, or lie in one plane, at any size and place.
#include "geometry/mesh/triangle_overlap.h"

#include "base/random.h"
#include "geometry/exact/exact.h"
#include "geometry/mesh/mesh_access.h"

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

// ---- held against exact signs

// Whole numbers, so that both are given the same.
typedef struct exact_triangle {
    exact_point p[3];
} exact_triangle;

enum { RANDOM_PAIRS = 200000, LARGE = 1 << 30 };

// Corners up to `size` from a point that is up to `reach` from the origin; the last two of every other one are
// close together.
static exact_triangle random_triangle(uint64_t number, int64_t reach, int64_t size)
{
    exact_triangle t;
    int64_t value[12];
    for (int k = 0; k < 12; ++k) {
        double u = 2.0 * sherd_random_uniform(7, number, (uint64_t)k) - 1.0;
        value[k] = (int64_t)(u * (double)(k < 3 ? reach : size));
    }
    for (int k = 0; k < 3; ++k)
        t.p[k] = (exact_point){value[0] + value[3 * k + 3], value[1] + value[3 * k + 4],
                               value[2] + value[3 * k + 5]};
    if (number % 4 < 2) return t;
    for (int k = 0; k < 3; ++k)
        value[k] = value[k + 9] / 4096;
    t.p[2] = (exact_point){t.p[1].x + value[0], t.p[1].y + value[1], t.p[1].z + value[2]};
    return t;
}

// Whether an edge of t passes through the inside of u; *clear: no sign on the way is 0 but those of common
// corners.
static bool passes_through(const exact_triangle *t, const exact_triangle *u, bool common,
                           bool *clear)
{
    bool through = false;
    int side[3];
    for (int k = 0; k < 3; ++k) {
        side[k] = sherd_exact_side(&u->p[0], &u->p[1], &u->p[2], &t->p[k]);
        *clear &= side[k] != 0 || (common && k == 0);
    }
    for (int k = 0; k < 3; ++k) {
        const exact_point *a = &t->p[k], *b = &t->p[(k + 1) % 3];
        if (side[k] * side[(k + 1) % 3] >= 0) continue;
        int s0 = sherd_exact_side(a, b, &u->p[0], &u->p[1]);
        int s1 = sherd_exact_side(a, b, &u->p[1], &u->p[2]);
        int s2 = sherd_exact_side(a, b, &u->p[2], &u->p[0]);
        *clear &= s0 != 0 && s1 != 0 && s2 != 0;
        through |= s0 == s1 && s1 == s2;
    }
    return through;
}

static bool found(const exact_triangle t[2], bool common)
{
    sherd_mesh *mesh = sherd_mesh_create(6, 2, NULL);
    for (int k = 0; k < 6; ++k) {
        const exact_point *p = &t[k / 3].p[k % 3];
        mesh_set_vertex(mesh, k, vec3((double)p->x, (double)p->y, (double)p->z));
        mesh->triangles[k] = common && k == 3 ? 0 : k;
    }
    sherd_vec3 at;
    bool overlap = sherd_triangles_overlap(mesh, 0, 1, &at);
    sherd_mesh_destroy(mesh);
    return overlap;
}

// Pairs of a large triangle and one of a size that is down to a millionth, near it or at a corner of it.
static void check_random_pairs(bool common)
{
    int cuts = 0;
    for (uint64_t k = 0; k < RANDOM_PAIRS; ++k) {
        int64_t small = LARGE >> (k % 21);
        exact_triangle t[2] = {random_triangle(2 * k, 0, LARGE),
                               random_triangle(2 * k + 1, common ? 0 : LARGE / 8, small)};
        exact_point to = t[0].p[0], from = t[1].p[0];
        for (int c = 0; c < 3 && common; ++c) {
            exact_point *p = &t[1].p[c];
            *p = (exact_point){p->x - from.x + to.x, p->y - from.y + to.y, p->z - from.z + to.z};
        }
        bool clear = true;
        bool expected = passes_through(&t[0], &t[1], common, &clear);
        expected = passes_through(&t[1], &t[0], common, &clear) || expected;
        if (!clear) continue;
        cuts += expected;
        cr_assert(eq(int, found(t, common), expected), "pair %d, %s", (int)k,
                  common ? "with a common corner" : "apart");
    }
    cr_assert(lt(int, RANDOM_PAIRS / 100, cuts));
}

Test(triangle_overlap, large_and_tiny_as_with_exact_signs)
{
    check_random_pairs(false);
    check_random_pairs(true);
}
