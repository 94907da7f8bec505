#include "implicit/node_state.h"

#include "base/memory.h"

#include <string.h>

enum { COLUMNS = 13 };

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

void sherd_node_state_take(sherd_node_state *state, const sherd_elements *elements)
{
    double *mine[COLUMNS], *theirs[COLUMNS];
    columns_of(state, mine);
    element_columns(elements, theirs);
    for (int c = 0; c < COLUMNS; ++c)
        memcpy(mine[c], theirs[c], (size_t)state->count * sizeof(double));
}

void sherd_node_state_put(const sherd_node_state *state, sherd_elements *elements)
{
    sherd_node_state copy = *state;
    double *mine[COLUMNS], *theirs[COLUMNS];
    columns_of(&copy, mine);
    element_columns(elements, theirs);
    for (int c = 0; c < COLUMNS; ++c)
        memcpy(theirs[c], mine[c], (size_t)state->count * sizeof(double));
}

void sherd_node_state_swap(sherd_node_state *a, sherd_node_state *b)
{
    sherd_node_state keep = *a;
    *a = *b;
    *b = keep;
}
