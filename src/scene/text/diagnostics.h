// Adding to a list of errors.
#pragma once

#include <sherd/scene.h>

// Returns a zeroed entry for the next error, or NULL if the list is full (then it is only counted).
sherd_error *sherd_diagnostics_add(sherd_diagnostics *diagnostics);
// All errors so far, counted ones included.
int sherd_diagnostics_total(const sherd_diagnostics *diagnostics);
