// Rolling friction of one contact: its limit, its energy, and what turns with the contact.
#include "contact/contact_part.h"
#include "contact/contact_system.h"
#include "laws/contact/rolling_law.h"
#include "math/quat.h"
#include "unit/contact_rig.h"

static const double R = 0.01, FORCE = 3.0, DT = 1e-5;

static sherd_contact_pairing pairing_of(double rolling)
{
    const sherd_contact_material m = {.youngs_modulus = 1e7,
                                      .friction = 0.5,
                                      .rolling_friction = rolling,
                                      .restitution = 0.5,
                                      .poissons_ratio = 0.25};
    return sherd_contact_pairing_of(&m, &m);
}

// Two equal balls of inertia 1e-7 kg m^2.
static sherd_rolling_state state_of(sherd_vec3 spin)
{
    return (sherd_rolling_state){.normal = {0.0, 0.0, 1.0},
                                 .spin = spin,
                                 .force = FORCE,
                                 .inverse_inertia = 2e7,
                                 .weighted_inverse = 2e7};
}

Test(rolling_law, two_materials_have_the_geometric_mean)
{
    const sherd_contact_material a = {.youngs_modulus = 1e7,
                                      .rolling_friction = 0.4,
                                      .restitution = 1},
                                 b = {.youngs_modulus = 1e7,
                                      .rolling_friction = 0.1,
                                      .restitution = 1};
    cr_assert(epsilon_eq(dbl, sherd_contact_pairing_of(&a, &b).rolling_friction, 0.2, 1e-15));
}

// mu_r R F_n with R of both, against the spin and without a part along the normal.
Test(rolling_law, the_couple_is_limited_by_the_normal_force)
{
    sherd_contact_pairing pairing = pairing_of(0.2);
    sherd_rolling_law law = sherd_rolling_pair_law(&pairing, R, 3.0 * R);
    sherd_rolling_state at = state_of(vec3(3.0, 4.0, 12.0));
    sherd_rolling_history h = {.torque = {0.0, 0.0, 0.0}};
    sherd_rolling_response last = {.stored = 0.0};
    for (int k = 0; k < 10000; ++k)
        last = sherd_rolling_respond(&law, &at, &h, DT);
    double most = 0.2 * 0.75 * R * FORCE; // R = r 3r / 4r
    cr_assert(epsilon_eq(dbl, last.torque.x, -0.6 * most, 1e-12 * most));
    cr_assert(epsilon_eq(dbl, last.torque.y, -0.8 * most, 1e-12 * most));
    cr_assert(eq(dbl, last.torque.z, 0.0));
    cr_assert(epsilon_eq(dbl, last.stored, 0.5 * most * most / law.stiffness, 1e-12 * last.stored));
    sherd_rolling_law face = sherd_rolling_face_law(&pairing, R);
    cr_assert(epsilon_eq(dbl, face.arm, 0.2 * R, 1e-15));
}

// The trapezoid of couples is what motion loses; it is stored or dissipated, never gained.
Test(rolling_law, work_is_stored_or_dissipated)
{
    sherd_contact_pairing pairing = pairing_of(0.2);
    sherd_rolling_law law = sherd_rolling_pair_law(&pairing, R, R);
    sherd_rolling_history h = {.torque = {0.0, 0.0, 0.0}};
    double stored = 0.0, lost = 0.0, given = 0.0, most = law.arm * FORCE / law.stiffness;
    for (int k = 0; k < 2000; ++k) {
        sherd_rolling_state at = state_of(vec3(0.01 * most * cos(0.004 * k) / DT, 0.0, 0.0));
        at.force = FORCE * (1.0 + 0.5 * sin(0.1 * k));
        sherd_vec3 before = h.torque;
        sherd_rolling_response r = sherd_rolling_respond(&law, &at, &h, DT);
        given -= 0.5 * DT * vec3_dot(vec3_add(before, r.torque), at.spin);
        stored = r.stored, lost += r.slid + r.damped;
        // Half a step's trapezoid may return what its first half took: a hundredth of the limit's work.
        cr_assert(lt(dbl, -0.02 * law.stiffness * most * most, r.slid + r.damped));
    }
    double ended = sherd_rolling_loss(law.stiffness, &h, vec3(0.0, 0.0, 0.0), DT);
    cr_assert(epsilon_eq(dbl, stored + lost, given, 1e-12 * given));
    cr_assert(epsilon_eq(dbl, ended, stored, 1e-12 * given));
    cr_assert(lt(dbl, 10.0 * stored, lost));
}

// Two balls that turn about each other like one rigid body keep the couple in their frame: to second order of the
// angle of a step, 0.002, as spins are constant within it.
Test(rolling_law, the_couple_turns_with_the_contact)
{
    sherd_contact_pairing pairing = pairing_of(0.2);
    sherd_rolling_law law = sherd_rolling_pair_law(&pairing, R, R);
    law.damping_ratio = 0.0;
    sherd_vec3 w = vec3(120.0, -70.0, 150.0);
    sherd_rolling_history h = {.normal = {0.0, 0.0, 1.0}, .spring = {1e-6, 2e-6, 0.0}};
    const sherd_rolling_history start = h;
    for (int k = 1; k <= 5000; ++k) {
        sherd_quat q = quat_from_rotation_vector(vec3_scale(k * DT, w));
        sherd_rolling_state at = {.normal = quat_rotate(q, start.normal), .twist = w, .force = 1e3};
        sherd_rolling_respond(&law, &at, &h, DT);
    }
    sherd_quat q = quat_from_rotation_vector(vec3_scale(5000 * DT, w));
    double off = vec3_distance(h.spring, quat_rotate(q, start.spring));
    cr_assert(lt(dbl, off, 1e-3 * vec3_length(start.spring)), "%g", off);
    cr_assert(epsilon_eq(dbl, vec3_length(h.spring), vec3_length(start.spring), 1e-9 * 2e-6));
}

