#include "stepping/stepper.h"

#include "base/assertion.h"
#include "base/error.h"

// A test adds a row by compiling this file with one (tests/unit/test_stepper_table.c).
#ifndef SHERD_MORE_METHODS
#define SHERD_MORE_METHODS(ROW)
#endif

#define DECLARATION(NAME, word, doc) extern const sherd_stepper sherd_stepper_##word;
SHERD_METHODS(DECLARATION)
SHERD_MORE_METHODS(DECLARATION)

typedef struct method_row {
    const char *word, *doc;
    const sherd_stepper *stepper;
} method_row;

#define METHOD_ROW(NAME, word, doc) {#word, doc, &sherd_stepper_##word},
static const method_row ROWS[] = {SHERD_METHODS(METHOD_ROW) SHERD_MORE_METHODS(METHOD_ROW)};

static const method_row *row_of(sherd_method method)
{
    return (size_t)method < sizeof ROWS / sizeof ROWS[0] ? &ROWS[method] : NULL;
}

const sherd_stepper *sherd_stepper_of(sherd_method method)
{
    SHERD_ASSERT((int)method >= 0, "the method index is not negative");
    const method_row *row = row_of(method);
    return row != NULL ? row->stepper : NULL;
}

sherd_method_info sherd_method_describe(sherd_method method)
{
    const method_row *row = row_of(method);
    if (row == NULL) return (sherd_method_info){0};
    return (sherd_method_info){.word = row->word,
                               .doc = row->doc,
                               .explicit_steps = row->stepper->explicit_steps,
                               .implicit_steps = row->stepper->implicit_steps,
                               .even_steps = row->stepper->even_steps};
}

sherd_status sherd_fail_past(double time, double until, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, "until", "time only goes forward",
                      "must be at least the time now, %g s, and finite, got %g s", time, until);
}
