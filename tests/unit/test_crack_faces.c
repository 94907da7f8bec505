// Contact by faces of a crack: geometry, gradients against differences, what is conserved.
#include "contact/contact_system.h"
#include "contact/crack_faces.h"
#include "contact/implicit/contact_trial.h"
#include "unit/contact_rig.h"
#include "unit/reference_kernels.h"

static const double R = 0.01; // radius [m]

// Elements 0 .. upper - 1 above a crack, the others below it, each so far from it as its z is.
static sherd_crack_faces faces_of(const sherd_elements *e, int upper)
{
    sherd_crack_faces faces = {0};
    for (int k = 0; k < e->count; ++k) {
        sherd_crack_face face = {vec3(0.0, 0.0, k < upper ? -1.0 : 1.0), fabs(e->pz[k]), 0};
        cr_assert(sherd_crack_faces_add(&faces, k, &face, 1));
    }
    return faces;
}

typedef struct crack_rig {
    rig r;
    sherd_crack_faces faces;
} crack_rig;

// Two above and two below, in no regular places.
static void make(crack_rig *c, double friction)
{
    sherd_contact_material material = RIG_MATERIAL;
    material.friction = friction;
    c->r = rig_make(4, &material, 1e-3, 1);
    rig_put(&c->r, 0, vec3(0.0, 0.0, 0.008), vec3(0.0, 0.0, 0.0), R);
    rig_put(&c->r, 1, vec3(0.019, 0.004, 0.007), vec3(0.0, 0.0, 0.0), R);
    rig_put(&c->r, 2, vec3(0.007, 0.002, -0.006), vec3(0.0, 0.0, 0.0), R);
    rig_put(&c->r, 3, vec3(0.021, -0.012, -0.009), vec3(0.0, 0.0, 0.0), R);
    c->faces = faces_of(&c->r.e, 2);
    sherd_contacts_set_faces(c->r.contacts, &c->faces);
}

static void release(crack_rig *c)
{
    rig_free(&c->r);
    sherd_crack_faces_free(&c->faces);
}

static void turn(rig *r, int k, sherd_vec3 by)
{
    sherd_elements *e = &r->e;
    sherd_quat q = quat_multiply(quat_from_rotation_vector(by), sherd_element_orientation(e, k));
    e->qx[k] = q.x, e->qy[k] = q.y, e->qz[k] = q.z, e->qw[k] = q.w;
}

static void move(rig *r, int k, sherd_vec3 by)
{
    r->e.px[k] += by.x, r->e.py[k] += by.y, r->e.pz[k] += by.z;
}

// ---------------------------------------------------------------- geometry

Test(crack_faces, gaps_are_measured_along_the_crack_from_rest)
{
    crack_rig c;
    make(&c, RIG_MATERIAL.friction);
    for (int j = 2; j < 4; ++j) {
        sherd_crack_contact at = sherd_crack_between(&c.faces, &c.r.e.points, 0, j);
        cr_assert(at.faces);
        cr_assert(epsilon_eq(dbl, at.overlap, 0.0, 1e-15));
    }
    // The same wherever the faces have slid, and after both sides have turned together.
    sherd_quat q = quat_from_rotation_vector(vec3(0.7, -1.1, 0.4));
    for (int k = 0; k < 4; ++k) {
        if (k < 2) move(&c.r, k, vec3(0.013, -0.004, -0.001));
        sherd_vec3 p = quat_rotate(q, sherd_element_position(&c.r.e, k));
        c.r.e.px[k] = p.x, c.r.e.py[k] = p.y, c.r.e.pz[k] = p.z;
        turn(&c.r, k, vec3(0.7, -1.1, 0.4));
    }
    for (int j = 2; j < 4; ++j) {
        sherd_crack_contact at = sherd_crack_between(&c.faces, &c.r.e.points, 1, j);
        sherd_vec3 n = quat_rotate(q, vec3(0.0, 0.0, 1.0));
        cr_assert(epsilon_eq(dbl, at.overlap, 0.001, 1e-12));
        cr_assert(lt(dbl, vec3_distance(at.normal, n), 1e-12));
    }
    // One side has no face for its own.
    cr_assert(not(sherd_crack_between(&c.faces, &c.r.e.points, 0, 1).faces));
    release(&c);
}

