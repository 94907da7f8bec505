// Numbers in glTF's buffers.                                     glTF 2.0, section 3.6
#include "base/assertion.h"
#include "output/byte_order.h"
#include "output/mesh_file/gltf_reader.h"

#include <math.h>
#include <string.h>

enum { BYTE = 5120, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, UNSIGNED_INT = 5125, FLOAT = 5126 };

static int type_size(int64_t type)
{
    switch (type) {
    case BYTE:
    case UNSIGNED_BYTE:
        return 1;
    case SHORT:
    case UNSIGNED_SHORT:
        return 2;
    case UNSIGNED_INT:
    case FLOAT:
        return 4;
    default:
        return 0;
    }
}

static int component_count(const char *kind)
{
    static const char *const KINDS[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    for (int k = 0; kind != NULL && k < 4; ++k)
        if (strcmp(kind, KINDS[k]) == 0) return k + 1;
    return 0;
}

bool sherd_gltf_find_view(const gltf_document *d, int64_t index, gltf_buffer *view, int64_t *stride)
{
    const json_t *json = sherd_gltf_item(d, "bufferViews", index);
    int64_t buffer = sherd_gltf_integer(json, "buffer", -1);
    int64_t offset = sherd_gltf_integer(json, "byteOffset", 0),
            size = sherd_gltf_integer(json, "byteLength", -1);
    if (buffer < 0 || (uint64_t)buffer >= d->buffer_count || offset < 0 || size < 0) return false;
    const gltf_buffer *from = &d->buffers[buffer];
    if ((uint64_t)offset > from->size || (uint64_t)size > from->size - (uint64_t)offset)
        return false;
    *view = (gltf_buffer){.bytes = from->bytes + offset, .size = (size_t)size};
    *stride = sherd_gltf_integer(json, "byteStride", 0);
    return *stride >= 0 && *stride <= 255;
}

sherd_status sherd_gltf_accessor_open(const gltf_document *d, int64_t index, gltf_accessor *a,
                                      sherd_error *error)
{
    const json_t *json = sherd_gltf_item(d, "accessors", index);
    int64_t type = sherd_gltf_integer(json, "componentType", 0),
            offset = sherd_gltf_integer(json, "byteOffset", 0);
    int components = component_count(json_string_value(json_object_get(json, "type")));
    int size = type_size(type) * components;
    if (json_object_get(json, "sparse") != NULL)
        return sherd_gltf_fail(d, error, "export without sparse accessors",
                               "accessors[%lld] is sparse, which is not read", (long long)index);
    *a = (gltf_accessor){.count = sherd_gltf_integer(json, "count", -1),
                         .type = (int)type,
                         .components = components,
                         .normalized = json_is_true(json_object_get(json, "normalized"))};
    gltf_buffer view = {0};
    bool fits =
        json != NULL && size > 0 && a->count >= 0 && offset >= 0 &&
        sherd_gltf_find_view(d, sherd_gltf_integer(json, "bufferView", -1), &view, &a->stride);
    if (a->stride == 0) a->stride = size;
    // Divide instead of multiplying, as products may overflow.
    fits = fits && (uint64_t)offset <= view.size &&
           (a->count == 0 ||
            ((uint64_t)size <= view.size - (uint64_t)offset &&
             (uint64_t)(a->count - 1) <=
                 (view.size - (uint64_t)offset - (uint64_t)size) / (uint64_t)a->stride));
    if (!fits)
        return sherd_gltf_fail(d, error, "the file is damaged: export it again",
                               "accessors[%lld] lies beyond its buffer, or is none",
                               (long long)index);
    a->bytes = view.bytes + offset;
    return SHERD_OK;
}

static double whole_number(const gltf_accessor *a, const unsigned char *at)
{
    uint32_t low = (uint32_t)at[0] | (type_size(a->type) > 1 ? (uint32_t)at[1] << 8 : 0);
    switch (a->type) {
    case BYTE:
        return low < 128 ? (double)low : (double)low - 256.0;
    case SHORT:
        return low < 32768 ? (double)low : (double)low - 65536.0;
    case UNSIGNED_INT:
        return (double)sherd_load_u32(at, SHERD_LITTLE_ENDIAN);
    default:
        return (double)low;
    }
}

double sherd_gltf_number(const gltf_accessor *a, int64_t row, int component)
{
    SHERD_ASSERT(row >= 0 && row < a->count && component >= 0 && component < a->components,
                 "numbers are within their accessor");
    const unsigned char *at = a->bytes + row * a->stride + (int64_t)component * type_size(a->type);
    if (a->type == FLOAT) {
        uint32_t bits = sherd_load_u32(at, SHERD_LITTLE_ENDIAN);
        float value;
        memcpy(&value, &bits, sizeof value);
        return (double)value;
    }
    static const double LARGEST[] = {127.0, 255.0, 32767.0, 65535.0};
    double value = whole_number(a, at);
    return a->normalized && a->type <= UNSIGNED_SHORT ? fmax(value / LARGEST[a->type - BYTE], -1.0)
                                                      : value;
}
