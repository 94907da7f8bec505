// Loads of bonds and forces of contacts as they are told: one bond by closed forms, and what acts on elements, obstacles
// and grips in all.
#include "physics/methods.h"

#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static sherd_vec3 plus(sherd_vec3 a, double s, sherd_vec3 b)
{
    return (sherd_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double length_of(sherd_vec3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

// On the side of i.
static sherd_vec3 force_of(const sherd_contact_force *c)
{
    return plus(c->friction, c->normal_force, c->normal);
}

static sherd_contact_force *contacts_of(const sherd_world *world, int64_t *count)
{
    sherd_error error;
    sherd_contact_force *c = sherd_world_contact_forces(world, count, &error);
    cr_assert(c != NULL, "%s", error.what);
    return c;
}

static sherd_bond_load *loads_of(const sherd_world *world)
{
    sherd_bond_load *loads = calloc((size_t)sherd_world_bonds(world).count + 1, sizeof *loads);
    sherd_world_bond_loads(world, loads);
    return loads;
}

// ---------------------------------------------------------------- one bond

#define RADIUS 1e-3 // of both elements, and of the bond [m]
#define MODULUS 1e9
#define SHEAR_MODULUS 4e8

typedef struct motion {
    sherd_vec3 velocity, turn; // of j, per unit [m], [rad]
    double amount;
    bool both;      // i turns the other way
    bool backwards; // of the number below: its sign
} motion;

static void hold(sherd_world *world, double x, sherd_vec3 velocity, sherd_vec3 turn)
{
    sherd_driver_def d = held();
    d.motion.velocity = velocity;
    d.motion.angular_velocity = turn;
    d.motion.pivot.x = x;
    drive(world, (sherd_vec3){x, 0, 0}, (sherd_vec3){RADIUS, RADIUS, RADIUS}, d);
}

static sherd_world *moved_pair(const sherd_material_def *material, const motion *m)
{
    static const double x[] = {0.0, 2.0 * RADIUS}, zero[2] = {0.0}, radius[] = {RADIUS, RADIUS};
    static const sherd_element_index i = 0, j = 1;
    sherd_error error;
    sherd_world_def def = def_of(EXPLICIT, (sherd_vec3){0, 0, 0});
    def.contacts = false;
    def.precision = SHERD_PRECISION_DOUBLE;
    sherd_world *world = create(&def);
    sherd_body_def body = sherd_body_def_default();
    body.count = 2;
    body.x = x, body.y = body.z = zero, body.radius = radius;
    body.bonding = SHERD_BONDING_LIST;
    body.bond_count = 1, body.bond_i = &i, body.bond_j = &j;
    body.material = sherd_world_add_material(world, material, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    const double time = 1e-3, s = m->amount / time, back = m->both ? -s : 0.0;
    const sherd_vec3 none = {0, 0, 0};
    hold(world, 2.0 * RADIUS, plus(none, s, m->velocity), plus(none, s, m->turn));
    hold(world, 0.0, none, plus(none, back, m->turn));
    set_frame(world, EXPLICIT, time);
    advance(world, time);
    return world;
}

static void check_pair(sherd_bond_law law)
{
    // A thousandth of a strain: the laws differ, and leave the closed forms, by its square.
    static const motion PULL = {.velocity = {1, 0, 0}, .amount = 2e-6},
                        PUSH = {.velocity = {-1, 0, 0}, .amount = 2e-6},
                        SHIFT = {.velocity = {0, 1, 0}, .amount = 2e-6},
                        BEND = {.turn = {0, 0, 1}, .amount = 1e-3, .both = true},
                        TWIST = {.turn = {1, 0, 0}, .amount = 1e-3};
    sherd_material_def m = sherd_material_def_default();
    m.law = law;
    m.density = 2000.0;
    m.youngs_modulus = MODULUS, m.shear_modulus = SHEAR_MODULUS;
    m.tensile_strength = m.shear_strength = 1e8;
    const double S = PI * RADIUS * RADIUS, second = 0.25 * S * RADIUS * RADIUS, l = 2.0 * RADIUS;
    const double kappa = law == SHERD_BOND_LAW_ROD ? 5.0 / 6.0 : 1.0; // Timoshenko's, of rods
    const double pull = MODULUS * S * 1e-3, shift = kappa * SHEAR_MODULUS * S * 1e-3,
                 bend = MODULUS * second * 2e-3 / l,
                 twist = SHEAR_MODULUS * 2.0 * second * 1e-3 / l;
    const struct {
        const motion *by;
        double normal, shear, bending, twisting, energy, stress;
        sherd_vec3 force, moment;
    } WANT[] = {
        {&PULL, pull, 0, 0, 0, pull * 1e-6, pull / S, {-pull, 0, 0}, {0, 0, 0}},
        {&PUSH, -pull, 0, 0, 0, pull * 1e-6, 0.0, {pull, 0, 0}, {0, 0, 0}},
        {&SHIFT, 0, shift, 0, 0, shift * 1e-6, shift / S, {0, -shift, 0}, {0, 0, 0}},
        {&BEND, 0, 0, bend, 0, bend * 1e-3, bend * RADIUS / second, {0, 0, 0}, {0, 0, -bend}},
        {&TWIST,
         0,
         0,
         0,
         twist,
         twist * 5e-4,
         0.5 * twist * RADIUS / second,
         {0, 0, 0},
         {-twist, 0, 0}},
    };
    const double F = 3e-3 * pull, M = 3e-3 * bend; // of strains squared, along other axes too
    for (size_t k = 0; k < sizeof WANT / sizeof *WANT; ++k) {
        sherd_world *world = moved_pair(&m, WANT[k].by);
        sherd_bond_load l1;
        sherd_world_bond_loads(world, &l1);
        cr_assert(epsilon_eq(dbl, l1.normal_force, WANT[k].normal, F), "%d: normal", (int)k);
        cr_assert(epsilon_eq(dbl, l1.shear_force, WANT[k].shear, F), "%d: shear", (int)k);
        cr_assert(epsilon_eq(dbl, l1.bending_moment, WANT[k].bending, M), "%d: bending", (int)k);
        cr_assert(epsilon_eq(dbl, l1.twisting_moment, WANT[k].twisting, M), "%d: twisting", (int)k);
        cr_assert(lt(dbl, length_of(plus(l1.force, -1.0, WANT[k].force)), 2.0 * F), "%d", (int)k);
        cr_assert(lt(dbl, length_of(plus(l1.moment, -1.0, WANT[k].moment)), 2.0 * M), "%d", (int)k);
        cr_assert(epsilon_eq(dbl, l1.energy, WANT[k].energy, 5e-3 * fabs(WANT[k].energy)),
                  "%d: energy", (int)k);
        cr_assert(
            epsilon_eq(dbl, l1.stress_ratio, WANT[k].stress / 1e8, 5e-3 * MODULUS * 1e-3 / 1e8),
            "%d: ratio", (int)k);
        cr_assert(l1.damage == 0.0 && l1.plastic_strain == 0.0);
        sherd_world_destroy(world);
    }
}

Test(loads, one_bond_bears_what_closed_forms_say)
{
    check_pair(SHERD_BOND_LAW_QUATERNION);
    check_pair(SHERD_BOND_LAW_LU);
    check_pair(SHERD_BOND_LAW_ROD);
}

// Pulled to twice the yield strain without hardening: half of the elongation is plastic. Pulled to twice the elongation
// at its strength, a bond that softens up to some four or five times that has lost more than half of its stiffness.
Test(loads, bonds_tell_what_they_have_suffered)
{
    static const motion PULL = {.velocity = {1, 0, 0}, .amount = 4e-6};
    sherd_material_def m = sherd_material_def_default();
    m.law = SHERD_BOND_LAW_ROD;
    m.density = 2000.0;
    m.youngs_modulus = MODULUS, m.shear_modulus = SHEAR_MODULUS;
    m.tensile_strength = m.shear_strength = INFINITY;
    m.breakage = SHERD_BREAKAGE_NONE;
    m.yield_stress = MODULUS * 1e-3;
    sherd_world *world = moved_pair(&m, &PULL);
    sherd_bond_load l;
    sherd_world_bond_loads(world, &l);
    // It remembers single precision, and yields to 1e-5 of its stress.
    cr_assert(epsilon_eq(dbl, l.plastic_strain, 1e-3, 1e-6));
    cr_assert(epsilon_eq(dbl, l.normal_force, MODULUS * 1e-3 * PI * RADIUS * RADIUS,
                         1e-3 * MODULUS * 1e-3 * 4e-6));
    cr_assert(eq(dbl, l.damage, 0.0));
    sherd_world_destroy(world);

    m = sherd_material_def_default();
    m.density = 2000.0;
    m.youngs_modulus = MODULUS, m.shear_modulus = SHEAR_MODULUS;
    m.tensile_strength = m.shear_strength = MODULUS * 1e-3;
    m.fracture_energy = 4.0 * MODULUS * 1e-6 * 2.0 * RADIUS / 2.0;
    world = moved_pair(&m, &PULL);
    sherd_world_bond_loads(world, &l);
    // What is left of its stiffness is what its force says; strains of 2e-3 are beyond closed forms by their size.
    cr_assert(lt(dbl, 0.3, l.damage));
    cr_assert(lt(dbl, l.damage, 0.9));
    double whole = MODULUS * 2e-3 * PI * RADIUS * RADIUS;
    cr_assert(epsilon_eq(dbl, l.normal_force, (1.0 - l.damage) * whole, 4e-3 * whole));
    cr_assert(epsilon_eq(dbl, l.stress_ratio, 1.0, 1e-3));
    cr_assert(eq(dbl, l.plastic_strain, 0.0));
    sherd_world_destroy(world);
}

// ---------------------------------------------------------------- what acts on elements and obstacles

typedef struct scene {
    sherd_world *world;
    sherd_obstacle_id floor;
    double weight; // of elements [N]
} scene;

static sherd_obstacle_id add_ground(sherd_world *world)
{
    sherd_error error;
    sherd_obstacle_def plane = sherd_obstacle_def_default();
    plane.is_plane = true;
    sherd_obstacle_id id = sherd_world_add_obstacle(world, &plane, &error);
    cr_assert(id.index1 != 0, "%s", error.what);
    return id;
}

// Two blocks, the upper one turned a little, above a floor.
static scene two_blocks(const sherd_world_def *def, double speed)
{
    scene s = {.world = create(def)};
    block b = block_default();
    b.size = (sherd_vec3){0.012, 0.012, 0.006};
    b.material.youngs_modulus = 1e8, b.material.shear_modulus = 4e7;
    b.material.tensile_strength = b.material.shear_strength = INFINITY;
    b.material.breakage = SHERD_BREAKAGE_NONE;
    b.material.friction = 0.5;
    b.material.bond_damping = 0.0;
    b.pose.position.z = 0.0031;
    b.velocity = (sherd_vec3){0.3 * speed, 0, -speed};
    add_block(s.world, &b, NULL);
    b.pose.position = (sherd_vec3){0.001, 0.0005, 0.0093};
    b.pose.rotation = (sherd_quat){0.0, 0.0, sin(0.2), cos(0.2)};
    b.velocity = (sherd_vec3){0, 0, -2.0 * speed};
    add_block(s.world, &b, NULL);
    s.floor = add_ground(s.world);
    sherd_element_view e = sherd_world_elements(s.world);
    for (int k = 0; k < e.count; ++k)
        s.weight += 9.81 * sherd_world_element(s.world, k).mass;
    return s;
}

// Their forces on elements, into `force`; on obstacle 0 as the return value.
static sherd_vec3 add_contacts(const sherd_world *world, sherd_vec3 *force, int64_t *pairs)
{
    int64_t count;
    sherd_contact_force *c = contacts_of(world, &count);
    sherd_vec3 on_floor = {0, 0, 0};
    *pairs = 0;
    for (int64_t k = 0; k < count; ++k) {
        sherd_vec3 f = force_of(&c[k]);
        cr_assert(epsilon_eq(dbl, length_of(c[k].normal), 1.0, 1e-12));
        double across = c[k].friction.x * c[k].normal.x + c[k].friction.y * c[k].normal.y +
                        c[k].friction.z * c[k].normal.z;
        cr_assert(lt(dbl, fabs(across), 1e-6 * length_of(f) + 1e-12));
        cr_assert(le(dbl, 0.0, c[k].normal_force));
        if (c[k].i >= 0) force[c[k].i] = plus(force[c[k].i], 1.0, f);
        if (c[k].j >= 0) force[c[k].j] = plus(force[c[k].j], -1.0, f);
        if (c[k].j_obstacle == 0) on_floor = plus(on_floor, -1.0, f);
        *pairs += c[k].j >= 0;
    }
    sherd_world_free_contact_forces(c);
    return on_floor;
}

// In the middle of an impact every element is pushed by what its bonds and contacts say, and the floor by the rest.
Test(loads, elements_feel_what_is_told)
{
    sherd_world_def def = def_of(EXPLICIT, (sherd_vec3){0, 0, -9.81});
    def.precision = SHERD_PRECISION_DOUBLE;
    scene s = two_blocks(&def, 1.0);
    int64_t pairs = 0, most = 0;
    for (int look = 0; look < 6; ++look) {
        run_steps(s.world, 40);
        sherd_world_reset_probes(s.world);
        run_steps(s.world, 1);
        sherd_element_view e = sherd_world_elements(s.world);
        sherd_bond_view b = sherd_world_bonds(s.world);
        sherd_bond_load *loads = loads_of(s.world);
        sherd_vec3 *force = calloc((size_t)e.count, sizeof *force);
        sherd_vec3 on_floor = add_contacts(s.world, force, &pairs);
        most = pairs > most ? pairs : most;
        double largest = length_of(on_floor);
        for (int64_t k = 0; k < b.count; ++k) {
            force[b.j[k]] = plus(force[b.j[k]], 1.0, loads[k].force);
            force[b.i[k]] = plus(force[b.i[k]], -1.0, loads[k].force);
            largest = fmax(largest, length_of(loads[k].force));
        }
        for (int k = 0; k < e.count; ++k) // histories of contacts are single
            cr_assert(lt(dbl,
                         length_of(plus(force[k], -1.0, sherd_world_element_force(s.world, k))),
                         1e-6 * largest + 1e-9),
                      "element %d of look %d", k, look);
        sherd_vec3 probe = sherd_world_probe_obstacle(s.world, s.floor).force;
        cr_assert(lt(dbl, length_of(plus(probe, -1.0, on_floor)), 1e-6 * largest + 1e-9));
        free(force);
        free(loads);
    }
    cr_assert(lt(i64, 0, most), "the blocks do not touch each other");
    sherd_world_destroy(s.world);
}

// ---------------------------------------------------------------- at rest

static void check_rest(const sherd_world_def *def, double until, double within)
{
    scene s = two_blocks(def, 0.0);
    int count = sherd_world_elements(s.world).count;
    set_frame(s.world, (stepping){.method = def->method}, until / 10);
    advance(s.world, 0.9 * until);
    sherd_world_reset_probes(s.world);
    advance(s.world, until);
    int64_t pairs;
    sherd_vec3 *force = calloc((size_t)count, sizeof *force);
    sherd_vec3 on_floor = add_contacts(s.world, force, &pairs);
    sherd_vec3 probe = sherd_world_probe_obstacle(s.world, s.floor).force;
    double upper = 0.0;
    for (int k = count / 2; k < count; ++k)
        upper += force[k].z;
    cr_log_info("method %d: %g on the floor, %g by the probe, %g on the upper block; weight %g N",
                (int)def->method, on_floor.z, probe.z, upper, s.weight);
    cr_assert(epsilon_eq(dbl, -on_floor.z, s.weight, within * s.weight));
    cr_assert(epsilon_eq(dbl, -probe.z, s.weight, within * s.weight));
    cr_assert(epsilon_eq(dbl, upper, 0.5 * s.weight, within * s.weight));
    cr_assert(epsilon_eq(dbl, on_floor.x, 0.0, within * s.weight));
    cr_assert(epsilon_eq(dbl, on_floor.y, 0.0, within * s.weight));
    free(force);
    sherd_world_destroy(s.world);
}

// Implicit steps take vibrations away: what is left is the weight, to the accuracy of Newton's method.
Test(loads, contacts_bear_the_weight)
{
    sherd_world_def def = def_of(euler(50.0), (sherd_vec3){0, 0, -9.81});
    check_rest(&def, 0.05, 0.01);
}

static scene low_block(const sherd_world_def *def)
{
    scene s = {.world = create(def)};
    block b = block_default();
    b.size = (sherd_vec3){0.012, 0.012, 0.006};
    b.material.youngs_modulus = 1e8, b.material.shear_modulus = 4e7;
    b.material.breakage = SHERD_BREAKAGE_NONE;
    b.pose.position.z = 0.003;
    add_block(s.world, &b, NULL);
    s.floor = add_ground(s.world);
    return s;
}

static double weight_of(const sherd_world *world)
{
    double weight = 0.0;
    for (int k = 0; k < sherd_world_elements(world).count; ++k)
        weight += 9.81 * sherd_world_element(world, k).mass;
    return weight;
}

static double borne(const sherd_world *world)
{
    int64_t pairs;
    sherd_vec3 *force = calloc((size_t)sherd_world_elements(world).count, sizeof *force);
    sherd_vec3 on_floor = add_contacts(world, force, &pairs);
    free(force);
    return -on_floor.z;
}

// What fell asleep is in balance exactly: to the single precision of elements' masses.
Test(loads, contacts_of_sleepers_bear_the_weight)
{
    sherd_world_def def =
        def_of((stepping){SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO}, (sherd_vec3){0, 0, -9.81});
    def.sleep = true;
    scene s = low_block(&def);
    int count = sherd_world_elements(s.world).count;
    for (int k = 1; k <= 40 && sherd_world_asleep_count(s.world) < count; ++k)
        advance(s.world, 0.05 * k);
    cr_assert(eq(int, (int)sherd_world_asleep_count(s.world), count));
    double weight = weight_of(s.world);
    cr_assert(epsilon_eq(dbl, borne(s.world), weight, 1e-5 * weight));
    sherd_world_destroy(s.world);
}

// Two blocks far apart are stepped separately, beside a free obstacle that is in one region only: elements and obstacles
// keep their numbers.
Test(loads, regions_tell_the_numbers_of_the_whole)
{
    sherd_error error;
    sherd_world_def def =
        def_of((stepping){SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO}, (sherd_vec3){0, 0, -9.81});
    scene s = {.world = create(&def)};
    block b = block_default();
    b.size = (sherd_vec3){0.012, 0.012, 0.006};
    b.material.youngs_modulus = 1e8, b.material.shear_modulus = 4e7;
    b.material.breakage = SHERD_BREAKAGE_NONE;
    b.pose.position.z = 0.0035;
    b.velocity.z = -1.0;
    add_block(s.world, &b, NULL);
    b.pose.position.x = 1.0;
    add_block(s.world, &b, NULL);
    sherd_shape *ball = sherd_shape_sphere(0.01, &error);
    sherd_obstacle_def free_ball = sherd_obstacle_def_default();
    free_ball.kind = SHERD_OBSTACLE_FREE;
    free_ball.shape = ball;
    free_ball.density = 2000.0;
    free_ball.pose.position = (sherd_vec3){2.0, 0.0, 0.3};
    cr_assert(sherd_world_add_obstacle(s.world, &free_ball, &error).index1 != 0);
    s.floor = add_ground(s.world);
    int count = sherd_world_elements(s.world).count, divided = 0, of[2] = {0, 0};
    for (int k = 1; k <= 100; ++k) { // an impact takes 50 us
        advance(s.world, 2e-5 * k);
        if (sherd_world_region(s.world, 0).count < 2) continue;
        ++divided;
        int64_t told;
        sherd_contact_force *c = contacts_of(s.world, &told);
        for (int64_t n = 0; n < told; ++n) {
            cr_assert(c[n].i >= 0 && c[n].j_obstacle == 1,
                      "only elements touch, and the floor only");
            // It acts below the element that it says.
            sherd_element_view e = sherd_world_elements(s.world);
            cr_assert(lt(dbl, fabs(c[n].place.x - e.x[c[n].i]), 1e-9));
            cr_assert(lt(dbl, fabs(c[n].place.z), 1e-4));
            ++of[c[n].i >= count / 2];
        }
        sherd_world_free_contact_forces(c);
    }
    cr_log_info("divided at %d of 100 looks, contacts of both blocks: %d and %d", divided, of[0],
                of[1]);
    cr_assert(lt(int, 0, divided));
    cr_assert(lt(int, 0, of[0]));
    cr_assert(lt(int, 0, of[1]));
    sherd_world_destroy(s.world);
    sherd_shape_destroy(ball);
}

// A free obstacle rests on the floor by its points; the floor's probe has both.
Test(loads, free_obstacles_are_told_by_their_points)
{
    sherd_error error;
    sherd_world_def def = def_of(euler(20.0), (sherd_vec3){0, 0, -9.81});
    scene s = two_blocks(&def, 0.0);
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.01, 0.01, 0.01}, &error);
    sherd_obstacle_def free_box = sherd_obstacle_def_default();
    free_box.kind = SHERD_OBSTACLE_FREE;
    free_box.shape = box;
    free_box.density = 2000.0;
    free_box.pose.position = (sherd_vec3){0.05, 0.0, 0.005};
    cr_assert(sherd_world_add_obstacle(s.world, &free_box, &error).index1 != 0, "%s", error.what);
    advance(s.world, 0.05);
    int64_t count;
    sherd_contact_force *c = contacts_of(s.world, &count);
    double lifted = 0.0;
    for (int64_t k = 0; k < count; ++k) {
        if (c[k].i_obstacle < 0) continue;
        cr_assert(c[k].i == -1 && c[k].i_obstacle == 1 && c[k].j == -1 && c[k].j_obstacle == 0);
        cr_assert(lt(dbl, fabs(c[k].place.z), 1e-5));
        lifted += force_of(&c[k]).z;
    }
    sherd_world_free_contact_forces(c);
    cr_assert(epsilon_eq(dbl, lifted, 9.81 * 2000.0 * 1e-6, 0.02 * 9.81 * 2000.0 * 1e-6));
    sherd_world_destroy(s.world);
    sherd_shape_destroy(box);
}

// ---------------------------------------------------------------- cuts

// Of a bar that is pulled slowly, every section bears what the grip pulls with.
Test(loads, every_section_bears_the_grips_force)
{
    sherd_world_def def = def_of(euler(100.0), (sherd_vec3){0, 0, 0});
    def.contacts = false;
    sherd_world *world = create(&def);
    block b = block_default();
    b.size = (sherd_vec3){0.03, 0.008, 0.008};
    b.material.youngs_modulus = 1e8, b.material.shear_modulus = 4e7;
    b.material.breakage = SHERD_BREAKAGE_NONE;
    add_block(world, &b, NULL);
    drive_slab(world, -0.016, -0.012, held());
    sherd_driver_def d = held();
    d.motion.velocity.x = 1e-3;
    sherd_driver_id grip = drive_slab(world, 0.012, 0.016, d);
    advance(world, 0.04); // some 150 crossings of waves
    sherd_world_reset_probes(world);
    advance(world, 0.0405);
    double pull = -sherd_world_probe_driver(world, grip).force.x;
    cr_assert(lt(dbl, 0.0, pull));
    sherd_bond_load *loads = loads_of(world);
    sherd_bond_view bonds = sherd_world_bonds(world);
    for (double cut = -0.008; cut < 0.009; cut += 0.004) {
        double sum = 0.0;
        for (int64_t k = 0; k < bonds.count; ++k) {
            double xi = sherd_world_element(world, bonds.i[k]).rest.x - cut,
                   xj = sherd_world_element(world, bonds.j[k]).rest.x - cut;
            if (xi * xj < 0.0) sum += xi < xj ? -loads[k].force.x : loads[k].force.x;
        }
        cr_log_info("at %g mm: %g N of %g", 1e3 * cut, sum, pull);
        // The pull grew by 1.25 % over the time that the probe is the mean of; waves and Newton's accuracy add less.
        cr_assert(epsilon_eq(dbl, sum, pull, 0.015 * pull));
    }
    free(loads);
    sherd_world_destroy(world);
}

// ---------------------------------------------------------------- always the same

static sherd_world *thrown(int threads, stepping by)
{
    sherd_world_def def = def_of(by, (sherd_vec3){0, 0, -9.81});
    def.threads = threads;
    scene s = two_blocks(&def, 1.0);
    set_frame(s.world, by, 5e-4);
    return s.world;
}

static int64_t check_same(const sherd_world *a, const sherd_world *b)
{
    int64_t count, other;
    sherd_contact_force *x = contacts_of(a, &count), *y = contacts_of(b, &other);
    cr_assert(count == other && memcmp(x, y, (size_t)count * sizeof *x) == 0);
    sherd_world_free_contact_forces(x);
    sherd_world_free_contact_forces(y);
    sherd_bond_load *p = loads_of(a), *q = loads_of(b);
    cr_assert(memcmp(p, q, (size_t)sherd_world_bonds(a).count * sizeof *p) == 0);
    free(p);
    free(q);
    return count;
}

static void check_threads(stepping by)
{
    sherd_error error;
    void *state;
    size_t size;
    sherd_world *one = thrown(1, by), *three = thrown(3, by), *restored = thrown(2, by);
    int64_t contacts = 0;
    for (int k = 1; k <= 4; ++k) {
        advance(one, 5e-4 * k);
        advance(three, 5e-4 * k);
        contacts += check_same(one, three);
    }
    cr_assert(lt(i64, 0, contacts));
    cr_assert(eq(int, sherd_world_save(one, &state, &size, &error), SHERD_OK));
    cr_assert(eq(int, sherd_world_restore(restored, state, size, &error), SHERD_OK), "%s",
              error.what);
    sherd_world_free_state(state);
    check_same(one, restored);
    sherd_world_destroy(one);
    sherd_world_destroy(three);
    sherd_world_destroy(restored);
}

Test(loads, are_the_same_by_all_threads_and_when_restored)
{
    check_threads(EXPLICIT);
    check_threads(euler(10.0));
}
