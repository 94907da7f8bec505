// Bodies that roll and topple on a floor, and one that rebounds from it beside a stiffer one.
#include "bench/transfers/rigid_body.h"
#include "bench/transfers/transfer_stage.h"

#include <sherd/world.h>

#include <math.h>
#include <stdbool.h>

static const double GRAVITY = 9.81;

#define FLOOR                                                                                      \
    "obstacles:\n"                                                                                 \
    "- {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"

// ---------------------------------------------------------------- rolling

typedef struct roll {
    const char *shape, *rotation;
    double modulus, radius; // [Pa], [m]
    double share;           // of g sin(slope) that a rigid body has: 1 / (1 + I / (m r^2))
    double degrees, time;
    const char *ground; // of the scene: a plane, or a body on one
} roll;

// A slab of the same points, with its top at z = 0, on a floor that holds it.
#define SLAB                                                                                       \
    "- name: slab\n"                                                                               \
    "  shape: {box: [0.5, 0.1, 0.04]}\n"                                                           \
    "  packing: {points: {spacing: 0.01}}\n"                                                       \
    "  material: m\n"                                                                              \
    "  position: [0.12, 0, -0.02]\n"                                                               \
    "obstacles:\n"                                                                                 \
    "- {name: floor, plane: {point: [0, 0, -0.04], normal: [0, 0, 1]}, sticky: true}\n"

static sherd_status measure_roll(const transfer_row *row, const transfer_run *run,
                                 double values[TRANSFER_FIGURES], sherd_error *error)
{
    const roll *r = row->detail;
    transfer_stage stage;
    double slope = r->degrees * M_PI / 180.0;
    sherd_status status = transfer_stage_open(
        &stage, run, error,
        "gravity: [%.17g, 0, %.17g]\n"
        "materials:\n"
        "  m: {density: 1000, youngs_modulus: %g, poissons_ratio: 0.3, model: neo_hookean, "
        "friction: 0.6}\n"
        "bodies:\n"
        "- name: b\n"
        "  shape: {%s}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: m\n"
        "  rotation: %s\n"
        "  position: [0, 0, %.17g]\n"
        "%s",
        GRAVITY * sin(slope), -GRAVITY * cos(slope), r->modulus, r->shape, r->rotation, r->radius,
        r->ground);
    if (status == SHERD_OK) {
        double from = transfer_stage_motion(&stage, 0).centre.x;
        status = transfer_stage_go(&stage, r->time, error);
        if (status == SHERD_OK)
            values[0] = (transfer_stage_motion(&stage, 0).centre.x - from) /
                        (0.5 * r->share * GRAVITY * sin(slope) * r->time * r->time);
    }
    transfer_stage_close(&stage);
    return status;
}

// ---------------------------------------------------------------- toppling

typedef struct topple {
    double width, height, modulus; // [m], [m], [Pa]
    double beyond;                 // balance on the edge, degrees
    bool flat;                     // stands flat on a slope, else on its edge on the level
} topple;

// Between the column's axis and the floor's normal, to the side to which it falls [rad].
static double tilt_of(const transfer_stage *stage)
{
    transfer_motion motion = transfer_stage_motion(stage, 0);
    return atan2(motion.rotation[2], motion.rotation[8]);
}

// The time at which the column is tilted so far, looked for every 2 ms; NAN: not until `latest`.
static sherd_status go_to_tilt(const transfer_stage *stage, double tilt, double latest,
                               double *time, sherd_error *error)
{
    const double look = 2e-3;
    double before = tilt_of(stage);
    *time = NAN;
    for (double at = sherd_world_time(stage->world) + look; at < latest; at += look) {
        sherd_status status = transfer_stage_go(stage, at, error);
        if (status != SHERD_OK) return status;
        double now = tilt_of(stage);
        if (now >= tilt) {
            *time = at - look * (now - tilt) / (now - before);
            return SHERD_OK;
        }
        before = now;
    }
    return SHERD_OK;
}

// The edge that it turns about is x = `edge`, z = 0; balance is where its centre is above that.
static sherd_status open_topple(transfer_stage *stage, const topple *t, double edge,
                                const transfer_run *run, sherd_error *error)
{
    double balance = atan(t->width / t->height), beyond = t->beyond * M_PI / 180.0,
           tilt = balance + beyond, r = 0.5 * hypot(t->width, t->height);
    double slope = t->flat ? tilt : 0.0, turned = tilt - slope;
    return transfer_stage_open(
        stage, run, error,
        "gravity: [%.17g, 0, %.17g]\n"
        "materials:\n"
        "  m: {density: 1000, youngs_modulus: %g, poissons_ratio: 0.3, model: neo_hookean, "
        "friction: 1}\n"
        "bodies:\n"
        "- name: b\n"
        "  shape: {box: [%g, 0.06, %g]}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: m\n"
        "  rotation: [0, %.17g rad, 0]\n"
        "  position: [%.17g, 0, %.17g]\n" FLOOR,
        GRAVITY * sin(slope), -GRAVITY * cos(slope), t->modulus, t->width, t->height, turned,
        edge + r * sin(turned - balance), r * cos(turned - balance));
}

