// sherd bench: the benchmarks' entry, all that the command sees of them. Includes nothing, so that the command
// may include it while benchmarks are built on the command.
#pragma once

struct command_options;

// The benchmark that the options' input names, the explicit one without; returns the exit status.
int command_bench(const struct command_options *options);
