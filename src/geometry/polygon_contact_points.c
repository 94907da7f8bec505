// Local minima of the distance to an outline: feet of perpendiculars on edges, and corners whose
// adjacent feet lie outside both edges.
#include "geometry/polygon.h"

#include <math.h>

// Parameter along edge k of the foot of the perpendicular from q: 0 at the first corner, 1 at the
// second.
static double foot_parameter(const sherd_polygon *p, int k, sherd_vec2 q)
{
    sherd_vec2 a = p->vertex[k], b = p->vertex[p->after[k]];
    double dx = b.x - a.x, dy = b.y - a.y;
    return ((q.x - a.x) * dx + (q.y - a.y) * dy) / (dx * dx + dy * dy);
}

static bool on_edge(const sherd_polygon *p, int k, sherd_vec2 q, sherd_vec2 *normal,
                    sherd_polygon_near_point *point)
{
    double t = foot_parameter(p, k, q);
    if (!p->is_surface[k] || !(t > 0.0 && t < 1.0)) return false;
    sherd_vec2 a = p->vertex[k], b = p->vertex[p->after[k]];
    point->at = (sherd_vec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    *normal = p->normal[k];
    return true;
}

// At the first corner of edge k. If the adjacent edge is on the axis, the surface continues as its
// mirror image.
static bool on_corner(const sherd_polygon *p, int k, sherd_vec2 q, sherd_vec2 *normal,
                      sherd_polygon_near_point *point)
{
    int before = p->before[k];
    bool one = p->is_surface[before], other = p->is_surface[k];
    if (!one && !other) return false;
    if ((one && foot_parameter(p, before, q) < 1.0) || (other && foot_parameter(p, k, q) > 0.0))
        return false;
    sherd_vec2 a = p->normal[before], b = p->normal[k];
    *normal = (sherd_vec2){one && other ? a.x + b.x : 0.0, (one ? a.y : 0.0) + (other ? b.y : 0.0)};
    point->at = p->vertex[k];
    return true;
}

void sherd_polygon_near(const sherd_polygon *p, sherd_vec2 q, double reach, double side,
                        sherd_polygon_visitor *visit, void *context)
{
    enum { EACH = SHERD_POLYGON_BLOCK };
    for (int k = 0; k < p->count; ++k) {
        sherd_vec2 low = p->block[k / EACH].low, high = p->block[k / EACH].high;
        double dx = fmax(fmax(low.x - q.x, q.x - high.x), 0.0);
        double dy = fmax(fmax(low.y - q.y, q.y - high.y), 0.0);
        if (!(dx * dx + dy * dy < reach * reach)) {
            k += EACH - 1 - k % EACH;
            continue;
        }
        for (int corner = 0; corner < 2; ++corner) {
            sherd_polygon_near_point point;
            sherd_vec2 normal;
            if (!(corner ? on_corner : on_edge)(p, k, q, &normal, &point)) continue;
            sherd_vec2 from = point.from = (sherd_vec2){q.x - point.at.x, q.y - point.at.y};
            if (!(side * (from.x * normal.x + from.y * normal.y) > 0.0)) continue;
            if (from.x * from.x + from.y * from.y < reach * reach) visit(context, &point);
        }
    }
}

bool sherd_polygon_is_concave(const sherd_polygon *p)
{
    static const double STRAIGHT = 1e-9; // sine of an angle that counts as zero
    if (p->outline_count > 1) return true;
    for (int k = 0; k < p->count; ++k) {
        sherd_vec2 a = p->normal[k], b = p->normal[p->after[k]];
        if (a.x * b.y - a.y * b.x < -STRAIGHT) return true;
    }
    return false;
}
