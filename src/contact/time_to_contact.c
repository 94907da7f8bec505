#include "contact/time_to_contact.h"

#include "base/assertion.h"
#include "bodies/motion_eval.h"
#include "contact/contact_system.h"
#include "contact/explicit/obstacle_distances.h"
#include "laws/law_tables.h"
#include "math/quat.h"

// Along a surface an element may move farther per step than towards it, but an edge may lie in its
// path. The element's radius rounds every edge, so steps of half a radius resolve all edges.
static const double ALONG_FRACTION = 0.25;

// Paths bend slightly within the window.
static const double NEAR_MISS = 0.1; // [radii]

// Springs must stop a body before it is this fraction of the depth at which the contact normal
// reverses. Otherwise it may pass through.
static const double STOPPED_AT = 0.75;

// The middle of a plate is as deep as its size, and depths are known only at the ends of steps.
static const double SEEN_DEPTH = 0.8;

// ---------------------------------------------------------------- springs

static double mobility_of(const sherd_points *e, sherd_element_index k)
{
    return sherd_point_is_held(e, k) ? 0.0 : 1.0 / sherd_point_mass(e, k);
}

// Speed at which surfaces met and will separate that have overlap `pressed` and closing speed
// `speed`. `spring` is stiffness per mass: its scale times the mobility that its force acts on.
static double rebound_speed(const contact_spring *spring, double pressed, double speed)
{
    return sqrt(speed * speed + sherd_contact_spring_rebound2(spring, pressed));
}

static bool passes(const contact_spring *spring, double speed, double through)
{
    return speed * speed > sherd_contact_spring_rebound2(spring, STOPPED_AT * through);
}

static contact_spring pair_spring(const sherd_contacts *contacts, const sherd_points *e,
                                  sherd_element_index i, sherd_element_index j)
{
    int row = sherd_point_material(e, i) * contacts->material_count;
    contact_spring spring =
        sherd_contact_pair_spring(&contacts->pairings[row + sherd_point_material(e, j)],
                                  sherd_point_radius(e, i), sherd_point_radius(e, j));
    spring.scale *= mobility_of(e, i) + mobility_of(e, j);
    return spring;
}

static contact_spring obstacle_spring(const sherd_obstacle *o, const sherd_points *e,
                                      sherd_element_index k, sherd_vec3 n)
{
    double radius = sherd_point_radius(e, k);
    sherd_vec3 touch = vec3_add_scaled(sherd_point_position(e, k), -radius, n);
    double body = sherd_obstacle_mobility(o, touch, n);
    contact_spring spring =
        sherd_contact_face_spring(&o->pairings[sherd_point_material(e, k)], radius);
    spring.scale *= mobility_of(e, k) + fmax((double)o->touching, 1.0) * body;
    return spring;
}

// ---------------------------------------------------------------- motion of obstacles

static sherd_obstacle_flight driven_at(const sherd_obstacle *o, double time)
{
    sherd_pose moved = sherd_motion_pose(&o->motion, time);
    sherd_motion_rate rate = sherd_motion_velocity(&o->motion, time);
    sherd_vec3 moved_to = sherd_motion_apply(&o->motion, moved, o->start.position);
    sherd_vec3 pivot = vec3_add(o->motion.pivot, moved.position);
    sherd_vec3 turning = vec3_cross(rate.angular, vec3_sub(moved_to, pivot));
    return (sherd_obstacle_flight){
        .obstacle = o, .velocity = vec3_add(rate.linear, turning), .spin = rate.angular};
}

// Between keys of its table a motion has constant rates.
static sherd_obstacle_flight driven_flight(const sherd_obstacle *o, double time, double window)
{
    enum { MAX_KEYS = 1000 }; // a finer table is treated as smooth
    sherd_obstacle_flight flight = driven_at(o, time);
    double at = sherd_motion_next_key(&o->motion, time);
    for (int k = 0; k < MAX_KEYS && at < time + window; ++k) {
        sherd_obstacle_flight then = driven_at(o, at);
        flight.uncertainty =
            fmax(flight.uncertainty, vec3_distance(then.velocity, flight.velocity));
        flight.rotation_uncertainty =
            fmax(flight.rotation_uncertainty, vec3_distance(then.spin, flight.spin));
        at = sherd_motion_next_key(&o->motion, at);
    }
    return flight;
}

