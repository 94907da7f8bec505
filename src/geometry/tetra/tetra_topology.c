// The tetrahedra around each vertex and across each face; the boundary's triangles.
#include "geometry/tetra/tetra_mesh.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"

#include <stdio.h>
#include <string.h>

// Counting sort: start[v + 1] runs from the start to the end of row v while filling.
bool sherd_tetra_stars(const sherd_tetra_mesh *mesh, sherd_tetra_topology *topology)
{
    size_t n = (size_t)mesh->vertex_count, corners = 4 * (size_t)mesh->tetra_count;
    *topology = (sherd_tetra_topology){.start = sherd_alloc(n + 2, sizeof *topology->start),
                                       .around = sherd_alloc(corners, sizeof *topology->around)};
    if (topology->start == NULL || topology->around == NULL) return false;
    int32_t *start = topology->start;
    for (size_t c = 0; c < corners; ++c)
        start[mesh->tetras[c] + 2]++;
    for (size_t v = 1; v <= n; ++v)
        start[v + 1] += start[v];
    for (size_t c = 0; c < corners; ++c)
        topology->around[start[mesh->tetras[c] + 1]++] = (int32_t)(c / 4);
    return true;
}

void sherd_tetra_topology_release(sherd_tetra_topology *topology)
{
    sherd_free(topology->start);
    sherd_free(topology->around);
    sherd_free(topology->neighbor);
    *topology = (sherd_tetra_topology){0};
}

typedef struct neighbor_job {
    const sherd_tetra_mesh *mesh;
    const sherd_tetra_topology *topology;
} neighbor_job;

enum { OUTSIDE = -1, NON_MANIFOLD = -2 }; // NON_MANIFOLD: more than one tetrahedron there

// Returns the only other tetrahedron with these three vertices; it must have its face oriented the
// other way.
static int32_t find_across(const neighbor_job *job, int32_t t, int k)
{
    const sherd_tetra_mesh *mesh = job->mesh;
    const int32_t *c = tetra_corners(mesh, t);
    int32_t v[3], found = OUTSIDE;
    for (int j = 0; j < 3; ++j)
        v[j] = c[sherd_tetra_face[k][j]];
    for (int32_t n = job->topology->start[v[0]]; n < job->topology->start[v[0] + 1]; ++n) {
        int32_t other = job->topology->around[n];
        if (other == t || tetra_corner_of(mesh, other, v[1]) < 0 ||
            tetra_corner_of(mesh, other, v[2]) < 0)
            continue;
        if (found != OUTSIDE) return NON_MANIFOLD;
        found = other;
    }
    if (found == OUTSIDE) return OUTSIDE;
    // The opposite corners of the two lie on different sides.
    const int32_t *o = tetra_corners(mesh, found);
    int32_t apex = o[0];
    for (int j = 1; apex == v[0] || apex == v[1] || apex == v[2]; ++j)
        apex = o[j];
    sherd_vec3 a = tetra_vertex(mesh, v[0]);
    sherd_vec3 out = tetra_face_vector(mesh, t, k);
    return vec3_dot(out, vec3_sub(tetra_vertex(mesh, apex), a)) > 0.0 ? found : NON_MANIFOLD;
}

static void find_neighbors(void *context, size_t begin, size_t end)
{
    const neighbor_job *job = context;
    for (size_t f = begin; f < end; ++f)
        job->topology->neighbor[f] = find_across(job, (int32_t)(f / 4), (int)(f % 4));
}

sherd_status sherd_tetra_topology_build(const sherd_tetra_mesh *mesh, const char *where,
                                        const sherd_parallel *parallel,
                                        sherd_tetra_topology *topology, sherd_error *error)
{
    size_t faces = 4 * (size_t)mesh->tetra_count;
    if (!sherd_tetra_stars(mesh, topology) ||
        (topology->neighbor = sherd_alloc(faces, sizeof *topology->neighbor)) == NULL) {
        sherd_tetra_topology_release(topology);
        return sherd_fail_memory(error, "a tetrahedral mesh's faces");
    }
    neighbor_job job = {mesh, topology};
    sherd_parallel_for(parallel, faces, 4096, find_neighbors, &job);
    for (size_t f = 0; f < faces; ++f)
        if (topology->neighbor[f] == NON_MANIFOLD) {
            sherd_tetra_topology_release(topology);
            return sherd_fail(error, SHERD_ERROR_INPUT, where,
                              "tetrahedra must not overlap, and at most two may share a face",
                              "tetrahedron %d (counted from 0) shares a face with two others", //
                              (int)(f / 4));
        }
    return SHERD_OK;
}

// ---------------------------------------------------------------- boundary

static int32_t number_vertex(int32_t *number, int32_t v, int32_t *count)
{
    if (number[v] < 0) number[v] = (*count)++;
    return number[v];
}

static sherd_mesh *extract_boundary(const sherd_tetra_mesh *mesh, const int32_t *neighbor,
                                    int32_t *number, sherd_error *error)
{
    int32_t vertices = 0, triangles = 0;
    memset(number, -1, (size_t)mesh->vertex_count * sizeof *number);
    for (size_t f = 0; f < 4 * (size_t)mesh->tetra_count; ++f) {
        if (neighbor[f] >= 0) continue;
        ++triangles;
        for (int j = 0; j < 3; ++j)
            number_vertex(number, mesh->tetras[f / 4 * 4 + (size_t)sherd_tetra_face[f % 4][j]],
                          &vertices);
    }
    sherd_mesh *out = sherd_mesh_create(vertices, triangles, error);
    if (out == NULL) return NULL;
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        if (number[v] >= 0) mesh_set_vertex(out, number[v], tetra_vertex(mesh, v));
    triangles = 0;
    for (size_t f = 0; f < 4 * (size_t)mesh->tetra_count; ++f) {
        if (neighbor[f] >= 0) continue;
        const int32_t *c = mesh->tetras + f / 4 * 4;
        const int8_t *k = sherd_tetra_face[f % 4];
        mesh_set_triangle(out, triangles++, number[c[k[0]]], number[c[k[1]]], number[c[k[2]]]);
    }
    return out;
}

sherd_mesh *sherd_tetra_mesh_boundary(const sherd_tetra_mesh *mesh, sherd_error *error)
{
    sherd_tetra_topology topology;
    sherd_parallel parallel = {0};
    if (sherd_tetra_topology_build(mesh, "tetrahedral mesh", &parallel, &topology, error) !=
        SHERD_OK)
        return NULL;
    sherd_mesh *out = NULL;
    int32_t *number = sherd_alloc((size_t)mesh->vertex_count, sizeof *number);
    if (number == NULL)
        sherd_fail_memory(error, "a tetrahedral mesh's boundary");
    else
        out = extract_boundary(mesh, topology.neighbor, number, error);
    sherd_free(number);
    sherd_tetra_topology_release(&topology);
    return out;
}
