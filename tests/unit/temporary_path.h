// A file for one test to write: `.init = make_path, .fini = remove_path`.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[64];

static void make_path(void)
{
    snprintf(path, sizeof path, "/tmp/sherd-test-XXXXXX");
    close(mkstemp(path));
}

static void remove_path(void)
{
    unlink(path);
}
