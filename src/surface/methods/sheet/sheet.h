// Thin shells as surfaces: every element owns a cell of the wall, bounded by broken bonds and rims.
//
// The bonds of a layer make a map of elements on the wall. Going around it from bond to bond gives its
// faces: small ones, nearly all triangles, are wall, the others lie beyond a rim. A cell has a corner
// in the middle of each face around its element, and on rims corners at the wall's edge. Across the
// wall each corner is two vertices, half the thickness to either side.
//
//        \   /            o  elements, bonds between them
//      ---o---            +  corners: the cell of the middle element is a hexagon
//       /+ \+ /
//      o--+-o--           A broken bond opens the edge between the corners on its two sides. At a
//       \+ /+ \           corner, elements that intact bonds join around the face share one vertex;
//        o---o            the others have their own. So tears follow cells' edges and end in points.
//
// Where two bonds lie between the same two faces, each has a corner in its middle besides: edges between the same
// two vertices would have four triangles. A cell around which a face comes twice has a vertex on the way to it, for the
// same reason.
//
// Vertices follow the elements around them, so that sheets bend smoothly.
#pragma once

#include "math/vec3.h"
#include "surface/surface_maker.h"

// A corner at rest; across the wall it lies `half` to either side along the normal.
typedef struct sheet_corner {
    sherd_vec3 point, normal;
    double half; // [m]
} sheet_corner;

// The map at rest. A bond is two half-bonds, one from each end; they are sorted by element and turn
// counter-clockwise seen from the side that normals point to. Element indices are the body's.
typedef struct sheet {
    sherd_element_index first, count;
    sheet_corner *centre;   // of each element's cell                        (count)
    int32_t half_count;     // h
    int32_t *start;         // first half-bond of each element               (count + 1)
    int32_t *from, *other;  // its element; the half-bond the other way round      (h)
    sherd_bond_index *bond; //                                                     (h)
    int32_t *next;          // half-bond that follows around the face to the left  (h)
    uint8_t *is_rim;        // there is no wall to the left                    (h)
    uint8_t *is_double;     // another bond lies between the same two faces of wall     (h)
    sheet_corner *corner;   // in the face to the left, or on the rim beside the bond  (h)
    sheet_corner *rim;      // on the rim to the left, before the element          (h)
} sheet;

// False when memory is short; release in any case.
bool sherd_sheet_create(sheet *s, const maker_source *source);
void sherd_sheet_release(sheet *s);

// Half-way between both ends of a bond.
static inline sheet_corner sheet_middle(const sheet *s, int32_t h)
{
    const sheet_corner *p = &s->centre[s->from[h]], *q = &s->centre[s->from[s->other[h]]];
    return (sheet_corner){vec3_scale(0.5, vec3_add(p->point, q->point)),
                          vec3_normalize(vec3_add(p->normal, q->normal)),
                          0.5 * (p->half + q->half)};
}
