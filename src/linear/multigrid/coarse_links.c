#include "linear/multigrid/coarse_links.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

// Of the bonds of the base; with more broken, clusters made anew would be rounder.
static const double MOST_LOST = 0.05;

// Bonds are compared so many at a time.
enum { CHUNK = 4096 };

// The cluster that both ends of a bond are in, at the lowest such level.
typedef struct sherd_coarse_meeting {
    int level;
    int32_t cluster;
} meeting;

// ---------------------------------------------------------------- life

void sherd_coarse_links_free(sherd_coarse_links *links)
{
    sherd_free(links->base);
    sherd_free(links->known);
    sherd_free(links->meetings);
    sherd_free(links->queue);
    sherd_free(links->reached);
    *links = (sherd_coarse_links){0};
}

size_t sherd_coarse_links_bytes(const sherd_coarse_links *links)
{
    return 2 * (size_t)links->bond_count + links->meeting_capacity * sizeof *links->meetings;
}

sherd_status sherd_coarse_links_begin(sherd_coarse_links *links, const uint8_t *broken,
                                      int64_t count, sherd_error *error)
{
    sherd_coarse_links_free(links);
    links->bond_count = count;
    links->base = sherd_alloc((size_t)count, sizeof *links->base);
    links->known = sherd_alloc((size_t)count, sizeof *links->known);
    if (links->base == NULL || links->known == NULL)
        return sherd_fail_memory(error, "bonds between clusters");
    for (int64_t k = 0; k < count; ++k) {
        links->base[k] = links->known[k] = broken[k];
        links->intact += !broken[k];
    }
    return SHERD_OK;
}

static int32_t largest_cluster(const sherd_coarse_levels *levels)
{
    int32_t most = 0;
    for (int at = 0; at < levels->count; ++at) {
        const int32_t *start = levels->level[at].child_start;
        for (int32_t c = 0; c < levels->level[at].count; ++c)
            if (start[c + 1] - start[c] > most) most = start[c + 1] - start[c];
    }
    return most;
}

static void count_first(sherd_coarse_level *level, const sherd_coarse_bonds *bonds)
{
    for (int64_t e = 0; e < level->row_start[level->count]; ++e) {
        int64_t with_bonds = bonds->start[e + 1] > bonds->start[e] ? e : bonds->mate[e];
        level->links[e] = (int32_t)(bonds->start[with_bonds + 1] - bonds->start[with_bonds]);
    }
}

static void count_next(sherd_coarse_level *level, const sherd_coarse_level *finer)
{
    for (int64_t e = 0; e < level->target_count; ++e)
        if (level->target[e] >= 0) level->links[level->target[e]] += finer->links[e];
}

sherd_status sherd_coarse_links_count(sherd_coarse_links *links, sherd_coarse_levels *levels,
                                      const sherd_coarse_bonds *bonds, sherd_error *error)
{
    size_t most = (size_t)largest_cluster(levels);
    links->queue = sherd_alloc(most, sizeof *links->queue);
    links->reached = sherd_alloc(most, sizeof *links->reached);
    if (links->queue == NULL || links->reached == NULL)
        return sherd_fail_memory(error, "bonds between clusters");
    count_first(&levels->level[0], bonds);
    for (int at = 1; at < levels->count; ++at)
        count_next(&levels->level[at], &levels->level[at - 1]);
    return SHERD_OK;
}

// ---------------------------------------------------------------- one bond

static int64_t entry_between(const sherd_coarse_level *level, int32_t row, int32_t neighbour)
{
    int64_t e = level->row_start[row];
    while (level->neighbour[e] != neighbour)
        ++e;
    return e;
}

// Adds to the bonds between all clusters that the bond joins. True where the members of `meet` that it
// joins have no bond left between them: an element and another, or the last of two clusters' bonds.
static bool add_bond(sherd_coarse_levels *levels, int32_t a, int32_t b, int32_t by, meeting *meet)
{
    int32_t left = 0;
    for (int at = 0; at < levels->count; ++at) {
        sherd_coarse_level *level = &levels->level[at];
        a = level->parent[a], b = level->parent[b];
        if (a >= level->count || b >= level->count) return false; // held
        *meet = (meeting){at, a};
        if (a == b) return left == 0;
        left = level->links[entry_between(level, a, b)] += by;
        level->links[entry_between(level, b, a)] += by;
    }
    return false; // never: on the last level no cluster has neighbours
}

