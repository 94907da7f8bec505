// Bodies of material points in a world.
#include "base/error.h"
#include "stepping/system_models.h"
#include "world/world.h"

double sherd_world_point_spacing(const sherd_world *world)
{
    double spacing = 0.0;
    for (int k = 0; k < world->body_count; ++k)
        spacing = fmax(spacing, world->bodies[k].spacing);
    return spacing;
}

// What is not possible beside material points.
static sherd_status check_others(const sherd_world *world, sherd_error *error)
{
    for (int k = 0; k < world->body_count; ++k)
        if (world->bodies[k].spacing == 0.0)
            return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, world->bodies[k].name,
                              "make all bodies of points, or none",
                              "is of elements, beside bodies of material points: that is not "
                              "possible yet");
    for (int k = 0; k < world->obstacle_count; ++k)
        if (world->pending_obstacles[k].kind == SHERD_OBSTACLE_FREE)
            return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, world->pending_obstacles[k].name,
                              "make it a body of points, or fixed, or give it a motion",
                              "is a free rigid body, beside material points: that is not possible "
                              "yet");
    return SHERD_OK;
}

static sherd_mpm_def definition_of(const sherd_world *world, double spacing)
{
    sherd_mpm_def def = sherd_mpm_def_default();
    def.spacing = 2.0 * spacing;
    def.kernel =
        world->def.point_kernel == SHERD_POINT_KERNEL_CUBIC ? SHERD_MPM_CUBIC : SHERD_MPM_QUADRATIC;
    def.affine = world->def.point_transfer == SHERD_POINT_TRANSFER_APIC;
    def.flip = world->def.flip;
    def.gravity = world->def.gravity;
    def.parallel = world->system.parallel;
    return def;
}

sherd_status sherd_world_make_points(sherd_world *world, sherd_error *error)
{
    double spacing = sherd_world_point_spacing(world);
    if (!(spacing > 0.0)) return SHERD_OK;
    sherd_status status = check_others(world, error);
    if (status != SHERD_OK) return status;
    sherd_mpm_def def = definition_of(world, spacing);
    sherd_point_bodies *bodies = sherd_point_bodies_create(&def, world->body_count);
    world->system.points = bodies;
    if (bodies == NULL) return sherd_fail_memory(error, "material points");
    for (int k = 0; k < world->body_count; ++k) {
        const world_body *body = &world->bodies[k];
        bodies->first[k] = body->first, bodies->first[k + 1] = body->first + body->count;
        bodies->of_points[k] = body->spacing > 0.0;
        if (bodies->of_points[k])
            bodies->solids[k] = sherd_solid_of(&world->materials[body->material]);
    }
    return sherd_point_bodies_fill(bodies, &world->system.elements, error);
}
