// Surfaces of yarns.
#include "surface/methods/tubes/tube_body.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static bool can_make(const sherd_surface_body *body)
{
    return body->kind == SHERD_SURFACE_YARNS;
}

// Texture coordinates of tubes along yarns, with round ends.
static double volume(const maker_source *source)
{
    const double pi = 3.14159265358979;
    const sherd_surface_def *d = source->def;
    const sherd_surface_body *body = source->body;
    double volume = 0.0;
    for (sherd_element_index e = body->first; e < body->first + body->count; ++e)
        volume += 4.0 / 3.0 * pi * d->radius[e] * d->radius[e] * d->radius[e];
    for (sherd_bond_index b = 0; b < d->bond_count; ++b) {
        sherd_element_index i = d->bond_i[b], j = d->bond_j[b];
        if (abs(i - j) != 1 || i < body->first || i >= body->first + body->count) continue;
        double x = d->rest_x[j] - d->rest_x[i], y = d->rest_y[j] - d->rest_y[i],
               z = d->rest_z[j] - d->rest_z[i], r = d->radius[i];
        volume += pi * r * r * (sqrt(x * x + y * y + z * z) - 4.0 / 3.0 * r);
    }
    return volume;
}

static sherd_status create(void **state, const maker_source *source, const sherd_parallel *parallel,
                           sherd_error *error)
{
    (void)parallel;
    yarns *y = *state = sherd_alloc(1, sizeof *y);
    return y != NULL && sherd_yarns_create(y, source) ? SHERD_OK
                                                      : sherd_fail_memory(error, "tubes of yarns");
}

static void destroy(void *state)
{
    if (state == NULL) return;
    sherd_yarns_release(state);
    sherd_free(state);
}

static sherd_status update(void *state, const body_frame *frame, piece_array *pieces,
                           const sherd_parallel *parallel, sherd_error *error)
{
    return sherd_yarns_update(state, frame, pieces, parallel)
               ? SHERD_OK
               : sherd_fail_memory(error, "tubes of yarns");
}

const surface_maker sherd_surface_maker_tubes = {
    .can_make = can_make, .volume = volume, .create = create, .destroy = destroy, .update = update};
