#include "geometry/crease.h"

#include "base/memory.h"
#include "geometry/shape/shape_kind.h"

#include <math.h>
#include <string.h>

bool sherd_project_to_surface(const sherd_shape *shape, double size, sherd_vec3 *x,
                              sherd_vec3 *normal)
{
    double d = 0.0;
    for (int k = 0; k < 4; ++k) {
        d = sherd_shape_distance_and_normal(shape, *x, normal);
        if (!isfinite(d) || fabs(d) < 1e-9 * size) break;
        *x = vec3_add_scaled(*x, -d, *normal);
    }
    return isfinite(d) && fabs(sherd_shape_distance(shape, *x)) < 1e-4 * size;
}

// Surfaces whose normals turn by more than SAME_SURFACE within this fraction of an edge length
// intersect in a crease.
static const double PROBE = 0.01;

static void add_normal(surface_feature *f, sherd_vec3 n)
{
    for (int k = 0; k < f->count; ++k)
        if (vec3_dot(f->normal[k], n) > SAME_SURFACE) return;
    if (f->count < 3) f->normal[f->count++] = n;
}

surface_feature sherd_surface_feature_at(const sherd_shape *shape, double size, sherd_vec3 x)
{
    surface_feature f = {0};
    double reach = PROBE * size;
    for (int corner = 0; corner < 8; ++corner) {
        sherd_vec3 to =
            vec3(corner & 1 ? 0.61 : -0.53, corner & 2 ? 0.57 : -0.59, corner & 4 ? 0.55 : -0.63);
        sherd_vec3 p = vec3_add_scaled(x, reach, to), n;
        if (!sherd_project_to_surface(shape, size, &p, &n)) continue;
        sherd_vec3 in = sherd_shape_normal(shape, vec3_add_scaled(p, -0.1 * reach, n));
        sherd_vec3 out = sherd_shape_normal(shape, vec3_add_scaled(p, 0.1 * reach, n));
        if (vec3_dot(in, n) > 0.98 && vec3_dot(out, n) > 0.98) add_normal(&f, n);
    }
    return f;
}

// ---------------------------------------------------------------- creases and corners

// In a plane that intersects the surface at less than about 13 degrees the line of intersection is
// not computed.
static const double MIN_SLOPE = 0.05;

typedef struct plane {
    sherd_vec3 point, normal;
} plane;

// Returns the point on two planes nearest to x.
static bool meet_two(const plane p[2], sherd_vec3 *x)
{
    sherd_vec3 a = p[0].normal, b = p[1].normal;
    double c = vec3_dot(a, b), det = 1.0 - c * c;
    if (det < 0.05) return false; // less than 13 degrees
    double da = vec3_dot(a, vec3_sub(p[0].point, *x)), db = vec3_dot(b, vec3_sub(p[1].point, *x));
    *x = vec3_add_scaled(*x, (da - c * db) / det, a);
    *x = vec3_add_scaled(*x, (db - c * da) / det, b);
    return true;
}

static bool meet_three(const plane p[3], sherd_vec3 *x)
{
    sherd_vec3 bc = vec3_cross(p[1].normal, p[2].normal), ca = vec3_cross(p[2].normal, p[0].normal),
               ab = vec3_cross(p[0].normal, p[1].normal);
    double det = vec3_dot(p[0].normal, bc);
    if (fabs(det) < 0.1) return false;
    sherd_vec3 sum = vec3_scale(vec3_dot(p[0].normal, p[0].point), bc);
    sum = vec3_add_scaled(sum, vec3_dot(p[1].normal, p[1].point), ca);
    sum = vec3_add_scaled(sum, vec3_dot(p[2].normal, p[2].point), ab);
    *x = vec3_scale(1.0 / det, sum);
    return true;
}

// Projects onto the surface, within the plane of this normal.
static bool project_within(const sherd_shape *shape, double size, sherd_vec3 across, plane *p)
{
    double d = 0.0;
    for (int k = 0; k < 8; ++k) {
        d = sherd_shape_distance_and_normal(shape, p->point, &p->normal);
        if (!isfinite(d) || fabs(d) < 1e-9 * size) break;
        sherd_vec3 slope_direction =
            vec3_add_scaled(p->normal, -vec3_dot(p->normal, across), across);
        // Of the distance along the direction, whose length equals it.
        double slope = vec3_dot(slope_direction, slope_direction);
        if (slope < MIN_SLOPE) return false;
        p->point = vec3_add_scaled(p->point, -d / slope, slope_direction);
    }
    return isfinite(d) && fabs(sherd_shape_distance(shape, p->point)) < 1e-4 * size;
}

