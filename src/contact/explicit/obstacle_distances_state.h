// Saving and restoring the distance bounds of elements from obstacles (obstacle_distances.h).
#pragma once

#include "base/record.h"
#include "contact/explicit/obstacle_distances.h"

void sherd_obstacle_watches_save(const sherd_obstacle *obstacles, size_t count,
                                 sherd_byte_buffer *out);
// The bounds stay unchanged if there were no elements yet. Errors are in the reader's status.
void sherd_obstacle_watches_restore(sherd_obstacle *obstacles, size_t count, size_t elements,
                                    sherd_record_reader *in, sherd_error *error);
