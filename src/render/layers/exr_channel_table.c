#include "render/layers/exr_channel_table.h"

#include <stddef.h>

#define AT(member) offsetof(sherd_layer_pixel, member)
// Each layer holds two ranks: id, coverage, id, coverage. Ids are stored as the bits of floats.
#define RANKS(name, part, layer)                                                                   \
    {name #layer ".r", AT(part.id[2 * layer]), true},                                              \
        {name #layer ".g", AT(part.coverage[2 * layer]), true},                                    \
        {name #layer ".b", AT(part.id[2 * layer + 1]), true},                                      \
    {                                                                                              \
        name #layer ".a", AT(part.coverage[2 * layer + 1]), true                                   \
    }

const exr_channel sherd_exr_channels[EXR_CHANNEL_COUNT] = {
    {"R", AT(r), false},
    {"G", AT(g), false},
    {"B", AT(b), false},
    {"A", AT(alpha), false},
    {"N.X", AT(normal[0]), false},
    {"N.Y", AT(normal[1]), false},
    {"N.Z", AT(normal[2]), false},
    {"Z", AT(depth), true},
    RANKS("CryptoObject0", object, 0),
    RANKS("CryptoObject0", object, 1),
    RANKS("CryptoObject0", object, 2),
    RANKS("CryptoMaterial0", material, 0),
    RANKS("CryptoMaterial0", material, 1),
    RANKS("CryptoMaterial0", material, 2),
};
