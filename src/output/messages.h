// Where messages of a long call go.
#pragma once

#include <sherd/message.h>

typedef struct sherd_messages {
    sherd_message_callback *callback; // NULL: messages are dropped
    void *context;
    int warnings; // told so far
} sherd_messages;

// One sentence; `where` and `hint` may be NULL, `messages` too.
void sherd_tell(sherd_messages *messages, sherd_message_level level, const char *where,
                const char *hint, const char *format, ...) SHERD_PRINTF(5, 6);
