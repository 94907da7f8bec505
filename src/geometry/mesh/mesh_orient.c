#include "geometry/mesh/mesh_orient.h"

#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"

// Returns whether two triangles have their common edge in the same direction: one of them is
// reversed.
static bool disagree(const sherd_mesh *mesh, int32_t half_edge, int32_t twin)
{
    return mesh_edge_from(mesh, half_edge) == mesh_edge_from(mesh, twin);
}

// Half-edge numbers refer to the mesh for which `edges` was computed, so orientations are decided
// on that mesh; `flip` marks triangles to be reversed afterwards.
static void flood(const sherd_mesh *mesh, const sherd_mesh_edges *edges, int32_t seed,
                  int32_t piece, int8_t *flip, int32_t *stack, sherd_orientation *out)
{
    int32_t height = 0;
    stack[height++] = seed;
    flip[seed] = 0;
    out->component[seed] = piece;
    while (height > 0) {
        int32_t t = stack[--height];
        for (int k = 0; k < 3; ++k) {
            int32_t half_edge = 3 * t + k, twin = edges->twin[half_edge];
            if (twin < 0) continue;
            int32_t other = twin / 3;
            int8_t wanted = (int8_t)(flip[t] ^ (disagree(mesh, half_edge, twin) ? 1 : 0));
            if (flip[other] < 0) {
                flip[other] = wanted;
                out->component[other] = piece;
                stack[height++] = other;
            } else if (flip[other] != wanted) {
                out->one_sided = true;
            }
        }
    }
}

// If most triangles of a component would be reversed, reverses the others instead.
static bool prefer_majority(const sherd_orientation *out, int8_t *flip, size_t n)
{
    int64_t *excess = sherd_alloc((size_t)out->components, sizeof *excess);
    if (excess == NULL) return false;
    for (size_t t = 0; t < n; ++t)
        excess[out->component[t]] += flip[t] == 1 ? 1 : -1;
    for (size_t t = 0; t < n; ++t)
        if (excess[out->component[t]] > 0) flip[t] ^= 1;
    sherd_free(excess);
    return true;
}

bool sherd_mesh_orient(sherd_mesh *mesh, const sherd_mesh_edges *edges, sherd_orientation *out)
{
    size_t n = (size_t)mesh->triangle_count;
    *out = (sherd_orientation){.component = sherd_alloc(n, sizeof *out->component)};
    int8_t *flip = sherd_alloc(n, 1);
    int32_t *stack = sherd_alloc(n + 1, sizeof *stack);
    bool done = out->component != NULL && flip != NULL && stack != NULL;
    for (size_t t = 0; t < n && done; ++t)
        flip[t] = -1;
    for (size_t t = 0; t < n && done; ++t)
        if (flip[t] < 0) flood(mesh, edges, (int32_t)t, out->components++, flip, stack, out);
    done = done && prefer_majority(out, flip, n);
    for (size_t t = 0; t < n && done; ++t)
        if (flip[t] == 1) {
            mesh_flip_triangle(mesh, (int32_t)t);
            ++out->flipped;
        }
    sherd_free(flip);
    sherd_free(stack);
    return done;
}
