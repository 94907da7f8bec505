// Free rigid bodies in implicit steps: their targets, momenta and errors in time.
//
// Momenta follow from loads by the weights of the elements' scheme, so that contacts between bodies
// and elements conserve momentum:
//
//   v = v_v + (g + F / m) / gamma,    L = L_v + T / gamma,     v_v, L_v as in scheme.h
//
// Centres follow the same scheme. The target of a rotation is free motion, which is exact for any
// step (rigid_body.h), by the momentum L + c dt (L - L_old) / before, c = 1/2 - 1 / (gamma dt)^2:
// then a constant torque rotates the body as in continuous time (BDF2). A body that an Euler step
// takes through the air without contact moves on its parabola, where the scheme alone would move it
// dt^2 g / 2 too far.
#pragma once

#include "stepping/implicit/numerical_damping.h"
#include "stepping/implicit/objective.h"
#include "stepping/implicit/time_error.h"

typedef struct sherd_body_motion {
    sherd_vec3 centre, velocity; // [m], [m/s]
    sherd_vec3 angular_momentum; // [kg m^2/s]
} sherd_body_motion;

typedef struct sherd_free_bodies {
    sherd_contact_trial *trial; // borrowed; NULL: there are none
    int count;
    sherd_body_motion *now, *old; // at the last sample or start of a step, and `before` earlier
    sherd_body_target *targets;
    sherd_node_inertia *inertia; // of the targets
    bool *flies;                 // the target is that of a flight by an Euler step
    sherd_error_rates rates;
    sherd_body_motion *memory; // owned: now and old
} sherd_free_bodies;

bool sherd_free_bodies_init(sherd_free_bodies *bodies, sherd_contact_trial *trial);
void sherd_free_bodies_free(sherd_free_bodies *bodies);
size_t sherd_free_bodies_bytes(const sherd_free_bodies *bodies);

// Takes the present motion as `now`, and makes the former `now` the previous one if `turns`.
void sherd_free_bodies_take(sherd_free_bodies *bodies, bool turns);
// Makes `now` the previous motion: the step is accepted with that error.
void sherd_free_bodies_accept(sherd_free_bodies *bodies, const sherd_time_error *error);
// Extrapolates the previous motion, a time h earlier, with the present loads.
void sherd_free_bodies_extrapolate(sherd_free_bodies *bodies, double h, sherd_vec3 gravity);
// Largest acceleration since the previous motion that the present loads do not explain, over
// limits->drag; bodies slower than limits->slow do not count.
double sherd_free_bodies_jump(const sherd_free_bodies *bodies, double before, sherd_vec3 gravity,
                              const sherd_rigid_drag_limits *limits);

// One step, of length dt after one of length `before` (0: unknown).
typedef struct sherd_body_step {
    const sherd_scheme_weights *weights;
    sherd_scheme_kind scheme;
    double dt, before; // [s]
    sherd_vec3 gravity;
} sherd_body_step;

// Sets targets. An Euler step lets those bodies fly that touch nothing at its start; `lands`: nor
// in the state found, from which it is repeated.
void sherd_free_bodies_aim(sherd_free_bodies *bodies, const sherd_body_step *step, bool lands);
// Moves bodies to where the iteration starts.
void sherd_free_bodies_predict(sherd_free_bodies *bodies, const sherd_body_step *step);
// True if a body that should fly is loaded.
bool sherd_free_bodies_land(const sherd_free_bodies *bodies);
// Momenta from their loads, exact however far the iteration was from the minimum, and centres.
void sherd_free_bodies_finish(sherd_free_bodies *bodies, const sherd_body_step *step);

// Error of the step, with the motion of centres in `way` and `bend`: a body at rest on something that
// vibrates does not limit steps.
sherd_time_error sherd_free_bodies_judge(const sherd_free_bodies *bodies,
                                         const sherd_body_step *step);
// The largest loss of an Euler step by a body in contact, over the allowed one (numerical_damping.h).
double sherd_free_bodies_drag(const sherd_free_bodies *bodies, const sherd_body_step *step,
                              const sherd_rigid_drag_limits *limits);

// The previous motion, or `now` if it is a sample.
void sherd_free_bodies_save(const sherd_free_bodies *bodies, bool sampled, sherd_byte_buffer *out);
void sherd_free_bodies_restore(sherd_free_bodies *bodies, bool sampled, sherd_record_reader *in);
