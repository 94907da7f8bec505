#include "surface/finish/shape_uv.h"

#include "geometry/mesh/mesh_attributes.h"

bool sherd_shape_uv_create(shape_uv *s, const sherd_shape *shape, double edge)
{
    *s = (shape_uv){.surface = sherd_shape_surface(shape, edge, NULL)};
    if (s->surface == NULL) return false;
    if (s->surface->uv != NULL) return sherd_mesh_tree_init(&s->tree, s->surface);
    sherd_shape_uv_release(s);
    return true;
}

void sherd_shape_uv_release(shape_uv *s)
{
    sherd_mesh_destroy(s->surface);
    sherd_mesh_tree_release(&s->tree);
    *s = (shape_uv){0};
}

void sherd_shape_uv_fill(const shape_uv *s, sherd_mesh *mesh)
{
    const sherd_attribute_source source = {s->surface, &s->tree};
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        if (mesh->face_kind[t] == SHERD_FACE_OUTER) sherd_mesh_transfer_uv(&source, mesh, t);
}
