// The matrix-free tangent: against its definition in double precision, and against bond forces.
#include "models/bonded/tangent/tangent.h"

#include "linear/linear_matrix.h"
#include "models/bonded/storage/bond_pass.h"
#include "models/bonded/tangent/tangent_state.h"
#include "solver_rig.h"

static const rig_def SMALL = {.nx = 20,
                              .ny = 4,
                              .nz = 3,
                              .radius = 1e-3,
                              .youngs_modulus = 1e9,
                              .precision = SHERD_PRECISION_MIXED};
static const rig_def MANY_BLOCKS = {.nx = 30,
                                    .ny = 20,
                                    .nz = 22,
                                    .radius = 1e-3,
                                    .youngs_modulus = 1e9,
                                    .precision = SHERD_PRECISION_MIXED};

// The gap between 1 and the next number of single precision.
static const double EPS = 1.2e-7;

static sherd_linear_matrix prepared(const rig *r)
{
    sherd_error error;
    sherd_linear_matrix matrix = {0};
    cr_assert(sherd_linear_matrix_prepare(&matrix, &r->system, &error) == SHERD_OK, "%s",
              error.what);
    return matrix;
}

static float *rounded(const double *x, size_t size)
{
    float *single = sherd_alloc(size, sizeof *single);
    for (size_t k = 0; k < size; ++k)
        single[k] = (float)x[k];
    return single;
}

// Most that a force (in units of stiffness times radius) or a torque (times radius once more) differs.
static double distance(const rig *r, const float *a, const double *b)
{
    size_t stride = rig_stride(r);
    double worst = 0.0, force = rig_stiffness(r) * r->radius;
    for (size_t k = 0; k < 6 * stride; ++k)
        worst =
            fmax(worst, fabs((double)a[k] - b[k]) / (k < 3 * stride ? force : force * r->radius));
    return worst;
}

// The worst of all kernels that this machine can run.
static double product_error(rig *r)
{
    size_t size = 6 * rig_stride(r);
    double *x = sherd_alloc(size, sizeof *x), *expected = sherd_alloc(size, sizeof *expected);
    rig_random_motion(r, x);
    float *single = rounded(x, size), *y = sherd_alloc(size, sizeof *y);
    for (size_t k = 0; k < size; ++k)
        x[k] = (double)single[k];
    rig_multiply(r, x, expected);
    sherd_linear_matrix matrix = prepared(r);
    double error = 0.0;
    for (int kind = SHERD_SIMD_BASELINE; kind <= (int)sherd_cpu_level(); ++kind) {
        for (size_t k = 0; k < size; ++k)
            y[k] = NAN;
        sherd_tangent_use(r->tangent, (sherd_simd)kind);
        sherd_linear_matrix_apply(&matrix, single, y);
        error = fmax(error, distance(r, y, expected));
        cr_assert(not(isnan((double)y[size - 1])));
    }
    sherd_linear_matrix_free(&matrix);
    sherd_free(x), sherd_free(expected), sherd_free(single), sherd_free(y);
    return error;
}

// A node sums twelve bonds' loads of about 1 (in units of stiffness times radius), each with a handful of
// roundings of EPS/2; positions relative to the middle of a block of L radii across contribute
// L EPS/2 to bond vectors. 40 EPS and 3 L EPS leave room for a factor of three.
Test(tangent, product_is_that_of_the_definition)
{
    for (int variant = 0; variant < 12; ++variant) {
        rig_def def = variant & 4 ? MANY_BLOCKS : SMALL;
        def.jitter = variant & 1 ? 0.1 : 0.0;
        def.own = variant & 8 ? 0.4 : 0.0;
        rig r;
        rig_make(&r, &def);
        rig_deform(&r, 0.02);
        // Packets where bonds are alike, row groups where they differ.
        bool in_rows = r.blocks.blocks[0].slices.row_count > 0;
        if (variant & 4) cr_assert(in_rows == (def.jitter > 0.0 || def.own > 0.0));
        r.system.inertia = 0.3 * rig_stiffness(&r) / r.elements.mass[0];
        r.system.damping = 2e5;
        r.system.tension = variant % 3 == 0;
        if (variant & 2) {
            rig_break(&r, 0.2);
            rig_add_contacts(&r);
            rig_hold(&r);
        }
        double error = product_error(&r);
        cr_assert(lt(dbl, error, (40.0 + 3.0 * 2.0 * def.nx) * EPS), "variant %d", variant);
        rig_free(&r);
    }
}

