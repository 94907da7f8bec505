// Patterns of weakness: what each says of bonds, and what it refuses.
#include "base/random.h"
#include "math/quat.h"
#include "weakness/noise.h"
#include "weakness/pattern_point.h"

#include <sherd/weakness.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

static sherd_vec3 random_point(uint64_t k, double size)
{
    return vec3(size * (sherd_random_uniform(5, 1, k) - 0.5),
                size * (sherd_random_uniform(5, 2, k) - 0.5),
                size * (sherd_random_uniform(5, 3, k) - 0.5));
}

static sherd_vec3 random_direction(uint64_t k)
{
    return vec3_normalize(vec3(sherd_random_normal(6, 1, k), sherd_random_normal(6, 2, k),
                               sherd_random_normal(6, 3, k)));
}

static sherd_weakness_def of_kind(sherd_weakness_kind kind)
{
    sherd_weakness_def def = sherd_weakness_def_default();
    def.kind = kind;
    def.strength = 0.25;
    return def;
}

static sherd_weakness *make(const sherd_weakness_def *def)
{
    sherd_error error = {0};
    sherd_weakness *w = sherd_weakness_create(def, &error);
    cr_assert(w != NULL, "%s: %s", error.where, error.what);
    return w;
}

static void refuse(const sherd_weakness_def *def, const char *where)
{
    sherd_error error = {0};
    cr_assert(sherd_weakness_create(def, &error) == NULL);
    cr_assert(eq(int, error.status, SHERD_ERROR_INPUT));
    cr_assert(eq(str, error.where, (char *)where));
}

// ---------------------------------------------------------------- noise

// The share that is weak, and how degrees are spread, are as asked: 3 % because patches of 0.01 in a
// cube of 1 are 1e6 / 8 independent ones at most and the noise is only about normally distributed.
Test(weakness, noise_has_its_share)
{
    enum { POINTS = 100000 };
    const double shares[] = {0.5, 0.2, 0.2}, contrasts[] = {1.0, 1.0, 1e4};
    for (int k = 0; k < 3; ++k) {
        sherd_weakness_def def = of_kind(SHERD_WEAKNESS_NOISE);
        def.size = 0.01, def.share = shares[k], def.contrast = contrasts[k], def.seed = 3;
        sherd_weakness *w = make(&def);
        double weak = 0.0, sure = 0.0;
        for (uint64_t n = 0; n < POINTS; ++n) {
            sherd_vec3 p = random_point(n, 1.0);
            double amount = sherd_weakness_amount(w, p, p);
            cr_assert(amount >= 0.0 && amount <= 1.0);
            weak += amount > 0.5;
            sure += amount == 0.0 || amount == 1.0;
        }
        cr_assert(epsilon_eq(dbl, weak / POINTS, shares[k], 0.03));
        cr_assert(k < 2 || sure / POINTS > 0.99);
        cr_assert(k > 0 || sure / POINTS < 0.01);
        sherd_weakness_destroy(w);
    }
}

// Neighbours a hundredth of the size apart are alike, those some sizes apart are not; other seeds and
// sizes are other noise.
Test(weakness, noise_is_smooth_and_reproducible)
{
    sherd_fractal_noise noise = {1, 3, 100.0}, other = {2, 3, 100.0};
    double near = 0.0, far = 0.0, seeds = 0.0;
    enum { POINTS = 20000 };
    for (uint64_t n = 0; n < POINTS; ++n) {
        sherd_vec3 p = random_point(n, 1.0), d = random_direction(n);
        double value = sherd_fractal_noise_at(&noise, p);
        cr_assert(sherd_fractal_noise_at(&noise, p) == value);
        near =
            fmax(near, fabs(sherd_fractal_noise_at(&noise, vec3_add_scaled(p, 1e-4, d)) - value));
        far += value * sherd_fractal_noise_at(&noise, vec3_add_scaled(p, 0.05, d)) / POINTS;
        seeds += value * sherd_fractal_noise_at(&other, p) / POINTS;
    }
    cr_assert(near < 0.2, "%g", near);         // slopes of three octaves are about 3 each
    cr_assert(fabs(far) < 4.0 / sqrt(POINTS)); // four standard deviations of chance
    cr_assert(fabs(seeds) < 4.0 / sqrt(POINTS));
}

