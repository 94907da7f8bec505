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
//   material        index from 0                            world (when added)
//   held            SHERD_HELD_* bits                       world (when added)
//   asleep          1 part of a rigid body: its state is    dynamics
//                   brought up to date when needed only
//
// During force evaluation v and w hold the half-step velocities v(t + dt/2), which is what damping
// forces use. Moment of inertia is I = 2/5 m r^2.    docs/physics.md 1
//
// Two groups of arrays may give way to smaller ones (docs/decisions/0006), and are then NULL:
// - F and T of explicit steps in mixed precision, to `loads` (sherd_elements_shorten_loads);
// - what elements were given, once all are there, to `given` (sherd_elements_pack), which loses
//   nothing.
// The functions below and element_lanes.h know both ways.
#pragma once

#include "math/short_double.h"

#include <sherd/error.h>
#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>

// Forces as short doubles, so that momentum stays exact to 1e-12; torques as singles.
typedef struct sherd_short_loads {
    uint32_t *high[3]; // of F
    uint16_t *low[3];  // of F
    float *torque[3];  // T
} sherd_short_loads;

// Of regular packings: rest positions have few different coordinates, elements are of few kinds.
typedef struct sherd_given {
    uint16_t *rest_index[3]; // where in rest_value, x y z; NULL: rx, ry or rz is still there
    double *rest_value[3];
    uint16_t *kind; // where in the three below; NULL: radius, mass and material are still there
    double *kind_radius, *kind_mass;
    uint16_t *kind_material;
    int32_t rest_values[3], kinds; // how many there are
} sherd_given;

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
    uint8_t *held;
    uint8_t *asleep;
    sherd_short_loads loads;
    sherd_given given;
    bool apart; // arrays of the state begin at different lines of a page
    // Of a part: in the whole, for messages. Not owned; NULL: the same.
    const sherd_element_index *number;
} sherd_elements;

// Bits of sherd_elements.held: which freedoms a driver prescribes.
enum {
    SHERD_HELD_X = 1,
    SHERD_HELD_Y = 2,
    SHERD_HELD_Z = 4,
    SHERD_HELD_TURN = 8,
    SHERD_HELD_ALL = 15,
};

// Grows every array to `count`, keeping what is there and zeroing the rest. Before anything is packed.
sherd_status sherd_elements_resize(sherd_elements *elements, sherd_element_index count,
                                   sherd_error *error);
void sherd_elements_free(sherd_elements *elements);

// Moves what elements were given into tables where that takes less. Again: nothing happens.
sherd_status sherd_elements_pack(sherd_elements *elements, sherd_error *error);

// Rounds F and T, which must be 0, from now on.
sherd_status sherd_elements_shorten_loads(sherd_elements *elements, sherd_error *error);

// Sets F and T of elements [begin, end) to 0.
void sherd_elements_clear_loads(sherd_elements *elements, sherd_element_index begin,
                                sherd_element_index end);

size_t sherd_elements_bytes(const sherd_elements *elements);

// Arrays with what changes and can't be derived: p, q, v, w, F, T.
enum { SHERD_STATE_COLUMNS = 13 + 9 };
typedef struct sherd_state_column {
    void *array;
    size_t item_size;
} sherd_state_column;
int sherd_elements_state(const sherd_elements *elements,
                         sherd_state_column columns[SHERD_STATE_COLUMNS]);

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

// ---------------------------------------------------------------- what was given

static inline double sherd_element_rest_part(const sherd_elements *e, const double *full, int axis,
                                             sherd_element_index k)
{
    return full != NULL ? full[k] : e->given.rest_value[axis][e->given.rest_index[axis][k]];
}

static inline sherd_vec3 sherd_element_rest(const sherd_elements *e, sherd_element_index k)
{
    return (sherd_vec3){sherd_element_rest_part(e, e->rx, 0, k),
                        sherd_element_rest_part(e, e->ry, 1, k),
                        sherd_element_rest_part(e, e->rz, 2, k)};
}

