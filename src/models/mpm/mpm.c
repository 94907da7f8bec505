#include "models/mpm/mpm.h"

#include "base/error.h"
#include "base/memory.h"
#include "models/mpm/drivers/mpm_drivers.h"
#include "models/mpm/fluid/mpm_fluid_flip.h"
#include "models/mpm/fluid/mpm_volume_fractions.h"
#include "models/mpm/glue/mpm_cohesive_zone.h"
#include "models/mpm/grid/mpm_traversal.h"
#include "models/mpm/transfer/mpm_node_update.h"
#include "models/mpm/transfer/mpm_unresolved_modes.h"

#include <math.h>
#include <string.h>

enum { PAGES_PER_CHUNK = 1, LAYERS_PER_CHUNK = 64 };

// Of h / (c + |v|): waves of free bodies stay stable to 0.83 of h / c with the cubic kernel, to 0.65 with the quadratic one.
static const double COURANT_CUBIC = 0.6, COURANT_QUADRATIC = 0.5;
static const double SAFETY = 0.85;        // of usual steps: the default of `solver.safety`
static const double FARTHEST_STEP = 0.25; // of h: a point's way in one step
static const double LONGEST_WAY = 0.2;    // as planned from the last step
// Where a coupled body strikes points, steps are shorter, by no more than a factor, for as long as a wave goes through so many
// cells: in long ones its surface sinks in, and is hardly loaded (docs/mpm.md).
static const double LONGEST_APPROACH = 0.01; // in a step [h]
static const double SHORTEST = 0.01, FADING = 4.0;

sherd_mpm_def sherd_mpm_def_default(void)
{
    return (sherd_mpm_def){.kernel = SHERD_MPM_CUBIC, .flip = 0.95, .fluid_flip = 0.95};
}

void sherd_mpm_init(sherd_mpm *m, const sherd_mpm_def *def, const sherd_solid *solids)
{
    *m = (sherd_mpm){
        .def = *def, .solids = solids, .grid = {.h = def->spacing, .kernel = def->kernel}};
}

static void rates_release(sherd_mpm_rates *r)
{
    sherd_free(r->usual_dt), sherd_free(r->filter), sherd_free(r->flip), sherd_free(r->factor);
    sherd_free(r->memory);
}

void sherd_mpm_release(sherd_mpm *m)
{
    sherd_mpm_points_release(&m->points);
    sherd_mpm_grid_release(&m->grid);
    sherd_mpm_glues_release(&m->glue);
    sherd_mpm_penalty_free(&m->penalty);
    rates_release(&m->rates);
    for (int k = 0; k < 3; ++k)
        sherd_free(m->trend[k]);
}

bool sherd_mpm_trends_make(sherd_mpm *m, size_t count)
{
    if (m->trend_count == count) return true;
    for (int k = 0; k < 3; ++k) {
        sherd_free(m->trend[k]);
        m->trend[k] = sherd_alloc(count, sizeof *m->trend[k]);
    }
    bool made = m->trend[0] != NULL && m->trend[1] != NULL && m->trend[2] != NULL;
    m->trend_count = made ? count : 0;
    return made;
}

// ---------------------------------------------------------------- loops

typedef struct job {
    sherd_mpm_transfer transfer;
    sherd_mpm_kernels f;
} job;

static double courant_of(const sherd_mpm *m)
{
    return m->def.kernel == SHERD_MPM_CUBIC ? COURANT_CUBIC : COURANT_QUADRATIC;
}

// By waves and points alone.
static double steady_dt(const sherd_mpm *m)
{
    return fmin(courant_of(m) * m->def.spacing / m->accounts.fastest,
                LONGEST_WAY * m->def.spacing / m->accounts.speed);
}

// The length of steps by default, where no coupled body comes.
static double usual_dt(const sherd_mpm *m)
{
    return SAFETY * steady_dt(m);
}

// PIC's damping is that of a body's usual steps, whatever the length of this one.
static void set_rates(sherd_mpm *m, double dt)
{
    sherd_mpm_rates *r = &m->rates;
    if (m->def.stirs)
        sherd_mpm_find_fluid_flip(&m->grid, &m->points, m->solids, m->def.gravity, &m->def.parallel,
                                  r->count, r->memory);
    for (size_t k = 0; k < r->count; ++k) {
        bool fluid = m->solids[k].kind == SHERD_SOLID_FLUID;
        double flip = fluid ? m->def.fluid_flip : m->def.flip;
        if (fluid && m->def.stirs) flip *= r->memory[k];
        r->flip[k] = pow(flip, dt / r->filter[k]);
        r->factor[k] = sherd_mpm_unresolved_factor(dt, r->usual_dt[k]);
    }
}

