// geometry: signed distances, normals, bounds and volumes of shapes.
#include "base/random.h"
#include "geometry/shape/grid_volume.h"
#include "geometry/shape/shape_kind.h"
#include "math/quat.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>
#include <time.h>

static const double PI = 3.14159265358979323846;

// A bowl: its profile touches the axis with two vertices and has a concave inside.
static const sherd_vec2 BOWL[] = {{0, 0},     {0.5, 0},    {1.0, 0.6},  {1.1, 1.0},
                                  {1.0, 1.0}, {0.9, 0.65}, {0.45, 0.1}, {0, 0.1}};
static const sherd_vec2 ELL[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};

enum { KINDS = 10 };

static sherd_shape *make(int kind)
{
    sherd_error error = {0};
    sherd_shape *shape = NULL;
    sherd_pose pose = {{0.3, -0.2, 0.1}, quat_from_rotation_vector(vec3(0.4, -0.7, 0.2))};
    switch (kind) {
    case 0:
        shape = sherd_shape_box(vec3(1.0, 2.0, 0.5), &error);
        break;
    case 1:
        shape = sherd_shape_sphere(0.7, &error);
        break;
    case 2:
        shape = sherd_shape_cylinder(0.6, 1.5, &error);
        break;
    case 3:
        shape = sherd_shape_capsule(0.4, 1.1, &error);
        break;
    case 4:
        shape = sherd_shape_torus(0.9, 0.3, &error);
        break;
    case 5:
        shape = sherd_shape_revolve(BOWL, 8, &error);
        break;
    case 6:
        shape = sherd_shape_extrude(ELL, 6, 0.8, &error);
        break;
    case 7:
        shape = sherd_shape_placed(sherd_shape_box(vec3(1.0, 2.0, 0.5), &error), pose, &error);
        break;
    case 8:
        shape = sherd_shape_union(sherd_shape_sphere(0.7, &error),
                                  sherd_shape_box(vec3(2.0, 0.5, 0.5), &error), &error);
        break;
    default:
        shape = sherd_shape_difference(sherd_shape_box(vec3(1.0, 1.0, 1.0), &error),
                                       sherd_shape_cylinder(0.25, 2.0, &error), &error);
        break;
    }
    cr_assert(shape != NULL, "%s: %s", error.where, error.what);
    return shape;
}

// A point within 1.5 times the shape's bounds.
static sherd_vec3 point_near(const sherd_shape *shape, uint64_t k)
{
    sherd_bounds b = sherd_shape_bounds(shape);
    sherd_vec3 u = vec3(sherd_random_uniform(1, 0, k), sherd_random_uniform(1, 1, k),
                        sherd_random_uniform(1, 2, k));
    sherd_vec3 size = vec3_sub(b.high, b.low);
    return vec3(b.low.x + (1.5 * u.x - 0.25) * size.x, b.low.y + (1.5 * u.y - 0.25) * size.y,
                b.low.z + (1.5 * u.z - 0.25) * size.z);
}

Test(shape, normal_is_the_gradient_of_the_distance)
{
    for (int kind = 0; kind < KINDS; ++kind) {
        sherd_shape *shape = make(kind);
        int compared = 0;
        for (uint64_t k = 0; k < 2000; ++k) {
            sherd_vec3 p = point_near(shape, k), n = sherd_shape_normal(shape, p);
            cr_assert(epsilon_eq(dbl, vec3_length(n), 1.0, 1e-12)); // rounding
            const double h = 1e-6;
            double ahead = sherd_shape_distance(shape, vec3_add_scaled(p, h, n));
            double behind = sherd_shape_distance(shape, vec3_add_scaled(p, -h, n));
            // Across a medial axis or crease the slope changes: those few points don't count.
            double here = sherd_shape_distance(shape, p);
            if (fabs(ahead + behind - 2.0 * here) > 1e-9) continue;
            // Rounding of the difference: 1e-16 / 1e-6, and curvature h^2.
            cr_assert(epsilon_eq(dbl, (ahead - behind) / (2.0 * h), 1.0, 1e-8), "kind %d", kind);
            ++compared;
        }
        cr_assert(compared > 1900, "kind %d: %d", kind, compared);
        sherd_shape_destroy(shape);
    }
}