bool sherd_find_crease(const sherd_shape *shape, double size, sherd_vec3 a, sherd_vec3 b,
                       surface_feature *at, sherd_vec3 *x)
{
    plane end[2] = {{a, sherd_shape_normal(shape, a)}, {b, sherd_shape_normal(shape, b)}};
    sherd_project_to_surface(shape, size, &end[0].point, &end[0].normal);
    sherd_project_to_surface(shape, size, &end[1].point, &end[1].normal);
    sherd_vec3 outwards = vec3_add(end[0].normal, end[1].normal);
    sherd_vec3 across = vec3_normalize(vec3_cross(outwards, vec3_sub(b, a)));
    for (int k = 0; k < 12; ++k) {
        plane middle = {vec3_scale(0.5, vec3_add(end[0].point, end[1].point)), vec3(0, 0, 0)};
        if (!project_within(shape, size, across, &middle)) return false;
        double to_a = vec3_dot(middle.normal, end[0].normal);
        double to_b = vec3_dot(middle.normal, end[1].normal);
        end[to_a >= to_b ? 0 : 1] = middle;
    }
    *x = vec3_scale(0.5, vec3_add(end[0].point, end[1].point));
    if (vec3_dot(end[0].normal, end[1].normal) > SAME_SURFACE || !meet_two(end, x)) return false;
    *at = (surface_feature){2, {end[0].normal, end[1].normal, vec3(0, 0, 0)}};
    return fabs(sherd_shape_distance(shape, *x)) < 1e-3 * size;
}

bool sherd_find_corner(const sherd_shape *shape, double size, const sherd_vec3 point[3],
                       surface_feature *at, sherd_vec3 *x)
{
    plane p[3];
    *x = vec3_scale(1.0 / 3.0, vec3_add(point[0], vec3_add(point[1], point[2])));
    sherd_vec3 start = *x;
    double fraction = 1.0;
    for (int round = 0; round < 3; ++round, fraction *= 0.1) {
        for (int k = 0; k < 3; ++k) {
            p[k].point = vec3_add_scaled(*x, fraction, vec3_sub(point[k], *x));
            if (!sherd_project_to_surface(shape, size, &p[k].point, &p[k].normal)) return false;
            for (int j = 0; j < k; ++j)
                if (vec3_dot(p[j].normal, p[k].normal) > SAME_SURFACE) return false;
        }
        if (!meet_three(p, x) || vec3_distance(*x, start) > 1.5 * size) return false;
    }
    *at = (surface_feature){3, {p[0].normal, p[1].normal, p[2].normal}};
    return fabs(sherd_shape_distance(shape, *x)) < 1e-3 * size;
}

// ---------------------------------------------------------------- requested moves

void sherd_move_request_add(sherd_move_request_list *list, const sherd_move_request *request,
                            double distance)
{
    size_t n = list->count + 1;
    if (list->short_of_memory ||
        !sherd_grow((void **)&list->requests, &list->capacity, n, sizeof *list->requests) ||
        !sherd_grow((void **)&list->order, &list->pair_capacity, n, sizeof *list->order)) {
        list->short_of_memory = true;
        return;
    }
    uint64_t key; // the order of doubles >= 0 is that of their bits
    memcpy(&key, &distance, sizeof key);
    list->order[list->count] = (sherd_sort_pair){key, (uint32_t)list->count};
    list->requests[list->count++] = *request;
}

bool sherd_move_requests_sort(sherd_move_request_list *list)
{
    return !list->short_of_memory &&
           (list->count == 0 || sherd_sort_pairs(list->order, list->count));
}

void sherd_move_requests_release(sherd_move_request_list *list)
{
    sherd_free(list->requests);
    sherd_free(list->order);
    *list = (sherd_move_request_list){0};
}
