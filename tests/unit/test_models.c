// A model that is not made of bonded elements: point masses on springs, with arrays of their own. Contact, obstacles,
// free bodies and drivers work on its points; loads, sums, the bound of time steps, components, hashes and records go
// over its row, as over that of bonded elements.
#include "base/error.h"
#include "base/hash.h"
#include "bodies/driver.h"
#include "contact/contact.h"
#include "linear/eigenvalue.h"
#include "math/quat.h"
#include "models/models.h"
#include "models/rounding.h"
#include "points/elements.h"
#include "stepping/explicit/time_step.h"

#include <sherd/surface.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- chains of masses, a row of the table

enum { MASSES = 8, SPRINGS = MASSES - 1, COLUMNS = 21, FIRST_LOAD = 13 };

static const double SPACING = 0.025, RADIUS = 0.01, MASS = 0.01; // [m], [m], [kg]
static const double SECTION = 1e-4, STRENGTH = 1e5;              // of springs [m^2], [Pa]

typedef struct chain {
    double column[COLUMNS][MASSES];
    uint16_t material[MASSES];
    uint8_t held[MASSES], asleep[MASSES];
    uint8_t broken[SPRINGS];
    double stiffness;  // between neighbours [N/m]
    double relaxation; // damping by stiffness [s]
    double power;      // that damping took with the last loads [W]
    sherd_points points;
} chain;

static void chain_init(chain *c, sherd_vec3 first, sherd_vec3 velocity, double stiffness)
{
    *c = (chain){.stiffness = stiffness};
    sherd_points *p = &c->points;
    double **array[COLUMNS] = {&p->px, &p->py, &p->pz, &p->qx, &p->qy, &p->qz,     &p->qw,
                               &p->vx, &p->vy, &p->vz, &p->wx, &p->wy, &p->wz,     &p->fx,
                               &p->fy, &p->fz, &p->tx, &p->ty, &p->tz, &p->radius, &p->mass};
    for (int a = 0; a < COLUMNS; ++a)
        *array[a] = c->column[a];
    p->count = MASSES;
    p->material = c->material, p->held = c->held, p->asleep = c->asleep;
    for (int k = 0; k < MASSES; ++k) {
        p->px[k] = first.x + SPACING * k, p->py[k] = first.y, p->pz[k] = first.z;
        p->vx[k] = velocity.x, p->vy[k] = velocity.y, p->vz[k] = velocity.z;
        p->radius[k] = RADIUS, p->mass[k] = MASS;
        p->qw[k] = 1.0;
    }
}

static sherd_vec3 between(const chain *c, int k)
{
    return vec3_sub(sherd_point_position(&c->points, k + 1), sherd_point_position(&c->points, k));
}

static void add_spring(chain *c, int k)
{
    sherd_vec3 d = between(c, k), n = vec3_normalize(d);
    sherd_vec3 v =
        vec3_sub(sherd_point_velocity(&c->points, k + 1), sherd_point_velocity(&c->points, k));
    double rate = vec3_dot(v, n);
    double force = c->stiffness * (vec3_length(d) - SPACING) + c->relaxation * c->stiffness * rate;
    const sherd_vec3 none = {0.0, 0.0, 0.0};
    sherd_point_add_load(&c->points, k, vec3_scale(force, n), none);
    sherd_point_add_load(&c->points, k + 1, vec3_scale(-force, n), none);
    c->power += c->relaxation * c->stiffness * rate * rate;
}

// Its masses advance in two halves, as they would in blocks.
static void chain_set_loads(void *state, const sherd_point_advance *advance)
{
    chain *c = state;
    for (size_t begin = 0; advance != NULL && begin < MASSES; begin += MASSES / 2)
        advance->advance(advance->context, begin, begin + MASSES / 2);
    memset(c->column[FIRST_LOAD], 0, 6 * sizeof c->column[0]);
    c->power = 0.0;
    for (int k = 0; k < SPRINGS; ++k)
        if (!c->broken[k]) add_spring(c, k);
}

