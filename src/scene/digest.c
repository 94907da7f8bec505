// Fingerprint of a scene's physics: of each definition, the rows that count for
// physics, in the order of its table.
#include "scene/read/sections.h"

#include "base/hash.h"
#include "scene/scene_fields.h"

static uint64_t mix_count(uint64_t hash, int count)
{
    int64_t value = count;
    return sherd_hash_bytes(hash, &value, sizeof value);
}

uint64_t sherd_scene_physics_digest(const sherd_scene *scene)
{
    uint64_t hash = SHERD_HASH_START;
    hash = sherd_fields_digest(sherd_world_def_fields(), &scene->world, hash);
    hash = sherd_fields_digest(sherd_scene_output_fields(), &scene->output, hash);
    hash = mix_count(hash, scene->material_count);
    for (int k = 0; k < scene->material_count; ++k)
        hash = sherd_fields_digest(sherd_material_def_fields(), &scene->materials[k].def, hash);
    for (int k = 0; k < scene->material_count; ++k)
        hash = sherd_fields_digest(sherd_scene_material_fields(), &scene->materials[k], hash);
    hash = mix_count(hash, scene->body_count);
    for (int k = 0; k < scene->body_count; ++k)
        hash = sherd_fields_digest(sherd_scene_body_fields(), &scene->bodies[k], hash);
    hash = mix_count(hash, scene->obstacle_count);
    for (int k = 0; k < scene->obstacle_count; ++k)
        hash = sherd_fields_digest(sherd_scene_obstacle_fields(), &scene->obstacles[k], hash);
    for (int k = 0; k < scene->driver_count; ++k)
        hash = sherd_fields_digest(sherd_scene_driver_fields(), &scene->drivers[k], hash);
    return hash;
}
