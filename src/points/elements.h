// State of all elements: structure of arrays, used by bonds, contact and time integration.
//
//   array           meaning                       unit      written by
//   px py pz        position p                    m         dynamics (drift)
//   qx qy qz qw     orientation q, unit           -         dynamics (drift)
//   vx vy vz        velocity v                    m/s       dynamics (kicks)
//   wx wy wz        angular velocity, world       rad/s     dynamics (kicks)
//   fx fy fz        force F                       N         bond, then contact add to it
//   tx ty tz        torque T, world               N m       bond, then contact add to it
//   rx ry rz        reference position, body frame m        world (when added)
//   radius mass                                   m, kg     world (when added)
//   material        index from 0                            world (when added)
//   held            SHERD_HELD_* bits                       world (when added)
//   asleep          1 part of a rigid body: its state is    dynamics
//                   updated only when needed
//
// During force evaluation v and w hold the half-step velocities v(t + dt/2), which is what damping
// forces use. Moment of inertia is I = 2/5 m r^2.    docs/theory/physics.md 1
//
// Two groups of arrays may be replaced by smaller ones (docs/notebook/decisions/0006), and are then
// NULL:
// - F and T of explicit steps in mixed precision, to `loads` (sherd_elements_shorten_loads);
// - given properties of elements, once all are added, to `given` (sherd_elements_pack), which loses
//   nothing.
// The functions below and element_lanes.h read both forms.
#pragma once

#include "base/record.h"
#include "points/points.h"

#include <sherd/error.h>
#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>

// For regular packings: reference positions have few distinct coordinates.
typedef struct sherd_given {
    // index into rest_value, x y z; NULL: rx, ry or rz is allocated instead
    uint16_t *rest_index[3];
    double *rest_value[3];
    int32_t rest_values[3]; // number of distinct values
} sherd_given;

typedef struct sherd_elements {
    union {
        struct {
            SHERD_POINT_MEMBERS;
        };
        sherd_points points; // the same members, for code that needs only points
    };
    double *rx, *ry, *rz;
    sherd_given given;
    sherd_element_index capacity; // of every array
    bool staggered;               // arrays of the state start at different cache lines of a page
} sherd_elements;

// Changes the number of elements, keeping present values and zeroing new ones. Only before packing.
sherd_status sherd_elements_resize(sherd_elements *elements, sherd_element_index count,
                                   sherd_error *error);
// Frees what is reserved for more elements. Only before packing.
sherd_status sherd_elements_trim(sherd_elements *elements, sherd_error *error);
void sherd_elements_free(sherd_elements *elements);

// Moves given properties into tables if that takes less memory. A second call does nothing.
sherd_status sherd_elements_pack(sherd_elements *elements, sherd_error *error);

// Rounds F and T, which must be 0, from here on.
sherd_status sherd_elements_shorten_loads(sherd_elements *elements, sherd_error *error);

// Sets F and T of elements [begin, end) to 0.
void sherd_elements_clear_loads(sherd_elements *elements, sherd_element_index begin,
                                sherd_element_index end);

// Zeroes positions and velocities, of bodies whose model has them too, and with `turns` orientations.
// Large arrays take no memory until they are written again.
void sherd_elements_clear_motion(sherd_elements *elements, bool turns);

size_t sherd_elements_bytes(const sherd_elements *elements);

// Arrays that change and cannot be derived: p, q, v, w, F, T.
enum { SHERD_STATE_COLUMNS = 13 + 9 };
int sherd_elements_state(const sherd_elements *elements,
                         sherd_record_column columns[SHERD_STATE_COLUMNS]);

// ---------------------------------------------------------------- one element

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

// Functions of its point (points.h):

static inline sherd_vec3 sherd_element_position(const sherd_elements *e, sherd_element_index k)
{
    return sherd_point_position(&e->points, k);
}