static const sherd_points *chain_points(const void *state)
{
    return &((const chain *)state)->points;
}

static double chain_energy(const void *state)
{
    const chain *c = state;
    double sum = 0.0;
    for (int k = 0; k < SPRINGS; ++k) {
        double stretch = c->broken[k] ? 0.0 : vec3_length(between(c, k)) - SPACING;
        sum += 0.5 * c->stiffness * stretch * stretch;
    }
    return sum;
}

static double chain_power(const void *state)
{
    return ((const chain *)state)->power;
}

static double chain_noise(const void *state)
{
    const chain *c = state;
    double sum = 0.0;
    for (int k = 0; k < SPRINGS; ++k) {
        double stretch = SPACING * sherd_noise_strain(sherd_point_position(&c->points, k), SPACING);
        sum += 0.5 * c->stiffness * stretch * stretch;
    }
    return sum;
}

static bool chain_is_stiff(const void *state)
{
    return ((const chain *)state)->stiffness > 0.0;
}

static sherd_relaxation_range chain_relaxation(const void *state)
{
    const chain *c = state;
    return (sherd_relaxation_range){c->relaxation, c->relaxation};
}

// Straight along x, unstretched.
typedef struct damped_chain {
    const chain *chain;
    double damping; // [1/s]
} damped_chain;

static void multiply_chain(const void *context, const double *x, double *y)
{
    const damped_chain *damped = context;
    const chain *c = damped->chain;
    double scaled = (1.0 + damped->damping * c->relaxation) * c->stiffness / MASS;
    memset(y, 0, 6 * MASSES * sizeof *y);
    for (int k = 0; k < SPRINGS; ++k) {
        if (c->broken[k]) continue;
        double force = scaled * (x[6 * (k + 1)] - x[6 * k]);
        y[6 * k] -= force;
        y[6 * (k + 1)] += force;
    }
}

static sherd_status chain_stiffness(const void *state, double damping,
                                    sherd_prepared_operator *product, sherd_error *error)
{
    (void)error;
    damped_chain *damped = malloc(sizeof *damped);
    *damped = (damped_chain){state, damping};
    *product = (sherd_prepared_operator){multiply_chain, damped, free};
    return SHERD_OK;
}

// Of a spring [N].
static double force_of(const chain *c, int k)
{
    return c->broken[k] ? 0.0 : c->stiffness * (vec3_length(between(c, k)) - SPACING);
}

// Along the chain, the larger of its springs'.
static void chain_stresses(const void *state, sherd_stress *stress)
{
    memset(stress, 0, MASSES * sizeof *stress);
    for (int k = 0; k < SPRINGS; ++k) {
        float here = (float)(force_of(state, k) / SECTION);
        stress[k].xx = fmaxf(stress[k].xx, here);
        stress[k + 1].xx = fmaxf(stress[k + 1].xx, here);
    }
}

static sherd_model_measures chain_measure(const void *state, float *ratio)
{
    sherd_model_measures of = {chain_energy(state), chain_noise(state), 0.0};
    for (int k = 0; k < SPRINGS; ++k)
        of.stress_ratio = fmax(of.stress_ratio, force_of(state, k) / SECTION / STRENGTH);
    sherd_stress stress[MASSES];
    chain_stresses(state, stress);
    for (int k = 0; ratio != NULL && k < MASSES; ++k)
        ratio[k] = stress[k].xx / (float)STRENGTH;
    return of;
}

static void chain_components(const void *state, sherd_element_index *first)
{
    const chain *c = state;
    first[0] = 0;
    for (int k = 0; k < SPRINGS; ++k)
        first[k + 1] = c->broken[k] ? k + 1 : first[k];
}

static uint64_t chain_hash(const void *state, uint64_t hash)
{
    const chain *c = state;
    return sherd_hash_bytes(sherd_points_hash(&c->points, hash), c->broken, SPRINGS);
}

enum { STATE = 3 };

