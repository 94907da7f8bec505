// Bonds with arbitrary ends: states of the ends are gathered into vectors, loads are scattered one
// by one.
#pragma once

#include "models/bonded/kernels/bond_walk.h"

typedef real gathered_end[LOCAL_NUMBERS][SHERD_LANES] __attribute__((aligned(64)));

// In double precision a displacement is one number, so that the columns of the second number are
// unused.
LANE_INLINE bool is_in_use(int c)
{
#if defined(SHERD_SINGLE) || defined(SHERD_WIDE)
    (void)c;
    return true;
#else
    return c < LOCAL_U_LOW || c >= LOCAL_U_LOW + 3;
#endif
}

LANE_INLINE void gather_end(const walk *w, const int32_t *at, gathered_end end)
{
    lane n[LOCAL_NUMBERS];
    if (w->with_rows)
        gather_rows(w->scratch, at, n);
    else
        for (int c = 0; c < LOCAL_NUMBERS; ++c)
            if (is_in_use(c)) n[c] = lane_gather((const real *)w->scratch->state[c], at);
    for (int c = 0; c < LOCAL_NUMBERS; ++c)
        if (is_in_use(c)) lane_store(end[c], n[c]);
}

LANE_INLINE void scatter_load_j(const walk *w, const int32_t *j, unsigned alive,
                                const bond_load *load)
{
    const lane none = lane_of(0);
    lane number[LOAD_NUMBERS] = {load->force_j.x,
                                 load->force_j.y,
                                 load->force_j.z,
                                 load->torque_j.x,
                                 load->torque_j.y,
                                 load->torque_j.z,
                                 none,
                                 none};
    if (w->with_rows) {
        if (__builtin_expect(alive == ALL_LANES, 1))
            scatter_rows(w->scratch->load_rows, j, true, alive, number);
        else
            scatter_rows(w->scratch->load_rows, j, false, alive, number);
        return;
    }
    for (int k = 0; k < SHERD_LANES; ++k) {
        if (!(alive >> k & 1u)) continue;
        for (int c = 0; c < 3; ++c) {
            w->scratch->force[c][j[k]] += (double)lane_get(number[c], k);
            ((real *)w->scratch->torque[c])[j[k]] += lane_get(number[3 + c], k);
        }
    }
}

LANE_INLINE void scatter_group(const walk *w, const int32_t *i, const group_load *sum)
{
    const wide none = (wide){0};
    const wide columns[LOAD_NUMBERS] = {sum->force.x,
                                        sum->force.y,
                                        sum->force.z,
                                        wide_of_lane(sum->torque.x),
                                        wide_of_lane(sum->torque.y),
                                        wide_of_lane(sum->torque.z),
                                        none,
                                        none};
    double number[LOAD_NUMBERS][SHERD_LANES] __attribute__((aligned(64)));
    for (int c = 0; c < LOAD_NUMBERS; ++c)
        wide_store(number[c], columns[c]);
    if (w->with_rows) {
        scatter_wide_rows(w->scratch->load_rows, i, number);
        return;
    }
    for (int k = 0; k < SHERD_LANES; ++k) {
        for (int c = 0; c < 3; ++c) {
            w->scratch->force[c][i[k]] += number[c][k];
            ((real *)w->scratch->torque[c])[i[k]] += (real)number[3 + c][k];
        }
    }
}
