// A span of regions (regions.h), also for systems with material points.
#pragma once

#include "stepping/stepper.h"

// Advances the points of a system and its first region to `end`: no farther than `reach` [m],
// `*too_far` as in parallel_regions.h. Loads on obstacles are recorded (contact_part.h); sums of probes
// are weighted with the seconds of each step.
typedef struct sherd_span_points {
    sherd_status (*advance)(void *context, double end, double reach, double *too_far,
                            sherd_error *error);
    void *context;
} sherd_span_points;

// Makes one span of regions, at most up to the goal, or divides the system again. `points`: NULL if
// there are none.
sherd_status sherd_regions_advance(sherd_system *system, const sherd_method_settings *settings,
                                   const sherd_advance_goal *goal, const sherd_span_points *points,
                                   sherd_error *error);
