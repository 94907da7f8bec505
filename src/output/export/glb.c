#include <sherd/export_glb.h>

#include "base/error.h"
#include "base/memory.h"
#include "output/export/glb_build.h"
#include "output/export/glb_split.h"
#include "output/export/icosphere.h"
#include "output/export/json.h"
#include "output/export/usda.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static sherd_status fail_glb(sherd_error *error, const char *where, const char *what)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "%s", what);
}

// ---------------------------------------------------------------- life

static sherd_status check_def(const sherd_glb_def *def, sherd_error *error)
{
    if (def->frame_count < 1 || def->times == NULL)
        return fail_glb(error, "glb.frame_count", "there must be at least one frame");
    if (!(def->texture_size > 0.0) || !isfinite(def->texture_size))
        return fail_glb(error, "glb.texture_size", "must be > 0");
    for (int64_t k = 0; k < def->frame_count; ++k) {
        bool ascends =
            k == 0 ? def->times[k] >= 0.0 : (float)def->times[k] > (float)def->times[k - 1];
        if (!ascends || !isfinite(def->times[k]))
            return fail_glb(error, "glb.times", "must be finite, >= 0 and ascend");
    }
    return SHERD_OK;
}

sherd_glb *sherd_glb_create(const sherd_glb_def *def, sherd_error *error)
{
    if (check_def(def, error) != SHERD_OK) return NULL;
    sherd_glb *glb = sherd_alloc(1, sizeof *glb);
    if (glb == NULL) {
        sherd_fail_memory(error, "glb");
        return NULL;
    }
    glb->name = sherd_string_copy(def->name != NULL ? def->name : "Sherd");
    glb->format = def->format;
    glb->frame_count = def->frame_count;
    glb->texture_size = def->texture_size;
    glb->times = sherd_alloc((size_t)def->frame_count, sizeof *glb->times);
    if (glb->name == NULL || glb->times == NULL) {
        sherd_glb_destroy(glb);
        sherd_fail_memory(error, "glb");
        return NULL;
    }
    for (int64_t k = 0; k < def->frame_count; ++k)
        glb->times[k] = (float)def->times[k];
    return glb;
}

void sherd_glb_destroy(sherd_glb *glb)
{
    if (glb == NULL) return;
    for (int k = 0; k < SHERD_GLB_ANIMATION; ++k)
        sherd_byte_buffer_free(&glb->data[k]);
    for (int k = 0; k < glb->node_count; ++k) {
        sherd_free((char *)glb->nodes[k].piece.name);
        sherd_free(glb->nodes[k].poses);
    }
    for (int k = 0; k < glb->mesh_count && glb->usda.meshes != NULL; ++k)
        sherd_byte_buffer_free(&glb->usda.meshes[k]);
    sherd_byte_buffer_free(&glb->usda.materials);
    sherd_free(glb->usda.meshes);
    sherd_free(glb->usda.is_points);
    sherd_free(glb->usda.material_names);
    sherd_byte_buffer_free(&glb->materials);
    sherd_byte_buffer_free(&glb->pictures.bytes);
    sherd_free(glb->pictures.items);
    sherd_byte_buffer_free(&glb->meshes);
    sherd_free(glb->accessors.items);
    sherd_free(glb->nodes);
    sherd_free(glb->times);
    sherd_free(glb->name);
    sherd_free(glb);
}

// ---------------------------------------------------------------- materials

static bool is_share(double value)
{
    return value >= 0.0 && value <= 1.0;
}

static int add_usda_material(sherd_glb *glb, const sherd_glb_material *m, sherd_error *error)
{
    sherd_glb_usda *usda = &glb->usda;
    int index = glb->material_count;
    if (!sherd_grow((void **)&usda->material_names, &usda->name_capacity, (size_t)index + 1,
                    sizeof *usda->material_names)) {
        sherd_fail_memory(error, "usda");
        return -1;
    }
    sherd_usda_identifier(m->name != NULL ? m->name : "material", usda->material_names[index]);
    for (int k = 0; k < index; ++k) {
        if (strcmp(usda->material_names[k], usda->material_names[index]) != 0) continue;
        snprintf(usda->material_names[index], SHERD_USDA_NAME, "material_%d", index);
    }
    sherd_usda_put_material(&usda->materials, m, usda->material_names[index]);
    if (usda->materials.failed) {
        sherd_fail_memory(error, "usda");
        return -1;
    }
    return glb->material_count++;
}

