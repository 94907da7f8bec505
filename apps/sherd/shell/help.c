#include "shell/help.h"

#include <string.h>

enum {
    TEXT_COLUMN = 29, // where descriptions begin
    LINE_END = 96,    // width of lines
    TITLE_SIZE = 96,
};

// Prints text from the present position, `column`; wraps lines between words and indents them.
static void print_wrapped(FILE *to, const char *text, int column)
{
    int at = column;
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (at > column && at + 1 + length > LINE_END) {
            fprintf(to, "\n%*s", column, "");
            at = column;
        } else if (at > column) {
            fputc(' ', to);
            ++at;
        }
        fprintf(to, "%.*s", length, text);
        at += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', to);
}

// Prints a name and, in a column of its own, its description.
static void print_item(FILE *to, const char *name, const char *about)
{
    int width = fprintf(to, "  %s", name);
    if (width >= TEXT_COLUMN) {
        fputc('\n', to);
        width = 0;
    }
    fprintf(to, "%*s", TEXT_COLUMN - width, "");
    print_wrapped(to, about, TEXT_COLUMN);
}

static void print_option(FILE *to, const option_row *row)
{
    char name[TITLE_SIZE], values[EXPORT_WORDS], about[2 * EXPORT_WORDS];
    snprintf(name, sizeof name, "%s%s%s%s%s", row->name, row->also != NULL ? ", " : "",
             row->also != NULL ? row->also : "", row->value != NULL ? " " : "",
             row->value != NULL ? row->value : "");
    bool listed = command_choices(row, values)[0] != '\0';
    snprintf(about, sizeof about, "%s%s%s", row->about, listed ? "; one of " : "",
             listed ? values : "");
    print_item(to, name, about);
}

static const char *command_title(const command *c, char title[TITLE_SIZE])
{
    snprintf(title, TITLE_SIZE, "sherd %s%s%s", c->name, c->operand != NULL ? " " : "",
             c->operand != NULL ? c->operand : "");
    return title;
}

void help_print(FILE *to)
{
    char title[TITLE_SIZE];
    fputs("Sherd simulates how solids bend, crack and shatter.\n"
          "\n"
          "usage: sherd COMMAND [INPUT] [OPTION ...]\n"
          "\n",
          to);
    for (int k = 0; k < commands_count(); ++k)
        print_item(to, command_title(commands_get(k), title), commands_get(k)->about);
    fputs(
        "\n"
        "  sherd COMMAND --help       options of a command\n"
        "  sherd --version            version of Sherd\n"
        "\n"
        "SCENE is a scene file (docs/reference/scene.md), RUN the folder that `sherd run` wrote.\n"
        "First steps:\n"
        "\n"
        "  sherd new ball --kind ball\n"
        "  sherd run ball.yaml\n"
        "  sherd view out/ball\n"
        "\n"
        "Exit status: 0 done; 1 failed or stopped while running, what was written can be read and\n"
        "resumed; 2 wrong usage or input.\n",
        to);
}

void help_print_command(FILE *to, const command *c)
{
    char title[TITLE_SIZE];
    fprintf(to, "usage: %s [OPTION ...]\n\n", command_title(c, title));
    print_wrapped(to, c->about, 0);
    if (c->words != NULL) {
        fputs("One of: ", to);
        print_wrapped(to, c->words, 8);
    }
    fputc('\n', to);
    for (int k = 0; k < options_count(); ++k)
        if ((options_row(k)->of & c->bit) != 0) print_option(to, options_row(k));
    if (c->notes != NULL) {
        fputc('\n', to);
        c->notes(to);
    }
}
