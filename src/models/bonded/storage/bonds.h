// The bonds of a world, which join elements. bond_blocks.h describes a pass over all of them.
//
// A bond stores its ends, whether it is broken, and individual values: a random or designed
// strength factor, a designed stiffness factor, a section given by its packing. All other constants
// follow in a regular packing from its *class*, which thousands of bonds have in common
// (bond_classes.h), otherwise from the reference positions and radii of its ends and from its
// material. sherd_bond_constants_of returns them in both cases.
#pragma once

#include "base/parallel.h"
#include "base/record.h"
#include "laws/law_tables.h"
#include "points/elements.h"

#include <sherd/breaks.h>
#include <sherd/material.h>

#include <stdbool.h>

typedef struct sherd_bond_class sherd_bond_class;

typedef struct sherd_bond_fabric {
    double xx, yy, zz, xy, yz, zx; // symmetric
} sherd_bond_fabric;

// The solid that a body's elements represent: volume_per_mass times their mass, for stresses; and
// the fabric tensor, for the number of bonds that a crack crosses (bond_solid.c).
typedef struct sherd_bond_solid {
    sherd_element_index end;  // end of the body's elements in the world
    double volume_per_mass;   // [m^3/kg]
    sherd_bond_fabric fabric; // of the body's bonds; 0 if none softens
} sherd_bond_solid;

typedef struct sherd_bond_solids {
    int32_t count;
    // By body; elements behind the last body are solid spheres. Owned.
    sherd_bond_solid *solid;
    size_t capacity;
} sherd_bond_solids;

typedef struct sherd_bonds {
    int64_t count, capacity;    // m
    sherd_element_index *i, *j; // ends, i < j                               (m)
    uint16_t *class_index;      // a class, or SHERD_BOND_OWN + a material    (m)
    uint8_t *broken;            // 0 intact, 1 broken                        (m)
    float *strength;            // factor of both strengths; NULL = all are 1  (m)
    float *stiffness;           // factor of both moduli; NULL = all are 1    (m)
    float *section;             // area [m^2], 0 = of the ends' radii; NULL = all are 0 (m)
    float *history;             // histories of laws (m x history_stride); NULL = none
    float *opening;             // largest yet over that at the strength, 0 = strength not reached
                                // (laws/breakage/softening.h); NULL = no bond softens (m)
    double *damage; // by overstress, 1 = breaks (laws/breakage/overstress.h); NULL = all
                    // bonds break at once (m)
    int32_t *whole; // number in the bonds that these are a part of; NULL = of none (m)
    int64_t broken_count;
    int history_stride;        // sherd_bond_max_history when `history` was made
    sherd_bond_class *classes; // set by sherd_bonds_arrange
    int class_count;
    sherd_material_def *materials; // of bonds, nameless copies
    int material_count;
    size_t material_capacity;
    sherd_bond_solids solids; // by body
} sherd_bonds;

// class indices from here on are materials of bonds without a class
enum { SHERD_BOND_OWN = 0x8000 };

// Law and breakage criterion together: bonds are listed by kind. The law selects the kernel, the
// criterion the stresses. Unbreakable bonds have the first criterion, with infinite limits.
typedef int sherd_bond_kind; // law * SHERD_MAX_BREAKAGES + criterion
enum { SHERD_BOND_KIND_COUNT = SHERD_BOND_MAX_LAWS * SHERD_MAX_BREAKAGES };

static inline sherd_bond_kind sherd_bond_first_kind(sherd_bond_law law)
{
    return (sherd_bond_kind)law * SHERD_MAX_BREAKAGES;
}

static inline sherd_bond_law sherd_bond_kind_law(sherd_bond_kind kind)
{
    return (sherd_bond_law)(kind / SHERD_MAX_BREAKAGES);
}

static inline sherd_breakage sherd_bond_kind_breakage(sherd_bond_kind kind)
{
    return (sherd_breakage)(kind % SHERD_MAX_BREAKAGES);
}

// ---------------------------------------------------------------- building

// Adds one bond. Its reference geometry is computed from the elements' reference positions;
// stiffness, strengths and damping follow from the material. `index` is the counter of the random
// strengths.
sherd_status sherd_bonds_add(sherd_bonds *bonds, const sherd_elements *elements,
                             const sherd_material_def *material, sherd_element_index i,
                             sherd_element_index j, uint64_t index, sherd_error *error);

// Joins all pairs among elements [first, first + count) whose gap in the reference state is at most
// reach * (smaller radius). Pairs are added in order of (i, j).
sherd_status sherd_bonds_add_near(sherd_bonds *bonds, const sherd_elements *elements,
                                  const sherd_material_def *material, sherd_element_index first,
                                  sherd_element_index count, double reach,
                                  const sherd_parallel *parallel, sherd_error *error);

// The same for all pairs whose centres are at most `distance` > 0 apart.
sherd_status sherd_bonds_add_within(sherd_bonds *bonds, const sherd_elements *elements,
                                    const sherd_material_def *material, sherd_element_index first,
                                    sherd_element_index count, double distance,
                                    const sherd_parallel *parallel, sherd_error *error);

