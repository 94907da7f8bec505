#include "output/text.h"

#include "base/assertion.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *sherd_number_text(char text[SHERD_NUMBER_SIZE], double number, int digits)
{
    SHERD_ASSERT(digits > 0 && digits <= 17, "a number has 17 digits at most");
    if (isnan(number)) return strcpy(text, "nan");
    if (isinf(number)) return strcpy(text, number > 0.0 ? "inf" : "-inf");
    snprintf(text, SHERD_NUMBER_SIZE, "%.*g", digits, number);
    // A host program may have set a locale with another decimal mark.
    size_t plain = strspn(text, "+-0123456789e");
    if (text[plain] != '\0') text[plain] = '.';
    return text;
}

double sherd_number_parse(const char *text)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) return NAN;
    char *end;
    double number = strtod_l(text, &end, plain);
    freelocale(plain);
    return end != text && *end == '\0' ? number : NAN;
}
