#include "stepping/sleep/quiescence.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/quat.h"
#include "models/bonded/storage/adjacency.h"
#include "stepping/system.h"

#include <string.h>

static const double QUIESCENT_ENERGY =
    1e-4; // energy over that at the strength: 1 % of the strength in amplitude
static const double QUIESCENT_STRESS = 0.05; // over the strength, in any single bond
static const double STRAIN_SCALE = 1e-3;

enum {
    QUIESCENT_CHECKS = 2, // consecutive
    FEWEST = 8,           // smaller components cost less awake
    MEMBER_CHUNK = 1024,
};

// ---------------------------------------------------------------- life

sherd_status sherd_quiescence_init(sherd_quiescence *quiescence, sherd_element_index count,
                                   sherd_error *error)
{
    *quiescence = (sherd_quiescence){.broken = -1};
    quiescence->checks = sherd_alloc((size_t)count, sizeof *quiescence->checks);
    return quiescence->checks != NULL ? SHERD_OK : sherd_fail_memory(error, "components");
}

static void free_scratch(sherd_quiescence *quiescence)
{
    sherd_free(quiescence->size);
    sherd_free(quiescence->near);
    quiescence->size = NULL, quiescence->near = NULL;
}

static void free_roots(sherd_quiescence *quiescence)
{
    sherd_free(quiescence->root);
    quiescence->root = NULL;
}

static void free_runs(sherd_quiescence *quiescence)
{
    sherd_free(quiescence->runs);
    quiescence->runs = NULL, quiescence->run_count = 0;
}

void sherd_quiescence_free(sherd_quiescence *quiescence)
{
    free_scratch(quiescence);
    free_roots(quiescence);
    free_runs(quiescence);
    sherd_free(quiescence->checks);
    sherd_free(quiescence->notes.list);
    *quiescence = (sherd_quiescence){.broken = -1};
}

void sherd_quiescence_forget(sherd_quiescence *quiescence)
{
    quiescence->broken = -1;
}

size_t sherd_quiescence_bytes(const sherd_quiescence *quiescence, sherd_element_index count)
{
    size_t each =
        sizeof *quiescence->checks + (quiescence->root != NULL ? sizeof *quiescence->root : 0);
    return (size_t)count * each + quiescence->notes.capacity * sizeof *quiescence->notes.list +
           (size_t)quiescence->run_count * sizeof *quiescence->runs;
}

void sherd_quiescent_bodies_free(sherd_quiescent_bodies *bodies)
{
    sherd_free(bodies->bodies);
    sherd_free(bodies->members);
    *bodies = (sherd_quiescent_bodies){0};
}

// ---------------------------------------------------------------- components

static void expand_runs(sherd_quiescence *quiescence, sherd_element_index count)
{
    for (int32_t r = 0; r < quiescence->run_count; ++r) {
        const sherd_quiescence_run *run = &quiescence->runs[r];
        sherd_element_index end = r + 1 < quiescence->run_count ? run[1].begin : count;
        for (sherd_element_index k = run->begin; k < end; ++k)
            quiescence->root[k] = run->root;
    }
}

static bool begins_run(const sherd_quiescence *quiescence, sherd_element_index k)
{
    return k == 0 || quiescence->root[k] != quiescence->root[k - 1];
}

// Replaces the roots by runs if these take less than an eighth of the memory.
static void compress_roots(sherd_quiescence *quiescence, sherd_element_index count)
{
    int32_t runs = 0;
    for (sherd_element_index k = 0; k < count; ++k)
        runs += begins_run(quiescence, k);
    const int32_t shorter = 16; // elements per run: a run takes the memory of two roots
    if (runs > count / shorter + 1) return;
    quiescence->runs = sherd_alloc((size_t)runs, sizeof *quiescence->runs);
    if (quiescence->runs == NULL) return; // the roots stay
    for (sherd_element_index k = 0; k < count; ++k)
        if (begins_run(quiescence, k))
            quiescence->runs[quiescence->run_count++] =
                (sherd_quiescence_run){k, quiescence->root[k]};
    free_roots(quiescence);
}

