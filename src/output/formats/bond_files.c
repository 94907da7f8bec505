#include "output/formats/bond_files.h"

#include "base/assertion.h"
#include "base/error.h"
#include "output/export/export_bonds.h"
#include "output/files/output_names.h"
#include "output/formats/frame_files.h"

#include <math.h>
#include <stdlib.h>

struct sherd_bond_files {
    sherd_frame_target where;
    sherd_run_breaks *breaks;
    double *position; // position of each break, NAN: not broken yet (3 x bonds)
    int64_t before;   // the last frame written, initially the one before the first
    bool begun;       // a frame has been written
};

sherd_status sherd_bond_files_begin(sherd_format_job *job, sherd_error *error)
{
    sherd_bond_files *b = job->state = calloc(1, sizeof *b);
    if (b == NULL) return sherd_fail_memory(error, "lists of bonds");
    b->where = (sherd_frame_target){job->own, job->path};
    b->before = job->first - 1;
    b->breaks = sherd_run_read_breaks(job->run, job->last, error);
    if (b->breaks == NULL) return error->status;
    size_t numbers = 3 * (size_t)b->breaks->bond_count;
    b->position = malloc((numbers + 1) * sizeof *b->position);
    if (b->position == NULL) return sherd_fail_memory(error, "places of breaks");
    for (size_t k = 0; k < numbers; ++k)
        b->position[k] = (double)NAN;
    return SHERD_OK;
}

void sherd_bond_files_end(sherd_format_job *job)
{
    sherd_bond_files *b = job->state;
    if (b == NULL) return;
    sherd_run_breaks_destroy(b->breaks);
    free(b->position);
    free(b);
    job->state = NULL;
}

sherd_status sherd_bond_files_vtk(sherd_bond_files *b, const sherd_run_model *model,
                                  const sherd_run_frame *frame, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_frame_files_path(path, b->where.folder, "bonds_", frame->index, ".vtp");
    sherd_status status = sherd_output_list_begin(b->where.own, path, error);
    if (status == SHERD_OK) status = sherd_vtp_write_bonds(path, model, frame, error);
    if (status == SHERD_OK) status = sherd_output_list_end(b->where.own, path, error);
    if (status != SHERD_OK) return status;
    sherd_frame_files_path(path, b->where.folder, "breaks_", frame->index, ".vtp");
    status = sherd_output_list_begin(b->where.own, path, error);
    if (status == SHERD_OK)
        status = sherd_vtp_write_breaks(path, model, frame, b->breaks, b->before, error);
    if (status == SHERD_OK) status = sherd_output_list_end(b->where.own, path, error);
    b->before = frame->index;
    return status;
}

static sherd_status write_bonds(const sherd_bond_files *b, const sherd_run_model *model,
                                const sherd_run_frame *frame, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_output_path(b->where.folder, SHERD_BONDS_CSV, path);
    sherd_status status = sherd_output_list_begin(b->where.own, path, error);
    if (status == SHERD_OK) status = sherd_csv_write_bonds(path, model, b->breaks, frame, error);
    return status == SHERD_OK ? sherd_output_list_end(b->where.own, path, error) : status;
}

static bool has_bond_columns(const sherd_run_frame *frame)
{
    for (int k = 0; k < frame->column_count; ++k)
        if (frame->columns[k].per == SHERD_RUN_PER_BOND) return true;
    return false;
}

static sherd_status write_columns(const sherd_bond_files *b, const sherd_run_model *model,
                                  const sherd_run_frame *frame, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_frame_files_path(path, b->where.folder, "bonds_", frame->index, ".csv");
    sherd_status status = sherd_output_list_begin(b->where.own, path, error);
    if (status == SHERD_OK) status = sherd_csv_write_bond_columns(path, model, frame, error);
    return status == SHERD_OK ? sherd_output_list_end(b->where.own, path, error) : status;
}

sherd_status sherd_bond_files_csv(sherd_bond_files *b, const sherd_run_model *model,
                                  const sherd_run_frame *frame, sherd_error *error)
{
    SHERD_ASSERT(frame->index > b->before, "frames of an export advance");
    for (sherd_bond_index k = 0; k < b->breaks->bond_count; ++k) {
        if (b->breaks->broken[k] <= b->before || b->breaks->broken[k] > frame->index) continue;
        sherd_vec3 middle = sherd_bond_middle(model, frame, k);
        double *position = b->position + 3 * k;
        position[0] = middle.x, position[1] = middle.y, position[2] = middle.z;
    }
    b->before = frame->index;
    sherd_status status =
        has_bond_columns(frame) ? write_columns(b, model, frame, error) : SHERD_OK;
    if (status != SHERD_OK || b->begun) return status;
    b->begun = true;
    return write_bonds(b, model, frame, error);
}

sherd_status sherd_bond_files_csv_breaks(sherd_bond_files *b, const sherd_run_model *model,
                                         sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_output_path(b->where.folder, SHERD_BREAKS_CSV, path);
    sherd_status status = sherd_output_list_begin(b->where.own, path, error);
    if (status == SHERD_OK)
        status = sherd_csv_write_breaks(path, model, b->breaks, b->position, error);
    return status == SHERD_OK ? sherd_output_list_end(b->where.own, path, error) : status;
}
