// Tables of bond laws and criteria: every row does what it says, and so does a law with a history and a criterion
// that only this test has (toy_bond_laws.h). Files that expand the tables are compiled once more for it.
#include "calibration/homogenise.h"
#include "linear/linear_matrix.h"
#include "material/material.h"
#include "models/bonded/storage/bond_pass.h"
#include "physics/block.h"
#include "unit/solver_rig.h"
#include "unit/toy_bond_laws.h"
#include "world/world.h"

#include <sherd/simd.h>

enum { LAWS = SHERD_BOND_LAW_COUNT + 1, CRITERIA = SHERD_BREAKAGE_COUNT + 1 };
static const sherd_bond_law TOY = SHERD_BOND_LAW_TOY;
static const sherd_breakage BENDER = SHERD_BREAKAGE_BENDER;

// Vectors of other machines' kernels do not know the toy.
static void begin(void)
{
    sherd_error error;
    cr_assert(eq(int, sherd_simd_choose("baseline", &error), SHERD_OK));
}

TestSuite(bond_laws, .init = begin);

static bool has_energy(int law)
{
    return sherd_bond_law_describe((sherd_bond_law)law)->has_energy;
}

// ---------------------------------------------------------------- tables

Test(bond_laws, rows_are_complete)
{
    for (int k = 0; k < LAWS; ++k) {
        const sherd_bond_law_info *law = sherd_bond_law_describe((sherd_bond_law)k);
        cr_assert(eq(str, (char *)law->word, (char *)sherd_bond_law_words[k]));
        cr_assert(lt(sz, 0, strlen(law->doc)));
        const sherd_bond_law_functions *functions = sherd_bond_law_functions_of((sherd_bond_law)k);
        cr_assert(functions->moduli != NULL);
        cr_assert(eq(int, functions->stiffness != NULL, law->has_energy));
    }
    for (int k = 0; k < CRITERIA; ++k) {
        const sherd_breakage_info *criterion = sherd_breakage_describe((sherd_breakage)k);
        cr_assert(eq(str, (char *)criterion->word, (char *)sherd_breakage_words[k]));
        cr_assert(criterion->bending > 0.0 && criterion->shear > 0.0 && criterion->twisting > 0.0);
    }
    cr_assert(eq(str, (char *)sherd_bond_law_describe(TOY)->word, "toy"));
    cr_assert(eq(int, sherd_bond_law_describe(TOY)->history, 1));
    cr_assert(sherd_bond_law_words[LAWS] == NULL);
    cr_assert(sherd_breakage_words[CRITERIA] == NULL);
}

Test(bond_laws, what_has_no_row_is_refused)
{
    sherd_error error;
    sherd_bonds bonds = {0};
    rig r;
    rig_make(&r, &(rig_def){2, 1, 1, .radius = 1e-3, .youngs_modulus = 1e9});
    const int wrong[2][2] = {{LAWS, 0}, {0, CRITERIA}};
    for (int k = 0; k < 2; ++k) {
        sherd_material_def def = sherd_material_def_default();
        def.law = (sherd_bond_law)wrong[k][0];
        def.breakage = (sherd_breakage)wrong[k][1];
        cr_assert(eq(int, sherd_material_def_check(&def, &error), SHERD_ERROR_INPUT));
        cr_assert(eq(str, error.where, k == 0 ? "material.law" : "material.breakage"));
        cr_assert(eq(int, sherd_bonds_add(&bonds, &r.elements, &def, 0, 1, 0, &error),
                     SHERD_ERROR_INPUT));
        cr_assert(eq(str, error.where, "material"));
    }
    rig_free(&r);
    sherd_bonds_free(&bonds);
}

// A system with bonds that have no stiffness is an error, not one with another law's.
Test(bond_laws, bonds_without_an_energy_make_no_linear_system)
{
    sherd_error error;
    rig r;
    rig_make(&r, &(rig_def){2, 1, 1, .radius = 1e-3, .youngs_modulus = 1e9,
                            .precision = SHERD_PRECISION_MIXED, .law = SHERD_BOND_LAW_LU});
    sherd_linear_matrix matrix = {0};
    cr_assert(eq(int, sherd_linear_matrix_prepare(&matrix, &r.system, &error), SHERD_ERROR_INPUT));
    cr_assert(strstr(error.what, "law lu") != NULL);
    sherd_linear_matrix_free(&matrix);
    rig_free(&r);
}