static job job_of(const sherd_mpm *m, double dt)
{
    sherd_mpm *changing = (sherd_mpm *)m;
    sherd_mpm_transfer transfer = {&changing->points, &changing->grid, m->solids, dt,
                                   m->rates.flip,     m->rate_age == 0};
    return (job){transfer, sherd_mpm_choose_kernels()};
}

static double scatter_page(void *context, size_t page)
{
    const job *j = context;
    return j->f.scatter(&j->transfer, page);
}

static double outline_page(void *context, size_t page)
{
    const job *j = context;
    j->f.moments(&j->transfer, page);
    return 0.0;
}

static double stress_page(void *context, size_t page)
{
    const job *j = context;
    j->f.stress(&j->transfer, page);
    return 0.0;
}

static double resolve_page(void *context, size_t page)
{
    const sherd_mpm *m = context;
    job j = job_of(m, 0.0);
    if (m->rates.factor[m->grid.pages[page].body] > 0.0) j.f.resolved(&j.transfer, page);
    return 0.0;
}

static double crowd_page(void *context, size_t page)
{
    const job *j = context;
    j->f.crowd(&j->transfer, page);
    return 0.0;
}

static double gather_page(void *context, size_t page)
{
    const job *j = context;
    return j->f.gather(&j->transfer, page);
}

static double energy_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        sum += j->f.energy(&j->transfer, k);
    return sum;
}

// Pages begin anew the rows that they reach; coupled bodies are added to what is there.
static void begin_range(void *context, size_t begin, size_t end)
{
    sherd_mpm_grid *g = context;
    for (size_t k = begin; k < end; ++k) {
        if (sherd_mpm_is_coupled(g, k)) memset(&g->loads[k], 0, sizeof g->loads[k]);
        g->layers[k].rows_before |= g->layers[k].rows;
        g->layers[k].rows = 0;
    }
}

static void begin_outline_range(void *context, size_t begin, size_t end)
{
    sherd_mpm_grid *g = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_layer *layer = &g->layers[k];
        layer->moment_rows = 0;
        if (layer->moments >= 0 && sherd_mpm_is_coupled(g, k))
            memset(&g->moments[layer->moments], 0, sizeof g->moments[0]);
    }
}

static double scatter(sherd_mpm *m, double dt)
{
    job j = job_of(m, dt);
    sherd_parallel_for(&m->def.parallel, m->grid.layer_count, LAYERS_PER_CHUNK, begin_range,
                       &m->grid);
    return sherd_mpm_traverse(&m->grid, &m->def.parallel, scatter_page, &j);
}

// Of blocks that bodies share.
static void draw_outlines(sherd_mpm *m)
{
    sherd_mpm_grid *g = &m->grid;
    job j = job_of(m, 0.0);
    sherd_parallel_for(&m->def.parallel, g->layer_count, LAYERS_PER_CHUNK, begin_outline_range, g);
    if (g->shared_count > 0) sherd_mpm_traverse(g, &m->def.parallel, outline_page, &j);
    if (m->coupling != NULL) sherd_mpm_coupling_add_moments(m->coupling, g, &m->def.parallel);
}

// Of pieces near glue.
static void rasterize_stress(sherd_mpm *m)
{
    sherd_mpm_grid *g = &m->grid;
    job j = job_of(m, 0.0);
    memset(g->stresses, 0, g->stress_count * sizeof *g->stresses);
    sherd_mpm_traverse(g, &m->def.parallel, stress_page, &j);
}

// Change of velocity by gravity in a step.
static sherd_vec3 fall_of(const sherd_mpm_node_def *nodes)
{
    return (sherd_vec3){nodes->dt * nodes->gravity.x, nodes->dt * nodes->gravity.y,
                        nodes->dt * nodes->gravity.z};
}

static bool has_unresolved(const sherd_mpm *m)
{
    for (size_t k = 0; k < m->rates.count; ++k)
        if (m->rates.factor[k] > 0.0) return true;
    return false;
}

