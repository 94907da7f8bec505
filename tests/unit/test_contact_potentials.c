// Every row of the table of contact potentials: its functions are derivatives of each other, explicit steps with it
// keep the account of energy, and loads of trial states are the gradient of its energy.
#include "contact/implicit/contact_trial.h"
#include "laws/contact/contact_potentials.h"
#include "laws/law_tables.h"
#include "unit/contact_rig.h"

static sherd_contact_material material_of(int potential, double restitution)
{
    return (sherd_contact_material){.youngs_modulus = 1e7,
                                    .friction = 0.3,
                                    .restitution = restitution,
                                    .potential = (sherd_contact_potential_kind)potential,
                                    .poissons_ratio = 0.25,
                                    .width = 0.002};
}

static contact_spring spring_of(int potential)
{
    sherd_contact_material material = material_of(potential, 1.0);
    sherd_contact_pairing pairing = sherd_contact_pairing_of(&material, &material);
    return sherd_contact_pair_spring(&pairing, 0.01, 0.015);
}

static const char *word_of(int potential)
{
    return sherd_contact_potential_words[potential];
}

// ---------------------------------------------------------------- functions of a row

// Central differences: errors of h^2 s^-3 V and of 1e-16 V/h.
static void check_derivatives(int potential, contact_potential_value at,
                              contact_potential_value less, contact_potential_value more, double h)
{
    double slope = (more.energy - less.energy) / (2.0 * h);
    double curve = (more.force - less.force) / (2.0 * h);
    cr_assert(lt(dbl, fabs(slope - at.force), 1e-6 * at.force), "%s", word_of(potential));
    cr_assert(lt(dbl, fabs(curve - at.tangent), 1e-6 * at.tangent), "%s", word_of(potential));
}

Test(contact_potentials, force_and_tangent_are_derivatives)
{
    for (int p = 0; p < SHERD_CONTACT_POTENTIAL_COUNT; ++p) {
        contact_spring spring = spring_of(p);
        for (double s = 1e-7; s < 0.01; s *= 3.0) {
            double h = 1e-4 * s;
            contact_potential_value at = sherd_contact_spring_evaluate(&spring, s),
                                    less = sherd_contact_spring_evaluate(&spring, s - h),
                                    more = sherd_contact_spring_evaluate(&spring, s + h);
            check_derivatives(p, at, less, more, h);
            cr_assert(epsilon_eq(dbl, sherd_contact_spring_rebound2(&spring, s) / (2.0 * at.energy),
                                 1.0, 1e-14));
            cr_assert(epsilon_eq(
                dbl, sherd_contact_spring_mean_depth(&spring, at.force) * at.force / at.energy, 1.0,
                1e-14));
        }
        contact_potential_value none = sherd_contact_spring_evaluate(&spring, 0.0);
        cr_assert(none.energy == 0.0 && none.force == 0.0);
    }
}

// With a dashpot it never pulls; its energy begins from nothing where it begins to push.
Test(contact_potentials, damped_pushes_are_derivatives)
{
    const double start = 1e-4;
    for (int p = 0; p < SHERD_CONTACT_POTENTIAL_COUNT; ++p) {
        contact_spring spring = spring_of(p);
        double k = sherd_contact_spring_evaluate(&spring, start).tangent;
        for (double dashpot = 0.01 * k; dashpot < 1e3 * k; dashpot *= 5.0) {
            for (double s = 1e-6; s < 3e-4; s += 1.3e-6) {
                double h = 1e-3 * s;
                contact_potential_value at =
                    sherd_contact_damped_evaluate(&spring, dashpot, start, s);
                cr_assert(at.force >= 0.0 && at.energy >= 0.0);
                cr_assert(s < start || at.force > 0.0);
                contact_potential_value less = sherd_contact_damped_evaluate(&spring, dashpot,
                                                                             start, s - h),
                                        more = sherd_contact_damped_evaluate(&spring, dashpot,
                                                                             start, s + h);
                double slope = (more.energy - less.energy) / (2.0 * h);
                if (less.force > 0.0)
                    cr_assert(lt(dbl, fabs(slope - at.force), 1e-5 * at.tangent * s), "%s",
                              word_of(p));
            }
        }
    }
}