// What comes around the edge of a crack meets the other side as a sphere, until it parts; a side that looks away, too.
Test(crack_faces, past_the_edge_elements_are_round)
{
    crack_rig c;
    make(&c, RIG_MATERIAL.friction);
    move(&c.r, 0, vec3(0.02, 0.0, -0.013));
    sherd_crack_contact at = sherd_crack_between(&c.faces, &c.r.e.points, 0, 2);
    cr_assert(lt(dbl, 0.5 * R, at.overlap));
    cr_assert(not(sherd_crack_takes(&at, R, SHERD_TOUCH_NONE)));
    cr_assert(sherd_crack_takes(&at, R, SHERD_TOUCH_FACES));
    move(&c.r, 0, vec3(0.0, 0.0, 0.012));
    at = sherd_crack_between(&c.faces, &c.r.e.points, 0, 2);
    cr_assert(sherd_crack_takes(&at, R, SHERD_TOUCH_NONE));
    cr_assert(not(sherd_crack_takes(&at, R, SHERD_TOUCH_ROUND)));
    turn(&c.r, 0, vec3(1.2, 0.0, 0.0));
    at = sherd_crack_between(&c.faces, &c.r.e.points, 0, 2);
    cr_assert(not(at.faces));
    cr_assert(not(sherd_crack_takes(&at, R, SHERD_TOUCH_FACES)));
    release(&c);
}

// An element whose bonds are all broken rolls like any grain: it is pushed along the line of centres, others along the
// normal of the crack.
Test(crack_faces, loose_elements_are_round)
{
    const uint32_t start[] = {0, 1, 2, 3, 4}, bond[] = {0, 0, 1, 1};
    const sherd_element_index i[] = {0, 2}, j[] = {1, 3};
    for (int loose = 0; loose < 2; ++loose) {
        uint8_t broken[] = {(uint8_t)loose, 0};
        const sherd_bond_adjacency bonds = {start, bond, i, j, broken};
        crack_rig c;
        make(&c, 0.0);
        rig_forces(&c.r, &bonds, 0.0);
        move(&c.r, 0, vec3(0.005, 0.0, -1e-4));
        move(&c.r, 1, vec3(0.1, 0.0, 0.1)); // out of the way
        c.r.e.vz[0] = -0.1;
        rig_forces(&c.r, &bonds, 1e-3);
        sherd_vec3 f = {c.r.e.fx[0], c.r.e.fy[0], c.r.e.fz[0]};
        sherd_vec3 d =
            vec3_sub(sherd_element_position(&c.r.e, 0), sherd_element_position(&c.r.e, 2));
        sherd_vec3 along = vec3_normalize(loose ? d : vec3(0.0, 0.0, 1.0));
        cr_assert(lt(dbl, 0.1, vec3_length(f)));
        // What spreads the faces is a few overlaps over a radius of the push; the two directions are 0.2 apart.
        cr_assert(lt(dbl, vec3_length(vec3_cross(f, along)), 0.08 * vec3_length(f)), "%d", loose);
        release(&c);
    }
}

// ---------------------------------------------------------------- implicit steps

static sherd_contact_potential evaluate(crack_rig *c, sherd_contact_trial *t)
{
    sherd_elements *e = &c->r.e;
    double *loads[] = {e->fx, e->fy, e->fz, e->tx, e->ty, e->tz};
    for (int a = 0; a < 6; ++a)
        memset(loads[a], 0, (size_t)e->count * sizeof(double));
    sherd_contact_potential p;
    sherd_error error = {0};
    cr_assert(eq(int, sherd_contact_trial_evaluate(t, &e->points, false, &p, &error), SHERD_OK),
              "%s", error.what);
    return p;
}

static void nudge(crack_rig *c, int k, int a, double h)
{
    double d[6] = {0.0};
    d[a] = h;
    move(&c->r, k, vec3(d[0], d[1], d[2]));
    turn(&c->r, k, vec3(d[3], d[4], d[5]));
}

