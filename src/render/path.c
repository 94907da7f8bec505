// A path has up to `bounces` + 1 surface hits. At each, next event estimation adds light from the
// key light, a lamp and the environment by one shadow ray each. Then the path continues by
// reflection at the coat or by diffuse scattering at the base. A path that leaves the scene
// collects the sky's radiance; a path that is terminated inside the scene collects an estimate of
// the ambient light. Glass on the path refracts it.
//
//       camera --> surface --> surface --> sky
//                    |            |
//                   key          key
//
// A light that both next event estimation and a scattered path can find is weighted by multiple
// importance sampling (the power heuristic of Veach and Guibas, Optimally combining sampling
// techniques, 1995).
#include "render/path.h"

#include "render/glass.h"
#include "render/media.h"

enum {
    MOST_FACES = 48,       // faces of glass that a path may cross
    MOST_FACES_LATER = 10, // the same, after the first surface
    // smooth faces at which both the reflected and the refracted path are followed, instead of one
    // by chance
    MOST_FORKS = 2,
    // the same of previews, whose further faces reflect the surroundings alone
    MOST_FACES_PREVIEW = 16,
    MOST_FACES_PREVIEW_LATER = 4,
    MOST_FORKS_PREVIEW = 1
};

// Paths through glass whose throughput is below this end by chance (Russian roulette).
static const float WEAK = 0.1f;

// Samples are clamped to this radiance, because a single very bright path would leave a white dot.
static const float BRIGHTEST_SAMPLE = 12.0f;

typedef struct path {
    const path_scene *scene;
    sampler *sampler;
    tracer_ray ray;
    vec3f throughput; // of the path so far
    vec3f radiance;   // collected so far
    sherd_media inside;
    int depth;        // surface hits so far, without glass
    int faces;        // faces of glass crossed so far
    int forks;        // number of splits still allowed
    bool straight;    // the path was only refracted or transmitted since the camera
    vec3f crisp;      // the part of the radiance that glass mirrors, in previews
    vec3f weak_gloss; // collected at the first surface (has_weak_gloss)
    // Sampling density of the direction at the last surface [1 / sr]; 0 for a mirror reflection; or
    // CAUSTIC.
    float density;
} path;

static void collect(path *p, vec3f light)
{
    p->radiance = vec3f_add(p->radiance, vec3f_mul(p->throughput, light));
}

// Marks paths that glass reflects after a diffuse surface. Light of lamps and the sun on such paths
// makes caustics, which would appear as rare bright spots: it is left out.
static const float CAUSTIC = -1.0f;

static float power_weight(float density, float other)
{
    return density * density / (density * density + other * other);
}

// Weight of a light that the path hit by chance, where `other` is the density with which next event
// estimation samples this direction.
static float chance_weight(const path *p, float other)
{
    if (p->density == CAUSTIC) return 0.0f;
    return p->density > 0.0f ? power_weight(p->density, other) : 1.0f;
}

// --- Glass --------------------------------------------------------------------------------------

// The first faces of glass have sampler dimensions of their own. Further faces take golden-ratio
// steps from the dimension SAMPLER_LOBE.
static sample2 glass_random(path *p, int which)
{
    if (p->faces < SAMPLER_GLASS_PLANNED)
        return sherd_sampler_draw(p->sampler, SAMPLER_GLASS + 2 * p->faces + which);
    sample2 s = sherd_sampler_draw(p->sampler, SAMPLER_LOBE);
    float step = (float)(2 * p->faces + which);
    s.u += 0.618034f * step, s.v += 0.754878f * step;
    return (sample2){s.u - floorf(s.u), s.v - floorf(s.v)};
}

// Collects light that is free of noise: noise removal is to leave it as it is.
static void collect_crisp(path *p, vec3f light)
{
    vec3f found = vec3f_mul(p->throughput, light);
    p->radiance = vec3f_add(p->radiance, found);
    p->crisp = vec3f_add(p->crisp, found);
}

static vec3f mirror(vec3f direction, vec3f normal)
{
    return vec3f_add_scaled(direction, -2.0f * vec3f_dot(direction, normal), normal);
}

static bool is_preview(const path *p)
{
    return p->scene->quality == SHERD_RENDER_PREVIEW;
}