sherd_obstacle_flight sherd_contacts_flight(const sherd_contacts *contacts, int index, double time,
                                            double window)
{
    SHERD_ASSERT(index >= 0 && index < contacts->obstacle_count && window >= 0.0,
                 "the obstacle is one of the contacts");
    const sherd_obstacle *o = &contacts->obstacles[index];
    if (o->kind == SHERD_OBSTACLE_DRIVEN) return driven_flight(o, time, window);
    sherd_obstacle_flight flight = {.obstacle = o};
    if (o->kind == SHERD_OBSTACLE_FIXED) return flight;
    flight.spin = sherd_rigid_body_spin(&o->body);
    sherd_vec3 arm = vec3_sub(o->pose.position, o->body.centre);
    flight.velocity = vec3_add(o->body.velocity, vec3_cross(flight.spin, arm));
    return flight;
}

static sherd_vec3 velocity_at(const sherd_obstacle_flight *f, sherd_vec3 point)
{
    sherd_vec3 arm = vec3_sub(point, f->obstacle->pose.position);
    return vec3_add(f->velocity, vec3_cross(f->spin, arm));
}

static double uncertainty_at(const sherd_obstacle_flight *f, sherd_vec3 point)
{
    if (f->rotation_uncertainty == 0.0) return f->uncertainty;
    return f->uncertainty +
           f->rotation_uncertainty * vec3_distance(point, f->obstacle->pose.position);
}

double sherd_flight_gap(const sherd_obstacle_flight *f, sherd_vec3 centre, double radius)
{
    return sherd_obstacle_distance(f->obstacle, centre) - radius;
}

double sherd_flight_speed(const sherd_obstacle_flight *f, sherd_vec3 centre, double radius,
                          sherd_vec3 velocity)
{
    return vec3_distance(velocity, velocity_at(f, centre)) + uncertainty_at(f, centre) +
           (vec3_length(f->spin) + f->rotation_uncertainty) * radius;
}

// Closing speed and gap of a ball around a moving point.
static sherd_closing ball_closing(const sherd_obstacle_flight *f, sherd_vec3 point, double radius,
                                  sherd_vec3 velocity, double slack, double window, sherd_vec3 *n)
{
    const sherd_closing nothing = {.time = INFINITY, .size = radius};
    sherd_vec3 w = vec3_sub(velocity, velocity_at(f, point));
    double speed = vec3_length(w), gap = sherd_obstacle_distance(f->obstacle, point) - radius;
    slack += uncertainty_at(f, point);
    *n = vec3(0.0, 0.0, 0.0);
    if (gap > (speed + slack) * window) return nothing;
    sherd_obstacle_distance_and_normal(f->obstacle, point, n);
    bool flat = f->obstacle->shape == NULL && vec3_length(f->spin) == 0.0;
    double into = -vec3_dot(w, *n), along = flat ? 0.0 : speed;
    // Separating surfaces must be resolved, too.
    double closing = fmax(gap < 0.0 ? fabs(into) : into, ALONG_FRACTION * along) + slack;
    double time = gap / ((flat ? into : speed) + slack);
    if (gap > 0.0 && !(time >= 0.0 && time <= window)) return nothing;
    return (sherd_closing){.time = gap > 0.0 ? time : 0.0,
                           .speed = closing,
                           .rebound = closing,
                           .size = radius,
                           .depth = fmax(-gap, 0.0)};
}

