#include "stepping/sleep/rigid_sleep.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "contact/resting_load.h"
#include "math/quat.h"
#include "stepping/sleep/quiescence.h"
#include "stepping/sleep/resting_contact.h"
#include "stepping/system.h"

#include <string.h>

enum { POSE_CHUNK = 2048 };

// Largest rotation in one call of sherd_rigid_body_drift [rad].
static const double MAX_ROTATION = 0.5;

// ---------------------------------------------------------------- motion of one sleeper

static double time_since(const sherd_system *system, const sherd_sleeper *s, int64_t step)
{
    return (double)(step - s->step) * system->dt;
}

// Velocity Verlet, which is exact in a uniform field.
static sherd_vec3 centre_at(const sherd_system *system, const sherd_sleeper *s, int64_t step)
{
    if (s->is_at_rest) return s->motion.centre;
    double t = time_since(system, s, step);
    sherd_vec3 moved = vec3_add_scaled(s->motion.centre, t, s->motion.velocity);
    return vec3_add_scaled(moved, 0.5 * t * t, system->gravity);
}

static sherd_rigid_body motion_at(const sherd_system *system, const sherd_sleeper *s, int64_t step)
{
    sherd_rigid_body body = s->motion;
    if (s->is_at_rest) return body;
    double t = time_since(system, s, step);
    double parts = 1.0 + floor(fabs(t) * vec3_length(sherd_rigid_body_spin(&body)) / MAX_ROTATION);
    for (double k = 0.0; k < parts && t != 0.0; ++k)
        sherd_rigid_body_drift(&body, t / parts);
    body.centre = centre_at(system, s, step);
    body.velocity = vec3_add_scaled(s->motion.velocity, t, system->gravity);
    return body;
}

// ---------------------------------------------------------------- positions of elements

typedef struct pose_job {
    sherd_system *system;
    const sherd_element_index *member;
    sherd_rigid_body body;
    sherd_vec3 spin;
} pose_job;

static void pose_range(void *context, size_t begin, size_t end)
{
    const pose_job *job = context;
    const sherd_sleep *sleep = &job->system->sleep;
    sherd_elements *e = &job->system->elements;
    double *const *at = sleep->local_at, *const *q = sleep->local_q;
    for (size_t m = begin; m < end; ++m) {
        sherd_element_index k = job->member[m];
        sherd_vec3 arm = quat_rotate(job->body.rotation, vec3(at[0][k], at[1][k], at[2][k]));
        sherd_vec3 p = vec3_add(job->body.centre, arm);
        sherd_vec3 v = vec3_add(job->body.velocity, vec3_cross(job->spin, arm));
        sherd_quat turned =
            quat_multiply(job->body.rotation, quat(q[0][k], q[1][k], q[2][k], q[3][k]));
        e->px[k] = p.x, e->py[k] = p.y, e->pz[k] = p.z;
        e->vx[k] = v.x, e->vy[k] = v.y, e->vz[k] = v.z;
        e->qx[k] = turned.x, e->qy[k] = turned.y, e->qz[k] = turned.z, e->qw[k] = turned.w;
        sherd_vec3 w = sherd_element_is_spinless(e, k) ? (sherd_vec3){0} : job->spin;
        e->wx[k] = w.x, e->wy[k] = w.y, e->wz[k] = w.z;
        // Bonds set loads of awake elements only, and contact adds to them.
        sherd_elements_clear_loads(e, k, k + 1);
    }
}

static void pose_sleeper(sherd_system *system, const sherd_sleeper *s, int64_t step)
{
    pose_job job = {system, s->member, motion_at(system, s, step), {0.0, 0.0, 0.0}};
    job.spin = sherd_rigid_body_spin(&job.body);
    sherd_parallel_for(&system->parallel, (size_t)s->count, POSE_CHUNK, pose_range, &job);
}

