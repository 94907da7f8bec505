#include "contact/explicit/body_contact.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/quat.h"

sherd_status sherd_body_contact_init(sherd_body_contact *contact, const sherd_obstacle *obstacles,
                                     int body, int other, sherd_error *error)
{
    SHERD_ASSERT(body != other, "a body does not touch itself");
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
        .normal = sherd_alloc(points, sizeof *contact->normal),
    };
    if (contact->history != NULL && contact->state != NULL && contact->due != NULL &&
        contact->gap != NULL && contact->normal != NULL)
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
    sherd_free(contact->normal);
    *contact = (sherd_body_contact){0};
}

// Stiffness of one point: that of an element half as wide as the spacing of points, but limited so
// that half of the points together (a face) need no shorter time step than elements do.
static double point_stiffness(const sherd_obstacle *body, const sherd_body_contact_law *law)
{
    double k = sherd_contact_modulus(law->material) * M_PI * 0.25 * body->surface_spacing;
    double eigenvalue = 3.5 * 0.5 * (double)body->point_count / body->body.properties.mass;
    return fmin(k, 0.5 * law->max_eigenvalue / eigenvalue);
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
    // Two free bodies have two contacts: points of each against the other.
    if (b->kind == SHERD_OBSTACLE_FREE) k = 0.5 * fmin(k, point_stiffness(b, law));
    // Points have no radius, which another potential would need.
    return (sherd_contact_law){.spring = {.kind = SHERD_CONTACT_LINEAR, .scale = k},
                               .stiffness = k,
                               .friction = pairing.friction,
                               .damping_ratio = pairing.damping_ratio,
                               .tangential_damping = pairing.tangential_damping};
}

double sherd_body_contact_path(const sherd_body_contact *contact, const sherd_obstacle *obstacles)
{
    const sherd_obstacle *a = &obstacles[contact->body], *b = &obstacles[contact->other];
    double apart = vec3_distance(a->pose.position, b->pose.position) + a->radius +
                   vec3_length(b->shift) + vec3_length(a->shift);
    return vec3_distance(a->shift, b->shift) + vec3_length(a->rotation) * a->radius +
           vec3_length(b->rotation) * apart;
}

static sherd_vec3 point_position(const sherd_obstacle *a, int32_t p)
{
    const double *local = &a->points[3 * p];
    return pose_apply(a->pose, vec3(local[0], local[1], local[2]));
}

// Points that press act on the same bodies. Their dashpots are reduced so that all together remove
// at most the whole of a motion in a step (contact_respond.h).
static sherd_contact_state point_state(const sherd_body_contact *contact, const sherd_obstacle *a,
                                       const sherd_obstacle *b, const sherd_body_patch *both,
                                       const sherd_body_grip *grip, int32_t p)
{
    sherd_vec3 x = point_position(a, p), n = contact->normal[p];
    double overlap = -contact->gap[p], pressed = overlap - contact->history[p].contact.rest_overlap;
    sherd_contact_state at = {
        .overlap = overlap,
        .normal = n,
        .velocity = vec3_sub(sherd_obstacle_velocity(a, x), sherd_obstacle_velocity(b, x)),
        .inverse_mass = grip->mobility,
        .weighted_mobility = grip->max_eigenvalue,
    };
    if (pressed > 0.0)
        at.ahead = grip->speed * (pressed * grip->mobility / grip->stiffness_ratio -
                                  sherd_body_patch_acceleration(both, a, b, x, n));
    return at;
}

// Geometry of the points that may touch, and the patch of those that press. A body that lands flat
// presses with hundreds of points in one step. Dashpots computed from the previous step, when no
// point pressed, would throw it back faster than it came.
bool sherd_body_contact_find_overlaps(sherd_body_contact *contact, const sherd_obstacle *obstacles,
                                      bool first)
{
    const sherd_obstacle *a = &obstacles[contact->body], *b = &obstacles[contact->other];
    contact->patch = (sherd_body_patch){0};
    contact->travel += sherd_body_contact_path(contact, obstacles);
    contact->looked = contact->touching > 0 || contact->travel >= contact->next_due;
    if (!contact->looked) return false;
    contact->next_due = INFINITY;
    for (int32_t p = 0; p < contact->point_count; ++p) {
        contact->gap[p] = INFINITY;
        if (contact->state[p] != 0 || contact->travel >= contact->due[p]) {
            sherd_contact_history *history = &contact->history[p].contact;
            sherd_vec3 x = point_position(a, p);
            bool known = contact->state[p] != 0; // it most likely still presses
            double gap = known ? sherd_obstacle_distance_and_normal(b, x, &contact->normal[p])
                               : sherd_obstacle_distance(b, x);
            if (first && gap < 0.0) history->rest_overlap = -gap;
            contact->due[p] = contact->travel + gap;
            contact->gap[p] = gap;
            double pressed = -gap - history->rest_overlap;
            if (!known && gap < 0.0) contact->normal[p] = sherd_obstacle_normal(b, x);
            if (pressed > 0.0)
                sherd_body_patch_add(&contact->patch, a, b, x, contact->normal[p], pressed);
        }
        contact->next_due = fmin(contact->next_due, contact->due[p]);
    }
    contact->touching = contact->patch.count;
    return true;
}

// The load of one point under the springs of `both`.
static double square_accelerations(const sherd_body_contact *contact,
                                   const sherd_obstacle *obstacles, const sherd_body_patch *both)
{
    const sherd_obstacle *a = &obstacles[contact->body], *b = &obstacles[contact->other];
    double sum = 0.0;
    for (int32_t p = 0; p < contact->point_count && contact->touching > 0; ++p) {
        if (!(-contact->gap[p] > contact->history[p].contact.rest_overlap)) continue;
        double along =
            sherd_body_patch_acceleration(both, a, b, point_position(a, p), contact->normal[p]);
        sum += along * along;
    }
    return sum;
}

