// sherd info: prints the contents of a scene, mesh or run folder.
#include "commands.h"
#include "message.h"
#include "open_scene.h"

#include <sherd/diagnosis.h>
#include <sherd/file.h>
#include <sherd/replay.h>
#include <sherd/run_file.h>
#include <sherd/table.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>

// Ignores case: MODEL.STL is a mesh.
static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcasecmp(text + n - m, end) == 0;
}

static const char *const KINDS = "sherd info takes scenes (.yaml), meshes (STL, OBJ, PLY, glTF), "
                                 "and runs (their folder or run.sherd)";

static void print_material(const sherd_material_def *m)
{
    char shown[MESSAGE_NAME], a[MESSAGE_TEXT], b[MESSAGE_TEXT], c[MESSAGE_TEXT], d[MESSAGE_TEXT];
    printf("  material %-14s ", message_name(m->name, shown));
    if (m->model == SHERD_SOLID_MODEL_FLUID) {
        printf("model fluid, K %s, density %.4g kg/m^3\n", message_pressure(m->bulk_modulus, a),
               m->density);
        return;
    }
    if (m->model != SHERD_SOLID_MODEL_BONDED)
        printf("model %s, ", sherd_solid_model_words[m->model]);
    printf("E %s, G %s, density %.4g kg/m^3", message_pressure(m->youngs_modulus, a),
           message_pressure(m->shear_modulus, b), m->density);
    if (m->model == SHERD_SOLID_MODEL_BONDED)
        printf(", strengths %s and %s", message_pressure(m->tensile_strength, c),
               message_pressure(m->shear_strength, d));
    printf("\n");
}

static int info_scene(const command_options *options)
{
    int code = EXIT_DONE;
    sherd_scene *scene = open_scene(options, &code);
    if (scene == NULL) return code;
    char shown[MESSAGE_NAME], length[SHERD_LENGTH_TEXT];
    printf("scene %s: %g s at %g frames/s\n", message_name(scene->name, shown), scene->duration,
           scene->output.frame_rate);
    for (int k = 0; k < scene->material_count; ++k)
        print_material(&scene->materials[k].def);
    for (int k = 0; k < scene->body_count; ++k)
        if (sherd_scene_is_of_points(&scene->bodies[k]))
            printf("  body %-18s volume %.4g m^3, material points %s apart\n",
                   message_name(scene->bodies[k].name, shown),
                   sherd_shape_volume(scene->bodies[k].shape),
                   sherd_length_text(scene->bodies[k].packing.spacing, length));
        else if (scene->bodies[k].is_yarn)
            printf("  body %-18s yarns\n", message_name(scene->bodies[k].name, shown));
        else
            printf("  body %-18s volume %.4g m^3, element radius %s\n",
                   message_name(scene->bodies[k].name, shown),
                   sherd_shape_volume(scene->bodies[k].shape),
                   sherd_length_text(scene->bodies[k].packing.radius, length));
    for (int k = 0; k < scene->obstacle_count; ++k)
        printf("  obstacle %s\n", message_name(scene->obstacles[k].def.name, shown));
    for (int k = 0; k < scene->driver_count; ++k)
        printf("  driver %s\n", message_name(scene->drivers[k].def.name, shown));
    for (int k = 0; k < scene->variant_count; ++k)
        printf("  variant %s\n", message_name(scene->variants[k], shown));
    sherd_scene_destroy(scene);
    return EXIT_DONE;
}

