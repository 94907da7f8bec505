// Line plots as SVG files: panels side by side with one title and one legend.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>

typedef struct plot_series {
    const char *name; // for the legend; NULL: not listed
    int colour;       // 0 to PLOT_COLOURS - 1
    bool dashed;
    int count;
    const double *x,
        *y; // values that cannot be shown (not finite, or not positive on a log axis) interrupt a line
} plot_series;

typedef struct plot_axis {
    const char *label;
    bool logarithmic;
    double low, high; // equal: automatic
} plot_axis;

typedef struct plot_panel {
    const char *title;
    plot_axis x, y;
    int series_count;
    const plot_series *series;
} plot_panel;

enum { PLOT_COLOURS = 10 };

// First bytes of every file of plot_write.
#define PLOT_MARK "<!-- curves by sherd -->\n"

// Draws panels in rows of `columns`, and below them a legend of all named series.
sherd_status plot_write(const char *path, const char *title, const plot_panel *panels,
                        int panel_count, int columns, sherd_error *error);
