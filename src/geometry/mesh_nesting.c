// A piece lies inside another when a ray from it crosses the other an odd number of times.
#include "geometry/mesh_nesting.h"

#include "base/memory.h"
#include "geometry/bvh.h"
#include "geometry/mesh_access.h"

typedef struct piece {
    double volume6;   // six times the signed volume [m^3]
    double area2;     // twice the area of its largest triangle [m^2]
    sherd_vec3 point; // that triangle's middle: hardly ever on another piece [m]
} piece;

typedef struct ray {
    const sherd_mesh *mesh;
    const int32_t *component;
    int32_t own; // the piece it starts from
    sherd_vec3 origin, direction;
    bool unsure;     // it came too near to an edge to count
    uint8_t *parity; // crossings of each piece, modulo 2  (components)
    int32_t depth;   // pieces crossed an odd number of times
} ray;

static void measure_pieces(const sherd_mesh *mesh, const int32_t *component, piece *pieces)
{
    sherd_vec3 origin = mesh_vertex(mesh, 0);
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        piece *p = &pieces[component[t]];
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
    uint8_t *parity = &r->parity[r->component[t]];
    *parity ^= 1;
    r->depth += *parity ? 1 : -1;
    return true;
}

// Clears the counts that a ray left, by the same walk.
static bool clear_crossing(void *context, int32_t t)
{
    ray *r = context;
    r->parity[r->component[t]] = 0;
    return true;
}

// Number of pieces around piece `own`.
static int32_t depth_of(const sherd_bvh *bvh, ray *r, sherd_vec3 origin, int32_t own)
{
    // In no relation to any axis; after a near miss of an edge the next one is tried.
    static const sherd_vec3 DIRECTIONS[] = {{0.5773, 0.2113, 0.7887},
                                            {-0.3361, 0.8147, 0.4721},
                                            {0.1273, -0.6324, 0.7641},
                                            {-0.7071, -0.4142, -0.5735}};
    enum { TRIES = sizeof DIRECTIONS / sizeof *DIRECTIONS };
    r->origin = origin;
    r->own = own;
    r->unsure = true;
    for (int k = 0; k < TRIES && r->unsure; ++k) {
        r->direction = DIRECTIONS[k];
        r->unsure = false;
        r->depth = 0;
        sherd_bvh_ray(bvh, origin, r->direction, count_crossing, r);
        sherd_bvh_ray(bvh, origin, r->direction, clear_crossing, r);
    }
    return r->depth;
}

static bool build_tree(const sherd_mesh *mesh, sherd_bvh *bvh)
{
    sherd_bounds *boxes = sherd_alloc((size_t)mesh->triangle_count, sizeof *boxes);
    if (boxes == NULL) return false;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        boxes[t] = mesh_triangle_bounds(mesh, t);
    bool built = sherd_bvh_init(bvh, boxes, mesh->triangle_count);
    sherd_free(boxes);
    return built;
}

// Fills turn[c] with 1 for the pieces that are the wrong way round.
static bool judge_pieces(const sherd_mesh *mesh, const sherd_orientation *orientation,
                         const piece *pieces, uint8_t *turn)
{
    sherd_bvh bvh = {0};
    ray r = {.mesh = mesh,
             .component = orientation->component,
             .parity = sherd_alloc((size_t)orientation->components, 1)};
    bool many = orientation->components > 1;
    bool ready = r.parity != NULL && (!many || build_tree(mesh, &bvh));
    for (int32_t c = 0; ready && c < orientation->components; ++c) {
        int32_t depth = many ? depth_of(&bvh, &r, pieces[c].point, c) : 0;
        bool outward = pieces[c].volume6 > 0.0, wanted = depth % 2 == 0;
        turn[c] = outward != wanted;
    }
    sherd_bvh_release(&bvh);
    sherd_free(r.parity);
    return ready;
}

int32_t sherd_mesh_orient_pieces(sherd_mesh *mesh, const sherd_orientation *orientation)
{
    size_t count = (size_t)orientation->components;
    piece *pieces = sherd_alloc(count, sizeof *pieces);
    uint8_t *turn = sherd_alloc(count, 1);
    int32_t flipped = -1;
    if (pieces != NULL && turn != NULL) {
        measure_pieces(mesh, orientation->component, pieces);
        if (judge_pieces(mesh, orientation, pieces, turn)) flipped = 0;
    }
    for (int32_t t = 0; flipped >= 0 && t < mesh->triangle_count; ++t) {
        if (!turn[orientation->component[t]]) continue;
        mesh_flip_triangle(mesh, t);
        ++flipped;
    }
    sherd_free(pieces);
    sherd_free(turn);
    return flipped;
}
