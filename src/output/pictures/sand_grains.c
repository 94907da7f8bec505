#include "output/pictures/sand_grains.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_PER_POINT = 80,
    MOST_GRAINS = 1200000, // more of them are as small as pixels
    NUMBERS = 4            // of a grain: x, y, z, radius
};
enum { PLACE_X, PLACE_Y, PLACE_Z, SIZE, SHADE, TINT, STREAMS };

// Of points' radii: how far from a point its grains are, and how large.
static const double PLACE = 1.6, LEAST_SIZE = 0.17, MOST_SIZE = 0.36;
// Shares of the body's colour: from dark grains to pale ones, and how much redder or bluer they are.
static const double DARKEST = 0.7, PALEST = 1.2, TINTING = 0.08;

bool sherd_sand_is_of_grains(const sherd_scene *scene, int body)
{
    const sherd_scene_body *b = &scene->bodies[body];
    return sherd_scene_is_of_points(b) &&
           scene->materials[b->material].def.model == SHERD_SOLID_MODEL_SAND;
}

static double random_of(size_t grain, int stream)
{
    return sherd_random_uniform(0, (uint64_t)stream, grain);
}

static int grains_per_point(int32_t points)
{
    int n = points > 0 ? MOST_GRAINS / points : 1;
    return n > MOST_PER_POINT ? MOST_PER_POINT : n < 1 ? 1 : n;
}

static void make_grain(const sherd_render_spheres *from, int32_t point, size_t grain, double larger,
                       double *const to[NUMBERS], float *color)
{
    const double *const x[3] = {from->x, from->y, from->z};
    const sherd_color c = from->material.outer_color;
    double r = from->radius[point], shade = random_of(grain, SHADE),
           tint = TINTING * (2.0 * random_of(grain, TINT) - 1.0);
    for (int axis = 0; axis < 3; ++axis)
        to[axis][grain] =
            x[axis][point] + PLACE * r * (2.0 * random_of(grain, PLACE_X + axis) - 1.0);
    to[3][grain] = larger * r * (LEAST_SIZE + (MOST_SIZE - LEAST_SIZE) * random_of(grain, SIZE));
    double light = DARKEST + (PALEST - DARKEST) * shade;
    color[0] = (float)(c.r * light * (1.0 + tint));
    color[1] = (float)(c.g * light);
    color[2] = (float)(c.b * light * (1.0 - tint));
}

float *sherd_sand_grains_make(sherd_render_spheres *out)
{
    const sherd_render_spheres from = *out;
    int per_point = grains_per_point(from.count);
    size_t n = (size_t)from.count * (size_t)per_point;
    size_t moving = from.motions != NULL ? 3 : 0;
    double *numbers = malloc(n * ((NUMBERS + moving) * sizeof(double) + 3 * sizeof(float)) + 1);
    if (numbers == NULL) return NULL;
    double *const to[NUMBERS] = {numbers, numbers + n, numbers + 2 * n, numbers + 3 * n};
    double *motions = numbers + NUMBERS * n;
    float *colors = (float *)(void *)(motions + moving * n);
    double larger = cbrt((double)MOST_PER_POINT / per_point); // as much sand in fewer grains
    for (size_t k = 0; k < n; ++k)
        make_grain(&from, (int32_t)(k / (size_t)per_point), k, larger, to, colors + 3 * k);
    for (size_t k = 0; k < moving * n; ++k)
        motions[k] = from.motions[3 * (k / 3 / (size_t)per_point) + k % 3];
    out->count = (int32_t)n;
    out->x = to[0], out->y = to[1], out->z = to[2], out->radius = to[3];
    out->colors = colors;
    if (moving > 0) out->motions = motions;
    out->material.outer_coat = 0.0;
    return (float *)(void *)numbers;
}
