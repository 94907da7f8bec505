// Some of a world's elements as elements of their own, and their state back.
#pragma once

#include "points/elements.h"

// Takes over the given properties and held freedoms of the `count` elements `member`. Their loads must be
// in full arrays. `member` must stay valid.
// `member` must stay.
sherd_status sherd_elements_take_part(sherd_elements *part, const sherd_elements *whole,
                                      const sherd_element_index *member, sherd_element_index count,
                                      sherd_error *error);

// p, q, v, w, F, T from the whole to the part and back.
void sherd_elements_fetch_state(sherd_elements *part, const sherd_elements *whole,
                                const sherd_element_index *member);
void sherd_elements_return_state(const sherd_elements *part, sherd_elements *whole,
                                 const sherd_element_index *member);
