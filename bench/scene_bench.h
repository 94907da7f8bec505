// Benchmarks that step whole scenes by several methods: seconds per frame of each, beside a paper's, and their
// distance from a finer solution at the end, or their breaks. `sherd bench implicit` and `rods` are tables of
// its cases.
#pragma once

#include "options.h"

#include <stdbool.h>

// The methods of a case.
typedef enum bench_scene_run {
    SCENE_RUN_REFERENCE, // explicit steps of half the length: the reference of errors
    SCENE_RUN_EXPLICIT,  // as near to the stability limit as is safe
    SCENE_RUN_IMPLICIT,  // steps by the error that the case asks for
    SCENE_RUN_AUTO,      // likewise
    SCENE_RUN_DEFAULT,   // implicit steps at the default accuracy
    // Euler steps as long as the paper's, at whose ends all that is overstressed breaks: by Sherd's
    // minimisation, and by the paper's Algorithms 2 and 3.
    SCENE_RUN_PAPER_STEP,
    SCENE_RUN_ALGORITHM_2,
    SCENE_RUN_ALGORITHM_3,
    SCENE_RUN_COUNT
} bench_scene_run;

enum { SCENE_MAX_SETTINGS = 5 };

typedef struct bench_scene_case {
    const char *name, *scene, *variant;
    double paper_explicit, paper_implicit; // seconds per frame of the paper; NAN: not given
    double paper_dt;                       // length of the paper's steps [s]; 0: it gives none
    // The same in stability limits T, by which reduced bodies are stepped. 0: as long as paper_dt
    double paper_limits;
    int frames;   // from release on
    double share; // of each frame that is run: times are those of whole frames
    bool breaks;  // compared by breaks, not by positions
    // > 0: the paper's steps are [RBDEM]'s linearised ones, with this k_c and without friction [Pa]
    double paper_stiffness;
    double safety; // explicit steps over their stability limit
    bool run[SCENE_RUN_COUNT];
    const char *settings[SCENE_MAX_SETTINGS]; // besides the variant's
} bench_scene_case;

// All cases, or the one that the options name; returns the exit status.
int bench_scenes(const command_options *options, const bench_scene_case *cases, int count);
