// State saved by all steppers: the system, then the regions that it is divided into.
#pragma once

#include "base/record.h"
#include "stepping/system.h"

sherd_status sherd_stepper_save(const sherd_system *system, sherd_byte_buffer *out,
                                sherd_error *error);
sherd_status sherd_stepper_restore(sherd_system *system, sherd_record_reader *in,
                                   sherd_error *error);
