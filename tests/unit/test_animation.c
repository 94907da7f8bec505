// What runs look like over time, on its way into files: nothing is lost where it waits, and memory does not grow with
// frames or meshes. Bytes that the library holds are counted: its allocator ends in aligned_alloc, spools use realloc.
#include "animation/mesh_faults.h"
#include "animation/pose_tracks.h"
#include "output/export/glb.h"

#include <sherd/file.h>

#include "temporary_path.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t live, peak; // [bytes]

static void *count(void *pointer)
{
    live += malloc_usable_size(pointer);
    peak = live > peak ? live : peak;
    return pointer;
}

// By the linker in place of the C library's (CMakeLists.txt).
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_realloc(void *pointer, size_t size);
void *__real_realloc(void *pointer, size_t size);
void __wrap_free(void *pointer);
void __real_free(void *pointer);

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return count(__real_aligned_alloc(alignment, size));
}

void *__wrap_realloc(void *pointer, size_t size)
{
    size_t before = malloc_usable_size(pointer);
    live -= before < live ? before : live;
    return count(__real_realloc(pointer, size));
}

void __wrap_free(void *pointer)
{
    size_t before = malloc_usable_size(pointer);
    live -= before < live ? before : live; // what else was allocated is freed here, too
    __real_free(pointer);
}

// ---------------------------------------------------------------- spools

static unsigned char byte_at(int64_t k)
{
    return (unsigned char)(k * 2654435761u >> 13);
}

Test(animation, spools_give_back_what_they_took)
{
    enum { TOTAL = 4100000 }; // several times what memory keeps of it
    static unsigned char part[70001];
    sherd_spool s = {0};
    int64_t size = 0;
    for (size_t step = 1; size < TOTAL; step = step * 7 % sizeof part + 1) {
        for (size_t k = 0; k < step; ++k)
            part[k] = byte_at(size + (int64_t)k);
        sherd_spool_append(&s, part, step);
        size += (int64_t)step;
    }
    cr_assert(eq(i64, sherd_spool_size(&s), size));
    cr_assert(lt(int, 0, s.descriptor)); // it did meet the disk
    for (int64_t at = 0; at + (int64_t)sizeof part < size; at += 999983) {
        sherd_spool_read(&s, at, part, sizeof part);
        for (size_t k = 0; k < sizeof part; ++k)
            cr_assert(eq(int, part[k], byte_at(at + (int64_t)k)));
    }
    sherd_spool_read(&s, size - 5000, part, 5000);
    cr_assert(eq(int, part[4999], byte_at(size - 1)));
    cr_assert(sherd_spool_check(&s, "x", NULL) == SHERD_OK);
    sherd_spool_free(&s);
}

Test(animation, spools_copy_across_memory_and_disk, .init = make_path, .fini = remove_path)
{
    static unsigned char part[1000003];
    sherd_spool s = {0};
    for (int k = 0; k < 6; ++k) {
        for (size_t j = 0; j < sizeof part; ++j)
            part[j] = byte_at(k * (int64_t)sizeof part + (int64_t)j);
        sherd_spool_append(&s, part, sizeof part);
    }
    sherd_error err;
    sherd_file_writer *writer = sherd_file_writer_create(path, &err);
    cr_assert(writer != NULL);
    sherd_spool_copy(&s, 77, sherd_spool_size(&s) - 100, writer);
    cr_assert(sherd_file_writer_commit(writer, &err) == SHERD_OK);
    unsigned char *bytes;
    size_t size;
    cr_assert(sherd_file_read(path, &bytes, &size, &err) == SHERD_OK);
    cr_assert(eq(i64, (int64_t)size, sherd_spool_size(&s) - 100));
    for (size_t k = 0; k < size; k += 101)
        cr_assert(eq(int, bytes[k], byte_at(77 + (int64_t)k)));
    free(bytes);
    sherd_spool_free(&s);
}

