// Volume and crack area that elements and bonds of bodies represent.
//
// A crack of area A and normal n crosses the bonds whose ends are on both sides of it. Of the N
// bonds with direction d in a volume V, these are N l0 |d.n| A / V. The energy that a bond
// dissipates depends on the direction in which it opens (laws/breakage/softening.h), and the
// elements at a crack's faces rotate so that oblique bonds open more along their axes than the
// faces move: altogether a bond dissipates about |d.n| G_f times its fraction of area. With areas
// s S, S the section, a crack is to dissipate G_f A:
//
//   sum over bonds of s S l0 (d.n)^2 / V = 1  for every n
//
// which s = 1 / d'.F d satisfies in lattices that are isotropic, also within a layer, with the
// fabric tensor
//
//   F = sum over bonds of S l0 d d' / V
//
// docs/notebook/fracture-energy.md compares this with measured energies of cracks.
#include "base/error.h"
#include "base/memory.h"
#include "models/bonded/storage/bonds.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

static double along(const sherd_bond_fabric *m, sherd_vec3 d)
{
    return m->xx * d.x * d.x + m->yy * d.y * d.y + m->zz * d.z * d.z +
           2.0 * (m->xy * d.x * d.y + m->yz * d.y * d.z + m->zx * d.z * d.x);
}

static void add_scaled(sherd_bond_fabric *to, double s, sherd_vec3 d)
{
    to->xx += s * d.x * d.x, to->yy += s * d.y * d.y, to->zz += s * d.z * d.z;
    to->xy += s * d.x * d.y, to->yz += s * d.y * d.z, to->zx += s * d.z * d.x;
}

static sherd_bond_fabric fabric_of(const sherd_bonds *bonds, const sherd_elements *elements,
                                   const sherd_bond_body *body)
{
    sherd_bond_fabric sum = {0};
    for (int64_t k = body->first_bond; k < bonds->count; ++k) {
        sherd_bond_constants constants = sherd_bond_stiffness_of(bonds, elements, k);
        add_scaled(&sum, PI * constants.r0 * constants.r0 * constants.l0, constants.d0);
    }
    double mass = 0.0;
    for (sherd_element_index k = body->first; k < body->end; ++k)
        mass += sherd_element_mass(elements, k);
    double scale = 1.0 / (mass * body->volume_per_mass);
    sum.xx *= scale, sum.yy *= scale, sum.zz *= scale;
    sum.xy *= scale, sum.yz *= scale, sum.zx *= scale;
    return sum;
}

sherd_status sherd_bonds_add_solid(sherd_bonds *bonds, const sherd_elements *elements,
                                   const sherd_bond_body *body, sherd_error *error)
{
    sherd_bond_solids *solids = &bonds->solids;
    if (!sherd_grow((void **)&solids->solid, &solids->capacity, (size_t)solids->count + 1,
                    sizeof *solids->solid))
        return sherd_fail_memory(error, "bonds");
    sherd_bond_solid solid = {.end = body->end, .volume_per_mass = body->volume_per_mass};
    if (bonds->opening != NULL) solid.fabric = fabric_of(bonds, elements, body);
    solids->solid[solids->count++] = solid;
    return SHERD_OK;
}

const sherd_bond_solid *sherd_bond_solid_of(const sherd_bonds *bonds,
                                            const sherd_elements *elements, sherd_element_index k)
{
    const sherd_bond_solids *solids = &bonds->solids;
    sherd_element_index number = sherd_element_number(elements, k);
    int32_t low = 0, high = solids->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (solids->solid[middle].end <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < solids->count ? &solids->solid[low] : NULL;
}

double sherd_bond_area_fraction(const sherd_bonds *bonds, const sherd_elements *elements,
                                int64_t bond, const sherd_bond_constants *constants)
{
    const sherd_bond_solid *solid = sherd_bond_solid_of(bonds, elements, bonds->i[bond]);
    double crossed = solid != NULL ? along(&solid->fabric, constants->d0) : 0.0;
    return crossed > 0.0 ? 1.0 / crossed : 1.0;
}
