// Thin shells as surfaces: every element owns a cell of the wall, bounded by broken bonds and rims.
//
// The bonds of a layer form a planar map of elements on the wall. Its faces are found by following
// bonds around them: small faces, nearly all triangles, belong to the wall, the others lie beyond a
// rim. A cell has a corner at the centre of each face around its element, and on rims corners at
// the wall's edge. Across the wall each corner is two vertices, half the thickness to either side.
//
//        \   /            o  elements, bonds between them
//      ---o---            +  corners: the cell of the middle element is a hexagon
//       /+ \+ /
//      o--+-o--           A broken bond opens the edge between the corners on its two sides. At a
//       \+ /+ \           corner, elements that intact bonds join around the face share one vertex;
//        o---o            the others have their own. So tears follow cells' edges and end in points.
//
// Where two bonds lie between the same two faces, each bond has an additional corner at its middle:
// otherwise two edges between the same vertices would have four triangles. For the same reason, a
// cell that has the same face twice has an additional vertex between its centre and that face.
//
// Vertices follow the elements around them, so that sheets bend smoothly.
#pragma once

#include "math/vec3.h"
#include "surface/surface_maker.h"

// A corner in the undeformed body; its two vertices lie `half` to either side along the normal.
typedef struct sheet_corner {
    sherd_vec3 point, normal;
    double half; // [m]
} sheet_corner;

// The undeformed planar map. A bond is two half-bonds, one from each end; they are sorted by
// element and ordered counter-clockwise, viewed from the side to which normals point. Element
// indices are the body's.
typedef struct sheet {
    sherd_element_index first, count;
    sheet_corner *centre; // of each element's cell                        (count)
    int32_t half_count;   // h
    int32_t *start;       // first half-bond of each element               (count + 1)
    // Element of the half-bond; the half-bond in the opposite direction (h).
    int32_t *from, *other;
    sherd_bond_index *bond; //                                                     (h)
    int32_t *next;          // next half-bond around the face to the left  (h)
    uint8_t *is_rim;        // the region to the left is not wall                    (h)
    uint8_t *is_double;     // another bond lies between the same two wall faces     (h)
    sheet_corner *corner;   // in the face to the left, or on the rim beside the bond  (h)
    sheet_corner *rim;      // on the rim to the left, before the element          (h)
} sheet;

// Returns false when out of memory; call release in any case.
bool sherd_sheet_create(sheet *s, const maker_source *source);
void sherd_sheet_release(sheet *s);

// The point half-way between the ends of a bond.
static inline sheet_corner sheet_middle(const sheet *s, int32_t h)
{
    const sheet_corner *p = &s->centre[s->from[h]], *q = &s->centre[s->from[s->other[h]]];
    return (sheet_corner){vec3_scale(0.5, vec3_add(p->point, q->point)),
                          vec3_normalize(vec3_add(p->normal, q->normal)),
                          0.5 * (p->half + q->half)};
}
