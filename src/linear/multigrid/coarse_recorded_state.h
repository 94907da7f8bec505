// The state at which the matrices of all levels were last computed. After a restart, matrices that
// are reused for later states are computed from it again.
#pragma once

#include "base/record.h"
#include "linear/linear_system.h"

// Valid when zero-filled.
typedef struct sherd_coarse_origin {
    bool known;
    sherd_element_index count;
    double *position[3]; // [m] (count each); owned, in one allocation
    double inertia, damping;
    int64_t spring_count;
    sherd_contact_spring *springs; // owned
    size_t spring_capacity;
} sherd_coarse_origin;

// Records a system without free bodies; for others it stays unset.
sherd_status sherd_coarse_origin_note(sherd_coarse_origin *origin,
                                      const sherd_linear_system *system, sherd_error *error);
// The system `now` at the recorded state. `points` is storage for the result.
sherd_linear_system sherd_coarse_origin_system(const sherd_coarse_origin *origin,
                                               const sherd_linear_system *now,
                                               sherd_points *points);
void sherd_coarse_origin_free(sherd_coarse_origin *origin);
size_t sherd_coarse_origin_bytes(const sherd_coarse_origin *origin);

extern const sherd_row_layout sherd_contact_spring_layout;
void sherd_coarse_origin_save(const sherd_coarse_origin *origin, sherd_byte_buffer *out);
sherd_status sherd_coarse_origin_restore(sherd_coarse_origin *origin, sherd_record_reader *in,
                                         sherd_error *error);
