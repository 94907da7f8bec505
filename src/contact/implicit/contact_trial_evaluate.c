// Energy, loads and tangents of a trial state.
//
// The set of evaluated contacts does not depend on the lists: it consists of the pairs that overlap
// and those that have a record. Each contact is computed separately; sums run over contacts in
// order of i. So results are bitwise the same for every number of threads, and for every path to a
// trial state.
#include "base/error.h"
#include "base/memory.h"
#include "contact/implicit/contact_trial_state.h"
#include "math/quat.h"

enum { CANDIDATE_CHUNK = 1024, RECORD_CHUNK = 64 };

// ---------------------------------------------------------------- poses of obstacles

static void pose_free(sherd_obstacle *o, const sherd_obstacle *start)
{
    o->pose = sherd_rigid_body_pose(&o->body);
    o->shift = vec3_sub(o->pose.position, start->pose.position);
    o->rotation = quat_to_rotation_vector(
        quat_multiply(o->pose.rotation, quat_conjugate(start->pose.rotation)));
}

void sherd_trial_pose_obstacles(sherd_contact_trial *trial)
{
    for (int o = 0; o < trial->obstacle_count; ++o) {
        sherd_obstacle *at = &trial->obstacles[o];
        const sherd_obstacle *start = &trial->contacts->obstacles[o];
        bool is_free = at->kind == SHERD_OBSTACLE_FREE;
        if (is_free) pose_free(at, start);
        trial->sides[o] = (sherd_trial_motion){
            is_free ? at->body.centre : at->pose.position,
            is_free ? vec3_sub(at->body.centre, start->body.centre) : at->shift, at->rotation};
        if (at->kind == SHERD_OBSTACLE_FIXED)
            trial->sides[o].shift = trial->sides[o].rotation = vec3(0.0, 0.0, 0.0);
    }
    for (int b = 0; b < trial->body_contact_count; ++b)
        trial->path[b] =
            sherd_body_contact_path(&trial->contacts->body_contacts[b], trial->obstacles);
}

sherd_trial_motion sherd_trial_motion_of(const sherd_contact_trial *t, const sherd_points *e,
                                         sherd_element_index k)
{
    double *const *s = t->start;
    sherd_vec3 p = sherd_point_position(e, k), from = vec3(s[0][k], s[1][k], s[2][k]);
    sherd_quat was = quat(s[3][k], s[4][k], s[5][k], s[6][k]);
    sherd_quat rotation = quat_multiply(sherd_point_orientation(e, k), quat_conjugate(was));
    return (sherd_trial_motion){p, vec3_sub(p, from), quat_to_rotation_vector(rotation)};
}

// ---------------------------------------------------------------- one contact

static sherd_vec3 onto_plane(sherd_vec3 n, sherd_vec3 a)
{
    return vec3_add_scaled(a, -vec3_dot(a, n), n);
}

static sherd_vec3 slid_by(const sherd_trial_motion *side, sherd_vec3 arm)
{
    return vec3_add(side->shift, vec3_cross(side->rotation, arm));
}

static sherd_vec3 start_velocity(const sherd_contact_trial *t, sherd_element_index k)
{
    return vec3(t->start[7][k], t->start[8][k], t->start[9][k]);
}

// A body that hits a surface at speed v_n is first stopped with the pressure rho c v_n, rho c =
// sqrt(E rho).
static double impedance(const sherd_contact_trial *t, const sherd_points *e, sherd_element_index k)
{
    double modulus = t->contacts->materials[sherd_point_material(e, k)].youngs_modulus,
           r = sherd_point_radius(e, k);
    return sqrt(modulus * sherd_point_mass(e, k) / (4.0 / 3.0 * M_PI * r * r * r));
}

// Predicted moves end where they enter an obstacle, so the time follows from the speed alone.
// Elements may pass each other closely and fast: for them it follows from the overlap.
static double meets_in(const sherd_contact_trial *t, const sherd_trial_record *r, double speed)
{
    double gap = fmax(0.0, -r->lagged.overlap);
    return r->j < 0 ? gap / speed : t->dt * gap / (gap + r->now.overlap);
}

