// Vertex normals of triangles: smooth among faces of one kind, sharp at creases of more than 35
// degrees.
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
    const uint8_t *face_kind; // NULL: one kind
} sherd_fan_mesh;

// Weights of the faces around a corner.
typedef enum sherd_fan_weight {
    SHERD_FAN_BY_ANGLE = 0, // by angle at the corner: independent of the triangulation
    SHERD_FAN_BY_AREA,      // by area: cheaper, for meshes of uniform triangles
} sherd_fan_weight;

typedef struct sherd_corner_fans {
    sherd_fan_mesh mesh; // borrowed arrays
    sherd_fan_weight weight;
    sherd_vec3 *facet;    // of each triangle: by angle its unit normal, zero if degenerate; by area
                          // along the normal, twice the area long       (triangles)
    const int32_t *place; // borrowed, see sherd_corner_fans_gather
    int64_t *start;       // start of each location's row of corners        (locations + 1)
    int32_t *corner;      // rows of 3 triangle + corner
    double *angle;        // of each corner in the rows, BY_ANGLE only   [rad]
    // BY_AREA only: the triangles of the corners in the rows, contiguous as they are read.
    struct sherd_fan_row {
        sherd_vec3 facet;
        double length; // of the facet
        int32_t kind;
    } * row;
} sherd_corner_fans;

// Computes facet normals. Returns false if memory runs short; release it in any case.
bool sherd_corner_fans_init(sherd_corner_fans *fans, const sherd_fan_mesh *mesh,
                            sherd_fan_weight weight, const sherd_parallel *parallel);
// Lists the corners at each of `count` locations; place[v] is the location of vertex v, or -1 if
// its normals are not needed. NULL: each vertex is a location. `place` is borrowed. Returns false
// if memory runs short.
bool sherd_corner_fans_gather(sherd_corner_fans *fans, const int32_t *place, int32_t count);
void sherd_corner_fans_release(sherd_corner_fans *fans);

// The normal of a corner from the faces around it that have its triangle's kind and an angle below
// 35 degrees to it: a unit vector BY_ANGLE, the sum BY_AREA. All corners with the same faces get
// the same bits. If the faces cancel, it is the triangle's own normal.
sherd_vec3 sherd_corner_normal(const sherd_corner_fans *fans, int32_t triangle, int corner);

// The most corners of a location for sherd_corner_normals_at.
enum { SHERD_MAX_FAN_CORNERS = 64 };
// The normals of all corners of a location, in the order of its row, BY_AREA: corner k has the
// normal of corner same[k] <= k, which has the same faces. Only normals with same[k] == k are set.
// The row must have at most SHERD_MAX_FAN_CORNERS corners.
void sherd_corner_normals_at(const sherd_corner_fans *fans, int32_t place,
                             sherd_vec3 normal[SHERD_MAX_FAN_CORNERS],
                             int same[SHERD_MAX_FAN_CORNERS]);
