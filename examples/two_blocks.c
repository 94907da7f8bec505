// Lesson 1: a world without any file. One small block falls onto another; we print where the energy
// is, and count the fragments at the end.
//
//     cc two_blocks.c $(pkg-config --cflags --libs sherd) -o two_blocks
#include <sherd/fragments.h>
#include <sherd/packing.h>
#include <sherd/world.h>

#include <stdio.h>
#include <stdlib.h>

// Errors are values: say them and stop.
static void stop(const sherd_error *error)
{
    fprintf(stderr, "%s: %s\n%s\n", error->where, error->what, error->hint);
    exit(1);
}

// A box filled with elements 2 mm wide, at height z, moving down with `speed`.
static void add_block(sherd_world *world, sherd_material_id material, double z, double speed)
{
    sherd_error error;
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.03, 0.03, 0.012}, &error); // [m]
    if (box == NULL) stop(&error);
    sherd_packing_def packing_def = sherd_packing_def_default();
    packing_def.radius = 1e-3; // [m]
    sherd_packing *packing = sherd_packing_create(box, &packing_def, &error);
    if (packing == NULL) stop(&error);

    sherd_body_def body = sherd_body_def_default();
    body.count = packing->count;
    body.x = packing->x, body.y = packing->y, body.z = packing->z;
    body.radius = packing->radius;
    body.material = material;
    body.pose.position.z = z;
    body.velocity.z = -speed; // [m/s]
    if (sherd_world_add_body(world, &body, &error).index1 == 0) stop(&error);
    sherd_packing_destroy(packing); // the world has its own copy
    sherd_shape_destroy(box);
}

static int count_fragments(const sherd_world *world)
{
    sherd_error error;
    sherd_element_view e = sherd_world_elements(world);
    sherd_bond_view b = sherd_world_bonds(world);
    double *mass = malloc((size_t)e.count * sizeof *mass);
    double *radius = malloc((size_t)e.count * sizeof *radius);
    if (mass == NULL || radius == NULL) abort();
    for (sherd_element_index k = 0; k < e.count; ++k) {
        sherd_element_info info = sherd_world_element(world, k);
        mass[k] = info.mass, radius[k] = info.radius;
    }
    sherd_fragment_input input = {.element_count = e.count,
                                  .mass = mass,
                                  .radius = radius,
                                  .bond_count = b.count,
                                  .bond_i = b.i,
                                  .bond_j = b.j,
                                  .bond_broken = b.broken};
    sherd_fragments *fragments = sherd_fragments_create(&error);
    if (fragments == NULL || sherd_fragments_update(fragments, &input, &error) != SHERD_OK)
        stop(&error);
    int count = sherd_fragments_view(fragments).count;
    sherd_fragments_destroy(fragments);
    free(mass);
    free(radius);
    return count;
}

int main(void)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default(); // gravity, all threads, automatic time step
    sherd_world *world = sherd_world_create(&def, &error);
    if (world == NULL) stop(&error);

    sherd_material_def plaster = sherd_material_def_default();
    plaster.youngs_modulus = 1e8;   // [Pa]
    plaster.shear_modulus = 4e7;    // [Pa]
    plaster.tensile_strength = 6e5; // [Pa]
    plaster.shear_strength = 8e5;   // [Pa]
    plaster.weibull_modulus = 8;    // scatter of strengths
    sherd_material_id material = sherd_world_add_material(world, &plaster, &error);
    if (material.index1 == 0) stop(&error);

    sherd_obstacle_def floor_def = sherd_obstacle_def_default();
    floor_def.is_plane = true; // z = 0
    if (sherd_world_add_obstacle(world, &floor_def, &error).index1 == 0) stop(&error);
    add_block(world, material, 0.0061, 0.0); // lies on the floor
    add_block(world, material, 0.0190, 6.0); // comes down on it

    printf("  time_ms  kinetic_j  elastic_j  broken\n");
    for (int frame = 0; frame <= 10; ++frame) {
        sherd_energy energy = sherd_world_energy(world);
        printf("%9.3f %10.4f %10.4f %7lld\n", 1e3 * sherd_world_time(world), energy.kinetic,
               energy.elastic, (long long)sherd_world_bonds(world).broken_count);
        if (sherd_world_step(world, 150, &error) != SHERD_OK) stop(&error);
    }
    sherd_energy energy = sherd_world_energy(world);
    printf("fragments %d\nenergy balance error %.4f %%\n", count_fragments(world),
           100.0 * energy.balance_error);
    sherd_world_destroy(world);
    return 0;
}
