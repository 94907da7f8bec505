// Bodies that turn freely.
#include "bench/transfers/transfer_stage.h"

#include <math.h>

typedef struct spin {
    const char *shape;
    double modulus;  // [Pa]
    sherd_vec3 spin; // about the world's axes at the start [rad/s]
    double turns;    // measured
    double extended; // what is left is told for so many turns: 1, or more where few are run
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

static sherd_status measure_spin(const transfer_row *row, const transfer_run *run,
                                 double values[TRANSFER_FIGURES], sherd_error *error)
{
    const spin *s = row->detail;
    transfer_stage stage;
    sherd_status status = transfer_stage_open(
        &stage, run, error,
        "gravity: [0, 0, 0]\n"
        "materials:\n"
        "  m: {density: 1000, youngs_modulus: %g, poissons_ratio: 0.3, model: neo_hookean}\n"
        "bodies:\n"
        "- name: b\n"
        "  shape: {%s}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: m\n"
        "  angular_velocity: [%g, %g, %g]\n"
        "  velocity: [0.3, 0, 0]\n",
        s->modulus, s->shape, s->spin.x, s->spin.y, s->spin.z);
    if (status == SHERD_OK) {
        double turn = 2.0 * M_PI / length_of(s->spin);
        sherd_vec3 start = transfer_stage_spin(&stage);
        double energy = sherd_world_energy(stage.world).kinetic;
        if (s->turns > 1.0) {
            status = transfer_stage_go(&stage, turn, error);
            values[0] = left_of(transfer_stage_spin(&stage), start);
        }
        if (status == SHERD_OK) status = transfer_stage_go(&stage, s->turns * turn, error);
        if (status == SHERD_OK) {
            double left = left_of(transfer_stage_spin(&stage), start);
            values[s->turns > 1.0] = pow(fmax(left, 0.0), s->extended);
            values[2] = sherd_world_energy(stage.world).kinetic / energy;
            values[3] = transfer_stage_motion(&stage, 0).departure / 0.1;
        }
    }
    transfer_stage_close(&stage);
    return status;
}

#define BAR "box: [0.2, 0.06, 0.06]"
static const spin BAR_1MPA = {BAR, 1e6, {0.0, 0.0, 10.0}, 10.0, 1.0};

static const transfer_row ROWS[] = {
    {"spin-1mpa",
     "bar of 20 x 6 x 6 cm, 1 MPa, 10 rad/s",
     {{"angular momentum left after a turn", "", 1.0, 0.99, 1.01},
      {"after ten turns", "", 1.0, 0.95, 1.05}},
     measure_spin,
     &BAR_1MPA},
};

const transfer_group TRANSFER_ROWS_SPIN = TRANSFER_GROUP(ROWS);