// ---------------------------------------------------------------- energy and loads

static void make(rig *r, int law, int breakage, double jitter, sherd_precision precision)
{
    rig_make(r, &(rig_def){4, 3, 3, .jitter = jitter, .radius = 1e-3, .youngs_modulus = 1e8,
                           .precision = precision, .own = jitter > 0.0 ? 0.3 : 0.0,
                           .law = (sherd_bond_law)law, .breakage = (sherd_breakage)breakage,
                           // stretch alone reaches less than stretch and bending together
                           .strength = law == (int)SHERD_BOND_LAW_CENTRAL ? 1.8e6 : 2.7e6});
}

// Bonds that remember something different each.
static void give_history(rig *r)
{
    for (int64_t k = 0; k < r->bonds.count * r->bonds.history_stride; ++k)
        r->bonds.history[k] = (float)rig_uniform(r, 0.0, 0.1);
}

static double energy_of(rig *r)
{
    return sherd_bonds_energy(&r->bonds, &r->elements, &r->system.parallel);
}

// By analysis, bond by bond: the loads on node k in y, six columns.
static void add_up_loads(rig *r, double sign, double *y)
{
    size_t stride = rig_stride(r);
    for (int64_t k = 0; k < r->bonds.count; ++k) {
        if (r->bonds.broken[k]) continue;
        sherd_bond_analysis a = sherd_bond_analyse(&r->bonds, &r->elements, k);
        sherd_vec3 on_i = vec3_scale(-1.0, a.force_j);
        rig_add(y, stride, (size_t)r->bonds.i[k], sign, (rig_node){on_i, a.torque_i});
        rig_add(y, stride, (size_t)r->bonds.j[k], sign, (rig_node){a.force_j, a.torque_j});
    }
}

static double *vector_of(const rig *r)
{
    double *x = sherd_alloc(6 * rig_stride(r), sizeof *x);
    cr_assert(x != NULL);
    return x;
}

// Displacements of about a radius, rotations of about 1.
static double *random_motion(rig *r)
{
    double *x = vector_of(r);
    for (size_t k = 0; k < (size_t)r->elements.count; ++k)
        rig_add(x, rig_stride(r), k, 1.0, (rig_node){rig_vector(r, r->radius), rig_vector(r, 1.0)});
    return x;
}

static void move_along(rig *r, const double *x, double step)
{
    for (int k = 0; k < r->elements.count; ++k) {
        rig_node n = rig_load(x, rig_stride(r), (size_t)k);
        sherd_vec3 p = vec3_add_scaled(sherd_element_position(&r->elements, k), step, n.p);
        sherd_quat turn = quat_from_rotation_vector(vec3_scale(step, n.q));
        rig_place(r, k, p, quat_multiply(turn, sherd_element_orientation(&r->elements, k)));
    }
}

static double dot(const double *x, const double *y, size_t size)
{
    double sum = 0.0;
    for (size_t k = 0; k < size; ++k)
        sum += x[k] * y[k];
    return sum;
}

