// The interface of every kind of shape. A concrete shape is a struct that starts with sherd_shape;
// its file defines one const table of these functions.
#pragma once

#include "geometry/shape/shape_range.h"

#include <sherd/shape.h>

#include <stddef.h>

struct sherd_display_mesh_build;

// A contact point of the surface for a query point (shape_contact_points.h).
typedef struct sherd_near_point {
    double distance;   // distance of the query point, > 0 on the requested side [m]
    sherd_vec3 normal; // unit vector from the contact point to the query point
} sherd_near_point;

// Selects contact points: nearer than `reach`, on one side of the surface.
typedef struct sherd_near_view {
    sherd_vec3 point;
    double reach;    // [m]
    sherd_side side; // a cut-away part is viewed from inside
} sherd_near_view;

// Contact points sorted by distance; the nearest ones if the capacity is exceeded.
typedef struct sherd_near_list {
    int count;
    sherd_near_point points[32];
} sherd_near_list;

typedef struct sherd_shape_kind {
    const char *name;
    // Signed distance [m]; `normal` (may be NULL) receives the unit gradient.
    double (*distance)(const sherd_shape *shape, sherd_vec3 point, sherd_vec3 *normal);
    // A faster query of limited accuracy: any distance below range.low if the surface is nearer,
    // INFINITY if it is range.high or farther on either side, else (or always) the distance;
    // `normal` (may be NULL) as in `distance`, where that is exact. NULL: no faster query. Called
    // by sherd_shape_distance_between.
    double (*distance_between)(const sherd_shape *shape, sherd_vec3 point,
                               sherd_distance_range range, sherd_vec3 *normal);
    // Signed distances of the points of a row along x (count), any positive number for those
    // outside. NULL: no faster than one after the other.
    void (*row)(const sherd_shape *shape, const double *x, double y, double z, size_t count,
                double *distance);
    // Adds local minima of distance; those of one direction may occur twice. Viewed from inside,
    // also points on the continuation of walls, up to `reach` beyond their ends: a cut-away shape
    // may end in the surface it is cut from. NULL: there is at most one, that of `distance`.
    void (*near)(const sherd_shape *shape, const sherd_near_view *view, sherd_near_list *list);
    // Implements sherd_shape_is_smooth (shape_contact_points.h). NULL: not known.
    bool (*is_smooth)(const sherd_shape *shape, sherd_vec3 point, double reach, double around);
    // Largest value of direction . x over the shape (`direction` need not be a unit vector).
    double (*support)(const sherd_shape *shape, sherd_vec3 direction);
    double (*volume)(const sherd_shape *shape); // [m^3]
    // See sherd_shape_surface; normals are added by the caller.
    sherd_mesh *(*surface)(const sherd_shape *shape, double edge_length, sherd_error *error);
    // See sherd_shape_faces; NULL: the surface.
    sherd_mesh *(*faces)(const sherd_shape *shape, double edge_length, sherd_error *error);
    // See shape_display_mesh.h's sherd_display_mesh_part; NULL: the surface.
    sherd_mesh *(*display_mesh)(const sherd_shape *shape, struct sherd_display_mesh_build *build,
                                sherd_error *error);
    // Whether the surface's texture coordinates come from a file; NULL: they are metres, if there
    // are any.
    bool (*own_texture)(const sherd_shape *shape);
    // Whether the surface has colours or material groups; NULL: no.
    bool (*is_painted)(const sherd_shape *shape);
    // Implements sherd_shape_same_solid for two shapes of this kind.
    bool (*same)(const sherd_shape *a, const sherd_shape *b);
    // Frees the resources of the shape other than its own memory; may be NULL.
    void (*release)(sherd_shape *shape);
} sherd_shape_kind;

struct sherd_shape {
    const sherd_shape_kind *kind;
    sherd_bounds bounds; // [m]
    bool concave;        // a ball outside may touch it at several points
    bool blind[2];       // from outside, from inside: only the nearest contact point is known
    bool bounded; // its distance outside is a lower bound, beyond edges created by a difference
};

// The larger and the smaller of two numbers, without the calls that fmax and fmin are for the sake
// of NaN: distances are where the time of packing goes.
static inline double sherd_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double sherd_smaller(double a, double b)
{
    return a < b ? a : b;
}

// Returns a zeroed shape of `size` bytes with its kind set, or NULL with an error.
void *sherd_shape_allocate(size_t size, const sherd_shape_kind *kind, sherd_error *error);

// Computes the bounds after the concrete shape's members were set; returns `shape`.
sherd_shape *sherd_shape_finish(sherd_shape *shape);

// Returns whether two shapes are the same solid, made of the same numbers bit for bit: then all
// queries but those of looks give the same bits. Colours, textures and groups may differ.
bool sherd_shape_same_solid(const sherd_shape *a, const sherd_shape *b);

bool sherd_shape_has_own_texture(const sherd_shape *shape);
bool sherd_shape_is_painted(const sherd_shape *shape);

// Returns true for a finite, positive length in metres, else false with an error. `where` is the
// function's name, `name` the argument's.
bool sherd_shape_check_length(double value, const char *where, const char *name,
                              sherd_error *error);

// Returns distance and normal by one query, cheaper than two calls. `normal` may be NULL.
double sherd_shape_distance_and_normal(const sherd_shape *shape, sherd_vec3 point,
                                       sherd_vec3 *normal);

void sherd_near_add(sherd_near_list *list, sherd_near_point contact);
// Adds a contact point unless it is behind the query point or out of reach; returns the nearest
// point on the view's side.
void sherd_near_add_seen(const sherd_near_view *view, sherd_near_point contact,
                         sherd_near_list *list);
void sherd_near_nearest(const sherd_shape *shape, const sherd_near_view *view,
                        sherd_near_list *list);
// Calls `near`, or adds the nearest point for kinds without it.
void sherd_near_collect(const sherd_shape *shape, const sherd_near_view *view,
                        sherd_near_list *list);

// Returns a superset of the surface: triangles within about edge_length / 10 of it form the
// surface; for a union or difference, the complete surfaces of all parts. Contains walls of any
// thickness, unlike sherd_shape_surface for combined shapes; where parts intersect, triangles
// continue beyond.
sherd_mesh *sherd_shape_faces(const sherd_shape *shape, double edge_length, sherd_error *error);

// sherd_shape_extrude for several outlines (sherd_polygon_init_outlines).
sherd_shape *sherd_shape_extrude_outlines(const sherd_vec2 *vertices, const int32_t *end, int count,
                                          double height, const char *where, sherd_error *error);
