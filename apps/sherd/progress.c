#include "progress.h"

#include "message.h"
#include "run_loop.h"

#include <stdio.h>
#include <unistd.h>

static double steps_planned(const run_loop *loop)
{
    return (double)loop->plan.frames * (double)loop->plan.steps_per_frame;
}

progress progress_start(const run_loop *loop)
{
    return (progress){
        .loop = loop,
        .terminal = isatty(STDOUT_FILENO) != 0,
        .quiet = loop->options->quiet,
        .start = clock_seconds(),
        .first_step = (double)sherd_world_step_count(loop->world),
    };
}

static void show(progress *p, double steps_done, bool end_line)
{
    const run_loop *loop = p->loop;
    double wall = clock_seconds() - p->start, done = steps_done - p->first_step;
    double left = done > 0.0 ? wall / done * (steps_planned(loop) - steps_done) : 0.0;
    double bond_steps = 1e-6 * done * (double)loop->model.bond_count; // millions
    double rate = loop->steps_wall > 0.0 ? bond_steps / loop->steps_wall : 0.0;
    sherd_bond_view bonds = sherd_world_bonds(loop->world);
    char eta[MESSAGE_TEXT];
    printf("%sframe %lld/%lld  t %.3f ms  %.0f M bond-steps/s  broken %lld  fragments %d  ETA %s%s",
           p->terminal ? "\r\033[K" : "", (long long)loop->frame, (long long)loop->plan.frames,
           1e3 * steps_done * loop->plan.dt, rate, (long long)bonds.broken_count,
           sherd_fragments_view(loop->fragments).count,
           done > 0.0 ? message_duration(left, eta) : "?", end_line ? "\n" : "");
    fflush(stdout);
    p->last_shown = clock_seconds();
}

void progress_step(progress *p, double steps_done)
{
    if (p->quiet || !p->terminal || clock_seconds() - p->last_shown < 0.1) return;
    show(p, steps_done, false);
}

void progress_frame(progress *p, const run_loop *loop)
{
    if (p->quiet) return;
    show(p, (double)sherd_world_step_count(loop->world), !p->terminal);
}

void progress_end(progress *p)
{
    if (!p->quiet && p->terminal) printf("\n");
}
