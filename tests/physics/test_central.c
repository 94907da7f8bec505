// Springs and bond-based peridynamics (bond law `central`): solids of their modulus and ratio, waves, the energy of a
// crack, momenta, and the same bits by any number of threads.            docs/papers/springs-and-peridynamics.md
#include "base/memory.h"
#include "material/material.h"
#include "material/strength.h"
#include "models/bonded/network.h"
#include "models/bonded/storage/bond_measure.h"
#include "world/world.h"

#include "physics/methods.h"

#include <string.h>

static const double E = 1e7, DENSITY = 1000.0, RADIUS = 1e-3;

static sherd_material_def central(sherd_central_form form, double reach)
{
    sherd_material_def m = sherd_material_def_default();
    m.density = DENSITY;
    m.youngs_modulus = E;
    m.law = SHERD_BOND_LAW_CENTRAL;
    m.central = form;
    m.reach = reach;
    m.bond_damping = 0.0;
    return m;
}

static block solid_block(sherd_central_form form, double reach)
{
    block b = block_default();
    b.size = (sherd_vec3){0.032, 0.032, 0.032};
    b.radius = RADIUS;
    b.material = central(form, reach);
    return b;
}

static block layer_block(sherd_central_form form, double reach)
{
    block b = solid_block(form, reach);
    b.size = (sherd_vec3){0.06, 0.06, 2.0 * RADIUS};
    b.packing = SHERD_PACKING_HEX_LAYERS;
    b.layers = 1;
    return b;
}

static sherd_world *world_of(const block *b)
{
    sherd_world *world = world_with((sherd_vec3){0.0, 0.0, 0.0}, 1);
    add_block(world, b, NULL);
    return world;
}

// ---------------------------------------------------------------- uniform strains

typedef struct strain {
    double xx, yy, zz, xy, yz, zx; // tensor components
} strain;

static void deform(sherd_world *world, const strain *s, double amount)
{
    sherd_elements *e = &world->system.elements;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        sherd_vec3 rest = sherd_element_rest(e, k);
        double x = rest.x, y = rest.y, z = rest.z;
        e->px[k] = x + amount * (s->xx * x + s->xy * y + s->zx * z);
        e->py[k] = y + amount * (s->xy * x + s->yy * y + s->yz * z);
        e->pz[k] = z + amount * (s->zx * x + s->yz * y + s->zz * z);
    }
}

// Of the lattice [m^3].
static double cell_volume(const sherd_world *world, bool layer)
{
    double r = sherd_element_radius(&world->system.elements, 0), cube = r * r * r;
    return layer ? 4.0 * sqrt(3.0) * cube : 4.0 * sqrt(2.0) * cube;
}

// Half of each bond's energy is each end's; those with most bonds are in the bulk. Energy per volume.
static double bulk_energy(sherd_world *world, bool layer)
{
    const sherd_bonds *bonds = &world->system.bonds;
    const sherd_elements *e = &world->system.elements;
    double *energy = sherd_alloc((size_t)e->count, sizeof *energy);
    int *degree = sherd_alloc((size_t)e->count, sizeof *degree), most = 0;
    for (sherd_element_index k = 0; k < e->count; ++k)
        energy[k] = 0.0, degree[k] = 0;
    for (int64_t k = 0; k < bonds->count; ++k) {
        double half = 0.5 * sherd_bond_analyse(bonds, e, k).energy;
        const sherd_element_index ends[2] = {bonds->i[k], bonds->j[k]};
        for (int n = 0; n < 2; ++n) {
            energy[ends[n]] += half;
            if (++degree[ends[n]] > most) most = degree[ends[n]];
        }
    }
    double sum = 0.0, volume = 0.0;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        if (degree[k] < most) continue;
        sum += energy[k];
        volume += cell_volume(world, layer);
    }
    sherd_free(energy), sherd_free(degree);
    return sum / volume;
}

// Of an isotropic solid; a layer is in plane stress.
static double isotropic_energy(const strain *s, double nu, bool layer)
{
    double mu = E / (2.0 * (1.0 + nu));
    double lambda = layer ? E * nu / (1.0 - nu * nu) : E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    double trace = s->xx + s->yy + s->zz;
    double square = s->xx * s->xx + s->yy * s->yy + s->zz * s->zz +
                    2.0 * (s->xy * s->xy + s->yz * s->yz + s->zx * s->zx);
    return 0.5 * lambda * trace * trace + mu * square;
}

