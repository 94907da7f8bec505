// How thick a shape's walls are and where it is deepest.
#pragma once

#include "packing/survey.h"
#include "packing/survey_samples.h"

// Sets what a survey says of walls and depth; frame and extents are known.
void sherd_survey_walls(const sherd_shape *shape, const sherd_samples *inside, int threads,
                        sherd_survey *survey);
