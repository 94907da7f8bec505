// sherd paper: tables and figures of the papers, simulated again and set beside the papers' numbers.
//
// An item is a table or a figure: its columns say what is measured, its rows which run of which scene gives
// it. To add one, write it in the file of its paper (items_NAME.c) and list it there. A row's run is kept in
// its folder; it is used again while the scene's digest, the number of frames and Sherd's version are the
// same, and resumed where it was stopped.
#pragma once

#include <sherd/table.h>

#include <stdbool.h>

enum {
    PAPER_SETTINGS = 8,  // of a row at most
    PAPER_COLUMNS = 6,   // of an item at most
    PAPER_ROWS = 32,     // of an item at most
    PAPER_FOLDER = 8192, // bytes of a folder's path, with the terminating zero
};

// A column of a table that a run writes.
typedef struct paper_series {
    const char *table;  // "stats.csv" or "probes.csv"
    const char *probe;  // only rows of this probe, NULL: all rows
    const char *column; // "force_y_n"
} paper_series;

// A figure that is measured of each row.
typedef struct paper_column {
    const char *name; // "E_macro"
    const char *unit; // "Pa"; "1": a pure number
    // Reads it from the row's tables, NAN: there is none. One of paper_measure.h.
    double (*measure)(const char *folder, const struct paper_column *column);
    paper_series y, x;
    double from, to; // limits, what they mean is the measure's
    // In place of a measure, where rows come in pairs: the figure of a pair's first row over that of its second, of
    // the column with this number, from 1; shown in the second row.
    int quotient_of;
    // Depends on the number of elements, so that reduced rows aren't compared with the paper.
    bool of_size;
    const char
        *why; // why it differs in all rows, in place of their sentences; NULL: they have theirs
} paper_column;

// A row: a run, and the paper's figures.
typedef struct paper_row {
    const char *label;                    // unique in its item: "BDEM, low"
    const char *scene;                    // "bending-2d"; NULL: the paper's figures alone
    const char *variant;                  // NULL: none
    const char *settings[PAPER_SETTINGS]; // "path=value", as given to --set
    // Without --full these come in addition, and this variant in place of the other; "": none.
    const char *reduced_variant;
    const char *reduced[PAPER_SETTINGS];
    int64_t frames;               // after frame 0; 0: all of the scene
    double factor[PAPER_COLUMNS]; // on what is measured; 0: 1
    double paper[PAPER_COLUMNS];  // the paper's figures; 0: it gives none
    double curve_factor[2];       // on x and y of the curve; 0: 1
    double x;                     // of curves of rows
    const char *why;              // a sentence, where ours differs by more than a tenth
} paper_row;

// Two columns of a run's table as a curve of each row; or figures of rows as curves, one of all rows whose labels
// end alike: "1 MPa, explicit", "10 MPa, explicit".
typedef struct paper_curve {
    paper_series x, y; // y.column NULL: there are no curves of runs
    const char *x_label, *y_label;
    int of_rows; // number of the column that is y, from 1; 0: there are no curves of rows
    int over;    // of the column that is x, from 1; 0: `x` of the rows
} paper_curve;

typedef struct paper_item {
    const char *name;  // "bdem21-table3"
    const char *paper; // "[BDEM21] Table 3"
    const char *title; // "stiffness and strength of a bent layer"
    const char *note;  // conditions, what the paper doesn't give; may be NULL
    int column_count, row_count;
    const paper_column *columns;
    const paper_row *rows;
    paper_curve curve;
} paper_item;

static inline bool paper_has_curves(const paper_item *item)
{
    return item->curve.y.column != NULL || item->curve.of_rows > 0;
}
