// Damage of phase fields: closed forms of local damage, the field of conjugate gradients, the energy that damage releases.
#include "models/mpm/damage/mpm_phase_field.h"

#include "physics/mpm_rig.h"

static const double E = 1e6, NU = 0.3, STRENGTH = 1e4;

static sherd_solid solid_of(void)
{
    return (sherd_solid){.kind = SHERD_SOLID_PHASE_FIELD,
                         .density = 1000.0,
                         .mu = 0.5 * E / (1.0 + NU),
                         .lambda = E * NU / ((1.0 + NU) * (1.0 - 2.0 * NU)),
                         .start = 1.0,
                         .residual = 0.001,
                         .threshold = STRENGTH};
}

static void make(mpm_rig *r, sherd_solid solid, sherd_mpm_kernel kernel, sherd_vec3 size)
{
    sherd_mpm_def def = sherd_mpm_def_default();
    def.spacing = 0.1, def.kernel = kernel, def.affine = true;
    mpm_box box = {.size = size};
    mpm_rig_make(r, &def, solid, &box, 1);
    cr_assert(sherd_mpm_points_add_damage(&r->m.points));
}

// Stretches all points along x without Poisson's contraction.
static void stretch(mpm_rig *r, double strain)
{
    for (size_t k = 0; k < r->m.points.count; ++k)
        r->m.points.b[0][k] = (1.0 + strain) * (1.0 + strain);
}

static sherd_mpm_phase_report evolve(mpm_rig *r, double dt)
{
    sherd_error error = {0};
    sherd_mpm_phase_report report;
    cr_assert(eq(int, (int)sherd_mpm_sort(&r->m, &error), SHERD_OK));
    r->m.grid.walls = NULL;
    sherd_mpm_transfer t = sherd_mpm_transfer_of(&r->m, dt);
    cr_assert(sherd_mpm_phase_evolve(&t, &r->m.def.parallel, &report));
    return report;
}

// Of uniaxial strain: sigma_1 = kappa (J^2 - 1) / (2 J) + mu J^(-5/3) 2/3 (J^2 - 1).
static double stress_of(const sherd_solid *s, double strain)
{
    double j = 1.0 + strain, kappa = s->lambda + 2.0 / 3.0 * s->mu;
    return 0.5 * kappa * (j * j - 1.0) / j + s->mu * pow(j, -5.0 / 3.0) * 2.0 / 3.0 * (j * j - 1.0);
}

static double stored(mpm_rig *r)
{
    sherd_mpm_transfer t = sherd_mpm_transfer_of(&r->m, 0.0);
    return sherd_mpm_stored_energy(&t, &r->m.def.parallel);
}

// Its stress is that of an undamaged solid up to the threshold, and threshold^2 / sigma beyond: softening at once. Nothing heals.
Test(mpm_phase_field, local_damage_is_the_threshold_over_stress)
{
    sherd_solid s = solid_of();
    static mpm_rig r;
    make(&r, s, SHERD_MPM_CUBIC, (sherd_vec3){0.4, 0.4, 0.4});
    double most = 0.0, lowest = 1.0;
    for (int k = 0; k < 60; ++k) {
        double strain = k < 40 ? 0.001 * k : 0.001 * (80 - k), stress = stress_of(&s, strain);
        stretch(&r, strain);
        evolve(&r, 1e-3);
        double c = r.m.points.state[0];
        lowest = fmin(lowest, STRENGTH / fmax(stress, STRENGTH));
        cr_assert(epsilon_eq(dbl, c, lowest, 1e-12)); // roundings
        cr_assert(eq(dbl, r.m.points.state[r.m.points.count - 1], c));
        if (k < 40) most = fmax(most, stress * (0.999 * c * c + 0.001));
    }
    // the strain of the peak lies between two of the steps, which are 0.13 of it apart
    cr_assert(epsilon_eq(dbl, most, STRENGTH, 0.13 * STRENGTH));
    cr_assert(le(dbl, most, 1.001 * STRENGTH)); // and the residual
    sherd_mpm_release(&r.m);
}

// (F + eta/dt) c = 1 + eta/dt c_n tends to 1 / F by (1 + dt F / eta)^-n.
Test(mpm_phase_field, damage_takes_its_time)
{
    sherd_solid s = solid_of();
    s.relaxation = 1e-2;
    static mpm_rig r;
    make(&r, s, SHERD_MPM_CUBIC, (sherd_vec3){0.4, 0.4, 0.4});
    stretch(&r, 0.02);
    double drive = stress_of(&s, 0.02) / STRENGTH, factor = 1.0;
    for (int k = 0; k < 20; ++k) {
        evolve(&r, 1e-3);
        factor /= 1.0 + 1e-3 * drive / s.relaxation;
        double expected = 1.0 / drive + (1.0 - 1.0 / drive) * factor;
        cr_assert(epsilon_eq(dbl, r.m.points.state[3], expected, 1e-12));
    }
    sherd_mpm_release(&r.m);
}

