// PLY: a text header describes elements (vertices, faces, others) and their properties; the data
// follow as text or binary. Other properties and elements are ignored.
#include "base/error.h"
#include "base/memory.h"
#include "output/byte_order.h"
#include "output/mesh_file/mesh_formats.h"
#include "output/mesh_file/text_scanner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum ply_type {
    PLY_NONE, // not a list, for the count's type
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT32,
    PLY_FLOAT64
} ply_type;

typedef struct ply_type_name {
    const char *name;
    ply_type type;
} ply_type_name;

static const ply_type_name TYPE_NAMES[] = {
    {"char", PLY_INT8},       {"int8", PLY_INT8},       {"uchar", PLY_UINT8},
    {"uint8", PLY_UINT8},     {"short", PLY_INT16},     {"int16", PLY_INT16},
    {"ushort", PLY_UINT16},   {"uint16", PLY_UINT16},   {"int", PLY_INT32},
    {"int32", PLY_INT32},     {"uint", PLY_UINT32},     {"uint32", PLY_UINT32},
    {"float", PLY_FLOAT32},   {"float32", PLY_FLOAT32}, {"double", PLY_FLOAT64},
    {"float64", PLY_FLOAT64},
};
static const size_t TYPE_SIZES[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};

// The meaning of a property for a mesh.
typedef enum ply_role {
    ROLE_NONE,
    ROLE_X,
    ROLE_Y,
    ROLE_Z,
    ROLE_U,
    ROLE_V,
    ROLE_RED,
    ROLE_GREEN,
    ROLE_BLUE,
    ROLE_CORNERS,
    ROLE_CORNER_UV,
    ROLE_INNER // sherd_face_kind
} ply_role;

typedef enum ply_element_kind { ELEMENT_OTHER, ELEMENT_VERTEX, ELEMENT_FACE } ply_element_kind;

enum { MAX_ELEMENTS = 16, MAX_PROPERTIES = 64 };

typedef struct ply_property {
    ply_type count_type; // PLY_NONE for a single value
    ply_type type;
    ply_role role;
} ply_property;

typedef struct ply_element {
    ply_element_kind kind;
    char name[32];
    uint64_t count;
    int property_count;
    ply_property properties[MAX_PROPERTIES];
} ply_element;

typedef enum ply_encoding { PLY_TEXT, PLY_LITTLE_ENDIAN, PLY_BIG_ENDIAN, PLY_UNKNOWN } ply_encoding;

typedef struct ply_reader {
    const sherd_mesh_source *source;
    sherd_mesh_builder *builder;
    sherd_text_scanner scanner; // header, and data as text
    size_t at;                  // next byte of binary data
    ply_encoding encoding;
    int element_count;
    ply_element elements[MAX_ELEMENTS];
    uint64_t vertex_total; // count in the header
    bool vertices_have_uv; // texture coordinates belong to vertices, otherwise to corners of faces
    float *uv;             // of vertices                       (vertices x 2)
    size_t uv_capacity;
    int32_t *corners; // of the current face
    float *corner_uv; // (corners x 2)
    size_t corner_capacity, corner_uv_capacity;
    bool painted;   // vertices have colour properties
    bool no_colors; // their values are not valid colours
} ply_reader;

// ---- header

static ply_type type_named(sherd_text_word word)
{
    for (size_t k = 0; k < sizeof TYPE_NAMES / sizeof *TYPE_NAMES; ++k)
        if (sherd_word_is(word, TYPE_NAMES[k].name)) return TYPE_NAMES[k].type;
    return PLY_NONE;
}

typedef struct ply_role_name {
    const char *name;
    ply_element_kind kind;
    bool list;
    ply_role role;
} ply_role_name;