static inline sherd_quat sherd_element_orientation(const sherd_elements *e, sherd_element_index k)
{
    return sherd_point_orientation(&e->points, k);
}

static inline sherd_vec3 sherd_element_velocity(const sherd_elements *e, sherd_element_index k)
{
    return sherd_point_velocity(&e->points, k);
}

static inline sherd_vec3 sherd_element_spin(const sherd_elements *e, sherd_element_index k)
{
    return sherd_point_spin(&e->points, k);
}

static inline double sherd_element_radius(const sherd_elements *e, sherd_element_index k)
{
    return sherd_point_radius(&e->points, k);
}

static inline double sherd_element_mass(const sherd_elements *e, sherd_element_index k)
{
    return sherd_point_mass(&e->points, k);
}

static inline uint16_t sherd_element_material(const sherd_elements *e, sherd_element_index k)
{
    return sherd_point_material(&e->points, k);
}

static inline double sherd_element_inertia(const sherd_elements *e, sherd_element_index k)
{
    return sherd_point_inertia(&e->points, k);
}

static inline sherd_element_index sherd_element_number(const sherd_elements *e,
                                                       sherd_element_index k)
{
    return sherd_point_number(&e->points, k);
}

static inline sherd_vec3 sherd_element_force(const sherd_elements *e, sherd_element_index k)
{
    return sherd_point_force(&e->points, k);
}

static inline sherd_vec3 sherd_element_torque(const sherd_elements *e, sherd_element_index k)
{
    return sherd_point_torque(&e->points, k);
}

// Whether the element never turns: loads' torques on it do nothing, and it has no angular momentum of
// its own. Drivers turn those that they hold.
static inline bool sherd_element_is_spinless(const sherd_elements *e, sherd_element_index k)
{
    return (e->held[k] & SHERD_HELD_TURN) != 0 && e->held[k] != SHERD_HELD_ALL;
}

static inline sherd_vec3 sherd_element_own_torque(const sherd_elements *e, sherd_element_index k)
{
    return sherd_element_is_spinless(e, k) ? (sherd_vec3){0} : sherd_element_torque(e, k);
}

// The moment of inertia that counts as the element's own; not 0 for spinless ones, so that two of them
// have moments about the line through both.
static inline double sherd_element_own_inertia(const sherd_elements *e, sherd_element_index k)
{
    double r = sherd_point_radius(&e->points, k);
    if (sherd_element_is_spinless(e, k)) r *= 1e-3;
    return 0.4 * sherd_point_mass(&e->points, k) * r * r;
}

static inline void sherd_element_set_loads(sherd_elements *e, sherd_element_index k,
                                           const double load[6])
{
    sherd_point_set_loads(&e->points, k, load);
}

static inline void sherd_element_add_loads(sherd_elements *e, sherd_element_index k,
                                           const double load[6])
{
    sherd_point_add_loads(&e->points, k, load);
}

static inline void sherd_element_add_load(sherd_elements *e, sherd_element_index k,
                                          sherd_vec3 force, sherd_vec3 torque)
{
    sherd_point_add_load(&e->points, k, force, torque);
}

// A subset of a world's elements as an element set of its own, and the return of their state.

// Copies the given properties and held freedoms of the `count` elements `member`, whose loads must
// be in full arrays. `member` must stay valid.
sherd_status sherd_elements_extract_part(sherd_elements *part, const sherd_elements *whole,
                                         const sherd_element_index *member,
                                         sherd_element_index count, sherd_error *error);

// Copies p, q, v, w, F, T from the whole to the part and back.
void sherd_elements_fetch_state(sherd_elements *part, const sherd_elements *whole,
                                const sherd_element_index *member);
void sherd_elements_return_state(const sherd_elements *part, sherd_elements *whole,
                                 const sherd_element_index *member);

// Continues `hash` (base/hash.h) with p, q, v and w of all points.
uint64_t sherd_points_hash(const sherd_points *points, uint64_t hash);
