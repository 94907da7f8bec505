#include "output/pictures/blob_surface.h"

#include <stdlib.h>

static sherd_status out_of_memory(sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for blobs"};
    return SHERD_ERROR_MEMORY;
}

// Bodies as fragments: ids count from 1, and are those of bodies.
static sherd_status update(sherd_surface *surface, const sherd_surface_def *def, sherd_error *error)
{
    size_t n = (size_t)def->element_count, m = (size_t)def->body_count;
    sherd_fragment *fragments = calloc(m + 1, sizeof *fragments);
    sherd_fragment_id *labels = calloc(n + 1, sizeof *labels);
    int32_t *slots = calloc(n + 1, sizeof *slots);
    sherd_status status = SHERD_OK;
    if (fragments == NULL || labels == NULL || slots == NULL) status = out_of_memory(error);
    for (int32_t b = 0; b < def->body_count && status == SHERD_OK; ++b) {
        const sherd_surface_body *body = &def->bodies[b];
        fragments[b] = (sherd_fragment){.id = b + 1, .count = body->count, .first = body->first};
        for (sherd_element_index k = body->first; k < body->first + body->count; ++k)
            labels[k] = b + 1, slots[k] = b;
    }
    const sherd_fragment_view view = {def->body_count, fragments, labels, slots,
                                      def->body_count + 1};
    if (status == SHERD_OK) status = sherd_surface_update(surface, &view, NULL, error);
    free(fragments);
    free(labels);
    free(slots);
    return status;
}

sherd_surface *sherd_blob_surface_make(const sherd_surface_def *def, const sherd_run_frame *frame,
                                       sherd_error *error)
{
    sherd_surface_def now = *def;
    now.rest_x = frame->x, now.rest_y = frame->y, now.rest_z = frame->z;
    now.bond_count = 0, now.bond_i = now.bond_j = NULL;
    sherd_surface *surface = sherd_surface_create(&now, error);
    if (surface == NULL || update(surface, &now, error) == SHERD_OK) return surface;
    sherd_surface_destroy(surface);
    return NULL;
}

sherd_status sherd_blob_elements_make(sherd_moved_elements *moved, const sherd_run_frame *frame,
                                      sherd_element_index count, double later, sherd_error *error)
{
    size_t n = (size_t)count;
    double *all = moved->numbers = calloc(5 * n + 1, sizeof *all);
    if (all == NULL) return out_of_memory(error);
    const double *const from[3] = {frame->x, frame->y, frame->z};
    const double *const speed[3] = {frame->vx, frame->vy, frame->vz};
    for (size_t c = 0; c < 3; ++c)
        for (size_t k = 0; k < n; ++k)
            all[c * n + k] = from[c][k] + later * speed[c][k];
    double *none = all + 3 * n, *one = all + 4 * n;
    for (size_t k = 0; k < n; ++k)
        one[k] = 1.0;
    moved->pose = (sherd_surface_pose){all, all + n, all + 2 * n, none, none, none, one};
    return SHERD_OK;
}
