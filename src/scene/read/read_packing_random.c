// packing: {random: {...}}: keys that its rows don't read.
#include "scene/read/sections.h"

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
