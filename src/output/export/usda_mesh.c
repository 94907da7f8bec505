// Writes materials and meshes as text USD. Vertices are shared; normals and texture coordinates
// belong to corners ("faceVarying"), materials to subsets of faces.
#include "base/error.h"
#include "base/memory.h"
#include "math/srgb.h"
#include "output/export/glb_vertices.h"
#include "output/export/json.h"
#include "output/export/usda.h"
#include "output/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Positions have the precision of floats; normals and texture coordinates need less.
enum { POSITION_DIGITS = 9, LOOK_DIGITS = 6 };

void sherd_usda_identifier(const char *name, char to[SHERD_USDA_NAME])
{
    size_t n = 0;
    if (!isalpha((unsigned char)name[0])) to[n++] = '_';
    for (; *name != '\0' && n < SHERD_USDA_NAME - 1; ++name)
        to[n++] = isascii((unsigned char)*name) && isalnum((unsigned char)*name) ? *name : '_';
    to[n] = '\0';
}

static void put_number(sherd_byte_buffer *text, double value, int digits)
{
    char number[SHERD_NUMBER_SIZE];
    sherd_json_raw(text, sherd_number_text(number, value, digits));
}

// "(1, 2, 3)"
static void put_tuple(sherd_byte_buffer *text, const double *values, int count, int digits)
{
    for (int k = 0; k < count; ++k) {
        sherd_json_raw(text, k == 0 ? "(" : ", ");
        put_number(text, values[k], digits);
    }
    sherd_json_raw(text, ")");
}

// ---------------------------------------------------------------- materials

static void put_input(sherd_byte_buffer *text, const char *name, double value)
{
    sherd_json_raw(text, "                float inputs:");
    sherd_json_raw(text, name);
    sherd_json_raw(text, " = ");
    put_number(text, value, LOOK_DIGITS);
    sherd_json_raw(text, "\n");
}

// A shader node that reads a primvar of the mesh, as input of the previous one.
static void put_reader(sherd_byte_buffer *text, const char *name, const char *width,
                       const char *primvar)
{
    char shader[400];
    snprintf(shader, sizeof shader,
             "            def Shader \"%s\"\n            {\n"
             "                uniform token info:id = \"UsdPrimvarReader_%s\"\n"
             "                string inputs:varname = \"%s\"\n"
             "                %s outputs:result\n            }\n",
             name, width, primvar, width);
    sherd_json_raw(text, shader);
}

// The picture, multiplied by the colour.
static void put_picture(sherd_byte_buffer *text, const sherd_animation_material *m,
                        const char *name)
{
    sherd_json_raw(text, "            def Shader \"picture\"\n            {\n"
                         "                uniform token info:id = \"UsdUVTexture\"\n"
                         "                asset inputs:file = @./");
    sherd_json_raw(text, m->picture_name);
    sherd_json_raw(text, "@\n                float4 inputs:scale = ");
    put_tuple(text, (const double[]){m->red, m->green, m->blue, 1.0}, 4, LOOK_DIGITS);
    sherd_json_raw(text, "\n                token inputs:sourceColorSpace = \"sRGB\"\n"
                         "                float2 inputs:st.connect = </run/materials/");
    sherd_json_raw(text, name);
    sherd_json_raw(text, "/place.outputs:result>\n"
                         "                token inputs:wrapS = \"repeat\"\n"
                         "                token inputs:wrapT = \"repeat\"\n"
                         "                float3 outputs:rgb\n            }\n");
    put_reader(text, "place", "float2", "st");
}

static void put_connection(sherd_byte_buffer *text, const char *name, const char *output)
{
    sherd_json_raw(text, "                color3f inputs:diffuseColor.connect = </run/materials/");
    sherd_json_raw(text, name);
    sherd_json_raw(text, output);
    sherd_json_raw(text, ">\n");
}

static void put_material(sherd_byte_buffer *text, const sherd_animation_material *m,
                         const char *name)
{
    char head[3 * SHERD_USDA_NAME + 200];
    snprintf(head, sizeof head,
             "        def Material \"%s\"\n        {\n"
             "            token outputs:surface.connect = "
             "</run/materials/%s/surface.outputs:surface>\n"
             "            def Shader \"surface\"\n            {\n"
             "                uniform token info:id = \"UsdPreviewSurface\"\n",
             name, name);
    sherd_json_raw(text, head);
    sherd_json_raw(text, "                color3f inputs:diffuseColor = ");
    put_tuple(text, (const double[]){m->red, m->green, m->blue}, 3, LOOK_DIGITS);
    sherd_json_raw(text, "\n");
    if (m->picture_name != NULL)
        put_connection(text, name, "/picture.outputs:rgb");
    else if (m->painted)
        put_connection(text, name, "/paint.outputs:result");
    put_input(text, "roughness", m->roughness);
    put_input(text, "metallic", m->metallic);
    put_input(text, "opacity", 1.0 - m->transmission);
    sherd_json_raw(text, "                token outputs:surface\n            }\n");
    if (m->picture_name != NULL)
        put_picture(text, m, name);
    else if (m->painted)
        put_reader(text, "paint", "float3", "displayColor");
    sherd_json_raw(text, "        }\n");
}

