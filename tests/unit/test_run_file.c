// The run file: what is written comes back, whatever happens to the file's end or middle.
#include "base/file_writer.h"
#include "base/memory.h"
#include "base/random.h"
#include "output/run_file/run_check.h"
#include "output/run_file/run_paths.h"
#include "output/run_file/run_writer.h"
#include "unit/former_run.h"

#include <sherd/file.h>
#include <sherd/run_file.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

enum { N = 60, M = 100, OBSTACLES = 2, FRAMES = 4, NOW = 5 }; // NOW: the format written

typedef struct fixture {
    char folder[64], path[96];
    double rest[3][N], radius[N], mass[N], now[10][N];
    uint16_t material[N];
    sherd_element_index bond_i[M], bond_j[M];
    float section[M];
    uint8_t broken[M];
    float stress[N];
    sherd_fragment_id fragment[N];
    sherd_pose obstacles[OBSTACLES];
} fixture;

static const sherd_body_info bodies[] = {{"plate \"a\"", 0, 40, 0}, {"b", 40, 20, 1}};
static const char *const materials[] = {"ceramic", "glass"};
static const char *const obstacles[] = {"floor", "ball"};

static sherd_run_info example_info(void)
{
    return (sherd_run_info){.name = "plate",
                            .scene_text = "sherd: 1\n",
                            .variant = "paper",
                            .version = "0.1.0",
                            .duration = 0.5,
                            .frame_interval = 0.01,
                            .frames_planned = 51};
}

static sherd_run_model example_model(const fixture *f)
{
    return (sherd_run_model){.element_count = N,
                             .rest_x = f->rest[0],
                             .rest_y = f->rest[1],
                             .rest_z = f->rest[2],
                             .radius = f->radius,
                             .mass = f->mass,
                             .material = f->material,
                             .bond_count = M,
                             .bond_i = f->bond_i,
                             .bond_j = f->bond_j,
                             .body_count = 2,
                             .bodies = bodies,
                             .material_count = 2,
                             .material_names = materials,
                             .obstacle_count = OBSTACLES,
                             .obstacle_names = obstacles,
                             .bond_section = f->section};
}

// The state of frame k, a function of k alone.
static sherd_run_frame example_frame(fixture *f, int64_t k)
{
    for (int c = 0; c < 10; ++c)
        for (int e = 0; e < N; ++e)
            f->now[c][e] = 2.0 * sherd_random_uniform(5, (uint64_t)(10 * k + c), (uint64_t)e) - 1.0;
    for (int e = 0; e < N; ++e) {
        double *q[4] = {&f->now[3][e], &f->now[4][e], &f->now[5][e], &f->now[6][e]};
        double length = sqrt(*q[0] * *q[0] + *q[1] * *q[1] + *q[2] * *q[2] + *q[3] * *q[3]);
        for (int c = 0; c < 4; ++c)
            *q[c] /= length;
        f->stress[e] = (float)e / (float)(k + 1);
        f->fragment[e] = (sherd_fragment_id)(e % (k + 1) + 1);
    }
    for (int b = 0; b < M; ++b)
        f->broken[b] = b < 7 * k;
    f->obstacles[1] = (sherd_pose){{0.1 * (double)k, 2.0, 3.0}, {0.0, 0.6, 0.0, 0.8}};
    double(*c)[N] = f->now;
    return (sherd_run_frame){
        .index = k,
        .time = 0.01 * (double)k,
        .x = c[0],
        .y = c[1],
        .z = c[2],
        .qx = c[3],
        .qy = c[4],
        .qz = c[5],
        .qw = c[6],
        .vx = c[7],
        .vy = c[8],
        .vz = c[9],
        .stress_ratio = f->stress,
        .element_fragment = f->fragment,
        .bond_broken = f->broken,
        .obstacles = f->obstacles,
        .stats = {
            .frame = k,
            .time = 0.01 * (double)k,
            .steps = 100 * k,
            .energy = {.kinetic = 1.0 / 3.0, .max_stress_ratio = 0.9, .dissipated_onset = 0.25},
            .state_hash = UINT64_C(0xfedcba9876543210),
            .angular_momentum = {1.0, 2.0, (double)k},
            .implicit_steps = 50 * k,
            .unsettled_steps = k,
            .torn = 3 * k}};
}

static void fixture_init(fixture *f)
{
    memset(f, 0, sizeof *f);
    snprintf(f->folder, sizeof f->folder, "/tmp/sherd-test-XXXXXX");
    cr_assert(mkdtemp(f->folder) != NULL);
    snprintf(f->path, sizeof f->path, "%s/run.sherd", f->folder);
    for (int e = 0; e < N; ++e) {
        f->rest[0][e] = 0.001 * e;
        f->rest[2][e] = -0.1 / (e + 1);
        f->radius[e] = 0.001;
        f->mass[e] = 1e-5 + 1e-9 * e;
        f->material[e] = e >= 40;
    }
    for (int b = 0; b < M; ++b) {
        f->bond_i[b] = b % (N - 1);
        f->bond_j[b] = b % (N - 1) + 1;
        f->section[b] = 1e-6f * (float)(b + 1);
    }
    f->obstacles[0].rotation = SHERD_QUAT_IDENTITY;
}

static void fixture_remove(const fixture *f)
{
    static const char *const names[] = {"run.sherd", "checkpoint.sherd", "checkpoint-former.sherd"};
    char path[128];
    for (int k = 0; k < 3; ++k) {
        cr_assert(sherd_path_join(path, sizeof path, f->folder, names[k]));
        unlink(path);
    }
    // Fails when a temporary file was left behind.
    cr_assert(eq(int, rmdir(f->folder), 0));
}