// The number of a material's picture; -1: it has none, or memory is short.
static int add_picture(sherd_glb *glb, const sherd_glb_material *m)
{
    sherd_glb_pictures *p = &glb->pictures;
    if (m->picture == NULL) return -1;
    for (int k = 0; k < p->count; ++k)
        if (p->items[k].source == m->picture && p->items[k].size == m->picture_size) return k;
    if (!sherd_grow((void **)&p->items, &p->capacity, (size_t)p->count + 1, sizeof *p->items)) {
        glb->materials.failed = true;
        return -1;
    }
    p->items[p->count] = (struct sherd_glb_picture){m->picture, p->bytes.size, m->picture_size};
    sherd_byte_buffer_append(&p->bytes, m->picture, m->picture_size);
    while (!p->bytes.failed && p->bytes.size % 4 != 0)
        sherd_byte_buffer_append(&p->bytes, "", 1);
    if (p->bytes.failed) glb->materials.failed = true;
    return p->count++;
}

int sherd_glb_add_material(sherd_glb *glb, const sherd_glb_material *m, sherd_error *error)
{
    if (!is_share(m->red) || !is_share(m->green) || !is_share(m->blue) || !is_share(m->roughness) ||
        !is_share(m->metallic) || !is_share(m->transmission)) {
        fail_glb(error, "glb material",
                 "colours, roughness, metallic and transmission must be from 0 to 1");
        return -1;
    }
    if (glb->format == SHERD_GLB_USDA) return add_usda_material(glb, m, error);
    sherd_byte_buffer *json = &glb->materials;
    sherd_json_separate(json);
    sherd_json_raw(json, "{");
    sherd_json_key(json, "name");
    sherd_json_string(json, m->name != NULL ? m->name : "material");
    sherd_json_raw(json, ",\"pbrMetallicRoughness\":{\"baseColorFactor\":[");
    const double colour[] = {m->red, m->green, m->blue, 1.0};
    for (int k = 0; k < 4; ++k) {
        sherd_json_separate(json);
        sherd_json_number(json, colour[k]);
    }
    sherd_json_raw(json, "]");
    int picture = add_picture(glb, m);
    if (picture >= 0) {
        sherd_json_raw(json, ",\"baseColorTexture\":{\"index\":");
        sherd_json_integer(json, picture);
        sherd_json_raw(json, "}");
    }
    sherd_json_raw(json, ",\"metallicFactor\":");
    sherd_json_number(json, m->metallic);
    sherd_json_raw(json, ",\"roughnessFactor\":");
    sherd_json_number(json, m->roughness);
    sherd_json_raw(json, "}");
    if (m->transmission > 0.0) {
        glb->transmits = true;
        sherd_json_raw(json, ",\"extensions\":{\"KHR_materials_transmission\":{"
                             "\"transmissionFactor\":");
        sherd_json_number(json, m->transmission);
        sherd_json_raw(json, "}}");
    }
    sherd_json_raw(json, "}");
    if (json->failed) {
        sherd_fail_memory(error, "glb");
        return -1;
    }
    return glb->material_count++;
}

// ---------------------------------------------------------------- meshes

int sherd_glb_add_accessor(sherd_glb_accessors *accessors, const sherd_glb_accessor *accessor)
{
    if (accessors->failed || !sherd_grow((void **)&accessors->items, &accessors->capacity,
                                         accessors->count + 1, sizeof *accessors->items)) {
        accessors->failed = true;
        return 0;
    }
    accessors->items[accessors->count] = *accessor;
    return (int)accessors->count++;
}

