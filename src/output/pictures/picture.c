#include "output/pictures/picture.h"

#include "base/assertion.h"
#include "geometry/mesh/mesh_access.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "output/export/joined_colors.h"
#include "output/pictures/appearance.h"
#include "output/pictures/blob_surface.h"
#include "output/pictures/camera_auto.h"
#include "output/pictures/camera_keyframes.h"
#include "output/pictures/debris_meshes.h"
#include "output/pictures/dust_spheres.h"
#include "output/pictures/group_appearance.h"
#include "output/pictures/legend.h"
#include "output/pictures/liquid_surface.h"
#include "output/pictures/motion_blur.h"
#include "output/pictures/picture_light.h"
#include "output/pictures/sand_grains.h"
#include "output/pictures/vertex_colors.h"
#include "render/png/picture_note.h"
#include "surface/surface_notes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 128 };

typedef struct posed_piece {
    sherd_surface_piece piece;
    double *vertices, *normals; // in the world
    double *motions;            // displacements while the shutter is open, NULL: no blur
    float *paint;               // the mesh's own vertex colours of outer faces; NULL: none
    float *colors;              // per vertex, NULL = the material's
    char name[NAME_SIZE];       // name in layers: "plate.17", the body and the fragment's number
} posed_piece;

struct sherd_picture_maker {
    const sherd_scene *scene;
    const sherd_run_model *model;
    sherd_render_quality quality;
    int threads;
    sherd_messages *messages;
    sherd_surface_body *bodies;
    sherd_surface_def surface_def;
    sherd_surface *surface; // with method `blobs` that of the present frame
    sherd_render_group **body_groups,
        **obstacle_groups;        // looks of their meshes' groups, or NULL
    int fallbacks;                // bodies that could not be cut, as reported
    sherd_mesh **obstacle_meshes; // NULL for planes and hidden ones
    double **obstacle_vertices;   // posed; followed by room for displacements
    sherd_pose *previous_poses;   // of obstacles, in the frame before, if it is that
    int64_t previous_index;
    double former_time;
    bool previous_fits; // it came just before the present one
    sherd_environment *environment;
    const sherd_run_frame *frame;
    const sherd_dust *dust;     // NULL: none
    const sherd_debris *debris; // NULL: none
    bool fewer_crumbs;          // the limit was reported
    int piece_count;
    posed_piece *pieces;
    bool camera_known;
    sherd_camera_aim aim;     // where the camera is automatic
    sherd_color_scale common; // of all frames, where it is known: origin SHERD_RANGE_OF_RUN
    sherd_color_scale scale;  // of the present picture, where colours show numbers
    float *values, *sorted;   // of elements: the number, and scratch; NULL: colours show none
    bool without_stress;      // missing stresses were reported
};

static sherd_status out_of_memory(sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for a picture"};
    return SHERD_ERROR_MEMORY;
}

// ---------------------------------------------------------------- numbers as colours

static sherd_status make_values(sherd_picture_maker *maker, sherd_error *error)
{
    if (sherd_color_measure_of(maker->scene->output.render.color_by) == NULL) return SHERD_OK;
    size_t n = (size_t)maker->model->element_count + 1; // malloc(0) may be NULL
    maker->values = malloc(n * sizeof *maker->values);
    maker->sorted = malloc(n * sizeof *maker->sorted);
    bool fits = maker->values != NULL && maker->sorted != NULL;
    return fits ? SHERD_OK : out_of_memory(error);
}

// If the run did not record stresses, shows another number that all frames have.
static sherd_scene_color_by find_values(sherd_picture_maker *maker, const sherd_run_frame *frame,
                                        float *values)
{
    sherd_scene_color_by by = maker->scene->output.render.color_by;
    sherd_element_index count = maker->model->element_count;
    if (sherd_color_values(by, frame, count, values)) return by;
    if (!maker->without_stress)
        sherd_message_send(
            maker->messages, SHERD_MESSAGE_SHORTFALL, NULL,
            "run the scene again: with such colours, or output.stress: true, it does",
            "this run did not record stresses: colours show stress over strength");
    maker->without_stress = true;
    sherd_color_values(SHERD_SCENE_COLOR_STRESS_RATIO, frame, count, values);
    return SHERD_SCENE_COLOR_STRESS_RATIO;
}

// A range in the scene applies only to the number that it names.
static sherd_color_scale begin_scale(const sherd_picture_maker *maker, sherd_scene_color_by by)
{
    static const sherd_scene_range automatic = {.fixed = false};
    const sherd_scene_render *render = &maker->scene->output.render;
    return sherd_color_scale_begin(by, by == render->color_by ? &render->range : &automatic);
}

void sherd_picture_maker_widen_range(sherd_picture_maker *maker, const sherd_run_frame *frame)
{
    if (maker->values == NULL) return;
    sherd_scene_color_by by = find_values(maker, frame, maker->sorted);
    if (maker->common.origin != SHERD_RANGE_OF_RUN || maker->common.by != by)
        maker->common = begin_scale(maker, by);
    sherd_color_scale_widen(&maker->common, maker->sorted, maker->model->element_count);
    if (maker->common.origin != SHERD_RANGE_FIXED) maker->common.origin = SHERD_RANGE_OF_RUN;
}

bool sherd_picture_maker_finds_range(const sherd_picture_maker *maker)
{
    sherd_scene_color_by by = maker->scene->output.render.color_by;
    return maker->values != NULL && begin_scale(maker, by).origin != SHERD_RANGE_FIXED;
}