static sherd_run_writer *write_run(fixture *f, int frames)
{
    sherd_error err = {0};
    sherd_run_info info = example_info();
    sherd_run_model model = example_model(f);
    sherd_run_writer *writer = sherd_run_writer_create(f->folder, &info, &model, 1, &err);
    cr_assert(writer != NULL, "%s: %s", err.where, err.what);
    for (int k = 0; k < frames; ++k) {
        sherd_run_frame frame = example_frame(f, k);
        cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_OK, "%s", err.what);
    }
    return writer;
}

// The same as a former version would have written it.
static void write_former(fixture *f, const sherd_run_info *info, int frames, int version)
{
    sherd_run_model model = example_model(f);
    former_run run = former_run_begin(f->path, info, &model, version);
    uint8_t before[M] = {0};
    for (int k = 0; k < frames; ++k) {
        sherd_run_frame frame = example_frame(f, k);
        sherd_bond_index newly[M], count = 0;
        for (sherd_bond_index b = 0; b < M; ++b)
            if (f->broken[b] && !before[b]) newly[count++] = b;
        memcpy(before, f->broken, sizeof before);
        former_run_frame(&run, &frame, newly, count);
    }
    former_run_end(&run);
}

static void check_frame(fixture *f, sherd_run *run, int64_t k)
{
    sherd_error err = {0};
    sherd_run_frame *got = sherd_run_read_frame(run, k, &err);
    cr_assert(got != NULL, "frame %d: %s", (int)k, err.what);
    sherd_run_frame want = example_frame(f, k);
    cr_assert(got->index == k && got->time == want.time);
    cr_assert(memcmp(got->x, want.x, sizeof f->now[0]) == 0);
    cr_assert(memcmp(got->z, want.z, sizeof f->now[0]) == 0);
    for (int e = 0; e < N; ++e) {
        // Floats: half a unit in the last place of numbers below 1, and the renormalisation.
        cr_assert(epsilon_eq(dbl, got->qx[e], want.qx[e], 2e-7));
        cr_assert(epsilon_eq(dbl, got->qw[e], want.qw[e], 2e-7));
        cr_assert(epsilon_eq(dbl, got->vy[e], want.vy[e], 1e-7));
    }
    cr_assert(memcmp(got->stress_ratio, want.stress_ratio, sizeof f->stress) == 0);
    cr_assert(memcmp(got->element_fragment, want.element_fragment, sizeof f->fragment) == 0);
    cr_assert(memcmp(got->bond_broken, want.bond_broken, sizeof f->broken) == 0);
    cr_assert(got->obstacles[1].position.x == want.obstacles[1].position.x);
    cr_assert(got->obstacles[1].rotation.w == 0.8);
    cr_assert(got->stats.energy.kinetic == 1.0 / 3.0 && got->stats.energy.max_stress_ratio == 0.9);
    cr_assert(got->stats.state_hash == UINT64_C(0xfedcba9876543210));
    cr_assert(got->stats.steps == 100 * k && got->stats.angular_momentum.z == (double)k);
    sherd_run_frame_destroy(got);
}

Test(run_file, everything_comes_back)
{
    fixture f;
    fixture_init(&f);
    sherd_error err = {0};
    cr_assert(sherd_run_writer_close(write_run(&f, FRAMES), &err) == SHERD_OK);
    sherd_run *run = sherd_run_open(f.folder, &err);
    cr_assert(run != NULL, "%s", err.what);
    cr_assert(sherd_run_frame_count(run) == FRAMES && sherd_run_ignored_bytes(run) == 0);
    sherd_run_info info = sherd_run_get_info(run);
    cr_assert(eq(str, (char *)info.scene_text, "sherd: 1\n"));
    cr_assert(eq(int, info.setting_count, 0));
    cr_assert(info.duration == 0.5 && info.frames_planned == 51);
    sherd_run_model model = sherd_run_get_model(run);
    cr_assert(model.element_count == N && model.bond_count == M && model.body_count == 2);
    cr_assert(eq(str, (char *)model.bodies[0].name, "plate \"a\""));
    cr_assert(model.bodies[1].first == 40 && model.bodies[1].material == 1);
    cr_assert(eq(str, (char *)model.obstacle_names[1], "ball"));
    cr_assert(memcmp(model.rest_z, f.rest[2], sizeof f.rest[2]) == 0);
    cr_assert(memcmp(model.mass, f.mass, sizeof f.mass) == 0);
    cr_assert(memcmp(model.bond_j, f.bond_j, sizeof f.bond_j) == 0);
    cr_assert(memcmp(model.bond_section, f.section, sizeof f.section) == 0);
    for (int64_t k = FRAMES - 1; k >= 0; --k)
        check_frame(&f, run, k);
    sherd_run_stats stats;
    cr_assert(sherd_run_read_stats(run, 2, &stats, &err) == SHERD_OK && stats.steps == 200);
    cr_assert(stats.implicit_steps == 100 && stats.unsettled_steps == 2 && stats.torn == 6);
    cr_assert(sherd_run_read_frame(run, FRAMES, &err) == NULL);
    cr_assert(err.status == SHERD_ERROR_INPUT);
    sherd_run_close(run);
    fixture_remove(&f);
}

// Whatever a command line can hold: lines, quotes, backslashes, nothing, a hundred kilobytes.
Test(run_file, settings_come_back_whole)
{
    static char large[100000];
    memset(large, '7', sizeof large - 1);
    const char *const settings[] = {"digest=1:2", "a=[1,\n 2]\n", "b='\\n'",
                                    "",           large,          "c=\xc2\xb5"};
    enum { COUNT = sizeof settings / sizeof settings[0] };
    fixture f;
    fixture_init(&f);
    sherd_error err = {0};
    sherd_run_info info = example_info();
    info.setting_count = COUNT;
    info.settings = settings;
    sherd_run_model model = example_model(&f);
    sherd_run_writer *writer = sherd_run_writer_create(f.folder, &info, &model, 1, &err);
    cr_assert(sherd_run_writer_close(writer, &err) == SHERD_OK, "%s", err.what);
    sherd_run *run = sherd_run_open(f.folder, &err);
    cr_assert(run != NULL, "%s", err.what);
    info = sherd_run_get_info(run);
    cr_assert(eq(int, info.setting_count, COUNT));
    for (int k = 0; k < COUNT; ++k)
        cr_assert(strcmp(info.settings[k], settings[k]) == 0, "setting %d", k);
    sherd_run_close(run);
    fixture_remove(&f);
}

