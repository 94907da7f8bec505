#include "contact/crowd.h"

#include "base/error.h"
#include "base/memory.h"

sherd_status sherd_crowd_init(sherd_crowd *crowd, sherd_element_index count, sherd_error *error)
{
    sherd_crowd_free(crowd);
    crowd->last = sherd_alloc((size_t)count, sizeof *crowd->last);
    crowd->now = sherd_alloc((size_t)count, sizeof *crowd->now);
    if (crowd->last == NULL || crowd->now == NULL) return sherd_fail_memory(error, "contacts");
    return SHERD_OK;
}

void sherd_crowd_free(sherd_crowd *crowd)
{
    sherd_free(crowd->last);
    sherd_free(crowd->now);
    *crowd = (sherd_crowd){0};
}

void sherd_crowd_finish(sherd_crowd *crowd)
{
    uint8_t *last = crowd->last;
    crowd->last = crowd->now;
    crowd->now = last;
}