static void pose_all(void *context)
{
    sherd_system *system = context;
    const sherd_sleepers *sleepers = &system->sleep.sleepers;
    for (int32_t s = 0; s < sleepers->count; ++s)
        pose_sleeper(system, &sleepers->list[s], system->sleep.pose_step);
}

void sherd_sleep_update_poses(sherd_system *system)
{
    system->sleep.pose_step = system->step;
    pose_all(system);
}

void sherd_sleep_advance(sherd_system *system, int64_t step)
{
    sherd_sleepers *sleepers = &system->sleep.sleepers;
    system->sleep.pose_step = step;
    for (int32_t s = 0; s < sleepers->count; ++s)
        sleepers->list[s].centre = centre_at(system, &sleepers->list[s], step);
}

// ---------------------------------------------------------------- creation

sherd_element_index sherd_sleep_count(const sherd_system *system)
{
    const sherd_sleepers *sleepers = &system->sleep.sleepers;
    sherd_element_index count = 0;
    for (int32_t s = 0; s < sleepers->count; ++s)
        count += sleepers->list[s].count;
    return count;
}

sherd_status sherd_sleep_init(sherd_system *system, sherd_error *error)
{
    sherd_sleep *sleep = &system->sleep;
    sherd_sleepers *sleepers = &sleep->sleepers;
    sleepers->update_poses = pose_all;
    sleepers->context = system;
    if (system->contacts != NULL) sherd_contacts_set_sleepers(system->contacts, sleepers);
    sherd_status status = sherd_quiescence_init(&sleep->quiescence, system->elements.count, error);
    sleep->enabled = status == SHERD_OK;
    return status;
}

static void free_sleepers(sherd_sleepers *sleepers)
{
    for (int32_t s = 0; s < sleepers->count; ++s)
        sherd_free(sleepers->list[s].member);
    sleepers->count = 0;
}

void sherd_sleep_free(sherd_sleep *sleep)
{
    free_sleepers(&sleep->sleepers);
    sherd_free(sleep->sleepers.list);
    sherd_free(sleep->sleepers.of);
    for (int a = 0; a < 3; ++a)
        sherd_free(sleep->local_at[a]);
    for (int a = 0; a < 4; ++a)
        sherd_free(sleep->local_q[a]);
    sherd_quiescence_free(&sleep->quiescence);
    *sleep = (sherd_sleep){.enabled = false};
}

size_t sherd_sleep_bytes(const sherd_system *system)
{
    const sherd_sleep *sleep = &system->sleep;
    if (!sleep->enabled) return 0;
    size_t each = sleep->poses_allocated ? 7 * sizeof(double) + sizeof *sleep->sleepers.of : 0;
    return (size_t)system->elements.count * each +
           sherd_quiescence_bytes(&sleep->quiescence, system->elements.count) +
           sleep->sleepers.capacity * sizeof *sleep->sleepers.list;
}

static void wake_all(sherd_sleep *sleep, size_t elements)
{
    for (size_t k = 0; k < elements; ++k)
        sleep->sleepers.of[k] = -1;
}

void sherd_sleep_forget(sherd_system *system)
{
    size_t n = (size_t)system->elements.count;
    free_sleepers(&system->sleep.sleepers);
    system->sleep.quiescence.notes.count = 0;
    memset(system->elements.asleep, 0, n);
    if (system->sleep.poses_allocated) wake_all(&system->sleep, n);
}

static sherd_status allocate_poses(sherd_system *system, sherd_error *error)
{
    sherd_sleep *sleep = &system->sleep;
    size_t n = (size_t)system->elements.count;
    if (sleep->poses_allocated) return SHERD_OK;
    for (int a = 0; a < 7; ++a) {
        double **array = a < 3 ? &sleep->local_at[a] : &sleep->local_q[a - 3];
        if (*array == NULL) *array = sherd_alloc(n, sizeof **array);
        if (*array == NULL) return sherd_fail_memory(error, "bodies that sleep");
    }
    sleep->sleepers.of = sherd_alloc(n, sizeof *sleep->sleepers.of);
    if (sleep->sleepers.of == NULL) return sherd_fail_memory(error, "bodies that sleep");
    wake_all(sleep, n);
    sleep->poses_allocated = true;
    return SHERD_OK;
}

