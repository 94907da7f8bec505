#include "output/formats/format_job.h"

#include <stdio.h>
#include <string.h>

void sherd_format_sibling_path(const sherd_format_job *job, const char *name,
                               char path[OUTPUT_PATH])
{
    const char *own_ending = strrchr(job->format->about.place, '.'), *ending = strrchr(name, '.');
    snprintf(path, OUTPUT_PATH, "%.*s%s", (int)(strlen(job->path) - strlen(own_ending)), job->path,
             ending);
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
