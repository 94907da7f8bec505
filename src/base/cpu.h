// Which of the compiled instruction sets this machine runs best (cmake/kernels.cmake).
#pragma once

#if defined(__x86_64__)
#define SHERD_CPU_X86 1
#endif

typedef enum sherd_cpu_kind {
    SHERD_CPU_BASELINE,
    SHERD_CPU_AVX2,   // with fused multiply-adds
    SHERD_CPU_AVX512, // F, DQ, VL
} sherd_cpu_kind;

// A function compiled once more for wider vectors, for loops that are not worth a kernel; the one to
// use is picked when the program is loaded, before sanitizers are ready for it.
#if defined(SHERD_CPU_X86) && defined(__GNUC__) && !defined(__clang__) &&                          \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SHERD_WIDE_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SHERD_WIDE_VECTORS
#endif

sherd_cpu_kind sherd_cpu_level(void);
