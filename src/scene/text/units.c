#include "scene/text/units.h"

#include "scene/text/suggest.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Exponents of the base units. Angles are kept apart, so that deg/s and Hz don't mix.
typedef struct dimension {
    int length, time, mass, angle;
} dimension;

typedef struct unit {
    const char *name;
    double factor; // in SI
    dimension dim;
} unit;

#define DEGREE 0.017453292519943295
#define TURN 6.283185307179586

static const unit UNITS[] = {
    {"m", 1.0, {.length = 1}},
    {"mm", 1e-3, {.length = 1}},
    {"cm", 1e-2, {.length = 1}},
    {"km", 1e3, {.length = 1}},
    {"um", 1e-6, {.length = 1}},
    {"\xc2\xb5m", 1e-6, {.length = 1}}, // micro sign
    {"\xce\xbcm", 1e-6, {.length = 1}}, // Greek mu
    {"nm", 1e-9, {.length = 1}},
    {"s", 1.0, {.time = 1}},
    {"ms", 1e-3, {.time = 1}},
    {"us", 1e-6, {.time = 1}},
    {"\xc2\xb5s", 1e-6, {.time = 1}},
    {"\xce\xbcs", 1e-6, {.time = 1}},
    {"ns", 1e-9, {.time = 1}},
    {"min", 60.0, {.time = 1}},
    {"h", 3600.0, {.time = 1}},
    {"kg", 1.0, {.mass = 1}},
    {"g", 1e-3, {.mass = 1}},
    {"mg", 1e-6, {.mass = 1}},
    {"t", 1e3, {.mass = 1}},
    {"rad", 1.0, {.angle = 1}},
    {"deg", DEGREE, {.angle = 1}},
    {"\xc2\xb0", DEGREE, {.angle = 1}}, // degree sign
    {"rev", TURN, {.angle = 1}},
    {"rpm", TURN / 60.0, {.angle = 1, .time = -1}},
    {"Hz", 1.0, {.time = -1}},
    {"kHz", 1e3, {.time = -1}},
    {"MHz", 1e6, {.time = -1}},
    {"N", 1.0, {.mass = 1, .length = 1, .time = -2}},
    {"mN", 1e-3, {.mass = 1, .length = 1, .time = -2}},
    {"kN", 1e3, {.mass = 1, .length = 1, .time = -2}},
    {"MN", 1e6, {.mass = 1, .length = 1, .time = -2}},
    {"Pa", 1.0, {.mass = 1, .length = -1, .time = -2}},
    {"kPa", 1e3, {.mass = 1, .length = -1, .time = -2}},
    {"MPa", 1e6, {.mass = 1, .length = -1, .time = -2}},
    {"GPa", 1e9, {.mass = 1, .length = -1, .time = -2}},
    {"J", 1.0, {.mass = 1, .length = 2, .time = -2}},
    {"mJ", 1e-3, {.mass = 1, .length = 2, .time = -2}},
    {"kJ", 1e3, {.mass = 1, .length = 2, .time = -2}},
};
enum { UNIT_COUNT = sizeof UNITS / sizeof UNITS[0] };

typedef struct quantity_kind {
    const char *name, *unit;
    dimension dim;
} quantity_kind;

static const quantity_kind QUANTITIES[SHERD_QUANTITY_COUNT] = {
    [SHERD_QUANTITY_NUMBER] = {"a plain number", NULL, {0}},
    [SHERD_QUANTITY_LENGTH] = {"a length", "m", {.length = 1}},
    [SHERD_QUANTITY_TIME] = {"a time", "s", {.time = 1}},
    [SHERD_QUANTITY_MASS] = {"a mass", "kg", {.mass = 1}},
    [SHERD_QUANTITY_ANGLE] = {"an angle", "rad or deg", {.angle = 1}},
    [SHERD_QUANTITY_SPEED] = {"a speed", "m/s", {.length = 1, .time = -1}},
    [SHERD_QUANTITY_ANGULAR_SPEED] = {"an angular speed", "rad/s", {.angle = 1, .time = -1}},
    [SHERD_QUANTITY_ACCELERATION] = {"an acceleration", "m/s^2", {.length = 1, .time = -2}},
    [SHERD_QUANTITY_DENSITY] = {"a density", "kg/m^3", {.mass = 1, .length = -3}},
    [SHERD_QUANTITY_STRESS] = {"a stress", "Pa", {.mass = 1, .length = -1, .time = -2}},
    [SHERD_QUANTITY_FORCE] = {"a force", "N", {.mass = 1, .length = 1, .time = -2}},
    [SHERD_QUANTITY_FREQUENCY] = {"a frequency", "Hz", {.time = -1}},
};

