// Definitions of surfaces: defaults, and what is wrong with a given one.
#include "surface/surface_inside.h"

#include "base/error.h"
#include "math/vec3.h"

static const uint32_t COOKIE = 0x73757266; // "surf"

sherd_surface_def sherd_surface_def_default(void)
{
    return (sherd_surface_def){.cookie = COOKIE, .crack_gap = 0.03, .smallest = 1, .threads = 0};
}

static sherd_status bad_def(sherd_error *error, const char *field, double value, const char *need)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, field, NULL, "must be %s, got %g", need, value);
}

// 0 stands for the default.
static bool is_in(double value, double least, double most)
{
    return value == 0.0 || (value >= least && value <= most);
}

static sherd_status check_options(const sherd_surface_def *d, sherd_error *error)
{
    if (d->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_surface_create",
                          "start from sherd_surface_def_default()",
                          "the definition was not initialised");
    if (!is_in(d->cell_size, SHERD_SURFACE_CELL_LEAST, SHERD_SURFACE_CELL_MOST))
        return bad_def(error, "surface.cell_size", d->cell_size, "0 or in 0.1 .. 1.5 mean radii");
    if (!is_in(d->smoothing, SHERD_SURFACE_SMOOTHING_LEAST, SHERD_SURFACE_SMOOTHING_MOST))
        return bad_def(error, "surface.smoothing", d->smoothing, "0 or in 0.8 .. 4 mean radii");
    if (!(d->crack_gap >= 0.0 && d->crack_gap <= 1.0))
        return bad_def(error, "surface.crack_gap", d->crack_gap, "in 0 .. 1 mean radii");
    if (!(d->inner_uv_scale >= 0.0 && isfinite(d->inner_uv_scale)))
        return bad_def(error, "surface.inner_uv_scale", d->inner_uv_scale, ">= 0 m");
    if (!(d->roughness.amplitude >= 0.0 && isfinite(d->roughness.amplitude)))
        return bad_def(error, "surface.roughness.amplitude", d->roughness.amplitude, ">= 0 m");
    if (!(d->roughness.size >= 0.0 && isfinite(d->roughness.size)))
        return bad_def(error, "surface.roughness.size", d->roughness.size, ">= 0 m");
    if (d->method < SHERD_SURFACE_AUTO || d->method > SHERD_SURFACE_FLUID)
        return bad_def(error, "surface.method", d->method, "a method");
    if (d->roughness.size > 0.0 &&
        d->roughness.size < SHERD_ROUGHNESS_LEAST_SIZE * d->roughness.amplitude)
        return bad_def(error, "surface.roughness.size", d->roughness.size,
                       "at least four amplitudes");
    if (d->body_count < 0 || d->element_count < 0 || d->bond_count < 0 || d->threads < 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_surface_create", NULL,
                          "counts must be >= 0, got %d bodies, %d elements, %lld bonds, %d threads",
                          d->body_count, (int)d->element_count, (long long)d->bond_count,
                          d->threads);
    return SHERD_OK;
}

static sherd_status check_model(const sherd_surface_def *d, sherd_error *error)
{
    for (int k = 0; k < d->body_count; ++k) {
        const sherd_surface_body *b = &d->bodies[k];
        if (b->first < 0 || b->count < 0 || b->first > d->element_count - b->count)
            return sherd_fail(error, SHERD_ERROR_INPUT, "surface.bodies", NULL,
                              "body %d has elements %d to %d, but there are %d", k, (int)b->first,
                              (int)(b->first + b->count - 1), (int)d->element_count);
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
