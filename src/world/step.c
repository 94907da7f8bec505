// Choice of the time step, and stepping.
#include "base/error.h"
#include "math/quat.h"
#include "world/world.h"

#include <sherd/world.h>

double sherd_world_stable_time_step(sherd_world *world, sherd_error *error)
{
    if (sherd_world_prepare(world, error) != SHERD_OK) return 0.0;
    double limit;
    if (world->stepper->stable_dt(&world->system, &limit, error) != SHERD_OK) return 0.0;
    if (world->system.step == 0) world->system.stable_dt = limit;
    return limit;
}

double sherd_world_element_time_step(const sherd_world *world)
{
    const sherd_system *s = &world->system;
    return s->points != NULL && isfinite(s->element_dt) ? s->element_dt : 0.0;
}

sherd_status sherd_world_set_time_step(sherd_world *world, double time_step, sherd_error *error)
{
    if (world->system.step > 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "time_step", "set it before the first step",
                          "can't be changed while running");
    if (!(time_step > 0.0) || !isfinite(time_step))
        return sherd_fail(error, SHERD_ERROR_INPUT, "time_step", "in seconds",
                          "must be > 0 and finite, got %g", time_step);
    world->system.dt = time_step;
    return SHERD_OK;
}

double sherd_world_time_step(const sherd_world *world)
{
    return world->stepper->last_dt(&world->system);
}

double sherd_world_time(const sherd_world *world)
{
    return sherd_system_time(&world->system);
}

int64_t sherd_world_step_count(const sherd_world *world)
{
    return world->system.step;
}

// Sums the mean loads on obstacles for the probes, and widens their ranges.
static void read_obstacles(void *context, double weight)
{
    sherd_world *world = context;
    for (int k = 0; k < world->obstacle_count && world->system.contacts != NULL; ++k) {
        sherd_load_swing swing;
        sherd_load load = sherd_contacts_obstacle_mean_load(world->system.contacts, k, &swing);
        world->obstacle_force_sum[k] =
            vec3_add_scaled(world->obstacle_force_sum[k], weight, load.force);
        world->obstacle_torque_sum[k] =
            vec3_add_scaled(world->obstacle_torque_sum[k], weight, load.torque);
        sherd_load_range_add(&world->obstacle_range[k], load, &swing);
    }
    world->probe_steps += weight;
}

static void note_start(sherd_world *world)
{
    if (world->system.step > 0) return;
    sherd_energy energy = sherd_world_stores(world);
    world->start_energy = sherd_world_total(&energy);
}

static sherd_status go(sherd_world *world, double until, int64_t max_steps, sherd_error *error)
{
    sherd_advance_goal goal = {until, max_steps, read_obstacles, world};
    sherd_status status = world->stepper->prepare(&world->system, &world->method, until, error);
    if (status != SHERD_OK) return status;
    note_start(world);
    return world->stepper->advance(&world->system, &world->method, &goal, error);
}

sherd_status sherd_world_step(sherd_world *world, int64_t steps, sherd_error *error)
{
    if (!world->stepper->even_steps)
        return sherd_fail(error, SHERD_ERROR_INPUT, "method", "use sherd_world_advance",
                          "its steps have no length that is known before");
    sherd_status status = sherd_world_prepare(world, error);
    return status == SHERD_OK ? go(world, INFINITY, steps, error) : status;
}

sherd_status sherd_world_advance_towards(sherd_world *world, double until, int64_t max_steps,
                                         sherd_error *error)
{
    sherd_status status = sherd_world_prepare(world, error);
    if (status != SHERD_OK) return status;
    if (!(max_steps > 0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "most_steps", NULL, "must be > 0, got %lld",
                          (long long)max_steps);
    if (!isfinite(until)) return sherd_fail_past(sherd_world_time(world), until, error);
    return go(world, until, max_steps, error);
}

sherd_status sherd_world_advance(sherd_world *world, double until, sherd_error *error)
{
    return sherd_world_advance_towards(world, until, INT64_MAX, error);
}

const char *sherd_world_explicit_reason(const sherd_world *world)
{
    return world->explicit_reason;
}

sherd_split_steps sherd_world_split_steps(const sherd_world *world)
{
    const sherd_split *split = &world->system.split;
    return (sherd_split_steps){split->steps, split->parts, split->max_substeps, split->deepest};
}

sherd_step_times sherd_world_step_times(const sherd_world *world)
{
    return world->system.times;
}

sherd_solver_counts sherd_world_solver_counts(const sherd_world *world)
{
    return world->stepper->counts(&world->system);
}