sherd_status sherd_quiescence_begin(sherd_system *system, sherd_error *error)
{
    sherd_quiescence *quiescence = &system->sleep.quiescence;
    sherd_element_index count = system->elements.count;
    size_t n = (size_t)count;
    bool known = quiescence->broken == system->bonds.broken_count;
    if (quiescence->root == NULL) quiescence->root = sherd_alloc(n, sizeof *quiescence->root);
    quiescence->size = sherd_alloc(n, sizeof *quiescence->size);
    quiescence->near = sherd_alloc(n, sizeof *quiescence->near);
    if (quiescence->root == NULL || quiescence->size == NULL || quiescence->near == NULL)
        return sherd_fail_memory(error, "components");
    if (!known)
        sherd_find_components(&system->bonds, count, quiescence->root);
    else if (quiescence->run_count > 0)
        expand_runs(quiescence, count);
    quiescence->broken = system->bonds.broken_count;
    for (sherd_element_index k = 0; k < count; ++k)
        ++quiescence->size[quiescence->root[k]];
    return SHERD_OK;
}

void sherd_quiescence_end(sherd_quiescence *quiescence, sherd_element_index count)
{
    free_scratch(quiescence);
    free_runs(quiescence);
    if (quiescence->root != NULL) compress_roots(quiescence, count);
}

// Marks components with something near, with a driver or a probe, or already asleep.
static void mark_busy(const sherd_system *system, sherd_quiescence *quiescence)
{
    const sherd_elements *e = &system->elements;
    memset(quiescence->near, 0, (size_t)e->count);
    if (system->contacts != NULL)
        sherd_contacts_mark_near(system->contacts, quiescence->root, quiescence->near);
    for (int d = 0; d < system->drivers.count; ++d) {
        const sherd_driver *driver = &system->drivers.drivers[d];
        for (sherd_element_index k = 0; k < driver->count; ++k)
            quiescence->near[quiescence->root[driver->element[k]]] = 1;
    }
    for (sherd_element_index k = 0; k < e->count; ++k)
        if (e->asleep[k]) quiescence->near[quiescence->root[k]] = 1;
}

// Lists the members of components that may be quiescent, component by component.
static sherd_status list_candidates(const sherd_system *system, sherd_quiescence *quiescence,
                                    sherd_quiescent_bodies *out, sherd_error *error)
{
    sherd_element_index n = system->elements.count, members = 0;
    int32_t count = 0;
    for (sherd_element_index k = 0; k < n; ++k) {
        if (quiescence->root[k] != k) continue;
        bool candidate = quiescence->size[k] >= FEWEST && !quiescence->near[k];
        quiescence->near[k] = !candidate;
        if (!candidate) quiescence->checks[k] = 0;
        count += candidate;
        members += candidate ? quiescence->size[k] : 0;
    }
    out->bodies = sherd_alloc((size_t)count, sizeof *out->bodies);
    out->members = sherd_alloc((size_t)members, sizeof *out->members);
    int32_t *slot = sherd_alloc((size_t)n, sizeof *slot);
    bool ok = out->bodies != NULL && out->members != NULL && slot != NULL;
    for (sherd_element_index k = 0, at = 0; k < n && ok && count > 0; ++k) {
        sherd_element_index root = quiescence->root[k];
        if (quiescence->near[root]) continue;
        if (root == k) {
            slot[k] = out->count++;
            out->bodies[slot[k]].member = out->members + at;
            at += quiescence->size[k];
        }
        sherd_quiescent_body *body = &out->bodies[slot[root]];
        out->members[(body->member - out->members) + body->count++] = k;
    }
    sherd_free(slot);
    return ok ? SHERD_OK : sherd_fail_memory(error, "components");
}

// ---------------------------------------------------------------- rigid motion

static void find_momentum(const sherd_elements *e, sherd_quiescent_body *body)
{
    sherd_rigid_body *motion = &body->motion;
    sherd_vec3 start = sherd_element_position(e, body->member[0]), moment = {0}, momentum = {0};
    double mass = 0.0;
    for (sherd_element_index m = 0; m < body->count; ++m) {
        sherd_element_index k = body->member[m];
        mass += sherd_element_mass(e, k);
        moment = vec3_add_scaled(moment, sherd_element_mass(e, k),
                                 vec3_sub(sherd_element_position(e, k), start));
        momentum =
            vec3_add_scaled(momentum, sherd_element_mass(e, k), sherd_element_velocity(e, k));
    }
    motion->properties = (sherd_mass_properties){.mass = mass};
    motion->start = motion->centre = vec3_add_scaled(start, 1.0 / mass, moment);
    motion->velocity = vec3_scale(1.0 / mass, momentum);
}

