#include "base/file_writer.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"

#include <sherd/file.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BUFFER_SIZE = 1 << 16,   // [bytes] one system call per this much
    LARGEST_WRITE = 1 << 30, // [bytes] Linux moves at most 2 GiB - 4 KiB per call
    LARGEST_LINE = 4096,     // [bytes] of one formatted write
    MAX_PARTS = 100,         // names tried for the temporary file
};

struct sherd_file_writer {
    int descriptor;
    bool atomic;        // created: written to `part`, renamed to `path` by commit or publish
    char *path, *part;  // owned; `part` is NULL when appending
    size_t part_size;   // [bytes]
    int system_error;   // errno of the first failure, 0 while all is well
    bool line_too_long; // our own failure: a formatted write longer than LARGEST_LINE
    bool gone;          // likewise: PATH is no longer the file that is open
    int64_t flushed;    // [bytes] in the file
    int64_t good;       // [bytes] in the file after the last successful flush
    size_t used;        // [bytes] in the buffer
    unsigned char *buffer;
};

// ---------------------------------------------------------------- errors

static const char *hint_for(int system_error)
{
    switch (system_error) {
    case ENOSPC:
    case EDQUOT:
        return "free some space and continue with --resume";
    case EFBIG:
        return "the system limits the size of files here: lift the limit (ulimit -f) or write "
               "elsewhere, and continue with --resume";
    case EACCES:
    case EPERM:
    case EROFS:
        return "choose a folder you may write to";
    case ENOENT:
        return "check the path: a folder on the way to it does not exist";
    case ENOTDIR:
        return "check the path: a part of it is a file, not a folder";
    case EISDIR:
        return "this is a folder: give the name of a file";
    case EEXIST:
        return "a file of this name is in the way: move it or choose another name";
    case ENAMETOOLONG:
        return "choose a shorter name";
    case ELOOP:
        return "a link is in the way, which is not followed or leads to itself: remove it or "
               "choose "
               "another path";
    case ENXIO:
        return "this is no ordinary file: choose another name";
    case EMFILE:
    case ENFILE:
        return "too many files are open: raise the limit (ulimit -n)";
    case EIO:
        return "the disk or network failed: check it and continue with --resume";
    default:
        return NULL;
    }
}

// The hint for a file that can't be read.
static const char *reading_hint_for(int system_error)
{
    switch (system_error) {
    case ENOENT:
        return "check the path: there is no such file";
    case EACCES:
    case EPERM:
        return "you may not read this file: change its permissions or choose another";
    case EIO:
        return "the disk or network failed: check it";
    case EISDIR:
        return "this is a folder: give a file";
    case ENXIO:
        return "this is a device or a pipe: give an ordinary file";
    default:
        return hint_for(system_error);
    }
}

static sherd_status fail_with(sherd_error *error, int system_error, const char *action,
                              const char *path, const char *hint)
{
    if (system_error == ENOMEM) return sherd_fail_memory(error, path);
    if (system_error == ENXIO)
        return sherd_fail(error, SHERD_ERROR_IO, path, hint, "can't %s: not a regular file",
                          action);
    char reason[128];
    // The GNU variant: returns the text, which may or may not be in `reason`.
    const char *text = strerror_r(system_error, reason, sizeof reason);
    return sherd_fail(error, SHERD_ERROR_IO, path, hint, "can't %s: %s", action, text);
}

sherd_status sherd_fail_system(sherd_error *error, int system_error, const char *action,
                               const char *path)
{
    return fail_with(error, system_error, action, path, hint_for(system_error));
}

sherd_status sherd_fail_reading(sherd_error *error, int system_error, const char *path)
{
    return fail_with(error, system_error, "read", path, reading_hint_for(system_error));
}

// ---------------------------------------------------------------- life

static void writer_free(sherd_file_writer *writer)
{
    if (writer->descriptor >= 0) close(writer->descriptor);
    sherd_free(writer->path);
    sherd_free(writer->part);
    sherd_free(writer->buffer);
    sherd_free(writer);
}

// PATH.part, PATH.1.part, ...: `number` 0, 1, ...
static void name_part(const char *path, int number, char *part, size_t size)
{
    if (number == 0)
        snprintf(part, size, "%s.part", path);
    else
        snprintf(part, size, "%s.%d.part", path, number);
}

static sherd_file_writer *writer_new(const char *path, bool atomic, sherd_error *error)
{
    sherd_file_writer *writer = sherd_alloc(1, sizeof *writer);
    if (writer == NULL) {
        sherd_fail_memory(error, path);
        return NULL;
    }
    writer->descriptor = -1;
    writer->atomic = atomic;
    writer->path = sherd_string_copy(path);
    writer->part_size = strlen(path) + SHERD_PART_ROOM;
    writer->part = atomic ? sherd_alloc(writer->part_size, 1) : NULL;
    writer->buffer = sherd_alloc(BUFFER_SIZE, 1);
    if (writer->path != NULL && writer->buffer != NULL && (!atomic || writer->part != NULL))
        return writer;
    writer_free(writer);
    sherd_fail_memory(error, path);
    return NULL;
}

