#include "output/page/page_json.h"

#include "output/export/json.h"

#include <math.h>
#include <stddef.h>

static void put(sherd_byte_buffer *json, double value)
{
    if (isfinite(value))
        sherd_json_number(json, value);
    else
        sherd_json_raw(json, "null");
}

void sherd_page_json_text(sherd_byte_buffer *json, const char *key, const char *text)
{
    sherd_json_key(json, key);
    sherd_json_string(json, text != NULL ? text : "");
}

void sherd_page_json_number(sherd_byte_buffer *json, const char *key, double value)
{
    sherd_json_key(json, key);
    put(json, value);
}

void sherd_page_json_vector(sherd_byte_buffer *json, const char *key, sherd_vec3 v)
{
    sherd_page_json_list(json, key);
    sherd_page_json_item(json, v.x);
    sherd_page_json_item(json, v.y);
    sherd_page_json_item(json, v.z);
    sherd_json_raw(json, "]");
}

void sherd_page_json_list(sherd_byte_buffer *json, const char *key)
{
    sherd_json_key(json, key);
    sherd_json_raw(json, "[");
}

void sherd_page_json_item(sherd_byte_buffer *json, double value)
{
    sherd_json_separate(json);
    put(json, value);
}
