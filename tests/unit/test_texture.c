// Textures: continuous over cracks, the same for every number of threads, picture files and their faults.
#include <sherd/render.h>

#include "base/memory.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "render/texture/lookup.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sherd_texture texture_of(sherd_texture_kind kind)
{
    return (sherd_texture){
        .kind = kind, .size = 0.1, .grain = {0.3, 1.0, 0.2}, .contrast = 1.0, .seed = 7};
}

// A triangle of a geometry, moved and turned from where it was at rest.
typedef struct patch {
    double rest[9], vertices[9];
    int32_t triangles[3];
    uint8_t kind[1];
    tracer_geometry geometry;
} patch;

static void make_patch(patch *p, const double rest[9], sherd_quat turn, sherd_vec3 shift,
                       const sherd_texture *texture)
{
    memcpy(p->rest, rest, sizeof p->rest);
    for (int k = 0; k < 3; ++k) {
        sherd_vec3 at = vec3(rest[3 * k], rest[3 * k + 1], rest[3 * k + 2]);
        at = vec3_add(quat_rotate(turn, at), shift);
        p->vertices[3 * k] = at.x, p->vertices[3 * k + 1] = at.y, p->vertices[3 * k + 2] = at.z;
        p->triangles[k] = k;
    }
    p->geometry = (tracer_geometry){
        .is_mesh = true, .triangles = p->triangles, .vertices = p->vertices, .rest = p->rest};
    for (int side = 0; side < 2; ++side)
        p->geometry.material.faces[side].texture = sherd_texture_open(texture);
}

static coat_surface look_at(const patch *p, float u, float v, bool inner)
{
    coat_surface surface = {.albedo = {0.5f, 0.5f, 0.5f}, .roughness = 0.5f};
    const texture_corner at = {0, u, v, inner};
    sherd_texture_finish(&p->geometry, &at, true, &surface);
    return surface;
}

static bool nearly(vec3f a, vec3f b, float most)
{
    return fabsf(a.x - b.x) <= most && fabsf(a.y - b.y) <= most && fabsf(a.z - b.z) <= most;
}

Test(texture, both_sides_of_a_crack_show_the_same)
{
    const double crack[9] = {0.0, 0.0, 0.0, 1.0, 0.1, 0.2, 0.1, 0.9, -0.3};
    // The other fragment has the same face, seen from the other side and cut in another way.
    const double other[9] = {0.1, 0.9, -0.3, 1.0, 0.1, 0.2, 0.0, 0.0, 0.0};
    for (int kind = SHERD_TEXTURE_WOOD; kind < SHERD_TEXTURE_COUNT; ++kind) {
        sherd_texture texture = texture_of((sherd_texture_kind)kind);
        patch a, b;
        make_patch(&a, crack, (sherd_quat){0.0, 0.0, 0.0, 1.0}, vec3(0.0, 0.0, 0.0), &texture);
        make_patch(&b, other, quat_normalize((sherd_quat){0.3, -0.2, 0.5, 0.8}),
                   vec3(3.0, -2.0, 1.0), &texture);
        float least = 1.0f, most = 0.0f;
        for (int k = 0; k < 200; ++k) {
            float u = 0.45f * (float)(k % 20) / 20.0f, v = 0.45f * (float)(k / 20) / 10.0f;
            coat_surface here = look_at(&a, u, v, true);
            coat_surface there = look_at(&b, u, 1.0f - u - v, true);
            cr_assert(nearly(here.albedo, there.albedo, 3e-3f), "%d at %g, %g: %g and %g", kind,
                      (double)u, (double)v, (double)here.albedo.x, (double)there.albedo.x);
            cr_assert(fabsf(here.roughness - there.roughness) < 5e-3f);
            least = float_min(least, here.albedo.x), most = float_max(most, here.albedo.x);
        }
        cr_assert(most > 1.03f * least, "texture %d shows nothing: %g to %g", kind, (double)least,
                  (double)most);
    }
}