// Avoids descriptors 0 to 2, which are the standard streams even where the program has closed them:
// printed text would end up in the file. Returns the descriptor or -1 with errno.
static int open_beyond_streams(const char *path, int flags)
{
    int descriptor = open(path, flags | O_CLOEXEC, 0666);
    return descriptor < 0 || descriptor > STDERR_FILENO ? descriptor
                                                        : sherd_beyond_streams(descriptor);
}

int sherd_beyond_streams(int descriptor)
{
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), problem = errno;
    close(descriptor);
    errno = problem;
    return moved;
}

int sherd_part_open(const char *path, char *part, size_t size)
{
    for (int number = 0; number < MAX_PARTS; ++number) {
        name_part(path, number, part, size);
        int descriptor = open_beyond_streams(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}

sherd_file_writer *sherd_file_writer_create(const char *path, sherd_error *error)
{
    sherd_file_writer *writer = writer_new(path, true, error);
    if (writer == NULL) return NULL;
    struct stat status;
    // rename() would refuse a folder only at the end, after all the work of writing.
    bool is_folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    if (!is_folder)
        writer->descriptor = sherd_part_open(writer->path, writer->part, writer->part_size);
    if (writer->descriptor >= 0) return writer;
    int problem = is_folder ? EISDIR : errno;
    sherd_fail_system(error, problem, "write", path);
    writer_free(writer);
    return NULL;
}

// Cuts the opened file to `keep` bytes and moves to its end. Returns 0 or errno.
static int position_at_end(sherd_file_writer *writer, int64_t keep)
{
    struct stat status;
    if (fstat(writer->descriptor, &status) != 0) return errno;
    if (S_ISREG(status.st_mode)) {
        if (status.st_size > keep && ftruncate(writer->descriptor, keep) != 0) return errno;
        writer->flushed = status.st_size > keep ? keep : status.st_size;
        if (lseek(writer->descriptor, writer->flushed, SEEK_SET) < 0) return errno;
    }
    writer->good = writer->flushed;
    return 0;
}

// Two programs that append to one file would destroy each other's records. The lock is released
// with the descriptor, however the program ends. Some file systems have no locks: there this is not
// detected.
static bool is_locked_by_another(int descriptor)
{
    int result;
    while ((result = flock(descriptor, LOCK_EX | LOCK_NB)) != 0 && errno == EINTR)
        ;
    return result != 0 && errno == EWOULDBLOCK;
}

static sherd_status fail_locked(const char *path, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_IO, path,
                      "wait until it has ended, or write to another folder with -o",
                      "another program is writing this file");
}

sherd_file_writer *sherd_file_writer_append(const char *path, int64_t keep, sherd_error *error)
{
    sherd_file_writer *writer = writer_new(path, false, error);
    if (writer == NULL) return NULL;
    // A pipe without a reader fails instead of waiting.
    writer->descriptor =
        open_beyond_streams(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    int problem = writer->descriptor < 0 ? errno : 0;
    if (problem == 0 && is_locked_by_another(writer->descriptor)) {
        fail_locked(path, error);
        writer_free(writer);
        return NULL;
    }
    if (problem == 0) problem = position_at_end(writer, keep);
    if (problem == 0) return writer;
    sherd_fail_system(error, problem, "write", path);
    writer_free(writer);
    return NULL;
}

// ---------------------------------------------------------------- writing

static bool has_failed(const sherd_file_writer *writer)
{
    return writer->system_error != 0 || writer->line_too_long || writer->gone;
}

static void write_through(sherd_file_writer *writer, const unsigned char *bytes, size_t size)
{
    while (size > 0 && !has_failed(writer)) {
        size_t part = size < LARGEST_WRITE ? size : LARGEST_WRITE;
        ssize_t done = write(writer->descriptor, bytes, part);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            writer->system_error = done < 0 ? errno : ENOSPC;
            return;
        }
        bytes += done;
        size -= (size_t)done;
        writer->flushed += done;
    }
}

static void empty_buffer(sherd_file_writer *writer)
{
    write_through(writer, writer->buffer, writer->used);
    writer->used = 0;
}

void sherd_file_writer_write(sherd_file_writer *writer, const void *bytes, size_t size)
{
    if (has_failed(writer) || size == 0) return;
    if (size > BUFFER_SIZE - writer->used) empty_buffer(writer);
    if (size > BUFFER_SIZE) {
        write_through(writer, bytes, size);
        return;
    }
    if (has_failed(writer)) return;
    memcpy(writer->buffer + writer->used, bytes, size);
    writer->used += size;
}

void sherd_file_writer_rewrite(sherd_file_writer *writer, int64_t offset, const void *bytes,
                               size_t size)
{
    SHERD_ASSERT(offset >= 0 && offset + (int64_t)size <= sherd_file_writer_size(writer),
                 "what is written over is in the file");
    empty_buffer(writer);
    const unsigned char *from = bytes;
    while (size > 0 && !has_failed(writer)) {
        ssize_t done = pwrite(writer->descriptor, from, size, (off_t)offset);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            writer->system_error = done < 0 ? errno : ENOSPC;
            return;
        }
        from += done, offset += done, size -= (size_t)done;
    }
}

