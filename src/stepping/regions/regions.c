// Dividing a system into regions, and merging them.
#include "stepping/regions/regions.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_system.h"
#include "math/vec3.h"
#include "models/mpm/mpm_model.h"
#include "stepping/explicit/verlet_energy_offset.h"
#include "stepping/implicit/implicit_step.h"
#include "stepping/regions/system_part.h"
#include "stepping/sleep/rigid_sleep.h"
#include "stepping/system_state.h"

#include <math.h>
#include <string.h>

// Components that could come near each other within this many stability limits stay together. Whole
// regions must stay separate for four of the shortest spans, so that they advance before regions
// are searched for again.
static const double ENCOUNTER_TIME = 500.0, MIN_SEPARATION_TIME = 400.0; // [T]
// Shortest and longest time before a world that was not worth dividing is examined again; doubled
// every time that regions end before one of them took an implicit step.
static const double FIRST_WAIT = 300.0, LONGEST_WAIT = 20000.0; // [T]
// Interval of checks whether elements near material points may leave the first region: at a hundred
// steps of the grid, that costs at most a hundredth of these.
static const double LEAVING_INTERVAL = 1000.0; // [T], or tenths of steps of the grid

// ---------------------------------------------------------------- creation

void sherd_regions_destroy(sherd_regions *regions)
{
    if (regions == NULL) return;
    for (int r = 0; r < regions->count && regions->list != NULL; ++r) {
        sherd_system_free(&regions->list[r].system);
        sherd_free(regions->list[r].member);
    }
    sherd_free(regions->list);
    sherd_free(regions->of);
    sherd_free(regions->parts);
    sherd_free(regions);
}

static bool list_members(sherd_regions *regions, sherd_element_index elements)
{
    sherd_element_index *count = sherd_alloc((size_t)regions->count, sizeof *count);
    if (count == NULL) return false;
    for (sherd_element_index k = 0; k < elements; ++k)
        if (regions->of[k] >= 0) ++count[regions->of[k]];
    bool done = true;
    for (int r = 0; r < regions->count; ++r) {
        sherd_time_region *region = &regions->list[r];
        region->member = sherd_alloc((size_t)count[r], sizeof *region->member);
        done = done && region->member != NULL;
        regions->parts[r].members.member = region->member;
    }
    for (sherd_element_index k = 0; k < elements && done; ++k) {
        if (regions->of[k] < 0) continue;
        sherd_contact_members *m = &regions->parts[regions->of[k]].members;
        regions->list[regions->of[k]].member[m->count++] = k;
    }
    sherd_free(count);
    return done;
}

static sherd_regions *create(sherd_grouping *grouping, sherd_element_index elements)
{
    sherd_regions *regions = sherd_alloc(1, sizeof *regions);
    if (regions == NULL) return NULL;
    size_t count = (size_t)grouping->count;
    *regions = (sherd_regions){.count = grouping->count,
                               .list = sherd_alloc(count, sizeof *regions->list),
                               .of = grouping->of,
                               .parts = sherd_alloc(count, sizeof *regions->parts)};
    grouping->of = NULL;
    if (regions->list != NULL && regions->parts != NULL && list_members(regions, elements))
        return regions;
    sherd_regions_destroy(regions);
    return NULL;
}

// `local` numbers the members of one region.
static void number_members(const sherd_regions *regions, int r, sherd_element_index elements,
                           sherd_element_index *local)
{
    sherd_element_index at = 0;
    for (sherd_element_index k = 0; k < elements; ++k)
        local[k] = regions->of[k] == r ? at++ : -1;
}

typedef sherd_status part_maker(sherd_system *part, const sherd_system *whole,
                                const sherd_contact_members *members, sherd_error *error);

// Creates all parts, or copies the state to them.
static sherd_status for_each_part(sherd_regions *regions, const sherd_system *whole,
                                  part_maker *make, sherd_error *error)
{
    sherd_element_index n = whole->elements.count;
    sherd_element_index *local = sherd_alloc((size_t)n, sizeof *local);
    if (local == NULL) return sherd_fail_memory(error, "regions");
    sherd_status status = SHERD_OK;
    for (int r = 0; r < regions->count && status == SHERD_OK; ++r) {
        sherd_contact_part *part = &regions->parts[r];
        number_members(regions, r, n, local);
        part->members.local = local;
        status = make(&regions->list[r].system, whole, &part->members, error);
        part->members.local = NULL;
        part->contacts = regions->list[r].system.contacts;
    }
    sherd_free(local);
    return status;
}