Test(animation, spools_tell_of_a_folder_that_is_not_there)
{
    static const unsigned char zeros[600000];
    sherd_spool s = {.folder = "/tmp/no/such/folder"};
    sherd_error err = {0};
    sherd_spool_append(&s, zeros, sizeof zeros);
    cr_assert(sherd_spool_check(&s, "run.glb", &err) == SHERD_OK); // it needs none yet
    sherd_spool_append(&s, zeros, sizeof zeros);
    cr_assert(sherd_spool_check(&s, "run.glb", &err) == SHERD_ERROR_IO);
    cr_assert(eq(str, err.where, "run.glb"));
    sherd_spool_free(&s);
}

// ---------------------------------------------------------------- poses

static sherd_pose pose_of(int piece, int64_t frame)
{
    double turn = 0.01 * (double)frame * (piece % 3);
    return (sherd_pose){{piece, piece % 2 == 0 ? 0.5 * (double)frame : 0.0, 1.0},
                        {0.0, 0.0, sin(turn), cos(turn)}};
}

// Pieces are there from frame piece % 5 on, every seventh one until frame 40 alone, and are told backwards in odd frames.
Test(animation, poses_come_back_by_piece)
{
    enum { PIECES = 5000, FRAMES = 61 }; // more than are read at once
    sherd_pose_tracks t = {0};
    for (int k = 0; k < PIECES; ++k)
        cr_assert(sherd_pose_tracks_begin(&t));
    for (int64_t f = 0; f < FRAMES; ++f)
        for (int n = 0; n < PIECES; ++n) {
            int k = f % 2 == 0 ? n : PIECES - 1 - n;
            if (f < k % 5 || (k % 7 == 0 && f > 40)) continue;
            cr_assert(sherd_pose_tracks_add(&t, k, f, pose_of(k, f)));
        }
    for (int k = 0; k < PIECES; ++k) {
        const sherd_pose *poses = sherd_pose_tracks_read(&t, k);
        const sherd_pose_track *track = &t.items[k];
        cr_assert(poses != NULL);
        cr_assert(eq(i64, track->first_frame, k % 5));
        cr_assert(eq(i64, track->count, (k % 7 == 0 ? 41 : FRAMES) - k % 5));
        cr_assert(eq(int, track->moves, k % 2 == 0 || k % 3 != 0));
        cr_assert(eq(int, track->turns, k % 3 != 0));
        for (int64_t f = 0; f < track->count; ++f) {
            sherd_pose wanted = pose_of(k, track->first_frame + f);
            cr_assert(memcmp(&poses[f], &wanted, sizeof wanted) == 0, "piece %d, pose %d", k,
                      (int)f);
        }
    }
    sherd_pose_tracks_free(&t);
}

// ---------------------------------------------------------------- memory

// A ball of `count` vertices, more or less: rings of a lathe.
static void make_ball(int rings, double *vertices, int32_t *triangles)
{
    int around = 2 * rings;
    for (int r = 0; r <= rings; ++r)
        for (int k = 0; k < around; ++k) {
            double high = M_PI * r / rings, turn = 2.0 * M_PI * k / around;
            double *v = vertices + 3 * (r * around + k);
            v[0] = sin(high) * cos(turn), v[1] = sin(high) * sin(turn), v[2] = cos(high);
        }
    for (int r = 0; r < rings; ++r)
        for (int k = 0; k < around; ++k, triangles += 6) {
            int a = r * around + k, b = r * around + (k + 1) % around;
            const int32_t both[6] = {a, a + around, b, b, a + around, b + around};
            memcpy(triangles, both, sizeof both);
        }
}

typedef struct animated {
    int64_t frames;
    int pieces;
    bool compact;
    sherd_animation_format format;
    int64_t moving; // frames before pieces come to rest; 0: they never do
    bool alike;     // all pieces have the same mesh
} animated;

enum { RINGS = 16, VERTICES = (RINGS + 1) * 2 * RINGS, TRIANGLES = 4 * RINGS * RINGS };

static sherd_pose ball_pose(const animated *a, int piece, int64_t frame)
{
    return pose_of(2 * piece + 4, (a->moving > 0 && frame > a->moving ? a->moving : frame) + 1);
}

