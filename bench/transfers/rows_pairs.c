// Bodies that meet each other: balls, a block on a slab, balls of all kinds on a block.
#include "bench/transfers/transfer_stage.h"

#include <sherd/world_view.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

// ---------------------------------------------------------------- two balls

static const double BALL_SPEED = 0.5, BALL_TIME = 0.12; // [m/s], until they have parted [s]

// Two balls of five spacings' radius that come to each other along x, `aside` from each other along y [m].
static sherd_status open_balls(transfer_stage *stage, double aside, double friction,
                               const transfer_run *run, sherd_error *error)
{
    return transfer_stage_open(
        stage, run, error,
        "gravity: [0, 0, 0]\n"
        "materials:\n"
        "  m: {density: 1000, youngs_modulus: 200 kPa, poissons_ratio: 0.3, model: neo_hookean, "
        "friction: %g}\n"
        "bodies:\n"
        "- name: a\n"
        "  shape: {sphere: 0.05}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: m\n"
        "  position: [-0.055, 0, 0]\n"
        "  velocity: [%g, 0, 0]\n"
        "- name: b\n"
        "  shape: {sphere: 0.05}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: m\n"
        "  position: [0.055, %g, 0]\n"
        "  velocity: [-%g, 0, 0]\n",
        friction, BALL_SPEED, aside, BALL_SPEED);
}

static sherd_status rebound_of_balls(const transfer_run *run, double *share, sherd_error *error)
{
    transfer_stage stage;
    sherd_status status = open_balls(&stage, 0.0, 0.0, run, error);
    if (status == SHERD_OK) status = transfer_stage_go(&stage, BALL_TIME, error);
    if (status == SHERD_OK)
        *share = (transfer_stage_motion(&stage, 1).velocity.x -
                  transfer_stage_motion(&stage, 0).velocity.x) /
                 (2.0 * BALL_SPEED);
    transfer_stage_close(&stage);
    return status;
}

// Of the run's steps, half of them and a tenth; and in cells of half the size.
static sherd_status measure_balls(const transfer_row *row, const transfer_run *run,
                                  double values[TRANSFER_FIGURES], sherd_error *error)
{
    (void)row;
    transfer_run half = *run, tenth = *run, fine = *run;
    half.step *= 0.5, tenth.step *= 0.1, fine.spacing *= 0.5;
    sherd_status status = rebound_of_balls(run, &values[0], error);
    if (status == SHERD_OK) status = rebound_of_balls(&half, &values[1], error);
    if (status == SHERD_OK) status = rebound_of_balls(&tenth, &values[2], error);
    if (status == SHERD_OK) status = rebound_of_balls(&fine, &values[3], error);
    for (int k = 1; k < 4; ++k)
        values[k] /= values[0];
    return status;
}

static sherd_status spin_of_balls(const transfer_run *run, double *left, sherd_error *error)
{
    transfer_stage stage;
    sherd_status status = open_balls(&stage, 0.05, 0.5, run, error);
    if (status == SHERD_OK) {
        double start = transfer_stage_spin(&stage).z;
        status = transfer_stage_go(&stage, BALL_TIME, error);
        if (status == SHERD_OK) *left = transfer_stage_spin(&stage).z / start;
    }
    transfer_stage_close(&stage);
    return status;
}

static sherd_status measure_oblique(const transfer_row *row, const transfer_run *run,
                                    double values[TRANSFER_FIGURES], sherd_error *error)
{
    (void)row;
    transfer_run tenth = *run;
    tenth.step *= 0.1;
    sherd_status status = spin_of_balls(run, &values[0], error);
    if (status == SHERD_OK) status = spin_of_balls(&tenth, &values[1], error);
    return status;
}

// ---------------------------------------------------------------- a block on a slab

typedef struct slide {
    double degrees, friction; // of the slope
    const char *rotation;     // of the block on the slab
} slide;

