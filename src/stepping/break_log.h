// Log of broken bonds, filled by any stepper and emptied by its reader (sherd_world_forget_breaks).
// Parts of a divided system append theirs to the whole's log after each span. The order of the list
// is that in which steppers find breaks. It may differ with regions and after a restart, so readers
// sort by time and bond.
#pragma once

#include "models/bonded/storage/bonds.h"

#include <sherd/error.h>

typedef struct sherd_broken {
    int64_t bond;     // glue of material points is numbered after the bonds
    double time;      // [s]
    sherd_vec3 place; // [m]
    double energy;    // [J]
    uint64_t mode;    // sherd_break_mode
} sherd_broken;

typedef struct sherd_break_log {
    sherd_broken *list; // owned
    size_t count, capacity;
} sherd_break_log; // valid when zero-filled

void sherd_break_log_free(sherd_break_log *log);

// Appends a bond that breaks at present, with its analysis.
sherd_broken sherd_broken_of(const sherd_bonds *bonds, const sherd_elements *elements, int64_t bond,
                             const sherd_bond_analysis *analysis, double time);

sherd_status sherd_break_log_add(sherd_break_log *log, const sherd_broken *broken,
                                 sherd_error *error);

// Moves the entries of a part to the log of the whole.
sherd_status sherd_break_log_hand_over(sherd_break_log *part, const sherd_bonds *bonds,
                                       sherd_break_log *whole, sherd_error *error);

void sherd_break_log_save(const sherd_break_log *log, sherd_byte_buffer *out);
// `bond_count`: number of bonds and particles of glue. Checkpoints of versions without a log restore an
// empty one.
sherd_status sherd_break_log_restore(sherd_break_log *log, int64_t bond_count,
                                     sherd_record_reader *in, sherd_error *error);