// Largest relative error over the strains.
static double patch_error(const block *b, double nu, bool layer)
{
    static const strain STRAINS[] = {
        {.xx = 1.0},
        {.yy = 1.0},
        {.xy = 0.5},
        {.xx = 1.0, .yy = -1.0},
        {.xx = 1.0, .yy = 1.0},
        {.zz = 1.0},
        {.yz = 0.5},
        {.zx = 0.5},
        {.xx = 1.0, .yy = 1.0, .zz = 1.0},
    };
    static const double AMOUNT = 1e-5; // squares of strains add 1e-5 of the energy
    sherd_world *world = world_of(b);
    double worst = 0.0;
    for (size_t k = 0; k < sizeof STRAINS / sizeof STRAINS[0]; ++k) {
        const strain *s = &STRAINS[k];
        if (layer && (s->zz != 0.0 || s->yz != 0.0 || s->zx != 0.0)) continue;
        deform(world, s, AMOUNT);
        double expected = AMOUNT * AMOUNT * isotropic_energy(s, nu, layer);
        double error = bulk_energy(world, layer) / expected - 1.0;
        cr_log_info("reach %g: strain %zu is off by %+.2f %%", b->material.reach, k, 100.0 * error);
        worst = fmax(worst, fabs(error));
    }
    sherd_world_destroy(world);
    return worst;
}

// The sum over lattice points replaces an integral over the horizon: shells of the lattice near its border count by
// the part of an element that is inside. Tolerances are the measured errors of the packing, which fall with reach,
// and 0.1 % more.
Test(central, peridynamic_bulk_has_the_modulus_and_ratio_given)
{
    const double reach[] = {2.0, 3.0, 4.0};
    const double of_layer[] = {0.035, 0.027, 0.003}, of_solid[] = {0.025, 0.028, 0.02};
    for (int k = 0; k < 3; ++k) {
        block layer = layer_block(SHERD_CENTRAL_PERIDYNAMICS_LAYER, reach[k]);
        cr_expect(lt(dbl, patch_error(&layer, 1.0 / 3.0, true), of_layer[k]), "%g", reach[k]);
        block solid = solid_block(SHERD_CENTRAL_PERIDYNAMICS, reach[k]);
        cr_expect(lt(dbl, patch_error(&solid, 0.25, false), of_solid[k]), "%g", reach[k]);
    }
}

// Springs in one hexagonal layer make an isotropic solid: E_macro = 2/3 sum(k l^2) / (4 A t) with the sum over an
// element's bonds and its area A = 2 sqrt(3) r^2.
Test(central, springs_have_the_modulus_of_their_sum)
{
    double rings = 6.0 * (1.0 + sqrt(3.0) + 2.0), squares = 6.0 * (1.0 + 3.0 + 4.0);
    for (int form = SHERD_CENTRAL_SPRINGS; form <= SHERD_CENTRAL_EQUAL_SPRINGS; ++form) {
        block b = layer_block((sherd_central_form)form, 0.0);
        sherd_world *world = world_of(&b);
        bool layer = true;
        double r = sherd_element_radius(&world->system.elements, 0), d = 2.0 * r;
        double area = 2.0 * sqrt(3.0) * r * r, section = acos(-1.0) * r * r;
        double sum = form == SHERD_CENTRAL_SPRINGS ? rings : squares; // k l^2 / (E S d)
        // W = 1/2 C xx^2, C = 3/16 sum k l^2 / (A t) in the plane; E_macro = C (1 - nu^2), nu = 1/3
        double C = 3.0 / 16.0 * sum * E * section * d / (area * d);
        static const double AMOUNT = 1e-5;
        deform(world, &(strain){.xx = 1.0}, AMOUNT);
        // squares of strains
        cr_expect(
            epsilon_eq(dbl, bulk_energy(world, layer) / (0.5 * C * AMOUNT * AMOUNT), 1.0, 1e-4));
        deform(world, &(strain){.xy = 0.5}, AMOUNT); // mu = C / 3
        cr_expect(epsilon_eq(dbl, bulk_energy(world, layer) / (0.5 * C / 3.0 * AMOUNT * AMOUNT),
                             1.0, 1e-4));
        sherd_world_destroy(world);
    }
}

