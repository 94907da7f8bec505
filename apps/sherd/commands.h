// One function per command; each returns the exit status.
#pragma once

#include "options.h"

int command_run(const options *options);
int command_check(const options *options);
int command_info(const options *options);
int command_surface(const options *options);
int command_render(const options *options);
int command_bench(const options *options);
