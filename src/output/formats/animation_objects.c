#include "output/formats/animation_objects.h"

#include "base/hash.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "output/export/glb.h"
#include "output/files/readable_frame.h"
#include "output/formats/piece_names.h"
#include "output/pictures/appearance.h"
#include "render/texture/image.h"
#include "surface/fragments.h"
#include "surface/surface_pose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Blender's default rate: a frame of the run is a frame of the animation.
static const double PLAYBACK_RATE = 24.0; // [Hz]

static const double ROUGHNESS_OUTER = 0.35, ROUGHNESS_INNER = 0.9, ROUGHNESS_OBSTACLE = 0.35,
                    ROUGHNESS_GLASS = 0.05, ROUGHNESS_GLASS_BROKEN = 0.4;

// Animations with more triangles (about 40 MB), and those with bodies crushed to chips, use compact
// vertices.
static const int64_t MAX_PLAIN_TRIANGLES = 1000000;

// of a material point's radius; smaller errors of moving sand are invisible
static const double POINT_TOLERANCE = 0.1;
// The same of pieces in USD.
static const double PIECE_TOLERANCE = 0.01;

static sherd_status out_of_memory(sherd_error *error)
{
    *error =
        (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for the animation"};
    return SHERD_ERROR_MEMORY;
}

// ---------------------------------------------------------------- materials

static double clamp_to_unit(double value)
{
    return fmin(fmax(value, 0.0), 1.0);
}

// `painted`: vertex colours multiply the material's, which is white.
static sherd_animation_material make_material(const char *name, const sherd_group_look *look,
                                              bool painted)
{
    return (sherd_animation_material){.name = name,
                                      .red = painted ? 1.0 : clamp_to_unit((double)look->color.r),
                                      .green = painted ? 1.0 : clamp_to_unit((double)look->color.g),
                                      .blue = painted ? 1.0 : clamp_to_unit((double)look->color.b),
                                      .roughness = look->roughness,
                                      .metallic = look->metal,
                                      .transmission = 1.0 - look->opacity,
                                      .painted = painted};
}

// Adds a material whose picture is embedded (.glb) or a file beside it (USD).
static int add_look(sherd_animation_objects *c, const char *name, const sherd_group_look *look,
                    bool painted, sherd_error *error)
{
    char file[OUTPUT_PATH];
    sherd_animation_material material = make_material(name, look, painted);
    if (look->picture != NULL)
        material.picture = sherd_texture_image_file(look->picture, &material.picture_size);
    if (look->picture != NULL && sherd_animation_is_usd(c->format)) {
        material.picture_name = file;
        if (sherd_picture_files_add(&c->pictures, look->picture, file, error) != SHERD_OK)
            return -1;
    }
    return sherd_animation_add_material(c->animation, &material, error);
}

// Adds the materials of a body's groups, named after the groups.
static sherd_status add_group_materials(sherd_animation_objects *c, int b,
                                        const sherd_group_look *whole, sherd_error *error)
{
    const sherd_mesh *mesh = sherd_final_fragments_mesh_of(&c->last, b);
    if (mesh == NULL || mesh->group_count == 0) return SHERD_OK;
    c->groups[b] = calloc((size_t)mesh->group_count, sizeof *c->groups[b]);
    if (c->groups[b] == NULL) return out_of_memory(error);
    for (int32_t g = 0; g < mesh->group_count; ++g) {
        sherd_group_look look = sherd_body_group_look(c->scene, b, g, whole);
        const char *name = sherd_mesh_group_name(mesh, g);
        c->groups[b][g] = add_look(c, name, &look, mesh->color != NULL, error);
        if (c->groups[b][g] < 0) return error->status;
    }
    return SHERD_OK;
}

static sherd_status add_body_materials(sherd_animation_objects *c, int b, sherd_error *error)
{
    const sherd_scene_body *body = &c->scene->bodies[b];
    bool glass = sherd_appearance_is_glass(c->scene, b);
    char broken[256];
    snprintf(broken, sizeof broken, "%.200s broken", body->name);
    sherd_group_look outer = sherd_body_look(c->scene, b, ROUGHNESS_OUTER);
    if (!glass) outer.opacity = 1.0;
    if (body->is_yarn) outer.roughness = ROUGHNESS_INNER;
    if (glass) outer.roughness = ROUGHNESS_GLASS;
    const sherd_group_look inner = {.color = sherd_appearance_broken(c->scene, b, outer.color),
                                    .roughness = glass ? ROUGHNESS_GLASS_BROKEN : ROUGHNESS_INNER,
                                    .opacity = outer.opacity};
    const sherd_mesh *mesh = sherd_final_fragments_mesh_of(&c->last, b);
    c->outer[b] = add_look(c, body->name, &outer, mesh != NULL && mesh->color != NULL, error);
    if (c->outer[b] >= 0) c->inner[b] = add_look(c, broken, &inner, false, error);
    if (c->outer[b] < 0 || c->inner[b] < 0) return error->status;
    return add_group_materials(c, b, &outer, error);
}

static sherd_status add_materials(sherd_animation_objects *c, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int b = 0; b < c->model.body_count && status == SHERD_OK; ++b)
        status = add_body_materials(c, b, error);
    return status;
}

