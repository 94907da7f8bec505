// Solid shapes: signed distance, bounds, volume and surface. A shape is immutable, so any number of
// threads may query it.
//
// Every constructor returns an owned shape, to be freed with sherd_shape_destroy, or NULL with
// SHERD_ERROR_INPUT (a length that is not finite and positive, a polygon that is degenerate or
// intersects itself) or SHERD_ERROR_MEMORY. Shapes are centred on the origin unless stated
// otherwise; axes are along z.
#pragma once

#include <sherd/mesh.h>

// A shape; opaque.
typedef struct sherd_shape sherd_shape;

// Creates a box with edge lengths `size` [m].
SHERD_API sherd_shape *sherd_shape_box(sherd_vec3 size, sherd_error *error);
// Creates a sphere of radius `radius` [m].
SHERD_API sherd_shape *sherd_shape_sphere(double radius, sherd_error *error);
// Creates a cylinder with its axis along z [m].
SHERD_API sherd_shape *sherd_shape_cylinder(double radius, double height, sherd_error *error);
// Creates a capsule with its axis along z; `length` is the distance between the centres of its two
// hemispherical caps [m].
SHERD_API sherd_shape *sherd_shape_capsule(double radius, double length, sherd_error *error);
// Creates a torus about z: a tube of radius `minor_radius` whose centre line has `major_radius`
// [m].
SHERD_API sherd_shape *sherd_shape_torus(double major_radius, double minor_radius,
                                         sherd_error *error);
// Creates a solid of revolution about z from a closed polygon in the (r, z) half plane, r >= 0 [m]
// (count), of either orientation.
SHERD_API sherd_shape *sherd_shape_revolve(const sherd_vec2 *profile, int count,
                                           sherd_error *error);
// Creates a prism from a closed polygon in the xy plane [m] (count), of either orientation,
// extruded from z = -height/2 to height/2.
SHERD_API sherd_shape *sherd_shape_extrude(const sherd_vec2 *outline, int count, double height,
                                           sherd_error *error);
// Creates a line of UTF-8 text, up to 200 letters, in the xy plane, extruded from z = -depth/2 to
// depth/2 [m]. Capitals reach from y = -height/2 to height/2, descenders lower; the text is centred
// at x = 0. `font_file` is a TrueType or OpenType font; NULL: the built-in DejaVu Sans Bold.
SHERD_API sherd_shape *sherd_shape_text(const char *text, const char *font_file, double height,
                                        double depth, sherd_error *error);
// Creates the solid inside a closed, outward-oriented mesh (see sherd_mesh_repair), which is
// copied.
SHERD_API sherd_shape *sherd_shape_mesh(const sherd_mesh *mesh, sherd_error *error);

// Creates the union of two shapes. Takes ownership of both, also on failure.
SHERD_API sherd_shape *sherd_shape_union(sherd_shape *a, sherd_shape *b, sherd_error *error);
// Creates the union of 1 to 10,000 shapes (count) and takes ownership of them, also on failure. A
// tree makes the cost of a distance grow with the logarithm of their number.
SHERD_API sherd_shape *sherd_shape_union_of(sherd_shape *const *parts, int count,
                                            sherd_error *error);
// Creates `a` without `b`. Takes ownership of both, also on failure.
SHERD_API sherd_shape *sherd_shape_difference(sherd_shape *a, sherd_shape *b, sherd_error *error);
// Creates a shape moved and rotated by `pose`. Takes ownership of it, also on failure.
SHERD_API sherd_shape *sherd_shape_placed(sherd_shape *shape, sherd_pose pose, sherd_error *error);

// Destroys a shape and the shapes that it owns. NULL is allowed.
SHERD_API void sherd_shape_destroy(sherd_shape *shape);

// Returns the signed distance of `point` from the surface, negative inside [m]. Exact for
// primitives and meshes; for unions and differences a lower bound of the magnitude with the correct
// sign.
SHERD_API double sherd_shape_distance(const sherd_shape *shape, sherd_vec3 point);
// Returns the gradient of the distance, a unit vector that points outward; on the medial axis,
// where it is undefined, one of the candidates.
SHERD_API sherd_vec3 sherd_shape_normal(const sherd_shape *shape, sherd_vec3 point);

// Returns an axis-aligned box that contains the shape [m].
SHERD_API sherd_bounds sherd_shape_bounds(const sherd_shape *shape);
// Returns the volume [m^3]: exact for primitives and meshes, otherwise to about 0.1 %.
SHERD_API double sherd_shape_volume(const sherd_shape *shape);

// Creates a closed, outward-oriented surface mesh with vertex normals and edges of about
// `edge_length` [m], > 0; sharp creases are preserved. For pictures and export. Free it with
// sherd_mesh_destroy. NULL with SHERD_ERROR_INPUT or SHERD_ERROR_MEMORY.
SHERD_API sherd_mesh *sherd_shape_surface(const sherd_shape *shape, double edge_length,
                                          sherd_error *error);
