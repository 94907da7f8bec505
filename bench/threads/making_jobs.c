// Packings of elements, surfaces of pieces, and pictures.
#include "bench/benchmarks.h"
#include "bench/broken_plate.h"
#include "bench/threads/thread_jobs.h"
#include "temporary_folder.h"

#include <sherd/render.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES = 210, WIDTH = 800, HEIGHT = 450, SAMPLES = 8 };

typedef struct making_job {
    int threads;
    sherd_shape *shape;
    sherd_packing_def packing;
    broken_plate plate;
    sherd_render_mesh *meshes;
    sherd_render_scene scene;
} making_job;

static void destroy_making(void *self)
{
    making_job *j = self;
    sherd_shape_destroy(j->shape);
    broken_plate_free(&j->plate);
    free(j->meshes);
    free(j);
}

static making_job *make_empty(int threads, sherd_error *error)
{
    making_job *j = calloc(1, sizeof *j);
    if (j == NULL)
        *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory"};
    else
        j->threads = threads;
    return j;
}

static void *finish(making_job *j, sherd_status status)
{
    if (status == SHERD_OK) return j;
    destroy_making(j);
    return NULL;
}

// ---------------------------------------------------------------- packings

// The plate of scenes/plate.yaml, or a ball of 20K elements at random.
static void *create_packing(const char *name, int threads, sherd_error *error)
{
    static const sherd_vec2 PROFILE[] = {{0.0, 0.0},      {0.068, 0.0},   {0.084, 0.009},
                                         {0.119, 0.018},  {0.12, 0.021},  {0.117, 0.0235},
                                         {0.081, 0.0145}, {0.066, 0.006}, {0.0, 0.006}};
    making_job *j = make_empty(threads, error);
    if (j == NULL) return NULL;
    bool lattice = strcmp(name, "pack-lattice") == 0;
    j->packing = sherd_packing_def_default();
    j->packing.radius = lattice ? 1.1e-3 : BENCH_RADIUS;
    j->packing.kind = lattice ? SHERD_PACKING_HCP : SHERD_PACKING_RANDOM;
    j->packing.threads = threads;
    j->shape = lattice ? sherd_shape_revolve(PROFILE, sizeof PROFILE / sizeof PROFILE[0], error)
                       : sherd_shape_sphere(cbrt(1e4 / 0.62) * BENCH_RADIUS, error);
    return finish(j, j->shape != NULL ? SHERD_OK : error->status);
}

static sherd_status work_packing(void *self, sherd_error *error)
{
    making_job *j = self;
    sherd_packing *packing = sherd_packing_create(j->shape, &j->packing, error);
    if (packing == NULL) return error->status;
    sherd_packing_destroy(packing);
    return SHERD_OK;
}

// ---------------------------------------------------------------- surfaces

static sherd_status update(making_job *j, const uint8_t *broken, sherd_error *error)
{
    sherd_status status = broken_plate_divide(&j->plate, broken, error);
    if (status != SHERD_OK) return status;
    sherd_fragment_view view = sherd_fragments_view(j->plate.fragments);
    return sherd_surface_update(j->plate.surface, &view, broken, error);
}

static void *create_surfaces(const char *name, int threads, sherd_error *error)
{
    (void)name;
    making_job *j = make_empty(threads, error);
    if (j == NULL) return NULL;
    sherd_status status = broken_plate_make(&j->plate, PIECES, threads, error);
    return finish(j, status == SHERD_OK ? update(j, j->plate.whole, error) : status);
}

// All pieces anew, then the whole plate again.
static sherd_status work_surfaces(void *self, sherd_error *error)
{
    making_job *j = self;
    sherd_status status = update(j, j->plate.broken, error);
    return status == SHERD_OK ? update(j, j->plate.whole, error) : status;
}

// ---------------------------------------------------------------- pictures

// As scenes/plate.yaml has it, pieces where they broke.
static sherd_status set_scene(making_job *j, const char *name, sherd_error *error)
{
    bool glass = strstr(name, "glass") != NULL;
    int count = sherd_surface_piece_count(j->plate.surface);
    j->meshes = calloc((size_t)count + 1, sizeof *j->meshes);
    if (j->meshes == NULL) {
        *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory"};
        return error->status;
    }
    sherd_render_material look = sherd_render_material_default();
    if (glass) look.surface = SHERD_RENDER_GLASS;
    for (int k = 0; k < count; ++k) {
        const sherd_mesh *mesh = sherd_surface_get_piece(j->plate.surface, k).mesh;
        j->meshes[k] = (sherd_render_mesh){.vertex_count = mesh->vertex_count,
                                           .triangle_count = mesh->triangle_count,
                                           .vertices = mesh->vertices,
                                           .triangles = mesh->triangles,
                                           .normals = mesh->normals,
                                           .face_kind = mesh->face_kind,
                                           .material = look};
    }
    j->scene = sherd_render_scene_default();
    j->scene.meshes = j->meshes, j->scene.mesh_count = count;
    j->scene.camera = (sherd_camera){.position = {0.42, -0.5, 0.3},
                                     .target = {0.0, 0.0, 0.025},
                                     .up = {0.0, 0.0, 1.0},
                                     .vertical_fov = 0.401425727958696};
    j->scene.width = WIDTH, j->scene.height = HEIGHT;
    j->scene.samples_per_pixel = SAMPLES;
    j->scene.threads = j->threads;
    if (strstr(name, "preview") != NULL) j->scene.quality = SHERD_RENDER_PREVIEW;
    return SHERD_OK;
}

static void *create_picture(const char *name, int threads, sherd_error *error)
{
    making_job *j = create_surfaces(name, threads, error);
    if (j == NULL) return NULL;
    sherd_status status = update(j, j->plate.broken, error);
    return finish(j, status == SHERD_OK ? set_scene(j, name, error) : status);
}

static sherd_status write_picture(const sherd_image *image, sherd_error *error)
{
    char folder[TEMPORARY_FOLDER], path[TEMPORARY_FOLDER + 16];
    if (!temporary_folder_make(NULL, folder)) {
        *error = (sherd_error){.status = SHERD_ERROR_IO, .what = "no folder for a picture"};
        return error->status;
    }
    snprintf(path, sizeof path, "%s/a.png", folder);
    sherd_status status = sherd_image_write_png(image, path, error);
    temporary_folder_remove(folder);
    return status;
}

static sherd_status work_picture(void *self, sherd_error *error)
{
    making_job *j = self;
    sherd_image *image = sherd_render(&j->scene, error);
    if (image == NULL) return error->status;
    sherd_status status = write_picture(image, error);
    sherd_image_destroy(image);
    return status;
}

// ---------------------------------------------------------------- table

const thread_job MAKING_JOBS[] = {
    {"pack-lattice", create_packing, work_packing, destroy_making},
    {"pack-random", create_packing, work_packing, destroy_making},
    {"surfaces", create_surfaces, work_surfaces, destroy_making},
    {"picture", create_picture, work_picture, destroy_making},
    {"picture-preview", create_picture, work_picture, destroy_making},
    {"glass-preview", create_picture, work_picture, destroy_making},
};
const int MAKING_JOB_COUNT = sizeof MAKING_JOBS / sizeof MAKING_JOBS[0];