// ---------------------------------------------------------------- one cluster

typedef struct walk {
    const sherd_coarse_links *links;
    const sherd_coarse_level *level;
    int32_t cluster;
    int32_t found; // members in the queue
} walk;

// Members are ascending.
static int32_t place_of(const walk *w, int32_t node)
{
    const int32_t *child = w->level->child + w->level->child_start[w->cluster];
    int32_t low = 0,
            high = w->level->child_start[w->cluster + 1] - w->level->child_start[w->cluster] - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (child[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void reach(walk *w, int32_t node)
{
    if (w->level->parent[node] != w->cluster) return;
    int32_t place = place_of(w, node);
    if (w->links->reached[place]) return;
    w->links->reached[place] = 1;
    w->links->queue[w->found++] = node;
}

static void reach_elements(walk *w, const sherd_linear_system *system, int32_t from)
{
    const sherd_adjacency *adjacency = system->adjacency;
    for (uint32_t s = adjacency->start[from]; s < adjacency->start[from + 1]; ++s)
        if (!system->bonds->broken[adjacency->bond[s]])
            reach(w, sherd_bond_partner(system->bonds, adjacency->bond[s], from));
}

static void reach_clusters(walk *w, const sherd_coarse_level *finer, int32_t from)
{
    for (int64_t e = finer->row_start[from]; e < finer->row_start[from + 1]; ++e)
        if (finer->links[e] > 0) reach(w, finer->neighbour[e]);
}

static bool hangs_together(const sherd_coarse_links *links, const sherd_coarse_levels *levels,
                           const sherd_linear_system *system, meeting at)
{
    const sherd_coarse_level *level = &levels->level[at.level];
    walk w = {links, level, at.cluster, 0};
    int32_t first = level->child_start[at.cluster];
    int32_t members = level->child_start[at.cluster + 1] - first;
    memset(links->reached, 0, (size_t)members * sizeof *links->reached);
    reach(&w, level->child[first]);
    for (int32_t k = 0; k < w.found; ++k) {
        if (at.level == 0)
            reach_elements(&w, system, links->queue[k]);
        else
            reach_clusters(&w, level - 1, links->queue[k]);
    }
    return w.found == members;
}

// ---------------------------------------------------------------- following

// False: it is not in the base, or memory is short.
static bool follow_bond(sherd_coarse_links *links, sherd_coarse_levels *levels,
                        const sherd_bonds *bonds, int64_t bond)
{
    if (links->base[bond]) return false;
    links->known[bond] = bonds->broken[bond];
    int32_t by = bonds->broken[bond] ? -1 : 1;
    links->lost -= by;
    meeting meet;
    if (!add_bond(levels, bonds->i[bond], bonds->j[bond], by, &meet) || by > 0) return true;
    if (!sherd_grow((void **)&links->meetings, &links->meeting_capacity, links->meeting_count + 1,
                    sizeof *links->meetings))
        return false;
    links->meetings[links->meeting_count++] = meet;
    return true;
}

static bool follow_bonds(sherd_coarse_links *links, sherd_coarse_levels *levels,
                         const sherd_bonds *bonds)
{
    for (int64_t first = 0; first < bonds->count; first += CHUNK) {
        int64_t end = first + CHUNK < bonds->count ? first + CHUNK : bonds->count;
        if (memcmp(links->known + first, bonds->broken + first, (size_t)(end - first)) == 0)
            continue;
        for (int64_t k = first; k < end; ++k)
            if (links->known[k] != bonds->broken[k] && !follow_bond(links, levels, bonds, k))
                return false;
    }
    return true;
}

bool sherd_coarse_links_follow(sherd_coarse_links *links, sherd_coarse_levels *levels,
                               const sherd_linear_system *system)
{
    links->meeting_count = 0;
    if (!follow_bonds(links, levels, system->bonds) ||
        (double)links->lost > MOST_LOST * (double)links->intact)
        return false;
    for (size_t k = 0; k < links->meeting_count; ++k)
        if (!hangs_together(links, levels, system, links->meetings[k])) return false;
    return true;
}
