// Errors in time of steps that were not made: estimates for longer ones from samples of explicit steps.
#include "stepping/implicit/time_error.h"

#include "base/byte_buffer.h"
#include "solver_rig.h"
#include "stepping/implicit/scheme.h"

static const rig_def BODY = {.nx = 12,
                             .ny = 4,
                             .nz = 3,
                             .radius = 1e-3,
                             .youngs_modulus = 1e9,
                             .precision = SHERD_PRECISION_MIXED};

// Every second element goes this far from where it was at first, the others as far the other way: the
// mass centre stays, nearly.
static void place_all(rig *r, const double *first, double far)
{
    for (sherd_element_index k = 0; k < r->elements.count; ++k) {
        sherd_vec3 p =
            vec3(first[k] + (k % 2 == 0 ? far : -far), r->elements.py[k], r->elements.pz[k]);
        rig_place(r, k, p, sherd_element_orientation(&r->elements, k));
    }
}

static double *first_places(const rig *r)
{
    double *first = sherd_alloc((size_t)r->elements.count, sizeof *first);
    memcpy(first, r->elements.px, (size_t)r->elements.count * sizeof *first);
    return first;
}

// x = a t^2 / 2 + b t^3 / 6, sampled at four times, with different steps between.
typedef struct looked_at {
    double acceleration, jerk, steps[3]; // [m/s^2, m/s^3, s]
} looked_at;

static sherd_time_error next_check(const looked_at *in, sherd_time_errors *errors, rig *r,
                                   const double *first)
{
    sherd_time_error last = {0};
    double t = 1.0;
    for (int sample = 0; sample < 4; ++sample) {
        if (sample > 0) t += in->steps[sample - 1];
        place_all(r, first, 0.5 * in->acceleration * t * t + in->jerk * t * t * t / 6.0);
        last = sherd_time_errors_sample(errors, sample > 0 ? in->steps[sample - 1] : 0.0,
                                        &r->elements, &r->system.parallel);
        if (sample < 3) cr_assert(not(isfinite(last.bend)));
    }
    return last;
}

// Places are kept in single precision: differences of ways of 0.02 m err by 1e-9 m, third ones of steps of
// 0.1 s by ten times that.
Test(time_error, looks_tell_second_and_third_differences)
{
    rig r;
    rig_make(&r, &BODY);
    sherd_time_errors errors;
    cr_assert(sherd_time_errors_init(&errors, &r.elements));
    double *first = first_places(&r);
    looked_at in = {.acceleration = 0.01, .jerk = 0.05, .steps = {0.1, 0.12, 0.11}};
    sherd_time_error seen = next_check(&in, &errors, &r, first);
    // The second difference over the last two steps is the acceleration at the middle of them.
    double h = 0.11, at = 1.1 + (0.12 + 0.11 + 0.12) / 3.0;
    cr_assert(epsilon_eq(dbl, seen.bend, h * h * (0.01 + 0.05 * at), 1e-8));
    cr_assert(epsilon_eq(dbl, seen.error, 2.0 / 9.0 * h * h * h * 0.05, 1e-8));
    cr_assert(lt(dbl, 1e-6, seen.error)); // or the line above would prove nothing
    sherd_time_errors_clear_samples(&errors);
    in.jerk = 0.0;
    seen = next_check(&in, &errors, &r, first);
    cr_assert(epsilon_eq(dbl, seen.error, 0.0, 1e-8));
    sherd_free(first);
    sherd_time_errors_free(&errors);
    rig_free(&r);
}

// The elements' motion is x = 1/6 b t^3, every second one's the opposite, at t = 0 and `before` earlier.
static void set_cubic(rig *r, const double *first, double t, double jerk, sherd_node_state *state)
{
    place_all(r, first, jerk * t * t * t / 6.0);
    for (sherd_element_index k = 0; k < r->elements.count; ++k)
        r->elements.vx[k] = (k % 2 == 0 ? 0.5 : -0.5) * jerk * t * t;
    sherd_node_state_capture(state, &r->elements, &r->system.parallel);
}

// A step of BDF2 in which the acceleration goes on rising: the error that is told, from no more than the prediction, is
// what the scheme misses. Both are exact for a cubic; places of 0.01 m are rounded to 1e-18 m.
static void check_step(rig *r, const double *first, double dt, double before)
{
    const double jerk = 10.0;
    sherd_time_errors errors;
    sherd_node_state now, old;
    cr_assert(sherd_time_errors_init(&errors, &r->elements));
    cr_assert(sherd_node_state_init(&now, r->elements.count));
    cr_assert(sherd_node_state_init(&old, r->elements.count));
    set_cubic(r, first, -before, jerk, &old);
    set_cubic(r, first, 0.0, jerk, &now);
    sherd_scheme_weights w = sherd_scheme_weigh(SHERD_SCHEME_KIND_BDF2, dt, before);
    double v = w.old * 0.5 * jerk * before * before + jerk * dt / w.gamma;
    double x = w.old * -jerk * before * before * before / 6.0 + v / w.gamma;
    place_all(r, first, x);
    sherd_prediction prediction = {.now = &now, .old = &old, .dt = dt, .before = before};
    sherd_time_error seen = sherd_time_errors_judge(&errors, &prediction, SHERD_SCHEME_KIND_BDF2,
                                                    &r->elements, &r->system.parallel);
    double missed = fabs(x - jerk * dt * dt * dt / 6.0);
    cr_assert(epsilon_eq(dbl, seen.error, missed, 1e-6 * missed), "%g after %g", dt, before);
    sherd_node_state_free(&now);
    sherd_node_state_free(&old);
    sherd_time_errors_free(&errors);
}

Test(time_error, of_steps_of_unequal_length)
{
    rig r;
    rig_make(&r, &BODY);
    double *first = first_places(&r);
    check_step(&r, first, 0.1, 0.1);
    check_step(&r, first, 0.1, 0.05);
    check_step(&r, first, 0.1, 0.3);
    sherd_free(first);
    rig_free(&r);
}

Test(time_error, what_was_spent_is_kept_over_a_checkpoint)
{
    rig r;
    rig_make(&r, &BODY);
    sherd_time_errors errors, again;
    cr_assert(sherd_time_errors_init(&errors, &r.elements));
    cr_assert(sherd_time_errors_init(&again, &r.elements));
    double *first = first_places(&r);
    looked_at in = {.acceleration = 0.01, .jerk = 0.05, .steps = {0.1, 0.1, 0.1}};
    sherd_time_error seen = next_check(&in, &errors, &r, first);
    sherd_time_errors_accept(&errors, &seen);
    sherd_byte_buffer out = {0};
    sherd_time_errors_save(&errors, &out);
    sherd_record_reader reader = sherd_record_open(out.bytes, out.size, &RIG_RECORD, NULL);
    sherd_time_errors_restore(&again, &reader);
    cr_assert(eq(int, sherd_record_close(&reader), SHERD_OK));
    place_all(&r, first, 0.03);
    sherd_time_error a = sherd_time_errors_sample(&errors, 0.1, &r.elements, &r.system.parallel),
                     b = sherd_time_errors_sample(&again, 0.1, &r.elements, &r.system.parallel);
    cr_assert(eq(dbl, a.spent, seen.error));
    cr_assert(eq(dbl, a.spent, b.spent));
    cr_assert(eq(dbl, a.bend, b.bend));
    cr_assert(eq(dbl, a.displacement, b.displacement));
    sherd_byte_buffer_free(&out);
    sherd_free(first);
    sherd_time_errors_free(&errors);
    sherd_time_errors_free(&again);
    rig_free(&r);
}
