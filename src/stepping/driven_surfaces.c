#include "stepping/driven_surfaces.h"

#include "base/error.h"
#include "base/memory.h"
#include "bodies/driver_surface.h"
#include "math/vec3.h"
#include "models/bonded/exposed_faces.h"

#include <stdio.h>

static sherd_face_source source_of(const sherd_system *system)
{
    return (sherd_face_source){&system->elements, &system->bonds, &system->adjacency};
}

// ---------------------------------------------------------------- preparation

static sherd_status refuse(int number, const char *what, sherd_error *error)
{
    char where[32];
    snprintf(where, sizeof where, "drivers.%d", number);
    return sherd_fail(error, SHERD_ERROR_INPUT, where,
                      "wind, blast and pressure act on bodies of bonded elements; give the driver "
                      "such a `body`",
                      "a driver acts on the surface of %s", what);
}

// A charge whose distance to an element's centre is less than this, in radii, is inside the body.
static const double INSIDE = 1.5;

static sherd_status check_charge(const sherd_system *system, const sherd_driver *driver, int number,
                                 sherd_error *error)
{
    if (driver->drive != SHERD_DRIVE_BLAST) return SHERD_OK;
    char where[32];
    snprintf(where, sizeof where, "drivers.%d", number);
    sherd_vec3 charge = driver->surface->force.blast.position;
    for (sherd_element_index at = 0; at < driver->count; ++at) {
        sherd_element_index k = driver->element[at];
        double distance = vec3_distance(sherd_element_position(&system->elements, k), charge);
        if (distance < INSIDE * sherd_element_radius(&system->elements, k))
            return sherd_fail(
                error, SHERD_ERROR_INPUT, where, "move it into the open: air carries the blast",
                "the charge is inside a body, at (%g, %g, %g) m", charge.x, charge.y, charge.z);
    }
    return SHERD_OK;
}

static sherd_status check_model(const sherd_system *system, const sherd_driver *driver, int number,
                                sherd_error *error)
{
    if (system->fem != NULL) return refuse(number, "finite elements", error);
    for (sherd_element_index at = 0; at < driver->count; ++at) {
        sherd_element_index k = driver->element[at];
        uint32_t first = system->adjacency.start[k];
        if (first == system->adjacency.start[k + 1]) continue;
        sherd_bond_kind kind = sherd_bond_kind_of(&system->bonds, system->adjacency.bond[first]);
        if (sherd_bond_kind_law(kind) == SHERD_BOND_LAW_CENTRAL)
            return refuse(number, "bonds of the law `central`, whose elements do not turn", error);
    }
    return check_charge(system, driver, number, error);
}

// The elements of a driver in a body that ends at `end`, from the one at *at on.
static sherd_status set_body(const sherd_system *system, sherd_driver *driver,
                             sherd_element_index first, sherd_element_index end,
                             sherd_element_index *at, sherd_error *error)
{
    sherd_face_source source = source_of(system);
    sherd_driver_surface *surface = driver->surface;
    double scale = 0.0;
    uint8_t *outer = sherd_alloc((size_t)(end - first), 1);
    if (outer == NULL) return sherd_fail_memory(error, "faces");
    sherd_status status = sherd_face_scale(&source, first, end, outer, &scale, error);
    for (; *at < driver->count && driver->element[*at] < end; ++*at) {
        surface->scale[*at] = scale;
        // Without bonds all are outer ones.
        surface->outer[*at] = !(scale > 0.0) || outer[driver->element[*at] - first];
    }
    sherd_free(outer);
    return status;
}

static sherd_status set_scales(const sherd_system *system, sherd_driver *driver, sherd_error *error)
{
    const sherd_bond_solids *solids = &system->bonds.solids;
    sherd_element_index at = 0, first = 0;
    sherd_status status = SHERD_OK;
    for (int32_t b = 0; b <= solids->count && status == SHERD_OK && at < driver->count; ++b) {
        sherd_element_index end = b < solids->count ? solids->solid[b].end : system->elements.count;
        if (driver->element[at] < end) status = set_body(system, driver, first, end, &at, error);
        first = end;
    }
    return status;
}

sherd_status sherd_system_prepare_surfaces(sherd_system *system, sherd_error *error)
{
    for (int d = 0; d < system->drivers.count; ++d) {
        sherd_driver *driver = &system->drivers.drivers[d];
        if (driver->surface == NULL) continue;
        sherd_status status = check_model(system, driver, d, error);
        if (status == SHERD_OK) status = set_scales(system, driver, error);
        if (status != SHERD_OK) return status;
    }
    return SHERD_OK;
}

// ---------------------------------------------------------------- faces

typedef struct search {
    sherd_face_source source;
    const sherd_driver *driver;
    sherd_face *faces;
} search;

static void find_faces(void *context, size_t begin, size_t end)
{
    const search *in = context;
    for (size_t at = begin; at < end; ++at)
        in->faces[at] =
            sherd_exposed_face(&in->source, in->driver->element[at],
                               in->driver->surface->outer[at] != 0, in->driver->surface->scale[at]);
}

static sherd_status expose(sherd_system *system, sherd_driver *driver, sherd_error *error)
{
    search in = {source_of(system), driver, sherd_alloc((size_t)driver->count, sizeof(sherd_face))};
    if (in.faces == NULL) return sherd_fail_memory(error, "faces");
    sherd_parallel_for(&system->parallel, (size_t)driver->count, SHERD_SYSTEM_CHUNK, find_faces,
                       &in);
    sherd_status status =
        sherd_driver_surface_expose(driver, in.faces, system->bonds.broken_count, error);
    sherd_free(in.faces);
    return status;
}

sherd_status sherd_system_expose_surfaces(sherd_system *system, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int d = 0; d < system->drivers.count && status == SHERD_OK; ++d) {
        sherd_driver *driver = &system->drivers.drivers[d];
        if (driver->surface != NULL && driver->surface->broken != system->bonds.broken_count)
            status = expose(system, driver, error);
    }
    return status;
}

sherd_status sherd_system_sample_surfaces(sherd_system *system, sherd_error *error)
{
    sherd_status status = sherd_system_expose_surfaces(system, error);
    if (status == SHERD_OK)
        sherd_drivers_sample_surfaces(&system->drivers, &system->elements.points,
                                      sherd_system_time(system));
    return status;
}
