// Contact as a potential over one implicit step: gradients and tangents against differences, friction
// with steps of any length, turns with explicit contact.
#include "base/random.h"
#include "contact/contact_system.h"
#include "contact/implicit/contact_trial.h"
#include "laws/contact/contact_trial_law.h"
#include "unit/contact_rig.h"

// ---------------------------------------------------------------- a step, by hand

static void clear_loads(sherd_elements *e)
{
    double *loads[] = {e->fx, e->fy, e->fz, e->tx, e->ty, e->tz};
    for (int a = 0; a < 6; ++a)
        memset(loads[a], 0, (size_t)e->count * sizeof(double));
}

static sherd_contact_potential evaluate(rig *r, sherd_contact_trial *t, bool springs)
{
    sherd_contact_potential p;
    sherd_error error = {0};
    clear_loads(&r->e);
    cr_assert(eq(int, sherd_contact_trial_evaluate(t, &r->e.points, springs, &p, &error), SHERD_OK),
              "%s", error.what);
    return p;
}

static sherd_contact_trial *make_trial(rig *r)
{
    sherd_error error = {0};
    sherd_contact_trial *t = sherd_contact_trial_create(r->contacts, &error);
    cr_assert(t != NULL, "%s", error.what);
    return t;
}

static void begin(rig *r, sherd_contact_trial *t, double dt, double barrier)
{
    sherd_error error = {0};
    cr_assert(
        eq(int,
           sherd_contact_trial_begin(t, &r->e.points, NULL, r->time, dt, 0.01, barrier, &error),
           SHERD_OK),
        "%s", error.what);
}

static void accept(rig *r, sherd_contact_trial *t, double dt)
{
    sherd_error error = {0};
    cr_assert(eq(int, sherd_contact_trial_accept(t, &r->e.points, 0.5, &error), SHERD_OK), "%s",
              error.what);
    r->time += dt;
}

// Freedom a of a node: 0..2 along, 3..5 about the axes. Nodes are elements, then free bodies.
static void nudge(rig *r, sherd_contact_trial *t, int node, int a, double h)
{
    double d[6] = {0.0};
    d[a] = h;
    sherd_quat turn = quat_from_rotation_vector(vec3(d[3], d[4], d[5]));
    sherd_elements *e = &r->e;
    if (node >= e->count) {
        sherd_rigid_body *b = sherd_contact_trial_body(t, node - e->count);
        b->centre = vec3_add(b->centre, vec3(d[0], d[1], d[2]));
        b->rotation = quat_multiply(turn, b->rotation);
        return;
    }
    e->px[node] += d[0], e->py[node] += d[1], e->pz[node] += d[2];
    sherd_quat q = quat_multiply(turn, sherd_element_orientation(e, node));
    e->qx[node] = q.x, e->qy[node] = q.y, e->qz[node] = q.z, e->qw[node] = q.w;
}

