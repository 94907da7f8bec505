#include "surface/methods/march/vertex_position.h"

#include "base/assertion.h"
#include "geometry/shape/shape_kind.h"
#include "math/vec3.h"
#include "surface/methods/fluid/fluid_field.h"

// In cells: the longest single step, and the maximum distance of a vertex from its grid simplex.
static const double LONGEST_STEP = 0.5;
static const double MAX_DISPLACEMENT = 1.3;
// In cells: after a step to the shape or to a fluid's surface that is shorter than this, no further
// step is needed. Its remaining error is its square over the radius of curvature.
static const double SHORT_STEP = 0.05;
// Creases are searched within this distance to each side, in cells: half the spacing of vertices,
// so that no triangle bridges a crease without a vertex near it.
static const double CREASE_REACH = 0.6;
static const double CREASE_DEPTH = 0.4;
// Cosine: normals that differ by more than 30 degrees make a crease.
static const double CREASE_COSINE = 0.866;

bool sherd_vertex_has_owner(const shell_vertex *v, sherd_fragment_id owner)
{
    SHERD_ASSERT(v->owner_count >= 0 &&
                     v->owner_count <= (int)(sizeof v->owners / sizeof v->owners[0]),
                 "a vertex has no more owners than cells that meet there");
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

// Performs one Newton step to the zero of a field, within a tangent plane if `normal` is given. A
// field that changes by less than 1 over ten cells defines no direction.
static sherd_vec3 newton_step(const placing *p, double value, sherd_vec3 gradient, sherd_vec3 x,
                              const sherd_vec3 *normal)
{
    if (normal != NULL) gradient = vec3_add_scaled(gradient, -vec3_dot(gradient, *normal), *normal);
    double square = vec3_dot(gradient, gradient);
    if (!(square * p->cell * p->cell > 1e-2)) return x;
    return vec3_add(x, limited(vec3_scale(-value / square, gradient), LONGEST_STEP * p->cell));
}

// Projects onto the tangent plane of the shape as last evaluated.
static sherd_vec3 onto_plane(const placing *p, const shell_vertex *v, sherd_vec3 x)
{
    double distance = vec3_dot(v->normal, x) - v->plane;
    return vec3_add(x, limited(vec3_scale(-distance, v->normal), LONGEST_STEP * p->cell));
}

// Returns the distance before the step.
static double onto_shape(const placing *p, shell_vertex *v, sherd_vec3 *x)
{
    double distance = sherd_shape_distance_and_normal(p->shape, *x, &v->normal);
    v->plane = vec3_dot(v->normal, *x) - distance;
    *x = onto_plane(p, v, *x);
    return distance;
}

// Returns the height above the slit's side nearest to the vertex's grid simplex, in cells.
static void find_slit_side(const placing *p, const shell_vertex *v, sherd_fragment_id label,
                           crack_model *m, int slot)
{
    double distance;
    sherd_vec3 up;
    if (vec3_dot(m->slit_up, m->slit_up) == 0.0 &&
        sherd_slits_distance(p->slits, label, v->base, &distance, &up))
        m->slit_up = vec3_scale(copysign(1.0, distance), up);
    m->value[slot] = 0.0;
    m->gradient[slot] = vec3(0.0, 0.0, 0.0);
    if (!sherd_slits_distance(p->slits, label, m->at, &distance, &up)) return;
    double sign = copysign(1.0, vec3_dot(up, m->slit_up));
    m->value[slot] = (sign * distance - p->half_gap) / p->cell;
    m->gradient[slot] = vec3_scale(sign / p->cell, up);
}

// Owners are ascending: slit, outside, fragments.
static int first_from(const shell_vertex *v, sherd_fragment_id min_owner)
{
    int k = 0;
    while (k < v->owner_count && v->owners[k] < min_owner)
        ++k;
    return k;
}

// In a fluid the outside has a field, as fragments have.
static int first_field(const placing *p, const shell_vertex *v)
{
    return first_from(v, p->fluid != NULL ? OWNER_OUTSIDE : 1);
}

static bool is_on_shape(const placing *p, const shell_vertex *v)
{
    return p->fluid == NULL && sherd_vertex_has_owner(v, OWNER_OUTSIDE);
}

static void look_around(const placing *p, const shell_vertex *v, crack_model *m, sherd_vec3 x)
{
    int first = first_field(p, v), count = v->owner_count - first;
    m->at = x;
    if (p->fluid != NULL)
        sherd_fluid_owners(p->fluid, x, v->owners + first, count, m->value + first,
                           m->gradient + first);
    else if (count > 1)
        sherd_partition_logs(p->partition, x, v->owners + first, count, m->value + first,
                             m->gradient + first);
    int fragment = first_from(v, 1);
    if (fragment < v->owner_count && v->owners[0] == OWNER_SLIT)
        find_slit_side(p, v, v->owners[fragment], m, 0);
}

// --- Vertices --------------------------------------------------------------------------------------

static sherd_vec3 onto_cracks(const placing *p, const shell_vertex *v, const crack_model *m,
                              sherd_vec3 x)
{
    const sherd_vec3 *normal = is_on_shape(p, v) ? &v->normal : NULL;
    for (int k = first_field(p, v); k < v->owner_count; ++k)
        for (int j = k + 1; j < v->owner_count; ++j) {
            if (!isfinite(m->value[k] - m->value[j])) continue; // one of the fields is out of reach
            sherd_vec3 gradient = vec3_sub(m->gradient[k], m->gradient[j]);
            double value = m->value[k] - m->value[j] + vec3_dot(gradient, vec3_sub(x, m->at));
            x = newton_step(p, value, gradient, x, normal);
        }
    if (v->owners[0] != OWNER_SLIT) return x;
    double value = m->value[0] + vec3_dot(m->gradient[0], vec3_sub(x, m->at));
    return newton_step(p, value, m->gradient[0], x, normal);
}

static bool has_strayed(const placing *p, const shell_vertex *v, sherd_vec3 x)
{
    sherd_vec3 displacement = vec3_sub(x, v->base);
    return vec3_dot(displacement, displacement) >
           MAX_DISPLACEMENT * MAX_DISPLACEMENT * p->cell * p->cell;
}

static sherd_vec3 keep_near_base(const placing *p, const shell_vertex *v, sherd_vec3 x)
{
    return vec3_add(v->base, limited(vec3_sub(x, v->base), MAX_DISPLACEMENT * p->cell));
}

void sherd_vertex_move_to_surface(const placing *p, shell_vertex *v, crack_model *crack, int passes)
{
    bool outer = is_on_shape(p, v);
    sherd_vec3 x = v->position;
    for (int pass = 0; pass < passes; ++pass) {
        double distance = outer ? onto_shape(p, v, &x) : 0.0;
        // One short step makes a distance practically exact.
        if (crack == NULL && fabs(distance) < SHORT_STEP * p->cell) break;
        if (crack == NULL) continue;
        look_around(p, v, crack, x);
        x = onto_cracks(p, v, crack, x);
        if (p->fluid != NULL && vec3_distance(x, crack->at) < SHORT_STEP * p->cell) break;
    }
    bool strayed = has_strayed(p, v, x);
    if (strayed) x = keep_near_base(p, v, x);
    if (outer && (strayed || crack != NULL)) onto_shape(p, v, &x);
    v->position = x;
}

void sherd_vertex_move_first_order(const placing *p, shell_vertex *v, const crack_model *crack)
{
    sherd_vec3 x = v->position;
    if (crack != NULL) x = onto_cracks(p, v, crack, x);
    if (has_strayed(p, v, x)) x = keep_near_base(p, v, x);
    if (is_on_shape(p, v)) x = onto_plane(p, v, x);
    v->position = x;
}

// --- Creases ---------------------------------------------------------------------------------------

// Least squares over tangent planes (c_i, n_i); stays near x in directions that the planes leave
// free.
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
    // Cramer's rule on a symmetric positive definite matrix: rows equal columns.
    sherd_vec3 r0 = vec3(a[0][0], a[0][1], a[0][2]), r1 = vec3(a[1][0], a[1][1], a[1][2]),
               r2 = vec3(a[2][0], a[2][1], a[2][2]);
    sherd_vec3 c0 = vec3_cross(r1, r2), c1 = vec3_cross(r2, r0), c2 = vec3_cross(r0, r1);
    double determinant = vec3_dot(r0, c0);
    sherd_vec3 step = vec3(vec3_dot(c0, b), vec3_dot(c1, b), vec3_dot(c2, b));
    return vec3_add_scaled(x, 1.0 / determinant, step);
}

// Probes below the surface, on four sides: beyond a convex edge the nearest face is the other one.
bool sherd_vertex_move_to_crease(const placing *p, shell_vertex *v)
{
    if (!is_on_shape(p, v)) return false;
    sherd_vec3 n[5], c[5], x = v->position;
    n[0] = v->normal;
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
