#include "surface/piece/piece_list.h"

#include "base/memory.h"

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