// Fourth-order differences of step 1e-4 against strains of 0.05: truncation and rounding are below 1e-8 of the loads'
// work on every element that moves, of which there are 36 that mostly cancel.
Test(bond_laws, loads_are_the_gradient_of_the_energy)
{
    for (int law = 0; law < LAWS; ++law) {
        if (!has_energy(law)) continue;
        rig r;
        make(&r, law, 0, 0.1, SHERD_PRECISION_MIXED);
        rig_deform(&r, 0.05);
        give_history(&r);
        double *loads = vector_of(&r), scale = sqrt(6.0 * r.elements.count);
        add_up_loads(&r, 1.0, loads);
        for (int trial = 0; trial < 10; ++trial) {
            const double h = 1e-4;
            double *x = random_motion(&r), e[2];
            for (int k = 0; k < 2; ++k) {
                move_along(&r, x, (k + 1) * h);
                double ahead = energy_of(&r);
                move_along(&r, x, -2.0 * (k + 1) * h);
                e[k] = ahead - energy_of(&r);
                move_along(&r, x, (k + 1) * h);
            }
            double slope = (8.0 * e[0] - e[1]) / (12.0 * h), size = 6.0 * (double)rig_stride(&r);
            double work = dot(x, loads, (size_t)size);
            double most = sqrt(dot(x, x, (size_t)size) * dot(loads, loads, (size_t)size)) / scale;
            cr_assert(epsilon_eq(dbl, -slope, work, 1e-6 * fmax(most, fabs(work))));
            sherd_free(x);
        }
        sherd_free(loads);
        rig_free(&r);
    }
}

// ---------------------------------------------------------------- kernels

static double largest(const double *y, size_t size)
{
    double most = 0.0;
    for (size_t k = 0; k < size; ++k)
        most = fmax(most, fabs(y[k]));
    return most;
}

// Moments in units of force times radius.
static void check_loads(rig *r, const double *expected, double tolerance)
{
    size_t stride = rig_stride(r);
    const sherd_elements *e = &r->elements;
    double force = largest(expected, 3 * stride),
           torque = largest(expected + 3 * stride, 3 * stride);
    if (!(torque > 1e-6 * force * r->radius)) torque = force * r->radius; // central bonds have none
    for (sherd_element_index k = 0; k < e->count; ++k) {
        rig_node n = rig_load(expected, stride, (size_t)k);
        sherd_vec3 f = vec3_sub(vec3(e->fx[k], e->fy[k], e->fz[k]), n.p);
        sherd_vec3 t = vec3_sub(vec3(e->tx[k], e->ty[k], e->tz[k]), n.q);
        cr_assert(le(dbl, vec3_length(f), tolerance * force));
        cr_assert(le(dbl, vec3_length(t), tolerance * torque));
    }
}

// The bonds that the last pass found broken are those whose stress ratio is above 1.
static void check_broken(rig *r)
{
    int64_t found = 0, over = 0, bond;
    for (int b = 0; b < r->blocks.count; ++b) {
        sherd_broken_cursor cursor = {0};
        while (sherd_bond_block_next_broken(&r->blocks, &r->blocks.blocks[b], &cursor, &bond)) {
            ++found;
            double ratio = sherd_bond_analyse(&r->bonds, &r->elements, bond).stress_ratio;
            cr_assert(lt(dbl, 1.0 - 1e-4, ratio)); // to single precision
        }
    }
    for (int64_t k = 0; k < r->bonds.count; ++k)
        over += sherd_bond_analyse(&r->bonds, &r->elements, k).stress_ratio > 1.0 + 1e-4;
    cr_assert(ge(i64, found, over));
    const sherd_breakage_info *criterion = sherd_breakage_describe(r->material.breakage);
    bool breaks = criterion->breaks && criterion->measure == SHERD_BREAKAGE_OF_BONDS;
    cr_assert(eq(int, found > 0, breaks), "%d found", (int)found);
    cr_assert(lt(i64, found, r->bonds.count));
}

static double stretch_of(const rig *r, int64_t bond)
{
    const sherd_bonds *b = &r->bonds;
    double l = vec3_distance(sherd_element_position(&r->elements, b->i[bond]),
                             sherd_element_position(&r->elements, b->j[bond]));
    return fabs(l / sherd_bond_constants_of(b, &r->elements, bond).l0 - 1.0);
}

// Starts with bonds that remember nothing.
static void check_history(const rig *r, bool has_history)
{
    for (int64_t k = 0; r->bonds.history != NULL && k < r->bonds.count; ++k) {
        double stretch = has_history ? stretch_of(r, k) : 0.0;
        cr_assert(
            epsilon_eq(dbl, (double)r->bonds.history[k * r->bonds.history_stride], stretch, 2e-6));
    }
}