// ---------------------------------------------------------------- volume and mass, random packings

Test(central, neither_mass_nor_volume_depends_on_the_law)
{
    block b = solid_block(SHERD_CENTRAL_PERIDYNAMICS, 3.0);
    b.size = (sherd_vec3){0.012, 0.012, 0.012};
    sherd_world *one = world_of(&b);
    b.material.law = SHERD_BOND_LAW_QUATERNION;
    b.material.central = SHERD_CENTRAL_SPRINGS, b.material.reach = 0.0;
    sherd_world *other = world_of(&b);
    const sherd_elements *e = &one->system.elements, *o = &other->system.elements;
    cr_assert(eq(int, e->count, o->count));
    for (sherd_element_index k = 0; k < e->count; ++k) {
        cr_assert(sherd_element_mass(e, k) == sherd_element_mass(o, k));
        cr_assert(e->radius[k] == o->radius[k]);
    }
    cr_assert(one->system.bonds.count > 5 * other->system.bonds.count);
    sherd_world_destroy(one), sherd_world_destroy(other);
}

// ---------------------------------------------------------------- waves

// Modulus of the bar with its surfaces, at the Poisson's ratio of least energy.
static double bar_modulus(sherd_world *world)
{
    static const double AMOUNT = 1e-5;
    double W[3];
    for (int k = 0; k < 3; ++k) {
        deform(world, &(strain){.xx = 1.0, .yy = -0.2 * k}, AMOUNT);
        W[k] = sherd_bonds_energy(&world->system.bonds, &world->system.elements,
                                  &world->system.parallel);
    }
    double curve = W[0] - 2.0 * W[1] + W[2], slope = 0.5 * (W[2] - W[0]);
    double least = W[1] - 0.5 * slope * slope / curve;
    deform(world, &(strain){0}, 0.0);
    return 2.0 * least /
           (AMOUNT * AMOUNT * world->system.elements.count * cell_volume(world, true));
}

// A free bar with the speeds of its first longitudinal mode, sin(pi x / L), swings back after half a period L / c.
static double half_period(sherd_world *world, double length)
{
    sherd_elements *e = &world->system.elements;
    for (sherd_element_index k = 0; k < e->count; ++k)
        e->vx[k] = 1e-3 * sin(acos(-1.0) * sherd_element_rest(e, k).x / length);
    double dt = default_step(world), before = 1.0;
    for (int64_t step = 1; step < 100000; ++step) {
        run_steps(world, 1);
        double along = 0.0; // amplitude of the mode's speed
        for (sherd_element_index k = 0; k < e->count; ++k)
            along += e->vx[k] * sin(acos(-1.0) * sherd_element_rest(e, k).x / length);
        if (along <= 0.0) return 2.0 * dt * ((double)step - along / (along - before));
        before = along;
    }
    return NAN;
}

// c = sqrt(E_bar / rho). The cross-section does not strain uniformly: near its surfaces, where bonds are missing, it
// is softer, which E_bar does not see (1 to 2 %), and the ends are softer over a horizon each of 120 spacings (1 %).
static void check_wave(const block *b, double tolerance)
{
    sherd_world *world = world_of(b);
    double modulus = bar_modulus(world);
    double density = sherd_element_mass(&world->system.elements, 0) / cell_volume(world, true);
    double expected = b->size.x * sqrt(density / modulus); // L / c
    double measured = half_period(world, b->size.x);
    cr_log_info("E_bar %.4g, half period %.4g s, %.4g s expected", modulus, measured, expected);
    cr_expect(epsilon_eq(dbl, measured / expected, 1.0, tolerance));
    sherd_world_destroy(world);
}

