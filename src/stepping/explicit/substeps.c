#include "stepping/explicit/substeps.h"

#include "base/error.h"
#include "contact/undisturbed_time.h"
#include "math/vec3.h"
#include "stepping/explicit/closing_limit.h"
#include "stepping/explicit/verlet_energy_offset.h"
#include "stepping/implicit/implicit_step.h"
#include "stepping/sleep/advance_asleep.h"
#include "stepping/sleep/rigid_sleep.h"

#include <math.h>
#include <stdio.h>

// If more are needed, surfaces close by 30000 of their sizes in a step: thousands of times the
// speed of sound.
enum { MAX_HALVINGS = 20 };

// Steps for which one check is valid, of any length: more if checks find nothing ...
enum { MIN_CHECK_INTERVAL = 8, MAX_CHECK_INTERVAL = 32 };
// ... unless speeds have grown by this factor since.
static const double GROWN = 1.1;

// Above the stability limit by this factor, bodies that springs will not stop count as fast.
static const double SHORT = 0.5;

// Half a period of two elements in contact: pi/omega, with omega dt >= 0.3 if dt is chosen [steps].
enum { LONGEST_CONTACT = 12 };

// ---------------------------------------------------------------- limits

static void describe_location(const sherd_system *s, const sherd_step_limit *limit, char *where,
                              size_t size)
{
    const sherd_elements *e = &s->elements;
    if (limit->first < 0 &&
        limit->obstacle < 0) { // no approach limits the step: a light body oscillates
        snprintf(where, size, "step %lld, time %g s", (long long)s->step, sherd_system_time(s));
        return;
    }
    if (limit->first < 0) {
        snprintf(where, size, "obstacles '%s' and '%s', step %lld, time %g s",
                 sherd_contacts_obstacle_name(s->contacts, limit->obstacle),
                 sherd_contacts_obstacle_name(s->contacts, limit->other), (long long)s->step,
                 sherd_system_time(s));
        return;
    }
    char second[SHERD_ERROR_TEXT_SIZE / 2];
    if (limit->second < 0)
        snprintf(second, sizeof second, "obstacle '%s'",
                 sherd_contacts_obstacle_name(s->contacts, limit->obstacle));
    else
        snprintf(second, sizeof second, "element %d", (int)sherd_element_number(e, limit->second));
    sherd_vec3 p = sherd_element_position(e, limit->first);
    snprintf(where, size, "element %d at (%g, %g, %g) m and %s, step %lld, time %g s",
             (int)sherd_element_number(e, limit->first), p.x, p.y, p.z, second, (long long)s->step,
             sherd_system_time(s));
}

static sherd_status fail_too_fast(const sherd_system *s, double dt, const sherd_step_limit *limit,
                                  sherd_error *error)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    describe_location(s, limit, where, sizeof where);
    if (s->stable_dt > 0.0 && dt > s->stable_dt)
        return sherd_fail(
            error, SHERD_ERROR_UNSTABLE, where,
            "remove time_step to have it chosen, or make it smaller than the limit",
            "the motion blew up: the time step %g s is above the stability limit %g s", dt,
            s->stable_dt);
    if (limit->first < 0 && limit->obstacle < 0)
        return sherd_fail(
            error, SHERD_ERROR_UNSTABLE, where,
            "check masses, densities and units of free obstacles",
            "a free obstacle is so light that it oscillates on what it touches faster than "
            "%d substeps of a step of %g s resolve",
            1 << MAX_HALVINGS, dt);
    return sherd_fail(
        error, SHERD_ERROR_UNSTABLE, where,
        "check speeds and units; contact stops what is slower than sound, "
        "sqrt(youngs_modulus / density), so lower the speed or raise youngs_modulus",
        "close at %g m/s: %g of their sizes in one step of %g s, more than %d substeps "
        "resolve",
        limit->speed, limit->speed * dt / limit->size, dt, 1 << MAX_HALVINGS);
}

// ---------------------------------------------------------------- substeps