// ---------------------------------------------------------------- Voronoi

// Walls met per length by a line at random: 1.5 / a for cubes of edge a, 1.455 / a for cells of random
// points, volume a^3 (Moller 1989); seeds of one in each cube a little less in between. Steps of 0.03 a
// miss 1 % of them, which cross twice.
Test(weakness, voronoi_walls_are_as_far_apart_as_asked)
{
    const double expected[] = {1.49, 1.40, 1.44};
    for (int k = 0; k < 3; ++k) {
        sherd_weakness_def def = of_kind(SHERD_WEAKNESS_VORONOI);
        const double size = 0.01, step = 3e-4;
        def.size = size, def.irregularity = 0.5 * k, def.seed = 9;
        sherd_weakness *w = make(&def);
        double crossings = 0.0;
        const int tries = 60000;
        for (int n = 0; n < tries; ++n) {
            sherd_vec3 p = random_point((uint64_t)n, 1.0);
            sherd_vec3 q = vec3_add_scaled(p, step, random_direction((uint64_t)n));
            double amount = sherd_weakness_amount(w, p, q);
            cr_assert(amount == 0.0 || amount == 1.0);
            crossings += amount;
        }
        // About 2600 crossings, 2 % of chance; three times that.
        cr_assert(epsilon_eq(dbl, crossings / (tries * step) * size, expected[k], 0.085), "%d", k);
        sherd_weakness_destroy(w);
    }
}

// A point is near a wall when a short step in some direction crosses it.
Test(weakness, voronoi_walls_are_where_they_should_be)
{
    sherd_weakness_def def = of_kind(SHERD_WEAKNESS_VORONOI), thick;
    def.size = 1.0, def.stretch = vec3(1.0, 2.0, 0.5), def.seed = 4;
    thick = def, thick.wall = 0.2;
    sherd_weakness *thin = make(&def), *wall = make(&thick);
    int near = 0, missed = 0, wrong = 0;
    for (uint64_t n = 0; n < 1200; ++n) {
        sherd_vec3 p = random_point(n, 50.0);
        bool crosses = false, crosses_far = false;
        for (uint64_t d = 0; d < 120; ++d) {
            sherd_vec3 u = random_direction(1000 * n + d);
            crosses = crosses || sherd_weakness_amount(thin, p, vec3_add_scaled(p, 0.0999, u)) > 0;
            crosses_far =
                crosses_far || sherd_weakness_amount(thin, p, vec3_add_scaled(p, 0.105, u)) > 0;
        }
        bool says = sherd_weakness_amount(wall, p, p) > 0.0;
        near += says;
        wrong += crosses && !says; // must be near what a step of less than 0.1 crosses
        missed +=
            says && !crosses_far; // 120 directions may miss a wall that is nearly out of reach
    }
    cr_assert(eq(int, wrong, 0));
    cr_assert(near > 120 && missed < near / 10, "%d of %d", missed, near);
    sherd_weakness_destroy(thin), sherd_weakness_destroy(wall);
}

// Bent walls separate as well as flat ones: what is joined on a fine grid does not cross.
Test(weakness, voronoi_warp_bends_walls)
{
    sherd_weakness_def def = of_kind(SHERD_WEAKNESS_VORONOI);
    def.size = 0.01, def.seed = 2;
    sherd_weakness *flat = make(&def);
    def.warp = 1.0;
    sherd_weakness *bent = make(&def);
    int differ = 0, crossings = 0;
    const int tries = 20000;
    for (int n = 0; n < tries; ++n) {
        sherd_vec3 p = random_point((uint64_t)n, 1.0);
        sherd_vec3 q = vec3_add_scaled(p, 1e-3, random_direction((uint64_t)n));
        double a = sherd_weakness_amount(flat, p, q), b = sherd_weakness_amount(bent, p, q);
        differ += a != b;
        crossings += b > 0.0;
    }
    // About as many walls (1.455e-3 / 0.01 of the steps cross one), bent ones having more area.
    cr_assert(differ > tries / 20);
    cr_assert(crossings > 0.12 * tries && crossings < 0.25 * tries, "%d", crossings);
    sherd_weakness_destroy(flat), sherd_weakness_destroy(bent);
}

