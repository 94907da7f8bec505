// Scene files: what good ones give, what bad ones say, variants and overrides, hostile input.
#include <sherd/replay.h>
#include <sherd/run.h>
#include <sherd/scene.h>
#include <sherd/world.h>

#include "math/quat.h"
#include "scene/scene_impact.h"
#include "scene/scene_overlap.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The example of the design document, complete.
static const char *const EXAMPLE =
    "sherd: 1                         # format version\n"
    "name: plate\n"
    "units: {length: m, time: s, mass: kg}     # values may also carry units: \"70 GPa\", \"2 "
    "mm\"\n"
    "gravity: [0, 0, -9.81]\n"
    "duration: 0.05 s\n"
    "output: {frame_rate: 480, surface: true, render: {camera: auto}}\n"
    "materials:\n"
    "  ceramic: {density: 2600, youngs_modulus: 1 GPa, poissons_ratio: 0.25, calibrate: false,\n"
    "            tensile_strength: 3 MPa, shear_strength: 4 MPa, weibull_modulus: 10,\n"
    "            friction: 0.3, seed: 1}\n"
    "bodies:\n"
    "  - {name: plate, shape: {revolve: [[0, 0], [0.08, 0], [0.12, 0.02], [0.12, 0.025], [0, 6 "
    "mm]]},\n"
    "     packing: {hcp: {radius: 1 mm}},\n"
    "     material: ceramic, position: [0, 0, 0.3], rotation: [10 deg, 0, 0], velocity: [0, 0, "
    "-3]}\n"
    "obstacles:\n"
    "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.4}\n"
    "solver: {method: explicit, time_step: auto}\n"
    "variants:\n"
    "  paper: {bodies.plate.packing.hcp.radius: 0.45 mm, duration: 0.1 s}\n"
    "  slow: {bodies.0.velocity.2: -30 cm/s, materials.ceramic.bond_damping: 0.1,\n"
    "         output.render.camera: {position: [1, 0, 0], target: [0, 0, 0]}}\n";

static sherd_scene *parse_with(const char *text, const sherd_scene_options *options)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = sherd_scene_parse(text, strlen(text), "test.yaml", options, &diagnostics);
    cr_assert(scene != NULL, "%s: %s", diagnostics.count > 0 ? diagnostics.errors[0].where : "",
              diagnostics.count > 0 ? diagnostics.errors[0].what : "");
    cr_assert(eq(int, diagnostics.count, 0));
    return scene;
}

static sherd_scene *parse(const char *text)
{
    return parse_with(text, NULL);
}

// ---------------------------------------------------------------- good files

Test(scene, example_of_the_design)
{
    sherd_scene *scene = parse(EXAMPLE);
    cr_assert(eq(str, (char *)scene->name, (char *)"plate"));
    cr_assert(eq(dbl, scene->duration, 0.05));
    cr_assert(eq(dbl, scene->world.gravity.z, -9.81));
    cr_assert(eq(dbl, scene->output.frame_rate, 480.0));
    cr_assert(eq(dbl, scene->output.probe_rate, 480.0));
    cr_assert(eq(int, scene->material_count, 1));
    const sherd_material_def *m = &scene->materials[0].def;
    cr_assert(eq(dbl, m->youngs_modulus, 1e9));
    cr_assert(eq(dbl, m->shear_modulus, 0.4e9)); // E / (2 * 1.25), exact in binary
    cr_assert(eq(dbl, m->tensile_strength, 3e6));
    cr_assert(eq(dbl, m->weibull_modulus, 10.0));
    cr_assert(eq(u64, m->seed, 1));
    const sherd_scene_body *body = &scene->bodies[0];
    cr_assert(eq(dbl, body->pose.position.z, 0.3));
    cr_assert(eq(dbl, body->velocity.z, -3.0));
    sherd_vec3 turned = quat_rotate(body->pose.rotation, vec3(0.0, 1.0, 0.0));
    cr_assert(epsilon_eq(dbl, turned.z, sin(10.0 * M_PI / 180.0), 1e-15));
    cr_assert(eq(dbl, body->packing.radius, 1e-3));
    cr_assert(body->shape != NULL && !body->loose && body->material == 0);
    cr_assert(scene->obstacles[0].def.is_plane);
    cr_assert(eq(dbl, scene->obstacles[0].def.friction, 0.4));
    cr_assert(eq(int, scene->variant_count, 2));
    cr_assert(eq(str, (char *)scene->variants[1], (char *)"slow"));
    cr_assert(eq(str, (char *)scene->text, (char *)EXAMPLE));
    sherd_scene_destroy(scene);
}

Test(scene, variants_and_settings)
{
    sherd_scene_options options = {.variant = "paper"};
    sherd_scene *scene = parse_with(EXAMPLE, &options);
    cr_assert(eq(dbl, scene->bodies[0].packing.radius, 0.45 * 1e-3));
    cr_assert(eq(dbl, scene->duration, 0.1));
    sherd_scene_destroy(scene);

    // Settings come after the variant, may add keys, and reach into lists.
    const char *const settings[] = {"duration=7 ms",
                                    "bodies.plate.position.1=2 cm",
                                    "solver.safety=0.5",
                                    "obstacles.floor.visible=false",
                                    "output.render={width: 64, height: 32}",
                                    "materials.ceramic.color=#ff8000"};
    options = (sherd_scene_options){"slow", 6, settings};
    scene = parse_with(EXAMPLE, &options);
    cr_assert(eq(dbl, scene->duration, 7e-3));
    cr_assert(eq(dbl, scene->bodies[0].velocity.z, -0.3));
    cr_assert(eq(dbl, scene->bodies[0].pose.position.y, 0.02));
    cr_assert(eq(dbl, scene->materials[0].def.bond_damping, 0.1));
    cr_assert(eq(dbl, scene->world.time_step_safety, 0.5));
    cr_assert(not(scene->obstacles[0].visible));
    cr_assert(eq(int, scene->output.render.width, 64));
    cr_assert(scene->output.render.camera.automatic); // render was replaced as a whole
    cr_assert(eq(str, (char *)scene->variant, (char *)"slow"));
    cr_assert(eq(dbl, scene->materials[0].color.x, 1.0)); // '#' begins no comment here
    cr_assert(eq(int, scene->override_count, 6));
    cr_assert(eq(str, (char *)scene->overrides[0], (char *)"duration=7 ms"));
    sherd_scene_destroy(scene);
}

// Everything a file can say, at least once.
static const char *const EVERYTHING =
    "\xef\xbb\xbfsherd: 1\n" // a byte order mark is fine
    "name: all\n"
    "units: {length: mm, angle: deg}\n"
    "gravity: [0, 0, 0]\n"
    "duration: 1 ms\n"
    "output:\n"
    "  frame_rate: 2 kHz\n"
    "  probe_rate: 10 kHz\n"
    "  surface: false\n"
    "  meshes: [ply, vtk]\n"
    "  render: {width: 640, height: 360, samples: 4, color_by: stress, video: false, "
    "range: [-1 kPa, 2 MPa], legend: false,\n"
    "           background: \"#102030\", camera: {position: [1, 2, 3], target: [0, 0, 0], fov: "
    "40}}\n"
    "materials:\n"
    "  base: &base {density: 2 g/cm^3, youngs_modulus: 1 MPa, shear_modulus: 0.3 MPa,\n"
    "               unbreakable: true, color: [0.5, 0, 1], opacity: 0.5}\n"
    "  again: *base\n"
    "  wood: {density: 600 kg/m^3, youngs_modulus: 1 GPa, tensile_strength: inf,\n"
    "         shear_strength: 2 MPa, bond_law: lu, breakage: absolute, bond_damping: 0.05,\n"
    "         restitution: 0.4, grain: {direction: [0, 1, 1], stiffening: 3, strengthening: 2}}\n"
    "bodies:\n"
    "  - name: grains\n"
    "    shape: {difference: [{union: [{box: [10, 10, 10]}, {sphere: 4, position: [5, 0, 0]}]},\n"
    "                         {cylinder: {radius: 2, height: 20}, rotation: [90, 0, 0]}]}\n"
    "    packing: {cubic: {radius: 1, jitter: 0.1, seed: 3, max_elements: 1e6}}\n"
    "    material: again\n"
    "    loose: true\n"
    "  - name: sheet\n"
    "    shape: {extrude: {outline: [[0, 0], [20, 0], [20, 10], [0, 10]], height: 2}}\n"
    "    packing: {layers: {radius: 1, count: 1, orientation: axes, radius_tolerance: 0.2}}\n"
    "    material: wood\n"
    "    bond_reach: 0.2\n"
    "    color: \"#ff0000\"\n"
    "    rotation: [90, 90, 0]\n"
    "    angular_velocity: [0, 0, 60 rpm]\n"
    "obstacles:\n"
    "  - {name: ball, capsule: {radius: 2, length: 4}, position: [0, 0, 30],\n"
    "     free: {density: 7.8 g/cm^3, velocity: [0, 0, -1 m/s]}, restitution: 0.9, visible: no}\n"
    "  - name: punch\n"
    "    torus: {major_radius: 5, minor_radius: 1}\n"
    "    position: [0, 0, 9]\n"
    "    motion: {velocity: [0, 0, -5], angular_velocity: [0, 0, 360],\n"
    "             table: [{time: 0 s}, {time: 1 ms, translation: [1, 0, 0], rotation: [0, 0, "
    "90]}]}\n"
    "  - {name: still, fixed: true, sphere: 3}\n"
    "drivers:\n"
    "  - {name: grip, body: sheet, region: {box: [4, 40, 40], position: [2, 0, 0]}, hold: true,\n"
    "     free: [y, z]}\n"
    "  - {name: pull, body: sheet, force: {total: [0, 0, 2 N], table: [[0 s, 0], [1 ms, 1]]}}\n"
    "probes: [still, {name: tip, region: {sphere: 3, position: [5, 0, -15]}}]\n"
    "solver: {time_step: 0.1 us, contact_skin: 0.5, contacts: off, sleep: off, regions: off}\n";

