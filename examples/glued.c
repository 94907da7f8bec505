// Lesson 7: fracture of material points. A block of clay falls onto the floor. It consists of Voronoi
// cells of a given size that are glued together: cells deform but do not break, glue does. We print
// how much of the glue breaks, and how many fragments are left.
//
//     cc glued.c $(pkg-config --cflags --libs sherd) -o glued
#include <sherd/packing.h>
#include <sherd/world.h>

#include <stdio.h>
#include <stdlib.h>

static const double SPACING = 6e-3; // of the points' lattice [m]

static void stop(const sherd_error *error)
{
    fprintf(stderr, "%s: %s\n%s\n", error->where, error->what, error->hint);
    exit(1);
}

static sherd_material_id add_clay(sherd_world *world)
{
    sherd_material_def clay = sherd_material_def_default();
    clay.model = SHERD_SOLID_MODEL_NEO_HOOKEAN;
    clay.density = 1500;        // [kg/m^3]
    clay.youngs_modulus = 2e6;  // [Pa]
    clay.shear_modulus = 0.8e6; // [Pa]
    sherd_error error;
    sherd_material_id material = sherd_world_add_material(world, &clay, &error);
    if (material.index1 == 0) stop(&error);
    return material;
}

// The pattern of walls along which the block may part.
static sherd_weakness *make_walls(void)
{
    sherd_weakness_def def = sherd_weakness_def_default();
    def.kind = SHERD_WEAKNESS_VORONOI;
    def.size = 0.03; // of a cell [m]
    def.seed = 7;
    sherd_error error;
    sherd_weakness *walls = sherd_weakness_create(&def, &error);
    if (walls == NULL) stop(&error);
    return walls;
}

static void add_block(sherd_world *world, sherd_material_id material)
{
    sherd_error error;
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.08, 0.06, 0.06}, &error); // [m]
    if (box == NULL) stop(&error);
    sherd_packing_def lattice = sherd_packing_def_default();
    lattice.kind = SHERD_PACKING_POINTS;
    lattice.spacing = SPACING;
    sherd_packing *packing = sherd_packing_create(box, &lattice, &error);
    if (packing == NULL) stop(&error);

    sherd_weakness *walls = make_walls();
    sherd_fracture_def glue = sherd_fracture_def_default();
    glue.wall_count = 1;
    glue.walls = (const sherd_weakness *const[]){walls};
    glue.tensile_strength = 3.5e4; // [Pa]
    glue.shear_strength = 5e4;     // [Pa]

    sherd_body_def body = sherd_body_def_default();
    body.count = packing->count;
    body.x = packing->x, body.y = packing->y, body.z = packing->z;
    body.radius = packing->radius;
    body.volume = packing->volume;
    body.point_spacing = SPACING;
    body.shape = box;
    body.fracture = &glue;
    body.material = material;
    body.bonding = SHERD_BONDING_NONE;
    body.pose.position.z = 0.05;
    body.velocity.z = -4.0; // [m/s]
    if (sherd_world_add_body(world, &body, &error).index1 == 0) stop(&error);
    sherd_weakness_destroy(walls); // the world has its own copies
    sherd_packing_destroy(packing);
    sherd_shape_destroy(box);
}

// Fragments are counted by their first elements.
static int count_fragments(const sherd_world *world)
{
    sherd_element_index count = sherd_world_elements(world).count;
    sherd_element_index *first = malloc((size_t)count * sizeof *first);
    if (first == NULL) abort();
    sherd_world_components(world, first);
    int fragments = 0;
    for (sherd_element_index k = 0; k < count; ++k)
        fragments += first[k] == k;
    free(first);
    return fragments;
}

int main(void)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    sherd_world *world = sherd_world_create(&def, &error);
    if (world == NULL) stop(&error);
    sherd_obstacle_def floor_def = sherd_obstacle_def_default();
    floor_def.is_plane = true; // z = 0
    if (sherd_world_add_obstacle(world, &floor_def, &error).index1 == 0) stop(&error);
    add_block(world, add_clay(world));

    printf("time_ms  glue_broken_percent\n");
    for (int frame = 1; frame <= 8; ++frame) {
        if (sherd_world_advance(world, 5e-3 * frame, &error) != SHERD_OK) stop(&error);
        sherd_body_glue glue = sherd_world_body_glue(world, 0);
        printf("%7.1f %20.1f\n", 1e3 * sherd_world_time(world),
               100.0 * (double)glue.broken / (double)glue.count);
    }
    printf("%d cells, %d fragments\n", (int)sherd_world_body_glue(world, 0).pieces,
           count_fragments(world));
    sherd_world_destroy(world);
    return 0;
}