Test(central, bars_swing_at_the_speed_of_their_modulus)
{
    const struct {
        sherd_central_form form;
        double tolerance;
    } all[] = {{SHERD_CENTRAL_SPRINGS, 0.03},
               {SHERD_CENTRAL_EQUAL_SPRINGS, 0.03},
               {SHERD_CENTRAL_PERIDYNAMICS_LAYER, 0.03}};
    for (int k = 0; k < 3; ++k) {
        block b = layer_block(all[k].form, 0.0);
        b.size = (sherd_vec3){0.24, 0.02, 2.0 * RADIUS};
        check_wave(&b, all[k].tolerance);
    }
}

// Forces of bonds on elements displaced by v, over |v|: a product with the stiffness at rest.
static void stiffness_product(sherd_world *world, const double *v, double *f)
{
    static const double SMALL =
        1e-9; // [m]: strains of 1e-6, whose squares are beyond single precision
    sherd_elements *e = &world->system.elements;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        sherd_vec3 rest = sherd_element_rest(e, k);
        e->px[k] = rest.x + SMALL * v[3 * k];
        e->py[k] = rest.y + SMALL * v[3 * k + 1];
        e->pz[k] = rest.z + SMALL * v[3 * k + 2];
        f[3 * k] = f[3 * k + 1] = f[3 * k + 2] = 0.0;
    }
    const sherd_bonds *bonds = &world->system.bonds;
    for (int64_t k = 0; k < bonds->count; ++k) {
        sherd_vec3 on_j = sherd_bond_analyse_static(bonds, e, k).force_j;
        double *i = f + 3 * bonds->i[k], *j = f + 3 * bonds->j[k];
        i[0] += on_j.x / SMALL, i[1] += on_j.y / SMALL, i[2] += on_j.z / SMALL;
        j[0] -= on_j.x / SMALL, j[1] -= on_j.y / SMALL, j[2] -= on_j.z / SMALL;
    }
}

// 2 / omega by power iteration with the forces of bonds; all elements have one mass.
static double limit_by_forces(sherd_world *world)
{
    size_t size = 3 * (size_t)world->system.elements.count;
    double *v = sherd_alloc(size, sizeof *v), *f = sherd_alloc(size, sizeof *f), length = 0.0;
    for (size_t k = 0; k < size; ++k)
        v[k] = sin(1.7 * (double)(k * k % 1009)); // no symmetry
    for (int turn = 0; turn < 300; ++turn) {
        stiffness_product(world, v, f);
        length = 0.0;
        for (size_t k = 0; k < size; ++k)
            length += f[k] * f[k];
        length = sqrt(length);
        for (size_t k = 0; k < size; ++k)
            v[k] = f[k] / length;
    }
    double mass = sherd_element_mass(&world->system.elements, 0);
    sherd_free(v), sherd_free(f);
    return 2.0 / sqrt(length / mass);
}

// 2 / omega of the network that time steps follow from.
static double limit_of_bonds(sherd_world *world)
{
    const sherd_system *system = &world->system;
    const sherd_network network = {&system->elements, &system->bonds, &system->adjacency,
                                   system->parallel};
    sherd_prepared_operator stiffness;
    sherd_eigenvalue found;
    sherd_error error;
    cr_assert(eq(int, sherd_network_prepare(&network, 0.0, &stiffness, &error), SHERD_OK));
    size_t freedoms = 6 * (size_t)system->elements.count;
    cr_assert(eq(int,
                 sherd_largest_eigenvalue(stiffness.apply, stiffness.context, freedoms, 1e-3, 1000,
                                          &system->parallel, &found, &error),
                 SHERD_OK));
    stiffness.release(stiffness.context);
    return 2.0 / sqrt(found.bound);
}

// The step's limit is that of the largest eigenvalue of the whole network; power iteration has it to 1 %, from below.
Test(central, stable_time_step_is_the_largest_eigenvalues)
{
    for (int form = 0; form < SHERD_CENTRAL_COUNT; ++form) {
        bool layer = form != SHERD_CENTRAL_PERIDYNAMICS;
        block b = layer ? layer_block((sherd_central_form)form, 0.0)
                        : solid_block((sherd_central_form)form, 0.0);
        b.size = layer ? (sherd_vec3){0.03, 0.02, 2.0 * RADIUS} : (sherd_vec3){0.016, 0.012, 0.012};
        sherd_world *world = world_of(&b);
        sherd_error error;
        double whole = sherd_world_stable_time_step(world, &error); // contacts may limit it more
        double limit = limit_of_bonds(world), expected = limit_by_forces(world);
        cr_expect(le(dbl, whole, 1.01 * limit));
        cr_log_info("form %d: limit %.5g s, %.5g s by forces", form, limit, expected);
        cr_expect(epsilon_eq(dbl, limit / expected, 1.0, 0.02), "form %d", form);
        sherd_world_destroy(world);
    }
}

