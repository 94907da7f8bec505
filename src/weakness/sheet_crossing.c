#include "weakness/sheet_crossing.h"

#include "base/memory.h"
#include "math/bounds.h"
#include "math/vec3.h"

bool sherd_cut_sheet_init(sherd_cut_sheet *sheet, const sherd_mesh *mesh)
{
    size_t count = (size_t)mesh->triangle_count;
    sherd_bounds *boxes = sherd_alloc(count, sizeof *boxes);
    sheet->corners = sherd_alloc(count, sizeof *sheet->corners);
    bool ok = boxes != NULL && sheet->corners != NULL;
    for (size_t t = 0; t < count && ok; ++t) {
        boxes[t] = bounds_empty();
        for (int k = 0; k < 3; ++k) {
            const double *p = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + (size_t)k];
            sheet->corners[t][k] = vec3(p[0], p[1], p[2]);
            bounds_add(&boxes[t], sheet->corners[t][k]);
        }
    }
    ok = ok && sherd_bvh_init(&sheet->bvh, boxes, mesh->triangle_count);
    sherd_free(boxes);
    return ok;
}

void sherd_cut_sheet_release(sherd_cut_sheet *sheet)
{
    sherd_bvh_release(&sheet->bvh);
    sherd_free(sheet->corners);
    *sheet = (sherd_cut_sheet){0};
}

typedef struct crossing {
    const sherd_cut_sheet *sheet;
    sherd_vec3 from, to;
    bool found;
} crossing;

static bool comes_before(sherd_vec3 a, sherd_vec3 b)
{
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

// The side on which the segment passes the edge from a to b: exactly opposite for b to a, so that
// adjacent triangles agree.
static double side_of(const crossing *c, sherd_vec3 a, sherd_vec3 b)
{
    if (comes_before(b, a)) return -side_of(c, b, a);
    return vec3_dot(vec3_cross(vec3_sub(a, c->from), vec3_sub(b, c->from)),
                    vec3_sub(c->to, c->from));
}

static bool crosses(const crossing *c, const sherd_vec3 corner[3])
{
    sherd_vec3 normal = vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0]));
    bool below = vec3_dot(normal, vec3_sub(c->from, corner[0])) < 0.0,
         behind = vec3_dot(normal, vec3_sub(c->to, corner[0])) < 0.0;
    if (below == behind) return false;
    double u = side_of(c, corner[0], corner[1]), v = side_of(c, corner[1], corner[2]),
           w = side_of(c, corner[2], corner[0]);
    return (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
}

static bool look_at(void *context, int32_t triangle)
{
    crossing *c = context;
    c->found = crosses(c, c->sheet->corners[triangle]);
    return !c->found;
}

bool sherd_cut_sheet_is_crossed(const sherd_cut_sheet *sheet, sherd_vec3 from, sherd_vec3 to)
{
    crossing c = {sheet, from, to, false};
    sherd_bounds way = bounds_empty();
    bounds_add(&way, from), bounds_add(&way, to);
    sherd_bvh_overlaps(&sheet->bvh, way, look_at, &c);
    return c.found;
}
