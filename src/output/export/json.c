#include "output/export/json.h"

#include "output/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void sherd_json_raw(sherd_byte_buffer *json, const char *text)
{
    sherd_byte_buffer_append(json, text, strlen(text));
}

void sherd_json_string(sherd_byte_buffer *json, const char *text)
{
    sherd_json_raw(json, "\"");
    for (; *text != '\0'; ++text) {
        unsigned char byte = (unsigned char)*text;
        char escaped[8];
        if (byte == '"' || byte == '\\')
            snprintf(escaped, sizeof escaped, "\\%c", byte);
        else if (byte < 0x20)
            snprintf(escaped, sizeof escaped, "\\u%04x", byte);
        else
            snprintf(escaped, sizeof escaped, "%c", byte);
        sherd_json_raw(json, escaped);
    }
    sherd_json_raw(json, "\"");
}

void sherd_json_integer(sherd_byte_buffer *json, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    sherd_json_raw(json, text);
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
