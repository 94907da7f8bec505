// Advancing by regions (regions.h): a stepper that wraps another one.
#include "base/error.h"
#include "base/memory.h"
#include "bodies/driver_part.h"
#include "math/vec3.h"
#include "models/mpm/mpm_model.h"
#include "stepping/control/step_control.h"
#include "stepping/regions/component_boxes.h"
#include "stepping/regions/parallel_regions.h"
#include "stepping/regions/region_span.h"
#include "stepping/regions/regions.h"
#include "stepping/regions/system_part.h"
#include "stepping/sleep/rigid_sleep.h"
#include "stepping/stepper.h"
#include "stepping/stepper_state.h"
#include "stepping/system_state.h"

#include <math.h>

// Regions that may meet within this many explicit steps are merged.
static const double MIN_SPAN = 100.0;
// Assumed growth of a region's speeds in a span.
static const double SAFETY = 1.5;
// A span that was undone is repeated up to this fraction of the time to the failure.
static const double SHORTER = 0.5;
// If more than this fraction of the bonds broke since regions were made, they are searched for
// again, but not before this many explicit steps.
static const double CHANGED_FRACTION = 0.02, DIVISION_INTERVAL = 1000.0;

enum { MAX_DOUBLINGS = 30 };

typedef struct spanning {
    sherd_system *whole;
    sherd_regions *regions;
    const sherd_method_settings *settings;
    double begin, end;               // of the span [s]
    double reach[SHERD_MAX_REGIONS]; // largest displacement of a region [m]
    const sherd_span_points *points; // advances points and the first region; NULL: there are none
    sherd_mpm_extents extents;       // of points
    sherd_boxes boxes;
    sherd_byte_buffer before; // the state of all regions at its beginning
    sherd_error *error;
} spanning;

// ---------------------------------------------------------------- reach

static sherd_status add_region(spanning *s, int r)
{
    const sherd_system *part = &s->regions->list[r].system;
    sherd_element_index n = part->elements.count, *root = sherd_alloc((size_t)n, sizeof *root);
    if (root == NULL) return sherd_fail_memory(s->error, "regions");
    sherd_find_components(&part->bonds, n, root);
    sherd_status status = sherd_boxes_add_components(&s->boxes, &part->elements, root, r, s->error);
    sherd_free(root);
    const sherd_box body = {.group = r, .root = n};
    int bodies;
    if (status == SHERD_OK)
        status = sherd_boxes_add_bodies(&s->boxes, part->contacts, &body, &bodies, s->error);
    return status;
}

// They belong to the first region.
static sherd_status add_points(spanning *s)
{
    const sherd_mpm *m = &s->whole->points->m;
    const sherd_box point = {.root = -1};
    sherd_status status = sherd_mpm_extents_find(&s->extents, m, s->error);
    if (status != SHERD_OK) return status;
    return sherd_boxes_add_points(&s->boxes, &s->extents, SHERD_SPAN_GUARD * m->def.spacing, &point,
                                  s->error);
}

// Speeds of regions, from those of their boxes and of tumbling sleepers.
static void find_speeds(const spanning *s, double speed[SHERD_MAX_REGIONS])
{
    for (int r = 0; r < s->regions->count; ++r)
        speed[r] = sherd_sleep_fastest(&s->regions->list[r].system);
    for (size_t k = 0; k < s->boxes.count; ++k)
        speed[s->boxes.list[k].group] = fmax(speed[s->boxes.list[k].group], s->boxes.list[k].speed);
}

static bool meet(void *context, const sherd_box *a, const sherd_box *b)
{
    (void)context, (void)a, (void)b;
    return true;
}

// True if boxes of two regions overlap when widened by `factor` times their reach.
static bool may_meet(spanning *s, double factor)
{
    for (size_t k = 0; k < s->boxes.count; ++k)
        s->boxes.list[k].reach = factor * s->reach[s->boxes.list[k].group];
    return sherd_boxes_sweep(&s->boxes, &s->whole->parallel, meet, NULL);
}

static double min_span(const spanning *s)
{
    return MIN_SPAN * sherd_system_span_unit(s->whole, s->settings->explicit_dt);
}

// The end of the span, halved until nothing can meet; earlier than `begin` + MIN_SPAN if that is
// too short.
static bool find_end(spanning *s, const double speed[SHERD_MAX_REGIONS])
{
    double shortest = min_span(s), g = vec3_length(s->whole->gravity);
    for (;;) {
        double span = s->end - s->begin;
        for (int r = 0; r < s->regions->count; ++r)
            s->reach[r] =
                SAFETY * (speed[r] * span + 0.5 * g * span * span) + s->boxes.largest_radius;
        if (!may_meet(s, 1.0)) return true;
        if (0.5 * span < shortest) return false;
        s->end = s->begin + 0.5 * span;
    }
}