Test(shape, walking_the_distance_along_the_normal_reaches_the_surface)
{
    for (int kind = 0; kind < 8; ++kind) { // the exact ones
        sherd_shape *shape = make(kind);
        for (uint64_t k = 0; k < 2000; ++k) {
            sherd_vec3 p = point_near(shape, k), n;
            double d = sherd_shape_distance_and_normal(shape, p, &n);
            double end = sherd_shape_distance(shape, vec3_add_scaled(p, -d, n));
            cr_assert(fabs(end) < 1e-12, "kind %d: %g left of %g", kind, end, d); // rounding
        }
        sherd_shape_destroy(shape);
    }
}

Test(shape, distance_changes_by_no_more_than_the_step)
{
    for (int kind = 0; kind < KINDS; ++kind) {
        sherd_shape *shape = make(kind);
        for (uint64_t k = 0; k < 2000; ++k) {
            sherd_vec3 a = point_near(shape, 2 * k), b = point_near(shape, 2 * k + 1);
            double change = sherd_shape_distance(shape, a) - sherd_shape_distance(shape, b);
            cr_assert(fabs(change) <= vec3_distance(a, b) * (1.0 + 1e-12));
        }
        sherd_shape_destroy(shape);
    }
}

Test(shape, exact_volumes_agree_with_the_numerical_one)
{
    for (int kind = 0; kind < 8; ++kind) {
        sherd_shape *shape = make(kind);
        double exact = sherd_shape_volume(shape);
        // Twice grid_volume's own stopping criterion.
        cr_assert(epsilon_eq(dbl, sherd_grid_volume(shape), exact, 1e-3 * exact), "kind %d", kind);
        sherd_shape_destroy(shape);
    }
}

Test(shape, volume_of_a_drilled_cube)
{
    sherd_shape *shape = make(9);
    double exact = 1.0 - PI * 0.25 * 0.25;
    cr_assert(epsilon_eq(dbl, sherd_shape_volume(shape), exact, 1e-3 * exact)); // as documented
    sherd_shape_destroy(shape);
}

// A cloud of balls and boxes, some within others.
static void make_parts(sherd_shape **parts, int count)
{
    for (int k = 0; k < count; ++k) {
        double r[4];
        for (int n = 0; n < 4; ++n)
            r[n] = sherd_random_uniform(7, (uint64_t)k, (uint64_t)n);
        sherd_error error = {0};
        double size = 0.02 + 0.1 * r[3];
        sherd_shape *part = k % 3 == 0 ? sherd_shape_box(vec3(size, 2.0 * size, size), &error)
                                       : sherd_shape_sphere(size, &error);
        sherd_pose pose = {vec3(r[0], r[1], r[2]), SHERD_QUAT_IDENTITY};
        parts[k] = sherd_shape_placed(part, pose, &error);
        cr_assert(parts[k] != NULL);
    }
}

