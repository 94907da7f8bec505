#include "stepping/fem/fem_step.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_part.h"
#include "math/quat.h"
#include "models/fem/fem_model.h"
#include "models/fem/fem_separation.h"
#include "stepping/explicit/verlet_energy_offset.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 1024 };

// ---------------------------------------------------------------- nodes

static sherd_vec3 kick_of(const sherd_system *s, sherd_element_index k)
{
    const sherd_points *n = &s->fem->nodes;
    double half = 0.5 * s->dt;
    sherd_vec3 v =
        vec3_add_scaled(vec3_scale(half, s->gravity), half / n->mass[k], sherd_point_force(n, k));
    uint8_t held = n->held[k];
    return vec3(held & SHERD_HELD_X ? 0.0 : v.x, held & SHERD_HELD_Y ? 0.0 : v.y,
                held & SHERD_HELD_Z ? 0.0 : v.z);
}

static void kick(void *context, size_t begin, size_t end)
{
    const sherd_system *s = context;
    sherd_points *n = &s->fem->nodes;
    for (size_t k = begin; k < end; ++k) {
        sherd_vec3 v = kick_of(s, (sherd_element_index)k);
        n->vx[k] += v.x, n->vy[k] += v.y, n->vz[k] += v.z;
    }
}

// Held freedoms are moved by their drivers.
static void kick_and_drift(void *context, size_t begin, size_t end)
{
    const sherd_system *s = context;
    sherd_points *n = &s->fem->nodes;
    kick(context, begin, end);
    for (size_t k = begin; k < end; ++k) {
        uint8_t held = n->held[k];
        if (!(held & SHERD_HELD_X)) n->px[k] += s->dt * n->vx[k];
        if (!(held & SHERD_HELD_Y)) n->py[k] += s->dt * n->vy[k];
        if (!(held & SHERD_HELD_Z)) n->pz[k] += s->dt * n->vz[k];
    }
}

static double sum_kicks(void *context, size_t begin, size_t end)
{
    const sherd_system *s = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        sherd_vec3 v = kick_of(s, (sherd_element_index)k);
        sum += 0.5 * s->fem->nodes.mass[k] * vec3_dot(v, v);
    }
    return sum;
}

double sherd_system_fem_kick_energy(const sherd_system *s)
{
    return sherd_parallel_sum(&s->parallel, (size_t)s->fem->nodes.count, CHUNK, sum_kicks,
                              (void *)(uintptr_t)s);
}

// ---------------------------------------------------------------- driven nodes

// Places the nodes of a driver's tetrahedra as their elements were placed.
static void carry_nodes(const sherd_system *s, const sherd_driver *driver, const double *before)
{
    sherd_fem *fem = s->fem;
    sherd_points *n = &fem->nodes;
    double *const x[3] = {n->px, n->py, n->pz}, *const v[3] = {n->vx, n->vy, n->vz};
    static const uint8_t BITS[3] = {SHERD_HELD_X, SHERD_HELD_Y, SHERD_HELD_Z};
    for (sherd_element_index at = 0; at < driver->count; ++at) {
        sherd_element_index t = driver->element[at];
        sherd_vec3 centre = sherd_element_position(&s->elements, t);
        // Regions that are held in part do not turn.
        sherd_quat q = driver->held & SHERD_HELD_TURN ? sherd_element_orientation(&s->elements, t)
                                                      : driver->start[at].rotation;
        for (int c = 0; c < 4; ++c) {
            int32_t node = fem->corner[4 * t + c];
            sherd_vec3 arm = quat_rotate(q, sherd_fem_rest_arm(fem, t, c));
            const double to[3] = {centre.x + arm.x, centre.y + arm.y, centre.z + arm.z};
            for (int a = 0; a < 3; ++a)
                if (driver->held & BITS[a])
                    v[a][node] = (to[a] - before[3 * node + a]) / s->dt, x[a][node] = to[a];
        }
    }
}

// Work done on nodes of moved regions: the trapezoidal sum of -F . dx plus their change of kinetic
// energy (bodies/driver.h).
static double work_on_held(const sherd_system *s, double sign, const double *before)
{
    const sherd_points *n = &s->fem->nodes;
    double work = 0.0;
    for (sherd_element_index k = 0; k < n->count; ++k) {
        uint8_t held = n->held[k];
        if (held == 0) continue;
        sherd_vec3 load = vec3_add_scaled(sherd_point_force(n, k), n->mass[k], s->gravity);
        const double f[3] = {load.x, load.y, load.z}, v[3] = {n->vx[k], n->vy[k], n->vz[k]},
                     x[3] = {n->px[k], n->py[k], n->pz[k]};
        for (int a = 0; a < 3; ++a)
            if (held >> a & 1)
                work += sign * 0.5 * n->mass[k] * v[a] * v[a] -
                        0.5 * f[a] * (before != NULL ? x[a] - before[3 * k + a] : 0.0);
    }
    return work;
}

