#include "output/pictures/vertex_colors.h"

#include <sherd/render.h>

#include <math.h>
#include <stdlib.h>

enum { STEPS = 256 };

float *sherd_vertex_colors(const sherd_mesh *mesh)
{
    float linear[STEPS];
    for (uint32_t k = 0; k < STEPS; ++k)
        linear[k] = sherd_color_srgb(k).b;
    size_t numbers = 3 * (size_t)mesh->vertex_count;
    float *paint = malloc((numbers + 1) * sizeof *paint);
    for (size_t k = 0; paint != NULL && k < numbers; ++k) {
        float level = fminf(fmaxf(mesh->color[k], 0.0f), 1.0f) * (STEPS - 1);
        paint[k] = linear[lrintf(level)];
    }
    return paint;
}
