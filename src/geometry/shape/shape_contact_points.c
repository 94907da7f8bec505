#include "geometry/shape/shape_contact_points.h"

#include "geometry/shape/contact_points_combine.h"
#include "math/bounds.h"
#include "math/vec3.h"

int sherd_shape_max_near(const sherd_shape *shape)
{
    return shape->concave ? SHERD_MAX_NEAR : 1;
}

void sherd_near_add(sherd_near_list *list, sherd_near_point contact)
{
    enum { MAX_NEAR = sizeof list->points / sizeof *list->points };
    if (list->count == MAX_NEAR && contact.distance >= list->points[MAX_NEAR - 1].distance) return;
    int k = list->count < MAX_NEAR ? list->count++ : MAX_NEAR - 1;
    for (; k > 0 && list->points[k - 1].distance > contact.distance; --k)
        list->points[k] = list->points[k - 1];
    list->points[k] = contact;
}

void sherd_near_add_seen(const sherd_near_view *view, sherd_near_point contact,
                         sherd_near_list *list)
{
    if (contact.distance > 0.0 && contact.distance < view->reach) sherd_near_add(list, contact);
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
    sherd_near_point contact;
    contact.distance = sherd_near_solid_distance(&solid, view->point, &contact.normal);
    sherd_near_add_seen(view, contact, list);
}

static bool is_another(const sherd_near_point *points, int count, const sherd_near_point *contact)
{
    for (int k = 0; k < count; ++k)
        if (vec3_dot(points[k].normal, contact->normal) > SHERD_NEAR_COSINE) return false;
    return true;
}

// Beyond the edges of a cut-away part the distance is a lower bound, and its contact point may be
// off the surface: then the nearest of the list is used, and an empty list means that nothing is
// within reach.
static void correct_nearest(const sherd_shape *shape, const sherd_near_view *view,
                            const sherd_near_list *list, sherd_near_point *nearest)
{
    sherd_near_solid solid = {shape, SHERD_SIDE_OUTSIDE};
    if (list->count > 0)
        *nearest = list->points[0];
    else if (!sherd_near_solid_below(&solid, view->point, nearest))
        nearest->distance = view->reach;
}

int sherd_shape_near(const sherd_shape *shape, sherd_vec3 p, double reach,
                     sherd_near_point points[SHERD_MAX_NEAR])
{
    sherd_near_point *nearest = &points[0];
    nearest->distance = shape->kind->distance(shape, p, &nearest->normal);
    // From inside, only the nearest point determines the direction outwards.
    bool outside = nearest->distance > 0.0 && nearest->distance < reach;
    if (!outside || !shape->concave) return 1;
    sherd_near_view view = {p, reach, SHERD_SIDE_OUTSIDE};
    sherd_near_list list = {.count = 0};
    shape->kind->near(shape, &view, &list);
    if (shape->bounded) correct_nearest(shape, &view, &list, nearest);
    int count = 1;
    for (int k = 0; k < list.count && count < SHERD_MAX_NEAR; ++k)
        if (is_another(points, count, &list.points[k])) points[count++] = list.points[k];
    return count;
}

bool sherd_shape_is_smooth(const sherd_shape *shape, sherd_vec3 p, double reach, double around)
{
    return shape->kind->is_smooth != NULL && shape->kind->is_smooth(shape, p, reach, around);
}
