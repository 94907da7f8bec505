// Gather, physics, scatter for one block of bonds. Compiled several times with different
// SHERD_LANES, instruction sets and SHERD_KERNEL_NAME; see CMakeLists.txt.
#include "bond/bond_kernel.h"

#include "bond/breakage.h"
#include "bond/law_lu.h"
#include "bond/law_quaternion.h"

#include <string.h>

typedef void bond_law(const bond_state *, bond_load *);
typedef bond_stress bond_criterion(lane r0, const bond_load *);

// Up to SHERD_LANES bonds; unused lanes repeat the last bond and are not alive.
typedef struct packet {
    int64_t bond[SHERD_LANES];
    sherd_element_index i[SHERD_LANES], j[SHERD_LANES];
    bool alive[SHERD_LANES];
    bool consecutive; // bonds follow each other: their data is loaded, not gathered
} packet;

LANE_INLINE packet packet_load(const sherd_bonds *bonds, const int32_t *list, int32_t count)
{
    packet p;
    for (int k = 0; k < SHERD_LANES; ++k) {
        int64_t bond = list[k < count ? k : count - 1];
        p.bond[k] = bond;
        p.i[k] = bonds->i[bond];
        p.j[k] = bonds->j[bond];
        p.alive[k] = k < count && !bonds->broken[bond];
    }
    p.consecutive = count >= SHERD_LANES && p.bond[SHERD_LANES - 1] == p.bond[0] + SHERD_LANES - 1;
    return p;
}

LANE_INLINE lane gather_bond(const double *array, const packet *p)
{
    lane v = lane_of(0.0);
    if (__builtin_expect(p->consecutive, 1)) {
        memcpy(&v, array + p->bond[0], sizeof v);
        return v;
    }
    for (int k = 0; k < SHERD_LANES; ++k)
        v = lane_set(v, k, array[p->bond[k]]);
    return v;
}

// Position, orientation, velocity and spin of one end.
typedef struct end_state {
    lane3 p, v, w;
    lane4 q;
} end_state;

LANE_INLINE end_state gather_end(const double *state, const sherd_element_index *index)
{
    lane a[8], b[8];
    lane_load_rows(state, SHERD_PACKED_STATE, index, a);
    lane_load_rows(state + 8, SHERD_PACKED_STATE, index, b);
    return (end_state){.p = {a[0], a[1], a[2]},
                       .q = {a[3], a[4], a[5], a[6]},
                       .v = {a[7], b[0], b[1]},
                       .w = {b[2], b[3], b[4]}};
}

LANE_INLINE bond_state gather_state(const sherd_bonds *bonds, const double *state, const packet *p)
{
    end_state i = gather_end(state, p->i), j = gather_end(state, p->j);
    return (bond_state){
        .b = lane3_sub(j.p, i.p),
        .q_i = i.q,
        .q_j = j.q,
        .v_ij = lane3_sub(j.v, i.v),
        .w_i = i.w,
        .w_j = j.w,
        .d0 = {gather_bond(bonds->d0x, p), gather_bond(bonds->d0y, p), gather_bond(bonds->d0z, p)},
        .l0 = gather_bond(bonds->l0, p),
        .r0 = gather_bond(bonds->r0, p),
        .E = gather_bond(bonds->E, p),
        .G = gather_bond(bonds->G, p),
        .beta = gather_bond(bonds->beta, p),
    };
}

// A broken bond's ends may be anywhere: replace its state by the rest state, whose loads are 0 and
// cheap. Only called for packets with dead lanes.
static void rest_dead_lanes(bond_state *s, const packet *p)
{
    for (int k = 0; k < SHERD_LANES; ++k) {
        if (p->alive[k]) continue;
        double l0 = lane_get(s->l0, k);
        s->b.x = lane_set(s->b.x, k, l0 * lane_get(s->d0.x, k));
        s->b.y = lane_set(s->b.y, k, l0 * lane_get(s->d0.y, k));
        s->b.z = lane_set(s->b.z, k, l0 * lane_get(s->d0.z, k));
        s->q_i.x = lane_set(s->q_i.x, k, 0.0), s->q_j.x = lane_set(s->q_j.x, k, 0.0);
        s->q_i.y = lane_set(s->q_i.y, k, 0.0), s->q_j.y = lane_set(s->q_j.y, k, 0.0);
        s->q_i.z = lane_set(s->q_i.z, k, 0.0), s->q_j.z = lane_set(s->q_j.z, k, 0.0);
        s->q_i.w = lane_set(s->q_i.w, k, 1.0), s->q_j.w = lane_set(s->q_j.w, k, 1.0);
    }
}

