// Crumbs: their shapes, the law of their sizes, and what those of an element sum to.
#include "output/debris/debris.h"

#include "math/quat.h"
#include "math/vec3.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

// --- Shapes ----------------------------------------------------------------------------------------

static int count_edges(const debris_shape *s, int a, int b)
{
    int count = 0;
    for (int t = 0; t < s->triangle_count; ++t)
        for (int c = 0; c < 3; ++c)
            count += s->triangle[t][c] == a && s->triangle[t][(c + 1) % 3] == b;
    return count;
}

static void check_shape(const debris_shape *s)
{
    double volume = 0.0;
    sherd_vec3 moment = vec3(0.0, 0.0, 0.0);
    cr_assert(eq(int, s->triangle_count, 2 * s->vertex_count - 4)); // Euler: closed, of one part
    int outer = 0;
    for (int t = 0; t < s->triangle_count; ++t) {
        sherd_vec3 a = s->vertex[s->triangle[t][0]], b = s->vertex[s->triangle[t][1]],
                   c = s->vertex[s->triangle[t][2]];
        for (int k = 0; k < 3; ++k) // each edge once in each direction
            cr_assert(eq(int, count_edges(s, s->triangle[t][(k + 1) % 3], s->triangle[t][k]), 1));
        sherd_vec3 n = vec3_normalize(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
        for (int v = 0; v < s->vertex_count; ++v) // convex, outward; points at the cap's rounding
            cr_assert(lt(dbl, vec3_dot(n, vec3_sub(s->vertex[v], a)), 1e-8));
        double sixth = vec3_dot(a, vec3_cross(b, c)) / 6.0;
        volume += sixth;
        moment = vec3_add_scaled(moment, 0.25 * sixth, vec3_add(a, vec3_add(b, c)));
        outer += s->outer[t];
    }
    cr_assert(outer >= 1 && outer < s->triangle_count);
    for (int v = 0; v < s->vertex_count; ++v) // as far as debris.c looks for planes
        cr_assert(lt(dbl, vec3_length(s->vertex[v]), 5.0));
    // Sums of 20 terms of size 1.
    cr_assert(epsilon_eq(dbl, volume, 4.0 / 3.0 * M_PI, 1e-13));
    cr_assert(lt(dbl, vec3_length(moment), 1e-13));
}

Test(debris, shapes_are_closed_and_convex_with_the_volume_of_the_unit_ball)
{
    for (int form = 0; form < DEBRIS_FORM_COUNT; ++form)
        for (int k = 0; k < DEBRIS_SHAPES; ++k) {
            debris_shape shape, again;
            sherd_debris_shape_make((debris_form)form, k, &shape);
            sherd_debris_shape_make((debris_form)form, k, &again);
            check_shape(&shape);
            cr_assert(memcmp(&shape, &again, sizeof shape) == 0);
        }
}

// --- Sizes -----------------------------------------------------------------------------------------

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Slope of ln N(>rho) over ln rho by least squares, over ratios from 1 to 4 (beyond there are few).
static double regress(double *ratio, int count)
{
    qsort(ratio, (size_t)count, sizeof *ratio, compare);
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < count && ratio[k] < 4.0; k += 50) {
        double u = log(ratio[k]), v = log((double)(count - k));
        n += 1.0, x += u, y += v, xx += u * u, xy += u * v;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

Test(debris, sizes_follow_the_power_law_and_fill_the_element)
{
    enum { ELEMENTS = 20000 };
    const double exponent[] = {1.8, 2.5, 3.2};
    double *ratio = malloc((size_t)ELEMENTS * DEBRIS_MOST_CRUMBS * sizeof *ratio);
    for (int d = 0; d < 3; ++d) {
        int count = 0, upto[3] = {0};
        double sum = 0.0;
        for (int e = 0; e < ELEMENTS; ++e) {
            double r[DEBRIS_MOST_CRUMBS], cubes = 0.0;
            int n = sherd_debris_sizes(exponent[d], DEBRIS_MOST_CRUMBS, 3, e, r);
            cr_assert(n >= 1 && n <= DEBRIS_MOST_CRUMBS);
            for (int k = 0; k < n; ++k)
                cubes += r[k] * r[k] * r[k];
            cr_assert(epsilon_eq(dbl, cubes, 1.0, 1e-14)); // rounding of 20 terms
            for (int k = 0; k + 1 < n; ++k) {
                cr_assert(r[k] >= r[k + 1]);
                ratio[count++] = r[k] / r[n - 1];
                sum += log(r[k] / r[n - 1]);
            }
            for (int k = 0; k < 3; ++k)
                upto[k] += n <= (k == 0 ? 1 : k == 1 ? 4 : 9);
        }
        // The largest likelihood's exponent has a relative deviation of 1 / sqrt(count): 0.3 %. Four.
        cr_assert(epsilon_eq(dbl, count / sum, exponent[d], 0.012 * exponent[d]));
        // That of the regression, whose points depend on each other, is 2 to 3 times as large.
        cr_assert(epsilon_eq(dbl, -regress(ratio, count), exponent[d], 0.03 * exponent[d]));
        // ln n is uniform: n + 1 up to m + 1 in ln(m + 1) / ln 21 of them; deviation 0.35 % at most.
        const double wanted[] = {log(2.0), log(5.0), log(10.0)};
        for (int k = 0; k < 3; ++k)
            cr_assert(epsilon_eq(dbl, upto[k] / (double)ELEMENTS, wanted[k] / log(21.0), 0.014));
    }
    free(ratio);
}

// --- An element that comes off ---------------------------------------------------------------------

// Two elements, 1 mm in radius. The first comes off.
static const char SCENE[] =
    "sherd: 1\nname: two\nduration: 1 ms\n"
    "materials:\n  m: {density: 2500, youngs_modulus: 1 GPa, tensile_strength: 1 MPa, "
    "shear_strength: 1 MPa}\nbodies:\n  - {name: a, shape: {box: [4 mm, 2 mm, 2 mm]}, packing: "
    "{hcp: {radius: 1 mm}}, material: m}\n"
    "obstacles:\n  - {name: floor, plane: {point: [0, 0, -5 m], normal: [0, 0, 1]}}\n";

enum { MOST = 140000 };
typedef struct run {
    sherd_scene *scene;
    int count; // of elements, bonded in pairs
    double *rest[3], *place[3], *turn[4], *velocity[3], *radius, *mass;
    sherd_fragment_id *fragment;
    sherd_element_index *bond[2];
    uint8_t *broken;
    sherd_body_info body;
    sherd_run_model model;
    sherd_run_frame frame;
} run;

static double *numbers(int count, double value)
{
    double *made = malloc((size_t)count * sizeof *made);
    for (int k = 0; k < count; ++k)
        made[k] = value;
    return made;
}

static void allocate(run *r, int count)
{
    for (int c = 0; c < 3; ++c) {
        r->rest[c] = numbers(count, 0.0);
        r->place[c] = numbers(count, 0.0);
        r->velocity[c] = numbers(count, 0.0);
    }
    for (int c = 0; c < 4; ++c)
        r->turn[c] = numbers(count, c == 3 ? 1.0 : 0.0);
    r->radius = numbers(count, 1e-3);
    r->mass = numbers(count, 1.25e-5);
    r->fragment = malloc((size_t)count * sizeof *r->fragment);
    r->bond[0] = malloc((size_t)count * sizeof *r->bond[0]);
    r->bond[1] = malloc((size_t)count * sizeof *r->bond[1]);
    r->broken = calloc((size_t)count, 1);
    for (int k = 0; k < count; ++k) {
        r->rest[0][k] = r->place[0][k] = 2e-3 * (k % 2);
        r->fragment[k] = 1 + k / 2;
        r->bond[k % 2][k / 2] = k;
    }
}

static run *make_run(const char *settings, int count)
{
    sherd_diagnostics diagnostics = {0};
    run *r = calloc(1, sizeof *r);
    // 40 pairs fill three quarters of the box.
    const char *overrides[] = {"bodies.a.shape.box=[12 mm, 6 mm, 6 mm]", settings};
    const sherd_scene_options options = {.override_count = 1 + (settings != NULL),
                                         .overrides = overrides};
    r->scene = sherd_scene_parse(SCENE, strlen(SCENE), "two.yaml", &options, &diagnostics);
    cr_assert(r->scene != NULL, "%s", diagnostics.errors[0].what);
    r->count = count;
    allocate(r, count);
    r->body = (sherd_body_info){.name = "a", .count = count};
    r->model = (sherd_run_model){.element_count = count,
                                 .rest_x = r->rest[0],
                                 .rest_y = r->rest[1],
                                 .rest_z = r->rest[2],
                                 .radius = r->radius,
                                 .mass = r->mass,
                                 .bond_count = count / 2,
                                 .bond_i = r->bond[0],
                                 .bond_j = r->bond[1],
                                 .body_count = 1,
                                 .bodies = &r->body};
    r->frame = (sherd_run_frame){.x = r->place[0],
                                 .y = r->place[1],
                                 .z = r->place[2],
                                 .qx = r->turn[0],
                                 .qy = r->turn[1],
                                 .qz = r->turn[2],
                                 .qw = r->turn[3],
                                 .vx = r->velocity[0],
                                 .vy = r->velocity[1],
                                 .vz = r->velocity[2],
                                 .element_fragment = r->fragment,
                                 .bond_broken = r->broken};
    return r;
}

static void free_run(run *r)
{
    for (int c = 0; c < 3; ++c) {
        free(r->rest[c]);
        free(r->place[c]);
        free(r->velocity[c]);
    }
    for (int c = 0; c < 4; ++c)
        free(r->turn[c]);
    free(r->radius);
    free(r->mass);
    free(r->fragment);
    free(r->bond[0]);
    free(r->bond[1]);
    free(r->broken);
    sherd_scene_destroy(r->scene);
    free(r);
}

static void break_pairs(run *r)
{
    for (int k = 0; k < r->count; ++k) {
        r->broken[k / 2] = 1;
        r->fragment[k] = 1 + k;
    }
}

// To a time: elements fly by v t, and turn at (30, 50, 40) rad/s. Orientations are floats, as in
// files.
static void move(run *r, int64_t index, double time, sherd_vec3 v)
{
    sherd_quat q = quat_from_rotation_vector(vec3(30.0 * time, 50.0 * time, 40.0 * time));
    const double turn[4] = {q.x, q.y, q.z, q.w}, velocity[3] = {v.x, v.y, v.z};
    for (int k = 0; k < r->count; ++k) {
        for (int c = 0; c < 3; ++c) {
            r->velocity[c][k] = k % 2 == 0 ? velocity[c] : 0.0;
            r->place[c][k] = r->rest[c][k] + r->velocity[c][k] * time;
        }
        for (int c = 0; c < 4; ++c)
            r->turn[c][k] = k % 2 == 0 ? (double)(float)turn[c] : c == 3;
    }
    r->frame.index = index;
    r->frame.time = time;
}

static const double STEP = 2e-3; // [s]

// Momenta of an element's crumbs against the element's, between the frame and the one before.
static void check_momenta(const run *r, const sherd_debris *debris, const debris_element *e,
                          sherd_quat before)
{
    debris_pose poses[DEBRIS_MOST_CRUMBS];
    sherd_debris_poses(debris, e, &r->frame, poses);
    const debris_crumb *crumbs = sherd_debris_crumbs(debris, e);
    int k = e->element;
    double m = r->mass[k], mass = 0.0;
    sherd_vec3 x = vec3(r->place[0][k], r->place[1][k], r->place[2][k]),
               v = vec3(r->velocity[0][k], r->velocity[1][k], r->velocity[2][k]),
               centre = vec3(0.0, 0.0, 0.0), momentum = centre, angular = centre, tumbling = centre;
    for (int c = 0; c < e->count; ++c) {
        double own = m * pow(crumbs[c].radius / e->radius, 3.0);
        sherd_vec3 arm = vec3_sub(poses[c].pose.position, x);
        mass += own;
        tumbling = vec3_add_scaled(tumbling, own * pow(crumbs[c].radius / e->radius, 2.0),
                                   crumbs[c].tumble);
        centre = vec3_add_scaled(centre, own, arm);
        momentum = vec3_add_scaled(momentum, own, poses[c].velocity);
        angular = vec3_add_scaled(angular, own, vec3_cross(arm, vec3_sub(poses[c].velocity, v)));
        angular =
            vec3_add_scaled(angular, 0.4 * own * crumbs[c].radius * crumbs[c].radius, e->spin);
    }
    sherd_quat now =
        quat_normalize(quat(r->turn[0][k], r->turn[1][k], r->turn[2][k], r->turn[3][k]));
    sherd_vec3 w = vec3_scale(1.0 / STEP, quat_to_rotation_vector(quat_normalize(quat_multiply(
                                              now, quat_conjugate(quat_normalize(before))))));
    sherd_vec3 wanted = vec3_scale(0.4 * m * 1e-6, w);
    // All rounding: of sums of 20 terms, and of positions of up to 0.1 m in arms of 1 mm.
    cr_assert(epsilon_eq(dbl, mass, m, 1e-14 * m));
    cr_assert(lt(dbl, vec3_length(centre), 1e-13 * m));
    cr_assert(lt(dbl, vec3_length(tumbling), 1e-14 * m)); // turns of a few radians
    cr_assert(lt(dbl, vec3_length(vec3_sub(momentum, vec3_scale(m, v))), 1e-13 * m));
    cr_assert(lt(dbl, vec3_length(vec3_sub(angular, wanted)), 1e-11 * vec3_length(wanted)));
}

Test(debris, crumbs_have_the_mass_and_the_momenta_of_their_element)
{
    enum { PAIRS = 60, FRAMES = 8 };
    run *r = make_run(NULL, 2 * PAIRS);
    sherd_error error;
    sherd_debris *debris = sherd_debris_create(r->scene, &r->model, &error);
    cr_assert(debris != NULL);
    cr_assert(eq(int, sherd_debris_take(debris, &r->frame, &error), SHERD_OK));
    break_pairs(r);
    int most = 0;
    for (int64_t f = 1; f <= FRAMES; ++f) {
        sherd_quat before = quat(r->turn[0][0], r->turn[1][0], r->turn[2][0], r->turn[3][0]);
        move(r, f, STEP * (double)f, vec3(-2.0, 1.0, 3.0));
        cr_assert(eq(int, sherd_debris_take(debris, &r->frame, &error), SHERD_OK));
        int64_t count;
        const debris_element *elements = sherd_debris_elements(debris, &count);
        cr_assert(eq(i64, count, 2 * PAIRS));
        for (int64_t k = 0; k < count; ++k) {
            most = elements[k].count > most ? elements[k].count : most;
            cr_assert(eq(i64, elements[k].frame, 1));
            if (elements[k].element % 2 == 0) check_momenta(r, debris, &elements[k], before);
        }
    }
    cr_assert(most > 12);
    sherd_debris_destroy(debris);
    free_run(r);
}

Test(debris, elements_are_replaced_once_they_have_left)
{
    run *r = make_run(NULL, 2);
    sherd_error error;
    sherd_debris *debris = sherd_debris_create(r->scene, &r->model, &error);
    cr_assert(eq(int, sherd_debris_take(debris, &r->frame, &error), SHERD_OK));
    cr_assert(not(sherd_debris_replaces(debris, 0))); // bonded
    break_pairs(r);
    r->frame.index = 1, r->frame.time = STEP;
    r->place[0][0] = -0.5e-3; // a gap of 25 %
    cr_assert(eq(int, sherd_debris_take(debris, &r->frame, &error), SHERD_OK));
    cr_assert(not(sherd_debris_replaces(debris, 0)));
    r->frame.index = 2, r->frame.time = 2.0 * STEP;
    r->place[0][0] = -0.7e-3; // 35 %
    cr_assert(eq(int, sherd_debris_take(debris, &r->frame, &error), SHERD_OK));
    cr_assert(sherd_debris_replaces(debris, 0) && sherd_debris_find(debris, 0)->frame == 2);
    r->frame.index = 3, r->frame.time = 3.0 * STEP;
    r->place[0][0] = 0.0; // back again: it is broken all the same
    cr_assert(eq(int, sherd_debris_take(debris, &r->frame, &error), SHERD_OK));
    cr_assert(sherd_debris_replaces(debris, 0));
    sherd_debris_destroy(debris);
    free_run(r);
}

Test(debris, fragments_of_damaged_frames_are_refused)
{
    run *r = make_run(NULL, 2);
    sherd_error error;
    sherd_debris *debris = sherd_debris_create(r->scene, &r->model, &error);
    r->fragment[1] = -7;
    cr_assert(eq(int, sherd_debris_take(debris, &r->frame, &error), SHERD_ERROR_INPUT));
    cr_assert(strstr(error.what, "element 1 is of fragment -7 in frame 0") != NULL);
    sherd_debris_destroy(debris);
    free_run(r);
}

Test(debris, crumbs_come_to_lie_on_the_floor)
{
    enum { PAIRS = 40 };
    run *r = make_run("obstacles.floor.plane.point=[0, 0, -1 mm]", 2 * PAIRS);
    sherd_error error;
    sherd_debris *debris = sherd_debris_create(r->scene, &r->model, &error);
    cr_assert(eq(int, sherd_debris_take(debris, &r->frame, &error), SHERD_OK));
    break_pairs(r);
    for (int64_t f = 1; f <= 30; ++f) { // 0.3 s, on the floor: they fall from up to 4 mm in 30 ms
        move(r, f, 0.01 * (double)f, vec3(-1.0, 0.0, 0.0));
        cr_assert(eq(int, sherd_debris_take(debris, &r->frame, &error), SHERD_OK));
    }
    int64_t count;
    const debris_element *elements = sherd_debris_elements(debris, &count);
    for (int64_t k = 0; k < count; ++k) {
        debris_pose poses[DEBRIS_MOST_CRUMBS];
        sherd_debris_poses(debris, &elements[k], &r->frame, poses);
        const debris_crumb *crumbs = sherd_debris_crumbs(debris, &elements[k]);
        for (int c = 0; c < elements[k].count; ++c) {
            const debris_shape *shape = sherd_debris_shape(debris, 0, crumbs[c].shape);
            double lowest = 1.0;
            for (int v = 0; v < shape->vertex_count; ++v)
                lowest = fmin(
                    lowest,
                    pose_apply(poses[c].pose, vec3_scale(crumbs[c].radius, shape->vertex[v])).z);
            cr_assert(epsilon_eq(dbl, lowest, -1e-3, 1e-15)); // rounding
        }
    }
    sherd_debris_destroy(debris);
    free_run(r);
}

Test(debris, a_run_has_a_limited_number_of_crumbs)
{
    run *r = make_run(NULL, MOST);
    sherd_error error;
    sherd_debris *debris = sherd_debris_create(r->scene, &r->model, &error);
    cr_assert(eq(int, sherd_debris_take(debris, &r->frame, &error), SHERD_OK));
    break_pairs(r);
    move(r, 1, STEP, vec3(-1.0, 0.0, 0.0));
    cr_assert(eq(int, sherd_debris_take(debris, &r->frame, &error), SHERD_OK));
    int64_t count;
    const debris_element *elements = sherd_debris_elements(debris, &count);
    cr_assert(eq(i64, count, MOST));
    int64_t crumbs = elements[count - 1].first + elements[count - 1].count;
    cr_assert(sherd_debris_left_out(debris) > 0);
    cr_assert(ge(i64, crumbs, DEBRIS_MOST_OF_RUN / 2));
    // Beyond the limit one crumb per element.
    cr_assert(le(i64, crumbs, DEBRIS_MOST_OF_RUN + MOST));
    cr_assert(eq(int, elements[count - 1].count <= 3, 1));
    sherd_debris_destroy(debris);
    free_run(r);
}

Test(debris, none_of_what_does_not_crumble)
{
    const char *const none[] = {"output.debris=false", "materials.m.youngs_modulus=2 MPa",
                                "materials.m.yield_stress=0.5 MPa"};
    for (int k = 0; k < 3; ++k) {
        run *r = make_run(none[k], 2);
        sherd_error error;
        cr_assert(sherd_debris_create(r->scene, &r->model, &error) == NULL, "%s", none[k]);
        cr_assert(eq(int, error.status, SHERD_OK));
        cr_assert(eq(int, sherd_debris_take(NULL, &r->frame, &error), SHERD_OK));
        cr_assert(not(sherd_debris_replaces(NULL, 0)));
        free_run(r);
    }
}
