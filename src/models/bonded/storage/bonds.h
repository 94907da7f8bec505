// Bonds of a world, which join elements. bond_blocks.h describes a pass over all of them.
//
// A bond stores its ends, whether it is broken, and numbers of its own: a strength by chance or design, a
// stiffness by design, a section that its packing knows. Everything else follows: in a regular packing
// from its *class*, the numbers that thousands of bonds have in common (bond_classes.h), otherwise from
// the rest positions and radii of its ends and its material. sherd_bond_rest_of gives it either way.
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

// Solid that elements of a body stand for: their mass times `volume_per_mass`, for stresses; and how many bonds a
// crack through it crosses (bond_solid.c).
typedef struct sherd_bond_solid {
    sherd_element_index end;  // the first element behind the body, in the world
    double volume_per_mass;   // [m^3/kg]
    sherd_bond_fabric fabric; // of its bonds; 0 where none softens
} sherd_bond_solid;

typedef struct sherd_bond_solids {
    int32_t count;
    sherd_bond_solid
        *solid; // body after body; elements behind the last stand for their spheres; owned
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
    int history_stride;        // sherd_bond_most_history when `history` was made
    sherd_bond_class *classes; // found by sherd_bonds_arrange
    int class_count;
    sherd_material_def *materials; // of bonds, nameless copies
    int material_count;
    size_t material_capacity;
    sherd_bond_solids solids; // of bodies
} sherd_bonds;

enum { SHERD_BOND_OWN = 0x8000 }; // class indices from here on: no class

// Law and criterion together: bonds are listed by kind. The law selects the kernel, the criterion its stresses.
// Unbreakable bonds are of the first criterion, with infinite limits.
typedef int sherd_bond_kind; // law * SHERD_MOST_BREAKAGES + criterion
enum { SHERD_BOND_KIND_COUNT = SHERD_BOND_MOST_LAWS * SHERD_MOST_BREAKAGES };

static inline sherd_bond_kind sherd_bond_first_kind(sherd_bond_law law)
{
    return (sherd_bond_kind)law * SHERD_MOST_BREAKAGES;
}

static inline sherd_bond_law sherd_bond_kind_law(sherd_bond_kind kind)
{
    return (sherd_bond_law)(kind / SHERD_MOST_BREAKAGES);
}

static inline sherd_breakage sherd_bond_kind_breakage(sherd_bond_kind kind)
{
    return (sherd_breakage)(kind % SHERD_MOST_BREAKAGES);
}

// ---------------------------------------------------------------- building

// Adds one bond with its rest geometry taken from the elements' rest positions and stiffness,
// strengths and damping from the material. `index` numbers the random strengths.
sherd_status sherd_bonds_add(sherd_bonds *bonds, const sherd_elements *elements,
                             const sherd_material_def *material, sherd_element_index i,
                             sherd_element_index j, uint64_t index, sherd_error *error);

// Joins all pairs among elements [first, first + count) whose rest gap is at most
// reach * (smaller radius). Pairs come in order of (i, j).
sherd_status sherd_bonds_add_near(sherd_bonds *bonds, const sherd_elements *elements,
                                  const sherd_material_def *material, sherd_element_index first,
                                  sherd_element_index count, double reach,
                                  const sherd_parallel *parallel, sherd_error *error);

// What the elements from `first` up to `end`, behind those of the last call, stand for. All their bonds are there.
typedef struct sherd_bond_body {
    sherd_element_index first, end;
    int64_t first_bond;     // up to the last
    double volume_per_mass; // [m^3/kg]
} sherd_bond_body;

sherd_status sherd_bonds_add_solid(sherd_bonds *bonds, const sherd_elements *elements,
                                   const sherd_bond_body *body, sherd_error *error);

// That of an element's body; NULL: none was added.
const sherd_bond_solid *sherd_bond_solid_of(const sherd_bonds *bonds,
                                            const sherd_elements *elements, sherd_element_index k);

// A section of its own for a bond that was added [m^2], > 0.
sherd_status sherd_bonds_set_section(sherd_bonds *bonds, int64_t bond, double area,
                                     sherd_error *error);

// A factor on the moduli and the strengths of a bond that was added, > 0.
sherd_status sherd_bonds_set_factor(sherd_bonds *bonds, int64_t bond, double factor,
                                    sherd_error *error);

