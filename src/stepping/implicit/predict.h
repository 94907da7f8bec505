// The start of a step's minimisation: the prediction, and the scheme's target; or a step without
// one.
#pragma once

#include "stepping/implicit/implicit_state.h"
#include "stepping/implicit/prediction.h"

// From the last two states over dt [s].
sherd_prediction sherd_implicit_prediction(const sherd_implicit *implicit, double dt);

// Largest expected displacement of an element over dt [m].
double sherd_implicit_predicted_displacement(const sherd_implicit *implicit, double dt);

// Sets the target from the present state by that scheme. `lands`: free bodies that touch something
// in the present state of the try do not fly (free_bodies.h).
void sherd_implicit_set_target(sherd_implicit *implicit, sherd_scheme_kind scheme, bool lands);

// Moves elements and bodies to their predicted poses at the end of the step, and sets the target by
// the best applicable scheme. `regroups`: contacts began, ended or slid recently.
void sherd_implicit_predict(sherd_implicit *implicit, bool regroups);

// Instead of minimising: the explicit scheme in the form of the implicit ones. Loads of the present
// state move the elements from (p^, q^).                                       [VBDEM] (24)
sherd_status sherd_implicit_push_by_present_loads(sherd_implicit *implicit,
                                                  const sherd_objective *objective,
                                                  sherd_error *error);
