// Packed shapes with bonds that can be broken, and their surfaces.
#pragma once

#include "base/random.h"
#include "math/vec3.h"
#include "unit/manifold.h"

#include <sherd/packing.h>
#include <sherd/surface.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

// A packed shape with bonds between touching elements, broken between the cells of a pattern.
typedef struct model {
    sherd_shape *shape;
    sherd_packing *packing;
    sherd_bond_index bonds;
    sherd_element_index *i, *j;
    uint8_t *broken;
    double *mass;
    sherd_fragments *fragments;
    sherd_fragment_view view;
    sherd_surface_body body;
    sherd_surface *surface;
} model;

static inline void make_bonds(model *m)
{
    const sherd_packing *p = m->packing;
    size_t room = 8 * (size_t)p->count;
    m->i = malloc(room * sizeof *m->i);
    m->j = malloc(room * sizeof *m->j);
    m->broken = calloc(room, 1);
    m->mass = malloc((size_t)p->count * sizeof *m->mass);
    for (int32_t a = 0; a < p->count; ++a) {
        m->mass[a] = 1.0;
        for (int32_t b = a + 1; b < p->count; ++b) {
            double reach = 1.05 * (p->radius[a] + p->radius[b]);
            double dx = p->x[a] - p->x[b], dy = p->y[a] - p->y[b], dz = p->z[a] - p->z[b];
            if (dx * dx + dy * dy + dz * dz > reach * reach) continue;
            m->i[m->bonds] = a;
            m->j[m->bonds++] = b;
        }
    }
}

static inline void update(model *m)
{
    sherd_error error;
    sherd_fragment_input in = {.element_count = m->packing->count,
                               .mass = m->mass,
                               .radius = m->packing->radius,
                               .bond_count = m->bonds,
                               .bond_i = m->i,
                               .bond_j = m->j,
                               .bond_broken = m->broken};
    cr_assert_eq(sherd_fragments_update(m->fragments, &in, &error), SHERD_OK, "%s", error.what);
    m->view = sherd_fragments_view(m->fragments);
    cr_assert_eq(sherd_surface_update(m->surface, &m->view, m->broken, &error), SHERD_OK, "%s",
                 error.what);
}

static inline model make_model_with(sherd_shape *shape, double radius, int threads,
                                    const sherd_surface_def *options)
{
    sherd_error error;
    model m = {.shape = shape};
    cr_assert(shape != NULL);
    sherd_packing_def pack = sherd_packing_def_default();
    pack.radius = radius;
    m.packing = sherd_packing_create(shape, &pack, &error);
    cr_assert(m.packing != NULL, "%s", error.what);
    make_bonds(&m);
    m.fragments = sherd_fragments_create(&error);
    m.body = (sherd_surface_body){.shape = shape, .count = m.packing->count};
    sherd_surface_def def = *options;
    def.body_count = 1;
    def.bodies = &m.body;
    def.element_count = m.packing->count;
    def.rest_x = m.packing->x;
    def.rest_y = m.packing->y;
    def.rest_z = m.packing->z;
    def.radius = m.packing->radius;
    def.bond_count = m.bonds;
    def.bond_i = m.i;
    def.bond_j = m.j;
    def.threads = threads;
    m.surface = sherd_surface_create(&def, &error);
    cr_assert(m.surface != NULL, "%s %s", error.where, error.what);
    return m;
}

static inline void free_model(model *m)
{
    sherd_surface_destroy(m->surface);
    sherd_fragments_destroy(m->fragments);
    sherd_packing_destroy(m->packing);
    sherd_shape_destroy(m->shape);
    free(m->i);
    free(m->j);
    free(m->broken);
    free(m->mass);
}

static inline sherd_vec3 element(const model *m, sherd_element_index e)
{
    return vec3(m->packing->x[e], m->packing->y[e], m->packing->z[e]);
}

static inline void break_plane(model *m, sherd_vec3 normal, double offset)
{
    for (sherd_bond_index b = 0; b < m->bonds; ++b) {
        bool low = vec3_dot(normal, element(m, m->i[b])) < offset;
        m->broken[b] |= low != (vec3_dot(normal, element(m, m->j[b])) < offset);
    }
}

static inline int nearest_seed(sherd_vec3 x, const sherd_vec3 *seed, int count)
{
    int best = 0;
    for (int k = 1; k < count; ++k)
        if (vec3_distance(x, seed[k]) < vec3_distance(x, seed[best])) best = k;
    return best;
}

static inline void break_voronoi(model *m, int count, uint64_t number)
{
    sherd_bounds box = sherd_shape_bounds(m->shape);
    sherd_vec3 seed[64], size = vec3_sub(box.high, box.low);
    for (int k = 0; k < count; ++k)
        seed[k] = vec3(box.low.x + size.x * sherd_random_uniform(number, 0, (uint64_t)k),
                       box.low.y + size.y * sherd_random_uniform(number, 1, (uint64_t)k),
                       box.low.z + size.z * sherd_random_uniform(number, 2, (uint64_t)k));
    for (sherd_bond_index b = 0; b < m->bonds; ++b)
        m->broken[b] |= nearest_seed(element(m, m->i[b]), seed, count) !=
                        nearest_seed(element(m, m->j[b]), seed, count);
}

static inline sherd_surface_piece piece_at(const model *m, int k)
{
    return sherd_surface_get_piece(m->surface, k);
}

// Checks every piece; returns the sum of volumes.
static inline double check_pieces(const model *m)
{
    double volume = 0.0;
    cr_assert_eq(sherd_surface_piece_count(m->surface), m->view.count);
    for (int k = 0; k < m->view.count; ++k) {
        sherd_surface_piece p = piece_at(m, k);
        cr_assert_eq(p.fragment, m->view.fragments[k].id);
        check_manifold(p.mesh);
        double v = sherd_mesh_volume(p.mesh);
        cr_assert(lt(dbl, 0.0, v));
        volume += v;
        for (int32_t a = 0; a < p.mesh->vertex_count; ++a) {
            float sum = 0.0f;
            for (int b = SHERD_SURFACE_BONES * a; b < SHERD_SURFACE_BONES * (a + 1); ++b) {
                sum += p.weights[b];
                cr_assert_eq(m->view.element_fragment[p.bones[b]], p.fragment);
            }
            cr_assert(epsilon_eq(flt, sum, 1.0f, 2e-6f)); // twelve roundings to float
            const double *n = p.mesh->normals + 3 * a;
            cr_assert(epsilon_eq(dbl, n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1e-12));
        }
    }
    return volume;
}
