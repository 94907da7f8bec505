#include "calibration/section.h"

#include "base/assertion.h"
#include "math/vec3.h"

#include <math.h>

// Cells along a side: initially, and for the mean of both sides; more if one side is long, up to
// MAX_WIDTH_CELLS.
enum { SECTIONS = 9, SIDE = 48, MAX_WIDTH_CELLS = 256, TURNS = 90 };

// A grid of square cells across the bar, centred on the middle of the shape's bounds.
typedef struct grid {
    const sherd_shape *shape;
    sherd_vec3 origin, axis[3]; // axis 0 along the bar
    double low, high;           // of the sections along the bar, from the origin
    double step;                // of the squares
    int count[2];               // of squares along axes 1 and 2
} grid;

static grid grid_of(const sherd_shape *shape, sherd_vec3 along, double low, double high)
{
    sherd_bounds b = sherd_shape_bounds(shape);
    sherd_vec3 middle = vec3_scale(0.5, vec3_add(b.low, b.high));
    double at = vec3_dot(along, middle);
    grid g = {.shape = shape, .origin = middle, .low = low - at, .high = high - at};
    // Sides of a bar modelled along the coordinate axes are along them, so start from there.
    double x = fabs(along.x), y = fabs(along.y), z = fabs(along.z);
    sherd_vec3 other = x <= y && x <= z ? vec3(1, 0, 0) : y <= z ? vec3(0, 1, 0) : vec3(0, 0, 1);
    g.axis[0] = along;
    g.axis[2] = vec3_normalize(vec3_cross(along, other));
    g.axis[1] = vec3_cross(g.axis[2], along);
    double reach = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
        sherd_vec3 p =
            vec3_sub(vec3(corner & 1 ? b.high.x : b.low.x, corner & 2 ? b.high.y : b.low.y,
                          corner & 4 ? b.high.z : b.low.z),
                     middle);
        for (int a = 1; a < 3; ++a)
            reach = fmax(reach, fabs(vec3_dot(g.axis[a], p)));
    }
    g.step = 2.0 * reach / SIDE;
    g.count[0] = g.count[1] = SIDE;
    return g;
}

// Middle of a cell of section k, and its position relative to the grid's middle.
static sherd_vec3 square_at(const grid *g, int k, int i, int j, double *s, double *t)
{
    double at = g->low + (k + 0.5) / SECTIONS * (g->high - g->low);
    *s = (i + 0.5 - 0.5 * g->count[0]) * g->step, *t = (j + 0.5 - 0.5 * g->count[1]) * g->step;
    sherd_vec3 p = vec3_add_scaled(g->origin, at, g->axis[0]);
    return vec3_add_scaled(vec3_add_scaled(p, *s, g->axis[1]), *t, g->axis[2]);
}

// Fraction of a cell that is in the shape.
static double cover(const grid *g, int k, int i, int j, double *s, double *t)
{
    sherd_vec3 p = square_at(g, k, i, j, s, t);
    return fmin(fmax(0.5 - sherd_shape_distance(g->shape, p) / g->step, 0.0), 1.0);
}

// ---------------------------------------------------------------- which way the sides are

// Extents of the surface in axes rotated by an angle.
typedef struct outline {
    double low[TURNS][2], high[TURNS][2];
} outline;

static void outline_add(outline *o, double s, double t)
{
    for (int k = 0; k < TURNS; ++k) {
        double angle = k * (0.5 * 3.14159265358979323846 / TURNS), c = cos(angle), d = sin(angle);
        const double x[2] = {c * s + d * t, c * t - d * s};
        for (int a = 0; a < 2; ++a) {
            o->low[k][a] = fmin(o->low[k][a], x[a]);
            o->high[k][a] = fmax(o->high[k][a], x[a]);
        }
    }
}

static double rectangle(const outline *o, int k)
{
    return (o->high[k][0] - o->low[k][0]) * (o->high[k][1] - o->low[k][1]);
}

static void turn(grid *g, double angle)
{
    sherd_vec3 u = g->axis[1], v = g->axis[2];
    g->axis[1] = vec3_add_scaled(vec3_scale(cos(angle), u), sin(angle), v);
    g->axis[2] = vec3_add_scaled(vec3_scale(cos(angle), v), -sin(angle), u);
}

