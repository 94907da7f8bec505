// When bonds broke, from the list in each frame. The breaks of a damaged frame are found from the
// arrays of the next readable frame.
#include "base/error.h"
#include "base/memory.h"
#include "output/run_file/run_check.h"
#include "output/run_file/run_format.h"
#include "output/run_file/run_paths.h"

#include <math.h>

typedef struct search {
    sherd_run *run;
    sherd_run_breaks *breaks;
    uint8_t *broken;         // scratch (m)
    int64_t lost, last_lost; // frames with damaged lists that were not reconstructed; -1: none
} search;

static void note(sherd_run_breaks *breaks, sherd_bond_index bond, int64_t intact, int64_t broken)
{
    if (breaks->broken[bond] >= 0) return;
    breaks->intact[bond] = intact;
    breaks->broken[bond] = broken;
}

// Bonds that are broken in frame `k` but in no list broke in frames with damaged lists.
static sherd_status make_up(search *s, int64_t k, sherd_error *error)
{
    sherd_status status = sherd_run_broken_after(s->run, k, s->broken, error);
    if (status == SHERD_ERROR_INPUT) return SHERD_OK; // also damaged: try the next frame
    if (status != SHERD_OK) return status;
    for (sherd_bond_index b = 0; b < s->breaks->bond_count; ++b)
        if (s->broken[b]) note(s->breaks, b, s->lost - 1, s->last_lost);
    s->lost = -1;
    return SHERD_OK;
}

static sherd_status note_events(sherd_run_breaks *breaks, const sherd_run_step *step,
                                sherd_error *error)
{
    size_t capacity = (size_t)breaks->event_capacity;
    size_t needed = (size_t)(breaks->event_count + step->break_count);
    bool done = sherd_grow((void **)&breaks->events, &capacity, needed, sizeof *breaks->events);
    if (!done) return sherd_fail_memory(error, "breaks of the run");
    breaks->event_capacity = (int64_t)capacity;
    for (int64_t k = 0; k < step->break_count; ++k) {
        breaks->event[step->breaks[k].bond] = breaks->event_count;
        breaks->events[breaks->event_count++] = step->breaks[k];
    }
    return SHERD_OK;
}

static sherd_status look_at(search *s, int64_t k, sherd_error *error)
{
    sherd_owned owned = {0};
    sherd_run_step step;
    sherd_status status = sherd_run_read_step(s->run, k, &owned, &step, error);
    s->breaks->time[k] = status == SHERD_OK ? step.time : (double)NAN;
    for (sherd_bond_index b = 0; status == SHERD_OK && b < step.newly_broken_count; ++b)
        note(s->breaks, step.newly_broken[b], k - 1, k);
    if (status == SHERD_OK) status = note_events(s->breaks, &step, error);
    sherd_owned_free(&owned);
    if (status == SHERD_OK && s->lost >= 0) return make_up(s, k, error);
    if (status != SHERD_ERROR_INPUT) return status;
    if (s->lost < 0) s->lost = k;
    s->last_lost = k;
    return SHERD_OK;
}

static bool make_room(search *s, sherd_bond_index bonds, int64_t frames)
{
    sherd_run_breaks *b = s->breaks;
    b->bond_count = bonds;
    b->known = -1;
    b->broken = sherd_alloc((size_t)bonds, sizeof *b->broken);
    b->intact = sherd_alloc((size_t)bonds, sizeof *b->intact);
    b->time = sherd_alloc((size_t)frames, sizeof *b->time);
    b->event = sherd_alloc((size_t)bonds, sizeof *b->event);
    s->broken = sherd_alloc((size_t)bonds, sizeof *s->broken);
    if (b->broken == NULL || b->intact == NULL || b->time == NULL || b->event == NULL ||
        s->broken == NULL)
        return false;
    for (sherd_bond_index k = 0; k < bonds; ++k)
        b->broken[k] = b->intact[k] = b->event[k] = -1;
    return true;
}

sherd_run_breaks *sherd_run_read_breaks(sherd_run *run, int64_t last, sherd_error *error)
{
    int64_t count = sherd_run_frame_count(run);
    if (last >= count) last = count - 1;
    search s = {.run = run, .breaks = sherd_alloc(1, sizeof *s.breaks), .lost = -1};
    sherd_status status = SHERD_OK;
    if (s.breaks == NULL || !make_room(&s, sherd_run_get_model(run).bond_count, last + 1))
        status = sherd_fail_memory(error, "bonds of the run");
    for (int64_t k = 0; k <= last && status == SHERD_OK; ++k) {
        status = look_at(&s, k, error);
        if (s.lost >= 0 && !sherd_run_frames_stand_alone(run)) break;
        s.breaks->frame_count = k + 1;
        if (s.lost < 0) s.breaks->known = k;
    }
    sherd_free(s.broken);
    if (status == SHERD_OK) return s.breaks;
    sherd_run_breaks_destroy(s.breaks);
    return NULL;
}

void sherd_run_breaks_destroy(sherd_run_breaks *breaks)
{
    if (breaks == NULL) return;
    sherd_free(breaks->broken);
    sherd_free(breaks->intact);
    sherd_free(breaks->time);
    sherd_free(breaks->events);
    sherd_free(breaks->event);
    sherd_free(breaks);
}