Test(scene, how_fragments_are_meshed)
{
    const char *const settings[] = {"output.surface={method: fluid, inner_uv_scale: 2 cm, "
                                    "cell_size: 0.8, smoothing: 1.2, "
                                    "roughness: {amplitude: 0.2 mm, seed: 7}}"};
    sherd_scene_options options = {NULL, 1, settings};
    sherd_scene *scene = parse_with(EXAMPLE, &options);
    const sherd_scene_surface *surface = &scene->output.surface;
    cr_assert(surface->enabled);
    cr_assert(epsilon_eq(dbl, surface->inner_uv_scale, 0.02, 1e-17));
    cr_assert_eq(surface->method, SHERD_SURFACE_FLUID);
    cr_assert(eq(dbl, surface->cell_size, 0.8));
    cr_assert(eq(dbl, surface->smoothing, 1.2));
    cr_assert(epsilon_eq(dbl, surface->roughness.amplitude, 2e-4, 1e-19));
    cr_assert(eq(dbl, surface->roughness.size, 0.0));
    cr_assert(eq(u64, surface->roughness.seed, 7));
    sherd_scene_destroy(scene);
}

Test(scene, everything_general)
{
    sherd_scene *scene = parse(EVERYTHING);
    cr_assert(eq(dbl, scene->world.time_step, 0.1 * 1e-6));
    cr_assert(not(scene->world.contacts));
    cr_assert(not(scene->world.sleep));
    cr_assert(not(scene->world.regions));
    const sherd_scene_output *out = &scene->output;
    unsigned ply = 1u << sherd_export_format_find("ply"),
             vtk = 1u << sherd_export_format_find("vtk");
    cr_assert(eq(u32, out->meshes, ply | vtk));
    cr_assert(not(out->surface.enabled));
    cr_assert(eq(dbl, out->probe_rate, 1e4));
    cr_assert(eq(int, (int)out->render.color_by, SHERD_SCENE_COLOR_STRESS));
    cr_assert(out->render.range.fixed);
    cr_assert(eq(dbl, out->render.range.low, -1e3));
    cr_assert(eq(dbl, out->render.range.high, 2e6));
    cr_assert(not(out->render.legend));
    cr_assert(eq(dbl, out->render.background.y, 0x20 / 255.0));
    cr_assert(eq(dbl, out->render.camera.position.z, 3.0 * 1e-3));
    cr_assert(epsilon_eq(dbl, out->render.camera.fov, 40.0 * M_PI / 180.0, 1e-15));
    cr_assert(eq(int, scene->material_count, 3));
    // g/cm^3 is a product of rounded powers of ten.
    cr_assert(epsilon_eq(dbl, scene->materials[1].def.density, 2000.0, 1e-9));
    cr_assert(eq(int, (int)scene->materials[1].def.breakage, SHERD_BREAKAGE_NONE));
    const sherd_material_def *wood = &scene->materials[2].def;
    cr_assert(eq(dbl, wood->tensile_strength, INFINITY));
    cr_assert(eq(dbl, wood->shear_modulus, 0.4e9)); // the default ratio of 0.4
    cr_assert(wood->law == SHERD_BOND_LAW_LU && wood->breakage == SHERD_BREAKAGE_ABSOLUTE);
    cr_assert(eq(dbl, wood->grain_stiffening, 3.0));
    sherd_scene_destroy(scene);
}

static sherd_world_def solver_of(const char *solver)
{
    char setting[256];
    snprintf(setting, sizeof setting, "solver=%s", solver);
    const char *const settings[] = {setting};
    sherd_scene_options options = {NULL, 1, settings};
    sherd_scene *scene = parse_with(EXAMPLE, &options);
    sherd_world_def world = scene->world;
    sherd_scene_destroy(scene);
    return world;
}

Test(scene, implicit_steps)
{
    sherd_world_def world = solver_of("{safety: 0.9}");
    cr_assert(world.method == SHERD_METHOD_AUTO && world.scheme == SHERD_SCHEME_AUTO);
    cr_assert(eq(dbl, world.accuracy, 0.01));
    cr_assert(eq(i64, world.implicit_elements, 2000000));
    cr_assert(not(world.paper_fracture));

    // A length in seconds is one of explicit steps where no method is asked for.
    cr_assert(solver_of("{time_step: 1 us}").method == SHERD_METHOD_EXPLICIT);
    cr_assert(solver_of("{time_step: 50 T}").method == SHERD_METHOD_AUTO);
    cr_assert(solver_of("{time_step: auto}").method == SHERD_METHOD_AUTO);
    world = solver_of("{method: auto, time_step: 1 us, implicit_elements: 0}");
    cr_assert(world.method == SHERD_METHOD_AUTO && world.implicit_elements == 0);

    world = solver_of("{method: auto, time_step: 50 T, accuracy: 2e-3, fracture: auto}");
    cr_assert(world.method == SHERD_METHOD_AUTO && !world.paper_fracture);
    cr_assert(eq(dbl, world.time_step_in_limits, 50.0));
    cr_assert(eq(dbl, world.time_step, 0.0));
    cr_assert(eq(dbl, world.accuracy, 2e-3));

    world = solver_of("{time_step: 0.5T, method: implicit, scheme: left_point, "
                      "fracture: end_of_step}");
    cr_assert(world.method == SHERD_METHOD_IMPLICIT && world.scheme == SHERD_SCHEME_LEFT_POINT);
    cr_assert(eq(dbl, world.time_step_in_limits, 0.5));
    cr_assert(world.paper_fracture);

    world = solver_of("{method: implicit, time_step: 2.5 ms, scheme: bdf2}");
    cr_assert(eq(dbl, world.time_step, 2.5e-3));
    cr_assert(eq(dbl, world.time_step_in_limits, 0.0));
    cr_assert(world.scheme == SHERD_SCHEME_BDF2);
    cr_assert(solver_of("{method: implicit, scheme: euler}").scheme == SHERD_SCHEME_EULER);
    cr_assert(solver_of("{method: implicit, scheme: midpoint}").scheme == SHERD_SCHEME_MIDPOINT);
    world = solver_of("{method: implicit, scheme: linear_euler, time_step: 20 ms}");
    cr_assert(world.scheme == SHERD_SCHEME_LINEAR_EULER);
}

