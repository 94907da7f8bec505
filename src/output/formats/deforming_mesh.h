// Exports a run as one mesh with moving vertices, OBJ and a PC2 point cache, for bodies that bend,
// stretch and then break.
#pragma once

#include "output/formats/format_job.h"

// Writes the job's .obj and, beside it, .mtl and .pc2. SHERD_ERROR_UNSUPPORTED if there is nothing
// to show.
sherd_status sherd_deforming_mesh_write(sherd_format_job *job, sherd_error *error);
