#include "bench/fracture_run.h"

#include "clock.h"

#include <sherd/fragments.h>
#include <sherd/given_columns.h>
#include <sherd/world.h>

#include <math.h>

enum { LARGE = 10 }; // elements; fragments of up to so many are debris

static const fracture_column COLUMNS[FRACTURE_COLUMNS] = {
    [FRACTURE_BROKEN] = {"broken_bonds", "broken bonds"},
    [FRACTURE_FRAGMENTS] = {"fragments", "fragments"},
    [FRACTURE_LARGE] = {"large_fragments", "over 10 elements"},
    [FRACTURE_LARGEST] = {"largest_share", "largest share"},
    [FRACTURE_DEBRIS] = {"debris_share", "debris share"},
    [FRACTURE_DISSIPATED] = {"dissipated_share", "energy dissipated"},
    [FRACTURE_HALF_TIME] = {"half_time_limits", "half of the breaks [T]"},
    [FRACTURE_EXPLICIT_STEPS] = {"explicit_steps", "explicit steps"},
    [FRACTURE_IMPLICIT_STEPS] = {"implicit_steps", "implicit steps"},
    [FRACTURE_IMPLICIT_SHARE] = {"implicit_share", "time in implicit steps"},
    [FRACTURE_NEWTON] = {"newton_iterations", "Newton iterations"},
    [FRACTURE_LINEAR] = {"linear_iterations", "linear iterations"},
    [FRACTURE_WALL] = {"wall_s", "seconds"},
};

const fracture_column *fracture_column_of(int statistic)
{
    return &COLUMNS[statistic];
}

// ---------------------------------------------------------------- fragments

static void count_fragments(const sherd_fragment_view *view, double *value)
{
    double mass = 0.0, largest = 0.0, debris = 0.0;
    int large = 0;
    for (int32_t k = 0; k < view->count; ++k) {
        const sherd_fragment *f = &view->fragments[k];
        mass += f->mass;
        largest = fmax(largest, f->mass);
        if (f->count > LARGE)
            ++large;
        else
            debris += f->mass;
    }
    value[FRACTURE_FRAGMENTS] = view->count;
    value[FRACTURE_LARGE] = large;
    value[FRACTURE_LARGEST] = largest / mass;
    value[FRACTURE_DEBRIS] = debris / mass;
}

sherd_status fracture_count(const sherd_world *world, double *value, sherd_error *error)
{
    sherd_bond_view b = sherd_world_bonds(world);
    sherd_fragments *fragments = sherd_fragments_create(error);
    if (fragments == NULL) return error->status;
    sherd_given_columns given;
    sherd_status status = SHERD_ERROR_MEMORY;
    *error = (sherd_error){.status = status, .what = "not enough memory for fragments"};
    if (sherd_given_columns_create(&given, world)) {
        sherd_fragment_input input = {.element_count = sherd_world_elements(world).count,
                                      .mass = given.mass,
                                      .radius = given.radius,
                                      .bond_count = b.count,
                                      .bond_i = b.i,
                                      .bond_j = b.j,
                                      .bond_broken = b.broken};
        status = sherd_fragments_update(fragments, &input, error);
    }
    if (status == SHERD_OK) {
        sherd_fragment_view view = sherd_fragments_view(fragments);
        count_fragments(&view, value);
    }
    sherd_given_columns_free(&given);
    sherd_fragments_destroy(fragments);
    return status;
}

// ---------------------------------------------------------------- energy

static double stores(const sherd_energy *e)
{
    return e->kinetic + e->elastic + e->gravity + e->contact;
}

// Loss of energy: of that at the start, the work done since and the fall's.
static double dissipated_share(const sherd_energy *start, const sherd_energy *end)
{
    double given = end->work - start->work;
    double had = start->kinetic + given + start->gravity - end->gravity;
    return (stores(start) + given - stores(end)) / had;
}

// ---------------------------------------------------------------- the run

typedef struct running {
    sherd_world *world;
    double limit; // T [s]
    int samples;
    double *broken; // after each sample; the result's
    double wall;    // [s]
} running;

