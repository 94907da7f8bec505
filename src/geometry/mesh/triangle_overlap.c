// All decisions are signs of volumes and areas; a value within rounding of zero counts as zero,
// that is, as touching. An edge that goes from strictly one side of a triangle's plane to the other
// intersects the triangle even if it hits it exactly on an edge or corner: solids with common
// planes and diagonals often intersect each other only there.
#include "geometry/mesh/triangle_overlap.h"

#include "geometry/mesh/mesh_access.h"

// Corners are accurate to this fraction of the pair's extent, a thousand times the rounding of
// coordinates: a value that vanishes when corners are moved by as much counts as zero.
static const double NOISE = 1e-12;

typedef struct corners {
    sherd_vec3 p[3];
} corners;

static corners corners_of(const sherd_mesh *mesh, int32_t t)
{
    return (corners){{mesh_corner(mesh, t, 0), mesh_corner(mesh, t, 1), mesh_corner(mesh, t, 2)}};
}

static int sign_of(double value, double noise)
{
    return value > noise ? 1 : value < -noise ? -1 : 0;
}

// Six times the signed volume of the tetrahedron (a, b, c, d), 0 if its sign is uncertain. The
// uncertainty depends on the areas of its faces, not on the extent: other triangles pass closely by
// a tiny triangle.
static double volume6(sherd_vec3 a, sherd_vec3 b, sherd_vec3 c, sherd_vec3 d, double noise)
{
    sherd_vec3 u = vec3_sub(b, a), v = vec3_sub(c, a), w = vec3_sub(d, a);
    sherd_vec3 uv = vec3_cross(u, v), vw = vec3_cross(v, w), wu = vec3_cross(w, u);
    double volume = vec3_dot(w, uv), largest = vec3_dot(uv, uv);
    largest = vec3_dot(vw, vw) > largest ? vec3_dot(vw, vw) : largest;
    largest = vec3_dot(wu, wu) > largest ? vec3_dot(wu, wu) : largest;
    return volume * volume > noise * noise * largest ? volume : 0.0;
}

// Largest distance along an axis between the six corners.
static double extent_of(const corners *t, const corners *u)
{
    sherd_bounds box = bounds_empty();
    for (int k = 0; k < 3; ++k) {
        bounds_add(&box, t->p[k]);
        bounds_add(&box, u->p[k]);
    }
    sherd_vec3 size = vec3_sub(box.high, box.low);
    double largest = size.x > size.y ? size.x : size.y;
    return size.z > largest ? size.z : largest;
}

// Determines the sides of t's corners relative to the plane of u. Returns false if t lies on one
// side, so that it can at most touch.
static bool sides_of(const corners *t, const corners *u, double noise, double volume[3],
                     int side[3])
{
    for (int k = 0; k < 3; ++k) {
        volume[k] = volume6(u->p[0], u->p[1], u->p[2], t->p[k], noise);
        side[k] = sign_of(volume[k], 0.0);
    }
    int low = side[0], high = side[0];
    for (int k = 1; k < 3; ++k) {
        low = side[k] < low ? side[k] : low;
        high = side[k] > high ? side[k] : high;
    }
    return (low < 0 && high > 0) || (low == 0 && high == 0);
}

// Returns whether an edge of t that changes sides passes through u. `min_sign` is 1 if u's edges do
// not count: in a thin triangle the edge opposite a common corner passes closely by it.
static bool edges_cut(const corners *t, const corners *u, const double volume[3], const int side[3],
                      double noise, int min_sign, sherd_vec3 *at)
{
    for (int k = 0; k < 3; ++k) {
        int n = k < 2 ? k + 1 : 0;
        if (side[k] * side[n] >= 0) continue;
        sherd_vec3 p = t->p[k], q = t->p[n];
        int s0 = sign_of(volume6(u->p[0], u->p[1], p, q, noise), 0.0);
        int s1 = sign_of(volume6(u->p[1], u->p[2], p, q, noise), 0.0);
        int s2 = sign_of(volume6(u->p[2], u->p[0], p, q, noise), 0.0);
        bool within = (s0 >= min_sign && s1 >= min_sign && s2 >= min_sign) ||
                      (-s0 >= min_sign && -s1 >= min_sign && -s2 >= min_sign);
        if (!within || (s0 == 0 && s1 == 0 && s2 == 0)) continue;
        *at = vec3_add_scaled(p, volume[k] / (volume[k] - volume[n]), vec3_sub(q, p));
        return true;
    }
    return false;
}

// ---- coplanar triangles

typedef struct flat_corners {
    sherd_vec2 p[3];
} flat_corners;

// Drops the axis along which the normal is longest.
static flat_corners flatten(const corners *t, sherd_vec3 normal)
{
    double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
    flat_corners flat;
    for (int k = 0; k < 3; ++k) {
        sherd_vec3 p = t->p[k];
        if (x >= y && x >= z)
            flat.p[k] = (sherd_vec2){p.y, p.z};
        else if (y >= z)
            flat.p[k] = (sherd_vec2){p.z, p.x};
        else
            flat.p[k] = (sherd_vec2){p.x, p.y};
    }
    return flat;
}

static int orientation(sherd_vec2 a, sherd_vec2 b, sherd_vec2 c, double noise)
{
    return sign_of((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x), noise);
}

