// Filling a shape with elements (rigid spheres).
#pragma once

#include <sherd/field.h>
#include <sherd/tetra.h>

typedef enum sherd_packing_kind {
    SHERD_PACKING_HCP = 0,    // hexagonal close packing, for solids
    SHERD_PACKING_HEX_LAYERS, // flat hexagonal layers stacked across the thinnest extent
    SHERD_PACKING_CUBIC,      // simple cubic, for loose granules
    SHERD_PACKING_RANDOM,     // random close packing of spheres of one or of many sizes
    SHERD_PACKING_TETRA,      // an element to each tetrahedron of a mesh
    SHERD_PACKING_SHELL,      // evenly spread layers in a thin wall: paper, cans, egg shells
    SHERD_PACKING_POINTS,     // material points on a lattice
} sherd_packing_kind;

// As scenes call it, "hcp"; static.
SHERD_API const char *sherd_packing_kind_name(sherd_packing_kind kind);

typedef enum sherd_packing_orientation {
    SHERD_PACKING_ORIENT_AUTO = 0, // layers across the shape's thinnest principal extent
    SHERD_PACKING_ORIENT_AXES,     // close-packed layers perpendicular to z, rows along x
} sherd_packing_orientation;

// RANDOM: limits of sizes, of the largest to the least, of bond_range.
#define SHERD_PACKING_SIZE_LEAST 0.05
#define SHERD_PACKING_SIZE_MOST 20.0
#define SHERD_PACKING_SIZE_SPREAD 10.0
#define SHERD_PACKING_BOND_RANGE_MOST 1.5

// RANDOM: the quantity that is uniform between the least and the largest size.
typedef enum sherd_packing_sizes {
    SHERD_PACKING_SIZES_RADIUS = 0, // radii
    SHERD_PACKING_SIZES_VOLUME,     // volumes of the elements: fewer small ones
} sherd_packing_sizes;

typedef enum sherd_tetra_generator {
    SHERD_TETRA_LATTICE = 0, // sherd_tetra_mesh_fill
    SHERD_TETRA_GMSH,        // the gmsh program, sherd_tetra_mesh_gmsh
} sherd_tetra_generator;

// Of SHERD_PACKING_TETRA.
typedef struct sherd_packing_tetra {
    double size; // mean edge length wanted [m], > 0; not of a mesh file
    sherd_tetra_generator generator;
    double jitter;         // of the lattice, see sherd_tetra_lattice_def, default 0.3
    double quality;        // of the lattice, see sherd_tetra_lattice_def, default 0.25
    double time_limit;     // of gmsh [s], > 0, default 10
    const char *mesh_file; // .msh to read instead of meshing the shape, NULL = none; borrowed
    double mesh_scale;     // metres per unit of the file, > 0, default 1
} sherd_packing_tetra;

typedef struct sherd_packing_def {
    uint32_t cookie; // set by sherd_packing_def_default; anything else is refused
    sherd_packing_kind kind;
    // Element radius [m], > 0, adjusted by up to `radius_tolerance` to fit. Not of TETRA and POINTS.
    double radius;
    double spacing; // POINTS: of the lattice, half that of the grid's nodes [m], > 0
    // Largest relative change of the radius to fit layers exactly, [0, 0.5], default 0.1.
    double radius_tolerance;
    // HEX_LAYERS: number of layers, 0 = as many as fit the thickness. SHELL: layers in the wall's
    // thickness, whatever that is, 0 = 1. Others: 0.
    int layers;
    sherd_packing_orientation orientation;
    // HCP, HEX_LAYERS: turns the lattice's rows about the normal of its layers [rad], within a turn, default 0. Cracks follow
    // rows.
    double angle;
    double jitter; // random displacement of centres as a share of the radius, [0, 0.5], default 0
    uint64_t seed;
    // RANDOM only: radii lie between these multiples of `radius`, [0.05, 20], low <= high <= 10 low;
    // defaults 1 and 1, all alike. [BDEM21] Fig. 18 has 0.9 and 4.
    double size_low, size_high;
    sherd_packing_sizes sizes;
    // RANDOM only: elements are bonded whose centres are no farther apart than this many times the
    // sum of their radii, [1, 1.5], default 1.1: delta_0 of [RBDEM] 4.1.
    double bond_range;
    int64_t max_elements; // refuse beyond this, default 50 million
    int threads;          // 0 = all
    sherd_packing_tetra tetra;
} sherd_packing_def;

SHERD_API sherd_packing_def sherd_packing_def_default(void);
SHERD_API const sherd_definition *sherd_packing_def_fields(void);

enum { SHERD_PACKING_SIZE_CLASSES = 16 };

// Elements in the shape's own frame, in an order that is good for caches and vectors: along rows of
// neighbours where there are such, else along a space-filling curve.
typedef struct sherd_packing {
    int32_t count;     // n
    double *x, *y, *z; // centres                          [m]  (n)
    double *radius;    //                                  [m]  (n)
    // How well elements stand for the solid:
    double shape_volume;      // [m^3]
    double element_volume;    // sum of the spheres' volumes [m^3]
    double solid_fraction;    // element_volume / shape_volume
    double cell_volume_match; // (volume of the lattice cells filled) / shape_volume, 1 is perfect
    double surface_gap_mean;  // mean distance of outermost elements from touching the surface [m]
    double surface_gap_max;   // [m]
    // Lattices: how far the nearest elements are from the flat face of the shape, of more than 8 % of the
    // outermost elements, from which they all are farthest; 0 when there is none.
    double face_gap;        // [m]
    sherd_vec3 face_normal; // outward, in the shape's frame
    double lattice_radius;  // radius after fitting [m]
    int layers;             // close-packed layers across the thinnest extent
    // RANDOM only:
    double radius_least, radius_most;               // [m]
    int32_t size_count[SHERD_PACKING_SIZE_CLASSES]; // elements by radius, from least to most
    double bonds_per_element;                       // mean number of bonds that an element has
    int32_t bridges;  // bonds beyond bond_range, so that no element is left without one
    int32_t left_out; // elements removed as too far from the others to be bonded to them
    // Of the solid, without a bond between them. RANDOM: one for each piece of the shape; TETRA: also bits
    // of films thinner than a tetrahedron.
    int32_t parts;
    // Data that some packings add; NULL when elements are spheres bonded where near.
    double *volume;                       // solid that each element stands for [m^3] (n)
    sherd_bond_index bond_count;          // m
    sherd_element_index *bond_i, *bond_j; // i < j, in order of (i, j) (m); NULL: bond near elements
    double *bond_section;                 // area of each bond's section [m^2] (m); NULL: of radii
    // TETRA only; otherwise NULL and 0. Element k is tetrahedron k.
    sherd_tetra_mesh *tetra; // owned
    sherd_tetra_quality tetra_quality;
    sherd_bond_index weakened_bonds; // of slivers: their sections are smaller than the faces
    double *bond_factor;             // on each bond's moduli and strengths, > 0 (m); NULL: 1
} sherd_packing;

// Fills `shape`. Owned result; NULL with SHERD_ERROR_INPUT (nothing fits: says the largest radius
// that would; too many elements) or SHERD_ERROR_MEMORY. Same definition, same result, bit for bit,
// for every number of threads.
SHERD_API sherd_packing *sherd_packing_create(const sherd_shape *shape,
                                              const sherd_packing_def *def, sherd_error *error);
SHERD_API void sherd_packing_destroy(sherd_packing *packing); // NULL is fine
