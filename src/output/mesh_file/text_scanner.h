// Reads a text word by word and counts lines: for text formats of meshes.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct sherd_text_scanner {
    const char *path; // named in errors
    const char *at, *end;
    long line; // of `at`, from 1
} sherd_text_scanner;

// A word of the text, not terminated.
typedef struct sherd_text_word {
    const char *text;
    size_t size;
} sherd_text_word;

// Lines end with
// , \r
//  or \r. Binary data must not follow a line that ends with \r alone, because its first byte could
// be
// .

// The next word, up to a blank or line end, in this or later lines; size 0 at the end of the text.
sherd_text_word sherd_scan_word(sherd_text_scanner *scanner);
// The next word of the current line; size 0 at its end. A backslash at the end of a line continues
// it.
sherd_text_word sherd_scan_word_in_line(sherd_text_scanner *scanner);
// The rest of the current line without surrounding blanks; size 0: nothing.
sherd_text_word sherd_scan_rest_of_line(sherd_text_scanner *scanner);
// Moves to the start of the next line. False at the end of the text.
bool sherd_scan_next_line(sherd_text_scanner *scanner);

// True if the word equals `text` (lower case), ignoring case.
bool sherd_word_is(sherd_text_word word, const char *text);
// Parses the whole word as a decimal number, including "nan" and "inf", independent of the locale
// and accurate to one unit in the last place. False if it is not a number.
bool sherd_word_number(sherd_text_word word, double *value);

// An error located at `path:line`.
sherd_status sherd_scan_fail(const sherd_text_scanner *scanner, sherd_error *error,
                             const char *hint, const char *what_format, ...)
    __attribute__((format(printf, 4, 5)));

// Reads the next word of the line as a finite number, or fails, naming `what`.
sherd_status sherd_scan_number(const sherd_text_scanner *scanner, sherd_text_word word,
                               const char *what, double *value, sherd_error *error);
