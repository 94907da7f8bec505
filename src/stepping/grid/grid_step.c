#include "stepping/grid/grid_step.h"

#include "models/mpm/mpm_model.h"
#include "stepping/grid/grid_coupling.h"
#include "stepping/grid/grid_glue.h"
#include "stepping/grid/grid_mean_acceleration.h"
#include "stepping/grid/grid_part.h"

#include <math.h>

sherd_status sherd_grid_step_make(sherd_grid_step *step, sherd_system *s, sherd_error *error)
{
    *step = (sherd_grid_step){0};
    sherd_status status = sherd_grid_walls_make(&step->walls, s, error);
    if (status == SHERD_OK) status = sherd_grid_part_make(s, error);
    if (status == SHERD_OK) status = sherd_grid_coupling_make(s, error);
    return status == SHERD_OK ? sherd_grid_drivers_make(&step->drivers, s, error) : status;
}

void sherd_grid_step_free(sherd_grid_step *step)
{
    sherd_grid_walls_free(&step->walls);
    sherd_grid_drivers_free(&step->drivers);
}

// For the coupled bodies.
typedef struct coupling_step {
    sherd_system *system;
    const sherd_method_settings *settings;
    double dt, time;
} coupling_step;

// Elements and free bodies, within a step of the points.
static sherd_status move_coupling(void *context, sherd_error *error)
{
    const coupling_step *step = context;
    sherd_system *s = step->system;
    int64_t steps = sherd_grid_part_begin(s, step->settings, step->dt, step->time);
    double fraction = 1.0 / (double)steps; // of impulses
    sherd_grid_coupling_gather(s);
    sherd_grid_trend_begin(s);
    sherd_grid_coupling_kick(s, 0.5 * fraction, false, 0.0);
    for (int64_t k = 0; k < steps; ++k) {
        sherd_status status = sherd_grid_part_step(s, step->settings, error);
        if (status != SHERD_OK) return status;
        bool last = k + 1 == steps;
        sherd_grid_coupling_kick(s, last ? 0.5 * fraction : fraction, !last,
                                 (double)(k + 1) * fraction * step->dt);
    }
    sherd_grid_trend_end(s, step->dt);
    return SHERD_OK;
}

static void end_coupling(sherd_system *s, double dt, double time, double points_displacement)
{
    double displacement = sherd_grid_part_end(s, dt, time);
    sherd_grid_coupling_done(s);
    sherd_grid_coupling_load(s, dt);
    if (displacement > points_displacement)
        s->points->m.moved += displacement - points_displacement;
    s->path += displacement;
}

// Driven obstacles have the velocities of the step that they make with the points: both are at
// `time` at its end.
sherd_status sherd_system_step_grid(sherd_system *s, sherd_grid_step *step,
                                    const sherd_method_settings *settings, double dt, double time,
                                    sherd_error *error)
{
    sherd_mpm *m = &s->points->m;
    sherd_grid_walls *walls = &step->walls;
    m->walls = (sherd_mpm_walls){walls->count, walls->list, walls->reaction, 0.0};
    coupling_step coupling = {s, settings, dt, time};
    sherd_status status = SHERD_OK;
    if (s->coupling != NULL)
        status = sherd_grid_coupling_begin(s, dt, move_coupling, &coupling, error);
    if (status == SHERD_OK)
        status = sherd_point_bodies_sort(s->points, error); // drivers refer to points by index
    if (status != SHERD_OK) return status;
    sherd_grid_drivers_begin(&step->drivers, s, dt, time);
    m->walls.moved = sherd_grid_walls_move(s, time, dt) + step->drivers.moved;
    m->drivers = step->drivers.holds, m->driver_count = step->drivers.hold_count;
    double moved = m->moved, began = m->time;
    size_t broken = m->glue.broken;
    status = sherd_mpm_step(m, dt, error);
    m->walls = (sherd_mpm_walls){0};
    m->drivers = NULL, m->driver_count = 0;
    if (status != SHERD_OK) return status;
    s->path += sqrt(3.0) * dt * m->accounts.speed; // `speed` is that of one component
    sherd_grid_drivers_end(&step->drivers, s, dt);
    if (m->glue.broken > broken) status = sherd_grid_glue_log(s, began, time, error);
    if (status != SHERD_OK) return status;
    if (s->coupling != NULL) end_coupling(s, dt, time, m->moved - moved);
    sherd_grid_walls_load(s, walls, dt);
    sherd_grid_drivers_note(s, dt);
    s->start_time = time, s->start_step = ++s->step;
    s->dt = dt;
    return SHERD_OK;
}
