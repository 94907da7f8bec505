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

// SHERD_SIMD in the environment, one of these names or "auto", is a cap: levels above it are as if the machine did not
// have them, for whoever asks. A cap above what the machine has changes nothing. If it is no such name, choosing a
// level and creating a world fail with SHERD_ERROR_INPUT.
//
// Chooses for the whole process, before its first world is created: "auto" (the best that machine and cap leave),
// "avx512", "avx2" or "baseline". NULL: auto, which is also what holds if this is never called.
// SHERD_ERROR_INPUT: no such name; SHERD_ERROR_UNSUPPORTED: machine or cap do not leave it, or the build has it not
// (SHERD_KERNELS in cmake/options.cmake). The level then stays as it was.
SHERD_API sherd_status sherd_simd_choose(const char *name, sherd_error *error);

// The level in use.
SHERD_API sherd_simd sherd_simd_level(void);
// The best that the machine has, whatever the cap.
SHERD_API sherd_simd sherd_simd_machine(void);

// "avx512" and so on.
SHERD_API const char *sherd_simd_name(sherd_simd level);
