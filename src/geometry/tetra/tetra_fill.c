// A shape filled with tetrahedra, in this order:
//
//      lattice    fitted to the bounds; vertices near the surface pulled onto it   tetra_lattice.c
//      cut        tetrahedra across the surface                                    tetra_cut.c
//      features   surfaces, creases and corners that vertices lie on               tetra_shaping.c
//      creases    vertices pulled onto creases, edges across them split            tetra_crease.c
//      smooth     worst tetrahedra made better                                     tetra_shaping.c
//      jitter     so that cracks show no planes of the lattice                     tetra_shaping.c
#include "base/error.h"
#include "base/field.h"
#include "base/memory.h"
#include "geometry/tetra/tetra_lattice.h"
#include "geometry/tetra/tetra_shaping.h"

#include <math.h>
#include <stdio.h>

static const uint32_t COOKIE = 0x54455452; // "TETR"

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_tetra_lattice_def, kind, member, __VA_ARGS__)
#define HALF .range = SHERD_BETWEEN(0.0, 0.5)

static const sherd_field FIELDS[] = {
    FIELD(REAL, size, .quantity = SHERD_QUANTITY_LENGTH, .range = SHERD_POSITIVE,
          .flags = SHERD_FIELD_REQUIRED, .hint = "must be a positive length in metres",
          .doc = "mean edge length"),
    FIELD(REAL, jitter, .initial = {0.3}, HALF,
          .doc = "random displacement of vertices as a fraction of `size`; without it cracks show "
                 "the lattice's planes"),
    FIELD(UINT64, seed, .doc = "random seed of the displacements"),
    FIELD(REAL, quality, .initial = {0.25}, HALF,
          .doc = "lower bound on the quality of tetrahedra that jitter keeps"),
    FIELD(INT64, max_tetrahedra, .initial = {5e7}, .range = SHERD_AT_LEAST(1.0),
          .flags = SHERD_FIELD_NOT_PHYSICS,
          .doc = "largest number of tetrahedra; more are an error"),
    FIELD(INT, threads, .range = SHERD_AT_LEAST(0.0), .hint = "0 uses all",
          .flags = SHERD_FIELD_NOT_PHYSICS,
          .doc = "number of threads, 0: all; results do not depend on it"),
};

const sherd_definition *sherd_tetra_lattice_def_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_tetra_lattice_def, FIELDS);
    return &DEFINITION;
}

sherd_tetra_lattice_def sherd_tetra_lattice_def_default(void)
{
    sherd_tetra_lattice_def def = {.cookie = COOKIE};
    sherd_fields_set_initial(sherd_tetra_lattice_def_fields(), &def);
    return def;
}

// Tetrahedra whose volume is below this fraction of the cubed edge length count as worse than their
// shape. The lattice's have 0.110.
static const double SMALL = 0.08;

static sherd_status check(const sherd_shape *shape, const sherd_tetra_lattice_def *def,
                          sherd_error *error)
{
    if (def == NULL || def->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "tetra",
                          "start from sherd_tetra_lattice_def_default()",
                          "definition not initialised");
    if (shape == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "tetra.shape", "give a shape to fill",
                          "got none");
    return sherd_fields_check(sherd_tetra_lattice_def_fields(), def, "tetra", error);
}

static sherd_tetra_mesh *cut_lattice(const sherd_shape *shape, const sherd_tetra_lattice_def *def,
                                     sherd_error *error)
{
    sherd_parallel parallel = {def->threads};
    tetra_field field = {.shape = shape};
    sherd_tetra_mesh *mesh = NULL;
    if (sherd_tetra_lattice_fit(shape, def, &field.lattice, error) == SHERD_OK &&
        sherd_tetra_field_make(&field, &parallel, error) == SHERD_OK)
        mesh = sherd_tetra_field_cut(&field, error);
    sherd_tetra_field_release(&field);
    return mesh;
}

// Walls thinner than a cell are lost in the lattice.
static sherd_status check_volume(const sherd_shape *shape, const sherd_tetra_lattice_def *def,
                                 const sherd_tetra_mesh *mesh, sherd_error *error)
{
    double wanted = sherd_shape_volume(shape), got = sherd_tetra_mesh_volume(mesh);
    if (mesh->tetra_count > 0 && fabs(got - wanted) <= 0.15 * wanted) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "tetra.size",
                      "use a smaller size: about half the thinnest wall",
                      "edges of %g m are too coarse for the shape: tetrahedra fill %.3g %% of it",
                      def->size, 100.0 * got / wanted);
}

static sherd_status shape_mesh(tetra_shaping *s, const sherd_tetra_lattice_def *def,
                               sherd_error *error)
{
    sherd_status status =
        sherd_tetra_topology_build(s->mesh, "tetrahedral mesh", &s->parallel, &s->topology, error);
    if (status == SHERD_OK) status = sherd_tetra_features_find(s, error);
    if (status == SHERD_OK) status = sherd_tetra_creases_fit(s, error);
    if (status != SHERD_OK) return status;
    double small = SMALL * def->size * def->size * def->size;
    s->full_volume = 0.5 * small; // the surface halves the lattice's tetrahedra
    sherd_tetra_smooth(s, 3);
    s->full_volume = small;
    sherd_tetra_jitter(s, def->jitter * def->size, def->quality, def->seed);
    s->full_volume = 0.5 * small;
    sherd_tetra_smooth(s, 1);
    return SHERD_OK;
}

sherd_tetra_mesh *sherd_tetra_mesh_fill(const sherd_shape *shape,
                                        const sherd_tetra_lattice_def *def, sherd_error *error)
{
    sherd_error_clear(error);
    if (check(shape, def, error) != SHERD_OK) return NULL;
    sherd_tetra_mesh *mesh = cut_lattice(shape, def, error);
    if (mesh == NULL) return NULL;
    tetra_shaping s = {.mesh = mesh, .shape = shape, .size = def->size, .parallel = {def->threads}};
    sherd_status status = check_volume(shape, def, mesh, error);
    if (status == SHERD_OK) status = shape_mesh(&s, def, error);
    sherd_free(s.feature);
    sherd_tetra_topology_release(&s.topology);
    if (status == SHERD_OK) return mesh;
    sherd_tetra_mesh_destroy(mesh);
    return NULL;
}
