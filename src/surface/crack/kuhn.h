// Numbers of the simplices of Kuhn's subdivision that begin at a cell's corner.
//
// Offsets of their other corners are bit masks (x, y, z = bits 0, 1, 2), each a superset of the one
// before. 7 edges by the second corner's mask less one, then 12 triangles, then 6 tetrahedra, whose
// last corner is 7.
#pragma once

#include <stdint.h>

enum { KUHN_SIMPLICES = 25, KUHN_TETRAHEDRA_AFTER = 12 };

// Of the triangle (0, row, column); the tetrahedron (0, row, column, 7) comes 12 later.
static const uint8_t KUHN_TRIANGLE[8][8] = {
    [1] = {[3] = 7, [5] = 9, [7] = 13},
    [2] = {[3] = 8, [6] = 11, [7] = 14},
    [3] = {[7] = 15},
    [4] = {[5] = 10, [6] = 12, [7] = 16},
    [5] = {[7] = 17},
    [6] = {[7] = 18},
};
