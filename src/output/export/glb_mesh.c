// Writes meshes to the views of a .glb.
//
// If 16-bit indices are sufficient, all primitives of a mesh share its vertices: one accessor per
// attribute, and one accessor of indices per material.
#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "output/export/glb_file.h"
#include "output/export/glb_vertices.h"
#include "output/export/json.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- numbers

int sherd_glb_add_accessor(sherd_glb_accessors *accessors, const sherd_glb_accessor *accessor)
{
    SHERD_ASSERT(accessor->view >= 0 && accessor->view < SHERD_GLB_VIEW_COUNT,
                 "accessors belong to a view");
    SHERD_ASSERT(accessor->components >= 1 && accessor->components <= 4,
                 "accessors have one to four components");
    SHERD_ASSERT(accessor->offset % 4 == 0, "accessors start at multiples of four bytes");
    if (accessors->failed || !sherd_grow((void **)&accessors->items, &accessors->capacity,
                                         accessors->count + 1, sizeof *accessors->items)) {
        accessors->failed = true;
        return 0;
    }
    accessors->items[accessors->count] = *accessor;
    return (int)accessors->count++;
}

int sherd_glb_add_floats(sherd_glb_file *glb, sherd_glb_view view, const float *items,
                         int64_t count, int components)
{
    sherd_glb_accessor accessor = {.view = view,
                                   .offset = sherd_spool_size(&glb->data[view]),
                                   .count = count,
                                   .components = components};
    sherd_spool_append(&glb->data[view], items, sizeof *items * (size_t)components * (size_t)count);
    return sherd_glb_add_accessor(&glb->accessors, &accessor);
}

// Vertices of a mesh by material, in consecutive parts of the same arrays.
typedef struct parts {
    sherd_glb_vertices *items;
    int *material;
    int count;
    const sherd_animation_mesh *mesh;
} parts;

// Quantization of a compact mesh.
typedef struct scales {
    double length;      // length that 32767 stands for
    double shift[2];    // whole texture periods that are subtracted
    bool small_texture; // texture coordinates are then between -1 and 1
} scales;

// Rounds to an integer of -most .. most that stands for -1 .. 1.
static int round_to(double value, int most)
{
    double inside = value < -1.0 ? -1.0 : value > 1.0 ? 1.0 : value;
    return (int)lrint(inside * most);
}

static scales find_scales(const sherd_glb_vertices *v, int count)
{
    scales s = {.length = 0.0, .small_texture = true};
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int part = 0; part < count; ++part) {
        for (int c = 0; c < 3; ++c) {
            s.length = fmax(s.length, (double)v[part].high[c]);
            s.length = fmax(s.length, -(double)v[part].low[c]);
        }
        for (size_t k = 0; k < 2 * (size_t)v[part].vertex_count; ++k) {
            double at = (double)v[part].texture[k];
            if (at < low[k % 2]) low[k % 2] = at;
            if (at > high[k % 2]) high[k % 2] = at;
        }
    }
    if (!(s.length > 0.0)) s.length = 1.0;
    s.length = (double)(float)s.length; // as it is written to the file
    for (int c = 0; c < 2; ++c) {
        s.shift[c] = nearbyint(0.5 * (low[c] + high[c]));
        s.small_texture =
            s.small_texture && low[c] - s.shift[c] >= -1.0 && high[c] - s.shift[c] <= 1.0;
    }
    return s;
}

// Starts an accessor for the vertices of `count` parts.
static sherd_glb_accessor accessor_for(const sherd_glb_file *glb, sherd_glb_view view,
                                       int components, sherd_glb_number number,
                                       const sherd_glb_vertices *v, int count)
{
    sherd_glb_accessor a = {.view = view,
                            .offset = sherd_spool_size(&glb->data[view]),
                            .components = components,
                            .number = number};
    for (int k = 0; k < count; ++k)
        a.count += v[k].vertex_count;
    return a;
}

static void bound(sherd_glb_accessor *a, const sherd_glb_vertices *v, int count)
{
    a->bounded = true;
    for (int c = 0; c < 3; ++c) {
        a->low[c] = v[0].low[c];
        a->high[c] = v[0].high[c];
        for (int k = 1; k < count; ++k) {
            a->low[c] = fminf(a->low[c], v[k].low[c]);
            a->high[c] = fmaxf(a->high[c], v[k].high[c]);
        }
    }
}

enum { BATCH = 1024 };

