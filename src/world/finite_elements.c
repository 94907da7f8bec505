// Bodies of tetrahedral finite elements in a world.
#include "base/error.h"
#include "base/memory.h"
#include "material/strength.h"
#include "models/fem/fem_separation.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

bool sherd_world_is_of_tetrahedra(const sherd_world *world)
{
    return world->system.fem != NULL || (world->body_count > 0 && world->bodies[0].tetra != NULL);
}

// ---------------------------------------------------------------- checks

static sherd_status refuse(const char *name, const char *hint, const char *what, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, name, hint,
                      "is of finite elements, which have no %s", what);
}

static sherd_status check_material(const sherd_material_def *m, const char *name,
                                   sherd_error *error)
{
    const struct {
        const char *what;
        bool has;
    } UNKNOWN[] = {{"fracture_energy", sherd_material_fracture_energy(m) > 0.0},
                   {"yield_stress", isfinite(m->yield_stress)},
                   {"rate_time", m->rate_time > 0.0},
                   {"weibull_modulus", m->weibull_modulus > 0.0},
                   {"grain", m->grain_stiffening > 0.0 || m->grain_strengthening > 0.0}};
    for (size_t k = 0; k < sizeof UNKNOWN / sizeof UNKNOWN[0]; ++k)
        if (UNKNOWN[k].has)
            return refuse(name, "remove it from the material, or take `model: bonded`",
                          UNKNOWN[k].what, error);
    double ratio = 0.5 * m->youngs_modulus / m->shear_modulus - 1.0;
    if (ratio > -1.0 && ratio <= 0.49) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, name, "poissons_ratio up to 0.49",
                      "is of finite elements with a Poisson's ratio of %.4g", ratio);
}

sherd_status sherd_world_check_tetrahedra(const sherd_world *world, const sherd_body_def *def,
                                          const char *name, sherd_error *error)
{
    bool tetra = def->tetra != NULL;
    if (world->body_count > 0 && tetra != sherd_world_is_of_tetrahedra(world))
        return sherd_fail(error, SHERD_ERROR_INPUT, name,
                          "give all bodies of the world `packing: {tetra: {model: fem, ...}}`",
                          "and '%s' are of finite elements and of something else, which do not "
                          "mix: obstacles and free rigid bodies do",
                          world->bodies[0].name);
    if (!tetra) return SHERD_OK;
    if (def->bond_scale != NULL)
        return refuse(name, "remove `weakness`, or take `model: bonded`", "weakness", error);
    if (def->bonding != SHERD_BONDING_LIST || def->point_spacing > 0.0)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "SHERD_BONDING_LIST",
                          "is of finite elements: its bonds are the faces that tetrahedra share");
    if (def->tetra->tetra_count != def->count)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "element k is tetrahedron k",
                          "has %d elements and %d tetrahedra", def->count, def->tetra->tetra_count);
    return check_material(&world->materials[def->material.index1 - 1], name, error);
}

// ---------------------------------------------------------------- bodies

sherd_tetra_mesh *sherd_world_copy_tetrahedra(const sherd_tetra_mesh *mesh, sherd_error *error)
{
    sherd_tetra_mesh *copy = sherd_tetra_mesh_create(mesh->vertex_count, mesh->tetra_count, error);
    if (copy == NULL) return NULL;
    memcpy(copy->vertices, mesh->vertices, 3 * (size_t)mesh->vertex_count * sizeof *mesh->vertices);
    memcpy(copy->tetras, mesh->tetras, 4 * (size_t)mesh->tetra_count * sizeof *mesh->tetras);
    return copy;
}

static sherd_fem_material material_of(const sherd_material_def *m)
{
    bool breaks = sherd_breakage_describe(m->breakage)->breaks;
    return (sherd_fem_material){
        .youngs_modulus = m->youngs_modulus,
        .poissons_ratio = 0.5 * m->youngs_modulus / m->shear_modulus - 1.0,
        .density = m->density,
        .damping = m->bond_damping,
        .strength = breaks ? m->tensile_strength : INFINITY,
        .toughness = breaks ? m->separation_force : 0.0,
    };
}

static bool name_face(sherd_fem *fem, int32_t t, int32_t other, int64_t bond)
{
    for (int f = 0; f < 4; ++f)
        if (fem->neighbor[4 * t + f] == other) {
            fem->face_bond[4 * t + f] = bond;
            return true;
        }
    return false;
}

static sherd_status name_faces(sherd_world *world, sherd_fem *fem, sherd_error *error)
{
    const sherd_bonds *b = &world->system.bonds;
    for (int64_t k = 0; k < b->count; ++k)
        if (!name_face(fem, b->i[k], b->j[k], k) || !name_face(fem, b->j[k], b->i[k], k))
            return sherd_fail(error, SHERD_ERROR_INPUT,
                              world->bodies[sherd_world_body_of(world, b->i[k])].name,
                              "list the pairs of tetrahedra that share faces",
                              "bond %lld joins tetrahedra %d and %d, which share no face",
                              (long long)k, b->i[k], b->j[k]);
    return SHERD_OK;
}

static sherd_status add_bodies(sherd_world *world, sherd_fem *fem, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = 0; k < world->body_count && status == SHERD_OK; ++k) {
        world_body *body = &world->bodies[k];
        sherd_tetra_topology topology = {0};
        status = sherd_tetra_topology_build(body->tetra, body->name, &world->system.parallel,
                                            &topology, error);
        const sherd_fem_body def = {
            body->tetra, topology.neighbor, material_of(&world->materials[body->material]),
            body->pose,  body->velocity,    body->spin};
        if (status == SHERD_OK) status = sherd_fem_add(fem, &def, error);
        sherd_tetra_topology_release(&topology);
        sherd_tetra_mesh_destroy(body->tetra);
        body->tetra = NULL;
    }
    return status == SHERD_OK ? sherd_fem_finish(fem, error) : status;
}

sherd_status sherd_world_make_tetrahedra(sherd_world *world, sherd_error *error)
{
    if (!sherd_world_is_of_tetrahedra(world)) return SHERD_OK;
    int32_t vertices = 0;
    for (int k = 0; k < world->body_count; ++k)
        vertices += world->bodies[k].tetra->vertex_count;
    sherd_system *s = &world->system;
    s->fem = sherd_fem_create(vertices, s->elements.count, &s->parallel);
    if (s->fem == NULL) return sherd_fail_memory(error, "finite elements");
    sherd_status status = add_bodies(world, s->fem, error);
    if (status == SHERD_OK) status = name_faces(world, s->fem, error);
    if (status == SHERD_OK) sherd_fem_renew_nodes(s->fem, s->elements.held);
    return status;
}
