// Velocity Verlet for positions and orientations.                       [BDEM21] Algorithm 1
//
//   v, w   half a kick from F(t), T(t)              lines 6, 7
//   p, q   drift                                    lines 8-10
//          obstacles and driven regions move on
//   F, T   bonds (checking breakage), contacts      lines 11-17; damping sees the half-step v, w
//          bonds that have reached a strength from which they soften begin to (break_step.h), those that
//          take time to break are damaged (bond_pass.h)
//   v, w   the other half kick                      lines 18, 19
//          bonds found broken leave, so that their loads act up to this moment and not after it (break_step.h)
// The second half kick is postponed to the next step's first, which needs the same F, T: elements
// are then read and written once. Velocities at the end of a step need sherd_system_synchronize first.
// Sleeping bodies (rigid_sleep.h) are skipped until something is near them.
//
// Gravity is an acceleration and not part of F.
#include "base/assertion.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_part.h"
#include "math/vec3.h"
#include "models/bonded/storage/bond_pass.h"
#include "stepping/driven_surfaces.h"
#include "stepping/explicit/break_step.h"
#include "stepping/explicit/damping_work.h"
#include "stepping/explicit/integrate_kernel.h"
#include "stepping/explicit/verlet_energy_offset.h"
#include "stepping/sleep/rigid_sleep.h"
#include "stepping/system_state.h"

#include <stdio.h>
#include <string.h>

// The ends of a bond must not move relative to each other by its length in one step: only an
// unstable simulation does that. A single element that is fast or spins fast is not unstable, and
// substeps resolve its contacts (substeps.h). Bonds of elements slower than the smaller of these
// bounds are not checked.
static const double MAX_STRAIN_RADII = 2.0;
static const double MAX_RADII_PER_STEP = 0.5;

typedef struct integration {
    sherd_integration step;
    sherd_kick_and_drift_function *kick_and_drift;
    sherd_kick_function *kick;
    sherd_step_chunk *chunks;
    size_t length; // of a chunk
} integration;

static void pick_kernels(integration *in)
{
    sherd_simd level = sherd_cpu_level();
    in->kick_and_drift = SHERD_KERNEL_AT(level, sherd_kick_and_drift);
    in->kick = SHERD_KERNEL_AT(level, sherd_kick);
}

static bool all_asleep(const integration *in, size_t begin, size_t end)
{
    return memchr(in->step.e->asleep + begin, 0, end - begin) == NULL;
}

static void kick_and_drift(void *context, size_t begin, size_t end)
{
    const integration *in = context;
    sherd_step_chunk *chunk = &in->chunks[begin / in->length];
    chunk->drift = (sherd_drift){.bad = -1};
    if (all_asleep(in, begin, end)) return;
    int kicks = chunk->kick_due ? 2 : 1;
    chunk->kick_due = false;
    chunk->drift = in->kick_and_drift(&in->step, kicks, chunk->alike, (sherd_element_index)begin,
                                      (sherd_element_index)end);
}

static void kick(void *context, size_t begin, size_t end)
{
    const integration *in = context;
    sherd_step_chunk *chunk = &in->chunks[begin / in->length];
    if (!chunk->kick_due) return;
    chunk->kick_due = false;
    if (!all_asleep(in, begin, end))
        in->kick(&in->step, (sherd_element_index)begin, (sherd_element_index)end);
}

static integration integration_of(sherd_system *system)
{
    integration in = {
        .step = {&system->elements, system->gravity, system->dt, MAX_RADII_PER_STEP,
                 system->contacts != NULL ? sherd_contacts_drift(system->contacts)
                                          : (sherd_vec3){0}},
        .chunks = system->chunks,
        .length = system->chunk_length,
    };
    pick_kernels(&in);
    return in;
}

void sherd_system_synchronize(sherd_system *system)
{
    integration in = integration_of(system);
    sherd_parallel_for(&system->parallel, (size_t)system->elements.count, in.length, kick, &in);
}

void sherd_system_synchronize_element(sherd_system *system, sherd_element_index k)
{
    SHERD_ASSERT(k >= 0 && k < system->elements.count, "the element is one of the system");
    integration in = integration_of(system);
    size_t begin = (size_t)k / in.length * in.length, end = begin + in.length,
           count = (size_t)system->elements.count;
    kick(&in, begin, end < count ? end : count);
}

// ---------------------------------------------------------------- instability