Test(scene, everything_in_space)
{
    sherd_scene *scene = parse(EVERYTHING);
    const sherd_scene_body *grains = &scene->bodies[0], *sheet = &scene->bodies[1];
    cr_assert(grains->loose && grains->packing.kind == SHERD_PACKING_CUBIC);
    cr_assert(eq(i64, grains->packing.max_elements, 1000000));
    cr_assert(eq(dbl, grains->color.z, 1.0)); // the material's
    // The cylinder, turned, is bored along y.
    cr_assert(lt(dbl, 0.0, sherd_shape_distance(grains->shape, vec3(0.0, 4e-3, 0.0))));
    cr_assert(lt(dbl, sherd_shape_distance(grains->shape, vec3(0.0, 0.0, 4e-3)), 0.0));
    cr_assert(lt(dbl, sherd_shape_distance(grains->shape, vec3(8e-3, 0.0, 0.0)), 0.0));
    cr_assert(eq(dbl, sheet->color.x, 1.0));
    cr_assert(eq(int, sheet->packing.layers, 1));
    // x by 90 degrees, then y by 90 degrees, about fixed axes: e_y -> e_z -> e_x.
    sherd_vec3 y = quat_rotate(sheet->pose.rotation, vec3(0.0, 1.0, 0.0));
    cr_assert(lt(dbl, vec3_distance(y, vec3(1.0, 0.0, 0.0)), 1e-15));
    cr_assert(epsilon_eq(dbl, sheet->angular_velocity.z, 2.0 * M_PI, 1e-14));
    const sherd_obstacle_def *ball = &scene->obstacles[0].def, *punch = &scene->obstacles[1].def;
    cr_assert(ball->kind == SHERD_OBSTACLE_FREE && punch->kind == SHERD_OBSTACLE_DRIVEN);
    cr_assert(eq(dbl, ball->velocity.z, -1.0));
    cr_assert(eq(dbl, punch->motion.pivot.z, 9.0 * 1e-3));
    cr_assert(eq(dbl, punch->motion.velocity.z, -5.0 * 1e-3)); // mm and s
    cr_assert(eq(int, punch->motion.key_count, 2));
    cr_assert(epsilon_eq(dbl, punch->motion.keys[1].rotation.z, M_PI / 2.0, 1e-15));
    sherd_scene_destroy(scene);
}

// Without a region a driver turns its body about the body's place.
Test(scene, a_driver_of_a_whole_body_turns_about_it)
{
    sherd_scene *scene =
        parse("sherd: 1\nname: x\nduration: 1 ms\nmaterials:\n  clay: {density: 2000, "
              "youngs_modulus: 1 GPa, "
              "poissons_ratio: 0.25, tensile_strength: 1 MPa, shear_strength: 1 MPa}\nbodies:\n"
              "  - {name: a, shape: {box: [1 cm, 1 cm, 1 cm]}, "
              "material: clay, packing: {hcp: {radius: 1 mm}}, position: [1, 2, 3]}\ndrivers:\n"
              "  - {name: whole, body: a, motion: {angular_velocity: [0, 0, 1 rad/s]}}\n"
              "  - {name: part, body: a, region: {box: [1 m, 1 m, 1 m], position: [4, 5, 6]}, "
              "motion: {angular_velocity: [0, 0, 1 rad/s]}}\n");
    sherd_vec3 whole = scene->drivers[0].def.motion.pivot,
               part = scene->drivers[1].def.motion.pivot;
    cr_assert(eq(dbl, vec3_distance(whole, vec3(1.0, 2.0, 3.0)), 0.0));
    cr_assert(eq(dbl, vec3_distance(part, vec3(4.0, 5.0, 6.0)), 0.0));
    sherd_scene_destroy(scene);
}

Test(scene, everything_driven_and_probed)
{
    sherd_scene *scene = parse(EVERYTHING);
    cr_assert(eq(int, scene->driver_count, 3));
    const sherd_scene_driver *grip = &scene->drivers[0], *pull = &scene->drivers[1];
    cr_assert(grip->body == 1 && grip->def.drive == SHERD_DRIVE_MOTION);
    cr_assert(grip->def.free_axes[1] && grip->def.free_axes[2] && !grip->def.free_axes[0]);
    cr_assert(eq(dbl, grip->def.motion.pivot.x, 2.0 * 1e-3));
    cr_assert(pull->def.drive == SHERD_DRIVE_FORCE && pull->def.force_key_count == 2);
    cr_assert(scene->drivers[2].def.drive == SHERD_DRIVE_NONE && scene->drivers[2].body == -1);
    // Drivers and moving obstacles by themselves, then what is listed.
    static const char *const NAMES[] = {"grip", "pull", "ball", "punch", "still", "tip"};
    cr_assert(eq(int, scene->probe_count, 6));
    for (int k = 0; k < 6; ++k)
        cr_assert(eq(str, (char *)scene->probes[k].name, (char *)NAMES[k]));
    cr_assert(scene->probes[4].on_obstacle && scene->probes[4].index == 2);
    cr_assert(scene->probes[5].index == 2 && !scene->probes[5].on_obstacle);
    sherd_scene_destroy(scene);
}

static sherd_scene *with_weakness(const char *entries)
{
    char text[1024];
    snprintf(text, sizeof text,
             "sherd: 1\nname: block\nduration: 1 ms\nunits: {length: mm}\nmaterials: {glass: "
             "{density: 2500 kg/m^3, youngs_modulus: 1 GPa, unbreakable: true}}\n"
             "bodies:\n  - name: block\n    shape: {box: [10, 10, 10]}\n"
             "    packing: {hcp: {radius: 0.5}}\n    material: glass\n    weakness: [%s]\n",
             entries);
    return parse(text);
}

static sherd_bond_scale scale_at(const sherd_scene *scene, sherd_vec3 i, sherd_vec3 j)
{
    return sherd_weakness_list_scale(&scene->bodies[0].weakness, i, j);
}

// Every pattern, in the file's units.
Test(scene, weakness)
{
    sherd_scene *scene = with_weakness(
        "{strength: 0.5, region: {shape: {sphere: 1, position: [3, 0, 0]}, falloff: 2}},"
        "{stiffness: 3, cut: {disc: {center: [3, 0, 0], normal: [1, 0, 0], radius: 1}}},"
        "{strength: 0, cut: {polygon: [[0, 0, 0], [0, 1, 0], [0, 0, 1]]}},"
        "{strength: 0.25, curve: {points: [[0, 0, 4], [0, 4, 4]], radius: 0.1, along: [1, 0, 0]}}");
    cr_assert(eq(int, scene->bodies[0].weakness.count, 4));
    sherd_bond_scale s = scale_at(scene, vec3(2.9e-3, 0, 0), vec3(3.1e-3, 0, 0));
    cr_assert(s.strength == 0.5 && s.stiffness == 3.0);
    s = scale_at(scene, vec3(-1e-3, 0.3e-3, 0.3e-3), vec3(1e-3, 0.3e-3, 0.3e-3));
    cr_assert(s.strength == 0.0 && s.stiffness == 1.0);
    s = scale_at(scene, vec3(-5e-3, 2e-3, 4e-3), vec3(-4e-3, 2e-3, 4e-3));
    cr_assert(s.strength == 0.25 && s.stiffness == 1.0);
    sherd_scene_destroy(scene);
}

// A cube of 2 mm about the origin, red where x > 0.
static void write_painted_cube(const char *path, const char *color)
{
    static const int FACES[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5},
                                    {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL);
    for (int k = 0; k < 8; ++k)
        fprintf(file, "v %d %d %d%s\n", k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1,
                k & 1              ? color
                : color[0] != '\0' ? " 0 0 0"
                                   : "");
    for (int f = 0; f < 6; ++f)
        fprintf(file, "f %d %d %d %d\n", FACES[f][0], FACES[f][1], FACES[f][2], FACES[f][3]);
    fclose(file);
}

static sherd_scene *with_painted_cube(const char *color, const char *paint,
                                      sherd_diagnostics *diagnostics)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/tmp/sherd-paint-%ld.obj", (long)getpid());
    write_painted_cube(path, color);
    snprintf(text, sizeof text,
             "sherd: 1\nname: cube\nduration: 1 ms\nmaterials: {glass: {density: 2500, "
             "youngs_modulus: 1 GPa, unbreakable: true}}\nbodies:\n"
             "  - name: cube\n    shape: {mesh: {file: %s, scale: 1 mm}, position: [5 mm, 0, 0]}\n"
             "    packing: {hcp: {radius: 0.2 mm}}\n    material: glass\n"
             "    weakness: [{strength: 0.5, paint: %s}]\n",
             path, paint);
    sherd_scene *scene = sherd_scene_parse(text, strlen(text), "test.yaml", NULL, diagnostics);
    unlink(path);
    return scene;
}

