// glTF 2.0: the triangles of a scene's meshes, transformed by its nodes, with texture coordinates,
// vertex colours, and materials as groups. Skins, shape keys and animation are ignored.
#include "output/mesh_file/gltf_materials.h"

#include "base/memory.h"
#include "math/srgb.h"
#include "math/vec3.h"

#include <string.h>

enum {
    DEEPEST = 64,            // nodes in nodes
    MAX_NODES = 100000,      // visited nodes
    MAX_PRIMITIVES = 200000, // in the meshes of all nodes
    FREE_ROWS = 50000,       // see `most_rows`
    BYTES_PER_ROW = 3,
    UNSIGNED_BYTE = 5121, // component types of indices
    UNSIGNED_SHORT = 5123,
    UNSIGNED_INT = 5125,
    TRIANGLES = 4,
    TRIANGLE_STRIP,
    TRIANGLE_FAN // modes of primitives
};

// x -> columns x + shift
typedef struct affine {
    sherd_vec3 column[3], shift;
} affine;

typedef struct gltf_scene {
    const gltf_document *document;
    sherd_mesh_builder *builder;
    sherd_error *error;
    int visits, primitives;
    bool painted; // some vertices have colours, so all get one
    // Limit of vertices and of triangles. Without instances, each takes at least three bytes of the
    // file; with instances, a few kilobytes could ask for a hundred million.
    size_t most_rows;
    uint32_t *stamp;    // by vertex of an accessor: the last primitive that used it
    int32_t *number;    // its index in the mesh at that time
    size_t table_rooms; // capacity of the two tables above
} gltf_scene;

static sherd_vec3 turn(const affine *a, sherd_vec3 x)
{
    sherd_vec3 sum = vec3_scale(x.x, a->column[0]);
    return vec3_add_scaled(vec3_add_scaled(sum, x.y, a->column[1]), x.z, a->column[2]);
}

static affine compose(const affine *outer, const affine *inner)
{
    affine all = {.shift = vec3_add(turn(outer, inner->shift), outer->shift)};
    for (int k = 0; k < 3; ++k)
        all.column[k] = turn(outer, inner->column[k]);
    return all;
}

// Reads a list of exactly `count` numbers; otherwise false and unchanged.
static bool read_list(const json_t *node, const char *key, int count, double *numbers)
{
    const json_t *list = json_object_get(node, key);
    if ((int)json_array_size(list) != count) return false;
    for (int k = 0; k < count; ++k)
        numbers[k] = json_number_value(json_array_get(list, (size_t)k));
    return true;
}

static affine node_transform(const json_t *node)
{
    double m[16];
    if (read_list(node, "matrix", 16, m))
        return (affine){{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}},
                        {m[12], m[13], m[14]}};
    double t[3] = {0.0}, s[3] = {1.0, 1.0, 1.0}, q[4] = {0.0, 0.0, 0.0, 1.0};
    read_list(node, "translation", 3, t);
    read_list(node, "scale", 3, s);
    read_list(node, "rotation", 4, q);
    double x = q[0], y = q[1], z = q[2], w = q[3];
    return (affine){
        {vec3_scale(s[0], vec3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y))),
         vec3_scale(s[1], vec3(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x))),
         vec3_scale(s[2], vec3(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)))},
        {t[0], t[1], t[2]}};
}

// ---------------------------------------------------------------- primitives

// Accessors of a primitive; missing ones have no rows.
typedef struct primitive {
    gltf_accessor positions, uv, colors, indices;
    double base[3]; // linear colour of the material
    bool mirrored;  // triangles have reversed orientation
    bool part;      // uses few of the accessor's vertices: add only those
    size_t first;   // index of the first vertex; unused if `part`
    affine to;
} primitive;

static sherd_status open_attribute(const gltf_scene *s, const json_t *attributes, const char *name,
                                   int components, gltf_accessor *accessor)
{
    int64_t index = sherd_gltf_integer(attributes, name, -1);
    if (index < 0) return SHERD_OK;
    sherd_status status = sherd_gltf_accessor_open(s->document, index, accessor, s->error);
    if (status == SHERD_OK && accessor->components < components)
        return sherd_gltf_fail(s->document, s->error, "the file is damaged: export it again",
                               "%s has %d numbers a vertex, not %d", name, accessor->components,
                               components);
    return status;
}

