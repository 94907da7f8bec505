#include "base/byte_planes.h"

#include <string.h>

void sherd_byte_planes_split(unsigned char *planes, const void *items, size_t count, size_t width)
{
    const unsigned char *bytes = items;
    for (size_t plane = 0; plane < width; ++plane)
        for (size_t k = 0; k < count; ++k)
            planes[plane * count + k] = bytes[k * width + plane];
}

void sherd_byte_planes_join(const unsigned char *planes, void *items, size_t count, size_t width)
{
    unsigned char *bytes = items;
    for (size_t plane = 0; plane < width; ++plane)
        for (size_t k = 0; k < count; ++k)
            bytes[k * width + plane] = planes[plane * count + k];
}

void sherd_byte_planes_split_rounded(unsigned char *planes, const double *items, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        float item = (float)items[k];
        unsigned char bytes[sizeof item];
        memcpy(bytes, &item, sizeof item);
        for (size_t plane = 0; plane < sizeof item; ++plane)
            planes[plane * count + k] = bytes[plane];
    }
}

void sherd_byte_planes_join_rounded(const unsigned char *planes, double *items, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        float item;
        unsigned char bytes[sizeof item];
        for (size_t plane = 0; plane < sizeof item; ++plane)
            bytes[plane] = planes[plane * count + k];
        memcpy(&item, bytes, sizeof item);
        items[k] = (double)item;
    }
}
