#include "run/run_loop.h"

#include "calibrate.h"
#include "clock.h"
#include "files/former_files.h"
#include "files/output_names.h"
#include "files/readable_frame.h"
#include "message.h"
#include "run/outputs.h"
#include "run/progress.h"
#include "run/run_tables.h"
#include "run/stop_request.h"
#include "warnings.h"

#include <sherd/file.h>
#include <sherd/simd.h>
#include <sherd/version.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Seconds of wall time. The first one comes early: most runs that end unasked end soon.
static const double CHECKPOINT_FIRST = 2.0, CHECKPOINT_EVERY = 20.0;
static const double SLICE = 0.1; // seconds between looks at Ctrl-C, if steps are shorter
enum { MOST_SLICE_STEPS = 32 };

static sherd_status out_of_memory(sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for the run"};
    return SHERD_ERROR_MEMORY;
}

// ---------------------------------------------------------------- description of the run

static void limit_frames(run_loop *loop)
{
    if (loop->options->frames >= 0 && loop->options->frames < loop->plan.frames)
        loop->plan.frames = loop->options->frames;
}

static void describe_machine(run_loop *loop)
{
    char line[200] = "", *colon = NULL;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0 && (colon = strchr(line, ':')) != NULL) break;
    if (file != NULL) fclose(file);
    if (colon != NULL) colon[strcspn(colon, "\n")] = '\0';
    snprintf(loop->machine, sizeof loop->machine, "%.150s, %d threads%s, %s",
             colon != NULL ? colon + 2 : "unknown processor", loop->options->threads,
             loop->options->threads == 0 ? " (all)" : "", sherd_simd_name(sherd_simd_level()));
}

static bool describe_settings(run_loop *loop)
{
    snprintf(loop->digest, sizeof loop->digest, "digest=%d:%016llx", SHERD_SCENE_DIGEST_VERSION,
             (unsigned long long)loop->scene->digest);
    loop->settings = calloc((size_t)loop->scene->override_count + 1, sizeof *loop->settings);
    if (loop->settings == NULL) return false;
    loop->settings[0] = loop->digest;
    for (int k = 0; k < loop->scene->override_count; ++k)
        loop->settings[k + 1] = loop->scene->overrides[k];
    return true;
}

static bool describe_tetras(run_loop *loop)
{
    int count = loop->build.body_count;
    bool any = false;
    for (int k = 0; k < count; ++k)
        any = any || loop->build.packings[k]->tetra != NULL;
    if (!any) return true;
    loop->tetras = calloc((size_t)count, sizeof *loop->tetras);
    for (int k = 0; loop->tetras != NULL && k < count; ++k)
        loop->tetras[k] = loop->build.packings[k]->tetra;
    return loop->tetras != NULL;
}

static sherd_status describe_run(run_loop *loop, sherd_error *error)
{
    const sherd_scene *scene = loop->scene;
    sherd_element_view e = sherd_world_elements(loop->world);
    sherd_bond_view b = sherd_world_bonds(loop->world);
    int bodies = sherd_world_body_count(loop->world);
    loop->bodies = calloc((size_t)bodies + 1, sizeof *loop->bodies);
    loop->material_names = calloc((size_t)scene->material_count + 1, sizeof *loop->material_names);
    loop->obstacle_names = calloc((size_t)scene->obstacle_count + 1, sizeof *loop->obstacle_names);
    loop->obstacle_poses = calloc((size_t)scene->obstacle_count + 1, sizeof *loop->obstacle_poses);
    loop->stress_ratio = calloc((size_t)e.count + 1, sizeof *loop->stress_ratio);
    if (!given_columns_create(&loop->given, loop->world) || loop->bodies == NULL ||
        loop->material_names == NULL || loop->obstacle_names == NULL ||
        loop->obstacle_poses == NULL || loop->stress_ratio == NULL)
        return out_of_memory(error);
    for (int k = 0; k < bodies; ++k)
        loop->bodies[k] = sherd_world_body(loop->world, k);
    if (!describe_tetras(loop)) return out_of_memory(error);
    for (int k = 0; k < scene->material_count; ++k)
        loop->material_names[k] = scene->materials[k].def.name;
    for (int k = 0; k < scene->obstacle_count; ++k)
        loop->obstacle_names[k] = scene->obstacles[k].def.name;
    describe_machine(loop);
    if (!describe_settings(loop)) return out_of_memory(error);
    loop->info = (sherd_run_info){.name = scene->name,
                                  .scene_path = scene->path,
                                  .scene_text = scene->text,
                                  .variant = scene->variant,
                                  .setting_count = scene->override_count + 1,
                                  .settings = loop->settings,
                                  .machine = loop->machine,
                                  .version = sherd_version(),
                                  .simd = sherd_simd_name(sherd_simd_level()),
                                  .duration = scene->duration,
                                  .frame_interval = 1.0 / scene->output.frame_rate,
                                  .frames_planned = loop->plan.frames + 1};
    loop->model = (sherd_run_model){e.count,
                                    loop->given.rest_x,
                                    loop->given.rest_y,
                                    loop->given.rest_z,
                                    loop->given.radius,
                                    loop->given.mass,
                                    loop->given.material,
                                    b.count,
                                    b.i,
                                    b.j,
                                    bodies,
                                    loop->bodies,
                                    scene->material_count,
                                    loop->material_names,
                                    scene->obstacle_count,
                                    loop->obstacle_names,
                                    loop->tetras,
                                    loop->given.bond_section};
    return SHERD_OK;
}