// Body "b" as 20 tetrahedra of 23 vertices.
static sherd_run *write_and_open_tetras(fixture *f, int32_t bad_corner, sherd_error *err)
{
    static double vertices[3 * 23];
    static int32_t corners[4 * 20];
    for (int k = 0; k < 3 * 23; ++k)
        vertices[k] = 1.0 / (k + 1);
    for (int k = 0; k < 4 * 20; ++k)
        corners[k] = k / 4 + k % 4;
    corners[7] += bad_corner;
    const sherd_tetra_mesh mesh = {23, 20, vertices, corners};
    const sherd_tetra_mesh *const tetras[] = {NULL, &mesh};
    sherd_run_info info = example_info();
    sherd_run_model model = example_model(f);
    model.tetras = tetras;
    sherd_run_writer *writer = sherd_run_writer_create(f->folder, &info, &model, 1, err);
    cr_assert(writer != NULL, "%s: %s", err->where, err->what);
    cr_assert(sherd_run_writer_close(writer, err) == SHERD_OK);
    return sherd_run_open(f->folder, err);
}

Test(run_file, meshes_of_tetrahedra_come_back)
{
    fixture f;
    fixture_init(&f);
    sherd_error err = {0};
    sherd_run *run = write_and_open_tetras(&f, 0, &err);
    cr_assert(run != NULL, "%s", err.what);
    sherd_run_model model = sherd_run_get_model(run);
    cr_assert(model.tetras != NULL && model.tetras[0] == NULL && model.tetras[1] != NULL);
    cr_assert(model.tetras[1]->vertex_count == 23 && model.tetras[1]->tetra_count == 20);
    cr_assert(model.tetras[1]->vertices[68] == 1.0 / 69.0);
    cr_assert(model.tetras[1]->tetras[79] == 22);
    sherd_run_close(run);
    cr_assert(write_and_open_tetras(&f, 1000, &err) == NULL);
    cr_assert(err.status == SHERD_ERROR_INPUT && strstr(err.what, "model") != NULL);
    fixture_remove(&f);
}

Test(run_file, repeated_runs_write_the_same_bytes)
{
    fixture f;
    fixture_init(&f);
    unsigned char *first, *second;
    size_t first_size, second_size;
    cr_assert(sherd_run_writer_close(write_run(&f, 2), NULL) == SHERD_OK);
    cr_assert(sherd_file_read(f.path, &first, &first_size, NULL) == SHERD_OK);
    cr_assert(sherd_run_writer_close(write_run(&f, 2), NULL) == SHERD_OK);
    cr_assert(sherd_file_read(f.path, &second, &second_size, NULL) == SHERD_OK);
    cr_assert(first_size == second_size && memcmp(first, second, first_size) == 0);
    sherd_free(first);
    sherd_free(second);
    fixture_remove(&f);
}

// Only what says by its first bytes that it is a run may be replaced.
Test(run_file, a_foreign_file_of_its_name_stays)
{
    fixture f;
    fixture_init(&f);
    sherd_error err = {0};
    sherd_run_info info = example_info();
    sherd_run_model model = example_model(&f);
    cr_assert(eq(int, sherd_run_find(f.folder), SHERD_RUN_ABSENT));
    cr_assert(sherd_file_write(f.path, "SHERDRUN, notes on", 18, NULL) == SHERD_OK);
    cr_assert(eq(int, sherd_run_find(f.folder), SHERD_RUN_FOREIGN));
    cr_assert(sherd_run_writer_create(f.folder, &info, &model, 1, &err) == NULL);
    cr_assert(err.status == SHERD_ERROR_INPUT && strstr(err.what, "not a run") != NULL);
    cr_assert(eq(int, (int)sherd_file_size(f.path), 18));
    cr_assert(sherd_file_write(f.path, "", 0, NULL) == SHERD_OK);
    cr_assert(sherd_run_writer_close(write_run(&f, 1), NULL) == SHERD_OK);
    cr_assert(eq(int, sherd_run_find(f.folder), SHERD_RUN_PRESENT));
    fixture_remove(&f);
}

Test(run_file, refuses_what_makes_no_sense)
{
    fixture f;
    fixture_init(&f);
    sherd_error err = {0};
    sherd_run_writer *writer = write_run(&f, 2);
    sherd_run_frame frame = example_frame(&f, 3);
    cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_ERROR_INPUT);
    frame = example_frame(&f, 2);
    f.now[9][33] = NAN;
    cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_ERROR_UNSTABLE);
    cr_assert(eq(str, err.where, "element 33"));
    frame = example_frame(&f, 2);
    f.broken[0] = 0;
    cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_ERROR_INPUT);
    frame = example_frame(&f, 2);
    cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_OK);
    cr_assert(sherd_run_writer_close(writer, &err) == SHERD_OK);
    cr_assert(sherd_run_open("/nowhere/at/all", &err) == NULL && err.status == SHERD_ERROR_IO);
    fixture_remove(&f);
}

static sherd_status write_checkpoint(sherd_run_writer *writer, const fixture *f, int64_t frame,
                                     char mark)
{
    const char state[] = {mark, 2, 3};
    sherd_run_checkpoint checkpoint = {.frame = frame,
                                       .state = state,
                                       .state_size = sizeof state,
                                       .element_fragment = f->fragment,
                                       .element_count = N,
                                       .next_fragment = 17,
                                       .extra = "more",
                                       .extra_size = 4};
    return sherd_run_writer_checkpoint(writer, &checkpoint, NULL);
}