// The surface within a cell's reach.
static void outline_at(outline *o, const grid *g, int k, int i, int j)
{
    double s, t;
    sherd_vec3 p = square_at(g, k, i, j, &s, &t);
    double distance = sherd_shape_distance(g->shape, p);
    if (!(fabs(distance) <= g->step)) return;
    sherd_vec3 normal = sherd_shape_normal(g->shape, p);
    outline_add(o, s - distance * vec3_dot(normal, g->axis[1]),
                t - distance * vec3_dot(normal, g->axis[2]));
}

// Rotates the grid so that its axes are along the sides, the longer one first, and shrinks it to
// fit.
static bool align(grid *g)
{
    outline o;
    for (int k = 0; k < TURNS; ++k)
        for (int a = 0; a < 2; ++a)
            o.low[k][a] = INFINITY, o.high[k][a] = -INFINITY;
    for (int k = 0; k < SECTIONS; k += SECTIONS / 2)
        for (int i = 0; i < g->count[0]; ++i)
            for (int j = 0; j < g->count[1]; ++j)
                outline_at(&o, g, k, i, j);
    int best = 0;
    for (int k = 1; k < TURNS; ++k) // rounding shall not decide between sides and diagonals
        if (rectangle(&o, k) < rectangle(&o, best) * (1.0 - 1e-6)) best = k;
    if (!(o.high[best][0] >= o.low[best][0])) return false; // no surface
    double side[2];
    turn(g, best * (0.5 * 3.14159265358979323846 / TURNS));
    for (int a = 0; a < 2; ++a) {
        g->origin =
            vec3_add_scaled(g->origin, 0.5 * (o.low[best][a] + o.high[best][a]), g->axis[1 + a]);
        side[a] = o.high[best][a] - o.low[best][a];
    }
    if (side[1] > side[0] * 1.001) {
        turn(g, 0.5 * 3.14159265358979323846);
        double swap = side[0];
        side[0] = side[1], side[1] = swap;
    }
    g->step = fmax(sqrt(side[0] * side[1]) / SIDE, side[0] / MAX_WIDTH_CELLS);
    if (!(g->step > 0.0)) return false; // a point
    for (int a = 0; a < 2; ++a)
        g->count[a] = (int)ceil(side[a] / g->step) + 2;
    return true;
}

// ---------------------------------------------------------------- areas

typedef struct sums {
    double n, s, t, ss, tt;
} sums;

static sums sum_section(const grid *g, int k, sherd_section *out)
{
    sums sum = {0};
    double s, t, step = g->step;
    for (int i = 0; i < g->count[0]; ++i)
        for (int j = 0; j < g->count[1]; ++j) {
            double share = cover(g, k, i, j, &s, &t);
            if (!(share > 0.0)) continue;
            // The second moment of a cell about its middle.
            double own = step * step / 12.0;
            sum.n += share, sum.s += share * s, sum.t += share * t;
            sum.ss += share * (s * s + own), sum.tt += share * (t * t + own);
            double half = (share - 0.5) * step;
            out->low[1] = fmin(out->low[1], s - half), out->high[1] = fmax(out->high[1], s + half);
            out->low[2] = fmin(out->low[2], t - half), out->high[2] = fmax(out->high[2], t + half);
        }
    return sum;
}

bool sherd_section_measure(const sherd_shape *shape, sherd_vec3 along, double low, double high,
                           sherd_section *out)
{
    SHERD_ASSERT(low < high, "a section lies between two planes");
    grid g = grid_of(shape, along, low, high);
    if (!align(&g)) return false;
    *out = (sherd_section){.axis = {g.axis[0], g.axis[1], g.axis[2]},
                           .low = {low, INFINITY, INFINITY},
                           .high = {high, -INFINITY, -INFINITY}};
    double square = g.step * g.step, area[SECTIONS], soft[2] = {0};
    for (int k = 0; k < SECTIONS; ++k) {
        sums sum = sum_section(&g, k, out);
        if (!(sum.n > 0.0)) return false;
        area[k] = sum.n * square;
        out->area += area[k] / SECTIONS;
        soft[0] += 1.0 / (square * (sum.ss - sum.s * sum.s / sum.n)) / SECTIONS;
        soft[1] += 1.0 / (square * (sum.tt - sum.t * sum.t / sum.n)) / SECTIONS;
    }
    for (int a = 0; a < 2; ++a) {
        double middle = vec3_dot(g.origin, g.axis[1 + a]);
        out->second[a] = 1.0 / soft[a];
        out->low[1 + a] += middle, out->high[1 + a] += middle;
    }
    for (int k = 0; k < SECTIONS; ++k)
        out->unevenness = fmax(out->unevenness, fabs(area[k] / out->area - 1.0));
    return true;
}
