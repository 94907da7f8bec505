// Small file helpers that the command and other users of the library share. Every failure names the
// path, the system's reason and what to do about it.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Makes a folder and its missing parents. An existing folder is fine; an existing file is not.
SHERD_API sherd_status sherd_folder_create(const char *path, sherd_error *error);

SHERD_API bool sherd_folder_exists(const char *path);
SHERD_API bool sherd_file_exists(const char *path);  // a file that is not a folder
SHERD_API int64_t sherd_file_size(const char *path); // [bytes]; -1 when there is no such file

// Writes a whole file to a temporary name, makes it durable and renames it: PATH holds either the
// former or the new content.
SHERD_API sherd_status sherd_file_write(const char *path, const void *bytes, size_t size,
                                        sherd_error *error);

// Refuses to write over files of others: SHERD_OK when there are none (`count` 0), else SHERD_ERROR_INPUT with
// the first of them and what can be done.
SHERD_API sherd_status sherd_file_refuse(const char *first, int64_t count, sherd_error *error);

// "1.5 GB" into `text`, which is returned.
enum { SHERD_BYTES_TEXT = 48 };
SHERD_API const char *sherd_bytes_text(double bytes, char text[SHERD_BYTES_TEXT]);
