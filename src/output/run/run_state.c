#include "output/run/run_state.h"

#include "base/clock.h"

#include <sherd/world.h>

double sherd_run_loop_wall(const sherd_run_loop *loop)
{
    return loop->wall_before + sherd_clock_seconds() - loop->start_clock;
}

sherd_run_totals sherd_run_loop_totals(const sherd_run_loop *loop)
{
    const sherd_world *world = loop->world;
    if (world == NULL) return loop->end;
    return (sherd_run_totals){sherd_world_solver_counts(world), sherd_world_step_times(world),
                              sherd_world_broken_count(world) -
                                  (int64_t)sherd_world_bonds(world).broken_count};
}

void sherd_run_loop_release_world(sherd_run_loop *loop)
{
    loop->end = sherd_run_loop_totals(loop);
    sherd_world_destroy(loop->world);
    loop->world = NULL;
    if (loop->model.glue_count == 0) // they were the world's
        loop->model.bond_i = loop->model.bond_j = NULL;
}

// Estimated from the speed of this call so far [s]; -1: not known yet.
static double time_left(const sherd_run_loop *loop, double time, double end)
{
    double done = time - loop->stepping_time;
    if (loop->stepping_clock == 0.0 || !(done > 0.0)) return -1.0;
    return (sherd_clock_seconds() - loop->stepping_clock) / done * (end - time);
}

sherd_run_view sherd_run_loop_view(const sherd_run_loop *loop)
{
    double time = sherd_world_time(loop->world);
    double end = (double)loop->plan.frames * loop->plan.interval;
    sherd_run_view view = {
        .scene = loop->scene,
        .build = &loop->build,
        .world = loop->world,
        .folder = loop->folder,
        .plan = loop->plan,
        .model = loop->model.bodies != NULL ? &loop->model : NULL,
        .frame = loop->frame,
        .resumed_at = loop->resumed_at,
        .stats = &loop->last_stats,
        .fraction = end > 0.0 && time < end ? time / end : 1.0,
        .time_left = time_left(loop, time, end),
        .stepping_wall = loop->steps_wall,
        .last_step_wall = loop->slice_wall,
        .pictures_left = loop->frames_left,
    };
    if (loop->frame >= 0) view.fragments = sherd_fragments_view(loop->fragments);
    return view;
}

void sherd_run_loop_report(const sherd_run_loop *loop)
{
    if (loop->def->on_progress == NULL) return;
    sherd_run_view view = sherd_run_loop_view(loop);
    loop->def->on_progress(loop->def->context, &view);
}

// ---------------------------------------------------------------- requests to stop

// Atomic, so that other threads may call it, and lock-free, so that signal handlers may.
void sherd_stop_request(sherd_stop *stop)
{
    __atomic_store_n(&stop->requested, 1, __ATOMIC_RELAXED);
}

bool sherd_stop_requested(const sherd_stop *stop)
{
    return __atomic_load_n(&stop->requested, __ATOMIC_RELAXED) != 0;
}