// ---------------------------------------------------------------- fracture energy

// Energy of all bonds that a plane cuts within a window, pulled to the critical stretch, per area of the window.
// Averaged over places of the plane within two spacings.
static double crack_energy(sherd_world *world, bool layer, double window)
{
    enum { PLACES = 20 };
    const sherd_bonds *bonds = &world->system.bonds;
    const sherd_elements *e = &world->system.elements;
    double sum = 0.0;
    for (int64_t k = 0; k < bonds->count; ++k) {
        sherd_bond_constants c = sherd_bond_constants_of(bonds, e, k);
        double stretch = c.sigma_c / c.moduli.stretch, area = acos(-1.0) * c.r0 * c.r0;
        double energy = 0.5 * c.moduli.stretch * area * stretch * stretch * c.l0;
        sherd_vec3 a = sherd_element_rest(e, bonds->i[k]), b = sherd_element_rest(e, bonds->j[k]);
        for (int place = 0; place < PLACES; ++place) {
            double at = 4.0 * RADIUS * ((place + 0.5) / PLACES - 0.5) + 1e-9;
            if ((a.x < at) == (b.x < at)) continue;
            double t = (at - a.x) / (b.x - a.x);
            double y = a.y + t * (b.y - a.y), z = a.z + t * (b.z - a.z);
            if (fabs(y) < 0.5 * window && (layer || fabs(z) < 0.5 * window)) sum += energy;
        }
    }
    return sum / (PLACES * window * (layer ? 2.0 * RADIUS : window));
}

// The window holds whole rows of the lattice to one element in 12 (solid) and 30 (layer): its sum is off by as much as
// a tenth of that. The rest is the lattice's sum in place of an integral, as for the modulus.
Test(central, critical_stretch_takes_the_fracture_energy)
{
    static const double ENERGY = 50.0;
    block layer = layer_block(SHERD_CENTRAL_PERIDYNAMICS_LAYER, 3.0);
    block solid = solid_block(SHERD_CENTRAL_PERIDYNAMICS, 3.0);
    layer.material.fracture_energy = solid.material.fracture_energy = ENERGY;
    sherd_world *of_layer = world_of(&layer), *of_solid = world_of(&solid);
    double G_layer = crack_energy(of_layer, true, 12.0 * sqrt(3.0) * RADIUS);
    double G_solid = crack_energy(of_solid, false, 12.0 * RADIUS);
    cr_log_info("crack energy: layer %.4f, solid %.4f", G_layer / ENERGY, G_solid / ENERGY);
    cr_expect(epsilon_eq(dbl, G_layer / ENERGY, 1.0, 0.03));
    cr_expect(epsilon_eq(dbl, G_solid / ENERGY, 1.0, 0.05));
    double s = sherd_material_critical_stretch(&solid.material, 6.0 * RADIUS);
    // K = E / (3 (1 - 2 nu)) = 2 E / 3
    cr_expect(
        epsilon_eq(dbl, s, sqrt(5.0 * ENERGY / (9.0 * (2.0 * E / 3.0) * 6.0 * RADIUS)), 1e-12));
    sherd_world_destroy(of_layer), sherd_world_destroy(of_solid);
}

// ---------------------------------------------------------------- momenta, energy, bits

