// Friction is limited by lagged normal forces. They are updated after each minimisation until they
// converge.
#pragma once

#include "stepping/implicit/implicit_state.h"

// Arguments of the minimisations in one try.
typedef struct sherd_newton_parts {
    const sherd_objective *objective;
    sherd_linear_system *system;
    sherd_linear_solver *solver;
    const sherd_newton_vectors *vectors;
    double min_move; // sherd_newton_solve
} sherd_newton_parts;

// `evaluated`: the value and the gradient are those of the present state.
sherd_status sherd_implicit_iterate_friction(sherd_implicit *implicit,
                                             const sherd_newton_parts *parts, bool evaluated,
                                             sherd_error *error);

void sherd_newton_add_work(sherd_newton_report *report, const sherd_newton_report *before);

// True if a contact began or ended in the step, or slid.
bool sherd_implicit_regroups_contacts(const sherd_implicit *implicit);
// True if a two-step formula was used nevertheless, or a free body was expected to fly and landed.
bool sherd_implicit_bridges_contact(const sherd_implicit *implicit);
