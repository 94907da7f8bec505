// Single values: numbers with units, words, vectors, colours, rotations.
#include "scene/read/reader.h"

#include "base/hash.h"
#include "base/text/suggest.h"
#include "math/quat.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { HINT_SIZE = 96 };

// Suggests what may have been intended by a number out of range.
static const char *range_hint(const sherd_scene_reader *reader, const sherd_node *node,
                              const sherd_field *wanted, double value, char buffer[HINT_SIZE])
{
    if (wanted->quantity == SHERD_QUANTITY_DENSITY && value > wanted->range.high)
        return "without a unit, numbers are in the file's `units:`; write 2600 kg/m^3";
    bool bare = isdigit((unsigned char)node->text[strlen(node->text) - 1]) != 0;
    if (wanted->quantity == SHERD_QUANTITY_ANGLE && bare && reader->units.angle == 1.0) {
        snprintf(buffer, HINT_SIZE, "a bare number is in radians; write %.40s deg", node->text);
        return buffer;
    }
    return wanted->hint != NULL ? wanted->hint : sherd_quantity_example(wanted->quantity);
}

// Limits of sizes that can be simulated: beyond them a unit was forgotten, or squares and quotients
// overflow. The lower limits apply to values that must be positive.
typedef struct size_limits {
    double min, max;
    const char *text;
} size_limits;

static const size_limits SIZES[SHERD_QUANTITY_COUNT] = {
    [SHERD_QUANTITY_NUMBER] = {0.0, INFINITY, ""},
    [SHERD_QUANTITY_LENGTH] = {1e-12, 1e12, "lengths of 1e-12 to 1e12 m"},
    [SHERD_QUANTITY_TIME] = {1e-18, 1e12, "times of 1e-18 to 1e12 s"},
    [SHERD_QUANTITY_MASS] = {1e-30, 1e18, "masses of 1e-30 to 1e18 kg"},
    [SHERD_QUANTITY_ANGLE] = {0.0, 1e9, "angles of up to 1e9 rad"},
    [SHERD_QUANTITY_SPEED] = {0.0, 3e8, "speeds of up to 3e8 m/s"},
    [SHERD_QUANTITY_ANGULAR_SPEED] = {0.0, 1e12, "angular speeds of up to 1e12 rad/s"},
    [SHERD_QUANTITY_ACCELERATION] = {0.0, 1e12, "accelerations of up to 1e12 m/s^2"},
    [SHERD_QUANTITY_DENSITY] = {1e-6, 1e6, "densities of 1e-6 to 1e6 kg/m^3"},
    [SHERD_QUANTITY_STRESS] = {1e-6, 1e18, "stresses and moduli of 1e-6 to 1e18 Pa"},
    [SHERD_QUANTITY_FORCE] = {0.0, 1e18, "forces of up to 1e18 N"},
    [SHERD_QUANTITY_FREQUENCY] = {1e-12, 1e15, "frequencies of 1e-12 to 1e15 Hz"},
    [SHERD_QUANTITY_FRACTURE_ENERGY] = {1e-12, 1e12, "fracture energies of 1e-12 to 1e12 J/m^2"},
    [SHERD_QUANTITY_TOUGHNESS] = {1e-6, 1e15, "toughnesses of 1e-6 to 1e15 Pa m^0.5"},
};

static bool check_size(sherd_scene_reader *reader, const sherd_node *node,
                       const sherd_field *wanted, double value)
{
    const size_limits *sizes = &SIZES[wanted->quantity];
    bool above = wanted->range.bound == SHERD_BOUND_ABOVE;
    bool small = above && value > 0.0 && value < sizes->min;
    if (isinf(value) || (!small && fabs(value) <= sizes->max)) return true;
    sherd_reader_fail(reader, node, "check the unit: bare numbers are in the file's `units:`",
                      "is too %s, got %.80s: Sherd takes %s", small ? "small" : "large", node->text,
                      sizes->text);
    return false;
}

// The text of a single value, or NULL with an error.
static const char *scalar_text(sherd_scene_reader *reader, const sherd_node *node,
                               const char *wanted)
{
    if (node->kind == SHERD_NODE_SCALAR && !sherd_node_is_null(node)) return node->text;
    bool nothing = node->kind == SHERD_NODE_SCALAR;
    sherd_reader_fail(reader, node,
                      nothing ? "write it behind the colon"
                              : "one value, without brackets or braces",
                      "must be %s, got %s", wanted, sherd_node_kind_name(node));
    return NULL;
}

