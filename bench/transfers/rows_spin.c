// Bodies that turn freely.
#include "bench/transfers/rigid_body.h"
#include "bench/transfers/transfer_stage.h"

#include <sherd/world_view.h>

#include <math.h>

typedef struct spin {
    const char *shape;
    double modulus;   // [Pa]
    sherd_vec3 spin;  // about the world's axes at the start [rad/s]
    double turns;     // run
    sherd_vec3 edges; // of a box; 0: another shape, which turns about an axis of symmetry  [m]
    const char *more; // bodies of the scene
} spin;

static double length_of(sherd_vec3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

// What is left of angular momentum along its direction at the start: what turns away counts as lost.
static double left_of(sherd_vec3 now, sherd_vec3 start)
{
    return (now.x * start.x + now.y * start.y + now.z * start.z) /
           (start.x * start.x + start.y * start.y + start.z * start.z);
}

static sherd_status open_spin(transfer_stage *stage, const spin *s, const transfer_run *run,
                              sherd_error *error)
{
    return transfer_stage_open(
        stage, run, error,
        "gravity: [0, 0, 0]\n"
        "materials:\n"
        "  m: {density: 1000, youngs_modulus: %g, poissons_ratio: 0.3, model: neo_hookean}\n"
        "  stiff: {density: 1000, youngs_modulus: 500 MPa, model: neo_hookean}\n"
        "bodies:\n"
        "- name: b\n"
        "  shape: {%s}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: m\n"
        "  angular_velocity: [%.17g, %.17g, %.17g]\n"
        "%s",
        s->modulus, s->shape, s->spin.x, s->spin.y, s->spin.z, s->more != NULL ? s->more : "");
}

enum { LOOKS = 8 }; // in a turn: what stops is seen half a turn off

// Runs so many turns. The largest angle between the body and the rigid one [rad].
static sherd_status go_turning(const transfer_stage *stage, const spin *s, double turns,
                               double *angle, sherd_error *error)
{
    double turn = 2.0 * M_PI / length_of(s->spin), rigid[9];
    *angle = 0.0;
    for (int look = 1; look <= (int)lround(turns * LOOKS); ++look) {
        double time = look * turn / LOOKS;
        sherd_status status = transfer_stage_go(stage, time, error);
        if (status != SHERD_OK) return status;
        transfer_motion motion = transfer_stage_motion(stage, 0);
        rigid_box_turn(s->edges, s->spin, time, rigid);
        *angle = fmax(*angle, rotation_angle(motion.rotation, rigid));
    }
    return SHERD_OK;
}

// Cells are two spacings wide.
static double departure_in_cells(const transfer_motion *motion, const transfer_run *run)
{
    return motion->departure / (0.02 * run->spacing);
}

static sherd_status measure_spin(const transfer_row *row, const transfer_run *run,
                                 double values[TRANSFER_FIGURES], sherd_error *error)
{
    const spin *s = row->detail;
    transfer_stage stage;
    sherd_status status = open_spin(&stage, s, run, error);
    if (status == SHERD_OK) {
        double end = s->turns * 2.0 * M_PI / length_of(s->spin);
        sherd_vec3 start = transfer_stage_spin(&stage);
        status = go_turning(&stage, s, 1.0, &values[2], error);
        if (status == SHERD_OK) {
            values[0] = left_of(transfer_stage_spin(&stage), start);
            status = transfer_stage_go(&stage, end, error);
        }
        if (status == SHERD_OK) {
            transfer_motion motion = transfer_stage_motion(&stage, 0);
            values[1] = left_of(transfer_stage_spin(&stage), start);
            values[3] = departure_in_cells(&motion, run);
        }
    }
    transfer_stage_close(&stage);
    return status;
}

// About an axis that is not stable.
static sherd_status measure_tumble(const transfer_row *row, const transfer_run *run,
                                   double values[TRANSFER_FIGURES], sherd_error *error)
{
    const spin *s = row->detail;
    transfer_stage stage;
    sherd_status status = open_spin(&stage, s, run, error);
    if (status == SHERD_OK) {
        sherd_vec3 start = transfer_stage_spin(&stage);
        double energy = sherd_world_energy(stage.world).kinetic;
        status = go_turning(&stage, s, s->turns, &values[2], error);
        if (status == SHERD_OK) {
            transfer_motion motion = transfer_stage_motion(&stage, 0);
            values[0] = left_of(transfer_stage_spin(&stage), start);
            values[1] = sherd_world_energy(stage.world).kinetic / energy;
            values[3] = departure_in_cells(&motion, run);
        }
    }
    transfer_stage_close(&stage);
    return status;
}

// Ten turns of what is stiff and slow take too many steps: a part of one is run, and what it loses is told for a turn.
static sherd_status measure_slow_spin(const transfer_row *row, const transfer_run *run,
                                      double values[TRANSFER_FIGURES], sherd_error *error)
{
    const spin *s = row->detail;
    transfer_stage stage;
    sherd_status status = open_spin(&stage, s, run, error);
    if (status == SHERD_OK) {
        sherd_vec3 start = transfer_stage_spin(&stage);
        status = transfer_stage_go(&stage, s->turns * 2.0 * M_PI / length_of(s->spin), error);
        double left = fmax(left_of(transfer_stage_spin(&stage), start), 0.0);
        if (status == SHERD_OK) {
            values[0] = pow(left, 1.0 / s->turns);
            values[1] = pow(left, 10.0 / s->turns);
        }
    }
    transfer_stage_close(&stage);
    return status;
}

#define BAR "box: [0.2, 0.06, 0.06]"
#define BAR_EDGES                                                                                  \
    {                                                                                              \
        0.2, 0.06, 0.06                                                                            \
    }
// A block that nothing meets, which steps are as short for as its waves ask.
#define STIFF_BLOCK                                                                                \
    "- name: far\n"                                                                                \
    "  shape: {box: [0.06, 0.06, 0.06]}\n"                                                         \
    "  packing: {points: {spacing: 0.01}}\n"                                                       \
    "  material: stiff\n"                                                                          \
    "  position: [5, 0, 0]\n"

static const spin ACROSS = {BAR, 1e6, {0.0, 0.0, 10.0}, 10.0, BAR_EDGES, NULL},
                  ALONG = {BAR, 1e6, {10.0, 0.0, 0.0}, 10.0, BAR_EDGES, NULL},
                  SOFT = {BAR, 50e3, {0.0, 1.5, 0.0}, 10.0, BAR_EDGES, NULL},
                  STIFF = {BAR, 10e9, {0.0, 0.0, 100.0}, 0.1, BAR_EDGES, NULL},
                  OBLIQUE = {BAR, 10e6, {12.0, 9.0, 20.0}, 3.0, BAR_EDGES, NULL},
                  BESIDE = {BAR, 1e6, {0.0, 0.0, 10.0}, 0.1, BAR_EDGES, STIFF_BLOCK},
                  TUMBLE = {"box: [0.2, 0.12, 0.06]", 1e6, {0.5, 10.0, 0.0}, 3.0,
                            {0.2, 0.12, 0.06},        NULL},
                  CYLINDER = {"cylinder: {radius: 0.06, height: 0.08}",
                              1e6,
                              {0.0, 0.0, 30.0},
                              10.0,
                              {1.0, 1.0, 1.0},
                              NULL};

// Angular momentum within 1 % over the first turn and 5 % after ten; the angle within 5 % of that turned. What bends and
// rings moves a point by a twentieth of a cell in these, more is flying apart. Energy goes with angular momentum squared.
#define LEFT_AFTER_ONE                                                                             \
    {                                                                                              \
        "angular momentum left after a turn", "", 1.0, 0.99, 1.01                                  \
    }
#define LEFT_AFTER_TEN                                                                             \
    {                                                                                              \
        "angular momentum left after ten turns", "", 1.0, 0.95, 1.05                               \
    }
#define LEFT_AFTER_THREE                                                                           \
    {                                                                                              \
        "angular momentum left after three turns", "", 1.0, 0.97, 1.03                             \
    }
#define ANGLE_OFF_ONE                                                                              \
    {                                                                                              \
        "largest angle off the rigid body's, first turn", "rad", 0.0, 0.0, 0.31                    \
    }
#define ANGLE_OFF_THREE                                                                            \
    {                                                                                              \
        "largest angle off the rigid body's, three turns", "rad", 0.0, 0.0, 0.94                   \
    }
#define DEPARTURE                                                                                  \
    {                                                                                              \
        "farthest point from its place in a rigid body", "cells", 0.0, 0.0, 0.1                    \
    }
#define ENERGY                                                                                     \
    {                                                                                              \
        "kinetic energy left", "", 1.0, 0.94, 1.06                                                 \
    }

#define TEN_TURNS                                                                                  \
    {                                                                                              \
        LEFT_AFTER_ONE, LEFT_AFTER_TEN, ANGLE_OFF_ONE, DEPARTURE                                   \
    }
#define SLOW                                                                                       \
    {                                                                                              \
        LEFT_AFTER_ONE, LEFT_AFTER_TEN                                                             \
    }
#define TUMBLING                                                                                   \
    {                                                                                              \
        LEFT_AFTER_THREE, ENERGY, ANGLE_OFF_THREE, DEPARTURE                                       \
    }

static const transfer_row ROWS[] = {
    {"spin-across", "bar of 20 x 6 x 6 cm (cells of 2 cm), 1 MPa, 10 rad/s across", TEN_TURNS,
     measure_spin, &ACROSS},
    {"spin-along", "the same about its long axis", TEN_TURNS, measure_spin, &ALONG},
    {"spin-soft", "the same bar of 50 kPa, 1.5 rad/s across", TEN_TURNS, measure_spin, &SOFT},
    {"spin-cylinder", "cylinder of 12 x 8 cm, 1 MPa, 30 rad/s", TEN_TURNS, measure_spin, &CYLINDER},
    {"spin-stiff", "bar of 10 GPa, 100 rad/s, by a tenth of a turn", SLOW, measure_slow_spin,
     &STIFF},
    {"spin-beside", "bar of 1 MPa, 10 rad/s, a block of 500 MPa 5 m away, by a tenth of a turn",
     SLOW, measure_slow_spin, &BESIDE},
    {"spin-oblique", "bar of 10 MPa, 25 rad/s about no axis of its", TUMBLING, measure_tumble,
     &OBLIQUE},
    {"spin-tumble", "plate of 20 x 12 x 6 cm, 1 MPa, 10 rad/s about its middle axis", TUMBLING,
     measure_tumble, &TUMBLE},
};

const transfer_group TRANSFER_ROWS_SPIN = TRANSFER_GROUP(ROWS);
