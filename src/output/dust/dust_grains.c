#include "output/dust/dust_grains.h"

#include "base/random.h"
#include "math/vec3.h"

static const double MIN_SIZE = 0.25;         // of the largest
static const double AIR_VISCOSITY = 1.81e-5; // at 20 degrees [Pa s]
static const double ACROSS = 0.3;  // largest component of a direction normal to the crack plane
static const double SLOWEST = 0.3; // relative to the fastest grain of a bond
static const uint64_t STREAM = 0x6475737400; // "dust"
enum { SIDE = 0, DIAMETER, ANGLE, DISTANCE, HEADING, RISE, SPEED, DRAWS };

// The random numbers of one bond.
typedef struct draws {
    uint64_t seed, bond;
} draws;

static double draw(draws d, int grain, int which)
{
    return sherd_random_uniform(d.seed, STREAM + (uint64_t)which, d.bond << 10 | (uint64_t)grain);
}

// Two orthogonal directions in the plane normal to `n`.
static void span(sherd_vec3 n, sherd_vec3 *u, sherd_vec3 *v)
{
    sherd_vec3 other = fabs(n.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    *u = vec3_normalize(vec3_cross(n, other));
    *v = vec3_cross(n, *u);
}

static sherd_vec3 around(sherd_vec3 u, sherd_vec3 v, double turn)
{
    double angle = 2.0 * 3.14159265358979323846 * turn;
    return vec3_add(vec3_scale(cos(angle), u), vec3_scale(sin(angle), v));
}

// Rounds to float. Volatile because gcc 12 omits the rounding of two of three components that it
// vectorizes.
static double rounded(double value)
{
    volatile float stored = (float)value;
    return (double)stored;
}

// Velocity of an element as a 32-bit float, as in run files: dust of a run in progress equals dust
// computed from its file.
static sherd_vec3 velocity_of(const sherd_run_frame *f, sherd_element_index e)
{
    return vec3(rounded(f->vx[e]), rounded(f->vy[e]), rounded(f->vz[e]));
}

// Draws a grain except its ejection speed; `launch.velocity` is the direction of ejection.
static dust_grain draw_grain(const dust_air *air, const sherd_run_model *m,
                             const sherd_run_frame *f, const sherd_break *event, draws d, int k)
{
    sherd_element_index i = event->i, j = event->j;
    sherd_vec3 n =
        vec3_normalize(vec3_sub(vec3(f->x[j], f->y[j], f->z[j]), vec3(f->x[i], f->y[i], f->z[i])));
    if (vec3_dot(n, n) == 0.0) n = vec3(0.0, 0.0, 1.0);
    sherd_vec3 u, v;
    span(n, &u, &v);
    double section = fmin(m->radius[i], m->radius[j]) * sqrt(draw(d, k, DISTANCE));
    double rise = ACROSS * (2.0 * draw(d, k, RISE) - 1.0);
    double radius = 0.5 * air->size[event->body] * pow(MIN_SIZE, draw(d, k, DIAMETER));
    const sherd_scene_body *body = &air->scene->bodies[event->body];
    double density = air->scene->materials[body->material].def.density;
    double drag = air->scene->output.dust.drag;
    double relaxation = drag > 0.0 ? 2.0 * density * radius * radius / (9.0 * drag * AIR_VISCOSITY)
                                   : (double)INFINITY; // Stokes drag 6 pi mu r
    bool first = draw(d, k, SIDE) < 0.5;
    return (dust_grain){
        .launch = {.position =
                       vec3_add_scaled(event->place, section, around(u, v, draw(d, k, ANGLE))),
                   .velocity =
                       vec3_normalize(vec3_add_scaled(around(u, v, draw(d, k, HEADING)), rise, n)),
                   .relaxation = relaxation},
        .time = event->time,
        .radius = radius,
        .mass = density * 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius,
        .fragment = f->element_fragment != NULL ? f->element_fragment[first ? i : j] : 0,
        .body = event->body};
}

static double landing_of(const dust_air *air, const dust_grain *g)
{
    double landing = (double)INFINITY;
    for (int k = 0; k < air->plane_count; ++k)
        landing = fmin(landing,
                       sherd_flight_landing(&g->launch, air->gravity, &air->planes[k], g->radius));
    return landing;
}

int sherd_dust_grains(const dust_air *air, const sherd_run_model *model,
                      const sherd_run_frame *frame, const sherd_break *event,
                      dust_grain grains[DUST_MAX_GRAINS])
{
    const sherd_scene_dust *dust = &air->scene->output.dust;
    if (air->size[event->body] == 0.0 || event->piece_i >= 0) return 0; // glue releases no grains
    draws d = {dust->seed, (uint64_t)event->bond};
    int count = (int)(dust->amount + draw(d, 0, DRAWS));
    if (count > DUST_MAX_GRAINS) count = DUST_MAX_GRAINS;
    double sum = 0.0;
    for (int k = 0; k < count; ++k) {
        grains[k] = draw_grain(air, model, frame, event, d, k);
        double fraction = SLOWEST + (1.0 - SLOWEST) * draw(d, k, SPEED);
        grains[k].launch.velocity = vec3_scale(fraction, grains[k].launch.velocity);
        sum += 0.5 * grains[k].mass * fraction * fraction;
    }
    double speed = sum > 0.0 ? sqrt(dust->energy * fmax(event->energy, 0.0) / sum) : 0.0;
    for (int k = 0; k < count; ++k) {
        bool first = draw(d, k, SIDE) < 0.5;
        flight *launch = &grains[k].launch;
        launch->velocity = vec3_add_scaled(velocity_of(frame, first ? event->i : event->j), speed,
                                           launch->velocity);
        grains[k].landing = landing_of(air, &grains[k]);
    }
    return count;
}
