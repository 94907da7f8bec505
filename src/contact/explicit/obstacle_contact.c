#include "contact/explicit/obstacle_contact.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/quat.h"

enum { ELEMENT_CHUNK = 2048, CONTACT_CHUNK = 128 };

static double turned_since(const sherd_obstacle *o)
{
    sherd_quat turn = quat_multiply(o->pose.rotation, quat_conjugate(o->reference.rotation));
    return vec3_length(quat_to_rotation_vector(turn));
}

// Farthest point of a box from a point.
static double farthest(sherd_bounds box, sherd_vec3 from)
{
    sherd_vec3 a = vec3_sub(box.low, from), b = vec3_sub(box.high, from);
    return vec3_length(
        vec3(fmax(fabs(a.x), fabs(b.x)), fmax(fabs(a.y), fabs(b.y)), fmax(fabs(a.z), fabs(b.z))));
}

// A turn by an angle changes distances by at most the angle times the farthest that matters: the
// shape's radius, or for a plane the elements' distance from its origin.
double sherd_obstacle_turn_reach(const sherd_obstacle *o, const sherd_displacements *since)
{
    double angle = turned_since(o);
    if (angle == 0.0) return 0.0;
    double radius = o->shape != NULL ? o->radius : farthest(since->was_in, o->reference.position);
    return angle * radius;
}

bool sherd_obstacle_needs_search(sherd_obstacle *o, const sherd_displacements *since)
{
    sherd_vec3 shift = vec3_sub(o->pose.position, o->reference.position);
    o->moved = farthest(since->range, shift) + sherd_obstacle_turn_reach(o, since);
    return !(o->moved < o->least_slack);
}

typedef struct search_job {
    sherd_obstacle *obstacle;
    const sherd_elements *elements;
    const sherd_displacements *since;
    sherd_vec3 shift;
    double turn_reach, margin;
} search_job;

static void renew_slack(void *context, size_t begin, size_t end)
{
    const search_job *job = context;
    const sherd_elements *e = job->elements;
    double *slack = job->obstacle->slack;
    for (size_t k = begin; k < end; ++k) {
        sherd_vec3 p = vec3(e->px[k], e->py[k], e->pz[k]);
        sherd_vec3 was = vec3(job->since->x[k], job->since->y[k], job->since->z[k]);
        slack[k] -= vec3_distance(vec3_sub(p, was), job->shift) + job->turn_reach;
        if (!(slack[k] > job->margin))
            slack[k] = sherd_obstacle_distance(job->obstacle, p) - sherd_element_radius(e, k);
    }
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
    *contacts = (sherd_obstacle_contacts){0};
}

sherd_status sherd_obstacle_contacts_resize(sherd_obstacle_contacts *contacts, size_t count,
                                            sherd_error *error)
{
    sherd_obstacle_contacts fresh;
    sherd_status status = allocate_contacts(&fresh, count, error);
    if (status != SHERD_OK) return status;
    fresh.count = count;
    sherd_obstacle_contacts_free(contacts);
    *contacts = fresh;
    return SHERD_OK;
}

// The new list; both lists are in the order of elements, so that histories carry over by merging.
static sherd_status list_near(sherd_obstacle *o, const search_job *job, bool first,
                              sherd_error *error)
{
    size_t n = (size_t)job->elements->count, near = 0, c = 0, old = 0;
    o->least_slack = INFINITY;
    for (size_t k = 0; k < n; ++k) {
        if (o->slack[k] <= job->margin)
            ++near;
        else if (o->slack[k] < o->least_slack)
            o->least_slack = o->slack[k];
    }
    sherd_obstacle_contacts was = o->contacts, now;
    sherd_status status = allocate_contacts(&now, near, error);
    if (status != SHERD_OK) return status;
    now.count = near;
    for (size_t k = 0; c < near; ++k) {
        if (!(o->slack[k] <= job->margin)) continue;
        now.element[c] = (sherd_element_index)k;
        while (old < was.count && was.element[old] < now.element[c])
            ++old;
        if (old < was.count && was.element[old] == now.element[c]) {
            now.history[c] = was.history[old];
            now.state[c] = was.state[old];
        } else if (first && o->slack[k] < 0.0) {
            now.history[c].contact.rest_overlap = -o->slack[k];
            now.state[c] = SHERD_PAIR_REMEMBERS;
        }
        ++c;
    }
    o->contacts = now;
    sherd_obstacle_contacts_free(&was);
    return SHERD_OK;
}

sherd_status sherd_obstacle_search(sherd_obstacle *o, const sherd_elements *elements,
                                   const sherd_displacements *since, double margin, bool first,
                                   const sherd_parallel *parallel, sherd_error *error)
{
    search_job job = {o,
                      elements,
                      since,
                      vec3_sub(o->pose.position, o->reference.position),
                      sherd_obstacle_turn_reach(o, since),
                      margin};
    sherd_parallel_for(parallel, (size_t)elements->count, ELEMENT_CHUNK, renew_slack, &job);
    sherd_status status = list_near(o, &job, first, error);
    o->reference = o->pose;
    o->moved = 0.0;
    return status;
}

typedef struct apply_job {
    sherd_obstacle *obstacle;
    sherd_elements *elements;
    double dt;
    const sherd_contact_count *counts;
    sherd_obstacle_sums *chunk_sums;
} apply_job;

