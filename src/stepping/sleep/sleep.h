// A system's sleeping bodies (rigid_sleep.h), and which bodies are quiescent (quiescence.h).
#pragma once

#include "contact/sleeping_bodies.h"
#include "points/elements.h"

#include <stdbool.h>

// A component that has been slow at all checks since a time (resting_contact.h).
typedef struct sherd_resting_note {
    sherd_element_index root;
    int32_t unused;      // notes are saved as raw structs
    int64_t seen;        // step of the last check
    double since;        // [s]
    double mass;         // [kg]
    sherd_vec3 velocity; // of its centre of mass at that time [m/s]
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
    uint8_t *checks; // number of consecutive checks at which a component was quiescent, by root (n)
    int64_t broken;  // bonds broken when roots were found, -1 = never
    // Between checks runs are stored, if they are much shorter, or else roots.
    sherd_quiescence_run *runs;
    int32_t run_count;
    sherd_element_index *root; // first element of each element's component (n)
    sherd_resting_notes notes;
    // During a check only:
    sherd_element_index *size; // of the component, by root (n)
    uint8_t *near;             // by root (n)
} sherd_quiescence;

typedef struct sherd_sleep {
    bool enabled;
    sherd_sleepers sleepers;
    sherd_quiescence quiescence;
    int64_t pose_step;   // the step to which `sleepers.place` brings elements
    double *local_at[3]; // of sleeping elements: position from the centre, principal frame [m] (n)
    double *local_q[4];  // orientation relative to the principal frame (n)
    // the two above and sherd_sleepers.of are allocated: once the first body falls asleep
    bool poses_allocated;
} sherd_sleep;