// Light of the surroundings from a direction, without anything in the scene but lamps.
static vec3f surroundings(const path *p, vec3f origin, vec3f direction)
{
    const sherd_lighting *l = p->scene->lighting;
    const sherd_tracer *t = p->scene->tracer;
    vec3f light =
        vec3f_add(sherd_lighting_sky(l, direction), sherd_lighting_key_radiance(l, direction));
    for (int k = 0; k < t->lamp_count; ++k)
        light = vec3f_add(light, sherd_lamp_seen(&t->lamps[k], origin, direction));
    return light;
}

// Each face of an open surface is a thin pane: it reflects, or it transmits without refraction.
static void meet_pane(path *p, const tracer_hit *hit)
{
    float cosine = -vec3f_dot(hit->normal, p->ray.direction);
    if (is_preview(p)) {
        float reflectance = coat_fresnel(0.04f, cosine);
        vec3f light = surroundings(p, hit->position, mirror(p->ray.direction, hit->normal));
        collect_crisp(p, vec3f_scale(reflectance, light));
        vec3f passes = vec3f_scale(1.0f - reflectance, hit->surface.albedo);
        p->throughput = vec3f_mul(p->throughput, passes);
        p->ray.origin = sherd_tracer_leave(hit, p->ray.direction);
        p->ray.near = 0.0f;
        return;
    }
    float chance = glass_random(p, 0).u;
    if (chance < coat_fresnel(0.04f, cosine)) {
        p->ray.direction = vec3f_unit_or(
            vec3f_add_scaled(p->ray.direction, 2.0f * cosine, hit->normal), hit->facet);
        p->straight = false;
        p->density = p->depth > 0 ? CAUSTIC : 0.0f;
    } else {
        p->throughput = vec3f_mul(p->throughput, hit->surface.albedo);
    }
    p->ray.origin = sherd_tracer_leave(hit, p->ray.direction);
    p->ray.near = 0.0f;
}

// Finds the face that was hit and all faces that coincide with it.
static int faces_here(const path *p, const tracer_hit *hit, tracer_crossings *faces)
{
    if (p->scene->tracer->touching) {
        tracer_ray here = p->ray;
        here.near = float_max(p->ray.near, 0.999999f * hit->distance);
        sherd_tracer_crossings(p->scene->tracer, &here,
                               hit->distance + sherd_glass_gap(hit->distance), faces);
        for (int k = 0; k < faces->count; ++k)
            if (faces->list[k].geometry == hit->geometry && faces->list[k].part == hit->part)
                return faces->count;
    }
    faces->list[0] = (tracer_crossing){.distance = hit->distance,
                                       .geometry = hit->geometry,
                                       .part = hit->part,
                                       .outwards = hit->outwards};
    return faces->count = 1;
}

static void absorb(path *p, float distance)
{
    sherd_medium medium = sherd_media_medium(&p->inside, p->scene->tracer);
    p->throughput = vec3f_mul(p->throughput, sherd_medium_passes(&medium, distance - p->ray.near));
}

// Russian roulette: a weak path goes on with a probability, and then carries the light of those
// that end. Half of the rays through broken glass would carry less than a tenth of its light. The
// first samples of a pixel know no chance: where they suffice, glass is free of such noise.
static bool survives(path *p)
{
    float chance = vec3f_largest(p->throughput) / WEAK;
    if (chance >= 1.0f || (int)p->sampler->sample < p->scene->steady) return true;
    float u = sherd_sampler_draw(p->sampler, SAMPLER_ROULETTE).u + 0.618034f * (float)p->faces;
    bool lives = u - floorf(u) < chance;
    p->throughput = vec3f_scale(lives ? 1.0f / chance : 0.0f, p->throughput);
    return lives;
}

static void run(path *p);

// Whether the path sees an image in a face of glass. Previews leave reflections of rougher faces, and
// of those that are seen through others, to the filter.
static bool sees_image(const path *p, const tracer_hit *hit)
{
    return p->faces == 0 &&
           sherd_glass_is_polished(&(sherd_glass_face){.roughness = hit->surface.roughness});
}

