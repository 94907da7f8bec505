#include "geometry/shape/contact_points_combine.h"

#include "math/vec3.h"

// Offset just above or below a contact point, as a fraction of its distance: walls cannot be
// thinner.
static const double SIDE_OFFSET = 1e-5;

// In units of SIDE_OFFSET: rounding, and two degrees between faces that count as one.
static const double ABOUT = 1e-3;

double sherd_near_solid_distance(const sherd_near_solid *solid, sherd_vec3 p, sherd_vec3 *normal)
{
    double distance = solid->shape->kind->distance(solid->shape, p, normal);
    if (solid->side != SHERD_SIDE_INSIDE) return distance;
    if (normal != NULL) *normal = vec3_scale(-1.0, *normal);
    return -distance;
}

static sherd_vec3 point_of(sherd_vec3 p, const sherd_near_point *contact, double above)
{
    return vec3_add_scaled(p, -contact->distance * (1.0 - above), contact->normal);
}

bool sherd_near_solid_below(const sherd_near_solid *solid, sherd_vec3 p,
                            const sherd_near_point *contact)
{
    double distance = sherd_near_solid_distance(solid, point_of(p, contact, -SIDE_OFFSET), NULL);
    return distance <= SIDE_OFFSET * ABOUT * contact->distance;
}

// If another face is nearer around the point, a point just above is closer to that face.
bool sherd_near_solid_above(const sherd_near_solid *solid, sherd_vec3 p,
                            const sherd_near_point *contact)
{
    double distance = sherd_near_solid_distance(solid, point_of(p, contact, SIDE_OFFSET), NULL);
    return distance >= SIDE_OFFSET * (1.0 - ABOUT) * contact->distance;
}

static sherd_near_list list_of(const sherd_near_solid *solid, const sherd_near_view *view)
{
    sherd_near_list list = {.count = 0};
    sherd_near_view own = {view->point, view->reach, solid->side};
    sherd_near_collect(solid->shape, &own, &list);
    return list;
}

// Viewed from inside, walls continue beyond their ends if they are in the solid there. At the ends,
// where a point just above may be equally near to another wall, they still exist.
static bool is_there(const sherd_near_solid *of, sherd_vec3 p, const sherd_near_point *contact)
{
    if (of->side != SHERD_SIDE_INSIDE) return true;
    double distance = sherd_near_solid_distance(of, point_of(p, contact, 0.0), NULL);
    return distance >= -SIDE_OFFSET * contact->distance && sherd_near_solid_below(of, p, contact);
}

static void add_joined(const sherd_near_solid *of, const sherd_near_solid *other,
                       const sherd_near_view *view, sherd_near_list *list)
{
    sherd_near_list own = list_of(of, view);
    for (int k = 0; k < own.count; ++k) {
        const sherd_near_point *contact = &own.points[k];
        if (contact->distance < view->reach &&
            sherd_near_solid_above(other, view->point, contact) &&
            is_there(of, view->point, contact))
            sherd_near_add(list, *contact);
    }
}

void sherd_near_join(const sherd_near_solid *a, const sherd_near_solid *b,
                     const sherd_near_view *view, sherd_near_list *list)
{
    add_joined(a, b, view, list);
    add_joined(b, a, view, list);
}

// ---------------------------------------------------------------- edges

// The tangent plane of a solid's face near the point.
typedef struct near_plane {
    sherd_vec3 normal;
    double ahead; // height of the point above the plane [m]
} near_plane;

// The point nearest to p on both planes: p - alpha n_a - beta n_b. Returns false for parallel
// planes. *seen: the edge is visible, as p is not behind both planes.
static bool project(sherd_vec3 p, const near_plane *a, const near_plane *b, sherd_vec3 *x,
                    bool *seen)
{
    static const double PARALLEL = 1e-9;
    double g = vec3_dot(a->normal, b->normal), det = 1.0 - g * g;
    if (!(det > PARALLEL)) return false;
    double alpha = (a->ahead - g * b->ahead) / det, beta = (b->ahead - g * a->ahead) / det;
    *seen = alpha > 0.0 && beta > 0.0;
    *x = vec3_sub(vec3_add_scaled(p, -alpha, a->normal), vec3_scale(beta, b->normal));
    return true;
}