// Adds each lane's load to its ends, lane by lane, so that the order of additions is that of the list.
LANE_INLINE void scatter(double *load, const packet *p, const bond_load *l, sherd_bond_role role)
{
    const lane none = lane_of(0.0);
    const lane on_i[8] = {-l->force_j.x, -l->force_j.y, -l->force_j.z, l->torque_i.x,
                          l->torque_i.y, l->torque_i.z, none,          none};
    const lane on_j[8] = {l->force_j.x,  l->force_j.y,  l->force_j.z, l->torque_j.x,
                          l->torque_j.y, l->torque_j.z, none,         none};
    row8 row_i[SHERD_LANES], row_j[SHERD_LANES];
    if (role != SHERD_BOND_FAR) lane_to_rows(on_i, row_i);
    if (role != SHERD_BOND_NEAR) lane_to_rows(on_j, row_j);
    for (int k = 0; k < SHERD_LANES; ++k) {
        if (!p->alive[k]) continue;
        if (role != SHERD_BOND_FAR)
            *(row8 *)(load + SHERD_PACKED_LOAD * (int64_t)p->i[k]) += row_i[k];
        if (role != SHERD_BOND_NEAR)
            *(row8 *)(load + SHERD_PACKED_LOAD * (int64_t)p->j[k]) += row_j[k];
    }
}

LANE_INLINE void note_broken(sherd_bond_block *block, const sherd_bonds *bonds, const packet *p,
                             bond_stress stress)
{
    lane sigma_c = gather_bond(bonds->sigma_c, p), tau_c = gather_bond(bonds->tau_c, p);
    lane_mask broken = lane_greater(stress.normal, sigma_c) | lane_greater(stress.shear, tau_c);
    if (__builtin_expect(!lane_any(broken), 1)) return;
    for (int k = 0; k < SHERD_LANES; ++k)
        if (p->alive[k] && lane_mask_get(broken, k))
            block->newly_broken[block->newly_broken_count++] = (int32_t)p->bond[k];
}

// All bonds of one list segment: one law, one criterion, one role.
LANE_INLINE void walk_segment(const sherd_bonds *bonds, sherd_bond_block *block,
                              const double *state, double *loads, int segment, bond_law *law,
                              bond_criterion *criterion, sherd_bond_role role)
{
    lane power = lane_of(0.0);
    for (int32_t at = block->start[segment]; at < block->start[segment + 1]; at += SHERD_LANES) {
        packet p = packet_load(bonds, block->list + at, block->start[segment + 1] - at);
        bool full = true;
        for (int k = 0; k < SHERD_LANES; ++k)
            full &= p.alive[k];
        bond_state s = gather_state(bonds, state, &p);
        if (__builtin_expect(!full, 0)) rest_dead_lanes(&s, &p);
        bond_load load;
        law(&s, &load);
        scatter(loads, &p, &load, role);
        if (role == SHERD_BOND_FAR) continue; // the owner does the rest
        for (int k = 0; k < SHERD_LANES && !full; ++k)
            if (!p.alive[k]) load.damping_power = lane_set(load.damping_power, k, 0.0);
        power += load.damping_power;
        note_broken(block, bonds, &p, criterion(s.r0, &load));
    }
    for (int k = 0; k < SHERD_LANES; ++k)
        block->damping_power += lane_get(power, k);
}

LANE_INLINE void walk_kind(const sherd_bonds *bonds, sherd_bond_block *block, const double *state,
                           double *loads, sherd_bond_kind kind, bond_law *law,
                           bond_criterion *criterion)
{
    int segment = kind * SHERD_BOND_ROLE_COUNT;
    if (block->start[segment] == block->start[segment + SHERD_BOND_ROLE_COUNT]) return;
    walk_segment(bonds, block, state, loads, segment + 0, law, criterion, SHERD_BOND_INNER);
    walk_segment(bonds, block, state, loads, segment + 1, law, criterion, SHERD_BOND_NEAR);
    walk_segment(bonds, block, state, loads, segment + 2, law, criterion, SHERD_BOND_FAR);
}

void SHERD_KERNEL_NAME(const sherd_bonds *bonds, sherd_bond_block *block, const double *state,
                       double *load)
{
    block->damping_power = 0.0;
    block->newly_broken_count = 0;
    walk_kind(bonds, block, state, load, SHERD_BOND_QUATERNION_TENSILE, bond_law_quaternion,
              bond_stress_tensile);
    walk_kind(bonds, block, state, load, SHERD_BOND_QUATERNION_ABSOLUTE, bond_law_quaternion,
              bond_stress_absolute);
    walk_kind(bonds, block, state, load, SHERD_BOND_LU_TENSILE, bond_law_lu, bond_stress_tensile);
    walk_kind(bonds, block, state, load, SHERD_BOND_LU_ABSOLUTE, bond_law_lu, bond_stress_absolute);
}
