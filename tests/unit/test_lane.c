// Lanes of every width, precision and instruction set: approximations within the bounds that
// math/lane_angle.h states, everything else as exact as for one number.
#define SHERD_LANES 1
#include "base/cpu.h"
#include "base/memory.h"
#include "base/random.h"
#include "lane_probe.h"
#include "math/lane_angle.h"
#include "math/short_double.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

extern const lane_probe sherd_lane_probe_double1, sherd_lane_probe_double2,
    sherd_lane_probe_double4, sherd_lane_probe_double8, sherd_lane_probe_double16,
    sherd_lane_probe_single1, sherd_lane_probe_single4, sherd_lane_probe_single8,
    sherd_lane_probe_single16;
#if defined(SHERD_ALL_LEVELS)
extern const lane_probe sherd_lane_probe_double1_fma, sherd_lane_probe_single1_fma,
    sherd_lane_probe_double4_avx2, sherd_lane_probe_single8_avx2, sherd_lane_probe_double8_avx512,
    sherd_lane_probe_single16_avx512;
#endif

enum { MAX_PROBES = 16 };

typedef struct probe_list {
    const lane_probe *probe[MAX_PROBES];
    int count;
} probe_list;

static void add_probe(probe_list *list, const lane_probe *probe)
{
    list->probe[list->count++] = probe;
}

// Those that this machine can run.
static probe_list all_probes(void)
{
    probe_list list = {0};
    add_probe(&list, &sherd_lane_probe_double1), add_probe(&list, &sherd_lane_probe_double2);
    add_probe(&list, &sherd_lane_probe_double4), add_probe(&list, &sherd_lane_probe_double8);
    add_probe(&list, &sherd_lane_probe_double16), add_probe(&list, &sherd_lane_probe_single1);
    add_probe(&list, &sherd_lane_probe_single4), add_probe(&list, &sherd_lane_probe_single8);
    add_probe(&list, &sherd_lane_probe_single16);
#if defined(SHERD_ALL_LEVELS)
    if (sherd_cpu_level() >= SHERD_SIMD_AVX2) {
        add_probe(&list, &sherd_lane_probe_double1_fma);
        add_probe(&list, &sherd_lane_probe_single1_fma);
        add_probe(&list, &sherd_lane_probe_double4_avx2);
        add_probe(&list, &sherd_lane_probe_single8_avx2);
    }
    if (sherd_cpu_level() >= SHERD_SIMD_AVX512) {
        add_probe(&list, &sherd_lane_probe_double8_avx512);
        add_probe(&list, &sherd_lane_probe_single16_avx512);
    }
#endif
    return list;
}

// ---------------------------------------------------------------- arguments

// A multiple of the most lanes, so that every width can take all of them.
enum {
    ALONG = 1 << 14,    // over the domain
    TINY = 1 << 12,     // down to the smallest number
    AT_SWITCH = 1 << 9, // neighbours on either side of a switch between formulas
    MAX_SWITCHES = 4,
    ARGUMENTS = ALONG + 2 * TINY + 2 * AT_SWITCH * (2 * MAX_SWITCHES + 2)
};
_Static_assert(ARGUMENTS % LANE_PROBE_MAX_LANES == 0, "every width takes all arguments");

typedef struct domain {
    double low, high;
    double switches[MAX_SWITCHES]; // 0 ends the list
} domain;

typedef struct arguments {
    bool single;
    int count;
    double x[ARGUMENTS];
} arguments;

static double to_real(bool single, double x)
{
    return single ? (double)(float)x : x;
}

static double next_real(bool single, double x, double towards)
{
    return single ? (double)nextafterf((float)x, (float)towards) : nextafter(x, towards);
}

static void add_argument(arguments *a, const domain *d, double x)
{
    x = to_real(a->single, x);
    a->x[a->count++] = x >= d->low && x <= d->high ? x : d->high / 3.0;
    a->x[a->count - 1] = to_real(a->single, a->x[a->count - 1]);
}

static void add_neighbours(arguments *a, const domain *d, double x)
{
    double up = to_real(a->single, x), down = up;
    for (int k = 0; k < AT_SWITCH; ++k) {
        add_argument(a, d, up), add_argument(a, d, down);
        up = next_real(a->single, up, INFINITY), down = next_real(a->single, down, -INFINITY);
    }
}

