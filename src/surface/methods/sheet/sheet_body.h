// Meshes the fragments of a thin shell: groups the wall cells of elements (sheet.h) by fragment and
// builds one mesh of each.
#pragma once

#include "surface/methods/sheet/sheet.h"

// Builds the pieces in the order of the fragment view and takes over previous ones that did not
// change. Returns false when out of memory.
bool sherd_sheet_update(const sheet *s, const body_frame *frame, piece_array *pieces,
                        const sherd_parallel *parallel);
