// Prints what the compiler makes of the public headers, a line each, for test_layout.py to compare.
#include "base/layout/layout_rows.h"

#include <stddef.h>
#include <stdio.h>

#define STRUCT(name) {#name, "", sizeof(name), 0},
#define MEMBER(name, member)                                                                       \
    {#name, #member, sizeof(((name *)NULL)->member), offsetof(name, member)},
#define VALUE(name)

typedef struct row {
    const char *name, *member;
    size_t size, offset;
} row;

typedef struct value_row {
    const char *name;
    long long value;
} value_row;

static const row ROWS[] = {SHERD_LAYOUT_ROWS(STRUCT, MEMBER, VALUE)};

#undef STRUCT
#undef MEMBER
#undef VALUE
#define STRUCT(name)
#define MEMBER(name, member)
#define VALUE(name) {#name, (long long)(name)},

static const value_row VALUES[] = {SHERD_LAYOUT_ROWS(STRUCT, MEMBER, VALUE)};

int main(void)
{
    for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; ++k)
        printf("%s%s%s %zu %zu\n", ROWS[k].name, ROWS[k].member[0] != '\0' ? "." : "",
               ROWS[k].member, ROWS[k].size, ROWS[k].offset);
    for (size_t k = 0; k < sizeof VALUES / sizeof *VALUES; ++k)
        printf("%s %lld\n", VALUES[k].name, VALUES[k].value);
    return 0;
}
