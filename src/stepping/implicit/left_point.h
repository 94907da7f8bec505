// The explicit scheme in the form of the implicit ones: loads of the present state move the elements from (p^, q^).
//                                                                              [VBDEM] (24)
#pragma once

#include "stepping/implicit/implicit_state.h"

// Instead of minimising.
sherd_status sherd_implicit_push_by_present_loads(sherd_implicit *implicit,
                                                  const sherd_objective *objective,
                                                  sherd_error *error);