// ---------------------------------------------------------------- pieces

static double farthest(const sherd_mesh *mesh, sherd_vec3 from)
{
    double square = 0.0;
    for (size_t v = 0; v < (size_t)mesh->vertex_count; ++v) {
        const double *x = mesh->vertices + 3 * v;
        square =
            fmax(square, (x[0] - from.x) * (x[0] - from.x) + (x[1] - from.y) * (x[1] - from.y) +
                             (x[2] - from.z) * (x[2] - from.z));
    }
    return sqrt(square);
}

// `number` is the index of the surface's piece.
static sherd_status add_fragment(sherd_animation_objects *c, int number, sherd_error *error)
{
    const sherd_surface_piece got = sherd_surface_get_piece(c->last.surface, number),
                              *surface = &got;
    sherd_fragment_view view = sherd_fragments_view(c->last.fragments);
    int32_t slot = c->slots[surface->fragment];
    const sherd_fragment *f = &view.fragments[slot];
    const sherd_run_model *m = &c->model;
    sherd_fragment_motion rest =
        sherd_fragments_motion(c->last.fragments, slot, m->mass, m->rest_x, m->rest_y, m->rest_z,
                               m->rest_x, m->rest_y, m->rest_z);
    char name[SHERD_PIECE_NAME];
    sherd_piece_name(m->bodies[surface->body].name, c->numbers[slot], name);
    const sherd_mesh *mesh = surface->mesh;
    bool bends = c->bends != NULL && c->bends[slot];
    sherd_animation_mesh glb_mesh = {.name = name,
                                     .vertex_count = mesh->vertex_count,
                                     .vertices = mesh->vertices,
                                     .triangle_count = mesh->triangle_count,
                                     .triangles = mesh->triangles,
                                     .face_kind = mesh->face_kind,
                                     .uv = mesh->uv,
                                     .origin = rest.rest_center,
                                     .fragment = f->id,
                                     .outer_material = c->outer[surface->body],
                                     .inner_material = c->inner[surface->body],
                                     .color = mesh->color,
                                     .group = mesh->group,
                                     .group_count = mesh->group_count,
                                     .group_materials = c->groups[surface->body],
                                     .deforms = bends};
    sherd_animation_piece piece = {.name = name,
                                   .mesh = sherd_animation_add_mesh(c->animation, &glb_mesh, error),
                                   .scale = 1.0,
                                   .fragment = f->id,
                                   .elements = f->count,
                                   .mass = f->mass};
    if (sherd_animation_is_usd(c->format)) {
        piece.radius = farthest(mesh, rest.rest_center);
        piece.tolerance = PIECE_TOLERANCE * m->radius[f->first];
    }
    int index = piece.mesh >= 0 ? sherd_animation_add_piece(c->animation, &piece, error) : -1;
    if (index < 0) return error->status;
    sherd_fragment_piece *made = &c->fragment_pieces[c->fragment_count++];
    *made = (sherd_fragment_piece){index, number, bends, sherd_piece_motion_make(&view, slot)};
    return SHERD_OK;
}

