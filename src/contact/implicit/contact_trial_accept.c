// Acceptance of a step: writes its result into the state of explicit contact.
//
//   histories   the friction spring as stretched, not beyond its limit; the rest overlap, reduced
//               where a pair separated; forces of friction and dashpot, with which explicit contact
//               continues its account of energy
//   lists       pairs and elements near obstacles that have a history; the next prepare of explicit
//               contact finds all others
//   obstacles   poses, loads, and the work of driven ones by the mean of the loads at both ends
//   energy      stored; dissipated by dashpots and friction, each at least 0. Other losses of a step of
//               finite length are booked by the stepper.
#include "base/error.h"
#include "base/memory.h"
#include "contact/explicit/pair_build.h"
#include "contact/implicit/contact_trial_state.h"
#include "math/quat.h"

typedef struct accounts {
    double stored, damped, slid;
    int64_t touching;
} accounts;

// ---------------------------------------------------------------- histories

// The potential of round elements that the faces of a crack have, without their weight.
static double potential_weight(const sherd_trial_record *r)
{
    return r->slides ? r->crack.weight : 1.0;
}

static double friction_stiffness(const sherd_trial_record *r, double held)
{
    return SHERD_CONTACT_TANGENTIAL_RATIO * held * r->law.stiffness;
}

// Weight of the friction of faces, by how far they have slid.
static double held_after(const sherd_trial_record *r)
{
    return r->slides ? sherd_trial_friction_weight(&r->crack) : 1.0;
}

// The friction spring after the step, from its force; with another stiffness it keeps its energy.
static sherd_vec3 spring_after(const sherd_trial_record *r)
{
    const double k_t = friction_stiffness(r, r->held);
    double stretch = r->slides ? sqrt(r->held / held_after(r)) : 1.0;
    return vec3_scale(stretch / k_t, r->slip.gradient);
}

static sherd_contact_history history_after(const sherd_trial_record *r)
{
    double overlap = fmax(0.0, r->now.overlap);
    sherd_contact_history h = {.rest_overlap = fmin(r->law.rest_overlap, overlap)};
    if (!(r->pressed > 0.0)) return h;
    double pressing =
        potential_weight(r) * sherd_contact_spring_evaluate(&r->law.spring, r->pressed).force;
    h.damping = (float)(r->potential.force - pressing);
    h.pressing = (float)pressing;
    h.spring = spring_after(r);
    h.tangential = vec3_scale(-1.0, r->slip.gradient);
    return h;
}

// A contact that pressed at both ends of the step is no longer new.
static sherd_obstacle_history obstacle_history_after(const sherd_trial_record *r)
{
    bool lasts = r->touched && r->pressed > 0.0;
    return (sherd_obstacle_history){.contact = history_after(r),
                                    .lasting = lasts ? r->potential.force : 0.0,
                                    .filled = lasts ? 1.0F : 0.0F,
                                    .slides = lasts && r->slip.slides ? 1.0F : 0.0F,
                                    .normal = r->now.normal};
}

static uint8_t state_after(const sherd_trial_record *r, const sherd_contact_history *h)
{
    int touches = r->slides ? SHERD_PAIR_TOUCHES | SHERD_PAIR_FACES : SHERD_PAIR_TOUCHES;
    return (uint8_t)((r->pressed > 0.0 ? touches : 0) |
                     (contact_history_is_empty(h) ? 0 : SHERD_PAIR_REMEMBERS));
}

// Energy of the barrier in excess of that of the spring.
static double barrier_energy(const sherd_trial_record *r)
{
    contact_potential_value value = {0.0, 0.0, 0.0};
    contact_add_barrier(r->law.stiffness, r->law.width, r->law.limit, r->pressed, &value);
    return potential_weight(r) * value.energy;
}

// Dissipation. Dashpot: its force times the change of overlap, or where it would pull, all the
// energy that the spring returns. Friction: the work of its force minus the energy its spring
// stores.
static void add_record(accounts *sums, const sherd_contact_trial *trial,
                       const sherd_trial_record *r)
{
    if (trial->rolls != NULL) sherd_trial_roll_energy(trial, r, &sums->stored, &sums->slid);
    const contact_trial_law *law = &r->law;
    double s = r->pressed, k_t = friction_stiffness(r, r->held), fraction = potential_weight(r);
    contact_potential_value plain = sherd_contact_spring_evaluate(&law->spring, s);
    double dashpot =
        fraction * (sherd_contact_damped_evaluate(&law->spring, law->dashpot, law->start, s).force -
                    plain.force);
    sherd_vec3 spring = history_after(r).spring;
    double before = 0.5 * k_t * vec3_dot(r->spring, r->spring);
    double after = 0.5 * friction_stiffness(r, held_after(r)) * vec3_dot(spring, spring);
    sums->stored +=
        fraction * plain.energy + after + (r->law.width > 0.0 ? barrier_energy(r) : 0.0);
    sums->damped += fmax(0.0, dashpot * (s - r->law.start));
    if (!(s > 0.0))
        sums->slid += before;
    else if (r->slip.slides || !(r->normal_force > 0.0))
        sums->slid +=
            fmax(0.0, before - after + vec3_dot(r->slip.gradient, vec3_sub(r->stretch, r->spring)));
    sums->touching += s > 0.0;
}

