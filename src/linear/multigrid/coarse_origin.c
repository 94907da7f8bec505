#include "linear/multigrid/coarse_origin.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

void sherd_coarse_origin_free(sherd_coarse_origin *origin)
{
    sherd_free(origin->position[0]);
    sherd_free(origin->springs);
    *origin = (sherd_coarse_origin){0};
}

size_t sherd_coarse_origin_bytes(const sherd_coarse_origin *origin)
{
    return 3 * (size_t)origin->count * sizeof(double) +
           origin->spring_capacity * sizeof *origin->springs;
}

static sherd_status make_room(sherd_coarse_origin *origin, sherd_element_index count,
                              int64_t springs, sherd_error *error)
{
    size_t n = (size_t)count;
    if (origin->count != count) {
        sherd_free(origin->position[0]);
        double *memory = sherd_alloc(3 * n, sizeof *memory);
        for (int c = 0; c < 3; ++c)
            origin->position[c] = memory != NULL ? memory + (size_t)c * n : NULL;
        origin->count = memory != NULL ? count : 0;
    }
    bool room = sherd_grow((void **)&origin->springs, &origin->spring_capacity, (size_t)springs,
                           sizeof *origin->springs);
    if (room && (n == 0 || origin->position[0] != NULL)) return SHERD_OK;
    return sherd_fail_memory(error, "what clusters were made from");
}

sherd_status sherd_coarse_origin_note(sherd_coarse_origin *origin,
                                      const sherd_linear_system *system, sherd_error *error)
{
    const sherd_elements *e = system->elements;
    origin->known = false;
    if (system->body_count > 0) return SHERD_OK;
    sherd_status status = make_room(origin, e->count, system->spring_count, error);
    if (status != SHERD_OK) return status;
    const double *from[3] = {e->px, e->py, e->pz};
    for (int c = 0; c < 3; ++c)
        memcpy(origin->position[c], from[c], (size_t)e->count * sizeof(double));
    if (system->spring_count > 0)
        memcpy(origin->springs, system->springs,
               (size_t)system->spring_count * sizeof *origin->springs);
    origin->spring_count = system->spring_count;
    origin->inertia = system->inertia;
    origin->damping = system->damping;
    origin->known = true;
    return SHERD_OK;
}

sherd_linear_system sherd_coarse_origin_system(const sherd_coarse_origin *origin,
                                               const sherd_linear_system *now,
                                               sherd_elements *elements)
{
    *elements = *now->elements;
    elements->px = origin->position[0];
    elements->py = origin->position[1];
    elements->pz = origin->position[2];
    sherd_linear_system then = *now;
    then.elements = elements;
    then.inertia = origin->inertia;
    then.damping = origin->damping;
    then.spring_count = origin->spring_count;
    then.springs = origin->springs;
    return then;
}

// ---------------------------------------------------------------- checkpoints

typedef struct saved_origin {
    int64_t known, count, spring_count;
    double inertia, damping;
} saved_origin;

void sherd_coarse_origin_save(const sherd_coarse_origin *origin, sherd_byte_buffer *out)
{
    saved_origin head = {.known = origin->known,
                         .count = origin->count,
                         .spring_count = origin->spring_count,
                         .inertia = origin->inertia,
                         .damping = origin->damping};
    sherd_byte_buffer_append(out, &head, sizeof head);
    if (!origin->known) return;
    sherd_byte_buffer_append_block(out, origin->position[0],
                                   3 * (size_t)origin->count * sizeof(double));
    sherd_byte_buffer_append_block(out, origin->springs,
                                   (size_t)origin->spring_count * sizeof *origin->springs);
}

sherd_status sherd_coarse_origin_restore(sherd_coarse_origin *origin, sherd_byte_reader *in,
                                         sherd_error *error)
{
    saved_origin head = {0};
    sherd_byte_reader_take(in, &head, sizeof head);
    origin->known = false;
    if (in->failed || !head.known) return SHERD_OK;
    // Whatever damaged bytes say: no more than there are.
    int64_t left = (int64_t)(in->size - in->at);
    in->failed |= head.count < 0 || head.count > left / 24 || head.spring_count < 0 ||
                  head.spring_count > left / (int64_t)sizeof *origin->springs;
    if (in->failed) return SHERD_OK;
    sherd_status status =
        make_room(origin, (sherd_element_index)head.count, head.spring_count, error);
    if (status != SHERD_OK) return status;
    sherd_byte_reader_take_block(in, origin->position[0], 3 * (size_t)head.count * sizeof(double));
    sherd_byte_reader_take_block(in, origin->springs,
                                 (size_t)head.spring_count * sizeof *origin->springs);
    origin->spring_count = head.spring_count;
    origin->inertia = head.inertia, origin->damping = head.damping;
    origin->known = !in->failed;
    return SHERD_OK;
}
