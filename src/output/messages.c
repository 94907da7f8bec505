#include "output/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void sherd_message_send(sherd_messages *messages, sherd_message_level level, const char *where,
                        const char *hint, const char *format, ...)
{
    if (messages == NULL) return;
    messages->warnings += level == SHERD_MESSAGE_WARNING;
    if (messages->callback == NULL) return;
    char *what = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&what, format, arguments) < 0) what = NULL;
    va_end(arguments);
    sherd_message message = {level, where != NULL ? where : "",
                             what != NULL ? what : "not enough memory for a message",
                             hint != NULL ? hint : ""};
    messages->callback(messages->context, &message);
    free(what);
}
