// render: glass against closed forms: Fresnel, Snell, Beer and Lambert; bodies that touch and overlap.
#include "base/memory.h"
#include "math/vec3.h"
#include "render/glass.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#include "render_probe.h"

static const double BALL_X[] = {0.0}, BALL_Y[] = {0.0}, BALL_Z[] = {0.0}, BALL_RADIUS[] = {0.8};

static sherd_render_material glass(void)
{
    sherd_render_material m = sherd_render_material_default();
    m.surface = SHERD_RENDER_GLASS;
    m.outer_roughness = m.inner_roughness = 0.01;
    return m;
}

static sherd_render_spheres ball(void)
{
    return (sherd_render_spheres){.count = 1,
                                  .x = BALL_X,
                                  .y = BALL_Y,
                                  .z = BALL_Z,
                                  .radius = BALL_RADIUS,
                                  .material = glass()};
}

// A box from y = low to high, 2 wide and high.
typedef struct slab {
    double vertices[24];
} slab;

static const int32_t SLAB_TRIANGLES[] = {0, 1, 5, 0, 5, 4, 3, 7, 6, 3, 6, 2, 0, 4, 7, 0, 7, 3,
                                         1, 2, 6, 1, 6, 5, 0, 3, 2, 0, 2, 1, 4, 5, 6, 4, 6, 7};

static sherd_render_mesh make_slab(slab *s, double low, double high)
{
    for (int k = 0; k < 8; ++k) {
        s->vertices[3 * k] = (k & 3) == 1 || (k & 3) == 2 ? 1.0 : -1.0;
        s->vertices[3 * k + 1] = (k & 3) >= 2 ? high : low;
        s->vertices[3 * k + 2] = k >= 4 ? 1.0 : -1.0;
    }
    return (sherd_render_mesh){.vertex_count = 8,
                               .triangle_count = 12,
                               .vertices = s->vertices,
                               .triangles = SLAB_TRIANGLES,
                               .material = glass()};
}

static double reflectance(double cosine, double ratio)
{
    return (double)sherd_glass_reflectance((float)cosine, (float)ratio);
}

Test(glass, reflects_as_fresnel_says)
{
    cr_assert(epsilon_eq(dbl, reflectance(1.0, 1.0 / 1.5), 0.04, 1e-6));
    // At Brewster's angle, tan = n, nothing of one polarisation: half of the other's ((n2 - 1) / (n2 + 1))^2.
    double n = 1.5, n2 = n * n, brewster = 1.0 / sqrt(1.0 + n2);
    double across = (n2 - 1.0) / (n2 + 1.0);
    cr_assert(epsilon_eq(dbl, reflectance(brewster, 1.0 / n), 0.5 * across * across, 1e-6));
    // Total beyond the critical angle, sin = 1/n, from inside.
    double critical = sqrt(1.0 - 1.0 / n2);
    cr_assert(eq(dbl, reflectance(critical - 1e-3, n), 1.0));
    cr_assert(reflectance(critical + 1e-3, n) < 0.9);
    cr_assert(epsilon_eq(dbl, reflectance(0.0, 1.0 / n), 1.0, 1e-6));
    // The same from either side.
    for (int k = 1; k < 10; ++k) {
        double c = 0.1 * k, inside = sqrt(1.0 - (1.0 - c * c) / n2);
        cr_assert(epsilon_eq(dbl, reflectance(c, 1.0 / n), reflectance(inside, n), 2e-6));
    }
}

Test(glass, bends_as_snell_says)
{
    vec3f up = {0.0f, 0.0f, 1.0f}, bent;
    for (int k = 0; k < 9; ++k) {
        double angle = 0.17 * k;
        vec3f d = {(float)sin(angle), 0.0f, (float)-cos(angle)};
        cr_assert(sherd_glass_refract(d, up, 1.0f / 1.33f, &bent));
        cr_assert(epsilon_eq(dbl, 1.33 * (double)bent.x, sin(angle), 1e-6));
        cr_assert(bent.z < 0.0f && bent.y == 0.0f);
    }
    vec3f steep = {0.8f, 0.0f, -0.6f};
    cr_assert(not(sherd_glass_refract(steep, up, 1.33f, &bent)));
}

// What comes from everywhere alike looks the same through clear glass, wherever it comes from.
Test(glass, clear_ball_in_even_light_is_invisible)
{
    sherd_environment *white = even_environment(1.0f);
    sherd_render_scene scene = probe_scene(white);
    sherd_render_spheres spheres = ball();
    scene.spheres = &spheres, scene.sphere_batch_count = 1;
    render_probe probe;
    probe_open(&probe, &scene);
    for (int k = 0; k <= 8; ++k) {
        double aside = 0.1 * k;
        vec3f light = probe_radiance(&probe, vec3(aside, -3.0, 0.05), vec3f_make(0, 1, 0), 1024);
        // What is mirrored, 0.04 or more, goes on by chance: with 0.1 each, a standard deviation of
        // 0.05 / sqrt(1024) without stratification.
        cr_assert(epsilon_eq(dbl, (double)light.x, 1.0, 2e-3), "at %g: %g", aside, (double)light.x);
    }
    sherd_tracer_close(&probe.tracer);
    // Rough glass loses what its facets hold from each other: a few percent.
    spheres.material.outer_roughness = 0.4;
    probe_open(&probe, &scene);
    vec3f light = probe_radiance(&probe, vec3(0.3, -3.0, 0.05), vec3f_make(0, 1, 0), 256);
    cr_assert(light.x > 0.9f && light.x <= 1.0001f, "%g", (double)light.x);
    sherd_tracer_close(&probe.tracer);
    sherd_environment_destroy(white);
}

