// Steps of worlds: explicit, implicit, contact and material points.
#include "bench/benchmarks.h"
#include "bench/threads/thread_jobs.h"

#include <sherd/scene.h>
#include <sherd/world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A plate of 60K elements that turns, strong enough not to break: the breakage test runs on every bond.
#define PLATE(precision, law)                                                                      \
    "sherd: 1\nname: plate\nduration: 1 s\n"                                                       \
    "solver: {method: explicit, precision: " precision ", sleep: false}\n"                         \
    "materials:\n  solid: {density: 2600, youngs_modulus: 1 GPa, poissons_ratio: 0.25, "           \
    "tensile_strength: 1000 GPa, shear_strength: 1000 GPa, bond_law: " law "}\n"                   \
    "bodies:\n  - {name: plate, shape: {box: [228 mm, 228 mm, 7 mm]}, material: solid,\n"          \
    "     packing: {hcp: {radius: 1 mm}}, angular_velocity: [1, 2, 3]}\n"

// A bar, held at one end, that sags.
static const char BAR[] =
    "sherd: 1\nname: bar\nduration: 1 s\nsolver: {method: implicit}\n"
    "materials:\n  rubber: {density: 2600, youngs_modulus: 100 MPa, shear_modulus: 40 MPa, "
    "unbreakable: true}\n"
    "bodies:\n  - {name: bar, shape: {box: [600 mm, 100 mm, 100 mm]}, material: rubber,\n"
    "     packing: {hcp: {radius: 3.9 mm}}}\n"
    "drivers:\n  - {name: clamp, body: bar, hold: true,\n"
    "     region: {box: [40 mm, 200 mm, 200 mm], position: [-300 mm, 0, 0]}}\n";

// 64,000 material points that fall on a floor.
static const char CUBE[] =
    "sherd: 1\nname: cube\nduration: 1 s\n"
    "materials:\n  jelly: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, "
    "model: neo_hookean, friction: 0.3}\n"
    "bodies:\n  - {name: cube, shape: {box: [40 cm, 40 cm, 40 cm]}, material: jelly,\n"
    "     packing: {points: {spacing: 1 cm}}, position: [0, 0, 20.5 cm], velocity: [0, 0, -2]}\n"
    "obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n";

typedef struct step_job {
    sherd_world *world;
    sherd_scene *scene;
    sherd_scene_build build;
    int64_t steps;    // of a repetition; 0: the method chooses steps, which reach a time
    double time, lap; // reached, and of a repetition [s]
} step_job;

typedef struct scene_row {
    const char *name, *text;
    int64_t before, steps; // steps before the first repetition, and of each
    double lap;            // where the method chooses steps [s]
} scene_row;

static const scene_row SCENES[] = {
    {"explicit-mixed", PLATE("mixed", "quaternion"), 40, 400, 0.0},
    {"explicit-double", PLATE("double", "quaternion"), 40, 240, 0.0},
    {"explicit-rods", PLATE("mixed", "rod"), 40, 400, 0.0},
    {"implicit", BAR, 0, 0, 40e-3},
    {"points", CUBE, 0, 0, 20e-3},
};

static void destroy_steps(void *self)
{
    step_job *j = self;
    sherd_world_destroy(j->world);
    sherd_scene_build_free(&j->build);
    sherd_scene_destroy(j->scene);
    free(j);
}

static sherd_status work_steps(void *self, sherd_error *error)
{
    step_job *j = self;
    if (j->steps > 0) return sherd_world_step(j->world, j->steps, error);
    j->time += j->lap;
    return sherd_world_advance(j->world, j->time, error);
}

static sherd_status fail(sherd_error *error, const char *name, const char *what)
{
    *error = (sherd_error){.status = SHERD_ERROR_MEMORY};
    snprintf(error->where, sizeof error->where, "%s", name);
    snprintf(error->what, sizeof error->what, "%s", what);
    return error->status;
}

static sherd_status read_scene(step_job *j, const scene_row *row, int threads, sherd_error *error)
{
    sherd_diagnostics diagnostics = {0};
    j->scene = sherd_scene_parse(row->text, strlen(row->text), row->name, NULL, &diagnostics);
    if (j->scene == NULL) fail(error, row->name, diagnostics.errors[0].what);
    sherd_diagnostics_free(&diagnostics);
    if (j->scene == NULL) return error->status;
    j->world = sherd_scene_create_world(j->scene, threads, &j->build, error);
    if (j->world == NULL) return error->status;
    j->steps = row->steps, j->lap = row->lap;
    sherd_status status =
        row->before > 0 ? sherd_world_step(j->world, row->before, error) : SHERD_OK;
    return status == SHERD_OK ? work_steps(j, error)
                              : status; // the first makes what later ones find
}

static void *finish(step_job *j, sherd_status status)
{
    if (status == SHERD_OK) return j;
    destroy_steps(j);
    return NULL;
}

