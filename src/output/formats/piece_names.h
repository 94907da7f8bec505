// Numbers of pieces that stay the same from run to run.
//
// A fixed sequence of places fills the box of a body's shape at rest, ever more densely [Hal60]. A
// piece has the number of the first of these places that lies in it. So the piece that contains a
// place has the same number in every run and at every resolution, unless an earlier place has gone
// over to it; large pieces have small numbers. Fragments' ids, which count breaks, have none of this.
#pragma once

#include "output/formats/final_fragments.h"

#include <stdint.h>

// Fills numbers of the fragments of all bodies, >= 0, by slot (fragment count of the view). A piece
// without a place, such as a crumb of one element, gets a negative number from its centre of mass.
// `bodies` may have shapes. False if memory is short.
bool sherd_piece_numbers(const sherd_fragment_view *view, const sherd_run_model *model,
                         const sherd_surface_body *bodies, int64_t *numbers);

enum { SHERD_PIECE_NAME = 256 };
// "plate at 17", or "plate near 12 40 3" of the box in thousandths.
void sherd_piece_name(const char *body, int64_t number, char name[SHERD_PIECE_NAME]);
