#include "contact/explicit/obstacle_contact.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact/explicit/obstacle_distances.h"
#include "math/quat.h"

enum { CONTACT_CHUNK = 128 };
_Static_assert(CONTACT_CHUNK % SHERD_MAX_NEAR == 0, "an element's contacts are in one chunk");

static double rotation_since(const sherd_obstacle *o)
{
    sherd_quat rotation = quat_multiply(o->pose.rotation, quat_conjugate(o->reference.rotation));
    return vec3_length(quat_to_rotation_vector(rotation));
}

// Farthest point of a box from a point.
static double farthest(sherd_bounds box, sherd_vec3 from)
{
    sherd_vec3 a = vec3_sub(box.low, from), b = vec3_sub(box.high, from);
    return vec3_length(
        vec3(fmax(fabs(a.x), fabs(b.x)), fmax(fabs(a.y), fabs(b.y)), fmax(fabs(a.z), fabs(b.z))));
}

// A rotation by an angle changes distances by at most the angle times the largest relevant radius:
// that of the shape, or for a plane the distance of elements from its origin.
double sherd_obstacle_rotation_reach(const sherd_obstacle *o, const sherd_displacements *since)
{
    double angle = rotation_since(o);
    if (angle == 0.0) return 0.0;
    double radius = o->shape != NULL ? o->radius : farthest(since->was_in, o->reference.position);
    return angle * radius;
}

bool sherd_obstacle_needs_search(sherd_obstacle *o, const sherd_displacements *since)
{
    sherd_vec3 shift = vec3_sub(o->pose.position, o->reference.position);
    o->moved = farthest(since->range, shift) + sherd_obstacle_rotation_reach(o, since);
    return !(o->moved < o->min_slack);
}

static sherd_status allocate_contacts(sherd_obstacle_contacts *contacts, size_t capacity,
                                      sherd_error *error)
{
    *contacts = (sherd_obstacle_contacts){.capacity = capacity};
    contacts->element = sherd_alloc(capacity, sizeof *contacts->element);
    contacts->history = sherd_alloc(capacity, sizeof *contacts->history);
    contacts->state = sherd_alloc(capacity, sizeof *contacts->state);
    if (contacts->element != NULL && contacts->history != NULL && contacts->state != NULL)
        return SHERD_OK;
    sherd_obstacle_contacts_free(contacts);
    return sherd_fail_memory(error, "contacts with obstacles");
}

void sherd_obstacle_contacts_free(sherd_obstacle_contacts *contacts)
{
    sherd_free(contacts->element);
    sherd_free(contacts->history);
    sherd_free(contacts->state);
    sherd_free(contacts->watched);
    sherd_free(contacts->patch);
    *contacts = (sherd_obstacle_contacts){0};
}

sherd_status sherd_obstacle_contacts_resize(sherd_obstacle_contacts *contacts, size_t count,
                                            sherd_error *error)
{
    enum { SHRINK_FACTOR = 4, SHRINK_COUNT = 64 }; // unused capacity above this is released
    size_t there = contacts->capacity;
    if (contacts->element == NULL || there < count ||
        there > SHRINK_FACTOR * count + SHRINK_COUNT) {
        sherd_obstacle_contacts fresh;
        sherd_status status = allocate_contacts(&fresh, count, error);
        if (status != SHERD_OK) return status;
        sherd_obstacle_contacts_free(contacts);
        *contacts = fresh;
    }
    contacts->count = count;
    return SHERD_OK;
}

