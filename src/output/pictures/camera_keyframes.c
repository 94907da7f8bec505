#include "output/pictures/camera_keyframes.h"

#include "base/assertion.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// Interpolated values: position, target, field of view, focus distance.
enum { POSITION = 0, TARGET = 3, FOV = 6, FOCUS = 7, NUMBERS = 8 };

static double distance(sherd_vec3 a, sherd_vec3 b)
{
    return hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z);
}

static void numbers_of(const sherd_scene_camera *c, int key, double out[NUMBERS])
{
    const sherd_scene_camera_key *k = &c->keys[key];
    double focus = k->focus > 0.0 ? k->focus : c->focus;
    if (!(focus > 0.0)) focus = distance(k->position, k->target);
    const double all[NUMBERS] = {k->position.x,
                                 k->position.y,
                                 k->position.z,
                                 k->target.x,
                                 k->target.y,
                                 k->target.z,
                                 k->fov > 0.0 ? k->fov : c->fov,
                                 focus};
    memcpy(out, all, sizeof all);
}

static bool is_at_rest(const double *a, const double *b, int count)
{
    bool rest = true;
    for (int n = 0; n < count; ++n)
        rest = rest && a[n] == b[n];
    return rest;
}

// Slopes of position, target, field of view and focus separately: one may be constant while another
// moves.
static void slopes_of(const double before[NUMBERS], const double at[NUMBERS],
                      const double after[NUMBERS], double h0, double h1, double slopes[NUMBERS])
{
    static const int FIRST[] = {POSITION, TARGET, FOV, FOCUS, NUMBERS};
    for (int part = 0; part < 4; ++part) {
        int first = FIRST[part], count = FIRST[part + 1] - first;
        bool rest = is_at_rest(before + first, at + first, count) ||
                    is_at_rest(at + first, after + first, count);
        for (int n = first; n < first + count; ++n)
            slopes[n] =
                rest ? 0.0
                     : (h1 * (at[n] - before[n]) / h0 + h0 * (after[n] - at[n]) / h1) / (h0 + h1);
    }
}

static void slopes_at(const sherd_scene_camera *c, int key, double slopes[NUMBERS])
{
    memset(slopes, 0, NUMBERS * sizeof *slopes);
    if (key == 0 || key + 1 == c->key_count) return;
    double before[NUMBERS], at[NUMBERS], after[NUMBERS];
    numbers_of(c, key - 1, before);
    numbers_of(c, key, at);
    numbers_of(c, key + 1, after);
    slopes_of(before, at, after, c->keys[key].time - c->keys[key - 1].time,
              c->keys[key + 1].time - c->keys[key].time, slopes);
}

// Cubic Hermite interpolation between key k and the next.
static void between(const sherd_scene_camera *c, int k, double time, double out[NUMBERS])
{
    SHERD_ASSERT(k >= 0 && k + 1 < c->key_count, "a camera is between two keys");
    double a[NUMBERS], b[NUMBERS], ma[NUMBERS], mb[NUMBERS];
    numbers_of(c, k, a);
    numbers_of(c, k + 1, b);
    slopes_at(c, k, ma);
    slopes_at(c, k + 1, mb);
    double h = c->keys[k + 1].time - c->keys[k].time, t = (time - c->keys[k].time) / h;
    double u = 1.0 - t;
    for (int n = 0; n < NUMBERS; ++n)
        out[n] = u * u * (1.0 + 2.0 * t) * a[n] + t * t * (1.0 + 2.0 * u) * b[n] +
                 h * t * u * (u * ma[n] - t * mb[n]);
}

// Up is z, or y if the camera looks straight up or down.
static sherd_vec3 up_of(sherd_vec3 position, sherd_vec3 target)
{
    double x = target.x - position.x, y = target.y - position.y, z = target.z - position.z;
    bool vertical = x * x + y * y < 1e-3 * z * z;
    return (sherd_vec3){0.0, vertical ? 1.0 : 0.0, vertical ? 0.0 : 1.0};
}

sherd_camera sherd_camera_keyframes_at(const sherd_scene_camera *c, double time)
{
    sherd_camera out = {.position = c->position,
                        .target = c->target,
                        .vertical_fov = c->fov,
                        .aperture = c->aperture,
                        .focus = c->focus};
    if (c->key_count > 0) {
        double n[NUMBERS];
        int k = 0;
        while (k < c->key_count && c->keys[k].time <= time)
            ++k;
        if (k == 0 || k == c->key_count)
            numbers_of(c, k == 0 ? 0 : k - 1, n);
        else
            between(c, k - 1, time, n);
        out.position = (sherd_vec3){n[POSITION], n[POSITION + 1], n[POSITION + 2]};
        out.target = (sherd_vec3){n[TARGET], n[TARGET + 1], n[TARGET + 2]};
        out.vertical_fov = fmin(fmax(n[FOV], 1e-3), 3.05); // cubics may overshoot
        out.focus = fmax(n[FOCUS], 1e-9);
    }
    out.up = up_of(out.position, out.target);
    return out;
}