sherd_sleeper *sherd_sleep_add(sherd_system *system, sherd_element_index count, sherd_error *error)
{
    SHERD_ASSERT(count > 0, "a sleeper has members");
    sherd_sleepers *sleepers = &system->sleep.sleepers;
    sherd_element_index *member = sherd_alloc((size_t)count, sizeof *member);
    if (member == NULL || allocate_poses(system, error) != SHERD_OK ||
        !sherd_grow((void **)&sleepers->list, &sleepers->capacity, (size_t)sleepers->count + 1,
                    sizeof *sleepers->list)) {
        sherd_free(member);
        sherd_fail_memory(error, "bodies that sleep");
        return NULL;
    }
    sherd_sleeper *s = &sleepers->list[sleepers->count++];
    *s = (sherd_sleeper){.count = count, .member = member};
    return s;
}

void sherd_sleep_assign_members(sherd_system *system, const sherd_sleeper *s)
{
    sherd_sleepers *sleepers = &system->sleep.sleepers;
    for (sherd_element_index m = 0; m < s->count; ++m) {
        int32_t before = sleepers->of[s->member[m]]; // itself if sleepers before it woke
        SHERD_ASSERT(before < 0 || before >= s - sleepers->list, "an element sleeps in one body");
        sleepers->of[s->member[m]] = (int32_t)(s - sleepers->list);
        system->elements.asleep[s->member[m]] = 1;
    }
}

// ---------------------------------------------------------------- falling asleep

// Stores positions of the body's elements in its frame; returns its radius about the centre [m].
static double store_local_poses(sherd_system *system, const sherd_sleeper *s)
{
    sherd_sleep *sleep = &system->sleep;
    sherd_elements *e = &system->elements;
    double farthest = 0.0;
    for (sherd_element_index m = 0; m < s->count; ++m) {
        sherd_element_index k = s->member[m];
        sherd_vec3 arm = vec3_sub(sherd_element_position(e, k), s->motion.centre);
        sherd_vec3 at = quat_rotate_inverse(s->motion.rotation, arm);
        sherd_quat q = quat_normalize(
            quat_multiply(quat_conjugate(s->motion.rotation), sherd_element_orientation(e, k)));
        sleep->local_at[0][k] = at.x, sleep->local_at[1][k] = at.y, sleep->local_at[2][k] = at.z;
        sleep->local_q[0][k] = q.x, sleep->local_q[1][k] = q.y;
        sleep->local_q[2][k] = q.z, sleep->local_q[3][k] = q.w;
        farthest = fmax(farthest, vec3_length(at) + sherd_element_radius(e, k));
    }
    return farthest;
}

// Upper bound of the spin with this angular momentum: rotation about the axis of least inertia
// [rad/s].
static double largest_spin(const sherd_rigid_body *body)
{
    sherd_vec3 I = body->properties.inertia;
    return vec3_length(body->angular_momentum) / fmin(I.x, fmin(I.y, I.z));
}

static sherd_status fall_asleep(sherd_system *system, const sherd_quiescent_body *body,
                                sherd_error *error)
{
    sherd_sleeper *s = sherd_sleep_add(system, body->count, error);
    if (s == NULL) return SHERD_ERROR_MEMORY;
    memcpy(s->member, body->member, (size_t)body->count * sizeof *s->member);
    s->motion = body->motion;
    s->is_at_rest = body->is_at_rest;
    s->step = system->step;
    s->centre = s->motion.centre;
    s->radius = store_local_poses(system, s);
    s->rim_speed = largest_spin(&s->motion) * s->radius;
    sherd_sleep_assign_members(system, s);
    pose_sleeper(system, s, system->step);
    system->accounts.dissipated_bonds += body->vibration;
    if (system->contacts != NULL)
        sherd_contacts_see_sleeper(system->contacts, &system->elements.points, s);
    return SHERD_OK;
}

