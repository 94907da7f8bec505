// Half-edges sorted by their two vertices: the sides of one edge end up next to each other.
#include "geometry/mesh_edges.h"

#include "base/memory.h"
#include "base/sort.h"

static uint64_t edge_key(const sherd_mesh *mesh, int32_t half_edge)
{
    uint64_t a = (uint64_t)mesh_edge_from(mesh, half_edge);
    uint64_t b = (uint64_t)mesh_edge_to(mesh, half_edge);
    return a < b ? a << 32 | b : b << 32 | a;
}

static void count_example(int64_t *count, int64_t *example, int64_t half_edge)
{
    if (++*count == 1) *example = half_edge;
}

// Pairs up the `count` half-edges of one edge.
static void join_edge(sherd_mesh_edges *edges, const sherd_mesh *mesh, const sherd_sort_pair *side,
                      size_t count)
{
    int32_t a = (int32_t)side[0].value;
    if (count == 1) {
        edges->twin[a] = SHERD_EDGE_BOUNDARY;
        count_example(&edges->boundary_edges, &edges->boundary_example, a);
    } else if (count == 2) {
        int32_t b = (int32_t)side[1].value;
        edges->twin[a] = b;
        edges->twin[b] = a;
        if (mesh_edge_from(mesh, a) == mesh_edge_from(mesh, b))
            count_example(&edges->misoriented_edges, &edges->misoriented_example, a);
    } else {
        for (size_t k = 0; k < count; ++k)
            edges->twin[side[k].value] = SHERD_EDGE_NON_MANIFOLD;
        count_example(&edges->non_manifold_edges, &edges->non_manifold_example, a);
    }
}

bool sherd_mesh_edges_init(sherd_mesh_edges *edges, const sherd_mesh *mesh)
{
    *edges = (sherd_mesh_edges){
        .boundary_example = -1, .non_manifold_example = -1, .misoriented_example = -1};
    size_t count = 3 * (size_t)mesh->triangle_count;
    sherd_sort_pair *sides = sherd_alloc(count, sizeof *sides);
    edges->twin = sherd_alloc(count, sizeof *edges->twin);
    bool sorted = sides != NULL && edges->twin != NULL;
    if (sorted) {
        for (size_t k = 0; k < count; ++k)
            sides[k] = (sherd_sort_pair){edge_key(mesh, (int32_t)k), (uint32_t)k};
        sorted = sherd_sort_pairs(sides, count);
    }
    for (size_t begin = 0, end; sorted && begin < count; begin = end) {
        end = begin + 1;
        while (end < count && sides[end].key == sides[begin].key)
            ++end;
        join_edge(edges, mesh, sides + begin, end - begin);
    }
    sherd_free(sides);
    if (!sorted) sherd_mesh_edges_release(edges);
    return sorted;
}

void sherd_mesh_edges_release(sherd_mesh_edges *edges)
{
    sherd_free(edges->twin);
    edges->twin = NULL;
}