static void add_inertia(double A[3][3], double mass, sherd_vec3 arm, double own)
{
    double x[3] = {arm.x, arm.y, arm.z}, square = vec3_dot(arm, arm);
    for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q)
            A[p][q] += (p == q ? mass * square + own : 0.0) - mass * x[p] * x[q];
}

void sherd_quiescence_find_motion(const sherd_elements *e, sherd_quiescent_body *body)
{
    find_momentum(e, body);
    sherd_rigid_body *motion = &body->motion;
    double A[3][3] = {{0.0}}, energy = 0.0;
    sherd_vec3 L = {0};
    for (sherd_element_index m = 0; m < body->count; ++m) {
        sherd_element_index k = body->member[m];
        sherd_vec3 arm = vec3_sub(sherd_element_position(e, k), motion->centre);
        sherd_vec3 v = vec3_sub(sherd_element_velocity(e, k), motion->velocity);
        sherd_vec3 w = sherd_element_spin(e, k);
        double own = sherd_element_own_inertia(e, k);
        L = vec3_add_scaled(vec3_add_scaled(L, sherd_element_mass(e, k), vec3_cross(arm, v)), own,
                            w);
        energy += 0.5 * (sherd_element_mass(e, k) * vec3_dot(v, v) + own * vec3_dot(w, w));
        add_inertia(A, sherd_element_mass(e, k), arm, own);
    }
    sherd_mass_properties_set_inertia(&motion->properties, A);
    motion->rotation = motion->properties.axes;
    motion->angular_momentum = L;
    body->vibration = fmax(0.0, energy - 0.5 * vec3_dot(L, sherd_rigid_body_spin(motion)));
}

// ---------------------------------------------------------------- energies

typedef double bond_function(const sherd_system *system, int64_t bond);

typedef struct body_sum {
    const sherd_system *system;
    const sherd_quiescent_body *body;
    bond_function *of;
} body_sum;

static double sum_members(void *context, size_t begin, size_t end)
{
    const body_sum *sum = context;
    const sherd_system *system = sum->system;
    const sherd_adjacency *bonded = &system->adjacency;
    double total = 0.0;
    for (size_t m = begin; m < end && total < INFINITY; ++m) {
        sherd_element_index k = sum->body->member[m];
        for (uint32_t s = bonded->start[k]; s < bonded->start[k + 1]; ++s) {
            int64_t bond = bonded->bond[s];
            if (system->bonds.i[bond] != k || system->bonds.broken[bond]) continue;
            total += sum->of(system, bond);
        }
    }
    return total;
}

static double sum_over_bonds(const sherd_system *system, const sherd_quiescent_body *body,
                             bond_function *of)
{
    body_sum sum = {system, body, of};
    return sherd_parallel_sum(&system->parallel, (size_t)body->count, MEMBER_CHUNK, sum_members,
                              &sum);
}

static double allowance_of(const sherd_system *system, int64_t bond)
{
    sherd_bond_constants constants =
        sherd_bond_constants_of(&system->bonds, &system->elements, bond);
    double strain = fmin(constants.sigma_c / constants.E, STRAIN_SCALE);
    double volume = M_PI * constants.r0 * constants.r0 * constants.l0;
    return QUIESCENT_ENERGY * 0.5 * strain * strain * constants.E * volume;
}

// Infinite if one bond is strained too much.
static double energy_of(const sherd_system *system, int64_t bond)
{
    sherd_bond_analysis a = sherd_bond_analyse(&system->bonds, &system->elements, bond);
    double by_elements = sherd_element_criterion_ratio(&system->blocks.criterion, &system->bonds,
                                                       &system->elements, bond);
    return fmax(a.stress_ratio, by_elements) < QUIESCENT_STRESS ? a.energy : INFINITY;
}