typedef struct splitting {
    sherd_system *system;
    sherd_after_step *after;
    void *context;
    double dt, start_time, begin; // of the whole step; the first of steps like it [s]
    int64_t step, start_step;
    int64_t done, all; // parts, in units of the smallest
    sherd_error *error;
} splitting;

// Longest part of the step that is at most `dt` and may begin here: a power of two of the smallest.
static int64_t part_length(const splitting *p, double dt)
{
    int64_t length = p->all;
    while (length > 1 &&
           ((double)length * p->dt > dt * (double)p->all * (1.0 + 1e-9) || p->done % length != 0))
        length /= 2;
    return length;
}

static void set_part_clock(splitting *p, int64_t length)
{
    sherd_system *s = p->system;
    double passed = (double)p->done / (double)p->all;
    sherd_system_synchronize(s);
    sherd_sleep_renew(s);
    s->start_time = p->begin + passed * p->dt;
    s->start_step = s->step;
    s->split.part = (double)length / (double)p->all;
    sherd_system_change_step(s, s->split.part * p->dt);
}

static void restore_clock(splitting *p)
{
    sherd_system *s = p->system;
    sherd_system_synchronize(s);
    sherd_sleep_recount(s, p->step + 1);
    s->step = p->step + 1;
    sherd_system_change_step(s, p->dt);
    s->start_time = p->start_time;
    s->start_step = p->start_step;
    s->split.part = 0.0;
}

// Parts of one length, as many as the last check covers.
static sherd_status make_parts(splitting *p, int64_t length)
{
    sherd_system *s = p->system;
    set_part_clock(p, length);
    sherd_status status = SHERD_OK;
    while (s->split.parts_left > 0 && p->done < p->all) {
        status = sherd_system_step_explicit(s, p->error);
        if (status != SHERD_OK) break;
        p->done += length;
        ++s->split.parts;
        --s->split.parts_left;
        p->after(p->context, s->split.part);
    }
    sherd_system_synchronize(s);
    return status;
}

// A contact is stepped with parts of one length from its beginning through its turning point until
// it must be over. Contacts that last longer support something at rest.
static void keep_length(splitting *p, sherd_step_limit *limit)
{
    sherd_split *split = &p->system->split;
    if (p->step >= split->contact_until) split->contact_part = INFINITY;
    if (limit->dt < p->dt && limit->dt <= 2.0 * split->contact_part) {
        split->contact_part = fmin(split->contact_part, limit->dt);
        split->contact_until = p->step + LONGEST_CONTACT;
    }
    limit->dt = fmin(limit->dt, fmax(limit->rebound_dt, split->contact_part));
}

static sherd_status search_closing(splitting *p, int steps, sherd_step_limit *limit)
{
    sherd_system *s = p->system;
    sherd_status status = sherd_system_limit_step(s, p->dt, steps, limit, p->error);
    if (status != SHERD_OK) return status;
    s->split.deepest = fmax(s->split.deepest, limit->depth);
    keep_length(p, limit);
    s->split.part_dt = limit->dt;
    s->split.parts_left = MIN_CHECK_INTERVAL;
    return limit->dt * (double)p->all < p->dt ? fail_too_fast(s, p->dt, limit, p->error) : SHERD_OK;
}

// Before a whole step: examines as many steps in advance as possible without finding anything.
static sherd_status check_ahead(splitting *p, sherd_step_limit *limit)
{
    sherd_system *s = p->system;
    int64_t ahead = s->split.ahead < MIN_CHECK_INTERVAL ? MIN_CHECK_INTERVAL : s->split.ahead;
    sherd_sleep_update_poses(s);
    sherd_status status = search_closing(p, (int)ahead, limit);
    if (status == SHERD_OK && limit->dt < p->dt && ahead > MIN_CHECK_INTERVAL) {
        ahead = MIN_CHECK_INTERVAL;
        status = search_closing(p, (int)ahead, limit);
    }
    s->split.next_check = s->step + ahead;
    s->split.ahead = limit->dt < p->dt                ? MIN_CHECK_INTERVAL
                     : 2 * ahead < MAX_CHECK_INTERVAL ? 2 * ahead
                                                      : MAX_CHECK_INTERVAL;
    return status;
}

