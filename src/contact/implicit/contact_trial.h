// Contact within one implicit step: a potential over trial states.         [IBDEM25] (32)-(35)
//
// Normal contact is 1/2 k s^2, s = overlap - rest > 0, with the same stiffness, rest overlap and materials
// as explicit contact, and its dashpot as a dissipation potential c/2dt (s - s_n)^2 over the step, together
// never pulling (contact_potential.h). Steps much longer than a collision make it inelastic. Friction is
// the explicit friction spring as a potential over the step, capped at mu times a normal force that is
// kept ("lagged") while a minimum is sought:
//   1/2 k_t |xi_n + u|^2       while k_t |xi_n + u| <= mu N
//   mu N |xi_n + u| - (mu N)^2 / (2 k_t)   beyond: sliding
// convex, and independent of dt. u is the tangential motion of the contact point over the step, of the
// elements' rotation vectors since its start too; its tangent plane and levers are kept with N. What
// touching pairs remember is shared with explicit contact, so that the two can take turns at any step.
//
// One step:  begin -> (evaluate, relag)* -> accept or abandon.
#pragma once

#include "bodies/rigid_body.h"
#include "contact/contact.h"
#include "contact/contact_spring.h"

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
// they will be. No element should move farther than reach [m] from where it is now; contacts are listed
// about that far ahead, and again by an evaluation that goes farther. With barrier > 0 [m], [RBDEM] (30)
// as docs/physics.md 2 corrects it, with k_c = E, is added: it begins with touching and is infinite once
// surfaces overlap by `barrier` more than at rest (twice what they did at the start if that is deeper).
// `bonds` NULL: none is known. What at most one of them holds is loose: along its slip, where friction's energy is
// straight, springs of evaluations have the stiffness of a parabola above it.
sherd_status sherd_contact_trial_begin(sherd_contact_trial *trial, const sherd_elements *elements,
                                       const sherd_bond_adjacency *bonds, double time, double dt,
                                       double reach, double barrier, sherd_error *error);

typedef struct sherd_contact_potential {
    double energy;   // of the trial state [J], the quantity whose gradient the loads are
    double farthest; // that an element has moved since begin [m]
    // Largest rho c v_n over elements that newly touch, with the velocities at begin [Pa]; 0 = none.
    // rho c = sqrt(E rho) of the softer side, as against something rigid: two alike feel half of it.
    double impact;
    // Largest speed at which what newly touches would rebound, of loose elements and free bodies [m/s]: no step that
    // is longer than the collision throws them back.
    double rebound;
    // How long after begin the first that meet about as hard meet, if all go on as they move now [s]; known until
    // relag.
    double impact_in;
    int64_t touching;
    int64_t sliding; // of those that touch
    int64_t spring_count;
    const sherd_contact_spring *springs; // in order of i, when asked for; valid until the next call
} sherd_contact_potential;

// Infinite energy (and no load of that contact) means beyond a barrier: go back. Bitwise the same for every
// number of threads. Adds the loads of the trial state to elements->f*, t* and sets those of free bodies. Elements' p, q are the
// trial state; v, w are not read.
sherd_status sherd_contact_trial_evaluate(sherd_contact_trial *trial, sherd_elements *elements,
                                          bool springs, sherd_contact_potential *potential,
                                          sherd_error *error);
// What the contacts of one element do while all else stays.
typedef struct sherd_contact_single {
    double energy;            // [J]
    sherd_vec3 force, torque; // on it [N], [N m]
    // For (dp, dtheta): that of springs, and of other spheres' forces as they turn, which may make it indefinite.
    double stiffness[6][6];
} sherd_contact_single;

// Whether nothing but contacts holds an element (after begin, if bonds were given).
bool sherd_contact_trial_is_single(const sherd_contact_trial *trial, sherd_element_index k);
// Gathers what each of these elements, in rising order, may touch near where it is now. Valid until the next
// evaluation, which looks farther where one has left its surroundings.
sherd_status sherd_contact_trial_gather(sherd_contact_trial *trial, const sherd_elements *elements,
                                        const sherd_element_index *list, int count,
                                        sherd_error *error);
// At the present pose of list[which].
sherd_status sherd_contact_trial_single(sherd_contact_trial *trial, const sherd_elements *elements,
                                        const sherd_element_index *list, int which,
                                        sherd_contact_single *single, sherd_error *error);
// Force and torque about the centre of mass on body k, of the last evaluation.
void sherd_contact_trial_body_load(const sherd_contact_trial *trial, int body, sherd_vec3 *force,
                                   sherd_vec3 *torque);

// Takes the normal forces that cap friction to those of the last evaluation, or that share of the way. Returns how
// far they were off, at most, as a share of the largest normal force.
double sherd_contact_trial_relag(sherd_contact_trial *trial, double share);

// Shortens the moves of elements from their start towards their present p so that none ends deeper than
// `deepest` [m] in an obstacle, or behind a thin one, or moves farther than `reach`; what starts deeper may
// not go deeper. Held elements stay. Returns how many were shortened.
int64_t sherd_contact_trial_limit(sherd_contact_trial *trial, sherd_elements *elements,
                                  double deepest);

// Makes the last evaluated state the present one: histories, obstacles' poses and loads (probes), bodies'
// velocities as the caller left them, energies stored and dissipated. Loads that probes read are the mean of those at
// both ends, those of the start with the weight `before`, 0 to 1. The work of driven obstacles is that
// against the mean of the loads before and after. What a long step loses besides is not booked here.
sherd_status sherd_contact_trial_accept(sherd_contact_trial *trial, const sherd_elements *elements,
                                        double before, sherd_error *error);
// Back to the start of the step, as if it had not begun.
void sherd_contact_trial_abandon(sherd_contact_trial *trial);
size_t sherd_contact_trial_bytes(const sherd_contact_trial *trial);