static int info_mesh(const command_options *options)
{
    sherd_error error;
    sherd_mesh *mesh = sherd_mesh_read(options->input, 1.0, &error);
    // The content determines a mesh's format, so other files are tried as meshes.
    bool named_mesh = ends_with(options->input, ".stl") || ends_with(options->input, ".obj") ||
                      ends_with(options->input, ".ply") || ends_with(options->input, ".glb") ||
                      ends_with(options->input, ".gltf");
    if (mesh == NULL && error.status == SHERD_ERROR_INPUT && !named_mesh)
        return message_usage("neither a scene nor a mesh nor a run", options->input, KINDS);
    if (mesh == NULL) {
        message_error(&error);
        return EXIT_USAGE;
    }
    printf("mesh: %d vertices, %d triangles\n", mesh->vertex_count, mesh->triangle_count);
    sherd_mesh_report report;
    sherd_status status = sherd_mesh_repair(mesh, options->input, &report, &error);
    printf("  bounds (%g, %g, %g) to (%g, %g, %g)\n", report.bounds.low.x, report.bounds.low.y,
           report.bounds.low.z, report.bounds.high.x, report.bounds.high.y, report.bounds.high.z);
    printf("  merged vertices %d, degenerate %d, duplicate %d, flipped %d, filled holes %d\n",
           report.merged_vertices, report.degenerate_triangles, report.duplicate_triangles,
           report.flipped_triangles, report.filled_holes);
    if (status == SHERD_OK)
        printf("  usable: closed, %d component%s, volume %.6g m^3\n", report.components,
               report.components == 1 ? "" : "s", report.volume);
    sherd_mesh_destroy(mesh);
    return status == SHERD_OK ? EXIT_DONE : message_error(&error);
}

// The scene as it was run; NULL if its files no longer exist.
static sherd_scene *scene_of_run(const char *run, const sherd_run_info *info)
{
    char place[MESSAGE_PATH];
    find_scene_path(run, info->scene_path, place);
    sherd_diagnostics diagnostics = {0};
    int given = info->setting_count > 0 ? info->setting_count - 1 : 0; // the first is the digest
    sherd_scene_options options = {info->variant[0] != '\0' ? info->variant : NULL, given,
                                   given > 0 ? info->settings + 1 : NULL};
    sherd_scene *scene = sherd_scene_parse(info->scene_text, strlen(info->scene_text), place,
                                           &options, &diagnostics);
    sherd_diagnostics_free(&diagnostics);
    return scene;
}

static void print_findings(const char *input, sherd_run *run, const sherd_run_info *info)
{
    sherd_diagnosis found;
    sherd_scene *scene = scene_of_run(input, info);
    sherd_diagnosis_make(&found, run, scene);
    for (int k = 0; k < found.count; ++k)
        printf("  %s\n", found.findings[k].text);
    sherd_scene_destroy(scene);
}

// "  broke: 120 by bending, 44 by tension; first at 0.0008 s, last at 0.003 s"
static void print_breaks(sherd_run *run, int64_t frames)
{
    sherd_error ignored;
    sherd_run_breaks *breaks = sherd_run_read_breaks(run, frames - 1, &ignored);
    if (breaks != NULL && breaks->event_count > 0) {
        int64_t counts[SHERD_BREAK_MODE_COUNT] = {0};
        const char *separator = "  broke:";
        for (int64_t k = 0; k < breaks->event_count; ++k)
            ++counts[breaks->events[k].mode];
        for (int m = 0; m < SHERD_BREAK_MODE_COUNT; ++m) {
            if (counts[m] == 0) continue;
            printf("%s %lld by %s", separator, (long long)counts[m], sherd_break_mode_words[m]);
            separator = ",";
        }
        printf("; first at %.6g s, last at %.6g s\n", breaks->events[0].time,
               breaks->events[breaks->event_count - 1].time);
    }
    sherd_run_breaks_destroy(breaks);
}

static void print_model(const sherd_run_model *model)
{
    long long glue = model->glue_count;
    printf("  %d elements, ", model->element_count);
    if (model->bond_count > glue) printf("%lld bonds, ", (long long)model->bond_count - glue);
    if (glue > 0) printf("%lld particles of glue, ", glue);
    printf("%d bodies, %d obstacles\n", model->body_count, model->obstacle_count);
}

