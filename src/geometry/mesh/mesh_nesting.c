// A component lies inside another if a ray from it crosses the other an odd number of times. Rays
// are cast only for components whose sample point lies in another's box; most scattered components
// need none.
#include "geometry/mesh/mesh_nesting.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/mesh/mesh_access.h"

typedef struct piece {
    double volume6;   // six times the signed volume [m^3]
    double area2;     // twice the area of its largest triangle [m^2]
    sherd_vec3 point; // that triangle's centroid: almost never on another component [m]
} piece;

typedef struct judgement {
    const sherd_mesh *mesh;
    const sherd_orientation *orientation;
    const sherd_bvh *triangles;
    piece *pieces;       //                        (components)
    sherd_bounds *boxes; // of the pieces          (components)
    sherd_bvh pieces_by_box;
    uint32_t *crossings; // see ray                (workers x components)
    uint8_t *flip;       // 1: to be reversed     (components)
    sherd_mesh_work *work;
} judgement;

typedef struct ray {
    const sherd_mesh *mesh;
    const int32_t *component;
    int32_t own; // the component from which it starts
    sherd_vec3 origin, direction;
    bool unsure;     // it passed an edge too closely to decide
    uint32_t number; // index of this ray, from 1
    // Twice the last ray that crossed a component, plus the parity of its crossings.
    uint32_t *crossings;
    int32_t depth; // components crossed an odd number of times
    int64_t visits;
} ray;

static void measure_pieces(const sherd_mesh *mesh, const int32_t *component, judgement *j)
{
    sherd_vec3 origin = mesh_vertex(mesh, 0);
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        piece *p = &j->pieces[component[t]];
        sherd_bounds box = mesh_triangle_bounds(mesh, t);
        bounds_join(&j->boxes[component[t]], &box);
        sherd_vec3 a = vec3_sub(mesh_corner(mesh, t, 0), origin);
        sherd_vec3 b = vec3_sub(mesh_corner(mesh, t, 1), origin);
        sherd_vec3 c = vec3_sub(mesh_corner(mesh, t, 2), origin);
        p->volume6 += vec3_dot(a, vec3_cross(b, c));
        double area2 = vec3_length(mesh_area_vector(mesh, t));
        if (!(area2 > p->area2)) continue;
        p->area2 = area2;
        p->point = vec3_add_scaled(origin, 1.0 / 3.0, vec3_add(a, vec3_add(b, c)));
    }
}

// Moeller and Trumbore 1997: origin + t direction = a + u ab + v ac.
static bool count_crossing(void *context, int32_t t)
{
    ray *r = context;
    ++r->visits;
    if (r->component[t] == r->own) return true;
    sherd_vec3 a = mesh_corner(r->mesh, t, 0);
    sherd_vec3 ab = vec3_sub(mesh_corner(r->mesh, t, 1), a);
    sherd_vec3 ac = vec3_sub(mesh_corner(r->mesh, t, 2), a);
    sherd_vec3 across = vec3_cross(r->direction, ac), from = vec3_sub(r->origin, a);
    sherd_vec3 up = vec3_cross(from, ab);
    double determinant = vec3_dot(ab, across);
    if (determinant == 0.0) return true; // parallel, or a triangle without area
    double u = vec3_dot(from, across) / determinant;
    double v = vec3_dot(r->direction, up) / determinant;
    double distance = vec3_dot(ac, up) / determinant;
    const double margin = 1e-9; // of the triangle's edges, far above rounding
    if (u < -margin || v < -margin || u + v > 1.0 + margin || !(distance > 0.0)) return true;
    if (u < margin || v < margin || u + v > 1.0 - margin) r->unsure = true;
    uint32_t *crossed = &r->crossings[r->component[t]];
    if (*crossed >> 1 != r->number) *crossed = r->number << 1;
    *crossed ^= 1;
    r->depth += *crossed & 1 ? 1 : -1;
    return true;
}

// Directions unrelated to any axis; if a ray passes an edge too closely the next one is tried.
static const sherd_vec3 DIRECTIONS[] = {{0.5773, 0.2113, 0.7887},
                                        {-0.3361, 0.8147, 0.4721},
                                        {0.1273, -0.6324, 0.7641},
                                        {-0.7071, -0.4142, -0.5735}};
