// A path meets up to `bounces` + 1 surfaces. At each, light from the key is added by one shadow
// ray; then the path goes on by reflection from the coat or, scattered, from the base. Where it
// leaves the scene it brings back the sky; where it ends inside, an estimate of the ambient light.
//
//     camera --> surface --> surface --> sky
//                  |            |
//                 key          key
#include "render/path.h"

enum { MOST_PANES = 16 }; // glass faces passed by one path segment

// Brighter samples are cut to this: one lucky path must not leave a white dot.
static const float BRIGHTEST_SAMPLE = 12.0f;

typedef struct path {
    const path_scene *scene;
    sampler *sampler;
    vec3f origin, direction;
    vec3f throughput; // share of light found ahead that reaches the camera
    vec3f radiance;   // collected
    int depth;        // surfaces met
    uint32_t draws;   // for glass, which needs any number of random values
} path;

static void collect(path *p, vec3f light)
{
    p->radiance = vec3f_add(p->radiance, vec3f_mul(p->throughput, light));
}

// Glass draws beyond the planned dimensions: golden-ratio steps from the lobe's second number.
static float glass_random(path *p)
{
    float start = sherd_sampler_draw(p->sampler, SAMPLER_LOBE).v;
    float x = start + 0.618034f * (float)++p->draws;
    return x - floorf(x);
}

// At a glass face the path is reflected, stopped by frost (true), or goes straight on; panes are
// thin, so refraction in and out cancels.
static bool stops_at_glass(path *p, tracer_hit *hit)
{
    float cosine = -vec3f_dot(hit->normal, p->direction);
    float reflectance = coat_fresnel(0.04f, cosine);
    float chance = glass_random(p);
    if (chance < reflectance && !hit->inner) {
        p->direction =
            vec3f_unit_or(vec3f_add_scaled(p->direction, 2.0f * cosine, hit->normal), hit->facet);
    } else if (hit->inner && chance < TRACER_FROST) {
        return true;
    } else {
        p->throughput = vec3f_mul(p->throughput, hit->surface.albedo);
    }
    p->origin = sherd_tracer_leave(hit, p->direction);
    return false;
}

// Next surface that isn't clear glass.
static bool next_surface(path *p, tracer_hit *hit)
{
    tracer_coherence coherence = p->depth == 0 ? TRACER_COHERENT : TRACER_SCATTERED;
    for (int pane = 0; pane < MOST_PANES; ++pane) {
        if (!sherd_tracer_nearest(p->scene->tracer, p->origin, p->direction, coherence, hit))
            return false;
        if (!hit->glass || stops_at_glass(p, hit)) return true;
    }
    return true;
}

static void add_key_light(path *p, const tracer_hit *hit, const coat_surface *surface,
                          frame3f frame)
{
    sample2 random = sherd_sampler_draw(p->sampler, SAMPLER_LIGHT + p->depth);
    vec3f light = sherd_lighting_key_direction(p->scene->lighting, random);
    if (vec3f_dot(light, hit->facet) <= 0.0f) return;
    vec3f view = frame3f_to_local(frame, vec3f_scale(-1.0f, p->direction));
    vec3f share = sherd_coat_reflect(surface, view, frame3f_to_local(frame, light));
    if (vec3f_largest(share) < 1e-5f) return;
    vec3f visible =
        sherd_tracer_visibility(p->scene->tracer, sherd_tracer_leave(hit, light), light);
    collect(p, vec3f_mul(vec3f_mul(share, visible), p->scene->lighting->key_irradiance));
}

