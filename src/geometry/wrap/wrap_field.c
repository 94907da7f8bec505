#include "geometry/wrap/wrap_field.h"

#include "geometry/mesh/mesh_access.h"

#include <math.h>

static bool is_beyond(const sherd_bounds *b, sherd_vec3 p)
{
    return p.x < b->low.x || p.x > b->high.x || p.y < b->low.y || p.y > b->high.y ||
           p.z < b->low.z || p.z > b->high.z;
}

double sherd_wrap_field_distance(const wrap_field *field, sherd_vec3 p)
{
    if (!mesh_work_remains(field->work)) return 0.0;
    sherd_nearest_point at = sherd_mesh_tree_nearest(field->tree, p);
    wrap_field_spend(field, at.visits);
    return sqrt(at.squared);
}

double sherd_wrap_field_value(const wrap_field *field, sherd_vec3 p)
{
    if (field->half_thickness > 0.0)
        return field->half_thickness - sherd_wrap_field_distance(field, p);
    // Stacked sheets also have winding numbers above a half at points beyond them, which should not
    // be filled.
    if (is_beyond(&field->bounds, p)) return -0.5;
    if (!mesh_work_remains(field->work)) return -0.5;
    int64_t work = 0;
    double number = field->crossings != NULL
                        ? sherd_winding_by_crossings(field->crossings, p, &work)
                        : sherd_winding_number(field->winding, p, &work);
    wrap_field_spend(field, work);
    return number - 0.5;
}

// ---------------------------------------------------------------- crossings

enum { MAX_HITS = 64 };

typedef struct hit {
    double at;   // fraction of the segment
    double jump; // of the winding number: 1 into a solid, -1 out of it
} hit;

typedef struct segment_hits {
    const sherd_mesh *mesh;
    sherd_vec3 from, along;
    int64_t visits;
    int count; // above MAX_HITS: not all were stored
    hit hits[MAX_HITS];
} segment_hits;

// Moeller and Trumbore 1997. Stores hits in order along the segment.
static bool meet_triangle(void *context, int32_t t)
{
    segment_hits *w = context;
    ++w->visits;
    sherd_vec3 a = mesh_corner(w->mesh, t, 0);
    sherd_vec3 ab = vec3_sub(mesh_corner(w->mesh, t, 1), a);
    sherd_vec3 ac = vec3_sub(mesh_corner(w->mesh, t, 2), a);
    sherd_vec3 across = vec3_cross(w->along, ac), from = vec3_sub(w->from, a);
    sherd_vec3 up = vec3_cross(from, ab);
    double determinant = vec3_dot(ab, across); // -along . normal
    if (determinant == 0.0) return true;
    double u = vec3_dot(from, across) / determinant;
    double v = vec3_dot(w->along, up) / determinant;
    double at = vec3_dot(ac, up) / determinant;
    if (u < 0.0 || v < 0.0 || u + v > 1.0 || !(at >= 0.0 && at <= 1.0)) return true;
    if (w->count++ >= MAX_HITS) return false;
    int k = w->count - 1;
    for (; k > 0 && w->hits[k - 1].at > at; --k)
        w->hits[k] = w->hits[k - 1];
    w->hits[k] = (hit){at, determinant > 0.0 ? 1.0 : -1.0};
    return true;
}

// Along the segment the value changes linearly except for jumps, which leaves `drift` from end to
// end. -1: it does not leave the solid.
static double find_exit(const segment_hits *w, double value, double drift)
{
    bool inside = value >= 0.0;
    double at = 0.0;
    for (int k = 0; k <= w->count; ++k) {
        double next = k < w->count ? w->hits[k].at : 1.0, end = value + drift * (next - at);
        if ((end >= 0.0) != inside) return at + (next - at) * value / (value - end);
        if (k == w->count) break;
        value = end + w->hits[k].jump;
        at = next;
        if ((value >= 0.0) != inside) return at;
    }
    return -1.0;
}

// Bisection, for a segment through many triangles; its ends have values of different signs.
static double halve(const wrap_field *field, sherd_vec3 a, sherd_vec3 along, bool inside)
{
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 12; ++k) {
        double middle = 0.5 * (low + high);
        if ((sherd_wrap_field_value(field, vec3_add_scaled(a, middle, along)) >= 0.0) == inside)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

// A distance is nearly linear: false position (Illinois).
static double cross_shell(const wrap_field *field, sherd_vec3 a, sherd_vec3 along, double f_low,
                          double f_high)
{
    double low = 0.0, high = 1.0, t = 0.5;
    for (int k = 0; k < 8; ++k) {
        t = low + (high - low) * f_low / (f_low - f_high);
        double f = sherd_wrap_field_value(field, vec3_add_scaled(a, t, along));
        if (fabs(f) < 1e-6 * field->half_thickness) break;
        if ((f >= 0.0) == (f_low >= 0.0)) {
            low = t, f_low = f, f_high *= 0.5;
        } else {
            high = t, f_high = f, f_low *= 0.5;
        }
    }
    return t;
}

double sherd_wrap_field_crossing(const wrap_field *field, sherd_vec3 a, sherd_vec3 b,
                                 double value_a, double value_b)
{
    sherd_vec3 along = vec3_sub(b, a);
    if (field->half_thickness > 0.0) return cross_shell(field, a, along, value_a, value_b);
    segment_hits w = {.mesh = field->mesh, .from = a, .along = along};
    const sherd_bounds box = {vec3_min(a, b), vec3_max(a, b)};
    if (mesh_work_remains(field->work))
        sherd_bvh_overlaps(&field->tree->bvh, box, meet_triangle, &w);
    wrap_field_spend(field, w.visits);
    if (w.count > MAX_HITS) return halve(field, a, along, value_a >= 0.0);
    double drift = value_b - value_a;
    for (int k = 0; k < w.count; ++k)
        drift -= w.hits[k].jump;
    double at = find_exit(&w, value_a, drift);
    return at >= 0.0 ? at : halve(field, a, along, value_a >= 0.0);
}
