// Contact of bodies of points by surfaces and by pairs [MPMG]: two disks, four spheres.
#include "physics/mpm_rig.h"

static sherd_solid solid_of(double modulus, double nu, double density, double friction)
{
    return (sherd_solid){.kind = SHERD_SOLID_NEO_HOOKEAN,
                         .density = density,
                         .mu = 0.5 * modulus / (1.0 + nu),
                         .lambda = modulus * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)),
                         .yield_stress = INFINITY,
                         .contact_friction = friction};
}

// Balls of points on lattices of half the spacing about their centres; without z, discs of four layers.
typedef struct ball {
    double centre[3], velocity[3], radius; // [m], [m/s], [m]
} ball;

static size_t count_points(const ball *b, double step, bool disc, sherd_mpm_points *p, size_t at,
                           uint32_t body)
{
    int reach = (int)ceil(b->radius / step), layers = disc ? 2 : reach;
    // A disc's lattice has its centre between points.
    double shift = disc ? 0.5 : 0.0;
    size_t count = 0;
    for (int z = -layers; z < layers + !disc; ++z)
        for (int y = -reach; y < reach + !disc; ++y)
            for (int x = -reach; x < reach + !disc; ++x) {
                double r[3] = {step * (x + shift), step * (y + shift), step * (z + shift)};
                double flat = disc ? 0.0 : r[2];
                if (!(hypot(hypot(r[0], r[1]), flat) < b->radius)) continue;
                for (int i = 0; i < 3 && p != NULL; ++i)
                    p->x[i][at + count] = b->centre[i] + r[i], p->v[i][at + count] = b->velocity[i];
                if (p != NULL) p->volume[at + count] = step * step * step;
                if (p != NULL) p->body[at + count] = body;
                ++count;
            }
    return count;
}

static void make(mpm_rig *r, const sherd_mpm_def *def, sherd_solid solid, const ball *balls,
                 int count, bool disc)
{
    double step = 0.5 * def->spacing;
    size_t points = 0, at = 0;
    for (int k = 0; k < count; ++k)
        points += count_points(&balls[k], step, disc, NULL, 0, 0);
    sherd_mpm_init(&r->m, def, r->solids);
    cr_assert(sherd_mpm_points_make(&r->m.points, points, def->affine));
    for (int k = 0; k < count; ++k) {
        at += count_points(&balls[k], step, disc, &r->m.points, at, (uint32_t)k);
        r->solids[k] = solid;
    }
}

static sherd_vec3 mean_velocity(const mpm_rig *r, uint32_t body)
{
    sherd_vec3 sum = {0};
    double volume = 0.0;
    const sherd_mpm_points *p = &r->m.points;
    for (size_t k = 0; k < p->count; ++k) {
        if (p->body[k] != body) continue;
        volume += p->volume[k];
        sum.x += p->volume[k] * p->v[0][k], sum.y += p->volume[k] * p->v[1][k];
        sum.z += p->volume[k] * p->v[2][k];
    }
    return (sherd_vec3){sum.x / volume, sum.y / volume, sum.z / volume};
}

// ---------------------------------------------------------------- two disks

typedef struct meeting {
    double begin;      // when the first disk's velocity changes by 0.2 % [s]
    double start, end; // energy, of unit thickness [J]
    double rise;       // the largest above its least so far, over that at the start
    double momentum;   // the largest component, over that of one disk
} meeting;

// Sulsky, Chen and Schreyer's: two disks on a diagonal, at 0.1 m/s along both axes.
static meeting meet(double h, sherd_mpm_contact_kind kind)
{
    mpm_rig r;
    sherd_mpm_def def = sherd_mpm_def_default();
    def.spacing = h, def.flip = 1.0, def.contact = kind, def.parallel.threads = 2;
    const ball disks[2] = {{{0.2, 0.2, 0}, {0.1, 0.1, 0}, 0.2},
                           {{0.8, 0.8, 0}, {-0.1, -0.1, 0}, 0.2}};
    make(&r, &def, solid_of(1000.0, 0.3, 1000.0, 0.0), disks, 2, true);
    double dt = 0.5 * mpm_rig_stable_dt(&r);
    sherd_mpm_energy sum = sherd_mpm_sum(&r.m);
    meeting out = {NAN, sum.kinetic / (2.0 * h), 0.0, 0.0, 0.0};
    double least = sum.kinetic + sum.stored;
    while (r.m.time < 3.0) {
        mpm_rig_step(&r, dt);
        sum = sherd_mpm_sum(&r.m);
        double now = sum.kinetic + sum.stored;
        out.rise = fmax(out.rise, (now - least) / (2.0 * h) / out.start);
        least = fmin(least, now);
        if (isnan(out.begin) && mean_velocity(&r, 0).x < 0.0998) out.begin = r.m.time;
    }
    out.end = (sum.kinetic + sum.stored) / (2.0 * h);
    double scale = 1000.0 * M_PI * 0.04 * 2.0 * h * 0.1;
    out.momentum = fmax(fabs(sum.momentum.x), fabs(sum.momentum.y)) / scale;
    sherd_mpm_release(&r.m);
    return out;
}

