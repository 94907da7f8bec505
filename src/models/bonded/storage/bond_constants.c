// Constants of a bond: reference geometry, moduli and strengths, from its class or from its ends
// and material.
#include "material/strength.h"
#include "math/vec3.h"
#include "models/bonded/storage/bond_classes.h"

static const double PI = 3.14159265358979323846;

static bool breaks_by_own_stress(const sherd_material_def *material)
{
    const sherd_breakage_info *criterion = sherd_breakage_describe(material->breakage);
    return criterion->breaks && criterion->measure == SHERD_BREAKAGE_OF_BONDS;
}

static bool breaks_by_elements(const sherd_material_def *material)
{
    return sherd_breakage_describe(material->breakage)->measure != SHERD_BREAKAGE_OF_BONDS;
}

static sherd_bond_kind kind_of(const sherd_material_def *material)
{
    return sherd_bond_first_kind(sherd_material_effective_law(material)) +
           (breaks_by_own_stress(material) ? (int)material->breakage : 0);
}

static double grain_factor(double lambda, const sherd_material_def *material, sherd_vec3 d0)
{
    if (lambda == 0.0) return 1.0;
    return sherd_material_grain_factor(lambda, material->grain_direction, d0);
}

// Bond radius: from the radii of both ends, or of a circle with the area of the bond's own section.
static double radius_of(const sherd_bonds *bonds, const sherd_material_def *material,
                        const sherd_elements *e, int64_t bond)
{
    if (bonds->section != NULL && bonds->section[bond] > 0.0F)
        return sqrt((double)bonds->section[bond] / PI);
    return sherd_bond_radius_between(material->bond_radius, sherd_element_radius(e, bonds->i[bond]),
                                     sherd_element_radius(e, bonds->j[bond]));
}

// All constants except damping and strengths.
static sherd_bond_constants stiffness_from(const sherd_bonds *bonds,
                                           const sherd_material_def *material,
                                           const sherd_elements *e, int64_t bond)
{
    sherd_vec3 b =
        vec3_sub(sherd_element_rest(e, bonds->j[bond]), sherd_element_rest(e, bonds->i[bond]));
    sherd_bond_constants constants = {.l0 = vec3_length(b),
                                      .r0 = radius_of(bonds, material, e, bond)};
    constants.d0 = vec3_scale(1.0 / constants.l0, b);
    double stiffening = grain_factor(material->grain_stiffening, material, constants.d0);
    if (bonds->stiffness != NULL) stiffening *= (double)bonds->stiffness[bond];
    constants.E = stiffening * material->youngs_modulus;
    constants.G = stiffening * material->shear_modulus;
    constants.moduli =
        sherd_bond_law_functions_of(material->law)->moduli(material, constants.E, constants.G);
    return constants;
}

sherd_bond_constants sherd_bond_constants_from(const sherd_bonds *bonds,
                                               const sherd_material_def *material,
                                               const sherd_elements *elements, int64_t bond)
{
    sherd_bond_constants constants = stiffness_from(bonds, material, elements, bond);
    double strength = grain_factor(material->grain_strengthening, material, constants.d0);
    double never = breaks_by_own_stress(material) ? 1.0 : INFINITY;
    double m_i = sherd_element_mass(elements, bonds->i[bond]),
           m_j = sherd_element_mass(elements, bonds->j[bond]);
    constants.beta =
        sherd_material_damping_time(material, m_i * m_j / (m_i + m_j),
                                    constants.E * PI * constants.r0 * constants.r0 / constants.l0);
    constants.sigma_c = strength * material->tensile_strength * never;
    constants.tau_c = strength * material->shear_strength * never;
    constants.element_strength =
        breaks_by_elements(material) ? strength * material->tensile_strength : INFINITY;
    constants.kind = kind_of(material);
    return constants;
}

static bool has_class(const sherd_bonds *bonds, int64_t bond)
{
    return bonds->class_index[bond] < SHERD_BOND_OWN;
}

