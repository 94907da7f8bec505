#include "bench/optimizer_beam.h"

#include "bench/benchmarks.h"

#include <math.h>
#include <stdlib.h>

static const double LENGTH = 0.036, WIDTH = 0.0075; // [m]
static const double SPAN = 0.030;                   // between supports [m]
static const double SPEED = 0.05;                   // of the pressing line [m/s]
static const double PI = 3.14159265358979323846;

const char *beam_load_name(beam_load load)
{
    static const char *const NAMES[] = {"twist", "bend", "three-point"};
    return NAMES[load];
}

const char *beam_load_verb(beam_load load)
{
    static const char *const VERBS[] = {"twisted", "bent", "pressed"};
    return VERBS[load];
}

// Lowest and highest coordinate.
typedef struct extent {
    double low, high;
} extent;

static extent extent_of(const double *x, int32_t count)
{
    extent e = {INFINITY, -INFINITY};
    for (int32_t k = 0; k < count; ++k) {
        e.low = fmin(e.low, x[k]);
        e.high = fmax(e.high, x[k]);
    }
    return e;
}

// End faces are held altogether; supports and the pressing line along z only.
static uint8_t *held_of(const sherd_packing *p, beam_load load)
{
    uint8_t *held = calloc((size_t)p->count, 1);
    extent x = extent_of(p->x, p->count), z = extent_of(p->z, p->count);
    for (int32_t k = 0; held != NULL && k < p->count; ++k) {
        double r = p->radius[k];
        bool at_end = p->x[k] < x.low + r || p->x[k] > x.high - r;
        bool on_support = p->z[k] < z.low + r && fabs(fabs(p->x[k]) - 0.5 * SPAN) < r;
        bool pressed = p->z[k] > z.high - r && fabs(p->x[k]) < r;
        if (load != BEAM_THREE_POINT && at_end)
            held[k] = SHERD_HOLD_X | SHERD_HOLD_Y | SHERD_HOLD_Z | SHERD_HOLD_ROTATION;
        if (load == BEAM_THREE_POINT && (on_support || pressed)) held[k] = SHERD_HOLD_Z;
    }
    return held;
}

// Velocities that turn both end faces by half the angle each within one step, about the beam's centre
// line's ends.
static void turn_ends(beam *b, const sherd_packing *p, const uint8_t *held, const beam_case *c)
{
    extent x = extent_of(p->x, p->count);
    for (int32_t k = 0; k < p->count; ++k) {
        if (held[k] == 0) continue;
        double side = p->x[k] < 0.0 ? -1.0 : 1.0, centre = side > 0.0 ? x.high : x.low;
        double a = side * 0.5 * c->angle * PI / 180.0, s = sin(a), u = 1.0 - cos(a);
        double dx = p->x[k] - centre, y = p->y[k], z = p->z[k], dt = b->time_step;
        sherd_vec3 v = {0.0, (-u * y - s * z) / dt, (s * y - u * z) / dt}, w = {a / dt, 0.0, 0.0};
        if (c->load == BEAM_BEND) {
            v = (sherd_vec3){(-u * dx + s * z) / dt, 0.0, (-s * dx - u * z) / dt};
            w = (sherd_vec3){0.0, a / dt, 0.0};
        }
        sherd_optimizer_set_velocity(b->optimizer, k, v, w);
    }
}

static void press(beam *b, const sherd_packing *p, const uint8_t *held)
{
    for (int32_t k = 0; k < p->count; ++k)
        if (held[k] != 0 && p->z[k] > 0.0)
            sherd_optimizer_set_velocity(b->optimizer, k, (sherd_vec3){0.0, 0.0, -SPEED},
                                         (sherd_vec3){0.0, 0.0, 0.0});
}

static sherd_status fill(beam *b, const sherd_packing *p, const uint8_t *held, const beam_case *c,
                         int threads, sherd_error *error)
{
    sherd_optimizer_def def = sherd_optimizer_def_default();
    def.count = p->count;
    def.x = p->x, def.y = p->y, def.z = p->z;
    def.radius = p->radius;
    def.held = held;
    def.material.youngs_modulus = c->youngs_modulus;
    def.material.shear_modulus = 0.4 * c->youngs_modulus;
    if (c->penalty > 0.0) def.penalty = c->penalty;
    def.threads = threads;
    b->optimizer = sherd_optimizer_create(&def, error);
    if (b->optimizer == NULL) return error->status;
    b->count = p->count;
    b->time_step = c->periods * sherd_optimizer_period(b->optimizer);
    if (c->load == BEAM_THREE_POINT)
        press(b, p, held);
    else
        turn_ends(b, p, held, c);
    return SHERD_OK;
}

sherd_status beam_make(beam *b, const beam_case *c, int threads, sherd_error *error)
{
    *b = (beam){0};
    sherd_shape *shape = sherd_shape_box((sherd_vec3){LENGTH, WIDTH, WIDTH}, error);
    sherd_packing *packing = bench_pack(shape, 0.0, threads, error);
    if (packing == NULL) return error->status;
    uint8_t *held = held_of(packing, c->load);
    sherd_status status = SHERD_ERROR_MEMORY;
    if (held != NULL)
        status = fill(b, packing, held, c, threads, error);
    else
        *error = (sherd_error){.status = status, .what = "not enough memory for a beam"};
    free(held);
    sherd_packing_destroy(packing);
    return status;
}

void beam_free(beam *b)
{
    sherd_optimizer_destroy(b->optimizer);
    *b = (beam){0};
}
