// Plain knit: each row is one yarn, and each loop is drawn through the loop below it.
//
// Seen from the front, legs are in front of the loop below, heads and feet behind their neighbours:
//
//           .--.          head, behind the legs of the row above
//          (    )
//     ______\  /______    leg of the row above crosses in front of this head,
//    (       )(       )   and comes from behind this row's legs
//     '--   /  \   --'    feet, behind the legs of the row below
//
// A loop begins as a curve with the right crossings,
//     x = w t / 2 pi + a sin 2t,   y = -h cos t,   z = -d cos 2t,   t = 0 .. 2 pi,
// and is then relaxed in its periodic cell of one loop: it is stiff in bending and keeps its
// length, and yarns keep their distance. The fabric repeats that loop, so it is perfectly regular
// at any size.
#include "base/error.h"
#include "math/vec3.h"
#include "packing/yarn/yarn_build.h"

static const double PI = 3.14159265358979323846;

// In yarn diameters, as everything in the cell.
static const double DEFAULT_ROW_DISTANCE = 3.6, DEFAULT_COLUMN_DISTANCE = 4.5; // near Peirce's 1947
static const double LOOP_OVERLAP = 2.4; // a head reaches this far beyond the feet of the row above
static const double KEPT_APART = 1.02;  // slightly more than contact, for the error of sampling
static const double LEAST_ROW = 2.6, LEAST_COLUMN = 4.0, MOST_DISTANCE = 40.0;

enum {
    POINTS = 64,      // of a loop, even
    STEPS = 1500,     // of relaxing
    LAST_STEPS = 200, // with repulsion only
    NEXT_ALONG = 8,   // points of one yarn this near along it don't repel
    MOST_LOOPS = 1000000
};

typedef struct loop_cell {
    double column, row;       // distances
    double piece;             // length of yarn between points
    sherd_vec3 point[POINTS]; // point POINTS would be point 0, one column further
} loop_cell;

static sherd_vec3 image(const loop_cell *c, int k, int row)
{
    int columns = (int)floor((double)k / POINTS);
    return vec3_add(c->point[k - columns * POINTS], vec3(columns * c->column, row * c->row, 0.0));
}

static void begin_loop(loop_cell *c)
{
    double h = 0.5 * (c->row + LOOP_OVERLAP), a = 0.16 * c->column, length = 0.0;
    for (int k = 0; k < POINTS; ++k) {
        double t = 2.0 * PI * k / POINTS;
        c->point[k] =
            vec3(c->column * k / POINTS + a * sin(2.0 * t), -h * cos(t), -1.1 * cos(2.0 * t));
    }
    for (int k = 0; k < POINTS; ++k)
        length += vec3_distance(image(c, k, 0), image(c, k + 1, 0));
    c->piece = length / POINTS;
}

// Decreases the sum of squared second differences, explicitly and slowly enough to be stable (below
// 1/16).
static void straighten(loop_cell *c)
{
    sherd_vec3 move[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        sherd_vec3 near = vec3_add(image(c, k - 1, 0), image(c, k + 1, 0));
        sherd_vec3 far = vec3_add(image(c, k - 2, 0), image(c, k + 2, 0));
        sherd_vec3 fourth =
            vec3_add(vec3_add_scaled(far, -4.0, near), vec3_scale(6.0, c->point[k]));
        move[k] = vec3_scale(-0.04, fourth);
    }
    for (int k = 0; k < POINTS; ++k)
        c->point[k] = vec3_add(c->point[k], move[k]);
}

static void keep_length(loop_cell *c)
{
    for (int k = 0; k < POINTS; ++k) {
        sherd_vec3 step = vec3_sub(image(c, k + 1, 0), c->point[k]);
        double length = vec3_length(step), half = 0.5 * (length - c->piece) / length;
        int next = (k + 1) % POINTS;
        c->point[k] = vec3_add_scaled(c->point[k], half, step);
        c->point[next] = vec3_add_scaled(c->point[next], -half, step);
    }
}

// Separates points that are closer than contact, by the fraction `slow` of the overlap. Returns the
// smallest distance found.
static double keep_apart(loop_cell *c, double slow)
{
    double least = INFINITY;
    for (int k = 0; k < POINTS; ++k)
        for (int row = 0; row <= 2; ++row)
            for (int m = k - POINTS; m < k + POINTS; ++m) {
                // In its own row each pair once; in the rows above all of them.
                if (row == 0 && m < k + NEXT_ALONG) continue;
                sherd_vec3 step = vec3_sub(image(c, m, row), c->point[k]);
                double distance2 = vec3_dot(step, step);
                if (distance2 >= KEPT_APART * KEPT_APART) continue;
                double distance = sqrt(distance2);
                double push = slow * 0.5 * (KEPT_APART - distance) / fmax(distance, 1e-6);
                int other = (m + POINTS) % POINTS;
                c->point[k] = vec3_add_scaled(c->point[k], -push, step);
                c->point[other] = vec3_add_scaled(c->point[other], push, step);
                least = fmin(least, distance);
            }
    return least;
}