static void choose_colors(sherd_picture_maker *maker)
{
    if (maker->values == NULL) return;
    sherd_element_index count = maker->model->element_count;
    sherd_scene_color_by by = find_values(maker, maker->frame, maker->values);
    bool common = maker->common.origin == SHERD_RANGE_OF_RUN && maker->common.by == by;
    maker->scale = common ? maker->common : begin_scale(maker, by);
    if (!common && maker->scale.origin != SHERD_RANGE_FIXED) {
        memcpy(maker->sorted, maker->values, (size_t)count * sizeof *maker->sorted);
        sherd_color_scale_widen(&maker->scale, maker->sorted, count);
    }
    sherd_color_scale_finish(&maker->scale);
}

// ---------------------------------------------------------------- groups

// No group looks if colours show a number, or for glass.
static sherd_status make_body_groups(sherd_picture_maker *maker, int b, sherd_error *error)
{
    const sherd_scene *scene = maker->scene;
    const sherd_scene_body *body = &scene->bodies[b];
    if (body->group_count == 0 || scene->output.render.color_by != SHERD_SCENE_COLOR_MATERIAL ||
        sherd_appearance_is_glass(scene, b))
        return SHERD_OK;
    sherd_render_material look =
        sherd_appearance_look(scene, b, sherd_appearance_color(body->color));
    maker->body_groups[b] =
        sherd_group_looks(body->groups, body->group_count, sherd_body_look_keys(scene, b), &look);
    return maker->body_groups[b] != NULL ? SHERD_OK : out_of_memory(error);
}

static sherd_status make_obstacle_groups(sherd_picture_maker *maker, int k, sherd_error *error)
{
    const sherd_scene_obstacle *o = &maker->scene->obstacles[k];
    if (o->group_count == 0) return SHERD_OK;
    sherd_render_material look = sherd_appearance_obstacle_look(o);
    maker->obstacle_groups[k] =
        sherd_group_looks(o->groups, o->group_count, sherd_obstacle_look_keys(o), &look);
    return maker->obstacle_groups[k] != NULL ? SHERD_OK : out_of_memory(error);
}

static sherd_status make_groups(sherd_picture_maker *maker, sherd_error *error)
{
    const sherd_scene *scene = maker->scene;
    maker->body_groups = calloc((size_t)scene->body_count + 1, sizeof *maker->body_groups);
    maker->obstacle_groups =
        calloc((size_t)scene->obstacle_count + 1, sizeof *maker->obstacle_groups);
    if (maker->body_groups == NULL || maker->obstacle_groups == NULL) return out_of_memory(error);
    sherd_status status = SHERD_OK;
    for (int b = 0; b < scene->body_count && status == SHERD_OK; ++b)
        status = make_body_groups(maker, b, error);
    for (int k = 0; k < scene->obstacle_count && status == SHERD_OK; ++k)
        status = make_obstacle_groups(maker, k, error);
    return status;
}

static void free_groups(sherd_picture_maker *maker)
{
    for (int b = 0; b < maker->scene->body_count && maker->body_groups != NULL; ++b)
        free(maker->body_groups[b]);
    for (int k = 0; k < maker->scene->obstacle_count && maker->obstacle_groups != NULL; ++k)
        free(maker->obstacle_groups[k]);
    free(maker->body_groups);
    free(maker->obstacle_groups);
}

// ---------------------------------------------------------------- life

static void report_note(const sherd_picture_maker *maker, const char *what, const char *name,
                        const char *note)
{
    if (note != NULL)
        sherd_message_send(maker->messages, SHERD_MESSAGE_SHORTFALL, NULL,
                           "a mesh of the whole thing, made in a mesh editor, has sharp edges",
                           "%s '%s': %s", what, name, note);
}

static sherd_status make_surface(sherd_picture_maker *maker, sherd_picture_use use,
                                 sherd_error *error)
{
    const sherd_run_model *model = maker->model;
    maker->bodies = calloc((size_t)model->body_count, sizeof *maker->bodies);
    if (maker->bodies == NULL) return out_of_memory(error);
    sherd_surface_def def = sherd_appearance_surface(maker->scene, model, maker->bodies);
    if (use == SHERD_PICTURES_ALONE && maker->quality == SHERD_RENDER_PREVIEW)
        sherd_appearance_coarsen(maker->scene, &def);
    def.threads = maker->threads;
    maker->surface_def = def;
    maker->surface = sherd_surface_create(&def, error);
    if (maker->surface == NULL) return error->status;
    for (int b = 0; b < def.body_count; ++b)
        report_note(maker, "body", maker->scene->bodies[b].name,
                    sherd_surface_note(maker->surface, b));
    return SHERD_OK;
}

static sherd_status make_obstacles(sherd_picture_maker *maker, sherd_error *error)
{
    const sherd_scene *scene = maker->scene;
    size_t n = (size_t)scene->obstacle_count + 1;
    maker->obstacle_meshes = calloc(n, sizeof *maker->obstacle_meshes);
    maker->obstacle_vertices = calloc(n, sizeof *maker->obstacle_vertices);
    maker->previous_poses = calloc(n, sizeof *maker->previous_poses);
    if (maker->obstacle_meshes == NULL || maker->obstacle_vertices == NULL ||
        maker->previous_poses == NULL)
        return out_of_memory(error);
    for (int k = 0; k < scene->obstacle_count; ++k) {
        sherd_mesh *mesh = sherd_appearance_obstacle_mesh(&scene->obstacles[k], error);
        if (mesh == NULL && error->status == SHERD_OK) continue; // nothing to show
        if (mesh == NULL) return error->status;
        maker->obstacle_meshes[k] = mesh;
        if (mesh->note_count > 0)
            report_note(maker, "obstacle", scene->obstacles[k].def.name, sherd_mesh_note(mesh, 0));
        maker->obstacle_vertices[k] = malloc((size_t)mesh->vertex_count * 6 * sizeof(double));
        if (maker->obstacle_vertices[k] == NULL) return out_of_memory(error);
    }
    return SHERD_OK;
}

