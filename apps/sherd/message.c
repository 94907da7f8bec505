#include "message.h"

#include <sherd/render.h>

#include <math.h>
#include <stdio.h>

int message_status(const sherd_error *error)
{
    return error->status == SHERD_ERROR_INPUT ? EXIT_USAGE : EXIT_FAILED;
}

void message_notes(const sherd_scene *scene)
{
    for (int k = 0; k < scene->note_count; ++k)
        printf("  note       %s\n", scene->notes[k]);
}

static void print_error(const char *where, const char *what, const char *hint)
{
    fflush(stdout);
    char shown[MESSAGE_NAME];
    if (where[0] != '\0') fprintf(stderr, "%s\n", message_name(where, shown));
    fprintf(stderr, "  error: %s\n", message_name(what, shown));
    if (hint[0] != '\0') fprintf(stderr, "  hint:  %s\n", message_name(hint, shown));
}

int message_error(const sherd_error *error)
{
    print_error(error->where, error->what, error->hint);
    return message_status(error);
}

static void print_count(int errors)
{
    fprintf(stderr, "%d error%s; nothing was run\n", errors, errors == 1 ? "" : "s");
}

int message_refused(const sherd_error *error)
{
    int code = message_error(error);
    print_count(1);
    return code;
}

static void print_warning(const sherd_message *message)
{
    fflush(stdout);
    bool placed = message->where[0] != '\0';
    if (placed) fprintf(stderr, "%s\n", message->where);
    fprintf(stderr, "%swarning: %s\n", placed ? "  " : "", message->what);
    if (message->hint[0] != '\0') fprintf(stderr, "  hint:    %s\n", message->hint);
}

void message_print(void *context, const sherd_message *message)
{
    (void)context;
    switch (message->level) {
    case SHERD_MESSAGE_INFO:
        printf("%s\n", message->what);
        break;
    case SHERD_MESSAGE_NOTE:
        printf("  note       %s\n", message->what);
        break;
    case SHERD_MESSAGE_WARNING:
        print_warning(message);
        break;
    case SHERD_MESSAGE_SHORTFALL:
        fprintf(stderr, "%s\n", message->what);
        break;
    case SHERD_MESSAGE_ERROR:
        print_error(message->where, message->what, message->hint);
        break;
    }
}

void message_print_quiet(void *context, const sherd_message *message)
{
    bool output = message->level == SHERD_MESSAGE_INFO || message->level == SHERD_MESSAGE_NOTE;
    if (!output) message_print(context, message);
}

int message_diagnostics(const sherd_diagnostics *diagnostics)
{
    for (int k = 0; k < diagnostics->count; ++k)
        message_error(&diagnostics->errors[k]);
    print_count(diagnostics->count + diagnostics->dropped);
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

void message_path(const char *folder, const char *name, char path[MESSAGE_PATH])
{
    snprintf(path, MESSAGE_PATH, "%s/%s", folder, name);
}

const char *message_name(const char *name, char shown[MESSAGE_NAME])
{
    return sherd_printable(shown, MESSAGE_NAME, name);
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

const char *message_video(int64_t pictures, double frame_rate, char text[MESSAGE_TEXT])
{
    double rate = fmin(fmax(frame_rate, 1.0), SHERD_VIDEO_RATE_MAX);
    int length = snprintf(text, MESSAGE_TEXT, "%.3g s", (double)pictures / rate);
    if (frame_rate > rate)
        snprintf(text + length, MESSAGE_TEXT - (size_t)length, ", %.3g times slower than real",
                 frame_rate / rate);
    return text;
}

const char *message_step(double seconds, char text[MESSAGE_TEXT])
{
    const char *units[] = {"ns", "us", "ms", "s"};
    int unit = 0;
    double value = 1e9 * seconds;
    for (; fabs(value) >= 999.5 && unit < 3; ++unit)
        value /= 1000.0;
    snprintf(text, MESSAGE_TEXT, "%.3g %s", value, units[unit]);
    return text;
}

const char *message_rounded(double number, char text[MESSAGE_TEXT])
{
    double unit = 1.0;
    while (number / unit >= 999.5 && unit < 1e15)
        unit *= 10.0;
    if (unit > 1.0)
        snprintf(text, MESSAGE_TEXT, "%.0f", unit * round(number / unit));
    else
        snprintf(text, MESSAGE_TEXT, "%.3g", number);
    return text;
}
