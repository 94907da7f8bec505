// A direction is chosen in the middle and propagates from neighbour to neighbour. Each centre takes
// the mean of its neighbours' directions and corrects it by the neighbours straight ahead and
// straight behind, so that directions follow rows around bends. Centres that have both are
// processed first, and their directions have priority: those which propagate across gaps and ends
// of rows may be wrong.
//
//      o  o  o  o  o              -> -> -> -> ->
//       o  o  o  o  o      =>      -> -> -> -> ->      =>     one chain each row
//        o  o     o  o              -> ->    -> ->
//
// Then each centre finds the neighbours nearest to its direction ahead and behind, and is linked to
// those that have found it, too.
#include "packing/order/row_chain.h"

#include "base/memory.h"
#include "math/vec3.h"

// Cosines. A direction is taken only from neighbours within 18 degrees: at larger angles,
// neighbours may belong to another crystal. Links may bend by 37 degrees, as directions are known
// by then: less than 60, where the next rows of a close-packed layer are.
static const double STRAIGHT = 0.95, LINKED = 0.8;

typedef enum progress { UNSEEN = 0, WAITING, WAITING_STRAIGHT, SETTLED } progress;

// First in, first out.
typedef struct queue {
    int32_t *item;
    size_t head, tail;
} queue;

typedef struct walker {
    const sherd_vec3 *point;
    const sherd_touch_list *list;
    sherd_vec3 *way;      // unit vectors along the row
    int32_t *next, *last; // in the row, -1: none
    uint8_t *progress;
    queue straight, other; // centres to process: behind straight ones, and the others
} walker;

static bool allocate(walker *w, size_t n)
{
    w->way = sherd_alloc(n, sizeof *w->way);
    w->next = sherd_alloc(n, sizeof *w->next);
    w->last = sherd_alloc(n, sizeof *w->last);
    w->progress = sherd_alloc(n, sizeof *w->progress);
    w->straight.item = sherd_alloc(n, sizeof *w->straight.item);
    w->other.item = sherd_alloc(n, sizeof *w->other.item);
    return w->way != NULL && w->next != NULL && w->last != NULL && w->progress != NULL &&
           w->straight.item != NULL && w->other.item != NULL;
}

static void release(walker *w)
{
    sherd_free(w->way);
    sherd_free(w->next);
    sherd_free(w->last);
    sherd_free(w->progress);
    sherd_free(w->straight.item);
    sherd_free(w->other.item);
}

// ---------------------------------------------------------------- directions

// The neighbour of n nearest to the direction `way`, -1: none with a cosine above `least`.
static int32_t neighbour_towards(const walker *w, size_t n, sherd_vec3 way, double least)
{
    int32_t best = -1;
    const int32_t *other = sherd_touching(w->list, n);
    for (int k = 0; k < w->list->found[n]; ++k) {
        sherd_vec3 step = vec3_sub(w->point[other[k]], w->point[n]);
        double cosine = vec3_dot(step, way) / vec3_length(step);
        if (!(cosine > least)) continue;
        least = cosine;
        best = other[k];
    }
    return best;
}

static void link_both_ways(walker *w, size_t n, double least)
{
    w->next[n] = neighbour_towards(w, n, w->way[n], least);
    w->last[n] = neighbour_towards(w, n, vec3_scale(-1.0, w->way[n]), least);
}

static bool is_straight(const walker *w, size_t n)
{
    return w->next[n] >= 0 && w->last[n] >= 0;
}

// The mean direction of processed neighbours; of straight ones, if there are any.
static sherd_vec3 way_of_neighbours(const walker *w, size_t n)
{
    sherd_vec3 straight = {0}, any = {0};
    const int32_t *other = sherd_touching(w->list, n);
    for (int k = 0; k < w->list->found[n]; ++k) {
        if (w->progress[other[k]] != SETTLED) continue;
        any = vec3_add(any, w->way[other[k]]);
        if (is_straight(w, (size_t)other[k])) straight = vec3_add(straight, w->way[other[k]]);
    }
    return vec3_normalize(vec3_dot(straight, straight) > 0.0 ? straight : any);
}

// From the neighbour behind to the one ahead, if they exist.
static void follow_row(walker *w, size_t n)
{
    link_both_ways(w, n, STRAIGHT);
    size_t ahead = w->next[n] >= 0 ? (size_t)w->next[n] : n;
    size_t behind = w->last[n] >= 0 ? (size_t)w->last[n] : n;
    if (ahead != behind) w->way[n] = vec3_normalize(vec3_sub(w->point[ahead], w->point[behind]));
}