Test(texture, solids_have_no_jumps_at_edges_to_broken_faces)
{
    const double rest[9] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    const double turned[9] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0};
    for (int kind = SHERD_TEXTURE_WOOD; kind < SHERD_TEXTURE_COUNT; ++kind) {
        if (kind == SHERD_TEXTURE_CONCRETE || kind == SHERD_TEXTURE_METAL) continue; // have a skin
        sherd_texture texture = texture_of((sherd_texture_kind)kind);
        patch a, b;
        make_patch(&a, rest, (sherd_quat){0.0, 0.0, 0.0, 1.0}, vec3(0.0, 0.0, 0.0), &texture);
        make_patch(&b, turned, (sherd_quat){0.0, 0.0, 0.0, 1.0}, vec3(0.0, 0.0, 0.0), &texture);
        for (int k = 0; k < 50; ++k) {
            float u = (float)k / 50.0f;
            cr_assert(nearly(look_at(&a, u, 0.0f, false).albedo, look_at(&b, u, 0.0f, true).albedo,
                             0.12f),
                      "%d at %g", kind, (double)u);
        }
    }
}

Test(texture, follows_a_cut_through_a_fragment)
{
    const double rest[9] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    sherd_texture texture = texture_of(SHERD_TEXTURE_WOOD);
    sherd_quat turn = quat_normalize((sherd_quat){0.1, 0.7, -0.4, 0.5});
    patch still, moved;
    make_patch(&still, rest, (sherd_quat){0.0, 0.0, 0.0, 1.0}, vec3(0.0, 0.0, 0.0), &texture);
    make_patch(&moved, rest, turn, vec3(-1.0, 2.0, 0.5), &texture);
    const texture_corner at = {0, 0.2f, 0.2f, true};
    for (int k = 0; k < 20; ++k) {
        sherd_vec3 inside = vec3(0.3, 0.05 * k, -0.3);
        coat_surface here = {.albedo = {0.5f, 0.5f, 0.5f}, .roughness = 0.5f}, there = here;
        sherd_texture_finish_inside(&still.geometry, &at, inside, &here);
        sherd_texture_finish_inside(&moved.geometry, &at,
                                    vec3_add(quat_rotate(turn, inside), vec3(-1.0, 2.0, 0.5)),
                                    &there);
        cr_assert(nearly(here.albedo, there.albedo, 1e-3f), "%d", k);
    }
}

Test(texture, wood_varies_across_its_grain_and_hardly_along_it)
{
    sherd_texture texture = texture_of(SHERD_TEXTURE_WOOD);
    texture.grain = (sherd_vec3){0.0, 1.0, 0.0};
    texture_map map = sherd_texture_open(&texture);
    double along = 0.0, across = 0.0;
    for (int k = 0; k < 400; ++k) {
        vec3f seen[3];
        for (int s = 0; s < 3; ++s) {
            coat_surface surface = {.albedo = {0.5f, 0.5f, 0.5f}, .roughness = 0.5f};
            texture_place place = {.rest = {0.013 * k, s == 1 ? 0.04 : 0.0, s == 2 ? 0.04 : 0.0}};
            sherd_texture_apply(&map, &place, &surface);
            seen[s] = surface.albedo;
        }
        along += fabs((double)(seen[1].x - seen[0].x));
        across += fabs((double)(seen[2].x - seen[0].x));
    }
    cr_assert(across > 2.0 * along, "across %g, along %g", across, along);
}

Test(texture, the_mean_is_that_of_many_places)
{
    for (int kind = SHERD_TEXTURE_WOOD; kind < SHERD_TEXTURE_COUNT; ++kind) {
        sherd_texture texture = texture_of((sherd_texture_kind)kind);
        texture_map map = sherd_texture_open(&texture);
        double sum = 0.0;
        for (int k = 0; k < 4000; ++k) {
            coat_surface surface = {.albedo = {0.5f, 0.5f, 0.5f}, .roughness = 0.5f};
            texture_place place = {
                .rest = {0.37 * (k % 16), 0.41 * (k / 16 % 16), 0.29 * (k / 256)},
                .inner = k % 2 == 1};
            sherd_texture_apply(&map, &place, &surface);
            sum += (double)surface.albedo.y / 4000.0;
        }
        cr_assert(fabs(sum / 0.5 - (double)map.mean.y) < 0.1, "%d: %g, %g", kind, sum / 0.5,
                  (double)map.mean.y);
    }
}

// --- pictures -----------------------------------------------------------------------------------

static const double CUBE[24] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0,
                                0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
