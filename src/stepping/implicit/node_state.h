// Copies of the state of all elements: at the start of a step, its target, and the previous one.
#pragma once

#include "base/parallel.h"
#include "base/record.h"
#include "points/elements.h"

#include <stdbool.h>

// Pose and velocity of n elements, structure of arrays.
typedef struct sherd_node_state {
    sherd_element_index count;
    double *p[3], *q[4]; // [m], [-]
    double *v[3], *w[3]; // [m/s], [rad/s]
    double *memory;      // owned; contains all of the above
} sherd_node_state;

bool sherd_node_state_init(sherd_node_state *state, sherd_element_index count);
void sherd_node_state_free(sherd_node_state *state);
size_t sherd_node_state_bytes(const sherd_node_state *state);

// For checkpoints: a column of that name, px of all, py of all, ..., wz of all.
void sherd_node_state_save(const sherd_node_state *state, const char *name, sherd_byte_buffer *out);
void sherd_node_state_restore(sherd_node_state *state, const char *name, sherd_record_reader *in);

// Copies the elements' state; writes it back.
void sherd_node_state_capture(sherd_node_state *state, const sherd_elements *elements,
                              const sherd_parallel *parallel);
void sherd_node_state_restore_to(const sherd_node_state *state, sherd_elements *elements,
                                 const sherd_parallel *parallel);
void sherd_node_state_swap(sherd_node_state *a, sherd_node_state *b);

static inline sherd_vec3 sherd_node_position(const sherd_node_state *s, size_t k)
{
    return (sherd_vec3){s->p[0][k], s->p[1][k], s->p[2][k]};
}

static inline sherd_quat sherd_node_orientation(const sherd_node_state *s, size_t k)
{
    return (sherd_quat){s->q[0][k], s->q[1][k], s->q[2][k], s->q[3][k]};
}

static inline sherd_vec3 sherd_node_velocity(const sherd_node_state *s, size_t k)
{
    return (sherd_vec3){s->v[0][k], s->v[1][k], s->v[2][k]};
}

static inline sherd_vec3 sherd_node_spin(const sherd_node_state *s, size_t k)
{
    return (sherd_vec3){s->w[0][k], s->w[1][k], s->w[2][k]};
}

static inline void sherd_node_set_pose(sherd_node_state *s, size_t k, sherd_vec3 p, sherd_quat q)
{
    s->p[0][k] = p.x, s->p[1][k] = p.y, s->p[2][k] = p.z;
    s->q[0][k] = q.x, s->q[1][k] = q.y, s->q[2][k] = q.z, s->q[3][k] = q.w;
}

static inline void sherd_element_set_pose(sherd_elements *e, size_t k, sherd_vec3 p, sherd_quat q)
{
    e->px[k] = p.x, e->py[k] = p.y, e->pz[k] = p.z;
    e->qx[k] = q.x, e->qy[k] = q.y, e->qz[k] = q.z, e->qw[k] = q.w;
}

static inline void sherd_element_set_velocity(sherd_elements *e, size_t k, sherd_vec3 v,
                                              sherd_vec3 w)
{
    e->vx[k] = v.x, e->vy[k] = v.y, e->vz[k] = v.z;
    e->wx[k] = w.x, e->wy[k] = w.y, e->wz[k] = w.z;
}
