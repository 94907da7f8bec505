// Errors are values. A function that can fail returns a status (or NULL) and fills the caller's
// sherd_error. The library never prints and never exits.
//
//     scenes/plate.yaml:42:23  materials.ceramic.tensile_strength     where
//     must be > 0, got -3 MPa                                         what
//     strengths are magnitudes above 0                                hint
#pragma once

#include <sherd/export.h>

#include <stddef.h>

// The kinds of errors.
typedef enum sherd_status {
    SHERD_OK = 0,            // success
    SHERD_ERROR_INPUT,       // the caller's mistake: an invalid value, file or definition
    SHERD_ERROR_MEMORY,      // an allocation failed
    SHERD_ERROR_IO,          // the system could not read or write; `what` has its reason
    SHERD_ERROR_UNSTABLE,    // numerical instability: time step too large, NaN, energy growth
    SHERD_ERROR_UNSUPPORTED, // valid input, but this build or version does not support it
    SHERD_ERROR_INTERRUPTED, // the caller asked to stop
} sherd_status;

// Size of each text of an error, with the terminating zero [bytes].
enum { SHERD_ERROR_TEXT_SIZE = 512 };

// An error, filled by a failing function. The texts quote the caller's input in printable form.
typedef struct sherd_error {
    sherd_status status;               // never SHERD_OK after a failure
    char where[SHERD_ERROR_TEXT_SIZE]; // file:line:column, member or function; may be empty
    char what[SHERD_ERROR_TEXT_SIZE];  // what is wrong, with the offending value
    char hint[SHERD_ERROR_TEXT_SIZE];  // what to do about it; may be empty
} sherd_error;

// Returns a short English name of a status ("wrong input"), a static string. Never NULL.
SHERD_API const char *sherd_status_name(sherd_status status);

// Copies `text` to `to` in a form that is safe to print in a terminal, and returns `to`. Control
// characters (escapes, line feeds, marks that change the direction of text) and bytes that are not
// valid UTF-8 become \xNN. The result is cut to `size` bytes with the terminating zero. The texts
// of a sherd_error are printable already.
SHERD_API const char *sherd_printable(char *to, size_t size, const char *text);

// Size of a text of per cent.
enum { SHERD_PERCENT_TEXT = 32 };
// Formats a share as per cent with two significant digits, or whole ones above 100, as people write
// them: "27 %", "103 %", "0.3 %"; "0.000 %" below half a thousandth. Returns `text`.
SHERD_API const char *sherd_percent_text(double share, char text[SHERD_PERCENT_TEXT]);
// Size of a text of a length.
enum { SHERD_LENGTH_TEXT = 32 };
// Formats a length with three significant digits in um, mm or m: "0.65 mm", "1.2 m". Returns `text`.
SHERD_API const char *sherd_length_text(double metres, char text[SHERD_LENGTH_TEXT]);
