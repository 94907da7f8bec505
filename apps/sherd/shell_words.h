// Words of a command line as a shell takes them.
#pragma once

// Prints " WORD" to standard output, in quotes where a shell would read more into it.
void print_shell_word(const char *word);

// " OPTION VALUE"; nothing where there is no value.
void print_shell_option(const char *option, const char *value);