static void chain_columns(const chain *c, sherd_record_column columns[STATE])
{
    void *moving = (void *)(uintptr_t)c->column, *broken = (void *)(uintptr_t)c->broken,
         *power = (void *)(uintptr_t)&c->power; // only read where the chain is
    columns[0] = (sherd_record_column){"moving", &sherd_rows_f64, moving, COLUMNS * MASSES, 0};
    columns[1] = (sherd_record_column){"broken", &sherd_rows_u8, broken, SPRINGS, 0};
    columns[2] = (sherd_record_column){"power", &sherd_rows_f64, power, 1, 0};
}

static sherd_status chain_save(const void *state, sherd_byte_buffer *out, sherd_error *error)
{
    sherd_record_column columns[STATE];
    chain_columns(state, columns);
    size_t begun = sherd_record_begin(out, "chain");
    sherd_record_write_all(out, columns, STATE);
    sherd_record_end(out, begun);
    return out->failed ? sherd_fail_memory(error, "chain") : SHERD_OK;
}

static sherd_status chain_restore(void *state, sherd_record_reader *in, sherd_error *error)
{
    (void)error; // the reader tells it
    sherd_record_column columns[STATE];
    chain_columns(state, columns);
    sherd_record_reader part = sherd_record_enter(in, "chain");
    sherd_record_read_all(&part, columns, STATE);
    return sherd_record_leave(&part);
}

static const sherd_model CHAIN = {
    .points = chain_points,
    .set_loads = chain_set_loads,
    .stored_energy = chain_energy,
    .damping_power = chain_power,
    .is_stiff = chain_is_stiff,
    .relaxation = chain_relaxation,
    .prepare_stiffness = chain_stiffness,
    .measure = chain_measure,
    .find_stresses = chain_stresses,
    .find_components = chain_components,
    .hash = chain_hash,
    .save = chain_save,
    .restore = chain_restore,
};

// ---------------------------------------------------------------- a little world of it

typedef struct masses {
    chain *c;
    sherd_contacts *contacts;
    sherd_drivers drivers;
    sherd_vec3 gravity;
    double time, dt;
    double dissipated; // by damping of springs [J]
} masses;

static masses masses_make(chain *c)
{
    static const sherd_contact_material material = {
        .youngs_modulus = 1e6, .friction = 0.0, .restitution = 0.7};
    sherd_contact_def def = {1, &material, 1e-3, {1}};
    masses m = {.c = c, .contacts = sherd_contacts_create(&def, NULL)};
    cr_assert(m.contacts != NULL);
    return m;
}

static void masses_free(masses *m)
{
    sherd_contacts_destroy(m->contacts);
    sherd_drivers_free(&m->drivers);
}

static void kick(masses *m, double dt)
{
    sherd_points *p = &m->c->points;
    for (int k = 0; k < MASSES; ++k) {
        if (p->held[k]) continue;
        p->vx[k] += dt * (p->fx[k] / MASS + m->gravity.x);
        p->vy[k] += dt * (p->fy[k] / MASS + m->gravity.y);
        p->vz[k] += dt * (p->fz[k] / MASS + m->gravity.z);
    }
}

static void drift(void *context, size_t begin, size_t end)
{
    const masses *m = context;
    sherd_points *p = &m->c->points;
    for (size_t k = begin; k < end; ++k) {
        if (p->held[k]) continue;
        p->px[k] += m->dt * p->vx[k], p->py[k] += m->dt * p->vy[k], p->pz[k] += m->dt * p->vz[k];
    }
}

static sherd_models models_of(const masses *m, sherd_model_part *part)
{
    *part = (sherd_model_part){&CHAIN, m->c};
    return (sherd_models){part, 1};
}

static void add_contacts(masses *m, double dt)
{
    sherd_error error = {0};
    cr_assert(eq(int, sherd_contacts_prepare(m->contacts, &m->c->points, NULL, &error), SHERD_OK),
              "%s", error.what);
    sherd_contacts_apply(m->contacts, &m->c->points, dt, m->gravity);
}

