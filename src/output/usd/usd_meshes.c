// Meshes. Vertices are shared; normals and texture coordinates belong to corners, which refer to
// lists in which each of them is once. Materials belong to subsets of faces.
#include "base/error.h"
#include "base/memory.h"
#include "math/srgb.h"
#include "output/export/glb_vertices.h"
#include "output/usd/usd_animation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- lists without duplicates

// Rows of floats, and the row of each corner.
typedef struct row_list {
    float *rows; // (count x width)
    int width;
    int32_t *of_corner; // (corners)
    size_t count;
    int32_t *table; // hash table: row + 1 (slots)
    size_t slots;
} row_list;

static bool make_list(row_list *list, int width, size_t corners)
{
    size_t slots = 64;
    while (slots < corners) // there are some six corners for each row
        slots *= 2;
    *list = (row_list){.rows = sherd_alloc(corners * (size_t)width, sizeof *list->rows),
                       .width = width,
                       .of_corner = sherd_alloc(corners, sizeof *list->of_corner),
                       .table = sherd_alloc(2 * slots, sizeof *list->table),
                       .slots = 2 * slots};
    return list->rows != NULL && list->of_corner != NULL && list->table != NULL;
}

static void free_list(row_list *list)
{
    sherd_free(list->rows);
    sherd_free(list->of_corner);
    sherd_free(list->table);
}

