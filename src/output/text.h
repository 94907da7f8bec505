// Numbers as text that does not depend on the locale.
#pragma once

#include <stddef.h>

enum { SHERD_NUMBER_SIZE = 32 }; // room for any number with 17 digits and its zero byte

// Writes a number with `digits` significant digits and `.` as decimal mark; returns `text`. Writes
// "nan", "inf" and "-inf" for values that are not finite.
char *sherd_number_text(char text[SHERD_NUMBER_SIZE], double number, int digits);

// Parses a number that must fill the whole text; returns NAN otherwise.
double sherd_number_parse(const char *text);
