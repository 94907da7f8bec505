// packing: {hcp: {...}} and its like
#include "scene/read/sections.h"

static const char *const ORIENTATIONS[] = {"auto", "axes", NULL};

#define OF_PACKING(field) offsetof(sherd_packing_def, field)
#define PACKING_COMMON                                                                             \
    {"radius",                                                                                     \
     SHERD_FIELD_REAL,                                                                             \
     true,                                                                                         \
     OF_PACKING(radius),                                                                           \
     SHERD_QUANTITY_LENGTH,                                                                        \
     SHERD_RANGE_POSITIVE,                                                                         \
     NULL},                                                                                        \
        {"jitter", SHERD_FIELD_REAL, false, OF_PACKING(jitter), 0, SHERD_RANGE_HALF, NULL},        \
        {"seed", SHERD_FIELD_SEED, false, OF_PACKING(seed), 0, 0, NULL},                           \
    {                                                                                              \
        "max_elements", SHERD_FIELD_INT64, false, OF_PACKING(max_elements), 0,                     \
            SHERD_RANGE_AT_LEAST_1, NULL                                                           \
    }
#define PACKING_FITTED                                                                             \
    {"radius_tolerance",                                                                           \
     SHERD_FIELD_REAL,                                                                             \
     false,                                                                                        \
     OF_PACKING(radius_tolerance),                                                                 \
     0,                                                                                            \
     SHERD_RANGE_HALF,                                                                             \
     NULL},                                                                                        \
    {                                                                                              \
        "orientation", SHERD_FIELD_CHOICE, false, OF_PACKING(orientation), 0, 0, ORIENTATIONS      \
    }

static const sherd_field HCP[] = {PACKING_COMMON, PACKING_FITTED};
static const sherd_field LAYERS[] = {
    PACKING_COMMON,
    PACKING_FITTED,
    {"count", SHERD_FIELD_INT, false, OF_PACKING(layers), 0, SHERD_RANGE_AT_LEAST_1, NULL}};
static const sherd_field CUBIC[] = {PACKING_COMMON};
static const sherd_field SHELL[] = {
    {"radius", SHERD_FIELD_REAL, true, OF_PACKING(radius), SHERD_QUANTITY_LENGTH,
     SHERD_RANGE_POSITIVE, NULL},
    {"count", SHERD_FIELD_INT, false, OF_PACKING(layers), 0, SHERD_RANGE_AT_LEAST_1, NULL},
    {"seed", SHERD_FIELD_SEED, false, OF_PACKING(seed), 0, 0, NULL},
    {"max_elements", SHERD_FIELD_INT64, false, OF_PACKING(max_elements), 0, SHERD_RANGE_AT_LEAST_1,
     NULL}};

typedef struct packing_key {
    const char *key;
    sherd_packing_kind kind;
    const sherd_field *fields;
    int count;
} packing_key;

#define FIELDS_OF(array) array, sizeof array / sizeof array[0]
static const packing_key PACKINGS[] = {
    {"hcp", SHERD_PACKING_HCP, FIELDS_OF(HCP)},
    {"layers", SHERD_PACKING_HEX_LAYERS, FIELDS_OF(LAYERS)},
    {"cubic", SHERD_PACKING_CUBIC, FIELDS_OF(CUBIC)},
    {"random", SHERD_PACKING_RANDOM, NULL, 0}, // by hand
    {"tetra", SHERD_PACKING_TETRA, NULL, 0},   // read_tetra.c
    {"shell", SHERD_PACKING_SHELL, FIELDS_OF(SHELL)},
};
enum { PACKING_COUNT = sizeof PACKINGS / sizeof PACKINGS[0] };

void sherd_read_packing(sherd_scene_reader *reader, const sherd_node *node, sherd_packing_def *def)
{
    static const char *const KEYS[] = {"hcp", "layers", "cubic", "random", "tetra", "shell", NULL};
    sherd_field_table none = {.more_keys = KEYS};
    if (!sherd_read_fields(reader, node, &none, NULL)) return;
    const sherd_node *found = NULL;
    const packing_key *kind = NULL;
    for (int k = 0; k < PACKING_COUNT; ++k) {
        const sherd_node *child = sherd_node_find(node, PACKINGS[k].key);
        if (child == NULL) continue;
        if (found != NULL) {
            sherd_reader_fail_key(reader, child, NULL, "a packing is either '%s' or '%s', not both",
                                  found->key, child->key);
            return;
        }
        found = child;
        kind = &PACKINGS[k];
    }
    if (found == NULL) {
        if (node->count == 0)
            sherd_reader_fail(reader, node, "one of hcp, layers, cubic, random, tetra, shell",
                              "names no packing");
        return;
    }
    def->kind = kind->kind;
    if (def->kind == SHERD_PACKING_RANDOM) {
        sherd_read_packing_random(reader, found, def);
        return;
    }
    if (def->kind == SHERD_PACKING_TETRA) {
        sherd_read_tetra(reader, found, def);
        return;
    }
    sherd_field_table table = {kind->fields, kind->count, NULL};
    sherd_read_fields(reader, found, &table, def);
}