// Makes the initial overlap of an element a rest overlap, at all contact locations; c is its first
// contact.
static void set_rest_overlap(const sherd_obstacle *o, const sherd_points *e, size_t c, double slack,
                             sherd_obstacle_contacts *now)
{
    sherd_element_index k = now->element[c];
    double radius = sherd_point_radius(e, k);
    sherd_near_point locations[SHERD_MAX_NEAR];
    int count = 1;
    if (o->location_count > 1)
        count = sherd_obstacle_near(o, sherd_point_position(e, k), radius, NULL, locations);
    else
        locations[0].distance = slack + radius;
    for (int s = 0; s < count && (o->location_count == 1 || locations[s].distance < radius); ++s) {
        now->history[c + (size_t)s].contact.rest_overlap =
            o->location_count == 1 ? -slack : radius - locations[s].distance;
        if (o->location_count > 1) now->history[c + (size_t)s].normal = locations[s].normal;
        now->state[c + (size_t)s] = SHERD_PAIR_REMEMBERS;
    }
}

// Both the new and the old list are sorted by element, so that histories are merged.
static sherd_status list_near(sherd_obstacle *o, const sherd_points *points, double margin,
                              bool first, sherd_error *error)
{
    const sherd_obstacle_watch *watch = &o->watch;
    size_t near = sherd_obstacle_watch_near(watch, margin, &o->min_slack), c = 0, old = 0;
    sherd_obstacle_contacts was = o->contacts, now;
    size_t each = (size_t)o->location_count;
    sherd_status status = allocate_contacts(&now, each * near, error);
    if (status != SHERD_OK) return status;
    now.count = each * near;
    for (size_t i = 0; c < now.count; ++i) {
        if (!(watch->slack[i] <= margin)) continue;
        sherd_element_index k = sherd_obstacle_watch_element(watch, i);
        bool known = false;
        while (old < was.count && was.element[old] < k)
            ++old;
        for (size_t s = 0; s < each; ++s, ++c) {
            now.element[c] = k;
            if (old == was.count || was.element[old] != k) continue;
            now.history[c] = was.history[old];
            now.state[c] = was.state[old++];
            known = true;
        }
        if (!known && first && watch->slack[i] < 0.0)
            set_rest_overlap(o, points, c - each, watch->slack[i], &now);
    }
    o->contacts = now;
    sherd_obstacle_contacts_free(&was);
    return sherd_obstacle_watch_map_contacts(watch, &o->contacts, error);
}

sherd_status sherd_obstacle_search(sherd_obstacle *o, const sherd_points *points,
                                   const sherd_displacements *since, double margin, bool first,
                                   const sherd_parallel *parallel, sherd_error *error)
{
    sherd_vec3 shift = vec3_sub(o->pose.position, o->reference.position);
    double rotation = sherd_obstacle_rotation_reach(o, since);
    sherd_watch_search search = {o,      points,   since,
                                 shift,  rotation, farthest(since->range, shift) + rotation,
                                 margin, parallel};
    sherd_status status = sherd_obstacle_watch_renew(&search, error);
    if (status == SHERD_OK) status = list_near(o, points, margin, first, error);
    o->reference = o->pose;
    o->moved = 0.0;
    return status;
}

typedef struct apply_job {
    sherd_obstacle *obstacle;
    sherd_points *points;
    double dt;
    const sherd_contact_count *counts;
    sherd_obstacle_sums *chunk_sums;
    const sherd_parallel *parallel;
    double parallel_contacts;
} apply_job;

static sherd_contact_law obstacle_law(const sherd_contact_pairing *pairing, double radius)
{
    return (sherd_contact_law){
        .spring = sherd_contact_face_spring(pairing, radius),
        .stiffness = sherd_contact_face_stiffness(pairing, radius),
        .friction = pairing->friction,
        .damping_ratio = pairing->damping_ratio,
        .tangential_damping = pairing->tangential_damping,
    };
}

