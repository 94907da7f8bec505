// The start of a step's minimisation: the prediction, and the scheme's target.
#pragma once

#include "stepping/implicit/implicit_state.h"
#include "stepping/implicit/prediction.h"

// From the last two states over dt [s].
sherd_prediction sherd_implicit_prediction(const sherd_implicit *implicit, double dt);

// Largest expected displacement of an element over dt [m].
double sherd_implicit_predicted_displacement(const sherd_implicit *implicit, double dt);

// Sets the target from the present state by that scheme.
void sherd_implicit_set_target(sherd_implicit *implicit, sherd_scheme_kind scheme);

// Moves elements and bodies to their predicted poses at the end of the step, and sets the target by
// the best applicable scheme. `regroups`: contacts began, ended or slid recently.
void sherd_implicit_predict(sherd_implicit *implicit, bool regroups);