static sherd_status check_mesh(const sherd_glb *glb, const sherd_glb_mesh *mesh, sherd_error *error)
{
    if (mesh->triangle_count < 1 || mesh->vertex_count < 1 || mesh->vertex_count > INT_MAX / 9)
        return fail_glb(error, "glb mesh", "a mesh needs triangles, and no more than 200 million");
    if (mesh->outer_material < 0 || mesh->outer_material >= glb->material_count ||
        mesh->inner_material < 0 || mesh->inner_material >= glb->material_count)
        return fail_glb(error, "glb mesh", "its material does not exist");
    for (int32_t g = 0; g < mesh->group_count; ++g)
        if (mesh->group_materials[g] < 0 || mesh->group_materials[g] >= glb->material_count)
            return fail_glb(error, "glb mesh", "a group's material does not exist");
    for (int32_t t = 0; mesh->group != NULL && t < mesh->triangle_count; ++t)
        if (mesh->group[t] < -1 || mesh->group[t] >= mesh->group_count)
            return fail_glb(error, "glb mesh", "a triangle is in a group that does not exist");
    for (size_t k = 0; k < 3 * (size_t)mesh->triangle_count; ++k)
        if (mesh->triangles[k] < 0 || mesh->triangles[k] >= mesh->vertex_count)
            return fail_glb(error, "glb mesh", "a triangle has a corner that does not exist");
    for (size_t k = 0; k < 3 * (size_t)mesh->vertex_count; ++k)
        if (!isfinite(mesh->vertices[k]))
            return fail_glb(error, "glb mesh", "a vertex is not a number");
    return SHERD_OK;
}

int sherd_glb_add_floats(sherd_glb *glb, sherd_glb_view view, const float *items, int64_t count,
                         int components)
{
    sherd_glb_accessor accessor = {
        .view = view, .offset = glb->data[view].size, .count = count, .components = components};
    sherd_byte_buffer_append(&glb->data[view], items,
                             sizeof *items * (size_t)components * (size_t)count);
    return sherd_glb_add_accessor(&glb->accessors, &accessor);
}

static int add_fragment(sherd_glb *glb, sherd_fragment_id fragment, int64_t count)
{
    float value = (float)fragment; // exact up to 16 million
    sherd_glb_accessor accessor = {.view = SHERD_GLB_FRAGMENT,
                                   .offset = glb->data[SHERD_GLB_FRAGMENT].size,
                                   .count = count,
                                   .components = 1};
    for (int64_t k = 0; k < count; ++k)
        sherd_byte_buffer_append(&glb->data[SHERD_GLB_FRAGMENT], &value, sizeof value);
    return sherd_glb_add_accessor(&glb->accessors, &accessor);
}

// Small meshes get 16-bit indices. 65535 is left out: it means a restart to graphics hardware.
static int add_indices(sherd_glb *glb, const sherd_glb_vertices *v)
{
    sherd_byte_buffer *data = &glb->data[SHERD_GLB_INDEX];
    bool small = v->vertex_count <= UINT16_MAX;
    int64_t count = 3 * (int64_t)v->triangle_count;
    sherd_glb_accessor accessor = {.view = SHERD_GLB_INDEX,
                                   .offset = data->size,
                                   .count = count,
                                   .components = 1,
                                   .number = small ? SHERD_GLB_UINT16 : SHERD_GLB_UINT32};
    if (!small) sherd_byte_buffer_append(data, v->indices, sizeof *v->indices * (size_t)count);
    for (int64_t k = 0; small && k < count; ++k) {
        uint16_t index = (uint16_t)v->indices[k];
        sherd_byte_buffer_append(data, &index, sizeof index);
    }
    const uint16_t padding = 0; // runs start at whole words
    if (small && count % 2 != 0) sherd_byte_buffer_append(data, &padding, sizeof padding);
    return sherd_glb_add_accessor(&glb->accessors, &accessor);
}

static void put_reference(sherd_byte_buffer *json, const char *name, int index)
{
    sherd_json_key(json, name);
    sherd_json_integer(json, index);
}

