// Gather, physics, scatter for one block of bonds. Compiled several times with different
// SHERD_LANES, instruction sets and SHERD_KERNEL_NAME; see CMakeLists.txt.
#include "bond/bond_kernel.h"

#include "bond/breakage.h"
#include "bond/law_lu.h"
#include "bond/law_quaternion.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef void bond_law(const bond_state *, bond_load *);
typedef bond_stress bond_criterion(lane r0, const bond_load *);

// Up to SHERD_LANES bonds; unused lanes repeat the last bond and are not alive.
typedef struct packet {
    int64_t bond[SHERD_LANES];
    sherd_element_index i[SHERD_LANES], j[SHERD_LANES];
    bool alive[SHERD_LANES];
} packet;

ALWAYS_INLINE packet packet_load(const sherd_bonds *bonds, const int32_t *list, int32_t count)
{
    packet p;
    for (int k = 0; k < SHERD_LANES; ++k) {
        int64_t bond = list[k < count ? k : count - 1];
        p.bond[k] = bond;
        p.i[k] = bonds->i[bond];
        p.j[k] = bonds->j[bond];
        p.alive[k] = k < count && !bonds->broken[bond];
    }
    return p;
}

ALWAYS_INLINE lane gather_element(const double *array, const sherd_element_index *index)
{
    lane v = lane_of(0.0);
    for (int k = 0; k < SHERD_LANES; ++k)
        v = lane_set(v, k, array[index[k]]);
    return v;
}

ALWAYS_INLINE lane gather_bond(const double *array, const int64_t *index)
{
    lane v = lane_of(0.0);
    for (int k = 0; k < SHERD_LANES; ++k)
        v = lane_set(v, k, array[index[k]]);
    return v;
}

ALWAYS_INLINE lane3 gather_difference(const double *x, const double *y, const double *z,
                                      const packet *p)
{
    return (lane3){gather_element(x, p->j) - gather_element(x, p->i),
                   gather_element(y, p->j) - gather_element(y, p->i),
                   gather_element(z, p->j) - gather_element(z, p->i)};
}