// Writes an animation of balls that fly and turn; returns the most bytes that were held.
static size_t write_balls(animated a)
{
    static double vertices[3 * VERTICES];
    static int32_t triangles[3 * TRIANGLES];
    make_ball(RINGS, vertices, triangles);
    double *times = malloc((size_t)a.frames * sizeof *times);
    for (int64_t k = 0; k < a.frames; ++k)
        times[k] = (double)k / 24.0;
    size_t before = peak = live;
    sherd_error err;
    sherd_animation_def def = {.frame_count = a.frames,
                               .times = times,
                               .texture_size = 3.0,
                               .format = a.format,
                               .compact = a.compact,
                               .folder = "/tmp"};
    sherd_animation *glb = sherd_animation_file_create(&def, &err);
    const sherd_animation_material white = {.red = 1.0, .green = 1.0, .blue = 1.0};
    sherd_animation_add_material(glb, &white, &err);
    for (int k = 0; k < a.pieces; ++k) {
        if (!a.alike) vertices[0] += 1e-3; // equal meshes are stored once
        const sherd_animation_mesh mesh = {.vertex_count = VERTICES,
                                           .vertices = vertices,
                                           .triangle_count = TRIANGLES,
                                           .triangles = triangles,
                                           .fragment = k + 1};
        const sherd_animation_piece piece = {
            .mesh = sherd_animation_add_mesh(glb, &mesh, &err), .scale = 1.0, .fragment = k + 1};
        cr_assert(sherd_animation_add_piece(glb, &piece, &err) == k, "%s", err.what);
    }
    for (int64_t f = 0; f < a.frames; ++f)
        for (int k = 0; k < a.pieces; ++k)
            cr_assert(sherd_animation_set_pose(glb, k, f, ball_pose(&a, k, f), &err) == SHERD_OK);
    cr_assert(sherd_animation_write(glb, path, &err) == SHERD_OK, "%s", err.what);
    sherd_animation_destroy(glb);
    free(times);
    return peak - before;
}

// A key takes 28 bytes in a .glb, 56 while it waits, some 100 in a .usda and 56 in a .usdc.
static void check_frames(sherd_animation_format format)
{
    enum { FEW = 800, MANY = 3200, PIECES = 60 };
    size_t few = write_balls((animated){.frames = FEW, .pieces = PIECES, .format = format});
    size_t many = write_balls((animated){.frames = MANY, .pieces = PIECES, .format = format});
    double key = ((double)many - (double)few) / ((double)(MANY - FEW) * PIECES);
    // Measured 0.4: the keys of one piece, and a run for each frame.
    cr_assert(lt(dbl, key, 2.0), "%g bytes a key and piece", key);
    cr_assert(lt(dbl, (double)many, 16e6), "%g MB", 1e-6 * (double)many); // measured 6.9 and 4.4
}

Test(animation, keys_of_a_glb_are_not_held, .init = make_path, .fini = remove_path)
{
    check_frames(SHERD_ANIMATION_GLB);
}

Test(animation, keys_of_a_usda_are_not_held, .init = make_path, .fini = remove_path)
{
    check_frames(SHERD_ANIMATION_USDA);
}

Test(animation, keys_of_a_usdc_are_not_held, .init = make_path, .fini = remove_path)
{
    check_frames(SHERD_ANIMATION_USDC);
}

// A mesh here is some 25 KB of a .glb, 12 of a compact one, 100 of a .usda.
static void check_meshes(int first, bool compact, sherd_animation_format format)
{
    animated a = {.frames = 1, .pieces = first, .compact = compact, .format = format};
    size_t few = write_balls(a);
    int64_t before = sherd_file_size(path);
    a.pieces = 3 * first;
    size_t many = write_balls(a);
    double written = (double)(sherd_file_size(path) - before);
    double held = (double)many - (double)few;
    // Descriptions of a mesh and a piece stay, some 1.5 KB with what growing arrays waste:
    // measured 0.17 and 0.001.
    cr_assert(lt(dbl, held, 0.3 * written), "%g bytes held, %g written", held, written);
}

Test(animation, meshes_of_a_glb_are_not_held, .init = make_path, .fini = remove_path)
{
    check_meshes(200, false, SHERD_ANIMATION_GLB);
}

