// Numbers of elements as colours, and legends of them.
#include "output/pictures/color_scale.h"
#include "output/pictures/legend.h"
#include "output/pictures/stroke_text.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

static const sherd_scene_range AUTOMATIC = {.fixed = false};

Test(color_scale, every_number_has_its_columns)
{
    float xx[2] = {1.0F, 4.0F}, yy[2] = {2.0F, 5.0F}, zz[2] = {6.0F, -9.0F},
          ratio[2] = {0.5F, 2.0F};
    double v[2] = {3.0, 0.0}, w[2] = {4.0, 1.0}, none[2] = {0.0, 0.0};
    const sherd_run_column columns[] = {{"stress_xx_pa", SHERD_RUN_PER_ELEMENT, xx},
                                        {"stress_yy_pa", SHERD_RUN_PER_ELEMENT, yy},
                                        {"von_mises_pa", SHERD_RUN_PER_BOND, zz},
                                        {"stress_zz_pa", SHERD_RUN_PER_ELEMENT, zz}};
    sherd_run_frame frame = {
        .vx = v, .vy = w, .vz = none, .stress_ratio = ratio, .column_count = 4, .columns = columns};
    float values[2];
    cr_assert(sherd_color_values(SHERD_SCENE_COLOR_MEAN_STRESS, &frame, 2, values));
    cr_assert(eq(flt, values[0], 3.0F));
    cr_assert(eq(flt, values[1], 0.0F));
    cr_assert(sherd_color_values(SHERD_SCENE_COLOR_STRESS_YY, &frame, 2, values));
    cr_assert(eq(flt, values[1], 5.0F));
    cr_assert(sherd_color_values(SHERD_SCENE_COLOR_SPEED, &frame, 2, values));
    cr_assert(eq(flt, values[0], 5.0F));
    cr_assert(sherd_color_values(SHERD_SCENE_COLOR_STRESS_RATIO, &frame, 2, values));
    cr_assert(eq(flt, values[1], 2.0F));
    // A column of bonds is none of elements.
    cr_assert(not(sherd_color_values(SHERD_SCENE_COLOR_STRESS, &frame, 2, values)));
    cr_assert(eq(ptr, (void *)sherd_color_measure_of(SHERD_SCENE_COLOR_MATERIAL), NULL));
    cr_assert(eq(ptr, (void *)sherd_color_measure_of(SHERD_SCENE_COLOR_FRAGMENT), NULL));
    cr_assert(sherd_colors_show_stress(SHERD_SCENE_COLOR_STRESS_ZX));
    cr_assert(not(sherd_colors_show_stress(SHERD_SCENE_COLOR_SPEED)));
}

Test(color_scale, a_percent_of_the_elements_may_be_beyond)
{
    enum { N = 1000 };
    float values[N];
    for (int k = 0; k < N; ++k) // 0 to 99 in another order, nine of them wild
        values[(k * 7) % N] = k < N - 9 ? 0.1F * (float)k : 1e9F;
    values[0] = NAN; // was 0
    sherd_color_scale s = sherd_color_scale_begin(SHERD_SCENE_COLOR_STRESS, &AUTOMATIC);
    sherd_color_scale_widen(&s, values, N);
    cr_assert(lt(dbl, s.high, 100.0));
    cr_assert(lt(dbl, 98.0, s.high));
    float calm[2] = {0.0F, 1.0F};
    double before = s.high;
    sherd_color_scale_widen(&s, calm, 2); // another frame makes it no narrower
    cr_assert(eq(dbl, s.high, before));
    sherd_color_scale_finish(&s);
    cr_assert(eq(dbl, s.low, 0.0));
    cr_assert(eq(dbl, s.high, 100.0));
}

Test(color_scale, signed_numbers_have_ranges_about_zero)
{
    float values[3] = {-2.1e6F, 0.0F, 1e5F};
    sherd_color_scale s = sherd_color_scale_begin(SHERD_SCENE_COLOR_MEAN_STRESS, &AUTOMATIC);
    sherd_color_scale_widen(&s, values, 3);
    sherd_color_scale_finish(&s);
    cr_assert(epsilon_eq(dbl, s.high, 2.4e6, 1.0)); // a product of rounded powers of ten
    cr_assert(eq(dbl, s.low, -s.high));
    sherd_color push = sherd_color_scale_color(&s, -2e6), pull = sherd_color_scale_color(&s, 2e6),
                none = sherd_color_scale_color(&s, 0.0);
    cr_assert(lt(flt, push.r, push.b));                // pressure is blue
    cr_assert(lt(flt, pull.b, pull.r));                // tension is red
    cr_assert(lt(flt, fabsf(none.r - none.b), 0.01F)); // 1 % of a channel: grey
    // Nothing to see is no division by 0.
    float still[2] = {0.0F, 0.0F};
    s = sherd_color_scale_begin(SHERD_SCENE_COLOR_SPEED, &AUTOMATIC);
    sherd_color_scale_widen(&s, still, 2);
    sherd_color_scale_finish(&s);
    cr_assert(lt(dbl, s.low, s.high));
}

