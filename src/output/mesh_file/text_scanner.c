#include "output/mesh_file/text_scanner.h"

#include "base/error.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

// Lines end with
// , \r
//  or (old Macs) \r; in \r
// , the \r counts as a blank.
static bool at_line_end(const sherd_text_scanner *scanner)
{
    const char *p = scanner->at;
    return *p == '\n' || (*p == '\r' && (p + 1 == scanner->end || p[1] != '\n'));
}

static void step(sherd_text_scanner *scanner)
{
    if (at_line_end(scanner)) ++scanner->line;
    ++scanner->at;
}

static sherd_text_word take_word(sherd_text_scanner *scanner)
{
    sherd_text_word word = {scanner->at, 0};
    while (scanner->at < scanner->end && !is_blank(*scanner->at) && *scanner->at != '\n')
        ++scanner->at;
    word.size = (size_t)(scanner->at - word.text);
    return word;
}

sherd_text_word sherd_scan_word(sherd_text_scanner *scanner)
{
    while (scanner->at < scanner->end && (is_blank(*scanner->at) || *scanner->at == '\n'))
        step(scanner);
    return take_word(scanner);
}

// True if the line continues after the backslash at `at`.
static bool is_joined(const sherd_text_scanner *scanner)
{
    const char *p = scanner->at + 1;
    return *scanner->at == '\\' && p < scanner->end && (*p == '\r' || *p == '\n');
}

sherd_text_word sherd_scan_word_in_line(sherd_text_scanner *scanner)
{
    while (scanner->at < scanner->end) {
        if (is_joined(scanner)) {
            while (!at_line_end(scanner))
                ++scanner->at;
            step(scanner);
        } else if (is_blank(*scanner->at) && !at_line_end(scanner)) {
            ++scanner->at;
        } else {
            break;
        }
    }
    return take_word(scanner);
}

sherd_text_word sherd_scan_rest_of_line(sherd_text_scanner *scanner)
{
    while (scanner->at < scanner->end && is_blank(*scanner->at) && !at_line_end(scanner))
        ++scanner->at;
    sherd_text_word rest = {scanner->at, 0};
    while (scanner->at < scanner->end && !at_line_end(scanner))
        ++scanner->at;
    rest.size = (size_t)(scanner->at - rest.text);
    while (rest.size > 0 && is_blank(rest.text[rest.size - 1]))
        --rest.size;
    return rest;
}

bool sherd_scan_next_line(sherd_text_scanner *scanner)
{
    while (scanner->at < scanner->end && !at_line_end(scanner))
        ++scanner->at;
    if (scanner->at < scanner->end) step(scanner);
    return scanner->at < scanner->end;
}

bool sherd_word_is(sherd_text_word word, const char *text)
{
    if (word.size != strlen(text)) return false;
    for (size_t k = 0; k < word.size; ++k)
        if (tolower((unsigned char)word.text[k]) != text[k]) return false;
    return true;
}

// mantissa * 10^exponent. Powers up to 10^27 are exact in long double, so usual numbers are rounded
// once in long double and once to double.
static double scale_decimal(uint64_t mantissa, int exponent)
{
    if (mantissa == 0 || exponent < -400) return 0.0;
    if (exponent > 400) return INFINITY;
    int size = exponent < 0 ? -exponent : exponent;
    long double power = 1.0L, base = 10.0L;
    for (int bits = size; bits > 0; bits >>= 1, base *= base)
        if (bits & 1) power *= base;
    return (double)(exponent < 0 ? (long double)mantissa / power : (long double)mantissa * power);
}

// Parses "e-12" at `p`; false for an e without digits. Without an e the exponent is 0.
static bool parse_exponent(const char **p, const char *end, int *exponent)
{
    *exponent = 0;
    if (*p == end || (**p != 'e' && **p != 'E' && **p != 'd' && **p != 'D')) return true;
    ++*p;
    bool negative = *p < end && **p == '-';
    if (*p < end && (**p == '-' || **p == '+')) ++*p;
    if (*p == end) return false;
    for (; *p < end && isdigit((unsigned char)**p); ++*p)
        if (*exponent < 100000) *exponent = 10 * *exponent + (**p - '0');
    if (negative) *exponent = -*exponent;
    return true;
}

static bool parse_special(sherd_text_word word, double sign, double *value)
{
    if (sherd_word_is(word, "nan") || sherd_word_is(word, "nan(ind)"))
        *value = NAN;
    else if (sherd_word_is(word, "inf") || sherd_word_is(word, "infinity"))
        *value = sign * INFINITY;
    else
        return false;
    return true;
}

bool sherd_word_number(sherd_text_word word, double *value)
{
    const char *p = word.text, *end = word.text + word.size;
    double sign = p < end && *p == '-' ? -1.0 : 1.0;
    if (p < end && (*p == '-' || *p == '+')) ++p;
    if (p < end && isalpha((unsigned char)*p))
        return parse_special((sherd_text_word){p, (size_t)(end - p)}, sign, value);

    uint64_t mantissa = 0;
    int shift = 0, digits = 0;
    bool point = false;
    for (; p < end && (isdigit((unsigned char)*p) || (*p == '.' && !point)); ++p) {
        if (*p == '.') {
            point = true;
            continue;
        }
        ++digits;
        if (mantissa < UINT64_C(1000000000000000000)) { // 19 digits fit
            mantissa = 10 * mantissa + (uint64_t)(*p - '0');
            shift -= point;
        } else {
            shift += !point;
        }
    }
    int exponent;
    if (digits == 0 || !parse_exponent(&p, end, &exponent) || p != end) return false;
    *value = sign * scale_decimal(mantissa, exponent + shift);
    return true;
}

sherd_status sherd_scan_fail(const sherd_text_scanner *scanner, sherd_error *error,
                             const char *hint, const char *what_format, ...)
{
    char where[SHERD_ERROR_TEXT_SIZE], what[SHERD_ERROR_TEXT_SIZE];
    snprintf(where, sizeof where, "%s:%ld", scanner->path, scanner->line);
    va_list arguments;
    va_start(arguments, what_format);
    vsnprintf(what, sizeof what, what_format, arguments);
    va_end(arguments);
    return sherd_fail(error, SHERD_ERROR_INPUT, where, hint, "%s", what);
}

sherd_status sherd_scan_number(const sherd_text_scanner *scanner, sherd_text_word word,
                               const char *what, double *value, sherd_error *error)
{
    int size = word.size < 40 ? (int)word.size : 40;
    if (word.size == 0) return sherd_scan_fail(scanner, error, NULL, "%s is missing", what);
    if (!sherd_word_number(word, value))
        return sherd_scan_fail(scanner, error, NULL, "%s must be a number, got '%.*s'", what, size,
                               word.text);
    if (!isfinite(*value))
        return sherd_scan_fail(scanner, error, "export the mesh again",
                               "%s must be finite, got '%.*s'", what, size, word.text);
    return SHERD_OK;
}
