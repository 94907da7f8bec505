// Minimal JSON writing: escaped strings and numbers that do not depend on the locale.
#pragma once

#include "base/byte_buffer.h"

void sherd_json_raw(sherd_byte_buffer *json, const char *text);
void sherd_json_string(sherd_byte_buffer *json, const char *text); // in quotes
void sherd_json_integer(sherd_byte_buffer *json, int64_t value);
void sherd_json_number(sherd_byte_buffer *json, double value); // 9 digits: exact for floats
// ,"name": or "name": at the start of an object
void sherd_json_key(sherd_byte_buffer *json, const char *name);
// Writes a comma unless the last byte opens an array or object.
void sherd_json_separate(sherd_byte_buffer *json);
