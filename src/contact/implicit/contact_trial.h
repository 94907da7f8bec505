// Contact within one implicit step: a potential over trial states.         [IBDEM25] (32)-(35)
//
// Normal contact has the potential 1/2 k s^2, s = overlap - rest overlap > 0, with the stiffness,
// rest overlap and materials of explicit contact. Its dashpot is a dissipation potential c/2dt (s -
// s_n)^2 over the step. Both together never pull (contact_trial_law.h). Steps much longer than a
// collision make it inelastic. Friction is the explicit friction spring as a potential over the
// step. It is limited to mu times a lagged normal force, which is constant during a minimisation:
//   1/2 k_t |xi_n + u|^2       while k_t |xi_n + u| <= mu N
//   mu N |xi_n + u| - (mu N)^2 / (2 k_t)   beyond: sliding
// It is convex and independent of dt. u is the tangential displacement of the contact point over
// the step, including that by the elements' rotation vectors. Its tangent plane and lever arms are
// lagged like N. Explicit contact has the same histories of touching pairs, so that the methods can
// alternate at any step.
//
// One step:  begin -> (evaluate, relag)* -> accept or abandon.
#pragma once

#include "bodies/rigid_body.h"
#include "contact/contact.h"
#include "linear/contact_spring.h"

typedef struct sherd_contact_trial sherd_contact_trial;

sherd_contact_trial *sherd_contact_trial_create(sherd_contacts *contacts, sherd_error *error);
void sherd_contact_trial_destroy(sherd_contact_trial *trial); // NULL is fine

// Free rigid bodies among the obstacles, in order of index.
int sherd_contact_trial_body_count(const sherd_contact_trial *trial);
// State of body k at the start of the step (after begin), and its trial state at the end, which the
// caller sets before evaluating. Valid for the life of the contacts.
const sherd_rigid_body *sherd_contact_trial_body_start(const sherd_contact_trial *trial, int body);
sherd_rigid_body *sherd_contact_trial_body(sherd_contact_trial *trial, int body);
// Force and torque about the centre of mass on body k at the start of the step.
void sherd_contact_trial_body_start_load(const sherd_contact_trial *trial, int body,
                                         sherd_vec3 *force, sherd_vec3 *torque);

// Starts a step from `time` to `time` + dt with elements at their present poses. Driven obstacles
// move to their poses at its end. No element should move farther than reach [m]; contacts are
// searched within about that distance, and again by an evaluation that goes farther. With barrier >
// 0 [m] the potential of [RBDEM] (30), as docs/theory/physics.md 2 corrects it, with k_c = E, is
// added. It starts at first contact and is infinite once surfaces overlap by `barrier` more than
// the rest overlap (or twice the overlap at the start, if that is deeper). `bonds` NULL: unknown.
// An element with at most one bond is dangling: along its slip direction, where the energy of
// friction is linear, the springs of evaluations have the stiffness of a parabola above it.
sherd_status sherd_contact_trial_begin(sherd_contact_trial *trial, const sherd_points *points,
                                       const sherd_bond_adjacency *bonds, double time, double dt,
                                       double reach, double barrier, sherd_error *error);

// Sets whether the following evaluations use this parabola for all elements, or for dangling ones
// only. Near a kink, where slip reverses, only the parabola tells how far down the minimum is.
void sherd_contact_trial_hold_slides(sherd_contact_trial *trial, bool all);

// For the following steps: normal springs alone, (32) and (33), without dashpots and friction. Friction
// changes velocities once the step is solved (sherd_contact_trial_rub).
void sherd_contact_trial_use_springs_only(sherd_contact_trial *trial, bool only);

// Changes the elements' velocities by friction of the last evaluation's contacts: [IBDEM25] (34), (35)
// (laws/contact/velocity_friction.h). Every element by the sum over its contacts. `as_printed`: with the
// lever r^3 of (35) in place of r; mu_r is then in 1/m^2. The kinetic energy that they lose is
// dissipated by friction. Call before accepting.
sherd_status sherd_contact_trial_rub(sherd_contact_trial *trial, sherd_points *points,
                                     bool as_printed, sherd_error *error);

// Moves driven obstacles to their poses dt after `time`, the start of the step, for evaluations there.
void sherd_contact_trial_place_driven(sherd_contact_trial *trial, double time, double dt);

typedef struct sherd_contact_potential {
    double energy;   // of the trial state [J], the quantity whose gradient the loads are
    double farthest; // largest displacement of an element since begin [m]
    // Largest impact pressure rho c v_n of elements in new contacts, with the velocities at begin
    // [Pa]; 0 = none. rho c = sqrt(E rho) of the softer side, as against a rigid body; two equal
    // bodies get half of it.
    double impact;
    // Largest rebound speed of dangling elements and free bodies in new contacts [m/s]. Steps
    // longer than the collision do not produce this rebound.
    double rebound;
    // Time after begin of the first contact with about that impact pressure, if all keep their
    // present velocities [s]. Valid until friction limits are updated.
    double impact_in;
    int64_t touching;
    int64_t sliding; // of the touching ones
    // of the sliding ones: those that stuck at the start of the step, or slid in another direction
    int64_t turning;
    double rubbed; // sum of mu N times the slip distance [J]
    int64_t spring_count;
    const sherd_contact_spring *springs; // sorted by i, when requested; valid until the next call
} sherd_contact_potential;

