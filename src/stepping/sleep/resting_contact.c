#include "stepping/sleep/resting_contact.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact/resting_load.h"
#include "math/vec3.h"
#include "stepping/sleep/quiescence.h"
#include "stepping/system.h"

#include <string.h>

static const double REST_SPEED = 0.01;
static const double REST_DRIFT = 0.005; // mean acceleration relative to gravity

// Sums over a component's elements, by root.
typedef struct sums {
    double mass, energy, radius_mass; // sum of m r
    sherd_vec3 momentum;
    bool steady; // slow for long enough to show that it does not accelerate
} sums;

typedef struct search {
    sherd_system *system;
    sherd_quiescence *quiescence;
    int32_t *island; // by root: the island's first root (n)
    // by root: presses on a fixed obstacle; for an island, at its first root (n)
    uint8_t *supported;
    sums *sums; // (n)
} search;

static void sum_components(const search *in)
{
    const sherd_elements *e = &in->system->elements;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        sums *s = &in->sums[in->quiescence->root[k]];
        sherd_vec3 v = sherd_element_velocity(e, k), w = sherd_element_spin(e, k);
        s->mass += sherd_element_mass(e, k);
        s->radius_mass += sherd_element_mass(e, k) * sherd_element_radius(e, k);
        s->energy += 0.5 * (sherd_element_mass(e, k) * vec3_dot(v, v) +
                            sherd_element_inertia(e, k) * vec3_dot(w, w));
        s->momentum = vec3_add_scaled(s->momentum, sherd_element_mass(e, k), v);
    }
}

static bool is_slow(const search *in, sherd_element_index root)
{
    const sums *s = &in->sums[root];
    double g = vec3_length(in->system->gravity);
    return s->energy < 0.5 * REST_SPEED * REST_SPEED * g * s->radius_mass;
}

// The note of the last check, or a new one.
static sherd_resting_note note_of(const search *in, sherd_element_index root,
                                  const sherd_resting_note *before)
{
    const sums *s = &in->sums[root];
    int64_t step = in->system->step;
    bool same = before != NULL && before->root == root && before->mass == s->mass &&
                step - before->seen <= SHERD_SLEEP_INTERVAL;
    sherd_resting_note note = {.root = root,
                               .seen = step,
                               .since = sherd_system_time(in->system),
                               .mass = s->mass,
                               .velocity = vec3_scale(1.0 / s->mass, s->momentum)};
    if (same) note.since = before->since, note.velocity = before->velocity;
    return note;
}

// A body that is about to slide down a slope is slow at first, too, and may lack only a little
// friction. Only the change of its velocity between checks shows this, independent of vibrations.
static bool is_steady(const search *in, const sherd_resting_note *note)
{
    const sums *s = &in->sums[note->root];
    double time = sherd_system_time(in->system) - note->since;
    double change = vec3_distance(vec3_scale(1.0 / s->mass, s->momentum), note->velocity);
    return time > 0.0 && change <= REST_DRIFT * vec3_length(in->system->gravity) * time;
}

// Updates the notes of all slow components.
static sherd_status find_steady(search *in, sherd_error *error)
{
    sherd_resting_notes *notes = &in->quiescence->notes, now = {.list = NULL};
    size_t old = 0;
    for (sherd_element_index k = 0; k < in->system->elements.count; ++k) {
        if (in->quiescence->root[k] != k || !is_slow(in, k)) continue;
        while (old < notes->count && notes->list[old].root < k)
            ++old;
        if (!sherd_grow((void **)&now.list, &now.capacity, now.count + 1, sizeof *now.list)) {
            sherd_free(now.list);
            return sherd_fail_memory(error, "islands");
        }
        sherd_resting_note note = note_of(in, k, old < notes->count ? &notes->list[old] : NULL);
        now.list[now.count++] = note;
        in->sums[k].steady = is_steady(in, &note);
    }
    sherd_free(notes->list);
    *notes = now;
    return SHERD_OK;
}

// quiescence->near: components that cannot rest; then also all of their islands.
static void mark_restless(const search *in)
{
    const sherd_system *system = in->system;
    sherd_quiescence *quiescence = in->quiescence;
    for (int d = 0; d < system->drivers.count; ++d) {
        const sherd_driver *driver = &system->drivers.drivers[d];
        if (driver->drive == SHERD_DRIVE_NONE) continue;
        for (sherd_element_index k = 0; k < driver->count; ++k)
            quiescence->near[quiescence->root[driver->element[k]]] = 1;
    }
    sherd_element_index n = system->elements.count;
    for (sherd_element_index k = 0; k < n; ++k)
        if (quiescence->root[k] == k && !in->sums[k].steady) quiescence->near[k] = 1;
    for (sherd_element_index k = 0; k < n; ++k)
        if (system->elements.asleep[k]) quiescence->near[quiescence->root[k]] = 1;
    // Islands' first roots precede their others.
    for (sherd_element_index k = 0; k < n; ++k) {
        if (quiescence->root[k] != k) continue;
        in->island[k] = in->island[in->island[k]];
        if (quiescence->near[k]) quiescence->near[in->island[k]] = 1;
        if (in->supported[k]) in->supported[in->island[k]] = 1;
    }
    for (sherd_element_index k = 0; k < n; ++k)
        if (quiescence->root[k] == k && !in->supported[in->island[k]])
            quiescence->near[in->island[k]] = 1;
}

