// output: loose elements that are drawn as grains.
#include "output/pictures/sand_grains.h"

#include "math/quat.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>

enum { PARTS = 2 };

static const double X[PARTS] = {0.0, 1.0}, Y[PARTS] = {0.0, 2.0}, Z[PARTS] = {0.5, 0.0},
                    RADIUS[PARTS] = {0.04, 0.06}, MOTIONS[3 * PARTS] = {1, 2, 3, 4, 5, 6};

static sherd_render_spheres parts(void)
{
    return (sherd_render_spheres){.count = PARTS,
                                  .x = X,
                                  .y = Y,
                                  .z = Z,
                                  .radius = RADIUS,
                                  .motions = MOTIONS,
                                  .material = sherd_render_material_default()};
}

static sherd_sand_look look_of(double grains, bool loose)
{
    sherd_scene_material material = {.appearance.grains = grains};
    sherd_scene_body body = {.loose = loose};
    sherd_scene scene = {
        .material_count = 1, .materials = &material, .body_count = 1, .bodies = &body};
    sherd_render_spheres of = parts();
    return sherd_sand_look_of(&scene, 0, &of, SHERD_RENDER_FINAL);
}

Test(sand_grains, only_loose_bodies_that_ask_for_them_have_grains)
{
    cr_assert(look_of(0.0, true).per_part == 0);
    cr_assert(look_of(0.01, false).per_part == 0);
    cr_assert(look_of(0.01, true).per_part > 50);
    // Half as wide: eight times as many, but for rounding up.
    int n = look_of(0.02, true).per_part, finer = look_of(0.01, true).per_part;
    cr_assert(finer > 8 * (n - 1) && finer <= 8 * n, "%d, %d", n, finer);
}

// At most so many that the tree over them is built in a tenth of a second.
Test(sand_grains, previews_have_fewer_of_the_same_volume)
{
    enum { POINTS = 10000, MOST = 240000 };
    sherd_scene_material material = {.def.model = SHERD_SOLID_MODEL_SAND};
    sherd_scene_body body = {.packing.kind = SHERD_PACKING_POINTS};
    sherd_scene scene = {
        .material_count = 1, .materials = &material, .body_count = 1, .bodies = &body};
    sherd_render_spheres of = {.count = POINTS};
    sherd_sand_look final = sherd_sand_look_of(&scene, 0, &of, SHERD_RENDER_FINAL),
                    preview = sherd_sand_look_of(&scene, 0, &of, SHERD_RENDER_PREVIEW);
    cr_assert(preview.per_part < final.per_part && preview.per_part * POINTS <= MOST);
    double volume = final.per_part * pow(final.most, 3.0);
    cr_assert(epsilon_eq(dbl, preview.per_part * pow(preview.most, 3.0), volume, 1e-12 * volume));
    cr_assert(preview.place == final.place);
}

Test(sand_grains, lie_around_their_element_and_turn_and_move_with_it)
{
    const double zero[PARTS] = {0, 0}, one[PARTS] = {1, 1}, half[PARTS] = {sqrt(0.5), sqrt(0.5)};
    const double *const still[4] = {zero, zero, zero, one}, *const turned[4] = {zero, zero, half,
                                                                                half};
    sherd_sand_look look = look_of(0.02, true);
    sherd_render_spheres a = parts(), b = parts();
    float *owned[2] = {sherd_sand_grains_make(&look, still, &a),
                       sherd_sand_grains_make(&look, turned, &b)};
    cr_assert(owned[0] != NULL && owned[1] != NULL);
    cr_assert(a.count == PARTS * look.per_part && b.count == a.count);
    sherd_vec3 sum = {0, 0, 0};
    for (int32_t k = 0; k < a.count; ++k) {
        int32_t part = k / look.per_part;
        sherd_vec3 centre = {X[part], Y[part], Z[part]};
        sherd_vec3 u = vec3_sub((sherd_vec3){a.x[k], a.y[k], a.z[k]}, centre);
        sherd_vec3 v = vec3_sub((sherd_vec3){b.x[k], b.y[k], b.z[k]}, centre);
        cr_assert(vec3_length(u) <= look.place * RADIUS[part] * (1.0 + 1e-12));
        // A quarter of a turn about z takes x to y. Rounding of numbers around 2.
        cr_assert(epsilon_eq(dbl, v.y, u.x, 1e-14));
        cr_assert(epsilon_eq(dbl, v.x, -u.y, 1e-14));
        cr_assert(epsilon_eq(dbl, v.z, u.z, 1e-14));
        // `grains` is that of the mean radius, which is 0.05.
        double widest = 0.01 * RADIUS[part] / 0.05;
        cr_assert(a.radius[k] <= widest * (1.0 + 1e-12) && a.radius[k] >= 0.5 * widest);
        for (int axis = 0; axis < 3; ++axis)
            cr_assert(a.motions[3 * k + axis] == MOTIONS[3 * part + axis]);
        sum = vec3_add(sum, vec3_scale(1.0 / RADIUS[part], u));
    }
    // Evenly around: the mean of n places in a ball of radius R is R sqrt(0.2 / n) long on each axis; five of these.
    double off = 5.0 * look.place * sqrt(0.2 / a.count);
    cr_assert(fabs(sum.x) < off * a.count && fabs(sum.y) < off * a.count &&
              fabs(sum.z) < off * a.count);
    free(owned[0]);
    free(owned[1]);
}
