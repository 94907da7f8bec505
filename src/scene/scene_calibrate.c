#include "scene/scene_calibrate.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "calibration/cache.h"
#include "material/strength.h"
#include "scene/read/sections.h"
#include "scene/scene_query.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_PLATE_LAYERS = 4 }; // with more layers, a lattice counts as a solid

// Returns the body with this material: a material to be calibrated has only one. -1 without bonds.
static int body_of(const sherd_scene *scene, int material)
{
    for (int k = 0; k < scene->body_count; ++k)
        if (scene->bodies[k].material == material && !scene->bodies[k].loose) return k;
    return -1;
}

static bool is_from_elsewhere(const sherd_scene_body *body)
{
    const sherd_packing_tetra *tetra = &body->packing.tetra;
    return body->packing.kind == SHERD_PACKING_TETRA &&
           (tetra->mesh_file != NULL || tetra->generator != SHERD_TETRA_LATTICE);
}

void sherd_scene_section(const sherd_scene *scene, int body, const sherd_packing *packing,
                         double *thickness, double *width)
{
    SHERD_ASSERT(body >= 0 && body < scene->body_count, "the body is one of the scene");
    const sherd_shape *shape = scene->bodies[body].shape;
    *thickness = *width = INFINITY;
    if (shape == NULL) return;
    sherd_bounds b = sherd_shape_bounds(shape);
    double e[3] = {b.high.x - b.low.x, b.high.y - b.low.y, b.high.z - b.low.z};
    double smallest = fmin(e[0], fmin(e[1], e[2])), largest = fmax(e[0], fmax(e[1], e[2]));
    double radius = packing->lattice_radius, depth = 0.0;
    for (sherd_element_index k = 0; k < packing->count && 2.0 * (depth + radius) < smallest; ++k) {
        sherd_vec3 x = {packing->x[k], packing->y[k], packing->z[k]};
        depth = fmax(depth, -sherd_shape_distance(shape, x));
    }
    bool has_walls = 2.0 * (depth + radius) < smallest;
    *thickness = has_walls ? 2.0 * depth + radius : smallest;
    if (!has_walls) *width = e[0] + e[1] + e[2] - smallest - largest;
}

// Test bars are as wide as the body across its length, down to half the default width: elements at
// faces have fewer neighbours that take over the load of a broken or softened bond. Random bars of
// four elements thus bear 0.75 to 0.84 of the requested load with the bonds of bars of eight (like:
// concrete, scripts/measure-thickness). Plates, which have two faces instead of four, bear 0.93
// with these and 1.07 to 1.12 with those of thinner bars. Tetrahedra fill faces.
static double bar_width_of(const sherd_scene *scene, int body, const sherd_packing *packing,
                           const sherd_calibration_def *def)
{
    double usual = def->bar_width, thickness, width;
    if (def->packing.kind == SHERD_PACKING_TETRA || def->body != NULL) return usual;
    if (isfinite(def->yield_stress)) return usual; // all bonds of a cross-section yield
    sherd_scene_section(scene, body, packing, &thickness, &width);
    return fmin(fmax(round(width / def->packing.radius), 0.5 * usual), usual);
}

sherd_calibration_def sherd_scene_calibration_task(const sherd_scene *scene, int body,
                                                   const sherd_packing *packing)
{
    SHERD_ASSERT(body >= 0 && body < scene->body_count, "the body is one of the scene");
    const sherd_scene_body *b = &scene->bodies[body];
    const sherd_scene_material *material = &scene->materials[b->material];
    sherd_calibration_def def = sherd_calibration_def_default();
    bool lattice =
        b->packing.kind == SHERD_PACKING_HCP || b->packing.kind == SHERD_PACKING_HEX_LAYERS;
    def.packing = b->packing;
    def.body = is_from_elsewhere(b) ? packing : NULL;
    if (lattice && packing->layers <= MAX_PLATE_LAYERS) def.layers = packing->layers;
    def.bond_reach = b->bond_reach;
    def.youngs_modulus = material->def.youngs_modulus;
    def.poissons_ratio = material->poissons_ratio;
    def.law = material->def.law;
    def.shear_correction = material->def.shear_correction;
    def.bond_radius = material->def.bond_radius;
    def.breakage = material->def.breakage;
    def.tensile_strength = material->def.tensile_strength;
    def.shear_strength = material->def.shear_strength;
    def.weibull_modulus = material->def.weibull_modulus;
    def.yield_stress = material->def.yield_stress;
    def.hardening_modulus = material->def.hardening_modulus;
    def.fracture_energy = sherd_material_fracture_energy(&material->def);
    def.bar_width = bar_width_of(scene, body, packing, &def);
    return def;
}