// To 45 degrees from gravity (on a slope: less those of the slope from its normal), and to 85 degrees from the normal.
static sherd_status topple_once(const topple *t, double edge, const transfer_run *run,
                                double values[2], sherd_error *error)
{
    transfer_stage stage;
    const double degree = M_PI / 180.0;
    double balance = atan(t->width / t->height), from = t->beyond * degree,
           slope = t->flat ? balance + from : 0.0;
    sherd_status status = open_topple(&stage, t, edge, run, error);
    if (status == SHERD_OK) {
        const double to[2] = {45.0 * degree - slope, 85.0 * degree};
        for (int k = 0; k < 2 && status == SHERD_OK; ++k) {
            double rigid =
                rigid_topple_time(t->width, t->height, GRAVITY, from, to[k] + slope - balance);
            status = go_to_tilt(&stage, to[k], 3.0 * rigid, &values[k], error);
            values[k] /= rigid;
        }
    }
    transfer_stage_close(&stage);
    return status;
}

// With the edge at a node, and a quarter of a cell beside it: that which is farther from a rigid column's time.
static sherd_status measure_topple(const transfer_row *row, const transfer_run *run,
                                   double values[TRANSFER_FIGURES], sherd_error *error)
{
    const topple *t = row->detail;
    double beside[2] = {NAN, NAN};
    sherd_status status = topple_once(t, 0.0, run, values, error);
    if (status == SHERD_OK) status = topple_once(t, 0.005 * run->spacing, run, beside, error);
    for (int k = 0; k < 2; ++k)
        if (!(fabs(beside[k] - 1.0) <= fabs(values[k] - 1.0)) && !isnan(values[k]))
            values[k] = beside[k];
    return status;
}

// ---------------------------------------------------------------- tipping

typedef struct tip {
    double out, turned; // centre beyond the edge [m]; of both about z, degrees
} tip;

// A brick that lies on a table and reaches beyond its edge: angle after 0.1 and 0.15 s over a rigid one's that turns about the
// edge.
static sherd_status measure_tip(const transfer_row *row, const transfer_run *run,
                                double values[TRANSFER_FIGURES], sherd_error *error)
{
    const tip *t = row->detail;
    const double length = 0.2, height = 0.06, times[2] = {0.1, 0.15},
                 c = cos(t->turned * M_PI / 180.0), n = sin(t->turned * M_PI / 180.0);
    transfer_stage stage;
    sherd_status status = transfer_stage_open(
        &stage, run, error,
        "materials:\n"
        "  m: {density: 2000, youngs_modulus: 50 MPa, poissons_ratio: 0.3, model: corotated, "
        "friction: 1}\n"
        "bodies:\n"
        "- name: b\n"
        "  shape: {box: [%g, 0.06, %g]}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: m\n"
        "  rotation: [0, 0, %g deg]\n"
        "  position: [%.17g, %.17g, %g]\n"
        "obstacles:\n"
        "- {name: table, box: [0.4, 0.3, 0.1], rotation: [0, 0, %g deg], friction: 1,\n"
        "   position: [%.17g, %.17g, -0.05]}\n",
        length, height, t->turned, t->out * c, t->out * n, 0.5 * height, t->turned, -0.2 * c,
        -0.2 * n);
    for (int k = 0; k < 2 && status == SHERD_OK; ++k) {
        status = transfer_stage_go(&stage, times[k], error);
        if (status != SHERD_OK) break;
        transfer_motion motion = transfer_stage_motion(&stage, 0);
        double upright = fmax(-1.0, fmin(1.0, motion.rotation[8]));
        values[k] = acos(upright) / rigid_tip_angle(length, height, t->out, GRAVITY, times[k]);
    }
    transfer_stage_close(&stage);
    return status;
}

// ---------------------------------------------------------------- rebounding

static sherd_status rebound(const char *more, const transfer_run *run, double *speed,
                            sherd_error *error)
{
    transfer_stage stage;
    sherd_status status = transfer_stage_open(
        &stage, run, error,
        "gravity: [0, 0, 0]\n"
        "materials:\n"
        "  m: {density: 1000, youngs_modulus: 50 kPa, poissons_ratio: 0.3, model: neo_hookean}\n"
        "  s: {density: 1000, youngs_modulus: 50 MPa, poissons_ratio: 0.3, model: neo_hookean}\n"
        "bodies:\n"
        "- name: b\n"
        "  shape: {sphere: 0.06}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: m\n"
        "  position: [0, 0, 0.065]\n"
        "  velocity: [0, 0, -0.5]\n"
        "%s" FLOOR,
        more);
    if (status == SHERD_OK) status = transfer_stage_go(&stage, 0.25, error);
    if (status == SHERD_OK) *speed = transfer_stage_motion(&stage, 0).velocity.z;
    transfer_stage_close(&stage);
    return status;
}

