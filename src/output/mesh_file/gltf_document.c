// Containers of glTF: binary files, text files with buffers beside or inside them.
//                                                               glTF 2.0, sections 3.6.1 and 4.4
#include "output/mesh_file/gltf_reader.h"

#include <sherd/file.h>

#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/byte_order.h"
#include "output/mesh_file/sibling_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t GLB_MAGIC = 0x46546c67, GLB_JSON = 0x4e4f534a, GLB_BINARY = 0x004e4942;
typedef struct gltf_name {
    const char *text;
    size_t material;
} gltf_name;

enum { GLB_HEADER = 12, CHUNK_HEADER = 8, MAX_BUFFERS = 4096 };

sherd_status sherd_gltf_fail(const gltf_document *document, sherd_error *error, const char *hint,
                             const char *what_format, ...)
{
    char what[SHERD_ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, what_format);
    vsnprintf(what, sizeof what, what_format, arguments);
    va_end(arguments);
    return sherd_fail(error, SHERD_ERROR_INPUT, document->source->path, hint, "%s", what);
}

json_t *sherd_gltf_item(const gltf_document *document, const char *list, int64_t index)
{
    return index < 0 ? NULL : json_array_get(json_object_get(document->root, list), (size_t)index);
}

int64_t sherd_gltf_integer(const json_t *object, const char *key, int64_t otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? (int64_t)json_integer_value(value) : otherwise;
}

// ---------------------------------------------------------------- the document

static sherd_status parse_json(gltf_document *d, const unsigned char *text, size_t size,
                               sherd_error *error)
{
    json_error_t problem;
    d->root = json_loadb((const char *)text, size, JSON_REJECT_DUPLICATES, &problem);
    if (d->root == NULL)
        return sherd_gltf_fail(d, error, "the file is damaged: export it again",
                               "line %d of its JSON: %.200s", problem.line, problem.text);
    const char *version =
        json_string_value(json_object_get(json_object_get(d->root, "asset"), "version"));
    if (version == NULL || strncmp(version, "2.", 2) != 0)
        return sherd_gltf_fail(d, error, "export it as glTF 2.0",
                               "glTF of version 2 is read, this is version %.20s",
                               version != NULL ? version : "unknown");
    return SHERD_OK;
}

// The JSON of a binary file, and the buffer behind it, if any.
static sherd_status open_binary(gltf_document *d, gltf_buffer *binary, sherd_error *error)
{
    const sherd_mesh_source *s = d->source;
    size_t at = GLB_HEADER;
    bool found = false;
    while (s->size - at >= CHUNK_HEADER) {
        size_t size = sherd_load_u32(s->bytes + at, SHERD_LITTLE_ENDIAN);
        uint32_t kind = sherd_load_u32(s->bytes + at + 4, SHERD_LITTLE_ENDIAN);
        at += CHUNK_HEADER;
        if (size > s->size - at)
            return sherd_mesh_fail_at_byte(
                s, at - CHUNK_HEADER, error, "the file is cut off: copy or export it again",
                "a chunk has %zu bytes, but the file %zu more", size, s->size - at);
        if (kind == GLB_JSON && !found) {
            sherd_status status = parse_json(d, s->bytes + at, size, error);
            if (status != SHERD_OK) return status;
            found = true;
        } else if (kind == GLB_BINARY && binary->bytes == NULL) {
            *binary = (gltf_buffer){.bytes = s->bytes + at, .size = size};
        }
        at += size;
    }
    return found ? SHERD_OK
                 : sherd_gltf_fail(d, error, "export it again", "the file has no JSON chunk");
}

// ---------------------------------------------------------------- buffers

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool decode_base64(const char *text, gltf_buffer *out)
{
    size_t length = strlen(text);
    out->owned = sherd_alloc(length / 4 * 3 + 3, 1);
    out->bytes = out->owned;
    uint32_t bits = 0;
    int count = 0;
    for (size_t k = 0; out->owned != NULL && k < length && text[k] != '='; ++k) {
        int digit = base64_digit(text[k]);
        if (digit < 0) return false;
        bits = bits << 6 | (uint32_t)digit;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out->owned[out->size++] = (unsigned char)(bits >> count);
    }
    return out->owned != NULL;
}

