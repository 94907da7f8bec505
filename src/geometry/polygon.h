// Simple closed polygons in the plane: validated, signed distance, area, ear-clipping triangulation.
#pragma once

#include <sherd/error.h>
#include <sherd/types.h>

#include <stdbool.h>
#include <stdint.h>

enum { SHERD_POLYGON_BLOCK = 8 }; // edges: distance queries skip blocks by their bounds

// Edge k runs from vertex k to vertex k + 1 (mod count), the inside on its left.
typedef struct sherd_polygon {
    int count;          // n
    sherd_vec2 *vertex; // counter-clockwise                                     [m]  (n)
    sherd_vec2 *normal; // outward unit normal of edge k                         [-]  (n)
    bool *is_surface;   // false for edges that are no surface (on the axis of revolution)  (n)
    int block_count;
    sherd_vec2 *block_low, *block_high; // bounds of each block of edges  [m]  (block_count)
} sherd_polygon;

// Copies and checks `count` vertices of either winding; repeated neighbours are dropped. Fails with
// SHERD_ERROR_INPUT, `where` naming the polygon's role, on fewer than three distinct vertices, values
// that are not finite, no area, or edges that touch or cross each other.
sherd_status sherd_polygon_init(sherd_polygon *polygon, const sherd_vec2 *vertices, int count,
                                const char *where, sherd_error *error);
void sherd_polygon_release(sherd_polygon *polygon);

double sherd_polygon_area(const sherd_polygon *polygon); // [m^2], > 0

// Signed distance, negative inside. `normal` (may be NULL) gets the unit gradient. Only edges with
// is_surface count for the distance, all count for inside and outside.
double sherd_polygon_distance(const sherd_polygon *polygon, sherd_vec2 point, sherd_vec2 *normal);

// A place of the outline that is nearer to a point than all others around it.
typedef struct sherd_polygon_place {
    sherd_vec2 at;   // [m]
    sherd_vec2 from; // to the point [m]
} sherd_polygon_place;

// Calls `visit` with such places that are nearer than `reach` and that see the point from outside (side 1) or inside
// (side -1), in the order of the outline. Only edges with is_surface count.
typedef void sherd_polygon_visitor(void *context, const sherd_polygon_place *place);
void sherd_polygon_near(const sherd_polygon *polygon, sherd_vec2 point, double reach, double side,
                        sherd_polygon_visitor *visit, void *context);
// Whether it bends inwards somewhere.
bool sherd_polygon_is_concave(const sherd_polygon *polygon);

// Cuts a simple counter-clockwise polygon into count - 2 counter-clockwise triangles, three vertex
// indices each. False when memory is short.
bool sherd_polygon_triangulate(const sherd_vec2 *vertices, int count, int32_t *triangles);
