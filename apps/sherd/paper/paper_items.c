#include "paper/paper_items.h"

static const paper_items *const PAPERS[] = {&paper_items_bdem21, &paper_items_ibdem25};

int paper_item_count(void)
{
    int count = 0;
    for (int k = 0; k < PAPER_COUNT(PAPERS); ++k)
        count += PAPERS[k]->count;
    return count;
}

const paper_item *paper_item_get(int index)
{
    for (int k = 0; k < PAPER_COUNT(PAPERS); index -= PAPERS[k++]->count)
        if (index < PAPERS[k]->count) return &PAPERS[k]->items[index];
    return NULL;
}
