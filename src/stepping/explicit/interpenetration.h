// Detection of bodies that overlap initially.
//
// Where bodies only touch, bonds and contacts of an element together are at most the twelve
// neighbours of a dense packing. Inside another body an element has all of its bonds and contacts
// with the other's elements as well, and both together limit explicit steps.
#pragma once

#include "stepping/system.h"

// The largest number of elements of other components that touch an element which has the centre of
// one of them deep inside it; 0: there is none. Broken bonds count, too, because contacts replace
// them.
sherd_status sherd_system_interpenetration(const sherd_system *system, int *max_touching,
                                           sherd_error *error);
