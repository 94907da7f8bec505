// Cauchy stress of elements, from the elastic forces of their bonds (sherd/stress.h).
//
// Bonds are taken side by side (moment_kernel.h), whatever their law, softened as far as they are, without damping.
#pragma once

#include "models/bonded/element_stress/moment_kernel.h"

// Fills moments of bonds [begin, end) of work's list with all threads.
void sherd_moments_find(const sherd_moment_work *work, size_t count,
                        const sherd_parallel *parallel);

// Solid that an element stands for [m^3].
double sherd_element_solid(const sherd_bonds *bonds, const sherd_elements *elements,
                           sherd_element_index k);

// Of every element; 0 without bonds.
void sherd_bonds_find_element_stress(const sherd_bonds *bonds, const sherd_elements *elements,
                                     const sherd_parallel *parallel, sherd_stress *stress);