const char *sherd_quality_name(sherd_render_quality quality)
{
    return quality == SHERD_RENDER_PREVIEW ? "preview" : "final";
}

sherd_render_quality sherd_chosen_quality(const sherd_scene_render *render,
                                          sherd_render_quality usual)
{
    switch (render->quality) {
    case SHERD_SCENE_QUALITY_AUTO:
        return usual;
    case SHERD_SCENE_QUALITY_FINAL:
        return SHERD_RENDER_FINAL;
    case SHERD_SCENE_QUALITY_PREVIEW:
        return SHERD_RENDER_PREVIEW;
    }
    return usual;
}

sherd_picture_maker *sherd_picture_maker_create(const sherd_scene *scene,
                                                const sherd_run_model *model, sherd_picture_use use,
                                                sherd_render_quality usual, int threads,
                                                sherd_messages *messages, sherd_error *error)
{
    sherd_picture_maker *maker = calloc(1, sizeof *maker);
    if (maker == NULL) {
        out_of_memory(error);
        return NULL;
    }
    *maker = (sherd_picture_maker){.scene = scene,
                                   .model = model,
                                   .quality = sherd_chosen_quality(&scene->output.render, usual),
                                   .threads = threads,
                                   .messages = messages};
    maker->previous_index = -2; // none
    sherd_status status = make_surface(maker, use, error);
    if (status == SHERD_OK) status = make_obstacles(maker, error);
    if (status == SHERD_OK) status = make_groups(maker, error);
    if (status == SHERD_OK) status = make_values(maker, error);
    if (status == SHERD_OK && scene->output.render.enabled)
        status = sherd_picture_environment(&scene->output.render.sky, &maker->environment, error);
    if (status == SHERD_OK) return maker;
    sherd_picture_maker_destroy(maker);
    return NULL;
}

void sherd_picture_maker_show_dust(sherd_picture_maker *maker, const sherd_dust *dust)
{
    maker->dust = dust;
}

void sherd_picture_maker_show_debris(sherd_picture_maker *maker, const sherd_debris *debris)
{
    maker->debris = debris;
}

static void free_pieces(sherd_picture_maker *maker)
{
    for (int k = 0; k < maker->piece_count; ++k) {
        free(maker->pieces[k].vertices);
        free(maker->pieces[k].normals);
        free(maker->pieces[k].colors);
        free(maker->pieces[k].paint);
        free(maker->pieces[k].motions);
    }
    free(maker->pieces);
    maker->pieces = NULL;
    maker->piece_count = 0;
}

void sherd_picture_maker_set_threads(sherd_picture_maker *maker, int threads)
{
    maker->threads = maker->surface_def.threads = threads;
    if (maker->surface != NULL) sherd_surface_set_threads(maker->surface, threads);
}

void sherd_picture_maker_destroy(sherd_picture_maker *maker)
{
    if (maker == NULL) return;
    free_pieces(maker);
    free_groups(maker);
    sherd_surface_destroy(maker->surface);
    for (int k = 0; k < maker->scene->obstacle_count && maker->obstacle_meshes != NULL; ++k)
        sherd_mesh_destroy(maker->obstacle_meshes[k]);
    for (int k = 0; k < maker->scene->obstacle_count && maker->obstacle_vertices != NULL; ++k)
        free(maker->obstacle_vertices[k]);
    sherd_camera_aim_release(&maker->aim);
    free(maker->obstacle_meshes);
    free(maker->obstacle_vertices);
    free(maker->previous_poses);
    sherd_environment_destroy(maker->environment);
    free(maker->bodies);
    free(maker->values);
    free(maker->sorted);
    free(maker);
}

// ---------------------------------------------------------------- posing

static sherd_color element_color(const sherd_picture_maker *maker, sherd_element_index k)
{
    return sherd_color_scale_color(&maker->scale, (double)maker->values[k]);
}

// Mean colour of the elements that carry a vertex, ignoring negative weights. Bones count from
// element `first`.
static void color_vertices(const sherd_picture_maker *maker, const sherd_surface_piece *piece,
                           sherd_element_index first, float *colors)
{
    for (size_t v = 0; v < (size_t)piece->mesh->vertex_count; ++v) {
        float *to = colors + 3 * v, sum = 0.0f, weights = 0.0f;
        for (size_t b = SHERD_SURFACE_BONES * v; b < SHERD_SURFACE_BONES * (v + 1); ++b) {
            float weight = fmaxf(piece->weights[b], 0.0f);
            if (weight == 0.0f) continue;
            sum += weight * maker->values[first + piece->bones[b]];
            weights += weight;
        }
        sherd_color c = sherd_color_scale_color(&maker->scale, (double)(sum / weights));
        to[0] = c.r, to[1] = c.g, to[2] = c.b;
    }
}

static sherd_status allocate_piece(sherd_picture_maker *maker, int index, sherd_error *error)
{
    posed_piece *posed = &maker->pieces[index];
    posed->piece = sherd_surface_get_piece(maker->surface, index);
    snprintf(posed->name, sizeof posed->name, "%.100s.%lld",
             maker->scene->bodies[posed->piece.body].name, (long long)posed->piece.fragment);
    size_t numbers = 3 * (size_t)posed->piece.mesh->vertex_count + 3;
    posed->vertices = malloc(numbers * sizeof(double));
    posed->normals = malloc(numbers * sizeof(double));
    if (maker->values != NULL) posed->colors = malloc(numbers * sizeof(float));
    bool painted = posed->piece.mesh->color != NULL &&
                   maker->scene->output.render.color_by == SHERD_SCENE_COLOR_MATERIAL;
    if (painted) posed->paint = sherd_vertex_colors(posed->piece.mesh);
    if (posed->vertices == NULL || posed->normals == NULL || (painted && posed->paint == NULL) ||
        (maker->values != NULL && posed->colors == NULL))
        return out_of_memory(error);
    return SHERD_OK;
}

