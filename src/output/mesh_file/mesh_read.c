// Detects a mesh file's format from its content and reads it.
#include <sherd/mesh.h>

#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/byte_order.h"
#include "output/mesh_file/mesh_formats.h"
#include "output/mesh_file/text_scanner.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

sherd_status sherd_mesh_fail_at_byte(const sherd_mesh_source *source, size_t byte,
                                     sherd_error *error, const char *hint, const char *what_format,
                                     ...)
{
    char where[SHERD_ERROR_TEXT_SIZE], what[SHERD_ERROR_TEXT_SIZE];
    snprintf(where, sizeof where, "%s: byte %zu", source->path, byte);
    va_list arguments;
    va_start(arguments, what_format);
    vsnprintf(what, sizeof what, what_format, arguments);
    va_end(arguments);
    return sherd_fail(error, SHERD_ERROR_INPUT, where, hint, "%s", what);
}

sherd_status sherd_mesh_fail_too_large(const sherd_mesh_source *source, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_MEMORY, source->path, "simplify the mesh",
                      "not enough memory for the mesh, or more than 715 million triangles");
}

sherd_status sherd_mesh_fail_polygon(const sherd_mesh_source *source,
                                     const sherd_mesh_builder *builder, sherd_error *error)
{
    if (sherd_mesh_builder_may_cut(builder)) return sherd_mesh_fail_too_large(source, error);
    return sherd_fail(error, SHERD_ERROR_INPUT, source->path, "export the mesh as triangles",
                      "faces have so many corners that cutting them into triangles takes too long: "
                      "%lld corners were tested for ears, for %zu triangles",
                      (long long)builder->ear_tests, builder->triangle_count);
}

typedef enum mesh_format {
    FORMAT_UNKNOWN,
    FORMAT_STL_TEXT,
    FORMAT_STL_BINARY,
    FORMAT_STL_DAMAGED, // binary, but its size disagrees with its triangle count
    FORMAT_OBJ,
    FORMAT_PLY,
    FORMAT_GLTF
} mesh_format;

enum { LOOK_AHEAD = 4096 }; // number of bytes that are searched for control characters

static bool is_text(const sherd_mesh_source *source)
{
    size_t count = source->size < LOOK_AHEAD ? source->size : LOOK_AHEAD;
    for (size_t k = 0; k < count; ++k)
        if (source->bytes[k] < 32 && !isspace(source->bytes[k])) return false;
    return true;
}

// True if a line starts with one of OBJ's vertex or face keywords.
static bool has_obj_line(const sherd_mesh_source *source)
{
    const char *text = (const char *)source->bytes;
    sherd_text_scanner scanner = {source->path, text, text + source->size, 1};
    do {
        sherd_text_word word = sherd_scan_word_in_line(&scanner);
        if (sherd_word_is(word, "v") || sherd_word_is(word, "f")) return true;
    } while (sherd_scan_next_line(&scanner));
    return false;
}

static bool has_word(const sherd_mesh_source *source, const char *wanted)
{
    const char *text = (const char *)source->bytes;
    sherd_text_scanner scanner = {source->path, text, text + source->size, 1};
    sherd_text_word word;
    while ((word = sherd_scan_word(&scanner)).size > 0)
        if (sherd_word_is(word, wanted)) return true;
    return false;
}

static bool begins_with_word(const sherd_mesh_source *source, const char *wanted)
{
    const char *text = (const char *)source->bytes;
    sherd_text_scanner scanner = {source->path, text, text + source->size, 1};
    return sherd_word_is(sherd_scan_word(&scanner), wanted);
}

enum { STL_HEADER = 84, STL_TRIANGLE = 50 }; // bytes

// Size of a binary STL with the number of triangles in its header.
static uint64_t stl_size(const sherd_mesh_source *source)
{
    uint64_t count = sherd_load_u32(source->bytes + STL_HEADER - 4, SHERD_LITTLE_ENDIAN);
    return STL_HEADER + STL_TRIANGLE * count;
}

// Some exporters append a few bytes. If there is room for another triangle, the count may be wrong,
// and trusting it would lose triangles.
static bool has_stl_size(const sherd_mesh_source *source)
{
    if (source->size < STL_HEADER + STL_TRIANGLE) return false;
    uint64_t size = stl_size(source);
    return size > STL_HEADER && source->size >= size && source->size - size < STL_TRIANGLE;
}