static sherd_vec3 obstacle_velocity(const sherd_contact_trial *t, int32_t obstacle, sherd_vec3 at)
{
    const sherd_obstacle *was = &t->contacts->obstacles[obstacle];
    bool driven = was->kind == SHERD_OBSTACLE_DRIVEN;
    return sherd_obstacle_velocity(driven ? &t->obstacles[obstacle] : was, at);
}

// Velocity of the other side relative to i at the contact point, at the start of the step.
static sherd_vec3 closing_velocity(const sherd_contact_trial *t, const sherd_points *e,
                                   const sherd_trial_record *r)
{
    bool is_point = r->body_contact >= 0;
    sherd_vec3 centre = is_point ? t->sides[r->i].centre : sherd_point_position(e, r->i);
    sherd_vec3 at = vec3_add(centre, r->now.arm_i);
    sherd_vec3 other = r->j >= 0 ? start_velocity(t, r->j) : obstacle_velocity(t, r->obstacle, at);
    return vec3_sub(other, is_point ? obstacle_velocity(t, r->i, at) : start_velocity(t, r->i));
}

// Impact pressure with the softer of two elements, as if the other were rigid: an upper bound, at
// most twice that of two equal elements. The larger of the closing speeds along the present normal
// and along the initial direction counts, because the trial state may be half way through the other
// element.
static void judge_impact(const sherd_contact_trial *t, const sherd_points *e, sherd_trial_record *r)
{
    r->impact = r->impact_in = r->rebound = 0.0;
    if (r->touched || r->pressed <= 0.0) return;
    sherd_vec3 v = closing_velocity(t, e, r);
    double speed = fmax(vec3_dot(v, r->now.normal), vec3_dot(v, r->lagged.normal));
    if (!(speed > 0.0)) return;
    r->rebound = r->restitution * speed;
    r->impact_in = meets_in(t, r, speed);
    if (r->body_contact >= 0) return;
    double z = impedance(t, e, r->i);
    if (r->j >= 0) z = fmin(z, impedance(t, e, r->j));
    r->impact = z * speed;
}

// Rotations that are no unknowns need no derivative: the torque is that of the force.
static void add_friction(const sherd_contact_trial *t, sherd_trial_record *r,
                         const sherd_trial_motion *i, const sherd_trial_motion *j)
{
    const sherd_vec3 none = {0.0, 0.0, 0.0};
    bool unknown = r->j >= 0 || t->body_of[r->obstacle] >= 0;
    sherd_vec3 n = r->lagged.normal;
    r->slid = vec3_sub(slid_by(i, r->lagged.arm_i), slid_by(j, r->lagged.arm_j));
    r->stretch = onto_plane(n, vec3_add(r->spring, r->slid));
    double cap = r->law.friction * r->normal_force;
    r->slip = (contact_slip){.energy = 0.0};
    if (cap > 0.0) r->slip = contact_slipped(r->held * r->law.stiffness, cap, r->stretch);
    sherd_vec3 f = r->slip.gradient; // on j
    r->force = vec3_sub(r->force, f);
    r->torque_i =
        vec3_sub(r->torque_i, contact_rotated_torque(i->rotation, vec3_cross(r->lagged.arm_i, f)));
    r->torque_j = vec3_add(r->torque_j, contact_rotated_torque(unknown ? j->rotation : none,
                                                               vec3_cross(r->lagged.arm_j, f)));
}

// Smallest distance of the centres of two elements on their straight paths since the start [m].
static double nearest_on_segment(const sherd_contact_trial *t, const sherd_points *e,
                                 sherd_element_index i, sherd_element_index j)
{
    double *const *s = t->start;
    sherd_vec3 from = vec3(s[0][i] - s[0][j], s[1][i] - s[1][j], s[2][i] - s[2][j]);
    sherd_vec3 to = vec3_sub(sherd_point_position(e, i), sherd_point_position(e, j));
    sherd_vec3 direction = vec3_sub(to, from);
    double length2 = vec3_dot(direction, direction), fraction = -vec3_dot(from, direction);
    if (!(fraction > 0.0)) return vec3_length(from);
    if (fraction >= length2) return vec3_length(to);
    return vec3_length(vec3_add_scaled(from, fraction / length2, direction));
}

