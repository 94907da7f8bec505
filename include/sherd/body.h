// Bodies of elements: their definition, and what a world says of those that it has. sherd_world_add_body
// (sherd/world.h) adds them.
#pragma once

#include <sherd/field.h>
#include <sherd/fracture.h>
#include <sherd/material.h>
#include <sherd/shape.h>
#include <sherd/types.h>

#include <stdint.h>

typedef enum sherd_bonding {
    SHERD_BONDING_NEAR = 0, // bond elements of the body whose gap is at most bond_reach
    SHERD_BONDING_NONE,     // loose granules
    SHERD_BONDING_LIST,     // exactly the given pairs
} sherd_bonding;

typedef struct sherd_body_def {
    uint32_t cookie;
    const char *name; // for messages; copied, may be NULL
    // Elements in the body's rest frame, borrowed while adding.
    sherd_element_index count; // n, >= 1
    const double *x, *y, *z;   // [m] (n)
    const double *radius;      // [m] (n), > 0
    sherd_material_id material;
    sherd_bonding bonding;
    double bond_reach; // largest gap bonded, as a share of the smaller radius, default 0.15
    sherd_bond_index bond_count;                // LIST only
    const sherd_element_index *bond_i, *bond_j; // LIST only, indices within the body (bond_count)
    // LIST only: area of each bond's section [m^2], > 0 (bond_count). A bond is as stiff and as strong
    // as a round rod of that section. NULL (default) = a circle of the material's bond_radius.
    const double *bond_section;
    // LIST only: factor on each bond's moduli and strengths, > 0 (bond_count); NULL (default) = 1.
    // With a section, stiffness in stretching and in bending can be chosen separately.
    const double *bond_factor;
    // Solid that each element stands for [m^3], > 0 (n): its mass is density times that. It touches
    // others, and turns (I = 2/5 m r^2), as the sphere of its radius. NULL (default) = its sphere.
    const double *volume;
    // Share of the body's space that its elements' spheres or `volume`s fill, > 0, default 1: stresses are per space
    // (sherd/stress.h). Of a packing without `volume` its solid_fraction; 0.7405 in close packings.
    double solid_fraction;
    // > 0: elements are material points on a lattice of this spacing [m], each with its `volume`; the grid's nodes are two
    // spacings apart. The material needs a model, bonding NONE. One spacing in a world. Default 0: spheres and bonds.
    double point_spacing;
    // Material points only: the solid that they fill, in the rest frame: contact is on its surface. NULL (default): on that of
    // cubes around points.
    const sherd_shape *shape; // borrowed while adding
    // Material points only: pieces that glue holds together until it breaks. NULL (default): one piece that stays one.
    const sherd_fracture_def *fracture; // borrowed while adding
    // Art direction: factors on each bond's moduli and strengths. NULL (default) = 1.
    sherd_bond_scale_function *bond_scale;
    const void *bond_scale_context; // passed on
    // Faces of pre-cracks that bond_scale makes. NULL (default): elements are round there, too.
    sherd_cut_face_function *cut_faces;
    const void *cut_faces_context; // passed on
    // Placement: x_world = R x_rest + position. Elements start with orientation R.
    sherd_pose pose;
    sherd_vec3 velocity;         // of the body's origin [m/s]
    sherd_vec3 angular_velocity; // about the body's origin, world axes [rad/s]
} sherd_body_def;

SHERD_API sherd_body_def sherd_body_def_default(void);
SHERD_API const sherd_definition *sherd_body_def_fields(void);

typedef struct sherd_body_info {
    const char *name;
    sherd_element_index first, count; // its elements are contiguous
    uint16_t material;
} sherd_body_info;

// A body's bonds as it was added.
typedef struct sherd_body_bonds {
    sherd_bond_index count;
    // By bond_scale: weaker or stronger, softer or stiffer than their material, and pre-cracks.
    sherd_bond_index weakened, strengthened, softened, stiffened, broken;
    // Factors of bond_scale on those not broken: the least at most 1, the largest at least 1.
    double least_strength, largest_strength, least_stiffness, largest_stiffness;
    // Made weaker, so that breaking takes the fracture energy: how many, the smallest factor on strengths, and the
    // radius up to which elements need none of it [m]; INFINITY: none was.
    sherd_bond_index reduced;
    double least_reduction, unreduced_radius;
    // Parts that hang together by these bonds, pre-cracks too; and elements that are not in the largest.
    sherd_element_index pieces, apart;
} sherd_body_bonds;