static int64_t newest_checkpoint(const fixture *f, char mark)
{
    sherd_error err = {0};
    sherd_run *run = sherd_run_open(f->folder, &err);
    cr_assert(run != NULL, "%s", err.what);
    sherd_run_checkpoint *checkpoint = sherd_run_read_checkpoint(run, &err);
    int64_t frame = -2;
    if (checkpoint != NULL) {
        frame = checkpoint->frame;
        cr_assert(checkpoint->state_size == 3 && *(const char *)checkpoint->state == mark);
        cr_assert(checkpoint->next_fragment == 17 && checkpoint->extra_size == 4);
        cr_assert(memcmp(checkpoint->extra, "more", 4) == 0);
    }
    sherd_run_checkpoint_destroy(checkpoint);
    sherd_run_close(run);
    return frame;
}

static void flip_byte(const char *path, long offset)
{
    FILE *file = fopen(path, "r+b");
    cr_assert(file != NULL);
    fseek(file, offset, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, offset, SEEK_SET);
    fputc(byte ^ 0x10, file);
    fclose(file);
}

// Frames 0..3 with checkpoints after 1 and 3; the file is then cut within frame 3.
Test(run_file, resumes_after_a_torn_write_with_equal_bytes)
{
    fixture f;
    fixture_init(&f);
    sherd_run_writer *writer = write_run(&f, 2);
    cr_assert(write_checkpoint(writer, &f, 1, 'a') == SHERD_OK);
    for (int64_t k = 2; k < 4; ++k) {
        sherd_run_frame frame = example_frame(&f, k);
        cr_assert(sherd_run_writer_frame(writer, &frame, NULL) == SHERD_OK);
    }
    cr_assert(write_checkpoint(writer, &f, 3, 'b') == SHERD_OK);
    cr_assert(sherd_run_writer_close(writer, NULL) == SHERD_OK);
    unsigned char *whole, *again;
    size_t size, again_size;
    cr_assert(sherd_file_read(f.path, &whole, &size, NULL) == SHERD_OK);
    cr_assert(newest_checkpoint(&f, 'b') == 3);

    cr_assert(eq(int, truncate(f.path, (off_t)size - 5), 0));
    cr_assert(newest_checkpoint(&f, 'a') == 1);
    sherd_error err = {0};
    writer = sherd_run_writer_resume(f.folder, 1, 1, &err);
    cr_assert(writer != NULL, "%s", err.what);
    for (int64_t k = 2; k < 4; ++k) {
        sherd_run_frame frame = example_frame(&f, k);
        cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_OK, "%s", err.what);
    }
    cr_assert(sherd_run_writer_close(writer, NULL) == SHERD_OK);
    cr_assert(sherd_file_read(f.path, &again, &again_size, NULL) == SHERD_OK);
    cr_assert(size == again_size && memcmp(whole, again, size) == 0);
    sherd_free(whole);
    sherd_free(again);
    fixture_remove(&f);
}

static void put_bytes(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "r+b");
    cr_assert(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    cr_assert(eq(int, truncate(path, (off_t)size), 0));
}

// A reader beside the writer, which finds frames that are whole, wherever the file ends.
Test(run_file, frames_are_found_as_they_are_written)
{
    fixture f;
    fixture_init(&f);
    sherd_error err = {0};
    cr_assert(sherd_run_writer_close(write_run(&f, FRAMES), NULL) == SHERD_OK);
    unsigned char *whole;
    size_t size;
    cr_assert(sherd_file_read(f.path, &whole, &size, NULL) == SHERD_OK);
    int64_t ends[FRAMES];
    sherd_run *run = sherd_run_open(f.folder, &err);
    for (int64_t k = 0; k < FRAMES; ++k)
        ends[k] = sherd_run_frame_end(run, k);
    sherd_run_close(run);

    put_bytes(f.path, whole, (size_t)ends[0]);
    run = sherd_run_open(f.folder, &err);
    cr_assert(run != NULL && sherd_run_frame_count(run) == 1, "%s", err.what);
    for (int64_t k = 1; k < FRAMES; ++k) {
        for (int part = 0; part < 5; ++part) {
            int64_t end = ends[k - 1] + (ends[k] - ends[k - 1]) * part / 5;
            put_bytes(f.path, whole, (size_t)end);
            cr_assert(sherd_run_extend(run, &err) == SHERD_OK, "%s", err.what);
            cr_assert(sherd_run_frame_count(run) == k, "frame %d, part %d", (int)k, part);
        }
        put_bytes(f.path, whole, (size_t)ends[k]);
        cr_assert(sherd_run_extend(run, &err) == SHERD_OK, "%s", err.what);
        cr_assert(sherd_run_frame_count(run) == k + 1);
        check_frame(&f, run, k);
    }
    sherd_run_close(run);
    sherd_free(whole);
    fixture_remove(&f);
}

static int64_t planned(const fixture *f)
{
    sherd_error err;
    sherd_run *run = sherd_run_open(f->folder, &err);
    cr_assert(run != NULL, "%s", err.what);
    int64_t frames = sherd_run_get_info(run).frames_planned;
    sherd_run_close(run);
    return frames;
}

static void go_on(fixture *f, int64_t last_frame, int64_t plan)
{
    sherd_error err;
    sherd_run_writer *writer = sherd_run_writer_resume(f->folder, last_frame, 1, &err);
    cr_assert(writer != NULL, "%s", err.what);
    if (plan > 0) sherd_run_writer_plan(writer, plan);
    sherd_run_frame frame = example_frame(f, last_frame + 1);
    cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_OK, "%s", err.what);
    cr_assert(sherd_run_writer_close(writer, &err) == SHERD_OK);
}

