// Half-edges in buckets by their lower vertex, sorted by the other vertex: the half-edges of one
// edge become adjacent.
#include "geometry/mesh/mesh_edges.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "base/sort.h"

static void count_example(int64_t *count, int64_t *example, int64_t half_edge)
{
    if (++*count == 1) *example = half_edge;
}

// Pairs the `count` half-edges of one edge.
static void join_edge(sherd_mesh_edges *edges, const sherd_mesh *mesh, const sherd_sort_pair *side,
                      size_t count)
{
    int32_t a = (int32_t)side[0].value;
    if (count == 1) {
        edges->twin[a] = SHERD_EDGE_BOUNDARY;
        count_example(&edges->boundary_edges, &edges->boundary_example, a);
    } else if (count == 2) {
        int32_t b = (int32_t)side[1].value;
        SHERD_ASSERT(a != b, "an edge has two sides");
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

// Half-edges in buckets by the lower number of their two vertices; the sort pair has the higher one.
typedef struct edge_buckets {
    sherd_sort_pair *sides;
    size_t *begin; // first of each vertex                   (vertex_count + 1)
} edge_buckets;

static int32_t lower_vertex(const sherd_mesh *mesh, int32_t half_edge)
{
    int32_t a = mesh_edge_from(mesh, half_edge), b = mesh_edge_to(mesh, half_edge);
    return a < b ? a : b;
}

static bool buckets_init(edge_buckets *buckets, const sherd_mesh *mesh)
{
    int32_t count = 3 * mesh->triangle_count;
    size_t vertices = (size_t)mesh->vertex_count;
    buckets->sides = sherd_alloc((size_t)count, sizeof *buckets->sides);
    buckets->begin = sherd_alloc(vertices + 2, sizeof *buckets->begin);
    if (buckets->sides == NULL || buckets->begin == NULL) return false;
    // End of the previous bucket; while filling, the end of the filled part.
    size_t *end = buckets->begin + 1;
    for (int32_t h = 0; h < count; ++h)
        ++end[lower_vertex(mesh, h) + 1];
    for (size_t v = 0; v < vertices; ++v)
        end[v + 1] += end[v];
    SHERD_ASSERT(end[vertices] == (size_t)count, "each half-edge is in one bucket");
    for (int32_t h = 0; h < count; ++h) {
        int32_t low = lower_vertex(mesh, h), from = mesh_edge_from(mesh, h);
        int32_t high = from == low ? mesh_edge_to(mesh, h) : from;
        buckets->sides[end[low]++] = (sherd_sort_pair){(uint64_t)high, (uint32_t)h};
    }
    return true;
}

// Insertion sort is stable, as is the other sort. Returns false when out of memory.
static bool sort_bucket(sherd_sort_pair *sides, size_t count)
{
    if (count > 32) return sherd_sort_pairs(sides, count);
    for (size_t k = 1; k < count; ++k) {
        sherd_sort_pair side = sides[k];
        size_t at = k;
        for (; at > 0 && sides[at - 1].key > side.key; --at)
            sides[at] = sides[at - 1];
        sides[at] = side;
    }
    return true;
}

bool sherd_mesh_edges_init(sherd_mesh_edges *edges, const sherd_mesh *mesh)
{
    *edges = (sherd_mesh_edges){
        .boundary_example = -1, .non_manifold_example = -1, .misoriented_example = -1};
    edge_buckets buckets = {0};
    edges->twin = sherd_alloc(3 * (size_t)mesh->triangle_count, sizeof *edges->twin);
    bool good = edges->twin != NULL && buckets_init(&buckets, mesh);
    for (int32_t v = 0; v < mesh->vertex_count && good; ++v) {
        size_t begin = buckets.begin[v], stop = buckets.begin[v + 1], end;
        good = sort_bucket(buckets.sides + begin, stop - begin);
        for (; begin < stop && good; begin = end) {
            end = begin + 1;
            while (end < stop && buckets.sides[end].key == buckets.sides[begin].key)
                ++end;
            join_edge(edges, mesh, buckets.sides + begin, end - begin);
        }
    }
    sherd_free(buckets.sides);
    sherd_free(buckets.begin);
    if (!good) sherd_mesh_edges_release(edges);
    return good;
}

void sherd_mesh_edges_release(sherd_mesh_edges *edges)
{
    sherd_free(edges->twin);
    edges->twin = NULL;
}