static sherd_contact_state obstacle_state(const apply_job *job, sherd_element_index k,
                                          double overlap, sherd_vec3 n, sherd_vec3 *arm)
{
    const sherd_obstacle *o = job->obstacle;
    const sherd_points *e = job->points;
    sherd_vec3 p = sherd_point_position(e, k);
    *arm = vec3_scale(-(sherd_point_radius(e, k) - 0.5 * overlap), n);
    sherd_vec3 x = vec3_add(p, *arm);
    sherd_vec3 v = vec3_add(sherd_point_velocity(e, k), vec3_cross(sherd_point_spin(e, k), *arm));
    double own = sherd_point_is_held(e, k) ? 0.0 : 1.0 / sherd_point_mass(e, k),
           other = sherd_obstacle_mobility(o, x, n);
    double contacts = job->counts->last[k];
    return (sherd_contact_state){
        .overlap = overlap,
        .normal = n,
        .velocity = vec3_sub(v, sherd_obstacle_velocity(o, x)),
        .inverse_mass = own + other,
        .weighted_mobility = fmax(contacts, 1.0) * own + job->parallel_contacts * other,
    };
}

static sherd_face_motion face_motion(const apply_job *job, sherd_element_index k, sherd_vec3 arm)
{
    const sherd_obstacle *o = job->obstacle;
    const sherd_points *e = job->points;
    sherd_vec3 there = sherd_obstacle_velocity(o, sherd_point_position(e, k));
    return (sherd_face_motion){vec3_sub(sherd_point_velocity(e, k), there),
                               vec3_sub(sherd_point_spin(e, k), o->spin), vec3_length(arm)};
}

// A sleeping element presses with its weight, not with its load at the moment it fell asleep.
static void add_contact(const apply_job *job, sherd_element_index k, sherd_vec3 arm,
                        sherd_vec3 force, sherd_obstacle_sums *sums)
{
    sherd_points *e = job->points;
    sherd_vec3 torque = vec3_cross(arm, force);
    if (!e->asleep[k]) sherd_point_add_load(e, k, force, torque);
    sherd_vec3 x = vec3_add(sherd_point_position(e, k), arm);
    sherd_vec3 lever = vec3_sub(x, job->obstacle->pose.position);
    sums->force = vec3_sub(sums->force, force);
    sums->torque = vec3_sub(sums->torque, vec3_cross(lever, force));
}

// ---------------------------------------------------------------- rotating normals

// Near an edge the normal turns by degrees in a step. Forces of the last evaluation acted along the
// normal of that time, and so did the work. Above the
// cosine TURNS the rotation is negligible. Below JUMPS the normal counts as having jumped, between
// both the history follows it (contact_law.c).
static const double TURNS = 0.99999, JUMPS = 0.9;

// The step before this evaluation.
typedef struct turning_step {
    // velocity of the element's surface against the obstacle's at the contact, at the start of the
    // step [m/s]
    sherd_vec3 v_old;
    double pressed; // overlap beyond the rest overlap at that time [m]
} turning_step;

static sherd_pose pose_before(const sherd_obstacle *o)
{
    sherd_quat back = quat_from_rotation_vector(vec3_scale(-1.0, o->rotation));
    return (sherd_pose){vec3_sub(o->pose.position, o->shift),
                        quat_normalize(quat_multiply(back, o->pose.rotation))};
}

static turning_step step_before(const apply_job *job, sherd_element_index k,
                                const sherd_obstacle_history *last)
{
    sherd_obstacle before = *job->obstacle;
    const sherd_points *e = job->points;
    sherd_vec3 v = sherd_point_velocity(e, k), w = sherd_point_spin(e, k);
    sherd_vec3 p = vec3_add_scaled(sherd_point_position(e, k), -job->dt, v);
    before.pose = pose_before(job->obstacle);
    double radius = sherd_point_radius(e, k),
           overlap = radius - sherd_obstacle_distance(&before, p);
    sherd_vec3 arm = vec3_scale(0.5 * overlap - radius, last->normal), x = vec3_add(p, arm);
    sherd_vec3 there = vec3_scale(
        1.0 / job->dt,
        vec3_add(before.shift, vec3_cross(before.rotation, vec3_sub(x, before.pose.position))));
    return (turning_step){vec3_sub(vec3_add(v, vec3_cross(w, arm)), there),
                          overlap - last->contact.rest_overlap};
}

static double energy_of(const contact_spring *spring, double pressed)
{
    return pressed > 0.0 ? sherd_contact_spring_evaluate(spring, pressed).energy : 0.0;
}

