// Exports: read back by checkers that know only the formats.
#include "animation/pose_tracks.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/export/export_bonds.h"
#include "output/export/export_frame.h"
#include "output/export/glb.h"
#include "output/export/glb_vertices.h"
#include "output/export/obj_write.h"
#include "output/export/pc2_write.h"
#include "output/export/vtp.h"
#include "output/export/xml.h"

#include <sherd/file.h>
#include <sherd/table.h>

#include "temporary_path.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Runs tests/unit/SCRIPT on the file; what it prints, cut to one buffer.
static const char *check_file(const char *script, const char *file, const char *argument)
{
    static char output[4096];
    char command[512];
    snprintf(command, sizeof command, "python3 '%s/tests/unit/%s' '%s' %s 2>&1",
             SHERD_SOURCE_FOLDER, script, file, argument);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe != NULL);
    size_t size = fread(output, 1, sizeof output - 1, pipe);
    output[size] = '\0';
    cr_assert(eq(int, pclose(pipe), 0), "%s", output);
    return output;
}

static const char *check(const char *script, const char *argument)
{
    return check_file(script, path, argument);
}

// A unit cube from the origin; the face x = 1 is inner.
static const double cube_vertices[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0,
                                       0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
static const int32_t cube_triangles[] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                         2, 3, 7, 2, 7, 6, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5};
static const uint8_t cube_kind[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1};

static sherd_animation_mesh cube(void)
{
    return (sherd_animation_mesh){.name = "cube \"1\"",
                                  .vertex_count = 8,
                                  .vertices = cube_vertices,
                                  .triangle_count = 12,
                                  .triangles = cube_triangles,
                                  .face_kind = cube_kind,
                                  .origin = {0.5, 0.5, 0.5},
                                  .fragment = 7,
                                  .outer_material = 0,
                                  .inner_material = 1};
}

TestSuite(export, .init = make_path, .fini = remove_path);

// ---------------------------------------------------------------- glTF

enum { FRAMES = 6 };

static sherd_animation *start_glb(void)
{
    static const double times[FRAMES] = {0.0, 1.0 / 24, 2.0 / 24, 3.0 / 24, 4.0 / 24, 5.0 / 24};
    sherd_animation_def def = {
        .name = "test", .frame_count = FRAMES, .times = times, .texture_size = 0.1};
    sherd_error err = {0};
    sherd_animation *glb = sherd_animation_file_create(&def, &err);
    cr_assert(glb != NULL, "%s", err.what);
    sherd_animation_material glaze = {.name = "glaze",
                                      .red = 0.8,
                                      .green = 0.2,
                                      .blue = 0.1,
                                      .roughness = 0.4,
                                      .transmission = 0.9};
    sherd_animation_material clay = {
        .name = "clay", .red = 0.9, .green = 0.8, .blue = 0.7, .roughness = 0.9};
    cr_assert(sherd_animation_add_material(glb, &glaze, &err) == 0);
    cr_assert(sherd_animation_add_material(glb, &clay, &err) == 1);
    return glb;
}

// A turning piece that gives way to another one, a granule that rests, one that never shows.
Test(export, glb_of_breaking_pieces_is_valid)
{
    sherd_error err = {0};
    sherd_animation *glb = start_glb();
    sherd_animation_mesh mesh = cube();
    cr_assert(sherd_animation_add_mesh(glb, &mesh, &err) == 0, "%s", err.what);
    cr_assert(sherd_animation_add_unit_sphere(glb, 1, &err) == 1, "%s", err.what);
    sherd_animation_piece piece = {
        .name = "fragment 7", .mesh = 0, .scale = 1.0, .fragment = 7, .elements = 100, .mass = 0.5};
    cr_assert(sherd_animation_add_piece(glb, &piece, &err) == 0);
    piece.fragment = 8;
    cr_assert(sherd_animation_add_piece(glb, &piece, &err) == 1);
    sherd_animation_piece granule = {.mesh = 1, .scale = 0.01};
    cr_assert(sherd_animation_add_piece(glb, &granule, &err) == 2);
    cr_assert(sherd_animation_add_piece(glb, &granule, &err) == 3);
    for (int64_t k = 0; k < FRAMES; ++k) {
        // More than half a turn in all: signs of quaternions must be made to agree.
        double half = 0.5 * 0.8 * (double)k;
        double sign = k % 2 == 0 ? 1.0 : -1.0;
        sherd_pose pose = {{0.1 * (double)k, 0.0, 1.0},
                           {0.0, 0.0, sign * sin(half), sign * cos(half)}};
        sherd_pose rest = {{1.0, 2.0, 3.0}, {0.0, 0.0, 0.0, 1.0}};
        cr_assert(sherd_animation_set_pose(glb, k < 3 ? 0 : 1, k, pose, &err) == SHERD_OK);
        cr_assert(sherd_animation_set_pose(glb, 2, k, rest, &err) == SHERD_OK);
    }
    cr_assert(sherd_animation_write(glb, path, &err) == SHERD_OK, "%s", err.what);
    // World, two pieces, one granule; the pieces have translation, rotation and scale.
    const char *summary = check("check_glb.py", "");
    cr_assert(eq(str, (char *)summary, "nodes 4 meshes 2 triangles 92 channels 6\n"));
    // Each is there in its own frames, in none of the other's.
    cr_assert(eq(str, (char *)check("check_glb.py", "shown"),
                 "fragment 7 begins as 1: 1 from 0, 0 from 3\n"
                 "fragment 8 begins as 0: 0 from 0, 1 from 3\n"
                 "nodes 4 meshes 2 triangles 92 channels 6\n"));
    sherd_animation_destroy(glb);
}