// By energy: uniform, c = 1 / (1 + 4 l0 (1 - r) psi / G), and the peak of stress is where that has fallen to 3/4, as of small
// strains (1 + a e^2)^-2 e has its maximum at a e^2 = 1/3.
Test(mpm_phase_field, energy_drives_it_as_of_griffith)
{
    sherd_solid s = solid_of();
    s.threshold = INFINITY, s.fracture_energy = 10.0, s.length = 0.05, s.residual = 0.0;
    static mpm_rig r;
    make(&r, s, SHERD_MPM_CUBIC, (sherd_vec3){0.4, 0.4, 0.4});
    double most = 0.0, at_peak = 0.0, modulus = s.lambda + 2.0 * s.mu;
    for (int k = 1; k <= 200; ++k) {
        double strain = 5e-5 * k, psi = 0.5 * modulus * strain * strain;
        stretch(&r, strain);
        evolve(&r, 1e-3);
        double c = r.m.points.state[5], stress = c * c * stress_of(&s, strain);
        double expected = 1.0 / (1.0 + 4.0 * s.length * psi / s.fracture_energy);
        cr_assert(epsilon_eq(dbl, c, expected, 2e-3)); // psi of small strains, to 1 % here
        if (stress > most) most = stress, at_peak = c;
    }
    cr_assert(epsilon_eq(dbl, at_peak, 0.75, 0.01)); // steps and finite strains
    double peak = 9.0 / 16.0 * sqrt(modulus * s.fracture_energy / (6.0 * s.length));
    cr_assert(epsilon_eq(dbl, most, peak, 0.01 * peak)); // finite strains
    sherd_mpm_release(&r.m);
}

// What is released is what the elastic energy loses, where strain stays; while it grows, the mean of psi+ counts.
Test(mpm_phase_field, what_is_released_was_stored)
{
    for (int spread = 0; spread < 2; ++spread) {
        sherd_solid s = solid_of();
        s.length = spread != 0 ? 0.05 : 0.0;
        static mpm_rig r;
        make(&r, s, SHERD_MPM_CUBIC, (sherd_vec3){1.2, 0.4, 0.4});
        evolve(&r, 1e-3); // sorts points
        for (size_t k = 0; k < r.m.points.count; ++k) {
            double strain = 0.03 * exp(-pow((r.m.points.x[0][k] - 0.6) / 0.15, 2.0));
            r.m.points.b[0][k] = (1.0 + strain) * (1.0 + strain);
        }
        double before = stored(&r);
        sherd_mpm_phase_report report = evolve(&r, 1e-3);
        // psi+ was 0 before: half of it counts
        cr_assert(lt(dbl, 0.0, report.released));
        cr_assert(epsilon_eq(dbl, 2.0 * report.released, before - stored(&r), 1e-12 * before));
        before = stored(&r);
        for (size_t k = 0; k < r.m.points.count; ++k)
            r.m.points.drive[k] *= 1.5;
        s.threshold = r.solids[0].threshold = 0.5 * STRENGTH; // lower, at the same strain
        report = evolve(&r, 1e-3);
        cr_assert(epsilon_eq(dbl, report.released, before - stored(&r), 1e-12 * before));
        sherd_mpm_release(&r.m);
    }
}

// A uniform field has no gradient: damage spread over any length is local damage.
Test(mpm_phase_field, uniform_damage_is_local)
{
    for (int kernel = SHERD_MPM_QUADRATIC; kernel <= SHERD_MPM_CUBIC; ++kernel)
        for (int slow = 0; slow < 2; ++slow) {
            sherd_solid s = solid_of();
            s.length = 0.1, s.relaxation = slow != 0 ? 1e-3 : 0.0;
            static mpm_rig r;
            make(&r, s, (sherd_mpm_kernel)kernel, (sherd_vec3){0.5, 0.4, 0.6});
            stretch(&r, 0.02);
            sherd_mpm_phase_report report = evolve(&r, 1e-3);
            double rate = s.relaxation / 1e-3, drive = stress_of(&s, 0.02) / STRENGTH,
                   expected = (1.0 + rate) / (drive + rate);
            for (size_t k = 0; k < r.m.points.count; ++k)
                cr_assert(epsilon_eq(dbl, r.m.points.state[k], expected, 1e-5)); // TOLERANCE
            cr_assert(lt(dbl, report.residual, 1e-6));
            sherd_mpm_release(&r.m);
        }
}

