// Field table of body definitions, and validation of their lists.
#include "world/body_def.h"

#include "base/error.h"
#include "base/field.h"
#include "base/memory.h"
#include "base/sort.h"

#include <sherd/error.h>
#include <sherd/fracture.h>

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { BODY_COOKIE = 0x626f6431 };

static const char *const BONDINGS[] = {"near", "none", "list", NULL};

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_body_def, kind, member, __VA_ARGS__)

// Scenes have fields of their own for bodies: there shapes and packings generate the lists.
static const sherd_field FIELDS[] = {
    FIELD(NAME, name, .doc = "name in messages"),
    FIELD(INT, count, .doc = "number of elements, at least one"),
    FIELD(OTHER, x, .doc = "positions [m]"),
    FIELD(OTHER, y, .doc = "positions [m]"),
    FIELD(OTHER, z, .doc = "positions [m]"),
    FIELD(OTHER, radius, .doc = "radii [m], > 0"),
    FIELD(OTHER, material, .doc = "id from sherd_world_add_material"),
    FIELD(CHOICE, bonding, .choices = BONDINGS, .doc = "which elements are bonded"),
    FIELD(REAL, bond_reach, .initial = {0.15}, .range = SHERD_BETWEEN(0.0, 2.0),
          .hint = "0.15 is a good value",
          .doc = "largest gap that a bond spans, as a fraction of the smaller element's radius"),
    FIELD(INT64, bond_count, .doc = "number of bonds in the lists"),
    FIELD(OTHER, bond_i, .doc = "first element of each bond"),
    FIELD(OTHER, bond_j, .doc = "second element of each bond"),
    FIELD(OTHER, bond_section, .doc = "area of each bond's section [m^2]"),
    FIELD(OTHER, bond_factor, .doc = "factor on each bond's moduli and strengths"),
    FIELD(OTHER, volume, .doc = "volume of solid that each element represents [m^3]"),
    FIELD(REAL, solid_fraction, .initial = {1.0}, .range = SHERD_POSITIVE,
          .hint = "0.7405 in close packings", .doc = "volume fraction of elements in the body"),
    FIELD(REAL, cell_fraction, .range = SHERD_POSITIVE, .flags = SHERD_FIELD_UNSET,
          .doc = "volume fraction of elements in the packing's cells"),
    FIELD(REAL, point_spacing, .quantity = SHERD_QUANTITY_LENGTH, .range = SHERD_POSITIVE,
          .flags = SHERD_FIELD_UNSET, .doc = "spacing of material points"),
    FIELD(OTHER, tetra, .doc = "mesh whose tetrahedra are finite elements"),
    FIELD(OTHER, shape, .doc = "shape that material points fill"),
    FIELD(OTHER, fracture, .doc = "pieces and glue of material points"),
    FIELD(OTHER, bond_scale, .doc = "factors on moduli and strengths by position"),
    FIELD(OTHER, bond_scale_context, .doc = "passed to bond_scale"),
    FIELD(OTHER, cut_faces, .doc = "faces of pre-cracks by position"),
    FIELD(OTHER, cut_faces_context, .doc = "passed to cut_faces"),
    FIELD(VECTOR, pose.position, .quantity = SHERD_QUANTITY_LENGTH,
          .doc = "position of the origin"),
    FIELD(ROTATION, pose.rotation, .initial = {0.0, 0.0, 0.0, 1.0},
          .doc = "rotation of the rest frame"),
    FIELD(VECTOR, velocity, .quantity = SHERD_QUANTITY_SPEED,
          .doc = "initial velocity of the origin"),
    FIELD(VECTOR, angular_velocity, .quantity = SHERD_QUANTITY_ANGULAR_SPEED,
          .doc = "initial angular velocity about the origin, world axes"),
};

const sherd_definition *sherd_body_def_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_body_def, FIELDS);
    return &DEFINITION;
}

sherd_body_def sherd_body_def_default(void)
{
    sherd_body_def def = {.cookie = BODY_COOKIE};
    sherd_fields_set_initial(sherd_body_def_fields(), &def);
    return def;
}

