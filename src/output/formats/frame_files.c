#include "output/formats/frame_files.h"

#include "base/assertion.h"
#include "output/export/vtp.h"
#include "output/files/output_names.h"
#include "output/mesh_file/mesh_write.h"

#include <sherd/file.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAME_SIZE = 64 };

static void frame_name(char name[NAME_SIZE], const char *what, int64_t frame, const char *kind)
{
    snprintf(name, NAME_SIZE, "%s%06lld%s", what, (long long)frame, kind);
}

void sherd_frame_files_path(char path[OUTPUT_PATH], const char *folder, const char *what,
                            int64_t frame, const char *kind)
{
    char name[NAME_SIZE];
    frame_name(name, what, frame, kind);
    snprintf(path, OUTPUT_PATH, "%s/%s", folder, name);
}

static sherd_status out_of_memory(sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for a file"};
    return SHERD_ERROR_MEMORY;
}

sherd_status sherd_frame_files_write_ply(sherd_picture_maker *maker, sherd_replay_pose pose,
                                         int64_t frame, sherd_frame_target where,
                                         sherd_error *error)
{
    sherd_mesh *mesh = sherd_picture_maker_mesh(maker, pose, error);
    if (mesh == NULL) return error->status;
    size_t triangles = (size_t)mesh->triangle_count + 1;
    int32_t *fragment = calloc(triangles, sizeof *fragment);
    int32_t *material = calloc(triangles, sizeof *material);
    sherd_status status = SHERD_OK;
    if (fragment == NULL || material == NULL) {
        status = out_of_memory(error);
    } else {
        char path[OUTPUT_PATH];
        sherd_frame_files_path(path, where.folder, "frame_", frame, ".ply");
        sherd_picture_maker_face_ids(maker, fragment, material);
        status = sherd_output_list_begin(where.own, path, error);
        if (status == SHERD_OK)
            status =
                sherd_mesh_write_ply_ids(mesh, &(sherd_face_ids){fragment, material}, path, error);
        if (status == SHERD_OK) status = sherd_output_list_end(where.own, path, error);
    }
    free(fragment);
    free(material);
    sherd_mesh_destroy(mesh);
    return status;
}

static sherd_status write_surface(const sherd_picture_maker *maker, const sherd_run_frame *frame,
                                  sherd_frame_target where, sherd_error *error)
{
    int count = sherd_picture_maker_piece_count(maker);
    sherd_vtk_piece *pieces = calloc((size_t)count, sizeof *pieces);
    if (pieces == NULL) return out_of_memory(error);
    for (int k = 0; k < count; ++k)
        pieces[k] = sherd_picture_maker_piece(maker, k);
    char path[OUTPUT_PATH];
    sherd_frame_files_path(path, where.folder, "surface_", frame->index, ".vtp");
    sherd_status status = sherd_output_list_begin(where.own, path, error);
    if (status == SHERD_OK)
        status = sherd_vtp_write_pieces(path, frame->time, pieces, count, error);
    if (status == SHERD_OK) status = sherd_output_list_end(where.own, path, error);
    free(pieces);
    return status;
}

sherd_status sherd_frame_files_write_vtk(const sherd_picture_maker *maker,
                                         const sherd_run_model *model, const sherd_run_frame *frame,
                                         sherd_frame_target where, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_frame_files_path(path, where.folder, "elements_", frame->index, ".vtp");
    sherd_status status = sherd_output_list_begin(where.own, path, error);
    if (status == SHERD_OK) status = sherd_vtp_write_elements(path, model, frame, error);
    if (status == SHERD_OK) status = sherd_output_list_end(where.own, path, error);
    // Loose granules have no meshes.
    if (status != SHERD_OK || maker == NULL || sherd_picture_maker_piece_count(maker) == 0)
        return status;
    return write_surface(maker, frame, where, error);
}

sherd_status sherd_frame_files_write_csv(const sherd_run_model *model, const sherd_run_frame *frame,
                                         sherd_frame_target where, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_frame_files_path(path, where.folder, "elements_", frame->index, ".csv");
    sherd_status status = sherd_output_list_begin(where.own, path, error);
    if (status == SHERD_OK) status = sherd_csv_write_elements(path, model, frame, error);
    return status == SHERD_OK ? sherd_output_list_end(where.own, path, error) : status;
}

// ---------------------------------------------------------------- collections

