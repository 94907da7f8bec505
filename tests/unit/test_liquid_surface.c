// output: the surface of a fluid of points.
#include "output/pictures/liquid_surface.h"

#include "math/vec3.h"

#include <sherd/mesh.h>

#include <criterion/criterion.h>

enum { SIDE = 10, COUNT = SIDE * SIDE * SIDE + 1 };

static const double SPACING = 0.01;

// A cube of points that flew off as one from where it was, and a drop apart from it.
typedef struct pool {
    double x[COUNT], y[COUNT], z[COUNT], vx[COUNT], vy[COUNT], vz[COUNT], radius[COUNT];
    sherd_scene_material material;
    sherd_scene_body body;
    sherd_body_info info;
} pool;

static void fill(pool *p, sherd_solid_model model)
{
    for (int k = 0; k < COUNT; ++k) {
        p->x[k] = 3.0 + SPACING * (k % SIDE), p->y[k] = SPACING * (k / SIDE % SIDE);
        p->z[k] = SPACING * (k / (SIDE * SIDE));
        p->vx[k] = 1.0, p->vy[k] = -2.0, p->vz[k] = 0.5;
        p->radius[k] = 0.5 * SPACING;
    }
    p->z[COUNT - 1] += 5.0 * SPACING;
    p->material = (sherd_scene_material){.def.model = model};
    double edge = SIDE * SPACING;
    p->body = (sherd_scene_body){.packing = {.kind = SHERD_PACKING_POINTS},
                                 .shape = sherd_shape_box((sherd_vec3){edge, edge, edge}, NULL),
                                 .loose = true};
    p->info = (sherd_body_info){.first = 0, .count = COUNT};
}

static sherd_scene scene_of(pool *p)
{
    return (sherd_scene){
        .material_count = 1, .materials = &p->material, .body_count = 1, .bodies = &p->body};
}

Test(liquid_surface, is_closed_around_the_points_where_they_are)
{
    static pool p;
    fill(&p, SHERD_SOLID_MODEL_FLUID);
    sherd_scene scene = scene_of(&p);
    const sherd_run_model model = {
        .element_count = COUNT, .radius = p.radius, .body_count = 1, .bodies = &p.info};
    const sherd_run_frame frame = {
        .x = p.x, .y = p.y, .z = p.z, .vx = p.vx, .vy = p.vy, .vz = p.vz};
    const double open = 0.25;
    sherd_liquid_surface liquid;
    sherd_error error = {0};
    cr_assert(sherd_is_liquid(&scene, 0));
    cr_assert_eq(sherd_liquid_surface_make(&liquid, &scene, &model, &frame, 0, open, 1, &error),
                 SHERD_OK, "%s", error.what);
    const sherd_mesh *mesh = liquid.piece.mesh;
    cr_assert(mesh != NULL);
    // The level is looked for within a cell, half a spacing, of faces 20 cells wide.
    double volume = sherd_mesh_volume(mesh) / sherd_shape_volume(p.body.shape);
    cr_assert(volume > 0.97 && volume < 1.03, "%g of the volume", volume);
    double highest = 0.0;
    for (size_t v = 0; v < (size_t)mesh->vertex_count; ++v) {
        const double *x = mesh->vertices + 3 * v, *u = liquid.motions + 3 * v;
        cr_assert(x[0] > 3.0 - SPACING && x[0] < 3.0 + SIDE * SPACING);
        highest = fmax(highest, x[2]);
        // All go the same way; weights are floats that sum to 1.
        cr_assert(fabs(u[0] - open) < 1e-6 && fabs(u[1] + 2.0 * open) < 1e-6 &&
                  fabs(u[2] - 0.5 * open) < 1e-6);
    }
    cr_assert(highest > p.z[COUNT - 1], "the drop is lost");
    sherd_liquid_surface_free(&liquid);
    sherd_shape_destroy((sherd_shape *)p.body.shape);
}

Test(liquid_surface, is_of_snow_and_fluids_alone)
{
    static pool p;
    const sherd_solid_model models[] = {SHERD_SOLID_MODEL_SNOW, SHERD_SOLID_MODEL_SAND,
                                        SHERD_SOLID_MODEL_NEO_HOOKEAN};
    for (int k = 0; k < 3; ++k) {
        fill(&p, models[k]);
        sherd_scene scene = scene_of(&p);
        cr_assert_eq(sherd_is_liquid(&scene, 0), k == 0);
        sherd_shape_destroy((sherd_shape *)p.body.shape);
    }
}
