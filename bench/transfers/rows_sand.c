// Sand: columns that run out, and a layer on a slope.
#include "bench/transfers/transfer_stage.h"

#include <math.h>

// ---------------------------------------------------------------- columns

typedef struct column {
    double aspect; // height over radius
    double time;   // until it lies still [s]
} column;

static sherd_status run_out(const column *c, double friction, const transfer_run *run, double *way,
                            sherd_error *error)
{
    const double radius = 0.1;
    transfer_stage stage;
    sherd_status status = transfer_stage_open(
        &stage, run, error,
        "materials:\n"
        "  m: {density: 1600, youngs_modulus: 1 MPa, poissons_ratio: 0.3, model: sand, "
        "friction_angle: 30 deg, friction: %g}\n"
        "bodies:\n"
        "- name: b\n"
        "  shape: {cylinder: {radius: %g, height: %g}}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: m\n"
        "  position: [0, 0, %.17g]\n"
        "obstacles:\n"
        "- {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: %g}\n",
        friction, radius, radius * c->aspect, 0.5 * radius * c->aspect, friction);
    if (status == SHERD_OK) status = transfer_stage_go(&stage, c->time, error);
    if (status == SHERD_OK)
        status = transfer_stage_front(&stage, 0, FRONT_RADIUS, 0.98, way, error);
    *way = *way / radius - 1.0;
    transfer_stage_close(&stage);
    return status;
}

static sherd_status measure_column(const transfer_row *row, const transfer_run *run,
                                   double values[TRANSFER_FIGURES], sherd_error *error)
{
    static const double FRICTION[] = {0.4, 0.5, 0.6};
    sherd_status status = SHERD_OK;
    for (int k = 0; k < 3 && status == SHERD_OK; ++k)
        status = run_out(row->detail, FRICTION[k], run, &values[k], error);
    return status;
}

// ---------------------------------------------------------------- a layer on a slope

// Sand of 8 cm on a sticky plane, in a slice between slippery walls; its ends fall down, which is not felt in its middle, seven
// times as far away as it is deep, before 0.3 s. (At less than three times it is: then the upper half flows from 21 degrees on.) The acceleration of the middle's upper third at a slope, between means over two tenths of a second [m/s^2].
static sherd_status flow_at(double degrees, const transfer_run *run, double *acceleration,
                            sherd_error *error)
{
    const double slope = degrees * M_PI / 180.0, span = 0.1;
    transfer_stage stage;
    sherd_status status = transfer_stage_open(
        &stage, run, error,
        "gravity: [%.17g, 0, %.17g]\n"
        "materials:\n"
        "  m: {density: 1600, youngs_modulus: 1 MPa, poissons_ratio: 0.3, model: sand, "
        "friction_angle: 30 deg}\n"
        "bodies:\n"
        "- name: b\n"
        "  shape: {box: [1.2, 0.04, 0.08]}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: m\n"
        "  position: [0, 0, 0.04]\n"
        "obstacles:\n"
        "- {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, sticky: true}\n"
        "- {name: yp, plane: {point: [0, 0.02, 0], normal: [0, -1, 0]}, friction: 0}\n"
        "- {name: ym, plane: {point: [0, -0.02, 0], normal: [0, 1, 0]}, friction: 0}\n",
        9.81 * sin(slope), -9.81 * cos(slope));
    double at[3] = {NAN, NAN, NAN};
    const transfer_box middle = {{-0.1, -1.0, 0.013}, {0.1, 1.0, 0.04}};
    for (int k = 0; k < 3 && status == SHERD_OK; ++k) {
        status = transfer_stage_go(&stage, (k + 1) * span, error);
        if (status == SHERD_OK) at[k] = transfer_stage_mean_of(&stage, 0, &middle).x;
    }
    *acceleration = (at[2] - 2.0 * at[1] + at[0]) / (span * span);
    transfer_stage_close(&stage);
    return status;
}

// By halves between what rests and what flows. In steady shear the cone `mean`, the default, bears sin of the angle times the
// pressure: 30 degrees flow from atan(sin 30) = 26.6 on.
static sherd_status measure_layer(const transfer_row *row, const transfer_run *run,
                                  double values[TRANSFER_FIGURES], sherd_error *error)
{
    (void)row;
    const double flows =
        0.1; // [m/s^2], which 0.6 degrees more than bear it give; creep goes on at the same speed
    double rests = 15.0, moves = 40.0;
    for (int half = 0; half < 5; ++half) {
        double degrees = 0.5 * (rests + moves), acceleration;
        sherd_status status = flow_at(degrees, run, &acceleration, error);
        if (status != SHERD_OK) return status;
        *(acceleration > flows ? &moves : &rests) = degrees;
    }
    values[0] = 0.5 * (rests + moves);
    return SHERD_OK;
}

// ---------------------------------------------------------------- rows

static const column LOW = {0.5, 0.5}, MIDDLE = {1.0, 0.6}, HIGH = {2.0, 0.8};

// Lube, Huppert, Sparks, Hallworth, Journal of Fluid Mechanics 508 (2004): 1.24 a up to 1.7, then 1.6 a^1/2.
#define RUN_OUT(RIGHT)                                                                             \
    {                                                                                              \
        {"run-out of 98 % over radius, floor's friction 0.4", "", RIGHT, 0.8 * RIGHT,              \
         1.2 * RIGHT},                                                                             \
            {"0.5", "", RIGHT, 0.8 * RIGHT, 1.2 * RIGHT},                                          \
        {                                                                                          \
            "0.6", "", RIGHT, 0.8 * RIGHT, 1.2 * RIGHT                                             \
        }                                                                                          \
    }

static const transfer_row ROWS[] = {
    {"sand-column-low", "column of sand half as high as its radius of 10 cm, 1 MPa", RUN_OUT(0.62),
     measure_column, &LOW},
    {"sand-column", "as high", RUN_OUT(1.24), measure_column, &MIDDLE},
    {"sand-column-high", "twice as high", RUN_OUT(2.26), measure_column, &HIGH},
    {"sand-layer",
     "8 cm of sand of 30 degrees on a sticky plane, 1 MPa",
     {{"flows from", "degrees", 26.6, 23.6, 29.6}},
     measure_layer,
     NULL},
};

const transfer_group TRANSFER_ROWS_SAND = TRANSFER_GROUP(ROWS);
