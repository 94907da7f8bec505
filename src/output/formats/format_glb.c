// One animated .glb: rigid fragments over time.
#include "output/formats/rigid_animation.h"

static sherd_status write_all(sherd_format_job *job, sherd_error *error)
{
    return sherd_rigid_animation_write(job, SHERD_ANIMATION_GLB, error);
}

static const sherd_format_file FILES[] = {{"run.glb", NULL, MADE_BY_RUN}, {0}};

const sherd_format sherd_format_glb = {
    .about = {.word = "glb",
              .place = "run.glb",
              .needs = SHERD_EXPORT_FROM_SCENE,
              .in_runs = true,
              .whole = true,
              .doc = "  glb      rigid fragments in one animated file, with a second material on "
                     "broken faces; for\n"
                     "           Blender, Houdini, web viewers\n"
                     "           -o: file or folder, default RUN/run.glb\n"},
    .files = FILES,
    .end = write_all,
};
