#include "output/dust/dust.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "output/dust/dust_grains.h"

#include <stdlib.h>

// ---------------------------------------------------------------- trajectories

typedef struct ways {
    double a, b, decay; // of the three formulas above; exp(-t / tau)
} ways;

static ways ways_of(double relaxation, double age)
{
    double s = age / relaxation; // 0 without air
    double a = s > 0.0 ? -expm1(-s) / s : 1.0;
    // (1 - a) / s cancels for small s.
    double b = s < 1e-3 ? 0.5 - s / 6.0 + s * s / 24.0 : (1.0 - a) / s;
    return (ways){age * a, age * age * b, exp(-s)};
}

sherd_vec3 sherd_flight_place(const flight *f, sherd_vec3 gravity, double age)
{
    ways w = ways_of(f->relaxation, age);
    return vec3_add_scaled(vec3_add_scaled(f->position, w.a, f->velocity), w.b, gravity);
}

sherd_vec3 sherd_flight_velocity(const flight *f, sherd_vec3 gravity, double age)
{
    ways w = ways_of(f->relaxation, age);
    return vec3_add_scaled(vec3_scale(w.decay, f->velocity), w.a, gravity);
}

static double height_at(const flight *f, sherd_vec3 gravity, const flight_plane *plane,
                        double radius, double age)
{
    sherd_vec3 x = sherd_flight_place(f, gravity, age);
    return vec3_dot(vec3_sub(x, plane->point), plane->normal) - radius;
}

// A fall towards a plane, with the time when it ends, known to a margin: before and after it heights
// need not be computed. Without an estimate the margin is infinite.
typedef struct fall {
    const flight *f;
    sherd_vec3 gravity;
    const flight_plane *plane;
    double radius, end, margin;
} fall;

// Newton's method, from the landing without air. Where gravity pulls towards the plane, the speed
// towards it tends to that of a steady fall from one side, so that the height is concave or convex:
// there is one landing, and each step after the first ends on the same side of it.
static void estimate_end(fall *l, double height)
{
    enum { STEPS = 30 };
    static const double NARROW = 1e-10, ROUNDING = 1e-12;
    const flight *f = l->f;
    double v = vec3_dot(f->velocity, l->plane->normal), g = vec3_dot(l->gravity, l->plane->normal);
    l->margin = (double)INFINITY;
    if (!(g < 0.0)) return;
    double age = (v + sqrt(v * v - 2.0 * g * height)) / -g, change = age, speed = 0.0;
    for (int k = 0; k < STEPS && fabs(change) > 1e-2 * NARROW * age; ++k) {
        ways w = ways_of(f->relaxation, age);
        speed = w.decay * v + w.a * g;
        change = (height + w.a * v + w.b * g) / speed;
        age -= change;
    }
    double size = vec3_length(f->position) + vec3_length(l->plane->point) + height,
           margin = NARROW * age + ROUNDING * size / -speed;
    if (!(age > 0.0) || !(speed < 0.0) || !(fabs(change) <= NARROW * age)) return;
    l->end = age, l->margin = margin;
}

// The ball has not reached the plane yet.
static bool falls_at(const fall *l, double age)
{
    if (age < l->end - l->margin) return true;
    if (age > l->end + l->margin) return false;
    return height_at(l->f, l->gravity, l->plane, l->radius, age) > 0.0;
}

double sherd_flight_landing(const flight *f, sherd_vec3 gravity, const flight_plane *plane,
                            double radius)
{
    static const double FIRST = 1e-6, LAST = 1e4; // [s]
    enum { HALVINGS = 40 };
    double begin = height_at(f, gravity, plane, radius, 0.0);
    if (begin < -2.0 * radius) return (double)INFINITY;
    if (begin <= 0.0) return 0.0;
    fall l = {.f = f, .gravity = gravity, .plane = plane, .radius = radius};
    estimate_end(&l, begin);
    double low = 0.0, high = FIRST;
    while (high < LAST && falls_at(&l, high)) {
        low = high;
        high *= 2.0;
    }
    if (high >= LAST) return (double)INFINITY;
    for (int k = 0; k < HALVINGS; ++k) {
        double middle = 0.5 * (low + high);
        if (falls_at(&l, middle))
            low = middle;
        else
            high = middle;
    }
    return high;
}

