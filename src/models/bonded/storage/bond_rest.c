// What a bond is made of, from its class or from its ends and material.
#include "material/strength.h"
#include "math/vec3.h"
#include "models/bonded/storage/bond_classes.h"

static const double PI = 3.14159265358979323846;

static sherd_bond_kind kind_of(const sherd_material_def *material)
{
    bool absolute = material->breakage == SHERD_BREAKAGE_ABSOLUTE;
    if (material->law == SHERD_BOND_LAW_LU)
        return absolute ? SHERD_BOND_LU_ABSOLUTE : SHERD_BOND_LU_TENSILE;
    return absolute ? SHERD_BOND_QUATERNION_ABSOLUTE : SHERD_BOND_QUATERNION_TENSILE;
}

static double grain_factor(double lambda, const sherd_material_def *material, sherd_vec3 d0)
{
    if (lambda == 0.0) return 1.0;
    return sherd_material_grain_factor(lambda, material->grain_direction, d0);
}

// Half the section's width: of the mean of both ends [BDEM21] (2), or of a circle as large as the bond's
// own section.
static double radius_of(const sherd_bonds *bonds, const sherd_elements *e, int64_t bond)
{
    if (bonds->section != NULL && bonds->section[bond] > 0.0F)
        return sqrt((double)bonds->section[bond] / PI);
    return 0.5 *
           (sherd_element_radius(e, bonds->i[bond]) + sherd_element_radius(e, bonds->j[bond]));
}

// Without damping and strengths.
static sherd_bond_rest stiffness_from(const sherd_bonds *bonds, const sherd_material_def *material,
                                      const sherd_elements *e, int64_t bond)
{
    sherd_vec3 b =
        vec3_sub(sherd_element_rest(e, bonds->j[bond]), sherd_element_rest(e, bonds->i[bond]));
    sherd_bond_rest rest = {.l0 = vec3_length(b), .r0 = radius_of(bonds, e, bond)};
    rest.d0 = vec3_scale(1.0 / rest.l0, b);
    double stiffening = grain_factor(material->grain_stiffening, material, rest.d0);
    if (bonds->stiffness != NULL) stiffening *= (double)bonds->stiffness[bond];
    rest.E = stiffening * material->youngs_modulus;
    rest.G = stiffening * material->shear_modulus;
    return rest;
}

sherd_bond_rest sherd_bond_rest_from(const sherd_bonds *bonds, const sherd_material_def *material,
                                     const sherd_elements *elements, int64_t bond)
{
    sherd_bond_rest rest = stiffness_from(bonds, material, elements, bond);
    double strength = grain_factor(material->grain_strengthening, material, rest.d0);
    double never = material->breakage == SHERD_BREAKAGE_NONE ? INFINITY : 1.0;
    double m_i = sherd_element_mass(elements, bonds->i[bond]),
           m_j = sherd_element_mass(elements, bonds->j[bond]);
    rest.beta = sherd_material_damping_time(material, m_i * m_j / (m_i + m_j),
                                            rest.E * PI * rest.r0 * rest.r0 / rest.l0);
    rest.sigma_c = strength * material->tensile_strength * never;
    rest.tau_c = strength * material->shear_strength * never;
    rest.kind = kind_of(material);
    return rest;
}

static const sherd_material_def *material_of(const sherd_bonds *bonds, int64_t bond)
{
    return &bonds->materials[bonds->class_index[bond] - SHERD_BOND_OWN];
}

static bool has_class(const sherd_bonds *bonds, int64_t bond)
{
    return bonds->class_index[bond] < SHERD_BOND_OWN;
}

sherd_bond_rest sherd_bond_rest_of(const sherd_bonds *bonds, const sherd_elements *elements,
                                   int64_t bond)
{
    sherd_bond_rest rest =
        has_class(bonds, bond)
            ? bonds->classes[bonds->class_index[bond]].rest
            : sherd_bond_rest_from(bonds, material_of(bonds, bond), elements, bond);
    if (bonds->strength != NULL) {
        rest.sigma_c *= (double)bonds->strength[bond];
        rest.tau_c *= (double)bonds->strength[bond];
    }
    return rest;
}

sherd_bond_rest sherd_bond_stiffness_of(const sherd_bonds *bonds, const sherd_elements *elements,
                                        int64_t bond)
{
    if (has_class(bonds, bond)) return bonds->classes[bonds->class_index[bond]].rest;
    return stiffness_from(bonds, material_of(bonds, bond), elements, bond);
}

sherd_bond_kind sherd_bond_kind_of(const sherd_bonds *bonds, int64_t bond)
{
    if (has_class(bonds, bond)) return bonds->classes[bonds->class_index[bond]].rest.kind;
    return kind_of(material_of(bonds, bond));
}
