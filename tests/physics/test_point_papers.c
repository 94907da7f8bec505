// Scenes of [MPMG], reduced: what is drawn tears along the drawing, internal cracks close again, bricks come to rest.
#include "sanitized.h"

#include <sherd/scene.h>
#include <sherd/world.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct stage {
    sherd_scene *scene;
    sherd_scene_build build;
    sherd_world *world;
    sherd_element_index count;
    double *x[3]; // at the start
} stage;

static stage set(const char *text)
{
    char all[8192];
    sherd_diagnostics diagnostics = {0};
    sherd_error error;
    snprintf(all, sizeof all, "sherd: 1\nname: test\nduration: 10 s\n%s", text);
    stage s = {.scene = sherd_scene_parse(all, strlen(all), "test", NULL, &diagnostics)};
    cr_assert(s.scene != NULL, "%s: %s", diagnostics.errors[0].where, diagnostics.errors[0].what);
    sherd_diagnostics_free(&diagnostics);
    s.world = sherd_scene_create_world(s.scene, 2, &s.build, &error);
    cr_assert(s.world != NULL, "%s: %s", error.where, error.what);
    sherd_element_view e = sherd_world_elements(s.world);
    const double *const from[3] = {e.x, e.y, e.z};
    s.count = e.count;
    for (int axis = 0; axis < 3; ++axis) {
        s.x[axis] = malloc((size_t)e.count * sizeof(double));
        memcpy(s.x[axis], from[axis], (size_t)e.count * sizeof(double));
    }
    return s;
}

static void strike(stage *s)
{
    sherd_world_destroy(s->world);
    sherd_scene_build_free(&s->build);
    sherd_scene_destroy(s->scene);
    for (int axis = 0; axis < 3; ++axis)
        free(s->x[axis]);
}

static void go(const stage *s, double until)
{
    sherd_error error;
    sherd_status status = sherd_world_advance(s->world, until, &error);
    cr_assert(eq(int, (int)status, SHERD_OK), "%s: %s", error.where, error.what);
}

// The point one spacing above another at the start, or -1.
static sherd_element_index above(const stage *s, sherd_element_index k, double spacing)
{
    for (sherd_element_index n = 0; n < s->count; ++n)
        if (fabs(s->x[0][n] - s->x[0][k]) < 0.1 * spacing &&
            fabs(s->x[1][n] - s->x[1][k]) < 0.1 * spacing &&
            fabs(s->x[2][n] - s->x[2][k] - spacing) < 0.1 * spacing)
            return n;
    return -1;
}

static double distance(const sherd_element_view *e, sherd_element_index a, sherd_element_index b)
{
    double x = e->x[a] - e->x[b], y = e->y[a] - e->y[b], z = e->z[a] - e->z[b];
    return sqrt(x * x + y * y + z * z);
}

// ---------------------------------------------------------------- Fig. 7

static const double SPONGE = 0.01; // spacing [m]

#define SPONGE_SCENE(fracture, way)                                                                \
    "gravity: [0, 0, 0]\n"                                                                         \
    "materials:\n  sponge: {density: 100, youngs_modulus: 50 kPa, poissons_ratio: 0.2, "           \
    "model: corotated}\n"                                                                          \
    "bodies:\n  - name: sponge\n    material: sponge\n"                                            \
    "    packing: {points: {spacing: 1 cm}}\n"                                                     \
    "    shape: {difference: [{box: [20 cm, 6 cm, 26 cm]}, "                                       \
    "{box: [5 cm, 9 cm, 2 cm], position: [-9.5 cm, 0, 0]}]}\n" fracture "drivers:\n"               \
    "  - {name: below, region: {box: [22 cm, 9 cm, 3 cm], position: [0, 0, -12 cm]}, motion: "     \
    "{table: [{time: 0 s}, {time: 0.1 s, translation: [0, 0, -5 mm]}, "                            \
    "{time: 0.4 s, translation: [0, 0, -" way "]}]}}\n"                                            \
    "  - {name: above, region: {box: [22 cm, 9 cm, 3 cm], position: [0, 0, 12 cm]}, motion: "      \
    "{table: [{time: 0 s}, {time: 0.1 s, translation: [0, 0, 5 mm]}, "                             \
    "{time: 0.4 s, translation: [0, 0, " way "]}]}}\n"