Test(rolling_law, a_normal_that_jumps_ends_the_spring)
{
    sherd_vec3 a =
        sherd_rolling_carried(vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0), vec3(0.0, 1.0, 0.0), 0.0);
    cr_assert(eq(dbl, vec3_length(a), 0.0));
}

// ---------------------------------------------------------------- many elements

static sherd_vec3 angular_momentum(const rig *r)
{
    sherd_vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < r->e.count; ++k) {
        sherd_vec3 p = sherd_element_position(&r->e, k), v = sherd_element_velocity(&r->e, k);
        sum = vec3_add_scaled(sum, r->e.mass[k], vec3_cross(p, v));
        sum = vec3_add_scaled(sum, sherd_element_inertia(&r->e, k), sherd_element_spin(&r->e, k));
    }
    return sum;
}

// The first and the last of 1030 elements, which are of two blocks of the list of pairs, meet and spin.
Test(rolling_law, couples_of_all_elements_are_opposite)
{
    enum { N = 1030 };
    sherd_contact_material material = RIG_MATERIAL;
    material.rolling_friction = 0.5;
    rig r = rig_make(N, &material, 1e-3, 2);
    for (int k = 0; k < N; ++k)
        rig_put(&r, k, vec3(k, 0.0, 0.0), vec3(0.0, 0.0, 0.0), R);
    rig_put(&r, N - 1, vec3(0.001, 0.003, 2.05 * R), vec3(0.0, 0.0, -1.0), R);
    r.e.wx[0] = 200.0, r.e.wy[N - 1] = 300.0;
    rig_set_step(&r, 0.5);
    sherd_vec3 before = angular_momentum(&r);
    double start = rig_balance(&r);
    rig_run(&r, (int)(5e-3 / r.dt));
    sherd_contact_energy c = sherd_contacts_energy(r.contacts, r.gravity);
    double turned = vec3_distance(before, angular_momentum(&r));
    cr_assert(lt(dbl, turned, 1e-13 * vec3_length(before)), "%g", turned / vec3_length(before));
    cr_assert(eq(dbl, c.stored, 0.0));
    cr_assert(lt(dbl, 1e-4 * start, c.dissipated_friction));
    // Normals turn within steps: of second order in them.
    cr_assert(lt(dbl, fabs(rig_balance(&r) + c.onset - start), 1e-4 * start));
    rig_free(&r);
}

// All springs, in the order of the lists.
static int springs_of(const sherd_contacts *c, sherd_rolling_contact out[16])
{
    int count = 0;
    for (int g = 0; g < c->rolling.block_count + c->rolling.obstacle_count; ++g)
        for (size_t k = 0; k < c->rolling.groups[g].last.count; ++k) {
            const sherd_rolling_contact *at = &c->rolling.groups[g].last.at[k];
            cr_assert(lt(int, count, 16));
            out[count++] = (sherd_rolling_contact){.i = at->i, .j = at->j, .history = at->history};
        }
    return count;
}

// Two pairs on a floor, with interleaved numbers, go to two parts and come back.
Test(rolling_law, springs_go_to_parts_and_back)
{
    sherd_contact_material material = RIG_MATERIAL;
    material.rolling_friction = 0.2;
    rig r = rig_make(4, &material, 1e-3, 1);
    sherd_obstacle_def floor = rig_floor();
    rig_add(&r, &floor);
    for (int k = 0; k < 4; ++k) {
        rig_put(&r, k, vec3(0.5 * (k % 2), 2.01 * R * (k / 2), 1.005 * R),
                vec3(0.0, k < 2 ? 0.3 : -0.3, -0.3), R);
        r.e.wx[k] = 20.0 + 10.0 * k;
    }
    rig_set_step(&r, 0.2);
    rig_run(&r, (int)(3e-4 / r.dt));
    sherd_rolling_contact before[16], after[16];
    int count = springs_of(r.contacts, before);
    cr_assert(eq(int, count, 6));
    for (int k = 0; k < count; ++k)
        cr_assert(lt(dbl, 0.0, vec3_length(before[k].history.spring)));
    const sherd_element_index left[] = {0, 2}, right[] = {1, 3}, in_left[] = {0, -1, 1, -1},
                              in_right[] = {-1, 0, -1, 1};
    sherd_contact_part parts[2] = {{.members = {2, left, in_left, true, false}},
                                   {.members = {2, right, in_right, false, false}}};
    for (int p = 0; p < 2; ++p) {
        parts[p].contacts = sherd_contacts_make_part(r.contacts, &parts[p].members, NULL);
        cr_assert(parts[p].contacts != NULL);
        cr_assert(eq(int,
                     sherd_contacts_fetch(parts[p].contacts, r.contacts, &parts[p].members, NULL),
                     SHERD_OK));
        cr_assert(eq(int, springs_of(parts[p].contacts, after), 3));
    }
    cr_assert(eq(int, sherd_contacts_return(r.contacts, parts, 2, NULL), SHERD_OK));
    cr_assert(eq(int, springs_of(r.contacts, after), count));
    for (int k = 0; k < count; ++k) {
        cr_assert(eq(int, before[k].i, after[k].i));
        cr_assert(eq(int, before[k].j, after[k].j));
        cr_assert(
            eq(int, memcmp(&before[k].history, &after[k].history, sizeof before[k].history), 0));
    }
    for (int p = 0; p < 2; ++p)
        sherd_contacts_destroy(parts[p].contacts);
    rig_free(&r);
}