static sherd_status make_all_parts(splitting *p)
{
    sherd_system *s = p->system;
    sherd_status status = SHERD_OK;
    ++s->split.steps;
    s->split.next_check = -1;
    while (p->done < p->all && status == SHERD_OK) {
        int64_t length = part_length(p, s->split.part_dt);
        s->split.max_substeps = length > 0 && p->all / length > s->split.max_substeps
                                    ? p->all / length
                                    : s->split.max_substeps;
        status = make_parts(p, length);
        if (status == SHERD_OK && p->done < p->all) {
            sherd_step_limit limit;
            sherd_sleep_update_poses(s);
            status = search_closing(p, MIN_CHECK_INTERVAL, &limit);
        }
    }
    if (status == SHERD_OK) restore_clock(p);
    return status;
}

// ---------------------------------------------------------------- the step

static bool check_holds(const sherd_system *s, double speed)
{
    return s->step < s->split.next_check && speed <= GROWN * s->split.speed;
}

// True if the cause that split the last step splits this one, too, without another check.
static bool split_holds(const sherd_system *s, double speed)
{
    return s->split.next_check < 0 && s->split.parts_left > 0 && s->split.part_dt < s->dt &&
           speed <= GROWN * s->split.speed;
}

// Steps of a given length may be so short that nothing is fast in them. Bodies that springs do not
// stop still pass through each other, and so do elements that driven obstacles press, however
// slowly.
static void note_passing(sherd_system *s)
{
    double speed, limit = s->stable_dt;
    if (s->step % MAX_CHECK_INTERVAL == 0)
        s->split.deepest = fmax(s->split.deepest, sherd_system_driven_depth(s));
    if (!(s->dt < SHORT * limit) || s->step % MIN_CHECK_INTERVAL != 0) return;
    if (sherd_system_may_be_fast(s, limit, &speed))
        s->split.deepest = fmax(s->split.deepest, sherd_system_passing_depth(s));
}

static sherd_status step_whole(sherd_system *s, sherd_after_step *after, void *context,
                               sherd_error *error)
{
    sherd_status status = sherd_system_step_explicit(s, error);
    if (status != SHERD_OK) return status;
    note_passing(s);
    after(context, 1.0);
    return SHERD_OK;
}

static sherd_status make_step(sherd_system *s, sherd_after_step *after, void *context,
                              sherd_error *error)
{
    double speed;
    sherd_status status = sherd_system_update_forces(s, error);
    if (status == SHERD_OK && s->sleep.enabled && s->step % SHERD_SLEEP_INTERVAL == 0) {
        sherd_system_synchronize(s);
        status = sherd_sleep_check(s, error);
    }
    if (status != SHERD_OK) return status;
    bool fast = sherd_system_may_be_fast(s, s->dt, &speed);
    // Bodies that a contact has slowed down will rebound.
    if (s->split.next_check >= 0 && (!fast || check_holds(s, speed)))
        return step_whole(s, after, context, error);
    sherd_system_synchronize(s);
    splitting p = {.system = s,
                   .after = after,
                   .context = context,
                   .dt = s->dt,
                   .start_time = s->start_time,
                   .begin = sherd_system_time(s),
                   .step = s->step,
                   .start_step = s->start_step,
                   .all = 1 << MAX_HALVINGS,
                   .error = error};
    if (split_holds(s, speed)) return make_all_parts(&p);
    sherd_step_limit limit;
    status = check_ahead(&p, &limit);
    if (status != SHERD_OK) return status;
    s->split.speed = isfinite(speed) ? speed : 0.0; // unknown: checked again after one step
    return limit.dt < s->dt ? make_all_parts(&p) : step_whole(s, after, context, error);
}

sherd_status sherd_system_step_split(sherd_system *s, sherd_after_step *after, void *context,
                                     sherd_error *error)
{
    sherd_status status = make_step(s, after, context, error);
    if (status == SHERD_OK && sherd_system_all_sleep(s) &&
        !(s->contacts != NULL && sherd_contacts_have_free_bodies(s->contacts)))
        ++s->control.counts.asleep_steps;
    return status;
}
