// Ratios of stress to strength, by the material's criterion, of intact bonds.
#pragma once

#include "models/bonded/bonded.h"

// Over all; 0: there are none.
double sherd_bonded_largest_stress_ratio(const sherd_bonded *bonded);

// Of each element the largest of its bonds; 0: it has none.
void sherd_bonded_find_stress_ratios(const sherd_bonded *bonded, float *ratio);
