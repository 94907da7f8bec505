// Lesson 10: calibration. Bonds of a packing have other moduli and strengths than the solid that they
// make. We ask for the solid's, find the bonds, and pull a body of them in a world by a small strain,
// to see that it has the Young's modulus that was asked for.
//
//     cc calibrated.c $(pkg-config --cflags --libs sherd) -lm -o calibrated
//     ./calibrated
#include <sherd/calibrate.h>
#include <sherd/world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const sherd_vec3 SIZE = {0.06, 0.012, 0.012}; // of the bar [m]
static const double MODULUS = 1e9, GRIP = 0.008;     // of the solid [Pa], length of a grip [m]

static void stop(const sherd_error *error)
{
    fprintf(stderr, "%s: %s\n%s\n", error->where, error->what, error->hint);
    exit(1);
}

// The material of bonds that make this packing a solid of the modulus and strength asked for.
static sherd_material_def find_bonds(const sherd_packing_def *packing_def,
                                     const sherd_packing *packing)
{
    sherd_calibration_def task = sherd_calibration_def_default();
    task.packing = *packing_def;
    task.youngs_modulus = MODULUS;
    task.poissons_ratio = 0.2;
    task.tensile_strength = 5e6; // [Pa]
    task.cache_folder = "";      // find them anew
    sherd_calibration result;
    sherd_error error;
    if (sherd_calibrate(&task, &result, &error) != SHERD_OK) stop(&error);
    sherd_material_def bonds = sherd_material_def_default();
    bonds.bond_damping = 0.2;
    sherd_calibration_apply(&result, packing, &bonds);
    printf("bonds: E %.3g Pa, G %.3g Pa, tensile strength %.3g Pa\n", bonds.youngs_modulus,
           bonds.shear_modulus, bonds.tensile_strength);
    return bonds;
}

static void add_bar(sherd_world *world)
{
    sherd_error error;
    sherd_shape *box = sherd_shape_box(SIZE, &error);
    if (box == NULL) stop(&error);
    sherd_packing_def packing_def = sherd_packing_def_default();
    packing_def.radius = 1e-3; // [m]
    sherd_packing *packing = sherd_packing_create(box, &packing_def, &error);
    if (packing == NULL) stop(&error);
    sherd_material_def bonds = find_bonds(&packing_def, packing);
    sherd_body_def body = sherd_body_def_default();
    body.count = packing->count;
    body.x = packing->x, body.y = packing->y, body.z = packing->z;
    body.radius = packing->radius;
    body.solid_fraction = packing->solid_fraction;
    body.material = sherd_world_add_material(world, &bonds, &error);
    if (body.material.index1 == 0) stop(&error);
    if (sherd_world_add_body(world, &body, &error).index1 == 0) stop(&error);
    sherd_packing_destroy(packing);
    sherd_shape_destroy(box);
}

// Holds a slice of the bar at `x`, of this length, or only measures it.
static sherd_driver_id add_slice(sherd_world *world, double x, double length, sherd_drive drive,
                                 double speed)
{
    sherd_error error;
    sherd_shape *slice = sherd_shape_box((sherd_vec3){length, 0.02, 0.02}, &error);
    if (slice == NULL) stop(&error);
    sherd_driver_def def = sherd_driver_def_default();
    def.region.shape = slice;
    def.region.pose.position.x = x;
    def.drive = drive;
    def.motion.velocity.x = speed;
    sherd_driver_id id = sherd_world_add_driver(world, &def, &error);
    if (id.index1 == 0) stop(&error);
    sherd_shape_destroy(slice);
    return id;
}

int main(void)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){0.0, 0.0, 0.0};
    sherd_world *world = sherd_world_create(&def, &error);
    if (world == NULL) stop(&error);
    add_bar(world);
    const double speed = 0.01, gauge = 0.02; // [m/s], [m]
    add_slice(world, -0.5 * SIZE.x, 2.0 * GRIP, SHERD_DRIVE_MOTION, -speed);
    sherd_driver_id grip = add_slice(world, 0.5 * SIZE.x, 2.0 * GRIP, SHERD_DRIVE_MOTION, speed);
    sherd_driver_id left = add_slice(world, -0.5 * gauge, 0.004, SHERD_DRIVE_NONE, 0.0),
                    right = add_slice(world, 0.5 * gauge, 0.004, SHERD_DRIVE_NONE, 0.0);

    if (sherd_world_step(world, 1600, &error) != SHERD_OK) stop(&error);
    // Force as a mean over the next steps, at their middle; strain between the two slices then.
    sherd_world_reset_probes(world);
    double before = sherd_world_probe_driver(world, right).displacement.x -
                    sherd_world_probe_driver(world, left).displacement.x;
    if (sherd_world_step(world, 800, &error) != SHERD_OK) stop(&error);
    double after = sherd_world_probe_driver(world, right).displacement.x -
                   sherd_world_probe_driver(world, left).displacement.x;
    double stress = -sherd_world_probe_driver(world, grip).force.x / (SIZE.y * SIZE.z);
    double strain = 0.5 * (before + after) / gauge;
    printf("modulus of the bar %.3g Pa: %.0f %% of what was asked for\n", stress / strain,
           100.0 * stress / strain / MODULUS);
    sherd_world_destroy(world);
    return 0;
}
