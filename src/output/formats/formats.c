#include "output/formats/formats.h"

#include <string.h>

// To add a format, add a row, and define sherd_format_WORD in animation_formats.c or
// frame_formats.c. Rows are in the order of help texts. A run processes them in reverse order:
// formats with files per frame before formats of all frames.
#define FORMATS(ROW)                                                                               \
    ROW(glb)                                                                                       \
    ROW(usd)                                                                                       \
    ROW(usda)                                                                                      \
    ROW(obj_pc2)                                                                                   \
    ROW(pieces)                                                                                    \
    ROW(vtk)                                                                                       \
    ROW(ply)                                                                                       \
    ROW(html)                                                                                      \
    ROW(csv)                                                                                       \
    ROW(xyz)

#define DECLARE(word) extern const sherd_format sherd_format_##word;
#define LIST(word) &sherd_format_##word,

FORMATS(DECLARE)

static const sherd_format *const TABLE[] = {FORMATS(LIST)};

enum { COUNT = sizeof TABLE / sizeof TABLE[0] };
_Static_assert(COUNT <= 32, "sherd_scene_output.meshes has a bit for each");

int sherd_format_count(void)
{
    return COUNT;
}

const sherd_format *sherd_format_get(int index)
{
    return TABLE[index];
}

int sherd_export_format_count(void)
{
    return COUNT;
}

const sherd_export_format *sherd_export_format_get(int format)
{
    return format >= 0 && format < COUNT ? &TABLE[format]->about : NULL;
}

int sherd_export_format_find(const char *word)
{
    for (int k = 0; k < COUNT; ++k)
        if (strcmp(TABLE[k]->about.word, word) == 0) return k;
    return -1;
}