static sherd_status check_elements(const sherd_body_def *def, const char *name, sherd_error *error)
{
    for (sherd_element_index k = 0; k < def->count; ++k) {
        if (!isfinite(def->x[k]) || !isfinite(def->y[k]) || !isfinite(def->z[k]))
            return sherd_fail(error, SHERD_ERROR_INPUT, name, NULL,
                              "element %d has a position that is not finite", k);
        if (!(def->radius[k] > 0.0) || !isfinite(def->radius[k]))
            return sherd_fail(error, SHERD_ERROR_INPUT, name, NULL,
                              "element %d has radius %g, must be > 0", k, def->radius[k]);
        if (def->volume != NULL && (!(def->volume[k] > 0.0) || !isfinite(def->volume[k])))
            return sherd_fail(error, SHERD_ERROR_INPUT, name, NULL,
                              "element %d has volume %g, must be > 0", k, def->volume[k]);
    }
    return SHERD_OK;
}

// A number for each listed bond: factor or section; NULL: none. Stored in single precision.
static sherd_status check_of_bonds(const sherd_body_def *def, const double *values,
                                   const char *what, const char *hint, const char *name,
                                   sherd_error *error)
{
    if (values == NULL) return SHERD_OK;
    if (def->bonding != SHERD_BONDING_LIST)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "use SHERD_BONDING_LIST",
                          "%ss are for listed bonds", what);
    for (sherd_bond_index k = 0; k < def->bond_count; ++k)
        if (!(values[k] >= (double)FLT_MIN && values[k] <= (double)FLT_MAX))
            return sherd_fail(error, SHERD_ERROR_INPUT, name, hint,
                              "bond %lld has %s %g, must be > 0 and finite", (long long)k, what,
                              values[k]);
    return SHERD_OK;
}

// Two bonds of the same pair would be one of twice the strength, which is not intended.
static sherd_status check_pairs(const sherd_body_def *def, const char *name, sherd_error *error)
{
    size_t count = def->bonding == SHERD_BONDING_LIST ? (size_t)def->bond_count : 0;
    if (def->bonding == SHERD_BONDING_LIST &&
        (def->bond_count < 0 || (count > 0 && (def->bond_i == NULL || def->bond_j == NULL))))
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "give bond_i and bond_j",
                          "has %lld listed bonds, but no list", (long long)def->bond_count);
    sherd_sort_pair *pairs = sherd_alloc(count, sizeof *pairs);
    if (pairs == NULL) return sherd_fail_memory(error, "a body's bonds");
    for (size_t k = 0; k < count; ++k) {
        uint32_t i = (uint32_t)def->bond_i[k], j = (uint32_t)def->bond_j[k];
        pairs[k] =
            (sherd_sort_pair){(uint64_t)(i < j ? i : j) << 32 | (i < j ? j : i), (uint32_t)k};
    }
    sherd_status status = SHERD_OK;
    if (!sherd_sort_pairs(pairs, count)) status = sherd_fail_memory(error, "a body's bonds");
    for (size_t k = 1; k < count && status == SHERD_OK; ++k)
        if (pairs[k].key == pairs[k - 1].key)
            status =
                sherd_fail(error, SHERD_ERROR_INPUT, name,
                           "give each pair once; bond_factor makes a bond stronger",
                           "bonds %u and %u join the same elements, %u and %u", pairs[k - 1].value,
                           pairs[k].value, (uint32_t)(pairs[k].key >> 32), (uint32_t)pairs[k].key);
    sherd_free(pairs);
    return status;
}

// The longest stable step is about what a wave takes to cross an element. Rotations of many turns in one
// step are not resolved, and lose all digits. A single element has no bond that such a step would strain.
static sherd_status check_spin(const sherd_world *world, const sherd_body_def *def,
                               const char *name, sherd_error *error)
{
    static const double MAX_ANGLE = 10.0;
    const sherd_material_def *m = &world->materials[def->material.index1 - 1];
    double spin = vec3_length(def->angular_velocity), least = INFINITY;
    if (spin == 0.0 || def->count < 2) return SHERD_OK;
    for (sherd_element_index k = 0; k < def->count; ++k)
        least = fmin(least, def->radius[k]);
    double stiffness = m->model == SHERD_SOLID_MODEL_FLUID ? m->bulk_modulus : m->youngs_modulus;
    double size = def->point_spacing > 0.0 ? def->point_spacing : 2.0 * least;
    double limit = MAX_ANGLE * sqrt(stiffness / m->density) / size;
    if (!(spin > limit)) return SHERD_OK;
    char where[SHERD_ERROR_TEXT_SIZE];
    snprintf(where, sizeof where, "%.400s.angular_velocity", name);
    return sherd_fail(error, SHERD_ERROR_INPUT, where,
                      "check its unit: bare numbers are in the file's `units:`, rad/s by default",
                      "is %.3g rad/s: more than %.0f rad while a wave crosses an element, which no "
                      "time step resolves; up to %.3g rad/s are possible here",
                      spin, MAX_ANGLE, limit);
}