// Indices of fragments in the view of the last frame, by fragment number.
static bool find_slots(sherd_animation_objects *c)
{
    sherd_fragment_view view = sherd_fragments_view(c->last.fragments);
    sherd_fragment_id most = 0;
    for (int32_t k = 0; k < view.count; ++k)
        most = view.fragments[k].id > most ? view.fragments[k].id : most;
    c->slots = calloc((size_t)most + 1, sizeof *c->slots);
    for (int32_t k = 0; c->slots != NULL && k < view.count; ++k)
        c->slots[view.fragments[k].id] = k;
    c->numbers = sherd_alloc((size_t)view.count, sizeof *c->numbers);
    return c->slots != NULL && c->numbers != NULL &&
           sherd_piece_numbers(&view, &c->model, c->last.bodies, c->numbers);
}

static sherd_status add_fragments(sherd_animation_objects *c, sherd_error *error)
{
    int count = sherd_surface_piece_count(c->last.surface);
    c->fragment_pieces = calloc((size_t)count + 1, sizeof *c->fragment_pieces);
    if (c->fragment_pieces == NULL || !find_slots(c)) return out_of_memory(error);
    sherd_status status = SHERD_OK;
    for (int k = 0; k < count && status == SHERD_OK; ++k) {
        sherd_surface_piece piece = sherd_surface_get_piece(c->last.surface, k);
        sherd_element_index first =
            sherd_fragments_view(c->last.fragments).fragments[c->slots[piece.fragment]].first;
        if (piece.mesh->triangle_count > 0 &&
            !sherd_debris_pieces_from_start(&c->crumbs, c->job, first))
            status = add_fragment(c, k, error);
    }
    if (c->bends != NULL) return status;
    sherd_surface_destroy(c->last.surface); // poses follow from its elements
    c->last.surface = NULL;
    return status;
}

// Adds a loose body's elements as instances of a sphere.
static sherd_status add_instancer(sherd_animation_objects *c, int body, sherd_error *error)
{
    const sherd_animation_instancer granules = {
        .name = c->model.bodies[body].name,
        .mesh = sherd_animation_add_unit_sphere(c->animation, c->outer[body], error)};
    int index =
        granules.mesh >= 0 ? sherd_animation_add_instancer(c->animation, &granules, error) : -1;
    c->granules[body] = index;
    return index >= 0 ? SHERD_OK : error->status;
}

// Adds a loose body's elements as spheres that share one mesh.
static sherd_status add_granules(sherd_animation_objects *c, int body, sherd_error *error)
{
    const sherd_body_info *info = &c->model.bodies[body];
    int mesh = sherd_animation_add_unit_sphere(c->animation, c->outer[body], error);
    if (mesh < 0) return error->status;
    sherd_fragment_view view = sherd_fragments_view(c->last.fragments);
    bool points = sherd_scene_is_of_points(&c->scene->bodies[body]);
    for (sherd_element_index k = 0; k < info->count; ++k) {
        sherd_element_index e = info->first + k;
        char name[256];
        snprintf(name, sizeof name, "%.200s %d", info->name, k);
        sherd_animation_piece piece = {.name = name,
                                       .mesh = mesh,
                                       .scale = c->model.radius[e],
                                       .fragment = view.element_fragment[e],
                                       .elements = 1,
                                       .mass = c->model.mass[e]};
        if (points) piece.tolerance = POINT_TOLERANCE * c->model.radius[e];
        int index = sherd_animation_add_piece(c->animation, &piece, error);
        if (index < 0) return error->status;
        if (k == 0) c->granules[body] = index;
    }
    return SHERD_OK;
}

