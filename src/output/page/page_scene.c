#include "output/page/page_scene.h"

#include "geometry/shape/shape_display_mesh.h"
#include "output/export/json.h"
#include "output/page/page_curve_data.h"
#include "output/page/page_sections.h"
#include "output/pictures/appearance.h"

#include <sherd/version.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---------------------------------------------------------------- bodies

// Linear, as the page's renderer expects.
static void put_color(sherd_byte_buffer *json, const char *key, sherd_color c)
{
    sherd_json_add_vector(json, key, (sherd_vec3){(double)c.r, (double)c.g, (double)c.b});
}

void sherd_page_scene_bodies(sherd_byte_buffer *json, const sherd_page_run *p)
{
    sherd_json_add_list(json, "bodies");
    for (int b = 0; b < p->model.body_count; ++b) {
        const sherd_scene_body *body = &p->scene->bodies[b];
        const sherd_scene_material *material = &p->scene->materials[body->material];
        sherd_color color = sherd_appearance_color(body->color);
        sherd_json_separate(json);
        sherd_json_raw(json, "{");
        sherd_json_add_text(json, "name", body->name);
        sherd_json_add_text(json, "material", material->def.name);
        sherd_json_add_number(json, "opacity", material->opacity);
        put_color(json, "outer", color);
        put_color(json, "inner", sherd_appearance_broken(p->scene, b, color));
        sherd_json_add_number(json, "elements", p->model.bodies[b].count);
        sherd_json_raw(json, "}");
    }
    sherd_json_raw(json, "]");
}

// ---------------------------------------------------------------- obstacles and drivers

// Writes vertices as floats, then triangles as integers; the counts go to the description.
static void put_shape(sherd_byte_buffer *json, sherd_byte_buffer *shapes, const sherd_mesh *mesh)
{
    sherd_json_add_number(json, "vertices", mesh->vertex_count);
    sherd_json_add_number(json, "triangles", mesh->triangle_count);
    for (size_t k = 0; k < 3 * (size_t)mesh->vertex_count; ++k) {
        float value = (float)mesh->vertices[k];
        sherd_byte_buffer_append(shapes, &value, sizeof value);
    }
    sherd_byte_buffer_append(shapes, mesh->triangles,
                             3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles);
}

static sherd_status put_obstacle(sherd_byte_buffer *json, sherd_byte_buffer *shapes,
                                 const sherd_scene_obstacle *o, sherd_error *error)
{
    sherd_mesh *mesh = sherd_appearance_obstacle_mesh(o, error);
    if (mesh == NULL && error->status != SHERD_OK) return error->status;
    sherd_json_separate(json);
    sherd_json_raw(json, "{");
    sherd_json_add_text(json, "name", o->def.name);
    put_color(json, "color", sherd_appearance_color(o->color));
    sherd_json_key(json, "plane");
    sherd_json_raw(json, o->def.is_plane ? "true" : "false");
    sherd_json_key(json, "visible");
    sherd_json_raw(json, o->visible ? "true" : "false");
    if (mesh != NULL) put_shape(json, shapes, mesh);
    sherd_json_raw(json, "}");
    sherd_mesh_destroy(mesh);
    return SHERD_OK;
}

sherd_status sherd_page_scene_obstacles(sherd_byte_buffer *json, sherd_byte_buffer *shapes,
                                        const sherd_page_run *p, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    sherd_json_add_list(json, "obstacles");
    for (int k = 0; k < p->model.obstacle_count && status == SHERD_OK; ++k)
        status = put_obstacle(json, shapes, &p->scene->obstacles[k], error);
    sherd_json_raw(json, "]");
    return status;
}

