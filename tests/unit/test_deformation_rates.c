// Sums over components that tell vibrations: what accelerates elements, their weight included.
#include "stepping/control/deformation_rates.h"

#include "solver_rig.h"

static const rig_def BODY = {.nx = 4,
                             .ny = 3,
                             .nz = 2,
                             .radius = 1e-3,
                             .youngs_modulus = 1e9,
                             .precision = SHERD_PRECISION_MIXED};
static const double G = 9.81;

// With loads of `share` times the weight upwards, of an element alone twice as much if it is `pushed`.
static double pull_of(double share, bool held, bool pushed)
{
    rig r;
    sherd_error error;
    rig_make(&r, &BODY);
    sherd_elements *e = &r.elements;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        e->fx[k] = e->fy[k] = e->tx[k] = e->ty[k] = e->tz[k] = 0.0;
        e->fz[k] = share * e->mass[k] * G;
    }
    if (pushed) e->fz[e->count - 1] *= 2.0;
    uint8_t *driven = sherd_alloc((size_t)e->count, 1);
    if (held) e->held[0] = SHERD_HELD_ALL, driven[0] = 1;
    sherd_system system = {.elements = *e, .bonds = r.bonds, .gravity = {0.0, 0.0, -G}};
    sherd_component_list list = {0};
    cr_assert(eq(int, sherd_component_list_make(&list, &r.bonds, e->count, &error), SHERD_OK));
    cr_assert(eq(int, list.segment_count, 1));
    sherd_deforming_sums sums;
    sherd_deforming_sum(&system, &list, driven, &list.segments[0], false, &sums);
    double pull = sherd_deforming_of(&sums).pull2 / (e->mass[0] * G * G);
    sherd_component_list_free(&list);
    sherd_free(driven);
    rig_free(&r);
    return pull;
}

Test(deforming, what_hangs_at_rest_is_not_pulled)
{
    const double count = 4 * 3 * 2;
    // Held at one element: its weight is borne, or pulls all others, or all but what one is pushed with.
    cr_assert(lt(dbl, fabs(pull_of(1.0, true, false)), 1e-20));
    cr_assert(epsilon_eq(dbl, pull_of(0.0, true, false), count - 1.0, 1e-9));
    cr_assert(epsilon_eq(dbl, pull_of(1.0, true, true), 1.0, 1e-9));
    // A free one falls as a whole, whatever it weighs.
    cr_assert(lt(dbl, fabs(pull_of(0.0, false, false)), 1e-9));
    cr_assert(epsilon_eq(dbl, pull_of(1.0, false, true), 1.0 - 1.0 / count, 1e-9));
}
