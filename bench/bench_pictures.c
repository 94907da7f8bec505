// sherd bench pictures: seconds for the surfaces and for the picture of a broken plate, and the picture's error; the
// same of its preview. With a folder, the ratios to the build that made the references there.
//
// Errors are root mean squares of differences in linear light against references without noise removal. Two references
// of independent noise are made: with errors a and b of zero mean, the mean of (p - A)(p - B) is that of the square of
// p's own error, whatever noise the references have.
#include "bench/benchmarks.h"
#include "bench/broken_plate.h"
#include "clock.h"
#include "message.h"

#include <sherd/file.h>
#include <sherd/layers.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 800, HEIGHT = 450, PIXELS = WIDTH * HEIGHT, REFERENCE_SAMPLES = 64 };
enum { REFERENCE_SAMPLES_REDUCED = 4 };

typedef struct picture_case {
    const char *name;
    int cells;
    int samples; // a pixel
    sherd_render_surface surface;
    double aperture; // of the lens [m]
    double fall;     // of all pieces while the shutter is open [m]
} picture_case;

static const picture_case CASES[] = {
    {"plate-200", 210, 8, SHERD_RENDER_OPAQUE, 0.0, 0.0},
    {"plate-2000", 2700, 8, SHERD_RENDER_OPAQUE, 0.0, 0.0},
    {"glass-200", 210, 32, SHERD_RENDER_GLASS, 0.0, 0.0},
    {"blur-200", 210, 16, SHERD_RENDER_OPAQUE, 0.0, 0.006},
    {"lens-200", 210, 16, SHERD_RENDER_OPAQUE, 0.02, 0.0},
};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

typedef struct seconds {
    double clock, cpu; // cpu: of all threads together
} seconds;

typedef struct picture_result {
    seconds surfaces, few,
        pose; // all pieces new; some of them; vertices carried to where elements are
    seconds prepare, picture; // of one pixel: rays' tree; of all
    seconds preview;          // of all
    double error, preview_error;
    double before_cpu, before_error; // of the build whose references these are; 0: of this one
    int fragments;
    sherd_element_index elements;
    int64_t triangles;
} picture_result;

// A picture being measured.
typedef struct studio {
    const picture_case *about;
    broken_plate plate;
    double **arrays, *motions; // of pieces: vertices, then normals; one motion for all vertices
    double *numbers;           // owns vertices and normals
    sherd_render_mesh *meshes;
    sherd_render_scene scene;
} studio;

static sherd_status fail_memory(sherd_error *error)
{
    *error =
        (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for a benchmark"};
    return SHERD_ERROR_MEMORY;
}

static seconds now(void)
{
    return (seconds){clock_seconds(), (double)clock() / CLOCKS_PER_SEC};
}

// The least of all repeats, by processor time: work of others can only add to it.
static void keep_least(seconds *least, seconds start, int repeat)
{
    seconds end = now(), taken = {end.clock - start.clock, end.cpu - start.cpu};
    if (repeat == 0 || taken.cpu < least->cpu) *least = taken;
}

// --- Surfaces -----------------------------------------------------------------------------------

static sherd_status update_surface(broken_plate *p, const uint8_t *broken, seconds *least,
                                   int repeat, sherd_error *error)
{
    sherd_status status = broken_plate_divide(p, broken, error);
    if (status != SHERD_OK) return status;
    sherd_fragment_view view = sherd_fragments_view(p->fragments);
    seconds start = now();
    status = sherd_surface_update(p->surface, &view, broken, error);
    if (least != NULL) keep_least(least, start, repeat);
    return status;
}

// The last update is the one that pictures show.
static sherd_status measure_surfaces(broken_plate *p, int repeats, picture_result *r,
                                     sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = 0; k < repeats && status == SHERD_OK; ++k) {
        status = update_surface(p, p->whole, NULL, k, error);
        if (status == SHERD_OK) status = update_surface(p, p->more, NULL, k, error);
        if (status == SHERD_OK) status = update_surface(p, p->broken, &r->few, k, error);
        if (status == SHERD_OK) status = update_surface(p, p->whole, NULL, k, error);
        if (status == SHERD_OK) status = update_surface(p, p->broken, &r->surfaces, k, error);
    }
    return status;
}

