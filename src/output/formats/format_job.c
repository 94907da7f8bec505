#include "output/formats/format_job.h"

#include <stdio.h>
#include <string.h>

void sherd_format_sibling_path(const sherd_format_job *job, const char *name,
                               char path[OUTPUT_PATH])
{
    // The path's own ending may be another one than the format's (.usd).
    const char *own_ending = strrchr(job->path, '.'), *ending = strrchr(name, '.');
    bool is_own = strcmp(ending, strrchr(job->format->about.place, '.')) == 0;
    snprintf(path, OUTPUT_PATH, "%.*s%s", (int)(own_ending - job->path), job->path,
             is_own ? own_ending : ending);
}

sherd_status sherd_format_write_whole(sherd_format_job *job, sherd_error *error)
{
    const sherd_format_file *files = job->format->files;
    char path[OUTPUT_PATH];
    sherd_status status = SHERD_OK;
    for (const sherd_format_file *f = files; f->what != NULL && status == SHERD_OK; ++f) {
        if (f->kind != NULL) continue;
        sherd_format_sibling_path(job, f->what, path);
        status = sherd_output_list_begin(job->own, path, error);
    }
    if (status == SHERD_OK) status = job->format->end(job, error);
    for (const sherd_format_file *f = files; f->what != NULL && status == SHERD_OK; ++f) {
        if (f->kind != NULL) continue;
        sherd_format_sibling_path(job, f->what, path);
        status = sherd_output_list_end(job->own, path, error);
    }
    return status;
}
