// Bonds that soften: what takes a bond apart is an energy, whatever its length.       docs/physics.md 3
//
// A bond's opening is its criterion's ratio of stress to strength, taken of its whole stiffness: 1 where it reaches its
// strength. In tension that is its elongation over w_0 = sigma_c l0 / E. From there its traction falls linearly, to
// zero at w_c = 2 G_f / sigma_c, and the largest opening yet reached, u, says what it has left of its stiffness:
//
//   traction                         u_c = w_c / w_0 = 2 E G_f / (sigma_c^2 l0)
//   sigma_c |   /\                   integrity = (u_c - u) / (u (u_c - 1)),  1 <= u <= u_c
//           |  /   \                 load = integrity x elastic load: back to the origin when it is unloaded
//           | /  /   \               energy that is gone with it, of a bond pulled: (u - 1) / (u_c - 1) G_f S
//           |/ /       \             .
//           +---------------> w      Pressure along the bond is left as it is: a closed crack bears it.
//            0  w_0     w_c
//
// Where u_c <= 1 a bond stores more than G_f S when it reaches its strength: nothing is left to soften.
#pragma once

#include "laws/bond/bond_state.h"

LANE_INLINE lane bond_integrity(lane opening, lane critical)
{
    lane u = lane_min(lane_max(opening, lane_of(1)), critical);
    return (critical - u) / (u * (critical - 1));
}

// Pressure along a bond, <= 0 [N], and what it stores [J].
LANE_INLINE lane bond_pressure(const bond_section *k, const bond_frame *f)
{
    return NUMBER(k, STRETCH) * lane_min(f->stretch, lane_of(0));
}

LANE_INLINE lane bond_pressure_energy(const bond_section *k, const bond_frame *f)
{
    return NUMBER(k, HALF_L0) * bond_pressure(k, f) * f->stretch;
}

// What a bond loses to integration in a step of dt in which it closes or opens [J]. Its force along the axis has a kink
// where it is as long as at rest, and trapezoids through that are off by k (1 - integrity) x_1 x_0 / 2, x_0 and x_1
// elongations before and after, with the sign of x_1.
LANE_INLINE lane bond_closing_loss(const bond_section *k, const bond_frame *f, lane integrity,
                                   const bond_motion *m, lane dt)
{
    lane half_l0 = NUMBER(k, HALF_L0), now = f->stretch;
    lane before = now - dt * lane3_dot(f->n, m->v_ij) / (2 * half_l0);
    lane missed = half_l0 * NUMBER(k, STRETCH) * (1 - integrity) * lane_abs(now) * before;
    return lane_select(lane_greater(lane_of(0), now * before), missed, lane_of(0));
}

// Makes an energy and a load, damping included, those of the softened bond. The couple of pressure is none.
LANE_INLINE lane bond_softened_energy(lane integrity, lane energy, lane pressure_energy)
{
    return lane_fma(integrity, energy, (1 - integrity) * pressure_energy);
}

LANE_INLINE void bond_soften(const bond_frame *f, lane integrity, lane pressure, bond_load *load)
{
    load->force_j =
        lane3_sub_scaled(lane3_scale(integrity, load->force_j), (1 - integrity) * pressure, f->n);
    load->torque_i = lane3_scale(integrity, load->torque_i);
    load->torque_j = lane3_scale(integrity, load->torque_j);
    load->damping_power = integrity * load->damping_power;
}

// The rate at which motion changes what is softened of the energy, without pressure: `load` is elastic [W].
LANE_INLINE lane bond_softened_rate(const bond_frame *f, lane pressure, const bond_load *load,
                                    const bond_motion *m)
{
    lane power = lane3_dot(load->force_j, m->v_ij) + lane3_dot(load->torque_i, m->w_i) +
                 lane3_dot(load->torque_j, m->w_j);
    return -power - pressure * lane3_dot(f->n, m->v_ij);
}
