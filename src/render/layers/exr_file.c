// Writes EXR files with OpenEXRCore, if the library is built with it.
#include <sherd/layers.h>

#include "base/error.h"

#if defined(SHERD_HAS_EXR)

#include "base/memory.h"
#include "render/layers/cryptomatte.h"
#include "render/layers/exr_channel_table.h"
#include "render/layers/layers.h"

#include <sherd/file.h>

#include <openexr.h>
#include <stdio.h>
#include <string.h>

// The contents of the file.
typedef struct exr_bytes {
    unsigned char *bytes;
    size_t size, capacity;
    char why[128]; // OpenEXR's message about the first failure
} exr_bytes;

static exr_bytes *bytes_of(exr_const_context_t context)
{
    void *data = NULL;
    return exr_get_user_data(context, &data) == EXR_ERR_SUCCESS ? data : NULL;
}

static int64_t put_bytes(exr_const_context_t context, void *data, const void *bytes, uint64_t size,
                         uint64_t offset, exr_stream_error_func_ptr_t fail)
{
    exr_bytes *file = data;
    size_t end = (size_t)(offset + size);
    if (end > file->capacity &&
        !sherd_grow((void **)&file->bytes, &file->capacity, end, sizeof *file->bytes)) {
        fail(context, EXR_ERR_OUT_OF_MEMORY, "not enough memory");
        return -1;
    }
    memcpy(file->bytes + offset, bytes, (size_t)size);
    if (end > file->size) file->size = end;
    return (int64_t)size;
}

static void note_failure(exr_const_context_t context, exr_result_t code, const char *text)
{
    (void)code;
    exr_bytes *file = bytes_of(context);
    if (file != NULL && file->why[0] == '\0') snprintf(file->why, sizeof file->why, "%s", text);
}

// ---------------------------------------------------------------- header

static bool holds(const cryptomatte_names *names, uint32_t hash)
{
    for (int k = 0; k < names->count; ++k)
        if (names->hashes[k] == hash) return true;
    return false;
}

// Finds the distinct names, in the order of geometries; the ground's is last. The search is
// quadratic in the number of distinct names, but a table of the hashes' low bits answers most
// queries.
static bool distinct(const sherd_layers *l, const char **all, const uint32_t *hashes,
                     cryptomatte_names *names)
{
    enum { BITS = 1 << 16 };
    unsigned char *seen = sherd_alloc(BITS, 1);
    names->names = sherd_alloc((size_t)l->count + 1, sizeof *names->names);
    names->hashes = sherd_alloc((size_t)l->count + 1, sizeof *names->hashes);
    bool ok = seen != NULL && names->names != NULL && names->hashes != NULL;
    for (int k = 0; ok && k <= l->count; ++k) {
        unsigned char *mark = &seen[hashes[k] % BITS];
        if (all[k][0] == '\0' || (*mark != 0 && holds(names, hashes[k]))) continue;
        *mark = 1;
        names->names[names->count] = all[k];
        names->hashes[names->count++] = hashes[k];
    }
    sherd_free(seen);
    return ok;
}

static exr_result_t put_manifest(exr_context_t context, const char *layer, const char *manifest)
{
    char key[32];
    exr_result_t result = EXR_ERR_SUCCESS;
    const char *const values[][2] = {{"name", layer},
                                     {"hash", "MurmurHash3_32"},
                                     {"conversion", "uint32_to_float32"},
                                     {"manifest", manifest}};
    for (int k = 0; k < 4 && result == EXR_ERR_SUCCESS; ++k) {
        snprintf(key, sizeof key, "cryptomatte/%.7x/%s", sherd_cryptomatte_hash(layer) >> 4,
                 values[k][0]);
        result = exr_attr_set_string(context, 0, key, values[k][1]);
    }
    return result;
}

static exr_result_t put_cryptomatte(exr_context_t context, const sherd_layers *l, const char *layer,
                                    const char **all, const uint32_t *hashes)
{
    cryptomatte_names names = {.count = 0};
    char *manifest = distinct(l, all, hashes, &names) ? sherd_cryptomatte_manifest(&names) : NULL;
    exr_result_t result =
        manifest != NULL ? put_manifest(context, layer, manifest) : EXR_ERR_OUT_OF_MEMORY;
    sherd_free(manifest);
    sherd_free(names.names);
    sherd_free(names.hashes);
    return result;
}