// Chooses the next direction; false when nothing would come from there.
static bool scatter(path *p, const tracer_hit *hit, const coat_surface *surface, frame3f frame)
{
    vec3f view = frame3f_to_local(frame, vec3f_scale(-1.0f, p->direction));
    float mirrored = coat_fresnel(surface->f0, view.z);
    // Half of a coat's weight again, as its reflections draw the eye.
    float coat_chance = surface->f0 > 0.0f ? float_min(0.10f + mirrored, 0.9f) : 0.0f;
    sample2 lobe = sherd_sampler_draw(p->sampler, SAMPLER_LOBE);
    sample2 random = sherd_sampler_draw(p->sampler, SAMPLER_BOUNCE + p->depth);
    vec3f local;
    if (p->depth == 0 && lobe.u < coat_chance) {
        float weight;
        local = sherd_coat_sample(surface, view, random, &weight);
        p->throughput = vec3f_scale(weight / coat_chance, p->throughput);
    } else {
        local = sherd_cosine_sample(random);
        float through = (1.0f - mirrored) * (1.0f - coat_fresnel(surface->f0, local.z));
        if (p->depth == 0) through /= 1.0f - coat_chance;
        p->throughput = vec3f_scale(through, vec3f_mul(p->throughput, surface->albedo));
    }
    p->direction = vec3f_unit_or(frame3f_to_world(frame, local), hit->normal);
    p->origin = sherd_tracer_leave(hit, hit->facet);
    return vec3f_largest(p->throughput) > 1e-4f && vec3f_dot(p->direction, hit->facet) > 0.0f;
}

// Distance along the ground from the point the camera looks at.
static float ground_radius(const path_scene *scene, vec3f position)
{
    float height = vec3f_dot(position, scene->lighting->up);
    return vec3f_length(vec3f_add_scaled(position, -height, scene->lighting->up));
}

// Light from everything at one surface, and the way on. False when the path ends here.
static bool shade(path *p, const tracer_hit *hit)
{
    // Deeper surfaces are treated as matte: cheaper, and reflections of reflections are hardly visible.
    coat_surface surface = hit->surface;
    if (p->depth > 0) surface.f0 = 0.0f;
    frame3f frame = frame3f_about(hit->normal);
    add_key_light(p, hit, &surface, frame);
    if (p->depth >= p->scene->bounces) {
        vec3f ambient = sherd_lighting_ambient(p->scene->lighting, hit->normal);
        collect(p, vec3f_mul(surface.albedo, ambient));
        return false;
    }
    return scatter(p, hit, &surface, frame);
}

static void follow(path *p)
{
    tracer_hit hit;
    do {
        ++p->depth;
        if (!next_surface(p, &hit)) {
            collect(p, sherd_lighting_sky(p->scene->lighting, p->direction));
            return;
        }
    } while (shade(p, &hit));
}

static vec3f limit_brightness(vec3f light)
{
    // The sum is not finite when any component isn't.
    if (!(light.x + light.y + light.z < INFINITY)) return vec3f_make(0.0f, 0.0f, 0.0f);
    float largest = vec3f_largest(light);
    return largest > BRIGHTEST_SAMPLE ? vec3f_scale(BRIGHTEST_SAMPLE / largest, light) : light;
}

// Shades the ground, which darkens away from the middle and melts into the backdrop.
static void shade_ground(path *p, const tracer_hit *hit)
{
    const sherd_lighting *lighting = p->scene->lighting;
    float radius = ground_radius(p->scene, hit->position);
    float fade = sherd_lighting_floor_fade(radius);
    vec3f outer = p->throughput;
    vec3f before = p->radiance;
    if (fade < 1.0f && shade(p, hit)) follow(p);
    vec3f lit = vec3f_sub(p->radiance, before);
    vec3f open = vec3f_mul(outer, lighting->floor_radiance);
    vec3f seen = vec3f_scale(sherd_lighting_pool(radius), vec3f_mix(lit, open, fade));
    p->radiance = vec3f_add(before, seen);
}

path_result sherd_path_trace(const path_scene *scene, vec3f origin, vec3f direction,
                             sampler *random)
{
    path p = {.scene = scene,
              .sampler = random,
              .origin = origin,
              .direction = direction,
              .throughput = {1.0f, 1.0f, 1.0f}};
    tracer_hit hit;
    path_result result = {.albedo = scene->lighting->floor_albedo, .normal = scene->lighting->up};
    if (!next_surface(&p, &hit)) {
        collect(&p, sherd_lighting_backdrop(scene->lighting, p.direction));
        result.position = vec3f_add_scaled(origin, 10.0f, direction);
    } else {
        result.albedo = vec3f_mul(p.throughput, hit.surface.albedo);
        result.normal = hit.normal;
        result.position = hit.position;
        if (hit.ground)
            shade_ground(&p, &hit);
        else if (shade(&p, &hit))
            follow(&p);
    }
    result.radiance = limit_brightness(p.radiance);
    return result;
}
