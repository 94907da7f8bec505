#include "models/bonded/element_stress/moment_kernel.h"

#include "laws/bond/bond_laws.h"
#include "laws/breakage/softening.h"
#include "math/lane_singles.h"
#include "math/lane_transpose.h"
#include "points/element_gather.h"

#include <string.h>

typedef struct outcome {
    real moment[6][SHERD_MOMENT_RUN] __attribute__((aligned(64)));
} outcome;

// The six moments, in the order of the components of sherd_stress.
LANE_INLINE void moments_of(const bond_frame *f, const bond_load *load, lane moment[6])
{
    lane3 b = f->half_b, F = load->force_j; // F acts on j, -F on i
    moment[0] = -b.x * F.x;
    moment[1] = -b.y * F.y;
    moment[2] = -b.z * F.z;
    moment[3] = -LANE_HALF * (b.x * F.y + b.y * F.x);
    moment[4] = -LANE_HALF * (b.y * F.z + b.z * F.y);
    moment[5] = -LANE_HALF * (b.z * F.x + b.x * F.z);
}

LANE_INLINE void find_moments(bond_law *law, bool has_history, const sherd_moment_work *w,
                              const sherd_moment_run *r, int at, outcome *out)
{
    const sherd_elements *e = w->elements;
    lane before[BOND_MAX_HISTORY], after[BOND_MAX_HISTORY];
    for (int n = 0; n < w->bonds->history_stride; ++n)
        before[n] = lane_load(r->history[n] + at);
    bond_state s = {.q_i = gather_orientations(e, r->i + at),
                    .q_j = gather_orientations(e, r->j + at),
                    .alive = lane_not(lane_mask_of_bits(0)),
                    .section = {BOND_SECTION_OWN, r->numbers[0] + at, NULL, SHERD_MOMENT_RUN},
                    .history = before,
                    .new_history = after};
    lane3 along = lane3_sub(gather_vectors(e->px, e->py, e->pz, r->j + at),
                            gather_vectors(e->px, e->py, e->pz, r->i + at));
    s.du = lane3_sub_scaled(along, 2 * NUMBER(&s.section, HALF_L0), bond_d0(&s.section));
    lane_series series = {.short_only = false};
    const bond_rate still = {{lane_of(0), lane_of(0), lane_of(0)},
                             {lane_of(0), lane_of(0), lane_of(0)}};
    bond_frame f;
    bond_elastic elastic;
    bond_load load;
    bond_strain(law, &s, &series, &f, &elastic, &load);
    bond_more more;
    if (has_history) more = bond_more_of(&load);
    bond_add_up(&s, &f, &elastic, &still, &load);
    if (has_history) bond_add_more(&s, &f, &more, &load);
    bond_soften(&f, lane_load(r->integrity + at), bond_pressure(&s.section, &f), &load);
    lane moment[6];
    moments_of(&f, &load, moment);
    for (int n = 0; n < 6; ++n)
        lane_store(out->moment[n] + at, moment[n]);
}

