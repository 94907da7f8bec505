// Writes OBJ and MTL.

#include "output/export/obj_write.h"

#include "animation/mesh_faults.h"
#include "base/assertion.h"
#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 256 };

struct sherd_obj {
    sherd_file_writer *writer, *materials;
    int material_count, part_count;
    char (*names)[NAME_SIZE]; // of materials
    size_t name_room;
    int64_t vertex_count, texture_count;
};

// Replaces blanks and '#', which end names in the format.
static void clean_name(const char *name, const char *otherwise, char out[NAME_SIZE])
{
    snprintf(out, NAME_SIZE, "%.200s", name != NULL && name[0] != '\0' ? name : otherwise);
    for (char *c = out; *c != '\0'; ++c)
        if ((unsigned char)*c <= ' ' || *c == '#' || *c == '/' || *c == '\\') *c = '_';
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// PATH with the extension .mtl instead of its own.
static void library_path(const char *path, char *out, size_t size)
{
    size_t length = strlen(path);
    const char *dot = strrchr(file_name(path), '.');
    if (dot != NULL) length = (size_t)(dot - path);
    snprintf(out, size, "%.*s.mtl", (int)length, path);
}

sherd_obj *sherd_obj_create(const char *path, const char *name, sherd_error *error)
{
    char library[4096], object[NAME_SIZE];
    library_path(path, library, sizeof library);
    clean_name(name, "sherd", object);
    sherd_obj *obj = sherd_alloc(1, sizeof *obj);
    if (obj == NULL) {
        sherd_fail_memory(error, path);
        return NULL;
    }
    obj->writer = sherd_file_writer_create(path, error);
    if (obj->writer != NULL) obj->materials = sherd_file_writer_create(library, error);
    if (obj->materials == NULL) {
        sherd_obj_destroy(obj);
        return NULL;
    }
    sherd_file_writer_printf(obj->writer, "# made by Sherd, metres, y up\nmtllib %s\no %s\n",
                             file_name(library), object);
    sherd_file_writer_text(obj->materials, "# made by Sherd\n");
    return obj;
}

void sherd_obj_destroy(sherd_obj *obj)
{
    if (obj == NULL) return;
    sherd_file_writer_abort(obj->writer);
    sherd_file_writer_abort(obj->materials);
    sherd_free(obj->names);
    sherd_free(obj);
}

// ---------------------------------------------------------------- materials

static sherd_status fail_obj(sherd_error *error, const char *where, const char *what)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "%s", what);
}

static bool is_in_unit_range(double value)
{
    return value >= 0.0 && value <= 1.0;
}

static bool name_is_taken(const sherd_obj *obj, const char *name)
{
    for (int k = 0; k < obj->material_count; ++k)
        if (strcmp(obj->names[k], name) == 0) return true;
    return false;
}

// Writes "KEY a b ...
// " with nine digits, which identify floats. The parameters are floats because gcc 12 otherwise
// keeps double precision in some of the values.
static void write_numbers(sherd_file_writer *writer, const char *key, const float *numbers,
                          int count)
{
    char text[SHERD_NUMBER_SIZE];
    sherd_file_writer_text(writer, key);
    for (int k = 0; k < count; ++k) {
        sherd_file_writer_text(writer, " ");
        sherd_file_writer_text(writer, sherd_number_text(text, (double)numbers[k], 9));
    }
    sherd_file_writer_text(writer, "\n");
}

// Phong exponent of a roughness, the inverse of Blender's importer: Ns = 1000 (1 - roughness)^2.
static float shininess(double roughness)
{
    return (float)(1000.0 * (1.0 - roughness) * (1.0 - roughness));
}