// Largest speed of an element and its rim relative to elements that it is bonded to [m/s]; NaN if a
// velocity is.
static double fastest_strain(const sherd_system *system, sherd_element_index k)
{
    const sherd_elements *e = &system->elements;
    const sherd_adjacency *a = &system->adjacency;
    sherd_vec3 v = sherd_element_velocity(e, k), w = sherd_element_spin(e, k);
    double fastest = 0.0 * (vec3_dot(v, v) + vec3_dot(w, w));
    for (uint32_t at = a->start[k]; at < a->start[k + 1]; ++at) {
        uint32_t bond = a->bond[at];
        if (system->bonds.broken[bond]) continue;
        sherd_element_index other =
            system->bonds.i[bond] == k ? system->bonds.j[bond] : system->bonds.i[bond];
        double speed = vec3_distance(v, sherd_element_velocity(e, other)),
               rim = sherd_element_radius(e, k) * vec3_distance(w, sherd_element_spin(e, other));
        if (!(speed <= fastest)) fastest = speed;
        if (!(rim <= fastest)) fastest = rim;
    }
    return fastest;
}

static bool is_unstable(const sherd_system *system, sherd_element_index k)
{
    double max_change = MAX_STRAIN_RADII * sherd_element_radius(&system->elements, k);
    return !(fastest_strain(system, k) * system->dt < max_change);
}

static sherd_status report_instability(const sherd_system *system, sherd_element_index k,
                                       sherd_error *error)
{
    const sherd_elements *e = &system->elements;
    double speed = vec3_length(sherd_element_velocity(e, k));
    char where[SHERD_ERROR_TEXT_SIZE];
    snprintf(where, sizeof where, "element %d at (%g, %g, %g) m, step %lld, time %g s",
             sherd_element_number(e, k), e->px[k], e->py[k], e->pz[k], (long long)system->step,
             sherd_system_time(system));
    if (system->stable_dt > 0.0 && system->dt > system->stable_dt)
        return sherd_fail(
            error, SHERD_ERROR_UNSTABLE, where,
            "remove time_step to have it chosen, or make it smaller than the limit",
            "the motion blew up: the time step %g s is above the stability limit %g s", system->dt,
            system->stable_dt);
    if (isfinite(speed))
        return sherd_fail(error, SHERD_ERROR_UNSTABLE, where,
                          "use a smaller time step (solver.safety) or check speeds and stiffness",
                          "moves %g radii against its bonded neighbours in one step, at %g m/s: "
                          "too fast for the time step %g s",
                          fastest_strain(system, k) * system->dt / sherd_element_radius(e, k),
                          speed, system->dt);
    return sherd_fail(error, SHERD_ERROR_UNSTABLE, where,
                      "use a smaller time step and check the material's constants",
                      "the motion is not a number any more; the time step is %g s", system->dt);
}

static sherd_status check_stability(const sherd_system *system, sherd_error *error)
{
    for (size_t c = 0; c < system->chunk_count; ++c)
        if (system->chunks[c].drift.bad >= 0 && is_unstable(system, system->chunks[c].drift.bad))
            return report_instability(system, system->chunks[c].drift.bad, error);
    return SHERD_OK;
}

// ---------------------------------------------------------------- forces

// Steps of fewer elements are not timed: reading the clock would take a percent of them.
enum { FEWEST_TIMED = 512 };

static double lap(const sherd_system *system, double *since)
{
    return system->elements.count < FEWEST_TIMED ? 0.0 : sherd_clock_lap(since);
}

static sherd_status search(sherd_system *system, int64_t step, double dt, sherd_error *error)
{
    sherd_sleep_advance(system, step);
    sherd_bond_adjacency bonded = {system->adjacency.start, system->adjacency.bond, system->bonds.i,
                                   system->bonds.j, system->bonds.broken};
    sherd_status status =
        sherd_contacts_prepare(system->contacts, &system->elements.points, &bonded, error);
    return status == SHERD_OK ? sherd_sleep_wake_near(system, 0.5 * dt, error) : status;
}

// Updates neighbour lists at step `step`; sleepers near something wake.
static sherd_status prepare_contacts(sherd_system *system, int64_t step, double dt,
                                     sherd_error *error)
{
    if (system->contacts == NULL) return SHERD_OK;
    double since = 0.0;
    lap(system, &since);
    sherd_status status = search(system, step, dt, error);
    system->times.search += lap(system, &since);
    return status;
}

static void set_loads(sherd_system *system, const sherd_point_advance *advance)
{
    sherd_system_models state;
    sherd_models_set_loads(sherd_system_models_of(&state, system), advance);
}