static exr_result_t put_header(exr_context_t context, const sherd_layers *l,
                               sherd_exr_pixels pixels)
{
    int part;
    exr_result_t result = exr_add_part(context, "sherd", EXR_STORAGE_SCANLINE, &part);
    if (result == EXR_ERR_SUCCESS)
        result = exr_initialize_required_attr_simple(context, part, l->width, l->height,
                                                     EXR_COMPRESSION_ZIP);
    for (int c = 0; c < EXR_CHANNEL_COUNT && result == EXR_ERR_SUCCESS; ++c) {
        bool wide = sherd_exr_channels[c].wide || pixels == SHERD_EXR_FLOAT;
        result = exr_add_channel(context, part, sherd_exr_channels[c].name,
                                 wide ? EXR_PIXEL_FLOAT : EXR_PIXEL_HALF,
                                 EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    }
    if (result == EXR_ERR_SUCCESS)
        result = put_cryptomatte(context, l, "CryptoObject", l->objects, l->object_ids);
    if (result == EXR_ERR_SUCCESS)
        result = put_cryptomatte(context, l, "CryptoMaterial", l->materials, l->material_ids);
    if (result == EXR_ERR_SUCCESS) result = exr_attr_set_string(context, part, "software", "Sherd");
    return result == EXR_ERR_SUCCESS ? exr_write_header(context) : result;
}

// ---------------------------------------------------------------- pixels

static void aim_channels(exr_encode_pipeline_t *encode, const sherd_layers *l, int32_t row)
{
    const sherd_layer_pixel *pixels = l->pixels + (size_t)row * (size_t)l->width;
    for (int16_t c = 0; c < encode->channel_count; ++c) {
        exr_coding_channel_info_t *channel = &encode->channels[c];
        size_t offset = 0;
        for (int k = 0; k < EXR_CHANNEL_COUNT; ++k)
            if (strcmp(sherd_exr_channels[k].name, channel->channel_name) == 0)
                offset = sherd_exr_channels[k].offset;
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_bytes_per_element = sizeof(float);
        channel->user_pixel_stride = sizeof *pixels;
        channel->user_line_stride = (int32_t)sizeof *pixels * l->width;
        channel->encode_from_ptr = (const uint8_t *)pixels + offset;
    }
}

static exr_result_t put_rows(exr_context_t context, const sherd_layers *l)
{
    int32_t together;
    exr_encode_pipeline_t encode = EXR_ENCODE_PIPELINE_INITIALIZER;
    exr_result_t result = exr_get_scanlines_per_chunk(context, 0, &together);
    for (int32_t row = 0; row < l->height && result == EXR_ERR_SUCCESS; row += together) {
        exr_chunk_info_t chunk;
        result = exr_write_scanline_chunk_info(context, 0, row, &chunk);
        if (result == EXR_ERR_SUCCESS && row == 0)
            result = exr_encoding_initialize(context, 0, &chunk, &encode);
        else if (result == EXR_ERR_SUCCESS)
            result = exr_encoding_update(context, 0, &chunk, &encode);
        if (result != EXR_ERR_SUCCESS) break;
        aim_channels(&encode, l, row);
        if (row == 0) result = exr_encoding_choose_default_routines(context, 0, &encode);
        if (result == EXR_ERR_SUCCESS) result = exr_encoding_run(context, 0, &encode);
    }
    exr_encoding_destroy(context, &encode);
    return result;
}

bool sherd_exr_available(void)
{
    return true;
}

sherd_status sherd_layers_write_exr(const sherd_layers *l, sherd_exr_pixels pixels,
                                    const char *path, sherd_error *error)
{
    if (pixels != SHERD_EXR_HALF && pixels != SHERD_EXR_FLOAT)
        return sherd_fail(error, SHERD_ERROR_INPUT, path, NULL, "unknown kind of pixels %d",
                          (int)pixels);
    exr_bytes file = {.bytes = NULL};
    exr_context_t context = NULL;
    exr_context_initializer_t way = EXR_DEFAULT_CONTEXT_INITIALIZER;
    way.user_data = &file;
    way.write_fn = put_bytes;
    way.error_handler_fn = note_failure;
    exr_result_t result = exr_start_write(&context, path, EXR_WRITE_FILE_DIRECTLY, &way);
    if (result == EXR_ERR_SUCCESS) result = put_header(context, l, pixels);
    if (result == EXR_ERR_SUCCESS) result = put_rows(context, l);
    exr_result_t finished = context != NULL ? exr_finish(&context) : EXR_ERR_SUCCESS;
    if (result == EXR_ERR_SUCCESS) result = finished;
    sherd_status status =
        result == EXR_ERR_SUCCESS ? sherd_file_write(path, file.bytes, file.size, error)
        : result == EXR_ERR_OUT_OF_MEMORY
            ? sherd_fail_memory(error, "EXR file")
            : sherd_fail(error, SHERD_ERROR_IO, path, NULL, "OpenEXR: %s",
                         file.why[0] != '\0' ? file.why : exr_get_default_error_message(result));
    sherd_free(file.bytes);
    return status;
}

#else

bool sherd_exr_available(void)
{
    return false;
}

sherd_status sherd_layers_write_exr(const sherd_layers *layers, sherd_exr_pixels pixels,
                                    const char *path, sherd_error *error)
{
    (void)layers, (void)pixels;
    return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, path,
                      "install libopenexr-dev and build Sherd again (scripts/setup installs it)",
                      "this build of Sherd can't write EXR files: OpenEXRCore was missing");
}

#endif
