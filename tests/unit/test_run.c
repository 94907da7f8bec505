// A whole run by the public call: callbacks, stopping, resuming, and refusals.
#include "output/run_file/run_writer.h"

#include <sherd/run.h>

#include <sherd/file.h>
#include <sherd/table.h>
#include <sherd/world.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/redirect.h>

#include <dirent.h>
#include <ftw.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char SCENE[] =
    "sherd: 1\n"
    "name: slab\n"
    "duration: 4 ms\n"
    "output: {frame_rate: 1 kHz, probe_rate: 4 kHz, meshes: [vtk, glb],\n"
    "         render: {enabled: false}}\n"
    "materials:\n"
    "  clay: {density: 2000, youngs_modulus: 50 MPa, poissons_ratio: 0.25,\n"
    "         tensile_strength: 0.2 MPa, shear_strength: 0.3 MPa, weibull_modulus: 8, seed: 3}\n"
    "bodies:\n"
    "  - {name: slab, shape: {box: [20 mm, 16 mm, 5 mm]}, packing: {hcp: {radius: 1.2 mm}},\n"
    "     material: clay, position: [0, 0, 4 mm], rotation: [10 deg, 5 deg, 0],\n"
    "     velocity: [0, 0, -5]}\n"
    "obstacles:\n"
    "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
    "  - {name: roof, plane: {point: [0, 0, 1], normal: [0, 0, -1]}}\n"
    "probes: [floor]\n";

enum { FRAMES = 4, PATH = 256 };

// What a caller's callbacks note.
typedef struct watch {
    int seen[FRAMES + 1];              // times
    uint64_t hash[FRAMES + 1];         // of the world, when the frame was seen
    int64_t stop_at;                   // the frame after which to stop; -1: none
    sherd_stop *stop_soon;             // requested by the first progress; NULL: not
    bool by_signal;                    // in a signal's handler
    int stages[SHERD_RUN_STEPPED + 1]; // times
    int progress, messages[SHERD_MESSAGE_ERROR + 1];
    double fraction; // the last one reported
} watch;

static sherd_stop by_signal;

static void handle(int number)
{
    (void)number;
    sherd_stop_request(&by_signal);
}

static void on_stage(void *context, sherd_run_stage stage, const sherd_run_view *view)
{
    watch *w = context;
    ++w->stages[stage];
    cr_assert(stage == SHERD_RUN_BUILT ? view->model == NULL : view->model->element_count > 0);
}

static void on_progress(void *context, const sherd_run_view *view)
{
    watch *w = context;
    ++w->progress;
    cr_assert(ge(dbl, view->fraction, w->fraction));
    w->fraction = view->fraction;
    if (w->by_signal) raise(SIGUSR1);
    if (w->stop_soon != NULL) sherd_stop_request(w->stop_soon);
}

static sherd_run_answer on_frame(void *context, const sherd_run_view *view)
{
    watch *w = context;
    cr_assert(view->frame >= 0 && view->frame <= FRAMES);
    ++w->seen[view->frame];
    w->hash[view->frame] = sherd_world_state_hash(view->world);
    cr_assert(eq(i64, view->stats->frame, view->frame));
    cr_assert(eq(u64, view->stats->state_hash, w->hash[view->frame]));
    sherd_solver_counts counts = sherd_world_solver_counts(view->world);
    cr_assert(eq(i64, view->stats->implicit_steps, counts.implicit_steps));
    cr_assert(eq(i64, view->stats->unsettled_steps, counts.unsettled_steps));
    cr_assert(eq(int, (int)view->fragments.count, (int)view->stats->fragments));
    return view->frame == w->stop_at ? SHERD_RUN_STOP : SHERD_RUN_GO_ON;
}

