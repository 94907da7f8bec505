#include "stepping/implicit/friction_rounds.h"

// Sliding slower than this fraction of its speed in the last step comes to rest.
static const double STOPS = 0.5;

// True if a contact began or ended, began to slide or to stick, reversed, or comes to rest.
// Friction opposes the displacement of a step, which only single-step formulas make parallel to the
// velocity at its end; with others, elements slide back when they come to rest. Steady sliding is
// as smooth as sticking.
bool sherd_implicit_regroups_contacts(const sherd_implicit *im)
{
    const sherd_contact_potential *contact = &im->outcome.newton.value.contact;
    return contact->touching != im->touching || contact->sliding != im->sliding ||
           contact->turning > 0 || contact->rubbed < STOPS * im->rubbing * im->request.dt;
}

bool sherd_implicit_bridges_contact(const sherd_implicit *im)
{
    return sherd_free_bodies_land(&im->free) ||
           (im->outcome.scheme == SHERD_SCHEME_KIND_BDF2 && sherd_implicit_regroups_contacts(im));
}

void sherd_newton_add_work(sherd_newton_report *report, const sherd_newton_report *before)
{
    report->iterations += before->iterations;
    report->linear_iterations += before->linear_iterations;
    report->coarse += before->coarse;
    report->outdated |= before->outdated;
}

// Change of normal forces, relative to the largest, at which they have converged. Steps that have
// not converged after the last round (sand in a vessel of elements: 2 of 31 steps of the hourglass)
// are accepted nevertheless, and counted.
static const double FORCE_TOLERANCE = 0.02;
enum { MAX_ROUNDS = 12, WHOLE_ROUNDS = 2 };

// Minimises with friction limited by normal forces that are then updated, until they converge.
// Friction may tip a body off a support, which then pushes less, so that rounds alternate: later
// ones update by half. A rejected state gets no further rounds.
sherd_status sherd_implicit_iterate_friction(sherd_implicit *im, const sherd_newton_parts *parts,
                                             bool evaluated, sherd_error *error)
{
    sherd_newton_report *report = &im->outcome.newton, before = {0};
    im->outcome.friction_unconverged = false;
    for (int round = 0; round < MAX_ROUNDS; ++round) {
        if (im->free.count == 0 && !im->request.newton.linear)
            sherd_preconditioner_cache_offer(&im->preconditioner, im->target.gamma, im->topology,
                                             &im->request.newton);
        sherd_status status = sherd_newton_solve(
            parts->objective, parts->system, parts->solver, parts->vectors, &im->request.newton,
            &im->now, parts->min_move, evaluated && round == 0, report, error);
        if (status != SHERD_OK) return status;
        sherd_preconditioner_cache_learn(&im->preconditioner, im->target.gamma, im->topology,
                                         report);
        sherd_newton_add_work(report, &before);
        before = *report;
        double budget = im->request.newton.budget;
        double spent = sherd_newton_spent(report->iterations, report->coarse);
        if (round > 0 && budget > 0.0 && spent >= budget) report->converged = false;
        if (im->trial == NULL || im->request.newton.linear || !report->converged ||
            report->value.contact.touching == 0 || sherd_implicit_bridges_contact(im) ||
            sherd_contact_trial_update_friction_caps(im->trial, round < WHOLE_ROUNDS ? 1.0 : 0.5) <
                FORCE_TOLERANCE)
            return SHERD_OK;
    }
    im->outcome.friction_unconverged = true;
    return SHERD_OK;
}
