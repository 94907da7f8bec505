#include "bodies/driver_part.h"
#include "bodies/driver_surface.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

static bool is_in(const sherd_driver *driver, const sherd_element_index *local)
{
    return local[driver->element[0]] >= 0;
}

static void *copy_array(const void *from, size_t count, size_t item_size)
{
    void *copy = sherd_alloc(count, item_size);
    if (copy != NULL && count > 0) memcpy(copy, from, count * item_size);
    return copy;
}

static sherd_status copy_driver(sherd_driver *to, const sherd_driver *from,
                                const sherd_element_index *local, sherd_error *error)
{
    size_t count = (size_t)from->count, keys = (size_t)from->force_key_count;
    *to = *from;
    to->before = NULL;
    to->surface = NULL;
    to->sum = to->noted = (sherd_load){0};
    to->range = sherd_load_range_empty();
    to->swing = (sherd_load_swing){0};
    to->force_times = copy_array(from->force_times, keys, sizeof(double));
    to->force_factors = copy_array(from->force_factors, keys, sizeof(double));
    to->element = copy_array(from->element, count, sizeof *to->element);
    to->start = copy_array(from->start, count, sizeof *to->start);
    sherd_status status = sherd_motion_copy(&to->motion, &from->motion, error);
    if (status != SHERD_OK) return status;
    if (to->force_times == NULL || to->force_factors == NULL || to->element == NULL ||
        to->start == NULL)
        return sherd_fail_memory(error, "drivers of a region");
    for (sherd_element_index at = 0; at < to->count; ++at)
        to->element[at] = local[from->element[at]];
    return sherd_driver_surface_copy(to, from, error);
}

sherd_status sherd_drivers_extract_part(sherd_drivers *part, const sherd_drivers *whole,
                                        const sherd_element_index *local, sherd_error *error)
{
    *part = (sherd_drivers){0};
    if (!sherd_grow((void **)&part->drivers, &part->capacity, (size_t)whole->count,
                    sizeof *part->drivers))
        return sherd_fail_memory(error, "drivers of a region");
    sherd_status status = SHERD_OK;
    for (int d = 0; d < whole->count && status == SHERD_OK; ++d) {
        if (!is_in(&whole->drivers[d], local)) continue;
        status = copy_driver(&part->drivers[part->count], &whole->drivers[d], local, error);
        part->drivers[part->count++].whole = d;
    }
    return status;
}

void sherd_drivers_move_sums(sherd_drivers *part, sherd_drivers *whole, double weight)
{
    SHERD_ASSERT(weight >= 0.0, "time advances");
    double share = part->probe_steps > 0.0 ? 1.0 / part->probe_steps : 0.0;
    for (int d = 0; d < part->count; ++d) {
        const sherd_driver *from = &part->drivers[d];
        sherd_driver *to = &whole->drivers[from->whole];
        sherd_load mean = sherd_load_add_scaled((sherd_load){0}, share, from->sum);
        sherd_load_swing swing = sherd_load_range_swing(&from->range, mean);
        to->sum = sherd_load_add_scaled(to->sum, weight, mean);
        sherd_load_swing_widen(&to->swing, &swing);
    }
    sherd_drivers_reset_probes(part);
}