// "11 of 5 frames" was told of a run that had been resumed for more.
Test(run_file, the_plan_is_that_of_the_last_frame)
{
    fixture f;
    fixture_init(&f);
    cr_assert(sherd_run_writer_close(write_run(&f, 2), NULL) == SHERD_OK);
    cr_assert(eq(i64, planned(&f), 51)); // as INFO says
    go_on(&f, 1, 80);
    cr_assert(eq(i64, planned(&f), 80));
    go_on(&f, 2, 5);
    cr_assert(eq(i64, planned(&f), 5));
    go_on(&f, 2, 51); // frame 3 anew, as INFO says again
    cr_assert(eq(i64, planned(&f), 51));
    go_on(&f, 3, 2); // never fewer than there are
    cr_assert(eq(i64, planned(&f), 5));
    fixture_remove(&f);
}

Test(run_file, falls_back_to_the_former_checkpoint)
{
    fixture f;
    fixture_init(&f);
    sherd_run_writer *writer = write_run(&f, 2);
    cr_assert(write_checkpoint(writer, &f, 1, 'a') == SHERD_OK);
    cr_assert(write_checkpoint(writer, &f, 1, 'b') == SHERD_OK);
    cr_assert(sherd_run_writer_close(writer, NULL) == SHERD_OK);
    cr_assert(newest_checkpoint(&f, 'b') == 1);
    char path[128];
    cr_assert(sherd_path_join(path, sizeof path, f.folder, "checkpoint.sherd"));
    flip_byte(path, (long)sherd_file_size(path) - 1);
    cr_assert(newest_checkpoint(&f, 'a') == 1);
    unlink(path);
    cr_assert(newest_checkpoint(&f, 'a') == 1);
    // A new run in the same folder must not see them.
    cr_assert(sherd_run_writer_close(write_run(&f, 2), NULL) == SHERD_OK);
    cr_assert(newest_checkpoint(&f, 'a') == -2);
    fixture_remove(&f);
}

// ---------------------------------------------------------------- damage

// Reads everything that can be read. Whatever comes back must be as written.
static void read_damaged(fixture *f)
{
    sherd_error err = {0};
    sherd_run *run = sherd_run_open(f->folder, &err);
    if (run == NULL) {
        cr_assert(err.status != SHERD_OK && err.what[0] != '\0');
        return;
    }
    int64_t count = sherd_run_frame_count(run);
    cr_assert(count >= 0 && count <= FRAMES);
    for (int64_t k = 0; k < count; ++k) {
        sherd_run_frame *frame = sherd_run_read_frame(run, k, &err);
        if (frame == NULL) {
            cr_assert(err.status == SHERD_ERROR_INPUT && err.what[0] != '\0');
            continue;
        }
        sherd_run_frame want = example_frame(f, k);
        cr_assert(memcmp(frame->x, want.x, sizeof f->now[0]) == 0);
        cr_assert(memcmp(frame->bond_broken, want.bond_broken, sizeof f->broken) == 0);
        sherd_run_frame_destroy(frame);
    }
    sherd_run_close(run);
}

static void replace(const fixture *f, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(f->path, "wb");
    cr_assert(file != NULL && fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

Test(run_file, any_truncation_keeps_the_frames_before_it, .timeout = 60)
{
    fixture f;
    fixture_init(&f);
    cr_assert(sherd_run_writer_close(write_run(&f, FRAMES), NULL) == SHERD_OK);
    unsigned char *bytes;
    size_t size;
    cr_assert(sherd_file_read(f.path, &bytes, &size, NULL) == SHERD_OK);
    int64_t last_count = FRAMES;
    for (size_t cut = size; cut-- > 0;) {
        cr_assert(eq(int, truncate(f.path, (off_t)cut), 0));
        if (cut % 7 == 0) read_damaged(&f);
        sherd_run *run = sherd_run_open(f.folder, NULL);
        int64_t count = run != NULL ? sherd_run_frame_count(run) : 0;
        // A shorter file never has more frames, and loses one at a time.
        cr_assert(count <= last_count && count >= last_count - 1);
        last_count = count;
        sherd_run_close(run);
    }
    cr_assert(last_count == 0);
    sherd_free(bytes);
    fixture_remove(&f);
}

Test(run_file, any_flipped_byte_is_noticed, .timeout = 120)
{
    fixture f;
    fixture_init(&f);
    cr_assert(sherd_run_writer_close(write_run(&f, FRAMES), NULL) == SHERD_OK);
    unsigned char *bytes;
    size_t size;
    cr_assert(sherd_file_read(f.path, &bytes, &size, NULL) == SHERD_OK);
    // All bytes of the headers and the model, every 11th of the frames (to stay short).
    for (size_t at = 0; at < size; at += at < 4000 ? 1 : 11) {
        unsigned char before = bytes[at];
        bytes[at] ^= (unsigned char)(1u << (at % 8));
        replace(&f, bytes, size);
        read_damaged(&f);
        bytes[at] = before;
    }
    sherd_free(bytes);
    fixture_remove(&f);
}

// Where the k-th chunk of a kind begins (docs/reference/run-file.md).
static size_t chunk_at(const unsigned char *bytes, size_t size, const char *kind, int64_t index)
{
    for (size_t at = 32; at < size;) {
        int64_t found;
        uint64_t stored;
        memcpy(&found, bytes + at + 8, sizeof found);
        memcpy(&stored, bytes + at + 24, sizeof stored);
        if (memcmp(bytes + at, kind, 4) == 0 && found == index) return at;
        at += 40 + (size_t)stored;
    }
    cr_assert(false, "no %s of frame %d", kind, (int)index);
    return 0;
}

// Flips a byte in the payload of each chunk named, "STEP1 FRAM2", in a file of `version`.
static sherd_run *open_damaged(fixture *f, uint32_t version, const char *chunks)
{
    unsigned char *bytes;
    size_t size;
    sherd_run_info info = example_info();
    if (version < NOW)
        write_former(f, &info, FRAMES, (int)version);
    else
        cr_assert(sherd_run_writer_close(write_run(f, FRAMES), NULL) == SHERD_OK);
    cr_assert(sherd_file_read(f->path, &bytes, &size, NULL) == SHERD_OK);
    for (const char *at = chunks; *at != '\0'; at += at[5] == ' ' ? 6 : 5)
        bytes[chunk_at(bytes, size, at, at[4] == '-' ? -1 : at[4] - '0') + 45] ^= 1;
    replace(f, bytes, size);
    sherd_free(bytes);
    sherd_error err = {0};
    sherd_run *run = sherd_run_open(f->folder, &err);
    cr_assert(run != NULL, "%s", err.what);
    cr_assert(sherd_run_frame_count(run) == FRAMES);
    return run;
}

// Frames as written, but for those whose digits `lost` has: they are damaged, and said to be.
static void check_frames(fixture *f, sherd_run *run, const char *lost)
{
    sherd_error err;
    for (int64_t k = 0; k < FRAMES; ++k) {
        bool gone = strchr(lost, (int)('0' + k)) != NULL;
        sherd_status wanted = gone ? SHERD_ERROR_INPUT : SHERD_OK;
        cr_assert(sherd_run_check_frame(run, k, &err) == wanted, "frame %d", (int)k);
        if (!gone) check_frame(f, run, k);
        if (gone) cr_assert(sherd_run_read_frame(run, k, &err) == NULL);
    }
}

Test(run_file, a_damaged_frame_spoils_no_other)
{
    fixture f;
    fixture_init(&f);
    sherd_run *run = open_damaged(&f, NOW, "STEP1 FRAM2");
    check_frames(&f, run, "12");
    sherd_run_close(run);
    sherd_error err;
    // The run goes on behind an undamaged frame, damage before it or not.
    sherd_run_writer *writer = sherd_run_writer_resume(f.folder, FRAMES - 1, 1, &err);
    cr_assert(writer != NULL, "%s", err.what);
    sherd_run_frame frame = example_frame(&f, FRAMES);
    cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_OK, "%s", err.what);
    cr_assert(sherd_run_writer_close(writer, &err) == SHERD_OK);
    run = sherd_run_open(f.folder, &err);
    cr_assert(sherd_run_frame_count(run) == FRAMES + 1);
    check_frame(&f, run, FRAMES);
    sherd_run_close(run);
    // The arrays of the frame before are not needed when all lists are there.
    run = open_damaged(&f, NOW, "FRAM2");
    sherd_run_close(run);
    writer = sherd_run_writer_resume(f.folder, 2, 1, &err);
    cr_assert(writer != NULL, "%s", err.what);
    frame = example_frame(&f, 3);
    cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_OK, "%s", err.what);
    cr_assert(sherd_run_writer_close(writer, &err) == SHERD_OK);
    run = sherd_run_open(f.folder, &err);
    check_frames(&f, run, "2");
    sherd_run_close(run);
    fixture_remove(&f);
}