// The prim is at /run/materials/NAME.
sherd_status sherd_usda_add_material(sherd_animation *animation, const sherd_animation_material *m,
                                     sherd_error *error)
{
    sherd_usda_file *usda = animation->file;
    int index = animation->material_count;
    if (!sherd_grow((void **)&usda->material_names, &usda->name_capacity, (size_t)index + 1,
                    sizeof *usda->material_names))
        return sherd_fail_memory(error, "usda");
    sherd_usda_identifier(m->name != NULL ? m->name : "material", usda->material_names[index]);
    for (int k = 0; k < index; ++k) {
        if (strcmp(usda->material_names[k], usda->material_names[index]) != 0) continue;
        snprintf(usda->material_names[index], SHERD_USDA_NAME, "material_%d", index);
    }
    put_material(&usda->materials, m, usda->material_names[index]);
    return usda->materials.failed ? sherd_fail_memory(error, "usda") : SHERD_OK;
}

// ---------------------------------------------------------------- meshes

// Starts a list "  TYPE NAME = [".
static void open_list(sherd_byte_buffer *text, const char *declaration)
{
    sherd_json_raw(text, "        ");
    sherd_json_raw(text, declaration);
    sherd_json_raw(text, " = [");
}

static void put_position(sherd_byte_buffer *text, const float p[3])
{
    put_tuple(text, (const double[]){(double)p[0], (double)p[1], (double)p[2]}, 3, POSITION_DIGITS);
}

static void put_points(sherd_byte_buffer *text, const sherd_animation_mesh *mesh)
{
    const double origin[3] = {mesh->origin.x, mesh->origin.y, mesh->origin.z};
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    open_list(text, "point3f[] points");
    for (size_t v = 0; v < (size_t)mesh->vertex_count; ++v) {
        float p[3];
        for (int c = 0; c < 3; ++c) {
            // Volatile because gcc 12 otherwise keeps double precision in some of the values.
            volatile float rounded = (float)(mesh->vertices[3 * v + (size_t)c] - origin[c]);
            p[c] = rounded;
            low[c] = fminf(low[c], p[c]);
            high[c] = fmaxf(high[c], p[c]);
        }
        if (v > 0) sherd_json_raw(text, ", ");
        put_position(text, p);
    }
    sherd_json_raw(text, "]\n");
    open_list(text, "float3[] extent");
    put_position(text, low);
    sherd_json_raw(text, ", ");
    put_position(text, high);
    sherd_json_raw(text, "]\n");
}

static void put_faces(sherd_byte_buffer *text, const sherd_animation_mesh *mesh)
{
    open_list(text, "int[] faceVertexCounts");
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        sherd_json_raw(text, t > 0 ? ", 3" : "3");
    sherd_json_raw(text, "]\n");
    open_list(text, "int[] faceVertexIndices");
    for (size_t k = 0; k < 3 * (size_t)mesh->triangle_count; ++k) {
        if (k > 0) sherd_json_raw(text, ", ");
        sherd_json_integer(text, mesh->triangles[k]);
    }
    sherd_json_raw(text, "]\n");
}

static void put_normals(sherd_byte_buffer *text, const sherd_animation_mesh *mesh,
                        const sherd_corner_fans *fans)
{
    open_list(text, "normal3f[] normals");
    for (size_t k = 0; k < 3 * (size_t)mesh->triangle_count; ++k) {
        double n[3];
        if (mesh->normals != NULL)
            memcpy(n, mesh->normals + 3 * (size_t)mesh->triangles[k], sizeof n);
        else
            sherd_export_corner_normal(fans, (int32_t)(k / 3), (int)(k % 3), n);
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int c = 0; c < 3; ++c)
            n[c] = length > 0.0 ? n[c] / length : c == 2 ? 1.0 : 0.0;
        if (k > 0) sherd_json_raw(text, ", ");
        put_tuple(text, n, 3, LOOK_DIGITS);
    }
    sherd_json_raw(text, "] (\n            interpolation = \"faceVarying\"\n        )\n");
}

// USD's v points up, as Sherd's.
static void put_texture(sherd_byte_buffer *text, const sherd_animation_mesh *mesh,
                        const sherd_corner_fans *fans, double texture_size)
{
    open_list(text, "texCoord2f[] primvars:st");
    for (size_t k = 0; k < 3 * (size_t)mesh->triangle_count; ++k) {
        float uv[2];
        sherd_glb_corner_uv(mesh, fans, (int32_t)(k / 3), (int)(k % 3), texture_size, uv);
        if (k > 0) sherd_json_raw(text, ", ");
        put_tuple(text, (const double[]){(double)uv[0], (double)uv[1]}, 2, LOOK_DIGITS);
    }
    sherd_json_raw(text, "] (\n            interpolation = \"faceVarying\"\n        )\n");
}