enum { TRIES = sizeof DIRECTIONS / sizeof *DIRECTIONS };

// Returns whether a component's sample point lies in the box of another.
typedef struct box_query {
    const judgement *judgement;
    int32_t own;
} box_query;

static bool is_out_of_box(void *context, int32_t other)
{
    const box_query *q = context;
    sherd_vec3 p = q->judgement->pieces[q->own].point;
    const sherd_bounds *b = &q->judgement->boxes[other];
    bool inside = p.x >= b->low.x && p.x <= b->high.x && p.y >= b->low.y && p.y <= b->high.y &&
                  p.z >= b->low.z && p.z <= b->high.z;
    return other == q->own || !inside;
}

// Returns the number of components that enclose component `own`.
static int32_t depth_of(const judgement *j, int32_t own, uint32_t *crossings)
{
    box_query q = {j, own};
    sherd_vec3 point = j->pieces[own].point;
    if (sherd_bvh_overlaps(&j->pieces_by_box, (sherd_bounds){point, point}, is_out_of_box, &q))
        return 0;
    ray r = {.mesh = j->mesh,
             .component = j->orientation->component,
             .own = own,
             .origin = point,
             .unsure = true,
             .crossings = crossings};
    for (int k = 0; k < TRIES && r.unsure; ++k) {
        r.direction = DIRECTIONS[k];
        r.number = (uint32_t)own * TRIES + (uint32_t)k + 1;
        r.unsure = false;
        r.depth = 0;
        sherd_bvh_ray(j->triangles, r.origin, r.direction, count_crossing, &r);
    }
    mesh_work_spend(j->work, 6 * r.visits);
    return r.depth;
}

static void judge_chunk(void *context, size_t begin, size_t end)
{
    const judgement *j = context;
    size_t worker = (size_t)sherd_parallel_worker();
    uint32_t *crossings = j->crossings + worker * (size_t)j->orientation->components;
    for (size_t c = begin; c < end && mesh_work_remains(j->work); ++c) {
        bool outward = j->pieces[c].volume6 > 0.0;
        j->flip[c] = outward != (depth_of(j, (int32_t)c, crossings) % 2 == 0);
    }
}

static bool judge_pieces(judgement *j)
{
    const sherd_parallel parallel = {0};
    size_t count = (size_t)j->orientation->components;
    size_t workers = (size_t)sherd_parallel_threads(&parallel);
    j->pieces = sherd_alloc(count, sizeof *j->pieces);
    j->boxes = sherd_alloc(count, sizeof *j->boxes);
    j->crossings = sherd_alloc(workers * count, sizeof *j->crossings);
    j->flip = sherd_alloc(count, 1);
    if (j->pieces == NULL || j->boxes == NULL || j->crossings == NULL || j->flip == NULL)
        return false;
    for (size_t c = 0; c < count; ++c)
        j->boxes[c] = bounds_empty();
    measure_pieces(j->mesh, j->orientation->component, j);
    if (!sherd_bvh_init(&j->pieces_by_box, j->boxes, (int32_t)count)) return false;
    sherd_parallel_for(&parallel, count, 4, judge_chunk, j);
    return true;
}

int32_t sherd_mesh_orient_pieces(sherd_mesh *mesh, const sherd_orientation *orientation,
                                 const sherd_bvh *tree, sherd_mesh_work *work)
{
    judgement j = {.mesh = mesh, .orientation = orientation, .triangles = tree, .work = work};
    int32_t flipped = judge_pieces(&j) ? 0 : -1;
    for (int32_t t = 0; flipped >= 0 && t < mesh->triangle_count; ++t) {
        if (!j.flip[orientation->component[t]]) continue;
        mesh_flip_triangle(mesh, t);
        ++flipped;
    }
    sherd_bvh_release(&j.pieces_by_box);
    sherd_free(j.pieces);
    sherd_free(j.boxes);
    sherd_free(j.crossings);
    sherd_free(j.flip);
    return flipped;
}
