#include "packing/random/random_list.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "math/point_bins.h"
#include "math/vec3.h"

#include <string.h>

// Balls sorted into bins as wide as the longest listed pair.
typedef struct ball_bins {
    sherd_rcp *rcp;
    double reach; // of the longest listed pair [m]
    sherd_point_bins bins;
    sherd_rcp_ball *ball; // in the order of bins (n)
} ball_bins;

static sherd_vec3 centre_of(const void *context, int32_t n)
{
    return sherd_rcp_centre(&((const sherd_rcp *)context)->ball[n]);
}

static bool sort_balls(ball_bins *b)
{
    const sherd_rcp *rcp = b->rcp;
    const sherd_bin_size size = {b->reach, .max_per_point = 4.0, .growth = 1.26};
    if (!sherd_point_bins_build(&b->bins, centre_of, rcp, (int32_t)rcp->count, size)) return false;
    b->ball = sherd_alloc(rcp->count, sizeof *b->ball);
    for (size_t k = 0; b->ball != NULL && k < rcp->count; ++k)
        b->ball[k] = rcp->ball[b->bins.source[k]];
    return b->ball != NULL;
}

// ---------------------------------------------------------------- the list

// Appends neighbours of ball n among the sorted balls [first, last). There is room.
static int32_t *collect(const ball_bins *c, size_t n, int32_t first, int32_t last, int32_t *to)
{
    const sherd_rcp *rcp = c->rcp;
    sherd_rcp_ball b = rcp->ball[n];
    double scale = rcp->scale, own = scale * b.r + rcp->list.skin;
    for (int32_t k = first; k < last; ++k) {
        const sherd_rcp_ball *o = &c->ball[k];
        double dx = o->x - b.x, dy = o->y - b.y, dz = o->z - b.z, reach = own + scale * o->r;
        *to = c->bins.source[k];
        to += (dx * dx + dy * dy + dz * dz < reach * reach) & (c->bins.source[k] != (int32_t)n);
    }
    return to;
}

// False when memory is short.
static bool list_ball(const ball_bins *c, size_t n, struct sherd_rcp_numbers *into, size_t *count)
{
    sherd_vec3 centre = sherd_rcp_centre(&c->rcp->ball[n]);
    sherd_bin_rows rows = sherd_point_bins_rows(&c->bins, centre, centre, c->reach);
    int32_t first, last;
    while (sherd_point_bins_next(&c->bins, &rows, &first, &last)) {
        if (!sherd_grow((void **)&into->number, &into->capacity,
                        *count + (size_t)(last - first) + SHERD_RCP_LANES, sizeof *into->number))
            return false;
        int32_t *to = collect(c, n, first, last, into->number + *count);
        *count = (size_t)(to - into->number);
    }
    return true;
}

static void list_chunk(void *context, size_t begin, size_t end)
{
    const ball_bins *c = context;
    sherd_rcp *rcp = c->rcp;
    struct sherd_rcp_numbers *into = &rcp->list.chunks[begin / SHERD_RCP_CHUNK];
    size_t count = 0;
    for (size_t n = begin; n < end; ++n) {
        rcp->list.start[n] = (uint32_t)count;
        if (!list_ball(c, n, into, &count)) {
            rcp->no_memory = true;
            return;
        }
        rcp->list.end[n] = (uint32_t)count;
        while (count % SHERD_RCP_LANES != 0)
            into->number[count++] = (int32_t)n;
        rcp->list.made[n] = rcp->ball[n];
    }
}

static bool make_room(sherd_rcp *rcp)
{
    sherd_rcp_list *list = &rcp->list;
    if (list->made != NULL) return true;
    list->chunk_count = (rcp->count + SHERD_RCP_CHUNK - 1) / SHERD_RCP_CHUNK;
    list->made = sherd_alloc(rcp->count, sizeof *list->made);
    list->start = sherd_alloc(rcp->count, sizeof *list->start);
    list->end = sherd_alloc(rcp->count, sizeof *list->end);
    list->chunks = sherd_alloc(list->chunk_count, sizeof *list->chunks);
    return list->made != NULL && list->start != NULL && list->end != NULL && list->chunks != NULL;
}

bool sherd_rcp_list_make(sherd_rcp *rcp, double skin)
{
    SHERD_ASSERT(skin > 0.0 && rcp->scale > 0.0, "balls have a size");
    ball_bins b = {.rcp = rcp, .reach = 2.0 * rcp->scale * rcp->largest + skin};
    rcp->list.skin = skin;
    rcp->list.scale = rcp->scale;
    bool done = make_room(rcp) && sort_balls(&b);
    if (done) sherd_parallel_for(&rcp->parallel, rcp->count, SHERD_RCP_CHUNK, list_chunk, &b);
    sherd_point_bins_release(&b.bins);
    sherd_free(b.ball);
    return done && !rcp->no_memory;
}

void sherd_rcp_list_free(sherd_rcp_list *list)
{
    for (size_t k = 0; list->chunks != NULL && k < list->chunk_count; ++k)
        sherd_free(list->chunks[k].number);
    sherd_free(list->chunks);
    sherd_free(list->made);
    sherd_free(list->start);
    sherd_free(list->end);
    *list = (sherd_rcp_list){0};
}

bool sherd_rcp_list_is_old(const sherd_rcp *rcp, double moved)
{
    double grown = fmax(rcp->scale - rcp->list.scale, 0.0) * 2.0 * rcp->largest;
    return 2.0 * moved + grown > rcp->list.skin;
}