static double length(sherd_vec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static sherd_vec3 difference(sherd_vec3 a, sherd_vec3 b)
{
    return (sherd_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static sherd_world *tumbling_world(sherd_central_form form, double friction,
                                   sherd_precision precision, int threads)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){0.0, 0.0, 0.0};
    def.threads = threads;
    def.precision = precision;
    sherd_world *world = sherd_world_create(&def, &error);
    block b = block_default();
    b.size = (sherd_vec3){0.04, 0.012, 0.012};
    b.material = central(form, 0.0);
    b.material.bond_damping = 0.02;
    b.material.tensile_strength = form == SHERD_CENTRAL_PERIDYNAMICS ? 5e4 : 1e4;
    b.material.weibull_modulus = 5;
    b.velocity = (sherd_vec3){1.0, 2.0, -0.5};
    b.angular_velocity = (sherd_vec3){30.0, 420.0, 350.0};
    b.material.friction = friction;
    add_block(world, &b, NULL);
    return world;
}

// As of conservation's tumbling block: in double precision rounding; in mixed precision a bond's direction is known to
// 6e-8, and its force has that moment about its ends. Friction would have moments, which turn nothing here.
static void check_momenta(sherd_central_form form, sherd_precision precision, double angular)
{
    sherd_world *world = tumbling_world(form, 0.0, precision, 2);
    sherd_vec3 p = sherd_world_momentum(world), h = sherd_world_angular_momentum(world);
    run_steps(world, 1500);
    cr_assert(sherd_world_bonds(world).broken_count > 10, "%lld broken",
              (long long)sherd_world_bonds(world).broken_count);
    cr_expect(lt(dbl, length(difference(sherd_world_momentum(world), p)) / length(p), 1e-12));
    double off = length(difference(sherd_world_angular_momentum(world), h)) / length(h);
    cr_log_info("angular momentum of form %d: off by %.3g", (int)form, off);
    cr_expect(lt(dbl, off, angular));
    sherd_world_destroy(world);
}

Test(central, momenta_of_a_tumbling_breaking_body)
{
    for (int form = 0; form <= SHERD_CENTRAL_PERIDYNAMICS; ++form) {
        check_momenta((sherd_central_form)form, SHERD_PRECISION_DOUBLE, 1e-12);
        check_momenta((sherd_central_form)form, SHERD_PRECISION_MIXED, 6e-8);
    }
}

// Elements do not turn themselves; what is seen of them is how their bonds are turned. Strains of the spin are 1e-4.
Test(central, elements_are_seen_to_turn_with_their_bonds)
{
    static const double SPIN = 40.0, TIME = 0.05;
    sherd_error error;
    block b = solid_block(SHERD_CENTRAL_PERIDYNAMICS, 3.0);
    b.size = (sherd_vec3){0.012, 0.012, 0.012};
    b.angular_velocity = (sherd_vec3){0.0, SPIN, 0.0};
    sherd_world *world = world_of(&b);
    cr_assert(eq(int, sherd_world_advance(world, TIME, &error), SHERD_OK));
    const sherd_elements *e = &world->system.elements;
    sherd_element_view seen = sherd_world_elements(world);
    for (sherd_element_index k = 0; k < e->count; ++k) {
        cr_assert(e->wx[k] == 0.0 && e->wy[k] == 0.0 && e->wz[k] == 0.0);
        cr_assert(epsilon_eq(dbl, seen.qy[k], sin(0.5 * SPIN * TIME), 1e-3));
        cr_assert(epsilon_eq(dbl, seen.qw[k], cos(0.5 * SPIN * TIME), 1e-3));
    }
    sherd_world_destroy(world);
}

// A damped layer that swings loses what its bonds' damping takes. The account corrects the power of half steps by
// samples (stepping/explicit/damping_work.h): of what it books, up to half a per cent was missed.
Test(central, damping_takes_what_it_accounts_for)
{
    for (int form = 0; form < SHERD_CENTRAL_PERIDYNAMICS; ++form) {
        block b = layer_block((sherd_central_form)form, 0.0);
        b.material.bond_damping = 0.03;
        sherd_world *world = weightless_world(SHERD_METHOD_EXPLICIT, 0.5);
        add_block(world, &b, NULL);
        sherd_elements *e = &world->system.elements;
        for (sherd_element_index k = 0; k < e->count; ++k)
            e->vx[k] = 0.1 * sin(200.0 * sherd_element_rest(e, k).x);
        double before = sherd_world_energy(world).kinetic;
        run_steps(world, 400);
        sherd_energy after = sherd_world_energy(world);
        double left = after.kinetic + after.elastic + after.dissipated_bonds;
        cr_log_info("form %d: %.3g damped, %.5g left", form, after.dissipated_bonds / before,
                    left / before);
        cr_expect(lt(dbl, 0.05 * before, after.dissipated_bonds));
        cr_expect(epsilon_eq(dbl, left / before, 1.0, 0.01), "form %d", form);
        sherd_world_destroy(world);
    }
}

Test(central, same_bits_by_any_threads_and_after_a_restart)
{
    sherd_error error;
    for (int form = 0; form <= SHERD_CENTRAL_PERIDYNAMICS; form += SHERD_CENTRAL_PERIDYNAMICS) {
        sherd_world *worlds[3];
        const int threads[3] = {1, 2, 3};
        for (int k = 0; k < 3; ++k) {
            worlds[k] =
                tumbling_world((sherd_central_form)form, 0.3, SHERD_PRECISION_MIXED, threads[k]);
            run_steps(worlds[k], 300);
        }
        void *state;
        size_t size;
        cr_assert(eq(int, sherd_world_save(worlds[0], &state, &size, &error), SHERD_OK));
        cr_assert(eq(int, sherd_world_restore(worlds[2], state, size, &error), SHERD_OK));
        for (int k = 0; k < 3; ++k)
            run_steps(worlds[k], 200);
        cr_assert(sherd_world_bonds(worlds[0]).broken_count > 10);
        uint64_t hash = sherd_world_state_hash(worlds[0]);
        cr_expect(eq(u64, sherd_world_state_hash(worlds[1]), hash));
        cr_expect(eq(u64, sherd_world_state_hash(worlds[2]), hash));
        sherd_world_free_state(state);
        for (int k = 0; k < 3; ++k)
            sherd_world_destroy(worlds[k]);
    }
}

// A bar between two grips, drawn apart: implicit steps take the same force as explicit ones.
static sherd_world *drawn_bar(sherd_method method)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){0.0, 0.0, 0.0};
    def.threads = 2;
    def.method = method;
    def.sleep = false;
    sherd_world *world = sherd_world_create(&def, &error);
    block b = block_default();
    b.size = (sherd_vec3){0.03, 0.01, 0.01};
    b.material = central(SHERD_CENTRAL_PERIDYNAMICS, 3.0);
    b.material.bond_damping = 0.3;
    add_block(world, &b, NULL);
    draw_ends_apart(world, 0.01);
    return world;
}