// Exposure time [s]. Previews show an instant.
static double shutter_time(const sherd_picture_maker *maker)
{
    const sherd_scene_output *output = &maker->scene->output;
    if (maker->quality == SHERD_RENDER_PREVIEW) return 0.0;
    return output->render.shutter / output->frame_rate;
}

static bool is_of_blobs(const sherd_picture_maker *maker)
{
    return maker->surface_def.method == SHERD_SURFACE_BLOBS;
}

static sherd_status make_moved(const sherd_picture_maker *maker, sherd_moved_elements *moved,
                               const sherd_fragment_view *fragments, double later,
                               sherd_error *error)
{
    const sherd_run_model *model = maker->model;
    if (is_of_blobs(maker))
        return sherd_blob_elements_make(moved, maker->frame, model->element_count, later, error);
    return sherd_moved_elements_make(moved, model, maker->frame, fragments, later, error);
}

// The exposure is centred at the frame's time: displacements of the first half mirror those of the
// second.
static sherd_status find_piece_motions(sherd_picture_maker *maker,
                                       const sherd_fragment_view *fragments, sherd_error *error)
{
    size_t count = (size_t)maker->piece_count;
    sherd_moved_elements moved = {0};
    double **arrays = calloc(count + 1, sizeof *arrays);
    sherd_status status = arrays == NULL ? out_of_memory(error) : SHERD_OK;
    for (size_t k = 0; k < count && status == SHERD_OK; ++k) {
        size_t numbers = 3 * (size_t)maker->pieces[k].piece.mesh->vertex_count + 3;
        arrays[k] = maker->pieces[k].motions = malloc(numbers * sizeof(double));
        if (arrays[k] == NULL) status = out_of_memory(error);
    }
    if (status == SHERD_OK)
        status = make_moved(maker, &moved, fragments, 0.5 * shutter_time(maker), error);
    if (status == SHERD_OK) sherd_surface_pose_all(maker->surface, &moved.pose, arrays, NULL);
    for (size_t k = 0; k < count && status == SHERD_OK; ++k) {
        const posed_piece *posed = &maker->pieces[k];
        for (size_t n = 0; n < 3 * (size_t)posed->piece.mesh->vertex_count; ++n)
            posed->motions[n] = 2.0 * (posed->motions[n] - posed->vertices[n]);
    }
    sherd_moved_elements_release(&moved);
    free(arrays);
    return status;
}

void sherd_picture_maker_remember(sherd_picture_maker *maker, const sherd_run_frame *frame)
{
    maker->previous_index = frame->index;
    maker->former_time = frame->time;
    for (int k = 0; k < maker->scene->obstacle_count; ++k)
        maker->previous_poses[k] = frame->obstacles[k];
}

static sherd_status pose_pieces(sherd_picture_maker *maker, sherd_error *error)
{
    size_t count = (size_t)maker->piece_count;
    double **arrays = calloc(2 * count + 1, sizeof *arrays);
    if (arrays == NULL) return out_of_memory(error);
    for (size_t k = 0; k < count; ++k) {
        arrays[k] = maker->pieces[k].vertices;
        arrays[count + k] = maker->pieces[k].normals;
    }
    const sherd_run_frame *f = maker->frame;
    sherd_surface_pose pose = {f->x, f->y, f->z, f->qx, f->qy, f->qz, f->qw};
    sherd_moved_elements unturned = {0};
    sherd_status status = SHERD_OK;
    if (is_of_blobs(maker)) {
        status = sherd_blob_elements_make(&unturned, f, maker->model->element_count, 0.0, error);
        pose = unturned.pose;
    }
    if (status == SHERD_OK) sherd_surface_pose_all(maker->surface, &pose, arrays, arrays + count);
    sherd_moved_elements_release(&unturned);
    free(arrays);
    for (size_t k = 0; k < count && maker->values != NULL; ++k)
        color_vertices(maker, &maker->pieces[k].piece, 0, maker->pieces[k].colors);
    return status;
}

static sherd_status update_surface(sherd_picture_maker *maker, const sherd_run_frame *frame,
                                   const sherd_fragment_view *fragments, sherd_error *error)
{
    if (!is_of_blobs(maker))
        return sherd_surface_update(maker->surface, fragments, frame->bond_broken, error);
    sherd_surface_destroy(maker->surface);
    maker->surface = sherd_blob_surface_make(&maker->surface_def, frame, error);
    return maker->surface != NULL ? SHERD_OK : error->status;
}

static void report_fallbacks(sherd_picture_maker *maker)
{
    int count = sherd_surface_fallbacks(maker->surface);
    if (count > maker->fallbacks)
        sherd_message_send(maker->messages, SHERD_MESSAGE_SHORTFALL, NULL, NULL,
                           "%d %s could not be cut and %s marched: the outer surface cuts itself",
                           count, count == 1 ? "body" : "bodies", count == 1 ? "is" : "are");
    if (count > maker->fallbacks) maker->fallbacks = count;
}

sherd_status sherd_picture_maker_update(sherd_picture_maker *maker, const sherd_run_frame *frame,
                                        const sherd_fragment_view *fragments, sherd_error *error)
{
    free_pieces(maker);
    sherd_status status = update_surface(maker, frame, fragments, error);
    if (status != SHERD_OK) return status;
    report_fallbacks(maker);
    maker->previous_fits =
        maker->previous_index == frame->index - 1 && frame->time > maker->former_time;
    maker->frame = frame;
    choose_colors(maker);
    int count = sherd_surface_piece_count(maker->surface);
    maker->pieces = calloc((size_t)count + 1, sizeof *maker->pieces);
    if (maker->pieces == NULL) return out_of_memory(error);
    maker->piece_count = count;
    for (int k = 0; k < count && status == SHERD_OK; ++k)
        status = allocate_piece(maker, k, error);
    if (status == SHERD_OK) status = pose_pieces(maker, error);
    if (status == SHERD_OK && shutter_time(maker) > 0.0)
        status = find_piece_motions(maker, fragments, error);
    return status;
}

