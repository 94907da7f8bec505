#include "packing/random/random_list.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

// Balls sorted into cubic cells as wide as the longest listed pair.
typedef struct ball_cells {
    sherd_rcp *rcp;
    sherd_vec3 low;
    double edge; // [m]
    int64_t across[3];
    uint32_t *start;      // of each cell's balls
    int32_t *number;      // sorted by cell (n)
    sherd_rcp_ball *ball; // the same order (n)
} ball_cells;

static int64_t along(const ball_cells *c, double x, double low, int axis)
{
    int64_t k = (int64_t)((x - low) / c->edge);
    return k < 0 ? 0 : k < c->across[axis] ? k : c->across[axis] - 1;
}

static int64_t cell_of(const ball_cells *c, const sherd_rcp_ball *b)
{
    int64_t i = along(c, b->x, c->low.x, 0), j = along(c, b->y, c->low.y, 1),
            k = along(c, b->z, c->low.z, 2);
    return (k * c->across[1] + j) * c->across[0] + i;
}

// Cells at least as wide as `reach`, but not many more than balls.
static void lay_out(ball_cells *c, double reach)
{
    const sherd_rcp *rcp = c->rcp;
    sherd_vec3 low = sherd_rcp_centre(&rcp->ball[0]), high = low;
    for (size_t n = 1; n < rcp->count; ++n) {
        low = vec3_min(low, sherd_rcp_centre(&rcp->ball[n]));
        high = vec3_max(high, sherd_rcp_centre(&rcp->ball[n]));
    }
    double extent[3] = {high.x - low.x, high.y - low.y, high.z - low.z}, cells;
    c->low = low;
    c->edge = reach;
    for (;;) {
        cells = 1.0;
        for (int a = 0; a < 3; ++a)
            cells *= floor(extent[a] / c->edge) + 1.0;
        if (cells <= 4.0 * (double)rcp->count + 64.0) break;
        c->edge *= 1.26; // half as many
    }
    for (int a = 0; a < 3; ++a)
        c->across[a] = (int64_t)(extent[a] / c->edge) + 1;
}

static bool sort_balls(ball_cells *c)
{
    const sherd_rcp *rcp = c->rcp;
    size_t cells = (size_t)(c->across[0] * c->across[1] * c->across[2]);
    c->start = sherd_alloc(cells + 2, sizeof *c->start);
    c->number = sherd_alloc(rcp->count, sizeof *c->number);
    c->ball = sherd_alloc(rcp->count, sizeof *c->ball);
    if (c->start == NULL || c->number == NULL || c->ball == NULL) return false;
    // Counted two places on, so that filling leaves start[k] where cell k begins.
    for (size_t n = 0; n < rcp->count; ++n)
        ++c->start[cell_of(c, &rcp->ball[n]) + 2];
    for (size_t k = 2; k < cells + 2; ++k)
        c->start[k] += c->start[k - 1];
    for (size_t n = 0; n < rcp->count; ++n) {
        uint32_t at = c->start[cell_of(c, &rcp->ball[n]) + 1]++;
        c->number[at] = (int32_t)n;
        c->ball[at] = rcp->ball[n];
    }
    return true;
}

static void cells_free(ball_cells *c)
{
    sherd_free(c->start);
    sherd_free(c->number);
    sherd_free(c->ball);
}

// ---------------------------------------------------------------- the list

// Appends neighbours of ball n among the sorted balls [first, last). There is room.
static int32_t *collect(const ball_cells *c, size_t n, uint32_t first, uint32_t last, int32_t *to)
{
    const sherd_rcp *rcp = c->rcp;
    sherd_rcp_ball b = rcp->ball[n];
    double scale = rcp->scale, own = scale * b.r + rcp->list.skin;
    for (uint32_t k = first; k < last; ++k) {
        const sherd_rcp_ball *o = &c->ball[k];
        double dx = o->x - b.x, dy = o->y - b.y, dz = o->z - b.z, reach = own + scale * o->r;
        *to = c->number[k];
        to += (dx * dx + dy * dy + dz * dz < reach * reach) & (c->number[k] != (int32_t)n);
    }
    return to;
}

// False when memory is short.
static bool list_ball(const ball_cells *c, size_t n, struct sherd_rcp_numbers *into, size_t *count)
{
    const sherd_rcp_ball *b = &c->rcp->ball[n];
    int64_t i = along(c, b->x, c->low.x, 0), j = along(c, b->y, c->low.y, 1),
            k = along(c, b->z, c->low.z, 2);
    int64_t west = i > 0 ? i - 1 : 0, east = i + 1 < c->across[0] ? i + 1 : i;
    for (int64_t kk = k - 1; kk <= k + 1; ++kk) {
        for (int64_t jj = j - 1; jj <= j + 1; ++jj) {
            if (kk < 0 || kk >= c->across[2] || jj < 0 || jj >= c->across[1]) continue;
            int64_t row = (kk * c->across[1] + jj) * c->across[0];
            uint32_t first = c->start[row + west], last = c->start[row + east + 1];
            if (!sherd_grow((void **)&into->number, &into->capacity,
                            *count + (last - first) + SHERD_RCP_LANES, sizeof *into->number))
                return false;
            int32_t *to = collect(c, n, first, last, into->number + *count);
            *count = (size_t)(to - into->number);
        }
    }
    return true;
}

static void list_chunk(void *context, size_t begin, size_t end)
{
    const ball_cells *c = context;
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
    ball_cells cells = {.rcp = rcp};
    rcp->list.skin = skin;
    rcp->list.scale = rcp->scale;
    lay_out(&cells, 2.0 * rcp->scale * rcp->largest + skin);
    bool done = make_room(rcp) && sort_balls(&cells);
    if (done) sherd_parallel_for(&rcp->parallel, rcp->count, SHERD_RCP_CHUNK, list_chunk, &cells);
    cells_free(&cells);
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
