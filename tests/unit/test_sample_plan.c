// How many samples pixels get.
#include "render/sample_plan.h"

#include <criterion/criterion.h>

enum { WIDTH = 24, HEIGHT = 12, SAMPLES = 16 };

static const float PIXEL = 1e-3f; // [rad]

static uint16_t wanted[WIDTH * HEIGHT];
static film_pixel pixels[WIDTH * HEIGHT];

static film_pixel *at(int x, int y)
{
    return &pixels[y * WIDTH + x];
}

// A wall that is looked at straight on, after a first round of two samples of light 1.
static void make_wall(void)
{
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x)
            *at(x, y) =
                (film_pixel){.radiance = {2.0f, 2.0f, 2.0f},
                             .albedo = {1.0f, 1.0f, 1.0f},
                             .normal = {0.0f, 0.0f, 2.0f},
                             .position = {2.0f * PIXEL * (float)x, 2.0f * PIXEL * (float)y, 0.0f},
                             .mean = 1.0f,
                             .taken = 2};
}

static const uint16_t *choose(int threads)
{
    sample_plan plan = sherd_sample_plan_make(SAMPLES, SAMPLE_PLAN_SHARP);
    cr_assert_eq(plan.first, 2);
    cr_assert_eq(plan.most, 20);
    sherd_film film = {WIDTH, HEIGHT, pixels};
    sherd_parallel parallel = {threads};
    sherd_sample_plan_choose(&plan, SAMPLES, &film, PIXEL, wanted, &parallel);
    return wanted;
}

Test(sample_plan, even_light_on_a_wall_needs_no_more)
{
    make_wall();
    const uint16_t *w = choose(1);
    for (int k = 0; k < WIDTH * HEIGHT; ++k)
        cr_assert_eq(w[k], 2, "%d", w[k]);
}

// A step in depth, a corner and a change of colour, each at x = 12: pixels 11 and 12 see both sides.
static void check_edge(const char *what)
{
    const uint16_t *w = choose(2);
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x)
            cr_assert_eq(w[y * WIDTH + x], x == 11 || x == 12 ? 20 : 2, "%s: %d at %d", what,
                         w[y * WIDTH + x], x);
}

Test(sample_plan, edges_get_most)
{
    make_wall();
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 12; x < WIDTH; ++x)
            at(x, y)->position.z = -2.0f * 5.0f * PIXEL;
    check_edge("step");
    make_wall();
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 12; x < WIDTH; ++x)
            at(x, y)->normal = (vec3f){2.0f * 0.5f, 0.0f, 2.0f * 0.866f};
    check_edge("corner");
    make_wall();
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 12; x < WIDTH; ++x)
            at(x, y)->albedo = (vec3f){0.4f, 0.2f, 0.2f};
    check_edge("colour");
}

// Noise of equal strength everywhere: half of what asks for all samples needs a quarter of them.
Test(sample_plan, samples_go_with_the_square_of_the_noise)
{
    const struct {
        float noise;
        int samples;
    } cases[] = {{0.8f, 16}, {0.4f, 16}, {0.2f, 4}, {0.1f, 2}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        make_wall();
        for (int k = 0; k < WIDTH * HEIGHT; ++k)
            pixels[k].variance = 2.0f * cases[c].noise * cases[c].noise;
        const uint16_t *w = choose(1);
        for (int k = 0; k < WIDTH * HEIGHT; ++k)
            cr_assert_eq(w[k], cases[c].samples, "noise %g: %d", (double)cases[c].noise, w[k]);
    }
}

Test(sample_plan, blurred_views_begin_with_more)
{
    cr_assert_eq(sherd_sample_plan_make(16, SAMPLE_PLAN_MIXED).first, 4);
    cr_assert_eq(sherd_sample_plan_make(1, SAMPLE_PLAN_MIXED).first, 1);
    cr_assert_eq(sherd_sample_plan_make(1, SAMPLE_PLAN_SHARP).most, 1);
}