// ---------------------------------------------------------------- crumbs

static sherd_color crumb_color(const void *context, sherd_element_index e)
{
    const sherd_picture_maker *maker = context;
    return maker->values != NULL ? element_color(maker, e)
                                 : sherd_color_categorical(maker->frame->element_fragment[e]);
}

// A piece of which crumbs are shown instead. All its vertices follow elements of its fragment.
static bool is_replaced(const sherd_picture_maker *maker, const posed_piece *posed)
{
    const sherd_surface_piece *piece = &posed->piece;
    return piece->bones != NULL && sherd_debris_replaces(maker->debris, piece->bones[0]);
}

static void report_left_out(sherd_picture_maker *maker)
{
    int64_t count = sherd_debris_left_out(maker->debris);
    if (count == 0 || maker->fewer_crumbs) return;
    maker->fewer_crumbs = true;
    sherd_message_send(maker->messages, SHERD_MESSAGE_NOTE, "output.debris", NULL,
                       "more than %d crumbs: further loose elements are cut into fewer",
                       DEBRIS_MOST_OF_RUN);
}

// ---------------------------------------------------------------- camera

void sherd_picture_maker_aim(sherd_picture_maker *maker, const sherd_run_frame *first)
{
    if (maker->scene->output.render.camera.automatic)
        maker->camera_known = sherd_camera_aim_at(&maker->aim, maker->scene, maker->model, first,
                                                  maker->obstacle_meshes);
}

// The camera some seconds after the current frame.
static sherd_camera camera_at(const sherd_picture_maker *maker, double later)
{
    const sherd_scene_render *r = &maker->scene->output.render;
    if (!r->camera.automatic)
        return sherd_camera_keyframes_at(&r->camera, maker->frame->time + later);
    sherd_bounds view =
        sherd_camera_auto_follow(maker->scene, maker->model, &maker->aim, maker->frame, later);
    return sherd_camera_frame_bounds(view, (double)r->width / r->height);
}

// ---------------------------------------------------------------- rendering

static sherd_render_material piece_look(const sherd_picture_maker *maker, int body,
                                        sherd_fragment_id fragment)
{
    const sherd_scene *scene = maker->scene;
    sherd_color outer = sherd_appearance_color(scene->bodies[body].color);
    bool by_fragment = scene->output.render.color_by == SHERD_SCENE_COLOR_FRAGMENT;
    if (by_fragment) outer = sherd_color_categorical(fragment);
    sherd_render_material look = sherd_appearance_look(scene, body, outer);
    if (scene->output.render.color_by == SHERD_SCENE_COLOR_MATERIAL) return look;
    // Do not mix a colour scale with a texture.
    look.outer_texture = look.inner_texture = (sherd_texture){.kind = SHERD_TEXTURE_PLAIN};
    look.outer_metal = look.inner_metal = 0.0;
    return look;
}

static const char *body_material(const sherd_picture_maker *maker, int body)
{
    return maker->scene->materials[maker->scene->bodies[body].material].def.name;
}

static sherd_render_mesh piece_mesh(const sherd_picture_maker *maker, const posed_piece *posed)
{
    const sherd_mesh *mesh = posed->piece.mesh;
    const sherd_render_group *groups = maker->body_groups[posed->piece.body];
    bool grouped = groups != NULL && mesh->group != NULL;
    return (sherd_render_mesh){
        .name = "fragment",
        .vertex_count = mesh->vertex_count,
        .triangle_count = mesh->triangle_count,
        .vertices = posed->vertices,
        .triangles = mesh->triangles,
        .normals = posed->normals,
        .face_kind = mesh->face_kind,
        .colors = posed->colors,
        .outer_colors = posed->paint,
        .motions = posed->motions,
        .rest = mesh->vertices,
        .uv = mesh->uv,
        .group = grouped ? mesh->group : NULL,
        .group_count = grouped ? mesh->group_count : 0,
        .groups = groups,
        .object_name = posed->name,
        .material_name = body_material(maker, posed->piece.body),
        .material = piece_look(maker, posed->piece.body, posed->piece.fragment),
    };
}

static void place_obstacle(const sherd_mesh *mesh, sherd_pose pose, double *out)
{
    for (size_t v = 0; v < (size_t)mesh->vertex_count; ++v) {
        const double *from = mesh->vertices + 3 * v;
        sherd_vec3 p = pose_apply(pose, vec3(from[0], from[1], from[2]));
        out[3 * v] = p.x, out[3 * v + 1] = p.y, out[3 * v + 2] = p.z;
    }
}

// Displacements since the previous frame; NULL if unknown or without motion blur.
static double *obstacle_motions(const sherd_picture_maker *maker, int k)
{
    const sherd_mesh *mesh = maker->obstacle_meshes[k];
    size_t numbers = 3 * (size_t)mesh->vertex_count;
    double *now = maker->obstacle_vertices[k], *motions = now + numbers;
    if (!maker->previous_fits || !(shutter_time(maker) > 0.0)) return NULL;
    place_obstacle(mesh, maker->previous_poses[k], motions);
    double fraction = shutter_time(maker) / (maker->frame->time - maker->former_time);
    for (size_t n = 0; n < numbers; ++n)
        motions[n] = fraction * (now[n] - motions[n]);
    return motions;
}

