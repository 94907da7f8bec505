// Art direction: where a body is weaker or softer than its material. A pattern in the body's rest
// frame gives each bond an amount from 0 (unchanged) to 1 (fully weakened).
//
//     sherd_weakness_def def = sherd_weakness_def_default();
//     def.kind = SHERD_WEAKNESS_VORONOI;
//     def.size = 0.01;
//     def.strength = 0.2;
//     sherd_weakness *walls = sherd_weakness_create(&def, &error);
//     body.bond_scale = sherd_weakness_list_scale;
//     body.bond_scale_context = &(sherd_weakness_list){1, &walls};
//
// With a cut of strength 0 (a pre-crack), so that its faces slide on each other:
//
//     body.cut_faces = sherd_weakness_list_faces;
//     body.cut_faces_context = body.bond_scale_context;
#pragma once

#include <sherd/field.h>
#include <sherd/material.h>
#include <sherd/mesh.h>
#include <sherd/shape.h>

// A pattern; opaque and immutable, so any number of threads may use it.
typedef struct sherd_weakness sherd_weakness;

// Patterns of weakness.
typedef enum sherd_weakness_kind {
    SHERD_WEAKNESS_NOISE = 0, // patches of 3-D noise
    SHERD_WEAKNESS_VORONOI,   // walls between cells: fragments then have that size
    SHERD_WEAKNESS_PAINT,     // vertex colours of a mesh
    SHERD_WEAKNESS_CURVE,     // along a curve
    SHERD_WEAKNESS_CUT,       // bonds that cross a surface
    SHERD_WEAKNESS_REGION,    // inside a shape
    // number of kinds
    SHERD_WEAKNESS_KIND_COUNT,
} sherd_weakness_kind;

// The surface of a cut.
typedef enum sherd_cut_kind {
    // an infinite plane
    SHERD_CUT_PLANE = 0,
    // a round disc
    SHERD_CUT_DISC,
    // a plane polygon
    SHERD_CUT_POLYGON,
    SHERD_CUT_SHAPE, // bonds that cross a shape's surface or pass through the shape
    SHERD_CUT_SHEET, // bonds that cross any triangle of a mesh, which may be open
} sherd_cut_kind;

// The colour channel that is read as weakness.
typedef enum sherd_paint_channel {
    // red alone
    SHERD_PAINT_RED = 0,
    // green alone
    SHERD_PAINT_GREEN,
    // blue alone
    SHERD_PAINT_BLUE,
    SHERD_PAINT_MEAN, // of all three
} sherd_paint_channel;

// Definition of a pattern. Members that name kinds apply to these kinds only.
typedef struct sherd_weakness_def {
    uint32_t cookie; // set by sherd_weakness_def_default; any other value is rejected
    // default NOISE
    sherd_weakness_kind kind;
    // Factors on bonds where the pattern applies fully, >= 0, default 1; linear in between. Bonds
    // with a factor of 0 are broken from the start.
    double strength, stiffness;
    uint64_t seed; // NOISE, VORONOI
    // NOISE: wavelength of the largest features. VORONOI: edge of a cube as large as the mean
    // fragment. [m], > 0
    double size;
    // NOISE
    int octaves;     // each half as large and half as strong as the one before, 1 to 16, default 4
    double share;    // of the body that is more weak than not, [0, 1], default 0.5
    double contrast; // 1 (default): all degrees are equally frequent; large: weak or not; > 0
    // VORONOI
    sherd_vec3 stretch;  // of cells along the axes, > 0 each, default (1, 1, 1)
    double irregularity; // 0: cubes; 1 (default): most irregular
    double warp;         // bends walls: 0 (default) flat, 1 strongly bent
    double wall;         // bonds nearer to a wall than half of this are weak too [m], default 0
    // PAINT, CUT SHEET
    const sherd_mesh *mesh; // PAINT: with colours; open meshes are fine; copied
    // PAINT
    sherd_paint_channel channel;
    bool invert;  // dark is weak
    double depth; // depth below the mesh's surface [m], default INFINITY
    // CURVE: a polyline; points of CUT POLYGON, in one plane. Copied.
    int point_count;
    const sherd_vec3 *points;
    sherd_vec3 along; // CURVE goes through the body in this direction; 0 (default): it does not
    double radius;    // CURVE: half its width; CUT DISC [m]
    double falloff;   // CURVE, PAINT, REGION: width of the soft edge beyond [m], default 0
    // CUT
    sherd_cut_kind cut;
    sherd_vec3 point, normal; // PLANE, DISC (its centre); the normal has any length
    const sherd_shape *shape; // CUT SHAPE, REGION; borrowed for the life of the weakness
} sherd_weakness_def;

// Returns a definition with the defaults above.
SHERD_API sherd_weakness_def sherd_weakness_def_default(void);
// Returns the table of the definition's members; static.
SHERD_API const sherd_definition *sherd_weakness_def_fields(void);

// Creates a pattern; free it with sherd_weakness_destroy. NULL with SHERD_ERROR_INPUT (`where` is
// the member) or SHERD_ERROR_MEMORY.
SHERD_API sherd_weakness *sherd_weakness_create(const sherd_weakness_def *def, sherd_error *error);
// Destroys a pattern. NULL is allowed.
SHERD_API void sherd_weakness_destroy(sherd_weakness *weakness);

// Returns the amount for a bond between elements at i and j in the rest frame [m], 0 to 1.
SHERD_API double sherd_weakness_amount(const sherd_weakness *weakness, sherd_vec3 i, sherd_vec3 j);

// Several patterns together; their factors multiply.
typedef struct sherd_weakness_list {
    // number of patterns
    int count;
    // the patterns, borrowed (count)
    sherd_weakness *const *items;
} sherd_weakness_list;

// Returns the factors of a bond; a sherd_bond_scale_function. `list` is a sherd_weakness_list.
SHERD_API sherd_bond_scale sherd_weakness_list_scale(const void *list, sherd_vec3 i, sherd_vec3 j);

// Finds faces of the cuts whose bonds are broken from the start; a sherd_cut_face_function. `list`
// is a sherd_weakness_list.
SHERD_API int sherd_weakness_list_faces(const void *list, sherd_vec3 x, double reach, int most,
                                        sherd_cut_face *faces);
