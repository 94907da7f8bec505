#include "linear/multigrid/coarse_recorded_state.h"

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
    bool ready = sherd_grow((void **)&origin->springs, &origin->spring_capacity, (size_t)springs,
                            sizeof *origin->springs);
    if (ready && (n == 0 || origin->position[0] != NULL)) return SHERD_OK;
    return sherd_fail_memory(error, "the bonds of clusters");
}

sherd_status sherd_coarse_origin_note(sherd_coarse_origin *origin,
                                      const sherd_linear_system *system, sherd_error *error)
{
    const sherd_points *p = system->points;
    origin->known = false;
    if (system->body_count > 0) return SHERD_OK;
    sherd_status status = make_room(origin, p->count, system->spring_count, error);
    if (status != SHERD_OK) return status;
    const double *from[3] = {p->px, p->py, p->pz};
    for (int c = 0; c < 3; ++c)
        memcpy(origin->position[c], from[c], (size_t)p->count * sizeof(double));
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
                                               const sherd_linear_system *now, sherd_points *points)
{
    *points = *now->points;
    points->px = origin->position[0];
    points->py = origin->position[1];
    points->pz = origin->position[2];
    sherd_linear_system then = *now;
    then.points = points;
    then.inertia = origin->inertia;
    then.damping = origin->damping;
    then.spring_count = origin->spring_count;
    then.springs = origin->springs;
    return then;
}

// ---------------------------------------------------------------- checkpoints

static const sherd_row_member SPRING[] = {SHERD_MEMBER(sherd_contact_spring, i),
                                          SHERD_MEMBER(sherd_contact_spring, j),
                                          SHERD_ARRAY_MEMBER(sherd_contact_spring, arm_i),
                                          SHERD_ARRAY_MEMBER(sherd_contact_spring, arm_j),
                                          SHERD_ARRAY_MEMBER(sherd_contact_spring, stiffness)};
const sherd_row_layout sherd_contact_spring_layout = SHERD_ROW_LAYOUT(sherd_contact_spring, SPRING);

static const sherd_row_member NUMBERS[] = {SHERD_MEMBER(sherd_coarse_origin, inertia),
                                           SHERD_MEMBER(sherd_coarse_origin, damping)};
static const sherd_row_layout NUMBERS_LAYOUT = SHERD_ROW_LAYOUT(sherd_coarse_origin, NUMBERS);

enum { ARRAYS = 4 };

static void arrays_of(const sherd_coarse_origin *o, sherd_record_column arrays[ARRAYS])
{
    size_t n = (size_t)o->count;
    arrays[0] = (sherd_record_column){"x", &sherd_rows_f64, o->position[0], n, 0};
    arrays[1] = (sherd_record_column){"y", &sherd_rows_f64, o->position[1], n, 0};
    arrays[2] = (sherd_record_column){"z", &sherd_rows_f64, o->position[2], n, 0};
    arrays[3] = (sherd_record_column){"springs", &sherd_contact_spring_layout, o->springs,
                                      (size_t)o->spring_count, 0};
}

void sherd_coarse_origin_save(const sherd_coarse_origin *origin, sherd_byte_buffer *out)
{
    if (!origin->known) return;
    sherd_record_column arrays[ARRAYS];
    arrays_of(origin, arrays);
    size_t begun = sherd_record_begin(out, "origin");
    sherd_record_write_one(out, "numbers", &NUMBERS_LAYOUT, origin);
    sherd_record_write_all(out, arrays, ARRAYS);
    sherd_record_end(out, begun);
}

static bool springs_are_valid(const sherd_coarse_origin *o)
{
    for (int64_t s = 0; s < o->spring_count; ++s)
        if (o->springs[s].i < 0 || o->springs[s].i >= o->count || o->springs[s].j < -1 ||
            o->springs[s].j >= o->count)
            return false;
    return true;
}

sherd_status sherd_coarse_origin_restore(sherd_coarse_origin *origin, sherd_record_reader *in,
                                         sherd_error *error)
{
    origin->known = false;
    if (!sherd_record_has(in, "origin")) return in->status;
    sherd_record_reader part = sherd_record_enter(in, "origin");
    size_t count = sherd_record_rows(&part, "x"), springs = sherd_record_rows(&part, "springs");
    if (part.status == SHERD_OK && count <= INT32_MAX)
        part.status = make_room(origin, (sherd_element_index)count, (int64_t)springs, error);
    origin->spring_count = (int64_t)springs;
    sherd_record_column arrays[ARRAYS];
    arrays_of(origin, arrays);
    sherd_record_read_one(&part, "numbers", &NUMBERS_LAYOUT, origin);
    sherd_record_read_all(&part, arrays, ARRAYS);
    sherd_status status = sherd_record_leave(&part);
    if (status == SHERD_OK && !springs_are_valid(origin))
        status = sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                            "is damaged: springs of contacts are between no elements");
    origin->known = status == SHERD_OK;
    return status;
}