// Common names of texture coordinates.
static const ply_role_name ROLE_NAMES[] = {
    {"x", ELEMENT_VERTEX, false, ROLE_X},
    {"y", ELEMENT_VERTEX, false, ROLE_Y},
    {"z", ELEMENT_VERTEX, false, ROLE_Z},
    {"s", ELEMENT_VERTEX, false, ROLE_U},
    {"t", ELEMENT_VERTEX, false, ROLE_V},
    {"u", ELEMENT_VERTEX, false, ROLE_U},
    {"v", ELEMENT_VERTEX, false, ROLE_V},
    {"texture_u", ELEMENT_VERTEX, false, ROLE_U},
    {"texture_v", ELEMENT_VERTEX, false, ROLE_V},
    {"red", ELEMENT_VERTEX, false, ROLE_RED},
    {"green", ELEMENT_VERTEX, false, ROLE_GREEN},
    {"blue", ELEMENT_VERTEX, false, ROLE_BLUE},
    {"vertex_indices", ELEMENT_FACE, true, ROLE_CORNERS},
    {"vertex_index", ELEMENT_FACE, true, ROLE_CORNERS},
    {"texcoord", ELEMENT_FACE, true, ROLE_CORNER_UV},
    {"inner", ELEMENT_FACE, false, ROLE_INNER},
};

static ply_role role_of(ply_element_kind kind, sherd_text_word name, ply_type count_type)
{
    for (size_t k = 0; k < sizeof ROLE_NAMES / sizeof *ROLE_NAMES; ++k) {
        const ply_role_name *r = &ROLE_NAMES[k];
        if (r->kind == kind && r->list == (count_type != PLY_NONE) && sherd_word_is(name, r->name))
            return r->role;
    }
    return ROLE_NONE;
}

static int shown(sherd_text_word word)
{
    return word.size < 40 ? (int)word.size : 40;
}

static sherd_status read_format(ply_reader *reader, sherd_error *error)
{
    sherd_text_word word = sherd_scan_word_in_line(&reader->scanner);
    if (sherd_word_is(word, "ascii"))
        reader->encoding = PLY_TEXT;
    else if (sherd_word_is(word, "binary_little_endian"))
        reader->encoding = PLY_LITTLE_ENDIAN;
    else if (sherd_word_is(word, "binary_big_endian"))
        reader->encoding = PLY_BIG_ENDIAN;
    else
        return sherd_scan_fail(&reader->scanner, error,
                               "formats are ascii, binary_little_endian, binary_big_endian",
                               "unknown PLY format '%.*s'", shown(word), word.text);
    return SHERD_OK;
}

static sherd_status read_element(ply_reader *reader, sherd_error *error)
{
    sherd_text_word name = sherd_scan_word_in_line(&reader->scanner);
    sherd_text_word count = sherd_scan_word_in_line(&reader->scanner);
    double value;
    if (!sherd_word_number(count, &value) || !(value >= 0.0 && value <= 4e9) ||
        value != floor(value))
        return sherd_scan_fail(&reader->scanner, error, NULL,
                               "an element's count must be a whole number, got '%.*s'",
                               shown(count), count.text);
    if (reader->element_count == MAX_ELEMENTS)
        return sherd_scan_fail(&reader->scanner, error, NULL, "more than %d elements",
                               (int)MAX_ELEMENTS);
    ply_element *element = &reader->elements[reader->element_count++];
    element->count = (uint64_t)value;
    snprintf(element->name, sizeof element->name, "%.*s", shown(name), name.text);
    if (sherd_word_is(name, "vertex")) {
        // Reject duplicate tables, which readers interpret differently.
        for (int e = 0; e + 1 < reader->element_count; ++e)
            if (reader->elements[e].kind == ELEMENT_VERTEX)
                return sherd_scan_fail(&reader->scanner, error, "export the mesh again",
                                       "the header has two tables of vertices");
        element->kind = ELEMENT_VERTEX;
        reader->vertex_total = element->count;
    } else if (sherd_word_is(name, "face")) {
        element->kind = ELEMENT_FACE;
    }
    return SHERD_OK;
}

static sherd_status read_property(ply_reader *reader, sherd_error *error)
{
    sherd_text_scanner *scanner = &reader->scanner;
    if (reader->element_count == 0)
        return sherd_scan_fail(scanner, error, NULL, "a property comes before the first element");
    ply_element *element = &reader->elements[reader->element_count - 1];
    if (element->property_count == MAX_PROPERTIES)
        return sherd_scan_fail(scanner, error, NULL, "more than %d properties",
                               (int)MAX_PROPERTIES);
    ply_property property = {0};
    sherd_text_word word = sherd_scan_word_in_line(scanner);
    if (sherd_word_is(word, "list")) {
        word = sherd_scan_word_in_line(scanner);
        property.count_type = type_named(word);
        if (property.count_type != PLY_NONE) word = sherd_scan_word_in_line(scanner);
    }
    property.type = type_named(word);
    if (property.type == PLY_NONE)
        return sherd_scan_fail(scanner, error, NULL, "unknown property type '%.*s'", shown(word),
                               word.text);
    sherd_text_word name = sherd_scan_word_in_line(scanner);
    property.role = role_of(element->kind, name, property.count_type);
    element->properties[element->property_count++] = property;
    return SHERD_OK;
}

