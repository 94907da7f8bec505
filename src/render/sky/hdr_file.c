// Reads Radiance's RGBE pixels (G. Ward, Real pixels, 1991): uncompressed, or run-length encoded as
// by Radiance 2 and later.
#include "render/sky/hdr_file.h"

#include "base/error.h"
#include "base/memory.h"

#include <sherd/file.h>

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_SIDE = 16384, LONGEST_LINE = 256 };
static const int64_t LARGEST_FILE = INT64_C(1) << 30;

typedef struct source {
    const uint8_t *at, *end;
} source;

// Reads the next line of the header, without its line end. False at the end of the file.
static bool read_line(source *s, char line[LONGEST_LINE])
{
    int length = 0;
    if (s->at == s->end) return false;
    while (s->at < s->end && *s->at != '\n') {
        if (length < LONGEST_LINE - 1) line[length++] = (char)*s->at;
        ++s->at;
    }
    if (s->at < s->end) ++s->at;
    line[length] = '\0';
    return true;
}

static const char *read_header(source *s, int *width, int *height)
{
    char line[LONGEST_LINE];
    if (!read_line(s, line) || strncmp(line, "#?", 2) != 0) return "is no Radiance picture";
    while (read_line(s, line) && line[0] != '\0')
        if (strncmp(line, "FORMAT=", 7) == 0 && strcmp(line + 7, "32-bit_rle_rgbe") != 0)
            return "has no pixels in r, g, b";
    long h, w;
    if (!read_line(s, line) || sscanf(line, "-Y %6ld +X %6ld", &h, &w) != 2)
        return "does not begin at the upper left (-Y height +X width)";
    if (w < 2 || h < 2 || w > LARGEST_SIDE || h > LARGEST_SIDE) return "has an unusable size";
    *width = (int)w, *height = (int)h;
    return NULL;
}

// Reads one of the four run-length encoded components of a scan line. False if the file is damaged.
static bool read_plane(source *s, uint8_t *plane, int width)
{
    for (int x = 0; x < width;) {
        if (s->end - s->at < 2) return false;
        int count = *s->at++;
        bool run = count > 128;
        if (run) count -= 128;
        if (count == 0 || count > width - x || (!run && s->end - s->at < count)) return false;
        if (run) {
            memset(plane + x, *s->at++, (size_t)count);
        } else {
            memcpy(plane + x, s->at, (size_t)count);
            s->at += count;
        }
        x += count;
    }
    return true;
}

// `line` holds four components, each as wide as the picture: r, g, b, exponent.
static bool read_scan_line(source *s, uint8_t *line, int width)
{
    bool packed = s->end - s->at >= 4 && width >= 8 && width < 32768 && s->at[0] == 2 &&
                  s->at[1] == 2 && (s->at[2] << 8 | s->at[3]) == width;
    if (packed) {
        s->at += 4;
        for (int plane = 0; plane < 4; ++plane)
            if (!read_plane(s, line + (size_t)plane * (size_t)width, width)) return false;
        return true;
    }
    if (s->end - s->at < 4 * (int64_t)width) return false;
    for (int x = 0; x < width; ++x)
        for (int plane = 0; plane < 4; ++plane)
            line[(size_t)plane * (size_t)width + (size_t)x] = *s->at++;
    return true;
}

static void decode(const uint8_t *line, int width, float *rgb)
{
    // limit, so that a bright sun does not dominate everything else
    const float brightest = 65504.0f;
    size_t w = (size_t)width;
    for (size_t x = 0; x < w; ++x) {
        int exponent = line[3 * w + x];
        float unit = exponent == 0 ? 0.0f : ldexpf(1.0f, exponent - 136);
        for (size_t c = 0; c < 3; ++c)
            rgb[3 * x + c] = fminf(((float)line[c * w + x] + 0.5f) * unit, brightest);
    }
}

static const char *read_pixels(source *s, int width, int height, float *pixels)
{
    uint8_t *line = sherd_alloc(4 * (size_t)width, 1);
    const char *wrong = line == NULL ? "is too large for the memory" : NULL;
    for (int y = 0; wrong == NULL && y < height; ++y) {
        if (read_scan_line(s, line, width))
            decode(line, width, pixels + 3 * (size_t)y * (size_t)width);
        else
            wrong = "is cut off or damaged";
    }
    sherd_free(line);
    return wrong;
}

static sherd_status fail_file(const char *path, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_IO, path, NULL, "%s", strerror(errno));
}

// Reads a whole file, to be freed by the caller. NULL with an error.
static uint8_t *read_all(const char *path, size_t *size, sherd_error *error)
{
    FILE *file = fopen(path, "rb");
    int64_t length = file != NULL ? sherd_file_size(path) : -1;
    uint8_t *bytes = NULL;
    if (length < 0) {
        if (file != NULL) errno = EISDIR;
        fail_file(path, error);
    } else if (length > LARGEST_FILE) {
        sherd_fail(error, SHERD_ERROR_INPUT, path, "pictures of 4096 by 2048 pixels are enough",
                   "is larger than 1 GB");
    } else if ((bytes = sherd_alloc((size_t)length + 1, 1)) == NULL) {
        sherd_fail_memory(error, "environment");
    } else {
        *size = fread(bytes, 1, (size_t)length, file);
        if (ferror(file)) {
            fail_file(path, error);
            sherd_free(bytes);
            bytes = NULL;
        }
    }
    if (file != NULL) fclose(file);
    return bytes;
}

float *sherd_hdr_file_read(const char *path, int *width, int *height, sherd_error *error)
{
    size_t size = 0;
    uint8_t *bytes = read_all(path, &size, error);
    if (bytes == NULL) return NULL;
    source s = {bytes, bytes + size};
    const char *wrong = read_header(&s, width, height);
    float *pixels = NULL;
    if (wrong == NULL) {
        pixels = sherd_alloc((size_t)*width * (size_t)*height, 3 * sizeof *pixels);
        wrong = pixels == NULL ? "is too large for the memory"
                               : read_pixels(&s, *width, *height, pixels);
    }
    sherd_free(bytes);
    if (wrong == NULL) return pixels;
    sherd_free(pixels);
    sherd_fail(error, SHERD_ERROR_INPUT, path, "save it as Radiance RGBE (.hdr)", "%s", wrong);
    return NULL;
}
