// Writes a frame of a run as .vtp and CSV.

#include "output/export/export_frame.h"

#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/export/frame_columns.h"
#include "output/export/joined_colors.h"
#include "output/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- elements

static int32_t *body_of_elements(const sherd_run_model *model, sherd_owned *owned)
{
    int32_t *body = sherd_owned_alloc(owned, (size_t)model->element_count, sizeof *body);
    for (int b = 0; body != NULL && b < model->body_count; ++b)
        for (sherd_element_index k = 0; k < model->bodies[b].count; ++k)
            body[model->bodies[b].first + k] = b;
    return body;
}

enum { OWN_ARRAYS = 7 }; // number of fixed arrays of elements

typedef struct element_arrays {
    int32_t *body, *material; // (n)
    double *points;           // (n x 3)
    float *velocity, *speed;  // (n x 3), (n)
} element_arrays;

static bool fill_element_arrays(element_arrays *a, const sherd_run_model *model,
                                const sherd_run_frame *frame, sherd_owned *owned)
{
    size_t n = (size_t)model->element_count;
    a->body = body_of_elements(model, owned);
    a->material = sherd_owned_alloc(owned, n, sizeof *a->material);
    a->points = sherd_owned_alloc(owned, 3 * n, sizeof *a->points);
    a->velocity = sherd_owned_alloc(owned, 3 * n, sizeof *a->velocity);
    a->speed = sherd_owned_alloc(owned, n, sizeof *a->speed);
    if (a->body == NULL || a->material == NULL || a->points == NULL || a->velocity == NULL ||
        a->speed == NULL)
        return false;
    for (size_t k = 0; k < n; ++k) {
        const double v[3] = {frame->vx[k], frame->vy[k], frame->vz[k]};
        a->material[k] = model->material[k];
        a->points[3 * k] = frame->x[k];
        a->points[3 * k + 1] = frame->y[k];
        a->points[3 * k + 2] = frame->z[k];
        for (int c = 0; c < 3; ++c)
            a->velocity[3 * k + (size_t)c] = (float)v[c];
        a->speed[k] = (float)sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    return true;
}

sherd_status sherd_vtp_write_elements(const char *path, const sherd_run_model *model,
                                      const sherd_run_frame *frame, sherd_error *error)
{
    sherd_owned owned = {0};
    element_arrays a = {0};
    sherd_status status = SHERD_OK;
    if (!fill_element_arrays(&a, model, frame, &owned)) status = sherd_fail_memory(error, path);
    sherd_vtk_array arrays[OWN_ARRAYS + SHERD_FRAME_COLUMNS] = {
        {"radius_m", SHERD_VTK_FLOAT64, 1, model->radius},
        {"fragment", SHERD_VTK_INT32, 1, frame->element_fragment},
        {"body", SHERD_VTK_INT32, 1, a.body},
        {"material", SHERD_VTK_INT32, 1, a.material},
        {"stress_ratio", SHERD_VTK_FLOAT32, 1, frame->stress_ratio},
        {"velocity_m_s", SHERD_VTK_FLOAT32, 3, a.velocity},
        {"speed_m_s", SHERD_VTK_FLOAT32, 1, a.speed},
    };
    int count =
        sherd_frame_columns_add(arrays, OWN_ARRAYS, frame, SHERD_RUN_PER_ELEMENT, NULL, 0, &owned);
    if (status == SHERD_OK && count < 0) status = sherd_fail_memory(error, path);
    sherd_vtk_mesh mesh = {.time = frame->time,
                           .point_count = model->element_count,
                           .points = a.points,
                           .point_array_count = count,
                           .point_arrays = arrays};
    if (status == SHERD_OK) status = sherd_vtp_write(path, &mesh, error);
    sherd_owned_free(&owned);
    return status;
}

static const char *const ELEMENT_NAMES[] = {
    "element", "body",     "material", "fragment", "x_m",          "y_m",
    "z_m",     "radius_m", "mass_kg",  "qx",       "qy",           "qz",
    "qw",      "vx_m_s",   "vy_m_s",   "vz_m_s",   "stress_ratio", NULL};

static void write_element_row(sherd_file_writer *writer, const sherd_run_model *model,
                              const sherd_run_frame *frame, const int32_t *body,
                              const sherd_frame_columns *more, size_t k)
{
    char text[SHERD_NUMBER_SIZE];
    const struct {
        double value;
        int digits;
    } cells[] = {{frame->x[k], 17},
                 {frame->y[k], 17},
                 {frame->z[k], 17},
                 {model->radius[k], 9},
                 {model->mass[k], 9},
                 {frame->qx[k], 9},
                 {frame->qy[k], 9},
                 {frame->qz[k], 9},
                 {frame->qw[k], 9},
                 {frame->vx[k], 9},
                 {frame->vy[k], 9},
                 {frame->vz[k], 9},
                 {(double)frame->stress_ratio[k], 9}};
    sherd_file_writer_printf(writer, "%zu,%d,%d,%d", k, body[k], model->material[k],
                             frame->element_fragment[k]);
    for (size_t c = 0; c < sizeof cells / sizeof *cells; ++c) {
        sherd_file_writer_text(writer, ",");
        sherd_file_writer_text(writer, sherd_number_text(text, cells[c].value, cells[c].digits));
    }
    sherd_frame_columns_write_row(more, k, writer);
}

sherd_status sherd_csv_write_elements(const char *path, const sherd_run_model *model,
                                      const sherd_run_frame *frame, sherd_error *error)
{
    sherd_owned owned = {0};
    const int32_t *body = body_of_elements(model, &owned);
    sherd_file_writer *writer = NULL;
    sherd_status status = SHERD_OK;
    if (body == NULL)
        status = sherd_fail_memory(error, path);
    else if ((writer = sherd_file_writer_create(path, error)) == NULL)
        status = error != NULL ? error->status : SHERD_ERROR_IO;
    if (status == SHERD_OK) {
        sherd_frame_columns more;
        sherd_frame_columns_find(&more, frame, SHERD_RUN_PER_ELEMENT, ELEMENT_NAMES);
        sherd_frame_columns_write_names(&more, ELEMENT_NAMES, writer);
        for (size_t k = 0; k < (size_t)model->element_count; ++k)
            write_element_row(writer, model, frame, body, &more, k);
        status = sherd_file_writer_commit(writer, error);
    }
    sherd_owned_free(&owned);
    return status;
}

// ---------------------------------------------------------------- pieces

typedef struct joined {
    int64_t point_count, triangle_count;
    double *points;
    float *normals;
    int32_t *triangles, *fragment;
    uint8_t *kind, *color; // color: NULL, the meshes have none
    sherd_mesh *paint;     // groups and colours of all pieces
} joined;

static bool join_alloc(joined *j, sherd_owned *owned)
{
    size_t n = (size_t)j->point_count, m = (size_t)j->triangle_count;
    j->points = sherd_owned_alloc(owned, 3 * n, sizeof *j->points);
    j->normals = sherd_owned_alloc(owned, 3 * n, sizeof *j->normals);
    j->triangles = sherd_owned_alloc(owned, 3 * m, sizeof *j->triangles);
    j->fragment = sherd_owned_alloc(owned, m, sizeof *j->fragment);
    j->kind = sherd_owned_alloc(owned, m, sizeof *j->kind);
    return j->points != NULL && j->normals != NULL && j->triangles != NULL && j->fragment != NULL &&
           j->kind != NULL;
}

static void join(joined *j, const sherd_vtk_piece *pieces, int piece_count)
{
    size_t points = 0, triangles = 0;
    for (int p = 0; p < piece_count; ++p) {
        const sherd_mesh *mesh = pieces[p].mesh;
        size_t n = (size_t)mesh->vertex_count, m = (size_t)mesh->triangle_count;
        memcpy(j->points + 3 * points, pieces[p].vertices, 3 * n * sizeof *j->points);
        for (size_t k = 0; pieces[p].normals != NULL && k < 3 * n; ++k)
            j->normals[3 * points + k] = (float)pieces[p].normals[k];
        for (size_t k = 0; k < 3 * m; ++k)
            j->triangles[3 * triangles + k] = mesh->triangles[k] + (int32_t)points;
        for (size_t k = 0; k < m; ++k) {
            j->fragment[triangles + k] = pieces[p].fragment;
            j->kind[triangles + k] = mesh->face_kind != NULL ? mesh->face_kind[k] : 0;
        }
        points += n;
        triangles += m;
    }
}

static bool join_paint(joined *j, sherd_owned *owned, const sherd_vtk_piece *pieces, int count)
{
    const sherd_mesh **parts = sherd_owned_alloc(owned, (size_t)count, sizeof(const sherd_mesh *));
    if (parts == NULL) return false;
    for (int p = 0; p < count; ++p)
        parts[p] = pieces[p].mesh;
    j->paint->vertex_count = (int32_t)j->point_count;
    j->paint->triangle_count = (int32_t)j->triangle_count;
    if (!sherd_join_colors(j->paint, parts, count)) return false;
    if (j->paint->color == NULL) return true;
    size_t numbers = 3 * (size_t)j->point_count;
    j->color = sherd_owned_alloc(owned, numbers, 1);
    for (size_t k = 0; j->color != NULL && k < numbers; ++k)
        j->color[k] = (uint8_t)lrintf(255.0f * fminf(fmaxf(j->paint->color[k], 0.0f), 1.0f));
    return j->color != NULL;
}

static sherd_status write_joined(const char *path, double time, const joined *j, bool normals,
                                 sherd_error *error)
{
    const sherd_vtk_array normal = {"normal", SHERD_VTK_FLOAT32, 3, j->normals},
                          color = {"color", SHERD_VTK_UINT8, 3, j->color};
    const sherd_vtk_array point[] = {normals ? normal : color, color};
    const sherd_vtk_array cell[] = {{"fragment", SHERD_VTK_INT32, 1, j->fragment},
                                    {"face_kind", SHERD_VTK_UINT8, 1, j->kind},
                                    {"group", SHERD_VTK_INT32, 1, j->paint->group}};
    int cell_arrays = j->paint->group != NULL ? 3 : 2;
    sherd_vtk_mesh mesh = {.time = time,
                           .point_count = j->point_count,
                           .points = j->points,
                           .triangle_count = j->triangle_count,
                           .triangles = j->triangles,
                           .point_array_count = normals + (j->color != NULL),
                           .point_arrays = point,
                           // Without triangles the cells are points, which have no arrays.
                           .cell_array_count = j->triangle_count > 0 ? cell_arrays : 0,
                           .cell_arrays = cell,
                           .group_count = j->paint->group_count,
                           .group_names = j->paint->group_names};
    return sherd_vtp_write(path, &mesh, error);
}

sherd_status sherd_vtp_write_pieces(const char *path, double time, const sherd_vtk_piece *pieces,
                                    int piece_count, sherd_error *error)
{
    joined j = {0};
    bool normals = piece_count > 0;
    for (int p = 0; p < piece_count; ++p) {
        j.point_count += pieces[p].mesh->vertex_count;
        j.triangle_count += pieces[p].mesh->triangle_count;
        normals = normals && pieces[p].normals != NULL;
    }
    if (j.point_count > INT32_MAX)
        return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, path, "use larger surface cells",
                          "%lld vertices do not fit one file", (long long)j.point_count);
    sherd_owned owned = {0};
    sherd_status status;
    j.paint = sherd_mesh_create(0, 0, error);
    if (j.paint == NULL || !join_alloc(&j, &owned) ||
        !join_paint(&j, &owned, pieces, piece_count)) {
        status = sherd_fail_memory(error, path);
    } else {
        join(&j, pieces, piece_count);
        status = write_joined(path, time, &j, normals, error);
    }
    sherd_mesh_destroy(j.paint);
    sherd_owned_free(&owned);
    return status;
}