static double energy_allowance_of(const sherd_system *system, sherd_quiescent_body *body)
{
    sherd_quiescence_find_motion(&system->elements, body);
    return sum_over_bonds(system, body, allowance_of) - body->vibration;
}

static bool is_quiescent(const sherd_system *system, sherd_quiescent_body *body)
{
    double allowance = energy_allowance_of(system, body);
    return allowance > 0.0 && sum_over_bonds(system, body, energy_of) < allowance;
}

// Modulus of an element's softest bond, INFINITY: it has none [Pa].
static double modulus_of(const sherd_system *system, sherd_element_index k)
{
    const sherd_adjacency *bonded = &system->adjacency;
    double softest = INFINITY;
    for (uint32_t s = bonded->start[k]; s < bonded->start[k + 1]; ++s) {
        int64_t bond = bonded->bond[s];
        if (system->bonds.broken[bond]) continue;
        softest = fmin(softest, sherd_bond_stiffness_of(&system->bonds, &system->elements, bond).E);
    }
    return softest;
}

// Largest strain energy that its spin can give an unstrained body: a thin rod's stress is rho (V^2
// - v^2) / 2, V the speed at its ends, and vibrations from rest overshoot to twice that [J].
static double spin_energy(const sherd_system *system, const sherd_quiescent_body *body)
{
    const sherd_elements *e = &system->elements;
    sherd_vec3 spin = sherd_rigid_body_spin(&body->motion), centre = body->motion.centre;
    double fastest2 = 0.0, energy = 0.0;
    for (sherd_element_index m = 0; m < body->count; ++m) {
        sherd_vec3 arm = vec3_sub(sherd_element_position(e, body->member[m]), centre);
        sherd_vec3 v = vec3_cross(spin, arm);
        fastest2 = fmax(fastest2, vec3_dot(v, v));
    }
    for (sherd_element_index m = 0; m < body->count; ++m) {
        sherd_element_index k = body->member[m];
        sherd_vec3 v = vec3_cross(spin, vec3_sub(sherd_element_position(e, k), centre));
        double volume = 4.0 / 3.0 * M_PI * pow(sherd_element_radius(e, k), 3.0);
        double stress = sherd_element_mass(e, k) / volume * (fastest2 - vec3_dot(v, v));
        energy += 0.5 * stress * stress / modulus_of(system, k) * volume;
    }
    return energy;
}

static bool stays_quiescent(const sherd_system *system, sherd_quiescent_body *body)
{
    double allowance = energy_allowance_of(system, body) - spin_energy(system, body);
    return allowance > 0.0 && sum_over_bonds(system, body, energy_of) < allowance;
}

static sherd_status find(sherd_system *system, bool now, sherd_quiescent_bodies *out,
                         sherd_error *error)
{
    sherd_quiescence *quiescence = &system->sleep.quiescence;
    mark_busy(system, quiescence);
    sherd_element_criterion_evaluate(&system->blocks.criterion, &system->bonds, &system->elements,
                                     &system->adjacency, &system->parallel, 0.0);
    sherd_status status = list_candidates(system, quiescence, out, error);
    if (status != SHERD_OK) return status;
    int32_t kept = 0;
    for (int32_t b = 0; b < out->count; ++b) {
        sherd_element_index root = out->bodies[b].member[0];
        int row = 0;
        if (now)
            row = stays_quiescent(system, &out->bodies[b]) ? QUIESCENT_CHECKS : 0;
        else if (is_quiescent(system, &out->bodies[b]))
            row = quiescence->checks[root] + 1;
        quiescence->checks[root] = row < QUIESCENT_CHECKS ? (uint8_t)row : 0;
        if (row < QUIESCENT_CHECKS) continue;
        out->bodies[kept++] = out->bodies[b];
    }
    out->count = kept;
    return SHERD_OK;
}

sherd_status sherd_quiescence_find(sherd_system *system, sherd_quiescent_bodies *out,
                                   sherd_error *error)
{
    return find(system, false, out, error);
}

sherd_status sherd_quiescence_find_now(sherd_system *system, sherd_quiescent_bodies *out,
                                       sherd_error *error)
{
    return find(system, true, out, error);
}
