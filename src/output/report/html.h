// Appends HTML.
#pragma once

#include "base/byte_buffer.h"

void sherd_html_raw(sherd_byte_buffer *html, const char *text);
void sherd_html_text(sherd_byte_buffer *html, const char *text); // escaped; NULL is nothing
// One decimal: tenths of a pixel.
void sherd_html_pixels(sherd_byte_buffer *html, double value);
void sherd_html_integer(sherd_byte_buffer *html, int64_t value);
void sherd_html_base64(sherd_byte_buffer *html, const unsigned char *bytes, size_t size);