// The members of every island at rest, island by island.
static sherd_status list_islands(const search *in, sherd_quiescent_bodies *out, sherd_error *error)
{
    sherd_element_index n = in->system->elements.count, members = 0;
    sherd_element_index *size = sherd_alloc((size_t)n, sizeof *size);
    int32_t *slot = sherd_alloc((size_t)n, sizeof *slot), count = 0;
    bool ok = size != NULL && slot != NULL;
    for (sherd_element_index k = 0; k < n && ok; ++k) {
        int32_t island = in->island[in->quiescence->root[k]];
        if (in->quiescence->near[island]) continue;
        count += size[island]++ == 0;
        ++members;
    }
    out->bodies = sherd_alloc((size_t)count, sizeof *out->bodies);
    out->members = sherd_alloc((size_t)members, sizeof *out->members);
    ok = ok && out->bodies != NULL && out->members != NULL;
    for (sherd_element_index k = 0, at = 0; k < n && ok && count > 0; ++k) {
        int32_t island = in->island[in->quiescence->root[k]];
        if (in->quiescence->near[island]) continue;
        if (island == k) {
            slot[k] = out->count++;
            out->bodies[slot[k]].member = out->members + at;
            at += size[k];
        }
        sherd_quiescent_body *body = &out->bodies[slot[island]];
        out->members[(body->member - out->members) + body->count++] = k;
    }
    sherd_free(size);
    sherd_free(slot);
    return ok ? SHERD_OK : sherd_fail_memory(error, "islands");
}

// All its kinetic energy is dissipated.
static void stop_body(const sherd_elements *e, sherd_quiescent_body *body)
{
    sherd_quiescence_find_motion(e, body);
    body->vibration += sherd_rigid_body_kinetic_energy(&body->motion);
    body->motion.velocity = body->motion.angular_momentum = vec3(0.0, 0.0, 0.0);
    body->is_at_rest = true;
}

static sherd_status begin(search *in, sherd_error *error)
{
    size_t n = (size_t)in->system->elements.count;
    in->island = sherd_alloc(n, sizeof *in->island);
    in->supported = sherd_alloc(n, sizeof *in->supported);
    in->sums = sherd_alloc(n, sizeof *in->sums);
    if (in->island == NULL || in->supported == NULL || in->sums == NULL)
        return sherd_fail_memory(error, "islands");
    for (size_t k = 0; k < n; ++k)
        in->island[k] = (int32_t)k;
    sum_components(in);
    return find_steady(in, error);
}

static void end(search *in)
{
    sherd_free(in->island);
    sherd_free(in->supported);
    sherd_free(in->sums);
}

static bool nothing_is_at_rest(const sherd_system *system)
{
    return system->contacts == NULL || vec3_length(system->gravity) == 0.0;
}

sherd_status sherd_resting_find(sherd_system *system, sherd_quiescent_bodies *bodies,
                                sherd_error *error)
{
    if (nothing_is_at_rest(system)) return SHERD_OK;
    search in = {.system = system, .quiescence = &system->sleep.quiescence};
    sherd_status status = begin(&in, error);
    if (status == SHERD_OK) {
        memset(in.quiescence->near, 0, (size_t)system->elements.count);
        sherd_contacts_join_islands(system->contacts, in.quiescence->root, in.island,
                                    in.quiescence->near);
        sherd_contacts_mark_supported(system->contacts, in.quiescence->root, in.supported);
        mark_restless(&in);
        status = list_islands(&in, bodies, error);
    }
    for (int32_t b = 0; b < bodies->count && status == SHERD_OK; ++b)
        stop_body(&system->elements, &bodies->bodies[b]);
    end(&in);
    return status;
}

sherd_status sherd_resting_check(sherd_system *system, bool *all, sherd_error *error)
{
    *all = false;
    if (nothing_is_at_rest(system)) return SHERD_OK;
    search in = {.system = system, .quiescence = &system->sleep.quiescence};
    sherd_status status = begin(&in, error);
    *all = status == SHERD_OK;
    for (sherd_element_index k = 0; k < system->elements.count && *all; ++k)
        *all = in.quiescence->root[k] != k || in.sums[k].steady;
    end(&in);
    return status;
}