// Vertex colours, linear. Broken faces do not use them.
static void put_paint(sherd_byte_buffer *text, const sherd_animation_mesh *mesh)
{
    if (mesh->color == NULL) return;
    open_list(text, "color3f[] primvars:displayColor");
    for (size_t v = 0; v < (size_t)mesh->vertex_count; ++v) {
        double linear[3];
        for (size_t c = 0; c < 3; ++c)
            linear[c] = srgb_to_linear((double)mesh->color[3 * v + c]);
        if (v > 0) sherd_json_raw(text, ", ");
        put_tuple(text, linear, 3, LOOK_DIGITS);
    }
    sherd_json_raw(text, "] (\n            interpolation = \"vertex\"\n        )\n");
}

// Writes the faces of one kind and binds them to their material; nothing if there are none.
static void put_subset(sherd_byte_buffer *text, const sherd_animation_mesh *mesh,
                       sherd_glb_faces faces, const char *name, const char *material)
{
    bool any = false;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        int own = mesh->face_kind != NULL ? mesh->face_kind[t] : SHERD_FACE_OUTER;
        if (own != (int)faces.kind) continue;
        bool grouped = mesh->group != NULL && own == SHERD_FACE_OUTER;
        if (grouped && mesh->group[t] != faces.group) continue;
        if (!any) {
            sherd_json_raw(text, "        def GeomSubset \"");
            sherd_json_raw(text, name);
            sherd_json_raw(text, "\" (\n            prepend apiSchemas = [\"MaterialBindingAPI\"]\n"
                                 "        )\n        {\n"
                                 "            uniform token elementType = \"face\"\n"
                                 "            uniform token familyName = \"materialBind\"\n"
                                 "            int[] indices = [");
        }
        if (any) sherd_json_raw(text, ", ");
        sherd_json_integer(text, t);
        any = true;
    }
    if (!any) return;
    sherd_json_raw(text, "]\n            rel material:binding = </run/materials/");
    sherd_json_raw(text, material);
    sherd_json_raw(text, ">\n        }\n");
}

static bool put_mesh(sherd_byte_buffer *text, const sherd_animation_mesh *mesh, double texture_size,
                     char (*names)[SHERD_USDA_NAME])
{
    sherd_corner_fans fans;
    bool good = sherd_export_corner_fans(&fans, mesh);
    if (good) {
        put_points(text, mesh);
        put_faces(text, mesh);
        put_normals(text, mesh, &fans);
        put_texture(text, mesh, &fans, texture_size);
        put_paint(text, mesh);
        sherd_json_raw(text, "        uniform token orientation = \"rightHanded\"\n"
                             "        uniform token subdivisionScheme = \"none\"\n"
                             "        uniform token subsetFamily:materialBind:familyType = "
                             "\"partition\"\n");
        put_subset(text, mesh, (sherd_glb_faces){SHERD_FACE_OUTER, -1}, "outer",
                   names[mesh->outer_material]);
        for (int32_t g = 0; g < mesh->group_count; ++g) {
            char name[32];
            snprintf(name, sizeof name, "group_%d", (int)g);
            put_subset(text, mesh, (sherd_glb_faces){SHERD_FACE_OUTER, g}, name,
                       names[mesh->group_materials[g]]);
        }
        put_subset(text, mesh, (sherd_glb_faces){SHERD_FACE_INNER, -1}, "inner",
                   names[mesh->inner_material]);
    }
    sherd_corner_fans_release(&fans);
    return good && !text->failed;
}

sherd_byte_buffer *sherd_usda_draft(sherd_usda_file *usda)
{
    usda->draft.size = 0;
    return &usda->draft;
}

sherd_status sherd_usda_end_mesh(sherd_usda_file *u, bool is_points, sherd_error *error)
{
    if (u->draft.failed ||
        !sherd_grow((void **)&u->meshes, &u->mesh_capacity, u->mesh_count + 1, sizeof *u->meshes))
        return sherd_fail_memory(error, "usda");
    u->meshes[u->mesh_count++] =
        (sherd_usda_text){sherd_spool_size(&u->text), (int64_t)u->draft.size, is_points};
    sherd_spool_append(&u->text, u->draft.bytes, u->draft.size);
    return sherd_spool_check(&u->text, "usda", error);
}

sherd_status sherd_usda_add_mesh(sherd_animation *animation, const sherd_animation_mesh *mesh,
                                 sherd_error *error)
{
    sherd_usda_file *usda = animation->file;
    if (!put_mesh(sherd_usda_draft(usda), mesh, animation->texture_size, usda->material_names))
        return sherd_fail_memory(error, "usda");
    return sherd_usda_end_mesh(usda, false, error);
}
