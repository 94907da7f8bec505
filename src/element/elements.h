// State of all elements: structure of arrays. Below bond, contact and dynamics, which all work on it.
//
//   array           meaning                       unit      written by
//   px py pz        position p                    m         dynamics (drift)
//   qx qy qz qw     orientation q, unit           -         dynamics (drift)
//   vx vy vz        velocity v                    m/s       dynamics (kicks)
//   wx wy wz        angular velocity, world       rad/s     dynamics (kicks)
//   fx fy fz        force F                       N         bond, then contact add to it
//   tx ty tz        torque T, world               N m       bond, then contact add to it
//   rx ry rz        rest position, body frame     m         world (when added)
//   radius mass                                   m, kg     world (when added)
//   material body   indices from 0                          world (when added)
//   held            SHERD_HELD_* bits                       world (when added)
//   asleep          1 part of a rigid body: its state is    dynamics
//                   brought up to date when needed only
//
// During force evaluation v and w hold the half-step velocities v(t + dt/2), which is what damping
// forces use. Moment of inertia is I = 2/5 m r^2.                                   PHYSICS.md 1
#pragma once

#include <sherd/error.h>
#include <sherd/types.h>

#include <stddef.h>

typedef struct sherd_elements {
    sherd_element_index count;
    double *px, *py, *pz;
    double *qx, *qy, *qz, *qw;
    double *vx, *vy, *vz;
    double *wx, *wy, *wz;
    double *fx, *fy, *fz;
    double *tx, *ty, *tz;
    double *rx, *ry, *rz;
    double *radius, *mass;
    uint16_t *material;
    sherd_body_index *body;
    uint8_t *held;
    uint8_t *asleep;
} sherd_elements;

// Bits of sherd_elements.held: which freedoms a driver prescribes.
enum {
    SHERD_HELD_X = 1,
    SHERD_HELD_Y = 2,
    SHERD_HELD_Z = 4,
    SHERD_HELD_TURN = 8,
    SHERD_HELD_ALL = 15,
};

// Grows every array to `count`, keeping what is there and zeroing the rest.
sherd_status sherd_elements_resize(sherd_elements *elements, sherd_element_index count,
                                   sherd_error *error);
void sherd_elements_free(sherd_elements *elements);
size_t sherd_elements_bytes_each(void);

// Bundled access for code that is not a hot loop.
static inline sherd_vec3 sherd_element_position(const sherd_elements *e, sherd_element_index k)
{
    return (sherd_vec3){e->px[k], e->py[k], e->pz[k]};
}

static inline sherd_quat sherd_element_orientation(const sherd_elements *e, sherd_element_index k)
{
    return (sherd_quat){e->qx[k], e->qy[k], e->qz[k], e->qw[k]};
}

static inline sherd_vec3 sherd_element_velocity(const sherd_elements *e, sherd_element_index k)
{
    return (sherd_vec3){e->vx[k], e->vy[k], e->vz[k]};
}

static inline sherd_vec3 sherd_element_spin(const sherd_elements *e, sherd_element_index k)
{
    return (sherd_vec3){e->wx[k], e->wy[k], e->wz[k]};
}

// What was given when the element was added. Others ask here, not the arrays: how these are stored
// may change when all elements are there.
static inline sherd_vec3 sherd_element_rest(const sherd_elements *e, sherd_element_index k)
{
    return (sherd_vec3){e->rx[k], e->ry[k], e->rz[k]};
}

static inline double sherd_element_radius(const sherd_elements *e, sherd_element_index k)
{
    return e->radius[k];
}

static inline double sherd_element_mass(const sherd_elements *e, sherd_element_index k)
{
    return e->mass[k];
}

static inline int sherd_element_material(const sherd_elements *e, sherd_element_index k)
{
    return e->material[k];
}

static inline sherd_body_index sherd_element_body(const sherd_elements *e, sherd_element_index k)
{
    return e->body[k];
}

static inline double sherd_element_inertia(const sherd_elements *e, sherd_element_index k)
{
    double r = sherd_element_radius(e, k);
    return 0.4 * sherd_element_mass(e, k) * r * r;
}

// Loads, likewise.
static inline sherd_vec3 sherd_element_force(const sherd_elements *e, sherd_element_index k)
{
    return (sherd_vec3){e->fx[k], e->fy[k], e->fz[k]};
}

static inline sherd_vec3 sherd_element_torque(const sherd_elements *e, sherd_element_index k)
{
    return (sherd_vec3){e->tx[k], e->ty[k], e->tz[k]};
}

static inline void sherd_element_add_load(sherd_elements *e, sherd_element_index k,
                                          sherd_vec3 force, sherd_vec3 torque)
{
    e->fx[k] += force.x, e->fy[k] += force.y, e->fz[k] += force.z;
    e->tx[k] += torque.x, e->ty[k] += torque.y, e->tz[k] += torque.z;
}
