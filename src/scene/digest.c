// Fingerprint of what a scene's simulation depends on.
#include "scene/read/sections.h"

#include "base/hash.h"

static uint64_t mix_real(uint64_t hash, double value)
{
    return sherd_hash_bytes(hash, &value, sizeof value);
}

static uint64_t mix_int(uint64_t hash, int64_t value)
{
    return sherd_hash_bytes(hash, &value, sizeof value);
}

static uint64_t mix_vector(uint64_t hash, sherd_vec3 v)
{
    return mix_real(mix_real(mix_real(hash, v.x), v.y), v.z);
}

static uint64_t mix_pose(uint64_t hash, sherd_pose pose)
{
    hash = mix_vector(hash, pose.position);
    sherd_quat q = pose.rotation;
    return mix_real(mix_vector(hash, (sherd_vec3){q.x, q.y, q.z}), q.w);
}

static uint64_t mix_world(uint64_t hash, const sherd_world_def *def)
{
    hash = mix_int(hash, def->method);
    hash = mix_int(hash, def->scheme);
    hash = mix_int(hash, def->paper_fracture);
    hash = mix_real(hash, def->accuracy);
    hash = mix_real(hash, def->time_step_in_limits);
    hash = mix_int(hash, def->implicit_elements);
    hash = mix_vector(hash, def->gravity);
    hash = mix_real(hash, def->time_step);
    hash = mix_real(hash, def->time_step_safety);
    hash = mix_real(hash, def->contact_skin);
    hash = mix_real(hash, def->contact_barrier);
    hash = mix_int(hash, def->precision);
    hash = mix_int(hash, def->sleep);
    hash = mix_int(hash, def->regions);
    return mix_int(hash, def->contacts);
}

static uint64_t mix_material(uint64_t hash, const sherd_material_def *def)
{
    const double values[] = {def->density,          def->youngs_modulus,     def->shear_modulus,
                             def->tensile_strength, def->shear_strength,     def->weibull_modulus,
                             def->bond_damping,     def->restitution,        def->friction,
                             def->grain_stiffening, def->grain_strengthening};
    hash = sherd_hash_bytes(hash, values, sizeof values);
    hash = mix_vector(hash, def->grain_direction);
    hash = mix_int(hash, def->law);
    hash = mix_int(hash, def->breakage);
    return mix_int(hash, (int64_t)def->seed);
}

static uint64_t mix_yarn(uint64_t hash, const sherd_yarn_def *def)
{
    const sherd_rope_def *rope = &def->rope;
    const sherd_woven_def *woven = &def->woven;
    const sherd_knitted_def *knitted = &def->knitted;
    const double values[] = {def->spacing,
                             def->fiber_share,
                             rope->radius,
                             rope->length,
                             rope->pitch,
                             rope->ply_pitch,
                             woven->radius,
                             woven->warp_distance,
                             woven->weft_distance,
                             woven->crimp,
                             knitted->radius,
                             knitted->row_distance,
                             knitted->column_distance};
    const int64_t numbers[] = {def->kind,    def->glue,        rope->strands,   rope->plies,
                               rope->core,   rope->path_count, woven->warp,     woven->weft,
                               woven->weave, knitted->rows,    knitted->columns};
    hash = sherd_hash_bytes(hash, values, sizeof values);
    hash = sherd_hash_bytes(hash, numbers, sizeof numbers);
    for (int k = 0; k < rope->path_count; ++k)
        hash = mix_vector(hash, rope->path[k]);
    return hash;
}

// What calibration makes of a material follows from the rest of the scene.
static uint64_t mix_calibration(uint64_t hash, const sherd_scene_material *material)
{
    hash = mix_int(hash, material->calibrate);
    if (!material->calibrate) return hash;
    hash = mix_int(hash, SHERD_CALIBRATION_VERSION);
    return mix_real(hash, material->poissons_ratio);
}