static bool has_moved_regions(const sherd_system *s)
{
    for (int d = 0; d < s->drivers.count; ++d)
        if (s->drivers.drivers[d].held != 0) return true;
    return false;
}

// Half of the work with loads at the start of the step: -F . dx / 2 is added once dx is known.
static double move_driven(sherd_system *s, double time, double *before)
{
    sherd_points *n = &s->fem->nodes;
    for (sherd_element_index k = 0; k < n->count; ++k)
        before[3 * k] = n->px[k], before[3 * k + 1] = n->py[k], before[3 * k + 2] = n->pz[k];
    double work = work_on_held(s, -1.0, NULL);
    sherd_drivers_move(&s->drivers, &s->elements.points, time, s->dt, s->gravity);
    for (int d = 0; d < s->drivers.count; ++d)
        if (s->drivers.drivers[d].held != 0) carry_nodes(s, &s->drivers.drivers[d], before);
    return work + work_on_held(s, 0.0, before);
}

// Reactions: the loads of held nodes as those of one of their elements each.
static void load_driven(sherd_system *s)
{
    sherd_fem *fem = s->fem;
    sherd_elements *e = &s->elements;
    const sherd_points *n = &fem->nodes;
    for (int d = 0; d < s->drivers.count; ++d) {
        const sherd_driver *driver = &s->drivers.drivers[d];
        for (sherd_element_index at = 0; at < driver->count; ++at) {
            sherd_element_index t = driver->element[at];
            if (driver->held != 0)
                e->fx[t] = e->fy[t] = e->fz[t] = e->tx[t] = e->ty[t] = e->tz[t] = 0.0;
        }
    }
    for (sherd_element_index k = 0; k < n->count; ++k) {
        if (n->held[k] == 0) continue;
        int32_t v = fem->vertex[fem->lead[k]];
        for (int32_t c = fem->start[v]; c < fem->start[v + 1]; ++c) {
            int32_t t = fem->around[c] / 4;
            if (fem->corner[fem->around[c]] != k || e->held[t] == 0) continue;
            sherd_vec3 f = sherd_point_force(n, k);
            sherd_vec3 arm = vec3_sub(sherd_point_position(n, k), sherd_element_position(e, t));
            sherd_element_add_load(e, t, f, vec3_cross(arm, f));
            break;
        }
    }
}

// ---------------------------------------------------------------- elements

// Places elements, clears their loads and bounds how far each chunk has moved.
static void place(void *context, size_t begin, size_t end)
{
    sherd_system *s = context;
    sherd_elements *e = &s->elements;
    sherd_fem_place_elements(s->fem, e, begin, end);
    sherd_elements_clear_loads(e, (sherd_element_index)begin, (sherd_element_index)end);
    if (s->contacts == NULL) return;
    sherd_vec3 frame = sherd_contacts_drift(s->contacts);
    double farthest = 0.0;
    for (size_t t = begin; t < end; ++t) {
        double far = vec3_distance(sherd_element_velocity(e, (sherd_element_index)t), frame);
        if (!(far <= farthest)) farthest = far;
    }
    s->moves[begin / s->chunk_length] = s->dt * farthest;
}

static void place_elements(sherd_system *s)
{
    sherd_parallel_for(&s->parallel, (size_t)s->elements.count, s->chunk_length, place, s);
    s->fem->has_orientations = false;
}

static sherd_status prepare_contacts(sherd_system *s, bool moved, sherd_error *error)
{
    if (s->contacts == NULL) return SHERD_OK;
    sherd_bond_adjacency bonded = {s->adjacency.start, s->adjacency.bond, s->bonds.i, s->bonds.j,
                                   s->bonds.broken};
    if (moved) sherd_contacts_moved(s->contacts, &(sherd_contact_moves){s->moves, s->chunk_length});
    return sherd_contacts_prepare(s->contacts, &s->elements.points, &bonded, error);
}

static void spread(void *context, size_t begin, size_t end)
{
    sherd_system *s = context;
    for (size_t t = begin; t < end; ++t) {
        sherd_vec3 f = sherd_element_force(&s->elements, (sherd_element_index)t),
                   m = sherd_element_torque(&s->elements, (sherd_element_index)t);
        if (f.x == 0.0 && f.y == 0.0 && f.z == 0.0 && m.x == 0.0 && m.y == 0.0 && m.z == 0.0)
            continue;
        sherd_fem_spread_load(s->fem, (int32_t)t, f, m);
    }
}

// Loads of the present state. Returns the work of prescribed forces.
static double load_nodes(sherd_system *s, double time, double dt)
{
    sherd_fem_set_forces(s->fem);
    if (s->contacts != NULL) sherd_contacts_apply(s->contacts, &s->elements.points, dt, s->gravity);
    double work = sherd_drivers_push(&s->drivers, &s->elements.points, time, dt);
    if (s->contacts != NULL || s->drivers.count > 0)
        sherd_parallel_for(&s->parallel, (size_t)s->elements.count, CHUNK, spread, s);
    sherd_fem_gather(s->fem);
    return work;
}

