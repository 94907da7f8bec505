// Folders, sizes, whole files.
#include <sherd/file.h>

#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool sherd_folder_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool sherd_file_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

int64_t sherd_file_size(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode) ? status.st_size : -1;
}

static sherd_status make_one(const char *path, sherd_error *error)
{
    if (mkdir(path, 0777) == 0) return SHERD_OK;
    int problem = errno;
    if (problem == EEXIST && sherd_folder_exists(path)) return SHERD_OK;
    // A file is in the way: reported as such, not as "File exists".
    return sherd_fail_system(error, problem == EEXIST ? ENOTDIR : problem, "make the folder", path);
}

sherd_status sherd_folder_create(const char *path, sherd_error *error)
{
    char part[PATH_MAX];
    size_t length = strlen(path);
    if (length == 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "folder", "give a name", "the name is empty");
    if (length >= sizeof part)
        return sherd_fail_system(error, ENAMETOOLONG, "make the folder", path);
    if (sherd_folder_exists(path)) return SHERD_OK;
    for (size_t k = 1; k < length; ++k) {
        if (path[k] != '/') continue;
        memcpy(part, path, k);
        part[k] = '\0';
        if (sherd_folder_exists(part)) continue;
        sherd_status status = make_one(part, error);
        if (status != SHERD_OK) return status;
    }
    return make_one(path, error);
}

sherd_status sherd_file_write(const char *path, const void *bytes, size_t size, sherd_error *error)
{
    sherd_file_writer *writer = sherd_file_writer_create(path, error);
    if (writer == NULL) return error != NULL ? error->status : SHERD_ERROR_IO;
    sherd_file_writer_write(writer, bytes, size);
    return sherd_file_writer_commit(writer, error);
}

int sherd_open_file(const char *path, int *problem)
{
    // Opening a pipe without a writer would wait; reading files is the same with the flag.
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;
    *problem = descriptor < 0 || fstat(descriptor, &status) != 0 ? errno : 0;
    if (*problem == 0 && !S_ISREG(status.st_mode))
        *problem = S_ISDIR(status.st_mode) ? EISDIR : ENXIO;
    if (*problem == 0) return descriptor;
    if (descriptor >= 0) close(descriptor);
    return -1;
}

// Reads until the end: the size from the system is only a first guess (growing files).
static int read_all(int descriptor, unsigned char **bytes, size_t *size)
{
    size_t capacity = 0;
    struct stat status;
    if (fstat(descriptor, &status) != 0) return errno;
    size_t guess = status.st_size > 0 ? (size_t)status.st_size + 2 : 4096;
    for (;;) {
        size_t wanted = *size + 2 > guess ? *size * 2 + 2 : guess;
        if (!sherd_grow((void **)bytes, &capacity, wanted, 1)) return ENOMEM;
        ssize_t got = read(descriptor, *bytes + *size, capacity - 1 - *size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno;
        if (got == 0) break;
        *size += (size_t)got;
    }
    (*bytes)[*size] = '\0';
    return 0;
}

sherd_status sherd_file_read(const char *path, unsigned char **bytes, size_t *size,
                             sherd_error *error)
{
    *bytes = NULL;
    *size = 0;
    int problem, descriptor = sherd_open_file(path, &problem);
    if (problem == 0) problem = read_all(descriptor, bytes, size);
    if (descriptor >= 0) close(descriptor);
    if (problem == 0) return SHERD_OK;
    sherd_free(*bytes);
    *bytes = NULL;
    *size = 0;
    return sherd_fail_reading(error, problem, path);
}

bool sherd_path_join(char *path, size_t size, const char *folder, const char *name)
{
    size_t length = strlen(folder);
    const char *separator = length == 0 || folder[length - 1] == '/' ? "" : "/";
    int written = snprintf(path, size, "%s%s%s", folder, separator, name);
    return written >= 0 && (size_t)written < size;
}

sherd_status sherd_file_refuse(const char *first, int64_t count, sherd_error *error)
{
    static const char HINT[] =
        "move it away or choose another place with -o; --overwrite writes over it";
    if (count == 0) return SHERD_OK;
    // Ignore what can't be examined (name too long, circular links).
    struct stat status;
    if (lstat(first, &status) != 0 && (errno == ENAMETOOLONG || errno == ELOOP)) {
        sherd_fail_system(error, errno, "write", first);
        if (error != NULL) error->status = SHERD_ERROR_INPUT; // of the request
        return SHERD_ERROR_INPUT;
    }
    if (count == 1)
        return sherd_fail(error, SHERD_ERROR_INPUT, first, HINT,
                          "this file is in the way and was not written by Sherd; nothing was "
                          "changed");
    return sherd_fail(error, SHERD_ERROR_INPUT, first, HINT,
                      "this and %lld more files are in the way and were not written by Sherd; "
                      "nothing was changed",
                      (long long)count - 1);
}

const char *sherd_bytes_text(double bytes, char text[SHERD_BYTES_TEXT])
{
    const char *units[] = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    for (; bytes >= 1000.0 && unit < 4; ++unit)
        bytes /= 1000.0;
    snprintf(text, SHERD_BYTES_TEXT, bytes < 10.0 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes,
             units[unit]);
    return text;
}