// Appends rows of `components` 16-bit numbers, padded to 4 bytes.
static void append_small(sherd_spool *to, const float *from, int64_t rows, int components,
                         int number, const double *shift, double scale)
{
    SHERD_ASSERT(components >= 1 && components <= 4, "rows of small numbers fit the batch");
    int16_t words[4 * BATCH];
    int width = (components + 1) / 2 * 2,
        most = number == SHERD_GLB_UNIT16 ? UINT16_MAX : INT16_MAX;
    for (int64_t first = 0; first < rows; first += BATCH) {
        size_t n = (size_t)(rows - first < BATCH ? rows - first : BATCH);
        memset(words, 0, sizeof *words * (size_t)width * n);
        for (size_t k = 0; k < n; ++k)
            for (int c = 0; c < components; ++c) {
                double value = (double)from[components * (first + (int64_t)k) + c];
                if (shift != NULL) value -= shift[c];
                words[(size_t)width * k + (size_t)c] = (int16_t)round_to(value / scale, most);
            }
        sherd_spool_append(to, words, sizeof *words * (size_t)width * n);
    }
}

static void append_normals(sherd_spool *to, const float *from, int64_t rows)
{
    int8_t bytes[4 * BATCH];
    for (int64_t first = 0; first < rows; first += BATCH) {
        size_t n = (size_t)(rows - first < BATCH ? rows - first : BATCH);
        for (size_t k = 0; k < n; ++k) {
            for (size_t c = 0; c < 3; ++c)
                bytes[4 * k + c] =
                    (int8_t)round_to((double)from[3 * ((size_t)first + k) + c], INT8_MAX);
            bytes[4 * k + 3] = 0;
        }
        sherd_spool_append(to, bytes, 4 * n);
    }
}

static int add_positions(sherd_glb_file *glb, const sherd_glb_vertices *v, int count,
                         const scales *s)
{
    bool compact = glb->compact;
    sherd_glb_view view = compact ? SHERD_GLB_SMALL_POSITION : SHERD_GLB_POSITION;
    sherd_glb_accessor a =
        accessor_for(glb, view, 3, compact ? SHERD_GLB_INT16 : SHERD_GLB_FLOAT, v, count);
    bound(&a, v, count);
    for (int c = 0; compact && c < 3; ++c) { // bounds of the quantized numbers
        a.low[c] = (float)round_to((double)a.low[c] / s->length, INT16_MAX);
        a.high[c] = (float)round_to((double)a.high[c] / s->length, INT16_MAX);
    }
    for (int k = 0; k < count; ++k) {
        if (compact)
            append_small(&glb->data[view], v[k].positions, v[k].vertex_count, 3, SHERD_GLB_INT16,
                         NULL, s->length);
        else
            sherd_spool_append(&glb->data[view], v[k].positions,
                               3 * sizeof(float) * (size_t)v[k].vertex_count);
    }
    return sherd_glb_add_accessor(&glb->accessors, &a);
}

static int add_normals(sherd_glb_file *glb, const sherd_glb_vertices *v, int count)
{
    sherd_glb_view view = glb->compact ? SHERD_GLB_SMALL_NORMAL : SHERD_GLB_NORMAL;
    sherd_glb_accessor a =
        accessor_for(glb, view, 3, glb->compact ? SHERD_GLB_INT8 : SHERD_GLB_FLOAT, v, count);
    for (int k = 0; k < count; ++k) {
        if (glb->compact)
            append_normals(&glb->data[view], v[k].normals, v[k].vertex_count);
        else
            sherd_spool_append(&glb->data[view], v[k].normals,
                               3 * sizeof(float) * (size_t)v[k].vertex_count);
    }
    return sherd_glb_add_accessor(&glb->accessors, &a);
}

static int add_texture(sherd_glb_file *glb, const sherd_glb_vertices *v, int count, const scales *s)
{
    bool small = glb->compact && s->small_texture;
    sherd_glb_view view = small ? SHERD_GLB_SMALL_TEXTURE : SHERD_GLB_TEXTURE;
    sherd_glb_accessor a =
        accessor_for(glb, view, 2, small ? SHERD_GLB_INT16 : SHERD_GLB_FLOAT, v, count);
    for (int k = 0; k < count; ++k) {
        if (small)
            append_small(&glb->data[view], v[k].texture, v[k].vertex_count, 2, SHERD_GLB_INT16,
                         s->shift, 1.0);
        else
            sherd_spool_append(&glb->data[view], v[k].texture,
                               2 * sizeof(float) * (size_t)v[k].vertex_count);
    }
    return sherd_glb_add_accessor(&glb->accessors, &a);
}

