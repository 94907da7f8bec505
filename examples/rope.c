// Lesson 8: yarns, drivers and a choice of laws. A rope of three strands is clamped at one end and
// twisted by a driver at the other; we print the torque over the angle. Laws of bonds that derive
// from an energy are stepped implicitly, in few long steps; the others explicitly.
//
//     cc rope.c $(pkg-config --cflags --libs sherd) -o rope
//     ./rope              the default law
//     ./rope lu           a law by name
#include <sherd/world.h>
#include <sherd/yarn.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LENGTH = 0.06, RADIUS = 5e-3; // [m]

static void stop(const sherd_error *error)
{
    fprintf(stderr, "%s: %s\n%s\n", error->where, error->what, error->hint);
    exit(1);
}

static sherd_bond_law find_law(const char *word)
{
    for (int law = 0; law < SHERD_BOND_LAW_COUNT; ++law)
        if (strcmp(sherd_bond_law_describe((sherd_bond_law)law)->word, word) == 0)
            return (sherd_bond_law)law;
    fprintf(stderr, "there is no law %s\n", word);
    exit(2);
}

static sherd_material_id add_hemp(sherd_world *world, sherd_bond_law law)
{
    sherd_material_def hemp = sherd_material_def_default();
    hemp.law = law;
    hemp.density = 900;        // [kg/m^3]
    hemp.youngs_modulus = 5e6; // [Pa]
    hemp.shear_modulus = 2e6;  // [Pa]
    hemp.friction = 0.4;
    hemp.bond_damping = 0.1;
    sherd_error error;
    sherd_material_id material = sherd_world_add_material(world, &hemp, &error);
    if (material.index1 == 0) stop(&error);
    return material;
}

static sherd_body_id add_rope(sherd_world *world, sherd_material_id material)
{
    sherd_yarn_def def = sherd_yarn_def_default();
    def.kind = SHERD_YARN_ROPE;
    def.rope.radius = RADIUS;
    def.rope.length = LENGTH; // along z
    def.rope.strands = 3;
    def.glue = SHERD_YARN_GLUE_EDGES; // whipped ends
    sherd_error error;
    sherd_packing *yarns = sherd_yarn_create(&def, &error);
    if (yarns == NULL) stop(&error);

    sherd_body_def body = sherd_body_def_default();
    body.count = yarns->count;
    body.x = yarns->x, body.y = yarns->y, body.z = yarns->z;
    body.radius = yarns->radius;
    body.volume = yarns->volume;
    body.bonding = SHERD_BONDING_LIST; // the yarns' own bonds
    body.bond_count = yarns->bond_count;
    body.bond_i = yarns->bond_i, body.bond_j = yarns->bond_j;
    body.bond_section = yarns->bond_section;
    body.bond_factor = yarns->bond_factor;
    body.material = material;
    sherd_body_id id = sherd_world_add_body(world, &body, &error);
    if (id.index1 == 0) stop(&error);
    sherd_packing_destroy(yarns); // the world has its own copy
    return id;
}

// Holds the elements of one end and turns them about z at a constant speed [rad/s].
static sherd_driver_id hold_end(sherd_world *world, sherd_body_id rope, double z, double speed)
{
    sherd_error error;
    sherd_shape *clamp = sherd_shape_box((sherd_vec3){0.02, 0.02, 0.012}, &error); // [m]
    if (clamp == NULL) stop(&error);
    sherd_driver_def def = sherd_driver_def_default();
    def.drive = SHERD_DRIVE_MOTION;
    def.region.body = rope;
    def.region.shape = clamp;
    def.region.pose.position.z = z;
    def.motion.pivot.z = z;
    def.motion.angular_velocity.z = speed;
    sherd_driver_id id = sherd_world_add_driver(world, &def, &error);
    if (id.index1 == 0) stop(&error);
    sherd_shape_destroy(clamp); // only needed to choose the elements
    return id;
}

int main(int argc, char **argv)
{
    sherd_bond_law law = argc > 1 ? find_law(argv[1]) : sherd_material_def_default().law;
    const sherd_bond_law_info *info = sherd_bond_law_describe(law);
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){0.0, 0.0, 0.0};
    def.method = info->has_energy ? SHERD_METHOD_IMPLICIT : SHERD_METHOD_EXPLICIT;
    printf("law %s (%s), %s steps\n", info->word, info->doc,
           sherd_method_describe(def.method).word);
    sherd_error error;
    sherd_world *world = sherd_world_create(&def, &error);
    if (world == NULL) stop(&error);
    sherd_body_id rope = add_rope(world, add_hemp(world, law));
    const double speed = 60.0; // [rad/s]
    hold_end(world, rope, -0.5 * LENGTH, 0.0);
    sherd_driver_id turned = hold_end(world, rope, 0.5 * LENGTH, speed);

    printf("angle_rad  torque_n_mm\n");
    for (int frame = 1; frame <= 10; ++frame) {
        sherd_world_reset_probes(world); // readings are means since here
        if (sherd_world_advance(world, 1e-3 * frame, &error) != SHERD_OK) stop(&error);
        sherd_probe_reading reading = sherd_world_probe_driver(world, turned);
        printf("%9.3f %12.4f\n", reading.rotation.z, -1e3 * reading.torque.z);
    }
    printf("%d steps\n", (int)sherd_world_step_count(world));
    sherd_world_destroy(world);
    return 0;
}