// Evenly over the domain (half of them below 1), evenly by magnitude on both sides of 0, and
// neighbours of the ends and of the switches.
static arguments *make_arguments(const domain *d, bool single)
{
    arguments *a = sherd_alloc(1, sizeof *a);
    cr_assert(a != NULL);
    a->single = single;
    a->count = 0;
    for (int k = 0; k < ALONG; ++k) {
        double high = k % 2 ? d->high : fmin(d->high, 1.0);
        add_argument(a, d, d->low + (high - d->low) * (k / (double)(ALONG - 1)));
    }
    double smallest = single ? 1.4e-45 : 4.9e-324;
    for (int k = 0; k < TINY; ++k) {
        double x = exp(log(smallest) * (1.0 - k / (double)TINY));
        add_argument(a, d, x), add_argument(a, d, -x);
    }
    add_neighbours(a, d, d->low), add_neighbours(a, d, d->high);
    for (int k = 0; k < MAX_SWITCHES; ++k)
        add_neighbours(a, d, d->switches[k]), add_neighbours(a, d, -d->switches[k]);
    cr_assert(eq(int, a->count, ARGUMENTS));
    return a;
}

// ---------------------------------------------------------------- approximations

// References in long double: 11 bits more than a double has, and no cancellation.

static long double inverse_sqrt_1_plus(long double x)
{
    long double r = sqrtl(1.0L + x);
    return -x / (r * (1.0L + r));
}

static long double inverse_of_1_plus(long double w)
{
    return 1.0L / (1.0L + w);
}

static long double root_of_2_over_1_plus(long double w)
{
    return sqrtl(2.0L / (1.0L + w));
}

static long double theta_over_sin(long double u)
{
    long double rest = fmaxl(1.0L - u, 5e-13L); // infinite at 180 degrees: the limit that is stated
    u = 1.0L - rest < u ? 1.0L - rest : u;
    return u > 0.0L ? atan2l(sqrtl(u), sqrtl(rest)) / sqrtl(u * rest) : 1.0L;
}

static long double rotation_factor(long double s2)
{
    long double s = sqrtl(fminl(s2, 1.0L)), cosine = sqrtl(fmaxl(1.0L - s2, 0.0L));
    return s > 0.0L ? 2.0L * atan2l(s, cosine) / s : 2.0L;
}

static long double half_turn_sine(long double a2)
{
    long double a = sqrtl(a2);
    return a > 0.0L ? sinl(a) / a : 1.0L;
}

static long double half_turn_cosine(long double a2)
{
    return cosl(sqrtl(a2));
}

typedef struct approximation {
    const char *name;
    long double (*exact)(long double);
    int bound; // relative, in eps
    domain on;
} approximation;

// Rounding leaves w and s^2 in a kernel a little above 1; 1e-6 is more than single precision can do.
static const approximation APPROXIMATIONS[LANE_APPROXIMATIONS] = {
    [LANE_INVERSE_SQRT_1_PLUS] = {"inverse_sqrt_1_plus",
                                  inverse_sqrt_1_plus,
                                  LANE_ERROR_INVERSE_SQRT_1_PLUS,
                                  {-1.0 + 0x1p-53, 1e4, {0.01, 0.05}}},
    [LANE_INVERSE_OF_1_PLUS] = {"inverse_of_1_plus",
                                inverse_of_1_plus,
                                LANE_ERROR_INVERSE_OF_1_PLUS,
                                {0.0, 1.0 + 1e-6, {1.0 - 2.0 * 0.001, 1.0 - 2.0 * 0.002, 1.0}}},
    [LANE_ROOT_OF_2_OVER_1_PLUS] = {"root_of_2_over_1_plus",
                                    root_of_2_over_1_plus,
                                    LANE_ERROR_ROOT_OF_2_OVER_1_PLUS,
                                    {0.0, 1.0 + 1e-6, {1.0 - 2.0 * 0.001, 1.0 - 2.0 * 0.002, 1.0}}},
    [LANE_THETA_OVER_SIN] = {"theta_over_sin",
                             theta_over_sin,
                             LANE_ERROR_THETA_OVER_SIN,
                             {0.0, 1.0, {0.001, 0.003, 0.02, 1.0 - 5e-13}}},
    [LANE_ROTATION_FACTOR] = {"rotation_factor",
                              rotation_factor,
                              LANE_ERROR_ROTATION_FACTOR,
                              {0.0, 1.0 + 1e-6, {0.02, 1.0}}},
    [LANE_HALF_TURN_SINE] = {"half_turn sine",
                             half_turn_sine,
                             LANE_ERROR_HALF_TURN,
                             {0.0, 0.25, {1e-4, 1.0 / 16.0}}},
    [LANE_HALF_TURN_COSINE] = {"half_turn cosine",
                               half_turn_cosine,
                               LANE_ERROR_HALF_TURN,
                               {0.0, 0.25, {1e-4, 1.0 / 16.0}}},
};

