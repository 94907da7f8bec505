#include "contact/obstacle_contact.h"

#include "base/error.h"
#include "base/memory.h"

enum { CHUNK = 64, MOST_CHUNKS = 1024 };

// ---------------------------------------------------------------- who is near

static double gap_of(const sherd_obstacle *o, const sherd_elements *e, sherd_element_index k)
{
    return sherd_obstacle_distance(o, sherd_element_position(e, k)) - e->radius[k];
}

static bool reserve(sherd_obstacle_contacts *list, size_t needed)
{
    size_t capacity = list->capacity, same = capacity, again = capacity;
    if (!sherd_grow((void **)&list->element, &capacity, needed, sizeof *list->element) ||
        !sherd_grow((void **)&list->history, &same, needed, sizeof *list->history) ||
        !sherd_grow((void **)&list->state, &again, needed, sizeof *list->state))
        return false;
    list->capacity = capacity;
    return true;
}

// Drops contacts that are far and remember nothing; what is left stays in order.
static void drop_far(sherd_obstacle *o, const sherd_elements *e, double skin)
{
    sherd_obstacle_contacts *list = &o->contacts;
    size_t kept = 0;
    for (size_t c = 0; c < list->count; ++c) {
        sherd_element_index k = list->element[c];
        double gap = list->state[c] == 0 ? gap_of(o, e, k) : 0.0;
        if (gap > 2.0 * skin) {
            o->due[k] = o->travel + gap;
            continue;
        }
        list->element[kept] = k;
        list->history[kept] = list->history[c];
        list->state[kept++] = list->state[c];
    }
    list->count = kept;
}

// Puts element k into its place in the list.
static bool insert(sherd_obstacle_contacts *list, sherd_element_index k, double rest_overlap)
{
    if (!reserve(list, list->count + 1)) return false;
    size_t at = list->count++;
    for (; at > 0 && list->element[at - 1] > k; --at) {
        list->element[at] = list->element[at - 1];
        list->history[at] = list->history[at - 1];
        list->state[at] = list->state[at - 1];
    }
    list->element[at] = k;
    list->history[at] = (sherd_contact_history){.rest_overlap = rest_overlap};
    list->state[at] = rest_overlap > 0.0 ? SHERD_PAIR_REMEMBERS : 0;
    return true;
}

static sherd_status look_again(sherd_obstacle *o, const sherd_elements *e, double skin, bool first,
                               sherd_error *error)
{
    drop_far(o, e, skin);
    o->next_due = INFINITY;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        if (o->due[k] <= o->travel) {
            double gap = gap_of(o, e, k);
            if (gap <= skin) {
                o->due[k] = INFINITY; // it is in the list from now on
                if (!insert(&o->contacts, k, first && gap < 0.0 ? -gap : 0.0))
                    return sherd_fail_memory(error, "contacts with an obstacle");
            } else {
                o->due[k] = o->travel + gap;
            }
        }
        o->next_due = fmin(o->next_due, o->due[k]);
    }
    return SHERD_OK;
}

sherd_status sherd_obstacle_search(sherd_obstacle *o, const sherd_elements *e, double way,
                                   double skin, bool first, sherd_error *error)
{
    if (o->due == NULL) {
        o->due = sherd_alloc((size_t)e->count, sizeof *o->due); // 0: all are due
        if (o->due == NULL) return sherd_fail_memory(error, "contacts with an obstacle");
    }
    o->travel += way;
    if (!(o->next_due > o->travel)) return look_again(o, e, skin, first, error);
    return SHERD_OK;
}

// ---------------------------------------------------------------- forces

typedef struct chunk_result {
    sherd_contact_sums sums;
    sherd_vec3 force, torque; // on the obstacle, about its position
} chunk_result;

typedef struct obstacle_job {
    sherd_obstacle *o;
    sherd_elements *e;
    double dt;
    size_t chunk;
    chunk_result *results;
} obstacle_job;

static double reduced_mass(double inverse_sum)
{
    return inverse_sum > 0.0 ? 1.0 / inverse_sum : INFINITY;
}

// [BDEM21] (22) against a wall: k = E S / r, the stiffness of half a bond.
static sherd_contact_law wall_law(const sherd_obstacle *o, const sherd_elements *e,
                                  sherd_element_index k)
{
    const sherd_contact_pairing *pairing = &o->pairings[e->material[k]];
    return (sherd_contact_law){pairing->modulus * M_PI * e->radius[k], pairing->friction,
                               pairing->damping_ratio, pairing->tangential_damping};
}

