// Water: a dam that breaks, a pool's walls, what floats and what sinks.
#include "bench/transfers/transfer_stage.h"

#include <sherd/world_view.h>

#include <math.h>
#include <stdio.h>

#define WATER "  water: {density: 1000, bulk_modulus: 200 kPa, model: fluid}\n"

// ---------------------------------------------------------------- a dam

typedef struct dam {
    double width, shift; // of the slice, and of all from the grid [m]
} dam;

// Fronts in widths of the column at t (2 g / a)^1/2 = 2.8 and 3.5.
static sherd_status measure_dam(const transfer_row *row, const transfer_run *run,
                                double values[TRANSFER_FIGURES], sherd_error *error)
{
    const dam *d = row->detail;
    const double a = 0.16, times[2] = {2.8, 3.5};
    transfer_stage stage;
    sherd_status status = transfer_stage_open(
        &stage, run, error,
        "materials:\n" WATER "bodies:\n"
        "- name: w\n"
        "  shape: {box: [%g, %g, %g]}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: water\n"
        "  position: [%.17g, 0, %.17g]\n"
        "obstacles:\n"
        "- {name: floor, plane: {point: [0, 0, %g], normal: [0, 0, 1]}, friction: 0}\n"
        "- {name: back, plane: {point: [%g, 0, 0], normal: [1, 0, 0]}, friction: 0}\n"
        "- {name: yp, plane: {point: [0, %g, 0], normal: [0, -1, 0]}, friction: 0}\n"
        "- {name: ym, plane: {point: [0, -%g, 0], normal: [0, 1, 0]}, friction: 0}\n",
        a, d->width, 2 * a, 0.5 * a + d->shift, a + d->shift, d->shift, d->shift, 0.5 * d->width,
        0.5 * d->width);
    for (int k = 0; k < 2 && status == SHERD_OK; ++k) {
        status = transfer_stage_go(&stage, times[k] * sqrt(a / (2.0 * 9.81)), error);
        if (status == SHERD_OK)
            status = transfer_stage_front(&stage, 0, FRONT_X, 0.98, &values[k], error);
        values[k] = (values[k] - d->shift) / a;
    }
    transfer_stage_close(&stage);
    return status;
}

// ---------------------------------------------------------------- a pool

// Forces on two of its walls over that of hydrostatic pressure.
static sherd_status lean(const transfer_run *run, double values[2], sherd_error *error)
{
    const double pressure = 0.5 * 1000.0 * 9.81 * 0.1; // mean [Pa]
    transfer_stage stage;
    sherd_status status = transfer_stage_open(
        &stage, run, error,
        "materials:\n" WATER "bodies:\n"
        "- name: w\n"
        "  shape: {box: [0.2, 0.1, 0.1]}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: water\n"
        "  position: [0, 0, 0.05]\n"
        "obstacles:\n"
        "- {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0}\n"
        "- {name: xp, plane: {point: [0.1, 0, 0], normal: [-1, 0, 0]}, friction: 0}\n"
        "- {name: xm, plane: {point: [-0.1, 0, 0], normal: [1, 0, 0]}, friction: 0}\n"
        "- {name: yp, plane: {point: [0, 0.05, 0], normal: [0, -1, 0]}, friction: 0}\n"
        "- {name: ym, plane: {point: [0, -0.05, 0], normal: [0, 1, 0]}, friction: 0}\n");
    if (status == SHERD_OK) status = transfer_stage_go(&stage, 0.2, error);
    if (status == SHERD_OK) {
        sherd_world_reset_probes(stage.world); // nine periods of waves from floor to surface
        status = transfer_stage_go(&stage, 0.5, error);
    }
    if (status == SHERD_OK) {
        const sherd_obstacle_id *walls = stage.build.obstacle_ids;
        values[0] =
            sherd_world_probe_obstacle(stage.world, walls[1]).force.x / (pressure * 0.1 * 0.1);
        values[1] =
            sherd_world_probe_obstacle(stage.world, walls[3]).force.y / (pressure * 0.2 * 0.1);
    }
    transfer_stage_close(&stage);
    return status;
}

