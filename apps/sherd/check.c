// sherd check: validates a scene and predicts the cost of a run.
#include "calibrate.h"
#include "check_material.h"
#include "clock.h"
#include "commands.h"
#include "message.h"
#include "open_scene.h"
#include "output_timing.h"

#include <sherd/file.h>
#include <sherd/render.h>
#include <sherd/run.h>
#include <sherd/world.h>

#include <math.h>
#include <stdio.h>

enum { TRIALS = 9, TRIAL_STEPS = 4 };

static const double IMPLICIT_BYTES = 1400.0; // per element, at most (docs/notebook/performance.md)

// A row for each class of radii, with a bar as long as its fraction of the elements.
static void print_sizes(const sherd_packing *p)
{
    int32_t most = 1;
    char low[SHERD_LENGTH_TEXT], high[SHERD_LENGTH_TEXT];
    for (int c = 0; c < SHERD_PACKING_SIZE_CLASSES; ++c)
        most = p->size_count[c] > most ? p->size_count[c] : most;
    for (int c = 0; c < SHERD_PACKING_SIZE_CLASSES; ++c) {
        double step = (p->radius_most - p->radius_least) / SHERD_PACKING_SIZE_CLASSES;
        printf("    radius %8s to %8s  %8d  %.*s\n",
               sherd_length_text(p->radius_least + c * step, low),
               sherd_length_text(p->radius_least + (c + 1) * step, high), p->size_count[c],
               (int)(30.0 * p->size_count[c] / most), "##############################");
    }
}

static void print_random(const sherd_packing *p)
{
    char radius[SHERD_LENGTH_TEXT];
    printf("%d elements, %.1f bonds each, fill %.1f %% of the volume; the outermost are %.2g radii "
           "from the surface (at most %.2g)\n",
           p->count, p->bonds_per_element, 100.0 * p->solid_fraction,
           p->surface_gap_mean / p->lattice_radius, p->surface_gap_max / p->lattice_radius);
    if (p->radius_most > p->radius_least)
        print_sizes(p);
    else
        printf("    all of radius %s\n", sherd_length_text(p->radius_least, radius));
}

static void print_tetras(const sherd_packing *p)
{
    const double degree = 3.14159265358979323846 / 180.0;
    const sherd_tetra_quality *q = &p->tetra_quality;
    char least[SHERD_LENGTH_TEXT], most[SHERD_LENGTH_TEXT];
    printf("  tetrahedra dihedral angles %.0f to %.0f degrees, edges %s to %s, %d slivers, "
           "%lld of %lld bonds weakened\n",
           q->angle_min / degree, q->angle_max / degree, sherd_length_text(q->edge_min, least),
           sherd_length_text(q->edge_max, most), q->slivers, (long long)p->weakened_bonds,
           (long long)p->bond_count);
}

static double percent(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

// "12.5 %", or the count if it is small.
static void print_fraction(int64_t part, int64_t whole)
{
    if (percent(part, whole) < 0.1)
        printf("%lld", (long long)part);
    else
        printf("%.1f %%", percent(part, whole));
}

static void print_weakness(const sherd_world *world, int body)
{
    sherd_body_bonds b = sherd_world_body_bonds(world, body);
    const struct {
        sherd_bond_index count;
        double factor;
        const char *what, *limit;
    } parts[] = {{b.weakened, b.least_strength, "weaker", "down to"},
                 {b.strengthened, b.largest_strength, "stronger", "up to"},
                 {b.softened, b.least_stiffness, "softer", "down to"},
                 {b.stiffened, b.largest_stiffness, "stiffer", "up to"},
                 {b.broken, 0.0, "cut", NULL}};
    bool first = true;
    printf("    weakness:");
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k) {
        if (parts[k].count == 0) continue;
        if (first)
            printf(" of %lld bonds ", (long long)b.count);
        else
            printf(", ");
        print_fraction(parts[k].count, b.count);
        printf(" %s", parts[k].what);
        if (parts[k].limit != NULL) printf(" (%s %.3g times)", parts[k].limit, parts[k].factor);
        first = false;
    }
    if (first)
        printf(" changes none of %lld bonds: it misses the body, or its factors are 1\n",
               (long long)b.count);
    else
        printf("\n");
}

