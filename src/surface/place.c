#include "surface/place.h"

#include "geometry/shape_kind.h"
#include "math/vec3.h"

// In cells: the longest single step, and how far a vertex may stray from its grid simplex.
static const double LONGEST_STEP = 0.5;
static const double LONGEST_WAY = 1.3;
// In cells: a step to the shape after which none is needed. What it leaves is its square over the
// radius of curvature.
static const double SHORT_STEP = 0.05;
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

// --- Fields ----------------------------------------------------------------------------------------

// One Newton step to the zero of a field known to first order, within a tangent plane if `normal` is
// given. A field that changes by less than 1 over ten cells gives no direction.
static sherd_vec3 newton_step(const placing *p, const field_model *f, sherd_vec3 x,
                              const sherd_vec3 *normal)
{
    double value = f->value + vec3_dot(f->gradient, vec3_sub(x, f->at));
    sherd_vec3 gradient = f->gradient;
    if (normal != NULL) gradient = vec3_add_scaled(gradient, -vec3_dot(gradient, *normal), *normal);
    double square = vec3_dot(gradient, gradient);
    if (!(square * p->cell * p->cell > 1e-2)) return x;
    return vec3_add(x, limited(vec3_scale(-value / square, gradient), LONGEST_STEP * p->cell));
}

// Onto the tangent plane of the shape as last evaluated.
static sherd_vec3 onto_plane(const placing *p, const field_model *shape, sherd_vec3 x)
{
    double distance = shape->value + vec3_dot(shape->gradient, vec3_sub(x, shape->at));
    return vec3_add(x, limited(vec3_scale(-distance, shape->gradient), LONGEST_STEP * p->cell));
}

static sherd_vec3 onto_shape(const placing *p, shell_vertex *v, sherd_vec3 x)
{
    v->shape.at = x;
    v->shape.value = sherd_shape_distance_and_normal(p->shape, x, &v->shape.gradient);
    return onto_plane(p, &v->shape, x);
}

// ln psi_a - ln psi_b at x.
static field_model between(const placing *p, sherd_vec3 x, sherd_fragment_id a, sherd_fragment_id b)
{
    field_model f = {.at = x};
    if (!sherd_partition_contrast(p->partition, x, a, b, &f.value, &f.gradient))
        f.gradient = vec3(0.0, 0.0, 0.0);
    return f;
}

// Height over the slit's side that the vertex's grid simplex leans to, in cells.
static field_model slit_side(const placing *p, shell_vertex *v, sherd_fragment_id label,
                             sherd_vec3 x)
{
    field_model f = {.at = x};
    double distance;
    sherd_vec3 up;
    if (vec3_dot(v->slit_up, v->slit_up) == 0.0 &&
        sherd_slits_distance(p->slits, label, v->base, &distance, &up))
        v->slit_up = vec3_scale(copysign(1.0, distance), up);
    if (!sherd_slits_distance(p->slits, label, x, &distance, &up)) return f;
    double sign = copysign(1.0, vec3_dot(up, v->slit_up));
    f.value = (sign * distance - p->half_gap) / p->cell;
    f.gradient = vec3_scale(sign / p->cell, up);
    return f;
}

// --- Vertices --------------------------------------------------------------------------------------

// What a vertex lies on.
typedef struct surroundings {
    bool outer, slit;
    int count; // of fragments
    sherd_fragment_id fragment[4];
} surroundings;

static surroundings surroundings_of(const shell_vertex *v)
{
    surroundings s = {.outer = false};
    for (int k = 0; k < v->owner_count; ++k) {
        s.outer |= v->owners[k] == OWNER_OUTSIDE;
        s.slit |= v->owners[k] == OWNER_SLIT;
        if (v->owners[k] > 0) s.fragment[s.count++] = v->owners[k];
    }
    return s;
}

// One surface besides the shape's, so that one model says it all.
static bool has_one_crack(const surroundings *s)
{
    return s->count + s->slit == 2;
}

static sherd_vec3 onto_cracks(const placing *p, const surroundings *s, shell_vertex *v,
                              sherd_vec3 x)
{
    const sherd_vec3 *normal = s->outer ? &v->shape.gradient : NULL;
    for (int k = 0; k < s->count; ++k)
        for (int j = k + 1; j < s->count; ++j) {
            v->crack = between(p, x, s->fragment[k], s->fragment[j]);
            x = newton_step(p, &v->crack, x, normal);
        }
    if (s->slit && s->count > 0) {
        v->crack = slit_side(p, v, s->fragment[0], x);
        x = newton_step(p, &v->crack, x, normal);
    }
    return x;
}

static sherd_vec3 keep_near_base(const placing *p, const shell_vertex *v, sherd_vec3 x)
{
    sherd_vec3 way = vec3_sub(x, v->base);
    return vec3_add(v->base, limited(way, LONGEST_WAY * p->cell));
}

static bool has_strayed(const placing *p, const shell_vertex *v, sherd_vec3 x)
{
    sherd_vec3 way = vec3_sub(x, v->base);
    return vec3_dot(way, way) > LONGEST_WAY * LONGEST_WAY * p->cell * p->cell;
}

void sherd_place_vertex(const placing *p, shell_vertex *v, int passes)
{
    surroundings s = surroundings_of(v);
    bool outer_only = s.outer && v->owner_count == 2 && !s.slit;
    sherd_vec3 x = v->position;
    for (int pass = 0; pass < passes; ++pass) {
        if (s.outer) x = onto_shape(p, v, x);
        // A distance is as good as exact after one step that is short.
        if (outer_only && fabs(v->shape.value) < SHORT_STEP * p->cell) break;
        if (!outer_only) x = onto_cracks(p, &s, v, x);
    }
    bool strayed = has_strayed(p, v, x);
    if (strayed) x = keep_near_base(p, v, x);
    if (s.outer && (strayed || !outer_only)) x = onto_shape(p, v, x);
    v->position = x;
}

void sherd_place_vertex_roughly(const placing *p, shell_vertex *v)
{
    surroundings s = surroundings_of(v);
    bool outer_only = s.outer && v->owner_count == 2 && !s.slit;
    if (!outer_only && !has_one_crack(&s)) {
        sherd_place_vertex(p, v, 1);
        return;
    }
    sherd_vec3 x = v->position;
    if (!outer_only) x = newton_step(p, &v->crack, x, s.outer ? &v->shape.gradient : NULL);
    if (has_strayed(p, v, x)) x = keep_near_base(p, v, x);
    if (s.outer) x = onto_plane(p, &v->shape, x);
    v->position = x;
}

// --- Creases ---------------------------------------------------------------------------------------

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
    n[0] = v->shape.gradient;
    c[0] = x;
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
