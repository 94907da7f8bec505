// Small bonded bodies with everything that a linear system can hold, and its matrix in double precision.
#pragma once

#include "base/memory.h"
#include "base/random.h"
#include "base/record.h"
#include "math/quat.h"
#include "models/bonded/tangent/tangent.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

// What rigs save.
static const sherd_record_about RIG_RECORD
    __attribute__((unused)) = {.where = "rig", .hint = "", .complete = true};

enum { RIG_MAX_SPRINGS = 64, RIG_MAX_BODIES = 2 };

typedef struct rig {
    sherd_elements elements;
    sherd_bonds bonds;
    sherd_bond_blocks blocks;
    sherd_adjacency adjacency;
    sherd_material_def material;
    sherd_node_inertia bodies[RIG_MAX_BODIES];
    sherd_contact_spring springs[RIG_MAX_SPRINGS];
    sherd_tangent *tangent;
    sherd_linear_system system;
    double radius;
    uint64_t counter; // of random numbers
} rig;

typedef struct rig_def {
    int nx, ny, nz; // of a close-packed block, rows along x
    double jitter;  // of rest positions, in radii: what is not regular has no packets
    double radius, youngs_modulus;
    double shear; // G over E, 0 = 0.4
    sherd_precision precision;
    double bond_damping; // 0 = next to none
    double own;          // spread of single bonds' sections and stiffnesses, [0, 1), 0 = none
    sherd_bond_law law;
    sherd_breakage breakage;
    double strength; // against tension and shear [Pa], 0 = never breaks
} rig_def;

static inline double rig_uniform(rig *r, double low, double high)
{
    return low + (high - low) * sherd_random_uniform(17, 3, r->counter++);
}

static inline sherd_vec3 rig_vector(rig *r, double size)
{
    return vec3(rig_uniform(r, -size, size), rig_uniform(r, -size, size),
                rig_uniform(r, -size, size));
}

static inline sherd_vec3 rig_site(rig *r, const rig_def *def, int x, int y, int z)
{
    double spacing = 2.0 * def->radius;
    sherd_vec3 p = vec3(spacing * (x + 0.5 * (y & 1) + 0.5 * (z & 1)),
                        spacing * sqrt(0.75) * (y + (z & 1) / 3.0), spacing * sqrt(2.0 / 3.0) * z);
    return vec3_add(p, rig_vector(r, def->jitter * def->radius));
}

static inline void rig_place(rig *r, int k, sherd_vec3 p, sherd_quat q)
{
    sherd_elements *e = &r->elements;
    e->px[k] = p.x, e->py[k] = p.y, e->pz[k] = p.z;
    e->qx[k] = q.x, e->qy[k] = q.y, e->qz[k] = q.z, e->qw[k] = q.w;
}

static inline void rig_make_elements(rig *r, const rig_def *def)
{
    sherd_elements *e = &r->elements;
    sherd_error error;
    int count = def->nx * def->ny * def->nz;
    cr_assert(sherd_elements_resize(e, count, &error) == SHERD_OK);
    for (int k = 0; k < count; ++k) {
        sherd_vec3 p = rig_site(r, def, k % def->nx, k / def->nx % def->ny, k / def->nx / def->ny);
        e->rx[k] = p.x, e->ry[k] = p.y, e->rz[k] = p.z;
        e->radius[k] = def->radius;
        e->mass[k] = 4.0 / 3.0 * M_PI * pow(def->radius, 3) * 2600.0;
        rig_place(r, k, p, SHERD_QUAT_IDENTITY);
    }
}

// Two of three bonds get a section or a stiffness of their own.
static inline void rig_give_own(rig *r, double spread)
{
    sherd_error error;
    sherd_bonds *b = &r->bonds;
    cr_assert(sherd_bonds_make_column(b, &b->stiffness, 1.0F));
    for (int64_t k = 0; k < b->count; ++k) {
        double factor = rig_uniform(r, 1.0 - spread, 1.0 + spread);
        if (k % 3 == 0) b->stiffness[k] = (float)factor;
        if (k % 3 == 1)
            cr_assert(sherd_bonds_set_section(b, k, factor * M_PI * r->radius * r->radius,
                                              &error) == SHERD_OK);
    }
}