// What bounds time steps (contact_system.c) takes of every element that it is pressed by others like it, up to a depth
// of its radius: no larger neighbour and no face is stiffer.
Test(contact_potentials, rows_are_no_stiffer_than_they_say)
{
    for (int p = 0; p < SHERD_CONTACT_POTENTIAL_COUNT; ++p) {
        sherd_contact_material material = material_of(p, 1.0);
        material.poissons_ratio = 0.5;
        sherd_contact_pairing pairing = sherd_contact_pairing_of(&material, &material);
        double most = sherd_contact_potential_describe((sherd_contact_potential_kind)p)->stiffest;
        double alike = sherd_contact_pair_stiffness(&pairing, 0.01, 0.01);
        for (double other = 0.01; other < 1.0; other *= 2.0) {
            contact_spring pair = sherd_contact_pair_spring(&pairing, 0.01, other);
            cr_assert(le(dbl, sherd_contact_spring_evaluate(&pair, 0.01).tangent, most * alike));
        }
        contact_spring face = sherd_contact_face_spring(&pairing, 0.01);
        cr_assert(le(dbl, sherd_contact_spring_evaluate(&face, 0.01).tangent, most * 2.0 * alike));
    }
}

// Up to the knee it is the true barrier, which has a wall behind it.
Test(contact_potentials, barriers_go_on_where_they_are_as_stiff_as_springs)
{
    contact_spring spring = spring_of(SHERD_CONTACT_BARRIER), walled = spring;
    walled.walled = true;
    const double width = spring.width, k = 2.0 * spring.scale, knee = 0.24818835881 * width;
    for (double s = 1e-9; s < knee; s *= 1.1) {
        contact_potential_value at = sherd_contact_spring_evaluate(&spring, s),
                                true_one = sherd_contact_spring_evaluate(&walled, s);
        double y = s / width, left = log1p(-y), ratio = y / (1.0 - y);
        cr_assert(epsilon_eq(dbl, at.energy / (-0.5 * k * s * s * left), 1.0, 4e-15));
        cr_assert(epsilon_eq(dbl, at.force / (0.5 * k * s * (ratio - 2.0 * left)), 1.0, 4e-15));
        cr_assert(epsilon_eq(dbl, true_one.energy / at.energy, 1.0, 4e-15));
        cr_assert(epsilon_eq(dbl, true_one.force / at.force, 1.0, 4e-15));
        cr_assert(epsilon_eq(dbl, true_one.tangent / at.tangent, 1.0, 4e-15));
    }
    contact_potential_value from = sherd_contact_spring_evaluate(&spring, knee),
                            to = sherd_contact_spring_evaluate(&spring, 3.0 * width);
    double way = 3.0 * width - knee;
    cr_assert(epsilon_eq(dbl, from.tangent / k, 1.0, 1e-9)); // eleven digits of the knee
    cr_assert(eq(dbl, to.tangent, k));
    cr_assert(epsilon_eq(dbl, to.force / (from.force + k * way), 1.0, 1e-9));
    cr_assert(
        epsilon_eq(dbl, to.energy / (from.energy + way * (from.force + 0.5 * k * way)), 1.0, 1e-9));
    cr_assert(sherd_contact_spring_evaluate(&walled, 0.999 * width).energy < INFINITY);
    cr_assert(sherd_contact_spring_evaluate(&walled, width).energy == INFINITY);
    cr_assert(sherd_contact_spring_rebound2(&walled, width) == INFINITY);
    cr_assert(sherd_contact_damped_evaluate(&walled, 0.0, 0.0, width).energy == INFINITY);
}

// With a limit it is the true barrier up to there, and its second-order expansion there beyond: smooth and finite.
Test(contact_potentials, limited_barriers_go_on_as_parabolas)
{
    contact_spring walled = spring_of(SHERD_CONTACT_BARRIER), limited;
    walled.walled = true;
    limited = walled;
    limited.limit = 0.95;
    double at = 0.95 * walled.width;
    contact_potential_value here = sherd_contact_spring_evaluate(&walled, at);
    for (double s = 0.1 * walled.width; s < 3.0 * walled.width; s *= 1.1) {
        contact_potential_value is = sherd_contact_spring_evaluate(&limited, s);
        if (s <= at) {
            cr_assert(eq(dbl, is.energy, sherd_contact_spring_evaluate(&walled, s).energy));
            continue;
        }
        double d = s - at;
        cr_assert(epsilon_eq(dbl,
                             is.energy / (here.energy + d * (here.force + 0.5 * d * here.tangent)),
                             1.0, 1e-14));
        cr_assert(epsilon_eq(dbl, is.force / (here.force + d * here.tangent), 1.0, 1e-14));
        cr_assert(epsilon_eq(dbl, is.tangent / here.tangent, 1.0, 1e-14));
    }
}

