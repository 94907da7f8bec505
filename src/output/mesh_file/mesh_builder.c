#include "output/mesh_file/mesh_builder.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

// Half-edges (three a triangle) must fit 32 bits.
static const size_t MAX_TRIANGLES = INT32_MAX / 3;

bool sherd_mesh_builder_add_vertex(sherd_mesh_builder *builder, const double position[3])
{
    size_t numbers = 3 * builder->vertex_count;
    if (builder->vertex_count >= INT32_MAX ||
        !sherd_grow((void **)&builder->vertices, &builder->vertex_capacity, numbers + 3,
                    sizeof *builder->vertices))
        return false;
    memcpy(builder->vertices + numbers, position, 3 * sizeof *position);
    ++builder->vertex_count;
    return true;
}

static bool add_uv(sherd_mesh_builder *builder, const float *uv)
{
    size_t numbers = 6 * builder->triangle_count;
    if (!builder->has_uv) return true;
    if (!sherd_grow((void **)&builder->uv, &builder->uv_capacity, numbers + 6, sizeof *builder->uv))
        return false;
    if (uv != NULL) memcpy(builder->uv + numbers, uv, 6 * sizeof *uv); // else zeros
    return true;
}

// Grown arrays are zeroed and stored groups count from 1, so earlier triangles have no group.
static bool add_group(sherd_mesh_builder *builder)
{
    if (builder->group_count == 0) return true;
    if (!sherd_grow((void **)&builder->group, &builder->group_capacity, builder->triangle_count + 1,
                    sizeof *builder->group))
        return false;
    builder->group[builder->triangle_count] = builder->present_group;
    return true;
}

bool sherd_mesh_builder_add_triangle(sherd_mesh_builder *builder, const int32_t corners[3],
                                     const float *uv, uint8_t face_kind)
{
    size_t numbers = 3 * builder->triangle_count;
    if (builder->triangle_count >= MAX_TRIANGLES || !add_uv(builder, uv) || !add_group(builder) ||
        !sherd_grow((void **)&builder->triangles, &builder->triangle_capacity, numbers + 3,
                    sizeof *builder->triangles) ||
        !sherd_grow((void **)&builder->face_kind, &builder->face_kind_capacity,
                    builder->triangle_count + 1, sizeof *builder->face_kind))
        return false;
    memcpy(builder->triangles + numbers, corners, 3 * sizeof *corners);
    builder->face_kind[builder->triangle_count++] = face_kind;
    return true;
}

// Grown arrays are zeroed: black.
static bool reach_colors(sherd_mesh_builder *builder)
{
    return sherd_grow((void **)&builder->color, &builder->color_capacity, 3 * builder->vertex_count,
                      sizeof *builder->color);
}

bool sherd_mesh_builder_paint(sherd_mesh_builder *builder, const double color[3])
{
    SHERD_ASSERT(builder->vertex_count > 0, "colours follow their vertex");
    if (!reach_colors(builder)) return false;
    builder->has_color = true;
    for (size_t k = 0; k < 3; ++k)
        builder->color[3 * (builder->vertex_count - 1) + k] = (float)color[k];
    return true;
}

// A polygon's corners in its mean plane, in an order that runs counter-clockwise there.
typedef struct flat_polygon {
    const int32_t *corners;
    size_t *after; // ring of the corners not yet clipped
    double (*plane)[2];
} flat_polygon;

// Normal whose components are the projected areas (Newell's method), relative to the first corner.
static void newell_normal(const double *vertices, const int32_t *corners, size_t count,
                          double normal[3])
{
    const double *o = vertices + 3 * (size_t)corners[0];
    normal[0] = normal[1] = normal[2] = 0.0;
    for (size_t k = 0; k < count; ++k) {
        const double *p = vertices + 3 * (size_t)corners[k];
        const double *q = vertices + 3 * (size_t)corners[k + 1 < count ? k + 1 : 0];
        for (int a = 0; a < 3; ++a) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            normal[a] += (p[b] - q[b]) * (p[c] + q[c] - 2.0 * o[c]);
        }
    }
}

// Drops the axis with the largest normal component; keeps the polygon counter-clockwise.
static void flatten(const double *vertices, size_t count, flat_polygon *polygon)
{
    double normal[3];
    newell_normal(vertices, polygon->corners, count, normal);
    int drop = 0;
    for (int a = 1; a < 3; ++a)
        if (fabs(normal[a]) > fabs(normal[drop])) drop = a;
    int u = (drop + 1) % 3, v = (drop + 2) % 3;
    if (normal[drop] < 0.0) {
        int swap = u;
        u = v, v = swap;
    }
    for (size_t k = 0; k < count; ++k) {
        const double *p = vertices + 3 * (size_t)polygon->corners[k];
        polygon->plane[k][0] = p[u];
        polygon->plane[k][1] = p[v];
        polygon->after[k] = k + 1 < count ? k + 1 : 0;
    }
}