// Softening bonds open according to their strain at the end of this step.
static void open_and_set_loads(sherd_system *system, const sherd_point_advance *advance)
{
    system->blocks.opening_dt = system->dt;
    set_loads(system, advance);
    system->blocks.opening_dt = 0.0;
}

static void apply_contacts(sherd_system *system, double dt)
{
    if (system->contacts != NULL)
        sherd_contacts_apply(system->contacts, &system->elements.points, dt, system->gravity);
}

static double damping_power(const sherd_system *system)
{
    sherd_system_models state;
    return sherd_models_damping_power(sherd_system_models_of(&state, system));
}

// ---------------------------------------------------------------- the step

static bool alike(const sherd_elements *e, size_t begin, size_t end)
{
    for (size_t k = begin + 1; k < end; ++k)
        if (sherd_element_radius(e, k) != sherd_element_radius(e, begin) ||
            sherd_element_mass(e, k) != sherd_element_mass(e, begin))
            return false;
    return true;
}

// A whole number of them is a block.
static size_t chunk_length(const sherd_bond_blocks *blocks)
{
    size_t block = (size_t)blocks->length;
    return blocks->count > 1 ? block * SHERD_SYSTEM_CHUNK / SHERD_BLOCK_ELEMENTS
                             : SHERD_SYSTEM_CHUNK;
}

sherd_status sherd_system_prepare(sherd_system *system, sherd_error *error)
{
    size_t count = (size_t)system->elements.count, length = chunk_length(&system->blocks);
    size_t chunks = (count + length - 1) / length;
    system->chunks = sherd_alloc(chunks, sizeof *system->chunks);
    system->moves = sherd_alloc(chunks, sizeof *system->moves);
    if (system->chunks == NULL || system->moves == NULL)
        return sherd_fail_memory(error, "elements");
    system->chunk_length = length;
    system->chunk_count = chunks;
    system->smallest = INFINITY;
    for (sherd_element_index k = 0; k < system->elements.count; ++k) {
        double radius = sherd_element_radius(&system->elements, k);
        system->smallest = fmin(system->smallest, radius);
        system->largest = fmax(system->largest, radius);
    }
    for (size_t c = 0; c < chunks; ++c) {
        size_t end = (c + 1) * length;
        system->chunks[c].alike = alike(&system->elements, c * length, end < count ? end : count);
    }
    return SHERD_OK;
}

// Loads of the first state, or after a change from outside.
static sherd_status start_forces(sherd_system *system, sherd_error *error)
{
    sherd_status status = prepare_contacts(system, system->step, 0.0, error);
    if (status != SHERD_OK) return status;
    set_loads(system, NULL);
    apply_contacts(system, 0.0);
    status = sherd_system_expose_surfaces(system, error);
    if (status != SHERD_OK) return status;
    sherd_drivers_push(&system->drivers, &system->elements.points, sherd_system_time(system), 0.0);
    system->forces_valid = true;
    system->fastest = system->farthest = INFINITY;
    sherd_verlet_energy_begin(system);
    return SHERD_OK;
}

// True if bonds may be computed while elements drift: nothing else changes elements in between,
// except bodies that wake.
static bool can_fuse(const sherd_system *system)
{
    return sherd_drivers_rest(&system->drivers, &system->elements.points);
}

static void advance(void *context, size_t begin, size_t end)
{
    size_t length = ((const integration *)context)->length;
    for (size_t at = begin; at < end; at += length)
        kick_and_drift(context, at, at + length < end ? at + length : end);
}

// Sleepers move relative to the frame at rest.
static void note_speeds(sherd_system *system)
{
    double fastest2 = 0.0, farthest2 = 0.0, asleep = sherd_sleep_fastest(system);
    for (size_t c = 0; c < system->chunk_count; ++c) {
        fastest2 = fmax(fastest2, system->chunks[c].drift.fastest2);
        farthest2 = fmax(farthest2, system->chunks[c].drift.farthest2);
    }
    double drift = system->contacts != NULL && system->sleep.sleepers.count > 0
                       ? vec3_length(sherd_contacts_drift(system->contacts))
                       : 0.0;
    system->fastest = fmax(sqrt(fastest2), asleep);
    system->farthest = fmax(sqrt(farthest2), asleep + drift);
}