// ---------------------------------------------------------------- pairs

static bool make_room(sherd_pair_histories *histories, size_t max_count)
{
    histories->count = 0;
    return sherd_grow((void **)&histories->pairs, &histories->pair_capacity, max_count,
                      sizeof *histories->pairs) &&
           sherd_grow((void **)&histories->state, &histories->state_capacity, max_count,
                      sizeof *histories->state) &&
           sherd_grow((void **)&histories->history, &histories->history_capacity, max_count,
                      sizeof *histories->history);
}

void sherd_pair_histories_free(sherd_pair_histories *histories)
{
    sherd_free(histories->pairs);
    sherd_free(histories->state);
    sherd_free(histories->history);
}

size_t sherd_pair_histories_bytes(const sherd_pair_histories *histories)
{
    return histories->pair_capacity * sizeof *histories->pairs + histories->state_capacity +
           histories->history_capacity * sizeof *histories->history;
}

// Candidates are sorted, so histories are, too.
static bool collect_histories(sherd_contact_trial *t)
{
    sherd_pair_histories *histories = &t->histories;
    if (!make_room(histories, t->active_count)) return false;
    for (size_t a = 0; a < t->active_count; ++a) {
        const sherd_trial_record *r = &t->records[t->active[a]];
        if (r->j < 0) continue;
        sherd_contact_history history = history_after(r);
        uint8_t state = state_after(r, &history);
        if (state == 0) continue;
        histories->pairs[histories->count] = (sherd_pair){r->i, r->j};
        histories->state[histories->count] = state;
        histories->history[histories->count++] = history;
    }
    return true;
}

static sherd_status accept_pairs(sherd_contact_trial *t, sherd_error *error)
{
    sherd_contacts *c = t->contacts;
    sherd_pair_source source = {.element_count = c->element_count, .parallel = &c->parallel};
    if (!collect_histories(t)) return sherd_fail_memory(error, "contact pairs");
    const sherd_pair_histories *h = &t->histories;
    if (h->count == 0 && sherd_pair_list_count(&c->list) == 0) return SHERD_OK;
    return sherd_pair_list_restore(&c->list, h->pairs, h->state, h->history, h->count, &source,
                                   error);
}

// ---------------------------------------------------------------- obstacles

static sherd_status accept_near(sherd_contact_trial *t, int32_t obstacle, sherd_error *error)
{
    sherd_obstacle_contacts *to = &t->contacts->obstacles[obstacle].contacts;
    size_t count = 0;
    for (size_t a = 0; a < t->active_count; ++a) {
        const sherd_trial_record *r = &t->records[t->active[a]];
        count += r->body_contact < 0 && r->obstacle == obstacle;
    }
    sherd_status status = sherd_obstacle_contacts_resize(to, count, error);
    if (status != SHERD_OK) return status;
    to->count = 0;
    for (size_t a = 0; a < t->active_count; ++a) {
        const sherd_trial_record *r = &t->records[t->active[a]];
        if (r->body_contact >= 0 || r->obstacle != obstacle) continue;
        sherd_obstacle_history history = obstacle_history_after(r);
        uint8_t state = state_after(r, &history.contact);
        if (state == 0) continue;
        to->element[to->count] = r->i;
        to->history[to->count] = history;
        to->state[to->count++] = state;
    }
    return SHERD_OK;
}

// Arms of loads start at the centre of mass of free bodies, and at the pose of other obstacles.
static sherd_vec3 torque_about_pose(const sherd_obstacle *o, const sherd_trial_load *load,
                                    sherd_vec3 centre)
{
    return vec3_add(load->torque, vec3_cross(vec3_sub(centre, o->pose.position), load->force));
}

// Work of twice the mean load.
static double driven_work(const sherd_obstacle *after, sherd_vec3 force, sherd_vec3 torque)
{
    return -0.5 * (vec3_dot(force, after->shift) + vec3_dot(torque, after->rotation));
}

static sherd_vec3 mean_load(sherd_vec3 from, sherd_vec3 to, double before)
{
    return vec3_add(vec3_scale(before, from), vec3_scale(1.0 - before, to));
}

// Momenta of free bodies change by the loads of the time integration scheme. Other obstacles report
// the mean load over time. While they are loaded this is the trapezoidal mean, as for work, because
// the load at the end alone would be half a step ahead. A load that begins or ends in the step, as
// in an impact, is the momentum change of the impacting body over the step.
static double weight_before(const sherd_obstacle *from, sherd_vec3 force, double before)
{
    bool lasts = vec3_length(from->force) > 0.0 && vec3_length(force) > 0.0;
    return from->kind != SHERD_OBSTACLE_FREE && lasts ? 0.5 : before;
}