static void check_errors(const approximation *f, const lane_probe *probe, const arguments *a,
                         const long double *exact, const double *result)
{
    double eps = probe->single ? 0x1p-23 : 0x1p-52;
    // Results below the smallest normal number have lost digits: half a gap there.
    double gap = probe->single ? 0x1p-149 : 0x1p-1074, worst = 0.0, at = 0.0;
    for (int k = 0; k < ARGUMENTS; ++k) {
        double error = (double)fabsl((long double)result[k] - exact[k]);
        error = fmax(error - gap, 0.0) / (eps * (double)fabsl(exact[k]) + 0x1p-1074);
        if (!(error <= worst)) worst = error, at = a->x[k];
    }
    cr_expect(worst <= f->bound, "%s of %.17g (%s): off by %g eps, %d are stated", f->name, at,
              probe->name, worst, f->bound);
}

static void check_approximation(lane_operation operation, bool single)
{
    const approximation *f = &APPROXIMATIONS[operation];
    arguments *a = make_arguments(&f->on, single);
    long double *exact = sherd_alloc(ARGUMENTS, sizeof *exact);
    double *result[2] = {sherd_alloc(ARGUMENTS, sizeof(double)),
                         sherd_alloc(ARGUMENTS, sizeof(double))};
    double *more = sherd_alloc(ARGUMENTS, sizeof *more);
    bool have[2] = {false, false};
    cr_assert(exact != NULL && result[0] != NULL && result[1] != NULL && more != NULL);
    for (int k = 0; k < ARGUMENTS; ++k)
        exact[k] = f->exact(a->x[k]);
    probe_list list = all_probes();
    for (int p = 0; p < list.count; ++p) {
        const lane_probe *probe = list.probe[p];
        if (probe->single != single) continue;
        double *to = have[probe->fma] ? more : result[probe->fma];
        probe->apply(operation, a->x, a->x, a->x, to, ARGUMENTS);
        if (have[probe->fma])
            cr_expect(memcmp(more, result[probe->fma], ARGUMENTS * sizeof *more) == 0,
                      "%s: %s differs from fewer lanes", f->name, probe->name);
        else
            check_errors(f, probe, a, exact, to);
        have[probe->fma] = true;
    }
    sherd_free(a), sherd_free(exact), sherd_free(more);
    sherd_free(result[0]), sherd_free(result[1]);
}

// Within the stated bounds; and the same bits for every width, if all have fused multiply-adds or
// none has.
Test(lane_angle, errors_are_within_their_bounds)
{
    for (lane_operation operation = 0; operation < LANE_APPROXIMATIONS; ++operation) {
        check_approximation(operation, false);
        check_approximation(operation, true);
    }
}

// Short series alone give the same bits wherever they say that they suffice, and that is a good part
// of the domain near rest but not all of it.
static void check_short(lane_operation operation, const lane_probe *probe)
{
    arguments *a = make_arguments(&APPROXIMATIONS[operation].on, probe->single);
    double *all = sherd_alloc(ARGUMENTS, sizeof *all),
           *beyond = sherd_alloc(ARGUMENTS, sizeof *all);
    double *some = sherd_alloc(ARGUMENTS, sizeof *all);
    cr_assert(all != NULL && beyond != NULL && some != NULL);
    probe->apply(operation, a->x, a->x, a->x, all, ARGUMENTS);
    probe->apply_short(operation, a->x, some, beyond, ARGUMENTS);
    int enough = 0;
    for (int k = 0; k < ARGUMENTS; ++k) {
        if (beyond[k] != 0.0) continue;
        ++enough;
        cr_assert(memcmp(&all[k], &some[k], sizeof *all) == 0, "%s of %.17g (%s)",
                  APPROXIMATIONS[operation].name, a->x[k], probe->name);
    }
    // Of the samples, those of the ends near rest and one side of each switch.
    cr_assert(enough > 2 * AT_SWITCH && enough < ARGUMENTS - AT_SWITCH);
    sherd_free(a), sherd_free(all), sherd_free(beyond), sherd_free(some);
}

Test(lane_angle, short_series_know_where_they_end)
{
    probe_list list = all_probes();
    for (int p = 0; p < list.count; ++p)
        for (lane_operation operation = 0; operation < LANE_HALF_TURN_SINE; ++operation)
            check_short(operation, list.probe[p]);
}

// ---------------------------------------------------------------- exact operations

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

