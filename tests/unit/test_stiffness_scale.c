// A material's stiffness_scale: what it makes of the values, and that impacts stay similar.
#include <sherd/run.h>
#include <sherd/scene.h>
#include <sherd/world.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static sherd_scene *parse(const char *text)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = sherd_scene_parse(text, strlen(text), "test.yaml", NULL, &diagnostics);
    cr_assert(scene != NULL, "%s: %s", diagnostics.count > 0 ? diagnostics.errors[0].where : "",
              diagnostics.count > 0 ? diagnostics.errors[0].what : "");
    return scene;
}

static sherd_material_def material_of(const char *more)
{
    char text[1024];
    snprintf(text, sizeof text,
             "sherd: 1\nname: x\nduration: 1 ms\nmaterials:\n"
             "  tile: {density: 2000, youngs_modulus: 50 GPa, poissons_ratio: 0.25, "
             "tensile_strength: 30 MPa, shear_strength: 40 MPa%s}\n"
             "bodies:\n  - {name: a, shape: {box: [1 cm, 1 cm, 1 cm]}, material: tile, "
             "packing: {cubic: {radius: 1 mm}}}\n",
             more);
    sherd_scene *scene = parse(text);
    sherd_material_def def = scene->materials[0].def;
    sherd_scene_destroy(scene);
    return def;
}

static void is_close(double value, double expected)
{
    cr_assert(epsilon_eq(dbl, value, expected, 1e-12 * fabs(expected)));
}

Test(stiffness_scale, energies_and_speeds_of_fracture_stay)
{
    sherd_material_def m = material_of(", fracture_energy: 20, stiffness_scale: 0.0025");
    is_close(m.youngs_modulus, 125e6);
    is_close(m.shear_modulus, 50e6);
    is_close(m.tensile_strength, 1.5e6);
    is_close(m.shear_strength, 2e6);
    is_close(m.density, 2000.0);
    is_close(m.fracture_energy, 20.0);
    sherd_material_def real = material_of(", fracture_toughness: 1 MPa m^0.5"),
                       soft =
                           material_of(", fracture_toughness: 1 MPa m^0.5, stiffness_scale: 0.01");
    is_close(soft.fracture_toughness * soft.fracture_toughness / soft.youngs_modulus,
             real.fracture_toughness * real.fracture_toughness / real.youngs_modulus);
    m = material_of(", yield_stress: 10 MPa, hardening_modulus: 1 GPa, fracture_strain: 0.02, "
                    "stiffness_scale: 0.25");
    is_close(m.yield_stress, 5e6);
    is_close(m.hardening_modulus, 0.25e9);
    is_close(m.yield_stress * m.fracture_strain, 10e6 * 0.02); // plastic work to the break
    is_close(material_of(", rate_time: 1 ms, stiffness_scale: 0.25").rate_time, 2e-3);
}

// Energies of a bar that flies against a wall, after 1.2 times the time that a wave takes along it.
static sherd_energy hit(double scale)
{
    char text[1024];
    snprintf(text, sizeof text,
             "sherd: 1\nname: x\nduration: 1\ngravity: [0, 0, 0]\nmaterials:\n"
             "  tile: {density: 2000, youngs_modulus: 50 GPa, poissons_ratio: 0.25, "
             "tensile_strength: 40 MPa, shear_strength: 40 MPa, friction: 0, stiffness_scale: %g}\n"
             "bodies:\n  - {name: a, shape: {box: [6 mm, 6 mm, 30 mm]}, material: tile, "
             "packing: {cubic: {radius: 1 mm}}, position: [0, 0, 15 mm], velocity: [0, 0, -2]}\n"
             "obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
             "solver: {method: explicit, precision: double}\n",
             scale);
    sherd_scene *scene = parse(text);
    sherd_error error = {0};
    sherd_scene_build build;
    sherd_world *world = sherd_scene_create_world(scene, 1, &build, &error);
    cr_assert(world != NULL, "%s: %s", error.where, error.what);
    double wave = 30e-3 / sqrt(50e9 * scale / 2000.0);
    cr_assert(eq(int, sherd_world_advance(world, 1.2 * wave, &error), SHERD_OK));
    sherd_energy energy = sherd_world_energy(world);
    sherd_scene_build_free(&build);
    sherd_world_destroy(world);
    sherd_scene_destroy(scene);
    return energy;
}