// ---------------------------------------------------------------- with what comes before and after

typedef struct noted_parts {
    const float *y;
    size_t stride;
    float *copy; // of y, as it was when its parts were final
    double energy;
    sherd_linear_product *product;
} noted_parts;

static void note_part(void *context, size_t begin, size_t end)
{
    noted_parts *noted = context;
    for (size_t c = 0; c < 6; ++c)
        memcpy(noted->copy + c * noted->stride + begin, noted->y + c * noted->stride + begin,
               (end - begin) * sizeof *noted->y);
    if (begin == 0) noted->energy = noted->product->energy;
}

// The new x is z + beta x to a rounding, the product is that with the new x to the last bit, and x . y
// that of the definition: sums of positive terms with errors of some EPS.
static void check_turned_product(rig *r)
{
    size_t stride = rig_stride(r), size = 6 * stride;
    double *motion = sherd_alloc(size, sizeof *motion), *Ax = sherd_alloc(size, sizeof *Ax);
    rig_random_motion(r, motion);
    float *before = rounded(motion, size);
    rig_random_motion(r, motion);
    float *z = rounded(motion, size), *x = sherd_alloc(size, sizeof *x);
    float *y = sherd_alloc(size, sizeof *y), *alone = sherd_alloc(size, sizeof *alone);
    sherd_linear_matrix matrix = prepared(r);
    sherd_linear_product product = {.x = before, .z = z, .beta = 0.3F, .turned = x, .y = y};
    noted_parts noted = {y, stride, sherd_alloc(size, sizeof *y), 0.0, &product};
    product.with_energy = true;
    product.then = note_part;
    product.context = &noted;
    sherd_linear_matrix_multiply(&matrix, &product);
    double energy = 0.0;
    for (size_t k = 0; k < size; ++k) {
        cr_assert(epsilon_eq(dbl, (double)x[k], (double)z[k] + 0.3 * (double)before[k], EPS));
        motion[k] = (double)x[k];
    }
    rig_multiply(r, motion, Ax);
    for (size_t k = 0; k < size; ++k)
        energy += motion[k] * Ax[k];
    cr_assert(epsilon_eq(dbl, product.energy, energy, 20.0 * EPS * energy));
    cr_assert(eq(dbl, noted.energy, product.energy));
    sherd_linear_matrix_apply(&matrix, x, alone);
    cr_assert(eq(int, memcmp(y, alone, size * sizeof *y), 0));
    cr_assert(eq(int, memcmp(y, noted.copy, size * sizeof *y), 0));
    sherd_linear_matrix_free(&matrix);
    sherd_free(motion), sherd_free(Ax), sherd_free(before), sherd_free(z), sherd_free(x);
    sherd_free(y), sherd_free(alone), sherd_free(noted.copy);
}

Test(tangent, product_takes_along_what_comes_before_and_after)
{
    for (int variant = 0; variant < 4; ++variant) {
        rig_def def = variant & 2 ? MANY_BLOCKS : SMALL;
        def.jitter = variant & 1 ? 0.1 : 0.0;
        rig r;
        rig_make(&r, &def);
        rig_deform(&r, 0.02);
        rig_break(&r, 0.1);
        rig_add_contacts(&r);
        rig_hold(&r);
        r.system.inertia = 0.3 * rig_stiffness(&r) / r.elements.mass[0];
        check_turned_product(&r);
        rig_free(&r);
    }
}