// ---------------------------------------------------------------- checkpoints

// What a checkpoint holds besides the world: the readings of the frame in progress.
typedef struct saved_row {
    int64_t frame, probe;
    double time;
    sherd_probe_reading reading;
} saved_row;

typedef struct saved_header {
    double wall;
    int64_t rows;
} saved_header;

static int64_t probe_of_row(const run_loop *loop, const sherd_probe_row *row)
{
    for (int k = 0; k < loop->scene->probe_count; ++k)
        if (loop->scene->probes[k].name == row->name) return k;
    return -1;
}

static double wall_so_far(const run_loop *loop)
{
    return loop->wall_before + clock_seconds() - loop->start_clock;
}

static sherd_status write_checkpoint(run_loop *loop, sherd_error *error)
{
    if (sherd_table_writer_sync(loop->stats, error) != SHERD_OK ||
        sherd_table_writer_sync(loop->probes, error) != SHERD_OK)
        return error->status;
    size_t extra_size = sizeof(saved_header) + (size_t)loop->row_count * sizeof(saved_row);
    unsigned char *extra = calloc(extra_size, 1);
    if (extra == NULL) return out_of_memory(error);
    saved_header header = {wall_so_far(loop), loop->row_count};
    memcpy(extra, &header, sizeof header);
    for (int64_t k = 0; k < loop->row_count; ++k) {
        saved_row row = {loop->rows[k].frame, probe_of_row(loop, &loop->rows[k]),
                         loop->rows[k].time, loop->rows[k].reading};
        memcpy(extra + sizeof header + (size_t)k * sizeof row, &row, sizeof row);
    }
    void *state;
    size_t size;
    sherd_status status = sherd_world_save(loop->world, &state, &size, error);
    if (status == SHERD_OK) {
        sherd_fragment_view view = sherd_fragments_view(loop->fragments);
        sherd_run_checkpoint checkpoint = {
            loop->frame,  state, size,      view.element_fragment, loop->model.element_count,
            view.next_id, extra, extra_size};
        status = sherd_run_writer_checkpoint(loop->writer, &checkpoint, error);
        sherd_world_free_state(state);
    }
    free(extra);
    return status;
}

static sherd_status add_row(run_loop *loop, int probe, int64_t frame, double time,
                            sherd_probe_reading reading, sherd_error *error)
{
    if (loop->row_count == loop->row_capacity) {
        int64_t capacity = 2 * loop->row_capacity + 64;
        sherd_probe_row *rows = realloc(loop->rows, (size_t)capacity * sizeof *rows);
        if (rows == NULL) return out_of_memory(error);
        loop->rows = rows;
        loop->row_capacity = capacity;
    }
    const sherd_scene_probe *p = &loop->scene->probes[probe];
    const char *kind = p->on_obstacle                                                 ? "obstacle"
                       : loop->scene->drivers[p->index].def.drive == SHERD_DRIVE_NONE ? "probe"
                                                                                      : "driver";
    loop->rows[loop->row_count++] = (sherd_probe_row){frame, time, p->name, kind, reading};
    return SHERD_OK;
}

