#include "models/bonded/bond_loads.h"

#include "base/assertion.h"
#include "math/vec3.h"
#include "models/bonded/storage/bonds.h"

#include <math.h>

sherd_bond_load sherd_bond_load_of(const sherd_bonds *bonds, const sherd_elements *e, int64_t bond)
{
    SHERD_ASSERT(bond >= 0 && bond < bonds->count, "the bond is one of the list");
    if (bonds->broken[bond]) return (sherd_bond_load){.energy = 0.0};
    sherd_bond_analysis a = sherd_bond_analyse_static(bonds, e, bond);
    sherd_bond_constants constants = sherd_bond_constants_of(bonds, e, bond);
    sherd_vec3 n = vec3_normalize(vec3_sub(sherd_element_position(e, bonds->j[bond]),
                                           sherd_element_position(e, bonds->i[bond])));
    sherd_vec3 moment = vec3_scale(0.5, vec3_sub(a.torque_j, a.torque_i));
    double along = vec3_dot(a.force_j, n), about = vec3_dot(moment, n);
    return (sherd_bond_load){
        .force = a.force_j,
        .moment = moment,
        .normal_force = -along,
        .shear_force = vec3_length(vec3_add_scaled(a.force_j, -along, n)),
        .bending_moment = vec3_length(vec3_add_scaled(moment, -about, n)),
        .twisting_moment = -about,
        .energy = a.energy,
        .stress_ratio = a.stress_ratio,
        .damage = 1.0 - sherd_bond_integrity(bonds, &constants, bond),
        .plastic_strain = sherd_bond_plastic_strain(bonds, bond),
    };
}

typedef struct job {
    const sherd_bonded *bonded;
    sherd_bond_load *loads;
} job;

static void find_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    const sherd_bonded *b = j->bonded;
    for (size_t k = begin; k < end; ++k) {
        sherd_bond_load *load = &j->loads[k];
        *load = sherd_bond_load_of(b->bonds, b->elements, (int64_t)k);
        load->stress_ratio =
            fmax(load->stress_ratio, sherd_element_criterion_ratio(&b->blocks->criterion, b->bonds,
                                                                   b->elements, (int64_t)k));
    }
}

void sherd_bonded_find_loads(const sherd_bonded *bonded, sherd_bond_load *loads)
{
    enum { CHUNK = 512 };
    sherd_element_criterion_evaluate(&bonded->blocks->criterion, bonded->bonds, bonded->elements,
                                     bonded->adjacency, &bonded->parallel, 0.0);
    job j = {bonded, loads};
    sherd_parallel_for(&bonded->parallel, (size_t)bonded->bonds->count, CHUNK, find_range, &j);
}
