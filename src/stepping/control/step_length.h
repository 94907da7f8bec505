// The length of the next step: from its error in time, vibration and tumbling, impacts and
// tunnelling, and from the times at which loads change or frames are due.
//
//   explicit   explicit_dt, or slightly less to divide the time to the next stop
//   implicit   the last one's length times the factor that its error allows
//              (sherd_step_allowed_factor), limited by vibration and tumbling (sherd_step_longest),
//              by impacts and breaks (sherd_step_before_danger) and by undetected contacts
//              (sherd_step_before_meeting), to divide the time to the next stop
#pragma once

#include "stepping/control/control_pass.h"
#include "stepping/control/step_limits.h"
#include "stepping/implicit/implicit_step.h"

// Factor on the length dt of a step, by its error in time. noise: of displacements [m].
double sherd_step_allowed_factor(const sherd_step_limits *limits, const sherd_time_error *time,
                                 sherd_scheme_kind scheme, double noise, double dt);
// The same by the error of free rigid bodies.
double sherd_step_bodies_factor(const sherd_step_limits *limits, const sherd_time_error *bodies,
                                sherd_scheme_kind scheme, double noise, double dt);
// The same by the power that it takes from vibrations.
double sherd_step_loss_factor(const sherd_step_limits *limits, const sherd_time_error *time,
                              sherd_scheme_kind scheme);
// The same by its retardation of fragments on contacts, over the allowed one.
double sherd_step_drag_factor(double drag);

// Gravity, or without it the acceleration to REBOUND_RADII radii per second within one radius
// [m/s^2].
double sherd_visible_acceleration(sherd_vec3 gravity, double radius);
// Slower rebounds rise by less than half a radius, or take more than a tenth of a second per radius
// [m/s].
double sherd_visible_rebound(const sherd_control_pass *p);
// The limits of a step of length dt, and its scheme.
sherd_step_limits sherd_step_limits_of(const sherd_control_pass *p, double dt);
sherd_scheme_kind sherd_step_scheme(const sherd_method_settings *settings);

// `dt` or slightly less, so that a whole number of steps leads to the time `stop`.
double sherd_step_fitting(const sherd_control_pass *p, double dt, double stop);
// Latest end of an implicit step.
double sherd_step_next_stop(const sherd_control_pass *p);

// The length of the next step, from the present error alone.
double sherd_step_settled_length(const sherd_implicit_result *result);
// The longest step by the errors of one of length dt.
double sherd_step_longest(const sherd_control_pass *p, const sherd_time_error *time,
                          sherd_scheme_kind scheme, double dt);
// A step of dt towards an expected impact or break; 0: it is so near that explicit steps cost less.
double sherd_step_before_danger(const sherd_control_pass *p, double dt);
// Shortens a step in which bodies could pass through each other undetected; 0: explicit steps cost less.
sherd_status sherd_step_limit_tunnelling(sherd_control_pass *p, double *dt);
