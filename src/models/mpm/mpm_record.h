// Saves and restores the state of material points as the section "material_points" of a record.
// Points are saved in sorted order, including the fillers of batches, because the order of sums
// depends on it.
#pragma once

#include "base/record.h"
#include "models/mpm/mpm.h"

void sherd_mpm_save(const sherd_mpm *m, sherd_byte_buffer *out);

// Limits that a restored state is checked against.
typedef struct sherd_mpm_owner {
    uint32_t bodies, coupling;
    int32_t numbers; // numbers of points are below this
    size_t points;   // number of points without fillers
} sherd_mpm_owner;
sherd_status sherd_mpm_restore(sherd_mpm *m, const sherd_mpm_owner *owner, sherd_record_reader *in,
                               sherd_error *error);
