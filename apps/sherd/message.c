#include "message.h"

#include <math.h>
#include <stdio.h>

int message_error(const sherd_error *error)
{
    fflush(stdout);
    char shown[MESSAGE_NAME];
    if (error->where[0] != '\0') fprintf(stderr, "%s\n", message_name(error->where, shown));
    fprintf(stderr, "  error: %s\n", message_name(error->what, shown));
    if (error->hint[0] != '\0') fprintf(stderr, "  hint:  %s\n", message_name(error->hint, shown));
    return error->status == SHERD_ERROR_INPUT ? EXIT_USAGE : EXIT_FAILED;
}

int message_diagnostics(const sherd_diagnostics *diagnostics)
{
    for (int k = 0; k < diagnostics->count; ++k)
        message_error(&diagnostics->errors[k]);
    int total = diagnostics->count + diagnostics->dropped;
    fprintf(stderr, "%d error%s; nothing was run\n", total, total == 1 ? "" : "s");
    for (int k = 0; k < diagnostics->count; ++k)
        if (diagnostics->errors[k].status != SHERD_ERROR_INPUT &&
            diagnostics->errors[k].status != SHERD_ERROR_UNSUPPORTED)
            return diagnostics->errors[k].status == SHERD_ERROR_IO ? EXIT_USAGE : EXIT_FAILED;
    return EXIT_USAGE;
}

int message_usage(const char *what, const char *argument, const char *hint)
{
    char shown[MESSAGE_NAME];
    fprintf(stderr, "sherd: %s%s%s\n", what, argument != NULL ? ": " : "",
            message_name(argument != NULL ? argument : "", shown));
    if (hint != NULL) fprintf(stderr, "  hint:  %s\n", hint);
    return EXIT_USAGE;
}

const char *message_name(const char *name, char shown[MESSAGE_NAME])
{
    return sherd_printable(shown, MESSAGE_NAME, name);
}

const char *message_bytes(double bytes, char text[MESSAGE_TEXT])
{
    const char *units[] = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    for (; bytes >= 1000.0 && unit < 4; ++unit)
        bytes /= 1000.0;
    snprintf(text, MESSAGE_TEXT, bytes < 10.0 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes,
             units[unit]);
    return text;
}

const char *message_pressure(double pascals, char text[MESSAGE_TEXT])
{
    const char *units[] = {"Pa", "kPa", "MPa", "GPa"};
    int unit = 0;
    for (; fabs(pascals) >= 999.5 && unit < 3; ++unit)
        pascals /= 1000.0;
    snprintf(text, MESSAGE_TEXT, "%.3g %s", pascals, units[unit]);
    if (isinf(pascals)) snprintf(text, MESSAGE_TEXT, "unlimited");
    return text;
}

const char *message_duration(double seconds, char text[MESSAGE_TEXT])
{
    if (seconds < 1.0)
        snprintf(text, MESSAGE_TEXT, "%.2f s", seconds);
    else if (seconds < 100.0)
        snprintf(text, MESSAGE_TEXT, "%.0f s", seconds);
    else if (seconds < 6000.0)
        snprintf(text, MESSAGE_TEXT, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
    else if (seconds < 48.0 * 3600.0)
        snprintf(text, MESSAGE_TEXT, "%d h %02d min", (int)seconds / 3600, (int)seconds / 60 % 60);
    else
        snprintf(text, MESSAGE_TEXT, "%.1f days", seconds / 86400.0);
    return text;
}
