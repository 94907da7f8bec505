// Plane polygons with one or several outlines and holes: validation, signed distance, area,
// triangulation.
#pragma once

#include <sherd/error.h>
#include <sherd/types.h>

#include <stdbool.h>
#include <stdint.h>

enum { SHERD_POLYGON_BLOCK = 8 }; // edges per block: distance queries skip blocks by their bounds

// Edges as distances read them, from a to a + d. The last block is filled up with points, whose
// results do not count.
typedef struct sherd_edge_block {
    sherd_vec2 low, high; // bounds [m]
    double ax[SHERD_POLYGON_BLOCK], ay[SHERD_POLYGON_BLOCK];
    double by[SHERD_POLYGON_BLOCK]; // height of the end
    double dx[SHERD_POLYGON_BLOCK], dy[SHERD_POLYGON_BLOCK];
    double squared[SHERD_POLYGON_BLOCK]; // length [m^2]
} sherd_edge_block;

// Edge k runs from vertex k to vertex after[k] of the same outline, the interior on its left: holes
// are clockwise.
typedef struct sherd_polygon {
    int count;               // n
    int outline_count;       // 1 except after sherd_polygon_init_outlines
    sherd_vec2 *vertex;      // outline by outline, each in order              [m]  (n)
    int32_t *before, *after; // neighbours along the outline                        (n)
    sherd_vec2 *normal;      // outward unit normal of edge k                         [-]  (n)
    // False for edges that sweep no surface (on the axis of revolution) (n).
    bool *is_surface;
    int block_count;
    sherd_edge_block *block; // edges, in order                                    (block_count)
} sherd_polygon;

// Copies and validates `count` vertices in either orientation; drops repeated neighbours. Fails
// with SHERD_ERROR_INPUT, `where` naming the polygon's role, on fewer than three distinct vertices,
// values that are not finite, zero area, or edges that touch or cross each other.
sherd_status sherd_polygon_init(sherd_polygon *polygon, const sherd_vec2 *vertices, int count,
                                const char *where, sherd_error *error);
// The same for several outlines: `end` (outline_count) is the end index of each outline's vertices.
// The orientation of each defines the interior, as above; outlines without area are dropped. Fails
// as sherd_polygon_init does.
sherd_status sherd_polygon_init_outlines(sherd_polygon *polygon, const sherd_vec2 *vertices,
                                         const int32_t *end, int outline_count, const char *where,
                                         sherd_error *error);
void sherd_polygon_release(sherd_polygon *polygon);

// Returns whether two polygons have the same outlines, bit for bit.
bool sherd_polygon_same(const sherd_polygon *a, const sherd_polygon *b);

// Reverses the orientation of the polygon.
void sherd_outline_reverse(sherd_vec2 *vertices, int count);

double sherd_polygon_area(const sherd_polygon *polygon); // [m^2], > 0

// Signed distance, negative inside. `normal` (may be NULL) receives the unit gradient. Only edges
// with is_surface contribute to the distance, all edges define inside and outside.
double sherd_polygon_distance(const sherd_polygon *polygon, sherd_vec2 point, sherd_vec2 *normal);

// A point of the outline where the distance from a query point has a local minimum.
typedef struct sherd_polygon_near_point {
    sherd_vec2 at;   // [m]
    sherd_vec2 from; // to the point [m]
} sherd_polygon_near_point;

// Calls `visit` with the local minima of distance nearer than `reach` for which the query point
// lies outside (side 1) or inside (side -1) of the adjacent edges, in the order of the outline.
// Only edges with is_surface count.
typedef void sherd_polygon_visitor(void *context, const sherd_polygon_near_point *minimum);
void sherd_polygon_near(const sherd_polygon *polygon, sherd_vec2 point, double reach, double side,
                        sherd_polygon_visitor *visit, void *context);
// Returns whether the polygon has a reflex vertex or several outlines.
bool sherd_polygon_is_concave(const sherd_polygon *polygon);

// Triangulates a polygon into counter-clockwise triangles, three vertex indices each; `triangles`
// has room for count + 2 outline_count of them. Returns their number, or -1 when out of memory.
int sherd_polygon_triangulate(const sherd_polygon *polygon, int32_t *triangles);