// The body's own mesh file, where the body's shape is.
Test(scene, weakness_painted_on_the_body)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = with_painted_cube(" 1 0 0", "{depth: 1 mm}", &diagnostics);
    cr_assert(scene != NULL, "%s", diagnostics.count > 0 ? diagnostics.errors[0].what : "");
    const double x[] = {4.1e-3, 5e-3, 5.9e-3}, expected[] = {0.975, 0.75, 0.525};
    for (int k = 0; k < 3; ++k) {
        sherd_vec3 p = vec3(x[k], 0.3e-3, 0.95e-3);
        cr_assert(epsilon_eq(dbl, scale_at(scene, p, p).strength, expected[k], 1e-7)); // floats
    }
    uint64_t digest = scene->digest;
    sherd_scene_destroy(scene);
    scene = with_painted_cube(" 0.9 0 0", "{depth: 1 mm}", &diagnostics);
    cr_assert(ne(u64, scene->digest, digest));
    sherd_scene_destroy(scene);
    cr_assert(with_painted_cube("", "{depth: 1 mm}", &diagnostics) == NULL);
    cr_assert(eq(int, diagnostics.count, 1));
    cr_assert(eq(str, diagnostics.errors[0].what, (char *)"has no vertex colours"));
    sherd_diagnostics_free(&diagnostics);
    cr_assert(with_painted_cube(" 1 0 0", "{position: [0, 0, 0]}", &diagnostics) == NULL);
    cr_assert(eq(str, diagnostics.errors[0].what, (char *)"only goes with file"));
    sherd_diagnostics_free(&diagnostics);
}

// A scene of a cube's twelve triangles as an obj, without the first few or with the last few twice.
static sherd_scene *with_mended_cube(int dropped, int doubled)
{
    static const int FACES[12][3] = {{1, 3, 4}, {1, 4, 2}, {5, 6, 8}, {5, 8, 7},
                                     {1, 2, 6}, {1, 6, 5}, {3, 7, 8}, {3, 8, 4},
                                     {1, 5, 7}, {1, 7, 3}, {2, 4, 8}, {2, 8, 6}};
    char path[64], text[1024];
    snprintf(path, sizeof path, "/tmp/sherd-mended-%ld.obj", (long)getpid());
    FILE *file = fopen(path, "w");
    for (int k = 0; k < 8; ++k)
        fprintf(file, "v %d %d %d\n", k & 1, k >> 1 & 1, k >> 2);
    for (int k = dropped; k < 12 + doubled; ++k) {
        const int *corners = FACES[k < 12 ? k : 23 - k];
        fprintf(file, "f %d %d %d\n", corners[0], corners[1], corners[2]);
    }
    fclose(file);
    snprintf(text, sizeof text,
             "sherd: 1\nname: m\nduration: 1 ms\n"
             "materials: {c: {density: 2000, youngs_modulus: 1 MPa, tensile_strength: 1 MPa,\n"
             "  shear_strength: 1 MPa}}\n"
             "bodies:\n  - {name: cube, shape: {mesh: {file: %s, scale: 2 mm}}, material: c,\n"
             "     packing: {hcp: {radius: 0.2 mm}}}\n",
             path);
    sherd_scene *scene = parse(text);
    unlink(path);
    return scene;
}

Test(scene, mended_meshes_are_noted)
{
    sherd_scene *scene = with_mended_cube(0, 0);
    cr_assert(eq(int, scene->note_count, 0));
    sherd_scene_destroy(scene);
    scene = with_mended_cube(1, 1);
    cr_assert(eq(int, scene->note_count, 1));
    const char *note = scene->notes[0], *words = ".obj was mended: 1 hole of 2.83 mm closed, "
                                                 "1 doubled triangle left out";
    cr_assert(strstr(note, "bodies.cube.shape.mesh.file: /tmp/sherd-mended-") == note, "%s", note);
    cr_assert(strstr(note, words) != NULL, "%s", note);
    sherd_scene_destroy(scene);
}

// A body of the tetrahedra given, as element lines of a .msh, among corners of two cubes.
static sherd_scene *with_tetrahedra(int count, const char *elements, sherd_diagnostics *diagnostics)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/tmp/sherd-touching-%ld.msh", (long)getpid());
    FILE *file = fopen(path, "w");
    fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n7\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
                  "4 0 0 1\n5 0 -1 0\n6 1 -1 1\n7 1 1 0\n$EndNodes\n");
    fprintf(file, "$Elements\n%d\n%s$EndElements\n", count, elements);
    fclose(file);
    snprintf(text, sizeof text,
             "sherd: 1\nname: t\nduration: 1 ms\n"
             "materials: {c: {density: 2000, youngs_modulus: 1 MPa, tensile_strength: 1 MPa,\n"
             "  shear_strength: 1 MPa}}\n"
             "bodies:\n  - {name: two, material: c, packing: {tetra: {mesh_file: %s}}}\n",
             path);
    sherd_scene *scene = sherd_scene_parse(text, strlen(text), "test.yaml", NULL, diagnostics);
    unlink(path);
    return scene;
}

// Two tetrahedra on either side of the edge from 1 to 2.
Test(scene, tetrahedra_that_touch_in_an_edge_are_told_of)
{
    sherd_diagnostics diagnostics = {0};
    cr_assert(with_tetrahedra(2, "1 4 0 1 2 3 4\n2 4 0 1 2 5 6\n", &diagnostics) == NULL);
    cr_assert(eq(int, diagnostics.count, 1));
    const sherd_error *error = &diagnostics.errors[0];
    cr_assert(strstr(error->where, "bodies.two.packing.tetra.mesh_file") != NULL);
    cr_assert(strstr(error->what, ".msh: the tetrahedra's surface is no solid's: 1 edges belong to "
                                  "three or more triangles, one at (") != NULL,
              "%s", error->what);
    cr_assert(strstr(error->hint, "in the mesher") != NULL, "%s", error->hint);
    sherd_diagnostics_free(&diagnostics);
    // One in the other's way: the file is named, too.
    cr_assert(with_tetrahedra(2, "1 4 0 1 2 3 4\n2 4 0 1 2 3 6\n", &diagnostics) == NULL);
    cr_assert(strstr(diagnostics.errors[0].what, ".msh: tetrahedron ") != NULL, "%s",
              diagnostics.errors[0].what);
    sherd_diagnostics_free(&diagnostics);
}

Test(scene, tetrahedra_without_volume_are_noted)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = with_tetrahedra(2, "1 4 0 1 2 3 4\n2 4 0 1 2 3 7\n", &diagnostics);
    cr_assert(scene != NULL && scene->note_count == 1);
    cr_assert(strstr(scene->notes[0], "bodies.two.packing.tetra.mesh_file: ") != NULL);
    cr_assert(strstr(scene->notes[0], ".msh: 1 tetrahedron without volume left out") != NULL, "%s",
              scene->notes[0]);
    sherd_scene_destroy(scene);
    scene = with_tetrahedra(1, "1 4 0 1 2 3 4\n", &diagnostics);
    cr_assert(scene != NULL && scene->note_count == 0);
    sherd_scene_destroy(scene);
}

static uint64_t weakness_digest(const char *entry)
{
    sherd_scene *scene = with_weakness(entry);
    uint64_t digest = scene->digest;
    sherd_scene_destroy(scene);
    return digest;
}

// Whatever changes what breaks is another scene.
Test(scene, digest_sees_weakness)
{
    static const char *const DIFFERENT[] = {
        "",
        "{strength: 0.5, noise: {size: 1}}",
        "{stiffness: 0.5, noise: {size: 1}}",
        "{strength: 0.5, noise: {size: 2}}",
        "{strength: 0.5, noise: {size: 1, seed: 1}}",
        "{strength: 0.5, noise: {size: 1, share: 0.1}}",
        "{strength: 0.5, noise: {size: 1, contrast: 0.1}}",
        "{strength: 0.5, voronoi: {size: 1}}",
        "{strength: 0.5, voronoi: {size: 1, warp: 0.1}}",
        "{strength: 0.5, voronoi: {size: 1, wall: 0.1}}",
        "{strength: 0.5, region: {shape: {sphere: 1}}}",
        "{strength: 0.5, region: {shape: {sphere: 2}}}",
        "{strength: 0.5, region: {shape: {sphere: 2}, falloff: 1}}",
        "{strength: 0.5, cut: {sphere: 2}}",
        "{strength: 0.5, cut: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}",
        "{strength: 0.5, cut: {plane: {point: [0, 0, 1], normal: [0, 0, 1]}}}",
        "{strength: 0.5, cut: {disc: {center: [0, 0, 0], normal: [0, 0, 1], radius: 1}}}",
        "{strength: 0.5, curve: {points: [[0, 0, 0], [0, 0, 1]], radius: 1}}",
        "{strength: 0.5, curve: {points: [[0, 0, 0], [0, 0, 2]], radius: 1}}",
        "{strength: 0.5, noise: {size: 1}}, {strength: 0.5, noise: {size: 1}}",
    };
    enum { COUNT = sizeof DIFFERENT / sizeof DIFFERENT[0] };
    uint64_t digest[COUNT];
    for (int k = 0; k < COUNT; ++k) {
        digest[k] = weakness_digest(DIFFERENT[k]);
        cr_assert(eq(u64, weakness_digest(DIFFERENT[k]), digest[k]));
        for (int m = 0; m < k; ++m)
            cr_assert(ne(u64, digest[m], digest[k]), "%s and %s", DIFFERENT[m], DIFFERENT[k]);
    }
}