// ---------------------------------------------------------------- the stiffness of contacts

// [RBDEM] (30): k = k_c pi r between equals, twice that on a face, whatever the materials; Hertz's by the same modulus.
Test(contact_potentials, stiffness_is_the_one_given)
{
    const double k_c = 3e6, r = 0.004;
    for (int p = 0; p < SHERD_CONTACT_POTENTIAL_COUNT; ++p) {
        sherd_contact_material soft = material_of(p, 1.0), hard = soft, equal = soft;
        hard.youngs_modulus = 1e9;
        soft.contact_modulus = hard.contact_modulus = 2.0 * k_c;
        equal.youngs_modulus = 2.0 * k_c;
        sherd_contact_pairing given = sherd_contact_pairing_of(&soft, &hard),
                              by_material = sherd_contact_pairing_of(&equal, &equal);
        cr_assert(epsilon_eq(dbl, sherd_contact_pair_stiffness(&given, r, r) / (k_c * M_PI * r),
                             1.0, 1e-15));
        cr_assert(epsilon_eq(dbl, sherd_contact_face_stiffness(&given, r) / (k_c * M_PI * r), 2.0,
                             1e-15));
        cr_assert(eq(dbl, sherd_contact_pair_spring(&given, r, 2.0 * r).scale,
                     sherd_contact_pair_spring(&by_material, r, 2.0 * r).scale));
    }
}

// Bounds of explicit steps follow: eigenvalues are proportional to it.
Test(contact_potentials, bounds_of_steps_know_the_stiffness)
{
    sherd_contact_material material = material_of(SHERD_CONTACT_LINEAR, 1.0);
    double eigenvalue[2];
    for (int k = 0; k < 2; ++k) {
        material.contact_modulus = k == 0 ? 0.0 : 9.0 * material.youngs_modulus;
        rig r = rig_make(1, &material, 0.001, 1);
        rig_put(&r, 0, (sherd_vec3){0}, (sherd_vec3){0}, 0.01);
        eigenvalue[k] = sherd_contacts_max_eigenvalue(r.contacts, &r.e.points);
        rig_free(&r);
    }
    cr_assert(lt(dbl, 0.0, eigenvalue[0]));
    cr_assert(epsilon_eq(dbl, eigenvalue[1] / eigenvalue[0], 9.0, 1e-14));
}

// ---------------------------------------------------------------- explicit steps

// Grains of several sizes that meet on a floor, with friction and dashpots.
Test(contact_potentials, explicit_steps_account_for_all_energy)
{
    for (int p = 0; p < SHERD_CONTACT_POTENTIAL_COUNT; ++p) {
        sherd_contact_material material = material_of(p, 0.6);
        rig r = rig_make(27, &material, 1e-3, 2);
        sherd_obstacle_def floor = rig_floor();
        rig_add(&r, &floor);
        r.gravity = vec3(0.0, 0.0, -9.81);
        for (int k = 0; k < 27; ++k)
            rig_put(
                &r, k,
                vec3(0.019 * (k % 3) + 0.002 * k / 9, 0.018 * (k / 3 % 3), 0.012 + 0.021 * (k / 9)),
                vec3(0.1 * (k % 2), -0.2 * (k % 5), -1.0), 0.007 + 0.0005 * (k % 5));
        rig_set_step(&r, 0.5);
        rig_run(&r, 1);
        double balance = rig_balance(&r) + sherd_contacts_energy(r.contacts, r.gravity).onset;
        double kinetic = rig_kinetic(&r);
        rig_run(&r, (int)(0.05 / r.dt));
        sherd_contact_energy c = sherd_contacts_energy(r.contacts, r.gravity);
        // Normals and friction's springs turn within steps: of second order in them.
        cr_assert(lt(dbl, fabs(rig_balance(&r) + c.onset - balance), 1e-3 * kinetic), "%s",
                  word_of(p));
        cr_assert(lt(dbl, fabs(c.onset), 0.02 * kinetic), "%s: %g of %g J", word_of(p), c.onset,
                  kinetic);
        cr_assert(lt(dbl, 0.1 * kinetic, c.dissipated_damping));
        rig_free(&r);
    }
}

