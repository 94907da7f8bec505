#include "geometry/mesh_orient.h"

#include "base/memory.h"
#include "geometry/mesh_access.h"

static void flip_triangle(sherd_mesh *mesh, int32_t t)
{
    int32_t *c = mesh->triangles + 3 * (size_t)t;
    int32_t swap = c[1];
    c[1] = c[2];
    c[2] = swap;
}

// Whether two triangles run along their common edge in the same direction: one of them is wrong.
static bool disagree(const sherd_mesh *mesh, int32_t half_edge, int32_t twin)
{
    return mesh_edge_from(mesh, half_edge) == mesh_edge_from(mesh, twin);
}

// Half-edge numbers belong to the mesh as it was when `edges` were made, so directions are decided
// on that mesh; `turn` tells which triangles are to be flipped afterwards.
static void flood(const sherd_mesh *mesh, const sherd_mesh_edges *edges, int32_t seed,
                  int32_t piece, int8_t *turn, int32_t *stack, sherd_orientation *out)
{
    int32_t height = 0;
    stack[height++] = seed;
    turn[seed] = 0;
    out->component[seed] = piece;
    while (height > 0) {
        int32_t t = stack[--height];
        for (int k = 0; k < 3; ++k) {
            int32_t half_edge = 3 * t + k, twin = edges->twin[half_edge];
            if (twin < 0) continue;
            int32_t other = twin / 3;
            int8_t wanted = (int8_t)(turn[t] ^ (disagree(mesh, half_edge, twin) ? 1 : 0));
            if (turn[other] < 0) {
                turn[other] = wanted;
                out->component[other] = piece;
                stack[height++] = other;
            } else if (turn[other] != wanted) {
                out->one_sided = true;
            }
        }
    }
}

bool sherd_mesh_orient(sherd_mesh *mesh, const sherd_mesh_edges *edges, sherd_orientation *out)
{
    size_t n = (size_t)mesh->triangle_count;
    *out = (sherd_orientation){.component = sherd_alloc(n, sizeof *out->component)};
    int8_t *turn = sherd_alloc(n, 1);
    int32_t *stack = sherd_alloc(n + 1, sizeof *stack);
    bool done = out->component != NULL && turn != NULL && stack != NULL;
    for (size_t t = 0; t < n && done; ++t)
        turn[t] = -1;
    for (size_t t = 0; t < n && done; ++t)
        if (turn[t] < 0) flood(mesh, edges, (int32_t)t, out->components++, turn, stack, out);
    for (size_t t = 0; t < n && done; ++t)
        if (turn[t] == 1) {
            flip_triangle(mesh, (int32_t)t);
            ++out->flipped;
        }
    sherd_free(turn);
    sherd_free(stack);
    return done;
}

// Solid angle of a triangle seen from p (van Oosterom and Strackee 1983) [sr].
static double solid_angle(const sherd_mesh *mesh, int32_t t, sherd_vec3 p)
{
    sherd_vec3 a = vec3_sub(mesh_corner(mesh, t, 0), p), b = vec3_sub(mesh_corner(mesh, t, 1), p),
               c = vec3_sub(mesh_corner(mesh, t, 2), p);
    double la = vec3_length(a), lb = vec3_length(b), lc = vec3_length(c);
    double top = vec3_dot(a, vec3_cross(b, c));
    double bottom = la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb;
    return 2.0 * atan2(top, bottom);
}

typedef struct piece_info {
    double volume6; // six times the signed volume
    sherd_bounds bounds;
    sherd_vec3 point; // on it
    double winding;   // solid angle of another piece seen from a point
    int depth;        // pieces around it
} piece_info;

static bool contains(sherd_bounds b, sherd_vec3 p)
{
    return p.x >= b.low.x && p.x <= b.high.x && p.y >= b.low.y && p.y <= b.high.y &&
           p.z >= b.low.z && p.z <= b.high.z;
}

static void measure_pieces(const sherd_mesh *mesh, const sherd_orientation *o, piece_info *pieces)
{
    for (int32_t c = 0; c < o->components; ++c)
        pieces[c].bounds =
            (sherd_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        piece_info *piece = &pieces[o->component[t]];
        sherd_bounds b = mesh_triangle_bounds(mesh, t);
        piece->bounds.low = vec3_min(piece->bounds.low, b.low);
        piece->bounds.high = vec3_max(piece->bounds.high, b.high);
        piece->point = mesh_corner(mesh, t, 0);
        piece->volume6 += vec3_dot(mesh_corner(mesh, t, 0),
                                   vec3_cross(mesh_corner(mesh, t, 1), mesh_corner(mesh, t, 2)));
    }
}

// How many other pieces enclose piece c: those that subtend a full sphere from a point on it.
static int depth_of(const sherd_mesh *mesh, const sherd_orientation *o, piece_info *pieces,
                    int32_t c)
{
    bool candidate = false;
    for (int32_t k = 0; k < o->components; ++k) {
        pieces[k].winding = 0.0;
        candidate |= k != c && contains(pieces[k].bounds, pieces[c].point);
    }
    if (!candidate) return 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        piece_info *piece = &pieces[o->component[t]];
        if (o->component[t] != c && contains(piece->bounds, pieces[c].point))
            piece->winding += solid_angle(mesh, t, pieces[c].point);
    }
    int depth = 0;
    for (int32_t k = 0; k < o->components; ++k)
        depth += fabs(pieces[k].winding) > 6.283185307179586; // over half of 4 pi
    return depth;
}

int32_t sherd_mesh_orient_pieces(sherd_mesh *mesh, const sherd_orientation *o)
{
    piece_info *pieces = sherd_alloc((size_t)o->components, sizeof *pieces);
    if (pieces == NULL) return -1;
    measure_pieces(mesh, o, pieces);
    for (int32_t c = 0; c < o->components; ++c)
        pieces[c].depth = depth_of(mesh, o, pieces, c);
    int32_t flipped = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const piece_info *piece = &pieces[o->component[t]];
        bool outward = piece->volume6 > 0.0, wanted = piece->depth % 2 == 0;
        if (outward == wanted) continue;
        flip_triangle(mesh, t);
        ++flipped;
    }
    sherd_free(pieces);
    return flipped;
}
