#include "stepping/implicit/line_search.h"

#include <math.h>

enum { MAX_TRIES = 13, MAX_FLATTENING = 8 };
static const double SUFFICIENT_DECREASE = 1e-4; // Armijo
static const double FLAT = 0.5;                 // fraction of the initial slope
static const double CLOSEST = 0.05;             // to an end of the search interval, relative to it
static const double NARROW = 1e-3; // width of the search interval, relative to its far end

// A point on the line, in steps from the start.
typedef struct line_point {
    double at, energy, slope; // [1], [J], [J]
} line_point;

typedef struct search {
    const sherd_line *line;
    line_point start;
    double noise; // rounding of an energy that is a sum of terms much larger than their change [J]
    line_point low;  // lower than the start, with negative slope
    line_point high; // beyond the minimum: the first rejected length, then nearer ones
    int tries;
} search;

// ---------------------------------------------------------------- acceptance

// If rounding hides a decrease of the energy, the slope decides: it must have become smaller.
static bool is_lower(const search *s, const line_point *p)
{
    if (p->energy <= s->start.energy + SUFFICIENT_DECREASE * p->at * s->start.slope) return true;
    return p->energy <= s->start.energy + s->noise && fabs(p->slope) < 0.9 * fabs(s->start.slope);
}

// The first length is acceptable if it decreases the energy; later ones must be past a kink.
static bool is_acceptable(const search *s, const line_point *p)
{
    if (!is_lower(s, p)) return false;
    if (s->tries == 1 || s->tries > MAX_FLATTENING) return true;
    bool narrow = s->high.at - s->low.at < NARROW * s->high.at;
    return narrow || p->slope >= FLAT * s->start.slope;
}

// ---------------------------------------------------------------- next point

static void narrow_down(search *s, const line_point *p)
{
    if (is_lower(s, p) && p->slope < 0.0)
        s->low = *p;
    else
        s->high = *p;
}

// Minimum of a parabola with a kink; the midpoint if no kink lies between.
static double minimum_between(const search *s)
{
    double d = s->high.at - s->low.at, bend = fabs(s->start.slope);
    double rise = s->high.energy - s->low.energy - s->low.slope * d - 0.5 * bend * d * d,
           slope_change = s->high.slope - s->low.slope - bend * d;
    if (!isfinite(rise) || !(slope_change > 0.0) || !(s->high.slope > 0.0))
        return s->low.at + 0.5 * d;
    double beyond = fmin(fmax(2.0 * rise / slope_change, NARROW * d), d),
           kink = slope_change / beyond;
    return s->low.at + (kink * (d - beyond) - s->low.slope) / (bend + kink);
}

static double next_point(const search *s)
{
    double margin = CLOSEST * (s->high.at - s->low.at);
    return fmin(fmax(minimum_between(s), s->low.at + margin), s->high.at - margin);
}

// ---------------------------------------------------------------- the search

static sherd_status evaluate_at(search *s, double at, double *gone, line_point *p,
                                sherd_objective_value *value, sherd_error *error)
{
    const sherd_line *line = s->line;
    sherd_objective_move(line->objective, line->step, at - *gone);
    *gone = at;
    ++s->tries;
    sherd_status status =
        sherd_objective_evaluate(line->objective, true, line->gradient, value, error);
    *p = (line_point){at, value->energy,
                      sherd_objective_dot(line->objective, line->gradient, line->step)};
    return status;
}

sherd_status sherd_line_search(const sherd_line *line, sherd_objective_value *value,
                               sherd_line_end *end, sherd_error *error)
{
    line_point start = {0.0, value->energy, line->slope}, p;
    search s = {.line = line, .start = start, .low = start};
    s.noise =
        1e-13 * (fabs(value->energy) + fabs(value->bonds.energy) + fabs(value->contact.energy));
    double gone = 0.0, next = line->reach;
    sherd_status status = SHERD_OK;
    while (status == SHERD_OK && s.tries < MAX_TRIES) {
        status = evaluate_at(&s, next, &gone, &p, value, error);
        *end = (sherd_line_end){gone, s.tries};
        if (status != SHERD_OK || is_acceptable(&s, &p)) return status;
        narrow_down(&s, &p);
        next = next_point(&s);
    }
    if (status == SHERD_OK) status = evaluate_at(&s, s.low.at, &gone, &p, value, error);
    *end = (sherd_line_end){gone, s.tries};
    return status;
}
