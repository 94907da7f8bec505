// Figures of the surface that a run wrote as PLY: `from` of the column is the frame.
#include "paper/paper_measure.h"

#include "message.h"

#include <sherd/mesh.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static sherd_mesh *read_frame(const char *folder, const paper_column *column)
{
    char name[64], path[MESSAGE_PATH];
    sherd_error ignored = {0}; // a missing file has no figures
    snprintf(name, sizeof name, "surface/frame_%06d.ply", (int)column->from);
    message_path(folder, name, path);
    return sherd_mesh_read(path, 1.0, &ignored);
}

static int32_t root_of(int32_t *up, int32_t v)
{
    while (up[v] != v)
        v = up[v] = up[up[v]];
    return v;
}

static double count_parts(const sherd_mesh *mesh)
{
    int32_t *up = malloc(((size_t)mesh->vertex_count + 1) * sizeof *up);
    double count = 0.0;
    if (up == NULL) return NAN;
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        up[v] = v;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int c = 1; c < 3; ++c)
            up[root_of(up, mesh->triangles[3 * t + c])] = root_of(up, mesh->triangles[3 * t]);
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        count += up[v] == v;
    free(up);
    return count;
}

static double area_of(const sherd_mesh *mesh)
{
    double area = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const double *a = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t];
        const double *b = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + 1];
        const double *c = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + 2];
        double u[3], v[3];
        for (int k = 0; k < 3; ++k)
            u[k] = b[k] - a[k], v[k] = c[k] - a[k];
        double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2];
        double z = u[0] * v[1] - u[1] * v[0];
        area += 0.5 * sqrt(x * x + y * y + z * z);
    }
    return area;
}

static double measure(const char *folder, const paper_column *column,
                      double (*of)(const sherd_mesh *mesh))
{
    sherd_mesh *mesh = read_frame(folder, column);
    double value = mesh != NULL ? of(mesh) : NAN;
    sherd_mesh_destroy(mesh);
    return value;
}

double paper_surface_parts(const char *folder, const paper_column *column)
{
    return measure(folder, column, count_parts);
}

double paper_surface_area(const char *folder, const paper_column *column)
{
    return measure(folder, column, area_of);
}

double paper_surface_volume(const char *folder, const paper_column *column)
{
    return measure(folder, column, sherd_mesh_volume);
}