// Files of format 3 have broken bonds in lists only. Files whose resumed half has them otherwise are
// read like those.
Test(run_file, frames_of_former_versions_need_those_before)
{
    fixture f;
    fixture_init(&f);
    sherd_run *run = open_damaged(&f, 3, "");
    check_frames(&f, run, "");
    sherd_run_close(run);
    run = open_damaged(&f, 3, "STEP2");
    check_frames(&f, run, "23");
    sherd_error err;
    sherd_run_check_frame(run, 3, &err);
    cr_assert(strstr(err.what, "without the bonds that broke in frame 2") != NULL, "%s", err.what);
    sherd_run_close(run);
    fixture_remove(&f);
}

Test(run_file, damaged_sections_are_unknown_and_nothing_else_is)
{
    fixture f;
    fixture_init(&f);
    sherd_run *run = open_damaged(&f, NOW, "BOND-");
    cr_assert(sherd_run_get_model(run).bond_section == NULL);
    check_frames(&f, run, "");
    sherd_run_close(run);
    fixture_remove(&f);
}

// Formats 2 to 4 are read as they were written; going on with them is refused.
Test(run_file, former_formats_are_read)
{
    static const char *const settings[] = {"digest=1:2", "a=1"};
    fixture f;
    fixture_init(&f);
    for (int version = 2; version < NOW; ++version) {
        sherd_error err = {0};
        sherd_run_info info = example_info();
        info.setting_count = 2;
        info.settings = settings;
        info.simd = "avx2";
        write_former(&f, &info, FRAMES, version);
        sherd_run *run = sherd_run_open(f.folder, &err);
        cr_assert(run != NULL, "%s", err.what);
        info = sherd_run_get_info(run);
        cr_assert(info.setting_count == 2 && strcmp(info.settings[1], "a=1") == 0);
        cr_assert(eq(str, (char *)info.simd, version > 2 ? "avx2" : ""));
        sherd_run_model model = sherd_run_get_model(run);
        cr_assert(eq(int, model.bond_section != NULL, version > 3));
        cr_assert(memcmp(model.mass, f.mass, sizeof f.mass) == 0);
        cr_assert(eq(str, (char *)model.bodies[0].name, "plate \"a\""));
        cr_assert(eq(int, (int)sherd_run_frame_count(run), FRAMES));
        for (int64_t k = FRAMES - 1; k >= 0; --k)
            check_frame(&f, run, k);
        sherd_run_frame *frame = sherd_run_read_frame(run, 1, &err);
        cr_assert(frame->stats.energy.dissipated_onset == (version > 3 ? 0.25 : 0.0));
        cr_assert(eq(int, frame->column_count, 0));
        sherd_run_frame_destroy(frame);
        sherd_run_close(run);
        cr_assert(sherd_run_writer_resume(f.folder, 1, 1, &err) == NULL);
        cr_assert(eq(int, err.status, SHERD_ERROR_UNSUPPORTED));
    }
    fixture_remove(&f);
}

