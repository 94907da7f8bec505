// Correction of the density of fluids. A fluid knows its volume only by J of its points, which has
// no memory of positions: J follows div v at points, points follow v, and the two see motions
// shorter than a cell differently. Therefore points accumulate along walls, the level of the fluid
// sinks, and with it the pressure. The correction: where the volumes of points, other bodies and
// walls at nodes exceed the cell, J of points is reduced towards the available volume, by a
// fraction in each step. The relaxation takes RELAXING times as long as a wave of the fluid takes
// to cross a cell.
//
// Where nodes are full but for INSIDE, J rises by the same fraction, up to 1. If J could only fall,
// it would follow the fullest nodes at random, and water at rest would creep upwards. Elsewhere J
// does not rise: at free surfaces nodes are not full, which says nothing about the density.
#pragma once

#include "base/parallel.h"
#include "models/mpm/grid/mpm_grid.h"
#include "models/mpm/kernels/mpm_kernels.h"

// Corrects the density of fluids by the free volume of cells; moments must be set. Subtracts the
// energy that points are given from `account` [J]. False when memory is short.
bool sherd_mpm_correct_density(const sherd_mpm_transfer *transfer, const sherd_mpm_walls *walls,
                               const sherd_parallel *parallel, double *account);
