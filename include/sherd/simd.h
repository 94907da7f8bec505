// Which of the compiled instruction sets the library computes with.
//
// Results at avx2 and avx512 are the same bit for bit, in every method. The baseline has no fused
// multiply-adds: its results differ by roundings, which grow wherever things break or bounce.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>

typedef enum sherd_simd {
    SHERD_SIMD_BASELINE = 0, // what every machine of its kind has
    SHERD_SIMD_AVX2,         // x86-64: AVX2 and FMA
    SHERD_SIMD_AVX512,       // x86-64: AVX-512 F, DQ, VL and FMA
} sherd_simd;

// Chooses for the whole process, before its first world is created: "auto" (the best that the machine
// has), "avx512", "avx2" or "baseline". NULL: what SHERD_SIMD in the environment says, auto without it,
// which is also what holds if this is never called. SHERD_ERROR_INPUT: no such name;
// SHERD_ERROR_UNSUPPORTED: the machine does not have it. The level then stays as it was.
SHERD_API sherd_status sherd_simd_choose(const char *name, sherd_error *error);

// The level in use.
SHERD_API sherd_simd sherd_simd_level(void);

// "avx512" and so on.
SHERD_API const char *sherd_simd_name(sherd_simd level);
// The level of that name, -1 if it is none ("auto" is none).
SHERD_API int sherd_simd_of_name(const char *name);

// Whether two levels give the same results bit for bit on the same scene.
SHERD_API bool sherd_simd_agree(sherd_simd a, sherd_simd b);