// In the last frame, whose row counts glue as bonds.
static long long count_broken_glue(sherd_run *run, const sherd_run_model *model, int64_t frames)
{
    long long count = 0;
    sherd_error ignored;
    sherd_run_breaks *breaks =
        model->glue_count > 0 ? sherd_run_read_breaks(run, frames - 1, &ignored) : NULL;
    if (breaks == NULL) return 0;
    for (sherd_bond_index b = model->bond_count - model->glue_count; b < model->bond_count; ++b)
        count += breaks->broken[b] >= 0;
    sherd_run_breaks_destroy(breaks);
    return count;
}

static void print_last_frame(sherd_run *run, const sherd_run_model *model,
                             const sherd_run_stats *last, int64_t frames)
{
    long long glue = count_broken_glue(run, model, frames);
    printf("  last frame: t %g s, ", last->time);
    sherd_run_stats first;
    sherd_error ignored;
    bool begun = sherd_run_read_stats(run, 0, &first, &ignored) == SHERD_OK && first.frame == 0;
    long long cut = begun ? (long long)first.broken_bonds : 0;
    if (model->bond_count > model->glue_count)
        printf("%lld broken bonds, ", (long long)last->broken_bonds - glue - cut);
    if (cut > 0) printf("%lld cut by the scene, ", cut);
    if (model->glue_count > 0) printf("%lld broken particles of glue, ", glue);
    if (last->torn > 0) printf("%lld torn pairs of points, ", (long long)last->torn);
    printf("%lld fragments\n", (long long)last->fragments);
}

static void print_steps(const sherd_run_stats *last)
{
    if (last->implicit_steps == 0) return;
    printf("  steps: %lld implicit, %lld explicit\n", (long long)last->implicit_steps,
           (long long)(last->steps - last->implicit_steps));
}

static int info_run(const command_options *options)
{
    sherd_error error;
    sherd_run *run = sherd_run_open(options->input, &error);
    if (run == NULL) {
        message_error(&error);
        return EXIT_USAGE;
    }
    sherd_run_info info = sherd_run_get_info(run);
    sherd_run_model model = sherd_run_get_model(run);
    int64_t frames = sherd_run_frame_count(run);
    char text[4 * SHERD_ERROR_TEXT_SIZE], shown[MESSAGE_NAME];
    snprintf(text, sizeof text, "%s%s%s (%s), Sherd %s, on %s", info.name,
             info.variant[0] != '\0' ? ", variant " : "", info.variant, info.scene_path,
             info.version, info.machine);
    printf("run of %s\n", message_name(text, shown));
    sherd_run_stats s;
    bool has_frames = frames > 0 && sherd_run_read_stats(run, frames - 1, &s, &error) == SHERD_OK;
    print_model(&model);
    printf("  %lld of %lld frames, %g s apart\n", (long long)frames, (long long)info.frames_planned,
           info.frame_interval);
    char damaged[SHERD_DAMAGED_NAMES];
    if (sherd_run_damaged_frames(run, 0, frames - 1, damaged) > 0)
        printf("  damaged frames: %s; the others can be exported\n", damaged);
    if (has_frames) print_last_frame(run, &model, &s, frames), print_steps(&s);
    print_breaks(run, frames);
    print_findings(options->input, run, &info);
    if (sherd_run_ignored_bytes(run) > 0)
        printf("  %lld bytes at the end are torn and ignored\n",
               (long long)sherd_run_ignored_bytes(run));
    sherd_run_checkpoint *checkpoint = sherd_run_read_checkpoint(run, &error);
    if (checkpoint != NULL) printf("  resumable after frame %lld\n", (long long)checkpoint->frame);
    sherd_run_checkpoint_destroy(checkpoint);
    sherd_run_close(run);
    return EXIT_DONE;
}

int command_info(const command_options *options)
{
    const char *path = options->input;
    if (path == NULL) return message_usage("which scene, mesh or run?", NULL, "sherd info PATH");
    if (sherd_folder_exists(path) || ends_with(path, ".sherd")) return info_run(options);
    // Pipes have no extension; meshes are regular files.
    bool piped = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    if (piped || ends_with(path, ".yaml") || ends_with(path, ".yml")) return info_scene(options);
    return info_mesh(options);
}