// Effect of factors on bonds.
typedef struct sherd_bond_scaling {
    int64_t weakened, strengthened; // intact, with a factor on strength below, above 1
    int64_t softened, stiffened;    // on moduli
    int64_t broken;
    // Factors of intact bonds: the least at most 1, the largest at least 1.
    double least_strength, largest_strength, least_stiffness, largest_stiffness;
} sherd_bond_scaling;

// Of bonds without factors.
static inline sherd_bond_scaling sherd_bond_scaling_none(void)
{
    return (sherd_bond_scaling){.least_strength = 1.0,
                                .largest_strength = 1.0,
                                .least_stiffness = 1.0,
                                .largest_stiffness = 1.0};
}

// Factors on strength and moduli of the bonds from `first` on; where one is 0 the bond is broken.
// Called by several threads at once.
sherd_status sherd_bonds_scale(sherd_bonds *bonds, const sherd_elements *elements, int64_t first,
                               sherd_bond_scale_function *scale, const void *context,
                               const sherd_parallel *parallel, sherd_bond_scaling *result,
                               sherd_error *error);

// What was done to strengths, so that breaking takes the fracture energy (laws/breakage/softening.h).
typedef struct sherd_strength_reduction {
    int64_t count; // bonds that store more than that when they reach their strength
    double least;  // smallest factor on their strengths, at most 1
    double radius; // bonds of this radius and below would need none [m]; INFINITY: none did
} sherd_strength_reduction;

// Reduces strengths of bonds from `first` on where that is needed. Call it when all other factors are there.
sherd_status sherd_bonds_reduce_strengths(sherd_bonds *bonds, const sherd_elements *elements,
                                          int64_t first, sherd_strength_reduction *result,
                                          sherd_error *error);

void sherd_bonds_free(sherd_bonds *bonds);
size_t sherd_bonds_bytes(const sherd_bonds *bonds);

// The arrays that have an entry a bond.
enum { SHERD_BOND_COLUMNS = 11 };
typedef struct sherd_bond_column {
    void **array; // *array may be NULL
    size_t item_size;
} sherd_bond_column;
void sherd_bond_columns(sherd_bonds *bonds, sherd_bond_column columns[SHERD_BOND_COLUMNS]);

// Makes one of the optional columns, with `value` for every bond there is; nothing when it is there.
bool sherd_bonds_make_column(const sherd_bonds *bonds, float **column, float value);

// Tells bonds that yield their constants, once all factors on strengths and stiffness are there.
void sherd_bonds_begin_histories(sherd_bonds *bonds, const sherd_elements *elements,
                                 const sherd_parallel *parallel);

// Has reached its strength and is not broken yet.
static inline bool sherd_bond_softens(const sherd_bonds *bonds, int64_t bond)
{
    return bonds->opening != NULL && bonds->opening[bond] > 0.0F && !bonds->broken[bond];
}

// Neither broken nor softening.
static inline bool sherd_bond_is_elastic(const sherd_bonds *bonds, int64_t bond)
{
    return !bonds->broken[bond] && (bonds->opening == NULL || !(bonds->opening[bond] > 0.0F));
}

// For checkpoints: arrays of what changes, each of as many rows for every bond.
enum { SHERD_BOND_STATE_COLUMNS = 4 };
int sherd_bonds_state(const sherd_bonds *bonds,
                      sherd_record_column columns[SHERD_BOND_STATE_COLUMNS]);

// ---------------------------------------------------------------- one bond at a time

// Constants of a bond.
typedef struct sherd_bond_rest {
    sherd_vec3 d0;            // rest direction i -> j, rest frame    [-]
    double l0, r0;            // rest length, bond radius             [m]
    double E, G;              // moduli                               [Pa]
    sherd_bond_moduli moduli; // of its law, from these
    double beta;              // damping relaxation time              [s]
    double sigma_c, tau_c;    // strengths, INFINITY = never          [Pa]
    double element_strength; // the same against the stress of either end (element_criterion.h) [Pa]
    // It softens up to this opening (laws/breakage/softening.h); 0: it breaks at its strength.
    double critical_opening;
    double
        area_share; // of a crack's area that it stands for, over its section; where materials soften alone
    sherd_bond_kind kind;
} sherd_bond_rest;