Test(export, glb_of_one_frame_has_no_animation)
{
    const double time = 0.0;
    sherd_animation_def def = {.frame_count = 1, .times = &time, .texture_size = 1.0};
    sherd_animation *glb = sherd_animation_file_create(&def, NULL);
    sherd_animation_material white = {.red = 1.0, .green = 1.0, .blue = 1.0, .roughness = 1.0};
    sherd_animation_add_material(glb, &white, NULL);
    cr_assert(sherd_animation_add_unit_sphere(glb, 0, NULL) == 0);
    sherd_animation_piece piece = {.mesh = 0, .scale = 2.0};
    sherd_animation_add_piece(glb, &piece, NULL);
    sherd_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    cr_assert(sherd_animation_set_pose(glb, 0, 0, pose, NULL) == SHERD_OK);
    cr_assert(sherd_animation_write(glb, path, NULL) == SHERD_OK);
    cr_assert(strstr(check("check_glb.py", ""), "channels 0") != NULL);
    sherd_animation_destroy(glb);
}

// Colours of vertices are linear in the file; pictures are in it once.
Test(export, glb_keeps_colours_and_pictures)
{
    static const uint8_t picture[6] = {0x89, 'P', 'N', 'G', 1, 2};
    sherd_error err = {0};
    sherd_animation *glb = start_glb();
    sherd_animation_mesh mesh = cube();
    float color[24];
    for (int k = 0; k < 24; ++k)
        color[k] = (float)(k % 3 + 1) / 4.0f;
    int groups[2];
    for (int g = 0; g < 2; ++g) {
        const sherd_animation_material m = {.name = g == 0 ? "wood" : "iron",
                                            .red = 1.0,
                                            .green = 1.0,
                                            .blue = 1.0,
                                            .roughness = 0.5,
                                            .metallic = g,
                                            .picture = picture,
                                            .picture_size = sizeof picture};
        groups[g] = sherd_animation_add_material(glb, &m, &err);
    }
    int32_t group[12] = {0, 1, 0, 1};
    mesh.color = color, mesh.face_kind = NULL;
    mesh.group = group, mesh.group_count = 2, mesh.group_materials = groups;
    cr_assert(sherd_animation_add_mesh(glb, &mesh, &err) == 0, "%s", err.what);
    sherd_animation_piece piece = {.mesh = 0, .scale = 1.0};
    cr_assert(sherd_animation_add_piece(glb, &piece, &err) == 0);
    cr_assert(sherd_animation_set_pose(glb, 0, 0, (sherd_pose){{0, 0, 0}, {0, 0, 0, 1}}, &err) ==
              SHERD_OK);
    cr_assert(sherd_animation_write(glb, path, &err) == SHERD_OK, "%s", err.what);
    sherd_animation_destroy(glb);
    check("check_glb.py", "");
    sherd_mesh *read = sherd_mesh_read(path, 1.0, &err);
    cr_assert(read != NULL, "%s", err.what);
    cr_assert(eq(int, read->picture_count, 1));
    cr_assert(read->pictures[0].size == sizeof picture &&
              memcmp(read->pictures[0].bytes, picture, sizeof picture) == 0);
    cr_assert(eq(int, read->group_count, 2));
    cr_assert(read->materials[1].metal == 1.0f && read->materials[1].picture == 0);
    for (int k = 0; k < 3; ++k) // there and back, in single precision
        cr_assert(epsilon_eq(flt, read->color[k], color[k], 1e-6f));
    sherd_mesh_destroy(read);
}

// The same pieces as text USD: invisible before they come and after they went.
Test(export, usda_shows_pieces_in_their_frames)
{
    sherd_error err = {0};
    static const double times[FRAMES] = {0.0, 1.0 / 24, 2.0 / 24, 3.0 / 24, 4.0 / 24, 5.0 / 24};
    sherd_animation_def def = {.name = "test",
                               .frame_count = FRAMES,
                               .times = times,
                               .texture_size = 0.1,
                               .format = SHERD_ANIMATION_USDA};
    sherd_animation *glb = sherd_animation_file_create(&def, &err);
    cr_assert(glb != NULL, "%s", err.what);
    const sherd_animation_material white = {.name = "white", .red = 1.0, .green = 1.0, .blue = 1.0};
    cr_assert(sherd_animation_add_material(glb, &white, &err) == 0);
    cr_assert(sherd_animation_add_material(glb, &white, &err) == 1);
    sherd_animation_mesh mesh = cube();
    cr_assert(sherd_animation_add_mesh(glb, &mesh, &err) == 0, "%s", err.what);
    sherd_animation_piece piece = {.name = "early", .mesh = 0, .scale = 1.0, .fragment = 7};
    cr_assert(sherd_animation_add_piece(glb, &piece, &err) == 0);
    piece.name = "late", piece.fragment = 8;
    cr_assert(sherd_animation_add_piece(glb, &piece, &err) == 1);
    const sherd_pose rest = {{1.0, 2.0, 3.0}, {0.0, 0.0, 0.0, 1.0}};
    for (int64_t k = 0; k < FRAMES; ++k)
        cr_assert(sherd_animation_set_pose(glb, k < 3 ? 0 : 1, k, rest, &err) == SHERD_OK);
    cr_assert(sherd_animation_write(glb, path, &err) == SHERD_OK, "%s", err.what);
    sherd_animation_destroy(glb);
    char text[16384] = "";
    FILE *file = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char *begin = "token visibility.timeSamples = {\n            0: \"in";
    const char *early = strstr(text, "herited\",\n            3: \"invisible\",\n        }\n");
    const char *late = strstr(text, "visible\",\n            3: \"inherited\",\n        }\n");
    cr_assert(early != NULL && late != NULL && early < late, "%s", text);
    cr_assert(strncmp(early - strlen(begin), begin, strlen(begin)) == 0);
    cr_assert(strncmp(late - strlen(begin), begin, strlen(begin)) == 0);
}

