// Owning and measuring tetrahedral meshes.
#include "geometry/tetra/tetra_mesh.h"

#include "base/error.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>

const int8_t sherd_tetra_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
const int8_t sherd_tetra_edge[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                       {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};

sherd_tetra_mesh *sherd_tetra_mesh_create(int32_t vertex_count, int32_t tetra_count,
                                          sherd_error *error)
{
    if (vertex_count < 0 || tetra_count < 0) {
        sherd_fail(error, SHERD_ERROR_INPUT, "sherd_tetra_mesh_create", NULL,
                   "counts must be >= 0, got %d vertices and %d tetrahedra", (int)vertex_count,
                   (int)tetra_count);
        return NULL;
    }
    sherd_tetra_mesh *mesh = sherd_alloc(1, sizeof *mesh);
    if (mesh != NULL) {
        mesh->vertex_count = vertex_count;
        mesh->tetra_count = tetra_count;
        mesh->vertices = sherd_alloc(3 * (size_t)vertex_count, sizeof *mesh->vertices);
        mesh->tetras = sherd_alloc(4 * (size_t)tetra_count, sizeof *mesh->tetras);
    }
    if (mesh == NULL || mesh->vertices == NULL || mesh->tetras == NULL) {
        sherd_tetra_mesh_destroy(mesh);
        sherd_fail_memory(error, "a tetrahedral mesh");
        return NULL;
    }
    return mesh;
}

void sherd_tetra_mesh_destroy(sherd_tetra_mesh *mesh)
{
    if (mesh == NULL) return;
    sherd_free(mesh->vertices);
    sherd_free(mesh->tetras);
    sherd_free(mesh);
}

double sherd_tetra_mesh_volume(const sherd_tetra_mesh *mesh)
{
    double sum = 0.0;
    for (int32_t t = 0; t < mesh->tetra_count; ++t) {
        sherd_vec3 p[4];
        tetra_points(mesh, t, p);
        sum += tetra_volume_of(p);
    }
    return sum;
}

// ---------------------------------------------------------------- quality

static double mean_square_edge(const sherd_vec3 p[4])
{
    double sum = 0.0;
    for (int k = 0; k < 6; ++k) {
        sherd_vec3 d = vec3_sub(p[sherd_tetra_edge[k][1]], p[sherd_tetra_edge[k][0]]);
        sum += vec3_dot(d, d);
    }
    return sum / 6.0;
}

double sherd_tetra_shape_quality(const sherd_vec3 p[4])
{
    double l2 = mean_square_edge(p);
    return l2 > 0.0 ? 6.0 * sqrt(2.0) * tetra_volume_of(p) / (l2 * sqrt(l2)) : 0.0;
}

// The dihedral angle is the angle between the faces' components perpendicular to the edge.
void sherd_tetra_angles(const sherd_vec3 p[4], double angle[6])
{
    for (int k = 0; k < 6; ++k) {
        const int8_t *e = sherd_tetra_edge[k];
        sherd_vec3 along = vec3_normalize(vec3_sub(p[e[1]], p[e[0]]));
        sherd_vec3 u = vec3_sub(p[e[2]], p[e[0]]), v = vec3_sub(p[e[3]], p[e[0]]);
        u = vec3_add_scaled(u, -vec3_dot(u, along), along);
        v = vec3_add_scaled(v, -vec3_dot(v, along), along);
        angle[k] = atan2(vec3_length(vec3_cross(u, v)), vec3_dot(u, v));
    }
}

static void measure_edges(const sherd_vec3 p[4], sherd_tetra_quality *q)
{
    for (int k = 0; k < 6; ++k) {
        double l = vec3_distance(p[sherd_tetra_edge[k][0]], p[sherd_tetra_edge[k][1]]);
        q->edge_min = fmin(q->edge_min, l);
        q->edge_max = fmax(q->edge_max, l);
        q->edge_mean += l / 6.0;
    }
}

sherd_tetra_quality sherd_tetra_mesh_quality(const sherd_tetra_mesh *mesh)
{
    sherd_tetra_quality q = {.angle_min = 4.0, .quality_min = 1.0, .edge_min = DBL_MAX};
    for (int32_t t = 0; t < mesh->tetra_count; ++t) {
        sherd_vec3 p[4];
        double angle[6];
        tetra_points(mesh, t, p);
        sherd_tetra_angles(p, angle);
        for (int k = 0; k < 6; ++k) {
            q.angle_min = fmin(q.angle_min, angle[k]);
            q.angle_max = fmax(q.angle_max, angle[k]);
        }
        measure_edges(p, &q);
        double quality = sherd_tetra_shape_quality(p);
        q.quality_min = fmin(q.quality_min, quality);
        q.quality_mean += quality;
        q.slivers += quality < SHERD_TETRA_SLIVER;
    }
    if (mesh->tetra_count == 0) return (sherd_tetra_quality){0};
    q.quality_mean /= (double)mesh->tetra_count;
    q.edge_mean /= (double)mesh->tetra_count;
    return q;
}
