#include "options.h"

#include "message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse_integer(const char *name, const char *text, int64_t low, int64_t high,
                         int64_t *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end != text && *end == '\0' && errno == 0 && number >= low && number <= high) {
        *value = number;
        return 0;
    }
    char what[96];
    snprintf(what, sizeof what, "%s wants a whole number in range, %lld to %lld", name,
             (long long)low, (long long)high);
    return message_usage(what, text, NULL);
}

enum { MAX_FRAMES = 1000000000 };

// N, or A:B with either end omitted.
static int parse_frames(command_options *out, const char *text)
{
    const char *colon = strchr(text, ':');
    if (colon == NULL) return parse_integer("--frames", text, 0, MAX_FRAMES, &out->frames);
    char first[32] = "";
    if ((size_t)(colon - text) >= sizeof first)
        return message_usage("--frames wants whole numbers", text, NULL);
    memcpy(first, text, (size_t)(colon - text));
    out->frame_range = true;
    out->first = 0;
    out->last = -1;
    int status = 0;
    if (first[0] != '\0') status = parse_integer("--frames", first, 0, MAX_FRAMES, &out->first);
    if (status == 0 && colon[1] != '\0')
        status = parse_integer("--frames", colon + 1, 0, MAX_FRAMES, &out->last);
    if (status == 0 && out->last >= 0 && out->last < out->first)
        status = message_usage("--frames wants the earlier frame first", text, NULL);
    return status;
}

// The name of an option without its value: "-j" of "-j1", "--out" of "--out=DIR".
enum { NAME_SIZE = 32 };
static const char *name_of(const char *word, char name[NAME_SIZE])
{
    size_t length = word[1] != '-' ? 2 : strcspn(word, "=");
    if (length >= NAME_SIZE) return word;
    memcpy(name, word, length);
    name[length] = '\0';
    return name;
}

// The value of an option: the rest of its word, or the next word.
static int take_value(const char *name, int count, char **words, int *at, const char **value)
{
    const char *rest = words[*at] + strlen(name);
    if (rest[0] != '\0') {
        *value = rest + (name[1] == '-');
        return 0;
    }
    if (*at + 1 >= count) return message_usage("needs a value", name, NULL);
    *value = words[++*at];
    return 0;
}

static int add_override(command_options *out, const char *value)
{
    if (strchr(value, '=') == NULL)
        return message_usage("--set wants path=value", value, "e.g. --set duration=\"10 ms\"");
    out->overrides[out->override_count++] = value;
    return 0;
}

static int add_quality(command_options *out, const char *value)
{
    static const char *const SETTINGS[] = {"output.render.quality=final",
                                           "output.render.quality=preview"};
    for (size_t k = 0; k < sizeof SETTINGS / sizeof SETTINGS[0]; ++k)
        if (strcmp(value, strchr(SETTINGS[k], '=') + 1) == 0) return add_override(out, SETTINGS[k]);
    return message_usage("--quality wants final or preview", value, NULL);
}

// ---------------------------------------------------------------- the table

// Row of a calibration target, asked[k].
#define ASKED(k, name, value, choices, about)                                                      \
    {                                                                                              \
        name, NULL, value, OF_CALIBRATE, OPTION_TEXT,                                              \
            offsetof(command_options, asked) + k * sizeof(char *), 0, 0, choices, about            \
    }
#define PLACE(member) offsetof(command_options, member)