static double through(const sherd_render_mesh *meshes, int count, sherd_vec3 from, vec3f direction)
{
    sherd_environment *white = even_environment(1.0f);
    sherd_render_scene scene = probe_scene(white);
    scene.meshes = meshes, scene.mesh_count = count;
    render_probe probe;
    probe_open(&probe, &scene);
    vec3f light = probe_radiance(&probe, from, direction, 1024);
    sherd_tracer_close(&probe.tracer);
    sherd_environment_destroy(white);
    return (double)light.x;
}

// Of all light that meets a slab at a right angle: what is mirrored, R, and, each crossing passing a share a,
// (1 - R)^2 a (1 + R a + (R a)^2 + ...) that leaves on either side.
static double slab_in_even_light(double passes)
{
    const double r = 0.04;
    return r + (1.0 - r) * (1.0 - r) * passes / (1.0 - r * passes);
}

Test(glass, slab_absorbs_by_distance)
{
    const double absorptions[] = {0.0, 0.5, 2.0}, thickness = 0.7;
    for (int k = 0; k < 3; ++k) {
        slab s;
        sherd_render_mesh mesh = make_slab(&s, -0.2, thickness - 0.2);
        mesh.material.absorption.r = (float)absorptions[k];
        double light = through(&mesh, 1, vec3(0.1, -3.0, 0.05), vec3f_make(0, 1, 0));
        double expected = slab_in_even_light(exp(-absorptions[k] * thickness));
        // Reflections inside are by chance: 0.04 of the light, to a few percent of that.
        cr_assert(epsilon_eq(dbl, light, expected, 0.003), "%g, not %g", light, expected);
    }
    sherd_color c = sherd_render_absorption((sherd_color){0.5f, 1.0f, 0.0f}, 0.01);
    cr_assert(epsilon_eq(dbl, (double)c.r, log(2.0) / 0.01, 1e-3));
    cr_assert(c.g == 0.0f && isfinite(c.b));
}

// Two halves of a slab with a common face, and two that overlap, are one slab.
Test(glass, bodies_that_touch_or_overlap_are_one)
{
    const double ends[][2] = {{0.1, 0.1}, {0.2, 0.1}};
    vec3f aslant = vec3f_unit_or(vec3f_make(0.3f, 1.0f, 0.2f), vec3f_make(0, 1, 0));
    slab whole, halves[2];
    sherd_render_mesh mesh = make_slab(&whole, -0.2, 0.5);
    mesh.material.absorption.r = 1.5f;
    sherd_vec3 from = vec3(-0.9, -3.0, -0.55);
    double one = through(&mesh, 1, from, aslant);
    for (int k = 0; k < 2; ++k) {
        sherd_render_mesh two[2] = {make_slab(&halves[0], -0.2, ends[k][0]),
                                    make_slab(&halves[1], ends[k][1], 0.5)};
        two[0].material.absorption.r = two[1].material.absorption.r = 1.5f;
        double both = through(two, 2, from, aslant);
        cr_assert(epsilon_eq(dbl, both, one, 0.003), "%g, not %g", both, one);
    }
    // A gap of air mirrors, and more light comes from the side it came from.
    sherd_render_mesh apart[2] = {make_slab(&halves[0], -0.2, 0.1),
                                  make_slab(&halves[1], 0.11, 0.5)};
    apart[0].material.absorption.r = apart[1].material.absorption.r = 1.5f;
    double gap = through(apart, 2, from, aslant);
    cr_assert(gap > one + 0.005, "%g and %g", gap, one);
}

Test(glass, turned_inside_out_is_the_same)
{
    slab s;
    sherd_render_mesh mesh = make_slab(&s, -0.2, 0.5);
    mesh.material.absorption.r = 1.0f;
    sherd_vec3 from = vec3(0.1, -3.0, 0.05);
    double expected = through(&mesh, 1, from, vec3f_make(0, 1, 0));
    int32_t turned[36];
    for (int k = 0; k < 36; k += 3) {
        turned[k] = SLAB_TRIANGLES[k];
        turned[k + 1] = SLAB_TRIANGLES[k + 2];
        turned[k + 2] = SLAB_TRIANGLES[k + 1];
    }
    mesh.triangles = turned;
    cr_assert(epsilon_eq(dbl, through(&mesh, 1, from, vec3f_make(0, 1, 0)), expected, 1e-5));
}

Test(glass, absurd_glass_is_refused)
{
    sherd_render_scene scene = probe_scene(NULL);
    sherd_render_spheres spheres = ball();
    sherd_error error = {0};
    scene.spheres = &spheres, scene.sphere_batch_count = 1;
    spheres.material.refractive_index = 0.5;
    cr_assert(sherd_render(&scene, &error) == NULL);
    cr_assert(strstr(error.what, "refractive_index") != NULL, "%s", error.what);
    spheres.material = glass();
    spheres.material.absorption.g = NAN;
    cr_assert(sherd_render(&scene, &error) == NULL);
    cr_assert(strstr(error.what, "absorption") != NULL, "%s", error.what);
}
