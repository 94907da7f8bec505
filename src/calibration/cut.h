// Test bars cut out of a body's own tetrahedra. Meshes from elsewhere are like no packing of ours: how
// far they give way, and where they crack first, only they themselves show.
//
//        ____________________________
//       /    ____________________    \      a box along the body's longest extent, as wide as other
//      |    | grip |      | grip |    |     test bars where there is room; a body that is a bar of
//       \    --------------------    /      about that width is taken as it is
//        ----------------------------
//
// Elements keep their centres. Bonds keep the part of their faces within the box, so that a section
// through the bar carries as much as in the body. Bars of 16 radii cut out of larger ones are then
// within 6 % of those in E, 0.01 in Poisson's ratio and 9 % in strength (docs/theory/calibration.md).
#pragma once

#include "calibration/bar.h"

// Cuts a bar out of a packing of tetrahedra: along its longest extent (axis 0), or along the second
// longest (1) if that is nearly as long. `width` in mean radii. *found is false where nothing of an
// even section is wide and long enough; the bar is then empty.
sherd_status sherd_bar_cut(sherd_bar *bar, const sherd_packing *body, double width, int axis,
                           int threads, bool *found, sherd_error *error);
