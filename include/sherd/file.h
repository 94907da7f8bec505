// Small file helpers that the command and other programs share. Every error names the path, the
// system's reason and what to do about it.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Creates a folder and its missing parents. An existing folder is no error, an existing file is.
// SHERD_ERROR_IO, SHERD_ERROR_INPUT.
SHERD_API sherd_status sherd_folder_create(const char *path, sherd_error *error);

// Returns true if `path` is a folder.
SHERD_API bool sherd_folder_exists(const char *path);
// Returns true if `path` exists and is not a folder.
SHERD_API bool sherd_file_exists(const char *path);
// Returns the size of a file [bytes]; -1 if it does not exist.
SHERD_API int64_t sherd_file_size(const char *path);

// Writes a whole file of `size` bytes. It is written under a temporary name, made durable and
// renamed, so `path` has either the former or the new content. SHERD_ERROR_IO.
SHERD_API sherd_status sherd_file_write(const char *path, const void *bytes, size_t size,
                                        sherd_error *error);

// Refuses to overwrite files that Sherd did not write: SHERD_OK if `count` is 0, otherwise
// SHERD_ERROR_INPUT with the first of them, `first`, and what the user can do.
SHERD_API sherd_status sherd_file_refuse(const char *first, int64_t count, sherd_error *error);

// Size of a text of bytes.
enum { SHERD_BYTES_TEXT = 48 };
// Formats a number of bytes as "1.5 GB" in `text` and returns it.
SHERD_API const char *sherd_bytes_text(double bytes, char text[SHERD_BYTES_TEXT]);