// Increases reaches while boxes do not overlap.
static void widen_reach(spanning *s)
{
    double factor = 1.0;
    for (int k = 0; k < MAX_DOUBLINGS && !may_meet(s, 2.0 * factor); ++k)
        factor *= 2.0;
    for (int r = 0; r < s->regions->count; ++r)
        s->reach[r] *= factor;
}

// False: regions may meet too soon.
static sherd_status plan(spanning *s, bool *possible)
{
    *possible = true;
    for (int r = 0; r < s->regions->count; ++r)
        s->reach[r] = INFINITY;
    if (s->whole->contacts == NULL && s->points == NULL) return SHERD_OK; // they never do
    sherd_status status = SHERD_OK;
    s->boxes.count = 0;
    for (int r = 0; r < s->regions->count && status == SHERD_OK; ++r)
        status = add_region(s, r);
    if (status == SHERD_OK && s->points != NULL) status = add_points(s);
    if (status != SHERD_OK) return status;
    double speed[SHERD_MAX_REGIONS];
    find_speeds(s, speed);
    *possible = find_end(s, speed);
    if (*possible) widen_reach(s);
    return SHERD_OK;
}

// ---------------------------------------------------------------- undoing a span

static sherd_status remember(spanning *s)
{
    s->before.size = 0;
    sherd_status status = SHERD_OK;
    if (s->points != NULL) status = sherd_system_save(s->whole, &s->before, s->error);
    for (int r = 0; r < s->regions->count && status == SHERD_OK; ++r)
        status = sherd_system_save(&s->regions->list[r].system, &s->before, s->error);
    return status;
}

static sherd_status undo(spanning *s)
{
    static const sherd_record_about about = {.where = "regions", .complete = true};
    sherd_record_reader in = sherd_record_open(s->before.bytes, s->before.size, &about, s->error);
    sherd_status status = SHERD_OK;
    if (s->points != NULL) {
        status = sherd_system_restore(s->whole, &in, s->error);
        if (s->whole->contacts != NULL) sherd_contacts_forget_loads(s->whole->contacts);
    }
    for (int r = 0; r < s->regions->count && status == SHERD_OK; ++r) {
        sherd_system *part = &s->regions->list[r].system;
        status = sherd_system_restore(part, &in, s->error);
        if (part->contacts != NULL) sherd_contacts_forget_loads(part->contacts);
    }
    return status;
}

// ---------------------------------------------------------------- results for the whole

static void move_counts(sherd_solver_counts *from, sherd_solver_counts *a, sherd_solver_counts *b)
{
    sherd_solver_counts *to[2] = {a, b};
    for (int k = 0; k < 2; ++k) {
        to[k]->explicit_steps += from->explicit_steps;
        to[k]->implicit_steps += from->implicit_steps;
        to[k]->asleep_steps += from->asleep_steps;
        to[k]->newton_iterations += from->newton_iterations;
        to[k]->linear_iterations += from->linear_iterations;
        to[k]->rejected_steps += from->rejected_steps;
        to[k]->switches += from->switches;
        to[k]->unsettled_steps += from->unsettled_steps;
    }
    *from = (sherd_solver_counts){0};
}

// Results of the steps with the grid of points, except the state, which is in the whole already.
static sherd_status show_regions(spanning *s, double weight)
{
    sherd_system *whole = s->whole;
    int alone = sherd_regions_first_alone(whole);
    sherd_status status = SHERD_OK;
    whole->control.last_dt = INFINITY;
    for (int r = 0; r < s->regions->count && status == SHERD_OK; ++r) {
        sherd_time_region *region = &s->regions->list[r];
        sherd_system *part = &region->system;
        status = sherd_system_show_part(part, whole, region->member, s->error);
        if (r < alone) continue;
        sherd_solver_counts *counts = &part->control.counts;
        whole->step += counts->explicit_steps + counts->implicit_steps;
        whole->control.last_dt = fmin(whole->control.last_dt, part->control.last_dt);
        move_counts(counts, &region->counts, &whole->control.counts);
        sherd_drivers_move_sums(&part->drivers, &whole->drivers, weight);
        for (int d = 0; d < part->drivers.count; ++d)
            sherd_driver_note(&whole->drivers.drivers[part->drivers.drivers[d].whole], weight);
    }
    whole->start_time = s->end;
    whole->start_step = whole->step;
    return status;
}

static void show_loads(spanning *s)
{
    sherd_contacts *whole = s->whole->contacts;
    const sherd_contact_part *parts = s->regions->parts;
    int count = s->regions->count;
    if (s->points != NULL) { // points have recorded theirs, with those of the first region
        sherd_contacts_add_parts(whole, parts + 1, count - 1);
        sherd_contacts_add_mean_loads(whole, parts + 1, count - 1);
        return;
    }
    sherd_contacts_sum_parts(whole, parts, count);
    sherd_contacts_mean_loads(whole, parts, count);
}