static sherd_status add_loose_bodies(sherd_animation_objects *c, sherd_error *error)
{
    int64_t total = sherd_count_granules(c->scene, &c->model);
    bool instances = sherd_animation_is_usd(c->format);
    if (total > MAX_GRANULES && !instances) {
        c->left_out = total;
        return SHERD_OK;
    }
    sherd_status status = SHERD_OK;
    for (int b = 0; b < c->model.body_count && status == SHERD_OK; ++b)
        if (c->scene->bodies[b].loose && c->model.bodies[b].count > 0)
            status = instances ? add_instancer(c, b, error) : add_granules(c, b, error);
    return status;
}

// Obstacles with equal hashes look the same (a collision has probability 2^-64).
static uint64_t look_hash(const sherd_mesh *mesh, sherd_color color)
{
    size_t corners = 3 * (size_t)mesh->vertex_count;
    uint64_t h = sherd_hash_bytes(SHERD_HASH_START, &color, sizeof color);
    h = sherd_hash_bytes(h, mesh->vertices, corners * sizeof *mesh->vertices);
    if (mesh->normals != NULL)
        h = sherd_hash_bytes(h, mesh->normals, corners * sizeof *mesh->normals);
    return sherd_hash_bytes(h, mesh->triangles,
                            3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles);
}

// The material is named after the obstacle. Returns the index of the mesh, or -1.
static int add_obstacle_mesh(sherd_animation_objects *c, const sherd_scene_obstacle *obstacle,
                             const sherd_mesh *mesh, sherd_error *error)
{
    const char *name = obstacle->def.name;
    const sherd_group_look look = {.color = sherd_appearance_color(obstacle->color),
                                   .roughness = ROUGHNESS_OBSTACLE,
                                   .opacity = 1.0};
    int material = add_look(c, name, &look, false, error);
    if (material < 0) return -1;
    sherd_animation_mesh glb_mesh = {.name = name,
                                     .vertex_count = mesh->vertex_count,
                                     .vertices = mesh->vertices,
                                     .normals = mesh->normals,
                                     .triangle_count = mesh->triangle_count,
                                     .triangles = mesh->triangles,
                                     .outer_material = material,
                                     .inner_material = material};
    return sherd_animation_add_mesh(c->animation, &glb_mesh, error);
}

static sherd_status add_obstacle(sherd_animation_objects *c, int k, const sherd_mesh *mesh,
                                 sherd_error *error)
{
    const sherd_scene_obstacle *obstacle = &c->scene->obstacles[k];
    uint64_t hash = look_hash(mesh, sherd_appearance_color(obstacle->color));
    int at = 0;
    while (at < c->look_count && c->looks[at].hash != hash)
        ++at;
    if (at == c->look_count)
        c->looks[c->look_count++] =
            (sherd_obstacle_look){hash, add_obstacle_mesh(c, obstacle, mesh, error)};
    sherd_animation_piece piece = {
        .name = obstacle->def.name, .mesh = c->looks[at].mesh, .scale = 1.0};
    c->obstacles[k] = piece.mesh >= 0 ? sherd_animation_add_piece(c->animation, &piece, error) : -1;
    return c->obstacles[k] >= 0 ? SHERD_OK : error->status;
}

static sherd_status add_obstacles(sherd_animation_objects *c, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = 0; k < c->model.obstacle_count && status == SHERD_OK; ++k) {
        sherd_mesh *mesh = sherd_appearance_obstacle_mesh(&c->scene->obstacles[k], error);
        if (mesh != NULL)
            status = add_obstacle(c, k, mesh, error);
        else
            status = error->status; // SHERD_OK: the obstacle is invisible
        sherd_mesh_destroy(mesh);
    }
    return status;
}

// ---------------------------------------------------------------- all of it