static void describe(const quantity_kind *kind, char *text, size_t size)
{
    if (kind->unit != NULL)
        snprintf(text, size, "%s (%s)", kind->name, kind->unit);
    else
        snprintf(text, size, "%s", kind->name);
}

// ---- units

static bool is_name_byte(char c)
{
    return isalpha((unsigned char)c) || ((unsigned char)c & 0x80) != 0;
}

static const unit *find_unit(const char *name)
{
    for (int k = 0; k < UNIT_COUNT; ++k)
        if (strcmp(UNITS[k].name, name) == 0) return &UNITS[k];
    return NULL;
}

static bool same_dimension(const dimension *a, const dimension *b)
{
    return a->length == b->length && a->time == b->time && a->mass == b->mass &&
           a->angle == b->angle;
}

// Suggests a unit of the wanted kind if one is near, else any.
static void fail_unknown_unit(sherd_units_error *error, const char *name, const quantity_kind *kind)
{
    snprintf(error->what, sizeof error->what, "unknown unit '%.60s'", name);
    sherd_suggestion suggestion = {.word = name};
    for (int k = 0; k < UNIT_COUNT; ++k)
        if (same_dimension(&UNITS[k].dim, &kind->dim)) sherd_suggest(&suggestion, UNITS[k].name);
    for (int k = 0; suggestion.best == NULL && k < UNIT_COUNT; ++k)
        sherd_suggest(&suggestion, UNITS[k].name);
    if (suggestion.best != NULL)
        sherd_suggestion_hint(&suggestion, error->hint, sizeof error->hint);
    else if (kind->unit != NULL)
        snprintf(error->hint, sizeof error->hint, "%s is in %s", kind->name, kind->unit);
}

// An exponent after a unit's name: "^3", "^-2", "2", superscript 2 or 3; 1 without one.
static const char *parse_exponent(const char *at, int *exponent)
{
    *exponent = 1;
    if (strncmp(at, "\xc2\xb2", 2) == 0 || strncmp(at, "\xc2\xb3", 2) == 0) {
        *exponent = (unsigned char)at[1] == 0xb2 ? 2 : 3;
        return at + 2;
    }
    const char *digits = at + (*at == '^');
    int sign = *at == '^' && *digits == '-' ? -1 : 1;
    digits += sign < 0;
    if (!isdigit((unsigned char)*digits)) return at;
    *exponent = sign * (*digits - '0');
    return digits + 1;
}

// Copies a unit's name, which ends before superscripts. Returns the end in the text.
static const char *copy_name(const char *at, char *name, size_t size)
{
    size_t n = 0;
    while (is_name_byte(*at) && strncmp(at, "\xc2\xb2", 2) != 0 &&
           strncmp(at, "\xc2\xb3", 2) != 0) {
        if (n + 1 < size) name[n++] = *at;
        ++at;
    }
    name[n] = '\0';
    return at;
}

typedef struct unit_product {
    double factor;
    dimension dim;
} unit_product;

static void multiply(unit_product *product, const unit *u, int exponent)
{
    product->factor *= pow(u->factor, exponent);
    product->dim.length += exponent * u->dim.length;
    product->dim.time += exponent * u->dim.time;
    product->dim.mass += exponent * u->dim.mass;
    product->dim.angle += exponent * u->dim.angle;
}

// One factor of a product, "m^2" or the "1" of "1/s". NULL when there is none here.
static const char *parse_factor(const char *at, int sign, const quantity_kind *kind,
                                unit_product *product, sherd_units_error *error)
{
    if (*at == '1' && !isdigit((unsigned char)at[1])) return at + 1;
    char name[64];
    const char *end = copy_name(at, name, sizeof name);
    const unit *u = end > at ? find_unit(name) : NULL;
    if (u == NULL) {
        fail_unknown_unit(error, end > at ? name : at, kind);
        return NULL;
    }
    int exponent;
    end = parse_exponent(end, &exponent);
    multiply(product, u, sign * exponent);
    return end;
}

// "kg/m^3", "N m", "km/h": each / divides by the one unit behind it.
static bool parse_units(const char *at, const quantity_kind *kind, unit_product *product,
                        sherd_units_error *error)
{
    *product = (unit_product){.factor = 1.0};
    while (*at != '\0') {
        int sign = 1;
        while (*at == ' ' || *at == '*' || *at == '/') {
            if (*at == '/') sign = -1;
            ++at;
        }
        at = parse_factor(at, sign, kind, product, error);
        if (at == NULL) return false;
    }
    return true;
}

