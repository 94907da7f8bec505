// Ratios of stress to strength of intact bonds, by the criterion of their material.
#pragma once

#include "models/bonded/bonded.h"

// The largest ratio of all bonds; 0 if there are none.
double sherd_bonded_largest_stress_ratio(const sherd_bonded *bonded);

// For each element the largest ratio of its bonds; 0 if it has none.
void sherd_bonded_find_stress_ratios(const sherd_bonded *bonded, float *ratio);