// Velocity Verlet, the drift within the pass over the chain where no driver moves masses between. Returns the work
// of drivers [J].
static double run(masses *m, int steps)
{
    sherd_points *p = &m->c->points;
    sherd_model_part part;
    sherd_models models = models_of(m, &part);
    const sherd_point_advance drifting = {p, drift, m};
    double work = 0.0;
    if (m->time == 0.0) {
        sherd_models_set_loads(models, NULL);
        add_contacts(m, 0.0);
    }
    for (int s = 0; s < steps; ++s) {
        kick(m, 0.5 * m->dt);
        m->time += m->dt;
        sherd_contacts_move_obstacles(m->contacts, m->time, m->dt, m->gravity);
        if (m->drivers.count > 0) {
            drift(m, 0, MASSES);
            work += sherd_drivers_move(&m->drivers, p, m->time, m->dt, m->gravity);
        }
        sherd_models_set_loads(models, m->drivers.count > 0 ? NULL : &drifting);
        m->dissipated += m->dt * sherd_models_damping_power(models);
        add_contacts(m, m->dt);
        work += sherd_drivers_settle(&m->drivers, p, m->dt, 1.0, m->gravity);
        kick(m, 0.5 * m->dt);
    }
    return work;
}

static double balance(const masses *m)
{
    const sherd_parallel parallel = {1};
    sherd_model_part part;
    sherd_models models = models_of(m, &part);
    sherd_contact_energy c = sherd_contacts_energy(m->contacts, m->gravity);
    return sherd_models_kinetic_energy(models, &parallel) + sherd_models_stored_energy(models) +
           sherd_models_gravity(models, m->gravity, &parallel) + c.stored + c.dissipated_damping +
           c.dissipated_friction + c.onset + c.rigid_kinetic + c.rigid_gravity + m->dissipated;
}

// ---------------------------------------------------------------- what it shows

Test(models, sums_go_over_all_models)
{
    const sherd_parallel parallel = {2};
    chain a, b;
    chain_init(&a, vec3(0.0, 0.0, 1.0), vec3(1.0, 2.0, 3.0), 100.0);
    chain_init(&b, vec3(0.0, 0.0, -2.0), vec3(0.0, -1.0, 0.0), 0.0);
    a.points.px[MASSES - 1] += 0.01;
    sherd_model_part parts[] = {{&CHAIN, &a}, {&CHAIN, &b}};
    sherd_models models = {parts, 2};
    double total = MASSES * MASS;
    cr_assert(epsilon_eq(dbl, sherd_models_kinetic_energy(models, &parallel),
                         0.5 * total * (14.0 + 1.0), 1e-12));
    cr_assert(epsilon_eq(dbl, sherd_models_stored_energy(models), 0.5 * 100.0 * 1e-4, 1e-12));
    cr_assert(epsilon_eq(dbl, sherd_models_gravity(models, vec3(0.0, 0.0, -10.0), &parallel),
                         total * 10.0 * (1.0 - 2.0), 1e-12));
    sherd_vec3 p = sherd_models_momentum(models, vec3(0.0, 0.0, 0.0));
    cr_assert(lt(dbl, vec3_distance(p, vec3(total, total, 3.0 * total)), 1e-12));
    sherd_vec3 l = sherd_models_angular_momentum(models, vec3(0.0, 0.0, 0.0));
    cr_assert(epsilon_eq(dbl, l.x, total * (-1.0 * 2.0 + 2.0 * -1.0), 1e-12)); // y v_z - z v_y
}

