// The command line, parsed once for all commands.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Targets of `sherd calibrate` on the command line: --youngs-modulus and so on.
enum { ASKED_COUNT = 6 };
extern const char *const ASKED_OPTIONS[ASKED_COUNT];              // with their dashes
enum { OPTIONS_MOST_SEEDS = 128, OPTIONS_MOST_MEGABYTES = 2000 }; // of --seeds, --max-size

typedef struct command_options {
    const char *input;              // SCENE, RUN or PATH; NULL = none
    const char *output;             // -o or --out: DIR, or a file where there is only one
    const char *variant;            // --variant NAME
    const char **overrides;         // --set path=value; owned, options_free
    int override_count;             //
    int threads;                    // -j, 0 = all
    const char *simd;               // --simd LEVEL; NULL = SHERD_SIMD in the environment, or auto
    int64_t frames;                 // --frames N: frames to compute after frame 0; -1 = the scene's
    bool frame_range;               // --frames A:B, both ends included
    int64_t first;                  // A, 0 when left out
    int64_t last;                   // B; -1 when left out: the run's last
    const char *format;             // --to
    const char *only;               // --case NAME: of benchmarks
    int seeds;                      // --seeds N: of benchmarks that vary them, 0 = theirs
    const char *scenes;             // --scenes DIR: where benchmarks find theirs
    int64_t max_megabytes;          // --max-size MB: of a page; 0 = its own
    int64_t port;                   // --port: of the page's server; 0 = any
    const char *material;           // --material NAME
    const char *packing;            // --packing KIND
    const char *toughness;          // --toughness VALUE: wanted, of `sherd check`
    const char *asked[ASKED_COUNT]; // as ASKED_OPTIONS; NULL = not given
    bool resume, quiet, json, help;
    bool no_pictures; // --no-pictures: no PNG, no video
    bool no_browser;  // --no-browser: the address is only told
    bool overwrite;   // --overwrite: also files that are not known to be Sherd's
    bool reduced;     // --reduced: scenes of benchmarks at their small sizes
    bool rest;        // --rest: meshes of the undeformed bodies
} command_options;

// Fills *out from the words after the command's name. Returns 0, or the exit status after having
// said what is wrong. Free in any case.
int options_parse(command_options *out, int count, char **words);
void options_free(command_options *out);
