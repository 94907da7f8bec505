// Bodies of elements: their definition, and what a world reports about them. Add one to a world by
// sherd_world_add_body (sherd/world.h).
#pragma once

#include <sherd/field.h>
#include <sherd/fracture.h>
#include <sherd/material.h>
#include <sherd/shape.h>
#include <sherd/tetra.h>
#include <sherd/types.h>

#include <stdint.h>

// Which elements of a body are bonded.
typedef enum sherd_bonding {
    SHERD_BONDING_NEAR = 0, // pairs of elements whose gap is at most bond_reach
    SHERD_BONDING_NONE,     // none: loose granules
    SHERD_BONDING_LIST,     // exactly the pairs in bond_i and bond_j
} sherd_bonding;

// Definition of a body. All arrays are borrowed during sherd_world_add_body, which copies them.
typedef struct sherd_body_def {
    uint32_t cookie;  // set by sherd_body_def_default; any other value is rejected
    const char *name; // for messages; copied, may be NULL
    // Number of elements n, >= 1. Their data are in the body's rest frame.
    sherd_element_index count;
    const double *x, *y, *z;    // centres [m] (n)
    const double *radius;       // [m] (n), > 0
    sherd_material_id material; // of all elements and bonds
    sherd_bonding bonding;      // default NEAR
    double bond_reach; // NEAR: largest bonded gap over the smaller radius [-], default 0.15
    sherd_bond_index bond_count;                // LIST: number of bonds
    const sherd_element_index *bond_i, *bond_j; // LIST: element numbers in the body (bond_count)
    // LIST: cross-section area of each bond [m^2], > 0 (bond_count). A bond has the stiffness and
    // the strength of a round rod of that section. NULL (default): a circle of the material's
    // bond_radius.
    const double *bond_section;
    // LIST: factor on each bond's moduli and strengths [-], > 0 (bond_count). Together with the
    // section it sets stretching and bending stiffness independently. NULL (default): 1.
    const double *bond_factor;
    // Volume of solid that each element represents [m^3], > 0 (n). Its mass is density times
    // volume; contact and rotational inertia (I = 2/5 m r^2) are those of its sphere. NULL
    // (default): the sphere's volume.
    const double *volume;
    // Fraction of the body's space that the elements' spheres or `volume`s fill [-], > 0, default
    // 1. Stresses refer to that space (sherd/stress.h). Use the packing's solid_fraction if it has
    // no `volume`; close packings have 0.7405.
    double solid_fraction;
    // The same within the packing's cells, 0.7405 in close packings; 0 (default): solid_fraction.
    // Bonds with the law CENTRAL refer to that volume, as bodies' faces cut cells.
    double cell_fraction;
    // Spacing of the lattice if the elements are material points [m], > 0; each then needs its
    // `volume`. The grid's nodes are two spacings apart. Requires a material with a solid model and
    // bonding NONE; all bodies of a world share one spacing. Default 0: spheres and bonds.
    double point_spacing;
    // Finite elements: element k is tetrahedron k of this mesh, in the rest frame, with its mass; a
    // LIST has the pairs that share faces. Borrowed. All bodies of a world have one, or none. NULL
    // (default): spheres and bonds, or points.
    const sherd_tetra_mesh *tetra;
    // Material points: the solid that they fill, in the rest frame. Contact acts on its surface.
    // Borrowed. NULL (default): the surface of cubes around the points.
    const sherd_shape *shape;
    // Material points: pieces, and the glue that joins them until it breaks. Borrowed. NULL
    // (default): one piece that does not break.
    const sherd_fracture_def *fracture;
    // Art direction: returns factors on each bond's moduli and strengths. NULL (default): 1.
    sherd_bond_scale_function *bond_scale;
    const void *bond_scale_context; // passed to bond_scale
    // Returns the faces of pre-cracks that bond_scale makes. NULL (default): elements touch as
    // spheres across pre-cracks too.
    sherd_cut_face_function *cut_faces;
    const void *cut_faces_context; // passed to cut_faces
    // Placement: x_world = R x_rest + position. Elements start with orientation R.
    sherd_pose pose;
    sherd_vec3 velocity;         // of the body's origin [m/s]
    sherd_vec3 angular_velocity; // about the body's origin, world axes [rad/s]
} sherd_body_def;

// Returns a definition with the defaults above. Elements and material must be set.
SHERD_API sherd_body_def sherd_body_def_default(void);
// Returns the table of the definition's members; static.
SHERD_API const sherd_definition *sherd_body_def_fields(void);

// A body of a world.
typedef struct sherd_body_info {
    const char *name;                 // owned by the world; empty if none was given
    sherd_element_index first, count; // its elements are contiguous: the first one, and how many
    uint16_t material;                // index into the world's materials, from 0
} sherd_body_info;

// Statistics of a body's bonds when it was added.
typedef struct sherd_body_bonds {
    sherd_bond_index count; // bonds, pre-cracks included
    // Bonds that bond_scale changed: with lower or higher strength, lower or higher stiffness than
    // the material's, and pre-cracks (broken from the start).
    sherd_bond_index weakened, strengthened, softened, stiffened, broken;
    // Extreme factors of bond_scale on bonds that are not broken [-]: least <= 1, largest >= 1.
    double least_strength, largest_strength, least_stiffness, largest_stiffness;
    // Connected parts by the bonds that bond_scale leaves more than half of their strength: the
    // pieces if all weak walls break. 0: bond_scale weakens and breaks none.
    sherd_element_index cells;
    double
        walls; // mean factor on the strength of the others, broken ones left out; 0: there are none
    // Number of bonds whose strength was reduced so that breaking dissipates the fracture energy.
    sherd_bond_index reduced;
    double least_reduction, unreduced_radius; // smallest factor on strengths [-]; largest element
                                              // radius without reduction, INFINITY if none [m]
    // Connected parts by all bonds, pre-cracks included; elements outside the largest part.
    sherd_element_index pieces, apart;
} sherd_body_bonds;
