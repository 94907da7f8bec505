// Lower bounds of elements' distances from obstacles. Those of free bodies and of the first few obstacles, planes and
// large ones before small ones, are of every element. Among many obstacles the others watch the elements nearest to them
// one by one, and have one bound for the rest, so that all together grow with elements and obstacles, not with their
// product.
#pragma once

#include "contact/explicit/obstacle_contact.h"

#include <math.h>

// What each watches is decided by all of them. Nothing is known yet.
sherd_status sherd_obstacle_watches_begin(sherd_obstacle *obstacles, int count, size_t elements,
                                          sherd_error *error);
void sherd_obstacle_watch_forget(sherd_obstacle_watch *watch, size_t elements);
void sherd_obstacle_watch_free(sherd_obstacle_watch *watch);
size_t sherd_obstacle_watch_bytes(const sherd_obstacle_watch *watch);

// Room for `count` elements one by one, which the caller sets.
sherd_status sherd_obstacle_watch_resize(sherd_obstacle_watch *watch, size_t count,
                                         sherd_error *error);
// Of all elements.
sherd_status sherd_obstacle_watch_all(sherd_obstacle_watch *watch, size_t elements,
                                      sherd_error *error);

// A search: what has moved since the last.
typedef struct sherd_watch_search {
    sherd_obstacle *obstacle;
    const sherd_points *points;
    const sherd_displacements *since;
    sherd_vec3 shift; // of the obstacle [m]
    double turn;      // what its turn can have changed [m]
    double moved;     // the largest displacement of any element relative to it [m]
    double margin;    // elements nearer than this are wanted [m]
    const sherd_parallel *parallel;
} sherd_watch_search;

// Bounds of now. Distances of elements nearer than the margin are computed, so that these are known one by one.
sherd_status sherd_obstacle_watch_renew(const sherd_watch_search *search, sherd_error *error);

// How many are nearer than the margin, and the least bound of the others.
size_t sherd_obstacle_watch_near(const sherd_obstacle_watch *watch, double margin, double *least);
// How many of `elements` may be within `far`.
size_t sherd_obstacle_watch_within(const sherd_obstacle_watch *watch, size_t elements, double far);

// Finds the elements of contacts in the watch. SHERD_ERROR_INPUT: one is not watched.
sherd_status sherd_obstacle_watch_place(const sherd_obstacle_watch *watch,
                                        sherd_obstacle_contacts *contacts, sherd_error *error);

static inline sherd_element_index sherd_obstacle_watch_element(const sherd_obstacle_watch *watch,
                                                               size_t i)
{
    return watch->element != NULL ? watch->element[i] : (sherd_element_index)i;
}

// Of any element.
static inline double sherd_obstacle_watch_slack(const sherd_obstacle_watch *watch,
                                                sherd_element_index k)
{
    if (watch->element == NULL) return watch->slack[k];
    size_t low = 0, high = watch->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (watch->element[middle] < k)
            low = middle + 1;
        else
            high = middle;
    }
    return low < watch->count && watch->element[low] == k ? watch->slack[low] : watch->beyond;
}

// Of the element of contact c, after a search.
static inline double *sherd_obstacle_contact_slack(const sherd_obstacle *o, size_t c)
{
    const sherd_obstacle_contacts *contacts = &o->contacts;
    size_t i =
        o->watch.element == NULL ? (size_t)contacts->element[c] : (size_t)contacts->watched[c];
    return &o->watch.slack[i];
}
