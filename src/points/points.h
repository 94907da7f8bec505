// Points as contact, obstacles and drivers use them: motion, size, mass, and load arrays. Each
// model provides its own; the arrays of bonded elements are used without a copy (elements.h).
//
//   array           meaning                       unit      contact, obstacles, drivers
//   px py pz        position p                    m         read; drivers write those of held points
//   qx qy qz qw     orientation q, unit           -         the same
//   vx vy vz        velocity v                    m/s       the same
//   wx wy wz        angular velocity, world       rad/s     the same
//   fx fy fz        force F                       N         add
//   tx ty tz        torque T, world               N m       add
//   radius mass                                   m, kg     read
//   material        index from 0                            read
//   held            SHERD_HELD_* bits                       read; drivers write
//   asleep          1: moves with a body that is asleep     read
//
// Every array exists: a model whose points have no orientation provides zeros and ignores T.
// Two groups of arrays may be replaced by smaller ones (docs/notebook/decisions/0006), and are then
// NULL:
// - F and T of explicit steps in mixed precision, by `loads`;
// - radius, mass and material, by the entries of a table, `kinds`.
// The functions below and point_lanes.h read both forms.
#pragma once

#include "math/short_double.h"

#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>

// Forces with shortened mantissas, so that momentum stays exact to 1e-12; torques in single
// precision.
typedef struct sherd_short_loads {
    uint32_t *high[3]; // of F
    uint16_t *low[3];  // of F
    float *torque[3];  // T
} sherd_short_loads;

// For packings with few kinds of points.
typedef struct sherd_point_kinds {
    // by point: index into the three arrays below; NULL: radius, mass and material are allocated
    // instead
    uint16_t *line;
    double *radius, *mass;
    uint16_t *material;
    int32_t count; // number of entries
} sherd_point_kinds;

// The members of sherd_points as a macro: sherd_elements has the same members, so that both views
// share storage.
#define SHERD_POINT_MEMBERS                                                                        \
    sherd_element_index count;                                                                     \
    double *px, *py, *pz;                                                                          \
    double *qx, *qy, *qz, *qw;                                                                     \
    double *vx, *vy, *vz;                                                                          \
    double *wx, *wy, *wz;                                                                          \
    double *fx, *fy, *fz;                                                                          \
    double *tx, *ty, *tz;                                                                          \
    double *radius, *mass;                                                                         \
    uint16_t *material;                                                                            \
    uint8_t *held;                                                                                 \
    uint8_t *asleep;                                                                               \
    sherd_short_loads loads;                                                                       \
    sherd_point_kinds kinds;                                                                       \
    const sherd_element_index                                                                      \
        *number /* of a part's points in the whole, for messages; not owned; \
                                         NULL: the same */

typedef struct sherd_points {
    SHERD_POINT_MEMBERS;
} sherd_points;

// Bits of sherd_points.held: the freedoms that a driver prescribes, or TURN alone: that nothing turns,
// as elements of bonds without torques (law CENTRAL).
enum {
    SHERD_HELD_X = 1,
    SHERD_HELD_Y = 2,
    SHERD_HELD_Z = 4,
    SHERD_HELD_MOVES = 7, // any of these: to contact, the point is immovable
    SHERD_HELD_TURN = 8,
    SHERD_HELD_ALL = 15,
};

// Access to one point, for code outside hot loops.
static inline sherd_vec3 sherd_point_position(const sherd_points *p, sherd_element_index k)
{
    return (sherd_vec3){p->px[k], p->py[k], p->pz[k]};
}

static inline sherd_quat sherd_point_orientation(const sherd_points *p, sherd_element_index k)
{
    return (sherd_quat){p->qx[k], p->qy[k], p->qz[k], p->qw[k]};
}

static inline sherd_vec3 sherd_point_velocity(const sherd_points *p, sherd_element_index k)
{
    return (sherd_vec3){p->vx[k], p->vy[k], p->vz[k]};
}

static inline sherd_vec3 sherd_point_spin(const sherd_points *p, sherd_element_index k)
{
    return (sherd_vec3){p->wx[k], p->wy[k], p->wz[k]};
}

static inline double sherd_point_radius(const sherd_points *p, sherd_element_index k)
{
    return p->radius != NULL ? p->radius[k] : p->kinds.radius[p->kinds.line[k]];
}

static inline double sherd_point_mass(const sherd_points *p, sherd_element_index k)
{
    return p->mass != NULL ? p->mass[k] : p->kinds.mass[p->kinds.line[k]];
}

static inline uint16_t sherd_point_material(const sherd_points *p, sherd_element_index k)
{
    return p->material != NULL ? p->material[k] : p->kinds.material[p->kinds.line[k]];
}

static inline bool sherd_point_is_held(const sherd_points *p, sherd_element_index k)
{
    return (p->held[k] & SHERD_HELD_MOVES) != 0;
}

static inline double sherd_point_inertia(const sherd_points *p, sherd_element_index k)
{
    double r = sherd_point_radius(p, k);
    return 0.4 * sherd_point_mass(p, k) * r * r;
}

static inline sherd_element_index sherd_point_number(const sherd_points *p, sherd_element_index k)
{
    return p->number != NULL ? p->number[k] : k;
}

// ---------------------------------------------------------------- loads

static inline double sherd_short_force(const sherd_short_loads *l, int axis, sherd_element_index k)
{
    return short_double_value(l->high[axis][k], l->low[axis][k]);
}

static inline sherd_vec3 sherd_point_force(const sherd_points *p, sherd_element_index k)
{
    if (p->fx != NULL) return (sherd_vec3){p->fx[k], p->fy[k], p->fz[k]};
    return (sherd_vec3){sherd_short_force(&p->loads, 0, k), sherd_short_force(&p->loads, 1, k),
                        sherd_short_force(&p->loads, 2, k)};
}

static inline sherd_vec3 sherd_point_torque(const sherd_points *p, sherd_element_index k)
{
    if (p->tx != NULL) return (sherd_vec3){p->tx[k], p->ty[k], p->tz[k]};
    return (sherd_vec3){(double)p->loads.torque[0][k], (double)p->loads.torque[1][k],
                        (double)p->loads.torque[2][k]};
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

// Sets F and T from `load`, or `load` from F and T, F first.
static inline void sherd_point_set_loads(sherd_points *p, sherd_element_index k,
                                         const double load[6])
{
    if (p->fx == NULL) {
        sherd_short_loads_set(&p->loads, k, load);
        return;
    }
    p->fx[k] = load[0], p->fy[k] = load[1], p->fz[k] = load[2];
    p->tx[k] = load[3], p->ty[k] = load[4], p->tz[k] = load[5];
}

static inline void sherd_point_add_loads(sherd_points *p, sherd_element_index k,
                                         const double load[6])
{
    if (p->fx == NULL) {
        sherd_short_loads_add(&p->loads, k, load);
        return;
    }
    p->fx[k] += load[0], p->fy[k] += load[1], p->fz[k] += load[2];
    p->tx[k] += load[3], p->ty[k] += load[4], p->tz[k] += load[5];
}

static inline void sherd_point_add_load(sherd_points *p, sherd_element_index k, sherd_vec3 force,
                                        sherd_vec3 torque)
{
    const double load[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    sherd_point_add_loads(p, k, load);
}
