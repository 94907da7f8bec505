// Descriptions of fields, for messages, docs/reference/scene.md and the help of bindings.
#include "base/field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEGREE 0.017453292519943295

typedef struct quantity_words {
    const char *name, *unit;
} quantity_words;

static const quantity_words QUANTITIES[SHERD_QUANTITY_COUNT] = {
    [SHERD_QUANTITY_NUMBER] = {"a plain number", NULL},
    [SHERD_QUANTITY_LENGTH] = {"a length", "m"},
    [SHERD_QUANTITY_TIME] = {"a time", "s"},
    [SHERD_QUANTITY_MASS] = {"a mass", "kg"},
    [SHERD_QUANTITY_ANGLE] = {"an angle", "rad or deg"},
    [SHERD_QUANTITY_SPEED] = {"a speed", "m/s"},
    [SHERD_QUANTITY_ANGULAR_SPEED] = {"an angular speed", "rad/s"},
    [SHERD_QUANTITY_ACCELERATION] = {"an acceleration", "m/s^2"},
    [SHERD_QUANTITY_DENSITY] = {"a density", "kg/m^3"},
    [SHERD_QUANTITY_STRESS] = {"a stress", "Pa"},
    [SHERD_QUANTITY_FORCE] = {"a force", "N"},
    [SHERD_QUANTITY_FREQUENCY] = {"a frequency", "Hz"},
    [SHERD_QUANTITY_FRACTURE_ENERGY] = {"an energy per area", "J/m^2"},
    [SHERD_QUANTITY_TOUGHNESS] = {"a fracture toughness", "Pa m^0.5"},
};

const char *sherd_quantity_name(sherd_quantity quantity)
{
    return QUANTITIES[quantity].name;
}

const char *sherd_quantity_unit(sherd_quantity quantity)
{
    return QUANTITIES[quantity].unit;
}

// "a, b, c", each between two marks.
static void list_words(const sherd_field *field, const char *mark, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; sherd_field_word(field, k).word != NULL && used < size; ++k)
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", k > 0 ? ", " : "", mark,
                                 sherd_field_word(field, k).word, mark);
}

const char *sherd_words_text(const sherd_field *field, char *text, size_t size)
{
    list_words(field, "", text, size);
    return text;
}

// ---------------------------------------------------------------- numbers

// "1e6" where printf writes "1e+06"; angles are in degrees.
static void number_text(double value, sherd_quantity quantity, char text[32])
{
    char plain[32];
    snprintf(plain, sizeof plain, "%.12g",
             quantity == SHERD_QUANTITY_ANGLE ? value / DEGREE : value);
    char *power = strpbrk(plain, "e");
    size_t kept = power != NULL ? (size_t)(power - plain) : strlen(plain);
    int exponent = 0;
    if (power != NULL) sscanf(power + 1, "%d", &exponent);
    if (power != NULL)
        snprintf(text, 32, "%.*se%d", (int)kept, plain, exponent);
    else if (fabs(value) >= 1e5 && fmod(value, 1e5) == 0.0 && fabs(value) < 1e15)
        snprintf(text, 32, "%ge%d", value / pow(10.0, floor(log10(fabs(value)))),
                 (int)floor(log10(fabs(value))));
    else
        snprintf(text, 32, "%s", plain);
}

// " m", or an empty text.
static const char *unit_text(sherd_quantity quantity, char text[32])
{
    const char *unit = quantity == SHERD_QUANTITY_ANGLE ? "deg" : sherd_quantity_unit(quantity);
    snprintf(text, 32, "%s%s", unit != NULL ? " " : "", unit != NULL ? unit : "");
    return text;
}

