// Lesson 2: a scene file, run as `sherd run` does it. We look on: after each frame we print where the
// energy is. The folder holds the record of the run, tables, a report and an animation.
//
//     cc run_scene.c $(pkg-config --cflags --libs sherd) -o run_scene
//     ./run_scene falling_slab.yaml /tmp/falling_slab
#include <sherd/run.h>

#include <stdio.h>

static sherd_run_answer show_frame(void *context, const sherd_run_view *view)
{
    const sherd_energy *e = &view->stats->energy;
    (void)context;
    printf("frame %d of %d: kinetic %.3g J, elastic %.3g J, %d fragments\n", (int)view->frame,
           (int)view->plan.frames, e->kinetic, e->elastic, (int)view->fragments.count);
    return SHERD_RUN_GO_ON; // SHERD_RUN_STOP leaves a run that can be resumed
}

static void show_message(void *context, const sherd_message *message)
{
    (void)context;
    fprintf(stderr, "%s\n", message->what);
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    sherd_run_def def = sherd_run_def_default();
    def.scene_path = argv[1];
    def.folder = argv[2];
    def.on_frame = show_frame;
    def.on_message = show_message;
    sherd_run_result result;
    sherd_error error;
    if (sherd_run_scene(&def, &result, &error) != SHERD_OK) {
        fprintf(stderr, "%s: %s\n%s\n", error.where, error.what, error.hint);
        return 1;
    }
    printf("%d of %d bonds broke in %d steps\n", (int)result.stats.broken_bonds, (int)result.bonds,
           (int)result.steps);
    return 0;
}
