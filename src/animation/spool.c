#include "animation/spool.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FIRST_ROOM = 1 << 12,
    LARGEST_ROOM = 1 << 20, // [bytes] smaller spools stay in memory
    COPY_SIZE = 1 << 18,    // [bytes]
};

static void fail(sherd_spool *s, int problem)
{
    if (s->system_error == 0) s->system_error = problem != 0 ? problem : EIO;
}

// ---------------------------------------------------------------- the file

static const char *folder_of(const sherd_spool *s)
{
    if (s->folder != NULL) return s->folder[0] != '\0' ? s->folder : "/";
    const char *temporary = getenv("TMPDIR");
    return temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp";
}

// On file systems without unnamed files, create a file and remove its name at once.
static int open_nameless(const char *folder)
{
    int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0) return descriptor;
    char name[PATH_MAX];
    int length = snprintf(name, sizeof name, "%s/.sherd-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    descriptor = mkostemp(name, O_CLOEXEC);
    if (descriptor >= 0) unlink(name);
    return descriptor;
}

static bool open_file(sherd_spool *s)
{
    if (s->descriptor > 0) return true;
    int descriptor = open_nameless(folder_of(s));
    if (descriptor >= 0 && descriptor <= STDERR_FILENO)
        descriptor = sherd_beyond_streams(descriptor);
    if (descriptor < 0) {
        fail(s, errno);
        return false;
    }
    s->descriptor = descriptor;
    return true;
}

static void store(sherd_spool *s, const unsigned char *bytes, size_t size)
{
    if (size == 0 || !open_file(s)) return;
    while (size > 0) {
        ssize_t done = pwrite(s->descriptor, bytes, size, s->stored);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            fail(s, done < 0 ? errno : ENOSPC);
            return;
        }
        bytes += done;
        size -= (size_t)done;
        s->stored += done;
    }
}

// ---------------------------------------------------------------- appending

static bool make_room(sherd_spool *s, size_t size)
{
    size_t wanted = s->room > 0 ? s->room : FIRST_ROOM;
    while (wanted < s->used + size)
        wanted *= 2;
    if (wanted == s->room) return true;
    unsigned char *larger = realloc(s->buffer, wanted);
    if (larger == NULL) {
        fail(s, ENOMEM);
        return false;
    }
    s->buffer = larger;
    s->room = wanted;
    return true;
}

void sherd_spool_append(sherd_spool *s, const void *bytes, size_t size)
{
    SHERD_ASSERT(s->used <= s->room, "a spool's buffer has room for what it contains");
    if (s->system_error != 0 || size == 0) return;
    if (size > LARGEST_ROOM - s->used) {
        store(s, s->buffer, s->used);
        s->used = 0;
    }
    if (size > LARGEST_ROOM) {
        store(s, bytes, size);
        return;
    }
    if (s->system_error != 0 || !make_room(s, size)) return;
    memcpy(s->buffer + s->used, bytes, size);
    s->used += size;
}

void sherd_spool_free(sherd_spool *s)
{
    if (s->descriptor > 0) close(s->descriptor);
    free(s->buffer);
    *s = (sherd_spool){.folder = s->folder};
}

// ---------------------------------------------------------------- reading

void sherd_spool_read(sherd_spool *s, int64_t offset, void *bytes, size_t size)
{
    SHERD_ASSERT(s->system_error != 0 || sherd_spool_contains(s, offset, (int64_t)size),
                 "reads are within what was appended");
    unsigned char *to = bytes;
    while (size > 0 && s->system_error == 0 && offset < s->stored) {
        int64_t left = s->stored - offset;
        size_t part = (int64_t)size < left ? size : (size_t)left;
        ssize_t done = pread(s->descriptor, to, part, offset);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            fail(s, done < 0 ? errno : EIO);
            break;
        }
        to += done;
        size -= (size_t)done;
        offset += done;
    }
    if (s->system_error == 0 && size > 0)
        memcpy(to, s->buffer + (offset - s->stored), size);
    else if (size > 0)
        memset(to, 0, size);
}

void sherd_spool_copy(sherd_spool *s, int64_t offset, int64_t size, sherd_file_writer *writer)
{
    if (size == 0) return; // there may be no memory yet
    SHERD_ASSERT(s->system_error != 0 || sherd_spool_contains(s, offset, size),
                 "copies are within what was appended");
    // A range that is entirely in memory is written directly.
    if (offset >= s->stored && s->system_error == 0) {
        sherd_file_writer_write(writer, s->buffer + (offset - s->stored), (size_t)size);
        return;
    }
    unsigned char *part = malloc(COPY_SIZE);
    if (part == NULL) fail(s, ENOMEM);
    while (size > 0 && s->system_error == 0) {
        size_t most = size < COPY_SIZE ? (size_t)size : COPY_SIZE;
        sherd_spool_read(s, offset, part, most);
        sherd_file_writer_write(writer, part, most);
        offset += (int64_t)most;
        size -= (int64_t)most;
    }
    free(part);
}

sherd_status sherd_spool_check(const sherd_spool *s, const char *where, sherd_error *error)
{
    if (s->system_error == 0) return SHERD_OK;
    return sherd_fail_system(error, s->system_error, "write", where);
}
