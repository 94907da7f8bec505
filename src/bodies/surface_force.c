#include "bodies/surface_force.h"

#include "base/assertion.h"
#include "base/random.h"
#include "math/vec3.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

// ---------------------------------------------------------------- gusts

static sherd_vec3 random_direction(uint64_t seed, uint64_t mode)
{
    double z = 2.0 * sherd_random_uniform(seed, mode, 0) - 1.0,
           turn = 2.0 * PI * sherd_random_uniform(seed, mode, 1), r = sqrt(1.0 - z * z);
    return vec3(r * cos(turn), r * sin(turn), z);
}

// Wave lengths from one to four sizes of a gust, evenly spread on a logarithmic scale. The mean
// square of cos is 1/2.
static void init_gusts(sherd_surface_force *force)
{
    const sherd_wind *w = &force->wind;
    uint64_t seed = (uint64_t)w->gust_seed;
    for (uint64_t k = 0; k < SHERD_GUST_MODES; ++k) {
        double length = w->gust_size * exp2(2.0 * (double)k / (SHERD_GUST_MODES - 1));
        sherd_vec3 direction = random_direction(seed, 2 * k),
                   other = random_direction(seed, 2 * k + 1);
        sherd_vec3 across = vec3_normalize(vec3_cross(direction, other));
        force->gust[k] = (sherd_gust_mode){vec3_scale(2.0 * PI / length, direction),
                                           vec3_scale(sqrt(2.0 / SHERD_GUST_MODES), across),
                                           2.0 * PI * sherd_random_uniform(seed, 2 * k, 2)};
    }
}

static sherd_vec3 gusts_at(const sherd_surface_force *force, sherd_vec3 at, double time)
{
    sherd_vec3 carried = vec3_add_scaled(at, -time, force->wind.velocity), sum = {0};
    for (int k = 0; k < SHERD_GUST_MODES; ++k) {
        const sherd_gust_mode *mode = &force->gust[k];
        double phase = vec3_dot(mode->wave, carried) + mode->phase;
        sum = vec3_add_scaled(sum, force->wind.gust * cos(phase), mode->amplitude);
    }
    return sum;
}

// ---------------------------------------------------------------- wind

// Rigid rotation in the core; the largest speed is at vortex_radius.
static sherd_vec3 vortex_at(const sherd_wind *w, sherd_vec3 at)
{
    sherd_vec3 axis = vec3_normalize(w->vortex_axis), arm = vec3_sub(at, w->vortex_center);
    sherd_vec3 around = vec3_cross(axis, arm);
    double r = vec3_length(around) / w->vortex_radius;
    return vec3_scale(w->vortex / w->vortex_radius * exp(0.5 * (1.0 - r * r)), around);
}

sherd_vec3 sherd_wind_velocity(const sherd_surface_force *force, sherd_vec3 at, double time,
                               double factor)
{
    const sherd_wind *w = &force->wind;
    sherd_vec3 v = w->velocity;
    if (w->gust > 0.0) v = vec3_add(v, gusts_at(force, at, time));
    if (w->vortex != 0.0) v = vec3_add(v, vortex_at(w, at));
    return vec3_scale(factor, v);
}

static sherd_vec3 wind_on(const sherd_surface_force *force, const sherd_moving_face *m,
                          const sherd_force_moment *at, double *resistance)
{
    const sherd_face *face = m->face;
    double half = 0.5 * force->wind.drag * force->wind.density;
    sherd_vec3 u =
        vec3_sub(sherd_wind_velocity(force, m->position, at->time, at->factor), m->velocity);
    double along = vec3_dot(u, m->normal), area = face->front;
    if (face->shape == SHERD_FACE_PLATE) {
        if (along > 0.0) area = face->back;
        u = vec3_scale(along, m->normal);
    }
    if (face->shape == SHERD_FACE_LINE) u = vec3_add_scaled(u, -along, m->normal);
    double speed = vec3_length(u);
    *resistance = 2.0 * half * area * speed;
    return vec3_scale(half * area * speed, u);
}

// ---------------------------------------------------------------- blast

