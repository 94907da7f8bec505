#include "output/export/xml.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
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

// ---------------------------------------------------------------- HTML

void sherd_html_raw(sherd_byte_buffer *html, const char *text)
{
    sherd_byte_buffer_append(html, text, strlen(text));
}

void sherd_html_text(sherd_byte_buffer *html, const char *text)
{
    if (text != NULL) sherd_xml_escape(html, text);
}

void sherd_html_integer(sherd_byte_buffer *html, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    sherd_html_raw(html, text);
}

void sherd_html_pixels(sherd_byte_buffer *html, double value)
{
    char text[32];
    long tenths = lround(10.0 * value);
    long size = tenths < 0 ? -tenths : tenths;
    snprintf(text, sizeof text, "%s%ld.%ld", tenths < 0 ? "-" : "", size / 10, size % 10);
    // "12.0" becomes "12", which saves a quarter of a long curve's bytes.
    size_t length = strlen(text);
    if (text[length - 1] == '0') text[length - 2] = '\0';
    sherd_html_raw(html, text);
}

void sherd_html_base64(sherd_byte_buffer *html, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < size; k += 3) {
        size_t left = size - k;
        uint32_t word = (uint32_t)bytes[k] << 16 | (left > 1 ? (uint32_t)bytes[k + 1] << 8 : 0) |
                        (left > 2 ? bytes[k + 2] : 0u);
        const char four[4] = {digits[word >> 18], digits[word >> 12 & 63],
                              left > 1 ? digits[word >> 6 & 63] : '=',
                              left > 2 ? digits[word & 63] : '='};
        sherd_byte_buffer_append(html, four, sizeof four);
    }
}