// Loads are minus the differences of the energy, of all that it depends on: the barrier too.
Test(crack_faces, loads_are_the_gradient)
{
    for (int trial = 0; trial < 3; ++trial) {
        crack_rig c;
        make(&c, RIG_MATERIAL.friction);
        sherd_error error = {0};
        rig_forces(&c.r, NULL, 0.0);
        sherd_contact_trial *t = sherd_contact_trial_create(c.r.contacts, &error);
        cr_assert(t != NULL);
        // Pressed at the start or only at the end, sides turned against each other.
        if (trial == 1) move(&c.r, 0, vec3(0.0, 0.0, -2e-4));
        cr_assert(eq(int,
                     sherd_contact_trial_begin(t, &c.r.e.points, NULL, 0.0, 1e-3, 0.01,
                                               trial == 2 ? 6e-3 : 0.0, &error),
                     SHERD_OK));
        move(&c.r, 0, vec3(1e-3, -5e-4, -7e-4));
        move(&c.r, 1, vec3(-2e-3, 6e-4, -3e-4));
        turn(&c.r, 0, vec3(0.05, 0.02, -0.03));
        turn(&c.r, 2, vec3(-0.04, 0.03, 0.02));
        cr_assert(ge(i64, evaluate(&c, t).touching, 3));
        for (int lag = 0; lag < 2; ++lag) { // without and with friction
            double largest = 0.0;
            for (int k = 0; k < 4; ++k) {
                evaluate(&c, t);
                const sherd_elements *e = &c.r.e;
                const double load[] = {e->fx[k], e->fy[k], e->fz[k], e->tx[k], e->ty[k], e->tz[k]};
                for (int a = 0; a < 6; ++a) {
                    double h = a < 3 ? 1e-8 : 1e-6;
                    largest = fmax(largest, fabs(load[a]));
                    nudge(&c, k, a, h);
                    double up = evaluate(&c, t).energy;
                    nudge(&c, k, a, -2.0 * h);
                    double down = evaluate(&c, t).energy;
                    nudge(&c, k, a, h);
                    // Rounding, as of round contacts (test_contact_trial.c).
                    double scale = (a < 3 ? 1.0 : R) * fmax(largest, 1.0);
                    cr_assert(epsilon_eq(dbl, load[a], (down - up) / (2.0 * h), 2e-6 * scale),
                              "trial %d, element %d, freedom %d", trial, k, a);
                }
            }
            cr_assert(lt(dbl, 1.0, largest));
            sherd_contact_trial_update_friction_caps(t, 1.0);
        }
        sherd_contact_trial_destroy(t);
        release(&c);
    }
}

// ---------------------------------------------------------------- explicit steps

static double small_step(rig *r)
{
    rig_set_step(r, 0.05);
    return r->dt;
}

// Elements that fly at each other across the crack: momenta to rounding; energy but for the friction's and the dashpots'
// shares, which are counted, within the integration's error at a twentieth of the limit.
Test(crack_faces, momenta_and_energy_are_kept)
{
    crack_rig c;
    make(&c, RIG_MATERIAL.friction);
    for (int k = 0; k < 4; ++k)
        c.r.e.vz[k] = k < 2 ? -0.5 : 0.5, c.r.e.vx[k] = k < 2 ? 1.0 : -1.0;
    double dt = small_step(&c.r);
    rig_forces(&c.r, NULL, 0.0);
    sherd_vec3 p = rig_momentum(&c.r), l = rig_angular_momentum(&c.r);
    double energy = rig_kinetic(&c.r), most = 0.0;
    for (double t = 0.0; t < 5e-3; t += dt) {
        for (int k = 0; k < 4; ++k)
            turn(&c.r, k, vec3_scale(dt, sherd_element_spin(&c.r.e, k)));
        rig_step(&c.r, NULL);
        sherd_contact_energy e = sherd_contacts_energy(c.r.contacts, c.r.gravity);
        most = fmax(most, e.stored);
    }
    cr_assert(lt(dbl, 0.05 * energy, most));
    double scale = c.r.e.mass[0];
    cr_assert(lt(dbl, vec3_distance(rig_momentum(&c.r), p), 1e-13 * scale));
    cr_assert(lt(dbl, vec3_distance(rig_angular_momentum(&c.r), l), 1e-14 * scale));
    cr_assert(epsilon_eq(dbl, rig_balance(&c.r), energy, 2e-3 * energy));
    release(&c);
}

// All kernels give the same bits.
Test(crack_faces, kernels_agree)
{
    struct {
        double x[4], spin[4];
    } end[2];
    for (int scalar = 0; scalar < 2; ++scalar) {
        crack_rig c;
        make(&c, RIG_MATERIAL.friction);
        c.r.contacts->kernel = scalar ? reference_pair_kernel() : NULL;
        for (int k = 0; k < 4; ++k)
            c.r.e.vz[k] = k < 2 ? -0.5 : 0.5, c.r.e.vx[k] = k < 2 ? 1.0 : -1.0;
        rig_set_step(&c.r, 0.05);
        rig_run(&c.r, 300);
        cr_assert(lt(i64, 0, sherd_contacts_active_count(c.r.contacts)));
        for (int k = 0; k < 4; ++k)
            end[scalar].x[k] = c.r.e.px[k], end[scalar].spin[k] = c.r.e.wy[k];
        release(&c);
    }
    for (int k = 0; k < 4; ++k) {
        cr_assert(eq(dbl, end[0].x[k], end[1].x[k]), "%d", k);
        cr_assert(eq(dbl, end[0].spin[k], end[1].spin[k]), "%d", k);
    }
}
