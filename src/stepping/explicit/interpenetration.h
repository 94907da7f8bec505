// Bodies that begin inside each other.
//
// Where bodies only touch, bonds and contacts together are no more than a dense packing's twelve neighbours. Inside
// another body an element has all of its bonds and the other's elements besides: both limit explicit steps together.
#pragma once

#include "stepping/system.h"

// The most elements of other components that touch an element which has the centre of one of them deep inside it;
// 0: none has. Bonds that are broken count, too: contact takes the place of theirs.
sherd_status sherd_system_interpenetration(const sherd_system *system, int *most,
                                           sherd_error *error);
