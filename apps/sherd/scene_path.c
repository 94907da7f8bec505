#include "scene_path.h"

#include <sherd/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
