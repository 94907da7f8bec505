#include "output/run/run_loop.h"

#include "base/clock.h"
#include "output/run/run_checkpoint.h"
#include "output/run/run_frame.h"
#include "output/run/step_plan.h"

#include <sherd/world.h>

// Seconds of wall time. The first checkpoint is early, because most runs that are interrupted end
// soon.
static const double CHECKPOINT_FIRST = 2.0, CHECKPOINT_EVERY = 20.0;
static const double SLICE = 0.1; // seconds between checks of the stop request, if steps are shorter
enum { MOST_SLICE_STEPS = 32 };

// Makes a slice of steps and chooses the length of the next one. Results do not depend on slices.
static sherd_status step_slice(sherd_run_loop *loop, sherd_error *error)
{
    double before = sherd_clock_seconds();
    sherd_status status = sherd_world_advance_towards(
        loop->world, sherd_step_plan_next_stop(&loop->plan, loop->world), loop->slice_steps, error);
    double took = sherd_clock_seconds() - before;
    loop->steps_wall += took;
    loop->slice_wall = took;
    if (took > SLICE && loop->slice_steps > 1)
        loop->slice_steps /= 2;
    else if (took < 0.5 * SLICE && loop->slice_steps < MOST_SLICE_STEPS)
        loop->slice_steps *= 2;
    return status;
}

static sherd_status write_checkpoint(sherd_run_loop *loop, sherd_error *error)
{
    double before = sherd_clock_seconds();
    sherd_status status = sherd_run_checkpoint_write(loop, error);
    loop->files_wall += sherd_clock_seconds() - before;
    return status;
}

static sherd_status checkpoint_when_due(sherd_run_loop *loop, sherd_error *error)
{
    if (sherd_clock_seconds() < loop->next_checkpoint) return SHERD_OK;
    sherd_status status = write_checkpoint(loop, error);
    loop->next_checkpoint = sherd_clock_seconds() + CHECKPOINT_EVERY;
    return status;
}

void sherd_run_loop_report(const sherd_run_loop *loop)
{
    if (loop->def->on_progress == NULL) return;
    sherd_run_view view = sherd_run_loop_view(loop);
    loop->def->on_progress(loop->def->context, &view);
}

static sherd_status stop(sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_ERROR_INTERRUPTED};
    return SHERD_ERROR_INTERRUPTED;
}

// Steps from the present state to the end of the current frame. Stops between steps on request.
static sherd_status step_frame(sherd_run_loop *loop, sherd_error *error)
{
    const sherd_step_plan *plan = &loop->plan;
    int64_t end = (loop->frame + 1) * plan->samples_per_frame;
    int64_t done = sherd_step_plan_samples(plan, loop->world);
    sherd_status status = SHERD_OK;
    while (status == SHERD_OK && done < end) {
        status = step_slice(loop, error);
        int64_t now = sherd_step_plan_samples(plan, loop->world);
        if (status == SHERD_OK && now > done) status = sherd_run_read_probes(loop, error);
        done = now;
        sherd_run_loop_report(loop);
        if (status == SHERD_OK && loop->def->stop != NULL && sherd_stop_requested(loop->def->stop))
            status = stop(error);
        if (status == SHERD_OK && done < end) status = checkpoint_when_due(loop, error);
    }
    return status;
}

// Calls the callback after a frame, which may stop the run, except after the last frame.
static sherd_status show_frame(sherd_run_loop *loop, sherd_error *error)
{
    if (loop->def->on_frame == NULL) return SHERD_OK;
    sherd_run_view view = sherd_run_loop_view(loop);
    sherd_run_answer answer = loop->def->on_frame(loop->def->context, &view);
    return answer == SHERD_RUN_STOP && loop->frame < loop->plan.frames ? stop(error) : SHERD_OK;
}

static sherd_status step_frames(sherd_run_loop *loop, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    while (status == SHERD_OK && loop->frame < loop->plan.frames) {
        status = step_frame(loop, error);
        if (status == SHERD_OK) status = sherd_run_finish_frame(loop, loop->frame + 1, error);
        if (status == SHERD_OK) status = show_frame(loop, error);
        if (status != SHERD_OK) break;
        status = loop->frame == loop->plan.frames ? write_checkpoint(loop, error)
                                                  : checkpoint_when_due(loop, error);
    }
    return status;
}

sherd_status sherd_run_loop_run(sherd_run_loop *loop, sherd_error *error)
{
    loop->slice_steps = 1;
    bool first = loop->frame < 0;
    sherd_status status = first ? sherd_run_finish_frame(loop, 0, error) : SHERD_OK;
    loop->stepping_clock = sherd_clock_seconds();
    loop->stepping_time = sherd_world_time(loop->world);
    if (status == SHERD_OK && first) status = show_frame(loop, error);
    loop->next_checkpoint = sherd_clock_seconds() + CHECKPOINT_FIRST;
    if (status == SHERD_OK) status = step_frames(loop, error);
    if (status != SHERD_ERROR_INTERRUPTED) return status;
    sherd_error failed;
    if (sherd_run_checkpoint_write(loop, &failed) == SHERD_OK) return status;
    *error = failed;
    return failed.status;
}
