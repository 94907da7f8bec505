// All bond laws (sherd/laws.h has their table): what law_NAME.h must define, and how the table is
// expanded.
//
//   every law
//     bond_law_NAME        loads, and the stresses of criteria      bond_law, bond_state.h
//     bond_energy_NAME     of one bond by itself [J]; work stored by FORCES, for accounts
//     bond_moduli_NAME     moduli of the section                    sherd_bond_moduli_function, bond_stiffness.h
//     bond_stable_tension_NAME   where shear becomes unstable       sherd_bond_stable_tension_function, bond_stiffness.h
//   with ENERGY or CENTRAL, too
//     bond_potential_NAME  the energy from a frame and load at hand [J]
//     bond_tangent_NAME    the kernels' stiffness, in lanes         bond_tangent_function, bond_tangent.h
//     bond_symmetry_NAME   an enumerator: about what that is symmetric   bond_symmetry, bond_tangent.h
//     bond_stiffness_NAME  coarse levels' stiffness                 sherd_bond_stiffness_function, bond_stiffness.h
//
// The largest eigenvalue for time steps (models/bonded/network.h) and the constants of bonds follow
// from the moduli. The parameters of a law are fields of the material; they enter in
// bond_moduli_NAME or as a constant of bond_numbers.h.
//
// A law whose loads depend on the history of a bond gives the number of its history values in the
// table. It reads them in bond_state.history and writes new ones to bond_state.new_history. Kernels
// of explicit steps store the new ones; in the trial states of implicit steps (bond_state.trial)
// they are discarded, and sherd_bonds_update_histories stores them once a step is accepted. Loads
// and potential are those for a given history: for yielding bonds, the incremental potential. Such
// a law stores loads that have no form in bond_elastic in load->force_j and load->torque_j, and
// sets load->exhaustion. bond_tangent_NAME does not depend on the history: it must be at least as
// stiff as the bond, and so is that of bonds without a history when they soften. For yielding
// bonds, linear solvers also get the change of stiffness by bond_yielding_stiffness.
#pragma once

#include "laws/bond/law_central.h"
#include "laws/bond/law_lu.h"
#include "laws/bond/law_quaternion.h"
#include "laws/bond/law_rod.h"
#include "laws/bond/law_yielding.h"

// Laws that a test adds, and their file.
#if defined(SHERD_MORE_BOND_LAWS)
#include SHERD_MORE_BOND_LAWS_FILE
#else
#define SHERD_MORE_BOND_LAWS(ROW)
#endif
#define SHERD_OTHER_BOND_LAWS(ROW) SHERD_BOND_LAWS(ROW) SHERD_MORE_BOND_LAWS(ROW)

// Not in sherd/laws.h, as materials don't choose it by name: rods with a yield stress use this law
// (sherd_material_effective_law). It is the last one.
#define SHERD_YIELDING_BOND_LAWS(ROW)                                                              \
    ROW(YIELDING, yielding, "Cosserat rods that yield", ENERGY, BOND_YIELD_NUMBERS)
#define SHERD_ALL_BOND_LAWS(ROW) SHERD_OTHER_BOND_LAWS(ROW) SHERD_YIELDING_BOND_LAWS(ROW)

#define BOND_LAW_AND_ONE(...) +1
enum { BOND_LAW_NUMBER_YIELDING = 0 SHERD_OTHER_BOND_LAWS(BOND_LAW_AND_ONE) };
#define SHERD_BOND_LAW_YIELDING ((sherd_bond_law)BOND_LAW_NUMBER_YIELDING)

// Expands to the given text only for laws with an energy.
#define BOND_IF_ENERGY(ability, ...) BOND_IF_ENERGY_##ability(__VA_ARGS__)
#define BOND_IF_ENERGY_ENERGY(...) __VA_ARGS__
#define BOND_IF_ENERGY_CENTRAL(...) __VA_ARGS__
#define BOND_IF_ENERGY_FORCES(...)

// True for laws without torques; kernels then skip rotations.
#define BOND_IS_CENTRAL(ability) BOND_IS_CENTRAL_##ability
#define BOND_IS_CENTRAL_ENERGY false
#define BOND_IS_CENTRAL_CENTRAL true
#define BOND_IS_CENTRAL_FORCES false

// The longest history of all laws, as the size of a union.
#define BOND_HISTORY_SIZE(NAME, word, doc, ability, history) char word[(history) + 1];
typedef union bond_history_sizes {
    SHERD_ALL_BOND_LAWS(BOND_HISTORY_SIZE)
} bond_history_sizes;
enum { BOND_MAX_HISTORY = sizeof(bond_history_sizes) }; // at least 1
