#include "bodies/driver_surface.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "bodies/blast_shelter.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- storage

static sherd_status allocate(sherd_driver *driver, sherd_error *error)
{
    sherd_driver_surface *s = sherd_alloc(1, sizeof *s);
    driver->surface = s;
    if (s == NULL) return sherd_fail_memory(error, "driver");
    s->broken = -1;
    s->lasts = INFINITY;
    s->pushed = sherd_alloc((size_t)driver->count, sizeof *s->pushed);
    s->scale = sherd_alloc((size_t)driver->count, sizeof *s->scale);
    s->outer = sherd_alloc((size_t)driver->count, sizeof *s->outer);
    if (driver->drive == SHERD_DRIVE_BLAST) {
        s->cells = sherd_alloc(SHERD_SHELTER_CELLS, sizeof *s->cells);
        if (s->cells == NULL) return sherd_fail_memory(error, "driver");
    }
    bool fits = s->pushed != NULL && s->scale != NULL && s->outer != NULL;
    return fits ? SHERD_OK : sherd_fail_memory(error, "driver");
}

sherd_status sherd_driver_surface_init(sherd_driver *driver, const sherd_driver_def *def,
                                       sherd_error *error)
{
    if (!sherd_drive_is_on_surface(def->drive)) return SHERD_OK;
    sherd_status status = allocate(driver, error);
    if (status == SHERD_OK) sherd_surface_force_init(&driver->surface->force, def);
    return status;
}

sherd_status sherd_driver_surface_copy(sherd_driver *to, const sherd_driver *from,
                                       sherd_error *error)
{
    to->surface = NULL;
    if (from->surface == NULL) return SHERD_OK;
    sherd_status status = allocate(to, error);
    if (status != SHERD_OK) return status;
    to->surface->force = from->surface->force;
    memcpy(to->surface->scale, from->surface->scale, (size_t)from->count * sizeof(double));
    memcpy(to->surface->outer, from->surface->outer, (size_t)from->count);
    return SHERD_OK;
}

void sherd_driver_surface_free(sherd_driver *driver)
{
    sherd_driver_surface *s = driver->surface;
    if (s == NULL) return;
    sherd_free(s->exposed);
    sherd_free(s->face);
    sherd_free(s->moving);
    sherd_free(s->radius);
    sherd_free(s->hidden);
    sherd_free(s->cells);
    sherd_free(s->pushed);
    sherd_free(s->scale);
    sherd_free(s->outer);
    sherd_free(s);
    driver->surface = NULL;
}

static bool reserve(sherd_driver_surface *s, size_t count)
{
    if (count <= s->face_capacity) return true;
    struct {
        void **array;
        size_t size;
    } columns[] = {{(void **)&s->exposed, sizeof *s->exposed},
                   {(void **)&s->face, sizeof *s->face},
                   {(void **)&s->moving, sizeof *s->moving},
                   {(void **)&s->radius, sizeof *s->radius},
                   {(void **)&s->hidden, sizeof *s->hidden}};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; ++c) {
        size_t capacity = s->face_capacity;
        if (!sherd_grow(columns[c].array, &capacity, count, columns[c].size)) return false;
    }
    s->face_capacity = count;
    return true;
}

sherd_status sherd_driver_surface_expose(sherd_driver *driver, const sherd_face *faces,
                                         int64_t broken, sherd_error *error)
{
    sherd_driver_surface *s = driver->surface;
    size_t count = 0;
    for (sherd_element_index at = 0; at < driver->count; ++at)
        count += faces[at].shape != SHERD_FACE_NONE;
    if (!reserve(s, count)) return sherd_fail_memory(error, "faces");
    s->face_count = 0;
    for (sherd_element_index at = 0; at < driver->count; ++at) {
        if (faces[at].shape == SHERD_FACE_NONE) continue;
        s->exposed[s->face_count] = at;
        s->face[s->face_count++] = faces[at];
    }
    s->broken = broken;
    return SHERD_OK;
}

// ---------------------------------------------------------------- evaluation

// True while the blast's front or what follows it may be at a face, within dt from `time` on.
static bool blast_is_near(const sherd_driver_surface *s, double time, double dt)
{
    const sherd_blast *blast = &s->force.blast;
    if (s->cells == NULL || time + dt < blast->time) return false;
    double farthest = 0.0;
    for (size_t f = 0; f < s->face_count; ++f)
        farthest = fmax(farthest, vec3_distance(s->moving[f].position, blast->position));
    sherd_blast_wave wave = sherd_blast_wave_at(&s->force.blast_table, blast->charge, farthest);
    return time < blast->time + wave.arrival + wave.duration;
}