#define FIND_MOMENTS(NAME, law, doc, ability, history)                                             \
    static __attribute__((noinline)) void find_moments_##law(                                      \
        const sherd_moment_work *w, const sherd_moment_run *r, int at, outcome *out)               \
    {                                                                                              \
        find_moments(bond_law_##law, (history) > 0, w, r, at, out);                                \
    }
SHERD_ALL_BOND_LAWS(FIND_MOMENTS)

typedef void moments_of_law(const sherd_moment_work *w, const sherd_moment_run *r, int at,
                            outcome *out);
#define MOMENTS_ROW(NAME, law, ...) find_moments_##law,
static moments_of_law *const MOMENTS[] = {SHERD_ALL_BOND_LAWS(MOMENTS_ROW)};

void SHERD_KERNEL(sherd_moments)(const sherd_moment_work *w, const sherd_moment_run *r)
{
    outcome out;
    for (int at = 0; at < r->count; at += SHERD_LANES)
        MOMENTS[r->law](w, r, at, &out);
    for (int k = 0; k < r->count; ++k)
        w->moments[r->bond[k] - w->first] = (sherd_stress){
            (float)out.moment[0][k], (float)out.moment[1][k], (float)out.moment[2][k],
            (float)out.moment[3][k], (float)out.moment[4][k], (float)out.moment[5][k]};
}

// ---------------------------------------------------------------- rows

LANE_INLINE lane3 load_vectors(const double *x, const double *y, const double *z, int32_t first)
{
    return (lane3){lane_load(x + first), lane_load(y + first), lane_load(z + first)};
}

LANE_INLINE lane4 load_orientations(const sherd_elements *e, int32_t first)
{
    return (lane4){lane_load(e->qx + first), lane_load(e->qy + first), lane_load(e->qz + first),
                   lane_load(e->qw + first)};
}

// Rounds moments to single precision, two in each double, and transposes them so that each bond's
// are contiguous.
LANE_INLINE void store_moments(const lane moment[6], sherd_stress *to)
{
    enum { PAIRS = sizeof *to / sizeof(double), PARTS = (PAIRS + SHERD_LANES - 1) / SHERD_LANES };
    lane r[8] = {lane_join_singles(moment[0], moment[1]), lane_join_singles(moment[2], moment[3]),
                 lane_join_singles(moment[4], moment[5])};
    for (int n = PAIRS; n < 8; ++n)
        r[n] = lane_of(0);
    lane_transpose_8(r);
    for (int k = 0; k < SHERD_LANES; ++k)
        for (int part = 0; part < PARTS; ++part) {
            int first = part * SHERD_LANES, remaining = PAIRS - first;
            int pairs = remaining < SHERD_LANES ? remaining : SHERD_LANES;
            memcpy((char *)&to[k] + (size_t)first * sizeof(double), &r[first + k],
                   (size_t)pairs * sizeof(double));
        }
}

LANE_INLINE void find_row(bond_law *law, const sherd_moment_work *w, const sherd_moment_row *r,
                          int at, sherd_stress *to)
{
    const sherd_elements *e = w->elements;
    int32_t i = r->i + at, j = r->j + at;
    bond_state s = {.q_i = load_orientations(e, i),
                    .q_j = load_orientations(e, j),
                    .alive = lane_not(lane_mask_of_bits(0)),
                    .section = {BOND_SECTION_CLASS, r->numbers, NULL, 0}};
    lane3 along =
        lane3_sub(load_vectors(e->px, e->py, e->pz, j), load_vectors(e->px, e->py, e->pz, i));
    s.du = lane3_sub_scaled(along, 2 * NUMBER(&s.section, HALF_L0), bond_d0(&s.section));
    lane_series series = {.short_only = false};
    const bond_rate still = {{lane_of(0), lane_of(0), lane_of(0)},
                             {lane_of(0), lane_of(0), lane_of(0)}};
    bond_frame f;
    bond_elastic elastic;
    bond_load load;
    bond_strain(law, &s, &series, &f, &elastic, &load);
    bond_add_up(&s, &f, &elastic, &still, &load);
    lane moment[6];
    moments_of(&f, &load, moment);
    store_moments(moment, to + at);
}

// Laws with a history are not computed in rows.
#define FIND_ROW(NAME, law, doc, ability, history)                                                 \
    static __attribute__((noinline)) void find_row_##law(                                          \
        const sherd_moment_work *w, const sherd_moment_row *r, sherd_stress *to)                   \
    {                                                                                              \
        for (int at = 0; at < SHERD_MOMENT_RUN && (history) == 0; at += SHERD_LANES)               \
            find_row(bond_law_##law, w, r, at, to);                                                \
    }
SHERD_ALL_BOND_LAWS(FIND_ROW)

typedef void row_of_law(const sherd_moment_work *w, const sherd_moment_row *r, sherd_stress *to);
#define ROW_OF(NAME, law, ...) find_row_##law,
static row_of_law *const ROWS[] = {SHERD_ALL_BOND_LAWS(ROW_OF)};

void SHERD_KERNEL(sherd_moment_row)(const sherd_moment_work *w, const sherd_moment_row *r)
{
    const uint8_t *broken = &w->bonds->broken[r->bond];
    sherd_stress *to = &w->moments[r->bond - w->first];
    ROWS[r->law](w, r, to);
    for (int k = 0; k < SHERD_MOMENT_RUN; ++k)
        if (broken[k]) to[k] = (sherd_stress){0};
}