// A checkpoint of a former version: reported as such.
Test(run_file, former_checkpoints_are_refused)
{
    fixture f;
    fixture_init(&f);
    sherd_error err = {0};
    cr_assert(sherd_run_writer_close(write_run(&f, 2), NULL) == SHERD_OK);
    unsigned char header[32] = "SHERDCKP";
    header[8] = 4;
    uint32_t crc = (uint32_t)crc32_z(0, header, 28);
    memcpy(header + 28, &crc, sizeof crc);
    char path[128];
    cr_assert(sherd_path_join(path, sizeof path, f.folder, "checkpoint.sherd"));
    cr_assert(sherd_file_write(path, header, sizeof header, NULL) == SHERD_OK);
    sherd_run *run = sherd_run_open(f.folder, &err);
    cr_assert(sherd_run_read_checkpoint(run, &err) == NULL);
    cr_assert(eq(int, err.status, SHERD_ERROR_UNSUPPORTED));
    cr_assert(strstr(err.what, "older version") != NULL, "%s", err.what);
    cr_assert(strstr(err.hint, "without --resume") != NULL, "%s", err.hint);
    sherd_run_close(run);
    fixture_remove(&f);
}

// Columns of a model or a law for elements and bonds are read back by name; readers that don't know them read
// the rest.
Test(run_file, frames_may_have_more_columns)
{
    float heat[N], slip[M];
    for (int k = 0; k < N; ++k)
        heat[k] = 300.0f + (float)k;
    for (int k = 0; k < M; ++k)
        slip[k] = k == 3 ? NAN : 1e-3f * (float)k;
    const sherd_run_column columns[] = {{"slip_m", SHERD_RUN_PER_BOND, slip},
                                        {"temperature_k", SHERD_RUN_PER_ELEMENT, heat}};
    fixture f;
    fixture_init(&f);
    sherd_error err = {0};
    sherd_run_writer *writer = write_run(&f, 1);
    sherd_run_frame frame = example_frame(&f, 1);
    frame.column_count = 2;
    frame.columns = columns;
    cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_OK, "%s", err.what);
    cr_assert(sherd_run_writer_close(writer, &err) == SHERD_OK);
    sherd_run *run = sherd_run_open(f.folder, &err);
    check_frame(&f, run, 0);
    check_frame(&f, run, 1);
    sherd_run_frame *got = sherd_run_read_frame(run, 1, &err);
    cr_assert(eq(int, got->column_count, 2));
    cr_assert(got->columns[0].per == SHERD_RUN_PER_ELEMENT); // elements come first
    cr_assert(eq(str, (char *)got->columns[0].name, "temperature_k"));
    cr_assert(memcmp(got->columns[0].values, heat, sizeof heat) == 0);
    cr_assert(eq(str, (char *)got->columns[1].name, "slip_m"));
    cr_assert(memcmp(got->columns[1].values, slip, sizeof slip) == 0);
    sherd_run_frame_destroy(got);
    sherd_run_close(run);
    fixture_remove(&f);
}

// Contacts are told by frames that record them alone.
Test(run_file, contacts_come_back)
{
    const sherd_contact_force contacts[] = {
        {0, 5, -1, -1, {1, 2, 3}, {0, 0, 1}, 4.0, {0.5, 0, 0}, 1e-4},
        {N - 1, -1, -1, 1, {3, 2, 1}, {0, 1, 0}, 2.0, {0, 0, 0.25}, 2e-4},
        {-1, -1, 0, 1, {3, 0, 1}, {1, 0, 0}, 1.0, {0, 0, 0}, 3e-4}};
    fixture f;
    fixture_init(&f);
    sherd_error err = {0};
    sherd_run_writer *writer = write_run(&f, 1);
    sherd_run_frame frame = example_frame(&f, 1);
    frame.contacts = contacts, frame.contact_count = 3;
    cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_OK, "%s", err.what);
    frame = example_frame(&f, 2);
    frame.contacts = contacts, frame.contact_count = 0; // recorded, and there are none
    cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_OK);
    cr_assert(sherd_run_writer_close(writer, &err) == SHERD_OK);
    sherd_run *run = sherd_run_open(f.folder, &err);
    for (int64_t k = 0; k < 3; ++k) {
        check_frame(&f, run, k);
        sherd_run_frame *got = sherd_run_read_frame(run, k, &err);
        cr_assert(eq(i64, got->contact_count, k == 1 ? 3 : 0));
        cr_assert(eq(int, got->contacts != NULL, k > 0));
        if (k == 1) cr_assert(memcmp(got->contacts, contacts, sizeof contacts) == 0);
        sherd_run_frame_destroy(got);
    }
    sherd_run_close(run);
    fixture_remove(&f);
}

// Sides of contacts are elements or obstacles that there are.
Test(run_file, contacts_of_nothing_are_damage)
{
    static const int32_t SIDES[][4] = {{N, 5, -1, -1}, {-2, 5, -1, -1}, {0, -1, -1, -1},
                                       {0, -1, -1, 2}, {0, 5, 0, -1},   {-1, 5, -1, -1}};
    for (size_t k = 0; k < sizeof SIDES / sizeof *SIDES; ++k) {
        const sherd_contact_force contact = {SIDES[k][0], SIDES[k][1], SIDES[k][2], SIDES[k][3],
                                             .normal = {0, 0, 1}};
        fixture f;
        fixture_init(&f);
        sherd_error err = {0};
        sherd_run_writer *writer = write_run(&f, 1);
        sherd_run_frame frame = example_frame(&f, 1);
        frame.contacts = &contact, frame.contact_count = 1;
        cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_OK);
        cr_assert(sherd_run_writer_close(writer, &err) == SHERD_OK);
        sherd_run *run = sherd_run_open(f.folder, &err);
        cr_assert(sherd_run_read_frame(run, 1, &err) == NULL && err.status == SHERD_ERROR_INPUT,
                  "case %d", (int)k);
        sherd_run_close(run);
        fixture_remove(&f);
    }
}