bool sherd_read_real(sherd_scene_reader *reader, const sherd_node *node, const sherd_field *wanted,
                     double *value)
{
    const char *text = scalar_text(reader, node, "a number");
    if (text == NULL) return false;
    sherd_units_error error;
    double number;
    if (!sherd_units_parse(text, wanted->quantity, &reader->units, &number, &error)) {
        sherd_reader_fail(reader, node, error.hint, "%s", error.what);
        return false;
    }
    if (isinf(number) && !wanted->range.infinite) {
        sherd_reader_fail(reader, node, "only strengths may be inf", "must be finite, got %.80s",
                          text);
        return false;
    }
    if (!sherd_range_holds(&wanted->range, number)) {
        char range[SHERD_FIELD_TEXT_SIZE], hint[HINT_SIZE];
        sherd_reader_fail(reader, node, range_hint(reader, node, wanted, number, hint),
                          "must be %s, got %.80s", sherd_field_range_text(wanted, range), text);
        return false;
    }
    if (!check_size(reader, node, wanted, number)) return false;
    reader->shape_digest = sherd_hash_bytes(reader->shape_digest, &number, sizeof number);
    *value = number;
    return true;
}

bool sherd_read_integer(sherd_scene_reader *reader, const sherd_node *node,
                        const sherd_field *wanted, int64_t *value)
{
    double number;
    if (!sherd_read_real(reader, node, wanted, &number)) return false;
    if (number != floor(number)) {
        sherd_reader_fail(reader, node, NULL, "must be a whole number, got %.80s", node->text);
        return false;
    }
    if (fabs(number) > 9007199254740992.0) { // 2^53: beyond it, doubles skip whole numbers
        sherd_reader_fail(reader, node, "at most 2^53", "is too large, got %.80s", node->text);
        return false;
    }
    *value = (int64_t)number;
    return true;
}

static const char *const TRUE_WORDS[] = {"true", "yes", "on"};
static const char *const FALSE_WORDS[] = {"false", "no", "off"};

bool sherd_read_boolean(sherd_scene_reader *reader, const sherd_node *node, bool *value)
{
    const char *text = scalar_text(reader, node, "true or false");
    if (text == NULL) return false;
    for (int k = 0; k < 3; ++k) {
        bool is_true = strcmp(text, TRUE_WORDS[k]) == 0;
        if (!is_true && strcmp(text, FALSE_WORDS[k]) != 0) continue;
        *value = is_true;
        return true;
    }
    sherd_reader_fail(reader, node, NULL, "must be true or false, got '%.80s'", text);
    return false;
}

bool sherd_read_numbers(sherd_scene_reader *reader, const sherd_node *node,
                        const sherd_field *wanted, int count, double *values)
{
    if (node->kind != SHERD_NODE_LIST || node->count != count) {
        const char *hint = count == 3 ? "a number for each of x, y and z, as [0, 0, 1]" : NULL;
        if (node->kind == SHERD_NODE_LIST)
            sherd_reader_fail(reader, node, hint, "must be a list of %d numbers, got %d", count,
                              node->count);
        else
            sherd_reader_fail(reader, node, hint, "must be a list of %d numbers, got %s", count,
                              sherd_node_kind_name(node));
        return false;
    }
    bool good = true;
    int k = 0;
    for (const sherd_node *item = node->first; item != NULL; item = item->next, ++k)
        good = sherd_read_real(reader, item, wanted, &values[k]) && good;
    return good;
}

bool sherd_read_vector(sherd_scene_reader *reader, const sherd_node *node, sherd_quantity quantity,
                       sherd_vec3 *value)
{
    double v[3];
    const sherd_field wanted = {.quantity = quantity};
    if (!sherd_read_numbers(reader, node, &wanted, 3, v)) return false;
    *value = vec3(v[0], v[1], v[2]);
    return true;
}