// Indices must be integers >= 0.
static sherd_status open_indices(const gltf_scene *s, const json_t *json, gltf_accessor *indices)
{
    sherd_status status = open_attribute(s, json, "indices", 1, indices);
    bool none = status != SHERD_OK || sherd_gltf_integer(json, "indices", -1) < 0;
    if (none || indices->type == UNSIGNED_BYTE || indices->type == UNSIGNED_SHORT ||
        indices->type == UNSIGNED_INT)
        return status;
    return sherd_gltf_fail(s->document, s->error, "the file is damaged: export it again",
                           "indices of vertices must be unsigned whole numbers, not of type %d",
                           indices->type);
}

static sherd_status open_primitive(const gltf_scene *s, const json_t *json, primitive *p)
{
    const json_t *attributes = json_object_get(json, "attributes");
    sherd_status status = open_attribute(s, attributes, "POSITION", 3, &p->positions);
    if (status == SHERD_OK) status = open_attribute(s, attributes, "TEXCOORD_0", 2, &p->uv);
    if (status == SHERD_OK) status = open_attribute(s, attributes, "COLOR_0", 3, &p->colors);
    if (status == SHERD_OK) status = open_indices(s, json, &p->indices);
    bool short_table = (p->uv.count > 0 && p->uv.count < p->positions.count) ||
                       (p->colors.count > 0 && p->colors.count < p->positions.count);
    if (status == SHERD_OK && short_table)
        return sherd_gltf_fail(
            s->document, s->error, "the file is damaged: export it again",
            "a primitive has %lld vertices, but fewer texture coordinates or colours",
            (long long)p->positions.count);
    return status;
}

static double fraction(double value)
{
    return value < 0.0 ? 0.0 : value < 1.0 ? value : 1.0;
}

// Vertex colours are linear and multiply the material's.       glTF 2.0, 3.7.2.1
static void screen_color(const primitive *p, int64_t v, double color[3])
{
    for (int k = 0; k < 3; ++k) {
        double factor = p->colors.count > 0 ? fraction(sherd_gltf_number(&p->colors, v, k)) : 1.0;
        color[k] = linear_to_srgb(factor * p->base[k]);
    }
}

static sherd_status refuse_rows(const gltf_scene *s)
{
    return sherd_gltf_fail(s->document, s->error,
                           "make copies of meshes real in the mesh editor, and simplify them, or "
                           "export fewer",
                           "its nodes and primitives repeat meshes until there are more than %zu "
                           "vertices or triangles, which is too many for a file of %zu bytes",
                           s->most_rows, s->document->size);
}

// glTF is y-up, Sherd z-up.
static sherd_status add_vertex(const gltf_scene *s, const primitive *p, int64_t v)
{
    double scale = s->document->source->scale;
    sherd_vec3 x =
        vec3(sherd_gltf_number(&p->positions, v, 0), sherd_gltf_number(&p->positions, v, 1),
             sherd_gltf_number(&p->positions, v, 2));
    x = vec3_scale(scale, vec3_add(turn(&p->to, x), p->to.shift));
    const double position[3] = {x.x, -x.z, x.y};
    if (s->builder->vertex_count >= s->most_rows) return refuse_rows(s);
    bool added = sherd_mesh_builder_add_vertex(s->builder, position);
    if (added && s->painted) {
        double color[3];
        screen_color(p, v, color);
        added = sherd_mesh_builder_paint(s->builder, color);
    }
    return added ? SHERD_OK : sherd_mesh_fail_too_large(s->document->source, s->error);
}

static sherd_status add_vertices(const gltf_scene *s, const primitive *p)
{
    sherd_status status = SHERD_OK;
    for (int64_t v = 0; v < p->positions.count && status == SHERD_OK; ++v)
        status = add_vertex(s, p, v);
    return status;
}

// The mesh's index of an accessor's vertex; a `part` adds it on first use.
static sherd_status find_vertex(const gltf_scene *s, const primitive *p, int64_t v, int32_t *number)
{
    if (!p->part) {
        *number = (int32_t)(p->first + (size_t)v);
        return SHERD_OK;
    }
    sherd_status status = SHERD_OK;
    if (s->stamp[v] != (uint32_t)s->primitives) {
        s->stamp[v] = (uint32_t)s->primitives;
        s->number[v] = (int32_t)s->builder->vertex_count;
        status = add_vertex(s, p, v);
    }
    *number = s->number[v];
    return status;
}

