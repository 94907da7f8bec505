// sherd: the command. Built on the library's public headers only.
#include "commands.h"
#include "message.h"

#include <sherd/version.h>

#include <stdio.h>
#include <string.h>

static const char HELP[] =
    "sherd breaks things: fracture simulation with bonded discrete elements\n"
    "\n"
    "  sherd run SCENE [-o DIR]      simulate; leaves pictures, video, meshes, curves, report in "
    "DIR\n"
    "      --variant NAME            use a variant of the scene, e.g. paper\n"
    "      --set path=value          change one setting, e.g. --set duration=\"10 ms\"; "
    "repeatable\n"
    "      --frames N                stop after N frames\n"
    "      --resume                  go on where DIR's last run stopped, bit for bit\n"
    "      --no-pictures             no PNG frames and no video\n"
    "      -j THREADS  --quiet\n"
    "  sherd check SCENE             validate; predict elements, bonds, memory, time step, run "
    "time\n"
    "  sherd info PATH               what a scene, mesh or run folder holds\n"
    "  sherd surface RUN [-o DIR]    PLY meshes of all fragments, one file per frame\n"
    "  sherd render RUN [-o DIR]     pictures and video of a finished or stopped run\n"
    "  sherd bench [explicit]        measure bond steps per second, memory; --json\n"
    "  sherd --help | --version\n"
    "\n"
    "Exit status: 0 done, 1 failed while running (what was written stays readable and resumable),\n"
    "2 wrong usage or wrong input. Scene files are described in docs/scene.md.\n";

typedef struct command {
    const char *name;
    int (*run)(const command_options *);
} command;

static const command COMMANDS[] = {
    {"run", command_run},         {"check", command_check},   {"info", command_info},
    {"surface", command_surface}, {"render", command_render}, {"bench", command_bench},
};

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        fputs(HELP, argc < 2 ? stderr : stdout);
        return argc < 2 ? EXIT_USAGE : EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("sherd %s\n", sherd_version());
        return EXIT_DONE;
    }
    command_options parsed;
    int status = options_parse(&parsed, argc - 2, argv + 2);
    if (status != 0) return status;
    if (parsed.help) {
        fputs(HELP, stdout);
        return EXIT_DONE;
    }
    for (size_t k = 0; k < sizeof COMMANDS / sizeof COMMANDS[0]; ++k)
        if (strcmp(argv[1], COMMANDS[k].name) == 0) return COMMANDS[k].run(&parsed);
    return message_usage("unknown command", argv[1], "sherd --help lists them");
}