sherd_bond_rest sherd_bond_rest_of(const sherd_bonds *bonds, const sherd_elements *elements,
                                   int64_t bond);

// For d0, l0, r0, E, G and moduli only; the other numbers may be anything.
sherd_bond_rest sherd_bond_stiffness_of(const sherd_bonds *bonds, const sherd_elements *elements,
                                        int64_t bond);

// Of a bond of this material without looking at its class, with a strength factor of 1.
sherd_bond_rest sherd_bond_rest_from(const sherd_bonds *bonds, const sherd_material_def *material,
                                     const sherd_elements *elements, int64_t bond);

bool sherd_bond_yields(const sherd_bonds *bonds, int64_t bond); // has a yield stress

// Constants of a bond with a yield stress, over its modulus and length (laws/bond/law_yielding.h).
typedef struct sherd_bond_yield {
    double strain, hardening; // sigma_y / E, H_m / E [-]
    double fracture;          // alpha / l0 at which it breaks, 0 = never [-]
} sherd_bond_yield;

sherd_bond_yield sherd_bond_yield_of(const sherd_bonds *bonds, const sherd_elements *elements,
                                     int64_t bond);

sherd_bond_kind sherd_bond_kind_of(const sherd_bonds *bonds, int64_t bond);

// Share of its stiffness that a bond has left; 1 unless it softens (laws/breakage/softening.h).
double sherd_bond_integrity(const sherd_bonds *bonds, const sherd_bond_rest *rest, int64_t bond);

const sherd_material_def *sherd_bond_material(const sherd_bonds *bonds, int64_t bond); // borrowed

// A bond's share of a crack's area, over its section; 1 where its body is not known.
double sherd_bond_area_share(const sherd_bonds *bonds, const sherd_elements *elements, int64_t bond,
                             const sherd_bond_rest *rest);

// Fracture energy of its share of area over what the bond stores when it is pulled to its strength:
// 2 E G_f / (sigma_c^2 l0) times that share over its section; 0: none is given.
double sherd_bond_energy_share(const sherd_material_def *material, const sherd_bond_rest *rest);

typedef struct sherd_bond_analysis {
    double energy;                      // [J]
    double normal_stress, shear_stress; // sigma, tau of the material's criterion [Pa]
    double
        stress_ratio; // max(sigma / sigma_c, tau / tau_c); of bonds that soften, over what they may bear now
    double asked_opening;                   // of bonds that may soften (laws/breakage/softening.h)
    sherd_break_mode mode;                  // how it would break
    sherd_vec3 force_j, torque_i, torque_j; // with damping
    // Without damping: tension positive, magnitude across [N]; magnitude, signed about i -> j [N m]
    double normal_force, shear_force, bending_moment, twisting_moment;
} sherd_bond_analysis;

sherd_bond_analysis sherd_bond_analyse(const sherd_bonds *bonds, const sherd_elements *elements,
                                       int64_t bond);

// Updates bonds' histories to the present state, and returns the plastic work of that [J]. Does nothing where no law has
// a history.
double sherd_bonds_remember(sherd_bonds *bonds, const sherd_elements *elements,
                            const sherd_parallel *parallel);

// Plastic work of all bonds so far, broken ones included: N0 alpha + 1/2 H alpha^2 [J].
double sherd_bonds_plastic_work(const sherd_bonds *bonds, const sherd_elements *elements,
                                const sherd_parallel *parallel);

// What a bond's stiffness is beside the elastic one, at a trial state and in the world's axes (law_yielding.h): the share
// theta, then a force and a moment whose square is subtracted. False, and nothing: it does not yield.
enum { SHERD_BOND_YIELD_TANGENT = 8 };
bool sherd_bond_yield_tangent(const sherd_bonds *bonds, const sherd_elements *elements,
                              int64_t bond, double tangent[SHERD_BOND_YIELD_TANGENT]);

// What a bond lost as its opening went from `before` to what it is now [J].
double sherd_bond_softening_loss(const sherd_bonds *bonds, const sherd_elements *elements,
                                 int64_t bond, float before);

// Elastic energy of all intact bonds [J].
double sherd_bonds_energy(const sherd_bonds *bonds, const sherd_elements *elements,
                          const sherd_parallel *parallel);