static sherd_status pose_pieces(studio *s, int repeats, picture_result *r, sherd_error *error)
{
    size_t count = (size_t)sherd_surface_piece_count(s->plate.surface), vertices = 0;
    for (size_t k = 0; k < count; ++k) {
        const sherd_mesh *mesh = sherd_surface_get_piece(s->plate.surface, (int)k).mesh;
        vertices += (size_t)mesh->vertex_count;
        r->triangles += mesh->triangle_count;
    }
    s->arrays = calloc(2 * count + 1, sizeof *s->arrays);
    s->numbers = calloc(6 * vertices + 1, sizeof *s->numbers);
    s->motions = calloc(3 * vertices + 1, sizeof *s->motions);
    if (s->arrays == NULL || s->numbers == NULL || s->motions == NULL) return fail_memory(error);
    double *at = s->numbers;
    for (size_t k = 0; k < 2 * count; ++k) {
        s->arrays[k] = at;
        at +=
            3 *
            (size_t)sherd_surface_get_piece(s->plate.surface, (int)(k % count)).mesh->vertex_count;
    }
    for (size_t v = 0; v < vertices; ++v)
        s->motions[3 * v + 2] = -s->about->fall;
    for (int k = 0; k < repeats; ++k) {
        seconds start = now();
        sherd_surface_pose_all(s->plate.surface, &s->plate.pose, s->arrays, s->arrays + count);
        keep_least(&r->pose, start, k);
    }
    r->fragments = (int)count;
    r->elements = s->plate.count;
    return SHERD_OK;
}

// --- Picture ------------------------------------------------------------------------------------

static sherd_render_material look_of(const picture_case *about)
{
    sherd_render_material look = sherd_render_material_default();
    look.surface = about->surface;
    if (about->surface != SHERD_RENDER_GLASS) return look;
    look.outer_color = look.inner_color = (sherd_color){0.6f, 0.85f, 0.75f};
    look.outer_roughness = 0.01, look.inner_roughness = 0.12; // as of glass in scenes
    look.absorption = sherd_render_absorption(look.outer_color, 0.006);
    return look;
}

static sherd_status set_scene(studio *s, int threads, sherd_error *error)
{
    int count = sherd_surface_piece_count(s->plate.surface);
    s->meshes = calloc((size_t)count + 1, sizeof *s->meshes);
    if (s->meshes == NULL) return fail_memory(error);
    for (int k = 0; k < count; ++k) {
        const sherd_mesh *mesh = sherd_surface_get_piece(s->plate.surface, k).mesh;
        s->meshes[k] = (sherd_render_mesh){.name = "fragment",
                                           .vertex_count = mesh->vertex_count,
                                           .triangle_count = mesh->triangle_count,
                                           .vertices = s->arrays[k],
                                           .triangles = mesh->triangles,
                                           .normals = s->arrays[count + k],
                                           .face_kind = mesh->face_kind,
                                           .motions = s->about->fall > 0.0 ? s->motions : NULL,
                                           .rest = mesh->vertices,
                                           .material = look_of(s->about)};
    }
    s->scene = sherd_render_scene_default();
    s->scene.meshes = s->meshes, s->scene.mesh_count = count;
    // As scenes/plate.yaml has it.
    s->scene.camera = (sherd_camera){.position = {0.42, -0.5, 0.3},
                                     .target = {0.0, 0.0, 0.025},
                                     .up = {0.0, 0.0, 1.0},
                                     .vertical_fov = 0.401425727958696,
                                     .aperture = s->about->aperture};
    s->scene.width = WIDTH, s->scene.height = HEIGHT;
    s->scene.samples_per_pixel = s->about->samples;
    s->scene.threads = threads;
    return SHERD_OK;
}

static sherd_status write_image(const sherd_image *image, const picture_case *about,
                                const char *ending, const char *folder, sherd_error *error)
{
    char name[64], path[MESSAGE_PATH];
    snprintf(name, sizeof name, "%s%s.png", about->name, ending);
    message_path(folder, name, path);
    return sherd_image_write_png(image, path, error);
}

// Of the picture, its preview, and one pixel in turn.
static sherd_status time_picture(studio *s, int repeats, picture_result *r, const char *folder,
                                 sherd_error *error)
{
    enum { KINDS = 3 };
    sherd_render_scene scenes[KINDS] = {s->scene, s->scene, s->scene};
    scenes[0].width = scenes[0].height = 1;
    scenes[1].quality = SHERD_RENDER_PREVIEW;
    seconds *const least[KINDS] = {&r->prepare, &r->preview, &r->picture};
    static const char *const ENDINGS[KINDS] = {NULL, "-preview", ""};
    sherd_status status = SHERD_OK;
    for (int k = 0; k < KINDS * repeats && status == SHERD_OK; ++k) {
        int kind = k % KINDS;
        seconds start = now();
        sherd_image *image = sherd_render(&scenes[kind], error);
        keep_least(least[kind], start, k / KINDS);
        status = image != NULL ? SHERD_OK : error->status;
        if (status == SHERD_OK && folder != NULL && ENDINGS[kind] != NULL &&
            k >= KINDS * (repeats - 1))
            status = write_image(image, s->about, ENDINGS[kind], folder, error);
        sherd_image_destroy(image);
    }
    return status;
}

