#include "surface/methods/crack/assigned_node.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "surface/partition/key_map.h"

// A fragment of more elements than this always owns a node.
enum { SMALL = 8 };

typedef struct small_fragment {
    sherd_fragment_id label;
    int32_t count, first; // number of elements, and index of the lowest one in the partition
    bool owns;            // it owns the node nearest to one of its elements
} small_fragment;

static void nearest_node(const crack_grid *g, sherd_vec3 x, int32_t at[3])
{
    sherd_vec3 c = vec3_scale(1.0 / g->cell, vec3_sub(x, g->origin));
    at[0] = (int32_t)lround(c.x);
    at[1] = (int32_t)lround(c.y);
    at[2] = (int32_t)lround(c.z);
}

static bool list_fragments(const partition *p, key_map *numbers, small_fragment **list)
{
    size_t capacity = 0;
    for (int32_t k = 0; k < p->elements.count; ++k) {
        size_t before = numbers->count;
        int32_t n = sherd_key_map_insert(numbers, (uint64_t)p->label[k]);
        if (n < 0 || !sherd_grow((void **)list, &capacity, (size_t)n + 1, sizeof **list))
            return false;
        small_fragment *f = *list + n;
        if (numbers->count > before) *f = (small_fragment){p->label[k], 0, k, false};
        if (p->elements.source[k] < p->elements.source[f->first]) f->first = k;
        f->count++;
    }
    return true;
}

static void find_owners(const crack_grid *g, const partition *p, const key_map *numbers,
                        small_fragment *list)
{
    for (int32_t k = 0; k < p->elements.count; ++k) {
        small_fragment *f = list + sherd_key_map_find(numbers, (uint64_t)p->label[k]);
        if (f->count > SMALL || f->owns) continue;
        int32_t at[3];
        nearest_node(g, p->elements.point[k], at);
        sherd_vec3 x = vec3_add_scaled(g->origin, g->cell, vec3(at[0], at[1], at[2]));
        strongest_list strongest = sherd_partition_strongest(p, x);
        f->owns = strongest.count > 0 && strongest.label[0] == f->label;
    }
}

bool sherd_assigned_nodes_find(assigned_nodes *assigned, const crack_grid *g, const partition *p)
{
    *assigned = (assigned_nodes){0};
    key_map numbers = {0};
    small_fragment *list = NULL;
    bool ok = list_fragments(p, &numbers, &list);
    if (ok) find_owners(g, p, &numbers, list);
    for (size_t n = 0; ok && n < numbers.count; ++n) {
        if (list[n].count > SMALL || list[n].owns) continue;
        ok = sherd_grow((void **)&assigned->node, &assigned->capacity, (size_t)assigned->count + 1,
                        sizeof *assigned->node);
        if (!ok) break;
        assigned_node *node = &assigned->node[assigned->count++];
        node->label = list[n].label;
        nearest_node(g, p->elements.point[list[n].first], node->at);
    }
    sherd_key_map_release(&numbers);
    sherd_free(list);
    return ok;
}

void sherd_assigned_nodes_release(assigned_nodes *assigned)
{
    sherd_free(assigned->node);
    *assigned = (assigned_nodes){0};
}
