// sherd completion: prints completion scripts for bash, zsh and fish, made from the tables of
// commands and options.
#include "command_table.h"
#include "commands.h"
#include "message.h"

#include <stdio.h>
#include <string.h>

static bool takes_folder(const option_row *row)
{
    return row->value != NULL && strcmp(row->value, "DIR") == 0;
}

// Prints every option of a command with its description, formatted by `print`.
static void print_options(unsigned bit, void (*print)(const option_row *row, const char *name))
{
    for (int k = 0; k < options_count(); ++k) {
        const option_row *row = options_row(k);
        if ((row->of & bit) == 0) continue;
        print(row, row->name);
        if (row->also != NULL) print(row, row->also);
    }
}

// ---------------------------------------------------------------- bash

static void print_bash_option(const option_row *row, const char *name)
{
    (void)row;
    printf(" %s", name);
}

static void print_bash_values(void)
{
    char text[EXPORT_WORDS];
    printf("    case \"$before\" in\n");
    for (int k = 0; k < options_count(); ++k) {
        const option_row *row = options_row(k);
        if (row->value == NULL) continue;
        printf("    %s%s%s) ", row->name, row->also != NULL ? "|" : "",
               row->also != NULL ? row->also : "");
        if (command_choices(row, text)[0] != '\0')
            printf("COMPREPLY=($(compgen -W '%s' -- \"$word\")) ;;\n", text);
        else if (takes_folder(row))
            printf("compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "
                   "\"$word\") ;;\n");
        else
            printf("COMPREPLY=() ;;\n");
    }
    printf("    *) return 1 ;;\n    esac\n    return 0\n");
}

// Completes the positional argument.
static void print_bash_input(const command *c)
{
    switch (c->input) {
    case INPUT_WORD:
        printf("words='%s'", c->words);
        break;
    case INPUT_SCENE:
        printf("files='*.@(yaml|yml)'");
        break;
    case INPUT_RUN:
        printf("files='/'"); // matches no file: only folders
        break;
    case INPUT_RUN_OR_SCENE:
    case INPUT_PATH:
        printf("files='*'");
        break;
    default:
        break;
    }
}

