// Checks the energy balance: correct runs keep it within half a per cent.
#include "base/error.h"
#include "math/vec3.h"
#include "models/mpm/mpm_model.h"
#include "world/world.h"

#include <sherd/world.h>

#include <stdio.h>

// Ten times the error of correct runs, with steps at 0.85 of the limit; an unstable run gains
// without bound.
static const double MAX_IMBALANCE = 0.05;
// Relative to the energy released by breaking bonds, which explicit steps book under integration.
static const double MAX_GAINED = 0.25;
// Dissipated energies only grow: negative ones are rounding and the error of the trapezoidal rule
// in single steps.
static const double MAX_ENERGY_GAIN = 0.01;

// If bonds break between half kicks, the energy gained in explicit steps is booked as taken by
// integration. In a stable run that is a hundredth of the stored energy; in a run that blows up
// until everything is broken it is the whole spurious energy. Gains in implicit steps that
// converge belong to their method and are no sign of instability; the single iteration of LINEAR_EULER can blow up. Points pressed against something follow its nodes
// only partly: contact takes, and transfers return, the difference times the force, as long as the
// force acts. Only gains by transfers beyond the losses in contact of points are spurious.
static double given_by_explicit_steps(const sherd_world *world, const sherd_energy *energy)
{
    const sherd_point_bodies *points = world->system.points;
    double given = -energy->dissipated_integration;
    if (points != NULL) given -= points->m.accounts.contact + points->m.accounts.friction;
    bool implicit = (world->stepper->implicit_steps || world->method.regions) &&
                    world->def.scheme != SHERD_SCHEME_LINEAR_EULER;
    return !implicit && given > 0.0 ? given : 0.0;
}

// In an unstable simulation, elements are fastest.
static void name_fastest(const sherd_world *world, char *text, size_t size)
{
    const sherd_elements *e = &world->system.elements;
    sherd_element_index fastest = 0;
    double top_speed = -1.0;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        double speed = vec3_length(sherd_element_velocity(e, k));
        if (speed > top_speed) top_speed = speed, fastest = k;
    }
    if (top_speed < 0.0) {
        *text = '\0';
        return;
    }
    sherd_vec3 p = sherd_element_position(e, fastest);
    sherd_element_info info = sherd_world_element(world, sherd_element_number(e, fastest));
    snprintf(text, size, "; fastest is element %d of '%s' at (%g, %g, %g) m with %g m/s",
             (int)sherd_element_number(e, fastest), sherd_world_body(world, info.body).name, p.x,
             p.y, p.z, top_speed);
}

static sherd_status fail_balance(const sherd_world *world, double fraction, sherd_error *error)
{
    char fastest[SHERD_ERROR_TEXT_SIZE / 2], percent[SHERD_PERCENT_TEXT];
    name_fastest(world, fastest, sizeof fastest);
    bool linear = world->def.scheme == SHERD_SCHEME_LINEAR_EULER;
    const char *hint =
        linear ? "use a smaller time_step, or scheme: euler, whose steps converge"
        : world->system.dt > world->system.stable_dt
            ? "remove time_step to have it chosen, or make it smaller than the limit"
            : "use a smaller time step (solver.safety); where things meet much faster than sound, "
              "sqrt(youngs_modulus / density), lower speeds or stiffer materials help";
    return sherd_fail(
        error, SHERD_ERROR_UNSTABLE, "energy", hint,
        "%s of it %s by step %lld, time %g s, with steps of %g s (stability limit %g s)%s",
        sherd_percent_text(fabs(fraction), percent),
        fraction > 0.0 ? "came from nowhere" : "went nowhere", (long long)world->system.step,
        sherd_world_time(world), linear ? world->method.fixed_dt : world->system.dt,
        world->system.stable_dt, fastest);
}

static sherd_status fail_account(const sherd_world *world, const char *what, double fraction,
                                 sherd_error *error)
{
    char fastest[SHERD_ERROR_TEXT_SIZE / 2], percent[SHERD_PERCENT_TEXT];
    name_fastest(world, fastest, sizeof fastest);
    return sherd_fail(error, SHERD_ERROR_UNSTABLE, "energy",
                      "use a smaller time step (solver.safety)",
                      "%s gave %s of it instead of taking some, by step %lld, time %g s, with "
                      "steps of %g s (stability limit %g s)%s",
                      what, sherd_percent_text(-fraction, percent), (long long)world->system.step,
                      sherd_world_time(world), world->system.dt, world->system.stable_dt, fastest);
}

static sherd_status check_accounts(const sherd_world *world, const sherd_energy *e, double scale,
                                   sherd_error *error)
{
    const struct {
        const char *what;
        double taken;
    } accounts[] = {
        {"bond damping", e->dissipated_bonds},      {"fracture", e->dissipated_fracture},
        {"softening", e->dissipated_softening},     {"yielding", e->dissipated_plastic},
        {"contact damping", e->dissipated_contact}, {"friction", e->dissipated_friction}};
    for (size_t k = 0; k < sizeof accounts / sizeof accounts[0]; ++k)
        if (accounts[k].taken < -MAX_ENERGY_GAIN * scale)
            return fail_account(world, accounts[k].what, accounts[k].taken / scale, error);
    return SHERD_OK;
}

// The grid does not resolve positions of points within a cell: the scale includes their energy of a
// fall through half a cell. Water at rest, or a grain on a floor, has almost no other energy, and
// slow creep would be a large fraction of it.
static double unseen_by_points(const sherd_world *world)
{
    if (world->system.points == NULL) return 0.0;
    const sherd_mpm *m = &world->system.points->m;
    const sherd_vec3 *g = &m->def.gravity;
    double mass = 0.0;
    for (size_t k = 0; k < m->points.count; ++k)
        mass += m->solids[m->points.body[k]].density * m->points.volume[k];
    return 0.5 * mass * m->def.spacing * sqrt(g->x * g->x + g->y * g->y + g->z * g->z);
}

// Balances are relative to the present energy, which may be almost zero after an impulse; here they
// are relative to the largest energy so far.
sherd_status sherd_world_check_energy(const sherd_world *world, const sherd_energy *e, double scale,
                                      sherd_error *error)
{
    if (!isfinite(sherd_world_total(e)))
        return sherd_fail(error, SHERD_ERROR_UNSTABLE, "energy", "use a smaller time step",
                          "is not a number at step %lld", (long long)world->system.step);
    double *top_speed = world->largest_energy;
    *top_speed = fmax(fmax(*top_speed, scale), unseen_by_points(world));
    if (!(*top_speed > 0.0)) return SHERD_OK;
    double fraction = e->balance_error * scale / *top_speed;
    double gained = fraction + given_by_explicit_steps(world, e) / *top_speed;
    if (gained > MAX_GAINED) return fail_balance(world, gained, error);
    if (fabs(fraction) > MAX_IMBALANCE) return fail_balance(world, fraction, error);
    return check_accounts(world, e, *top_speed, error);
}
