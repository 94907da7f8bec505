// Art direction: where a body is weaker or softer than its material. A pattern in the body's rest frame gives for
// every bond the amount by which it applies, from 0 to 1.
//
//     sherd_weakness_def def = sherd_weakness_def_default();
//     def.kind = SHERD_WEAKNESS_VORONOI;
//     def.size = 0.01;
//     def.strength = 0.2;
//     sherd_weakness *walls = sherd_weakness_create(&def, &error);
//     body.bond_scale = sherd_weakness_list_scale;
//     body.bond_scale_context = &(sherd_weakness_list){1, &walls};
//
// Of lists with a cut whose strength is 0, so that its faces slide:
//
//     body.cut_faces = sherd_weakness_list_faces;
//     body.cut_faces_context = body.bond_scale_context;
#pragma once

#include <sherd/field.h>
#include <sherd/material.h>
#include <sherd/mesh.h>
#include <sherd/shape.h>

// Immutable once made, so any number of threads may ask one.
typedef struct sherd_weakness sherd_weakness;

typedef enum sherd_weakness_kind {
    SHERD_WEAKNESS_NOISE = 0, // patches of 3-D noise
    SHERD_WEAKNESS_VORONOI,   // walls between cells: fragments then have that size
    SHERD_WEAKNESS_PAINT,     // vertex colours of a mesh
    SHERD_WEAKNESS_CURVE,     // along a curve
    SHERD_WEAKNESS_CUT,       // bonds that cross a surface
    SHERD_WEAKNESS_REGION,    // inside a shape
    SHERD_WEAKNESS_KIND_COUNT,
} sherd_weakness_kind;

typedef enum sherd_cut_kind {
    SHERD_CUT_PLANE = 0,
    SHERD_CUT_DISC,
    SHERD_CUT_POLYGON,
    SHERD_CUT_SHAPE, // bonds that cross a shape's surface or pass through the shape
    SHERD_CUT_SHEET, // bonds that cross any triangle of a mesh, which may be open
} sherd_cut_kind;

typedef enum sherd_paint_channel {
    SHERD_PAINT_RED = 0,
    SHERD_PAINT_GREEN,
    SHERD_PAINT_BLUE,
    SHERD_PAINT_MEAN, // of all three
} sherd_paint_channel;

typedef struct sherd_weakness_def {
    uint32_t cookie; // set by sherd_weakness_def_default; anything else is refused
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

SHERD_API sherd_weakness_def sherd_weakness_def_default(void);
SHERD_API const sherd_definition *sherd_weakness_def_fields(void);

// Owned result; NULL with SHERD_ERROR_INPUT (`where` is the field) or SHERD_ERROR_MEMORY.
SHERD_API sherd_weakness *sherd_weakness_create(const sherd_weakness_def *def, sherd_error *error);
SHERD_API void sherd_weakness_destroy(sherd_weakness *weakness); // NULL is fine

// The amount by which it applies to a bond between elements at i and j, 0 to 1.
SHERD_API double sherd_weakness_amount(const sherd_weakness *weakness, sherd_vec3 i, sherd_vec3 j);

// Several together: their factors multiply.
typedef struct sherd_weakness_list {
    int count;
    sherd_weakness *const *items;
} sherd_weakness_list;

// A sherd_bond_scale_function; `list` is a sherd_weakness_list.
SHERD_API sherd_bond_scale sherd_weakness_list_scale(const void *list, sherd_vec3 i, sherd_vec3 j);

// A sherd_cut_face_function of the cuts whose bonds are broken from the start; `list` is a sherd_weakness_list.
SHERD_API int sherd_weakness_list_faces(const void *list, sherd_vec3 x, double reach, int most,
                                        sherd_cut_face *faces);
