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

enum { MOST_FRAMES = 1000000000 };

// N, or A:B with either end left out.
static int parse_frames(command_options *out, const char *text)
{
    const char *colon = strchr(text, ':');
    if (colon == NULL) return parse_integer("--frames", text, 0, MOST_FRAMES, &out->frames);
    char first[32] = "";
    if ((size_t)(colon - text) >= sizeof first)
        return message_usage("--frames wants whole numbers", text, NULL);
    memcpy(first, text, (size_t)(colon - text));
    out->frame_range = true;
    out->first = 0;
    out->last = -1;
    int status = 0;
    if (first[0] != '\0') status = parse_integer("--frames", first, 0, MOST_FRAMES, &out->first);
    if (status == 0 && colon[1] != '\0')
        status = parse_integer("--frames", colon + 1, 0, MOST_FRAMES, &out->last);
    if (status == 0 && out->last >= 0 && out->last < out->first)
        status = message_usage("--frames wants the earlier frame first", text, NULL);
    return status;
}

// An option that takes a value: stores the next word, or complains.
static int take_value(const char *name, int count, char **words, int *at, const char **value)
{
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

const char *const ASKED_OPTIONS[ASKED_COUNT] = {
    "--youngs-modulus", "--poissons-ratio",  "--tensile-strength",
    "--shear-strength", "--weibull-modulus", "--breakage",
};

static int asked_index(const char *word)
{
    for (int k = 0; k < ASKED_COUNT; ++k)
        if (strcmp(word, ASKED_OPTIONS[k]) == 0) return k;
    return -1;
}

static int parse_valued(command_options *out, const char *name, const char *value)
{
    int64_t number = 0;
    int status = 0;
    if (asked_index(name) >= 0)
        out->asked[asked_index(name)] = value;
    else if (strcmp(name, "--material") == 0)
        out->material = value;
    else if (strcmp(name, "--packing") == 0)
        out->packing = value;
    else if (strcmp(name, "--toughness") == 0)
        out->toughness = value;
    else if (strcmp(name, "-o") == 0 || strcmp(name, "--out") == 0)
        out->output = value;
    else if (strcmp(name, "--variant") == 0)
        out->variant = value;
    else if (strcmp(name, "--to") == 0)
        out->format = value;
    else if (strcmp(name, "--simd") == 0)
        out->simd = value;
    else if (strcmp(name, "--case") == 0)
        out->only = value;
    else if (strcmp(name, "--scenes") == 0)
        out->scenes = value;
    else if (strcmp(name, "--set") == 0)
        status = add_override(out, value);
    else if (strcmp(name, "--seeds") == 0) {
        status = parse_integer(name, value, 2, OPTIONS_MOST_SEEDS, &number);
        out->seeds = (int)number;
    } else if (strcmp(name, "-j") == 0) {
        status = parse_integer(name, value, 1, 4096, &number);
        out->threads = (int)number;
    } else if (strcmp(name, "--port") == 0) {
        status = parse_integer(name, value, 0, 65535, &out->port);
    } else if (strcmp(name, "--max-size") == 0) {
        status = parse_integer(name, value, 1, OPTIONS_MOST_MEGABYTES, &number);
        out->max_megabytes = number;
    } else {
        status = parse_frames(out, value);
    }
    return status;
}

static bool parse_flag(command_options *out, const char *word)
{
    struct {
        const char *name;
        bool *flag;
    } flags[] = {{"--resume", &out->resume},
                 {"--quiet", &out->quiet},
                 {"--json", &out->json},
                 {"--no-pictures", &out->no_pictures},
                 {"--no-browser", &out->no_browser},
                 {"--rest", &out->rest},
                 {"--overwrite", &out->overwrite},
                 {"--reduced", &out->reduced},
                 {"--help", &out->help},
                 {"-h", &out->help}};
    for (size_t k = 0; k < sizeof flags / sizeof flags[0]; ++k) {
        if (strcmp(word, flags[k].name) != 0) continue;
        *flags[k].flag = true;
        return true;
    }
    return false;
}

static bool wants_value(const char *word)
{
    const char *names[] = {"-o",       "--out",       "-j",         "--variant",
                           "--frames", "--set",       "--to",       "--case",
                           "--scenes", "--seeds",     "--material", "--packing",
                           "--simd",   "--toughness", "--max-size", "--port"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k)
        if (strcmp(word, names[k]) == 0) return true;
    return asked_index(word) >= 0;
}

int options_parse(command_options *out, int count, char **words)
{
    *out = (command_options){.frames = -1};
    out->overrides = calloc((size_t)count + 1, sizeof *out->overrides); // no more than words
    if (out->overrides == NULL) return message_usage("not enough memory", NULL, NULL);
    for (int at = 0; at < count; ++at) {
        const char *word = words[at];
        int status = 0;
        if (wants_value(word)) {
            const char *value = NULL;
            status = take_value(word, count, words, &at, &value);
            if (status == 0) status = parse_valued(out, word, value);
        } else if (word[0] == '-' && word[1] != '\0') {
            if (!parse_flag(out, word))
                status = message_usage("unknown option", word, "sherd --help lists them");
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