static double turn(const flat_polygon *polygon, size_t a, size_t b, size_t c)
{
    const double *p = polygon->plane[a], *q = polygon->plane[b], *r = polygon->plane[c];
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

// True if `tip` is convex and no other remaining corner is inside its triangle.
static bool is_ear(sherd_mesh_builder *builder, const flat_polygon *polygon, size_t before,
                   size_t tip, size_t behind)
{
    ++builder->ear_tests;
    if (turn(polygon, before, tip, behind) <= 0.0) return false;
    for (size_t k = polygon->after[behind]; k != before; k = polygon->after[k]) {
        ++builder->ear_tests;
        if (turn(polygon, before, tip, k) >= 0.0 && turn(polygon, tip, behind, k) >= 0.0 &&
            turn(polygon, behind, before, k) >= 0.0)
            return false;
    }
    return true;
}

static bool add_ear(sherd_mesh_builder *builder, const sherd_mesh_polygon *from, size_t a, size_t b,
                    size_t c)
{
    const int32_t corners[3] = {from->corners[a], from->corners[b], from->corners[c]};
    const float *all = from->uv;
    float uv[6] = {0.0f};
    const size_t k[3] = {a, b, c};
    for (int n = 0; n < 6 && all != NULL; ++n)
        uv[n] = all[2 * k[n / 2] + (size_t)(n % 2)];
    return sherd_mesh_builder_add_triangle(builder, corners, uv, from->face_kind);
}

bool sherd_mesh_builder_may_cut(const sherd_mesh_builder *builder)
{
    int64_t triangles = (int64_t)builder->triangle_count;
    return builder->ear_tests <=
           SHERD_MESH_MAX_EAR_TESTS + SHERD_MESH_MAX_EAR_TESTS_EACH * triangles;
}

// Clips ears; if a whole round finds none (the polygon intersects itself), clips any corner.
static bool clip_ears(sherd_mesh_builder *builder, const sherd_mesh_polygon *from,
                      flat_polygon *polygon)
{
    size_t before = from->count - 1, left = from->count, misses = 0;
    while (left > 2) {
        size_t tip = polygon->after[before], behind = polygon->after[tip];
        if (!sherd_mesh_builder_may_cut(builder)) return false;
        if (left > 3 && misses <= left && !is_ear(builder, polygon, before, tip, behind)) {
            before = tip;
            ++misses;
            continue;
        }
        if (!add_ear(builder, from, before, tip, behind)) return false;
        polygon->after[before] = behind;
        --left;
        misses = 0;
    }
    return true;
}

bool sherd_mesh_builder_add_polygon(sherd_mesh_builder *builder, const sherd_mesh_polygon *from)
{
    SHERD_ASSERT(from->count >= 3, "a polygon has corners");
    if (from->count == 3) return add_ear(builder, from, 0, 1, 2);
    flat_polygon polygon = {.corners = from->corners};
    polygon.after = sherd_alloc(from->count, sizeof *polygon.after);
    polygon.plane = sherd_alloc(from->count, sizeof *polygon.plane);
    bool added = polygon.after != NULL && polygon.plane != NULL;
    if (added) {
        flatten(builder->vertices, from->count, &polygon);
        added = clip_ears(builder, from, &polygon);
    }
    sherd_free(polygon.after);
    sherd_free(polygon.plane);
    return added;
}

// Drops materials of groups without triangles, as their groups are dropped.
static void hand_over_looks(sherd_mesh_builder *builder, sherd_mesh *mesh)
{
    if (mesh->group != NULL && builder->materials != NULL &&
        sherd_mesh_builder_reach_materials(builder)) {
        mesh->materials = builder->materials;
        mesh->pictures = builder->pictures;
        mesh->picture_count = (int32_t)builder->picture_count;
        builder->materials = NULL;
        builder->pictures = NULL;
        builder->picture_count = 0;
    }
    mesh->notes = builder->notes;
    mesh->note_count = builder->note_count;
    builder->notes = NULL;
}

sherd_mesh *sherd_mesh_builder_finish(sherd_mesh_builder *builder, sherd_error *error)
{
    sherd_mesh *mesh = sherd_mesh_create(0, 0, error);
    if (mesh != NULL) {
        // Grown arrays may be missing when nothing was added; the mesh's own are valid then.
        if (builder->vertices != NULL) {
            sherd_free(mesh->vertices);
            mesh->vertices = builder->vertices;
            builder->vertices = NULL;
        }
        if (builder->triangles != NULL) {
            sherd_free(mesh->triangles);
            mesh->triangles = builder->triangles;
            builder->triangles = NULL;
        }
        if (builder->has_face_kind) {
            mesh->face_kind = builder->face_kind;
            builder->face_kind = NULL;
        }
        mesh->uv = builder->uv;
        builder->uv = NULL;
        for (size_t t = 0; builder->group != NULL && t < builder->triangle_count; ++t)
            --builder->group[t];
        mesh->group = builder->group;
        builder->group = NULL;
        mesh->group_count = mesh->group != NULL ? builder->group_count : 0;
        if (mesh->group != NULL) {
            mesh->group_names = builder->group_names;
            builder->group_names = NULL;
        }
        hand_over_looks(builder, mesh);
        mesh->vertex_count = (int32_t)builder->vertex_count;
        mesh->triangle_count = (int32_t)builder->triangle_count;
    }
    if (mesh != NULL && builder->has_color) {
        if (!reach_colors(builder)) {
            sherd_mesh_destroy(mesh);
            mesh = NULL;
            sherd_fail_memory(error, "a mesh's colours");
        } else {
            mesh->color = builder->color;
            builder->color = NULL;
        }
    }
    sherd_mesh_builder_release(builder);
    return mesh;
}

void sherd_mesh_builder_release(sherd_mesh_builder *builder)
{
    sherd_free(builder->vertices);
    sherd_free(builder->triangles);
    sherd_free(builder->face_kind);
    sherd_free(builder->uv);
    sherd_free(builder->color);
    sherd_free(builder->group);
    sherd_free(builder->group_names);
    sherd_free(builder->group_begin);
    sherd_free(builder->group_slots);
    sherd_free(builder->materials);
    for (size_t k = 0; k < builder->picture_count; ++k) {
        sherd_free(builder->pictures[k].name);
        sherd_free(builder->pictures[k].bytes);
    }
    sherd_free(builder->pictures);
    sherd_free(builder->picture_sources);
    sherd_free(builder->notes);
    *builder = (sherd_mesh_builder){0};
}