// Half of the step's work is by the previous forces, along their own normal and at their own
// location, and the spring stored energy accordingly. `response` was computed as if both had been
// the present ones.
static void account_rotation(const apply_job *job, sherd_element_index k,
                             const sherd_contact_law *law, const sherd_contact_state *at,
                             const sherd_face_motion *motion, const sherd_obstacle_history *last,
                             double rest, sherd_contact_response *response)
{
    const sherd_contact_history *h = &last->contact;
    double dt = job->dt;
    turning_step b = step_before(job, k, last);
    double closing = -vec3_dot(at->velocity, at->normal), displacement = dt * closing,
           displacement_old = -dt * vec3_dot(b.v_old, last->normal),
           displacement_damped = -dt * vec3_dot(motion->velocity, last->normal);
    response->damped += 0.5 * h->damping * (displacement_old - displacement_damped);
    double reach = at->overlap - h->rest_overlap,
           was = h->pressing > 0.0F ? reach - displacement : 0.0;
    response->onset += 0.5 * h->pressing * (displacement_old - displacement) +
                       energy_of(&law->spring, h->pressing > 0.0F ? b.pressed : 0.0) -
                       energy_of(&law->spring, was);
    sherd_vec3 accounted = at->velocity;
    if (at->overlap > rest) accounted = vec3_add_scaled(accounted, closing, at->normal);
    double rubbed = -0.5 * dt * vec3_dot(h->tangential, vec3_sub(b.v_old, accounted));
    *(response->slid != 0.0 ? &response->slid : &response->damped) += rubbed;
}

static bool turns(const sherd_obstacle_history *last, sherd_vec3 n)
{
    double cosine = vec3_dot(last->normal, n);
    return cosine < TURNS && cosine >= JUMPS && !contact_history_is_empty(&last->contact);
}

// Contact c, which overlaps by `overlap` along n.
static void respond(const apply_job *job, size_t c, double overlap, sherd_vec3 n,
                    sherd_obstacle_sums *sums)
{
    sherd_obstacle *o = job->obstacle;
    sherd_element_index k = o->contacts.element[c];
    const sherd_contact_pairing *pairing = &o->pairings[sherd_point_material(job->points, k)];
    sherd_contact_law law = obstacle_law(pairing, sherd_point_radius(job->points, k));
    sherd_vec3 arm;
    sherd_contact_state at = obstacle_state(job, k, overlap, n, &arm);
    sherd_obstacle_history *history = &o->contacts.history[c];
    sherd_face_motion motion = face_motion(job, k, arm);
    sherd_obstacle_history last = *history;
    sherd_contact_response response =
        sherd_contact_respond_to_face(&law, &at, &motion, history, job->dt);
    if (o->location_count == 1 && job->dt > 0.0 && turns(&last, n))
        account_rotation(job, k, &law, &at, &motion, &last, history->contact.rest_overlap,
                         &response);
    bool touches = at.overlap > history->contact.rest_overlap;
    o->contacts.state[c] =
        (uint8_t)((touches ? SHERD_PAIR_TOUCHES : 0) |
                  (contact_history_is_empty(&history->contact) ? 0 : SHERD_PAIR_REMEMBERS));
    sherd_vec3 force = job->points->asleep[k] ? history->resting : response.force;
    if (touches) add_contact(job, k, arm, force, sums);
    sherd_contact_count_add(&job->counts->now[k], touches);
    sums->energy.stored += response.stored;
    sums->energy.damped += response.damped;
    sums->energy.slid += response.slid;
    sums->energy.onset += response.onset;
    sums->energy.pending += response.pending;
    sums->energy.touching += touches;
}

