// The rows of `sherd bench implicit`: [IBDEM25] Table 1, its three-point bending of Table 2, and the two
// bodies that break by falling, smaller, until they lie still.
#pragma once

#include <stdbool.h>

// What a case is stepped with.
typedef enum implicit_run {
    IMPLICIT_RUN_REFERENCE, // explicit steps of half the length: what errors are held against
    IMPLICIT_RUN_EXPLICIT,  // as near to the stability limit as is safe
    IMPLICIT_RUN_IMPLICIT,  // steps by error; where bodies shatter, the paper's: `paper_dt`
    IMPLICIT_RUN_AUTO,
    IMPLICIT_RUN_COUNT
} implicit_run;

enum { IMPLICIT_MOST_SETTINGS = 5 };

typedef struct implicit_case {
    const char *name, *scene, *variant;
    // Of the paper, [IBDEM25] Tables 1 and 2; NAN: not given. Seconds per frame.
    double paper_explicit, paper_implicit;
    double
        paper_dt; // Euler steps at whose ends all that is overstressed breaks; 0: steps by error [s]
    int frames;   // from release on
    double share;  // of each frame that is run: times are those of whole frames
    bool breaks;   // told by what broke, not by where elements are
    double safety; // explicit steps over their stability limit
    bool run[IMPLICIT_RUN_COUNT];
    const char *settings[IMPLICIT_MOST_SETTINGS]; // besides the variant's
} implicit_case;

enum { IMPLICIT_CASES = 12 };

const implicit_case *implicit_case_at(int index);
const char *implicit_run_name(implicit_run run, bool by_paper);
