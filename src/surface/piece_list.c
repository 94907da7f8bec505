#include "surface/piece_list.h"

#include "base/memory.h"
#include "surface/skin.h"

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

void sherd_piece_list_keep(piece_list *list, piece *former, int32_t former_count)
{
    for (int32_t k = 0; k < former_count; ++k) {
        int32_t p = sherd_key_map_find(&list->number, (uint64_t)former[k].fragment);
        if (p < 0 || list->pieces[p].fingerprint != former[k].fingerprint) continue;
        list->pieces[p] = former[k];
        former[k] = (piece){0};
        list->stale[p] = 0;
    }
}

static void release_pieces(piece *pieces, int32_t count)
{
    for (int32_t k = 0; pieces != NULL && k < count; ++k)
        sherd_piece_release(&pieces[k]);
    sherd_free(pieces);
}

bool sherd_piece_list_finish(piece_list *list, bool good, uint64_t *next_version, piece **pieces,
                             int32_t *piece_count)
{
    int32_t count = (int32_t)list->number.count;
    for (int32_t k = 0; k < count && good; ++k)
        good = !list->failed[k];
    for (int32_t k = 0; k < count && good; ++k)
        if (list->stale[k]) list->pieces[k].version = (*next_version)++;
    release_pieces(*pieces, *piece_count);
    *pieces = good ? list->pieces : NULL;
    *piece_count = good ? count : 0;
    if (!good) release_pieces(list->pieces, count);
    sherd_free(list->stale);
    sherd_free(list->failed);
    sherd_key_map_release(&list->number);
    return good;
}

bool sherd_piece_make_room(piece *out, int64_t vertices, int64_t triangles)
{
    if (vertices > INT32_MAX / SKIN_BONES || triangles > INT32_MAX / 6) return false;
    size_t v = (size_t)vertices, t = (size_t)triangles;
    out->mesh = sherd_mesh_create((int32_t)vertices, (int32_t)triangles, NULL);
    out->bones = sherd_alloc(SKIN_BONES * v, sizeof *out->bones);
    out->weights = sherd_alloc(SKIN_BONES * v, sizeof *out->weights);
    if (out->mesh == NULL || out->bones == NULL || out->weights == NULL) return false;
    out->mesh->normals = sherd_alloc(3 * v, sizeof *out->mesh->normals);
    out->mesh->face_kind = sherd_alloc(t, 1);
    return out->mesh->normals != NULL && out->mesh->face_kind != NULL;
}