// Acceleration between a tenth of a second, when the block has settled, and four.
static sherd_status measure_slide(const transfer_row *row, const transfer_run *run,
                                  double values[TRANSFER_FIGURES], sherd_error *error)
{
    const slide *s = row->detail;
    const double from = 0.1, to = 0.4, gravity = 9.81, slope = s->degrees * M_PI / 180.0;
    transfer_stage stage;
    sherd_status status = transfer_stage_open(
        &stage, run, error,
        "gravity: [%.17g, 0, %.17g]\n"
        "materials:\n"
        "  m: {density: 1000, youngs_modulus: 500 kPa, poissons_ratio: 0.3, model: neo_hookean, "
        "friction: %g}\n"
        "bodies:\n"
        "- name: block\n"
        "  shape: {box: [0.08, 0.08, 0.08]}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: m\n"
        "  rotation: %s\n"
        "  position: [0, 0, 0.04]\n"
        "- name: slab\n"
        "  shape: {box: [0.5, 0.16, 0.06]}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: m\n"
        "  position: [0.13, 0, -0.03]\n"
        "obstacles:\n"
        "- {name: floor, sticky: true, plane: {point: [0, 0, -0.06], normal: [0, 0, 1]}}\n",
        gravity * sin(slope), -gravity * cos(slope), s->friction, s->rotation);
    double before = NAN;
    if (status == SHERD_OK) status = transfer_stage_go(&stage, from, error);
    if (status == SHERD_OK) {
        before = transfer_stage_motion(&stage, 0).velocity.x;
        status = transfer_stage_go(&stage, to, error);
    }
    if (status == SHERD_OK)
        values[0] = (transfer_stage_motion(&stage, 0).velocity.x - before) / (to - from) /
                    (gravity * (sin(slope) - s->friction * cos(slope)));
    transfer_stage_close(&stage);
    return status;
}

// ---------------------------------------------------------------- balls of all kinds on a block

enum { THROW_LOOKS = 50 };
static const double THROW_TIME = 0.1, THROW_SPEED = 1.0; // until the ball has left [s], [m/s]

typedef enum thrown { THROWN_POINTS, THROWN_ELEMENTS, THROWN_FREE } thrown;

// How a ball is thrown: one of elements weighs less than its shape and does not reach as far down, and gets a density and a
// height for which it does.
typedef struct throw_start {
    double density, height; // [kg/m^3], of the shape's centre [m]
} throw_start;

static const double THROW_RADIUS = 0.05, THROW_GAP = 0.004, ELEMENT_RADIUS = 0.004; // [m]
static const throw_start SHAPE_START = {1000.0, 0.054};

// A ball of 5 cm and 2 MPa, or a rigid one, on a block of 100 kPa that floats. Its surface starts 4 mm above the block's.
static sherd_status open_throw(transfer_stage *stage, thrown kind, throw_start start,
                               const transfer_run *run, sherd_error *error)
{
    char ball[512] = "", body[512] = "";
    if (kind == THROWN_FREE)
        snprintf(ball, sizeof ball,
                 "obstacles:\n"
                 "- {name: ball, sphere: 0.05, position: [0, 0, 0.054], friction: 0.3,\n"
                 "   free: {density: %.17g, velocity: [0, 0, -%g]}}\n",
                 start.density, THROW_SPEED);
    else
        snprintf(body, sizeof body,
                 "- name: ball\n"
                 "  shape: {sphere: 0.05}\n"
                 "  packing: {%s}\n"
                 "  material: m\n"
                 "  position: [0, 0, %.17g]\n"
                 "  velocity: [0, 0, -%g]\n",
                 kind == THROWN_POINTS ? "points: {spacing: 0.01}" : "random: {radius: 0.004}",
                 start.height, THROW_SPEED);
    return transfer_stage_open(
        stage, run, error,
        "gravity: [0, 0, 0]\n"
        "materials:\n"
        "  m: {density: %.17g, youngs_modulus: 2 MPa, friction: 0.3, %s}\n"
        "  s: {density: 1000, youngs_modulus: 100 kPa, poissons_ratio: 0.3, model: neo_hookean, "
        "friction: 0.3}\n"
        "bodies:\n"
        "%s"
        "- name: block\n"
        "  shape: {box: [0.2, 0.2, 0.1]}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: s\n"
        "  position: [0, 0, -0.05]\n"
        "%s",
        start.density,
        kind == THROWN_ELEMENTS ? "unbreakable: true" : "poissons_ratio: 0.3, model: neo_hookean",
        body, ball);
}