// Nodes get the velocities by which places and strains change; false: memory is short.
static bool add_unresolved(sherd_mpm *m, double dt, const sherd_mpm_node_def *nodes, double *work)
{
    sherd_mpm_grid *g = &m->grid;
    const sherd_mpm_glues *glue = m->glue.broken < m->glue.count ? &m->glue : NULL;
    if (!sherd_mpm_unresolved_begin(g, glue, &m->def.parallel)) return false;
    sherd_mpm_traverse(g, &m->def.parallel, resolve_page, m);
    sherd_vec3 fall = fall_of(nodes);
    sherd_mpm_unresolved_add(g, glue, &m->def.parallel, m->rates.factor);
    *work =
        sherd_mpm_unresolved_work(g, &m->def.parallel, (const double[3]){fall.x, fall.y, fall.z});
    m->accounts.transfer += dt / nodes->dt * *work;
    return true;
}

static void test_glue_by_stress(sherd_mpm *m)
{
    if (!sherd_mpm_glues_due(&m->glue)) return;
    rasterize_stress(m);
    sherd_mpm_glues_test_stress(&m->glue, &m->grid, &m->def.parallel, m->time);
}

// What a round of contact gives samples of coupled bodies is shared by all that these are made of, so that some of it is left at
// nodes for the next one: so many, or until one gives no more than this share of the first.
enum { MOST_ROUNDS = 4 };
static const double LAST_ROUND = 0.3;

static void begin_round(sherd_mpm *m, const sherd_mpm_node_def *nodes)
{
    sherd_vec3 fall = fall_of(nodes);
    m->coupling->carry(m->coupling->context);
    for (int k = 0; k < m->coupling->rigid_count; ++k) {
        double *v = m->coupling->rigids[k].v;
        v[0] += fall.x, v[1] += fall.y, v[2] += fall.z;
    }
    sherd_mpm_coupling_scatter_again(m->coupling, &m->grid, &m->def.parallel);
    sherd_mpm_update_coupled_nodes(&m->grid, &m->def.parallel, nodes);
}

static sherd_status solve_contacts(sherd_mpm *m, sherd_mpm_contact_def *def,
                                   const sherd_mpm_node_def *nodes, sherd_error *error)
{
    double first = 0.0, given = 0.0;
    for (int k = 0; k < MOST_ROUNDS && (k == 0 || given > LAST_ROUND * first); ++k) {
        def->again = k > 0;
        if (def->again) begin_round(m, nodes);
        double unsolved = sherd_mpm_solve_contacts(&m->grid, &m->def.parallel, def);
        if (unsolved < 0.0) return sherd_fail_memory(error, "contact of material points");
        m->unsolved_nodes += (int64_t)unsolved;
        if (m->coupling == NULL) return SHERD_OK;
        given = sherd_mpm_coupling_gather(m->coupling, &m->grid, &m->def.parallel, def->fall);
        if (k == 0) first = given;
    }
    return SHERD_OK;
}

// Points that part while their stress still presses have a transfer take what contact then gives: together they lose.
static void book_losses(sherd_mpm *m, const sherd_mpm_losses *losses)
{
    m->accounts.contact += fmax(losses->contact, 0.0);
    m->accounts.friction += fmax(losses->friction, 0.0);
    m->accounts.transfer += fmin(losses->contact, 0.0) + fmin(losses->friction, 0.0);
    m->coupled_work = losses->coupling;
    m->accounts.closing = fmax(m->accounts.closing, losses->closing);
    m->accounts.work += losses->work, m->accounts.transfer += losses->joining;
}

// What rounds of seats need.
typedef struct rounds {
    sherd_mpm *m;
    const sherd_mpm_node_def *nodes;
    sherd_vec3 fall;
} rounds;

static void begin_wet_round(void *context)
{
    const rounds *r = context;
    begin_round(r->m, r->nodes);
}

static double end_wet_round(void *context)
{
    const rounds *r = context;
    return sherd_mpm_coupling_gather(r->m->coupling, &r->m->grid, &r->m->def.parallel, r->fall);
}

// Nodes first, then fluids and sand at walls, and fluids at bodies.
static sherd_status solve_with_seats(sherd_mpm *m, sherd_mpm_contact_def *def,
                                     const sherd_mpm_node_def *nodes, sherd_error *error)
{
    sherd_mpm_grid *g = &m->grid;
    rounds r = {m, nodes, def->fall};
    sherd_mpm_marker_def immersed = {.dt = def->dt,
                                     .fall = {def->fall.x, def->fall.y, def->fall.z},
                                     .solids = m->solids,
                                     .walls = &m->walls,
                                     .coupling = m->coupling,
                                     .losses = def->losses,
                                     .begin_round = begin_wet_round,
                                     .end_round = end_wet_round,
                                     .context = &r};
    def->markers = sherd_alloc(g->shared_count, sizeof *def->markers);
    if (def->markers == NULL) return sherd_fail_memory(error, "material points");
    sherd_status status = solve_contacts(m, def, nodes, error);
    if (status == SHERD_OK && m->coupling != NULL && sherd_mpm_has_fluids(g, m->solids))
        begin_round(m, nodes);
    if (status == SHERD_OK &&
        !sherd_mpm_solve_markers(g, def->markers, &m->def.parallel, &immersed))
        status = sherd_fail_memory(error, "material points");
    sherd_mpm_markers_free(def->markers, g->shared_count);
    return status;
}

