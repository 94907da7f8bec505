// Contact within one implicit step: a potential over trial states.         [IBDEM25] (32)-(35)
//
// Normal contact is 1/2 k s^2, s = overlap - rest > 0, with the same stiffness, rest overlap and materials
// as explicit contact, and its dashpot as a dissipation potential c/2dt (s - s_n)^2 over the step, together
// never pulling (contact_trial_law.h). Steps much longer than a collision make it inelastic. Friction is
// the explicit friction spring as a potential over the step, capped at mu times a lagged normal force, which is
// constant while a minimum is sought:
//   1/2 k_t |xi_n + u|^2       while k_t |xi_n + u| <= mu N
//   mu N |xi_n + u| - (mu N)^2 / (2 k_t)   beyond: sliding
// convex, and independent of dt. u is the tangential motion of the contact point over the step, of the
// elements' rotation vectors since its start too; its tangent plane and lever arms are lagged as N is. Histories of
// touching pairs are shared with explicit contact, so that the two can alternate at any step.
//
// One step:  begin -> (evaluate, relag)* -> accept or abandon.
#pragma once

#include "bodies/rigid_body.h"
#include "contact/contact.h"
#include "linear/contact_spring.h"

typedef struct sherd_contact_trial sherd_contact_trial;

sherd_contact_trial *sherd_contact_trial_create(sherd_contacts *contacts, sherd_error *error);
void sherd_contact_trial_destroy(sherd_contact_trial *trial); // NULL is fine

// Free rigid bodies among the obstacles, in their order.
int sherd_contact_trial_body_count(const sherd_contact_trial *trial);
// The state of body k at the start of the step (after begin), and at its trial end, which the caller sets before
// evaluating. Valid for the life of the contacts.
const sherd_rigid_body *sherd_contact_trial_body_start(const sherd_contact_trial *trial, int body);
sherd_rigid_body *sherd_contact_trial_body(sherd_contact_trial *trial, int body);

// Starts a step from `time` to `time` + dt with elements at their present poses. Driven obstacles move to their poses
// at its end. No element should move farther than reach [m]; contacts are listed within about that reach, and again by
// an evaluation that goes farther. With barrier > 0 [m], [RBDEM] (30)
// as docs/theory/physics.md 2 corrects it, with k_c = E, is added: it begins with touching and is infinite once
// surfaces overlap by `barrier` more than at rest (twice what they did at the start if that is deeper).
// `bonds` NULL: none is known. An element that at most one holds is dangling: along its slip, where friction's energy is
// straight, springs of evaluations have the stiffness of a parabola above it.
sherd_status sherd_contact_trial_begin(sherd_contact_trial *trial, const sherd_points *points,
                                       const sherd_bond_adjacency *bonds, double time, double dt,
                                       double reach, double barrier, sherd_error *error);

// Springs of evaluations from now on have the stiffness of such a parabola of all elements, or of dangling ones alone
// again. Next to a kink, where slips turn round, that is the only one that says how far down it goes.
void sherd_contact_trial_hold_slides(sherd_contact_trial *trial, bool all);

typedef struct sherd_contact_potential {
    double energy;   // of the trial state [J], the quantity whose gradient the loads are
    double farthest; // that an element has moved since begin [m]
    // Largest rho c v_n of elements in new contacts, with the velocities at begin [Pa]; 0 = none.
    // rho c = sqrt(E rho) of the softer side, as against a rigid body: two alike get half of it.
    double impact;
    // Largest rebound speed of dangling elements and free bodies in new contacts [m/s]: steps longer than the collision
    // give them none.
    double rebound;
    // Time after begin of the first contact about as hard as that, if all keep their present velocities [s]; known until
    // friction caps are updated.
    double impact_in;
    int64_t touching;
    int64_t sliding; // of those that touch
    int64_t turning; // of those that slide: that stuck when the step began, or slid another way
    double rubbed;   // sum of mu N times the way slid [J]
    int64_t spring_count;
    const sherd_contact_spring *springs; // in order of i, when asked for; valid until the next call
} sherd_contact_potential;

