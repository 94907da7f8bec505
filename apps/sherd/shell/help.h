// sherd --help and sherd COMMAND --help, made from the tables of commands and options.
#pragma once

#include "command_table.h"

#include <stdio.h>

// The list of commands: `sherd --help`.
void help_print(FILE *to);

// What a command does, its options and notes: `sherd COMMAND --help`.
void help_print_command(FILE *to, const command *c);