static void add_primitive(sherd_glb *glb, const sherd_glb_vertices *v, sherd_fragment_id fragment,
                          int material)
{
    sherd_byte_buffer *json = &glb->meshes;
    int position = sherd_glb_add_floats(glb, SHERD_GLB_POSITION, v->positions, v->vertex_count, 3);
    if (!glb->accessors.failed) {
        sherd_glb_accessor *accessor = &glb->accessors.items[position];
        accessor->bounded = true;
        memcpy(accessor->low, v->low, sizeof v->low);
        memcpy(accessor->high, v->high, sizeof v->high);
    }
    sherd_json_separate(json);
    sherd_json_raw(json, "{\"attributes\":{");
    put_reference(json, "POSITION", position);
    put_reference(json, "NORMAL",
                  sherd_glb_add_floats(glb, SHERD_GLB_NORMAL, v->normals, v->vertex_count, 3));
    put_reference(json, "TEXCOORD_0",
                  sherd_glb_add_floats(glb, SHERD_GLB_TEXTURE, v->texture, v->vertex_count, 2));
    if (v->color != NULL)
        put_reference(json, "COLOR_0",
                      sherd_glb_add_floats(glb, SHERD_GLB_COLOR, v->color, v->vertex_count, 3));
    if (fragment != 0)
        put_reference(json, "_FRAGMENT", add_fragment(glb, fragment, v->vertex_count));
    sherd_json_raw(json, "}");
    put_reference(json, "indices", add_indices(glb, v));
    put_reference(json, "material", material);
    sherd_json_raw(json, "}");
}

static bool has_memory(const sherd_glb *glb)
{
    bool failed = glb->meshes.failed || glb->materials.failed || glb->accessors.failed;
    for (int k = 0; k < SHERD_GLB_ANIMATION; ++k)
        failed = failed || glb->data[k].failed;
    return !failed;
}

sherd_byte_buffer *sherd_usda_new_mesh(sherd_glb *glb, bool is_points)
{
    sherd_glb_usda *usda = &glb->usda;
    size_t count = (size_t)glb->mesh_count + 1;
    if (!sherd_grow((void **)&usda->meshes, &usda->mesh_capacity, count, sizeof *usda->meshes) ||
        !sherd_grow((void **)&usda->is_points, &usda->points_capacity, count,
                    sizeof *usda->is_points))
        return NULL;
    usda->is_points[glb->mesh_count] = is_points;
    sherd_byte_buffer *text = &usda->meshes[glb->mesh_count++];
    *text = (sherd_byte_buffer){0};
    return text;
}

static int add_usda_mesh(sherd_glb *glb, const sherd_glb_mesh *mesh, sherd_error *error)
{
    sherd_byte_buffer *text = sherd_usda_new_mesh(glb, false);
    if (text == NULL ||
        !sherd_usda_put_mesh(text, mesh, glb->texture_size, glb->usda.material_names)) {
        sherd_fail_memory(error, "usda");
        return -1;
    }
    return glb->mesh_count - 1;
}

// A primitive, if there are such faces. False when memory is short.
static bool add_faces(sherd_glb *glb, const sherd_glb_mesh *mesh, sherd_glb_faces faces,
                      int material)
{
    sherd_glb_vertices vertices;
    bool room = sherd_glb_split(&vertices, mesh, faces, glb->texture_size);
    if (room && vertices.triangle_count > 0)
        add_primitive(glb, &vertices, mesh->fragment, material);
    sherd_glb_vertices_free(&vertices);
    return room;
}