// Motions of sleepers start from a recent time, so that computing positions always costs the same.
void sherd_sleep_renew(sherd_system *system)
{
    sherd_sleepers *sleepers = &system->sleep.sleepers;
    for (int32_t s = 0; s < sleepers->count; ++s) {
        sherd_sleeper *at = &sleepers->list[s];
        at->motion = motion_at(system, at, system->step);
        at->step = system->step;
    }
}

void sherd_sleep_recount(sherd_system *system, int64_t step)
{
    sherd_sleep_renew(system);
    for (int32_t s = 0; s < system->sleep.sleepers.count; ++s)
        system->sleep.sleepers.list[s].step = step;
}

static sherd_status fall_asleep_all(sherd_system *system, const sherd_quiescent_bodies *quiescent,
                                    sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int32_t b = 0; b < quiescent->count && status == SHERD_OK; ++b)
        status = fall_asleep(system, &quiescent->bodies[b], error);
    return status;
}

static sherd_status fall_asleep_at_rest(sherd_system *system, const sherd_quiescent_bodies *resting,
                                        sherd_error *error)
{
    int32_t first = system->sleep.sleepers.count;
    sherd_status status = fall_asleep_all(system, resting, error);
    if (status != SHERD_OK || resting->count == 0) return status;
    return sherd_contacts_balance_loads(system->contacts, &system->elements.points, first,
                                        system->gravity, error);
}

sherd_status sherd_sleep_check(sherd_system *system, sherd_error *error)
{
    sherd_sleep_renew(system);
    sherd_quiescent_bodies quiescent = {0}, resting = {0};
    sherd_status status = sherd_quiescence_begin(system, error);
    if (status == SHERD_OK) status = sherd_quiescence_find(system, &quiescent, error);
    if (status == SHERD_OK) status = fall_asleep_all(system, &quiescent, error);
    if (status == SHERD_OK) status = sherd_resting_find(system, &resting, error);
    if (status == SHERD_OK) status = fall_asleep_at_rest(system, &resting, error);
    sherd_quiescent_bodies_free(&quiescent);
    sherd_quiescent_bodies_free(&resting);
    sherd_quiescence_end(&system->sleep.quiescence, system->elements.count);
    return status;
}

sherd_status sherd_sleep_all(sherd_system *system, bool now, bool *all, sherd_error *error)
{
    sherd_quiescent_bodies quiescent = {0};
    *all = false;
    if (!system->sleep.enabled || sherd_sleep_count(system) > 0) return SHERD_OK;
    sherd_status status = sherd_quiescence_begin(system, error);
    if (status == SHERD_OK)
        status = now ? sherd_quiescence_find_now(system, &quiescent, error)
                     : sherd_quiescence_find(system, &quiescent, error);
    sherd_element_index count = 0;
    for (int32_t b = 0; b < quiescent.count; ++b)
        count += quiescent.bodies[b].count;
    if (status == SHERD_OK && count == system->elements.count) {
        *all = true;
        status = fall_asleep_all(system, &quiescent, error);
    }
    sherd_quiescent_bodies_free(&quiescent);
    sherd_quiescence_end(&system->sleep.quiescence, system->elements.count);
    return status;
}

sherd_status sherd_sleep_note_rest(sherd_system *system, bool *still, sherd_error *error)
{
    sherd_status status = sherd_quiescence_begin(system, error);
    if (status == SHERD_OK) status = sherd_resting_check(system, still, error);
    sherd_quiescence_end(&system->sleep.quiescence, system->elements.count);
    return status;
}

