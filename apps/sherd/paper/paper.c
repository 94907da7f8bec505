// sherd paper: regenerates tables and figures of the papers.
#include "commands.h"

#include "message.h"
#include "paper/paper_items.h"
#include "paper/paper_measure.h"
#include "paper/paper_output.h"
#include "paper/paper_run.h"
#include "paper/paper_select.h"
#include "run/stop_request.h"

#include <sherd/file.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The items with the commands of their rows, whose scenes are read.
static int print_list(const command_options *options)
{
    int code = EXIT_DONE, found = 0;
    for (int k = 0; k < paper_item_count(); ++k) {
        const paper_item *item = paper_item_get(k);
        if (!paper_item_is_asked_for(item, options)) continue;
        ++found;
        printf("%-20s %s: %s\n", item->name, item->paper, item->title);
        for (int r = 0; r < item->row_count; ++r) {
            if (!paper_row_is_asked_for(item, &item->rows[r], options)) continue;
            int now = paper_print_command(&item->rows[r], options);
            if (now != EXIT_DONE) code = now;
        }
    }
    return found > 0 ? code : paper_nothing_found(options);
}

// A row's label as a folder's name: "BDEM, low" gives "bdem-low".
static void folder_name(const char *label, char name[64])
{
    int used = 0;
    for (const char *at = label; *at != '\0' && used < 63; ++at) {
        char c = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
        bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.';
        if (plain)
            name[used++] = c;
        else if (used > 0 && name[used - 1] != '-')
            name[used++] = '-';
    }
    while (used > 0 && name[used - 1] == '-')
        --used;
    name[used] = '\0';
}

static void measure_row(paper_table *table, int r)
{
    const paper_item *item = table->item;
    const char *folder = table->folders[r];
    table->elements[r] = paper_last(folder, &(paper_column){.y = {"stats.csv", NULL, "elements"}});
    for (int c = 0; c < item->column_count; ++c) {
        int of = item->columns[c].quotient_of - 1;
        if (of >= 0) {
            table->figures[r][c] =
                r % 2 == 1 ? table->figures[r - 1][of] / table->figures[r][of] : NAN;
            continue;
        }
        double factor = item->rows[r].factor[c];
        table->figures[r][c] =
            item->columns[c].measure(folder, &item->columns[c]) * (factor != 0.0 ? factor : 1.0);
    }
}

// Runs the rows one after the other. Goes on after one that fails, whose figures are then missing.
static int run_rows(paper_table *table, const char *folder, const command_options *options)
{
    const paper_item *item = table->item;
    int code = EXIT_DONE;
    for (int r = 0; r < item->row_count; ++r) {
        char name[64];
        table->elements[r] = NAN;
        for (int c = 0; c < item->column_count; ++c)
            table->figures[r][c] = NAN;
        if (item->rows[r].scene == NULL || !paper_row_is_asked_for(item, &item->rows[r], options))
            continue;
        folder_name(item->rows[r].label, name);
        snprintf(table->folders[r], PAPER_FOLDER, "%s/%s", folder, name);
        int now = paper_run_row(&item->rows[r], table->folders[r], options);
        if (now == EXIT_DONE)
            measure_row(table, r);
        else
            code = now;
        if (sherd_stop_requested(stop_request())) break;
    }
    return code;
}

static int regenerate(const paper_item *item, const command_options *options)
{
    char folder[PAPER_FOLDER - 64];
    sherd_error error = {0};
    snprintf(folder, sizeof folder, "%s/%s%s",
             options->output != NULL ? options->output : "out/papers", item->name,
             options->full ? "-full" : "");
    if (sherd_folder_create(folder, &error) != SHERD_OK) return message_error(&error);
    paper_table *table = calloc(1, sizeof *table);
    if (table == NULL) return EXIT_FAILED;
    table->item = item, table->full = options->full;
    int code = run_rows(table, folder, options);
    if (!sherd_stop_requested(stop_request())) {
        paper_print(table);
        if (paper_write(table, folder, &error) != SHERD_OK)
            code = message_error(&error);
        else
            printf("  in %s: table.csv, table.svg%s\n\n", folder,
                   paper_has_curves(item) ? ", curves.csv, curves.svg" : "");
    }
    free(table);
    return code;
}

int command_paper(const command_options *options)
{
    const char *scenes = options->scenes != NULL ? options->scenes : "scenes";
    if (!sherd_folder_exists(scenes))
        return message_usage("no folder of scenes", scenes, "--scenes DIR says where they are");
    if (options->list) return print_list(options);
    int code = EXIT_DONE, found = 0;
    for (int k = 0; k < paper_item_count() && !sherd_stop_requested(stop_request()); ++k) {
        const paper_item *item = paper_item_get(k);
        if (!paper_item_is_asked_for(item, options)) continue;
        ++found;
        int now = regenerate(item, options);
        if (now != EXIT_DONE) code = now;
        fflush(stdout);
    }
    return found > 0 ? code : paper_nothing_found(options);
}
