// Dashpots of elements with several contacts: counted in one pass, weakened in the next.
#include "base/random.h"
#include "contact/contact_part.h"
#include "contact/contact_system.h"
#include "contact/implicit/contact_trial.h"
#include "laws/contact/contact_law.h"
#include "unit/contact_rig.h"
#include "unit/reference_kernels.h"

#include <stdlib.h>

// ---------------------------------------------------------------- the law

// Force of a dashpot alone that closes at 1 m/s, weakened for a `weighted_mobility` [1/kg]. The contact neither begins nor ends in
// the step: its overlap is twice the way that is gone in it.
static double dashpot(double zeta, double dt, double weighted_mobility)
{
    const double overlap = 2.0 * dt;
    sherd_contact_law law = {.spring.scale = 1e6, .stiffness = 1e6, .damping_ratio = zeta};
    sherd_contact_state at = {.overlap = overlap,
                              .normal = {1.0, 0.0, 0.0},
                              .velocity = {-1.0, 0.0, 0.0},
                              .inverse_mass = 2.0,
                              .weighted_mobility = weighted_mobility};
    sherd_obstacle_history history = {.lasting = 0.0};
    return sherd_contact_respond(&law, &at, &history, dt).force.x - law.stiffness * overlap;
}

Test(contact_count, dashpots_take_at_most_all_of_a_motion)
{
    const double k = 1e6, mass = 0.5, omega = sqrt(k / mass);
    for (double zeta = 0.1; zeta < 6.0; zeta *= 1.7)
        for (double x = 0.01; x < 1.0; x *= 1.7)
            for (double n = 1.0; n < 13.0; n += 1.0) {
                double dt = x / omega, c = 2.0 * zeta * sqrt(k * mass), g = n / mass;
                double expected = fmin(c / (1.0 + 0.5 * c * dt / mass), 1.0 / (dt * g));
                cr_assert(epsilon_eq(dbl, dashpot(zeta, dt, g), expected, 1e-9 * expected));
            }
    // A step that is so short that it does not matter how many there are.
    cr_assert(epsilon_eq(dbl, dashpot(0.5, 1e-12, 12.0 / mass), sqrt(k * mass), 1e-5));
}

// ---------------------------------------------------------------- three in a row

static double force_on_first(rig *r, double dt)
{
    rig_forces(r, NULL, dt);
    return -r->e.fx[0];
}

