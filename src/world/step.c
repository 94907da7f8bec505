// Choosing the time step and stepping.
#include "base/error.h"
#include "math/quat.h"
#include "stepping/explicit/substeps.h"
#include "stepping/regions/region_advance.h"
#include "stepping/sleep/rigid_sleep.h"
#include "world/world.h"

double sherd_world_stable_time_step(sherd_world *world, sherd_error *error)
{
    if (sherd_world_prepare(world, error) != SHERD_OK) return 0.0;
    double limit;
    if (sherd_system_stable_time_step(&world->system, &limit, error) != SHERD_OK) return 0.0;
    if (world->system.step == 0) world->system.stable_dt = limit;
    return limit;
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
    if (world->def.method == SHERD_METHOD_EXPLICIT) return world->system.dt;
    return world->system.control.last_dt;
}

double sherd_world_time(const sherd_world *world)
{
    return sherd_system_time(&world->system);
}

int64_t sherd_world_step_count(const sherd_world *world)
{
    return world->system.step;
}

static sherd_status choose_time_step(sherd_world *world, sherd_error *error)
{
    if (world->system.dt > 0.0) return SHERD_OK;
    if (world->def.time_step > 0.0) {
        world->system.dt = world->def.time_step;
        return SHERD_OK;
    }
    double limit = sherd_world_stable_time_step(world, error);
    if (!(limit > 0.0)) return error != NULL ? error->status : SHERD_ERROR_INPUT;
    world->system.dt = world->def.time_step_safety * limit;
    return SHERD_OK;
}

// Sums the mean loads on obstacles for the probes.
static void read_obstacles(void *context, double weight)
{
    sherd_world *world = context;
    for (int k = 0; k < world->obstacle_count && world->system.contacts != NULL; ++k) {
        sherd_vec3 force, torque;
        sherd_contacts_obstacle_mean_load(world->system.contacts, k, &force, &torque);
        world->obstacle_force_sum[k] = vec3_add_scaled(world->obstacle_force_sum[k], weight, force);
        world->obstacle_torque_sum[k] =
            vec3_add_scaled(world->obstacle_torque_sum[k], weight, torque);
    }
    world->probe_steps += weight;
}

static void note_start(sherd_world *world)
{
    if (world->system.step > 0) return;
    sherd_energy energy = sherd_world_stores(world);
    world->start_energy = sherd_world_total(&energy);
}

sherd_status sherd_world_step(sherd_world *world, int64_t steps, sherd_error *error)
{
    if (world->def.method != SHERD_METHOD_EXPLICIT)
        return sherd_fail(error, SHERD_ERROR_INPUT, "method", "use sherd_world_advance",
                          "its steps have no length that is known before");
    sherd_status status = sherd_world_prepare(world, error);
    if (status == SHERD_OK) status = choose_time_step(world, error);
    if (status != SHERD_OK) return status;
    note_start(world);
    for (int64_t k = 0; k < steps && status == SHERD_OK; ++k)
        status = sherd_system_step_split(&world->system, read_obstacles, world, error);
    sherd_system_settle(&world->system);
    sherd_sleep_place(&world->system);
    return status;
}

// ---------------------------------------------------------------- by time

// A step no one has fixed yet is made to divide the way to `until`.
static sherd_status fit_time_step(sherd_world *world, double until, sherd_error *error)
{
    if (world->system.dt > 0.0) return SHERD_OK;
    sherd_status status = choose_time_step(world, error);
    if (status != SHERD_OK) return status;
    double steps = ceil(until / world->system.dt * (1.0 - 1e-12));
    if (steps >= 1.0 && isfinite(steps)) world->system.dt = until / steps;
    return SHERD_OK;
}

// The stability limit is what steps of all methods are measured by.
static sherd_status choose_lengths(sherd_world *world, sherd_error *error)
{
    sherd_method_settings *method = &world->method;
    if (method->explicit_dt > 0.0) return SHERD_OK;
    // A restored world has the limit of the one that was saved.
    double limit = world->system.stable_dt;
    if (!(limit > 0.0)) limit = sherd_world_stable_time_step(world, error);
    if (!(limit > 0.0)) return error != NULL ? error->status : SHERD_ERROR_INPUT;
    world->system.stable_dt = limit;
    method->explicit_dt = world->def.time_step_safety * limit;
    if (world->system.dt == 0.0) world->system.dt = method->explicit_dt;
    method->fixed_dt =
        world->def.time_step > 0.0 ? world->def.time_step : world->def.time_step_in_limits * limit;
    return SHERD_OK;
}

static sherd_status fail_past(double time, double until, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, "until", "time only goes forward",
                      "must be at least the time now, %g s, and finite, got %g s", time, until);
}

static sherd_status advance_by_itself(sherd_world *world, double until, int64_t most_steps,
                                      sherd_error *error)
{
    sherd_status status = choose_lengths(world, error);
    if (status != SHERD_OK) return status;
    double time = sherd_world_time(world);
    if (!(until >= time - 1e-6 * world->system.dt) || !isfinite(until))
        return fail_past(time, until, error);
    note_start(world);
    return sherd_system_advance(&world->system, &world->method, until, most_steps, read_obstacles,
                                world, error);
}

sherd_status sherd_world_advance_towards(sherd_world *world, double until, int64_t most_steps,
                                         sherd_error *error)
{
    static const double MOST_OFF = 1e-6; // of a step: far above rounding, far below any effect
    sherd_status status = sherd_world_prepare(world, error);
    if (status != SHERD_OK) return status;
    if (!(most_steps > 0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "most_steps", NULL, "must be > 0, got %lld",
                          (long long)most_steps);
    if (world->def.method != SHERD_METHOD_EXPLICIT)
        return advance_by_itself(world, until, most_steps, error);
    status = fit_time_step(world, until, error);
    if (status != SHERD_OK) return status;
    double time = sherd_world_time(world), dt = world->system.dt;
    double steps = (until - time) / dt, whole = floor(steps + 0.5);
    if (!(steps > -MOST_OFF && whole < 0x1p53)) return fail_past(time, until, error);
    if (fabs(steps - whole) > MOST_OFF)
        return sherd_fail(error, SHERD_ERROR_INPUT, "until",
                          "choose a time step that divides it, with sherd_world_set_time_step",
                          "is %.9g explicit steps of %g s away, not a whole number", steps, dt);
    return sherd_world_step(world, whole < (double)most_steps ? (int64_t)whole : most_steps, error);
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
    return (sherd_split_steps){split->steps, split->parts, split->most, split->deepest};
}

sherd_solver_counts sherd_world_solver_counts(const sherd_world *world)
{
    if (world->def.method != SHERD_METHOD_EXPLICIT) return world->system.control.counts;
    return (sherd_solver_counts){.explicit_steps = world->system.step};
}