// ---------------------------------------------------------------- springs

// Bodies with a skin touch by springs (surface/mpm_penalty_contact.h), all else at nodes and seats.
static bool has_springs(const sherd_mpm *m)
{
    return m->penalty.surface.count > 0 && m->def.contact == SHERD_MPM_CONTACT_SURFACES;
}

// Axes along which drivers hold a point, by its place. NULL: memory is short.
static uint8_t *list_driven(const sherd_mpm *m)
{
    uint8_t *driven = sherd_alloc(m->points.count, sizeof *driven);
    for (int k = 0; k < m->driver_count && driven != NULL; ++k)
        for (size_t n = 0; n < m->drivers[k].count; ++n)
            for (int axis = 0; axis < 3; ++axis)
                driven[m->drivers[k].at[n]] |= (uint8_t)(m->drivers[k].axes[axis] << axis);
    return driven;
}

static sherd_mpm_penalty_def touch_def_of(const sherd_mpm *m, double dt, double kick)
{
    return (sherd_mpm_penalty_def){.points = &m->points,
                                   .grid = (sherd_mpm_grid *)(uintptr_t)&m->grid,
                                   .solids = m->solids,
                                   .glue = m->glue.broken < m->glue.count ? &m->glue : NULL,
                                   .dt = dt,
                                   .kick = kick,
                                   .coupling = m->coupling,
                                   .walls = m->walls.moved +
                                            (m->coupling != NULL ? m->coupling->way : 0.0),
                                   .speed = m->accounts.speed,
                                   .parallel = m->def.parallel};
}

static void book_springs(sherd_mpm *m, const sherd_mpm_penalty_losses *losses)
{
    m->accounts.contact += losses->contact, m->accounts.friction += losses->friction;
    m->accounts.work += losses->work;
    m->coupled_work -= losses->coupling, m->accounts.transfer += losses->transfer;
}

// False: memory is short.
static bool load_springs(sherd_mpm *m, double dt, double kick)
{
    sherd_mpm_penalty_def def = touch_def_of(m, dt, kick);
    sherd_mpm_penalty_losses losses = {0};
    if (!has_springs(m)) return true;
    uint8_t *driven = m->driver_count > 0 ? list_driven(m) : NULL;
    bool ok = m->driver_count == 0 || driven != NULL;
    m->grid.walls = &m->walls;
    def.driven = driven;
    if (def.glue != NULL) sherd_mpm_glues_join(&m->glue, &m->grid, &m->def.parallel);
    ok = ok && sherd_mpm_penalty_load(&m->penalty, &def, &losses);
    book_springs(m, &losses);
    sherd_free(driven);
    return ok;
}

static bool move_springs(sherd_mpm *m, double dt, double kick)
{
    sherd_mpm_penalty_def def = touch_def_of(m, dt, kick);
    sherd_mpm_penalty_losses losses = {0};
    if (!has_springs(m)) return true;
    bool ok = sherd_mpm_penalty_advance(&m->penalty, &def, &losses);
    book_springs(m, &losses);
    return ok;
}

void sherd_mpm_push_coupled(sherd_mpm *m, double dt)
{
    sherd_mpm_penalty_def def = touch_def_of(m, dt, dt);
    if (has_springs(m)) sherd_mpm_penalty_push_coupled(&m->penalty, &def, dt);
}

// After contact at nodes, whose impulses on coupled bodies act in their own steps.
static sherd_status move_coupling(sherd_mpm *m, double dt, sherd_error *error)
{
    sherd_mpm_penalty_def def = touch_def_of(m, dt, dt);
    if (m->coupling == NULL) return SHERD_OK;
    sherd_status status = m->coupling->move(m->coupling->mover, error);
    if (status != SHERD_OK || !has_springs(m)) return status;
    sherd_mpm_penalty_losses losses = {0};
    sherd_mpm_penalty_react(&m->penalty, &def, &losses);
    m->accounts.transfer += losses.transfer;
    return SHERD_OK;
}

// ---------------------------------------------------------------- contact