// The plane tangent to the solid near x, with p's height above it.
static near_plane plane_near(const sherd_near_solid *solid, sherd_vec3 p, sherd_vec3 x,
                             double *distance)
{
    near_plane plane;
    *distance = sherd_near_solid_distance(solid, x, &plane.normal);
    plane.ahead = vec3_dot(plane.normal, vec3_sub(p, x)) + *distance;
    return plane;
}

// The point on three planes, if p is in front of it as of a convex corner: p - alpha n_a - beta n_b
// - gamma n_c with non-negative coefficients. *outward is equally far in front of each plane.
static bool project_on_three(sherd_vec3 p, const near_plane *a, const near_plane *b,
                             const near_plane *c, sherd_vec3 *x, sherd_vec3 *outward)
{
    static const double FLAT = 1e-6;
    sherd_vec3 bc = vec3_cross(b->normal, c->normal), ca = vec3_cross(c->normal, a->normal),
               ab = vec3_cross(a->normal, b->normal);
    double volume = vec3_dot(a->normal, bc);
    if (!(fabs(volume) > FLAT)) return false;
    sherd_vec3 displacement = vec3_add_scaled(vec3_scale(a->ahead, bc), b->ahead, ca);
    displacement = vec3_scale(1.0 / volume, vec3_add_scaled(displacement, c->ahead, ab));
    *x = vec3_sub(p, displacement);
    *outward = vec3_scale(1.0 / volume, vec3_add(bc, vec3_add(ca, ab)));
    return vec3_dot(displacement, bc) * volume >= 0.0 &&
           vec3_dot(displacement, ca) * volume >= 0.0 && vec3_dot(displacement, ab) * volume >= 0.0;
}

// Returns whether x lies on both surfaces, and both solids fill the point just behind it. If one
// solid ends just inside the other, a lid between them lies on both, too, with nothing behind it.
static bool is_on(const sherd_near_solid *a, const sherd_near_solid *b, sherd_vec3 x,
                  sherd_vec3 outward, double close)
{
    if (fabs(sherd_near_solid_distance(a, x, NULL)) > close ||
        fabs(sherd_near_solid_distance(b, x, NULL)) > close)
        return false;
    const double behind = SIDE_OFFSET / 1e-10 * close; // the same fraction
    sherd_vec3 y = vec3_add_scaled(x, -behind, vec3_normalize(outward));
    return sherd_near_solid_distance(a, y, NULL) <= close &&
           sherd_near_solid_distance(b, y, NULL) <= close;
}

// On the first plane, beside the foot of p: to one side for a face ahead, to the other for the one opposite.
static sherd_vec3 beside(sherd_vec3 p, const near_plane *a, const near_plane *b)
{
    sherd_vec3 foot = vec3_add_scaled(p, -a->ahead, a->normal);
    double displacement = vec3_dot(a->normal, b->normal) < 0.0 ? 1.0 : -1.0;
    return vec3_add_scaled(foot, displacement * fmax(fabs(a->ahead), fabs(b->ahead)),
                           vec3_perpendicular(a->normal));
}

static bool point_at(sherd_vec3 p, sherd_vec3 x, sherd_near_point *contact)
{
    sherd_vec3 from = vec3_sub(p, x);
    double distance = vec3_length(from);
    *contact = (sherd_near_point){distance, vec3_scale(1.0 / distance, from)};
    return distance > 0.0;
}

// The common edge nearest to p, starting from two planes: exact at once for plane faces, otherwise
// by iteration with the planes tangent at the last point; if these alternate between faces, a
// corner of three.
static bool find_edge(const sherd_near_solid *a, const sherd_near_solid *b, sherd_vec3 p,
                      near_plane at_a, near_plane at_b, sherd_near_point *edge)
{
    enum { MAX_ROUNDS = 20 };
    const double close = 1e-10 * fmax(fabs(at_a.ahead), fabs(at_b.ahead));
    for (int round = 0; round < MAX_ROUNDS; ++round) {
        sherd_vec3 x;
        bool seen;
        if (!project(p, &at_a, &at_b, &x, &seen)) {
            // Directly above the centre of a round face: its edge surrounds the centre.
            if (round > 0) return false;
            x = beside(p, &at_a, &at_b);
            seen = false;
        }
        const near_plane was_a = at_a, was_b = at_b;
        double from_a, from_b;
        at_a = plane_near(a, p, x, &from_a);
        at_b = plane_near(b, p, x, &from_b);
        bool found = fabs(from_a) <= close && fabs(from_b) <= close;
        sherd_vec3 outward = vec3_add(was_a.normal, was_b.normal);
        if (found) return seen && is_on(a, b, x, outward, close) && point_at(p, x, edge);
        if (project_on_three(p, &was_a, &at_a, &at_b, &x, &outward) &&
            is_on(a, b, x, outward, close))
            return point_at(p, x, edge);
        if (project_on_three(p, &was_b, &at_b, &at_a, &x, &outward) &&
            is_on(a, b, x, outward, close))
            return point_at(p, x, edge);
    }
    return false;
}