static inline void rig_make(rig *r, const rig_def *def)
{
    sherd_error error;
    *r = (rig){.radius = def->radius, .material = sherd_material_def_default()};
    r->material.youngs_modulus = def->youngs_modulus;
    r->material.shear_modulus = (def->shear > 0.0 ? def->shear : 0.4) * def->youngs_modulus;
    r->material.bond_damping = def->bond_damping > 0.0 ? def->bond_damping : 1e-6;
    r->material.law = def->law;
    r->material.breakage = def->breakage;
    if (def->strength > 0.0)
        r->material.tensile_strength = r->material.shear_strength = def->strength;
    r->system.parallel.threads = 2;
    rig_make_elements(r, def);
    sherd_parallel *parallel = &r->system.parallel;
    cr_assert(sherd_bonds_add_near(&r->bonds, &r->elements, &r->material, 0, r->elements.count,
                                   0.01 + 2.0 * def->jitter, parallel, &error) == SHERD_OK);
    if (def->own > 0.0) rig_give_own(r, def->own);
    cr_assert(sherd_bonds_arrange(&r->bonds, &r->elements, def->precision, parallel, &r->blocks,
                                  &error) == SHERD_OK);
    cr_assert(sherd_adjacency_build(&r->adjacency, &r->bonds, r->elements.count, &error) ==
              SHERD_OK);
    r->tangent = sherd_tangent_create(&error);
    cr_assert(r->tangent != NULL);
    sherd_tangent_fill(r->tangent,
                       &(sherd_tangent_parts){&r->elements, &r->bonds, &r->blocks, &r->adjacency},
                       &r->system);
    r->system.topology = 1;
    r->system.bodies = r->bodies;
    r->system.springs = r->springs;
}

static inline void rig_free(rig *r)
{
    sherd_elements_free(&r->elements);
    sherd_bonds_free(&r->bonds);
    sherd_bond_blocks_free(&r->blocks);
    sherd_adjacency_free(&r->adjacency);
    sherd_tangent_destroy(r->tangent);
}

// A random deformed state: strains and angles of about `size`, after a large common rotation.
static inline void rig_deform(rig *r, double size)
{
    sherd_elements *e = &r->elements;
    sherd_quat common = quat_from_rotation_vector(rig_vector(r, 2.0));
    for (int k = 0; k < e->count; ++k) {
        sherd_vec3 x = vec3(e->rx[k], e->ry[k], e->rz[k]);
        x = vec3_add(x, rig_vector(r, r->radius * size));
        sherd_quat q = quat_from_rotation_vector(rig_vector(r, size));
        rig_place(r, k, quat_rotate(common, x), quat_multiply(common, q));
    }
}

// Breaks about this share of the bonds.
static inline void rig_break(rig *r, double share)
{
    sherd_error error;
    for (int64_t k = 0; k < r->bonds.count; ++k)
        if (rig_uniform(r, 0.0, 1.0) < share) r->bonds.broken[k] = 1, ++r->bonds.broken_count;
    cr_assert(sherd_bond_blocks_refresh(&r->blocks, &r->bonds, &r->elements, r->bonds.broken,
                                        &error) == SHERD_OK);
    ++r->system.topology;
}

static inline void rig_hold(rig *r)
{
    for (int k = 0; k < r->elements.count; ++k)
        if (k % 7 == 3) r->elements.held[k] = (uint8_t)(1 + k / 7 % 15);
}

static inline double rig_stiffness(const rig *r)
{
    return r->material.youngs_modulus * M_PI * r->radius / 2.0; // E S / l0
}

