// Messages of a long call of the library while it runs, as values: printing them is left to the
// caller.
#pragma once

#include <sherd/export.h>

// Importance of a message.
typedef enum sherd_message_level {
    SHERD_MESSAGE_INFO = 0,  // what is happening: "the earlier run in out/plate is replaced"
    SHERD_MESSAGE_NOTE,      // worth knowing about the input although nothing is wrong
    SHERD_MESSAGE_WARNING,   // results may not be what the user intended
    SHERD_MESSAGE_SHORTFALL, // something requested was not made, or coarser; all else is complete
    SHERD_MESSAGE_ERROR,     // a part failed; the call's own status says whether it went on
} sherd_message_level;

// A message. Texts are as in a sherd_error but of any length and not made printable
// (sherd_printable). Valid during the call.
typedef struct sherd_message {
    // its importance
    sherd_message_level level;
    const char *where; // file, body, frame; may be empty
    const char *what;  // one sentence, maybe more, in lines
    const char *hint;  // what to do about it; may be empty
} sherd_message;

// Called on the thread that called the library.
typedef void sherd_message_callback(void *context, const sherd_message *message);
