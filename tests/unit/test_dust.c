// Dust: flights against their equation of motion, and what a broken bond's grains sum to.
#include "output/dust/dust_grains.h"

#include "base/random.h"
#include "math/vec3.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static const sherd_vec3 GRAVITY = {0.0, 0.0, -9.81};

// dv/dt = g - v / tau in small steps of Runge and Kutta's second order.
static flight integrate(flight f, double time)
{
    enum { STEPS = 20000 };
    double dt = time / STEPS;
    for (int k = 0; k < STEPS; ++k) {
        sherd_vec3 a = vec3_add_scaled(GRAVITY, -1.0 / f.relaxation, f.velocity);
        sherd_vec3 half = vec3_add_scaled(f.velocity, 0.5 * dt, a);
        f.position = vec3_add_scaled(f.position, dt, half);
        f.velocity =
            vec3_add_scaled(f.velocity, dt, vec3_add_scaled(GRAVITY, -1.0 / f.relaxation, half));
    }
    return f;
}

Test(dust, flights_follow_their_equation)
{
    // Air that is thick, thin, and as good as none: where the formulas change their form.
    const double relaxation[] = {0.003, 0.4, 1e3, (double)INFINITY};
    for (int k = 0; k < 4; ++k) {
        flight f = {{0.1, 0.2, 0.3}, {2.0, -1.0, 3.0}, relaxation[k]};
        flight end = integrate(f, 0.5);
        sherd_vec3 x = sherd_flight_place(&f, GRAVITY, 0.5);
        sherd_vec3 v = sherd_flight_velocity(&f, GRAVITY, 0.5);
        // The steps' error: (dt / tau)^2 of 3 m/s at most.
        cr_assert(lt(dbl, vec3_distance(x, end.position), 1e-5));
        cr_assert(lt(dbl, vec3_distance(v, end.velocity), 1e-5));
    }
}

Test(dust, grains_land_on_planes)
{
    const flight_plane floor = {{0.0, 0.0, 0.1}, {0.0, 0.0, 1.0}};
    flight f = {{0.0, 0.0, 0.6}, {1.0, 0.0, 0.0}, (double)INFINITY};
    double landing = sherd_flight_landing(&f, GRAVITY, &floor, 0.01);
    cr_assert(epsilon_eq(dbl, landing, sqrt(2.0 * 0.49 / 9.81), 1e-9));
    f.relaxation = 0.01;
    landing = sherd_flight_landing(&f, GRAVITY, &floor, 0.01);
    cr_assert(epsilon_eq(dbl, sherd_flight_place(&f, GRAVITY, landing).z, 0.11, 1e-9));
    // Without weight it never comes down; below the floor it is beyond it.
    cr_assert(isinf(sherd_flight_landing(&f, vec3(0.0, 0.0, 0.0), &floor, 0.01)));
    f.position.z = -1.0;
    cr_assert(isinf(sherd_flight_landing(&f, GRAVITY, &floor, 0.01)));
}

static double height_at(const flight *f, sherd_vec3 gravity, const flight_plane *plane, double age)
{
    sherd_vec3 x = sherd_flight_place(f, gravity, age);
    return vec3_dot(vec3_sub(x, plane->point), plane->normal) - 0.001;
}