// --- Error --------------------------------------------------------------------------------------

// Light of all pixels.
static sherd_status trace_light(const sherd_render_scene *scene, float *light, sherd_error *error)
{
    sherd_layers *layers;
    sherd_image *image = sherd_render_layers(scene, &layers, error);
    if (image == NULL) return error->status;
    for (int32_t k = 0; k < PIXELS; ++k) {
        sherd_layer_pixel p = sherd_layers_pixel(layers, k % WIDTH, k / WIDTH);
        light[3 * k] = p.r, light[3 * k + 1] = p.g, light[3 * k + 2] = p.b;
    }
    sherd_layers_destroy(layers);
    sherd_image_destroy(image);
    return SHERD_OK;
}

static bool read_references(const char *path, float *light)
{
    const size_t count = (size_t)2 * 3 * PIXELS;
    FILE *file = path != NULL ? fopen(path, "rb") : NULL;
    bool complete = file != NULL && fread(light, sizeof *light, count, file) == count;
    if (file != NULL) fclose(file);
    return complete;
}

// Both, those of an earlier call from the folder.
static sherd_status make_references(const studio *s, int samples, const char *folder, float *light,
                                    sherd_error *error)
{
    char name[64], path[MESSAGE_PATH];
    snprintf(name, sizeof name, "%s.reference", s->about->name);
    if (folder != NULL) message_path(folder, name, path);
    if (folder != NULL && read_references(path, light)) return SHERD_OK;
    sherd_render_scene scene = s->scene;
    scene.denoise = SHERD_RENDER_DENOISE_OFF;
    scene.samples_per_pixel = samples;
    sherd_status status = SHERD_OK;
    for (int k = 0; k < 2 && status == SHERD_OK; ++k) {
        scene.seed = 1001 + (uint64_t)k;
        status = trace_light(&scene, light + (size_t)k * 3 * PIXELS, error);
    }
    if (status != SHERD_OK || folder == NULL) return status;
    return sherd_file_write(path, light, (size_t)2 * 3 * PIXELS * sizeof *light, error);
}

// `light`: of both references, and room for that of the picture.
static sherd_status compare_light(const sherd_render_scene *scene, float *light, double *found,
                                  sherd_error *error)
{
    const size_t count = (size_t)3 * PIXELS;
    const float *a = light, *b = light + count;
    float *own = light + 2 * count;
    sherd_status status = trace_light(scene, own, error);
    double sum = 0.0;
    for (size_t k = 0; status == SHERD_OK && k < count; ++k)
        sum += (double)(own[k] - a[k]) * (double)(own[k] - b[k]);
    *found = sqrt(fmax(sum, 0.0) / (double)count);
    return status;
}

static sherd_status find_error(const studio *s, int samples, const char *folder, picture_result *r,
                               sherd_error *error)
{
    const size_t count = (size_t)3 * PIXELS;
    float *light = calloc(3 * count, sizeof *light);
    sherd_status status = light != NULL ? SHERD_OK : fail_memory(error);
    if (status == SHERD_OK) status = make_references(s, samples, folder, light, error);
    if (status == SHERD_OK) status = compare_light(&s->scene, light, &r->error, error);
    sherd_render_scene preview = s->scene;
    preview.quality = SHERD_RENDER_PREVIEW;
    if (status == SHERD_OK) status = compare_light(&preview, light, &r->preview_error, error);
    free(light);
    return status;
}

// The folder keeps what the first build that made references took, to be held against.
static sherd_status recall_before(const picture_case *about, const char *folder, picture_result *r,
                                  sherd_error *error)
{
    char name[64], path[MESSAGE_PATH], text[64];
    snprintf(name, sizeof name, "%s.before", about->name);
    message_path(folder, name, path);
    FILE *file = fopen(path, "r");
    bool known = file != NULL && fscanf(file, "%lf %lf", &r->before_cpu, &r->before_error) == 2;
    if (file != NULL) fclose(file);
    if (known) return SHERD_OK;
    r->before_cpu = r->before_error = 0.0;
    int length = snprintf(text, sizeof text, "%.6g %.6g\n", r->picture.cpu, r->error);
    return sherd_file_write(path, text, (size_t)length, error);
}

// --- Rows ---------------------------------------------------------------------------------------

