// Squares that no edge can reach, because the distance at the centre exceeds half the diagonal, count whole or
// not at all; others are cut into four, and ask only the strokes that may reach them. A smallest square counts
// the share that a line at the centre's distance would cut off a square facing it: the error is odd in the
// distance, so it averages out along an edge.
#include "geometry/stroke_area.h"

#include "base/memory.h"

#include <math.h>

static const double HALF_DIAGONAL = 0.7071067811865476; // of a square of size 1
// The smallest squares are from a pen's width on ever smaller, until halving them changes little.
enum { MOST_LEVELS = 26, MOST_HALVINGS = 8 };
static const double CHANGE = 1e-4;

typedef struct stroke_search {
    const sherd_strokes *strokes;
    double half_pen;
} stroke_search;

typedef struct stroke_square {
    double x, y, size;   // centre, edge
    int levels;          // subdivisions to come
    const int32_t *near; // strokes that may reach it (near_count), room for as many behind it
    int32_t near_count;
} stroke_square;

static double stroke_distance(const sherd_stroke *s, double x, double y)
{
    double dx = s->to.x - s->from.x, dy = s->to.y - s->from.y, length2 = dx * dx + dy * dy;
    double t = length2 > 0.0 ? ((x - s->from.x) * dx + (y - s->from.y) * dy) / length2 : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    return hypot(x - s->from.x - t * dx, y - s->from.y - t * dy);
}

// The covered share of a square.
static double covered_share(const stroke_search *search, const stroke_square *square, int32_t *room)
{
    double limit = HALF_DIAGONAL * square->size, distance = INFINITY;
    int32_t count = 0;
    for (int32_t k = 0; k < square->near_count; ++k) {
        const sherd_stroke *stroke = &search->strokes->stroke[square->near[k]];
        double d = stroke_distance(stroke, square->x, square->y) - search->half_pen;
        if (d <= -limit) return 1.0;
        if (d >= limit) continue;
        room[count++] = square->near[k];
        distance = fmin(distance, d);
    }
    if (count == 0) return 0.0;
    if (square->levels == 0) return fmin(fmax(0.5 - distance / square->size, 0.0), 1.0);
    double sum = 0.0, quarter = 0.25 * square->size;
    for (int k = 0; k < 4; ++k) {
        stroke_square part = {square->x + (k & 1 ? quarter : -quarter),
                              square->y + (k & 2 ? quarter : -quarter),
                              0.5 * square->size,
                              square->levels - 1,
                              room,
                              count};
        sum += covered_share(search, &part, room + count);
    }
    return 0.25 * sum;
}

static stroke_square around(const stroke_search *search, const int32_t *all)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t k = 0; k < search->strokes->count; ++k) {
        const sherd_stroke *s = &search->strokes->stroke[k];
        low[0] = fmin(low[0], fmin(s->from.x, s->to.x));
        low[1] = fmin(low[1], fmin(s->from.y, s->to.y));
        high[0] = fmax(high[0], fmax(s->from.x, s->to.x));
        high[1] = fmax(high[1], fmax(s->from.y, s->to.y));
    }
    double size = fmax(high[0] - low[0], high[1] - low[1]) + 2.0 * search->half_pen;
    return (stroke_square){.x = 0.5 * (low[0] + high[0]),
                           .y = 0.5 * (low[1] + high[1]),
                           .size = size,
                           .near = all,
                           .near_count = (int32_t)search->strokes->count};
}

double sherd_stroke_area(const sherd_strokes *strokes, double half_pen)
{
    int32_t *room = sherd_alloc(strokes->count * (MOST_LEVELS + 2), sizeof *room);
    if (room == NULL) return NAN;
    for (size_t k = 0; k < strokes->count; ++k)
        room[k] = (int32_t)k;
    stroke_search search = {strokes, half_pen};
    stroke_square whole = around(&search, room);
    int pens = (int)ceil(log2(whole.size / (2.0 * half_pen)));
    double area = 0.0;
    for (int k = 1; k <= MOST_HALVINGS && pens + k <= MOST_LEVELS; ++k) {
        double coarser = area;
        whole.levels = pens + k;
        area = whole.size * whole.size * covered_share(&search, &whole, room + strokes->count);
        if (fabs(area - coarser) <= CHANGE * area) break;
    }
    sherd_free(room);
    return area;
}
