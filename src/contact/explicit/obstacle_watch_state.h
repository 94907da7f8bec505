// Saving and restoring what obstacles know of the distances of elements (obstacle_watch.h).
#pragma once

#include "base/record.h"
#include "contact/explicit/obstacle_watch.h"

void sherd_obstacle_watches_save(const sherd_obstacle *obstacles, size_t count,
                                 sherd_byte_buffer *out);
// Watches stay as they are where there were no elements yet. The reader's status tells.
void sherd_obstacle_watches_restore(sherd_obstacle *obstacles, size_t count, size_t elements,
                                    sherd_record_reader *in, sherd_error *error);