int sherd_obj_add_material(sherd_obj *obj, const sherd_obj_material *m, sherd_error *error)
{
    if (!is_in_unit_range(m->red) || !is_in_unit_range(m->green) || !is_in_unit_range(m->blue) ||
        !is_in_unit_range(m->roughness) || !is_in_unit_range(m->opacity) ||
        !is_in_unit_range(m->metal)) {
        fail_obj(error, "obj material",
                 "colours, roughness, opacity and metal must be from 0 to 1");
        return -1;
    }
    if (!sherd_grow((void **)&obj->names, &obj->name_room, (size_t)obj->material_count + 1,
                    sizeof *obj->names)) {
        sherd_fail_memory(error, "obj");
        return -1;
    }
    char name[NAME_SIZE];
    clean_name(m->name, "material", name);
    size_t length = strlen(name);
    for (int k = 2; name_is_taken(obj, name); ++k)
        snprintf(name + length, sizeof name - length, "_%d", k);
    memcpy(obj->names[obj->material_count], name, sizeof name);
    const float color[3] = {(float)m->red, (float)m->green, (float)m->blue};
    const float shine[3] = {0.5f, 0.5f, 0.5f}, exponent = shininess(m->roughness);
    const float opacity = (float)m->opacity, roughness = (float)m->roughness;
    const float metal = (float)m->metal;
    sherd_file_writer_printf(obj->materials, "\nnewmtl %s\n", name);
    write_numbers(obj->materials, "Kd", color, 3);
    write_numbers(obj->materials, "Ks", shine, 3);
    write_numbers(obj->materials, "Ns", &exponent, 1);
    write_numbers(obj->materials, "d", &opacity, 1);
    write_numbers(obj->materials, "Pr", &roughness, 1);
    if (metal > 0.0f) write_numbers(obj->materials, "Pm", &metal, 1);
    if (m->picture != NULL) sherd_file_writer_printf(obj->materials, "map_Kd %s\n", m->picture);
    sherd_file_writer_text(obj->materials, "illum 2\n");
    return obj->material_count++;
}

// ---------------------------------------------------------------- parts

static sherd_status check_part(const sherd_obj *obj, const sherd_obj_part *part, sherd_error *error)
{
    const sherd_material_mesh faces = {
        part->vertex_count, part->vertices,       part->triangle_count,
        part->triangles,    part->outer_material, part->inner_material,
        part->group,        part->group_count,    part->group_materials};
    const char *fault = sherd_mesh_fault(&faces, obj->material_count);
    return fault == NULL ? SHERD_OK : fail_obj(error, "obj part", fault);
}

static void write_places(sherd_obj *obj, const sherd_obj_part *part)
{
    for (size_t v = 0; v < (size_t)part->vertex_count; ++v) {
        const double *p = part->vertices + 3 * v;
        const float y_up[3] = {(float)p[0], (float)p[2], (float)-p[1]}; // as in point caches
        if (part->color != NULL) {
            const float *c = part->color + 3 * v;
            const float painted[6] = {y_up[0], y_up[1], y_up[2], c[0], c[1], c[2]};
            write_numbers(obj->writer, "v", painted, 6);
        } else {
            write_numbers(obj->writer, "v", y_up, 3);
        }
    }
}

// Writes each distinct pair of texture coordinates of a vertex once; number[c] is the index of
// corner c, from 0 within the part. Returns their number, or -1 if memory is short.
static int64_t write_texture(sherd_obj *obj, const sherd_obj_part *part, int32_t *number)
{
    size_t corners = 3 * (size_t)part->triangle_count;
    int32_t *last = sherd_alloc((size_t)part->vertex_count, sizeof *last); // corner, from 1
    int32_t *before = sherd_alloc(corners, sizeof *before); // the vertex's earlier one, from 1
    int64_t count = last != NULL && before != NULL ? 0 : -1;
    for (size_t c = 0; c < corners && count >= 0; ++c) {
        int32_t vertex = part->triangles[c], same = last[vertex];
        while (same > 0 && memcmp(part->uv + 2 * c, part->uv + 2 * (same - 1), 8) != 0)
            same = before[same - 1];
        if (same > 0) {
            number[c] = number[same - 1];
            continue;
        }
        write_numbers(obj->writer, "vt", part->uv + 2 * c, 2);
        number[c] = (int32_t)count++;
        before[c] = last[vertex];
        last[vertex] = (int32_t)c + 1;
    }
    sherd_free(last);
    sherd_free(before);
    return count;
}

