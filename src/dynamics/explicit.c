// Velocity Verlet for positions and orientations.                       [BDEM21] Algorithm 1
//
//   v, w   half a kick from F(t), T(t)              lines 6, 7
//   p, q   drift                                    lines 8-10
//          obstacles and driven regions move on
//   F, T   bonds (checking breakage), contacts      lines 11-17; damping sees the half-step v, w
//   v, w   the other half kick                      lines 18, 19
//          bonds found broken leave: their energy is booked as dissipated and their force taken
//          out of F, T, so that it acts up to this moment and not after it
// Bodies that are asleep (rigid_sleep.h) take no part until something is near them.
//
// Gravity is an acceleration and not part of F.
#include "base/cpu.h"
#include "base/error.h"
#include "dynamics/integrate_kernel.h"
#include "dynamics/system.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

enum { CHUNK = SHERD_SYSTEM_CHUNK };

// An element must not cross half its radius in one step: contacts would be missed, and only a
// simulation that has blown up gets there.
static const double MOST_RADII_PER_STEP = 0.5;

typedef struct integration {
    sherd_integration step;
    sherd_kick_and_drift_function *kick_and_drift;
    sherd_kick_function *kick;
    sherd_element_index *bad; // first element in trouble per chunk, or -1
} integration;

static void pick_kernels(integration *in)
{
    switch (sherd_cpu_level()) {
#if defined(SHERD_CPU_X86)
    case SHERD_CPU_AVX512:
        in->kick_and_drift = sherd_kick_and_drift_avx512, in->kick = sherd_kick_avx512;
        return;
    case SHERD_CPU_AVX2:
        in->kick_and_drift = sherd_kick_and_drift_avx2, in->kick = sherd_kick_avx2;
        return;
#endif
    default:
        in->kick_and_drift = sherd_kick_and_drift_baseline, in->kick = sherd_kick_baseline;
    }
}

static bool all_asleep(const integration *in, size_t begin, size_t end)
{
    return memchr(in->step.e->asleep + begin, 0, end - begin) == NULL;
}

static void kick_and_drift(void *context, size_t begin, size_t end)
{
    const integration *in = context;
    in->bad[begin / CHUNK] = -1;
    if (all_asleep(in, begin, end)) return;
    in->bad[begin / CHUNK] =
        in->kick_and_drift(&in->step, (sherd_element_index)begin, (sherd_element_index)end);
}

static void kick(void *context, size_t begin, size_t end)
{
    const integration *in = context;
    if (all_asleep(in, begin, end)) return;
    in->kick(&in->step, (sherd_element_index)begin, (sherd_element_index)end);
}

// ---------------------------------------------------------------- trouble

static sherd_status report_trouble(const sherd_system *system, sherd_element_index k,
                                   sherd_error *error)
{
    const sherd_elements *e = &system->elements;
    double speed = vec3_length(sherd_element_velocity(e, k));
    char where[SHERD_ERROR_TEXT_SIZE];
    snprintf(where, sizeof where, "element %d at (%g, %g, %g) m, step %lld, time %g s", k, e->px[k],
             e->py[k], e->pz[k], (long long)system->step, (double)system->step * system->dt);
    if (system->stable_dt > 0.0 && system->dt > system->stable_dt)
        return sherd_fail(
            error, SHERD_ERROR_UNSTABLE, where,
            "remove time_step to have it chosen, or make it smaller than the limit",
            "the motion blew up: the time step %g s is above the stability limit %g s", system->dt,
            system->stable_dt);
    if (isfinite(speed))
        return sherd_fail(error, SHERD_ERROR_UNSTABLE, where,
                          "use a smaller time step (solver.safety) or check speeds and stiffness",
                          "moves %g radii in one step at %g m/s: too fast for the time step %g s",
                          speed * system->dt / e->radius[k], speed, system->dt);
    return sherd_fail(error, SHERD_ERROR_UNSTABLE, where,
                      "use a smaller time step and check the material's constants",
                      "the motion is not a number any more; the time step is %g s", system->dt);
}

static sherd_status first_trouble(const sherd_system *system, const sherd_element_index *bad,
                                  size_t chunks, sherd_error *error)
{
    for (size_t c = 0; c < chunks; ++c)
        if (bad[c] >= 0) return report_trouble(system, bad[c], error);
    return SHERD_OK;
}

// ---------------------------------------------------------------- forces

// What is near what at step `step`; sleepers that something is near wake.
static sherd_status prepare_contacts(sherd_system *system, int64_t step, double dt,
                                     sherd_error *error)
{
    if (system->contacts == NULL) return SHERD_OK;
    sherd_sleep_advance(system, step);
    sherd_bond_adjacency bonded = {system->adjacency.start, system->adjacency.bond, system->bonds.i,
                                   system->bonds.j, system->bonds.broken};
    sherd_status status =
        sherd_contacts_prepare(system->contacts, &system->elements, &bonded, error);
    return status == SHERD_OK ? sherd_sleep_wake_near(system, 0.5 * dt, error) : status;
}

