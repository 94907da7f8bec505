#include "geometry/shape/shape_contact_points.h"

#include "geometry/shape/contact_points_combine.h"
#include "math/bounds.h"
#include "math/vec3.h"

int sherd_shape_most_near(const sherd_shape *shape)
{
    return shape->concave ? SHERD_MOST_NEAR : 1;
}

void sherd_near_add(sherd_near_list *list, sherd_near_place place)
{
    enum { MOST = sizeof list->places / sizeof *list->places };
    if (list->count == MOST && place.distance >= list->places[MOST - 1].distance) return;
    int k = list->count < MOST ? list->count++ : MOST - 1;
    for (; k > 0 && list->places[k - 1].distance > place.distance; --k)
        list->places[k] = list->places[k - 1];
    list->places[k] = place;
}

void sherd_near_add_seen(const sherd_near_view *view, sherd_near_place place, sherd_near_list *list)
{
    if (place.distance > 0.0 && place.distance < view->reach) sherd_near_add(list, place);
}

void sherd_near_collect(const sherd_shape *shape, const sherd_near_view *view,
                        sherd_near_list *list)
{
    if (bounds_squared_gap(shape->bounds, view->point) >= view->reach * view->reach) return;
    (shape->kind->near != NULL ? shape->kind->near : sherd_near_nearest)(shape, view, list);
}

void sherd_near_nearest(const sherd_shape *shape, const sherd_near_view *view,
                        sherd_near_list *list)
{
    sherd_near_solid solid = {shape, view->side};
    sherd_near_place place;
    place.distance = sherd_near_solid_distance(&solid, view->point, &place.normal);
    sherd_near_add_seen(view, place, list);
}

static bool is_another(const sherd_near_place *places, int count, const sherd_near_place *place)
{
    for (int k = 0; k < count; ++k)
        if (vec3_dot(places[k].normal, place->normal) > SHERD_NEAR_COSINE) return false;
    return true;
}

// Beyond the edges of a cut-away part the distance is a lower bound, and its contact point may be
// off the surface: then the nearest of the list is used, and an empty list means that nothing is
// within reach.
static void correct_nearest(const sherd_shape *shape, const sherd_near_view *view,
                            const sherd_near_list *list, sherd_near_place *nearest)
{
    sherd_near_solid solid = {shape, SHERD_SIDE_OUTSIDE};
    if (list->count > 0)
        *nearest = list->places[0];
    else if (!sherd_near_solid_below(&solid, view->point, nearest))
        nearest->distance = view->reach;
}

int sherd_shape_near(const sherd_shape *shape, sherd_vec3 p, double reach,
                     sherd_near_place places[SHERD_MOST_NEAR])
{
    sherd_near_place *nearest = &places[0];
    nearest->distance = shape->kind->distance(shape, p, &nearest->normal);
    // From inside, only the nearest point determines the direction outwards.
    bool outside = nearest->distance > 0.0 && nearest->distance < reach;
    if (!outside || !shape->concave) return 1;
    sherd_near_view view = {p, reach, SHERD_SIDE_OUTSIDE};
    sherd_near_list list = {.count = 0};
    shape->kind->near(shape, &view, &list);
    if (shape->bounded) correct_nearest(shape, &view, &list, nearest);
    int count = 1;
    for (int k = 0; k < list.count && count < SHERD_MOST_NEAR; ++k)
        if (is_another(places, count, &list.places[k])) places[count++] = list.places[k];
    return count;
}

bool sherd_shape_is_smooth(const sherd_shape *shape, sherd_vec3 p, double reach, double around)
{
    return shape->kind->is_smooth != NULL && shape->kind->is_smooth(shape, p, reach, around);
}