// The row through n nearest to the direction `along`; false if there is none.
static bool find_row(walker *w, size_t n, sherd_vec3 along)
{
    double best = -2.0;
    sherd_vec3 found = along;
    const int32_t *other = sherd_touching(w->list, n);
    for (int k = 0; k < w->list->found[n]; ++k) {
        sherd_vec3 way = vec3_normalize(vec3_sub(w->point[other[k]], w->point[n]));
        if (!(vec3_dot(way, along) > best)) continue;
        if (neighbour_towards(w, n, vec3_scale(-1.0, way), STRAIGHT) < 0) continue;
        best = vec3_dot(way, along);
        found = way;
    }
    w->way[n] = found;
    return best > -2.0;
}

// A centre is queued once, or twice if it is later found to be next to a straight one.
static void put_neighbours(walker *w, size_t n)
{
    bool straight = is_straight(w, n);
    queue *q = straight ? &w->straight : &w->other;
    progress waiting = straight ? WAITING_STRAIGHT : WAITING;
    const int32_t *other = sherd_touching(w->list, n);
    for (int k = 0; k < w->list->found[n]; ++k) {
        if (w->progress[other[k]] >= waiting) continue;
        w->progress[other[k]] = (uint8_t)waiting;
        q->item[q->tail++] = other[k];
    }
}

static bool take(queue *q, size_t *n)
{
    if (q->head == q->tail) return false;
    *n = (size_t)q->item[q->head++];
    return true;
}

// Propagates the known direction of the seed to all connected centres.
static void spread(walker *w, size_t seed)
{
    size_t n = seed;
    do {
        if (w->progress[n] == SETTLED) continue;
        if (n != seed) w->way[n] = way_of_neighbours(w, n);
        follow_row(w, n);
        w->progress[n] = SETTLED;
        put_neighbours(w, n);
    } while (take(&w->straight, &n) || take(&w->other, &n));
}

// The centre nearest to the middle that has a row through it.
static size_t find_seed(walker *w, sherd_vec3 along)
{
    size_t best = 0, count = w->list->count;
    sherd_vec3 middle = {0};
    for (size_t n = 0; n < count; ++n)
        middle = vec3_add_scaled(middle, 1.0 / (double)count, w->point[n]);
    double least = INFINITY;
    for (size_t n = 0; n < count; ++n) {
        double distance = vec3_distance(w->point[n], middle);
        if (!(distance < least) || !find_row(w, n, along)) continue;
        least = distance;
        best = n;
    }
    return best;
}

static void find_ways(walker *w, sherd_vec3 along)
{
    size_t first = find_seed(w, along);
    find_row(w, first, along);
    spread(w, first);
    for (size_t n = 0; n < w->list->count; ++n) {
        if (w->progress[n] != UNSEEN) continue;
        find_row(w, n, along);
        spread(w, n);
    }
}

// ---------------------------------------------------------------- chains

// Links pairs that have found each other.
static void link_rows(walker *w)
{
    size_t count = w->list->count;
    for (size_t n = 0; n < count; ++n)
        link_both_ways(w, n, LINKED);
    for (size_t n = 0; n < count; ++n)
        if (w->next[n] >= 0 && w->last[w->next[n]] != (int32_t)n) w->next[n] = -1;
    for (size_t n = 0; n < count; ++n)
        if (w->last[n] >= 0 && w->next[w->last[n]] != (int32_t)n) w->last[n] = -1;
}

static void add_chain(walker *w, size_t first, size_t *placed, sherd_row_chains *chains)
{
    chains->begin[chains->count++] = (uint32_t)*placed;
    for (int32_t n = (int32_t)first; n >= 0 && w->progress[n] == SETTLED; n = w->next[n]) {
        w->progress[n] = UNSEEN;
        chains->line[(*placed)++] = (uint32_t)n;
    }
    chains->begin[chains->count] = (uint32_t)*placed;
}

// Rows from their first centre; the remaining ones are closed loops.
static void add_chains(walker *w, sherd_row_chains *chains)
{
    size_t placed = 0;
    for (size_t n = 0; n < w->list->count; ++n)
        if (w->last[n] < 0) add_chain(w, n, &placed, chains);
    for (size_t n = 0; n < w->list->count; ++n)
        if (w->progress[n] == SETTLED) add_chain(w, n, &placed, chains);
}

bool sherd_row_chains_init(sherd_row_chains *chains, const sherd_centres *centres,
                           const sherd_touch_list *list, sherd_vec3 along)
{
    walker w = {.point = centres->point, .list = list};
    *chains = (sherd_row_chains){.line = sherd_alloc(list->count, sizeof *chains->line),
                                 .begin = sherd_alloc(list->count + 1, sizeof *chains->begin)};
    bool done = chains->line != NULL && chains->begin != NULL && allocate(&w, list->count);
    if (done) {
        find_ways(&w, along);
        link_rows(&w);
        add_chains(&w, chains);
    } else {
        sherd_row_chains_free(chains);
    }
    release(&w);
    return done;
}

void sherd_row_chains_free(sherd_row_chains *chains)
{
    sherd_free(chains->line);
    sherd_free(chains->begin);
    *chains = (sherd_row_chains){0};
}