static void print_glue(const sherd_world *world, int body)
{
    sherd_body_glue g = sherd_world_body_glue(world, body);
    if (g.pieces <= 1)
        printf("    fracture: one piece: its walls miss the body, or part fewer than eight points "
               "each, which join a neighbour\n");
    if (g.pieces > 1)
        printf("    fracture: %d pieces, %lld particles of glue", (int)g.pieces,
               (long long)g.count);
    if (g.pieces > 1 && g.least_energy > 0.0)
        printf("; a `fracture_energy` of this glue has to be %.3g J/m^2 at the least, less where "
               "points are closer or the glue weaker",
               1.005 * g.least_energy); // not below it once rounded
    if (g.pieces > 1) printf("\n");
}

// Tetrahedra and yarns have no layers, and spheres of thin walls extend beyond them, so they have
// no volume fraction.
static void print_lattice(const sherd_packing *p)
{
    char radius[SHERD_LENGTH_TEXT];
    printf("%d elements of radius %s", p->count, sherd_length_text(p->lattice_radius, radius));
    if (p->layers > 0) printf(", %d layer%s", p->layers, p->layers > 1 ? "s" : "");
    if (p->solid_fraction > 1.0)
        printf("; cells fill %.1f %% of the volume\n", 100.0 * p->cell_volume_match);
    else
        printf("; spheres fill %.1f %% of the volume (cells %.1f %%)\n", 100.0 * p->solid_fraction,
               100.0 * p->cell_volume_match);
}

static void print_memory(const sherd_scene *scene, const sherd_world *world)
{
    char a[SHERD_BYTES_TEXT], b[SHERD_BYTES_TEXT];
    sherd_memory_use use = sherd_world_memory(world);
    printf("  memory     about %s for the simulation",
           sherd_bytes_text((double)(use.total - use.implicit), a));
    if (sherd_method_describe(scene->world.method).implicit_steps &&
        sherd_world_explicit_reason(world) == NULL)
        printf(", up to %s more for implicit steps",
               sherd_bytes_text(IMPLICIT_BYTES * sherd_world_elements(world).count, b));
    printf("\n");
}

// A run ends with a complete frame.
static void print_frames(const sherd_scene *scene, const sherd_step_plan *plan)
{
    double end = (double)plan->frames * plan->interval;
    printf("  frames     %lld", (long long)plan->frames);
    if (end > scene->duration * (1.0 + 1e-6))
        printf(", to %.4g s: the duration of %.4g s is not a whole number of frames", end,
               scene->duration);
    printf("\n");
}

// Wall times of a run [s], as far as they can be measured beforehand.
typedef struct run_times {
    double start;  // packing and bonding; calibrations are cached by now
    double steps;  // of a frame
    double output; // surfaces and pictures of a frame; -1: not measured
} run_times;

static void print_run_time(const sherd_scene *scene, const run_times *times,
                           const sherd_step_plan *plan)
{
    char all[MESSAGE_TEXT], start[MESSAGE_TEXT], steps[MESSAGE_TEXT], step[MESSAGE_TEXT];
    char output[MESSAGE_TEXT];
    sherd_method_info method = sherd_method_describe(scene->world.method);
    bool automatic = sherd_method_switches(&method);
    double frames = (double)plan->frames, of_steps = frames * times->steps;
    double of_output = (frames + 1.0) * fmax(times->output, 0.0);
    printf("  run time   about %s on this machine: %s to begin, %s%s of steps (%s per frame%s)",
           message_duration(times->start + of_steps + of_output, all),
           message_duration(times->start, start), automatic ? "up to " : "",
           message_duration(of_steps, steps), message_duration(times->steps, step),
           automatic        ? ", that of explicit steps alone"
           : plan->dt > 0.0 ? ""
                            : " at first");
    if (times->output > 0.0)
        printf(", %s of surfaces and pictures, or twice as much where much breaks",
               message_duration(of_output, output));
    printf("%s\n", times->output < 0.0 ? "; surfaces and pictures take more" : "");
}

// Bonds of the law central: what they are, and how far they reach.
static void print_reach(const sherd_material_def *m)
{
    if (m->model != SHERD_SOLID_MODEL_BONDED || m->law != SHERD_BOND_LAW_CENTRAL) return;
    const sherd_central_info *form = sherd_central_describe(m->central);
    printf("    bonds of %s to elements up to %g spacings away; Poisson's ratio %s\n", form->word,
           m->reach > 0.0 ? m->reach : form->reach,
           form->dimensions == 3   ? "1/4"
           : form->dimensions == 2 ? "1/3"
                                   : "as it comes out");
}

