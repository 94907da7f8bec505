// The tables of laws and criteria at run time: those of sherd/laws.h, with additional columns for
// the library.
#pragma once

#include "laws/bond/bond_stiffness.h"

#include <sherd/laws.h>
#include <sherd/material.h>

// Upper bounds, so that arrays by kind do not change when laws are added.
enum { SHERD_BOND_MAX_LAWS = 8, SHERD_MAX_BREAKAGES = 8 };

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
    bool about_sections;                      // bond_tangent.h; linear solvers need orientations
} sherd_bond_law_functions;

extern const sherd_breakage_info sherd_breakage_rows[]; // by sherd_breakage

// The law of a material's bonds: its own, or that of yielding rods.
sherd_bond_law sherd_material_effective_law(const sherd_material_def *def);

int sherd_bond_law_history(sherd_bond_law law); // length of a bond's history; `law` must be valid

int sherd_bond_max_history(void); // longest history of a bond of any law

// `law` must be valid.
const sherd_bond_law_functions *sherd_bond_law_functions_of(sherd_bond_law law);

// Normal stress above which bonds of this material have no stiffness against shear and buckle
// sideways [Pa]: E kappa G / (E - kappa G) for rods; INFINITY: never. The definition must be valid.
double sherd_material_stable_tension(const sherd_material_def *def);
