#include "export/bond_files.h"

#include <sherd/export_bonds.h>

#include <math.h>
#include <stdlib.h>

static const char BONDS[] = "bonds.csv", BREAKS[] = "breaks.csv";

void bond_files_look_csv(in_the_way *way, const char *folder)
{
    const char *const names[] = {BONDS, BREAKS};
    for (int k = 0; k < 2; ++k) {
        char path[OUTPUT_PATH];
        output_path(folder, names[k], path);
        in_the_way_look(way, path);
    }
}

sherd_status bond_files_open(bond_files *b, sherd_run *run, int64_t first, int64_t last,
                             sherd_error *error)
{
    b->before = first - 1;
    b->breaks = sherd_run_read_breaks(run, last, error);
    if (b->breaks == NULL) return error->status;
    size_t numbers = 3 * (size_t)b->breaks->bond_count;
    b->place = malloc((numbers + 1) * sizeof *b->place);
    if (b->place == NULL) {
        *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory"};
        return SHERD_ERROR_MEMORY;
    }
    for (size_t k = 0; k < numbers; ++k)
        b->place[k] = (double)NAN;
    return SHERD_OK;
}

void bond_files_close(bond_files *b)
{
    sherd_run_breaks_destroy(b->breaks);
    free(b->place);
}

sherd_status bond_files_vtk(bond_files *b, const sherd_run_model *model,
                            const sherd_run_frame *frame, sherd_error *error)
{
    char path[OUTPUT_PATH];
    frame_files_path(path, b->where.folder, "bonds", frame->index, "vtp");
    sherd_status status = own_files_begin(b->where.own, path, error);
    if (status == SHERD_OK) status = sherd_vtp_write_bonds(path, model, frame, error);
    if (status == SHERD_OK) status = own_files_end(b->where.own, path, error);
    if (status != SHERD_OK) return status;
    frame_files_path(path, b->where.folder, "breaks", frame->index, "vtp");
    status = own_files_begin(b->where.own, path, error);
    if (status == SHERD_OK)
        status = sherd_vtp_write_breaks(path, model, frame, b->breaks, b->before, error);
    if (status == SHERD_OK) status = own_files_end(b->where.own, path, error);
    b->before = frame->index;
    return status;
}

static sherd_status write_bonds(const bond_files *b, const sherd_run_model *model,
                                const sherd_run_frame *frame, sherd_error *error)
{
    char path[OUTPUT_PATH];
    output_path(b->where.folder, BONDS, path);
    sherd_status status = own_files_begin(b->where.own, path, error);
    if (status == SHERD_OK) status = sherd_csv_write_bonds(path, model, b->breaks, frame, error);
    return status == SHERD_OK ? own_files_end(b->where.own, path, error) : status;
}

sherd_status bond_files_csv(bond_files *b, const sherd_run_model *model,
                            const sherd_run_frame *frame, sherd_error *error)
{
    for (sherd_bond_index k = 0; k < b->breaks->bond_count; ++k) {
        if (b->breaks->broken[k] <= b->before || b->breaks->broken[k] > frame->index) continue;
        sherd_vec3 middle = sherd_bond_middle(model, frame, k);
        double *place = b->place + 3 * k;
        place[0] = middle.x, place[1] = middle.y, place[2] = middle.z;
    }
    b->before = frame->index;
    if (b->begun) return SHERD_OK;
    b->begun = true;
    return write_bonds(b, model, frame, error);
}

sherd_status bond_files_csv_breaks(bond_files *b, const sherd_run_model *model, sherd_error *error)
{
    char path[OUTPUT_PATH];
    output_path(b->where.folder, BREAKS, path);
    sherd_status status = own_files_begin(b->where.own, path, error);
    if (status == SHERD_OK)
        status = sherd_csv_write_breaks(path, model, b->breaks, b->place, error);
    return status == SHERD_OK ? own_files_end(b->where.own, path, error) : status;
}
