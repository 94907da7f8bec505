#include "base/cpu.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

atomic_int sherd_cpu_decided = -1;

static const char *const NAMES[] = {"baseline", "avx2", "avx512"};
enum { LEVELS = sizeof NAMES / sizeof NAMES[0] };

// The best level that both machine and build support; the baseline if there is no other.
static sherd_simd best_level(void)
{
#if defined(SHERD_ALL_LEVELS) || defined(SHERD_TARGET_ALONE)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))
        return SHERD_SIMD_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return SHERD_SIMD_AVX2;
#endif
    return SHERD_SIMD_BASELINE;
}

static const char CHOICES[] = "choose auto, avx512, avx2 or baseline; auto is the best there is";

sherd_status sherd_cpu_cap(const char *cap, sherd_simd machine, sherd_cpu_levels *levels,
                           sherd_error *error)
{
    *levels = (sherd_cpu_levels){.machine = machine, .best = machine};
    if (cap == NULL || cap[0] == '\0' || strcmp(cap, "auto") == 0) return SHERD_OK;
    int named = sherd_simd_of_name(cap);
    if (named < 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "SHERD_SIMD", CHOICES,
                          "no such instruction set: %s", cap);
    if (named < (int)machine) levels->best = (sherd_simd)named;
    return SHERD_OK;
}

sherd_status sherd_cpu_build(sherd_simd alone, sherd_cpu_levels *levels, sherd_error *error)
{
    sherd_simd machine = levels->machine, best = levels->best;
    levels->best = levels->least = alone;
    if (best >= alone) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, machine < alone ? "simd" : "SHERD_SIMD",
                      "build with SHERD_KERNELS=all, as `make` does",
                      "this build has kernels for %s alone, which %s", NAMES[alone],
                      machine < alone ? "this machine does not have"
                                      : "is above what the environment leaves");
}

static sherd_status find_levels(sherd_cpu_levels *levels, sherd_error *error)
{
    sherd_status status = sherd_cpu_cap(getenv("SHERD_SIMD"), best_level(), levels, error);
#if defined(SHERD_TARGET_ALONE)
    sherd_error *left = status == SHERD_OK ? error : NULL; // report the first of two errors
    sherd_status build = sherd_cpu_build(SHERD_LEVEL_ALONE, levels, left);
    if (status == SHERD_OK) status = build;
#endif
    return status;
}

sherd_status sherd_cpu_find(const char *name, sherd_cpu_levels levels, sherd_simd *level,
                            sherd_error *error)
{
    *level = levels.best;
    if (strcmp(name, "auto") == 0) return SHERD_OK;
    int named = sherd_simd_of_name(name);
    if (named < 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "simd", CHOICES, "no such instruction set: %s",
                          name);
    *level = (sherd_simd)named;
    if (named >= (int)levels.least && named <= (int)levels.best) return SHERD_OK;
    if (levels.least > SHERD_SIMD_BASELINE)
        return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, "simd",
                          "choose auto, or build with SHERD_KERNELS=all, as `make` does",
                          "this build has kernels for %s alone: %s", NAMES[levels.least], name);
    const char *choices = levels.best == SHERD_SIMD_AVX2 ? "choose auto, avx2 or baseline"
                                                         : "choose auto or baseline";
    if (named <= (int)levels.machine)
        return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, "simd", choices,
                          "the environment, SHERD_SIMD=%s, leaves no instruction set above %s: %s",
                          NAMES[levels.best], NAMES[levels.best], name);
    return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, "simd", choices,
                      "this machine does not have the instruction set %s; its best is %s", name,
                      NAMES[levels.best]);
}

sherd_simd sherd_cpu_decide(void)
{
    sherd_cpu_levels levels;
    find_levels(&levels, NULL); // an invalid name limits nothing; sherd_cpu_check reports it
    int undecided = -1;
    atomic_compare_exchange_strong(&sherd_cpu_decided, &undecided, (int)levels.best);
    return (sherd_simd)atomic_load(&sherd_cpu_decided);
}

sherd_status sherd_cpu_check(sherd_error *error)
{
    sherd_cpu_levels levels;
    return find_levels(&levels, error);
}

sherd_status sherd_simd_choose(const char *name, sherd_error *error)
{
    sherd_cpu_levels levels;
    sherd_simd level;
    sherd_status status = find_levels(&levels, error);
    if (status == SHERD_OK)
        status = sherd_cpu_find(name != NULL ? name : "auto", levels, &level, error);
    if (status == SHERD_OK) atomic_store(&sherd_cpu_decided, (int)level);
    return status;
}

sherd_simd sherd_simd_level(void)
{
    return sherd_cpu_level();
}

sherd_simd sherd_simd_machine(void)
{
    return best_level();
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
