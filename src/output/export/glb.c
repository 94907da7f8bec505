// Files of animations: the choice of the format, and the mesh of spheres.
#include "output/export/glb.h"

#include "output/export/glb_file.h"
#include "output/export/icosphere.h"
#include "output/export/usda.h"

sherd_animation *sherd_animation_file_create(const sherd_animation_def *def, sherd_error *error)
{
    bool usda = def->format == SHERD_ANIMATION_USDA;
    return sherd_animation_create(def, usda ? &sherd_usda_writer : &sherd_glb_writer, error);
}

int sherd_animation_add_unit_sphere(sherd_animation *animation, int material, sherd_error *error)
{
    double vertices[SHERD_ICOSPHERE_VERTICES][3];
    int32_t triangles[SHERD_ICOSPHERE_TRIANGLES][3];
    sherd_icosphere(vertices, triangles);
    sherd_animation_mesh mesh = {.name = "sphere",
                                 .vertex_count = SHERD_ICOSPHERE_VERTICES,
                                 .vertices = vertices[0],
                                 .normals = vertices[0],
                                 .triangle_count = SHERD_ICOSPHERE_TRIANGLES,
                                 .triangles = triangles[0],
                                 .outer_material = material,
                                 .inner_material = material};
    return sherd_animation_add_mesh(animation, &mesh, error);
}