static const int32_t CUBE_TRIANGLES[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                           1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

static sherd_image *cube_picture(const sherd_render_material *material, int threads)
{
    sherd_render_mesh cube = {.name = "cube",
                              .vertex_count = 8,
                              .triangle_count = 12,
                              .vertices = CUBE,
                              .triangles = CUBE_TRIANGLES,
                              .material = *material};
    sherd_render_scene scene = sherd_render_scene_default();
    scene.width = 64, scene.height = 48, scene.samples_per_pixel = 4, scene.threads = threads;
    scene.meshes = &cube, scene.mesh_count = 1;
    scene.camera = (sherd_camera){.position = {2.0, -3.0, 2.0},
                                  .target = {0.5, 0.5, 0.5},
                                  .up = {0.0, 0.0, 1.0},
                                  .vertical_fov = 0.5};
    sherd_error error = {0};
    sherd_image *image = sherd_render(&scene, &error);
    cr_assert(image != NULL, "%s: %s", error.where, error.what);
    return image;
}

Test(texture, pictures_are_the_same_for_every_number_of_threads)
{
    sherd_render_material material = sherd_render_material_default();
    material.outer_texture = texture_of(SHERD_TEXTURE_CONCRETE);
    sherd_image *one = cube_picture(&material, 1);
    for (int threads = 2; threads <= 3; ++threads) {
        sherd_image *more = cube_picture(&material, threads);
        cr_assert(memcmp(one->pixels, more->pixels, 64 * 48 * 3) == 0, "%d threads", threads);
        sherd_image_destroy(more);
    }
    material.outer_texture.contrast = 0.0;
    sherd_image *plain = cube_picture(&material, 2);
    cr_assert(memcmp(one->pixels, plain->pixels, 64 * 48 * 3) != 0, "nothing to be seen of it");
    sherd_image_destroy(plain);
    sherd_image_destroy(one);
}

Test(texture, metal_reflects_in_its_own_colour_and_has_no_base)
{
    coat_surface gold = {.albedo = {1.0f, 0.7f, 0.3f}, .roughness = 0.3f, .f0 = 0.04f};
    coat_set_metal(&gold, 1.0f);
    vec3f view = {0.0f, 0.0f, 1.0f};
    vec3f base = coat_base_albedo(&gold), gloss = coat_gloss_color(&gold, view.z);
    cr_assert(nearly(base, vec3f_make(0.0f, 0.0f, 0.0f), 0.0f));
    cr_assert(nearly(gloss, vec3f_make(1.0f, 0.7f, 0.3f), 1e-6f));
    cr_assert(fabsf(gold.f0 - 1.0f) < 1e-6f);
    cr_assert(nearly(coat_gloss_color(&gold, 0.0f), vec3f_make(1.0f, 1.0f, 1.0f), 1e-6f),
              "grazing light keeps its colour");
    sherd_render_material material = sherd_render_material_default();
    material.outer_color = (sherd_color){0.9f, 0.5f, 0.1f};
    material.outer_metal = 1.0;
    sherd_image *image = cube_picture(&material, 2);
    const uint8_t *p = image->pixels + 3 * (24 * 64 + 32);
    cr_assert(p[0] > p[1] && p[1] > p[2] + 20, "%d %d %d", p[0], p[1], p[2]);
    sherd_image_destroy(image);
}

// --- files --------------------------------------------------------------------------------------

// The cube's picture, with a group of its own for every second triangle.
static sherd_image *grouped_picture(const sherd_render_group groups[2])
{
    int32_t group[12];
    for (int t = 0; t < 12; ++t)
        group[t] = t / 2 % 2;
    sherd_render_mesh mesh = {.vertex_count = 8,
                              .triangle_count = 12,
                              .vertices = CUBE,
                              .triangles = CUBE_TRIANGLES,
                              .group = group,
                              .group_count = 2,
                              .groups = groups,
                              .material = sherd_render_material_default()};
    sherd_render_scene scene = sherd_render_scene_default();
    scene.meshes = &mesh, scene.mesh_count = 1;
    scene.width = 64, scene.height = 48, scene.samples_per_pixel = 2;
    scene.camera = sherd_camera_frame_bounds((sherd_bounds){{0, 0, 0}, {1, 1, 1}}, 4.0 / 3.0);
    sherd_error error = {0};
    sherd_image *image = sherd_render(&scene, &error);
    cr_assert(image != NULL || error.status == SHERD_ERROR_INPUT, "%s", error.what);
    return image;
}

Test(texture, groups_have_looks_of_their_own)
{
    sherd_render_group groups[2] = {{.color = {0.7f, 0.0f, 0.0f}, .roughness = 1.0},
                                    {.color = {0.0f, 0.0f, 0.7f}, .roughness = 1.0}};
    sherd_image *image = grouped_picture(groups);
    int red = 0, blue = 0;
    for (int k = 0; k < 64 * 48; ++k) {
        const uint8_t *p = image->pixels + 3 * k;
        red += p[0] > p[2] + 60, blue += p[2] > p[0] + 60;
    }
    sherd_image_destroy(image);
    cr_assert(red > 100 && blue > 100, "%d red and %d blue pixels", red, blue);
    groups[1].roughness = 0.0;
    cr_assert_null(grouped_picture(groups));
}

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "/tmp/sherd-texture-%d-%s", (int)getpid(), name);
    return path;
}