static const option_row ROWS[] = {
    {"-o", "--out", "DIR",
     OF_RUN | OF_SURFACE | OF_RENDER | OF_EXPORT | OF_VIEW | OF_BENCH | OF_CALIBRATE | OF_PAPER,
     OPTION_TEXT, PLACE(output), 0, 0, NULL,
     "folder for the results; a file for formats of one file"},
    {"--variant", NULL, "NAME", OF_RUN | OF_CHECK | OF_INFO | OF_VIEW | OF_CALIBRATE, OPTION_TEXT,
     PLACE(variant), 0, 0, NULL, "variant of the scene, such as paper"},
    {"--set", NULL, "PATH=VALUE",
     OF_RUN | OF_CHECK | OF_INFO | OF_SURFACE | OF_RENDER | OF_EXPORT | OF_VIEW | OF_BENCH |
         OF_CALIBRATE,
     OPTION_SETTING, 0, 0, 0, NULL, "change one setting, such as duration=\"10 ms\"; repeatable"},
    {"--frames", NULL, "N|A:B", OF_RUN | OF_SURFACE | OF_RENDER | OF_EXPORT | OF_VIEW | OF_BENCH,
     OPTION_FRAMES, 0, 0, 0, NULL,
     "N: stop after frame N (run, view, bench). N or A:B: these frames of a run only"},
    {"--resume", NULL, NULL, OF_RUN, OPTION_FLAG, PLACE(resume), 0, 0, NULL,
     "continue the run in this folder from its newest checkpoint, with the same results"},
    {"--overwrite", NULL, NULL,
     OF_RUN | OF_SURFACE | OF_RENDER | OF_EXPORT | OF_VIEW | OF_BENCH | OF_CALIBRATE, OPTION_FLAG,
     PLACE(overwrite), 0, 0, NULL, "replace files that Sherd did not write, too"},
    {"--scene", NULL, "FILE", OF_SURFACE | OF_RENDER | OF_EXPORT, OPTION_TEXT, PLACE(scene), 0, 0,
     NULL, "take colours, appearance and camera from this scene; its physics must be the run's"},
    {"--no-pictures", NULL, NULL, OF_RUN | OF_CHECK, OPTION_FLAG, PLACE(no_pictures), 0, 0, NULL,
     "no pictures and no video"},
    {"--quality", NULL, "QUALITY", OF_RUN | OF_CHECK | OF_RENDER, OPTION_QUALITY, 0, 0, 0,
     "final preview", "quality of pictures; previews are quick"},
    {"--toughness", NULL, "K", OF_CHECK, OPTION_TEXT, PLACE(toughness), 0, 0, NULL,
     "print which radius of elements gives calibrated solids this K_Ic, such as \"0.7 MPa m^0.5\""},
    {"--to", NULL, "FORMAT", OF_EXPORT, OPTION_TEXT, PLACE(format), 0, 0, NULL,
     "format of the files"},
    {"--max-size", NULL, "MB", OF_EXPORT, OPTION_INT64, PLACE(max_megabytes), 1,
     OPTIONS_MAX_MEGABYTES, NULL,
     "html: largest size of the page (default 60); frames are left out until it fits"},
    {"--rest", NULL, NULL, OF_SURFACE | OF_EXPORT, OPTION_FLAG, PLACE(rest), 0, 0, NULL,
     "ply: undeformed fragments, which touch exactly"},
    {"--port", NULL, "N", OF_VIEW, OPTION_INT64, PLACE(port), 0, 65535, NULL,
     "port, on this machine only; default: any that is free"},
    {"--no-browser", NULL, NULL, OF_VIEW, OPTION_FLAG, PLACE(no_browser), 0, 0, NULL,
     "print the address and open no browser"},
    {"--material", NULL, "NAME", OF_CALIBRATE | OF_NEW, OPTION_TEXT, PLACE(material), 0, 0, NULL,
     "new: what the body is made of (--mesh: default plaster); calibrate: only this material of "
     "the scene"},
    {"--packing", NULL, "KIND", OF_CALIBRATE, OPTION_TEXT, PLACE(packing), 0, 0, "hcp random tetra",
     "without a scene: a kind of packing, or a description in braces"},
    ASKED(0, "--youngs-modulus", "E", NULL, "Young's modulus of the solid, such as \"70 GPa\""),
    ASKED(1, "--poissons-ratio", "NU", NULL, "Poisson's ratio of the solid"),
    ASKED(2, "--tensile-strength", "STRESS", NULL,
          "tensile strength of the solid; without it bonds do not break"),
    ASKED(3, "--shear-strength", "STRESS", NULL, "shear strength of the solid"),
    ASKED(4, "--weibull-modulus", "M", NULL,
          "scatter of the bonds' strengths (default 12; 0: none)"),
    ASKED(5, "--breakage", "LAW", "tensile absolute", "stress measure that breaks bonds"),
    {"--json", NULL, NULL, OF_BENCH, OPTION_FLAG, PLACE(json), 0, 0, NULL, "print results as JSON"},
    {"--case", "--row", "NAME", OF_BENCH | OF_PAPER, OPTION_TEXT, PLACE(only), 0, 0, NULL,
     "only this case of the benchmark; transfers and paper: this row"},
    {"--transfer", NULL, "NAME", OF_BENCH, OPTION_TEXT, PLACE(transfer), 0, 0,
     "default flip flip-1 apic affine-0.99 affine-1 quadratic all",
     "transfers: a column of the table"},
    {"--step", NULL, "FACTOR", OF_BENCH, OPTION_TEXT, PLACE(step), 0, 0, NULL,
     "transfers: factor on the time step, such as 0.1"},
    {"--spacing", NULL, "FACTOR", OF_BENCH, OPTION_TEXT, PLACE(spacing), 0, 0, NULL,
     "transfers: factor on the spacing of points, such as 0.5"},
    {"--seeds", NULL, "N", OF_BENCH, OPTION_INT, PLACE(seeds), 2, OPTIONS_MAX_SEEDS, NULL,
     "fracture: number of runs per scheme"},
    {"--scenes", NULL, "DIR", OF_BENCH | OF_PAPER, OPTION_TEXT, PLACE(scenes), 0, 0, NULL,
     "bench implicit and rods, paper: folder of the scenes"},
    {"--full", NULL, NULL, OF_PAPER, OPTION_FLAG, PLACE(full), 0, 0, NULL,
     "at the paper's size; without it rows are small"},
    {"--list", NULL, NULL, OF_PAPER, OPTION_FLAG, PLACE(list), 0, 0, NULL,
     "list tables and figures with the command of each row, and run nothing"},
    {"--reduced", NULL, NULL, OF_BENCH, OPTION_FLAG, PLACE(reduced), 0, 0, NULL,
     "implicit, rods, mpm, spheres: small sizes; threads: one repetition; pictures: one, rough "
     "errors"},
    {"--kind", NULL, "KIND", OF_NEW, OPTION_TEXT, PLACE(kind), 0, 0, "plate ball beam cloth points",
     "what breaks or moves in the scene"},
    {"--detail", NULL, "LEVEL", OF_NEW, OPTION_TEXT, PLACE(detail), 0, 0, "coarse medium fine",
     "resolution (default medium)"},
    {"--mesh", NULL, "FILE", OF_NEW, OPTION_TEXT, PLACE(mesh), 0, 0, NULL,
     "a scene that breaks this OBJ, STL, PLY or glTF; seconds of trial runs find its strengths"},
    {"--drop", NULL, "HEIGHT|SPEED", OF_NEW, OPTION_TEXT, PLACE(drop), 0, 0, NULL,
     "--mesh: let it fall, such as \"2 m\" or \"6 m/s\" (default: 1.25 times its size)"},
    {"--hit", NULL, "SPEED", OF_NEW, OPTION_TEXT, PLACE(hit), 0, 0, NULL,
     "--mesh: strike it with a ball"},
    {"--press", NULL, "SPEED", OF_NEW, OPTION_TEXT, PLACE(press), 0, 0, NULL,
     "--mesh: press it against the floor"},
    {"--tear", NULL, "SPEED", OF_NEW, OPTION_TEXT, PLACE(tear), 0, 0, NULL,
     "--mesh: pull both ends apart, each at this speed"},
    {"--pieces", NULL, "N", OF_NEW, OPTION_INT, PLACE(pieces), 2, OPTIONS_MAX_PIECES, NULL,
     "--mesh: number of pieces, about (default 40)"},
    {"--size", NULL, "LENGTH", OF_NEW, OPTION_TEXT, PLACE(size), 0, 0, NULL,
     "--mesh: its largest extent (default: the file's unit is guessed)"},
    {"--elements", NULL, "N", OF_NEW, OPTION_INT, PLACE(elements), 200, OPTIONS_MAX_ELEMENTS, NULL,
     "--mesh: number of elements, about (default 6000; more for thin walls and many pieces)"},
    {"--up", NULL, "AXIS", OF_NEW, OPTION_TEXT, PLACE(up), 0, 0, "y z",
     "--mesh: the file's upward axis (default: guessed from its kind and base)"},
    {"-j", NULL, "THREADS", OF_ALL & ~(unsigned)(OF_INFO | OF_COMPLETION | OF_MAN | OF_MATERIALS),
     OPTION_INT, PLACE(threads), 1, 4096, NULL,
     "number of threads (default all, bench at most 4); results do not depend on it"},
    {"--quiet", NULL, NULL, OF_RUN | OF_SURFACE | OF_RENDER | OF_EXPORT | OF_VIEW | OF_PAPER,
     OPTION_FLAG, PLACE(quiet), 0, 0, NULL,
     "no progress and no notes; warnings and errors are printed"},
    {"--simd", NULL, "LEVEL", OF_ALL, OPTION_TEXT, PLACE(simd), 0, 0, "auto avx512 avx2 baseline",
     "instruction set, at most that of SHERD_SIMD in the environment (default auto)"},
    {"--help", "-h", NULL, OF_ALL, OPTION_FLAG, PLACE(help), 0, 0, NULL, "this help"},
};

