// A step of material points, stage by stage. The stages are implemented in the folders that mpm.h
// lists.
#include "models/mpm/mpm.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "models/mpm/contact/mpm_contact.h"
#include "models/mpm/damage/mpm_phase_field.h"
#include "models/mpm/fluid/mpm_fluid_density.h"
#include "models/mpm/glue/mpm_cohesive_zone.h"
#include "models/mpm/transfer/mpm_unresolved_modes.h"

#include <math.h>

// Number of steps after which points store their strain rates again, which are used for the loss of
// velocities by advection. The loss changes slowly, and storing takes a tenth of a step's time.
enum { RATED_EVERY = 4 };

// The recorded speed of approach of a coupled body decays while a wave crosses so many cells.
static const double FADING = 4.0;

typedef struct step {
    sherd_mpm *m;
    double dt;
    // Velocities are those at the middle of steps, so that loads at the end of a step act until the
    // middle of the next: the mean of both steps' lengths [s].
    double kick;
    sherd_mpm_node_def nodes;
    sherd_mpm_node_energy energy; // of nodes, after the step's motion
    bool unresolved;              // unresolved modes are added to the nodal motion
    double unresolved_work;       // half of the impulses' work along these modes [J]
    // largest component of the velocities with which points moved [m/s]
    double speed;
    sherd_mpm_glue_motion softening;
} step;

// Change of velocity by gravity [m/s].
static sherd_vec3 fall_of(const step *s)
{
    const sherd_vec3 *g = &s->m->def.gravity;
    return (sherd_vec3){s->kick * g->x, s->kick * g->y, s->kick * g->z};
}

static sherd_mpm_glues *intact_glue(sherd_mpm *m)
{
    return m->glue.broken < m->glue.count ? &m->glue : NULL;
}

// Sorts points into pages if they have moved too far, and sets the bodies' FLIP fractions for this
// step.
static sherd_status sort(step *s, sherd_error *error)
{
    sherd_mpm *m = s->m;
    sherd_status status = sherd_mpm_sort(m, error);
    if (status != SHERD_OK) return status;
    if (!m->moving) // before drivers set velocities, which count as `given`
        m->accounts.after =
            sherd_mpm_kinetic_energy(&m->points, m->solids, &m->def.parallel) - m->accounts.given;
    if (m->rates.count == 0 && // after a resume
        !sherd_mpm_rates_make(&m->rates, &m->grid, m->solids, m->def.gravity))
        return sherd_fail_memory(error, "material points");
    sherd_mpm_flip flip = {m->def.flip, m->def.fluid_flip, m->def.stirs, m->def.gravity};
    sherd_mpm_rates_set(&m->rates, &flip, s->dt, &m->grid, &m->points, m->solids, &m->def.parallel);
    return SHERD_OK;
}

// Damages points by their strains, before these load nodes.
static sherd_status damage(step *s, sherd_error *error)
{
    sherd_mpm *m = s->m;
    if (!sherd_mpm_has_phase(&m->points)) return SHERD_OK;
    sherd_mpm_transfer transfer = sherd_mpm_transfer_of(m, s->dt);
    sherd_mpm_phase_report report;
    if (!sherd_mpm_phase_evolve(&transfer, &m->def.parallel, &report))
        return sherd_fail_memory(error, "damage of material points");
    m->accounts.damaged += report.released, m->phase_iterations += report.iterations;
    return SHERD_OK;
}

// Transfers mass, momentum and the impulse of stress from points to nodes, then mass and momentum
// of coupled bodies.
static sherd_status scatter(step *s, sherd_error *error)
{
    sherd_mpm *m = s->m;
    sherd_mpm_transfer transfer = sherd_mpm_transfer_of(m, s->kick);
    m->accounts.fastest = sherd_mpm_scatter_points(&transfer, &m->def.parallel);
    if (!isfinite(m->accounts.fastest)) return sherd_mpm_fail_point(m, error);
    bool rated = m->moving && m->rate_age == 0;
    sherd_mpm_book_scatter(&m->accounts, &transfer, &m->def.parallel, rated ? m->dt : 0.0,
                           m->unresolved);
    if (m->coupling != NULL && !sherd_mpm_coupling_scatter(m->coupling, &m->grid, &m->def.parallel))
        return sherd_fail_memory(error, "bodies coupled to material points");
    return SHERD_OK;
}