// Loops are their own mirror images.
static void make_symmetric(loop_cell *c)
{
    for (int k = 0; k <= POINTS / 2; ++k) {
        sherd_vec3 *a = &c->point[k], *b = &c->point[(POINTS - k) % POINTS];
        double offset = k == 0 ? 0.0 : c->column;
        sherd_vec3 mean =
            vec3(0.5 * (a->x + offset - b->x), 0.5 * (a->y + b->y), 0.5 * (a->z + b->z));
        *a = mean;
        *b = vec3(offset - mean.x, mean.y, mean.z);
    }
}

static sherd_status relax(loop_cell *c, double radius, sherd_error *error)
{
    double least = 0.0;
    begin_loop(c);
    for (int k = 0; k < STEPS; ++k) {
        straighten(c);
        keep_length(c);
        keep_apart(c, 0.5);
        make_symmetric(c);
    }
    for (int k = 0; k < LAST_STEPS; ++k) {
        keep_length(c);
        least = keep_apart(c, 0.3);
        make_symmetric(c);
    }
    if (least >= 0.97) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "yarn.knitted",
                      "make the yarn thinner or row_distance and column_distance larger",
                      "loops of %g x %g m have no room for yarn of radius %g m",
                      2.0 * radius * c->column, 2.0 * radius * c->row, radius);
}

static sherd_status check_distance(const char *where, double given, double radius, double least,
                                   sherd_error *error)
{
    double diameters = given / (2.0 * radius);
    if (diameters >= least && diameters <= MOST_DISTANCE) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, where, "it goes with the yarn's radius",
                      "must be within %g .. %g m with yarn of this radius, got %g m",
                      2.0 * radius * least, 2.0 * radius * MOST_DISTANCE, given);
}

static sherd_status check(const sherd_knitted_def *d, double row, double column, sherd_error *error)
{
    sherd_status status = sherd_yarn_check_length("yarn.knitted.radius", d->radius, error);
    if (status == SHERD_OK &&
        (d->rows < 1 || d->columns < 1 || d->rows > MOST_LOOPS || d->columns > MOST_LOOPS))
        status = sherd_fail(error, SHERD_ERROR_INPUT, "yarn.knitted", NULL,
                            "needs 1 to %d loops each way, got %d rows and %d columns", MOST_LOOPS,
                            d->rows, d->columns);
    if (status == SHERD_OK)
        status = check_distance("yarn.knitted.row_distance", row, d->radius, LEAST_ROW, error);
    if (status == SHERD_OK)
        status =
            check_distance("yarn.knitted.column_distance", column, d->radius, LEAST_COLUMN, error);
    return status;
}

static void add_row(sherd_yarn_build *build, const sherd_yarn_def *def, const loop_cell *c, int row)
{
    const sherd_knitted_def *d = &def->knitted;
    double diameter = 2.0 * d->radius;
    sherd_vec3 middle = vec3(0.5 * d->columns * c->column, 0.5 * (d->rows - 1) * c->row, 0.0);
    sherd_yarn_curve curve = {0};
    for (int k = 0; k <= d->columns * POINTS; ++k)
        sherd_yarn_curve_add(&curve, vec3_scale(diameter, vec3_sub(image(c, k, row), middle)));
    size_t first = sherd_yarn_build_add(build, &curve, d->radius, def->spacing);
    double end = diameter * (0.5 * d->columns - 1.0) * c->column;
    for (size_t k = first; k < build->count; ++k)
        build->edge[k] = row == 0 || row == d->rows - 1 || fabs(build->point[k].x) > end;
}

sherd_status sherd_yarn_knitted(sherd_yarn_build *build, const sherd_yarn_def *def,
                                sherd_error *error)
{
    const sherd_knitted_def *d = &def->knitted;
    double diameter = 2.0 * d->radius;
    double row = d->row_distance != 0.0 ? d->row_distance : DEFAULT_ROW_DISTANCE * diameter;
    double column =
        d->column_distance != 0.0 ? d->column_distance : DEFAULT_COLUMN_DISTANCE * diameter;
    sherd_status status = check(d, row, column, error);
    if (status != SHERD_OK) return status;
    loop_cell cell = {.row = row / diameter, .column = column / diameter};
    status = relax(&cell, d->radius, error);
    for (int k = 0; k < d->rows && status == SHERD_OK; ++k)
        if (!build->failed && !build->too_many) add_row(build, def, &cell, k);
    return status;
}
