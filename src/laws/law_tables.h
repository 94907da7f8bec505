// The rows of laws and criteria at run time: those of sherd/laws.h, with columns for the library alone.
#pragma once

#include "laws/bond/bond_stiffness.h"

#include <sherd/laws.h>
#include <sherd/material.h>

// Code with lists by kind is not affected by added rows.
enum { SHERD_BOND_MOST_LAWS = 8, SHERD_MOST_BREAKAGES = 8 };

typedef struct sherd_contact_potential_info {
    const char *word; // in scenes
    const char *doc;  // one line for people
    double stiffest;  // largest V'' while the overlap is below the smaller radius [k of linear]
} sherd_contact_potential_info;

// Static; NULL for a number that is no potential.
const sherd_contact_potential_info *
sherd_contact_potential_describe(sherd_contact_potential_kind potential);

typedef struct sherd_bond_law_functions {
    sherd_bond_moduli_function *moduli;
    sherd_bond_stable_tension_function *stable_tension;
    sherd_bond_stiffness_function *stiffness; // NULL: no implicit steps
    bool about_sections;                      // bond_tangent.h; linear solvers want orientations
} sherd_bond_law_functions;

extern const sherd_breakage_info sherd_breakage_rows[]; // by number

// The law of a material's bonds: its own, or that of rods that yield.
sherd_bond_law sherd_material_effective_law(const sherd_material_def *def);

int sherd_bond_law_history(sherd_bond_law law); // numbers that its bonds remember; `law` must exist

int sherd_bond_most_history(void); // longest history of a bond of any law

// `law` must exist.
const sherd_bond_law_functions *sherd_bond_law_functions_of(sherd_bond_law law);

// Normal stress from which on bonds of this material have no stiffness against shear left and give way sideways [Pa]:
// E kappa G / (E - kappa G) of rods; INFINITY: of no bonds. Of a definition that passes the check.
double sherd_material_stable_tension(const sherd_material_def *def);
