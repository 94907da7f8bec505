// What an implicit step minimises: its gradient against differences of its energy, searches along a line, and the
// velocities that schemes give to poses.
#include "stepping/implicit/line_search.h"
#include "unit/solver_rig.h"

// A step in the middle of its iteration.
typedef struct trial_step {
    rig rig;
    sherd_contacts *contacts;   // NULL: none
    sherd_contact_trial *trial; // NULL: none
    sherd_node_state now;
    sherd_scheme_target target;
    sherd_body_target body;
    sherd_objective objective;
    double *gradient, *direction;
} trial_step;

enum { COLUMNS = SHERD_NODE_FREEDOMS };

static void clear_velocities(sherd_elements *e)
{
    for (int k = 0; k < e->count; ++k)
        sherd_element_set_velocity(e, (size_t)k, vec3(0, 0, 0), vec3(0, 0, 0));
}

// State n: strained by `strain` and moving by `strain` radii in dt; its scheme is Euler's.
static void start(trial_step *t, const rig_def *def, double strain, double dt)
{
    *t = (trial_step){0};
    rig *r = &t->rig;
    rig_make(r, def);
    rig_hold(r);
    rig_deform(r, strain);
    clear_velocities(&r->elements);
    for (int k = 0; k < r->elements.count; ++k)
        sherd_element_set_velocity(&r->elements, (size_t)k, rig_vector(r, strain * r->radius / dt),
                                   rig_vector(r, strain / dt));
    sherd_element_index n = r->elements.count;
    cr_assert(sherd_node_state_init(&t->now, n) && sherd_scheme_target_init(&t->target, n));
    sherd_node_state_capture(&t->now, &r->elements, &r->system.parallel);
    sherd_scheme_weights weights = sherd_scheme_weigh(SHERD_SCHEME_KIND_EULER, dt, dt);
    sherd_scheme_set_target(&t->target, &weights, &t->now, NULL, vec3(1.0, 2.0, -9.81), NULL,
                            &r->system.parallel);
    size_t stride = sherd_node_stride((size_t)n + 1);
    t->gradient = sherd_alloc(COLUMNS * stride, sizeof(double));
    t->direction = sherd_alloc(COLUMNS * stride, sizeof(double));
    t->objective = (sherd_objective){.elements = &r->elements,
                                     .bonds = &r->bonds,
                                     .blocks = &r->blocks,
                                     .target = &t->target,
                                     .stride = stride,
                                     .parallel = r->system.parallel};
}

static void finish(trial_step *t)
{
    sherd_contact_trial_destroy(t->trial);
    sherd_contacts_destroy(t->contacts);
    sherd_node_state_free(&t->now);
    sherd_scheme_target_free(&t->target);
    sherd_free(t->gradient);
    sherd_free(t->direction);
    rig_free(&t->rig);
}

static double evaluate(trial_step *t)
{
    sherd_objective_value value;
    sherd_error error;
    cr_assert(eq(int, sherd_objective_evaluate(&t->objective, false, t->gradient, &value, &error),
                 SHERD_OK),
              "%s", error.what);
    return value.energy;
}

static size_t node_count(const trial_step *t)
{
    return (size_t)t->rig.elements.count + (size_t)t->objective.body_count;
}

// Random displacements of a radius and rotations of a radian of one node, or of all (-1).
static void choose_direction(trial_step *t, int64_t node)
{
    size_t stride = t->objective.stride;
    memset(t->direction, 0, COLUMNS * stride * sizeof(double));
    for (size_t c = 0; c < COLUMNS; ++c)
        for (size_t k = 0; k < node_count(t); ++k)
            if ((node < 0 || k == (size_t)node) && !rig_is_held(&t->rig, c, k))
                t->direction[c * stride + k] =
                    rig_uniform(&t->rig, -1.0, 1.0) * (c < 3 ? t->rig.radius : 1.0);
}

// g.x against the energy's differences along x, of fourth order in `h`, as a share of the sum of |g x| of
// all freedoms.
static double deviation(trial_step *t, double h)
{
    static const double at[] = {-2.0, -1.0, 1.0, 2.0},
                        weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12};
    double slope = 0.0, size = 0.0, difference = 0.0, gone = 0.0;
    evaluate(t);
    for (size_t k = 0; k < COLUMNS * t->objective.stride; ++k) {
        slope += t->gradient[k] * t->direction[k];
        size += fabs(t->gradient[k] * t->direction[k]);
    }
    for (int k = 0; k < 4; ++k) {
        sherd_objective_move(&t->objective, t->direction, h * at[k] - gone);
        gone = h * at[k];
        difference += weight[k] * evaluate(t) / h;
    }
    sherd_objective_move(&t->objective, t->direction, -gone);
    return size > 0.0 ? fabs(slope - difference) / size : 0.0;
}

