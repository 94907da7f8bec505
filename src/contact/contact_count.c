#include "contact/contact_count.h"

#include "base/error.h"
#include "base/memory.h"

sherd_status sherd_contact_count_init(sherd_contact_count *crowd, sherd_element_index count,
                                      sherd_error *error)
{
    sherd_contact_count_free(crowd);
    crowd->last = sherd_alloc((size_t)count, sizeof *crowd->last);
    crowd->now = sherd_alloc((size_t)count, sizeof *crowd->now);
    if (crowd->last == NULL || crowd->now == NULL) return sherd_fail_memory(error, "contacts");
    return SHERD_OK;
}

void sherd_contact_count_free(sherd_contact_count *crowd)
{
    sherd_free(crowd->last);
    sherd_free(crowd->now);
    *crowd = (sherd_contact_count){0};
}

void sherd_contact_count_finish(sherd_contact_count *crowd)
{
    uint8_t *last = crowd->last;
    crowd->last = crowd->now;
    crowd->now = last;
}
