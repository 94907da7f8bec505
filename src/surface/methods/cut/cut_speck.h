// Cracks too small to be drawn.
//
// Where a few bonds next to each other broke inside a fragment, the crack surface has a patch of a radius or two, which
// would show as a speck on the outer surface, or as a notch where it meets the faces of a larger crack.
#pragma once

#include <sherd/mesh.h>

// Marks triangles of cracks (`slit`) in `left_out`, both sides of them, where all those that hang together by their
// vertices fit a box whose diagonal is shorter than `least` [m]. False when memory is short.
bool sherd_cut_leave_specks_out(const sherd_mesh *mesh, const uint8_t *slit, double least,
                                uint8_t *left_out);
