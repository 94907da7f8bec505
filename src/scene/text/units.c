#include "scene/text/units.h"

#include "base/assertion.h"
#include "base/field.h"
#include "base/text/suggest.h"
#include "scene/text/foreign_units.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Exponents of the base units; halves for products and quantities, since a toughness is in Pa
// m^0.5. Angles have an exponent of their own, so that deg/s and Hz are not confused.
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

// Of each quantity, in halves.
static const dimension DIMENSIONS[SHERD_QUANTITY_COUNT] = {
    [SHERD_QUANTITY_LENGTH] = {.length = 2},
    [SHERD_QUANTITY_TIME] = {.time = 2},
    [SHERD_QUANTITY_MASS] = {.mass = 2},
    [SHERD_QUANTITY_ANGLE] = {.angle = 2},
    [SHERD_QUANTITY_SPEED] = {.length = 2, .time = -2},
    [SHERD_QUANTITY_ANGULAR_SPEED] = {.angle = 2, .time = -2},
    [SHERD_QUANTITY_ACCELERATION] = {.length = 2, .time = -4},
    [SHERD_QUANTITY_DENSITY] = {.mass = 2, .length = -6},
    [SHERD_QUANTITY_STRESS] = {.mass = 2, .length = -2, .time = -4},
    [SHERD_QUANTITY_FORCE] = {.mass = 2, .length = 2, .time = -4},
    [SHERD_QUANTITY_FREQUENCY] = {.time = -2},
    [SHERD_QUANTITY_FRACTURE_ENERGY] = {.mass = 2, .time = -4},
    [SHERD_QUANTITY_TOUGHNESS] = {.mass = 2, .length = -1, .time = -4},
};

static void describe(sherd_quantity quantity, char *text, size_t size)
{
    const char *in = sherd_quantity_unit(quantity);
    snprintf(text, size, "%s%s%s%s", sherd_quantity_name(quantity), in != NULL ? " (" : "",
             in != NULL ? in : "", in != NULL ? ")" : "");
}

const char *sherd_quantity_example(sherd_quantity quantity)
{
    static const char *const EXAMPLES[SHERD_QUANTITY_COUNT] = {
        [SHERD_QUANTITY_LENGTH] = "e.g. 2 mm",
        [SHERD_QUANTITY_TIME] = "e.g. 5 ms",
        [SHERD_QUANTITY_MASS] = "e.g. 3 g",
        [SHERD_QUANTITY_ANGLE] = "e.g. 30 deg",
        [SHERD_QUANTITY_SPEED] = "e.g. 2 m/s",
        [SHERD_QUANTITY_ANGULAR_SPEED] = "e.g. 10 rad/s",
        [SHERD_QUANTITY_ACCELERATION] = "e.g. 9.81 m/s^2",
        [SHERD_QUANTITY_DENSITY] = "e.g. 2600 kg/m^3",
        [SHERD_QUANTITY_STRESS] = "e.g. 5 MPa",
        [SHERD_QUANTITY_FORCE] = "e.g. 5 N",
        [SHERD_QUANTITY_FREQUENCY] = "e.g. 480 Hz",
        [SHERD_QUANTITY_FRACTURE_ENERGY] = "e.g. 50 J/m^2",
        [SHERD_QUANTITY_TOUGHNESS] = "e.g. 0.7 MPa m^0.5",
    };
    return EXAMPLES[quantity];
}

