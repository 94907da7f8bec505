// Owning, copying and measuring triangle meshes.
#include <sherd/mesh.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "math/vec3.h"

#include <string.h>

sherd_mesh *sherd_mesh_create(int32_t vertex_count, int32_t triangle_count, sherd_error *error)
{
    if (vertex_count < 0 || triangle_count < 0) {
        sherd_fail(error, SHERD_ERROR_INPUT, "sherd_mesh_create", NULL,
                   "counts must be >= 0, got %d vertices and %d triangles", (int)vertex_count,
                   (int)triangle_count);
        return NULL;
    }
    sherd_mesh *mesh = sherd_alloc(1, sizeof *mesh);
    if (mesh != NULL) {
        mesh->vertex_count = vertex_count;
        mesh->triangle_count = triangle_count;
        mesh->vertices = sherd_alloc(3 * (size_t)vertex_count, sizeof *mesh->vertices);
        mesh->triangles = sherd_alloc(3 * (size_t)triangle_count, sizeof *mesh->triangles);
    }
    if (mesh == NULL || mesh->vertices == NULL || mesh->triangles == NULL) {
        sherd_mesh_destroy(mesh);
        sherd_fail_memory(error, "a triangle mesh");
        return NULL;
    }
    return mesh;
}

void sherd_mesh_destroy(sherd_mesh *mesh)
{
    if (mesh == NULL) return;
    sherd_free(mesh->vertices);
    sherd_free(mesh->triangles);
    sherd_free(mesh->normals);
    sherd_free(mesh->face_kind);
    sherd_free(mesh->uv);
    sherd_free(mesh->color);
    sherd_free(mesh->group);
    sherd_free(mesh->group_names);
    sherd_free(mesh->materials);
    for (int32_t k = 0; k < mesh->picture_count; ++k) {
        sherd_free(mesh->pictures[k].name);
        sherd_free(mesh->pictures[k].bytes);
    }
    sherd_free(mesh->pictures);
    sherd_free(mesh->notes);
    sherd_free(mesh);
}

// Returns string `index` of a list of consecutive strings; "" if there is none.
static const char *text_of(const char *texts, int32_t count, int32_t index)
{
    if (texts == NULL || index < 0 || index >= count) return "";
    for (int32_t k = 0; k < index; ++k)
        texts += strlen(texts) + 1;
    return texts;
}

const char *sherd_mesh_group_name(const sherd_mesh *mesh, int32_t group)
{
    return text_of(mesh->group_names, mesh->group_count, group);
}

const char *sherd_mesh_note(const sherd_mesh *mesh, int32_t note)
{
    return text_of(mesh->notes, mesh->note_count, note);
}

static size_t texts_size(const char *texts, int32_t count)
{
    if (texts == NULL || count == 0) return 0;
    const char *last = text_of(texts, count, count - 1);
    return (size_t)(last - texts) + strlen(last) + 1;
}

// Copies `count` items to a new array; a missing source gives none. Returns false when out of
// memory.
static bool copy_array(void **copy, const void *source, size_t count, size_t item_size)
{
    *copy = NULL;
    if (source == NULL) return true;
    *copy = sherd_alloc(count, item_size);
    if (*copy == NULL) return false;
    memcpy(*copy, source, count * item_size);
    return true;
}

bool sherd_mesh_copy_group_names(sherd_mesh *mesh, const sherd_mesh *from)
{
    sherd_free(mesh->group_names);
    mesh->group_count = from->group_count;
    return copy_array((void **)&mesh->group_names, from->group_names,
                      texts_size(from->group_names, from->group_count), 1);
}

static bool copy_pictures(sherd_mesh *mesh, const sherd_mesh *from)
{
    if (from->picture_count == 0) return true;
    mesh->pictures = sherd_alloc((size_t)from->picture_count, sizeof *mesh->pictures);
    if (mesh->pictures == NULL) return false;
    for (int32_t k = 0; k < from->picture_count; ++k) {
        const sherd_mesh_picture *picture = &from->pictures[k];
        sherd_mesh_picture *copy = &mesh->pictures[mesh->picture_count++];
        copy->size = picture->size;
        if (!copy_array((void **)&copy->name, picture->name, strlen(picture->name) + 1, 1) ||
            !copy_array((void **)&copy->bytes, picture->bytes, picture->size, 1))
            return false;
    }
    return true;
}