static void check_explicit(int law, int breakage, double jitter, sherd_precision precision)
{
    rig r;
    make(&r, law, breakage, jitter, precision);
    rig_deform(&r, 0.02);
    double *expected = vector_of(&r);
    add_up_loads(&r, 1.0, expected);
    sherd_bonds_apply(&r.bonds, &r.blocks, &r.elements, &r.system.parallel, NULL, NULL);
    // Sums of forces of single precision that nearly cancel.
    check_loads(&r, expected, precision == SHERD_PRECISION_MIXED ? 1e-4 : 1e-11);
    check_history(&r, true);
    if (r.bonds.history != NULL)
        memset(r.bonds.history, 0,
               (size_t)(r.bonds.count * r.bonds.history_stride) * sizeof(float));
    check_broken(&r);
    sherd_free(expected);
    rig_free(&r);
}

Test(bond_laws, explicit_kernels_do_what_analysis_says)
{
    for (int law = 0; law < LAWS; ++law)
        for (int breakage = 0; breakage < CRITERIA; ++breakage)
            for (int jittered = 0; jittered < 2; ++jittered) {
                check_explicit(law, breakage, 0.1 * jittered, SHERD_PRECISION_MIXED);
                check_explicit(law, breakage, 0.1 * jittered, SHERD_PRECISION_DOUBLE);
            }
}

// What implicit steps minimise; trial states are not remembered, accepted ones are.
Test(bond_laws, evaluations_have_the_energy_and_remember_nothing)
{
    for (int law = 0; law < LAWS; ++law)
        for (int jittered = 0; jittered < 2 && has_energy(law); ++jittered) {
            rig r;
            make(&r, law, (int)BENDER, 0.1 * jittered, SHERD_PRECISION_MIXED);
            rig_deform(&r, 0.02);
            double *expected = vector_of(&r), energy = energy_of(&r), ratio = 0.0;
            for (int64_t k = 0; k < r.bonds.count; ++k)
                ratio = fmax(ratio, sherd_bond_analyse(&r.bonds, &r.elements, k).stress_ratio);
            add_up_loads(&r, 1.0, expected);
            sherd_bond_potential p =
                sherd_bonds_evaluate(&r.bonds, &r.blocks, &r.elements, &r.system.parallel);
            // Loose bonds' numbers are stored in single precision.
            cr_assert(epsilon_eq(dbl, p.energy, energy, 1e-6 * energy));
            cr_assert(epsilon_eq(dbl, p.stress_ratio, ratio, 1e-6 * ratio));
            check_loads(&r, expected, 1e-5);
            check_history(&r, false);
            sherd_bonds_update_histories(&r.bonds, &r.elements, &r.system.parallel);
            check_history(&r, true);
            if (law == (int)TOY) cr_assert(lt(dbl, energy_of(&r), energy));
            sherd_free(expected);
            rig_free(&r);
        }
}

// ---------------------------------------------------------------- stiffness

static void multiply(rig *r, const double *x, double *y)
{
    sherd_error error;
    size_t size = 6 * rig_stride(r);
    float *in = sherd_alloc(size, sizeof *in), *out = sherd_alloc(size, sizeof *out);
    for (size_t k = 0; k < size; ++k)
        in[k] = (float)x[k];
    sherd_linear_matrix matrix = {0};
    cr_assert(eq(int, sherd_linear_matrix_prepare(&matrix, &r->system, &error), SHERD_OK));
    sherd_linear_matrix_apply(&matrix, in, out);
    for (size_t k = 0; k < size; ++k)
        y[k] = (double)out[k];
    sherd_linear_matrix_free(&matrix);
    sherd_free(in);
    sherd_free(out);
}