// Without gravity the motion is the same one, slower and larger by 1 / sqrt(s). The bar is hit along
// its rows of bonds, whose forces are linear in displacements: rounding alone is left.
Test(stiffness_scale, an_impact_is_the_same_but_slower)
{
    sherd_energy real = hit(1.0);
    cr_assert(lt(dbl, 0.05, real.max_stress_ratio));
    const double scales[] = {0.1, 0.01}, rounding = 1e-8;
    for (int k = 0; k < 2; ++k) {
        sherd_energy soft = hit(scales[k]);
        cr_assert(epsilon_eq(dbl, soft.kinetic, real.kinetic, rounding * real.elastic));
        cr_assert(epsilon_eq(dbl, soft.elastic, real.elastic, rounding * real.elastic));
        cr_assert(epsilon_eq(dbl, soft.max_stress_ratio, real.max_stress_ratio,
                             rounding * real.max_stress_ratio));
    }
}

// ---------------------------------------------------------------- messages

static void keep(void *context, const sherd_message *message)
{
    char *said = context;
    if (strstr(message->what, "stiffness_scale") == NULL) return;
    snprintf(said, 512, "%d %s %s", message->level == SHERD_MESSAGE_WARNING, message->what,
             message->hint != NULL ? message->hint : "");
}

static void says(const char *more, char said[512])
{
    char text[1024];
    snprintf(text, sizeof text,
             "sherd: 1\nname: x\nduration: 1 ms\nmaterials:\n"
             "  tile: {density: 2000, youngs_modulus: 50 GPa, poissons_ratio: 0.25%s}\n"
             "bodies:\n  - {name: a, shape: {box: [1 cm, 1 cm, 1 cm]}, material: tile, "
             "packing: {cubic: {radius: 1 mm}}}\n",
             more);
    sherd_scene *scene = parse(text);
    sherd_scene_build build;
    sherd_world *world = sherd_scene_create_world(scene, 1, &build, NULL);
    cr_assert(world != NULL);
    sherd_step_plan plan = sherd_step_plan_make(scene, 1e-6);
    said[0] = '\0';
    sherd_scene_tell_warnings(scene, &build, &plan, keep, said);
    sherd_scene_build_free(&build);
    sherd_world_destroy(world);
    sherd_scene_destroy(scene);
}

Test(stiffness_scale, its_errors_are_said)
{
    char said[512];
    says(", tensile_strength: 30 MPa, shear_strength: 40 MPa", said);
    cr_assert(eq(str, said, (char *)""));
    says(", tensile_strength: 30 MPa, shear_strength: 40 MPa, stiffness_scale: 0.01", said);
    cr_assert(said[0] == '0' && strstr(said, "steps are 10 times as long") != NULL &&
                  strstr(said, "a strain of 0.6 % instead of 0.06 %") != NULL,
              "%s", said);
    // A strain of 6 % at the break; one of 3 % is that of four times the scale.
    says(", tensile_strength: 30 MPa, shear_strength: 40 MPa, stiffness_scale: 0.0001", said);
    cr_assert(said[0] == '1' && strstr(said, "stiffness_scale of 0.0004 or more") != NULL, "%s",
              said);
    // What yields breaks at its plastic strain: 17 % becomes 170 %.
    says(", tensile_strength: 300 MPa, shear_strength: 300 MPa, yield_stress: 100 MPa, "
         "fracture_strain: 0.17, stiffness_scale: 0.01",
         said);
    cr_assert(said[0] == '1' && strstr(said, "a strain of 170 % instead of 17 %") != NULL, "%s",
              said);
    says(", unbreakable: true, stiffness_scale: 0.01", said);
    cr_assert(said[0] == '0' && strstr(said, "100 times as far under the same forces") != NULL,
              "%s", said);
}