static sherd_vec3 blast_on(const sherd_surface_force *force, const sherd_moving_face *m,
                           const sherd_force_moment *at)
{
    const sherd_face *face = m->face;
    sherd_vec3 way = vec3_sub(m->position, force->blast.position);
    double distance = vec3_length(way);
    sherd_blast_wave wave = sherd_blast_wave_at(&force->blast_table, force->blast.charge, distance);
    double decay = sherd_blast_wave_decay(&wave, at->time - force->blast.time, at->dt);
    if (!(decay > 0.0) || !(distance > 0.0)) return vec3(0.0, 0.0, 0.0);
    way = vec3_scale(1.0 / distance, way);
    double along = vec3_dot(way, m->normal);
    if (face->shape == SHERD_FACE_PLATE) {
        double area = along < 0.0 ? face->front : face->back;
        double p = decay * sherd_blast_wave_on_face(&wave, fabs(along));
        return vec3_scale(along < 0.0 ? -p * area : p * area, m->normal);
    }
    if (face->shape == SHERD_FACE_LINE) way = vec3_add_scaled(way, -along, m->normal);
    return vec3_scale(decay * wave.peak * face->front, way);
}

// ---------------------------------------------------------------- pressure

static sherd_vec3 pressure_on(const sherd_surface_force *force, const sherd_moving_face *m,
                              double factor)
{
    const sherd_pressure *p = &force->pressure;
    if (m->face->shape != SHERD_FACE_PLATE) return vec3(0.0, 0.0, 0.0);
    double area = m->face->front - m->face->back;
    if (isfinite(p->source.x)) {
        sherd_vec3 to = vec3_sub(p->source, m->position);
        if (vec3_length(to) > p->reach) return vec3(0.0, 0.0, 0.0);
        area = vec3_dot(to, m->normal) > 0.0 ? m->face->front : -m->face->back;
    }
    return vec3_scale(-factor * p->value * area, m->normal);
}

// ---------------------------------------------------------------- all

void sherd_surface_force_init(sherd_surface_force *force, const sherd_driver_def *def)
{
    *force = (sherd_surface_force){
        .drive = def->drive, .wind = def->wind, .blast = def->blast, .pressure = def->pressure};
    if (def->drive == SHERD_DRIVE_WIND) init_gusts(force);
    if (def->drive == SHERD_DRIVE_BLAST) sherd_blast_table_init(&force->blast_table);
}

sherd_vec3 sherd_surface_force_on(const sherd_surface_force *force, const sherd_moving_face *moving,
                                  const sherd_force_moment *moment, double *resistance)
{
    *resistance = 0.0;
    if (force->drive == SHERD_DRIVE_WIND) return wind_on(force, moving, moment, resistance);
    if (force->drive == SHERD_DRIVE_BLAST) return blast_on(force, moving, moment);
    SHERD_ASSERT(force->drive == SHERD_DRIVE_PRESSURE, "the force acts on surfaces");
    return pressure_on(force, moving, moment->factor);
}

static bool faces_charge(const sherd_surface_force *force, const sherd_moving_face *m)
{
    if (m->face->shape != SHERD_FACE_PLATE) return true;
    double along = vec3_dot(vec3_sub(m->position, force->blast.position), m->normal);
    return (along < 0.0 ? m->face->front : m->face->back) > 0.0;
}

double sherd_surface_force_lasts(const sherd_surface_force *force, const sherd_moving_face *moving,
                                 double time)
{
    // An eighth of the time in which the pressure falls to half or to nothing.
    static const double FRACTION = 0.125;
    // Of the time in which a gust's shortest wave passes by.
    static const double GUST_FRACTION = 0.05;
    if (force->drive == SHERD_DRIVE_WIND && force->wind.gust > 0.0) {
        double speed = vec3_length(force->wind.velocity) + vec3_length(moving->velocity);
        return GUST_FRACTION * force->wind.gust_size / fmax(speed, 1e-300);
    }
    if (force->drive != SHERD_DRIVE_BLAST) return INFINITY;
    double distance = vec3_distance(moving->position, force->blast.position);
    sherd_blast_wave wave = sherd_blast_wave_at(&force->blast_table, force->blast.charge, distance);
    double past = time - force->blast.time - wave.arrival;
    if (past >= wave.duration || !faces_charge(force, moving)) return INFINITY;
    double half = FRACTION * wave.duration / fmax(wave.decay, 1.0);
    return past < -half ? -past : half;
}