// A body: the elements from `first` up to `end`, which follow those of the previous call. All their
// bonds must have been added.
typedef struct sherd_bond_body {
    sherd_element_index first, end;
    int64_t first_bond;     // its bonds are those from here to the last
    double volume_per_mass; // [m^3/kg]
} sherd_bond_body;

sherd_status sherd_bonds_add_solid(sherd_bonds *bonds, const sherd_elements *elements,
                                   const sherd_bond_body *body, sherd_error *error);

// The solid of an element's body; NULL if none was added.
const sherd_bond_solid *sherd_bond_solid_of(const sherd_bonds *bonds,
                                            const sherd_elements *elements, sherd_element_index k);

// Sets the section of a bond that was added [m^2], > 0.
sherd_status sherd_bonds_set_section(sherd_bonds *bonds, int64_t bond, double area,
                                     sherd_error *error);

// Multiplies the moduli and strengths of a bond that was added by a factor > 0.
sherd_status sherd_bonds_set_factor(sherd_bonds *bonds, int64_t bond, double factor,
                                    sherd_error *error);

// Effect of factors on bonds.
typedef struct sherd_bond_scaling {
    int64_t weakened, strengthened; // intact bonds with a strength factor below, above 1
    int64_t softened, stiffened;    // the same for moduli
    int64_t broken;
    // Factors of intact bonds: the smallest, at most 1; the largest, at least 1.
    double least_strength, largest_strength, least_stiffness, largest_stiffness;
} sherd_bond_scaling;

// For bonds without factors.
static inline sherd_bond_scaling sherd_bond_scaling_none(void)
{
    return (sherd_bond_scaling){.least_strength = 1.0,
                                .largest_strength = 1.0,
                                .least_stiffness = 1.0,
                                .largest_stiffness = 1.0};
}

// Multiplies strength and moduli of the bonds from `first` on by the factors that `scale` returns;
// a factor of 0 breaks the bond. `scale` is called by several threads at once.
sherd_status sherd_bonds_scale(sherd_bonds *bonds, const sherd_elements *elements, int64_t first,
                               sherd_bond_scale_function *scale, const void *context,
                               const sherd_parallel *parallel, sherd_bond_scaling *result,
                               sherd_error *error);

// Reduction of strengths, so that breakage dissipates the fracture energy
// (laws/breakage/softening.h).
typedef struct sherd_strength_reduction {
    int64_t count;   // bonds that would store more than this energy at their strength
    double smallest; // the smallest factor on their strengths, at most 1
    double radius;   // bonds up to this radius would need no reduction [m]; INFINITY: none did
} sherd_strength_reduction;

// Reduces strengths of bonds from `first` on where needed. Call it after all other factors were
// set.
sherd_status sherd_bonds_reduce_strengths(sherd_bonds *bonds, const sherd_elements *elements,
                                          int64_t first, sherd_strength_reduction *result,
                                          sherd_error *error);

void sherd_bonds_free(sherd_bonds *bonds);
size_t sherd_bonds_bytes(const sherd_bonds *bonds);

// The arrays with one entry per bond.
enum { SHERD_BOND_COLUMNS = 11 };
typedef struct sherd_bond_column {
    void **array; // *array may be NULL
    size_t item_size;
} sherd_bond_column;
void sherd_bond_columns(sherd_bonds *bonds, sherd_bond_column columns[SHERD_BOND_COLUMNS]);

// Creates an optional column, with `value` for all bonds; does nothing if it exists.
bool sherd_bonds_make_column(const sherd_bonds *bonds, float **column, float value);

// Stores the yield constants in bonds' histories, once all factors on strengths and stiffness are
// set.
void sherd_bonds_begin_histories(sherd_bonds *bonds, const sherd_elements *elements,
                                 const sherd_parallel *parallel);

// The bond has reached its strength and is not broken yet.
static inline bool sherd_bond_softens(const sherd_bonds *bonds, int64_t bond)
{
    return bonds->opening != NULL && bonds->opening[bond] > 0.0F && !bonds->broken[bond];
}

// The bond is neither broken nor softening.
static inline bool sherd_bond_is_elastic(const sherd_bonds *bonds, int64_t bond)
{
    return !bonds->broken[bond] && (bonds->opening == NULL || !(bonds->opening[bond] > 0.0F));
}

// For checkpoints: the arrays that change, with one or more rows for every bond.
enum { SHERD_BOND_STATE_COLUMNS = 4 };
int sherd_bonds_state(const sherd_bonds *bonds,
                      sherd_record_column columns[SHERD_BOND_STATE_COLUMNS]);

// ---------------------------------------------------------------- one bond at a time

// Constants of a bond.
typedef struct sherd_bond_constants {
    sherd_vec3 d0;            // reference direction i -> j                        [-]
    double l0, r0;            // reference length, bond radius                    [m]
    double E, G;              // moduli                               [Pa]
    sherd_bond_moduli moduli; // of its law, computed from E and G
    double beta;              // damping relaxation time              [s]
    double sigma_c, tau_c;    // strengths, INFINITY = never          [Pa]
    // strength if the stress of either end breaks it (element_criterion.h) [Pa]
    double element_strength;
    // It softens up to this opening (laws/breakage/softening.h); 0: it breaks at its strength.
    double critical_opening;
    // Crack area that it represents, over its section; only for materials that soften.
    double area_fraction;
    sherd_bond_kind kind;
} sherd_bond_constants;