static uint64_t digest_with(const char *setting)
{
    sherd_scene_options options = {.override_count = 1, .overrides = &setting};
    sherd_scene *scene = parse_with(EVERYTHING, &options);
    uint64_t digest = scene->digest;
    sherd_scene_destroy(scene);
    return digest;
}

Test(scene, digest_sees_physics_and_nothing_else)
{
    uint64_t digest = digest_with("duration=1 ms");
    static const char *const IDLE[] = {
        "duration=2 ms",
        "name=other",
        "materials.base.color=[0, 0, 0]",
        "gravity=[0, 0, 0 m/s^2]",
        "output.render=off",
        "bodies.sheet.bond_reach=2e-1",
        "output.meshes=[glb]",
        "obstacles.ball.visible=yes",
    };
    for (size_t k = 0; k < sizeof IDLE / sizeof IDLE[0]; ++k)
        cr_assert(eq(u64, digest_with(IDLE[k]), digest), "%s", IDLE[k]);
    static const char *const TELLING[] = {
        "gravity=[0, 0, 1]",
        "materials.wood.density=601 kg/m^3",
        "materials.wood.seed=2",
        "solver.contacts=on",
        "bodies.sheet.position=[1, 0, 0]",
        "bodies.sheet.loose=true",
        "bodies.sheet.weakness=[{strength: 0.5, noise: {size: 1}}]",
        "bodies.grains.shape.difference.1.cylinder.radius=2.5",
        "bodies.grains.shape={box: [10, 10, 10]}",
        "bodies.grains.packing.cubic.seed=4",
        "obstacles.ball.free.density=7.9 g/cm^3",
        "obstacles.punch.motion.table.1.time=2 ms",
        "obstacles.still.sphere=4",
        "drivers.grip.free=[y]",
        "drivers.pull.force.table.1.1=2",
        "drivers.grip.region.box.0=5",
        "solver.method=implicit",
        "solver.implicit_elements=1000",
        "solver.accuracy=0.02",
        "solver.scheme=bdf2",
        "solver.fracture=end_of_step",
        "output.probe_rate=1234", // steps end where probes are read
        "probes=[]",              // probes keep elements awake
    };
    for (size_t k = 0; k < sizeof TELLING / sizeof TELLING[0]; ++k)
        cr_assert(ne(u64, digest_with(TELLING[k]), digest), "%s", TELLING[k]);
}

// Shapes whose numbers are the same, in the same order.
Test(scene, digest_tells_keys_and_lists_of_shapes)
{
    static const char *const SHAPES[] = {
        "bodies.grains.shape={union: [{sphere: 9, position: [1, 0, 0]}, {sphere: 9}]}",
        "bodies.grains.shape={union: [{sphere: 9, rotation: [1, 0, 0]}, {sphere: 9}]}",
        "bodies.grains.shape={union: [{difference: [{sphere: 9}, {sphere: 1}]}, {sphere: 2}, "
        "{sphere: 3}]}",
        "bodies.grains.shape={union: [{difference: [{sphere: 9}, {sphere: 1}, {sphere: 2}]}, "
        "{sphere: 3}]}",
        "bodies.grains.shape={cylinder: {radius: 9, height: 10}}",
        "bodies.grains.shape={capsule: {radius: 9, length: 10}}",
    };
    enum { COUNT = sizeof SHAPES / sizeof SHAPES[0] };
    uint64_t digest[COUNT];
    for (int k = 0; k < COUNT; ++k) {
        digest[k] = digest_with(SHAPES[k]);
        for (int m = 0; m < k; ++m)
            cr_assert(ne(u64, digest[m], digest[k]), "%s and %s", SHAPES[m], SHAPES[k]);
    }
    // The order in which keys are written is none of the scene's.
    cr_assert(
        eq(u64, digest_with("bodies.grains.shape={cylinder: {height: 10, radius: 9}}"), digest[4]));
}

Test(scene, yarns_are_read_and_count_in_the_digest)
{
    static const char *const CLOTH =
        "sherd: 1\nname: cloth\nduration: 1 ms\nmaterials:\n"
        "  wool: {density: 600, youngs_modulus: 1 MPa, unbreakable: true}\nbodies:\n"
        "  - {name: a, material: wool, yarn: {rope: {radius: 1 mm, path: [[0, 0, 0], [0, 0, 1 "
        "cm]]}}}\n"
        "  - {name: b, material: wool, yarn: {woven: {radius: 1 mm, warp: 2, weft: 3, weave: "
        "twill,\n"
        "     fiber_share: 0.5}}}\n"
        "  - {name: c, material: wool, yarn: {knitted: {radius: 1 mm, rows: 2, columns: 3}}}\n";
    sherd_scene *scene = parse(CLOTH);
    cr_assert(scene->bodies[0].is_yarn && scene->bodies[0].shape == NULL);
    cr_assert_eq(scene->bodies[0].yarn.rope.path_count, 2);
    cr_assert(eq(dbl, scene->bodies[0].yarn.rope.path[1].z, 0.01));
    cr_assert_eq(scene->bodies[1].yarn.kind, SHERD_YARN_WOVEN);
    cr_assert_eq(scene->bodies[1].yarn.woven.weave, SHERD_WEAVE_TWILL);
    cr_assert(eq(dbl, scene->bodies[1].yarn.fiber_share, 0.5));
    cr_assert_eq(scene->bodies[2].yarn.knitted.columns, 3);
    uint64_t digest = scene->digest;
    sherd_scene_build build;
    sherd_world *world = sherd_scene_create_world(scene, 1, &build, NULL);
    cr_assert(world != NULL);
    cr_assert_eq(sherd_world_bonds(world).count, build.packings[0]->bond_count +
                                                     build.packings[1]->bond_count +
                                                     build.packings[2]->bond_count);
    sherd_scene_build_free(&build);
    sherd_world_destroy(world);
    sherd_scene_destroy(scene);
    static const char *const TELLING[] = {
        "bodies.a.yarn.rope.radius=1.1 mm",        "bodies.a.yarn.rope.strands=4",
        "bodies.a.yarn.rope.path.1.2=2 cm",        "bodies.b.yarn.woven.crimp=0.4",
        "bodies.b.yarn.woven.weave=plain",         "bodies.b.yarn.woven.glue=all",
        "bodies.b.yarn.woven.spacing=0.9",         "bodies.b.yarn.woven.fiber_share=0.4",
        "bodies.c.yarn.knitted.row_distance=8 mm",
    };
    for (size_t k = 0; k < sizeof TELLING / sizeof TELLING[0]; ++k) {
        sherd_scene_options options = {.override_count = 1, .overrides = &TELLING[k]};
        scene = parse_with(CLOTH, &options);
        cr_assert(ne(u64, scene->digest, digest), "%s", TELLING[k]);
        sherd_scene_destroy(scene);
    }
}

// ---------------------------------------------------------------- what is wrong with settings

typedef struct setting_case {
    const char *variant, *setting;
    const char *where, *what, *hint;
} setting_case;