// The tree finds what asking every part finds, bit for bit.
Test(shape, union_of_many_is_the_union_of_pairs)
{
    enum { PARTS = 100, POINTS = 20000 };
    sherd_shape *parts[PARTS], *again[PARTS];
    make_parts(parts, PARTS);
    make_parts(again, PARTS);
    sherd_error error = {0};
    sherd_shape *many = sherd_shape_union_of(parts, PARTS, &error), *chain = again[0];
    for (int k = 1; k < PARTS; ++k)
        chain = sherd_shape_union(chain, again[k], &error);
    cr_assert(many != NULL && chain != NULL, "%s", error.what);
    sherd_bounds a = sherd_shape_bounds(many), b = sherd_shape_bounds(chain);
    cr_assert(memcmp(&a, &b, sizeof a) == 0);
    int near = 0;
    for (uint64_t k = 0; k < POINTS; ++k) {
        sherd_vec3 p = vec3(1.4 * sherd_random_uniform(8, k, 0) - 0.2,
                            1.4 * sherd_random_uniform(8, k, 1) - 0.2,
                            1.4 * sherd_random_uniform(8, k, 2) - 0.2);
        sherd_vec3 normal, expected_normal;
        double distance = sherd_shape_distance_and_normal(many, p, &normal);
        double expected = sherd_shape_distance_and_normal(chain, p, &expected_normal);
        cr_assert(ieee_ulp_eq(dbl, distance, expected, 0));
        cr_assert(memcmp(&normal, &expected_normal, sizeof normal) == 0);
        const sherd_distance_range range = {0.01, 0.05};
        double between = sherd_shape_distance_or_far(many, p, range, NULL);
        cr_assert(fabs(expected) < 0.05 ? between == expected : between == INFINITY);
        near += fabs(expected) < 0.05;
    }
    cr_assert(lt(int, POINTS / 10, near));
    sherd_shape_destroy(many);
    sherd_shape_destroy(chain);
}

// Balls apart from each other, each there twice.
Test(shape, volume_of_many)
{
    enum { SIDE = 3, PARTS = 2 * SIDE * SIDE * SIDE };
    sherd_error error = {0};
    sherd_shape *parts[PARTS];
    for (int k = 0; k < PARTS; ++k) {
        int n = k / 2;
        sherd_pose pose = {vec3(n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE), SHERD_QUAT_IDENTITY};
        parts[k] = sherd_shape_placed(sherd_shape_sphere(0.3, &error), pose, &error);
    }
    sherd_shape *many = sherd_shape_union_of(parts, PARTS, &error);
    cr_assert(many != NULL, "%s", error.what);
    double exact = PARTS / 2 * 4.0 / 3.0 * PI * 0.027;
    // To about 0.1 %, as shape.h says.
    cr_assert(lt(dbl, fabs(sherd_shape_volume(many) - exact), 1e-3 * exact));
    sherd_shape_destroy(many);
}

Test(shape, bounds_are_tight)
{
    sherd_shape *shape = make(7); // a turned box: its bounds are those of its eight corners
    sherd_pose pose = {{0.3, -0.2, 0.1}, quat_from_rotation_vector(vec3(0.4, -0.7, 0.2))};
    sherd_vec3 high = vec3(-INFINITY, -INFINITY, -INFINITY);
    for (int k = 0; k < 8; ++k)
        high = vec3_max(high, pose_apply(pose, vec3(k & 1 ? 0.5 : -0.5, k & 2 ? 1.0 : -1.0,
                                                    k & 4 ? 0.25 : -0.25)));
    cr_assert(vec3_distance(high, sherd_shape_bounds(shape).high) < 1e-15); // rounding
    sherd_shape_destroy(shape);

    shape = make(5);
    sherd_bounds b = sherd_shape_bounds(shape);
    cr_assert(b.low.x == -1.1 && b.high.y == 1.1 && b.low.z == 0.0 && b.high.z == 1.0);
    sherd_shape_destroy(shape);
}

Test(shape, profile_edges_on_the_axis_are_no_surface)
{
    const sherd_vec2 half_disc[] = {
        {0, -1}, {2, -1}, {2, 1}, {0, 1}}; // a cylinder, counter-clockwise
    sherd_shape *shape = sherd_shape_revolve(half_disc, 4, NULL);
    cr_assert(epsilon_eq(dbl, sherd_shape_distance(shape, vec3(0, 0, 0)), -1.0, 1e-15));
    cr_assert(epsilon_eq(dbl, sherd_shape_distance(shape, vec3(0.1, 0, 0)), -1.0, 1e-15));
    cr_assert(epsilon_eq(dbl, sherd_shape_distance(shape, vec3(0, 0, 1.5)), 0.5, 1e-15));
    sherd_shape_destroy(shape);
}

