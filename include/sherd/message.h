// Messages of a long call of the library while it runs, as values: printing them is left to the caller.
#pragma once

#include <sherd/export.h>

typedef enum sherd_message_level {
    SHERD_MESSAGE_INFO = 0, // what happens now: "the earlier run in out/plate is replaced"
    SHERD_MESSAGE_NOTE,     // worth knowing of what was given although nothing is wrong
    SHERD_MESSAGE_WARNING,  // results may not be what was meant
    SHERD_MESSAGE_SHORTFALL, // something that was requested was not made, or coarser; all else is complete
    SHERD_MESSAGE_ERROR, // a part failed; what the call itself returns says whether that ended it
} sherd_message_level;

// Texts as of a sherd_error, of any length and as given (see sherd_printable); valid during the call.
typedef struct sherd_message {
    sherd_message_level level;
    const char *where; // file, body, frame; may be empty
    const char *what;  // one sentence, maybe more, in lines
    const char *hint;  // what to do about it; may be empty
} sherd_message;

// Called on the thread that called the library.
typedef void sherd_message_callback(void *context, const sherd_message *message);
