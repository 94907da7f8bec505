#include "shell/machine.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The first number in a file, or `none`.
static double number_of(const char *path, double none)
{
    FILE *file = fopen(path, "r");
    double number;
    if (file == NULL) return none;
    if (fscanf(file, "%lf", &number) != 1) number = none;
    fclose(file);
    return number;
}

// The value in a line "KEY<blanks>: VALUE" of a file. False if there is none.
static bool value_of(const char *path, const char *key, char *value, int size)
{
    char line[256];
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        found = colon != NULL && strncmp(line, key, strlen(key)) == 0;
        if (!found) continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(value, (size_t)size, "%.*s", (int)strcspn(colon, "\n"), colon);
    }
    if (file != NULL) fclose(file);
    return found;
}

static double memory_of(const char *key)
{
    char value[64] = "";
    return value_of("/proc/meminfo", key, value, sizeof value) ? 1024.0 * atof(value) : 0.0; // kB
}

// Counts the first thread of each core.
static int count_cores(int threads)
{
    int count = 0;
    for (int k = 0; k < threads; ++k) {
        char path[96];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
                 k);
        count += number_of(path, k) == k;
    }
    return count;
}

static int count_usable(int threads)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : threads;
}

machine machine_look(void)
{
    machine m = {.threads = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    if (!value_of("/proc/cpuinfo", "model name", m.processor, sizeof m.processor))
        snprintf(m.processor, sizeof m.processor, "unknown");
    m.cores = count_cores((int)sysconf(_SC_NPROCESSORS_CONF));
    m.usable = count_usable(m.threads);
    m.memory = memory_of("MemTotal");
    m.memory_free = memory_of("MemAvailable");
    m.memory_limit = number_of("/sys/fs/cgroup/memory.max",
                               number_of("/sys/fs/cgroup/memory/memory.limit_in_bytes", 0.0));
    if (m.memory_limit >= m.memory) m.memory_limit = 0.0;
    return m;
}
