// [VBDEM]: the first version of [IBDEM25], with tetrahedra.
#include "paper/paper_items.h"
#include "paper/paper_measure.h"

#define THEIRS "an i7-12700K there; ours on this machine, with longer explicit steps"

static const paper_column TABLE1_COLUMNS[] = {
    PAPER_ELEMENTS,
    PAPER_TIME(THEIRS),
    {.name = "speed-up", .unit = "1", .quotient_of = 2, .of_size = true},
};

#define RIGHT_POINT(step)                                                                          \
    "solver={method: implicit, scheme: euler, time_step: " step ", fracture: end_of_step}"

// Changes nothing.
#define SAME "output.stress=false"

// Explicit steps, and right-point steps (27) of the paper's length.
#define TABLE1_PAIR(name, of, more, with, body, edge, small, step, count, explicit_s, implicit_s,  \
                    ratio, rate, frames_of)                                                        \
    {.label = name ", explicit",                                                                   \
     .scene = of,                                                                                  \
     .variant = more,                                                                              \
     .settings = {"output.frame_rate=" rate, "output.probe_rate=" rate,                            \
                  "bodies." body ".packing={tetra: {size: " edge "}}",                             \
                  "solver={method: explicit}", with},                                              \
     .reduced = {"bodies." body ".packing={tetra: {size: " small "}}"},                            \
     .frames = frames_of,                                                                          \
     .paper = {count, explicit_s}},                                                                \
    {                                                                                              \
        .label = name ", right-point", .scene = of, .variant = more,                               \
        .settings = {"output.frame_rate=" rate, "output.probe_rate=" rate,                         \
                     "bodies." body ".packing={tetra: {size: " edge "}}", RIGHT_POINT(step),       \
                     with},                                                                        \
        .reduced = {"bodies." body ".packing={tetra: {size: " small "}}"}, .frames = frames_of,    \
        .paper = {                                                                                 \
            count,                                                                                 \
            implicit_s,                                                                            \
            ratio                                                                                  \
        }                                                                                          \
    }

static const paper_row TABLE1_ROWS[] = {
    TABLE1_PAIR("stretch", "beam-stretch", NULL, SAME, "beam", "12.1 mm", "30 mm", "16.6667 ms",
                31e3, 294.02, 24.1, 12.2, "60", 4),
    TABLE1_PAIR("twist", "beam-twist", "ibdem", SAME, "beam", "15.5 mm", "30 mm", "16.6667 ms",
                17e3, 162.0, 16.4, 9.8, "60", 4),
    TABLE1_PAIR("drape, 1 GPa", "beam-drape", "stiff-1e9", SAME, "beam", "15.7 mm", "30 mm",
                "16.6667 ms", 16e3, 1200.9, 432.5, 2.8, "60", 1),
    TABLE1_PAIR("drape, 1 MPa", "beam-drape", NULL, SAME, "beam", "7.6 mm", "24 mm", "16.6667 ms",
                121e3, 704.4, 152.0, 4.6, "60", 2),
    // Steps of half a frame.
    TABLE1_PAIR("chocolate", "chocolate", "paper", SAME, "bar", "2.77 mm", "5 mm", "1.0417 ms",
                65e3, 657.8, 203.0, 3.2, "480", 2),
    TABLE1_PAIR("plate", "plate", "paper", SAME, "plate", "1.66 mm", "6 mm", "1.0417 ms", 623e3,
                6825.2, 2198.6, 3.1, "480", 1),
};

static const paper_item ITEMS[] = {
    {.name = "vbdem-table1",
     .paper = "[VBDEM] Table 1",
     .title = "explicit and right-point steps of tetrahedra",
     .note = "frames of 1/60 s, of 1/480 s of chocolate and plate; the first ones",
     PAPER_TABLE(TABLE1_COLUMNS, TABLE1_ROWS)},
};

const paper_items paper_items_vbdem = {ITEMS, PAPER_COUNT(ITEMS)};
