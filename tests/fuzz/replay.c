// Gives one fuzz target the files named, each in a process of its own, in place of libFuzzer.
//
// usage: replay_TARGET [--seconds S] [--megabytes M] FILE...
//
// Says which took more than S (1) seconds of processor time or M (256) megabytes, or ended otherwise than it
// should; prints the slowest and the one that took most memory. Exit status: 0 none, 1 some, 2 wrong usage.
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef FUZZ_INITIALIZES
static int initialize(void)
{
    return LLVMFuzzerInitialize(NULL, NULL);
}
#else
static int initialize(void)
{
    return 0;
}
#endif

// For the mutators, which nobody calls here.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    (void)data, (void)max_size;
    return size;
}

typedef struct limits {
    double seconds, megabytes;
} limits;

typedef struct cost {
    double seconds, megabytes;
    const char *slowest, *largest;
} cost;

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    enum { LARGEST = 1 << 20 };
    uint8_t *data = malloc(LARGEST);
    *size = data != NULL ? fread(data, 1, LARGEST, file) : 0;
    fclose(file);
    return data;
}

static void try_one(const char *path, const limits *most)
{
    size_t size = 0;
    uint8_t *data = read_file(path, &size);
    if (data == NULL) {
        fprintf(stderr, "%s: can't be read\n", path);
        _exit(1);
    }
    // Ends what hangs; the time is measured by the parent.
    rlim_t seconds = (rlim_t)(10.0 * most->seconds) + 10;
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds});
    int status = LLVMFuzzerTestOneInput(data, size);
    free(data);
    _exit(status != 0);
}

// False when it did not end as it should.
static bool measure(const char *path, const limits *most, cost *worst)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) try_one(path, most);
    int status = -1;
    struct rusage use;
    if (child < 0 || wait4(child, &status, 0, &use) != child) return false;
    double seconds = (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                     1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
    double megabytes = (double)use.ru_maxrss / 1024.0;
    if (seconds > worst->seconds) worst->seconds = seconds, worst->slowest = path;
    if (megabytes > worst->megabytes) worst->megabytes = megabytes, worst->largest = path;
    if (status == 0 && seconds <= most->seconds && megabytes <= most->megabytes) return true;
    fprintf(stderr, "%s: status %d, %.2f s, %.0f MB\n", path, status, seconds, megabytes);
    return false;
}

int main(int argc, char **argv)
{
    limits most = {1.0, 256.0};
    cost worst = {0.0, 0.0, "", ""};
    int k = 1, bad = 0, tried = 0;
    for (; k + 1 < argc && strncmp(argv[k], "--", 2) == 0; k += 2) {
        double *limit = strcmp(argv[k], "--seconds") == 0 ? &most.seconds : &most.megabytes;
        *limit = atof(argv[k + 1]);
    }
    if (k >= argc || initialize() != 0) return 2;
    for (; k < argc; ++k, ++tried)
        bad += !measure(argv[k], &most, &worst);
    printf("%d inputs, %d bad; slowest %.3f s %s; largest %.1f MB %s\n", tried, bad, worst.seconds,
           worst.slowest, worst.megabytes, worst.largest);
    return bad > 0;
}