Test(run_file, columns_have_names_of_their_own)
{
    static const struct {
        const char *names[2], *what;
    } cases[] = {{{"stress_ratio", NULL}, "two columns stress_ratio"},
                 {{"heat", "heat"}, "two columns heat"},
                 {{"a b", NULL}, "can't be the name"},
                 {{"", NULL}, "can't be the name"}};
    fixture f;
    fixture_init(&f);
    sherd_error err = {0};
    sherd_run_writer *writer = write_run(&f, 1);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        sherd_run_column columns[2] = {{cases[k].names[0], SHERD_RUN_PER_ELEMENT, f.stress},
                                       {cases[k].names[1], SHERD_RUN_PER_ELEMENT, f.stress}};
        sherd_run_frame frame = example_frame(&f, 1);
        frame.column_count = cases[k].names[1] != NULL ? 2 : 1;
        frame.columns = columns;
        cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_ERROR_INPUT);
        cr_assert(strstr(err.what, cases[k].what) != NULL, "%s", err.what);
    }
    cr_assert(sherd_run_writer_close(writer, &err) == SHERD_OK);
    fixture_remove(&f);
}

// Seven bonds break in every frame, in their order (example_frame).
static void check_breaks(fixture *f, uint32_t version, const char *damage, const int64_t intact[4],
                         const int64_t broken[4], int64_t known)
{
    sherd_run *run = open_damaged(f, version, damage);
    sherd_error err;
    sherd_run_breaks *breaks = sherd_run_read_breaks(run, FRAMES - 1, &err);
    cr_assert(breaks != NULL, "%s", err.what);
    cr_assert(breaks->bond_count == M && breaks->known == known);
    for (int b = 0; b < M; ++b) {
        int k = b < 7 * (FRAMES - 1) ? b / 7 + 1 : 0; // 0: never
        cr_assert(breaks->broken[b] == broken[k] && breaks->intact[b] == intact[k],
                  "%s: bond %d: behind %d by %d", damage, b, (int)breaks->intact[b],
                  (int)breaks->broken[b]);
    }
    for (int64_t k = 0; k < breaks->frame_count; ++k)
        cr_assert(isnan(breaks->time[k]) || breaks->time[k] == 0.01 * (double)k);
    sherd_run_breaks_destroy(breaks);
    sherd_run_close(run);
}

Test(run_file, breaks_are_told_as_far_as_frames_tell)
{
    fixture f;
    fixture_init(&f);
    check_breaks(&f, NOW, "", (int64_t[]){-1, 0, 1, 2}, (int64_t[]){-1, 1, 2, 3}, 3);
    // The frame behind a damaged one has what broke in it.
    check_breaks(&f, NOW, "STEP1", (int64_t[]){-1, 0, 1, 2}, (int64_t[]){-1, 1, 2, 3}, 3);
    // Behind two, and where the next one's arrays are damaged, too.
    check_breaks(&f, NOW, "STEP1 STEP2", (int64_t[]){-1, 0, 0, 2}, (int64_t[]){-1, 2, 2, 3}, 3);
    check_breaks(&f, NOW, "STEP1 FRAM2", (int64_t[]){-1, 0, 1, 2}, (int64_t[]){-1, 1, 2, 3}, 3);
    // At the end nothing tells.
    check_breaks(&f, NOW, "STEP2 STEP3", (int64_t[]){-1, 0, -1, -1}, (int64_t[]){-1, 1, -1, -1}, 1);
    check_breaks(&f, 4, "STEP1 STEP2", (int64_t[]){-1, 0, 0, 2}, (int64_t[]){-1, 2, 2, 3}, 3);
    check_breaks(&f, 3, "STEP2", (int64_t[]){-1, 0, -1, -1}, (int64_t[]){-1, 1, -1, -1}, 1);
    fixture_remove(&f);
}

// ---------------------------------------------------------------- full disk

Test(run_file, full_disk_keeps_earlier_frames)
{
    fixture f;
    fixture_init(&f);
    sherd_run_writer *writer = write_run(&f, 2);
    // A limit on file sizes in place of a full disk: the next frame fails half-way.
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    struct rlimit small = {(rlim_t)sherd_file_size(f.path) + 1000, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    sherd_error err = {0};
    sherd_run_frame frame = example_frame(&f, 2);
    cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_ERROR_IO);
    cr_assert(strstr(err.where, "run.sherd") != NULL && strstr(err.hint, "--resume") != NULL);
    setrlimit(RLIMIT_FSIZE, &limit);
    cr_assert(sherd_run_writer_frame(writer, &frame, &err) == SHERD_ERROR_IO);
    cr_assert(sherd_run_writer_close(writer, &err) == SHERD_ERROR_IO);
    sherd_run *run = sherd_run_open(f.folder, NULL);
    cr_assert(run != NULL && sherd_run_frame_count(run) == 2);
    cr_assert(sherd_run_ignored_bytes(run) == 0);
    check_frame(&f, run, 1);
    sherd_run_close(run);
    fixture_remove(&f);
}

Test(run_file, unwritable_folder_is_one_clear_error)
{
    fixture f;
    fixture_init(&f);
    cr_assert(sherd_run_writer_close(write_run(&f, 1), NULL) == SHERD_OK);
    sherd_run_info info = example_info();
    sherd_run_model model = example_model(&f);
    char below_a_file[128];
    cr_assert(sherd_path_join(below_a_file, sizeof below_a_file, f.path, "out"));
    sherd_error err = {0};
    cr_assert(sherd_run_writer_create(below_a_file, &info, &model, 1, &err) == NULL);
    cr_assert(err.status == SHERD_ERROR_IO && strstr(err.what, "Not a directory") != NULL);
    cr_assert(strstr(err.where, f.path) != NULL && err.hint[0] != '\0');
    fixture_remove(&f);
}