sherd_status sherd_regions_make(sherd_system *system, sherd_grouping *grouping, sherd_error *error)
{
    SHERD_ASSERT(system->regions == NULL, "regions are united before they are divided");
    int bodies = grouping->bodies;
    sherd_regions *regions = create(grouping, system->elements.count);
    if (regions == NULL) return sherd_fail_memory(error, "regions");
    regions->parts[0].members.awake = system->points != NULL;
    regions->list[bodies].has_bodies = regions->parts[bodies].members.has_bodies = true;
    sherd_status status = for_each_part(regions, system, sherd_system_make_part, error);
    if (status == SHERD_OK)
        system->regions = regions;
    else
        sherd_regions_destroy(regions);
    return status;
}

// ---------------------------------------------------------------- dividing

// Previous regions, of[k] being that of element k: times of their last breaks, and their step
// counts.
typedef struct past_regions {
    int32_t *of;                          // owned; NULL = there were none
    double last_break[SHERD_MAX_REGIONS]; // [s]
    double work[SHERD_MAX_REGIONS];
    sherd_solver_counts counts[SHERD_MAX_REGIONS];
} past_regions;

// Each region has its own step control: it waits after its own breaks.
static sherd_step_control initial_control(const sherd_system *whole,
                                          const sherd_time_region *region, const past_regions *past)
{
    sherd_step_control control = {.begun = 1,
                                  .last_dt = whole->control.last_dt,
                                  .last_break = whole->control.last_break,
                                  .explicit_until = sherd_system_time(whole),
                                  .last_sample = -INFINITY,
                                  .danger_by = -INFINITY,
                                  .stop = sherd_system_time(whole),
                                  .divide_at = INFINITY,
                                  .sought_at = sherd_system_time(whole)};
    if (whole->step == 0) control.begun = 0;
    if (past->of == NULL) return control;
    control.last_break = -INFINITY;
    for (sherd_element_index m = 0; m < region->system.elements.count; ++m)
        control.last_break =
            fmax(control.last_break, past->last_break[past->of[region->member[m]]]);
    return control;
}

// Stiffness over mass that limits contact of free bodies with other obstacles: that of the
// elements, or without any that of the points, as if they were elements.
static void find_body_stiffness(sherd_system *whole, sherd_system *part)
{
    const sherd_points *stepping = &part->elements.points;
    if (part->contacts == NULL || whole->element_dt > 0.0) return;
    part->contacts->element_eigenvalue = whole->contacts->element_eigenvalue =
        sherd_contacts_max_eigenvalue(part->contacts,
                                      stepping->count > 0 ? stepping : &whole->elements.points);
}

// The stability limit of the region stepped with the grid: its own, because softer elements take
// longer steps.
static sherd_status find_near_limit(sherd_system *whole, sherd_error *error)
{
    sherd_time_region *near = &whole->regions->list[0];
    sherd_system *part = &near->system;
    double limit = INFINITY;
    sherd_status status = SHERD_OK;
    find_body_stiffness(whole, part);
    if (part->elements.count > 0) status = sherd_system_stable_time_step(part, &limit, error);
    bool meets = near->has_bodies && whole->points->free_count > 0 && part->contacts != NULL;
    if (meets && part->contacts->element_eigenvalue > 0.0)
        limit = fmin(limit, 2.0 / sqrt(part->contacts->element_eigenvalue));
    part->stable_dt = fmax(limit, whole->element_dt);
    if (whole->element_dt == 0.0) whole->element_dt = part->stable_dt;
    return status;
}

static sherd_status divide_by(sherd_system *system, sherd_grouping *grouping,
                              const past_regions *past, sherd_error *error)
{
    sherd_sleep_renew(system);
    sherd_verlet_energy_end(system);
    sherd_status status = SHERD_OK;
    if (system->points != NULL) status = sherd_sleep_wake_some(system, grouping->of, 0, error);
    if (status == SHERD_OK) status = sherd_regions_make(system, grouping, error);
    if (status != SHERD_OK) return status;
    status = for_each_part(system->regions, system, sherd_system_fetch, error);
    if (status == SHERD_OK && system->points != NULL) {
        system->points->m.sorted = false; // others may come near them from here on
        status = find_near_limit(system, error);
    }
    for (int r = 0; r < system->regions->count; ++r) {
        sherd_time_region *region = &system->regions->list[r];
        region->system.control = initial_control(system, region, past);
        if (past->of == NULL || region->system.elements.count == 0) continue;
        region->counts = past->counts[past->of[region->member[0]]];
        region->work = past->work[past->of[region->member[0]]];
    }
    if (system->sleep.enabled) sherd_sleep_forget(system);
    sherd_implicit_destroy(system->implicit);
    system->implicit = NULL;
    system->regions->since = sherd_system_time(system);
    system->regions->broken = system->bonds.broken_count;
    if (system->regions->count > 1) ++system->control.counts.divisions;
    return status;
}