bool sherd_read_choice(sherd_scene_reader *reader, const sherd_node *node,
                       const char *const *choices, int *value)
{
    char known[256], wanted[300];
    snprintf(wanted, sizeof wanted, "one of %s",
             sherd_words_text(&(sherd_field){.choices = choices}, known, sizeof known));
    const char *text = scalar_text(reader, node, wanted);
    if (text == NULL) return false;
    sherd_suggestion suggestion = {.word = text};
    for (int k = 0; choices[k] != NULL; ++k) {
        if (strcmp(choices[k], text) == 0) {
            *value = k;
            return true;
        }
        sherd_suggest(&suggestion, choices[k]);
    }
    char hint[128];
    sherd_suggestion_hint(&suggestion, hint, sizeof hint);
    sherd_reader_fail(reader, node, hint, "must be %s, got '%.80s'", wanted, text);
    return false;
}

static bool read_hex_color(const char *text, sherd_vec3 *color)
{
    unsigned r, g, b;
    if (strlen(text) != 7 || text[0] != '#' || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return false;
    if (sscanf(text + 1, "%2x%2x%2x", &r, &g, &b) != 3) return false;
    *color = vec3(r / 255.0, g / 255.0, b / 255.0);
    return true;
}

bool sherd_read_color(sherd_scene_reader *reader, const sherd_node *node, sherd_vec3 *color)
{
    if (node->kind == SHERD_NODE_LIST) {
        double v[3];
        if (!sherd_read_numbers(reader, node, SHERD_VALUE(NUMBER, SHERD_UNIT_INTERVAL), 3, v))
            return false;
        *color = vec3(v[0], v[1], v[2]);
        return true;
    }
    const char *text = node->kind == SHERD_NODE_SCALAR ? node->text : "";
    if (read_hex_color(text, color)) return true;
    const char *hint =
        sherd_node_is_null(node) ? "put #rrggbb in quotes, or it is a comment" : NULL;
    if (node->kind != SHERD_NODE_SCALAR || sherd_node_is_null(node))
        sherd_reader_fail(reader, node, hint, "must be [r, g, b] or \"#rrggbb\", got %s",
                          sherd_node_kind_name(node));
    else
        sherd_reader_fail(reader, node, hint, "must be [r, g, b] or \"#rrggbb\", got '%.80s'",
                          text);
    return false;
}

bool sherd_read_text(sherd_scene_reader *reader, const sherd_node *node, const char **value)
{
    const char *text = scalar_text(reader, node, "text");
    if (text == NULL) return false;
    if (text[0] == '\0') {
        sherd_reader_fail(reader, node, NULL, "must not be empty");
        return false;
    }
    // Copied: nodes may be of a shorter-lived arena than the scene.
    *value = sherd_arena_string(reader->arena, text);
    return *value != NULL;
}

bool sherd_read_name(sherd_scene_reader *reader, const sherd_node *node, const char **name)
{
    const char *text = scalar_text(reader, node, "a name");
    if (text == NULL) return false;
    bool good = isalpha((unsigned char)text[0]) && strlen(text) <= 64;
    for (const char *at = text; good && *at != '\0'; ++at)
        good = isalnum((unsigned char)*at) || *at == '_' || *at == '-';
    if (!good) {
        reader->misnamed = true;
        sherd_reader_fail(reader, node, "letters, digits, _ and -, beginning with a letter",
                          "is no valid name: '%.80s'", text);
        return false;
    }
    return sherd_read_text(reader, node, name);
}

bool sherd_check_key_name(sherd_scene_reader *reader, const sherd_node *node)
{
    sherd_node name = {.kind = SHERD_NODE_SCALAR,
                       .mark = node->key_mark,
                       .text = node->key,
                       .quoted = true,
                       .parent = node->parent,
                       .key = node->key};
    const char *text;
    return sherd_read_name(reader, &name, &text);
}

bool sherd_read_rotation(sherd_scene_reader *reader, const sherd_node *node, sherd_quat *rotation)
{
    double angle[3];
    if (!sherd_read_numbers(reader, node, SHERD_VALUE(ANGLE, SHERD_ANY), 3, angle)) return false;
    sherd_quat x = quat_from_rotation_vector(vec3(angle[0], 0.0, 0.0));
    sherd_quat y = quat_from_rotation_vector(vec3(0.0, angle[1], 0.0));
    sherd_quat z = quat_from_rotation_vector(vec3(0.0, 0.0, angle[2]));
    *rotation = quat_normalize(quat_multiply(z, quat_multiply(y, x)));
    return true;
}