// ---------------------------------------------------------------- cracks

static sherd_vec3 centre_of_face(const sherd_system *s, int64_t bond)
{
    return vec3_scale(0.5, vec3_add(sherd_element_position(&s->elements, s->bonds.i[bond]),
                                    sherd_element_position(&s->elements, s->bonds.j[bond])));
}

static sherd_status log_cracks(sherd_system *s, const sherd_fem_cracks *cracks, double time,
                               sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (size_t k = 0; k < cracks->count && status == SHERD_OK; ++k) {
        int64_t bond = cracks->bond[k];
        const sherd_broken broken = {.bond = bond,
                                     .time = time,
                                     .place = centre_of_face(s, bond),
                                     .mode = SHERD_BREAK_TENSION};
        status = sherd_break_log_add(&s->breaks, &broken, error);
        if (s->contacts != NULL)
            sherd_contacts_bonds_broke(s->contacts, &s->bonds.i[bond], &s->bonds.j[bond], 1);
    }
    s->bonds.broken_count += (int64_t)cracks->count;
    return status;
}

// Separation changes neither kinetic nor elastic energy. The jump of the offset by velocity Verlet
// is booked under integration.
static sherd_status separate(sherd_system *s, double time, sherd_error *error)
{
    if (!s->fem->separates) return SHERD_OK;
    sherd_fem_cracks cracks = {0};
    double before = 0.0;
    int32_t nodes = s->fem->nodes.count;
    sherd_status status = SHERD_OK;
    if (sherd_fem_may_separate(s->fem)) {
        before = sherd_system_fem_kick_energy(s);
        status = sherd_fem_separate(s->fem, s->elements.held, s->bonds.broken, &cracks, error);
    }
    if (s->fem->nodes.count > nodes)
        s->accounts.integration += sherd_system_fem_kick_energy(s) - before;
    if (status == SHERD_OK) status = log_cracks(s, &cracks, time, error);
    sherd_free(cracks.bond);
    return status;
}

// ---------------------------------------------------------------- the step

static sherd_status check_finite(const sherd_system *s, sherd_error *error)
{
    for (size_t c = 0; c < s->chunk_count && s->contacts != NULL; ++c)
        if (!isfinite(s->moves[c]))
            return sherd_fail(error, SHERD_ERROR_UNSTABLE, "time_step",
                              "remove time_step to have it chosen, or check speeds and stiffness",
                              "the motion is not a number any more; the time step is %g s", s->dt);
    return SHERD_OK;
}

static sherd_status start(sherd_system *s, sherd_error *error)
{
    if (s->forces_valid) return SHERD_OK;
    place_elements(s);
    sherd_status status = prepare_contacts(s, false, error);
    if (status != SHERD_OK) return status;
    load_nodes(s, sherd_system_time(s), 0.0);
    s->forces_valid = true;
    s->fastest = s->farthest = INFINITY;
    sherd_verlet_energy_begin(s);
    return SHERD_OK;
}

static sherd_status step_with(sherd_system *s, double *before, sherd_error *error)
{
    double dt = s->dt, since = sherd_clock_seconds(),
           time = s->start_time + (double)(s->step + 1 - s->start_step) * dt;
    size_t nodes = (size_t)s->fem->nodes.count;
    sherd_parallel_for(&s->parallel, nodes, CHUNK, kick_and_drift, s);
    if (s->contacts != NULL) sherd_contacts_move_obstacles(s->contacts, time, dt, s->gravity);
    if (before != NULL) s->accounts.driver_work += move_driven(s, time, before);
    place_elements(s);
    sherd_status status = check_finite(s, error);
    if (status == SHERD_OK) status = prepare_contacts(s, true, error);
    if (status != SHERD_OK) return status;
    s->times.search += sherd_clock_lap(&since);
    s->accounts.driver_work += load_nodes(s, time, dt);
    if (before != NULL) s->accounts.driver_work += work_on_held(s, 1.0, before);
    if (before != NULL) load_driven(s);
    sherd_drivers_settle(&s->drivers, &s->elements.points, dt, 1.0, s->gravity);
    s->accounts.dissipated_bonds += dt * sherd_fem_damping_power(s->fem);
    sherd_parallel_for(&s->parallel, nodes, CHUNK, kick, s);
    status = separate(s, time, error);
    ++s->step;
    s->times.bonds += sherd_clock_lap(&since);
    return status;
}

sherd_status sherd_system_step_fem(sherd_system *s, sherd_after_step *after, void *context,
                                   sherd_error *error)
{
    sherd_status status = start(s, error);
    double *before = NULL;
    if (status == SHERD_OK && has_moved_regions(s)) {
        before = sherd_alloc(3 * (size_t)s->fem->nodes.count, sizeof *before);
        if (before == NULL) return sherd_fail_memory(error, "driven nodes");
    }
    if (status == SHERD_OK) status = step_with(s, before, error);
    sherd_free(before);
    if (status == SHERD_OK && after != NULL) after(context, 1.0);
    return status;
}