Test(contact_count, is_that_of_the_last_pass)
{
    // Dull contacts: a dashpot alone takes less than all of a motion in a step of 0.9/omega, two on an element more.
    const double zeta = 0.85;
    const sherd_contact_material dull = {
        .youngs_modulus = 1e7, .friction = 0.3, .restitution = sherd_contact_restitution(zeta)};
    rig r = rig_make(3, &dull, 1e-3, 1);
    for (int j = 0; j < 3; ++j)
        rig_put(&r, j, vec3(0.0201 * j, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 0.01);
    rig_forces(&r, NULL, 0.0);
    for (int j = 0; j < 3; ++j)
        r.e.px[j] = 0.0199 * j; // presses by 0.1 mm
    const double v = 0.01; // goes by less than that in a step, so that no contact begins or ends
    r.e.vx[0] = v;
    const double m = r.e.mass[0], k = 1e7 * M_PI * 1e-4 / 0.02, dt = 0.9 / sqrt(2.0 * k / m);
    const double c = 2.0 * zeta * sqrt(0.5 * k * m);
    double alone = v * c / (1.0 + 0.5 * c * dt * 2.0 / m);
    double weighted = v * m / (3.0 * dt); // one has two contacts, one one
    cr_assert(lt(dbl, weighted, 0.9 * alone));
    alone += k * 1e-4, weighted += k * 1e-4; // springs
    cr_assert(epsilon_eq(dbl, force_on_first(&r, dt), alone, 1e-9 * alone));
    cr_assert(epsilon_eq(dbl, force_on_first(&r, dt), weighted, 1e-9 * weighted));
    r.e.px[2] = 0.042; // leaves
    cr_assert(epsilon_eq(dbl, force_on_first(&r, dt), weighted, 1e-9 * weighted));
    cr_assert(epsilon_eq(dbl, force_on_first(&r, dt), alone, 1e-9 * alone));
    rig_free(&r);
}

// A held element has no share in how a pair moves, however many touch it.
Test(contact_count, does_not_count_what_is_held)
{
    rig r = rig_make(3, &RIG_MATERIAL, 1e-3, 1);
    for (int j = 0; j < 3; ++j)
        rig_put(&r, j, vec3(0.0201 * j, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 0.01);
    r.e.held[1] = 1;
    rig_forces(&r, NULL, 0.0);
    for (int j = 0; j < 3; ++j)
        r.e.px[j] = 0.0199 * j;
    r.e.vx[0] = 1.0;
    double dt = 1e-5, first = force_on_first(&r, dt);
    cr_assert(eq(dbl, force_on_first(&r, dt), first));
    rig_free(&r);
}

// ---------------------------------------------------------------- counting

// Grains thrown against a floor, in no order, so that blocks have many of others'.
static rig heap(int threads)
{
    enum { N = 3000 };
    rig r = rig_make(N, &RIG_MATERIAL, 2e-3, threads);
    sherd_obstacle_def floor = rig_floor();
    rig_add(&r, &floor);
    for (int k = 0; k < N; ++k) {
        double u[4];
        for (int a = 0; a < 4; ++a)
            u[a] = sherd_random_uniform(5, (uint64_t)a, (uint64_t)k);
        sherd_vec3 p = vec3(0.2 * u[0], 0.2 * u[1], 0.01 + 0.2 * u[2]);
        rig_put(&r, k, p, vec3(0.0, 0.0, -10.0), 0.004 + 0.004 * u[3]);
    }
    rig_set_step(&r, 0.4);
    return r;
}

static void check_counts(rig *r, int64_t *most)
{
    size_t count = (size_t)r->e.count;
    uint8_t *found = malloc(count);
    int64_t touching = r->contacts->obstacles[0].touching;
    memcpy(found, r->contacts->counts.last, count);
    sherd_contacts_recount(r->contacts);
    cr_assert(eq(int, memcmp(found, r->contacts->counts.last, count), 0));
    cr_assert(eq(i64, touching, r->contacts->obstacles[0].touching));
    for (size_t k = 0; k < count; ++k)
        *most = found[k] > *most ? found[k] : *most;
    free(found);
}

Test(contact_count, counts_are_what_the_lists_say)
{
    for (int kernel = 0; kernel < 2; ++kernel) {
        rig r = heap(2);
        if (kernel > 0) r.contacts->kernel = reference_pair_kernel();
        int64_t most = 0, floor = 0;
        for (int s = 0; s < 60; ++s) {
            rig_run(&r, 5);
            check_counts(&r, &most);
            floor += r.contacts->obstacles[0].touching;
        }
        cr_assert(lt(i64, 5, most)); // several at once
        cr_assert(lt(i64, 100, floor));
        rig_free(&r);
    }
}

Test(contact_count, is_restored_though_it_is_not_saved)
{
    rig r = heap(1), other = heap(1);
    rig_run(&r, 100);
    sherd_byte_buffer bytes = {0};
    cr_assert(eq(int, sherd_contacts_save(r.contacts, &bytes, NULL), SHERD_OK));
    sherd_record_reader in = sherd_record_open(bytes.bytes, bytes.size, &RIG_RECORD, NULL);
    cr_assert(eq(int, sherd_contacts_restore(other.contacts, &in, NULL), SHERD_OK));
    cr_assert(eq(
        int, memcmp(other.contacts->counts.last, r.contacts->counts.last, (size_t)r.e.count), 0));
    sherd_byte_buffer_free(&bytes);
    rig_free(&r);
    rig_free(&other);
}

// ---------------------------------------------------------------- lists from elsewhere

Test(contact_count, goes_with_the_lists_to_parts_and_back)
{
    rig r = heap(1);
    rig_run(&r, 100);
    size_t count = (size_t)r.e.count;
    sherd_element_index *all = malloc(count * sizeof *all);
    for (size_t k = 0; k < count; ++k)
        all[k] = (sherd_element_index)k;
    sherd_contact_part part = {.members = {r.e.count, all, all, true, false}};
    part.contacts = sherd_contacts_make_part(r.contacts, &part.members, NULL);
    cr_assert(part.contacts != NULL);
    cr_assert(
        eq(int, sherd_contacts_fetch(part.contacts, r.contacts, &part.members, NULL), SHERD_OK));
    cr_assert(eq(int, memcmp(part.contacts->counts.last, r.contacts->counts.last, count), 0));
    cr_assert(eq(i64, part.contacts->obstacles[0].touching, r.contacts->obstacles[0].touching));
    rig apart = r;
    apart.contacts = part.contacts;
    rig_run(&apart, 40);
    cr_assert(ne(int, memcmp(part.contacts->counts.last, r.contacts->counts.last, count), 0));
    cr_assert(eq(int, sherd_contacts_return(r.contacts, &part, 1, NULL), SHERD_OK));
    cr_assert(eq(int, memcmp(part.contacts->counts.last, r.contacts->counts.last, count), 0));
    sherd_contacts_destroy(part.contacts);
    free(all);
    rig_free(&r);
}

Test(contact_count, is_counted_after_implicit_steps)
{
    rig r = heap(1);
    sherd_contact_potential p;
    int64_t most = 0;
    rig_run(&r, 100);
    sherd_contact_trial *t = sherd_contact_trial_create(r.contacts, NULL);
    cr_assert(t != NULL);
    cr_assert(eq(int,
                 sherd_contact_trial_begin(t, &r.e.points, NULL, r.time, r.dt, 0.01, 0.0, NULL),
                 SHERD_OK));
    for (int k = 0; k < r.e.count; ++k)
        r.e.pz[k] *= 0.99; // others touch
    cr_assert(eq(int, sherd_contact_trial_evaluate(t, &r.e.points, false, &p, NULL), SHERD_OK));
    cr_assert(eq(int, sherd_contact_trial_accept(t, &r.e.points, 0.5, NULL), SHERD_OK));
    check_counts(&r, &most);
    cr_assert(lt(i64, 5, most));
    sherd_contact_trial_destroy(t);
    rig_free(&r);
}
