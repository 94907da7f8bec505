#include "surface/finish/piece_paint.h"

#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_attributes.h"
#include "geometry/shape/shape_kind.h"

bool sherd_body_paint_init(body_paint *paint, const sherd_shape *shape)
{
    *paint = (body_paint){0};
    if (shape == NULL || !sherd_shape_is_painted(shape)) return true;
    // A mesh shape returns its own triangles, whatever edge length is asked for.
    paint->surface = sherd_shape_surface(shape, 1.0, NULL);
    return paint->surface != NULL && sherd_mesh_tree_init(&paint->tree, paint->surface);
}

void sherd_body_paint_release(body_paint *paint)
{
    sherd_mesh_destroy(paint->surface);
    sherd_mesh_tree_release(&paint->tree);
    *paint = (body_paint){0};
}

typedef struct painting {
    sherd_attribute_source source;
    sherd_mesh *mesh;
} painting;

static void paint_groups(void *context, size_t begin, size_t end)
{
    const painting *job = context;
    for (size_t t = begin; t < end; ++t)
        job->mesh->group[t] = job->mesh->face_kind[t] == SHERD_FACE_OUTER
                                  ? sherd_mesh_group_near(&job->source, job->mesh, (int32_t)t)
                                  : -1;
}

// Marks the vertices of outer faces by a colour below white.
static void paint_colors(void *context, size_t begin, size_t end)
{
    const painting *job = context;
    for (size_t v = begin; v < end; ++v) {
        float *color = job->mesh->color + 3 * v;
        if (color[0] < 1.0f)
            sherd_mesh_color_near(&job->source, mesh_vertex(job->mesh, (int32_t)v), color);
    }
}

static void mark_inner(const sherd_mesh *mesh)
{
    for (size_t k = 0; k < 3 * (size_t)mesh->vertex_count; ++k)
        mesh->color[k] = 1.0f;
    for (size_t k = 0; k < 3 * (size_t)mesh->triangle_count; ++k)
        if (mesh->face_kind[k / 3] == SHERD_FACE_OUTER)
            mesh->color[3 * (size_t)mesh->triangles[k]] = 0.0f;
}

static bool paint_piece(const body_paint *paint, sherd_mesh *mesh, const sherd_parallel *parallel)
{
    painting job = {{paint->surface, &paint->tree}, mesh};
    size_t vertices = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
    if (paint->surface->group != NULL && mesh->group == NULL) {
        mesh->group = sherd_alloc(triangles, sizeof *mesh->group);
        if (mesh->group == NULL || !sherd_mesh_copy_group_names(mesh, paint->surface)) return false;
        sherd_parallel_for(parallel, triangles, 256, paint_groups, &job);
    }
    if (paint->surface->color != NULL && mesh->color == NULL) {
        mesh->color = sherd_alloc(3 * vertices, sizeof *mesh->color);
        if (mesh->color == NULL) return false;
        mark_inner(mesh);
        sherd_parallel_for(parallel, vertices, 256, paint_colors, &job);
    }
    return true;
}

bool sherd_paint_pieces(const body_paint *paint, const piece_array *pieces,
                        const sherd_parallel *parallel)
{
    for (int32_t k = 0; paint->surface != NULL && k < pieces->count; ++k)
        if (!paint_piece(paint, pieces->items[k].mesh, parallel)) return false;
    return true;
}
