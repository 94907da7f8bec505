// The state of material points as the section "material_points" of a record, and back. Points are
// saved as they are sorted, what fills up batches included: the order of sums depends on it.
#pragma once

#include "base/record.h"
#include "models/mpm/mpm.h"

void sherd_mpm_save(const sherd_mpm *m, sherd_byte_buffer *out);

// What bodies and numbers of points must fit.
typedef struct sherd_mpm_owner {
    uint32_t bodies, coupling;
    int32_t numbers; // from 0
    size_t points;   // without fillers
} sherd_mpm_owner;
sherd_status sherd_mpm_restore(sherd_mpm *m, const sherd_mpm_owner *owner, sherd_record_reader *in,
                               sherd_error *error);
