#include "output/mesh_file/obj_materials.h"

#include "base/file_writer.h"
#include "base/memory.h"
#include "output/mesh_file/sibling_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct library_reader {
    sherd_text_scanner scanner;
    const char *path;
    sherd_mesh_builder *builder;
    sherd_mesh_material *material; // of the current newmtl, NULL: no group uses it
    bool has_roughness;            // Pr was given, which overrides Ns
} library_reader;

static void note_here(const library_reader *r, const char *what, sherd_text_word word)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    snprintf(where, sizeof where, "%s:%ld", r->path, r->scanner.line);
    int size = word.size < 80 ? (int)word.size : 80;
    sherd_mesh_builder_note(r->builder, where, what, size, word.text);
}

// A number clamped to 0..1; false with a note if it is not a number.
static bool read_fraction(library_reader *r, double *value)
{
    sherd_text_word word = sherd_scan_word_in_line(&r->scanner);
    if (!sherd_word_number(word, value) || !isfinite(*value)) {
        note_here(r, "expected a number, got '%.*s': the line is left out", word);
        return false;
    }
    *value = fmin(fmax(*value, 0.0), 1.0);
    return true;
}

static void read_color(library_reader *r)
{
    double color[3];
    for (int k = 0; k < 3; ++k)
        if (!read_fraction(r, &color[k])) return;
    for (int k = 0; k < 3; ++k)
        r->material->color[k] = (float)color[k];
}

// Phong exponent in Blender's convention: Ns = 1000 (1 - roughness)^2.
static void read_exponent(library_reader *r)
{
    double exponent;
    sherd_text_word word = sherd_scan_word_in_line(&r->scanner);
    if (!sherd_word_number(word, &exponent) || !(exponent >= 0.0))
        note_here(r, "expected a number >= 0, got '%.*s': the line is left out", word);
    else if (!r->has_roughness)
        r->material->roughness = (float)(1.0 - sqrt(fmin(exponent, 1000.0) / 1000.0));
}

// ---------------------------------------------------------------- pictures

// Options precede the file name: "-s 2 2 2 -clamp on wood.png". Their values are numbers, on, off
// or a channel; the name starts at the first word that is none of these and extends to the end of
// the line.
static sherd_text_word picture_name(library_reader *r)
{
    sherd_text_scanner before = r->scanner;
    sherd_text_word word = sherd_scan_word_in_line(&r->scanner);
    bool option = false;
    double number;
    while (word.size > 0) {
        bool begins = word.text[0] == '-' && word.size > 1 && !sherd_word_number(word, &number);
        bool value = option && (sherd_word_number(word, &number) || sherd_word_is(word, "on") ||
                                sherd_word_is(word, "off") || word.size == 1);
        if (!begins && !value) break;
        option = true;
        before = r->scanner;
        word = sherd_scan_word_in_line(&r->scanner);
    }
    r->scanner = before;
    return sherd_scan_rest_of_line(&r->scanner);
}

static void read_picture(library_reader *r)
{
    sherd_text_word name = picture_name(r);
    char *path = sherd_sibling_path(r->path, name.text, name.size);
    unsigned char *bytes = NULL;
    size_t size;
    sherd_picture_source source;
    bool found = sherd_is_regular_file(path, &source.device, &source.number);
    int32_t picture = found ? sherd_mesh_builder_find_picture(r->builder, source) : -1;
    if (picture < 0 && found && sherd_file_read(path, &bytes, &size, NULL) == SHERD_OK)
        picture = sherd_mesh_builder_add_picture(r->builder, path, source, bytes, size);
    if (picture < 0)
        note_here(r, "there is no picture '%.*s' in this folder: the plain colour stays", name);
    r->material->picture = picture;
    sherd_free(path);
}

// ---------------------------------------------------------------- lines

static void begin_material(library_reader *r)
{
    sherd_text_word name = sherd_scan_rest_of_line(&r->scanner);
    r->material = sherd_mesh_builder_material(r->builder, name.text, name.size);
    r->has_roughness = false;
}