static void print_world(const sherd_scene *scene, sherd_world *world,
                        const sherd_scene_build *build, const run_times *times,
                        const sherd_step_plan *plan)
{
    char steps[SHERD_STEP_PLAN_TEXT];
    sherd_bond_view bonds = sherd_world_bonds(world);
    for (int k = 0; k < build->body_count; ++k) {
        const sherd_packing *p = build->packings[k];
        char spacing[SHERD_LENGTH_TEXT];
        printf("  body %-16s ", scene->bodies[k].name);
        if (sherd_scene_is_of_points(&scene->bodies[k]))
            printf("%d material points %s apart; cells fill %.1f %% of the volume\n", p->count,
                   sherd_length_text(scene->bodies[k].packing.spacing, spacing),
                   100.0 * p->cell_volume_match);
        else if (p->bonds_per_element > 0.0)
            print_random(p);
        else
            print_lattice(p);
        if (p->tetra != NULL) print_tetras(p);
        print_reach(&scene->materials[scene->bodies[k].material].def);
        if (scene->bodies[k].weakness.count > 0) print_weakness(world, k);
        if (scene->bodies[k].is_fractured) print_glue(world, k);
    }
    printf("  elements   %d\n  bonds      %lld\n", sherd_world_elements(world).count,
           (long long)bonds.count);
    print_memory(scene, world);
    if (scene->world.contact_stiffness > 0.0)
        printf("  contacts   k_c %.4g Pa, as of materials of E %.4g Pa\n",
               scene->world.contact_stiffness, 2.0 * scene->world.contact_stiffness);
    printf("  method     %s\n", sherd_step_plan_text(plan, &scene->world, world, steps));
    print_frames(scene, plan);
    print_run_time(scene, times, plan);
    scale_print(scene, (double)plan->frames * times->steps);
}

// The median of a few trials, to ignore interruptions. 0 on failure.
static double explicit_step_time(sherd_world *world, sherd_error *error)
{
    double seconds[TRIALS];
    if (sherd_world_step(world, 2, error) != SHERD_OK) return 0.0; // first contact search
    for (int k = 0; k < TRIALS; ++k) {
        double start = clock_seconds();
        if (sherd_world_step(world, TRIAL_STEPS, error) != SHERD_OK) return 0.0;
        seconds[k] = (clock_seconds() - start) / TRIAL_STEPS;
    }
    return value_statistics_of(seconds, TRIALS).median;
}

// Wall time over simulated time of steps up to time `until`, or of the first ones that take long
// enough. 0 on failure.
static double time_per_second(sherd_world *world, double until, sherd_error *error)
{
    enum { AT_A_TIME = 8 };
    const double enough = 0.25; // [s]
    double start = clock_seconds(), seconds = 0.0;
    while (sherd_world_time(world) < until && seconds < enough) {
        if (sherd_world_advance_towards(world, until, AT_A_TIME, error) != SHERD_OK) return 0.0;
        seconds = clock_seconds() - start;
    }
    return seconds / sherd_world_time(world);
}

// Wall time of a frame [s]: of all its steps if they are equal, otherwise of the first probe
// sample, or the first of its steps. For steps beyond the stability limit (a warning reports them), stable ones are timed.
static double frame_time(sherd_world *world, const sherd_step_plan *plan, sherd_error *error)
{
    double samples = (double)plan->samples_per_frame;
    if (plan->dt > 0.0) {
        double dt = plan->dt > plan->limit ? 0.5 * plan->limit : plan->dt;
        if (sherd_world_set_time_step(world, dt, error) != SHERD_OK) return 0.0;
        return samples * (double)plan->steps_per_sample * explicit_step_time(world, error);
    }
    return plan->interval * time_per_second(world, plan->interval / samples, error);
}

static void print_valid(const sherd_scene *scene)
{
    char path[MESSAGE_NAME], variant[MESSAGE_NAME];
    printf("%s is valid%s%s\n", message_name(scene->path, path),
           scene->variant != NULL ? ", variant " : "",
           message_name(scene->variant != NULL ? scene->variant : "", variant));
}