// Largest deviation over all nodes, one by one, and some motions of all.
static double worst_deviation(trial_step *t, double h)
{
    double worst = 0.0;
    for (int64_t node = -5; node < (int64_t)node_count(t); ++node) {
        choose_direction(t, node);
        worst = fmax(worst, deviation(t, h));
    }
    return worst;
}

static void wander(trial_step *t, double share)
{
    choose_direction(t, -1);
    sherd_objective_move(&t->objective, t->direction, share);
}

// Regular bodies go by packets of alike bonds, irregular ones by loose bonds; 5 T and 1000 T weigh inertia
// against bonds.
static void check_bonds(double jitter, double strain, double steps)
{
    rig_def def = {.nx = 5,
                   .ny = 4,
                   .nz = 3,
                   .jitter = jitter,
                   .radius = 0.01,
                   .youngs_modulus = 1e7,
                   .precision = SHERD_PRECISION_MIXED};
    double mass = 4.0 / 3.0 * M_PI * 1e-6 * 2600.0;
    double limit = sqrt(mass / (1e7 * M_PI * 0.005)) / 2.0; // T with N = 16
    trial_step t;
    start(&t, &def, strain, steps * limit);
    rig_break(&t.rig, 0.1);
    wander(&t, strain);
    // Differences of h = 1e-3 err by h^4 times fifth derivatives, and by rounding over h: 1e-12 both.
    // Single-precision numbers of bonds would show as 1e-8 and more.
    double worst = worst_deviation(&t, 1e-3 * strain);
    cr_assert(lt(dbl, worst, 1e-6), "jitter %g, strain %g, %g T", jitter, strain, steps);
    finish(&t);
}

Test(objective, gradient_of_inertia_and_bonds_is_that_of_the_energy)
{
    check_bonds(0.0, 0.03, 5.0);
    check_bonds(0.0, 0.03, 1000.0);
    check_bonds(0.05, 0.01, 100.0);
    check_bonds(0.05, 0.1, 100.0);
}

// Damping forces belong to a potential of strain rates taken at the trial state; its change with that state is
// left out, which is of the order of the strain.
static double damped_deviation(double strain)
{
    rig_def def = {.nx = 5,
                   .ny = 4,
                   .nz = 3,
                   .radius = 0.01,
                   .youngs_modulus = 1e7,
                   .precision = SHERD_PRECISION_MIXED,
                   .bond_damping = 0.5};
    trial_step t;
    start(&t, &def, strain, 1e-3); // 4 T
    wander(&t, strain);
    double worst = worst_deviation(&t, 1e-3 * strain);
    finish(&t);
    return worst;
}

Test(objective, damping_deviates_by_the_order_of_the_strain)
{
    double small = damped_deviation(0.001), large = damped_deviation(0.01);
    cr_assert(small < 0.002 && large < 0.02, "%g, %g", small, large);
    // First order, within the scatter of random states.
    cr_assert(large > 4.0 * small && large < 25.0 * small, "%g, %g", small, large);
}

// ---------------------------------------------------------------- with contact

static void add_obstacles(trial_step *t, double bottom)
{
    static const sherd_contact_material material = {
        .youngs_modulus = 1e7, .friction = 0.4, .restitution = 0.5};
    sherd_contact_def def = {1, &material, 0.003, t->rig.system.parallel};
    sherd_error error;
    t->contacts = sherd_contacts_create(&def, &error);
    cr_assert(t->contacts != NULL);
    sherd_obstacle_def plane = sherd_obstacle_def_default();
    plane.is_plane = true;
    plane.pose.position.z = bottom;
    cr_assert(sherd_contacts_add_obstacle(t->contacts, &plane, &error) == 0);
}