static sherd_status restore_extra(run_loop *loop, const sherd_run_checkpoint *checkpoint,
                                  sherd_error *error)
{
    saved_header header;
    const unsigned char *extra = checkpoint->extra;
    if (checkpoint->extra_size < sizeof header) return SHERD_OK;
    memcpy(&header, extra, sizeof header);
    loop->wall_before = header.wall;
    sherd_status status = SHERD_OK;
    for (int64_t k = 0; k < header.rows && status == SHERD_OK; ++k) {
        saved_row row;
        if (sizeof header + (size_t)(k + 1) * sizeof row > checkpoint->extra_size) break;
        memcpy(&row, extra + sizeof header + (size_t)k * sizeof row, sizeof row);
        if (row.probe < 0 || row.probe >= loop->scene->probe_count) continue;
        status = add_row(loop, (int)row.probe, row.frame, row.time, row.reading, error);
    }
    return status;
}

static sherd_status check_same_scene(const run_loop *loop, sherd_run *run, sherd_error *error)
{
    sherd_run_info info = sherd_run_get_info(run);
    const char *digest = info.setting_count > 0 ? info.settings[0] : "";
    if (strcmp(digest, loop->digest) == 0) return SHERD_OK;
    *error =
        (sherd_error){.status = SHERD_ERROR_INPUT,
                      .what = "the run in this folder was made from other physical settings",
                      .hint = "resume with the same scene, --variant and --set, or use another -o"};
    if (strncmp(digest, loop->digest, strcspn(loop->digest, ":") + 1) != 0) {
        const char what[] = "the run in this folder was made by another version of Sherd, which "
                            "fingerprinted settings differently";
        snprintf(error->what, sizeof error->what, "%s", what);
        snprintf(error->hint, sizeof error->hint, "resume it with that version, or use another -o");
    }
    snprintf(error->where, sizeof error->where, "%s", loop->folder);
    return error->status;
}

// What another instruction set computes differs by roundings, where it does.
static void warn_other_simd(const run_loop *loop, const sherd_run *run)
{
    const char *then = sherd_run_get_info(run).simd;
    int level = sherd_simd_of_name(then);
    if (level < 0 || sherd_simd_agree((sherd_simd)level, sherd_simd_level())) return;
    fflush(stdout);
    fprintf(stderr,
            "warning: the run in %s was computed with the instruction set %s and goes on with %s: "
            "its results will not be bit for bit those of a run that never stopped; --simd %s, "
            "where the machine has it, would\n",
            loop->folder, then, loop->info.simd, then);
}

// What the closing line says of frames that are there already.
static sherd_status look_back(run_loop *loop, sherd_run *run, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int64_t frame = 0; frame <= loop->frame && status == SHERD_OK; ++frame) {
        sherd_run_stats stats;
        status = sherd_run_read_stats(run, frame, &stats, error);
        if (status == SHERD_ERROR_INPUT) { // a damaged frame
            status = SHERD_OK;
            continue;
        }
        loop->last_stats = stats;
        loop->largest_store = fmax(loop->largest_store, sherd_energy_largest(&stats.energy));
    }
    return status;
}

static sherd_status restore(run_loop *loop, sherd_run *run, const sherd_run_checkpoint *checkpoint,
                            sherd_error *error)
{
    sherd_status status =
        sherd_world_restore(loop->world, checkpoint->state, checkpoint->state_size, error);
    if (status == SHERD_OK)
        status =
            sherd_fragments_restore(loop->fragments, checkpoint->element_fragment,
                                    checkpoint->element_count, checkpoint->next_fragment, error);
    if (status == SHERD_OK) status = restore_extra(loop, checkpoint, error);
    if (status == SHERD_OK) loop->frame = checkpoint->frame;
    if (status == SHERD_OK) status = look_back(loop, run, error);
    loop->resumes = status == SHERD_OK;
    return status;
}

static bool has_checkpoint_file(const run_loop *loop)
{
    char newest[OUTPUT_PATH], former[OUTPUT_PATH];
    output_path(loop->folder, "checkpoint.sherd", newest);
    output_path(loop->folder, "checkpoint-former.sherd", former);
    return is_anything(newest) || is_anything(former);
}

