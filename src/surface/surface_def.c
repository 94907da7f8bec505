// Definitions of surfaces: defaults and validation.
#include "surface/surface_inside.h"

#include "base/error.h"
#include "base/field.h"
#include "math/vec3.h"

static const uint32_t COOKIE = 0x73757266; // "surf"

static sherd_word method_word(int number)
{
    sherd_surface_method_info method = sherd_surface_method_describe((sherd_surface_method)number);
    return (sherd_word){method.word, method.doc};
}

#define FIELD(kind, member, ...)                                                                   \
    SHERD_FIELD(sherd_surface_def, kind, member, .flags = SHERD_FIELD_NOT_PHYSICS, __VA_ARGS__)
#define UNSET(kind, member, ...)                                                                   \
    SHERD_FIELD(sherd_surface_def, kind, member,                                                   \
                .flags = SHERD_FIELD_NOT_PHYSICS | SHERD_FIELD_UNSET, __VA_ARGS__)
#define LENGTH .quantity = SHERD_QUANTITY_LENGTH
#define COUNT .range = SHERD_AT_LEAST(0.0)

static const sherd_field FIELDS[] = {
    FIELD(INT, body_count, COUNT, .doc = "number of `bodies`"),
    FIELD(OTHER, bodies, .doc = "shapes and ranges of elements of the bodies"),
    FIELD(INT, element_count, COUNT, .doc = "number of elements"),
    FIELD(OTHER, rest_x, .doc = "positions in the undeformed model"),
    FIELD(OTHER, rest_y, .doc = "likewise"),
    FIELD(OTHER, rest_z, .doc = "likewise"),
    FIELD(OTHER, radius, .doc = "radii of elements"),
    FIELD(INT64, bond_count, COUNT, .doc = "number of bonds"),
    FIELD(OTHER, bond_i, .doc = "first element of each bond"),
    FIELD(OTHER, bond_j, .doc = "second element of each bond"),
    FIELD(CHOICE, method, .choice = method_word, .doc = "how meshes are made"),
    UNSET(REAL, cell_size,
          .range = SHERD_BETWEEN(SHERD_SURFACE_CELL_LEAST, SHERD_SURFACE_CELL_MOST),
          .hint = "in mean radii of a body's elements",
          .usual = "0.75 with `marching` and `blobs`, 0.5 with `cut` along walls, else 1",
          .doc = "cell size of the sampling grid"),
    UNSET(REAL, smoothing,
          .range = SHERD_BETWEEN(SHERD_SURFACE_SMOOTHING_LEAST, SHERD_SURFACE_SMOOTHING_MOST),
          .hint = "in mean radii of a body's elements",
          .usual = "2.2 with `cut`, 0.9 with `blobs`, else 1.5",
          .doc = "width of the Gaussian weights"),
    UNSET(REAL, outer_edge,
          .range = SHERD_BETWEEN(SHERD_SURFACE_EDGE_LEAST, SHERD_SURFACE_EDGE_MOST),
          .hint = "in mean radii of a body's elements", .usual = "1",
          .doc = "with `cut`: length of the edges of curved outer surfaces"),
    FIELD(BOOLEAN, chips, .initial = {true},
          .doc = "with `cut`: fragments of few elements and thin ones are angular chips; else "
                 "rounded"),
    FIELD(REAL, crack_gap, .initial = {0.03}, .range = SHERD_UNIT_INTERVAL,
          .hint = "in mean radii; 0 is none", .doc = "opening drawn for cracks inside a fragment"),
    FIELD(REAL, inner_uv_scale, LENGTH, COUNT, .usual = "the body's largest extent",
          .doc = "length that one unit of texture coordinates covers on inner faces"),
    FIELD(REAL, roughness.amplitude, LENGTH, COUNT, .doc = "largest displacement of inner faces"),
    FIELD(REAL, roughness.size, LENGTH, COUNT, .usual = "four amplitudes",
          .doc = "length of the largest bumps, at least four amplitudes"),
    FIELD(UINT64, roughness.seed, .doc = "random seed of the noise"),
    FIELD(BOOLEAN, rigid, .doc = "true: pieces are rigid, without elements that carry them"),
    FIELD(INT, smallest, .initial = {1.0}, .doc = "fragments with fewer elements get no mesh"),
    FIELD(INT, threads, COUNT, .hint = "0 uses all",
          .doc = "number of threads, 0: all; results do not depend on it"),
};

const sherd_definition *sherd_surface_def_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_surface_def, FIELDS);
    return &DEFINITION;
}

sherd_surface_def sherd_surface_def_default(void)
{
    sherd_surface_def def = {.cookie = COOKIE};
    sherd_fields_set_initial(sherd_surface_def_fields(), &def);
    return def;
}

static sherd_status check_options(const sherd_surface_def *d, sherd_error *error)
{
    if (d->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_surface_create",
                          "start from sherd_surface_def_default()",
                          "the definition was not initialised");
    sherd_status status = sherd_fields_check(sherd_surface_def_fields(), d, "surface", error);
    double min_size = SHERD_ROUGHNESS_LEAST_SIZE * d->roughness.amplitude;
    if (status != SHERD_OK || d->roughness.size == 0.0 || d->roughness.size >= min_size)
        return status;
    return sherd_fail(
        error, SHERD_ERROR_INPUT, "surface.roughness.size", "larger bumps, or a smaller amplitude",
        "must be at least four amplitudes, %g m, got %g", min_size, d->roughness.size);
}

static sherd_status check_model(const sherd_surface_def *d, sherd_error *error)
{
    for (int k = 0; k < d->body_count; ++k) {
        const sherd_surface_body *b = &d->bodies[k];
        if (b->first < 0 || b->count < 0 || b->first > d->element_count - b->count)
            return sherd_fail(error, SHERD_ERROR_INPUT, "surface.bodies", NULL,
                              "body %d has elements %d to %d, but there are %d", k, (int)b->first,
                              (int)(b->first + b->count - 1), (int)d->element_count);
        if (b->wall_count < 0 || (b->wall_count > 0 && b->walls == NULL))
            return sherd_fail(error, SHERD_ERROR_INPUT, "surface.bodies", NULL,
                              "body %d has %d walls, which are missing", k, b->wall_count);
    }
    for (sherd_element_index e = 0; e < d->element_count; ++e)
        if (!vec3_is_finite(vec3(d->rest_x[e], d->rest_y[e], d->rest_z[e])) ||
            !(d->radius[e] > 0.0) || !isfinite(d->radius[e]))
            return sherd_fail(error, SHERD_ERROR_INPUT, "surface.elements", NULL,
                              "element %d is at (%g, %g, %g) with radius %g", (int)e, d->rest_x[e],
                              d->rest_y[e], d->rest_z[e], d->radius[e]);
    for (sherd_bond_index b = 0; b < d->bond_count; ++b)
        if (d->bond_i[b] < 0 || d->bond_j[b] < 0 || d->bond_i[b] >= d->element_count ||
            d->bond_j[b] >= d->element_count)
            return sherd_fail(error, SHERD_ERROR_INPUT, "surface.bonds", NULL,
                              "bond %lld joins elements %d and %d, but there are %d elements",
                              (long long)b, (int)d->bond_i[b], (int)d->bond_j[b],
                              (int)d->element_count);
    return SHERD_OK;
}

sherd_status sherd_surface_check(const sherd_surface_def *d, sherd_error *error)
{
    sherd_status status = check_options(d, error);
    return status == SHERD_OK ? check_model(d, error) : status;
}