Test(mpm_contact, disks_meet_when_they_touch_and_gain_nothing)
{
    const double closing = 0.2 * sqrt(2.0), right = (0.6 * sqrt(2.0) - 0.4) / closing; // 1.586 s
    meeting coarse = meet(0.05, SHERD_MPM_CONTACT_SURFACES),
            fine = meet(0.025, SHERD_MPM_CONTACT_SURFACES),
            early = meet(0.05, SHERD_MPM_CONTACT_PAIRWISE);
    cr_assert(lt(dbl, fabs(coarse.begin - right), 0.3 * 0.05 / closing), "%g", coarse.begin);
    cr_assert(lt(dbl, fabs(fine.begin - right), 0.3 * 0.025 / closing), "%g", fine.begin);
    cr_assert(lt(dbl, early.begin, right - 0.5 * 0.05 / closing), "%g", early.begin);
    const meeting all[3] = {coarse, fine, early};
    for (int k = 0; k < 3; ++k) {
        cr_assert(lt(dbl, fabs(all[k].start / 2.513 - 1.0), 0.04), "%g",
                  all[k].start); // area of lattices
        cr_assert(lt(dbl, all[k].rise, 1e-12), "%g", all[k].rise);
        cr_assert(lt(dbl, all[k].momentum, 1e-12), "%g", all[k].momentum);
    }
    // Nodal contact takes up what approaches within a cell, so losses go with h: 34 and 17 %.
    double loss = 1.0 - coarse.end / coarse.start, less = 1.0 - fine.end / fine.start;
    cr_assert(lt(dbl, less, 0.6 * loss), "%g %g", loss, less);
}

// ---------------------------------------------------------------- spheres

// One falls on three. They lie so that x -> -x leaves all as it is: the two that change places fall alike.
Test(mpm_contact, mirrored_spheres_do_the_same)
{
    const sherd_mpm_contact_kind kinds[2] = {SHERD_MPM_CONTACT_SURFACES,
                                             SHERD_MPM_CONTACT_PAIRWISE};
    for (int which = 0; which < 2; ++which) {
        mpm_rig r;
        sherd_mpm_def def = sherd_mpm_def_default();
        def.spacing = 0.4, def.contact = kinds[which], def.parallel.threads = 2;
        double far = 2.2 / sqrt(3.0);
        const ball balls[4] = {{{-1.1, 0.07, -0.5 * far}, {0}, 1.0},
                               {{1.1, 0.07, -0.5 * far}, {0}, 1.0},
                               {{0.0, 0.07, far}, {0}, 1.0},
                               {{0.0, 3.07, 0.0}, {0.0, -3.0, 0.0}, 1.0}};
        make(&r, &def, solid_of(1e5, 0.3, 1000.0, 0.2), balls, 4, false);
        double dt = mpm_rig_stable_dt(&r), y[4] = {0.0}, count[4] = {0.0};
        double before = sherd_mpm_sum(&r.m).momentum.y;
        while (r.m.time < 4.0)
            mpm_rig_step(&r, dt);
        const sherd_mpm_points *p = &r.m.points;
        for (size_t k = 0; k < p->count; ++k)
            if (p->number[k] != SHERD_MPM_FILLER)
                y[p->body[k]] += p->x[1][k], count[p->body[k]] += 1.0;
        for (int k = 0; k < 4; ++k)
            y[k] /= count[k];
        cr_assert(lt(dbl, y[0], -1.0), "%g", y[0]); // they were hit
        // Pairs one after another are not: the first of two to be hit takes more.
        double apart = fabs(y[0] - y[1]);
        if (kinds[which] == SHERD_MPM_CONTACT_SURFACES)
            cr_assert(lt(dbl, apart, 1e-5), "%g %g", y[0], y[1]);
        else
            cr_assert(lt(dbl, 0.01, apart), "%g %g", y[0], y[1]);
        cr_assert(lt(dbl, fabs(y[0] - y[2]), 0.1 * fabs(y[0])), "%g %g", y[0], y[2]); // the grid
        cr_assert(lt(dbl, fabs(sherd_mpm_sum(&r.m).momentum.y - before), 1e-12 * fabs(before)));
        sherd_mpm_release(&r.m);
    }
}

// ---------------------------------------------------------------- unlike bodies

// The velocity along x of a block that lands askew on another one, with the friction of either.
static double slow_down(double upper, double lower)
{
    mpm_rig r;
    sherd_mpm_def def = sherd_mpm_def_default();
    def.spacing = 0.1, def.contact = SHERD_MPM_CONTACT_SURFACES, def.parallel.threads = 1;
    const mpm_box boxes[2] = {{{0.2, 0.2, 0.0}, {0.4, 0.4, 0.4}, {1.0, 0.0, -0.5}},
                              {{0.0, 0.0, -0.4}, {1.0, 0.8, 0.4}, {0.0, 0.0, 0.0}}};
    mpm_rig_make(&r, &def, solid_of(1e5, 0.2, 1000.0, upper), boxes, 2);
    r.solids[1].contact_friction = lower;
    double dt = 0.5 * mpm_rig_stable_dt(&r);
    while (r.m.time < 0.04)
        mpm_rig_step(&r, dt);
    double speed = mean_velocity(&r, 0).x;
    sherd_mpm_release(&r.m);
    return speed;
}

// Whichever of them is the rough one, the mean is geometric.
Test(mpm_contact, unlike_bodies_rub_with_the_mean_of_their_frictions)
{
    double like = slow_down(0.4, 0.4), smooth = slow_down(0.0, 0.0);
    cr_assert(lt(dbl, like, smooth - 0.05), "%g, %g", like, smooth);
    cr_expect(epsilon_eq(dbl, slow_down(0.2, 0.8), like, 1e-9)); // rounding
    cr_expect(epsilon_eq(dbl, slow_down(0.8, 0.2), like, 1e-9));
}