// The region of a driver, in its initial position.
static sherd_status put_driver(sherd_byte_buffer *json, sherd_byte_buffer *shapes,
                               const sherd_page_run *p, const sherd_scene_driver *d,
                               sherd_error *error)
{
    const sherd_shape *shape = d->def.region.shape;
    sherd_bounds b = {0};
    if (shape != NULL) b = sherd_shape_bounds(shape);
    double size = hypot(hypot(b.high.x - b.low.x, b.high.y - b.low.y), b.high.z - b.low.z);
    bool drawn = size > 0.0 && isfinite(size);
    sherd_mesh *mesh = drawn ? sherd_shape_display_mesh(shape, size / 30.0, error) : NULL;
    if (mesh == NULL && drawn && error->status == SHERD_ERROR_MEMORY) return error->status;
    sherd_pose pose = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    if (d->body >= 0) pose = p->scene->bodies[d->body].pose;
    sherd_json_separate(json);
    sherd_json_raw(json, "{");
    sherd_json_add_text(json, "name", d->def.name);
    sherd_json_add_vector(json, "position", pose.position);
    sherd_json_add_list(json, "rotation");
    sherd_json_add_item(json, pose.rotation.x), sherd_json_add_item(json, pose.rotation.y);
    sherd_json_add_item(json, pose.rotation.z), sherd_json_add_item(json, pose.rotation.w);
    sherd_json_raw(json, "]");
    if (mesh != NULL) put_shape(json, shapes, mesh);
    sherd_json_raw(json, "}");
    sherd_mesh_destroy(mesh);
    return SHERD_OK;
}

static sherd_status put_drivers(sherd_byte_buffer *json, sherd_byte_buffer *shapes,
                                const sherd_page_run *p, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    sherd_json_add_list(json, "drivers");
    for (int k = 0; k < p->scene->driver_count && status == SHERD_OK; ++k)
        status = put_driver(json, shapes, p, &p->scene->drivers[k], error);
    sherd_json_raw(json, "]");
    return status;
}

static sherd_status put_obstacle_poses(sherd_page_run *p, sherd_error *error)
{
    const sherd_byte_buffer *poses = &p->obstacle_poses;
    if (poses->failed) return sherd_page_out_of_memory(error);
    sherd_page_file_add(&p->file, "obstacles", poses->size > 0 ? poses->bytes : (const void *)"",
                        poses->size);
    return SHERD_OK;
}

// ---------------------------------------------------------------- the rest

static void put_bounds(sherd_byte_buffer *json, const char *key, sherd_bounds b)
{
    sherd_json_add_list(json, key);
    const double numbers[6] = {b.low.x, b.low.y, b.low.z, b.high.x, b.high.y, b.high.z};
    for (int k = 0; k < 6; ++k)
        sherd_json_add_item(json, numbers[k]);
    sherd_json_raw(json, "]");
}

static void put_camera(sherd_byte_buffer *json, const sherd_scene_camera *camera)
{
    if (camera->automatic) return;
    sherd_json_key(json, "camera");
    sherd_json_raw(json, "{");
    sherd_json_add_vector(json, "position", camera->position);
    sherd_json_add_vector(json, "target", camera->target);
    sherd_json_add_number(json, "fov", camera->fov);
    sherd_json_raw(json, "}");
}

void sherd_page_scene_times(sherd_byte_buffer *json, const sherd_page_run *p)
{
    sherd_json_add_list(json, "times");
    for (int64_t k = 0; k < p->frame_count; ++k)
        sherd_json_add_item(json, p->times[k]);
    sherd_json_raw(json, "]");
    sherd_json_add_list(json, "fragments");
    for (int64_t k = 0; k < p->frame_count; ++k)
        sherd_json_add_item(json, p->fragments[k]);
    sherd_json_raw(json, "]");
}

static void put_stored_frames(sherd_byte_buffer *json, const sherd_page_run *p)
{
    sherd_json_add_list(json, "stored");
    for (int64_t k = 0; k < sherd_page_run_stored(p); ++k)
        sherd_json_add_item(json, (double)sherd_page_run_stored_frame(p, k));
    sherd_json_raw(json, "]");
}

