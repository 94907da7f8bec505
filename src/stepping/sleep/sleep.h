// What a system remembers of its sleeping bodies (rigid_sleep.h) and of which bodies are calm (quiescence.h).
#pragma once

#include "contact/sleepers.h"
#include "points/elements.h"

#include <stdbool.h>

// How often in a row a component was calm.
typedef struct sherd_quiescence_checks {
    uint8_t calm;
} sherd_quiescence_checks;

// A component that has been slow at all looks since a time (resting_contact.h).
typedef struct sherd_resting_note {
    sherd_element_index root;
    int32_t unused;      // notes are saved as they are
    int64_t seen;        // step of the last look
    double since;        // [s]
    double mass;         // [kg]
    sherd_vec3 velocity; // of its centre of mass then [m/s]
} sherd_resting_note;

typedef struct sherd_resting_notes {
    sherd_resting_note *list; // by root, ascending; owned
    size_t count, capacity;
} sherd_resting_notes;

// Consecutive elements of one component.
typedef struct sherd_quiescence_run {
    sherd_element_index begin, root;
} sherd_quiescence_run;

typedef struct sherd_quiescence {
    sherd_quiescence_checks *checks; // by root (n)
    int64_t broken;                  // bonds broken when roots were found, -1 = never
    // Between looks either runs, where they are much shorter, or roots are kept.
    sherd_quiescence_run *runs;
    int32_t run_count;
    sherd_element_index *root; // first element of each one's component (n)
    sherd_resting_notes notes;
    // During a look only:
    sherd_element_index *size; // of the component, by root (n)
    uint8_t *near;             // by root (n)
} sherd_quiescence;

typedef struct sherd_sleep {
    bool enabled;
    sherd_sleepers sleepers;
    sherd_quiescence calm;
    int64_t place_step;  // the step that `sleepers.place` brings elements to
    double *local_at[3]; // of sleeping elements: position from the centre, principal frame [m] (n)
    double *local_q[4];  // orientation against the principal frame (n)
    bool places_made;    // the two above are there, and sleepers.of: from the first body that
                         // falls asleep on
} sherd_sleep;