sherd_bond_constants sherd_bond_constants_of(const sherd_bonds *bonds,
                                             const sherd_elements *elements, int64_t bond);

// Sets d0, l0, r0, E, G and moduli only; the other members are undefined.
sherd_bond_constants sherd_bond_stiffness_of(const sherd_bonds *bonds,
                                             const sherd_elements *elements, int64_t bond);

// Computed from a material, without using the bond's class, with a strength factor of 1.
sherd_bond_constants sherd_bond_constants_from(const sherd_bonds *bonds,
                                               const sherd_material_def *material,
                                               const sherd_elements *elements, int64_t bond);

bool sherd_bond_yields(const sherd_bonds *bonds, int64_t bond); // it has a yield stress

// Constants of a yielding bond, relative to its modulus and length (laws/bond/law_yielding.h).
typedef struct sherd_bond_yield {
    double strain, hardening; // sigma_y / E, H_m / E [-]
    double fracture;          // alpha / l0 at which it breaks, 0 = never [-]
} sherd_bond_yield;

sherd_bond_yield sherd_bond_yield_of(const sherd_bonds *bonds, const sherd_elements *elements,
                                     int64_t bond);

sherd_bond_kind sherd_bond_kind_of(const sherd_bonds *bonds, int64_t bond);

// Remaining fraction of the bond's stiffness; 1 unless it softens (laws/breakage/softening.h).
double sherd_bond_integrity(const sherd_bonds *bonds, const sherd_bond_constants *constants,
                            int64_t bond);

const sherd_material_def *sherd_bond_material(const sherd_bonds *bonds, int64_t bond); // borrowed

// Area of a crack that the bond represents, over its section; 1 where its body is not known.
double sherd_bond_area_fraction(const sherd_bonds *bonds, const sherd_elements *elements,
                                int64_t bond, const sherd_bond_constants *constants);

// Fracture energy of the area that the bond represents, over the energy that it stores when pulled
// to its strength: 2 E G_f / (sigma_c^2 l0) times area over section; 0 if the material has no
// fracture energy.
double sherd_bond_energy_ratio(const sherd_material_def *material,
                               const sherd_bond_constants *constants);

typedef struct sherd_bond_analysis {
    double energy;                      // [J]
    double normal_stress, shear_stress; // sigma, tau of the material's criterion [Pa]
    // max(sigma / sigma_c, tau / tau_c); for softening bonds, over their present strengths.
    double stress_ratio;
    // opening that the state requires, if the bond may soften (laws/breakage/softening.h)
    double required_opening;
    sherd_break_mode mode;                  // how it would break
    sherd_vec3 force_j, torque_i, torque_j; // with damping
    // Without damping: tension positive, magnitude across [N]; magnitude, signed about i -> j [N m]
    double normal_force, shear_force, bending_moment, twisting_moment;
} sherd_bond_analysis;

sherd_bond_analysis sherd_bond_analyse(const sherd_bonds *bonds, const sherd_elements *elements,
                                       int64_t bond);

// The same as sherd_bond_analyse with all velocities zero.
sherd_bond_analysis sherd_bond_analyse_static(const sherd_bonds *bonds,
                                              const sherd_elements *elements, int64_t bond);

// Accumulated plastic elongation over length; 0 unless the bond yields.
double sherd_bond_plastic_strain(const sherd_bonds *bonds, int64_t bond);

// Updates the bonds' histories to the present state and returns the plastic work of this update
// [J]. Does nothing if no law has a history.
double sherd_bonds_update_histories(sherd_bonds *bonds, const sherd_elements *elements,
                                    const sherd_parallel *parallel);

// Plastic work of all bonds so far, broken ones included: N0 alpha + 1/2 H alpha^2 [J].
double sherd_bonds_plastic_work(const sherd_bonds *bonds, const sherd_elements *elements,
                                const sherd_parallel *parallel);

// Change of a bond's stiffness by yielding, at a trial state and in the world's axes
// (law_yielding.h): the factor theta, then a force and a moment whose square is subtracted. Returns
// false, and sets nothing, if the bond does not yield.
enum { SHERD_BOND_YIELD_TANGENT = 8 };
bool sherd_bond_yield_tangent(const sherd_bonds *bonds, const sherd_elements *elements,
                              int64_t bond, double tangent[SHERD_BOND_YIELD_TANGENT]);

// Energy that a bond lost as its opening changed from `before` to its present value [J].
double sherd_bond_softening_loss(const sherd_bonds *bonds, const sherd_elements *elements,
                                 int64_t bond, float before);

// Elastic energy of all intact bonds [J].
double sherd_bonds_energy(const sherd_bonds *bonds, const sherd_elements *elements,
                          const sherd_parallel *parallel);
