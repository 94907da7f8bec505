#include <sherd/error.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Decodes the character at `at`, with its number of bytes in *size; if it is not valid UTF-8, one
// byte.
static uint32_t decode(const unsigned char *at, size_t *size, bool *valid)
{
    static const unsigned char FIRST_BITS[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    size_t count = at[0] < 0x80                     ? 1
                   : at[0] >= 0xc2 && at[0] < 0xe0  ? 2
                   : at[0] >= 0xe0 && at[0] < 0xf0  ? 3
                   : at[0] >= 0xf0 && at[0] <= 0xf4 ? 4
                                                    : 0;
    *size = 1;
    *valid = count > 0;
    uint32_t code = at[0] & FIRST_BITS[count];
    for (size_t k = 1; k < count; ++k) {
        if ((at[k] & 0xc0) != 0x80) { // also at the terminating zero
            *valid = false;
            return 0;
        }
        code = code << 6 | (at[k] & 0x3f);
    }
    if (count > 0) *size = count;
    return code;
}

// The character moves the cursor, starts a terminal command, or changes the text direction.
static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0x200e || code == 0x200f;
}

const char *sherd_printable(char *to, size_t size, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t used = 0;
    while (*at != '\0' && size > 0) {
        size_t bytes;
        bool valid;
        bool plain = !is_control(decode(at, &bytes, &valid)) && valid;
        size_t room = plain ? bytes : 4 * bytes;
        if (used + room >= size) break;
        if (plain) memcpy(to + used, at, bytes);
        for (size_t k = 0; !plain && k < bytes; ++k)
            snprintf(to + used + 4 * k, 5, "\\x%02x", at[k]);
        used += room;
        at += bytes;
    }
    if (size > 0) to[used] = '\0';
    return to;
}

const char *sherd_percent_text(double share, char text[SHERD_PERCENT_TEXT])
{
    double percent = 100.0 * share, size = fabs(percent);
    if (size < 1e-3)
        snprintf(text, SHERD_PERCENT_TEXT, "%.3f %%", percent);
    else if (size < 99.5 || !(size < 1e9))
        snprintf(text, SHERD_PERCENT_TEXT, "%.2g %%", percent);
    else
        snprintf(text, SHERD_PERCENT_TEXT, "%.0f %%", percent);
    return text;
}

const char *sherd_length_text(double metres, char text[SHERD_LENGTH_TEXT])
{
    double size = fabs(metres);
    bool small = size < 0.9995, fine = size < 9.995e-5 && size > 0.0;
    snprintf(text, SHERD_LENGTH_TEXT, "%.3g %s",
             metres * (fine    ? 1e6
                       : small ? 1e3
                               : 1.0),
             fine    ? "um"
             : small ? "mm"
                     : "m");
    return text;
}