// Time unit: T, or a tenth of a step of the grid if that is longer.
static double unit_of(const sherd_system *system)
{
    return sherd_system_span_unit(system, sherd_system_element_limit(system));
}

// Not before so long.
static void postpone_division(sherd_system *system)
{
    sherd_step_control *control = &system->control;
    double limit = unit_of(system);
    control->divide_wait = fmax(control->divide_wait, FIRST_WAIT * limit);
    control->divide_at = sherd_system_time(system) + control->divide_wait;
}

static sherd_status find_points(const sherd_system *system, sherd_grouping_points *points,
                                sherd_error *error)
{
    *points = (sherd_grouping_points){.guard = 0.0};
    if (system->points == NULL) return SHERD_OK;
    points->guard = SHERD_DIVISION_GUARD * system->points->m.def.spacing;
    return sherd_mpm_extents_find(&points->extents, &system->points->m, error);
}

// `part`: the whole, or a part of it.
static sherd_status group(const sherd_system *system, const sherd_system *part,
                          sherd_grouping *grouping, sherd_error *error)
{
    const sherd_grouping_times times = {ENCOUNTER_TIME * unit_of(system),
                                        MIN_SEPARATION_TIME * unit_of(system)};
    sherd_grouping_points points;
    *grouping = (sherd_grouping){.of = NULL};
    sherd_status status = find_points(system, &points, error);
    if (status == SHERD_OK)
        status = sherd_find_groups(part, system->points != NULL ? &points : NULL, &times, grouping,
                                   error);
    sherd_mpm_extents_free(&points.extents);
    return status;
}

// All elements that are not points.
static sherd_status gather(sherd_system *system, const past_regions *past, sherd_error *error)
{
    const sherd_point_bodies *b = system->points;
    sherd_grouping all = {.count = 1,
                          .of = sherd_alloc((size_t)system->elements.count, sizeof *all.of)};
    if (all.of == NULL) return sherd_fail_memory(error, "elements beside points");
    for (int body = 0; body < b->body_count; ++body)
        for (sherd_element_index k = b->first[body]; k < b->first[body + 1]; ++k)
            all.of[k] = b->of_points[body] ? -1 : 0;
    sherd_status status = SHERD_OK;
    if (system->contacts != NULL)
        status = sherd_contacts_begin(system->contacts, system->elements.count, error);
    if (status == SHERD_OK) status = divide_by(system, &all, past, error);
    sherd_free(all.of);
    return status;
}

sherd_status sherd_regions_gather(sherd_system *system, sherd_error *error)
{
    return gather(system, &(past_regions){.of = NULL}, error);
}

static sherd_status divide(sherd_system *system, const past_regions *past, sherd_error *error)
{
    sherd_grouping grouping;
    system->control.sought_at = sherd_system_time(system);
    sherd_status status = group(system, system, &grouping, error);
    if (status == SHERD_OK && grouping.count > 0) {
        status = divide_by(system, &grouping, past, error);
        if (system->points != NULL) postpone_division(system);
    } else if (status == SHERD_OK) {
        postpone_division(system);
        if (system->points != NULL) status = gather(system, past, error);
    }
    sherd_free(grouping.of);
    return status;
}

// ---------------------------------------------------------------- merging

// True if a region took implicit steps, which is the purpose of regions.
static bool were_profitable(const sherd_regions *regions)
{
    for (int r = 0; r < regions->count; ++r)
        if (regions->list[r].counts.implicit_steps > 0) return true;
    return false;
}

static void join_pace(sherd_system *whole)
{
    sherd_step_control *to = &whole->control;
    double limit = unit_of(whole), min_wait = FIRST_WAIT * limit;
    to->implicit_now = 0;
    to->losses = 0;
    to->last_sample = -INFINITY;
    to->explicit_until = sherd_system_time(whole);
    to->backoff = 0.0;
    for (int r = 0; r < whole->regions->count; ++r) {
        const sherd_step_control *from = &whole->regions->list[r].system.control;
        to->last_break = fmax(to->last_break, from->last_break);
        if (from->implicit_now) continue;
        to->explicit_until = fmax(to->explicit_until, from->explicit_until);
        to->backoff = fmax(to->backoff, from->backoff);
    }
    if (whole->regions->count == 1) return; // all elements that are not points
    bool worth = were_profitable(whole->regions);
    to->divide_wait =
        worth ? min_wait : fmin(2.0 * fmax(to->divide_wait, min_wait), LONGEST_WAIT * limit);
    to->divide_at = sherd_system_time(whole) + (worth ? 0.0 : to->divide_wait);
}