// Where faces are now, and which of them are sheltered.
static void find_places(sherd_driver *driver, const sherd_points *points, double time, double dt)
{
    sherd_driver_surface *s = driver->surface;
    for (size_t f = 0; f < s->face_count; ++f) {
        sherd_element_index k = driver->element[s->exposed[f]];
        s->moving[f] = (sherd_moving_face){
            &s->face[f], sherd_point_position(points, k), sherd_point_velocity(points, k),
            quat_rotate(sherd_point_orientation(points, k), s->face[f].normal)};
        s->radius[f] = sherd_point_radius(points, k);
        s->hidden[f] = 0;
    }
    if (blast_is_near(s, time, dt))
        sherd_find_sheltered(s->force.blast.position, s->moving, s->radius, s->face_count, s->cells,
                             s->hidden);
}

static sherd_vec3 force_on(const sherd_driver_surface *s, size_t f,
                           const sherd_force_moment *moment, double *resistance)
{
    *resistance = 0.0;
    if (s->hidden[f]) return vec3(0.0, 0.0, 0.0);
    return sherd_surface_force_on(&s->force, &s->moving[f], moment, resistance);
}

sherd_load sherd_driver_surface_load(const sherd_driver *driver, const sherd_points *points)
{
    const sherd_driver_surface *s = driver->surface;
    sherd_vec3 center = sherd_driver_center(driver, points);
    sherd_load sum = {0};
    for (size_t f = 0; f < s->face_count; ++f) {
        sherd_element_index at = s->exposed[f];
        sherd_vec3 arm = vec3_sub(sherd_point_position(points, driver->element[at]), center);
        sum.force = vec3_add(sum.force, s->pushed[at]);
        sum.torque = vec3_add(sum.torque, vec3_cross(arm, s->pushed[at]));
    }
    return sum;
}

double sherd_driver_surface_push(sherd_driver *driver, sherd_points *points, double time, double dt)
{
    sherd_driver_surface *s = driver->surface;
    sherd_force_moment moment = {time, 0.0, sherd_driver_factor(driver, time)};
    double work = 0.0, resistance;
    find_places(driver, points, time, 0.0);
    for (size_t f = 0; f < s->face_count; ++f) {
        sherd_vec3 force = force_on(s, f, &moment, &resistance);
        sherd_element_index at = s->exposed[f], k = driver->element[at];
        sherd_point_add_load(points, k, force, vec3(0.0, 0.0, 0.0));
        work += 0.5 * dt * vec3_dot(vec3_add(s->pushed[at], force), s->moving[f].velocity);
        s->pushed[at] = force;
    }
    return work;
}

void sherd_driver_surface_sample(sherd_driver *driver, const sherd_points *points, double time)
{
    // Of the time in which the air would carry a face along.
    static const double FRACTION = 0.5;
    sherd_driver_surface *s = driver->surface;
    sherd_force_moment moment = {time, 0.0, sherd_driver_factor(driver, time)};
    s->lasts = INFINITY;
    find_places(driver, points, time, INFINITY);
    for (size_t f = 0; f < s->face_count; ++f) {
        double resistance, mass = sherd_point_mass(points, driver->element[s->exposed[f]]);
        force_on(s, f, &moment, &resistance);
        if (resistance > 0.0) s->lasts = fmin(s->lasts, FRACTION * mass / resistance);
        s->lasts = fmin(s->lasts, sherd_surface_force_lasts(&s->force, &s->moving[f], time));
    }
}

// Over a step from `time` on, on faces as they were sampled.
static sherd_vec3 mean_force(const sherd_driver *driver, size_t f, double time, double dt)
{
    const sherd_driver_surface *s = driver->surface;
    sherd_force_moment moment = {time, dt, sherd_driver_mean_factor(driver, time, time + dt)};
    double resistance;
    return force_on(s, f, &moment, &resistance);
}

void sherd_driver_surface_accelerate(const sherd_driver *driver, const sherd_points *points,
                                     const sherd_driver_means *means, double *const acceleration[3])
{
    const sherd_driver_surface *s = driver->surface;
    for (size_t f = 0; f < s->face_count; ++f) {
        sherd_element_index k = driver->element[s->exposed[f]];
        sherd_vec3 force = mean_force(driver, f, means->time, means->dt);
        sherd_vec3 a = vec3_scale(means->weight / sherd_point_mass(points, k), force);
        acceleration[0][k] += a.x, acceleration[1][k] += a.y, acceleration[2][k] += a.z;
    }
}

double sherd_driver_surface_finish(sherd_driver *driver, const sherd_points *points, double time,
                                   double dt)
{
    sherd_driver_surface *s = driver->surface;
    double work = 0.0;
    for (size_t f = 0; f < s->face_count; ++f) {
        sherd_element_index at = s->exposed[f];
        sherd_vec3 x = sherd_point_position(points, driver->element[at]);
        s->pushed[at] = mean_force(driver, f, time - dt, dt);
        work += vec3_dot(s->pushed[at], vec3_sub(x, s->moving[f].position));
    }
    return work;
}