static void say_anew(const run_loop *loop, const char *reason)
{
    if (!loop->options->quiet) printf("%s in %s: the run begins anew\n", reason, loop->folder);
}

// They stay as they are: what comes behind them is computed from the checkpoint.
static void say_damaged(const run_loop *loop, sherd_run *run)
{
    char names[DAMAGED_NAMES];
    if (damaged_frames(run, 0, loop->frame, names) > 0)
        fprintf(stderr, "warning: frames %s in %s/run.sherd are damaged; they stay so\n", names,
                loop->folder);
}

static sherd_status fail_to_go_on(int64_t frame, sherd_error *error)
{
    snprintf(error->hint, sizeof error->hint,
             "the run can't go on over frame %lld: run the scene again without --resume; "
             "sherd export takes the other frames",
             (long long)frame);
    return error->status;
}

// What a frame says beside its arrays must be there of the last one before the checkpoint; of others
// only where later ones can't be read without. Where it is not, the last one must be whole: which bonds
// are broken then is known from its arrays alone.
static sherd_status check_frames(sherd_run *run, int64_t last, sherd_error *error)
{
    bool whole = true;
    for (int64_t k = 0; k <= last; ++k) {
        sherd_run_stats ignored;
        sherd_status status = sherd_run_read_stats(run, k, &ignored, error);
        if (status == SHERD_OK) continue;
        if (status != SHERD_ERROR_INPUT) return status;
        if (k == last || !sherd_run_frames_stand_alone(run)) return fail_to_go_on(k, error);
        whole = false;
    }
    if (whole || sherd_run_check_frame(run, last, error) == SHERD_OK) return SHERD_OK;
    return fail_to_go_on(last, error);
}

static sherd_status resume_run(run_loop *loop, sherd_run *run, sherd_error *error)
{
    sherd_status status = check_same_scene(loop, run, error);
    if (status != SHERD_OK) return status;
    if (!has_checkpoint_file(loop)) {
        say_anew(loop, "there is no checkpoint yet");
        return SHERD_OK;
    }
    sherd_run_checkpoint *checkpoint = sherd_run_read_checkpoint(run, error);
    if (checkpoint == NULL) return error->status;
    warn_other_simd(loop, run);
    status = check_frames(run, checkpoint->frame, error);
    if (status == SHERD_OK) status = restore(loop, run, checkpoint, error);
    sherd_run_checkpoint_destroy(checkpoint);
    if (status == SHERD_OK) say_damaged(loop, run);
    return status;
}

// Goes on from the folder's checkpoint. Begins anew where there is no run yet, or this very run
// without a checkpoint: whoever always says --resume means that.
static sherd_status resume(run_loop *loop, sherd_error *error)
{
    if (sherd_run_find(loop->folder) == SHERD_RUN_ABSENT) {
        say_anew(loop, "there is no run yet");
        return SHERD_OK;
    }
    // Stays open: what is read of it later is what was there before anything was cut off.
    loop->former = sherd_run_open(loop->folder, error);
    return loop->former != NULL ? resume_run(loop, loop->former, error) : error->status;
}

// ---------------------------------------------------------------- opening

// Files that grow, and those whose next version replaces the former one.
static sherd_status list_own_files(run_loop *loop, sherd_error *error)
{
    static const char *const names[] = {"run.sherd", "stats.csv", "probes.csv", "checkpoint.sherd",
                                        "checkpoint-former.sherd"};
    sherd_status status = own_files_tidy(loop->own, error);
    for (size_t k = 0; k < sizeof names / sizeof names[0] && status == SHERD_OK; ++k) {
        char path[OUTPUT_PATH];
        output_path(loop->folder, names[k], path);
        status = own_files_begin(loop->own, path, error);
    }
    return status;
}

// Up to here nothing in the folder was touched. Asked for again, now that nobody else writes there.
static sherd_status take_folder(run_loop *loop, sherd_error *error)
{
    if (!loop->options->overwrite &&
        former_files_check(loop->own, loop->folder, loop->frame, error) != SHERD_OK)
        return error->status;
    if (loop->options->overwrite) former_files_make_way(loop->own, loop->folder);
    own_files_remove_parts(loop->own);
    return list_own_files(loop, error);
}