// True if they met a barrier on the path, `depth` beyond touching. Elements that end behind it have
// passed through, and the energy at the end would not show it.
static bool meet_wall(const sherd_contact_trial *t, const sherd_points *e, sherd_element_index i,
                      sherd_element_index j, double depth)
{
    double reach = sherd_point_radius(e, i) + sherd_point_radius(e, j);
    return nearest_on_segment(t, e, i, j) <= reach - depth;
}

void sherd_trial_evaluate_record(const sherd_contact_trial *t, const sherd_points *e,
                                 const sherd_trial_poses *poses, sherd_trial_record *r)
{
    bool is_point = r->body_contact >= 0;
    r->now = sherd_trial_geometry_of(t, r, poses, e);
    r->pressed = fmax(0.0, fmax(0.0, r->now.overlap) - r->law.rest_overlap);
    if (r->slides && !(r->crack.weight > 0.0)) r->pressed = 0.0;
    r->potential = contact_law_evaluate(&r->law, r->pressed);
    double wall = contact_wall(&r->law);
    if (wall > 0.0 && r->j >= 0 && !r->slides &&
        meet_wall(t, e, r->i, r->j, r->law.rest_overlap + wall))
        r->potential = (contact_potential_value){INFINITY, 0.0, 0.0};
    r->force = vec3_scale(r->potential.force, r->now.normal);
    // The normal force acts through the centre of an element.
    const sherd_vec3 none = {0.0, 0.0, 0.0};
    r->torque_i = is_point ? vec3_cross(r->now.arm_i, r->force) : none;
    r->torque_j = r->j >= 0 ? none : vec3_cross(r->force, r->now.arm_j);
    if (r->slides) sherd_trial_push_faces(r);
    sherd_trial_motion i = is_point ? t->sides[r->i] : sherd_trial_motion_of(t, e, r->i);
    sherd_trial_motion j = r->j >= 0 ? sherd_trial_motion_of(t, e, r->j) : t->sides[r->obstacle];
    add_friction(t, r, &i, &j);
    if (t->rolls != NULL)
        sherd_trial_roll_on(t, r, &i, &j, r->j >= 0 || t->body_of[r->obstacle] >= 0);
    judge_impact(t, e, r);
}

typedef struct record_job {
    const sherd_contact_trial *trial;
    const sherd_points *points;
    sherd_trial_poses poses;
} record_job;

static void evaluate_range(void *context, size_t begin, size_t end)
{
    const record_job *job = context;
    for (size_t a = begin; a < end; ++a)
        sherd_trial_evaluate_record(job->trial, job->points, &job->poses,
                                    &job->trial->records[job->trial->active[a]]);
}

// ---------------------------------------------------------------- selection of contacts

double sherd_trial_wall(const sherd_contact_trial *t)
{
    const sherd_contact_pairing *any = t->contacts->pairings;
    if (any->barrier_limit > 0.0) return 0.0;
    return any->walled ? any->width : t->barrier;
}

bool sherd_trial_overlaps(const sherd_contact_trial *t, const sherd_points *e,
                          const sherd_trial_candidate *c)
{
    sherd_vec3 p = sherd_point_position(e, c->i);
    if (c->other >= trial_location_count(t)) {
        sherd_element_index j = c->other - trial_location_count(t);
        sherd_crack_pair pair;
        sherd_crack_contact crack;
        if (t->contacts->faces != NULL &&
            sherd_trial_slides(t, e, c->i, j, SHERD_TOUCH_NONE, &pair, &crack)) {
            sherd_trial_poses now = sherd_trial_now(t, e);
            crack = sherd_trial_crack(&pair, &now, e, c->i, j);
            return crack.overlap > 0.0 && crack.weight > 0.0;
        }
        sherd_vec3 d = vec3_sub(p, sherd_point_position(e, j));
        double reach = sherd_point_radius(e, c->i) + sherd_point_radius(e, j);
        if (vec3_dot(d, d) < reach * reach) return true;
        double wall = sherd_trial_wall(t);
        return wall > 0.0 && meet_wall(t, e, c->i, j, wall);
    }
    const sherd_obstacle *o = &t->obstacles[trial_obstacle_of(t, c->other)];
    sherd_vec3 facing;
    if (sherd_obstacle_watch_slack(&o->watch, c->i) > o->moved) return false;
    if (o->location_count > 1)
        return !sherd_trial_is_deferred(t, c) && sherd_trial_new_location(t, e, c, &facing);
    return sherd_obstacle_distance(o, p) < sherd_point_radius(e, c->i);
}

