#include "base/cpu.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

atomic_int sherd_cpu_decided = -1;

static const char *const NAMES[] = {"baseline", "avx2", "avx512"};
enum { LEVELS = sizeof NAMES / sizeof NAMES[0] };

// The best that the machine has.
static sherd_simd best_level(void)
{
#if defined(SHERD_CPU_X86)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))
        return SHERD_SIMD_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return SHERD_SIMD_AVX2;
#endif
    return SHERD_SIMD_BASELINE;
}

sherd_status sherd_cpu_find(const char *name, sherd_simd best, const char *where, sherd_simd *level,
                            sherd_error *error)
{
    *level = best;
    if (strcmp(name, "auto") == 0) return SHERD_OK;
    int named = sherd_simd_of_name(name);
    if (named < 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, where,
                          "choose auto, avx512, avx2 or baseline; auto is the best there is",
                          "no such instruction set: %s", name);
    if (named > (int)best)
        return sherd_fail(
            error, SHERD_ERROR_UNSUPPORTED, where,
            best == SHERD_SIMD_AVX2 ? "choose auto, avx2 or baseline" : "choose auto or baseline",
            "this machine does not have the instruction set %s; its best is %s", name, NAMES[best]);
    *level = (sherd_simd)named;
    return SHERD_OK;
}

static sherd_status by_environment(sherd_simd *level, sherd_error *error)
{
    const char *name = getenv("SHERD_SIMD");
    return sherd_cpu_find(name != NULL && name[0] != '\0' ? name : "auto", best_level(),
                          "SHERD_SIMD", level, error);
}

sherd_simd sherd_cpu_decide(void)
{
    sherd_simd level;
    by_environment(&level,
                   NULL); // a missing level becomes the best there is; sherd_cpu_check reports it
    int undecided = -1;
    atomic_compare_exchange_strong(&sherd_cpu_decided, &undecided, (int)level);
    return (sherd_simd)atomic_load(&sherd_cpu_decided);
}

sherd_status sherd_cpu_check(sherd_error *error)
{
    sherd_simd level;
    return atomic_load(&sherd_cpu_decided) >= 0 ? SHERD_OK : by_environment(&level, error);
}

sherd_status sherd_simd_choose(const char *name, sherd_error *error)
{
    sherd_simd level;
    sherd_status status = name != NULL ? sherd_cpu_find(name, best_level(), "simd", &level, error)
                                       : by_environment(&level, error);
    if (status == SHERD_OK) atomic_store(&sherd_cpu_decided, (int)level);
    return status;
}

sherd_simd sherd_simd_level(void)
{
    return sherd_cpu_level();
}

const char *sherd_simd_name(sherd_simd level)
{
    return (int)level >= 0 && (int)level < LEVELS ? NAMES[level] : "unknown";
}

int sherd_simd_of_name(const char *name)
{
    for (int k = 0; k < LEVELS; ++k)
        if (strcmp(name, NAMES[k]) == 0) return k;
    return -1;
}

bool sherd_simd_agree(sherd_simd a, sherd_simd b)
{
    return (a == SHERD_SIMD_BASELINE) == (b == SHERD_SIMD_BASELINE);
}
