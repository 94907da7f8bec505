// Filling a shape with elements (rigid spheres).
#pragma once

#include <sherd/field.h>
#include <sherd/tetra.h>

// How elements are arranged.
typedef enum sherd_packing_kind {
    SHERD_PACKING_HCP = 0,    // hexagonal close packing, for solids
    SHERD_PACKING_HEX_LAYERS, // flat hexagonal layers stacked across the thinnest extent
    SHERD_PACKING_CUBIC,      // simple cubic, for loose granules
    SHERD_PACKING_RANDOM,     // random close packing of spheres of one or many sizes
    SHERD_PACKING_TETRA,      // one element per tetrahedron of a mesh
    SHERD_PACKING_SHELL,      // evenly spread layers in a thin wall: paper, cans, eggshells
    SHERD_PACKING_POINTS,     // material points on a lattice
} sherd_packing_kind;

// Returns the name of a kind in scenes, "hcp"; static.
SHERD_API const char *sherd_packing_kind_name(sherd_packing_kind kind);

// Orientation of lattices.
typedef enum sherd_packing_orientation {
    SHERD_PACKING_ORIENT_AUTO = 0, // layers across the shape's thinnest principal extent
    SHERD_PACKING_ORIENT_AXES,     // close-packed layers perpendicular to z, rows along x
} sherd_packing_orientation;

// RANDOM: limits of size_low and size_high, of their ratio, and of bond_range [-].
#define SHERD_PACKING_SIZE_LEAST 0.05
#define SHERD_PACKING_SIZE_MOST 20.0
#define SHERD_PACKING_SIZE_SPREAD 10.0
#define SHERD_PACKING_BOND_RANGE_MOST 1.5

// RANDOM: the quantity that is uniformly distributed between the smallest and the largest size.
typedef enum sherd_packing_sizes {
    SHERD_PACKING_SIZES_RADIUS = 0, // radii
    SHERD_PACKING_SIZES_VOLUME,     // volumes of elements: fewer small ones
} sherd_packing_sizes;

// What makes a tetrahedral mesh.
typedef enum sherd_tetra_generator {
    SHERD_TETRA_LATTICE = 0, // sherd_tetra_mesh_fill
    SHERD_TETRA_GMSH,        // the gmsh program, sherd_tetra_mesh_gmsh
} sherd_tetra_generator;

// What tetrahedra are.
typedef enum sherd_tetra_model {
    SHERD_TETRA_BONDED = 0, // elements, bonded across faces
    SHERD_TETRA_FEM,        // linear finite elements, which separate at nodes
} sherd_tetra_model;

// Parameters of SHERD_PACKING_TETRA.
typedef struct sherd_packing_tetra {
    double size;                     // requested mean edge length [m], > 0; unused with a mesh file
    sherd_tetra_model model;         // default BONDED
    sherd_tetra_generator generator; // default LATTICE
    double jitter;                   // LATTICE: see sherd_tetra_lattice_def, default 0.3
    double quality;                  // LATTICE: see sherd_tetra_lattice_def, default 0.25
    double time_limit;               // GMSH: its time limit [s], > 0, default 10
    const char *mesh_file; // .msh file to read instead of meshing the shape; borrowed, NULL: none
    double mesh_scale;     // metres per unit of the file, > 0, default 1
} sherd_packing_tetra;

// Definition of a packing.
typedef struct sherd_packing_def {
    uint32_t cookie;         // set by sherd_packing_def_default; any other value is rejected
    sherd_packing_kind kind; // default HCP
    // Element radius [m], > 0, changed by up to `radius_tolerance` to fit the shape. Unused by
    // TETRA and POINTS.
    double radius;
    double spacing; // POINTS: of the lattice, half the spacing of grid nodes [m], > 0
    // Largest relative change of the radius to fit layers exactly [-], [0, 0.5], default 0.1.
    double radius_tolerance;
    // HEX_LAYERS: number of layers, 0: as many as fit the thickness. SHELL: number of layers across
    // the wall, 0: one. Others: 0.
    int layers;
    sherd_packing_orientation orientation; // lattices, default AUTO
    // HCP, HEX_LAYERS: angle of the lattice's rows about the normal of its layers [rad], within one
    // turn, default 0. Cracks follow rows.
    double angle;
    // Largest random displacement of centres over the radius; POINTS: of rows along themselves, over
    // the spacing [-], [0, 0.5], default 0. Scenes give points of sand 0.3.
    double jitter;
    uint64_t seed; // of all random numbers
    // RANDOM: smallest and largest radius over `radius` [-], [0.05, 20], low <= high <= 10 low,
    // defaults 1 and 1. [BDEM21] Fig. 18 has 0.9 and 4.
    double size_low, size_high;
    sherd_packing_sizes sizes; // RANDOM: distribution of sizes, default RADIUS
    // RANDOM: elements are bonded if the distance of their centres is at most this times the sum of
    // their radii [-], [1, 1.5], default 1.1: delta_0 of [RBDEM] 4.1.
    double bond_range;
    int64_t max_elements;      // more elements are an error, default 50 million
    int threads;               // >= 0, 0 (default): all of the machine
    sherd_packing_tetra tetra; // TETRA: the mesh
} sherd_packing_def;