// Overloaded glue breaks or softens; softened glue pulls.
static sherd_status load_glue(step *s, sherd_error *error)
{
    sherd_mpm *m = s->m;
    sherd_mpm_transfer transfer = sherd_mpm_transfer_of(m, 0.0);
    if (sherd_mpm_glues_due(&m->glue)) sherd_mpm_scatter_stress(&transfer, &m->def.parallel);
    bool loaded =
        sherd_mpm_glues_load(&m->glue, &m->grid, &m->points, &m->def.parallel, m->time, s->kick);
    return loaded ? SHERD_OK : sherd_fail_memory(error, "glue");
}

// Contact detection: bodies with a surface touch by springs, all others at nodes and markers.
static bool has_springs(const sherd_mpm *m)
{
    return m->penalty.surface.count > 0 && m->def.contact == SHERD_MPM_CONTACT_SURFACES;
}

static sherd_mpm_penalty_def penalty_def_of(sherd_mpm *m, double dt, double kick)
{
    double coupled_displacement = m->coupling != NULL ? m->coupling->displacement : 0.0;
    return (sherd_mpm_penalty_def){.points = &m->points,
                                   .grid = &m->grid,
                                   .solids = m->solids,
                                   .glue = intact_glue(m),
                                   .dt = dt,
                                   .kick = kick,
                                   .coupling = m->coupling,
                                   .walls = m->walls.moved + coupled_displacement,
                                   .speed = m->accounts.speed,
                                   .parallel = m->def.parallel};
}

// Applies the forces of the springs between surfaces.
static sherd_status load_springs(step *s, sherd_error *error)
{
    sherd_mpm *m = s->m;
    sherd_mpm_penalty_def def = penalty_def_of(m, s->dt, s->kick);
    sherd_mpm_penalty_losses losses = {0};
    if (!has_springs(m)) return SHERD_OK;
    uint8_t *driven = NULL;
    if (m->driver_count > 0)
        driven = sherd_mpm_drivers_list_axes(m->drivers, m->driver_count, m->points.count);
    bool ok = m->driver_count == 0 || driven != NULL;
    m->grid.walls = &m->walls;
    def.driven = driven;
    ok = ok && sherd_mpm_penalty_load(&m->penalty, &def, &losses);
    sherd_mpm_book_penalty(&m->accounts, &losses), m->coupled_work -= losses.coupling;
    sherd_free(driven);
    return ok ? SHERD_OK : sherd_fail_memory(error, "contact of material points");
}

// Updates nodal velocities by stress and gravity.
static sherd_status update_nodes(step *s, sherd_error *error)
{
    sherd_mpm *m = s->m;
    (void)error;
    s->nodes =
        (sherd_mpm_node_def){s->kick, m->rates.flip, m->def.gravity, m->solids, m->unresolved};
    sherd_mpm_scattered_energy now = sherd_mpm_update_nodes(&m->grid, &m->def.parallel, &s->nodes);
    sherd_mpm_book_transfer(&m->accounts, &now, m->moving ? m->dt : 0.0, s->kick);
    return SHERD_OK;
}

static sherd_status resolve_contact(step *s, const sherd_mpm_driven_nodes *driven,
                                    sherd_error *error)
{
    sherd_mpm *m = s->m;
    sherd_mpm_transfer transfer = sherd_mpm_transfer_of(m, 0.0);
    for (int w = 0; w < m->walls.count; ++w)
        m->walls.reaction[w] = (sherd_mpm_reaction){0};
    m->coupled_work = 0.0;
    m->accounts.closing *= exp(-s->dt * m->accounts.fastest / (FADING * m->def.spacing));
    if (m->grid.shared_count == 0) return SHERD_OK;
    bool softens = m->glue.softening > 0 && m->rates.is_short;
    sherd_mpm_contact_step contact = {
        .def = {.kind = m->def.contact,
                .dt = s->dt,
                .usual_dt = SHERD_MPM_USUAL_SAFETY * sherd_mpm_steady_dt(m),
                .solids = m->solids,
                .nodes = &s->nodes,
                .springs = has_springs(m),
                .softens = softens,
                .walls = &m->walls,
                .driven = driven,
                .fall = fall_of(s)},
        .transfer = &transfer,
        .glue = intact_glue(m),
        .coupling = m->coupling,
        .time = m->time,
        .parallel = m->def.parallel};
    sherd_status status = sherd_mpm_resolve_contact(&contact, error);
    m->unsolved_nodes += contact.unsolved;
    if (status != SHERD_OK) return status;
    sherd_mpm_book_node_contact(&m->accounts, &contact.losses);
    m->coupled_work = contact.losses.coupling;
    return SHERD_OK;
}