static void *create_scene(const char *name, int threads, sherd_error *error)
{
    step_job *j = calloc(1, sizeof *j);
    const scene_row *row = SCENES;
    while (strcmp(row->name, name) != 0)
        ++row;
    if (j == NULL) return fail(error, name, "not enough memory"), NULL;
    return finish(j, read_scene(j, row, threads, error));
}

// ---------------------------------------------------------------- contact

static const double GRAVITY = 1000.0; // of the earth's: settles within some hundred steps
enum { GRAINS = 40000, SIDE = 9 /* bodies */, BODIES = SIDE * SIDE * SIDE };

static sherd_material_def soft(void)
{
    sherd_material_def material = sherd_material_def_default();
    material.youngs_modulus = 1e8, material.shear_modulus = 4e7;
    material.tensile_strength = material.shear_strength = 1e12;
    return material;
}

static bool add_grains(sherd_world *world, double edge, int threads, sherd_error *error)
{
    sherd_packing *packing =
        bench_pack(sherd_shape_box((sherd_vec3){edge, edge, edge}, error), 0.02, threads, error);
    if (packing == NULL) return false;
    for (int k = 0; k < packing->count; ++k)
        packing->radius[k] *= 0.97; // no overlaps to begin with
    sherd_material_def material = soft();
    sherd_body_def body = sherd_body_def_default();
    body.bonding = SHERD_BONDING_NONE;
    return bench_add_body(world, packing, &material, body, error);
}

// Bricks of some sixty elements, each turned otherwise, so that they tumble.
static bool add_bricks(sherd_world *world, double pitch, int threads, sherd_error *error)
{
    const sherd_vec3 size = {10.0 * BENCH_RADIUS, 8.0 * BENCH_RADIUS, 6.0 * BENCH_RADIUS};
    sherd_packing *packing = bench_pack(sherd_shape_box(size, error), 0.0, threads, error);
    if (packing == NULL) return false;
    sherd_material_def material = soft();
    sherd_body_def body = sherd_body_def_default();
    body.count = packing->count;
    body.x = packing->x, body.y = packing->y, body.z = packing->z, body.radius = packing->radius;
    body.material = sherd_world_add_material(world, &material, error);
    bool added = body.material.index1 != 0;
    for (int k = 0; k < BODIES && added; ++k) {
        double angle = 2.39996322972865 * k, middle = 0.5 * (SIDE - 1); // golden
        body.pose.position =
            (sherd_vec3){(k % SIDE - middle) * pitch, (k / SIDE % SIDE - middle) * pitch,
                         (k / (SIDE * SIDE) - middle) * pitch};
        body.pose.rotation =
            (sherd_quat){sin(0.5 * angle) * 0.6, sin(0.5 * angle) * 0.8, 0.0, cos(0.5 * angle)};
        added = sherd_world_add_body(world, &body, error).index1 != 0;
    }
    sherd_packing_destroy(packing);
    return added;
}

static sherd_status settle(step_job *j, bool grains, int threads, sherd_error *error)
{
    double pitch = 15.0 * BENCH_RADIUS; // a brick's diagonal is 14.1
    double edge = grains ? cbrt(GRAINS * 4.0 * sqrt(2.0)) * BENCH_RADIUS : SIDE * pitch;
    sherd_world_def def = sherd_world_def_default();
    def.sleep = false; // what is measured is the work of elements that are awake
    def.threads = threads;
    def.gravity.z *= GRAVITY;
    j->world = sherd_world_create(&def, error);
    bool ready = j->world != NULL &&
                 (grains ? add_grains(j->world, edge, threads, error)
                         : add_bricks(j->world, pitch, threads, error)) &&
                 bench_add_walls(j->world, edge, error);
    j->steps = grains ? 60 : 40;
    return ready ? sherd_world_step(j->world, grains ? 400 : 1200, error) : error->status;
}

static void *create_pile(const char *name, int threads, sherd_error *error)
{
    step_job *j = calloc(1, sizeof *j);
    if (j == NULL) return fail(error, name, "not enough memory"), NULL;
    return finish(j, settle(j, strcmp(name, "grains") == 0, threads, error));
}

// ---------------------------------------------------------------- table

const thread_job STEP_JOBS[] = {
    {"explicit-mixed", create_scene, work_steps, destroy_steps},
    {"explicit-double", create_scene, work_steps, destroy_steps},
    {"explicit-rods", create_scene, work_steps, destroy_steps},
    {"implicit", create_scene, work_steps, destroy_steps},
    {"bodies", create_pile, work_steps, destroy_steps},
    {"grains", create_pile, work_steps, destroy_steps},
    {"points", create_scene, work_steps, destroy_steps},
};
const int STEP_JOB_COUNT = sizeof STEP_JOBS / sizeof STEP_JOBS[0];