Test(color_scale, a_fixed_range_stays)
{
    const sherd_scene_range fixed = {true, 1e6, 3e6};
    float values[2] = {0.0F, 1e9F};
    sherd_color_scale s = sherd_color_scale_begin(SHERD_SCENE_COLOR_STRESS, &fixed);
    sherd_color_scale_widen(&s, values, 2);
    sherd_color_scale_finish(&s);
    cr_assert(eq(dbl, s.low, 1e6));
    cr_assert(eq(dbl, s.high, 3e6));
    sherd_color low = sherd_color_map(0.0), below = sherd_color_scale_color(&s, -5.0),
                middle = sherd_color_map(0.5), at = sherd_color_scale_color(&s, 2e6);
    cr_assert(eq(flt, below.g, low.g));
    cr_assert(eq(flt, at.g, middle.g));
    // Stress over strength has a range of its own.
    s = sherd_color_scale_begin(SHERD_SCENE_COLOR_STRESS_RATIO, &AUTOMATIC);
    cr_assert(eq(dbl, s.high, 1.0));
}

// ---------------------------------------------------------------- legends

static int64_t changed(const sherd_image *image)
{
    int64_t count = 0;
    for (size_t k = 0; k < 3 * (size_t)image->width * (size_t)image->height; ++k)
        count += image->pixels[k] != 0;
    return count;
}

Test(legend, shows_the_colours_of_its_ends)
{
    sherd_error error;
    sherd_image *image = sherd_image_create(640, 360, &error);
    memset(image->pixels, 0, 3 * 640 * 360);
    sherd_color_scale s = {SHERD_SCENE_COLOR_MEAN_STRESS, -1e6, 1e6, SHERD_RANGE_OF_RUN};
    sherd_legend_draw(image, &s);
    int blue = -1, red = -1; // the first and the last column of strong colour
    for (int x = 0; x < 640; ++x)
        for (int y = 0; y < 360; ++y) {
            const uint8_t *p = image->pixels + 3 * (y * 640 + x);
            if (blue < 0 && p[2] > p[0] + 80) blue = x;
            if (p[0] > p[2] + 80) red = x;
        }
    cr_assert(lt(int, 0, blue));
    cr_assert(lt(int, blue + 100, red));
    sherd_image_destroy(image);
}

Test(legend, keeps_away_from_small_pictures)
{
    sherd_error error;
    static const int32_t SIZES[][2] = {{16, 16}, {64, 48}, {100, 400}, {1000, 40}};
    for (int k = 0; k < 4; ++k) {
        sherd_image *image = sherd_image_create(SIZES[k][0], SIZES[k][1], &error);
        memset(image->pixels, 0, 3 * (size_t)SIZES[k][0] * (size_t)SIZES[k][1]);
        sherd_color_scale s = {SHERD_SCENE_COLOR_PRINCIPAL_STRESS, -1e6, 1e6,
                               SHERD_RANGE_OF_PICTURE};
        sherd_legend_draw(image, &s);
        cr_assert(eq(i64, changed(image), 0));
        sherd_image_destroy(image);
    }
}

// Every letter of words and numbers has strokes; what has none leaves the picture alone, as what is outside does.
Test(stroke_text, writes_what_legends_say)
{
    sherd_error error;
    sherd_image *image = sherd_image_create(60, 40, &error);
    const sherd_stroke_text_place middle = {20.0, 26.0, 18.0, {255, 255, 255}};
    for (const char *at = "abcdefghijklmnopqrstuvwxyzAGMP0123456789.:-+/[]"; *at != '\0'; ++at) {
        const char text[2] = {*at, '\0'};
        memset(image->pixels, 0, 3 * 60 * 40);
        sherd_stroke_text_draw(image, text, &middle);
        cr_assert(lt(i64, 3, changed(image)), "%c", *at);
        cr_assert(lt(dbl, -1.0, sherd_stroke_text_width(text, 18.0)));
    }
    memset(image->pixels, 0, 3 * 60 * 40);
    sherd_stroke_text_draw(image, " \n\x7f", &middle);
    const sherd_stroke_text_place outside = {-500.0, 900.0, 18.0, {255, 255, 255}};
    sherd_stroke_text_draw(image, "outside", &outside);
    cr_assert(eq(i64, changed(image), 0));
    // 8 is 4 wide of 6 high, and 2 between two.
    cr_assert(epsilon_eq(dbl, sherd_stroke_text_width("88", 12.0), 20.0, 1e-12));
    sherd_image_destroy(image);
}
