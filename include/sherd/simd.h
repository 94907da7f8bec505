// Choice of the instruction set that the library computes with.
//
// Results at avx2 and avx512 are the same bit for bit, in every method. The baseline has no fused
// multiply-adds: its results differ by roundings, which grow wherever things break or bounce.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>

// Instruction sets.
typedef enum sherd_simd {
    SHERD_SIMD_BASELINE = 0, // what every machine of its kind has
    SHERD_SIMD_AVX2,         // x86-64: AVX2 and FMA
    SHERD_SIMD_AVX512,       // x86-64: AVX-512 F, DQ, VL and FMA
} sherd_simd;

// Chooses the instruction set of the whole process, before the first world is created: "auto" (the
// best that machine and cap allow, also if this is never called or `name` is NULL), "avx512",
// "avx2" or "baseline". The environment variable SHERD_SIMD, one of these names, is a cap: sets
// above it count as missing. If it has another value, this function and sherd_world_create fail
// with SHERD_ERROR_INPUT. SHERD_ERROR_INPUT: no such name; SHERD_ERROR_UNSUPPORTED: the machine,
// the cap or the build (SHERD_KERNELS in cmake/options.cmake) does not allow it. The choice is then
// unchanged.
SHERD_API sherd_status sherd_simd_choose(const char *name, sherd_error *error);

// Returns the instruction set in use.
SHERD_API sherd_simd sherd_simd_level(void);
// Returns the best instruction set of the machine, whatever the cap.
SHERD_API sherd_simd sherd_simd_machine(void);

// Returns the name of an instruction set, "avx512"; static.
SHERD_API const char *sherd_simd_name(sherd_simd level);