// At rest, where Gauss-Newton's stiffness is the energy's second derivative. Differences of step 1e-4 miss what laws
// are beyond the first order by 1e-4 at most, by the square of that where they are odd.
Test(bond_laws, tangents_at_rest_are_the_derivative_of_loads)
{
    for (int law = 0; law < LAWS; ++law)
        for (int jittered = 0; jittered < 2 && has_energy(law); ++jittered) {
            rig r;
            make(&r, law, 0, 0.1 * jittered, SHERD_PRECISION_MIXED);
            const double h = 1e-4;
            size_t size = 6 * rig_stride(&r);
            double *x = random_motion(&r), *y = vector_of(&r), *expected = vector_of(&r);
            multiply(&r, x, y);
            move_along(&r, x, h);
            add_up_loads(&r, -0.5 / h, expected);
            move_along(&r, x, -2.0 * h);
            add_up_loads(&r, 0.5 / h, expected);
            double most = largest(expected, size / 2),
                   turning = largest(expected + size / 2, size / 2);
            if (law == (int)SHERD_BOND_LAW_CENTRAL) turning = most * r.radius; // it is rounding
            for (size_t k = 0; k < size; ++k)
                cr_assert(
                    epsilon_eq(dbl, y[k], expected[k], 1e-5 * (k < size / 2 ? most : turning)));
            sherd_free(x), sherd_free(y), sherd_free(expected);
            rig_free(&r);
        }
}

// Along a stretched bond, of kernels and of coarse levels.
Test(bond_laws, tangents_follow_the_length)
{
    for (int law = 0; law < LAWS; ++law) {
        if (!has_energy(law)) continue;
        rig r;
        rig_make(&r, &(rig_def){2, 1, 1, .radius = 1e-3, .youngs_modulus = 1e8,
                                .precision = SHERD_PRECISION_MIXED, .law = (sherd_bond_law)law});
        const double stretch = 0.1, h = 1e-8;
        double *x = vector_of(&r), *y = vector_of(&r), l0 = 2e-3;
        x[1] = 1.0; // along the bond
        move_along(&r, x, stretch * l0);
        multiply(&r, x, y);
        move_along(&r, x, h);
        double ahead = sherd_bond_analyse(&r.bonds, &r.elements, 0).force_j.x;
        move_along(&r, x, -2.0 * h);
        double behind = sherd_bond_analyse(&r.bonds, &r.elements, 0).force_j.x;
        double expected = (behind - ahead) / (2.0 * h);
        cr_assert(epsilon_eq(dbl, y[1], expected, 1e-5 * expected));
        sherd_bond_stiffness k = {1.0, 1.0, 1.0, 1.0};
        sherd_bond_law_functions_of((sherd_bond_law)law)->stiffness(1.0 / (1.0 + stretch), &k);
        sherd_bond_constants constants = sherd_bond_constants_of(&r.bonds, &r.elements, 0);
        double at_rest =
            constants.moduli.stretch * M_PI * constants.r0 * constants.r0 / constants.l0;
        cr_assert(epsilon_eq(dbl, k.stretch * at_rest, expected, 1e-6 * expected));
        sherd_free(x), sherd_free(y);
        rig_free(&r);
    }
}

// Calibration homogenises with the moduli that the law makes.
Test(bond_laws, homogenisation_asks_the_law)
{
    const sherd_bond_law laws[] = {SHERD_BOND_LAW_QUATERNION, SHERD_BOND_LAW_ROD, TOY};
    const double shear[] = {1.0, 5.0 / 6.0, 0.8};
    for (int k = 0; k < 3; ++k) {
        sherd_material_def material = sherd_material_def_default();
        material.law = laws[k];
        cr_assert(epsilon_eq(dbl, sherd_affine_bonds_of(&material, 0.4).g, 0.4 * shear[k], 1e-15));
    }
}

// ---------------------------------------------------------------- worlds