static sherd_status find_result(const sherd_scene_build *build,
                                sherd_scene_calibration *calibration, sherd_error *error)
{
    for (int k = 0; k < build->calibration_count; ++k) {
        if (!sherd_calibration_same(&build->calibrations[k].def, &calibration->def)) continue;
        calibration->result = build->calibrations[k].result;
        calibration->result.cached = true;
        calibration->result.seconds = 0.0;
        return SHERD_OK;
    }
    sherd_status status = sherd_calibrate(&calibration->def, &calibration->result, error);
    double usual = sherd_calibration_def_default().bar_width;
    if (status != SHERD_ERROR_UNSTABLE || calibration->def.bar_width == usual) return status;
    calibration->def.bar_width = usual; // a narrow bar has few elements and may not break
    return sherd_calibrate(&calibration->def, &calibration->result, error);
}

// "FILE:LINE:COLUMN  materials.NAME" of the material and the member that the calibration names.
static void locate(const sherd_scene *scene, const sherd_scene_calibration *calibration,
                   sherd_error *error)
{
    if (error == NULL) return;
    char path[256], place[SHERD_SCENE_PLACE];
    snprintf(path, sizeof path, "materials.%.150s%s%.60s",
             scene->materials[calibration->material].def.name, error->where[0] != '\0' ? "." : "",
             error->where);
    snprintf(error->where, sizeof error->where, "%s", sherd_scene_place(scene, path, place));
}

static bool calibrate_body(const sherd_scene *scene, int body, int threads,
                           sherd_scene_build *build, sherd_error *error)
{
    const sherd_packing *packing = build->packings[body];
    int material = scene->bodies[body].material;
    sherd_scene_calibration *c = &build->calibrations[build->calibration_count];
    c->material = material;
    c->body = body;
    c->def = sherd_scene_calibration_task(scene, body, packing);
    c->def.threads = threads;
    if (find_result(build, c, error) != SHERD_OK) {
        locate(scene, c, error);
        return false;
    }
    c->bonds = scene->materials[material].def;
    // The solid's modulus, to which toughness refers.
    c->bonds.fracture_energy = sherd_material_fracture_energy(&scene->materials[material].def);
    c->bonds.fracture_toughness = 0.0;
    sherd_calibration_apply(&c->result, packing, &c->bonds);
    ++build->calibration_count;
    return true;
}

bool sherd_scene_calibrate(const sherd_scene *scene, int threads, sherd_scene_build *build,
                           sherd_error *error)
{
    int needed = 0;
    for (int k = 0; k < scene->material_count; ++k)
        needed += scene->materials[k].calibrate;
    if (needed == 0) return true;
    build->calibrations = sherd_alloc((size_t)needed, sizeof *build->calibrations);
    if (build->calibrations == NULL) {
        sherd_fail_memory(error, "calibrations");
        return false;
    }
    for (int k = 0; k < scene->material_count; ++k) {
        int body = scene->materials[k].calibrate ? body_of(scene, k) : -1;
        if (body >= 0 && !calibrate_body(scene, body, threads, build, error)) return false;
    }
    return true;
}

const sherd_material_def *sherd_scene_bonds_of(const sherd_scene *scene,
                                               const sherd_scene_build *build, int material)
{
    for (int k = 0; k < build->calibration_count; ++k)
        if (build->calibrations[k].material == material) return &build->calibrations[k].bonds;
    return &scene->materials[material].def;
}

// ---------------------------------------------------------------- materials of bodies

// Creates a separate material for each body to be calibrated: the properties of its bonds depend on
// how its elements fill its shape.

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