// Traces the path reflected at a face, weighted by the reflectance. Most such paths contribute only
// a few percent.
static void follow_mirrored(path *p, const tracer_hit *hit, vec3f direction, float reflectance)
{
    path mirrored = *p;
    mirrored.throughput = vec3f_scale(reflectance, p->throughput);
    mirrored.radiance = vec3f_make(0.0f, 0.0f, 0.0f);
    mirrored.straight = false;
    mirrored.forks = 0;
    mirrored.depth = p->scene->bounces; // the surface it hits is shaded, but the path ends there
    mirrored.density = 0.0f;
    mirrored.ray.direction = direction;
    mirrored.ray.origin = sherd_tracer_leave(hit, direction);
    mirrored.ray.near = 0.0f;
    ++mirrored.faces;
    if (!survives(&mirrored)) return;
    run(&mirrored);
    p->radiance = vec3f_add(p->radiance, mirrored.radiance);
    if (sees_image(p, hit)) p->crisp = vec3f_add(p->crisp, mirrored.radiance);
}

// In previews, what a face reflects of the surroundings, as if nothing stood before them.
static void collect_mirrored(path *p, const tracer_hit *hit, const sherd_glass_face *face,
                             vec3f bent, float reflectance)
{
    bool leaves = face->ratio > 1.0f;
    // A ray on its way out is reflected as if outside: what the second face of a pane reflects leaves
    // by the first one in this direction, after it has crossed the body once more.
    vec3f towards = mirror(leaves ? bent : p->ray.direction, face->normal);
    vec3f light = surroundings(p, hit->position, towards);
    if (leaves) {
        sherd_medium medium = sherd_media_medium(&p->inside, p->scene->tracer);
        light = vec3f_mul(light, sherd_medium_passes(&medium, hit->distance - p->ray.near));
    }
    if (sees_image(p, hit))
        collect_crisp(p, vec3f_scale(reflectance, light));
    else
        collect(p, vec3f_scale(reflectance, light));
}

// Splits the path into reflection and refraction at a smooth face seen from the camera. Returns
// false if the face is rough, no split is left, or reflection is total.
static bool follow_both(path *p, const tracer_hit *hit, const sherd_glass_face *face, vec3f *bent)
{
    if ((p->forks == 0 && !is_preview(p)) || !sherd_glass_is_polished(face)) return false;
    float cosine = -vec3f_dot(p->ray.direction, face->normal);
    float reflectance = sherd_glass_reflectance(cosine, face->ratio);
    if (!sherd_glass_refract(p->ray.direction, face->normal, face->ratio, bent)) return false;
    if (p->forks == 0) {
        collect_mirrored(p, hit, face, *bent, reflectance);
        p->throughput = vec3f_scale(1.0f - reflectance, p->throughput);
        return true;
    }
    --p->forks;
    vec3f mirrored = vec3f_add_scaled(p->ray.direction, 2.0f * cosine, face->normal);
    follow_mirrored(p, hit, vec3f_unit_or(mirrored, face->normal), reflectance);
    p->throughput = vec3f_scale(1.0f - reflectance, p->throughput);
    return true;
}

// Refracts or reflects the path at an interface between two media.
static void bend(path *p, const tracer_hit *hit, float ratio, const sherd_media *after)
{
    // A preview has too few samples for the directions into which rough faces scatter.
    float roughness = is_preview(p) ? 0.0f : hit->surface.roughness;
    sherd_glass_face face = {hit->normal, ratio, roughness};
    vec3f direction = p->ray.direction;
    bool through = true;
    if (!follow_both(p, hit, &face, &direction)) {
        sample2 facet = glass_random(p, 0);
        float chance = glass_random(p, 1).u;
        float weight = sherd_glass_scatter(&face, facet, chance, &direction, &through);
        p->throughput = vec3f_scale(weight, p->throughput);
    }
    if (through) p->inside = *after;
    p->straight = p->straight && through;
    // A light that shadow rays reach through glass, without refraction, is not counted a second
    // time when the refracted path hits it.
    if (!through) p->density = p->depth > 0 ? CAUSTIC : 0.0f;
    p->ray.direction = direction;
    p->ray.origin = sherd_tracer_leave(hit, direction);
    p->ray.near = 0.0f;
}

