#include "render/layers/layers.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "render/layers/cryptomatte.h"

#include <stdio.h>
#include <string.h>

static const char GROUND[] = "ground";

// Names of the i-th body of a scene, meshes first. False if the body is empty, so that the tracer
// has no geometry of it.
static bool names_of(const sherd_render_scene *scene, int i, const char **object,
                     const char **material)
{
    const char *name, *id;
    if (i < scene->mesh_count) {
        const sherd_render_mesh *mesh = &scene->meshes[i];
        if (mesh->triangle_count == 0) return false;
        name = mesh->name, id = mesh->object_name, *material = mesh->material_name;
    } else {
        const sherd_render_spheres *spheres = &scene->spheres[i - scene->mesh_count];
        if (spheres->count == 0) return false;
        name = spheres->name, id = spheres->object_name, *material = spheres->material_name;
    }
    *object = id != NULL ? id : name != NULL ? name : "";
    if (*material == NULL) *material = "";
    return true;
}

static bool allocate(sherd_layers *l, const sherd_render_scene *scene)
{
    int most = scene->mesh_count + scene->sphere_batch_count;
    size_t text = 2 * sizeof GROUND;
    const char *object, *material;
    for (int i = 0; i < most; ++i)
        if (names_of(scene, i, &object, &material)) text += strlen(object) + strlen(material) + 2;
    size_t rows = (size_t)most + 1;
    l->pixels = sherd_alloc((size_t)l->width * (size_t)l->height, sizeof *l->pixels);
    l->objects = sherd_alloc(rows, sizeof *l->objects);
    l->materials = sherd_alloc(rows, sizeof *l->materials);
    l->object_ids = sherd_alloc(rows, sizeof *l->object_ids);
    l->material_ids = sherd_alloc(rows, sizeof *l->material_ids);
    l->own_text = sherd_alloc(text, 1);
    return l->pixels != NULL && l->objects != NULL && l->materials != NULL &&
           l->object_ids != NULL && l->material_ids != NULL && l->own_text != NULL;
}

static char *keep(char *to, const char *name, const char **kept, uint32_t *id)
{
    size_t size = strlen(name) + 1;
    memcpy(to, name, size);
    *kept = to;
    *id = sherd_cryptomatte_hash(name);
    return to + size;
}

static void keep_names(sherd_layers *l, const sherd_render_scene *scene)
{
    char *to = l->own_text;
    const char *object, *material;
    for (int i = 0; i < scene->mesh_count + scene->sphere_batch_count; ++i) {
        if (!names_of(scene, i, &object, &material)) continue;
        to = keep(to, object, &l->objects[l->count], &l->object_ids[l->count]);
        to = keep(to, material, &l->materials[l->count], &l->material_ids[l->count]);
        ++l->count;
    }
    to = keep(to, GROUND, &l->objects[l->count], &l->object_ids[l->count]);
    keep(to, GROUND, &l->materials[l->count], &l->material_ids[l->count]);
}

sherd_layers *sherd_layers_create(const sherd_render_scene *scene, sherd_error *error)
{
    sherd_layers *l = sherd_alloc(1, sizeof *l);
    if (l != NULL) {
        l->width = scene->width, l->height = scene->height;
        if (allocate(l, scene)) {
            keep_names(l, scene);
            return l;
        }
    }
    sherd_layers_destroy(l);
    sherd_fail_memory(error, "layers of a picture");
    return NULL;
}

void sherd_layers_destroy(sherd_layers *l)
{
    if (l == NULL) return;
    sherd_free(l->pixels);
    sherd_free(l->objects);
    sherd_free(l->materials);
    sherd_free(l->object_ids);
    sherd_free(l->material_ids);
    sherd_free(l->own_text);
    sherd_free(l);
}

static void count_id(layer_tally *tally, uint32_t id)
{
    int k = 0;
    while (k < tally->count && tally->id[k] != id)
        ++k;
    if (k == LAYER_MOST) return;
    if (k == tally->count) tally->id[tally->count++] = id;
    ++tally->hits[k];
}

void sherd_layers_add(const sherd_layers *l, const sherd_tracer *tracer, const tracer_ray *ray,
                      vec3f forward, layer_samples *samples)
{
    tracer_hit hit;
    if (!sherd_tracer_nearest(tracer, ray, TRACER_COHERENT, &hit)) return;
    int which = hit.ground ? l->count : hit.geometry;
    if (which < 0 || which > l->count || (which == l->count && !hit.ground)) return; // a lamp
    count_id(&samples->objects, l->object_ids[which]);
    count_id(&samples->materials, l->material_ids[which]);
    samples->normal = vec3f_add(samples->normal, hit.normal);
    float depth = hit.distance * vec3f_dot(ray->direction, forward);
    if (samples->hits == 0 || depth < samples->nearest) samples->nearest = depth;
    ++samples->hits;
}

// The six ids with the largest coverage in descending order; of equal ones the smaller id comes
// first.
static sherd_layer_ids ranked(layer_tally tally, int taken)
{
    sherd_layer_ids ids = {.coverage = {0.0f}};
    for (int rank = 0; rank < SHERD_LAYER_RANKS && rank < tally.count; ++rank) {
        int best = 0;
        for (int k = 1; k < tally.count; ++k)
            if (tally.hits[k] > tally.hits[best] ||
                (tally.hits[k] == tally.hits[best] && tally.id[k] < tally.id[best]))
                best = k;
        if (tally.hits[best] == 0) break;
        ids.id[rank] = tally.id[best];
        ids.coverage[rank] = (float)tally.hits[best] / (float)taken;
        tally.hits[best] = 0;
    }
    return ids;
}

void sherd_layers_set(sherd_layers *l, size_t pixel, const sherd_tracer *tracer,
                      const layer_samples *samples, int taken)
{
    SHERD_ASSERT(pixel < (size_t)l->width * (size_t)l->height && taken > 0,
                 "the pixel is one of the picture");
    sherd_layer_pixel *p = &l->pixels[pixel];
    vec3f none = {0.0f, 0.0f, 0.0f}, normal = vec3f_unit_or(samples->normal, none);
    p->alpha = (float)samples->hits / (float)taken;
    p->normal[0] = normal.x, p->normal[1] = normal.y, p->normal[2] = normal.z;
    p->depth = samples->hits > 0 ? (float)((double)samples->nearest / tracer->scale) : INFINITY;
    p->object = ranked(samples->objects, taken);
    p->material = ranked(samples->materials, taken);
}

void sherd_layers_develop(sherd_layers *l, const sherd_film *film, float exposure)
{
    for (size_t k = 0; k < (size_t)l->width * (size_t)l->height; ++k) {
        vec3f light = vec3f_scale(exposure, film->pixels[k].radiance);
        l->pixels[k].r = light.x, l->pixels[k].g = light.y, l->pixels[k].b = light.z;
    }
}

sherd_layer_pixel sherd_layers_pixel(const sherd_layers *l, int32_t x, int32_t y)
{
    if (x < 0 || y < 0 || x >= l->width || y >= l->height) return (sherd_layer_pixel){.r = 0.0f};
    return l->pixels[(size_t)y * (size_t)l->width + (size_t)x];
}