// A free block on top, turned a little.
static sherd_shape *add_free_block(trial_step *t, double top)
{
    sherd_error error;
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.2, 0.2, 0.02}, &error);
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.kind = SHERD_OBSTACLE_FREE;
    def.shape = box;
    def.density = 2600.0;
    def.pose.position.z = top + 0.01;
    def.pose.rotation = quat_from_rotation_vector(vec3(0.02, -0.01, 0.3));
    def.velocity = vec3(0.1, 0.2, -0.1);
    cr_assert(sherd_contacts_add_obstacle(t->contacts, &def, &error) == 1, "%s", error.what);
    return box;
}

static void extent(const trial_step *t, double *low, double *high)
{
    const sherd_elements *e = &t->rig.elements;
    *low = INFINITY, *high = -INFINITY;
    for (int k = 0; k < e->count; ++k)
        *low = fmin(*low, e->pz[k] - sherd_element_radius(e, k)),
        *high = fmax(*high, e->pz[k] + sherd_element_radius(e, k));
}

static void begin_contact(trial_step *t, double dt)
{
    sherd_error error;
    t->trial = sherd_contact_trial_create(t->contacts, &error);
    cr_assert(t->trial != NULL);
    rig *r = &t->rig;
    sherd_bond_adjacency bonded = {r->adjacency.start, r->adjacency.bond, r->bonds.i, r->bonds.j,
                                   r->bonds.broken};
    cr_assert(eq(int,
                 sherd_contact_trial_begin(t->trial, &r->elements.points, &bonded, 0.0, dt, 0.02,
                                           0.0, &error),
                 SHERD_OK),
              "%s", error.what);
    t->objective.trial = t->trial;
    t->objective.body_count = sherd_contact_trial_body_count(t->trial);
    t->objective.bodies = &t->body;
}

// Inertia of the body about where it is: any symmetric numbers do.
static void aim_body(trial_step *t)
{
    const sherd_rigid_body *b = sherd_contact_trial_body_start(t->trial, 0);
    t->body = (sherd_body_target){b->centre, b->rotation, {.mass = b->properties.mass}};
    for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c)
            t->body.inertia.moment[a][c] = b->properties.inertia.z * (a == c ? 1.0 + a : 0.1);
}

// Elements pressed 2 % of a radius into the floor, and the block into them, with friction, which stays capped
// by the normal forces before the differences.
Test(objective, gradient_with_contact_and_a_free_body_is_that_of_the_energy)
{
    rig_def def = {.nx = 5,
                   .ny = 4,
                   .nz = 3,
                   .radius = 0.01,
                   .youngs_modulus = 1e7,
                   .precision = SHERD_PRECISION_MIXED};
    trial_step t;
    const double dt = 2e-3;
    double low, high;
    start(&t, &def, 0.01, dt);
    extent(&t, &low, &high);
    add_obstacles(&t, low);
    sherd_shape *box = add_free_block(&t, high);
    begin_contact(&t, dt);
    aim_body(&t);
    for (int k = 0; k < t.rig.elements.count; ++k)
        t.rig.elements.pz[k] -= 0.02 * t.rig.radius;
    sherd_contact_trial_body(t.trial, 0)->centre.z -= 0.04 * t.rig.radius;
    wander(&t, 0.005);
    evaluate(&t);
    sherd_contact_trial_update_friction_caps(t.trial, 1.0);
    evaluate(&t);
    sherd_vec3 force, torque;
    sherd_contact_trial_body_load(t.trial, 0, &force, &torque);
    cr_assert(lt(dbl, 0.0, force.z)); // the block is pushed up: something touches
    // Contact is smooth only once: where one begins or ends within h = 1e-6, that is an error of k h^2.
    double worst = worst_deviation(&t, 1e-6);
    cr_assert(lt(dbl, worst, 1e-5));
    finish(&t);
    sherd_shape_destroy(box);
}

// ---------------------------------------------------------------- along a line