static void meet_glass(path *p, const tracer_hit *hit)
{
    tracer_crossings faces;
    int count = faces_here(p, hit, &faces);
    sherd_media after;
    sherd_media_cross(&p->inside, &after, faces.list, count);
    absorb(p, hit->distance);
    if (p->scene->tracer->geometries[hit->geometry].colors != NULL)
        p->throughput = vec3f_mul(p->throughput, hit->surface.albedo);
    sherd_medium from = sherd_media_medium(&p->inside, p->scene->tracer);
    sherd_medium to = sherd_media_medium(&after, p->scene->tracer);
    bool straight = is_preview(p) && p->depth > 0; // scattered light in previews
    if (from.refraction != to.refraction && !straight) {
        bend(p, hit, from.refraction / to.refraction, &after);
    } else {
        p->inside = after;
        p->ray.near = hit->distance + sherd_glass_gap(hit->distance);
    }
}

// Follows the path through glass to the next surface that isn't glass. False if there is none, or
// if the path ends on its way, without throughput.
static bool next_surface(path *p, tracer_hit *hit)
{
    tracer_coherence coherence = p->depth == 0 ? TRACER_COHERENT : TRACER_SCATTERED;
    int most = p->depth == 0 ? MOST_FACES : p->faces + MOST_FACES_LATER;
    if (is_preview(p))
        most = p->depth == 0 ? MOST_FACES_PREVIEW : p->faces + MOST_FACES_PREVIEW_LATER;
    while (sherd_tracer_nearest(p->scene->tracer, &p->ray, coherence, hit)) {
        bool glass = hit->kind == TRACER_GLASS || hit->kind == TRACER_PANE;
        if (!glass || p->faces >= most) {
            if (p->inside.count > 0) absorb(p, hit->distance);
            // A preview takes it that nothing more is in the way.
            return !(glass && is_preview(p));
        }
        if (hit->kind == TRACER_PANE)
            meet_pane(p, hit);
        else
            meet_glass(p, hit);
        ++p->faces;
        if (!survives(p)) return false;
    }
    return false;
}

// Transmittance of the shadow ray from a hit towards a light, up to a distance: 0 if it is
// occluded.
static vec3f visibility(const path *p, const tracer_hit *hit, vec3f direction, float far)
{
    tracer_ray ray = {sherd_tracer_leave(hit, direction), direction, 0.0f, p->ray.time};
    tracer_crossings crossings;
    if (!sherd_tracer_crossings(p->scene->tracer, &ray, far, &crossings))
        return vec3f_make(0.0f, 0.0f, 0.0f);
    if (crossings.count == 0) return crossings.tint;
    return sherd_media_straight(&p->inside, p->scene->tracer, &crossings);
}

// --- Next event estimation ----------------------------------------------------------------------

// A surface being shaded. `goes_on` are the probabilities with which the path continues by the base
// and by the coat. Their sum is at most 1 if one of them is chosen at random. It is above 1 if both
// are followed, and 0 if the path ends here.
typedef struct lit {
    const tracer_hit *hit;
    coat_surface surface;
    frame3f frame;
    vec3f view; // towards the previous vertex of the path, in the frame
    float mirrored;
    struct {
        float base, coat;
    } goes_on;
} lit;

static bool is_last(const lit *at)
{
    return at->goes_on.base + at->goes_on.coat <= 0.0f;
}

// Control variate for what the ground's coat mirrors of the studio's sky, in previews, as for what
// its base scatters (knows_open_sky).
static bool knows_sheen(const path *p, const lit *at)
{
    return p->scene->sheen != NULL && p->depth == 0 && at->hit->ground && at->goes_on.coat > 0.0f;
}

// Whether lamps and the key light are found by next event estimation alone: in previews, so that
// ground on which nothing stands is without noise.
static bool aims_alone(const path *p)
{
    return is_preview(p) && p->scene->lighting->environment == NULL;
}

// Next event estimation for one direction that was sampled with `density`; 0 for a light that no
// scattered path can hit. `irradiance` is the radiance over the density.
static void add_light(path *p, const lit *at, vec3f direction, float far, vec3f irradiance,
                      float density)
{
    if (vec3f_dot(direction, at->hit->facet) <= 0.0f) return;
    coat_light share =
        sherd_coat_reflect(&at->surface, at->view, frame3f_to_local(at->frame, direction));
    if (density > 0.0f) {
        float base = power_weight(density, at->goes_on.base * share.base_density);
        if (!aims_alone(p)) share.base = vec3f_scale(base, share.base);
        if (share.gloss > 0.0f && !knows_sheen(p, at))
            share.gloss *= power_weight(density, at->goes_on.coat * share.gloss_density);
    }
    vec3f sum =
        vec3f_add_scaled(share.base, share.gloss, coat_gloss_color(&at->surface, at->view.z));
    if (vec3f_largest(sum) < 1e-5f) return;
    vec3f visible = visibility(p, at->hit, direction, far);
    collect(p, vec3f_mul(vec3f_mul(sum, visible), irradiance));
}