struct sherd_dust {
    const sherd_run_model *model;
    dust_air air;
    double *size;
    flight_plane *planes;
    int64_t next; // the next frame to process
    int64_t count;
    size_t room;
    dust_grain *grains;
};

static const double USUAL_SIZE = 0.25; // fraction of the mean radius of a body's elements

// Fibres make no dust, and bodies of material points have no bonds.
static void find_sizes(sherd_dust *dust)
{
    const sherd_scene *scene = dust->air.scene;
    const sherd_run_model *m = dust->model;
    for (int b = 0; b < m->body_count; ++b) {
        const sherd_body_info *body = &m->bodies[b];
        double mean = 0.0;
        for (sherd_element_index e = body->first; e < body->first + body->count; ++e)
            mean += m->radius[e] / body->count;
        double given = scene->output.dust.size;
        if (!scene->bodies[b].is_yarn) dust->size[b] = given > 0.0 ? given : USUAL_SIZE * mean;
    }
}

// Grains stop at planes that do not move; moving planes are ignored.
int sherd_flight_planes(const sherd_scene *scene, flight_plane *planes)
{
    int count = 0;
    for (int k = 0; k < scene->obstacle_count; ++k) {
        const sherd_obstacle_def *o = &scene->obstacles[k].def;
        const sherd_motion *m = &o->motion;
        bool rests = m->key_count == 0 && vec3_length(m->velocity) == 0.0 &&
                     vec3_length(m->angular_velocity) == 0.0;
        if (!o->is_plane || !rests) continue;
        planes[count++] =
            (flight_plane){o->pose.position, quat_rotate(o->pose.rotation, vec3(0.0, 0.0, 1.0))};
    }
    return count;
}

sherd_dust *sherd_dust_create(const sherd_scene *scene, const sherd_run_model *model,
                              sherd_error *error)
{
    if (error != NULL) *error = (sherd_error){.status = SHERD_OK};
    if (scene == NULL || !scene->output.dust.enabled) return NULL;
    sherd_dust *dust = sherd_alloc(1, sizeof *dust);
    if (dust != NULL) {
        dust->size = sherd_alloc((size_t)model->body_count, sizeof *dust->size);
        dust->planes = sherd_alloc((size_t)scene->obstacle_count, sizeof *dust->planes);
    }
    if (dust == NULL || dust->size == NULL || dust->planes == NULL) {
        sherd_dust_destroy(dust);
        sherd_fail_memory(error, "dust");
        return NULL;
    }
    dust->model = model;
    dust->air = (dust_air){.scene = scene,
                           .size = dust->size,
                           .gravity = scene->world.gravity,
                           .planes = dust->planes};
    find_sizes(dust);
    dust->air.plane_count = sherd_flight_planes(scene, dust->planes);
    return dust;
}

void sherd_dust_destroy(sherd_dust *dust)
{
    if (dust == NULL) return;
    sherd_free(dust->size);
    sherd_free(dust->planes);
    free(dust->grains);
    sherd_free(dust);
}

// Without zeroing or copying: there may be millions.
static bool make_room_for(sherd_dust *dust, size_t count)
{
    if (count <= dust->room) return true;
    size_t room = count > 2 * dust->room ? count : 2 * dust->room;
    dust_grain *grains = realloc(dust->grains, room * sizeof *grains);
    if (grains == NULL) return false;
    dust->grains = grains;
    dust->room = room;
    return true;
}

sherd_status sherd_dust_take(sherd_dust *dust, const sherd_run_frame *frame, sherd_error *error)
{
    if (dust == NULL || frame->index < dust->next) return SHERD_OK;
    for (int64_t k = 0; k < frame->break_count; ++k) {
        if (!make_room_for(dust, (size_t)dust->count + DUST_MAX_GRAINS))
            return sherd_fail_memory(error, "dust");
        dust->count += sherd_dust_grains(&dust->air, dust->model, frame, &frame->breaks[k],
                                         dust->grains + dust->count);
    }
    SHERD_ASSERT((size_t)dust->count <= dust->room, "grains fit their list");
    dust->next = frame->index + 1;
    return SHERD_OK;
}