static sherd_status measure_pool(const transfer_row *row, const transfer_run *run,
                                 double values[TRANSFER_FIGURES], sherd_error *error)
{
    (void)row;
    transfer_run fifth = *run;
    fifth.step *= 0.2;
    sherd_status status = lean(run, values, error);
    return status == SHERD_OK ? lean(&fifth, values + 2, error) : status;
}

// ---------------------------------------------------------------- cubes

typedef enum cube { CUBE_POINTS, CUBE_ELEMENTS, CUBE_FREE } cube;

// A cube of 8 cm, so dense as a whole, above 12 cm of water in a tank of 20 by 20 cm. Elements weigh less than their shape:
// `density` is theirs.
static sherd_status open_cube(transfer_stage *stage, cube kind, double density, double below,
                              const transfer_run *run, sherd_error *error)
{
    char body[512] = "", free_body[256] = "";
    if (kind == CUBE_FREE)
        snprintf(free_body, sizeof free_body,
                 "- {name: cube, box: [0.08, 0.08, 0.08], position: [0, 0, %.17g], friction: 0, "
                 "free: {density: %.17g}}\n",
                 below + 0.04, density);
    else
        snprintf(body, sizeof body,
                 "- name: cube\n"
                 "  shape: {box: [0.08, 0.08, 0.08]}\n"
                 "  packing: {%s}\n"
                 "  material: m\n"
                 "  position: [0, 0, %.17g]\n",
                 kind == CUBE_POINTS ? "points: {spacing: 0.01}" : "cubic: {radius: 0.01}",
                 below + 0.04);
    return transfer_stage_open(
        stage, run, error,
        "materials:\n" WATER "  m: {density: %.17g, youngs_modulus: 200 kPa, friction: 0, %s}\n"
        "bodies:\n"
        "%s"
        "- name: w\n"
        "  shape: {box: [0.2, 0.2, 0.12]}\n"
        "  packing: {points: {spacing: 0.01}}\n"
        "  material: water\n"
        "  position: [0, 0, 0.06]\n"
        "obstacles:\n"
        "%s"
        "- {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0}\n"
        "- {name: xp, plane: {point: [0.1, 0, 0], normal: [-1, 0, 0]}, friction: 0}\n"
        "- {name: xm, plane: {point: [-0.1, 0, 0], normal: [1, 0, 0]}, friction: 0}\n"
        "- {name: yp, plane: {point: [0, 0.1, 0], normal: [0, -1, 0]}, friction: 0}\n"
        "- {name: ym, plane: {point: [0, -0.1, 0], normal: [0, 1, 0]}, friction: 0}\n",
        density,
        kind == CUBE_ELEMENTS ? "unbreakable: true" : "poissons_ratio: 0.3, model: neo_hookean",
        body, free_body);
}

static sherd_status cube_density(cube kind, double wanted, const transfer_run *run, double *density,
                                 sherd_error *error)
{
    *density = wanted;
    if (kind != CUBE_ELEMENTS) return SHERD_OK;
    transfer_stage stage;
    sherd_status status = open_cube(&stage, kind, wanted, 0.14, run, error);
    if (status == SHERD_OK)
        *density *= wanted * 0.08 * 0.08 * 0.08 / transfer_stage_motion(&stage, 0).mass;
    transfer_stage_close(&stage);
    return status;
}

static double cube_below(const transfer_stage *stage, cube kind)
{
    double centre = kind == CUBE_FREE ? sherd_world_obstacle_pose(stage->world, 0).position.z
                                      : transfer_stage_motion(stage, 0).centre.z;
    return centre - 0.04;
}

