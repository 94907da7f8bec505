// A subset of a world's elements as an element set of its own, and the return of their state.
#pragma once

#include "points/elements.h"

// Copies the given properties and held freedoms of the `count` elements `member`, whose loads must
// be in full arrays. `member` must stay valid.
sherd_status sherd_elements_extract_part(sherd_elements *part, const sherd_elements *whole,
                                         const sherd_element_index *member,
                                         sherd_element_index count, sherd_error *error);

// Copies p, q, v, w, F, T from the whole to the part and back.
void sherd_elements_fetch_state(sherd_elements *part, const sherd_elements *whole,
                                const sherd_element_index *member);
void sherd_elements_return_state(const sherd_elements *part, sherd_elements *whole,
                                 const sherd_element_index *member);
