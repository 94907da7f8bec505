// Clear sky with a sun: single scattering by air (Rayleigh) and haze (Mie), and absorption by
// ozone.
//   Nishita et al., Display of the Earth taking into account atmospheric scattering (1993)
// Coefficients at sea level as in Bruneton and Neyret, Precomputed atmospheric scattering (2008).
#include "render/sky/environment.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>

static const float PI_F = 3.14159265f;

static const double EARTH = 6360e3, TOP = 6420e3; // radii [m]
static const double AIR_HEIGHT = 8000.0,
                    HAZE_HEIGHT = 1200.0;                // scale heights of the densities [m]
static const double AIR[3] = {5.8e-6, 13.5e-6, 33.1e-6}; // scattering [1/m]
static const double HAZE = 4e-6;                         // scattering by haze in clear air [1/m]
static const double HAZE_ALBEDO = 0.9;
static const double HAZE_FORWARD = 0.76;                     // mean cosine of its scattering
static const double OZONE[3] = {0.65e-6, 1.88e-6, 0.085e-6}; // absorption at 25 km [1/m]

// Solar irradiance above the atmosphere, scaled so that one exposure suits both the studio and the
// sky.
static const double SUN[3] = {4.3, 4.2, 4.1};
static const float GROUND_ALBEDO = 0.18f; // of the ground below the horizon
// Multiple scattering is approximated by this much isotropic scattering in addition to single
// scattering.
static const double MORE_THAN_ONCE = 0.35;

enum { WIDTH = 256, HEIGHT = 128, VIEW_STEPS = 24, SUN_STEPS = 8 };

typedef struct depths {
    double air, haze, ozone; // optical paths: equivalent lengths at sea-level density [m]
} depths;

typedef struct sky {
    sherd_vec3 sun;
    double haze; // factor on HAZE
} sky;

static depths densities(double height)
{
    double h = fmax(height, 0.0);
    return (depths){exp(-h / AIR_HEIGHT), exp(-h / HAZE_HEIGHT),
                    fmax(0.0, 1.0 - fabs(h - 25e3) / 15e3)};
}

// Distance from a point at radius `from` to a sphere about the Earth's centre. `cosine`: of the
// angle between the direction and the zenith. -1 if the ray misses the sphere.
static double distance_to_sphere(double from, double cosine, double radius)
{
    double b = from * cosine, c = from * from - radius * radius;
    double root = b * b - c;
    return root < 0.0 ? -1.0 : -b + sqrt(root);
}

static bool hits_earth(double from, double cosine)
{
    return cosine < 0.0 && from * from * (1.0 - cosine * cosine) < EARTH * EARTH;
}

static depths depths_along(double from, double cosine)
{
    depths sum = {0.0, 0.0, 0.0};
    double step = distance_to_sphere(from, cosine, TOP) / SUN_STEPS;
    for (int k = 0; k < SUN_STEPS; ++k) {
        double s = (k + 0.5) * step;
        double radius = sqrt(from * from + s * s + 2.0 * from * s * cosine);
        depths here = densities(radius - EARTH);
        sum.air += here.air * step, sum.haze += here.haze * step, sum.ozone += here.ozone * step;
    }
    return sum;
}

static void passes(const sky *s, depths d, double out[3])
{
    for (int c = 0; c < 3; ++c)
        out[c] = exp(-AIR[c] * d.air - s->haze * HAZE / HAZE_ALBEDO * d.haze - OZONE[c] * d.ozone);
}

static double air_phase(double cosine)
{
    return 3.0 / (16.0 * (double)PI_F) * (1.0 + cosine * cosine);
}

// Cornette and Shanks, Physically reasonable analytic expression for the single-scattering phase
// function (1992)
static double haze_phase(double cosine)
{
    double g = HAZE_FORWARD, g2 = g * g;
    return 3.0 / (8.0 * (double)PI_F) * (1.0 - g2) * (1.0 + cosine * cosine) /
           ((2.0 + g2) * pow(1.0 + g2 - 2.0 * g * cosine, 1.5));
}

// Radiance of the sky from a direction above the horizon. The viewer is 100 m above sea level.
static void radiance(const sky *s, sherd_vec3 d, double out[3])
{
    const double viewer = EARTH + 100.0;
    double step = distance_to_sphere(viewer, d.z, TOP) / (VIEW_STEPS * VIEW_STEPS);
    double turned = d.x * s->sun.x + d.y * s->sun.y + d.z * s->sun.z;
    double even = 1.0 / (4.0 * (double)PI_F) * MORE_THAN_ONCE;
    double air = air_phase(turned) + even, haze = haze_phase(turned) + even;
    depths so_far = {0.0, 0.0, 0.0};
    out[0] = out[1] = out[2] = 0.0;
    for (int k = 0; k < VIEW_STEPS; ++k) { // steps grow with height, where the air is thinner
        double at = step * (k * k + k + 0.5), length = step * (2 * k + 1);
        double radius = sqrt(viewer * viewer + at * at + 2.0 * viewer * at * d.z);
        depths here = densities(radius - EARTH);
        so_far.air += here.air * length, so_far.haze += here.haze * length;
        so_far.ozone += here.ozone * length;
        double up = (viewer * s->sun.z + at * turned) / radius;
        if (hits_earth(radius, up)) continue;
        depths path = depths_along(radius, up);
        double left[3];
        path.air += so_far.air, path.haze += so_far.haze, path.ozone += so_far.ozone;
        passes(s, path, left);
        for (int c = 0; c < 3; ++c)
            out[c] += SUN[c] * left[c] * length *
                      (AIR[c] * here.air * air + s->haze * HAZE * here.haze * haze);
    }
}