// True when the state was filled: the contact touches or remembers something.
static bool wall_state(const obstacle_job *job, size_t c, sherd_contact_state *at, double *arm)
{
    const sherd_obstacle *o = job->o;
    const sherd_elements *e = job->e;
    sherd_element_index k = o->contacts.element[c];
    sherd_vec3 p = sherd_element_position(e, k);
    double gap = sherd_obstacle_distance(o, p) - e->radius[k];
    if (gap >= 0.0 && o->contacts.state[c] == 0) return false;
    at->overlap = -gap;
    at->normal = sherd_obstacle_normal(o, p);
    *arm = e->radius[k] + gap; // the contact point lies on the obstacle's surface
    sherd_vec3 point = vec3_add_scaled(p, -*arm, at->normal);
    sherd_vec3 turn = vec3_cross(sherd_element_spin(e, k), vec3_scale(-*arm, at->normal));
    at->velocity =
        vec3_sub(vec3_add(sherd_element_velocity(e, k), turn), sherd_obstacle_velocity(o, point));
    double own = e->held[k] ? 0.0 : 1.0 / e->mass[k];
    sherd_vec3 across = vec3_perpendicular(at->normal);
    at->mass = reduced_mass(own + sherd_obstacle_mobility(o, point, at->normal));
    at->tangential_mass = reduced_mass(3.5 * own + sherd_obstacle_mobility(o, point, across));
    return true;
}

static void apply_contact(const obstacle_job *job, size_t c, chunk_result *result)
{
    sherd_obstacle *o = job->o;
    sherd_elements *e = job->e;
    sherd_contact_state at;
    double arm;
    if (!wall_state(job, c, &at, &arm)) return;
    sherd_element_index k = o->contacts.element[c];
    sherd_contact_history *history = &o->contacts.history[c];
    sherd_contact_law law = wall_law(o, e, k);
    sherd_contact_response r = contact_respond(&law, &at, history, job->dt);
    bool touches = at.overlap > history->rest_overlap;
    o->contacts.state[c] =
        (uint8_t)((touches ? SHERD_PAIR_TOUCHES : 0) |
                  (contact_history_is_empty(history) ? 0 : SHERD_PAIR_REMEMBERS));
    result->sums.stored += r.stored;
    result->sums.damped += r.damped;
    result->sums.slid += r.slid;
    result->sums.touching += touches;
    sherd_vec3 lever = vec3_scale(-arm, at.normal), torque = vec3_cross(lever, r.force);
    e->fx[k] += r.force.x, e->fy[k] += r.force.y, e->fz[k] += r.force.z;
    e->tx[k] += torque.x, e->ty[k] += torque.y, e->tz[k] += torque.z;
    sherd_vec3 point = vec3_add(sherd_element_position(e, k), lever);
    sherd_vec3 from_pose = vec3_sub(point, o->pose.position);
    result->force = vec3_sub(result->force, r.force);
    result->torque = vec3_sub(result->torque, vec3_cross(from_pose, r.force));
}

static void apply_chunk(void *context, size_t begin, size_t end)
{
    const obstacle_job *job = context;
    chunk_result result = {0};
    for (size_t c = begin; c < end; ++c)
        apply_contact(job, c, &result);
    job->results[begin / job->chunk] = result;
}

sherd_contact_sums sherd_obstacle_apply(sherd_obstacle *o, sherd_elements *elements, double dt,
                                        const sherd_parallel *parallel)
{
    chunk_result results[MOST_CHUNKS];
    size_t count = o->contacts.count, chunk = CHUNK;
    while (count > chunk * MOST_CHUNKS)
        chunk *= 2;
    obstacle_job job = {o, elements, dt, chunk, results};
    sherd_parallel_for(parallel, count, chunk, apply_chunk, &job);
    o->force = o->torque = vec3(0.0, 0.0, 0.0);
    sherd_contact_sums sums = {0};
    for (size_t c = 0; c < (count + chunk - 1) / chunk; ++c) {
        o->force = vec3_add(o->force, results[c].force);
        o->torque = vec3_add(o->torque, results[c].torque);
        sums.stored += results[c].sums.stored;
        sums.damped += results[c].sums.damped;
        sums.slid += results[c].sums.slid;
        sums.touching += results[c].sums.touching;
    }
    return sums;
}