Test(animation, meshes_of_a_usda_are_not_held, .init = make_path, .fini = remove_path)
{
    check_meshes(60, false, SHERD_ANIMATION_USDA);
}

// Equal meshes take 250 bytes each of a .usdc: what is held is compared with the 15 KB of one.
Test(animation, meshes_of_a_usdc_are_not_held, .init = make_path, .fini = remove_path)
{
    enum { FEW = 200, MANY = 600 };
    animated a = {.frames = 1, .pieces = FEW, .format = SHERD_ANIMATION_USDC, .alike = true};
    size_t few = write_balls(a);
    int64_t before = sherd_file_size(path);
    a.pieces = MANY;
    size_t many = write_balls(a);
    double held = ((double)many - (double)few) / (MANY - FEW);
    cr_assert(lt(dbl, held, 2500.0), "%g bytes held", held); // measured 1400
    // Arrays are stored once.
    double written = (double)(sherd_file_size(path) - before) / (MANY - FEW);
    cr_assert(lt(dbl, written, 500.0), "%g bytes written", written);
}

// 16 bytes a vertex, 6 a triangle, and what describes a mesh.
Test(animation, compact_vertices_take_16_bytes, .init = make_path, .fini = remove_path)
{
    enum { PIECES = 50 };
    write_balls((animated){.frames = 2, .pieces = PIECES});
    double plain = (double)sherd_file_size(path);
    write_balls((animated){.frames = 2, .pieces = PIECES, .compact = true});
    double compact = (double)sherd_file_size(path);
    double indices = 6.0 * TRIANGLES * PIECES, least = 16.0 * VERTICES * PIECES;
    cr_assert(lt(dbl, compact, 0.5 * (plain - indices) + indices), "%g of %g", compact, plain);
    cr_assert(lt(dbl, least, compact)); // vertices are split where texture coordinates part
}

// Keys of frames between two in which a piece is at the same place, turned alike, are not written.
Test(animation, rest_takes_no_keys, .init = make_path, .fini = remove_path)
{
    animated a = {.frames = 40, .pieces = 20, .moving = 10};
    write_balls(a);
    int64_t before = sherd_file_size(path);
    a.frames = 2000;
    write_balls(a);
    // A key takes 28 bytes and its time 4; what grows is a digit here and there.
    cr_assert(lt(i64, sherd_file_size(path) - before, 1000));
}

// ---------------------------------------------------------------- meshes

static void expect_fault(const sherd_material_mesh *mesh, const char *what)
{
    const char *fault = sherd_mesh_fault(mesh, 3);
    cr_assert(fault != NULL && strstr(fault, what) != NULL, "%s: %s", what,
              fault != NULL ? fault : "none");
}

// The check of every format that has materials and groups: .glb, text USD, .obj.
Test(animation, faults_of_meshes_are_found)
{
    const double vertices[9] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0},
                 torn[9] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, INFINITY, 0.0};
    const int32_t triangles[6] = {0, 1, 2, 2, 1, 0}, beyond[6] = {0, 1, 2, 2, 1, 3},
                  before[6] = {0, -1, 2, 2, 1, 0}, groups[2] = {-1, 1}, many[2] = {0, 2},
                  few[2] = {-2, 0};
    const int materials[2] = {0, 2}, missing[2] = {0, 3};
    const sherd_material_mesh good = {3, vertices, 2, triangles, 0, 2, groups, 2, materials};
    cr_assert(sherd_mesh_fault(&good, 3) == NULL);
    sherd_material_mesh m = good;
    m.triangle_count = -1, expect_fault(&m, "counts"), m = good;
    m.outer_material = 3, expect_fault(&m, "its material"), m = good;
    m.inner_material = -1, expect_fault(&m, "its material"), m = good;
    m.group_materials = missing, expect_fault(&m, "a group's material"), m = good;
    m.group = many, expect_fault(&m, "a group that"), m = good;
    m.group = few, expect_fault(&m, "a group that"), m = good;
    m.triangles = beyond, expect_fault(&m, "a corner"), m = good;
    m.triangles = before, expect_fault(&m, "a corner"), m = good;
    m.vertices = torn, expect_fault(&m, "a vertex is not a number");
}
