#include "render/render_check.h"

#include "base/error.h"
#include "math/vec3.h"
#include "render/defaults.h"

#include <stdbool.h>
#include <stdio.h>

enum { NAME_SIZE = 128 };

// The name of an item for messages: "mesh 3 'bowl'" or "sphere batch 0".
static const char *item_name(char buffer[NAME_SIZE], const char *kind, int index, const char *name)
{
    if (name != NULL)
        snprintf(buffer, NAME_SIZE, "%s %d '%.80s'", kind, index, name);
    else
        snprintf(buffer, NAME_SIZE, "%s %d", kind, index);
    return buffer;
}

static bool color_is_sane(sherd_color c)
{
    const float limit = 1e6f; // far above any radiance of use
    return c.r >= 0.0f && c.g >= 0.0f && c.b >= 0.0f && c.r <= limit && c.g <= limit &&
           c.b <= limit;
}

static sherd_status check_range(const char *where, const char *field, double value, double low,
                                double high, sherd_error *error)
{
    if (value >= low && value <= high) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, where,
                      "start from the structure's *_default() function and change what you need",
                      "%s must lie in [%g, %g], got %g", field, low, high, value);
}

static sherd_status check_color(const char *where, const char *field, sherd_color c,
                                sherd_error *error)
{
    if (color_is_sane(c)) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, where,
                      "colours are linear, finite and not negative", "%s is (%g, %g, %g)", field,
                      (double)c.r, (double)c.g, (double)c.b);
}

static sherd_status check_texture(const char *where, const sherd_texture *t, sherd_error *error)
{
    if (t->kind < 0 || t->kind >= SHERD_TEXTURE_COUNT)
        return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "unknown kind of texture %d",
                          (int)t->kind);
    if (t->kind == SHERD_TEXTURE_PLAIN && t->image == NULL) return SHERD_OK;
    sherd_status status = check_range(where, "texture.size", t->size, 1e-12, 1e12, error);
    if (status == SHERD_OK)
        status = check_range(where, "texture.contrast", t->contrast, 0.0, 4.0, error);
    if (status != SHERD_OK || vec3_is_finite(t->grain)) return status;
    return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "texture.grain is not finite");
}

static sherd_status check_material(const char *where, const sherd_render_material *m,
                                   sherd_error *error)
{
    const double smoothest = 1e-3;
    sherd_status status = check_color(where, "outer_color", m->outer_color, error);
    if (status == SHERD_OK) status = check_color(where, "inner_color", m->inner_color, error);
    if (status == SHERD_OK)
        status = check_range(where, "outer_roughness", m->outer_roughness, smoothest, 1.0, error);
    if (status == SHERD_OK)
        status = check_range(where, "inner_roughness", m->inner_roughness, smoothest, 1.0, error);
    if (status == SHERD_OK)
        status = check_range(where, "outer_coat", m->outer_coat, 0.0, 1.0, error);
    if (status == SHERD_OK)
        status = check_range(where, "inner_coat", m->inner_coat, 0.0, 1.0, error);
    if (status == SHERD_OK) status = check_color(where, "absorption", m->absorption, error);
    // Only glass needs one. Other materials may leave it 0.
    if (status == SHERD_OK && m->surface == SHERD_RENDER_GLASS)
        status = check_range(where, "refractive_index", m->refractive_index, 1.0, 4.0, error);
    if (status == SHERD_OK)
        status = check_range(where, "outer_metal", m->outer_metal, 0.0, 1.0, error);
    if (status == SHERD_OK)
        status = check_range(where, "inner_metal", m->inner_metal, 0.0, 1.0, error);
    if (status == SHERD_OK) status = check_texture(where, &m->outer_texture, error);
    if (status == SHERD_OK) status = check_texture(where, &m->inner_texture, error);
    if (status != SHERD_OK) return status;
    if (m->surface == SHERD_RENDER_OPAQUE || m->surface == SHERD_RENDER_GLASS) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "unknown kind of surface %d",
                      (int)m->surface);
}