static uint64_t mix_body(uint64_t hash, const sherd_scene_body *body)
{
    const sherd_packing_def *packing = &body->packing;
    hash = mix_int(hash, body->is_yarn);
    if (body->is_yarn) hash = mix_yarn(hash, &body->yarn);
    hash = mix_int(hash, (int64_t)body->shape_digest);
    hash = mix_int(hash, packing->kind);
    hash = mix_real(hash, packing->radius);
    hash = mix_real(hash, packing->radius_tolerance);
    hash = mix_int(hash, packing->layers);
    hash = mix_int(hash, packing->orientation);
    hash = mix_real(hash, packing->jitter);
    hash = mix_int(hash, (int64_t)packing->seed);
    hash = mix_real(mix_real(hash, packing->size_low), packing->size_high);
    hash = mix_real(mix_int(hash, packing->sizes), packing->bond_range);
    hash = mix_real(hash, packing->tetra.size);
    hash = mix_int(hash, packing->tetra.generator);
    hash = mix_real(hash, packing->tetra.jitter);
    hash = mix_real(hash, packing->tetra.quality);
    hash = mix_int(hash, body->loose);
    hash = mix_int(hash, (int64_t)body->weakness_digest);
    hash = mix_real(hash, body->bond_reach);
    hash = mix_int(hash, body->material);
    hash = mix_pose(hash, body->pose);
    return mix_vector(mix_vector(hash, body->velocity), body->angular_velocity);
}

static uint64_t mix_motion(uint64_t hash, const sherd_motion *motion)
{
    hash = mix_int(hash, motion->key_count);
    for (int k = 0; k < motion->key_count; ++k) {
        hash = mix_real(hash, motion->keys[k].time);
        hash = mix_vector(hash, motion->keys[k].translation);
        hash = mix_vector(hash, motion->keys[k].rotation);
    }
    hash = mix_vector(hash, motion->velocity);
    return mix_vector(mix_vector(hash, motion->angular_velocity), motion->pivot);
}

static uint64_t mix_obstacle(uint64_t hash, const sherd_scene_obstacle *obstacle)
{
    const sherd_obstacle_def *def = &obstacle->def;
    hash = mix_int(hash, (int64_t)obstacle->shape_digest);
    hash = mix_int(hash, def->kind);
    hash = mix_int(hash, def->is_plane);
    hash = mix_pose(hash, def->pose);
    hash = mix_motion(hash, &def->motion);
    hash = mix_real(mix_real(hash, def->density), def->mass);
    hash = mix_vector(mix_vector(hash, def->velocity), def->angular_velocity);
    return mix_real(mix_real(hash, def->friction), def->restitution);
}

static uint64_t mix_driver(uint64_t hash, const sherd_scene_driver *driver)
{
    const sherd_driver_def *def = &driver->def;
    // Those that only look keep what they look at awake.
    hash = mix_int(hash, (int64_t)driver->shape_digest);
    hash = mix_int(hash, driver->body);
    hash = mix_pose(hash, def->region.pose);
    hash = mix_int(hash, def->drive);
    hash = mix_motion(hash, &def->motion);
    for (int k = 0; k < 3; ++k)
        hash = mix_int(hash, def->free_axes[k]);
    hash = mix_vector(hash, def->force);
    hash = mix_int(hash, def->force_key_count);
    for (int k = 0; k < def->force_key_count; ++k)
        hash = mix_real(mix_real(hash, def->force_times[k]), def->force_factors[k]);
    return hash;
}

uint64_t sherd_scene_physics_digest(const sherd_scene *scene)
{
    uint64_t hash = SHERD_HASH_START;
    hash = mix_world(hash, &scene->world);
    // Frames and readings decide where runs of steps end.
    hash = mix_real(hash, scene->output.frame_rate);
    hash = mix_real(hash, scene->output.probe_rate);
    hash = mix_int(hash, scene->material_count);
    for (int k = 0; k < scene->material_count; ++k)
        hash = mix_material(hash, &scene->materials[k].def);
    for (int k = 0; k < scene->material_count; ++k)
        hash = mix_calibration(hash, &scene->materials[k]);
    hash = mix_int(hash, scene->body_count);
    for (int k = 0; k < scene->body_count; ++k)
        hash = mix_body(hash, &scene->bodies[k]);
    hash = mix_int(hash, scene->obstacle_count);
    for (int k = 0; k < scene->obstacle_count; ++k)
        hash = mix_obstacle(hash, &scene->obstacles[k]);
    for (int k = 0; k < scene->driver_count; ++k)
        hash = mix_driver(hash, &scene->drivers[k]);
    return hash;
}
