// Solid shapes: a signed distance, bounds, a volume and a surface. Immutable once made, so any
// number of threads may query one shape.
#pragma once

#include <sherd/mesh.h>

typedef struct sherd_shape sherd_shape;

// Every constructor returns an owned shape, or NULL with SHERD_ERROR_INPUT (a length that is not
// finite and positive, a polygon that is degenerate or crosses itself) or SHERD_ERROR_MEMORY.
// Shapes are centred on the origin unless said otherwise; axes are along z.
SHERD_API sherd_shape *sherd_shape_box(sherd_vec3 size, sherd_error *error); // full edge lengths
SHERD_API sherd_shape *sherd_shape_sphere(double radius, sherd_error *error);
SHERD_API sherd_shape *sherd_shape_cylinder(double radius, double height, sherd_error *error);
// `length` is between the centres of the two end caps.
SHERD_API sherd_shape *sherd_shape_capsule(double radius, double length, sherd_error *error);
SHERD_API sherd_shape *sherd_shape_torus(double major_radius, double minor_radius,
                                         sherd_error *error);
// Closed polygon in the (r, z) half plane, r >= 0, revolved about z. Either winding.
SHERD_API sherd_shape *sherd_shape_revolve(const sherd_vec2 *profile, int count,
                                           sherd_error *error);
// Closed polygon in the xy plane, extruded from z = -height/2 to height/2. Either winding.
SHERD_API sherd_shape *sherd_shape_extrude(const sherd_vec2 *outline, int count, double height,
                                           sherd_error *error);
// A line of UTF-8 text, up to 200 letters, in the xy plane, extruded from z = -depth/2 to depth/2. Capitals are `height`
// high, from y = -height/2 to height/2; what hangs below the line is below that. The middle of the ink is at x = 0.
// `font_file`: a TrueType or OpenType font; NULL: DejaVu Sans Bold, which is built in.
SHERD_API sherd_shape *sherd_shape_text(const char *text, const char *font_file, double height,
                                        double depth, sherd_error *error);
// A closed, outward-oriented mesh (see sherd_mesh_repair). Copies it.
SHERD_API sherd_shape *sherd_shape_mesh(const sherd_mesh *mesh, sherd_error *error);

// These take ownership of their operands, also when they fail.
SHERD_API sherd_shape *sherd_shape_union(sherd_shape *a, sherd_shape *b, sherd_error *error);
// Of 1 to 10 000 shapes, by a tree: distances take about the logarithm of their number.
SHERD_API sherd_shape *sherd_shape_union_of(sherd_shape *const *parts, int count,
                                            sherd_error *error);
SHERD_API sherd_shape *sherd_shape_difference(sherd_shape *a, sherd_shape *b, sherd_error *error);
SHERD_API sherd_shape *sherd_shape_placed(sherd_shape *shape, sherd_pose pose, sherd_error *error);

SHERD_API void sherd_shape_destroy(sherd_shape *shape); // NULL is fine

// Distance to the surface, negative inside [m]. Exact for primitives and meshes; for unions and
// differences a lower bound of the true distance with the right sign and zero set.
SHERD_API double sherd_shape_distance(const sherd_shape *shape, sherd_vec3 point);
// Gradient of the distance, a unit vector pointing away from the surface's inside; where it is not
// defined (medial axis) one of the candidates.
SHERD_API sherd_vec3 sherd_shape_normal(const sherd_shape *shape, sherd_vec3 point);

SHERD_API sherd_bounds sherd_shape_bounds(const sherd_shape *shape);
// Volume [m^3]: exact for primitives and meshes, otherwise numerical to about 0.1 %.
SHERD_API double sherd_shape_volume(const sherd_shape *shape);

// A closed, outward-oriented surface mesh with edges of about `edge_length`, with sharp creases
// kept where the shape has them, and vertex normals. For pictures and export.
SHERD_API sherd_mesh *sherd_shape_surface(const sherd_shape *shape, double edge_length,
                                          sherd_error *error);