// A chain with free ends: 4 k/m cos^2(pi / 2 n).
Test(models, the_bound_of_steps_asks_the_row)
{
    chain c;
    chain_init(&c, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 500.0);
    const sherd_model_part part = {&CHAIN, &c};
    const sherd_parallel parallel = {1};
    sherd_eigenvalue eigenvalue;
    cr_assert(part.model->is_stiff(part.state));
    sherd_prepared_operator undamped;
    cr_assert(eq(int, part.model->prepare_stiffness(part.state, 0.0, &undamped, NULL), SHERD_OK));
    cr_assert(eq(int,
                 sherd_largest_eigenvalue(undamped.apply, undamped.context, 6 * MASSES, 1e-6, 100,
                                          &parallel, &eigenvalue, NULL),
                 SHERD_OK));
    undamped.release(undamped.context);
    double cosine = cos(0.5 * M_PI / MASSES);
    // beta omega / 2 = 1/2 in the fastest mode; the eigenvalue is bounded within 1 %, the step within half of that.
    double omega = 2.0 * sqrt(500.0 / MASS) * cosine, limit = INFINITY;
    c.relaxation = 1.0 / omega;
    cr_assert(eq(int, sherd_model_limit(&part, &parallel, &limit, NULL), SHERD_OK));
    cr_assert(epsilon_eq(dbl, limit * omega, 2.0 * (sqrt(1.25) - 0.5), 0.015));
    cr_assert(
        epsilon_eq(dbl, eigenvalue.estimate / (4.0 * 500.0 / MASS * cosine * cosine), 1.0, 1e-5));
}

// They fall on a floor and bounce, chain and all.
Test(models, masses_bounce_on_an_obstacle)
{
    chain c;
    chain_init(&c, vec3(0.0, 0.0, 0.02), vec3(0.0, 0.0, -1.0), 500.0);
    masses m = masses_make(&c);
    m.gravity = vec3(0.0, 0.0, -9.81);
    sherd_obstacle_def floor = sherd_obstacle_def_default();
    floor.is_plane = true;
    floor.pose.rotation = quat_from_rotation_vector(vec3(0.0, 0.2, 0.0));
    floor.pose.position = vec3(0.0, 0.0, -0.05);
    cr_assert(ge(int, sherd_contacts_add_obstacle(m.contacts, &floor, NULL), 0));
    m.dt = 0.1 / sqrt(sherd_contacts_max_eigenvalue(m.contacts, &c.points));
    double start = balance(&m);
    run(&m, (int)(0.15 / m.dt));
    sherd_contact_energy energy = sherd_contacts_energy(m.contacts, m.gravity);
    double kinetic = 0.5 * MASSES * MASS;
    cr_assert(lt(dbl, 0.1 * kinetic, energy.dissipated_damping));
    // Verlet's energy oscillates by (omega dt)^2 / 8 while springs of the chain do.
    cr_assert(lt(dbl, fabs(balance(&m) - start), 2e-3 * kinetic));
    for (int k = 0; k < MASSES; ++k)
        cr_assert(lt(dbl, -0.2, sherd_point_position(&c.points, k).z));
    masses_free(&m);
}

// A free ball flies into the chain: what it gives, they get. Masses of the chain meet each other, too.
Test(models, momentum_passes_between_masses_and_a_free_body)
{
    chain c;
    chain_init(&c, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 500.0);
    masses m = masses_make(&c);
    sherd_shape *ball = sherd_shape_sphere(0.02, NULL);
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.kind = SHERD_OBSTACLE_FREE;
    def.shape = ball;
    def.mass = 0.05;
    def.velocity = vec3(3.0, 0.0, 0.0);
    def.pose.position = vec3(-0.05, 0.002, 0.001);
    cr_assert(ge(int, sherd_contacts_add_obstacle(m.contacts, &def, NULL), 0));
    m.dt = 0.1 / sqrt(sherd_contacts_max_eigenvalue(m.contacts, &c.points));
    run(&m, (int)(0.05 / m.dt));
    sherd_model_part part;
    sherd_contact_energy energy = sherd_contacts_energy(m.contacts, m.gravity);
    sherd_vec3 all = sherd_models_momentum(models_of(&m, &part), energy.rigid_momentum);
    cr_assert(lt(dbl, vec3_distance(all, vec3(0.15, 0.0, 0.0)), 1e-13));
    cr_assert(lt(dbl, 0.5, c.points.vx[MASSES - 1]));
    cr_assert(lt(dbl, energy.rigid_momentum.x, 0.1));
    masses_free(&m);
    sherd_shape_destroy(ball);
}