static void find_range(void *context, size_t begin, size_t end)
{
    const record_job *job = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_trial_candidate *c = &job->trial->candidates[k];
        c->active = c->record >= 0 || sherd_trial_overlaps(job->trial, job->points, c);
    }
}

static const sherd_contact_history NOTHING_BEFORE = {.rest_overlap = 0.0};

static bool push_active(sherd_contact_trial *trial, int32_t record)
{
    if (!sherd_grow((void **)&trial->active, &trial->active_capacity, trial->active_count + 1,
                    sizeof *trial->active))
        return false;
    trial->active[trial->active_count++] = record;
    return true;
}

bool sherd_trial_record_candidate(sherd_contact_trial *trial, const sherd_points *points,
                                  sherd_trial_candidate *c)
{
    int32_t sibling = -1;
    sherd_vec3 facing = {0.0, 0.0, 0.0};
    if (trial_has_locations(trial, c->other)) {
        if (!sherd_trial_new_location(trial, points, c, &facing)) return true;
        sibling = sherd_trial_sibling(trial, c);
    }
    if (!sherd_trial_record_element(trial, c->i, c->other, &NOTHING_BEFORE, sibling, facing))
        return false;
    c->record = (int32_t)(trial->record_count - 1);
    return true;
}

// An element may touch an obstacle at a second location in the same evaluation.
static bool evaluate_candidates(sherd_contact_trial *trial, const sherd_points *points)
{
    bool begun = false;
    for (size_t k = 0; k < trial->candidate_count; ++k) {
        sherd_trial_candidate *c = &trial->candidates[k];
        bool another = begun && c->record < 0 && c->i == c[-1].i &&
                       trial_obstacle_of(trial, c->other) == trial_obstacle_of(trial, c[-1].other);
        begun = false;
        if (!c->active && !another) continue;
        if (c->record < 0) {
            if (!sherd_trial_record_candidate(trial, points, c)) return false;
            begun = c->record >= 0 && trial_has_locations(trial, c->other);
        }
        if (c->record >= 0 && !push_active(trial, c->record)) return false;
    }
    return true;
}

static bool point_overlaps(const sherd_contact_trial *trial, const sherd_body_contact *contact,
                           int32_t point)
{
    const sherd_obstacle *a = &trial->obstacles[contact->body];
    const double *local = &a->points[3 * point];
    sherd_vec3 x = pose_apply(a->pose, vec3(local[0], local[1], local[2]));
    return sherd_obstacle_distance(&trial->obstacles[contact->other], x) < 0.0;
}

static bool evaluate_points(sherd_contact_trial *trial, int32_t b)
{
    const sherd_body_contact *contact = &trial->contacts->body_contacts[b];
    double travel = contact->travel + trial->path[b];
    for (int32_t p = 0; p < contact->point_count; ++p) {
        int32_t *record = &trial->point_record[b][p];
        if (*record < 0) {
            if (travel < contact->due[p] || !point_overlaps(trial, contact, p)) continue;
            if (!sherd_trial_record_point(trial, b, p, &NOTHING_BEFORE)) return false;
        }
        if (!push_active(trial, *record)) return false;
    }
    return true;
}

static bool find_active(sherd_contact_trial *trial, const sherd_points *points)
{
    record_job job = {.trial = trial, .points = points};
    sherd_parallel_for(&trial->contacts->parallel, trial->candidate_count, CANDIDATE_CHUNK,
                       find_range, &job);
    trial->active_count = 0;
    bool fits = evaluate_candidates(trial, points);
    for (int32_t b = 0; b < trial->body_contact_count && fits; ++b)
        fits = evaluate_points(trial, b);
    if (fits) sherd_trial_start_records(trial, points);
    return fits;
}

// ---------------------------------------------------------------- sums