void sherd_file_writer_text(sherd_file_writer *writer, const char *text)
{
    sherd_file_writer_write(writer, text, strlen(text));
}

void sherd_file_writer_printf(sherd_file_writer *writer, const char *format, ...)
{
    char line[LARGEST_LINE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= LARGEST_LINE)
        writer->line_too_long = true;
    else
        sherd_file_writer_write(writer, line, (size_t)length);
}

int64_t sherd_file_writer_size(const sherd_file_writer *writer)
{
    return writer->flushed + (int64_t)writer->used;
}

// ---------------------------------------------------------------- flush, commit, abort

static sherd_status report(const sherd_file_writer *writer, sherd_error *error)
{
    if (writer->system_error != 0)
        return sherd_fail_system(error, writer->system_error, "write", writer->path);
    if (writer->line_too_long)
        return sherd_fail(error, SHERD_ERROR_INPUT, writer->path, "shorten names and values",
                          "can't write a line of more than %d bytes", LARGEST_LINE);
    if (writer->gone)
        return sherd_fail(error, SHERD_ERROR_IO, writer->path,
                          "what was written before is where it was moved to, or is gone with it",
                          "the file was removed, moved or replaced while it was being written");
    return SHERD_OK;
}

// Data written to a file that has lost its name is lost with it.
static void check_still_there(sherd_file_writer *writer)
{
    struct stat by_name, open_file;
    if (writer->atomic || has_failed(writer) || fstat(writer->descriptor, &open_file) != 0) return;
    writer->gone = stat(writer->path, &by_name) != 0
                       ? errno == ENOENT || errno == ENOTDIR
                       : by_name.st_ino != open_file.st_ino || by_name.st_dev != open_file.st_dev;
}

sherd_status sherd_file_writer_flush(sherd_file_writer *writer, sherd_error *error)
{
    empty_buffer(writer);
    check_still_there(writer);
    if (!has_failed(writer)) {
        writer->good = writer->flushed;
        return SHERD_OK;
    }
    // Give the space of the torn write back. Should this fail too, readers skip the torn end.
    if (!writer->atomic && !writer->gone && writer->flushed > writer->good &&
        ftruncate(writer->descriptor, writer->good) == 0)
        writer->flushed = writer->good;
    return report(writer, error);
}

// A rename is durable only after its folder was synced. Some file systems refuse to sync folders;
// the file itself is safe then as well, so that is not an error.
static void sync_folder_of(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - path);
    if (length >= sizeof folder) return;
    memcpy(folder, path, length);
    folder[length] = '\0';
    const char *name = slash == NULL ? "." : length == 0 ? "/" : folder;
    int descriptor = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    fsync(descriptor);
    close(descriptor);
}

// Special files (a pipe, /dev/null) can't be synced: EINVAL.
static void make_durable(sherd_file_writer *writer)
{
    if (fsync(writer->descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
        writer->system_error = errno;
}

sherd_status sherd_file_writer_sync(sherd_file_writer *writer, sherd_error *error)
{
    sherd_status status = sherd_file_writer_flush(writer, error);
    if (status != SHERD_OK) return status;
    make_durable(writer);
    return report(writer, error);
}

sherd_status sherd_file_writer_commit(sherd_file_writer *writer, sherd_error *error)
{
    sherd_status status = sherd_file_writer_flush(writer, error);
    if (status == SHERD_OK) {
        make_durable(writer);
        if (close(writer->descriptor) != 0 && writer->system_error == 0)
            writer->system_error = errno;
        writer->descriptor = -1;
        if (writer->system_error == 0 && writer->atomic && rename(writer->part, writer->path) != 0)
            writer->system_error = errno;
        status = report(writer, error);
    }
    if (writer->atomic && status != SHERD_OK)
        unlink(writer->part);
    else if (writer->atomic)
        sync_folder_of(writer->path);
    writer_free(writer);
    return status;
}

void sherd_file_writer_abort(sherd_file_writer *writer)
{
    if (writer == NULL) return;
    if (writer->atomic) unlink(writer->part);
    writer_free(writer);
}

// ---------------------------------------------------------------- replacing a file that grows

sherd_file_writer *sherd_file_writer_replace(const char *path, sherd_error *error)
{
    int former = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (former >= 0 && is_locked_by_another(former)) {
        close(former);
        fail_locked(path, error);
        return NULL;
    }
    sherd_file_writer *writer = sherd_file_writer_create(path, error);
    if (writer != NULL) is_locked_by_another(writer->descriptor); // also locks the file
    if (former >= 0) close(former);
    return writer;
}

sherd_status sherd_file_writer_publish(sherd_file_writer *writer, sherd_error *error)
{
    sherd_status status = sherd_file_writer_sync(writer, error);
    if (status != SHERD_OK) return status;
    if (rename(writer->part, writer->path) != 0) {
        writer->system_error = errno;
        return report(writer, error);
    }
    writer->atomic = false;
    writer->good = writer->flushed;
    sync_folder_of(writer->path);
    return SHERD_OK;
}
