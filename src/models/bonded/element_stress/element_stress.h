// Cauchy stress of elements, from the elastic forces of their bonds (sherd/stress.h).
//
// Bonds are computed by vectors of lanes (moment_kernel.h) for all laws, with softening and without
// damping.
#pragma once

#include "models/bonded/element_stress/moment_kernel.h"

// Computes the moments of entries [begin, end) of work's list of bonds with all threads.
void sherd_moments_find(const sherd_moment_work *work, size_t count,
                        const sherd_parallel *parallel);

// Volume of solid that an element represents [m^3].
double sherd_element_solid(const sherd_bonds *bonds, const sherd_elements *elements,
                           sherd_element_index k);

// Stress of every element; 0 for elements without bonds.
void sherd_bonds_find_element_stress(const sherd_bonds *bonds, const sherd_elements *elements,
                                     const sherd_parallel *parallel, sherd_stress *stress);
