#include "output_timing.h"

#include "run/stop_request.h"
#include "temporary_folder.h"

#include <sherd/render.h>
#include <sherd/run.h>

#include <math.h>

// The time of a picture is proportional to its samples: measure a small one.
static double make_small(sherd_scene_render *render)
{
    enum { SIDE = 320, PREVIEW_SIDE = 640, SAMPLES = 16, LEAST = 16 };
    bool preview = render->quality != SHERD_SCENE_QUALITY_FINAL;
    // That of a preview is proportional to its pixels alone, beside a part that is not.
    if (preview) render->samples = SAMPLES;
    double before = (double)render->width * render->height * render->samples;
    int larger = render->width > render->height ? render->width : render->height;
    int side = preview ? PREVIEW_SIDE : SIDE;
    double scale = larger > side ? (double)side / larger : 1.0;
    render->width = (int)fmax(scale * render->width, LEAST);
    render->height = (int)fmax(scale * render->height, LEAST);
    render->samples = render->samples < SAMPLES ? render->samples : SAMPLES;
    return before / ((double)render->width * render->height * render->samples);
}

// Time of the first frame, scaled by the size of its picture, `larger` [s].
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

double output_timing_seconds(const command_options *options, sherd_scene *scene,
                             const sherd_scene_build *packed)
{
    char folder[TEMPORARY_FOLDER];
    if (!temporary_folder_make(NULL, folder)) return -1.0;
    sherd_scene_render asked = scene->output.render;
    double larger = make_small(&scene->output.render);
    sherd_run_def def = sherd_run_def_default();
    def.scene = scene;
    def.packed = packed;
    def.folder = folder;
    def.threads = options->threads;
    def.frames = 0;
    def.pictures = options->no_pictures ? SHERD_RUN_PICTURES_NONE : SHERD_RUN_PICTURES_AS_SCENE;
    def.summary = SHERD_RUN_SUMMARY_NONE;
    double seconds = measure(&def, larger);
    scene->output.render = asked;
    temporary_folder_remove(folder);
    return seconds;
}