static void put_notes(sherd_byte_buffer *json, const sherd_page_run *p)
{
    char text[256];
    sherd_json_add_list(json, "notes");
    if (p->stride > 1) {
        snprintf(text, sizeof text,
                 "Thinned to fit %.0f MB: one of every %lld frames is here, what lies between is "
                 "interpolated. sherd export --max-size makes a larger page.",
                 1e-6 * (double)p->job->max_size, (long long)p->stride);
        sherd_json_separate(json);
        sherd_json_string(json, text);
    }
    sherd_json_raw(json, "]");
}

static void put_counts(sherd_byte_buffer *json, const sherd_page_run *p)
{
    int64_t bends = 0, vertices = 0, triangles = 0;
    for (int k = 0; k < p->piece_count; ++k) {
        if (p->pieces[k].surface < 0) continue;
        const sherd_mesh *mesh =
            sherd_surface_get_piece(p->last.surface, p->pieces[k].surface).mesh;
        vertices += mesh->vertex_count, triangles += mesh->triangle_count;
        if (p->pieces[k].bends) bends += mesh->vertex_count;
    }
    sherd_json_add_number(json, "pieces", p->piece_count);
    sherd_json_add_number(json, "vertices", (double)vertices);
    sherd_json_add_number(json, "triangles", (double)triangles);
    sherd_json_add_number(json, "bendVertices", (double)bends);
    sherd_json_add_number(json, "points", p->point_count);
    sherd_json_add_number(json, "sites", p->site_count);
    sherd_json_add_number(json, "elements", p->model.element_count);
    sherd_json_add_number(json, "offset", p->offset);
    sherd_json_add_number(json, "radius", p->radius);
    sherd_json_add_number(json, "poseStep", sherd_page_pose_step(p));
    sherd_json_add_number(json, "bendStep", sherd_page_place_step(p, &p->bend_bounds));
    sherd_json_add_number(json, "pointStep", sherd_page_place_step(p, &p->point_bounds));
    sherd_json_add_number(json, "topSpeed", p->top_speed);
    sherd_json_add_number(json, "topStress", p->top_stress);
    sherd_json_add_text(json, "stressUnit", p->stress_in_pascals ? "Pa" : "");
}

static void put_names(sherd_byte_buffer *json, const sherd_page_run *p)
{
    sherd_run_info info = sherd_run_get_info(p->job->run);
    sherd_json_add_text(json, "title", info.name);
    sherd_json_add_text(json, "variant", info.variant);
    sherd_json_add_text(json, "file", info.scene_path);
    sherd_json_add_text(json, "version", info.version);
}

sherd_status sherd_page_scene(sherd_page_run *p, sherd_error *error)
{
    sherd_byte_buffer json = {0}, shapes = {0};
    sherd_json_raw(&json, "{");
    put_names(&json, p);
    put_counts(&json, p);
    put_bounds(&json, "bounds", p->all_bounds);
    put_bounds(&json, "bendBounds", p->bend_bounds);
    put_bounds(&json, "pointBounds", p->point_bounds);
    sherd_json_add_vector(&json, "gravity", p->scene->world.gravity);
    put_camera(&json, &p->scene->output.render.camera);
    sherd_page_scene_times(&json, p);
    put_stored_frames(&json, p);
    put_notes(&json, p);
    sherd_page_scene_bodies(&json, p);
    sherd_status status = sherd_page_scene_obstacles(&json, &shapes, p, error);
    if (status == SHERD_OK) status = put_drivers(&json, &shapes, p, error);
    if (status == SHERD_OK) status = sherd_page_curves(p, &json, error);
    if (status == SHERD_OK) status = put_obstacle_poses(p, error);
    sherd_json_raw(&json, "}");
    if (json.failed || shapes.failed) p->file.failed = true;
    if (status == SHERD_OK && !p->file.failed) {
        sherd_page_file_add(&p->file, "about", json.bytes, json.size);
        sherd_page_file_add(&p->file, "shapes", shapes.size > 0 ? shapes.bytes : (const void *)"",
                            shapes.size);
    }
    sherd_byte_buffer_free(&json);
    sherd_byte_buffer_free(&shapes);
    return status == SHERD_OK && p->file.failed ? sherd_page_out_of_memory(error) : status;
}