// The first mass is held and driven; its reaction is what the others gain.
Test(models, a_driver_pulls_masses)
{
    chain c;
    chain_init(&c, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 500.0);
    masses m = masses_make(&c);
    sherd_driver_def def = sherd_driver_def_default();
    sherd_shape *ball = sherd_shape_sphere(0.5 * SPACING, NULL);
    def.region.shape = ball;
    def.drive = SHERD_DRIVE_MOTION;
    def.motion.velocity = vec3(-0.5, 0.0, 0.0);
    sherd_error error = {0};
    cr_assert(eq(int, sherd_drivers_add(&m.drivers, &def, &c.points, 0, MASSES, &error), SHERD_OK),
              "%s", error.what);
    cr_assert(c.held[0] == SHERD_HELD_ALL && c.held[1] == 0);
    m.dt = 1e-5;
    double work = run(&m, 6000);
    cr_assert(epsilon_eq(dbl, c.points.px[0], -0.5 * m.time, 1e-12));
    cr_assert(lt(dbl, c.points.vx[MASSES - 1], -0.1));
    cr_assert(epsilon_eq(dbl, balance(&m), work, 1e-3 * work));
    masses_free(&m);
    sherd_shape_destroy(ball);
}

// ---------------------------------------------------------------- several of them

// Drifts masses of the chain that it is given, so that the others must stay.
typedef struct shift {
    sherd_points *points;
    int times[MASSES];
} shift;

static void shift_up(void *context, size_t begin, size_t end)
{
    shift *by = context;
    for (size_t k = begin; k < end; ++k)
        by->points->pz[k] += 1.0, ++by->times[k];
}

Test(models, points_advance_with_the_loads_of_their_own_model)
{
    chain a, b;
    chain_init(&a, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 100.0);
    chain_init(&b, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 100.0);
    a.points.px[0] -= 0.01;
    b.points.px[MASSES - 1] += 0.02;
    sherd_model_part parts[] = {{&CHAIN, &a}, {&CHAIN, &b}};
    shift by = {.points = &b.points};
    sherd_models_set_loads((sherd_models){parts, 2},
                           &(sherd_point_advance){&b.points, shift_up, &by});
    for (int k = 0; k < MASSES; ++k) {
        cr_assert(eq(int, by.times[k], 1));
        cr_assert(eq(dbl, a.points.pz[k], 0.0));
        cr_assert(eq(dbl, b.points.pz[k], 1.0));
    }
    // k times the stretch, to the rounding of places of 0.2 m.
    cr_assert(epsilon_eq(dbl, a.points.fx[0], 1.0, 1e-12));
    cr_assert(epsilon_eq(dbl, b.points.fx[MASSES - 1], -2.0, 1e-12));
}

// A stretched chain with free ends rings down; what its row says that damping takes is what is gone.
Test(models, damping_takes_what_the_row_says)
{
    chain c;
    chain_init(&c, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 500.0);
    c.relaxation = 2e-4;
    c.points.px[MASSES - 1] += 0.002;
    masses m = masses_make(&c);
    m.dt = 0.02 / sqrt(4.0 * c.stiffness / MASS);
    double start = balance(&m);
    run(&m, (int)(0.2 / m.dt));
    cr_assert(lt(dbl, 0.9 * start, m.dissipated));
    // Trapezoids of P, and the offset of Verlet's energy: both (omega dt)^2 / 4 of what rings.
    cr_assert(lt(dbl, fabs(balance(&m) - start), 2e-4 * start));
    masses_free(&m);
}

