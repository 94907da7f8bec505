// Contact of a free rigid body with another obstacle: points on the body's surface against the
// other's signed distance, by the same law as elements. The points are 1/24 of the body's size
// apart. Edges that cross without a point inside the other body are not detected.
#pragma once

#include "bodies/obstacle.h"
#include "contact/contact_sums.h"
#include "contact/explicit/body_patch.h"

typedef struct sherd_body_contact {
    int body, other; // indices of obstacles; the body is free
    // index of the contact of the other's points with this body; -1: the other is not free
    int reverse;
    int32_t point_count;
    sherd_obstacle_history *history; // (points)
    uint8_t *state;                  // (points)
    double *due; // by point: the point cannot touch before `travel` reaches it [m]
    double *gap; // by point: gap if evaluated now, else INFINITY [m]
    // by point: normal of those that press or have a history; valid within one evaluation
    sherd_vec3 *normal;
    bool looked;            // points were checked in this evaluation
    sherd_body_patch patch; // patch of the pressing points; valid within one evaluation
    double travel;          // path length of the relative motion so far, upper bound [m]
    double next_due;        // minimum of `due`
    int32_t touching;       // points that press in this evaluation, or in the last one
    double size;            // the smaller thickness of the two [m]
} sherd_body_contact;

sherd_status sherd_body_contact_init(sherd_body_contact *contact, const sherd_obstacle *obstacles,
                                     int body, int other, sherd_error *error);
void sherd_body_contact_free(sherd_body_contact *contact);

// Parameters of contact between free bodies and other obstacles.
typedef struct sherd_body_contact_law {
    const sherd_contact_material
        *material;         // for obstacles without friction or restitution of their own
    double max_eigenvalue; // upper bound of stiffness / mass [1/s^2]
} sherd_body_contact_law;

// The law of one point, with the dashpot of a single point.
sherd_contact_law sherd_body_contact_point_law(const sherd_body_contact *contact,
                                               const sherd_obstacle *obstacles,
                                               const sherd_body_contact_law *law);

// Upper bound of the path of any point of the body relative to the other obstacle over the last
// move [m].
double sherd_body_contact_path(const sherd_body_contact *contact, const sherd_obstacle *obstacles);

// After a move: finds the points that touch. False where no point can. With `first`, overlaps
// become rest overlaps.
bool sherd_body_contact_find_overlaps(sherd_body_contact *contact, const sherd_obstacle *obstacles,
                                      bool first);

// Advances histories over dt and adds the loads to both. `reverse` is the contact of the other
// body's points with this one, NULL if the other is not free.
sherd_contact_sums sherd_body_contact_apply(sherd_body_contact *contact,
                                            sherd_body_contact *reverse, sherd_obstacle *obstacles,
                                            const sherd_body_contact_law *law, double dt);

// Speed of the points that press, or speed with which springs would separate both bodies [m/s].
double sherd_body_contact_speed(const sherd_body_contact *contact, const sherd_obstacle *obstacles,
                                const sherd_body_contact_law *law);
