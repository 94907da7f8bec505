// The command line, parsed once for all commands.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Targets of `sherd calibrate` on the command line: --youngs-modulus and so on.
enum { ASKED_COUNT = 6 };
enum {
    OPTIONS_MAX_SEEDS = 128,        // of --seeds
    OPTIONS_MAX_MEGABYTES = 2000,   // of --max-size
    OPTIONS_MAX_PIECES = 2000,      // of --pieces
    OPTIONS_MAX_ELEMENTS = 1000000, // of --elements
};

typedef struct command_options {
    const char *input;         // SCENE, RUN or PATH; NULL = none
    const char *output;        // -o or --out: a folder, or a file for commands with one output
    const char *variant;       // --variant NAME
    const char **overrides;    // --set path=value; owned, options_free
    int override_count;        //
    int threads;               // -j, 0 = all
    const char *simd;          // --simd LEVEL; NULL = auto
    int64_t frames;            // --frames N: number of frames after frame 0; -1: the scene's
    bool frame_range;          // --frames A:B, both ends included
    int64_t first;             // A, default 0
    int64_t last;              // B; -1: the run's last frame
    const char *format;        // --to
    const char *only;          // --case or --row NAME: of benchmarks
    const char *transfer;      // --transfer NAME, or `all`: of the table of transfers
    const char *step;          // --step FACTOR: likewise; NULL = 1
    const char *spacing;       // --spacing FACTOR: likewise; NULL = 1
    int seeds;                 // --seeds N: of benchmarks that vary them, 0: their default
    const char *scene;         // --scene FILE: with other looks than the run's; NULL: the run's
    const char *scenes;        // --scenes DIR: folder of the benchmarks' scenes
    int64_t max_megabytes;     // --max-size MB: of a page; 0: default
    int64_t port;              // --port: of the page's server; 0 = any
    const char *material;      // --material NAME
    const char *packing;       // --packing KIND
    const char *toughness;     // --toughness VALUE: target for `sherd check`
    const char *kind, *detail; // --kind, --detail: of `sherd new`
    const char *mesh;          // --mesh FILE: of `sherd new`, as all down to `elements`
    const char *drop, *hit, *press, *tear; // --drop and so on; NULL: not given
    const char *size, *up;                 // --size LENGTH, --up AXIS
    int pieces, elements;                  // --pieces N, --elements N; 0: default
    const char *asked[ASKED_COUNT];        // targets in the order above; NULL: not given
    bool resume, quiet, json, help;
    bool no_pictures; // --no-pictures: no PNG, no video
    bool no_browser;  // --no-browser: only print the address
    bool overwrite;   // --overwrite: also files that are not known to be Sherd's
    bool reduced;     // --reduced: scenes of benchmarks at their small sizes
    bool rest;        // --rest: meshes of the undeformed bodies
    bool full;        // --full: tables of papers at the papers' sizes
    bool list;        // --list: only list what there is
} command_options;

// ---------------------------------------------------------------- the table of options

// Bits of the commands, for option_row.of.
enum {
    OF_RUN = 1 << 0,
    OF_CHECK = 1 << 1,
    OF_INFO = 1 << 2,
    OF_SURFACE = 1 << 3,
    OF_RENDER = 1 << 4,
    OF_EXPORT = 1 << 5,
    OF_VIEW = 1 << 6,
    OF_BENCH = 1 << 7,
    OF_CALIBRATE = 1 << 8,
    OF_DOCTOR = 1 << 9,
    OF_NEW = 1 << 10,
    OF_COMPLETION = 1 << 11,
    OF_MAN = 1 << 12,
    OF_MATERIALS = 1 << 13,
    OF_PAPER = 1 << 14,
    OF_ALL = (1 << 15) - 1,
};

typedef enum option_kind {
    OPTION_FLAG = 0, // a bool
    OPTION_TEXT,     // a const char *
    OPTION_INT,      // an int in a range
    OPTION_INT64,    // an int64_t in a range
    OPTION_FRAMES,   // N or A:B
    OPTION_SETTING,  // path=value, any number of them
    OPTION_QUALITY,  // of pictures: short for a setting
} option_kind;

// A row of the table of options, used by options_parse, completion and the manual page.
typedef struct option_row {
    const char *name;    // with its dashes
    const char *also;    // another name; may be NULL
    const char *value;   // placeholder of its value: "DIR"; NULL for flags
    unsigned of;         // commands that use it; others accept and ignore it
    option_kind kind;    //
    size_t offset;       // in command_options
    int64_t low, high;   // of OPTION_INT and OPTION_INT64
    const char *choices; // valid values, separated by blanks; NULL: any
    const char *about;   // a line without a full stop
} option_row;

int options_count(void);
const option_row *options_row(int index);

// ---------------------------------------------------------------- parsing

// Fills *out from the words after the command's name. Returns 0, or the exit status after printing
// an error. Free in any case.
int options_parse(command_options *out, int count, char **words);
void options_free(command_options *out);
