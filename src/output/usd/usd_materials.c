// Materials: UsdPreviewSurface, with a picture or the meshes' vertex colours as its colour.
#include "base/error.h"
#include "base/memory.h"
#include "output/usd/usd_animation.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void sherd_usd_identifier(const char *name, char to[SHERD_USD_NAME])
{
    size_t n = 0;
    if (!isalpha((unsigned char)name[0])) to[n++] = '_';
    for (; *name != '\0' && n < SHERD_USD_NAME - 1; ++name)
        to[n++] = isascii((unsigned char)*name) && isalnum((unsigned char)*name) ? *name : '_';
    to[n] = '\0';
}

void sherd_usd_material_path(const char *name, char to[SHERD_USD_NAME + 16])
{
    snprintf(to, SHERD_USD_NAME + 16, "/run/materials/%s", name);
}

enum { PATH_SIZE = SHERD_USD_NAME + 64 };

static void begin(const sherd_usd_output *out, const char *type, const char *name)
{
    out->encoding->begin(out->file, &(sherd_usd_prim){.type = type, .name = name});
}

static void end(const sherd_usd_output *out)
{
    out->encoding->end(out->file);
}

// An output of a shader.
static void declare(const sherd_usd_output *out, const char *type, const char *name)
{
    sherd_usd_put(out, type, name, 1, NULL);
}

// `to` is below the material: "/surface.outputs:surface".
static void connect(const sherd_usd_output *out, const char *type, const char *name,
                    const float *value, const char *material, const char *to)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "/run/materials/%s%s", material, to);
    const sherd_usd_attribute input = {
        .type = type, .name = name, .value = {1, value}, .connection = path};
    out->encoding->attribute(out->file, &input);
}

static void put_shader_id(const sherd_usd_output *out, const char *id)
{
    sherd_usd_put_uniform(out, "token", "info:id", 1, &id);
}

// A shader that reads a primvar of the mesh.
static void put_reader(const sherd_usd_output *out, const char *name, const char *width,
                       const char *primvar)
{
    char id[40];
    snprintf(id, sizeof id, "UsdPrimvarReader_%s", width);
    begin(out, "Shader", name);
    put_shader_id(out, id);
    sherd_usd_put_text(out, "string", "inputs:varname", primvar);
    declare(out, width, "outputs:result");
    end(out);
}

// The picture, multiplied by the colour.
static void put_picture(const sherd_usd_output *out, const sherd_animation_material *m,
                        const char *material)
{
    char file[PATH_SIZE];
    const float scale[4] = {(float)m->red, (float)m->green, (float)m->blue, 1.0f};
    snprintf(file, sizeof file, "./%s", m->picture_name);
    begin(out, "Shader", "picture");
    put_shader_id(out, "UsdUVTexture");
    sherd_usd_put_text(out, "asset", "inputs:file", file);
    sherd_usd_put(out, "float4", "inputs:scale", 1, scale);
    sherd_usd_put_text(out, "token", "inputs:sourceColorSpace", "sRGB");
    connect(out, "float2", "inputs:st", NULL, material, "/place.outputs:result");
    sherd_usd_put_text(out, "token", "inputs:wrapS", "repeat");
    sherd_usd_put_text(out, "token", "inputs:wrapT", "repeat");
    declare(out, "float3", "outputs:rgb");
    end(out);
    put_reader(out, "place", "float2", "st");
}

static void put_surface(const sherd_usd_output *out, const sherd_animation_material *m,
                        const char *material)
{
    const float color[3] = {(float)m->red, (float)m->green, (float)m->blue};
    const float roughness = (float)m->roughness, metallic = (float)m->metallic,
                opacity = (float)(1.0 - m->transmission);
    begin(out, "Shader", "surface");
    put_shader_id(out, "UsdPreviewSurface");
    if (m->picture_name != NULL || m->painted)
        connect(out, "color3f", "inputs:diffuseColor", color, material,
                m->picture_name != NULL ? "/picture.outputs:rgb" : "/paint.outputs:result");
    else
        sherd_usd_put(out, "color3f", "inputs:diffuseColor", 1, color);
    sherd_usd_put(out, "float", "inputs:roughness", 1, &roughness);
    sherd_usd_put(out, "float", "inputs:metallic", 1, &metallic);
    sherd_usd_put(out, "float", "inputs:opacity", 1, &opacity);
    declare(out, "token", "outputs:surface");
    end(out);
}

static void put_material(const sherd_usd_output *out, const sherd_animation_material *m,
                         const char *name)
{
    begin(out, "Material", name);
    connect(out, "token", "outputs:surface", NULL, name, "/surface.outputs:surface");
    put_surface(out, m, name);
    if (m->picture_name != NULL)
        put_picture(out, m, name);
    else if (m->painted)
        put_reader(out, "paint", "float3", "displayColor");
    end(out);
}

sherd_status sherd_usd_add_material(sherd_animation *animation, const sherd_animation_material *m,
                                    sherd_error *error)
{
    sherd_usd_file *usd = animation->file;
    size_t index = (size_t)animation->material_count;
    if (!sherd_grow((void **)&usd->material_names, &usd->material_capacity, index + 1,
                    sizeof *usd->material_names))
        return sherd_fail_memory(error, "usd");
    char *name = usd->material_names[index];
    sherd_usd_identifier(m->name != NULL ? m->name : "material", name);
    for (size_t k = 0; k < index; ++k) {
        if (strcmp(usd->material_names[k], name) != 0) continue;
        snprintf(name, SHERD_USD_NAME, "material_%zu", index);
    }
    put_material(&(sherd_usd_output){&sherd_usd_recorder, &usd->materials}, m, name);
    return usd->materials.failed ? sherd_fail_memory(error, "usd") : SHERD_OK;
}