static bool has_role(const ply_reader *reader, ply_element_kind kind, ply_role role)
{
    for (int e = 0; e < reader->element_count; ++e)
        for (int k = 0; k < reader->elements[e].property_count; ++k)
            if (reader->elements[e].kind == kind && reader->elements[e].properties[k].role == role)
                return true;
    return false;
}

static sherd_status check_header(const ply_reader *reader, sherd_error *error)
{
    if (reader->encoding == PLY_UNKNOWN)
        return sherd_scan_fail(&reader->scanner, error, NULL, "the header names no format");
    if (!has_role(reader, ELEMENT_VERTEX, ROLE_X) || !has_role(reader, ELEMENT_VERTEX, ROLE_Y) ||
        !has_role(reader, ELEMENT_VERTEX, ROLE_Z))
        return sherd_scan_fail(&reader->scanner, error, NULL,
                               "the header declares no vertices with x, y and z");
    if (!has_role(reader, ELEMENT_FACE, ROLE_CORNERS))
        return sherd_scan_fail(&reader->scanner, error,
                               "point clouds and triangle strips can't be used: export faces",
                               "the header declares no faces with a list vertex_indices");
    return SHERD_OK;
}

// Chooses the optional attributes of the mesh.
static void choose_contents(ply_reader *reader)
{
    sherd_mesh_builder *builder = reader->builder;
    builder->has_face_kind = has_role(reader, ELEMENT_FACE, ROLE_INNER);
    reader->vertices_have_uv =
        has_role(reader, ELEMENT_VERTEX, ROLE_U) && has_role(reader, ELEMENT_VERTEX, ROLE_V);
    builder->has_uv = reader->vertices_have_uv || has_role(reader, ELEMENT_FACE, ROLE_CORNER_UV);
    reader->painted = has_role(reader, ELEMENT_VERTEX, ROLE_RED) ||
                      has_role(reader, ELEMENT_VERTEX, ROLE_GREEN) ||
                      has_role(reader, ELEMENT_VERTEX, ROLE_BLUE);
}

// If lines end with \r alone, a
//  after the header is the first byte of the data.
static void leave_header(ply_reader *reader)
{
    sherd_text_scanner *scanner = &reader->scanner;
    const char *text = (const char *)reader->source->bytes;
    bool old_mac = reader->source->size > 4 && text[3] == '\r' && text[4] != '\n';
    if (old_mac) {
        const char *end = memchr(scanner->at, '\r', (size_t)(scanner->end - scanner->at));
        scanner->at = end != NULL ? end + 1 : scanner->end;
        ++scanner->line;
    } else {
        sherd_scan_next_line(scanner);
    }
    reader->at = (size_t)(scanner->at - text);
}

static sherd_status read_header(ply_reader *reader, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    while (status == SHERD_OK && sherd_scan_next_line(&reader->scanner)) {
        sherd_text_word word = sherd_scan_word_in_line(&reader->scanner);
        if (sherd_word_is(word, "end_header")) {
            status = check_header(reader, error);
            choose_contents(reader);
            leave_header(reader);
            return status;
        }
        if (sherd_word_is(word, "format"))
            status = read_format(reader, error);
        else if (sherd_word_is(word, "element"))
            status = read_element(reader, error);
        else if (sherd_word_is(word, "property"))
            status = read_property(reader, error);
        else if (word.size > 0 && !sherd_word_is(word, "comment") &&
                 !sherd_word_is(word, "obj_info"))
            status = sherd_scan_fail(&reader->scanner, error, NULL,
                                     "unknown word '%.*s' in the header", shown(word), word.text);
    }
    if (status != SHERD_OK) return status;
    return sherd_scan_fail(&reader->scanner, error, "the file is cut off: copy or export it again",
                           "the header has no end_header");
}

// ---- data

