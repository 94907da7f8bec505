#include "output/usd/usd_scene.h"

#include "base/assertion.h"

#include <string.h>

// Numbers of stored types are those of openusd.org, pxr/usd/sdf/crateDataTypes.h.
static const sherd_usd_type TYPES[] = {
    {"token", SHERD_USD_TOKEN, 1, false, 11},      {"string", SHERD_USD_STRING, 1, false, 10},
    {"asset", SHERD_USD_ASSET, 1, false, 12},      {"int", SHERD_USD_INT, 1, false, 3},
    {"int64", SHERD_USD_INT64, 1, false, 5},       {"float", SHERD_USD_FLOAT, 1, false, 8},
    {"double", SHERD_USD_DOUBLE, 1, false, 9},     {"float2", SHERD_USD_FLOAT, 2, false, 20},
    {"texCoord2f", SHERD_USD_FLOAT, 2, false, 20}, {"float3", SHERD_USD_FLOAT, 3, false, 24},
    {"point3f", SHERD_USD_FLOAT, 3, false, 24},    {"vector3f", SHERD_USD_FLOAT, 3, false, 24},
    {"normal3f", SHERD_USD_FLOAT, 3, false, 24},   {"color3f", SHERD_USD_FLOAT, 3, false, 24},
    {"float4", SHERD_USD_FLOAT, 4, false, 28},     {"double3", SHERD_USD_DOUBLE, 3, false, 23},
    {"quatf", SHERD_USD_FLOAT, 4, true, 17},       {"quath", SHERD_USD_HALF, 4, true, 18},
};

const sherd_usd_type *sherd_usd_type_find(const char *name, bool *array)
{
    size_t length = strcspn(name, "[");
    *array = name[length] != '\0';
    for (size_t k = 0; k < sizeof TYPES / sizeof TYPES[0]; ++k)
        if (strlen(TYPES[k].name) == length && memcmp(TYPES[k].name, name, length) == 0)
            return &TYPES[k];
    SHERD_ASSERT(false, "attributes have types of the table");
    return &TYPES[0];
}

size_t sherd_usd_type_size(const sherd_usd_type *type)
{
    size_t width = (size_t)type->width;
    switch (type->storage) {
    case SHERD_USD_TOKEN:
    case SHERD_USD_STRING:
    case SHERD_USD_ASSET:
        return sizeof(const char *);
    case SHERD_USD_INT:
        return sizeof(int32_t);
    case SHERD_USD_INT64:
        return sizeof(int64_t);
    case SHERD_USD_DOUBLE:
        return width * sizeof(double);
    case SHERD_USD_FLOAT:
    case SHERD_USD_HALF:
        break;
    }
    return width * sizeof(float);
}

static void put(const sherd_usd_output *out, const sherd_usd_attribute *attribute)
{
    out->encoding->attribute(out->file, attribute);
}

void sherd_usd_put(const sherd_usd_output *out, const char *type, const char *name, size_t count,
                   const void *data)
{
    put(out, &(sherd_usd_attribute){.type = type, .name = name, .value = {count, data}});
}

void sherd_usd_put_uniform(const sherd_usd_output *out, const char *type, const char *name,
                           size_t count, const void *data)
{
    put(out, &(sherd_usd_attribute){
                 .type = type, .name = name, .uniform = true, .value = {count, data}});
}

void sherd_usd_put_text(const sherd_usd_output *out, const char *type, const char *name,
                        const char *text)
{
    sherd_usd_put(out, type, name, 1, &text);
}

void sherd_usd_put_primvar(const sherd_usd_output *out, const char *type, const char *name,
                           const char *interpolation, size_t count, const void *data)
{
    put(out,
        &(sherd_usd_attribute){
            .type = type, .name = name, .interpolation = interpolation, .value = {count, data}});
}
