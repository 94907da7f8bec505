#include "stepping/implicit/implicit.h"

#include "base/error.h"
#include "base/memory.h"
#include "stepping/implicit/implicit_state.h"

#include <math.h>

// ---------------------------------------------------------------- creation

static void measure_elements(sherd_implicit *im)
{
    const sherd_elements *e = im->parts.elements;
    im->smallest_radius = INFINITY;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        im->smallest_radius = fmin(im->smallest_radius, sherd_element_radius(e, k));
        im->mass += sherd_element_mass(e, k);
    }
}

static sherd_status make_bodies(sherd_implicit *im, sherd_error *error)
{
    if (im->parts.contacts == NULL) return SHERD_OK;
    im->trial = sherd_contact_trial_create(im->parts.contacts, error);
    if (im->trial == NULL) return SHERD_ERROR_MEMORY;
    im->body_count = sherd_contact_trial_body_count(im->trial);
    im->bodies = sherd_alloc((size_t)im->body_count, sizeof *im->bodies);
    im->body_inertia = sherd_alloc((size_t)im->body_count, sizeof *im->body_inertia);
    if (im->bodies == NULL || im->body_inertia == NULL)
        return sherd_fail_memory(error, "free bodies");
    return SHERD_OK;
}

static sherd_status init(sherd_implicit *im, sherd_error *error)
{
    sherd_element_index n = im->parts.elements->count;
    sherd_status status = make_bodies(im, error);
    if (status != SHERD_OK) return status;
    im->stride = sherd_node_stride((size_t)n + (size_t)im->body_count);
    im->vectors = sherd_alloc(3 * SHERD_NODE_FREEDOMS * im->stride, sizeof *im->vectors);
    bool done = im->vectors != NULL && sherd_node_state_init(&im->now, n) &&
                sherd_node_state_init(&im->old, n) && sherd_node_state_init(&im->spare, n) &&
                sherd_scheme_target_init(&im->target, n) &&
                sherd_time_errors_init(&im->errors, im->parts.elements);
    if (!done) return sherd_fail_memory(error, "implicit steps");
    im->tangent = sherd_tangent_create(error);
    if (im->tangent == NULL) return SHERD_ERROR_MEMORY;
    im->solver = sherd_linear_solver_create(SHERD_LINEAR_MULTIGRID, error);
    if (im->solver == NULL) return SHERD_ERROR_MEMORY;
    measure_elements(im);
    return SHERD_OK;
}

sherd_implicit *sherd_implicit_create(const sherd_implicit_parts *parts, sherd_error *error)
{
    sherd_implicit *im = sherd_alloc(1, sizeof *im);
    if (im == NULL) {
        (void)sherd_fail_memory(error, "implicit steps");
        return NULL;
    }
    *im = (sherd_implicit){.parts = *parts};
    if (init(im, error) == SHERD_OK) return im;
    sherd_implicit_destroy(im);
    return NULL;
}

void sherd_implicit_destroy(sherd_implicit *im)
{
    if (im == NULL) return;
    sherd_contact_trial_destroy(im->trial);
    sherd_linear_solver_destroy(im->solver);
    sherd_linear_solver_destroy(im->jacobi);
    sherd_tangent_destroy(im->tangent);
    sherd_softened_springs_free(&im->softened);
    sherd_softening_rounds_free(&im->openings);
    sherd_overstress_free(&im->overstress);
    sherd_node_state_free(&im->now);
    sherd_node_state_free(&im->old);
    sherd_node_state_free(&im->spare);
    sherd_scheme_target_free(&im->target);
    sherd_momentum_projection_free(&im->projection);
    sherd_time_errors_free(&im->errors);
    sherd_free(im->vectors);
    sherd_free(im->pushes);
    sherd_free(im->bodies);
    sherd_free(im->body_inertia);
    sherd_free(im);
}

bool sherd_implicit_touches(const sherd_implicit *im)
{
    return im->touching > 0;
}

bool sherd_implicit_has_history(const sherd_implicit *im)
{
    return im->has_old;
}

double sherd_implicit_radius(const sherd_implicit *im)
{
    return im->smallest_radius;
}