static sherd_status open_outputs(run_loop *loop, sherd_error *error)
{
    bool replaced = !loop->options->resume && sherd_run_find(loop->folder) == SHERD_RUN_PRESENT;
    sherd_status status = loop->resumes ? run_tables_check(loop, error) : SHERD_OK;
    if (status == SHERD_OK) status = take_folder(loop, error);
    if (status != SHERD_OK) return status;
    loop->writer = loop->resumes
                       ? sherd_run_writer_resume(loop->folder, loop->frame, error)
                       : sherd_run_writer_create(loop->folder, &loop->info, &loop->model, error);
    if (loop->writer == NULL) return error->status;
    former_files_remove(loop->own, loop->folder, loop->frame);
    if (replaced && !loop->options->quiet)
        printf("the earlier run in %s is replaced\n", loop->folder);
    status = run_tables_open(loop, error);
    return status == SHERD_OK ? outputs_open(loop, error) : status;
}

static void say_model(const run_loop *loop)
{
    if (loop->options->quiet) return;
    char memory[MESSAGE_TEXT], steps[STEP_PLAN_TEXT];
    printf("%s: %d elements, %lld bonds, %s; %s\n", loop->scene->name, loop->model.element_count,
           (long long)loop->model.bond_count,
           message_bytes((double)sherd_world_memory(loop->world).total, memory),
           step_plan_text(&loop->plan, &loop->scene->world, loop->world, steps));
    for (int k = 0; k < loop->build.body_count; ++k) {
        const sherd_packing *p = loop->build.packings[k];
        printf("  %s: %d elements of radius %.4g m; ", loop->bodies[k].name, p->count,
               p->lattice_radius);
        if (p->solid_fraction > 1.0) // spheres of thin walls stand out of them
            printf("their cells fill %.1f %% of the solid\n", 100.0 * p->cell_volume_match);
        else
            printf("they fill %.0f %% of the solid, their cells %.1f %%\n",
                   100.0 * p->solid_fraction, 100.0 * p->cell_volume_match);
    }
}

// What would be refused in the end is refused before anything is computed.
static sherd_status look_at_folder(run_loop *loop, sherd_error *error)
{
    loop->own = own_files_open(loop->folder, error);
    if (loop->own == NULL) return error->status;
    if (loop->options->overwrite) return SHERD_OK;
    // A run that goes on keeps frames; which ones is known when its checkpoint is read.
    int64_t kept = loop->options->resume ? INT64_MAX : -1;
    return former_files_check(loop->own, loop->folder, kept, error);
}

sherd_status run_loop_open(run_loop *loop, sherd_error *error)
{
    loop->frame = -1;
    loop->start_clock = clock_seconds();
    sherd_status status = look_at_folder(loop, error);
    if (status != SHERD_OK) return status;
    loop->world =
        sherd_scene_create_world(loop->scene, loop->options->threads, &loop->build, error);
    if (loop->world == NULL) return error->status;
    if (!loop->options->quiet) packings_say(loop->scene, &loop->build);
    if (!loop->options->quiet) calibrate_say(loop->scene, &loop->build);
    if (!loop->options->resume && !loop->is_probe) warnings_say(loop->scene, &loop->build);
    loop->fragments = sherd_fragments_create(error);
    if (loop->fragments == NULL) return error->status;
    double limit = sherd_world_stable_time_step(loop->world, error);
    if (!(limit > 0.0)) return error->status;
    loop->plan = step_plan_make(loop->scene, limit);
    if (!loop->options->resume && !loop->is_probe) step_plan_warn(&loop->plan);
    limit_frames(loop);
    if (loop->plan.dt > 0.0) status = sherd_world_set_time_step(loop->world, loop->plan.dt, error);
    if (status == SHERD_OK) status = describe_run(loop, error);
    if (status == SHERD_OK) status = own_files_lock(loop->own, error);
    if (status == SHERD_OK && loop->options->resume) status = resume(loop, error);
    loop->resumed_at = loop->frame;
    if (status == SHERD_OK) status = open_outputs(loop, error);
    sherd_run_close(loop->former);
    loop->former = NULL;
    if (status == SHERD_OK) say_model(loop);
    return status;
}

