// packing: {hcp: {...}} and its like
#include "scene/read/sections.h"

#include <stdio.h>
#include <string.h>

#define MAP(name, maps)                                                                            \
    {                                                                                              \
        name,                                                                                      \
        {                                                                                          \
            {                                                                                      \
                sherd_packing_def_fields, maps, 0                                                  \
            }                                                                                      \
        }                                                                                          \
    }
// In the order of sherd_packing_kind.
static const sherd_scene_map PACKINGS[] = {
    MAP("hcp", SHERD_MAP_HCP),       MAP("layers", SHERD_MAP_LAYERS), MAP("cubic", SHERD_MAP_CUBIC),
    MAP("random", SHERD_MAP_RANDOM), MAP("tetra", SHERD_MAP_TETRA),   MAP("shell", SHERD_MAP_SHELL),
    MAP("points", SHERD_MAP_POINTS),
};
enum { PACKING_COUNT = sizeof PACKINGS / sizeof PACKINGS[0] };

bool sherd_names_packing(const sherd_node *node)
{
    for (int k = 0; k < PACKING_COUNT; ++k)
        if (sherd_node_find(node, PACKINGS[k].name) != NULL) return true;
    return false;
}

// `packing: hcp` says which one, not how fine. Returns whether it is such a word.
static bool refuse_word(sherd_scene_reader *reader, const sherd_node *node)
{
    for (int k = 0; node->kind == SHERD_NODE_SCALAR && k < PACKING_COUNT; ++k) {
        if (strcmp(node->text, PACKINGS[k].name) != 0) continue;
        const char *size = k == SHERD_PACKING_TETRA    ? "size: 2 mm"
                           : k == SHERD_PACKING_POINTS ? "spacing: 2 mm"
                                                       : "radius: 1 mm";
        char hint[64];
        snprintf(hint, sizeof hint, "for example packing: {%s: {%s}}", node->text, size);
        sherd_reader_fail(reader, node, hint, "does not say how fine it is");
        return true;
    }
    return false;
}

void sherd_read_packing(sherd_scene_reader *reader, const sherd_node *node, sherd_packing_def *def)
{
    static const char *const KEYS[] = {"hcp",   "layers", "cubic",  "random",
                                       "tetra", "shell",  "points", NULL};
    if (refuse_word(reader, node) || !sherd_read_keys(reader, node, NULL, 0, KEYS)) return;
    const sherd_node *found = NULL;
    for (int k = 0; k < PACKING_COUNT; ++k) {
        const sherd_node *child = sherd_node_find(node, PACKINGS[k].name);
        if (child == NULL) continue;
        if (found != NULL) {
            sherd_reader_fail_key(reader, child, NULL, "a packing is either '%s' or '%s', not both",
                                  found->key, child->key);
            return;
        }
        found = child;
        def->kind = (sherd_packing_kind)k;
    }
    if (found == NULL) {
        if (!sherd_has_unknown_key(reader, node))
            sherd_reader_fail(reader, node,
                              "one of hcp, layers, cubic, random, tetra, shell, points",
                              "names no packing");
        return;
    }
    if (!sherd_read_map(reader, found, &PACKINGS[def->kind], NULL, def)) return;
    if (def->kind == SHERD_PACKING_RANDOM) sherd_read_packing_random(reader, found, def);
    if (def->kind == SHERD_PACKING_TETRA) sherd_read_tetra(reader, found, def);
}

// packing: {random: {...}}: keys that its rows don't read.

static void read_size_ratio(sherd_scene_reader *reader, const sherd_node *node,
                            sherd_packing_def *def)
{
    double size[2];
    if (!sherd_read_numbers(reader, node, SHERD_VALUE(NUMBER, SHERD_POSITIVE), 2, size)) return;
    if (!(size[0] >= SHERD_PACKING_SIZE_LEAST && size[1] <= SHERD_PACKING_SIZE_MOST))
        sherd_reader_fail(reader, node, "they are multiples of radius",
                          "sizes must be within [%g, %g], got %g and %g", SHERD_PACKING_SIZE_LEAST,
                          SHERD_PACKING_SIZE_MOST, size[0], size[1]);
    else if (size[0] > size[1])
        sherd_reader_fail(reader, node, "the least size comes first",
                          "must be [least, largest], got [%g, %g]", size[0], size[1]);
    else if (size[1] > SHERD_PACKING_SIZE_SPREAD * size[0])
        sherd_reader_fail(reader, node, NULL,
                          "the largest size must be at most %g times the least, got %g times",
                          SHERD_PACKING_SIZE_SPREAD, size[1] / size[0]);
    def->size_low = size[0];
    def->size_high = size[1];
}

void sherd_read_packing_random(sherd_scene_reader *reader, const sherd_node *node,
                               sherd_packing_def *def)
{
    const sherd_node *size_ratio = sherd_node_find(node, "size_ratio");
    if (size_ratio != NULL) read_size_ratio(reader, size_ratio, def);
}
