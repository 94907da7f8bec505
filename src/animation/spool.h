// Bytes that are appended first and read back later: what does not fit in a little memory lies in a temporary file
// without a name, which goes with the program, however that ends.
//
// Appending remembers the first failure; ask once, with sherd_spool_check. One thread at a time may use a spool.
#pragma once

#include "base/file_writer.h"

typedef struct sherd_spool {
    const char *folder;    // of the temporary file, borrowed; NULL: $TMPDIR or /tmp
    unsigned char *buffer; // the end that is not in the file
    size_t used, room;     // of the buffer [bytes]
    int64_t stored;        // in the file [bytes]
    int descriptor;        // from 1; 0: no file yet, so that a zero-filled spool is empty and ready
    int system_error;      // errno of the first failure, ENOMEM when memory was short
} sherd_spool;

void sherd_spool_append(sherd_spool *spool, const void *bytes, size_t size);
void sherd_spool_free(sherd_spool *spool);

static inline int64_t sherd_spool_size(const sherd_spool *spool)
{
    return spool->stored + (int64_t)spool->used;
}

// Reads what was appended; zeros after a failure.
void sherd_spool_read(sherd_spool *spool, int64_t offset, void *bytes, size_t size);
// Writes a stretch of it to a file.
void sherd_spool_copy(sherd_spool *spool, int64_t offset, int64_t size, sherd_file_writer *writer);

// The first failure so far, as one of writing `where`.
sherd_status sherd_spool_check(const sherd_spool *spool, const char *where, sherd_error *error);