void run_loop_free(run_loop *loop)
{
    picture_maker_destroy(loop->pictures);
    sherd_error ignored; // what could fail here has been flushed row by row and frame by frame
    sherd_table_writer_close(loop->stats, &ignored);
    sherd_table_writer_close(loop->probes, &ignored);
    sherd_run_writer_close(loop->writer, &ignored);
    own_files_close(loop->own);
    sherd_fragments_destroy(loop->fragments);
    sherd_world_destroy(loop->world);
    sherd_scene_build_free(&loop->build);
    given_columns_free(&loop->given);
    free(loop->settings);
    free(loop->bodies);
    free(loop->tetras);
    free(loop->material_names);
    free(loop->obstacle_names);
    free(loop->obstacle_poses);
    free(loop->stress_ratio);
    free(loop->rows);
}

// ---------------------------------------------------------------- one frame

static sherd_status update_fragments(run_loop *loop, sherd_error *error)
{
    sherd_fragment_input input = {loop->model.element_count,
                                  loop->model.mass,
                                  loop->model.radius,
                                  loop->model.bond_count,
                                  loop->model.bond_i,
                                  loop->model.bond_j,
                                  sherd_world_bonds(loop->world).broken};
    return sherd_fragments_update(loop->fragments, &input, error);
}

static sherd_run_stats measure(const run_loop *loop, int64_t frame)
{
    sherd_bond_view bonds = sherd_world_bonds(loop->world);
    sherd_solver_counts counts = sherd_world_solver_counts(loop->world);
    return (sherd_run_stats){
        .frame = frame,
        .time = sherd_world_time(loop->world),
        .steps = sherd_world_step_count(loop->world),
        .time_step = sherd_world_time_step(loop->world),
        .energy = sherd_world_energy(loop->world),
        .elements = loop->model.element_count,
        .bonds = bonds.count - bonds.broken_count,
        .broken_bonds = bonds.broken_count,
        .fragments = sherd_fragments_view(loop->fragments).count,
        .newton_iterations = counts.newton_iterations,
        .linear_iterations = counts.linear_iterations,
        .wall = wall_so_far(loop),
        .state_hash = sherd_world_state_hash(loop->world),
        .momentum = sherd_world_momentum(loop->world),
        .angular_momentum = sherd_world_angular_momentum(loop->world),
    };
}

static sherd_run_frame describe_frame(run_loop *loop, const sherd_run_stats *stats)
{
    sherd_element_view e = sherd_world_elements(loop->world);
    sherd_world_stress_ratio(loop->world, loop->stress_ratio);
    for (int k = 0; k < loop->model.obstacle_count; ++k)
        loop->obstacle_poses[k] = sherd_world_obstacle_pose(loop->world, k);
    return (sherd_run_frame){stats->frame,
                             stats->time,
                             e.x,
                             e.y,
                             e.z,
                             e.qx,
                             e.qy,
                             e.qz,
                             e.qw,
                             e.vx,
                             e.vy,
                             e.vz,
                             loop->stress_ratio,
                             sherd_fragments_view(loop->fragments).element_fragment,
                             sherd_world_bonds(loop->world).broken,
                             loop->obstacle_poses,
                             *stats};
}

static sherd_status write_rows(run_loop *loop, const sherd_run_stats *stats, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int64_t k = 0; k < loop->row_count && status == SHERD_OK; ++k) {
        sherd_cell cells[SHERD_PROBE_COLUMN_COUNT];
        sherd_probe_cells(&loop->rows[k], cells);
        status = sherd_table_writer_row(loop->probes, cells, error);
    }
    if (status != SHERD_OK) return status;
    loop->row_count = 0;
    sherd_cell cells[SHERD_STATS_COLUMN_COUNT];
    sherd_stats_cells(stats, cells);
    return sherd_table_writer_row(loop->stats, cells, error);
}