#define ZIGZAG                                                                                     \
    "    fracture:\n      pieces:\n"                                                               \
    "        - {cut: {polygon: [[-0.08, -1, 0], [-0.03, -1, 0.035], [-0.03, 1, 0.035], "           \
    "[-0.08, 1, 0]]}}\n"                                                                           \
    "        - {cut: {polygon: [[-0.03, -1, 0.035], [0.01, -1, -0.035], [0.01, 1, -0.035], "       \
    "[-0.03, 1, 0.035]]}}\n"                                                                       \
    "        - {cut: {polygon: [[0.01, -1, -0.035], [0.05, -1, 0.035], [0.05, 1, 0.035], "         \
    "[0.01, 1, -0.035]]}}\n"                                                                       \
    "        - {cut: {polygon: [[0.05, -1, 0.035], [0.11, -1, -0.04], [0.11, 1, -0.04], "          \
    "[0.05, 1, 0.035]]}}\n"                                                                        \
    "      glue: {tensile_strength: 5 kPa, shear_strength: 7 kPa, scatter: 0.07}\n"

// The drawn line.
static double zigzag(double x)
{
    static const double AT[5][2] = {
        {-0.08, 0.0}, {-0.03, 0.035}, {0.01, -0.035}, {0.05, 0.035}, {0.11, -0.04}};
    if (x <= AT[0][0]) return 0.0;
    int k = 0;
    while (k < 3 && x > AT[k + 1][0])
        ++k;
    return AT[k][1] + (AT[k + 1][1] - AT[k][1]) * (x - AT[k][0]) / (AT[k + 1][0] - AT[k][0]);
}

Test(point_papers, a_sponge_tears_along_the_zigzag_that_was_drawn)
{
    stage s = set(SPONGE_SCENE(ZIGZAG, "4 cm"));
    go(&s, 0.4);
    sherd_body_glue glue = sherd_world_body_glue(s.world, 0);
    cr_assert(eq(int, glue.pieces, 2));
    cr_assert(le(dbl, 0.95 * (double)glue.count, (double)glue.broken));
    sherd_element_index *first = malloc((size_t)s.count * sizeof *first), side[2] = {-1, -1};
    sherd_world_components(s.world, first);
    sherd_element_view e = sherd_world_elements(s.world);
    for (sherd_element_index k = 0; k < s.count; ++k) {
        int upper = s.x[2][k] > zigzag(s.x[0][k]);
        if (side[upper] < 0) side[upper] = first[k];
        cr_assert(eq(int, first[k], side[upper])); // each on the piece that it was drawn on
        // And that piece alone goes its way.
        cr_assert(lt(dbl, (upper ? -1.0 : 1.0) * (e.z[k] - s.x[2][k]), -0.03));
    }
    cr_assert(side[0] != side[1]);
    free(first);
    strike(&s);
}

// Where nothing was drawn: neighbours that the pull parts are elsewhere. Points without glue are in many other tests.
Test(point_papers, a_sponge_without_a_drawing_tears_elsewhere)
{
    if (SANITIZED) return;
    stage s = set(SPONGE_SCENE("", "30 cm"));
    go(&s, 0.4);
    sherd_element_view e = sherd_world_elements(s.world);
    int torn = 0, drawn = 0;
    for (sherd_element_index k = 0; k < s.count; ++k) {
        sherd_element_index n = above(&s, k, SPONGE);
        if (n < 0 || distance(&e, k, n) < 4.0 * SPONGE) continue; // less than a kernel's reach
        double line = zigzag(s.x[0][k]);
        ++torn, drawn += s.x[2][k] < line && s.x[2][n] > line;
    }
    cr_assert(lt(int, 60, torn));
    cr_assert(lt(dbl, (double)drawn, 0.5 * torn));
    strike(&s);
}

// ---------------------------------------------------------------- Fig. 8

static const double TORUS = 0.025; // spacing [m]
#define TORUS_SCENE                                                                                \
    "gravity: [0, 0, 0]\n"                                                                         \
    "materials:\n  clay: {density: 1500, youngs_modulus: 1 MPa, poissons_ratio: 0.3, "             \
    "model: neo_hookean, friction: 0.4}\n"                                                         \
    "bodies:\n  - name: torus\n    material: clay\n    velocity: [10, 0, 0]\n"                     \
    "    shape: {torus: {major_radius: 37.5 cm, minor_radius: 12.5 cm}}\n"                         \
    "    packing: {points: {spacing: 2.5 cm}}\n    position: [-52 cm, 0, 0]\n"                     \
    "    fracture:\n      pieces: {cut: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"         \
    "      glue:\n        tensile_strength: 90 kPa\n        shear_strength: 450 kPa\n"             \
    "        inside: {difference: [{cylinder: {radius: 60 cm, height: 40 cm}}, "                   \
    "{cylinder: {radius: 37.5 cm, height: 50 cm}}]}\n"                                             \
    "obstacles:\n  - {name: wall, plane: {point: [0, 0, 0], normal: [-1, 0, 0]}, friction: 0.4}\n"