const sherd_material_def *sherd_bond_material(const sherd_bonds *bonds, int64_t bond)
{
    int index = bonds->class_index[bond];
    return &bonds->materials[has_class(bonds, bond) ? bonds->classes[index].material
                                                    : index - SHERD_BOND_OWN];
}

double sherd_bond_energy_ratio(const sherd_material_def *material,
                               const sherd_bond_constants *constants)
{
    double stored =
        0.5 * constants->sigma_c * constants->sigma_c / constants->moduli.stretch * constants->l0;
    return constants->area_fraction * sherd_material_fracture_energy(material) / stored;
}

// Below MIN_CRITICAL_OPENING, softening would take less than a millionth of the elastic elongation: the bond
// breaks at once.
static double critical_opening(const sherd_material_def *material,
                               const sherd_bond_constants *constants)
{
    static const double MIN_CRITICAL_OPENING = 1.0 + 1e-6;
    // rounded like openings
    double critical = (double)(float)sherd_bond_energy_ratio(material, constants);
    return critical > MIN_CRITICAL_OPENING ? critical : 0.0;
}

sherd_bond_constants sherd_bond_constants_of(const sherd_bonds *bonds,
                                             const sherd_elements *elements, int64_t bond)
{
    sherd_bond_constants constants =
        has_class(bonds, bond)
            ? bonds->classes[bonds->class_index[bond]].constants
            : sherd_bond_constants_from(bonds, sherd_bond_material(bonds, bond), elements, bond);
    if (bonds->strength != NULL) {
        constants.sigma_c *= (double)bonds->strength[bond];
        constants.tau_c *= (double)bonds->strength[bond];
        constants.element_strength *= (double)bonds->strength[bond];
    }
    if (bonds->opening == NULL) return constants;
    const sherd_material_def *material = sherd_bond_material(bonds, bond);
    if (!(sherd_material_fracture_energy(material) > 0.0)) return constants;
    constants.area_fraction = sherd_bond_area_fraction(bonds, elements, bond, &constants);
    constants.critical_opening = critical_opening(material, &constants);
    return constants;
}

sherd_bond_constants sherd_bond_stiffness_of(const sherd_bonds *bonds,
                                             const sherd_elements *elements, int64_t bond)
{
    if (has_class(bonds, bond)) return bonds->classes[bonds->class_index[bond]].constants;
    return stiffness_from(bonds, sherd_bond_material(bonds, bond), elements, bond);
}

bool sherd_bond_yields(const sherd_bonds *bonds, int64_t bond)
{
    return isfinite(sherd_bond_material(bonds, bond)->yield_stress);
}

sherd_bond_yield sherd_bond_yield_of(const sherd_bonds *bonds, const sherd_elements *elements,
                                     int64_t bond)
{
    const sherd_material_def *m = sherd_bond_material(bonds, bond);
    sherd_bond_constants constants = sherd_bond_constants_of(bonds, elements, bond);
    double strength = grain_factor(m->grain_strengthening, m, constants.d0);
    if (bonds->strength != NULL) strength *= (double)bonds->strength[bond];
    double stiffening = constants.E / m->youngs_modulus;
    sherd_bond_yield yield = {.strain = strength * m->yield_stress / constants.moduli.stretch,
                              .hardening =
                                  stiffening * m->hardening_modulus / constants.moduli.stretch};
    if (sherd_breakage_describe(m->breakage)->breaks)
        yield.fracture =
            m->fracture_strain > 0.0 ? m->fracture_strain : m->fracture_displacement / constants.l0;
    return yield;
}

sherd_bond_kind sherd_bond_kind_of(const sherd_bonds *bonds, int64_t bond)
{
    if (has_class(bonds, bond)) return bonds->classes[bonds->class_index[bond]].constants.kind;
    return kind_of(sherd_bond_material(bonds, bond));
}
