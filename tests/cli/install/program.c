// Built against an installed copy through pkg-config: a header, a function of the library, a link.
#include <sherd/world.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *name = sherd_status_name(SHERD_OK);
    printf("%s\n", name);
    return strlen(name) == 0;
}
