// Writing files so that readers never see an incomplete file, and a full disk is reported as one
// error.
//
// Three ways to write:
//   create  the bytes go to PATH.part in the same folder; commit makes them durable and renames.
//           Until then PATH is unchanged; abort (or a crash) leaves the previous file. An existing
//           PATH.part is not overwritten: PATH.1.part is tried next, and so on.
//   append  the bytes go to the end of PATH, which may first be cut to a known good size.
//   replace like create, but `publish` renames early and later bytes are appended.
//
// Links are not followed: PATH itself is written or nothing is. When a file that grows is removed,
// moved or replaced, the next flush fails.
//
// Writes are buffered, and the first failure is stored, so that a caller can write without checks
// and check once, at flush or commit. One thread at a time may use a writer.
#pragma once

#include <sherd/error.h>
#include <sherd/export.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sherd_file_writer sherd_file_writer;

// NULL with SHERD_ERROR_IO or SHERD_ERROR_MEMORY. Commit or abort frees the writer.
sherd_file_writer *sherd_file_writer_create(const char *path, sherd_error *error);

// Opens or creates PATH, cuts it to its first `keep` bytes (INT64_MAX: no cut) and appends.
// SHERD_ERROR_IO, and nothing is cut, while another writer appends to it.
sherd_file_writer *sherd_file_writer_append(const char *path, int64_t keep, sherd_error *error);

// Starts PATH anew, to be appended to later: SHERD_ERROR_IO while another writer appends to it.
// Publish it when its start is written, or commit or abort it like a created one.
sherd_file_writer *sherd_file_writer_replace(const char *path, sherd_error *error);

// Makes the written data durable and renames the file to PATH, replacing an existing file; later
// data is appended. After a failure PATH is as it was.
sherd_status sherd_file_writer_publish(sherd_file_writer *writer, sherd_error *error);

// After a failure these do nothing.
void sherd_file_writer_write(sherd_file_writer *writer, const void *bytes, size_t size);
void sherd_file_writer_text(sherd_file_writer *writer, const char *text);
void sherd_file_writer_printf(sherd_file_writer *writer, const char *format, ...)
    SHERD_PRINTF(2, 3);

// Writes over bytes that the file has, so that what stands before others can depend on them.
void sherd_file_writer_rewrite(sherd_file_writer *writer, int64_t offset, const void *bytes,
                               size_t size);

// Bytes in the file, counting those still in the buffer.
int64_t sherd_file_writer_size(const sherd_file_writer *writer);

// Passes everything written so far to the system. Returns the first failure since the writer was
// created, as do all later flushes and commits. After a failed append the file is cut to the size
// of the last good flush, as far as the system allows.
sherd_status sherd_file_writer_flush(sherd_file_writer *writer, sherd_error *error);

// Flushes and makes the bytes durable (fsync).
sherd_status sherd_file_writer_sync(sherd_file_writer *writer, sherd_error *error);

// Flushes, makes the bytes durable, renames a created file to its final name, closes and
// frees, also on failure; a created file that failed is removed.
sherd_status sherd_file_writer_commit(sherd_file_writer *writer, sherd_error *error);

// Closes and frees. A created file is removed; an appended one keeps what was flushed. NULL is
// allowed.
void sherd_file_writer_abort(sherd_file_writer *writer);

// Opens a regular file for reading. Returns -1 with errno's value in *problem: EISDIR for a folder,
// ENXIO for a device or pipe.
int sherd_open_file(const char *path, int *problem);

// Fills *error from a failed system call on `path`: the system's reason and what to do about it.
// `action` completes "can't ...", e.g. "write".
sherd_status sherd_fail_system(sherd_error *error, int system_error, const char *action,
                               const char *path);

// The same where `path` can't be read.
sherd_status sherd_fail_reading(sherd_error *error, int system_error, const char *path);

// Reads a whole file into memory: free with sherd_free; a zero byte follows the last one.
sherd_status sherd_file_read(const char *path, unsigned char **bytes, size_t *size,
                             sherd_error *error);

// Creates a temporary file next to PATH, to be renamed to PATH: PATH.part, or PATH.1.part and so on
// if that exists. Its name is stored in `part`, which has room for PATH and SHERD_PART_ROOM more
// bytes. Returns -1 with errno on failure.
enum { SHERD_PART_ROOM = 16 };
int sherd_part_open(const char *path, char *part, size_t size);

// Duplicates an open file to a descriptor above 2, closed on exec, and closes `descriptor`. Returns
// -1 with errno.
int sherd_beyond_streams(int descriptor);

// "FOLDER/NAME", truncated to fit: false if it was truncated.
bool sherd_path_join(char *path, size_t size, const char *folder, const char *name);