// Two spheres head on: what a collision takes from the motion is what the account says. Histories keep forces in
// singles.
Test(contact_potentials, explicit_steps_account_for_all_energy_head_on)
{
    for (int p = 0; p < SHERD_CONTACT_POTENTIAL_COUNT; ++p) {
        sherd_contact_material material = material_of(p, 0.6);
        rig r = rig_make(2, &material, 1e-3, 1);
        rig_put(&r, 0, vec3(0.0, 0.0, 0.0), vec3(0.5, 0.0, 0.0), 0.01);
        rig_put(&r, 1, vec3(0.0181, 0.0, 0.0), vec3(-0.5, 0.0, 0.0), 0.008);
        rig_set_step(&r, 0.7);
        double start = rig_kinetic(&r);
        rig_run(&r, (int)(0.01 / r.dt));
        sherd_contact_energy c = sherd_contacts_energy(r.contacts, r.gravity);
        cr_assert(lt(dbl, fabs(rig_balance(&r) + c.onset - start), 1e-6 * start), "%s", word_of(p));
        cr_assert(eq(dbl, c.stored, 0.0));
        cr_assert(lt(dbl, 0.2 * start, c.dissipated_damping));
        rig_free(&r);
    }
}

// Depth and duration of a Hertz collision: s = (5 m v^2 / 4 k)^(2/5), 2.9432 s/v, m the effective mass.
// [Johnson, Contact Mechanics, 1985, 11.4]
Test(contact_potentials, hertz_spheres_collide_as_known)
{
    sherd_contact_material material = material_of(SHERD_CONTACT_HERTZ, 1.0);
    rig r = rig_make(2, &material, 1e-3, 1);
    rig_put(&r, 0, vec3(0.0, 0.0, 0.0), vec3(0.5, 0.0, 0.0), 0.01);
    rig_put(&r, 1, vec3(0.0201, 0.0, 0.0), vec3(-0.5, 0.0, 0.0), 0.01);
    rig_set_step(&r, 0.01);
    double deepest = 0.0, touched = 0.0;
    for (int step = 0; step < (int)(0.01 / r.dt); ++step) {
        rig_run(&r, 1);
        double overlap = 0.02 - (r.e.px[1] - r.e.px[0]);
        deepest = fmax(deepest, overlap);
        touched += overlap > 0.0 ? r.dt : 0.0;
    }
    double k = 2.0 / 3.0 * 1e7 / (1.0 - 0.0625) * sqrt(0.005), m = 0.5 * r.e.mass[0];
    double depth = pow(1.25 * m / k, 0.4);
    cr_assert(epsilon_eq(dbl, deepest / depth, 1.0, 1e-4));
    cr_assert(epsilon_eq(dbl, touched / (2.9432 * depth), 1.0, 5e-3)); // in whole steps
    cr_assert(epsilon_eq(dbl, 0.5 * (r.e.vx[1] - r.e.vx[0]), 0.5, 1e-4));
    rig_free(&r);
}

// ---------------------------------------------------------------- implicit steps

static sherd_contact_potential evaluate(rig *r, sherd_contact_trial *t)
{
    sherd_contact_potential p;
    sherd_error error = {0};
    sherd_elements_clear_loads(&r->e, 0, r->e.count);
    cr_assert(eq(int, sherd_contact_trial_evaluate(t, &r->e.points, true, &p, &error), SHERD_OK),
              "%s", error.what);
    return p;
}

// One implicit step of a ball above a floor, along z; how much energy contact took and holds is left in the account.
static void euler_step(rig *r, sherd_contact_trial *t, double dt)
{
    sherd_error error = {0};
    double from = r->e.pz[0], mass = r->e.mass[0], aim = from + dt * r->e.vz[0];
    cr_assert(eq(int,
                 sherd_contact_trial_begin(t, &r->e.points, NULL, r->time, dt, 0.01, 0.0, &error),
                 SHERD_OK));
    r->e.pz[0] = aim;
    for (int n = 0; n < 60; ++n) {
        sherd_contact_potential p = evaluate(r, t);
        double inertia = mass / (dt * dt), rest = inertia * (r->e.pz[0] - aim) - r->e.fz[0];
        double tangent = p.spring_count > 0 ? (double)p.springs[0].stiffness[2] : 0.0;
        if (fabs(rest) < 1e-12 * inertia * 0.01) break;
        r->e.pz[0] -= rest / (inertia + tangent);
    }
    r->e.vz[0] = (r->e.pz[0] - from) / dt;
    evaluate(r, t);
    cr_assert(eq(int, sherd_contact_trial_accept(t, &r->e.points, 0.5, &error), SHERD_OK));
    r->time += dt;
}

