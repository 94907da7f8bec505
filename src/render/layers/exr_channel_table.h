// Table of the channels of an EXR file: name, member of sherd_layer_pixel, and whether it is always
// stored in 32 bits.
#pragma once

#include <sherd/layers.h>

typedef struct exr_channel {
    const char *name;
    size_t offset; // of a float in sherd_layer_pixel
    bool wide;     // always 32 bits
} exr_channel;

enum { EXR_CHANNEL_COUNT = 32 };
extern const exr_channel sherd_exr_channels[EXR_CHANNEL_COUNT];
