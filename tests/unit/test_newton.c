// Newton's method: what it says is left to move bounds what is; and what helps where it is slow is left out again.
#include "stepping/implicit/newton.h"
#include "stepping/implicit/remedy.h"
#include "unit/solver_rig.h"

enum { COLUMNS = SHERD_NODE_FREEDOMS, COUNT = 20 };

// A chain of elements between two that are held, pressed by `share` of what makes it buckle, and bent a little. The
// Gauss-Newton matrix leaves out what compression takes from its stiffness against bending: iterations converge
// linearly, by about that share.
typedef struct chain {
    rig rig;
    sherd_node_state now;
    sherd_scheme_target target;
    sherd_objective objective;
    sherd_linear_solver *solver;
    double *memory;
    sherd_newton_vectors vectors;
} chain;

static void bend_and_press(rig *r, double strain)
{
    for (int k = 0; k < COUNT; ++k) {
        double along = (double)k / (COUNT - 1),
               bend = 0.2 * r->radius * (1.0 - cos(2.0 * M_PI * along));
        r->elements.px[k] *= 1.0 - strain;
        r->elements.pz[k] += bend;
    }
    r->elements.held[0] = r->elements.held[COUNT - 1] = SHERD_HELD_ALL;
}

static void chain_make(chain *c, double share)
{
    const rig_def def = {.nx = COUNT,
                         .ny = 1,
                         .nz = 1,
                         .radius = 0.01,
                         .youngs_modulus = 1e7,
                         .precision = SHERD_PRECISION_MIXED};
    sherd_error error;
    *c = (chain){0};
    rig *r = &c->rig;
    rig_make(r, &def);
    // Held at both ends it buckles at 4 pi^2 I / (A L^2), I / A = r^2 / 4 of round rods, L = 38 r.
    bend_and_press(r, share * M_PI * M_PI / (38.0 * 38.0));
    cr_assert(sherd_node_state_init(&c->now, COUNT) && sherd_scheme_target_init(&c->target, COUNT));
    sherd_node_state_capture(&c->now, &r->elements, &r->system.parallel);
    sherd_scheme_weights weights = sherd_scheme_weigh(SHERD_SCHEME_KIND_EULER, 1.0, 1.0);
    sherd_scheme_set_target(&c->target, &weights, &c->now, NULL, vec3(0, 0, 0), NULL,
                            &r->system.parallel);
    size_t stride = sherd_node_stride(COUNT), column = COLUMNS * stride;
    c->memory = sherd_alloc(3 * column, sizeof *c->memory);
    c->vectors = (sherd_newton_vectors){c->memory, c->memory + column, c->memory + 2 * column};
    c->solver = sherd_linear_solver_create(SHERD_LINEAR_MULTIGRID, &error);
    c->objective = (sherd_objective){.elements = &r->elements,
                                     .bonds = &r->bonds,
                                     .blocks = &r->blocks,
                                     .target = &c->target,
                                     .stride = stride,
                                     .parallel = r->system.parallel};
    r->system.inertia = c->target.gamma * c->target.gamma;
    r->system.damping = c->target.gamma;
    r->system.body_count = 0;
    r->system.spring_count = 0;
}

static void chain_free(chain *c)
{
    sherd_linear_solver_destroy(c->solver);
    sherd_node_state_free(&c->now);
    sherd_scheme_target_free(&c->target);
    sherd_free(c->memory);
    rig_free(&c->rig);
}

static sherd_newton_report solve(chain *c, double tolerance, int most)
{
    sherd_newton_settings settings = sherd_newton_settings_default();
    settings.tolerance = tolerance;
    settings.linear_tolerance = 1e-8; // what is left is Newton's
    settings.max_iterations = most;
    sherd_newton_report report = {0};
    sherd_error error;
    cr_assert(eq(int,
                 sherd_newton_solve(&c->objective, &c->rig.system, c->solver, &c->vectors,
                                    &settings, &c->now, 0.0, false, &report, &error),
                 SHERD_OK),
              "%s", error.what);
    return report;
}

// From the minimum along the mode that converges slowest, which is what steps are after a few iterations. Returns the
// energy of the minimum.
static double start_slowly(chain *c)
{
    size_t column = COLUMNS * c->objective.stride;
    double *mode = sherd_alloc(column, sizeof *mode), largest = 0.0;
    solve(c, 1e-14, 4);
    memcpy(mode, c->vectors.step, column * sizeof *mode);
    double least = solve(c, 1e-14, 100).value.energy;
    for (size_t k = 0; k < 3 * c->objective.stride; ++k)
        largest = fmax(largest, fabs(mode[k]));
    sherd_objective_move(&c->objective, mode, 0.02 * c->rig.radius / largest);
    sherd_free(mode);
    return least;
}

// E - E* = |x - x*|^2 / 2 in the Hessian's norm, which is no longer than in A's, in which the report says what is left:
// by sqrt(1 - r) here. Returns what lambda r, the next step alone, would be of what is left.
static double check_left(double pressed, double tolerance)
{
    chain c;
    chain_make(&c, pressed);
    double least = start_slowly(&c);
    sherd_newton_report report = solve(&c, tolerance, 100);
    double left = sqrt(fmax(2.0 * (report.value.energy - least), 0.0));
    cr_assert(report.converged && report.iterations > 1);
    cr_assert(le(dbl, left, report.remaining_norm), "pressed %g, tolerance %g", pressed, tolerance);
    double next = report.remaining_norm * (1.0 - report.contraction);
    chain_free(&c);
    return next / left;
}

// Half of what makes it buckle and less: iterations converge by the same ratio to their end. The next step alone is too
// little to be all that is left.
Test(newton, what_is_left_to_move_is_bounded)
{
    static const double tolerance[] = {3e-3, 1e-3, 3e-4};
    for (int k = 0; k < 3; ++k) {
        cr_assert(lt(dbl, check_left(0.3, tolerance[k]), 0.9));
        cr_assert(lt(dbl, check_left(0.45, tolerance[k]), 0.8));
    }
}

// Steps are extrapolated here, and the mode that they are slow in may still be what is left.
Test(newton, what_is_left_is_bounded_after_extrapolated_steps)
{
    check_left(0.6, 3e-3);
    check_left(0.8, 3e-3);
    check_left(0.8, 3e-4);
}

// ---------------------------------------------------------------- remedies

// Steps in which it is taken, of `count`, when it is needed in every one.
static int taken_in(sherd_remedy *remedy, int count, bool needed)
{
    int taken = 0;
    for (int k = 0; k < count; ++k) {
        taken += sherd_remedy_is_applied(remedy);
        sherd_remedy_learn(remedy, needed);
    }
    return taken;
}

Test(newton, a_remedy_is_taken_while_it_is_needed)
{
    sherd_remedy remedy = {0, 0};
    cr_assert(eq(int, taken_in(&remedy, 100, false), 0));
    // Left out once before spells of 32, 64, ..., 512, and of 1024 from then on.
    cr_assert(eq(int, taken_in(&remedy, 992 + 5, true), 992));
    cr_assert(eq(int, taken_in(&remedy, 3 * 1025, true), 3 * 1024));
}

Test(newton, a_remedy_ends_when_its_reason_is_gone_and_is_forgotten)
{
    sherd_remedy remedy = {0, 0};
    taken_in(&remedy, 1 + 32 + 1, true); // a spell of 64 begins
    cr_assert(eq(int, taken_in(&remedy, 1000, false), 64));
    cr_assert(eq(int, taken_in(&remedy, 1 + 40, true), 32 + 7)); // of 32 again, then of 64
}
