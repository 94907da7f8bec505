#include "run/progress.h"

#include "clock.h"
#include "message.h"
#include "run/run_state.h"

#include <stdio.h>
#include <unistd.h>

progress progress_start(const run_loop *loop)
{
    return (progress){
        .loop = loop,
        .terminal = isatty(STDOUT_FILENO) != 0,
        .quiet = loop->options->quiet,
        .start = clock_seconds(),
        .first_time = sherd_world_time(loop->world),
        .first_step = sherd_world_step_count(loop->world),
        .last_counts = sherd_world_solver_counts(loop->world),
        .method = step_plan_method(loop->scene->world.method),
    };
}

// Which steps were made since the last look.
static const char *method_at_work(progress *p)
{
    sherd_solver_counts now = sherd_world_solver_counts(p->loop->world);
    bool explicitly = now.explicit_steps > p->last_counts.explicit_steps;
    bool implicitly = now.implicit_steps > p->last_counts.implicit_steps;
    if (explicitly || implicitly)
        p->method = !implicitly ? "explicit" : !explicitly ? "implicit" : "explicit and implicit";
    p->last_counts = now;
    return p->method;
}

// How fast it goes: bonds through explicit steps, or steps of any kind.
static void say_speed(progress *p)
{
    const run_loop *loop = p->loop;
    double steps = (double)(sherd_world_step_count(loop->world) - p->first_step);
    double rate = loop->steps_wall > 0.0 ? steps / loop->steps_wall : 0.0;
    if (loop->scene->world.method == SHERD_METHOD_EXPLICIT)
        printf("%.0f M bond-steps/s", 1e-6 * rate * (double)loop->model.bond_count);
    else
        printf("%s, step %.3g us, %.3g steps/s", method_at_work(p),
               1e6 * sherd_world_time_step(loop->world), rate);
}

static void show(progress *p, bool end_line)
{
    const run_loop *loop = p->loop;
    double time = sherd_world_time(loop->world), done = time - p->first_time;
    double end = (double)loop->plan.frames * loop->plan.interval;
    double left = done > 0.0 ? (clock_seconds() - p->start) / done * (end - time) : 0.0;
    char eta[MESSAGE_TEXT];
    printf("%sframe %lld/%lld  t %.3f ms  ", p->terminal ? "\r\033[K" : "", (long long)loop->frame,
           (long long)loop->plan.frames, 1e3 * time);
    say_speed(p);
    printf("  broken %lld  fragments %d  ETA %s%s",
           (long long)sherd_world_bonds(loop->world).broken_count,
           sherd_fragments_view(loop->fragments).count,
           done > 0.0 ? message_duration(left, eta) : "?", end_line ? "\n" : "");
    fflush(stdout);
    p->last_shown = clock_seconds();
}

void progress_step(progress *p)
{
    if (p->quiet || !p->terminal || clock_seconds() - p->last_shown < 0.1) return;
    show(p, false);
}

void progress_frame(progress *p)
{
    if (!p->quiet) show(p, !p->terminal);
}

void progress_end(progress *p)
{
    if (!p->quiet && p->terminal && p->last_shown > 0.0) printf("\n");
}
