// The tables of items, one of each paper.
#pragma once

#include "paper/paper_item.h"

// The items of a paper.
typedef struct paper_items {
    const paper_item *items;
    int count;
} paper_items;

extern const paper_items paper_items_bdem21, paper_items_ibdem25, paper_items_vbdem,
    paper_items_rbdem, paper_items_mpmg;

// Numbers of columns and rows from arrays, for a paper_item.
#define PAPER_COUNT(array) (int)(sizeof(array) / sizeof(array)[0])
// Does not compile where an item has too many of them.
#define PAPER_FITS(array, most) (int)sizeof(char[PAPER_COUNT(array) <= (most) ? 1 : -1])
#define PAPER_TABLE(columns_of, rows_of)                                                           \
    .columns = columns_of, .column_count = PAPER_COUNT(columns_of), .rows = rows_of,               \
    .row_count = PAPER_COUNT(rows_of) + 0 * PAPER_FITS(columns_of, PAPER_COLUMNS) +                \
                 0 * PAPER_FITS(rows_of, PAPER_ROWS)

// All items, in the order of the papers.
int paper_item_count(void);
const paper_item *paper_item_get(int index);
