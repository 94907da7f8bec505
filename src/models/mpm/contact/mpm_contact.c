#include "models/mpm/contact/mpm_contact.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "models/mpm/fluid/mpm_fluids.h"

// Rounds of contact with coupled bodies: at most MAX_ROUNDS; they end earlier when a round gives
// no more than the fraction LAST_ROUND of the first one's impulse.
enum { MAX_ROUNDS = 4 };
static const double LAST_ROUND = 0.3;

// Updates the velocities of coupled bodies by the contact impulses so far, and transfers them to
// nodes.
static void begin_round(const sherd_mpm_contact_step *s)
{
    sherd_mpm_grid *g = s->transfer->grid;
    s->coupling->carry(s->coupling->context);
    for (int k = 0; k < s->coupling->rigid_count; ++k) {
        double *v = s->coupling->rigids[k].v;
        v[0] += s->def.fall.x, v[1] += s->def.fall.y, v[2] += s->def.fall.z;
    }
    sherd_mpm_coupling_scatter_again(s->coupling, g, &s->parallel);
    sherd_mpm_update_coupled_nodes(g, &s->parallel, s->def.nodes);
}

static double end_round(const sherd_mpm_contact_step *s)
{
    return sherd_mpm_coupling_gather(s->coupling, s->transfer->grid, &s->parallel, s->def.fall);
}

static void begin_marker_round(void *context)
{
    begin_round(context);
}

static double end_marker_round(void *context)
{
    return end_round(context);
}

static sherd_status solve_nodes(sherd_mpm_contact_step *s, sherd_error *error)
{
    double first = 0.0, given = 0.0;
    for (int k = 0; k < MAX_ROUNDS && (k == 0 || given > LAST_ROUND * first); ++k) {
        s->def.again = k > 0;
        if (s->def.again) begin_round(s);
        double unsolved = sherd_mpm_solve_contacts(s->transfer->grid, &s->parallel, &s->def);
        if (unsolved < 0.0) return sherd_fail_memory(error, "contact of material points");
        s->unsolved += (int64_t)unsolved;
        if (s->coupling == NULL) return SHERD_OK;
        given = end_round(s);
        if (k == 0) first = given;
    }
    return SHERD_OK;
}

static bool solve_markers(sherd_mpm_contact_step *s)
{
    sherd_mpm_marker_def def = {.dt = s->def.dt,
                                .fall = {s->def.fall.x, s->def.fall.y, s->def.fall.z},
                                .solids = s->def.solids,
                                .walls = s->def.walls,
                                .coupling = s->coupling,
                                .losses = &s->losses,
                                .begin_round = begin_marker_round,
                                .end_round = end_marker_round,
                                .context = s};
    sherd_mpm_grid *g = s->transfer->grid;
    if (s->coupling != NULL && sherd_mpm_has_fluids(g, s->def.solids)) begin_round(s);
    return sherd_mpm_solve_markers(g, s->def.markers, &s->parallel, &def);
}

// Breaks glue with the force criterion where the pull at nodes exceeds the threshold; then fewer
// bodies have one velocity there.
static void break_glue_by_force(const sherd_mpm_contact_step *s)
{
    if (s->glue == NULL || !s->glue->breaks_by_force) return;
    sherd_mpm_grid *g = s->transfer->grid;
    sherd_mpm_glues_test_force(s->glue, g, &s->parallel, s->def.nodes->dt, s->time);
    sherd_mpm_glues_join(s->glue, g, &s->parallel);
}

sherd_status sherd_mpm_resolve_contact(sherd_mpm_contact_step *s, sherd_error *error)
{
    sherd_mpm_grid *g = s->transfer->grid;
    SHERD_ASSERT(s->def.dt > 0.0 && s->def.usual_dt > 0.0, "steps have a length");
    SHERD_ASSERT(s->coupling == NULL || s->coupling->layers == g->layer_count,
                 "coupled samples know the layers of this grid");
    s->def.glue = s->glue, s->def.coupling = s->coupling, s->def.losses = &s->losses;
    if (s->glue != NULL) sherd_mpm_glues_join(s->glue, g, &s->parallel);
    sherd_mpm_find_contacts(g, &s->parallel, &s->def);
    sherd_mpm_add_moments(s->transfer, s->coupling, &s->parallel);
    break_glue_by_force(s);
    s->def.markers = sherd_alloc(g->shared_count, sizeof *s->def.markers);
    if (s->def.markers == NULL) return sherd_fail_memory(error, "material points");
    sherd_status status = solve_nodes(s, error);
    if (status == SHERD_OK && !solve_markers(s))
        status = sherd_fail_memory(error, "material points");
    sherd_mpm_markers_free(s->def.markers, g->shared_count);
    return status;
}
