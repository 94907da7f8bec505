#include "output/files/previous_outputs.h"

#include "output/run_file/run_check.h"

#include <sherd/file.h>
#include <sherd/run_file.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct search {
    sherd_overwrite_check way;
    int64_t last;
} search;

static bool check_one(void *context, const sherd_output_name *name, const char *path, int64_t frame)
{
    search *s = context;
    bool retained = name->kind != NULL && frame <= s->last;
    if (name->made_by == MADE_BY_RUN && !retained) sherd_overwrite_check_file(&s->way, path);
    return true;
}

static void check_folders(sherd_overwrite_check *way, const char *folder)
{
    const char *name, *previous = "";
    for (int k = 0; (name = sherd_output_folder_at(k)) != NULL; previous = name, ++k) {
        char path[OUTPUT_PATH];
        sherd_output_path(folder, name, path);
        if (strcmp(name, previous) != 0) sherd_overwrite_check_folder(way, path);
    }
}

static sherd_status check_length(const char *folder, sherd_error *error)
{
    const char longest[] = "/checkpoint-former.sherd.99.part";
    if (strlen(folder) + sizeof longest <= PATH_MAX) return SHERD_OK;
    *error = (sherd_error){.status = SHERD_ERROR_INPUT,
                           .what = "the name of the run folder is too long",
                           .hint = "choose a shorter one with -o"};
    snprintf(error->where, sizeof error->where, "%s", folder);
    return error->status;
}

static void in_the_way_add(sherd_overwrite_check *w, const char *path)
{
    if (w->count++ == 0) snprintf(w->first, sizeof w->first, "%s", path);
}

void sherd_overwrite_check_file(sherd_overwrite_check *w, const char *path)
{
    if (sherd_output_list_foreign(w->own, path)) in_the_way_add(w, path);
}

void sherd_overwrite_check_folder(sherd_overwrite_check *w, const char *path)
{
    struct stat status;
    if (lstat(path, &status) == 0 && !S_ISDIR(status.st_mode)) in_the_way_add(w, path);
}

sherd_status sherd_overwrite_check_result(const sherd_overwrite_check *w, sherd_error *error)
{
    return sherd_file_refuse(w->first, w->count, error);
}

sherd_status sherd_previous_outputs_check(const sherd_output_list *own, const char *folder,
                                          int64_t last, sherd_error *error)
{
    search s = {.way = {.own = own}, .last = last};
    sherd_status status = check_length(folder, error);
    if (status != SHERD_OK) return status;
    char path[OUTPUT_PATH];
    sherd_output_path(folder, "run.sherd", path);
    if (sherd_run_find(folder) == SHERD_RUN_FOREIGN) in_the_way_add(&s.way, path);
    sherd_output_path(folder, OWN_FILES_LIST, path);
    if (sherd_output_list_unreadable(own)) in_the_way_add(&s.way, path);
    check_folders(&s.way, folder);
    sherd_output_names_visit(folder, check_one, &s);
    return sherd_overwrite_check_result(&s.way, error);
}

static bool remove_one(void *context, const sherd_output_name *name, const char *path,
                       int64_t frame)
{
    const search *s = context;
    bool goes = name->kind != NULL ? frame > s->last : s->last < 0;
    if (name->made_by == MADE_BY_RUN && goes && !sherd_output_list_foreign(s->way.own, path))
        unlink(path);
    return true;
}

void sherd_previous_outputs_remove(const sherd_output_list *own, const char *folder, int64_t last)
{
    search s = {.way = {.own = own}, .last = last};
    sherd_output_names_visit(folder, remove_one, &s);
}

void sherd_previous_outputs_make_way(const sherd_output_list *own, const char *folder)
{
    static const char *const names[] = {"stats.csv",        "probes.csv",
                                        "breaks.csv",       "timings.csv",
                                        "checkpoint.sherd", "checkpoint-former.sherd"};
    char path[OUTPUT_PATH];
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
        sherd_output_path(folder, names[k], path);
        if (sherd_output_list_foreign(own, path)) unlink(path);
    }
    sherd_output_path(folder, "run.sherd", path);
    if (sherd_run_find(folder) == SHERD_RUN_FOREIGN) unlink(path);
}
