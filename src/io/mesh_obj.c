// Wavefront OBJ: vertices, their colours, and polygons; texture coordinates, normals, groups and materials are passed
// over.
#include "base/memory.h"
#include "io/mesh_formats.h"
#include "io/text_scanner.h"

#include <math.h>

typedef struct obj_reader {
    sherd_text_scanner scanner;
    const sherd_mesh_source *source;
    sherd_mesh_builder *builder;
    size_t defined_vertices; // up to the present face: negative numbers count back from here
    int32_t *corners;        // of the present face
    size_t corner_count, corner_capacity;
    bool no_colors; // numbers behind some coordinates are no colour
} obj_reader;

// Behind the coordinates, three numbers from 0 to 1 are a colour (as mesh editors write it; the format's
// definition knows none). Others mean something else, for the whole file.
static sherd_status read_color(obj_reader *reader, sherd_error *error)
{
    double color[4];
    int count = 0;
    sherd_word word;
    while (count < 4 && (word = sherd_scan_word_in_line(&reader->scanner)).size > 0 &&
           sherd_word_number(word, &color[count]))
        ++count;
    if (count != 3) return SHERD_OK;
    for (int k = 0; k < 3; ++k)
        reader->no_colors = reader->no_colors || !(color[k] >= 0.0 && color[k] <= 1.0);
    if (!sherd_mesh_builder_paint(reader->builder, color))
        return sherd_mesh_fail_too_large(reader->source, error);
    return SHERD_OK;
}

static sherd_status read_vertex(obj_reader *reader, sherd_error *error)
{
    double position[3];
    for (int k = 0; k < 3; ++k) {
        sherd_word word = sherd_scan_word_in_line(&reader->scanner);
        sherd_status status =
            sherd_scan_number(&reader->scanner, word, "a coordinate", &position[k], error);
        if (status != SHERD_OK) return status;
        position[k] *= reader->source->scale;
    }
    if (!sherd_mesh_builder_add_vertex(reader->builder, position))
        return sherd_mesh_fail_too_large(reader->source, error);
    return read_color(reader, error);
}

// "7", "7/1", "7//3", "7/1/3" or "-1/..." (the last vertex so far) -> vertex counted from 0.
static sherd_status read_corner(obj_reader *reader, sherd_word word, sherd_error *error)
{
    sherd_word index = {word.text, 0};
    while (index.size < word.size && word.text[index.size] != '/')
        ++index.size;
    double value;
    int size = word.size < 40 ? (int)word.size : 40;
    if (!sherd_word_number(index, &value) || !(fabs(value) < 1e15) || value != floor(value))
        return sherd_scan_fail(&reader->scanner, error, "corners are written 7, 7/1, 7//3 or 7/1/3",
                               "a face's corner must be a vertex number, got '%.*s'", size,
                               word.text);
    size_t all = reader->builder->vertex_count, defined = reader->defined_vertices;
    double corner = value > 0.0 ? value - 1.0 : (double)defined + value;
    bool exists = value > 0.0 ? corner < (double)all : value < 0.0 && corner >= 0.0;
    if (!exists)
        return sherd_scan_fail(&reader->scanner, error,
                               "vertices are counted from 1, or back from -1, the last one",
                               "a face uses vertex %.0f, but there are %zu%s", value,
                               value > 0.0 ? all : defined, value > 0.0 ? "" : " so far");
    if (!sherd_grow((void **)&reader->corners, &reader->corner_capacity, reader->corner_count + 1,
                    sizeof *reader->corners))
        return sherd_mesh_fail_too_large(reader->source, error);
    reader->corners[reader->corner_count++] = (int32_t)corner;
    return SHERD_OK;
}

static sherd_status read_face(obj_reader *reader, sherd_error *error)
{
    sherd_word word;
    reader->corner_count = 0;
    while ((word = sherd_scan_word_in_line(&reader->scanner)).size > 0 && word.text[0] != '#') {
        sherd_status status = read_corner(reader, word, error);
        if (status != SHERD_OK) return status;
    }
    if (reader->corner_count < 3)
        return sherd_scan_fail(&reader->scanner, error, NULL,
                               "a face needs at least 3 corners, got %zu", reader->corner_count);
    return SHERD_OK;
}

// Corners may name vertices that come later, whose positions the cutting of a polygon needs: so all
// vertices are read before the first face.
static void rewind_text(obj_reader *reader)
{
    const char *text = (const char *)reader->source->bytes;
    reader->scanner =
        (sherd_text_scanner){reader->source->path, text, text + reader->source->size, 1};
}

static sherd_status read_all_vertices(obj_reader *reader, sherd_error *error)
{
    rewind_text(reader);
    do {
        if (!sherd_word_is(sherd_scan_word_in_line(&reader->scanner), "v")) continue;
        sherd_status status = read_vertex(reader, error);
        if (status != SHERD_OK) return status;
    } while (sherd_scan_next_line(&reader->scanner));
    if (reader->no_colors) reader->builder->has_color = false;
    return SHERD_OK;
}

static sherd_status read_all_faces(obj_reader *reader, sherd_error *error)
{
    rewind_text(reader);
    do {
        sherd_word word = sherd_scan_word_in_line(&reader->scanner);
        if (sherd_word_is(word, "v")) ++reader->defined_vertices;
        if (!sherd_word_is(word, "f")) continue;
        sherd_status status = read_face(reader, error);
        if (status != SHERD_OK) return status;
        if (!sherd_mesh_builder_add_polygon(reader->builder, reader->corners, reader->corner_count,
                                            SHERD_FACE_OUTER))
            return sherd_mesh_fail_too_large(reader->source, error);
    } while (sherd_scan_next_line(&reader->scanner));
    return SHERD_OK;
}

sherd_status sherd_mesh_parse_obj(const sherd_mesh_source *source, sherd_mesh_builder *builder,
                                  sherd_error *error)
{
    obj_reader reader = {.source = source, .builder = builder};
    sherd_status status = read_all_vertices(&reader, error);
    if (status == SHERD_OK) status = read_all_faces(&reader, error);
    sherd_free(reader.corners);
    return status;
}