static sherd_status measure_rebound(const transfer_row *row, const transfer_run *run,
                                    double values[TRANSFER_FIGURES], sherd_error *error)
{
    (void)row;
    double alone = NAN, beside = NAN;
    sherd_status status = rebound("", run, &alone, error);
    if (status == SHERD_OK)
        status = rebound("- name: far\n"
                         "  shape: {box: [0.02, 0.02, 0.02]}\n"
                         "  packing: {points: {spacing: 0.01}}\n"
                         "  material: s\n"
                         "  position: [5, 0, 0.5]\n",
                         run, &beside, error);
    values[0] = alone / 0.5, values[1] = beside / alone;
    return status;
}

// ---------------------------------------------------------------- rows

#define BALL "sphere: 0.06", "[0, 0, 0]"
#define DISC "cylinder: {radius: 0.06, height: 0.06}", "[90 deg, 0, 0]"
static const roll BALL_1MPA = {BALL, 1e6, 0.06, 5.0 / 7.0, 15.0, 0.6, FLOOR},
                  BALL_20MPA = {BALL, 20e6, 0.06, 5.0 / 7.0, 15.0, 0.6, FLOOR},
                  DISC_1MPA = {DISC, 1e6, 0.06, 2.0 / 3.0, 15.0, 0.6, FLOOR},
                  BALL_ON_SLAB = {BALL, 5e6, 0.06, 5.0 / 7.0, 15.0, 0.4, SLAB};
static const topple COLUMN_2MPA = {0.06, 0.2, 2e6, 2.0, false},
                    COLUMN_50MPA = {0.06, 0.2, 50e6, 2.0, false},
                    LEANING_2MPA = {0.06, 0.2, 2e6, 10.0, false},
                    LEANING_50MPA = {0.06, 0.2, 50e6, 10.0, false},
                    FLAT_50MPA = {0.06, 0.2, 50e6, 2.0, true};

static const tip TIP_NEAR = {0.0225, 0.0}, TIP_FAR = {0.035, 0.0}, TIP_TURNED = {0.03, 33.0};

#define TIPPED                                                                                     \
    {                                                                                              \
        {"angle after 0.1 s over a rigid body's", "", 1.0, 0.95, 1.05},                            \
        {                                                                                          \
            "after 0.15 s", "", 1.0, 0.95, 1.05                                                    \
        }                                                                                          \
    }

#define ROLLED                                                                                     \
    {                                                                                              \
        {                                                                                          \
            "way over a rigid body's", "", 1.0, 0.95, 1.05                                         \
        }                                                                                          \
    }
#define TOPPLED                                                                                    \
    {                                                                                              \
        {"time to 45 degrees over a rigid body's", "", 1.0, 0.95, 1.05},                           \
        {                                                                                          \
            "to 85 degrees", "", 1.0, 0.95, 1.05                                                   \
        }                                                                                          \
    }

static const transfer_row ROWS[] = {
    {"rebound",
     "ball of 6 cm, 50 kPa, at 0.5 m/s off a floor",
     {{"speed after over before", "", 1.0, 0.85, 1.0},
      {"with a block of 50 MPa 5 m away over alone", "", 1.0, 0.99, 1.01}},
     measure_rebound,
     NULL},
    {"roll-ball", "ball of 6 cm, 1 MPa, down 15 degrees", ROLLED, measure_roll, &BALL_1MPA},
    {"roll-ball-stiff", "of 20 MPa", ROLLED, measure_roll, &BALL_20MPA},
    {"roll-disc", "disc of 12 x 6 cm, 1 MPa, on its rim", ROLLED, measure_roll, &DISC_1MPA},
    {"roll-slab", "ball of 5 MPa on a slab of the same, both of points", ROLLED, measure_roll,
     &BALL_ON_SLAB},
    {"topple", "column of 6 x 20 cm, 2 MPa, on its edge, 2 degrees beyond balance", TOPPLED,
     measure_topple, &COLUMN_2MPA},
    {"topple-stiff", "of 50 MPa", TOPPLED, measure_topple, &COLUMN_50MPA},
    {"topple-leaning", "of 2 MPa, 10 degrees beyond balance", TOPPLED, measure_topple,
     &LEANING_2MPA},
    {"topple-leaning-stiff", "of 50 MPa", TOPPLED, measure_topple, &LEANING_50MPA},
    // Softer ones do not stand on their edge alone: 2 MPa takes 0.71 times as long, at whatever spacing.
    {"topple-flat-stiff", "of 50 MPa, flat on a slope 2 degrees beyond balance", TOPPLED,
     measure_topple, &FLAT_50MPA},
    {"tip", "brick of 20 x 6 cm, 50 MPa, 22.5 mm beyond the edge of a table", TIPPED, measure_tip,
     &TIP_NEAR},
    {"tip-far", "35 mm beyond it", TIPPED, measure_tip, &TIP_FAR},
    {"tip-turned", "30 mm, both turned by 33 degrees to the grid", TIPPED, measure_tip,
     &TIP_TURNED},
};

const transfer_group TRANSFER_ROWS_ROLL = TRANSFER_GROUP(ROWS);