// For an obstacle that an element touches at one location at most.
static void apply_contact(const apply_job *job, size_t c, sherd_obstacle_sums *sums)
{
    sherd_obstacle *o = job->obstacle;
    sherd_element_index k = o->contacts.element[c];
    double *slack = sherd_obstacle_contact_slack(o, c);
    if (*slack > o->moved && o->contacts.state[c] == 0) return;
    sherd_vec3 p = sherd_point_position(job->points, k);
    double gap = sherd_obstacle_distance(o, p) - sherd_point_radius(job->points, k);
    if (gap - o->moved > *slack) *slack = gap - o->moved;
    if (gap >= 0.0 && o->contacts.state[c] == 0) return;
    respond(job, c, -gap, sherd_obstacle_normal(o, p), sums);
}

// ---------------------------------------------------------------- several contact locations

// Assigns an element's contacts to its contact locations: the contact with the nearest normal, an
// empty one for a new location, none (-1) for a location that is not touched.
static void match_locations(const sherd_obstacle *o, size_t c, const sherd_near_point *locations,
                            int count, double radius, int location_of[SHERD_MAX_NEAR])
{
    const sherd_obstacle_history *history = &o->contacts.history[c];
    const uint8_t *state = &o->contacts.state[c];
    bool fresh[SHERD_MAX_NEAR] = {false};
    for (int s = 0; s < o->location_count; ++s)
        location_of[s] = -1;
    for (int n = 0; n < count; ++n) {
        int best = -1;
        double best_cosine = SHERD_NEAR_COSINE;
        for (int s = 0; s < o->location_count; ++s) {
            double alike = vec3_dot(history[s].normal, locations[n].normal);
            if (state[s] == 0 || location_of[s] >= 0 || !(alike > best_cosine)) continue;
            best_cosine = alike, best = s;
        }
        if (best >= 0) location_of[best] = n;
        fresh[n] = best < 0 && locations[n].distance < radius;
    }
    for (int n = 0, s = 0; n < count; ++n) {
        if (!fresh[n]) continue;
        while (s < o->location_count && (state[s] != 0 || location_of[s] >= 0))
            ++s;
        if (s < o->location_count) location_of[s] = n;
    }
}

// Ends a contact whose location is gone, as if its normal had jumped to where nothing touches.
static void end_contact(const apply_job *job, size_t c, sherd_obstacle_sums *sums)
{
    sherd_obstacle_history *history = &job->obstacle->contacts.history[c];
    respond(job, c, 0.0, vec3_scale(-1.0, history->normal), sums);
}

// All contacts of the element of c, its first.
static void apply_contacts(const apply_job *job, size_t c, sherd_obstacle_sums *sums)
{
    sherd_obstacle *o = job->obstacle;
    const uint8_t *state = &o->contacts.state[c];
    sherd_element_index k = o->contacts.element[c];
    uint8_t any = 0;
    for (int s = 0; s < o->location_count; ++s)
        any |= state[s];
    double *slack = sherd_obstacle_contact_slack(o, c);
    if (*slack > o->moved && any == 0) return;
    double radius = sherd_point_radius(job->points, k);
    sherd_near_point locations[SHERD_MAX_NEAR];
    sherd_smooth_patch *patch = o->contacts.patch;
    if (patch != NULL) patch += c / (size_t)o->location_count;
    int count =
        sherd_obstacle_near(o, sherd_point_position(job->points, k), radius, patch, locations);
    double gap = locations[0].distance - radius;
    if (gap - o->moved > *slack) *slack = gap - o->moved;
    if (gap >= 0.0 && any == 0) return;
    int location_of[SHERD_MAX_NEAR];
    match_locations(o, c, locations, count, radius, location_of);
    for (int s = 0; s < o->location_count; ++s) {
        const sherd_near_point *at = location_of[s] >= 0 ? &locations[location_of[s]] : NULL;
        if (at != NULL)
            respond(job, c + (size_t)s, radius - at->distance, at->normal, sums);
        else if (state[s] != 0)
            end_contact(job, c + (size_t)s, sums);
    }
}