// What a bounce loses in implicit steps of dt, as a share; at every step the account rises by no more than rounding.
static double lost_in_bounce(int potential, double dt)
{
    sherd_contact_material material = material_of(potential, 1.0);
    rig r = rig_make(1, &material, 1e-3, 1);
    sherd_obstacle_def floor = rig_floor();
    rig_add(&r, &floor);
    rig_put(&r, 0, vec3(0.0, 0.0, 0.0101), vec3(0.0, 0.0, -1.0), 0.01);
    rig_forces(&r, NULL, 0.0);
    sherd_error error = {0};
    sherd_contact_trial *t = sherd_contact_trial_create(r.contacts, &error);
    cr_assert(t != NULL);
    double start = rig_kinetic(&r), balance = start;
    for (int step = 0; step < (int)(0.008 / dt); ++step) {
        euler_step(&r, t, dt);
        cr_assert(lt(dbl, rig_balance(&r), balance + 1e-9 * start), "%s", word_of(potential));
        balance = rig_balance(&r);
    }
    cr_assert(lt(dbl, 0.0, r.e.vz[0]));
    cr_assert(epsilon_eq(dbl, balance, rig_kinetic(&r), 1e-9 * start));
    sherd_contact_trial_destroy(t);
    rig_free(&r);
    return 1.0 - balance / start;
}

// Implicit Euler's loss is of first order in the step and vanishes with it.
Test(contact_potentials, implicit_steps_never_gain_energy)
{
    for (int p = 0; p < SHERD_CONTACT_POTENTIAL_COUNT; ++p) {
        double coarse = lost_in_bounce(p, 2e-6), fine = lost_in_bounce(p, 1e-6);
        cr_assert(fine > 0.0 && fine < 0.1, "%s: %g", word_of(p), fine);
        cr_assert(epsilon_eq(dbl, coarse / fine, 2.0, 0.2), "%s: %g", word_of(p), coarse / fine);
    }
}

// Pairs, pressed and sliding, with dashpots: loads against differences of energy.
Test(contact_potentials, loads_of_trial_states_are_the_gradient)
{
    for (int p = 0; p < SHERD_CONTACT_POTENTIAL_COUNT; ++p) {
        sherd_contact_material material = material_of(p, 0.5);
        rig r = rig_make(2, &material, 1e-3, 1);
        rig_put(&r, 0, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 0.01);
        rig_put(&r, 1, vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 0.006);
        rig_forces(&r, NULL, 0.0);
        rig_put(&r, 1, vec3(0.0155, 0.003, 0.0), vec3(-1.0, 0.2, 0.0), 0.006);
        sherd_error error = {0};
        sherd_contact_trial *t = sherd_contact_trial_create(r.contacts, &error);
        cr_assert(eq(int,
                     sherd_contact_trial_begin(t, &r.e.points, NULL, 0.0, 1e-4, 0.01, 0.0, &error),
                     SHERD_OK));
        r.e.px[1] -= 1e-5, r.e.pz[1] += 2e-5;
        double *place[3] = {r.e.px, r.e.py, r.e.pz}, *load[3] = {r.e.fx, r.e.fy, r.e.fz};
        const double h = 1e-8;
        for (int a = 0; a < 3; ++a) {
            double at = place[a][1];
            place[a][1] = at + h;
            double more = evaluate(&r, t).energy;
            place[a][1] = at - h;
            double less = evaluate(&r, t).energy;
            place[a][1] = at;
            evaluate(&r, t);
            double size = vec3_length(sherd_element_force(&r.e, 1));
            cr_assert(lt(dbl, fabs((more - less) / (2.0 * h) + load[a][1]), 1e-5 * size), "%s",
                      word_of(p));
        }
        sherd_contact_trial_destroy(t);
        rig_free(&r);
    }
}

Test(contact_potentials, unknown_ones_are_errors)
{
    sherd_contact_material materials[2] = {material_of(SHERD_CONTACT_POTENTIAL_COUNT, 0.5),
                                           material_of(SHERD_CONTACT_LINEAR, 0.5)};
    sherd_contact_def def = {1, materials, 1e-3, {1}};
    sherd_error error = {0};
    cr_assert(sherd_contacts_create(&def, &error) == NULL);
    cr_assert(eq(int, error.status, SHERD_ERROR_INPUT));
    materials[0].potential = SHERD_CONTACT_HERTZ;
    def.material_count = 2;
    cr_assert(sherd_contacts_create(&def, &error) == NULL);
    cr_assert(eq(int, error.status, SHERD_ERROR_INPUT));
}