static double largest_extent(const sherd_run_model *m)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    const double *rest[3] = {m->rest_x, m->rest_y, m->rest_z};
    double extent = 0.0;
    for (int c = 0; c < 3; ++c) {
        for (sherd_element_index k = 0; k < m->element_count; ++k) {
            low[c] = fmin(low[c], rest[c][k] - m->radius[k]);
            high[c] = fmax(high[c], rest[c][k] + m->radius[k]);
        }
        extent = fmax(extent, high[c] - low[c]);
    }
    return extent > 0.0 && isfinite(extent) ? extent : 1.0;
}

static int64_t count_triangles(const sherd_animation_objects *c)
{
    int64_t total = 0;
    for (int k = 0; k < sherd_surface_piece_count(c->last.surface); ++k)
        total += sherd_surface_get_piece(c->last.surface, k).mesh->triangle_count;
    return total;
}

// The folder of the animation, used for temporary files.
static void folder_of(const char *path, char folder[OUTPUT_PATH])
{
    const char *slash = strrchr(path, '/');
    snprintf(folder, OUTPUT_PATH, "%.*s", slash != NULL ? (int)(slash - path) : 1,
             slash != NULL ? path : ".");
}

// Time between exported frames.
static double frame_time(const sherd_animation_objects *c, double last)
{
    sherd_run_stats first;
    int64_t count = c->job->last - c->job->first;
    sherd_error ignored;
    if (count > 0 &&
        sherd_run_read_stats(c->job->run, c->job->first, &first, &ignored) == SHERD_OK &&
        last > first.time)
        return (last - first.time) / (double)count;
    return sherd_run_get_info(c->job->run).frame_interval;
}

static sherd_status start_animation(sherd_animation_objects *c, double last, sherd_error *error)
{
    int64_t count = c->job->last - c->job->first + 1;
    double *times = calloc((size_t)count, sizeof *times);
    if (times == NULL) return out_of_memory(error);
    for (int64_t k = 0; k < count; ++k)
        times[k] = (double)k / PLAYBACK_RATE;
    char folder[OUTPUT_PATH];
    folder_of(c->job->path, folder);
    const sherd_animation_def def = {.name = c->scene->name,
                                     .frame_count = count,
                                     .times = times,
                                     .texture_size = largest_extent(&c->model),
                                     .slow_motion = PLAYBACK_RATE * frame_time(c, last),
                                     .format = c->format,
                                     .compact = c->last.crushed ||
                                                count_triangles(c) > MAX_PLAIN_TRIANGLES,
                                     .folder = folder};
    c->animation = sherd_animation_file_create(&def, error);
    free(times);
    return c->animation != NULL ? SHERD_OK : error->status;
}

static sherd_status allocate(sherd_animation_objects *c, sherd_error *error)
{
    size_t bodies = (size_t)c->model.body_count + 1,
           obstacles = (size_t)c->model.obstacle_count + 1;
    c->outer = calloc(bodies, sizeof *c->outer);
    c->inner = calloc(bodies, sizeof *c->inner);
    c->groups = calloc(bodies, sizeof *c->groups);
    c->granules = calloc(bodies, sizeof *c->granules);
    c->dust = calloc(bodies, sizeof *c->dust);
    c->obstacles = calloc(obstacles, sizeof *c->obstacles);
    c->looks = calloc(obstacles, sizeof *c->looks);
    if (c->outer == NULL || c->inner == NULL || c->groups == NULL || c->granules == NULL ||
        c->dust == NULL || c->obstacles == NULL || c->looks == NULL)
        return out_of_memory(error);
    for (size_t k = 0; k < bodies; ++k)
        c->granules[k] = c->dust[k] = -1;
    for (size_t k = 0; k < obstacles; ++k)
        c->obstacles[k] = -1;
    return SHERD_OK;
}

void sherd_animation_objects_free(sherd_animation_objects *c)
{
    sherd_animation_destroy(c->animation);
    sherd_picture_files_release(&c->pictures);
    sherd_final_fragments_free(&c->last);
    sherd_debris_pieces_free(&c->crumbs);
    free(c->outer);
    free(c->inner);
    for (int b = 0; c->groups != NULL && b < c->model.body_count; ++b)
        free(c->groups[b]);
    free(c->groups);
    free(c->fragment_pieces);
    free(c->slots);
    sherd_free(c->bends);
    sherd_free(c->numbers);
    sherd_piece_states_free(&c->states);
    sherd_fragments_destroy(c->now);
    free(c->granules);
    free(c->dust);
    free(c->obstacles);
    free(c->looks);
}