const char *sherd_field_range_text(const sherd_field *field, char text[SHERD_FIELD_TEXT_SIZE])
{
    const sherd_range *range = &field->range;
    char low[32], high[32], unit[32] = "";
    number_text(range->low, field->quantity, low);
    number_text(range->high, field->quantity, high);
    bool bounded = isfinite(range->high), above = range->bound == SHERD_BOUND_ABOVE;
    if (bounded) unit_text(field->quantity, unit);
    if (range->bound == SHERD_BOUND_NONE)
        snprintf(text, SHERD_FIELD_TEXT_SIZE, "finite");
    else if (bounded && !above)
        snprintf(text, SHERD_FIELD_TEXT_SIZE, "between %s and %s%s", low, high, unit);
    else if (bounded)
        snprintf(text, SHERD_FIELD_TEXT_SIZE, "> %s and <= %s%s", low, high, unit);
    else
        snprintf(text, SHERD_FIELD_TEXT_SIZE, "%s %s%s", above ? ">" : ">=", low,
                 range->zero ? ", or 0" : "");
    return text;
}

// ---------------------------------------------------------------- initial values

static void list_text(const sherd_field *field, char text[SHERD_FIELD_TEXT_SIZE])
{
    // The unit follows the last number that is not 0, so that it is written once.
    int last = -1;
    for (int k = 0; k < 3; ++k)
        if (field->initial[k] != 0.0) last = k;
    size_t used = 0;
    for (int k = 0; k < 3; ++k) {
        char number[32], unit[32];
        number_text(field->initial[k], field->quantity, number);
        used += (size_t)snprintf(text + used, SHERD_FIELD_TEXT_SIZE - used, "%s%s%s",
                                 k > 0 ? ", " : "[", number,
                                 k == last ? unit_text(field->quantity, unit) : "");
    }
    snprintf(text + used, SHERD_FIELD_TEXT_SIZE - used, "]");
}

const char *sherd_field_initial_text(const sherd_field *field, char text[SHERD_FIELD_TEXT_SIZE])
{
    char number[32], unit[32];
    double value = field->initial[0];
    text[0] = '\0';
    if ((field->flags & (SHERD_FIELD_UNSET | SHERD_FIELD_REQUIRED)) != 0) return text;
    switch (field->type) {
    case SHERD_FIELD_VECTOR:
    case SHERD_FIELD_COLOR:
        list_text(field, text);
        break;
    case SHERD_FIELD_ROTATION:
        snprintf(text, SHERD_FIELD_TEXT_SIZE, "[0, 0, 0]"); // angles, initially zero
        break;
    case SHERD_FIELD_BOOLEAN:
        snprintf(text, SHERD_FIELD_TEXT_SIZE, "%s", value != 0.0 ? "true" : "false");
        break;
    case SHERD_FIELD_CHOICE:
        snprintf(text, SHERD_FIELD_TEXT_SIZE, "%s", sherd_field_word(field, (int)value).word);
        break;
    case SHERD_FIELD_REAL:
    case SHERD_FIELD_INT:
    case SHERD_FIELD_INT64:
    case SHERD_FIELD_UINT64:
        number_text(value, field->quantity, number);
        snprintf(text, SHERD_FIELD_TEXT_SIZE, "%s%s", number,
                 value != 0.0 && isfinite(value) ? unit_text(field->quantity, unit) : "");
        break;
    case SHERD_FIELD_OTHER:
    case SHERD_FIELD_NAME:
    case SHERD_FIELD_TEXT:
        break;
    }
    return text;
}

// ---------------------------------------------------------------- tables of docs

static const char *article(sherd_quantity quantity)
{
    return quantity == SHERD_QUANTITY_NUMBER ? "a number" : sherd_quantity_name(quantity);
}

// The range of a number: "a stress > 0 or `inf`", "whole, >= 1".
static void number_values(const sherd_field *field, bool is_whole, char *text, size_t size)
{
    char range[SHERD_FIELD_TEXT_SIZE];
    bool free = field->range.bound == SHERD_BOUND_NONE;
    sherd_field_range_text(field, range);
    snprintf(text, size, "%s%s%s%s", is_whole ? "whole" : article(field->quantity),
             free       ? ""
             : is_whole ? ", "
                        : " ",
             free ? "" : range, field->range.infinite ? ", or `inf`" : "");
}

