// Compiled with different SHERD_LANES, SHERD_SINGLE and instruction sets: tests/unit/CMakeLists.txt.
#include "lane_probe.h"

#include "math/lane.h"
#include "math/lane_angle.h"
#include "math/lane_storage.h"
#include "math/lane_transpose.h"

static lane lane_of_doubles(const double *from)
{
    real number[SHERD_LANES];
    for (int k = 0; k < SHERD_LANES; ++k)
        number[k] = (real)from[k];
    return lane_load(number);
}

static void lane_to_doubles(double *to, lane v)
{
    real number[SHERD_LANES];
    lane_store(number, v);
    for (int k = 0; k < SHERD_LANES; ++k)
        to[k] = (double)number[k];
}

static lane lane_of_mask(lane_mask mask)
{
    lane v = lane_of(0);
    for (int k = 0; k < SHERD_LANES; ++k)
        v = lane_set(v, k, (real)lane_mask_get(mask, k));
    return v;
}

static lane approximated(lane_operation operation, lane a, lane_series *series)
{
    switch (operation) {
    case LANE_INVERSE_SQRT_1_PLUS:
        return lane_inverse_sqrt_1_plus(a, series);
    case LANE_INVERSE_OF_1_PLUS:
        return lane_inverse_of_1_plus(a, series);
    case LANE_ROOT_OF_2_OVER_1_PLUS:
        return lane_root_of_2_over_1_plus(a, series);
    case LANE_THETA_OVER_SIN:
        return lane_theta_over_sin(a, series);
    case LANE_ROTATION_FACTOR:
        return lane_rotation_factor(a, series);
    case LANE_HALF_TURN_SINE:
        return lane_half_rotation(a).sine;
    default:
        return lane_half_rotation(a).cosine;
    }
}

static lane through_halves(lane a)
{
    double to[SHERD_LANES];
    for (int half = 0; half < SHERD_LANES / DLANES; ++half)
        dlane_store(to + half * DLANES, dlane_of_half(a, half));
    return lane_of_doubles(to);
}

static lane applied(lane_operation operation, lane a, lane b, lane c)
{
    switch (operation) {
    case LANE_SQRT:
        return lane_sqrt(a);
    case LANE_ABS:
        return lane_abs(a);
    case LANE_FLIP_SIGN:
        return lane_flip_sign(a, b);
    case LANE_MAX:
        return lane_max(a, b);
    case LANE_MIN:
        return lane_min(a, b);
    case LANE_FMA:
        return lane_fma(a, b, c);
    case LANE_FNMA:
        return lane_fnma(a, b, c);
    case LANE_GREATER:
        return lane_of_mask(lane_greater(a, b));
    case LANE_SELECT:
        return lane_select(lane_greater(a, b), a, c);
    case LANE_KEEP:
        return lane_keep(lane_greater(a, b), c);
    case LANE_NOT_GREATER:
        return lane_of_mask(lane_not(lane_greater(a, b)));
    case LANE_ANY:
        return lane_of((real)lane_any(lane_greater(a, b)));
    case LANE_ANY_GREATER:
        return lane_of((real)lane_any_greater(a, b));
    case LANE_MASK_OF_BITS:
        return lane_of_mask(lane_mask_of_bits((unsigned)lane_get(a, 0)));
    case LANE_THROUGH_WIDE:
        return lane_of_wide(wide_of_lane(a));
    case LANE_THROUGH_HALVES:
        return through_halves(a);
    default:
        return approximated(operation, a, &(lane_series){.short_only = false});
    }
}

static void apply(lane_operation operation, const double *a, const double *b, const double *c,
                  double *result, size_t count)
{
    for (size_t k = 0; k < count; k += SHERD_LANES)
        lane_to_doubles(result + k, applied(operation, lane_of_doubles(a + k),
                                            lane_of_doubles(b + k), lane_of_doubles(c + k)));
}

static void apply_short(lane_operation operation, const double *a, double *result, double *beyond,
                        size_t count)
{
    for (size_t k = 0; k < count; k += SHERD_LANES) {
        lane_series series = {.short_only = true, .beyond = lane_mask_of_bits(0)};
        lane_to_doubles(result + k, approximated(operation, lane_of_doubles(a + k), &series));
        lane_to_doubles(beyond + k, lane_of_mask(series.beyond));
    }
}

static void transpose(double *square)
{
    lane row[SHERD_LANES];
    for (int k = 0; k < SHERD_LANES; ++k)
        row[k] = lane_of_doubles(square + k * SHERD_LANES);
    lane_transpose(row);
    for (int k = 0; k < SHERD_LANES; ++k)
        lane_to_doubles(square + k * SHERD_LANES, row[k]);
}

static void transpose_8(double *rows)
{
    lane row[8];
    for (int k = 0; k < 8; ++k)
        row[k] = lane_of_doubles(rows + k * SHERD_LANES);
    lane_transpose_8(row);
    for (int k = 0; k < 8; ++k)
        lane_to_doubles(rows + k * SHERD_LANES, row[k]);
}

static void transpose_doubles(double *square)
{
    dlane row[DLANES];
    for (int k = 0; k < DLANES; ++k)
        row[k] = dlane_load(square + k * DLANES);
    dlane_transpose(row);
    for (int k = 0; k < DLANES; ++k)
        dlane_store(square + k * DLANES, row[k]);
}

enum { MAX_GATHERED = 64 };

static void gather(const double *base, int base_count, const int *index, double *result)
{
    real number[MAX_GATHERED];
    int32_t at[SHERD_LANES];
    for (int k = 0; k < base_count && k < MAX_GATHERED; ++k)
        number[k] = (real)base[k];
    for (int k = 0; k < SHERD_LANES; ++k)
        at[k] = index[k];
    lane_to_doubles(result, lane_gather(number, at));
}

static void gather_doubles(const double *base, const int *index, double *result)
{
    int32_t at[SHERD_LANES];
    for (int k = 0; k < DLANES; ++k)
        at[k] = index[k];
    dlane_store(result, dlane_gather(base, at));
}

static void round_doubles(const double *from, double *in_register, double *through_memory)
{
    real number[SHERD_LANES];
    dlane v = dlane_load(from);
    dlane_store(in_register, dlane_rounded(v));
    real_store(number, v);
    dlane_store(through_memory, real_load(number));
}

static void store_doubles(const double *from, double *through_short, double *through_single)
{
    uint32_t high[DLANES];
    uint16_t low[DLANES];
    float single[DLANES];
    dlane v = dlane_load(from);
    dlane_store_short(high, low, v);
    dlane_store_single(single, v);
    dlane_store(through_short, dlane_load_short(high, low));
    dlane_store(through_single, dlane_load_single(single));
}

static void widen(const uint16_t *from, int32_t *to)
{
    dlane_indices(to, from);
}

#define PROBE_TEXT2(name) #name
#define PROBE_TEXT(name) PROBE_TEXT2(name)

extern const lane_probe SHERD_KERNEL(sherd_lane_probe);
const lane_probe SHERD_KERNEL(sherd_lane_probe) = {
    .name = PROBE_TEXT(SHERD_KERNEL_VARIANT),
    .lanes = SHERD_LANES,
    .double_lanes = DLANES,
    .single = sizeof(real) == sizeof(float),
    .fma = LANE_HAS_FMA,
    .apply = apply,
    .apply_short = apply_short,
    .transpose = transpose,
    .transpose_8 = transpose_8,
    .transpose_doubles = transpose_doubles,
    .gather = gather,
    .gather_doubles = gather_doubles,
    .round_doubles = round_doubles,
    .store_doubles = store_doubles,
    .widen = widen,
};
