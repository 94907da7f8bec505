// Momentum of fragments after implicit steps: what is restored, and how far accepted positions move by it.
#include "math/vec3.h"
#include "stepping/implicit/momentum_projection.h"

#include <criterion/criterion.h>
#include <math.h>

enum { COUNT = 3 }; // a bonded pair, and a single element

static const double DT = 1e-3, RADIUS[COUNT] = {1e-3, 2e-3, 3e-3};
static const double MOST =
    1e-3; // of a radius: what a position may move by, as docs/theory/implicit.md says

typedef struct step_end {
    sherd_elements elements;
    sherd_node_state now;
    sherd_momentum_projection projection;
} step_end;

static void set_up(step_end *s)
{
    static sherd_element_index i[] = {0}, j[] = {1};
    static uint8_t broken[] = {0};
    sherd_bonds bonds = {.count = 1, .i = i, .j = j, .broken = broken};
    sherd_error error;
    *s = (step_end){0};
    cr_assert(sherd_elements_resize(&s->elements, COUNT, &error) == SHERD_OK);
    cr_assert(sherd_node_state_init(&s->now, COUNT));
    for (int k = 0; k < COUNT; ++k) {
        s->elements.radius[k] = RADIUS[k];
        s->elements.mass[k] = 1e-5 * (k + 1);
        s->elements.px[k] = 0.01 * k;
        s->elements.qw[k] = 1.0;
        sherd_node_set_pose(&s->now, (size_t)k, vec3(0.01 * k, 0, 0), (sherd_quat){.w = 1.0});
    }
    cr_assert(sherd_momentum_projection_update(&s->projection, &s->elements, &bonds, 1, &error) ==
              SHERD_OK);
}

static void tear_down(step_end *s)
{
    sherd_momentum_projection_free(&s->projection);
    sherd_node_state_free(&s->now);
    sherd_elements_free(&s->elements);
}

// At rest without loads before an Euler step, whose iteration left all with the velocity `wrong`. `pressed`: stiffness of
// contacts, or NULL.
static void project(step_end *s, sherd_vec3 wrong, const sherd_contact_stiffness *pressed)
{
    sherd_scheme_weights weights = sherd_scheme_weigh(SHERD_SCHEME_KIND_EULER, DT, 1.0);
    sherd_projected_step step = {
        .weights = &weights, .now = &s->now, .old = &s->now, .pressed = pressed};
    sherd_parallel serial = {0};
    for (int k = 0; k < COUNT; ++k)
        sherd_element_set_velocity(&s->elements, (size_t)k, wrong, vec3(0, 0, 0));
    sherd_momentum_project(&s->projection, &s->elements, &step, &serial);
}

static sherd_vec3 shift_of(const step_end *s, int k)
{
    return vec3_sub(sherd_element_position(&s->elements, k), vec3(0.01 * k, 0, 0));
}

// Rounding of positions of 0.02 m.
static const double ROUNDING = 1e-17;

static void expect_shift(sherd_vec3 wrong, const double expected[COUNT])
{
    step_end s;
    set_up(&s);
    project(&s, wrong, NULL);
    sherd_vec3 back = vec3_scale(-1.0 / vec3_length(wrong), wrong);
    for (int k = 0; k < COUNT; ++k) {
        sherd_vec3 off = vec3_sub(shift_of(&s, k), vec3_scale(expected[k], back));
        cr_expect(vec3_length(off) <= ROUNDING, "element %d: off by %g m", k, vec3_length(off));
        cr_expect(vec3_length(sherd_element_velocity(&s.elements, k)) <=
                  1e-14 * vec3_length(wrong)); // rounding
    }
    tear_down(&s);
}

Test(momentum_projection, positions_follow_a_small_correction)
{
    sherd_vec3 wrong = vec3(3e-4, -4e-4, 0); // 0.5e-6 m in a step, half of the least bound
    double expected[COUNT] = {5e-7, 5e-7, 5e-7};
    expect_shift(wrong, expected);
}

Test(momentum_projection, positions_move_by_a_thousandth_of_a_radius_at_most)
{
    // A fragment moves as one, by the radius of its first element.
    double expected[COUNT] = {MOST * RADIUS[0], MOST * RADIUS[0], MOST * RADIUS[2]};
    expect_shift(vec3(3, -4, 0), expected);
    expect_shift(vec3(0, 30, 400), expected);
}

// Contacts of a stiffness k hold back what would move, to the share c m / (c m + k): fragments whatever the direction, as
// what they turn about is not asked for, single elements along the contacts' normals and nothing else.
Test(momentum_projection, contacts_hold_positions_back)
{
    const sherd_vec3 wrong = vec3(3e-4, -4e-4, 0);
    // c m of the first element; three times that of the pair, and of the single element, too
    const double inertia = 3.0 * 1e-5 / (DT * DT);
    double whole[COUNT] = {2.0 * inertia, 3.0 * inertia},
           single[COUNT][6] = {{0}, {0}, {0, 1e9 * inertia}};
    const sherd_contact_stiffness pressed = {whole, single};
    step_end s;
    set_up(&s);
    project(&s, wrong, &pressed);
    sherd_vec3 pair = vec3(-3e-7 / 6.0, 4e-7 / 6.0, 0), alone = vec3(-3e-7, 0.0, 0.0);
    for (int k = 0; k < COUNT; ++k) {
        sherd_vec3 off = vec3_sub(shift_of(&s, k), k < 2 ? pair : alone);
        // 1e9 times as stiff as inertia: a share of 1e-9 of 4e-7 m is left.
        cr_expect(vec3_length(off) <= (k < 2 ? ROUNDING : 4.1e-16), "element %d: off by %g m", k,
                  vec3_length(off));
        cr_expect(vec3_length(sherd_element_velocity(&s.elements, k)) <=
                  1e-14 * vec3_length(wrong)); // rounding: momentum is exact either way
    }
    tear_down(&s);
}
