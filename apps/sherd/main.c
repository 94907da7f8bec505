// sherd: the command. Built on the library's public headers only.
#include "command_table.h"
#include "export.h"
#include "message.h"
#include "standard_streams.h"

#include <sherd/simd.h>
#include <sherd/version.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

static const char HELP_ABOVE[] =
    "sherd breaks things: fracture simulation with bonded discrete elements\n"
    "\n"
    "  sherd new NAME                write NAME.yaml, a commented scene to begin with; asks three "
    "questions\n"
    "      --kind K --material M     plate (default), ball, beam, cloth, points; of what\n"
    "      --detail LEVEL            coarse, medium (default), fine\n"
    "  sherd run SCENE [-o DIR]      simulate; leaves pictures, video, meshes, curves, report in "
    "DIR\n"
    "      --variant NAME            use a variant of the scene, e.g. paper\n"
    "      --set path=value          change one setting, e.g. --set duration=\"10 ms\"; "
    "repeatable\n"
    "      --frames N                stop after N frames\n"
    "      --resume                  go on where DIR's last run stopped, bit for bit\n"
    "      --overwrite               also over files that Sherd did not write; export, "
    "render,\n"
    "                                calibrate and bench too\n"
    "      --no-pictures             no PNG frames and no video\n"
    "      --quality preview         quick pictures, or final; check, render too\n"
    "      -j THREADS  --quiet\n"
    "      --simd LEVEL              auto (default), avx512, avx2 or baseline, for every command;\n"
    "                                SHERD_SIMD in the environment is the best allowed. avx512\n"
    "                                and avx2 give the same results, but for material points: by\n"
    "                                rounding\n"
    "  sherd check SCENE             validate; predict elements, bonds, memory, time step, run "
    "time\n"
    "      --toughness \"0.7 MPa m^0.5\"  which radius of elements gives calibrated solids that "
    "K_Ic\n"
    "  sherd info PATH               contents of a scene, mesh or run folder\n"
    "  sherd surface RUN [-o DIR]    PLY meshes of all fragments, one file per frame\n"
    "      --rest                    undeformed, where fragments touch exactly\n"
    "  sherd export RUN --to FORMAT  ";
static const char HELP_BELOW[] =
    "; sherd export --help\n"
    "      --frames A:B [-o PLACE]\n"
    "  sherd render RUN [-o DIR]     pictures and video of a finished or stopped run\n"
    "      --frames A:B              of some frames only\n"
    "      --scene FILE              looks of the scene as it is now: colours, appearance, camera; "
    "likewise\n"
    "      --set output.KEY=VALUE    another camera, method of surfaces, ...; export, surface too\n"
    "  sherd view RUN|SCENE          the run in the browser; the scene as packed, and while it "
    "runs\n"
    "      --port N  --no-browser    where it listens, on this machine only; only tell the "
    "address\n"
    "  sherd materials [NAME]        well-known solids by name: figures, ranges, sources; in "
    "scenes "
    "like: NAME\n"
    "  sherd calibrate SCENE         bonds that give its solids the requested properties; sherd "
    "calibrate --help\n"
    "  sherd bench "
    "[explicit|implicit|rods|mpm|spheres|transfers|fracture|contact|breakage|surface|pictures|"
    "packing]\n"
    "                                measure speed, memory, what breaks; --json\n"
    "      --case NAME               explicit, implicit, rods, mpm, fracture, surface, pictures: "
    "one "
    "of their cases only\n"
    "      --seeds N -o DIR          fracture: runs a scheme; table and figures go to DIR\n"
    "      -o DIR                    pictures: leaves them in DIR, and references that later calls "
    "take from there\n"
    "      --scenes DIR --frames N   implicit, rods: where scenes are, for how many frames\n"
    "      --reduced                 rods, mpm: small sizes; rods without the paper's figures; "
    "pictures: "
    "measured once, rough errors\n"
    "      --row NAME --transfer NAME|all --step FACTOR --spacing FACTOR  transfers: one row, one "
    "or all\n"
    "                                columns, shorter steps, other spacings of points\n"
    "  sherd bench optimizers [-o DIR]  compare minimisers: tables and figures in DIR\n"
    "  sherd doctor                  what this build and this machine can do; status 0 where a run "
    "works\n"
    "  sherd completion SHELL        completion for bash, zsh or fish: . <(sherd completion bash)\n"
    "  sherd man                     the manual page: sherd man | man -l -\n"
    "  sherd --help | --version\n"
    "\n"
    "Values may be attached: -j1 as -j 1, --frames=3 as --frames 3.\n"
    "Exit status: 0 done, 1 failed or stopped while running (what was written stays readable and\n"
    "resumable), 2 wrong usage or wrong input. Scene files are described in "
    "docs/reference/scene.md.\n";

void command_print_help(FILE *to)
{
    char words[EXPORT_WORDS];
    fprintf(to, "%s%s%s", HELP_ABOVE, export_words(", ", words), HELP_BELOW);
}

static int run_command(const command *c, int count, char **words)
{
    command_options parsed;
    int status = options_parse(&parsed, count, words);
    sherd_error error;
    if (status == 0 && !parsed.help && sherd_simd_choose(parsed.simd, &error) != SHERD_OK) {
        message_error(&error);
        status = EXIT_USAGE;
    }
    if (status == 0 && !parsed.help)
        status = c->run(&parsed);
    else if (status == 0)
        c->help(stdout);
    options_free(&parsed);
    return status;
}

static int run_words(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        command_print_help(argc < 2 ? stderr : stdout);
        return argc < 2 ? EXIT_USAGE : EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("sherd %s\n", sherd_version());
        return EXIT_DONE;
    }
    for (int k = 0; k < commands_count(); ++k)
        if (strcmp(argv[1], commands_get(k)->name) == 0)
            return run_command(commands_get(k), argc - 2, argv + 2);
    return message_usage("unknown command", argv[1], "sherd --help lists them");
}

// Each picture and surface allocates and frees memory. If it were returned to the system, clearing
// its pages again would cost 15 % of a picture. So up to some hundred megabytes of free memory are
// retained.
static void keep_memory(void)
{
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // larger arrays are returned [bytes]; glibc's maximum
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

int main(int argc, char **argv)
{
    keep_memory();
    if (!standard_streams_open()) return EXIT_FAILED;
    signal(SIGXFSZ, SIG_IGN); // report file size limits as ordinary write errors
    int status = run_words(argc, argv);
    return standard_output_flush() || status != EXIT_DONE ? status : EXIT_FAILED;
}
