// A run as one mesh whose vertices move: OBJ and a PC2 point cache, for bodies that bend, stretch and
// then break.
#pragma once

#include "export/animation.h"

// Writes `path`, which ends in .obj, and beside it .mtl and .pc2. SHERD_ERROR_UNSUPPORTED when there is
// nothing to show.
sherd_status deforming_write(const animation_def *def, const char *path, animation_summary *summary,
                             sherd_error *error);
