// A legend in a picture: a bar of colours with numbers and a title.
#pragma once

#include "output/pictures/color_scale.h"

// In the lower left corner. Pictures too small for it stay as they are.
void sherd_legend_draw(sherd_image *image, const sherd_color_scale *scale);
