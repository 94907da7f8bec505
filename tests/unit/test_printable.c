// Text for messages: per cent and lengths as people write them.
#include <sherd/error.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

Test(printable, per_cent)
{
    static const struct {
        double share;
        const char *text;
    } CASES[] = {
        {0.0, "0.000 %"},     {1e-9, "0.000 %"},   {-3e-8, "-0.000 %"}, {9e-6, "0.001 %"},
        {1.2e-5, "0.0012 %"}, {0.00314, "0.31 %"}, {0.003, "0.3 %"},    {-0.0248, "-2.5 %"},
        {0.27, "27 %"},       {0.97, "97 %"},      {0.994, "99 %"},     {0.9951, "100 %"},
        {1.0, "100 %"},       {1.03, "103 %"},     {12.5, "1250 %"},    {-3.2e4, "-3200000 %"},
        {1e12, "1e+14 %"},    {INFINITY, "inf %"},
    };
    char text[SHERD_PERCENT_TEXT];
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; ++k)
        cr_assert(eq(str, (char *)sherd_percent_text(CASES[k].share, text), (char *)CASES[k].text));
}

Test(printable, lengths)
{
    static const struct {
        double metres;
        const char *text;
    } CASES[] = {{6.5e-4, "0.65 mm"},  {0.0, "0 mm"},     {2.5e-5, "25 um"}, {-0.012, "-12 mm"},
                 {0.9994, "999 mm"},   {0.99951, "1 m"},  {1.234, "1.23 m"}, {1e-4, "0.1 mm"},
                 {1.5e4, "1.5e+04 m"}, {2e-9, "0.002 um"}};
    char text[SHERD_LENGTH_TEXT];
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; ++k)
        cr_assert(eq(str, (char *)sherd_length_text(CASES[k].metres, text), (char *)CASES[k].text));
}