int options_count(void)
{
    return (int)(sizeof ROWS / sizeof ROWS[0]);
}

const option_row *options_row(int index)
{
    return &ROWS[index];
}

// ---------------------------------------------------------------- parsing

static const option_row *find_row(const char *word)
{
    for (int k = 0; k < options_count(); ++k)
        if (strcmp(word, ROWS[k].name) == 0 ||
            (ROWS[k].also != NULL && strcmp(word, ROWS[k].also) == 0))
            return &ROWS[k];
    return NULL;
}

static int parse_value(command_options *out, const option_row *row, const char *value)
{
    void *member = (char *)out + row->offset;
    int64_t number = 0;
    int status = 0;
    switch (row->kind) {
    case OPTION_TEXT:
        *(const char **)member = value;
        break;
    case OPTION_INT:
        status = parse_integer(row->name, value, row->low, row->high, &number);
        *(int *)member = (int)number;
        break;
    case OPTION_INT64:
        status = parse_integer(row->name, value, row->low, row->high, (int64_t *)member);
        break;
    case OPTION_FRAMES:
        status = parse_frames(out, value);
        break;
    case OPTION_SETTING:
        status = add_override(out, value);
        break;
    case OPTION_QUALITY:
        status = add_quality(out, value);
        break;
    case OPTION_FLAG:
        break;
    }
    return status;
}