static sherd_render_mesh obstacle_mesh(const sherd_picture_maker *maker, int k)
{
    const sherd_mesh *mesh = maker->obstacle_meshes[k];
    place_obstacle(mesh, maker->frame->obstacles[k], maker->obstacle_vertices[k]);
    const sherd_render_group *groups = maker->obstacle_groups[k];
    bool grouped = groups != NULL && mesh->group != NULL;
    return (sherd_render_mesh){
        .name = maker->scene->obstacles[k].def.name,
        .vertex_count = mesh->vertex_count,
        .triangle_count = mesh->triangle_count,
        .vertices = maker->obstacle_vertices[k],
        .triangles = mesh->triangles,
        .motions = obstacle_motions(maker, k),
        .rest = mesh->vertices,
        .uv = grouped ? mesh->uv : NULL,
        .group = grouped ? mesh->group : NULL,
        .group_count = grouped ? mesh->group_count : 0,
        .groups = groups,
        .material_name = "obstacle",
        .material = sherd_appearance_obstacle_look(&maker->scene->obstacles[k]),
    };
}

// The first visible plane; without one, objects float in front of the background.
static void choose_ground(const sherd_picture_maker *maker, sherd_render_scene *out)
{
    const sherd_scene *scene = maker->scene;
    out->ground.kind = SHERD_RENDER_GROUND_NONE;
    out->ground.color = sherd_appearance_color(scene->output.render.background);
    for (int k = 0; k < scene->obstacle_count; ++k) {
        const sherd_scene_obstacle *o = &scene->obstacles[k];
        if (!o->def.is_plane || !o->visible) continue;
        out->ground.kind = SHERD_RENDER_GROUND_PLANE;
        out->ground.color = sherd_appearance_color(o->color);
        out->ground.point = maker->frame->obstacles[k].position;
        out->ground.normal =
            quat_rotate(maker->frame->obstacles[k].rotation, (sherd_vec3){0.0, 0.0, 1.0});
        if (!o->has_appearance) return;
        sherd_render_material look = sherd_appearance_obstacle_look(o);
        out->ground.roughness = look.outer_roughness;
        out->ground.coat = look.outer_coat;
        out->ground.metal = look.outer_metal;
        out->ground.texture = look.outer_texture;
        return;
    }
}

// Arrays used to draw a loose body: its spheres or, if liquid, its surface. Unused ones are NULL.
typedef struct batch_arrays {
    float *colors;
    double *motions;
    sherd_liquid_surface liquid;
} batch_arrays;

static void fill_batch(const sherd_picture_maker *maker, const sherd_surface_body *b,
                       const batch_arrays *arrays)
{
    const sherd_run_frame *f = maker->frame;
    double open = shutter_time(maker);
    for (sherd_element_index k = 0; k < b->count; ++k) {
        sherd_element_index e = b->first + k;
        if (arrays->colors != NULL) {
            sherd_color c = element_color(maker, e);
            arrays->colors[3 * k] = c.r, arrays->colors[3 * k + 1] = c.g;
            arrays->colors[3 * k + 2] = c.b;
        }
        if (arrays->motions == NULL) continue;
        double *u = arrays->motions + 3 * (size_t)k;
        u[0] = open * f->vx[e], u[1] = open * f->vy[e], u[2] = open * f->vz[e];
    }
}

// Granules of one body as a batch of spheres. Returns the arrays to free.
static batch_arrays sphere_batch(const sherd_picture_maker *maker, int body,
                                 sherd_render_spheres *out)
{
    const sherd_surface_body *b = &maker->bodies[body];
    const sherd_run_frame *f = maker->frame;
    sherd_render_material look = sherd_render_material_default();
    look.outer_color = sherd_appearance_color(maker->scene->bodies[body].color);
    look.outer_coat = 0.3;
    batch_arrays arrays = {.colors = NULL};
    size_t numbers = (size_t)b->count * 3 + 3;
    if (maker->values != NULL) arrays.colors = malloc(numbers * sizeof *arrays.colors);
    if (shutter_time(maker) > 0.0) arrays.motions = malloc(numbers * sizeof *arrays.motions);
    fill_batch(maker, b, &arrays);
    *out = (sherd_render_spheres){
        .name = maker->scene->bodies[body].name,
        .count = b->count,
        .x = f->x + b->first,
        .y = f->y + b->first,
        .z = f->z + b->first,
        .radius = maker->model->radius + b->first,
        .colors = arrays.colors,
        .motions = arrays.motions,
        .material_name = body_material(maker, body),
        .material = look,
    };
    sherd_sand_look sand = sherd_sand_look_of(maker->scene, body, out, maker->quality);
    if (maker->values == NULL && sand.per_part > 0) {
        const double *const turns[4] = {f->qx + b->first, f->qy + b->first, f->qz + b->first,
                                        f->qw + b->first};
        arrays.colors = sherd_sand_grains_make(&sand, turns, out);
    }
    return arrays;
}

static sherd_render_mesh liquid_mesh(const sherd_picture_maker *maker, int body,
                                     const batch_arrays *arrays)
{
    const sherd_mesh *mesh = arrays->liquid.piece.mesh;
    return (sherd_render_mesh){
        .name = "fluid",
        .vertex_count = mesh->vertex_count,
        .triangle_count = mesh->triangle_count,
        .vertices = mesh->vertices,
        .triangles = mesh->triangles,
        .normals = mesh->normals,
        .colors = arrays->colors,
        .motions = arrays->liquid.motions,
        .rest = mesh->vertices,
        .object_name = maker->scene->bodies[body].name,
        .material_name = body_material(maker, body),
        .material = piece_look(maker, body, 1),
    };
}

