#include "base/assertion.h"

#include <stdio.h>
#include <stdlib.h>

__attribute__((weak)) void sherd_assertion_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "sherd: %s:%d: %s does not hold: a bug, please report it\n", file, line,
            condition);
    abort();
}
