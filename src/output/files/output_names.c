#include "output/files/output_names.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const sherd_output_name OF_RUNS[] = {
    {NULL, "stats.csv", NULL, MADE_BY_RUN},
    {NULL, "probes.csv", NULL, MADE_BY_RUN},
    {NULL, "breaks.csv", NULL, MADE_BY_RUN},
    {NULL, "timings.csv", NULL, MADE_BY_RUN},
    {NULL, "checkpoint.sherd", NULL, MADE_BY_RUN},
    {NULL, "checkpoint-former.sherd", NULL, MADE_BY_RUN},
    {NULL, "report.html", NULL, MADE_BY_RUN},
    {NULL, "video.mp4", NULL, MADE_BY_RUN},
    {"frames", "frame_", ".png", MADE_BY_RUN},
    {"frames", "frame_", ".exr", MADE_BY_RUN},
    {"frames", "video_", ".mp4", MADE_BY_RUN},
};
enum { OF_RUNS_COUNT = sizeof OF_RUNS / sizeof OF_RUNS[0] };

// The k-th file name of a format; for formats with undeformed meshes, then the names in that
// folder.
static bool format_name_at(const sherd_format *format, int *k, sherd_output_name *name)
{
    const char *folder = format->about.whole ? NULL : format->about.place;
    for (const sherd_format_file *f = format->files; f->what != NULL; ++f)
        if ((*k)-- == 0) {
            *name = (sherd_output_name){folder, f->what, f->kind, f->made_by};
            return true;
        }
    for (const sherd_format_file *f = format->files; f->what != NULL; ++f)
        if (format->about.rest_place != NULL && (*k)-- == 0) {
            *name = (sherd_output_name){format->about.rest_place, f->what, f->kind, MADE_BY_EXPORT};
            return true;
        }
    return false;
}

bool sherd_output_name_at(int k, sherd_output_name *name)
{
    if (k < OF_RUNS_COUNT) {
        *name = OF_RUNS[k];
        return true;
    }
    k -= OF_RUNS_COUNT;
    for (int f = 0; f < sherd_format_count(); ++f)
        if (format_name_at(sherd_format_get(f), &k, name)) return true;
    return false;
}

const char *sherd_output_folder_at(int k)
{
    sherd_output_name name;
    for (int n = 0; sherd_output_name_at(n, &name); ++n)
        if (name.folder != NULL && k-- == 0) return name.folder;
    return NULL;
}

void sherd_output_path(const char *folder, const char *name, char path[OUTPUT_PATH])
{
    snprintf(path, OUTPUT_PATH, "%s/%s", folder, name);
}

bool sherd_is_anything(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

// The frame number in a file name; -1 if the name is not of this series.
static int64_t frame_of(const char *name, const sherd_output_name *n)
{
    size_t length = strlen(n->what);
    if (strncmp(name, n->what, length) != 0 || !isdigit((unsigned char)name[length])) return -1;
    char *end;
    long long frame = strtoll(name + length, &end, 10);
    char again[64]; // reject frame_7.png and frame_0000000007.png
    snprintf(again, sizeof again, "%s%06lld%s", n->what, frame, n->kind);
    return strcmp(name, again) == 0 ? frame : -1;
}

static bool visit_series(const char *folder, const sherd_output_name *n, sherd_output_visit *visit,
                         void *context)
{
    char place[OUTPUT_PATH], path[OUTPUT_PATH + NAME_MAX + 2];
    sherd_output_path(folder, n->folder, place);
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

void sherd_output_names_visit(const char *folder, sherd_output_visit *visit, void *context)
{
    sherd_output_name name;
    bool more = true;
    for (int k = 0; more && sherd_output_name_at(k, &name); ++k) {
        char path[OUTPUT_PATH];
        snprintf(path, sizeof path, "%s/%s%s%s", folder, name.folder != NULL ? name.folder : "",
                 name.folder != NULL ? "/" : "", name.what);
        if (name.kind != NULL)
            more = visit_series(folder, &name, visit, context);
        else if (sherd_is_anything(path))
            more = visit(context, &name, path, -1);
    }
}

bool sherd_output_names_find(const char *relative, int64_t *frame)
{
    const char *slash = strchr(relative, '/'), *file = slash != NULL ? slash + 1 : relative;
    size_t length = slash != NULL ? (size_t)(slash - relative) : 0;
    sherd_output_name name;
    *frame = -1;
    for (int k = 0; sherd_output_name_at(k, &name); ++k) {
        const char *folder = name.folder != NULL ? name.folder : "";
        if (name.made_by == MADE_IF_LISTED) continue;
        if (strlen(folder) != length || strncmp(relative, folder, length) != 0) continue;
        if (name.kind == NULL && strcmp(file, name.what) == 0) return true;
        if (name.kind != NULL && (*frame = frame_of(file, &name)) >= 0) return true;
    }
    return false;
}