// "my%20file.bin" -> "my file.bin", in place.
static void decode_percents(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; ++from, ++to) {
        unsigned value;
        char digits[3] = {0};
        if (*from == '%') memcpy(digits, from + 1, from[1] != '\0' ? 2 : 1);
        if (digits[1] != '\0' && sscanf(digits, "%2x", &value) == 1 && value > 0) {
            *to = (char)value;
            from += 2;
        } else {
            *to = *from;
        }
    }
    *to = '\0';
}

// The path of a file in the document's folder, owned. NULL with an error.
static char *path_of(const gltf_document *d, const char *uri, sherd_error *error)
{
    const char *slash = strrchr(d->source->path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - d->source->path) + 1 : 0;
    size_t length = folder + strlen(uri) + 1;
    char *path = sherd_alloc(length, 1), *name = path != NULL ? path + folder : NULL;
    if (path == NULL) {
        sherd_fail_memory(error, "a mesh's buffers");
        return NULL;
    }
    snprintf(path, length, "%.*s%s", (int)folder, d->source->path, uri);
    decode_percents(name);
    if (strstr(name, "://") == NULL && name[0] != '/' && strstr(name, "..") == NULL) return path;
    sherd_gltf_fail(d, error, "put its files beside it, or export it as .glb",
                    "only files in its own folder are read, not %.200s", name);
    sherd_free(path);
    return NULL;
}

// Reads a file in the document's folder.
static sherd_status read_sibling(const gltf_document *d, const char *uri, gltf_buffer *out,
                                 sherd_error *error)
{
    char *path = path_of(d, uri, error);
    if (path == NULL) return SHERD_ERROR_INPUT;
    sherd_status status = SHERD_OK;
    bool regular = sherd_is_regular_file(path, &out->source.device, &out->source.number);
    if (!regular && sherd_file_exists(path))
        status = sherd_gltf_fail(d, error, NULL, "%.200s is no regular file", uri);
    else
        status = sherd_file_read(path, &out->owned, &out->size, error);
    out->bytes = out->owned;
    sherd_free(path);
    return status;
}

static const char *data_of(const char *uri)
{
    return strncmp(uri, "data:", 5) == 0 ? strstr(uri, ";base64,") : NULL;
}

bool sherd_gltf_find_file(const gltf_document *d, const char *uri, sherd_picture_source *source)
{
    char *path = data_of(uri) == NULL ? path_of(d, uri, NULL) : NULL;
    bool found = sherd_is_regular_file(path, &source->device, &source->number);
    sherd_free(path);
    return found;
}

sherd_status sherd_gltf_read_uri(const gltf_document *d, const char *uri, gltf_buffer *out,
                                 sherd_error *error)
{
    const char *data = data_of(uri);
    if (data == NULL) return read_sibling(d, uri, out, error);
    return decode_base64(data + 8, out)
               ? SHERD_OK
               : sherd_gltf_fail(d, error, "the file is damaged: export it again",
                                 "%.16s... is no base64", uri);
}

// A buffer that was already read from the same file.
static const gltf_buffer *same_file(const gltf_document *d, size_t index, const char *uri)
{
    sherd_picture_source source;
    if (index == 0 || !sherd_gltf_find_file(d, uri, &source)) return NULL;
    for (size_t k = 0; k < index; ++k)
        if (d->buffers[k].owned != NULL && d->buffers[k].source.device == source.device &&
            d->buffers[k].source.number == source.number)
            return &d->buffers[k];
    return NULL;
}