static double elastic_after(sherd_method method, double seconds)
{
    sherd_error error;
    sherd_world *world = drawn_bar(method);
    cr_assert(eq(int, sherd_world_advance(world, seconds, &error), SHERD_OK), "%s: %s", error.where,
              error.what);
    double elastic = sherd_world_energy(world).elastic;
    sherd_world_destroy(world);
    return elastic;
}

// After 20 ms, a hundred times what a wave needs along the bar, the state is nearly static: the energy follows from
// the elongation. The rest are swings of a hundredth of it.
Test(central, implicit_steps_agree_with_explicit_ones)
{
    double is = elastic_after(SHERD_METHOD_IMPLICIT, 0.02);
    double expected = elastic_after(SHERD_METHOD_EXPLICIT, 0.02);
    cr_log_info("elastic energy %.5g J, explicit %.5g J", is, expected);
    cr_expect(epsilon_eq(dbl, is / expected, 1.0, 0.02));
}

// ---------------------------------------------------------------- contact

// Elements that are bonded do not touch, however short their bond becomes: a ball of springs that falls in on itself
// stores bonds' energy only.
Test(central, bonded_elements_do_not_touch)
{
    block b = solid_block(SHERD_CENTRAL_SPRINGS, 2.0);
    b.size = (sherd_vec3){0.012, 0.012, 0.012};
    sherd_world *world = world_of(&b);
    sherd_elements *e = &world->system.elements;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        e->vx[k] = -6e3 * e->rx[k], e->vy[k] = -6e3 * e->ry[k], e->vz[k] = -6e3 * e->rz[k];
    }
    double shortest = 1.0, contact = 0.0;
    for (int step = 0; step < 40; ++step) {
        run_steps(world, 1);
        sherd_vec3 p = sherd_element_position(e, world->system.bonds.i[0]),
                   q = sherd_element_position(e, world->system.bonds.j[0]);
        shortest = fmin(shortest, length(difference(p, q)) / (2.0 * RADIUS));
        contact = fmax(contact, fabs(sherd_world_energy(world).contact));
    }
    cr_expect(lt(dbl, shortest, 0.9), "%g", shortest);
    cr_expect(eq(dbl, contact, 0.0));
    sherd_world_destroy(world);
}