static void values_text(const sherd_field *field, char *text, size_t size)
{
    static const char *const KINDS[] = {
        [SHERD_FIELD_OTHER] = "",
        [SHERD_FIELD_VECTOR] = "vector",
        [SHERD_FIELD_UINT64] = "whole, >= 0",
        [SHERD_FIELD_BOOLEAN] = "true, false",
        [SHERD_FIELD_COLOR] = "colour",
        [SHERD_FIELD_ROTATION] = "rotation",
        [SHERD_FIELD_NAME] = "a name",
        [SHERD_FIELD_TEXT] = "text",
    };
    if (field->values != NULL)
        snprintf(text, size, "%s", field->values);
    else if (field->type == SHERD_FIELD_REAL)
        number_values(field, false, text, size);
    else if (field->type == SHERD_FIELD_INT || field->type == SHERD_FIELD_INT64)
        number_values(field, true, text, size);
    else if (field->type == SHERD_FIELD_CHOICE)
        list_words(field, "`", text, size);
    else if (field->type == SHERD_FIELD_VECTOR && field->quantity != SHERD_QUANTITY_NUMBER)
        snprintf(text, size, "vector, %s", sherd_quantity_unit(field->quantity));
    else
        snprintf(text, size, "%s", KINDS[field->type]);
}

// The description, with the meaning of each word where the table has one: "which. `a`: ... `b`:
// ..."
static void what_text(const sherd_field *field, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", field->doc);
    for (int k = 0; field->choice != NULL && field->choice(k).word != NULL && used < size; ++k) {
        sherd_word word = field->choice(k);
        used += (size_t)snprintf(text + used, size - used, ". `%s`: %s", word.word, word.doc);
    }
}

// Cuts the text before the explanations of words, ". `word`: ...", and returns the explanations, or
// NULL.
static char *explained_word(const sherd_field *field, char *text)
{
    char *first = NULL;
    for (int k = 0; sherd_field_word(field, k).word != NULL; ++k) {
        char mark[64];
        snprintf(mark, sizeof mark, ". `%s`: ", sherd_field_word(field, k).word);
        char *at = strstr(text, mark);
        if (at != NULL && (first == NULL || at < first)) first = at;
    }
    if (first == NULL) return NULL;
    *first = '\0';
    return first + 2;
}

void sherd_field_markdown(const sherd_field *field, char *text, size_t size)
{
    enum { LONGEST = 4096 };
    char values[2 * SHERD_FIELD_TEXT_SIZE], initial[SHERD_FIELD_TEXT_SIZE], what[LONGEST];
    what_text(field, what, sizeof what);
    values_text(field, values, sizeof values);
    sherd_field_initial_text(field, initial);
    bool is_choice = field->type == SHERD_FIELD_CHOICE;
    const char *usual = field->usual != NULL ? field->usual : initial, *mark = "";
    const char *is = "default ";
    if ((field->flags & SHERD_FIELD_REQUIRED) != 0 && field->usual == NULL)
        usual = "**required**";
    else if (field->usual == NULL && (is_choice || initial[0] == '[') && initial[0] != '\0')
        mark = "`";
    if (strncmp(usual, "**required**", 12) == 0 || usual[0] == '\0') is = "";
    char *word = is_choice ? explained_word(field, what) : NULL;
    if (word != NULL) values[0] = '\0'; // each has its own line
    const char *between = values[0] != '\0' && usual[0] != '\0' ? "; " : "";
    size_t used =
        (size_t)snprintf(text, size, "- **`%s`** (%s%s%s%s%s%s): %s\n", sherd_field_key(field),
                         values, between, is, mark, usual, mark, what);
    while (word != NULL && used < size) {
        char *next = explained_word(field, word);
        used += (size_t)snprintf(text + used, size - used, "  - %s\n", word);
        word = next;
    }
}
