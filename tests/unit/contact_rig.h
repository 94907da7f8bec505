// A little world of loose elements for tests of contact: velocity Verlet around a sherd_contacts.
#pragma once

#include "base/record.h"
#include "contact/contact.h"
#include "math/quat.h"
#include "points/elements.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

typedef struct rig {
    sherd_elements e;
    sherd_contacts *contacts;
    sherd_vec3 gravity;
    double time, dt;
    bool no_spin; // elements don't turn
    size_t
        told; // contacts get bounds of the moves of this many elements at a time; 0: they get none
} rig;

// What rigs save.
static const sherd_record_about RIG_RECORD
    __attribute__((unused)) = {.where = "rig", .hint = "", .complete = true};

enum { RIG_MAX_PARTS = 64 };

static const sherd_contact_material RIG_MATERIAL = {
    .youngs_modulus = 1e7, .friction = 0.3, .restitution = 0.5}; // E [Pa], mu, e

static inline rig rig_make(int count, const sherd_contact_material *material, double skin,
                           int threads)
{
    rig r = {.gravity = {0.0, 0.0, 0.0}};
    sherd_contact_def def = {1, material, skin, {threads}};
    sherd_error error;
    r.contacts = sherd_contacts_create(&def, &error);
    cr_assert(r.contacts != NULL, "%s", error.what);
    cr_assert(eq(int, sherd_elements_resize(&r.e, count, NULL), SHERD_OK));
    for (int k = 0; k < count; ++k)
        r.e.qw[k] = 1.0;
    return r;
}

static inline void rig_free(rig *r)
{
    sherd_contacts_destroy(r->contacts);
    sherd_elements_free(&r->e);
}

// An element of density 1000.
static inline void rig_put(rig *r, int k, sherd_vec3 p, sherd_vec3 v, double radius)
{
    r->e.px[k] = p.x, r->e.py[k] = p.y, r->e.pz[k] = p.z;
    r->e.vx[k] = v.x, r->e.vy[k] = v.y, r->e.vz[k] = v.z;
    r->e.radius[k] = radius;
    r->e.mass[k] = 1000.0 * 4.0 / 3.0 * M_PI * radius * radius * radius;
}

// The share of the contacts' stability limit, made to exist once elements are placed.
static inline void rig_set_step(rig *r, double share)
{
    r->dt = share * 2.0 / sqrt(sherd_contacts_max_eigenvalue(r->contacts, &r->e.points));
}

static inline void rig_forces(rig *r, const sherd_bond_adjacency *bonds, double dt)
{
    size_t bytes = (size_t)r->e.count * sizeof(double);
    double *loads[] = {r->e.fx, r->e.fy, r->e.fz, r->e.tx, r->e.ty, r->e.tz};
    for (int a = 0; a < 6; ++a)
        memset(loads[a], 0, bytes);
    sherd_error error = {0};
    cr_assert(eq(int, sherd_contacts_prepare(r->contacts, &r->e.points, bonds, &error), SHERD_OK),
              "%s", error.what);
    sherd_contacts_apply(r->contacts, &r->e.points, dt, r->gravity);
}

static inline void rig_kick(rig *r, double dt)
{
    sherd_elements *e = &r->e;
    for (int k = 0; k < e->count; ++k) {
        if (e->held[k]) continue;
        double w = dt / e->mass[k], s = dt / sherd_element_inertia(e, k);
        e->vx[k] += w * e->fx[k] + dt * r->gravity.x;
        e->vy[k] += w * e->fy[k] + dt * r->gravity.y;
        e->vz[k] += w * e->fz[k] + dt * r->gravity.z;
        if (r->no_spin) continue;
        e->wx[k] += s * e->tx[k], e->wy[k] += s * e->ty[k], e->wz[k] += s * e->tz[k];
    }
}

