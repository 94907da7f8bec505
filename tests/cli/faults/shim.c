// For faults.py, by LD_PRELOAD: counts the calls by which a program changes files, and makes one of
// them fail or ends the program before it.
//
//   FAULT_LOG=FILE     a line for every call: its number, name and path
//   FAULT_AT=N         the call at which something happens, counted from 1
//   FAULT_KIND=...     kill: SIGKILL before it; or the error that it and all later writes give
//                      (ENOSPC, EDQUOT, EIO), with "once" behind it this call only
//   FAULT_CLOCK=S      a monotonic clock that advances by S seconds whenever it is read, so that
//                      what depends on time comes at the same calls in every run
//   FAULT_THREADS=N    no more than N threads at a time besides the first; more can't be started
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_long calls, looks;

static void log_call(long number, const char *name, const char *path)
{
    static int file = -1;
    const char *log_path = getenv("FAULT_LOG");
    if (log_path == NULL) return;
    if (file < 0)
        file = (int)syscall(SYS_openat, AT_FDCWD, log_path,
                            O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    char line[4400];
    int length = snprintf(line, sizeof line, "%ld %s %.4000s\n", number, name, path);
    syscall(SYS_write, file, line, (size_t)length);
}

static int error_of(const char *kind)
{
    const struct {
        const char *name;
        int error;
    } errors[] = {{"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT}, {"EIO", EIO}};
    for (size_t k = 0; k < sizeof errors / sizeof errors[0]; ++k)
        if (strncmp(kind, errors[k].name, strlen(errors[k].name)) == 0) return errors[k].error;
    return 0;
}

// Whether the call is to fail, errno set. What frees room never fails for lack of it.
static int fails(const char *name, const char *path, int needs_room)
{
    long number = atomic_fetch_add(&calls, 1) + 1;
    const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND");
    log_call(number, name, path);
    if (at == NULL || kind == NULL || number < atol(at)) return 0;
    if (strcmp(kind, "kill") == 0 && number == atol(at)) kill(getpid(), SIGKILL);
    int error = error_of(kind), once = strstr(kind, "once") != NULL;
    if (error == 0 || (number > atol(at) && (once || !needs_room))) return 0;
    if (number == atol(at) && !needs_room && error != EIO) return 0;
    errno = error;
    return 1;
}

static const char *path_of(int descriptor, char path[4096])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t size = readlink(link, path, 4095);
    path[size > 0 ? size : 0] = '\0';
    return path;
}

static int is_file(int descriptor)
{
    struct stat status;
    return descriptor > 2 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int descriptor, const void *bytes, size_t size)
{
    char path[4096];
    if (is_file(descriptor) && fails("write", path_of(descriptor, path), 1)) return -1;
    return REAL(write)(descriptor, bytes, size);
}

int fsync(int descriptor)
{
    char path[4096];
    if (is_file(descriptor) && fails("fsync", path_of(descriptor, path), 1)) return -1;
    return REAL(fsync)(descriptor);
}

int ftruncate(int descriptor, off_t size)
{
    char path[4096];
    if (is_file(descriptor) && fails("ftruncate", path_of(descriptor, path), 0)) return -1;
    return REAL(ftruncate)(descriptor, size);
}

int rename(const char *from, const char *to)
{
    return fails("rename", to, 1) ? -1 : REAL(rename)(from, to);
}

int unlink(const char *path)
{
    return fails("unlink", path, 0) ? -1 : REAL(unlink)(path);
}

int remove(const char *path)
{
    return fails("remove", path, 0) ? -1 : REAL(remove)(path);
}

int mkdir(const char *path, mode_t mode)
{
    return fails("mkdir", path, 1) ? -1 : REAL(mkdir)(path, mode);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if ((flags & O_CREAT) != 0 && fails("open", path, 1)) return -1;
    return REAL(open)(path, flags, mode);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    const char *step = getenv("FAULT_CLOCK");
    if (step == NULL || clock != CLOCK_MONOTONIC) return REAL(clock_gettime)(clock, time);
    double seconds = atof(step) * (double)(atomic_fetch_add(&looks, 1) + 1);
    time->tv_sec = (time_t)seconds;
    time->tv_nsec = (long)(1e9 * (seconds - (double)time->tv_sec));
    return 0;
}

// ---------------------------------------------------------------- threads

static atomic_long alive;

typedef struct beginning {
    void *(*work)(void *);
    void *argument;
} beginning;

static void *work_and_end(void *given)
{
    beginning begin = *(beginning *)given;
    free(given);
    void *result = begin.work(begin.argument);
    atomic_fetch_sub(&alive, 1);
    return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
                   void *argument)
{
    const char *most = getenv("FAULT_THREADS");
    if (most == NULL) return REAL(pthread_create)(thread, attributes, work, argument);
    beginning *begin = malloc(sizeof *begin);
    if (begin == NULL) return EAGAIN;
    *begin = (beginning){work, argument};
    int result = atomic_fetch_add(&alive, 1) >= atol(most)
                     ? EAGAIN
                     : REAL(pthread_create)(thread, attributes, work_and_end, begin);
    if (result == 0) return 0;
    atomic_fetch_sub(&alive, 1);
    free(begin);
    return result;
}
