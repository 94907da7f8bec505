#include "stepping/system_state.h"

#include "base/error.h"
#include "base/memory.h"
#include "bodies/driver_surface.h"
#include "models/mpm/mpm_model.h"
#include "stepping/control/tunnelling_bound.h"
#include "stepping/control/vibration.h"
#include "stepping/grid/grid_coupling.h"
#include "stepping/implicit/implicit_step.h"
#include "stepping/regions/regions.h"
#include "stepping/sleep/rigid_sleep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- sizes

static const sherd_row_member STATE[] = {
    SHERD_MEMBER(sherd_system, step),
    SHERD_MEMBER(sherd_system, dt),
    SHERD_MEMBER(sherd_system, stable_dt),
    SHERD_ADDED_MEMBER(sherd_system, element_dt, 0.0),
    SHERD_MEMBER(sherd_system, path),
    SHERD_MEMBER(sherd_system, fastest),
    SHERD_MEMBER(sherd_system, farthest),
    SHERD_MEMBER(sherd_system, start_time),
    SHERD_MEMBER(sherd_system, start_step),
    SHERD_MEMBER(sherd_system, forces_valid),
    SHERD_NAMED_MEMBER(sherd_system, bonds.broken_count, "broken_bonds"),
    SHERD_NAMED_MEMBER(sherd_system, drivers.probe_steps, "probe_steps")};
static const sherd_row_layout STATE_LAYOUT = SHERD_ROW_LAYOUT(sherd_system, STATE);

static const sherd_row_member SPLIT[] = {SHERD_MEMBER(sherd_split, next_check),
                                         SHERD_MEMBER(sherd_split, ahead),
                                         SHERD_MEMBER(sherd_split, speed),
                                         SHERD_MEMBER(sherd_split, contact_part),
                                         SHERD_MEMBER(sherd_split, contact_until),
                                         SHERD_MEMBER(sherd_split, steps),
                                         SHERD_MEMBER(sherd_split, parts),
                                         SHERD_NAMED_MEMBER(sherd_split, max_substeps, "most"),
                                         SHERD_MEMBER(sherd_split, deepest),
                                         SHERD_MEMBER(sherd_split, part),
                                         SHERD_ADDED_MEMBER(sherd_split, part_dt, 0.0),
                                         SHERD_ADDED_MEMBER(sherd_split, parts_left, 0.0)};
const sherd_row_layout sherd_split_layout = SHERD_ROW_LAYOUT(sherd_split, SPLIT);

static const sherd_row_member ACCOUNTS[] = {
    SHERD_MEMBER(sherd_accounts, dissipated_bonds),
    SHERD_MEMBER(sherd_accounts, dissipated_fracture),
    SHERD_ADDED_MEMBER(sherd_accounts, dissipated_softening, 0.0),
    SHERD_MEMBER(sherd_accounts, driver_work),
    SHERD_MEMBER(sherd_accounts, integration),
    SHERD_MEMBER(sherd_accounts, elastic),
    SHERD_NAMED_MEMBER(sherd_accounts, verlet_offset_start, "swing_start"),
    SHERD_NAMED_MEMBER(sherd_accounts, verlet_steps, "swings"),
    SHERD_NAMED_MEMBER(sherd_accounts, damping.accounted, "damping.booked"),
    SHERD_MEMBER(sherd_accounts, damping.total),
    SHERD_ADDED_MEMBER(sherd_accounts, damping.steps, 0.0),
    SHERD_MEMBER(sherd_accounts, damping.kicked),
    SHERD_ADDED_MEMBER(sherd_accounts, damping.seen_sum, 0.0),
    SHERD_ADDED_MEMBER(sherd_accounts, damping.kicked_sum, 0.0),
    SHERD_ADDED_MEMBER(sherd_accounts, damping.level, 0.0)};
const sherd_row_layout sherd_accounts_layout = SHERD_ROW_LAYOUT(sherd_accounts, ACCOUNTS);

static const sherd_row_member COUNTS[] = {
    SHERD_MEMBER(sherd_solver_counts, explicit_steps),
    SHERD_MEMBER(sherd_solver_counts, implicit_steps),
    SHERD_MEMBER(sherd_solver_counts, newton_iterations),
    SHERD_MEMBER(sherd_solver_counts, linear_iterations),
    SHERD_MEMBER(sherd_solver_counts, rejected_steps),
    SHERD_MEMBER(sherd_solver_counts, switches),
    SHERD_MEMBER(sherd_solver_counts, divisions),
    SHERD_MEMBER(sherd_solver_counts, unsettled_steps),
    SHERD_ADDED_MEMBER(sherd_solver_counts, asleep_steps, 0.0)};