// Velocities upwards, means between looks.
static sherd_status throw_ball(thrown kind, throw_start start, const transfer_run *run,
                               double speed[THROW_LOOKS], sherd_error *error)
{
    transfer_stage stage;
    sherd_status status = open_throw(&stage, kind, start, run, error);
    double before = start.height, span = THROW_TIME / THROW_LOOKS;
    if (status == SHERD_OK && kind != THROWN_FREE)
        before = transfer_stage_motion(&stage, 0).centre.z;
    for (int look = 0; look < THROW_LOOKS && status == SHERD_OK; ++look) {
        status = transfer_stage_go(&stage, (look + 1) * span, error);
        if (status != SHERD_OK) break;
        double now = kind == THROWN_FREE ? sherd_world_obstacle_pose(stage.world, 0).position.z
                                         : transfer_stage_motion(&stage, 0).centre.z;
        speed[look] = (now - before) / span, before = now;
    }
    transfer_stage_close(&stage);
    return status;
}

// The largest difference over time, of the speed at which they were thrown.
static double apart(const double a[THROW_LOOKS], const double b[THROW_LOOKS])
{
    double most = 0.0;
    for (int look = 0; look < THROW_LOOKS; ++look)
        most = fmax(most, fabs(a[look] - b[look]) / THROW_SPEED);
    return most;
}

static sherd_status measure_throw(const transfer_row *row, const transfer_run *run,
                                  double values[TRANSFER_FIGURES], sherd_error *error)
{
    (void)row;
    double speed[3][THROW_LOOKS];
    transfer_stage stage;
    throw_start start = SHAPE_START;
    sherd_status status = open_throw(&stage, THROWN_ELEMENTS, start, run, error);
    if (status == SHERD_OK) {
        transfer_motion ball = transfer_stage_motion(&stage, 0);
        start.density *= start.density * 4.0 / 3.0 * M_PI * pow(THROW_RADIUS, 3.0) / ball.mass;
        start.height -= ball.low.z - ELEMENT_RADIUS - THROW_GAP;
    }
    transfer_stage_close(&stage);
    for (int kind = THROWN_POINTS; kind <= THROWN_FREE && status == SHERD_OK; ++kind)
        status = throw_ball((thrown)kind, kind == THROWN_ELEMENTS ? start : SHAPE_START, run,
                            speed[kind], error);
    if (status != SHERD_OK) return status;
    values[0] = apart(speed[THROWN_ELEMENTS], speed[THROWN_POINTS]);
    values[1] = apart(speed[THROWN_FREE], speed[THROWN_POINTS]);
    values[2] = apart(speed[THROWN_FREE], speed[THROWN_ELEMENTS]);
    values[3] = speed[THROWN_POINTS][THROW_LOOKS - 1] / THROW_SPEED;
    return SHERD_OK;
}

// ---------------------------------------------------------------- rows

static const slide SLIDE = {25.0, 0.3, "[0, 0, 0]"}, SLIDE_TURNED = {25.0, 0.3, "[0, 0, 30 deg]"};

#define SLID                                                                                       \
    {                                                                                              \
        {                                                                                          \
            "acceleration over g (sin - friction cos)", "", 1.0, 0.95, 1.05                        \
        }                                                                                          \
    }

static const transfer_row ROWS[] = {
    {"balls",
     "two balls of 5 spacings' radius, 200 kPa, meet at 0.5 m/s each",
     {{"speed after over before", "", 1.0, 0.85, 1.0},
      {"in half the steps over that", "", 1.0, 0.97, 1.03},
      {"in a tenth of the steps over that", "", 1.0, 0.97, 1.03},
      {"in cells of half the size over that", "", 1.0, 1.0, INFINITY}},
     measure_balls,
     NULL},
    {"balls-oblique",
     "the same half a radius off the other's centre each, friction 0.5",
     {{"angular momentum left", "", 1.0, 0.99, 1.01},
      {"in a tenth of the steps", "", 1.0, 0.99, 1.01}},
     measure_oblique,
     NULL},
    {"slide", "block of 8 cm on a slab, points on points, 500 kPa, friction 0.3, 25 degrees", SLID,
     measure_slide, &SLIDE},
    {"slide-turned", "turned by 30 degrees on the slab", SLID, measure_slide, &SLIDE_TURNED},
    {"throw",
     "balls of 5 cm, 2 MPa, of elements, points and rigid, at 1 m/s on a block of 100 kPa",
     {{"of elements off that of points, largest", "of speed", 0.0, 0.0, 0.05},
      {"rigid off that of points", "of speed", 0.0, 0.0, 0.05},
      {"rigid off that of elements", "of speed", 0.0, 0.0, 0.05},
      {"speed after over before, of points", "", 0.0, -INFINITY, INFINITY}},
     measure_throw,
     NULL},
};

const transfer_group TRANSFER_ROWS_PAIRS = TRANSFER_GROUP(ROWS);
