#include "output/formats/dust_files.h"

#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/dust/dust.h"
#include "output/export/vtp.h"
#include "output/formats/frame_files.h"
#include "output/text.h"

// A row per grain with position, velocity, size, age, mass, body and the fragment it came from. A
// grain has the same row in the files of all frames.

// Points with radius_m, velocity_m_s, age_s, mass_kg, fragment and body, for ParaView.
static sherd_status write_vtp(const char *path, double time, const sherd_dust_view *view,
                              sherd_error *error)
{
    size_t n = (size_t)view->count;
    double *points = sherd_alloc(3 * n, sizeof *points);
    float *radius = sherd_alloc(n, sizeof *radius);
    sherd_status status = SHERD_OK;
    if (points == NULL || radius == NULL) {
        status = sherd_fail_memory(error, path);
    } else {
        for (size_t k = 0; k < n; ++k) {
            points[3 * k] = view->x[k];
            points[3 * k + 1] = view->y[k];
            points[3 * k + 2] = view->z[k];
            radius[k] = (float)view->radius[k];
        }
        const sherd_vtk_array arrays[] = {{"radius_m", SHERD_VTK_FLOAT32, 1, radius},
                                          {"velocity_m_s", SHERD_VTK_FLOAT32, 3, view->velocity},
                                          {"age_s", SHERD_VTK_FLOAT32, 1, view->age},
                                          {"mass_kg", SHERD_VTK_FLOAT32, 1, view->mass},
                                          {"fragment", SHERD_VTK_INT32, 1, view->fragment},
                                          {"body", SHERD_VTK_INT32, 1, view->body}};
        const sherd_vtk_mesh mesh = {.time = time,
                                     .point_count = view->count,
                                     .points = points,
                                     .point_array_count = sizeof arrays / sizeof *arrays,
                                     .point_arrays = arrays};
        status = sherd_vtp_write(path, &mesh, error);
    }
    sherd_free(points);
    sherd_free(radius);
    return status;
}

// body,fragment,x_m,y_m,z_m,radius_m,mass_kg,age_s,vx_m_s,vy_m_s,vz_m_s
static sherd_status write_csv(const char *path, double time, const sherd_dust_view *view,
                              sherd_error *error)
{
    (void)time;
    sherd_file_writer *writer = sherd_file_writer_create(path, error);
    if (writer == NULL) return error != NULL ? error->status : SHERD_ERROR_IO;
    sherd_file_writer_text(writer, "body,fragment,x_m,y_m,z_m,radius_m,mass_kg,age_s,vx_m_s,"
                                   "vy_m_s,vz_m_s\n");
    for (int64_t k = 0; k < view->count; ++k) {
        const float *v = view->velocity + 3 * k;
        sherd_file_writer_printf(writer, "%d,%d,%.9g,%.9g,%.9g,%.7g,%.7g,%.7g,%.7g,%.7g,%.7g\n",
                                 view->body[k], view->fragment[k], view->x[k], view->y[k],
                                 view->z[k], view->radius[k], (double)view->mass[k],
                                 (double)view->age[k], (double)v[0], (double)v[1], (double)v[2]);
    }
    return sherd_file_writer_commit(writer, error);
}

// Extended XYZ: species (dust), pos, radius, mass, velo, age, fragment, body.
static sherd_status write_xyz(const char *path, double time, const sherd_dust_view *view,
                              sherd_error *error)
{
    char text[SHERD_NUMBER_SIZE];
    sherd_file_writer *writer = sherd_file_writer_create(path, error);
    if (writer == NULL) return error != NULL ? error->status : SHERD_ERROR_IO;
    sherd_file_writer_printf(writer,
                             "%lld\nProperties=species:S:1:pos:R:3:radius:R:1:mass:R:1:velo:R:3:"
                             "age:R:1:fragment:I:1:body:I:1 pbc=\"F F F\" Time=%s\n",
                             (long long)view->count, sherd_number_text(text, time, 17));
    for (int64_t k = 0; k < view->count; ++k) {
        const float *v = view->velocity + 3 * k;
        sherd_file_writer_printf(
            writer, "dust %.9g %.9g %.9g %.7g %.7g %.7g %.7g %.7g %.7g %d %d\n", view->x[k],
            view->y[k], view->z[k], view->radius[k], (double)view->mass[k], (double)v[0],
            (double)v[1], (double)v[2], (double)view->age[k], view->fragment[k], view->body[k]);
    }
    return sherd_file_writer_commit(writer, error);
}

// A row of the PLY file.
typedef struct ply_row {
    float x, y, z, radius, vx, vy, vz, age, mass;
    int32_t fragment, body;
} ply_row;
_Static_assert(sizeof(ply_row) == 44, "rows are written as they are");

// Vertices with x, y, z, radius, vx, vy, vz, age, mass as floats, fragment and body as integers.
static sherd_status write_ply(const char *path, double time, const sherd_dust_view *view,
                              sherd_error *error)
{
    (void)time;
    static const char *const FLOATS[] = {"x", "y", "z", "radius", "vx", "vy", "vz", "age", "mass"};
    sherd_file_writer *writer = sherd_file_writer_create(path, error);
    if (writer == NULL) return error != NULL ? error->status : SHERD_ERROR_IO;
    sherd_file_writer_printf(writer,
                             "ply\nformat binary_little_endian 1.0\n"
                             "comment dust by Sherd, in metres, seconds and kilograms\n"
                             "element vertex %lld\n",
                             (long long)view->count);
    for (size_t k = 0; k < sizeof FLOATS / sizeof *FLOATS; ++k)
        sherd_file_writer_printf(writer, "property float %s\n", FLOATS[k]);
    sherd_file_writer_text(writer, "property int fragment\nproperty int body\nend_header\n");
    for (int64_t k = 0; k < view->count; ++k) {
        const float *v = view->velocity + 3 * k;
        const ply_row row = {(float)view->x[k],
                             (float)view->y[k],
                             (float)view->z[k],
                             (float)view->radius[k],
                             v[0],
                             v[1],
                             v[2],
                             view->age[k],
                             view->mass[k],
                             view->fragment[k],
                             view->body[k]};
        sherd_file_writer_write(writer, &row, sizeof row);
    }
    return sherd_file_writer_commit(writer, error);
}

typedef sherd_status dust_writer(const char *path, double time, const sherd_dust_view *view,
                                 sherd_error *error);

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
    return write_file(job, frame, write_vtp, ".vtp", error);
}

sherd_status sherd_dust_files_csv(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error)
{
    return write_file(job, frame, write_csv, ".csv", error);
}

sherd_status sherd_dust_files_xyz(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error)
{
    return write_file(job, frame, write_xyz, ".xyz", error);
}

sherd_status sherd_dust_files_ply(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error)
{
    if (job->pose == SHERD_REPLAY_REST) return SHERD_OK;
    return write_file(job, frame, write_ply, ".ply", error);
}