const sherd_row_layout sherd_solver_counts_layout = SHERD_ROW_LAYOUT(sherd_solver_counts, COUNTS);

static const sherd_row_member CONTROL[] = {
    SHERD_MEMBER(sherd_step_control, implicit_now),
    SHERD_MEMBER(sherd_step_control, begun),
    SHERD_MEMBER(sherd_step_control, next_dt),
    SHERD_MEMBER(sherd_step_control, last_dt),
    SHERD_MEMBER(sherd_step_control, last_break),
    SHERD_MEMBER(sherd_step_control, explicit_until),
    SHERD_MEMBER(sherd_step_control, danger_by),
    SHERD_MEMBER(sherd_step_control, backoff),
    SHERD_MEMBER(sherd_step_control, stop),
    SHERD_MEMBER(sherd_step_control, interval),
    SHERD_MEMBER(sherd_step_control, losses),
    SHERD_MEMBER(sherd_step_control, paid),
    SHERD_MEMBER(sherd_step_control, cost),
    SHERD_MEMBER(sherd_step_control, last_sample),
    SHERD_MEMBER(sherd_step_control, divide_at),
    SHERD_MEMBER(sherd_step_control, divide_wait),
    SHERD_MEMBER(sherd_step_control, sought_at),
    SHERD_MEMBER(sherd_step_control, ring_power),
    SHERD_MEMBER(sherd_step_control, tumbling),
    SHERD_MEMBER(sherd_step_control, ring_stress),
    SHERD_NAMED_MEMBER(sherd_step_control, ring_check, "ring_look"),
    SHERD_MEMBER(sherd_step_control, ring_wait),
    SHERD_MEMBER(sherd_step_control, ring_dt),
    SHERD_MEMBER(sherd_step_control, sleep_check),
    SHERD_MEMBER(sherd_step_control, ring_unchecked),
    SHERD_MEMBER(sherd_step_control, counts.explicit_steps),
    SHERD_MEMBER(sherd_step_control, counts.implicit_steps),
    SHERD_MEMBER(sherd_step_control, counts.newton_iterations),
    SHERD_MEMBER(sherd_step_control, counts.linear_iterations),
    SHERD_MEMBER(sherd_step_control, counts.rejected_steps),
    SHERD_MEMBER(sherd_step_control, counts.switches),
    SHERD_MEMBER(sherd_step_control, counts.divisions),
    SHERD_MEMBER(sherd_step_control, counts.unsettled_steps),
    SHERD_ADDED_MEMBER(sherd_step_control, counts.asleep_steps, 0.0)};
const sherd_row_layout sherd_step_control_layout = SHERD_ROW_LAYOUT(sherd_step_control, CONTROL);

static const sherd_row_member DRIVER[] = {
    SHERD_NAMED_MEMBER(sherd_driver, sum.force, "force_sum"),
    SHERD_NAMED_MEMBER(sherd_driver, sum.torque, "torque_sum"),
    SHERD_ADDED_MEMBER(sherd_driver, range.least.force, 0.0),
    SHERD_ADDED_MEMBER(sherd_driver, range.least.torque, 0.0),
    SHERD_ADDED_MEMBER(sherd_driver, range.largest.force, 0.0),
    SHERD_ADDED_MEMBER(sherd_driver, range.largest.torque, 0.0)};
static const sherd_row_layout DRIVER_LAYOUT = SHERD_ROW_LAYOUT(sherd_driver, DRIVER);

static sherd_record_column drivers_of(const sherd_system *s)
{
    return (sherd_record_column){"drivers", &DRIVER_LAYOUT, s->drivers.drivers,
                                 (size_t)s->drivers.count, 0};
}

// Forces on surfaces by the last step: the work of the next one includes them.
static bool surface_of(const sherd_system *s, int d, char name[32], sherd_record_column *column)
{
    const sherd_driver *driver = &s->drivers.drivers[d];
    if (driver->surface == NULL) return false;
    snprintf(name, 32, "surface_force_%d", d);
    *column = (sherd_record_column){name, &sherd_rows_vec3, driver->surface->pushed,
                                    (size_t)driver->count, 0};
    return true;
}

static void save_surfaces(const sherd_system *s, sherd_byte_buffer *out)
{
    char name[32];
    sherd_record_column column;
    for (int d = 0; d < s->drivers.count; ++d)
        if (surface_of(s, d, name, &column)) sherd_record_write(out, &column);
}

static void restore_surfaces(const sherd_system *s, sherd_record_reader *in)
{
    char name[32];
    sherd_record_column column;
    for (int d = 0; d < s->drivers.count; ++d)
        if (surface_of(s, d, name, &column)) sherd_record_read(in, &column);
}

// ---------------------------------------------------------------- saving

