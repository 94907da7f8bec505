#include "contact/explicit/body_contact.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/quat.h"

sherd_status sherd_body_contact_init(sherd_body_contact *contact, const sherd_obstacle *obstacles,
                                     int body, int other, sherd_error *error)
{
    size_t points = (size_t)obstacles[body].point_count;
    *contact = (sherd_body_contact){
        .body = body,
        .other = other,
        .point_count = obstacles[body].point_count,
        .size = fmin(obstacles[body].thickness, obstacles[other].thickness),
        .history = sherd_alloc(points, sizeof *contact->history),
        .state = sherd_alloc(points, sizeof *contact->state),
        .due = sherd_alloc(points, sizeof *contact->due),
        .gap = sherd_alloc(points, sizeof *contact->gap),
    };
    if (contact->history != NULL && contact->state != NULL && contact->due != NULL &&
        contact->gap != NULL)
        return SHERD_OK;
    sherd_body_contact_free(contact);
    return sherd_fail_memory(error, "contact of free bodies");
}

void sherd_body_contact_free(sherd_body_contact *contact)
{
    sherd_free(contact->history);
    sherd_free(contact->state);
    sherd_free(contact->due);
    sherd_free(contact->gap);
    *contact = (sherd_body_contact){0};
}

// Stiffness of one point: that of an element half as wide as the points are apart, but never so
// stiff that half of the points together (a face) would need a shorter time step than elements do.
static double point_stiffness(const sherd_obstacle *body, const sherd_body_contact_law *law)
{
    double k = law->material->youngs_modulus * M_PI * 0.25 * body->surface_spacing;
    double share = 3.5 * 0.5 * (double)body->point_count / body->body.properties.mass;
    return fmin(k, 0.5 * law->max_eigenvalue / share);
}

sherd_contact_law sherd_body_contact_point_law(const sherd_body_contact *contact,
                                               const sherd_obstacle *obstacles,
                                               const sherd_body_contact_law *law)
{
    const sherd_obstacle *a = &obstacles[contact->body], *b = &obstacles[contact->other];
    sherd_contact_material side[2] = {*law->material, *law->material};
    const sherd_obstacle *obstacle[2] = {a, b};
    for (int s = 0; s < 2; ++s) {
        if (!isnan(obstacle[s]->friction)) side[s].friction = obstacle[s]->friction;
        if (!isnan(obstacle[s]->restitution)) side[s].restitution = obstacle[s]->restitution;
    }
    sherd_contact_pairing pairing = sherd_contact_pairing_of(&side[0], &side[1]);
    double k = point_stiffness(a, law);
    // Two free bodies meet twice: points of each against the other.
    if (b->kind == SHERD_OBSTACLE_FREE) k = 0.5 * fmin(k, point_stiffness(b, law));
    // Points that touch together share the damping: n points of k and c have the ratio of one
    // point with sqrt(n) times zeta.
    double share = 1.0 / sqrt(contact->touching > 1 ? (double)contact->touching : 1.0);
    // Points have no radius, which another potential would need.
    return (sherd_contact_law){.spring = {.kind = SHERD_CONTACT_LINEAR, .scale = k},
                               .stiffness = k,
                               .friction = pairing.friction,
                               .damping_ratio = share * pairing.damping_ratio,
                               .tangential_damping = share * pairing.tangential_damping};
}

double sherd_body_contact_path(const sherd_body_contact *contact, const sherd_obstacle *obstacles)
{
    const sherd_obstacle *a = &obstacles[contact->body], *b = &obstacles[contact->other];
    double apart = vec3_distance(a->pose.position, b->pose.position) + a->radius +
                   vec3_length(b->shift) + vec3_length(a->shift);
    return vec3_distance(a->shift, b->shift) + vec3_length(a->turn) * a->radius +
           vec3_length(b->turn) * apart;
}

static sherd_vec3 point_position(const sherd_obstacle *a, int32_t p)
{
    const double *local = &a->points[3 * p];
    return pose_apply(a->pose, vec3(local[0], local[1], local[2]));
}

