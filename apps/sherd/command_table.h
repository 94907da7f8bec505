// The table of commands, used by main, help, completion and the manual page.
#pragma once

#include "export.h"
#include "options.h"

#include <stdio.h>

// Kind of a command's positional argument.
typedef enum command_input {
    INPUT_NONE = 0,
    INPUT_SCENE,        // a file *.yaml
    INPUT_RUN,          // a folder
    INPUT_RUN_OR_SCENE, // either
    INPUT_PATH,         // any file or folder
    INPUT_NAME,         // name of something new
    INPUT_WORD,         // one of `words`
} command_input;

typedef struct command {
    const char *name;
    unsigned bit; // bit in option_row.of
    int (*run)(const command_options *);
    command_input input;
    const char *operand; // name of the input in help: "SCENE"; NULL: none
    const char *words;   // of INPUT_WORD, separated by blanks
    void (*notes)(
        FILE *to);     // prints what `sherd COMMAND --help` says below the options; may be NULL
    const char *about; // one line without a full stop
} command;

int commands_count(void);
const command *commands_get(int index);

// Valid values of an option, separated by blanks; "" for any value.
const char *command_choices(const option_row *row, char text[EXPORT_WORDS]);
