#include "stepping/implicit/node_state.h"

#include "base/memory.h"

#include <string.h>

enum { COLUMNS = 13, CHUNK = 4096 };

static void columns_of(sherd_node_state *s, double *columns[COLUMNS])
{
    double *all[COLUMNS] = {s->p[0], s->p[1], s->p[2], s->q[0], s->q[1], s->q[2], s->q[3],
                            s->v[0], s->v[1], s->v[2], s->w[0], s->w[1], s->w[2]};
    memcpy(columns, all, sizeof all);
}

static void element_columns(const sherd_elements *e, double *columns[COLUMNS])
{
    double *all[COLUMNS] = {e->px, e->py, e->pz, e->qx, e->qy, e->qz, e->qw,
                            e->vx, e->vy, e->vz, e->wx, e->wy, e->wz};
    memcpy(columns, all, sizeof all);
}

bool sherd_node_state_init(sherd_node_state *state, sherd_element_index count)
{
    size_t n = (size_t)count;
    *state = (sherd_node_state){.count = count, .memory = sherd_alloc(n * COLUMNS, sizeof(double))};
    if (state->memory == NULL) return false;
    double *at = state->memory;
    for (int c = 0; c < 3; ++c, at += n)
        state->p[c] = at;
    for (int c = 0; c < 4; ++c, at += n)
        state->q[c] = at;
    for (int c = 0; c < 3; ++c, at += n)
        state->v[c] = at;
    for (int c = 0; c < 3; ++c, at += n)
        state->w[c] = at;
    return true;
}

void sherd_node_state_free(sherd_node_state *state)
{
    sherd_free(state->memory);
    *state = (sherd_node_state){0};
}

size_t sherd_node_state_bytes(const sherd_node_state *state)
{
    return (size_t)state->count * COLUMNS * sizeof(double);
}

// One column, in memory order: x of p of all, y of p of all, ...
static sherd_record_column column_of(const sherd_node_state *state, const char *name)
{
    return (sherd_record_column){name, &sherd_rows_f64, state->memory,
                                 (size_t)state->count * COLUMNS, 0};
}

void sherd_node_state_save(const sherd_node_state *state, const char *name, sherd_byte_buffer *out)
{
    sherd_record_column column = column_of(state, name);
    sherd_record_write(out, &column);
}

void sherd_node_state_restore(sherd_node_state *state, const char *name, sherd_record_reader *in)
{
    sherd_record_column column = column_of(state, name);
    sherd_record_read(in, &column);
}

typedef struct copying {
    double *from[COLUMNS], *to[COLUMNS];
} copying;

static void copy_range(void *context, size_t begin, size_t end)
{
    const copying *c = context;
    for (int k = 0; k < COLUMNS; ++k)
        memcpy(c->to[k] + begin, c->from[k] + begin, (end - begin) * sizeof(double));
}

void sherd_node_state_capture(sherd_node_state *state, const sherd_elements *elements,
                              const sherd_parallel *parallel)
{
    copying c;
    columns_of(state, c.to);
    element_columns(elements, c.from);
    sherd_parallel_for(parallel, (size_t)state->count, CHUNK, copy_range, &c);
}

void sherd_node_state_restore_to(const sherd_node_state *state, sherd_elements *elements,
                                 const sherd_parallel *parallel)
{
    sherd_node_state copy = *state;
    copying c;
    columns_of(&copy, c.from);
    element_columns(elements, c.to);
    sherd_parallel_for(parallel, (size_t)state->count, CHUNK, copy_range, &c);
}

void sherd_node_state_swap(sherd_node_state *a, sherd_node_state *b)
{
    sherd_node_state keep = *a;
    *a = *b;
    *b = keep;
}