static int32_t number_of_row(row_list *list, const float *row)
{
    size_t width = (size_t)list->width, size = width * sizeof *row;
    uint64_t hash = 0;
    for (size_t c = 0; c < width; ++c) {
        uint32_t bits;
        memcpy(&bits, row + c, sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    size_t slot = (size_t)hash & (list->slots - 1);
    for (; list->table[slot] != 0; slot = (slot + 1) & (list->slots - 1))
        if (memcmp(list->rows + width * (size_t)(list->table[slot] - 1), row, size) == 0)
            return list->table[slot] - 1;
    memcpy(list->rows + width * list->count, row, size);
    list->table[slot] = (int32_t)++list->count;
    return (int32_t)list->count - 1;
}

// ---------------------------------------------------------------- geometry

static void put_extent(const sherd_usd_output *out, const float *points, size_t count)
{
    float box[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (size_t k = 0; k < 3 * count; ++k) {
        box[k % 3] = fminf(box[k % 3], points[k]);
        box[3 + k % 3] = fmaxf(box[3 + k % 3], points[k]);
    }
    sherd_usd_put(out, "float3[]", "extent", 2, box);
}

static bool put_points(const sherd_usd_output *out, const sherd_animation_mesh *mesh)
{
    const double origin[3] = {mesh->origin.x, mesh->origin.y, mesh->origin.z};
    size_t count = (size_t)mesh->vertex_count;
    float *points = sherd_alloc(3 * count, sizeof *points);
    if (points == NULL) return false;
    for (size_t k = 0; k < 3 * count; ++k)
        points[k] = (float)(mesh->vertices[k] - origin[k % 3]);
    sherd_usd_put(out, "point3f[]", "points", count, points);
    put_extent(out, points, count);
    sherd_free(points);
    return true;
}

static bool put_faces(const sherd_usd_output *out, const sherd_animation_mesh *mesh)
{
    size_t count = (size_t)mesh->triangle_count;
    int32_t *column = sherd_alloc(count, sizeof *column);
    if (column == NULL) return false;
    for (size_t t = 0; t < count; ++t)
        column[t] = 3;
    sherd_usd_put(out, "int[]", "faceVertexCounts", count, column);
    sherd_usd_put(out, "int[]", "faceVertexIndices", 3 * count, mesh->triangles);
    for (size_t t = 0; t < count; ++t)
        column[t] = mesh->face_kind != NULL && mesh->face_kind[t] == SHERD_FACE_INNER;
    sherd_usd_put_primvar(out, "int[]", "primvars:inner", "uniform", count, column);
    sherd_free(column);
    return true;
}

// Equal normals are one row, but where the mesh deforms: those of different vertices part.
static bool list_normals(row_list *list, const sherd_animation_mesh *mesh,
                         const sherd_corner_fans *fans)
{
    sherd_glb_scratch found = {0};
    size_t corners = 3 * (size_t)mesh->triangle_count;
    bool good = make_list(list, 3, corners) && sherd_glb_find_normals(&found, mesh, fans);
    for (size_t k = 0; good && k < corners; ++k)
        list->of_corner[k] =
            mesh->deforms ? found.normal_of[k]
                          : number_of_row(list, found.normals + 3 * (size_t)found.normal_of[k]);
    if (good && mesh->deforms) list->count = found.normal_count;
    sherd_glb_scratch_free(&found);
    return good;
}

// Of a mesh that deforms the rows differ from frame to frame, not which corner has which one.
static bool put_normals(const sherd_usd_output *out, const sherd_animation_mesh *mesh,
                        const sherd_corner_fans *fans, sherd_usd_mesh *made, sherd_spool *spool)
{
    row_list list;
    size_t corners = 3 * (size_t)mesh->triangle_count;
    bool good = list_normals(&list, mesh, fans);
    if (good && !mesh->deforms)
        sherd_usd_put_primvar(out, "normal3f[]", "primvars:normals", "faceVarying", list.count,
                              list.rows);
    if (good) sherd_usd_put(out, "int[]", "primvars:normals:indices", corners, list.of_corner);
    if (good && mesh->deforms) {
        made->deforms = true;
        made->vertex_count = mesh->vertex_count;
        made->triangle_count = mesh->triangle_count;
        made->normal_count = (int32_t)list.count;
        made->corners = sherd_spool_size(spool);
        sherd_spool_append(spool, mesh->triangles, corners * sizeof *mesh->triangles);
        sherd_spool_append(spool, list.of_corner, corners * sizeof *list.of_corner);
    }
    free_list(&list);
    return good;
}

// USD's v points up, as Sherd's.
static bool put_texture(const sherd_usd_output *out, const sherd_animation_mesh *mesh,
                        const sherd_corner_fans *fans, double texture_size)
{
    row_list list;
    size_t corners = 3 * (size_t)mesh->triangle_count;
    bool good = make_list(&list, 2, corners);
    for (size_t k = 0; good && k < corners; ++k) {
        float uv[2];
        sherd_glb_corner_uv(mesh, fans, (int32_t)(k / 3), (int)(k % 3), texture_size, uv);
        list.of_corner[k] = number_of_row(&list, uv);
    }
    if (good) {
        sherd_usd_put_primvar(out, "texCoord2f[]", "primvars:st", "faceVarying", list.count,
                              list.rows);
        sherd_usd_put(out, "int[]", "primvars:st:indices", corners, list.of_corner);
    }
    free_list(&list);
    return good;
}

// Vertex colours, linear. Broken faces do not use them.
static bool put_paint(const sherd_usd_output *out, const sherd_animation_mesh *mesh)
{
    if (mesh->color == NULL) return true;
    size_t count = (size_t)mesh->vertex_count;
    float *linear = sherd_alloc(3 * count, sizeof *linear);
    for (size_t k = 0; linear != NULL && k < 3 * count; ++k)
        linear[k] = (float)srgb_to_linear((double)mesh->color[k]);
    if (linear != NULL)
        sherd_usd_put_primvar(out, "color3f[]", "primvars:displayColor", "vertex", count, linear);
    sherd_free(linear);
    return linear != NULL;
}

// ---------------------------------------------------------------- subsets

// Writes the faces of one kind and binds them to their material; nothing if there are none.
static void put_subset(const sherd_usd_output *out, const sherd_animation_mesh *mesh,
                       sherd_glb_faces faces, const char *name, const char *material,
                       int32_t *indices)
{
    static const char *const FACE = "face", *const FAMILY = "materialBind";
    size_t count = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        int own = mesh->face_kind != NULL ? mesh->face_kind[t] : SHERD_FACE_OUTER;
        if (own != (int)faces.kind) continue;
        bool grouped = mesh->group != NULL && own == SHERD_FACE_OUTER;
        if (!grouped || mesh->group[t] == faces.group) indices[count++] = t;
    }
    if (count == 0) return;
    char path[SHERD_USD_NAME + 16];
    sherd_usd_material_path(material, path);
    const sherd_usd_prim prim = {
        .type = "GeomSubset", .name = name, .schema = "MaterialBindingAPI"};
    out->encoding->begin(out->file, &prim);
    sherd_usd_put_uniform(out, "token", "elementType", 1, &FACE);
    sherd_usd_put_uniform(out, "token", "familyName", 1, &FAMILY);
    sherd_usd_put(out, "int[]", "indices", count, indices);
    out->encoding->relationship(out->file, "material:binding", path);
    out->encoding->end(out->file);
}

static bool put_subsets(const sherd_usd_output *out, const sherd_animation_mesh *mesh,
                        char (*names)[SHERD_USD_NAME])
{
    int32_t *indices = sherd_alloc((size_t)mesh->triangle_count, sizeof *indices);
    if (indices == NULL) return false;
    put_subset(out, mesh, (sherd_glb_faces){SHERD_FACE_OUTER, -1}, "outer",
               names[mesh->outer_material], indices);
    for (int32_t g = 0; g < mesh->group_count; ++g) {
        char name[32];
        snprintf(name, sizeof name, "group_%d", (int)g);
        put_subset(out, mesh, (sherd_glb_faces){SHERD_FACE_OUTER, g}, name,
                   names[mesh->group_materials[g]], indices);
    }
    put_subset(out, mesh, (sherd_glb_faces){SHERD_FACE_INNER, -1}, "inner",
               names[mesh->inner_material], indices);
    sherd_free(indices);
    return true;
}

static void put_kind(const sherd_usd_output *out, const char *material)
{
    static const char *const RIGHT = "rightHanded", *const NONE = "none",
                             *const PARTITION = "partition";
    char path[SHERD_USD_NAME + 16];
    sherd_usd_material_path(material, path);
    sherd_usd_put_uniform(out, "token", "orientation", 1, &RIGHT);
    sherd_usd_put_uniform(out, "token", "subdivisionScheme", 1, &NONE);
    sherd_usd_put_uniform(out, "token", "subsetFamily:materialBind:familyType", 1, &PARTITION);
    out->encoding->relationship(out->file, "material:binding", path);
}

static bool record_mesh(sherd_animation *animation, const sherd_animation_mesh *mesh,
                        sherd_usd_mesh *made)
{
    sherd_usd_file *usd = animation->file;
    const sherd_usd_output out = {&sherd_usd_recorder, &usd->draft};
    sherd_corner_fans fans;
    bool good = sherd_export_corner_fans(&fans, mesh);
    if (good && !mesh->deforms) good = put_points(&out, mesh);
    good = good && put_faces(&out, mesh) && put_normals(&out, mesh, &fans, made, &usd->spool) &&
           put_texture(&out, mesh, &fans, animation->texture_size) && put_paint(&out, mesh);
    if (good) put_kind(&out, usd->material_names[mesh->outer_material]);
    good = good && put_subsets(&out, mesh, usd->material_names);
    sherd_corner_fans_release(&fans);
    return good && !usd->draft.failed;
}

sherd_status sherd_usd_add_mesh(sherd_animation *animation, const sherd_animation_mesh *mesh,
                                sherd_error *error)
{
    sherd_usd_file *usd = animation->file;
    sherd_usd_mesh made = {0};
    memcpy(made.material, usd->material_names[mesh->outer_material], sizeof made.material);
    if (!record_mesh(animation, mesh, &made) ||
        !sherd_grow((void **)&usd->meshes, &usd->mesh_capacity, usd->mesh_count + 1,
                    sizeof *usd->meshes))
        return sherd_fail_memory(error, "usd");
    made.record = sherd_usd_record_store(&usd->draft, &usd->spool);
    usd->meshes[usd->mesh_count++] = made;
    return sherd_spool_check(&usd->spool, "usd", error);
}