// Points that press share the body: as those of elements, a step weakens their dashpots so that all together take at most
// all of its motion (contact_respond.h).
static sherd_contact_state point_state(const sherd_body_contact *contact, const sherd_obstacle *a,
                                       const sherd_obstacle *b, sherd_vec3 x, double overlap)
{
    sherd_vec3 n = sherd_obstacle_normal(b, x);
    double inverse_mass = sherd_obstacle_mobility(a, x, n) + sherd_obstacle_mobility(b, x, n);
    return (sherd_contact_state){
        .overlap = overlap,
        .normal = n,
        .velocity = vec3_sub(sherd_obstacle_velocity(a, x), sherd_obstacle_velocity(b, x)),
        .inverse_mass = inverse_mass,
        .weighted_mobility = fmax((double)contact->touching, 1.0) * inverse_mass,
    };
}

// Where points are that may touch; how many press. A body that lies down flat has hundreds of them in one step, and
// dashpots of a step before, when there were none, would throw it back faster than it came.
static void find_gaps(sherd_body_contact *contact, const sherd_obstacle *a, const sherd_obstacle *b,
                      bool first)
{
    contact->touching = 0;
    contact->next_due = INFINITY;
    for (int32_t p = 0; p < contact->point_count; ++p) {
        contact->gap[p] = INFINITY;
        if (contact->state[p] != 0 || contact->travel >= contact->due[p]) {
            sherd_contact_history *history = &contact->history[p].contact;
            double gap = sherd_obstacle_distance(b, point_position(a, p));
            if (first && gap < 0.0) history->rest_overlap = -gap;
            contact->due[p] = contact->travel + gap;
            contact->touching += -gap > history->rest_overlap;
            contact->gap[p] = gap;
        }
        contact->next_due = fmin(contact->next_due, contact->due[p]);
    }
}

static void apply_point(sherd_body_contact *contact, sherd_obstacle *a, sherd_obstacle *b,
                        int32_t p, const sherd_contact_law *law, double dt,
                        sherd_contact_sums *sums)
{
    sherd_obstacle_history *history = &contact->history[p];
    sherd_vec3 x = point_position(a, p);
    sherd_contact_state at = point_state(contact, a, b, x, -contact->gap[p]);
    sherd_face_motion motion = {.velocity = at.velocity};
    sherd_contact_response response = sherd_contact_respond_to_face(law, &at, &motion, history, dt);
    bool touches = at.overlap > history->contact.rest_overlap;
    contact->state[p] =
        (uint8_t)((touches ? SHERD_PAIR_TOUCHES : 0) |
                  (contact_history_is_empty(&history->contact) ? 0 : SHERD_PAIR_REMEMBERS));
    sherd_obstacle_add_load(a, x, response.force);
    sherd_obstacle_add_load(b, x, vec3_scale(-1.0, response.force));
    sums->stored += response.stored;
    sums->damped += response.damped;
    sums->slid += response.slid;
    sums->onset += response.onset;
    sums->pending += response.pending;
    sums->touching += touches;
}

sherd_contact_sums sherd_body_contact_apply(sherd_body_contact *contact, sherd_obstacle *obstacles,
                                            const sherd_body_contact_law *law, double dt,
                                            bool first)
{
    sherd_obstacle *a = &obstacles[contact->body], *b = &obstacles[contact->other];
    sherd_contact_sums sums = {0};
    contact->travel += sherd_body_contact_path(contact, obstacles);
    if (contact->touching == 0 && contact->travel < contact->next_due) return sums;
    find_gaps(contact, a, b, first);
    sherd_contact_law point = sherd_body_contact_point_law(contact, obstacles, law);
    for (int32_t p = 0; p < contact->point_count; ++p)
        if (contact->gap[p] < 0.0 || contact->state[p] != 0)
            apply_point(contact, a, b, p, &point, dt, &sums);
    contact->touching = (int32_t)sums.touching;
    return sums;
}
