// Writes meshes as binary PLY and STL, little-endian.

#include "output/mesh_file/mesh_write.h"

#include "base/error.h"
#include "base/file_writer.h"
#include "geometry/mesh/mesh_access.h"
#include "output/byte_order.h"

#include <math.h>

static const double *corner(const sherd_mesh *mesh, int32_t triangle, int k)
{
    return mesh->vertices + 3 * (size_t)mesh->triangles[3 * (size_t)triangle + (size_t)k];
}

static sherd_file_writer *open_writer(const char *path, sherd_status *status, sherd_error *error)
{
    sherd_error problem = {0};
    sherd_file_writer *writer = sherd_file_writer_create(path, &problem);
    *status = writer != NULL ? SHERD_OK : problem.status;
    if (writer == NULL && error != NULL) *error = problem;
    return writer;
}

static void write_ply_header(sherd_file_writer *writer, const sherd_mesh *mesh, bool has_ids)
{
    sherd_file_writer_text(writer,
                           "ply\nformat binary_little_endian 1.0\ncomment made by Sherd, metres\n");
    for (int32_t k = 0; k < mesh->group_count; ++k)
        sherd_file_writer_printf(writer, "comment group %d %.200s\n", (int)k,
                                 sherd_mesh_group_name(mesh, k));
    sherd_file_writer_printf(writer,
                             "element vertex %d\nproperty float x\nproperty float y\n"
                             "property float z\n",
                             (int)mesh->vertex_count);
    if (mesh->normals != NULL)
        sherd_file_writer_text(writer, "property float nx\nproperty float ny\nproperty float nz\n");
    if (mesh->color != NULL)
        sherd_file_writer_text(writer,
                               "property uchar red\nproperty uchar green\nproperty uchar blue\n");
    sherd_file_writer_printf(writer, "element face %d\nproperty list uchar int vertex_indices\n",
                             (int)mesh->triangle_count);
    if (mesh->uv != NULL) sherd_file_writer_text(writer, "property list uchar float texcoord\n");
    if (mesh->face_kind != NULL) sherd_file_writer_text(writer, "property uchar inner\n");
    if (mesh->group != NULL) sherd_file_writer_text(writer, "property int group\n");
    if (has_ids) sherd_file_writer_text(writer, "property int fragment\nproperty int material\n");
    sherd_file_writer_text(writer, "end_header\n");
}

static unsigned char color_byte(double fraction)
{
    return (unsigned char)(255.0 * fmin(fmax(fraction, 0.0), 1.0) + 0.5);
}

static void write_ply_vertices(sherd_file_writer *writer, const sherd_mesh *mesh)
{
    for (size_t v = 0; v < (size_t)mesh->vertex_count; ++v) {
        unsigned char bytes[27], *end = bytes + (mesh->normals != NULL ? 24 : 12);
        for (size_t k = 0; k < 3; ++k) {
            sherd_store_f32(bytes + 4 * k, mesh->vertices[3 * v + k]);
            if (mesh->normals != NULL)
                sherd_store_f32(bytes + 12 + 4 * k, mesh->normals[3 * v + k]);
        }
        for (size_t k = 0; mesh->color != NULL && k < 3; ++k)
            *end++ = color_byte((double)mesh->color[3 * v + k]);
        sherd_file_writer_write(writer, bytes, (size_t)(end - bytes));
    }
}

static void write_ply_faces(sherd_file_writer *writer, const sherd_mesh *mesh,
                            const sherd_face_ids *ids)
{
    for (size_t t = 0; t < (size_t)mesh->triangle_count; ++t) {
        unsigned char bytes[51] = {3}, *to = bytes + 13;
        for (size_t k = 0; k < 3; ++k)
            sherd_store_u32(bytes + 1 + 4 * k, (uint32_t)mesh->triangles[3 * t + k]);
        if (mesh->uv != NULL) {
            *to++ = 6;
            for (size_t k = 0; k < 6; ++k, to += 4)
                sherd_store_f32(to, (double)mesh->uv[6 * t + k]);
        }
        if (mesh->face_kind != NULL) *to++ = mesh->face_kind[t];
        if (mesh->group != NULL) {
            sherd_store_u32(to, (uint32_t)mesh->group[t]);
            to += 4;
        }
        if (ids != NULL) {
            sherd_store_u32(to, (uint32_t)ids->fragment[t]);
            sherd_store_u32(to + 4, (uint32_t)ids->material[t]);
            to += 8;
        }
        sherd_file_writer_write(writer, bytes, (size_t)(to - bytes));
    }
}

sherd_status sherd_mesh_write_ply_ids(const sherd_mesh *mesh, const sherd_face_ids *ids,
                                      const char *path, sherd_error *error)
{
    sherd_status status;
    sherd_file_writer *writer = open_writer(path, &status, error);
    if (writer == NULL) return status;
    write_ply_header(writer, mesh, ids != NULL);
    write_ply_vertices(writer, mesh);
    write_ply_faces(writer, mesh, ids);
    return sherd_file_writer_commit(writer, error);
}

sherd_status sherd_mesh_write_ply(const sherd_mesh *mesh, const char *path, sherd_error *error)
{
    return sherd_mesh_write_ply_ids(mesh, NULL, path, error);
}

// Unit normal of a triangle; zero if it has no area, as the format allows.
static void unit_normal(const sherd_mesh *mesh, int32_t t, double normal[3])
{
    const double *a = corner(mesh, t, 0), *b = corner(mesh, t, 1), *c = corner(mesh, t, 2);
    double u[3], v[3], squared = 0.0;
    for (int k = 0; k < 3; ++k)
        u[k] = b[k] - a[k], v[k] = c[k] - a[k];
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        normal[k] = u[i] * v[j] - u[j] * v[i];
        squared += normal[k] * normal[k];
    }
    for (int k = 0; k < 3; ++k)
        normal[k] *= squared > 0.0 ? 1.0 / sqrt(squared) : 0.0;
}

sherd_status sherd_mesh_write_stl(const sherd_mesh *mesh, const char *path, sherd_error *error)
{
    sherd_status status;
    sherd_file_writer *writer = open_writer(path, &status, error);
    if (writer == NULL) return status;
    // Readers take a file that starts with "solid" for text.
    unsigned char header[84] = "binary STL made by Sherd, metres";
    sherd_store_u32(header + 80, (uint32_t)mesh->triangle_count);
    sherd_file_writer_write(writer, header, sizeof header);
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        unsigned char record[50] = {0};
        double normal[3];
        unit_normal(mesh, t, normal);
        for (int k = 0; k < 3; ++k) {
            sherd_store_f32(record + 4 * k, normal[k]);
            for (int axis = 0; axis < 3; ++axis)
                sherd_store_f32(record + 12 + 12 * k + 4 * axis, corner(mesh, t, k)[axis]);
        }
        sherd_file_writer_write(writer, record, sizeof record);
    }
    return sherd_file_writer_commit(writer, error);
}