static int parse_option(command_options *out, int count, char **words, int *at)
{
    char storage[NAME_SIZE];
    const char *name = name_of(words[*at], storage);
    const option_row *row = find_row(name);
    bool attached = words[*at][strlen(name)] != '\0';
    if (row == NULL || (row->kind == OPTION_FLAG && attached && name[1] != '-'))
        return message_usage("unknown option", words[*at], "sherd --help lists them");
    if (row->kind == OPTION_FLAG && attached)
        return message_usage("takes no value", words[*at], NULL);
    if (row->kind == OPTION_FLAG) {
        *(bool *)((char *)out + row->offset) = true;
        return 0;
    }
    const char *value = NULL;
    int status = take_value(name, count, words, at, &value);
    return status != 0 ? status : parse_value(out, row, value);
}

int options_parse(command_options *out, int count, char **words)
{
    *out = (command_options){.frames = -1};
    out->overrides = calloc((size_t)count + 1, sizeof *out->overrides); // at most one per word
    if (out->overrides == NULL) return message_usage("not enough memory", NULL, NULL);
    for (int at = 0; at < count; ++at) {
        const char *word = words[at];
        int status = 0;
        if (word[0] == '-' && word[1] != '\0') {
            status = parse_option(out, count, words, &at);
        } else if (out->input == NULL) {
            out->input = word;
        } else {
            status = message_usage("one input at a time, please", word, NULL);
        }
        if (status != 0) return status;
    }
    return 0;
}

void options_free(command_options *out)
{
    free(out->overrides);
    out->overrides = NULL;
}