static sherd_status fail_here(const ply_reader *reader, sherd_error *error, const char *hint,
                              const char *what)
{
    if (reader->encoding == PLY_TEXT)
        return sherd_scan_fail(&reader->scanner, error, hint, "%s", what);
    return sherd_mesh_fail_at_byte(reader->source, reader->at, error, hint, "%s", what);
}

static sherd_status fail_cut_off(const ply_reader *reader, const ply_element *element,
                                 uint64_t index, sherd_error *error)
{
    char what[SHERD_ERROR_TEXT_SIZE];
    snprintf(what, sizeof what, "the file ends within %s %llu of %llu", element->name,
             (unsigned long long)index, (unsigned long long)element->count);
    return fail_here(reader, error, "the file is cut off: copy or export it again", what);
}

static double decode(const unsigned char *from, ply_type type, sherd_byte_order order)
{
    uint64_t bits = sherd_load_bytes(from, TYPE_SIZES[type], order);
    switch (type) {
    case PLY_INT8:
        return (int8_t)(uint8_t)bits;
    case PLY_INT16:
        return (int16_t)(uint16_t)bits;
    case PLY_INT32:
        return (int32_t)(uint32_t)bits;
    case PLY_FLOAT32:
        return sherd_load_f32(from, order);
    case PLY_FLOAT64:
        return sherd_load_f64(from, order);
    default:
        return (double)bits;
    }
}

typedef enum take_result { TAKE_OK, TAKE_END, TAKE_NO_NUMBER } take_result;

static take_result take_value(ply_reader *reader, ply_type type, double *value)
{
    if (reader->encoding == PLY_TEXT) {
        sherd_text_word word = sherd_scan_word(&reader->scanner);
        if (word.size == 0) return TAKE_END;
        return sherd_word_number(word, value) ? TAKE_OK : TAKE_NO_NUMBER;
    }
    if (reader->source->size - reader->at < TYPE_SIZES[type]) return TAKE_END;
    sherd_byte_order order =
        reader->encoding == PLY_BIG_ENDIAN ? SHERD_BIG_ENDIAN : SHERD_LITTLE_ENDIAN;
    *value = decode(reader->source->bytes + reader->at, type, order);
    reader->at += TYPE_SIZES[type];
    return TAKE_OK;
}

static size_t bytes_left(const ply_reader *reader)
{
    if (reader->encoding != PLY_TEXT) return reader->source->size - reader->at;
    return (size_t)(reader->scanner.end - reader->scanner.at);
}

// The values of an element's row that the mesh uses.
typedef struct ply_row {
    double position[3];
    double color[3];
    float uv[2];
    uint8_t inner;
    size_t corner_count, corner_uv_count; // corner_uv_count: numbers, two per corner
} ply_row;

// Position in the data, for error messages.
typedef struct ply_place {
    const ply_element *element;
    uint64_t index;
} ply_place;

static sherd_status take(ply_reader *reader, ply_place place, ply_type type, double *value,
                         sherd_error *error)
{
    take_result result = take_value(reader, type, value);
    if (result == TAKE_OK) return SHERD_OK;
    if (result == TAKE_END) return fail_cut_off(reader, place.element, place.index, error);
    return fail_here(reader, error, NULL, "expected a number");
}

static sherd_status store_corner(ply_reader *reader, ply_row *row, double value, sherd_error *error)
{
    if (!(value >= 0.0 && value < (double)reader->vertex_total) || value != floor(value)) {
        char what[SHERD_ERROR_TEXT_SIZE];
        snprintf(what, sizeof what, "a face uses vertex %g, but there are %llu", value,
                 (unsigned long long)reader->vertex_total);
        return fail_here(reader, error, "vertices are counted from 0", what);
    }
    if (!sherd_grow((void **)&reader->corners, &reader->corner_capacity, row->corner_count + 1,
                    sizeof *reader->corners))
        return sherd_mesh_fail_too_large(reader->source, error);
    reader->corners[row->corner_count++] = (int32_t)value;
    return SHERD_OK;
}

static sherd_status store_corner_uv(ply_reader *reader, ply_row *row, double value,
                                    sherd_error *error)
{
    if (!sherd_grow((void **)&reader->corner_uv, &reader->corner_uv_capacity,
                    row->corner_uv_count + 1, sizeof *reader->corner_uv))
        return sherd_mesh_fail_too_large(reader->source, error);
    reader->corner_uv[row->corner_uv_count++] = isfinite(value) ? (float)value : 0.0f;
    return SHERD_OK;
}

