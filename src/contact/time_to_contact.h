// Time to contact and closing speed of elements and obstacles: the limits that contact sets to
// explicit steps.
//
// A step resolves a contact only if its surfaces close by a small fraction of a size. The size of
// an element is its radius. The size of an obstacle that meets obstacles is the ratio of its volume
// to its surface. A body deeper than that would come out on the other side.
#pragma once

#include "contact/contact.h"

typedef struct sherd_closing {
    double time;  // until surfaces can touch; 0: they touch; INFINITY: not within the window [s]
    double speed; // upper bound of the closing speed at that time [m/s]
    // if they touch: speed at which the surfaces met and will separate if only the spring acts
    // [m/s]
    double rebound;
    double size; // [m]
    // present overlap, for obstacles an upper bound: above `size` one comes out on the far side [m]
    double depth;
    bool passes; // springs do not stop them before one is about to come out on the far side
} sherd_closing;

struct sherd_obstacle;

// The motion of an obstacle from the present time on.
typedef struct sherd_obstacle_flight {
    const struct sherd_obstacle *obstacle;
    sherd_vec3 velocity, spin; // of the origin of its frame [m/s], [rad/s]
    double uncertainty,
        rotation_uncertainty; // largest change of those within the window [m/s], [rad/s]
} sherd_obstacle_flight;

// Motion of obstacle `o` from `time` on, over `window` [s].
sherd_obstacle_flight sherd_contacts_flight(const sherd_contacts *contacts, int o, double time,
                                            double window);

// Closing of element k with the obstacle. `slack` is the largest change of its velocity within the
// window [m/s].
sherd_closing sherd_flight_closing(const sherd_obstacle_flight *flight, const sherd_points *points,
                                   sherd_element_index k, double slack, double window);

// Closing of two elements. `slack` is the largest change of their relative velocity [m/s].
sherd_closing sherd_contacts_pair_closing(const sherd_contacts *contacts,
                                          const sherd_points *points, sherd_element_index i,
                                          sherd_element_index j, double slack, double window);

// Lower bound of the gap between the obstacle and a ball [m], and upper bound of the speed at which
// points of the ball approach it [m/s].
double sherd_flight_gap(const sherd_obstacle_flight *flight, sherd_vec3 centre, double radius);
double sherd_flight_speed(const sherd_obstacle_flight *flight, sherd_vec3 centre, double radius,
                          sherd_vec3 velocity);

// Upper bound of the mean speed of any point of obstacle `o` over dt from `time` on [m/s]. INFINITY
// for half-spaces that turn.
double sherd_contacts_obstacle_speed(const sherd_contacts *contacts, int o, double time, double dt);

// True if a free body may meet another obstacle so fast that the gap closes by more than `fraction` of
// a size in dt.
bool sherd_contacts_bodies_are_fast(const sherd_contacts *contacts, double time, double dt,
                                    double fraction);

// Visits elements that press on each other or on obstacles.
typedef void sherd_touching_visitor(void *context, sherd_element_index first,
                                    sherd_element_index second, int obstacle,
                                    const sherd_closing *closing); // second or obstacle is -1
void sherd_contacts_visit_touching(const sherd_contacts *contacts, const sherd_points *points,
                                   sherd_touching_visitor *visit, void *context);

// The deepest overlap of elements with driven obstacles, in radii. Above 1 the element comes out on
// the far side, because nothing stops a driven obstacle, however slow. Half-spaces have no far
// side.
double sherd_contacts_driven_depth(const sherd_contacts *contacts, const sherd_points *points);

// Upper bound of stiffness over mass of a free body on which all nearby elements press, with radii
// of at most `radius`, for the bound of the time step [1/s^2]; the largest of all bodies; 0 if
// there is none. Nearby elements are those listed, and those that will be listed once the body and
// the element approach each other by `reach`, at most a search margin [m].
double sherd_contacts_body_eigenvalue(const sherd_contacts *contacts, double radius, double reach);

// For each pair of obstacles, `body` being free, that can touch within `window` [s]: visits the
// closing of their points. The visitor identifies obstacles by index.
typedef void sherd_closing_visitor(void *context, int body, int other,
                                   const sherd_closing *closing);
void sherd_contacts_visit_body_closings(const sherd_contacts *contacts, double time, double window,
                                        sherd_closing_visitor *visit, void *context);

// The longest step, at most dt [s], after which no point of a free body can be on the far side of
// an obstacle that it met. It bounds implicit steps, which know only the state at their end. Speeds
// may change by `slack` in the step [m/s].
double sherd_contacts_bodies_safe_time(const sherd_contacts *contacts, double time, double dt,
                                       double slack);