// Time to make the world [s] without calibration, which is cached.
static double time_to_begin(const sherd_scene_build *build, double seconds)
{
    for (int k = 0; k < build->calibration_count; ++k)
        if (!build->calibrations[k].result.cached) seconds -= build->calibrations[k].result.seconds;
    return fmax(seconds, 0.0);
}

// True if a run makes meshes or pictures of frames.
static bool shows_frames(const sherd_scene_output *out)
{
    bool meshes = false;
    for (int k = 0; k < sherd_export_format_count(); ++k)
        meshes = meshes || ((out->meshes >> k & 1) != 0 && !sherd_export_format_get(k)->whole);
    return out->render.enabled || (out->surface.enabled && meshes);
}

// Measuring surfaces and pictures bonds the bodies once more.
static double output_time(const command_options *options, sherd_scene *scene,
                          const sherd_scene_build *build, double start)
{
    const double long_start = 20.0; // [s]
    if (!shows_frames(&scene->output)) return 0.0;
    return start < long_start ? output_timing_seconds(options, scene, build) : -1.0;
}

// For methods that switch, use explicit steps, which can be timed.
static sherd_world_def timed_world(sherd_world_def def)
{
    sherd_method_info method = sherd_method_describe(def.method);
    if (!sherd_method_switches(&method)) return def;
    def.method = SHERD_METHOD_EXPLICIT;
    def.time_step_in_limits = 0.0; // applies to implicit steps
    return def;
}

// Fails for everything that a run would refuse.
static sherd_status examine(sherd_scene *scene, const command_options *options, double toughness,
                            sherd_error *error)
{
    sherd_scene_build build = {0};
    sherd_world_def asked_for = scene->world;
    scene->world = timed_world(asked_for);
    double start = clock_seconds();
    sherd_world *world = sherd_scene_create_world(scene, options->threads, &build, error);
    if (world == NULL) return error->status;
    run_times times = {.start = time_to_begin(&build, clock_seconds() - start)};
    sherd_step_plan plan = {0};
    sherd_status status = sherd_world_check_method(world, asked_for.method, error);
    if (status != SHERD_OK) sherd_scene_locate(scene, error);
    double limit = status == SHERD_OK ? sherd_world_stable_time_step(world, error) : 0.0;
    if (status == SHERD_OK && !(limit > 0.0)) sherd_scene_locate(scene, error);
    if (limit > 0.0) {
        plan = sherd_step_plan_make(scene, limit);
        times.steps = frame_time(world, &plan, error);
        scene->world = asked_for;
        plan = sherd_step_plan_make(scene, limit);
    }
    if (times.steps > 0.0) {
        times.output = output_time(options, scene, &build, times.start);
        print_valid(scene);
        message_notes(scene);
        sherd_scene_tell_packings(scene, &build, message_print, NULL);
        calibrate_print_summary(scene, &build);
        print_world(scene, world, &build, &times, &plan);
        toughness_print(scene, &build, toughness);
        status = stiffness_print(scene, &build, options->threads, error);
        fflush(stdout);
        sherd_scene_tell_warnings(scene, &build, &plan, message_print, NULL);
    } else {
        status = error->status;
    }
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
    return status;
}

// Reads the sky early; a run would fail only when it makes pictures.
static sherd_status check_sky(const sherd_scene *scene, sherd_error *error)
{
    const sherd_scene_render *render = &scene->output.render;
    if (render->sky.kind != SHERD_SCENE_SKY_IMAGE) return SHERD_OK;
    const sherd_scene_sky *sky = &render->sky;
    sherd_environment *read =
        sherd_environment_read(sky->image, sky->rotation, sky->brightness, error);
    sherd_environment_destroy(read);
    return read != NULL ? SHERD_OK : error->status;
}

int command_check(const command_options *options)
{
    if (options->input == NULL)
        return message_usage("which scene?", NULL, "sherd check scenes/plate.yaml");
    double toughness;
    int code = toughness_parse(options->toughness, &toughness);
    if (code != 0) return code;
    sherd_scene *scene = open_scene(options, &code);
    if (scene == NULL) return code;
    sherd_error error = {0};
    sherd_status status = check_sky(scene, &error);
    if (status == SHERD_OK) status = examine(scene, options, toughness, &error);
    sherd_scene_destroy(scene);
    return status == SHERD_OK ? EXIT_DONE : message_refused(&error);
}
