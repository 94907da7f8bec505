// Pictures in Radiance's format (.hdr): shared exponents, run lengths.
#pragma once

#include <sherd/error.h>

// Linear r, g, b from the top row, freed by the caller. NULL with SHERD_ERROR_IO or SHERD_ERROR_INPUT at the path.
float *sherd_hdr_file_read(const char *path, int *width, int *height, sherd_error *error);