// A wall is between the same places whether their cells are found for each pair or once; so is a thick one, and what has no
// cells.
Test(weakness, places_that_are_kept_say_the_same)
{
    sherd_weakness_def def[3] = {of_kind(SHERD_WEAKNESS_VORONOI), of_kind(SHERD_WEAKNESS_VORONOI),
                                 of_kind(SHERD_WEAKNESS_NOISE)};
    for (int k = 0; k < 3; ++k) {
        def[k].size = 0.1, def[k].seed = 7, def[k].warp = 0.5 * k;
        if (k == 1) def[k].wall = 0.02;
        sherd_weakness *w = make(&def[k]);
        double sum = 0.0;
        for (uint64_t n = 0; n < 400; ++n) {
            sherd_vec3 p = random_point(n, 1.0);
            sherd_vec3 q = vec3_add_scaled(p, 0.04, random_direction(n));
            sherd_pattern_point a = sherd_pattern_point_at(w, p), b = sherd_pattern_point_at(w, q);
            double amount = sherd_weakness_amount(w, p, q);
            cr_assert(eq(dbl, sherd_pattern_amount(w, &a, &b), amount));
            sum += amount;
        }
        cr_assert(sum > 40.0 && sum < 360.0, "%g", sum); // some are parted, some are not
        sherd_weakness_destroy(w);
    }
}

// ---------------------------------------------------------------- paint

