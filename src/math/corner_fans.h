// Normals of triangles' corners: smooth within a kind of face, sharp over creases of 35 degrees.
#pragma once

#include "base/parallel.h"

#include <sherd/types.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct sherd_fan_mesh {
    int32_t vertex_count;
    const double *vertices; // (vertex_count x 3)
    int32_t triangle_count;
    const int32_t *triangles; // (triangle_count x 3)
    const uint8_t *face_kind; // NULL: all alike
} sherd_fan_mesh;

// Weights of the faces around a corner.
typedef enum sherd_fan_weight {
    SHERD_FAN_BY_ANGLE = 0, // each by its angle there: how a shape looks, whatever its triangles
    SHERD_FAN_BY_AREA,      // each by its area: cheaper, for meshes of even triangles
} sherd_fan_weight;

typedef struct sherd_corner_fans {
    sherd_fan_mesh mesh; // borrowed arrays
    sherd_fan_weight weight;
    sherd_vec3 *facet;    // of each triangle: by angle its unit normal, zero if degenerate; by area
                          // along the normal, twice the area long       (triangles)
    const int32_t *place; // borrowed, see sherd_corner_fans_gather
    int64_t *start;       // of each place's row of corners               (places + 1)
    int32_t *corner;      // rows of 3 triangle + corner
    double *angle;        // of each corner in the rows, by angle only   [rad]
    // By area only, of each corner in the rows: its triangle, beside each other as normals ask for them.
    struct sherd_fan_row {
        sherd_vec3 facet;
        double length; // of the facet
        int32_t kind;
    } * row;
} sherd_corner_fans;

// Facets. False when memory is short; release in any case.
bool sherd_corner_fans_init(sherd_corner_fans *fans, const sherd_fan_mesh *mesh,
                            sherd_fan_weight weight, const sherd_parallel *parallel);
// Corners around each of `count` places; place[v] is that of vertex v, -1: none, whose corners are not asked
// for. NULL: each vertex by itself. `place` is borrowed. False when memory is short.
bool sherd_corner_fans_gather(sherd_corner_fans *fans, const int32_t *place, int32_t count);
void sherd_corner_fans_release(sherd_corner_fans *fans);

// From the faces around a corner that are of its triangle's kind and turn from it by less than 35 degrees: by
// angle of unit length, by area their sum. The same bits for all corners with the same faces. The triangle's
// own facet where these cancel.
sherd_vec3 sherd_corner_normal(const sherd_corner_fans *fans, int32_t triangle, int corner);

// Corners of a place whose normals are found at a time, at most.
enum { SHERD_FAN_MOST = 64 };
// The same of all corners of a place in its row's order, by area: normal[k], which is that of corner same[k] <= k of
// the row where it has the same faces. Only normals with same[k] == k are set. The row must have SHERD_FAN_MOST
// corners at most.
void sherd_corner_normals_at(const sherd_corner_fans *fans, int32_t place,
                             sherd_vec3 normal[SHERD_FAN_MOST], int same[SHERD_FAN_MOST]);