static sherd_status return_parts(sherd_system *whole, sherd_error *error)
{
    sherd_regions *regions = whole->regions;
    sherd_status status = SHERD_OK;
    if (whole->contacts != NULL)
        status = sherd_contacts_return(whole->contacts, regions->parts, regions->count, error);
    for (int r = 0; r < regions->count && status == SHERD_OK; ++r) {
        sherd_system *part = &regions->list[r].system;
        if (!part->sleep.enabled) continue;
        sherd_sleep_renew(part);
        status = sherd_sleep_return(part, whole, regions->list[r].member, error);
    }
    if (status == SHERD_OK)
        status =
            sherd_bond_blocks_refresh(&whole->blocks, &whole->bonds, &whole->elements, NULL, error);
    return status;
}

// The whole has the state and accounts already.
static sherd_status unite(sherd_system *whole, past_regions *past, sherd_error *error)
{
    sherd_regions *regions = whole->regions;
    sherd_status status = return_parts(whole, error);
    if (status != SHERD_OK) return status;
    join_pace(whole);
    sherd_verlet_energy_end(whole);
    whole->forces_valid = false;
    for (int r = 0; r < regions->count; ++r) {
        past->last_break[r] = regions->list[r].system.control.last_break;
        past->counts[r] = regions->list[r].counts;
        past->work[r] = regions->list[r].work;
    }
    past->of = regions->of;
    regions->of = NULL;
    sherd_regions_destroy(regions);
    whole->regions = NULL;
    return SHERD_OK;
}

sherd_status sherd_regions_divide(sherd_system *system, sherd_error *error)
{
    past_regions past = {.of = NULL};
    sherd_status status = SHERD_OK;
    if (system->regions != NULL) {
        status = unite(system, &past, error);
    } else {
        sherd_system_synchronize(system);
        sherd_sleep_update_poses(system);
    }
    if (status == SHERD_OK) status = divide(system, &past, error);
    sherd_free(past.of);
    return status;
}

sherd_status sherd_regions_redivide(sherd_system *system, sherd_error *error)
{
    past_regions past = {.of = NULL};
    sherd_status status = unite(system, &past, error);
    bool now = system->control.divide_at <= sherd_system_time(system);
    if (status == SHERD_OK && now)
        status = divide(system, &past, error);
    else if (status == SHERD_OK && system->points != NULL)
        status = gather(system, &past, error);
    sherd_free(past.of);
    return status;
}

sherd_status sherd_regions_unite(sherd_system *system, sherd_error *error)
{
    past_regions past = {.of = NULL};
    sherd_status status = unite(system, &past, error);
    if (status == SHERD_OK) postpone_division(system);
    if (status == SHERD_OK && system->points != NULL) status = gather(system, &past, error);
    sherd_free(past.of);
    return status;
}

sherd_status sherd_regions_would_leave(sherd_system *system, bool *leave, sherd_error *error)
{
    const sherd_system *near = &system->regions->list[0].system;
    double time = sherd_system_time(system);
    *leave = false;
    if (near->elements.count == 0 || time < system->control.divide_at) return SHERD_OK;
    sherd_grouping grouping;
    sherd_status status = group(system, near, &grouping, error);
    *leave = grouping.count > 0;
    sherd_free(grouping.of);
    if (!*leave) system->control.divide_at = time + LEAVING_INTERVAL * unit_of(system);
    return status;
}

// ---------------------------------------------------------------- division

sherd_element_index sherd_regions_asleep(const sherd_system *system)
{
    const sherd_regions *regions = system->regions;
    if (regions == NULL) return sherd_sleep_count(system);
    sherd_element_index count = 0;
    for (int r = 0; r < regions->count; ++r)
        count += sherd_sleep_count(&regions->list[r].system);
    return count;
}

// ---------------------------------------------------------------- saving

typedef struct regions_head {
    int64_t count, bodies, broken;
    double since;
} regions_head;

static const sherd_row_member HEAD[] = {
    SHERD_MEMBER(regions_head, count), SHERD_MEMBER(regions_head, bodies),
    SHERD_MEMBER(regions_head, broken), SHERD_MEMBER(regions_head, since)};
static const sherd_row_layout HEAD_LAYOUT = SHERD_ROW_LAYOUT(regions_head, HEAD);

static sherd_record_column region_of(const sherd_system *system, int32_t *of)
{
    return (sherd_record_column){"region_of", &sherd_rows_i32, of, (size_t)system->elements.count,
                                 0};
}