// A body at rest that is drawn down by `way`, all of it alike, with a floor `gap` below it (none: infinite). Along
// that way its inertia is a parabola, and elements that reach the floor make kinks.
static sherd_line fall(trial_step *t, double gap, double way)
{
    rig_def def = {.nx = 5,
                   .ny = 4,
                   .nz = 3,
                   .radius = 0.01,
                   .youngs_modulus = 1e7,
                   .precision = SHERD_PRECISION_MIXED};
    const double dt = 0.02; // the floor is some 500 times as stiff as inertia
    double low, high;
    start(t, &def, 0.0, dt);
    size_t n = (size_t)t->rig.elements.count, stride = t->objective.stride;
    memset(t->rig.elements.held, 0, n);
    extent(t, &low, &high);
    if (isfinite(gap)) {
        add_obstacles(t, low - gap);
        begin_contact(t, dt);
    }
    for (size_t k = 0; k < n; ++k) {
        for (size_t c = 0; c < 3; ++c)
            t->target.free_p[c][k] = t->now.p[c][k];
        t->target.free_p[2][k] -= way;
        t->direction[2 * stride + k] = -way;
    }
    evaluate(t);
    double slope = sherd_objective_dot(&t->objective, t->gradient, t->direction);
    return (sherd_line){&t->objective, t->direction, t->gradient, slope, 1.0};
}

static sherd_line_end go(trial_step *t, const sherd_line *line, sherd_objective_value *value)
{
    sherd_error error;
    sherd_line_end end;
    value->energy = evaluate(t);
    cr_assert(eq(int, sherd_line_search(line, value, &end, &error), SHERD_OK), "%s", error.what);
    return end;
}

Test(line_search, goes_all_the_way_where_nothing_is_in_it)
{
    trial_step t;
    sherd_line line = fall(&t, INFINITY, 0.01);
    sherd_objective_value value = {0};
    sherd_line_end end = go(&t, &line, &value);
    cr_assert(eq(dbl, end.fraction, 1.0));
    cr_assert(eq(int, end.tries, 1));
    cr_assert(epsilon_eq(dbl, value.energy, 0.0, 1e-9 * fabs(line.slope)));
    finish(&t);
}

// A stiff floor at any part of the way, which elements of a tilted lattice reach one after the other: one more look
// finds where it goes down no more, and two more where that is very near to an end.
Test(line_search, ends_just_beyond_a_kink)
{
    const double gaps[] = {1e-5, 1e-3, 0.003, 0.007, 0.009};
    for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; ++g) {
        trial_step t;
        sherd_line line = fall(&t, gaps[g], 0.01);
        sherd_objective_value value = {0};
        double before = evaluate(&t), slope = line.slope;
        sherd_line_end end = go(&t, &line, &value);
        cr_assert(lt(dbl, gaps[g] / 0.01, end.fraction));
        cr_assert(lt(dbl, value.energy, before));
        cr_assert(le(int, end.tries, 4));
        double left = sherd_objective_dot(&t.objective, t.gradient, t.direction);
        cr_assert(lt(dbl, 0.5 * slope, left)); // half of it is gone at least
        finish(&t);
    }
}

Test(line_search, stays_where_there_is_no_way_down)
{
    trial_step t;
    sherd_line line = fall(&t, 0.001, 0.01);
    for (size_t k = 0; k < COLUMNS * t.objective.stride; ++k)
        t.direction[k] = -t.direction[k];
    sherd_objective_value value = {0};
    cr_assert(eq(dbl, go(&t, &line, &value).fraction, 0.0));
    // Thirteen moves forth and back, each rounded.
    for (int k = 0; k < t.rig.elements.count; ++k)
        cr_assert(epsilon_eq(dbl, t.rig.elements.pz[k], t.now.p[2][k], 1e-15));
    finish(&t);
}

// ---------------------------------------------------------------- velocities

// A node that moves and turns with constant accelerations: position, angle about `axis` at time s.
static const double V[3] = {1.0, -2.0, 0.5}, A[3] = {3.0, 1.0, -9.0}, W = 4.0, B = 6.0;

static void place(sherd_node_state *state, double s)
{
    sherd_vec3 axis = vec3(0.6, 0.0, 0.8);
    sherd_node_set_pose(state, 0,
                        vec3(V[0] * s + 0.5 * A[0] * s * s, V[1] * s + 0.5 * A[1] * s * s,
                             V[2] * s + 0.5 * A[2] * s * s),
                        quat_from_rotation_vector(vec3_scale(W * s + 0.5 * B * s * s, axis)));
    for (int c = 0; c < 3; ++c)
        state->v[c][0] = V[c] + A[c] * s;
    sherd_vec3 w = vec3_scale(W + B * s, axis);
    state->w[0][0] = w.x, state->w[1][0] = w.y, state->w[2][0] = w.z;
}

typedef struct velocity_test {
    sherd_node_state old, now, next;
    sherd_elements elements;
    sherd_scheme_target target;
} velocity_test;

