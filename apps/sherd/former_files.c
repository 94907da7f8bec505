#include "former_files.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 2048 };

// FOLDER/frame_000012.png
typedef struct series {
    const char *folder, *what, *kind;
} series;

static const series SERIES[] = {
    {"frames", "frame_", ".png"},
    {"surface", "frame_", ".ply"},
    {"vtk", "elements_", ".vtp"},
    {"vtk", "surface_", ".vtp"},
};

static const char *const OF_ALL_FRAMES[] = {"video.mp4", "run.glb", "vtk/elements.pvd",
                                            "vtk/surface.pvd"};

// The frame a name belongs to; -1: none of this series.
static int64_t frame_of(const char *name, const series *s)
{
    size_t length = strlen(s->what);
    if (strncmp(name, s->what, length) != 0 || !isdigit((unsigned char)name[length])) return -1;
    char *end;
    long long frame = strtoll(name + length, &end, 10);
    return strcmp(end, s->kind) == 0 ? frame : -1;
}

static void remove_series(const char *folder, const series *s, int64_t last)
{
    char place[PATH_SIZE], path[2 * PATH_SIZE];
    snprintf(place, sizeof place, "%s/%s", folder, s->folder);
    DIR *files = opendir(place);
    if (files == NULL) return;
    const struct dirent *file;
    while ((file = readdir(files)) != NULL) {
        int64_t frame = frame_of(file->d_name, s);
        if (frame < 0 || frame <= last) continue;
        snprintf(path, sizeof path, "%s/%s", place, file->d_name);
        remove(path);
    }
    closedir(files);
}

void former_files_remove(const char *folder, int64_t last)
{
    for (size_t k = 0; k < sizeof SERIES / sizeof SERIES[0]; ++k)
        remove_series(folder, &SERIES[k], last);
    for (size_t k = 0; last < 0 && k < sizeof OF_ALL_FRAMES / sizeof OF_ALL_FRAMES[0]; ++k) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/%s", folder, OF_ALL_FRAMES[k]);
        remove(path);
    }
}