static sherd_status touch(sherd_mpm *m, double dt, const sherd_mpm_node_def *nodes,
                          const sherd_mpm_driven_nodes *driven, sherd_error *error)
{
    for (int w = 0; w < m->walls.count; ++w)
        m->walls.reaction[w] = (sherd_mpm_reaction){0};
    m->coupled_work = 0.0;
    m->accounts.closing *= exp(-dt * m->accounts.fastest / (FADING * m->def.spacing));
    if (m->grid.shared_count == 0) return SHERD_OK;
    sherd_mpm_losses losses = {0};
    bool glued = m->glue.broken < m->glue.count;
    sherd_mpm_contact_def def = {.kind = m->def.contact,
                                 .dt = dt,
                                 .usual_dt = usual_dt(m),
                                 .solids = m->solids,
                                 .nodes = nodes,
                                 .springs = has_springs(m),
                                 .softens = m->glue.softening > 0 && has_unresolved(m),
                                 .glue = glued ? &m->glue : NULL,
                                 .walls = &m->walls,
                                 .driven = driven,
                                 .losses = &losses,
                                 .coupling = m->coupling,
                                 .fall = fall_of(nodes)};
    if (glued) sherd_mpm_glues_join(&m->glue, &m->grid, &m->def.parallel);
    sherd_mpm_find_contacts(&m->grid, &m->def.parallel, &def);
    draw_outlines(m);
    if (glued && m->glue.breaks && m->glue.criterion == SHERD_MPM_GLUE_FORCE) {
        sherd_mpm_glues_test_force(&m->glue, &m->grid, &m->def.parallel, dt, m->time);
        sherd_mpm_glues_join(&m->glue, &m->grid, &m->def.parallel);
    }
    sherd_status status = solve_with_seats(m, &def, nodes, error);
    if (status == SHERD_OK) book_losses(m, &losses);
    return status;
}

// Contact, and what drivers hold.
static sherd_status meet(sherd_mpm *m, double dt, const sherd_mpm_node_def *nodes,
                         sherd_error *error)
{
    if (m->driver_count == 0) {
        sherd_status status = touch(m, dt, nodes, NULL, error);
        return status == SHERD_OK ? move_coupling(m, dt, error) : status;
    }
    sherd_mpm_driver_step *holding = sherd_mpm_drivers_begin(m, nodes, error);
    if (holding == NULL) return SHERD_ERROR_MEMORY;
    sherd_status status = touch(m, dt, nodes, sherd_mpm_drivers_nodes(holding), error);
    if (status == SHERD_OK) status = move_coupling(m, dt, error);
    if (status == SHERD_OK) status = sherd_mpm_drivers_apply(holding, dt, error);
    sherd_mpm_drivers_free(holding);
    return status;
}

static size_t count_bodies(const sherd_mpm *m)
{
    size_t count = 0;
    for (size_t k = 0; k < m->grid.layer_count; ++k)
        if (m->grid.layers[k].body >= count) count = m->grid.layers[k].body + 1;
    return count;
}

// Sand flows within cells, which waves say nothing of: its modulus is any that is stiff enough. It falls by a cell in
// sqrt(2 h / g); with a filter of four times sqrt(h / g) columns run out as they should (docs/mpm.md).
static const double FLOW =
    0.2; // of sqrt(h / g): alpha 0.95 in that is exp(-1) in four times sqrt(h / g)

static double filter_of(const sherd_mpm *m, const sherd_solid *solid)
{
    const sherd_vec3 *g = &m->def.gravity;
    double pull = sqrt(g->x * g->x + g->y * g->y + g->z * g->z);
    if (solid->kind != SHERD_SOLID_SAND || !(pull > 0.0)) return 0.0;
    return FLOW * sqrt(m->def.spacing / pull);
}

// By waves of materials at rest. Coupled bodies and what bears no stress have none.
static bool make_rates(sherd_mpm *m)
{
    sherd_mpm_rates *r = &m->rates;
    size_t count = count_bodies(m);
    if (count > r->count) {
        rates_release(r);
        r->usual_dt = sherd_alloc(count, sizeof *r->usual_dt);
        r->filter = sherd_alloc(count, sizeof *r->filter);
        r->flip = sherd_alloc(count, sizeof *r->flip);
        r->factor = sherd_alloc(count, sizeof *r->factor);
        r->memory = sherd_alloc(count, sizeof *r->memory);
        r->count = count;
    }
    if (r->usual_dt == NULL || r->filter == NULL || r->flip == NULL || r->factor == NULL ||
        r->memory == NULL)
        return false;
    for (size_t k = 0; k < count; ++k) {
        double waves = sqrt((m->solids[k].lambda + 2.0 * m->solids[k].mu) / m->solids[k].density);
        r->usual_dt[k] = SAFETY * courant_of(m) * m->def.spacing / waves;
        r->filter[k] = fmax(r->usual_dt[k], filter_of(m, &m->solids[k]));
    }
    return true;
}