// One tangent and one matrix for systems that grow, shrink and change in between.
Test(tangent, one_tangent_serves_systems_of_any_size)
{
    const int lengths[] = {12, 40, 5};
    sherd_error error;
    sherd_linear_matrix matrix = {0};
    sherd_tangent *tangent = sherd_tangent_create(&error);
    for (int k = 0; k < 3; ++k) {
        rig r;
        rig_def def = SMALL;
        def.nx = lengths[k];
        rig_make(&r, &def);
        if (k != 1) rig_add_contacts(&r);
        if (k == 1) rig_hold(&r);
        r.system.inertia = 0.3 * rig_stiffness(&r) / r.elements.mass[0];
        size_t size = 6 * rig_stride(&r);
        double *x = sherd_alloc(size, sizeof *x), *expected = sherd_alloc(size, sizeof *expected);
        rig_random_motion(&r, x);
        float *single = rounded(x, size), *y = sherd_alloc(size, sizeof *y);
        rig_multiply(&r, x, expected);
        sherd_tangent_fill(tangent,
                           &(sherd_tangent_parts){&r.elements, &r.bonds, &r.blocks, &r.adjacency},
                           &r.system);
        cr_assert(sherd_linear_matrix_prepare(&matrix, &r.system, &error) == SHERD_OK);
        sherd_linear_matrix_apply(&matrix, single, y);
        cr_assert(lt(dbl, distance(&r, y, expected), (40.0 + 3.0 * 2.0 * def.nx) * EPS));
        sherd_free(x), sherd_free(expected), sherd_free(single), sherd_free(y);
        rig_free(&r);
    }
    sherd_tangent_destroy(tangent);
    sherd_linear_matrix_free(&matrix);
}

// Nothing overflows or vanishes in single precision from soft dust to hard boulders.
Test(tangent, product_keeps_its_precision_over_many_orders)
{
    const double moduli[] = {1e5, 1e11}, radii[] = {1e-4, 1.0};
    for (int variant = 0; variant < 4; ++variant) {
        rig_def def = SMALL;
        def.youngs_modulus = moduli[variant & 1];
        def.radius = radii[variant >> 1];
        rig r;
        rig_make(&r, &def);
        rig_deform(&r, 0.02);
        r.system.inertia = 0.3 * rig_stiffness(&r) / r.elements.mass[0];
        rig_add_contacts(&r);
        cr_assert(lt(dbl, product_error(&r), (40.0 + 3.0 * 2.0 * def.nx) * EPS));
        rig_free(&r);
    }
}

static double dot(const float *a, const float *b, size_t size)
{
    double sum = 0.0;
    for (size_t k = 0; k < size; ++k)
        sum += (double)a[k] * (double)b[k];
    return sum;
}

// u . A v = v . A u: sums of n terms with errors of a few EPS each, which are random: below 10 EPS
// of what adds up. Rotations count as displacements at a radius.
Test(tangent, product_is_symmetric)
{
    rig r;
    rig_make(&r, &SMALL);
    rig_deform(&r, 0.05);
    rig_add_contacts(&r);
    rig_hold(&r);
    r.system.inertia = 0.3 * rig_stiffness(&r) / r.elements.mass[0];
    r.system.tension = true;
    size_t size = 6 * rig_stride(&r);
    double *x = sherd_alloc(size, sizeof *x);
    rig_random_motion(&r, x);
    float *u = rounded(x, size), *Au = sherd_alloc(size, sizeof *Au);
    rig_random_motion(&r, x);
    float *v = rounded(x, size), *Av = sherd_alloc(size, sizeof *Av);
    sherd_linear_matrix matrix = prepared(&r);
    sherd_linear_matrix_apply(&matrix, u, Au);
    sherd_linear_matrix_apply(&matrix, v, Av);
    double scale = sqrt(dot(u, Au, size) * dot(v, Av, size));
    cr_assert(epsilon_eq(dbl, dot(u, Av, size), dot(v, Au, size), 10.0 * EPS * scale));
    cr_assert(lt(dbl, 0.0, dot(u, Au, size)));
    sherd_linear_matrix_free(&matrix);
    sherd_free(x), sherd_free(u), sherd_free(v), sherd_free(Au), sherd_free(Av);
    rig_free(&r);
}

