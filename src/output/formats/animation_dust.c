#include "output/formats/animation_dust.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

// The grains of one body.
typedef struct cloud {
    float *positions, *velocity, *radius, *age;
    int32_t *fragment;
    int32_t count;
} cloud;

static bool make_room(cloud *c, size_t n)
{
    *c = (cloud){.positions = sherd_alloc(3 * n, sizeof *c->positions),
                 .velocity = sherd_alloc(3 * n, sizeof *c->velocity),
                 .radius = sherd_alloc(n, sizeof *c->radius),
                 .age = sherd_alloc(n, sizeof *c->age),
                 .fragment = sherd_alloc(n, sizeof *c->fragment)};
    return c->positions != NULL && c->velocity != NULL && c->radius != NULL && c->age != NULL &&
           c->fragment != NULL;
}

static void release(cloud *c)
{
    sherd_free(c->positions);
    sherd_free(c->velocity);
    sherd_free(c->radius);
    sherd_free(c->age);
    sherd_free(c->fragment);
}

static void take_body(cloud *c, const sherd_dust_view *view, int32_t body)
{
    c->count = 0;
    for (int64_t k = 0; k < view->count; ++k) {
        if (view->body[k] != body) continue;
        size_t n = (size_t)c->count++;
        c->positions[3 * n] = (float)view->x[k];
        c->positions[3 * n + 1] = (float)view->y[k];
        c->positions[3 * n + 2] = (float)view->z[k];
        memcpy(c->velocity + 3 * n, view->velocity + 3 * k, 3 * sizeof *c->velocity);
        c->radius[n] = (float)view->radius[k];
        c->age[n] = view->age[k];
        c->fragment[n] = view->fragment[k];
    }
}

static sherd_status add_cloud(sherd_animation_objects *a, const cloud *c, int32_t body,
                              int64_t frame, sherd_error *error)
{
    char name[256];
    snprintf(name, sizeof name, "%.200s dust %lld", a->model.bodies[body].name, (long long)frame);
    const sherd_animation_points points = {.name = name,
                                           .count = c->count,
                                           .positions = c->positions,
                                           .velocity = c->velocity,
                                           .radius = c->radius,
                                           .age = c->age,
                                           .fragment = c->fragment,
                                           .material = a->inner[body]};
    sherd_animation_piece piece = {.name = name,
                                   .mesh = sherd_animation_add_points(a->animation, &points, error),
                                   .scale = 1.0};
    int index = piece.mesh >= 0 ? sherd_animation_add_piece(a->animation, &piece, error) : -1;
    if (index < 0) return error->status;
    const sherd_pose pose = {.rotation = {0.0, 0.0, 0.0, 1.0}};
    return sherd_animation_set_pose(a->animation, index, frame - a->job->first, pose, error);
}

sherd_status sherd_animation_dust_frame(sherd_animation_objects *a, sherd_dust *dust,
                                        const sherd_run_frame *frame, sherd_error *error)
{
    if (dust == NULL) return SHERD_OK;
    sherd_dust_view view = {0};
    cloud c = {0};
    // Up to and including this frame. If it is damaged, `frame` is a substitute whose breaks were
    // already processed.
    sherd_status status = sherd_dust_catch_up(dust, a->job->run, frame->index + 1, error);
    if (status == SHERD_OK) status = sherd_dust_at(dust, frame->time, &view, error);
    if (status == SHERD_OK && !make_room(&c, (size_t)view.count))
        status = sherd_fail_memory(error, "dust");
    for (int32_t b = 0; b < a->model.body_count && status == SHERD_OK; ++b) {
        take_body(&c, &view, b);
        if (c.count > 0) status = add_cloud(a, &c, b, frame->index, error);
    }
    release(&c);
    sherd_dust_view_free(&view);
    return status;
}