static sherd_status sort_points(sherd_mpm *m, sherd_error *error)
{
    m->grid.walls = &m->walls;
    sherd_status status = sherd_mpm_grid_build(&m->grid, &m->points, error);
    if (status == SHERD_OK && !make_rates(m)) status = sherd_fail_memory(error, "material points");
    if (status == SHERD_OK) status = sherd_mpm_glues_sort(&m->glue, &m->grid, error);
    if (m->penalty.surface.count > 0) sherd_mpm_body_surface_sort(&m->penalty.surface, &m->points);
    m->penalty.candidates.made = false;
    m->sorted = status == SHERD_OK, m->moved = 0.0;
    return status;
}

// ---------------------------------------------------------------- steps

// The point that is at fault, for the message.
static sherd_status fail_point(const sherd_mpm *m, sherd_error *error)
{
    const sherd_mpm_points *p = &m->points;
    size_t worst = 0;
    for (size_t k = 0; k < p->count; ++k) {
        double sum = p->x[0][k] + p->x[1][k] + p->x[2][k] + p->v[0][k] + p->v[1][k] + p->v[2][k];
        for (int n = 0; n < SHERD_MPM_SYMMETRIC; ++n)
            sum += p->b[n][k];
        if (p->number[k] != SHERD_MPM_FILLER &&
            (!isfinite(sum) || fmin(p->b[0][k], fmin(p->b[1][k], p->b[2][k])) <= 0.0))
            worst = k;
    }
    return sherd_fail(error, SHERD_ERROR_UNSTABLE, "material points",
                      "a shorter time step, or a law that flows",
                      "point %d of body %u at (%g, %g, %g) m is no longer finite or turned inside "
                      "out at t = %g s",
                      (int)p->number[worst], (unsigned)p->body[worst], p->x[0][worst],
                      p->x[1][worst], p->x[2][worst], m->time);
}

static double largest_component(const sherd_mpm *m)
{
    double most = 0.0;
    for (size_t k = 0; k < m->points.count; ++k)
        for (int axis = 0; axis < 3; ++axis)
            most = fmax(most, fabs(m->points.v[axis][k]));
    return most;
}

sherd_status sherd_mpm_stable_dt(sherd_mpm *m, double *dt, sherd_error *error)
{
    if (!m->sorted) {
        sherd_status status = sort_points(m, error);
        if (status != SHERD_OK) return status;
    }
    m->accounts.fastest = scatter(m, 0.0);
    if (!isfinite(m->accounts.fastest)) return fail_point(m, error);
    m->accounts.speed = largest_component(m);
    *dt = sherd_mpm_longest_dt(m);
    return SHERD_OK;
}

double sherd_mpm_longest_dt(const sherd_mpm *m)
{
    double steady = steady_dt(m),
           approach = LONGEST_APPROACH * m->def.spacing / m->accounts.closing;
    return fmin(steady, fmax(approach, SHORTEST * steady));
}

bool sherd_mpm_must_sort(const sherd_mpm *m)
{
    const double slack = 0.5 * m->def.spacing;
    return !(m->sorted && m->moved <= slack * (1.0 - 2.0 * FARTHEST_STEP));
}

sherd_status sherd_mpm_sort(sherd_mpm *m, sherd_error *error)
{
    return sherd_mpm_must_sort(m) ? sort_points(m, error) : SHERD_OK;
}

static double spent(const sherd_mpm *m)
{
    double sum = 0.0;
    for (size_t k = 0; k < m->grid.page_count; ++k)
        sum += m->grid.pages[k].spent;
    return sum;
}

static double pressed(const sherd_mpm *m)
{
    double sum = 0.0;
    for (size_t k = 0; k < m->grid.page_count; ++k)
        sum += m->grid.pages[k].pressed;
    return sum;
}

static double kinetic_range(void *context, size_t begin, size_t end)
{
    const sherd_mpm *m = context;
    const sherd_mpm_points *p = &m->points;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        sum += 0.5 * m->solids[p->body[k]].density * p->volume[k] *
               (p->v[0][k] * p->v[0][k] + p->v[1][k] * p->v[1][k] + p->v[2][k] * p->v[2][k]);
    return sum;
}

