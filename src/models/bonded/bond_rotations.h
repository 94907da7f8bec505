// Rotations of elements that have none of their own: law CENTRAL.
#pragma once

#include "models/bonded/bonded.h"

// Sets q, four columns x y z w by element, to how the element's bonds are turned from the body's
// undeformed ones: the rotation nearest to sum d D^T of their directions now and then. Broken bonds
// count for a thousandth, so that an element without others still goes with those around it. Elements
// that `fits` does not name by their material, or without bonds, get their own orientation.
void sherd_bonded_fit_rotations(const sherd_bonded *bonded, const bool *fits, double *const q[4]);