static void set_rigid_motion(const rig *r, int which, double *x)
{
    size_t stride = rig_stride(r);
    sherd_vec3 axis = vec3(which % 3 == 0, which % 3 == 1, which % 3 == 2);
    for (sherd_element_index k = 0; k < r->elements.count; ++k) {
        rig_node n = {.p = vec3_scale(r->radius, axis)};
        if (which >= 3)
            n = (rig_node){vec3_cross(axis, sherd_element_position(&r->elements, k)), axis};
        rig_add(x, stride, (size_t)k, 1.0, n);
    }
}

// A displacement of d radii is rounded by d EPS/2, which strains twelve bonds: 40 d EPS leaves room for
// both and for positions.
Test(tangent, rigid_motions_of_a_free_body_meet_no_resistance)
{
    rig r;
    rig_make(&r, &SMALL);
    rig_deform(&r, 0.02);
    size_t size = 6 * rig_stride(&r);
    sherd_linear_matrix matrix = prepared(&r);
    for (int which = 0; which < 6; ++which) {
        double *x = sherd_alloc(size, sizeof *x), *none = sherd_alloc(size, sizeof *none);
        set_rigid_motion(&r, which, x);
        double most = 0.0;
        for (size_t k = 0; k < size / 2; ++k)
            most = fmax(most, fabs(x[k]) / r.radius);
        float *single = rounded(x, size), *y = sherd_alloc(size, sizeof *y);
        sherd_linear_matrix_apply(&matrix, single, y);
        cr_assert(lt(dbl, distance(&r, y, none), 40.0 * most * EPS));
        sherd_free(x), sherd_free(none), sherd_free(single), sherd_free(y);
    }
    sherd_linear_matrix_free(&matrix);
    rig_free(&r);
}

// ---------------------------------------------------------------- against forces

static void move_along(rig *r, const double *x, double step)
{
    sherd_elements *e = &r->elements;
    size_t stride = rig_stride(r);
    for (sherd_element_index k = 0; k < e->count; ++k) {
        rig_node n = rig_load(x, stride, (size_t)k);
        sherd_vec3 p = vec3_add_scaled(sherd_element_position(e, k), step, n.p);
        sherd_quat turn = quat_from_rotation_vector(vec3_scale(step, n.q));
        rig_place(r, k, p, quat_multiply(turn, sherd_element_orientation(e, k)));
    }
}

// Adds sign times the loads at the state `step` along x.
static void add_loads(rig *r, const double *x, double step, double sign, double *y)
{
    sherd_elements *e = &r->elements;
    size_t stride = rig_stride(r);
    move_along(r, x, step);
    sherd_bonds_apply(&r->bonds, &r->blocks, e, &r->system.parallel, NULL, NULL);
    for (sherd_element_index k = 0; k < e->count; ++k)
        rig_add(y, stride, (size_t)k, sign,
                (rig_node){vec3(e->fx[k], e->fy[k], e->fz[k]), vec3(e->tx[k], e->ty[k], e->tz[k])});
    move_along(r, x, -step);
}

// Strained at random, or drawn out along x.
static void strain_rig(rig *r, double strain, bool drawn)
{
    if (!drawn) {
        rig_deform(r, strain);
        return;
    }
    for (sherd_element_index k = 0; k < r->elements.count; ++k) {
        sherd_vec3 p = sherd_element_position(&r->elements, k);
        p.x *= 1.0 + strain;
        rig_place(r, k, p, sherd_element_orientation(&r->elements, k));
    }
}