static sherd_status read_buffer(const gltf_document *d, size_t index, const gltf_buffer *binary,
                                gltf_buffer *out, sherd_error *error)
{
    const json_t *json = sherd_gltf_item(d, "buffers", (int64_t)index);
    const char *uri = json_string_value(json_object_get(json, "uri"));
    const gltf_buffer *same;
    sherd_status status = SHERD_OK;
    if (uri == NULL)
        *out = index == 0 ? *binary : (gltf_buffer){0};
    else if ((same = same_file(d, index, uri)) != NULL)
        *out = (gltf_buffer){.bytes = same->bytes, .size = same->size};
    else
        status = sherd_gltf_read_uri(d, uri, out, error);
    int64_t wanted = sherd_gltf_integer(json, "byteLength", 0);
    if (status != SHERD_OK || (wanted >= 0 && (uint64_t)wanted <= out->size)) return status;
    return sherd_gltf_fail(d, error, "the file is cut off: copy or export it again",
                           "buffers[%zu] should have %lld bytes, but has %zu", index,
                           (long long)wanted, out->size);
}

static sherd_status read_buffers(gltf_document *d, const gltf_buffer *binary, sherd_error *error)
{
    size_t count = json_array_size(json_object_get(d->root, "buffers"));
    if (count > MAX_BUFFERS)
        return sherd_gltf_fail(d, error, "export it as .glb", "%zu buffers are too many", count);
    d->buffers = sherd_alloc(count, sizeof *d->buffers);
    if (d->buffers == NULL) return sherd_fail_memory(error, "a mesh's buffers");
    d->buffer_count = count;
    sherd_status status = SHERD_OK;
    for (size_t k = 0; k < count && status == SHERD_OK; ++k)
        status = read_buffer(d, k, binary, &d->buffers[k], error);
    d->size = d->source->size;
    for (size_t k = 0; k < count; ++k)
        if (d->buffers[k].owned != NULL) d->size += d->buffers[k].size;
    return status;
}

// ---------------------------------------------------------------- names of materials

static const char *own_name(const gltf_document *d, size_t material)
{
    const char *name = json_string_value(
        json_object_get(sherd_gltf_item(d, "materials", (int64_t)material), "name"));
    return name != NULL ? name : "";
}

static int by_name(const void *a, const void *b)
{
    const gltf_name *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order != 0 ? order : (x->material > y->material) - (x->material < y->material);
}

// Marks duplicate names by sorting, as a file may have a hundred thousand materials.
static sherd_status find_taken_names(gltf_document *d, sherd_error *error)
{
    size_t count = json_array_size(json_object_get(d->root, "materials"));
    gltf_name *names = sherd_alloc(count, sizeof *names);
    d->name_is_taken = sherd_alloc(count, 1);
    size_t images = json_array_size(json_object_get(d->root, "images"));
    d->image_is_bad = sherd_alloc(images, 1);
    bool good = names != NULL && d->name_is_taken != NULL && d->image_is_bad != NULL;
    for (size_t k = 0; good && k < count; ++k)
        names[k] = (gltf_name){own_name(d, k), k};
    if (good && count > 0) qsort(names, count, sizeof *names, by_name);
    for (size_t k = 1; good && k < count; ++k)
        d->name_is_taken[names[k].material] = strcmp(names[k - 1].text, names[k].text) == 0;
    sherd_free(names);
    return good ? SHERD_OK : sherd_fail_memory(error, "a mesh's materials");
}

sherd_status sherd_gltf_open(gltf_document *d, const sherd_mesh_source *source, sherd_error *error)
{
    *d = (gltf_document){.source = source};
    gltf_buffer binary = {0};
    bool is_binary = source->size >= GLB_HEADER &&
                     sherd_load_u32(source->bytes, SHERD_LITTLE_ENDIAN) == GLB_MAGIC;
    sherd_status status = is_binary ? open_binary(d, &binary, error)
                                    : parse_json(d, source->bytes, source->size, error);
    if (status == SHERD_OK) status = read_buffers(d, &binary, error);
    return status == SHERD_OK ? find_taken_names(d, error) : status;
}

void sherd_gltf_release(gltf_document *d)
{
    for (size_t k = 0; k < d->buffer_count; ++k)
        sherd_free(d->buffers[k].owned);
    sherd_free(d->buffers);
    sherd_free(d->name_is_taken);
    sherd_free(d->image_is_bad);
    json_decref(d->root);
    *d = (gltf_document){0};
}