// Evaluates the trial state. Adds its loads to points->f*, t* and sets those of free bodies.
// Elements' p, q are the trial state; v, w are not read. An infinite energy (without load of that
// contact) means that the state is beyond a barrier, or that the straight path from the start
// passed through one: the caller must shorten its step. The result is bitwise the same for every
// number of threads.
sherd_status sherd_contact_trial_evaluate(sherd_contact_trial *trial, sherd_points *points,
                                          bool springs, sherd_contact_potential *potential,
                                          sherd_error *error);
// The loads of the last evaluation are those by which the step moves obstacles on average, wherever it ends.
void sherd_contact_trial_take_mean(sherd_contact_trial *trial);
// Elements are at the end of a step from `time` to `time` + dt whose loads the last evaluation found on the way:
// contacts are evaluated here, without adding their loads, to be accepted.
sherd_status sherd_contact_trial_extend(sherd_contact_trial *trial, sherd_points *points,
                                        double time, double dt, sherd_error *error);
// Contact loads and tangent of one element, all others fixed.
typedef struct sherd_contact_single {
    double energy;            // [J]
    sherd_vec3 force, torque; // on it [N], [N m]
    // With respect to (dp, dtheta): stiffness of springs, and of forces from other spheres as the
    // element rotates, which may make it indefinite.
    double stiffness[6][6];
} sherd_contact_single;

// True if only contacts support an element (after begin, if bonds were given).
bool sherd_contact_trial_is_grain(const sherd_contact_trial *trial, sherd_element_index k);
// Gathers the candidates of each of these elements (ascending) near its present position. Valid
// until the next evaluation. Searches again where an element has left its neighbourhood.
sherd_status sherd_contact_trial_gather(sherd_contact_trial *trial, const sherd_points *points,
                                        const sherd_element_index *list, int count,
                                        sherd_error *error);
// Evaluates list[which] at its present pose.
sherd_status sherd_contact_trial_single(sherd_contact_trial *trial, const sherd_points *points,
                                        const sherd_element_index *list, int which,
                                        sherd_contact_single *single, sherd_error *error);
// Upper bounds of the stiffness of contacts by element [N/m].
typedef struct sherd_contact_stiffness {
    double *whole; // sums of traces: bounds for any motion (n)
    double(*single)
        // for motions of single elements, xx yy zz xy xz yz; doubled for two elements, which may
        // both move (n)
        [6];
} sherd_contact_stiffness;

// Adds the stiffness of contacts whose gap was at most `within` radii in the last evaluation: to
// `whole` along all axes, to `single` along their normals. False: there are none.
bool sherd_contact_trial_add_open(const sherd_contact_trial *trial, const sherd_points *points,
                                  double within, const sherd_contact_stiffness *stiffness);
// Force and torque about the centre of mass on body k, from the last evaluation.
void sherd_contact_trial_body_load(const sherd_contact_trial *trial, int body, sherd_vec3 *force,
                                   sherd_vec3 *torque);

// Updates the normal forces that limit friction to those of the last evaluation, or by the fraction
// `fraction` of the difference. Returns the largest difference over the largest normal force.
double sherd_contact_trial_update_friction_caps(sherd_contact_trial *trial, double fraction);

// Shortens the moves of elements from their start towards their present p, so that none ends deeper
// than `deepest` [m] in an obstacle, behind a thin obstacle, or farther than `reach`. An element
// that starts deeper may not go deeper. Held elements stay. With a barrier, half the distance to
// its singularity is the limit. Returns the number of shortened moves.
int64_t sherd_contact_trial_limit(sherd_contact_trial *trial, sherd_points *points, double deepest);

// Accepts the last evaluated state: histories, obstacles' poses and loads (probes), bodies'
// velocities as the caller set them, energies stored and dissipated. Loads for probes are the mean
// of those at both ends: those at the start have the weight `before`, 0 to 1, or one half on
// obstacles that are not free and loaded at both ends. The work of driven obstacles uses the mean
// of the loads before and after. Other losses of a long step are not accounted for here.
sherd_status sherd_contact_trial_accept(sherd_contact_trial *trial, const sherd_points *points,
                                        double before, sherd_error *error);
// Restores the state at the start of the step.
void sherd_contact_trial_abandon(sherd_contact_trial *trial);
size_t sherd_contact_trial_bytes(const sherd_contact_trial *trial);