static void add_key_light(path *p, const lit *at)
{
    const sherd_lighting *l = p->scene->lighting;
    if (vec3f_largest(l->key_irradiance) <= 0.0f) return;
    sample2 random = sherd_sampler_draw(p->sampler, SAMPLER_LIGHT + p->depth);
    add_light(p, at, sherd_lighting_key_direction(l, random), INFINITY, l->key_irradiance,
              l->key_density);
}

static void add_lamp(path *p, const lit *at)
{
    const sherd_tracer *t = p->scene->tracer;
    if (t->lamp_count == 0) return;
    sample2 random = sherd_sampler_draw(p->sampler, SAMPLER_AREA + p->depth);
    sherd_lamp_sample s = sherd_lamps_choose(t->lamps, t->lamp_count, at->hit->position, random);
    if (s.density <= 0.0f) return;
    add_light(p, at, s.direction, s.distance * (1.0f - 1e-4f),
              vec3f_scale(1.0f / s.density, s.radiance), s.density);
}

static void add_environment(path *p, const lit *at)
{
    const sherd_environment *e = p->scene->lighting->environment;
    // Where the path ends, the estimate of the ambient light includes the environment.
    if (e == NULL || (is_last(at) && p->depth > 1)) return;
    sample2 random = sherd_sampler_draw(p->sampler, SAMPLER_SKY + p->depth);
    vec3f direction = sherd_environment_direction(e, random);
    float density = sherd_environment_density(e, direction);
    if (density <= 0.0f) return;
    vec3f light = sherd_environment_radiance(e, direction);
    add_light(p, at, direction, INFINITY, vec3f_scale(1.0f / density, light), density);
}

// --- Surfaces -----------------------------------------------------------------------------------

// Control variate for the studio's sky. Most of the sky is visible from most outer faces and
// floors, and the cosine-weighted mean of the unoccluded sky is known. This mean is added, and the
// sky's radiance in the sampled direction is subtracted, so that noise comes only from occlusion.
static bool knows_open_sky(const path *p, const lit *at)
{
    return p->depth == 0 && !at->hit->inner && !is_last(at) &&
           p->scene->lighting->environment == NULL;
}

static void collect_open_sky(path *p, const lit *at)
{
    vec3f mean = sherd_lighting_open_sky_mean(p->scene->lighting, at->hit->normal);
    collect(p, vec3f_scale(1.0f - at->mirrored, vec3f_mul(coat_base_albedo(&at->surface), mean)));
}

static void collect_sheen(path *p, const lit *at)
{
    vec3f view = frame3f_to_world(at->frame, at->view);
    collect(p, sherd_sheen_light(p->scene->sheen, p->scene->lighting->up, view));
}

// Continues the path in a direction. False if the throughput is negligible or the direction is
// below the surface.
static bool set_out(path *p, const lit *at, vec3f local)
{
    p->straight = false;
    p->ray.direction = vec3f_unit_or(frame3f_to_world(at->frame, local), at->hit->normal);
    p->ray.origin = sherd_tracer_leave(at->hit, at->hit->facet);
    p->ray.near = 0.0f;
    return vec3f_largest(p->throughput) > 1e-4f &&
           vec3f_dot(p->ray.direction, at->hit->facet) > 0.0f;
}

static bool leave_coat(path *p, const lit *at, sample2 random)
{
    float weight, density;
    vec3f local = sherd_coat_sample(&at->surface, at->view, random, &weight, &density);
    vec3f tint = coat_gloss_color(&at->surface, at->view.z);
    p->throughput = vec3f_scale(weight / at->goes_on.coat, vec3f_mul(p->throughput, tint));
    p->density = knows_sheen(p, at) ? CAUSTIC : at->goes_on.coat * density;
    if (weight > 0.0f && knows_sheen(p, at)) {
        vec3f sky = sherd_lighting_sky(p->scene->lighting, frame3f_to_world(at->frame, local));
        p->radiance = vec3f_sub(p->radiance, vec3f_mul(p->throughput, sky));
    }
    return set_out(p, at, local);
}