static sherd_status write_collection(const char *what, const double *times, int64_t first,
                                     int64_t count, sherd_frame_target where, sherd_error *error)
{
    sherd_pvd_entry *entries = calloc((size_t)count, sizeof *entries);
    char(*names)[NAME_SIZE] = calloc((size_t)count, sizeof *names);
    sherd_status status = SHERD_OK;
    if (entries == NULL || names == NULL) status = out_of_memory(error);
    int64_t found = 0;
    char path[OUTPUT_PATH], series[NAME_SIZE / 2];
    snprintf(series, sizeof series, "%s_", what);
    for (int64_t k = 0; k < count && status == SHERD_OK; ++k) {
        sherd_frame_files_path(path, where.folder, series, first + k, ".vtp");
        if (isnan(times[k]) || !sherd_file_exists(path)) continue;
        frame_name(names[found], series, first + k, ".vtp");
        entries[found] = (sherd_pvd_entry){times[k], names[found]};
        ++found;
    }
    snprintf(path, sizeof path, "%s/%s.pvd", where.folder, what);
    bool any = found > 0;
    if (status == SHERD_OK && any) status = sherd_output_list_begin(where.own, path, error);
    if (status == SHERD_OK && any) status = sherd_pvd_write(path, entries, found, error);
    if (status == SHERD_OK && any) status = sherd_output_list_end(where.own, path, error);
    free(entries);
    free(names);
    return status;
}

sherd_status sherd_frame_files_write_pvd(sherd_run *run, const char *const *names, int64_t first,
                                         int64_t last, sherd_frame_target where, sherd_error *error)
{
    SHERD_ASSERT(first <= last, "a series has frames");
    int64_t count = last - first + 1;
    double *times = calloc((size_t)count, sizeof *times);
    sherd_status status = times != NULL ? SHERD_OK : out_of_memory(error);
    for (int64_t k = 0; k < count && status == SHERD_OK; ++k) {
        sherd_run_stats stats;
        status = sherd_run_read_stats(run, first + k, &stats, error);
        times[k] = status == SHERD_OK ? stats.time : NAN; // skip damaged frames
        if (status == SHERD_ERROR_INPUT) status = SHERD_OK;
    }
    for (int k = 0; names[k] != NULL && status == SHERD_OK; ++k)
        status = write_collection(names[k], times, first, count, where, error);
    free(times);
    return status;
}

// ---------------------------------------------------------------- forces of contacts

sherd_status sherd_contact_files_vtk(const sherd_format_job *job, const sherd_run_frame *frame,
                                     sherd_error *error)
{
    if (frame->contacts == NULL) return SHERD_OK;
    char path[OUTPUT_PATH];
    sherd_frame_files_path(path, job->path, "contacts_", frame->index, ".vtp");
    sherd_status status = sherd_output_list_begin(job->own, path, error);
    if (status == SHERD_OK) status = sherd_vtp_write_contacts(path, frame, error);
    return status == SHERD_OK ? sherd_output_list_end(job->own, path, error) : status;
}

static sherd_status begin_table(sherd_format_job *job, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_output_path(job->path, SHERD_CONTACTS_CSV, path);
    sherd_status status = sherd_output_list_begin(job->own, path, error);
    if (status != SHERD_OK) return status;
    job->contacts = sherd_csv_contacts_create(path, job->model, error);
    return job->contacts != NULL ? SHERD_OK : error->status;
}

sherd_status sherd_contact_files_csv(sherd_format_job *job, const sherd_run_frame *frame,
                                     sherd_error *error)
{
    if (frame->contacts == NULL) return SHERD_OK;
    sherd_status status = job->contacts == NULL ? begin_table(job, error) : SHERD_OK;
    if (status == SHERD_OK) sherd_csv_contacts_frame(job->contacts, frame);
    return status;
}

sherd_status sherd_contact_files_csv_end(sherd_format_job *job, sherd_error *error)
{
    if (job->contacts == NULL) return SHERD_OK;
    char path[OUTPUT_PATH];
    sherd_output_path(job->path, SHERD_CONTACTS_CSV, path);
    sherd_csv_contacts *table = job->contacts;
    job->contacts = NULL;
    sherd_status status = sherd_csv_contacts_commit(table, error);
    return status == SHERD_OK ? sherd_output_list_end(job->own, path, error) : status;
}

void sherd_contact_files_close(sherd_format_job *job)
{
    sherd_csv_contacts_abort(job->contacts);
    job->contacts = NULL;
}