sherd_closing sherd_flight_closing(const sherd_obstacle_flight *f, const sherd_points *e,
                                   sherd_element_index k, double slack, double window)
{
    sherd_vec3 n;
    double radius = sherd_point_radius(e, k);
    sherd_closing closing = ball_closing(f, sherd_point_position(e, k), radius,
                                         sherd_point_velocity(e, k), slack, window, &n);
    if (closing.time == INFINITY || f->obstacle->shape == NULL) return closing;
    contact_spring spring = obstacle_spring(f->obstacle, e, k, n);
    closing.passes = passes(&spring, closing.speed, radius);
    return closing;
}

// Time until |d + w t| = near; INFINITY if never.
static double time_to_meet(sherd_vec3 d, sherd_vec3 w, double near)
{
    double speed2 = vec3_dot(w, w), b = vec3_dot(d, w), c = vec3_dot(d, d) - near * near;
    double root = b * b - speed2 * c;
    if (c > 0.0 && (b >= 0.0 || root < 0.0)) return INFINITY;
    return c > 0.0 ? c / (sqrt(root) - b) : 0.0;
}

// Crack faces approach along their normal only. Their tangential distance is `apart`.
static sherd_closing faces_closing(const sherd_contacts *contacts, const sherd_points *e,
                                   sherd_pair pair, const sherd_crack_contact *at, double slack,
                                   double window)
{
    double ri = sherd_point_radius(e, pair.i), rj = sherd_point_radius(e, pair.j),
           size = fmin(ri, rj);
    sherd_vec3 w = vec3_sub(sherd_point_velocity(e, pair.j), sherd_point_velocity(e, pair.i));
    double closes = vec3_dot(w, at->normal), speed = fabs(closes) + slack;
    double gap = fmax(-at->overlap - NEAR_MISS * size, 0.0);
    sherd_closing closing = {INFINITY, speed, speed, size, fmax(at->overlap, 0.0), false};
    double rate = slack > 0.0 ? speed : closes;
    if (gap == 0.0 || rate > 0.0) closing.time = gap > 0.0 ? gap / rate : 0.0;
    if (closing.time > window) closing.time = INFINITY;
    if (closing.time == INFINITY) return closing;
    contact_spring spring = pair_spring(contacts, e, pair.i, pair.j);
    closing.passes = passes(&spring, speed, ri + rj);
    return closing;
}

sherd_closing sherd_contacts_pair_closing(const sherd_contacts *contacts, const sherd_points *e,
                                          sherd_element_index i, sherd_element_index j,
                                          double slack, double window)
{
    SHERD_ASSERT(i >= 0 && i < e->count && j >= 0 && j < e->count && i != j,
                 "a pair joins two elements");
    double ri = sherd_point_radius(e, i), rj = sherd_point_radius(e, j), size = fmin(ri, rj);
    sherd_crack_contact faces = sherd_crack_between(contacts->faces, e, i, j);
    if (sherd_crack_takes(&faces, size, SHERD_TOUCH_NONE))
        return faces_closing(contacts, e, (sherd_pair){i, j}, &faces, slack, window);
    sherd_vec3 d = vec3_sub(sherd_point_position(e, j), sherd_point_position(e, i)),
               w = vec3_sub(sherd_point_velocity(e, j), sherd_point_velocity(e, i));
    double near = ri + rj + NEAR_MISS * size, apart = vec3_length(d),
           speed = vec3_length(w) + slack;
    sherd_closing closing = {INFINITY, speed, speed, size, fmax(ri + rj - apart, 0.0), false};
    closing.time = slack > 0.0 ? fmax(apart - near, 0.0) / speed : time_to_meet(d, w, near);
    if (closing.time > window) closing.time = INFINITY;
    if (closing.time == INFINITY) return closing;
    contact_spring spring = pair_spring(contacts, e, i, j);
    closing.passes = passes(&spring, speed, ri + rj);
    return closing;
}

// ---------------------------------------------------------------- quick bounds