static sherd_status make_liquid(const sherd_picture_maker *maker, int body, batch_arrays *arrays,
                                sherd_error *error)
{
    sherd_liquid_surface *liquid = &arrays->liquid;
    sherd_status status =
        sherd_liquid_surface_make(liquid, maker->scene, maker->model, maker->frame, body,
                                  shutter_time(maker), maker->threads, error);
    if (status != SHERD_OK || liquid->piece.mesh == NULL || maker->values == NULL) return status;
    arrays->colors = malloc(3 * (size_t)liquid->piece.mesh->vertex_count * sizeof(float));
    if (arrays->colors == NULL) return out_of_memory(error);
    color_vertices(maker, &liquid->piece, maker->bodies[body].first, arrays->colors);
    return SHERD_OK;
}

// Adds the crumbs of a body.
static sherd_status add_crumbs(const sherd_picture_maker *maker, int body, sherd_render_scene *out,
                               sherd_render_mesh *meshes, sherd_render_spheres *spheres,
                               sherd_debris_batch *batch, sherd_error *error)
{
    bool material = maker->scene->output.render.color_by == SHERD_SCENE_COLOR_MATERIAL;
    sherd_status status =
        sherd_debris_batch_make(batch, maker->debris, maker->model, maker->frame, body,
                                shutter_time(maker), material ? NULL : crumb_color, maker, error);
    if (status != SHERD_OK) return status;
    sherd_render_mesh *mesh = &batch->mesh;
    sherd_render_spheres *grains = &batch->grains;
    mesh->name = grains->name = "crumbs";
    mesh->object_name = grains->object_name = maker->scene->bodies[body].name;
    mesh->material_name = grains->material_name = body_material(maker, body);
    mesh->material = grains->material = piece_look(maker, body, 1);
    grains->material.outer_color = grains->material.inner_color;
    grains->material.outer_coat = 0.0;
    grains->material.outer_texture = (sherd_texture){.kind = SHERD_TEXTURE_PLAIN};
    if (mesh->triangle_count > 0) meshes[out->mesh_count++] = *mesh;
    if (grains->count > 0) spheres[out->sphere_batch_count++] = *grains;
    return SHERD_OK;
}

// Adds a loose body to the scene.
static sherd_status add_loose(const sherd_picture_maker *maker, int body, sherd_render_scene *out,
                              sherd_render_mesh *meshes, sherd_render_spheres *spheres,
                              batch_arrays *arrays, sherd_error *error)
{
    if (!sherd_is_liquid(maker->scene, body)) {
        *arrays = sphere_batch(maker, body, &spheres[out->sphere_batch_count++]);
        return SHERD_OK;
    }
    sherd_status status = make_liquid(maker, body, arrays, error);
    if (status == SHERD_OK && arrays->liquid.piece.mesh != NULL)
        meshes[out->mesh_count++] = liquid_mesh(maker, body, arrays);
    return status;
}

static sherd_status render_to(sherd_picture_maker *maker, sherd_render_scene *out, const char *path,
                              sherd_layers **layers, sherd_error *error)
{
    const sherd_scene_render *settings = &maker->scene->output.render;
    if (!maker->camera_known) sherd_picture_maker_aim(maker, maker->frame);
    double half = 0.5 * shutter_time(maker);
    sherd_camera opens = camera_at(maker, -half), closes = camera_at(maker, half);
    out->camera = camera_at(maker, 0.0);
    bool follows =
        settings->camera.automatic && vec3_distance(opens.position, closes.position) > 0.0;
    if (half > 0.0 && (follows || settings->camera.key_count > 1))
        out->camera_opens = &opens, out->camera_closes = &closes;
    sherd_render_lamp lamps[SHERD_RENDER_MOST_LAMPS];
    sherd_picture_light(settings, lamps, out);
    out->environment = maker->environment;
    out->exposure = settings->exposure;
    out->bounces = settings->bounces;
    out->clip = (sherd_render_clip){settings->clip.point, settings->clip.normal};
    out->width = settings->width;
    out->height = settings->height;
    out->samples_per_pixel = settings->samples;
    out->quality = maker->quality;
    out->threads = maker->threads;
    choose_ground(maker, out);
    sherd_image *image =
        layers != NULL ? sherd_render_layers(out, layers, error) : sherd_render(out, error);
    if (image == NULL) return error->status;
    if (maker->values != NULL && settings->legend) sherd_legend_draw(image, &maker->scale);
    sherd_status status =
        sherd_image_write_noted(image, sherd_quality_name(maker->quality), path, error);
    sherd_image_destroy(image);
    return status;
}

sherd_exr_pixels sherd_picture_maker_exr(const sherd_picture_maker *maker)
{
    return (sherd_exr_pixels)maker->scene->output.render.exr;
}

// The parts of a picture that are made for it alone, by body.
typedef struct picture_parts {
    sherd_render_mesh *meshes;
    sherd_render_spheres *spheres;
    batch_arrays *loose;
    sherd_debris_batch *crumbs;
    sherd_dust_spheres dust;
} picture_parts;

static bool make_room_for_parts(const sherd_picture_maker *maker, picture_parts *p)
{
    size_t bodies = (size_t)maker->model->body_count;
    size_t most = (size_t)(maker->piece_count + maker->scene->obstacle_count) + 2 * bodies + 1;
    p->meshes = calloc(most, sizeof *p->meshes);
    p->spheres = calloc(2 * bodies + 1, sizeof *p->spheres);
    p->loose = calloc(bodies, sizeof *p->loose);
    p->crumbs = calloc(bodies, sizeof *p->crumbs);
    return p->meshes != NULL && p->spheres != NULL && p->loose != NULL && p->crumbs != NULL;
}

