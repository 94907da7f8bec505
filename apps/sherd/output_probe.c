#include "output_probe.h"

#include "run/stop_request.h"

#include <sherd/run.h>

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

// Links are not followed: what lies behind them stays.
static void remove_folder(const char *folder)
{
    enum { OPEN_FOLDERS = 8 };
    nftw(folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

// A picture takes as long as it has samples: a small one tells.
static double make_small(sherd_scene_render *render)
{
    enum { SIDE = 320, SAMPLES = 16, LEAST = 16 };
    double before = (double)render->width * render->height * render->samples;
    int larger = render->width > render->height ? render->width : render->height;
    double scale = larger > SIDE ? (double)SIDE / larger : 1.0;
    render->width = (int)fmax(scale * render->width, LEAST);
    render->height = (int)fmax(scale * render->height, LEAST);
    render->samples = render->samples < SAMPLES ? render->samples : SAMPLES;
    return before / ((double)render->width * render->height * render->samples);
}

// Of the first frame, whose picture would be `larger` times as large [s].
static double measure(const sherd_run_def *def, double larger)
{
    sherd_run_result result;
    sherd_error error = {0};
    stop_requests_begin();
    sherd_status status = sherd_run_scene(def, &result, &error);
    stop_requests_end();
    if (status != SHERD_OK) return -1.0;
    return result.pictures_wall - result.render_wall + larger * result.render_wall;
}

double output_probe_seconds(const command_options *options, sherd_scene *scene)
{
    const char *place = getenv("TMPDIR");
    char folder[512];
    int length =
        snprintf(folder, sizeof folder, "%s/sherd-check-XXXXXX", place != NULL ? place : "/tmp");
    if (length < 0 || length >= (int)sizeof folder || mkdtemp(folder) == NULL) return -1.0;
    sherd_scene_render asked = scene->output.render;
    double larger = make_small(&scene->output.render);
    sherd_run_def def = sherd_run_def_default();
    def.scene = scene;
    def.folder = folder;
    def.threads = options->threads;
    def.frames = 0;
    def.pictures = options->no_pictures ? SHERD_RUN_PICTURES_NONE : SHERD_RUN_PICTURES_AS_SCENE;
    def.summary = SHERD_RUN_SUMMARY_NONE;
    double seconds = measure(&def, larger);
    scene->output.render = asked;
    remove_folder(folder);
    return seconds;
}