// The second spring of the second chain is stretched: 5 N on a section of 1 cm^2.
Test(models, stresses_are_told_by_number_through_all_models)
{
    chain a, b;
    chain_init(&a, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 500.0);
    chain_init(&b, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 500.0);
    for (int k = 2; k < MASSES; ++k)
        b.points.px[k] += 0.01;
    sherd_model_part parts[] = {{&CHAIN, &a}, {&CHAIN, &b}};
    sherd_models models = {parts, 2};
    sherd_stress stress[2 * MASSES];
    float ratio[2 * MASSES];
    sherd_models_find_stresses(models, stress);
    sherd_model_measures of = sherd_models_measure(models, ratio);
    // Places of 0.2 m are rounded to 3e-17 m, a share of 3e-15 of the stretch; stresses to single precision.
    cr_assert(epsilon_eq(dbl, of.stress_ratio, 0.5, 1e-12));
    cr_assert(sherd_models_measure(models, NULL).stress_ratio == of.stress_ratio);
    cr_assert(of.stored == sherd_models_stored_energy(models));
    for (int k = 0; k < 2 * MASSES; ++k) {
        bool bears = k == MASSES + 1 || k == MASSES + 2;
        cr_assert(epsilon_eq(flt, stress[k].xx, bears ? 5e4f : 0.0f, 1e-2f), "%d", k);
        cr_assert(epsilon_eq(flt, ratio[k], bears ? 0.5f : 0.0f, 1e-6f), "%d", k);
    }
}

// A chain that is whole but for the rounding of its places has less than its row says that noise may be.
Test(models, noise_covers_rounding_far_from_the_origin)
{
    chain near, far;
    chain_init(&near, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 500.0);
    chain_init(&far, vec3(300.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 500.0);
    sherd_model_part parts[] = {{&CHAIN, &near}, {&CHAIN, &far}};
    double far_alone = sherd_models_measure((sherd_models){parts + 1, 1}, NULL).noise;
    double both = sherd_models_measure((sherd_models){parts, 2}, NULL).noise;
    cr_assert(lt(dbl, 0.0, CHAIN.stored_energy(&far)));
    cr_assert(lt(dbl, CHAIN.stored_energy(&far), far_alone));
    cr_assert(lt(dbl, chain_noise(&near), 1e-3 * far_alone));
    cr_assert(eq(dbl, both, chain_noise(&near) + far_alone));
}

// ---------------------------------------------------------------- records

static const sherd_record_about ABOUT = {
    .where = "checkpoint", .hint = "start anew", .complete = true};

static sherd_status restore_all(sherd_models models, const sherd_byte_buffer *saved,
                                sherd_error *error)
{
    sherd_record_reader in = sherd_record_open(saved->bytes, saved->size, &ABOUT, error);
    in.status = sherd_models_restore(models, &in, error);
    return sherd_record_close(&in);
}

static void ring(chain *c)
{
    masses m = masses_make(c);
    m.time = m.dt = 1e-4; // loads are there
    run(&m, 200);
    masses_free(&m);
}

// Saved in the middle of ringing, one of them broken, and restored into chains as they were made.
Test(models, restored_models_go_on_bit_for_bit)
{
    chain a, b;
    chain_init(&a, vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0), 500.0);
    chain_init(&b, vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 2.0), 100.0);
    chain again[2];
    chain_init(&again[0], vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0), 500.0);
    chain_init(&again[1], vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 2.0), 100.0);
    a.points.px[0] -= 0.003, b.points.py[4] += 0.002, b.broken[5] = 1;
    sherd_model_part parts[] = {{&CHAIN, &a}, {&CHAIN, &b}},
                     others[] = {{&CHAIN, &again[0]}, {&CHAIN, &again[1]}};
    sherd_models models = {parts, 2}, restored = {others, 2};
    ring(&a), ring(&b);
    sherd_byte_buffer saved = {0};
    sherd_error error = {0};
    cr_assert(eq(int, sherd_models_save(models, &saved, &error), SHERD_OK));
    uint64_t then = sherd_models_hash(models, SHERD_HASH_START);
    cr_assert(ne(u64, sherd_models_hash(restored, SHERD_HASH_START), then));
    cr_assert(eq(int, restore_all(restored, &saved, &error), SHERD_OK), "%s", error.what);
    cr_assert(eq(u64, sherd_models_hash(restored, SHERD_HASH_START), then));
    ring(&a), ring(&b), ring(&again[0]), ring(&again[1]);
    uint64_t now = sherd_models_hash(models, SHERD_HASH_START);
    cr_assert(ne(u64, now, then));
    cr_assert(eq(u64, sherd_models_hash(restored, SHERD_HASH_START), now));
    // Broken springs count though nothing moves otherwise yet.
    again[0].broken[0] = 1;
    cr_assert(ne(u64, sherd_models_hash(restored, SHERD_HASH_START), now));
    // A record of fewer models, or of more, is another system's.
    cr_assert(eq(int, restore_all((sherd_models){others, 1}, &saved, &error), SHERD_ERROR_INPUT));
    saved.size = 0;
    cr_assert(eq(int, sherd_models_save((sherd_models){parts, 1}, &saved, &error), SHERD_OK));
    cr_assert(eq(int, restore_all(restored, &saved, &error), SHERD_ERROR_INPUT));
    sherd_byte_buffer_free(&saved);
}