// A bar that is drawn out from its middle at up to 0.2 m/s, after `time`.
static sherd_energy swing(sherd_bond_law law, sherd_method method, double time, sherd_world **made)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity = vec3(0.0, 0.0, 0.0);
    def.threads = 1;
    def.method = method;
    def.scheme = SHERD_SCHEME_MIDPOINT;
    def.contacts = false;
    if (method == SHERD_METHOD_IMPLICIT) def.time_step = time / 40.0;
    sherd_world *world = sherd_world_create(&def, &error);
    block b = block_default();
    b.size = vec3(0.03, 0.006, 0.006);
    b.material.law = law;
    if (law == SHERD_BOND_LAW_CENTRAL) b.material.reach = 1.0; // as stiff as the others
    b.material.bond_damping = 0.0;
    add_block(world, &b, NULL);
    cr_assert(eq(int, sherd_world_prepare(world, &error), SHERD_OK), "%s", error.what);
    sherd_elements *e = &world->system.elements;
    double middle = 0.0;
    for (int k = 0; k < e->count; ++k)
        middle += e->px[k] / e->count;
    for (int k = 0; k < e->count; ++k)
        e->vx[k] = 0.2 * (e->px[k] - middle) / 0.015;
    cr_assert(eq(int, sherd_world_advance(world, time, &error), SHERD_OK), "%s", error.what);
    *made = world;
    return sherd_world_energy(world);
}

// A bar's slowest stretching takes 2 L / c = 0.1 ms: after a sixth of it most is elastic. Steps of a fortieth
// follow that to (w dt)^2 / 12 < 0.1 %, what is quicker less well.
Test(bond_laws, implicit_steps_go_where_explicit_ones_do)
{
    const double time = 1.6e-5;
    for (int law = 0; law < LAWS; ++law) {
        if (!has_energy(law)) continue;
        sherd_world *world;
        sherd_energy by_explicit = swing((sherd_bond_law)law, SHERD_METHOD_EXPLICIT, time, &world);
        sherd_world_destroy(world);
        sherd_energy by_implicit = swing((sherd_bond_law)law, SHERD_METHOD_IMPLICIT, time, &world);
        if (law == (int)TOY) {
            const sherd_bonds *bonds = &world->system.bonds;
            double most = 0.0;
            for (int64_t k = 0; k < bonds->count; ++k)
                most = fmax(most, (double)bonds->history[k * bonds->history_stride]);
            cr_assert(lt(dbl, 1e-4, most)); // accepted steps were remembered
        }
        sherd_world_destroy(world);
        double total = by_explicit.kinetic + by_explicit.elastic;
        cr_assert(epsilon_eq(dbl, by_implicit.kinetic, by_explicit.kinetic, 0.01 * total));
        cr_assert(epsilon_eq(dbl, by_implicit.elastic, by_explicit.elastic, 0.01 * total));
        cr_assert(lt(dbl, 0.1 * total, by_explicit.elastic));
    }
}

// Bending four times as stiff lowers the limit.
Test(bond_laws, time_steps_ask_the_law)
{
    sherd_error error;
    double limit[2];
    for (int k = 0; k < 2; ++k) {
        sherd_world *world = weightless_world(SHERD_METHOD_EXPLICIT, 0.85);
        block b = block_default();
        b.size = vec3(0.01, 0.006, 0.006);
        b.material.law = k == 0 ? SHERD_BOND_LAW_QUATERNION : TOY;
        add_block(world, &b, NULL);
        limit[k] = sherd_world_stable_time_step(world, &error);
        sherd_world_destroy(world);
    }
    cr_assert(limit[1] > 0.0 && limit[1] < 0.95 * limit[0]);
}

// Saved in the middle and restored, bonds remember the same.
Test(bond_laws, checkpoints_have_what_bonds_remember)
{
    sherd_error error;
    sherd_world *world[2];
    void *bytes = NULL;
    size_t size = 0;
    for (int k = 0; k < 2; ++k)
        swing(TOY, SHERD_METHOD_EXPLICIT, k == 0 ? 2e-5 : 1e-6, &world[k]);
    cr_assert(eq(int, sherd_world_save(world[0], &bytes, &size, &error), SHERD_OK));
    cr_assert(eq(int, sherd_world_restore(world[1], bytes, size, &error), SHERD_OK), "%s",
              error.what);
    const sherd_bonds *a = &world[0]->system.bonds, *b = &world[1]->system.bonds;
    cr_assert(memcmp(a->history, b->history, (size_t)a->count * sizeof(float)) == 0);
    for (int k = 0; k < 2; ++k)
        sherd_world_destroy(world[k]);
    sherd_world_free_state(bytes);
}