// Two free bodies; springs between elements, elements and bodies, both bodies, and to the ground.
static inline void rig_add_contacts(rig *r)
{
    sherd_linear_system *s = &r->system;
    double mass = 20.0 * r->elements.mass[0];
    for (int b = 0; b < RIG_MAX_BODIES; ++b) {
        r->bodies[b].mass = mass * (1 + b);
        for (int m = 0; m < 3; ++m)
            for (int n = 0; n < 3; ++n)
                r->bodies[b].moment[m][n] =
                    mass * r->radius * r->radius * (m == n ? 3.0 + m : 0.3 * (m + n));
    }
    s->body_count = RIG_MAX_BODIES;
    s->spring_count = 40;
    int nodes = (int)sherd_node_count(s);
    for (int k = 0; k < s->spring_count; ++k) {
        sherd_contact_spring *spring = &r->springs[k];
        spring->i = k * (nodes - 1) / (int)s->spring_count;
        spring->j = k % 4 == 0 ? -1 : nodes - 1 - k % 3;
        if (k == s->spring_count - 1) spring->i = nodes - 2, spring->j = nodes - 1;
        sherd_vec3 n = vec3_normalize(rig_vector(r, 1.0));
        double k_n = 0.5 * rig_stiffness(r), k_t = 0.2 * k_n;
        double d[3] = {n.x, n.y, n.z}, over = k_n - k_t;
        double all[6] = {k_t + over * d[0] * d[0], k_t + over * d[1] * d[1],
                         k_t + over * d[2] * d[2], over * d[0] * d[1],
                         over * d[0] * d[2],       over * d[1] * d[2]};
        memcpy(spring->stiffness, all, sizeof all);
        for (int c = 0; c < 3; ++c) {
            spring->arm_i[c] = (float)(r->radius * d[c]);
            spring->arm_j[c] = (float)(-2.0 * r->radius * d[c]);
        }
    }
}

// ---------------------------------------------------------------- the matrix, in double precision

static inline size_t rig_stride(const rig *r)
{
    return sherd_node_stride(sherd_node_count(&r->system));
}

typedef struct rig_node {
    sherd_vec3 p, q; // displacement and rotation, or force and torque
} rig_node;

static inline rig_node rig_load(const double *x, size_t stride, size_t k)
{
    return (rig_node){vec3(x[k], x[stride + k], x[2 * stride + k]),
                      vec3(x[3 * stride + k], x[4 * stride + k], x[5 * stride + k])};
}

static inline void rig_add(double *y, size_t stride, size_t k, double sign, rig_node n)
{
    const double numbers[6] = {n.p.x, n.p.y, n.p.z, n.q.x, n.q.y, n.q.z};
    for (size_t c = 0; c < 6; ++c)
        y[c * stride + k] += sign * numbers[c];
}

static inline sherd_vec3 rig_split(double along, double across, sherd_vec3 n, sherd_vec3 v)
{
    return vec3_add_scaled(vec3_scale(across, v), (along - across) * vec3_dot(v, n), n);
}

// As tangent.h says it.
static inline void rig_add_bond(const rig *r, int64_t bond, const double *x, double *y)
{
    const sherd_elements *e = &r->elements;
    size_t i = (size_t)r->bonds.i[bond], j = (size_t)r->bonds.j[bond], stride = rig_stride(r);
    sherd_bond_constants constants = sherd_bond_constants_of(&r->bonds, e, bond);
    double S = M_PI * constants.r0 * constants.r0, bend = 0.25 * S * constants.r0 * constants.r0;
    double w = 1.0 + r->system.damping * constants.beta;
    rig_node a = rig_load(x, stride, i), b = rig_load(x, stride, j);
    sherd_vec3 d = vec3_sub(sherd_element_position(e, (int)j), sherd_element_position(e, (int)i));
    sherd_vec3 n = vec3_normalize(d), mean = vec3_scale(0.5, vec3_add(a.q, b.q));
    sherd_vec3 strain = vec3_sub(vec3_sub(b.p, a.p), vec3_cross(mean, d));
    sherd_vec3 g = rig_split(w * constants.E * S / constants.l0,
                             w * constants.G * S * constants.l0 / vec3_dot(d, d), n, strain);
    sherd_vec3 h = rig_split(2.0 * w * constants.G * bend / constants.l0,
                             w * constants.E * bend / constants.l0, n, vec3_sub(b.q, a.q));
    sherd_vec3 arm = vec3_scale(0.5, vec3_cross(g, d));
    double pull = constants.E * S / constants.l0 * (1.0 - constants.l0 / vec3_length(d));
    if (r->system.tension && pull > 0.0)
        g = vec3_add(g, rig_split(0.0, pull, n, vec3_sub(b.p, a.p)));
    rig_add(y, stride, j, 1.0, (rig_node){g, vec3_add(arm, h)});
    rig_add(y, stride, i, -1.0, (rig_node){g, vec3_sub(h, arm)});
}