static sherd_vec3 direction_at(int x, int y)
{
    double polar = (double)PI_F * (y + 0.5) / HEIGHT;
    double azimuth = 2.0 * (double)PI_F * (0.5 - (x + 0.5) / WIDTH);
    return (sherd_vec3){sin(polar) * cos(azimuth), sin(polar) * sin(azimuth), cos(polar)};
}

// Fills the upper half of the picture. Returns the irradiance of horizontal ground by the sky and
// the sun; `sun` is the sun's irradiance at normal incidence.
static vec3f paint_sky(const sky *s, float *pixels, vec3f sun)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int y = 0; y < HEIGHT / 2; ++y)
        for (int x = 0; x < WIDTH; ++x) {
            double light[3];
            sherd_vec3 d = direction_at(x, y);
            radiance(s, d, light);
            double cell = sin((double)PI_F * (y + 0.5) / HEIGHT) * d.z;
            for (int c = 0; c < 3; ++c) {
                pixels[3 * (y * WIDTH + x) + c] = (float)light[c];
                sum[c] += light[c] * cell * 2.0 * (double)PI_F * (double)PI_F / (WIDTH * HEIGHT);
            }
        }
    vec3f sky_light = vec3f_make((float)sum[0], (float)sum[1], (float)sum[2]);
    return vec3f_add_scaled(sky_light, float_max((float)s->sun.z, 0.0f), sun);
}

static void paint_ground(float *pixels, vec3f light)
{
    vec3f seen = vec3f_scale(GROUND_ALBEDO / PI_F, light);
    for (int k = HEIGHT / 2 * WIDTH; k < HEIGHT * WIDTH; ++k) {
        pixels[3 * k] = seen.x, pixels[3 * k + 1] = seen.y, pixels[3 * k + 2] = seen.z;
    }
}

sherd_sky_def sherd_sky_def_default(void)
{
    const double degree = 0.017453292519943295;
    return (sherd_sky_def){.sun_azimuth = 40.0 * degree,
                           .sun_elevation = 35.0 * degree,
                           .sun_diameter = 0.53 * degree,
                           .haze = 1.0,
                           .brightness = 1.0};
}

static bool is_usable(const sherd_sky_def *def)
{
    return isfinite(def->sun_azimuth) && fabs(def->sun_elevation) <= 1.5707963267948966 &&
           def->sun_diameter >= 1e-3 && def->sun_diameter <= 1.0 && def->haze >= 0.0 &&
           def->haze <= 100.0 && def->brightness >= 0.0 && def->brightness <= 1e6;
}

// Irradiance by the sun at normal incidence, through the atmosphere; 0 if the sun is below the
// horizon.
static vec3f sun_irradiance(const sky *s)
{
    if (hits_earth(EARTH + 100.0, s->sun.z)) return vec3f_make(0.0f, 0.0f, 0.0f);
    double left[3];
    passes(s, depths_along(EARTH + 100.0, s->sun.z), left);
    return vec3f_make((float)(SUN[0] * left[0]), (float)(SUN[1] * left[1]),
                      (float)(SUN[2] * left[2]));
}

sherd_environment *sherd_environment_sky(const sherd_sky_def *def, sherd_error *error)
{
    if (!is_usable(def)) {
        sherd_fail(error, SHERD_ERROR_INPUT, "sky", "start from sherd_sky_def_default()",
                   "an angle, haze or brightness is out of range");
        return NULL;
    }
    double up = def->sun_elevation, side = def->sun_azimuth;
    sky s = {{cos(up) * cos(side), cos(up) * sin(side), sin(up)}, def->haze};
    vec3f sun = sun_irradiance(&s);
    float *pixels = sherd_alloc((size_t)WIDTH * HEIGHT, 3 * sizeof *pixels);
    if (pixels != NULL) paint_ground(pixels, paint_sky(&s, pixels, sun));
    sherd_environment *e = pixels != NULL ? sherd_environment_take(WIDTH, HEIGHT, pixels) : NULL;
    if (e == NULL) {
        sherd_fail_memory(error, "sky");
        return NULL;
    }
    e->brightness = (float)def->brightness;
    e->sun = vec3f_make((float)s.sun.x, (float)s.sun.y, (float)s.sun.z);
    e->sun_cosine = cosf(0.5f * (float)def->sun_diameter);
    e->sun_irradiance = vec3f_scale(e->brightness, sun);
    return e;
}