// Returns a definition with the defaults above.
SHERD_API sherd_packing_def sherd_packing_def_default(void);
// Returns the table of the definition's members; static.
SHERD_API const sherd_definition *sherd_packing_def_fields(void);

// Number of classes of sherd_packing.size_count.
enum { SHERD_PACKING_SIZE_CLASSES = 16 };

// Elements in the shape's own frame, ordered along rows of neighbours in lattices, otherwise along
// a space-filling curve. Owned by the caller with all its arrays; free with sherd_packing_destroy.
typedef struct sherd_packing {
    int32_t count;     // n
    double *x, *y, *z; // centres                          [m]  (n)
    double *radius;    //                                  [m]  (n)
    // How well the elements represent the solid:
    double shape_volume;      // [m^3]
    double element_volume;    // sum of the spheres' volumes [m^3]
    double solid_fraction;    // element_volume / shape_volume
    double cell_volume_match; // volume of the filled lattice cells / shape_volume, ideally 1
    double surface_gap_mean;  // mean gap between outermost elements and the surface [m]
    double surface_gap_max;   // largest of these gaps [m]
    // Lattices: largest gap between a flat face of the shape and all elements along it, of faces
    // with more than 8 % of the outermost elements; 0 if there is none [m].
    double face_gap;
    sherd_vec3 face_normal; // outward normal of that face, in the shape's frame
    double lattice_radius;  // radius after fitting [m]
    int layers;             // close-packed layers across the thinnest extent
    // RANDOM:
    double radius_least, radius_most;               // smallest and largest radius [m]
    int32_t size_count[SHERD_PACKING_SIZE_CLASSES]; // histogram of radii, from least to most
    double bonds_per_element;                       // mean number of bonds per element
    int32_t bridges;  // bonds beyond bond_range that connect elements without neighbours
    int32_t left_out; // elements removed because they are too far from all others
    // RANDOM, TETRA: parts of the solid without a bond between them. RANDOM has one for each piece
    // of the shape, TETRA also bits of films thinner than a tetrahedron.
    int32_t parts;
    // Data that some packings have; NULL if elements are spheres bonded to near ones.
    double *volume;                       // solid that each element represents [m^3] (n)
    sherd_bond_index bond_count;          // m
    sherd_element_index *bond_i, *bond_j; // i < j, in order of (i, j) (m); NULL: bond near elements
    double *bond_section;                 // cross-section area of bonds [m^2] (m); NULL: from radii
    // TETRA: the mesh, owned; element k is tetrahedron k. Otherwise NULL.
    sherd_tetra_mesh *tetra;
    sherd_tetra_quality tetra_quality; // TETRA: quality of the mesh, otherwise 0
    sherd_bond_index weakened_bonds;   // TETRA: bonds of slivers, with sections below their faces
    double *bond_factor; // factor on each bond's moduli and strengths [-], > 0 (m); NULL: 1
} sherd_packing;

// Fills `shape` with elements. Free the result with sherd_packing_destroy. NULL with
// SHERD_ERROR_INPUT (invalid values; nothing fits, with the largest radius that would; too many
// elements) or SHERD_ERROR_MEMORY. The same definition gives the same bits for any number of
// threads.
SHERD_API sherd_packing *sherd_packing_create(const sherd_shape *shape,
                                              const sherd_packing_def *def, sherd_error *error);
// Destroys a packing and its arrays. NULL is allowed.
SHERD_API void sherd_packing_destroy(sherd_packing *packing);