Test(shape, either_winding_gives_the_same_solid)
{
    sherd_vec2 reversed[6];
    for (int k = 0; k < 6; ++k)
        reversed[k] = ELL[5 - k];
    sherd_shape *a = sherd_shape_extrude(ELL, 6, 0.8, NULL);
    sherd_shape *b = sherd_shape_extrude(reversed, 6, 0.8, NULL);
    cr_assert(epsilon_eq(dbl, sherd_shape_volume(a), 2.4, 1e-15));
    for (uint64_t k = 0; k < 200; ++k) {
        sherd_vec3 p = point_near(a, k);
        cr_assert(epsilon_eq(dbl, sherd_shape_distance(a, p), sherd_shape_distance(b, p), 1e-15));
    }
    sherd_shape_destroy(a);
    sherd_shape_destroy(b);
}

static void expect_refusal(sherd_shape *shape, const sherd_error *error, const char *what)
{
    cr_assert(shape == NULL);
    cr_assert(error->status == SHERD_ERROR_INPUT);
    cr_assert(strstr(error->what, what) != NULL, "got: %s", error->what);
}

Test(shape, bad_values_are_refused_with_their_name_and_value)
{
    sherd_error e = {0};
    expect_refusal(sherd_shape_box(vec3(1, -2, 1), &e), &e,
                   "size.y must be finite and positive, got -2");
    expect_refusal(sherd_shape_sphere(NAN, &e), &e, "radius must be finite and positive, got nan");
    expect_refusal(sherd_shape_cylinder(1, INFINITY, &e), &e,
                   "height must be finite and positive, got inf");
    expect_refusal(sherd_shape_torus(1, 1, &e), &e,
                   "minor_radius 1 must be less than major_radius");
    const sherd_vec2 bow_tie[] = {{0, 0}, {1, 1}, {1, 0}, {0, 1.5}};
    expect_refusal(sherd_shape_extrude(bow_tie, 4, 1, &e), &e, "touches or crosses itself");
    const sherd_vec2 line[] = {{0, 0}, {1, 1}, {2, 2}};
    expect_refusal(sherd_shape_extrude(line, 3, 1, &e), &e, "encloses no area");
    const sherd_vec2 negative[] = {{0, 0}, {-1, 0}, {0, 1}};
    expect_refusal(sherd_shape_revolve(negative, 3, &e), &e, "vertex 1 is (-1, 0)");
    const sherd_vec2 not_a_number[] = {{0, 0}, {1, NAN}, {0, 1}};
    expect_refusal(sherd_shape_revolve(not_a_number, 3, &e), &e, "vertex 1 is not finite");
    expect_refusal(sherd_shape_revolve(line, 2, &e), &e, "needs 3 to");
    sherd_pose no_rotation = {.rotation = {0, 0, 0, 0}};
    expect_refusal(sherd_shape_placed(sherd_shape_sphere(1, NULL), no_rotation, &e), &e,
                   "must be a unit quaternion");
    expect_refusal(sherd_shape_union(NULL, sherd_shape_sphere(1, NULL), &e), &e, "missing");
}

// ---------------------------------------------------------------- text

static int components_of(const sherd_shape *shape, double edge, double *volume)
{
    sherd_mesh *mesh = sherd_shape_surface(shape, edge, NULL);
    cr_assert(mesh != NULL);
    sherd_mesh_report report;
    cr_assert_eq(sherd_mesh_repair(mesh, "text", &report, NULL), SHERD_OK);
    *volume = report.volume;
    sherd_mesh_destroy(mesh);
    return report.components;
}

