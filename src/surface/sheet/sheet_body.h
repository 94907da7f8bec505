// A thin shell's fragments: which cells make up each of them, and their meshes.
#pragma once

#include "surface/sheet/sheet.h"

// The pieces in the order of the fragment view, taking over former ones that did not change. False
// when memory is short.
bool sherd_sheet_update(const sheet *s, const bond_frame *frame, piece **pieces,
                        int32_t *piece_count, const sherd_parallel *parallel);