static bool leave_base(path *p, const lit *at, sample2 random)
{
    vec3f local = sherd_cosine_sample(random);
    float share = (1.0f - at->mirrored) / at->goes_on.base;
    vec3f before = vec3f_mul(p->throughput, coat_base_albedo(&at->surface));
    p->throughput = vec3f_scale(share * (1.0f - coat_fresnel(at->surface.f0, local.z)), before);
    if (knows_open_sky(p, at)) {
        vec3f sky = sherd_lighting_open_sky(p->scene->lighting, frame3f_to_world(at->frame, local));
        p->radiance = vec3f_add_scaled(p->radiance, -share, vec3f_mul(before, sky));
    }
    p->density = aims_alone(p) ? CAUSTIC : at->goes_on.base * local.z * 0.31830989f;
    return set_out(p, at, local);
}

static void follow(path *p);

// Samples the next direction. False if nothing would be collected there. If both the base and the
// coat are followed, the coat's path is traced completely in here.
static bool scatter(path *p, const lit *at)
{
    sample2 lobe = sherd_sampler_draw(p->sampler, SAMPLER_LOBE);
    sample2 random = sherd_sampler_draw(p->sampler, SAMPLER_BOUNCE + p->depth);
    if (at->goes_on.base + at->goes_on.coat <= 1.0f)
        return lobe.u < at->goes_on.coat ? leave_coat(p, at, random) : leave_base(p, at, random);
    path mirrored = *p;
    mirrored.radiance = mirrored.weak_gloss = vec3f_make(0.0f, 0.0f, 0.0f);
    if (leave_coat(&mirrored, at, lobe)) follow(&mirrored);
    p->radiance = vec3f_add(p->radiance, mirrored.radiance);
    return leave_base(p, at, random);
}

// Distance from the camera's target, measured in the ground plane.
static float ground_radius(const path_scene *scene, vec3f position)
{
    float height = vec3f_dot(position, scene->lighting->up);
    return vec3f_length(vec3f_add_scaled(position, -height, scene->lighting->up));
}

// A path hits a lamp: adds the radiance of its front, weighted against next event estimation. Its
// back is black.
static void collect_lamp(path *p, const tracer_hit *hit)
{
    const sherd_tracer *t = p->scene->tracer;
    const sherd_lamp *lamp = &t->lamps[t->geometries[hit->geometry].lamp];
    float density = sherd_lamp_density(lamp, p->ray.direction, hit->distance);
    if (density <= 0.0f) return;
    collect(p, vec3f_scale(chance_weight(p, density), lamp->radiance));
}

// Whether the coat's reflection is not traced: in previews, where it is weak and blurred. Then it is
// that of the surroundings, or none where the base's path hits something.
static bool has_weak_gloss(const path *p, const lit *at)
{
    const float most_mirrored = 0.1f, least_roughness = 0.25f;
    return is_preview(p) && !at->hit->ground && at->mirrored < most_mirrored &&
           at->surface.roughness > least_roughness;
}

static void collect_weak_gloss(path *p, const lit *at)
{
    const sherd_lighting *l = p->scene->lighting;
    vec3f view = frame3f_to_world(at->frame, at->view);
    vec3f sky = sherd_lighting_sky(l, mirror(vec3f_scale(-1.0f, view), at->hit->normal));
    vec3f tint = coat_gloss_color(&at->surface, at->view.z);
    vec3f light = vec3f_scale(at->mirrored, vec3f_mul(tint, sky));
    p->weak_gloss = vec3f_mul(p->throughput, light);
    p->radiance = vec3f_add(p->radiance, p->weak_gloss);
}

