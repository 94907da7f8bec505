// What every kind of shape provides. A concrete shape is a struct that starts with sherd_shape; its
// file holds one const table of these functions.
#pragma once

#include "geometry/shape/shape_range.h"

#include <sherd/shape.h>

#include <stddef.h>

struct sherd_look;

// A place of the surface, as seen from a point (shape_near.h).
typedef struct sherd_near_place {
    double distance;   // of the point, > 0 where it is on the side that is asked for [m]
    sherd_vec3 normal; // from the place to the point, unit
} sherd_near_place;

// Which places are asked for: nearer than `reach`, and seen from one side of the surface.
typedef struct sherd_near_view {
    sherd_vec3 point;
    double reach;    // [m]
    sherd_side side; // what is cut away is seen from inside
} sherd_near_view;

// Sorted by distance; the nearest of them where there are more.
typedef struct sherd_near_list {
    int count;
    sherd_near_place places[32];
} sherd_near_list;

typedef struct sherd_shape_kind {
    const char *name;
    // Signed distance [m]; `normal` (may be NULL) gets the unit gradient.
    double (*distance)(const sherd_shape *shape, sherd_vec3 point, sherd_vec3 *normal);
    // The same, where that is found sooner, no more closely than asked for: any distance below
    // range.low where the surface is nearer, INFINITY where it is range.high or farther away on either side, or always
    // the distance; `normal` (may be NULL) as in `distance`, where it is exact. NULL: no sooner. Asked by sherd_shape_distance_between.
    double (*distance_between)(const sherd_shape *shape, sherd_vec3 point,
                               sherd_distance_range range, sherd_vec3 *normal);
    // Adds the places that are nearer to a point than all others around them; those of one direction may be there
    // twice. Seen from inside also where walls would go on, up to `reach` beyond their ends: what a shape cuts
    // away may end in the surface it is cut from. NULL: there is never more than one, that of `distance`.
    void (*near)(const sherd_shape *shape, const sherd_near_view *view, sherd_near_list *list);
    // shape_near.h's sherd_shape_is_smooth. NULL: not known.
    bool (*is_smooth)(const sherd_shape *shape, sherd_vec3 point, double reach, double around);
    // Largest value of direction . x over the shape (`direction` need not be a unit vector).
    double (*support)(const sherd_shape *shape, sherd_vec3 direction);
    double (*volume)(const sherd_shape *shape); // [m^3]
    // See sherd_shape_surface; normals are added by the caller.
    sherd_mesh *(*surface)(const sherd_shape *shape, double edge_length, sherd_error *error);
    // See sherd_shape_faces; NULL: the surface.
    sherd_mesh *(*faces)(const sherd_shape *shape, double edge_length, sherd_error *error);
    // See shape_look.h's sherd_look_part; NULL: the surface.
    sherd_mesh *(*look)(const sherd_shape *shape, struct sherd_look *look, sherd_error *error);
    // Whether the surface's texture coordinates are a file's; NULL: they are metres, if there are any.
    bool (*own_texture)(const sherd_shape *shape);
    // Whether the surface has colours or material groups; NULL: it has not.
    bool (*is_painted)(const sherd_shape *shape);
    // Frees what the shape owns besides its own memory; may be NULL.
    void (*release)(sherd_shape *shape);
} sherd_shape_kind;

struct sherd_shape {
    const sherd_shape_kind *kind;
    sherd_bounds bounds; // [m]
    bool concave;        // a ball outside may touch it in several places
    bool blind[2];       // seen from outside, from inside: of its places only the nearest is known
    bool bounded; // its distance outside is a lower bound, beyond edges that a difference makes
};

// A zeroed shape of `size` bytes with its kind set, or NULL with an error.
void *sherd_shape_allocate(size_t size, const sherd_shape_kind *kind, sherd_error *error);

// Computes the bounds once the concrete shape's fields are set; returns `shape`.
sherd_shape *sherd_shape_finish(sherd_shape *shape);

bool sherd_shape_has_own_texture(const sherd_shape *shape);
bool sherd_shape_is_painted(const sherd_shape *shape);

// True, or false with an error, for a length in metres that is finite and positive. `where` is the
// function's name, `name` the argument's.
bool sherd_shape_check_length(double value, const char *where, const char *name,
                              sherd_error *error);

// Distance and normal by one query, cheaper than two calls. `normal` may be NULL.
double sherd_shape_distance_and_normal(const sherd_shape *shape, sherd_vec3 point,
                                       sherd_vec3 *normal);

void sherd_near_add(sherd_near_list *list, sherd_near_place place);
// Adds a place unless it is behind the point or out of reach; the nearest place on the side of the view.
void sherd_near_add_seen(const sherd_near_view *view, sherd_near_place place,
                         sherd_near_list *list);
void sherd_near_nearest(const sherd_shape *shape, const sherd_near_view *view,
                        sherd_near_list *list);
// What `near` adds, or the nearest place where a kind has none.
void sherd_near_collect(const sherd_shape *shape, const sherd_near_view *view,
                        sherd_near_list *list);

// Triangles of which those within about edge_length / 10 of the surface make it up: the surfaces of
// all parts, for a union or difference whole as they were. Walls of any thinness are there, which
// sherd_shape_surface can't find in combined shapes; where parts meet, triangles go on beyond.
sherd_mesh *sherd_shape_faces(const sherd_shape *shape, double edge_length, sherd_error *error);

// sherd_shape_extrude of several outlines (sherd_polygon_init_outlines).
sherd_shape *sherd_shape_extrude_outlines(const sherd_vec2 *vertices, const int32_t *end, int count,
                                          double height, const char *where, sherd_error *error);
