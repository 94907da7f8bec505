#include "models/bonded/storage/bond_damping.h"

#include "math/vec3.h"

sherd_bond_resistance sherd_bond_resistance_of(const sherd_bonds *bonds,
                                               const sherd_elements *elements, int64_t bond)
{
    sherd_bond_constants constants = sherd_bond_constants_of(bonds, elements, bond);
    sherd_vec3 b = vec3_sub(sherd_element_position(elements, bonds->j[bond]),
                            sherd_element_position(elements, bonds->i[bond]));
    double length = vec3_length(b), section = M_PI * constants.r0 * constants.r0;
    double integrity = sherd_bond_integrity(bonds, &constants, bond);
    double shift = integrity * constants.beta * section / constants.l0,
           rotation = 0.25 * constants.r0 * constants.r0 * shift;
    return (sherd_bond_resistance){.b = b,
                                   .n = vec3_scale(length > 0.0 ? 1.0 / length : 0.0, b),
                                   .stretch = constants.E * shift,
                                   .shear = constants.G * shift,
                                   .twist = 2.0 * constants.G * rotation,
                                   .bend = constants.E * rotation};
}
