#include "render/media.h"

#include "base/assertion.h"
#include "render/glass.h"

static int find(const sherd_media *media, int geometry, int part)
{
    int k = 0;
    while (k < media->count &&
           (media->bodies[k].geometry != geometry || media->bodies[k].part != part))
        ++k;
    return k;
}

// Bodies beyond the array's capacity are ignored: light passes through them as through air.
static void change_depth(sherd_media *media, int geometry, int part, int change)
{
    int k = find(media, geometry, part);
    if (k == media->count && (change < 0 || k == MEDIA_MOST)) return;
    if (k == media->count) {
        media->bodies[k].geometry = geometry;
        media->bodies[k].part = part;
        media->bodies[k].depth = 0;
        ++media->count;
    }
    media->bodies[k].depth += change;
    if (media->bodies[k].depth <= 0) media->bodies[k] = media->bodies[--media->count];
}

sherd_medium sherd_media_medium(const sherd_media *media, const sherd_tracer *tracer)
{
    if (media->count == 0) return (sherd_medium){1.0f, {0.0f, 0.0f, 0.0f}};
    int first = media->bodies[0].geometry;
    for (int k = 1; k < media->count; ++k)
        if (media->bodies[k].geometry < first) first = media->bodies[k].geometry;
    const tracer_material *m = &tracer->geometries[first].material;
    return (sherd_medium){m->refraction, m->absorption};
}

// Coincident faces of one body may come in any order. What counts is the number of entries less the
// number of exits.
static int net_depth(const tracer_crossing *crossings, int count, int of)
{
    int net = 0;
    for (int k = 0; k < count; ++k)
        if (crossings[k].geometry == crossings[of].geometry &&
            crossings[k].part == crossings[of].part)
            net += crossings[k].outwards ? -1 : 1;
    return net;
}

static bool is_first_of_body(const tracer_crossing *crossings, int k)
{
    for (int j = 0; j < k; ++j)
        if (crossings[j].geometry == crossings[k].geometry &&
            crossings[j].part == crossings[k].part)
            return false;
    return true;
}

void sherd_media_cross(sherd_media *before, sherd_media *after, const tracer_crossing *crossings,
                       int count)
{
    SHERD_ASSERT(count >= 0 && before != after, "media before and after lie apart");
    *after = *before;
    for (int k = 0; k < count; ++k) {
        if (!is_first_of_body(crossings, k)) continue;
        int geometry = crossings[k].geometry, part = crossings[k].part;
        int net = net_depth(crossings, count, k);
        bool known = find(before, geometry, part) < before->count;
        if (net < 0 && !known)
            change_depth(before, geometry, part, 1);
        else
            change_depth(after, geometry, part, net);
    }
}

vec3f sherd_medium_passes(const sherd_medium *medium, float distance)
{
    vec3f a = medium->absorption;
    if (vec3f_largest(a) <= 0.0f) return vec3f_make(1.0f, 1.0f, 1.0f);
    return vec3f_make(expf(-a.x * distance), expf(-a.y * distance), expf(-a.z * distance));
}

vec3f sherd_media_straight(const sherd_media *media, const sherd_tracer *tracer,
                           const tracer_crossings *crossings)
{
    vec3f passed = crossings->tint;
    sherd_media here = *media;
    float distance = 0.0f;
    for (int k = 0; k < crossings->count;) {
        const tracer_crossing *face = &crossings->list[k];
        float reach = face->distance + sherd_glass_gap(face->distance);
        int together = 1;
        while (k + together < crossings->count && face[together].distance <= reach)
            ++together;
        sherd_media after;
        sherd_media_cross(&here, &after, face, together);
        sherd_medium from = sherd_media_medium(&here, tracer),
                     to = sherd_media_medium(&after, tracer);
        passed = vec3f_mul(passed, sherd_medium_passes(&from, face->distance - distance));
        if (from.refraction != to.refraction) {
            // Reflectance from the side with the smaller refractive index: a ray that is not
            // refracted must not be reflected totally.
            float ratio = from.refraction < to.refraction ? from.refraction / to.refraction
                                                          : to.refraction / from.refraction;
            passed = vec3f_scale(1.0f - sherd_glass_reflectance(face->cosine, ratio), passed);
        }
        distance = face->distance;
        here = after;
        k += together;
    }
    return passed;
}
