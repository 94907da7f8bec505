// Contact within one implicit step: a potential over trial states.         [IBDEM25] (32)-(35)
//
// Normal contact is 1/2 k (overlap - rest)^2 while overlap > rest, with the same stiffness, rest overlap
// and materials as explicit contact, and its dashpot as a dissipation potential over the step. Friction is
// the explicit friction spring as a potential over the step, capped at mu times a normal force that is
// kept ("lagged") while a minimum is sought:
//   1/2 k_t |xi_n + u|^2       while k_t |xi_n + u| <= mu N
//   mu N |xi_n + u| - (mu N)^2 / (2 k_t)   beyond: sliding
// convex, and independent of dt. u is the tangential motion of the contact point over the step. What
// touching pairs remember is shared with explicit contact, so that the two can take turns at any step.
//
// One step:  begin -> (evaluate, relag)* -> accept or abandon.
#pragma once

#include "contact/contact.h"
#include "contact/contact_spring.h"
#include "contact/rigid_body.h"

typedef struct sherd_contact_trial sherd_contact_trial;

sherd_contact_trial *sherd_contact_trial_create(sherd_contacts *contacts, sherd_error *error);
void sherd_contact_trial_destroy(sherd_contact_trial *trial); // NULL is fine

// Free rigid bodies among the obstacles, in their order.
int sherd_contact_trial_body_count(const sherd_contact_trial *trial);
// The state of body k at the start of the step (after begin), and where the step would leave it: the
// caller moves `trial` before evaluating. Valid for the life of the contacts.
const sherd_rigid_body *sherd_contact_trial_body_start(const sherd_contact_trial *trial, int body);
sherd_rigid_body *sherd_contact_trial_body(sherd_contact_trial *trial, int body);

// Starts a step from `time` to `time` + dt with elements where they are now. Driven obstacles go to where
// they will be. Lists all that can touch while no element moves farther than reach [m] from where it is now.
// `quadratic` potentials only; with barrier > 0 [m], a barrier of that width is added to elements against
// obstacles and each other ([RBDEM] (30), corrected in PHYSICS.md 2) that keeps them from passing through.
sherd_status sherd_contact_trial_begin(sherd_contact_trial *trial, const sherd_elements *elements,
                                       const sherd_bond_adjacency *bonds, double time, double dt,
                                       double reach, double barrier, sherd_error *error);

typedef struct sherd_contact_potential {
    double energy;   // of the trial state [J], the quantity whose gradient the loads are
    double farthest; // that an element has moved since begin [m]: beyond `reach`, begin anew
    double impact;   // largest rho c v_n over pairs and obstacles that newly touch [Pa]; 0 = none
    int64_t touching;
    int64_t spring_count;
    const sherd_contact_spring *springs; // in order of i, when asked for; valid until the next call
} sherd_contact_potential;

// Adds the loads of the trial state to elements->f*, t* and sets those of free bodies. Elements' p, q are the
// trial state; v, w are not read.
sherd_status sherd_contact_trial_evaluate(sherd_contact_trial *trial, sherd_elements *elements,
                                          bool springs, sherd_contact_potential *potential,
                                          sherd_error *error);
// Force and torque about the centre of mass on body k, of the last evaluation.
void sherd_contact_trial_body_load(const sherd_contact_trial *trial, int body, sherd_vec3 *force,
                                   sherd_vec3 *torque);

// Takes the normal forces of the last evaluation as those that cap friction. Returns the largest change as a
// share of the largest normal force.
double sherd_contact_trial_relag(sherd_contact_trial *trial);

// Shortens the moves of elements from their start towards their present p so that none ends deeper than
// `deepest` [m] in an obstacle, or moves farther than `reach`. Returns how many were shortened.
int64_t sherd_contact_trial_limit(sherd_contact_trial *trial, sherd_elements *elements,
                                  double deepest);

// Makes the last evaluated state the present one: histories, obstacles' poses and loads (probes), bodies'
// velocities as the caller left them, energies stored and dissipated.
sherd_status sherd_contact_trial_accept(sherd_contact_trial *trial, const sherd_elements *elements,
                                        sherd_error *error);
// Back to the start of the step, as if it had not begun.
void sherd_contact_trial_abandon(sherd_contact_trial *trial);
size_t sherd_contact_trial_bytes(const sherd_contact_trial *trial);
