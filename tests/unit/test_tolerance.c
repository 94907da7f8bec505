// The switches of tolerance.h.
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static bool within(double off)
{
    return sherd_test_within(1.0 + off, 1.0, 0.01, __FILE__, __LINE__);
}

Test(tolerance, is_scaled_by_a_variable)
{
    cr_assert(within(0.009));
    cr_assert(not(within(0.02)));
    setenv("SHERD_TEST_TOLERANCE_SCALE", "3", 1);
    cr_assert(within(0.02));
    cr_assert(epsilon_eq(dbl, 1.02, 1.0, 0.01));
    setenv("SHERD_TEST_TOLERANCE_SCALE", "0.5", 1);
    cr_assert(not(within(0.009)));
}

Test(tolerance, is_shown_instead_of_judged)
{
    setenv("SHERD_TEST_RESIDUALS", "1", 1);
    cr_assert(epsilon_eq(dbl, 2.0, 1.0, 0.01));
}