static sherd_status finish_frame(run_loop *loop, int64_t index, sherd_error *error)
{
    sherd_status status = update_fragments(loop, error);
    if (status == SHERD_OK) status = sherd_world_check(loop->world, error);
    if (status != SHERD_OK) return status;
    sherd_run_stats stats = measure(loop, index);
    sherd_run_frame frame = describe_frame(loop, &stats);
    status = sherd_run_writer_frame(loop->writer, &frame, error);
    if (status == SHERD_OK) status = write_rows(loop, &stats, error);
    if (status != SHERD_OK) return status;
    loop->frame = index;
    loop->last_stats = stats;
    loop->largest_store = fmax(loop->largest_store, sherd_energy_largest(&stats.energy));
    double before = clock_seconds();
    status = outputs_frame(loop, &frame, error);
    loop->pictures_wall += clock_seconds() - before;
    return status;
}

static sherd_status read_probes(run_loop *loop, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = 0; k < loop->scene->probe_count && status == SHERD_OK; ++k) {
        const sherd_scene_probe *p = &loop->scene->probes[k];
        sherd_probe_reading reading =
            p->on_obstacle
                ? sherd_world_probe_obstacle(loop->world, loop->build.obstacle_ids[p->index])
                : sherd_world_probe_driver(loop->world, loop->build.driver_ids[p->index]);
        status = add_row(loop, k, loop->frame + 1, sherd_world_time(loop->world), reading, error);
    }
    sherd_world_reset_probes(loop->world);
    return status;
}

// A slice of steps, and how many the next may have. Results do not depend on slices.
static sherd_status step_slice(run_loop *loop, sherd_error *error)
{
    double before = clock_seconds();
    sherd_status status = sherd_world_advance_towards(
        loop->world, step_plan_next_stop(&loop->plan, loop->world), loop->slice_steps, error);
    double took = clock_seconds() - before;
    loop->steps_wall += took;
    stop_requests_slice(took);
    if (took > SLICE && loop->slice_steps > 1)
        loop->slice_steps /= 2;
    else if (took < 0.25 * SLICE && loop->slice_steps < MOST_SLICE_STEPS)
        loop->slice_steps *= 2;
    return status;
}

static sherd_status checkpoint_when_due(run_loop *loop, sherd_error *error)
{
    if (clock_seconds() < loop->next_checkpoint) return SHERD_OK;
    sherd_status status = write_checkpoint(loop, error);
    loop->next_checkpoint = clock_seconds() + CHECKPOINT_EVERY;
    return status;
}

// From wherever the frame in progress stands to its end. Stops between steps after Ctrl-C.
static sherd_status step_frame(run_loop *loop, progress *shown, sherd_error *error)
{
    const step_plan *plan = &loop->plan;
    int64_t end = (loop->frame + 1) * plan->samples_per_frame;
    int64_t done = step_plan_samples(plan, loop->world);
    sherd_status status = SHERD_OK;
    while (status == SHERD_OK && done < end) {
        status = step_slice(loop, error);
        int64_t now = step_plan_samples(plan, loop->world);
        if (status == SHERD_OK && now > done) status = read_probes(loop, error);
        done = now;
        progress_step(shown);
        if (status == SHERD_OK && stop_requested()) {
            *error = (sherd_error){.status = SHERD_ERROR_INTERRUPTED};
            status = SHERD_ERROR_INTERRUPTED;
        }
        if (status == SHERD_OK && done < end) status = checkpoint_when_due(loop, error);
    }
    return status;
}

sherd_status run_loop_run(run_loop *loop, sherd_error *error)
{
    stop_requests_begin();
    loop->slice_steps = 1;
    sherd_status status = loop->frame < 0 ? finish_frame(loop, 0, error) : SHERD_OK;
    progress shown = progress_start(loop);
    if (loop->frame < loop->plan.frames) progress_frame(&shown);
    loop->next_checkpoint = clock_seconds() + CHECKPOINT_FIRST;
    while (status == SHERD_OK && loop->frame < loop->plan.frames) {
        status = step_frame(loop, &shown, error);
        if (status == SHERD_OK) status = finish_frame(loop, loop->frame + 1, error);
        if (status != SHERD_OK) break;
        progress_frame(&shown);
        status = loop->frame == loop->plan.frames ? write_checkpoint(loop, error)
                                                  : checkpoint_when_due(loop, error);
    }
    progress_end(&shown);
    if (status == SHERD_ERROR_INTERRUPTED) {
        sherd_error failed;
        if (write_checkpoint(loop, &failed) != SHERD_OK) {
            *error = failed;
            status = failed.status;
        }
    }
    stop_requests_end();
    return status;
}