static inline sherd_vec3 rig_point_motion(const double *x, size_t stride, int32_t k,
                                          const float *arm)
{
    if (k < 0) return vec3(0, 0, 0);
    rig_node n = rig_load(x, stride, (size_t)k);
    sherd_vec3 a = vec3((double)arm[0], (double)arm[1], (double)arm[2]);
    return vec3_add(n.p, vec3_cross(n.q, a));
}

static inline void rig_push(double *y, size_t stride, int32_t k, const float *arm, double sign,
                            sherd_vec3 f)
{
    if (k < 0) return;
    sherd_vec3 a = vec3((double)arm[0], (double)arm[1], (double)arm[2]);
    rig_add(y, stride, (size_t)k, sign, (rig_node){f, vec3_cross(a, f)});
}

static inline void rig_add_spring(const rig *r, const sherd_contact_spring *s, const double *x,
                                  double *y)
{
    size_t stride = rig_stride(r);
    sherd_vec3 u = vec3_sub(rig_point_motion(x, stride, s->i, s->arm_i),
                            rig_point_motion(x, stride, s->j, s->arm_j));
    double k[6];
    for (int c = 0; c < 6; ++c)
        k[c] = s->stiffness[c];
    sherd_vec3 f = vec3(k[0] * u.x + k[3] * u.y + k[4] * u.z, k[3] * u.x + k[1] * u.y + k[5] * u.z,
                        k[4] * u.x + k[5] * u.y + k[2] * u.z);
    rig_push(y, stride, s->i, s->arm_i, 1.0, f);
    rig_push(y, stride, s->j, s->arm_j, -1.0, f);
}

static inline void rig_add_inertia(const rig *r, const double *x, double *y)
{
    const sherd_elements *e = &r->elements;
    size_t stride = rig_stride(r), n = (size_t)e->count;
    double c = r->system.inertia;
    for (size_t k = 0; k < n + (size_t)r->system.body_count; ++k) {
        rig_node v = rig_load(x, stride, k);
        if (k < n) {
            double moment = sherd_element_inertia(e, (int)k);
            rig_add(y, stride, k, c,
                    (rig_node){vec3_scale(e->mass[k], v.p), vec3_scale(moment, v.q)});
            continue;
        }
        const sherd_node_inertia *b = &r->bodies[k - n];
        sherd_vec3 turn =
            vec3(b->moment[0][0] * v.q.x + b->moment[0][1] * v.q.y + b->moment[0][2] * v.q.z,
                 b->moment[1][0] * v.q.x + b->moment[1][1] * v.q.y + b->moment[1][2] * v.q.z,
                 b->moment[2][0] * v.q.x + b->moment[2][1] * v.q.y + b->moment[2][2] * v.q.z);
        rig_add(y, stride, k, c, (rig_node){vec3_scale(b->mass, v.p), turn});
    }
}

static inline bool rig_is_held(const rig *r, size_t column, size_t node)
{
    if (node >= (size_t)r->elements.count) return false;
    return (r->elements.held[node] >> (column < 3 ? column : 3) & 1) != 0;
}

static inline void rig_clear_held(const rig *r, double *x)
{
    size_t stride = rig_stride(r), nodes = sherd_node_count(&r->system);
    for (size_t c = 0; c < 6; ++c)
        for (size_t k = 0; k < nodes; ++k)
            if (rig_is_held(r, c, k)) x[c * stride + k] = 0.0;
}

// y = A x
static inline void rig_multiply(const rig *r, const double *x, double *y)
{
    memset(y, 0, 6 * rig_stride(r) * sizeof *y);
    rig_add_inertia(r, x, y);
    for (int64_t k = 0; k < r->bonds.count; ++k)
        if (!r->bonds.broken[k]) rig_add_bond(r, k, x, y);
    for (int64_t k = 0; k < r->system.spring_count; ++k)
        rig_add_spring(r, &r->springs[k], x, y);
    rig_clear_held(r, y);
}

// Random motions: displacements of a radius, rotations of a radian, held freedoms 0.
static inline void rig_random_motion(rig *r, double *x)
{
    size_t stride = rig_stride(r), nodes = sherd_node_count(&r->system);
    memset(x, 0, 6 * stride * sizeof *x);
    for (size_t c = 0; c < 6; ++c)
        for (size_t k = 0; k < nodes; ++k)
            x[c * stride + k] = rig_uniform(r, -1.0, 1.0) * (c < 3 ? r->radius : 1.0);
    rig_clear_held(r, x);
}