// What one number gives.
static double expected(lane_operation operation, const lane_probe *probe, double a, double b,
                       double c)
{
    bool single = probe->single;
    double product = to_real(single, a * b), fused = fma(a, b, c), minus = fma(-a, b, c);
    if (single)
        fused = fmaf((float)a, (float)b, (float)c), minus = fmaf(-(float)a, (float)b, (float)c);
    switch (operation) {
    case LANE_SQRT:
        return to_real(single, sqrt(a));
    case LANE_ABS:
        return fabs(a);
    case LANE_FLIP_SIGN:
        return signbit(b) ? -a : a;
    case LANE_MAX:
        return a > b ? a : b;
    case LANE_MIN:
        return a < b ? a : b;
    case LANE_NOT_GREATER:
        return !(a > b);
    case LANE_KEEP:
        return a > b ? c : 0.0;
    case LANE_FMA:
        return probe->fma ? fused : to_real(single, product + c);
    case LANE_FNMA:
        return probe->fma ? minus : to_real(single, c - product);
    case LANE_GREATER:
        return a > b;
    case LANE_SELECT:
        return a > b ? a : c;
    default:
        return a; // through wide
    }
}

enum { NUMBERS = 16 * 256 };

// Ordinary numbers, and often one of those that are apt to be forgotten.
static double some_number(uint64_t *counter, bool single)
{
    static const double odd[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e-42, -1e-42, 1.0};
    double pick = sherd_random_uniform(7, 1, (*counter)++);
    double x = sherd_random_uniform(7, 2, (*counter)++) - 0.5;
    if (pick < 0.25) return to_real(single, odd[(int)(pick * 32.0)]);
    return to_real(single, x * exp(40.0 * (pick - 0.6)));
}

static void check_operation(lane_operation operation, const lane_probe *probe)
{
    double a[NUMBERS], b[NUMBERS], c[NUMBERS], result[NUMBERS];
    uint64_t counter = 1000 * (uint64_t)operation;
    for (int k = 0; k < NUMBERS; ++k) {
        a[k] = some_number(&counter, probe->single);
        b[k] = k % 16 == 0 ? a[k] : some_number(&counter, probe->single);
        c[k] = some_number(&counter, probe->single);
    }
    probe->apply(operation, a, b, c, result, NUMBERS);
    for (int k = 0; k < NUMBERS; ++k) {
        double right = expected(operation, probe, a[k], b[k], c[k]);
        cr_assert(same(result[k], right), "%s, operation %d of %g, %g, %g: %g instead of %g",
                  probe->name, (int)operation, a[k], b[k], c[k], result[k], right);
    }
}

static const lane_operation BY_LANE[] = {
    LANE_SQRT, LANE_ABS,          LANE_FLIP_SIGN,     LANE_MAX,         LANE_MIN,
    LANE_FMA,  LANE_FNMA,         LANE_GREATER,       LANE_NOT_GREATER, LANE_SELECT,
    LANE_KEEP, LANE_THROUGH_WIDE, LANE_THROUGH_HALVES};

// Bit for bit what one number gives, infinities, zeros of both signs and not-a-numbers included.
Test(lane, operations_are_those_of_one_number)
{
    probe_list list = all_probes();
    for (int p = 0; p < list.count; ++p)
        for (size_t k = 0; k < sizeof BY_LANE / sizeof BY_LANE[0]; ++k)
            check_operation(BY_LANE[k], list.probe[p]);
}

static void check_masks(const lane_probe *probe, unsigned bits)
{
    double a[LANE_PROBE_MAX_LANES] = {bits}, b[LANE_PROBE_MAX_LANES] = {0};
    double set[LANE_PROBE_MAX_LANES], any[LANE_PROBE_MAX_LANES], any_greater[LANE_PROBE_MAX_LANES];
    size_t lanes = (size_t)probe->lanes;
    probe->apply(LANE_MASK_OF_BITS, a, b, b, set, lanes);
    probe->apply(LANE_ANY, set, b, b, any, lanes);
    probe->apply(LANE_ANY_GREATER, set, b, b, any_greater, lanes);
    for (size_t k = 0; k < lanes; ++k) {
        cr_assert(eq(dbl, set[k], bits >> k & 1u), "%s, lane %zu of %#x", probe->name, k, bits);
        cr_assert(eq(dbl, any[k], bits != 0), "%s, any of %#x", probe->name, bits);
        cr_assert(eq(dbl, any_greater[k], bits != 0), "%s, any of %#x", probe->name, bits);
    }
}