static void read_material_line(library_reader *r, sherd_text_word key)
{
    sherd_mesh_material *m = r->material;
    double value;
    if (sherd_word_is(key, "kd"))
        read_color(r);
    else if (sherd_word_is(key, "ns"))
        read_exponent(r);
    else if (sherd_word_is(key, "pr") && read_fraction(r, &value))
        m->roughness = (float)value, r->has_roughness = true;
    else if (sherd_word_is(key, "pm") && read_fraction(r, &value))
        m->metal = (float)value;
    else if (sherd_word_is(key, "d") && read_fraction(r, &value))
        m->opacity = (float)value;
    else if (sherd_word_is(key, "tr") && read_fraction(r, &value))
        m->opacity = (float)(1.0 - value);
    else if (sherd_word_is(key, "map_kd"))
        read_picture(r);
}

// A picture replaces the colour, which exporters set to an arbitrary grey.
static void settle_pictures(sherd_mesh_builder *builder)
{
    for (size_t g = 0; g < builder->material_count; ++g)
        for (int k = 0; builder->materials[g].picture >= 0 && k < 3; ++k)
            builder->materials[g].color[k] = 1.0f;
}

static void read_library_file(const char *path, sherd_mesh_builder *builder)
{
    unsigned char *bytes = NULL;
    size_t size;
    if (sherd_file_read(path, &bytes, &size, NULL) != SHERD_OK) return;
    const char *text = (const char *)bytes;
    library_reader r = {{path, text, text + size, 1}, path, builder, NULL, false};
    do {
        sherd_text_word key = sherd_scan_word_in_line(&r.scanner);
        if (sherd_word_is(key, "newmtl"))
            begin_material(&r);
        else if (r.material != NULL)
            read_material_line(&r, key);
    } while (sherd_scan_next_line(&r.scanner));
    settle_pictures(builder);
    sherd_free(bytes);
}

// A file is read only once, whatever its name.
static bool is_new(sherd_obj_libraries_read *read, uint64_t device, uint64_t number)
{
    for (int k = 0; k < read->count; ++k)
        if (read->device[k] == device && read->number[k] == number) return false;
    if (read->count == SHERD_OBJ_MAX_LIBRARIES) return false;
    read->device[read->count] = device;
    read->number[read->count++] = number;
    return true;
}

// False if there is no such file.
static bool read_named(const sherd_mesh_source *source, sherd_text_word name,
                       sherd_obj_libraries_read *read, sherd_mesh_builder *builder)
{
    uint64_t device, number;
    char *path = sherd_sibling_path(source->path, name.text, name.size);
    bool found = sherd_is_regular_file(path, &device, &number);
    if (found && is_new(read, device, number)) read_library_file(path, builder);
    sherd_free(path);
    return found;
}

static void note_missing(const sherd_mesh_source *source, const sherd_obj_library *library,
                         sherd_text_word name, sherd_mesh_builder *builder)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    snprintf(where, sizeof where, "%s:%ld", source->path, library->line);
    int size = name.size < 80 ? (int)name.size : 80;
    sherd_mesh_builder_note(builder, where,
                            "there is no material library '%.*s' in this folder: its groups have "
                            "the body's color",
                            size, name.text);
}

// Names may contain blanks, and a line may have several: the whole line is tried first.
void sherd_obj_read_library(const sherd_mesh_source *source, const sherd_obj_library *library,
                            sherd_obj_libraries_read *read, sherd_mesh_builder *builder)
{
    sherd_text_word names = library->names;
    if (read_named(source, names, read, builder)) return;
    if (memchr(names.text, ' ', names.size) == NULL) {
        note_missing(source, library, names, builder);
        return;
    }
    sherd_text_scanner scanner = {source->path, names.text, names.text + names.size, 1};
    for (sherd_text_word word = sherd_scan_word_in_line(&scanner); word.size > 0;
         word = sherd_scan_word_in_line(&scanner))
        if (!read_named(source, word, read, builder)) note_missing(source, library, word, builder);
}
