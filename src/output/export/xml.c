#include "output/export/xml.h"

#include <string.h>

static void put(sherd_byte_buffer *buffer, const char *text)
{
    sherd_byte_buffer_append(buffer, text, strlen(text));
}

// Length of the UTF-8 character at `text`; 0 if it is invalid.
static size_t character_size(const unsigned char *text)
{
    size_t size = text[0] < 0x80                      ? 1
                  : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                  : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
                  : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                      : 0;
    for (size_t k = 1; k < size; ++k)
        if ((text[k] & 0xc0) != 0x80) return 0;
    return size;
}

static const char *entity(unsigned char byte)
{
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void sherd_xml_escape(sherd_byte_buffer *buffer, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0') {
        size_t size = character_size(at);
        bool control = *at < 0x20 && *at != '\n' && *at != '\t' && *at != '\r';
        if (entity(*at) != NULL)
            put(buffer, entity(*at));
        else if (size == 0 || control || *at == 0x7f)
            put(buffer, "\xef\xbf\xbd");
        else
            sherd_byte_buffer_append(buffer, at, size);
        at += size > 0 ? size : 1;
    }
}
