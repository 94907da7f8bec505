#include "command_table.h"

#include "bench/bench.h"
#include "calibrate.h"
#include "commands.h"

#include <string.h>

static void print_calibrate_help(FILE *to)
{
    fputs(CALIBRATE_HELP, to);
}

static const char BENCHMARKS[] = "explicit implicit rods optimizers fracture contact breakage "
                                 "surface pictures packing regions mpm spheres transfers";

static const char MATERIALS[] = "glass ceramic plaster concrete brick granite chocolate ice wood "
                                "rubber steel aluminium sand clay";

static const command ROWS[] = {
    {"new", OF_NEW, command_new, command_print_help, INPUT_NAME, NULL,
     "write NAME.yaml, a commented scene to begin with; asks three questions without flags"},
    {"run", OF_RUN, command_run, command_print_help, INPUT_SCENE, NULL,
     "simulate; leaves pictures, video, meshes, curves and a report in a folder"},
    {"check", OF_CHECK, command_check, command_print_help, INPUT_SCENE, NULL,
     "validate a scene; predict elements, bonds, memory, time step and run time"},
    {"info", OF_INFO, command_info, command_print_help, INPUT_PATH, NULL,
     "contents of a scene, mesh or run folder"},
    {"surface", OF_SURFACE, command_surface, command_print_help, INPUT_RUN, NULL,
     "PLY meshes of all fragments, one file per frame"},
    {"export", OF_EXPORT, command_export, export_print_help, INPUT_RUN, NULL,
     "files for other programs, without simulating again"},
    {"render", OF_RENDER, command_render, command_print_help, INPUT_RUN, NULL,
     "pictures and video of a finished or stopped run"},
    {"view", OF_VIEW, command_view, command_print_help, INPUT_RUN_OR_SCENE, NULL,
     "a run in the browser, or a scene as packed and while it runs"},
    {"calibrate", OF_CALIBRATE, command_calibrate, print_calibrate_help, INPUT_SCENE, NULL,
     "bonds that give solids the requested properties"},
    {"bench", OF_BENCH, command_bench, command_print_help, INPUT_WORD, BENCHMARKS,
     "measure speed, memory and what breaks"},
    {"materials", OF_MATERIALS, command_materials, command_print_help, INPUT_WORD, MATERIALS,
     "well-known solids that scenes can name, with figures; all of one with ranges and sources"},
    {"doctor", OF_DOCTOR, command_doctor, command_print_help, INPUT_NONE, NULL,
     "what this build and this machine can do, and what is missing"},
    {"completion", OF_COMPLETION, command_completion, command_print_help, INPUT_WORD,
     "bash zsh fish", "a shell's completion of this command, to be loaded by it"},
    {"man", OF_MAN, command_man, command_print_help, INPUT_NONE, NULL, "the manual page, for man"},
};

int commands_count(void)
{
    return (int)(sizeof ROWS / sizeof ROWS[0]);
}

const command *commands_get(int index)
{
    return &ROWS[index];
}

const char *command_choices(const option_row *row, char text[EXPORT_WORDS])
{
    text[0] = '\0';
    if (row->offset == offsetof(command_options, format) && row->kind == OPTION_TEXT) {
        export_words(", ", text);
        for (char *comma = text; (comma = strchr(comma, ',')) != NULL;)
            memmove(comma, comma + 1, strlen(comma));
    } else if (row->choices != NULL) {
        snprintf(text, EXPORT_WORDS, "%s", row->choices);
    }
    return text;
}