static inline void rig_tell_moves(rig *r)
{
    static double farthest[RIG_MAX_PARTS];
    size_t count = (size_t)r->e.count;
    if (r->told == 0) return;
    cr_assert(lt(sz, (count - 1) / r->told, RIG_MAX_PARTS));
    memset(farthest, 0, sizeof farthest);
    for (size_t k = 0; k < count; ++k) {
        sherd_vec3 v = sherd_element_velocity(&r->e, (sherd_element_index)k);
        double speed = vec3_distance(v, sherd_contacts_drift(r->contacts));
        farthest[k / r->told] = fmax(farthest[k / r->told], r->dt * speed);
    }
    sherd_contacts_moved(r->contacts, &(sherd_contact_moves){farthest, r->told});
}

static inline void rig_step(rig *r, const sherd_bond_adjacency *bonds)
{
    rig_kick(r, 0.5 * r->dt);
    rig_tell_moves(r);
    for (int k = 0; k < r->e.count; ++k) {
        r->e.px[k] += r->dt * r->e.vx[k];
        r->e.py[k] += r->dt * r->e.vy[k];
        r->e.pz[k] += r->dt * r->e.vz[k];
    }
    r->time += r->dt;
    sherd_contacts_move_obstacles(r->contacts, r->time, r->dt, r->gravity);
    rig_forces(r, bonds, r->dt);
    rig_kick(r, 0.5 * r->dt);
}

// First forces, then steps.
static inline void rig_run(rig *r, int steps)
{
    if (r->time == 0.0) rig_forces(r, NULL, 0.0);
    for (int s = 0; s < steps; ++s)
        rig_step(r, NULL);
}

static inline double rig_kinetic(const rig *r)
{
    double sum = 0.0;
    for (int k = 0; k < r->e.count; ++k) {
        sherd_vec3 v = sherd_element_velocity(&r->e, k), w = sherd_element_spin(&r->e, k);
        sum += 0.5 * r->e.mass[k] * vec3_dot(v, v) +
               0.5 * sherd_element_inertia(&r->e, k) * vec3_dot(w, w);
    }
    return sum;
}

// Everything that energy can be, less what was put in: constant.
static inline double rig_balance(const rig *r)
{
    double sum = rig_kinetic(r);
    for (int k = 0; k < r->e.count; ++k)
        sum -= r->e.mass[k] * vec3_dot(r->gravity, sherd_element_position(&r->e, k));
    sherd_contact_energy c = sherd_contacts_energy(r->contacts, r->gravity);
    return sum + c.stored + c.dissipated_damping + c.dissipated_friction - c.work +
           c.rigid_kinetic + c.rigid_gravity;
}

static inline sherd_vec3 rig_momentum(const rig *r)
{
    sherd_vec3 p = sherd_contacts_energy(r->contacts, r->gravity).rigid_momentum;
    for (int k = 0; k < r->e.count; ++k)
        p = vec3_add_scaled(p, r->e.mass[k], sherd_element_velocity(&r->e, k));
    return p;
}

static inline sherd_vec3 rig_angular_momentum(const rig *r)
{
    sherd_vec3 l = sherd_contacts_energy(r->contacts, r->gravity).rigid_angular_momentum;
    for (int k = 0; k < r->e.count; ++k) {
        sherd_vec3 p = vec3_scale(r->e.mass[k], sherd_element_velocity(&r->e, k));
        l = vec3_add(l, vec3_cross(sherd_element_position(&r->e, k), p));
        l = vec3_add_scaled(l, sherd_element_inertia(&r->e, k), sherd_element_spin(&r->e, k));
    }
    return l;
}

static inline sherd_obstacle_def rig_floor(void)
{
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.name = "floor";
    def.is_plane = true;
    return def;
}

static inline int rig_add(rig *r, const sherd_obstacle_def *def)
{
    sherd_error error;
    int obstacle = sherd_contacts_add_obstacle(r->contacts, def, &error);
    cr_assert(obstacle >= 0, "%s: %s", error.where, error.what);
    return obstacle;
}
