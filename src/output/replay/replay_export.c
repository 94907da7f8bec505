#include "base/error.h"
#include "output/formats/format_job.h"
#include "output/formats/picture_files.h"
#include "output/replay/replay.h"

#include <sherd/file.h>

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- where to

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

// The given path, or the run's folder.
static void choose_place(const sherd_replay_def *def, const sherd_export_format *format,
                         char place[OUTPUT_PATH])
{
    bool rest = def->pose == SHERD_REPLAY_REST && format->rest_place != NULL;
    if (def->place != NULL)
        snprintf(place, OUTPUT_PATH, "%s", def->place);
    else
        sherd_output_path(def->folder, rest ? format->rest_place : format->place, place);
}

// For formats made of all frames: a given file with their extension, or the default name in a
// folder.
static void choose_file(const sherd_export_format *format, const char *place,
                        char path[OUTPUT_PATH])
{
    const char *end = strrchr(format->place, '.');
    bool is_usd = strcmp(end != NULL ? end : "", ".usdc") == 0; // .usd is either encoding
    if (!format->whole || ends_with(place, end) || (is_usd && ends_with(place, ".usd")))
        snprintf(path, OUTPUT_PATH, "%s", place);
    else
        sherd_output_path(place, format->place, path);
}

const char *sherd_replay_export_place(const sherd_replay_def *def, int format, char *path,
                                      size_t size)
{
    char place[OUTPUT_PATH], file[OUTPUT_PATH];
    choose_place(def, sherd_export_format_get(format), place);
    choose_file(sherd_export_format_get(format), place, file);
    snprintf(path, size, "%s", file);
    return path;
}

// ---------------------------------------------------------------- formats of a file per frame

static void look_for_series(const sherd_replay *r, const sherd_format_job *job,
                            sherd_overwrite_check *way)
{
    for (const sherd_format_file *f = job->format->files; f->what != NULL; ++f) {
        char path[OUTPUT_PATH];
        sherd_output_path(job->path, f->what, path);
        if (f->kind != NULL)
            sherd_replay_look(r, way, job->path, f->what, f->kind);
        else
            sherd_overwrite_check_file(way, path);
    }
}

static sherd_status work(void *job, const sherd_run_frame *frame, sherd_error *error)
{
    return ((sherd_format_job *)job)->format->frame(job, frame, error);
}

static sherd_status export_frames(sherd_replay *r, sherd_format_job *job, sherd_error *error)
{
    const sherd_format *format = job->format;
    sherd_overwrite_check way = {.own = r->own};
    if (r->def->place == NULL) sherd_overwrite_check_folder(&way, job->path);
    look_for_series(r, job, &way);
    sherd_status status = sherd_replay_check(r, &way, error);
    if (status == SHERD_OK) status = sherd_folder_create(job->path, error);
    if (status == SHERD_OK && format->begin != NULL) status = format->begin(job, error);
    if (status == SHERD_OK) status = sherd_replay_frames(r, work, job, error);
    if (status == SHERD_OK && format->end != NULL) status = format->end(job, error);
    if (format->close != NULL) format->close(job);
    return status;
}

// ---------------------------------------------------------------- formats of all frames at once

// `place` is the file or its folder.
static sherd_status export_whole(sherd_replay *r, sherd_format_job *job, const char *place,
                                 sherd_error *error)
{
    const sherd_format_file *files = job->format->files;
    char path[OUTPUT_PATH];
    sherd_overwrite_check way = {.own = r->own};
    int pictures = sherd_picture_files_most(job->scene);
    for (const sherd_format_file *f = files; f->what != NULL; ++f) {
        if (f->kind == NULL) {
            sherd_format_sibling_path(job, f->what, path);
            sherd_overwrite_check_file(&way, path);
        }
        for (int k = 0; f->kind != NULL && k < pictures; ++k) {
            sherd_picture_files_path(job, k, f->kind, path);
            sherd_overwrite_check_file(&way, path);
        }
    }
    sherd_status status = sherd_replay_check(r, &way, error);
    if (status == SHERD_OK && strcmp(place, job->path) != 0)
        status = sherd_folder_create(place, error);
    return status == SHERD_OK ? sherd_format_write_whole(job, error) : status;
}

// ---------------------------------------------------------------- both

static sherd_status refuse(const sherd_replay_def *def, int format, sherd_error *error)
{
    const sherd_format *f =
        format >= 0 && format < sherd_format_count() ? sherd_format_get(format) : NULL;
    if (f == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "format", NULL, "there is no format %d",
                          format);
    if (def->pose == SHERD_REPLAY_REST && f->about.rest_place == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "replay.pose", NULL,
                          "%s has no undeformed meshes", f->about.word);
    return SHERD_OK;
}

static sherd_format_job job_of(const sherd_replay *r, const sherd_format *format, const char *path,
                               sherd_export_result *result)
{
    const sherd_replay_def *def = r->def;
    return (sherd_format_job){
        .format = format,
        .own = r->own,
        .path = path,
        .folder = def->folder,
        .model = &r->model,
        .scene = def->scene,
        .run = def->run,
        .meshes = r->pictures,
        .dust = r->dust,
        .pose = def->pose,
        .first = def->first,
        .last = def->last,
        .threads = def->threads,
        .on_frame = def->on_frame,
        .context = def->context,
        .result = result,
        .max_size = def->max_size,
        .page = def->page,
    };
}

sherd_status sherd_replay_export(const sherd_replay_def *def, int format,
                                 sherd_export_result *result, sherd_error *error)
{
    *result = (sherd_export_result){0};
    sherd_status status = refuse(def, format, error);
    if (status != SHERD_OK) return status;
    const sherd_format *f = sherd_format_get(format);
    sherd_replay r;
    char place[OUTPUT_PATH], path[OUTPUT_PATH];
    status = sherd_replay_open(&r, def, f->about.needs, SHERD_PICTURES_AND_MESHES, error);
    if (status == SHERD_OK) {
        choose_place(def, &f->about, place);
        choose_file(&f->about, place, path);
        sherd_format_job job = job_of(&r, f, path, result);
        status =
            f->about.whole ? export_whole(&r, &job, place, error) : export_frames(&r, &job, error);
    }
    result->damaged = r.damaged;
    sherd_replay_close(&r);
    return status;
}

const char *sherd_export_result_text(const sherd_export_result *result, const char *path,
                                     char *text, size_t size)
{
    char bytes[SHERD_BYTES_TEXT];
    int used = snprintf(text, size, "%s: %d moving pieces, %s", path, result->pieces,
                        sherd_bytes_text((double)result->size, bytes));
    if (result->left_out > 0 && used >= 0 && (size_t)used < size)
        used += snprintf(
            text + used, size - (size_t)used,
            "\n  without the %lld loose granules: too many for such a file, --to vtk takes "
            "them",
            (long long)result->left_out);
    if (result->crumbs_left_out > 0 && used >= 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used,
                 "\n  without the %lld smallest crumbs of output.debris: pictures show them",
                 (long long)result->crumbs_left_out);
    return text;
}