double sherd_mpm_kinetic(const sherd_mpm *m)
{
    enum { CHUNK = 4096 };
    return sherd_parallel_sum(&m->def.parallel, m->points.count, CHUNK, kinetic_range, (void *)m);
}

// Between two steps points carry velocities along: u becomes u' = u - dt (u . grad) u, at the same nodes. That is no loss of
// transfers, which is K(u) - K(v) + 1/2 sum J . (u' - v). Of stress sum J . u' = -kick sum V0 tau : L (I + dt L)^-1, with the
// next stress. In a body that turns with w the difference is w^2 dt of its kinetic energy each step. It changes slowly: every
// few steps points note their rates of strain, which takes a tenth of a step's time, and it is held in between.
enum { RATED_EVERY = 4 };

static void note_carried(sherd_mpm *m, double kick)
{
    if (!m->moving || m->rate_age != 0) return;
    double along = sherd_mpm_stress_work(&m->grid, &m->def.parallel, m->solids, m->unresolved);
    m->accounts.carried = 0.5 * (pressed(m) - along) / (m->dt * kick);
}

// What the way from nodes to points and back has taken, once impulses are known.
static void book_transfer(sherd_mpm *m, const sherd_mpm_scattered_energy *brought, double kick)
{
    sherd_mpm_accounts *a = &m->accounts;
    double given = a->given;
    a->given = 0.0;
    a->transfer += a->after + given - brought->v.kinetic;
    if (m->moving)
        a->transfer += brought->offset - brought->v.offset + a->carried * m->dt * kick;
    else
        a->start = brought->v.offset;
}

// Of what softens; `way` becomes the farthest that any glue went. False: memory is short.
static bool open_glue(sherd_mpm *m, double dt, double *way)
{
    double work;
    if (m->glue.softening == 0) return true;
    double speed =
        sherd_mpm_cohesion_move(&m->glue, &m->grid, &m->def.parallel, dt, m->time, &work);
    m->accounts.softened += work;
    *way = fmax(*way, dt * speed);
    sherd_mpm_glues_count(&m->glue);
    return speed >= 0.0;
}

// False: memory is short.
static bool make_room(sherd_mpm *m, double dt)
{
    if (!sherd_mpm_has_fluids(&m->grid, m->solids)) return true;
    if (!sherd_mpm_find_volume_fractions(&m->grid, m->solids, &m->walls, &m->def.parallel))
        return false;
    job j = job_of(m, dt);
    sherd_mpm_traverse(&m->grid, &m->def.parallel, crowd_page, &j);
    for (size_t k = 0; k < m->grid.page_count; ++k)
        m->accounts.transfer -= m->grid.pages[k].given;
    return true;
}

// Velocities are those in the middle of steps: what acts at the end of one acts until the middle of the next.
static double kick_of(const sherd_mpm *m, double dt)
{
    return m->dt > 0.0 ? 0.5 * (m->dt + dt) : dt;
}

