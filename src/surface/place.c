#include "surface/place.h"

#include "geometry/shape_kind.h"
#include "math/vec3.h"

// In cells: the longest single step, and how far a vertex may stray from its grid simplex.
static const double LONGEST_STEP = 0.5;
static const double LONGEST_WAY = 1.3;
// Creases are looked for this far to the side, in cells: half the spacing of vertices, so that no
// triangle bridges a crease without a vertex near it.
static const double CREASE_REACH = 0.6;
static const double CREASE_DEPTH = 0.4;
// Normals further apart than 30 degrees make a crease.
static const double CREASE_COSINE = 0.866;

bool sherd_vertex_has_owner(const shell_vertex *v, sherd_fragment_id owner)
{
    for (int k = 0; k < v->owner_count; ++k)
        if (v->owners[k] == owner) return true;
    return false;
}

static sherd_vec3 limited(sherd_vec3 step, double longest)
{
    double length = vec3_length(step);
    return length > longest ? vec3_scale(longest / length, step) : step;
}

static sherd_vec3 onto_shape(const placing *p, sherd_vec3 x, sherd_vec3 *normal)
{
    double distance = sherd_shape_distance_and_normal(p->shape, x, normal);
    return vec3_add(x, limited(vec3_scale(-distance, *normal), LONGEST_STEP * p->cell));
}

// One Newton step to  ln psi_a = ln psi_b, within the shape's tangent plane if `normal` is given.
static sherd_vec3 onto_crack(const placing *p, const densities *d, sherd_vec3 x,
                             sherd_fragment_id a, sherd_fragment_id b, const sherd_vec3 *normal)
{
    double value;
    sherd_vec3 gradient;
    if (!sherd_partition_contrast(d, a, b, &value, &gradient)) return x;
    if (normal != NULL) gradient = vec3_add_scaled(gradient, -vec3_dot(gradient, *normal), *normal);
    double square = vec3_dot(gradient, gradient);
    // A contrast that changes by less than 1 over ten cells gives no direction.
    if (!(square * p->cell * p->cell > 1e-2)) return x;
    return vec3_add(x, limited(vec3_scale(-value / square, gradient), LONGEST_STEP * p->cell));
}

// The side of the slit is the one its grid simplex leans to.
static sherd_vec3 onto_slit(const placing *p, const shell_vertex *v, sherd_vec3 x)
{
    for (int k = 0; k < v->owner_count; ++k) {
        double side, distance;
        sherd_vec3 up, direction;
        if (v->owners[k] <= 0) continue;
        if (!sherd_slits_distance(p->slits, v->owners[k], v->base, &side, &up)) continue;
        if (!sherd_slits_distance(p->slits, v->owners[k], x, &distance, &direction)) return x;
        if (vec3_dot(direction, up) < 0.0) {
            distance = -distance;
            direction = vec3_scale(-1.0, direction);
        }
        double step = copysign(p->half_gap, side) - distance;
        return vec3_add(x, limited(vec3_scale(step, direction), LONGEST_STEP * p->cell));
    }
    return x;
}

static sherd_vec3 onto_cracks(const placing *p, const shell_vertex *v, sherd_vec3 x,
                              const sherd_vec3 *normal)
{
    sherd_fragment_id fragments[4];
    int count = 0;
    for (int k = 0; k < v->owner_count; ++k)
        if (v->owners[k] > 0) fragments[count++] = v->owners[k];
    if (count < 2) return x;
    densities d;
    for (int k = 0; k < count; ++k)
        for (int j = k + 1; j < count; ++j) {
            sherd_partition_densities(p->partition, x, &d);
            x = onto_crack(p, &d, x, fragments[k], fragments[j], normal);
        }
    return x;
}

void sherd_place_vertex(const placing *p, shell_vertex *v, int passes)
{
    bool outer = sherd_vertex_has_owner(v, OWNER_OUTSIDE);
    bool slit = sherd_vertex_has_owner(v, OWNER_SLIT);
    bool outer_only = outer && v->owner_count == 2;
    sherd_vec3 x = v->position, normal;
    for (int pass = 0; pass < passes; ++pass) {
        if (outer) x = onto_shape(p, x, &normal);
        if (outer_only) continue;
        x = onto_cracks(p, v, x, outer ? &normal : NULL);
        if (slit) x = onto_slit(p, v, x);
    }
    sherd_vec3 way = vec3_sub(x, v->base);
    bool strayed = vec3_dot(way, way) > LONGEST_WAY * LONGEST_WAY * p->cell * p->cell;
    if (strayed) x = vec3_add(v->base, limited(way, LONGEST_WAY * p->cell));
    if (outer && (strayed || !outer_only)) x = onto_shape(p, x, &normal);
    v->position = x;
}

// Least squares over tangent planes (c_i, n_i), kept near x where they leave it free.
static sherd_vec3 meet_of_planes(sherd_vec3 x, const sherd_vec3 *c, const sherd_vec3 *n, int count)
{
    double a[3][3] = {{1e-2, 0, 0}, {0, 1e-2, 0}, {0, 0, 1e-2}};
    sherd_vec3 b = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < count; ++k) {
        double w[3] = {n[k].x, n[k].y, n[k].z};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                a[i][j] += w[i] * w[j];
        b = vec3_add_scaled(b, vec3_dot(n[k], vec3_sub(c[k], x)), n[k]);
    }
    // Cramer's rule on a symmetric positive definite matrix: rows are columns.
    sherd_vec3 r0 = vec3(a[0][0], a[0][1], a[0][2]), r1 = vec3(a[1][0], a[1][1], a[1][2]),
               r2 = vec3(a[2][0], a[2][1], a[2][2]);
    sherd_vec3 c0 = vec3_cross(r1, r2), c1 = vec3_cross(r2, r0), c2 = vec3_cross(r0, r1);
    double determinant = vec3_dot(r0, c0);
    sherd_vec3 step = vec3(vec3_dot(c0, b), vec3_dot(c1, b), vec3_dot(c2, b));
    return vec3_add_scaled(x, 1.0 / determinant, step);
}

// Probes lie under the surface, to four sides: beyond a convex edge the nearest face is the other one.
bool sherd_place_on_crease(const placing *p, shell_vertex *v)
{
    if (!sherd_vertex_has_owner(v, OWNER_OUTSIDE)) return false;
    sherd_vec3 n[5], c[5], x = v->position;
    double at_x = sherd_shape_distance_and_normal(p->shape, x, &n[0]);
    c[0] = vec3_add_scaled(x, -at_x, n[0]);
    sherd_vec3 t = vec3_perpendicular(n[0]), u = vec3_cross(n[0], t);
    const sherd_vec3 side[4] = {t, u, vec3_scale(-1.0, t), vec3_scale(-1.0, u)};
    bool crease = false;
    for (int k = 0; k < 4; ++k) {
        sherd_vec3 y = vec3_add_scaled(x, -CREASE_DEPTH * p->cell, n[0]);
        y = vec3_add_scaled(y, CREASE_REACH * p->cell, side[k]);
        double distance = sherd_shape_distance_and_normal(p->shape, y, &n[k + 1]);
        c[k + 1] = vec3_add_scaled(y, -distance, n[k + 1]);
        crease |= vec3_dot(n[0], n[k + 1]) < CREASE_COSINE;
    }
    if (!crease) return false;
    sherd_vec3 corner = meet_of_planes(x, c, n, 5);
    if (!(vec3_distance(corner, x) < CREASE_REACH * 1.5 * p->cell)) return false;
    if (fabs(sherd_shape_distance(p->shape, corner)) > 0.1 * p->cell) return false;
    v->position = corner;
    return true;
}