static sherd_status check_item_color(const char *where, const char *kind, int64_t index,
                                     const float *rgb, sherd_error *error)
{
    if (color_is_sane((sherd_color){rgb[0], rgb[1], rgb[2]})) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, where,
                      "colours are linear, finite and not negative",
                      "colour of %s %lld is (%g, %g, %g)", kind, (long long)index, (double)rgb[0],
                      (double)rgb[1], (double)rgb[2]);
}

static sherd_status check_vertices(const char *where, const sherd_render_mesh *mesh,
                                   sherd_error *error)
{
    for (int64_t v = 0; v < mesh->vertex_count; ++v) {
        const double *p = mesh->vertices + 3 * v;
        if (!vec3_is_finite(vec3(p[0], p[1], p[2])))
            return sherd_fail(error, SHERD_ERROR_INPUT, where, "the simulation or mesh is damaged",
                              "vertex %lld is not finite: (%g, %g, %g)", (long long)v, p[0], p[1],
                              p[2]);
        const double *r = mesh->rest != NULL ? mesh->rest + 3 * v : p;
        if (!vec3_is_finite(vec3(r[0], r[1], r[2])))
            return sherd_fail(error, SHERD_ERROR_INPUT, where, "leave rest NULL: as vertices",
                              "rest place of vertex %lld is not finite: (%g, %g, %g)", (long long)v,
                              r[0], r[1], r[2]);
        const double *n = mesh->normals != NULL ? mesh->normals + 3 * v : NULL;
        if (n != NULL && !vec3_is_finite(vec3(n[0], n[1], n[2])))
            return sherd_fail(error, SHERD_ERROR_INPUT, where,
                              "leave normals NULL to have them made",
                              "normal of vertex %lld is not finite: (%g, %g, %g)", (long long)v,
                              n[0], n[1], n[2]);
        const float *colors[] = {mesh->colors, mesh->outer_colors};
        for (int k = 0; k < 2; ++k) {
            if (colors[k] == NULL) continue;
            sherd_status status = check_item_color(where, "vertex", v, colors[k] + 3 * v, error);
            if (status != SHERD_OK) return status;
        }
    }
    return SHERD_OK;
}

// `motions`: displacements of `count` points during the exposure; NULL for bodies at rest.
static sherd_status check_motions(const char *where, const double *motions, int64_t count,
                                  sherd_error *error)
{
    for (int64_t k = 0; motions != NULL && k < count; ++k) {
        const double *u = motions + 3 * k;
        if (!vec3_is_finite(vec3(u[0], u[1], u[2])))
            return sherd_fail(error, SHERD_ERROR_INPUT, where, "leave motions NULL: all is sharp",
                              "motion of point %lld is not finite: (%g, %g, %g)", (long long)k,
                              u[0], u[1], u[2]);
    }
    return SHERD_OK;
}

static sherd_status check_triangles(const char *where, const sherd_render_mesh *mesh,
                                    sherd_error *error)
{
    for (int64_t k = 0; k < 3 * (int64_t)mesh->triangle_count; ++k) {
        int32_t v = mesh->triangles[k];
        if (v < 0 || v >= mesh->vertex_count)
            return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL,
                              "triangle %lld refers to vertex %d of %d", (long long)(k / 3), v,
                              mesh->vertex_count);
    }
    return SHERD_OK;
}

