// Members of JSON objects that the page reads.
#pragma once

#include "base/byte_buffer.h"

#include <sherd/types.h>

void sherd_page_json_text(sherd_byte_buffer *json, const char *key, const char *text);
void sherd_page_json_number(sherd_byte_buffer *json, const char *key, double value);
void sherd_page_json_vector(sherd_byte_buffer *json, const char *key, sherd_vec3 v);
void sherd_page_json_list(sherd_byte_buffer *json, const char *key); // "key":[
void sherd_page_json_item(sherd_byte_buffer *json, double value);    // null where it is not finite
