// Test bars cut out of a body's own tetrahedra. No packing of ours is similar to an external mesh:
// its stiffness and strength must be measured on the mesh itself.
//
//        ____________________________
//       /    ____________________    \      a box along the body's longest extent, as wide as other
//      |    | grip |      | grip |    |     test bars where there is room; a body that is a bar of
//       \    --------------------    /      about that width is taken as it is
//        ----------------------------
//
// Elements keep their centres. Each bond keeps the part of its face within the box, so that a
// section through the bar carries as much as in the body. Bars of 16 radii cut out of larger ones
// then agree with these to 6 % in E, 0.01 in Poisson's ratio and 9 % in strength
// (docs/theory/calibration.md).
#pragma once

#include "calibration/bar.h"

// Cuts a bar out of a packing of tetrahedra: along its longest extent (axis 0), or along the second
// longest (1) if that is nearly as long. `width` is in mean radii. *found is false, and the bar is
// empty, if no part with a uniform section is wide and long enough.
sherd_status sherd_bar_cut(sherd_bar *bar, const sherd_packing *body, double width, int axis,
                           int threads, bool *found, sherd_error *error);
