// Reads pictures in Radiance's format (.hdr): shared exponents, run-length encoding.
#pragma once

#include <sherd/error.h>

// Linear r, g, b, rows from the top, to be freed by the caller. On failure NULL with SHERD_ERROR_IO
// or SHERD_ERROR_INPUT, which names the path.
float *sherd_hdr_file_read(const char *path, int *width, int *height, sherd_error *error);
