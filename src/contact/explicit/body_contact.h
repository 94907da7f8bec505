// Contact of a free rigid body with another obstacle: points on the body's surface against the
// other's signed distance, by the same law as elements. Edges that cross without a point inside are
// not seen; the points are 1/24 of the body's size apart.
#pragma once

#include "bodies/obstacle.h"
#include "contact/contact_sums.h"
#include "contact/explicit/body_patch.h"

typedef struct sherd_body_contact {
    int body, other; // obstacles; the body is free
    int reverse; // among contacts of bodies, that of the other's points with this one; -1: it isn't free
    int32_t point_count;
    sherd_obstacle_history *history; // (points)
    uint8_t *state;                  // (points)
    double *due;                     // (points) no point can touch before `travel` reaches it [m]
    double *gap; // (points) of those looked at in this evaluation, else INFINITY [m]
    sherd_vec3
        *normal; // (points) there, of those that press or remember; only within an evaluation
    bool looked; // at points, in this evaluation
    sherd_body_patch patch; // of those that press; only within an evaluation
    double travel;          // path length of relative motion so far, at most [m]
    double next_due;        // the least of them
    int32_t touching;       // points that press in this evaluation, then in the last one
    double size;            // the smaller thickness of the two [m]
} sherd_body_contact;

sherd_status sherd_body_contact_init(sherd_body_contact *contact, const sherd_obstacle *obstacles,
                                     int body, int other, sherd_error *error);
void sherd_body_contact_free(sherd_body_contact *contact);

// Parameters of contact between the body and other obstacles.
typedef struct sherd_body_contact_law {
    const sherd_contact_material
        *material;         // for obstacles without friction or restitution of their own
    double max_eigenvalue; // stiffness / mass that must not be exceeded [1/s^2]
} sherd_body_contact_law;

// The law of one point, whose dashpot is that of a point alone.
sherd_contact_law sherd_body_contact_point_law(const sherd_body_contact *contact,
                                               const sherd_obstacle *obstacles,
                                               const sherd_body_contact_law *law);

// Path of any of the body's points relative to the other obstacle, over the last move, at most [m].
double sherd_body_contact_path(const sherd_body_contact *contact, const sherd_obstacle *obstacles);

// After a move: finds what touches. Returns false where nothing can. With `first`, overlaps are taken as rest.
bool sherd_body_contact_look(sherd_body_contact *contact, const sherd_obstacle *obstacles,
                             bool first);

// Then: advances over dt and adds to the loads of both. `reverse`: the contact of the other body's points with this one,
// NULL where that isn't free.
sherd_contact_sums sherd_body_contact_apply(sherd_body_contact *contact,
                                            sherd_body_contact *reverse, sherd_obstacle *obstacles,
                                            const sherd_body_contact_law *law, double dt);

// The speed of those points that press, or with which springs would part both bodies [m/s].
double sherd_body_contact_speed(const sherd_body_contact *contact, const sherd_obstacle *obstacles,
                                const sherd_body_contact_law *law);
