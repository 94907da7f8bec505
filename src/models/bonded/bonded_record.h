// Saves and restores the bonded-element model: columns of elements, and the section "bonds".
#pragma once

#include "base/record.h"
#include "models/bonded/bonded.h"

sherd_status sherd_bonded_save(const sherd_bonded *bonded, sherd_byte_buffer *out,
                               sherd_error *error);
// Fails with SHERD_ERROR_INPUT and changes nothing if the numbers of elements or bonds differ.
sherd_status sherd_bonded_restore(sherd_bonded *bonded, sherd_record_reader *in,
                                  sherd_error *error);
