#include "base/cpu.h"

sherd_cpu_kind sherd_cpu_level(void)
{
#if defined(SHERD_CPU_X86)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))
        return SHERD_CPU_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return SHERD_CPU_AVX2;
#endif
    return SHERD_CPU_BASELINE;
}