// Sets the probabilities of continuing by the base and by the coat. At the first surface both are
// followed if the coat reflects up to half of the light, because a random choice would cause most
// of the noise. If the coat reflects more, as on metal, one of them is chosen at random. Deeper
// surfaces have no coat.
static void choose_ways(const path *p, lit *at)
{
    const float most_mirrored = 0.5f;
    at->goes_on.base = 1.0f;
    if (!(at->surface.f0 > 0.0f) || p->depth > 0 || has_weak_gloss(p, at)) return;
    at->goes_on.coat = 1.0f;
    if (at->mirrored <= most_mirrored) return;
    // A preview leaves out what little a metal scatters.
    at->goes_on.coat = is_preview(p) ? 1.0f : float_min(0.10f + at->mirrored, 0.9f);
    at->goes_on.base = 1.0f - at->goes_on.coat;
}

// Shades one surface and samples the next direction. False when the path ends here.
static bool shade(path *p, const tracer_hit *hit)
{
    if (hit->kind == TRACER_LAMP) {
        collect_lamp(p, hit);
        return false;
    }
    bool last = p->depth >= p->scene->bounces;
    lit at = {.hit = hit, .surface = hit->surface, .frame = frame3f_about(hit->normal)};
    // Surfaces after the first are treated as diffuse: this is cheaper, and reflections in
    // reflections are hardly visible.
    if (p->depth > 0) coat_make_matte(&at.surface);
    at.view = frame3f_to_local(at.frame, vec3f_scale(-1.0f, p->ray.direction));
    at.mirrored = coat_fresnel(at.surface.f0, at.view.z);
    if (!last) choose_ways(p, &at);
    add_key_light(p, &at);
    add_lamp(p, &at);
    add_environment(p, &at);
    if (knows_open_sky(p, &at)) collect_open_sky(p, &at);
    if (p->depth == 0 && !last && at.surface.f0 > 0.0f && has_weak_gloss(p, &at))
        collect_weak_gloss(p, &at);
    if (knows_sheen(p, &at)) collect_sheen(p, &at);
    if (!last) return scatter(p, &at);
    if (p->scene->lighting->environment == NULL || p->depth > 1)
        collect(p, vec3f_mul(at.surface.albedo,
                             sherd_lighting_ambient(p->scene->lighting, hit->normal)));
    return false;
}

// The path leaves the scene. Lights are weighted against next event estimation.
static void escape(path *p)
{
    const sherd_lighting *l = p->scene->lighting;
    vec3f direction = p->ray.direction;
    vec3f sky =
        p->straight ? sherd_lighting_backdrop(l, direction) : sherd_lighting_sky(l, direction);
    vec3f key =
        vec3f_scale(chance_weight(p, l->key_density), sherd_lighting_key_radiance(l, direction));
    if (p->density > 0.0f && l->environment != NULL) {
        float density = sherd_environment_density(l->environment, direction);
        sky = vec3f_scale(power_weight(p->density, density), sky);
    }
    // The studio's key light is behind the camera and not visible in the backdrop.
    if (!p->straight || l->environment != NULL) sky = vec3f_add(sky, key);
    collect(p, sky);
}

// The same where light has been refracted at most: in previews, sky seen so has no noise.
static void see_sky(path *p)
{
    vec3f before = p->radiance;
    escape(p);
    if (is_preview(p)) p->crisp = vec3f_add(p->crisp, vec3f_sub(p->radiance, before));
}

static void follow(path *p)
{
    tracer_hit hit;
    do {
        ++p->depth;
        if (!next_surface(p, &hit)) {
            escape(p);
            return;
        }
        if (p->depth == 1) p->radiance = vec3f_sub(p->radiance, p->weak_gloss);
    } while (shade(p, &hit));
}

static vec3f limit_brightness(vec3f light)
{
    // The sum is not finite when any component isn't.
    if (!(light.x + light.y + light.z < INFINITY)) return vec3f_make(0.0f, 0.0f, 0.0f);
    float largest = vec3f_largest(light);
    return largest > BRIGHTEST_SAMPLE ? vec3f_scale(BRIGHTEST_SAMPLE / largest, light) : light;
}

// Factor by which the texture changes the floor's colour.
static vec3f floor_tint(const path *p, const tracer_hit *hit)
{
    vec3f plain = p->scene->lighting->floor_albedo, seen = hit->surface.albedo;
    const float black = 1e-4f;
    return vec3f_make(seen.x / float_max(plain.x, black), seen.y / float_max(plain.y, black),
                      seen.z / float_max(plain.z, black));
}