// Material points and models of solids go together.
static sherd_status check_points(const sherd_world *world, const sherd_body_def *def,
                                 const char *name, sherd_error *error)
{
    const sherd_material_def *material = &world->materials[def->material.index1 - 1];
    bool model = material->model != SHERD_SOLID_MODEL_BONDED, points = def->point_spacing > 0.0;
    if (model != points)
        return sherd_fail(error, SHERD_ERROR_INPUT, name,
                          points ? "give its material a model, e.g. neo_hookean"
                                 : "pack it with points, or remove the material's model",
                          points ? "is of material points, whose material needs a model"
                                 : "has a material with a model, which is for material points");
    if (points && world->def.mass_scaling > 1.0)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "remove mass_scaling",
                          "is of material points, which have no mass_scaling");
    if (points && (def->bonding != SHERD_BONDING_NONE || def->volume == NULL))
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "bonding NONE, and volumes",
                          "material points have volumes and no bonds");
    if (!points && def->fracture != NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, name,
                          "weaken its bonds, or pack it with points",
                          "has pieces and glue, which are for material points");
    for (int k = 0; points && k < world->body_count; ++k)
        if (world->bodies[k].spacing > 0.0 && world->bodies[k].spacing != def->point_spacing)
            return sherd_fail(error, SHERD_ERROR_INPUT, name, "one spacing for all bodies",
                              "has points of spacing %g m, but '%s' of %g m: there is one grid",
                              def->point_spacing, world->bodies[k].name, world->bodies[k].spacing);
    return SHERD_OK;
}

// ---------------------------------------------------------------- pieces and glue

// Fields, defaults and check of sherd_fracture_def: the walls that divide a body of material points
// into pieces, and the strength of the glue between them.

enum { COOKIE = 0x66726163 };

#define FRACTURE(kind, member, ...) SHERD_FIELD(sherd_fracture_def, kind, member, __VA_ARGS__)
#define STRENGTH                                                                                   \
    .quantity = SHERD_QUANTITY_STRESS, .initial = {INFINITY},                                      \
    .range = {.bound = SHERD_BOUND_FROM, .high = INFINITY, .infinite = true}, .hint = "in pascals"

static const char *const CRITERIA[] = {"stress", "force", NULL};

static const sherd_field FRACTURE_FIELDS[] = {
    FRACTURE(INT, wall_count, .range = SHERD_AT_LEAST(0.0), .doc = "number of `walls`"),
    FRACTURE(OTHER, walls, .doc = "surfaces that separate pieces"),
    FRACTURE(CHOICE, criterion, .choices = CRITERIA,
             .doc = "what glue is tested by: `stress`; or `force` as in [MPMG], for comparison "
                    "([MPMG](../papers/mpmg.md)): the relative force at nodes, in tension alone"),
    FRACTURE(REAL, tensile_strength, STRENGTH,
             .doc = "normal stress on its wall at which glue breaks"),
    FRACTURE(REAL, shear_strength, STRENGTH,
             .doc = "shear stress on its wall at which glue breaks"),
    FRACTURE(REAL, threshold, .quantity = SHERD_QUANTITY_FORCE, .initial = {NAN},
             .range = {.bound = SHERD_BOUND_FROM, .high = INFINITY, .infinite = true},
             .flags = SHERD_FIELD_UNSET, .hint = "in newtons",
             .doc = "with `criterion: force`, in place of strengths: force at a node at which its "
                    "glue breaks"),
    FRACTURE(REAL, fracture_energy, .quantity = SHERD_QUANTITY_FRACTURE_ENERGY,
             .range = SHERD_AT_LEAST(0.0),
             .doc = "fracture energy G_f of glue per area: past its strength its traction falls "
                    "linearly to zero; 0: it breaks at once"),
    FRACTURE(REAL, scatter, .range = SHERD_UNIT_INTERVAL,
             .doc =
                 "strengths are uniformly distributed from 1 - scatter to 1 + scatter times these"),
    FRACTURE(UINT64, seed, .doc = "random seed of the scatter"),
    FRACTURE(OTHER, glued, .doc = "shape that limits where glue is"),
};