sherd_status sherd_system_save(const sherd_system *s, sherd_byte_buffer *out, sherd_error *error)
{
    size_t begun = sherd_record_begin(out, "system");
    sherd_record_write_one(out, "state", &STATE_LAYOUT, s);
    sherd_record_write_one(out, "split", &sherd_split_layout, &s->split);
    sherd_record_write_one(out, "accounts", &sherd_accounts_layout, &s->accounts);
    sherd_record_write_one(out, "control", &sherd_step_control_layout, &s->control);
    sherd_system_models state;
    sherd_status status = sherd_models_save(sherd_system_models_of(&state, s), out, error);
    sherd_record_column drivers = drivers_of(s);
    sherd_record_write(out, &drivers);
    save_surfaces(s, out);
    if (s->contacts != NULL && status == SHERD_OK)
        status = sherd_contacts_save(s->contacts, out, error);
    if (s->sleep.enabled) sherd_sleep_save(s, out);
    if (s->implicit != NULL) sherd_implicit_save(s->implicit, out);
    sherd_ringing_save(s, out);
    sherd_break_log_save(&s->breaks, out);
    sherd_record_end(out, begun);
    return status == SHERD_OK && out->failed ? sherd_fail_memory(error, "checkpoint") : status;
}

// ---------------------------------------------------------------- restoring

// Steps are counted from 0, and their number must fit into a double.
static bool counts_are_sound(const sherd_system *saved)
{
    const int64_t max_count = INT64_C(1) << 53;
    return saved->step >= 0 && saved->step <= max_count && saved->start_step >= 0 &&
           saved->start_step <= saved->step && saved->bonds.broken_count >= 0 &&
           saved->bonds.broken_count <= saved->bonds.count;
}

// Steps have a positive length, unknown before the first; without bonds there is no limit.
static bool times_are_sound(const sherd_system *saved)
{
    return isfinite(saved->dt) && saved->dt >= 0.0 && saved->stable_dt >= 0.0 &&
           isfinite(saved->start_time) && saved->start_time >= 0.0;
}

// Previous versions had none with material points.
static bool sleep_fits(const sherd_system *s, sherd_record_reader *in)
{
    bool has = sherd_record_has(in, "sleep");
    return has == s->sleep.enabled || (!has && s->points != NULL);
}

static sherd_status check_owner(const sherd_system *s, sherd_record_reader *in, sherd_error *error)
{
    size_t drivers = sherd_record_rows(in, "drivers");
    if (in->status != SHERD_OK) return in->status;
    if (drivers == (size_t)s->drivers.count &&
        sherd_record_has(in, "contacts") == (s->contacts != NULL) && sleep_fits(s, in))
        return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint",
                      "resume with the scene, variant and settings it was started with",
                      "belongs to another scene: %lld drivers, not %d, or contact or sleep is "
                      "switched otherwise",
                      (long long)drivers, s->drivers.count);
}

// Restores the structs into a copy of the system, to check them before they are used.
static sherd_status read_structs(sherd_system *saved, sherd_record_reader *in, sherd_error *error)
{
    sherd_record_read_one(in, "state", &STATE_LAYOUT, saved);
    sherd_record_read_one(in, "split", &sherd_split_layout, &saved->split);
    sherd_record_read_one(in, "accounts", &sherd_accounts_layout, &saved->accounts);
    sherd_record_read_one(in, "control", &sherd_step_control_layout, &saved->control);
    if (in->status != SHERD_OK) return in->status;
    if (counts_are_sound(saved) && times_are_sound(saved)) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                      "is damaged or from another version of Sherd");
}

static void apply_structs(sherd_system *s, const sherd_system *saved)
{
    sherd_row_copy(&STATE_LAYOUT, s, saved);
    s->split = saved->split;
    s->accounts = saved->accounts;
    s->control = saved->control;
    for (size_t c = 0; c < s->chunk_count; ++c)
        s->chunks[c].kick_due = false;
}

static sherd_status restore_implicit(sherd_system *s, sherd_record_reader *in, sherd_error *error)
{
    if (sherd_record_has(in, "implicit")) return sherd_system_restore_implicit(s, in, error);
    sherd_implicit_destroy(s->implicit);
    s->implicit = NULL;
    return SHERD_OK;
}

// Bonds, and glue of material points.
static int64_t count_breakable(const sherd_system *s)
{
    return s->bonds.count + (s->points != NULL ? (int64_t)s->points->m.glue.count : 0);
}