// All quantities of the whole system. Probes on obstacles get means over the span. Steps of points
// are weighted in seconds.
static sherd_status show(spanning *s, sherd_after_step *after, void *context)
{
    sherd_system *whole = s->whole;
    double span = s->end - s->begin,
           weight = s->points != NULL ? span : span / s->settings->explicit_dt;
    sherd_status status = show_regions(s, weight);
    if (s->points == NULL) whole->drivers.probe_steps += weight;
    if (whole->contacts != NULL) show_loads(s);
    if (after != NULL) after(context, weight);
    return status;
}

// ---------------------------------------------------------------- spans

static bool one_requests_regrouping(const spanning *s)
{
    for (int r = 0; r < s->regions->count; ++r)
        if (s->regions->list[r].system.control.divide_at <= s->begin) return true;
    return false;
}

// True if another division is due: much broke, or a region has sleepers that should be in one of
// their own.
static bool division_is_due(const spanning *s)
{
    const sherd_regions *regions = s->regions;
    double broke = (double)(s->whole->bonds.broken_count - regions->broken),
           unit = sherd_system_span_unit(s->whole, s->settings->explicit_dt);
    if (s->begin < regions->since + DIVISION_INTERVAL * unit) return false;
    return broke > CHANGED_FRACTION * (double)s->whole->bonds.count || one_requests_regrouping(s);
}

// Advances all regions to the end of the span; `*too_far` as in parallel_regions.h.
static sherd_status go(spanning *s, double *too_far)
{
    sherd_status status = sherd_regions_step_parallel(s->whole, s->regions, s->settings, s->end,
                                                      s->reach, too_far, s->error);
    if (status != SHERD_OK || *too_far > 0.0 || s->points == NULL) return status;
    return s->points->advance(s->points->context, s->end, s->reach[0], too_far, s->error);
}

static sherd_status advance(spanning *s, sherd_after_step *after, void *context)
{
    double shortest = min_span(s), too_far;
    bool possible;
    for (;;) {
        sherd_status status = plan(s, &possible);
        if (status != SHERD_OK) return status;
        // New regions that may meet at once would be made again and again.
        if (!possible)
            return s->begin > s->regions->since ? sherd_regions_redivide(s->whole, s->error)
                                                : sherd_regions_unite(s->whole, s->error);
        status = remember(s);
        if (status == SHERD_OK) status = go(s, &too_far);
        if (status != SHERD_OK) return status;
        if (too_far == 0.0) break;
        status = undo(s);
        if (status != SHERD_OK) return status;
        s->end = s->begin + SHORTER * too_far;
        if (s->end - s->begin < shortest) return sherd_regions_unite(s->whole, s->error);
    }
    return show(s, after, context);
}

sherd_status sherd_regions_advance(sherd_system *system, const sherd_method_settings *settings,
                                   const sherd_advance_goal *goal, const sherd_span_points *points,
                                   sherd_error *error)
{
    spanning s = {.whole = system,
                  .regions = system->regions,
                  .settings = settings,
                  .begin = sherd_system_time(system),
                  .end = goal->until,
                  .points = points,
                  .error = error};
    bool leave = false;
    sherd_status status =
        points != NULL ? sherd_regions_would_leave(system, &leave, error) : SHERD_OK;
    if (status == SHERD_OK)
        status = leave || division_is_due(&s) ? sherd_regions_redivide(system, error)
                                              : advance(&s, goal->after, goal->context);
    sherd_mpm_extents_free(&s.extents);
    sherd_boxes_free(&s.boxes);
    sherd_byte_buffer_free(&s.before);
    return status;
}

// Stops after the span of regions with goal->max_steps steps, which changes none of them.
static sherd_status advance_wrapped(sherd_system *system, const sherd_method_settings *settings,
                                    const sherd_advance_goal *goal, sherd_error *error)
{
    double min_time = 1e-9 * settings->explicit_dt, until = goal->until;
    int64_t before = system->step, made = 0;
    sherd_status status = SHERD_OK;
    do {
        bool alone = system->regions == NULL;
        sherd_advance_goal remaining = *goal;
        remaining.max_steps -= made;
        if (!alone)
            status = sherd_regions_advance(system, settings, &remaining, NULL, error);
        else
            status = settings->stepper->advance(system, settings, &remaining, error);
        made = system->step - before;
        if (status != SHERD_OK || made >= goal->max_steps) return status;
        if (alone && until - sherd_system_time(system) > min_time)
            status = sherd_regions_divide(system, error);
    } while (status == SHERD_OK && until - sherd_system_time(system) > min_time);
    return status;
}

static sherd_status prepare(sherd_system *system, sherd_method_settings *settings, double until,
                            sherd_error *error)
{
    return settings->stepper->prepare(system, settings, until, error);
}

const sherd_stepper sherd_stepper_regions = {
    .explicit_steps = true,
    .implicit_steps = true,
    .prepare = prepare,
    .advance = advance_wrapped,
    .stable_dt = sherd_system_stable_time_step,
    .last_dt = sherd_controlled_last_dt,
    .counts = sherd_controlled_counts,
    .save = sherd_stepper_save,
    .restore = sherd_stepper_restore,
};