// The mean height of its lower face over `looks` times between two, the last one's where it is one.
static sherd_status drop_cube(cube kind, double wanted, double from, double until, int looks,
                              const transfer_run *run, double *below, sherd_error *error)
{
    double density, sum = 0.0;
    sherd_status status = cube_density(kind, wanted, run, &density, error);
    if (status != SHERD_OK) return status;
    transfer_stage stage;
    status = open_cube(&stage, kind, density, 0.122, run, error);
    for (int look = 1; look <= looks && status == SHERD_OK; ++look) {
        status = transfer_stage_go(&stage, from + (until - from) * look / looks, error);
        if (status == SHERD_OK) sum += cube_below(&stage, kind);
    }
    transfer_stage_close(&stage);
    *below = sum / looks;
    return status;
}

// It floats with half of it below the level, which rises by what it displaces.
static sherd_status measure_draught(const transfer_row *row, const transfer_run *run,
                                    double values[TRANSFER_FIGURES], sherd_error *error)
{
    (void)row;
    const double cell = 0.02 * run->spacing, level = 0.12 + 0.08 * 0.08 * 0.04 / (0.2 * 0.2);
    for (int kind = CUBE_POINTS; kind <= CUBE_FREE; ++kind) {
        double below;
        sherd_status status = drop_cube((cube)kind, 500.0, 1.0, 1.5, 25, run, &below, error);
        if (status != SHERD_OK) return status;
        values[kind] = (level - below - 0.04) / cell;
    }
    return SHERD_OK;
}

static sherd_status measure_sinking(const transfer_row *row, const transfer_run *run,
                                    double values[TRANSFER_FIGURES], sherd_error *error)
{
    (void)row;
    for (int kind = CUBE_POINTS; kind <= CUBE_FREE; ++kind) {
        double below;
        sherd_status status = drop_cube((cube)kind, 1500.0, 0.0, 0.5, 1, run, &below, error);
        if (status != SHERD_OK) return status;
        values[kind] = below / (0.02 * run->spacing);
    }
    return SHERD_OK;
}

// ---------------------------------------------------------------- rows

static const dam DAM = {0.04, 0.0}, DAM_SHIFTED = {0.05, 0.007};

// J. C. Martin and W. J. Moyce, Phil. Trans. R. Soc. A 244 (1952); as experiments differ from each other.
#define BROKEN                                                                                     \
    {                                                                                              \
        {"front over width at t (2 g / a)^1/2 = 2.8", "", 3.4, 3.128, 3.672},                      \
        {                                                                                          \
            "at 3.5", "", 4.35, 4.002, 4.698                                                       \
        }                                                                                          \
    }
#define RANGE_LEAN 1.0, 0.97, 1.03

static const transfer_row ROWS[] = {
    {"dam", "column of water of 16 x 32 cm breaks", BROKEN, measure_dam, &DAM},
    {"dam-shifted", "floor and wall 0.35 of a cell beside nodes, a slice of 2.5 cells", BROKEN,
     measure_dam, &DAM_SHIFTED},
    {"pool",
     "water of 20 x 10 x 10 cm: forces on its walls over those of hydrostatic pressure",
     {{"on those 10 cm wide", "", RANGE_LEAN},
      {"on those 20 cm wide", "", RANGE_LEAN},
      {"on those 10 cm wide, a fifth of the step", "", RANGE_LEAN},
      {"on those 20 cm wide, a fifth of the step", "", RANGE_LEAN}},
     measure_pool,
     NULL},
    {"float",
     "cube of 8 cm, 500 kg/m3, in 12 cm of water: draught less 4 cm",
     {{"of points", "cells", 0.0, -0.15, 0.15},
      {"of elements", "cells", 0.0, -0.15, 0.15},
      {"free rigid", "cells", 0.0, -0.15, 0.15}},
     measure_draught,
     NULL},
    {"sink",
     "cube of 1500 kg/m3: its lower face above the floor after 0.5 s",
     {{"of points", "cells", 0.0, -0.5, 0.5},
      {"of elements", "cells", 0.0, -0.5, 0.5},
      {"free rigid", "cells", 0.0, -0.5, 0.5}},
     measure_sinking,
     NULL},
};

const transfer_group TRANSFER_ROWS_FLUID = TRANSFER_GROUP(ROWS);