static inline double sherd_element_radius(const sherd_elements *e, sherd_element_index k)
{
    return e->radius != NULL ? e->radius[k] : e->given.kind_radius[e->given.kind[k]];
}

static inline sherd_element_index sherd_element_number(const sherd_elements *e,
                                                       sherd_element_index k)
{
    return e->number != NULL ? e->number[k] : k;
}

static inline double sherd_element_mass(const sherd_elements *e, sherd_element_index k)
{
    return e->mass != NULL ? e->mass[k] : e->given.kind_mass[e->given.kind[k]];
}

static inline uint16_t sherd_element_material(const sherd_elements *e, sherd_element_index k)
{
    return e->material != NULL ? e->material[k] : e->given.kind_material[e->given.kind[k]];
}

static inline double sherd_element_inertia(const sherd_elements *e, sherd_element_index k)
{
    double r = sherd_element_radius(e, k);
    return 0.4 * sherd_element_mass(e, k) * r * r;
}

// ---------------------------------------------------------------- loads

static inline double sherd_short_force(const sherd_short_loads *l, int axis, sherd_element_index k)
{
    return short_double_value(l->high[axis][k], l->low[axis][k]);
}

static inline sherd_vec3 sherd_element_force(const sherd_elements *e, sherd_element_index k)
{
    if (e->fx != NULL) return (sherd_vec3){e->fx[k], e->fy[k], e->fz[k]};
    return (sherd_vec3){sherd_short_force(&e->loads, 0, k), sherd_short_force(&e->loads, 1, k),
                        sherd_short_force(&e->loads, 2, k)};
}

static inline sherd_vec3 sherd_element_torque(const sherd_elements *e, sherd_element_index k)
{
    if (e->tx != NULL) return (sherd_vec3){e->tx[k], e->ty[k], e->tz[k]};
    return (sherd_vec3){(double)e->loads.torque[0][k], (double)e->loads.torque[1][k],
                        (double)e->loads.torque[2][k]};
}

static inline void sherd_short_loads_set(sherd_short_loads *l, sherd_element_index k,
                                         const double load[6])
{
    for (int a = 0; a < 3; ++a) {
        short_double f = short_double_of(load[a]);
        l->high[a][k] = f.high, l->low[a][k] = f.low;
        l->torque[a][k] = (float)load[3 + a];
    }
}

static inline void sherd_short_loads_add(sherd_short_loads *l, sherd_element_index k,
                                         const double load[6])
{
    double sum[6];
    for (int a = 0; a < 3; ++a) {
        sum[a] = sherd_short_force(l, a, k) + load[a];
        sum[3 + a] = (double)l->torque[a][k] + load[3 + a];
    }
    sherd_short_loads_set(l, k, sum);
}

// F and T are or get those of `load`, F first.
static inline void sherd_element_set_loads(sherd_elements *e, sherd_element_index k,
                                           const double load[6])
{
    if (e->fx == NULL) {
        sherd_short_loads_set(&e->loads, k, load);
        return;
    }
    e->fx[k] = load[0], e->fy[k] = load[1], e->fz[k] = load[2];
    e->tx[k] = load[3], e->ty[k] = load[4], e->tz[k] = load[5];
}

static inline void sherd_element_add_loads(sherd_elements *e, sherd_element_index k,
                                           const double load[6])
{
    if (e->fx == NULL) {
        sherd_short_loads_add(&e->loads, k, load);
        return;
    }
    e->fx[k] += load[0], e->fy[k] += load[1], e->fz[k] += load[2];
    e->tx[k] += load[3], e->ty[k] += load[4], e->tz[k] += load[5];
}

static inline void sherd_element_add_load(sherd_elements *e, sherd_element_index k,
                                          sherd_vec3 force, sherd_vec3 torque)
{
    const double load[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    sherd_element_add_loads(e, k, load);
}
