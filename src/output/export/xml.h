// Text that is safe inside XML and HTML.
#pragma once

#include "base/byte_buffer.h"

// Appends text with & < > " ' as entities. Control characters, which XML forbids, become U+FFFD, as
// do bytes that are not UTF-8.
void sherd_xml_escape(sherd_byte_buffer *buffer, const char *text);