// All of them up to 8 lanes; of 16 lanes every 17th and those with one lane.
Test(lane, masks_of_bits_and_any)
{
    probe_list list = all_probes();
    for (int p = 0; p < list.count; ++p) {
        unsigned all = 1u << list.probe[p]->lanes;
        for (unsigned bits = 0; bits<all; bits += all> 256 ? 17 : 1)
            check_masks(list.probe[p], bits);
        for (unsigned bits = 1; bits < all; bits *= 2)
            check_masks(list.probe[p], bits);
    }
}

static void check_transpose(const char *name, void (*transpose)(double *), int n)
{
    double square[LANE_PROBE_MAX_LANES * LANE_PROBE_MAX_LANES];
    for (int k = 0; k < n * n; ++k)
        square[k] = k;
    transpose(square);
    for (int k = 0; k < n * n; ++k)
        cr_assert(eq(dbl, square[k], k % n * n + k / n), "%s, %d x %d, at %d", name, n, n, k);
}

// Squares side by side in vectors of more than 8 lanes, below each other in smaller ones.
static void check_transpose_8(const lane_probe *probe)
{
    int n = probe->lanes, side = n < 8 ? n : 8;
    double rows[8 * LANE_PROBE_MAX_LANES];
    for (int k = 0; k < 8 * n; ++k)
        rows[k] = k;
    probe->transpose_8(rows);
    for (int k = 0; k < 8; ++k) {
        for (int l = 0; l < n; ++l) {
            int row = k / side * side + l % side, column = l / side * side + k % side;
            cr_assert(eq(dbl, rows[k * n + l], row * n + column), "%s, (%d, %d)", probe->name, k,
                      l);
        }
    }
}

Test(lane, squares_are_transposed)
{
    probe_list list = all_probes();
    for (int p = 0; p < list.count; ++p) {
        const lane_probe *probe = list.probe[p];
        check_transpose(probe->name, probe->transpose, probe->lanes);
        check_transpose(probe->name, probe->transpose_doubles, probe->double_lanes);
        check_transpose_8(probe);
    }
}

static void check_doubles(const lane_probe *probe)
{
    double base[64], got[LANE_PROBE_MAX_LANES], again[LANE_PROBE_MAX_LANES];
    int index[LANE_PROBE_MAX_LANES];
    for (int k = 0; k < 64; ++k)
        base[k] = 1.0 / (k + 3);
    for (int k = 0; k < LANE_PROBE_MAX_LANES; ++k)
        index[k] = k * 37 % 64;
    probe->gather(base, 64, index, got);
    for (int k = 0; k < probe->lanes; ++k)
        cr_assert(same(got[k], to_real(probe->single, base[index[k]])), "%s", probe->name);
    probe->gather_doubles(base, index, got);
    for (int k = 0; k < probe->double_lanes; ++k)
        cr_assert(same(got[k], base[index[k]]), "%s", probe->name);
    probe->round_doubles(base, got, again);
    for (int k = 0; k < probe->double_lanes; ++k) {
        cr_assert(same(got[k], to_real(probe->single, base[k])), "%s", probe->name);
        cr_assert(same(again[k], to_real(probe->single, base[k])), "%s", probe->name);
    }
}

static void check_storage(const lane_probe *probe)
{
    double number[LANE_PROBE_MAX_LANES], by_short[LANE_PROBE_MAX_LANES],
        by_single[LANE_PROBE_MAX_LANES];
    uint16_t small[LANE_PROBE_MAX_LANES];
    int32_t widened[LANE_PROBE_MAX_LANES];
    for (int k = 0; k < LANE_PROBE_MAX_LANES; ++k) {
        number[k] = k == 5 ? -0.0 : (k % 2 ? -1.0 : 1e9) / (k + 3);
        small[k] = (uint16_t)(k * 4369); // up to 65535
    }
    probe->store_doubles(number, by_short, by_single);
    probe->widen(small, widened);
    for (int k = 0; k < probe->double_lanes; ++k) {
        short_double s = short_double_of(number[k]);
        cr_assert(same(by_short[k], short_double_value(s.high, s.low)), "%s", probe->name);
        cr_assert(same(by_single[k], (double)(float)number[k]), "%s", probe->name);
        cr_assert(eq(int, widened[k], k * 4369), "%s", probe->name);
    }
}

Test(lane, numbers_are_gathered_and_rounded)
{
    probe_list list = all_probes();
    for (int p = 0; p < list.count; ++p) {
        check_doubles(list.probe[p]);
        check_storage(list.probe[p]);
    }
}
