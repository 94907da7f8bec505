// Kuhn's subdivision of a cubic cell: six tetrahedra around its main diagonal. Neighbouring cells
// agree on it.
//
// Numbering of its simplices by the cell corner at which they begin. Offsets of their other corners
// are bit masks (x, y, z = bits 0, 1, 2), each a superset of the previous one. First 7 edges by the
// second corner's mask less one, then 12 triangles, then 6 tetrahedra, whose last corner is 7.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { KUHN_SIMPLICES = 25, KUHN_TETRAHEDRA_AFTER = 12 };

// Number of the triangle (0, row, column); the tetrahedron (0, row, column, 7) comes 12 later.
static const uint8_t KUHN_TRIANGLE[8][8] = {
    [1] = {[3] = 7, [5] = 9, [7] = 13},
    [2] = {[3] = 8, [6] = 11, [7] = 14},
    [3] = {[7] = 15},
    [4] = {[5] = 10, [6] = 12, [7] = 16},
    [5] = {[7] = 17},
    [6] = {[7] = 18},
};

// Axes along which the tetrahedra go from corner 0 to corner 7; the first three are positively oriented, the
// others negatively.
static const uint8_t KUHN_AXES[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                        {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};

static inline bool kuhn_is_positive(int tetrahedron)
{
    return tetrahedron < 3;
}

// Offsets of a tetrahedron's corners, each a superset of the one before.
static inline void kuhn_corners(int tetrahedron, int offset[4])
{
    offset[0] = 0;
    for (int c = 0; c < 3; ++c)
        offset[c + 1] = offset[c] | 1 << KUHN_AXES[tetrahedron][c];
}

// The simplex spanned by `count` >= 2 corners of a tetrahedron, in their order.
static inline int kuhn_simplex(int count, const int offset[4])
{
    return count == 2   ? (offset[0] ^ offset[1]) - 1
           : count == 3 ? KUHN_TRIANGLE[offset[0] ^ offset[1]][offset[0] ^ offset[2]]
                        : KUHN_TRIANGLE[offset[1]][offset[2]] + KUHN_TETRAHEDRA_AFTER;
}
