// Wavefront OBJ: vertices with colours, texture coordinates, polygons and material names. Normals,
// groups and objects are ignored.
#include "base/memory.h"
#include "output/mesh_file/mesh_formats.h"
#include "output/mesh_file/obj_materials.h"
#include "output/mesh_file/text_scanner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct obj_reader {
    sherd_text_scanner scanner;
    const sherd_mesh_source *source;
    sherd_mesh_builder *builder;
    // Number of vertices up to the current face: negative indices count back from here.
    size_t defined_vertices, defined_uv;
    float *uv; // of the file's vt lines                            (uv_count x 2)
    size_t uv_count, uv_capacity;
    // The current face:
    int32_t *corners;
    float *corner_uv; // (corner_count x 2)
    size_t corner_count, corner_capacity, corner_uv_capacity;
    sherd_obj_library *libraries;
    size_t library_count, library_capacity;
    sherd_text_word part; // of the current face: the name after the last `g` or `o`
    sherd_text_word first_part;
    bool has_face, has_parts; // the latter: faces have different part names
    bool no_colors;           // numbers after some coordinates are not colours
} obj_reader;

// Three numbers from 0 to 1 after the coordinates are a colour (an extension by mesh editors). If
// any vertex has other numbers there, the whole file has no colours.
static sherd_status read_color(obj_reader *reader, sherd_error *error)
{
    double color[4];
    int count = 0;
    sherd_text_word word;
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
        sherd_text_word word = sherd_scan_word_in_line(&reader->scanner);
        sherd_status status =
            sherd_scan_number(&reader->scanner, word, "a coordinate", &position[k], error);
        if (status != SHERD_OK) return status;
        position[k] *= reader->source->scale;
    }
    if (!sherd_mesh_builder_add_vertex(reader->builder, position))
        return sherd_mesh_fail_too_large(reader->source, error);
    return read_color(reader, error);
}

// "vt u [v [w]]"
static sherd_status read_texture(obj_reader *reader, sherd_error *error)
{
    double uv[2] = {0.0, 0.0};
    sherd_text_word word = sherd_scan_word_in_line(&reader->scanner);
    sherd_status status =
        sherd_scan_number(&reader->scanner, word, "a texture coordinate", &uv[0], error);
    word = sherd_scan_word_in_line(&reader->scanner);
    if (status == SHERD_OK && word.size > 0 && word.text[0] != '#')
        status = sherd_scan_number(&reader->scanner, word, "a texture coordinate", &uv[1], error);
    if (status != SHERD_OK) return status;
    if (!sherd_grow((void **)&reader->uv, &reader->uv_capacity, 2 * reader->uv_count + 2,
                    sizeof *reader->uv))
        return sherd_mesh_fail_too_large(reader->source, error);
    reader->uv[2 * reader->uv_count] = (float)uv[0];
    reader->uv[2 * reader->uv_count++ + 1] = (float)uv[1];
    return SHERD_OK;
}

// The kind of index in a corner, for error messages.
typedef struct obj_count {
    const char *what, *whats;
    size_t all, defined; // in the file; up to the current face
} obj_count;

// Converts an index from 1, or from -1 backwards, to one from 0.
static sherd_status read_number(obj_reader *reader, sherd_text_word corner, sherd_text_word word,
                                const obj_count *count, size_t *index, sherd_error *error)
{
    double value;
    int size = corner.size < 40 ? (int)corner.size : 40;
    if (!sherd_word_number(word, &value) || !(fabs(value) < 1e15) || value != floor(value))
        return sherd_scan_fail(&reader->scanner, error, "corners are written 7, 7/1, 7//3 or 7/1/3",
                               "a face's corner must be a %s number, got '%.*s'", count->what, size,
                               corner.text);
    double place = value > 0.0 ? value - 1.0 : (double)count->defined + value;
    bool exists = value > 0.0 ? place < (double)count->all : value < 0.0 && place >= 0.0;
    char hint[80];
    snprintf(hint, sizeof hint, "%s are counted from 1, or back from -1, the last one",
             count->whats);
    if (!exists)
        return sherd_scan_fail(
            &reader->scanner, error, hint, "a face uses %s %.0f, but there are %zu%s", count->what,
            value, value > 0.0 ? count->all : count->defined, value > 0.0 ? "" : " so far");
    *index = (size_t)place;
    return SHERD_OK;
}

static sherd_status keep_corner(obj_reader *reader, size_t vertex, const float uv[2],
                                sherd_error *error)
{
    size_t n = reader->corner_count;
    if (!sherd_grow((void **)&reader->corners, &reader->corner_capacity, n + 1,
                    sizeof *reader->corners) ||
        !sherd_grow((void **)&reader->corner_uv, &reader->corner_uv_capacity, 2 * n + 2,
                    sizeof *reader->corner_uv))
        return sherd_mesh_fail_too_large(reader->source, error);
    reader->corners[n] = (int32_t)vertex;
    reader->corner_uv[2 * n] = uv[0];
    reader->corner_uv[2 * n + 1] = uv[1];
    ++reader->corner_count;
    return SHERD_OK;
}

// Cuts off the part of "7/1/3" before a slash or the end; the rest follows the slash.
static sherd_text_word cut_word(sherd_text_word *rest)
{
    sherd_text_word part = {rest->text, 0};
    while (part.size < rest->size && part.text[part.size] != '/')
        ++part.size;
    size_t used = part.size < rest->size ? part.size + 1 : part.size;
    *rest = (sherd_text_word){rest->text + used, rest->size - used};
    return part;
}

