// packing: {random: {...}}
#include "scene/read/sections.h"

#define OF_PACKING(field) offsetof(sherd_packing_def, field)

static const char *const DISTRIBUTIONS[] = {"radius", "volume", NULL};

static const sherd_field FIELDS[] = {
    {"radius", SHERD_FIELD_REAL, true, OF_PACKING(radius), SHERD_QUANTITY_LENGTH,
     SHERD_RANGE_POSITIVE, NULL},
    {"size_ratio", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"distribution", SHERD_FIELD_CHOICE, false, OF_PACKING(sizes), 0, 0, DISTRIBUTIONS},
    {"bond_range", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"seed", SHERD_FIELD_SEED, false, OF_PACKING(seed), 0, 0, NULL},
    {"max_elements", SHERD_FIELD_INT64, false, OF_PACKING(max_elements), 0, SHERD_RANGE_AT_LEAST_1,
     NULL},
};

static void read_size_ratio(sherd_scene_reader *reader, const sherd_node *node,
                            sherd_packing_def *def)
{
    double size[2];
    if (!sherd_read_numbers(reader, node, SHERD_QUANTITY_NUMBER, SHERD_RANGE_POSITIVE, 2, size))
        return;
    if (!(size[0] >= SHERD_PACKING_SIZE_LEAST && size[1] <= SHERD_PACKING_SIZE_MOST))
        sherd_reader_fail(reader, node, "they are multiples of radius",
                          "sizes must be within [%g, %g], got %g and %g", SHERD_PACKING_SIZE_LEAST,
                          SHERD_PACKING_SIZE_MOST, size[0], size[1]);
    else if (size[0] > size[1])
        sherd_reader_fail(reader, node, "the least size comes first", "got [%g, %g]", size[0],
                          size[1]);
    else if (size[1] > SHERD_PACKING_SIZE_SPREAD * size[0])
        sherd_reader_fail(reader, node, NULL,
                          "the largest size must be at most %g times the least, got %g times",
                          SHERD_PACKING_SIZE_SPREAD, size[1] / size[0]);
    def->size_low = size[0];
    def->size_high = size[1];
}

static void read_bond_range(sherd_scene_reader *reader, const sherd_node *node,
                            sherd_packing_def *def)
{
    double range;
    if (!sherd_read_real(reader, node, SHERD_QUANTITY_NUMBER, SHERD_RANGE_AT_LEAST_1, &range))
        return;
    if (range > SHERD_PACKING_BOND_RANGE_MOST)
        sherd_reader_fail(reader, node, "1.1 is usual", "must be within [1, %g], got %g",
                          SHERD_PACKING_BOND_RANGE_MOST, range);
    def->bond_range = range;
}

void sherd_read_packing_random(sherd_scene_reader *reader, const sherd_node *node,
                               sherd_packing_def *def)
{
    if (!sherd_read_fields(reader, node, &SHERD_FIELD_TABLE(FIELDS), def)) return;
    const sherd_node *size_ratio = sherd_node_find(node, "size_ratio");
    const sherd_node *bond_range = sherd_node_find(node, "bond_range");
    if (size_ratio != NULL) read_size_ratio(reader, size_ratio, def);
    if (bond_range != NULL) read_bond_range(reader, bond_range, def);
}