// Infinite energy (and no load of that contact) means beyond a barrier, or through one on the straight way from the
// start: go back. Bitwise the same for every
// number of threads. Adds the loads of the trial state to points->f*, t* and sets those of free bodies. Elements' p, q are the
// trial state; v, w are not read.
sherd_status sherd_contact_trial_evaluate(sherd_contact_trial *trial, sherd_points *points,
                                          bool springs, sherd_contact_potential *potential,
                                          sherd_error *error);
// Contact loads and tangent of one element, all else fixed.
typedef struct sherd_contact_single {
    double energy;            // [J]
    sherd_vec3 force, torque; // on it [N], [N m]
    // For (dp, dtheta): that of springs, and of other spheres' forces as they turn, which may make it indefinite.
    double stiffness[6][6];
} sherd_contact_single;

// Whether nothing but contacts holds an element (after begin, if bonds were given).
bool sherd_contact_trial_is_grain(const sherd_contact_trial *trial, sherd_element_index k);
// Gathers the candidates of each of these elements, in rising order, near its present position. Valid until the next
// evaluation, which searches again where one has left its neighbourhood.
sherd_status sherd_contact_trial_gather(sherd_contact_trial *trial, const sherd_points *points,
                                        const sherd_element_index *list, int count,
                                        sherd_error *error);
// At the present pose of list[which].
sherd_status sherd_contact_trial_single(sherd_contact_trial *trial, const sherd_points *points,
                                        const sherd_element_index *list, int which,
                                        sherd_contact_single *single, sherd_error *error);
// Of contacts, by element, at most [N/m].
typedef struct sherd_contact_stiffness {
    double *whole; // sums of traces: nothing is stiffer against any motion (n)
    double (*single)
        [6]; // against motions of one element, xx yy zz xy xz yz; twice that of two, which may both move (n)
} sherd_contact_stiffness;

// Adds that of contacts which are open by no more than `within` radii where it was evaluated last: to `whole` along all
// axes, to `single` along their normals. False: there are none.
bool sherd_contact_trial_add_open(const sherd_contact_trial *trial, const sherd_points *points,
                                  double within, const sherd_contact_stiffness *stiffness);
// Force and torque about the centre of mass on body k, of the last evaluation.
void sherd_contact_trial_body_load(const sherd_contact_trial *trial, int body, sherd_vec3 *force,
                                   sherd_vec3 *torque);

// Updates the normal forces that cap friction to those of the last evaluation, or by that share of the difference.
// Returns the largest difference over the largest normal force.
double sherd_contact_trial_update_friction_caps(sherd_contact_trial *trial, double share);

// Shortens the moves of elements from their start towards their present p so that none ends deeper than
// `deepest` [m] in an obstacle, or behind a thin one, or moves farther than `reach`; one that starts deeper may
// not go deeper. Held elements stay. Where a barrier has a wall, half the way to it is the deepest. Returns how many
// were shortened.
int64_t sherd_contact_trial_limit(sherd_contact_trial *trial, sherd_points *points, double deepest);

// Makes the last evaluated state the present one: histories, obstacles' poses and loads (probes), bodies'
// velocities as the caller left them, energies stored and dissipated. Loads that probes read are the mean of those at
// both ends: those of the start with the weight `before`, 0 to 1, or with one half on obstacles that are not free and
// loaded at both. The work of driven obstacles is that against the mean of the loads before and after. Other losses of a long step are not booked here.
sherd_status sherd_contact_trial_accept(sherd_contact_trial *trial, const sherd_points *points,
                                        double before, sherd_error *error);
// Back to the start of the step, as if it had not begun.
void sherd_contact_trial_abandon(sherd_contact_trial *trial);
size_t sherd_contact_trial_bytes(const sherd_contact_trial *trial);
