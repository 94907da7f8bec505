// How full cells are, and what fluids do about it. A fluid knows its volume by J of its points
// alone, which forgets where they are: J follows div v at points, points follow v, and what is
// shorter than a cell they see differently. So water packs more and more points along walls, its
// level sinks, and with it all pressure. Here it is corrected: where the volumes of points, of
// other bodies and of walls at nodes come to more than there is room, J of points falls to what the
// room leaves, by a share in each step that takes RELAXING times as long as a wave of that fluid
// through a cell.
//
// Where nodes are full but for INSIDE, J rises by the same share, up to 1: falling alone it would
// follow what is fullest by chance, and water at rest would creep upwards. Elsewhere it does not:
// at free surfaces nodes are not full, which says nothing of how dense the fluid is.
#pragma once

#include "base/parallel.h"
#include "models/mpm/grid/mpm_grid.h"
#include "models/mpm/kernels/mpm_kernels.h"

// Corrects the density of fluids by the room that cells have; moments are set. Takes the energy
// that points are given from `account` [J]. False: memory is short.
bool sherd_mpm_correct_density(const sherd_mpm_transfer *transfer, const sherd_mpm_walls *walls,
                               const sherd_parallel *parallel, double *account);
