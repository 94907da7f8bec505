// What elements store in less than doubles comes back as said: exactly, or to 37 digits.
#include "points/elements.h"

#include "math/vec3.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

enum { SIDE = 40, COUNT = SIDE * SIDE * SIDE };

// A lattice with two kinds of elements; its x, y and z have SIDE different values each.
static sherd_elements lattice(void)
{
    sherd_elements e = {0};
    cr_assert(eq(int, sherd_elements_resize(&e, COUNT, NULL), SHERD_OK));
    for (int k = 0; k < COUNT; ++k) {
        e.rx[k] = 0.1 + 1e-3 * (k % SIDE);
        e.ry[k] = -1e-3 / 3.0 * (k / SIDE % SIDE); // begins with -0
        e.rz[k] = sqrt(8.0 / 3.0) * (k / SIDE / SIDE);
        e.radius[k] = k % 2 ? 0.5e-3 : 0.3e-3;
        e.mass[k] = 1e-6 / 3.0 * (1 + k % 2);
        e.material[k] = (uint16_t)(k % 2);
    }
    return e;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_equal(const sherd_elements *a, const sherd_elements *b)
{
    for (int k = 0; k < a->count; ++k) {
        sherd_vec3 p = sherd_element_rest(a, k), q = sherd_element_rest(b, k);
        cr_assert(same_bits(p.x, q.x) && same_bits(p.y, q.y) && same_bits(p.z, q.z));
        cr_assert(same_bits(sherd_element_radius(a, k), sherd_element_radius(b, k)));
        cr_assert(same_bits(sherd_element_mass(a, k), sherd_element_mass(b, k)));
        cr_assert(eq(int, sherd_element_material(a, k), sherd_element_material(b, k)));
    }
}

Test(elements, a_lattice_is_packed_and_nothing_is_lost)
{
    sherd_elements full = lattice(), packed = lattice();
    size_t before = sherd_elements_bytes(&packed);
    cr_assert(eq(int, sherd_elements_pack(&packed, NULL), SHERD_OK));
    cr_assert(packed.rx == NULL && packed.ry == NULL && packed.rz == NULL);
    cr_assert(packed.radius == NULL && packed.mass == NULL && packed.material == NULL);
    cr_assert(eq(int, packed.given.rest_values[0], SIDE));
    cr_assert(eq(int, packed.kinds.count, 2));
    check_equal(&full, &packed);
    // 4 numbers of lines instead of 5 doubles and the material; tables are small.
    double saved = (double)(before - sherd_elements_bytes(&packed)) / COUNT;
    cr_assert(saved > 33.9 && saved <= 34.0, "%g", saved);
    cr_assert(eq(int, sherd_elements_pack(&packed, NULL), SHERD_OK)); // again
    check_equal(&full, &packed);
    sherd_elements_free(&full), sherd_elements_free(&packed);
}

// An axis without repetition stays, the others don't.
Test(elements, what_does_not_repeat_stays)
{
    sherd_elements full = lattice(), packed = lattice();
    for (int k = 0; k < COUNT; ++k)
        full.ry[k] = packed.ry[k] = 1e-9 * k;
    full.radius[7] = packed.radius[7] = 1.0;
    cr_assert(eq(int, sherd_elements_pack(&packed, NULL), SHERD_OK));
    cr_assert(packed.rx == NULL && packed.ry != NULL && packed.rz == NULL);
    cr_assert(eq(int, packed.kinds.count, 3));
    check_equal(&full, &packed);
    for (int k = 0; k < COUNT; ++k)
        full.mass[k] = 1.0 + k;
    check_equal(&full, &full);
    cr_assert(eq(int, sherd_elements_pack(&full, NULL), SHERD_OK));
    cr_assert(full.mass != NULL && full.kinds.line == NULL);
    cr_assert(eq(dbl, sherd_element_mass(&full, 9), 10.0));
    sherd_elements_free(&full), sherd_elements_free(&packed);
}

// More lines than 2 bytes count: 65536 elements each 8 times and one more.
Test(elements, tables_end_where_two_bytes_do)
{
    enum { LINES = 1 << 16, MANY = 8 * LINES + 16 };
    for (int extra = 0; extra < 2; ++extra) {
        sherd_elements e = {0};
        cr_assert(eq(int, sherd_elements_resize(&e, MANY, NULL), SHERD_OK));
        for (int k = 0; k < MANY; ++k)
            e.rx[k] = k % LINES;
        e.rx[MANY - 1] += 0.5 * extra;
        cr_assert(eq(int, sherd_elements_pack(&e, NULL), SHERD_OK));
        cr_assert(eq(int, e.rx != NULL, extra));
        cr_assert(eq(dbl, sherd_element_rest(&e, LINES - 1).x, LINES - 1.0));
        cr_assert(eq(dbl, sherd_element_rest(&e, MANY - 1).x, 15.0 + 0.5 * extra));
        sherd_elements_free(&e);
    }
}

Test(elements, short_doubles_are_rounded_to_37_digits)
{
    const double half_digit = 0x1p-37; // relative, of the smallest number with given exponent
    for (int k = 0; k < 100000; ++k) {
        double x = (k % 2 ? -1.0 : 1.0) * exp(0.01 * (k - 50000)) * (1.0 + 1e-7 * k);
        short_double s = short_double_of(x);
        double y = short_double_value(s.high, s.low);
        if (isinf(x) || fabs(x) < 1e-300) continue; // numbers below 1e-308 have fewer digits
        cr_assert(fabs(y - x) <= half_digit * fabs(x), "%.17g became %.17g", x, y);
        short_double again = short_double_of(y);
        cr_assert(again.high == s.high && again.low == s.low);
    }
    const double kept[] = {0.0, -0.0, 1.0, -1.5, INFINITY, -INFINITY, 0x1.000000001p0};
    for (size_t k = 0; k < sizeof kept / sizeof kept[0]; ++k) {
        short_double s = short_double_of(kept[k]);
        cr_assert(same_bits(short_double_value(s.high, s.low), kept[k]));
    }
    short_double nan = short_double_of(NAN), lost = short_double_of(-NAN);
    cr_assert(isnan(short_double_value(nan.high, nan.low)));
    cr_assert(isnan(short_double_value(lost.high, lost.low)));
}

Test(elements, short_loads_add_up)
{
    sherd_elements e = {0};
    cr_assert(eq(int, sherd_elements_resize(&e, 100, NULL), SHERD_OK));
    size_t before = sherd_elements_bytes(&e);
    cr_assert(eq(int, sherd_elements_shorten_loads(&e, NULL), SHERD_OK));
    cr_assert(eq(int, sherd_elements_shorten_loads(&e, NULL), SHERD_OK)); // again
    cr_assert(eq(sz, before - sherd_elements_bytes(&e), 100 * (48 - 30)));
    const double third = 1.0 / 3.0;
    sherd_vec3 F = {third, -2e9 * third, 1e-9 * third}, T = {third, -third, 2.0};
    for (int k = 0; k < 7; ++k)
        sherd_element_add_load(&e, 50, F, T);
    sherd_vec3 force = sherd_element_force(&e, 50), torque = sherd_element_torque(&e, 50);
    // Seven roundings, each half a digit at most.
    double digit = 7.0 * 0x1p-37, single = 7.0 * 0x1p-24;
    cr_assert(epsilon_eq(dbl, force.x, 7.0 * F.x, 7.0 * F.x * digit));
    cr_assert(epsilon_eq(dbl, force.y, 7.0 * F.y, -7.0 * F.y * digit));
    cr_assert(epsilon_eq(dbl, force.z, 7.0 * F.z, 7.0 * F.z * digit));
    cr_assert(epsilon_eq(dbl, torque.x, 7.0 * T.x, 7.0 * T.x * single));
    cr_assert(eq(dbl, torque.z, 14.0));
    cr_assert(eq(dbl, sherd_element_force(&e, 49).x, 0.0));
    sherd_elements_clear_loads(&e, 50, 51);
    cr_assert(eq(dbl, sherd_element_force(&e, 50).y, 0.0));
    cr_assert(eq(dbl, sherd_element_torque(&e, 50).y, 0.0));
    sherd_elements_free(&e);
}

// Bodies are added one by one: rows stay, new ones are 0 also where others were given up, and what is
// reserved is freed.
Test(elements, room_grows_and_is_trimmed)
{
    sherd_elements e = {0};
    int moved = 0;
    for (int body = 0; body < 1000; ++body) {
        const double *before = e.px;
        cr_assert(eq(int, sherd_elements_resize(&e, 12 * (body + 1), NULL), SHERD_OK));
        moved += e.px != before;
        for (int k = 12 * body; k < e.count; ++k) {
            cr_assert(same_bits(e.px[k], 0.0) && e.material[k] == 0);
            e.px[k] = k, e.material[k] = (uint16_t)(1 + k);
        }
        if (body % 7 == 0) { // a body that is refused
            cr_assert(eq(int, sherd_elements_resize(&e, e.count + 5, NULL), SHERD_OK));
            e.px[e.count - 1] = 1.0;
            e.count -= 5;
        }
    }
    cr_assert(lt(int, moved, 60)); // log 1000 / log 1.25 and a few
    cr_assert(eq(int, sherd_elements_trim(&e, NULL), SHERD_OK));
    sherd_elements exact = {0};
    cr_assert(eq(int, sherd_elements_resize(&exact, e.count, NULL), SHERD_OK));
    cr_assert(eq(sz, sherd_elements_bytes(&e), sherd_elements_bytes(&exact)));
    for (int k = 0; k < e.count; ++k)
        cr_assert(same_bits(e.px[k], k) && e.material[k] == (uint16_t)(1 + k));
    sherd_elements_free(&exact);
    sherd_elements_free(&e);
}

// 1.6 MB a column: the pages within one are given back, its ends are written, and what lies beside it stays.
Test(elements, motion_is_cleared_and_nothing_else)
{
    enum { MANY = 200001 };
    sherd_elements e = {0};
    cr_assert(eq(int, sherd_elements_resize(&e, MANY, NULL), SHERD_OK));
    double *gone[] = {e.px, e.py, e.pz, e.vx, e.vy, e.vz}, *turns[] = {e.qx, e.qy, e.qz, e.qw},
           *stay[] = {e.wx, e.wz, e.fx, e.rx, e.radius};
    for (int k = 0; k < MANY; ++k) {
        for (int n = 0; n < 6; ++n)
            gone[n][k] = 1.0 + k;
        for (int n = 0; n < 4; ++n)
            turns[n][k] = 2.0 + k;
        for (int n = 0; n < 5; ++n)
            stay[n][k] = 3.0 + k;
    }
    for (int turned = 0; turned < 2; ++turned) {
        sherd_elements_clear_motion(&e, turned == 1);
        for (int k = 0; k < MANY; ++k) {
            for (int n = 0; n < 6; ++n)
                cr_assert(same_bits(gone[n][k], 0.0), "column %d, element %d", n, k);
            for (int n = 0; n < 4; ++n)
                cr_assert(same_bits(turns[n][k], turned == 1 ? 0.0 : 2.0 + k));
            for (int n = 0; n < 5; ++n)
                cr_assert(same_bits(stay[n][k], 3.0 + k));
        }
    }
    sherd_elements_free(&e);
}