// A square in the xy plane, 1 on a side, painted red from 0 at x = 0 to 1 at x = 1.
static sherd_mesh *painted_square(void)
{
    sherd_error error;
    sherd_mesh *mesh = sherd_mesh_create(4, 2, &error);
    const double vertices[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    const int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    const float colors[] = {0, 0.5F, 1, 1, 0.5F, 1, 1, 0.5F, 1, 0, 0.5F, 1};
    memcpy(mesh->vertices, vertices, sizeof vertices);
    memcpy(mesh->triangles, triangles, sizeof triangles);
    // Of the same allocator as the mesh's arrays: a copy of itself with colours.
    mesh->color = (float *)(void *)colors;
    sherd_mesh *copy = sherd_mesh_copy(mesh, &error);
    mesh->color = NULL;
    sherd_mesh_destroy(mesh);
    return copy;
}

static double paint_at(const sherd_weakness_def *def, double x, double z)
{
    sherd_weakness *w = make(def);
    double amount = sherd_weakness_amount(w, vec3(x, 0.4, z - 0.01), vec3(x, 0.4, z + 0.01));
    sherd_weakness_destroy(w);
    return amount;
}

Test(weakness, paint_of_the_nearest_place)
{
    sherd_mesh *mesh = painted_square();
    sherd_weakness_def def = of_kind(SHERD_WEAKNESS_PAINT);
    def.mesh = mesh;
    const double eps = 1e-12; // a few roundings
    cr_assert(epsilon_eq(dbl, paint_at(&def, 0.3, 0.1), 0.3, eps));
    cr_assert(epsilon_eq(dbl, paint_at(&def, 0.8, -5.0), 0.8, eps)); // however deep
    cr_assert(epsilon_eq(dbl, paint_at(&def, 3.0, 0.0), 1.0, eps));  // beyond the rim
    def.invert = true;
    cr_assert(epsilon_eq(dbl, paint_at(&def, 0.3, 0.1), 0.7, eps));
    def.invert = false, def.channel = SHERD_PAINT_MEAN;
    cr_assert(epsilon_eq(dbl, paint_at(&def, 0.3, 0.1), (0.3 + 0.5 + 1.0) / 3.0, eps));
    def.channel = SHERD_PAINT_RED, def.depth = 0.2, def.falloff = 0.1;
    cr_assert(epsilon_eq(dbl, paint_at(&def, 0.3, -0.19), 0.3, eps));
    cr_assert(epsilon_eq(dbl, paint_at(&def, 0.3, -0.25), 0.15, eps));
    cr_assert(eq(dbl, paint_at(&def, 0.3, -0.31), 0.0));
    sherd_mesh_destroy(mesh);
}

// ---------------------------------------------------------------- curves, cuts, regions

static double amount_of(const sherd_weakness_def *def, sherd_vec3 i, sherd_vec3 j)
{
    sherd_weakness *w = make(def);
    double amount = sherd_weakness_amount(w, i, j);
    cr_assert(eq(dbl, sherd_weakness_amount(w, j, i), amount));
    sherd_weakness_destroy(w);
    return amount;
}

Test(weakness, curve_has_a_width_and_a_soft_edge)
{
    const sherd_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
    sherd_weakness_def def = of_kind(SHERD_WEAKNESS_CURVE);
    def.points = points, def.point_count = 3, def.radius = 0.1, def.falloff = 0.2;
    cr_assert(eq(dbl, amount_of(&def, vec3(0.5, -0.1, 0.09), vec3(0.5, 0.1, 0.09)), 1.0));
    cr_assert(eq(dbl, amount_of(&def, vec3(1.05, 0.5, 1.0), vec3(1.05, 0.5, -1.0)), 1.0));
    cr_assert(epsilon_eq(dbl, amount_of(&def, vec3(0.2, 0.2, 0), vec3(0.3, 0.2, 0)), 0.5, 1e-12));
    cr_assert(eq(dbl, amount_of(&def, vec3(0.5, 0.31, 0), vec3(0.6, 0.5, 0)), 0.0));
    cr_assert(eq(dbl, amount_of(&def, vec3(0.5, 0.0, 0.4), vec3(0.5, 0.0, 0.5)), 0.0));
    cr_assert(eq(dbl, amount_of(&def, vec3(-0.31, 0, 0), vec3(-0.31, 0, 0)), 0.0)); // past its end
    def.along = vec3(0, 0, 7); // through the whole body
    cr_assert(eq(dbl, amount_of(&def, vec3(0.5, 0.0, 0.4), vec3(0.5, 0.0, 0.5)), 1.0));
}

Test(weakness, cuts_take_what_crosses)
{
    sherd_weakness_def def = of_kind(SHERD_WEAKNESS_CUT);
    def.cut = SHERD_CUT_PLANE, def.point = vec3(0, 0, 1), def.normal = vec3(0, 0, 2);
    cr_assert(eq(dbl, amount_of(&def, vec3(9, 0, 0.9), vec3(9, 0, 1.1)), 1.0));
    cr_assert(eq(dbl, amount_of(&def, vec3(9, 0, 1.0), vec3(9, 0, 1.1)), 0.0)); // 1.0 is above
    cr_assert(eq(dbl, amount_of(&def, vec3(9, 0, 1.0), vec3(9, 0, 0.9)), 1.0));
    def.cut = SHERD_CUT_DISC, def.radius = 0.5;
    cr_assert(eq(dbl, amount_of(&def, vec3(0.4, 0, 0), vec3(0.4, 0.2, 2)), 1.0));
    cr_assert(eq(dbl, amount_of(&def, vec3(0.4, 0, 0), vec3(0.7, 0, 2)), 0.0));
    // An L in a tilted plane, corners a little off it.
    sherd_vec3 corner[6] = {{0, 0, 0}, {2, 0, 2e-4}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
    sherd_quat turn = quat_from_rotation_vector(vec3(0.4, 0.3, 0.0));
    for (int k = 0; k < 6; ++k)
        corner[k] = vec3_add(vec3(5, 6, 7), quat_rotate(turn, corner[k]));
    def.cut = SHERD_CUT_POLYGON, def.points = corner, def.point_count = 6;
    const double at[3][2] = {{0.5, 1.5}, {1.5, 0.5}, {1.5, 1.5}};
    for (int k = 0; k < 3; ++k) {
        sherd_vec3 a = vec3_add(vec3(5, 6, 7), quat_rotate(turn, vec3(at[k][0], at[k][1], -0.3)));
        sherd_vec3 b = vec3_add(vec3(5, 6, 7), quat_rotate(turn, vec3(at[k][0], at[k][1], 0.2)));
        cr_assert(eq(dbl, amount_of(&def, a, b), k < 2 ? 1.0 : 0.0));
        cr_assert(eq(dbl, amount_of(&def, a, a), 0.0));
    }
}

Test(weakness, shapes_cut_and_weaken)
{
    sherd_error error;
    sherd_shape *blade = sherd_shape_box(vec3(2, 1e-3, 1), &error);
    sherd_weakness_def def = of_kind(SHERD_WEAKNESS_CUT);
    def.cut = SHERD_CUT_SHAPE, def.shape = blade;
    cr_assert(eq(dbl, amount_of(&def, vec3(0.3, -0.4, 0.1), vec3(0.4, 0.7, 0.0)), 1.0)); // through
    cr_assert(eq(dbl, amount_of(&def, vec3(0.3, 0.1, 0.1), vec3(0.4, 0.7, 0.0)), 0.0));
    cr_assert(eq(dbl, amount_of(&def, vec3(0.3, -0.4, 0.6), vec3(0.4, 0.7, 0.6)), 0.0)); // beside
    cr_assert(eq(dbl, amount_of(&def, vec3(0.3, 0.0, 0.1), vec3(0.4, 0.7, 0.0)), 1.0));
    cr_assert(eq(dbl, amount_of(&def, vec3(0.3, 0.0, 0.1), vec3(0.4, 0.0, 0.0)), 0.0)); // inside
    def.kind = SHERD_WEAKNESS_REGION, def.falloff = 0.2;
    cr_assert(eq(dbl, amount_of(&def, vec3(0.3, -0.1, 0.1), vec3(0.3, 0.1, 0.1)), 1.0));
    double half = 0.1 + 0.5e-3;
    cr_assert(epsilon_eq(dbl, amount_of(&def, vec3(0.3, half, 0), vec3(0.2, half, 0)), 0.5, 1e-12));
    sherd_shape_destroy(blade);
}

// A roof of two squares, open all around: ridge along x at z = 1.
static sherd_mesh *roof(void)
{
    static const double VERTICES[18] = {0, -1, 0, 2, -1, 0, 0, 0, 1, 2, 0, 1, 0, 1, 0, 2, 1, 0};
    static const int32_t TRIANGLES[12] = {0, 1, 2, 1, 3, 2, 2, 3, 4, 5, 4, 3};
    sherd_error error;
    sherd_mesh *mesh = sherd_mesh_create(6, 4, &error);
    memcpy(mesh->vertices, VERTICES, sizeof VERTICES);
    memcpy(mesh->triangles, TRIANGLES, sizeof TRIANGLES);
    return mesh;
}

Test(weakness, open_sheets_cut_what_crosses)
{
    sherd_weakness_def def = of_kind(SHERD_WEAKNESS_CUT);
    sherd_mesh *mesh = roof();
    def.cut = SHERD_CUT_SHEET, def.mesh = mesh;
    cr_assert(eq(dbl, amount_of(&def, vec3(0.5, -0.5, 0.4), vec3(0.5, -0.5, 0.6)), 1.0));
    cr_assert(eq(dbl, amount_of(&def, vec3(0.5, -0.5, 0.6), vec3(0.5, -0.5, 0.4)), 1.0));
    cr_assert(eq(dbl, amount_of(&def, vec3(0.5, -0.5, 0.6), vec3(0.5, -0.5, 0.9)), 0.0));
    cr_assert(eq(dbl, amount_of(&def, vec3(2.1, -0.5, 0.4), vec3(2.1, -0.5, 0.6)), 0.0)); // beside
    cr_assert(eq(dbl, amount_of(&def, vec3(1, -2, 0.5), vec3(1, 2, 0.5)), 1.0));          // twice
    // Through edges that triangles share, and through the ridge's end.
    for (int k = 0; k <= 100; ++k) {
        double x = 0.02 * k;
        cr_assert(eq(dbl, amount_of(&def, vec3(x, 0, 0.3), vec3(x, 0, 1.7)), 1.0), "%g", x);
        double y = -1.0 + 0.01 * k;
        sherd_vec3 on = vec3(1.0 - y - 1.0, y, 1.0 + y); // of the diagonal
        cr_assert(eq(dbl,
                     amount_of(&def, vec3(on.x - 0.3, on.y - 0.7, on.z + 1.1),
                               vec3(on.x + 0.3, on.y + 0.7, on.z - 1.1)),
                     1.0),
                  "%g", y);
    }
    sherd_mesh_destroy(mesh);
    def.mesh = NULL, refuse(&def, "mesh");
}

// ---------------------------------------------------------------- faces

// Number of faces of a cut near x, and the first.
static int face_of(const sherd_weakness_def *def, sherd_vec3 x, sherd_cut_face *face)
{
    sherd_error error;
    sherd_weakness *cut = sherd_weakness_create(def, &error);
    cr_assert(cut != NULL, "%s", error.what);
    sherd_weakness_list list = {1, &cut};
    int count = sherd_weakness_list_faces(&list, x, 0.5, 1, face);
    sherd_weakness_destroy(cut);
    return count;
}

static void check_face(const sherd_weakness_def *def, sherd_vec3 x, sherd_vec3 normal,
                       double distance, double beyond)
{
    sherd_cut_face face;
    cr_assert(eq(int, face_of(def, x, &face), 1));
    cr_assert(lt(dbl, vec3_distance(face.normal, normal), 1e-9));
    cr_assert(epsilon_eq(dbl, face.distance, distance, 1e-9));
    cr_assert(epsilon_eq(dbl, face.beyond, beyond, 1e-9));
}

Test(weakness, cuts_have_faces_on_both_sides)
{
    sherd_error error;
    sherd_cut_face face;
    const sherd_vec3 up = vec3(0, 0, 1), down = vec3(0, 0, -1);
    sherd_weakness_def def = of_kind(SHERD_WEAKNESS_CUT);
    def.strength = 0.0;
    def.cut = SHERD_CUT_PLANE, def.point = vec3(0, 0, 1), def.normal = vec3(0, 0, 2);
    check_face(&def, vec3(9, 0, 1.2), down, 0.2, 0.0);
    check_face(&def, vec3(9, 0, 0.7), up, 0.3, 0.0);
    check_face(&def, vec3(9, 0, 1.0), down, 0.0, 0.0); // on it is above, as for bonds
    cr_assert(eq(int, face_of(&def, vec3(9, 0, 1.6), &face), 0));
    def.cut = SHERD_CUT_DISC, def.radius = 0.5;
    check_face(&def, vec3(0.3, 0, 1.2), down, 0.2, 0.0);
    check_face(&def, vec3(0.7, 0, 1.2), down, 0.2, 0.2);
    cr_assert(eq(int, face_of(&def, vec3(1.1, 0, 1.2), &face), 0));
    const sherd_vec3 corner[4] = {{0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}};
    def.cut = SHERD_CUT_POLYGON, def.points = corner, def.point_count = 4;
    check_face(&def, vec3(1, 1, 0.9), up, 0.1, 0.0);
    check_face(&def, vec3(2.25, 1, 0.9), up, 0.1, 0.25);
    def.points = NULL, def.point_count = 0;
    sherd_shape *ball = sherd_shape_sphere(2.0, &error);
    def.cut = SHERD_CUT_SHAPE, def.shape = ball;
    check_face(&def, vec3(1.75, 0, 0), vec3(1, 0, 0), 0.25, 0.0);
    check_face(&def, vec3(0, -2.25, 0), vec3(0, 1, 0), 0.25, 0.0);
    def.shape = NULL;
    sherd_mesh *mesh = roof();
    const double s = sqrt(0.5);
    def.cut = SHERD_CUT_SHEET, def.mesh = mesh;
    check_face(&def, vec3(1, -0.5, 0.7), vec3(0, s, -s), 0.2 * s, 0.0);
    check_face(&def, vec3(1, -0.5, 0.3), vec3(0, -s, s), 0.2 * s, 0.0);
    check_face(&def, vec3(2.25, -0.5, 0.3), vec3(0, -s, s), 0.2 * s, 0.25);
    // Only what is broken from the start has faces.
    def.strength = 0.5;
    cr_assert(eq(int, face_of(&def, vec3(1, -0.5, 0.7), &face), 0));
    sherd_mesh_destroy(mesh);
    sherd_shape_destroy(ball);
}

// ---------------------------------------------------------------- together

Test(weakness, factors_multiply)
{
    sherd_weakness_def plane = of_kind(SHERD_WEAKNESS_CUT);
    plane.normal = vec3(0, 0, 1), plane.strength = 0.5, plane.stiffness = 0.25;
    sherd_weakness_def disc = plane;
    disc.cut = SHERD_CUT_DISC, disc.radius = 1.0, disc.strength = 0.0, disc.stiffness = 3.0;
    sherd_weakness *const both[] = {make(&plane), make(&disc)};
    sherd_weakness_list list = {2, both};
    sherd_bond_scale in = sherd_weakness_list_scale(&list, vec3(0.5, 0, -1), vec3(0.5, 0, 1));
    sherd_bond_scale out = sherd_weakness_list_scale(&list, vec3(5, 0, -1), vec3(5, 0, 1));
    cr_assert(in.strength == 0.0 && in.stiffness == 0.75);
    cr_assert(out.strength == 0.5 && out.stiffness == 0.25);
    list.count = 0;
    out = sherd_weakness_list_scale(&list, vec3(5, 0, -1), vec3(5, 0, 1));
    cr_assert(out.strength == 1.0 && out.stiffness == 1.0);
    sherd_weakness_destroy(both[0]), sherd_weakness_destroy(both[1]);
}

Test(weakness, nonsense_is_refused_by_name)
{
    sherd_weakness_def def = {0};
    refuse(&def, "sherd_weakness_def");
    def = of_kind(SHERD_WEAKNESS_NOISE);
    refuse(&def, "size");
    def.size = INFINITY, refuse(&def, "size");
    def.size = 1.0, def.octaves = 17, refuse(&def, "octaves");
    def.octaves = 1, def.contrast = NAN, refuse(&def, "contrast");
    def.contrast = 1.0, def.strength = -0.1, refuse(&def, "strength");
    def = of_kind(SHERD_WEAKNESS_VORONOI), def.size = 1.0;
    def.stretch.y = 0.0, refuse(&def, "stretch");
    def.stretch.y = 1.0, def.wall = -1.0, refuse(&def, "wall");
    def = of_kind(SHERD_WEAKNESS_PAINT), refuse(&def, "mesh");
    def = of_kind(SHERD_WEAKNESS_CURVE), refuse(&def, "points");
    def = of_kind(SHERD_WEAKNESS_REGION), refuse(&def, "shape");
    def = of_kind(SHERD_WEAKNESS_CUT), refuse(&def, "normal");
    const sherd_vec3 bent[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0.1}, {0, 1, 0}},
                     crossed[] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 2, 0}};
    def.cut = SHERD_CUT_POLYGON, def.points = bent, def.point_count = 4, refuse(&def, "points");
    def.points = crossed, refuse(&def, "points");
    def.point_count = 2, refuse(&def, "points");
}

// Far beyond any body, and with sizes far below it, nothing overflows.
Test(weakness, extreme_places_are_safe)
{
    sherd_weakness_def noise = of_kind(SHERD_WEAKNESS_NOISE),
                       cells = of_kind(SHERD_WEAKNESS_VORONOI);
    noise.size = cells.size = 1e-300, cells.wall = 1e-301, cells.warp = 1.0;
    sherd_weakness *const both[] = {make(&noise), make(&cells)};
    const double far[] = {0.0, 1e-3, -1.0, 1e20, -1e300};
    for (int k = 0; k < 5; ++k)
        for (int w = 0; w < 2; ++w) {
            sherd_vec3 p = vec3(far[k], -far[k], far[k]);
            double amount = sherd_weakness_amount(both[w], p, vec3(0, 0, 0));
            cr_assert(amount >= 0.0 && amount <= 1.0, "%d at %g: %g", w, far[k], amount);
        }
    sherd_weakness_destroy(both[0]), sherd_weakness_destroy(both[1]);
}
