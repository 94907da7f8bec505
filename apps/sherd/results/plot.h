// Figures of curves as SVG files: panels side by side under one title, with one legend.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>

typedef struct plot_series {
    const char *name; // for the legend; NULL: not listed there
    int colour;       // 0 to PLOT_COLOURS - 1
    bool dashed;
    int count;
    const double *x,
        *y; // points that can't be shown (not finite, not positive on a log axis) end a line
} plot_series;

typedef struct plot_axis {
    const char *label;
    bool logarithmic;
    double low, high; // equal: from the data
} plot_axis;

typedef struct plot_panel {
    const char *title;
    plot_axis x, y;
    int series_count;
    const plot_series *series;
} plot_panel;

enum { PLOT_COLOURS = 10 };

// How every file of plot_write begins.
#define PLOT_MARK "<!-- curves by sherd -->\n"

// Panels in rows of `columns`; the legend below them lists every series that has a name.
sherd_status plot_write(const char *path, const char *title, const plot_panel *panels,
                        int panel_count, int columns, sherd_error *error);
