#include "models/mpm/damage/mpm_numerical_fracture.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/forest.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/pages/pages.h"
#include "models/mpm/damage/mpm_phase_field.h"
#include "models/mpm/grid/mpm_axes.h"

#include <stdlib.h>
#include <string.h>

enum { AXES = 3, CHUNK = 4096 };

bool sherd_mpm_tears_make(sherd_mpm_tears *t, const sherd_mpm_lattice *l)
{
    *t = (sherd_mpm_tears){.torn = sherd_alloc(l->count, sizeof *t->torn)};
    return t->torn != NULL;
}

void sherd_mpm_tears_free(sherd_mpm_tears *t)
{
    sherd_free(t->torn);
    *t = (sherd_mpm_tears){0};
}

// ---------------------------------------------------------------- finding them

typedef struct job {
    sherd_mpm_tears *tears;
    const sherd_mpm_lattice *lattice;
    const sherd_mpm_grid *grid;
    const sherd_mpm_points *points;
    int32_t (*node)[AXES]; // by element: the first node that it reaches
} job;

static void find_nodes(void *context, size_t begin, size_t end)
{
    const job *j = context;
    const sherd_mpm_points *p = j->points;
    double w[SHERD_MPM_REACH];
    for (size_t k = begin; k < end; ++k)
        for (int axis = 0; axis < AXES && p->number[k] != SHERD_MPM_FILLER; ++axis)
            j->node[p->number[k]][axis] =
                (int32_t)sherd_mpm_axis_weights(j->grid, p->x[axis][k], w);
}

static bool are_apart(const int32_t a[AXES], const int32_t b[AXES], int reach)
{
    for (int axis = 0; axis < AXES; ++axis)
        if (abs(a[axis] - b[axis]) >= reach) return true;
    return false;
}

// Marks tears between neighbours that share no node any more. Returns the number of new ones.
static double tear_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    const int32_t(*node)[AXES] = (const int32_t(*)[AXES])j->node;
    size_t count = 0;
    for (size_t at = begin; at < end; ++at)
        for (int axis = 0; axis < AXES; ++axis) {
            sherd_element_index next = sherd_mpm_lattice_next(j->lattice, at, axis);
            if (next < 0 || !sherd_mpm_tears_hold(j->tears, at, axis) ||
                !are_apart(node[j->lattice->element[at]], node[next], (int)j->grid->kernel))
                continue;
            j->tears->torn[at] |= (uint8_t)(1 << axis);
            ++count;
        }
    return (double)count;
}

bool sherd_mpm_tears_find(sherd_mpm_tears *t, const sherd_mpm_lattice *l,
                          const sherd_mpm_grid *grid, const sherd_mpm_points *points,
                          sherd_element_index elements, const sherd_parallel *parallel)
{
    if (l->count == 0) return true;
    SHERD_ASSERT(t->count <= 3 * l->count, "tears lie between neighbours");
    job j = {t, l, grid, points, sherd_alloc((size_t)elements, sizeof *j.node)};
    if (j.node == NULL) return false;
    sherd_parallel_for(parallel, points->count, CHUNK, find_nodes, &j);
    t->count += (size_t)sherd_parallel_sum(parallel, l->count, CHUNK, tear_range, &j);
    sherd_free_pages(j.node);
    return true;
}

// ---------------------------------------------------------------- damage

typedef struct broken_job {
    const sherd_mpm_points *points;
    sherd_mpm_tears *tears;
    const sherd_mpm_lattice *lattice;
    uint8_t *broken; // by element
    const uint8_t *list;
} broken_job;

static void mark_range(void *context, size_t begin, size_t end)
{
    const broken_job *j = context;
    const sherd_mpm_points *p = j->points;
    for (size_t k = begin; k < end; ++k)
        if (p->number[k] != SHERD_MPM_FILLER)
            j->broken[p->number[k]] = p->drive[k] > 1.0 && sherd_mpm_is_broken(p->state[k]);
}

void sherd_mpm_tears_mark_broken(const sherd_mpm_points *points, const sherd_parallel *parallel,
                                 uint8_t *broken)
{
    broken_job j = {.points = points, .broken = broken};
    if (sherd_mpm_has_phase(points))
        sherd_parallel_for(parallel, points->count, CHUNK, mark_range, &j);
}

