// The instruction set that the library uses, one of those compiled (cmake/kernels.cmake). It is
// decided once for the process (sherd/simd.h), by the first call that reads or sets it.
#pragma once

#include <kernel_levels.h> // in the build folder: the levels selected by SHERD_KERNELS

#include <sherd/simd.h>

#include <stdatomic.h>

// The address of a kernel's f_baseline, f_avx2 or f_avx512. A build for x86-64 has all three
// (SHERD_ALL_LEVELS); others have one level, whatever is requested (SHERD_LEVEL_ALONE, a
// sherd_simd; SHERD_VARIANT_ALONE, its name).
#if defined(SHERD_ALL_LEVELS)
#define SHERD_KERNEL_AT(level, name)                                                               \
    ((level) == SHERD_SIMD_AVX512 ? &name##_avx512                                                 \
     : (level) == SHERD_SIMD_AVX2 ? &name##_avx2                                                   \
                                  : &name##_baseline)
#else
#define SHERD_VARIANT_JOIN(name, variant) name##_##variant
#define SHERD_VARIANT_OF(name, variant) SHERD_VARIANT_JOIN(name, variant)
#define SHERD_KERNEL_AT(level, name) ((void)(level), &SHERD_VARIANT_OF(name, SHERD_VARIANT_ALONE))
#endif

// The only mutable global of the library: a sherd_simd, or negative while undecided. With all
// values except the baseline, results are the same bits.
extern atomic_int sherd_cpu_decided;

// Decides by environment and machine, if undecided, and returns the level.
sherd_simd sherd_cpu_decide(void);

// Available levels.
typedef struct sherd_cpu_levels {
    sherd_simd machine, best; // of the machine; the best one that the environment allows
    sherd_simd least;         // above the baseline only if the build has kernels for one level
} sherd_cpu_levels;

// Finds the levels that SHERD_SIMD = `cap` allows on a machine whose best level is `machine`: all
// with NULL, "" and "auto", or if the machine's level is lower than the cap. SHERD_ERROR_INPUT if
// the name is invalid; *levels is then as without a cap.
sherd_status sherd_cpu_cap(const char *cap, sherd_simd machine, sherd_cpu_levels *levels,
                           sherd_error *error);

// Restricts the levels to the only one that the build has kernels for, above the baseline.
// SHERD_ERROR_UNSUPPORTED if the machine or its cap does not allow this level; *levels is set
// nevertheless.
sherd_status sherd_cpu_build(sherd_simd alone, sherd_cpu_levels *levels, sherd_error *error);

// The level of that name ("auto" is the best available).
sherd_status sherd_cpu_find(const char *name, sherd_cpu_levels levels, sherd_simd *level,
                            sherd_error *error);

// SHERD_OK unless SHERD_SIMD is not the name of a level, or the build has no kernels for this
// machine.
sherd_status sherd_cpu_check(sherd_error *error);

static inline sherd_simd sherd_cpu_level(void)
{
    int level = atomic_load_explicit(&sherd_cpu_decided, memory_order_relaxed);
    return level >= 0 ? (sherd_simd)level : sherd_cpu_decide();
}

// Compiles a function again for each set of wider vectors, for loops that do not justify a separate
// kernel. `linkage` is static or extern. Multiply-adds are not fused in any version: all give the
// same bits.
//
//     SHERD_WIDE(static, double, sum, (const double *x, size_t n), (x, n))
//     {
//         ...
//     }
#if defined(SHERD_ALL_LEVELS)
#define SHERD_WIDE(linkage, type, name, parameters, arguments)                                     \
    static inline __attribute__((always_inline)) type name##_body parameters;                      \
    __attribute__((target("avx512f"))) static type name##_avx512 parameters                        \
    {                                                                                              \
        return name##_body arguments;                                                              \
    }                                                                                              \
    __attribute__((target("avx2"))) static type name##_avx2 parameters                             \
    {                                                                                              \
        return name##_body arguments;                                                              \
    }                                                                                              \
    linkage type name parameters                                                                   \
    {                                                                                              \
        switch (sherd_cpu_level()) {                                                               \
        case SHERD_SIMD_AVX512:                                                                    \
            return name##_avx512 arguments;                                                        \
        case SHERD_SIMD_AVX2:                                                                      \
            return name##_avx2 arguments;                                                          \
        default:                                                                                   \
            return name##_body arguments;                                                          \
        }                                                                                          \
    }                                                                                              \
    static inline __attribute__((always_inline)) type name##_body parameters
#elif defined(SHERD_TARGET_ALONE)
#define SHERD_WIDE(linkage, type, name, parameters, arguments)                                     \
    __attribute__((target(SHERD_TARGET_ALONE))) linkage type name parameters
#else
#define SHERD_WIDE(linkage, type, name, parameters, arguments) linkage type name parameters
#endif

// The level of that name, -1 if invalid ("auto" is invalid).
int sherd_simd_of_name(const char *name);

// Whether two levels give the same results bit for bit on the same scene.
bool sherd_simd_agree(sherd_simd a, sherd_simd b);
