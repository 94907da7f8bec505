#include "shell_quoting.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_-+=./:,@%^";

void print_shell_word(const char *word)
{
    if (word[0] != '\0' && word[strspn(word, PLAIN)] == '\0') {
        printf(" %s", word);
        return;
    }
    printf(" '");
    for (const char *at = word; *at != '\0'; ++at)
        if (*at == '\'')
            printf("'\\''"); // close the quotes, write an escaped quote, reopen them
        else
            putchar(*at);
    printf("'");
}

void print_shell_option(const char *option, const char *value)
{
    if (value == NULL) return;
    printf(" %s", option);
    print_shell_word(value);
}