static double driven_speed(const sherd_obstacle *o, double time, double dt)
{
    sherd_pose from = sherd_motion_pose(&o->motion, time),
               to = sherd_motion_pose(&o->motion, time + dt);
    sherd_vec3 a = sherd_motion_apply(&o->motion, from, o->start.position),
               b = sherd_motion_apply(&o->motion, to, o->start.position);
    sherd_quat rotation = quat_multiply(to.rotation, quat_conjugate(from.rotation));
    double angle = vec3_length(quat_to_rotation_vector(rotation));
    return (vec3_distance(a, b) + (angle > 0.0 ? angle * o->radius : 0.0)) / dt;
}

double sherd_contacts_obstacle_speed(const sherd_contacts *contacts, int index, double time,
                                     double dt)
{
    const sherd_obstacle *o = &contacts->obstacles[index];
    if (o->kind == SHERD_OBSTACLE_FIXED) return 0.0;
    if (o->kind == SHERD_OBSTACLE_DRIVEN) return driven_speed(o, time, dt);
    return vec3_length(o->body.velocity) +
           2.0 * o->radius * vec3_length(sherd_rigid_body_spin(&o->body));
}

static size_t count_near(const sherd_contacts *contacts, const sherd_obstacle *o, double reach)
{
    reach = fmin(reach, contacts->skin); // faster elements are checked anyway
    if (o->watch.slack == NULL || o->min_slack > o->moved + reach)
        return o->contacts.count / (size_t)o->location_count;
    return sherd_obstacle_watch_within(&o->watch, (size_t)contacts->element_count,
                                       o->moved + reach + contacts->skin);
}

double sherd_contacts_body_eigenvalue(const sherd_contacts *contacts, double radius, double reach)
{
    double largest = 0.0;
    for (int o = 0; o < contacts->obstacle_count; ++o) {
        const sherd_obstacle *at = &contacts->obstacles[o];
        if (at->kind != SHERD_OBSTACLE_FREE) continue;
        double modulus = 0.0;
        for (int m = 0; m < contacts->material_count; ++m)
            modulus = fmax(modulus, at->pairings[m].modulus);
        double stiffness = (double)count_near(contacts, at, reach) * modulus * M_PI * radius;
        largest = fmax(largest, stiffness / at->body.properties.mass);
    }
    return sherd_contact_potential_describe(contacts->pairings->potential)->stiffest * largest;
}

bool sherd_contacts_bodies_are_fast(const sherd_contacts *contacts, double time, double dt,
                                    double fraction)
{
    for (int b = 0; b < contacts->body_contact_count; ++b) {
        const sherd_body_contact *at = &contacts->body_contacts[b];
        double speed = sherd_contacts_obstacle_speed(contacts, at->body, time, dt) +
                       sherd_contacts_obstacle_speed(contacts, at->other, time, dt);
        if (speed * dt > fraction * at->size) return true;
    }
    return false;
}

// ---------------------------------------------------------------- touching pairs

static sherd_closing touching_pair(const sherd_contacts *contacts, const sherd_points *e,
                                   sherd_pair pair, double rest)
{
    sherd_closing closing = sherd_contacts_pair_closing(contacts, e, pair.i, pair.j, 0.0, 0.0);
    contact_spring spring = pair_spring(contacts, e, pair.i, pair.j);
    closing.time = 0.0;
    closing.rebound = rebound_speed(&spring, fmax(closing.depth - rest, 0.0), closing.speed);
    closing.passes = passes(&spring, closing.rebound,
                            sherd_point_radius(e, pair.i) + sherd_point_radius(e, pair.j));
    return closing;
}

static void visit_pairs(const sherd_contacts *contacts, const sherd_points *e,
                        sherd_touching_visitor *visit, void *context)
{
    sherd_pair_cursor at = {0};
    while (sherd_pair_list_next(&contacts->list, &at)) {
        if (!sherd_pair_touches(&contacts->list, &at)) continue;
        const sherd_contact_history *history = sherd_pair_history(&contacts->list, &at);
        double rest = history != NULL ? history->rest_overlap : 0.0;
        sherd_closing closing = touching_pair(contacts, e, at.pair, rest);
        visit(context, at.pair.i, at.pair.j, -1, &closing);
    }
}