// Parts without colours are white, because the colour is a factor.
static int add_paint(sherd_glb_file *glb, const sherd_glb_vertices *v, int count)
{
    static const float WHITE[3] = {1.0f, 1.0f, 1.0f};
    sherd_glb_view view = glb->compact ? SHERD_GLB_SMALL_COLOR : SHERD_GLB_COLOR;
    sherd_glb_accessor a =
        accessor_for(glb, view, 3, glb->compact ? SHERD_GLB_UNIT16 : SHERD_GLB_FLOAT, v, count);
    for (int k = 0; k < count; ++k)
        for (int64_t row = 0; row < v[k].vertex_count; ++row) {
            const float *color = v[k].color != NULL ? v[k].color + 3 * row : WHITE;
            if (glb->compact)
                append_small(&glb->data[view], color, 1, 3, SHERD_GLB_UNIT16, NULL, 1.0);
            else
                sherd_spool_append(&glb->data[view], color, sizeof WHITE);
        }
    return sherd_glb_add_accessor(&glb->accessors, &a);
}

static int add_fragment(sherd_glb_file *glb, sherd_fragment_id fragment,
                        const sherd_glb_vertices *v, int count)
{
    float value = (float)fragment; // exact up to 16 million
    sherd_glb_accessor a = accessor_for(glb, SHERD_GLB_FRAGMENT, 1, SHERD_GLB_FLOAT, v, count);
    for (int64_t k = 0; k < a.count; ++k)
        sherd_spool_append(&glb->data[SHERD_GLB_FRAGMENT], &value, sizeof value);
    return sherd_glb_add_accessor(&glb->accessors, &a);
}

// Uses 16-bit indices if they suffice. 65535 is excluded because it is the primitive restart value.
static int add_indices(sherd_glb_file *glb, const sherd_glb_vertices *v, uint32_t before,
                       int64_t total)
{
    sherd_spool *data = &glb->data[SHERD_GLB_INDEX];
    bool small = total <= UINT16_MAX;
    int64_t count = 3 * (int64_t)v->triangle_count;
    sherd_glb_accessor accessor = {.view = SHERD_GLB_INDEX,
                                   .offset = sherd_spool_size(data),
                                   .count = count,
                                   .components = 1,
                                   .number = small ? SHERD_GLB_UINT16 : SHERD_GLB_UINT32};
    uint16_t words[BATCH];
    for (int64_t first = 0; first < count; first += BATCH) {
        size_t n = (size_t)(count - first < BATCH ? count - first : BATCH);
        for (size_t k = 0; small && k < n; ++k)
            words[k] = (uint16_t)(before + v->indices[(size_t)first + k]);
        if (small)
            sherd_spool_append(data, words, sizeof *words * n);
        else // 32-bit indices: the vertices are the only ones of their accessor
            sherd_spool_append(data, v->indices + first, sizeof *v->indices * n);
    }
    const uint16_t padding = 0; // ranges start at multiples of 4 bytes
    if (small && count % 2 != 0) sherd_spool_append(data, &padding, sizeof padding);
    return sherd_glb_add_accessor(&glb->accessors, &accessor);
}

// ---------------------------------------------------------------- primitives

// Indices of the vertex accessors of one or more parts.
typedef struct attributes {
    int position, normal, texture, color, fragment; // -1: none
    int64_t count;
} attributes;

static attributes add_vertices(sherd_glb_file *glb, const parts *p, int first, int count,
                               const scales *s)
{
    const sherd_glb_vertices *v = p->items + first;
    bool painted = false;
    attributes a = {.color = -1, .fragment = -1};
    for (int k = 0; k < count; ++k) {
        painted = painted || v[k].color != NULL;
        a.count += v[k].vertex_count;
    }
    a.position = add_positions(glb, v, count, s);
    a.normal = add_normals(glb, v, count);
    a.texture = add_texture(glb, v, count, s);
    if (painted) a.color = add_paint(glb, v, count);
    return a;
}

static void put_reference(sherd_byte_buffer *json, const char *name, int index)
{
    if (index < 0) return;
    sherd_json_key(json, name);
    sherd_json_integer(json, index);
}

static void put_primitive(sherd_glb_file *glb, const attributes *a, int indices, int material)
{
    sherd_byte_buffer *json = &glb->meshes;
    sherd_json_separate(json);
    sherd_json_raw(json, "{\"attributes\":{");
    put_reference(json, "POSITION", a->position);
    put_reference(json, "NORMAL", a->normal);
    put_reference(json, "TEXCOORD_0", a->texture);
    put_reference(json, "COLOR_0", a->color);
    put_reference(json, "_FRAGMENT", a->fragment);
    sherd_json_raw(json, "}");
    put_reference(json, "indices", indices);
    put_reference(json, "material", material);
    sherd_json_raw(json, "}");
}

static attributes shared_vertices(const sherd_glb_shared_part *part)
{
    return (attributes){part->position, part->normal, part->texture, part->color, -1, 0};
}