// Upper bound of the drift of elements [m].
static double farthest_drift(const sherd_system *system)
{
    double fastest2 = 0.0;
    for (size_t c = 0; c < system->chunk_count; ++c)
        fastest2 = fmax(fastest2, system->chunks[c].drift.fastest2);
    return system->dt * sqrt(fastest2);
}

// The same including sleepers and free bodies.
static double farthest_move(const sherd_system *system)
{
    double fastest = system->contacts != NULL ? sherd_contacts_fastest_body(system->contacts) : 0.0;
    fastest = fmax(fastest, sherd_sleep_fastest(system));
    return fmax(farthest_drift(system), system->dt * fastest);
}

static void note_moves(sherd_system *system, const integration *in, bool driven)
{
    if (system->contacts == NULL) return;
    for (size_t c = 0; c < system->chunk_count; ++c)
        system->moves[c] = system->dt * sqrt(system->chunks[c].drift.farthest2);
    if (driven) // after drivers have moved theirs
        sherd_drivers_note_moves(&system->drivers, &system->elements.points, in->step.frame,
                                 system->dt, system->chunk_length, system->moves);
    sherd_contacts_moved(system->contacts,
                         &(sherd_contact_moves){system->moves, system->chunk_length});
}

static sherd_status drift_and_bond_fused(sherd_system *system, integration *in, sherd_error *error)
{
    open_and_set_loads(system, &(sherd_point_advance){&system->elements.points, advance, in});
    sherd_status status = check_stability(system, error);
    if (status != SHERD_OK) return status;
    note_moves(system, in, false);
    int32_t sleepers = system->sleep.sleepers.count;
    status = prepare_contacts(system, system->step + 1, system->dt, error);
    // Elements that woke have no loads of their bonds yet. This is rare, so all loads are computed
    // again.
    if (status == SHERD_OK && system->sleep.sleepers.count < sleepers) set_loads(system, NULL);
    return status;
}

static sherd_status drift_and_bond(sherd_system *system, integration *in, double time,
                                   sherd_error *error)
{
    sherd_elements *e = &system->elements;
    sherd_parallel_for(&system->parallel, (size_t)e->count, in->length, kick_and_drift, in);
    sherd_status status = check_stability(system, error);
    if (status != SHERD_OK) return status;
    system->accounts.driver_work +=
        sherd_drivers_move(&system->drivers, &e->points, time, system->dt, system->gravity);
    note_moves(system, in, true);
    status = prepare_contacts(system, system->step + 1, system->dt, error);
    if (status == SHERD_OK) open_and_set_loads(system, NULL);
    return status;
}

sherd_status sherd_system_update_forces(sherd_system *system, sherd_error *error)
{
    return system->forces_valid ? SHERD_OK : start_forces(system, error);
}

sherd_status sherd_system_step_explicit(sherd_system *system, sherd_error *error)
{
    sherd_status status = sherd_system_update_forces(system, error);
    if (status != SHERD_OK) return status;
    integration in = integration_of(system);
    double dt = system->dt, since = 0.0, searched = system->times.search,
           time = system->start_time + (double)(system->step + 1 - system->start_step) * dt;
    lap(system, &since);
    if (system->contacts != NULL)
        sherd_contacts_move_obstacles(system->contacts, time, dt, system->gravity);
    status = can_fuse(system) ? drift_and_bond_fused(system, &in, error)
                              : drift_and_bond(system, &in, time, error);
    if (status != SHERD_OK) return status;
    sherd_system_soften(system, dt);
    note_speeds(system);
    if (system->is_part) system->path += farthest_move(system);
    system->times.bonds += lap(system, &since) - (system->times.search - searched);
    apply_contacts(system, dt);
    system->times.contact += lap(system, &since);
    sherd_elements *e = &system->elements;
    double weight = system->split.part > 0.0 ? system->split.part : 1.0;
    double work = sherd_drivers_settle(&system->drivers, &e->points, dt, weight, system->gravity);
    status = sherd_system_expose_surfaces(system, error);
    if (status != SHERD_OK) return status;
    work += sherd_drivers_push(&system->drivers, &e->points, time, dt);

    for (size_t c = 0; c < system->chunk_count; ++c)
        system->chunks[c].kick_due = true;
    system->accounts.driver_work += work;
    sherd_overstress_advance(&system->blocks, &system->bonds, e, &system->parallel, dt);
    status = sherd_system_break_bonds(system, time, error);
    sherd_system_account_damping(system, damping_power(system));
    ++system->step;
    system->times.bonds += lap(system, &since);
    return status;
}
