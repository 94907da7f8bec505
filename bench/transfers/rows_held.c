// Bars that are held at one end.
#include "bench/transfers/transfer_stage.h"

#include <sherd/world_view.h>

#include <math.h>

enum { PHASES = 8 };

typedef struct clamp {
    double shift[3]; // of the bar between two phases, in cells
    double move[3];  // of its other end [m]
    double right;    // force by beam theory between the outermost points that are held [N]
} clamp;

// A bar of 20 by 6 by 6 cm, the last 3 cm of which are held at one end and moved at the other. Force on the moved end [N]
// once it is at rest: a wave goes along it 15 times while the end moves.
static sherd_status clamp_once(const clamp *c, int phase, const transfer_run *run, double *force,
                               sherd_error *error)
{
    transfer_stage stage;
    double at[3];
    for (int k = 0; k < 3; ++k)
        at[k] = c->shift[k] * phase / PHASES * 0.02 * run->spacing;
    sherd_status status = transfer_stage_open(
        &stage, run, error,
        "gravity: [0, 0, 0]\n"
        "materials:\n"
        "  m: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0, model: neo_hookean}\n"
        "bodies:\n"
        "- name: bar\n"
        "  shape: {box: [0.2, 0.06, 0.06]}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: m\n"
        "  position: [%.17g, %.17g, %.17g]\n"
        "drivers:\n"
        "- {name: held, region: {box: [0.06, 0.08, 0.08], position: [%.17g, %.17g, %.17g]}, "
        "hold: true}\n"
        "- {name: moved, region: {box: [0.06, 0.08, 0.08], position: [%.17g, %.17g, %.17g]},\n"
        "   motion: {table: [{time: 0}, {time: 0.1 s, translation: [%g, %g, %g]}]}}\n",
        at[0], at[1], at[2], at[0] - 0.1, at[1], at[2], at[0] + 0.1, at[1], at[2], c->move[0],
        c->move[1], c->move[2]);
    if (status == SHERD_OK) status = transfer_stage_go(&stage, 0.11, error);
    if (status == SHERD_OK) {
        sherd_world_reset_probes(stage.world);
        status = transfer_stage_go(&stage, 0.16, error);
    }
    if (status == SHERD_OK) {
        sherd_vec3 by = sherd_world_probe_driver(stage.world, stage.build.driver_ids[1]).force;
        *force = c->move[0] > 0.0 ? -by.x : -by.z;
    }
    transfer_stage_close(&stage);
    return status;
}

static sherd_status measure_clamp(const transfer_row *row, const transfer_run *run,
                                  double values[TRANSFER_FIGURES], sherd_error *error)
{
    const clamp *c = row->detail;
    double sum = 0.0, low = INFINITY, high = -INFINITY;
    for (int phase = 0; phase < PHASES; ++phase) {
        double force;
        sherd_status status = clamp_once(c, phase, run, &force, error);
        if (status != SHERD_OK) return status;
        sum += force, low = fmin(low, force), high = fmax(high, force);
    }
    values[0] = (high - low) / (sum / PHASES), values[1] = sum / PHASES / c->right;
    return SHERD_OK;
}

// E A / L times the way, and of a beam both of whose ends are clamped 12 E I / L^3 over 1 + 12 E I / (k G A L^2) [N], 15 cm
// long, k = 5/6, G = E / 2.
#define LENGTH 0.15
#define SECTION 3.6e-3 // [m^2]
#define INERTIA 1.08e-6
#define PULL (1e6 * SECTION / LENGTH * 1e-3)
#define SHEAR (12.0 * INERTIA * 2.0 * 6.0 / 5.0 / (SECTION * LENGTH * LENGTH))
#define BEND (12.0 * 1e6 * INERTIA / (LENGTH * LENGTH * LENGTH) * 2e-3 / (1.0 + SHEAR))
static const clamp PULLED = {{1.0, 0.0, 0.0}, {1e-3, 0.0, 0.0}, PULL},
                   PULLED_ASKEW = {{1.0, 1.0, 1.0}, {1e-3, 0.0, 0.0}, PULL},
                   BENT = {{1.0, 0.0, 0.0}, {0.0, 0.0, 2e-3}, BEND},
                   BENT_ASKEW = {{1.0, 1.0, 1.0}, {0.0, 0.0, 2e-3}, BEND};

#define CLAMPED                                                                                    \
    {                                                                                              \
        {"spread of its stiffness over eight phases along the grid", "", 0.0, 0.0, 0.03},          \
        {                                                                                          \
            "mean over beam theory's", "", 1.0, 0.95, 1.05                                         \
        }                                                                                          \
    }

static const transfer_row ROWS[] = {
    {"clamp-pull", "bar of 20 x 6 x 6 cm, 1 MPa, 3 cm held at each end, pulled", CLAMPED,
     measure_clamp, &PULLED},
    {"clamp-pull-askew", "phases along all axes at once", CLAMPED, measure_clamp, &PULLED_ASKEW},
    {"clamp-bend", "bent, its ends kept parallel", CLAMPED, measure_clamp, &BENT},
    {"clamp-bend-askew", "phases along all axes at once", CLAMPED, measure_clamp, &BENT_ASKEW},
};

const transfer_group TRANSFER_ROWS_HELD = TRANSFER_GROUP(ROWS);