const sherd_definition *sherd_fracture_def_fields(void)
{
    static const sherd_definition DEFINITION =
        SHERD_DEFINITION(sherd_fracture_def, FRACTURE_FIELDS);
    return &DEFINITION;
}

sherd_fracture_def sherd_fracture_def_default(void)
{
    sherd_fracture_def def = {.cookie = COOKIE};
    sherd_fields_set_initial(sherd_fracture_def_fields(), &def);
    return def;
}

// Glue has strengths and perhaps a fracture energy, or a threshold of force.
static sherd_status check_criterion(const sherd_fracture_def *def, const char *name,
                                    sherd_error *error)
{
    bool by_force = def->criterion == SHERD_GLUE_FORCE,
         strengths = isfinite(def->tensile_strength) || isfinite(def->shear_strength);
    if (!by_force && !isnan(def->threshold))
        return sherd_fail(error, SHERD_ERROR_INPUT, name,
                          "use criterion: force, or tensile_strength and shear_strength",
                          "has glue that breaks by stress, with a threshold of force");
    if (by_force && isnan(def->threshold))
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "e.g. threshold: 150 N",
                          "has glue that breaks by force, without a threshold");
    if (by_force && strengths)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "give the threshold alone",
                          "has glue that breaks by force, which has no strengths");
    if (by_force && def->fracture_energy > 0.0)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "remove it, or use criterion: stress",
                          "has glue that breaks by force, which has no fracture energy");
    return SHERD_OK;
}

// SHERD_ERROR_INPUT with where = `name`, or "NAME.fracture.glue.member".
static sherd_status check_fracture(const sherd_fracture_def *def, const char *name,
                                   sherd_error *error)
{
    if (def->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "start from sherd_fracture_def_default()",
                          "the definition of its fracture was not initialised");
    if (def->wall_count > 0 && def->walls == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, NULL, "has %d walls that are not there",
                          def->wall_count);
    char where[160];
    snprintf(where, sizeof where, "%.100s.fracture.glue", name);
    sherd_status status = sherd_fields_check(sherd_fracture_def_fields(), def, where, error);
    if (status == SHERD_OK) status = check_criterion(def, where, error);
    bool one = isfinite(def->tensile_strength) != isfinite(def->shear_strength);
    if (status == SHERD_OK && def->fracture_energy > 0.0 && one)
        return sherd_fail(error, SHERD_ERROR_INPUT, where, "give both strengths, or neither",
                          "has glue with a fracture energy that can only break in one way: one "
                          "strength is infinite");
    return status;
}

sherd_status sherd_body_def_check(const sherd_world *world, const sherd_body_def *def,
                                  const char *name, sherd_error *error)
{
    if (def->cookie != BODY_COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_body_def",
                          "start from sherd_body_def_default()",
                          "the definition was not initialised");
    if (def->count < 1 || def->x == NULL || def->y == NULL || def->z == NULL || def->radius == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "give at least one element",
                          "has no elements");
    if ((int64_t)world->system.elements.count + def->count > INT32_MAX / 2)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "use coarser packings",
                          "more than %d elements in one world", INT32_MAX / 2);
    if (def->material.index1 == 0 || def->material.index1 > world->material_count ||
        def->material.generation != SHERD_GENERATION)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "use an id from sherd_world_add_material",
                          "its material is not one of this world");
    sherd_status status = sherd_fields_check(sherd_body_def_fields(), def, name, error);
    if (status == SHERD_OK) status = check_elements(def, name, error);
    if (status == SHERD_OK) status = check_points(world, def, name, error);
    if (status == SHERD_OK) status = check_spin(world, def, name, error);
    if (status == SHERD_OK) status = check_pairs(def, name, error);
    if (status == SHERD_OK) status = sherd_world_check_tetrahedra(world, def, name, error);
    if (status == SHERD_OK && def->fracture != NULL)
        status = check_fracture(def->fracture, name, error);
    if (status == SHERD_OK)
        status = check_of_bonds(def, def->bond_factor, "factor", NULL, name, error);
    if (status == SHERD_OK)
        status = check_of_bonds(def, def->bond_section, "section", "in m^2", name, error);
    return status;
}
