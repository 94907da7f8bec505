#include "run/progress.h"

#include "clock.h"
#include "message.h"

#include <sherd/world.h>

#include <stdio.h>
#include <unistd.h>

progress progress_start(const sherd_run_view *view, bool quiet)
{
    return (progress){
        .terminal = isatty(STDOUT_FILENO) != 0,
        .quiet = quiet,
        .first_step = sherd_world_step_count(view->world),
        .last_counts = sherd_world_solver_counts(view->world),
        .method = sherd_method_describe(view->scene->world.method).word,
    };
}

// Name of the method of the steps since the last call.
static const char *method_at_work(progress *p, const sherd_run_view *view)
{
    sherd_solver_counts now = sherd_world_solver_counts(view->world);
    bool explicitly = now.explicit_steps > p->last_counts.explicit_steps;
    bool implicitly = now.implicit_steps > p->last_counts.implicit_steps;
    if (explicitly || implicitly)
        p->method = !implicitly ? "explicit" : !explicitly ? "implicit" : "explicit and implicit";
    p->last_counts = now;
    return p->method;
}

// Prints the speed: bonds times explicit steps per second, or steps per second.
static void print_speed(progress *p, const sherd_run_view *view)
{
    double steps = (double)(sherd_world_step_count(view->world) - p->first_step);
    char step[MESSAGE_TEXT], per[MESSAGE_TEXT];
    double rate = view->stepping_wall > 0.0 ? steps / view->stepping_wall : 0.0;
    double bonds = (double)(view->model->bond_count - view->model->glue_count);
    if (sherd_method_describe(view->scene->world.method).even_steps && bonds > 0.0)
        printf("%.3g M bond-steps/s", 1e-6 * rate * bonds);
    else
        printf("%s, step %s, %s steps/s", method_at_work(p, view),
               message_step(sherd_world_time_step(view->world), step), message_rounded(rate, per));
}

static void show(progress *p, const sherd_run_view *view, bool end_line)
{
    char eta[MESSAGE_TEXT];
    printf("%sframe %lld/%lld  t %.3f ms  ", p->terminal ? "\r\033[K" : "", (long long)view->frame,
           (long long)view->plan.frames, 1e3 * sherd_world_time(view->world));
    print_speed(p, view);
    int64_t broken = sherd_world_broken_count(view->world); // by the run, not by the scene's cuts
    for (int k = 0; k < view->build->body_count; ++k)
        broken -= view->build->body_bonds[k].broken;
    if (view->model->bond_count > 0) printf("  broken %lld", (long long)broken);
    printf("  fragments %d  ETA %s%s", view->fragments.count,
           view->time_left >= 0.0 ? message_duration(view->time_left, eta) : "?",
           end_line ? "\n" : "");
    fflush(stdout);
    p->last_shown = clock_seconds();
}

// After the last step.
static void show_pictures(progress *p, const sherd_run_view *view)
{
    printf("\r\033[Kall steps done; pictures left: %lld", (long long)view->pictures_left);
    fflush(stdout);
    p->last_shown = clock_seconds();
}

void progress_step(progress *p, const sherd_run_view *view)
{
    if (p->quiet || !p->terminal || clock_seconds() - p->last_shown < 0.1) return;
    if (view->pictures_left > 0)
        show_pictures(p, view);
    else
        show(p, view, false);
}

void progress_frame(progress *p, const sherd_run_view *view)
{
    if (!p->quiet) show(p, view, !p->terminal);
}

void progress_end(progress *p)
{
    if (!p->quiet && p->terminal && p->last_shown > 0.0) printf("\n");
}
