// Point data as vectors of doubles, for every storage form (points.h).
#pragma once

#include "math/lane_storage.h"
#include "points/points.h"

// The points in the lanes: consecutive ones from index[0] on, or arbitrary ones.
typedef struct point_lanes {
    const sherd_element_index *index; // (DLANES), or only one
    bool consecutive;
} point_lanes;

LANE_INLINE dlane fetch(const double *array, point_lanes s)
{
    return s.consecutive ? dlane_load(array + s.index[0]) : dlane_gather(array, s.index);
}

LANE_INLINE bool same_lines(const uint16_t a[DLANES], const uint16_t b[DLANES])
{
    uint64_t of_a[2] = {0}, of_b[2] = {0};
    _Static_assert(DLANES * sizeof *a <= sizeof of_a, "two words hold them");
    memcpy(of_a, a, DLANES * sizeof *a);
    memcpy(of_b, b, DLANES * sizeof *b);
    return ((of_a[0] ^ of_b[0]) | (of_a[1] ^ of_b[1])) == 0;
}

// Entries of a table. Along a row of a lattice they are equal or consecutive: no gather is needed.
LANE_INLINE dlane take_lines(const double *line, const uint16_t number[DLANES])
{
    uint16_t same[DLANES], next[DLANES];
    for (int l = 0; l < DLANES; ++l)
        same[l] = number[0], next[l] = (uint16_t)(number[0] + l);
    if (same_lines(number, same)) return line[number[0]] - (dlane){0};
    if (same_lines(number, next)) return dlane_load(line + number[0]);
    int32_t at[DLANES];
    dlane_indices(at, number);
    return dlane_gather(line, at);
}

// From a full array if there is one, otherwise from a table.
LANE_INLINE dlane take_given(const double *full, const double *line, const uint16_t *number,
                             point_lanes s)
{
    if (full != NULL) return fetch(full, s);
    if (s.consecutive) return take_lines(line, number + s.index[0]);
    int32_t at[DLANES];
    for (int l = 0; l < DLANES; ++l)
        at[l] = number[s.index[l]];
    return dlane_gather(line, at);
}

LANE_INLINE dlane fetch_radius(const sherd_points *p, point_lanes s)
{
    return take_given(p->radius, p->kinds.radius, p->kinds.line, s);
}

LANE_INLINE dlane fetch_mass(const sherd_points *p, point_lanes s)
{
    return take_given(p->mass, p->kinds.mass, p->kinds.line, s);
}

// ---------------------------------------------------------------- loads

typedef struct load_lanes {
    dlane force[3], torque[3];
} load_lanes;

LANE_INLINE load_lanes load_loads(const sherd_points *p, sherd_element_index k)
{
    if (p->fx != NULL)
        return (load_lanes){{dlane_load(p->fx + k), dlane_load(p->fy + k), dlane_load(p->fz + k)},
                            {dlane_load(p->tx + k), dlane_load(p->ty + k), dlane_load(p->tz + k)}};
    load_lanes l;
    for (int a = 0; a < 3; ++a) {
        l.force[a] = dlane_load_short(p->loads.high[a] + k, p->loads.low[a] + k);
        l.torque[a] = dlane_load_single(p->loads.torque[a] + k);
    }
    return l;
}

LANE_INLINE void store_short_loads(sherd_short_loads *to, sherd_element_index k,
                                   const load_lanes *l)
{
    for (int a = 0; a < 3; ++a) {
        dlane_store_short(to->high[a] + k, to->low[a] + k, l->force[a]);
        dlane_store_single(to->torque[a] + k, l->torque[a]);
    }
}

LANE_INLINE void store_loads(sherd_points *p, sherd_element_index k, const load_lanes *l)
{
    if (p->fx == NULL) {
        store_short_loads(&p->loads, k, l);
        return;
    }
    double *force[3] = {p->fx, p->fy, p->fz}, *torque[3] = {p->tx, p->ty, p->tz};
    for (int a = 0; a < 3; ++a) {
        dlane_store(force[a] + k, l->force[a]);
        dlane_store(torque[a] + k, l->torque[a]);
    }
}

// The first `count` points, fewer than there are lanes.
LANE_INLINE void store_some_loads(sherd_points *p, sherd_element_index k, const load_lanes *l,
                                  int32_t count)
{
    for (int32_t n = 0; n < count; ++n) {
        double load[6];
        for (int a = 0; a < 3; ++a) {
            load[a] = dlane_get(l->force[a], n);
            load[3 + a] = dlane_get(l->torque[a], n);
        }
        sherd_point_set_loads(p, k + n, load);
    }
}