static sherd_status check_groups(const char *where, const sherd_render_mesh *mesh,
                                 sherd_error *error)
{
    if (mesh->group == NULL) return SHERD_OK;
    if (mesh->group_count < 0 || (mesh->group_count > 0 && mesh->groups == NULL))
        return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "%d groups at %p",
                          mesh->group_count, (const void *)mesh->groups);
    for (int64_t t = 0; t < mesh->triangle_count; ++t)
        if (mesh->group[t] < -1 || mesh->group[t] >= mesh->group_count)
            return sherd_fail(error, SHERD_ERROR_INPUT, where, "-1 is none",
                              "triangle %lld is in group %d of %d", (long long)t, mesh->group[t],
                              mesh->group_count);
    sherd_status status = SHERD_OK;
    for (int32_t g = 0; g < mesh->group_count && status == SHERD_OK; ++g) {
        const sherd_render_group *group = &mesh->groups[g];
        status = check_color(where, "groups.color", group->color, error);
        if (status == SHERD_OK)
            status = check_range(where, "groups.roughness", group->roughness, 1e-3, 1.0, error);
        if (status == SHERD_OK)
            status = check_range(where, "groups.metal", group->metal, 0.0, 1.0, error);
        if (status == SHERD_OK) status = check_texture(where, &group->texture, error);
    }
    return status;
}

static sherd_status check_mesh(const char *where, const sherd_render_mesh *mesh, sherd_error *error)
{
    bool lacks_vertices = mesh->vertex_count > 0 && mesh->vertices == NULL;
    bool lacks_triangles = mesh->triangle_count > 0 && mesh->triangles == NULL;
    if (mesh->vertex_count < 0 || mesh->triangle_count < 0 || lacks_vertices || lacks_triangles)
        return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL,
                          "%d vertices at %p and %d triangles at %p make no mesh",
                          mesh->vertex_count, (const void *)mesh->vertices, mesh->triangle_count,
                          (const void *)mesh->triangles);
    sherd_status status = check_material(where, &mesh->material, error);
    if (status == SHERD_OK) status = check_vertices(where, mesh, error);
    if (status == SHERD_OK) status = check_motions(where, mesh->motions, mesh->vertex_count, error);
    if (status == SHERD_OK) status = check_triangles(where, mesh, error);
    if (status == SHERD_OK) status = check_groups(where, mesh, error);
    return status;
}

static sherd_status check_spheres(const char *where, const sherd_render_spheres *s,
                                  sherd_error *error)
{
    if (s->count < 0 ||
        (s->count > 0 && (s->x == NULL || s->y == NULL || s->z == NULL || s->radius == NULL)))
        return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL,
                          "%d spheres need x, y, z and radius arrays", s->count);
    sherd_status status = check_material(where, &s->material, error);
    if (status == SHERD_OK) status = check_motions(where, s->motions, s->count, error);
    for (int32_t i = 0; status == SHERD_OK && i < s->count; ++i) {
        if (!vec3_is_finite(vec3(s->x[i], s->y[i], s->z[i])) || !isfinite(s->radius[i]) ||
            s->radius[i] <= 0.0)
            return sherd_fail(error, SHERD_ERROR_INPUT, where, "the simulation is damaged",
                              "sphere %d at (%g, %g, %g) with radius %g can't be drawn", i, s->x[i],
                              s->y[i], s->z[i], s->radius[i]);
        if (s->colors != NULL)
            status = check_item_color(where, "sphere", i, s->colors + 3 * (size_t)i, error);
    }
    return status;
}

static sherd_status check_bodies(const sherd_render_scene *scene, sherd_error *error)
{
    char where[NAME_SIZE];
    sherd_status status = SHERD_OK;
    if (scene->mesh_count < 0 || (scene->mesh_count > 0 && scene->meshes == NULL) ||
        scene->sphere_batch_count < 0 || (scene->sphere_batch_count > 0 && scene->spheres == NULL))
        return sherd_fail(error, SHERD_ERROR_INPUT, "render scene", NULL,
                          "%d meshes at %p and %d sphere batches at %p", scene->mesh_count,
                          (const void *)scene->meshes, scene->sphere_batch_count,
                          (const void *)scene->spheres);
    for (int m = 0; status == SHERD_OK && m < scene->mesh_count; ++m)
        status = check_mesh(item_name(where, "mesh", m, scene->meshes[m].name), &scene->meshes[m],
                            error);
    for (int b = 0; status == SHERD_OK && b < scene->sphere_batch_count; ++b)
        status = check_spheres(item_name(where, "sphere batch", b, scene->spheres[b].name),
                               &scene->spheres[b], error);
    return status;
}