// Binary files have a magic number; text files are JSON.
static bool is_gltf(const sherd_mesh_source *source)
{
    size_t k = 0;
    while (k < source->size && isspace(source->bytes[k]))
        ++k;
    return (k < source->size && source->bytes[k] == '{') ||
           (source->size >= 4 && memcmp(source->bytes, "glTF", 4) == 0);
}

// Many binary STL files start with "solid", too; they are recognized by their size.
static mesh_format detect_format(const sherd_mesh_source *source)
{
    if (begins_with_word(source, "ply")) return FORMAT_PLY;
    if (is_gltf(source)) return FORMAT_GLTF;
    if (has_stl_size(source)) return FORMAT_STL_BINARY;
    if (is_text(source)) {
        if (begins_with_word(source, "solid") &&
            (has_word(source, "facet") || has_word(source, "endsolid")))
            return FORMAT_STL_TEXT;
        return has_obj_line(source) ? FORMAT_OBJ : FORMAT_UNKNOWN;
    }
    return source->size >= STL_HEADER ? FORMAT_STL_DAMAGED : FORMAT_UNKNOWN;
}

static sherd_status fail_damaged_stl(const sherd_mesh_source *source, sherd_error *error)
{
    uint64_t size = stl_size(source), count = (size - STL_HEADER) / STL_TRIANGLE;
    if (source->size > size)
        return sherd_mesh_fail_at_byte(
            source, STL_HEADER - 4, error,
            "the count is wrong, or something was appended: export the mesh again",
            "not a PLY, OBJ or text STL file; as a binary STL file it has %llu bytes more than the "
            "%llu triangles it announces take",
            (unsigned long long)(source->size - size), (unsigned long long)count);
    return sherd_mesh_fail_at_byte(
        source, STL_HEADER - 4, error, "the file is cut off or damaged: copy or export it again",
        "not a PLY, OBJ or text STL file; as a binary STL file it announces %llu triangles, which "
        "take %llu bytes, but has %zu",
        (unsigned long long)count, (unsigned long long)size, source->size);
}

static sherd_status parse(const sherd_mesh_source *source, sherd_mesh_builder *builder,
                          sherd_error *error)
{
    if (source->size == 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, source->path, "export the mesh again",
                          "the file is empty");
    switch (detect_format(source)) {
    case FORMAT_STL_TEXT:
        return sherd_mesh_parse_stl_text(source, builder, error);
    case FORMAT_STL_BINARY:
        return sherd_mesh_parse_stl_binary(source, builder, error);
    case FORMAT_STL_DAMAGED:
        return fail_damaged_stl(source, error);
    case FORMAT_OBJ:
        return sherd_mesh_parse_obj(source, builder, error);
    case FORMAT_PLY:
        return sherd_mesh_parse_ply(source, builder, error);
    case FORMAT_GLTF:
        return sherd_mesh_parse_gltf(source, builder, error);
    case FORMAT_UNKNOWN:
        break;
    }
    return sherd_fail(error, SHERD_ERROR_INPUT, source->path,
                      "meshes are read from STL, OBJ, PLY, glTF",
                      "this is no STL, OBJ, PLY or glTF file");
}

static sherd_status check_arguments(const char *path, double scale, sherd_error *error)
{
    if (!(scale > 0.0) || !isfinite(scale))
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_mesh_read",
                          "1 for files in metres, 1e-3 for millimetres",
                          "the scale must be finite and > 0, got %g", scale);
    // Reading a device or pipe might never end.
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return sherd_fail(error, SHERD_ERROR_IO, path, "give the path of a mesh file",
                          "can't read: not a regular file");
    return SHERD_OK;
}

sherd_mesh *sherd_mesh_read(const char *path, double scale, sherd_error *error)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (check_arguments(path, scale, error) != SHERD_OK ||
        sherd_file_read(path, &bytes, &size, error) != SHERD_OK)
        return NULL;
    static const unsigned char BYTE_ORDER_MARK[3] = {0xef, 0xbb, 0xbf};
    size_t skip = size >= 3 && memcmp(bytes, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0;
    sherd_mesh_source source = {path, bytes + skip, size - skip, scale};
    sherd_mesh_builder builder = {0};
    sherd_status status = parse(&source, &builder, error);
    if (status == SHERD_OK && builder.triangle_count == 0)
        status = sherd_fail(error, SHERD_ERROR_INPUT, path, "export the mesh again",
                            "the file has no triangles (%zu vertices)", builder.vertex_count);
    sherd_free(bytes);
    if (status == SHERD_OK) return sherd_mesh_builder_finish(&builder, error);
    sherd_mesh_builder_release(&builder);
    return NULL;
}