static sherd_status save_list(const sherd_regions *regions, sherd_byte_buffer *out,
                              sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int r = 0; r < regions->count && status == SHERD_OK; ++r) {
        size_t begun = sherd_record_begin(out, "region");
        sherd_record_write_one(out, "counts", &sherd_solver_counts_layout,
                               &regions->list[r].counts);
        status = sherd_system_save(&regions->list[r].system, out, error);
        sherd_record_end(out, begun);
    }
    return status;
}

sherd_status sherd_regions_save(const sherd_system *system, sherd_byte_buffer *out,
                                sherd_error *error)
{
    const sherd_regions *regions = system->regions;
    if (regions == NULL) return SHERD_OK;
    regions_head head = {
        .count = regions->count, .broken = regions->broken, .since = regions->since};
    for (int r = 0; r < regions->count; ++r)
        if (regions->list[r].has_bodies) head.bodies = r;
    sherd_record_column of = region_of(system, regions->of);
    size_t begun = sherd_record_begin(out, "regions");
    sherd_record_write_one(out, "head", &HEAD_LAYOUT, &head);
    sherd_record_write(out, &of);
    sherd_status status = save_list(regions, out, error);
    sherd_record_end(out, begun);
    return status;
}

static sherd_status fail_damaged(sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                      "is damaged: regions don't fit the world");
}

// Every region has members, and every element a region, except material points (grid/grid_part.h).
static bool is_valid(const sherd_grouping *grouping, sherd_element_index elements, bool points)
{
    int64_t seen[SHERD_MAX_REGIONS] = {0};
    for (sherd_element_index k = 0; k < elements; ++k) {
        if (grouping->of[k] < (points ? -1 : 0) || grouping->of[k] >= grouping->count) return false;
        if (grouping->of[k] >= 0) ++seen[grouping->of[k]];
    }
    for (int r = 0; r < grouping->count; ++r)
        if (seen[r] == 0 && !points) return false;
    return true;
}

static sherd_status read_grouping(sherd_system *system, const regions_head *head,
                                  sherd_grouping *grouping, sherd_record_reader *in,
                                  sherd_error *error)
{
    size_t n = (size_t)system->elements.count;
    *grouping = (sherd_grouping){.count = (int)head->count,
                                 .bodies = (int)head->bodies,
                                 .of = sherd_alloc(n, sizeof *grouping->of)};
    if (grouping->of == NULL) return sherd_fail_memory(error, "regions");
    sherd_record_column of = region_of(system, grouping->of);
    sherd_record_read(in, &of);
    if (in->status != SHERD_OK) return in->status;
    return is_valid(grouping, system->elements.count, system->points != NULL) ? SHERD_OK
                                                                              : fail_damaged(error);
}

static sherd_status restore_list(sherd_regions *regions, sherd_record_reader *in,
                                 sherd_error *error)
{
    for (int r = 0; r < regions->count; ++r) {
        sherd_time_region *region = &regions->list[r];
        sherd_record_reader part = sherd_record_enter(in, "region");
        sherd_record_read_one(&part, "counts", &sherd_solver_counts_layout, &region->counts);
        if (part.status == SHERD_OK)
            part.status = sherd_system_restore(&region->system, &part, error);
        sherd_status status = sherd_record_leave(&part);
        if (status != SHERD_OK) return status;
        region->system.path_limit = INFINITY;
    }
    return SHERD_OK;
}

static sherd_status restore(sherd_system *system, sherd_record_reader *in, sherd_error *error)
{
    regions_head head = {0};
    sherd_record_read_one(in, "head", &HEAD_LAYOUT, &head);
    if (in->status != SHERD_OK) return in->status;
    if (head.count < 1 || head.count > SHERD_MAX_REGIONS || head.bodies < 0 ||
        head.bodies >= head.count)
        return fail_damaged(error);
    sherd_grouping grouping;
    sherd_status status = read_grouping(system, &head, &grouping, in, error);
    if (status == SHERD_OK) status = sherd_regions_make(system, &grouping, error);
    sherd_free(grouping.of);
    if (status != SHERD_OK) return status;
    system->regions->since = head.since;
    system->regions->broken = head.broken;
    return restore_list(system->regions, in, error);
}

sherd_status sherd_regions_restore(sherd_system *system, sherd_record_reader *in,
                                   sherd_error *error)
{
    sherd_regions_destroy(system->regions);
    system->regions = NULL;
    if (!sherd_record_has(in, "regions")) return in->status;
    sherd_record_reader part = sherd_record_enter(in, "regions");
    if (part.status == SHERD_OK) part.status = restore(system, &part, error);
    return sherd_record_leave(&part);
}
