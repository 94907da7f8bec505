#include "models/bonded/element_stress/moment_kernel.h"

#include "laws/bond/bond_laws.h"
#include "laws/breakage/softening.h"
#include "points/element_gather.h"

typedef struct outcome {
    real moment[6][SHERD_MOMENT_RUN] __attribute__((aligned(64)));
} outcome;

LANE_INLINE void find_moments(bond_law *law, bool remembers, const sherd_moment_work *w,
                              const sherd_moment_run *r, int at, outcome *out)
{
    const sherd_elements *e = w->elements;
    lane before[BOND_MOST_HISTORY], after[BOND_MOST_HISTORY];
    for (int n = 0; n < w->bonds->history_stride; ++n)
        before[n] = lane_load(r->history[n] + at);
    bond_state s = {.q_i = gather_orientations(e, r->i + at),
                    .q_j = gather_orientations(e, r->j + at),
                    .alive = lane_not(lane_mask_of_bits(0)),
                    .section = {BOND_SECTION_OWN, r->numbers[0] + at, NULL, SHERD_MOMENT_RUN},
                    .history = before,
                    .remembered = after};
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
    if (remembers) more = bond_take_more(&load);
    bond_add_up(&s, &f, &elastic, &still, &load);
    if (remembers) bond_add_more(&s, &f, &more, &load);
    bond_soften(&f, lane_load(r->integrity + at), bond_pressure(&s.section, &f), &load);
    lane3 b = f.half_b, F = load.force_j; // that on i is the opposite
    lane_store(out->moment[0] + at, -b.x * F.x);
    lane_store(out->moment[1] + at, -b.y * F.y);
    lane_store(out->moment[2] + at, -b.z * F.z);
    lane_store(out->moment[3] + at, -LANE_HALF * (b.x * F.y + b.y * F.x));
    lane_store(out->moment[4] + at, -LANE_HALF * (b.y * F.z + b.z * F.y));
    lane_store(out->moment[5] + at, -LANE_HALF * (b.z * F.x + b.x * F.z));
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
