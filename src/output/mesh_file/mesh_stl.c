// STL: triangles without connections, as text or binary.
#include "output/byte_order.h"
#include "output/mesh_file/mesh_formats.h"
#include "output/mesh_file/text_scanner.h"

#include <math.h>

enum { HEADER_SIZE = 84, RECORD_SIZE = 50 }; // 80 bytes of comment and a count; 12 floats, 2 bytes

static bool add_facet(sherd_mesh_builder *builder, const double corners[3][3])
{
    int32_t first = (int32_t)builder->vertex_count;
    const int32_t triangle[3] = {first, first + 1, first + 2};
    for (int k = 0; k < 3; ++k)
        if (!sherd_mesh_builder_add_vertex(builder, corners[k])) return false;
    return sherd_mesh_builder_add_triangle(builder, triangle, NULL, SHERD_FACE_OUTER);
}

sherd_status sherd_mesh_parse_stl_binary(const sherd_mesh_source *source,
                                         sherd_mesh_builder *builder, sherd_error *error)
{
    // The format was detected by the size, which agrees with the count up to less than a record.
    size_t count = (source->size - HEADER_SIZE) / RECORD_SIZE;
    for (size_t t = 0; t < count; ++t) {
        const unsigned char *record = source->bytes + HEADER_SIZE + t * RECORD_SIZE;
        double corners[3][3];
        for (size_t k = 0; k < 9; ++k) {
            const unsigned char *at = record + 12 + 4 * k; // skip the normal
            double value = sherd_load_f32(at, SHERD_LITTLE_ENDIAN);
            if (!isfinite(value))
                return sherd_mesh_fail_at_byte(
                    source, (size_t)(at - source->bytes), error, "export the mesh again",
                    "a corner of triangle %zu is not finite: %g", t, value);
            corners[k / 3][k % 3] = source->scale * value;
        }
        if (!add_facet(builder, (const double(*)[3])corners))
            return sherd_mesh_fail_too_large(source, error);
    }
    return SHERD_OK;
}

static sherd_status expect(sherd_text_scanner *scanner, const char *keyword, sherd_error *error)
{
    sherd_text_word word = sherd_scan_word(scanner);
    if (sherd_word_is(word, keyword)) return SHERD_OK;
    if (word.size == 0)
        return sherd_scan_fail(scanner, error, "the file is cut off: copy or export it again",
                               "expected '%s', the file ends", keyword);
    int size = word.size < 40 ? (int)word.size : 40;
    return sherd_scan_fail(scanner, error, NULL, "expected '%s', got '%.*s'", keyword, size,
                           word.text);
}

static sherd_status expect_words(sherd_text_scanner *scanner, const char *const *keywords,
                                 sherd_error *error)
{
    for (; *keywords != NULL; ++keywords) {
        sherd_status status = expect(scanner, *keywords, error);
        if (status != SHERD_OK) return status;
    }
    return SHERD_OK;
}

static sherd_status read_vertex(sherd_text_scanner *scanner, double scale, double position[3],
                                sherd_error *error)
{
    sherd_status status = expect(scanner, "vertex", error);
    for (int k = 0; k < 3 && status == SHERD_OK; ++k) {
        status = sherd_scan_number(scanner, sherd_scan_word(scanner), "a coordinate", &position[k],
                                   error);
        position[k] *= scale;
    }
    return status;
}

// After "facet": normal, three corners, endloop, endfacet.
static sherd_status read_facet(sherd_text_scanner *scanner, double scale, double corners[3][3],
                               sherd_error *error)
{
    static const char *const BEFORE_NORMAL[] = {"normal", NULL};
    static const char *const BEFORE_CORNERS[] = {"outer", "loop", NULL};
    static const char *const AFTER_CORNERS[] = {"endloop", "endfacet", NULL};
    sherd_status status = expect_words(scanner, BEFORE_NORMAL, error);
    for (int k = 0; k < 3; ++k)
        sherd_scan_word(scanner); // the normal is often wrong or "nan": ignore it
    if (status == SHERD_OK) status = expect_words(scanner, BEFORE_CORNERS, error);
    for (int k = 0; k < 3 && status == SHERD_OK; ++k)
        status = read_vertex(scanner, scale, corners[k], error);
    return status == SHERD_OK ? expect_words(scanner, AFTER_CORNERS, error) : status;
}

sherd_status sherd_mesh_parse_stl_text(const sherd_mesh_source *source, sherd_mesh_builder *builder,
                                       sherd_error *error)
{
    const char *text = (const char *)source->bytes;
    sherd_text_scanner scanner = {source->path, text, text + source->size, 1};
    bool in_solid = false;
    for (;;) {
        sherd_text_word word = sherd_scan_word(&scanner);
        int size = word.size < 40 ? (int)word.size : 40;
        if (word.size == 0) break;
        if (sherd_word_is(word, "solid") || sherd_word_is(word, "endsolid")) {
            in_solid = sherd_word_is(word, "solid");
            sherd_scan_next_line(&scanner); // the rest is a name
        } else if (sherd_word_is(word, "facet")) {
            double corners[3][3] = {{0}};
            sherd_status status = read_facet(&scanner, source->scale, corners, error);
            if (status != SHERD_OK) return status;
            if (!add_facet(builder, (const double(*)[3])corners))
                return sherd_mesh_fail_too_large(source, error);
        } else {
            return sherd_scan_fail(&scanner, error, NULL,
                                   "expected 'facet' or 'endsolid', got '%.*s'", size, word.text);
        }
    }
    if (!in_solid) return SHERD_OK;
    return sherd_scan_fail(&scanner, error, "the file is cut off: copy or export it again",
                           "expected 'endsolid', the file ends");
}