bool sherd_mesh_copy_materials(sherd_mesh *mesh, const sherd_mesh *from)
{
    return copy_array((void **)&mesh->materials, from->materials, (size_t)from->group_count,
                      sizeof *mesh->materials) &&
           copy_pictures(mesh, from);
}

sherd_mesh *sherd_mesh_copy(const sherd_mesh *mesh, sherd_error *error)
{
    sherd_mesh *copy = sherd_mesh_create(mesh->vertex_count, mesh->triangle_count, error);
    if (copy == NULL) return NULL;
    size_t n = (size_t)mesh->vertex_count, m = (size_t)mesh->triangle_count;
    memcpy(copy->vertices, mesh->vertices, 3 * n * sizeof *mesh->vertices);
    memcpy(copy->triangles, mesh->triangles, 3 * m * sizeof *mesh->triangles);
    if (!copy_array((void **)&copy->normals, mesh->normals, 3 * n, sizeof *mesh->normals) ||
        !copy_array((void **)&copy->face_kind, mesh->face_kind, m, sizeof *mesh->face_kind) ||
        !copy_array((void **)&copy->uv, mesh->uv, 6 * m, sizeof *mesh->uv) ||
        !copy_array((void **)&copy->color, mesh->color, 3 * n, sizeof *mesh->color) ||
        !copy_array((void **)&copy->group, mesh->group, m, sizeof *mesh->group) ||
        !sherd_mesh_copy_group_names(copy, mesh) || !sherd_mesh_copy_materials(copy, mesh) ||
        !copy_array((void **)&copy->notes, mesh->notes, texts_size(mesh->notes, mesh->note_count),
                    1)) {
        sherd_mesh_destroy(copy);
        sherd_fail_memory(error, "a triangle mesh");
        return NULL;
    }
    copy->note_count = mesh->note_count;
    return copy;
}

// V = 1/6 sum over triangles of (a - o) . ((b - o) x (c - o)). The origin o is the first vertex:
// far from the coordinate origin the terms would cancel otherwise.
double sherd_mesh_volume(const sherd_mesh *mesh)
{
    if (mesh->vertex_count == 0) return 0.0;
    sherd_vec3 origin = mesh_vertex(mesh, 0);
    double sum = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        sherd_vec3 a = vec3_sub(mesh_corner(mesh, t, 0), origin);
        sherd_vec3 b = vec3_sub(mesh_corner(mesh, t, 1), origin);
        sherd_vec3 c = vec3_sub(mesh_corner(mesh, t, 2), origin);
        sum += vec3_dot(a, vec3_cross(b, c));
    }
    return sum / 6.0;
}

sherd_bounds sherd_mesh_bounds(const sherd_mesh *mesh)
{
    sherd_bounds bounds = bounds_empty();
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        bounds_add(&bounds, mesh_vertex(mesh, v));
    return bounds;
}

sherd_status sherd_mesh_check_arrays(const sherd_mesh *mesh, const char *where, sherd_error *error)
{
    if (mesh == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "the mesh is missing");
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        sherd_vec3 p = mesh_vertex(mesh, v);
        if (!vec3_is_finite(p))
            return sherd_fail(error, SHERD_ERROR_INPUT, where, "export the mesh again",
                              "coordinates must be finite, vertex %d is (%g, %g, %g)", (int)v, p.x,
                              p.y, p.z);
    }
    for (size_t k = 0; k < 3 * (size_t)mesh->triangle_count; ++k)
        if (mesh->triangles[k] < 0 || mesh->triangles[k] >= mesh->vertex_count)
            return sherd_fail(error, SHERD_ERROR_INPUT, where, "vertices are counted from 0",
                              "triangle %d has the corner %d, but there are %d vertices",
                              (int)(k / 3), (int)mesh->triangles[k], (int)mesh->vertex_count);
    return SHERD_OK;
}
