// Quotes words for a shell.
#pragma once

// Prints " WORD" to standard output, quoted if a shell would interpret it.
void print_shell_word(const char *word);

// Prints " OPTION VALUE"; nothing if there is no value.
void print_shell_option(const char *option, const char *value);
