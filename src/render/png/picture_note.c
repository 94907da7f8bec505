#include "render/png/picture_note.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

// A PNG file begins with a signature of 8 bytes and the chunk IHDR: length, name, 13 bytes, checksum.
enum { HEAD = 8 + 4 + 4 + 13 + 4, FRAME = 4 + 4 + 4 };

// "tEXt", keyword, zero.
static const char NAME[] = "tEXtSherd quality";
enum { NAMED = sizeof NAME };

static void put_u32(uint8_t *to, uint32_t x)
{
    for (int k = 0; k < 4; ++k)
        to[k] = (uint8_t)(x >> (24 - 8 * k));
}

static uint32_t get_u32(const uint8_t *from)
{
    uint32_t x = 0;
    for (int k = 0; k < 4; ++k)
        x = x << 8 | from[k];
    return x;
}

uint8_t *sherd_picture_note_add(const uint8_t *png, const char *note, size_t *size)
{
    size_t length = strlen(note), named = NAMED + length; // name and content of the chunk
    uint8_t *bytes = sherd_alloc(*size + 4 + named + 4, 1);
    if (bytes == NULL) return NULL;
    memcpy(bytes, png, HEAD);
    uint8_t *chunk = bytes + HEAD;
    put_u32(chunk, (uint32_t)(named - 4));
    memcpy(chunk + 4, NAME, NAMED);
    memcpy(chunk + 4 + NAMED, note, length);
    put_u32(chunk + 4 + named, (uint32_t)crc32(crc32(0, NULL, 0), chunk + 4, (unsigned)named));
    memcpy(chunk + 4 + named + 4, png + HEAD, *size - HEAD);
    *size += 4 + named + 4;
    return bytes;
}

bool sherd_picture_note_read(const char *path, char note[SHERD_PICTURE_NOTE])
{
    uint8_t head[HEAD + 4 + NAMED + SHERD_PICTURE_NOTE];
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    size_t got = fread(head, 1, sizeof head, file);
    fclose(file);
    if (got < HEAD + FRAME || memcmp(head + 1, "PNG", 3) != 0) return false;
    size_t named = (size_t)get_u32(head + HEAD) + 4;
    if (named < NAMED || named >= NAMED + SHERD_PICTURE_NOTE || got < HEAD + 4 + named ||
        memcmp(head + HEAD + 4, NAME, NAMED) != 0)
        return false;
    memcpy(note, head + HEAD + 4 + NAMED, named - NAMED);
    note[named - NAMED] = '\0';
    return true;
}
