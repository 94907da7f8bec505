// The rigid animation as text USD.
#include "output/formats/picture_files.h"
#include "output/formats/rigid_animation.h"

static sherd_status write_all(sherd_format_job *job, sherd_error *error)
{
    return sherd_rigid_animation_write(job, SHERD_ANIMATION_USDA, error);
}

static const sherd_format_file FILES[] = {
    {"run.usda", NULL, MADE_BY_EXPORT},
    SHERD_PICTURE_FILES,
    {0},
};

const sherd_format sherd_format_usda = {
    .about = {.word = "usda",
              .place = "run.usda",
              .needs = SHERD_EXPORT_FROM_SCENE,
              .whole = true,
              .doc = "  usda     the same as text USD; for Houdini and other USD pipelines\n"
                     "           -o: file or folder, default RUN/run.usda\n"},
    .files = FILES,
    .end = write_all,
};
