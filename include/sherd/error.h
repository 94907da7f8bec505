// Errors are values. A function that can fail returns a status (or NULL) and fills the caller's
// sherd_error; the library never prints and never exits.
//
//     scenes/plate.yaml:42:23  materials.ceramic.tensile_strength     where
//     must be > 0, got -3 MPa                                         what
//     strengths are magnitudes above 0                                hint
#pragma once

#include <sherd/export.h>

#include <stddef.h>

typedef enum sherd_status {
    SHERD_OK = 0,
    SHERD_ERROR_INPUT,    // the caller's mistake: a bad value, file, definition
    SHERD_ERROR_MEMORY,   // an allocation failed
    SHERD_ERROR_IO,       // the system refused to read or write; `what` holds its reason
    SHERD_ERROR_UNSTABLE, // numerical instability: time step too large, not-a-number, energy growth
    SHERD_ERROR_UNSUPPORTED, // valid, but this build or version can't do it
    SHERD_ERROR_INTERRUPTED, // the caller asked to stop
} sherd_status;

enum { SHERD_ERROR_TEXT_SIZE = 512 };

// Texts quote what the user gave, made printable.
typedef struct sherd_error {
    sherd_status status;
    char where[SHERD_ERROR_TEXT_SIZE]; // file:line:column, field or function; may be empty
    char what[SHERD_ERROR_TEXT_SIZE];  // what is wrong, with the offending value
    char hint[SHERD_ERROR_TEXT_SIZE];  // what to do about it; may be empty
} sherd_error;

// A short English name of a status ("wrong input"). Never NULL.
SHERD_API const char *sherd_status_name(sherd_status status);

// `text` as a terminal may show it, cut to `size` bytes with the zero: control characters (escapes,
// line feeds, marks that turn the direction of text) and bytes that are no UTF-8 become \xNN. Returns
// `to`. The texts of errors are so already.
SHERD_API const char *sherd_printable(char *to, size_t size, const char *text);