// Runs after contact at nodes. The impulses on coupled bodies act in these bodies' own steps.
static sherd_status move_coupled(step *s, sherd_error *error)
{
    sherd_mpm *m = s->m;
    if (m->coupling == NULL) return SHERD_OK;
    sherd_mpm_penalty_def def = penalty_def_of(m, s->dt, s->dt);
    sherd_status status = m->coupling->move(m->coupling->mover, error);
    if (status != SHERD_OK || !has_springs(m)) return status;
    sherd_mpm_penalty_losses losses = {0};
    sherd_mpm_penalty_react(&m->penalty, &def, &losses);
    m->accounts.transfer += losses.transfer;
    return SHERD_OK;
}

// Resolves contact of bodies with each other and with walls, moves coupled bodies through the step,
// and finally sets the nodes of drivers.
static sherd_status meet(step *s, sherd_error *error)
{
    sherd_mpm *m = s->m;
    sherd_mpm_driver_step *drivers = NULL;
    if (m->driver_count > 0) {
        sherd_mpm_driver_def def = {&m->grid,   &m->points,      m->solids,
                                    &m->glue,   &s->nodes,       m->def.affine,
                                    m->drivers, m->driver_count, m->def.parallel};
        drivers = sherd_mpm_drivers_begin(&def, error);
        if (drivers == NULL) return SHERD_ERROR_MEMORY;
    }
    sherd_status status =
        resolve_contact(s, drivers != NULL ? sherd_mpm_drivers_nodes(drivers) : NULL, error);
    if (status == SHERD_OK) status = move_coupled(s, error);
    if (status == SHERD_OK && drivers != NULL) {
        sherd_mpm_driver_losses losses = {0};
        status = sherd_mpm_drivers_apply(drivers, s->dt, &losses, error);
        m->accounts.transfer += losses.transfer, m->accounts.contact += losses.contact;
    }
    sherd_mpm_drivers_free(drivers);
    return status;
}

// Corrects the density of fluids, and adds the modes of nodal motion that points do not resolve.
static sherd_status correct(step *s, sherd_error *error)
{
    sherd_mpm *m = s->m;
    sherd_mpm_transfer transfer = sherd_mpm_transfer_of(m, s->dt);
    s->energy = sherd_mpm_sum_nodes(&m->grid, &m->def.parallel, &s->nodes, m->driver_count > 0);
    if (!sherd_mpm_correct_density(&transfer, &m->walls, &m->def.parallel, &m->accounts.transfer))
        return sherd_fail_memory(error, "material points");
    s->unresolved = m->rates.is_short;
    if (!s->unresolved) return SHERD_OK;
    sherd_vec3 fall = fall_of(s);
    if (!sherd_mpm_unresolved_begin(&transfer, intact_glue(m), &m->def.parallel, m->rates.factor,
                                    (const double[3]){fall.x, fall.y, fall.z}, &s->unresolved_work))
        return sherd_fail_memory(error, "material points");
    m->accounts.transfer += s->dt / s->kick * s->unresolved_work;
    return SHERD_OK;
}

// Updates springs and softening glue, and velocities, positions and strains of points, from the nodal motion.
static sherd_status gather(step *s, sherd_error *error)
{
    sherd_mpm *m = s->m;
    if (has_springs(m)) {
        sherd_mpm_penalty_def def = penalty_def_of(m, s->dt, s->kick);
        sherd_mpm_penalty_losses losses = {0};
        bool ok = sherd_mpm_penalty_advance(&m->penalty, &def, &losses);
        sherd_mpm_book_penalty(&m->accounts, &losses), m->coupled_work -= losses.coupling;
        if (!ok) return sherd_fail_memory(error, "contact of material points");
    }
    m->rate_age = (m->rate_age + 1) % RATED_EVERY;
    sherd_mpm_transfer transfer = sherd_mpm_transfer_of(m, s->dt);
    SHERD_ASSERT(m->sorted, "points are in pages");
    if (!sherd_mpm_glues_open(&m->glue, &m->grid, &m->points, &m->def.parallel, s->dt, m->time,
                              &s->softening))
        return sherd_fail_memory(error, "glue");
    m->accounts.softened += s->softening.work;
    s->speed = sherd_mpm_gather_points(&transfer, &m->def.parallel);
    return SHERD_OK;
}