static void load_of(const rig *r, const sherd_contact_trial *t, int node, double load[6])
{
    const sherd_elements *e = &r->e;
    sherd_vec3 f, m;
    if (node >= e->count) {
        sherd_contact_trial_body_load(t, node - e->count, &f, &m);
    } else {
        f = vec3(e->fx[node], e->fy[node], e->fz[node]);
        m = vec3(e->tx[node], e->ty[node], e->tz[node]);
    }
    double all[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
    memcpy(load, all, sizeof all);
}

static double step_of(int a)
{
    return a < 3 ? 1e-8 : 1e-6; // [m], [rad]: both move surfaces by 1e-8 m
}

// Lever by which a rotation moves surfaces [m].
static double arm_of(const rig *r, int node, int a)
{
    return a < 3 ? 1.0 : (node < r->e.count ? 0.01 : 0.1);
}

// Loads are minus the energy's differences.
static void check_gradient(rig *r, sherd_contact_trial *t)
{
    int nodes = r->e.count + sherd_contact_trial_body_count(t);
    double largest = 0.0;
    for (int node = 0; node < nodes; ++node) {
        double load[6];
        evaluate(r, t, false);
        load_of(r, t, node, load);
        largest = fmax(largest, fmax(fabs(load[0]), fmax(fabs(load[1]), fabs(load[2]))));
        for (int a = 0; a < 6; ++a) {
            double h = step_of(a);
            nudge(r, t, node, a, h);
            double up = evaluate(r, t, false).energy;
            nudge(r, t, node, a, -2.0 * h);
            double down = evaluate(r, t, false).energy;
            nudge(r, t, node, a, h);
            // Rounding: energies of 1e-3 J to 16 digits over 1e-8 m; and forces turn by h / r.
            double scale = fmax(largest, 1.0) * arm_of(r, node, a);
            cr_assert(epsilon_eq(dbl, load[a], (down - up) / (2.0 * h), 1e-6 * scale),
                      "node %d freedom %d", node, a);
        }
    }
    cr_assert(lt(dbl, 1e-3, largest));
}

// A column of the tangent that springs make: derivative of minus the loads by freedom a of `node`.
static void column_of(const sherd_contact_potential *p, int node, int a, int of, double out[6])
{
    memset(out, 0, 6 * sizeof *out);
    for (int64_t s = 0; s < p->spring_count; ++s) {
        const sherd_contact_spring *at = &p->springs[s];
        if (at->i != node && at->j != node) continue;
        if (at->i != of && at->j != of) continue;
        double sign = (at->i == node ? 1.0 : -1.0) * (at->i == of ? 1.0 : -1.0);
        const float *arm = at->i == node ? at->arm_i : at->arm_j;
        const float *other = at->i == of ? at->arm_i : at->arm_j;
        double d[6] = {0.0};
        d[a] = 1.0;
        sherd_vec3 x = vec3_add(vec3(d[0], d[1], d[2]),
                                vec3_cross(vec3(d[3], d[4], d[5]), vec3(arm[0], arm[1], arm[2])));
        const double *k = at->stiffness;
        sherd_vec3 f =
            vec3(k[0] * x.x + k[3] * x.y + k[4] * x.z, k[3] * x.x + k[1] * x.y + k[5] * x.z,
                 k[4] * x.x + k[5] * x.y + k[2] * x.z);
        sherd_vec3 m = vec3_cross(vec3(other[0], other[1], other[2]), f);
        double all[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
        for (int c = 0; c < 6; ++c)
            out[c] += sign * all[c];
    }
}

// Sums of squares have none below 0; with single precision, hardly.
static void check_springs(const sherd_contact_potential *p)
{
    for (int64_t s = 0; s < p->spring_count; ++s) {
        const double *k = p->springs[s].stiffness;
        double trace = k[0] + k[1] + k[2];
        if (s > 0) cr_assert(ge(int, p->springs[s].i, p->springs[s - 1].i));
        for (uint64_t trial = 0; trial < 50; ++trial) {
            sherd_vec3 x = vec3(sherd_random_normal(3, 0, trial), sherd_random_normal(3, 1, trial),
                                sherd_random_normal(3, 2, trial));
            double energy = k[0] * x.x * x.x + k[1] * x.y * x.y + k[2] * x.z * x.z +
                            2.0 * (k[3] * x.x * x.y + k[4] * x.x * x.z + k[5] * x.y * x.z);
            cr_assert(ge(dbl, energy, -1e-6 * trace * vec3_dot(x, x)));
        }
    }
}

// Sticking contacts at small overlaps: what springs leave out, of the order of N / r, is small.
static void check_tangent(rig *r, sherd_contact_trial *t, double share)
{
    int nodes = r->e.count + sherd_contact_trial_body_count(t);
    double stiffest = 0.0;
    for (int node = 0; node < nodes; ++node)
        for (int a = 0; a < 6; ++a)
            for (int of = 0; of < nodes; ++of) {
                double up[6], down[6], column[6], h = step_of(a);
                sherd_contact_potential p = evaluate(r, t, true);
                check_springs(&p);
                column_of(&p, node, a, of, column);
                nudge(r, t, node, a, h);
                evaluate(r, t, false);
                load_of(r, t, of, up);
                nudge(r, t, node, a, -2.0 * h);
                evaluate(r, t, false);
                load_of(r, t, of, down);
                nudge(r, t, node, a, h);
                stiffest = fmax(stiffest, fabs(column[0]));
                for (int c = 0; c < 6; ++c) {
                    double scale = 1e5 * arm_of(r, node, a) * arm_of(r, of, c);
                    cr_assert(
                        epsilon_eq(dbl, column[c], (down[c] - up[c]) / (2.0 * h), share * scale),
                        "node %d freedom %d load %d of %d", node, a, c, of);
                }
            }
    cr_assert(lt(dbl, 1e3, stiffest));
}

// ---------------------------------------------------------------- gradients

static const double DT = 1e-4;

// All nodes, at random; bodies, which are larger, less.
static void nudge_all(rig *r, sherd_contact_trial *t, double way, double angle)
{
    int nodes = r->e.count + sherd_contact_trial_body_count(t);
    for (int node = 0; node < nodes; ++node)
        for (int a = 0; a < 6; ++a)
            nudge(r, t, node, a,
                  (a < 3 ? way : angle) * (node < r->e.count ? 1.0 : 0.01) *
                      sherd_random_normal(9, (uint64_t)a, (uint64_t)node));
}

// Differences of everything: sliding far and sticking, with a stale normal force and a fresh one, and
// after turning far.
static void check_all_gradients(rig *r, double barrier)
{
    sherd_contact_trial *t = make_trial(r);
    begin(r, t, DT, barrier);
    nudge_all(r, t, 2e-7, 2e-5);
    check_gradient(r, t);
    check_tangent(r, t, 0.02);
    nudge_all(r, t, 4e-6, 4e-3);
    check_gradient(r, t);
    cr_assert(lt(dbl, 0.0, sherd_contact_trial_update_friction_caps(t, 1.0)));
    check_gradient(r, t);
    sherd_contact_potential p = evaluate(r, t, true);
    check_springs(&p);
    nudge_all(r, t, 0.0, 0.5);
    check_gradient(r, t);
    sherd_contact_trial_destroy(t);
}

// An element of radius 1 cm pressed `depth` into an obstacle, from where `from` is.
static void press_in(rig *r, int k, int obstacle, sherd_vec3 from, double depth)
{
    const sherd_obstacle *o = &r->contacts->obstacles[obstacle];
    sherd_vec3 p = from;
    for (int s = 0; s < 50; ++s) {
        double gap = sherd_obstacle_distance(o, p) - (0.01 - depth);
        p = vec3_add_scaled(p, -gap, sherd_obstacle_normal(o, p));
    }
    rig_put(r, k, p, vec3(0.1, 0.2, -0.3), 0.01);
}

// Three elements around an obstacle, seen apart first so that nothing is at rest.
static void check_obstacle(const sherd_obstacle_def *def, const sherd_contact_material *material,
                           double barrier)
{
    rig r = rig_make(3, material, 1e-3, 1);
    int o = rig_add(&r, def);
    for (int k = 0; k < 3; ++k)
        rig_put(&r, k, vec3(5.0 + k, 0.0, 5.0), vec3(0.0, 0.0, 0.0), 0.01);
    rig_forces(&r, NULL, 0.0);
    press_in(&r, 0, o, vec3(0.03, 0.2, 0.01), 2e-5);
    press_in(&r, 1, o, vec3(0.02, 0.01, 0.2), 4e-5);
    press_in(&r, 2, o, vec3(0.2, -0.15, 0.0), 2e-5);
    check_all_gradients(&r, barrier);
    rig_free(&r);
}

Test(contact_trial, loads_are_the_gradient_at_every_obstacle)
{
    sherd_mesh *surface = NULL;
    sherd_shape *box = sherd_shape_box(vec3(0.1, 0.12, 0.09), NULL);
    surface = sherd_shape_surface(box, 0.05, NULL);
    sherd_shape *shapes[] = {NULL,
                             sherd_shape_sphere(0.06, NULL),
                             box,
                             sherd_shape_cylinder(0.05, 0.1, NULL),
                             sherd_shape_capsule(0.04, 0.08, NULL),
                             sherd_shape_mesh(surface, NULL)};
    for (int s = 0; s < 6; ++s) {
        sherd_obstacle_def def = rig_floor();
        def.is_plane = shapes[s] == NULL;
        def.shape = shapes[s];
        def.pose.rotation = quat_from_rotation_vector(vec3(0.1, -0.2, 0.05));
        check_obstacle(&def, &RIG_MATERIAL, s % 2 == 0 ? 0.0 : 1e-3);
        def.kind = SHERD_OBSTACLE_DRIVEN;
        def.motion.velocity = vec3(0.05, -0.1, 0.02);
        def.motion.angular_velocity = vec3(0.5, 1.0, -1.0);
        check_obstacle(&def, &RIG_MATERIAL, 0.0);
        if (shapes[s] == NULL) continue;
        def.kind = SHERD_OBSTACLE_FREE;
        def.density = 2000.0;
        def.motion = (sherd_motion){.key_count = 0};
        check_obstacle(&def, &RIG_MATERIAL, 0.0);
    }
    for (int s = 1; s < 6; ++s)
        sherd_shape_destroy(shapes[s]);
    sherd_mesh_destroy(surface);
}

static void check_pairs(const sherd_contact_material *material, double barrier)
{
    rig r = rig_make(3, material, 1e-3, 1);
    for (int k = 0; k < 3; ++k)
        rig_put(&r, k, vec3(k, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 0.01);
    rig_forces(&r, NULL, 0.0);
    rig_put(&r, 0, vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0), 0.01);
    rig_put(&r, 1, vec3(0.0189, 0.006, 0.0), vec3(-1.0, 0.0, 0.0), 0.01);
    rig_put(&r, 2, vec3(0.004, 0.0, 0.0134), vec3(0.0, 0.0, 0.0), 0.004);
    check_all_gradients(&r, barrier);
    rig_free(&r);
}

Test(contact_trial, loads_are_the_gradient_of_pairs)
{
    check_pairs(&RIG_MATERIAL, 0.0);
    check_pairs(&RIG_MATERIAL, 1e-3);
}

// Couples that stick and that roll, on both sides of a contact.
Test(contact_trial, loads_are_the_gradient_with_rolling_friction)
{
    sherd_contact_material rolls = RIG_MATERIAL;
    rolls.rolling_friction = 0.2;
    check_pairs(&rolls, 0.0);
    sherd_obstacle_def def = rig_floor();
    def.pose.rotation = quat_from_rotation_vector(vec3(0.1, -0.2, 0.05));
    check_obstacle(&def, &rolls, 0.0);
    sherd_shape *box = sherd_shape_box(vec3(0.1, 0.12, 0.09), NULL);
    def.is_plane = false, def.shape = box;
    def.kind = SHERD_OBSTACLE_FREE, def.density = 2000.0;
    check_obstacle(&def, &rolls, 0.0);
    sherd_shape_destroy(box);
}

// ---------------------------------------------------------------- a tiny implicit Euler

enum { MOST = 4, FREEDOMS = 6 * MOST };

typedef struct node {
    double mass;
    sherd_vec3 moment;      // principal, along the axes of the start [kg m^2]
    sherd_vec3 from, aim;   // place at the start, and without contact at the end [m]
    sherd_quat was, turned; // the same of orientation
    sherd_quat axes;
} node;

typedef struct euler {
    rig *r;
    sherd_contact_trial *t;
    double dt;
    int count;
    node nodes[MOST];
} euler;

static void place_of(const euler *s, int k, sherd_vec3 *p, sherd_quat *q)
{
    const sherd_elements *e = &s->r->e;
    if (k < e->count) {
        *p = sherd_element_position(e, k);
        *q = sherd_element_orientation(e, k);
        return;
    }
    const sherd_rigid_body *b = sherd_contact_trial_body(s->t, k - e->count);
    *p = b->centre;
    *q = b->rotation;
}

// Moment of inertia times a vector.
static sherd_vec3 spun(const node *n, sherd_vec3 w)
{
    sherd_vec3 local = quat_rotate_inverse(n->axes, w), m = n->moment;
    return quat_rotate(n->axes, vec3(m.x * local.x, m.y * local.y, m.z * local.z));
}

static sherd_vec3 turn_between(sherd_quat to, sherd_quat from)
{
    return quat_to_rotation_vector(quat_multiply(to, quat_conjugate(from)));
}

// Inertia and contact; minus the gradient goes to `down`.
static double euler_energy(euler *s, bool springs, sherd_contact_potential *p, double *down)
{
    *p = evaluate(s->r, s->t, springs);
    double energy = p->energy, c = 1.0 / (s->dt * s->dt);
    for (int k = 0; k < s->count; ++k) {
        const node *n = &s->nodes[k];
        sherd_vec3 at;
        sherd_quat q;
        place_of(s, k, &at, &q);
        sherd_vec3 x = vec3_sub(at, n->aim), a = turn_between(q, n->turned), m = spun(n, a);
        energy += 0.5 * c * (n->mass * vec3_dot(x, x) + vec3_dot(a, m));
        double load[6], pull[6] = {n->mass * x.x, n->mass * x.y, n->mass * x.z, m.x, m.y, m.z};
        load_of(s->r, s->t, k, load);
        for (int f = 0; f < 6; ++f)
            down[6 * k + f] = s->r->no_spin && f >= 3 ? 0.0 : load[f] - c * pull[f];
    }
    return energy;
}

static void euler_matrix(const euler *s, const sherd_contact_potential *p,
                         double A[FREEDOMS][FREEDOMS])
{
    double c = 1.0 / (s->dt * s->dt);
    for (int k = 0; k < s->count; ++k)
        for (int a = 0; a < 6; ++a) {
            double d[3] = {a == 3, a == 4, a == 5};
            sherd_vec3 m = spun(&s->nodes[k], vec3(d[0], d[1], d[2]));
            double own[6] = {0.0, 0.0, 0.0, c * m.x, c * m.y, c * m.z};
            if (a < 3) own[a] = c * s->nodes[k].mass;
            for (int of = 0; of < s->count; ++of) {
                double column[6];
                column_of(p, k, a, of, column);
                for (int f = 0; f < 6; ++f)
                    A[6 * of + f][6 * k + a] = column[f] + (of == k ? own[f] : 0.0);
            }
        }
}

// Gaussian elimination; positive definite matrices need no pivots.
static void solve(double A[FREEDOMS][FREEDOMS], double *x, int n)
{
    for (int p = 0; p < n; ++p)
        for (int row = p + 1; row < n; ++row) {
            double f = A[row][p] / A[p][p];
            for (int c = p; c < n; ++c)
                A[row][c] -= f * A[p][c];
            x[row] -= f * x[p];
        }
    for (int p = n; p-- > 0;) {
        for (int c = p + 1; c < n; ++c)
            x[p] -= A[p][c] * x[c];
        x[p] /= A[p][p];
    }
}

static void euler_move(euler *s, const double *x, double share)
{
    for (int k = 0; k < s->count; ++k)
        for (int a = 0; a < 6; ++a)
            if (!(s->r->no_spin && a >= 3)) nudge(s->r, s->t, k, a, share * x[6 * k + a]);
}

// Until a step changes nothing any more.
static void euler_newton(euler *s)
{
    double down[FREEDOMS], x[FREEDOMS];
    static double A[FREEDOMS][FREEDOMS];
    int n = 6 * s->count;
    for (int it = 0; it < 50; ++it) {
        sherd_contact_potential p;
        double energy = euler_energy(s, true, &p, down), size = 0.0;
        euler_matrix(s, &p, A);
        memcpy(x, down, sizeof x);
        solve(A, x, n);
        for (int f = 0; f < n; ++f)
            size = fmax(size, fabs(x[f]) * (f % 6 < 3 ? 1.0 : 0.01));
        if (size < 1e-15) return;
        double share = 1.0;
        euler_move(s, x, share);
        while (share > 1e-6 && !(euler_energy(s, false, &p, down) <= energy + 1e-15 * energy)) {
            euler_move(s, x, -0.5 * share);
            share *= 0.5;
        }
    }
}

static void aim(const euler *s, node *n, sherd_vec3 v, sherd_vec3 w)
{
    n->aim = vec3_add_scaled(n->from, s->dt, vec3_add_scaled(v, s->dt, s->r->gravity));
    n->turned = quat_multiply(quat_from_rotation_vector(vec3_scale(s->dt, w)), n->was);
}

static euler euler_begin(rig *r, sherd_contact_trial *t, double dt, double barrier)
{
    euler s = {.r = r, .t = t, .dt = dt};
    begin(r, t, dt, barrier);
    s.count = r->e.count + sherd_contact_trial_body_count(t);
    cr_assert(le(int, s.count, MOST));
    for (int k = 0; k < s.count; ++k) {
        node *n = &s.nodes[k];
        place_of(&s, k, &n->from, &n->was);
        if (k < r->e.count) {
            double inertia = sherd_element_inertia(&r->e, k);
            n->mass = r->e.mass[k];
            n->moment = vec3(inertia, inertia, inertia);
            n->axes = SHERD_QUAT_IDENTITY;
            if (r->e.held[k]) {
                n->mass = 1e9;
                n->aim = n->from;
                n->turned = n->was;
                continue;
            }
            aim(&s, n, sherd_element_velocity(&r->e, k), sherd_element_spin(&r->e, k));
            continue;
        }
        const sherd_rigid_body *b = sherd_contact_trial_body_start(t, k - r->e.count);
        n->mass = b->properties.mass;
        n->moment = b->properties.inertia;
        n->axes = b->rotation;
        aim(&s, n, b->velocity, sherd_rigid_body_spin(b));
    }
    return s;
}

static void euler_velocities(const euler *s)
{
    sherd_elements *e = &s->r->e;
    for (int k = 0; k < s->count; ++k) {
        const node *n = &s->nodes[k];
        sherd_vec3 p;
        sherd_quat q;
        place_of(s, k, &p, &q);
        sherd_vec3 v = vec3_scale(1.0 / s->dt, vec3_sub(p, n->from));
        sherd_vec3 w = vec3_scale(1.0 / s->dt, turn_between(q, n->was));
        if (k < e->count) {
            e->vx[k] = v.x, e->vy[k] = v.y, e->vz[k] = v.z;
            e->wx[k] = w.x, e->wy[k] = w.y, e->wz[k] = w.z;
            continue;
        }
        sherd_rigid_body *b = sherd_contact_trial_body(s->t, k - e->count);
        b->velocity = v;
        b->angular_momentum = spun(n, w);
    }
}

static void euler_step_with(rig *r, sherd_contact_trial *t, double dt, double barrier)
{
    euler s = euler_begin(r, t, dt, barrier);
    for (int round = 0; round < 30; ++round) {
        euler_newton(&s);
        evaluate(r, t, false);
        if (sherd_contact_trial_update_friction_caps(t, 1.0) < 1e-9) break;
    }
    euler_newton(&s);
    evaluate(r, t, false);
    euler_velocities(&s);
    accept(r, t, dt);
}

static void euler_step(rig *r, sherd_contact_trial *t, double dt)
{
    euler_step_with(r, t, dt, 0.0);
}

static double stability_limit(const rig *r)
{
    return 2.0 / sqrt(sherd_contacts_max_eigenvalue(r->contacts, &r->e.points));
}

// A sphere that can't roll, on the floor it rests on.
static rig resting(double mu, sherd_vec3 v, sherd_vec3 gravity)
{
    sherd_contact_material material = {.youngs_modulus = 1e7, .friction = mu, .restitution = 0.5};
    rig r = rig_make(1, &material, 1e-3, 1);
    r.gravity = gravity;
    r.no_spin = true;
    sherd_obstacle_def def = rig_floor();
    rig_add(&r, &def);
    rig_put(&r, 0, vec3(0.0, 0.0, 0.011), vec3(0.0, 0.0, 0.0), 0.01);
    rig_forces(&r, NULL, 0.0);
    double depth = -gravity.z * r.e.mass[0] / (1e7 * M_PI * 0.01);
    rig_put(&r, 0, vec3(0.0, 0.0, 0.01 - depth), v, 0.01);
    rig_forces(&r, NULL, 0.0);
    return r;
}

static const double MULTIPLES[] = {1.0, 5.0, 20.0, 100.0, 200.0};

Test(contact_trial, sliding_stops_as_coulomb_says_at_any_step)
{
    const double v0 = 0.2, mu = 0.3, g = 9.81;
    for (int m = 0; m < 5; ++m) {
        rig r = resting(mu, vec3(v0, 0.0, 0.0), vec3(0.0, 0.0, -g));
        sherd_contact_trial *t = make_trial(&r);
        double dt = MULTIPLES[m] * stability_limit(&r), stop = v0 / (mu * g), kinetic = 0.0;
        for (double time = 0.0; time < 0.5 * stop; time = r.time)
            euler_step(&r, t, dt);
        // Backward Euler's velocities under a constant force are exact.
        cr_assert(epsilon_eq(dbl, r.e.vx[0], v0 - mu * g * r.time, 1e-6 * v0));
        while (r.time < 1.2 * stop + 5.0 * dt)
            euler_step(&r, t, dt);
        kinetic = 0.5 * r.e.mass[0] * v0 * v0;
        sherd_contact_energy c = sherd_contacts_energy(r.contacts, r.gravity);
        // Of way and work, backward Euler's sums miss half a step's share.
        double way = 0.5 * v0 * stop, share = 0.5 * dt / stop;
        cr_assert(lt(dbl, fabs(r.e.vx[0]), 1e-4 * v0));
        cr_assert(epsilon_eq(dbl, r.e.px[0], way, (1e-3 + 2.2 * share) * way));
        cr_assert(epsilon_eq(dbl, c.dissipated_friction, kinetic, (1e-3 + 2.2 * share) * kinetic));
        sherd_contact_trial_destroy(t);
        rig_free(&r);
    }
}

Test(contact_trial, sticking_on_a_slope_does_not_creep)
{
    const double slope = 0.95 * atan(0.3), g = 9.81;
    for (int m = 0; m < 5; ++m) {
        rig r = resting(0.3, vec3(0.0, 0.0, 0.0), vec3(g * sin(slope), 0.0, -g * cos(slope)));
        sherd_contact_trial *t = make_trial(&r);
        double dt = MULTIPLES[m] * stability_limit(&r);
        for (int s = 0; s < 300; ++s)
            euler_step(&r, t, dt);
        // It slips as the weight comes on, then hangs in its friction spring; oscillations have died
        // down to a ten-thousandth.
        double k = SHERD_CONTACT_TANGENTIAL_RATIO * 1e7 * M_PI * 0.01;
        double way = r.e.mass[0] * g * sin(slope) / k;
        double before = r.e.px[0];
        cr_assert(ge(dbl, before, way * (1.0 - 1e-4)));
        cr_assert(lt(dbl, before, 10.0 * way));
        cr_assert(epsilon_eq(dbl, r.e.fx[0], -k * way, 1e-4 * k * way));
        for (int s = 0; s < 100; ++s)
            euler_step(&r, t, dt);
        // What rounding of energies leaves of Newton's last step, to and fro.
        cr_assert(lt(dbl, fabs(r.e.px[0] - before), 1e-4 * way));
        sherd_contact_trial_destroy(t);
        rig_free(&r);
    }
}

// A sphere that slides at v0 ends up rolling at 5/7 v0.
Test(contact_trial, sliding_comes_to_roll_at_any_step)
{
    const double v0 = 0.5;
    for (int m = 0; m < 4; ++m) {
        rig r = resting(0.3, vec3(v0, 0.0, 0.0), vec3(0.0, 0.0, -9.81));
        r.no_spin = false;
        sherd_contact_trial *t = make_trial(&r);
        double dt = MULTIPLES[m] * stability_limit(&r);
        while (r.time < 0.1)
            euler_step(&r, t, dt);
        // Angular momentum about the floor stays; the friction spring oscillates by a thousandth.
        cr_assert(epsilon_eq(dbl, r.e.vx[0], 5.0 / 7.0 * v0, 2e-3 * v0));
        cr_assert(epsilon_eq(dbl, 0.01 * r.e.wy[0], r.e.vx[0], 2e-3 * v0));
        sherd_contact_trial_destroy(t);
        rig_free(&r);
    }
}

// ---------------------------------------------------------------- energy

Test(contact_trial, a_bouncing_ball_only_loses_energy)
{
    for (int m = 0; m < 3; ++m) {
        rig r = resting(0.3, vec3(0.3, 0.0, -0.4), vec3(0.0, 0.0, -9.81));
        sherd_contact_trial *t = make_trial(&r);
        double dt = MULTIPLES[m] * stability_limit(&r), last = INFINITY;
        sherd_contact_energy before = sherd_contacts_energy(r.contacts, r.gravity);
        for (int s = 0; s < 400; ++s) {
            euler_step(&r, t, dt);
            sherd_contact_energy c = sherd_contacts_energy(r.contacts, r.gravity);
            double energy = rig_balance(&r) - c.dissipated_damping - c.dissipated_friction;
            cr_assert(ge(dbl, c.stored, 0.0));
            cr_assert(ge(dbl, c.dissipated_damping, before.dissipated_damping));
            cr_assert(ge(dbl, c.dissipated_friction, before.dissipated_friction));
            // Rounding of energies of 1 mJ.
            cr_assert(le(dbl, energy, last + 1e-15), "step %d of %g", s, MULTIPLES[m]);
            last = energy;
            before = c;
        }
        cr_assert(lt(dbl, 1e-5, before.dissipated_friction));
        sherd_contact_trial_destroy(t);
        rig_free(&r);
    }
}

// With small steps a rebound is the restitution asked for, but for what backward Euler takes.
Test(contact_trial, small_steps_rebound_as_asked)
{
    rig r = resting(0.3, vec3(0.0, 0.0, -0.5), vec3(0.0, 0.0, -1e-9));
    sherd_contact_trial *t = make_trial(&r);
    double dt = 0.005 * stability_limit(&r);
    while (r.e.vz[0] < 0.0 || sherd_contacts_active_count(r.contacts) > 0)
        euler_step(&r, t, dt);
    cr_assert(epsilon_eq(dbl, r.e.vz[0], 0.25, 0.01));
    sherd_contact_trial_destroy(t);
    rig_free(&r);
}

// A plate presses an element onto the floor: its work is what both contacts then hold.
Test(contact_trial, work_of_driven_obstacles_is_stored)
{
    rig r = rig_make(
        1, &(sherd_contact_material){.youngs_modulus = 1e7, .friction = 0.3, .restitution = 1.0},
        1e-3, 1);
    sherd_obstacle_def def = rig_floor();
    rig_add(&r, &def);
    def.kind = SHERD_OBSTACLE_DRIVEN;
    def.pose = (sherd_pose){{0.0, 0.0, 0.02}, {1.0, 0.0, 0.0, 0.0}}; // faces down
    def.motion.velocity = vec3(0.0, 0.0, -0.01);
    int plate = rig_add(&r, &def);
    rig_put(&r, 0, vec3(0.0, 0.0, 0.01), vec3(0.0, 0.0, 0.0), 0.01);
    sherd_contact_trial *t = make_trial(&r);
    for (int s = 0; s < 20; ++s)
        euler_step(&r, t, 5e-4);
    double depth = 0.01 * r.time, k = 1e7 * M_PI * 0.01, stored = 0.25 * k * depth * depth;
    sherd_contact_energy c = sherd_contacts_energy(r.contacts, r.gravity);
    sherd_vec3 force, torque;
    sherd_contacts_obstacle_load(r.contacts, plate, &force, &torque);
    // Slow: inertia takes 1e-5 of it.
    cr_assert(epsilon_eq(dbl, c.stored, stored, 1e-3 * stored));
    cr_assert(epsilon_eq(dbl, c.work, stored, 1e-3 * stored));
    cr_assert(epsilon_eq(dbl, force.z, 0.5 * k * depth, 1e-3 * k * depth));
    cr_assert(epsilon_eq(dbl, sherd_contacts_obstacle_pose(r.contacts, plate).position.z,
                         0.02 - depth, 1e-15));
    sherd_contact_trial_destroy(t);
    rig_free(&r);
}

// ---------------------------------------------------------------- taking turns with explicit contact

static void explicit_steps(rig *r, double share, int count)
{
    rig_set_step(r, share);
    for (int k = 0; k < count; ++k)
        rig_step(r, NULL);
}

// Hangs on a slope, or on another element: the spring goes to and fro without a jump.
static void check_turns(rig *r, int k, double way)
{
    sherd_contact_trial *t = make_trial(r);
    explicit_steps(r, 0.3, 3000);
    sherd_vec3 rest = sherd_element_position(&r->e, k);
    sherd_vec3 force = vec3(r->e.fx[k], r->e.fy[k], r->e.fz[k]);
    for (int round = 0; round < 3; ++round) {
        for (int s = 0; s < 5; ++s)
            euler_step(r, t, 50.0 * stability_limit(r));
        // A hundredth of what the springs are stretched: it had not quite come to rest.
        cr_assert(lt(dbl, vec3_distance(sherd_element_position(&r->e, k), rest), 0.01 * way));
        sherd_vec3 f = vec3(r->e.fx[k], r->e.fy[k], r->e.fz[k]);
        cr_assert(lt(dbl, vec3_distance(f, force), 1e-3 * vec3_length(force)));
        rig_forces(r, NULL, 0.0);
        f = vec3(r->e.fx[k], r->e.fy[k], r->e.fz[k]);
        cr_assert(lt(dbl, vec3_distance(f, force), 1e-3 * vec3_length(force)));
        explicit_steps(r, 0.3, 500);
        cr_assert(lt(dbl, vec3_distance(sherd_element_position(&r->e, k), rest), 0.01 * way));
    }
    sherd_contact_trial_destroy(t);
}

Test(contact_trial, takes_turns_with_explicit_contact_on_a_slope)
{
    const double slope = 0.8 * atan(0.3), g = 9.81;
    rig r = resting(0.3, vec3(0.0, 0.0, 0.0), vec3(g * sin(slope), 0.0, -g * cos(slope)));
    check_turns(&r, 0, r.e.mass[0] * g * sin(slope) / (1e7 * M_PI * 0.01));
    rig_free(&r);
}

Test(contact_trial, takes_turns_with_explicit_contact_between_elements)
{
    rig r = rig_make(2, &RIG_MATERIAL, 1e-3, 1);
    r.no_spin = true;
    r.gravity = vec3(0.5, 0.3, -9.81);
    rig_put(&r, 0, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 0.01);
    rig_put(&r, 1, vec3(0.0, 0.0, 0.021), vec3(0.0, 0.0, 0.0), 0.01);
    rig_forces(&r, NULL, 0.0);
    r.e.held[0] = 1;
    r.e.pz[1] = 0.02;
    check_turns(&r, 1, r.e.mass[1] * 9.81 / (1e7 * M_PI * 0.01 / 2.0));
    rig_free(&r);
}

static sherd_byte_buffer saved(const rig *r)
{
    sherd_byte_buffer bytes = {0};
    cr_assert(eq(int, sherd_contacts_save(r->contacts, &bytes, NULL), SHERD_OK));
    return bytes;
}

// Elements and two obstacles, of which one is driven and one free, in the middle of something.
static rig busy(int threads)
{
    enum { N = 3000 };
    static sherd_shape *block; // lives as long as the test's process
    if (block == NULL) block = sherd_shape_box(vec3(0.06, 0.05, 0.04), NULL);
    rig r = rig_make(N, &RIG_MATERIAL, 2e-3, threads);
    sherd_obstacle_def def = rig_floor();
    def.kind = SHERD_OBSTACLE_DRIVEN;
    def.motion.velocity = vec3(0.5, 0.0, 0.2);
    rig_add(&r, &def);
    def = sherd_obstacle_def_default();
    def.kind = SHERD_OBSTACLE_FREE;
    def.shape = block;
    def.density = 1000.0;
    def.pose.position = vec3(0.08, 0.08, 0.018);
    def.velocity = vec3(0.0, 0.0, -1.0);
    rig_add(&r, &def);
    for (int k = 0; k < N; ++k) {
        double u[6];
        for (uint64_t a = 0; a < 6; ++a)
            u[a] = sherd_random_uniform(5, a, (uint64_t)k);
        rig_put(&r, k, vec3(0.16 * u[0], 0.16 * u[1], 0.005 + 0.12 * u[2]),
                vec3(3.0 * u[3], -3.0 * u[4], -4.0 * u[5]), 0.004 + 0.004 * u[5]);
        r.e.wy[k] = 60.0 * u[3];
    }
    rig_set_step(&r, 0.3);
    rig_run(&r, 60);
    return r;
}

// A trial state some way on, as a predictor makes it; farther than any margin if `steps` is large.
static void predict(rig *r, sherd_contact_trial *t, double dt)
{
    sherd_elements *e = &r->e;
    for (int k = 0; k < e->count; ++k) {
        e->px[k] += dt * e->vx[k], e->py[k] += dt * e->vy[k], e->pz[k] += dt * e->vz[k];
        sherd_quat q =
            quat_multiply(quat_from_rotation_vector(vec3_scale(dt, sherd_element_spin(e, k))),
                          sherd_element_orientation(e, k));
        e->qx[k] = q.x, e->qy[k] = q.y, e->qz[k] = q.z, e->qw[k] = q.w;
    }
    for (int b = 0; b < sherd_contact_trial_body_count(t); ++b)
        sherd_rigid_body_drift(sherd_contact_trial_body(t, b), dt);
}

Test(contact_trial, abandoning_changes_nothing)
{
    rig r = busy(2);
    sherd_contact_trial *t = make_trial(&r);
    sherd_byte_buffer before = saved(&r);
    begin(&r, t, 1e-4, 0.0);
    predict(&r, t, 1e-4);
    evaluate(&r, t, true);
    sherd_contact_trial_update_friction_caps(t, 1.0);
    sherd_contact_potential p = evaluate(&r, t, true);
    cr_assert(lt(i64, 1000, p.touching));
    sherd_contact_trial_abandon(t);
    sherd_byte_buffer after = saved(&r);
    cr_assert(eq(sz, before.size, after.size));
    cr_assert(eq(int, memcmp(before.bytes, after.bytes, before.size), 0));
    sherd_byte_buffer_free(&before);
    sherd_byte_buffer_free(&after);
    sherd_contact_trial_destroy(t);
    rig_free(&r);
}

// Loads, springs, relag, and what an accepted step leaves, bit for bit.
Test(contact_trial, results_do_not_depend_on_threads)
{
    sherd_byte_buffer first = {0};
    for (int threads = 1; threads <= 4; ++threads) {
        rig r = busy(threads);
        sherd_contact_trial *t = make_trial(&r);
        sherd_byte_buffer all = {0};
        for (int s = 0; s < 3; ++s) {
            begin(&r, t, 1e-4, 0.0);
            predict(&r, t, 1e-4);
            for (int round = 0; round < 2; ++round) {
                sherd_contact_potential p = evaluate(&r, t, true);
                double change = sherd_contact_trial_update_friction_caps(t, 1.0);
                sherd_byte_buffer_append(&all, &p.energy, sizeof p.energy);
                sherd_byte_buffer_append(&all, &p.impact, sizeof p.impact);
                sherd_byte_buffer_append(&all, &change, sizeof change);
                sherd_byte_buffer_append(&all, p.springs,
                                         (size_t)p.spring_count * sizeof *p.springs);
            }
            size_t bytes = (size_t)r.e.count * sizeof(double);
            sherd_byte_buffer_append(&all, r.e.fx, bytes);
            sherd_byte_buffer_append(&all, r.e.tz, bytes);
            accept(&r, t, 1e-4);
        }
        sherd_byte_buffer state = saved(&r);
        sherd_byte_buffer_append(&all, state.bytes, state.size);
        if (threads == 1) first = all;
        cr_assert(eq(sz, first.size, all.size));
        cr_assert(eq(int, memcmp(first.bytes, all.bytes, all.size), 0), "%d threads", threads);
        if (threads > 1) sherd_byte_buffer_free(&all);
        sherd_byte_buffer_free(&state);
        sherd_contact_trial_destroy(t);
        rig_free(&r);
    }
    sherd_byte_buffer_free(&first);
}

// A step that continues a saved one gives the same, whatever was listed before.
Test(contact_trial, does_not_depend_on_what_was_searched_before)
{
    rig r = busy(2);
    sherd_contact_trial *old = make_trial(&r), *new = make_trial(&r);
    for (int s = 0; s < 3; ++s) {
        begin(&r, old, 1e-4, 0.0);
        predict(&r, old, 1e-4);
        evaluate(&r, old, false);
        accept(&r, old, 1e-4);
    }
    double energy[2];
    sherd_contact_trial *both[] = {old, new};
    for (int k = 0; k < 2; ++k) {
        begin(&r, both[k], 1e-4, 0.0);
        sherd_contact_potential p = evaluate(&r, both[k], false);
        energy[k] = p.energy + r.e.fx[17] + r.e.tz[17];
        sherd_contact_trial_abandon(both[k]);
    }
    cr_assert(eq(dbl, energy[0], energy[1]));
    sherd_contact_trial_destroy(old);
    sherd_contact_trial_destroy(new);
    rig_free(&r);
}

// Explicit contact continues from an accepted step: nothing is lost, nothing is kicked.
Test(contact_trial, explicit_contact_continues_an_accepted_step)
{
    rig r = busy(2);
    sherd_contact_trial *t = make_trial(&r);
    double dt = r.dt;
    begin(&r, t, dt, 0.0);
    predict(&r, t, dt);
    sherd_contact_potential p = evaluate(&r, t, false);
    sherd_contact_trial_update_friction_caps(t, 1.0);
    p = evaluate(&r, t, false);
    accept(&r, t, dt);
    double before = 0.0, difference = 0.0;
    for (int k = 0; k < r.e.count; ++k)
        before += fabs(r.e.fx[k]) + fabs(r.e.fz[k]);
    rig_forces(&r, NULL, 0.0);
    // Pairs that parted are just at rest: rounding may say that they touch.
    cr_assert(ge(i64, sherd_contacts_active_count(r.contacts), p.touching));
    double after = 0.0;
    for (int k = 0; k < r.e.count; ++k)
        after += fabs(r.e.fx[k]) + fabs(r.e.fz[k]);
    difference = fabs(after - before);
    // The dashpots of explicit contact are a little weaker, and those across the surface are its own.
    cr_assert(lt(dbl, difference, 0.1 * before));
    rig_run(&r, 100);
    cr_assert(isfinite(rig_kinetic(&r)));
    sherd_contact_trial_destroy(t);
    rig_free(&r);
}

// ---------------------------------------------------------------- search

static int64_t touching_by_brute_force(const rig *r)
{
    int64_t touching = 0;
    for (int i = 0; i < r->e.count; ++i)
        for (int j = i + 1; j < r->e.count; ++j)
            touching +=
                vec3_distance(sherd_element_position(&r->e, i), sherd_element_position(&r->e, j)) <
                r->e.radius[i] + r->e.radius[j];
    return touching;
}

// However far a trial state is from the start and from the last one, no contact is missed.
Test(contact_trial, no_contact_is_missed)
{
    enum { N = 400 };
    rig r = rig_make(N, &RIG_MATERIAL, 1e-3, 2);
    for (int k = 0; k < N; ++k) {
        double u[3];
        for (uint64_t a = 0; a < 3; ++a)
            u[a] = sherd_random_uniform(5, a, (uint64_t)k);
        rig_put(&r, k, vec3(100.0 * u[0], 100.0 * u[1], 100.0 * u[2]), vec3(0.0, 0.0, 0.0),
                0.005 + 0.005 * u[0]);
    }
    sherd_contact_trial *t = make_trial(&r);
    rig_forces(&r, NULL, 0.0);
    begin(&r, t, 1.0, 0.0);
    for (int round = 0; round < 12; ++round) {
        double way = round % 3 == 0 ? 0.1 : 0.002;
        for (int k = 0; k < N; ++k) {
            sherd_vec3 *p = &(sherd_vec3){r.e.px[k], r.e.py[k], r.e.pz[k]};
            double u[3];
            for (uint64_t a = 0; a < 3; ++a)
                u[a] = sherd_random_uniform(6 + (uint64_t)round, a, (uint64_t)k) - 0.5;
            if (round == 0) *p = vec3(0.0, 0.0, 0.0);
            *p = vec3_add_scaled(*p, way, vec3(u[0], u[1], u[2]));
            r.e.px[k] = p->x, r.e.py[k] = p->y, r.e.pz[k] = p->z;
        }
        sherd_contact_potential p = evaluate(&r, t, false);
        cr_assert(eq(i64, p.touching, touching_by_brute_force(&r)));
        cr_assert(lt(i64, 100, p.touching));
        cr_assert(lt(dbl, 1.0, p.farthest));
    }
    sherd_contact_trial_destroy(t);
    rig_free(&r);
}

// Bonds part elements from contact until they break; then their overlap is at rest.
Test(contact_trial, broken_bonds_with_overlap_do_not_kick)
{
    const uint32_t start[] = {0, 1, 2}, bond[] = {0, 0};
    const sherd_element_index i[] = {0}, j[] = {1};
    uint8_t broken[] = {0};
    sherd_bond_adjacency bonds = {start, bond, i, j, broken};
    rig r = rig_make(2, &RIG_MATERIAL, 1e-3, 1);
    rig_put(&r, 0, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 0.01);
    rig_put(&r, 1, vec3(0.0195, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 0.01);
    sherd_contact_trial *t = make_trial(&r);
    for (int round = 0; round < 3; ++round) {
        cr_assert(eq(int,
                     sherd_contact_trial_begin(t, &r.e.points, &bonds, r.time, DT, 1e-3, 0.0, NULL),
                     SHERD_OK));
        sherd_contact_potential p = evaluate(&r, t, false);
        cr_assert(eq(dbl, p.energy, 0.0));
        if (round > 0) {
            r.e.px[1] = 0.0194;
            p = evaluate(&r, t, false);
            cr_assert(lt(dbl, 0.0, p.energy));
            r.e.px[1] = 0.0195;
            evaluate(&r, t, false);
        }
        accept(&r, t, DT);
        broken[0] = 1;
        if (round == 0)
            sherd_contacts_bonds_broke(r.contacts, &(sherd_element_index){1},
                                       &(sherd_element_index){0}, 1);
    }
    sherd_contact_trial_destroy(t);
    rig_free(&r);
}

// ---------------------------------------------------------------- impacts, limits, barriers

Test(contact_trial, impacts_are_seen_as_they_come)
{
    rig r = resting(0.3, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, -9.81));
    sherd_contact_trial *t = make_trial(&r);
    begin(&r, t, DT, 0.0);
    cr_assert(eq(dbl, evaluate(&r, t, false).impact, 0.0)); // it touches already
    sherd_contact_trial_abandon(t);
    r.e.pz[0] = 0.012, r.e.vz[0] = -30.0, r.e.vx[0] = 5.0;
    begin(&r, t, DT, 0.0);
    cr_assert(eq(dbl, evaluate(&r, t, false).impact, 0.0));
    predict(&r, t, DT);
    double expected = sqrt(1e7 * 1000.0) * 30.0; // rho c v_n
    sherd_contact_potential p = evaluate(&r, t, false);
    cr_assert(epsilon_eq(dbl, p.impact, expected, 1e-12 * expected));
    cr_assert(epsilon_eq(dbl, p.impact_in, 0.002 / 30.0, 1e-12)); // gap over v_n
    sherd_contact_trial_destroy(t);
    rig_free(&r);
}

// When a prediction of `dt` says that two elements meet, the first at rest.
static double foretold_meeting(sherd_vec3 at, sherd_vec3 velocity, double dt)
{
    rig r = rig_make(2, &RIG_MATERIAL, 1e-3, 1);
    rig_put(&r, 0, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 0.01);
    rig_put(&r, 1, at, velocity, 0.01);
    rig_forces(&r, NULL, 0.0);
    sherd_contact_trial *t = make_trial(&r);
    begin(&r, t, dt, 0.0);
    predict(&r, t, dt);
    double in = evaluate(&r, t, false).impact_in;
    sherd_contact_trial_destroy(t);
    rig_free(&r);
    return in;
}

Test(contact_trial, meetings_of_elements_are_foretold)
{
    double straight = foretold_meeting(vec3(0.021, 0.0, 0.0), vec3(-30.0, 0.0, 0.0), DT);
    cr_assert(epsilon_eq(dbl, straight, 0.001 / 30.0, 1e-12)); // gap over speed
    // Passing sideways, 10 um too near: they touch after 0.874 dt. The gap over the speed towards each other at
    // the start, 0.48 dt, would be far too early.
    double passing = foretold_meeting(vec3(-0.005, 0.01999, 0.0), vec3(50.0, 0.0, 0.0), DT);
    cr_assert(passing > 0.874 * DT && passing < DT);
}

Test(contact_trial, predicted_moves_are_limited)
{
    sherd_shape *plate = sherd_shape_box(vec3(1.0, 1.0, 0.004), NULL);
    rig r = rig_make(4, &RIG_MATERIAL, 1e-3, 2);
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.shape = plate;
    rig_add(&r, &def);
    const double top = 0.002 + 0.01, deepest = 5e-4;
    for (int k = 0; k < 4; ++k)
        rig_put(&r, k, vec3(0.05 * k, 0.0, top + 1e-3), vec3(0.0, 0.0, 0.0), 0.01);
    sherd_contact_trial *t = make_trial(&r);
    cr_assert(eq(int, sherd_contact_trial_begin(t, &r.e.points, NULL, 0.0, DT, 0.5, 0.0, NULL),
                 SHERD_OK));
    r.e.pz[0] -= 5e-3;                   // ends inside
    r.e.pz[1] -= 0.1;                    // goes through
    r.e.px[2] -= 0.3, r.e.pz[2] += 1e-3; // slides
    r.e.px[3] += 0.9, r.e.py[3] += 0.9;  // too far
    cr_assert(eq(i64, sherd_contact_trial_limit(t, &r.e.points, deepest), 3));
    for (int k = 0; k < 2; ++k) {
        cr_assert(ge(dbl, r.e.pz[k], top - deepest));
        cr_assert(lt(dbl, r.e.pz[k], top - 0.9 * deepest));
    }
    cr_assert(eq(dbl, r.e.px[2], 0.1 - 0.3));
    cr_assert(epsilon_eq(dbl, hypot(r.e.px[3] - 0.15, r.e.py[3]), 0.5, 1e-12));
    sherd_contact_trial_destroy(t);
    rig_free(&r);
    sherd_shape_destroy(plate);
}

Test(contact_trial, barriers_stop_what_springs_do_not)
{
    for (int with = 0; with < 2; ++with) {
        const double width = 1e-3;
        rig r = resting(0.3, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, -9.81));
        r.e.pz[0] = 0.0105, r.e.vz[0] = -60.0;
        sherd_contact_trial *t = make_trial(&r);
        double deepest = 0.0, dt = 0.05 * stability_limit(&r);
        while (r.e.vz[0] < 0.0) {
            euler_step_with(&r, t, dt, with ? width : 0.0);
            deepest = fmax(deepest, 0.01 - r.e.pz[0]);
        }
        if (with)
            cr_assert(lt(dbl, deepest, width));
        else
            cr_assert(lt(dbl, width, deepest));
        begin(&r, t, dt, width);
        r.e.pz[0] = 0.01 - fmax(2.0 * deepest, width);
        cr_assert(evaluate(&r, t, false).energy == INFINITY);
        sherd_contact_trial_destroy(t);
        rig_free(&r);
    }
}

// Half way into a barrier: energy and force are more than the spring's.       docs/theory/physics.md 2, slip 7
Test(contact_trial, barriers_push)
{
    const double width = 1e-3;
    double energy[2], force[2];
    for (int with = 0; with < 2; ++with) {
        rig r = resting(0.3, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, -9.81));
        r.e.pz[0] = 0.0105;
        sherd_contact_trial *t = make_trial(&r);
        begin(&r, t, DT, with ? width : 0.0);
        r.e.pz[0] = 0.01 - 0.5 * width;
        energy[with] = evaluate(&r, t, false).energy;
        force[with] = r.e.fz[0];
        sherd_contact_trial_destroy(t);
        rig_free(&r);
    }
    cr_assert(lt(dbl, 0.0, energy[0]));
    cr_assert(lt(dbl, energy[0], energy[1]));
    cr_assert(lt(dbl, 0.0, force[0]));
    cr_assert(lt(dbl, force[0], force[1]));
}

