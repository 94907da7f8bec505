#include "files/output_names.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const output_name OUTPUT_NAMES[] = {
    {NULL, "stats.csv", NULL, MADE_BY_RUN},
    {NULL, "probes.csv", NULL, MADE_BY_RUN},
    {NULL, "checkpoint.sherd", NULL, MADE_BY_RUN},
    {NULL, "checkpoint-former.sherd", NULL, MADE_BY_RUN},
    {NULL, "report.html", NULL, MADE_BY_RUN},
    {NULL, "video.mp4", NULL, MADE_BY_RUN},
    {NULL, "run.glb", NULL, MADE_BY_RUN},
    {"frames", "frame_", ".png", MADE_BY_RUN},
    {"surface", "frame_", ".ply", MADE_BY_RUN},
    {"vtk", "elements_", ".vtp", MADE_BY_RUN},
    {"vtk", "surface_", ".vtp", MADE_BY_RUN},
    {"vtk", "elements.pvd", NULL, MADE_BY_RUN},
    {"vtk", "surface.pvd", NULL, MADE_BY_RUN},
    {NULL, "run.usda", NULL, MADE_BY_EXPORT},
    {NULL, "run.obj", NULL, MADE_BY_EXPORT},
    {NULL, "run.mtl", NULL, MADE_BY_EXPORT},
    {NULL, "run.pc2", NULL, MADE_BY_EXPORT},
    {"csv", "elements_", ".csv", MADE_BY_EXPORT},
    {"rest", "frame_", ".ply", MADE_BY_EXPORT},
};
const int OUTPUT_NAME_COUNT = sizeof OUTPUT_NAMES / sizeof OUTPUT_NAMES[0];

const char *const OUTPUT_FOLDERS[] = {"frames", "surface", "vtk", "csv", "rest", NULL};

void output_path(const char *folder, const char *name, char path[OUTPUT_PATH])
{
    snprintf(path, OUTPUT_PATH, "%s/%s", folder, name);
}

bool is_anything(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

// The frame a name belongs to; -1: none of this series.
static int64_t frame_of(const char *name, const output_name *n)
{
    size_t length = strlen(n->what);
    if (strncmp(name, n->what, length) != 0 || !isdigit((unsigned char)name[length])) return -1;
    char *end;
    long long frame = strtoll(name + length, &end, 10);
    char again[64]; // frame_7.png and frame_0000000007.png are not ours
    snprintf(again, sizeof again, "%s%06lld%s", n->what, frame, n->kind);
    return strcmp(name, again) == 0 ? frame : -1;
}

static bool visit_series(const char *folder, const output_name *n, output_visit *visit,
                         void *context)
{
    char place[OUTPUT_PATH], path[OUTPUT_PATH + NAME_MAX + 2];
    output_path(folder, n->folder, place);
    DIR *files = opendir(place);
    const struct dirent *file;
    bool more = true;
    while (more && files != NULL && (file = readdir(files)) != NULL) {
        int64_t frame = frame_of(file->d_name, n);
        snprintf(path, sizeof path, "%s/%s", place, file->d_name);
        if (frame >= 0) more = visit(context, n, path, frame);
    }
    if (files != NULL) closedir(files);
    return more;
}

void output_names_visit(const char *folder, output_visit *visit, void *context)
{
    bool more = true;
    for (int k = 0; k < OUTPUT_NAME_COUNT && more; ++k) {
        const output_name *n = &OUTPUT_NAMES[k];
        char path[OUTPUT_PATH];
        snprintf(path, sizeof path, "%s/%s%s%s", folder, n->folder != NULL ? n->folder : "",
                 n->folder != NULL ? "/" : "", n->what);
        if (n->kind != NULL)
            more = visit_series(folder, n, visit, context);
        else if (is_anything(path))
            more = visit(context, n, path, -1);
    }
}

const output_name *output_names_find(const char *relative, int64_t *frame)
{
    const char *slash = strchr(relative, '/'), *name = slash != NULL ? slash + 1 : relative;
    size_t length = slash != NULL ? (size_t)(slash - relative) : 0;
    *frame = -1;
    for (int k = 0; k < OUTPUT_NAME_COUNT; ++k) {
        const output_name *n = &OUTPUT_NAMES[k];
        const char *folder = n->folder != NULL ? n->folder : "";
        if (strlen(folder) != length || strncmp(relative, folder, length) != 0) continue;
        if (n->kind == NULL && strcmp(name, n->what) == 0) return n;
        if (n->kind != NULL && (*frame = frame_of(name, n)) >= 0) return n;
    }
    return NULL;
}