// The mean and the most that points on both sides of the crack have parted, on the inner half [cells].
static void measure_crack(const stage *s, double *mean, double *most)
{
    sherd_element_view e = sherd_world_elements(s->world);
    int count = 0;
    *mean = *most = 0.0;
    for (sherd_element_index k = 0; k < s->count; ++k) {
        double r = hypot(s->x[0][k] + 0.52, s->x[1][k]);
        if (r > 0.37 || s->x[2][k] > 0.0 || s->x[2][k] < -TORUS) continue;
        sherd_element_index n = above(s, k, TORUS);
        if (n < 0) continue;
        double gap = (e.z[n] - e.z[k] - TORUS) / (2.0 * TORUS);
        *most = fmax(*most, gap), *mean += gap, ++count;
    }
    *mean /= count > 0 ? count : 1;
}

// As the ring comes back from the wall they are closed; later they open again, as it swings.
Test(point_papers, cracks_inside_a_torus_close_when_it_has_rebounded)
{
    enum { LOOKS = 16 };
    stage s = set(TORUS_SCENE);
    double opened = 0.0, least = INFINITY, mean_then = INFINITY;
    for (int k = 1; k <= LOOKS; ++k) {
        double mean, most;
        go(&s, 0.08 * k / LOOKS);
        measure_crack(&s, &mean, &most);
        if (most > opened) opened = most, least = INFINITY;
        if (most < least) least = most, mean_then = mean;
    }
    sherd_body_glue glue = sherd_world_body_glue(s.world, 0);
    cr_assert(0 < glue.broken && glue.broken < glue.count);
    cr_assert(lt(dbl, 0.5, opened));
    cr_assert(lt(dbl, least, 0.3), "%g after %g", least, opened); // 0.10 after 1.64
    cr_assert(lt(dbl, fabs(mean_then), 0.05), "%g", mean_then);
    strike(&s);
}

// ---------------------------------------------------------------- Fig. 5

// Whether the middle of body b is among the points of body a.
static bool holds_middle(const stage *s, int a, int b, sherd_element_index each)
{
    sherd_element_view e = sherd_world_elements(s->world);
    sherd_vec3 middle = {0};
    for (sherd_element_index k = b * each; k < (b + 1) * each; ++k)
        middle.x += e.x[k] / each, middle.y += e.y[k] / each, middle.z += e.z[k] / each;
    double least = 1.0;
    for (sherd_element_index k = a * each; k < (a + 1) * each; ++k) {
        double x = e.x[k] - middle.x, y = e.y[k] - middle.y, z = e.z[k] - middle.z;
        least = fmin(least, sqrt(x * x + y * y + z * z));
    }
    return least < 0.025; // their spacing
}

Test(point_papers, kubbs_come_to_rest)
{
    enum { KUBBS = 8, TEXT = 6000 };
    char text[TEXT];
    int n =
        snprintf(text, TEXT,
                 "materials:\n  wood: {density: 600, youngs_modulus: 200 kPa, poissons_ratio: 0.2, "
                 "model: corotated, friction: 0.5}\n"
                 "obstacles:\n"
                 "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.5}\n"
                 "  - {name: mound, sphere: 1, position: [5 cm, 0, -92 cm], friction: 0.5}\n"
                 "bodies:\n");
    for (int k = 0; k < KUBBS; ++k)
        n += snprintf(text + n, (size_t)(TEXT - n),
                      "  - {name: k%d, shape: {box: [30 cm, 15 cm, 15 cm]}, packing: {points: "
                      "{spacing: 2.5 cm}}, material: wood, position: [%g, %g, %g], "
                      "rotation: [0, 0, %g deg]}\n",
                      k, k % 4 < 2 ? 0.005 * k : (k % 2 ? 0.1 : -0.1),
                      k % 4 < 2 ? (k % 2 ? 0.1 : -0.1) : 0.004 * k, 0.25 + 0.19 * (k / 2),
                      k % 4 < 2 ? 1.0 + k : 88.0 + k);
    stage s = set(text);
    double drop = sherd_world_energy(s.world).gravity;
    go(&s, SANITIZED ? 0.7 : 10.0); // all have met something by then
    sherd_energy energy = sherd_world_energy(s.world);
    drop -= energy.gravity;
    cr_assert(lt(dbl, energy.kinetic, (SANITIZED ? 1.0 : 1e-3) * drop));
    for (int a = 0; a < KUBBS; ++a)
        for (int b = 0; b < KUBBS; ++b)
            cr_assert(a == b || !holds_middle(&s, a, b, s.count / KUBBS), "%d in %d", b, a);
    strike(&s);
}
