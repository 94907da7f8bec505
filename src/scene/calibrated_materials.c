// Creates a separate material for each body to be calibrated: the properties of its bonds depend on
// how its elements fill its shape.
#include "scene/read/sections.h"

#include <string.h>

static bool used_before(const sherd_scene *scene, int body)
{
    for (int k = 0; k < body; ++k)
        if (scene->bodies[k].material == scene->bodies[body].material) return true;
    return false;
}

static bool uses_calibrated(const sherd_scene *scene, int body)
{
    int material = scene->bodies[body].material;
    return material >= 0 && scene->materials[material].calibrate && used_before(scene, body);
}

void sherd_split_calibrated(sherd_scene_reader *reader)
{
    sherd_scene *scene = reader->scene;
    int extra = 0;
    for (int k = 0; k < scene->body_count; ++k)
        extra += uses_calibrated(scene, k);
    if (extra == 0) return;
    sherd_scene_material *materials = sherd_arena_alloc(
        reader->arena, (size_t)(scene->material_count + extra), sizeof *materials);
    if (materials == NULL) return; // the arena records the failure
    memcpy(materials, scene->materials, (size_t)scene->material_count * sizeof *materials);
    scene->materials = materials;
    // Backwards: a body's material is copied while earlier bodies still show that it is shared.
    for (int k = scene->body_count - 1; k >= 0; --k) {
        if (!uses_calibrated(scene, k)) continue;
        materials[scene->material_count] = materials[scene->bodies[k].material];
        scene->bodies[k].material = scene->material_count++;
    }
}
