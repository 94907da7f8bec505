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

sherd_cpu_kind sherd_cpu_level(void);

// "baseline", "avx2", "avx512".
const char *sherd_cpu_name(void);
