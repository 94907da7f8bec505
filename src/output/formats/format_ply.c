// Meshes of fragments, a PLY file per frame.
#include "output/formats/dust_files.h"
#include "output/formats/format_job.h"
#include "output/formats/frame_files.h"

static sherd_status write_frame(sherd_format_job *job, const sherd_run_frame *frame,
                                sherd_error *error)
{
    sherd_frame_target where = {job->own, job->path};
    sherd_status status =
        sherd_frame_files_write_ply(job->meshes, job->pose, frame->index, where, error);
    return status == SHERD_OK ? sherd_dust_files_ply(job, frame, error) : status;
}

static const sherd_format_file FILES[] = {
    {"frame_", ".ply", MADE_BY_RUN}, {"dust_", ".ply", MADE_BY_RUN}, {0}};

const sherd_format sherd_format_ply = {
    .about = {.word = "ply",
              .place = "surface",
              .rest_place = "rest",
              .needs = SHERD_EXPORT_FROM_MESHES,
              .in_runs = true,
              .doc = "  ply      all fragments as one mesh per frame; with --rest undeformed, each "
                     "body in its own\n"
                     "           frame, so that fragments touch exactly\n"
                     "           -o: folder, default RUN/surface, with --rest RUN/rest\n"},
    .files = FILES,
    .frame = write_frame,
};