static void print_result(const picture_case *about, const picture_result *r, int threads, bool json,
                         bool first)
{
    const struct {
        const char *name;
        seconds value;
    } metrics[] = {{"surfaces", r->surfaces}, {"few", r->few},         {"pose", r->pose},
                   {"prepare", r->prepare},   {"picture", r->picture}, {"preview", r->preview}};
    enum { METRICS = sizeof metrics / sizeof metrics[0] };
    if (!json) {
        printf("%-11s %8d %6d %9lld", about->name, r->elements, r->fragments,
               (long long)r->triangles);
        for (int k = 0; k < METRICS; ++k)
            printf(" %6.3f /%6.3f", metrics[k].value.clock, metrics[k].value.cpu);
        printf(" %3d %9.5f %9.5f", about->samples, r->error, r->preview_error);
        if (r->before_cpu > 0.0)
            printf(" %9.2f %9.2f", r->picture.cpu / r->before_cpu, r->error / r->before_error);
        printf("\n");
        fflush(stdout);
        return;
    }
    printf("%s", first ? "" : ",");
    for (int k = 0; k < METRICS; ++k)
        printf("\n  {\"case\": \"%s\", \"metric\": \"%s\", \"value\": %.6g, \"cpu\": %.6g, "
               "\"unit\": \"s\", \"threads\": %d},",
               about->name, metrics[k].name, metrics[k].value.clock, metrics[k].value.cpu, threads);
    printf("\n  {\"case\": \"%s\", \"metric\": \"error\", \"value\": %.6g, \"samples\": %d},",
           about->name, r->error, about->samples);
    if (r->before_cpu > 0.0)
        printf("\n  {\"case\": \"%s\", \"metric\": \"picture_to_before\", \"cpu\": %.6g, "
               "\"error\": %.6g},",
               about->name, r->picture.cpu / r->before_cpu, r->error / r->before_error);
    printf("\n  {\"case\": \"%s\", \"metric\": \"preview_error\", \"value\": %.6g}", about->name,
           r->preview_error);
}

static void free_studio(studio *s)
{
    broken_plate_free(&s->plate);
    free(s->arrays);
    free(s->numbers);
    free(s->motions);
    free(s->meshes);
}

static sherd_status measure(studio *s, const command_options *options, int threads,
                            picture_result *r, sherd_error *error)
{
    const char *folder = options->output;
    int repeats = options->reduced ? 1 : BENCH_REPEATS;
    sherd_status status = broken_plate_make(&s->plate, s->about->cells, threads, error);
    if (status == SHERD_OK) status = measure_surfaces(&s->plate, repeats, r, error);
    if (status == SHERD_OK) status = pose_pieces(s, repeats, r, error);
    if (status == SHERD_OK) status = set_scene(s, threads, error);
    if (status == SHERD_OK) status = time_picture(s, repeats, r, folder, error);
    int samples = options->reduced ? REFERENCE_SAMPLES_REDUCED : REFERENCE_SAMPLES;
    if (status == SHERD_OK) status = find_error(s, samples, folder, r, error);
    if (status != SHERD_OK || folder == NULL) return status;
    return recall_before(s->about, folder, r, error);
}

int bench_pictures(const command_options *options)
{
    int threads = options->threads > 0 ? options->threads : 2, done = 0;
    sherd_error error = {0};
    if (options->output != NULL && sherd_folder_create(options->output, &error) != SHERD_OK)
        return message_error(&error);
    if (options->json)
        printf("[");
    else
        printf("%-11s %8s %6s %9s %14s %14s %14s %14s %14s %14s %3s %9s %9s %9s %9s\n", "case",
               "elements", "pieces", "triangles", "surfaces / cpu", "20 more / cpu", "pose s / cpu",
               "prepare / cpu", "picture / cpu", "preview / cpu", "spp", "error", "preview's",
               "cpu ratio", "error's");
    for (int k = 0; k < CASE_COUNT; ++k) {
        if (options->only != NULL && strcmp(options->only, CASES[k].name) != 0) continue;
        studio s = {.about = &CASES[k]};
        picture_result r = {.error = 0.0};
        sherd_status status = measure(&s, options, threads, &r, &error);
        free_studio(&s);
        if (status != SHERD_OK) return message_error(&error);
        print_result(&CASES[k], &r, threads, options->json, done++ == 0);
    }
    if (done == 0)
        return message_usage("unknown case", options->only,
                             "plate-200, plate-2000, glass-200, blur-200 or lens-200");
    if (options->json) printf("\n]\n");
    return EXIT_DONE;
}
