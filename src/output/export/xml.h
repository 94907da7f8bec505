// Escapes text for XML and HTML.
#pragma once

#include "base/byte_buffer.h"

// Appends text with & < > " ' as entities. Control characters, which XML forbids, and invalid UTF-8
// become U+FFFD.
void sherd_xml_escape(sherd_byte_buffer *buffer, const char *text);
