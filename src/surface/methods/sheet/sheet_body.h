// A thin shell's fragments: which cells make up each of them, and their meshes.
#pragma once

#include "surface/methods/sheet/sheet.h"

// The pieces in the order of the fragment view, taking over former ones that did not change. False
// when memory is short.
bool sherd_sheet_update(const sheet *s, const body_frame *frame, piece_array *pieces,
                        const sherd_parallel *parallel);