// As of an element with the obstacle's mirror image: half a bond's length, so k = E pi r.
static sherd_contact_law obstacle_law(const sherd_contact_pairing *pairing, double radius)
{
    return (sherd_contact_law){
        .stiffness = pairing->modulus * M_PI * radius,
        .friction = pairing->friction,
        .damping_ratio = pairing->damping_ratio,
        .tangential_damping = pairing->tangential_damping,
    };
}

static sherd_contact_state obstacle_state(const apply_job *job, sherd_element_index k,
                                          double overlap, sherd_vec3 *arm)
{
    const sherd_obstacle *o = job->obstacle;
    const sherd_elements *e = job->elements;
    sherd_vec3 p = sherd_element_position(e, k), n = sherd_obstacle_normal(o, p);
    *arm = vec3_scale(-(sherd_element_radius(e, k) - 0.5 * overlap), n);
    sherd_vec3 x = vec3_add(p, *arm);
    sherd_vec3 v =
        vec3_add(sherd_element_velocity(e, k), vec3_cross(sherd_element_spin(e, k), *arm));
    double own = e->held[k] ? 0.0 : 1.0 / sherd_element_mass(e, k),
           other = sherd_obstacle_mobility(o, x, n);
    double contacts = job->counts->last[k], others = (double)o->touching;
    return (sherd_contact_state){
        .overlap = overlap,
        .normal = n,
        .velocity = vec3_sub(v, sherd_obstacle_velocity(o, x)),
        .inverse_mass = own + other,
        .weighted_mobility = fmax(contacts, 1.0) * own + fmax(others, 1.0) * other,
    };
}

static sherd_face_motion face_motion(const apply_job *job, sherd_element_index k, sherd_vec3 arm)
{
    const sherd_obstacle *o = job->obstacle;
    const sherd_elements *e = job->elements;
    sherd_vec3 there = sherd_obstacle_velocity(o, sherd_element_position(e, k));
    return (sherd_face_motion){vec3_sub(sherd_element_velocity(e, k), there),
                               vec3_sub(sherd_element_spin(e, k), o->spin), vec3_length(arm)};
}

static void add_contact(const apply_job *job, sherd_element_index k, sherd_vec3 arm,
                        sherd_vec3 force, sherd_obstacle_sums *sums)
{
    sherd_elements *e = job->elements;
    sherd_vec3 torque = vec3_cross(arm, force);
    if (!e->asleep[k]) sherd_element_add_load(e, k, force, torque);
    sherd_vec3 x = vec3_add(sherd_element_position(e, k), arm);
    sherd_vec3 lever = vec3_sub(x, job->obstacle->pose.position);
    sums->force = vec3_sub(sums->force, force);
    sums->torque = vec3_sub(sums->torque, vec3_cross(lever, force));
}

static void apply_contact(const apply_job *job, size_t c, sherd_obstacle_sums *sums)
{
    sherd_obstacle *o = job->obstacle;
    sherd_element_index k = o->contacts.element[c];
    if (o->slack[k] > o->moved && o->contacts.state[c] == 0) return;
    double gap = sherd_obstacle_distance(o, sherd_element_position(job->elements, k)) -
                 sherd_element_radius(job->elements, k);
    if (gap - o->moved > o->slack[k]) o->slack[k] = gap - o->moved;
    if (gap >= 0.0 && o->contacts.state[c] == 0) return;

    const sherd_contact_pairing *pairing = &o->pairings[sherd_element_material(job->elements, k)];
    sherd_contact_law law = obstacle_law(pairing, sherd_element_radius(job->elements, k));
    sherd_vec3 arm;
    sherd_contact_state at = obstacle_state(job, k, -gap, &arm);
    sherd_obstacle_history *history = &o->contacts.history[c];
    sherd_face_motion motion = face_motion(job, k, arm);
    sherd_contact_response response =
        sherd_contact_respond_to_face(&law, &at, &motion, history, job->dt);
    bool touches = at.overlap > history->contact.rest_overlap;
    o->contacts.state[c] =
        (uint8_t)((touches ? SHERD_PAIR_TOUCHES : 0) |
                  (contact_history_is_empty(&history->contact) ? 0 : SHERD_PAIR_REMEMBERS));
    if (touches) add_contact(job, k, arm, response.force, sums);
    sherd_contact_count_add(&job->counts->now[k], touches);
    sums->energy.stored += response.stored;
    sums->energy.damped += response.damped;
    sums->energy.slid += response.slid;
    sums->energy.onset += response.onset;
    sums->energy.pending += response.pending;
    sums->energy.touching += touches;
}

static void apply_chunk(void *context, size_t begin, size_t end)
{
    const apply_job *job = context;
    sherd_obstacle_sums sums = {.force = {0.0, 0.0, 0.0}};
    for (size_t c = begin; c < end; ++c)
        apply_contact(job, c, &sums);
    job->chunk_sums[begin / CONTACT_CHUNK] = sums;
}

size_t sherd_obstacle_chunks(const sherd_obstacle *o)
{
    return (o->contacts.count + CONTACT_CHUNK - 1) / CONTACT_CHUNK;
}

sherd_contact_sums sherd_obstacle_apply(sherd_obstacle *o, sherd_elements *elements, double dt,
                                        const sherd_contact_count *counts,
                                        sherd_obstacle_sums *chunk_sums,
                                        const sherd_parallel *parallel)
{
    apply_job job = {o, elements, dt, counts, chunk_sums};
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
