// One mesh with moving vertices: OBJ and MTL with a PC2 point cache.
#include "output/formats/deforming_mesh.h"
#include "output/formats/picture_files.h"

static const sherd_format_file FILES[] = {
    {"run.obj", NULL, MADE_BY_EXPORT},
    {"run.mtl", NULL, MADE_BY_EXPORT},
    {"run.pc2", NULL, MADE_BY_EXPORT},
    SHERD_PICTURE_FILES,
    {0},
};

const sherd_format sherd_format_obj_pc2 = {
    .about = {.word = "obj-pc2",
              .place = "run.obj",
              .needs = SHERD_EXPORT_FROM_SCENE,
              .whole = true,
              .doc = "  obj-pc2  one mesh and a point cache that moves its vertices (OBJ, MTL, "
                     "PC2), for bodies that\n"
                     "           bend and break; for Blender (Mesh Cache) and Houdini\n"
                     "           -o: .obj file or folder, default RUN/run.obj\n"},
    .files = FILES,
    .end = sherd_deforming_mesh_write,
};