// How much the product differs from the slope of bond forces at a state strained by `strain`.
static double slope_error(double strain, bool drawn, bool tension)
{
    rig single, both;
    rig_def def = SMALL;
    rig_make(&single, &def);
    def.precision = SHERD_PRECISION_DOUBLE;
    rig_make(&both, &def);
    strain_rig(&single, strain, drawn);
    strain_rig(&both, strain, drawn); // the same random numbers
    single.system.tension = tension;
    size_t size = 6 * rig_stride(&single);
    double *x = sherd_alloc(size, sizeof *x), *slope = sherd_alloc(size, sizeof *slope);
    rig_random_motion(&single, x);
    float *motion = rounded(x, size), *y = sherd_alloc(size, sizeof *y);
    const double step = 1e-5;
    add_loads(&both, x, step, -0.5 / step, slope);
    add_loads(&both, x, -step, 0.5 / step, slope);
    sherd_linear_matrix matrix = prepared(&single);
    sherd_linear_matrix_apply(&matrix, motion, y);
    double error = distance(&single, y, slope);
    sherd_linear_matrix_free(&matrix);
    sherd_free(x), sherd_free(slope), sherd_free(motion), sherd_free(y);
    rig_free(&single);
    rig_free(&both);
    return error;
}

// Gauss-Newton leaves out what is proportional to forces: their share is the strain times a small number
// of bonds' worth. At rest the rest is rounding (test above: some 60 EPS = 7e-6) and the step's
// truncation, 1e-10.
Test(tangent, product_is_the_slope_of_bond_forces)
{
    cr_assert(lt(dbl, slope_error(0.0, false, false), 2e-5));
    cr_assert(lt(dbl, slope_error(1e-4, false, false), 2e-5 + 20.0 * 1e-4));
    cr_assert(lt(dbl, slope_error(1e-2, false, false), 20.0 * 1e-2));
    cr_assert(lt(dbl, 1e-3, slope_error(1e-2, false, false))); // or the test would prove nothing
}

// In a body drawn out by half, bonds along it pull with E S (1/3) / l0 across; without that the matrix is too
// soft by as much. What is left is the part of shear, which has no such term.
Test(tangent, tension_brings_it_nearer_to_the_slope_of_forces)
{
    double without = slope_error(0.5, true, false), with = slope_error(0.5, true, true);
    cr_assert(lt(dbl, with, 0.7 * without), "%g instead of %g", with, without);
}

// ---------------------------------------------------------------- diagonal

// Both sum the same bonds in the same or another order: 40 EPS as above.
Test(tangent, diagonal_blocks_are_products_with_unit_vectors)
{
    rig r;
    rig_make(&r, &SMALL);
    rig_deform(&r, 0.05);
    rig_break(&r, 0.1);
    rig_add_contacts(&r);
    rig_hold(&r);
    r.system.inertia = 0.3 * rig_stiffness(&r) / r.elements.mass[0];
    r.system.tension = true;
    size_t stride = rig_stride(&r), nodes = sherd_node_count(&r.system);
    float *blocks = sherd_alloc(SHERD_NODE_BLOCK * stride, sizeof *blocks);
    float *x = sherd_alloc(6 * stride, sizeof *x), *y = sherd_alloc(6 * stride, sizeof *y);
    for (size_t k = 0; k < SHERD_NODE_BLOCK * stride; ++k)
        blocks[k] = NAN;
    sherd_linear_matrix matrix = prepared(&r);
    sherd_linear_matrix_diagonal(&matrix, blocks);
    for (size_t node = 0; node < nodes; node += node < nodes - 10 ? 3 : 1)
        for (size_t column = 0; column < 6; ++column) {
            bool held = rig_is_held(&r, column, node);
            x[column * stride + node] = held ? 0.0F : 1.0F;
            sherd_linear_matrix_apply(&matrix, x, y);
            x[column * stride + node] = 0.0F;
            if (held) y[column * stride + node] = 1.0F;
            for (size_t row = column; row < 6; ++row) {
                double size = rig_stiffness(&r) * pow(r.radius, (row > 2) + (column > 2));
                double got = (double)blocks[(row * (row + 1) / 2 + column) * stride + node];
                size = fmax(size, fabs(got)); // bodies are stiffer
                if (held || rig_is_held(&r, row, node)) size = 0.0;
                cr_assert(epsilon_eq(dbl, got, (double)y[row * stride + node], 40.0 * EPS * size));
            }
        }
    for (size_t column = 0; column < SHERD_NODE_BLOCK; ++column)
        for (size_t k = nodes; k < stride; ++k)
            cr_assert(eq(flt, blocks[column * stride + k], 0.0F));
    sherd_linear_matrix_free(&matrix);
    sherd_free(blocks), sherd_free(x), sherd_free(y);
    rig_free(&r);
}