typedef struct near_meet {
    const sherd_near_solid *solids;
    int count;
    const sherd_near_view *view;
    sherd_near_list *list;
} near_meet;

// Returns whether all solids but two fill the point just below.
static bool all_below(const near_meet *m, const sherd_near_point *contact, int but, int but_too)
{
    for (int k = 0; k < m->count; ++k)
        if (k != but && k != but_too &&
            !sherd_near_solid_below(&m->solids[k], m->view->point, contact))
            return false;
    return true;
}

// Adds those contact points of one solid that the others do not cover; others stay in the list.
static sherd_near_list add_met(const near_meet *m, int of)
{
    sherd_near_list own = list_of(&m->solids[of], m->view), others = {.count = 0};
    for (int k = 0; k < own.count; ++k) {
        const sherd_near_point *contact = &own.points[k];
        bool there = m->view->side == SHERD_SIDE_INSIDE ||
                     (contact->distance < m->view->reach &&
                      is_there(&m->solids[of], m->view->point, contact));
        bool met = there && all_below(m, contact, of, of);
        sherd_near_add(met ? m->list : &others, *contact);
    }
    return others;
}

// Faces of a solid that p is in front of, or behind.
typedef struct near_faces {
    const sherd_near_list *list;
    double side; // 1 or -1
} near_faces;

static near_plane plane_of(const near_faces *faces, int k)
{
    const sherd_near_point *contact = &faces->list->points[k];
    return (near_plane){vec3_scale(faces->side, contact->normal), faces->side * contact->distance};
}

static void add_edges(const near_meet *m, int a, int b, near_faces of_a, near_faces of_b)
{
    for (int i = 0; i < of_a.list->count; ++i) {
        for (int j = 0; j < of_b.list->count; ++j) {
            sherd_near_point edge;
            bool found = find_edge(&m->solids[a], &m->solids[b], m->view->point, plane_of(&of_a, i),
                                   plane_of(&of_b, j), &edge);
            if (found && edge.distance < m->view->reach && all_below(m, &edge, a, b))
                sherd_near_add(m->list, edge);
        }
    }
}

// Edges lie where faces end and material is removed below. p is in front of both faces or, if the
// edge is sharper than a right angle, possibly behind one.
static void add_edges_of(const near_meet *m, int a, int b, const sherd_near_list *of_a,
                         const sherd_near_list *of_b)
{
    add_edges(m, a, b, (near_faces){of_a, 1.0}, (near_faces){of_b, 1.0});
    for (int k = 0; k < 2; ++k) {
        const sherd_near_list *front = k == 0 ? of_a : of_b;
        if (front->count == 0) continue;
        int one = k == 0 ? a : b, other = k == 0 ? b : a;
        sherd_near_solid turned = m->solids[other];
        bool inside = turned.side == SHERD_SIDE_INSIDE;
        turned.side = inside ? SHERD_SIDE_OUTSIDE : SHERD_SIDE_INSIDE;
        sherd_near_list behind = list_of(&turned, m->view);
        add_edges(m, one, other, (near_faces){front, 1.0}, (near_faces){&behind, -1.0});
    }
}

void sherd_near_meet(const sherd_near_solid *solids, int count, const sherd_near_view *view,
                     sherd_near_list *list)
{
    near_meet m = {solids, count, view, list};
    sherd_near_list others[SHERD_NEAR_MEET];
    for (int k = 0; k < count; ++k)
        others[k] = add_met(&m, k);
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b)
            add_edges_of(&m, a, b, &others[a], &others[b]);
}