sherd_status sherd_mpm_step(sherd_mpm *m, double dt, sherd_error *error)
{
    sherd_status status = sherd_mpm_sort(m, error);
    if (status != SHERD_OK) return status;
    if (!m->moving) // before drivers gave velocities, which are `given`
        m->accounts.after = sherd_mpm_kinetic(m) - m->accounts.given;
    double kick = kick_of(m, dt);
    if (m->rates.count == 0 && !make_rates(m)) // after a resume
        return sherd_fail_memory(error, "material points");
    set_rates(m, dt);
    m->accounts.fastest = scatter(m, kick);
    if (!isfinite(m->accounts.fastest)) return fail_point(m, error);
    note_carried(m, kick);
    if (m->coupling != NULL) {
        if (!sherd_mpm_coupling_locate(m->coupling, &m->grid, &m->def.parallel))
            return sherd_fail_memory(error, "guests of material points");
        sherd_mpm_coupling_scatter(m->coupling, &m->grid, &m->def.parallel);
    }
    m->accounts.plastic += spent(m);
    test_glue_by_stress(m);
    if (!sherd_mpm_cohesion_load(&m->glue, &m->grid, &m->def.parallel, kick))
        return sherd_fail_memory(error, "glue");
    if (!load_springs(m, dt, kick)) return sherd_fail_memory(error, "contact of material points");
    sherd_mpm_node_def nodes = {kick, m->rates.flip, m->def.gravity, m->solids, m->unresolved};
    sherd_mpm_scattered_energy brought = sherd_mpm_update_nodes(&m->grid, &m->def.parallel, &nodes);
    book_transfer(m, &brought, kick);
    status = meet(m, dt, &nodes, error);
    if (status != SHERD_OK) return status;
    sherd_mpm_node_energy grid =
        sherd_mpm_sum_nodes(&m->grid, &m->def.parallel, &nodes, m->driver_count > 0);
    if (!make_room(m, dt)) return sherd_fail_memory(error, "material points");
    bool unresolved = has_unresolved(m);
    double half_work = 0.0;
    if (unresolved && !add_unresolved(m, dt, &nodes, &half_work))
        return sherd_fail_memory(error, "material points");
    if (!move_springs(m, dt, kick)) return sherd_fail_memory(error, "contact of material points");
    m->rate_age = (m->rate_age + 1) % RATED_EVERY;
    job j = job_of(m, dt);
    double speed = sherd_mpm_traverse(&m->grid, &m->def.parallel, gather_page, &j);
    // The unseen differs from step to step: glue goes with it in each.
    double glue_way = sherd_mpm_glues_move(&m->glue, &m->grid, &m->def.parallel, dt,
                                           unresolved ? INFINITY : dt * speed);
    if (!open_glue(m, dt, &glue_way)) return sherd_fail_memory(error, "glue");
    if (unresolved) sherd_mpm_unresolved_end(&m->grid, &m->def.parallel);
    m->dt = dt, m->time += dt, m->moved += fmax(dt * speed, glue_way) + m->walls.moved;
    m->accounts.after = grid.kinetic,
    m->accounts.offset = grid.offset + half_work - m->accounts.start;
    m->unresolved = unresolved;
    m->accounts.speed = speed, m->moving = true;
    if (speed * dt <= FARTHEST_STEP * m->def.spacing) return SHERD_OK;
    return sherd_fail(
        error, SHERD_ERROR_UNSTABLE, "material points", "a shorter time step",
        "a point moved by %g m in one step of %g s: more than a quarter of the spacing %g m",
        speed * dt, dt, m->def.spacing);
}

// ---------------------------------------------------------------- sums

// Gradients of velocity have an angular momentum of their own: m D times the curl, D = sum w (x_i - x_p)^2 along an axis.
sherd_vec3 sherd_mpm_gradients_spin(const sherd_mpm *m)
{
    const sherd_mpm_points *p = &m->points;
    double arm = m->def.spacing * m->def.spacing / (m->def.kernel == SHERD_MPM_CUBIC ? 3.0 : 4.0);
    sherd_vec3 sum = {0};
    for (size_t k = 0; k < p->count && p->c[0] != NULL; ++k) {
        double d = arm * m->solids[p->body[k]].density * p->volume[k];
        sum.x += d * (p->c[7][k] - p->c[5][k]);
        sum.y += d * (p->c[2][k] - p->c[6][k]);
        sum.z += d * (p->c[3][k] - p->c[1][k]);
    }
    return sum;
}

static void add_point(const sherd_mpm *m, size_t k, sherd_mpm_energy *sum)
{
    const sherd_mpm_points *p = &m->points;
    double mass = m->solids[p->body[k]].density * p->volume[k];
    double x[3] = {p->x[0][k], p->x[1][k], p->x[2][k]}, v[3] = {p->v[0][k], p->v[1][k], p->v[2][k]};
    sum->kinetic += 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    sum->momentum.x += mass * v[0], sum->momentum.y += mass * v[1], sum->momentum.z += mass * v[2];
    sum->angular.x += mass * (x[1] * v[2] - x[2] * v[1]);
    sum->angular.y += mass * (x[2] * v[0] - x[0] * v[2]);
    sum->angular.z += mass * (x[0] * v[1] - x[1] * v[0]);
}

sherd_mpm_energy sherd_mpm_sum(const sherd_mpm *m)
{
    sherd_mpm_energy sum = {.angular = sherd_mpm_gradients_spin(m)};
    for (size_t k = 0; k < m->points.count; ++k)
        add_point(m, k, &sum);
    job j = job_of(m, 0.0);
    sum.stored =
        sherd_parallel_sum(&m->def.parallel, m->grid.page_count, PAGES_PER_CHUNK, energy_range, &j);
    sum.glue = sherd_mpm_cohesion_stored(&m->glue), sum.stored += sum.glue;
    sum.stored += m->penalty.energy;
    sum.lent = sherd_mpm_cohesion_lent(&m->glue);
    sum.pending = spent(m);
    return sum;
}
