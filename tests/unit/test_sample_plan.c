// How many samples pixels get.
#include "render/sample_plan.h"

#include <criterion/criterion.h>

enum { WIDTH = 24, HEIGHT = 12, SAMPLES = 16 };

static const float PIXEL = 1e-3f; // [rad]

static pixel_plan wanted[WIDTH * HEIGHT];
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

static const pixel_plan *choose(int threads)
{
    sample_plan plan = sherd_sample_plan_make(SAMPLES, SAMPLE_PLAN_SHARP, false);
    cr_assert_eq(plan.first, 2);
    cr_assert(plan.edge == 20 && plan.most == 20);
    sherd_film film = {.width = WIDTH, .height = HEIGHT, .pixels = pixels};
    sherd_parallel parallel = {threads};
    sherd_sample_plan_choose(&plan, SAMPLES, &film, PIXEL, wanted, &parallel);
    return wanted;
}

Test(sample_plan, even_light_on_a_wall_needs_no_more)
{
    make_wall();
    const pixel_plan *w = choose(1);
    for (int k = 0; k < WIDTH * HEIGHT; ++k)
        cr_assert(w[k].light == 2 && w[k].color == 2, "%d", w[k].light);
}

// A step in depth, a corner and a change of colour, each at x = 12: pixels 11 and 12 see both sides.
static void check_edge(const char *what)
{
    const pixel_plan *w = choose(2);
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x)
            cr_assert_eq(w[y * WIDTH + x].light, x == 11 || x == 12 ? 20 : 2, "%s: %d at %d", what,
                         w[y * WIDTH + x].light, x);
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
    } cases[] = {{1.2f, 16}, {0.6f, 16}, {0.3f, 4}, {0.15f, 2}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        make_wall();
        for (int k = 0; k < WIDTH * HEIGHT; ++k)
            pixels[k].variance = 2.0f * cases[c].noise * cases[c].noise;
        const pixel_plan *w = choose(1);
        for (int k = 0; k < WIDTH * HEIGHT; ++k)
            cr_assert_eq(w[k].light, cases[c].samples, "noise %g: %d", (double)cases[c].noise,
                         w[k].light);
    }
}

// A striped floor under even light, at whose right end something stands, in the last column.
Test(sample_plan, textures_of_the_ground_get_samples_of_colour)
{
    make_wall();
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x) {
            float color = x % 2 == 0 ? 0.5f : 0.25f;
            at(x, y)->albedo = vec3f_scale(2.0f * color, (vec3f){1.0f, 1.0f, 1.0f});
            at(x, y)->mean = color + 0.03f; // the coat mirrors a little
            at(x, y)->mirrored = 2.0f * 0.03f;
            at(x, y)->on_ground = x < WIDTH - 1 ? 2 : 0;
        }
    const pixel_plan *w = choose(1);
    for (int k = 0; k < WIDTH * HEIGHT; ++k) {
        int light = k % WIDTH < WIDTH - 2 ? 2 : 20;
        cr_assert(w[k].light == light && w[k].color == 20, "%d, %d", w[k].light, w[k].color);
    }
    sample_plan blurred = sherd_sample_plan_make(SAMPLES, SAMPLE_PLAN_MIXED, false);
    sherd_film film = {.width = WIDTH, .height = HEIGHT, .pixels = pixels};
    sherd_parallel parallel = {1};
    sherd_sample_plan_choose(&blurred, SAMPLES, &film, PIXEL, wanted, &parallel);
    cr_assert_eq(wanted[0].light, 20);
}

// Splinters, whose every pixel is an edge, dark, bright and glittering; and glass without edges.
Test(sample_plan, glass_gets_samples_by_the_noise_that_is_seen)
{
    const struct {
        float mean, noise, white; // of single samples
        bool splinters;
        int samples;
    } cases[] = {
        {0.25f, 0.01f, 1.0f, true, 4},  {0.25f, 0.0875f, 1.0f, true, 4},
        {0.25f, 0.18f, 1.0f, true, 16}, {0.04f, 0.072f, 1.0f, true, 16},
        {1.0f, 0.05f, 1.0f, true, 4},   {1.0f, 1.0f, 1.0f, true, 32},
        {1.0f, 8.0f, 1.0f, true, 64},   {1.0f, 1.0f, 2.0f, true, 16},
        {0.0f, 0.0f, 1.0f, true, 4},    {1.0f, 0.3f, 1.0f, false, 4},
    };
    sample_plan plan = sherd_sample_plan_make(SAMPLES, SAMPLE_PLAN_GLASS, true);
    cr_assert(plan.first == 2 && plan.most == 64);
    sherd_film film = {.width = WIDTH, .height = HEIGHT, .pixels = pixels};
    sherd_parallel parallel = {1};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        make_wall();
        for (int k = 0; k < WIDTH * HEIGHT; ++k) {
            pixels[k].clear = pixels[k].taken;
            pixels[k].mean = cases[c].mean;
            pixels[k].variance = 2.0f * cases[c].noise * cases[c].noise;
            if (cases[c].splinters && k % 2 == 0) pixels[k].normal = (vec3f){2.0f, 0.0f, 0.0f};
        }
        plan.white = cases[c].white;
        sherd_sample_plan_choose(&plan, SAMPLES, &film, PIXEL, wanted, &parallel);
        for (int k = 0; k < WIDTH * HEIGHT; ++k)
            cr_assert_eq(wanted[k].light, cases[c].samples, "case %zu: %d", c, wanted[k].light);
    }
}

// The same floor before and behind a pane.
Test(sample_plan, rims_of_glass_are_edges)
{
    make_wall();
    for (int k = 0; k < WIDTH * HEIGHT; ++k)
        pixels[k].clear = k % WIDTH < 12 ? 2 : 0;
    sample_plan plan = sherd_sample_plan_make(SAMPLES, SAMPLE_PLAN_GLASS, true);
    sherd_film film = {.width = WIDTH, .height = HEIGHT, .pixels = pixels};
    sherd_parallel parallel = {1};
    sherd_sample_plan_choose(&plan, SAMPLES, &film, PIXEL, wanted, &parallel);
    for (int k = 0; k < WIDTH * HEIGHT; ++k)
        cr_assert_eq(wanted[k].light, k % WIDTH == 11 || k % WIDTH == 12 ? 20 : 2);
}

Test(sample_plan, blurred_views_begin_with_more)
{
    cr_assert_eq(sherd_sample_plan_make(16, SAMPLE_PLAN_MIXED, false).first, 4);
    cr_assert_eq(sherd_sample_plan_make(16, SAMPLE_PLAN_MIXED, true).most, 64);
    cr_assert_eq(sherd_sample_plan_make(1, SAMPLE_PLAN_MIXED, false).first, 1);
    cr_assert_eq(sherd_sample_plan_make(8, SAMPLE_PLAN_GLASS, true).first, 2);
    cr_assert_eq(sherd_sample_plan_make(1, SAMPLE_PLAN_GLASS, true).first, 1);
    cr_assert_eq(sherd_sample_plan_make(1, SAMPLE_PLAN_SHARP, false).most, 1);
}
