#include "command_table.h"

#include "bench/bench.h"
#include "calibrate.h"
#include "commands.h"

#include <string.h>

static void print_new_notes(FILE *to)
{
    fputs("Without --kind, --material and --detail it asks for them.\n", to);
}

static void print_run_notes(FILE *to)
{
    fputs("Results go to out/NAME, or out/NAME-VARIANT: run.sherd (all frames), stats.csv, "
          "report.html,\n"
          "and the pictures, video and meshes that the scene's `output` selects. Ctrl-C stops "
          "after the\n"
          "present step; --resume goes on from there.\n",
          to);
}

static void print_replay_notes(FILE *to)
{
    fputs("Pictures and meshes are made from run.sherd. --set takes output.KEY=VALUE and colours, "
          "as in\n"
          "--set output.render.camera=...; settings that change the simulation need a new run.\n",
          to);
}

static void print_completion_notes(FILE *to)
{
    fputs("bash: . <(sherd completion bash)\n", to);
}

static void print_paper_notes(FILE *to)
{
    fputs("NAME is one of --list, how some of them begin, such as bdem21, or a method that papers "
          "compare\nwith, such as fem: its rows; without it all are made. Rows that are done are "
          "read again, stopped\nones go on.\n",
          to);
}

static void print_man_notes(FILE *to)
{
    fputs("sherd man | man -l -\n", to);
}

static const char BENCHMARKS[] = "explicit implicit rods optimizers fracture contact breakage "
                                 "surface pictures packing regions mpm spheres transfers threads";

static const char MATERIALS[] = "glass ceramic plaster concrete brick granite chocolate ice wood "
                                "rubber steel aluminium sand clay";

// Beginnings of the names of items, and methods.
static const char PAPERS[] = "bdem21 ibdem25 vbdem rbdem mpmg springs peridynamics cd-mpm fem";

static const command ROWS[] = {
    {"new", OF_NEW, command_new, INPUT_NAME, "NAME", NULL, print_new_notes,
     "write NAME.yaml, a commented scene to start from"},
    {"check", OF_CHECK, command_check, INPUT_SCENE, "SCENE", NULL, NULL,
     "report all errors of a scene; predict elements, memory, time step and run time"},
    {"run", OF_RUN, command_run, INPUT_SCENE, "SCENE", NULL, print_run_notes,
     "simulate a scene; write its frames, curves, pictures, video and report to a folder"},
    {"view", OF_VIEW, command_view, INPUT_RUN_OR_SCENE, "RUN|SCENE", NULL, NULL,
     "show a run in the browser, or a scene before and while it is simulated"},
    {"render", OF_RENDER, command_render, INPUT_RUN, "RUN", NULL, print_replay_notes,
     "make pictures and the video of a run again"},
    {"export", OF_EXPORT, command_export, INPUT_RUN, "RUN", NULL, export_print_formats,
     "write files for other programs from a run"},
    {"surface", OF_SURFACE, command_surface, INPUT_RUN, "RUN", NULL, print_replay_notes,
     "write the fragments' meshes, a PLY file per frame, as export to ply does"},
    {"info", OF_INFO, command_info, INPUT_PATH, "PATH", NULL, NULL,
     "describe a scene, a mesh or a run"},
    {"materials", OF_MATERIALS, command_materials, INPUT_WORD, "[NAME]", MATERIALS, NULL,
     "list solids that scenes can name, or one with its values, ranges and sources"},
    {"calibrate", OF_CALIBRATE, command_calibrate, INPUT_SCENE, "[SCENE]", NULL,
     calibrate_print_notes, "find bonds that give a solid the requested stiffness and strength"},
    {"bench", OF_BENCH, command_bench, INPUT_WORD, "[BENCHMARK]", BENCHMARKS, NULL,
     "measure speed, memory and what breaks"},
    {"paper", OF_PAPER, command_paper, INPUT_WORD, "[NAME]", PAPERS, print_paper_notes,
     "regenerate tables and figures of papers as CSV and SVG, beside the papers' numbers"},
    {"doctor", OF_DOCTOR, command_doctor, INPUT_NONE, NULL, NULL, NULL,
     "report what this build and this machine can do, and what is missing"},
    {"completion", OF_COMPLETION, command_completion, INPUT_WORD, "SHELL", "bash zsh fish",
     print_completion_notes, "print the completion of commands and options for a shell"},
    {"man", OF_MAN, command_man, INPUT_NONE, NULL, NULL, print_man_notes, "print the manual page"},
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
