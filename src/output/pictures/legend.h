// A legend in a picture: a colour bar with numbers and a title.
#pragma once

#include "output/pictures/color_scale.h"

// Draws it in the lower left corner, unless the picture is too small.
void sherd_legend_draw(sherd_image *image, const sherd_color_scale *scale);