static sherd_status add_triangle(const gltf_scene *s, const primitive *p, const int64_t place[3])
{
    int32_t corners[3];
    float uv[6] = {0.0f};
    for (int k = 0; k < 3; ++k) {
        int from = p->mirrored && k > 0 ? 3 - k : k;
        int64_t v = p->indices.count > 0 ? (int64_t)sherd_gltf_number(&p->indices, place[from], 0)
                                         : place[from];
        if (v < 0 || v >= p->positions.count)
            return sherd_gltf_fail(s->document, s->error, "the file is damaged: export it again",
                                   "a triangle uses vertex %lld, but there are %lld", (long long)v,
                                   (long long)p->positions.count);
        sherd_status status = find_vertex(s, p, v, &corners[k]);
        if (status != SHERD_OK) return status;
        if (p->uv.count == 0) continue;
        uv[2 * k] = (float)sherd_gltf_number(&p->uv, v, 0);
        uv[2 * k + 1] = 1.0f - (float)sherd_gltf_number(&p->uv, v, 1); // glTF's v points down
    }
    if (s->builder->triangle_count >= s->most_rows) return refuse_rows(s);
    return sherd_mesh_builder_add_triangle(s->builder, corners, uv, SHERD_FACE_OUTER)
               ? SHERD_OK
               : sherd_mesh_fail_too_large(s->document->source, s->error);
}

static sherd_status add_triangles(const gltf_scene *s, const primitive *p, int64_t mode)
{
    int64_t corners = p->indices.count > 0 ? p->indices.count : p->positions.count;
    sherd_status status = SHERD_OK;
    for (int64_t k = 0; k + 2 < corners && status == SHERD_OK; k += mode == TRIANGLES ? 3 : 1) {
        int64_t place[3] = {k, k + 1, k + 2};
        if (mode == TRIANGLE_STRIP && k % 2 == 1) place[1] = k + 2, place[2] = k + 1;
        if (mode == TRIANGLE_FAN) place[0] = 0;
        status = add_triangle(s, p, place);
    }
    return status;
}

// Grows the tables of vertices to `count`.
static bool reach_tables(gltf_scene *s, size_t count)
{
    size_t stamps = s->table_rooms, numbers = s->table_rooms;
    bool good = sherd_grow((void **)&s->stamp, &stamps, count, sizeof *s->stamp) &&
                sherd_grow((void **)&s->number, &numbers, count, sizeof *s->number);
    if (good) s->table_rooms = stamps < numbers ? stamps : numbers;
    return good;
}

static sherd_status add_primitive(gltf_scene *s, const json_t *json, const affine *to)
{
    if (++s->primitives > MAX_PRIMITIVES)
        return sherd_gltf_fail(s->document, s->error, "join meshes, or export fewer",
                               "its nodes have more than %d primitives", (int)MAX_PRIMITIVES);
    int64_t mode = sherd_gltf_integer(json, "mode", TRIANGLES);
    if (mode < TRIANGLES || mode > TRIANGLE_FAN) return SHERD_OK; // skip points and lines
    int64_t material = sherd_gltf_integer(json, "material", -1);
    char group[SHERD_GLTF_NAME];
    sherd_gltf_group_name(s->document, material, group);
    if (!sherd_mesh_builder_use_group(s->builder, group, strlen(group)))
        return sherd_mesh_fail_too_large(s->document->source, s->error);
    primitive p = {.first = s->builder->vertex_count,
                   .mirrored =
                       vec3_dot(to->column[0], vec3_cross(to->column[1], to->column[2])) < 0.0,
                   .to = *to};
    sherd_gltf_base_color(s->document, material, p.base);
    sherd_status status = open_primitive(s, json, &p);
    // Some exporters use one accessor for all primitives.
    p.part = p.indices.count > 0 && p.indices.count < p.positions.count;
    if (status == SHERD_OK && p.part && !reach_tables(s, (size_t)p.positions.count))
        status = sherd_mesh_fail_too_large(s->document->source, s->error);
    if (status == SHERD_OK && !p.part) status = add_vertices(s, &p);
    return status == SHERD_OK ? add_triangles(s, &p, mode) : status;
}

// ---------------------------------------------------------------- nodes

