// One bond at a time, in scalars: energies, stresses, loads.
#define SHERD_LANES 1
#include "laws/bond/law_lu.h"
#include "laws/bond/law_quaternion.h"
#include "laws/breakage/breakage.h"
#include "models/bonded/storage/bond_classes.h"

static lane3 element_vector(const double *x, const double *y, const double *z,
                            sherd_element_index k)
{
    return (lane3){x[k], y[k], z[k]};
}

static lane4 element_orientation(const sherd_elements *e, sherd_element_index k)
{
    return (lane4){e->qx[k], e->qy[k], e->qz[k], e->qw[k]};
}

static bond_state state_of(const sherd_bonds *bonds, const sherd_elements *e, int64_t bond,
                           const sherd_bond_rest *rest, const double *numbers)
{
    sherd_element_index i = bonds->i[bond], j = bonds->j[bond];
    lane3 d0 = {rest->d0.x, rest->d0.y, rest->d0.z};
    lane3 b =
        lane3_sub(element_vector(e->px, e->py, e->pz, j), element_vector(e->px, e->py, e->pz, i));
    return (bond_state){
        .du = lane3_sub_scaled(b, rest->l0, d0),
        .q_i = element_orientation(e, i),
        .q_j = element_orientation(e, j),
        .alive = lane_mask_of_bits(1),
        .section = {.numbers = numbers},
    };
}

static bond_motion motion_of(const sherd_bonds *bonds, const sherd_elements *e, int64_t bond)
{
    sherd_element_index i = bonds->i[bond], j = bonds->j[bond];
    return (bond_motion){
        .v_ij = lane3_sub(element_vector(e->vx, e->vy, e->vz, j),
                          element_vector(e->vx, e->vy, e->vz, i)),
        .w_i = element_vector(e->wx, e->wy, e->wz, i),
        .w_j = element_vector(e->wx, e->wy, e->wz, j),
    };
}

static int is_lu(sherd_bond_kind kind)
{
    return kind == SHERD_BOND_LU_TENSILE || kind == SHERD_BOND_LU_ABSOLUTE;
}

static int is_absolute(sherd_bond_kind kind)
{
    return kind == SHERD_BOND_QUATERNION_ABSOLUTE || kind == SHERD_BOND_LU_ABSOLUTE;
}

sherd_bond_analysis sherd_bond_analyse(const sherd_bonds *bonds, const sherd_elements *elements,
                                       int64_t bond)
{
    sherd_bond_rest rest = sherd_bond_rest_of(bonds, elements, bond);
    double numbers[SHERD_CLASS_NUMBERS];
    sherd_bond_numbers(&rest, numbers);
    bond_state s = state_of(bonds, elements, bond, &rest, numbers);
    bond_motion m = motion_of(bonds, elements, bond);
    sherd_bond_kind kind = rest.kind;
    bond_load load =
        is_lu(kind) ? bond_loads(bond_law_lu, &s, &m) : bond_loads(bond_law_quaternion, &s, &m);
    bond_stress stress = is_absolute(kind) ? bond_stress_absolute(rest.r0, &s.section, &load)
                                           : bond_stress_tensile(rest.r0, &s.section, &load);
    return (sherd_bond_analysis){
        .energy = is_lu(kind) ? bond_energy_lu(&s) : bond_energy_quaternion(&s),
        .normal_stress = stress.normal,
        .shear_stress = stress.shear,
        .stress_ratio = fmax(stress.normal / rest.sigma_c, stress.shear / rest.tau_c),
        .force_j = {load.force_j.x, load.force_j.y, load.force_j.z},
        .torque_i = {load.torque_i.x, load.torque_i.y, load.torque_i.z},
        .torque_j = {load.torque_j.x, load.torque_j.y, load.torque_j.z},
    };
}

typedef struct energy_sum {
    const sherd_bonds *bonds;
    const sherd_elements *elements;
} energy_sum;

static double sum_energy(void *context, size_t begin, size_t end)
{
    const energy_sum *sum = context;
    double energy = 0.0;
    for (size_t k = begin; k < end; ++k) {
        if (sum->bonds->broken[k]) continue;
        sherd_bond_rest rest = sherd_bond_rest_of(sum->bonds, sum->elements, (int64_t)k);
        double numbers[SHERD_CLASS_NUMBERS];
        sherd_bond_numbers(&rest, numbers);
        bond_state s = state_of(sum->bonds, sum->elements, (int64_t)k, &rest, numbers);
        energy += is_lu(rest.kind) ? bond_energy_lu(&s) : bond_energy_quaternion(&s);
    }
    return energy;
}

double sherd_bonds_energy(const sherd_bonds *bonds, const sherd_elements *elements,
                          const sherd_parallel *parallel)
{
    energy_sum sum = {bonds, elements};
    return sherd_parallel_sum(parallel, (size_t)bonds->count, 4096, sum_energy, &sum);
}
