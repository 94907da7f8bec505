// Outward normals of bodies from their mass at nodes [MPMG] (5).
#pragma once

#include "models/mpm/contact/mpm_contact_groups.h"

// -grad m / |grad m| of group k at a node, by central differences between its neighbours. False where that is 0.
bool sherd_mpm_mass_normal(const sherd_mpm_grid *grid, const sherd_mpm_contact_groups *node_groups,
                           int node, int k, double normal[3]);
