#include "surface/piece/piece.h"

#include "base/memory.h"
#include "surface/piece/skin.h"

bool sherd_piece_make_mesh(piece *out, int32_t vertices, int32_t triangles)
{
    out->mesh = sherd_mesh_create(vertices, triangles, NULL);
    if (out->mesh == NULL) return false;
    out->mesh->normals = sherd_alloc(3 * (size_t)vertices, sizeof *out->mesh->normals);
    out->mesh->face_kind = sherd_alloc((size_t)triangles, sizeof *out->mesh->face_kind);
    return out->mesh->normals != NULL && out->mesh->face_kind != NULL;
}

bool sherd_piece_reserve(piece *out, int64_t vertices, int64_t triangles)
{
    if (vertices > INT32_MAX / SKIN_BONES || triangles > INT32_MAX / 6) return false;
    size_t v = (size_t)vertices;
    out->bones = sherd_alloc(SKIN_BONES * v, sizeof *out->bones);
    out->weights = sherd_alloc(SKIN_BONES * v, sizeof *out->weights);
    return out->bones != NULL && out->weights != NULL &&
           sherd_piece_make_mesh(out, (int32_t)vertices, (int32_t)triangles);
}

void sherd_piece_release(piece *p)
{
    sherd_mesh_destroy(p->mesh);
    sherd_free(p->bones);
    sherd_free(p->weights);
    *p = (piece){0};
}

void sherd_pieces_release(piece_array *p)
{
    for (int32_t k = 0; p->items != NULL && k < p->count; ++k)
        sherd_piece_release(&p->items[k]);
    sherd_free(p->items);
    *p = (piece_array){0};
}