static void free_parts(const sherd_picture_maker *maker, picture_parts *p)
{
    for (int b = 0; b < maker->model->body_count; ++b) {
        if (p->crumbs != NULL) sherd_debris_batch_free(&p->crumbs[b]);
        if (p->loose == NULL) continue;
        free(p->loose[b].colors);
        free(p->loose[b].motions);
        sherd_liquid_surface_free(&p->loose[b].liquid);
    }
    sherd_dust_spheres_free(&p->dust);
    free(p->crumbs);
    free(p->loose);
    free(p->spheres);
    free(p->meshes);
}

static sherd_status gather_parts(sherd_picture_maker *maker, picture_parts *p,
                                 sherd_render_scene *out, sherd_error *error)
{
    for (int k = 0; k < maker->piece_count; ++k)
        if (maker->pieces[k].piece.mesh->triangle_count > 0 &&
            !is_replaced(maker, &maker->pieces[k]))
            p->meshes[out->mesh_count++] = piece_mesh(maker, &maker->pieces[k]);
    for (int k = 0; k < maker->scene->obstacle_count; ++k)
        if (maker->obstacle_meshes[k] != NULL)
            p->meshes[out->mesh_count++] = obstacle_mesh(maker, k);
    sherd_status status = SHERD_OK;
    for (int b = 0; b < maker->model->body_count && status == SHERD_OK; ++b)
        status = maker->scene->bodies[b].loose
                     ? add_loose(maker, b, out, p->meshes, p->spheres, &p->loose[b], error)
                     : add_crumbs(maker, b, out, p->meshes, p->spheres, &p->crumbs[b], error);
    if (p->dust.batch.count > 0) p->spheres[out->sphere_batch_count++] = p->dust.batch;
    out->meshes = p->meshes;
    out->spheres = p->spheres;
    return status;
}

sherd_status sherd_picture_maker_render(sherd_picture_maker *maker, const char *path,
                                        sherd_layers **layers, sherd_error *error)
{
    picture_parts parts = {0};
    sherd_render_scene out = sherd_render_scene_default();
    report_left_out(maker);
    sherd_status status =
        sherd_dust_spheres_make(&parts.dust, maker->scene, maker->dust, maker->frame->time, error);
    if (!make_room_for_parts(maker, &parts)) status = out_of_memory(error);
    if (status == SHERD_OK) status = gather_parts(maker, &parts, &out, error);
    if (status == SHERD_OK) status = render_to(maker, &out, path, layers, error);
    sherd_picture_maker_remember(maker, maker->frame);
    free_parts(maker, &parts);
    return status;
}

int sherd_picture_maker_piece_count(const sherd_picture_maker *maker)
{
    return maker->piece_count;
}

sherd_vtk_piece sherd_picture_maker_piece(const sherd_picture_maker *maker, int index)
{
    SHERD_ASSERT(index >= 0 && index < sherd_picture_maker_piece_count(maker), "the piece exists");
    const posed_piece *posed = &maker->pieces[index];
    return (sherd_vtk_piece){posed->piece.fragment, posed->piece.mesh, posed->vertices,
                             posed->normals};
}

// ---------------------------------------------------------------- one mesh for all

static bool join_piece_paint(const sherd_picture_maker *maker, sherd_mesh *all)
{
    const sherd_mesh **parts = calloc((size_t)maker->piece_count + 1, sizeof *parts);
    for (int k = 0; parts != NULL && k < maker->piece_count; ++k)
        parts[k] = maker->pieces[k].piece.mesh;
    bool joined = parts != NULL && sherd_join_colors(all, parts, maker->piece_count);
    free(parts);
    return joined;
}

sherd_mesh *sherd_picture_maker_mesh(sherd_picture_maker *maker, sherd_replay_pose pose,
                                     sherd_error *error)
{
    int64_t vertices = 0, triangles = 0;
    for (int k = 0; k < maker->piece_count; ++k) {
        vertices += maker->pieces[k].piece.mesh->vertex_count;
        triangles += maker->pieces[k].piece.mesh->triangle_count;
    }
    if (vertices > INT32_MAX || triangles > INT32_MAX / 3) {
        out_of_memory(error);
        return NULL;
    }
    sherd_mesh *all = sherd_mesh_create((int32_t)vertices, (int32_t)triangles, error);
    if (all == NULL) return NULL;
    all->face_kind = calloc((size_t)triangles + 1, 1);
    if (all->face_kind == NULL) {
        sherd_mesh_destroy(all);
        out_of_memory(error);
        return NULL;
    }
    int32_t v = 0, t = 0;
    for (int k = 0; k < maker->piece_count; ++k) {
        const sherd_mesh *mesh = maker->pieces[k].piece.mesh;
        memcpy(all->vertices + 3 * (size_t)v,
               pose == SHERD_REPLAY_REST ? mesh->vertices : maker->pieces[k].vertices,
               3 * (size_t)mesh->vertex_count * sizeof(double));
        for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c)
            all->triangles[3 * t + c] = mesh->triangles[c] + v;
        memcpy(all->face_kind + t, mesh->face_kind, (size_t)mesh->triangle_count);
        v += mesh->vertex_count;
        t += mesh->triangle_count;
    }
    if (join_piece_paint(maker, all)) return all;
    sherd_mesh_destroy(all);
    out_of_memory(error);
    return NULL;
}

void sherd_picture_maker_face_ids(const sherd_picture_maker *maker, int32_t *fragment,
                                  int32_t *material)
{
    size_t t = 0;
    for (int k = 0; k < maker->piece_count; ++k) {
        const sherd_surface_piece *piece = &maker->pieces[k].piece;
        for (int32_t n = 0; n < piece->mesh->triangle_count; ++n, ++t) {
            fragment[t] = piece->fragment;
            material[t] = 2 * piece->body + piece->mesh->face_kind[n];
        }
    }
}
