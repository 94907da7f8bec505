// Minimal JSON writing: escaped strings and numbers that do not depend on the locale.
#pragma once

#include "base/byte_buffer.h"

#include <sherd/types.h>

void sherd_json_raw(sherd_byte_buffer *json, const char *text);
void sherd_json_string(sherd_byte_buffer *json, const char *text); // in quotes
void sherd_json_integer(sherd_byte_buffer *json, int64_t value);
void sherd_json_number(sherd_byte_buffer *json, double value); // 9 digits: exact for floats
// ,"name": or "name": at the start of an object
void sherd_json_key(sherd_byte_buffer *json, const char *name);
// Writes a comma unless the last byte opens an array or object.
void sherd_json_separate(sherd_byte_buffer *json);

// Members of objects and items of lists, after a comma where one is needed:

void sherd_json_add_text(sherd_byte_buffer *json, const char *key, const char *text);
void sherd_json_add_number(sherd_byte_buffer *json, const char *key, double value);
void sherd_json_add_vector(sherd_byte_buffer *json, const char *key, sherd_vec3 v);
void sherd_json_add_list(sherd_byte_buffer *json, const char *key); // "key":[
void sherd_json_add_item(sherd_byte_buffer *json, double value);    // null where it is not finite