// Every letter of the first two blocks of Unicode is a closed solid, whose mesh is the letter itself.
Test(shape, letters_are_closed)
{
    static const char PARTS[] = "!%:;=?ij"; // and what has marks above or below
    for (int c = '!'; c < 0x180; ++c) {
        if (c == 0x7F) c = 0xA1; // control characters
        if (c == 0xAD) continue; // a hyphen that is not there
        char one[3] = {(char)c};
        if (c >= 0x80) one[0] = (char)(0xC0 | c >> 6), one[1] = (char)(0x80 | (c & 0x3F));
        sherd_error error = {0};
        sherd_shape *letter = sherd_shape_text(one, NULL, 0.02, 0.005, &error);
        cr_assert(letter != NULL, "%s: %s", one, error.what);
        double volume;
        int parts = components_of(letter, 1e-3, &volume);
        if (c < 0x7F && strchr(PARTS, c) == NULL && c != '"') cr_expect_eq(parts, 1, "%s", one);
        // Chords are of the shape and of its mesh; two letters have marks that are drawn into them, and grids' volumes.
        double within = c == 0x16E || c == 0x16F ? 0.02 : 1e-9;
        cr_expect_float_eq(volume / sherd_shape_volume(letter), 1.0, within, "%s", one);
        sherd_shape_destroy(letter);
    }
}

// Capitals are as high as asked for and stand on the line; q hangs below it; i's dot is a part of its own.
Test(shape, text_stands_on_its_line)
{
    sherd_shape *line = sherd_shape_text("HIT", NULL, 0.02, 0.005, NULL),
                *below = sherd_shape_text("q", NULL, 0.02, 0.005, NULL),
                *word = sherd_shape_text("Sherd i", NULL, 0.02, 0.005, NULL);
    sherd_bounds b = sherd_shape_bounds(line);
    cr_expect_float_eq(b.low.y, -0.01, 1e-12);
    cr_expect_float_eq(b.high.y, 0.01, 1e-12);
    cr_expect_float_eq(b.low.x, -b.high.x, 1e-12);
    cr_expect_float_eq(b.high.z, 0.0025, 1e-12);
    b = sherd_shape_bounds(below);
    cr_expect(b.low.y < -0.012 && b.high.y < 0.008);
    double volume;
    cr_expect_eq(components_of(word, 0.7e-3, &volume), 7);
    // The hole of d and e is none of the letter; between letters is nothing.
    cr_expect_lt(0.0, sherd_shape_distance(word, vec3(0.5, 0.0, 0.0)));
    sherd_shape_destroy(line);
    sherd_shape_destroy(below);
    sherd_shape_destroy(word);
}

// Distances of points on a grid are those to the nearest place of the mesh, inside where that winds around.
Test(shape, letters_with_holes_know_how_far_they_are)
{
    sherd_shape *letter = sherd_shape_text("B%", NULL, 0.02, 0.005, NULL);
    sherd_mesh *mesh = sherd_shape_surface(letter, 1e-3, NULL);
    sherd_shape *same = sherd_shape_mesh(mesh, NULL);
    cr_assert(letter != NULL && mesh != NULL && same != NULL);
    sherd_bounds b = sherd_shape_bounds(letter);
    for (int k = 0; k < 2000; ++k) {
        sherd_vec3 p = vec3(b.low.x + (b.high.x - b.low.x) * (k % 40 + 0.37) / 40.0,
                            b.low.y + (b.high.y - b.low.y) * (k / 40 + 0.41) / 50.0,
                            0.004 * ((k * 7 % 11) / 10.0 - 0.5));
        cr_expect_float_eq(sherd_shape_distance(letter, p), sherd_shape_distance(same, p), 1e-12);
    }
    sherd_shape_destroy(letter);
    sherd_shape_destroy(same);
    sherd_mesh_destroy(mesh);
}

// A line of letters weighs what they weigh, and is made in no time.
Test(shape, text_has_the_volume_of_its_letters)
{
    char line[201] = {0};
    memset(line, 'B', 200);
    clock_t begin = clock();
    sherd_shape *one = sherd_shape_text("B", NULL, 0.02, 0.005, NULL);
    sherd_shape *all = sherd_shape_text(line, NULL, 0.02, 0.005, NULL);
    double volume = sherd_shape_volume(all);
    cr_expect_lt((double)(clock() - begin) / CLOCKS_PER_SEC, 2.0); // 0.03 s, more with sanitizers
    cr_expect_float_eq(volume / (200.0 * sherd_shape_volume(one)), 1.0, 1e-9);
    sherd_shape_destroy(one);
    sherd_shape_destroy(all);
}

