// Material points in shapes: displaced at random, inside, with the shape's volume.
#include <sherd/packing.h>
#include <sherd/shape.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

static const double SPACING = 0.1;

static sherd_packing *fill(const sherd_shape *shape, double jitter, uint64_t seed, int threads)
{
    sherd_packing_def def = sherd_packing_def_default();
    def.kind = SHERD_PACKING_POINTS;
    def.spacing = SPACING;
    def.jitter = jitter;
    def.seed = seed;
    def.threads = threads;
    sherd_error error;
    sherd_packing *packing = sherd_packing_create(shape, &def, &error);
    cr_assert(packing != NULL, "%s", error.what);
    return packing;
}

static bool is_equal(const sherd_packing *a, const sherd_packing *b)
{
    size_t n = (size_t)a->count * sizeof *a->x;
    return a->count == b->count && memcmp(a->x, b->x, n) == 0 && memcmp(a->y, b->y, n) == 0 &&
           memcmp(a->z, b->z, n) == 0;
}

// Uniform offsets have a mean square of a third of the largest one's. Points of a row stay a spacing apart along it.
Test(point_packing, displaces_rows_evenly_along_each_axis)
{
    const double jitter = 0.35;
    sherd_shape *box = sherd_shape_box((sherd_vec3){2.0, 2.0, 2.0}, NULL);
    sherd_packing *rows = fill(box, 0.0, 1, 1), *shaken = fill(box, jitter, 1, 1);
    cr_assert(eq(int, rows->count, 8000));
    cr_assert(eq(int, shaken->count, 8000));
    double square = 0.0, largest = 0.0, mean = 0.0, uneven = 0.0;
    for (int k = 0; k < rows->count; ++k) {
        if (k % 20 > 0) uneven = fmax(uneven, fabs(shaken->x[k] - shaken->x[k - 1] - SPACING));
        double off[3] = {shaken->x[k] - rows->x[k], shaken->y[k] - rows->y[k],
                         shaken->z[k] - rows->z[k]};
        for (int axis = 0; axis < 3; ++axis) {
            square += off[axis] * off[axis] / (3.0 * rows->count);
            mean += off[axis] / (3.0 * rows->count);
            largest = fmax(largest, fabs(off[axis]));
        }
    }
    double most = jitter * SPACING;
    cr_assert(lt(dbl, largest, most * 1.000001)); // rounding
    cr_assert(lt(dbl, uneven, 1e-12), "%g", uneven);
    // 1200 rows: four standard deviations of the mean square, sqrt(4 / 45 / 1200), and of the mean
    cr_assert(lt(dbl, fabs(square / (most * most) - 1.0 / 3.0), 0.0344), "%g", square);
    cr_assert(lt(dbl, fabs(mean), 4.0 * most / sqrt(3.0 * 1200.0)), "%g", mean);
    sherd_packing_destroy(rows);
    sherd_packing_destroy(shaken);
    sherd_shape_destroy(box);
}

Test(point_packing, displaced_points_stay_inside_and_keep_the_volume)
{
    sherd_shape *ball = sherd_shape_sphere(1.0, NULL);
    sherd_packing *rows = fill(ball, 0.0, 3, 1), *shaken = fill(ball, 0.5, 3, 1);
    cr_assert(eq(int, rows->count, shaken->count));
    double volume = 0.0;
    for (int k = 0; k < shaken->count; ++k) {
        sherd_vec3 at = {shaken->x[k], shaken->y[k], shaken->z[k]};
        cr_assert(lt(dbl, sherd_shape_distance(ball, at), 0.0));
        volume += shaken->volume[k];
    }
    double right = sherd_shape_volume(ball);
    cr_assert(lt(dbl, fabs(volume - right), 1e-12 * right)); // rounding of a sum
    sherd_packing_destroy(rows);
    sherd_packing_destroy(shaken);
    sherd_shape_destroy(ball);
}

Test(point_packing, seeds_tell_them_apart_and_threads_do_not)
{
    sherd_shape *box = sherd_shape_box((sherd_vec3){2.0, 1.0, 3.0}, NULL);
    sherd_packing *one = fill(box, 0.35, 1, 1), *same = fill(box, 0.35, 1, 3),
                  *other = fill(box, 0.35, 2, 1);
    cr_assert(is_equal(one, same));
    cr_assert(not(is_equal(one, other)));
    sherd_packing_destroy(one);
    sherd_packing_destroy(same);
    sherd_packing_destroy(other);
    sherd_shape_destroy(box);
}

// 30 layers of 3.33334 mm are 6e-5 of a spacing more than 10 cm. Without a tolerance one was left out along each axis, a tenth
// of the volume. What misses a layer by a fiftieth of a spacing keeps one less.
Test(point_packing, lengths_with_few_digits_fit)
{
    const double size = 0.1;
    sherd_shape *box = sherd_shape_box((sherd_vec3){size, size, size}, NULL);
    static const struct {
        double spacing;
        int layers;
    } CASES[] = {{0.00333334, 30}, {0.00333333, 30}, {0.1 / 29.995, 30}, {0.1 / 29.98, 29}};
    for (int k = 0; k < 4; ++k) {
        sherd_packing_def def = sherd_packing_def_default();
        def.kind = SHERD_PACKING_POINTS;
        def.spacing = CASES[k].spacing;
        sherd_error error;
        sherd_packing *packing = sherd_packing_create(box, &def, &error);
        cr_assert(packing != NULL, "%s", error.what);
        int n = CASES[k].layers;
        cr_assert(eq(int, packing->count, n *n *n), "%g", CASES[k].spacing);
        cr_assert(lt(dbl, fabs(packing->x[0] + packing->x[packing->count - 1]), 1e-15)); // centred
        sherd_packing_destroy(packing);
    }
    sherd_shape_destroy(box);
}
