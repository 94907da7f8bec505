// How soon elements and obstacles can touch, and how fast they then close: what limits explicit steps.
//
// A contact is resolved by steps in which its surfaces close by a share of its size only. What counts as size is
// how deep one thing may be in another before it comes out on another side: an element's radius, or for an obstacle
// that meets obstacles the ratio of its volume to its surface.
#pragma once

#include "contact/contact.h"

typedef struct sherd_closing {
    double time; // until surfaces can touch, 0: they do; INFINITY: they don't within the window [s]
    double speed; // at which they then close, at most [m/s]
    double
        rebound; // of a contact now: the speed at which its surfaces met and will part if only its spring acts [m/s]
    double size; // [m]
    double
        depth; // how deep they are in each other now, obstacles a little more than that: above `size` one comes out on
               // another side [m]
    bool passes; // springs won't stop them before one is about to come out on another side
} sherd_closing;

struct sherd_obstacle;

// The motion of an obstacle from now on.
typedef struct sherd_obstacle_flight {
    const struct sherd_obstacle *obstacle;
    sherd_vec3 velocity, spin; // of the place of its frame [m/s], [rad/s]
    double uncertainty,
        turn_uncertainty; // largest change of those within the window [m/s], [rad/s]
} sherd_obstacle_flight;

// Of obstacle `o` from `time` on, over `window` [s].
sherd_obstacle_flight sherd_contacts_flight(const sherd_contacts *contacts, int o, double time,
                                            double window);

// Of element k. `slack` is the largest change of its velocity within the window [m/s].
sherd_closing sherd_flight_closing(const sherd_obstacle_flight *flight, const sherd_points *points,
                                   sherd_element_index k, double slack, double window);

// Of two elements. `slack` as above, of both together.
sherd_closing sherd_contacts_pair_closing(const sherd_contacts *contacts,
                                          const sherd_points *points, sherd_element_index i,
                                          sherd_element_index j, double slack, double window);

// Gap between the obstacle and a ball, at least [m], and the speed with which points of the ball can come nearer
// to it, at most [m/s].
double sherd_flight_gap(const sherd_obstacle_flight *flight, sherd_vec3 centre, double radius);
double sherd_flight_speed(const sherd_obstacle_flight *flight, sherd_vec3 centre, double radius,
                          sherd_vec3 velocity);

// Largest mean speed of any point of obstacle `o` over dt from `time` on [m/s]. INFINITY: half-spaces that turn.
double sherd_contacts_obstacle_speed(const sherd_contacts *contacts, int o, double time, double dt);

// Whether free bodies may meet other obstacles so fast that more than `share` of a size is closed in dt.
bool sherd_contacts_bodies_are_fast(const sherd_contacts *contacts, double time, double dt,
                                    double share);

// Visits elements that press on each other or on obstacles.
typedef void sherd_touching_visitor(void *context, sherd_element_index first,
                                    sherd_element_index second, int obstacle,
                                    const sherd_closing *closing); // second or obstacle is -1
void sherd_contacts_visit_touching(const sherd_contacts *contacts, const sherd_points *points,
                                   sherd_touching_visitor *visit, void *context);

// The deepest overlap of elements with driven obstacles, in radii: above 1 they come out on another side, as nothing
// stops driven obstacles, however slow. Half-spaces have no other side.
double sherd_contacts_driven_depth(const sherd_contacts *contacts, const sherd_points *points);

// Stiffness over mass of a free body that all elements near it press on, with radii of at most `radius`: the largest of
// any, for the bound of a time step, 0: there is none [1/s^2]. Near is what is listed, and what will be when the body
// and an element come nearer by `reach`, a search margin at most [m].
double sherd_contacts_body_eigenvalue(const sherd_contacts *contacts, double radius, double reach);

// For two obstacles, `body` being free, that can touch within `window` [s]: visits the closing of their points. The
// visitor numbers obstacles by their index.
typedef void sherd_closing_visitor(void *context, int body, int other,
                                   const sherd_closing *closing);
void sherd_contacts_visit_body_closings(const sherd_contacts *contacts, double time, double window,
                                        sherd_closing_visitor *visit, void *context);

// The longest step, at most dt [s], after which no point of a free body can be on another side of an obstacle that it
// met: a bound for implicit steps, which only know the state at their end. Speeds may change by `slack` in it [m/s].
double sherd_contacts_bodies_safe_time(const sherd_contacts *contacts, double time, double dt,
                                       double slack);