static const setting_case BAD_SETTINGS[] = {
    {"papr", NULL, "test.yaml", "there is no variant 'papr'", "did you mean 'paper'?"},
    {"huge", NULL, "test.yaml", "there is no variant 'huge'", "known here: paper, slow"},
    {NULL, "duration", "--set duration", "must be path=value", "as in --set duration=0.1s"},
    {NULL, "=3", "--set =3", "must be path=value", "as in --set duration=0.1s"},
    {NULL, "duration=", "--set duration=", "must be path=value", "as in --set duration=0.1s"},
    {NULL, "a..b=3", "--set a..b=3", "is no valid path",
     "write keys joined by dots, as in bodies.plate.velocity"},
    {NULL, "duration=3 mm", "--set duration=3 mm  duration", "must be a time (s), got 3 mm",
     "e.g. 5 ms"},
    {NULL, "bodies.plat.position=[0, 0, 0]", "--set bodies.plat.position=[0, 0, 0]",
     "'bodies' has no item 'plat' (1 in all)", "did you mean 'plate'?"},
    {NULL, "bodies.1.position=[0, 0, 0]", "--set bodies.1.position=[0, 0, 0]",
     "'bodies' has no item '1' (1 in all)", "known here: plate"},
    {NULL, "materials.ceramik.density=3", "--set materials.ceramik.density=3",
     "there is no material 'ceramik'", "did you mean 'ceramic'?"},
    {NULL, "bodies.plate.angular_velocity.2=3", "--set bodies.plate.angular_velocity.2=3",
     "there is no 'angular_velocity' yet to change an item of",
     "set all of it, as in bodies.plate.position=[0, 0, 1 cm]"},
    {NULL, "name.first=3", "--set name.first=3", "'name' is a single value and has no 'first'", ""},
    {NULL, "variants.paper=3", "--set variants.paper=3", "variants can't be overridden", ""},
    {NULL, "output.render.widht=3", "--set output.render.widht=3  output.render.widht",
     "unknown key 'widht'", "did you mean 'width'?"},
    {NULL, "gravity=[0, 0", "--set gravity=[0, 0",
     "not valid YAML: did not find expected ',' or ']'", "while parsing a flow sequence"},
};

// Boxes of 8 elements' width: side by side, pressed into each other, and in things that are not
// packed.
static const char *const OVERLAPPING =
    "sherd: 1\nname: o\nduration: 1 ms\nmaterials: {stone: {density: 2 g/cm^3, youngs_modulus: 1 "
    "MPa, "
    "unbreakable: true}}\n"
    "bodies:\n"
    "  - {name: a, material: stone, shape: {box: [16, 16, 16]}, packing: {hcp: {radius: 1}}}\n"
    "  - {name: b, material: stone, shape: {box: [16, 16, 16]}, packing: {hcp: {radius: 1}},\n"
    "     position: [16.01, 0, 0], rotation: [0, 0, 90 deg]}\n"
    "  - {name: c, material: stone, shape: {sphere: 4}, packing: {hcp: {radius: 1}},\n"
    "     position: [0, 30, 0]}\n"
    "obstacles:\n"
    "  - {name: floor, plane: {point: [0, 0, -8], normal: [0, 0, 1]}}\n"
    "  - {name: pin, cylinder: {radius: 1, height: 4}, position: [0, 0, 40]}\n"
    "units: {length: mm}\n";

static int overlaps_of(const char *text, sherd_scene_overlap *list, int max_count)
{
    sherd_scene *scene = parse(text);
    sherd_scene_build build;
    sherd_world *world = sherd_scene_create_world(scene, 1, &build, NULL);
    cr_assert(world != NULL);
    int count = sherd_scene_overlaps(scene, &build, list, max_count);
    sherd_scene_build_free(&build);
    sherd_world_destroy(world);
    sherd_scene_destroy(scene);
    return count;
}

static int overlaps_after(const char *setting, sherd_scene_overlap list[2])
{
    sherd_scene_options options = {.override_count = 1, .overrides = &setting};
    sherd_scene *scene = parse_with(OVERLAPPING, &options);
    sherd_scene_build build;
    sherd_world *world = sherd_scene_create_world(scene, 1, &build, NULL);
    cr_assert(world != NULL);
    int count = sherd_scene_overlaps(scene, &build, list, 2);
    sherd_scene_build_free(&build);
    sherd_world_destroy(world);
    sherd_scene_destroy(scene);
    return count;
}

Test(scene, bodies_that_begin_in_others_are_found)
{
    sherd_scene_overlap found[2];
    // What only touches does not overlap.
    cr_assert(eq(int, overlaps_after("name=o", found), 0));

    cr_assert(eq(int, overlaps_after("bodies.b.position.0=13 mm", found), 1));
    cr_assert(found[0].body == 0 && found[0].other == 1 && !found[0].other_is_obstacle);
    // 3 mm less what packings keep from the faces: less than a radius.
    cr_assert(found[0].depth > 2e-3 && found[0].depth < 3.2e-3, "%g", found[0].depth);

    // All of it below the floor, the deepest at its bottom.
    cr_assert(eq(int, overlaps_after("bodies.c.position.2=-15 mm", found), 1));
    cr_assert(found[0].body == 2 && found[0].other == 0 && found[0].other_is_obstacle);
    cr_assert(found[0].depth > 10e-3 && found[0].depth < 11e-3, "%g", found[0].depth);

    // Small ones in large ones, whichever is packed; more than there is room to tell.
    cr_assert(eq(int, overlaps_after("bodies.c.position.1=0", found), 1));
    cr_assert(found[0].body == 0 && found[0].other == 2 && found[0].elements > 10);
    cr_assert(eq(int, overlaps_after("obstacles.pin.position.2=0", found), 1));
    cr_assert(found[0].body == 0 && found[0].other == 1 && found[0].other_is_obstacle);
    cr_assert(eq(int, overlaps_after("obstacles.floor.plane.point.2=20 mm", found), 3));
}

// Of boxes at random places, turned, those that overlap are told in their order: as many as pairs of scenes of two say.
Test(scene, overlaps_of_many_bodies_are_those_of_their_pairs)
{
    enum { BODIES = 24, ROOM = 120 };
    char lines[BODIES][ROOM + 200], text[BODIES * (ROOM + 200) + 400];
    uint64_t state = 7;
    for (int k = 0; k < BODIES; ++k) {
        double x[5];
        for (int n = 0; n < 5; ++n) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
            x[n] = (double)(state >> 40) / (double)(1 << 24);
        }
        snprintf(lines[k], sizeof lines[k],
                 "  - {name: b%d, shape: {box: [%.3f mm, 4 mm, 4 mm]}, material: m, "
                 "packing: {cubic: {radius: 1 mm}}, position: [%.3f mm, %.3f mm, %.3f mm], "
                 "rotation: [0, 0, %.1f]}\n",
                 k, 4.0 + 4.0 * x[3], 16.0 * x[0], 16.0 * x[1], 60.0 * x[2], 90.0 * x[4]);
    }
    static const char HEAD[] = "sherd: 1\nname: x\nduration: 1 s\nmaterials:\n"
                               "  m: {density: 2000, youngs_modulus: 1 MPa, poissons_ratio: 0.25, "
                               "unbreakable: true}\nbodies:\n";
    sherd_scene_overlap all[BODIES * BODIES], one[1];
    size_t length = strlen(strcpy(text, HEAD));
    for (int k = 0; k < BODIES; ++k)
        length += strlen(strcpy(text + length, lines[k]));
    int count = overlaps_of(text, all, BODIES * BODIES), told = 0;
    for (int a = 0; a < BODIES; ++a)
        for (int b = a + 1; b < BODIES; ++b) {
            snprintf(text, sizeof text, "%s%s%s", HEAD, lines[a], lines[b]);
            if (overlaps_of(text, one, 1) == 0) continue;
            cr_assert(told < count && all[told].body == a && all[told].other == b, "%d and %d", a,
                      b);
            cr_assert(eq(int, all[told].elements, one[0].elements));
            cr_assert(eq(dbl, all[told++].depth, one[0].depth));
        }
    cr_assert(eq(int, told, count));
    cr_assert(count > 5 && count < 200, "%d overlaps say little", count);
}

// Dropped from 1 m: after sqrt(2 h / g), by sqrt(2 g h).
Test(scene, what_falls_is_forecast_to_hit_when_it_does)
{
    sherd_scene *scene =
        parse("sherd: 1\nname: x\nduration: 1 s\ngravity: [0, 0, -10]\nmaterials:\n"
              "  clay: {density: 2000, youngs_modulus: 100 MPa, poissons_ratio: 0.25, "
              "tensile_strength: 1 kPa, shear_strength: 1 kPa}\nbodies:\n"
              "  - {name: a, shape: {box: [2 cm, 2 cm, 2 cm]}, material: clay, "
              "packing: {cubic: {radius: 1 mm}}, position: [0, 0, 1.01]}\n"
              "obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n");
    sherd_scene_build build;
    sherd_world *world = sherd_scene_create_world(scene, 1, &build, NULL);
    cr_assert(world != NULL);
    sherd_scene_impact impact;
    cr_assert(eq(int, sherd_scene_impacts(scene, &build, &impact, 1), 1));
    // The touch is found to a fraction of a radius of 1 mm.
    cr_assert(epsilon_eq(dbl, impact.time, sqrt(0.2), 1e-3));
    cr_assert(epsilon_eq(dbl, impact.speed, sqrt(20.0), 0.01));
    sherd_scene_build_free(&build);
    sherd_world_destroy(world);
    sherd_scene_destroy(scene);
}

