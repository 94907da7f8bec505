#include "world/section.h"

#include "base/assertion.h"
#include "math/bounds.h"
#include "math/vec3.h"

static sherd_vec3 sides_of(const sherd_elements *e, const world_body *body)
{
    sherd_bounds box = bounds_empty();
    for (sherd_element_index k = 0; k < body->count; ++k)
        bounds_add(&box, sherd_element_position(e, body->first + k));
    return vec3_sub(box.high, box.low);
}

// Bonds are sorted by body; `next` is the first that may belong to this one.
static double section_of(const sherd_world *world, const world_body *body, int64_t *next)
{
    const sherd_elements *e = &world->system.elements;
    const sherd_bonds *bonds = &world->system.bonds;
    sherd_vec3 side = sides_of(e, body);
    double length = fmax(side.x, fmax(side.y, side.z)), sum = 0.0;
    for (; *next < bonds->count && bonds->i[*next] < body->first + body->count; ++*next) {
        sherd_vec3 d = vec3_sub(sherd_element_position(e, bonds->j[*next]),
                                sherd_element_position(e, bonds->i[*next]));
        sum += fabs(side.x == length ? d.x : side.y == length ? d.y : d.z);
    }
    return length > 0.0 ? sum / length : 0.0;
}

double sherd_world_smallest_section(const sherd_world *world)
{
    SHERD_ASSERT(world->body_count >= 0, "the number of bodies is not negative");
    double smallest = INFINITY;
    int64_t next = 0;
    for (int b = 0; b < world->body_count; ++b) {
        double bonds = section_of(world, &world->bodies[b], &next);
        if (bonds > 0.0 && sherd_material_can_break(&world->materials[world->bodies[b].material]))
            smallest = fmin(smallest, bonds);
    }
    return isinf(smallest) ? 0.0 : smallest;
}
