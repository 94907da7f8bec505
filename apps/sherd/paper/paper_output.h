// The files and the text of an item.
#pragma once

#include "paper/paper_item.h"

// Figures of the rows of an item.
typedef struct paper_table {
    const paper_item *item;
    bool full;
    double figures[PAPER_ROWS][PAPER_COLUMNS]; // ours, NAN: none
    double elements[PAPER_ROWS];               // NAN: not run
    char folders[PAPER_ROWS][PAPER_FOLDER];    // of the rows' runs
} paper_table;

// Ours over the paper's; NAN where one is missing, or they are not of the same size.
double paper_ratio(const paper_table *table, int row, int column);

// Prints the item for a terminal.
void paper_print(const paper_table *table);

// Writes table.csv and table.svg, and curves.csv and curves.svg of items with curves, to a folder that exists.
sherd_status paper_write(const paper_table *table, const char *folder, sherd_error *error);

// The curves among them.
sherd_status paper_write_curves(const paper_table *table, const char *folder, sherd_error *error);
