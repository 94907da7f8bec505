// Text of XML and HTML.
#pragma once

#include "base/byte_buffer.h"

// Appends text with & < > " ' as entities. Control characters, which XML forbids, and invalid UTF-8
// become U+FFFD.
void sherd_xml_escape(sherd_byte_buffer *buffer, const char *text);

// Append HTML:
void sherd_html_raw(sherd_byte_buffer *html, const char *text);
void sherd_html_text(sherd_byte_buffer *html, const char *text); // escaped; NULL is nothing
// One decimal: tenths of a pixel.
void sherd_html_pixels(sherd_byte_buffer *html, double value);
void sherd_html_integer(sherd_byte_buffer *html, int64_t value);
void sherd_html_base64(sherd_byte_buffer *html, const unsigned char *bytes, size_t size);