static void print_bash(void)
{
    printf("# bash completion of sherd, made by `sherd completion bash`\n"
           "_sherd_value() {\n");
    print_bash_values();
    printf("}\n\n"
           "_sherd() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options='' "
           "words='' files='' name\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '--help --version");
    for (int k = 0; k < commands_count(); ++k)
        printf(" %s", commands_get(k)->name);
    printf("' -- \"$word\"))\n        return\n    fi\n"
           "    _sherd_value && return\n"
           "    case \"${COMP_WORDS[1]}\" in\n");
    for (int k = 0; k < commands_count(); ++k) {
        const command *c = commands_get(k);
        printf("    %s) options='", c->name);
        print_options(c->bit, print_bash_option);
        printf("'; ");
        print_bash_input(c);
        printf(" ;;\n");
    }
    printf("    esac\n"
           "    case \"$word\" in\n"
           "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
           "    *)\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "        [ -n \"$files\" ] || return\n"
           "        compopt -o filenames 2>/dev/null\n"
           "        local extglob=$(shopt -p extglob)\n"
           "        shopt -s extglob\n"
           "        while IFS= read -r name; do\n"
           "            [[ -d $name || $name == $files ]] && COMPREPLY+=(\"$name\")\n"
           "        done < <(compgen -f -- \"$word\")\n"
           "        $extglob\n"
           "        ;;\n"
           "    esac\n"
           "}\n"
           "complete -F _sherd sherd\n");
}

// ---------------------------------------------------------------- zsh

// Escapes text for single quotes and for the brackets and colons of _arguments and _describe.
static void print_zsh_text(const char *text)
{
    for (; *text != '\0'; ++text) {
        if (*text == '\'')
            printf("'\\''");
        else if (strchr("[]:", *text) != NULL)
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void print_zsh_option(const option_row *row, const char *name)
{
    char text[EXPORT_WORDS];
    printf(" \\\n            '%s%s[", row->kind == OPTION_SETTING ? "*" : "", name);
    print_zsh_text(row->about);
    printf("]");
    if (row->value != NULL) {
        printf(":%s:", row->value[0] == 'N' ? "value" : row->value);
        if (command_choices(row, text)[0] != '\0')
            printf("(%s)", text);
        else if (takes_folder(row))
            printf("_files -/");
    }
    printf("'");
}

static void print_zsh_input(const command *c)
{
    static const char *const FILES[] = {[INPUT_SCENE] = "scene:_files -g \"*.(yaml|yml)\"",
                                        [INPUT_RUN] = "run:_files -/",
                                        [INPUT_RUN_OR_SCENE] = "run or scene:_files",
                                        [INPUT_PATH] = "path:_files",
                                        [INPUT_NAME] = "name:"};
    if (c->input == INPUT_WORD)
        printf(" \\\n            '1:word:(%s)'", c->words);
    else if (c->input != INPUT_NONE)
        printf(" \\\n            '1:%s'", FILES[c->input]);
}

static void print_zsh(void)
{
    printf("#compdef sherd\n# zsh completion of sherd, made by `sherd completion zsh`\n"
           "_sherd() {\n"
           "    local -a commands\n"
           "    commands=(\n");
    for (int k = 0; k < commands_count(); ++k) {
        printf("        '%s:", commands_get(k)->name);
        print_zsh_text(commands_get(k)->about);
        printf("'\n");
    }
    printf("    )\n"
           "    if (( CURRENT == 2 )); then\n"
           "        _describe command commands\n"
           "        compadd -- --help --version\n"
           "        return\n"
           "    fi\n"
           "    local name=$words[2]\n"
           "    shift words\n"
           "    (( CURRENT-- ))\n"
           "    case $name in\n");
    for (int k = 0; k < commands_count(); ++k) {
        printf("    %s)\n        _arguments", commands_get(k)->name);
        print_options(commands_get(k)->bit, print_zsh_option);
        print_zsh_input(commands_get(k));
        printf("\n        ;;\n");
    }
    printf(
        "    esac\n}\n"
        "if [ \"$funcstack[1]\" = _sherd ]; then _sherd \"$@\"; else compdef _sherd sherd; fi\n");
}

// ---------------------------------------------------------------- fish

// Escapes text for single quotes.
static void print_fish_text(const char *text)
{
    for (; *text != '\0'; ++text)
        printf(strchr("'\\", *text) != NULL ? "\\%c" : "%c", *text);
}

static void print_fish_option(const option_row *row)
{
    char text[EXPORT_WORDS];
    const char *names[] = {row->name, row->also};
    printf("complete -c sherd -n '__fish_seen_subcommand_from");
    for (int k = 0; k < commands_count(); ++k)
        if ((row->of & commands_get(k)->bit) != 0) printf(" %s", commands_get(k)->name);
    printf("'");
    for (int k = 0; k < 2; ++k)
        if (names[k] != NULL)
            printf(names[k][1] == '-' ? " -l %s" : " -s %s", names[k] + 1 + (names[k][1] == '-'));
    if (command_choices(row, text)[0] != '\0')
        printf(" -x -a '%s'", text);
    else if (takes_folder(row))
        printf(" -x -a '(__fish_complete_directories)'");
    else if (row->value != NULL)
        printf(" -x");
    printf(" -d '");
    print_fish_text(row->about);
    printf("'\n");
}

// Completes the positional argument; without this fish completes files.
static void print_fish_input(const command *c)
{
    printf("complete -c sherd -n '__fish_seen_subcommand_from %s' -f", c->name);
    if (c->input == INPUT_WORD)
        printf(" -a '%s'", c->words);
    else if (c->input == INPUT_RUN)
        printf(" -a '(__fish_complete_directories)'");
    else if (c->input == INPUT_SCENE) // and folders, which may contain scenes
        printf(" -a '(__fish_complete_suffix .yaml | string match -r "
               "\"^.*(?:/|\\\\.ya?ml)(?:\\\\t.*)?\\$\")'");
    printf("\n");
}

static void print_fish(void)
{
    printf("# fish completion of sherd, made by `sherd completion fish`\n"
           "complete -c sherd -n __fish_use_subcommand -f -l help -l version\n");
    for (int k = 0; k < commands_count(); ++k) {
        const command *c = commands_get(k);
        printf("complete -c sherd -n __fish_use_subcommand -f -a %s -d '", c->name);
        print_fish_text(c->about);
        printf("'\n");
        if (c->input != INPUT_PATH && c->input != INPUT_RUN_OR_SCENE) print_fish_input(c);
    }
    for (int k = 0; k < options_count(); ++k)
        print_fish_option(options_row(k));
}

int command_completion(const command_options *options)
{
    if (options->input == NULL)
        return message_usage("for which shell?", NULL, "sherd completion bash, zsh or fish");
    if (strcmp(options->input, "bash") == 0)
        print_bash();
    else if (strcmp(options->input, "zsh") == 0)
        print_zsh();
    else if (strcmp(options->input, "fish") == 0)
        print_fish();
    else
        return message_usage("unknown shell", options->input, "there are: bash, zsh, fish");
    return EXIT_DONE;
}
