// Adds clouds of points to a .glb.
#include "base/memory.h"
#include "output/export/glb_file.h"
#include "output/export/json.h"

#include <math.h>

static void put_attribute(sherd_glb_file *glb, const char *name, int accessor)
{
    sherd_json_key(&glb->meshes, name);
    sherd_json_integer(&glb->meshes, accessor);
}

// The format requires bounds of positions.
static int add_positions(sherd_glb_file *glb, const sherd_animation_points *p)
{
    int accessor = sherd_glb_add_floats(glb, SHERD_GLB_POSITION, p->positions, p->count, 3);
    if (glb->accessors.failed) return accessor;
    sherd_glb_accessor *a = &glb->accessors.items[accessor];
    a->bounded = true;
    for (int c = 0; c < 3; ++c) {
        a->low[c] = INFINITY;
        a->high[c] = -INFINITY;
        for (int32_t k = 0; k < p->count; ++k) {
            a->low[c] = fminf(a->low[c], p->positions[3 * (size_t)k + (size_t)c]);
            a->high[c] = fmaxf(a->high[c], p->positions[3 * (size_t)k + (size_t)c]);
        }
    }
    return accessor;
}

static bool add_fragments(sherd_glb_file *glb, const sherd_animation_points *p)
{
    float *fragment = sherd_alloc((size_t)p->count, sizeof *fragment);
    for (int32_t k = 0; fragment != NULL && k < p->count; ++k)
        fragment[k] = (float)p->fragment[k]; // exact up to 16 million
    if (fragment != NULL)
        put_attribute(glb, "_FRAGMENT",
                      sherd_glb_add_floats(glb, SHERD_GLB_FRAGMENT, fragment, p->count, 1));
    sherd_free(fragment);
    return fragment != NULL;
}

static bool put_glb(sherd_glb_file *glb, const sherd_animation_points *p)
{
    enum { MODE_POINTS = 0 };
    sherd_byte_buffer *json = &glb->meshes;
    sherd_json_separate(json);
    sherd_json_raw(json, "{\"name\":");
    sherd_json_string(json, p->name != NULL ? p->name : "points");
    sherd_json_raw(json, ",\"primitives\":[{\"attributes\":{");
    put_attribute(glb, "POSITION", add_positions(glb, p));
    put_attribute(glb, "_VELOCITY",
                  sherd_glb_add_floats(glb, SHERD_GLB_NORMAL, p->velocity, p->count, 3));
    put_attribute(glb, "_RADIUS",
                  sherd_glb_add_floats(glb, SHERD_GLB_FRAGMENT, p->radius, p->count, 1));
    put_attribute(glb, "_AGE", sherd_glb_add_floats(glb, SHERD_GLB_FRAGMENT, p->age, p->count, 1));
    bool good = add_fragments(glb, p);
    sherd_json_raw(json, "}");
    put_attribute(glb, "mode", MODE_POINTS);
    put_attribute(glb, "material", p->material);
    sherd_json_raw(json, "}]}");
    return good && !json->failed && !glb->accessors.failed;
}

sherd_status sherd_glb_file_add_points(sherd_animation *animation,
                                       const sherd_animation_points *points, sherd_error *error)
{
    sherd_glb_file *glb = animation->file;
    if (!put_glb(glb, points)) glb->meshes.failed = true; // an incomplete mesh
    return sherd_glb_end_mesh(glb, 1.0, error);
}