// `group`: group of outer faces, -1 for those without a group.
static bool of_kind(const sherd_obj_part *part, size_t triangle, sherd_face_kind kind,
                    int32_t group)
{
    bool inner = part->face_kind != NULL && part->face_kind[triangle] == SHERD_FACE_INNER;
    if (inner != (kind == SHERD_FACE_INNER)) return false;
    return inner || part->group == NULL || part->group[triangle] == group;
}

static void write_face(sherd_obj *obj, const sherd_obj_part *part, const int32_t *texture,
                       size_t triangle)
{
    sherd_file_writer_text(obj->writer, "f");
    for (size_t c = 3 * triangle; c < 3 * triangle + 3; ++c) {
        long long vertex = (long long)(obj->vertex_count + part->triangles[c] + 1);
        if (texture != NULL)
            sherd_file_writer_printf(obj->writer, " %lld/%lld", vertex,
                                     (long long)(obj->texture_count + texture[c] + 1));
        else
            sherd_file_writer_printf(obj->writer, " %lld", vertex);
    }
    sherd_file_writer_text(obj->writer, "\n");
}

// Smoothing groups keep the edge between outer and inner faces sharp in programs that support them.
static void write_kind(sherd_obj *obj, const sherd_obj_part *part, const int32_t *texture,
                       sherd_face_kind kind, int32_t group)
{
    bool begun = false;
    int material = kind == SHERD_FACE_INNER ? part->inner_material
                   : group >= 0             ? part->group_materials[group]
                                            : part->outer_material;
    for (size_t t = 0; t < (size_t)part->triangle_count; ++t) {
        if (!of_kind(part, t, kind, group)) continue;
        if (!begun)
            sherd_file_writer_printf(obj->writer, "usemtl %s\ns %d\n", obj->names[material],
                                     kind == SHERD_FACE_OUTER ? 1 : 2);
        begun = true;
        write_face(obj, part, texture, t);
    }
}

int sherd_obj_add_part(sherd_obj *obj, const sherd_obj_part *part, sherd_error *error)
{
    SHERD_ASSERT(obj->writer != NULL, "parts are added to an OBJ that is open");
    if (check_part(obj, part, error) != SHERD_OK) return -1;
    char name[NAME_SIZE];
    clean_name(part->name, "part", name);
    sherd_file_writer_printf(obj->writer, "g %s\n", name);
    write_places(obj, part);
    int32_t *texture = NULL;
    int64_t texture_count = 0;
    if (part->uv != NULL) {
        texture = sherd_alloc(3 * (size_t)part->triangle_count, sizeof *texture);
        texture_count = texture != NULL ? write_texture(obj, part, texture) : -1;
    }
    if (texture_count >= 0) {
        for (int32_t g = -1; g < part->group_count; ++g)
            write_kind(obj, part, texture, SHERD_FACE_OUTER, g);
        write_kind(obj, part, texture, SHERD_FACE_INNER, -1);
        obj->vertex_count += part->vertex_count;
        obj->texture_count += texture_count;
    }
    sherd_free(texture);
    if (texture_count >= 0) return obj->part_count++;
    sherd_fail_memory(error, "obj");
    return -1;
}

int64_t sherd_obj_vertex_count(const sherd_obj *obj)
{
    return obj->vertex_count;
}

sherd_status sherd_obj_write(sherd_obj *obj, sherd_error *error)
{
    SHERD_ASSERT(obj->writer != NULL && obj->materials != NULL, "an OBJ is written once");
    sherd_status status = sherd_file_writer_commit(obj->materials, error);
    obj->materials = NULL;
    if (status != SHERD_OK) return status;
    status = sherd_file_writer_commit(obj->writer, error);
    obj->writer = NULL;
    return status;
}