// ---------------------------------------------------------------- free bodies

// A box falls on the floor askew, beside an element; both come to rest, also for explicit contact.
Test(contact_trial, free_bodies_come_to_rest)
{
    sherd_shape *block = sherd_shape_box(vec3(0.06, 0.06, 0.04), NULL);
    rig r = rig_make(1, &RIG_MATERIAL, 1e-3, 1);
    r.gravity = vec3(0.0, 0.0, -9.81);
    sherd_obstacle_def def = rig_floor();
    rig_add(&r, &def);
    def = sherd_obstacle_def_default();
    def.kind = SHERD_OBSTACLE_FREE;
    def.shape = block;
    def.density = 1000.0;
    def.pose.position = vec3(0.0, 0.0, 0.023);
    def.pose.rotation = quat_from_rotation_vector(vec3(0.03, 0.02, 0.0));
    int box = rig_add(&r, &def);
    rig_put(&r, 0, vec3(0.3, 0.0, 0.01), vec3(0.0, 0.0, 0.0), 0.01);
    sherd_contact_trial *t = make_trial(&r);
    double dt = 20.0 * stability_limit(&r), weight = 9.81 * (1000.0 * 0.06 * 0.06 * 0.04);
    for (int s = 0; s < 400; ++s)
        euler_step(&r, t, dt);
    sherd_vec3 force, torque;
    sherd_contacts_obstacle_load(r.contacts, 0, &force, &torque);
    double all = weight + 9.81 * r.e.mass[0];
    cr_assert(epsilon_eq(dbl, force.z, -all, 1e-3 * all));
    cr_assert(
        epsilon_eq(dbl, sherd_contacts_obstacle_pose(r.contacts, box).position.z, 0.02, 1e-4));
    sherd_contact_energy c = sherd_contacts_energy(r.contacts, r.gravity);
    double lost = weight * 0.003;
    cr_assert(lt(dbl, c.rigid_kinetic, 1e-3 * lost));
    explicit_steps(&r, 0.3, 300);
    c = sherd_contacts_energy(r.contacts, r.gravity);
    cr_assert(lt(dbl, c.rigid_kinetic, 1e-3 * lost));
    sherd_contact_trial_destroy(t);
    rig_free(&r);
    sherd_shape_destroy(block);
}