// "7", "7/1", "7//3", "7/1/3" or "-1/..."
static sherd_status read_corner(obj_reader *reader, sherd_text_word word, sherd_error *error)
{
    sherd_text_word rest = word, vertex = cut_word(&rest), texture = cut_word(&rest);
    const obj_count vertices = {"vertex", "vertices", reader->builder->vertex_count,
                                reader->defined_vertices};
    const obj_count textures = {"texture coordinate", "texture coordinates", reader->uv_count,
                                reader->defined_uv};
    const float none[2] = {0.0f, 0.0f}, *uv = none;
    size_t at, index;
    sherd_status status = read_number(reader, word, vertex, &vertices, &at, error);
    if (status == SHERD_OK && texture.size > 0 && reader->uv_count > 0) {
        status = read_number(reader, word, texture, &textures, &index, error);
        if (status == SHERD_OK) uv = reader->uv + 2 * index;
    }
    return status == SHERD_OK ? keep_corner(reader, at, uv, error) : status;
}

static sherd_status read_face(obj_reader *reader, sherd_error *error)
{
    sherd_text_word word;
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

// Corners may refer to later vertices, whose positions are needed to triangulate. So all vertices
// and texture coordinates are read before the first face.
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
        sherd_text_word word = sherd_scan_word_in_line(&reader->scanner);
        sherd_status status = SHERD_OK;
        if (sherd_word_is(word, "v")) status = read_vertex(reader, error);
        if (sherd_word_is(word, "vt")) status = read_texture(reader, error);
        if (status != SHERD_OK) return status;
    } while (sherd_scan_next_line(&reader->scanner));
    reader->builder->has_uv = reader->uv_count > 0;
    if (reader->no_colors) reader->builder->has_color = false;
    return SHERD_OK;
}

// Material names may contain blanks and be followed by a comment.
static sherd_text_word read_group_name(obj_reader *reader)
{
    sherd_text_word name = sherd_scan_rest_of_line(&reader->scanner);
    for (size_t k = 1; k < name.size; ++k)
        if (name.text[k] == '#' && (name.text[k - 1] == ' ' || name.text[k - 1] == '\t'))
            name.size = k - 1;
    while (name.size > 0 && (name.text[name.size - 1] == ' ' || name.text[name.size - 1] == '\t'))
        --name.size;
    return name;
}

static bool keep_library(obj_reader *reader)
{
    enum { MAX_LIBRARIES = 256 };
    sherd_obj_library library = {.line = reader->scanner.line};
    library.names = sherd_scan_rest_of_line(&reader->scanner);
    if (library.names.size == 0 || reader->library_count == MAX_LIBRARIES) return true;
    if (!sherd_grow((void **)&reader->libraries, &reader->library_capacity,
                    reader->library_count + 1, sizeof *reader->libraries))
        return false;
    reader->libraries[reader->library_count++] = library;
    return true;
}

// Records whether faces belong to several parts.
static void note_part(obj_reader *reader)
{
    const sherd_text_word *first = &reader->first_part, *now = &reader->part;
    if (!reader->has_face) reader->first_part = reader->part;
    reader->has_face = true;
    reader->has_parts = reader->has_parts || first->size != now->size ||
                        (first->size > 0 && memcmp(first->text, now->text, first->size) != 0);
}

// Users who model parts as OBJ groups may expect a separate look for each.
static void report_parts(const obj_reader *reader)
{
    if (!reader->has_parts || reader->builder->group_count > 0) return;
    sherd_mesh_builder_note(reader->builder, reader->source->path,
                            "its groups and objects (g, o) are passed over: to colour them one by "
                            "one, give each a material (usemtl) in the mesh editor");
}

static sherd_status read_all_faces(obj_reader *reader, sherd_error *error)
{
    rewind_text(reader);
    do {
        sherd_text_word word = sherd_scan_word_in_line(&reader->scanner);
        if (sherd_word_is(word, "v")) ++reader->defined_vertices;
        if (sherd_word_is(word, "vt")) ++reader->defined_uv;
        if (sherd_word_is(word, "usemtl")) {
            sherd_text_word name = read_group_name(reader);
            if (!sherd_mesh_builder_use_group(reader->builder, name.text, name.size))
                return sherd_mesh_fail_too_large(reader->source, error);
        }
        if (sherd_word_is(word, "g") || sherd_word_is(word, "o"))
            reader->part = read_group_name(reader);
        if (sherd_word_is(word, "mtllib") && !keep_library(reader))
            return sherd_mesh_fail_too_large(reader->source, error);
        if (!sherd_word_is(word, "f")) continue;
        note_part(reader);
        sherd_status status = read_face(reader, error);
        if (status != SHERD_OK) return status;
        const sherd_mesh_polygon polygon = {reader->corner_count, reader->corners,
                                            reader->corner_uv, SHERD_FACE_OUTER};
        if (!sherd_mesh_builder_add_polygon(reader->builder, &polygon))
            return sherd_mesh_fail_polygon(reader->source, reader->builder, error);
    } while (sherd_scan_next_line(&reader->scanner));
    return SHERD_OK;
}

sherd_status sherd_mesh_parse_obj(const sherd_mesh_source *source, sherd_mesh_builder *builder,
                                  sherd_error *error)
{
    obj_reader reader = {.source = source, .builder = builder};
    sherd_status status = read_all_vertices(&reader, error);
    if (status == SHERD_OK) status = read_all_faces(&reader, error);
    if (status == SHERD_OK) report_parts(&reader);
    sherd_obj_libraries_read read = {0};
    for (size_t k = 0; k < reader.library_count && status == SHERD_OK; ++k)
        sherd_obj_read_library(source, &reader.libraries[k], &read, builder);
    sherd_free(reader.libraries);
    sherd_free(reader.uv);
    sherd_free(reader.corners);
    sherd_free(reader.corner_uv);
    return status;
}
