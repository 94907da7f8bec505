// SHERD_ASSERT, on, calls the program's own function in place of the library's.
#undef SHERD_ASSERTIONS
#define SHERD_ASSERTIONS 1
#include "base/assertion.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <setjmp.h>

static jmp_buf back;
static const char *failed_condition;
static int failed_line;

// In place of the library's.
void sherd_assertion_failed(const char *condition, const char *file, int line)
{
    (void)file;
    failed_condition = condition;
    failed_line = line;
    longjmp(back, 1);
}

static int checked(int value)
{
    if (setjmp(back) != 0) return 0;
    SHERD_ASSERT(value == 3, "the value is three");
    return 1;
}

Test(assertion, tells_the_program_what_does_not_hold)
{
    cr_assert(checked(3) == 1 && failed_condition == NULL);
    cr_assert(checked(4) == 0);
    cr_assert(eq(str, (char *)failed_condition, "the value is three: value == 3"));
    cr_assert(failed_line > 0);
}