static void on_message(void *context, const sherd_message *message)
{
    ++((watch *)context)->messages[message->level];
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

static void remove_folder(const char *folder)
{
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void make_folder(char folder[PATH])
{
    snprintf(folder, PATH, "/tmp/sherd-run-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static sherd_scene *load(const char *setting)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene_options options = {NULL, setting != NULL, &setting};
    sherd_scene *scene =
        sherd_scene_parse(SCENE, strlen(SCENE), "slab.yaml", &options, &diagnostics);
    cr_assert(ne(ptr, scene, NULL), "%s", diagnostics.count > 0 ? diagnostics.errors[0].what : "");
    return scene;
}

static sherd_run_def define(const sherd_scene *scene, const char *folder, watch *w)
{
    sherd_run_def def = sherd_run_def_default();
    def.scene = scene;
    def.folder = folder;
    def.threads = 2;
    def.on_stage = on_stage;
    def.on_progress = on_progress;
    def.on_frame = on_frame;
    def.on_message = on_message;
    def.context = w;
    return def;
}

static sherd_run_result run(const sherd_run_def *def)
{
    sherd_run_result result;
    sherd_error error = {0};
    sherd_status status = sherd_run_scene(def, &result, &error);
    cr_assert(eq(int, (int)status, SHERD_OK), "%s: %s", error.where, error.what);
    return result;
}

// The hashes of stats.csv are those given, frame by frame.
static void check_table(const char *folder, const uint64_t *hash)
{
    char path[PATH + 16];
    sherd_error error;
    snprintf(path, sizeof path, "%s/stats.csv", folder);
    sherd_table *table = sherd_table_read(path, &error);
    cr_assert_not_null(table);
    int column = sherd_table_find_column(table, "state_hash");
    cr_assert(eq(i64, sherd_table_row_count(table), FRAMES + 1));
    for (int k = 0; k <= FRAMES; ++k) {
        uint64_t there = strtoull(sherd_table_text(table, k, column), NULL, 16);
        cr_assert(eq(u64, there, hash[k]), "frame %d", k);
    }
    sherd_table_destroy(table);
}

static bool has_file(const char *folder, const char *name)
{
    char path[PATH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return sherd_file_exists(path);
}

Test(run, shows_every_frame_once_and_prints_nothing)
{
    char folder[PATH];
    watch w = {.stop_at = -1};
    cr_redirect_stdout();
    cr_redirect_stderr();
    make_folder(folder);
    sherd_scene *scene = load(NULL);
    sherd_run_def def = define(scene, folder, &w);
    sherd_run_result result = run(&def);
    for (int k = 0; k <= FRAMES; ++k)
        cr_assert(eq(int, w.seen[k], 1), "frame %d", k);
    check_table(folder, w.hash);
    cr_assert(eq(int, (int)result.end, SHERD_RUN_FINISHED));
    cr_assert(eq(i64, result.frame, FRAMES));
    cr_assert(lt(i64, 0, result.stats.broken_bonds));
    cr_assert(lt(int, 0, w.progress));
    for (int k = 0; k <= SHERD_RUN_STEPPED; ++k)
        cr_assert(eq(int, w.stages[k], 1), "stage %d", k);
    cr_assert(eq(int, w.messages[SHERD_MESSAGE_WARNING], result.warnings));
    cr_assert(eq(int, w.messages[SHERD_MESSAGE_ERROR], 0));
    cr_assert(eq(int, result.diagnosis.count, 0));
    cr_assert(has_file(folder, "report.html"));
    cr_assert(has_file(folder, "run.glb"));
    cr_assert(has_file(folder, "vtk/surface.pvd"));
    sherd_scene_destroy(scene);
    remove_folder(folder);
    cr_assert_stdout_eq_str("");
    cr_assert_stderr_eq_str("");
}

Test(run, tells_why_nothing_broke)
{
    char folder[PATH];
    watch w = {.stop_at = -1};
    make_folder(folder);
    sherd_scene *scene = load("materials.clay.unbreakable=true");
    sherd_run_def def = define(scene, folder, &w);
    sherd_run_result result = run(&def);
    cr_assert(eq(i64, result.stats.broken_bonds, 0));
    cr_assert(eq(int, result.diagnosis.count, 1));
    cr_assert(eq(int, strncmp(result.diagnosis.findings[0].text, "Nothing broke: ", 15), 0), "%s",
              result.diagnosis.findings[0].text);
    watch again = {.stop_at = -1};
    def.context = &again;
    def.summary = SHERD_RUN_SUMMARY_NONE;
    result = run(&def);
    cr_assert(eq(int, result.diagnosis.count, 0));
    sherd_scene_destroy(scene);
    remove_folder(folder);
}

Test(run, goes_on_where_a_callback_stopped_it)
{
    char straight[PATH], folder[PATH];
    watch whole = {.stop_at = -1}, first = {.stop_at = 2}, second = {.stop_at = -1};
    make_folder(straight);
    make_folder(folder);
    sherd_scene *scene = load(NULL);
    sherd_run_def def = define(scene, straight, &whole);
    run(&def);

    def = define(scene, folder, &first);
    sherd_run_result result = run(&def);
    cr_assert(eq(int, (int)result.end, SHERD_RUN_STOPPED));
    cr_assert(eq(i64, result.frame, 2));
    cr_assert(not(has_file(folder, "run.glb"))); // of whole runs only

    def = define(scene, folder, &second);
    def.begin = SHERD_RUN_RESUME;
    result = run(&def);
    cr_assert(eq(int, (int)result.end, SHERD_RUN_FINISHED));
    cr_assert(eq(i64, result.resumed_at, 2));
    cr_assert(eq(int, second.seen[2], 0));
    cr_assert(eq(int, second.seen[3], 1));
    check_table(folder, whole.hash);
    sherd_scene_destroy(scene);
    remove_folder(straight);
    remove_folder(folder);
}

// Between two frames; the readings of probes since the last one are in the checkpoint, too.
Test(run, stops_when_a_signals_handler_asks)
{
    char straight[PATH], folder[PATH];
    watch whole = {.stop_at = -1}, first = {.stop_at = -1, .by_signal = true};
    make_folder(straight);
    make_folder(folder);
    sherd_scene *scene = load(NULL);
    sherd_run_def def = define(scene, straight, &whole);
    run(&def);
    signal(SIGUSR1, handle);
    def = define(scene, folder, &first);
    def.stop = &by_signal;
    sherd_run_result result = run(&def);
    cr_assert(eq(int, (int)result.end, SHERD_RUN_STOPPED));
    cr_assert(eq(int, first.progress, 1));
    cr_assert(eq(i64, result.frame, 0));

    watch second = {.stop_at = -1};
    def = define(scene, folder, &second);
    def.begin = SHERD_RUN_RESUME;
    run(&def);
    check_table(folder, whole.hash);
    sherd_scene_destroy(scene);
    remove_folder(straight);
    remove_folder(folder);
}

// What one probe read, row by row, as it is written.
static char *rows_of(const char *folder, const char *probe)
{
    char path[PATH + 16];
    sherd_error error;
    snprintf(path, sizeof path, "%s/probes.csv", folder);
    sherd_table *table = sherd_table_read(path, &error);
    cr_assert_not_null(table);
    char *text = calloc(1, 1 << 16);
    size_t used = 0;
    for (int64_t row = 0; row < sherd_table_row_count(table); ++row)
        for (int c = 0; strcmp(sherd_table_text(table, row, 2), probe) == 0 &&
                        c < sherd_table_column_count(table);
             ++c)
            used += (size_t)snprintf(text + used, (1 << 16) - used, "%s ",
                                     sherd_table_text(table, row, c));
    sherd_table_destroy(table);
    return text;
}

// Readings of the frame in progress belong to the probe of their name, whatever its number is now.
Test(run, goes_on_with_other_probes)
{
    char straight[PATH], folder[PATH];
    watch whole = {.stop_at = -1}, first = {.stop_at = -1, .by_signal = true};
    make_folder(straight);
    make_folder(folder);
    sherd_scene *scene = load(NULL), *more = load("probes=[roof, floor]");
    sherd_run_def def = define(scene, straight, &whole);
    run(&def);
    signal(SIGUSR1, handle);
    def = define(scene, folder, &first);
    def.stop = &by_signal;
    run(&def);
    watch second = {.stop_at = -1};
    def = define(more, folder, &second);
    def.begin = SHERD_RUN_RESUME;
    run(&def);
    char *wanted = rows_of(straight, "floor"), *got = rows_of(folder, "floor");
    cr_assert(lt(sz, 0, strlen(wanted)));
    cr_assert(eq(str, got, wanted));
    free(wanted);
    free(got);
    sherd_scene_destroy(scene);
    sherd_scene_destroy(more);
    remove_folder(straight);
    remove_folder(folder);
}

// What former versions left in checkpoints beside the world was no record.
Test(run, refuses_checkpoints_of_former_versions)
{
    char folder[PATH];
    sherd_error error = {0};
    watch w = {.stop_at = 2};
    make_folder(folder);
    sherd_scene *scene = load(NULL);
    sherd_run_def def = define(scene, folder, &w);
    run(&def);
    sherd_run *there = sherd_run_open(folder, &error);
    sherd_run_checkpoint *checkpoint = sherd_run_read_checkpoint(there, &error);
    cr_assert(ne(ptr, checkpoint, NULL), "%s", error.what);
    sherd_run_checkpoint former = *checkpoint;
    former.extra = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    former.extra_size = 16;
    sherd_run_writer *writer = sherd_run_writer_resume(folder, checkpoint->frame, 1, &error);
    cr_assert(eq(int, (int)sherd_run_writer_checkpoint(writer, &former, &error), SHERD_OK));
    cr_assert(eq(int, (int)sherd_run_writer_close(writer, &error), SHERD_OK));
    sherd_run_checkpoint_destroy(checkpoint);
    sherd_run_close(there);

    def.begin = SHERD_RUN_RESUME;
    sherd_run_result result;
    sherd_status status = sherd_run_scene(&def, &result, &error);
    cr_assert(eq(int, (int)status, SHERD_ERROR_UNSUPPORTED));
    cr_assert_not_null(strstr(error.what, "older version"), "what: %s", error.what);
    cr_assert_not_null(strstr(error.hint, "without --resume"), "hint: %s", error.hint);
    sherd_scene_destroy(scene);
    remove_folder(folder);
}

static void expect_refusal(const sherd_run_def *def, const char *where, const char *what)
{
    sherd_run_result result;
    sherd_error error = {0};
    cr_assert(eq(int, (int)sherd_run_scene(def, &result, &error), SHERD_ERROR_INPUT));
    cr_assert_not_null(strstr(error.where, where), "where: %s", error.where);
    cr_assert_not_null(strstr(error.what, what), "what: %s", error.what);
    cr_assert(eq(int, (int)result.end, SHERD_RUN_FAILED));
}

Test(run, says_where_it_is_wrong)
{
    char folder[PATH], path[PATH + 32];
    sherd_error error;
    watch w = {.stop_at = 1};
    make_folder(folder);
    sherd_scene *scene = load(NULL), *softer = load("materials.clay.youngs_modulus=40 MPa");
    sherd_run_def def = {.scene = scene};
    expect_refusal(&def, "run", "not initialised");
    def = sherd_run_def_default();
    expect_refusal(&def, "run.scene", "no scene");

    snprintf(path, sizeof path, "%s/none.yaml", folder);
    sherd_run_result result;
    def.scene_path = path;
    cr_assert(ne(int, (int)sherd_run_scene(&def, &result, &error), SHERD_OK));
    cr_assert_not_null(strstr(error.where, "none.yaml"), "where: %s", error.where);

    // A file of somebody else's in the place of a table.
    snprintf(path, sizeof path, "%s/stats.csv", folder);
    cr_assert(eq(int, (int)sherd_file_write(path, "mine\n", 5, &error), SHERD_OK));
    def = define(scene, folder, &w);
    expect_refusal(&def, "stats.csv", "was not written by Sherd");
    cr_assert(eq(i64, sherd_file_size(path), 5));
    remove(path);

    // Another scene's run can't be gone on with.
    run(&def);
    def.scene = softer;
    def.begin = SHERD_RUN_RESUME;
    expect_refusal(&def, folder, "other physical settings");
    sherd_scene_destroy(scene);
    sherd_scene_destroy(softer);
    remove_folder(folder);
}

// Loads of bonds and forces of contacts, in frames, tables and files for ParaView.
static sherd_scene *load_with_loads(void)
{
    static const char *const settings[] = {"output.contacts=true", "output.bond_loads=true",
                                           "output.stress=true", "duration=0.8 ms",
                                           "output.frame_rate=5 kHz"}; // during the impact
    sherd_diagnostics diagnostics = {0};
    sherd_scene_options options = {NULL, 5, settings};
    sherd_scene *scene =
        sherd_scene_parse(SCENE, strlen(SCENE), "slab.yaml", &options, &diagnostics);
    cr_assert(ne(ptr, scene, NULL), "%s", diagnostics.count > 0 ? diagnostics.errors[0].what : "");
    return scene;
}

static sherd_table *read_table(const char *folder, const char *name)
{
    char path[PATH + 64];
    sherd_error error;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    sherd_table *table = sherd_table_read(path, &error);
    cr_assert(ne(ptr, table, NULL), "%s", error.what);
    return table;
}

static double cell(const sherd_table *table, int64_t row, const char *column)
{
    return sherd_table_number(table, row, sherd_table_find_column(table, column));
}

// Rows of all frames, one after the other, as the frames have them.
static void check_contact_table(const sherd_table *table, sherd_run *there)
{
    sherd_error error;
    int64_t row = 0;
    for (int64_t k = 0; k <= FRAMES; ++k) {
        sherd_run_frame *frame = sherd_run_read_frame(there, k, &error);
        cr_assert(ne(ptr, (void *)frame->contacts, NULL));
        for (int64_t c = 0; c < frame->contact_count; ++c, ++row) {
            const sherd_contact_force *f = &frame->contacts[c];
            cr_assert(eq(dbl, cell(table, row, "frame"), (double)k));
            cr_assert(eq(dbl, cell(table, row, "i"), (double)f->i));
            cr_assert(eq(dbl, cell(table, row, "x_m"), f->place.x)); // 17 digits
            const char *on =
                sherd_table_text(table, row, sherd_table_find_column(table, "j_obstacle"));
            cr_assert(eq(str, (char *)on, f->j_obstacle == 0 ? "floor" : ""));
            const double force[3] = {f->normal_force * f->normal.x + f->friction.x,
                                     f->normal_force * f->normal.y + f->friction.y,
                                     f->normal_force * f->normal.z + f->friction.z};
            static const char *const NAMES[3] = {"force_x_n", "force_y_n", "force_z_n"};
            for (int axis = 0; axis < 3; ++axis) // cells have nine digits
                cr_assert(epsilon_eq(dbl, cell(table, row, NAMES[axis]), force[axis],
                                     1e-8 * fabs(force[axis])));
        }
        sherd_run_frame_destroy(frame);
    }
    cr_assert(lt(i64, 0, row), "nothing touches");
    cr_assert(eq(i64, sherd_table_row_count(table), row));
}

Test(run, exports_loads_and_contacts)
{
    char folder[PATH], path[PATH + 64];
    sherd_error error = {0};
    watch w = {.stop_at = -1};
    make_folder(folder);
    sherd_scene *scene = load_with_loads();
    sherd_run_def def = define(scene, folder, &w);
    run(&def);
    snprintf(path, sizeof path, "%s/vtk/contacts_000002.vtp", folder);
    cr_assert(sherd_file_exists(path), "files for ParaView of a run");
    snprintf(path, sizeof path, "%s/vtk/contacts.pvd", folder);
    cr_assert(sherd_file_exists(path));

    sherd_replay_def replay = sherd_replay_def_default();
    sherd_export_result made;
    replay.run = sherd_run_open(folder, &error);
    replay.folder = folder;
    replay.last = FRAMES;
    int csv = sherd_export_format_find("csv");
    cr_assert(eq(int, (int)sherd_replay_export(&replay, csv, &made, &error), SHERD_OK), "%s",
              error.what);
    sherd_table *contacts = read_table(folder, "csv/contacts.csv"),
                *bonds = read_table(folder, "csv/bonds_000004.csv");
    check_contact_table(contacts, replay.run);
    // Of intact bonds numbers, of broken ones none.
    int64_t broken = 0, loaded = 0;
    for (int64_t k = 0; k < sherd_table_row_count(bonds); ++k) {
        bool is_broken = cell(bonds, k, "broken") != 0.0;
        cr_assert(isnan(cell(bonds, k, "normal_force_n")) == is_broken);
        cr_assert(isnan(cell(bonds, k, "bond_stress_ratio")) == is_broken);
        broken += is_broken;
        loaded += cell(bonds, k, "shear_force_n") > 0.0;
    }
    cr_assert(lt(i64, 0, broken));
    cr_assert(lt(i64, 0, loaded));
    sherd_table_destroy(contacts);
    sherd_table_destroy(bonds);
    sherd_run_close(replay.run);
    sherd_scene_destroy(scene);
    remove_folder(folder);
}

// What a model or a law tells of elements and bonds; here a caller does, who writes a run of one frame.
Test(run, exports_the_columns_of_frames)
{
    char folder[PATH], other[PATH];
    sherd_error error = {0};
    watch w = {.stop_at = 0};
    make_folder(folder);
    make_folder(other);
    sherd_scene *scene = load(NULL);
    sherd_run_def def = define(scene, folder, &w);
    run(&def);
    sherd_run *there = sherd_run_open(folder, &error);
    sherd_run_info info = sherd_run_get_info(there);
    sherd_run_model model = sherd_run_get_model(there);
    sherd_run_frame *frame = sherd_run_read_frame(there, 0, &error), more = *frame;
    float *numbers = calloc((size_t)(model.element_count + model.bond_count), sizeof *numbers);
    const sherd_run_column columns[] = {{"warmth_k", SHERD_RUN_PER_ELEMENT, numbers},
                                        {"yield", SHERD_RUN_PER_BOND, numbers}};
    numbers[3] = 7.0f;
    more.columns = columns;
    more.column_count = 2;
    sherd_run_writer *writer = sherd_run_writer_create(other, &info, &model, 1, &error);
    cr_assert(eq(int, (int)sherd_run_writer_frame(writer, &more, &error), SHERD_OK));
    cr_assert(eq(int, (int)sherd_run_writer_close(writer, &error), SHERD_OK));

    sherd_replay_def replay = sherd_replay_def_default();
    sherd_export_result made;
    replay.run = sherd_run_open(other, &error);
    replay.folder = other;
    int csv = sherd_export_format_find("csv");
    cr_assert(eq(int, (int)sherd_replay_export(&replay, csv, &made, &error), SHERD_OK), "%s",
              error.what);
    const char *const names[] = {"csv/elements_000000.csv", "csv/bonds_000000.csv"};
    for (int k = 0; k < 2; ++k) {
        char path[PATH + 64];
        snprintf(path, sizeof path, "%s/%s", other, names[k]);
        sherd_table *table = sherd_table_read(path, &error);
        cr_assert(ne(ptr, table, NULL), "%s", error.what);
        int column = sherd_table_find_column(table, columns[k].name);
        cr_assert(eq(dbl, sherd_table_number(table, 3, column), 7.0));
        sherd_table_destroy(table);
    }
    sherd_run_close(replay.run);
    sherd_run_frame_destroy(frame);
    sherd_run_close(there);
    free(numbers);
    sherd_scene_destroy(scene);
    remove_folder(folder);
    remove_folder(other);
}

// What is there of a stopped run is exported without simulating; what an export refuses has a place, too.
Test(run, exports_its_frames)
{
    char folder[PATH];
    sherd_error error = {0};
    sherd_export_result made;
    watch w = {.stop_at = 2};
    make_folder(folder);
    sherd_scene *scene = load(NULL);
    sherd_run_def def = define(scene, folder, &w);
    run(&def);
    sherd_replay_def replay = sherd_replay_def_default();
    replay.run = sherd_run_open(folder, &error);
    replay.folder = folder;
    replay.last = 2;
    int csv = sherd_export_format_find("csv"), glb = sherd_export_format_find("glb");
    cr_assert(eq(int, (int)sherd_replay_export(&replay, csv, &made, &error), SHERD_OK));
    cr_assert(has_file(folder, "csv/elements_000002.csv"));
    cr_assert(not(has_file(folder, "csv/elements_000003.csv")));
    cr_assert(eq(int, (int)sherd_replay_export(&replay, glb, &made, &error), SHERD_ERROR_INPUT));
    cr_assert_str_eq(error.where, "replay.scene");
    replay.scene = scene;
    cr_assert(eq(int, (int)sherd_replay_export(&replay, glb, &made, &error), SHERD_OK));
    cr_assert(lt(int, 0, made.pieces));
    cr_assert(eq(int, sherd_export_format_find("fbx"), -1));
    cr_assert(eq(int, (int)sherd_replay_export(&replay, -1, &made, &error), SHERD_ERROR_INPUT));
    replay.last = 3;
    cr_assert(eq(int, (int)sherd_replay_export(&replay, csv, &made, &error), SHERD_ERROR_INPUT));
    cr_assert_str_eq(error.where, "replay.last");
    sherd_run_close(replay.run);
    sherd_scene_destroy(scene);
    remove_folder(folder);
}