// Mean of c in the slice of points about x, of a bar of which one slice is driven by `drive`.
static double bar(double length, double drive, double x, int *iterations)
{
    sherd_solid s = solid_of();
    s.length = length;
    static mpm_rig r;
    make(&r, s, SHERD_MPM_CUBIC, (sherd_vec3){6.4, 0.4, 0.4});
    evolve(&r, 1e-3);
    for (size_t k = 0; k < r.m.points.count; ++k)
        if (fabs(r.m.points.x[0][k] - 3.225) < 0.02)
            r.m.points.b[0][k] = 1.1, r.m.points.drive[k] = 1.0;
    r.solids[0].threshold = stress_of(&s, sqrt(1.1) - 1.0) / drive;
    sherd_mpm_phase_report report = evolve(&r, 1e-3);
    if (iterations != NULL) *iterations = report.iterations;
    cr_assert(lt(dbl, report.residual, 1e-6));
    double sum = 0.0;
    int count = 0;
    for (size_t k = 0; k < r.m.points.count; ++k)
        if (r.m.points.number[k] != SHERD_MPM_FILLER && fabs(r.m.points.x[0][k] - x) < 0.02)
            sum += r.m.points.state[k], ++count;
    sherd_mpm_release(&r.m);
    return sum / count;
}

// Beside a cut of a bar c - 1 falls off by exp(-|x| / (2 l0)), the solution of c - 4 l0^2 c'' = 1; conjugate gradients converge
// in as many iterations as the length has cells. With l0 near 0 neighbours beyond the kernel do not see it.
Test(mpm_phase_field, damage_spreads_over_its_length)
{
    int iterations;
    double near = 1.0 - bar(0.2, 50.0, 3.725, &iterations), far = 1.0 - bar(0.2, 50.0, 4.125, NULL);
    cr_assert(
        epsilon_eq(dbl, near / far, exp(0.4 / 0.4), 0.03)); // the kernel's width, (h / 4 l0)^2
    cr_assert(lt(int, iterations, 60), "%d", iterations);
    double none = 1.0 - bar(1e-6, 50.0, 3.725, NULL);
    cr_assert(lt(dbl, fabs(none), 1e-9), "%g", none);
}

typedef struct ending {
    double c, x;
} ending;

static ending run(int threads, double length)
{
    sherd_solid s = solid_of();
    s.length = length, s.threshold = 5e3;
    static mpm_rig r;
    make(&r, s, SHERD_MPM_CUBIC, (sherd_vec3){1.6, 0.4, 0.4});
    r.m.def.parallel.threads = threads;
    for (size_t k = 0; k < r.m.points.count; ++k)
        r.m.points.v[0][k] = r.m.points.x[0][k] > 0.8 ? 0.5 : -0.5;
    double dt = 0.3 * mpm_rig_stable_dt(&r);
    sherd_mpm_energy start = sherd_mpm_sum(&r.m);
    for (int k = 0; k < 60; ++k)
        mpm_rig_step(&r, dt);
    sherd_mpm_energy end = sherd_mpm_sum(&r.m);
    double total = start.kinetic + start.stored, released = r.m.accounts.damaged,
           lost = r.m.accounts.transfer + r.m.accounts.after - end.kinetic,
           offset = r.m.accounts.offset;
    cr_assert(lt(dbl, 0.05 * total, released), "%g of %g", released, total);
    double missing = end.kinetic + end.stored + released + lost + offset - total;
    cr_assert(lt(dbl, fabs(missing), 3e-3 * total), "%g of %g", missing, total); // of order dt^2
    ending out = {0};
    for (size_t k = 0; k < r.m.points.count; ++k)
        out.c += r.m.points.state[k], out.x += r.m.points.x[0][k];
    sherd_mpm_release(&r.m);
    return out;
}

// A bar torn by its own speed: what is kinetic becomes elastic, and is released. The same bits for any number of threads.
Test(mpm_phase_field, a_bar_torn_apart_keeps_its_energy)
{
    for (int spread = 0; spread < 2; ++spread) {
        ending one = run(1, 0.05 * spread), three = run(3, 0.05 * spread);
        cr_assert(eq(dbl, one.c, three.c));
        cr_assert(eq(dbl, one.x, three.x));
    }
}