// ---------------------------------------------------------------- fragments and surfaces

// Points, radii and components are all that fragments and surfaces need: no bonds.
Test(models, components_become_fragments_with_surfaces)
{
    enum { ALL = 2 * MASSES };
    chain c[2];
    double x[ALL], y[ALL], z[ALL], radius[ALL], mass[ALL];
    sherd_model_part parts[2];
    for (int k = 0; k < 2; ++k) {
        chain_init(&c[k], vec3(0.0, k, 0.0), vec3(0.0, 0.0, 0.0), 500.0);
        parts[k] = (sherd_model_part){&CHAIN, &c[k]};
    }
    for (int k = 0; k < ALL; ++k) {
        const sherd_points *p = &c[k / MASSES].points;
        x[k] = p->px[k % MASSES], y[k] = p->py[k % MASSES], z[k] = p->pz[k % MASSES];
        radius[k] = 0.5 * SPACING, mass[k] = MASS;
    }
    sherd_models models = {parts, 2};
    sherd_element_index component[ALL];
    sherd_fragment_input input = {
        .element_count = ALL, .mass = mass, .radius = radius, .component = component};
    sherd_error error = {0};
    sherd_surface_body body = {.count = ALL, .kind = SHERD_SURFACE_YARNS};
    sherd_surface_def def = sherd_surface_def_default();
    def.method = SHERD_SURFACE_FLUID;
    def.body_count = 1, def.bodies = &body, def.element_count = ALL;
    def.rest_x = x, def.rest_y = y, def.rest_z = z, def.radius = radius, def.threads = 1;
    sherd_surface *surface = sherd_surface_create(&def, &error);
    cr_assert(surface != NULL, "%s", error.what);
    sherd_fragments *fragments = sherd_fragments_create(&error);
    for (int broken = 0; broken < 2; ++broken) {
        if (broken) c[1].broken[2] = c[1].broken[5] = 1;
        sherd_models_find_components(models, component);
        cr_assert(eq(int, sherd_fragments_update(fragments, &input, &error), SHERD_OK), "%s",
                  error.what);
        sherd_fragment_view view = sherd_fragments_view(fragments);
        cr_assert(eq(int, sherd_surface_update(surface, &view, NULL, &error), SHERD_OK), "%s",
                  error.what);
        cr_assert(eq(int, view.count, broken ? 4 : 2));
        cr_assert(eq(int, sherd_surface_piece_count(surface), view.count));
    }
    // 8..10, 11..13, 14 and 15: on a tie the first keeps the id.
    const int first[ALL] = {0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 11, 11, 11, 14, 14};
    for (int k = 0; k < ALL; ++k)
        cr_assert(eq(int, component[k], first[k]));
    sherd_fragment_view view = sherd_fragments_view(fragments);
    cr_assert(eq(int, view.element_fragment[8], 2));
    cr_assert(eq(int, view.element_fragment[11], 3));
    cr_assert(eq(int, view.fragments[3].parent, 2));
    sherd_fragments_destroy(fragments);
    sherd_surface_destroy(surface);
}