static double add_range(void *context, size_t begin, size_t end)
{
    const broken_job *j = context;
    size_t count = 0;
    for (size_t at = begin; at < end; ++at)
        for (int axis = 0; axis < AXES; ++axis) {
            sherd_element_index next = sherd_mpm_lattice_next(j->lattice, at, axis);
            if (next < 0 || !sherd_mpm_tears_hold(j->tears, at, axis) ||
                !(j->list[j->lattice->element[at]] || j->list[next]))
                continue;
            j->tears->torn[at] |= (uint8_t)(1 << axis);
            ++count;
        }
    return (double)count;
}

void sherd_mpm_tears_add_broken(sherd_mpm_tears *t, const sherd_mpm_lattice *l,
                                const uint8_t *broken, const sherd_parallel *parallel)
{
    broken_job j = {.tears = t, .lattice = l, .list = broken};
    t->count += (size_t)sherd_parallel_sum(parallel, l->count, CHUNK, add_range, &j);
}

// ---------------------------------------------------------------- what they part

static size_t count_of(uint8_t torn)
{
    return (size_t)((torn & 1) + (torn >> 1 & 1) + (torn >> 2 & 1));
}

size_t sherd_mpm_tears_between(const sherd_mpm_tears *t, const sherd_mpm_lattice *l,
                               sherd_element_index first, sherd_element_index end)
{
    size_t count = 0;
    for (size_t at = 0; at < l->count && t->count > 0; ++at)
        if (l->element[at] >= first && l->element[at] < end) count += count_of(t->torn[at]);
    return count;
}

void sherd_mpm_tears_join(const sherd_mpm_tears *t, const sherd_mpm_lattice *l,
                          const sherd_mpm_glues *glue, const uint8_t *broken,
                          sherd_element_index *root)
{
    for (size_t at = 0; at < l->count; ++at)
        for (int axis = 0; axis < AXES; ++axis) {
            sherd_element_index next = sherd_mpm_lattice_next(l, at, axis);
            if (next >= 0 && sherd_mpm_tears_hold(t, at, axis) && !broken[l->element[at]] &&
                !broken[next])
                sherd_join_roots(root, l->element[at], next);
        }
    for (size_t k = 0; k < l->bridge_count; ++k)
        if (!broken[l->bridges[k].from] && !broken[l->bridges[k].to])
            sherd_join_roots(root, l->bridges[k].from, l->bridges[k].to);
    for (size_t k = 0; k < glue->count; ++k)
        if (glue->items[k].damage < 1.0 && !broken[glue->items[k].low] &&
            !broken[glue->items[k].high])
            sherd_join_roots(root, glue->items[k].low, glue->items[k].high);
}

// ---------------------------------------------------------------- state

uint64_t sherd_mpm_tears_hash(const sherd_mpm_tears *t, size_t listed, uint64_t hash)
{
    return t->count > 0 ? sherd_hash_bytes(hash, t->torn, listed) : hash;
}

static sherd_record_column column_of(uint8_t *torn, size_t listed)
{
    return (sherd_record_column){"torn", &sherd_rows_u8, torn, listed, 0};
}

void sherd_mpm_tears_save(const sherd_mpm_tears *t, size_t listed, sherd_byte_buffer *out)
{
    if (t->count == 0) return;
    size_t begun = sherd_record_begin(out, "tears");
    sherd_record_column column = column_of(t->torn, listed);
    sherd_record_write(out, &column);
    sherd_record_end(out, begun);
}

sherd_status sherd_mpm_tears_restore(sherd_mpm_tears *t, size_t listed, sherd_record_reader *in,
                                     sherd_error *error)
{
    if (listed > 0) memset(t->torn, 0, listed);
    t->count = 0;
    if (!sherd_record_has(in, "tears")) return SHERD_OK;
    sherd_record_reader part = sherd_record_enter(in, "tears");
    sherd_record_column column = column_of(t->torn, listed);
    sherd_record_read(&part, &column);
    for (size_t at = 0; at < listed && part.status == SHERD_OK; ++at) {
        if (t->torn[at] >> AXES != 0)
            part.status =
                sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "resume from another checkpoint",
                           "what has torn makes no sense: it is damaged");
        t->count += count_of(t->torn[at]);
    }
    return sherd_record_leave(&part);
}