// By halving alone, without an estimate.
static double landing_by_halving(const flight *f, sherd_vec3 gravity, const flight_plane *plane)
{
    double begin = height_at(f, gravity, plane, 0.0), low = 0.0, high = 1e-6;
    if (begin < -0.002) return (double)INFINITY;
    if (begin <= 0.0) return 0.0;
    for (; high < 1e4 && height_at(f, gravity, plane, high) > 0.0; high *= 2.0)
        low = high;
    if (high >= 1e4) return (double)INFINITY;
    for (int k = 0; k < 40; ++k) {
        double middle = 0.5 * (low + high);
        if (height_at(f, gravity, plane, middle) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

// From 0 to 1.
static double draw(int k, int which)
{
    return sherd_random_uniform(7, (uint64_t)which, (uint64_t)k);
}

static sherd_vec3 draw_vector(int k, int which, double size)
{
    return vec3(size * (draw(k, which) - 0.5), size * (draw(k, which + 1) - 0.5),
                size * (draw(k, which + 2) - 0.5));
}

Test(dust, estimated_landings_are_those_of_halving)
{
    int landed = 0;
    for (int k = 0; k < 20000; ++k) {
        double relaxation = k % 5 == 0 ? (double)INFINITY : pow(10.0, 6.0 * draw(k, 0) - 5.0);
        flight f = {draw_vector(k, 1, 2.0), draw_vector(k, 4, pow(10.0, 5.0 * draw(k, 7) - 2.0)),
                    relaxation};
        flight_plane plane = {draw_vector(k, 8, k % 3 == 0 ? 0.0 : 1.0),
                              vec3_normalize(draw_vector(k, 11, 1.0))};
        if (k % 2 == 0) plane.normal = vec3(0.0, 0.0, 1.0);
        if (k % 7 == 0) // close above the plane
            f.position = vec3_add_scaled(plane.point, 0.001 + 1e-6 * draw(k, 14), plane.normal);
        double landing = sherd_flight_landing(&f, GRAVITY, &plane, 0.001);
        cr_assert(landing == landing_by_halving(&f, GRAVITY, &plane), "flight %d: %g", k, landing);
        landed += landing > 0.0 && isfinite(landing);
    }
    cr_assert(landed > 5000, "%d", landed);
}

// --- A run of two elements -------------------------------------------------------------------------

static const char SCENE[] =
    "sherd: 1\nname: two\nduration: 1 ms\noutput: {dust: {amount: 40.5, size: 0.1 mm, energy: 0.1, "
    "drag: 2}}\nmaterials:\n  m: {density: 2500, youngs_modulus: 1 MPa, tensile_strength: 1 kPa, "
    "shear_strength: 1 kPa}\nbodies:\n  - {name: a, shape: {box: [4 mm, 2 mm, 2 mm]}, packing: "
    "{hcp: "
    "{radius: 1 mm}}, material: m}\n";

typedef struct pair {
    sherd_scene *scene;
    double at[6], radius[2], velocity[6];
    sherd_fragment_id fragment[2];
    sherd_body_info body;
    sherd_run_model model;
    sherd_run_frame frame;
    sherd_break event;
} pair;

static pair *make_pair(void)
{
    sherd_diagnostics diagnostics = {0};
    pair *p = calloc(1, sizeof *p);
    p->scene = sherd_scene_parse(SCENE, strlen(SCENE), "two.yaml", NULL, &diagnostics);
    cr_assert(p->scene != NULL, "%s", diagnostics.errors[0].what);
    p->at[1] = 2e-3;
    p->radius[0] = p->radius[1] = 1e-3;
    p->velocity[0] = 3.0;
    p->fragment[0] = 4, p->fragment[1] = 7;
    p->body = (sherd_body_info){.name = "a", .count = 2};
    p->model = (sherd_run_model){
        .element_count = 2, .body_count = 1, .bodies = &p->body, .radius = p->radius};
    p->event = (sherd_break){.bond = 5,
                             .time = 0.01,
                             .place = {1e-3, 0, 0},
                             .energy = 1e-4,
                             .j = 1,
                             .piece_i = -1,
                             .piece_j = -1};
    p->frame = (sherd_run_frame){.x = p->at,
                                 .y = p->at + 2,
                                 .z = p->at + 4,
                                 .vx = p->velocity,
                                 .vy = p->velocity + 2,
                                 .vz = p->velocity + 4,
                                 .element_fragment = p->fragment,
                                 .break_count = 1,
                                 .breaks = &p->event};
    return p;
}

static void free_pair(pair *p)
{
    sherd_scene_destroy(p->scene);
    free(p);
}

Test(dust, grains_of_a_bond_have_the_energy_and_sizes_asked_for)
{
    pair *p = make_pair();
    sherd_error error;
    sherd_dust *dust = sherd_dust_create(p->scene, &p->model, &error);
    cr_assert(dust != NULL);
    cr_assert(eq(int, sherd_dust_take(dust, &p->frame, &error), SHERD_OK));
    sherd_dust_view v;
    cr_assert(eq(int, sherd_dust_at(dust, 0.01, &v, &error), SHERD_OK));
    cr_assert(v.count == 40 || v.count == 41);
    double energy = 0.0;
    int from[2] = {0, 0};
    for (int64_t k = 0; k < v.count; ++k) {
        int side = v.fragment[k] == 7;
        from[side]++;
        cr_assert(v.fragment[k] == (side ? 7 : 4) && v.age[k] == 0.0f && v.body[k] == 0);
        cr_assert(v.radius[k] >= 0.0125e-3 && v.radius[k] <= 0.05e-3);
        double mass = 2500.0 * 4.0 / 3.0 * M_PI * pow(v.radius[k], 3.0);
        cr_assert(epsilon_eq(dbl, (double)v.mass[k], mass, 1e-6 * mass));
        // Within the bond's section, across its direction.
        cr_assert(fabs(v.x[k] - 1e-3) <= 1e-12 && hypot(v.y[k], v.z[k]) <= 1e-3);
        sherd_vec3 u = vec3((double)v.velocity[3 * k] - (side ? 0.0 : 3.0),
                            (double)v.velocity[3 * k + 1], (double)v.velocity[3 * k + 2]);
        energy += 0.5 * mass * vec3_dot(u, u);
        cr_assert(fabs(u.x) <= 0.3 * vec3_length(u)); // along the crack
    }
    cr_assert(epsilon_eq(dbl, energy, 0.1 * 1e-4, 1e-5 * 0.1 * 1e-4)); // velocities are floats
    cr_assert(from[0] > 8 && from[1] > 8);
    sherd_dust_view_free(&v);
    sherd_dust_destroy(dust);
    free_pair(p);
}

Test(dust, a_frame_is_taken_once_and_grains_wait_for_their_break)
{
    pair *p = make_pair();
    sherd_error error;
    sherd_dust_view v[3];
    sherd_dust *dust = sherd_dust_create(p->scene, &p->model, &error);
    for (int k = 0; k < 2; ++k)
        cr_assert(eq(int, sherd_dust_take(dust, &p->frame, &error), SHERD_OK));
    const double time[] = {0.009, 0.01, 0.02};
    for (int k = 0; k < 3; ++k)
        cr_assert(eq(int, sherd_dust_at(dust, time[k], &v[k], &error), SHERD_OK));
    cr_assert(v[0].count == 0 && v[1].count <= 41 && v[1].count == v[2].count);
    for (int64_t k = 0; k < v[2].count; ++k) {
        // tau = 2 rho r^2 / (9 drag mu), from Stokes' 6 pi mu r v.
        double tau = 2.0 * 2500.0 * v[2].radius[k] * v[2].radius[k] / (9.0 * 2.0 * 1.81e-5);
        double wanted = (double)v[1].velocity[3 * k] * exp(-0.01 / tau);
        cr_assert(
            epsilon_eq(dbl, (double)v[2].velocity[3 * k], wanted, 1e-5 * fabs(wanted) + 1e-12));
    }
    for (int k = 0; k < 3; ++k)
        sherd_dust_view_free(&v[k]);
    sherd_dust_destroy(dust);
    free_pair(p);
}

Test(dust, none_unless_it_is_asked_for)
{
    pair *p = make_pair();
    sherd_error error;
    p->scene->output.dust.enabled = false;
    cr_assert(sherd_dust_create(p->scene, &p->model, &error) == NULL && error.status == SHERD_OK);
    cr_assert(sherd_dust_create(NULL, &p->model, &error) == NULL && error.status == SHERD_OK);
    sherd_dust_view v;
    cr_assert(eq(int, sherd_dust_at(NULL, 1.0, &v, &error), SHERD_OK));
    cr_assert(eq(i64, v.count, 0));
    sherd_dust_view_free(&v);
    free_pair(p);
}