double *sherd_implicit_external_scratch(sherd_implicit *im)
{
    size_t n = (size_t)im->parts.elements->count;
    if (im->pushes == NULL) im->pushes = sherd_alloc(3 * n, sizeof *im->pushes);
    return im->pushes;
}

sherd_softening_rounds *sherd_implicit_softening_rounds(sherd_implicit *im)
{
    return &im->openings;
}

sherd_overstress_step *sherd_implicit_overstress(sherd_implicit *im)
{
    return &im->overstress;
}

size_t sherd_implicit_bytes(const sherd_implicit *im)
{
    size_t pushes = im->pushes != NULL ? 3 * (size_t)im->now.count * sizeof *im->pushes : 0;
    return sizeof *im + pushes + 3 * sherd_node_state_bytes(&im->now) +
           sherd_scheme_target_bytes(im->now.count) + sherd_time_errors_bytes(&im->errors) +
           3 * SHERD_NODE_FREEDOMS * im->stride * sizeof *im->vectors +
           sherd_tangent_bytes(im->tangent) + sherd_linear_solver_bytes(im->solver) +
           (im->jacobi != NULL ? sherd_linear_solver_bytes(im->jacobi) : 0) +
           sherd_softened_springs_bytes(&im->softened) +
           sherd_softening_rounds_bytes(&im->openings, im->parts.bonds->count) +
           sherd_overstress_bytes(&im->overstress, im->parts.bonds->count) +
           (im->trial != NULL ? sherd_contact_trial_bytes(im->trial) : 0);
}

// ---------------------------------------------------------------- checkpoints

static const sherd_row_member MEMBERS[] = {
    SHERD_MEMBER(sherd_implicit, has_old),
    SHERD_MEMBER(sherd_implicit, touching),
    SHERD_MEMBER(sherd_implicit, sliding),
    SHERD_MEMBER(sherd_implicit, rubbing),
    SHERD_MEMBER(sherd_implicit, regrouped),
    SHERD_NAMED_MEMBER(sherd_implicit, tension.remaining, "tension.left"),
    SHERD_NAMED_MEMBER(sherd_implicit, tension.period, "tension.spell"),
    SHERD_NAMED_MEMBER(sherd_implicit, renew.remaining, "renew.left"),
    SHERD_NAMED_MEMBER(sherd_implicit, renew.period, "renew.spell"),
    SHERD_NAMED_MEMBER(sherd_implicit, predicts_uniform, "evenly"),
    SHERD_MEMBER(sherd_implicit, before),
    SHERD_MEMBER(sherd_implicit, elastic),
    SHERD_MEMBER(sherd_implicit, contraction),
    SHERD_MEMBER(sherd_implicit, trusted)};
static const sherd_row_layout LAYOUT = SHERD_ROW_LAYOUT(sherd_implicit, MEMBERS);

void sherd_implicit_save(const sherd_implicit *im, sherd_byte_buffer *out)
{
    size_t begun = sherd_record_begin(out, "implicit");
    sherd_record_write_one(out, "state", &LAYOUT, im);
    sherd_preconditioner_cache_save(&im->preconditioner, im->topology, out);
    sherd_time_errors_save(&im->errors, out);
    // While positions are sampled, `now` is the state at the last sample.
    if (im->errors.trail_count > 0)
        sherd_node_state_save(&im->now, "sampled", out);
    else if (im->has_old)
        sherd_node_state_save(&im->old, "old", out);
    sherd_linear_solver_save(im->solver, out);
    sherd_record_end(out, begun);
}

sherd_status sherd_implicit_restore(sherd_implicit *im, sherd_record_reader *in, sherd_error *error)
{
    sherd_record_reader part = sherd_record_enter(in, "implicit");
    sherd_record_read_one(&part, "state", &LAYOUT, im);
    sherd_preconditioner_cache_restore(&im->preconditioner, im->topology + 1, &part);
    sherd_time_errors_restore(&im->errors, &part);
    if (im->errors.trail_count > 0)
        sherd_node_state_restore(&im->now, "sampled", &part);
    else if (im->has_old)
        sherd_node_state_restore(&im->old, "old", &part);
    ++im->topology;
    if (part.status == SHERD_OK)
        part.status = sherd_linear_solver_restore(im->solver, &part, error);
    return sherd_record_leave(&part);
}
