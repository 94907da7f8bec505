// Detection of vibrations too strong to be damped by implicit steps: with a stress above 2 % of the
// strength.
//
// For each connected component, with sums over its elements and bonds (deformation_rates.h),
//
//   omega^2 = sum k e'^2 / sum m v^2         Rayleigh's quotient of the velocities v (without rigid motion) and the
//                                            bonds' strain rates e': frequency of a free vibration with this motion
//   ratio   = sum m a^2 / sum k e'^2         1 in a free vibration; 0 in uniform motion, as under a slow load
//   energy  = ratio sum m v^2 / 2,   stress = sqrt(ratio) max(sigma' / sigma_c) / omega
//
// Each sum is taken at its maximum: accelerations are 0 while velocities are at their peak. Maxima
// decay slowly compared to a period. When bonds break, sampling starts again.
#pragma once

#include "base/error.h"
#include "base/record.h"

#include <stddef.h>

typedef struct sherd_system sherd_system;
typedef struct sherd_ringing sherd_ringing;

#define SHERD_RINGING_STRESS 0.02 // fraction of the strength: weaker vibrations may be lost

typedef struct sherd_ringing_found {
    double stress;   // largest amplitude of vibration of any component, over its strength
    double power;    // energy times omega, summed over components above the threshold [W]
    double tumbling; // spin of the fastest tumbling free component [rad/s]
} sherd_ringing_found;

// Samples the present state; velocities must be up to date.
sherd_status sherd_system_find_ringing(sherd_system *system, sherd_ringing_found *found,
                                       sherd_error *error);

void sherd_ringing_destroy(sherd_ringing *ringing); // NULL is fine
size_t sherd_ringing_bytes(const sherd_ringing *ringing);
extern const sherd_row_layout sherd_ringing_seen_layout; // of a component
void sherd_ringing_save(const sherd_system *system, sherd_byte_buffer *out);
sherd_status sherd_ringing_restore(sherd_system *system, sherd_record_reader *in,
                                   sherd_error *error);
