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

// ---------------------------------------------------------------- pieces of a body

bool sherd_piece_list_allocate(piece_list *list)
{
    size_t count = list->number.count;
    list->pieces = sherd_alloc(count, sizeof *list->pieces);
    list->stale = sherd_alloc(count, 1);
    list->failed = sherd_alloc(count, 1);
    for (size_t k = 0; list->stale != NULL && k < count; ++k)
        list->stale[k] = 1;
    return list->pieces != NULL && list->stale != NULL && list->failed != NULL;
}

void sherd_piece_list_keep(piece_list *list, piece_array *former)
{
    for (int32_t k = 0; k < former->count; ++k) {
        piece *from = &former->items[k];
        int32_t p = sherd_key_map_find(&list->number, (uint64_t)from->fragment);
        if (p < 0 || list->pieces[p].fingerprint != from->fingerprint) continue;
        list->pieces[p] = *from;
        *from = (piece){0};
        list->stale[p] = 0;
    }
}

bool sherd_piece_list_finish(piece_list *list, bool good, uint64_t *next_version,
                             piece_array *pieces)
{
    piece_array made = {(int32_t)list->number.count, list->pieces};
    for (int32_t k = 0; k < made.count && good; ++k)
        good = !list->failed[k];
    for (int32_t k = 0; k < made.count && good; ++k)
        if (list->stale[k]) made.items[k].version = (*next_version)++;
    sherd_pieces_release(pieces);
    if (good)
        *pieces = made;
    else
        sherd_pieces_release(&made);
    sherd_free(list->stale);
    sherd_free(list->failed);
    sherd_key_map_release(&list->number);
    return good;
}