static bool strictly_inside(const flat_corners *t, sherd_vec2 q, double noise)
{
    int a = orientation(t->p[0], t->p[1], q, noise), b = orientation(t->p[1], t->p[2], q, noise);
    int c = orientation(t->p[2], t->p[0], q, noise);
    return a != 0 && a == b && b == c;
}

static bool some_edges_cross(const flat_corners *t, const flat_corners *u, double noise)
{
    for (int k = 0; k < 3; ++k)
        for (int m = 0; m < 3; ++m) {
            sherd_vec2 a = t->p[k], b = t->p[(k + 1) % 3], c = u->p[m], d = u->p[(m + 1) % 3];
            if (orientation(a, b, c, noise) * orientation(a, b, d, noise) < 0 &&
                orientation(c, d, a, noise) * orientation(c, d, b, noise) < 0)
                return true;
        }
    return false;
}

static sherd_vec2 middle_of(const flat_corners *t)
{
    return (sherd_vec2){(t->p[0].x + t->p[1].x + t->p[2].x) / 3.0,
                        (t->p[0].y + t->p[1].y + t->p[2].y) / 3.0};
}

// Returns whether all of u lies beyond an edge of t, or on it. This is true for most neighbours,
// which share an edge or a corner.
static bool separates(const flat_corners *t, const flat_corners *u, double noise)
{
    for (int k = 0; k < 3; ++k) {
        sherd_vec2 a = t->p[k], b = t->p[(k + 1) % 3];
        int own = orientation(a, b, t->p[(k + 2) % 3], noise);
        bool beyond = own != 0;
        for (int m = 0; m < 3 && beyond; ++m)
            beyond = orientation(a, b, u->p[m], noise) * own <= 0;
        if (beyond) return true;
    }
    return false;
}

// Two convex figures share an area if edges cross, or a corner or the centre of one is inside the
// other.
static bool overlap_in_area(const flat_corners *t, const flat_corners *u, double noise)
{
    if (separates(t, u, noise) || separates(u, t, noise)) return false;
    if (strictly_inside(t, middle_of(u), noise) || strictly_inside(u, middle_of(t), noise))
        return true;
    for (int k = 0; k < 3; ++k)
        if (strictly_inside(t, u->p[k], noise) || strictly_inside(u, t->p[k], noise)) return true;
    return some_edges_cross(t, u, noise);
}

static bool overlap_in_plane(const corners *t, const corners *u, double extent, sherd_vec3 *at)
{
    sherd_vec3 normal = vec3_cross(vec3_sub(u->p[1], u->p[0]), vec3_sub(u->p[2], u->p[0]));
    flat_corners flat_t = flatten(t, normal), flat_u = flatten(u, normal);
    *at = vec3_scale(1.0 / 3.0, vec3_add(t->p[0], vec3_add(t->p[1], t->p[2])));
    return overlap_in_area(&flat_t, &flat_u, NOISE * extent * extent);
}

// Returns whether the smaller triangle lies in the larger one's plane within this fraction of their
// extent: parts of a divided triangle do, with rounded corners. Signs of volumes would be dominated
// by rounding.
static const double FLAT = 1e-8;

static double area2_of(const corners *t)
{
    return vec3_length(vec3_cross(vec3_sub(t->p[1], t->p[0]), vec3_sub(t->p[2], t->p[0])));
}

static bool are_flat(const corners *t, const corners *u, double extent, const double volume_t[3],
                     const double volume_u[3])
{
    double area_t = area2_of(t), area_u = area2_of(u);
    const double *volume = area_t < area_u ? volume_t : volume_u;
    double limit = FLAT * extent * (area_t < area_u ? area_u : area_t);
    return fabs(volume[0]) < limit && fabs(volume[1]) < limit && fabs(volume[2]) < limit;
}

static bool have_common_corner(const sherd_mesh *mesh, int32_t t, int32_t u)
{
    const int32_t *a = mesh->triangles + 3 * (size_t)t, *b = mesh->triangles + 3 * (size_t)u;
    for (int k = 0; k < 3; ++k)
        if (a[k] == b[0] || a[k] == b[1] || a[k] == b[2]) return true;
    return false;
}

bool sherd_triangles_overlap(const sherd_mesh *mesh, int32_t t, int32_t u, sherd_vec3 *at)
{
    corners a = corners_of(mesh, t), b = corners_of(mesh, u);
    double extent = extent_of(&a, &b), noise = NOISE * extent;
    double volume_a[3], volume_b[3];
    int side_a[3], side_b[3];
    if (!sides_of(&a, &b, noise, volume_a, side_a)) return false;
    if (!sides_of(&b, &a, noise, volume_b, side_b)) return false;
    bool flat =
        (side_a[0] | side_a[1] | side_a[2]) == 0 && (side_b[0] | side_b[1] | side_b[2]) == 0;
    if (flat || are_flat(&a, &b, extent, volume_a, volume_b))
        return overlap_in_plane(&a, &b, extent, at);
    int min_sign = have_common_corner(mesh, t, u) ? 1 : 0;
    return edges_cut(&a, &b, volume_a, side_a, noise, min_sign, at) ||
           edges_cut(&b, &a, volume_b, side_b, noise, min_sign, at);
}