sherd_status sherd_dust_catch_up(sherd_dust *dust, sherd_run *run, int64_t frame,
                                 sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int64_t k = dust != NULL ? dust->next : frame; k < frame && status == SHERD_OK; ++k) {
        sherd_error problem = {0};
        sherd_run_frame *before = sherd_run_read_frame(run, k, &problem);
        if (before != NULL)
            status = sherd_dust_take(dust, before, error);
        else if (problem.status != SHERD_ERROR_INPUT) { // input error: the frame is damaged
            status = problem.status;
            if (error != NULL) *error = problem;
        }
        sherd_run_frame_destroy(before);
    }
    return status;
}

// ---------------------------------------------------------------- what there is at a time

static bool make_room(sherd_dust_view *view, size_t n)
{
    *view = (sherd_dust_view){.x = sherd_alloc(n, sizeof *view->x),
                              .y = sherd_alloc(n, sizeof *view->y),
                              .z = sherd_alloc(n, sizeof *view->z),
                              .radius = sherd_alloc(n, sizeof *view->radius),
                              .velocity = sherd_alloc(3 * n, sizeof *view->velocity),
                              .age = sherd_alloc(n, sizeof *view->age),
                              .mass = sherd_alloc(n, sizeof *view->mass),
                              .fragment = sherd_alloc(n, sizeof *view->fragment),
                              .body = sherd_alloc(n, sizeof *view->body)};
    return view->x != NULL && view->y != NULL && view->z != NULL && view->radius != NULL &&
           view->velocity != NULL && view->age != NULL && view->mass != NULL &&
           view->fragment != NULL && view->body != NULL;
}

const dust_grain *sherd_dust_list(const sherd_dust *dust, int64_t *count)
{
    *count = dust != NULL ? dust->count : 0;
    return dust != NULL ? dust->grains : NULL;
}

sherd_vec3 sherd_dust_position(const sherd_dust *dust, const dust_grain *g, double time)
{
    double age = fmin(fmax(time - g->time, 0.0), g->landing);
    return sherd_flight_place(&g->launch, dust->air.gravity, age);
}

static void show_grain(const sherd_dust *dust, const dust_grain *g, double time,
                       sherd_dust_view *view)
{
    SHERD_ASSERT(view->count < dust->count, "a view has room for every grain");
    int64_t k = view->count++;
    double age = time - g->time;
    SHERD_ASSERT(age >= 0.0, "grains are shown once their bond is broken");
    sherd_vec3 x = sherd_dust_position(dust, g, time), v = {0.0, 0.0, 0.0};
    if (age < g->landing) v = sherd_flight_velocity(&g->launch, dust->air.gravity, age);
    view->x[k] = x.x, view->y[k] = x.y, view->z[k] = x.z;
    view->velocity[3 * k] = (float)v.x;
    view->velocity[3 * k + 1] = (float)v.y;
    view->velocity[3 * k + 2] = (float)v.z;
    view->radius[k] = g->radius;
    view->age[k] = (float)age;
    view->mass[k] = (float)g->mass;
    view->fragment[k] = g->fragment;
    view->body[k] = g->body;
}

sherd_status sherd_dust_at(const sherd_dust *dust, double time, sherd_dust_view *view,
                           sherd_error *error)
{
    int64_t all = dust != NULL ? dust->count : 0;
    if (!make_room(view, (size_t)all)) return sherd_fail_memory(error, "dust");
    for (int64_t k = 0; k < all; ++k)
        if (dust->grains[k].time <= time) show_grain(dust, &dust->grains[k], time, view);
    return SHERD_OK;
}

void sherd_dust_view_free(sherd_dust_view *view)
{
    sherd_free(view->x);
    sherd_free(view->y);
    sherd_free(view->z);
    sherd_free(view->radius);
    sherd_free(view->velocity);
    sherd_free(view->age);
    sherd_free(view->mass);
    sherd_free(view->fragment);
    sherd_free(view->body);
    *view = (sherd_dust_view){0};
}
