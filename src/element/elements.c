#include "element/elements.h"

#include "base/error.h"
#include "base/memory.h"

#include <stddef.h>
#include <string.h>

// Where each array pointer lives in the struct, and the size of its items.
typedef struct array_slot {
    size_t offset, item_size;
} array_slot;

#define SLOT(name)                                                                                 \
    {                                                                                              \
        offsetof(sherd_elements, name), sizeof *((sherd_elements *)0)->name                        \
    }
static const array_slot SLOTS[] = {
    SLOT(px), SLOT(py),     SLOT(pz),   SLOT(qx),       SLOT(qy),   SLOT(qz),   SLOT(qw),
    SLOT(vx), SLOT(vy),     SLOT(vz),   SLOT(wx),       SLOT(wy),   SLOT(wz),   SLOT(fx),
    SLOT(fy), SLOT(fz),     SLOT(tx),   SLOT(ty),       SLOT(tz),   SLOT(rx),   SLOT(ry),
    SLOT(rz), SLOT(radius), SLOT(mass), SLOT(material), SLOT(body), SLOT(held), SLOT(asleep),
};
#undef SLOT
enum { SLOT_COUNT = sizeof SLOTS / sizeof SLOTS[0] };

static void **slot_pointer(sherd_elements *elements, int slot)
{
    return (void **)((char *)elements + SLOTS[slot].offset);
}

sherd_status sherd_elements_resize(sherd_elements *elements, sherd_element_index count,
                                   sherd_error *error)
{
    sherd_elements larger = {.count = count};
    for (int s = 0; s < SLOT_COUNT; ++s) {
        void *array = sherd_alloc((size_t)count, SLOTS[s].item_size);
        if (array == NULL) {
            sherd_elements_free(&larger);
            return sherd_fail_memory(error, "elements");
        }
        *slot_pointer(&larger, s) = array;
    }
    sherd_element_index kept = elements->count < count ? elements->count : count;
    for (int s = 0; s < SLOT_COUNT && kept > 0; ++s)
        memcpy(*slot_pointer(&larger, s), *slot_pointer(elements, s),
               (size_t)kept * SLOTS[s].item_size);
    sherd_elements_free(elements);
    *elements = larger;
    return SHERD_OK;
}

void sherd_elements_free(sherd_elements *elements)
{
    for (int s = 0; s < SLOT_COUNT; ++s)
        sherd_free(*slot_pointer(elements, s));
    *elements = (sherd_elements){0};
}

size_t sherd_elements_bytes_each(void)
{
    size_t bytes = 0;
    for (int s = 0; s < SLOT_COUNT; ++s)
        bytes += SLOTS[s].item_size;
    return bytes;
}
