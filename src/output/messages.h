// The receiver of messages during a long call.
#pragma once

#include <sherd/message.h>

typedef struct sherd_messages {
    sherd_message_callback *callback; // NULL: messages are dropped
    void *context;
    int warnings; // number of warnings so far
} sherd_messages;

// Sends one message. `where`, `hint` and `messages` may be NULL.
void sherd_message_send(sherd_messages *messages, sherd_message_level level, const char *where,
                        const char *hint, const char *format, ...) SHERD_PRINTF(5, 6);
