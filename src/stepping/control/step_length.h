// The length of the next step: from its error in time, from what rings and tumbles, from impacts and tunnelling, and
// from the times at which loads change or frames are due.
//
//   explicit   explicit_dt, a little less where that divides the way
//   implicit   the last one's length times the factor that its error allows (sherd_step_allowed_factor), no longer
//              than ringing and tumbling allow (sherd_step_longest), not into danger (sherd_step_before_danger), not
//              past an undetected contact (sherd_step_before_meeting), and divides the way to the next stop
#pragma once

#include "stepping/control/control_pass.h"
#include "stepping/control/step_limits.h"
#include "stepping/implicit/implicit_step.h"

// Factor by which a step of length dt might have been longer, by its error in time. noise: of displacements [m].
double sherd_step_allowed_factor(const sherd_step_limits *limits, const sherd_time_error *time,
                                 sherd_scheme_kind scheme, double noise, double dt);
// The same by the power that it takes from vibrations.
double sherd_step_loss_factor(const sherd_step_limits *limits, const sherd_time_error *time,
                              sherd_scheme_kind scheme);
// The same by what it takes from fragments on contacts, over what is allowed.
double sherd_step_drag_factor(double drag);

// Gravity, or where there is none what takes radii through REBOUND_RADII radii a second within one [m/s^2].
double sherd_seen_acceleration(sherd_vec3 gravity, double radius);
// Slower rebounds rise by less than half a radius, or take more than a tenth of a second for a radius [m/s].
double sherd_seen_rebound(const sherd_control_pass *p);
// The limits of a step of length dt, and its scheme.
sherd_step_limits sherd_step_limits_of(const sherd_control_pass *p, double dt);
sherd_scheme_kind sherd_step_scheme(const sherd_method_settings *settings);

// `dt` or a little less, so that whole steps reach the time `stop`.
double sherd_step_fitting(const sherd_control_pass *p, double dt, double stop);
// Where an implicit step is to end, at the latest.
double sherd_step_next_stop(const sherd_control_pass *p);

// The length of the step after this one, from its error alone.
double sherd_step_settled_length(const sherd_implicit_result *result);
// The longest step by the errors of one of length dt.
double sherd_step_longest(const sherd_control_pass *p, const sherd_time_error *time,
                          sherd_scheme_kind scheme, double dt);
// A step of dt up to danger; 0: it is so near that explicit steps cost less.
double sherd_step_before_danger(const sherd_control_pass *p, double dt);
// Shortens a step in which bodies could pass through each other undetected; 0: explicit steps cost less.
sherd_status sherd_step_limit_tunnelling(sherd_control_pass *p, double *dt);
