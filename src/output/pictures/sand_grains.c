#include "output/pictures/sand_grains.h"

#include "base/random.h"
#include "math/quat.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_PER_POINT = 80,
    MOST_PER_ELEMENT = 4000,
    MOST_GRAINS = 1200000, // more grains would be smaller than pixels
    MOST_IN_PREVIEW = 240000,
    NUMBERS = 4 // per grain: x, y, z, radius
};
enum { PLACE_X, PLACE_Y, PLACE_Z, SIZE, SHADE, TINT, POINT_X, POINT_Y, POINT_Z, STREAMS };

// In radii of a point: distance of grains from it, and their sizes.
static const double PLACE = 1.6, LEAST_SIZE = 0.17, MOST_SIZE = 0.36;
// All grains of a point are moved alike by at most so much along each axis: rows of the lattice, which points of sand
// keep as they flow, would show as ribs.
static const double POINT_PLACE = 1.4;
// In radii of an element: so large that grains of neighbours mix.
static const double PLACE_OF_ELEMENTS = 1.6;
// Volume fraction of the ball around an element that its grains fill; smallest relative to largest
// size.
static const double FILLED = 0.4, SMALLEST = 0.5;
// Range of brightness relative to the body's colour, and variation of hue.
static const double DARKEST = 0.7, PALEST = 1.2, TINTING = 0.08;

static double random_of(size_t grain, int stream)
{
    return sherd_random_uniform(0, (uint64_t)stream, grain);
}

// Limits the number of grains; fewer grains are larger, with the same total volume.
static sherd_sand_look limited(sherd_sand_look look, int32_t parts, int most_grains)
{
    int wished = look.per_part, most = parts > 0 ? most_grains / parts : 1;
    look.per_part = wished > most ? most : wished;
    if (look.per_part < 1) look.per_part = 1;
    double larger = cbrt((double)wished / look.per_part);
    look.least *= larger, look.most *= larger;
    return look;
}

static sherd_sand_look look_of_elements(double grains, const sherd_render_spheres *parts)
{
    double sum = 0.0;
    for (int32_t k = 0; k < parts->count; ++k)
        sum += parts->radius[k];
    double most = 0.5 * grains * parts->count / sum, least = SMALLEST * most;
    // Mean of r^3 for uniformly distributed sizes.
    double cube = 0.25 * (most + least) * (most * most + least * least);
    double n = ceil(FILLED * pow(PLACE_OF_ELEMENTS, 3.0) / cube);
    return (sherd_sand_look){.per_part = (int)fmin(n, MOST_PER_ELEMENT),
                             .place = PLACE_OF_ELEMENTS,
                             .least = least,
                             .most = most,
                             .of_elements = true};
}

sherd_sand_look sherd_sand_look_of(const sherd_scene *scene, int body,
                                   const sherd_render_spheres *parts, sherd_render_quality quality)
{
    const sherd_scene_body *b = &scene->bodies[body];
    const sherd_scene_material *material = &scene->materials[b->material];
    sherd_sand_look look = {0};
    if (parts->count == 0) return look;
    if (sherd_scene_is_of_points(b) && material->def.model == SHERD_SOLID_MODEL_SAND)
        look = (sherd_sand_look){MOST_PER_POINT, PLACE, LEAST_SIZE, MOST_SIZE, false};
    else if (b->loose && material->appearance.grains > 0.0)
        look = look_of_elements(material->appearance.grains, parts);
    int most = quality == SHERD_RENDER_PREVIEW ? MOST_IN_PREVIEW : MOST_GRAINS;
    return look.per_part > 0 ? limited(look, parts->count, most) : look;
}

// Unit position: in a cube around a point, or a ball around an element.
static sherd_vec3 place_of(const sherd_sand_look *look, size_t grain)
{
    double u[3];
    for (int axis = 0; axis < 3; ++axis)
        u[axis] = 2.0 * random_of(grain, PLACE_X + axis) - 1.0;
    if (!look->of_elements) return (sherd_vec3){u[0], u[1], u[2]};
    double angle = acos(-1.0) * u[0], away = sqrt(1.0 - u[1] * u[1]), r = cbrt(0.5 * (u[2] + 1.0));
    return (sherd_vec3){r * away * cos(angle), r * away * sin(angle), r * u[1]};
}

static sherd_vec3 point_place(double radius, size_t point)
{
    double u[3];
    for (int axis = 0; axis < 3; ++axis)
        u[axis] = POINT_PLACE * radius * (2.0 * random_of(point, POINT_X + axis) - 1.0);
    return (sherd_vec3){u[0], u[1], u[2]};
}

static void make_grain(const sherd_sand_look *look, const sherd_render_spheres *from,
                       const double *const turns[4], int32_t part, size_t grain,
                       double *const to[NUMBERS], float *color)
{
    const sherd_color c = from->material.outer_color;
    double r = from->radius[part], shade = random_of(grain, SHADE),
           tint = TINTING * (2.0 * random_of(grain, TINT) - 1.0);
    sherd_vec3 u = vec3_scale(look->place * r, place_of(look, grain));
    if (!look->of_elements)
        u = vec3_add(u, point_place(r, (size_t)part));
    else
        u = quat_rotate(
            (sherd_quat){turns[0][part], turns[1][part], turns[2][part], turns[3][part]}, u);
    to[0][grain] = from->x[part] + u.x;
    to[1][grain] = from->y[part] + u.y;
    to[2][grain] = from->z[part] + u.z;
    to[3][grain] = r * (look->least + (look->most - look->least) * random_of(grain, SIZE));
    double light = DARKEST + (PALEST - DARKEST) * shade;
    color[0] = (float)(c.r * light * (1.0 + tint));
    color[1] = (float)(c.g * light);
    color[2] = (float)(c.b * light * (1.0 - tint));
}

float *sherd_sand_grains_make(const sherd_sand_look *look, const double *const turns[4],
                              sherd_render_spheres *out)
{
    const sherd_render_spheres from = *out;
    size_t per_part = (size_t)look->per_part, n = (size_t)from.count * per_part;
    size_t moving = from.motions != NULL ? 3 : 0;
    double *numbers = malloc(n * ((NUMBERS + moving) * sizeof(double) + 3 * sizeof(float)) + 1);
    if (numbers == NULL) return NULL;
    double *const to[NUMBERS] = {numbers, numbers + n, numbers + 2 * n, numbers + 3 * n};
    double *motions = numbers + NUMBERS * n;
    float *colors = (float *)(void *)(motions + moving * n);
    for (size_t k = 0; k < n; ++k)
        make_grain(look, &from, turns, (int32_t)(k / per_part), k, to, colors + 3 * k);
    for (size_t k = 0; k < moving * n; ++k)
        motions[k] = from.motions[3 * (k / 3 / per_part) + k % 3];
    out->count = (int32_t)n;
    out->x = to[0], out->y = to[1], out->z = to[2], out->radius = to[3];
    out->colors = colors;
    if (moving > 0) out->motions = motions;
    out->material.outer_coat = 0.0;
    return (float *)(void *)numbers;
}
