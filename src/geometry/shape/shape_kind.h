// What every kind of shape provides. A concrete shape is a struct that starts with sherd_shape; its
// file holds one const table of these functions.
#pragma once

#include "geometry/shape/shape_range.h"

#include <sherd/shape.h>

#include <stddef.h>

typedef struct sherd_shape_kind {
    const char *name;
    // Signed distance [m]; `normal` (may be NULL) gets the unit gradient.
    double (*distance)(const sherd_shape *shape, sherd_vec3 point, sherd_vec3 *normal);
    // The same, where that is found sooner, no more closely than asked for: any distance below
    // range.low where the surface is nearer, INFINITY where it is range.high or farther away on either side, or always
    // the distance; `normal` (may be NULL) as in `distance`, where it is exact. NULL: no sooner. Asked by sherd_shape_distance_between.
    double (*distance_between)(const sherd_shape *shape, sherd_vec3 point,
                               sherd_distance_range range, sherd_vec3 *normal);
    // Largest value of direction . x over the shape (`direction` need not be a unit vector).
    double (*support)(const sherd_shape *shape, sherd_vec3 direction);
    double (*volume)(const sherd_shape *shape); // [m^3]
    // See sherd_shape_surface; normals are added by the caller.
    sherd_mesh *(*surface)(const sherd_shape *shape, double edge_length, sherd_error *error);
    // See sherd_shape_faces; NULL: the surface.
    sherd_mesh *(*faces)(const sherd_shape *shape, double edge_length, sherd_error *error);
    // Whether the surface's texture coordinates are a file's; NULL: they are metres, if there are any.
    bool (*own_texture)(const sherd_shape *shape);
    // Frees what the shape owns besides its own memory; may be NULL.
    void (*release)(sherd_shape *shape);
} sherd_shape_kind;

struct sherd_shape {
    const sherd_shape_kind *kind;
    sherd_bounds bounds; // [m]
};

// A zeroed shape of `size` bytes with its kind set, or NULL with an error.
void *sherd_shape_allocate(size_t size, const sherd_shape_kind *kind, sherd_error *error);

// Computes the bounds once the concrete shape's fields are set; returns `shape`.
sherd_shape *sherd_shape_finish(sherd_shape *shape);

bool sherd_shape_has_own_texture(const sherd_shape *shape);

// True, or false with an error, for a length in metres that is finite and positive. `where` is the
// function's name, `name` the argument's.
bool sherd_shape_check_length(double value, const char *where, const char *name,
                              sherd_error *error);

// Distance and normal by one query, cheaper than two calls. `normal` may be NULL.
double sherd_shape_distance_and_normal(const sherd_shape *shape, sherd_vec3 point,
                                       sherd_vec3 *normal);

// Triangles of which those within about edge_length / 10 of the surface make it up: the surfaces of
// all parts, for a union or difference whole as they were. Walls of any thinness are there, which
// sherd_shape_surface can't find in combined shapes; where parts meet, triangles go on beyond.
sherd_mesh *sherd_shape_faces(const sherd_shape *shape, double edge_length, sherd_error *error);