static sherd_status take_list(ply_reader *reader, ply_place place, const ply_property *property,
                              ply_row *row, sherd_error *error)
{
    double count = 0.0, value = 0.0;
    sherd_status status = take(reader, place, property->count_type, &count, error);
    if (status != SHERD_OK) return status;
    if (!(count >= 0.0 && count <= (double)bytes_left(reader)) || count != floor(count)) {
        char what[SHERD_ERROR_TEXT_SIZE];
        snprintf(what, sizeof what, "a list can't have %g items: %zu bytes are left", count,
                 bytes_left(reader));
        return fail_here(reader, error, "the file is damaged: copy or export it again", what);
    }
    for (uint64_t k = 0; k < (uint64_t)count && status == SHERD_OK; ++k) {
        status = take(reader, place, property->type, &value, error);
        if (status == SHERD_OK && property->role == ROLE_CORNERS)
            status = store_corner(reader, row, value, error);
        if (status == SHERD_OK && property->role == ROLE_CORNER_UV)
            status = store_corner_uv(reader, row, value, error);
    }
    return status;
}

// Integers are fractions of the type's maximum. Values outside 0..1 mean that these are not
// colours.
static double color_value(ply_reader *reader, const ply_property *property, double value)
{
    static const double WHITE[] = {
        [PLY_INT8] = 127.0,     [PLY_UINT8] = 255.0,        [PLY_INT16] = 32767.0,
        [PLY_UINT16] = 65535.0, [PLY_INT32] = 2147483647.0, [PLY_UINT32] = 4294967295.0,
        [PLY_FLOAT32] = 1.0,    [PLY_FLOAT64] = 1.0};
    double fraction = value / WHITE[property->type];
    reader->no_colors = reader->no_colors || !(fraction >= 0.0 && fraction <= 1.0);
    return fraction;
}

static sherd_status take_scalar(ply_reader *reader, ply_place place, const ply_property *property,
                                ply_row *row, sherd_error *error)
{
    double value = 0.0;
    sherd_status status = take(reader, place, property->type, &value, error);
    if (status != SHERD_OK) return status;
    if (property->role >= ROLE_X && property->role <= ROLE_Z) {
        if (!isfinite(value)) {
            char what[SHERD_ERROR_TEXT_SIZE];
            snprintf(what, sizeof what, "coordinates must be finite, vertex %llu has %g",
                     (unsigned long long)place.index, value);
            return fail_here(reader, error, "export the mesh again", what);
        }
        row->position[property->role - ROLE_X] = reader->source->scale * value;
    } else if (property->role == ROLE_U || property->role == ROLE_V) {
        row->uv[property->role - ROLE_U] = isfinite(value) ? (float)value : 0.0f;
    } else if (property->role >= ROLE_RED && property->role <= ROLE_BLUE) {
        row->color[property->role - ROLE_RED] = color_value(reader, property, value);
    } else if (property->role == ROLE_INNER) {
        row->inner = value != 0.0 ? SHERD_FACE_INNER : SHERD_FACE_OUTER;
    }
    return SHERD_OK;
}

static sherd_status keep_vertex(ply_reader *reader, ply_place place, const ply_row *row,
                                sherd_error *error)
{
    bool retained = sherd_mesh_builder_add_vertex(reader->builder, row->position) &&
                    (!reader->painted || sherd_mesh_builder_paint(reader->builder, row->color));
    size_t at = 2 * (size_t)place.index;
    if (retained && reader->vertices_have_uv) {
        retained =
            sherd_grow((void **)&reader->uv, &reader->uv_capacity, at + 2, sizeof *reader->uv);
        for (size_t k = 0; retained && k < 2; ++k)
            reader->uv[at + k] = row->uv[k];
    }
    return retained ? SHERD_OK : sherd_mesh_fail_too_large(reader->source, error);
}

