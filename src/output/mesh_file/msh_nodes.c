// Nodes of a .msh.
#include "output/mesh_file/msh_reader.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

static void set_node(msh_reader *r, size_t at, int64_t id, const double x[3])
{
    if (msh_failed(r)) return;
    if (id < 0) sherd_msh_fail(r, NULL, "nodes have positive numbers, got %lld", (long long)id);
    r->id[at] = (sherd_sort_pair){(uint64_t)id, (uint32_t)at};
    r->node[at] = vec3(r->scale * x[0], r->scale * x[1], r->scale * x[2]);
    if (!msh_failed(r) && !vec3_is_finite(r->node[at]))
        sherd_msh_fail(r, "check the scale", "a coordinate of node %lld is not finite",
                       (long long)id);
}

static void take_coordinates(msh_reader *r, int count, double x[6])
{
    for (int k = 0; k < count; ++k)
        x[k] = sherd_msh_take_real(r, "a node's coordinate");
}

static bool room_for_nodes(msh_reader *r, size_t count)
{
    if (msh_failed(r)) return false;
    if (r->node != NULL) {
        sherd_msh_fail(r, "one $Nodes section is all there may be", "nodes were there already");
        return false;
    }
    r->node = sherd_alloc(count, sizeof *r->node);
    r->id = sherd_alloc(count, sizeof *r->id);
    if (r->node == NULL || r->id == NULL) r->status = sherd_fail_memory(r->error, "nodes");
    r->node_count = count;
    return !msh_failed(r);
}

void sherd_msh_read_nodes_2(msh_reader *r)
{
    int64_t announced = sherd_msh_take_section_count(r, "the number of nodes");
    size_t count = sherd_msh_check_count(r, announced, 7, 28, "nodes");
    if (!room_for_nodes(r, count)) return;
    for (size_t k = 0; k < count && !msh_failed(r); ++k) {
        double x[6];
        int64_t id = sherd_msh_take_int(r, "a node's number");
        take_coordinates(r, 3, x);
        set_node(r, k, id, x);
    }
}

static void read_node_block_4(msh_reader *r, size_t *at)
{
    int64_t dimension = sherd_msh_take_int(r, "an entity's dimension");
    sherd_msh_take_int(r, "an entity's number");
    int64_t parametric = sherd_msh_take_int(r, "an entity's kind of nodes");
    size_t n =
        sherd_msh_check_count(r, sherd_msh_take_size(r, "a number of nodes"), 7, 32, "nodes");
    if (!msh_failed(r) && (n > r->node_count - *at || dimension < 0 || dimension > 3))
        sherd_msh_fail(r, "the file is damaged: export it again",
                       "an entity of dimension %lld has %zu nodes, but %zu are left",
                       (long long)dimension, n, r->node_count - *at);
    for (size_t k = 0; k < n && !msh_failed(r); ++k)
        r->id[*at + k].key = (uint64_t)sherd_msh_take_size(r, "a node's number");
    if (msh_failed(r)) return; // the dimension may be any number
    int numbers = 3 + (parametric != 0 ? (int)dimension : 0);
    for (size_t k = 0; k < n && !msh_failed(r); ++k, ++*at) {
        double x[6];
        take_coordinates(r, numbers, x);
        set_node(r, *at, (int64_t)r->id[*at].key, x);
    }
}

void sherd_msh_read_nodes_4(msh_reader *r)
{
    int64_t blocks = sherd_msh_take_size(r, "the number of entities");
    size_t count =
        sherd_msh_check_count(r, sherd_msh_take_size(r, "the number of nodes"), 7, 32, "nodes");
    sherd_msh_take_size(r, "the lowest node number");
    sherd_msh_take_size(r, "the highest node number");
    if (!room_for_nodes(r, count)) return;
    size_t at = 0;
    for (int64_t b = 0; b < blocks && !msh_failed(r); ++b)
        read_node_block_4(r, &at);
    if (!msh_failed(r) && at < count)
        sherd_msh_fail(r, "the file is damaged: export it again",
                       "%zu nodes are announced, %zu are there", count, at);
}

void sherd_msh_sort_nodes(msh_reader *r)
{
    if (msh_failed(r) || r->node_count == 0) return;
    if (!sherd_sort_pairs(r->id, r->node_count)) {
        r->status = sherd_fail_memory(r->error, "nodes");
        return;
    }
    for (size_t k = 1; k < r->node_count; ++k)
        if (r->id[k].key == r->id[k - 1].key) {
            sherd_msh_fail(r, "export the mesh again", "node %llu is there twice",
                           (unsigned long long)r->id[k].key);
            return;
        }
}

// The index of a node, or 0 with an error.
int32_t sherd_msh_find_node(msh_reader *r, int64_t id, int64_t element)
{
    size_t low = 0, high = r->node_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (id >= 0 && r->id[middle].key <= (uint64_t)id)
            low = middle;
        else
            high = middle;
    }
    if (r->node_count > 0 && id >= 0 && r->id[low].key == (uint64_t)id)
        return (int32_t)r->id[low].value;
    sherd_msh_fail(r, "the file is damaged: export it again",
                   "element %lld uses node %lld, which is not there", (long long)element,
                   (long long)id);
    return 0;
}