static void add_to_obstacle(sherd_trial_load *load, sherd_vec3 force, sherd_vec3 torque)
{
    load->force = vec3_add(load->force, force);
    load->torque = vec3_add(load->torque, torque);
}

// `e` NULL: on obstacles only.
static void add_loads(sherd_contact_trial *trial, sherd_points *e, const sherd_trial_record *r)
{
    sherd_vec3 back = vec3_scale(-1.0, r->force);
    if (r->body_contact >= 0)
        add_to_obstacle(&trial->loads[r->i], r->force, r->torque_i);
    else if (e != NULL)
        sherd_point_add_load(e, r->i, r->force, r->torque_i);
    if (r->j >= 0 && e != NULL)
        sherd_point_add_load(e, r->j, back, r->torque_j);
    else if (r->j < 0)
        add_to_obstacle(&trial->loads[r->obstacle], back, r->torque_j);
}

// The earliest of the contacts with about the largest impact pressure, or with about the largest
// rebound speed.
static double first_impact_in(const sherd_contact_trial *trial, const sherd_contact_potential *sums)
{
    double first = INFINITY;
    for (size_t a = 0; a < trial->active_count; ++a) {
        const sherd_trial_record *r = &trial->records[trial->active[a]];
        bool hard = r->impact > 0.0 && r->impact >= 0.5 * sums->impact,
             fast = r->rebound > 0.0 && r->rebound >= 0.5 * sums->rebound;
        if (hard || fast) first = fmin(first, r->impact_in);
    }
    return first;
}

static const double STICK_FRACTION = 0.5; // of the friction limit

// True if it stuck when the step began, or slid in another direction.
static bool turns(const sherd_trial_record *r)
{
    double k_t = SHERD_CONTACT_TANGENTIAL_RATIO * r->held * r->law.stiffness;
    double held = STICK_FRACTION * r->law.friction * r->normal_force;
    return vec3_dot(r->spring, r->slid) <= 0.0 ||
           k_t * k_t * vec3_dot(r->spring, r->spring) < held * held;
}

static void add_rolling(const sherd_contact_trial *trial, const sherd_trial_record *r,
                        sherd_contact_potential *sums)
{
    const sherd_trial_roll *roll = sherd_trial_roll_of(trial, r);
    double k = roll->law.stiffness, cap = roll->law.arm * r->normal_force;
    sums->energy += roll->slip.energy;
    if (!(r->pressed > 0.0) || roll->slip.slides == 0) return;
    double held = k * vec3_length(roll->spring);
    ++sums->sliding;
    sums->turning += vec3_dot(roll->spring, roll->turned) <= 0.0 || held < STICK_FRACTION * cap;
    sums->rubbed += cap * vec3_length(roll->turned);
}

static void add_slip(const sherd_trial_record *r, sherd_contact_potential *sums)
{
    if (!(r->pressed > 0.0) || r->slip.slides == 0) return;
    ++sums->sliding;
    sums->turning += turns(r);
    sums->rubbed += r->law.friction * r->normal_force * vec3_length(r->slid);
}