// A fall and rest: few keys, none of the others farther off than allowed, none left out for nothing.
Test(export, courses_keep_the_keys_they_need)
{
    enum { COUNT = 100 };
    float times[COUNT], places[3 * COUNT];
    bool kept[COUNT];
    for (int k = 0; k < COUNT; ++k) {
        float t = times[k] = 0.04f * (float)k;
        places[3 * k] = 0.1f * t, places[3 * k + 1] = 0.0f;
        places[3 * k + 2] = k < 50 ? 1.0f - 0.25f * t * t : 0.0f;
    }
    const double tolerance = 1e-2;
    size_t total = sherd_thin_keys(times, places, COUNT, tolerance, kept);
    cr_assert(total >= 4 && total <= 20, "%zu keys", total);
    cr_assert(kept[0] && kept[COUNT - 1]);
    size_t counted = 0;
    for (int a = 0, k = 0; k < COUNT; ++k) {
        counted += kept[k];
        if (!kept[k] || k == 0) continue;
        for (int m = a + 1; m < k; ++m) {
            double share = (double)(times[m] - times[a]) / (double)(times[k] - times[a]), off = 0.0;
            for (int c = 0; c < 3; ++c) {
                double on_way =
                    (1.0 - share) * (double)places[3 * a + c] + share * (double)places[3 * k + c];
                off += pow(on_way - (double)places[3 * m + c], 2.0);
            }
            cr_assert(sqrt(off) <= tolerance + 1e-6, "frame %d is %g off", m, sqrt(off)); // floats
        }
        a = k;
    }
    cr_assert(eq(sz, counted, total));
    cr_assert(eq(sz, sherd_thin_keys(times, places, COUNT, 0.0, kept), COUNT));
}

// A strip of triangles over `count` vertices (0, 1, 2), (1, 2, 3), ..., exported alone.
static const char *check_strip(int32_t count)
{
    double *vertices = calloc(3 * (size_t)count, sizeof *vertices);
    int32_t *triangles = calloc(3 * (size_t)count, sizeof *triangles);
    cr_assert(vertices != NULL && triangles != NULL);
    for (int32_t k = 0; k < count; ++k) {
        vertices[3 * k] = 0.001 * k;
        vertices[3 * k + 1] = k % 2;
    }
    for (int32_t k = 0; k < 3 * (count - 2); ++k)
        triangles[k] = k / 3 + k % 3;
    sherd_error err = {0};
    sherd_animation *glb = start_glb();
    sherd_animation_mesh mesh = {.vertex_count = count,
                                 .vertices = vertices,
                                 .triangle_count = count - 2,
                                 .triangles = triangles};
    sherd_animation_piece piece = {.mesh = 0, .scale = 1.0};
    sherd_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    cr_assert(sherd_animation_add_mesh(glb, &mesh, &err) == 0, "%s", err.what);
    cr_assert(sherd_animation_add_piece(glb, &piece, &err) == 0);
    cr_assert(sherd_animation_set_pose(glb, 0, 0, pose, &err) == SHERD_OK);
    cr_assert(sherd_animation_write(glb, path, &err) == SHERD_OK, "%s", err.what);
    sherd_animation_destroy(glb);
    free(vertices);
    free(triangles);
    return check("check_glb.py", "");
}

