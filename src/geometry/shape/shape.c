// Code common to all shapes: dispatch to the kind, bounds.
#include "geometry/shape/shape_kind.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

void *sherd_shape_allocate(size_t size, const sherd_shape_kind *kind, sherd_error *error)
{
    sherd_shape *shape = sherd_alloc(1, size);
    if (shape == NULL) {
        sherd_fail_memory(error, "a shape");
        return NULL;
    }
    shape->kind = kind;
    return shape;
}

sherd_shape *sherd_shape_finish(sherd_shape *shape)
{
    double (*support)(const sherd_shape *, sherd_vec3) = shape->kind->support;
    shape->bounds.low = vec3(-support(shape, vec3(-1, 0, 0)), -support(shape, vec3(0, -1, 0)),
                             -support(shape, vec3(0, 0, -1)));
    shape->bounds.high = vec3(support(shape, vec3(1, 0, 0)), support(shape, vec3(0, 1, 0)),
                              support(shape, vec3(0, 0, 1)));
    return shape;
}

bool sherd_shape_check_length(double value, const char *where, const char *name, sherd_error *error)
{
    // Squares and cubes of lengths must not over- or underflow.
    if (value > 1e-60 && value < 1e60) return true;
    sherd_fail(error, SHERD_ERROR_INPUT, where, "lengths are in metres",
               "%s must be finite and positive, got %g", name, value);
    return false;
}

bool sherd_shape_same_solid(const sherd_shape *a, const sherd_shape *b)
{
    return a == b || (a->kind == b->kind && a->kind->same(a, b));
}

bool sherd_shape_has_own_texture(const sherd_shape *shape)
{
    return shape->kind->own_texture != NULL && shape->kind->own_texture(shape);
}

bool sherd_shape_is_painted(const sherd_shape *shape)
{
    return shape->kind->is_painted != NULL && shape->kind->is_painted(shape);
}

void sherd_shape_destroy(sherd_shape *shape)
{
    if (shape == NULL) return;
    if (shape->kind->release != NULL) shape->kind->release(shape);
    sherd_free(shape);
}

double sherd_shape_distance_and_normal(const sherd_shape *shape, sherd_vec3 point,
                                       sherd_vec3 *normal)
{
    return shape->kind->distance(shape, point, normal);
}

double sherd_shape_distance(const sherd_shape *shape, sherd_vec3 point)
{
    return shape->kind->distance(shape, point, NULL);
}

sherd_vec3 sherd_shape_normal(const sherd_shape *shape, sherd_vec3 point)
{
    sherd_vec3 normal;
    shape->kind->distance(shape, point, &normal);
    return normal;
}

sherd_bounds sherd_shape_bounds(const sherd_shape *shape)
{
    return shape->bounds;
}

double sherd_shape_volume(const sherd_shape *shape)
{
    return shape->kind->volume(shape);
}