// Mean speed down a slope after `seconds` from rest [m/s].
static double speed_down(sherd_method method, double slope, double seconds)
{
    static const double G = 9.81, FRICTION = 0.5;
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){G * sin(slope), 0.0, -G * cos(slope)};
    def.threads = 1;
    def.method = method;
    sherd_world *world = create(&def);
    block b = solid_block(SHERD_CENTRAL_PERIDYNAMICS, 3.0);
    b.size = (sherd_vec3){0.02, 0.02, 0.01};
    b.material.friction = FRICTION;
    b.material.bond_damping = 0.05;
    b.pose.position.z = 0.005;
    add_block(world, &b, NULL);
    add_floor(world, FRICTION);
    cr_assert(eq(int, sherd_world_advance(world, seconds, &error), SHERD_OK), "%s", error.what);
    double mass = 0.0;
    const sherd_elements *e = &world->system.elements;
    for (sherd_element_index k = 0; k < e->count; ++k)
        mass += sherd_element_mass(e, k);
    double speed = sherd_world_momentum(world).x / mass;
    sherd_world_destroy(world);
    return speed;
}

// As a block by Coulomb: at 3 degrees friction holds it (on balls that roll it had g sin / 1.4 t = 37 mm/s), at 40 it
// slides by g (sin - 0.5 cos). It lands on the floor within the first milliseconds: 2 %.
Test(central, friction_holds_bodies_that_do_not_roll_on_their_elements)
{
    static const sherd_method METHODS[] = {SHERD_METHOD_EXPLICIT, SHERD_METHOD_IMPLICIT,
                                           SHERD_METHOD_AUTO};
    const double degree = acos(-1.0) / 180.0, seconds = 0.1;
    for (int m = 0; m < 3; ++m) {
        double held = speed_down(METHODS[m], 3.0 * degree, seconds);
        double slides = speed_down(METHODS[m], 40.0 * degree, seconds);
        double expected = 9.81 * (sin(40.0 * degree) - 0.5 * cos(40.0 * degree)) * seconds;
        cr_log_info("method %d: held %.3g m/s, sliding %.4g of %.4g", m, held, slides, expected);
        cr_expect(lt(dbl, fabs(held), 1e-4), "method %d", m);
        cr_expect(epsilon_eq(dbl, slides / expected, 1.0, 0.02), "method %d", m);
    }
}

// ---------------------------------------------------------------- what is refused

static void check_refused(const sherd_material_def *def, const char *where)
{
    sherd_error error;
    cr_expect(eq(int, sherd_material_def_check(def, &error), SHERD_ERROR_INPUT));
    cr_expect(eq(str, error.where, (char *)where));
}

Test(central, what_does_not_apply_is_refused)
{
    sherd_material_def m = central(SHERD_CENTRAL_SPRINGS, 2.0);
    m.law = SHERD_BOND_LAW_ROD;
    check_refused(&m, "material.reach");
    m.reach = 0.0, m.central = SHERD_CENTRAL_PERIDYNAMICS;
    check_refused(&m, "material.central");
    m = central(SHERD_CENTRAL_SPRINGS, 2.0);
    m.tensile_strength = 1e5, m.fracture_energy = 10.0;
    check_refused(&m, "material.fracture_energy");
    m.central = SHERD_CENTRAL_PERIDYNAMICS; // breaks by one of the two
    check_refused(&m, "material.fracture_energy");
    m = central(SHERD_CENTRAL_PERIDYNAMICS, 5.0);
    sherd_error error;
    cr_expect(eq(int, sherd_material_def_check(&m, &error), SHERD_ERROR_INPUT));
    m = central(SHERD_CENTRAL_PERIDYNAMICS, 3.0);
    m.yield_stress = 1e5;
    check_refused(&m, "material.yield_stress");
}