// When the first half of all breaks had happened, in samples; linear between two.
static double half_time(const running *r)
{
    double half = 0.5 * r->broken[r->samples];
    for (int k = 1; k <= r->samples; ++k)
        if (half > 0.0 && r->broken[k] >= half)
            return k - (r->broken[k] - half) / (r->broken[k] - r->broken[k - 1]);
    return NAN;
}

static sherd_status advance(running *r, double interval, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    double start = clock_seconds();
    r->broken[0] = 0.0;
    for (int k = 1; k <= r->samples && status == SHERD_OK; ++k) {
        status = sherd_world_advance(r->world, k * interval, error);
        r->broken[k] = (double)sherd_world_bonds(r->world).broken_count;
    }
    r->wall = clock_seconds() - start;
    return status;
}

static void note_work(const running *r, double duration, const fracture_scheme *scheme,
                      double *value)
{
    sherd_solver_counts counts = sherd_world_solver_counts(r->world);
    double in_explicit = (double)counts.explicit_steps * scheme->safety * r->limit;
    value[FRACTURE_EXPLICIT_STEPS] = (double)counts.explicit_steps;
    value[FRACTURE_IMPLICIT_STEPS] = (double)counts.implicit_steps;
    value[FRACTURE_IMPLICIT_SHARE] =
        counts.implicit_steps > 0 ? fmax(0.0, 1.0 - in_explicit / duration) : 0.0;
    value[FRACTURE_NEWTON] = (double)counts.newton_iterations;
    value[FRACTURE_LINEAR] = (double)counts.linear_iterations;
    value[FRACTURE_WALL] = r->wall;
}

static sherd_status measure(running *r, const fracture_case *which, const fracture_scheme *scheme,
                            fracture_result *result, sherd_error *error)
{
    r->limit = sherd_world_stable_time_step(r->world, error);
    if (!(r->limit > 0.0)) return error->status;
    sherd_energy before = sherd_world_energy(r->world);
    double interval = which->interval * r->limit;
    sherd_status status = advance(r, interval, error);
    if (status != SHERD_OK) return status;
    sherd_energy after = sherd_world_energy(r->world);
    double *value = result->value;
    value[FRACTURE_BROKEN] = r->broken[r->samples];
    value[FRACTURE_DISSIPATED] = dissipated_share(&before, &after);
    value[FRACTURE_HALF_TIME] = which->interval * half_time(r);
    note_work(r, r->samples * interval, scheme, value);
    result->elements = sherd_world_elements(r->world).count;
    result->bonds = sherd_world_bonds(r->world).count;
    result->limit = r->limit;
    return fracture_count(r->world, value, error);
}

static sherd_world_def def_of(const fracture_scheme *scheme, int threads)
{
    sherd_world_def def = sherd_world_def_default();
    def.threads = threads;
    def.method = scheme->method;
    def.time_step_safety = scheme->safety;
    def.time_step_in_limits = scheme->step;
    def.paper_fracture = scheme->step > 0.0;
    if (scheme->step > 0.0) def.scheme = SHERD_SCHEME_EULER;
    return def;
}

sherd_status fracture_run(const fracture_case *which, const fracture_scheme *scheme, uint64_t seed,
                          int threads, fracture_result *result, sherd_error *error)
{
    *result = (fracture_result){0};
    sherd_world_def def = def_of(scheme, threads);
    if (!which->falls) def.gravity = (sherd_vec3){0.0, 0.0, 0.0};
    sherd_shape *tool = which->make_tool != NULL ? which->make_tool(error) : NULL;
    if (which->make_tool != NULL && tool == NULL) return error->status;
    running r = {.samples = (int)lround(which->duration / which->interval),
                 .broken = result->broken};
    r.world = fracture_case_world(which, &def, tool, seed, error);
    sherd_status status =
        r.world != NULL ? measure(&r, which, scheme, result, error) : error->status;
    sherd_world_destroy(r.world);
    sherd_shape_destroy(tool);
    return status;
}
