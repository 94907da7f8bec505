// All bond laws (sherd/laws.h has their rows): what law_NAME.h must have, and how rows are expanded.
//
//   every law
//     bond_law_NAME        loads, and the stresses of criteria      bond_law, bond_state.h
//     bond_energy_NAME     of one bond by itself [J]; work stored by FORCES, for accounts
//     bond_moduli_NAME     moduli of the section                    sherd_bond_moduli_function, bond_stiffness.h
//     bond_stable_tension_NAME   where shear becomes unstable       sherd_bond_stable_tension_function, bond_stiffness.h
//   with ENERGY, too
//     bond_potential_NAME  the energy from a frame and load at hand [J]
//     bond_tangent_NAME    the kernels' stiffness, in lanes         bond_tangent_function, bond_tangent.h
//     bond_symmetry_NAME   an enumerator: about what that is symmetric   bond_symmetry, bond_tangent.h
//     bond_stiffness_NAME  coarse levels' stiffness                 sherd_bond_stiffness_function, bond_stiffness.h
//
// The largest eigenvalue for time steps (models/bonded/network.h) and the numbers of bonds come from the moduli. A law's
// parameters are fields of the material, which enter in bond_moduli_NAME or a number of bond_numbers.h.
//
// A law whose loads depend on a bond's history says in its row how many numbers that has. It reads them in
// bond_state.history and leaves new ones in bond_state.remembered. Explicit steps' kernels keep these; trial
// evaluations of implicit steps (bond_state.trial) don't, sherd_bonds_remember does once a step is accepted. Loads and
// potential are those of a given history: for bonds that yield, the incremental potential. Such a law leaves loads that
// a bond_elastic can't have in load->force_j and load->torque_j, and sets load->exhaustion. bond_tangent_NAME does not
// see the history: it must be at least the stiffness, as that of bonds without a history is where they soften. Of bonds
// that yield, linear solvers get what bond_yielding_stiffness says besides.
#pragma once

#include "laws/bond/law_lu.h"
#include "laws/bond/law_quaternion.h"
#include "laws/bond/law_rod.h"
#include "laws/bond/law_yielding.h"

// Rows that a test has besides, and their file.
#if defined(SHERD_MORE_BOND_LAWS)
#include SHERD_MORE_BOND_LAWS_FILE
#else
#define SHERD_MORE_BOND_LAWS(ROW)
#endif
#define SHERD_OTHER_BOND_LAWS(ROW) SHERD_BOND_LAWS(ROW) SHERD_MORE_BOND_LAWS(ROW)

// Not in sherd/laws.h, as materials don't choose it: rods with a yield stress are of this law
// (sherd_material_effective_law). It is the last one.
#define SHERD_YIELDING_BOND_LAWS(ROW)                                                              \
    ROW(YIELDING, yielding, "Cosserat rods that yield", ENERGY, BOND_YIELD_NUMBERS)
#define SHERD_ALL_BOND_LAWS(ROW) SHERD_OTHER_BOND_LAWS(ROW) SHERD_YIELDING_BOND_LAWS(ROW)

#define BOND_LAW_AND_ONE(...) +1
enum { BOND_LAW_NUMBER_YIELDING = 0 SHERD_OTHER_BOND_LAWS(BOND_LAW_AND_ONE) };
#define SHERD_BOND_LAW_YIELDING ((sherd_bond_law)BOND_LAW_NUMBER_YIELDING)

// Text that laws with an energy have, in expansions of the list.
#define BOND_IF_ENERGY(ability, ...) BOND_IF_ENERGY_##ability(__VA_ARGS__)
#define BOND_IF_ENERGY_ENERGY(...) __VA_ARGS__
#define BOND_IF_ENERGY_FORCES(...)

// History of one run of bonds: room for that of any law.
#define BOND_HISTORY_ROOM(NAME, word, doc, ability, history) char word[(history) + 1];
typedef union bond_history_sizes {
    SHERD_ALL_BOND_LAWS(BOND_HISTORY_ROOM)
} bond_history_sizes;
enum { BOND_MOST_HISTORY = sizeof(bond_history_sizes) }; // at least 1
