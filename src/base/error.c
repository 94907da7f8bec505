#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

const char *sherd_status_name(sherd_status status)
{
    switch (status) {
    case SHERD_OK:
        return "ok";
    case SHERD_ERROR_INPUT:
        return "wrong input";
    case SHERD_ERROR_MEMORY:
        return "out of memory";
    case SHERD_ERROR_IO:
        return "input/output failed";
    case SHERD_ERROR_UNSTABLE:
        return "simulation unstable";
    case SHERD_ERROR_UNSUPPORTED:
        return "not supported";
    case SHERD_ERROR_INTERRUPTED:
        return "interrupted";
    }
    return "unknown status";
}

sherd_status sherd_fail(sherd_error *error, sherd_status status, const char *where,
                        const char *hint, const char *what_format, ...)
{
    if (error == NULL) return status;
    error->status = status;
    char what[SHERD_ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, what_format);
    vsnprintf(what, sizeof what, what_format, arguments);
    va_end(arguments);
    // `where` and `hint` may point into *error itself.
    char place[SHERD_ERROR_TEXT_SIZE], advice[SHERD_ERROR_TEXT_SIZE];
    sherd_printable(place, sizeof place, where != NULL ? where : "");
    sherd_printable(advice, sizeof advice, hint != NULL ? hint : "");
    snprintf(error->where, sizeof error->where, "%s", place);
    snprintf(error->hint, sizeof error->hint, "%s", advice);
    sherd_printable(error->what, sizeof error->what, what);
    return status;
}

sherd_status sherd_fail_memory(sherd_error *error, const char *what)
{
    return sherd_fail(error, SHERD_ERROR_MEMORY, what,
                      "use a coarser resolution or a machine with more memory",
                      "not enough memory for %s", what);
}

void sherd_error_clear(sherd_error *error)
{
    if (error != NULL) *error = (sherd_error){.status = SHERD_OK};
}