static sherd_status evaluate_forces(sherd_system *system, int64_t step, double dt,
                                    sherd_error *error)
{
    sherd_status status = prepare_contacts(system, step, dt, error);
    if (status != SHERD_OK) return status;
    sherd_bonds_apply(&system->bonds, &system->blocks, &system->elements, &system->parallel,
                      SHERD_BOND_KERNEL_BEST);
    if (system->contacts != NULL)
        sherd_contacts_apply(system->contacts, &system->elements, dt, system->gravity);
    return SHERD_OK;
}

// Takes a broken bond's load out of F and T.
static void withdraw_load(sherd_elements *e, sherd_element_index i, sherd_element_index j,
                          const sherd_bond_analysis *a)
{
    e->fx[i] += a->force_j.x, e->fy[i] += a->force_j.y, e->fz[i] += a->force_j.z;
    e->fx[j] -= a->force_j.x, e->fy[j] -= a->force_j.y, e->fz[j] -= a->force_j.z;
    e->tx[i] -= a->torque_i.x, e->ty[i] -= a->torque_i.y, e->tz[i] -= a->torque_i.z;
    e->tx[j] -= a->torque_j.x, e->ty[j] -= a->torque_j.y, e->tz[j] -= a->torque_j.z;
}

static void break_bond(sherd_system *system, int64_t bond)
{
    sherd_bonds *bonds = &system->bonds;
    sherd_element_index i = bonds->i[bond], j = bonds->j[bond];
    // The second half kick has changed the velocities, so the damping share differs by a step's
    // change from what was added: of second order in dt.
    sherd_bond_analysis a = sherd_bond_analyse(bonds, &system->elements, bond);
    system->accounts.dissipated_fracture += a.energy;
    withdraw_load(&system->elements, i, j, &a);
    bonds->broken[bond] = 1;
    ++bonds->broken_count;
    if (system->contacts != NULL) sherd_contacts_bonds_broke(system->contacts, &i, &j, 1);
}

static void break_bonds(sherd_system *system)
{
    for (int b = 0; b < system->blocks.count; ++b) {
        sherd_bond_block *block = &system->blocks.blocks[b];
        if (block->newly_broken_count == 0) continue;
        sherd_broken_cursor cursor = {0};
        int64_t bond;
        while (sherd_bond_block_next_broken(&system->blocks, block, &cursor, &bond))
            break_bond(system, bond);
        sherd_bond_block_strike(&system->blocks, block, &system->bonds, &system->elements);
    }
}

static double damping_power(const sherd_bond_blocks *blocks)
{
    double power = 0.0;
    for (int b = 0; b < blocks->count; ++b)
        power += blocks->blocks[b].damping_power;
    return power;
}

// ---------------------------------------------------------------- the step

// Loads of the very first state, or after a change from outside.
static sherd_status start_forces(sherd_system *system, sherd_error *error)
{
    sherd_status status = evaluate_forces(system, system->step, 0.0, error);
    if (status != SHERD_OK) return status;
    sherd_drivers_push(&system->drivers, &system->elements, (double)system->step * system->dt, 0.0);
    system->forces_valid = true;
    return SHERD_OK;
}

sherd_status sherd_system_step_explicit(sherd_system *system, sherd_error *error)
{
    sherd_status status = system->forces_valid ? SHERD_OK : start_forces(system, error);
    if (status == SHERD_OK && system->sleep.enabled && system->step % SHERD_SLEEP_INTERVAL == 0)
        status = sherd_sleep_check(system, error);
    if (status != SHERD_OK) return status;
    sherd_elements *e = &system->elements;
    size_t count = (size_t)e->count, chunks = (count + CHUNK - 1) / CHUNK;
    double dt = system->dt, time = (double)(system->step + 1) * dt;
    integration in = {.step = {e, system->gravity, dt, MOST_RADII_PER_STEP},
                      .bad = system->scratch};
    pick_kernels(&in);

    sherd_parallel_for(&system->parallel, count, CHUNK, kick_and_drift, &in);
    status = first_trouble(system, in.bad, chunks, error);
    if (status != SHERD_OK) return status;

    double work = sherd_drivers_move(&system->drivers, e, time, dt, system->gravity);
    if (system->contacts != NULL)
        sherd_contacts_move_obstacles(system->contacts, time, dt, system->gravity);
    status = evaluate_forces(system, system->step + 1, dt, error);
    if (status != SHERD_OK) return status;
    work += sherd_drivers_settle(&system->drivers, e, dt, system->gravity);
    work += sherd_drivers_push(&system->drivers, e, time, dt);

    sherd_parallel_for(&system->parallel, count, CHUNK, kick, &in);
    system->accounts.dissipated_bonds += dt * damping_power(&system->blocks);
    system->accounts.driver_work += work;
    break_bonds(system);
    ++system->step;
    return SHERD_OK;
}