static sherd_status check_camera(const sherd_camera *c, sherd_error *error)
{
    const char *where = "camera";
    if (!vec3_is_finite(c->position) || !vec3_is_finite(c->target) || !vec3_is_finite(c->up))
        return sherd_fail(error, SHERD_ERROR_INPUT, where, "use sherd_camera_frame_bounds",
                          "position, target or up is not finite");
    sherd_vec3 view = vec3_sub(c->target, c->position);
    double distance = vec3_length(view), up = vec3_length(c->up);
    if (!(distance > 0.0) || !isfinite(distance) || !(up > 0.0) || !isfinite(up))
        return sherd_fail(error, SHERD_ERROR_INPUT, where, "use sherd_camera_frame_bounds",
                          "distance from position to target is %g, length of up %g", distance, up);
    // If the direction of view and `up` are parallel within 0.001 degrees, the horizontal axis of
    // the picture is undefined.
    if (vec3_length(vec3_cross(vec3_scale(1.0 / distance, view), vec3_scale(1.0 / up, c->up))) <
        2e-5)
        return sherd_fail(error, SHERD_ERROR_INPUT, where, "choose another up direction",
                          "camera looks along its own up direction");
    sherd_status status = check_range(where, "vertical_fov", c->vertical_fov, 0.001, 3.1, error);
    if (status == SHERD_OK) status = check_range(where, "aperture", c->aperture, 0.0, 1e9, error);
    if (status == SHERD_OK) status = check_range(where, "focus", c->focus, 0.0, 1e12, error);
    return status;
}

static sherd_status check_cameras(const sherd_render_scene *scene, sherd_error *error)
{
    sherd_status status = check_camera(&scene->camera, error);
    if (status == SHERD_OK && (scene->camera_opens == NULL) != (scene->camera_closes == NULL))
        return sherd_fail(error, SHERD_ERROR_INPUT, "camera", NULL,
                          "where the shutter opens and closes goes together");
    if (status == SHERD_OK && scene->camera_opens != NULL)
        status = check_camera(scene->camera_opens, error);
    if (status == SHERD_OK && scene->camera_closes != NULL)
        status = check_camera(scene->camera_closes, error);
    return status;
}

static sherd_status check_lamp(const sherd_render_lamp *lamp, const char *where, sherd_error *error)
{
    double distance = vec3_distance(lamp->position, lamp->target);
    if (!vec3_is_finite(lamp->position) || !(distance > 0.0) || !isfinite(distance))
        return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL,
                          "position and target must be finite and differ");
    sherd_status status = check_range(where, "width", lamp->width, 1e-9, 1e9, error);
    if (status == SHERD_OK) status = check_range(where, "height", lamp->height, 1e-9, 1e9, error);
    if (status == SHERD_OK) status = check_color(where, "radiance", lamp->radiance, error);
    return status;
}

static sherd_status check_lamps(const sherd_render_scene *scene, sherd_error *error)
{
    char where[NAME_SIZE];
    sherd_status status = check_range("render scene", "lamp_count", scene->lamp_count, 0,
                                      SHERD_RENDER_MOST_LAMPS, error);
    if (status == SHERD_OK && scene->lamp_count > 0 && scene->lamps == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "render scene", NULL, "lamps is NULL");
    for (int k = 0; status == SHERD_OK && k < scene->lamp_count; ++k)
        status = check_lamp(&scene->lamps[k], item_name(where, "lamp", k, NULL), error);
    return status;
}

