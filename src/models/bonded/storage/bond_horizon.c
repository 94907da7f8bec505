#include "models/bonded/storage/bond_horizon.h"

#include "base/error.h"
#include "material/strength.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

// Lengths over the spacing are rounded to this, so that equal bonds of a lattice have equal
// sections, and those of the length of the reach are within it.
static const double LENGTH_STEP = 1e-9;

typedef struct horizon {
    const sherd_elements *elements;
    const sherd_material_def *material;
    double spacing, delta;  // [m]
    double volume_per_mass; // [m^3/kg]
    int dimensions;         // as sherd_central_info
} horizon;

static double spacing_of(const sherd_elements *e, const sherd_bond_horizon *body)
{
    double sum = 0.0;
    for (sherd_element_index k = 0; k < body->count; ++k)
        sum += sherd_element_radius(e, body->first + k);
    return 2.0 * sum / body->count;
}

static double volume(const horizon *h, sherd_element_index k)
{
    return h->volume_per_mass * sherd_element_mass(h->elements, k);
}

// l0 / d
static double relative_length(const horizon *h, sherd_element_index i, sherd_element_index j)
{
    double l0 =
        vec3_distance(sherd_element_rest(h->elements, i), sherd_element_rest(h->elements, j));
    return LENGTH_STEP * round(l0 / (h->spacing * LENGTH_STEP));
}

// 0: that of the ends' radii.
static double section(const horizon *h, sherd_element_index i, sherd_element_index j)
{
    double length = relative_length(h, i, j);
    if (h->dimensions > 0)
        return sherd_material_micromodulus(h->material, h->spacing) * volume(h, i) * volume(h, j) *
               sherd_material_horizon_weight(h->material, length);
    if (h->material->central == SHERD_CENTRAL_SPRINGS) return 0.0;
    double r =
        sherd_bond_radius_between(h->material->bond_radius, sherd_element_radius(h->elements, i),
                                  sherd_element_radius(h->elements, j));
    return M_PI * r * r * length;
}

sherd_status sherd_bonds_add_horizon(sherd_bonds *bonds, const sherd_elements *elements,
                                     const sherd_material_def *material,
                                     const sherd_bond_horizon *body, const sherd_parallel *parallel,
                                     sherd_error *error)
{
    if (body->count == 0) return SHERD_OK;
    horizon h = {.elements = elements,
                 .material = material,
                 .spacing = spacing_of(elements, body),
                 .volume_per_mass = body->volume_per_mass,
                 .dimensions = sherd_central_describe(material->central)->dimensions};
    h.delta = sherd_material_reach(material) * h.spacing;
    sherd_material_def own; // padding included: the bonds' materials are compared by bytes
    memcpy(&own, material, sizeof own);
    own.tensile_strength = own.youngs_modulus * sherd_material_critical_stretch(material, h.delta);
    own.shear_strength = INFINITY;
    own.fracture_energy = own.fracture_toughness = 0.0; // they are in the critical stretch
    // Without the farthest bonds, whose part within the horizon is nothing.
    double longest =
        h.dimensions > 0 ? h.delta + (0.5 - 1e-6) * h.spacing : h.delta + LENGTH_STEP * h.spacing;
    int64_t first = bonds->count;
    sherd_status status = sherd_bonds_add_within(bonds, elements, &own, body->first, body->count,
                                                 longest, parallel, error);
    for (int64_t k = first; status == SHERD_OK && k < bonds->count; ++k) {
        double area = section(&h, bonds->i[k], bonds->j[k]);
        if (area > 0.0) status = sherd_bonds_set_section(bonds, k, area, error);
    }
    return status;
}