// ---------------------------------------------------------------- threads, mistakes

Test(tangent, results_do_not_depend_on_the_number_of_threads)
{
    rig r;
    rig_def def = MANY_BLOCKS;
    def.jitter = 0.02;
    rig_make(&r, &def);
    rig_deform(&r, 0.02);
    rig_break(&r, 0.1);
    rig_add_contacts(&r);
    rig_hold(&r);
    size_t stride = rig_stride(&r), size = 6 * stride;
    double *motion = sherd_alloc(size, sizeof *motion);
    rig_random_motion(&r, motion);
    float *x = rounded(motion, size), *y[2], *blocks[2];
    for (int k = 0; k < 2; ++k) {
        y[k] = sherd_alloc(size, sizeof *y[k]);
        blocks[k] = sherd_alloc(SHERD_NODE_BLOCK * stride, sizeof *blocks[k]);
    }
    for (int threads = 1; threads <= 4; ++threads) {
        r.system.parallel.threads = threads;
        sherd_linear_matrix matrix = prepared(&r);
        int k = threads > 1;
        sherd_linear_matrix_apply(&matrix, x, y[k]);
        sherd_linear_matrix_diagonal(&matrix, blocks[k]);
        sherd_linear_matrix_free(&matrix);
        if (k == 0) continue;
        cr_assert(eq(int, memcmp(y[0], y[1], size * sizeof *y[0]), 0));
        cr_assert(eq(
            int, memcmp(blocks[0], blocks[1], SHERD_NODE_BLOCK * stride * sizeof *blocks[0]), 0));
    }
    for (int k = 0; k < 2; ++k)
        sherd_free(y[k]), sherd_free(blocks[k]);
    sherd_free(motion), sherd_free(x);
    rig_free(&r);
}

Test(tangent, systems_that_make_no_sense_are_errors)
{
    rig r;
    rig_make(&r, &SMALL);
    rig_add_contacts(&r);
    sherd_error error;
    sherd_linear_matrix matrix = {0};
    const sherd_linear_system good = r.system;
    cr_assert(sherd_linear_matrix_prepare(&matrix, &r.system, &error) == SHERD_OK);
    r.system.inertia = NAN;
    cr_assert(sherd_linear_matrix_prepare(&matrix, &r.system, &error) == SHERD_ERROR_INPUT);
    r.system = good;
    r.springs[3].i = 1 << 30;
    cr_assert(sherd_linear_matrix_prepare(&matrix, &r.system, &error) == SHERD_ERROR_INPUT);
    cr_assert(strstr(error.what, "spring 3") != NULL);
    r.springs[3].i = 0;
    r.springs[5].stiffness[2] = INFINITY;
    cr_assert(sherd_linear_matrix_prepare(&matrix, &r.system, &error) == SHERD_ERROR_UNSTABLE);
    r.springs[5].stiffness[2] = 1.0F;
    r.bodies[1].mass = 0.0;
    cr_assert(sherd_linear_matrix_prepare(&matrix, &r.system, &error) == SHERD_ERROR_UNSTABLE);
    r.bodies[1].mass = 1.0;
    r.elements.py[7] = NAN;
    cr_assert(sherd_linear_matrix_prepare(&matrix, &r.system, &error) == SHERD_ERROR_UNSTABLE);
    cr_assert(strstr(error.what, "element 7") != NULL);
    r.elements.py[7] = 0.0;
    r.blocks.precision = SHERD_PRECISION_DOUBLE;
    cr_assert(sherd_linear_matrix_prepare(&matrix, &r.system, &error) == SHERD_ERROR_INPUT);
    r.blocks.precision = SHERD_PRECISION_MIXED;
    cr_assert(sherd_linear_matrix_prepare(&matrix, &r.system, &error) == SHERD_OK);
    sherd_linear_matrix_free(&matrix);
    rig_free(&r);
}
