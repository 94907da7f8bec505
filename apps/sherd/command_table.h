// All commands: what main looks up, and what completion and the manual page are made of.
#pragma once

#include "export.h"
#include "options.h"

#include <stdio.h>

// What a command's one word without dashes is.
typedef enum command_input {
    INPUT_NONE = 0,
    INPUT_SCENE,        // a file *.yaml
    INPUT_RUN,          // a folder
    INPUT_RUN_OR_SCENE, // either
    INPUT_PATH,         // any file or folder
    INPUT_NAME,         // of something new
    INPUT_WORD,         // one of `words`
} command_input;

typedef struct command {
    const char *name;
    unsigned bit; // of option_row.of
    int (*run)(const command_options *);
    void (*help)(FILE *to);
    command_input input;
    const char *words; // of INPUT_WORD, with blanks between
    const char *about; // a line without a full stop
} command;

int commands_count(void);
const command *commands_get(int index);

// Of sherd --help, and of the commands that have none of their own.
void command_print_help(FILE *to);

// Words that an option takes, with blanks between; "" where any will do.
const char *command_choices(const option_row *row, char text[EXPORT_WORDS]);