double sherd_obstacle_contact_gap(const sherd_obstacle *o, const sherd_points *e, size_t c,
                                  sherd_vec3 *normal)
{
    sherd_element_index k = o->contacts.element[c];
    sherd_vec3 p = sherd_point_position(e, k);
    double radius = sherd_point_radius(e, k);
    if (o->location_count == 1) return sherd_obstacle_distance_and_normal(o, p, normal) - radius;
    sherd_near_point locations[SHERD_MAX_NEAR];
    int count = sherd_obstacle_near(o, p, radius, NULL, locations), best = 0;
    const sherd_vec3 *was = &o->contacts.history[c].normal;
    for (int n = 1; n < count; ++n)
        if (vec3_dot(*was, locations[n].normal) > vec3_dot(*was, locations[best].normal)) best = n;
    *normal = locations[best].normal;
    return locations[best].distance - radius;
}

static void apply_chunk(void *context, size_t begin, size_t end)
{
    const apply_job *job = context;
    size_t each = (size_t)job->obstacle->location_count;
    sherd_obstacle_sums sums = {.force = {0.0, 0.0, 0.0}};
    for (size_t c = begin; c < end && each == 1; ++c)
        apply_contact(job, c, &sums);
    for (size_t c = begin; c + each <= end && each > 1; c += each)
        apply_contacts(job, c, &sums);
    job->chunk_sums[begin / CONTACT_CHUNK] = sums;
}

static double count_overlapping(void *context, size_t begin, size_t end)
{
    const apply_job *job = context;
    sherd_obstacle *o = job->obstacle;
    size_t each = (size_t)o->location_count;
    double count = 0.0;
    for (size_t c = begin; c < end; c += each) {
        sherd_element_index k = o->contacts.element[c];
        double *slack = sherd_obstacle_contact_slack(o, c);
        if (*slack > o->moved) continue;
        double gap = sherd_obstacle_distance(o, sherd_point_position(job->points, k)) -
                     sherd_point_radius(job->points, k);
        if (gap - o->moved > *slack) *slack = gap - o->moved;
        count += gap < 0.0;
    }
    return count;
}

// Number of contacts on the same free body: the larger of the counts of the last step and of this
// one. A lid that falls flat on elements gets hundreds of contacts in one step, and as many full
// dashpots would throw it back faster than it came. Other obstacles hardly move, however many
// elements press on them.
static double parallel_contacts(const apply_job *job)
{
    const sherd_obstacle *o = job->obstacle;
    double now = 0.0;
    if (o->kind == SHERD_OBSTACLE_FREE)
        now = sherd_parallel_sum(job->parallel, o->contacts.count, CONTACT_CHUNK, count_overlapping,
                                 (void *)job);
    return fmax(fmax((double)o->touching, now), 1.0);
}

size_t sherd_obstacle_chunks(const sherd_obstacle *o)
{
    return (o->contacts.count + CONTACT_CHUNK - 1) / CONTACT_CHUNK;
}

sherd_contact_sums sherd_obstacle_apply(sherd_obstacle *o, sherd_points *points, double dt,
                                        const sherd_contact_count *counts,
                                        sherd_obstacle_sums *chunk_sums,
                                        const sherd_parallel *parallel)
{
    // Without memory for this optimisation the loop only takes longer.
    if (o->location_count > 1 && o->contacts.patch == NULL && o->contacts.count > 0)
        o->contacts.patch = sherd_alloc(o->contacts.count / (size_t)o->location_count + 1,
                                        sizeof *o->contacts.patch);
    apply_job job = {o, points, dt, counts, chunk_sums, parallel, 1.0};
    job.parallel_contacts = parallel_contacts(&job);
    sherd_parallel_for(parallel, o->contacts.count, CONTACT_CHUNK, apply_chunk, &job);
    sherd_contact_sums total = {0};
    for (size_t c = 0; c < sherd_obstacle_chunks(o); ++c) {
        contact_sums_add(&total, &chunk_sums[c].energy);
        o->force = vec3_add(o->force, chunk_sums[c].force);
        o->torque = vec3_add(o->torque, chunk_sums[c].torque);
    }
    o->touching = total.touching;
    return total;
}