// Texture coordinates of corners if there is a pair for each, otherwise those of vertices.
static sherd_status gather_uv(ply_reader *reader, ply_row *row, const float **uv,
                              sherd_error *error)
{
    *uv = reader->corner_uv;
    if (row->corner_uv_count == 2 * row->corner_count) return SHERD_OK;
    *uv = NULL;
    row->corner_uv_count = 0;
    if (!reader->vertices_have_uv) return SHERD_OK;
    sherd_status status = SHERD_OK;
    for (size_t k = 0; k < 2 * row->corner_count && status == SHERD_OK; ++k) {
        size_t v = (size_t)reader->corners[k / 2];
        status = store_corner_uv(reader, row, (double)reader->uv[2 * v + k % 2], error);
    }
    *uv = reader->corner_uv;
    return status;
}

static sherd_status keep_face(ply_reader *reader, ply_place place, ply_row *row, sherd_error *error)
{
    if (row->corner_count < 3) {
        char what[SHERD_ERROR_TEXT_SIZE];
        snprintf(what, sizeof what, "a face needs at least 3 corners, face %llu has %zu",
                 (unsigned long long)place.index, row->corner_count);
        return fail_here(reader, error, NULL, what);
    }
    const float *uv;
    sherd_status status = gather_uv(reader, row, &uv, error);
    const sherd_mesh_polygon polygon = {row->corner_count, reader->corners, uv, row->inner};
    if (status == SHERD_OK && !sherd_mesh_builder_add_polygon(reader->builder, &polygon))
        status = sherd_mesh_fail_polygon(reader->source, reader->builder, error);
    return status;
}

static sherd_status keep_row(ply_reader *reader, ply_place place, ply_row *row, sherd_error *error)
{
    if (place.element->kind == ELEMENT_VERTEX) return keep_vertex(reader, place, row, error);
    if (place.element->kind == ELEMENT_FACE) return keep_face(reader, place, row, error);
    return SHERD_OK;
}

static sherd_status read_rows(ply_reader *reader, const ply_element *element, sherd_error *error)
{
    if (element->property_count == 0) return SHERD_OK;
    if (element->kind == ELEMENT_FACE && reader->builder->vertex_count < reader->vertex_total)
        return fail_here(reader, error, NULL, "the faces come before the vertices");
    for (uint64_t index = 0; index < element->count; ++index) {
        ply_place place = {element, index};
        ply_row row = {0};
        sherd_status status = SHERD_OK;
        for (int k = 0; k < element->property_count && status == SHERD_OK; ++k) {
            const ply_property *property = &element->properties[k];
            status = property->count_type != PLY_NONE
                         ? take_list(reader, place, property, &row, error)
                         : take_scalar(reader, place, property, &row, error);
        }
        if (status == SHERD_OK) status = keep_row(reader, place, &row, error);
        if (status != SHERD_OK) return status;
    }
    return SHERD_OK;
}

// Anything but blanks after the last element means that the header's counts are wrong.
static sherd_status check_end(ply_reader *reader, sherd_error *error)
{
    if (reader->encoding != PLY_TEXT)
        reader->scanner.at = (const char *)reader->source->bytes + reader->at;
    size_t left = bytes_left(reader);
    if (sherd_scan_word(&reader->scanner).size == 0) return SHERD_OK;
    char what[SHERD_ERROR_TEXT_SIZE];
    snprintf(what, sizeof what, "%zu bytes are left after the last element", left);
    return fail_here(reader, error, "the header's counts don't fit the data: export it again",
                     what);
}

sherd_status sherd_mesh_parse_ply(const sherd_mesh_source *source, sherd_mesh_builder *builder,
                                  sherd_error *error)
{
    const char *text = (const char *)source->bytes;
    ply_reader *reader = sherd_alloc(1, sizeof *reader); // too large for the stack of a thread
    if (reader == NULL) return sherd_fail_memory(error, "reading a PLY file");
    reader->source = source;
    reader->builder = builder;
    reader->scanner = (sherd_text_scanner){source->path, text, text + source->size, 1};
    reader->encoding = PLY_UNKNOWN;
    sherd_status status = read_header(reader, error);
    for (int e = 0; e < reader->element_count && status == SHERD_OK; ++e)
        status = read_rows(reader, &reader->elements[e], error);
    if (status == SHERD_OK) status = check_end(reader, error);
    if (reader->no_colors) builder->has_color = false;
    sherd_free(reader->uv);
    sherd_free(reader->corners);
    sherd_free(reader->corner_uv);
    sherd_free(reader);
    return status;
}
