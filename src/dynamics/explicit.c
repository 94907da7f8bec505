// Velocity Verlet for positions and orientations.                       [BDEM21] Algorithm 1
//
//   v, w   half a kick from F(t), T(t)              lines 6, 7
//   p, q   drift                                    lines 8-10
//          obstacles and driven regions move on
//   F, T   bonds (checking breakage), contacts      lines 11-17; damping sees the half-step v, w
//   v, w   the other half kick                      lines 18, 19
//          bonds found broken leave: their energy is booked as dissipated and their force taken
//          out of F, T, so that it acts up to this moment and not after it
//
// Gravity is an acceleration and not part of F.
#include "base/error.h"
#include "dynamics/system.h"
#include "math/quat.h"

#include <stdio.h>

enum { CHUNK = SHERD_SYSTEM_CHUNK };

// An element must not cross half its radius in one step: contacts would be missed, and only a
// simulation that has blown up gets there.
static const double MOST_RADII_PER_STEP = 0.5;

typedef struct integration {
    sherd_elements *e;
    sherd_vec3 gravity;
    double dt;
    sherd_element_index *bad; // first element in trouble per chunk, or -1
} integration;

// ---------------------------------------------------------------- kick and drift

static void kick_element(const integration *in, sherd_element_index k)
{
    sherd_elements *e = in->e;
    double h = 0.5 * in->dt, per_mass = h / e->mass[k],
           per_inertia = h / sherd_element_inertia(e, k);
    uint8_t held = e->held[k];
    if (__builtin_expect(held != 0, 0)) {
        if (!(held & SHERD_HELD_X)) e->vx[k] += per_mass * e->fx[k] + h * in->gravity.x;
        if (!(held & SHERD_HELD_Y)) e->vy[k] += per_mass * e->fy[k] + h * in->gravity.y;
        if (!(held & SHERD_HELD_Z)) e->vz[k] += per_mass * e->fz[k] + h * in->gravity.z;
        if (held & SHERD_HELD_TURN) return;
    } else {
        e->vx[k] += per_mass * e->fx[k] + h * in->gravity.x;
        e->vy[k] += per_mass * e->fy[k] + h * in->gravity.y;
        e->vz[k] += per_mass * e->fz[k] + h * in->gravity.z;
    }
    e->wx[k] += per_inertia * e->tx[k];
    e->wy[k] += per_inertia * e->ty[k];
    e->wz[k] += per_inertia * e->tz[k];
}

// q <- exp(w dt / 2) q, with series for the small angles of a time step.
static void turn_element(sherd_elements *e, sherd_element_index k, double dt)
{
    double h = 0.5 * dt;
    sherd_vec3 a = vec3(h * e->wx[k], h * e->wy[k], h * e->wz[k]); // half the rotation vector
    double a2 = vec3_dot(a, a);
    double sine, cosine; // sin|a|/|a| and cos|a|
    if (a2 < 1e-4) {     // the next terms are a^8/9! and a^8/8!: below 3e-21
        sine = 1.0 - a2 / 6.0 * (1.0 - a2 / 20.0 * (1.0 - a2 / 42.0));
        cosine = 1.0 - a2 / 2.0 * (1.0 - a2 / 12.0 * (1.0 - a2 / 30.0));
    } else {
        double angle = sqrt(a2);
        sine = sin(angle) / angle;
        cosine = cos(angle);
    }
    sherd_quat q = quat_multiply(quat(sine * a.x, sine * a.y, sine * a.z, cosine),
                                 sherd_element_orientation(e, k));
    double s = 1.5 - 0.5 * quat_dot(q, q); // one Newton step towards |q| = 1
    e->qx[k] = s * q.x, e->qy[k] = s * q.y, e->qz[k] = s * q.z, e->qw[k] = s * q.w;
}

static void drift_element(const integration *in, sherd_element_index k)
{
    sherd_elements *e = in->e;
    uint8_t held = e->held[k];
    if (!(held & SHERD_HELD_X)) e->px[k] += in->dt * e->vx[k];
    if (!(held & SHERD_HELD_Y)) e->py[k] += in->dt * e->vy[k];
    if (!(held & SHERD_HELD_Z)) e->pz[k] += in->dt * e->vz[k];
    if (!(held & SHERD_HELD_TURN)) turn_element(e, k, in->dt);
}

// False also for anything that is not a number.
static bool moves_sanely(const integration *in, sherd_element_index k)
{
    const sherd_elements *e = in->e;
    double limit = MOST_RADII_PER_STEP * e->radius[k] / in->dt;
    sherd_vec3 v = sherd_element_velocity(e, k), w = sherd_element_spin(e, k);
    double r = e->radius[k];
    return vec3_dot(v, v) <= limit * limit && r * r * vec3_dot(w, w) <= limit * limit;
}

static void kick_and_drift(void *context, size_t begin, size_t end)
{
    const integration *in = context;
    sherd_element_index bad = -1;
    for (size_t at = begin; at < end; ++at) {
        sherd_element_index k = (sherd_element_index)at;
        kick_element(in, k);
        if (!moves_sanely(in, k) && bad < 0) bad = k;
        drift_element(in, k);
    }
    in->bad[begin / CHUNK] = bad;
}

static void kick(void *context, size_t begin, size_t end)
{
    for (size_t k = begin; k < end; ++k)
        kick_element(context, (sherd_element_index)k);
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

static sherd_status evaluate_forces(sherd_system *system, double dt, sherd_error *error)
{
    sherd_bonds_apply(&system->bonds, &system->blocks, &system->elements, &system->parallel,
                      SHERD_BOND_KERNEL_BEST);
    if (system->contacts == NULL) return SHERD_OK;
    sherd_bond_adjacency bonded = {system->adjacency.start, system->adjacency.partner,
                                   system->adjacency.bond, system->bonds.broken};
    sherd_status status =
        sherd_contacts_prepare(system->contacts, &system->elements, &bonded, error);
    if (status == SHERD_OK)
        sherd_contacts_apply(system->contacts, &system->elements, dt, system->gravity);
    return status;
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
        while (sherd_bond_block_next_broken(block, &cursor, &bond))
            break_bond(system, bond);
        sherd_bond_block_strike(block, &system->bonds);
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
    sherd_status status = evaluate_forces(system, 0.0, error);
    if (status != SHERD_OK) return status;
    sherd_drivers_push(&system->drivers, &system->elements, (double)system->step * system->dt, 0.0);
    system->forces_valid = true;
    return SHERD_OK;
}

sherd_status sherd_system_step_explicit(sherd_system *system, sherd_error *error)
{
    sherd_status status = system->forces_valid ? SHERD_OK : start_forces(system, error);
    if (status != SHERD_OK) return status;
    sherd_elements *e = &system->elements;
    size_t count = (size_t)e->count, chunks = (count + CHUNK - 1) / CHUNK;
    double dt = system->dt, time = (double)(system->step + 1) * dt;
    integration in = {e, system->gravity, dt, system->scratch};

    sherd_parallel_for(&system->parallel, count, CHUNK, kick_and_drift, &in);
    status = first_trouble(system, in.bad, chunks, error);
    if (status != SHERD_OK) return status;

    double work = sherd_drivers_move(&system->drivers, e, time, dt, system->gravity);
    if (system->contacts != NULL)
        sherd_contacts_move_obstacles(system->contacts, time, dt, system->gravity);
    status = evaluate_forces(system, dt, error);
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
