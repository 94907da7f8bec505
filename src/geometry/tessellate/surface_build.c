#include "geometry/tessellate/surface_build.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

int32_t sherd_growth_vertex(sherd_mesh_growth *g, double x, double y, double z)
{
    if (g->failed || !sherd_grow((void **)&g->vertices, &g->vertex_capacity, g->vertex_count + 1,
                                 3 * sizeof *g->vertices)) {
        g->failed = true;
        return 0;
    }
    double *to = g->vertices + 3 * g->vertex_count;
    to[0] = x, to[1] = y, to[2] = z;
    return (int32_t)g->vertex_count++;
}

void sherd_growth_triangle(sherd_mesh_growth *g, int32_t a, int32_t b, int32_t c, const float uv[6])
{
    if (a == b || b == c || c == a) return;
    if (g->failed ||
        !sherd_grow((void **)&g->triangles, &g->triangle_capacity, g->triangle_count + 1,
                    3 * sizeof *g->triangles) ||
        (g->has_uv &&
         !sherd_grow((void **)&g->uv, &g->uv_capacity, g->triangle_count + 1, 6 * sizeof *g->uv))) {
        g->failed = true;
        return;
    }
    if (g->has_uv) memcpy(g->uv + 6 * g->triangle_count, uv, 6 * sizeof *uv);
    int32_t *to = g->triangles + 3 * g->triangle_count++;
    to[0] = a, to[1] = b, to[2] = c;
}

static bool move_uv(const sherd_mesh_growth *g, sherd_mesh *mesh)
{
    if (!g->has_uv) return true;
    mesh->uv = sherd_alloc(6 * g->triangle_count, sizeof *mesh->uv);
    if (mesh->uv == NULL) return false;
    if (g->triangle_count > 0) memcpy(mesh->uv, g->uv, 6 * g->triangle_count * sizeof *mesh->uv);
    return true;
}

sherd_mesh *sherd_growth_finish(sherd_mesh_growth *g, sherd_error *error)
{
    sherd_mesh *mesh = NULL;
    if (!g->failed)
        mesh = sherd_mesh_create((int32_t)g->vertex_count, (int32_t)g->triangle_count, error);
    else
        sherd_fail_memory(error, "a surface mesh");
    if (mesh != NULL) {
        if (g->vertex_count > 0)
            memcpy(mesh->vertices, g->vertices, 3 * g->vertex_count * sizeof *g->vertices);
        if (g->triangle_count > 0)
            memcpy(mesh->triangles, g->triangles, 3 * g->triangle_count * sizeof *g->triangles);
        if (!move_uv(g, mesh)) {
            sherd_mesh_destroy(mesh);
            mesh = NULL;
            sherd_fail_memory(error, "a surface mesh");
        }
    }
    sherd_free(g->uv);
    sherd_free(g->vertices);
    sherd_free(g->triangles);
    *g = (sherd_mesh_growth){0};
    return mesh;
}