static void put_primitives(sherd_glb_file *glb, const parts *p, const scales *s)
{
    int64_t total = 0;
    for (int k = 0; k < p->count; ++k)
        total += p->items[k].vertex_count;
    bool joined = total <= UINT16_MAX;
    attributes a = {.fragment = -1};
    uint32_t before = 0;
    sherd_glb_shared_part *fill;
    const sherd_glb_shared_part *equal =
        sherd_glb_shared_find(&glb->shared, p->items, p->count, &fill);
    for (int k = 0; k < p->count; ++k) {
        const sherd_glb_vertices *v = &p->items[k];
        if (k == 0 || !joined) {
            a = equal != NULL ? shared_vertices(&equal[k])
                              : add_vertices(glb, p, k, joined ? p->count : 1, s);
            if (p->mesh->fragment != 0 && !glb->compact)
                a.fragment = add_fragment(glb, p->mesh->fragment, v, joined ? p->count : 1);
        }
        int indices =
            equal != NULL ? equal[k].indices : add_indices(glb, v, joined ? before : 0, a.count);
        put_primitive(glb, &a, indices, p->material[k]);
        before += (uint32_t)v->vertex_count;
        if (fill != NULL)
            fill[k] = (sherd_glb_shared_part){a.position, a.normal, a.texture, a.color, indices};
    }
}

// ---------------------------------------------------------------- meshes

static bool has_memory(const sherd_glb_file *glb)
{
    return !glb->meshes.failed && !glb->materials.failed && !glb->accessors.failed;
}

sherd_status sherd_glb_end_mesh(sherd_glb_file *glb, double scale, sherd_error *error)
{
    SHERD_ASSERT(scale > 0.0, "numbers of a mesh have a positive scale");
    sherd_status status = SHERD_OK;
    if (!has_memory(glb) || !sherd_grow((void **)&glb->mesh_scale, &glb->scale_capacity,
                                        glb->mesh_count + 1, sizeof *glb->mesh_scale))
        status = sherd_fail_memory(error, "glb");
    for (int k = 0; k < SHERD_GLB_ANIMATION && status == SHERD_OK; ++k)
        status = sherd_spool_check(&glb->data[k], "glb", error);
    if (status == SHERD_OK)
        glb->mesh_scale[glb->mesh_count++] = scale;
    else
        glb->meshes.failed = true; // an incomplete mesh: the file must not be written
    return status;
}

// Appends the faces of one material, if there are any. False if memory is short.
static bool take_faces(sherd_glb_file *glb, parts *p, const sherd_corner_fans *fans,
                       sherd_glb_faces faces, int material)
{
    sherd_glb_vertices *v = &p->items[p->count];
    bool room = sherd_glb_split_by(v, &glb->scratch, p->mesh, fans, faces, glb->texture_size);
    p->material[p->count] = material;
    if (room && v->triangle_count > 0) ++p->count;
    return room;
}

// Reuses the arrays of the previous mesh.
static bool take_parts(sherd_glb_file *glb, parts *p)
{
    const sherd_animation_mesh *mesh = p->mesh;
    size_t most = (size_t)mesh->group_count + 2;
    sherd_corner_fans fans = {.place = NULL};
    bool room = sherd_grow((void **)&glb->parts, &glb->part_room, most, sizeof *glb->parts) &&
                sherd_grow((void **)&glb->part_material, &glb->part_material_room, most,
                           sizeof *glb->part_material) &&
                sherd_export_corner_fans(&fans, mesh) &&
                sherd_glb_find_normals(&glb->scratch, mesh, &fans);
    p->items = glb->parts;
    p->material = glb->part_material;
    for (int32_t g = -1; room && g < mesh->group_count; ++g)
        room = take_faces(glb, p, &fans, (sherd_glb_faces){SHERD_FACE_OUTER, g},
                          g < 0 ? mesh->outer_material : mesh->group_materials[g]);
    room = room &&
           take_faces(glb, p, &fans, (sherd_glb_faces){SHERD_FACE_INNER, -1}, mesh->inner_material);
    sherd_corner_fans_release(&fans);
    return room;
}

sherd_status sherd_glb_file_add_mesh(sherd_animation *animation, const sherd_animation_mesh *mesh,
                                     sherd_error *error)
{
    sherd_glb_file *glb = animation->file;
    parts p = {.mesh = mesh};
    double scale = 1.0;
    sherd_json_separate(&glb->meshes);
    sherd_json_raw(&glb->meshes, "{\"name\":");
    sherd_json_string(&glb->meshes, mesh->name != NULL ? mesh->name : "mesh");
    sherd_json_raw(&glb->meshes, ",\"primitives\":[");
    if (take_parts(glb, &p)) {
        scales s = {.length = 1.0};
        if (glb->compact) s = find_scales(p.items, p.count);
        put_primitives(glb, &p, &s);
        scale = s.length;
    } else {
        glb->meshes.failed = true;
    }
    sherd_json_raw(&glb->meshes, "]}");
    return sherd_glb_end_mesh(glb, scale, error);
}
