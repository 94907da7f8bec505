// sherd man: the manual page sherd(1), made from the tables of commands and options.
#include "command_table.h"
#include "commands.h"
#include "message.h"

#include <sherd/version.h>

#include <stdio.h>

// Escapes text for roff: copyable dashes, no requests.
static void print_roff(const char *text)
{
    if (*text == '.' || *text == '\'') printf("\\&");
    for (; *text != '\0'; ++text) {
        if (*text == '-')
            printf("\\-");
        else if (*text == '\\')
            printf("\\e");
        else
            putchar(*text);
    }
}

static void print_bold(const char *text)
{
    printf("\\fB");
    print_roff(text);
    printf("\\fR");
}

static void print_command(const command *c)
{
    const char *before = "Options:\n";
    printf(".TP\n");
    print_bold("sherd ");
    print_bold(c->name);
    printf("\\fI%s%s\\fR\n", c->operand != NULL ? " " : "", c->operand != NULL ? c->operand : "");
    print_roff(c->about);
    printf(".\n");
    if (c->words != NULL) printf("One of: %s.\n", c->words);
    for (int k = 0; k < options_count(); ++k) {
        const option_row *row = options_row(k);
        if ((row->of & c->bit) == 0 || row->of == OF_ALL) continue;
        printf("%s", before);
        print_bold(row->name);
        before = ",\n";
    }
    printf(before[0] == ',' ? ".\n" : "");
}

static void print_option(const option_row *row)
{
    printf(".TP\n");
    print_bold(row->name);
    if (row->also != NULL) {
        printf(", ");
        print_bold(row->also);
    }
    if (row->value != NULL) printf(" \\fI%s\\fR", row->value);
    printf("\n");
    print_roff(row->about);
    printf(".\n");
    char words[EXPORT_WORDS];
    if (command_choices(row, words)[0] != '\0') printf("Values: %s.\n", words);
}

int command_man(const command_options *options)
{
    if (options->input != NULL) return message_usage("takes no input", options->input, "sherd man");
    printf(".\\\" made by `sherd man`\n"
           ".TH SHERD 1 \"\" \"sherd %s\" \"User Commands\"\n"
           ".SH NAME\nsherd \\- fracture simulation with bonded discrete elements\n"
           ".SH SYNOPSIS\n\\fBsherd\\fR \\fICOMMAND\\fR [\\fIINPUT\\fR] [\\fIOPTION\\fR ...]\n"
           ".SH DESCRIPTION\n"
           "Sherd simulates how solids bend, crack and shatter. It reads a scene file and writes\n"
           "fragments, meshes, pictures, a video and curves.\n"
           ".SH COMMANDS\n",
           sherd_version());
    for (int k = 0; k < commands_count(); ++k)
        print_command(commands_get(k));
    printf(
        ".SH OPTIONS\nAfter the command, in any order. Values may be attached: -j1, --frames=3.\n");
    for (int k = 0; k < options_count(); ++k)
        print_option(options_row(k));
    printf(
        ".SH EXIT STATUS\n"
        ".TP\n0\ndone\n"
        ".TP\n1\nfailed or stopped while running; what was written stays readable and resumable\n"
        ".TP\n2\nwrong usage or wrong input\n"
        ".SH ENVIRONMENT\n"
        ".TP\nSHERD_SIMD\navx512, avx2 or baseline: the best instruction set that may be used, "
        "with \\fB\\-\\-simd\\fR too\n"
        ".SH EXAMPLES\n"
        ".nf\nsherd new ball \\-\\-kind ball\nsherd run ball.yaml\nsherd view out/ball\n.fi\n");
    return EXIT_DONE;
}