sherd_status sherd_sleep_all_at_rest(sherd_system *system, bool *all, sherd_error *error)
{
    sherd_quiescent_bodies resting = {0};
    sherd_status status = sherd_quiescence_begin(system, error);
    if (status == SHERD_OK) status = sherd_resting_find(system, &resting, error);
    sherd_element_index count = 0;
    for (int32_t b = 0; b < resting.count; ++b)
        count += resting.bodies[b].count;
    *all = status == SHERD_OK && count == system->elements.count;
    if (*all) status = fall_asleep_at_rest(system, &resting, error);
    sherd_quiescent_bodies_free(&resting);
    sherd_quiescence_end(&system->sleep.quiescence, system->elements.count);
    return status;
}

// ---------------------------------------------------------------- waking

static void wake(sherd_system *system, const sherd_sleeper *s, double half_step)
{
    sherd_elements *e = &system->elements;
    pose_sleeper(system, s, system->sleep.pose_step);
    if (system->contacts != NULL) sherd_contacts_woke(system->contacts, s);
    for (sherd_element_index m = 0; m < s->count; ++m) {
        sherd_element_index k = s->member[m];
        system->sleep.sleepers.of[k] = -1;
        e->asleep[k] = 0;
        if (s->is_at_rest) continue;
        // The second half kick of this step follows later.
        e->vx[k] -= half_step * system->gravity.x;
        e->vy[k] -= half_step * system->gravity.y;
        e->vz[k] -= half_step * system->gravity.z;
    }
}

// Wakes the marked ones and closes the list's gaps. True if there were any.
static bool wake_marked(sherd_system *system, const uint8_t *near, double half_step)
{
    sherd_sleepers *sleepers = &system->sleep.sleepers;
    int32_t kept = 0, all = sleepers->count;
    for (int32_t s = 0; s < sleepers->count; ++s) {
        if (near[s]) {
            wake(system, &sleepers->list[s], half_step);
            sherd_free(sleepers->list[s].member);
            continue;
        }
        sleepers->list[kept] = sleepers->list[s];
        if (kept != s) sherd_sleep_assign_members(system, &sleepers->list[kept]);
        ++kept;
    }
    sleepers->count = kept;
    return kept < all;
}

sherd_status sherd_sleep_wake_near(sherd_system *system, double half_step, sherd_error *error)
{
    const sherd_sleepers *sleepers = &system->sleep.sleepers;
    if (!sherd_contacts_take_changed(system->contacts) || sleepers->count == 0) return SHERD_OK;
    uint8_t *near = sherd_alloc((size_t)sleepers->count, sizeof *near);
    if (near == NULL) return sherd_fail_memory(error, "bodies that sleep");
    do { // waking bodies may disturb others at rest
        memset(near, 0, (size_t)sleepers->count);
        sherd_contacts_mark_disturbed(system->contacts, near);
    } while (wake_marked(system, near, half_step));
    sherd_free(near);
    return SHERD_OK;
}

sherd_status sherd_sleep_wake_some(sherd_system *system, const int32_t *of, int32_t number,
                                   sherd_error *error)
{
    const sherd_sleepers *sleepers = &system->sleep.sleepers;
    if (sleepers->count == 0) return SHERD_OK;
    uint8_t *some = sherd_alloc((size_t)sleepers->count, sizeof *some);
    if (some == NULL) return sherd_fail_memory(error, "bodies that sleep");
    for (int32_t s = 0; s < sleepers->count; ++s)
        some[s] = of[sleepers->list[s].member[0]] == number;
    sherd_sleep_update_poses(system);
    wake_marked(system, some, 0.0);
    sherd_free(some);
    return SHERD_OK;
}

sherd_status sherd_sleep_wake_all(sherd_system *system, sherd_error *error)
{
    const sherd_sleepers *sleepers = &system->sleep.sleepers;
    if (sleepers->count == 0) return SHERD_OK;
    uint8_t *all = sherd_alloc((size_t)sleepers->count, sizeof *all);
    if (all == NULL) return sherd_fail_memory(error, "bodies that sleep");
    memset(all, 1, (size_t)sleepers->count);
    wake_marked(system, all, 0.0);
    sherd_free(all);
    return SHERD_OK;
}
