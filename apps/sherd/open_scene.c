#include "open_scene.h"

#include <sherd/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sherd_scene_options scene_options_of(const command_options *options)
{
    return (sherd_scene_options){options->variant, options->override_count, options->overrides};
}

// Errors that a setting causes may lie at other keys, in the file: says so if the file alone has none.
static void tell_settings(const char *place, const char *text, const sherd_scene_options *options,
                          const sherd_diagnostics *found)
{
    bool told = options->override_count == 0;
    for (int k = 0; k < found->count; ++k)
        told |= strncmp(found->errors[k].where, "--set", 5) == 0;
    if (told) return;
    const sherd_scene_options plain = {.variant = options->variant};
    sherd_diagnostics none = {0};
    sherd_scene *scene = text == NULL ? sherd_scene_load(place, &plain, &none)
                                      : sherd_scene_parse(text, strlen(text), place, &plain, &none);
    if (scene != NULL) {
        fprintf(stderr, "without %s the scene is valid:\n",
                options->override_count == 1 ? "this setting" : "these settings");
        for (int k = 0; k < options->override_count; ++k) {
            char shown[MESSAGE_NAME];
            fprintf(stderr, "  --set %s\n", message_name(options->overrides[k], shown));
        }
    }
    sherd_scene_destroy(scene);
    sherd_diagnostics_free(&none);
}

sherd_scene *open_scene_with(const char *place, const char *text,
                             const sherd_scene_options *options, int *code)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = text == NULL
                             ? sherd_scene_load(place, options, &diagnostics)
                             : sherd_scene_parse(text, strlen(text), place, options, &diagnostics);
    if (scene == NULL) {
        *code = message_diagnostics(&diagnostics);
        tell_settings(place, text, options, &diagnostics);
    }
    sherd_diagnostics_free(&diagnostics);
    return scene;
}

sherd_scene *open_scene(const command_options *options, int *code)
{
    sherd_scene_options scene_options = scene_options_of(options);
    return open_scene_with(options->input, NULL, &scene_options, code);
}

// Removes the last component of a path without links; false if none is left.
static bool go_up(char *folder)
{
    char *slash = strrchr(folder, '/');
    if (slash != NULL) *slash = '\0';
    return slash != NULL;
}

void find_scene_path(const char *run, const char *recorded, char path[MESSAGE_PATH])
{
    snprintf(path, MESSAGE_PATH, "%s", recorded);
    if (recorded[0] == '/' || sherd_file_exists(recorded)) return;
    char *folder = realpath(run, NULL);
    bool more = folder != NULL;
    while (more) {
        char above[MESSAGE_PATH];
        message_path(folder, recorded, above);
        bool found = sherd_file_exists(above);
        if (found) memcpy(path, above, sizeof above);
        more = !found && go_up(folder);
    }
    free(folder);
}