int sherd_glb_add_mesh(sherd_glb *glb, const sherd_glb_mesh *mesh, sherd_error *error)
{
    if (check_mesh(glb, mesh, error) != SHERD_OK) return -1;
    if (glb->format == SHERD_GLB_USDA) return add_usda_mesh(glb, mesh, error);
    sherd_json_separate(&glb->meshes);
    sherd_json_raw(&glb->meshes, "{\"name\":");
    sherd_json_string(&glb->meshes, mesh->name != NULL ? mesh->name : "mesh");
    sherd_json_raw(&glb->meshes, ",\"primitives\":[");
    bool room = true;
    for (int32_t g = -1; room && g < mesh->group_count; ++g)
        room = add_faces(glb, mesh, (sherd_glb_faces){SHERD_FACE_OUTER, g},
                         g < 0 ? mesh->outer_material : mesh->group_materials[g]);
    room =
        room && add_faces(glb, mesh, (sherd_glb_faces){SHERD_FACE_INNER, -1}, mesh->inner_material);
    sherd_json_raw(&glb->meshes, "]}");
    if (!room) glb->meshes.failed = true; // half a mesh: nothing sensible can be written any more
    if (!has_memory(glb)) {
        sherd_fail_memory(error, "glb");
        return -1;
    }
    return glb->mesh_count++;
}

int sherd_glb_add_unit_sphere(sherd_glb *glb, int material, sherd_error *error)
{
    double vertices[SHERD_ICOSPHERE_VERTICES][3];
    int32_t triangles[SHERD_ICOSPHERE_TRIANGLES][3];
    sherd_icosphere(vertices, triangles);
    sherd_glb_mesh mesh = {.name = "sphere",
                           .vertex_count = SHERD_ICOSPHERE_VERTICES,
                           .vertices = vertices[0],
                           .normals = vertices[0],
                           .triangle_count = SHERD_ICOSPHERE_TRIANGLES,
                           .triangles = triangles[0],
                           .outer_material = material,
                           .inner_material = material};
    return sherd_glb_add_mesh(glb, &mesh, error);
}

// ---------------------------------------------------------------- pieces

int sherd_glb_add_piece(sherd_glb *glb, const sherd_glb_piece *piece, sherd_error *error)
{
    if (piece->mesh < 0 || piece->mesh >= glb->mesh_count || !(piece->scale > 0.0) ||
        !isfinite(piece->scale)) {
        fail_glb(error, "glb piece", "it needs a mesh that exists and a scale > 0");
        return -1;
    }
    char *name = sherd_string_copy(piece->name != NULL ? piece->name : "piece");
    if (name == NULL || !sherd_grow((void **)&glb->nodes, &glb->node_capacity,
                                    (size_t)glb->node_count + 1, sizeof *glb->nodes)) {
        sherd_free(name);
        sherd_fail_memory(error, "glb");
        return -1;
    }
    glb->nodes[glb->node_count] = (sherd_glb_node){.piece = *piece};
    glb->nodes[glb->node_count].piece.name = name;
    return glb->node_count++;
}

static bool pose_is_finite(sherd_pose pose)
{
    const double words[] = {pose.position.x, pose.position.y, pose.position.z, pose.rotation.x,
                            pose.rotation.y, pose.rotation.z, pose.rotation.w};
    double norm = 0.0;
    for (int k = 0; k < 7; ++k) {
        if (!isfinite(words[k])) return false;
        if (k >= 3) norm += words[k] * words[k];
    }
    return norm > 0.25 && norm < 4.0; // a unit quaternion, give or take
}

sherd_status sherd_glb_set_pose(sherd_glb *glb, int piece, int64_t frame, sherd_pose pose,
                                sherd_error *error)
{
    if (piece < 0 || piece >= glb->node_count || frame < 0 || frame >= glb->frame_count)
        return fail_glb(error, "glb pose", "no such piece or frame");
    if (!pose_is_finite(pose))
        return fail_glb(error, "glb pose", "not a position and a unit quaternion");
    sherd_glb_node *node = &glb->nodes[piece];
    if (node->count > 0 && frame != node->first_frame + (int64_t)node->count)
        return fail_glb(error, "glb pose", "the frames of a piece must follow each other");
    if (!sherd_grow((void **)&node->poses, &node->capacity, node->count + 1, sizeof pose))
        return sherd_fail_memory(error, "glb");
    if (node->count == 0) node->first_frame = frame;
    node->poses[node->count++] = pose;
    return SHERD_OK;
}