static sherd_status check_ground(const sherd_render_ground *ground, sherd_error *error)
{
    if (ground->kind != SHERD_RENDER_GROUND_NONE && ground->kind != SHERD_RENDER_GROUND_PLANE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "ground", NULL, "unknown kind %d",
                          (int)ground->kind);
    double up = vec3_length(ground->normal);
    if (!vec3_is_finite(ground->point) || !isfinite(up) || !(up > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "ground", NULL,
                          "point or normal is not usable (length of normal %g)", up);
    sherd_status status = check_color("ground", "color", ground->color, error);
    if (status == SHERD_OK)
        status = check_range("ground", "roughness", ground->roughness, 1e-3, 1.0, error);
    if (status == SHERD_OK) status = check_range("ground", "coat", ground->coat, 0.0, 1.0, error);
    if (status == SHERD_OK) status = check_range("ground", "metal", ground->metal, 0.0, 1.0, error);
    if (status == SHERD_OK) status = check_texture("ground", &ground->texture, error);
    return status;
}

static sherd_status check_clip(const sherd_render_clip *clip, sherd_error *error)
{
    if (vec3_is_finite(clip->point) && isfinite(vec3_length(clip->normal))) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "clip", "a normal of 0 cuts nothing",
                      "point or normal is not finite");
}

static sherd_status check_light(const sherd_render_light *light, sherd_error *error)
{
    const double turn = 6.2831853071795865, right_angle = 1.5707963267948966;
    sherd_status status =
        check_range("light", "key_azimuth", light->key_azimuth, -turn, turn, error);
    if (status == SHERD_OK)
        status =
            check_range("light", "key_elevation", light->key_elevation, 0.01, right_angle, error);
    if (status == SHERD_OK)
        status =
            check_range("light", "key_angular_radius", light->key_angular_radius, 1e-4, 0.7, error);
    if (status == SHERD_OK)
        status = check_color("light", "key_irradiance", light->key_irradiance, error);
    if (status == SHERD_OK) status = check_color("light", "sky_zenith", light->sky_zenith, error);
    if (status == SHERD_OK) status = check_color("light", "sky_horizon", light->sky_horizon, error);
    return status;
}

static sherd_status check_settings(const sherd_render_scene *scene, sherd_error *error)
{
    const char *where = "render scene";
    sherd_status status = check_range(where, "width", scene->width, 1, 16384, error);
    if (status == SHERD_OK) status = check_range(where, "height", scene->height, 1, 16384, error);
    if (status == SHERD_OK)
        status = check_range(where, "samples_per_pixel", scene->samples_per_pixel, 1, 4096, error);
    if (status == SHERD_OK) status = check_range(where, "bounces", scene->bounces, 0, 4, error);
    if (status == SHERD_OK)
        status = check_range(where, "exposure", scene->exposure, 1e-6, 1e6, error);
    bool known = scene->quality == SHERD_RENDER_FINAL || scene->quality == SHERD_RENDER_PREVIEW;
    if (status == SHERD_OK && !known)
        status = sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "unknown quality %d",
                            (int)scene->quality);
    if (status == SHERD_OK) status = check_range(where, "threads", scene->threads, 0, 4096, error);
    return status;
}

sherd_status sherd_render_scene_check(const sherd_render_scene *scene, sherd_error *error)
{
    if (scene == NULL || scene->cookie != SHERD_RENDER_SCENE_COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "render scene",
                          "start from sherd_render_scene_default()",
                          "the scene was not made by sherd_render_scene_default()");
    sherd_status status = check_settings(scene, error);
    if (status == SHERD_OK) status = check_cameras(scene, error);
    if (status == SHERD_OK) status = check_lamps(scene, error);
    if (status == SHERD_OK) status = check_ground(&scene->ground, error);
    if (status == SHERD_OK) status = check_light(&scene->light, error);
    if (status == SHERD_OK) status = check_clip(&scene->clip, error);
    if (status == SHERD_OK) status = check_bodies(scene, error);
    return status;
}
