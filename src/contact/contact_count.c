#include "contact/contact_count.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"

sherd_status sherd_contact_count_init(sherd_contact_count *counts, sherd_element_index count,
                                      sherd_error *error)
{
    sherd_contact_count_free(counts);
    counts->last = sherd_alloc((size_t)count, sizeof *counts->last);
    counts->now = sherd_alloc((size_t)count, sizeof *counts->now);
    if (counts->last == NULL || counts->now == NULL) return sherd_fail_memory(error, "contacts");
    return SHERD_OK;
}

void sherd_contact_count_free(sherd_contact_count *counts)
{
    sherd_free(counts->last);
    sherd_free(counts->now);
    *counts = (sherd_contact_count){0};
}

void sherd_contact_count_finish(sherd_contact_count *counts)
{
    SHERD_ASSERT(counts->last != counts->now, "present and previous counts are different arrays");
    uint8_t *last = counts->last;
    counts->last = counts->now;
    counts->now = last;
}
