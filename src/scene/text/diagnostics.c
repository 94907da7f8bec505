#include "scene/text/diagnostics.h"

#include "base/memory.h"

#include <string.h>

sherd_error *sherd_diagnostics_add(sherd_diagnostics *diagnostics)
{
    int count = diagnostics->count;
    // Room grows at powers of two, so that the count alone tells the capacity.
    bool full = (count & (count - 1)) == 0;
    if (count >= SHERD_DIAGNOSTICS_MAX) {
        ++diagnostics->dropped;
        return NULL;
    }
    if (full) {
        size_t capacity = count == 0 ? 1 : 2 * (size_t)count;
        sherd_error *larger = sherd_alloc(capacity, sizeof *larger);
        if (larger == NULL) {
            ++diagnostics->dropped;
            return NULL;
        }
        if (count > 0) memcpy(larger, diagnostics->errors, (size_t)count * sizeof *larger);
        sherd_free(diagnostics->errors);
        diagnostics->errors = larger;
    }
    sherd_error *error = &diagnostics->errors[diagnostics->count++];
    *error = (sherd_error){0};
    return error;
}

int sherd_diagnostics_total(const sherd_diagnostics *diagnostics)
{
    return diagnostics->count + diagnostics->dropped;
}

void sherd_diagnostics_free(sherd_diagnostics *diagnostics)
{
    sherd_free(diagnostics->errors);
    *diagnostics = (sherd_diagnostics){0};
}