// Fails if there is nothing in the animation, e.g. because all granules were left out.
static sherd_status check_content(const sherd_animation_objects *c, sherd_error *error)
{
    if (c->left_out == 0 || c->fragment_count > 0) return SHERD_OK;
    *error = (sherd_error){.status = SHERD_ERROR_UNSUPPORTED,
                           .hint = "sherd export RUN --to vtk takes any number of them"};
    snprintf(error->what, sizeof error->what,
             "%lld loose granules are too many for a glb, at most %d", (long long)c->left_out,
             MAX_GRANULES);
    return error->status;
}

// Finds out which pieces bend, before their surfaces are made. Without any, surfaces are made for
// rigid pieces, which takes less time, and c->bends stays NULL.
static sherd_status find_bending(sherd_animation_objects *c, const sherd_run_frame *last,
                                 sherd_error *error)
{
    if (!sherd_animation_is_usd(c->format)) return SHERD_OK;
    c->now = sherd_fragments_create(error);
    if (c->now == NULL) return error->status;
    sherd_status status = sherd_frame_fragments(c->now, &c->model, last, error);
    if (status != SHERD_OK) return status;
    c->bends = sherd_find_bending(c->job, &c->model, c->now, error);
    int32_t count = sherd_fragments_view(c->now).count, bending = 0;
    if (c->bends == NULL) return error->status;
    for (int32_t k = 0; k < count; ++k)
        bending += c->bends[k];
    c->last.rigid = bending == 0;
    if (bending == 0) {
        sherd_free(c->bends);
        c->bends = NULL;
    }
    return sherd_piece_states_init(&c->states, count) ? SHERD_OK : out_of_memory(error);
}

sherd_status sherd_animation_objects_gather(sherd_animation_objects *c, const sherd_format_job *job,
                                            sherd_animation_format format, sherd_error *error)
{
    *c = (sherd_animation_objects){.job = job,
                                   .format = format,
                                   .scene = job->scene,
                                   .model = sherd_run_get_model(job->run),
                                   .last = {.rigid = true},
                                   .pictures = {.job = job}};
    sherd_status status = allocate(c, error);
    if (status != SHERD_OK) return status;
    sherd_run_frame *last = sherd_readable_frame(job->run, job->last, job->first, job->last, error);
    if (last == NULL) return error->status;
    status = find_bending(c, last, error);
    if (status == SHERD_OK)
        status =
            sherd_final_fragments_make(&c->last, c->scene, &c->model, last, job->threads, error);
    if (status == SHERD_OK) {
        if (c->bends == NULL) sherd_surface_keep_meshes(c->last.surface);
        status = start_animation(c, last->time, error);
    }
    if (status == SHERD_OK) status = sherd_debris_pieces_open(&c->crumbs, job, &c->model, error);
    if (status == SHERD_OK) status = add_materials(c, error);
    if (status == SHERD_OK) status = add_fragments(c, error);
    if (status == SHERD_OK) status = sherd_debris_pieces_add(&c->crumbs, c, error);
    if (status == SHERD_OK) status = add_loose_bodies(c, error);
    if (status == SHERD_OK) status = add_obstacles(c, error);
    if (status == SHERD_OK) status = check_content(c, error);
    sherd_run_frame_destroy(last);
    return status;
}

int sherd_animation_objects_piece_count(const sherd_animation_objects *c)
{
    int count = c->fragment_count + c->crumbs.count;
    for (int b = 0; b < c->model.body_count; ++b)
        if (c->granules[b] >= 0) count += c->model.bodies[b].count;
    for (int k = 0; k < c->model.obstacle_count; ++k)
        count += c->obstacles[k] >= 0;
    return count;
}
