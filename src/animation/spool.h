// A spool: bytes that are appended first and read back later. What exceeds a small memory buffer
// goes to an unnamed temporary file, which the system removes when the process ends.
//
// The first failure is remembered; query it with sherd_spool_check. Only one thread at a time may
// use a spool.
#pragma once

#include "base/file_writer.h"

typedef struct sherd_spool {
    const char *folder;    // of the temporary file, borrowed; NULL: $TMPDIR or /tmp
    unsigned char *buffer; // bytes that are not yet in the file
    size_t used, room;     // of the buffer [bytes]
    int64_t stored;        // in the file [bytes]
    int descriptor;        // 0: no file yet, so that a zero-filled spool is empty and ready
    int system_error;      // errno of the first failure, ENOMEM if memory was short
} sherd_spool;

void sherd_spool_append(sherd_spool *spool, const void *bytes, size_t size);
void sherd_spool_free(sherd_spool *spool);

static inline int64_t sherd_spool_size(const sherd_spool *spool)
{
    return spool->stored + (int64_t)spool->used;
}

static inline bool sherd_spool_contains(const sherd_spool *spool, int64_t offset, int64_t size)
{
    return offset >= 0 && size >= 0 && offset <= sherd_spool_size(spool) - size;
}

// Reads appended bytes; zeros after a failure.
void sherd_spool_read(sherd_spool *spool, int64_t offset, void *bytes, size_t size);
// Copies a range of the spool to a file.
void sherd_spool_copy(sherd_spool *spool, int64_t offset, int64_t size, sherd_file_writer *writer);

// Reports the first failure as a failure to write `where`.
sherd_status sherd_spool_check(const sherd_spool *spool, const char *where, sherd_error *error);
