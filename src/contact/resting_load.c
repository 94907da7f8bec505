#include "contact/resting_load.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_system.h"
#include "math/quat.h"

// Second moment of contact positions, relative to that with all contacts at the sleeper's rim,
// below which contacts have no lever: a thousandth of its size.
static const double MIN_LEVER = 1e-6;

typedef struct support {
    double weight;           // sum N_c [N]
    sherd_vec3 first;        // sum N_c (x_c - centre) [N m]
    sherd_vec3 force;        // sum f_c, accumulated [N]
    sherd_vec3 moment;       // about the sleeper's centre [N m]
    double tensor[3][3];     // sum N_c (r^2 - r r), r from X [N m^2]
    sherd_vec3 middle;       // X, relative to the sleeper's centre [m]
    double scale;            // s
    sherd_vec3 push, couple; // a [-], b [1/m]
} support;

typedef struct balance_job {
    sherd_contacts *contacts;
    const sherd_points *points;
    int32_t first;
    support *supports;
} balance_job;

typedef struct held_contact {
    support *of;
    sherd_obstacle_history *history;
    sherd_vec3 lever; // relative to the sleeper's centre [m]
    double friction;
} held_contact;

typedef void contact_visit(const held_contact *contact);

static const sherd_sleeper *sleeper_of(const balance_job *job, int32_t number)
{
    return number >= job->first ? &job->contacts->sleepers->list[number] : NULL;
}

static sherd_vec3 lever_of(const balance_job *job, const sherd_obstacle *o, size_t c,
                           sherd_vec3 centre)
{
    sherd_element_index k = o->contacts.element[c];
    sherd_vec3 p = sherd_point_position(job->points, k), normal;
    double gap = sherd_obstacle_contact_gap(o, job->points, c, &normal);
    double arm = sherd_point_radius(job->points, k) + 0.5 * gap;
    return vec3_sub(vec3_add_scaled(p, -arm, normal), centre);
}

static void visit_obstacle(const balance_job *job, sherd_obstacle *o, contact_visit *visit)
{
    for (size_t c = 0; c < o->contacts.count; ++c) {
        sherd_element_index k = o->contacts.element[c];
        int32_t number = job->contacts->sleepers->of[k];
        const sherd_sleeper *s = sleeper_of(job, number);
        if (s == NULL || !(o->contacts.state[c] & SHERD_PAIR_TOUCHES)) continue;
        held_contact contact = {&job->supports[number - job->first], &o->contacts.history[c],
                                lever_of(job, o, c, s->motion.centre),
                                o->pairings[sherd_point_material(job->points, k)].friction};
        visit(&contact);
    }
}

static void visit_all(const balance_job *job, contact_visit *visit)
{
    for (int o = 0; o < job->contacts->obstacle_count; ++o)
        if (job->contacts->obstacles[o].kind == SHERD_OBSTACLE_FIXED)
            visit_obstacle(job, &job->contacts->obstacles[o], visit);
}

static void add_mean_force(const held_contact *at)
{
    sherd_obstacle_history *h = at->history;
    double normal = h->lasting, tangential = vec3_length(h->contact.tangential);
    double friction_limit = at->friction * normal,
           fraction = tangential > friction_limit ? friction_limit / tangential : 1.0;
    h->resting = vec3_add_scaled(vec3_scale(normal, h->normal), fraction, h->contact.tangential);
    at->of->weight += normal;
    at->of->first = vec3_add_scaled(at->of->first, normal, at->lever);
    at->of->force = vec3_add(at->of->force, h->resting);
    at->of->moment = vec3_add(at->of->moment, vec3_cross(at->lever, h->resting));
}

static void add_second_moment(const held_contact *at)
{
    sherd_vec3 arm = vec3_sub(at->lever, at->of->middle);
    double r[3] = {arm.x, arm.y, arm.z}, square = vec3_dot(arm, arm);
    for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q)
            at->of->tensor[p][q] += at->history->lasting * ((p == q ? square : 0.0) - r[p] * r[q]);
}

static void correct_force(const held_contact *at)
{
    const support *s = at->of;
    sherd_vec3 rotational = vec3_cross(s->couple, vec3_sub(at->lever, s->middle));
    sherd_vec3 change = vec3_scale(at->history->lasting, vec3_add(s->push, rotational));
    at->history->resting = vec3_add_scaled(change, s->scale, at->history->resting);
}

// The vertical component of the mean forces must balance the weight.
static void find_scale(support *s, sherd_vec3 weight)
{
    double up = -vec3_dot(s->force, weight);
    s->scale = up > 0.0 ? vec3_dot(weight, weight) / up : 1.0;
    if (s->weight > 0.0) s->middle = vec3_scale(1.0 / s->weight, s->first);
}

static double divided(double torque, double moment, double min_moment)
{
    return moment > min_moment ? torque / moment : 0.0;
}

// Solves for the acceleration of a rigid body with point masses N_c under the remaining force and
// torque.
static void find_correction(support *s, sherd_vec3 weight, double radius)
{
    if (!(s->weight > 0.0)) return;
    sherd_vec3 unbalanced = vec3_add_scaled(weight, s->scale, s->force); // residual
    sherd_vec3 torque = vec3_scale(-s->scale, s->moment);
    torque = vec3_add(torque, vec3_cross(s->middle, unbalanced));
    s->push = vec3_scale(-1.0 / s->weight, unbalanced);
    sherd_mass_properties moments;
    sherd_mass_properties_set_inertia(&moments, s->tensor);
    sherd_vec3 own = quat_rotate_inverse(moments.axes, torque), I = moments.inertia;
    double min_moment = MIN_LEVER * s->weight * radius * radius;
    s->couple = quat_rotate(moments.axes,
                            vec3(divided(own.x, I.x, min_moment), divided(own.y, I.y, min_moment),
                                 divided(own.z, I.z, min_moment)));
}

sherd_status sherd_contacts_balance_loads(sherd_contacts *contacts, const sherd_points *points,
                                          int32_t first, sherd_vec3 gravity, sherd_error *error)
{
    int32_t count = contacts->sleepers->count - first;
    if (count == 0) return SHERD_OK;
    const sherd_sleeper *sleepers = contacts->sleepers->list + first;
    balance_job job = {contacts, points, first, sherd_alloc((size_t)count, sizeof *job.supports)};
    if (job.supports == NULL) return sherd_fail_memory(error, "bodies that sleep");
    visit_all(&job, add_mean_force);
    for (int32_t s = 0; s < count; ++s)
        find_scale(&job.supports[s], vec3_scale(sleepers[s].motion.properties.mass, gravity));
    visit_all(&job, add_second_moment);
    for (int32_t s = 0; s < count; ++s)
        find_correction(&job.supports[s], vec3_scale(sleepers[s].motion.properties.mass, gravity),
                        sleepers[s].radius);
    visit_all(&job, correct_force);
    sherd_free(job.supports);
    return SHERD_OK;
}

void sherd_contacts_mark_supported(const sherd_contacts *contacts, const int32_t *group,
                                   uint8_t *supported)
{
    for (int o = 0; o < contacts->obstacle_count; ++o) {
        const sherd_obstacle_contacts *listed = &contacts->obstacles[o].contacts;
        if (contacts->obstacles[o].kind != SHERD_OBSTACLE_FIXED) continue;
        for (size_t c = 0; c < listed->count; ++c)
            if (listed->history[c].lasting > 0.0 && (listed->state[c] & SHERD_PAIR_TOUCHES))
                supported[group[listed->element[c]]] = 1;
    }
}