// Shades the ground. In the studio it darkens with the distance from the middle and fades into the
// backdrop.
static void shade_ground(path *p, const tracer_hit *hit)
{
    const sherd_lighting *lighting = p->scene->lighting;
    if (lighting->environment != NULL) {
        if (shade(p, hit)) follow(p);
        return;
    }
    float radius = ground_radius(p->scene, hit->position);
    float fade = sherd_lighting_floor_fade(radius);
    vec3f outer = p->throughput;
    vec3f before = p->radiance;
    if (fade < 1.0f && shade(p, hit)) follow(p);
    vec3f found = vec3f_sub(p->radiance, before);
    vec3f open = vec3f_mul(outer, vec3f_mul(lighting->floor_radiance, floor_tint(p, hit)));
    vec3f seen = vec3f_scale(sherd_lighting_pool(radius), vec3f_mix(found, open, fade));
    p->radiance = vec3f_add(before, seen);
}

// Traces the path from its present ray to its end.
static void run(path *p)
{
    tracer_hit hit;
    if (!next_surface(p, &hit))
        escape(p);
    else if (hit.ground)
        shade_ground(p, &hit);
    else if (shade(p, &hit))
        follow(p);
}

static path start_path(const path_scene *scene, const tracer_ray *ray, sampler *random)
{
    bool preview = scene->quality == SHERD_RENDER_PREVIEW;
    return (path){.scene = scene,
                  .sampler = random,
                  .ray = *ray,
                  .throughput = {1.0f, 1.0f, 1.0f},
                  .straight = true,
                  .forks = preview ? MOST_FORKS_PREVIEW : MOST_FORKS};
}

path_result sherd_path_see(const tracer_ray *ray, const tracer_hit *hit)
{
    path_result result = {.albedo = hit->surface.albedo,
                          .normal = hit->normal,
                          .position = hit->position,
                          .ground = hit->ground,
                          .scatters = hit->kind == TRACER_OPAQUE};
    if (hit->ground)
        result.mirrored = coat_fresnel(hit->surface.f0, -vec3f_dot(hit->normal, ray->direction));
    return result;
}

// The same at the end of a path through glass; `hit` is NULL where there is no surface.
static path_result see_through(const path *p, const tracer_ray *ray, const tracer_hit *hit)
{
    if (hit != NULL && p->faces == 0) return sherd_path_see(ray, hit);
    if (hit != NULL)
        return (path_result){.albedo = vec3f_mul(p->throughput, hit->surface.albedo),
                             .normal = hit->normal,
                             .position = hit->position,
                             .clear = true,
                             .scatters = hit->kind == TRACER_OPAQUE};
    // In previews one far point, so that the sky is one surface.
    vec3f up = p->scene->lighting->up;
    vec3f far = is_preview(p) ? vec3f_scale(1e3f, up) : vec3f_scale(10.0f, ray->direction);
    return (path_result){.albedo = p->scene->lighting->floor_albedo,
                         .normal = up,
                         .position = vec3f_add(ray->origin, far),
                         .clear = p->faces > 0,
                         .sky = true};
}

path_result sherd_path_look(const path_scene *scene, const tracer_ray *ray, sampler *random)
{
    path p = start_path(scene, ray, random);
    p.forks = 0;
    tracer_hit hit;
    bool found = next_surface(&p, &hit);
    path_result result = see_through(&p, ray, found ? &hit : NULL);
    if (!found) see_sky(&p);
    result.crisp = limit_brightness(p.crisp);
    return result;
}

path_result sherd_path_trace(const path_scene *scene, const tracer_ray *ray, sampler *random)
{
    path p = start_path(scene, ray, random);
    tracer_hit hit;
    bool found = next_surface(&p, &hit);
    path_result result = see_through(&p, ray, found ? &hit : NULL);
    if (!found)
        see_sky(&p);
    else if (hit.ground)
        shade_ground(&p, &hit);
    else if (shade(&p, &hit))
        follow(&p);
    result.radiance = limit_brightness(p.radiance);
    if (scene->quality == SHERD_RENDER_PREVIEW) {
        result.crisp = limit_brightness(p.crisp);
        result.radiance = vec3f_add(result.crisp, limit_brightness(vec3f_sub(p.radiance, p.crisp)));
    }
    return result;
}
