#include "output/mesh_file/gltf_materials.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *own_name(const gltf_document *d, int64_t material)
{
    const char *name =
        json_string_value(json_object_get(sherd_gltf_item(d, "materials", material), "name"));
    return name != NULL ? name : "";
}

void sherd_gltf_group_name(const gltf_document *d, int64_t material, char name[SHERD_GLTF_NAME])
{
    name[0] = '\0';
    if (sherd_gltf_item(d, "materials", material) == NULL) return;
    const char *own = own_name(d, material);
    if (own[0] == '\0')
        snprintf(name, SHERD_GLTF_NAME, "material_%lld", (long long)material);
    else if (d->name_is_taken[material])
        snprintf(name, SHERD_GLTF_NAME, "%.200s_%lld", own, (long long)material);
    else
        snprintf(name, SHERD_GLTF_NAME, "%.200s", own);
}

static double clamp_to_unit(double value)
{
    return value > 0.0 ? fmin(value, 1.0) : 0.0;
}

// A number in an object, or `otherwise` if it is missing.
static double number(const json_t *object, const char *key, double otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

// Red, green, blue, alpha.
static void base_factor(const json_t *base, double factor[4])
{
    const json_t *list = json_object_get(base, "baseColorFactor");
    for (size_t k = 0; k < 4; ++k)
        factor[k] = json_array_size(list) == 4
                        ? clamp_to_unit(json_number_value(json_array_get(list, k)))
                        : 1.0;
}

static const json_t *base_of(const gltf_document *d, int64_t material)
{
    return json_object_get(sherd_gltf_item(d, "materials", material), "pbrMetallicRoughness");
}

void sherd_gltf_base_color(const gltf_document *d, int64_t material, double color[3])
{
    double factor[4];
    base_factor(base_of(d, material), factor);
    memcpy(color, factor, 3 * sizeof *color);
}

// ---------------------------------------------------------------- pictures

// Limit the total: overlapping views could expand a file many times.
static bool copy_view(const gltf_document *d, int64_t index, const sherd_mesh_builder *builder,
                      gltf_buffer *out)
{
    gltf_buffer view;
    int64_t stride;
    size_t retained = 0;
    if (!sherd_gltf_find_view(d, index, &view, &stride) || view.size == 0) return false;
    for (size_t k = 0; k < builder->picture_count; ++k)
        if (builder->picture_sources[k].device == 0) retained += builder->pictures[k].size;
    if (retained > d->size || view.size > d->size - retained) return false;
    out->owned = sherd_alloc(view.size, 1);
    if (out->owned == NULL) return false;
    memcpy(out->owned, view.bytes, view.size);
    out->size = view.size;
    return true;
}

// Identifies data in the document: images with embedded data are numbered from 0, then buffer
// views.
static sherd_picture_source source_of(const gltf_document *d, int64_t image, const char *uri,
                                      int64_t view)
{
    sherd_picture_source source = {0, (uint64_t)image};
    if (uri == NULL)
        source.number = json_array_size(json_object_get(d->root, "images")) + (uint64_t)view;
    else
        sherd_gltf_find_file(d, uri, &source);
    return source;
}

// -1 with a note if the picture is not available.
static int32_t read_picture(const gltf_document *d, int64_t image, sherd_mesh_builder *builder)
{
    const json_t *json = sherd_gltf_item(d, "images", image);
    const char *uri = json_string_value(json_object_get(json, "uri")), *path = d->source->path;
    int64_t view = sherd_gltf_integer(json, "bufferView", -1);
    sherd_picture_source source = source_of(d, image, uri, view);
    int32_t known = sherd_mesh_builder_find_picture(builder, source);
    if (known >= 0 || d->image_is_bad[image]) return known;
    char name[SHERD_ERROR_TEXT_SIZE];
    snprintf(name, sizeof name, "%.200s: images[%lld]", path, (long long)image);
    gltf_buffer bytes = {0};
    sherd_error error = {.status = SHERD_OK};
    bool good = uri != NULL ? sherd_gltf_read_uri(d, uri, &bytes, &error) == SHERD_OK
                            : copy_view(d, view, builder, &bytes);
    if (good) return sherd_mesh_builder_add_picture(builder, name, source, bytes.owned, bytes.size);
    sherd_free(bytes.owned);
    d->image_is_bad[image] = 1; // do not retry for every material
    sherd_mesh_builder_note(builder, name, "%s: the plain colour stays",
                            error.status != SHERD_OK ? error.what : "lies beyond its buffer");
    return -1;
}

static int32_t base_picture(const gltf_document *d, const json_t *base, sherd_mesh_builder *builder)
{
    const json_t *link = json_object_get(base, "baseColorTexture");
    if (link == NULL) return -1;
    const json_t *texture = sherd_gltf_item(d, "textures", sherd_gltf_integer(link, "index", -1));
    int64_t image = sherd_gltf_integer(texture, "source", -1);
    if (sherd_gltf_item(d, "images", image) != NULL && sherd_gltf_integer(link, "texCoord", 0) == 0)
        return read_picture(d, image, builder);
    sherd_mesh_builder_note(builder, d->source->path,
                            "a picture of base colours is by a second set of coordinates, or of no "
                            "plain kind: the plain colour stays");
    return -1;
}

// ---------------------------------------------------------------- all of them

// If a texture varies metallic and roughness over the surface, their factors alone are meaningless.
static void describe(const gltf_document *d, int64_t index, sherd_mesh_builder *builder,
                     sherd_mesh_material *out)
{
    const json_t *material = sherd_gltf_item(d, "materials", index), *base = base_of(d, index);
    const json_t *transmission =
        json_object_get(json_object_get(material, "extensions"), "KHR_materials_transmission");
    const char *alpha = json_string_value(json_object_get(material, "alphaMode"));
    double factor[4];
    base_factor(base, factor);
    for (int k = 0; k < 3; ++k)
        out->color[k] = (float)factor[k];
    if (json_object_get(base, "metallicRoughnessTexture") == NULL) {
        out->roughness = (float)clamp_to_unit(number(base, "roughnessFactor", 1.0));
        out->metal = (float)clamp_to_unit(number(base, "metallicFactor", 1.0));
    }
    out->opacity = alpha != NULL && strcmp(alpha, "BLEND") == 0 ? (float)factor[3] : 1.0f;
    out->opacity *= 1.0f - (float)clamp_to_unit(number(transmission, "transmissionFactor", 0.0));
    out->picture = base_picture(d, base, builder);
}

void sherd_gltf_read_materials(const gltf_document *d, sherd_mesh_builder *builder)
{
    int64_t count = (int64_t)json_array_size(json_object_get(d->root, "materials"));
    for (int64_t k = 0; k < count; ++k) {
        char name[SHERD_GLTF_NAME];
        sherd_gltf_group_name(d, k, name);
        sherd_mesh_material *material = sherd_mesh_builder_material(builder, name, strlen(name));
        if (material != NULL) describe(d, k, builder, material);
    }
}