// ---- numbers

// Length of a decimal number at the start of `text`, 0 if there is none.
static size_t number_length(const char *text)
{
    const char *at = text + (*text == '+' || *text == '-');
    const char *digits = at;
    size_t count = strspn(at, "0123456789");
    at += count;
    if (*at == '.') {
        size_t decimals = strspn(at + 1, "0123456789");
        count += decimals;
        at += 1 + decimals;
    }
    if (count == 0 || at == digits) return 0;
    if (*at == 'e' || *at == 'E') {
        const char *power = at + 1 + (at[1] == '+' || at[1] == '-');
        size_t n = strspn(power, "0123456789");
        if (n > 0) at = power + n;
    }
    return (size_t)(at - text);
}

// strtod in the C locale whatever the host program has set: its decimal point is patched in.
static bool to_double(const char *text, size_t length, double *value)
{
    char copy[128];
    if (length + 4 >= sizeof copy) return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    const char *local = localeconv()->decimal_point;
    char *point = strchr(copy, '.');
    if (point != NULL && strcmp(local, ".") != 0 && strlen(local) == 1) *point = *local;
    *value = strtod(copy, NULL);
    return true;
}

static const char *const INFINITIES[] = {"inf", "+inf", ".inf", "+.inf", "infinity"};

static bool parse_infinity(const char *text, double *value)
{
    double sign = *text == '-' ? -1.0 : 1.0;
    const char *rest = text + (*text == '-');
    for (size_t k = 0; k < sizeof INFINITIES / sizeof INFINITIES[0]; ++k) {
        if (strcmp(rest, INFINITIES[k]) == 0) {
            *value = sign * INFINITY;
            return true;
        }
    }
    return false;
}

static bool is_nan_text(const char *text)
{
    const char *rest = text + strspn(text, "+-.");
    return (rest[0] == 'n' || rest[0] == 'N') && (rest[1] == 'a' || rest[1] == 'A') &&
           (rest[2] == 'n' || rest[2] == 'N') && rest[3] == '\0';
}

static bool fail_not_a_number(const char *text, const quantity_kind *kind, sherd_units_error *error)
{
    char wanted[64];
    describe(kind, wanted, sizeof wanted);
    snprintf(error->what, sizeof error->what, "must be %s, got '%.80s'", wanted, text);
    if (is_nan_text(text)) snprintf(error->hint, sizeof error->hint, "not-a-number is never valid");
    return false;
}

static double bare_factor(const sherd_unit_system *bare, const dimension *dim)
{
    return pow(bare->length, dim->length) * pow(bare->time, dim->time) *
           pow(bare->mass, dim->mass) * pow(bare->angle, dim->angle);
}

static bool fail_dimension(const char *text, const quantity_kind *kind, sherd_units_error *error)
{
    char wanted[64];
    describe(kind, wanted, sizeof wanted);
    snprintf(error->what, sizeof error->what, "must be %s, got %.80s", wanted, text);
    return false;
}

bool sherd_units_parse(const char *text, sherd_quantity quantity, const sherd_unit_system *bare,
                       double *value, sherd_units_error *error)
{
    const quantity_kind *kind = &QUANTITIES[quantity];
    *error = (sherd_units_error){0};
    if (parse_infinity(text, value)) return true;
    size_t length = number_length(text);
    double number;
    if (length == 0 || !to_double(text, length, &number))
        return fail_not_a_number(text, kind, error);
    const char *rest = text + length + strspn(text + length, " ");
    double factor;
    if (*rest == '\0') {
        factor = bare_factor(bare, &kind->dim);
    } else {
        if (!is_name_byte(*rest) && *rest != '/' && strncmp(rest, "1/", 2) != 0)
            return fail_not_a_number(text, kind, error);
        unit_product product;
        if (!parse_units(rest, kind, &product, error)) return false;
        if (!same_dimension(&product.dim, &kind->dim)) return fail_dimension(text, kind, error);
        factor = product.factor;
    }
    *value = number * factor;
    if (isfinite(*value)) return true;
    snprintf(error->what, sizeof error->what, "is too large for a number, got %.80s", text);
    return false;
}

bool sherd_units_parse_name(const char *text, sherd_quantity quantity, double *value,
                            sherd_units_error *error)
{
    *error = (sherd_units_error){0};
    unit_product product;
    if (!parse_units(text, &QUANTITIES[quantity], &product, error)) return false;
    if (!same_dimension(&product.dim, &QUANTITIES[quantity].dim))
        return fail_dimension(text, &QUANTITIES[quantity], error);
    *value = product.factor;
    return true;
}
