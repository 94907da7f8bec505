// Shapes that a ball may touch in several places: a groove, and the inside of a box, of meshes and made otherwise.
#pragma once

#include <sherd/mesh.h>
#include <sherd/shape.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

static inline sherd_shape *mesh_of(sherd_shape *shape, double edge)
{
    sherd_error error;
    sherd_mesh *mesh = sherd_shape_surface(shape, edge, &error);
    cr_assert(mesh != NULL, "%s", error.what);
    sherd_shape *made = sherd_shape_mesh(mesh, &error);
    cr_assert(made != NULL, "%s", error.what);
    sherd_mesh_destroy(mesh);
    sherd_shape_destroy(shape);
    return made;
}

static inline sherd_shape *moved(sherd_shape *shape, sherd_vec3 by)
{
    sherd_error error;
    sherd_shape *placed = sherd_shape_placed(shape, (sherd_pose){by, SHERD_QUAT_IDENTITY}, &error);
    cr_assert(placed != NULL, "%s", error.what);
    return placed;
}

// A block with a groove along z whose walls are `half_angle` off the plane x = 0 and meet in the origin.
static inline sherd_shape *extruded_groove(double half_angle, double deep)
{
    sherd_error error;
    double wide = deep * tan(half_angle), side = wide + deep;
    const sherd_vec2 outline[] = {{-side, -deep}, {side, -deep}, {side, deep}, {wide, deep},
                                  {0.0, 0.0},     {-wide, deep}, {-side, deep}};
    sherd_shape *shape = sherd_shape_extrude(outline, 7, 4.0 * deep, &error);
    cr_assert(shape != NULL, "%s", error.what);
    return shape;
}

static inline sherd_shape *groove_of(double half_angle, double deep, double edge)
{
    return mesh_of(extruded_groove(half_angle, deep), edge);
}

static inline double noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1u << 24) - 0.5;
}

// The same room as room_of, cut out of a box, or of six boxes that overlap at its edges.
static inline sherd_shape *cut_room(sherd_vec3 size, double wall)
{
    sherd_error error;
    sherd_vec3 outer = {size.x + 2.0 * wall, size.y + 2.0 * wall, size.z + 2.0 * wall};
    sherd_shape *room = sherd_shape_difference(sherd_shape_box(outer, &error),
                                               sherd_shape_box(size, &error), &error);
    cr_assert(room != NULL, "%s", error.what);
    return room;
}

static inline void add_walls(sherd_vec3 size, double wall, sherd_shape *walls[6])
{
    sherd_error error;
    const double half[3] = {0.5 * size.x, 0.5 * size.y, 0.5 * size.z};
    for (int k = 0; k < 6; ++k) {
        double lengths[3], at[3] = {0.0, 0.0, 0.0};
        for (int a = 0; a < 3; ++a)
            lengths[a] = a == k / 2 ? wall : 2.0 * (half[a] + wall);
        at[k / 2] = (k % 2 ? -1.0 : 1.0) * (half[k / 2] + 0.5 * wall);
        walls[k] = moved(sherd_shape_box((sherd_vec3){lengths[0], lengths[1], lengths[2]}, &error),
                         (sherd_vec3){at[0], at[1], at[2]});
    }
}

static inline sherd_shape *built_room(sherd_vec3 size, double wall, bool by_tree)
{
    sherd_error error;
    sherd_shape *walls[6];
    add_walls(size, wall, walls);
    if (by_tree) return sherd_shape_union_of(walls, 6, &error);
    sherd_shape *room = walls[0];
    for (int k = 1; k < 6; ++k)
        room = sherd_shape_union(room, walls[k], &error);
    return room;
}

// A closed box with walls `wall` thick around a room of `size`, centred; inside triangles of about `edge`, irregular
// where they are not at its edges, and flat.
static inline sherd_shape *room_of(sherd_vec3 size, double wall, double edge)
{
    sherd_error error;
    sherd_vec3 outer = {size.x + 2.0 * wall, size.y + 2.0 * wall, size.z + 2.0 * wall};
    sherd_shape *shapes[2] = {sherd_shape_box(outer, &error), sherd_shape_box(size, &error)};
    sherd_mesh *out = sherd_shape_surface(shapes[0], 2.0 * outer.x, &error);
    sherd_mesh *in = sherd_shape_surface(shapes[1], edge, &error);
    cr_assert(out != NULL && in != NULL);
    const double half[3] = {0.5 * size.x, 0.5 * size.y, 0.5 * size.z};
    uint32_t seed = 7;
    for (int32_t v = 0; v < in->vertex_count; ++v) {
        double *at = in->vertices + 3 * v;
        int walls = 0;
        for (int a = 0; a < 3; ++a)
            walls += fabs(at[a]) > half[a] - 1e-3 * edge;
        for (int a = 0; a < 3 && walls == 1; ++a)
            if (fabs(at[a]) < half[a] - 1e-3 * edge) at[a] += 0.3 * edge * noise(&seed);
    }
    sherd_mesh *all = sherd_mesh_create(out->vertex_count + in->vertex_count,
                                        out->triangle_count + in->triangle_count, &error);
    memcpy(all->vertices, out->vertices, sizeof(double[3]) * (size_t)out->vertex_count);
    memcpy(all->vertices + 3 * out->vertex_count, in->vertices,
           sizeof(double[3]) * (size_t)in->vertex_count);
    memcpy(all->triangles, out->triangles, sizeof(int32_t[3]) * (size_t)out->triangle_count);
    for (int32_t t = 0; t < in->triangle_count; ++t) {
        int32_t *to = all->triangles + 3 * (out->triangle_count + t);
        for (int c = 0; c < 3; ++c)
            to[c] = out->vertex_count + in->triangles[3 * t + 2 - c]; // seen from within
    }
    sherd_shape *room = sherd_shape_mesh(all, &error);
    cr_assert(room != NULL, "%s", error.what);
    sherd_mesh_destroy(all), sherd_mesh_destroy(in), sherd_mesh_destroy(out);
    sherd_shape_destroy(shapes[0]), sherd_shape_destroy(shapes[1]);
    return room;
}
