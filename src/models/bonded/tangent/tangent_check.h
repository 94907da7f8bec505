// Rejects models whose tangent can't be computed.
#pragma once

#include "models/bonded/tangent/tangent.h"

sherd_status sherd_tangent_check(const sherd_tangent_parts *parts, const sherd_parallel *parallel,
                                 sherd_error *error);