// From steps `before` and dt long; the elements are then at `next`.
static velocity_test make_velocity_test(sherd_scheme_kind kind, double before, double dt,
                                        double next)
{
    velocity_test t = {0};
    sherd_error error;
    sherd_parallel parallel = {.threads = 1};
    cr_assert(sherd_elements_resize(&t.elements, 1, &error) == SHERD_OK);
    cr_assert(sherd_node_state_init(&t.old, 1) && sherd_node_state_init(&t.now, 1) &&
              sherd_node_state_init(&t.next, 1) && sherd_scheme_target_init(&t.target, 1));
    place(&t.old, -before);
    place(&t.now, 0.0);
    place(&t.next, next);
    sherd_scheme_weights weights = sherd_scheme_weigh(kind, dt, before);
    sherd_scheme_set_target(&t.target, &weights, &t.now, &t.old, vec3(A[0], A[1], A[2]), NULL,
                            &parallel);
    sherd_node_state_restore_to(&t.next, &t.elements, &parallel);
    sherd_scheme_velocities(&t.target, &t.elements, &parallel);
    return t;
}

static void free_velocity_test(velocity_test *t)
{
    sherd_node_state_free(&t->old);
    sherd_node_state_free(&t->now);
    sherd_node_state_free(&t->next);
    sherd_scheme_target_free(&t->target);
    sherd_elements_free(&t->elements);
}

static double gap(sherd_vec3 a, sherd_vec3 b)
{
    return vec3_length(vec3_sub(a, b));
}

// Exact for constant acceleration, any ratio of steps: velocities of the new state, and where it would go by
// itself.
Test(objective, bdf2_is_exact_for_constant_acceleration)
{
    const double ratios[] = {0.1, 0.5, 1.0, 1.7, 2.0};
    for (int k = 0; k < 5; ++k) {
        const double before = 0.01, dt = ratios[k] * before;
        velocity_test t = make_velocity_test(SHERD_SCHEME_KIND_BDF2, before, dt, dt);
        sherd_vec3 v = sherd_element_velocity(&t.elements, 0),
                   w = sherd_element_spin(&t.elements, 0);
        // Rounding of positions of 0.01 over 0.001.
        cr_assert(lt(dbl, gap(v, sherd_node_velocity(&t.next, 0)), 1e-12), "ratio %g", ratios[k]);
        cr_assert(lt(dbl, gap(w, sherd_node_spin(&t.next, 0)), 1e-12), "ratio %g", ratios[k]);
        sherd_vec3 aimed =
            vec3(t.target.free_p[0][0], t.target.free_p[1][0], t.target.free_p[2][0]);
        cr_assert(lt(dbl, gap(aimed, sherd_node_position(&t.next, 0)), 1e-15), "ratio %g",
                  ratios[k]);
        free_velocity_test(&t);
    }
}

// Euler's is the mean velocity of the step, the mid-point's that of its first half.
static void check_mean(sherd_scheme_kind kind, double share)
{
    const double dt = 0.02, end = share * dt;
    velocity_test t = make_velocity_test(kind, dt, dt, end);
    sherd_vec3 half =
        vec3_scale(0.5, vec3_add(sherd_node_velocity(&t.now, 0), sherd_node_velocity(&t.next, 0)));
    sherd_vec3 spin =
        vec3_scale(0.5, vec3_add(sherd_node_spin(&t.now, 0), sherd_node_spin(&t.next, 0)));
    cr_assert(lt(dbl, gap(sherd_element_velocity(&t.elements, 0), half), 1e-12));
    cr_assert(lt(dbl, gap(sherd_element_spin(&t.elements, 0), spin), 1e-12));
    sherd_vec3 aimed = vec3(t.target.free_p[0][0], t.target.free_p[1][0], t.target.free_p[2][0]);
    sherd_vec3 fallen = vec3(end * V[0] + end * end * A[0], end * V[1] + end * end * A[1],
                             end * V[2] + end * end * A[2]);
    cr_assert(lt(dbl, gap(aimed, fallen), 1e-15));
    free_velocity_test(&t);
}

Test(objective, euler_and_midpoint_velocities_are_means)
{
    check_mean(SHERD_SCHEME_KIND_EULER, 1.0);
    check_mean(SHERD_SCHEME_KIND_MIDPOINT, 0.5);
}
