// The changing state of bonded elements in records: columns of elements, and the section "bonds".
#pragma once

#include "base/record.h"
#include "models/bonded/bonded.h"

sherd_status sherd_bonded_save(const sherd_bonded *bonded, sherd_byte_buffer *out,
                               sherd_error *error);
// Of as many elements and bonds, else SHERD_ERROR_INPUT and nothing is changed.
sherd_status sherd_bonded_restore(sherd_bonded *bonded, sherd_record_reader *in,
                                  sherd_error *error);