static sherd_closing touching_obstacle(const sherd_obstacle *o, const sherd_points *e, size_t c)
{
    sherd_element_index k = o->contacts.element[c];
    double radius = sherd_point_radius(e, k);
    sherd_vec3 p = sherd_point_position(e, k), n;
    double gap = sherd_obstacle_contact_gap(o, e, c, &n);
    contact_spring spring = obstacle_spring(o, e, k, n);
    double into = vec3_dot(vec3_sub(sherd_point_velocity(e, k), sherd_obstacle_velocity(o, p)), n);
    double pressed = fmax(-gap - o->contacts.history[c].contact.rest_overlap, 0.0);
    double rebound = rebound_speed(&spring, pressed, into);
    bool out = o->shape != NULL && passes(&spring, rebound, radius);
    return (sherd_closing){0.0, fabs(into), rebound, radius, fmax(-gap, 0.0), out};
}

void sherd_contacts_visit_touching(const sherd_contacts *contacts, const sherd_points *points,
                                   sherd_touching_visitor *visit, void *context)
{
    visit_pairs(contacts, points, visit, context);
    for (int o = 0; o < contacts->obstacle_count; ++o) {
        const sherd_obstacle *at = &contacts->obstacles[o];
        for (size_t c = 0; c < at->contacts.count; ++c) {
            if ((at->contacts.state[c] & SHERD_PAIR_TOUCHES) == 0) continue;
            sherd_closing closing = touching_obstacle(at, points, c);
            visit(context, at->contacts.element[c], -1, o, &closing);
        }
    }
}

static double pressed_into(const sherd_obstacle *o, const sherd_points *e, size_t c)
{
    sherd_element_index k = o->contacts.element[c];
    double radius = sherd_point_radius(e, k);
    sherd_vec3 n;
    double gap = sherd_obstacle_contact_gap(o, e, c, &n);
    return (-gap - o->contacts.history[c].contact.rest_overlap) / radius;
}

double sherd_contacts_driven_depth(const sherd_contacts *contacts, const sherd_points *points)
{
    double deepest = 0.0;
    for (int o = 0; o < contacts->obstacle_count; ++o) {
        const sherd_obstacle *at = &contacts->obstacles[o];
        if (at->kind != SHERD_OBSTACLE_DRIVEN || at->shape == NULL) continue;
        for (size_t c = 0; c < at->contacts.count; ++c)
            if (at->contacts.state[c] & SHERD_PAIR_TOUCHES)
                deepest = fmax(deepest, pressed_into(at, points, c));
    }
    return deepest;
}

// ---------------------------------------------------------------- obstacles with obstacles

// Points that press share the body's mobility: their springs act in parallel.
static contact_spring body_spring(const sherd_contacts *contacts, const sherd_body_contact *at,
                                  sherd_vec3 point, sherd_vec3 n)
{
    sherd_body_contact_law law = sherd_contacts_body_law(contacts);
    sherd_contact_law one = sherd_body_contact_point_law(at, contacts->obstacles, &law);
    double mobility = sherd_obstacle_mobility(&contacts->obstacles[at->body], point, n) +
                      sherd_obstacle_mobility(&contacts->obstacles[at->other], point, n);
    one.spring.scale = fmax((double)at->touching, 1.0) * one.spring.scale * mobility;
    return one.spring;
}

// Point p of a free body with motion `f` against another obstacle with motion `g`.
static sherd_closing point_closing(const sherd_contacts *contacts, const sherd_body_contact *at,
                                   const sherd_obstacle_flight *f, const sherd_obstacle_flight *g,
                                   int32_t p, double slack, double window)
{
    const double *local = &f->obstacle->points[3 * p];
    sherd_vec3 x = pose_apply(f->obstacle->pose, vec3(local[0], local[1], local[2])), n;
    slack += uncertainty_at(f, x);
    sherd_closing closing = ball_closing(g, x, 0.0, velocity_at(f, x), slack, window, &n);
    closing.size = at->size;
    if (closing.time == INFINITY) return closing;
    contact_spring spring = body_spring(contacts, at, x, n);
    closing.rebound = rebound_speed(&spring, closing.depth, closing.speed);
    closing.passes = g->obstacle->shape != NULL && passes(&spring, closing.rebound, at->size);
    closing.depth /= SEEN_DEPTH;
    return closing;
}