static void give_example(sherd_quantity quantity, sherd_units_error *error)
{
    const char *example = sherd_quantity_example(quantity);
    if (example != NULL) snprintf(error->hint, sizeof error->hint, "%s", example);
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

// Whether the unit by itself is one of the quantity.
static bool is_in(const unit *u, sherd_quantity quantity)
{
    const dimension *dim = &u->dim;
    const dimension halves = {2 * dim->length, 2 * dim->time, 2 * dim->mass, 2 * dim->angle};
    return same_dimension(&halves, &DIMENSIONS[quantity]);
}

// "a length is in m, mm, cm, km, um or nm", or only the SI unit of what has no units of its own.
static void list_units(sherd_quantity quantity, char *hint, size_t size)
{
    const char *si = sherd_quantity_unit(quantity), *separator = "";
    if (si == NULL) return;
    size_t used = (size_t)snprintf(hint, size, "%s is in ", sherd_quantity_name(quantity));
    int last = -1;
    for (int k = 0; k < UNIT_COUNT; ++k)
        if (is_in(&UNITS[k], quantity) && isalpha((unsigned char)UNITS[k].name[0])) last = k;
    if (last < 0) snprintf(hint + used, size - used, "%s", si);
    for (int k = 0; k <= last && used < size; ++k) {
        if (!is_in(&UNITS[k], quantity) || !isalpha((unsigned char)UNITS[k].name[0])) continue;
        used +=
            (size_t)snprintf(hint + used, size - used, "%s%s",
                             k == last && *separator != '\0' ? " or " : separator, UNITS[k].name);
        separator = ", ";
    }
}

// Where the name is all of the unit, only units of the wanted quantity are suggested, for a length
// no "min"; inside of products any.
static void suggest_unit(sherd_units_error *error, const char *name, sherd_quantity quantity,
                         bool alone)
{
    sherd_suggestion suggestion = {.word = name};
    for (int k = 0; k < UNIT_COUNT; ++k)
        if (is_in(&UNITS[k], quantity)) sherd_suggest(&suggestion, UNITS[k].name);
    for (int k = 0; suggestion.best == NULL && !alone && k < UNIT_COUNT; ++k)
        sherd_suggest(&suggestion, UNITS[k].name);
    if (suggestion.best != NULL)
        sherd_suggestion_hint(&suggestion, error->hint, sizeof error->hint);
    else
        list_units(quantity, error->hint, sizeof error->hint);
}

static void fail_unknown_unit(sherd_units_error *error, const char *name, sherd_quantity quantity,
                              bool alone)
{
    snprintf(error->what, sizeof error->what, "unknown unit '%.60s'", name);
    const sherd_foreign_unit *foreign = sherd_foreign_unit_find(name);
    if (foreign == NULL)
        suggest_unit(error, name, quantity, alone);
    else if (foreign->unit != NULL)
        snprintf(error->hint, sizeof error->hint, "did you mean '%s'?", foreign->unit);
    else
        snprintf(error->hint, sizeof error->hint, "Sherd takes SI units: 1 %.60s is %s", name,
                 foreign->equal);
}

// An exponent after a unit's name, in halves: "^3", "^-2", "2", "^0.5", superscript 2 or 3; of 1 without one.
static const char *parse_exponent(const char *at, int *halves)
{
    *halves = 2;
    if (strncmp(at, "\xc2\xb2", 2) == 0 || strncmp(at, "\xc2\xb3", 2) == 0) {
        *halves = (unsigned char)at[1] == 0xb2 ? 4 : 6;
        return at + 2;
    }
    const char *digits = at + (*at == '^');
    int sign = *at == '^' && *digits == '-' ? -1 : 1;
    digits += sign < 0;
    if (!isdigit((unsigned char)*digits)) return at;
    *halves = sign * 2 * (*digits - '0');
    if (*at != '^' || strncmp(digits + 1, ".5", 2) != 0) return digits + 1;
    *halves += sign;
    return digits + 3;
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

static void multiply(unit_product *product, const unit *u, int halves)
{
    product->factor *= pow(u->factor, 0.5 * halves);
    product->dim.length += halves * u->dim.length;
    product->dim.time += halves * u->dim.time;
    product->dim.mass += halves * u->dim.mass;
    product->dim.angle += halves * u->dim.angle;
}

// One factor of a product, "m^2" or the "1" of "1/s", `first` if nothing precedes it. NULL when
// there is none here.
static const char *parse_factor(const char *at, bool first, int sign, sherd_quantity quantity,
                                unit_product *product, sherd_units_error *error)
{
    if (*at == '1' && !isdigit((unsigned char)at[1])) return at + 1;
    char name[64];
    const char *end = copy_name(at, name, sizeof name);
    const unit *u = end > at ? find_unit(name) : NULL;
    if (u == NULL) {
        fail_unknown_unit(error, end > at ? name : at, quantity, first && *end == '\0');
        return NULL;
    }
    int halves;
    end = parse_exponent(end, &halves);
    multiply(product, u, sign * halves);
    return end;
}

// "kg/m^3", "N m", "km/h": each / divides by the one unit behind it.
static bool parse_units(const char *at, sherd_quantity quantity, unit_product *product,
                        sherd_units_error *error)
{
    *product = (unit_product){.factor = 1.0};
    const char *start = at;
    while (*at != '\0') {
        int sign = 1;
        while (*at == ' ' || *at == '*' || *at == '/') {
            if (*at == '/') sign = -1;
            ++at;
        }
        at = parse_factor(at, at == start, sign, quantity, product, error);
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

// "0,5 mm"
static bool has_decimal_comma(const char *text)
{
    const char *comma = strchr(text, ',');
    return comma != NULL && comma > text && isdigit((unsigned char)comma[-1]) &&
           isdigit((unsigned char)comma[1]);
}

// "25 %"
static bool is_percentage(const char *text, double *fraction)
{
    size_t length = number_length(text);
    const char *rest = text + length + strspn(text + length, " ");
    if (length == 0 || strcmp(rest, "%") != 0 || !to_double(text, length, fraction)) return false;
    *fraction *= 0.01;
    return true;
}

static bool fail_not_a_number(const char *text, sherd_quantity quantity, sherd_units_error *error)
{
    char wanted[64];
    double fraction;
    describe(quantity, wanted, sizeof wanted);
    snprintf(error->what, sizeof error->what, "must be %s, got '%.80s'", wanted, text);
    give_example(quantity, error);
    if (is_nan_text(text))
        snprintf(error->hint, sizeof error->hint, "not-a-number is never valid");
    else if (has_decimal_comma(text))
        snprintf(error->hint, sizeof error->hint, "decimals have a point: 0.5");
    else if (is_percentage(text, &fraction))
        snprintf(error->hint, sizeof error->hint, "write a share as a number: %g", fraction);
    return false;
}

static double bare_factor(const sherd_unit_system *bare, const dimension *dim)
{
    return pow(bare->length, 0.5 * dim->length) * pow(bare->time, 0.5 * dim->time) *
           pow(bare->mass, 0.5 * dim->mass) * pow(bare->angle, 0.5 * dim->angle);
}

static bool fail_dimension(const char *text, sherd_quantity quantity, sherd_units_error *error)
{
    char wanted[64];
    describe(quantity, wanted, sizeof wanted);
    snprintf(error->what, sizeof error->what, "must be %s, got %.80s", wanted, text);
    return false;
}

bool sherd_units_parse(const char *text, sherd_quantity quantity, const sherd_unit_system *bare,
                       double *value, sherd_units_error *error)
{
    SHERD_ASSERT((int)quantity >= 0 && quantity < SHERD_QUANTITY_COUNT,
                 "a quantity has a dimension");
    *error = (sherd_units_error){0};
    if (parse_infinity(text, value)) return true;
    size_t length = number_length(text);
    double number;
    if (length == 0 || !to_double(text, length, &number))
        return fail_not_a_number(text, quantity, error);
    const char *rest = text + length + strspn(text + length, " ");
    double factor;
    if (*rest == '\0') {
        factor = bare_factor(bare, &DIMENSIONS[quantity]);
    } else {
        if (!is_name_byte(*rest) && *rest != '/' && strncmp(rest, "1/", 2) != 0)
            return fail_not_a_number(text, quantity, error);
        unit_product product;
        if (!parse_units(rest, quantity, &product, error)) return false;
        if (!same_dimension(&product.dim, &DIMENSIONS[quantity])) {
            give_example(quantity, error);
            return fail_dimension(text, quantity, error);
        }
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
    if (!parse_units(text, quantity, &product, error)) return false;
    if (!same_dimension(&product.dim, &DIMENSIONS[quantity]))
        return fail_dimension(text, quantity, error);
    *value = product.factor;
    return true;
}