// Returns the work of a driven obstacle.
static double accept_obstacle(sherd_contact_trial *t, int32_t number, double before)
{
    sherd_obstacle *to = &t->contacts->obstacles[number], *from = &t->obstacles[number];
    double work = 0.0;
    from->force = t->loads[number].force;
    from->torque = torque_about_pose(from, &t->loads[number], t->sides[number].centre);
    if (to->kind == SHERD_OBSTACLE_FREE) {
        from->spin = sherd_rigid_body_spin(&from->body);
        from->velocity =
            vec3_add(from->body.velocity,
                     vec3_cross(from->spin, vec3_sub(from->pose.position, from->body.centre)));
    }
    if (to->kind == SHERD_OBSTACLE_DRIVEN)
        work =
            driven_work(from, vec3_add(to->force, from->force), vec3_add(to->torque, from->torque));
    to->body = from->body;
    to->pose = from->pose;
    to->velocity = from->velocity;
    to->spin = from->spin;
    to->shift = from->shift;
    to->rotation = from->rotation;
    before = weight_before(to, from->force, before);
    to->mean_force = mean_load(to->force, from->force, before);
    to->mean_torque = mean_load(to->torque, from->torque, before);
    if (t->has_mean) {
        to->mean_force = t->mean_loads[number].force;
        to->mean_torque = torque_about_pose(from, &t->mean_loads[number], t->sides[number].centre);
        if (to->kind == SHERD_OBSTACLE_DRIVEN)
            work =
                driven_work(to, vec3_scale(2.0, to->mean_force), vec3_scale(2.0, to->mean_torque));
    }
    to->swing = sherd_load_swing_of_ends((sherd_load){to->force, to->torque},
                                         (sherd_load){from->force, from->torque},
                                         (sherd_load){to->mean_force, to->mean_torque});
    to->force = from->force;
    to->torque = from->torque;
    to->min_slack = -INFINITY; // explicit contact searches again
    return work;
}

// ---------------------------------------------------------------- points of bodies

// Measures points that may have approached, so that they need no measurement for a while.
static void accept_points(sherd_contact_trial *t, int32_t number)
{
    sherd_body_contact *c = &t->contacts->body_contacts[number];
    const sherd_obstacle *a = &t->obstacles[c->body], *b = &t->obstacles[c->other];
    c->travel += t->path[number];
    c->next_due = INFINITY;
    c->touching = 0;
    for (int32_t p = 0; p < c->point_count; ++p) {
        int32_t record = t->point_record[number][p];
        if (record >= 0) {
            const sherd_trial_record *r = &t->records[record];
            c->history[p] = obstacle_history_after(r);
            c->state[p] = state_after(r, &c->history[p].contact);
            c->due[p] = c->travel - r->now.overlap;
            c->touching += r->pressed > 0.0;
        } else if (c->travel >= c->due[p]) {
            const double *local = &a->points[3 * p];
            sherd_vec3 x = pose_apply(a->pose, vec3(local[0], local[1], local[2]));
            c->due[p] = c->travel + sherd_obstacle_distance(b, x);
        }
        c->next_due = fmin(c->next_due, c->due[p]);
    }
}

// ---------------------------------------------------------------- acceptance

// All allocations come first: after a failure the contacts are unchanged, or have histories of a
// step that the caller abandons.
sherd_status sherd_contact_trial_accept(sherd_contact_trial *trial, const sherd_points *points,
                                        double before, sherd_error *error)
{
    sherd_contacts *c = trial->contacts;
    if (!trial->open || !trial->evaluated || points->count != trial->count)
        return sherd_fail(error, SHERD_ERROR_INPUT, "contact", "evaluate the state first",
                          "there is no evaluated step to accept");
    sherd_status status = accept_pairs(trial, error);
    for (int32_t o = 0; o < trial->obstacle_count && status == SHERD_OK; ++o)
        status = accept_near(trial, o, error);
    if (status == SHERD_OK) status = sherd_trial_accept_rolls(trial, error);
    if (status != SHERD_OK) return status;
    for (int32_t b = 0; b < trial->body_contact_count; ++b)
        accept_points(trial, b);
    for (int32_t o = 0; o < trial->obstacle_count; ++o)
        c->work += accept_obstacle(trial, o, before);
    accounts sums = {.touching = 0};
    for (size_t a = 0; a < trial->active_count; ++a)
        add_record(&sums, trial, &trial->records[trial->active[a]]);
    c->stored = sums.stored;
    c->pending = 0.0;
    c->damped += sums.damped;
    c->slid += sums.slid;
    c->touching = sums.touching;
    c->broken_count = 0;
    c->fresh = c->searched = false;
    c->lists_changed = true;
    sherd_displacement_forget(&c->tracker);
    sherd_contacts_recount(c);
    sherd_contact_trial_abandon(trial);
    return SHERD_OK;
}