// Moves intact glue, and ends the step.
static sherd_status advance(step *s, sherd_error *error)
{
    sherd_mpm *m = s->m;
    double dt = s->dt;
    (void)error;
    // Unresolved modes differ from step to step, so that glue has to move with them in every step.
    double way = s->unresolved ? INFINITY : dt * s->speed;
    way = sherd_mpm_glues_advance(&m->glue, &m->grid, &m->def.parallel, dt, way);
    way = fmax(way, s->softening.way);
    if (s->unresolved) sherd_mpm_unresolved_end(&m->grid, &m->def.parallel);
    SHERD_ASSERT(s->speed >= 0.0 && way >= 0.0, "ways are not negative");
    m->dt = dt, m->time += dt, m->moved += fmax(dt * s->speed, way) + m->walls.moved;
    m->unresolved = s->unresolved, m->moving = true;
    return SHERD_OK;
}

// Computes the energy of nodes, which balances the next step's transfers.
static sherd_status account(step *s, sherd_error *error)
{
    sherd_mpm_accounts *a = &s->m->accounts;
    a->after = s->energy.kinetic;
    a->last = s->energy.offset + s->unresolved_work;
    a->offset = a->last + (s->m->coupling == NULL ? a->growth : 0.0) - a->start;
    a->speed = s->speed;
    if (s->speed * s->dt <= SHERD_MPM_FARTHEST_STEP * s->m->def.spacing) return SHERD_OK;
    return sherd_fail(
        error, SHERD_ERROR_UNSTABLE, "material points", "a shorter time step",
        "a point moved by %g m in one step of %g s: more than a quarter of the spacing %g m",
        s->speed * s->dt, s->dt, s->m->def.spacing);
}

// ---------------------------------------------------------------- a step

typedef sherd_status stage(step *, sherd_error *);

static stage *const STAGES[] = {
    sort,         // sort points into pages
    damage,       // lower the phase of points that crack
    scatter,      // transfer points and coupled bodies to nodes: mass, momentum, impulse of stress
    load_glue,    // break glue by stress, and pull by softened glue
    load_springs, // penalty forces between surfaces that touch
    update_nodes, // update nodal velocities by impulses and gravity
    meet,         // coupling and contact at nodes, then prescribed motion of drivers
    correct,      // density of fluids; modes that points do not resolve
    gather,       // transfer nodes to springs and points: velocity, position, strain
    advance,      // move glue and advance time
    account,      // update the energy balance
};

sherd_status sherd_mpm_step(sherd_mpm *m, double dt, sherd_error *error)
{
    step s = {.m = m, .dt = dt, .kick = m->dt > 0.0 ? 0.5 * (m->dt + dt) : dt};
    sherd_status status = SHERD_OK;
    SHERD_ASSERT(dt > 0.0 && isfinite(dt), "time only grows");
    SHERD_ASSERT(m->driver_count == 0 || m->drivers != NULL, "drivers are listed");
    SHERD_ASSERT(m->walls.count == 0 || m->walls.reaction != NULL, "walls take reactions");
    SHERD_ASSERT(m->coupling == NULL || m->grid.first_coupled > 0, "coupled bodies have numbers");
    for (size_t k = 0; k < sizeof STAGES / sizeof *STAGES && status == SHERD_OK; ++k)
        status = STAGES[k](&s, error);
    return status;
}

void sherd_mpm_push_coupled(sherd_mpm *m, double dt)
{
    sherd_mpm_penalty_def def = penalty_def_of(m, dt, dt);
    if (has_springs(m)) sherd_mpm_penalty_push_coupled(&m->penalty, &def, dt);
}