static sherd_status restore_parts(sherd_system *s, sherd_record_reader *in, sherd_error *error)
{
    sherd_system saved = *s;
    sherd_system_models state;
    sherd_status status = check_owner(s, in, error);
    if (status == SHERD_OK)
        status = sherd_models_restore(sherd_system_models_of(&state, s), in, error);
    if (status == SHERD_OK) status = read_structs(&saved, in, error);
    if (status != SHERD_OK) return status;
    sherd_record_column drivers = drivers_of(s);
    sherd_record_read(in, &drivers);
    restore_surfaces(s, in);
    sherd_drivers_restored(&s->drivers);
    if (s->contacts != NULL && status == SHERD_OK)
        status = sherd_contacts_restore(s->contacts, in, error);
    if (s->sleep.enabled && sherd_record_has(in, "sleep") && status == SHERD_OK)
        status = sherd_sleep_restore(s, in, error);
    if (status == SHERD_OK) status = restore_implicit(s, in, error);
    if (status == SHERD_OK) status = in->status;
    if (status != SHERD_OK) return status;
    apply_structs(s, &saved);
    status = sherd_break_log_restore(&s->breaks, count_breakable(s), in, error);
    return status == SHERD_OK ? sherd_ringing_restore(s, in, error) : status;
}

sherd_status sherd_system_restore(sherd_system *s, sherd_record_reader *in, sherd_error *error)
{
    sherd_tunnelling_scratch_forget(s->tunnelling);
    sherd_record_reader part = sherd_record_enter(in, "system");
    if (part.status == SHERD_OK) part.status = restore_parts(s, &part, error);
    return sherd_record_leave(&part);
}

void sherd_system_free(sherd_system *s)
{
    sherd_regions_destroy(s->regions);
    sherd_grid_coupling_destroy(s->coupling);
    sherd_elements_free(&s->elements);
    sherd_bonds_free(&s->bonds);
    sherd_point_bodies_destroy(s->points);
    sherd_fem_destroy(s->fem);
    sherd_bond_blocks_free(&s->blocks);
    sherd_adjacency_free(&s->adjacency);
    sherd_drivers_free(&s->drivers);
    sherd_sleep_free(&s->sleep);
    sherd_implicit_destroy(s->implicit);
    sherd_ringing_destroy(s->ringing);
    sherd_tunnelling_scratch_destroy(s->tunnelling);
    if (s->contacts != NULL) sherd_contacts_destroy(s->contacts);
    sherd_crack_faces_free(&s->faces);
    sherd_free(s->chunks);
    sherd_free(s->moves);
    sherd_free(s->breaking);
    sherd_free(s->changed);
    sherd_break_log_free(&s->breaks);
}

void sherd_system_add_memory(const sherd_system *s, sherd_memory_use *use)
{
    size_t n = (size_t)s->elements.count;
    use->elements +=
        sherd_elements_bytes(&s->elements) + n * sizeof *s->adjacency.start + sherd_sleep_bytes(s);
    use->bonds += sherd_bonds_bytes(&s->bonds) +
                  2 * (size_t)s->bonds.count * sizeof *s->adjacency.bond +
                  sherd_bond_blocks_bytes(&s->blocks) + s->breaks.capacity * sizeof *s->breaks.list;
    use->elements += sherd_point_bodies_bytes(s->points) + sherd_fem_bytes(s->fem);
    if (s->contacts != NULL) use->contacts += sherd_contacts_bytes(s->contacts);
    use->contacts += sherd_crack_faces_bytes(&s->faces);
    if (s->implicit != NULL) use->implicit += sherd_implicit_bytes(s->implicit);
    use->implicit += sherd_ringing_bytes(s->ringing);
    use->implicit += sherd_tunnelling_scratch_bytes(s->tunnelling);
    if (s->regions == NULL) return;
    use->elements += n * (sizeof *s->regions->of + sizeof *s->regions->list->member);
    for (int r = 0; r < s->regions->count; ++r)
        sherd_system_add_memory(&s->regions->list[r].system, use);
}

sherd_models sherd_system_models_of(sherd_system_models *models, const sherd_system *system)
{
    sherd_system *s = (sherd_system *)(uintptr_t)system;
    if (s->points != NULL) sherd_point_bodies_update_elements(s->points, &s->elements);
    models->bonded =
        (sherd_bonded){&s->elements, &s->bonds, &s->blocks, &s->adjacency, s->kernel, s->parallel};
    models->part[0] = (sherd_model_part){&sherd_model_bonded, &models->bonded};
    models->points = (sherd_mpm_model_state){s->points, &models->bonded};
    if (s->points != NULL) models->part[0] = (sherd_model_part){&sherd_model_mpm, &models->points};
    models->fem = (sherd_fem_model_state){s->fem, &models->bonded};
    if (s->fem != NULL) models->part[0] = (sherd_model_part){&sherd_model_fem, &models->fem};
    return (sherd_models){models->part, SHERD_SYSTEM_MODELS};
}
