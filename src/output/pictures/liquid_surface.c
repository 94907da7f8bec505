#include "output/pictures/liquid_surface.h"

#include <math.h>
#include <stdlib.h>

// Kernel width in points' radii: a fluid's points are irregular, and narrower kernels would show
// each of them.
static const double SMOOTHING = 2.2;

bool sherd_is_liquid(const sherd_scene *scene, int body)
{
    const sherd_scene_body *b = &scene->bodies[body];
    sherd_solid_model model = scene->materials[b->material].def.model;
    return sherd_scene_is_of_points(b) &&
           (model == SHERD_SOLID_MODEL_FLUID || model == SHERD_SOLID_MODEL_SNOW);
}

// A shape with the body's volume only: the body has left its shape, so its texture does not apply.
static sherd_shape *volume_of(const sherd_scene_body *body, sherd_error *error)
{
    double edge = cbrt(sherd_shape_volume(body->shape));
    return sherd_shape_box((sherd_vec3){edge, edge, edge}, error);
}

static sherd_surface *create(const sherd_scene *scene, const sherd_surface_body *body,
                             const sherd_run_model *model, const sherd_run_frame *f, int index,
                             int threads, sherd_error *error)
{
    sherd_element_index first = model->bodies[index].first;
    double smoothing = scene->output.surface.smoothing;
    sherd_surface_def def = sherd_surface_def_default();
    def.body_count = 1;
    def.bodies = body;
    def.element_count = body->count;
    def.rest_x = f->x + first, def.rest_y = f->y + first, def.rest_z = f->z + first;
    def.radius = model->radius + first;
    def.method = SHERD_SURFACE_FLUID;
    def.cell_size = scene->output.surface.cell_size;
    def.smoothing = smoothing > 0.0 ? smoothing : SMOOTHING;
    def.threads = threads;
    return sherd_surface_create(&def, error);
}

// All points are one fragment, including drops.
static sherd_status update(sherd_surface *surface, sherd_element_index count, sherd_error *error)
{
    sherd_fragment_id *labels = malloc((size_t)count * sizeof *labels);
    int32_t *slots = calloc((size_t)count, sizeof *slots);
    const sherd_fragment all = {.id = 1, .count = count};
    sherd_status status = SHERD_ERROR_MEMORY;
    for (sherd_element_index k = 0; labels != NULL && k < count; ++k)
        labels[k] = 1;
    const sherd_fragment_view view = {1, &all, labels, slots, 2};
    if (labels != NULL && slots != NULL)
        status = sherd_surface_update(surface, &view, NULL, error);
    else
        *error = (sherd_error){.status = status, .what = "not enough memory for a fluid's surface"};
    free(labels);
    free(slots);
    return status;
}

// Motion blur follows the surrounding points.
static double *motions_of(const sherd_surface_piece *piece, const sherd_run_frame *f,
                          sherd_element_index first, double open)
{
    size_t count = (size_t)piece->mesh->vertex_count;
    double *motions = calloc(3 * count + 1, sizeof *motions);
    for (size_t b = 0; motions != NULL && b < SHERD_SURFACE_BONES * count; ++b) {
        sherd_element_index e = first + piece->bones[b];
        double fraction = open * (double)piece->weights[b];
        double *u = motions + 3 * (b / SHERD_SURFACE_BONES);
        u[0] += fraction * f->vx[e], u[1] += fraction * f->vy[e], u[2] += fraction * f->vz[e];
    }
    return motions;
}

sherd_status sherd_liquid_surface_make(sherd_liquid_surface *liquid, const sherd_scene *scene,
                                       const sherd_run_model *model, const sherd_run_frame *frame,
                                       int body, double open, int threads, sherd_error *error)
{
    *liquid = (sherd_liquid_surface){.motions = NULL};
    sherd_element_index first = model->bodies[body].first, count = model->bodies[body].count;
    if (count == 0) return SHERD_OK;
    liquid->volume = volume_of(&scene->bodies[body], error);
    if (liquid->volume == NULL) return error->status;
    const sherd_surface_body of = {.shape = liquid->volume, .count = count};
    liquid->surface = create(scene, &of, model, frame, body, threads, error);
    if (liquid->surface == NULL) return error->status;
    sherd_status status = update(liquid->surface, count, error);
    if (status != SHERD_OK || sherd_surface_piece_count(liquid->surface) == 0) return status;
    liquid->piece = sherd_surface_get_piece(liquid->surface, 0);
    if (open > 0.0) liquid->motions = motions_of(&liquid->piece, frame, first, open);
    return SHERD_OK;
}

void sherd_liquid_surface_free(sherd_liquid_surface *liquid)
{
    sherd_surface_destroy(liquid->surface);
    sherd_shape_destroy(liquid->volume);
    free(liquid->motions);
    *liquid = (sherd_liquid_surface){.motions = NULL};
}