// ---------------------------------------------------------------- mistakes

Test(contact_trial, refuses_nonsense)
{
    sherd_error error;
    rig r = resting(0.3, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, -9.81));
    sherd_contact_trial *t = make_trial(&r);
    sherd_contact_potential p;
    cr_assert(eq(int, sherd_contact_trial_evaluate(t, &r.e.points, false, &p, &error),
                 SHERD_ERROR_INPUT));
    cr_assert(eq(int, sherd_contact_trial_accept(t, &r.e.points, 0.5, &error), SHERD_ERROR_INPUT));
    cr_assert(eq(int, sherd_contact_trial_begin(t, &r.e.points, NULL, 0.0, NAN, 1.0, 0.0, &error),
                 SHERD_ERROR_INPUT));
    cr_assert(eq(str, error.what, "must be > 0 and finite, got nan s at 0 s"));
    cr_assert(eq(int, sherd_contact_trial_begin(t, &r.e.points, NULL, 0.0, 1.0, 1.0, -1.0, &error),
                 SHERD_ERROR_INPUT));
    begin(&r, t, DT, 0.0);
    r.e.px[0] = NAN;
    cr_assert(eq(int, sherd_contact_trial_evaluate(t, &r.e.points, false, &p, &error),
                 SHERD_ERROR_UNSTABLE));
    cr_assert(lt(sz, 0, sherd_contact_trial_bytes(t)));
    sherd_contact_trial_destroy(t);
    sherd_contact_trial_destroy(NULL);
    rig_free(&r);
}