// Time [s] before which no point of a free body touches another obstacle within the window, while
// speeds change by at most `slack`.
static double first_touch(const sherd_obstacle_flight *f, const sherd_obstacle_flight *g,
                          double slack)
{
    double radius = f->obstacle->radius;
    sherd_vec3 centre = f->obstacle->pose.position;
    double speed = sherd_flight_speed(g, centre, radius, f->velocity) +
                   (vec3_length(f->spin) + f->rotation_uncertainty) * radius + f->uncertainty +
                   slack;
    double gap = sherd_flight_gap(g, centre, radius);
    return gap > 0.0 ? gap / speed : 0.0;
}

static void visit_points(const sherd_contacts *contacts, const sherd_body_contact *at, double time,
                         double window, sherd_closing_visitor *visit, void *context)
{
    sherd_obstacle_flight f = sherd_contacts_flight(contacts, at->body, time, window),
                          g = sherd_contacts_flight(contacts, at->other, time, window);
    if (first_touch(&f, &g, 0.0) > window) return;
    for (int32_t p = 0; p < at->point_count; ++p) {
        sherd_closing closing = point_closing(contacts, at, &f, &g, p, 0.0, window);
        if (closing.time < INFINITY) visit(context, at->body, at->other, &closing);
    }
}

void sherd_contacts_visit_body_closings(const sherd_contacts *contacts, double time, double window,
                                        sherd_closing_visitor *visit, void *context)
{
    for (int b = 0; b < contacts->body_contact_count; ++b)
        visit_points(contacts, &contacts->body_contacts[b], time, window, visit, context);
}

// In steps longer than this fraction of the thickness (half of a plate's) a point may end on the
// far side of the obstacle. Where springs do not stop it, the second bound limits the energy gained
// as the force reverses to a sixteenth of the spring's energy.
static const double UNSEEN_FRACTION = 0.5, PASSING_FRACTION = 0.0625;

// Points of a body that turns by more than this in a step do not move in straight lines [rad].
static const double STRAIGHT_ANGLE = 0.5;

static double safe_time_between(const sherd_contacts *contacts, const sherd_body_contact *at,
                                double time, double dt, double slack)
{
    sherd_obstacle_flight f = sherd_contacts_flight(contacts, at->body, time, dt),
                          g = sherd_contacts_flight(contacts, at->other, time, dt);
    if (g.obstacle->shape == NULL) return dt; // it has no far side
    double first = first_touch(&f, &g, slack), safe_time = dt;
    if (!(first < dt)) return dt;
    double turning =
        vec3_length(f.spin) + vec3_length(g.spin) + f.rotation_uncertainty + g.rotation_uncertainty;
    if (turning * dt > STRAIGHT_ANGLE)
        safe_time = fmin(safe_time, first + STRAIGHT_ANGLE / turning);
    for (int32_t p = 0; p < at->point_count; ++p) {
        sherd_closing closing = point_closing(contacts, at, &f, &g, p, slack, safe_time);
        double fraction = closing.passes ? PASSING_FRACTION : UNSEEN_FRACTION;
        if (closing.time < INFINITY)
            safe_time = fmin(safe_time, closing.time + fraction * closing.size / closing.speed);
    }
    return safe_time;
}

double sherd_contacts_bodies_safe_time(const sherd_contacts *contacts, double time, double dt,
                                       double slack)
{
    double safe_time = dt;
    for (int b = 0; b < contacts->body_contact_count; ++b)
        safe_time = fmin(safe_time, safe_time_between(contacts, &contacts->body_contacts[b], time,
                                                      safe_time, slack));
    return safe_time;
}
