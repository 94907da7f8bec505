#include "output/formats/dust_files.h"

#include "output/dust/dust_file.h"
#include "output/formats/frame_files.h"

typedef sherd_status dust_writer(const char *path, double time, const sherd_dust_view *view,
                                 sherd_error *error);

static sherd_status write_csv(const char *path, double time, const sherd_dust_view *view,
                              sherd_error *error)
{
    (void)time;
    return sherd_dust_write_csv(path, view, error);
}

static sherd_status write_ply(const char *path, double time, const sherd_dust_view *view,
                              sherd_error *error)
{
    (void)time;
    return sherd_dust_write_ply(path, view, error);
}

static sherd_status write_file(const sherd_format_job *job, const sherd_run_frame *frame,
                               dust_writer *writer, const char *kind, sherd_error *error)
{
    if (job->dust == NULL) return SHERD_OK;
    char path[OUTPUT_PATH];
    sherd_dust_view view;
    sherd_frame_files_path(path, job->path, "dust_", frame->index, kind);
    sherd_status status = sherd_output_list_begin(job->own, path, error);
    if (status != SHERD_OK) return status;
    status = sherd_dust_at(job->dust, frame->time, &view, error);
    if (status == SHERD_OK) status = writer(path, frame->time, &view, error);
    sherd_dust_view_free(&view);
    return status == SHERD_OK ? sherd_output_list_end(job->own, path, error) : status;
}

sherd_status sherd_dust_files_vtk(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error)
{
    return write_file(job, frame, sherd_dust_write_vtp, ".vtp", error);
}

sherd_status sherd_dust_files_csv(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error)
{
    return write_file(job, frame, write_csv, ".csv", error);
}

sherd_status sherd_dust_files_xyz(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error)
{
    return write_file(job, frame, sherd_dust_write_xyz, ".xyz", error);
}

sherd_status sherd_dust_files_ply(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error)
{
    if (job->pose == SHERD_REPLAY_REST) return SHERD_OK;
    return write_file(job, frame, write_ply, ".ply", error);
}