static void expect_bad(const char *name, const void *bytes, size_t size, const char *what)
{
    const char *path = in_folder(name);
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    sherd_error error = {0};
    cr_assert(sherd_texture_image_read(path, &error) == NULL);
    cr_assert(eq(int, error.status, SHERD_ERROR_INPUT));
    cr_assert(strstr(error.what, what) != NULL, "%s: %s", name, error.what);
    cr_assert(strstr(error.where, path) != NULL);
    unlink(path);
}

Test(texture, files_that_are_no_pictures_are_refused)
{
    sherd_error error = {0};
    cr_assert(sherd_texture_image_read(in_folder("missing.png"), &error) == NULL);
    cr_assert(eq(int, error.status, SHERD_ERROR_IO));
    expect_bad("empty.png", "", 0, "neither PNG nor JPEG");
    expect_bad("text.png", "hello", 5, "neither PNG nor JPEG");
    expect_bad("cut.png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16, "damaged");
#if defined(SHERD_HAS_JPEG)
    expect_bad("cut.jpg", "\xff\xd8\xff\xe0\0\x10JFIF", 10, "damaged");
#endif
}

Test(texture, a_picture_lies_as_texture_coordinates_say)
{
    sherd_error error = {0};
    sherd_image *image = sherd_image_create(2, 2, &error); // red, green above blue, white
    static const uint8_t PIXELS[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
    memcpy(image->pixels, PIXELS, sizeof PIXELS);
    const char *path = in_folder("four.png");
    cr_assert(eq(int, sherd_image_write_png(image, path, &error), SHERD_OK));
    sherd_texture_image *read = sherd_texture_image_read(path, &error);
    cr_assert(read != NULL, "%s", error.what);
    sherd_texture texture = {.size = 2.0, .contrast = 1.0, .image = read};
    const double rest[9] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    const float uv[6] = {0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 1.0f};
    patch p;
    make_patch(&p, rest, (sherd_quat){0.0, 0.0, 0.0, 1.0}, vec3(0.0, 0.0, 0.0), &texture);
    p.geometry.uv = uv;
    cr_assert(nearly(look_at(&p, 0.25f, 0.25f, false).albedo, vec3f_make(0, 0, 0.5f), 1e-4f));
    cr_assert(nearly(look_at(&p, 0.25f, 0.75f, false).albedo, vec3f_make(0.5f, 0, 0), 1e-4f));
    p.geometry.uv = NULL; // projected along z, two metres wide
    cr_assert(nearly(look_at(&p, 0.5f, 0.5f, false).albedo, vec3f_make(0, 0, 0.5f), 1e-4f));
    sherd_texture_image_destroy(read);
    sherd_image_destroy(image);
    unlink(path);
}

Test(texture, what_is_out_of_range_is_refused)
{
    sherd_render_mesh cube = {.name = "cube", .material = sherd_render_material_default()};
    cube.material.outer_texture = texture_of(SHERD_TEXTURE_WOOD);
    cube.material.outer_texture.size = 0.0;
    sherd_render_scene scene = sherd_render_scene_default();
    scene.meshes = &cube, scene.mesh_count = 1;
    sherd_error error = {0};
    cr_assert(sherd_render(&scene, &error) == NULL);
    cr_assert(strstr(error.what, "texture.size") != NULL, "%s", error.what);
    cube.material.outer_texture = texture_of((sherd_texture_kind)99);
    cr_assert(sherd_render(&scene, &error) == NULL);
    cr_assert(strstr(error.what, "unknown kind of texture 99") != NULL, "%s", error.what);
    cr_assert(sherd_texture_describe((sherd_texture_kind)99).word == NULL);
}