static void sum_up(sherd_contact_trial *trial, sherd_points *points, sherd_contact_potential *sums)
{
    for (int o = 0; o < trial->obstacle_count; ++o)
        trial->loads[o] = (sherd_trial_load){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (size_t a = 0; a < trial->active_count; ++a) {
        const sherd_trial_record *r = &trial->records[trial->active[a]];
        sums->energy += r->potential.energy + r->slip.energy;
        sums->touching += r->pressed > 0.0;
        add_slip(r, sums);
        if (trial->rolls != NULL) add_rolling(trial, r, sums);
        sums->impact = fmax(sums->impact, r->impact);
        sums->rebound = fmax(sums->rebound, r->rebound);
        add_loads(trial, points, r);
    }
    if (sums->impact > 0.0 || sums->rebound > 0.0) sums->impact_in = first_impact_in(trial, sums);
}

// ---------------------------------------------------------------- tangents

static void add_outer(double k[6], double weight, sherd_vec3 a)
{
    k[0] += weight * a.x * a.x;
    k[1] += weight * a.y * a.y;
    k[2] += weight * a.z * a.z;
    k[3] += weight * a.x * a.y;
    k[4] += weight * a.x * a.z;
    k[5] += weight * a.y * a.z;
}

static void put(float out[3], sherd_vec3 a)
{
    out[0] = (float)a.x, out[1] = (float)a.y, out[2] = (float)a.z;
}

// Where friction slides its energy is linear along its stretched spring. A dangling element may
// then be restrained by its inertia alone, and a Newton step would rotate it by many turns, far
// past where it sticks. The stiffness of a parabola that lies above friction's energy and touches
// it at y leads to the minimum from one side.
sherd_trial_slip sherd_trial_slip_of(const sherd_trial_record *r, bool above_all)
{
    sherd_vec3 direction = vec3_normalize(r->stretch);
    if (vec3_dot(direction, direction) == 0.0) direction = vec3_perpendicular(r->lagged.normal);
    bool above = (r->dangling || above_all) && r->slip.slides != 0;
    return (sherd_trial_slip){direction, above ? r->slip.across : r->slip.along, r->slip.across};
}

void sherd_contact_trial_hold_slides(sherd_contact_trial *trial, bool all)
{
    trial->slides_held = all;
}

// N' n n^T, and friction along and across the stretched spring: sums of squares.
static sherd_contact_spring spring_of(const sherd_contact_trial *trial, const sherd_trial_record *r)
{
    int32_t n = trial->count;
    int32_t body = r->j < 0 ? trial->body_of[r->obstacle] : -1;
    sherd_contact_spring s = {.i = r->body_contact >= 0 ? n + trial->body_of[r->i] : r->i,
                              .j = r->j >= 0 ? r->j : (body >= 0 ? n + body : -1)};
    put(s.arm_i, r->now.arm_i);
    put(s.arm_j, r->now.arm_j);
    sherd_trial_slip slip = sherd_trial_slip_of(r, trial->slides_held);
    add_outer(s.stiffness, r->potential.tangent, r->now.normal);
    add_outer(s.stiffness, slip.along, slip.direction);
    add_outer(s.stiffness, slip.across, vec3_cross(r->lagged.normal, slip.direction));
    return s;
}

// Springs of one record.
static size_t springs_each(const sherd_contact_trial *trial)
{
    return trial->rolls != NULL ? 1 + SHERD_TRIAL_ROLL_SPRINGS : 1;
}

static void spring_range(void *context, size_t begin, size_t end)
{
    const record_job *job = context;
    size_t each = springs_each(job->trial);
    for (size_t a = begin; a < end; ++a) {
        const sherd_trial_record *r = &job->trial->records[job->trial->active[a]];
        sherd_contact_spring *to = &job->trial->springs[a * each];
        *to = spring_of(job->trial, r);
        if (each > 1) sherd_trial_roll_springs(job->trial, job->points, r, to, to + 1);
    }
}

// Computes all in parallel; then removes springs without stiffness.
static sherd_status list_springs(sherd_contact_trial *trial, sherd_points *points,
                                 sherd_contact_potential *potential, sherd_error *error)
{
    size_t max_count = trial->active_count * springs_each(trial);
    if (!sherd_grow((void **)&trial->springs, &trial->spring_capacity, max_count,
                    sizeof *trial->springs))
        return sherd_fail_memory(error, "contact springs");
    record_job job = {.trial = trial, .points = points};
    sherd_parallel_for(&trial->contacts->parallel, trial->active_count, RECORD_CHUNK, spring_range,
                       &job);
    int64_t count = 0;
    for (size_t a = 0; a < max_count; ++a) {
        const double *k = trial->springs[a].stiffness;
        if (k[0] > 0.0 || k[1] > 0.0 || k[2] > 0.0) trial->springs[count++] = trial->springs[a];
    }
    potential->springs = trial->springs;
    potential->spring_count = count;
    return SHERD_OK;
}

// ---------------------------------------------------------------- evaluation

// Loads are added to those of `loaded`, NULL: of none.
static sherd_status evaluate(sherd_contact_trial *trial, sherd_points *points, sherd_points *loaded,
                             sherd_contact_potential *potential, sherd_error *error)
{
    *potential = (sherd_contact_potential){.energy = 0.0};
    if (!trial->open || points->count != trial->count)
        return sherd_fail(error, SHERD_ERROR_INPUT, "contact", "begin a step first",
                          "no step of %d elements has begun", (int)points->count);
    sherd_trial_pose_obstacles(trial);
    sherd_status status = sherd_trial_cover(trial, points, &potential->farthest, error);
    if (status != SHERD_OK) return status;
    if (!find_active(trial, points)) return sherd_fail_memory(error, "contacts of a step");
    record_job job = {trial, points, sherd_trial_now(trial, points)};
    sherd_parallel_for(&trial->contacts->parallel, trial->active_count, RECORD_CHUNK,
                       evaluate_range, &job);
    sum_up(trial, loaded, potential);
    trial->evaluated = true;
    return SHERD_OK;
}

sherd_status sherd_contact_trial_evaluate(sherd_contact_trial *trial, sherd_points *points,
                                          bool springs, sherd_contact_potential *potential,
                                          sherd_error *error)
{
    sherd_status status = evaluate(trial, points, points, potential, error);
    return status == SHERD_OK && springs ? list_springs(trial, points, potential, error) : status;
}

void sherd_contact_trial_take_mean(sherd_contact_trial *trial)
{
    for (int o = 0; o < trial->obstacle_count; ++o)
        trial->mean_loads[o] = trial->loads[o];
    trial->has_mean = true;
}

sherd_status sherd_contact_trial_extend(sherd_contact_trial *trial, sherd_points *points,
                                        double time, double dt, sherd_error *error)
{
    sherd_contact_trial_take_mean(trial);
    sherd_contact_trial_place_driven(trial, time, dt);
    for (size_t r = 0; r < trial->record_count; ++r)
        trial->records[r].law.dashpot *= trial->dt / dt;
    trial->dt = dt;
    sherd_contact_potential unused;
    return evaluate(trial, points, NULL, &unused, error);
}

// k n n, as xx yy zz xy xz yz.
static void add_along(double *stiffness, double k, sherd_vec3 n)
{
    const double along[6] = {n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z};
    for (int c = 0; c < 6; ++c)
        stiffness[c] += k * along[c];
}

// Adds to the bounds of the bodies on one side, which `sides` says may move.
static void add_open(const sherd_contact_stiffness *to, int32_t element,
                     const sherd_trial_record *r, double sides)
{
    enum { AXES = 3 };
    to->whole[element] += AXES * r->law.stiffness;
    add_along(to->single[element], sides * r->law.stiffness, r->now.normal);
}

bool sherd_contact_trial_add_open(const sherd_contact_trial *trial, const sherd_points *points,
                                  double within, const sherd_contact_stiffness *stiffness)
{
    bool any = false;
    for (size_t a = 0; a < trial->active_count; ++a) {
        const sherd_trial_record *r = &trial->records[trial->active[a]];
        if (r->body_contact >= 0 || r->pressed > 0.0 ||
            r->now.overlap < -within * sherd_point_radius(points, r->i))
            continue;
        any = true;
        add_open(stiffness, r->i, r, r->j >= 0 ? 2.0 : 1.0);
        if (r->j >= 0) add_open(stiffness, r->j, r, 2.0);
    }
    return any;
}

void sherd_contact_trial_body_load(const sherd_contact_trial *trial, int body, sherd_vec3 *force,
                                   sherd_vec3 *torque)
{
    const sherd_trial_load *load = &trial->loads[trial->bodies[body]];
    *force = load->force;
    *torque = load->torque;
}

double sherd_contact_trial_update_friction_caps(sherd_contact_trial *trial, double fraction)
{
    double change = 0.0, largest = 0.0;
    for (size_t a = 0; a < trial->active_count; ++a) {
        sherd_trial_record *r = &trial->records[trial->active[a]];
        change = fmax(change, fabs(r->potential.force - r->normal_force));
        largest = fmax(largest, r->potential.force);
        r->normal_force += fraction * (r->potential.force - r->normal_force);
        if (r->potential.force > 0.0) r->lagged = r->now;
    }
    return change > 0.0 ? change / fmax(largest, change) : 0.0;
}