// A new contact force acts over one whole step, of which the surfaces touched only for the fraction
// pressed / (dt closing), and half a step is still to come. Without this correction, rebounds
// depend by a fifth on when within a step the surfaces meet.
static double onset_of_damping(const sherd_contact_state *at, double rest, double dt)
{
    double displacement = -dt * vec3_dot(at->velocity, at->normal), pressed = at->overlap - rest;
    return pressed > 0.0 && displacement > pressed ? 0.5 + pressed / displacement : 1.0;
}

static void apply_point(sherd_body_contact *contact, sherd_obstacle *a, sherd_obstacle *b,
                        int32_t p, const sherd_contact_law *law, const sherd_contact_state *at,
                        double dt, sherd_contact_sums *sums)
{
    sherd_obstacle_history *history = &contact->history[p];
    sherd_vec3 x = point_position(a, p);
    sherd_face_motion motion = {.velocity = at->velocity};
    sherd_contact_law now = *law;
    now.damping_ratio *= onset_of_damping(at, history->contact.rest_overlap, dt);
    sherd_contact_response response = sherd_contact_respond_to_face(&now, at, &motion, history, dt);
    bool touches = at->overlap > history->contact.rest_overlap;
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

// The damping ratio with which steps of dt rebound (on average over the phase within a step at
// which surfaces meet) as infinitely short steps do with zeta. A contact ends where its force would
// pull, and finite steps dissipate less until then: by a fraction zeta omega dt/2, and more in long
// steps. Found with one spring and dashpot: within 0.003 of the restitution up to omega dt = 0.35.
static double ratio_in_steps(double zeta, double angle)
{
    return zeta * (1.0 + 0.5 * zeta * angle * (1.0 + 1.25 * angle));
}

static sherd_contact_sums apply_points(sherd_body_contact *contact, sherd_obstacle *obstacles,
                                       const sherd_body_contact_law *law,
                                       const sherd_body_patch *both, const sherd_body_grip *grip,
                                       double dt)
{
    sherd_obstacle *a = &obstacles[contact->body], *b = &obstacles[contact->other];
    sherd_contact_sums sums = {0};
    sherd_contact_law point = sherd_body_contact_point_law(contact, obstacles, law);
    point.damping_ratio =
        grip->stiffness_ratio *
        ratio_in_steps(point.damping_ratio, dt * sqrt(point.stiffness * grip->mobility));
    for (int32_t p = 0; p < contact->point_count && contact->looked; ++p)
        if (contact->gap[p] < 0.0 || contact->state[p] != 0) {
            sherd_contact_state at = point_state(contact, a, b, both, grip, p);
            apply_point(contact, a, b, p, &point, &at, dt, &sums);
        }
    contact->touching = (int32_t)sums.touching;
    return sums;
}

sherd_contact_sums sherd_body_contact_apply(sherd_body_contact *contact,
                                            sherd_body_contact *reverse, sherd_obstacle *obstacles,
                                            const sherd_body_contact_law *law, double dt)
{
    sherd_body_patch both = contact->patch, back = {0};
    sherd_body_grip grip = {.stiffness_ratio = 1.0};
    if (reverse != NULL) {
        back = reverse->patch;
        sherd_body_patch_join(&both, &reverse->patch);
        sherd_body_patch_join(&back, &contact->patch);
    }
    if (both.count > 0) {
        const sherd_obstacle *a = &obstacles[contact->body], *b = &obstacles[contact->other];
        sherd_body_patch_push(&both, a, b);
        if (reverse != NULL) sherd_body_patch_push(&back, b, a);
        both.square_accelerations = square_accelerations(contact, obstacles, &both);
        if (reverse != NULL)
            both.square_accelerations += square_accelerations(reverse, obstacles, &back);
        grip = sherd_body_patch_grip(&both, a, b);
    }
    sherd_contact_sums sums = apply_points(contact, obstacles, law, &both, &grip, dt);
    if (reverse == NULL) return sums;
    sherd_contact_sums theirs = apply_points(reverse, obstacles, law, &back, &grip, dt);
    contact_sums_add(&sums, &theirs);
    return sums;
}

double sherd_body_contact_speed(const sherd_body_contact *contact, const sherd_obstacle *obstacles,
                                const sherd_body_contact_law *law)
{
    const sherd_obstacle *a = &obstacles[contact->body], *b = &obstacles[contact->other];
    sherd_body_patch patch = {0};
    double fastest = 0.0;
    for (int32_t p = 0; p < contact->point_count && contact->touching > 0; ++p) {
        if (!(contact->state[p] & SHERD_PAIR_TOUCHES)) continue;
        sherd_vec3 x = point_position(a, p), n;
        double overlap = -sherd_obstacle_distance_and_normal(b, x, &n),
               pressed = overlap - contact->history[p].contact.rest_overlap;
        if (!(pressed > 0.0)) continue;
        sherd_vec3 v = vec3_sub(sherd_obstacle_velocity(a, x), sherd_obstacle_velocity(b, x));
        fastest = fmax(fastest, fabs(vec3_dot(v, n)));
        sherd_body_patch_add(&patch, a, b, x, n, pressed);
    }
    double k = sherd_body_contact_point_law(contact, obstacles, law).stiffness;
    return fmax(fastest, sqrt(k * sherd_body_patch_response(&patch, a, b)));
}