Test(scene, wrong_settings)
{
    for (size_t k = 0; k < sizeof BAD_SETTINGS / sizeof BAD_SETTINGS[0]; ++k) {
        const setting_case *c = &BAD_SETTINGS[k];
        sherd_scene_options options = {c->variant, c->setting != NULL, &c->setting};
        sherd_diagnostics diagnostics = {0};
        sherd_scene *scene =
            sherd_scene_parse(EXAMPLE, strlen(EXAMPLE), "test.yaml", &options, &diagnostics);
        cr_assert(scene == NULL && diagnostics.count == 1, "case %zu: %d errors", k,
                  diagnostics.count);
        cr_assert(eq(str, diagnostics.errors[0].where, (char *)c->where));
        cr_assert(eq(str, diagnostics.errors[0].what, (char *)c->what));
        cr_assert(eq(str, diagnostics.errors[0].hint, (char *)c->hint));
        sherd_diagnostics_free(&diagnostics);
    }
}

// An error in a variant's value points at the variant's line.
Test(scene, variant_errors_point_at_the_variant)
{
    char text[4096];
    snprintf(text, sizeof text, "%s  bad: {duration: 3 mm}\n", EXAMPLE);
    sherd_scene_options options = {.variant = "bad"};
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = sherd_scene_parse(text, strlen(text), "test.yaml", &options, &diagnostics);
    cr_assert(scene == NULL && diagnostics.count == 1);
    cr_assert(eq(str, diagnostics.errors[0].where, (char *)"test.yaml:22:19  duration"));
    sherd_diagnostics_free(&diagnostics);
}

// ---------------------------------------------------------------- bad files

// Cuts a line at tabs into at most four fields, in place.
static int split(char *line, char *fields[4])
{
    int count = 0;
    line[strcspn(line, "\n")] = '\0';
    while (line != NULL && count < 4) {
        fields[count++] = line;
        line = strchr(line, '\t');
        if (line != NULL) *line++ = '\0';
    }
    return count;
}

static void check_line(const char *file, const sherd_error *error, char *fields[4])
{
    char where[SHERD_ERROR_TEXT_SIZE + 4096];
    snprintf(where, sizeof where, "%s%s%s", file, fields[1][0] != '\0' ? ":" : "", fields[1]);
    cr_assert(eq(str, (char *)error->where, where));
    if (strcmp(fields[2], "*") != 0) cr_assert(eq(str, (char *)error->what, fields[2]));
    if (strcmp(fields[3], "*") != 0) cr_assert(eq(str, (char *)error->hint, fields[3]));
}

Test(scene, bad_files_say_what_is_expected)
{
    FILE *expected = fopen(SHERD_TEST_SOURCE_DIR "/bad/scenes/expected.tsv", "r");
    cr_assert(expected != NULL);
    char line[2048], path[1024], last[256] = "";
    sherd_diagnostics diagnostics = {0};
    int seen = 0, files = 0;
    while (fgets(line, sizeof line, expected) != NULL) {
        char *fields[4];
        if (line[0] == '#') continue;
        cr_assert(eq(int, split(line, fields), 4));
        if (strcmp(fields[0], last) != 0) {
            cr_assert(eq(int, seen, diagnostics.count), "%s has more errors than expected", last);
            sherd_diagnostics_free(&diagnostics);
            snprintf(last, sizeof last, "%.255s", fields[0]);
            snprintf(path, sizeof path, SHERD_TEST_SOURCE_DIR "/bad/scenes/%.255s", fields[0]);
            cr_assert(sherd_scene_load(path, NULL, &diagnostics) == NULL, "%s loads", last);
            seen = 0;
            ++files;
        }
        cr_assert(lt(int, seen, diagnostics.count), "%s has fewer errors than expected", last);
        check_line(path, &diagnostics.errors[seen++], fields);
    }
    cr_assert(eq(int, seen, diagnostics.count));
    sherd_diagnostics_free(&diagnostics);
    fclose(expected);
    cr_assert(ge(int, files, 90));
}

Test(scene, missing_file)
{
    sherd_diagnostics diagnostics = {0};
    cr_assert(sherd_scene_load("no/such/file.yaml", NULL, &diagnostics) == NULL);
    cr_assert(eq(int, diagnostics.count, 1));
    cr_assert(eq(int, (int)diagnostics.errors[0].status, SHERD_ERROR_IO));
    cr_assert(
        eq(str, diagnostics.errors[0].what, (char *)"can't be read: No such file or directory"));
    sherd_diagnostics_free(&diagnostics);
    cr_assert(sherd_scene_load("/", NULL, &diagnostics) == NULL);
    sherd_diagnostics_free(&diagnostics);
}

Test(scene, too_large_a_file)
{
    size_t size = ((size_t)16 << 20) + 1;
    char *text = malloc(size);
    memset(text, ' ', size);
    sherd_diagnostics diagnostics = {0};
    cr_assert(sherd_scene_parse(text, size, "big.yaml", NULL, &diagnostics) == NULL);
    cr_assert(eq(str, diagnostics.errors[0].what,
                 (char *)"is larger than 16 MB, no scene file is that large"));
    sherd_diagnostics_free(&diagnostics);
    // 16 MB of opening brackets: refused by depth, long before memory is short.
    memset(text, '[', size);
    cr_assert(sherd_scene_parse(text, size - 1, "deep.yaml", NULL, &diagnostics) == NULL);
    cr_assert(eq(str, diagnostics.errors[0].what, (char *)"is nested more than 64 levels deep"));
    sherd_diagnostics_free(&diagnostics);
    free(text);
}

Test(scene, many_errors_are_counted)
{
    char text[16384] = "sherd: 1\n";
    size_t used = strlen(text);
    for (int k = 0; k < 300; ++k)
        used += (size_t)snprintf(text + used, sizeof text - used, "key%d: 1\n", k);
    sherd_diagnostics diagnostics = {0};
    cr_assert(sherd_scene_parse(text, used, "many.yaml", NULL, &diagnostics) == NULL);
    cr_assert(eq(int, diagnostics.count, SHERD_DIAGNOSTICS_MAX));
    // 300 unknown keys and 4 missing ones.
    cr_assert(eq(int, diagnostics.dropped, 304 - SHERD_DIAGNOSTICS_MAX));
    sherd_diagnostics_free(&diagnostics);
}

// ---------------------------------------------------------------- hostile files

static void try_text(const char *text, size_t size)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = sherd_scene_parse(text, size, "mutant.yaml", NULL, &diagnostics);
    cr_assert(scene != NULL || diagnostics.count > 0, "refused without a word");
    cr_assert(scene == NULL || diagnostics.count == 0, "loaded with errors");
    sherd_scene_destroy(scene);
    sherd_diagnostics_free(&diagnostics);
}

Test(scene, truncated_files)
{
    size_t size = strlen(EVERYTHING);
    for (size_t n = 0; n <= size; n += 3) {
        char *text = malloc(n + 1); // exact size, so that overruns show under the sanitizer
        memcpy(text, EVERYTHING, n);
        try_text(text, n);
        free(text);
    }
}

// A small generator of its own: the test must not depend on the library's.
static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

Test(scene, mutated_files)
{
    static const char PIECES[] = "[]{}:,-&*!|>'\"%@`#?~ \n\t0123456789.einfaxm/^";
    size_t size = strlen(EVERYTHING);
    uint32_t state = 1;
    for (int round = 0; round < 3000; ++round) {
        char *text = malloc(size);
        memcpy(text, EVERYTHING, size);
        int changes = 1 + (int)(next_random(&state) % 6);
        for (int k = 0; k < changes; ++k) {
            char piece = round % 10 == 0 ? (char)next_random(&state)
                                         : PIECES[next_random(&state) % (sizeof PIECES - 1)];
            text[next_random(&state) % size] = piece;
        }
        try_text(text, size);
        free(text);
    }
}

// ---------------------------------------------------------------- worlds

