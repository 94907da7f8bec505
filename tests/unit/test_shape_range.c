// geometry: distances asked for between two bounds, against the full distance.
#include "base/random.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/shape/shape_range.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static double share(int stream, uint64_t k)
{
    return sherd_random_uniform(7, stream, k);
}

static sherd_vec3 random_point(double half, int stream, uint64_t k)
{
    return vec3(half * (2.0 * share(stream, k) - 1.0), half * (2.0 * share(stream + 1, k) - 1.0),
                half * (2.0 * share(stream + 2, k) - 1.0));
}

// A shape's own surface, as a mesh.
static sherd_shape *mesh_of(sherd_shape *shape, double edge)
{
    sherd_error error = {0};
    sherd_mesh *surface = sherd_shape_surface(shape, edge, &error);
    cr_assert(surface != NULL, "%s", error.what);
    sherd_shape *mesh = sherd_shape_mesh(surface, &error);
    cr_assert(mesh != NULL, "%s", error.what);
    sherd_mesh_destroy(surface);
    sherd_shape_destroy(shape);
    return mesh;
}

static sherd_shape *ball(double radius)
{
    return mesh_of(sherd_shape_sphere(radius, NULL), 0.1);
}

static sherd_shape *moved(sherd_shape *shape, sherd_vec3 way)
{
    sherd_quat turn = {.y = sin(0.3), .w = cos(0.3)};
    return sherd_shape_placed(shape, (sherd_pose){way, turn}, NULL);
}

typedef struct tally {
    int near, exact, far, told; // answers of each kind; signs that `known` told
} tally;

// What the header promises of one query.
static void check_answer(const sherd_shape *shape, sherd_vec3 p, double low, double high,
                         const sherd_known_side *known, tally *seen)
{
    double full = sherd_shape_distance(shape, p), size = fabs(full);
    sherd_vec3 normal = {0}, full_normal = sherd_shape_normal(shape, p);
    sherd_distance_range range = {low, high};
    double got = sherd_shape_distance_between(shape, p, range, known, &normal);
    cr_assert(eq(dbl, sherd_shape_distance_between(shape, p, range, known, NULL), got));
    if (size < low) {
        ++seen->near;
        cr_assert(lt(dbl, fabs(got), low));
    } else if (size < high) {
        ++seen->exact;
        cr_assert(eq(dbl, got, full));
        cr_assert(eq(dbl, vec3_distance(normal, full_normal), 0.0));
    } else {
        ++seen->far;
        seen->told += isinf(got);
        cr_assert(le(dbl, high, fabs(got)));
        cr_assert(eq(int, got < 0.0, full < 0.0));
    }
}

static tally check_shape(sherd_shape *shape)
{
    cr_assert(shape != NULL);
    tally seen = {0};
    for (uint64_t k = 0; k < 4000; ++k) {
        sherd_vec3 p = random_point(1.6, 0, k), q = random_point(1.6, 3, k);
        double high = 0.8 * share(6, k), low = k % 4 == 0 ? high : share(7, k) * high;
        // Half of the known places are near enough to tell something.
        if (k % 2 == 0) q = vec3_add_scaled(p, 0.2, q);
        double there = sherd_shape_distance(shape, q);
        sherd_known_side known = {q, there < 0.0 ? SHERD_SIDE_INSIDE : SHERD_SIDE_OUTSIDE};
        if (k % 5 == 0) known.side = SHERD_SIDE_UNKNOWN;
        check_answer(shape, p, low, high, k % 7 == 0 ? NULL : &known, &seen);
        check_answer(shape, p, 0.0, INFINITY, &known, &seen);
        check_answer(shape, p, low, INFINITY, NULL, &seen);
    }
    cr_assert(seen.near > 100 && seen.exact > 4000 && seen.far > 100);
    sherd_shape_destroy(shape);
    return seen;
}

Test(shape_range, meshes)
{
    cr_assert(check_shape(ball(1.2)).told > 100);
    cr_assert(check_shape(mesh_of(sherd_shape_box(vec3(1.5, 2, 2.5), NULL), 0.5)).told > 100);
    cr_assert(check_shape(mesh_of(sherd_shape_torus(1.0, 0.5, NULL), 0.1)).told > 100);
}

Test(shape_range, primitives_know_the_distance_anyway)
{
    tally seen = check_shape(sherd_shape_torus(1.0, 0.5, NULL));
    cr_assert(eq(int, seen.told, 0));
}

Test(shape_range, placed)
{
    cr_assert(check_shape(moved(ball(1.0), vec3(0.2, -0.3, 0.1))).told > 100);
}

// Of meshes and primitives in all orders, overlapping, apart and one inside the other.
Test(shape_range, pairs)
{
    static const double way[4] = {0.0, 0.4, 1.0, 1.5};
    sherd_vec3 size = vec3(1.2, 1.0, 1.4);
    for (int k = 0; k < 4; ++k) {
        sherd_vec3 at = vec3(way[k], 0.1, 0.0);
        check_shape(sherd_shape_union(ball(0.8), moved(ball(0.6), at), NULL));
        check_shape(sherd_shape_difference(ball(0.8), moved(ball(0.6), at), NULL));
        check_shape(sherd_shape_union(sherd_shape_box(size, NULL), moved(ball(0.9), at), NULL));
        check_shape(
            sherd_shape_difference(sherd_shape_box(size, NULL), moved(ball(0.4), at), NULL));
        check_shape(sherd_shape_difference(ball(0.9),
                                           moved(sherd_shape_cylinder(0.3, 1.0, NULL), at), NULL));
    }
}

Test(shape_range, pairs_of_pairs)
{
    sherd_shape *bored = sherd_shape_difference(
        ball(1.2), moved(mesh_of(sherd_shape_cylinder(0.4, 3.0, NULL), 0.2), vec3(0.1, 0, 0)),
        NULL);
    sherd_shape *both = sherd_shape_union(bored, moved(ball(0.5), vec3(1.0, 0.4, 0.2)), NULL);
    cr_assert(check_shape(moved(both, vec3(0, 0.1, 0))).told > 100);
}

// At the centre of a ball all is equally far: what the bounds are for.
Test(shape_range, centre_of_a_ball)
{
    sherd_shape *shape = ball(1.0);
    sherd_vec3 centre = {0.0, 0.0, 0.0};
    double depth = -sherd_shape_distance(shape, centre);
    sherd_known_side known = {vec3(0.2, 0, 0), SHERD_SIDE_INSIDE};
    cr_assert(eq(
        dbl,
        sherd_shape_distance_between(shape, centre, (sherd_distance_range){0.1, 0.3}, &known, NULL),
        -INFINITY));
    cr_assert(le(dbl,
                 sherd_shape_distance_between(shape, centre, (sherd_distance_range){depth, depth},
                                              &known, NULL),
                 -depth));
    cr_assert(eq(
        dbl,
        sherd_shape_distance_between(shape, centre, (sherd_distance_range){0.1, 2.0}, &known, NULL),
        -depth));
    // A known place too far away tells nothing, and is not believed.
    known = (sherd_known_side){vec3(2.0, 0, 0), SHERD_SIDE_OUTSIDE};
    cr_assert(eq(
        dbl,
        sherd_shape_distance_between(shape, centre, (sherd_distance_range){0.1, 0.3}, &known, NULL),
        -depth));
    sherd_shape_destroy(shape);
}
