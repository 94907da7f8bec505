// Lower bounds of the distances of elements from obstacles. Free bodies and the first few obstacles
// (planes and large ones first) have a bound for every element. If there are many obstacles, each
// of the others has individual bounds for the elements nearest to it and one common bound for the
// remaining ones. So the total memory grows with the number of elements plus obstacles, not with
// their product.
#pragma once

#include "contact/explicit/obstacle_contact.h"

#include <math.h>

// Decides for all obstacles together which elements have individual bounds. No bound is known yet.
sherd_status sherd_obstacle_watches_begin(sherd_obstacle *obstacles, int count, size_t elements,
                                          sherd_error *error);
void sherd_obstacle_watch_forget(sherd_obstacle_watch *watch, size_t elements);
void sherd_obstacle_watch_free(sherd_obstacle_watch *watch);
size_t sherd_obstacle_watch_bytes(const sherd_obstacle_watch *watch);

// Allocates `count` individual bounds, whose elements the caller sets.
sherd_status sherd_obstacle_watch_resize(sherd_obstacle_watch *watch, size_t count,
                                         sherd_error *error);
// Individual bounds for all elements.
sherd_status sherd_obstacle_watch_all(sherd_obstacle_watch *watch, size_t elements,
                                      sherd_error *error);

// Motion since the last search.
typedef struct sherd_watch_search {
    sherd_obstacle *obstacle;
    const sherd_points *points;
    const sherd_displacements *since;
    sherd_vec3 shift; // translation of the obstacle [m]
    double rotation;  // largest change of distances by its rotation [m]
    double moved;     // largest displacement of any element relative to it [m]
    double margin;    // elements nearer than this are to be listed [m]
    const sherd_parallel *parallel;
} sherd_watch_search;

// Updates the bounds to the present time. Elements nearer than the margin get their exact distance.
sherd_status sherd_obstacle_watch_renew(const sherd_watch_search *search, sherd_error *error);

// Number of elements nearer than the margin, and the smallest bound of the others.
size_t sherd_obstacle_watch_near(const sherd_obstacle_watch *watch, double margin,
                                 double *min_distance);
// Number of `elements` that may be nearer than `far`.
size_t sherd_obstacle_watch_within(const sherd_obstacle_watch *watch, size_t elements, double far);

// Maps the contacts' elements to their individual bounds. SHERD_ERROR_INPUT: one has none.
sherd_status sherd_obstacle_watch_map_contacts(const sherd_obstacle_watch *watch,
                                               sherd_obstacle_contacts *contacts,
                                               sherd_error *error);

static inline sherd_element_index sherd_obstacle_watch_element(const sherd_obstacle_watch *watch,
                                                               size_t i)
{
    return watch->element != NULL ? watch->element[i] : (sherd_element_index)i;
}

// Bound of any element.
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

// Bound of the element of contact c, after a search.
static inline double *sherd_obstacle_contact_slack(const sherd_obstacle *o, size_t c)
{
    const sherd_obstacle_contacts *contacts = &o->contacts;
    size_t i =
        o->watch.element == NULL ? (size_t)contacts->element[c] : (size_t)contacts->watched[c];
    return &o->watch.slack[i];
}