static sherd_status add_mesh(gltf_scene *s, int64_t index, const affine *to)
{
    const json_t *primitives =
        json_object_get(sherd_gltf_item(s->document, "meshes", index), "primitives");
    sherd_status status = SHERD_OK;
    for (size_t k = 0; k < json_array_size(primitives) && status == SHERD_OK; ++k)
        status = add_primitive(s, json_array_get(primitives, k), to);
    return status;
}

// Depth: DEEPEST.
static sherd_status add_node(gltf_scene *s, int64_t index, const affine *outer, int depth)
{
    const json_t *node = sherd_gltf_item(s->document, "nodes", index);
    if (depth > DEEPEST || ++s->visits > MAX_NODES)
        return sherd_gltf_fail(s->document, s->error, "export fewer nodes, or join them",
                               "its nodes are too many, more than %d deep, or contain themselves",
                               (int)DEEPEST);
    affine own = node_transform(node), to = compose(outer, &own);
    int64_t mesh = sherd_gltf_integer(node, "mesh", -1);
    sherd_status status = mesh >= 0 ? add_mesh(s, mesh, &to) : SHERD_OK;
    const json_t *children = json_object_get(node, "children");
    for (size_t k = 0; k < json_array_size(children) && status == SHERD_OK; ++k)
        status =
            add_node(s, (int64_t)json_integer_value(json_array_get(children, k)), &to, depth + 1);
    return status;
}

// True if any primitive has an attribute of this name.
static bool has_attribute(const gltf_document *d, const char *name)
{
    const json_t *meshes = json_object_get(d->root, "meshes");
    for (size_t m = 0; m < json_array_size(meshes); ++m) {
        const json_t *primitives = json_object_get(json_array_get(meshes, m), "primitives");
        for (size_t k = 0; k < json_array_size(primitives); ++k)
            if (sherd_gltf_integer(json_object_get(json_array_get(primitives, k), "attributes"),
                                   name, -1) >= 0)
                return true;
    }
    return false;
}

static sherd_status check_extensions(const gltf_document *d, sherd_error *error)
{
    static const char *const COMPRESSED[] = {"KHR_draco_mesh_compression",
                                             "EXT_meshopt_compression"};
    const json_t *required = json_object_get(d->root, "extensionsRequired");
    for (size_t k = 0; k < json_array_size(required); ++k) {
        const char *name = json_string_value(json_array_get(required, k));
        for (int c = 0; name != NULL && c < 2; ++c)
            if (strcmp(name, COMPRESSED[c]) == 0)
                return sherd_gltf_fail(d, error, "export it without compression",
                                       "its meshes are compressed (%s), which is not read", name);
    }
    return SHERD_OK;
}

static sherd_status add_scene(gltf_scene *s)
{
    static const affine UNMOVED = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
    const gltf_document *d = s->document;
    const json_t *scene = sherd_gltf_item(d, "scenes", sherd_gltf_integer(d->root, "scene", 0));
    const json_t *nodes = json_object_get(scene, "nodes");
    sherd_status status = check_extensions(d, s->error);
    s->builder->has_uv = has_attribute(d, "TEXCOORD_0");
    s->painted = has_attribute(d, "COLOR_0");
    for (size_t k = 0; k < json_array_size(nodes) && status == SHERD_OK; ++k)
        status = add_node(s, (int64_t)json_integer_value(json_array_get(nodes, k)), &UNMOVED, 0);
    // A file without a scene is a library of meshes.
    size_t meshes = json_array_size(json_object_get(d->root, "meshes"));
    for (size_t k = 0; scene == NULL && k < meshes && status == SHERD_OK; ++k)
        status = add_mesh(s, (int64_t)k, &UNMOVED);
    return status;
}

sherd_status sherd_mesh_parse_gltf(const sherd_mesh_source *source, sherd_mesh_builder *builder,
                                   sherd_error *error)
{
    gltf_document document;
    sherd_status status = sherd_gltf_open(&document, source, error);
    gltf_scene scene = {.document = &document,
                        .builder = builder,
                        .error = error,
                        .most_rows = FREE_ROWS + document.size / BYTES_PER_ROW};
    if (status == SHERD_OK) status = add_scene(&scene);
    sherd_free(scene.stamp);
    sherd_free(scene.number);
    if (status == SHERD_OK) sherd_gltf_read_materials(&document, builder);
    sherd_gltf_release(&document);
    return status;
}