Test(shape, text_that_can_not_be_set_is_refused)
{
    sherd_error error;
    cr_expect(sherd_shape_text("", NULL, 0.02, 0.005, &error) == NULL);
    cr_expect(strstr(error.what, "no letter") != NULL);
    cr_expect(sherd_shape_text("A\xE6\x96\x87", NULL, 0.02, 0.005, &error) == NULL);
    cr_expect(strstr(error.what, "letter 2") != NULL);
    char crowd[3 * 200 + 1] = {0}; // chess queens
    for (int k = 0; k < 200; ++k)
        memcpy(crowd + 3 * k, "\xE2\x99\x9B", 3);
    cr_expect(sherd_shape_text(crowd, NULL, 0.02, 0.005, &error) == NULL);
    cr_expect(strstr(error.what, "corners") != NULL, "%s", error.what);
    cr_expect(sherd_shape_text("A", NULL, -1.0, 0.005, &error) == NULL);
    cr_expect(sherd_shape_text("A", NULL, 0.02, NAN, &error) == NULL);
}

Test(shape, same_solids_are_made_of_the_same_numbers)
{
    sherd_shape *a[KINDS], *b[KINDS];
    for (int k = 0; k < KINDS; ++k)
        a[k] = make(k), b[k] = make(k);
    for (int k = 0; k < KINDS; ++k)
        for (int m = 0; m < KINDS; ++m)
            cr_assert(eq(int, sherd_shape_same_solid(a[k], b[m]), k == m), "kinds %d, %d", k, m);
    for (int k = 0; k < KINDS; ++k)
        sherd_shape_destroy(a[k]), sherd_shape_destroy(b[k]);
    sherd_shape *box = sherd_shape_box(vec3(1.0, 2.0, 0.5), NULL);
    sherd_shape *wider = sherd_shape_box(vec3(nextafter(1.0, 2.0), 2.0, 0.5), NULL);
    cr_assert(not(sherd_shape_same_solid(box, wider)));
    sherd_mesh *mesh = sherd_shape_surface(box, 0.5, NULL);
    sherd_shape *first = sherd_shape_mesh(mesh, NULL), *second = sherd_shape_mesh(mesh, NULL);
    mesh->vertices[3] = nextafter(mesh->vertices[3], 9.0);
    sherd_shape *moved = sherd_shape_mesh(mesh, NULL);
    cr_assert(first != NULL && second != NULL && moved != NULL);
    cr_assert(sherd_shape_same_solid(first, second));
    cr_assert(not(sherd_shape_same_solid(first, moved)));
    sherd_mesh_destroy(mesh);
    sherd_shape *shapes[] = {box, wider, first, second, moved};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; ++k)
        sherd_shape_destroy(shapes[k]);
}

// Rows give the distances of points inside to the bit, and tell which are outside.
Test(shape, rows_have_the_distances_inside)
{
    enum { POINTS = 37 };
    int rows = 0;
    for (int kind = 0; kind < KINDS; ++kind) {
        sherd_shape *shape = make(kind);
        for (uint64_t k = 0; k < 200; ++k) {
            double x[POINTS], row[POINTS];
            sherd_vec3 at = point_near(shape, k);
            for (int n = 0; n < POINTS; ++n)
                x[n] = point_near(shape, 1000 + POINTS * k + (uint64_t)n).x;
            if (!sherd_shape_row(shape, x, at.y, at.z, POINTS, row)) break;
            ++rows;
            for (int n = 0; n < POINTS; ++n) {
                double distance = sherd_shape_distance(shape, vec3(x[n], at.y, at.z));
                if (distance < 0.0)
                    cr_assert(memcmp(&row[n], &distance, sizeof distance) == 0);
                else
                    cr_assert(not(row[n] < 0.0));
            }
        }
        sherd_shape_destroy(shape);
    }
    cr_assert(ge(int, rows, 1));
}
