// Sweeps over boxes: the pairs and their order, with any number of threads.
#include "stepping/regions/component_boxes.h"

#include "base/random.h"

#include <criterion/criterion.h>

enum { BOXES = 700, MOST = 100000 };

typedef struct visits {
    const sherd_box *list;
    int32_t first[MOST], second[MOST];
    int count, most; // stops at so many
} visits;

static bool note(void *context, const sherd_box *a, const sherd_box *b)
{
    visits *v = context;
    v->first[v->count] = (int32_t)(a - v->list), v->second[v->count] = (int32_t)(b - v->list);
    return ++v->count == v->most;
}

static double draw(uint64_t stream, int k)
{
    return sherd_random_uniform(3, stream, (uint64_t)k);
}

static void fill(sherd_boxes *boxes, int count)
{
    sherd_error error;
    for (int k = 0; k < count; ++k) {
        sherd_vec3 low = {3.0 * draw(1, k), 2.0 * draw(2, k), draw(3, k)};
        sherd_vec3 high = {low.x + 0.3 * draw(4, k), low.y + 0.3 * draw(5, k), low.z + 0.3};
        sherd_box box = {
            .bounds = {low, high}, .reach = 0.1 * draw(6, k), .group = k % 50, .root = k};
        cr_assert(sherd_boxes_add(boxes, &box, &error) == SHERD_OK);
    }
}

static bool meet(const sherd_box *a, const sherd_box *b)
{
    double r = a->reach + b->reach;
    const sherd_bounds *p = &a->bounds, *q = &b->bounds;
    return a->group != b->group && p->low.x <= q->high.x + r && q->low.x <= p->high.x + r &&
           p->low.y <= q->high.y + r && q->low.y <= p->high.y + r && p->low.z <= q->high.z + r &&
           q->low.z <= p->high.z + r;
}

static void sweep(int count, int threads, int most, visits *v)
{
    sherd_boxes boxes = {0};
    fill(&boxes, count);
    v->count = 0, v->most = most, v->list = boxes.list;
    bool stopped = sherd_boxes_sweep(&boxes, &(sherd_parallel){threads}, note, v);
    cr_assert(stopped == (most > 0));
    int found = 0; // the boxes are sorted now
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b)
            if (meet(&boxes.list[a], &boxes.list[b]) && (most == 0 || found < most)) {
                cr_assert(v->first[found] == a && v->second[found] == b);
                ++found;
            }
    cr_assert(found == v->count && found > 10);
    sherd_boxes_free(&boxes);
}

// 60 boxes are swept by one thread, more by all.
Test(component_boxes, pairs_are_visited_in_the_order_of_the_sweep)
{
    static visits v;
    for (int threads = 1; threads <= 3; ++threads) {
        sweep(60, threads, 0, &v);
        sweep(BOXES, threads, 0, &v);
    }
}

Test(component_boxes, a_visitor_ends_the_sweep)
{
    static visits v;
    sweep(60, 2, 12, &v);
    sweep(BOXES, 2, 1000, &v);
}
