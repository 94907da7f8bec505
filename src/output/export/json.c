#include "output/export/json.h"

#include "output/text.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void sherd_json_raw(sherd_byte_buffer *json, const char *text)
{
    sherd_byte_buffer_append(json, text, strlen(text));
}

void sherd_json_string(sherd_byte_buffer *json, const char *text)
{
    sherd_json_raw(json, "\"");
    while (*text != '\0') {
        const char *from = text;
        while ((unsigned char)*text >= 0x20 && *text != '"' && *text != '\\')
            ++text;
        sherd_byte_buffer_append(json, from, (size_t)(text - from));
        if (*text == '\0') break;
        unsigned char byte = (unsigned char)*text++;
        char escaped[8];
        snprintf(escaped, sizeof escaped, byte < 0x20 ? "\\u%04x" : "\\%c", byte);
        sherd_json_raw(json, escaped);
    }
    sherd_json_raw(json, "\"");
}

void sherd_json_integer(sherd_byte_buffer *json, int64_t value)
{
    char text[24], *end = text + sizeof text, *digit = end;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        *--digit = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (value < 0) *--digit = '-';
    sherd_byte_buffer_append(json, digit, (size_t)(end - digit));
}

void sherd_json_number(sherd_byte_buffer *json, double value)
{
    char text[SHERD_NUMBER_SIZE];
    sherd_json_raw(json, sherd_number_text(text, value, 9));
}

void sherd_json_separate(sherd_byte_buffer *json)
{
    if (json->failed || json->size == 0) return;
    if (strchr("[{,:", json->bytes[json->size - 1]) == NULL) sherd_json_raw(json, ",");
}

void sherd_json_key(sherd_byte_buffer *json, const char *name)
{
    sherd_json_separate(json);
    sherd_json_string(json, name);
    sherd_json_raw(json, ":");
}

static void add_value(sherd_byte_buffer *json, double value)
{
    if (isfinite(value))
        sherd_json_number(json, value);
    else
        sherd_json_raw(json, "null");
}

void sherd_json_add_text(sherd_byte_buffer *json, const char *key, const char *text)
{
    sherd_json_key(json, key);
    sherd_json_string(json, text != NULL ? text : "");
}

void sherd_json_add_number(sherd_byte_buffer *json, const char *key, double value)
{
    sherd_json_key(json, key);
    add_value(json, value);
}

void sherd_json_add_vector(sherd_byte_buffer *json, const char *key, sherd_vec3 v)
{
    sherd_json_add_list(json, key);
    sherd_json_add_item(json, v.x);
    sherd_json_add_item(json, v.y);
    sherd_json_add_item(json, v.z);
    sherd_json_raw(json, "]");
}

void sherd_json_add_list(sherd_byte_buffer *json, const char *key)
{
    sherd_json_key(json, key);
    sherd_json_raw(json, "[");
}

void sherd_json_add_item(sherd_byte_buffer *json, double value)
{
    sherd_json_separate(json);
    add_value(json, value);
}