// Indices are 16 bits wide where they fit; an odd number of them is padded to a whole word.
// A piece that rests, falls and rests, and one that is only turned; a third one's single rest is too short to matter.
Test(export, glb_has_no_keys_within_rests, .init = make_path, .fini = remove_path)
{
    enum { COUNT = 12 };
    static const double height[3][COUNT] = {{9, 9, 9, 9, 9, 8, 7, 0, 0, 0, 0, 0},
                                            {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                                            {9, 8, 7, 6, 5, 4, 4, 4, 3, 2, 1, 0}};
    double times[COUNT];
    for (int k = 0; k < COUNT; ++k)
        times[k] = k / 24.0;
    sherd_error err = {0};
    sherd_animation_def def = {.frame_count = COUNT, .times = times, .texture_size = 1.0};
    sherd_animation *glb = sherd_animation_file_create(&def, &err);
    sherd_animation_material white = {.red = 1.0, .green = 1.0, .blue = 1.0};
    sherd_animation_add_material(glb, &white, &err);
    sherd_animation_piece piece = {.mesh = sherd_animation_add_unit_sphere(glb, 0, &err),
                                   .scale = 1.0};
    for (int p = 0; p < 3; ++p)
        cr_assert(sherd_animation_add_piece(glb, &piece, &err) == p);
    for (int k = 0; k < COUNT; ++k)
        for (int p = 0; p < 3; ++p) {
            double turn = p == 1 && k > 8 ? 0.5 : 0.0;
            sherd_pose pose = {{0, 0, height[p][k]}, {0, 0, sin(turn), cos(turn)}};
            cr_assert(sherd_animation_set_pose(glb, p, k, pose, &err) == SHERD_OK);
        }
    cr_assert(sherd_animation_write(glb, path, &err) == SHERD_OK, "%s", err.what);
    sherd_animation_destroy(glb);
    const char *keys = check("check_glb.py", "keys");
    cr_assert(strstr(keys, "node 1: 9 at 0, 9 at 4, 8 at 5, 7 at 6, 0 at 7, 0 at 11\n") != NULL,
              "%s", keys);
    cr_assert(strstr(keys, "node 2: 1 at 0, 1 at 8, 1 at 9, 1 at 11\n") != NULL, "%s", keys);
    cr_assert(
        strstr(keys, "node 3: 9 at 0, 8 at 1, 7 at 2, 6 at 3, 5 at 4, 4 at 5, 4 at 6, 4 at 7,") !=
            NULL,
        "%s", keys);
}

// A painted cube far from the origin of texture, one without paint there, and one of many units of texture; all come late.
static void write_cubes(const char *file, bool compact)
{
    static float paint[24];
    double times[] = {0.0, 0.5}, far_away[24], large[24];
    sherd_error err = {0};
    sherd_animation_def def = {
        .frame_count = 2, .times = times, .texture_size = 0.7, .compact = compact};
    sherd_animation *glb = sherd_animation_file_create(&def, &err);
    const sherd_animation_material white = {.red = 1.0, .green = 1.0, .blue = 1.0};
    sherd_animation_add_material(glb, &white, &err);
    for (int k = 0; k < 24; ++k) {
        paint[k] = (float)k / 24.0f;
        far_away[k] = cube_vertices[k] + 20.0;
        large[k] = 30.0 * cube_vertices[k];
    }
    for (int k = 0; k < 3; ++k) {
        sherd_animation_mesh mesh = cube();
        mesh.outer_material = mesh.inner_material = 0;
        mesh.vertices = k < 2 ? far_away : large;
        mesh.origin = k < 2 ? (sherd_vec3){20.3, 20.4, 20.6} : (sherd_vec3){-2.0, 0.0, 9.0};
        if (k == 0) mesh.color = paint;
        const sherd_animation_piece piece = {.mesh = sherd_animation_add_mesh(glb, &mesh, &err),
                                             .scale = 0.3};
        cr_assert(sherd_animation_add_piece(glb, &piece, &err) == k, "%s", err.what);
        cr_assert(sherd_animation_set_pose(glb, k, 1, (sherd_pose){{1, 2, 3}, {0, 0, 0, 1}},
                                           &err) == SHERD_OK);
    }
    cr_assert(sherd_animation_write(glb, file, &err) == SHERD_OK, "%s", err.what);
    sherd_animation_destroy(glb);
}

Test(export, compact_glb_shows_the_same, .init = make_path, .fini = remove_path)
{
    char plain[80], like[100];
    snprintf(plain, sizeof plain, "%s.plain", path);
    snprintf(like, sizeof like, "like %s", plain);
    write_cubes(plain, false);
    write_cubes(path, true);
    check("check_glb.py", like);
    unlink(plain);
}

// Bytes of a file of COUNT cubes; every one after the first is larger by `growth`, or painted.
static int64_t size_of_cubes(bool compact, double growth, const float *paint)
{
    enum { COUNT = 40 };
    double time = 0.0, vertices[24];
    sherd_error err = {0};
    sherd_animation_def def = {
        .frame_count = 1, .times = &time, .texture_size = 1.0, .compact = compact};
    sherd_animation *glb = sherd_animation_file_create(&def, &err);
    const sherd_animation_material white = {.red = 1.0, .green = 1.0, .blue = 1.0};
    sherd_animation_add_material(glb, &white, &err);
    for (int k = 0; k < COUNT; ++k) {
        for (int c = 0; c < 24; ++c)
            vertices[c] = (1.0 + growth * k) * cube_vertices[c];
        sherd_animation_mesh mesh = cube();
        mesh.vertices = vertices;
        mesh.fragment = k + 1;
        mesh.outer_material = mesh.inner_material = 0;
        if (k > 0) mesh.color = paint;
        const sherd_animation_piece piece = {.mesh = sherd_animation_add_mesh(glb, &mesh, &err),
                                             .scale = 1.0};
        cr_assert(sherd_animation_add_piece(glb, &piece, &err) == k, "%s", err.what);
        cr_assert(sherd_animation_set_pose(glb, k, 0, (sherd_pose){{k, 0, 0}, {0, 0, 0, 1}},
                                           &err) == SHERD_OK);
    }
    cr_assert(sherd_animation_write(glb, path, &err) == SHERD_OK, "%s", err.what);
    sherd_animation_destroy(glb);
    const char *summary = check("check_glb.py", "");
    cr_assert(strstr(summary, "nodes 41 meshes 40 triangles 480 ") == summary, "%s", summary);
    return sherd_file_size(path);
}

// 24 vertices of a position, a normal and texture coordinates, and 36 indices of two bytes; compact: of 8, 4 and 4 bytes.
// One that differs in its size or its colours is stored itself.
Test(export, glb_stores_equal_meshes_once, .init = make_path, .fini = remove_path)
{
    float paint[24];
    for (int k = 0; k < 24; ++k)
        paint[k] = (float)k / 24.0f;
    for (int compact = 0; compact < 2; ++compact) {
        int64_t equal = size_of_cubes(compact, 0.0, NULL),
                unlike = size_of_cubes(compact, 0.001, NULL),
                painted = size_of_cubes(compact, 0.0, paint), each = compact ? 456 : 840;
        cr_assert(unlike - equal >= 39 * each);
        // Only two are stored: a plain one and a painted one.
        int64_t color = compact ? 8 : 12;
        cr_assert(painted - equal >= each + 24 * color && painted - equal < 5 * each + 39 * 40,
                  "%lld", (long long)(painted - equal));
    }
}

Test(export, glb_indices_of_both_widths)
{
    cr_assert(strstr(check_strip(3), "triangles 1 ") != NULL);
    cr_assert(strstr(check_strip(65535), "triangles 65533 ") != NULL);
    cr_assert(strstr(check_strip(65536), "triangles 65534 ") != NULL);
}

Test(export, glb_refuses_what_makes_no_sense)
{
    sherd_error err = {0};
    sherd_animation *glb = start_glb();
    cr_assert(sherd_animation_write(glb, path, &err) == SHERD_ERROR_INPUT);
    sherd_animation_mesh mesh = cube();
    mesh.outer_material = 2;
    cr_assert(sherd_animation_add_mesh(glb, &mesh, &err) == -1);
    mesh = cube();
    mesh.vertex_count = 7;
    cr_assert(sherd_animation_add_mesh(glb, &mesh, &err) == -1);
    mesh = cube();
    cr_assert(sherd_animation_add_mesh(glb, &mesh, &err) == 0);
    sherd_animation_piece piece = {.mesh = 0, .scale = NAN};
    cr_assert(sherd_animation_add_piece(glb, &piece, &err) == -1);
    piece.scale = 1.0;
    cr_assert(sherd_animation_add_piece(glb, &piece, &err) == 0);
    sherd_pose pose = {{0, 0, NAN}, {0, 0, 0, 1}};
    cr_assert(sherd_animation_set_pose(glb, 0, 0, pose, &err) == SHERD_ERROR_INPUT);
    pose.position.z = 0.0;
    cr_assert(sherd_animation_set_pose(glb, 0, 2, pose, &err) == SHERD_OK);
    cr_assert(sherd_animation_set_pose(glb, 0, 4, pose, &err) == SHERD_ERROR_INPUT);
    cr_assert(sherd_animation_set_pose(glb, 0, FRAMES, pose, &err) == SHERD_ERROR_INPUT);
    sherd_animation_destroy(glb);
    const double falling[] = {1.0, 0.5};
    sherd_animation_def def = {.frame_count = 2, .times = falling, .texture_size = 1.0};
    cr_assert(sherd_animation_file_create(&def, &err) == NULL);
}

Test(export, box_projection_keeps_areas)
{
    sherd_animation_mesh mesh = cube();
    sherd_glb_vertices v;
    cr_assert(sherd_glb_split(&v, &mesh, (sherd_glb_faces){SHERD_FACE_OUTER, -1}, 0.5));
    // Five faces of four corners: x- and y- and z-faces share no vertices, opposite faces neither.
    cr_assert(v.vertex_count == 20 && v.triangle_count == 10);
    for (int t = 0; t < v.triangle_count; ++t) {
        const uint32_t *i = v.indices + 3 * t;
        const float *a = v.texture + 2 * i[0], *b = v.texture + 2 * i[1], *c = v.texture + 2 * i[2];
        float area = 0.5f * fabsf((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
        cr_assert(area == 2.0f); // half a face of 1 m^2 in units of 0.5 m: exact in floats
    }
    cr_assert(v.low[0] == -0.5f && v.high[2] == 0.5f);
    sherd_glb_vertices_free(&v);
    cr_assert(sherd_glb_split(&v, &mesh, (sherd_glb_faces){SHERD_FACE_INNER, -1}, 0.5));
    cr_assert(v.vertex_count == 4 && v.triangle_count == 2);
    // Normals come from faces of the same kind only: the inner face is flat.
    for (int k = 0; k < 4; ++k)
        cr_assert(v.normals[3 * k] == 1.0f && v.normals[3 * k + 1] == 0.0f);
    sherd_glb_vertices_free(&v);
}

Test(export, icosphere_is_closed_and_outward)
{
    double v[SHERD_ICOSPHERE_VERTICES][3];
    int32_t t[SHERD_ICOSPHERE_TRIANGLES][3];
    sherd_icosphere(v, t);
    double volume = 0.0;
    for (int k = 0; k < SHERD_ICOSPHERE_TRIANGLES; ++k) {
        const double *a = v[t[k][0]], *b = v[t[k][1]], *c = v[t[k][2]];
        volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                   a[2] * (b[0] * c[1] - b[1] * c[0])) /
                  6.0;
    }
    // Inscribed: below the ball's 4.19, by less than 15 % at 80 triangles.
    cr_assert(volume > 0.85 * 4.18879 && volume < 4.18879);
}

// ---------------------------------------------------------------- VTK and CSV

enum { N = 40000 }; // several compressed blocks

static double column[3][N], zeros[N], ones[N];
static float stress[N];
static sherd_fragment_id fragments[N];
static uint16_t material[N];

static sherd_run_model elements_model(void)
{
    static const sherd_body_info bodies[] = {{"a", 0, 100, 0}, {"b", 100, N - 100, 1}};
    return (sherd_run_model){.element_count = N,
                             .rest_x = zeros,
                             .rest_y = zeros,
                             .rest_z = zeros,
                             .radius = ones,
                             .mass = ones,
                             .material = material,
                             .body_count = 2,
                             .bodies = bodies};
}

static sherd_run_frame elements_frame(void)
{
    for (int k = 0; k < N; ++k) {
        for (int c = 0; c < 3; ++c)
            column[c][k] = sin(0.37 * k + c);
        ones[k] = 1.0;
        fragments[k] = k / 1000 + 1;
        stress[k] = (float)k / N;
        material[k] = k >= 100;
    }
    return (sherd_run_frame){.index = 0,
                             .time = 0.25,
                             .x = column[0],
                             .y = column[1],
                             .z = column[2],
                             .qx = zeros,
                             .qy = zeros,
                             .qz = zeros,
                             .qw = ones,
                             .vx = column[1],
                             .vy = zeros,
                             .vz = column[2],
                             .stress_ratio = stress,
                             .element_fragment = fragments};
}

Test(export, vtp_of_elements_is_valid)
{
    sherd_error err = {0};
    sherd_run_model model = elements_model();
    sherd_run_frame frame = elements_frame();
    cr_assert(sherd_vtp_write_elements(path, &model, &frame, &err) == SHERD_OK, "%s", err.what);
    cr_assert(eq(str, (char *)check("check_vtp.py", ""), "points 40000 verts 40000 polys 0\n"));
    double speed;
    const char *values = strchr(check("check_vtp.py", "speed_m_s"), '\n');
    cr_assert(sscanf(values, "%lf", &speed) == 1);
    // Printed with six digits.
    cr_assert(epsilon_eq(dbl, speed, hypot(sin(1.0), sin(2.0)), 1e-5));
    values = strchr(check("check_vtp.py", "Points"), '\n');
    double x, y;
    cr_assert(sscanf(values, "%lf %lf", &x, &y) == 2);
    cr_assert(epsilon_eq(dbl, y, sin(1.0), 1e-5));
}

Test(export, vtp_of_pieces_is_valid)
{
    sherd_error err = {0};
    sherd_mesh mesh = {.vertex_count = 8,
                       .triangle_count = 12,
                       .vertices = (double *)cube_vertices,
                       .triangles = (int32_t *)cube_triangles,
                       .face_kind = (uint8_t *)cube_kind};
    sherd_vtk_piece pieces[] = {{1, &mesh, cube_vertices, NULL}, {5, &mesh, cube_vertices, NULL}};
    cr_assert(sherd_vtp_write_pieces(path, 0.5, pieces, 2, &err) == SHERD_OK, "%s", err.what);
    cr_assert(eq(str, (char *)check("check_vtp.py", "fragment"),
                 "points 16 verts 0 polys 24\n1 1 1 1 1 1 1 1 1 1 1 1 5 5 5 5 5 5 5 5 5 5 5 5\n"));
    const char *kinds = strchr(check("check_vtp.py", "face_kind"), '\n') + 1;
    cr_assert(eq(str, (char *)kinds, "0 0 0 0 0 0 0 0 0 0 1 1 0 0 0 0 0 0 0 0 0 0 1 1\n"));
    cr_assert(sherd_vtp_write_pieces(path, 0.5, NULL, 0, &err) == SHERD_OK);
    cr_assert(eq(str, (char *)check("check_vtp.py", ""), "points 0 verts 0 polys 0\n"));
}

// Groups of one name are one; pieces without have none, and are white.
Test(export, vtp_has_groups_and_colours_of_an_artist)
{
    sherd_error err = {0};
    int32_t group[12] = {0, 0, 1, 1, -1, -1, -1, -1, -1, -1, -1, -1}, other[12] = {0};
    float color[24] = {1.0f, 0.5f, 0.0f};
    sherd_mesh plain = {.vertex_count = 8,
                        .triangle_count = 12,
                        .vertices = (double *)cube_vertices,
                        .triangles = (int32_t *)cube_triangles};
    sherd_mesh first = plain, second = plain;
    first.group = group, first.group_count = 2, first.group_names = (char *)"wood\0red iron";
    first.color = color;
    second.group = other, second.group_count = 1, second.group_names = (char *)"red iron";
    sherd_vtk_piece pieces[] = {{1, &plain, cube_vertices, NULL},
                                {2, &first, cube_vertices, NULL},
                                {3, &second, cube_vertices, cube_vertices}};
    cr_assert(sherd_vtp_write_pieces(path, 0.0, pieces, 3, &err) == SHERD_OK, "%s", err.what);
    cr_assert(
        eq(str, strchr(check("check_vtp.py", "group"), '\n') + 1,
           "-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 0 0 1 1 -1 -1 -1 -1 -1 -1 -1 -1 1 1 1 1 1 1 1 "
           "1\n"));
    cr_assert(eq(str, strchr(check("check_vtp.py", "group_names"), '\n') + 1, "wood red iron\n"));
    cr_assert(
        eq(str, strchr(check("check_vtp.py", "color"), '\n') + 1,
           "255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 "
           "255 255 255 255 128 0 0 0 0 0 0\n"));
}

Test(export, vtp_refuses_missing_corners)
{
    const int32_t triangle[] = {0, 1, 8};
    sherd_vtk_mesh mesh = {
        .point_count = 8, .points = cube_vertices, .triangle_count = 1, .triangles = triangle};
    sherd_error err = {0};
    cr_assert(sherd_vtp_write(path, &mesh, &err) == SHERD_ERROR_INPUT);
    cr_assert(eq(str, err.where, path));
}

Test(export, pvd_lists_files_over_time)
{
    const sherd_pvd_entry entries[] = {{0.0, "a&b.vtp"}, {0.1, "c.vtp"}};
    cr_assert(sherd_pvd_write(path, entries, 2, NULL) == SHERD_OK);
    unsigned char *text;
    size_t size;
    cr_assert(sherd_file_read(path, &text, &size, NULL) == SHERD_OK);
    cr_assert(strstr((char *)text, "timestep=\"0\" part=\"0\" file=\"a&amp;b.vtp\"") != NULL);
    cr_assert(strstr((char *)text, "timestep=\"0.10000000000000001\"") != NULL);
    sherd_free(text);
}

Test(export, csv_of_elements_is_exact)
{
    sherd_run_model model = elements_model();
    sherd_run_frame frame = elements_frame();
    cr_assert(sherd_csv_write_elements(path, &model, &frame, NULL) == SHERD_OK);
    sherd_table *table = sherd_table_read(path, NULL);
    cr_assert(table != NULL && sherd_table_row_count(table) == N);
    int y = sherd_table_find_column(table, "y_m");
    cr_assert(sherd_table_number(table, 1234, y) == column[1][1234]);
    cr_assert(sherd_table_number(table, 99, sherd_table_find_column(table, "body")) == 0.0);
    cr_assert(sherd_table_number(table, 100, sherd_table_find_column(table, "body")) == 1.0);
    cr_assert(sherd_table_number(table, 5999, sherd_table_find_column(table, "fragment")) == 6.0);
    sherd_table_destroy(table);
}

// ---------------------------------------------------------------- columns that models and laws add

enum { BONDS = 5 };

static float warmth[N], strain[BONDS];

// Names as a file has them already, as two columns have them, and as only others' files could.
static sherd_run_frame frame_with_columns(sherd_run_model *model)
{
    static const sherd_element_index i[BONDS] = {0, 1, 2, 3, 4}, j[BONDS] = {1, 2, 3, 4, 5};
    static const uint8_t broken[BONDS] = {0, 1, 0, 0, 0};
    static const sherd_run_column columns[] = {{"temperature_k", SHERD_RUN_PER_ELEMENT, warmth},
                                               {"yield", SHERD_RUN_PER_BOND, strain},
                                               {"radius_m", SHERD_RUN_PER_ELEMENT, warmth},
                                               {"bond", SHERD_RUN_PER_BOND, strain},
                                               {"a,b", SHERD_RUN_PER_BOND, strain},
                                               {"a_b", SHERD_RUN_PER_BOND, strain}};
    sherd_run_frame frame = elements_frame();
    for (int k = 0; k < N; ++k)
        warmth[k] = 300.0f + (float)k;
    for (int k = 0; k < BONDS; ++k)
        strain[k] = 0.25f * (float)k;
    warmth[7] = NAN;
    *model = elements_model();
    model->bond_count = BONDS;
    model->bond_i = i;
    model->bond_j = j;
    frame.bond_broken = broken;
    frame.column_count = sizeof columns / sizeof *columns;
    frame.columns = columns;
    return frame;
}

Test(export, tables_have_the_columns_of_frames)
{
    sherd_run_model model;
    sherd_run_frame frame = frame_with_columns(&model);
    cr_assert(sherd_csv_write_elements(path, &model, &frame, NULL) == SHERD_OK);
    sherd_table *table = sherd_table_read(path, NULL);
    cr_assert(eq(int, sherd_table_column_count(table), 19));
    cr_assert(eq(int, sherd_table_find_column(table, "temperature_k"), 17));
    cr_assert(sherd_table_number(table, 8, 17) == 308.0);
    cr_assert(eq(str, (char *)sherd_table_text(table, 7, 17), ""));
    cr_assert(sherd_table_number(table, 8, sherd_table_find_column(table, "radius_m")) == 1.0);
    cr_assert(sherd_table_number(table, 8, sherd_table_find_column(table, "radius_m_2")) == 308.0);
    sherd_table_destroy(table);

    cr_assert(sherd_csv_write_bond_columns(path, &model, &frame, NULL) == SHERD_OK);
    table = sherd_table_read(path, NULL);
    cr_assert(eq(int, (int)sherd_table_row_count(table), BONDS));
    cr_assert(eq(int, sherd_table_find_column(table, "temperature_k"), -1));
    static const char *const names[] = {"yield", "bond_2", "a_b", "a_b_2"};
    for (int c = 0; c < 4; ++c)
        for (int b = 0; b < BONDS; ++b)
            cr_assert(sherd_table_number(table, b, sherd_table_find_column(table, names[c])) ==
                      0.25 * b);
    cr_assert(sherd_table_number(table, 3, sherd_table_find_column(table, "j")) == 4.0);
    cr_assert(sherd_table_number(table, 1, sherd_table_find_column(table, "broken")) == 1.0);
    sherd_table_destroy(table);
}

Test(export, vtp_files_have_the_columns_of_frames)
{
    sherd_error err = {0};
    sherd_run_model model;
    sherd_run_frame frame = frame_with_columns(&model);
    cr_assert(sherd_vtp_write_elements(path, &model, &frame, &err) == SHERD_OK, "%s", err.what);
    const char *values = strchr(check("check_vtp.py", "temperature_k"), '\n') + 1;
    cr_assert(strncmp(values, "300 301 302 ", 12) == 0, "%s", values);
    values = strchr(check("check_vtp.py", "radius_m_2"), '\n') + 1;
    cr_assert(strncmp(values, "300 301 302 ", 12) == 0, "%s", values);
    // Bond 1 is broken.
    cr_assert(sherd_vtp_write_bonds(path, &model, &frame, &err) == SHERD_OK, "%s", err.what);
    values = strchr(check("check_vtp.py", "yield"), '\n') + 1;
    cr_assert(eq(str, (char *)values, "0 0.5 0.75 1\n"));
    int64_t found[BONDS] = {-1, 0, -1, -1, -1};
    const sherd_run_breaks breaks = {.bond_count = BONDS, .broken = found, .intact = found};
    cr_assert(sherd_vtp_write_breaks(path, &model, &frame, &breaks, -1, &err) == SHERD_OK);
    values = strchr(check("check_vtp.py", "bond_2"), '\n') + 1;
    cr_assert(eq(str, (char *)values, "0.25\n"));
}

Test(export, text_is_escaped)
{
    sherd_byte_buffer buffer = {0};
    sherd_xml_escape(&buffer, "<a href='\"&\"'>\x01\xff ü € 😀");
    sherd_byte_buffer_append(&buffer, "", 1);
    cr_assert(eq(str, (char *)buffer.bytes,
                 "&lt;a href=&#39;&quot;&amp;&quot;&#39;&gt;\xef\xbf\xbd\xef\xbf\xbd ü € 😀"));
    sherd_byte_buffer_free(&buffer);
}

// ---------------------------------------------------------------- OBJ and PC2

static sherd_obj_part cube_part(const char *name, const float *uv)
{
    return (sherd_obj_part){.name = name,
                            .vertex_count = 8,
                            .vertices = cube_vertices,
                            .triangle_count = 12,
                            .triangles = cube_triangles,
                            .face_kind = cube_kind,
                            .uv = uv,
                            .outer_material = 0,
                            .inner_material = 1};
}

static sherd_obj *start_obj(const char *place)
{
    sherd_error err = {0};
    sherd_obj *obj = sherd_obj_create(place, "two cubes", &err);
    cr_assert(obj != NULL, "%s", err.what);
    sherd_obj_material m = {"clay", 0.9, 0.5, 1.0 / 3.0, 0.9, 1.0, 0.25, NULL};
    cr_assert(sherd_obj_add_material(obj, &m, &err) == 0);
    cr_assert(sherd_obj_add_material(obj, &m, &err) == 1); // of the same name: made unique
    return obj;
}

Test(export, obj_and_point_cache_of_two_cubes)
{
    sherd_error err = {0};
    char mesh[80], library[80], cache_path[80], argument[100];
    snprintf(mesh, sizeof mesh, "%s.obj", path);
    snprintf(library, sizeof library, "%s.mtl", path);
    snprintf(cache_path, sizeof cache_path, "%s.pc2", path);
    sherd_obj *obj = start_obj(mesh);
    float uv[72];
    for (int k = 0; k < 72; ++k) // each corner has the first two coordinates of its vertex
        uv[k] = (float)cube_vertices[3 * cube_triangles[k / 2] + k % 2];
    sherd_obj_part part = cube_part("fragment_1", uv);
    cr_assert(sherd_obj_add_part(obj, &part, &err) == 0);
    part = cube_part("fragment_2", NULL);
    cr_assert(sherd_obj_add_part(obj, &part, &err) == 1);
    cr_assert(eq(i64, sherd_obj_vertex_count(obj), 16));
    cr_assert(eq(int, sherd_obj_write(obj, &err), SHERD_OK));
    sherd_obj_destroy(obj);
    sherd_pc2 *cache = sherd_pc2_create(cache_path, 16, 3, &err);
    for (int k = 0; k < 6; ++k)
        sherd_pc2_add(cache, 8, cube_vertices);
    cr_assert(eq(int, sherd_pc2_finish(cache, &err), SHERD_OK), "%s", err.what);
    // Corners of a vertex that have the same coordinates share them: 8, not 36.
    snprintf(argument, sizeof argument, "'%s'", cache_path);
    const char *told = check_file("check_obj_pc2.py", mesh, argument);
    cr_assert(eq(str, (char *)told,
                 (char *)"vertices 16 triangles 24 groups 2 materials 2 textures 8 frames 3\n"));
    unlink(mesh);
    unlink(library);
    unlink(cache_path);
}

Test(export, obj_and_point_cache_refuse_nonsense)
{
    sherd_error err = {0};
    sherd_obj *obj = start_obj(path);
    sherd_obj_material m = {"clay", 2.0, 0.5, 0.5, 0.9, 1.0, 0.0, NULL};
    cr_assert(sherd_obj_add_material(obj, &m, &err) == -1);
    sherd_obj_part part = cube_part("a", NULL);
    part.inner_material = 7;
    cr_assert(sherd_obj_add_part(obj, &part, &err) == -1);
    cr_assert(strstr(err.what, "material") != NULL);
    part = cube_part("a", NULL);
    part.vertex_count = 7;
    cr_assert(sherd_obj_add_part(obj, &part, &err) == -1);
    cr_assert(strstr(err.what, "corner") != NULL);
    sherd_obj_destroy(obj); // leaves no library behind
    cr_assert(sherd_file_size(path) <= 0);
    cr_assert(sherd_pc2_create(path, 0, 3, &err) == NULL);
    sherd_pc2 *cache = sherd_pc2_create(path, 8, 2, &err);
    sherd_pc2_add(cache, 8, cube_vertices);
    cr_assert(eq(int, sherd_pc2_finish(cache, &err), SHERD_ERROR_INPUT));
    cr_assert(strstr(err.what, "16 points were announced, 8 came") != NULL);
    cr_assert(sherd_obj_create("/nowhere/at/all.obj", "x", &err) == NULL);
    cr_assert(eq(int, err.status, SHERD_ERROR_IO));
}

// ---------------------------------------------------------------- splitting for glTF

// A box has flat sides with sharp edges between; given texture coordinates are kept, v upside down.
Test(export, glb_keeps_creases_and_texture_coordinates)
{
    sherd_animation_mesh mesh = cube();
    float uv[72];
    for (int k = 0; k < 72; ++k)
        uv[k] = (float)cube_vertices[3 * cube_triangles[k / 2] + k % 2] * 0.5f;
    mesh.uv = uv;
    sherd_glb_vertices out;
    cr_assert(sherd_glb_split(&out, &mesh, (sherd_glb_faces){SHERD_FACE_OUTER, -1}, 1.0));
    cr_assert(eq(int, out.triangle_count, 10));
    cr_assert(eq(int, out.vertex_count, 20)); // four a side
    for (int32_t v = 0; v < out.vertex_count; ++v) {
        const float *n = out.normals + 3 * v, *p = out.positions + 3 * v;
        cr_assert(fabsf(n[0]) + fabsf(n[1]) + fabsf(n[2]) == 1.0f);
        cr_assert(eq(flt, out.texture[2 * v], 0.5f * (p[0] + 0.5f)));
        cr_assert(eq(flt, out.texture[2 * v + 1], 1.0f - 0.5f * (p[1] + 0.5f)));
    }
    sherd_glb_vertices_free(&out);
}

// A rough disc around a vertex of `blades` triangles, of which a third are of the crack.
static void make_disc(int blades, sherd_animation_mesh *mesh, double *vertices, int32_t *triangles,
                      uint8_t *kinds)
{
    vertices[0] = vertices[1] = vertices[2] = 0.0;
    for (int k = 0; k < blades; ++k) {
        double angle = 2.0 * M_PI * k / blades, *p = vertices + 3 * (k + 1);
        p[0] = cos(angle), p[1] = sin(angle), p[2] = 0.15 * sin(1.7 * k * k);
        triangles[3 * k] = 0, triangles[3 * k + 1] = k + 1;
        triangles[3 * k + 2] = (k + 1) % blades + 1;
        kinds[k] = k % 3 == 0 ? SHERD_FACE_INNER : SHERD_FACE_OUTER;
    }
    mesh->vertex_count = blades + 1, mesh->triangle_count = blades;
    mesh->vertices = vertices, mesh->triangles = triangles, mesh->face_kind = kinds;
}

// Every drawn corner has the normal of its own corner, to the bit, and no vertex is there twice; fans of fewer and of
// more corners than are looked at together.
Test(export, glb_corners_have_their_own_normals)
{
    enum { MOST = 200 };
    double vertices[3 * (MOST + 1)];
    int32_t triangles[3 * MOST];
    uint8_t kinds[MOST];
    for (int blades = 5; blades <= MOST; blades += 13) {
        sherd_animation_mesh mesh = {.name = "disc"};
        make_disc(blades, &mesh, vertices, triangles, kinds);
        sherd_corner_fans fans;
        cr_assert(sherd_export_corner_fans(&fans, &mesh));
        sherd_glb_vertices v;
        cr_assert(sherd_glb_split(&v, &mesh, (sherd_glb_faces){SHERD_FACE_OUTER, -1}, 1.0));
        int32_t drawn = 0;
        for (int32_t t = 0; t < blades; ++t) {
            if (kinds[t] == SHERD_FACE_INNER) continue;
            for (int k = 0; k < 3; ++k) {
                double n[3], length;
                sherd_export_corner_normal(&fans, t, k, n);
                length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
                const float *made = v.normals + 3 * (size_t)v.indices[3 * drawn + k];
                for (int c = 0; c < 3; ++c)
                    cr_assert(made[c] == (float)(n[c] / length), "%d blades, %d", blades, (int)t);
            }
            ++drawn;
        }
        cr_assert(eq(int, v.triangle_count, drawn));
        for (int32_t a = 0; a < v.vertex_count; ++a)
            for (int32_t b = 0; b < a; ++b)
                cr_assert(memcmp(v.positions + 3 * a, v.positions + 3 * b, 12) != 0 ||
                          memcmp(v.normals + 3 * a, v.normals + 3 * b, 12) != 0 ||
                          memcmp(v.texture + 2 * a, v.texture + 2 * b, 8) != 0);
        sherd_glb_vertices_free(&v);
        sherd_corner_fans_release(&fans);
    }
}
