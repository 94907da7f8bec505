// How tests judge numbers: epsilon_eq of Criterion, with two switches. Included by the build ahead of every test.
//
//   SHERD_TEST_TOLERANCE_SCALE=x   all of these tolerances are x times as large
//   SHERD_TEST_RESIDUALS=1         nothing is judged by them: what numbers are off by is printed, as a share of what
//                                  they may be off by
#pragma once

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// Criterion has the preprocessor read what an assertion expands to 85 times over, which is most of what tests take to
// compile. 40 are enough for what is written here; too few do not compile.
#undef CR_EVAL
#define CR_EVAL(...) SHERD_TEST_READ9(SHERD_TEST_READ9(SHERD_TEST_READ9(__VA_ARGS__)))
#define SHERD_TEST_READ9(...) SHERD_TEST_READ3(SHERD_TEST_READ3(SHERD_TEST_READ3(__VA_ARGS__)))
#define SHERD_TEST_READ3(...) SHERD_TEST_READ(SHERD_TEST_READ(SHERD_TEST_READ(__VA_ARGS__)))
#define SHERD_TEST_READ(...) __VA_ARGS__

static inline bool sherd_test_within(double actual, double expected, double tolerance,
                                     const char *file, int line)
{
    double off = fabs(actual - expected);
    if (getenv("SHERD_TEST_RESIDUALS") != NULL) {
        fprintf(stderr, "%s:%d: %.9g for %.9g, off by %.3g of %.3g\n", file, line, actual, expected,
                off, tolerance);
        return true;
    }
    const char *scale = getenv("SHERD_TEST_TOLERANCE_SCALE");
    if (scale != NULL) tolerance *= atof(scale);
    return actual == expected || off <= tolerance;
}

#undef CRI_EPSILON_EQ
#define CRI_EPSILON_EQ(Actual, Expected, Epsilon)                                                  \
    sherd_test_within((double)(Actual), (double)(Expected), (double)(Epsilon), __FILE__, __LINE__)
