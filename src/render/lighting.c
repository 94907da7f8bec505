#include "render/lighting.h"

#include "math/vec3.h"

static const float PI_F = 3.14159265f;

// The rim panel: a large soft light behind the scene on the side away from the key, which draws
// bright edges on glazed bodies.
static const float RIM_AZIMUTH = 3.85f;   // from the key [rad]
static const float RIM_ELEVATION = 0.50f; // [rad]
static const float RIM_RADIANCE = 5.0f;   // relative to the horizon

static vec3f to_vec3f(sherd_vec3 v)
{
    return vec3f_make((float)v.x, (float)v.y, (float)v.z);
}

static vec3f of_color(sherd_color c)
{
    return vec3f_make(c.r, c.g, c.b);
}

static float smooth_step(float low, float high, float x)
{
    float t = float_min(float_max((x - low) / (high - low), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// Unit direction at an azimuth, measured in the ground plane from the direction to the camera,
// positive to the camera's right, and an elevation above the ground.
static vec3f studio_direction(vec3f up, vec3f forward, float azimuth, float elevation)
{
    vec3f right = vec3f_cross(forward, up);
    right = vec3f_unit_or(right, frame3f_about(up).x);
    vec3f to_camera = vec3f_cross(right, up);
    to_camera = vec3f_scale(vec3f_dot(to_camera, forward) > 0.0f ? -1.0f : 1.0f, to_camera);
    vec3f level = vec3f_add_scaled(vec3f_scale(cosf(azimuth), to_camera), sinf(azimuth), right);
    return vec3f_add_scaled(vec3f_scale(cosf(elevation), level), sinf(elevation), up);
}

// Cosine-weighted mean of the dome by the midpoint rule in (sin^2 of the polar angle, azimuth).
static vec3f mean_of_sky(const sherd_lighting *l)
{
    enum { RINGS = 16, SECTORS = 32 };
    frame3f frame = frame3f_about(l->up);
    vec3f sum = {0.0f, 0.0f, 0.0f};
    for (int r = 0; r < RINGS; ++r)
        for (int s = 0; s < SECTORS; ++s) {
            sample2 middle = {((float)r + 0.5f) / RINGS, ((float)s + 0.5f) / SECTORS};
            vec3f d = frame3f_to_world(frame, sherd_cosine_sample(middle));
            sum = vec3f_add(sum, sherd_lighting_sky(l, d));
        }
    return vec3f_scale(1.0f / (RINGS * SECTORS), sum);
}

// --- Open sky -----------------------------------------------------------------------------------

static vec3f studio_dome(const sherd_lighting *l, float height)
{
    if (height < 0.0f) // light reflected by a floor, for rays that find no floor to hit
        return vec3f_mix(vec3f_scale(0.6f, l->sky_horizon), l->floor_radiance,
                         smooth_step(0.0f, 0.2f, -height));
    return vec3f_mix(l->sky_horizon, l->sky_zenith, smooth_step(0.0f, 0.8f, height));
}

static float studio_rim(float cosine)
{
    return RIM_RADIANCE * smooth_step(0.84f, 0.97f, cosine);
}

// The dome and the rim panel are each rotationally symmetric about an axis. Their cosine-weighted
// means therefore depend only on the cosine between normal and axis. Midpoint rule, as above.
static void find_means(sherd_lighting *l)
{
    enum { RINGS = 16, SECTORS = 32 };
    for (int k = 0; k < LIGHTING_MEANS; ++k) {
        float cosine = 2.0f * (float)k / (LIGHTING_MEANS - 1) - 1.0f;
        float sine = sqrtf(float_max(0.0f, 1.0f - cosine * cosine));
        vec3f dome = {0.0f, 0.0f, 0.0f};
        float rim = 0.0f;
        for (int r = 0; r < RINGS; ++r)
            for (int s = 0; s < SECTORS; ++s) {
                sample2 middle = {((float)r + 0.5f) / RINGS, ((float)s + 0.5f) / SECTORS};
                // in the frame of the normal; the axis is tilted towards x
                vec3f d = sherd_cosine_sample(middle);
                float height = cosine * d.z + sine * d.x;
                dome = vec3f_add(dome, studio_dome(l, height));
                rim += studio_rim(height);
            }
        l->dome_mean[k] = vec3f_scale(1.0f / (RINGS * SECTORS), dome);
        l->rim_mean[k] = rim / (RINGS * SECTORS);
    }
}

vec3f sherd_lighting_open_sky(const sherd_lighting *l, vec3f direction)
{
    return vec3f_add_scaled(studio_dome(l, vec3f_dot(direction, l->up)),
                            studio_rim(vec3f_dot(direction, l->rim)), l->sky_horizon);
}

// The index of the table entry below a cosine, and the position between it and the next entry.
static int find_mean(float cosine, float *share)
{
    float at = 0.5f * (cosine + 1.0f) * (LIGHTING_MEANS - 1);
    at = float_min(float_max(at, 0.0f), LIGHTING_MEANS - 1.001f);
    *share = at - (float)(int)at;
    return (int)at;
}

vec3f sherd_lighting_open_sky_mean(const sherd_lighting *l, vec3f normal)
{
    float share;
    int k = find_mean(vec3f_dot(normal, l->up), &share);
    vec3f dome = vec3f_mix(l->dome_mean[k], l->dome_mean[k + 1], share);
    k = find_mean(vec3f_dot(normal, l->rim), &share);
    float rim = (1.0f - share) * l->rim_mean[k] + share * l->rim_mean[k + 1];
    return vec3f_add_scaled(dome, rim, l->sky_horizon);
}

static void place_studio(sherd_lighting *l, const sherd_render_light *light, vec3f forward)
{
    float azimuth = (float)light->key_azimuth, elevation = (float)light->key_elevation;
    l->key = frame3f_about(studio_direction(l->up, forward, azimuth, elevation));
    l->key_cosine = cosf((float)light->key_angular_radius);
    l->key_irradiance = of_color(light->key_irradiance);
    l->sky_zenith = of_color(light->sky_zenith);
    l->sky_horizon = of_color(light->sky_horizon);
    l->rim = studio_direction(l->up, forward, azimuth + RIM_AZIMUTH, RIM_ELEVATION);
}

static void place_environment(sherd_lighting *l, const sherd_environment *e)
{
    bool has_sun = vec3f_largest(e->sun_irradiance) > 0.0f;
    l->environment = e;
    l->key = frame3f_about(has_sun ? e->sun : l->up);
    l->key_cosine = has_sun ? e->sun_cosine : 0.99f;
    l->key_irradiance = e->sun_irradiance;
}

void sherd_lighting_init(sherd_lighting *l, const sherd_render_scene *scene, vec3f forward)
{
    bool grounded = scene->ground.kind == SHERD_RENDER_GROUND_PLANE;
    *l = (sherd_lighting){
        .up = to_vec3f(vec3_normalize(grounded ? scene->ground.normal : scene->camera.up)),
        .floor_albedo = of_color(scene->ground.color),
    };
    if (scene->environment != NULL)
        place_environment(l, scene->environment);
    else
        place_studio(l, &scene->light, forward);
    // The cone of the key light is sampled uniformly. For the small disk of a sun, 1 - cos is near
    // the rounding error, so it is bounded below.
    l->key_density = 1.0f / (2.0f * PI_F * float_max(1.0f - l->key_cosine, 1e-7f));
    l->key_radiance = vec3f_scale(l->key_density, l->key_irradiance);
    l->sky_mean = mean_of_sky(l);
    vec3f irradiance =
        vec3f_add_scaled(vec3f_scale(PI_F, l->sky_mean),
                         float_max(vec3f_dot(l->key.z, l->up), 0.0f), l->key_irradiance);
    l->floor_radiance = vec3f_scale(1.0f / PI_F, vec3f_mul(l->floor_albedo, irradiance));
    if (l->environment == NULL) find_means(l);
}

vec3f sherd_lighting_key_radiance(const sherd_lighting *l, vec3f direction)
{
    const vec3f dark = {0.0f, 0.0f, 0.0f};
    return vec3f_dot(direction, l->key.z) >= l->key_cosine ? l->key_radiance : dark;
}

vec3f sherd_lighting_key_direction(const sherd_lighting *l, sample2 random)
{
    float cosine = 1.0f - random.u * (1.0f - l->key_cosine); // uniform over the spherical cap
    float sine = sqrtf(float_max(0.0f, 1.0f - cosine * cosine));
    float y, x;
    sincos_of_turn(random.v, &y, &x);
    return frame3f_to_world(l->key, vec3f_make(sine * x, sine * y, cosine));
}

vec3f sherd_lighting_sky(const sherd_lighting *l, vec3f direction)
{
    if (l->environment != NULL) return sherd_environment_radiance(l->environment, direction);
    float height = vec3f_dot(direction, l->up);
    vec3f dome = studio_dome(l, height);
    if (height < 0.0f) return dome;
    return vec3f_add_scaled(dome, studio_rim(vec3f_dot(direction, l->rim)), l->sky_horizon);
}

vec3f sherd_lighting_ambient(const sherd_lighting *l, vec3f normal)
{
    // The surfaces around the last hit are assumed to occlude about half of the light.
    const float openness = 0.5f;
    float height = 0.5f + 0.5f * vec3f_dot(normal, l->up);
    vec3f light = vec3f_mix(vec3f_scale(0.7f, l->floor_radiance), l->sky_mean, height);
    return vec3f_scale(openness, light);
}

float sherd_lighting_pool(float radius)
{
    const float darkest = 0.38f, reach = 0.8f;
    float r = radius / reach;
    return darkest + (1.0f - darkest) / (1.0f + r * r);
}

float sherd_lighting_floor_fade(float radius)
{
    return smooth_step(1.2f, 5.0f, radius);
}

vec3f sherd_lighting_backdrop(const sherd_lighting *l, vec3f direction)
{
    if (l->environment != NULL) return sherd_environment_radiance(l->environment, direction);
    float height = vec3f_dot(direction, l->up);
    float below = sherd_lighting_pool(INFINITY);
    // Above the horizon the wall darkens to about one half, like the paper sweep of a photo studio.
    float wall = 0.45f + 0.55f * expf(-4.0f * float_max(height, 0.0f));
    return vec3f_scale(below * wall, l->floor_radiance);
}