Test(scene, world_of_a_scene)
{
    sherd_scene *scene = parse(EVERYTHING);
    sherd_scene_build build;
    sherd_error error = {0};
    sherd_world *world = sherd_scene_create_world(scene, 2, &build, &error);
    cr_assert(world != NULL, "%s: %s", error.where, error.what);
    cr_assert(eq(int, sherd_world_body_count(world), 2));
    cr_assert(eq(int, sherd_world_obstacle_count(world), 3));
    sherd_body_info sheet = sherd_world_body(world, 1);
    cr_assert(eq(str, (char *)sheet.name, (char *)"sheet"));
    cr_assert(eq(int, sheet.count, build.packings[1]->count));
    cr_assert(lt(i64, 0, sherd_world_bonds(world).count));
    // The grains are loose: every bond belongs to the sheet.
    cr_assert(ge(int, sherd_world_bonds(world).i[0], sheet.first));
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
    sherd_scene_destroy(scene);
}

static const char *const CALIBRATED =
    "sherd: 1\n"
    "name: calibrated\n"
    "duration: 1 ms\n"
    "materials:\n"
    "  tile: {density: 2000, youngs_modulus: 5 GPa, poissons_ratio: 0.2, unbreakable: true,\n"
    "         calibrate: true}\n"
    "bodies:\n"
    "  - {name: one, shape: {box: [20 mm, 12 mm, 2 mm]}, packing: {layers: {radius: 1 mm}},\n"
    "     material: tile}\n"
    "  - {name: two, shape: {box: [20 mm, 12 mm, 2.3 mm]},\n"
    "     packing: {layers: {radius: 1 mm, radius_tolerance: 0}}, material: tile}\n"
    "  - {name: dust, shape: {box: [20 mm, 12 mm, 2 mm]}, packing: {cubic: {radius: 1 mm}},\n"
    "     material: tile, loose: true}\n";

static double mass_of(const sherd_world *world, int body)
{
    sherd_body_info info = sherd_world_body(world, body);
    double mass = 0.0;
    for (int k = info.first; k < info.first + info.count; ++k)
        mass += sherd_world_element(world, k).mass;
    return mass;
}

Test(scene, bodies_to_be_calibrated_have_bonds_of_their_own)
{
    setenv("XDG_CACHE_HOME", "/proc/no/such/folder", 1);
    sherd_scene *scene = parse(CALIBRATED);
    cr_assert(eq(int, scene->material_count, 3));
    cr_assert(eq(int, scene->bodies[0].material, 0));
    cr_assert(ne(int, scene->bodies[1].material, scene->bodies[2].material));
    cr_assert(eq(str, (char *)scene->materials[2].def.name, (char *)"tile"));
    sherd_scene_build build;
    sherd_error error = {0};
    sherd_world *world = sherd_scene_create_world(scene, 2, &build, &error);
    cr_assert(world != NULL, "%s: %s", error.where, error.what);
    cr_assert(eq(int, build.calibration_count, 2)); // granules have no bonds
    const sherd_scene_calibration *one = &build.calibrations[0], *two = &build.calibrations[1];
    cr_assert(two->result.cached && !one->result.cached); // one task
    // The second plate is 15 % thicker than its layer: its bonds make up for that, by rounding.
    cr_assert(epsilon_eq(dbl, two->bonds.youngs_modulus / one->bonds.youngs_modulus, 1.15, 1e-9));
    // Masses are the shapes'; by rounding alone.
    cr_assert(epsilon_eq(dbl, mass_of(world, 0), 2000.0 * 480e-9, 1e-12));
    cr_assert(epsilon_eq(dbl, mass_of(world, 1), 2000.0 * 552e-9, 1e-12));
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
    sherd_scene_destroy(scene);
}

static double scatter_of(const char *setting, const char *another)
{
    const char *settings[] = {"materials.tile.tensile_strength=1 MPa",
                              "materials.tile.shear_strength=1 MPa",
                              "materials.tile.unbreakable=false", setting, another};
    int count = setting == NULL ? 3 : another == NULL ? 4 : 5;
    sherd_scene_options options = {.override_count = count, .overrides = settings};
    sherd_scene *scene = parse_with(CALIBRATED, &options);
    double modulus = scene->materials[0].def.weibull_modulus;
    sherd_scene_destroy(scene);
    return modulus;
}

Test(scene, solids_that_are_calibrated_have_scattered_strengths_unless_told_otherwise)
{
    cr_assert(eq(dbl, scatter_of(NULL, NULL), 12.0));
    cr_assert(eq(dbl, scatter_of("materials.tile.weibull_modulus=0", NULL), 0.0));
    cr_assert(eq(dbl, scatter_of("materials.tile.weibull_modulus=7", NULL), 7.0));
    cr_assert(eq(dbl, scatter_of("materials.tile.unbreakable=true", NULL), 0.0));
    cr_assert(eq(dbl, scatter_of("materials.tile.calibrate=false", NULL), 0.0));
}

static void note_ratio(void *context, const sherd_message *message)
{
    if (strstr(message->what, "is out of reach of") == NULL) return;
    char *to = context;
    snprintf(to, 1024, "%s|%s", message->where, message->what);
}

Test(scene, ratios_out_of_reach_are_told_where_they_were_asked_for)
{
    setenv("XDG_CACHE_HOME", "/proc/no/such/folder", 1);
    const char *settings[] = {"materials.tile.poissons_ratio=0.48"};
    sherd_scene_options options = {.override_count = 1, .overrides = settings};
    sherd_scene *scene = parse_with(CALIBRATED, &options);
    sherd_scene_build build;
    sherd_error error = {0};
    sherd_world *world = sherd_scene_create_world(scene, 2, &build, &error);
    cr_assert(world != NULL, "%s: %s", error.where, error.what);
    char said[1024] = "";
    sherd_step_plan plan = {0};
    sherd_scene_tell_warnings(scene, &build, &plan, note_ratio, said);
    const char *wanted =
        "test.yaml:5:9  materials.tile.poissons_ratio|0.48 is out of reach of layers packing, ";
    cr_assert(strstr(said, wanted) == said, "%s", said);
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
    uint64_t digest = scene->digest;
    sherd_scene_destroy(scene);
    settings[0] = "materials.tile.calibrate=false";
    scene = parse_with(CALIBRATED, &options);
    cr_assert(ne(u64, scene->digest, digest));
    digest = scene->digest;
    sherd_scene_destroy(scene);
    scene = parse(CALIBRATED);
    cr_assert(ne(u64, scene->digest, digest));
    sherd_scene_destroy(scene);
}

Test(scene, world_errors_point_into_the_file)
{
    const char *setting = "drivers.grip.region.position=[1 km, 0, 0]"; // nothing is there
    sherd_scene_options options = {.override_count = 1, .overrides = &setting};
    sherd_scene *scene = parse_with(EVERYTHING, &options);
    sherd_scene_build build;
    sherd_error error = {0};
    cr_assert(sherd_scene_create_world(scene, 2, &build, &error) == NULL);
    cr_assert(eq(str, error.where, (char *)"test.yaml:45:5  drivers.grip"));
    cr_assert(build.packings == NULL);
    sherd_scene_destroy(scene);
}

// ---------------------------------------------------------------- the scenes that come along

static void check_scene_file(const char *path)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = sherd_scene_load(path, NULL, &diagnostics);
    cr_assert(scene != NULL, "%s: %s", diagnostics.count > 0 ? diagnostics.errors[0].where : path,
              diagnostics.count > 0 ? diagnostics.errors[0].what : "");
    for (int k = 0; k < scene->variant_count; ++k) {
        // The bowl's mesh is generated, so what is made of it may lack it here.
        if (strcmp(scene->variants[k], "mesh") == 0) continue;
        sherd_scene_options options = {.variant = scene->variants[k]};
        sherd_scene *variant = sherd_scene_load(path, &options, &diagnostics);
        cr_assert(variant != NULL, "%s, %s: %s",
                  diagnostics.count > 0 ? diagnostics.errors[0].where : path, scene->variants[k],
                  diagnostics.count > 0 ? diagnostics.errors[0].what : "");
        sherd_scene_destroy(variant);
    }
    sherd_scene_destroy(scene);
}

Test(scene, every_scene_loads_in_every_variant)
{
    DIR *folder = opendir(SHERD_TEST_SOURCE_DIR "/../scenes");
    cr_assert(folder != NULL);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *end = strrchr(entry->d_name, '.');
        // The bowl's mesh is generated, so its scene may lack it here.
        if (end == NULL || strcmp(end, ".yaml") != 0 || strstr(entry->d_name, "mesh") != NULL)
            continue;
        char path[1024];
        snprintf(path, sizeof path, SHERD_TEST_SOURCE_DIR "/../scenes/%s", entry->d_name);
        check_scene_file(path);
        ++count;
    }
    closedir(folder);
    cr_assert(ge(int, count, 6));
}
