// A smooth random field of displacements.
#pragma once

#include <sherd/types.h>

#include <stdint.h>

// Returns a vector of length below 1 that depends only on x, given in lattice steps (the size of a
// bump). Its mean square length is about 0.2, its derivative at most 5 (test_roughness.c).
sherd_vec3 sherd_roughness_noise(uint64_t seed, int octave, sherd_vec3 x);
