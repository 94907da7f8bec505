#include "contact/contact_forces.h"

#include "base/memory.h"
#include "contact/contact_system.h"
#include "math/quat.h"

static bool add(sherd_contact_forces *to, const sherd_contact_force *force)
{
    if (!sherd_grow((void **)&to->list, &to->capacity, to->count + 1, sizeof *to->list))
        return false;
    to->list[to->count++] = *force;
    return true;
}

static double normal_force(const sherd_contact_history *h)
{
    return (double)h->pressing + (double)h->damping;
}

static sherd_element_index number_of(const sherd_contact_numbers *numbers, sherd_element_index k)
{
    return numbers->member != NULL ? numbers->member[k] : k;
}

// Parts without free bodies have no copies of them.
static int32_t number_of_obstacle(const sherd_contact_numbers *numbers, int32_t obstacle)
{
    if (numbers->whole == NULL || numbers->has_bodies) return obstacle;
    int32_t number = 0;
    for (int32_t remaining = obstacle;; ++number)
        if (numbers->whole->obstacles[number].kind != SHERD_OBSTACLE_FREE && remaining-- == 0)
            return number;
}

static sherd_contact_force force_of_pair(const sherd_points *e, sherd_pair pair,
                                         const sherd_contact_history *h)
{
    sherd_vec3 p = sherd_point_position(e, pair.i);
    sherd_vec3 d = vec3_sub(p, sherd_point_position(e, pair.j));
    double length = vec3_length(d), radius = sherd_point_radius(e, pair.i);
    sherd_vec3 n = length > 0.0 ? vec3_scale(1.0 / length, d) : vec3(0.0, 0.0, 1.0);
    double overlap = radius + sherd_point_radius(e, pair.j) - length;
    return (sherd_contact_force){.i_obstacle = -1,
                                 .j_obstacle = -1,
                                 .place = vec3_add_scaled(p, 0.5 * overlap - radius, n),
                                 .normal = n,
                                 .normal_force = normal_force(h),
                                 .friction = h->tangential,
                                 .overlap = overlap};
}

// Across a crack: halfway between the centres, along the crack.
static void rotate_to_faces(sherd_contact_force *force, const sherd_points *e, sherd_pair pair,
                            const sherd_crack_contact *at)
{
    force->place = vec3_add_scaled(sherd_point_position(e, pair.i), -0.5, at->between);
    force->normal = at->normal;
    force->overlap = at->overlap;
}

static bool list_pairs(const sherd_contacts *c, const sherd_points *e,
                       const sherd_contact_numbers *numbers, sherd_contact_forces *to)
{
    sherd_pair_cursor cursor = {0};
    while (sherd_pair_list_next(&c->list, &cursor)) {
        if (!sherd_pair_touches(&c->list, &cursor)) continue;
        sherd_contact_force force =
            force_of_pair(e, cursor.pair, sherd_pair_history(&c->list, &cursor));
        if (sherd_pair_touch(&c->list, &cursor) == SHERD_TOUCH_FACES) {
            sherd_crack_contact at = sherd_crack_between(c->faces, e, cursor.pair.i, cursor.pair.j);
            if (at.faces) rotate_to_faces(&force, e, cursor.pair, &at);
        }
        force.i = number_of(numbers, cursor.pair.i), force.j = number_of(numbers, cursor.pair.j);
        if (!add(to, &force)) return false;
    }
    return true;
}

// The force on a sleeping element is known only as one vector.
static void set_resting(sherd_contact_force *force, sherd_vec3 resting)
{
    force->normal_force = vec3_dot(resting, force->normal);
    force->friction = vec3_add_scaled(resting, -force->normal_force, force->normal);
}

static sherd_contact_force force_of_obstacle(const sherd_obstacle *o, const sherd_points *e,
                                             size_t at)
{
    const sherd_obstacle_history *h = &o->contacts.history[at];
    sherd_element_index k = o->contacts.element[at];
    sherd_vec3 nearest;
    double gap = sherd_obstacle_contact_gap(o, e, at, &nearest);
    sherd_contact_force force = {.j = -1,
                                 .i_obstacle = -1,
                                 .normal = h->normal,
                                 .normal_force = normal_force(&h->contact),
                                 .friction = h->contact.tangential,
                                 .overlap = -gap};
    force.place = vec3_add_scaled(sherd_point_position(e, k), -sherd_point_radius(e, k) - 0.5 * gap,
                                  h->normal);
    if (e->asleep[k]) set_resting(&force, h->resting);
    return force;
}

static bool list_obstacle(const sherd_contacts *c, int32_t obstacle, const sherd_points *e,
                          const sherd_contact_numbers *numbers, sherd_contact_forces *to)
{
    const sherd_obstacle *o = &c->obstacles[obstacle];
    int32_t number = number_of_obstacle(numbers, obstacle);
    for (size_t at = 0; at < o->contacts.count; ++at) {
        if (!(o->contacts.state[at] & SHERD_PAIR_TOUCHES)) continue;
        sherd_contact_force force = force_of_obstacle(o, e, at);
        force.i = number_of(numbers, o->contacts.element[at]), force.j_obstacle = number;
        if (!add(to, &force)) return false;
    }
    return true;
}

// Contact points of a free body.
static bool list_body(const sherd_contacts *c, const sherd_body_contact *contact,
                      sherd_contact_forces *to)
{
    const sherd_obstacle *a = &c->obstacles[contact->body], *b = &c->obstacles[contact->other];
    for (int32_t p = 0; p < contact->point_count; ++p) {
        if (!(contact->state[p] & SHERD_PAIR_TOUCHES)) continue;
        const sherd_obstacle_history *h = &contact->history[p];
        const double *local = &a->points[3 * p];
        sherd_vec3 x = pose_apply(a->pose, vec3(local[0], local[1], local[2]));
        sherd_contact_force force = {.i = -1,
                                     .j = -1,
                                     .i_obstacle = contact->body,
                                     .j_obstacle = contact->other,
                                     .place = x,
                                     .normal = h->normal,
                                     .normal_force = normal_force(&h->contact),
                                     .friction = h->contact.tangential,
                                     .overlap = -sherd_obstacle_distance(b, x)};
        if (!add(to, &force)) return false;
    }
    return true;
}

bool sherd_contacts_list_forces(const sherd_contacts *contacts, const sherd_points *points,
                                const sherd_contact_numbers *numbers, sherd_contact_forces *to)
{
    bool fits = list_pairs(contacts, points, numbers, to);
    for (int32_t o = 0; o < contacts->obstacle_count && fits; ++o)
        fits = list_obstacle(contacts, o, points, numbers, to);
    for (int b = 0; b < contacts->body_contact_count && fits; ++b)
        fits = list_body(contacts, &contacts->body_contacts[b], to);
    return fits;
}
