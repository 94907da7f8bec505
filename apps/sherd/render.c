// sherd render: makes pictures and a video from a run folder, without simulating.
#include "commands.h"
#include "run_folder.h"

#include <stdio.h>

static int render(const run_folder *r)
{
    sherd_error error = {0};
    sherd_replay_def def = run_folder_def(r);
    if (sherd_replay_render(&def, &error) != SHERD_OK) return message_error(&error);
    char shown[MESSAGE_NAME], folder[MESSAGE_PATH];
    message_path(r->path, "frames", folder);
    if (!r->options->quiet)
        printf("written to %s\n", message_name(def.place != NULL ? def.place : folder, shown));
    return run_folder_status(r);
}

int command_render(const command_options *options)
{
    run_folder r;
    int code = run_folder_open(&r, options, SHERD_EXPORT_FROM_MESHES);
    if (code == 0) code = render(&r);
    run_folder_close(&r);
    return code;
}