ALWAYS_INLINE bond_state gather_state(const sherd_bonds *bonds, const sherd_elements *e,
                                      const packet *p)
{
    bond_state s;
    s.b = gather_difference(e->px, e->py, e->pz, p);
    s.v_ij = gather_difference(e->vx, e->vy, e->vz, p);
    s.q_i = (lane4){gather_element(e->qx, p->i), gather_element(e->qy, p->i),
                    gather_element(e->qz, p->i), gather_element(e->qw, p->i)};
    s.q_j = (lane4){gather_element(e->qx, p->j), gather_element(e->qy, p->j),
                    gather_element(e->qz, p->j), gather_element(e->qw, p->j)};
    s.w_i = (lane3){gather_element(e->wx, p->i), gather_element(e->wy, p->i),
                    gather_element(e->wz, p->i)};
    s.w_j = (lane3){gather_element(e->wx, p->j), gather_element(e->wy, p->j),
                    gather_element(e->wz, p->j)};
    s.d0 = (lane3){gather_bond(bonds->d0x, p->bond), gather_bond(bonds->d0y, p->bond),
                   gather_bond(bonds->d0z, p->bond)};
    s.l0 = gather_bond(bonds->l0, p->bond);
    s.r0 = gather_bond(bonds->r0, p->bond);
    s.E = gather_bond(bonds->E, p->bond);
    s.G = gather_bond(bonds->G, p->bond);
    s.beta = gather_bond(bonds->beta, p->bond);
    return s;
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

ALWAYS_INLINE void scatter_i(sherd_elements *e, const packet *p, const bond_load *load, int k)
{
    sherd_element_index i = p->i[k];
    e->fx[i] -= lane_get(load->force_j.x, k);
    e->fy[i] -= lane_get(load->force_j.y, k);
    e->fz[i] -= lane_get(load->force_j.z, k);
    e->tx[i] += lane_get(load->torque_i.x, k);
    e->ty[i] += lane_get(load->torque_i.y, k);
    e->tz[i] += lane_get(load->torque_i.z, k);
}

ALWAYS_INLINE void scatter_j(sherd_elements *e, const packet *p, const bond_load *load, int k)
{
    sherd_element_index j = p->j[k];
    e->fx[j] += lane_get(load->force_j.x, k);
    e->fy[j] += lane_get(load->force_j.y, k);
    e->fz[j] += lane_get(load->force_j.z, k);
    e->tx[j] += lane_get(load->torque_j.x, k);
    e->ty[j] += lane_get(load->torque_j.y, k);
    e->tz[j] += lane_get(load->torque_j.z, k);
}

ALWAYS_INLINE void note_broken(sherd_bond_block *block, const sherd_bonds *bonds, const packet *p,
                               bond_stress stress)
{
    lane sigma_c = gather_bond(bonds->sigma_c, p->bond), tau_c = gather_bond(bonds->tau_c, p->bond);
    lane_mask broken = lane_greater(stress.normal, sigma_c) | lane_greater(stress.shear, tau_c);
    if (__builtin_expect(!lane_any(broken), 1)) return;
    for (int k = 0; k < SHERD_LANES; ++k)
        if (p->alive[k] && lane_mask_get(broken, k))
            block->newly_broken[block->newly_broken_count++] = (int32_t)p->bond[k];
}

// All bonds of one list segment: one law, one criterion, one role.
ALWAYS_INLINE void walk_segment(const sherd_bonds *bonds, sherd_bond_block *block,
                                sherd_elements *e, int segment, bond_law *law,
                                bond_criterion *criterion, sherd_bond_role role)
{
    lane power = lane_of(0.0);
    for (int32_t at = block->start[segment]; at < block->start[segment + 1]; at += SHERD_LANES) {
        packet p = packet_load(bonds, block->list + at, block->start[segment + 1] - at);
        bool full = true;
        for (int k = 0; k < SHERD_LANES; ++k)
            full &= p.alive[k];
        bond_state s = gather_state(bonds, e, &p);
        if (__builtin_expect(!full, 0)) rest_dead_lanes(&s, &p);
        bond_load load;
        law(&s, &load);
        for (int k = 0; k < SHERD_LANES; ++k) {
            if (!p.alive[k]) {
                load.damping_power = lane_set(load.damping_power, k, 0.0);
                continue;
            }
            if (role != SHERD_BOND_FAR) scatter_i(e, &p, &load, k);
            if (role != SHERD_BOND_NEAR) scatter_j(e, &p, &load, k);
        }
        if (role == SHERD_BOND_FAR) continue; // the owner does the rest
        power += load.damping_power;
        note_broken(block, bonds, &p, criterion(s.r0, &load));
    }
    for (int k = 0; k < SHERD_LANES; ++k)
        block->damping_power += lane_get(power, k);
}

ALWAYS_INLINE void walk_kind(const sherd_bonds *bonds, sherd_bond_block *block, sherd_elements *e,
                             sherd_bond_kind kind, bond_law *law, bond_criterion *criterion)
{
    int segment = kind * SHERD_BOND_ROLE_COUNT;
    if (block->start[segment] == block->start[segment + SHERD_BOND_ROLE_COUNT]) return;
    walk_segment(bonds, block, e, segment + 0, law, criterion, SHERD_BOND_INNER);
    walk_segment(bonds, block, e, segment + 1, law, criterion, SHERD_BOND_NEAR);
    walk_segment(bonds, block, e, segment + 2, law, criterion, SHERD_BOND_FAR);
}

void SHERD_KERNEL_NAME(const sherd_bonds *bonds, sherd_bond_block *block, sherd_elements *elements)
{
    sherd_elements e = *elements; // array pointers in registers
    for (sherd_element_index k = block->begin; k < block->end; ++k) {
        e.fx[k] = e.fy[k] = e.fz[k] = 0.0;
        e.tx[k] = e.ty[k] = e.tz[k] = 0.0;
    }
    block->damping_power = 0.0;
    block->newly_broken_count = 0;
    walk_kind(bonds, block, &e, SHERD_BOND_QUATERNION_TENSILE, bond_law_quaternion,
              bond_stress_tensile);
    walk_kind(bonds, block, &e, SHERD_BOND_QUATERNION_ABSOLUTE, bond_law_quaternion,
              bond_stress_absolute);
    walk_kind(bonds, block, &e, SHERD_BOND_LU_TENSILE, bond_law_lu, bond_stress_tensile);
    walk_kind(bonds, block, &e, SHERD_BOND_LU_ABSOLUTE, bond_law_lu, bond_stress_absolute);
}
